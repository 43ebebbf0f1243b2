//! Printing of expressions.

use crate::syntax::ast::{
    BinaryOp, Expr, ExprKind, Ident, Pattern, PatternKind, Quantifier, TemporalOp, Test,
};
use crate::syntax::operators::{self, Grouping, Level, TEMPORAL};
use crate::syntax::token::WORDS;

/// The text printed for an unreadable part.
pub(super) const UNREADABLE: &str = "<unreadable>";

/// Prints an expression.
pub fn print_expression(expr: &Expr) -> String {
    text(expr, operators::IFF, true)
}

/// Prints an expression as an operand at a precedence level.
pub(super) fn expression_at(expr: &Expr, level: Level) -> String {
    text(expr, level, false)
}

/// `a, b, c`
pub(super) fn expressions(exprs: &[Expr]) -> String {
    exprs.iter().map(print_expression).collect::<Vec<_>>().join(", ")
}

/// `last` states that nothing follows that an expression without a closing token, like `forall x in S: …`,
/// would absorb.
fn text(expr: &Expr, loosest: Level, last: bool) -> String {
    let fits = match level(expr) {
        Some(level) => level >= loosest,
        None => last,
    };
    if fits { bare(expr, last) } else { format!("({})", bare(expr, true)) }
}

/// The precedence of the outermost operator; `None` for forms that extend as far right as possible.
fn level(expr: &Expr) -> Option<Level> {
    Some(match &expr.kind {
        ExprKind::Quant { .. }
        | ExprKind::If(..)
        | ExprKind::Map { .. }
        | ExprKind::Let { .. }
        | ExprKind::Aggregate { .. } => return None,
        ExprKind::Binary(op, ..) => operators::spelling(*op).1,
        ExprKind::Temporal(TemporalOp::Until | TemporalOp::WeakUntil | TemporalOp::Release, _) => {
            operators::UNTIL
        }
        ExprKind::Temporal(TemporalOp::AllUntil | TemporalOp::ExistsUntil, _) => operators::POSTFIX,
        ExprKind::Temporal(..) | ExprKind::Not(_) | ExprKind::Never { .. } => operators::PREFIX,
        ExprKind::Is { .. } => operators::COMPARISON,
        ExprKind::Range(..) => operators::RANGE,
        ExprKind::Neg(_) => operators::NEGATION,
        _ => operators::POSTFIX,
    })
}

fn bare(expr: &Expr, last: bool) -> String {
    let inner = |e: &Expr| text(e, operators::POSTFIX, false);
    match &expr.kind {
        ExprKind::Bool(value) => value.to_string(),
        ExprKind::Int(value) => value.to_string(),
        ExprKind::None => "none".into(),
        ExprKind::Text(text) => format!("\"{text}\""),
        ExprKind::Some(e) => format!("some({})", print_expression(e)),
        ExprKind::Name(name) => name.clone(),
        ExprKind::Primed(name) => format!("{}'", name.name),
        ExprKind::Field(e, field) => format!("{}.{}", inner(e), field.name),
        ExprKind::Index(e, key) => format!("{}[{}]", inner(e), print_expression(key)),
        ExprKind::At(e, at) => format!("{}@{}", inner(e), position(at)),
        ExprKind::Never { value, after, before } => never(value, after.as_deref(), before),
        ExprKind::Call { path, args } => {
            let path: Vec<&str> = path.iter().map(|name| name.name.as_str()).collect();
            format!("{}({})", path.join("."), expressions(args))
        }
        ExprKind::Record { name, fields } => format!("{}{}", name.name, field_values(fields)),
        ExprKind::With(e, fields) => format!("{} with {}", inner(e), field_values(fields)),
        ExprKind::Set(elements) if elements.is_empty() => "{}".into(),
        ExprKind::Set(elements) => format!("{{ {} }}", expressions(elements)),
        ExprKind::List(elements) => format!("[{}]", expressions(elements)),
        ExprKind::Filter { var, domain, cond } => {
            format!("{{ {} in {} : {} }}", var.name, domain_text(domain), print_expression(cond))
        }
        ExprKind::Map { var, domain, body } => {
            format!("map {} in {}: {}", var.name, domain_text(domain), print_expression(body))
        }
        ExprKind::Range(lo, hi) => {
            let bound = |e: &Expr, last| text(e, operators::OTHERWISE, last);
            format!("{}..{}", bound(lo, false), bound(hi, last))
        }
        ExprKind::Size(e) => format!("size({})", print_expression(e)),
        ExprKind::Not(e) => format!("not {}", text(e, operators::PREFIX, last)),
        // Two consecutive minus signs would not parse.
        ExprKind::Neg(e) => format!("-{}", text(e, operators::POSTFIX, last)),
        ExprKind::Binary(op, a, b) => {
            let (spelling, level) = operators::spelling(*op);
            operation(a, spelling, level, b, last)
        }
        ExprKind::Match { value, arms } => {
            let arm = |patterns_of: &[Pattern], body| {
                format!("{} => {}", patterns(patterns_of), print_expression(body))
            };
            let arms: Vec<String> = arms.iter().map(|one| arm(&one.patterns, &one.body)).collect();
            format!("match {} {{ {} }}", print_expression(value), arms.join(", "))
        }
        ExprKind::Is { expr, test } => {
            let word = match test {
                Test::Some => "some",
                Test::None => "none",
                Test::Constructor(name) => &name.name,
            };
            format!("{} is {word}", text(expr, operators::COMPARISON + 1, false))
        }
        ExprKind::If(c, a, b) => {
            format!("if {} then {} else {}", print_expression(c), print_expression(a), print_expression(b))
        }
        ExprKind::Quant { quantifier, vars, domain, body } => {
            let word = match quantifier {
                Quantifier::Forall => "forall",
                Quantifier::Exists => "exists",
            };
            let vars: Vec<&str> = vars.iter().map(|var| var.name.as_str()).collect();
            format!("{word} {} in {}: {}", vars.join(", "), domain_text(domain), print_expression(body))
        }
        ExprKind::Let { bindings, body } => {
            format!("let {} in {}", bindings_text(bindings), print_expression(body))
        }
        ExprKind::Aggregate { aggregate, vars, domain, body } => {
            let vars: Vec<&str> = vars.iter().map(|var| var.name.as_str()).collect();
            let (word, vars) = (aggregate.word(), vars.join(", "));
            format!("{word} {vars} in {}: {}", domain_text(domain), print_expression(body))
        }
        ExprKind::Temporal(op, operands) => temporal(*op, operands, last),
        ExprKind::Error => UNREADABLE.into(),
    }
}

