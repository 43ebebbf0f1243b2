//! Expressions and patterns.

use super::input::{Parsed, Tokens, function_name, name, token};
use crate::process::text::OPERATOR_WORDS;
use crate::process::text::tree::{Expr, ExprKind, Name, Pattern, PatternKind};
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

pub fn expression(input: Tokens<'_>) -> Parsed<'_, Expr> {
    nested(input, |input| level(input, 0))
}

fn node<'a>(from: Tokens<'a>, to: Tokens<'a>, kind: ExprKind) -> Expr {
    Expr { id: from.state.grammar.fresh(), kind, span: from.span_to(to) }
}

fn level(input: Tokens<'_>, binding: usize) -> Parsed<'_, Expr> {
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
        left = node(input, rest, ExprKind::Call(operator, vec![left, right]));
    }
    Ok((rest, left))
}

/// The name of the function that an operator is.
fn operator(key: &str, at: Tokens<'_>) -> Name {
    let first = at.first();
    Name { key: key.to_owned(), shown: first.text.to_owned(), span: first.span }
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

fn prefixed(input: Tokens<'_>) -> Parsed<'_, Expr> {
    let key = match input.first().kind {
        TokenKind::Word("not") if stands_alone(input) => return postfixed(input),
        TokenKind::Word("not") => "NOT",
        TokenKind::Sign("-") => "-",
        TokenKind::Sign("+") => return nested(input.skip(), prefixed),
        _ => return postfixed(input),
    };
    let operator = operator(key, input);
    let (rest, operand) = nested(input.skip(), prefixed)?;
    Ok((rest, node(input, rest, ExprKind::Call(operator, vec![operand]))))
}

fn postfixed(input: Tokens<'_>) -> Parsed<'_, Expr> {
    let (mut rest, mut value) = primary(input)?;
    loop {
        let (after, kind) = if rest.at("of") {
            let (after, of) = name(rest.skip())?;
            (after, ExprKind::Of(Box::new(value), of))
        } else if rest.at(".") && rest.second_at("{") {
            let field = separated_pair(name, alt((token("->"), token("=>"))), expression);
            let (after, fields) =
                delimited(token("{"), separated(",", field), token("}")).parse(rest.skip())?;
            (after, ExprKind::Update(Box::new(value), fields))
        } else if rest.at(".") {
            let (after, field) = name(rest.skip())?;
            (after, ExprKind::Field(Box::new(value), field))
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

fn primary(input: Tokens<'_>) -> Parsed<'_, Expr> {
    let first = input.first();
    match first.kind {
        TokenKind::Number(Some(value)) => {
            let rest = input.skip();
            Ok((rest, node(input, rest, ExprKind::Number(value))))
        }
        TokenKind::Sign("(") => delimited(token("("), expression, token(")")).parse(input),
        TokenKind::Sign("{") => {
            let (rest, items) =
                delimited(token("{"), opt(separated(",", expression)), token("}")).parse(input)?;
            Ok((rest, node(input, rest, ExprKind::List(items.unwrap_or_default()))))
        }
        TokenKind::Text => {
            let rest = input.skip();
            Ok((rest, node(input, rest, ExprKind::Text(first.unquoted().to_owned()))))
        }
        TokenKind::Name => called(input),
        TokenKind::Word(word) if OPERATOR_WORDS.contains(&word) => called(input),
        _ => input.unexpected(Expected::Thing("an expression")),
    }
}

/// `x`, `f (e)`, `f [X] (e)`, `C (f -> e)`
fn called(input: Tokens<'_>) -> Parsed<'_, Expr> {
    let (mut rest, name) = function_name(input)?;
    if let Ok((after, ())) = exceptions(rest)
        && after.at("(")
    {
        rest = after;
    }
    if names_fields(rest) {
        let field = separated_pair(self::name, token("->"), expression);
        let (rest, fields) = delimited(token("("), separated(",", field), token(")")).parse(rest)?;
        return Ok((rest, node(input, rest, ExprKind::Named(name, fields))));
    }
    let arguments = delimited(token("("), opt(separated(",", expression)), token(")"));
    let (rest, arguments) = opt(arguments).parse(rest)?;
    let kind = match arguments.flatten() {
        None => ExprKind::Name(name),
        Some(arguments) => ExprKind::Call(name, arguments),
    };
    Ok((rest, node(input, rest, kind)))
}

/// True if arguments with the names of fields follow: `(f -> `.
fn names_fields(input: Tokens<'_>) -> bool {
    input.at("(") && input.skip().first().kind == TokenKind::Name && input.skip().second_at("->")
}

/// The exceptions that a function is given: `[X, Y]`, `[A -> X, ...]`. They end the generation wherever they are raised, so
/// that nothing depends on their names.
pub fn exceptions(input: Tokens<'_>) -> Parsed<'_, ()> {
    let one = alt((
        separated_pair(name, token("->"), name).map(|_| ()),
        name.map(|_| ()),
        token("...").map(|_| ()),
    ));
    delimited(token("["), separated(",", one), token("]")).map(|_| ()).parse(input)
}

/// True if nothing follows that an operator could be applied to: then its word is the name of a constructor.
fn stands_alone(input: Tokens<'_>) -> bool {
    matches!(input.peek(1).kind, TokenKind::Sign("," | ")" | "}" | "]" | ";"))
}

/// An operation on an array: `[]` is one of its elements, `[]:=` the array with another one.
pub fn element<'a>(from: Tokens<'a>, to: Tokens<'a>, key: &str, operands: Vec<Expr>) -> Expr {
    let operation =
        Name { key: key.to_owned(), shown: "an element by its place".to_owned(), span: from.span_to(to) };
    node(from, to, ExprKind::Call(operation, operands))
}

pub fn pattern(input: Tokens<'_>) -> Parsed<'_, Pattern> {
    nested(input, |input| {
        let (rest, kind) = alt((any, constructed, number, text, list, parenthesised)).parse(input)?;
        let pattern = Pattern { kind, span: input.span_to(rest) };
        if !rest.at("of") {
            return Ok((rest, pattern));
        }
        let (rest, of) = preceded(token("of"), name).parse(rest)?;
        Ok((rest, Pattern { kind: PatternKind::Of(Box::new(pattern), of), span: input.span_to(rest) }))
    })
}

fn any(input: Tokens<'_>) -> Parsed<'_, PatternKind> {
    if !input.at("any") {
        return input.unexpected(Expected::Thing("a pattern"));
    }
    opt(name).map(PatternKind::Any).parse(input.skip())
}

fn constructed(input: Tokens<'_>) -> Parsed<'_, PatternKind> {
    let Ok((rest, name)) = function_name(input) else {
        return input.unexpected(Expected::Thing("a pattern"));
    };
    if names_fields(rest) {
        let field = separated_pair(self::name, token("->"), pattern);
        let (rest, fields) = delimited(token("("), separated(",", field), token(")")).parse(rest)?;
        return Ok((rest, PatternKind::Named(name, fields)));
    }
    let arguments = delimited(token("("), separated(",", pattern), token(")"));
    let (rest, arguments) = opt(arguments).parse(rest)?;
    Ok((
        rest,
        match arguments {
            None => PatternKind::Name(name),
            Some(arguments) => PatternKind::Constructed(name, arguments),
        },
    ))
}

fn number(input: Tokens<'_>) -> Parsed<'_, PatternKind> {
    let (digits, sign) = if input.at("-") { (input.skip(), -1) } else { (input, 1) };
    match digits.first().kind {
        TokenKind::Number(Some(value)) => Ok((digits.skip(), PatternKind::Number(sign * value))),
        _ => input.unexpected(Expected::Thing("a pattern")),
    }
}

fn text(input: Tokens<'_>) -> Parsed<'_, PatternKind> {
    match input.first().kind {
        TokenKind::Text => Ok((input.skip(), PatternKind::Text(input.first().unquoted().to_owned()))),
        _ => input.unexpected(Expected::Thing("a pattern")),
    }
}

fn list(input: Tokens<'_>) -> Parsed<'_, PatternKind> {
    if !input.at("{") {
        return input.unexpected(Expected::Thing("a pattern"));
    }
    let items = opt(separated(",", pattern)).map(|items| PatternKind::List(items.unwrap_or_default()));
    delimited(token("{"), items, token("}")).parse(input)
}

fn parenthesised(input: Tokens<'_>) -> Parsed<'_, PatternKind> {
    if !input.at("(") {
        return input.unexpected(Expected::Thing("a pattern"));
    }
    delimited(token("("), pattern, token(")")).map(|inner| inner.kind).parse(input)
}
