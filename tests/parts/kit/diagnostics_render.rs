//! Tests of `kit::diagnostics::render`.

use kit::diagnostics::*;
use unicode_width::UnicodeWidthStr;

/// The most columns of a line, without the margin.
const LINE_WIDTH: usize = 200;

fn rendered(text: &str, start: usize, end: usize) -> String {
    let mut sources = SourceMap::new();
    let source = sources.add("m.sts", text);
    render(&Diagnostic::error(Span::new(source, start, end), "wrong"), &sources, false)
}

#[test]
fn widths_tabs_and_hidden_characters_keep_the_carets_in_place() {
    assert_eq!(
        rendered("\t完了 x;", 8, 9),
        "error: wrong\n --> m.sts:1:5\n  |\n1 |     完了 x;\n  |          ^\n"
    );
    assert_eq!(
        rendered("a\x1b[1m\u{202e} x;", 9, 10),
        "error: wrong\n --> m.sts:1:8\n  |\n1 | a\\u{1b}[1m\\u{202e} x;\n  |                    ^\n"
    );
}

#[test]
fn long_lines_are_cut_around_the_place() {
    let text = format!("{}x{}", ";".repeat(5000), ";".repeat(5000));
    let narrow = rendered(&text, 5000, 5001);
    let lines: Vec<&str> = narrow.lines().collect();
    assert!(lines[3].starts_with("1 | …;;;") && lines[3].ends_with(";…"), "{narrow}");
    assert!(lines.iter().all(|line| line.width() <= LINE_WIDTH + 8), "{narrow}");
    assert_eq!(lines[3].chars().position(|c| c == 'x'), lines[4].find('^'));
    // A mark that is wider than the line ends with it.
    let wide = rendered(&text, 4000, 9000);
    assert!(wide.lines().all(|line| line.width() <= LINE_WIDTH + 8), "{wide}");
}

#[test]
fn spans_over_lines_mark_the_first_and_the_last() {
    let text = "a = {\n  b\n  c };\n";
    assert_eq!(
        rendered(text, 4, 15),
        "error: wrong\n --> m.sts:1:5\n  |\n1 | a = {\n  |     ^\n3 |   c };\n  |   ^^^\n"
    );
}

#[test]
fn messages_are_escaped_too() {
    let error = Diagnostic::error_without_place("no \x1b[2J").with_help("a\u{200b}\nb");
    let rendered = render(&error, &SourceMap::new(), false);
    assert_eq!(rendered, "error: no \\u{1b}[2J\n   = help: a\\u{200b}\nb\n");
}
