//! Finite violating traces as what is covered.

use super::combinations::Combinations;
use super::cover_search::{CoverContext, CoverOracle, CoverSearch, Demand};
use super::level::{CoverOutcome, ShownClass};
use super::things::CoverItem;
use crate::facts::atom::Atoms;
use crate::facts::constraint::Constraint;
use crate::facts::fact::FactKind;
use crate::facts::index::{CandidateId, PositionVar};
use crate::facts::problem::Problem;
use crate::facts::restates::{Restates, facts_at, restated};
use crate::oracles::oracle::{Oracle, SampleCondition};
use crate::oracles::sat::Sufficiency;
use crate::oracles::work::Work;
use crate::results::result::{AtStart, Class, Classification, Cover, Verdict, Why};
use crate::results::statistics::{Statistics, Timed};
use itertools::Itertools;
use kit::budget::{Activity, Budget, Exhausted, Limited};
use lang::model::Position;
use lang::trace::Trace;
use solvers::sat::{Answer, Backend, Circuit, Lit};
use solvers::unroll::{Lengths, Unrolling};

/// The violating traces of a context in a solver.
pub struct ContextTraces<'l, 'm> {
    pub oracle: &'l mut dyn Oracle<'m>,
    pub things: &'l [CoverItem],
    pub context: &'l CoverContext<Constraint>,
}

impl ContextTraces<'_, '_> {
    fn conditions(&self, demands: &[Demand]) -> Vec<SampleCondition> {
        self.context.conditions(demands, &|id| self.things[id.index()].constraint.clone())
    }
}

impl CoverOracle for ContextTraces<'_, '_> {
    type Trace = Trace;

    fn first_from(&mut self, least: usize, demands: &[Demand]) -> Limited<Option<Trace>> {
        let conditions = self.conditions(demands);
        self.oracle.shortest_from(least, &conditions)
    }

    fn any(&mut self, demands: &[Demand]) -> Limited<Option<Trace>> {
        let conditions = self.conditions(demands);
        self.oracle.any(&conditions)
    }

    fn happens(&self, id: CandidateId, trace: &Trace) -> bool {
        self.oracle.matches(&self.things[id.index()].constraint, trace).is_some()
    }

    fn contains(&self, trace: &Trace) -> bool {
        self.context.contains(self.oracle, self.things, trace)
    }

    fn steps(&self, trace: &Trace) -> usize {
        self.oracle.steps_to_violation(trace)
    }

    fn length(&self, trace: &Trace) -> usize {
        trace.len()
    }

    fn text(&self, id: CandidateId) -> String {
        self.things[id.index()].constraint.show(self.oracle.problem().model, self.oracle.atoms())
    }
}

/// [`CoverOracle`] of finite traces during a search.
pub struct FiniteCoverQuestions<'l, 'a, O> {
    pub work: &'l mut Work<'a, O>,
    pub things: &'l [CoverItem],
    pub context: &'l CoverContext<Constraint>,
}

impl<'m, O: Oracle<'m>> FiniteCoverQuestions<'_, '_, O> {
    fn asked(&mut self) -> ContextTraces<'_, 'm> {
        ContextTraces { oracle: &mut self.work.oracle, things: self.things, context: self.context }
    }

    fn constraint(&self, id: CandidateId) -> &Constraint {
        &self.things[id.index()].constraint
    }

    /// The classes of an outcome, with what ended the search for it or for them; then nothing is known of combinations.
    pub fn classes(&mut self, outcome: CoverOutcome<Trace>) -> (Vec<Class>, Combinations<Trace>) {
        let CoverOutcome { shown, mut combinations } = outcome;
        let mut classes = Vec::new();
        for shown in shown {
            match self.class(shown) {
                Ok(class) => {
                    classes.push(class);
                    self.tell_found(&classes);
                }
                Err(why) => combinations = Combinations { ended: Some(why), ..Combinations::default() },
            }
        }
        (classes, combinations)
    }

    /// Tells the observer of classes, unless they are those of a part of the violating traces.
    fn tell_found(&mut self, classes: &[Class]) {
        if !self.context.is_empty() {
            return;
        }
        let lengths = self.work.oracle.lengths();
        self.work.found(&|oracle| Classification {
            classes: classes.to_vec(),
            cover: Some(Cover::default()),
            atoms: oracle.atoms().clone(),
            ..Classification::new(Verdict::Partial(Why::Exhausted(Exhausted::Time)), lengths, oracle.solver())
        });
    }

