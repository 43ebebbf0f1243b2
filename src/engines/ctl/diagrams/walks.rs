//! Paths, lassos and subgraphs that show a goal, walked through sets of states that are decision diagrams.

use super::evaluate;
use crate::ctl::formula::{CtlOp, Subformula};
use crate::ctl::goal::CtlGoal;
use crate::ctl::witness::Witness;
use crate::relations::{DiagramState, KeptDiagram, SymbolicSystem};
use kit::diagram::{Diagram, DiagramStopped};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::hash_map::Entry;

/// The reason why there is no evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EvidenceGap {
    /// The budget ended, or the diagrams became too large.
    Stopped,
    /// The evidence would have more states than this.
    Long(usize),
}

impl From<DiagramStopped> for EvidenceGap {
    fn from(_: DiagramStopped) -> Self {
        EvidenceGap::Stopped
    }
}

/// The evidence for a goal.
pub struct DiagramEvidence {
    /// Its states and steps. State 0 is an initial one.
    pub witness: Witness<DiagramState>,
    /// True if no evidence has fewer states.
    pub minimal: bool,
}

/// Walks through a system from an initial state, directed by a goal.
pub struct DiagramWalks<'s> {
    system: &'s mut SymbolicSystem,
    goal: &'s CtlGoal,
    /// For each part of the goal the states in which it holds.
    truth: Vec<KeptDiagram>,
    /// True for each part of the goal that asks for steps.
    steps: Vec<bool>,
    most_states: usize,
    states: Vec<DiagramState>,
    numbers: FxHashMap<DiagramState, usize>,
    edges: FxHashSet<(usize, usize)>,
    /// The parts that were already shown, with their states.
    shown: FxHashSet<(Subformula, usize)>,
}

impl<'s> DiagramWalks<'s> {
    /// Starts walks for a goal that some initial state has; `facts` are the states with each of its facts.
    ///
    /// # Errors
    /// If the budget ends or the diagrams become too large.
    pub fn new(
        system: &'s mut SymbolicSystem,
        goal: &'s CtlGoal,
        facts: &[KeptDiagram],
        most_states: usize,
    ) -> Result<Self, DiagramStopped> {
        let truth = evaluate(&goal.formula, system, facts)?;
        let steps = goal.formula.quantifiers().into_iter().map(|(some, _)| some).collect();
        let (states, numbers) = (Vec::new(), FxHashMap::default());
        let (edges, shown) = (FxHashSet::default(), FxHashSet::default());
        Ok(Self { system, goal, truth, steps, most_states, states, numbers, edges, shown })
    }

    /// Returns a path or lasso if the walks form one, otherwise a subgraph.
    ///
    /// # Errors
    /// If the budget ends, the diagrams become too large, or there would be too many states.
    pub fn find(mut self) -> Result<DiagramEvidence, EvidenceGap> {
        let root = self.goal.formula.root;
        let start = self.system.diagrams.and(self.system.of(self.system.initial), self.of(root));
        let first = self.show(root, start)?;
        let minimal = self.is_shortest(root);
        Ok(DiagramEvidence { witness: witness(first, self.states, &self.edges), minimal })
    }

    /// True if the breadth-first search for a part finds the shortest path of all: the part takes no other steps.
    fn is_shortest(&self, part: Subformula) -> bool {
        let plain = |part: &Subformula| !self.steps[part.index()];
        match self.goal.formula.node(part) {
            CtlOp::Until(a, b) => plain(a) && plain(b),
            // A step back to the same state would do with one state less.
            CtlOp::Next(_) | CtlOp::Always { .. } | CtlOp::Or(..) => false,
            CtlOp::And(a, b) => {
                (plain(a) || self.is_shortest(*a))
                    && (plain(b) || self.is_shortest(*b))
                    && (plain(a) || plain(b))
            }
            CtlOp::True | CtlOp::Label(_) | CtlOp::Not(_) => true,
        }
    }

    fn of(&self, part: Subformula) -> Diagram {
        self.system.of(self.truth[part.index()])
    }

    /// Returns the number of a state among those of the evidence.
    fn number(&mut self, row: DiagramState) -> Result<usize, EvidenceGap> {
        if let Some(&known) = self.numbers.get(&row) {
            return Ok(known);
        }
        if self.states.len() == self.most_states {
            return Err(EvidenceGap::Long(self.most_states));
        }
        self.states.push(row.clone());
        self.numbers.insert(row, self.states.len() - 1);
        Ok(self.states.len() - 1)
    }

