//! Tokens and comments in lines, with the indentation of each.

use super::INDENT;
use super::spacing::{is_attached, space_between};
use super::structure::{TokenRole, closes_block};
use crate::syntax::lexer::Comment;
use crate::syntax::token::{SyntaxKind, SyntaxToken};

#[derive(Debug)]
pub(super) struct SheetPiece<'a> {
    /// As it is written.
    pub text: &'a str,
    /// The index of the token; `None` for a comment.
    pub token: Option<usize>,
    /// True if there is a space before it, if it does not begin a line.
    pub spaced: bool,
    /// The column that it had.
    pub column: usize,
    /// The number of columns of white space before it on its line.
    pub gap: usize,
}

/// How a line begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Break {
    /// It does not begin here.
    None,
    /// It begins here.
    Line,
    /// It begins here, after a blank line.
    Blank,
}

#[derive(Debug)]
pub(super) struct SheetLine {
    /// The first of its pieces.
    pub from: usize,
    /// The piece after the last one.
    pub to: usize,
    /// The columns of its indentation.
    pub indentation: usize,
}

/// A text that is being laid out.
#[derive(Debug)]
pub(super) struct TokenLayout<'a> {
    /// Tokens and comments, in the order of the text.
    pub pieces: Vec<SheetPiece<'a>>,
    /// For each piece, whether it begins a line.
    pub breaks: Vec<Break>,
    pub tokens: &'a [SyntaxToken<'a>],
    pub roles: Vec<TokenRole>,
    /// The piece of each token.
    pub places: Vec<usize>,
}

impl<'a> TokenLayout<'a> {
    /// The text with its own lines, as far as they are kept.
    pub fn new(
        text: &str,
        tokens: &'a [SyntaxToken<'a>],
        comments: &[Comment<'a>],
        roles: Vec<TokenRole>,
    ) -> Self {
        let mut found: Vec<(usize, &'a str, Option<usize>)> =
            comments.iter().map(|comment| (comment.start, comment.text, None)).collect();
        let written = tokens.iter().enumerate().filter(|(_, token)| token.kind != SyntaxKind::End);
        found.extend(written.map(|(at, token)| (token.span.start as usize, token.text, Some(at))));
        found.sort_by_key(|(start, ..)| *start);
        let mut sheet = Self {
            pieces: Vec::with_capacity(found.len()),
            breaks: Vec::with_capacity(found.len()),
            tokens,
            roles,
            places: vec![0; tokens.len()],
        };
        let (mut end, mut column) = (0, 0);
        for (start, text_of_piece, token) in found {
            let between = text.get(end..start).unwrap_or_default();
            column = match between.rsplit_once('\n') {
                Some((_, indentation)) => indentation.chars().count(),
                None => column + between.chars().count(),
            };
            sheet.add(text_of_piece, token, between, column);
            column += text_of_piece.chars().count();
            end = start + text_of_piece.len();
        }
        sheet.keep_flat_blocks(text);
        sheet
    }

    fn add(&mut self, text: &'a str, token: Option<usize>, between: &str, column: usize) {
        let at = self.pieces.len();
        let spaced = self.is_spaced(token);
        let gap = between.rsplit('\n').next().unwrap_or_default().chars().count();
        self.pieces.push(SheetPiece { text, token, spaced, column, gap });
        let begins = at == 0 || self.begins_line(at, between.contains('\n'));
        let lines = between.matches('\n').count();
        self.breaks.push(match begins {
            false => Break::None,
            true if at > 0 && lines > 1 && !self.is_beside_bracket(at) => Break::Blank,
            true => Break::Line,
        });
        if let Some(token) = token {
            self.places[token] = at;
        }
    }

    fn is_spaced(&self, token: Option<usize>) -> bool {
        let before = self.pieces.last().and_then(|piece| piece.token);
        match (before, token) {
            (Some(before), Some(after)) => space_between(
                (&self.tokens[before], &self.roles[before]),
                (&self.tokens[after], &self.roles[after]),
            ),
            _ => true,
        }
    }

    /// True if a piece begins a line, which it did before if `broken`.
    fn begins_line(&self, at: usize, broken: bool) -> bool {
        let Some(token) = self.pieces[at].token else { return broken };
        let Some(before) = self.pieces[at - 1].token else { return true };
        if self.tokens[before].is("{") && self.tokens[token].is("}") {
            return false;
        }
        if self.roles[token].begins_entry || closes_block(&self.roles, token) {
            return true;
        }
        let role = &self.roles[token];
        broken && !is_attached(&self.tokens[before], (&self.tokens[token], role), self.pieces[at].spaced)
    }

    /// True if a piece follows an opening bracket or is a closing one, where blank lines say nothing.
    fn is_beside_bracket(&self, at: usize) -> bool {
        let is = |at: usize, signs: [&str; 3]| {
            let token = self.pieces[at].token.map(|token| &self.tokens[token]);
            token.is_some_and(|token| signs.iter().any(|sign| token.is(sign)))
        };
        is(at - 1, ["(", "[", "{"]) || is(at, [")", "]", "}"])
    }

    /// Takes the breaks out of blocks that were written on one line.
    fn keep_flat_blocks(&mut self, text: &str) {
        for at in 0..self.tokens.len() {
            let Some(close) = self.roles[at].partner.filter(|_| self.roles[at].opens_block) else { continue };
            let within = self.tokens[at].span.end as usize..self.tokens[close].span.start as usize;
            if !text[within].contains('\n') {
                self.breaks[self.places[at] + 1..=self.places[close]].fill(Break::None);
            }
        }
    }

    pub fn token(&self, piece: usize) -> Option<(&SyntaxToken<'a>, &TokenRole)> {
        self.pieces[piece].token.map(|token| (&self.tokens[token], &self.roles[token]))
    }

    /// The lines as they are now, and for each piece the number of brackets and parts around it within its entry.
    pub fn lines(&self) -> (Vec<SheetLine>, Vec<usize>) {
        let mut open = OpenBlock { sheet: self, scopes: Vec::new(), blocks: 0, line: 0 };
        let (mut lines, mut depths): (Vec<SheetLine>, Vec<usize>) =
            (Vec::new(), Vec::with_capacity(self.pieces.len()));
        for (at, piece) in self.pieces.iter().enumerate() {
            let closed = piece.token.and_then(|token| open.close(token));
            if self.breaks[at] != Break::None {
                open.line = lines.len();
                let continued = || INDENT * (open.blocks + open.levels());
                let indentation = match (closed, piece.token) {
                    (Some(BlockScope { kind: ScopeKind::Bracket, line, .. }), _) => {
                        lines.get(line).map_or(0, |line: &SheetLine| line.indentation)
                    }
                    (_, Some(token)) if closed.is_some() || self.continues_block(token) => {
                        INDENT * open.blocks
                    }
                    _ => continued(),
                };
                lines.push(SheetLine { from: at, to: at, indentation });
            }
            depths.push(open.depth());
            if let Some(line) = lines.last_mut() {
                line.to = at + 1;
            }
            if let Some(token) = piece.token {
                open.advance(token);
            }
        }
        (lines, depths)
    }

    /// True if a token belongs to the beginning or end of a block, and not to what is within its entry: the brace that opens it, or
    /// `else` after it.
    fn continues_block(&self, token: usize) -> bool {
        let follows_block = token > 0 && closes_block(&self.roles, token - 1);
        self.roles[token].opens_block || follows_block && self.tokens[token].is("else")
    }
}

/// The blocks and brackets that are open at a token.
#[derive(Debug, Clone, Copy)]
struct BlockScope {
    kind: ScopeKind,
    /// The line where it began.
    line: usize,
    last: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ScopeKind {
    Block,
    /// A declaration, statement, requirement, formula or case.
    Entry,
    Bracket,
    /// A part that is indented when it begins a line.
    Part,
}

struct OpenBlock<'a, 's> {
    sheet: &'s TokenLayout<'a>,
    scopes: Vec<BlockScope>,
    /// How many blocks are open.
    blocks: usize,
    /// The number of the current line.
    line: usize,
}

impl OpenBlock<'_, '_> {
    /// Before a token: leaves the bracket or block that it closes, if it closes one.
    fn close(&mut self, token: usize) -> Option<BlockScope> {
        let open = self.sheet.roles[token].partner.filter(|&open| open < token)?;
        let scope = self.scopes.pop_if(|scope| scope.last == token)?;
        self.blocks -= usize::from(self.sheet.roles[open].opens_block);
        Some(scope)
    }

