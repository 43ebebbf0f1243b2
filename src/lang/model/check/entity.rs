//! The meaning of declared names.

use crate::model::expr::VarId;
use crate::model::types::EnumId;

/// The meaning of a declared name: an index into the table of its kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Entity {
    Type(usize),
    Const(usize),
    Var(VarId),
    Def(usize),
    Action(usize),
    Operation(usize),
    Pred(usize),
    Import(usize),
    EnumValue(EnumId, u32),
    /// A constructor of a variant: an index into the declared variants, and its number.
    Constructor(usize, u32),
    Bound(usize),
}

impl Entity {
    /// The word for this kind of entity, with its article.
    pub(super) fn kind(self) -> &'static str {
        match self {
            Entity::Type(_) => "a type",
            Entity::Const(_) => "a constant",
            Entity::Var(_) => "a variable",
            Entity::Def(_) => "a definition",
            Entity::Action(_) => "an action",
            Entity::Operation(_) => "an operation",
            Entity::Pred(_) => "a predicate",
            Entity::Import(_) => "an import",
            Entity::EnumValue(..) => "a value of an enumeration",
            Entity::Constructor(..) => "a constructor",
            Entity::Bound(_) => "a requirement of the library",
        }
    }
}
