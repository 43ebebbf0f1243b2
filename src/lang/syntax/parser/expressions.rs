//! Expressions: precedence climbing over operands parsed by nom.

mod binders;
mod postfix;

pub(super) use binders::bindings;
pub(super) use postfix::field_name;

use super::input::mistakes;
use super::input::{ModelParseResult, ModelTokens, name, token};
use super::matching::arm;
use super::recovery::list;
use crate::syntax::ast::{AstExpr, AstExprKind, AstTest, BinaryOp, Ident, Quantifier, TemporalOp};
use crate::syntax::operators::{self, Grouping, PrecedenceLevel, TEMPORAL};
use crate::syntax::token::SyntaxKind;
use kit::diagnostics::{Diagnostic, Span};
use kit::parsing::{Expected, ParserError, enclosed, higher, labelled, nested, separated, spanned};
use nom::branch::alt;
use nom::combinator::{cut, map, value};
use nom::sequence::preceded;
use nom::{Err, Parser};

/// An expression of any kind.
pub(super) fn expression(input: ModelTokens<'_>) -> ModelParseResult<'_, AstExpr> {
    within(input, false, rest_of_expression)
}

/// An expression that ends where the one around it does: the body of a quantifier, what follows `else`.
fn rest_of_expression(input: ModelTokens<'_>) -> ModelParseResult<'_, AstExpr> {
    climb(input, operators::IFF)
}

/// Parses something where `in` is an operator, or ends the value of a `let`.
fn within<'a, O>(
    input: ModelTokens<'a>,
    ended_by_in: bool,
    parser: impl FnOnce(ModelTokens<'a>) -> ModelParseResult<'a, O>,
) -> ModelParseResult<'a, O> {
    let flag = &input.state.grammar.ended_by_in;
    let before = flag.replace(ended_by_in);
    let result = parser(input);
    flag.set(before);
    result
}

/// The domain of a variable, or a type that is a range or a name: an expression whose outermost operator
/// is neither a comparison nor a logical operator.
pub(super) fn domain(input: ModelTokens<'_>) -> ModelParseResult<'_, AstExpr> {
    climb(input, operators::RANGE)
}

/// An operand and all operators to its right that bind at least as tightly as `loosest`.
fn climb(input: ModelTokens<'_>, loosest: PrecedenceLevel) -> ModelParseResult<'_, AstExpr> {
    nested(input, |input| {
        let (mut rest, mut left) = operand(input)?;
        let mut previous: Option<(Infix, Span)> = None;
        while let Some((after, infix)) = infix(rest, loosest)? {
            let grouping = operators::grouping(infix.level);
            let (after, right) = match &infix.action {
                InfixAction::Is(_) | InfixAction::Established { .. } => (after, None),
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
                    if left.kind != AstExprKind::Error {
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
                    AstExprKind::Error
                }
            };
            previous = Some((infix, end));
            left = AstExpr { kind, span };
            rest = after;
        }
        Ok((rest, left))
    })
}

/// An operator between two operands, or `is some` after one.
#[derive(Clone)]
struct Infix {
    action: InfixAction,
    level: PrecedenceLevel,
}

#[derive(Clone)]
enum InfixAction {
    Binary(BinaryOp),
    Range,
    /// `until`, `weak until` or `release`.
    Linear(TemporalOp),
    Is(AstTest),
    /// `established by` with a step, and `before` with a position.
    Established {
        by: AstExpr,
        before: AstExpr,
    },
}

impl InfixAction {
    fn apply(self, left: AstExpr, right: Option<AstExpr>) -> AstExprKind {
        match (self, right) {
            (InfixAction::Binary(op), Some(right)) => {
                AstExprKind::Binary(op, Box::new(left), Box::new(right))
            }
            (InfixAction::Range, Some(right)) => AstExprKind::Range(Box::new(left), Box::new(right)),
            (InfixAction::Linear(op), Some(right)) => AstExprKind::Temporal(op, vec![left, right]),
            (InfixAction::Is(test), None) => AstExprKind::Is { expr: Box::new(left), test },
            (InfixAction::Established { by, before }, None) => {
                AstExprKind::Established { value: Box::new(left), by: Box::new(by), before: Box::new(before) }
            }
            _ => AstExprKind::Error,
        }
    }

    fn name(&self) -> &'static str {
        match self {
            InfixAction::Binary(op) => operators::spelling(*op).0,
            InfixAction::Range => "..",
            InfixAction::Linear(op) => operators::linear(*op),
            InfixAction::Is(AstTest::Some) => "is some",
            InfixAction::Is(AstTest::None) => "is none",
            InfixAction::Is(AstTest::Constructor(_)) => "is",
            InfixAction::Established { .. } => "established by",
        }
    }
}

/// The operator at the front, if it binds at least as tightly as `loosest`, and the tokens after it.
fn infix<'a>(
    input: ModelTokens<'a>,
    loosest: PrecedenceLevel,
) -> Result<Option<(ModelTokens<'a>, Infix)>, Err<ParserError>> {
    if let Some((rest, op)) = linear(input) {
        let infix = Infix { action: InfixAction::Linear(op), level: operators::UNTIL };
        return Ok((operators::UNTIL >= loosest).then_some((rest, infix)));
    }
    if binders::is_established(&input) {
        let is_within = operators::PREFIX >= loosest;
        return is_within.then(|| binders::established(input)).transpose().map(|parsed| {
            let (rest, (by, before)) = parsed?;
            let action = InfixAction::Established { by, before };
            Some((rest, Infix { action, level: operators::PREFIX }))
        });
    }
    let Some(spelling) = input.first().spelling() else { return Ok(None) };
    let negated = spelling == "not" && input.peek(1).is("in");
    let (action, level) = match spelling {
        "not" if negated => (InfixAction::Binary(BinaryOp::NotIn), operators::COMPARISON),
        ".." => (InfixAction::Range, operators::RANGE),
        "is" => (InfixAction::Is(AstTest::Some), operators::COMPARISON),
        _ => match operators::binary(spelling) {
            Some((op, level)) => (InfixAction::Binary(op), level),
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
    } else if let InfixAction::Is(_) = action {
        let tests = (
            value(AstTest::Some, token("some")),
            value(AstTest::None, token("none")),
            labelled("a constructor", map(name, AstTest::Constructor)),
        );
        let (mut after, test) = cut(alt(tests)).parse(rest)?;
        if let (AstTest::Constructor(name), true) = (&test, after.first().is("(")) {
            let (end, _) = cut(list("(", expression, ")")).parse(after)?;
            let error = Diagnostic::error(after.span_to(end), "`is` names a constructor without its fields");
            let help = format!("write `m is {}`; `match` gives names to the fields", name.name);
            input.state.add(error.with_help(help));
            after = end;
        }
        (rest, action) = (after, InfixAction::Is(test));
    }
    Ok(Some((rest, Infix { action, level })))
}

/// The operator of linear time between two operands at the front, and the tokens after it. `weak` and `release` are names elsewhere: a
/// name cannot follow an operand.
fn linear(input: ModelTokens<'_>) -> Option<(ModelTokens<'_>, TemporalOp)> {
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

fn operand(input: ModelTokens<'_>) -> ModelParseResult<'_, AstExpr> {
    if let Some(binder) = binders::binder(&input) {
        return binder.parse(input);
    }
    if binders::is_never(&input) {
        return binders::never(input);
    }
    let kinds = alt((postfix::postfixed, quantified, conditional, map_builder, negated, opposite, temporal));
    labelled("an expression", kinds).parse(input)
}

fn quantified(input: ModelTokens<'_>) -> ModelParseResult<'_, AstExpr> {
    let quantifier =
        alt((value(Quantifier::Forall, token("forall")), value(Quantifier::Exists, token("exists"))));
    let (rest, ((quantifier, (groups, body)), span)) =
        spanned((quantifier, cut((groups, preceded(token(":"), rest_of_expression))))).parse(input)?;
    Ok((
        rest,
        nest(groups, body, span, |_, QuantifiedGroup { vars, domain }, body| AstExprKind::Quant {
            quantifier,
            vars,
            domain: Box::new(domain),
            body: Box::new(body),
        }),
    ))
}

/// Names with their domain.
pub(super) struct QuantifiedGroup {
    pub vars: Vec<Ident>,
    pub domain: AstExpr,
}

/// `x, y in S, z in T`
pub(super) fn groups(input: ModelTokens<'_>) -> ModelParseResult<'_, Vec<QuantifiedGroup>> {
    let vars = separated(",", name);
    let group = map((vars, preceded(token("in"), domain)), |(vars, domain)| QuantifiedGroup { vars, domain });
    separated(",", group).parse(input)
}

/// A form over several domains: one over the first of them, around one over each of the others. `make` is told which of them it is.
pub(super) fn nest(
    groups: Vec<QuantifiedGroup>,
    body: AstExpr,
    span: Span,
    make: impl Fn(usize, QuantifiedGroup, AstExpr) -> AstExprKind,
) -> AstExpr {
    let last = groups.len().saturating_sub(1);
    let inside = groups.into_iter().enumerate().rev().fold(body, |body, (at, group)| {
        let begin = group.vars.first().map_or(span, |var| var.span);
        let span = begin.to(body.span);
        AstExpr { kind: make(last - at, group, body), span }
    });
    AstExpr { span, ..inside }
}

fn conditional(input: ModelTokens<'_>) -> ModelParseResult<'_, AstExpr> {
    let choice =
        (expression, preceded(token("then"), expression), preceded(token("else"), rest_of_expression));
    let (rest, ((c, a, b), span)) = spanned(preceded(token("if"), cut(choice))).parse(input)?;
    Ok((rest, AstExpr { kind: AstExprKind::If(Box::new(c), Box::new(a), Box::new(b)), span }))
}

fn map_builder(input: ModelTokens<'_>) -> ModelParseResult<'_, AstExpr> {
    let parts = (name, preceded(token("in"), domain), preceded(token(":"), rest_of_expression));
    let (rest, ((var, domain, body), span)) = spanned(preceded(token("map"), cut(parts))).parse(input)?;
    Ok((
        rest,
        AstExpr { kind: AstExprKind::Map { var, domain: Box::new(domain), body: Box::new(body) }, span },
    ))
}

/// A `match` whose cases are expressions.
fn match_expression(input: ModelTokens<'_>) -> ModelParseResult<'_, AstExpr> {
    let cases = (expression, list("{", arm(expression), "}"));
    let (rest, ((value, arms), span)) = spanned(preceded(token("match"), cut(cases))).parse(input)?;
    Ok((rest, AstExpr { kind: AstExprKind::Match { value: Box::new(value), arms }, span }))
}

fn negated(input: ModelTokens<'_>) -> ModelParseResult<'_, AstExpr> {
    let inner = preceded(token("not"), cut(|input| climb(input, operators::PREFIX)));
    let (rest, (inner, span)) = spanned(inner).parse(input)?;
    Ok((rest, AstExpr { kind: AstExprKind::Not(Box::new(inner)), span }))
}

fn opposite(input: ModelTokens<'_>) -> ModelParseResult<'_, AstExpr> {
    let inner = preceded(token("-"), cut(|input| climb(input, operators::NEGATION)));
    let (rest, (inner, span)) = spanned(inner).parse(input)?;
    Ok((rest, AstExpr { kind: AstExprKind::Neg(Box::new(inner)), span }))
}

fn temporal(input: ModelTokens<'_>) -> ModelParseResult<'_, AstExpr> {
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
    Ok((rest, AstExpr { kind: AstExprKind::Temporal(op, operands), span: input.span_to(rest) }))
}

/// True if the braces at the front are fairness conditions, as in `EG{c} f`, and not a set: an operand follows them.
fn has_fairness(input: &ModelTokens<'_>) -> bool {
    let mut depth = 0usize;
    for ahead in 0.. {
        match (depth, input.peek(ahead).kind) {
            (_, SyntaxKind::Sign("{")) => depth += 1,
            (0, _) | (_, SyntaxKind::End) => return false,
            (1, SyntaxKind::Sign("}")) => return starts_operand(input, ahead + 1),
            (_, SyntaxKind::Sign("}")) => depth -= 1,
            _ => {}
        }
    }
    false
}

/// `next e`, in properties only; elsewhere `next` is an ordinary name.
pub(super) fn next(input: ModelTokens<'_>) -> ModelParseResult<'_, AstExpr> {
    let rest = input.skip();
    let (after, inner) = cut(|input| climb(input, operators::PREFIX)).parse(rest)?;
    let kind = AstExprKind::Temporal(TemporalOp::Next, vec![inner]);
    Ok((after, AstExpr { kind, span: input.span_to(after) }))
}

/// True if `next` at the front is the temporal operator: in a property, before something that can only be
/// an operand.
pub(super) fn is_next_operator(input: &ModelTokens<'_>) -> bool {
    input.state.grammar.temporal.get() && input.first().is_name("next") && starts_operand(input, 1)
}

/// True if the token `ahead` of the front can only begin an operand.
fn starts_operand(input: &ModelTokens<'_>, ahead: usize) -> bool {
    match input.peek(ahead).kind {
        SyntaxKind::Name | SyntaxKind::Integer(_) => true,
        SyntaxKind::Word("not") => !input.peek(ahead + 1).is("in"),
        SyntaxKind::Word(word) => {
            ["true", "false", "none", "some", "forall", "exists", "if", "map", "match", "action"]
                .contains(&word)
                || TEMPORAL.iter().any(|(_, spelling)| *spelling == word)
        }
        SyntaxKind::Sign("(") => true,
        SyntaxKind::Foreign(foreign) => foreign.instead == Some("not"),
        _ => false,
    }
}

/// `(e)`; an error inside gives [`AstExprKind::Error`].
pub(super) fn parenthesised(input: ModelTokens<'_>) -> ModelParseResult<'_, AstExpr> {
    let (rest, (inner, span)) = spanned(enclosed("(", cut(expression), ")")).parse(input)?;
    Ok((rest, AstExpr { kind: inner.map_or(AstExprKind::Error, |inner| inner.kind), span }))
}

/// `{ a, b }` and `{ x in S : e }`.
pub(super) fn braces(input: ModelTokens<'_>) -> ModelParseResult<'_, AstExpr> {
    let filters = input.peek(1).kind == SyntaxKind::Name && input.peek(2).is("in");
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
        return Ok((rest, AstExpr { kind: AstExprKind::Set(elements), span }));
    };
    let filtered = if elements.len() == 1 { elements.pop() } else { None };
    let kind = match filtered.map(|element| element.kind) {
        Some(AstExprKind::Binary(BinaryOp::In, var, domain)) if matches!(var.kind, AstExprKind::Name(_)) => {
            let (_, var) = map(name, |var| var).parse(input.skip())?;
            AstExprKind::Filter { var, domain, cond: Box::new(condition) }
        }
        _ => {
            let help = "to select elements, write `{ x in S : condition }`";
            input.state.add(
                Diagnostic::error(span, "expected one variable and its domain before `:`").with_help(help),
            );
            AstExprKind::Error
        }
    };
    Ok((rest, AstExpr { kind, span }))
}
