//! Expressions and formulas, with the precedences of the manual of NuSMV 2.6.

use super::input::{EXPRESSION, Parsed, Tokens, name, token};
use crate::smv::text::tree::{Binary, Expr, ExprKind, Unary};
use kit::parsing::{Expected, Kind, higher, nested, separated};
use nom::Parser;
use nom::combinator::opt;
use nom::sequence::{delimited, pair, terminated};

/// Left-associative operators of one precedence; the levels below are in the order of increasing precedence.
type Level = &'static [(&'static str, Binary)];
const IFF: Level = &[("<->", Binary::Iff)];
const OR: Level = &[("|", Binary::Or), ("xor", Binary::Xor), ("xnor", Binary::Xnor)];
const AND: Level = &[("&", Binary::And)];
const UNTIL: Level = &[("U", Binary::Until), ("V", Binary::Release)];
const RELATIONAL: Level = &[
    ("=", Binary::Equal),
    ("!=", Binary::NotEqual),
    ("<=", Binary::LessEqual),
    (">=", Binary::GreaterEqual),
    ("<", Binary::Less),
    (">", Binary::Greater),
];
const IN: Level = &[("in", Binary::In)];
const UNION: Level = &[("union", Binary::Union)];
const SUM: Level = &[("+", Binary::Plus), ("-", Binary::Minus)];
const PRODUCT: Level = &[("*", Binary::Times), ("/", Binary::Divide), ("mod", Binary::Mod)];

/// Temporal operators with one operand.
const TEMPORAL: &[(&str, Unary)] = &[
    ("X", Unary::X),
    ("G", Unary::G),
    ("F", Unary::F),
    ("AX", Unary::AX),
    ("AG", Unary::AG),
    ("AF", Unary::AF),
    ("EX", Unary::EX),
    ("EG", Unary::EG),
    ("EF", Unary::EF),
];

/// Words and signs in expressions that are not supported, with alternatives.
const REFUSED: &[(&str, &str)] = &[
    ("::", WORDS),
    ("<<", WORDS),
    (">>", WORDS),
    ("word1", WORDS),
    ("extend", WORDS),
    ("resize", WORDS),
    ("signed", WORDS),
    ("sizeof", WORDS),
    ("swconst", WORDS),
    ("unsigned", WORDS),
    ("uwconst", WORDS),
    ("Y", PAST),
    ("Z", PAST),
    ("H", PAST),
    ("O", PAST),
    ("S", PAST),
    ("T", PAST),
    ("ABF", BOUNDED),
    ("ABG", BOUNDED),
    ("EBF", BOUNDED),
    ("EBG", BOUNDED),
    ("BU", BOUNDED),
    ("MIN", "leave out what is computed"),
    ("MAX", "leave out what is computed"),
    ("min", "write `a < b ? a : b`"),
    ("max", "write `a < b ? b : a`"),
    ("abs", "write `e < 0 ? -e : e`"),
];
const WORDS: &str = "words are not read; use ranges of integers or arrays of booleans";
const PAST: &str = "add a variable that remembers the past, and refer to it";
const BOUNDED: &str = "count steps with a variable, or repeat `X`, `AX` or `EX`";

fn node<'a>(from: Tokens<'a>, to: Tokens<'a>, kind: ExprKind) -> Expr {
    Expr { kind, span: from.span_to(to) }
}

