//! Constraints that only restate the property, or say no more than the step that violates it: questions to a solver about states
//! and labels that the model need not reach.

use crate::facts::atom::{Atom, Atoms};
use crate::facts::constraint::Constraint;
use crate::facts::fact::{Fact, FactKind, OrderRelation, Stretch};
use crate::facts::index::PositionVar;
use crate::facts::problem::Problem;
use kit::budget::Budget;
use kit::number::to_u32;
use lang::model::expr::{ExprKind, VarId};
use lang::model::{Model, Position, Variable};
use solvers::sat::{Answer, Backend, Circuit, Lit};
use solvers::unroll::{Encoder, Frame, IntegerForm, IntegerForms, Symbolic, Unrolling};

/// The extent to which a constraint restates the property.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Restates {
    /// The facts violate the property by themselves, for any states of the right types and any labels,
    /// reachable or not: the constraint is true and explains nothing. Where all steps of the model are alike, also with
    /// single steps.
    Property,
    /// The facts violate it with single steps of the model, from any states, reachable or not, to their
    /// positions or the next ones; the constraint does not explain how these states arose. For infinite
    /// traces, the facts restate the property in names of actions.
    Step,
    /// More than the property or its last step.
    #[default]
    Nothing,
    /// The solver gave up.
    Undecided,
}

/// The greatest number of conflicts of a question.
pub(crate) const MOST_CONFLICTS: u32 = 20_000;

/// Finds the statement that a constraint only repeats.
pub fn restated(problem: Problem<'_>, atoms: &Atoms, constraint: &Constraint, budget: &Budget) -> Restates {
    // Single steps say nothing of all positions between two, or of the state before one.
    if reads(atoms, constraint, &|kind| matches!(kind, ExprKind::Never { .. })) {
        return Restates::Nothing;
    }
    let mut asked = RestatementQueries::new(problem, atoms, constraint, budget);
    match asked.property() {
        Some(found) => found,
        None if reads(atoms, constraint, &|kind| matches!(kind, ExprKind::Previous(_))) => Restates::Nothing,
        None => asked.step(),
    }
}

/// True if a constraint says no more than that the property is violated. Not known to do so where the solver did not find out.
pub fn says_only_the_property(
    problem: Problem<'_>,
    atoms: &Atoms,
    constraint: &Constraint,
    budget: &Budget,
) -> bool {
    !reads(atoms, constraint, &|kind| matches!(kind, ExprKind::Never { .. }))
        && RestatementQueries::new(problem, atoms, constraint, budget).property() == Some(Restates::Property)
}

/// The questions about a constraint: with arbitrary states and labels at its positions, then with the steps
/// to them and to the next ones.
struct RestatementQueries<'a> {
    problem: Problem<'a>,
    constraint: &'a Constraint,
    unrolling: Unrolling<'a>,
    /// The frames of the positions.
    places: Vec<Position>,
    /// For each position, its frame, and those needed only for the steps to it and from it.
    around: Vec<Vec<Position>>,
    facts: Vec<FactLiteral>,
    /// True if the solver gave up a question.
    undecided: bool,
}

struct FactLiteral {
    lit: Lit,
    /// True if it is only about individuals.
    of_individuals: bool,
}

impl<'a> RestatementQueries<'a> {
    fn new(problem: Problem<'a>, atoms: &Atoms, constraint: &'a Constraint, budget: &Budget) -> Self {
        let model = problem.model;
        let circuit = Circuit::new(Backend::Cadical.start(budget)).within(budget);
        let mut unrolling = Unrolling::from_any_state(model, circuit);
        unrolling.circuit.limit_conflicts(Some(MOST_CONFLICTS));
        unrolling.frames.clear();
        // If the state before a position is read, it is arbitrary.
        let apart =
            if reads(atoms, constraint, &|kind| matches!(kind, ExprKind::Previous(_))) { 2 } else { 1 };
        for _ in 0..constraint.positions * apart {
            let frame = any_frame(&mut unrolling.circuit, model);
            unrolling.frames.push(frame);
        }
        let places: Vec<Position> = unrolling.positions().skip(apart - 1).step_by(apart).collect();
        let circuit = &mut unrolling.circuit;
        let facts = said_at(circuit, model, atoms, constraint, &unrolling.frames, &places);
        let facts = facts
            .into_iter()
            .map(|(fact, lit)| FactLiteral { lit, of_individuals: fact.is_about_individuals(atoms) })
            .collect();
        let around = places.iter().map(|&place| vec![place]).collect();
        Self { problem, constraint, unrolling, places, around, facts, undecided: false }
    }

