//! Input and helpers that the parsers of formulas share.

use crate::mucalc::text::Language;
use crate::mucalc::text::tree::TypedVariable;
use kit::parsing::{self, Expected, Token, TokenKind, enclosed, higher, name, separated, token};
use nom::Parser;

pub struct FormulaGrammar {
    /// How `a|b` is understood.
    pub language: Language,
}

pub type FormulaTokens<'a> = parsing::Tokens<'a, Token<'a>, FormulaGrammar>;
pub type FormulaParseResult<'a, O> = parsing::Parsed<'a, Token<'a>, FormulaGrammar, O>;

impl<'t> parsing::Grammar<Token<'t>> for FormulaGrammar {
    const WHOLE: &'static str = "formula";
    const TOO_DEEP: &'static str = "remove parentheses that are not needed";
    const TOO_LONG: &'static str = "split it into several formulas";

    fn help(token: &Token<'t>, expected: &[Expected], opening: Option<&Token<'t>>) -> Option<String> {
        let help = match token.text {
            "delay" | "yaled" | "@" => "time is not supported: there is none in an explicit system",
            "lambda" | "->" => "functions as values are not supported",
            "/" => "real numbers are not supported; `div` divides integers",
            "whr" => "write the value in the place of its name",
            ":" if opening.is_some_and(|opening| opening.text == "{") => {
                "sets are listed: `{1, 2}`; bags and comprehensions are not supported"
            }
            "!" => "put a label with values between double quotes: \"SEND !1\"",
            _ if matches!(token.kind, TokenKind::Word(_))
                && expected.contains(&Expected::Thing("an action")) =>
            {
                "this is a keyword: put a label of that name between double quotes"
            }
            _ => "examples: [true* . SEND . (not RECV)*] false, nu X . (<true>true && [true]X)",
        };
        Some(help.to_owned())
    }

    fn ends_brackets(_: parsing::Tokens<'_, Token<'t>, Self>) -> bool {
        false
    }
}

/// `x, y: T, z: U`
pub fn variables(input: FormulaTokens<'_>) -> FormulaParseResult<'_, Vec<TypedVariable>> {
    let (mut rest, mut all) = group(input)?;
    while rest.at(",") {
        let (after, more) = group(rest.skip())?;
        all.extend(more);
        rest = after;
    }
    Ok((rest, all))
}

/// `x, y: T`
fn group(input: FormulaTokens<'_>) -> FormulaParseResult<'_, Vec<TypedVariable>> {
    let (rest, names) = separated(",", |input| name(input, "a variable")).parse(input)?;
    let (rest, _) = token(":").parse(rest)?;
    let (rest, sort) = sort(rest)?;
    Ok((rest, names.into_iter().map(|name| TypedVariable { name, sort: sort.clone() }).collect()))
}

/// `Nat`, `List(Nat)`, `A # B -> C`: as it is written.
pub fn sort(input: FormulaTokens<'_>) -> FormulaParseResult<'_, String> {
    let (mut rest, mut text) = simple_sort(input)?;
    while let Some(&sign) = ["#", "->"].iter().find(|sign| rest.at(sign)) {
        higher(rest)?;
        let (after, next) = simple_sort(rest.skip())?;
        text = format!("{text} {sign} {next}");
        rest = after;
    }
    Ok((rest, text))
}

fn simple_sort(input: FormulaTokens<'_>) -> FormulaParseResult<'_, String> {
    let (rest, base) = name(input, "a sort")?;
    if !rest.at("(") {
        return Ok((rest, base.text));
    }
    let (rest, inner) = parsing::nested(rest, |rest| enclosed("(", sort, ")").parse(rest))?;
    Ok((rest, format!("{}({})", base.text, inner.unwrap_or_default())))
}
