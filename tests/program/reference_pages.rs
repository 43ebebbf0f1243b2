//! Reference pages of libraries and models, and the examples of the libraries of the repository.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Runs the program in the folder of the repository.
fn cladist(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_cladist")).current_dir(ROOT).args(args).output().expect("runs")
}

/// The text that it prints; it has to end well.
fn printed(args: &[&str]) -> String {
    let output = cladist(args);
    assert_eq!(output.status.code(), Some(0), "{args:?}\n{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// `CLADIST_RECORD=1` writes what is printed now.
#[test]
fn pages_have_signatures_doc_comments_and_examples() {
    for (file, page) in [("tests/cli/bell.pred", "library.md"), ("tests/cli/account.sts", "model.md")] {
        let found = printed(&["doc", file]);
        let path = Path::new(ROOT).join("tests/pages").join(page);
        if std::env::var_os("CLADIST_RECORD").is_some() {
            fs::write(&path, &found).expect("written");
        }
        assert_eq!(found, fs::read_to_string(&path).expect("a page"), "{file}");
    }
}

#[test]
fn pages_in_html_have_the_same_parts() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("bell.html");
    printed(&["doc", "tests/cli/bell.pred", "-o", out.to_str().expect("UTF-8")]);
    let page = fs::read_to_string(&out).expect("a page");
    assert_eq!(page, printed(&["doc", "tests/cli/bell.pred", "--html"]));
    assert!(page.starts_with("<!DOCTYPE html>") && page.contains("<title>Library bell</title>"));
    for part in [
        "<h3><code>rings</code></h3>",
        "<pre><code>pred rings(t: pos) = same(event@t, Meal);</code></pre>",
        "<td>The event | that matters.</td>",
        "with { BROKEN = true } within 3;",
    ] {
        assert!(page.contains(part), "{part}\n{page}");
    }
}

/// Each predicate of the libraries in `predicates` has an example and a counterexample of its own, and all are as they say.
#[test]
fn the_libraries_of_the_program_have_examples() {
    let folder = fs::read_dir(Path::new(ROOT).join("predicates")).expect("a folder");
    let files = folder.map(|entry| entry.expect("an entry").path());
    let files: Vec<_> =
        files.filter(|path| path.extension().is_some_and(|ending| ending == "pred")).collect();
    assert!(files.len() >= 5);
    for path in files {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let text = fs::read_to_string(&path).expect("a text");
        let words = |begins: &str| -> BTreeSet<String> {
            let lines = text.lines().filter_map(|line| line.strip_prefix(begins));
            lines.map(|rest| rest.split(['(', ' ']).next().unwrap_or_default().to_owned()).collect()
        };
        let declared = words("pred ");
        assert_eq!(declared, words("example of "), "{name}");
        assert_eq!(declared, words("counterexample of "), "{name}");
        let result = printed(&["test", &format!("predicates/{name}")]);
        assert!(result.ends_with(" passed\n"), "{result}");
    }
}

/// Each position has an entry, those of parameters to which one observable is passed as well.
#[test]
fn documents_of_examples_have_all_positions() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("twice.sts");
    let text = "model twice; type R = record { f: 0..2 }; var r : R; init { r.f = 0; }
        action up { r'.f = r.f + 1; } pred grows(a, b: 0..2) = a < b; example of grows(r.f, r.f) within 2;";
    fs::write(&file, text).expect("written");
    let document = printed(&["test", file.to_str().expect("UTF-8"), "--json"]);
    let document: serde_json::Value = serde_json::from_str(&document).expect("JSON");
    let positions = serde_json::json!([{ "name": "r.f", "position": 0 }, { "name": "r.f", "position": 1 }]);
    assert_eq!(document["files"][0]["examples"][0]["positions"], positions, "{document}");
}

/// A model names its library by a path of its own, whatever the folder is in which the program runs.
#[test]
fn libraries_are_found_from_any_folder() {
    let run = |folder: &str, file: &str| {
        let folder = Path::new(ROOT).join(folder);
        let output =
            Command::new(env!("CARGO_BIN_EXE_cladist")).current_dir(folder).args(["test", file]).output();
        output.expect("runs").status.code()
    };
    let whole = Path::new(ROOT).join("predicates/channels.pred");
    for (folder, file) in [
        ("predicates", "channels.pred"),
        ("predicates/examples", "../channels.pred"),
        ("specs", "../predicates/./channels.pred"),
        ("specs", whole.to_str().expect("UTF-8")),
    ] {
        assert_eq!(run(folder, file), Some(0), "{folder} {file}");
    }
}
