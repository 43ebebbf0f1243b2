//! Expressions and patterns.

use super::input::{ProcessParseResult, ProcessTokens, function_name, name, token};
use crate::process::text::OPERATOR_WORDS;
use crate::process::text::tree::{ExprSyntax, ExprSyntaxKind, PatternSyntax, PatternSyntaxKind, ProcessName};
use kit::parsing::{Expected, TokenKind, higher, nested, separated};
use nom::Parser;
use nom::branch::alt;
use nom::combinator::opt;
use nom::sequence::{delimited, preceded, separated_pair};

/// Binary operators by how tightly they bind, those that bind least first.
const LEVELS: &[&[&str]] = &[
    &["implies"],
    &["or", "xor"],
    &["and"],
    &["==", "!=", "<>", "<", "<=", ">", ">="],
    &["+", "-"],
    &["*", "/", "mod", "rem"],
    &["^"],
];

pub fn expression(input: ProcessTokens<'_>) -> ProcessParseResult<'_, ExprSyntax> {
    nested(input, |input| level(input, 0))
}

fn node<'a>(from: ProcessTokens<'a>, to: ProcessTokens<'a>, kind: ExprSyntaxKind) -> ExprSyntax {
    ExprSyntax { id: from.state.grammar.fresh(), kind, span: from.span_to(to) }
}

