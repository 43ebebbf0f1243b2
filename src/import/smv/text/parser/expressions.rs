//! Expressions and formulas, with the precedences of the manual of NuSMV 2.6.

use super::input::{EXPRESSION, SmvParseResult, SmvTokens, name, token};
use crate::smv::text::WIDEST;
use crate::smv::text::tree::{
    SmvBinary, SmvExpr, SmvExprKind, SmvFunction, SmvOp, Temporal, Unary, WordType,
};
use SmvBinary::Value;
use kit::diagnostics::Span;
use kit::parsing::{Expected, TokenKind, higher, nested, separated};
use nom::Parser;
use nom::combinator::opt;
use nom::sequence::{delimited, pair, terminated};

/// The most operands in a row that are joined one after the other.
const MOST_IN_A_ROW: usize = 64;

/// Left-associative operators of one precedence; the levels below are in the order of increasing precedence.
type SmvPrecedence = &'static [(&'static str, SmvBinary)];
const IFF: SmvPrecedence = &[("<->", Value(SmvOp::Iff))];
const OR: SmvPrecedence = &[("|", Value(SmvOp::Or)), ("xor", Value(SmvOp::Xor)), ("xnor", Value(SmvOp::Iff))];
const AND: SmvPrecedence = &[("&", Value(SmvOp::And))];
const UNTIL: SmvPrecedence = &[
    ("U", SmvBinary::Temporal(Temporal::Until)),
    ("V", SmvBinary::Temporal(Temporal::Release)),
    ("S", SmvBinary::Temporal(Temporal::Since)),
    ("T", SmvBinary::Temporal(Temporal::Triggered)),
];
const RELATIONAL: SmvPrecedence = &[
    ("=", Value(SmvOp::Equal)),
    ("!=", Value(SmvOp::NotEqual)),
    ("<=", Value(SmvOp::LessEqual)),
    (">=", Value(SmvOp::GreaterEqual)),
    ("<", Value(SmvOp::Less)),
    (">", Value(SmvOp::Greater)),
];
const IN: SmvPrecedence = &[("in", Value(SmvOp::In))];
const UNION: SmvPrecedence = &[("union", SmvBinary::Union)];
const SHIFT: SmvPrecedence = &[("<<", SmvBinary::ShiftLeft), (">>", SmvBinary::ShiftRight)];
const SUM: SmvPrecedence = &[("+", Value(SmvOp::Plus)), ("-", Value(SmvOp::Minus))];
const PRODUCT: SmvPrecedence =
    &[("*", Value(SmvOp::Times)), ("/", Value(SmvOp::Divide)), ("mod", Value(SmvOp::Mod))];
const CONCATENATION: SmvPrecedence = &[("::", SmvBinary::Concatenate)];

/// Temporal operators with one operand.
const TEMPORAL: &[(&str, Temporal)] = &[
    ("X", Temporal::Next),
    ("G", Temporal::Always),
    ("F", Temporal::Eventually),
    ("AX", Temporal::AllNext),
    ("AG", Temporal::AllAlways),
    ("AF", Temporal::AllEventually),
    ("EX", Temporal::ExistsNext),
    ("EG", Temporal::ExistsAlways),
    ("EF", Temporal::ExistsEventually),
    ("Y", Temporal::Yesterday),
    ("Z", Temporal::NotYesterdayNot),
    ("H", Temporal::Historically),
    ("O", Temporal::Once),
];

/// Operators of CTL for some numbers of steps, with those for any number.
const BOUNDED: &[(&str, Temporal)] = &[
    ("ABF", Temporal::AllEventually),
    ("ABG", Temporal::AllAlways),
    ("EBF", Temporal::ExistsEventually),
    ("EBG", Temporal::ExistsAlways),
];

const FUNCTIONS: &[(&str, SmvFunction)] = &[
    ("word1", SmvFunction::Word1),
    ("extend", SmvFunction::Extend),
    ("resize", SmvFunction::Resize),
    ("signed", SmvFunction::Signed),
    ("unsigned", SmvFunction::Unsigned),
    ("sizeof", SmvFunction::SizeOf),
    ("swconst", SmvFunction::SwConst),
    ("uwconst", SmvFunction::UwConst),
    ("min", SmvFunction::Min),
    ("max", SmvFunction::Max),
    ("abs", SmvFunction::Abs),
];

fn node<'a>(from: SmvTokens<'a>, to: SmvTokens<'a>, kind: SmvExprKind) -> SmvExpr {
    SmvExpr { kind, span: from.span_to(to) }
}

