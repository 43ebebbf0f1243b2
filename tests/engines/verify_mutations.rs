//! Stored results of every kind that were changed at one place: what is accepted is right none the less, or the change is where nothing is
//! claimed or checked.

use crate::random::{Random, seeds};
use crate::verify_settled::Verifier;
use cladist::model::Model;
use cladist::verify::{Decision, FieldStanding, Stored, decision, differing, digest, row_of};
use serde_json::{Map, Value as Json, json};
use std::path::Path;
use std::process::Command;

/// Command lines whose results are changed, with what the documents are.
const RESULTS: &[(&str, &[&str])] = &[
    ("classify", &["classify", "specs/running_example.sts", "-V", "messages", "-k", "4"]),
    ("classify", &["classify", "specs/mutex.sts", "-k", "7", "--necessary"]),
    ("classify", &["classify", "specs/running_example.sts", "-k", "4", "--max-classes", "1"]),
    ("classify", &["classify", "specs/running_example.sts", "-k", "4", "--exact"]),
    ("classify", &["classify", "specs/web_shop.sts", "-V", "own", "-k", "4", "--cover"]),
    ("classify", &["classify", "specs/web_shop.sts", "-V", "own", "-k", "4", "--within", "2"]),
    ("classify", &["classify", "specs/web_shop.sts", "-V", "own", "-k", "4", "--tree", "--count"]),
    ("classify", &["classify", "specs/increment_decrement.sts", "-V", "too_weak", "-k", "4"]),
    (
        "lassos",
        &["classify", "specs/liveness/starvation.sts", "-p", "p_enters", "-k", "5", "--ignore-fairness"],
    ),
    ("lassos", &["classify", "specs/liveness/pinned_address.sts", "-k", "5", "--necessary"]),
    (
        "lassos",
        &[
            "classify",
            "specs/liveness/starvation.sts",
            "-p",
            "p_enters",
            "-k",
            "5",
            "--ignore-fairness",
            "--cover",
        ],
    ),
    ("check", &["check", "specs/mutex.sts", "-k", "7"]),
    ("check", &["check", "specs/mutex.sts", "-k", "4", "-p", "exclusion"]),
    ("check", &["check", "specs/token_ring.sts", "--unbounded", "--proof", "ic3"]),
    ("check", &["check", "specs/liveness/starvation.sts", "-p", "p_enters", "-k", "5", "--ignore-fairness"]),
];

/// Fields that may say less than before, or the same of other traces, and be right.
const LESS: &[&str] = &[
    "/bound",
    "/depth",
    "/horizon",
    "/lengths",
    "/combinations",
    "/necessary_facts",
    "/necessary_facts/always",
    "/necessary_facts/never",
    "/properties",
    "/claims",
    "/unclassified",
    "/within_formula",
    "/proofs",
    "/baseline",
    "/unbounded",
    "/fairness",
    "/too_weak",
];

struct Result {
    document: &'static str,
    line: &'static [&'static str],
    json: Json,
    model: Model,
}

/// A plan with one job.
const PLAN: &str =
    "[[classify]]\nmodels = [\"running_example.sts\"]\nvocabularies = [\"messages\"]\nbounds = [3]\n";

/// The record of a job of a plan.
fn record() -> Result {
    let folder = tempfile::tempdir().expect("a folder");
    let name = "running_example.sts";
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    std::fs::copy(root.join("specs").join(name), folder.path().join(name)).expect("copied");
    std::fs::write(folder.path().join("plan.toml"), PLAN).expect("written");
    let program = env!("CARGO_BIN_EXE_cladist");
    let line = ["batch", "plan.toml", "--out", "out"];
    let output = Command::new(program).current_dir(folder.path()).args(line).output().expect("it runs");
    let results = std::fs::read_dir(folder.path().join("out/results"));
    let results = results.unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)));
    let file = results.map(|entry| entry.expect("an entry").path()).next().expect("a record");
    let json = serde_json::from_slice(&std::fs::read(file).expect("a record")).expect("JSON");
    let model = cladist::model::load(&folder.path().join(name), &[]).model.expect("no mistakes");
    Result { document: "job", line: &["batch"], json, model }
}

