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
use crate::diagnostics::{Diagnostic, SourceId, Span};
use nom::branch::alt;
use nom::bytes::complete::{tag, take_until, take_while, take_while1};
use nom::character::complete::{char, digit1, multispace1};
use nom::combinator::{not, peek, recognize, value, verify};
use nom::error::{ErrorKind, ParseError};
use nom::multi::many0_count;
use nom::sequence::{delimited, pair, preceded, terminated};
use nom::{IResult, Parser};

/// Parentheses, negations and brackets inside each other at most.
const DEEPEST: usize = 200;

/// `R{n}` with at most this n.
const MOST_TIMES: u32 = 10_000;

/// Reads a property. What is wrong points into `source`, whose text this is.
///
/// # Errors
/// At least one diagnostic.
pub fn parse(source: SourceId, text: &str) -> Result<Property, Vec<Diagnostic>> {
    let input = In { source, end: text.len(), depth: 0 };
    match delimited(blanks, |i| input.property(i), end).parse(text) {
        Ok((_, forbidden)) => Ok(Property { forbidden }),
        Err(nom::Err::Error(mistake) | nom::Err::Failure(mistake)) => {
            Err(vec![mistake.diagnostic(&input, text)])
        }
        Err(nom::Err::Incomplete(_)) => Err(vec![Mistake::at(text).diagnostic(&input, text)]),
    }
}

/// The text of a property in one line, without its remarks.
pub fn in_one_line(text: &str) -> String {
    let (mut kept, mut rest) = (String::new(), text);
    while let Some(c) = rest.chars().next() {
        let length = match c {
            '"' | '\'' => quoted(rest, c).map_or(1, |(after, _)| rest.len() - after.len()),
            _ => c.len_utf8(),
        };
        match blanks(rest) {
            Ok((after, ())) if after.len() < rest.len() => {
                kept.push(' ');
                rest = after;
            }
            _ => {
                kept.push_str(&rest[..length]);
                rest = &rest[length..];
            }
        }
    }
    kept.trim().to_owned()
}

/// What went wrong at the furthest place that was reached; places are what is left of the text.
#[derive(Debug, Clone)]
struct Mistake<'a> {
    rest: &'a str,
    /// How long the place is, in bytes.
    length: usize,
    /// What would have been right there.
    expected: Vec<&'static str>,
    /// A sentence, where that is not all.
    message: Option<(String, Option<&'static str>)>,
}

impl<'a> Mistake<'a> {
    fn at(rest: &'a str) -> Self {
        Self { rest, length: 0, expected: Vec::new(), message: None }
    }

    fn expecting(rest: &'a str, what: &'static str) -> nom::Err<Self> {
        nom::Err::Error(Self { expected: vec![what], ..Self::at(rest) })
    }

    /// A mistake after which no other reading is tried.
    fn fatal(from: &'a str, to: &str, message: impl Into<String>, help: &'static str) -> nom::Err<Self> {
        let message = Some((message.into(), Some(help)));
        nom::Err::Failure(Self { length: from.len() - to.len(), message, ..Self::at(from) })
    }

    fn diagnostic(self, input: &In, text: &str) -> Diagnostic {
        let start = input.end - self.rest.len();
        let found = self.rest.trim_start().chars().next();
        let length =
            if self.length > 0 { self.length } else { self.rest.chars().next().map_or(0, char::len_utf8) };
        let span = Span::new(input.source, start, start + length);
        if let Some((message, help)) = self.message {
            let error = Diagnostic::error(span, message);
            return match help {
                Some(help) => error.with_help(help),
                None => error,
            };
        }
        let mut expected = self.expected;
        expected.dedup();
        let wanted = match expected.as_slice() {
            [] => "the property is not understood here".to_owned(),
            [one] => format!("expected {one}"),
            [all @ .., last] => format!("expected {} or {last}", all.join(", ")),
        };
        let message = match found {
            _ if text.trim().is_empty() => "the property is empty".to_owned(),
            None => format!("{wanted}, but the property ends here"),
            Some(c) => format!("{wanted}, but found `{c}`"),
        };
        Diagnostic::error(span, message)
            .with_help("a property looks like this: [ true* . SEND . (not RECV)* . 'ERROR.*' ] false")
    }
}

