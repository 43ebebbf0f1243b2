//! Operands and postfix operators: `.f`, `[k]`, `(args)`, `@t`, `'`, `with (…)`.

use super::{braces, expression, is_next_operator, match_expression, next, parenthesised};
use crate::syntax::ast::{AstExpr, AstExprKind, Ident, TemporalOp};
use crate::syntax::parser::input::{Lookahead, ModelParseResult, ModelTokens, name, token};
use crate::syntax::parser::recovery::{list, not_empty};
use crate::syntax::token::SyntaxKind;
use kit::diagnostics::Diagnostic;
use kit::parsing::{Expected, enclosed, higher, labelled, nested};
use nom::Parser;
use nom::branch::alt;
use nom::combinator::{cut, map};
use nom::sequence::{preceded, separated_pair};

/// A primary expression with its postfix operators.
pub(super) fn postfixed(input: ModelTokens<'_>) -> ModelParseResult<'_, AstExpr> {
    if is_next_operator(&input) {
        return next(input);
    }
    extended(input, true)
}

/// A place: a postfix expression without `@`.
fn place(input: ModelTokens<'_>) -> ModelParseResult<'_, AstExpr> {
    extended(input, false)
}

fn extended(input: ModelTokens<'_>, at_positions: bool) -> ModelParseResult<'_, AstExpr> {
    let (mut rest, mut left) = if is_before(&input) { before(input)? } else { primary(input)? };
    loop {
        let (after, kind) = match rest.first().spelling() {
            Some("@") if !at_positions => return Ok((rest, left)),
            Some(".") => {
                let (after, field) = preceded(token("."), cut(field_name)).parse(rest)?;
                (after, AstExprKind::Field(Box::new(left), field))
            }
            Some("[") => index(rest, left)?,
            Some("(") => match callee(&left) {
                Some(path) => call(rest, path)?,
                None => return Ok((rest, left)),
            },
            Some("@") => {
                let (after, at) = preceded(token("@"), cut(position)).parse(rest)?;
                (after, AstExprKind::At(Box::new(left), Box::new(at)))
            }
            Some("'") => prime(rest, left)?,
            Some("with") => {
                let (after, fields) = preceded(token("with"), cut(field_values)).parse(rest)?;
                (after, AstExprKind::With(Box::new(left), fields))
            }
            _ => return Ok((rest, left)),
        };
        higher(after)?;
        (rest, left) = (after, AstExpr { kind, span: input.span_to(after) });
    }
}

/// True if `pre x` is at the front, without parentheses: two names side by side mean nothing else.
fn is_before(input: &ModelTokens<'_>) -> bool {
    let operand = input.peek(1);
    input.first().is_name("pre") && (operand.kind == SyntaxKind::Name || operand.is("action"))
}

/// `pre x`, `pre x[k].f`, which is the call `pre(x[k].f)`.
fn before(input: ModelTokens<'_>) -> ModelParseResult<'_, AstExpr> {
    nested(input, |input| {
        let (rest, word) = name(input)?;
        let (rest, read) = cut(place).parse(rest)?;
        let kind = AstExprKind::Call { path: vec![word], args: vec![read] };
        Ok((rest, AstExpr { kind, span: input.span_to(rest) }))
    })
}

/// The name of a field, after a dot.
pub(in crate::syntax::parser) fn field_name(input: ModelTokens<'_>) -> ModelParseResult<'_, Ident> {
    labelled("the name of a field", name).parse(input)
}

fn primary(input: ModelTokens<'_>) -> ModelParseResult<'_, AstExpr> {
    alt((literal, some, parenthesised, braces, brackets, match_expression)).parse(input)
}

/// `[a, b]`
fn brackets(input: ModelTokens<'_>) -> ModelParseResult<'_, AstExpr> {
    let (rest, elements) = list("[", expression, "]").parse(input)?;
    Ok((rest, AstExpr { kind: AstExprKind::List(elements), span: input.span_to(rest) }))
}

fn literal(input: ModelTokens<'_>) -> ModelParseResult<'_, AstExpr> {
    let first = input.first();
    let kind = match first.kind {
        SyntaxKind::Integer(value) => value.map_or(AstExprKind::Error, AstExprKind::Int),
        SyntaxKind::Name => AstExprKind::Name(first.text.to_string()),
        SyntaxKind::Text => AstExprKind::Text(first.unquoted().to_string()),
        // The label of a step, unless a declaration begins here.
        SyntaxKind::Word("action") if !input.at_item() => AstExprKind::Name("action".to_string()),
        // The type of truth values as a domain.
        SyntaxKind::Word("bool") => AstExprKind::Name("bool".to_string()),
        _ => match first.spelling() {
            Some(word @ ("true" | "false")) => {
                let (rest, _) = token(word).parse(input)?;
                return Ok((rest, AstExpr { kind: AstExprKind::Bool(word == "true"), span: first.span }));
            }
            Some("none") => AstExprKind::None,
            _ => return input.unexpected(Expected::Thing("an expression")),
        },
    };
    Ok((input.skip(), AstExpr { kind, span: first.span }))
}

fn some(input: ModelTokens<'_>) -> ModelParseResult<'_, AstExpr> {
    let (rest, inner) = preceded(token("some"), cut(enclosed("(", expression, ")"))).parse(input)?;
    let kind = inner.map_or(AstExprKind::Error, |inner| AstExprKind::Some(Box::new(inner)));
    Ok((rest, AstExpr { kind, span: input.span_to(rest) }))
}

/// `[k]`, and the path quantifiers `A[f U g]`, `E[f U g]`.
fn index(input: ModelTokens<'_>, left: AstExpr) -> ModelParseResult<'_, AstExprKind> {
    let until = match &left.kind {
        AstExprKind::Name(name) if name == "A" => Some(TemporalOp::AllUntil),
        AstExprKind::Name(name) if name == "E" => Some(TemporalOp::ExistsUntil),
        _ => None,
    };
    let inner = |input| {
        let (rest, first) = expression(input)?;
        if until.is_some() && rest.first().is_name("U") {
            let (rest, second) = cut(expression).parse(rest.skip())?;
            return Ok((rest, (first, Some(second))));
        }
        Ok((rest, (first, None)))
    };
    let (rest, inner) = cut(enclosed("[", inner, "]")).parse(input)?;
    let kind = match (inner, until) {
        (Some((first, Some(second))), Some(op)) => AstExprKind::Temporal(op, vec![first, second]),
        (Some((key, _)), _) => AstExprKind::Index(Box::new(left), Box::new(key)),
        (None, _) => AstExprKind::Error,
    };
    Ok((rest, kind))
}

/// The name, or alias and name, of a call.
fn callee(left: &AstExpr) -> Option<Vec<Ident>> {
    match &left.kind {
        AstExprKind::Name(_) => Some(vec![unparenthesised(left)?]),
        AstExprKind::Field(alias, name) => {
            let mut path = callee(alias)?;
            path.push(name.clone());
            Some(path)
        }
        _ => None,
    }
}

fn unparenthesised(expr: &AstExpr) -> Option<Ident> {
    match &expr.kind {
        AstExprKind::Name(name) if name.len() == (expr.span.end - expr.span.start) as usize => {
            Some(Ident { name: name.clone(), span: expr.span })
        }
        _ => None,
    }
}

/// The arguments of a definition, predicate or record.
fn call<'a>(input: ModelTokens<'a>, path: Vec<Ident>) -> ModelParseResult<'a, AstExprKind> {
    if input.peek(1).kind == SyntaxKind::Name && input.peek(2).is(":") {
        let (rest, fields) = cut(field_values).parse(input)?;
        let span = path[0].span.to(path[path.len() - 1].span);
        let name: Vec<String> = path.into_iter().map(|part| part.name).collect();
        return Ok((rest, AstExprKind::Record { name: Ident { name: name.join("."), span }, fields }));
    }
    let (rest, mut args) = cut(list("(", expression, ")")).parse(input)?;
    let kind = match path.as_slice() {
        [name] if name.name == "size" => {
            if args.len() == 1 {
                AstExprKind::Size(Box::new(args.remove(0)))
            } else {
                let message = "`size` has one argument, a set";
                let help = "write `size(S)`";
                input
                    .state
                    .add(Diagnostic::error(name.span.to(input.span_to(rest)), message).with_help(help));
                AstExprKind::Error
            }
        }
        [name] if name.name == "next" && !input.state.grammar.declares_next => {
            let help = match args.as_slice() {
                [AstExpr { kind: AstExprKind::Name(x), .. }] => format!("the next value of {x} is `{x}'`"),
                _ => {
                    "the next value of x is `x'`; in `ltl` properties, `next e` looks at the next step".into()
                }
            };
            input.state.add(Diagnostic::error(name.span, "`next` is not a function").with_help(help));
            AstExprKind::Error
        }
        _ => AstExprKind::Call { path, args },
    };
    Ok((rest, kind))
}

/// `(f: e, …)`
fn field_values(input: ModelTokens<'_>) -> ModelParseResult<'_, Vec<(Ident, AstExpr)>> {
    let field = separated_pair(field_name, cut(token(":")), cut(expression));
    not_empty("field", list("(", field, ")")).parse(input)
}

/// The position after `@`.
pub(super) fn position(input: ModelTokens<'_>) -> ModelParseResult<'_, AstExpr> {
    let kinds = alt((
        map(name, |t| AstExpr { span: t.span, kind: AstExprKind::Name(t.name) }),
        number,
        parenthesised,
    ));
    let kinds = labelled("a position", kinds);
    nested(input, kinds)
}

fn number(input: ModelTokens<'_>) -> ModelParseResult<'_, AstExpr> {
    match input.first().kind {
        SyntaxKind::Integer(_) => literal(input),
        _ => input.unexpected(Expected::Thing("a number")),
    }
}

/// The name that an expression is, also with dots.
fn qualified(expr: &AstExpr) -> Option<Ident> {
    match &expr.kind {
        AstExprKind::Field(inner, field) => {
            let inner = qualified(inner)?;
            Some(Ident { name: format!("{}.{}", inner.name, field.name), span: expr.span })
        }
        _ => unparenthesised(expr),
    }
}

/// `x'`; only a variable has a next value.
fn prime(input: ModelTokens<'_>, left: AstExpr) -> ModelParseResult<'_, AstExprKind> {
    let (rest, prime) = token("'").parse(input)?;
    if let Some(name) = qualified(&left) {
        return Ok((rest, AstExprKind::Primed(name)));
    }
    let mut root = &left;
    while let AstExprKind::Field(inner, _) | AstExprKind::Index(inner, _) = &root.kind {
        root = inner;
    }
    let (message, help) = match &root.kind {
        AstExprKind::Primed(x) => (
            "there is only one prime".to_string(),
            format!("`{}'` is the value after the step; later steps cannot be referred to", x.name),
        ),
        _ => {
            let text = input.state.grammar.text_at(left.span);
            let help = match unparenthesised(root) {
                Some(x) if root.span != left.span => {
                    let path = text.trim_start_matches('(').trim_end_matches(')').strip_prefix(&x.name);
                    format!(
                        "the prime comes right after the variable: `{}'{}`",
                        x.name,
                        path.unwrap_or_default()
                    )
                }
                _ => "write `x'` for each variable x of it".to_string(),
            };
            ("only a variable can be primed".to_string(), help)
        }
    };
    if left.kind != AstExprKind::Error {
        input.state.add(Diagnostic::error(prime.span, message).with_help(help));
    }
    Ok((rest, AstExprKind::Error))
}
