//! Names in an editor: following, describing, renaming and completing them; classifying properties.

use super::editor::{Editor, ROOT, checked, uri};
use serde_json::{Value as Json, json};
use std::path::Path;

/// The place of the first `mark` in a text, `after` bytes further on, as editors write it.
fn place(path: &Path, text: &str, mark: &str, after: usize) -> Json {
    let at = text.find(mark).unwrap_or_else(|| panic!("no {mark}")) + after;
    let line = text[..at].matches('\n').count();
    let character = text[..at].rsplit('\n').next().expect("a line").encode_utf16().count();
    json!({"textDocument": {"uri": uri(path)}, "position": {"line": line, "character": character}})
}

/// The text of a range of a file.
fn text_at(location: &Json) -> String {
    let path = location["uri"].as_str().and_then(|uri| uri.strip_prefix("file://")).expect("a file");
    let text = std::fs::read_to_string(path).expect("readable");
    let (start, end) = (&location["range"]["start"], &location["range"]["end"]);
    let line = text.lines().nth(start["line"].as_u64().expect("a line") as usize).expect("a line");
    let column = |position: &Json| position["character"].as_u64().expect("a column") as usize;
    line[column(start)..column(end)].to_owned()
}

#[test]
fn names_are_followed_and_described() {
    let mut editor = Editor::start();
    let path = Path::new(ROOT).join("specs/ns_public_key.sts");
    let text = std::fs::read_to_string(&path).expect("readable");
    editor.open(&path, &text);
    // A variable, a field, a parameter as a label, a predicate of a library, a required name, a constructor of an enumeration.
    let cases = [
        (
            "net.body.who = a",
            0,
            "specs/ns_public_key.sts",
            "net",
            "var net : option Message",
            "The one message in flight.",
        ),
        ("body.who = a", 5, "specs/ns_public_key.sts", "who", "who: option Agent", "field"),
        ("answer.a,", 7, "specs/ns_public_key.sts", "a", "a: Agent", "parameter"),
        (
            "msgs.replay",
            5,
            "predicates/messages.pred",
            "replay",
            "pred replay(t1, t2: pos)",
            "of `messages.pred`",
        ),
        (
            "sender = net.sender",
            0,
            "predicates/messages.pred",
            "sender",
            "observe sender : option Agent",
            "Who put it there.",
        ),
        (
            "Waiting;",
            0,
            "specs/ns_public_key.sts",
            "Waiting",
            "Waiting of enum { Idle, Waiting, Done }",
            "value",
        ),
    ];
    for (mark, after, file, name, shown, more) in cases {
        let at = place(&path, &text, mark, after);
        let answer = editor.ask("textDocument/definition", at.clone());
        let locations = answer["result"].as_array().expect("a list");
        assert_eq!(locations.len(), 1, "{mark}: {answer}");
        assert_eq!(locations[0]["uri"], uri(&Path::new(ROOT).join(file)), "{mark}");
        assert_eq!(text_at(&locations[0]), name, "{mark}");
        let answer = editor.ask("textDocument/hover", at);
        let hover = answer["result"]["contents"]["value"].as_str().expect("a text");
        assert!(hover.contains(shown) && hover.contains(more), "{mark}: {hover}");
    }
    assert_eq!(editor.ask("textDocument/hover", place(&path, &text, "invariant", 0))["result"], Json::Null);
    let mut at = place(&path, &text, "msgs.replay", 5);
    at["context"] = json!({"includeDeclaration": true});
    let answer = editor.ask("textDocument/references", at);
    let locations = answer["result"].as_array().expect("a list");
    assert!(locations.iter().all(|location| text_at(location) == "replay"), "{answer}");
    let in_file = |file: &str| {
        let uri = uri(&Path::new(ROOT).join(file));
        locations.iter().filter(|location| location["uri"] == uri).count()
    };
    // Also in a model that is not open; in the library, in three examples as well.
    for (file, times) in
        [("predicates/messages.pred", 4), ("specs/ns_public_key.sts", 1), ("specs/ns_sessions.sts", 1)]
    {
        assert_eq!(in_file(file), times, "{file}: {answer}");
    }
    editor.end();
}

