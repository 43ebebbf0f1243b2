//! Traces of every length in models with too many states to list: counters of the steps of patterns run beside the model as latches, and a symbolic
//! proof shows that no violation lacks the steps of all patterns.

use super::ground::{GroundPattern, GroundStep, counted_on};
use super::pattern::{ArgumentParts, CausePattern};
use super::question::EveryTrace;
use crate::facts::problem::Problem;
use engines::prove::{Method, ModelObserver, ObservedModel, ProofEffort, ProofResult, prove};
use kit::budget::Limited;
use lang::model::Position;
use lang::model::expr::Expr;
use solvers::sat::Lit;
use solvers::unroll::Unrolling;

/// The most latches that count steps.
const MOST_COUNTS: usize = 1_000;

/// Steps of some forms, counted up to a number.
struct StepCounter {
    forms: Vec<GroundStep>,
    most: usize,
}

/// A last step, and the combinations of counts with each of which it is covered: the number of a counter, and the count.
struct CoveredStep {
    last: GroundStep,
    with: Vec<Vec<(usize, usize)>>,
}

/// The patterns beside a model. The latches are "at least 1", "at least 2", … of each counter; then, the last step is covered by a pattern, and an
/// earlier state violates the invariant.
struct StepCounters<'a> {
    invariant: &'a Expr,
    parts: &'a ArgumentParts,
    counters: Vec<StepCounter>,
    covered: Vec<CoveredStep>,
    /// True if a violation in an initial state is covered.
    initially: bool,
}

/// Decides for traces of every length that end in their first violation if all contain one of these patterns; a proof is confirmed by another
/// solver. The length of one that does not need not be the least. `None` if there is too much to count.
///
/// # Errors
/// If the budget is exhausted first.
pub fn proved(
    problem: Problem<'_>,
    parts: &ArgumentParts,
    patterns: &[&CausePattern],
    effort: ProofEffort<'_>,
) -> Limited<Option<EveryTrace>> {
    let observer = StepCounters::new(problem.invariant, parts, patterns);
    if observer.counts() > MOST_COUNTS {
        return Ok(None);
    }
    match prove(&ObservedModel::new(problem.model, &observer), Method::Both, effort) {
        ProofResult::Holds(_) => Ok(Some(EveryTrace::Covered { situations: None })),
        ProofResult::Violated(steps) => Ok(Some(EveryTrace::Longer(steps))),
        ProofResult::Unknown { why, .. } => Err(why),
    }
}

impl<'a> StepCounters<'a> {
    fn new(invariant: &'a Expr, parts: &'a ArgumentParts, patterns: &[&CausePattern]) -> Self {
        let mut counters: Vec<StepCounter> = Vec::new();
        let mut counter = |(forms, needed): (Vec<GroundStep>, usize)| {
            let number = counters.iter().position(|known| known.forms == forms).unwrap_or_else(|| {
                counters.push(StepCounter { forms, most: 0 });
                counters.len() - 1
            });
            counters[number].most = counters[number].most.max(needed);
            (number, needed)
        };
        let mut covered: Vec<CoveredStep> = Vec::new();
        let mut initially = false;
        for GroundPattern { last, earlier } in patterns.iter().flat_map(|pattern| pattern.grounded()) {
            let needed = earlier.into_iter().map(&mut counter).collect();
            let Some(last) = last else {
                initially = true;
                continue;
            };
            match covered.iter_mut().find(|known| known.last == last) {
                Some(known) => known.with.push(needed),
                None => covered.push(CoveredStep { last, with: vec![needed] }),
            }
        }
        Self { invariant, parts, counters, covered, initially }
    }

    /// The number of latches that count.
    fn counts(&self) -> usize {
        self.counters.iter().map(|counter| counter.most).sum()
    }

    /// True if the step to a position is of a form.
    fn is_taken(&self, unrolling: &mut Unrolling<'_>, position: Position, of: &GroundStep) -> Lit {
        let taken = unrolling.frame(position).actions[of.action];
        let given = of.given().map(|(part, value)| self.parts.has_value(of.action, part, value));
        let mut all: Vec<Lit> = given.map(|formula| unrolling.state_truth(&formula, position)).collect();
        all.push(taken);
        unrolling.circuit.all(&all)
    }
}

impl ModelObserver for StepCounters<'_> {
    fn latches(&self) -> usize {
        self.counts() + 2
    }

    fn start(&self, unrolling: &mut Unrolling<'_>) -> Vec<Lit> {
        let (yes, no) = (unrolling.circuit.yes(), unrolling.circuit.no());
        let covered = if self.initially { yes } else { no };
        std::iter::repeat_n(no, self.counts()).chain([covered, no]).collect()
    }

    fn next(&self, unrolling: &mut Unrolling<'_>, position: Position, before: &[Lit]) -> Vec<Lit> {
        let (mut latches, mut rest, mut counted) = (Vec::new(), before, Vec::new());
        for StepCounter { forms, most } in &self.counters {
            let taken: Vec<Lit> = forms.iter().map(|of| self.is_taken(unrolling, position, of)).collect();
            let taken = unrolling.circuit.any(&taken);
            let (counts, others) = rest.split_at(*most);
            latches.extend(counted_on(&mut unrolling.circuit, counts, taken));
            counted.push(counts);
            rest = others;
        }
        let mut covered = Vec::new();
        for CoveredStep { last, with } in &self.covered {
            let mut all = |needed: &Vec<(usize, usize)>| {
                let counts = needed.iter().map(|&(counter, needed)| counted[counter][needed - 1]);
                unrolling.circuit.all(&counts.collect::<Vec<Lit>>())
            };
            let with: Vec<Lit> = with.iter().map(&mut all).collect();
            let (with, taken) = (unrolling.circuit.any(&with), self.is_taken(unrolling, position, last));
            covered.push(unrolling.circuit.and(with, taken));
        }
        latches.push(unrolling.circuit.any(&covered));
        let earlier = position.previous().expect("a step leads there");
        let good = unrolling.state_truth(self.invariant, earlier);
        latches.push(unrolling.circuit.or(before[before.len() - 1], !good));
        latches
    }

    fn bad(&self, unrolling: &mut Unrolling<'_>, position: Position, latches: &[Lit]) -> Lit {
        let good = unrolling.state_truth(self.invariant, position);
        let [.., covered, earlier] = latches else { unreachable!("two latches at least") };
        unrolling.circuit.all(&[!good, !*covered, !*earlier])
    }
}
