//! The questions of the loop, answered by an SMT solver: what is hard for clauses may be easy in arithmetic.
//!
//! Each question is a script of its own ([`solvers::smt`]). What the solver finds is confirmed by the reference semantics. Which
//! of several shortest traces it finds is up to the solver, so that representatives are not canonical.

use crate::automata::listing::AcceptingTrace;
use crate::facts::atom::Atoms;
use crate::facts::constraint::Constraint;
use crate::facts::fact::Fact;
use crate::facts::index::{AtomId, PositionVar};
use crate::facts::problem::Problem;
use crate::facts::restore::Restored;
use crate::oracles::oracle::{Oracle, SampleCondition, Somewhere};
use crate::oracles::sat::{Core, Sufficiency};
use crate::oracles::work::Work;
use crate::results::options::{Mode, Options};
use crate::results::result::Classification;
use crate::results::statistics::Statistics;
use crate::search::covering::{cover_by, within_by};
use crate::search::engine::classify_by;
use kit::budget::{Budget, Exhausted, Limited, Observer};
use lang::model::eval::{check_trace, first_violation};
use lang::model::expr::Expr;
use lang::model::{TraceFormula, Vocabulary};
use lang::trace::Trace;
use rustc_hash::FxHashMap;
use solvers::smt::{Alternative, Start, Theory, TraceLengths, TraceQuestion, Violation, asked_about};
use solvers::smt_solver::{NoAnswer, SmtAnswer, SmtSolver};
use solvers::unroll::Lengths;
use std::cell::Cell;
use std::collections::VecDeque;
use std::ops::RangeInclusive;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How many traces without violation are remembered.
const MOST_ACCEPTED: usize = 16;
/// The least time for a question whose time is limited.
const LEAST_TIME: Duration = Duration::from_secs(1);

