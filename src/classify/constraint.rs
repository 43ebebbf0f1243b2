//! Trace constraints: conjunctions of facts under existential position variables (Definition 10 of the
//! classification paper).

use super::fact::{Fact, FactKind};
use crate::model::Model;
use crate::model::value::Moment;
use itertools::Itertools;

/// `∃ i1, …, ik ∈ [0..len(ρ)] : fact ∧ … ∧ fact`.
#[derive(Debug, Clone, PartialEq)]
pub struct Constraint {
    /// The number of position variables. Without any, and without facts, it is the constraint that
    /// every trace satisfies.
    pub positions: usize,
    /// The facts: about states, then absences, then order.
    pub facts: Vec<Fact>,
}

impl Constraint {
    /// Names for the position variables: `i`, `j`, `k` for up to three, else `i1`, `i2`, ….
    pub fn names(&self) -> Vec<String> {
        if self.positions <= 3 {
            ["i", "j", "k"].iter().take(self.positions).map(ToString::to_string).collect()
        } else {
            (1..=self.positions).map(|n| format!("i{n}")).collect()
        }
    }

    /// The constraint in the paper's notation.
    pub fn show(&self, model: &Model) -> String {
        let names = self.names();
        let facts = self.facts.iter().map(|f| f.show(model, &names)).join(" ∧ ");
        let facts = if facts.is_empty() { "true".to_owned() } else { facts };
        if names.is_empty() { facts } else { format!("∃ {} ∈ [0..len(ρ)] : {facts}", names.join(", ")) }
    }

    /// Positions of a trace that satisfy the constraint, the lexicographically first ones, by the
    /// reference semantics; `None` when the trace is not in the class.
    pub fn matches(&self, model: &Model, trace: &[Moment]) -> Option<Vec<usize>> {
        let mut values = Vec::with_capacity(self.positions);
        self.extend(model, trace, &mut values).then_some(values)
    }

    /// Backtracking over the position variables in order; each fact is looked at as soon as the last
    /// of its positions has a value.
    fn extend(&self, model: &Model, trace: &[Moment], values: &mut Vec<usize>) -> bool {
        let next = values.len();
        if next == self.positions {
            return true;
        }
        let decided: Vec<&Fact> =
            self.facts.iter().filter(|f| f.positions.iter().max() == Some(&next)).collect();
        for at in 0..trace.len() {
            values.push(at);
            if decided.iter().all(|f| f.holds(model, trace, values)) && self.extend(model, trace, values) {
                return true;
            }
            values.pop();
        }
        false
    }

    /// Whether every fact but order and absences reads one position: then whether a trace matches can be
    /// decided moment by moment.
    pub fn is_local(&self) -> bool {
        self.facts.iter().all(|f| match &f.kind {
            FactKind::Before | FactKind::Next | FactKind::Absent(..) => true,
            FactKind::Atom(atom) => atom.params.len() <= 1,
        })
    }

    /// Whether some of its facts are absences. Without any, a trace that goes on stays in the class.
    pub fn has_absences(&self) -> bool {
        self.facts.iter().any(Fact::is_absence)
    }
}
