//! Rendering of diagnostics: message, place, source line, carets, notes, help.

use super::{Diagnostic, Severity, SourceMap, Span, escaped};
use anstyle::{AnsiColor, Style};
use std::fmt::Write;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The maximum number of columns shown of a source line.
const LINE_WIDTH: usize = 200;
/// The number of columns shown before the marked place in a truncated line.
const CONTEXT: usize = 60;
/// The text printed for a tab.
const TAB: &str = "    ";
/// The maximum length of a message, note or help, in characters.
const MESSAGE_LENGTH: usize = 4000;

/// Renders one diagnostic, with a line end. With `color`, ANSI escapes are used. Text from the input is
/// [`escaped`] and truncated to a reasonable length.
///
/// ```text
/// error: unknown name `Alise`
///   --> specs/ns.sts:32:26
///    |
/// 32 |   require phase[Alise] = Idle;
///    |                 ^^^^^
///    = help: did you mean `Alice`?
/// ```
pub fn render(diagnostic: &Diagnostic, sources: &SourceMap, color: bool) -> String {
    let paint = |style: Style| if color { style } else { Style::new() };
    let (word, tint) = match diagnostic.severity {
        Severity::Error => ("error", AnsiColor::Red),
        Severity::Warning => ("warning", AnsiColor::Yellow),
        Severity::Note => ("note", AnsiColor::Cyan),
    };
    let head = paint(Style::new().bold().fg_color(Some(tint.into())));
    let bold = paint(Style::new().bold());
    let mut out = String::new();
    let _ = writeln!(out, "{head}{word}{head:#}{bold}: {}{bold:#}", shown(&diagnostic.message));
    if let Some(span) = diagnostic.span {
        snippet(&mut out, sources, span, "", head);
    }
    for label in &diagnostic.related {
        let blue = paint(Style::new().bold().fg_color(Some(AnsiColor::Blue.into())));
        snippet(&mut out, sources, label.span, &label.message, blue);
    }
    for note in &diagnostic.notes {
        let _ = writeln!(out, "   = {bold}note{bold:#}: {}", shown(note));
    }
    if let Some(help) = &diagnostic.help {
        let _ = writeln!(out, "   = {bold}help{bold:#}: {}", shown(help));
    }
    out
}

/// Escapes a message line by line, and truncates it.
fn shown(message: &str) -> String {
    let cut = message.char_indices().nth(MESSAGE_LENGTH).map(|(at, _)| format!("{}…", &message[..at]));
    let lines: Vec<_> = cut.as_deref().unwrap_or(message).split('\n').map(escaped).collect();
    lines.join("\n")
}

/// Writes the place and the source lines there: for a span of several lines, the first and the last one.
fn snippet(out: &mut String, sources: &SourceMap, span: Span, message: &str, style: Style) {
    let (first, start) = sources.line_column(span);
    let (last, end) = sources.line_column(Span { start: span.end.max(span.start), ..span });
    // A span that ends with a line break ends on that line, not at the start of the next one.
    let (last, end) = match end {
        1 if last > first => (last - 1, usize::MAX),
        _ => (last, end),
    };
    let pad = " ".repeat(last.to_string().len());
    let _ = writeln!(out, "{pad}--> {}\n{pad} |", shown(&sources.place(span)));
    let message = if message.is_empty() { String::new() } else { format!(" {}", shown(message)) };
    let mut line = |number: usize, from: usize, to: usize, message: &str| {
        let MarkedLine { text, margin, carets } = drawn(sources.line(span.source, number), from, to);
        let (margin, carets) = (" ".repeat(margin), "^".repeat(carets));
        let width = pad.len();
        let _ = writeln!(out, "{number:width$} | {text}\n{pad} | {margin}{style}{carets}{message}{style:#}");
    };
    if first == last {
        return line(first, start, end, &message);
    }
    line(first, start, usize::MAX, "");
    let text = sources.line(span.source, last);
    let indent = text.chars().take_while(|c| c.is_whitespace()).count() + 1;
    line(last, indent.min(end), end, &message);
}

/// A line with the marked part, in columns.
struct MarkedLine {
    text: String,
    /// The number of columns before the mark.
    margin: usize,
    /// The width of the mark.
    carets: usize,
}

/// Draws a line with the characters from column `start` (from 1) up to, not including, column `end` marked. Tabs become
/// spaces, hidden characters are escaped, and a long line is truncated around the mark.
fn drawn(line: &str, start: usize, end: usize) -> MarkedLine {
    let (start, end) = (start - 1, end.saturating_sub(1));
    let mut drawn = MarkedLine { text: String::new(), margin: 0, carets: 0 };
    // Characters before the mark, from the first one that is shown.
    let cut = width_up_to(line, start, LINE_WIDTH - CONTEXT).is_none();
    let skipped = if cut { start.saturating_sub(CONTEXT) } else { 0 };
    if cut {
        drawn.text.push('…');
        drawn.margin = 1;
    }
    let mut width = drawn.margin;
    for (index, c) in line.chars().enumerate().skip(skipped) {
        let shown = match c {
            '\t' => TAB.into(),
            c => escaped(c.encode_utf8(&mut [0; 4])).into_owned(),
        };
        let columns = shown.width();
        if width + columns >= LINE_WIDTH {
            drawn.text.push('…');
            break;
        }
        drawn.text.push_str(&shown);
        width += columns;
        match index {
            _ if index < start => drawn.margin = width,
            _ if index < end => drawn.carets += columns,
            _ => {}
        }
    }
    drawn.carets = drawn.carets.max(1);
    drawn
}

/// The width of the first `characters` characters of a line, if it is at most `most`.
fn width_up_to(line: &str, characters: usize, most: usize) -> Option<usize> {
    line.chars().take(characters).try_fold(0, |width, c| {
        let columns = if c == '\t' { TAB.len() } else { c.width().unwrap_or(8) };
        Some(width + columns).filter(|width| *width <= most)
    })
}