/// Parses an expression or formula with any operator.
pub(super) fn expression(input: SmvTokens<'_>) -> SmvParseResult<'_, SmvExpr> {
    let outer = input.state.grammar.until_ends.replace(false);
    let read = nested(input, implication);
    input.state.grammar.until_ends.set(outer);
    read
}

/// Parses implications: `e -> f -> g` is `e -> (f -> g)`.
fn implication(input: SmvTokens<'_>) -> SmvParseResult<'_, SmvExpr> {
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
        right = node(from, rest, SmvExprKind::Binary(Value(SmvOp::Implies), Box::new(left), Box::new(right)));
    }
    Ok((rest, right))
}

/// Parses operands with operators of one level between them.
fn left<'a>(
    input: SmvTokens<'a>,
    level: SmvPrecedence,
    operand: fn(SmvTokens<'a>) -> SmvParseResult<'a, SmvExpr>,
) -> SmvParseResult<'a, SmvExpr> {
    let (mut rest, mut left) = operand(input)?;
    // The parts before of a long row of one operator, whose order does not matter, each of a limited height.
    let mut before: Vec<(SmvBinary, SmvExpr)> = Vec::new();
    let mut count = 0;
    while let Some((_, operator)) = level.iter().find(|(sign, _)| rest.at(sign)) {
        let (after, right) = operand(rest.skip())?;
        if before.last().is_some_and(|(other, _)| other != operator) {
            left = joined_all(&mut before, left);
        }
        rest = after;
        count += 1;
        if count % MOST_IN_A_ROW == 0 && matches!(operator, Value(SmvOp::And | SmvOp::Or)) {
            before.push((*operator, std::mem::replace(&mut left, right)));
            higher(after)?;
            continue;
        }
        if before.is_empty() {
            higher(after)?;
        }
        left = joined(*operator, left, right);
    }
    Ok((rest, joined_all(&mut before, left)))
}

fn joined_all(before: &mut Vec<(SmvBinary, SmvExpr)>, last: SmvExpr) -> SmvExpr {
    before.drain(..).rev().fold(last, |last, (operator, part)| joined(operator, part, last))
}

fn joined(operator: SmvBinary, left: SmvExpr, right: SmvExpr) -> SmvExpr {
    let span = Span { end: right.span.end, ..left.span };
    SmvExpr { kind: SmvExprKind::Binary(operator, Box::new(left), Box::new(right)), span }
}

