//! Printing of expressions.

use crate::syntax::ast::{
    AstExpr, AstExprKind, AstPattern, AstPatternKind, AstTest, BinaryOp, Ident, Quantifier, TemporalOp,
};
use crate::syntax::operators::{self, Grouping, PrecedenceLevel, TEMPORAL};
use crate::syntax::token::WORDS;

/// The text printed for an unreadable part.
pub(super) const UNREADABLE: &str = "<unreadable>";

/// Prints an expression.
pub fn print_expression(expr: &AstExpr) -> String {
    text(expr, operators::IFF, true)
}

/// Prints an expression as an operand at a precedence level.
pub(super) fn expression_at(expr: &AstExpr, level: PrecedenceLevel) -> String {
    text(expr, level, false)
}

/// `a, b, c`
pub(super) fn expressions(exprs: &[AstExpr]) -> String {
    exprs.iter().map(print_expression).collect::<Vec<_>>().join(", ")
}

/// `last` states that nothing follows that an expression without a closing token, like `forall x in S: …`,
/// would absorb.
fn text(expr: &AstExpr, loosest: PrecedenceLevel, last: bool) -> String {
    let fits = match level(expr) {
        Some(level) => level >= loosest,
        None => last,
    };
    if fits { bare(expr, last) } else { format!("({})", bare(expr, true)) }
}

/// The precedence of the outermost operator; `None` for forms that extend as far right as possible.
fn level(expr: &AstExpr) -> Option<PrecedenceLevel> {
    Some(match &expr.kind {
        AstExprKind::Quant { .. }
        | AstExprKind::If(..)
        | AstExprKind::Map { .. }
        | AstExprKind::Let { .. }
        | AstExprKind::Aggregate { .. } => return None,
        AstExprKind::Binary(op, ..) => operators::spelling(*op).1,
        AstExprKind::Temporal(TemporalOp::Until | TemporalOp::WeakUntil | TemporalOp::Release, _) => {
            operators::UNTIL
        }
        AstExprKind::Temporal(TemporalOp::AllUntil | TemporalOp::ExistsUntil, _) => operators::POSTFIX,
        AstExprKind::Temporal(..)
        | AstExprKind::Not(_)
        | AstExprKind::Never { .. }
        | AstExprKind::Established { .. } => operators::PREFIX,
        AstExprKind::Is { .. } => operators::COMPARISON,
        AstExprKind::Range(..) => operators::RANGE,
        AstExprKind::Neg(_) => operators::NEGATION,
        _ => operators::POSTFIX,
    })
}

