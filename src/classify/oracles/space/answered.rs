//! Answers to questions about sufficiency, to be given again: classes that are made of several counterexamples come to the same
//! constraints.

use super::{Core, Sufficiency};
use crate::automata::listing::Accepting;
use crate::facts::constraint::Constraint;
use crate::facts::fact::Fact;
use rustc_hash::FxHashMap;

/// What is known of a constraint.
#[derive(Default)]
struct Known {
    /// Facts of it that suffice, and up to which length of traces that is known.
    sufficient: Option<(Vec<Fact>, usize)>,
    /// A trace that shows that it does not suffice.
    accepting: Option<Accepting>,
}

/// The answers so far.
#[derive(Default)]
pub struct Answered(FxHashMap<Constraint, Known>);

impl Answered {
    /// The answer for traces of up to so many steps, if it follows from one that was given.
    pub fn about(&self, constraint: &Constraint, steps: usize) -> Option<Sufficiency> {
        let known = self.0.get(&sorted(constraint))?;
        let sufficient = known.sufficient.as_ref().filter(|(_, most)| *most >= steps).map(|(part, most)| {
            let facts = constraint.facts.iter().enumerate().filter(|(_, fact)| part.contains(fact));
            Sufficiency::Sufficient(Core { facts: facts.map(|(number, _)| number).collect(), steps: *most })
        });
        let accepting = known.accepting.as_ref().filter(|accepting| accepting.trace.len() <= steps);
        sufficient.or_else(|| accepting.cloned().map(Sufficiency::Insufficient))
    }

    /// Keeps an answer. No accepting traces of ground constraints are kept, which would take much memory: those that the facts of a counterexample
    /// were asked about with are kept there.
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

/// The constraint with its facts in one order, whatever it was made of.
fn sorted(constraint: &Constraint) -> Constraint {
    let mut sorted = constraint.clone();
    sorted.facts.sort_unstable();
    sorted
}
