//! Expressions: precedence climbing over operands parsed by nom.

mod binders;
mod postfix;

pub(super) use binders::bindings;
pub(super) use postfix::field_name;

use super::input::mistakes;
use super::input::{Parsed, Tokens, name, token};
use super::matching::arm;
use super::recovery::list;
use crate::syntax::ast::{BinaryOp, Expr, ExprKind, Ident, Quantifier, TemporalOp, Test};
use crate::syntax::operators::{self, Grouping, Level, TEMPORAL};
use crate::syntax::token::Kind;
use kit::diagnostics::{Diagnostic, Span};
use kit::parsing::{Expected, ParserError, enclosed, higher, labelled, nested, separated, spanned};
use nom::branch::alt;
use nom::combinator::{cut, map, value};
use nom::sequence::preceded;
use nom::{Err, Parser};

/// An expression of any kind.
pub(super) fn expression(input: Tokens<'_>) -> Parsed<'_, Expr> {
    within(input, false, rest_of_expression)
}

/// An expression that ends where the one around it does: the body of a quantifier, what follows `else`.
fn rest_of_expression(input: Tokens<'_>) -> Parsed<'_, Expr> {
    climb(input, operators::IFF)
}

/// Parses something where `in` is an operator, or ends the value of a `let`.
fn within<'a, O>(
    input: Tokens<'a>,
    ended_by_in: bool,
    parser: impl FnOnce(Tokens<'a>) -> Parsed<'a, O>,
) -> Parsed<'a, O> {
    let flag = &input.state.grammar.ended_by_in;
    let before = flag.replace(ended_by_in);
    let result = parser(input);
    flag.set(before);
    result
}

/// The domain of a variable, or a type that is a range or a name: an expression whose outermost operator
/// is neither a comparison nor a logical operator.
pub(super) fn domain(input: Tokens<'_>) -> Parsed<'_, Expr> {
    climb(input, operators::RANGE)
}

/// An operand and all operators to its right that bind at least as tightly as `loosest`.
fn climb(input: Tokens<'_>, loosest: Level) -> Parsed<'_, Expr> {
    nested(input, |input| {
        let (mut rest, mut left) = operand(input)?;
        let mut previous: Option<(Infix, Span)> = None;
        while let Some((after, infix)) = infix(rest, loosest)? {
            let grouping = operators::grouping(infix.level);
            let (after, right) = match &infix.action {
                Action::Is(_) => (after, None),
                _ => {
                    let level = if grouping == Grouping::Right { infix.level } else { infix.level + 1 };
                    let (after, right) = cut(|input| climb(input, level)).parse(after)?;
                    (after, Some(right))
                }
            };
            higher(after)?;
            let operator = rest.first().span;
            let end = right.as_ref().map_or_else(|| rest.span_to(after), |right| right.span);
            let span = left.span.to(end);
            let chained =
                previous.filter(|(before, _)| grouping == Grouping::None && before.level == infix.level);
            let kind = match chained {
                None => infix.action.clone().apply(left, right),
                Some((before, middle)) => {
                    if left.kind != ExprKind::Error {
                        let pair = (before.action.name(), infix.action.name());
                        input.state.add(mistakes::chain(
                            &input.state.grammar,
                            operator,
                            left.span,
                            middle,
                            pair,
                            end,
                        ));
                    }
                    ExprKind::Error
                }
            };
            previous = Some((infix, end));
            left = Expr { kind, span };
            rest = after;
        }
        Ok((rest, left))
    })
}

/// An operator between two operands, or `is some` after one.
#[derive(Clone)]
struct Infix {
    action: Action,
    level: Level,
}

#[derive(Clone)]
enum Action {
    Binary(BinaryOp),
    Range,
    /// `until`, `weak until` or `release`.
    Linear(TemporalOp),
    Is(Test),
}

impl Action {
    fn apply(self, left: Expr, right: Option<Expr>) -> ExprKind {
        match (self, right) {
            (Action::Binary(op), Some(right)) => ExprKind::Binary(op, Box::new(left), Box::new(right)),
            (Action::Range, Some(right)) => ExprKind::Range(Box::new(left), Box::new(right)),
            (Action::Linear(op), Some(right)) => ExprKind::Temporal(op, vec![left, right]),
            (Action::Is(test), None) => ExprKind::Is { expr: Box::new(left), test },
            _ => ExprKind::Error,
        }
    }

    fn name(&self) -> &'static str {
        match self {
            Action::Binary(op) => operators::spelling(*op).0,
            Action::Range => "..",
            Action::Linear(op) => operators::linear(*op),
            Action::Is(Test::Some) => "is some",
            Action::Is(Test::None) => "is none",
            Action::Is(Test::Constructor(_)) => "is",
        }
    }
}

/// The operator at the front, if it binds at least as tightly as `loosest`, and the tokens after it.
fn infix<'a>(input: Tokens<'a>, loosest: Level) -> Result<Option<(Tokens<'a>, Infix)>, Err<ParserError>> {
    if let Some((rest, op)) = linear(input) {
        let infix = Infix { action: Action::Linear(op), level: operators::UNTIL };
        return Ok((operators::UNTIL >= loosest).then_some((rest, infix)));
    }
    let Some(spelling) = input.first().spelling() else { return Ok(None) };
    let negated = spelling == "not" && input.peek(1).is("in");
    let (action, level) = match spelling {
        "not" if negated => (Action::Binary(BinaryOp::NotIn), operators::COMPARISON),
        ".." => (Action::Range, operators::RANGE),
        "is" => (Action::Is(Test::Some), operators::COMPARISON),
        _ => match operators::binary(spelling) {
            Some((op, level)) => (Action::Binary(op), level),
            None => return Ok(None),
        },
    };
    let ends = spelling == "in" || input.first().text == "|";
    if level < loosest || ends && input.state.grammar.ended_by_in.get() {
        return Ok(None);
    }
    let (mut rest, _) = token(spelling).parse(input)?;
    let mut action = action;
    if negated {
        rest = token("in").parse(rest)?.0;
    } else if let Action::Is(_) = action {
        let tests = (
            value(Test::Some, token("some")),
            value(Test::None, token("none")),
            labelled("a constructor", map(name, Test::Constructor)),
        );
        let (mut after, test) = cut(alt(tests)).parse(rest)?;
        if let (Test::Constructor(name), true) = (&test, after.first().is("(")) {
            let (end, _) = cut(list("(", expression, ")")).parse(after)?;
            let error = Diagnostic::error(after.span_to(end), "`is` names a constructor without its fields");
            let help = format!("write `m is {}`; `match` gives names to the fields", name.name);
            input.state.add(error.with_help(help));
            after = end;
        }
        (rest, action) = (after, Action::Is(test));
    }
    Ok(Some((rest, Infix { action, level })))
}

/// The operator of linear time between two operands at the front, and the tokens after it. `weak` and `release` are names elsewhere: a
/// name cannot follow an operand.
fn linear(input: Tokens<'_>) -> Option<(Tokens<'_>, TemporalOp)> {
    let until = |input| token("until").parse(input).ok().map(|(rest, _)| rest);
    let word = |input| name(input).ok().map(|(rest, _)| rest);
    if input.first().is("until") {
        return Some((until(input)?, TemporalOp::Until));
    }
    if input.first().is_name("release") {
        return Some((word(input)?, TemporalOp::Release));
    }
    let is_weak = input.first().is_name("weak") && input.peek(1).is("until");
    is_weak.then(|| word(input).and_then(until)).flatten().map(|rest| (rest, TemporalOp::WeakUntil))
}

fn operand(input: Tokens<'_>) -> Parsed<'_, Expr> {
    if let Some(binder) = binders::binder(&input) {
        return binder.parse(input);
    }
    if binders::is_never(&input) {
        return binders::never(input);
    }
    let kinds = alt((postfix::postfixed, quantified, conditional, map_builder, negated, opposite, temporal));
    labelled("an expression", kinds).parse(input)
}

fn quantified(input: Tokens<'_>) -> Parsed<'_, Expr> {
    let quantifier =
        alt((value(Quantifier::Forall, token("forall")), value(Quantifier::Exists, token("exists"))));
    let (rest, ((quantifier, (groups, body)), span)) =
        spanned((quantifier, cut((groups, preceded(token(":"), rest_of_expression))))).parse(input)?;
    Ok((
        rest,
        nest(groups, body, span, |_, Group { vars, domain }, body| ExprKind::Quant {
            quantifier,
            vars,
            domain: Box::new(domain),
            body: Box::new(body),
        }),
    ))
}

/// Names with their domain.
pub(super) struct Group {
    pub vars: Vec<Ident>,
    pub domain: Expr,
}

/// `x, y in S, z in T`
pub(super) fn groups(input: Tokens<'_>) -> Parsed<'_, Vec<Group>> {
    let vars = separated(",", name);
    let group = map((vars, preceded(token("in"), domain)), |(vars, domain)| Group { vars, domain });
    separated(",", group).parse(input)
}

/// A form over several domains: one over the first of them, around one over each of the others. `make` is told which of them it is.
pub(super) fn nest(
    groups: Vec<Group>,
    body: Expr,
    span: Span,
    make: impl Fn(usize, Group, Expr) -> ExprKind,
) -> Expr {
    let last = groups.len().saturating_sub(1);
    let inside = groups.into_iter().enumerate().rev().fold(body, |body, (at, group)| {
        let begin = group.vars.first().map_or(span, |var| var.span);
        let span = begin.to(body.span);
        Expr { kind: make(last - at, group, body), span }
    });
    Expr { span, ..inside }
}

fn conditional(input: Tokens<'_>) -> Parsed<'_, Expr> {
    let choice =
        (expression, preceded(token("then"), expression), preceded(token("else"), rest_of_expression));
    let (rest, ((c, a, b), span)) = spanned(preceded(token("if"), cut(choice))).parse(input)?;
    Ok((rest, Expr { kind: ExprKind::If(Box::new(c), Box::new(a), Box::new(b)), span }))
}

fn map_builder(input: Tokens<'_>) -> Parsed<'_, Expr> {
    let parts = (name, preceded(token("in"), domain), preceded(token(":"), rest_of_expression));
    let (rest, ((var, domain, body), span)) = spanned(preceded(token("map"), cut(parts))).parse(input)?;
    Ok((rest, Expr { kind: ExprKind::Map { var, domain: Box::new(domain), body: Box::new(body) }, span }))
}

/// A `match` whose cases are expressions.
fn match_expression(input: Tokens<'_>) -> Parsed<'_, Expr> {
    let cases = (expression, list("{", arm(expression), "}"));
    let (rest, ((value, arms), span)) = spanned(preceded(token("match"), cut(cases))).parse(input)?;
    Ok((rest, Expr { kind: ExprKind::Match { value: Box::new(value), arms }, span }))
}

fn negated(input: Tokens<'_>) -> Parsed<'_, Expr> {
    let inner = preceded(token("not"), cut(|input| climb(input, operators::PREFIX)));
    let (rest, (inner, span)) = spanned(inner).parse(input)?;
    Ok((rest, Expr { kind: ExprKind::Not(Box::new(inner)), span }))
}

fn opposite(input: Tokens<'_>) -> Parsed<'_, Expr> {
    let inner = preceded(token("-"), cut(|input| climb(input, operators::NEGATION)));
    let (rest, (inner, span)) = spanned(inner).parse(input)?;
    Ok((rest, Expr { kind: ExprKind::Neg(Box::new(inner)), span }))
}

fn temporal(input: Tokens<'_>) -> Parsed<'_, Expr> {
    let operator = TEMPORAL.iter().find(|(_, spelling)| input.first().is(spelling));
    let Some(&(op, spelling)) = operator else {
        return input.unexpected(Expected::Thing("a temporal operator"));
    };
    let (mut after, _) = token(spelling).parse(input)?;
    let mut fair = Vec::new();
    if op == TemporalOp::ExistsAlways && has_fairness(&after) {
        (after, fair) = cut(list("{", expression, "}")).parse(after)?;
    }
    let (rest, inner) = cut(|input| climb(input, operators::PREFIX)).parse(after)?;
    let operands = std::iter::once(inner).chain(fair).collect();
    Ok((rest, Expr { kind: ExprKind::Temporal(op, operands), span: input.span_to(rest) }))
}

/// True if the braces at the front are fairness conditions, as in `EG{c} f`, and not a set: an operand follows them.
fn has_fairness(input: &Tokens<'_>) -> bool {
    let mut depth = 0usize;
    for ahead in 0.. {
        match (depth, input.peek(ahead).kind) {
            (_, Kind::Sign("{")) => depth += 1,
            (0, _) | (_, Kind::End) => return false,
            (1, Kind::Sign("}")) => return starts_operand(input, ahead + 1),
            (_, Kind::Sign("}")) => depth -= 1,
            _ => {}
        }
    }
    false
}

/// `next e`, in properties only; elsewhere `next` is an ordinary name.
pub(super) fn next(input: Tokens<'_>) -> Parsed<'_, Expr> {
    let rest = input.skip();
    let (after, inner) = cut(|input| climb(input, operators::PREFIX)).parse(rest)?;
    let kind = ExprKind::Temporal(TemporalOp::Next, vec![inner]);
    Ok((after, Expr { kind, span: input.span_to(after) }))
}

/// True if `next` at the front is the temporal operator: in a property, before something that can only be
/// an operand.
pub(super) fn is_next_operator(input: &Tokens<'_>) -> bool {
    input.state.grammar.temporal.get() && input.first().is_name("next") && starts_operand(input, 1)
}

/// True if the token `ahead` of the front can only begin an operand.
fn starts_operand(input: &Tokens<'_>, ahead: usize) -> bool {
    match input.peek(ahead).kind {
        Kind::Name | Kind::Integer(_) => true,
        Kind::Word("not") => !input.peek(ahead + 1).is("in"),
        Kind::Word(word) => {
            ["true", "false", "none", "some", "forall", "exists", "if", "map", "match", "action"]
                .contains(&word)
                || TEMPORAL.iter().any(|(_, spelling)| *spelling == word)
        }
        Kind::Sign("(") => true,
        Kind::Foreign(foreign) => foreign.instead == Some("not"),
        _ => false,
    }
}

/// `(e)`; an error inside gives [`ExprKind::Error`].
pub(super) fn parenthesised(input: Tokens<'_>) -> Parsed<'_, Expr> {
    let (rest, (inner, span)) = spanned(enclosed("(", cut(expression), ")")).parse(input)?;
    Ok((rest, Expr { kind: inner.map_or(ExprKind::Error, |inner| inner.kind), span }))
}

/// `{ a, b }` and `{ x in S : e }`.
pub(super) fn braces(input: Tokens<'_>) -> Parsed<'_, Expr> {
    let filters = input.peek(1).kind == Kind::Name && input.peek(2).is("in");
    let mut condition = None;
    let element = |input| {
        let (rest, element) = expression(input)?;
        if filters && rest.first().is(":") {
            let (rest, formula) = preceded(token(":"), cut(expression)).parse(rest)?;
            condition = Some(formula);
            return Ok((rest, element));
        }
        Ok((rest, element))
    };
    let (rest, (mut elements, span)) = spanned(list("{", element, "}")).parse(input)?;
    let Some(condition) = condition else {
        return Ok((rest, Expr { kind: ExprKind::Set(elements), span }));
    };
    let filtered = if elements.len() == 1 { elements.pop() } else { None };
    let kind = match filtered.map(|element| element.kind) {
        Some(ExprKind::Binary(BinaryOp::In, var, domain)) if matches!(var.kind, ExprKind::Name(_)) => {
            let (_, var) = map(name, |var| var).parse(input.skip())?;
            ExprKind::Filter { var, domain, cond: Box::new(condition) }
        }
        _ => {
            let help = "to select elements, write `{ x in S : condition }`";
            input.state.add(
                Diagnostic::error(span, "expected one variable and its domain before `:`").with_help(help),
            );
            ExprKind::Error
        }
    };
    Ok((rest, Expr { kind, span }))
}