impl<'a> ParseError<&'a str> for Mistake<'a> {
    fn from_error_kind(input: &'a str, _: ErrorKind) -> Self {
        Self::at(input)
    }

    fn append(_: &'a str, _: ErrorKind, other: Self) -> Self {
        other
    }

    /// The one that got further; both where they got equally far.
    fn or(mut self, other: Self) -> Self {
        match self.rest.len().cmp(&other.rest.len()) {
            std::cmp::Ordering::Less => self,
            std::cmp::Ordering::Greater => other,
            std::cmp::Ordering::Equal => {
                self.expected.extend(other.expected);
                self.message = self.message.or(other.message);
                self
            }
        }
    }
}

type Parsed<'a, T> = IResult<&'a str, T, Mistake<'a>>;

/// Blanks and comments, `(* ... *)` and `-- ...`.
fn blanks(text: &str) -> Parsed<'_, ()> {
    let block = |i| match delimited(tag("(*"), take_until("*)"), tag("*)")).parse(i) {
        Err(nom::Err::Error(_)) if str::starts_with(i, "(*") => {
            Err(Mistake::fatal(i, &i[2..], "this comment is not closed", "close it with `*)`"))
        }
        other => other,
    };
    let line = preceded(tag("--"), take_while(|c| c != '\n'));
    value((), many0_count(alt((multispace1, block, line)))).parse(text)
}

fn end(text: &str) -> Parsed<'_, ()> {
    if text.is_empty() {
        Ok((text, ()))
    } else {
        Err(Mistake::expecting(text, "`and` or the end of the property"))
    }
}

/// A sign, and the blanks after it.
fn sign<'a>(
    sign: &'static str,
    name: &'static str,
) -> impl Parser<&'a str, Output = (), Error = Mistake<'a>> {
    move |i: &'a str| match i.strip_prefix(sign) {
        Some(rest) => blanks(rest),
        None => Err(Mistake::expecting(i, name)),
    }
}

fn identifier(text: &str) -> Parsed<'_, &str> {
    let first = take_while1(|c: char| c.is_alphabetic() || c == '_');
    recognize(pair(first, take_while(|c: char| c.is_alphanumeric() || c == '_'))).parse(text)
}

/// A keyword, and the blanks after it.
fn word<'a>(
    word: &'static str,
    name: &'static str,
) -> impl Parser<&'a str, Output = (), Error = Mistake<'a>> {
    move |i: &'a str| match verify(identifier, |found: &str| found == word).parse(i) {
        Ok((rest, _)) => blanks(rest),
        Err(_) => Err(Mistake::expecting(i, name)),
    }
}

/// A regular formula as far as it is read: whether it is one action only, matters to `not`, `and` and `or`.
fn action_of<'a>(regular: Regular, from: &'a str, to: &str) -> Result<Action, nom::Err<Mistake<'a>>> {
    match regular {
        Regular::Action(action) => Ok(action),
        _ => Err(Mistake::fatal(
            from,
            to,
            "`not`, `and` and `or` combine single actions, and this is a sequence or a repetition",
            "negate the actions inside; `not` binds more tightly than `*`, so that `not A*` is `(not A)*`",
        )),
    }
}

/// Parts with a separator between them; after a separator there has to be a part.
fn separated<'a, T>(
    text: &'a str,
    mut separator: impl Parser<&'a str, Output = (), Error = Mistake<'a>>,
    part: impl Fn(&'a str) -> Parsed<'a, T>,
) -> Parsed<'a, Vec<T>> {
    let (mut rest, first) = part(text)?;
    let mut parts = vec![first];
    while let Ok((after, ())) = separator.parse(rest) {
        let (end, next) = part(after)?;
        parts.push(next);
        rest = end;
    }
    Ok((rest, parts))
}

