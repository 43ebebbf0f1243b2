//! What the parsers of formulas share.

use crate::mucalc::text::Language;
use crate::mucalc::text::token::{Kind, Token};
use crate::mucalc::text::tree::{Name, Variable};
use kit::diagnostics::Diagnostic;
use kit::parsing::{self, Expected, enclosed, higher, printable, separated, token};
use nom::Parser;

/// The language of formulas.
pub struct Formulas {
    /// How `a|b` is understood.
    pub language: Language,
}

pub type Tokens<'a> = parsing::Tokens<'a, Token<'a>, Formulas>;
pub type Parsed<'a, O> = parsing::Parsed<'a, Token<'a>, Formulas, O>;

impl<'t> parsing::Grammar<Token<'t>> for Formulas {
    const WHOLE: &'static str = "formula";
    const TOO_DEEP: &'static str = "remove parentheses that are not needed";
    const TOO_LONG: &'static str = "split it into several formulas";

    fn unexpected(
        state: &parsing::State<'_, Token<'t>, Self>,
        at: usize,
        expected: &[Expected],
        opening: Option<&Token<'t>>,
    ) -> Option<Diagnostic> {
        let token = &state.tokens[at];
        let message = match token.kind {
            Kind::Unclosed => return None,
            Kind::End if at == 0 => "the formula is empty".to_owned(),
            Kind::End => parsing::unexpected(expected, None, Self::WHOLE),
            Kind::Sign => {
                let shown: String = token.text.chars().map(printable).collect();
                parsing::unexpected(expected, Some(&shown), Self::WHOLE)
            }
            _ => parsing::unexpected(expected, Some(token.text), Self::WHOLE),
        };
        let help = match token.text {
            "delay" | "yaled" | "@" => "time is not supported: there is none in an explicit system",
            "lambda" | "->" => "functions as values are not supported",
            "/" => "real numbers are not supported; `div` divides integers",
            "whr" => "write the value in the place of its name",
            ":" if opening.is_some_and(|opening| opening.text == "{") => {
                "sets are listed: `{1, 2}`; bags and comprehensions are not supported"
            }
            _ => "examples: [true* . SEND . (not RECV)*] false, nu X . (<true>true && [true]X)",
        };
        let mistake = Diagnostic::error(token.span, message).with_help(help);
        Some(match opening {
            Some(opening) => mistake.with_related(opening.span, "opened here"),
            None => mistake,
        })
    }

    fn ends_brackets(_: parsing::Tokens<'_, Token<'t>, Self>) -> bool {
        false
    }
}

/// Words that are no names.
const KEYWORDS: [&str; 14] = [
    "true", "false", "and", "or", "not", "implies", "equ", "mu", "nu", "forall", "exists", "val", "in", "nil",
];

/// A name.
pub fn name<'a>(input: Tokens<'a>, thing: &'static str) -> Parsed<'a, Name> {
    let first = input.first();
    if first.kind != Kind::Word || KEYWORDS.contains(&first.text) {
        return input.unexpected(Expected::Thing(thing));
    }
    Ok((input.skip(), Name { text: first.text.to_owned(), span: first.span }))
}

/// `x, y: T, z: U`
pub fn variables(input: Tokens<'_>) -> Parsed<'_, Vec<Variable>> {
    let (mut rest, mut all) = group(input)?;
    while rest.at(",") {
        let (after, more) = group(rest.skip())?;
        all.extend(more);
        rest = after;
    }
    Ok((rest, all))
}

/// `x, y: T`
fn group(input: Tokens<'_>) -> Parsed<'_, Vec<Variable>> {
    let (rest, names) = separated(",", |input| name(input, "a variable")).parse(input)?;
    let (rest, _) = token(":").parse(rest)?;
    let (rest, sort) = sort(rest)?;
    Ok((rest, names.into_iter().map(|name| Variable { name, sort: sort.clone() }).collect()))
}

/// `Nat`, `List(Nat)`, `A # B -> C`: as it is written.
pub fn sort(input: Tokens<'_>) -> Parsed<'_, String> {
    let (mut rest, mut text) = simple_sort(input)?;
    while let Some(&sign) = ["#", "->"].iter().find(|sign| rest.at(sign)) {
        higher(rest)?;
        let (after, next) = simple_sort(rest.skip())?;
        text = format!("{text} {sign} {next}");
        rest = after;
    }
    Ok((rest, text))
}

fn simple_sort(input: Tokens<'_>) -> Parsed<'_, String> {
    let (rest, base) = name(input, "a sort")?;
    if !rest.at("(") {
        return Ok((rest, base.text));
    }
    let (rest, inner) = parsing::nested(rest, |rest| enclosed("(", sort, ")").parse(rest))?;
    Ok((rest, format!("{}({})", base.text, inner.unwrap_or_default())))
}
