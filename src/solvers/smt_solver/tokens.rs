//! The tokens of SMT-LIB 2.6, section 3.1. What solvers read in different ways is none: a backslash before a quote or in a
//! quoted symbol, which older versions take for an escape, and control characters.

use nom::branch::alt;
use nom::bytes::complete::{tag, take_while, take_while1};
use nom::character::complete::{char, digit1, multispace0, one_of, satisfy};
use nom::combinator::{map, not, opt, recognize, value};
use nom::multi::{many0_count, many1_count};
use nom::sequence::{delimited, pair, preceded, terminated};
use nom::{IResult, Parser};
use std::fmt;

/// A token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SmtToken<'t> {
    /// `(`.
    Open,
    /// `)`.
    Close,
    /// A symbol or reserved word.
    Symbol(&'t str),
    /// A symbol between `|`, which are left out.
    Quoted(&'t str),
    /// A keyword, without its colon.
    Keyword(&'t str),
    /// A string, as it is written between its quotes.
    Text(&'t str),
    /// A number: `12`, `1.5`, `#b01`, `#x1f`.
    Constant(&'t str),
}

impl fmt::Display for SmtToken<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Open => f.write_str("("),
            Self::Close => f.write_str(")"),
            Self::Symbol(text) | Self::Constant(text) => f.write_str(text),
            Self::Quoted(text) => write!(f, "|{text}|"),
            Self::Keyword(text) => write!(f, ":{text}"),
            Self::Text(text) => write!(f, "\"{text}\""),
        }
    }
}

/// The tokens of a text with their places, in bytes.
pub struct SmtTokens<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> SmtTokens<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self { text, at: 0 }
    }

    /// Where the last token ends.
    pub(super) fn at(&self) -> usize {
        self.at
    }
}

impl<'t> Iterator for SmtTokens<'t> {
    /// A token and where it begins, or where something begins that is none.
    type Item = Result<(SmtToken<'t>, usize), usize>;

    fn next(&mut self) -> Option<Self::Item> {
        let rest = &self.text[self.at..];
        let rest = space(rest).map_or(rest, |(rest, ())| rest);
        let begin = self.text.len() - rest.len();
        if rest.is_empty() {
            return None;
        }
        Some(match token(rest) {
            Ok((rest, token)) => {
                self.at = self.text.len() - rest.len();
                Ok((token, begin))
            }
            Err(_) => {
                self.at = self.text.len();
                Err(begin)
            }
        })
    }
}

fn space(text: &str) -> IResult<&str, ()> {
    let comment = preceded(char(';'), take_while(|c| c != '\n' && c != '\r'));
    value((), pair(multispace0, many0_count(terminated(comment, multispace0)))).parse(text)
}

fn token(text: &str) -> IResult<&str, SmtToken<'_>> {
    alt((
        value(SmtToken::Open, char('(')),
        value(SmtToken::Close, char(')')),
        map(
            delimited(char('|'), take_while(|c| is_written(c) && !"|\\".contains(c)), char('|')),
            SmtToken::Quoted,
        ),
        map(delimited(char('"'), string, char('"')), SmtToken::Text),
        map(preceded(char(':'), take_while1(is_of_symbol)), SmtToken::Keyword),
        map(terminated(constant, not(satisfy(is_of_symbol))), SmtToken::Constant),
        map(recognize(pair(not(digit1), take_while1(is_of_symbol))), SmtToken::Symbol),
    ))
    .parse(text)
}

/// The text between the quotes of a string; two of them stand for one.
fn string(text: &str) -> IResult<&str, &str> {
    let plain = take_while1(|c| is_written(c) && !"\"\\".contains(c));
    let backslash = terminated(tag("\\"), not(char('"')));
    recognize(many0_count(alt((plain, backslash, tag("\"\""))))).parse(text)
}

fn constant(text: &str) -> IResult<&str, &str> {
    let binary = preceded(tag("#b"), many1_count(one_of("01")));
    let hexadecimal = preceded(tag("#x"), many1_count(one_of("0123456789abcdefABCDEF")));
    let decimal = pair(digit1, opt(pair(char('.'), digit1)));
    alt((recognize(binary), recognize(hexadecimal), recognize(decimal))).parse(text)
}

fn is_of_symbol(c: char) -> bool {
    c.is_ascii_alphanumeric() || "~!@$%^&*_-+=<>.?/".contains(c)
}

/// True if a character may be in strings and quoted symbols.
fn is_written(c: char) -> bool {
    !c.is_control() || "\t\r\n".contains(c)
}
