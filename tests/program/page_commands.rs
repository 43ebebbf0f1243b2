//! The commands of pages in `docs`, with their outputs: a block without a language begins with `$ cladist …`.
//!
//! A line `…` stands for any lines, and `…` in a line for any text. A block whose language is a name with an ending,
//! such as `reset.sts`, is appended to this file.

#![cfg(unix)]

use crate::cli_transcripts::{lines_match, words};
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Command;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// The pages with commands, apart from the tutorial.
const PAGES: [&str; 4] = ["causes.md", "language.md", "liveness.md", "lts.md"];

/// Runs the commands of a page in order, in a folder with `specs`, `predicates` and `tests`; the differences.
fn differences(page: &str) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["specs", "predicates", "tests"] {
        std::os::unix::fs::symlink(Path::new(ROOT).join(name), folder.path().join(name)).expect("a link");
    }
    let text = fs::read_to_string(Path::new(ROOT).join("docs").join(page)).expect("a page");
    let (mut differences, mut commands) = (String::new(), 0);
    for (block, body) in blocks(&text) {
        if block.contains('.') {
            let path = folder.path().join(block);
            let before = fs::read_to_string(&path).unwrap_or_default();
            fs::write(path, before + &body).expect("written");
        } else if block.is_empty() && body.starts_with("$ cladist ") {
            for command in body[2..].split("\n$ ") {
                let (line, shown) = command.split_once('\n').unwrap_or((command, ""));
                commands += 1;
                let printed = run(line, folder.path());
                if !agree(shown, &printed) {
                    let _ = writeln!(differences, "{page}: {line}\n{printed}\ninstead of\n{shown}");
                }
            }
        }
    }
    assert!(commands > 0, "{page} has no commands");
    differences
}

/// The fenced blocks of a page: the language and the text.
fn blocks(text: &str) -> Vec<(&str, String)> {
    let (mut blocks, mut open): (Vec<(&str, String)>, bool) = (Vec::new(), false);
    for line in text.lines() {
        match (line.strip_prefix("```"), open) {
            (Some(language), false) => blocks.push((language, String::new())),
            (None, true) => {
                let _ = writeln!(blocks.last_mut().expect("open").1, "{line}");
            }
            _ => {}
        }
        open ^= line.starts_with("```");
    }
    blocks
}

/// The standard output of a command line.
fn run(line: &str, folder: &Path) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cladist"));
    for variable in ["COLUMNS", "CLADIST_SOLVER", "CLADIST_TIMEOUT", "CLADIST_MEMORY", "CLADIST_THREADS"] {
        command.env_remove(variable);
    }
    let words = words(line);
    let output = command.current_dir(folder).args(&words[1..]).output().expect("the program runs");
    assert!(matches!(output.status.code(), Some(0 | 10 | 12)), "{line}: {output:?}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

fn agree(shown: &str, printed: &str) -> bool {
    let shown: Vec<String> = shown.trim_end().lines().map(|line| line.trim_end().to_owned()).collect();
    let pattern =
        |line: &String| if line.trim() == "…" { "...".to_owned() } else { line.replace('…', "[..]") };
    let shown: Vec<String> = shown.iter().map(pattern).collect();
    let shown: Vec<&str> = shown.iter().map(String::as_str).collect();
    let printed: Vec<&str> = printed.trim_end().lines().map(str::trim_end).collect();
    lines_match(&shown, &printed)
}

#[test]
fn the_tutorial_is_as_it_says() {
    let found = differences("tutorial.md");
    assert!(found.is_empty(), "{found}");
}

#[test]
fn pages_are_as_they_say() {
    let found = PAGES.map(differences).concat();
    assert!(found.is_empty(), "{found}");
}

#[test]
fn a_difference_is_found() {
    assert!(agree("one\n…\nlast … line\n", "one\ntwo\nthree\nlast of all line\n"));
    assert!(!agree("one\n…\nfour\n", "one\ntwo\nthree\n"));
    assert!(!agree("one\n", "one\ntwo\n"));
    assert_eq!(blocks("a\n```x.sts\nmodel x;\n```\nb\n```\n$ c\n```\n").len(), 2);
}
