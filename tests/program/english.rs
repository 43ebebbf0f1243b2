//! The English of messages, help and documentation: turns of phrase that read as translated, and better ones.

use regex_lite::Regex;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Patterns of sentences in messages, help and documentation, and better wording.
const SENTENCES: &[(&str, &str)] = &[
    (r"(?i)\bfirst states?\b", "initial state"),
    (
        r"(?i)\b(is|are|was|were|be|been) (said|had|told|looked (at|for|into|after))\b",
        "tool, file or value as subject",
    ),
    (r"(?i)\blooked (at|into)\b", "examined"),
    (r"(?i)\b(something|what) is left over\b", "a remainder; others are in no class"),
    (r"(?i)\b(nothing|none|no part) can be left out\b", "every fact is needed"),
    (r"(?i)\b(one|[0-9]+|several|same|other) things?\b", "predicates, facts or values"),
    (r"(?i)\bthings? happens?\b", "a predicate holds, a fact occurs"),
    (r"(?i)\bthe step just taken\b", "step i, the last step"),
    (r"(?i)\brest(s|ed|ing)? on the bound\b", "depends on the bound"),
    (r"(?i)\bcame about\b", "causes of …"),
    (r"(?i)\bone step away\b", "names only the last step"),
    (r"(?i)\bwhatever (it|they|the \w+) says?\b", "vacuously, in any case"),
    (r"(?i)\bspeaks? of\b", "refers to, names, mentions"),
    (r"(?i)\bsays? nothing of\b", "does not mention, does not cover"),
    (r"(?i)\b(what|which) (it|they|that) (says?|asks?) for\b", "the request"),
    (r"(?i)\bas it was told\b", "as configured, as requested"),
    (r"(?i)\btells? (kinds|classes|traces|orders|them) (apart|by)\b", "distinguishes"),
    (r"(?i)\bbelongs? into\b", "belongs in"),
    (r"(?i)\bof what (an?|the|it|is|can|was|they)\b", "name the object first"),
    (r"(?i)\binside of\b", "inside"),
    (r"(?i)\bin names of actions, what\b", "the property in names of actions"),
    (r"(?i)\bnothing else is (needed|asked)\b", "already violating without a further cause"),
];

/// Patterns of sentences, of documentation only: a clause as subject. A heading or a question may be one.
const SUBJECTS: &[(&str, &str)] = &[
    (r"(^|[.!:;] |^[*-] |\| )(What|Whether|Of what) [^?|]*$", "one subject noun first"),
    (r"(^|[.!] |^[*-] )That [a-z`]+ [^.?]* (is|are|was|does|takes|makes|needs)\b", "one subject noun first"),
];

/// Words of code that the patterns match, and texts that quote the patterns of others.
const ALLOWED: &[&str] = &[
    "first state that", // of a trace, not of the model
];

/// A text with the name of its place in front of each line.
fn lines(path: &Path) -> Vec<(String, String)> {
    let text = fs::read_to_string(path).expect("UTF-8");
    let name = path.strip_prefix(ROOT).unwrap_or(path).display().to_string();
    text.lines().enumerate().map(|(at, line)| (format!("{name}:{}", at + 1), line.to_owned())).collect()
}

/// All files below a folder with this ending.
fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("readable").map(|entry| entry.expect("readable").path());
    let all = entries.flat_map(|path| if path.is_dir() { files(&path, ending) } else { vec![path] });
    all.filter(|path| path.extension().is_some_and(|extension| extension == ending)).collect()
}

fn sources() -> Vec<PathBuf> {
    files(&Path::new(ROOT).join("src"), "rs")
}

/// The pages for users, without code blocks.
fn pages() -> Vec<(String, String)> {
    let docs = fs::read_dir(Path::new(ROOT).join("docs")).expect("docs");
    let docs = docs.map(|entry| entry.expect("an entry").path());
    let docs = docs.filter(|path| path.extension().is_some_and(|extension| extension == "md"));
    let own = ["README.md", "CONTRIBUTING.md"].map(|name| Path::new(ROOT).join(name));
    let mut found = Vec::new();
    for page in docs.chain(own) {
        let mut in_code = false;
        for (place, line) in lines(&page) {
            let fence = line.trim_start().starts_with("```");
            in_code ^= fence;
            if !in_code && !fence {
                found.push((place, line));
            }
        }
    }
    found
}

/// Fails with each line that a pattern matches, the place and the better wording.
fn check(lines: &[(String, String)], patterns: &[(&str, &str)]) {
    assert!(lines.len() > 100, "the texts were not found");
    let patterns: Vec<(Regex, &str)> =
        patterns.iter().map(|(pattern, better)| (Regex::new(pattern).expect("a pattern"), *better)).collect();
    let mut failures = Vec::new();
    for (place, line) in lines {
        for (pattern, better) in &patterns {
            let Some(found) = pattern.find(line) else { continue };
            let rest = &line[found.start()..];
            if !ALLOWED.iter().any(|allowed| rest.starts_with(allowed)) {
                failures.push(format!("{place}: `{}` → {better}\n    {}", found.as_str(), line.trim()));
            }
        }
    }
    assert!(failures.is_empty(), "{} places\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn messages_are_english() {
    let of =
        |path: &PathBuf| lines(path).into_iter().filter(|(_, line)| !line.trim_start().starts_with("//"));
    check(&sources().iter().flat_map(of).collect::<Vec<_>>(), SENTENCES);
}

#[test]
fn help_is_english() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut man = Command::new(env!("CARGO_BIN_EXE_cladist"));
    man.args(["man", "--out"]).arg(folder.path());
    assert!(man.status().expect("runs").success());
    let pages = fs::read_dir(folder.path()).expect("a folder").map(|entry| entry.expect("an entry").path());
    check(&pages.flat_map(|page| lines(&page)).collect::<Vec<_>>(), SENTENCES);
}

#[test]
fn pages_are_english() {
    let pages = pages();
    check(&pages, SENTENCES);
    let prose: Vec<_> = pages.into_iter().filter(|(_, line)| !line.starts_with('#')).collect();
    check(&prose, SUBJECTS);
}

/// Each doc comment names its item first.
#[test]
fn doc_comments_begin_with_a_noun_or_a_verb() {
    let clause = Regex::new(r"^//[/!] (What|Whether|That|The same)\b").expect("a pattern");
    let mut failures = Vec::new();
    for path in sources() {
        let mut before = String::new();
        for (place, line) in lines(&path) {
            let line = line.trim().to_owned();
            let begins = !before.starts_with("///") && !before.starts_with("//!");
            if begins && clause.is_match(&line) {
                failures.push(format!("{place}: {line}"));
            }
            before = line;
        }
    }
    assert!(failures.is_empty(), "doc comments that begin with a clause\n{}", failures.join("\n"));
}
