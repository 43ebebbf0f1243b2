//! Statements of actions.

use super::expressions::{QuantifiedGroup, bindings, expression, field_name, groups};
use super::input::{Lookahead, ModelParseResult, ModelTokens, name, qualified_name, token};
use super::matching::arm;
use super::recovery::{block, list, semicolon};
use super::words::STATEMENT_SYNONYMS;
use crate::syntax::ast::{AstExpr, AstExprKind, AstPathStep, Stmt, StmtKind, Target};
use crate::syntax::token::SyntaxKind;
use kit::parsing::{Expected, enclosed, labelled, nested, separated, spanned};
use nom::branch::alt;
use nom::combinator::{cut, map, opt};
use nom::sequence::{delimited, preceded, terminated};
use nom::{Err, Parser};

/// `{ statement … }`
pub(super) fn statements(input: ModelTokens<'_>) -> ModelParseResult<'_, Vec<Stmt>> {
    block("a statement", statement, ModelTokens::at_item).parse(input)
}

fn statement(input: ModelTokens<'_>) -> ModelParseResult<'_, Stmt> {
    nested(input, |input| {
        let kinds = alt((require, constrain, choice, match_statement, repetition, named, call, assignment));
        let (rest, (kind, span)) = spanned(labelled("a statement", kinds)).parse(input)?;
        Ok((rest, Stmt { kind, span }))
    })
}

fn end(input: ModelTokens<'_>) -> ModelParseResult<'_, ()> {
    semicolon(|input| input.at_statement() || input.at_item()).parse(input)
}

fn require(input: ModelTokens<'_>) -> ModelParseResult<'_, StmtKind> {
    delimited(token("require"), cut(expression), cut(end)).map(StmtKind::Require).parse(input)
}

fn constrain(input: ModelTokens<'_>) -> ModelParseResult<'_, StmtKind> {
    delimited(token("constrain"), cut(separated(",", expression)), cut(end))
        .map(StmtKind::Constrain)
        .parse(input)
}

fn choice(input: ModelTokens<'_>) -> ModelParseResult<'_, StmtKind> {
    let other = alt((|input| nested(input, choice_after_else), statements));
    let parts = (expression, statements, opt(preceded(token("else"), cut(other))));
    let (rest, (cond, then, otherwise)) = preceded(token("if"), cut(parts)).parse(input)?;
    Ok((rest, StmtKind::If { cond, then, otherwise: otherwise.unwrap_or_default() }))
}

/// A `match` whose cases are blocks of statements.
fn match_statement(input: ModelTokens<'_>) -> ModelParseResult<'_, StmtKind> {
    let body = |input| terminated(statements, opt(token(","))).parse(input);
    let cases = (expression, block("a case", arm(body), ModelTokens::at_item));
    let (rest, (value, arms)) = preceded(token("match"), cut(cases)).parse(input)?;
    Ok((rest, StmtKind::Match { value, arms }))
}

fn choice_after_else(input: ModelTokens<'_>) -> ModelParseResult<'_, Vec<Stmt>> {
    map(spanned(choice), |(kind, span)| vec![Stmt { kind, span }]).parse(input)
}

/// `forall x in T { … }`; of several names, one statement inside another.
fn repetition(input: ModelTokens<'_>) -> ModelParseResult<'_, StmtKind> {
    let (rest, (groups, body)) = preceded(token("forall"), cut((groups, statements))).parse(input)?;
    let span = input.span_to(rest);
    let each = |QuantifiedGroup { vars, domain }| vars.into_iter().map(move |var| (var, domain.clone()));
    let mut each = groups.into_iter().flat_map(each).collect::<Vec<_>>().into_iter();
    let Some((first, over)) = each.next() else { return rest.unexpected(Expected::Thing("a name")) };
    let body = each.rev().fold(body, |body, (var, domain)| {
        vec![Stmt { kind: StmtKind::ForAll { var, domain: Box::new(domain), body }, span }]
    });
    Ok((rest, StmtKind::ForAll { var: first, domain: Box::new(over), body }))
}

/// `let x = e, y = f;`
fn named(input: ModelTokens<'_>) -> ModelParseResult<'_, StmtKind> {
    if !input.at_let() {
        return input.unexpected(Expected::Thing("a statement"));
    }
    terminated(bindings, cut(end)).map(StmtKind::Let).parse(input)
}

/// `o(a, b);` and `net.o(a, b);`
fn call(input: ModelTokens<'_>) -> ModelParseResult<'_, StmtKind> {
    let foreign = STATEMENT_SYNONYMS.iter().any(|(word, _)| input.first().is_name(word));
    let called = qualified_name(input).ok().filter(|(rest, _)| rest.first().is("(") && !foreign);
    let Some((rest, operation)) = called.filter(|(rest, _)| !is_assigned(*rest)) else {
        return input.unexpected(Expected::Thing("a statement"));
    };
    let (rest, args) = cut(terminated(list("(", expression, ")"), end)).parse(rest)?;
    Ok((rest, StmtKind::Call { operation, args }))
}

/// True if brackets here are followed by `=` or a prime: `m(k)' = e`, a place in the spelling of another language.
fn is_assigned(brackets: ModelTokens<'_>) -> bool {
    let (mut rest, mut depth) = (brackets, 0_usize);
    loop {
        match rest.first().kind {
            SyntaxKind::Sign("(" | "[" | "{") => depth += 1,
            SyntaxKind::Sign(")" | "]" | "}") => depth = depth.saturating_sub(1),
            SyntaxKind::Sign(";") | SyntaxKind::End => return false,
            _ => {}
        }
        rest = rest.skip();
        if depth == 0 {
            return rest.first().is("=") || rest.first().is("'");
        }
    }
}

/// `x'… = e;` and `x'… in S;`
fn assignment(input: ModelTokens<'_>) -> ModelParseResult<'_, StmtKind> {
    let primed = qualified_name(input).is_ok_and(|(rest, _)| rest.first().is("'"));
    if input.first().kind == SyntaxKind::Name && !primed && !assigns_without_prime(input) {
        return input.unexpected(Expected::Thing("a statement"));
    }
    let (rest, target) = target(input)?;
    let (rest, chosen) = cut(alt((map(token("="), |_| false), map(token("in"), |_| true)))).parse(rest)?;
    let (rest, value) = cut(terminated(expression, end)).parse(rest)?;
    let kind =
        if chosen { StmtKind::Choose { target, set: value } } else { StmtKind::Assign { target, value } };
    Ok((rest, kind))
}

fn target(input: ModelTokens<'_>) -> ModelParseResult<'_, Target> {
    // Without a prime after all of the name, the mistake is after its first part.
    let whole = qualified_name(input).ok().filter(|(rest, _)| rest.first().is("'"));
    let (rest, name) = whole.map_or_else(|| name(input), Ok)?;
    let (mut rest, _) = cut(token("'")).parse(rest)?;
    let mut path = Vec::new();
    loop {
        match step(rest) {
            Ok((after, step)) => {
                path.push(step);
                rest = after;
            }
            Err(Err::Error(_)) => return Ok((rest, Target { name, path, span: input.span_to(rest) })),
            Err(failure) => return Err(failure),
        }
    }
}

fn step(input: ModelTokens<'_>) -> ModelParseResult<'_, AstPathStep> {
    let index = map(enclosed("[", cut(expression), "]"), |key| {
        AstPathStep::Index(key.unwrap_or(AstExpr { kind: AstExprKind::Error, span: input.first().span }))
    });
    let field = map(preceded(token("."), cut(field_name)), AstPathStep::Field);
    alt((index, field)).parse(input)
}

/// True if this looks like `x = e`, `x[k] = e` or `x[k]' = e`, which lack the prime after the name.
fn assigns_without_prime(input: ModelTokens<'_>) -> bool {
    let (mut rest, mut depth) = (input.skip(), 0_usize);
    loop {
        match rest.first().kind {
            SyntaxKind::Sign("[" | "(") => depth += 1,
            SyntaxKind::Sign("]" | ")") if depth > 0 => depth -= 1,
            SyntaxKind::Sign(";" | "{" | "}") | SyntaxKind::Word("require") | SyntaxKind::End => {
                return false;
            }
            _ if depth == 0 && (rest.first().is("=") || rest.first().is("'")) => return true,
            SyntaxKind::Sign(".") | SyntaxKind::Name => {}
            _ if depth > 0 => {}
            _ => return false,
        }
        rest = rest.skip();
    }
}