    fn class(&mut self, ShownClass { id, representative, canonical }: ShownClass<Trace>) -> Limited<Class> {
        let constraint = self.constraint(id).clone();
        let oracle = &mut self.work.oracle;
        let used: Vec<PositionVar> = constraint.variables().collect();
        let answer = oracle.sufficiency_within(oracle.longest(), &constraint.facts, &used)?;
        let assigned = oracle.matches(&constraint, &representative);
        let (problem, atoms) = (oracle.problem(), oracle.atoms());
        let at_start = at_start(problem, atoms, &constraint, self.work.budget);
        let sufficient = matches!(answer, Sufficiency::Sufficient(_));
        let restates = match sufficient {
            true => restated(problem, atoms, &constraint, self.work.budget),
            false => Restates::Nothing,
        };
        Ok(Class {
            canonical: Some(canonical),
            restates,
            at_start,
            sufficient,
            initial_facts: 1,
            ..Class::of(constraint, representative, assigned.expect("it happens in the trace"))
        })
    }
}

impl<O> Timed for FiniteCoverQuestions<'_, '_, O> {
    fn statistics(&mut self) -> &mut Statistics {
        &mut self.work.statistics
    }
}

impl<'m, O: Oracle<'m>> CoverOracle for FiniteCoverQuestions<'_, '_, O> {
    type Trace = Trace;

    fn first_from(&mut self, least: usize, demands: &[Demand]) -> Limited<Option<Trace>> {
        self.asked().first_from(least, demands)
    }

    fn any(&mut self, demands: &[Demand]) -> Limited<Option<Trace>> {
        self.asked().any(demands)
    }

    fn happens(&self, id: CandidateId, trace: &Trace) -> bool {
        self.work.oracle.matches(self.constraint(id), trace).is_some()
    }

    fn contains(&self, trace: &Trace) -> bool {
        self.context.contains(&self.work.oracle, self.things, trace)
    }

    fn steps(&self, trace: &Trace) -> usize {
        self.work.oracle.steps_to_violation(trace)
    }

    fn length(&self, trace: &Trace) -> usize {
        trace.len()
    }

    fn text(&self, id: CandidateId) -> String {
        self.constraint(id).show(self.work.oracle.problem().model, self.work.oracle.atoms())
    }
}

impl<'m, O: Oracle<'m>> CoverSearch for FiniteCoverQuestions<'_, '_, O> {
    fn is_named(&self, id: CandidateId) -> bool {
        self.things[id.index()].named
    }

    /// Those with the same number of individuals, fewest individuals first.
    fn narrower(&self, id: CandidateId) -> Vec<Vec<CandidateId>> {
        let individuals = |id: CandidateId| self.constraint(id).individuals.len();
        let narrower = &self.things[id.index()].narrower;
        narrower.chunk_by(|&a, &b| individuals(a) == individuals(b)).map(<[CandidateId]>::to_vec).collect()
    }

    fn implied(&self, _: CandidateId) -> Vec<CandidateId> {
        Vec::new()
    }

    fn go_on(&mut self, chosen: usize) -> Limited<()> {
        self.work.limit()?;
        self.work.report(Activity::Search, chosen, None);
        Ok(())
    }
}

/// The most choices of individuals that are looked at.
const MOST_INSTANCES: usize = 256;
/// The most positions that something is asked about.
const MOST_POSITIONS: usize = 4;

/// Decides if a constraint holds before the first step, as far as that is found within the budget.
pub fn at_start(problem: Problem<'_>, atoms: &Atoms, constraint: &Constraint, budget: &Budget) -> AtStart {
    let Problem { model, invariant } = problem;
    let is_known = constraint.facts.iter().all(|fact| matches!(fact.kind, FactKind::Atom(_)));
    let instances = constraint.instances(model, atoms, MOST_INSTANCES).filter(|_| is_known);
    let Some(instances) = instances.filter(|_| (1..=MOST_POSITIONS).contains(&constraint.positions)) else {
        return AtStart::Never;
    };
    let circuit = Circuit::new(Backend::Cadical.start(budget)).within(budget);
    let mut unrolling = Unrolling::new(model, Lengths::UpTo(0), circuit);
    let frames = vec![unrolling.frames[0].clone(); constraint.positions];
    let positions: Vec<Position> = Position::all(frames.len()).collect();
    let mut ways = Vec::new();
    for places in (0..positions.len()).map(|_| positions.iter().copied()).multi_cartesian_product() {
        for instance in &instances {
            let facts = facts_at(&mut unrolling.circuit, model, atoms, instance, &frames, &places);
            ways.push(unrolling.circuit.all(&facts));
        }
    }
    let holds = unrolling.circuit.any(&ways);
    let good = unrolling.state_truth(invariant, Position::FIRST);
    let mut is_possible = |demands: &[Lit]| unrolling.circuit.solve(demands);
    match (is_possible(&[!holds]), is_possible(&[holds])) {
        (Answer::Unsat, Answer::Sat) => AtStart::Always,
        (_, Answer::Sat) if is_possible(&[holds, good]) == Answer::Sat => AtStart::Sometimes,
        _ => AtStart::Never,
    }
}
