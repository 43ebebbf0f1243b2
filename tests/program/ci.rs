//! What continuous integration reads: results beside stored ones, JUnit, SARIF.

use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

fn cladist(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_cladist")).current_dir(ROOT).args(args).output().expect("runs")
}

fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).expect("UTF-8")
}

fn text(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

/// A model after an edit, and its stored result.
struct Edited {
    folder: tempfile::TempDir,
}

impl Edited {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().expect("a folder") }
    }

    /// Writes a model.
    fn model(&self, name: &str, text: &str) -> PathBuf {
        let path = self.folder.path().join(name);
        fs::write(&path, text).expect("written");
        path
    }

    /// Stores the result of a model.
    fn result(&self, name: &str, model: &Path, options: &[&str]) -> PathBuf {
        let output = cladist(&[&["classify", text(model), "--json"], options].concat());
        assert_eq!(output.status.code(), Some(10), "{output:?}");
        let path = self.folder.path().join(name);
        fs::write(&path, &output.stdout).expect("written");
        path
    }
}

fn spec(name: &str) -> String {
    fs::read_to_string(Path::new(ROOT).join("specs").join(name)).expect("a model")
}

/// The same model with other comments, and its actions in the opposite order.
fn harmlessly_edited(model: &str) -> String {
    let mut actions = Vec::new();
    let mut rest = String::new();
    let mut action: Option<String> = None;
    for line in model.lines().filter(|line| !line.trim_start().starts_with("//")) {
        if line.starts_with("action ") {
            action = Some(String::new());
        }
        match &mut action {
            Some(text) => {
                text.push_str(&format!("{line} // edited\n"));
                if line.starts_with('}') || line.ends_with('}') && text.lines().count() == 1 {
                    actions.extend(action.take());
                }
            }
            None => rest.push_str(&format!("{line}\n")),
        }
    }
    assert!(actions.len() > 1, "{model}");
    actions.reverse();
    rest + &actions.concat()
}

#[test]
fn a_harmless_edit_brings_no_new_kind() {
    for (name, options) in [
        ("mutex.sts", &["-V", "steps", "-k", "8"][..]),
        ("increment_decrement.sts", &["-V", "both", "-k", "4"]),
    ] {
        let edited = Edited::new();
        let library =
            fs::read_to_string(Path::new(ROOT).join("predicates/orderings.pred")).expect("a library");
        edited.model("orderings.pred", &library);
        let text_before = spec(name).replace("../predicates/", "");
        let old = edited.result("old.json", &edited.model(name, &text_before), options);
        let model = edited.model(name, &harmlessly_edited(&text_before));
        let args = [&["classify", text(&model), "--baseline", text(&old), "--json"], options].concat();
        let output = cladist(&args);
        assert_eq!(output.status.code(), Some(0), "{name}: {output:?}");
        let document: Json = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!(document["baseline"]["verdict"], "nothing_new", "{name}");
        assert!(!output.stderr.windows(7).any(|at| at == b"warning"), "{output:?}");
    }
}

