//! Lists of names, texts and lists: the syntax of CPSA.

use crate::protocol::text::tree::Name;
use kit::diagnostics::{Diagnostic, SourceId, Span};
use kit::parsing::{Lexicon, TokenKind, prefix};

/// The most brackets around a name.
const MOST_NESTED: usize = 100;

/// The tokens of CPSA.
const CPSA: Lexicon = Lexicon {
    piece: name,
    words: &[],
    any_case: false,
    signs: &["(", ")"],
    synonyms: &[],
    quotes: &[('"', TokenKind::Text, "end it with `\"` on the same line")],
    line_comments: &[";"],
    block_comment: ("#|", "|#"),
    refused_line: None,
    help: "names are made of letters, digits and most signs",
};

fn name(text: &str) -> Option<(TokenKind, usize)> {
    let length = prefix(text, |c| c.is_ascii_graphic() && !"()\";".contains(c));
    (length > 0).then_some((TokenKind::Name, length))
}

/// A list, or a part of one.
#[derive(Debug, Clone)]
pub struct List {
    pub kind: ListKind,
    pub span: Span,
}

#[derive(Debug, Clone)]
pub enum ListKind {
    Name(String),
    /// A text between quotes, without them.
    Text(String),
    List(Vec<List>),
}

impl List {
    pub fn name(&self) -> Option<&str> {
        match &self.kind {
            ListKind::Name(name) => Some(name),
            _ => None,
        }
    }

    /// The name with its place.
    pub fn named(&self) -> Option<Name> {
        Some(Name { text: self.name()?.to_owned(), span: self.span })
    }

    pub fn parts(&self) -> &[List] {
        match &self.kind {
            ListKind::List(parts) => parts,
            _ => &[],
        }
    }

    /// The number of lists, names and texts in it.
    pub fn size(&self) -> usize {
        1 + self.parts().iter().map(List::size).sum::<usize>()
    }

    /// The name at the beginning of a list, and the rest.
    pub fn form(&self) -> Option<(&str, &[List])> {
        let (head, rest) = self.parts().split_first()?;
        Some((head.name()?, rest))
    }
}

/// Reads the lists of a text.
///
/// # Errors
/// Foreign signs, or the first bracket without a partner.
pub fn read(source: SourceId, text: &str) -> Result<Vec<List>, Vec<Diagnostic>> {
    let lexed = CPSA.lex(source, text);
    if !lexed.mistakes.is_empty() {
        return Err(lexed.mistakes);
    }
    let mut open: Vec<(Span, Vec<List>)> = Vec::new();
    let mut all = Vec::new();
    for token in &lexed.tokens {
        let kind = match token.kind {
            TokenKind::End => break,
            TokenKind::Sign("(") if open.len() >= MOST_NESTED => {
                let message = format!("nested more than {MOST_NESTED} levels deep");
                return Err(vec![Diagnostic::error(token.span, message).with_help("send it in parts")]);
            }
            TokenKind::Sign("(") => {
                open.push((token.span, Vec::new()));
                continue;
            }
            TokenKind::Sign(_) => match open.pop() {
                Some((begin, parts)) => {
                    let list = List { kind: ListKind::List(parts), span: begin.to(token.span) };
                    open.last_mut().map_or(&mut all, |(_, parts)| parts).push(list);
                    continue;
                }
                None => {
                    let mistake = Diagnostic::error(token.span, "`)` closes nothing");
                    return Err(vec![mistake.with_help("remove it, or add `(`")]);
                }
            },
            TokenKind::Text => ListKind::Text(token.unquoted().to_owned()),
            _ => ListKind::Name(token.text.to_owned()),
        };
        open.last_mut().map_or(&mut all, |(_, parts)| parts).push(List { kind, span: token.span });
    }
    match open.pop() {
        Some((begin, _)) => {
            Err(vec![Diagnostic::error(begin, "this list is not closed").with_help("add `)`")])
        }
        None => Ok(all),
    }
}