/// Where we are: what spans need, and how deep.
#[derive(Clone, Copy)]
struct In {
    source: SourceId,
    end: usize,
    depth: usize,
}

impl In {
    fn span(&self, from: &str, to: &str) -> Span {
        Span::new(self.source, self.end - from.len(), self.end - to.len())
    }

    fn deeper<'a>(&self, at: &'a str) -> Result<Self, nom::Err<Mistake<'a>>> {
        if self.depth >= DEEPEST {
            let help = "leave out parentheses that are not needed";
            return Err(Mistake::fatal(at, at, format!("this is nested more than {DEEPEST} deep"), help));
        }
        Ok(Self { depth: self.depth + 1, ..*self })
    }

    fn property<'a>(&self, text: &'a str) -> Parsed<'a, Vec<Regular>> {
        let inner = self.deeper(text)?;
        let single = |i| {
            let boxed = (
                delimited(sign("[", "`[`"), |i| inner.regular(i), sign("]", "`.`, `|` or `]`")),
                word("false", "`false`"),
            );
            let nested = delimited(sign("(", "`(`"), |i| inner.property(i), sign(")", "`)`"));
            alt((boxed.map(|(regular, ())| vec![regular]), nested)).parse(i)
        };
        let (rest, parts) = separated(text, word("and", "`and`"), single)?;
        Ok((rest, parts.into_iter().flatten().collect()))
    }

    fn regular<'a>(&self, text: &'a str) -> Parsed<'a, Regular> {
        let (rest, mut parts) = separated(text, sign("|", "`|`"), |i| self.chain(i))?;
        let regular = if parts.len() == 1 { parts.swap_remove(0) } else { Regular::Choice(parts) };
        Ok((rest, regular))
    }

    fn chain<'a>(&self, text: &'a str) -> Parsed<'a, Regular> {
        let (rest, mut parts) = separated(text, sign(".", "`.`"), |i| self.repeated(i))?;
        let regular = if parts.len() == 1 { parts.swap_remove(0) } else { Regular::Sequence(parts) };
        Ok((rest, regular))
    }

    fn repeated<'a>(&self, text: &'a str) -> Parsed<'a, Regular> {
        let (mut rest, mut regular) = self.either(text)?;
        let mut inner = *self;
        loop {
            if rest.starts_with(['*', '+', '?', '{']) {
                inner = inner.deeper(rest)?;
            }
            let repeat: Option<fn(Box<Regular>) -> Regular> = match rest.chars().next() {
                Some('*') => Some(Regular::Star),
                Some('+') => Some(Regular::Plus),
                Some('?') => Some(Regular::Optional),
                _ => None,
            };
            if let Some(repeat) = repeat {
                (rest, ()) = blanks(&rest[1..])?;
                regular = repeat(Box::new(regular));
            } else if let Some(counted) = rest.strip_prefix('{') {
                let (after, ()) = blanks(counted)?;
                let (after, times) =
                    terminated(digit1, blanks).parse(after).map_err(|_: nom::Err<Mistake<'_>>| {
                        Mistake::expecting(after, "a number of repetitions")
                    })?;
                let (after, ()) = sign("}", "`}`").parse(after)?;
                let times = times.parse().ok().filter(|&n| n <= MOST_TIMES).ok_or_else(|| {
                    let message = format!("there can be {MOST_TIMES} repetitions at most");
                    Mistake::fatal(counted, after, message, "use `*` or `+` where the number does not matter")
                })?;
                rest = after;
                regular = Regular::Times(Box::new(regular), times);
            } else {
                return Ok((rest, regular));
            }
        }
    }

    fn either<'a>(&self, text: &'a str) -> Parsed<'a, Regular> {
        self.joined(text, ("or", "`or`"), |i| self.both(i), Action::Or)
    }

    fn both<'a>(&self, text: &'a str) -> Parsed<'a, Regular> {
        self.joined(text, ("and", "`and`"), |i| self.single(i), Action::And)
    }

    /// Parts with a word between them; a part alone need not be an action.
    fn joined<'a>(
        &self,
        text: &'a str,
        (name, shown): (&'static str, &'static str),
        part: impl Fn(&'a str) -> Parsed<'a, Regular>,
        join: fn(Vec<Action>) -> Action,
    ) -> Parsed<'a, Regular> {
        let (mut rest, first) = part(text)?;
        if word(name, shown).parse(rest).is_err() {
            return Ok((rest, first));
        }
        let mut actions = vec![action_of(first, text, rest)?];
        while let Ok((after, ())) = word(name, shown).parse(rest) {
            let (end, next) = part(after)?;
            actions.push(action_of(next, after, end)?);
            rest = end;
        }
        Ok((rest, Regular::Action(join(actions))))
    }

    fn single<'a>(&self, text: &'a str) -> Parsed<'a, Regular> {
        if let Ok((after, ())) = word("not", "`not`").parse(text) {
            let (rest, negated) = self.deeper(text)?.single(after)?;
            let action = action_of(negated, after, rest)?;
            return Ok((rest, Regular::Action(Action::Not(Box::new(action)))));
        }
        if text.starts_with('(') {
            let inner = self.deeper(text)?;
            return delimited(sign("(", "`(`"), |i| inner.regular(i), sign(")", "`)`")).parse(text);
        }
        let (rest, action) = alt((|i| self.label(i), |i| self.pattern(i), |i| self.name(i)))
            .parse(text)
            .map_err(|error| match error {
                nom::Err::Error(_) => Mistake::expecting(text, "an action"),
                other => other,
            })?;
        let (rest, ()) = blanks(rest)?;
        Ok((rest, Regular::Action(action)))
    }

    /// `"SEND !1"`
    fn label<'a>(&self, text: &'a str) -> Parsed<'a, Action> {
        let (rest, label) = quoted(text, '"')?;
        Ok((rest, Action::Atom(Atom::Label(label.to_owned()), self.span(text, rest))))
    }

    /// `'SEND.*'`
    fn pattern<'a>(&self, text: &'a str) -> Parsed<'a, Action> {
        let (rest, pattern) = quoted(text, '\'')?;
        let pattern = Pattern::new(pattern).map_err(|message| {
            Mistake::fatal(text, rest, message, "for a label as it is, put it between double quotes")
        })?;
        Ok((rest, Action::Atom(Atom::Pattern(pattern), self.span(text, rest))))
    }

    /// `true`, `SEND`
    fn name<'a>(&self, text: &'a str) -> Parsed<'a, Action> {
        let (rest, name) = preceded(not(peek(char('"'))), identifier).parse(text)?;
        let action = match name {
            "true" => Action::True,
            "false" => Action::False,
            "tau" => Action::Atom(Atom::Invisible, self.span(text, rest)),
            "and" | "or" | "not" => return Err(Mistake::expecting(text, "an action")),
            name => Action::Atom(Atom::Label(name.to_owned()), self.span(text, rest)),
        };
        Ok((rest, action))
    }
}

/// What is between two equal quotes, in one line.
fn quoted(text: &str, quote: char) -> Parsed<'_, &str> {
    let (inner, _) = char(quote).parse(text)?;
    let end = inner.find([quote, '\n']).unwrap_or(inner.len());
    match inner[end..].strip_prefix(quote) {
        Some(rest) => Ok((rest, &inner[..end])),
        None => Err(Mistake::fatal(
            text,
            &inner[end..],
            "this quote is not closed in its line",
            "close it; a pattern that contains a single quote can have `.` for it",
        )),
    }
}
