//! Operators: spelling, precedence and associativity.

use super::ast::{BinaryOp, TemporalOp};

/// A precedence level, one for each line of the table in the language reference, loosest first.
pub(super) type Level = u8;

/// `<=>`
pub(super) const IFF: Level = 0;
/// `=>`
pub(super) const IMPLIES: Level = 1;
/// `or`
pub(super) const OR: Level = 2;
/// `and`
pub(super) const AND: Level = 3;
/// `until`, `weak until`, `release`
pub(super) const UNTIL: Level = 4;
/// `not` and the temporal operators with one operand
pub(super) const PREFIX: Level = 5;
/// `= != < <= > >= in`, `not in`, `subset`, `is some`, `is none`
pub(super) const COMPARISON: Level = 6;
/// `lo..hi`
pub(super) const RANGE: Level = 7;
/// `otherwise`
pub(super) const OTHERWISE: Level = 8;
/// `union intersect minus`
pub(super) const SETS: Level = 9;
/// `+ -`
pub(super) const SUM: Level = 10;
/// `* / mod`
pub(super) const PRODUCT: Level = 11;
/// unary `-`
pub(super) const NEGATION: Level = 12;
/// `.f [k] (args) @t '` and `with (…)`
pub(super) const POSTFIX: Level = 13;

/// How operators of one level group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Grouping {
    /// `a - b - c` is `(a - b) - c`.
    Left,
    /// `a => b => c` is `a => (b => c)`.
    Right,
    /// `a < b < c` is a mistake.
    None,
}

/// How the operators of a level group.
pub(super) fn grouping(level: Level) -> Grouping {
    match level {
        IMPLIES | UNTIL | OTHERWISE => Grouping::Right,
        COMPARISON | RANGE => Grouping::None,
        _ => Grouping::Left,
    }
}

/// Every binary operator with its spelling and level; `not in` is two tokens.
const BINARY: &[(BinaryOp, &str, Level)] = &[
    (BinaryOp::Iff, "<=>", IFF),
    (BinaryOp::Implies, "=>", IMPLIES),
    (BinaryOp::Or, "or", OR),
    (BinaryOp::And, "and", AND),
    (BinaryOp::Eq, "=", COMPARISON),
    (BinaryOp::Ne, "!=", COMPARISON),
    (BinaryOp::Lt, "<", COMPARISON),
    (BinaryOp::Le, "<=", COMPARISON),
    (BinaryOp::Gt, ">", COMPARISON),
    (BinaryOp::Ge, ">=", COMPARISON),
    (BinaryOp::In, "in", COMPARISON),
    (BinaryOp::NotIn, "not in", COMPARISON),
    (BinaryOp::Subset, "subset", COMPARISON),
    (BinaryOp::Otherwise, "otherwise", OTHERWISE),
    (BinaryOp::Union, "union", SETS),
    (BinaryOp::Intersect, "intersect", SETS),
    (BinaryOp::Minus, "minus", SETS),
    (BinaryOp::Add, "+", SUM),
    (BinaryOp::Sub, "-", SUM),
    (BinaryOp::Mul, "*", PRODUCT),
    (BinaryOp::Div, "/", PRODUCT),
    (BinaryOp::Mod, "mod", PRODUCT),
];

/// How an operator of linear time with two operands is written.
///
/// # Panics
/// For other operators.
pub(super) fn linear(op: TemporalOp) -> &'static str {
    match op {
        TemporalOp::Until => "until",
        TemporalOp::WeakUntil => "weak until",
        TemporalOp::Release => "release",
        _ => unreachable!("it has one operand, or belongs to branching time"),
    }
}

/// The temporal operators with one operand, except `next`, which is not a keyword.
pub(super) const TEMPORAL: &[(TemporalOp, &str)] = &[
    (TemporalOp::Always, "always"),
    (TemporalOp::Eventually, "eventually"),
    (TemporalOp::AllNext, "AX"),
    (TemporalOp::AllEventually, "AF"),
    (TemporalOp::AllAlways, "AG"),
    (TemporalOp::ExistsNext, "EX"),
    (TemporalOp::ExistsEventually, "EF"),
    (TemporalOp::ExistsAlways, "EG"),
];

/// The binary operator of a spelling, and its level.
pub(super) fn binary(spelling: &str) -> Option<(BinaryOp, Level)> {
    BINARY.iter().find(|(_, s, _)| *s == spelling).map(|&(op, _, level)| (op, level))
}

/// Spelling and level of a binary operator.
pub(super) fn spelling(op: BinaryOp) -> (&'static str, Level) {
    let entry = BINARY.iter().find(|(o, _, _)| *o == op);
    let &(_, spelling, level) = entry.expect("the table has every binary operator");
    (spelling, level)
}