/// The text of a document; of the record of a job with the checksum that it has to have.
fn text(document: &Json) -> String {
    let entry = |checksum: &str| format!("\"checksum\": \"{checksum}\"");
    let mut plain = document.clone();
    match plain.get_mut("checksum") {
        Some(checksum) => *checksum = json!(""),
        None => return document.to_string(),
    }
    let plain = serde_json::to_string_pretty(&plain).expect("a text");
    plain.replacen(&entry(""), &entry(&digest([plain.as_str()])), 1)
}

fn stored(&(document, line): &(&'static str, &'static [&'static str])) -> Result {
    let root = env!("CARGO_MANIFEST_DIR");
    let output = Command::new(env!("CARGO_BIN_EXE_cladist"))
        .current_dir(root)
        .args(line)
        .arg("--json")
        .output()
        .expect("it runs");
    let json: Json = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{line:?}: {}", String::from_utf8_lossy(&output.stderr)));
    let model = cladist::model::load(&Path::new(root).join(line[1]), &[]).model.expect("no mistakes");
    Result { document, line, json, model }
}

/// All values of a document with their JSON pointers, the containers first.
fn places(value: &Json, pointer: &str, list: &mut Vec<String>) {
    list.push(pointer.to_owned());
    match value {
        Json::Array(all) => {
            all.iter().enumerate().for_each(|(n, one)| places(one, &format!("{pointer}/{n}"), list));
        }
        Json::Object(all) => all.iter().for_each(|(key, one)| {
            places(one, &format!("{pointer}/{}", key.replace('~', "~0").replace('/', "~1")), list);
        }),
        _ => {}
    }
}

/// Changes a document at one place, and returns which one, and how.
fn change(document: &mut Json, rng: &mut Random) -> (String, String) {
    let mut all = Vec::new();
    places(document, "", &mut all);
    let pointer = rng.pick(&all).clone();
    let other = document.pointer(rng.pick::<String>(&all)).cloned().unwrap_or_default();
    let value = document.pointer_mut(&pointer).expect("it is there");
    let before = value.to_string();
    match value {
        Json::Array(list) if !list.is_empty() && rng.percent(80) => {
            let (at, to) = (rng.below(list.len()), rng.below(list.len()));
            match rng.below(3) {
                0 => _ = list.remove(at),
                1 => list.insert(to, list[at].clone()),
                _ => list.swap(at, to),
            }
        }
        Json::Object(map) if !map.is_empty() && rng.percent(80) => {
            let key = of_an_object(map, rng);
            return (format!("{pointer}/{key}"), "another key, or none".into());
        }
        Json::Bool(truth) if rng.percent(80) => *truth = !*truth,
        Json::Number(number) if rng.percent(80) => {
            let n = number.as_i64().unwrap_or(0);
            *value = json!(*rng.pick(&[n + 1, (n - 1).max(0), 0, 1, 2, 7, n + 9]));
        }
        Json::String(text) if rng.percent(70) => *text = other_text(text, &other, rng),
        value => *value = if rng.percent(50) { Json::Null } else { other },
    }
    let after = document.pointer(&pointer).map(ToString::to_string).unwrap_or_default();
    let short = |text: &str| text.chars().take(300).collect::<String>();
    (pointer, format!("{} -> {}", short(&before), short(&after)))
}

/// Changes the keys of an object, and returns which one.
fn of_an_object(map: &mut Map<String, Json>, rng: &mut Random) -> String {
    let keys: Vec<String> = map.keys().cloned().collect();
    let key = rng.pick(&keys).clone();
    match rng.below(3) {
        0 => _ = map.remove(&key),
        1 => {
            let value = map.remove(&key).expect("it is there");
            map.insert(format!("{key}s"), value);
        }
        _ => _ = map.insert("more".into(), json!(true)),
    }
    key
}

/// Another text: with a character less or another one, with a word for another, or one of elsewhere.
fn other_text(text: &str, other: &Json, rng: &mut Random) -> String {
    let mut characters: Vec<char> = text.chars().collect();
    match (rng.below(4), other) {
        (0, Json::String(other)) => other.clone(),
        (1, _) if !characters.is_empty() => {
            let at = rng.below(characters.len());
            characters.remove(at);
            characters.into_iter().collect()
        }
        (2, _) if !characters.is_empty() => {
            let at = rng.below(characters.len());
            characters[at] = *rng.pick(&['i', 'j', '1', '0', '<', '=', '(', 'x', 'A']);
            characters.into_iter().collect()
        }
        _ => {
            let words =
                [("holds", "violated"), ("=", "!="), ("i", "j"), ("∧", "or"), ("true", "false"), ("1", "2")];
            let (from, to) = rng.pick(&words);
            if text.contains(from) {
                text.replacen(from, to, 1)
            } else {
                (*rng.pick(&["complete", "holds", "cover"])).into()
            }
        }
    }
}

/// Whether a change of this field may be accepted.
fn may_be_accepted(document: &'static str, pointer: &str, changed: &Json) -> bool {
    let row = row_of(document, pointer).or_else(|| row_of(document, &format!("{pointer}/0")));
    let standing = row.map(|row| row.standing);
    let is_a_set =
        pointer.contains("/facts/") && (pointer.contains("/positions") || pointer.contains("/individuals"));
    !matches!(standing, Some(FieldStanding::Established) | None)
        || LESS.iter().any(|field| pointer.trim_start_matches("/result") == *field)
        || pointer == "/checksum"
        // A variable with its value there, which is as right as an expression that was asked for.
        || pointer.ends_with("/shown")
        || is_a_set
        || changed.is_null() && row_of(document, &format!("{pointer}/steps")).is_some()
}

#[test]
fn what_is_accepted_after_a_change_is_right() {
    let Some(mut verifier) = Verifier::new() else { return };
    let results: Vec<Result> = RESULTS.iter().map(stored).chain([record()]).collect();
    let (mut accepted, mut refused, mut undecided, mut wrongly) = (0, 0, 0, Vec::new());
    for result in &results {
        let stored = Stored::read(&text(&result.json)).expect("a result");
        let all = verifier.settled(&result.model, &stored);
        assert_ne!(decision(&all), Decision::Refused, "{:?}", result.line);
    }
    for seed in seeds(300) {
        let rng = &mut Random::new(seed);
        let result = &results[rng.below(results.len())];
        let mut changed = result.json.clone();
        let (pointer, how) = change(&mut changed, rng);
        let unspaced = |document: &Json| document.to_string().replace(' ', "");
        if unspaced(&changed) == unspaced(&result.json) {
            continue;
        }
        let Ok(stored) = Stored::read(&text(&changed)) else {
            refused += 1;
            continue;
        };
        if !differing(&stored.sources, &result.model.sources).is_empty() || !stored.set.is_empty() {
            refused += 1;
            continue;
        }
        let all = verifier.settled(&result.model, &stored);
        match decision(&all) {
            Decision::Refused => refused += 1,
            Decision::Undecided => undecided += 1,
            Decision::Accepted => {
                accepted += 1;
                let value = changed.pointer(&pointer).cloned().unwrap_or_default();
                let is_listed = stored.unchecked().iter().any(|of| pointer.starts_with(&of.path));
                if !is_listed && !may_be_accepted(result.document, &pointer, &value) {
                    wrongly.push(format!("{seed}: {:?}: {pointer}: {how}", result.line));
                }
            }
        }
    }
    eprintln!("{accepted} accepted, {refused} refused, {undecided} undecided");
    assert!(wrongly.is_empty(), "{}", wrongly.join("\n"));
    assert!(accepted > 10 && refused > 100, "{accepted} accepted, {refused} refused, {undecided} undecided");
}