    /// The statement that the facts repeat without the model, if that decides.
    fn property(&mut self) -> Option<Restates> {
        match self.violates() {
            Some(true) => Some(Restates::Property),
            Some(false) => Some(Restates::Nothing),
            None => None,
        }
    }

    /// The statement that they repeat together with single steps.
    fn step(&mut self) -> Restates {
        self.take_steps();
        match self.violates() {
            Some(true) if self.problem.model.steps_are_alike() => Restates::Property,
            Some(true) => Restates::Step,
            None if self.undecided => Restates::Undecided,
            _ => Restates::Nothing,
        }
    }

    /// True if the facts violate the invariant, at their positions wherever these lie, or where all of them are in one state; `None` if
    /// they do not, or that is not known. It is false where they do without a position about which a predicate tells more.
    fn violates(&mut self) -> Option<bool> {
        let given_up = std::mem::take(&mut self.undecided);
        let found = self.violates_apart().or_else(|| self.violates_together().then_some(true));
        let found = found.filter(|_| !self.undecided);
        self.undecided |= given_up;
        found
    }

    /// [`Self::violates`] where positions lie apart.
    fn violates_apart(&mut self) -> Option<bool> {
        let facts = self.facts();
        if self.ask(&facts) != Some(Answer::Sat) || !self.excludes_good(&facts, None) {
            return None;
        }
        let of_predicates = self.of_predicates();
        Some(!of_predicates.into_iter().any(|position| self.excludes_good(&facts, Some(position))))
    }

    /// Returns the positions constrained only by atoms about several positions.
    fn of_predicates(&self) -> Vec<usize> {
        let about = |fact: &Fact, position: usize| fact.positions.iter().any(|p| p.index() == position);
        let several = |fact: &Fact| matches!(fact.kind, FactKind::Atom(_)) && fact.positions.len() > 1;
        let facts = &self.constraint.facts;
        let is_of_predicates =
            |&position: &usize| facts.iter().filter(|fact| about(fact, position)).all(several);
        (0..self.places.len()).filter(is_of_predicates).collect()
    }

    fn facts(&self) -> Vec<Lit> {
        self.facts.iter().map(|said| said.lit).collect()
    }

    /// True if the facts violate the invariant in a state of which all of them are true, whatever else is so there, and none of them
    /// can be left out: that they hold at all, at any positions and in any order, names the parts of the violation.
    fn violates_together(&mut self) -> bool {
        let is_atom = |fact: &Fact| matches!(fact.kind, FactKind::Atom(_));
        if self.places.len() < 2 || !self.constraint.facts.iter().all(is_atom) {
            return false;
        }
        let in_one = [self.facts(), vec![self.same_state()]].concat();
        if self.ask(&in_one) != Some(Answer::Sat) || !self.excludes_good(&in_one, None) {
            return false;
        }
        let of_individuals: Vec<bool> = self.facts.iter().map(|said| said.of_individuals).collect();
        of_individuals.into_iter().enumerate().all(|(number, of_individuals)| {
            let mut others = in_one.clone();
            others.remove(number);
            of_individuals || !self.excludes_good(&others, None)
        })
    }

