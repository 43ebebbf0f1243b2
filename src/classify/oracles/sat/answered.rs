//! Memoises answers about sufficiency: classes generalised from several counterexamples lead to the same
//! constraints.

use super::{Core, Sufficiency};
use crate::automata::listing::AcceptingTrace;
use crate::facts::constraint::Constraint;
use crate::facts::fact::Fact;
use rustc_hash::FxHashMap;

/// The answers about a constraint.
#[derive(Default)]
struct ConstraintAnswers {
    /// Sufficient facts of it, and the length of traces, in steps, up to which this is proved.
    sufficient: Option<(Vec<Fact>, usize)>,
    /// A trace by which it is not sufficient.
    accepting: Option<AcceptingTrace>,
}

/// The answers so far.
#[derive(Default)]
pub struct AnswerMemo(FxHashMap<Constraint, ConstraintAnswers>);

impl AnswerMemo {
    /// Returns the answer for traces of up to `steps` steps, if it follows from a known one.
    pub fn about(&self, constraint: &Constraint, steps: usize) -> Option<Sufficiency> {
        let known = self.0.get(&sorted(constraint))?;
        let sufficient = known.sufficient.as_ref().filter(|(_, most)| *most >= steps).map(|(part, most)| {
            let facts = constraint.facts.iter().enumerate().filter(|(_, fact)| part.contains(fact));
            Sufficiency::Sufficient(Core { facts: facts.map(|(number, _)| number).collect(), steps: *most })
        });
        let accepting = known.accepting.as_ref().filter(|accepting| accepting.trace.len() <= steps);
        sufficient.or_else(|| accepting.cloned().map(Sufficiency::Insufficient))
    }

    /// Records an answer. Accepting traces of ground constraints would take much memory, and are not kept:
    /// those for facts of a counterexample are kept with it.
    pub fn keep(&mut self, constraint: &Constraint, answer: &Sufficiency) {
        match answer {
            Sufficiency::Sufficient(Core { facts, steps }) => {
                let part = facts.iter().map(|&number| constraint.facts[number].clone()).collect();
                self.0.entry(sorted(constraint)).or_default().sufficient = Some((part, *steps));
            }
            Sufficiency::Insufficient(accepting) if constraint.is_lifted() => {
                self.0.entry(sorted(constraint)).or_default().accepting = Some(accepting.clone());
            }
            Sufficiency::Insufficient(_) => {}
        }
    }
}

/// Sorts the facts of the constraint.
fn sorted(constraint: &Constraint) -> Constraint {
    let mut sorted = constraint.clone();
    sorted.facts.sort_unstable();
    sorted
}
