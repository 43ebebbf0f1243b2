//! Bounded checks by an SMT solver, through scripts: questions that are hard for clauses may be easy in arithmetic.

use kit::budget::{Activity, Budget, Observer, Progress};
use lang::model::eval::{check_trace, first_violation};
use lang::model::expr::Expr;
use lang::model::value::Moment;
use lang::model::{Model, Property};
use lang::trace::Trace;
use solvers::smt::{self, Theory, TraceLengths};
use solvers::smt_solver::{NoAnswer, SmtAnswer, SmtSolver};
use solvers::unroll::{BoundedResult, Lengths};

/// Looks for a trace of these lengths that violates an invariant, with as few steps as possible before its first
/// violation. Checks scripts for 0, 1, 2, 4, … steps until one has such a trace; then tries fewer steps.
///
/// # Errors
/// If the solver fails or gives up.
///
/// # Panics
/// If the reference semantics rejects the solver's trace.
pub fn by_scripts(
    model: &Model,
    (property, invariant): (&Property, &Expr),
    lengths: Lengths,
    (solver, theory): (&SmtSolver, Theory),
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Result<BoundedResult, NoAnswer> {
    let mut search =
        ScriptSearch { model, property, invariant, solver, theory, budget, observer, calls: 0, excluded: 0 };
    let found = match lengths {
        Lengths::Exactly(steps) => search.ask(TraceLengths::Exactly(steps)),
        Lengths::UpTo(bound) => search.shortest(bound),
    };
    match found {
        Ok(None) => Ok(BoundedResult::Holds),
        Ok(Some((trace, _))) => Ok(BoundedResult::Violated(trace)),
        Err(NoAnswer::Exhausted(why)) => Ok(BoundedResult::Undecided { why, depth: search.excluded }),
        Err(why) => Err(why),
    }
}

struct ScriptSearch<'a> {
    model: &'a Model,
    property: &'a Property,
    invariant: &'a Expr,
    solver: &'a SmtSolver,
    theory: Theory,
    budget: &'a Budget,
    observer: &'a mut dyn Observer,
    calls: u64,
    /// No trace violates the invariant in fewer steps.
    excluded: usize,
}

/// A trace, and the number of steps to its first violation.
type ViolatingTrace = Option<(Trace, usize)>;

impl ScriptSearch<'_> {
    fn shortest(&mut self, bound: usize) -> Result<ViolatingTrace, NoAnswer> {
        let mut steps = 0;
        let mut best = loop {
            match self.ask(TraceLengths::UpTo(steps))? {
                Some(found) => break found,
                None if steps == bound => return Ok(None),
                None => {
                    self.excluded = steps + 1;
                    steps = (2 * steps).clamp(steps + 1, bound);
                }
            }
        };
        while self.excluded < best.1 {
            let middle = (self.excluded + best.1 - 1) / 2;
            match self.ask(TraceLengths::UpTo(middle))? {
                Some(found) => best = found,
                None => self.excluded = middle + 1,
            }
        }
        Ok(Some(best))
    }

    fn ask(&mut self, steps: TraceLengths) -> Result<ViolatingTrace, NoAnswer> {
        self.observer.progress(&Progress::of(Activity::Search, steps.most(), (self.calls, 0.0)));
        self.calls += 1;
        let asked = smt::asked(self.model, self.property, self.invariant, steps, self.theory, self.budget)
            .map_err(NoAnswer::Exhausted)?;
        let (answer, values) = self.solver.values(&asked.text(), &asked.symbols(), self.budget)?;
        match answer {
            SmtAnswer::Unsat => Ok(None),
            SmtAnswer::Unknown => Err(NoAnswer::Failed("it gave up: unknown".into())),
            SmtAnswer::Sat => {
                let moments = asked.trace(&values);
                Ok(Some(self.confirmed(moments.unwrap_or_default(), steps)))
            }
        }
    }

    /// Returns the solver's trace, truncated at its first violation unless its length is given.
    fn confirmed(&self, mut moments: Vec<Moment>, steps: TraceLengths) -> (Trace, usize) {
        let solver = self.solver.name();
        let first = first_violation(self.model, self.invariant, &moments);
        let Some(first) = first else { panic!("{solver} found a trace that violates nothing: {moments:?}") };
        if let TraceLengths::UpTo(_) = steps {
            moments.truncate(first.steps() + 1);
        }
        if let Err(fault) = check_trace(self.model, &moments) {
            panic!(
                "{solver} found what is no trace: {} in {moments:?}",
                fault.diagnostic(self.model).message
            );
        }
        (Trace { moments }, first.steps())
    }
}
