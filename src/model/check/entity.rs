//! What declared names stand for.

use crate::model::expr::VarId;
use crate::model::types::EnumId;

/// What a declared name stands for: an index into the table of its kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Entity {
    Type(usize),
    Const(usize),
    Var(VarId),
    Def(usize),
    Action(usize),
    Pred(usize),
    Import(usize),
    /// A value of an enumeration.
    EnumValue(EnumId, u32),
    /// What a library requires.
    Bound(usize),
}

impl Entity {
    /// The word for this kind of thing, with its article.
    pub(super) fn kind(self) -> &'static str {
        match self {
            Entity::Type(_) => "a type",
            Entity::Const(_) => "a constant",
            Entity::Var(_) => "a variable",
            Entity::Def(_) => "a definition",
            Entity::Action(_) => "an action",
            Entity::Pred(_) => "a predicate",
            Entity::Import(_) => "an import",
            Entity::EnumValue(..) => "a value of an enumeration",
            Entity::Bound(_) => "required by the library",
        }
    }
}
