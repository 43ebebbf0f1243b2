//! The server for editors, driven over its standard input and output.

use super::editor::{Editor, ROOT, checked, uri};
use serde_json::{Value as Json, json};
use std::path::{Path, PathBuf};
use std::process::Command;

fn files(folder: &str, ending: &str) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for entry in std::fs::read_dir(Path::new(ROOT).join(folder)).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|extension| extension == ending) {
            all.push(path);
        }
    }
    all.sort();
    all
}

/// The same of what the server published.
fn published(found: &[Json]) -> Vec<(String, String, Option<u64>)> {
    let found = found.iter().map(|found| {
        let severity = match found["severity"].as_u64() {
            Some(1) => "error",
            Some(2) => "warning",
            _ => "note",
        };
        let message =
            found["message"].as_str().expect("a text").lines().next().unwrap_or_default().to_owned();
        let start = &found["range"]["start"];
        let has_place = found["range"]
            != json!({"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}});
        (severity.to_owned(), message, has_place.then(|| start["line"].as_u64().expect("a line") + 1))
    });
    found.collect()
}

#[test]
fn findings_are_those_of_check() {
    let mut editor = Editor::start();
    let folder = tempfile::tempdir().expect("a folder");
    let mut with_findings = 0;
    let specs = files("specs", "sts").into_iter().filter(|path| {
        ["mutex", "running_example", "ring_election", "vote", "ns_public_key"]
            .contains(&path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default())
    });
    for path in specs.chain(files("predicates", "pred")) {
        let text = std::fs::read_to_string(&path).expect("readable");
        let found = editor.open(&path, &text);
        assert_eq!(published(&found), checked(&path), "{}", path.display());
    }
    // With mistakes.
    let text = std::fs::read_to_string(Path::new(ROOT).join("specs/mutex.sts")).expect("readable");
    for (number, (from, to)) in [
        ("flag", "flog"),
        ("action enter", "acton enter"),
        ("invariant exclusion", "/* x */ invariant exclusion"),
        ("require", "require 😀 and"),
        ("turn", "location"),
        ("init {", "init { turn = Q; "),
    ]
    .into_iter()
    .enumerate()
    {
        let wrong = text.replacen(from, to, 3);
        assert_ne!(text, wrong, "{from}");
        let path = folder.path().canonicalize().expect("a folder").join(format!("wrong{number}.sts"));
        std::fs::write(&path, &wrong).expect("written");
        let found = editor.open(&path, &wrong);
        with_findings += usize::from(!found.is_empty());
        assert_eq!(published(&found), checked(&path), "{to}");
    }
    assert!(with_findings > 3);
    editor.end();
}

#[test]
fn findings_follow_what_is_typed_with_columns_in_utf_16() {
    let mut editor = Editor::start();
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().canonicalize().expect("a folder").join("a b.sts");
    let good = "model a;\nvar x : bool;\ninit { x = true; }\naction stay {}\ninvariant i: x;\n";
    std::fs::write(&path, good).expect("written");
    let place = uri(&path).replace(' ', "%20");
    let document = json!({"uri": place, "languageId": "cladist", "version": 1, "text": good});
    editor.tell("textDocument/didOpen", json!({"textDocument": document}));
    let before = editor.findings();
    assert!(before.iter().all(|found| found["severity"] != 1), "{before:?}");
    let wrong = good.replace("invariant i: x;", "/// 😀\ninvariant i: /*😀*/ y;");
    let change = json!({"textDocument": {"uri": place, "version": 2}, "contentChanges": [{"text": wrong}]});
    editor.tell("textDocument/didChange", change);
    let found = editor.findings();
    let comment = found.iter().find(|found| found["message"].as_str().is_some_and(|m| m.contains("/*")));
    let start = &comment.expect("a finding")["range"]["start"];
    assert_eq!((start["line"].as_u64(), start["character"].as_u64()), (Some(5), Some(13)));
    let wide = good.replace("invariant i: x;", "invariant i: \"😀\" = y;");
    let change = json!({"textDocument": {"uri": place, "version": 3}, "contentChanges": [{"text": wide}]});
    editor.tell("textDocument/didChange", change);
    let found = editor.findings();
    // Each finding lies within the line, counted in UTF-16.
    let length = "invariant i: \"😀\" = y;".encode_utf16().count() as u64;
    assert!(!found.is_empty());
    for one in &found {
        let [start, end] =
            ["start", "end"].map(|at| one["range"][at]["character"].as_u64().expect("a column"));
        assert!(start < end && end <= length, "{one}");
    }
    let change = json!({"textDocument": {"uri": place, "version": 4}, "contentChanges": [{"text": good}]});
    editor.tell("textDocument/didChange", change);
    assert!(editor.findings().iter().all(|found| found["severity"] != 1));
    editor.tell("textDocument/didClose", json!({"textDocument": {"uri": place}}));
    assert_eq!(editor.findings(), Vec::<Json>::new());
    assert_eq!(editor.ask("textDocument/moniker", json!({}))["error"]["code"], -32601);
    editor.end();
}

#[test]
fn requests_after_the_end_are_refused() {
    let mut editor = Editor::start();
    assert!(editor.ask("shutdown", Json::Null).get("error").is_none());
    editor.tell("textDocument/didClose", json!({"textDocument": {"uri": "file:///none.sts"}}));
    assert_eq!(editor.ask("textDocument/hover", json!({}))["error"]["code"], -32600);
    editor.exit();
}

#[test]
fn what_is_no_message_is_answered_and_the_server_goes_on() {
    let mut editor = Editor::start();
    let long = format!("Content-Length: {}\r\n\r\n\"{}\"", (64 << 20) + 1, "x".repeat((64 << 20) - 1));
    for (frame, code) in [
        (&b"Content-Length: 9\r\n\r\n{nonsense"[..], -32700),
        (b"Content-Length: 2\r\n\r\n\xff\xfe", -32700),
        (b"Content-Length: 2\r\n\r\n[]", -32600),
        (b"Content-Length: -2\r\n\r\n{}", -32700),
        (b"Content-Length: 18446744073709551615\r\n\r\n{}", -32700),
        (b"Content-Length: 99999999999999999999999\r\n\r\n{}", -32700),
        (b"\r\n", -32700),
        (b"Content-Type: application/json\r\n\r\n{}", -32700),
        (long.as_bytes(), -32700),
    ] {
        editor.write(frame);
        let answer = editor.receive();
        assert_eq!((&answer["id"], &answer["error"]["code"]), (&Json::Null, &json!(code)), "{answer}");
        assert_eq!(editor.ask("textDocument/moniker", json!({}))["error"]["code"], -32601);
    }
    editor.end();
}

#[test]
fn declarations_are_listed() {
    let mut editor = Editor::start();
    let path = Path::new(ROOT).join("specs/mutex.sts");
    let text = std::fs::read_to_string(&path).expect("readable");
    editor.open(&path, &text);
    let answer = editor.ask("textDocument/documentSymbol", json!({"textDocument": {"uri": uri(&path)}}));
    let symbols = answer["result"].as_array().expect("a list");
    let lines: Vec<&str> = text.lines().collect();
    for symbol in symbols {
        let start = &symbol["selectionRange"]["start"];
        let line = lines[start["line"].as_u64().expect("a line") as usize];
        let from = start["character"].as_u64().expect("a column") as usize;
        assert!(line[from..].starts_with(symbol["name"].as_str().expect("a name")), "{symbol}");
    }
    let names: Vec<&str> = symbols.iter().filter_map(|symbol| symbol["name"].as_str()).collect();
    for name in ["turn", "begin", "exclusion", "p_enters", "courses"] {
        assert!(names.contains(&name), "{names:?}");
    }
    editor.end();
}

#[test]
fn texts_are_laid_out_as_by_the_program() {
    let mut editor = Editor::start();
    let paths =
        ["tests/cli/protocols/everything.spdl", "tests/cli/sessions.sts", "tests/model_common/messages.pred"];
    for path in paths.map(|path| Path::new(ROOT).join(path)) {
        let text = std::fs::read_to_string(&path).expect("readable");
        editor.open(&path, &text);
        let options =
            json!({"textDocument": {"uri": uri(&path)}, "options": {"tabSize": 4, "insertSpaces": true}});
        let answer = editor.ask("textDocument/formatting", options.clone());
        let laid_out = answer["result"][0]["newText"].as_str().expect("a text").to_owned();
        let output = Command::new(env!("CARGO_BIN_EXE_cladist"))
            .args(["fmt", "--stdout", path.to_str().expect("UTF-8")])
            .output()
            .expect("runs");
        assert_eq!(laid_out.as_bytes(), output.stdout);
        let change = json!({"textDocument": {"uri": uri(&path), "version": 2}, "contentChanges": [{"text": laid_out}]});
        editor.tell("textDocument/didChange", change);
        editor.findings();
        assert_eq!(editor.ask("textDocument/formatting", options)["result"], json!([]));
    }
    editor.end();
}

#[test]
fn imports_are_read_as_they_stand_in_the_editor() {
    let mut editor = Editor::start();
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path().canonicalize().expect("a folder");
    let [library, model] = ["l.pred", "m.sts"].map(|name| folder.join(name));
    let stored = "library l;\nrequires { observe o : bool; }\npred p(t: pos) = o@t;\n";
    std::fs::write(&library, stored).expect("written");
    let text = "model m;\nimport \"l.pred\" as l with { o = x };\nvar x : bool;\ninit { x = true; }\n\
                action stay {}\ninvariant i: x;\nvocabulary v = { l.q };\n";
    std::fs::write(&model, text).expect("written");
    let errors = |found: Vec<Json>| found.iter().filter(|found| found["severity"] == 1).count();
    assert_eq!(errors(editor.open(&model, text)), 1);
    editor.open(&library, &stored.replace("pred p", "pred q"));
    assert_eq!(errors(editor.open(&model, text)), 0);
    editor.end();
}