/// Refuses an unsupported word or sign.
fn refused<O>(input: Tokens<'_>) -> Option<Parsed<'_, O>> {
    let (word, help) = REFUSED.iter().find(|(word, _)| input.at(word))?;
    Some(Err(input.mistake(format!("`{word}` is not supported"), help)))
}

/// Parses an expression or formula with any operator.
pub(super) fn expression(input: Tokens<'_>) -> Parsed<'_, Expr> {
    let outer = input.state.grammar.until_ends.replace(false);
    let read = nested(input, implication);
    input.state.grammar.until_ends.set(outer);
    read
}

/// Parses implications: `e -> f -> g` is `e -> (f -> g)`.
fn implication(input: Tokens<'_>) -> Parsed<'_, Expr> {
    let (mut rest, first) = equivalence(input)?;
    let mut all = vec![(input, first)];
    while rest.at("->") {
        let from = rest.skip();
        let (after, next) = equivalence(from)?;
        higher(after)?;
        all.push((from, next));
        rest = after;
    }
    let (_, mut right) = all.pop().expect("there is a first one");
    while let Some((from, left)) = all.pop() {
        right = node(from, rest, ExprKind::Binary(Binary::Implies, Box::new(left), Box::new(right)));
    }
    Ok((rest, right))
}

/// Parses operands with operators of one level between them.
fn left<'a>(
    input: Tokens<'a>,
    level: Level,
    operand: fn(Tokens<'a>) -> Parsed<'a, Expr>,
) -> Parsed<'a, Expr> {
    let (mut rest, mut left) = operand(input)?;
    while let Some((_, operator)) = level.iter().find(|(sign, _)| rest.at(sign)) {
        let (after, right) = operand(rest.skip())?;
        higher(after)?;
        rest = after;
        left = node(input, rest, ExprKind::Binary(*operator, Box::new(left), Box::new(right)));
    }
    Ok((rest, left))
}

fn equivalence(input: Tokens<'_>) -> Parsed<'_, Expr> {
    left(input, IFF, conditional)
}

/// Parses `c ? e : f`.
fn conditional(input: Tokens<'_>) -> Parsed<'_, Expr> {
    let (rest, condition) = disjunction(input)?;
    if !rest.at("?") {
        return Ok((rest, condition));
    }
    let (rest, then) = terminated(expression, token(":")).parse(rest.skip())?;
    let (rest, otherwise) = nested(rest, conditional)?;
    let kind = ExprKind::If(Box::new(condition), Box::new(then), Box::new(otherwise));
    Ok((rest, node(input, rest, kind)))
}

fn disjunction(input: Tokens<'_>) -> Parsed<'_, Expr> {
    left(input, OR, conjunction)
}

fn conjunction(input: Tokens<'_>) -> Parsed<'_, Expr> {
    left(input, AND, until)
}

fn until(input: Tokens<'_>) -> Parsed<'_, Expr> {
    if input.state.grammar.until_ends.get() {
        return temporal(input);
    }
    let (rest, formula) = left(input, UNTIL, temporal)?;
    match refused(rest) {
        Some(refusal) => refusal,
        None => Ok((rest, formula)),
    }
}

/// Parses `G f`, `! G f`, `A [f U g]`, or an expression without an outer temporal operator.
fn temporal(input: Tokens<'_>) -> Parsed<'_, Expr> {
    let operator = TEMPORAL.iter().find(|(word, _)| input.at(word)).map(|(_, operator)| *operator);
    let operator = operator.or_else(|| negates_temporal(input).then_some(Unary::Not));
    if let Some(operator) = operator {
        let (rest, operand) = nested(input.skip(), temporal)?;
        return Ok((rest, node(input, rest, ExprKind::Unary(operator, Box::new(operand)))));
    }
    let operator = match input.first().kind {
        Kind::Word("A") => Binary::AllUntil,
        Kind::Word("E") => Binary::ExistsUntil,
        _ => return left(input, RELATIONAL, membership),
    };
    let (rest, _) = token("[").parse(input.skip())?;
    let outer = rest.state.grammar.until_ends.replace(true);
    let before = nested(rest, implication).and_then(|(rest, f)| Ok((token("U").parse(rest)?.0, f)));
    rest.state.grammar.until_ends.set(outer);
    let (rest, f) = before?;
    let (rest, g) = terminated(expression, token("]")).parse(rest)?;
    Ok((rest, node(input, rest, ExprKind::Binary(operator, Box::new(f), Box::new(g)))))
}

/// True for one or more `!` before a temporal operator.
fn negates_temporal(input: Tokens<'_>) -> bool {
    let mut at = input;
    while at.at("!") {
        at = at.skip();
    }
    at.position() > input.position()
        && (at.at("A") || at.at("E") || TEMPORAL.iter().any(|(word, _)| at.at(word)))
}

fn membership(input: Tokens<'_>) -> Parsed<'_, Expr> {
    left(input, IN, |input| left(input, UNION, range))
}

/// Parses `lo..hi`, or an expression that is not a range.
fn range(input: Tokens<'_>) -> Parsed<'_, Expr> {
    let (rest, low) = range_bound(input)?;
    if !rest.at("..") {
        return Ok((rest, low));
    }
    let (rest, high) = range_bound(rest.skip())?;
    Ok((rest, node(input, rest, ExprKind::Binary(Binary::Range, Box::new(low), Box::new(high)))))
}

/// Parses a sum, as in the bounds of ranges.
pub(super) fn range_bound(input: Tokens<'_>) -> Parsed<'_, Expr> {
    let (rest, sum) = left(input, SUM, |input| left(input, PRODUCT, minus))?;
    match ["::", "<<", ">>"].iter().any(|sign| rest.at(sign)).then(|| refused(rest)).flatten() {
        Some(refusal) => refusal,
        None => Ok((rest, sum)),
    }
}

fn minus(input: Tokens<'_>) -> Parsed<'_, Expr> {
    if !input.at("-") {
        return not(input);
    }
    let (rest, operand) = nested(input.skip(), minus)?;
    Ok((rest, node(input, rest, ExprKind::Unary(Unary::Minus, Box::new(operand)))))
}

fn not(input: Tokens<'_>) -> Parsed<'_, Expr> {
    if !input.at("!") {
        return postfix(input);
    }
    let (rest, operand) = nested(input.skip(), not)?;
    Ok((rest, node(input, rest, ExprKind::Unary(Unary::Not, Box::new(operand)))))
}

/// Parses `a.b[i]`.
pub(super) fn postfix(input: Tokens<'_>) -> Parsed<'_, Expr> {
    let (mut rest, mut value) = primary(input)?;
    loop {
        let (after, kind) = if rest.at(".") {
            let (after, part) = name(rest.skip())?;
            (after, ExprKind::Dot(Box::new(value), part))
        } else if rest.at("[") {
            let (after, index) = expression(rest.skip())?;
            if after.at(":") {
                return Err(after.mistake("parts of words are not read", WORDS));
            }
            (token("]").parse(after)?.0, ExprKind::Index(Box::new(value), Box::new(index)))
        } else {
            return Ok((rest, value));
        };
        higher(after)?;
        (rest, value) = (after, node(input, after, kind));
    }
}

fn primary(input: Tokens<'_>) -> Parsed<'_, Expr> {
    let rest = input.skip();
    let one = |input| delimited(token("("), expression, token(")")).map(Box::new).parse(input);
    let list = |input| separated(",", expression)(input);
    let (rest, kind) = match input.first().kind {
        Kind::Word("TRUE") => (rest, ExprKind::Bool(true)),
        Kind::Word("FALSE") => (rest, ExprKind::Bool(false)),
        Kind::Number(Some(value)) => (rest, ExprKind::Number(value)),
        Kind::Name if rest.at("(") => {
            let help = "functions are not read; only `next`, `count`, `toint` and `bool` take arguments";
            return Err(input.mistake(format!("`{}` is no function", input.first().text), help));
        }
        Kind::Name => (rest, ExprKind::Name(input.first().text.to_owned())),
        Kind::Word("self") => (rest, ExprKind::Itself),
        Kind::Word("next") => one(rest).map(|(rest, e)| (rest, ExprKind::Next(e)))?,
        Kind::Word("toint") => one(rest).map(|(rest, e)| (rest, ExprKind::ToInt(e)))?,
        Kind::Word("bool") => one(rest).map(|(rest, e)| (rest, ExprKind::ToBool(e)))?,
        Kind::Word("count") => delimited(token("("), list, token(")")).map(ExprKind::Count).parse(rest)?,
        Kind::Word("case") => cases(input)?,
        Kind::Sign("(") => {
            let (rest, inner) = one(input)?;
            (rest, inner.kind)
        }
        Kind::Sign("{") => {
            let (rest, members) = delimited(token("{"), opt(list), token("}")).parse(input)?;
            match members {
                Some(members) => (rest, ExprKind::Set(members)),
                None => return Err(input.mistake("a set has a member", "write it between the braces")),
            }
        }
        Kind::Sign("[") => delimited(token("["), list, token("]")).map(ExprKind::Array).parse(input)?,
        _ => return refused(input).unwrap_or_else(|| input.unexpected(Expected::Thing(EXPRESSION))),
    };
    Ok((rest, node(input, rest, kind)))
}

/// Parses `case c : e; … esac`.
fn cases(input: Tokens<'_>) -> Parsed<'_, ExprKind> {
    let (mut rest, mut all) = (input.skip(), Vec::new());
    while all.is_empty() || !rest.at("esac") {
        let (after, case) =
            terminated(pair(terminated(expression, token(":")), expression), token(";")).parse(rest)?;
        all.push(case);
        rest = after;
    }
    Ok((rest.skip(), ExprKind::Case(all)))
}
