//! Operators: spelling, precedence and associativity.

use super::ast::{BinaryOp, TemporalOp};

/// A precedence level, one for each line of the table in the language reference, loosest first.
pub(super) type PrecedenceLevel = u8;

/// `<=>`
pub(super) const IFF: PrecedenceLevel = 0;
/// `=>`
pub(super) const IMPLIES: PrecedenceLevel = 1;
/// `or`
pub(super) const OR: PrecedenceLevel = 2;
/// `and`
pub(super) const AND: PrecedenceLevel = 3;
/// `until`, `weak until`, `release`
pub(super) const UNTIL: PrecedenceLevel = 4;
/// `not` and the temporal operators with one operand
pub(super) const PREFIX: PrecedenceLevel = 5;
/// `= != < <= > >= in`, `not in`, `subset`, `is some`, `is none`
pub(super) const COMPARISON: PrecedenceLevel = 6;
/// `lo..hi`
pub(super) const RANGE: PrecedenceLevel = 7;
/// `otherwise`
pub(super) const OTHERWISE: PrecedenceLevel = 8;
/// `union intersect minus`
pub(super) const SETS: PrecedenceLevel = 9;
/// `+ -`
pub(super) const SUM: PrecedenceLevel = 10;
/// `* / mod`
pub(super) const PRODUCT: PrecedenceLevel = 11;
/// unary `-`
pub(super) const NEGATION: PrecedenceLevel = 12;
/// `.f [k] (args) @t '` and `with (…)`
pub(super) const POSTFIX: PrecedenceLevel = 13;

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
pub(super) fn grouping(level: PrecedenceLevel) -> Grouping {
    match level {
        IMPLIES | UNTIL | OTHERWISE => Grouping::Right,
        COMPARISON | RANGE => Grouping::None,
        _ => Grouping::Left,
    }
}

/// Every binary operator with its spelling and level; `not in` is two tokens.
const BINARY: &[(BinaryOp, &str, PrecedenceLevel)] = &[
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
pub(super) fn binary(spelling: &str) -> Option<(BinaryOp, PrecedenceLevel)> {
    BINARY.iter().find(|(_, s, _)| *s == spelling).map(|&(op, _, level)| (op, level))
}

/// Spelling and level of a binary operator.
pub(super) fn spelling(op: BinaryOp) -> (&'static str, PrecedenceLevel) {
    let entry = BINARY.iter().find(|(o, _, _)| *o == op);
    let &(_, spelling, level) = entry.expect("the table has every binary operator");
    (spelling, level)
}