    /// Adds a walk; returns the numbers of its states.
    fn add(&mut self, rows: Vec<DiagramState>) -> Result<Vec<usize>, EvidenceGap> {
        let numbers: Vec<usize> = rows.into_iter().map(|row| self.number(row)).collect::<Result<_, _>>()?;
        self.edges.extend(numbers.windows(2).map(|pair| (pair[0], pair[1])));
        Ok(numbers)
    }

    /// Shows a part in one state, in which it holds.
    fn show_at(&mut self, part: Subformula, state: usize) -> Result<(), EvidenceGap> {
        if self.steps[part.index()] && self.shown.insert((part, state)) {
            let row = self.states[state].clone();
            let point = self.system.point(&row);
            self.show(part, point)?;
        }
        Ok(())
    }

    /// Shows a part in one of these states, in all of which it holds; returns the number of that state.
    fn show(&mut self, part: Subformula, from: Diagram) -> Result<usize, EvidenceGap> {
        let goal = self.goal;
        let from = self.system.keep(from);
        let first = match goal.formula.node(part) {
            CtlOp::True | CtlOp::Label(_) | CtlOp::Not(_) => {
                let row = self.system.pick(self.system.of(from));
                self.number(row)?
            }
            CtlOp::And(a, b) => {
                let (one, other) = if self.steps[a.index()] { (*a, *b) } else { (*b, *a) };
                let state = self.show(one, self.system.of(from))?;
                self.show_at(other, state)?;
                state
            }
            CtlOp::Or(a, b) => {
                let (one, other) = if self.steps[a.index()] { (*b, *a) } else { (*a, *b) };
                let (here, there) = (self.of(one), self.of(other));
                let here = self.system.diagrams.and(self.system.of(from), here);
                if here == Diagram::ZERO {
                    let there = self.system.diagrams.and(self.system.of(from), there);
                    self.show(other, there)?
                } else {
                    self.show(one, here)?
                }
            }
            CtlOp::Next(a) => {
                let after = self.system.after(self.system.of(from), self.truth[a.index()]);
                let to = self.show(*a, after)?;
                let row = self.states[to].clone();
                let point = self.system.point(&row);
                let before = self.system.before(point, from);
                let walk = vec![self.system.pick(before), row];
                self.add(walk)?[0]
            }
            CtlOp::Until(a, b) => self.show_until(part, *a, *b, from)?,
            CtlOp::Always { of, fair } => self.show_always(part, *of, fair, from)?,
        };
        self.system.diagrams.check()?;
        self.system.release(from);
        Ok(first)
    }

    fn show_until(
        &mut self,
        part: Subformula,
        a: Subformula,
        b: Subformula,
        from: KeptDiagram,
    ) -> Result<usize, EvidenceGap> {
        let through = self.system.diagrams.and(self.of(a), self.of(part));
        let through = self.system.keep(through);
        let path = self.path(from, through, self.truth[b.index()])?;
        let walk = self.add(path.unwrap_or_else(|| unreachable!("the part holds in these states")))?;
        let (last, before) = walk.split_last().unwrap_or_else(|| unreachable!("a path has a state"));
        for &state in before {
            self.show_at(a, state)?;
        }
        self.show_at(b, *last)?;
        Ok(walk[0])
    }

    fn show_always(
        &mut self,
        part: Subformula,
        of: Subformula,
        fair: &[Subformula],
        from: KeptDiagram,
    ) -> Result<usize, EvidenceGap> {
        let stays = self.truth[part.index()];
        let conditions: Vec<KeptDiagram> = fair.iter().map(|c| self.truth[c.index()]).collect();
        let core = self.core(stays)?;
        let stem = self.path(from, stays, core)?;
        let mut rows = stem.unwrap_or_else(|| unreachable!("every infinite path comes to a cycle"));
        loop {
            let head = rows.len() - 1;
            self.meet(&mut rows, stays, &conditions)?;
            if self.close(&mut rows, head, stays)? {
                break;
            }
            // There is no way back: the following states are in a later component.
            let last = self.system.point(&rows[rows.len() - 1]);
            let next = self.system.after(last, stays);
            rows.push(self.system.pick(next));
        }
        let walk = self.add(rows)?;
        for &state in &walk {
            self.show_at(of, state)?;
            for &condition in fair {
                if self.system.has(self.of(condition), &self.states[state]) {
                    self.show_at(condition, state)?;
                }
            }
        }
        Ok(walk[0])
    }

    /// Returns the states of a set that lie on cycles within it, or on paths between these. Drops diagrams.
    fn core(&mut self, stays: KeptDiagram) -> Result<KeptDiagram, EvidenceGap> {
        let core = self.system.keep(self.system.of(stays));
        loop {
            let set = self.system.of(core);
            let after = self.system.after(set, core);
            self.system.diagrams.check()?;
            if after == set {
                return Ok(core);
            }
            self.system.replace(core, after);
            self.system.tidy();
        }
    }

