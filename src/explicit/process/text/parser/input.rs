//! Process texts for the parser kit: tokens, names, what to do about unexpected tokens.

use crate::process::text::tree::{ExprId, ProcessName};
use crate::process::text::{ITEM_WORDS, OPERATOR_WORDS};
pub use kit::parsing::token;
use kit::parsing::{self, Expected, Token, TokenKind};
use std::cell::Cell;

pub type ProcessTokens<'a> = parsing::Tokens<'a, Token<'a>, Processes>;
/// The parser state of a process text.
pub type ProcessParserState<'a> = parsing::ParserState<'a, Token<'a>, Processes>;
pub type ProcessParseResult<'a, O> = parsing::Parsed<'a, Token<'a>, Processes, O>;

#[derive(Debug, Default)]
pub struct Processes {
    next_expr: Cell<u32>,
}

impl Processes {
    pub fn fresh(&self) -> ExprId {
        ExprId(self.next_expr.replace(self.next_expr.get() + 1))
    }
}

impl<'t> parsing::Grammar<Token<'t>> for Processes {
    const TOO_DEEP: &'static str = "move the inner parts to processes or functions of their own";
    const TOO_LONG: &'static str = "move parts of it to functions of their own";

    fn help(token: &Token<'t>, expected: &[Expected], _: Option<&Token<'t>>) -> Option<String> {
        let wanted = |thing| expected.contains(&Expected::Thing(thing));
        let text = match token.kind {
            TokenKind::Sign("=") => "write `:=` to assign and `==` to compare",
            TokenKind::Sign("!" | "?") => "put offers in parentheses, separated by commas: `G (!e, ?x)`",
            TokenKind::Sign("[]") => {
                "`[]` separates the branches of `select`; those of `par` are separated by `||`"
            }
            TokenKind::Sign("||") => {
                "`||` separates the branches of `par`; those of `select` are separated by `[]`"
            }
            TokenKind::Word("ensure") => {
                "`ensure E;` stands at the beginning, after `is`, as `require E;` does"
            }
            TokenKind::Word(_) if wanted("a behaviour") => "no behaviour starts with this keyword",
            TokenKind::Word(_) if wanted("a name") => "this is a keyword and cannot be used as a name",
            TokenKind::Foreign => "real numbers and character literals are not supported",
            TokenKind::Number(None) => "this number does not fit in a 64-bit integer",
            _ => return None,
        };
        Some(text.to_owned())
    }

    fn ends_brackets(input: parsing::Tokens<'_, Token<'t>, Self>) -> bool {
        matches!(input.first().kind, TokenKind::Word(word) if ITEM_WORDS.contains(&word))
    }
}

pub fn name(input: ProcessTokens<'_>) -> ProcessParseResult<'_, ProcessName> {
    match input.first().kind {
        TokenKind::Name => Ok((input.skip(), spelt(input))),
        _ => input.unexpected(Expected::Thing("a name")),
    }
}

/// The name of a constructor or a function: also that of an operator, such as `xor`.
pub fn function_name(input: ProcessTokens<'_>) -> ProcessParseResult<'_, ProcessName> {
    match input.first().kind {
        TokenKind::Word(word) if OPERATOR_WORDS.contains(&word) => Ok((input.skip(), spelt(input))),
        _ => name(input),
    }
}

pub fn spelt(input: ProcessTokens<'_>) -> ProcessName {
    let first = input.first();
    let shown = first.unquoted().to_owned();
    ProcessName { key: shown.to_ascii_uppercase(), shown, span: first.span }
}
