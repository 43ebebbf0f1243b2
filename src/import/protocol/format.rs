//! The canonical layout of protocol files. Only white space and optional `;` change: comments and the tree are preserved.

use super::text::{SPDL, parse};
use kit::diagnostics::{Diagnostic, SourceId};
use kit::parsing::{Lexed, Token, TokenKind};

/// The number of columns beyond which statements are broken, if possible.
const WIDTH: usize = 100;

/// The indentation of a block, and of continuation lines.
const INDENT: usize = 4;

/// Formats a protocol file: one statement on each line, indented by four columns for each block; statements
/// wider than a hundred columns are broken between their terms. Comments keep their places between the
/// tokens, and runs of blank lines become one. Formatting is idempotent.
///
/// # Errors
/// The mistakes that prevent parsing, in the order of the text. The text is the source with number 0.
pub fn format(text: &str) -> Result<String, Vec<Diagnostic>> {
    let source = SourceId::default();
    let (_, mistakes) = parse(source, text);
    if !mistakes.is_empty() {
        return Err(mistakes);
    }
    let Lexed { mut tokens, comments, .. } = SPDL.lex(source, text);
    tokens.pop();
    tokens.extend(comments);
    tokens.sort_by_key(|token| token.span.start);
    let mut layout = ProtocolLayout::default();
    let mut end = 0;
    for token in tokens {
        layout.lines = text[end..token.span.start as usize].matches('\n').count();
        end = token.span.end as usize;
        match token.kind {
            TokenKind::Comment => layout.comment(&token),
            _ => layout.token(&token),
        }
    }
    Ok(layout.finish())
}

/// The last piece written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Last {
    /// Nothing, or the brace that opens a block.
    #[default]
    Opening,
    /// The end of a statement or block.
    Statement,
    Token(TokenKind),
    /// A comment up to the end of the line.
    LineComment,
    BlockComment,
}

/// A token of the current line, with a possible break before it.
#[derive(Debug)]
struct FormatToken {
    text: String,
    space: bool,
    may_break: bool,
}

#[derive(Debug, Default)]
struct ProtocolLayout {
    out: String,
    /// The current line, without its indentation.
    line: Vec<FormatToken>,
    indentation: usize,
    /// True if the line contains a comment: then it is not broken.
    commented: bool,
    last: Last,
    /// The number of line ends between the last piece and this one.
    lines: usize,
    /// The number of open blocks.
    blocks: usize,
    /// True within a statement.
    within: bool,
    /// True within the head of a block.
    head: bool,
    /// The number of open brackets of the statement.
    brackets: usize,
}

impl ProtocolLayout {
    fn token(&mut self, token: &Token<'_>) {
        match token.kind {
            // `;` is optional after a block or text.
            TokenKind::Sign(";") if !self.within => {}
            TokenKind::Sign("}") if !self.within => {
                self.blocks = self.blocks.saturating_sub(1);
                if self.last == Last::Opening {
                    self.push("}", false, false);
                } else {
                    self.new_line(false);
                    self.push("}", false, false);
                }
                self.last = Last::Statement;
            }
            kind => {
                self.in_statement(token);
                self.advance(kind);
            }
        }
    }

    /// Writes a token that is part of a statement.
    fn in_statement(&mut self, token: &Token<'_>) {
        let opens_block = self.head && self.brackets == 0 && token.kind == TokenKind::Sign("{");
        match self.last {
            Last::BlockComment if self.lines == 0 => {
                let space = !matches!(token.kind, TokenKind::Sign(")" | "}" | "," | ";"));
                self.push(token.text, space, false);
            }
            Last::LineComment | Last::BlockComment => {
                self.new_line(!self.within);
                if opens_block {
                    self.indentation = INDENT * self.blocks;
                }
                self.push(token.text, false, false);
            }
            Last::Opening | Last::Statement => {
                self.new_line(true);
                self.push(token.text, false, false);
            }
            Last::Token(before) => {
                let space = opens_block || space_between(before, token.kind);
                self.push(token.text, space, before == TokenKind::Sign(",") && self.brackets <= 1);
            }
        }
    }