    fn advance(&mut self, token: usize) {
        let roles = &self.sheet.roles;
        let role = &roles[token];
        if role.begins_entry {
            self.push(ScopeKind::Entry, usize::MAX);
        }
        while self.scopes.pop_if(|scope| scope.kind == ScopeKind::Part && scope.last <= token).is_some() {}
        if let Some(close) = role.partner.filter(|&close| close > token) {
            self.blocks += usize::from(role.opens_block);
            self.push(if role.opens_block { ScopeKind::Block } else { ScopeKind::Bracket }, close);
        }
        // The outermost of the parts that begin here was noted first.
        for &last in &role.parts {
            self.push(ScopeKind::Part, last);
        }
        if roles.get(token + 1).is_some_and(|next| next.begins_entry) || self.ends_block(token) {
            self.scopes.pop_if(|scope| scope.kind == ScopeKind::Entry);
        }
    }

    /// True if the last entry of a block ends with a token.
    fn ends_block(&self, token: usize) -> bool {
        token + 1 < self.sheet.roles.len() && closes_block(&self.sheet.roles, token + 1)
            || self.sheet.tokens.get(token + 1).is_none_or(|next| next.kind == SyntaxKind::End)
    }

    fn push(&mut self, kind: ScopeKind, last: usize) {
        self.scopes.push(BlockScope { kind, line: self.line, last });
    }

    /// The scopes within the innermost block.
    fn inner(&self) -> &[BlockScope] {
        let block = self.scopes.iter().rposition(|scope| scope.kind == ScopeKind::Block);
        &self.scopes[block.map_or(0, |at| at + 1)..]
    }

    /// How many lines began something that is still open in the innermost block.
    fn levels(&self) -> usize {
        let inner = self.inner();
        usize::from(!inner.is_empty()) + inner.windows(2).filter(|pair| pair[0].line != pair[1].line).count()
    }

    /// How many brackets and parts are open in the innermost block.
    fn depth(&self) -> usize {
        self.inner().iter().filter(|scope| scope.kind != ScopeKind::Entry).count()
    }
}
