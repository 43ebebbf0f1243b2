//! The rounds of a classification for every length, of finite or infinite traces: a bounded classification is proved for all lengths; if the
//! proof fails, the bound is raised to the length of the failure.

use crate::results::result::{Classification, TraceKind, Unbounded, UnknownReason, Verdict, Why};
use crate::results::statistics::Statistics;
use kit::budget::Exhausted;

/// The greatest number of rounds. A vocabulary may need ever more classes for ever longer traces.
pub(crate) const MOST_ROUNDS: usize = 40;

/// The outcome of a proof for every length.
pub(crate) enum RoundOutcome<K: TraceKind> {
    /// The result holds for every length.
    Proved(K::Proof),
    /// There is no proof.
    Open(K::Obstacle),
    /// The result fails in longer traces.
    Refuted(Refutation<K>),
}

/// The failure of a bounded result. Classes that are sufficient for every length are found again with a greater bound.
pub(crate) struct Refutation<K: TraceKind> {
    /// The number of steps of a trace that contradicts the result, above the bound.
    pub steps: usize,
    /// A violating trace that is in no class, if one is known.
    pub unclassified: Option<K::Trace>,
}

/// A classification for every length.
pub(crate) trait UnboundedClassification<K: TraceKind> {
    /// Classifies up to a bound.
    fn classify(&mut self, bound: usize) -> Classification<K>;

    /// True if a bounded result with this verdict can hold for every length.
    fn is_provable(verdict: &Verdict<K>) -> bool;

    /// Proves a bounded result for every length, given the bounds so far.
    fn prove(&mut self, result: &mut Classification<K>, bounds: &[usize]) -> RoundOutcome<K>;

    /// The statistics of all rounds.
    fn statistics(&mut self) -> &mut Statistics;

    /// Classifies up to greater and greater bounds, beginning with this one, until a result is proved or open.
    fn run(&mut self, first: usize) -> Classification<K> {
        let mut bounds = vec![first];
        let mut refuted = None;
        loop {
            let bound = bounds[bounds.len() - 1];
            let mut result = self.classify(bound);
            self.statistics().add(&result.statistics);
            if !Self::is_provable(&result.verdict) {
                return given_up(result, refuted);
            }
            match self.prove(&mut result, &bounds) {
                RoundOutcome::Proved(proof) => {
                    result.unbounded = Some(Unbounded::Proved(proof));
                    return result;
                }
                RoundOutcome::Open(obstacle) => {
                    if let Some(why) = K::exhausted(&obstacle) {
                        result.verdict = unproved(result.verdict, bound, why);
                    }
                    result.unbounded = Some(Unbounded::Open(UnknownReason::Obstacle(obstacle)));
                    return result;
                }
                RoundOutcome::Refuted(refutation) => {
                    let steps = refutation.steps;
                    assert!(steps > bound, "a result up to {bound} steps fails in {steps}");
                    if bounds.len() >= MOST_ROUNDS {
                        result.unbounded = Some(Unbounded::Open(UnknownReason::Broken { steps, why: None }));
                        return result;
                    }
                    bounds.push(steps);
                    refuted = Some((result, refutation));
                }
            }
        }
    }
}

/// Returns the result of a round that does not give all classes. If the budget ended it, the complete result for shorter traces is more
/// informative.
fn given_up<K: TraceKind>(
    mut result: Classification<K>,
    refuted: Option<(Classification<K>, Refutation<K>)>,
) -> Classification<K> {
    if matches!(result.verdict, Verdict::TooWeak(_)) {
        let complete = refuted.filter(|(before, _)| before.verdict == Verdict::Complete);
        let complete_up_to = complete.map(|(before, _)| before.lengths.bound());
        result.unbounded = Some(Unbounded::Open(UnknownReason::Weak { complete_up_to }));
        return result;
    }
    let Some(why) = result.verdict.exhausted() else { return result };
    let Some((mut before, Refutation { steps, unclassified })) = refuted else { return result };
    if before.verdict == Verdict::Holds {
        // A known violation says more than the absence of shorter ones.
        if unclassified.is_some() && matches!(result.verdict, Verdict::Undecided { .. }) {
            return Classification { verdict: Verdict::Partial(Why::Exhausted(why)), unclassified, ..result };
        }
        if matches!(result.verdict, Verdict::Partial(_)) {
            return result;
        }
    }
    before.verdict = unproved(before.verdict, before.lengths.bound(), why);
    before.unbounded = Some(Unbounded::Open(UnknownReason::Broken { steps, why: Some(why) }));
    before.unclassified = unclassified;
    before
}

/// Returns the verdict of a bounded result whose proof for every length ran out of budget.
fn unproved<K: TraceKind>(verdict: Verdict<K>, bound: usize, why: Exhausted) -> Verdict<K> {
    match verdict {
        Verdict::Holds => Verdict::Undecided { why, depth: bound + 1 },
        _ => Verdict::Partial(Why::Unproved(why)),
    }
}
