//! Whatever the program stores of random models, with any of its options, `verify` never refuses; and it accepts it, unless something is
//! open in the result.

use crate::expressions_random::{TYPES, Writer};
use crate::lasso_images_random::text_of;
use crate::linked_model::linked_text;
use crate::random::{Random, seeds};
use crate::ring_model::ring_text;
use crate::symmetric_model::symmetric_text;
use crate::verify_settled::Verifier;
use cladist::model::{Model, load};
use cladist::verify::{Decision, ObligationOutcome, Stored, Task, decision};
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

/// What a classification of finite traces is asked, besides.
const FINITE: &[&[&str]] = &[
    &[],
    &["--exact"],
    &["--necessary"],
    &["--cover"],
    &["--cover"],
    &["--cover", "--necessary"],
    &["--cover", "--exact"],
    &["--tree"],
    &["--cover", "--tree"],
    &["--within", "1"],
    &["--within", "2"],
    &["--unbounded"],
    &["--unbounded", "--necessary"],
    &["--unbounded", "--cover"],
    &["--keep-redundant"],
    &["--max-classes", "1"],
    &["--horizon", "5"],
    &["--horizon", "0"],
    &["--count"],
    &["--ground", "all"],
    &["--seed", "3"],
    &["-V", "auto"],
];

/// The same of infinite traces.
const INFINITE: &[&[&str]] = &[
    &[],
    &["--necessary"],
    &["--cover"],
    &["--cover", "--necessary"],
    &["--tree"],
    &["--within", "1"],
    &["--within", "2"],
    &["--unbounded"],
    &["--unbounded", "--necessary"],
    &["--unbounded", "--cover"],
    &["--max-classes", "1"],
    &["--ground", "all"],
    &["--ignore-fairness"],
];

/// What a check is asked.
const CHECKED: &[&[&str]] = &[
    &["-k", "3"],
    &["-k", "2", "--exact"],
    &["--unbounded"],
    &["--unbounded", "--proof", "ic3"],
    &["--unbounded", "--proof", "k-induction"],
    &["-k", "3", "--deadlock"],
];

/// Vocabularies with observables that are no plain places.
const COMPOUND: &[&str] = &[
    "eq(x + 1), before",
    "eq(x > 0), eq(action), before",
    "eq(size(seen)), next",
    "eq(x mod 2, size(seen) + x), eq(action), before",
    "eq(x, if m[1] > 0 then x else 1), lacks(seen), before",
    "big(x + 1), eq(action), before",
    "late(x + 1), eq(action), before, next",
    "eq(action, x, m), absent(x, action), before",
    "eq(x + 1, m[1] - x) across, before",
];

/// A model of expressions, with a vocabulary that observes compound ones.
fn compound_text(seed: u64) -> String {
    let mut writer = Writer::new(seed + 8_000_000);
    let actions = writer.action("one") + &writer.action("two");
    let bad = writer.truth(2);
    let words = Random::new(seed).pick(COMPOUND).to_owned();
    format!(
        "{TYPES}{actions}var seen: set of 0..1;\n\
         init {{ x = 1; oi = 1; m[1] = 1; r.n = 0; seen = {{}}; }}\n\
         invariant good: not ({bad});\n\
         pred big(v: 0..9) = v > 1;\npred late(v: 0..9, t: pos) = v > 0 and x@t > 0;\n\
         vocabulary words = {{ {words} }};\n"
    )
}

/// What is said of sessions.
fn text_about_sessions(seed: u64) -> String {
    let formula = Random::new(seed).pick(&[
        "forall s in Session: always (phase[s] = Busy => eventually phase[s] != Busy)",
        "forall s in Session: eventually always (s in held => last = s)",
        "always ((last = S1) weak until (exists s in Session: phase[s] = Over))",
        "always eventually size(held) = 0",
    ]);
    format!(
        "{}action rest {{ }}\nfairness action act0(s);\nltl p: {formula};\n\
         vocabulary kinds = {{ eq(action, last, phase, act0.s, act1.s), eq(held), eq(size(held)) }};\n",
        symmetric_text(seed)
    )
}

/// A model with what is asked of it; `None` if the text is no model, as some random ones are none.
fn asked(seed: u64, folder: &Path) -> Option<(Vec<String>, Model)> {
    let rng = &mut Random::new(seed ^ 0x00a5_4ed0);
    let (text, infinite) = match rng.below(8) {
        0..=2 => (compound_text(seed), false),
        3 => (linked_text(seed), false),
        4 => (ring_text(seed), false),
        5 => (symmetric_text(seed), false),
        6 => (text_of(seed), true),
        _ => (text_about_sessions(seed), true),
    };
    let file = folder.join("model.sts");
    std::fs::write(&file, text).expect("written");
    let path = file.to_str().expect("UTF-8").to_owned();
    let words = |list: &[&str]| list.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    let bound = ["2", "3"][rng.below(2)];
    let line = match (rng.below(5), infinite) {
        (0, _) => [words(&["check", &path]), words(CHECKED[rng.below(CHECKED.len())])].concat(),
        (_, true) => {
            [words(&["classify", &path, "-p", "p", "-k", bound]), words(INFINITE[rng.below(INFINITE.len())])]
                .concat()
        }
        (_, false) => {
            [words(&["classify", &path, "-k", bound]), words(FINITE[rng.below(FINITE.len())])].concat()
        }
    };
    let line = [line, words(&["--json", "--timeout", "60"])].concat();
    Some((line, load(&file, &[]).model?))
}

#[test]
fn no_right_result_is_refused() {
    let Some(mut verifier) = Verifier::new() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let mut found: BTreeMap<String, usize> = BTreeMap::new();
    let mut wrongly = Vec::new();
    for seed in seeds(12) {
        let Some((line, model)) = asked(seed, folder.path()) else { continue };
        let output = Command::new(env!("CARGO_BIN_EXE_cladist")).args(&line).output().expect("it runs");
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        if output.status.code() == Some(2) {
            *found.entry("not possible".into()).or_default() += 1;
            continue;
        }
        let stored = match Stored::read(&text) {
            Ok(stored) => stored,
            Err(why) => {
                wrongly.push(format!("{seed}: {line:?}: {why:?}"));
                continue;
            }
        };
        let all = verifier.settled(&model, &stored);
        let decided = decision(&all);
        let is_open = all.iter().any(|one| matches!(one.obligation.task, Task::Open(_)));
        let expected = if is_open { Decision::Undecided } else { Decision::Accepted };
        if decided != expected {
            let wrong = all.iter().map(|one| (&one.obligation.name, one.standing()));
            let wrong: Vec<_> =
                wrong.filter(|(_, standing)| *standing != ObligationOutcome::Confirmed).collect();
            let model = std::fs::read_to_string(folder.path().join("model.sts")).expect("a model");
            wrongly.push(format!("{seed}: {line:?}: {decided:?}: {wrong:?}\n{model}"));
        }
        let json: Json = serde_json::from_str(&text).expect("JSON");
        *found.entry(format!("{} {}", json["schema"], json["verdict"])).or_default() += 1;
    }
    eprintln!("{found:?}");
    assert!(wrongly.is_empty(), "{}", wrongly.join("\n\n"));
    assert!(found.values().sum::<usize>() > 6 && found.len() > 4, "{found:?}");
}