    /// True if what is assumed excludes that the invariant holds at all positions, and around them; but for one, if that is given.
    fn excludes_good(&mut self, assumed: &[Lit], but: Option<usize>) -> bool {
        let around = self.around.iter().enumerate().filter(|(position, _)| Some(*position) != but);
        let around: Vec<Position> = around.flat_map(|(_, around)| around.iter().copied()).collect();
        let mut assumed = assumed.to_vec();
        for position in around {
            assumed.push(self.unrolling.state_truth(self.problem.invariant, position));
        }
        self.ask(&assumed) == Some(Answer::Unsat)
    }

    /// Asks the solver; `None` if it gives up.
    fn ask(&mut self, assumed: &[Lit]) -> Option<Answer> {
        match self.unrolling.circuit.solve(assumed) {
            Answer::Unknown(_) => {
                self.undecided = true;
                None
            }
            answer => Some(answer),
        }
    }

    /// Returns a literal that is true if all positions have the same state.
    fn same_state(&mut self) -> Lit {
        let mut same = Vec::new();
        for &place in &self.places[1..] {
            let frames = &self.unrolling.frames;
            let (first, other) = (&frames[self.places[0].index()].state, &frames[place.index()].state);
            for (one, other) in first.iter().zip(other) {
                same.push(one.equal(&mut self.unrolling.circuit, other));
            }
        }
        self.unrolling.circuit.all(&same)
    }

    /// Demands steps of the model from any states to the positions, and to the next ones if the trace goes
    /// on. A position without a step to it is an initial state.
    fn take_steps(&mut self) {
        let steps = OrderSteps::of(self.constraint);
        for (index, before) in steps.before.iter().enumerate() {
            let from = match before {
                Some(before) => self.places[before.index()],
                None => {
                    let from = self.unrolling.any_state();
                    self.around[index].push(from);
                    from
                }
            };
            arrive(&mut self.unrolling, from, self.places[index]);
        }
        for position in steps.left {
            let yes = self.unrolling.circuit.yes();
            let next = self.unrolling.successor(self.places[position.index()], yes);
            self.around[position.index()].push(next);
        }
    }
}

/// True if a fact of a constraint has a form in it.
fn reads(atoms: &Atoms, constraint: &Constraint, form: &dyn Fn(&ExprKind) -> bool) -> bool {
    constraint.facts.iter().any(|fact| match fact.kind {
        FactKind::Order(_) => false,
        FactKind::Atom(atom) | FactKind::Absent(atom, _) => {
            let mut found = false;
            atoms.get(atom).expr.walk(&mut |e| found |= form(&e.kind));
            found
        }
    })
}

/// The steps implied by the order of positions.
struct OrderSteps {
    /// For each position, the adjacent position before it, if known.
    before: Vec<Option<PositionVar>>,
    /// Positions with a later one, after which the trace goes on.
    left: Vec<PositionVar>,
}

impl OrderSteps {
    fn of(constraint: &Constraint) -> Self {
        let mut before = vec![None; constraint.positions];
        let mut left = Vec::new();
        for fact in &constraint.facts {
            let FactKind::Order(order) = fact.kind else { continue };
            let [first, second] = [fact.positions[0], fact.positions[1]];
            left.push(first);
            if order == OrderRelation::Next {
                before[second.index()] = Some(first);
            }
        }
        left.sort_unstable();
        left.dedup();
        Self { before, left }
    }
}

/// Demands that a position without a label is an initial state, and one with a label the successor of another.
pub(crate) fn arrive(unrolling: &mut Unrolling<'_>, from: Position, to: Position) {
    let model = unrolling.model;
    let Frame { actions, args, unlabelled, .. } = unrolling.frame(to).clone();
    for (action, (taken, args)) in actions.into_iter().zip(args).enumerate() {
        let step = unrolling.is_step(from, action, &args, to);
        unrolling.circuit.add_clause(&[!taken, step]);
    }
    let first = unlabelled.unwrap_or(unrolling.circuit.no());
    for formula in &model.init {
        let holds = unrolling.state_truth(formula, to);
        unrolling.circuit.add_clause(&[!first, holds]);
    }
    let assumed = unrolling.assumed_of(to);
    unrolling.circuit.add_clause(&[assumed]);
}

