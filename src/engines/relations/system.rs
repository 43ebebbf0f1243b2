//! A model as decision diagrams: its initial states, its steps and its reachable states.

use super::gates::{OneStep, StepCircuit};
use super::order::{VariableOrder, arranged};
use super::steps::{StepRelations, conjuncts, label_groups};
use crate::explore::TooMany;
use kit::budget::{Budget, Exhausted};
use kit::diagram::{Diagram, DiagramStopped, Diagrams, Relation};
use kit::number::to_u32;
use lang::model::expr::Expr;
use lang::model::value::State;
use lang::model::{Model, Position};
use num_bigint::BigUint;
use solvers::sat::Lit;

/// The most nodes of decision diagrams.
const MOST_NODES: usize = 12_000_000;

/// The number of nodes beyond which unneeded ones are dropped, once there are also three times as many as were needed
/// last, or half of the remaining room is taken.
const FEW_NODES: usize = 1 << 18;

/// The reason why nothing is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DiagramLimit {
    /// The budget ended.
    Budget(Exhausted),
    /// More nodes than this would be needed.
    Nodes(usize),
    /// There are too many labels to read each of them.
    Labels(TooMany),
    /// The truth of a label depends on more than the state.
    Choices,
}

impl From<DiagramStopped> for DiagramLimit {
    fn from(stopped: DiagramStopped) -> Self {
        match stopped {
            DiagramStopped::Budget(why) => DiagramLimit::Budget(why),
            DiagramStopped::Nodes(most) => DiagramLimit::Nodes(most),
        }
    }
}

/// A state: the value of each variable of the diagrams.
pub type DiagramState = Vec<u32>;

/// A diagram that is not dropped, by its index among these.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeptDiagram(usize);

/// A model as decision diagrams. Methods that say so drop diagrams that are not kept.
pub struct SymbolicSystem {
    /// All diagrams.
    pub diagrams: Diagrams,
    gates: StepCircuit,
    order: VariableOrder,
    /// The levels of all variables before a step, ascending.
    levels: Vec<usize>,
    /// The steps, ordered so that those that write the last variables come first.
    relations: Vec<Relation>,
    kept: Vec<Diagram>,
    /// The number of nodes that were needed when others were last dropped.
    needed: usize,
    /// The initial states.
    pub initial: KeptDiagram,
    /// The reachable states.
    pub reachable: KeptDiagram,
    /// For each label of a formula the reachable states that have it.
    pub labels: Vec<KeptDiagram>,
}

impl SymbolicSystem {
    /// Computes the reachable states of a model, and those with these labels.
    ///
    /// # Errors
    /// If the limits do not allow it.
    pub fn new(model: &Model, labels: &[Expr], budget: &Budget) -> Result<Self, DiagramLimit> {
        let mut step = OneStep::new(model, budget);
        let truths: Vec<Lit> =
            labels.iter().map(|label| step.unrolling.state_truth(label, Position::FIRST)).collect();
        let names = step.labels().map_err(DiagramLimit::Labels)?;
        let gates = step.finish(&names).map_err(DiagramLimit::Budget)?;
        let order = order(&gates, budget)?;

        let mut diagrams = order.diagrams(&gates, MOST_NODES, budget);
        let mut reader = order.reader(&gates, &mut diagrams);
        let mut initial = reader.all(&mut diagrams, &gates.initial);
        for constraint in &gates.state {
            let holds = reader.constraint(&mut diagrams, constraint);
            initial = diagrams.and(initial, holds);
        }
        let mut kept = vec![initial, initial];
        kept.extend(truths.into_iter().map(|lit| reader.literal(&mut diagrams, lit)));
        let variables = order.variables.len();
        if diagrams.levels() > 2 * variables {
            return Err(DiagramLimit::Choices);
        }
        let mut steps = StepRelations::new(Diagrams::or);
        for label in 0..gates.labels.len() {
            reader.set_label(label);
            if let Some(step) = conjuncts(&mut diagrams, &mut reader, &gates, &order) {
                steps.add(&mut diagrams, variables, 0, step);
            }
            diagrams.check()?;
        }
        let mut relations = steps.kinds.pop().unwrap_or_default();
        relations.sort_by_key(|relation| std::cmp::Reverse(diagrams.level(relation.ways)));
        let levels = order.levels();
        let (initial, reachable) = (KeptDiagram(0), KeptDiagram(1));
        let labels: Vec<KeptDiagram> = (2..kept.len()).map(KeptDiagram).collect();
        let mut system =
            Self { diagrams, gates, order, levels, relations, kept, needed: 0, initial, reachable, labels };
        system.explore()?;
        Ok(system)
    }

