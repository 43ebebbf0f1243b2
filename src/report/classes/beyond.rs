//! The lengths of traces for which a result is valid, and why it is open for longer ones.

use crate::shared::verdict::{ended, extent, steps};
use classify::{Classification, Obstacle, ProofBasis, Unbounded, UnknownReason, Verdict};
use engines::explore::Stop;
use kit::budget::Exhausted;
use kit::number::counted;
use verify::document::{BasisWord, ObstacleWord, StoredUnbounded};

/// The document, if traces of every length were asked for and the verdict can be about them.
pub fn unbounded_document(result: &Classification) -> Option<StoredUnbounded> {
    let text = lengths_text(result)?;
    let nothing = StoredUnbounded {
        proved: false,
        text,
        method: None,
        states: None,
        steps: None,
        combinations: None,
        bounds: None,
        checked_by: None,
        reason: None,
    };
    Some(match result.unbounded.as_ref()? {
        Unbounded::Proved(proof) => StoredUnbounded {
            proved: true,
            bounds: Some(proof.bounds.clone()),
            checked_by: Some(proof.confirmed.by.clone()),
            ..match proof.basis {
                ProofBasis::Induction => StoredUnbounded { method: Some(BasisWord::Induction), ..nothing },
                ProofBasis::States { states, steps, combinations } => StoredUnbounded {
                    method: Some(BasisWord::States),
                    states: Some(states),
                    steps: Some(steps),
                    combinations: Some(combinations),
                    ..nothing
                },
            }
        },
        Unbounded::Open(UnknownReason::Broken { .. }) => {
            StoredUnbounded { reason: Some(ObstacleWord::Broken), ..nothing }
        }
        Unbounded::Open(UnknownReason::Weak { .. }) => return None,
        Unbounded::Open(UnknownReason::Obstacle(obstacle)) => {
            StoredUnbounded { reason: Some(obstacle_word(obstacle)), ..nothing }
        }
    })
}

/// The remark that classes had to suffice beyond the bound.
pub fn lasting_text(result: &Classification) -> Option<String> {
    let up_to = result.horizon.as_ref()?.sufficient_up_to?;
    Some(format!(
        "the classes suffice for a violation in traces of up to {}, not only up to the bound",
        steps(up_to)
    ))
}

/// `every length: …`, or `up to 10 steps; beyond, …`.
pub fn lengths_text(result: &Classification) -> Option<String> {
    Some(match result.unbounded.as_ref()? {
        Unbounded::Proved(proof) => {
            let how = match proof.basis {
                ProofBasis::States { states, steps, .. } => {
                    // What comes after a violation decides nothing, and is not counted.
                    let which = if result.verdict == Verdict::Holds { "" } else { " up to first violations" };
                    format!("over {}{which} and {}", counted(states, "state"), counted(steps, "step"))
                }
                ProofBasis::Induction => "by induction".to_owned(),
            };
            format!("every length: proved {how}, confirmed by {}", proof.confirmed.by)
        }
        Unbounded::Open(UnknownReason::Weak { complete_up_to }) => {
            weak_words(result.lengths.bound(), *complete_up_to)
        }
        Unbounded::Open(UnknownReason::Obstacle(obstacle)) => {
            format!("{}; longer traces are undecided: {}", extent(result.lengths), obstacle_text(obstacle))
        }
        Unbounded::Open(UnknownReason::Broken { steps: n, why }) => {
            let (extent, n) = (extent(result.lengths), steps(*n));
            match why {
                Some(why) => format!(
                    "{extent}; beyond, it fails at {n}, and {} before a better one was found",
                    ended(*why)
                ),
                None => format!(
                    "{extent}; beyond, it fails at {n}, as others did before: the vocabulary may need ever more classes"
                ),
            }
        }
    })
}

/// Up to which bound a vocabulary that is too weak was tried, and up to which one its classes were complete.
pub fn weak_words(bound: usize, complete_up_to: Option<usize>) -> String {
    let tried = format!("the vocabulary was tried for counterexamples of up to {}", steps(bound));
    match complete_up_to {
        Some(bound) => {
            format!(
                "{tried}; for those of up to {} it has complete classes, which `-k {bound}` without `--unbounded` shows",
                steps(bound)
            )
        }
        None => tried,
    }
}

/// Why the product of model and classes could not be explored.
pub fn obstacle_text(obstacle: &Obstacle) -> String {
    match obstacle {
        Obstacle::States(Stop::States(n)) => format!("there are more than {}", counted(*n, "state")),
        Obstacle::States(Stop::Choices(too_many)) => too_many.to_string(),
        Obstacle::States(Stop::Budget(why)) | Obstacle::Budget(why) => ended(*why).to_owned(),
        Obstacle::Class(index, why) => format!("class {} {why}", index + 1),
        Obstacle::Combinations(n) => {
            format!(
                "there are more than {} of states with what the classes remember",
                counted(*n, "combination")
            )
        }
        Obstacle::Nodes(n) => format!(
            "there are too many states to be listed, and decision diagrams would need more than {}",
            counted(*n, "node")
        ),
    }
}

/// The word for an obstacle in documents.
pub fn obstacle_word(obstacle: &Obstacle) -> ObstacleWord {
    match obstacle {
        Obstacle::States(Stop::States(_)) => ObstacleWord::States,
        Obstacle::States(Stop::Choices(_)) => ObstacleWord::Choices,
        Obstacle::States(Stop::Budget(why)) | Obstacle::Budget(why) => match why {
            Exhausted::Time => ObstacleWord::Time,
            Exhausted::Memory => ObstacleWord::Memory,
            Exhausted::Interrupt => ObstacleWord::Interrupt,
        },
        Obstacle::Class(..) => ObstacleWord::Class,
        Obstacle::Combinations(_) => ObstacleWord::Combinations,
        Obstacle::Nodes(_) => ObstacleWord::Nodes,
    }
}
