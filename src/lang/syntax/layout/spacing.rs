//! Where there is a space between two tokens of a line.

use super::structure::TokenRole;
use crate::syntax::token::{SyntaxKind, SyntaxToken};

/// True if there is a space between two tokens that follow each other.
pub(super) fn space_between(
    before: (&SyntaxToken<'_>, &TokenRole),
    after: (&SyntaxToken<'_>, &TokenRole),
) -> bool {
    let ((left, left_role), (right, right_role)) = (before, after);
    match (left.kind, right.kind) {
        // Two minus signs side by side are something else.
        (SyntaxKind::Sign("-"), SyntaxKind::Sign("-")) => true,
        _ if left_role.is_negation => false,
        (_, SyntaxKind::Sign(")" | "]" | "," | ";" | "." | "@" | ".." | "'")) => false,
        (SyntaxKind::Sign("(" | "[" | "." | "@" | ".."), _) => false,
        (SyntaxKind::Sign("{"), SyntaxKind::Sign("}")) => false,
        _ if right_role.is_tight || left_role.is_tight && left.is("{") => false,
        (_, SyntaxKind::Sign(":")) => right_role.is_wide_colon,
        (_, SyntaxKind::Sign("(")) => !takes_arguments(left, left_role),
        (SyntaxKind::Name, SyntaxKind::Sign("[")) => left_role.is_operator,
        (SyntaxKind::Sign(")" | "]" | "}" | "'"), SyntaxKind::Sign("[")) => false,
        _ => true,
    }
}

/// True if parentheses after a token hold its arguments.
fn takes_arguments(token: &SyntaxToken<'_>, role: &TokenRole) -> bool {
    match token.kind {
        SyntaxKind::Name => !role.is_operator,
        SyntaxKind::Word(word) => ["some", "eq", "lacks", "absent"].contains(&word),
        _ => false,
    }
}

/// True if a token stays on the line of the one before it, unless there is a comment between them.
pub(super) fn is_attached(
    before: &SyntaxToken<'_>,
    after: (&SyntaxToken<'_>, &TokenRole),
    spaced: bool,
) -> bool {
    let (token, role) = after;
    let closes_nothing = before.is("{") && token.is("}");
    match token.kind {
        SyntaxKind::Sign(";" | "," | "." | "@" | ".." | "'") => true,
        SyntaxKind::Sign("(" | "[") => !spaced && !matches!(before.kind, SyntaxKind::Sign("(" | "[" | "{")),
        SyntaxKind::Sign("{") => role.opens_block,
        _ => closes_nothing || matches!(before.kind, SyntaxKind::Sign("." | "@" | "..")),
    }
}