/// Classifies by an SMT solver all traces of up to so many steps that violate the invariant.
///
/// The result is the same kind as that of [`crate::search::engine::classify`]. The SAT solver of the options checks it, and the SMT solver looks
/// for necessary facts, each for at most as long as the search took or five seconds.
///
/// # Errors
/// If the solver fails or gives up.
///
/// # Panics
/// If traces of an exact length are asked for, or if what the solver finds is refused by the reference semantics.
pub fn classify_by_scripts(
    problem: Problem<'_>,
    vocabulary: &Vocabulary,
    solver: (&SmtSolver, Theory),
    options: &Options,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Result<Classification, NoAnswer> {
    let atoms = Atoms::default();
    let result = by_scripts(problem, &atoms, solver, options, budget, observer, |work| match options.mode {
        Mode::Cover => cover_by(work, vocabulary, options),
        _ => classify_by(work, vocabulary, options),
    });
    Ok(Classification { atoms, ..result? })
}

/// Covers the violating traces of a class by an SMT solver, as [`crate::search::covering::classify_within`] does by a SAT solver.
///
/// # Errors
/// If the solver fails or gives up.
///
/// # Panics
/// As [`classify_by_scripts`].
pub fn classify_within_by_scripts(
    problem: Problem<'_>,
    vocabulary: &Vocabulary,
    context: &Restored,
    solver: (&SmtSolver, Theory),
    options: &Options,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Result<Classification, NoAnswer> {
    let atoms = context.atoms.clone();
    let result = by_scripts(problem, &atoms, solver, options, budget, observer, |work| {
        within_by(work, vocabulary, &context.constraint, options)
    });
    Ok(Classification { atoms, ..result? })
}

fn by_scripts<'a, 'm>(
    problem: Problem<'m>,
    atoms: &'m Atoms,
    (solver, theory): (&'a SmtSolver, Theory),
    options: &Options,
    budget: &'a Budget,
    observer: &'a mut dyn Observer,
    answer: impl FnOnce(Work<'a, SmtOracle<'a, 'm>>) -> Classification,
) -> Result<Classification, NoAnswer> {
    assert!(matches!(options.lengths, Lengths::UpTo(_)), "scripts are about traces of up to so many steps");
    let failure = Rc::new(Cell::new(None));
    let scripts = SmtOracle {
        problem,
        invariant: Arc::new(problem.invariant.clone()),
        atoms,
        lengths: options.lengths,
        solver,
        theory,
        budget,
        most_time: None,
        is_beside: false,
        failure: Rc::clone(&failure),
        formulas: FxHashMap::default(),
        accepted: VecDeque::new(),
        calls: 0,
        seconds: 0.0,
    };
    let result = answer(Work::over(scripts, budget, observer));
    failure.take().map_or(Ok(result), Err)
}

/// A solver and what it was asked.
struct SmtOracle<'a, 'm> {
    problem: Problem<'m>,
    invariant: Arc<Expr>,
    atoms: &'m Atoms,
    lengths: Lengths,
    solver: &'a SmtSolver,
    theory: Theory,
    budget: &'a Budget,
    /// The time for each question, if limited.
    most_time: Option<Duration>,
    /// True for questions beside the search, which a solver that fails leaves open.
    is_beside: bool,
    /// Why the solver does not answer any more.
    failure: Rc<Cell<Option<NoAnswer>>>,
    formulas: FxHashMap<Constraint, Arc<TraceFormula>>,
    /// Traces without violation that were found recently.
    accepted: VecDeque<Trace>,
    calls: u64,
    seconds: f64,
}

impl<'m> SmtOracle<'_, 'm> {
    /// A query for traces, without any condition.
    fn question(&self, violation: Violation, steps: RangeInclusive<usize>) -> TraceQuestion {
        TraceQuestion {
            start: Start::First,
            steps: TraceLengths::UpTo(*steps.end()),
            least: *steps.start(),
            name: "the invariant".into(),
            invariant: self.invariant.clone(),
            violation,
            given: None,
            distinct: false,
            inside: Vec::new(),
            outside: Vec::new(),
            one_of: Vec::new(),
        }
    }

    /// The trace that the solver finds.
    fn ask(&mut self, question: &TraceQuestion) -> Limited<Option<Trace>> {
        // After a failure, the search is only to end.
        let failed = self.failure.take();
        if failed.is_some() {
            self.failure.set(failed);
            return Err(Exhausted::Interrupt);
        }
        let model = self.problem.model;
        let asked = asked_about(model, question, self.theory, self.budget)?;
        let clock = Instant::now();
        self.calls += 1;
        let limits = self.most_time.map(|most| self.budget.at_most(most));
        let limits = limits.as_ref().unwrap_or(self.budget);
        let answer = self.solver.values(&asked.text(), &asked.symbols(), limits);
        self.seconds += clock.elapsed().as_secs_f64();
        let failure = match answer {
            Ok((SmtAnswer::Unsat, _)) => return Ok(None),
            Ok((SmtAnswer::Sat, values)) => {
                let moments = asked.trace(&values).unwrap_or_default();
                if let Err(fault) = check_trace(model, &moments) {
                    let cause = fault.diagnostic(model).message;
                    panic!("{} found what is no trace: {cause} in {moments:?}", self.solver.name());
                }
                return Ok(Some(Trace { moments }));
            }
            Ok((SmtAnswer::Unknown, _)) => NoAnswer::Failed("it gave up: unknown".into()),
            Err(NoAnswer::Exhausted(why)) => return Err(why),
            Err(why) => why,
        };
        if !self.is_beside {
            self.failure.set(Some(failure));
        }
        Err(Exhausted::Interrupt)
    }

    /// A trace of one of these numbers of steps, violated as demanded, that satisfies the conditions.
    fn satisfying(
        &mut self,
        violation: Violation,
        steps: RangeInclusive<usize>,
        conditions: &[SampleCondition],
    ) -> Limited<Option<Trace>> {
        let mut question = self.question(violation, steps);
        for condition in conditions {
            match condition {
                SampleCondition::In(constraint) => question.inside.push(self.named(constraint)),
                SampleCondition::Outside(constraint) => question.outside.push(self.named(constraint)),
                SampleCondition::Formed(_) | SampleCondition::AnyOf(_) => {
                    let mut alternatives = Vec::new();
                    self.add_alternatives(condition, &mut alternatives);
                    question.one_of.push(("at least one of these is so".into(), alternatives));
                }
            }
        }
        let found = self.ask(&question)?;
        if let Some(trace) = &found {
            let Problem { model, invariant } = self.problem;
            let first = first_violation(model, invariant, &trace.moments);
            let is_right = match violation {
                Violation::Nowhere => first.is_none(),
                Violation::Last => first == Some(trace.last()),
                Violation::Somewhere => first.is_some(),
                Violation::Unconstrained => true,
            };
            let wrong = conditions.iter().find(|condition| !self.meets(trace, condition));
            assert!(is_right && wrong.is_none(), "{} found {trace:?} for {wrong:?}", self.solver.name());
        }
        Ok(found)
    }

    /// Adds the alternatives of a condition.
    fn add_alternatives(&mut self, condition: &SampleCondition, to: &mut Vec<Alternative>) {
        match condition {
            SampleCondition::In(constraint) => to.push((self.formula(constraint), true)),
            SampleCondition::Outside(constraint) => to.push((self.formula(constraint), false)),
            SampleCondition::Formed(Somewhere(atoms)) => {
                for &atom in atoms {
                    to.push((self.formula(&Constraint::of_atom(self.atoms, atom)), true));
                }
            }
            SampleCondition::AnyOf(conditions) => {
                conditions.iter().for_each(|condition| self.add_alternatives(condition, to));
            }
        }
    }

    /// A trace without violation of one of these numbers of steps that satisfies a constraint.
    fn accepted(
        &mut self,
        steps: RangeInclusive<usize>,
        constraint: &Constraint,
    ) -> Limited<Option<AcceptingTrace>> {
        let inside = [SampleCondition::In(constraint.clone())];
        let Some(trace) = self.satisfying(Violation::Nowhere, steps, &inside)? else { return Ok(None) };
        let assigned = self.matches(constraint, &trace).unwrap_or_else(|| unreachable!("it was confirmed"));
        Ok(Some(AcceptingTrace { trace, assigned }))
    }

    fn named(&mut self, constraint: &Constraint) -> (String, Arc<TraceFormula>) {
        (constraint.show(self.problem.model, self.atoms), self.formula(constraint))
    }

    fn formula(&mut self, constraint: &Constraint) -> Arc<TraceFormula> {
        if let Some(known) = self.formulas.get(constraint) {
            return known.clone();
        }
        let formula = Arc::new(constraint.trace_formula(self.problem.model, self.atoms));
        self.formulas.insert(constraint.clone(), formula.clone());
        formula
    }
}

/// The answer with the fewest steps, by bisection over the numbers of steps that are left.
fn shortest<T>(
    steps: RangeInclusive<usize>,
    length: impl Fn(&T) -> usize,
    mut find: impl FnMut(RangeInclusive<usize>) -> Limited<Option<T>>,
) -> Limited<Option<T>> {
    let (mut least, most) = steps.into_inner();
    let Some(mut best) = find(least..=most)? else { return Ok(None) };
    while least < length(&best) {
        let middle = (least + length(&best) - 1) / 2;
        match find(least..=middle)? {
            Some(shorter) => best = shorter,
            None => least = middle + 1,
        }
    }
    Ok(Some(best))
}

impl<'m> Oracle<'m> for SmtOracle<'_, 'm> {
    fn problem(&self) -> Problem<'m> {
        self.problem
    }

    fn atoms(&self) -> &'m Atoms {
        self.atoms
    }

    fn lengths(&self) -> Lengths {
        self.lengths
    }

    fn longest(&self) -> usize {
        self.lengths.bound()
    }

    fn most_steps(&self) -> usize {
        self.lengths.bound()
    }

    /// Each script is unrolled as far as it needs to be.
    fn grow_to(&mut self, _: usize) -> Limited<()> {
        Ok(())
    }

    fn may_hold(&mut self, _: AtomId) -> bool {
        true
    }

    fn shortest(
        &mut self,
        steps: RangeInclusive<usize>,
        conditions: &[SampleCondition],
    ) -> Limited<Option<Trace>> {
        shortest(steps, Trace::len, |steps| self.satisfying(Violation::Last, steps, conditions))
    }

    fn shortest_from(&mut self, least: usize, conditions: &[SampleCondition]) -> Limited<Option<Trace>> {
        self.shortest(least..=self.most_steps(), conditions)
    }

    fn any(&mut self, conditions: &[SampleCondition]) -> Limited<Option<Trace>> {
        self.satisfying(Violation::Last, 0..=self.most_steps(), conditions)
    }

    fn accepted_from(&mut self, least: usize, conditions: &[SampleCondition]) -> Limited<Option<Trace>> {
        self.satisfying(Violation::Nowhere, least..=self.most_steps(), conditions)
    }

    fn any_trace(&mut self, conditions: &[SampleCondition]) -> Limited<Option<Trace>> {
        self.satisfying(Violation::Unconstrained, 0..=self.most_steps(), conditions)
    }

    fn limit_conflicts(&mut self, most: Option<u32>) {
        self.is_beside = true;
        self.most_time = most.map(|most| Duration::from_millis(most.into()).max(LEAST_TIME));
    }

    /// Scripts do not learn from each other.
    fn note(&mut self, _: usize, _: &[SampleCondition]) {}

    /// The longer a script, the more there is to be read: lengths are doubled.
    fn wider(&self, width: usize) -> usize {
        2 * width
    }

    fn sufficiency_within(
        &mut self,
        steps: usize,
        facts: &[Fact],
        used: &[PositionVar],
    ) -> Limited<Sufficiency> {
        let steps = steps.min(self.longest());
        let constraint = Constraint::over(self.atoms, facts, used);
        let known = self.accepted.iter().filter(|trace| trace.len() <= steps).find_map(|trace| {
            let assigned = self.matches(&constraint, trace)?;
            Some(AcceptingTrace { trace: trace.clone(), assigned })
        });
        if let Some(accepting) = known {
            return Ok(Sufficiency::Insufficient(accepting));
        }
        let Some(accepting) = self.accepted(0..=steps, &constraint)? else {
            return Ok(Sufficiency::Sufficient(Core { facts: (0..facts.len()).collect(), steps }));
        };
        self.accepted.truncate(MOST_ACCEPTED - 1);
        self.accepted.push_front(accepting.trace.clone());
        Ok(Sufficiency::Insufficient(accepting))
    }

    fn sufficiency_shown(&mut self, facts: &[Fact], used: &[PositionVar]) -> Limited<Sufficiency> {
        let constraint = Constraint::over(self.atoms, facts, used);
        let last = self.longest();
        let length = |accepting: &AcceptingTrace| accepting.trace.len();
        Ok(match shortest(0..=last, length, |steps| self.accepted(steps, &constraint))? {
            Some(accepting) => Sufficiency::Insufficient(accepting),
            None => Sufficiency::Sufficient(Core { facts: (0..facts.len()).collect(), steps: last }),
        })
    }

    fn solver(&self) -> String {
        self.solver.name()
    }

    fn calls(&self) -> (u64, f64) {
        (self.calls, self.seconds)
    }

    fn add_to(&self, statistics: &mut Statistics) {
        statistics.solver_calls += self.calls;
    }
}