/// Returns literals of the facts with position variables in these frames. An absence is expressed only at the
/// positions that the order puts into its stretch.
pub(crate) fn facts_at(
    circuit: &mut Circuit,
    model: &Model,
    atoms: &Atoms,
    constraint: &Constraint,
    frames: &[Frame],
    places: &[Position],
) -> Vec<Lit> {
    said_at(circuit, model, atoms, constraint, frames, places).into_iter().map(|(_, lit)| lit).collect()
}

/// These literals, each with its fact.
fn said_at<'c>(
    circuit: &mut Circuit,
    model: &Model,
    atoms: &Atoms,
    constraint: &'c Constraint,
    frames: &[Frame],
    places: &[Position],
) -> Vec<(&'c Fact, Lit)> {
    let mut lits = Vec::new();
    let mut individuals = Vec::new();
    for &domain in &constraint.individuals {
        let yes = circuit.yes();
        individuals.push(Symbolic::fresh(
            circuit,
            &model.types,
            atoms.type_of(domain),
            yes,
            IntegerForm::default(),
        ));
    }
    let mut says = |atom: &Atom, fact: &Fact, at: &[PositionVar]| {
        let mut encoder = Encoder::new(circuit, model, frames);
        for (&param, position) in atom.params.iter().zip(at) {
            encoder.bind_position(param, places[position.index()]);
        }
        for (param, individual) in atom.values.iter().zip(&fact.individuals) {
            encoder.bind(param.local, individuals[individual.index()].clone());
        }
        encoder.truth(&atom.expr)
    };
    for fact in &constraint.facts {
        match fact.kind {
            FactKind::Order(_) => {}
            FactKind::Atom(atom) => lits.push((fact, says(atoms.get(atom), fact, &fact.positions))),
            FactKind::Absent(atom, stretch) => {
                let inside =
                    constraint.variables().filter(|&p| lies_in(constraint, stretch, &fact.positions, p));
                lits.extend(inside.map(|p| (fact, !says(atoms.get(atom), fact, &[p]))));
            }
        }
    }
    lits
}

/// True if the order of positions says that one of them is in a stretch with these bounds.
fn lies_in(constraint: &Constraint, stretch: Stretch, bounds: &[PositionVar], position: PositionVar) -> bool {
    match stretch {
        Stretch::Between => constraint.orders(bounds[0], position) && constraint.orders(position, bounds[1]),
        Stretch::Before => constraint.orders(position, bounds[0]),
        Stretch::After => constraint.orders(bounds[0], position),
    }
}

/// Creates a frame with any state and any label.
pub(crate) fn any_frame(circuit: &mut Circuit, model: &Model) -> Frame {
    let alive = circuit.yes();
    let forms = IntegerForms::of(model);
    let variables = model.variables.iter().enumerate();
    let any = |(index, v): (usize, &Variable)| {
        let form = forms.variable(VarId(to_u32(index)));
        Symbolic::fresh(circuit, &model.types, &v.ty, alive, form)
    };
    let state = variables.map(any).collect();
    let actions: Vec<_> = model.actions.iter().map(|_| circuit.fresh()).collect();
    circuit.at_most_one(&actions);
    let unlabelled = Some(!circuit.any(&actions));
    let mut args = Vec::new();
    for (index, (action, &taken)) in model.actions.iter().zip(&actions).enumerate() {
        let of = action.params.iter().enumerate().map(|(number, p)| {
            Symbolic::fresh(circuit, &model.types, &p.ty, taken, forms.param(index, number))
        });
        args.push(of.collect());
    }
    Frame { actions, unlabelled, args, ..Frame::of_state(alive, state) }
}
