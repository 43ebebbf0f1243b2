//! The parser kit for SMV: tokens, names, and help for unexpected tokens.

use crate::smv::text::{SECTION_WORDS, WIDEST};
use kit::diagnostics::nearest;
pub(super) use kit::parsing::token;
use kit::parsing::{self, Expected, Name, Token, TokenKind};
use std::cell::Cell;

pub(super) type SmvTokens<'a> = parsing::Tokens<'a, Token<'a>, Smv>;
/// The state shared by the parsers of one text.
pub(super) type SmvParserState<'a> = parsing::ParserState<'a, Token<'a>, Smv>;
pub(super) type SmvParseResult<'a, O> = parsing::Parsed<'a, Token<'a>, Smv, O>;

pub(super) const NAME: &str = "a name";
pub(super) const EXPRESSION: &str = "an expression";
/// An element of a module, in messages.
pub(super) const SECTION: &str = "a section such as `VAR`";

#[derive(Debug, Default)]
pub(super) struct Smv {
    /// True if `U` belongs to the enclosing brackets: `A [f U g]`.
    pub until_ends: Cell<bool>,
}

impl<'t> parsing::Grammar<Token<'t>> for Smv {
    const WHOLE: &'static str = "model";
    const TOO_DEEP: &'static str = "give the inner parts names with `DEFINE`";
    const TOO_LONG: &'static str = "give parts of it names with `DEFINE`";

    fn help(token: &Token<'t>, expected: &[Expected], _: Option<&Token<'t>>) -> Option<String> {
        let wanted = |thing| expected.contains(&Expected::Thing(thing));
        Some(match token.kind {
            TokenKind::Number(None) => "this number does not fit in a 64-bit integer".to_owned(),
            TokenKind::Foreign => {
                format!("write a plain number, or a word of at most {WIDEST} bits such as `0ud8_255`")
            }
            TokenKind::Word(word) if SECTION_WORDS.contains(&word) => return None,
            TokenKind::Word(_) if wanted(NAME) => "this is a keyword and cannot be used as a name".to_owned(),
            TokenKind::Sign("=") if expected.contains(&Expected::Token(":=")) => "write `:=`".to_owned(),
            TokenKind::Sign("&") if wanted(EXPRESSION) => "`and` is a single `&`".to_owned(),
            TokenKind::Sign("|") if wanted(EXPRESSION) => "`or` is a single `|`".to_owned(),
            TokenKind::Sign("=") if wanted(EXPRESSION) => "equality is a single `=`".to_owned(),
            TokenKind::Name if wanted(SECTION) => {
                let meant = nearest(token.text, SECTION_WORDS.iter().copied())?;
                format!("did you mean `{meant}`?")
            }
            _ => return None,
        })
    }

    fn ends_brackets(input: parsing::Tokens<'_, Token<'t>, Self>) -> bool {
        begins_section(input) || input.at(";")
    }
}

/// True if a section or a module begins here.
pub(super) fn begins_section(input: SmvTokens<'_>) -> bool {
    matches!(input.first().kind, TokenKind::Word(word) if SECTION_WORDS.contains(&word))
}

pub(super) fn name(input: SmvTokens<'_>) -> SmvParseResult<'_, Name> {
    parsing::name(input, NAME)
}