fn bare(expr: &AstExpr, last: bool) -> String {
    let inner = |e: &AstExpr| text(e, operators::POSTFIX, false);
    match &expr.kind {
        AstExprKind::Bool(value) => value.to_string(),
        AstExprKind::Int(value) => value.to_string(),
        AstExprKind::None => "none".into(),
        AstExprKind::Text(text) => format!("\"{text}\""),
        AstExprKind::Some(e) => format!("some({})", print_expression(e)),
        AstExprKind::Name(name) => name.clone(),
        AstExprKind::Primed(name) => format!("{}'", name.name),
        AstExprKind::Field(e, field) => format!("{}.{}", inner(e), field.name),
        AstExprKind::Index(e, key) => format!("{}[{}]", inner(e), print_expression(key)),
        AstExprKind::At(e, at) => format!("{}@{}", inner(e), position(at)),
        AstExprKind::Never { value, after, before } => never(value, after.as_deref(), before),
        AstExprKind::Established { value, by, before } => {
            let (value, by) = (text(value, operators::PREFIX, false), text(by, operators::POSTFIX, false));
            format!("{value} established by {by} before {}", position(before))
        }
        AstExprKind::Call { path, args } => {
            let path: Vec<&str> = path.iter().map(|name| name.name.as_str()).collect();
            format!("{}({})", path.join("."), expressions(args))
        }
        AstExprKind::Record { name, fields } => format!("{}{}", name.name, field_values(fields)),
        AstExprKind::With(e, fields) => format!("{} with {}", inner(e), field_values(fields)),
        AstExprKind::Set(elements) if elements.is_empty() => "{}".into(),
        AstExprKind::Set(elements) => format!("{{ {} }}", expressions(elements)),
        AstExprKind::List(elements) => format!("[{}]", expressions(elements)),
        AstExprKind::Filter { var, domain, cond } => {
            format!("{{ {} in {} : {} }}", var.name, domain_text(domain), print_expression(cond))
        }
        AstExprKind::Map { var, domain, body } => {
            format!("map {} in {}: {}", var.name, domain_text(domain), print_expression(body))
        }
        AstExprKind::Range(lo, hi) => {
            let bound = |e: &AstExpr, last| text(e, operators::OTHERWISE, last);
            format!("{}..{}", bound(lo, false), bound(hi, last))
        }
        AstExprKind::Size(e) => format!("size({})", print_expression(e)),
        AstExprKind::Not(e) => format!("not {}", text(e, operators::PREFIX, last)),
        // Two consecutive minus signs would not parse.
        AstExprKind::Neg(e) => format!("-{}", text(e, operators::POSTFIX, last)),
        AstExprKind::Binary(op, a, b) => {
            let (spelling, level) = operators::spelling(*op);
            operation(a, spelling, level, b, last)
        }
        AstExprKind::Match { value, arms } => {
            let arm = |patterns_of: &[AstPattern], body| {
                format!("{} => {}", patterns(patterns_of), print_expression(body))
            };
            let arms: Vec<String> = arms.iter().map(|one| arm(&one.patterns, &one.body)).collect();
            format!("match {} {{ {} }}", print_expression(value), arms.join(", "))
        }
        AstExprKind::Is { expr, test } => {
            let word = match test {
                AstTest::Some => "some",
                AstTest::None => "none",
                AstTest::Constructor(name) => &name.name,
            };
            format!("{} is {word}", text(expr, operators::COMPARISON + 1, false))
        }
        AstExprKind::If(c, a, b) => {
            format!("if {} then {} else {}", print_expression(c), print_expression(a), print_expression(b))
        }
        AstExprKind::Quant { quantifier, vars, domain, body } => {
            let word = match quantifier {
                Quantifier::Forall => "forall",
                Quantifier::Exists => "exists",
            };
            let vars: Vec<&str> = vars.iter().map(|var| var.name.as_str()).collect();
            format!("{word} {} in {}: {}", vars.join(", "), domain_text(domain), print_expression(body))
        }
        AstExprKind::Let { bindings, body } => {
            format!("let {} in {}", bindings_text(bindings), print_expression(body))
        }
        AstExprKind::Aggregate { aggregate, vars, domain, body } => {
            let vars: Vec<&str> = vars.iter().map(|var| var.name.as_str()).collect();
            let (word, vars) = (aggregate.word(), vars.join(", "));
            format!("{word} {vars} in {}: {}", domain_text(domain), print_expression(body))
        }
        AstExprKind::Temporal(op, operands) => temporal(*op, operands, last),
        AstExprKind::Error => UNREADABLE.into(),
    }
}

fn never(value: &AstExpr, after: Option<&AstExpr>, before: &AstExpr) -> String {
    let value = before_name(clear(text(value, operators::PREFIX, false)));
    match after {
        Some(after) => format!("never {value} between {} and {}", position(after), position(before)),
        None => format!("never {value} before {}", position(before)),
    }
}

/// A position, after `@` and the like.
fn position(at: &AstExpr) -> String {
    match &at.kind {
        AstExprKind::Name(name) if !WORDS.contains(&name.as_str()) => name.clone(),
        AstExprKind::Int(value) => value.to_string(),
        _ => format!("({})", print_expression(at)),
    }
}

/// `A(f, g: x) or none`
pub(super) fn patterns(patterns: &[AstPattern]) -> String {
    patterns.iter().map(pattern).collect::<Vec<_>>().join(" or ")
}

fn pattern(pattern: &AstPattern) -> String {
    match &pattern.kind {
        AstPatternKind::Else => "else".into(),
        AstPatternKind::Some(name) => format!("some({})", name.name),
        AstPatternKind::Value(value) => print_expression(value),
        AstPatternKind::Name(name, fields) if fields.is_empty() => name.name.clone(),
        AstPatternKind::Name(name, fields) => {
            let field = |(field, own): &(Ident, Ident)| match field.name == own.name {
                true => own.name.clone(),
                false => format!("{}: {}", field.name, own.name),
            };
            format!("{}({})", name.name, fields.iter().map(field).collect::<Vec<_>>().join(", "))
        }
    }
}

