//! Text in columns of the terminal, where some characters take two and others none.

use std::borrow::Cow;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The text, or its beginning and `…` where it takes more than `width` columns.
pub fn cut(text: &str, width: usize) -> Cow<'_, str> {
    if text.width() <= width {
        return Cow::Borrowed(text);
    }
    let mut used = 1;
    let fits = |c: &char| {
        used += c.width().unwrap_or(1);
        used <= width
    };
    let begin: String = text.chars().take_while(fits).collect();
    Cow::Owned(if width == 0 { begin } else { format!("{}…", begin.trim_end()) })
}

/// The text with spaces after it, up to `width` columns.
pub fn padded(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(text.width())))
}

/// Rows with their cells below each other, two spaces apart; those of the columns for which `is_number` is true end below each other.
pub fn aligned(rows: &[Vec<String>], is_number: impl Fn(usize) -> bool) -> Vec<String> {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.width()).max();
    let widths: Vec<usize> = (0..columns).map(|column| width(column).unwrap_or(0)).collect();
    let line = |row: &Vec<String>| {
        let cells =
            row.iter().zip(&widths).enumerate().map(|(column, (cell, width))| match is_number(column) {
                true => format!("{}{cell}", " ".repeat(width - cell.width())),
                false => padded(cell, *width),
            });
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    rows.iter().map(line).collect()
}

/// The text in lines of at most `width` columns, broken at spaces; all but the first are indented by `hang` columns. Only words
/// that do not fit by themselves are wider.
pub fn wrapped(text: &str, width: usize, hang: usize) -> Vec<String> {
    if text.width() <= width {
        return vec![text.to_owned()];
    }
    let mut lines: Vec<String> = Vec::new();
    for word in words(text, width.saturating_sub(hang)) {
        match lines.last_mut() {
            Some(line) if line.width() + 1 + word.width() <= width => {
                line.push(' ');
                line.push_str(&word);
            }
            Some(_) => lines.push(format!("{}{word}", " ".repeat(hang))),
            None => lines.push(word),
        }
    }
    lines
}

/// A constraint in lines of at most `width` columns, broken between its facts as far as these fit into a line.
pub fn wrapped_facts(constraint: &str, width: usize, hang: usize) -> Vec<String> {
    /// A space that is no place to break.
    const GLUE: &str = "\u{a0}";
    let fits = |fact: &str| fact.width() + 2 + hang <= width;
    let glued = |fact: &str| if fits(fact) { fact.replace(' ', GLUE) } else { fact.to_owned() };
    let (quantifiers, facts) = match constraint.split_once(" : ") {
        Some((quantifiers, facts)) => (format!("{} ", glued(&format!("{quantifiers} :"))), facts),
        None => (String::new(), constraint),
    };
    let facts: Vec<String> = facts.split(" ∧ ").map(glued).collect();
    let text = format!("{quantifiers}{}", facts.join(&format!("{GLUE}∧ ")));
    wrapped(&text, width, hang).into_iter().map(|line| line.replace(GLUE, " ")).collect()
}

/// The words of a text. What is in parentheses is one word, unless it is wider than this.
fn words(text: &str, width: usize) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut open = 0_usize;
    for word in text.split(' ') {
        match words.last_mut() {
            Some(last) if open > 0 && last.width() + 1 + word.width() <= width => {
                last.push(' ');
                last.push_str(word);
            }
            _ => words.push(word.to_owned()),
        }
        let count = |sign: char| word.chars().filter(|c| *c == sign).count();
        open = (open + count('(')).saturating_sub(count(')'));
    }
    words
}
