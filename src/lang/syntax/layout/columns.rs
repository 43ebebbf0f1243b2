//! Writes the lines, with the columns of declarations and comments that the author has aligned.

use super::sheet::{Break, SheetLine, TokenLayout};

pub(super) fn write(sheet: &TokenLayout<'_>) -> String {
    let (lines, _) = sheet.lines();
    let mut rows: Vec<AlignedRow> = lines.iter().map(|line| AlignedRow::new(sheet, line)).collect();
    align_signs(&mut rows);
    align_comments(&mut rows);
    let mut out = String::new();
    for row in &rows {
        if row.is_after_blank {
            out.push('\n');
        }
        row.write(&mut out);
    }
    out
}

/// A line with what can be aligned in it.
struct AlignedRow {
    is_after_blank: bool,
    /// The text up to the sign, or the whole text, with its indentation, without a comment after it.
    head: String,
    /// The rest, from the sign on.
    tail: String,
    sign: Option<AlignedSign>,
    comment: Option<TrailingComment>,
    /// True if it is a comment only.
    is_comment: bool,
}

/// The sign of a declaration that can be aligned with those of others.
struct AlignedSign {
    keyword: &'static str,
    /// The column that it had, or got.
    written: usize,
    /// True if there was, or is, more than one space before it.
    is_padded: bool,
    /// How many spaces there are before it.
    padding: usize,
}

struct TrailingComment {
    text: String,
    /// The column that it had.
    written: usize,
    is_padded: bool,
    padding: usize,
}

impl AlignedRow {
    fn new(sheet: &TokenLayout<'_>, line: &SheetLine) -> Self {
        let mut row = Self {
            is_after_blank: sheet.breaks[line.from] == Break::Blank,
            head: " ".repeat(line.indentation),
            tail: String::new(),
            sign: None,
            comment: None,
            is_comment: sheet.pieces[line.from].token.is_none(),
        };
        for at in line.from..line.to {
            let piece = &sheet.pieces[at];
            let keyword = sheet.token(at).and_then(|(_, role)| role.column_of);
            let is_padded = piece.gap > 1;
            if at > line.from && piece.token.is_none() {
                let text = piece.text.to_owned();
                row.comment = Some(TrailingComment { text, written: piece.column, is_padded, padding: 1 });
                continue;
            }
            if let Some(keyword) = keyword.filter(|_| at > line.from && row.sign.is_none()) {
                row.sign = Some(AlignedSign { keyword, written: piece.column, is_padded, padding: 1 });
            } else if at > line.from && piece.spaced {
                row.text().push(' ');
            }
            row.text().push_str(piece.text);
        }
        row
    }

    /// Where the text goes on.
    fn text(&mut self) -> &mut String {
        if self.sign.is_some() { &mut self.tail } else { &mut self.head }
    }

    /// The number of columns of the code.
    fn width(&self) -> usize {
        let padding = self.sign.as_ref().map_or(0, |sign| sign.padding);
        self.head.chars().count() + padding + self.tail.chars().count()
    }

    fn write(&self, out: &mut String) {
        out.push_str(&self.head);
        out.extend(std::iter::repeat_n(' ', self.sign.as_ref().map_or(0, |sign| sign.padding)));
        out.push_str(&self.tail);
        if let Some(comment) = &self.comment {
            out.extend(std::iter::repeat_n(' ', comment.padding));
            out.push_str(&comment.text);
        }
        out.push('\n');
    }
}

/// Aligns the signs of declarations that follow each other, where one of them was padded. Declarations after a blank line go on with
/// those before if they were aligned with them.
fn align_signs(rows: &mut [AlignedRow]) {
    // An aligned piece may have come into the column of the one before or after it.
    while align_groups(rows) {}
}

/// Aligns each group of signs by itself; gives whether any of them is in another column than before.
fn align_groups(rows: &mut [AlignedRow]) -> bool {
    let mut group: Vec<usize> = Vec::new();
    let (mut blank, mut moved) = (false, false);
    for at in 0..rows.len() {
        blank |= rows[at].is_after_blank;
        if rows[at].is_comment {
            continue;
        }
        let goes_on = group.last().is_some_and(|&last| match (&rows[last].sign, &rows[at].sign) {
            (Some(last), Some(sign)) => {
                last.keyword == sign.keyword && (!blank || last.written == sign.written)
            }
            _ => false,
        });
        if !goes_on {
            moved |= align_group(rows, &group);
            group.clear();
        }
        if rows[at].sign.is_some() {
            group.push(at);
        }
        blank = false;
    }
    moved | align_group(rows, &group)
}

fn align_group(rows: &mut [AlignedRow], group: &[usize]) -> bool {
    let is_padded = group.iter().any(|&at| rows[at].sign.as_ref().is_some_and(|sign| sign.is_padded));
    let widest = group.iter().map(|&at| rows[at].head.chars().count()).max().unwrap_or_default();
    let mut moved = false;
    for &at in group {
        let width = rows[at].head.chars().count();
        if let Some(sign) = &mut rows[at].sign {
            sign.padding = if is_padded { widest - width + 1 } else { 1 };
            sign.is_padded = sign.padding > 1;
            moved |= std::mem::replace(&mut sign.written, width + sign.padding) != width + sign.padding;
        }
    }
    moved
}

/// Aligns the comments after lines that follow each other, where one of them was padded: in the first column that one of those had, or
/// further to the right if a line needs it.
fn align_comments(rows: &mut [AlignedRow]) {
    let mut from = 0;
    while from < rows.len() {
        let follows = |at: usize| rows[at].comment.is_some() && (at == from || !rows[at].is_after_blank);
        let to = (from..rows.len()).find(|&at| !follows(at)).unwrap_or(rows.len());
        let group = &mut rows[from..to];
        let padded = group.iter().filter_map(|row| row.comment.as_ref().filter(|comment| comment.is_padded));
        if let Some(first) = padded.map(|comment| comment.written).min() {
            let needed = group.iter().map(|row| row.width() + 1).max().unwrap_or_default();
            for row in group {
                let width = row.width();
                if let Some(comment) = &mut row.comment {
                    comment.padding = first.max(needed) - width;
                }
            }
        }
        from = to.max(from + 1);
    }
}