    /// Finds the reachable states: each relation is used until it adds no more (chaining, as in O. Roig, J. Cortadella,
    /// E. Pastor, "Verification of asynchronous circuits by BDD-based model checking of Petri nets", 1995).
    fn explore(&mut self) -> Result<(), DiagramStopped> {
        self.saturate(self.reachable, |system, relation, set| {
            let relation = &system.relations[relation];
            system.diagrams.after(relation, set)
        })?;
        for label in 0..self.labels.len() {
            let within = self.diagrams.and(self.of(self.labels[label]), self.of(self.reachable));
            self.kept[self.labels[label].0] = within;
        }
        self.diagrams.check()
    }

    /// Adds the image of a set under each relation to it, until nothing is new. Drops diagrams.
    fn saturate(
        &mut self,
        set: KeptDiagram,
        mut more: impl FnMut(&mut Self, usize, Diagram) -> Diagram,
    ) -> Result<(), DiagramStopped> {
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for relation in 0..self.relations.len() {
                loop {
                    let before = self.of(set);
                    let found = more(self, relation, before);
                    let after = self.diagrams.or(before, found);
                    self.diagrams.check()?;
                    if after == before {
                        break;
                    }
                    changed = true;
                    self.replace(set, after);
                    self.tidy();
                }
            }
        }
        Ok(())
    }

    /// Returns the states from which a path leads through `through` to `to`, all of them reachable. Drops diagrams.
    ///
    /// # Errors
    /// If the budget ends or there are too many nodes, as for all methods below.
    pub fn until(&mut self, through: KeptDiagram, to: KeptDiagram) -> Result<Diagram, DiagramStopped> {
        let set = self.keep(self.of(to));
        self.saturate(set, |system, relation, set| {
            let before = system.diagrams.before(&system.relations[relation], set);
            system.diagrams.and(before, system.of(through))
        })?;
        Ok(self.release(set))
    }

    /// Returns the states from which an infinite path stays within a set and visits each of the fair sets infinitely
    /// often (E. Emerson, C. Lei, "Efficient model checking in fragments of the propositional mu-calculus", LICS 1986).
    /// Drops diagrams.
    pub fn always(&mut self, within: KeptDiagram, fair: &[KeptDiagram]) -> Result<Diagram, DiagramStopped> {
        let set = self.keep(self.of(within));
        loop {
            let before = self.keep(self.of(set));
            if fair.is_empty() {
                self.narrow_to_before(set, set);
            }
            for &condition in fair {
                let goal = self.diagrams.and(self.of(set), self.of(condition));
                let goal = self.keep(goal);
                let reaching = self.until(set, goal)?;
                self.replace(goal, reaching);
                self.narrow_to_before(set, goal);
                self.release(goal);
            }
            self.diagrams.check()?;
            if self.release(before) == self.of(set) {
                return Ok(self.release(set));
            }
            self.tidy();
        }
    }

    /// Restricts a set to the states from which a step leads to a state of another one.
    fn narrow_to_before(&mut self, set: KeptDiagram, to: KeptDiagram) {
        let before = self.before(self.of(to), set);
        self.replace(set, before);
    }

    /// Returns the states within a set from which a step leads to one of these.
    pub fn before(&mut self, states: Diagram, within: KeptDiagram) -> Diagram {
        self.stepped(states, within, Diagrams::before)
    }

    /// Returns the states within a set to which a step leads from one of these.
    pub fn after(&mut self, states: Diagram, within: KeptDiagram) -> Diagram {
        self.stepped(states, within, Diagrams::after)
    }

    fn stepped(
        &mut self,
        states: Diagram,
        within: KeptDiagram,
        step: fn(&mut Diagrams, &Relation, Diagram) -> Diagram,
    ) -> Diagram {
        let within = self.of(within);
        let mut all = Diagram::ZERO;
        for relation in &self.relations {
            let found = step(&mut self.diagrams, relation, states);
            let found = self.diagrams.and(found, within);
            all = self.diagrams.or(all, found);
        }
        all
    }

    /// Returns the states of the first set that are not in the second.
    pub fn without(&mut self, set: Diagram, other: Diagram) -> Diagram {
        let outside = self.diagrams.not(other);
        self.diagrams.and(set, outside)
    }

    /// Returns the number of states in a set.
    pub fn count(&self, set: Diagram) -> BigUint {
        self.diagrams.total(set, &self.levels)
    }

    /// Returns a state of a set that is not empty.
    pub fn pick(&self, set: Diagram) -> DiagramState {
        let mut row = vec![0; self.levels.len()];
        let mut rest = set;
        while !rest.is_constant() {
            let level = self.diagrams.level(rest);
            let some = (0..self.diagrams.values(level)).find(|&value| {
                let child = self.diagrams.cofactor(rest, level, value);
                child != Diagram::ZERO
            });
            let value = some.unwrap_or(0);
            row[level / 2] = to_u32(value);
            rest = self.diagrams.cofactor(rest, level, value);
        }
        row
    }

    /// Returns the set of one state.
    pub fn point(&mut self, row: &DiagramState) -> Diagram {
        let mut set = Diagram::ONE;
        for (variable, &value) in row.iter().enumerate().rev() {
            let is = self.diagrams.is(2 * variable, value as usize);
            set = self.diagrams.and(is, set);
        }
        set
    }

    /// True if a state is in a set.
    pub fn has(&self, set: Diagram, row: &DiagramState) -> bool {
        let mut rest = set;
        while !rest.is_constant() {
            let level = self.diagrams.level(rest);
            rest = self.diagrams.cofactor(rest, level, row[level / 2] as usize);
        }
        rest == Diagram::ONE
    }

    /// Returns the values of the model's variables in a state.
    pub fn state(&self, row: &DiagramState) -> State {
        let mut truth = vec![false; self.gates.definitions.len()];
        truth[0] = true;
        for (item, part) in self.gates.parts.iter().enumerate() {
            let chosen = row[self.order.variables[item]] as usize;
            for (value, lit) in part.free.iter().enumerate() {
                truth[lit.vidx()] = (value == chosen) != lit.is_neg();
            }
        }
        let holds = |lit: Lit| truth[lit.vidx()] != lit.is_neg();
        State(self.gates.variables.iter().map(|symbolic| symbolic.value_where(&holds)).collect())
    }

    /// Returns the state with these values of the model's variables.
    pub fn row(&self, state: &State) -> DiagramState {
        let mut truth = vec![false; self.gates.definitions.len()];
        for (symbolic, value) in self.gates.variables.iter().zip(&state.0) {
            symbolic.each_literal(Some(value), &mut |lit, holds| truth[lit.vidx()] = holds != lit.is_neg());
        }
        let mut row = vec![0; self.levels.len()];
        for (item, part) in self.gates.parts.iter().enumerate() {
            let is_chosen = |lit: &Lit| truth[lit.vidx()] != lit.is_neg();
            let value = part.free.iter().position(is_chosen).unwrap_or(part.free.len());
            row[self.order.variables[item]] = to_u32(value);
        }
        row
    }

    /// Returns a kept diagram.
    pub fn of(&self, kept: KeptDiagram) -> Diagram {
        self.kept[kept.0]
    }

    /// Keeps a diagram until it is released.
    pub fn keep(&mut self, diagram: Diagram) -> KeptDiagram {
        self.kept.push(diagram);
        KeptDiagram(self.kept.len() - 1)
    }

    /// Keeps another diagram in the same place.
    pub fn replace(&mut self, kept: KeptDiagram, diagram: Diagram) {
        self.kept[kept.0] = diagram;
    }

    /// Releases a diagram and all that were kept after it, and returns it.
    pub fn release(&mut self, kept: KeptDiagram) -> Diagram {
        let diagram = self.of(kept);
        self.kept.truncate(kept.0);
        diagram
    }

    /// Drops nodes that are no longer needed, if there are many.
    pub fn tidy(&mut self) {
        let many = (3 * self.needed).min(usize::midpoint(self.needed, MOST_NODES));
        if self.diagrams.nodes() < many.max(FEW_NODES) {
            return;
        }
        let ways = self.relations.iter_mut().map(|relation| &mut relation.ways);
        self.diagrams.collect_garbage(ways.chain(&mut self.kept));
        self.needed = self.diagrams.nodes();
    }
}

/// Returns an order that keeps variables close together that labels read and write together.
fn order(gates: &StepCircuit, budget: &Budget) -> Result<VariableOrder, DiagramLimit> {
    let declared = VariableOrder::declared(gates.parts.len());
    let mut diagrams = declared.diagrams(gates, MOST_NODES, budget);
    let mut reader = declared.reader(gates, &mut diagrams);
    let groups = label_groups(&mut diagrams, &mut reader, gates, &declared)?;
    Ok(VariableOrder { variables: arranged(gates.parts.len(), &groups) })
}
