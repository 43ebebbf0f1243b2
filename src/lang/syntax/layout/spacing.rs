//! Where there is a space between two tokens of a line.

use super::structure::TokenRole;
use crate::syntax::token::{Kind, Token};

/// True if there is a space between two tokens that follow each other.
pub(super) fn space_between(before: (&Token<'_>, &TokenRole), after: (&Token<'_>, &TokenRole)) -> bool {
    let ((left, left_role), (right, right_role)) = (before, after);
    match (left.kind, right.kind) {
        // Two minus signs side by side are something else.
        (Kind::Sign("-"), Kind::Sign("-")) => true,
        _ if left_role.is_negation => false,
        (_, Kind::Sign(")" | "]" | "," | ";" | "." | "@" | ".." | "'")) => false,
        (Kind::Sign("(" | "[" | "." | "@" | ".."), _) => false,
        (Kind::Sign("{"), Kind::Sign("}")) => false,
        _ if right_role.is_tight || left_role.is_tight && left.is("{") => false,
        (_, Kind::Sign(":")) => right_role.is_wide_colon,
        (_, Kind::Sign("(")) => !takes_arguments(left, left_role),
        (Kind::Name, Kind::Sign("[")) => left_role.is_operator,
        (Kind::Sign(")" | "]" | "}" | "'"), Kind::Sign("[")) => false,
        _ => true,
    }
}

/// True if parentheses after a token hold its arguments.
fn takes_arguments(token: &Token<'_>, role: &TokenRole) -> bool {
    match token.kind {
        Kind::Name => !role.is_operator,
        Kind::Word(word) => ["some", "eq", "lacks", "absent"].contains(&word),
        _ => false,
    }
}

/// True if a token stays on the line of the one before it, unless there is a comment between them.
pub(super) fn is_attached(before: &Token<'_>, after: (&Token<'_>, &TokenRole), spaced: bool) -> bool {
    let (token, role) = after;
    let closes_nothing = before.is("{") && token.is("}");
    match token.kind {
        Kind::Sign(";" | "," | "." | "@" | ".." | "'") => true,
        Kind::Sign("(" | "[") => !spaced && !matches!(before.kind, Kind::Sign("(" | "[" | "{")),
        Kind::Sign("{") => role.opens_block,
        _ => closes_nothing || matches!(before.kind, Kind::Sign("." | "@" | "..")),
    }
}
