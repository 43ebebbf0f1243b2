//! Conditions on traces, finite or infinite.

/// A condition on a trace of some kind, with its constraints `C` and the forms `F` that only this kind has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TraceCondition<C, F> {
    /// The trace satisfies a constraint.
    In(C),
    /// The trace does not satisfy a constraint.
    Outside(C),
    /// The trace meets one of several conditions.
    AnyOf(Vec<Self>),
    /// The trace has a form.
    Formed(F),
}

impl<C, F> TraceCondition<C, F> {
    /// True if a trace meets the condition: `satisfies` tells the constraints that it satisfies, `has_form` the forms that it has.
    pub fn is_met(&self, satisfies: &dyn Fn(&C) -> bool, has_form: &dyn Fn(&F) -> bool) -> bool {
        match self {
            Self::In(constraint) => satisfies(constraint),
            Self::Outside(constraint) => !satisfies(constraint),
            Self::AnyOf(conditions) => conditions.iter().any(|one| one.is_met(satisfies, has_form)),
            Self::Formed(form) => has_form(form),
        }
    }
}