fn level(input: ProcessTokens<'_>, binding: usize) -> ProcessParseResult<'_, ExprSyntax> {
    let Some(operators) = LEVELS.get(binding) else { return prefixed(input) };
    let (mut rest, mut left) = level(input, binding + 1)?;
    while let Some(spelling) = operators.iter().find(|operator| rest.at(operator)) {
        let operator = operator(operator_key(spelling), rest);
        let after = rest.skip();
        // `and then`, `or else`: all operators look at their right side only if it matters.
        let lazy = match *spelling {
            "and" => "then",
            "or" => "else",
            _ => "",
        };
        let after = if after.at(lazy) { after.skip() } else { after };
        let (after, right) = level(after, binding + 1)?;
        rest = after;
        higher(rest)?;
        left = node(input, rest, ExprSyntaxKind::Call(operator, vec![left, right]));
    }
    Ok((rest, left))
}

/// The name of the function that an operator is.
fn operator(key: &str, at: ProcessTokens<'_>) -> ProcessName {
    let first = at.first();
    ProcessName { key: key.to_owned(), shown: first.text.to_owned(), span: first.span }
}

fn operator_key(spelling: &str) -> &str {
    match spelling {
        "<>" => "!=",
        "and" => "AND",
        "or" => "OR",
        "xor" => "XOR",
        "implies" => "IMPLIES",
        "mod" => "MOD",
        "rem" => "REM",
        other => other,
    }
}

fn prefixed(input: ProcessTokens<'_>) -> ProcessParseResult<'_, ExprSyntax> {
    let key = match input.first().kind {
        TokenKind::Word("not") if stands_alone(input) => return postfixed(input),
        TokenKind::Word("not") => "NOT",
        TokenKind::Sign("-") => "-",
        TokenKind::Sign("+") => return nested(input.skip(), prefixed),
        _ => return postfixed(input),
    };
    let operator = operator(key, input);
    let (rest, operand) = nested(input.skip(), prefixed)?;
    Ok((rest, node(input, rest, ExprSyntaxKind::Call(operator, vec![operand]))))
}

fn postfixed(input: ProcessTokens<'_>) -> ProcessParseResult<'_, ExprSyntax> {
    let (mut rest, mut value) = primary(input)?;
    loop {
        let (after, kind) = if rest.at("of") {
            let (after, of) = name(rest.skip())?;
            (after, ExprSyntaxKind::Of(Box::new(value), of))
        } else if rest.at(".") && rest.second_at("{") {
            let field = separated_pair(name, alt((token("->"), token("=>"))), expression);
            let (after, fields) =
                delimited(token("{"), separated(",", field), token("}")).parse(rest.skip())?;
            (after, ExprSyntaxKind::Update(Box::new(value), fields))
        } else if rest.at(".") {
            let (after, field) = name(rest.skip())?;
            (after, ExprSyntaxKind::Field(Box::new(value), field))
        } else if rest.at("[") {
            let (after, place) = delimited(token("["), expression, token("]")).parse(rest)?;
            (after, element(input, after, "[]", vec![value, place]).kind)
        } else {
            return Ok((rest, value));
        };
        higher(after)?;
        (rest, value) = (after, node(input, after, kind));
    }
}

fn primary(input: ProcessTokens<'_>) -> ProcessParseResult<'_, ExprSyntax> {
    let first = input.first();
    match first.kind {
        TokenKind::Number(Some(value)) => {
            let rest = input.skip();
            Ok((rest, node(input, rest, ExprSyntaxKind::Number(value))))
        }
        TokenKind::Sign("(") => delimited(token("("), expression, token(")")).parse(input),
        TokenKind::Sign("{") => {
            let (rest, items) =
                delimited(token("{"), opt(separated(",", expression)), token("}")).parse(input)?;
            Ok((rest, node(input, rest, ExprSyntaxKind::List(items.unwrap_or_default()))))
        }
        TokenKind::Text => {
            let rest = input.skip();
            Ok((rest, node(input, rest, ExprSyntaxKind::Text(first.unquoted().to_owned()))))
        }
        TokenKind::Name => called(input),
        TokenKind::Word(word) if OPERATOR_WORDS.contains(&word) => called(input),
        _ => input.unexpected(Expected::Thing("an expression")),
    }
}

/// `x`, `f (e)`, `f [X] (e)`, `C (f -> e)`
fn called(input: ProcessTokens<'_>) -> ProcessParseResult<'_, ExprSyntax> {
    let (mut rest, name) = function_name(input)?;
    if let Ok((after, ())) = exceptions(rest)
        && after.at("(")
    {
        rest = after;
    }
    if names_fields(rest) {
        let field = separated_pair(self::name, token("->"), expression);
        let (rest, fields) = delimited(token("("), separated(",", field), token(")")).parse(rest)?;
        return Ok((rest, node(input, rest, ExprSyntaxKind::Named(name, fields))));
    }
    let arguments = delimited(token("("), opt(separated(",", expression)), token(")"));
    let (rest, arguments) = opt(arguments).parse(rest)?;
    let kind = match arguments.flatten() {
        None => ExprSyntaxKind::Name(name),
        Some(arguments) => ExprSyntaxKind::Call(name, arguments),
    };
    Ok((rest, node(input, rest, kind)))
}

/// True if arguments with the names of fields follow: `(f -> `.
fn names_fields(input: ProcessTokens<'_>) -> bool {
    input.at("(") && input.skip().first().kind == TokenKind::Name && input.skip().second_at("->")
}

/// The exceptions that a function is given: `[X, Y]`, `[A -> X, ...]`. They end the generation wherever they are raised, so
/// that nothing depends on their names.
pub fn exceptions(input: ProcessTokens<'_>) -> ProcessParseResult<'_, ()> {
    let one = alt((
        separated_pair(name, token("->"), name).map(|_| ()),
        name.map(|_| ()),
        token("...").map(|_| ()),
    ));
    delimited(token("["), separated(",", one), token("]")).map(|_| ()).parse(input)
}

/// True if nothing follows that an operator could be applied to: then its word is the name of a constructor.
fn stands_alone(input: ProcessTokens<'_>) -> bool {
    matches!(input.peek(1).kind, TokenKind::Sign("," | ")" | "}" | "]" | ";"))
}

/// An operation on an array: `[]` is one of its elements, `[]:=` the array with another one.
pub fn element<'a>(
    from: ProcessTokens<'a>,
    to: ProcessTokens<'a>,
    key: &str,
    operands: Vec<ExprSyntax>,
) -> ExprSyntax {
    let operation = ProcessName {
        key: key.to_owned(),
        shown: "an element by its place".to_owned(),
        span: from.span_to(to),
    };
    node(from, to, ExprSyntaxKind::Call(operation, operands))
}

pub fn pattern(input: ProcessTokens<'_>) -> ProcessParseResult<'_, PatternSyntax> {
    nested(input, |input| {
        let (rest, kind) = alt((any, constructed, number, text, list, parenthesised)).parse(input)?;
        let pattern = PatternSyntax { kind, span: input.span_to(rest) };
        if !rest.at("of") {
            return Ok((rest, pattern));
        }
        let (rest, of) = preceded(token("of"), name).parse(rest)?;
        Ok((
            rest,
            PatternSyntax { kind: PatternSyntaxKind::Of(Box::new(pattern), of), span: input.span_to(rest) },
        ))
    })
}

fn any(input: ProcessTokens<'_>) -> ProcessParseResult<'_, PatternSyntaxKind> {
    if !input.at("any") {
        return input.unexpected(Expected::Thing("a pattern"));
    }
    opt(name).map(PatternSyntaxKind::Any).parse(input.skip())
}

fn constructed(input: ProcessTokens<'_>) -> ProcessParseResult<'_, PatternSyntaxKind> {
    let Ok((rest, name)) = function_name(input) else {
        return input.unexpected(Expected::Thing("a pattern"));
    };
    if names_fields(rest) {
        let field = separated_pair(self::name, token("->"), pattern);
        let (rest, fields) = delimited(token("("), separated(",", field), token(")")).parse(rest)?;
        return Ok((rest, PatternSyntaxKind::Named(name, fields)));
    }
    let arguments = delimited(token("("), separated(",", pattern), token(")"));
    let (rest, arguments) = opt(arguments).parse(rest)?;
    Ok((
        rest,
        match arguments {
            None => PatternSyntaxKind::Name(name),
            Some(arguments) => PatternSyntaxKind::Constructed(name, arguments),
        },
    ))
}

fn number(input: ProcessTokens<'_>) -> ProcessParseResult<'_, PatternSyntaxKind> {
    let (digits, sign) = if input.at("-") { (input.skip(), -1) } else { (input, 1) };
    match digits.first().kind {
        TokenKind::Number(Some(value)) => Ok((digits.skip(), PatternSyntaxKind::Number(sign * value))),
        _ => input.unexpected(Expected::Thing("a pattern")),
    }
}

fn text(input: ProcessTokens<'_>) -> ProcessParseResult<'_, PatternSyntaxKind> {
    match input.first().kind {
        TokenKind::Text => Ok((input.skip(), PatternSyntaxKind::Text(input.first().unquoted().to_owned()))),
        _ => input.unexpected(Expected::Thing("a pattern")),
    }
}

fn list(input: ProcessTokens<'_>) -> ProcessParseResult<'_, PatternSyntaxKind> {
    if !input.at("{") {
        return input.unexpected(Expected::Thing("a pattern"));
    }
    let items = opt(separated(",", pattern)).map(|items| PatternSyntaxKind::List(items.unwrap_or_default()));
    delimited(token("{"), items, token("}")).parse(input)
}

fn parenthesised(input: ProcessTokens<'_>) -> ProcessParseResult<'_, PatternSyntaxKind> {
    if !input.at("(") {
        return input.unexpected(Expected::Thing("a pattern"));
    }
    delimited(token("("), pattern, token(")")).map(|inner| inner.kind).parse(input)
}
