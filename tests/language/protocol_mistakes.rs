//! Wrong and odd protocol files: what is reported, as a terminal shows it.
//!
//! `protocol_mistakes.txt` has the texts and, after a line `--`, what is said about each. After a change that is meant,
//! `CLADIST_RECORD=1 cargo test --test language protocol_mistakes` writes what is said now.

use super::protocol_files::shown;
use cladist::budget::Budget;
use cladist::diagnostics::Diagnostic;
use cladist::protocol::load_text;
use std::path::Path;
use std::time::Duration;

#[test]
fn every_mistake_has_place_cause_and_help() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/language/protocol_mistakes.txt");
    let text = std::fs::read_to_string(&path).expect("the texts");
    let mut blocks = text.split("\n== ");
    let (mut recorded, mut wrong) = (blocks.next().expect("a remark").to_owned(), String::new());
    let mut count = 0;
    let recording = std::env::var_os("CLADIST_RECORD").is_some();
    for block in blocks {
        let (input, expected) = block.split_once("\n--\n").expect("a text and what is said about it");
        let (title, input) = input.split_once('\n').expect("a title and a text");
        let name = match title {
            _ if title.starts_with("a message list") => "p.anb",
            _ if title.starts_with("strands") => "p.scm",
            _ => "p.spdl",
        };
        let loaded = load_text(name, input, &Budget::unlimited());
        let errors = loaded.diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).count();
        assert_eq!(loaded.protocols.is_none(), errors > 0, "{title}");
        // What was expected says what to do.
        let helpful = |d: &Diagnostic| !d.is_error() || d.help.is_some() || d.message.starts_with("expected");
        let found = shown(&loaded);
        assert!(recording || loaded.diagnostics.iter().all(helpful), "{title}:\n{found}");
        recorded += &format!("\n== {title}\n{input}\n--\n{found}");
        if found.trim_end() != expected.trim_end() {
            wrong += &format!("== {title}\n{found}  but expected was\n{expected}\n");
        }
        count += 1;
    }
    assert!(count > 50, "only {count} texts");
    if recording {
        std::fs::write(path, recorded).expect("written");
    } else {
        assert!(wrong.is_empty(), "\n{wrong}");
    }
}

#[test]
fn twenty_mistakes_are_shown_and_the_others_counted() {
    let sends: String = (0..50).map(|label| format!("    send_{label}(I, R, x{label});\n")).collect();
    let text = format!("protocol p(I, R) {{\n  role I {{\n{sends}  }}\n  role R {{}}\n}}\n");
    let loaded = load_text("p.spdl", &text, &Budget::unlimited());
    assert!(loaded.protocols.is_none());
    assert_eq!(loaded.diagnostics.len(), 21);
    assert_eq!(loaded.diagnostics[20].message, "80 more errors in p.spdl");
}

/// A macro that stands for two of the one before it, thirty times: a billion terms.
#[test]
fn macros_do_not_explode() {
    let macros: String = (1..=30).map(|n| format!("macro m{n} = (m{}, m{});\n", n - 1, n - 1)).collect();
    let text = format!(
        "const m0: Nonce;\n{macros}protocol p(I, R) {{ role I {{ send_1(I, R, m30); }} role R {{ recv_1(I, R, m0); }} }}"
    );
    let loaded = load_text("p.spdl", &text, &Budget::unlimited());
    let messages: Vec<&str> = loaded.diagnostics.iter().map(|d| d.message.as_str()).collect();
    assert_eq!(messages, ["the file has more than 1000000 terms when macros are replaced"]);
}

#[test]
fn macros_do_not_nest_without_limit() {
    let macros: String = (1..=600).map(|n| format!("macro m{n} = {{m{}}}k;\n", n - 1)).collect();
    let text = format!(
        "const m0: Nonce;\n{macros}protocol p(I, R) {{ role I {{ send_1(I, R, m600); }} role R {{ recv_1(I, R, m0); }} }}"
    );
    let loaded = load_text("p.spdl", &text, &Budget::unlimited());
    let messages: Vec<&str> = loaded.diagnostics.iter().map(|d| d.message.as_str()).collect();
    assert_eq!(messages, ["macros nest terms more than 500 levels deep"]);
}

#[test]
fn an_exhausted_budget_is_told() {
    let budget = Budget::unlimited().with_timeout(Duration::ZERO);
    let loaded = load_text("p.spdl", "protocol p(I) { role I {} }", &budget);
    assert!(loaded.protocols.is_none());
    assert!(loaded.diagnostics.last().expect("a reason").unfinished.is_some());
}