    /// Updates the state after a token of a statement.
    fn advance(&mut self, kind: TokenKind) {
        if !self.within {
            self.within = true;
            self.head = matches!(kind, TokenKind::Word("protocol" | "role" | "singular"));
        }
        self.last = Last::Token(kind);
        match kind {
            TokenKind::Sign("{") if self.head && self.brackets == 0 => {
                self.blocks += 1;
                self.end_statement(Last::Opening);
            }
            TokenKind::Sign("(" | "{") => self.brackets += 1,
            TokenKind::Sign(")" | "}") => self.brackets = self.brackets.saturating_sub(1),
            TokenKind::Sign(";") => self.end_statement(Last::Statement),
            TokenKind::Text => {
                self.push(";", false, false);
                self.end_statement(Last::Statement);
            }
            _ => {}
        }
    }

    fn end_statement(&mut self, last: Last) {
        (self.last, self.within, self.head, self.brackets) = (last, false, false, 0);
    }

    fn comment(&mut self, comment: &Token<'_>) {
        let is_block = comment.text.starts_with("/*");
        let text = comment.text.replace("\r\n", "\n");
        let text = if is_block { text } else { text.trim_end().to_owned() };
        let at_start = self.out.is_empty() && self.line.is_empty();
        if at_start || self.lines > 0 || self.last == Last::LineComment {
            let blank = !self.within && self.last != Last::Opening;
            self.new_line(blank);
            self.push(&text, false, false);
        } else {
            let space = !matches!(self.last, Last::Token(TokenKind::Sign("(" | "{")));
            self.push(&text, space, false);
        }
        self.commented = true;
        self.last = if is_block { Last::BlockComment } else { Last::LineComment };
    }

    fn push(&mut self, text: &str, space: bool, may_break: bool) {
        self.line.push(FormatToken { text: text.to_owned(), space, may_break });
    }

    /// Ends the current line and begins another one, after a blank line if the input has one and `blank` allows it.
    fn new_line(&mut self, blank: bool) {
        let begins = self.out.is_empty() && self.line.is_empty();
        let opening = self.last == Last::Opening;
        self.flush();
        if blank && self.lines > 1 && !begins && !opening {
            self.out.push('\n');
        }
        self.indentation = INDENT * (self.blocks + usize::from(self.within));
    }

    /// Writes the current line, in several lines if it is too wide.
    fn flush(&mut self) {
        if self.line.is_empty() {
            return;
        }
        let columns = |word: &FormatToken| word.text.chars().count() + usize::from(word.space);
        let width = |words: &[FormatToken]| words.iter().map(columns).sum::<usize>();
        let mut column = self.indentation;
        self.out.extend(std::iter::repeat_n(' ', column));
        let breaks = !self.commented && column + width(&self.line) > WIDTH;
        for (index, word) in self.line.iter().enumerate() {
            if breaks && word.may_break && column + width(unbroken(&self.line[index..])) > WIDTH {
                column = self.indentation + INDENT;
                self.out.push('\n');
                self.out.extend(std::iter::repeat_n(' ', column));
            } else if word.space {
                column += 1;
                self.out.push(' ');
            }
            column += word.text.chars().count();
            self.out.push_str(&word.text);
        }
        self.out.push('\n');
        self.line.clear();
        self.commented = false;
    }

    fn finish(mut self) -> String {
        self.flush();
        self.out
    }
}

/// Returns the words up to the next possible break.
fn unbroken(words: &[FormatToken]) -> &[FormatToken] {
    let next = words.iter().skip(1).position(|word| word.may_break);
    &words[..next.map_or(words.len(), |at| at + 1)]
}

/// True if there is a space between two tokens of a statement. A brace belongs to an encryption here.
fn space_between(before: TokenKind, after: TokenKind) -> bool {
    match (before, after) {
        (_, TokenKind::Sign("," | ";" | ")" | "}" | ":" | "." | "_")) => false,
        (TokenKind::Sign("(" | "{" | "." | "_" | "}"), _) => false,
        (TokenKind::Sign(_), _) => true,
        (TokenKind::Word("compromised" | "untrusted" | "knows"), _) => true,
        (_, TokenKind::Sign("(")) => false,
        _ => true,
    }
}
