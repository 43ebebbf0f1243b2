//! What Cladist says of protocols, against what a third reader says that was written from the definitions alone; and that reader against
//! the verdicts of Scyther.

use crate::protocol_reader::generate;
use crate::protocol_reader::search::{Verdict, Verdicts, explore};
use crate::protocol_reader::text::File;
use crate::random::{Random, cases, seeds};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

/// How many steps the third reader looks at before it gives up on a random protocol, and on one of the literature.
const LIMITS: [usize; 2] = [10_000, 4_000];

/// What `cladist check` says of a claim.
struct Answer {
    violated: bool,
    reached: bool,
}

impl Answer {
    /// True if a verdict of the third reader is the same.
    fn is(&self, verdict: &Verdict) -> bool {
        self.violated == verdict.attack.is_some() && self.reached == verdict.reached
    }
}

/// What `cladist check` says of the claims of a file with one protocol, by their labels; nothing if it says that it is too large.
fn answers(path: &Path, runs: usize) -> Option<BTreeMap<String, Answer>> {
    let program = Command::new(env!("CARGO_BIN_EXE_cladist"))
        .arg("check")
        .arg(path)
        // With a bound, the model alone decides.
        .args(["--runs", &runs.to_string(), "--json", "-k", "20"])
        .output()
        .expect("the program starts");
    let said = || {
        format!("{}{}", String::from_utf8_lossy(&program.stdout), String::from_utf8_lossy(&program.stderr))
    };
    let document: serde_json::Value =
        serde_json::from_slice(&program.stdout).unwrap_or_else(|_| panic!("{}", said()));
    if document["error"].as_str().is_some_and(|error| error.contains("too large")) {
        return None;
    }
    assert_ne!(document["runs"]["all_interleavings"], false, "the bound is too small");
    let claims = document["claims"].as_array().unwrap_or_else(|| panic!("{}", said()));
    let answer = |claim: &serde_json::Value| {
        let violated = match claim["verdict"].as_str() {
            Some("violated") => true,
            Some("holds") => false,
            other => panic!("a verdict {other:?}"),
        };
        let label = claim["label"].as_str().expect("a label").to_owned();
        (label, Answer { violated, reached: violated || claim["reached"] == true })
    };
    Some(claims.iter().map(answer).collect())
}

/// Where the program and the third reader differ, with the reader's attack.
fn differences(answers: &BTreeMap<String, Answer>, verdicts: &Verdicts) -> Vec<String> {
    let mut differences = vec![];
    for ((_, _, label), verdict) in verdicts {
        let answer = &answers[&**label];
        if !answer.is(verdict) {
            let Answer { violated, reached } = answer;
            let attack = verdict.attack.as_deref().unwrap_or("no attack");
            differences.push(format!(
                "{label}: the program says violated = {violated}, reached = {reached}; the third reader says reached = {} and\n{attack}",
                verdict.reached
            ));
        }
    }
    assert_eq!(answers.len(), verdicts.len(), "both read the same claims");
    differences
}

#[test]
fn random_protocols_mean_what_the_definitions_say() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("random.spdl");
    let (mut compared, mut attacked, mut unfinished, mut refused) = (0, 0, 0, 0);
    for seed in seeds(15) {
        let mut random = Random::new(seed);
        let text = generate::protocol(&mut random);
        let runs = 1 + usize::from(random.percent(90));
        let file = File::read(&text).unwrap_or_else(|problem| panic!("seed {seed}: {problem}\n{text}"));
        let Some(verdicts) = explore(&file, runs, LIMITS[0]) else {
            unfinished += 1;
            continue;
        };
        std::fs::write(&path, &text).unwrap();
        let Some(answers) = answers(&path, runs) else {
            refused += 1;
            continue;
        };
        let differences = differences(&answers, &verdicts);
        assert!(differences.is_empty(), "seed {seed}, {runs} runs\n{text}\n{}", differences.join("\n"));
        compared += verdicts.len();
        attacked += verdicts.values().filter(|verdict| verdict.attack.is_some()).count();
    }
    eprintln!("{compared} claims, {attacked} of them false");
    eprintln!("too large: {unfinished} protocols for the third reader, {refused} others for the program");
    assert!((unfinished + refused) * 4 <= seeds(15).count());
    assert!(attacked > 0 && attacked < compared);
}

/// Verdicts of Scyther by claim: whether it found an attack.
fn scyther(folder: &Path, runs: usize) -> BTreeMap<(String, String, String), bool> {
    let table = std::fs::read_to_string(folder.join(format!("scyther-{runs}-runs.tsv")))
        .expect("a table of verdicts");
    let row = |line: &str| {
        let columns: Vec<&str> = line.split('\t').collect();
        let (_, role) = columns[1].split_once(',').expect("protocol and role");
        let (_, label) = columns[2].split_once('_').expect("claim and label");
        ((columns[0].to_owned(), role.to_owned(), label.to_owned()), columns[4] == "Fail")
    };
    table.lines().map(row).collect()
}

#[test]
fn the_third_reader_agrees_with_scyther() {
    let Some(folder) = std::env::var_os("CLADIST_TEST_DATA").filter(|value| !value.is_empty()) else {
        eprintln!("skipped: CLADIST_TEST_DATA is not set");
        return;
    };
    let folder = PathBuf::from(folder).join("spdl");
    let verdicts = scyther(&folder, 2);
    let names: BTreeSet<&String> = verdicts.keys().map(|(name, _, _)| name).collect();
    let (mut finished, mut compared) = (0, 0);
    for name in &names {
        let text = std::fs::read_to_string(folder.join(format!("{name}.spdl"))).unwrap();
        let file = File::read(&text).unwrap_or_else(|problem| panic!("{name}: {problem}"));
        let Some(found) = explore(&file, 2, cases(LIMITS[1] as u64) as usize) else { continue };
        finished += 1;
        for ((_, role, label), verdict) in found {
            let attacked = verdict.attack.is_some();
            let claim = ((*name).clone(), role.to_string(), label.to_string());
            let attack = verdict.attack.unwrap_or_default();
            assert_eq!(attacked, verdicts[&claim], "{claim:?}\n{attack}");
            compared += 1;
        }
    }
    eprintln!("{compared} of {} claims in {finished} of {} files", verdicts.len(), names.len());
    assert!(finished > 0);
}