fn equivalence(input: SmvTokens<'_>) -> SmvParseResult<'_, SmvExpr> {
    left(input, IFF, conditional)
}

/// Parses `c ? e : f`.
fn conditional(input: SmvTokens<'_>) -> SmvParseResult<'_, SmvExpr> {
    let (rest, condition) = disjunction(input)?;
    if !rest.at("?") {
        return Ok((rest, condition));
    }
    let (rest, then) = terminated(expression, token(":")).parse(rest.skip())?;
    let (rest, otherwise) = nested(rest, conditional)?;
    let kind = SmvExprKind::If(Box::new(condition), Box::new(then), Box::new(otherwise));
    Ok((rest, node(input, rest, kind)))
}

fn disjunction(input: SmvTokens<'_>) -> SmvParseResult<'_, SmvExpr> {
    left(input, OR, conjunction)
}

fn conjunction(input: SmvTokens<'_>) -> SmvParseResult<'_, SmvExpr> {
    left(input, AND, until)
}

fn until(input: SmvTokens<'_>) -> SmvParseResult<'_, SmvExpr> {
    if input.state.grammar.until_ends.get() {
        return temporal(input);
    }
    left(input, UNTIL, temporal)
}

/// Parses `G f`, `! G f`, `A [f U g]`, or an expression without an outer temporal operator.
fn temporal(input: SmvTokens<'_>) -> SmvParseResult<'_, SmvExpr> {
    let operator = TEMPORAL.iter().find(|(word, _)| input.at(word)).map(|(_, operator)| *operator);
    let bounded = BOUNDED.iter().find(|(word, _)| input.at(word)).map(|(_, operator)| *operator);
    if let Some(operator) = bounded {
        let (rest, bounds) = bounds(input.skip(), "..")?;
        let (rest, operand) = nested(rest, temporal)?;
        return Ok((rest, node(input, rest, SmvExprKind::Bounded(operator, bounds, Box::new(operand)))));
    }
    if let Some(
        operator @ (Temporal::Eventually | Temporal::Always | Temporal::Once | Temporal::Historically),
    ) = operator
        && input.second_at("[")
    {
        let (rest, bounds) = bounds(input.skip().skip(), ",")?;
        let (rest, operand) = nested(token("]").parse(rest)?.0, temporal)?;
        return Ok((rest, node(input, rest, SmvExprKind::Bounded(operator, bounds, Box::new(operand)))));
    }
    let operator = operator.map(Unary::Temporal).or_else(|| negates_temporal(input).then_some(Unary::Not));
    if let Some(operator) = operator {
        let (rest, operand) = nested(input.skip(), temporal)?;
        return Ok((rest, node(input, rest, SmvExprKind::Unary(operator, Box::new(operand)))));
    }
    let operator = match input.first().kind {
        TokenKind::Word("A") => Temporal::AllUntil,
        TokenKind::Word("E") => Temporal::ExistsUntil,
        _ => return left(input, RELATIONAL, membership),
    };
    let (rest, _) = token("[").parse(input.skip())?;
    let outer = rest.state.grammar.until_ends.replace(true);
    let before = nested(rest, implication);
    rest.state.grammar.until_ends.set(outer);
    let (rest, f) = before?;
    let (rest, bounds) = match rest.at("BU") {
        true => bounds(rest.skip(), "..").map(|(rest, bounds)| (rest, Some(bounds)))?,
        false => (token("U").parse(rest)?.0, None),
    };
    let (rest, g) = terminated(expression, token("]")).parse(rest)?;
    let (f, g) = (Box::new(f), Box::new(g));
    let kind = match bounds {
        Some(bounds) => SmvExprKind::BoundedUntil(operator, bounds, f, g),
        None => SmvExprKind::Binary(SmvBinary::Temporal(operator), f, g),
    };
    Ok((rest, node(input, rest, kind)))
}

/// Parses two numbers of steps, `low..high` or `low, high`.
fn bounds<'a>(input: SmvTokens<'a>, between: &'static str) -> SmvParseResult<'a, (i64, i64)> {
    let number = |input: SmvTokens<'a>| match input.first().kind {
        TokenKind::Number(Some(value)) => Ok((input.skip(), value)),
        _ => input.unexpected(Expected::Thing("a number of steps")),
    };
    let (rest, low) = number(input)?;
    let (rest, high) = number(token(between).parse(rest)?.0)?;
    if low <= high {
        return Ok((rest, (low, high)));
    }
    Err(input.mistake("this range has no values", "its first bound is not above the second"))
}

/// True for one or more `!` before a temporal operator.
fn negates_temporal(input: SmvTokens<'_>) -> bool {
    let mut at = input;
    while at.at("!") {
        at = at.skip();
    }
    at.position() > input.position()
        && (at.at("A") || at.at("E") || TEMPORAL.iter().any(|(word, _)| at.at(word)))
}

fn membership(input: SmvTokens<'_>) -> SmvParseResult<'_, SmvExpr> {
    left(input, IN, |input| left(input, UNION, range))
}

/// Parses `lo..hi`, or an expression that is not a range.
fn range(input: SmvTokens<'_>) -> SmvParseResult<'_, SmvExpr> {
    let (rest, low) = range_bound(input)?;
    if !rest.at("..") {
        return Ok((rest, low));
    }
    let (rest, high) = range_bound(rest.skip())?;
    Ok((rest, node(input, rest, SmvExprKind::Binary(SmvBinary::Range, Box::new(low), Box::new(high)))))
}

/// Parses a sum, as in the bounds of ranges.
pub(super) fn range_bound(input: SmvTokens<'_>) -> SmvParseResult<'_, SmvExpr> {
    left(input, SHIFT, |input| {
        left(input, SUM, |input| left(input, PRODUCT, |input| left(input, CONCATENATION, minus)))
    })
}

fn minus(input: SmvTokens<'_>) -> SmvParseResult<'_, SmvExpr> {
    if !input.at("-") {
        return not(input);
    }
    let (rest, operand) = nested(input.skip(), minus)?;
    Ok((rest, node(input, rest, SmvExprKind::Unary(Unary::Minus, Box::new(operand)))))
}

fn not(input: SmvTokens<'_>) -> SmvParseResult<'_, SmvExpr> {
    if !input.at("!") {
        return postfix(input);
    }
    let (rest, operand) = nested(input.skip(), not)?;
    Ok((rest, node(input, rest, SmvExprKind::Unary(Unary::Not, Box::new(operand)))))
}

/// Parses `a.b[i]`.
pub(super) fn postfix(input: SmvTokens<'_>) -> SmvParseResult<'_, SmvExpr> {
    let (mut rest, mut value) = primary(input)?;
    loop {
        let (after, kind) = if rest.at(".") {
            let (after, part) = name(rest.skip())?;
            (after, SmvExprKind::Dot(Box::new(value), part))
        } else if rest.at("[") {
            let (after, index) = expression(rest.skip())?;
            if after.at(":") {
                let (after, low) = terminated(expression, token("]")).parse(after.skip())?;
                (after, SmvExprKind::Bits(Box::new(value), Box::new(index), Box::new(low)))
            } else {
                (token("]").parse(after)?.0, SmvExprKind::Index(Box::new(value), Box::new(index)))
            }
        } else {
            return Ok((rest, value));
        };
        higher(after)?;
        (rest, value) = (after, node(input, after, kind));
    }
}

fn primary(input: SmvTokens<'_>) -> SmvParseResult<'_, SmvExpr> {
    let rest = input.skip();
    let one = |input| delimited(token("("), expression, token(")")).map(Box::new).parse(input);
    let list = |input| separated(",", expression)(input);
    let (rest, kind) = match input.first().kind {
        TokenKind::Word("TRUE") => (rest, SmvExprKind::Bool(true)),
        TokenKind::Word("FALSE") => (rest, SmvExprKind::Bool(false)),
        TokenKind::Number(Some(value)) => (rest, SmvExprKind::Number(value)),
        TokenKind::Foreign => match word(input.first().text) {
            Some((ty, value)) => (rest, SmvExprKind::Word(ty, value)),
            None => return input.unexpected(Expected::Thing(EXPRESSION)),
        },
        TokenKind::Name if rest.at("(") => {
            let help = "functions are not read; only `next`, `count`, `toint` and `bool` take arguments";
            return Err(input.mistake(format!("`{}` is no function", input.first().text), help));
        }
        TokenKind::Name => (rest, SmvExprKind::Name(input.first().text.to_owned())),
        TokenKind::Word("self") => (rest, SmvExprKind::Itself),
        TokenKind::Word("next") => one(rest).map(|(rest, e)| (rest, SmvExprKind::Next(e)))?,
        TokenKind::Word("toint") => one(rest).map(|(rest, e)| (rest, SmvExprKind::ToInt(e)))?,
        TokenKind::Word("bool") => one(rest).map(|(rest, e)| (rest, SmvExprKind::ToBool(e)))?,
        TokenKind::Word("count") => {
            delimited(token("("), list, token(")")).map(SmvExprKind::Count).parse(rest)?
        }
        TokenKind::Word("case") => cases(input)?,
        TokenKind::Sign("(") => {
            let (rest, inner) = one(input)?;
            (rest, inner.kind)
        }
        TokenKind::Sign("{") => {
            let (rest, members) = delimited(token("{"), opt(list), token("}")).parse(input)?;
            match members {
                Some(members) => (rest, SmvExprKind::Set(members)),
                None => return Err(input.mistake("a set has a member", "write it between the braces")),
            }
        }
        TokenKind::Sign("[") => {
            delimited(token("["), list, token("]")).map(SmvExprKind::Array).parse(input)?
        }
        TokenKind::Word(name) => match FUNCTIONS.iter().find(|(own, _)| *own == name) {
            Some((_, function)) => {
                let arguments = delimited(token("("), list, token(")"));
                arguments.map(|arguments| SmvExprKind::Call(*function, arguments)).parse(rest)?
            }
            None => return input.unexpected(Expected::Thing(EXPRESSION)),
        },
        _ => return input.unexpected(Expected::Thing(EXPRESSION)),
    };
    Ok((rest, node(input, rest, kind)))
}

/// Reads a constant word: `0ud8_255`, `0b4_1010`, `0sh_f`.
fn word(text: &str) -> Option<(WordType, i64)> {
    let (head, digits) = text.strip_prefix('0')?.split_once('_')?;
    let (signed, head) = match head.strip_prefix('s') {
        Some(head) => (true, head),
        None => (false, head.strip_prefix('u').unwrap_or(head)),
    };
    let (radix, bits) = match head.chars().next()?.to_ascii_lowercase() {
        'b' => (2, 1),
        'o' => (8, 3),
        'd' => (10, 0),
        'h' => (16, 4),
        _ => return None,
    };
    let digits = digits.replace('_', "");
    let width = match &head[1..] {
        // Without a width, each digit has its bits.
        "" if bits > 0 => u32::try_from(digits.len()).ok()?.checked_mul(bits)?,
        width => width.parse().ok()?,
    };
    let value = i64::from_str_radix(&digits, radix).ok()?;
    let fits = (1..=WIDEST).contains(&width) && value >> width == 0;
    fits.then_some((WordType { signed, width }, value))
}

/// Parses `case c : e; … esac`.
fn cases(input: SmvTokens<'_>) -> SmvParseResult<'_, SmvExprKind> {
    let (mut rest, mut all) = (input.skip(), Vec::new());
    while all.is_empty() || !rest.at("esac") {
        let (after, case) =
            terminated(pair(terminated(expression, token(":")), expression), token(";")).parse(rest)?;
        all.push(case);
        rest = after;
    }
    Ok((rest.skip(), SmvExprKind::Case(all)))
}
