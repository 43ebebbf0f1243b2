//! Diagnostics as text: message, place, source line, carets, notes, help.

use super::{Diagnostic, Severity, SourceMap, Span};
use anstyle::{AnsiColor, Style};
use std::fmt::Write;

/// Renders one diagnostic, with a line end. With `color`, ANSI escapes are used.
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
    let _ = writeln!(out, "{head}{word}{head:#}{bold}: {}{bold:#}", diagnostic.message);
    if let Some(span) = diagnostic.span {
        snippet(&mut out, sources, span, None, head);
    }
    for label in &diagnostic.related {
        snippet(
            &mut out,
            sources,
            label.span,
            Some(&label.message),
            paint(Style::new().bold().fg_color(Some(AnsiColor::Blue.into()))),
        );
    }
    for note in &diagnostic.notes {
        let _ = writeln!(out, "   = {bold}note{bold:#}: {note}");
    }
    if let Some(help) = &diagnostic.help {
        let _ = writeln!(out, "   = {bold}help{bold:#}: {help}");
    }
    out
}

fn snippet(out: &mut String, sources: &SourceMap, span: Span, message: Option<&str>, style: Style) {
    let (line, column) = sources.line_column(span);
    let text = sources.line(span.source, line);
    let number = line.to_string();
    let pad = " ".repeat(number.len());
    let width = sources.snippet(span).lines().next().map_or(1, |s| s.chars().count()).max(1);
    // Tabs are kept in the margin so that the carets stay under what they point at.
    let margin: String = text.chars().take(column - 1).map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
    let carets = "^".repeat(width);
    let place = sources.place(span);
    let message = message.map(|m| format!(" {m}")).unwrap_or_default();
    let _ = writeln!(
        out,
        "{pad}--> {place}\n{pad} |\n{number} | {text}\n{pad} | {margin}{style}{carets}{message}{style:#}"
    );
}