#[test]
fn a_new_kind_fails_and_is_shown() {
    let edited = Edited::new();
    let now = spec("running_example.sts");
    let before = now.replace("kind = Plaintext or EveKey = Key_AB", "kind = Plaintext");
    assert_ne!(now, before);
    let old = edited.result("old.json", &edited.model("before.sts", &before), &["-V", "messages"]);
    let model = edited.model("now.sts", &now);
    let output = cladist(&["classify", text(&model), "--baseline", text(&old)]);
    assert_eq!(output.status.code(), Some(10), "{output:?}");
    assert!(stdout(&output).contains(": one new kind of violation\n"), "{}", stdout(&output));
    assert!(stdout(&output).contains("class 2 is new"), "{}", stdout(&output));
    // The other way round, a kind is gone, and nothing is new.
    let new = edited.result("new.json", &model, &["-V", "messages"]);
    let before = edited.folder.path().join("before.sts");
    let output = cladist(&["classify", text(&before), "--baseline", text(&new), "--brief"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(stdout(&output).contains("no class repeats class 2 there"), "{}", stdout(&output));
    // In other words, the kinds are the same.
    let output = cladist(&["classify", text(&model), "-V", "equality", "--baseline", text(&new)]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(stdout(&output).contains("class 1 is known: classes there have all"), "{}", stdout(&output));
    // The page says the same.
    let folder = edited.folder.path().join("out");
    let output = cladist(&["classify", text(&before), "--baseline", text(&new), "--out", text(&folder)]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let page = fs::read_to_string(folder.join("report.html")).expect("a page");
    for part in [
        "no new kind of violation</h2>",
        "is known: same as class 1 there",
        "Classes there that no class repeats",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    // A limit that leaves classes out is no silence.
    let args = ["classify", text(&model), "--baseline", text(&new), "--max-classes", "1"];
    assert_eq!(cladist(&args).status.code(), Some(11));
}

#[test]
fn a_class_of_which_the_model_has_lost_the_words_covers_nothing() {
    let edited = Edited::new();
    let now = spec("running_example.sts").replace("secret_plaintext", "in_the_clear");
    let old =
        edited.result("old.json", &edited.model("a.sts", &spec("running_example.sts")), &["-V", "messages"]);
    let output = cladist(&["classify", text(&edited.model("b.sts", &now)), "--baseline", text(&old)]);
    assert_eq!(output.status.code(), Some(10), "{output:?}");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("was ignored") && said.contains("secret_plaintext(i)"), "{said}");
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let edited = Edited::new();
    let old =
        edited.result("old.json", &edited.model("a.sts", &spec("running_example.sts")), &["-V", "messages"]);
    let refused = |args: &[&str], words: &[&str]| {
        let output = cladist(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(words.iter().all(|word| said.contains(word)), "{said}");
    };
    refused(
        &["classify", "specs/mutex.sts", "--baseline", text(&old)],
        &["the model `running_example`", "the property"],
    );
    refused(&["classify", "specs/mutex.sts", "--baseline", "specs/mutex.sts"], &["is not a stored result"]);
    refused(&["diff", text(&old), "Cargo.toml"], &["is not a stored result"]);
    refused(&["check", "predicates/messages.pred", "--junit", "j.xml"], &["is a library"]);
    // Classes of infinite traces are not those of finite ones, whatever the names are.
    let infinite = ["-p", "p_enters", "-V", "kinds", "--ignore-fairness", "-k", "6"];
    let lassos = edited.result("lassos.json", &edited.model("s.sts", STARVATION), &infinite);
    let renamed = |name: &str, of: &Path, from: &str| {
        let path = edited.folder.path().join(name);
        let text = fs::read_to_string(of).expect("a result");
        fs::write(&path, text.replace(&format!("\"property\": \"{from}\""), "\"property\": \"x\""))
            .expect("written");
        path
    };
    let both = STARVATION.replace("ltl p_enters", "invariant y: location[P] != Critical;\nltl p_enters");
    let finite = edited.model("f.sts", &both.replace("invariant y", "invariant x"));
    let lassos_of_x = renamed("x.json", &lassos, "p_enters");
    refused(&["classify", text(&finite), "-p", "x", "--baseline", text(&lassos_of_x)], &["infinite traces"]);
    let of_finite = edited.result("y.json", &edited.model("y.sts", &both), &["-p", "y", "-V", "generic"]);
    let of_finite = renamed("z.json", &of_finite, "y");
    let model = edited.model("l.sts", &STARVATION.replace("ltl p_enters", "ltl x"));
    refused(&["classify", text(&model), "-p", "x", "--baseline", text(&of_finite)], &["finite traces"]);
    let trace = edited.model("t.itf.json", "{}");
    refused(&["trace", "sort", text(&lassos), text(&model), text(&trace)], &["classes of infinite traces"]);
    refused(
        &["classify", text(&finite), "-p", "x", "--within", &format!("{}:1", text(&lassos))],
        &["classes of infinite traces"],
    );
}

const STARVATION: &str = include_str!("../../specs/liveness/starvation.sts");

#[test]
fn kinds_of_infinite_counterexamples_are_compared() {
    let edited = Edited::new();
    let model = edited.model("starvation.sts", STARVATION);
    let asked = ["-p", "all_enter", "-V", "anybody", "-k", "6"];
    let unfair = [&asked[..], &["--ignore-fairness"]].concat();
    let (fair, all) =
        (edited.result("fair.json", &model, &asked), edited.result("all.json", &model, &unfair));
    let compared = |options: &[&str], with: &Path, verdict: &str, novelties: &[&str]| {
        let args = [&["classify", text(&model), "--json", "--baseline", text(with)], options].concat();
        let output = cladist(&args);
        let document: Json = serde_json::from_slice(&output.stdout).expect("JSON");
        let expected = if verdict == "nothing_new" { 0 } else { 10 };
        assert_eq!(output.status.code(), Some(expected), "{options:?}: {document:#}");
        assert_eq!(document["baseline"]["verdict"], verdict, "{options:?}: {document:#}");
        let classes = document["baseline"]["classes"].as_array().expect("a list");
        let found: Vec<&str> = classes.iter().filter_map(|class| class["novelty"].as_str()).collect();
        assert_eq!(found, novelties, "{options:?}");
        crate::plans::assert_valid("classify-lassos-1", &document);
    };
    compared(&unfair, &all, "nothing_new", &["same", "same"]);
    compared(&asked, &all, "nothing_new", &["same"]);
    compared(&unfair, &fair, "new", &["new", "same"]);
    // Other words for the same traces, with individuals and without.
    let named = ["-p", "all_enter", "-V", "anybody", "-k", "6", "--ground", "all"];
    compared(&named, &fair, "nothing_new", &["covered", "covered"]);
    let values = edited.result("values.json", &model, &named);
    compared(&asked, &values, "nothing_new", &["covered"]);
    // One process of two is not both.
    let mut half: Json = serde_json::from_slice(&fs::read(&values).expect("a result")).expect("JSON");
    half["classes"].as_array_mut().expect("a list").pop();
    fs::write(&values, half.to_string()).expect("written");
    compared(&asked, &values, "new", &["new"]);
    let folder = edited.folder.path().join("out");
    let args = ["classify", text(&model), "--baseline", text(&fair), "--out", text(&folder)];
    assert_eq!(cladist(&[&args, &unfair[..]].concat()).status.code(), Some(10));
    let page = fs::read_to_string(folder.join("report.html")).expect("a page");
    assert!(page.contains("one new kind of violation</h2>") && page.contains("is new: no class"), "{page}");
    let output = cladist(&["diff", text(&fair), text(&all)]);
    assert_eq!(output.status.code(), Some(10));
    assert!(stdout(&output).contains("ignore_fairness: false in"), "{}", stdout(&output));
    // What the model no longer has covers nothing.
    let lost = edited.model("lost.sts", &STARVATION.replace("served", "let_in"));
    let output = cladist(&[&["classify", text(&lost), "--baseline", text(&fair)], &asked[..]].concat());
    assert_eq!(output.status.code(), Some(10), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("was ignored"), "{output:?}");
}

#[test]
fn kinds_of_infinite_counterexamples_are_results() {
    let edited = Edited::new();
    let model = edited.model("starvation.sts", STARVATION);
    let asked = ["-p", "p_enters", "-k", "6", "--ignore-fairness"];
    let known = edited.result("known.json", &model, &[&asked[..4], &["-V", "kinds"]].concat());
    let args = [&["classify", text(&model), "--baseline", text(&known)], &asked[..]].concat();
    let (code, elements, log) = reports(&args);
    assert_eq!(code, Some(10));
    elements.iter().for_each(assert_is_of_schema);
    assert_is_log(&log);
    let results = log["runs"][0]["results"].as_array().expect("results");
    let states: Vec<&str> = results.iter().filter_map(|result| result["baselineState"].as_str()).collect();
    assert_eq!(states, ["new", "unchanged"]);
    let steps = |result: &Json| {
        let steps = &result["codeFlows"][0]["threadFlows"][0]["locations"];
        steps.as_array().map_or(0, Vec::len)
    };
    assert_eq!(results.iter().map(steps).collect::<Vec<_>>(), [3, 6]);
    let failure = elements.iter().find(|element| element.name == "failure").expect("a failure");
    for part in ["known: p_enters, kind 2", "new: p_enters, kind 1", "and so on for ever"] {
        assert!(failure.text.contains(part), "{part}: {}", failure.text);
    }
    let (code, elements, _) =
        reports(&[&["classify", text(&model), "--baseline", text(&known)], &asked[..4]].concat());
    assert_eq!(code, Some(0));
    assert!(elements.iter().all(|element| element.name != "failure"));
    // Of a check, the infinite trace is the finding.
    let (code, elements, log) = reports(&["check", text(&model), "-p", "p_enters", "-k", "6"]);
    assert_eq!(code, Some(10));
    assert!(elements.iter().any(|element| element.text.contains("and so on for ever")));
    assert_eq!(log["runs"][0]["results"].as_array().map(Vec::len), Some(1));
}

#[test]
fn differences_are_named() {
    let edited = Edited::new();
    let model = edited.model("a.sts", &spec("running_example.sts"));
    let old = edited.result("old.json", &model, &["-V", "messages", "-k", "1"]);
    let new = edited.result("new.json", &model, &["-V", "messages", "-k", "5"]);
    let same = cladist(&["diff", text(&new), text(&new)]);
    assert_eq!(
        (same.status.code(), stdout(&same).lines().last()),
        (Some(0), Some("the same classes and the same verdict"))
    );
    let output = cladist(&["diff", text(&old), text(&new), "--json"]);
    assert_eq!(output.status.code(), Some(10));
    let found: Json = serde_json::from_slice(&output.stdout).expect("JSON");
    let schema = fs::read(Path::new(ROOT).join("docs/schema/diff-1.json")).expect("a schema");
    let schema: Json = serde_json::from_slice(&schema).expect("JSON");
    assert!(jsonschema::validator_for(&schema).expect("a schema").is_valid(&found), "{found}");
    assert_eq!(found["asked"][0]["field"], "bound");
    assert_eq!(
        (found["only_second"][0]["id"].as_u64(), found["only_first"].as_array().map(Vec::len)),
        (Some(2), Some(0))
    );
}

/// An element of an XML document.
#[derive(Debug)]
struct Element {
    name: String,
    attributes: BTreeMap<String, String>,
    text: String,
}

/// The elements of a document in the order in which they begin; panics unless it is well formed.
fn elements(document: &str) -> Vec<Element> {
    assert!(
        document
            .chars()
            .all(|c| matches!(c, '\t' | '\n' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..))
    );
    let mut rest =
        document.strip_prefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n").expect("a declaration");
    let (mut all, mut open): (Vec<Element>, Vec<usize>) = (Vec::new(), Vec::new());
    while let Some(at) = rest.find('<') {
        let between = unescaped(&rest[..at]);
        match open.last() {
            Some(&index) => all[index].text.push_str(&between),
            None => assert_eq!(between.trim(), ""),
        }
        let end = rest.find('>').expect("a tag that ends");
        let tag = &rest[at + 1..end];
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop().map(|index| all[index].name.as_str()), Some(name));
            continue;
        }
        let (tag, is_empty) = tag.strip_suffix('/').map_or((tag, false), |tag| (tag, true));
        let (name, mut inside) = tag.split_once(' ').unwrap_or((tag, ""));
        let mut attributes = BTreeMap::new();
        while let Some((key, more)) = inside.split_once("=\"") {
            let (value, more) = more.split_once('"').expect("a value that ends");
            assert!(attributes.insert(key.trim().to_owned(), unescaped(value)).is_none(), "{key} twice");
            inside = more;
        }
        assert_eq!(inside.trim(), "");
        if !is_empty {
            open.push(all.len());
        }
        all.push(Element { name: name.to_owned(), attributes, text: String::new() });
    }
    assert!(open.is_empty() && rest.trim().is_empty());
    all
}

/// What a text with references stands for.
fn unescaped(text: &str) -> String {
    let mut parts = text.split('&');
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = part.split_once(';').expect("a reference that ends");
        out.push(match name {
            "lt" => '<',
            "gt" => '>',
            "amp" => '&',
            "quot" => '"',
            _ => panic!("an unknown reference: {name}"),
        });
        out.push_str(rest);
    }
    assert!(!text.contains(['<', '>']), "{text}");
    out
}

/// Runs a command that writes both reports.
fn reports(args: &[&str]) -> (Option<i32>, Vec<Element>, Json) {
    let folder = tempfile::tempdir().expect("a folder");
    let [junit, sarif] = ["junit.xml", "log.sarif"].map(|name| folder.path().join(name));
    let output = cladist(&[args, &["--junit", text(&junit), "--sarif", text(&sarif)]].concat());
    let read = |path| fs::read_to_string(path).unwrap_or_else(|_| panic!("{output:?}"));
    let log: Json = serde_json::from_str(&read(sarif)).expect("JSON");
    assert_is_log(&log);
    let elements = elements(&read(junit));
    elements.iter().for_each(assert_is_of_schema);
    (output.status.code(), elements, log)
}

/// What the schema of Jenkins, `junit-10.xsd`, allows of the elements that are used.
fn assert_is_of_schema(element: &Element) {
    let allowed: &[&str] = match element.name.as_str() {
        "testsuites" => &["name", "time", "tests", "failures", "disabled", "errors"],
        "testsuite" => &["name", "time", "tests", "failures", "errors", "skipped"],
        "testcase" => &["name", "classname", "time"],
        "failure" | "error" => &["message", "type"],
        "skipped" => &["message"],
        "system-err" => &[],
        other => panic!("{other}"),
    };
    for name in element.attributes.keys() {
        assert!(allowed.contains(&name.as_str()), "{name} of {}", element.name);
    }
}

/// What SARIF 2.1.0 demands of the parts that are used.
fn assert_is_log(log: &Json) {
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    let driver = &run["tool"]["driver"];
    assert_eq!(driver["name"], "cladist");
    let rules = driver["rules"].as_array().expect("rules");
    let is_place = |place: &Json| {
        let region = &place["physicalLocation"]["region"];
        let file = place["physicalLocation"]["artifactLocation"]["uri"].as_str().expect("a file");
        assert!(!file.contains([' ', '<', '"', '\u{1b}']), "{file}");
        region.is_null()
            || region["startLine"].as_u64() >= Some(1) && region["startColumn"].as_u64() >= Some(1)
    };
    for result in run["results"].as_array().expect("results") {
        let rule = &rules[result["ruleIndex"].as_u64().expect("an index") as usize];
        assert_eq!(rule["id"], result["ruleId"]);
        assert!(result["message"]["text"].as_str().is_some_and(|text| !text.is_empty()));
        let (kind, level) = (result["kind"].as_str(), result["level"].as_str());
        assert!(matches!((kind, level), (Some("fail"), Some("error")) | (Some("open"), Some("none"))));
        assert!(is_place(&result["locations"][0]));
        if let Some(state) = result["baselineState"].as_str() {
            assert!(["new", "unchanged", "updated"].contains(&state));
        }
        let flow = &result["codeFlows"][0]["threadFlows"][0]["locations"];
        for (number, step) in flow.as_array().into_iter().flatten().enumerate() {
            assert_eq!(step["executionOrder"], number + 1);
            assert!(is_place(&step["location"]) && step["location"]["message"]["text"].is_string());
        }
    }
}

#[test]
fn every_property_is_a_test_case() {
    let (code, all, log) = reports(&["check", "specs/mutex.sts", "-k", "8"]);
    assert_eq!(code, Some(10));
    assert_eq!((all[0].attributes["tests"].as_str(), all[0].attributes["failures"].as_str()), ("2", "1"));
    let cases: Vec<&Element> = all.iter().filter(|element| element.name == "testcase").collect();
    assert_eq!(cases[0].attributes["classname"], "mutex");
    let failure = all.iter().find(|element| element.name == "failure").expect("a failure");
    let place = failure.text.lines().next().and_then(|first| first.strip_prefix("specs/mutex.sts:"));
    let line: usize = place.and_then(|line| line.parse().ok()).expect("a line");
    assert!(spec("mutex.sts").lines().nth(line - 1).is_some_and(|line| line.contains("exclusion")));
    assert!(failure.text.contains("enter(p=P)  ← violates exclusion"), "{}", failure.text);
    let steps = &log["runs"][0]["results"][0]["codeFlows"][0]["threadFlows"][0]["locations"];
    assert_eq!(steps.as_array().map(Vec::len), Some(7));
    let of_begin = &steps[1]["location"]["physicalLocation"]["region"]["startLine"];
    let line = of_begin.as_u64().expect("a line") as usize;
    assert!(spec("mutex.sts").lines().nth(line - 1).is_some_and(|line| line.contains("action begin")));

    // Types only, and out of time.
    let (code, all, _) = reports(&["check", "specs/mutex.sts"]);
    assert_eq!((code, all[1].attributes["skipped"].as_str()), (Some(0), "2"));
    let (_, all, log) =
        reports(&["check", "specs/mutex.sts", "-k", "8", "-p", "p_enters", "--solver", "z3 -in"]);
    assert_eq!(all[0].attributes["errors"], "1");
    assert_eq!(log["runs"][0]["results"][0]["kind"], "open");
}

/// An attack that takes more runs than the model has fails its claim, as the exit code says.
#[test]
fn an_attack_pattern_is_a_failure() {
    let (code, elements, log) = reports(&["check", "specs/protocols/wide-mouthed-frog-lowe.spdl"]);
    assert_eq!(code, Some(10));
    let failures: Vec<&Element> = elements.iter().filter(|element| element.name == "failure").collect();
    let [failure] = failures.as_slice() else { panic!("one claim has an attack: {failures:?}") };
    assert_eq!(failure.attributes["message"], "attack with 4 runs");
    let warning = elements.iter().find(|element| element.name == "system-err").expect("a warning");
    assert!(warning.text.contains("the model has 3"), "{}", warning.text);
    let notified = &log["runs"][0]["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"];
    assert_eq!(notified.as_str(), Some(warning.text.as_str()));
    let result = &log["runs"][0]["results"][0];
    assert_eq!(
        result["message"]["text"].as_str().map(|text| text.contains("claim_B3: attack with 4 runs")),
        Some(true)
    );
}

#[test]
fn every_class_is_a_result() {
    let edited = Edited::new();
    let old = edited.result(
        "old.json",
        &edited.model("a.sts", &spec("running_example.sts")),
        &["-V", "messages", "-k", "1"],
    );
    let args = ["classify", "specs/running_example.sts", "-k", "4", "--baseline", text(&old)];
    let (code, all, log) = reports(&args);
    assert_eq!((code, all[0].attributes["failures"].as_str()), (Some(10), "1"));
    let states: Vec<&str> = log["runs"][0]["results"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|result| result["baselineState"].as_str())
        .collect();
    assert_eq!(states, ["unchanged", "new"]);
    let failure = all.iter().find(|element| element.name == "failure").expect("a failure");
    assert!(failure.text.contains("\nnew: no_secret_seen, kind 2"), "{}", failure.text);

    // All kinds are known: the test passes.
    let (code, all, _) =
        reports(&["classify", "specs/running_example.sts", "-k", "1", "--baseline", text(&old)]);
    assert_eq!((code, all[0].attributes["failures"].as_str()), (Some(0), "0"));
    // The vocabulary is too weak: one result, with the counterexample.
    let (code, _, log) = reports(&["classify", "specs/increment_decrement.sts", "-V", "too_weak", "-k", "3"]);
    assert_eq!(code, Some(12));
    let results = log["runs"][0]["results"].as_array().expect("results");
    let pairs = results
        .iter()
        .filter(|result| result["message"]["text"].as_str().is_some_and(|t| t.contains("cannot tell")));
    assert_eq!(pairs.count(), 1);
}

#[cfg(unix)]
#[test]
fn names_of_files_are_escaped() {
    let edited = Edited::new();
    let model = edited.model("a&\"<b>\u{1b} c.sts", &spec("running_example.sts"));
    let (code, all, log) = reports(&["check", text(&model), "-k", "3"]);
    assert_eq!(code, Some(10));
    let failure = all.iter().find(|element| element.name == "failure").expect("a failure");
    let place = failure.text.lines().next().and_then(|first| first.rsplit_once(':'));
    assert!(place.is_some_and(|(file, _)| file.ends_with("a&\"<b>\\u001b c.sts")), "{failure:?}");
    let file = &log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
    assert!(file.as_str().is_some_and(|file| file.ends_with("a%26%22%3Cb%3E%1B%20c.sts")), "{file}");
}
