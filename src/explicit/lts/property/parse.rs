//! The text of a property.
//!
//! ```text
//! property := box { 'and' box }              box := '[' regular ']' 'false' | '(' property ')'
//! regular  := chain { '|' chain }            chain := repeated { '.' repeated }
//! repeated := action { '*' | '+' | '?' | '{' n '}' }
//! action   := both { 'or' both }             both := single { 'and' single }
//! single   := 'not' single | 'true' | 'false' | 'tau' | identifier | "label" | 'pattern' | '(' regular ')'
//! ```

use super::formula::{Action, Atom, Property, Regular};
use super::pattern::Pattern;
use super::token::{Kind, Token, lex};
use kit::diagnostics::{Diagnostic, SourceId, Span};
use kit::parsing::{self, Expected, enclosed, higher, nested, printable, separated, spanned, token};
use nom::Parser;
use nom::sequence::delimited;

/// The greatest n of `R{n}`.
const MOST_TIMES: u32 = 10_000;

/// Reads a property. What is wrong points into `source`, whose text this is.
///
/// # Errors
/// All mistakes that were found, at least one.
pub fn parse(source: SourceId, text: &str) -> Result<Property, Vec<Diagnostic>> {
    let (tokens, mistakes) = lex(source, text);
    let state = parsing::State::new(&tokens, Properties, mistakes);
    let forbidden = whole(state.tokens_from(0));
    let mistakes = state.into_diagnostics();
    if mistakes.is_empty() { Ok(Property { forbidden }) } else { Err(mistakes) }
}

/// The text of a property on one line, without its comments.
pub fn in_one_line(text: &str) -> String {
    let (tokens, _) = lex(SourceId::default(), text);
    let mut line = String::new();
    let mut end = 0;
    for token in tokens {
        if token.span.start > end && !line.is_empty() && token.kind != Kind::End {
            line.push(' ');
        }
        line.push_str(token.text);
        end = token.span.end;
    }
    line
}

/// The language of properties.
struct Properties;

type Tokens<'a> = parsing::Tokens<'a, Token<'a>, Properties>;
type Parsed<'a, O> = parsing::Parsed<'a, Token<'a>, Properties, O>;

impl<'t> parsing::Grammar<Token<'t>> for Properties {
    const TOO_DEEP: &'static str = "remove parentheses that are not needed";
    const TOO_LONG: &'static str = "split it into several properties";

    fn unexpected(
        state: &parsing::State<'_, Token<'t>, Self>,
        at: usize,
        expected: &[Expected],
        _: Option<&Token<'t>>,
    ) -> Option<Diagnostic> {
        let token = &state.tokens[at];
        let message = match token.kind {
            Kind::Unclosed => return None,
            Kind::End if at == 0 => "the property is empty".to_owned(),
            Kind::End => parsing::unexpected(expected, None, "property"),
            Kind::Sign => {
                let shown: String = token.text.chars().map(printable).collect();
                parsing::unexpected(expected, Some(&shown), "property")
            }
            _ => parsing::unexpected(expected, Some(token.text), "property"),
        };
        let help = match token.text {
            "!" => "put a label with values in quotes: \"SEND !1\"",
            _ => "example of a property: [ true* . SEND . (not RECV)* . 'ERROR.*' ] false",
        };
        Some(Diagnostic::error(token.span, message).with_help(help))
    }

    fn ends_brackets(input: parsing::Tokens<'_, Token<'t>, Self>) -> bool {
        input.at("and") && input.second_at("[")
    }
}

/// Everything that is forbidden; all mistakes are reported.
fn whole(input: Tokens<'_>) -> Vec<Regular> {
    let mut rest = input;
    loop {
        let failure = match property(rest) {
            Ok((after, forbidden)) if after.at_end() => return forbidden,
            Ok((after, _)) => after.fail(Expected::Thing("the end of the property")),
            Err(failure) => failure,
        };
        rest = input.state.report(failure, None);
        // Reading goes on with the next box; what it belongs to does not matter any more.
        while !rest.at_end() && !parsing::Grammar::ends_brackets(rest) {
            rest = rest.skip();
        }
        if rest.at_end() {
            return Vec::new();
        }
        rest = rest.skip();
    }
}

