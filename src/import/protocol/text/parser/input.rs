//! The parser kit for protocol files: tokens, names, and help for unexpected tokens.

use crate::protocol::text::WORDS;
use kit::diagnostics::nearest_word;
pub use kit::parsing::token;
use kit::parsing::{self, Expected, Name, Token, TokenKind};

pub type ProtocolTokens<'a> = parsing::Tokens<'a, Token<'a>, Spdl>;
/// The state shared by the parsers of one text.
pub type ProtocolParserState<'a> = parsing::ParserState<'a, Token<'a>, Spdl>;
pub type ProtocolParsed<'a, O> = parsing::Parsed<'a, Token<'a>, Spdl, O>;

/// The elements of a file, a protocol and a role, in messages.
pub const ITEM: &str = "a protocol or declaration";
/// See [`ITEM`].
pub const MEMBER: &str = "a role or declaration";
/// See [`ITEM`].
pub const STEP: &str = "an event or declaration";
pub const NAME: &str = "a name";
pub const TERM: &str = "a term";

/// Words that are no keywords, with the keywords to write instead.
const OTHER_WORDS: &[(&str, &str)] = &[
    ("receive", "recv"),
    ("nomatch", "not match"),
    ("notmatch", "not match"),
    ("not-match", "not match"),
    ("hash", "hashfunction"),
    ("inversefunctions", "inversekeys"),
];

#[derive(Debug)]
pub struct Spdl;

impl<'t> parsing::Grammar<Token<'t>> for Spdl {
    const WHOLE: &'static str = "file";
    const TOO_DEEP: &'static str = "give the inner parts names with `macro`";
    const TOO_LONG: &'static str = "give parts of it names with `macro`";

    fn help(token: &Token<'t>, expected: &[Expected], _: Option<&Token<'t>>) -> Option<String> {
        let wanted = |thing| expected.contains(&Expected::Thing(thing));
        let statement = [ITEM, MEMBER, STEP].into_iter().any(wanted);
        let event = ["send", "recv", "read"].into_iter().find(|event| token.text.starts_with(event));
        Some(match token.kind {
            TokenKind::Sign("_") => "names have no underscores: write `-` instead".to_owned(),
            TokenKind::Sign("(") if expected.contains(&Expected::Token("=")) => {
                "macros have no parameters".to_owned()
            }
            TokenKind::Sign("(") if expected.contains(&Expected::Token("_")) => {
                "a label connects a sent message with a received one: `send_1(…)`, `recv_1(…)`".to_owned()
            }
            TokenKind::Sign("}") if wanted(ITEM) => "this brace closes nothing".to_owned(),
            TokenKind::Word(_) if wanted(NAME) || wanted(TERM) => {
                "this is a keyword and cannot be used as a name".to_owned()
            }
            TokenKind::Word("role") if wanted(ITEM) => {
                "roles belong between the braces of a protocol".to_owned()
            }
            TokenKind::Word("send" | "recv" | "read" | "claim" | "match" | "not" | "knows") if statement => {
                "events belong between the braces of a role".to_owned()
            }
            TokenKind::Word("trusted") => {
                "`trusted` has no meaning: agents are trusted if they are not `untrusted`".to_owned()
            }
            TokenKind::Word("protocol" | "usertype" | "untrusted" | "run" | "option" | "include")
                if statement =>
            {
                format!("`{}` belongs outside of protocols", token.text)
            }
            TokenKind::Name if statement => match event {
                Some(event) if token.text.len() > event.len() => {
                    format!("separate the label with `_`: `{event}_{}(…)`", &token.text[event.len()..])
                }
                _ => {
                    let meant = nearest_word(token.text, WORDS.iter().copied(), OTHER_WORDS)?;
                    format!("did you mean `{meant}`?")
                }
            },
            _ => return None,
        })
    }

    fn ends_brackets(input: parsing::Tokens<'_, Token<'t>, Self>) -> bool {
        matches!(input.first().kind, TokenKind::Word(_) | TokenKind::Sign(";"))
    }
}

pub fn name(input: ProtocolTokens<'_>) -> ProtocolParsed<'_, Name> {
    parsing::name(input, NAME)
}
