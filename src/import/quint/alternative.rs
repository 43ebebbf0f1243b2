//! Alternatives of a step.

use super::term::{Node, QuintTerm};
use super::types::Ty;

/// An alternative of a step, or of the initial action.
#[derive(Debug, Clone, Default)]
pub(crate) struct StepAlternative {
    /// The outermost action that has this as its only alternative.
    pub name: Option<String>,
    /// The first action that is a part of it, which gives the name if there is no other.
    pub part: Option<String>,
    pub params: Vec<QuintTerm>,
    pub conditions: Vec<QuintTerm>,
    /// The assigned variables with their next values.
    pub assigned: Vec<(String, QuintTerm)>,
    /// The definitions that it comes from, with their arguments.
    pub actions: Vec<(String, Vec<QuintTerm>)>,
    /// True if a condition on values tells it from the others of its action: what happens is decided, not chosen.
    pub is_decided: bool,
}

impl StepAlternative {
    /// Both, one after the other.
    pub fn then(&self, next: &Self) -> Self {
        let joined = |a: &[QuintTerm], b: &[QuintTerm]| a.iter().chain(b).cloned().collect();
        Self {
            name: self.name.clone().or_else(|| next.name.clone()),
            part: self.part.clone().or_else(|| next.part.clone()),
            params: joined(&self.params, &next.params),
            conditions: joined(&self.conditions, &next.conditions),
            assigned: self.assigned.iter().chain(&next.assigned).cloned().collect(),
            actions: self.actions.iter().chain(&next.actions).cloned().collect(),
            is_decided: self.is_decided || next.is_decided,
        }
    }

    /// Adds a parameter with its condition. The members of a set that it is chosen from are wanted within the values of its type.
    pub fn choose(&mut self, params: &[QuintTerm], set: Option<&QuintTerm>, condition: QuintTerm) {
        if let Some(set) = set.filter(|set| set.members().is_none()) {
            self.conditions.push(QuintTerm::new(Node::WithinLimits(set.clone()), Ty::Bool));
        }
        self.params.extend_from_slice(params);
        self.conditions.push(condition);
    }

    /// A condition without assignments.
    pub fn requiring(condition: QuintTerm) -> Self {
        Self { conditions: vec![condition], ..Self::default() }
    }
}