fn never(value: &Expr, after: Option<&Expr>, before: &Expr) -> String {
    let value = before_name(clear(text(value, operators::PREFIX, false)));
    match after {
        Some(after) => format!("never {value} between {} and {}", position(after), position(before)),
        None => format!("never {value} before {}", position(before)),
    }
}

/// A position, after `@` and the like.
fn position(at: &Expr) -> String {
    match &at.kind {
        ExprKind::Name(name) if !WORDS.contains(&name.as_str()) => name.clone(),
        ExprKind::Int(value) => value.to_string(),
        _ => format!("({})", print_expression(at)),
    }
}

/// `A(f, g: x) or none`
pub(super) fn patterns(patterns: &[Pattern]) -> String {
    patterns.iter().map(pattern).collect::<Vec<_>>().join(" or ")
}

fn pattern(pattern: &Pattern) -> String {
    match &pattern.kind {
        PatternKind::Else => "else".into(),
        PatternKind::Some(name) => format!("some({})", name.name),
        PatternKind::Value(value) => print_expression(value),
        PatternKind::Name(name, fields) if fields.is_empty() => name.name.clone(),
        PatternKind::Name(name, fields) => {
            let field = |(field, own): &(Ident, Ident)| match field.name == own.name {
                true => own.name.clone(),
                false => format!("{}: {}", field.name, own.name),
            };
            format!("{}({})", name.name, fields.iter().map(field).collect::<Vec<_>>().join(", "))
        }
    }
}

fn operation(a: &Expr, spelling: &str, level: Level, b: &Expr, last: bool) -> String {
    let (left, right) = match operators::grouping(level) {
        Grouping::Left => (level, level + 1),
        Grouping::Right => (level + 1, level),
        Grouping::None => (level + 1, level + 1),
    };
    format!("{} {spelling} {}", text(a, left, false), text(b, right, last))
}

fn temporal(op: TemporalOp, operands: &[Expr], last: bool) -> String {
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
pub(super) fn bindings_text(bindings: &[(Ident, Expr)]) -> String {
    let bindings: Vec<String> =
        bindings.iter().map(|(name, e)| format!("{} = {}", name.name, value_text(e))).collect();
    bindings.join(", ")
}

/// The value of a `let`, which ends at the first `in` outside of brackets.
fn value_text(value: &Expr) -> String {
    let text = print_expression(value);
    if has_membership(value) { format!("({text})") } else { text }
}

/// True if `in` may be an operator in the text of an expression outside of brackets.
fn has_membership(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Binary(BinaryOp::In, ..) => true,
        ExprKind::Binary(_, a, b) | ExprKind::Range(a, b) => has_membership(a) || has_membership(b),
        ExprKind::Not(e)
        | ExprKind::Neg(e)
        | ExprKind::Is { expr: e, .. }
        | ExprKind::If(_, _, e)
        | ExprKind::Never { value: e, .. } => has_membership(e),
        ExprKind::Quant { body, .. }
        | ExprKind::Map { body, .. }
        | ExprKind::Aggregate { body, .. }
        | ExprKind::Let { body, .. } => has_membership(body),
        ExprKind::Temporal(_, operands) => operands.iter().any(has_membership),
        _ => false,
    }
}

/// The domain of a variable, a type name, a range or a set, followed by `:`.
fn domain_text(domain: &Expr) -> String {
    text(domain, operators::RANGE, false)
}

fn field_values(fields: &[(Ident, Expr)]) -> String {
    let fields: Vec<String> =
        fields.iter().map(|(name, value)| format!("{}: {}", name.name, print_expression(value))).collect();
    format!("({})", fields.join(", "))
}