fn operation(a: &AstExpr, spelling: &str, level: PrecedenceLevel, b: &AstExpr, last: bool) -> String {
    let (left, right) = match operators::grouping(level) {
        Grouping::Left => (level, level + 1),
        Grouping::Right => (level + 1, level),
        Grouping::None => (level + 1, level + 1),
    };
    format!("{} {spelling} {}", text(a, left, false), text(b, right, last))
}

fn temporal(op: TemporalOp, operands: &[AstExpr], last: bool) -> String {
    match (op, operands) {
        (TemporalOp::Until | TemporalOp::WeakUntil | TemporalOp::Release, [a, b]) => {
            let (left, right) = (text(a, operators::UNTIL + 1, false), text(b, operators::UNTIL, last));
            format!("{} {} {right}", before_name(left), operators::linear(op))
        }
        (TemporalOp::AllUntil, [a, b]) => format!("A[{} U {}]", print_expression(a), print_expression(b)),
        (TemporalOp::ExistsUntil, [a, b]) => format!("E[{} U {}]", print_expression(a), print_expression(b)),
        (TemporalOp::ExistsAlways, [a, fair @ ..]) if !fair.is_empty() => {
            let fair: Vec<String> = fair.iter().map(print_expression).collect();
            format!("EG{{{}}} {}", fair.join(", "), clear(text(a, operators::PREFIX, last)))
        }
        (_, [a]) => {
            let word = TEMPORAL.iter().find(|(other, _)| *other == op).map_or("next", |(_, word)| word);
            let operand = text(a, operators::PREFIX, last);
            // `next - x` would be a subtraction, `next {` a syntax error, and what follows `EG {` can be fairness conditions.
            if op == TemporalOp::Next || (op == TemporalOp::ExistsAlways && operand.starts_with('{')) {
                format!("{word} {}", clear(operand))
            } else {
                format!("{word} {operand}")
            }
        }
        _ => UNREADABLE.into(),
    }
}

/// An operand that a name follows: after `action`, that would begin a declaration.
fn before_name(operand: String) -> String {
    if operand.ends_with("action") { format!("({operand})") } else { operand }
}

/// An operand in parentheses, unless it cannot be misread without.
fn clear(operand: String) -> String {
    let is_clear = operand.starts_with(|c: char| c.is_alphanumeric() || c == '(');
    if is_clear { operand } else { format!("({operand})") }
}

/// `x = e, y = f`
pub(super) fn bindings_text(bindings: &[(Ident, AstExpr)]) -> String {
    let bindings: Vec<String> =
        bindings.iter().map(|(name, e)| format!("{} = {}", name.name, value_text(e))).collect();
    bindings.join(", ")
}

/// The value of a `let`, which ends at the first `in` outside of brackets.
fn value_text(value: &AstExpr) -> String {
    let text = print_expression(value);
    if has_membership(value) { format!("({text})") } else { text }
}

/// True if `in` may be an operator in the text of an expression outside of brackets.
fn has_membership(expr: &AstExpr) -> bool {
    match &expr.kind {
        AstExprKind::Binary(BinaryOp::In, ..) => true,
        AstExprKind::Binary(_, a, b) | AstExprKind::Range(a, b) => has_membership(a) || has_membership(b),
        AstExprKind::Not(e)
        | AstExprKind::Neg(e)
        | AstExprKind::Is { expr: e, .. }
        | AstExprKind::If(_, _, e)
        | AstExprKind::Never { value: e, .. }
        | AstExprKind::Established { value: e, .. } => has_membership(e),
        AstExprKind::Quant { body, .. }
        | AstExprKind::Map { body, .. }
        | AstExprKind::Aggregate { body, .. }
        | AstExprKind::Let { body, .. } => has_membership(body),
        AstExprKind::Temporal(_, operands) => operands.iter().any(has_membership),
        _ => false,
    }
}

/// The domain of a variable, a type name, a range or a set, followed by `:`.
fn domain_text(domain: &AstExpr) -> String {
    text(domain, operators::RANGE, false)
}

fn field_values(fields: &[(Ident, AstExpr)]) -> String {
    let fields: Vec<String> =
        fields.iter().map(|(name, value)| format!("{}: {}", name.name, print_expression(value))).collect();
    format!("({})", fields.join(", "))
}