    /// Continues to a state of each condition, the nearest first.
    fn meet(
        &mut self,
        rows: &mut Vec<DiagramState>,
        stays: KeptDiagram,
        conditions: &[KeptDiagram],
    ) -> Result<(), EvidenceGap> {
        let mut open = conditions.to_vec();
        loop {
            let last = &rows[rows.len() - 1];
            open.retain(|&condition| !self.system.has(self.system.of(condition), last));
            if open.is_empty() {
                return Ok(());
            }
            let here = self.system.point(last);
            let here = self.system.keep(here);
            let mut met = Diagram::ZERO;
            for &condition in &open {
                met = self.system.diagrams.or(met, self.system.of(condition));
            }
            let met = self.system.diagrams.and(met, self.system.of(stays));
            let met = self.system.keep(met);
            let path = self.path(here, stays, met)?;
            rows.extend(
                path.unwrap_or_else(|| unreachable!("a fair path goes on from here")).into_iter().skip(1),
            );
            self.system.release(here);
        }
    }

    /// Returns to the state at `head` by at least one step, if that is possible.
    fn close(
        &mut self,
        rows: &mut Vec<DiagramState>,
        head: usize,
        stays: KeptDiagram,
    ) -> Result<bool, EvidenceGap> {
        let last = self.system.point(&rows[rows.len() - 1]);
        let after = self.system.after(last, stays);
        let after = self.system.keep(after);
        let goal = self.system.point(&rows[head]);
        let goal = self.system.keep(goal);
        let back = self.path(after, stays, goal)?;
        self.system.release(after);
        let closed = back.is_some();
        rows.extend(back.into_iter().flatten());
        Ok(closed)
    }

    /// Returns a shortest path from one of some states through a set to a goal; `None` if there is none. Drops
    /// diagrams.
    fn path(
        &mut self,
        from: KeptDiagram,
        through: KeptDiagram,
        goal: KeptDiagram,
    ) -> Result<Option<Vec<DiagramState>>, EvidenceGap> {
        let system = &mut *self.system;
        let inside = system.diagrams.or(system.of(through), system.of(goal));
        // The states where the search may still go.
        let first = system.of(from);
        let unseen = system.without(inside, first);
        let unseen = system.keep(unseen);
        let mut layers = vec![system.keep(first)];
        let row = loop {
            let last = system.of(layers[layers.len() - 1]);
            let met = system.diagrams.and(last, system.of(goal));
            system.diagrams.check()?;
            if met != Diagram::ZERO {
                break system.pick(met);
            }
            let onward = system.diagrams.and(last, system.of(through));
            let next = system.after(onward, unseen);
            system.diagrams.check()?;
            if next == Diagram::ZERO {
                system.release(unseen);
                return Ok(None);
            }
            if layers.len() > self.most_states {
                return Err(EvidenceGap::Long(self.most_states));
            }
            let rest = system.without(system.of(unseen), next);
            system.replace(unseen, rest);
            layers.push(system.keep(next));
            system.tidy();
        };
        let mut rows = vec![row];
        for &layer in layers.iter().rev().skip(1) {
            let point = system.point(&rows[rows.len() - 1]);
            let before = system.before(point, layer);
            let before = system.diagrams.and(before, system.of(through));
            system.diagrams.check()?;
            rows.push(system.pick(before));
        }
        rows.reverse();
        system.release(unseen);
        Ok(Some(rows))
    }
}

/// Builds a path or lasso from states and steps if no state has several steps; otherwise a subgraph. `first` becomes
/// state 0.
fn witness(
    first: usize,
    states: Vec<DiagramState>,
    edges: &FxHashSet<(usize, usize)>,
) -> Witness<DiagramState> {
    let mut after: Vec<Vec<usize>> = vec![Vec::new(); states.len()];
    edges.iter().for_each(|&(from, to)| after[from].push(to));
    // In the order in which they are reached.
    let mut order = vec![first];
    let mut place: FxHashMap<usize, usize> = FxHashMap::from_iter([(first, 0)]);
    let mut at = 0;
    while at < order.len() {
        let mut next = after[order[at]].clone();
        next.sort_unstable();
        for state in next {
            if let Entry::Vacant(new) = place.entry(state) {
                new.insert(order.len());
                order.push(state);
            }
        }
        at += 1;
    }
    let rows: Vec<DiagramState> = order.iter().map(|&state| states[state].clone()).collect();
    if after.iter().all(|next| next.len() < 2) {
        let back = after[order[order.len() - 1]].first().map(|state| place[state]);
        return Witness::path(rows, back);
    }
    Witness::subgraph(rows, edges.iter().map(|(from, to)| (place[from], place[to])))
}
