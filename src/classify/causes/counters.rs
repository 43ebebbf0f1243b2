//! Traces of every length in models with too many states to list: counters of the steps of patterns run beside the model as latches, and a symbolic
//! proof shows that no violation lacks the steps of all patterns.

use super::ground::{GroundPattern, GroundStep};
use super::pattern::{ArgumentParts, CausePattern};
use crate::facts::problem::Problem;
use engines::prove::{Method, ModelObserver, ObservedModel, ProofEffort, ProofResult, prove};
use itertools::Itertools;
use kit::budget::Limited;
use lang::model::Position;
use lang::model::expr::Expr;
use rustc_hash::FxHashMap;
use solvers::sat::Lit;
use solvers::unroll::Unrolling;

/// The most latches that count steps.
const MOST_COUNTS: usize = 1_000;

/// Steps of some forms, counted up to a number.
struct StepCounter {
    forms: Vec<GroundStep>,
    most: usize,
}

/// A last step and the counts with which it is covered, each with the number of the counter.
struct CoveredStep {
    last: GroundStep,
    needed: Vec<(usize, usize)>,
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

/// Decides for traces of every length whether one ends in its first violation without the steps of a pattern: `None` for a proof that none does,
/// which another solver confirmed, else the length of such a trace, perhaps not a shortest one. `None` outside if there is too much to count.
///
/// # Errors
/// If the budget is exhausted first.
pub fn uncovered(
    problem: Problem<'_>,
    parts: &ArgumentParts,
    patterns: &[&CausePattern],
    effort: ProofEffort<'_>,
) -> Limited<Option<Option<usize>>> {
    let observer = StepCounters::new(problem.invariant, parts, patterns);
    if observer.counts() > MOST_COUNTS {
        return Ok(None);
    }
    match prove(&ObservedModel::new(problem.model, &observer), Method::Both, effort) {
        ProofResult::Holds(_) => Ok(Some(None)),
        ProofResult::Violated(steps) => Ok(Some(Some(steps))),
        ProofResult::Unknown { why, .. } => Err(why),
    }
}

impl<'a> StepCounters<'a> {
    fn new(invariant: &'a Expr, parts: &'a ArgumentParts, patterns: &[&CausePattern]) -> Self {
        let mut numbers: FxHashMap<Vec<GroundStep>, usize> = FxHashMap::default();
        let mut counters: Vec<StepCounter> = Vec::new();
        let mut counter = |(forms, needed): (Vec<GroundStep>, usize)| {
            let number = *numbers.entry(forms).or_insert_with_key(|forms| {
                counters.push(StepCounter { forms: forms.clone(), most: 0 });
                counters.len() - 1
            });
            counters[number].most = counters[number].most.max(needed);
            (number, needed)
        };
        let (mut covered, mut initially) = (Vec::new(), false);
        for GroundPattern { last, earlier } in patterns.iter().flat_map(|pattern| pattern.grounded()) {
            match last {
                Some(last) => {
                    let needed = earlier.into_iter().map(&mut counter).collect();
                    covered.push(CoveredStep { last, needed });
                }
                None => initially = true,
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
        let mut latches = Vec::new();
        let mut starts = Vec::new();
        for StepCounter { forms, most } in &self.counters {
            let taken: Vec<Lit> = forms.iter().map(|of| self.is_taken(unrolling, position, of)).collect();
            let taken = unrolling.circuit.any(&taken);
            let start = latches.len();
            starts.push(start);
            for count in 0..*most {
                let fewer = if count == 0 { unrolling.circuit.yes() } else { before[start + count - 1] };
                let one_more = unrolling.circuit.and(fewer, taken);
                latches.push(unrolling.circuit.or(before[start + count], one_more));
            }
        }
        let by_last = self.covered.iter().into_group_map_by(|covered| &covered.last);
        let mut covered = Vec::new();
        for last in self.covered.iter().map(|covered| &covered.last).unique() {
            let is_counted = |CoveredStep { needed, .. }: &&CoveredStep| {
                let counts = needed.iter().map(|(counter, needed)| before[starts[*counter] + needed - 1]);
                unrolling.circuit.all(&counts.collect::<Vec<Lit>>())
            };
            let counted: Vec<Lit> = by_last[last].iter().map(is_counted).collect();
            let (counted, taken) =
                (unrolling.circuit.any(&counted), self.is_taken(unrolling, position, last));
            covered.push(unrolling.circuit.and(counted, taken));
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