#[test]
fn renaming_changes_all_files_and_no_meaning() {
    let mut editor = Editor::start();
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path().canonicalize().expect("a folder");
    let [library, model, other] = ["l.pred", "m.sts", "other.sts"].map(|name| folder.join(name));
    let texts = [
        (
            &library,
            "library l;\nrequires { type T; observe seen : option T; }\npred first(x: T, t: pos) = seen@t = x;\n",
        ),
        (
            &model,
            "model m;\nimport \"l.pred\" as l with { T = Colour, seen = send.c };\n\
             type Colour = enum { Red, Green };\nvar x : option Colour;\nvar shade : Colour;\ninit { x = none; }\n\
             action send(c: Colour) { x' = c; }\ndef is_red(c: Colour): bool = c = Red;\n\
             invariant never_red: not (exists c in Colour: x = c and is_red(c));\nvocabulary v = { l.first, eq(x) };\n",
        ),
        (
            &other,
            "model other;\nimport \"l.pred\" as k with { T = Bit, seen = x };\ntype Bit = 0..1;\nvar x : Bit;\n\
             init { x = 0; }\naction up { x' = 1; }\ninvariant zero: x = 0;\nvocabulary v = { k.first };\n",
        ),
    ];
    for (path, text) in texts {
        std::fs::write(path, text).expect("written");
    }
    let text = texts[1].1;
    editor.open(&model, text);
    let mut rename = |mark: &str, after: usize, to: &str| {
        let mut at = place(&model, text, mark, after);
        let range = editor.ask("textDocument/prepareRename", at.clone());
        at["newName"] = json!(to);
        (range["result"].clone(), editor.ask("textDocument/rename", at))
    };
    // A predicate of the library, in the library and both models, one of which is not open.
    let (_, answer) = rename("l.first", 2, "earliest");
    let changes = answer["result"]["changes"].as_object().expect("changes");
    let edits: Vec<usize> =
        [&library, &model, &other].map(|path| changes[&uri(path)].as_array().map_or(0, Vec::len)).to_vec();
    assert_eq!(edits, [1, 1, 1]);
    // A parameter, with its label, but not other names that are equal.
    let (range, answer) = rename("send.c", 5, "colour");
    assert_eq!(range["end"]["character"].as_u64(), range["start"]["character"].as_u64().map(|at| at + 1));
    assert_eq!(answer["result"]["changes"][uri(&model)].as_array().map(Vec::len), Some(3));
    for (mark, after, to, why) in [
        ("l.first", 2, "seen", "clashes"),
        ("l.first", 2, "require", "a word of the language"),
        ("l.first", 2, "a b", "not a name"),
        ("is_red", 0, "x", "clashes"),
        ("c in Colour", 0, "x", "clashes"),
        ("model m", 0, "y", "no name"),
    ] {
        let (_, answer) = rename(mark, after, to);
        let message = answer["error"]["message"].as_str().unwrap_or_else(|| panic!("{mark}: {answer}"));
        assert!(message.contains(why), "{mark} to {to}: {message}");
    }
    // What the edits make of the files still checks, with the same result.
    let (_, answer) = rename("is_red(c: Colour)", 0, "is_warm");
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let edits = answer["result"]["changes"][uri(&model)].as_array().expect("edits").clone();
    for edit in edits.iter().rev() {
        let line = &mut lines[edit["range"]["start"]["line"].as_u64().expect("a line") as usize];
        let column = |end: &str| edit["range"][end]["character"].as_u64().expect("a column") as usize;
        line.replace_range(column("start")..column("end"), edit["newText"].as_str().expect("a text"));
    }
    let changed = lines.join("\n") + "\n";
    assert_eq!(changed, text.replace("is_red", "is_warm"));
    std::fs::write(&model, changed).expect("written");
    assert!(checked(&model).iter().all(|(severity, ..)| severity != "error"));
    editor.end();
}

#[test]
fn what_could_be_named_elsewhere_is_not_renamed() {
    let mut editor = Editor::start();
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path().canonicalize().expect("a folder");
    let texts = [
        // The model supplies what the library requires by its name: with another name, it would supply something else.
        ("l.pred", "library l;\nrequires { observe o : bool; }\npred p(t: pos) = o@t;\n", "o : bool", "x"),
        (
            "broken.sts",
            "model b;\nvar y : bool;\ninit { y = true; }\ninvariant i: true and (y;\n",
            "y : bool",
            "z",
        ),
        (
            "c.sts",
            "component c;\ntype R = record { left: bool };\nvar r : R;\noperation f() { r'.left = true; }\n",
            "left: bool",
            "first",
        ),
    ];
    let model = "model m;\nimport \"l.pred\" as l;\nvar o : bool;\nvar x : bool;\ninit { o = true; x = true; }\n\
                 action turn { x' = not x; }\ninvariant i: o;\nvocabulary v = { l.p };\n";
    std::fs::write(folder.join("m.sts"), model).expect("written");
    for (file, text, mark, to) in texts {
        let path = folder.join(file);
        std::fs::write(&path, text).expect("written");
        editor.open(&path, text);
        let mut at = place(&path, text, mark, 0);
        at["newName"] = json!(to);
        let answer = editor.ask("textDocument/rename", at);
        assert!(answer["error"]["message"].is_string(), "{file}: {answer}");
    }
    editor.end();
}

