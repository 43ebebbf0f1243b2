//! Lines that are too wide are broken.

use super::WIDTH;
use super::sheet::{Break, SheetLine, TokenLayout};
use super::spacing::is_attached;
use super::structure::closes_block;
use crate::syntax::operators::{self, PrecedenceLevel};

/// Breaks lines until none is too wide, as far as there are places to do so.
pub(super) fn fit(sheet: &mut TokenLayout<'_>) {
    loop {
        let (lines, depths) = sheet.lines();
        let mut found = Vec::new();
        for line in &lines {
            found.extend(places(sheet, line, &depths));
        }
        if found.is_empty() {
            return;
        }
        for piece in found {
            sheet.breaks[piece] = Break::Line;
        }
    }
}

/// The pieces of a line that begin lines of their own from now on; none if it is not too wide.
fn places(sheet: &TokenLayout<'_>, line: &SheetLine, depths: &[usize]) -> Vec<usize> {
    let columns = |piece: usize| {
        let piece = &sheet.pieces[piece];
        piece.text.chars().count() + usize::from(piece.spaced)
    };
    let code = (line.from..line.to).filter(|&piece| sheet.pieces[piece].token.is_some());
    let width = line.indentation + code.map(columns).sum::<usize>();
    // The first piece has no space before it.
    if width <= WIDTH + usize::from(sheet.pieces[line.from].spaced) {
        return Vec::new();
    }
    if let Some(places) = block(sheet, line) {
        return places;
    }
    let rank = |piece: usize| rank(sheet, piece).map(|rank| (depths[piece].min(depths[piece - 1]), rank));
    let Some(best) = (line.from + 1..line.to).filter_map(rank).min() else { return Vec::new() };
    let mut candidates: Vec<usize> =
        (line.from + 1..line.to).filter(|&piece| rank(piece) == Some(best)).collect();
    if best.1 == LIST {
        return candidates;
    }
    // As much as fits into each line.
    candidates.push(line.to);
    let (mut chosen, mut last, mut column) = (Vec::new(), line.from, line.indentation);
    for pair in candidates.windows(2) {
        column += (last..pair[0]).map(columns).sum::<usize>();
        last = pair[0];
        let follows: usize = (pair[0]..pair[1]).map(columns).sum();
        if column + follows > WIDTH || best.1 == HEAD {
            chosen.push(pair[0]);
            column = line.indentation + super::INDENT;
        }
    }
    chosen
}

/// The entries and the end of the first block that is written on a line, which is not empty.
fn block(sheet: &TokenLayout<'_>, line: &SheetLine) -> Option<Vec<usize>> {
    let opening = (line.from..line.to).find_map(|piece| {
        let token = sheet.pieces[piece].token.filter(|&token| sheet.roles[token].opens_block)?;
        let close = sheet.roles[token].partner.filter(|&close| close > token + 1)?;
        (sheet.places[close] < line.to).then_some((token, close))
    });
    let (open, close) = opening?;
    let mut places = Vec::new();
    let mut at = open + 1;
    while at < close {
        if sheet.roles[at].begins_entry {
            places.push(sheet.places[at]);
        }
        // Blocks in this one stay as they are.
        let inner = sheet.roles[at].partner.filter(|_| sheet.roles[at].opens_block);
        at = inner.unwrap_or(at) + 1;
    }
    places.push(sheet.places[close]);
    Some(places)
}

/// The places before and after the elements of a list in a declaration.
const LIST: PrecedenceLevel = 0;
/// The place after the head of a declaration.
const HEAD: PrecedenceLevel = 1;
const ELEMENT: PrecedenceLevel = 2;
/// The operators, after their levels.
const OPERATORS: PrecedenceLevel = 3;

/// How good a place for a line to begin a piece is, 0 is best; `None` if a line cannot begin with it.
fn rank(sheet: &TokenLayout<'_>, piece: usize) -> Option<PrecedenceLevel> {
    let (token, role) = sheet.token(piece)?;
    let (before, before_role) = sheet.token(piece - 1)?;
    // A line that began with it would not be kept when the text is laid out again.
    if is_attached(before, (token, role), sheet.pieces[piece].spaced) {
        return None;
    }
    let closes_list = role.partner.is_some_and(|open| {
        let at = sheet.pieces[piece].token.unwrap_or_default();
        open < at && sheet.roles[open].opens_list && sheet.breaks[sheet.places[open] + 1] == Break::None
    });
    if closes_list && !before.is("{") || before_role.opens_list && !token.is("}") {
        return Some(LIST);
    }
    if before_role.ends_head {
        return Some(HEAD);
    }
    if before.is(",") {
        return Some(ELEMENT);
    }
    if before.is(":") && !before_role.is_wide_colon && !before_role.parts.is_empty() {
        return Some(OPERATORS + operators::UNTIL);
    }
    let level = match token.spelling()? {
        "then" | "else" if !follows_block(sheet, piece) => operators::OR,
        "+" => operators::SUM,
        "-" if role.is_negation => return None,
        word => operators::binary(word).filter(|(_, level)| breaks(*level)).map(|(_, level)| level)?,
    };
    Some(OPERATORS + level)
}

/// True if a line may be broken before the operators of a level.
fn breaks(level: PrecedenceLevel) -> bool {
    matches!(level, operators::IFF..=operators::AND | operators::OTHERWISE..=operators::SUM)
}

fn follows_block(sheet: &TokenLayout<'_>, piece: usize) -> bool {
    sheet.pieces[piece - 1].token.is_some_and(|before| closes_block(&sheet.roles, before))
}