fn property(input: Tokens<'_>) -> Parsed<'_, Vec<Regular>> {
    let (rest, parts) = nested(input, |input| separated("and", conjunct).parse(input))?;
    Ok((rest, parts.into_iter().flatten().collect()))
}

fn conjunct(input: Tokens<'_>) -> Parsed<'_, Vec<Regular>> {
    if input.at("(") {
        return delimited(token("("), property, token(")")).parse(input);
    }
    let (rest, forbidden) = enclosed("[", regular, "]").parse(input)?;
    let (rest, _) = token("false").parse(rest)?;
    Ok((rest, forbidden.into_iter().collect()))
}

fn regular(input: Tokens<'_>) -> Parsed<'_, Regular> {
    let (rest, parts) = separated("|", chain).parse(input)?;
    Ok((rest, one_or(parts, Regular::Choice)))
}

fn chain(input: Tokens<'_>) -> Parsed<'_, Regular> {
    let (rest, parts) = separated(".", repeated).parse(input)?;
    Ok((rest, one_or(parts, Regular::Sequence)))
}

fn one_or(mut parts: Vec<Regular>, several: fn(Vec<Regular>) -> Regular) -> Regular {
    if parts.len() == 1 { parts.swap_remove(0) } else { several(parts) }
}

fn repeated(input: Tokens<'_>) -> Parsed<'_, Regular> {
    let (mut rest, mut regular) = either(input)?;
    loop {
        let repeat: fn(Box<Regular>) -> Regular = match rest.first().text {
            "*" => Regular::Star,
            "+" => Regular::Plus,
            "?" => Regular::Optional,
            "{" => {
                let (after, times) = delimited(token("{"), times, token("}")).parse(rest)?;
                higher(after)?;
                (rest, regular) = (after, Regular::Times(Box::new(regular), times));
                continue;
            }
            _ => return Ok((rest, regular)),
        };
        higher(rest)?;
        (rest, regular) = (rest.skip(), repeat(Box::new(regular)));
    }
}

fn times(input: Tokens<'_>) -> Parsed<'_, u32> {
    let number = input.first();
    if number.kind != Kind::Number {
        return input.unexpected(Expected::Thing("a number of repetitions"));
    }
    let times = number.text.parse().unwrap_or(u32::MAX);
    if times > MOST_TIMES {
        let message = format!("at most {MOST_TIMES} repetitions are possible");
        let help = "use `*` or `+` where the number does not matter";
        input.state.add(Diagnostic::error(number.span, message).with_help(help));
    }
    Ok((input.skip(), times))
}

fn either(input: Tokens<'_>) -> Parsed<'_, Regular> {
    joined(input, "or", both, Action::Or)
}

fn both(input: Tokens<'_>) -> Parsed<'_, Regular> {
    joined(input, "and", single, Action::And)
}

/// Parts with a word between them; a part alone need not be an action.
fn joined<'a>(
    input: Tokens<'a>,
    word: &'static str,
    part: fn(Tokens<'a>) -> Parsed<'a, Regular>,
    join: fn(Vec<Action>) -> Action,
) -> Parsed<'a, Regular> {
    let (rest, mut parts) = separated(word, spanned(part)).parse(input)?;
    if parts.len() == 1 {
        return Ok((rest, parts.swap_remove(0).0));
    }
    let actions = parts.into_iter().map(|(part, span)| action_of(part, span, input)).collect();
    Ok((rest, Regular::Action(join(actions))))
}

/// A regular formula in a place where only an action has a meaning.
fn action_of(regular: Regular, span: Span, input: Tokens<'_>) -> Action {
    if let Regular::Action(action) = regular {
        return action;
    }
    let message =
        "`not`, `and` and `or` combine single actions, but this is a sequence, a choice or a repetition";
    let help = "negate the actions inside; `not` binds more tightly than `*`: `not A*` means `(not A)*`";
    input.state.add(Diagnostic::error(span, message).with_help(help));
    Action::False
}

fn single(input: Tokens<'_>) -> Parsed<'_, Regular> {
    if input.at("not") {
        let (rest, (negated, span)) = nested(input.skip(), |input| spanned(single)(input))?;
        let action = action_of(negated, span, input);
        return Ok((rest, Regular::Action(Action::Not(Box::new(action)))));
    }
    if input.at("(") {
        let (rest, inner) = nested(input, |input| enclosed("(", regular, ")").parse(input))?;
        return Ok((rest, inner.unwrap_or(Regular::Action(Action::False))));
    }
    let first = input.first();
    let action = match (first.kind, first.text) {
        (Kind::Word, "true") => Action::True,
        (Kind::Word, "false") => Action::False,
        (Kind::Word, "tau") => Action::Atom(Atom::Invisible, first.span),
        (Kind::Word, "and" | "or") => return input.unexpected(Expected::Thing("an action")),
        (Kind::Word, name) => Action::Atom(Atom::Label(name.to_owned()), first.span),
        (Kind::Label, _) => Action::Atom(Atom::Label(first.unquoted().to_owned()), first.span),
        (Kind::Pattern, _) => pattern(first, input),
        _ => return input.unexpected(Expected::Thing("an action")),
    };
    Ok((input.skip(), Regular::Action(action)))
}

/// `'SEND.*'`
fn pattern(token: &Token<'_>, input: Tokens<'_>) -> Action {
    match Pattern::new(token.unquoted()) {
        Ok(pattern) => Action::Atom(Atom::Pattern(pattern), token.span),
        Err(message) => {
            let help = "put labels that are to be taken literally between double quotes";
            input.state.add(Diagnostic::error(token.span, message).with_help(help));
            Action::False
        }
    }
}