#[cfg(unix)]
#[test]
fn files_are_found_through_symbolic_links() {
    let mut editor = Editor::start();
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path().canonicalize().expect("a folder");
    let (stored, linked) = (folder.join("stored"), folder.join("linked"));
    std::fs::create_dir(&stored).expect("made");
    std::os::unix::fs::symlink(&stored, &linked).expect("made");
    let text = "library l;\nrequires { observe o : bool; }\npred p(t: pos) = o@t;\n";
    let model = "model m;\nimport \"l.pred\" as l with { o = x };\nvar x : bool;\ninit { x = true; }\n\
                 action stay {}\ninvariant i: x;\nvocabulary v = { l.p };\n";
    std::fs::write(stored.join("l.pred"), text).expect("written");
    std::fs::write(stored.join("m.sts"), model).expect("written");
    let library = linked.join("l.pred");
    editor.open(&library, text);
    let mut at = place(&library, text, "p(t", 0);
    at["newName"] = json!("q");
    let answer = editor.ask("textDocument/rename", at);
    let changes = &answer["result"]["changes"];
    for path in [library, linked.join("m.sts")] {
        assert_eq!(changes[uri(&path)].as_array().map(Vec::len), Some(1), "{answer}");
    }
    editor.end();
}

#[test]
fn what_can_be_written_is_offered() {
    let mut editor = Editor::start();
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().canonicalize().expect("a folder").join("m.sts");
    let good = "model m;
type Colour = enum { Red, Green };
type Part = record { left: Colour, right: 0..3 };
var part : Part;
init { part = Part(left: Red, right: 0); }
action turn(shade: Colour) {
  require part.left != shade;
}
invariant always_red: forall c in Colour: part.left = c;
ltl soon: eventually part.left = Red;
pred turned(i: pos) = turn.shade@i = Red;
vocabulary v = { turned };
";
    std::fs::write(&path, good).expect("written");
    // What is written at the place of `|`, what has to be offered, and what must not be.
    let cases: [(&str, &str, &[&str], &[&str]); 9] = [
        ("part.left != shade;", "part.| != shade;", &["left", "right"], &["part", "shade", "require"]),
        (
            "part.left != shade;",
            "part.left != |",
            &["shade", "Red", "part", "true", "forall"],
            &["i", "c", "require"],
        ),
        (
            "part.left != shade;",
            "part.left != shade;\n  |",
            &["part", "require", "if", "let"],
            &["Red@", "invariant"],
        ),
        ("part.left = c;", "part.left = |;", &["c", "Red"], &["shade", "always"]),
        ("eventually part", "eventually |", &["part", "always", "next"], &["shade"]),
        ("turn.shade@i", "turn.|@i", &["shade"], &["i", "part"]),
        (
            "var part : Part;",
            "var part : Pa|",
            &["Part", "Colour", "option", "set"],
            &["part", "Red", "true"],
        ),
        ("{ turned }", "{ | }", &["turned", "eq", "before"], &["part", "shade", "require"]),
        ("vocabulary v", "|", &["var", "action", "invariant", "vocabulary"], &["part", "require"]),
    ];
    for (from, to, offered, others) in cases {
        let text = good.replacen(from, to, 1);
        let at = text.find('|').expect("a place");
        let text = text.replacen('|', "", 1);
        editor.open(&path, &text);
        let (line, column) =
            (text[..at].matches('\n').count(), at - text[..at].rfind('\n').map_or(0, |end| end + 1));
        let at =
            json!({"textDocument": {"uri": uri(&path)}, "position": {"line": line, "character": column}});
        let answer = editor.ask("textDocument/completion", at);
        let labels: Vec<&str> = answer["result"]
            .as_array()
            .expect("a list")
            .iter()
            .filter_map(|item| item["label"].as_str())
            .collect();
        assert!(offered.iter().all(|name| labels.contains(name)), "{to}: {labels:?}");
        assert!(!others.iter().any(|name| labels.contains(name)), "{to}: {labels:?}");
    }
    editor.end();
}

#[test]
fn properties_are_classified_from_the_editor() {
    let mut editor = Editor::start();
    let path = Path::new(ROOT).join("specs/increment_decrement.sts");
    let text = std::fs::read_to_string(&path).expect("readable");
    editor.open(&path, &text);
    let at = place(&path, &text, "invariant", 0)["position"].clone();
    let params = json!({
        "textDocument": {"uri": uri(&path)}, "range": {"start": at, "end": at}, "context": {"diagnostics": []},
    });
    let answer = editor.ask("textDocument/codeAction", params);
    let actions = answer["result"].as_array().expect("a list");
    assert_eq!(actions.len(), 1, "{answer}");
    assert_eq!(actions[0]["arguments"][0], path.to_str().expect("UTF-8"));
    let params = json!({"command": actions[0]["command"], "arguments": actions[0]["arguments"]});
    let answer = editor.ask("workspace/executeCommand", params);
    let shown = answer["result"].as_str().expect("a text");
    let property = actions[0]["arguments"][1].as_str().expect("a name");
    assert!(shown.starts_with("violated") && shown.contains(&format!("property   {property}")), "{shown}");
    let wrong = json!({"command": "cladist.remove", "arguments": []});
    assert!(editor.ask("workspace/executeCommand", wrong)["error"]["message"].is_string());
    editor.end();
}
