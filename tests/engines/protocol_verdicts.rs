//! What claims of published protocols come to, against what another program says of them.

use crate::random::one_in;
use cladist::budget::Budget;
use cladist::model::LoadOptions;
use cladist::protocol::{LoadedModel, load_model};
use cladist::sat::Backend;
use cladist::unroll::{BoundedResult, Lengths, check};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

fn data() -> Option<PathBuf> {
    let folder = std::env::var_os("CLADIST_TEST_DATA").filter(|value| !value.is_empty());
    if folder.is_none() {
        eprintln!("skipped: CLADIST_TEST_DATA is not set");
    }
    folder.map(|folder| Path::new(&folder).join("spdl"))
}

/// A claim as the table names it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Named {
    protocol: String,
    role: String,
    /// `Secret_I1`.
    claim: String,
}

/// What the table says: for each file, whether there is an attack on each claim.
fn expected(folder: &Path, runs: usize) -> BTreeMap<String, BTreeMap<Named, bool>> {
    let table = std::fs::read_to_string(folder.join(format!("scyther-{runs}-runs.tsv"))).expect("a table");
    let mut found: BTreeMap<String, BTreeMap<Named, bool>> = BTreeMap::new();
    for line in table.lines() {
        let cells: Vec<&str> = line.split('\t').collect();
        let (protocol, role) = cells[1].rsplit_once(',').expect("protocol and role");
        let (protocol, role, claim) = (protocol.to_owned(), role.to_owned(), cells[2].to_owned());
        let attacked = match cells[4] {
            "Fail" => true,
            "Ok" => false,
            other => panic!("{other}"),
        };
        found.entry(cells[0].to_owned()).or_default().insert(Named { protocol, role, claim }, attacked);
    }
    found
}

/// True if there is an attack on each claim, with so many runs; nothing where the budget does not suffice.
fn attacked(path: &Path, runs: usize, budget: &Budget) -> BTreeMap<Named, Option<bool>> {
    let overrides = [("RUNS".to_owned(), runs.to_string())];
    let options = LoadOptions { overrides: &overrides, ..LoadOptions::default() };
    let LoadedModel { loaded, translation } = load_model(path, &options);
    let translation = translation.expect("no mistakes");
    let model = loaded.model.unwrap_or_else(|| panic!("{}: {:?}", path.display(), loaded.diagnostics));
    let claims = translation.claims.iter().map(|claim| {
        let property = &model.properties[model.property(&claim.property).expect("its property")];
        let invariant = property.invariant().expect("an invariant");
        let lengths = Lengths::UpTo(translation.charts.steps());
        let name = Named {
            protocol: claim.protocol.clone(),
            role: claim.role.clone(),
            claim: format!("{}_{}", claim.claim, claim.label),
        };
        match check(&model, invariant, lengths, Backend::Cadical, budget, &mut ()) {
            BoundedResult::Violated(trace) => {
                // What the runs receive can be made according to another closure of the attacker's knowledge.
                let chart = translation.charts.draw(&model, &trace.moments);
                assert!(chart.is_some(), "{}: {}", path.display(), claim.property);
                (name, Some(true))
            }
            BoundedResult::Holds => (name, Some(false)),
            BoundedResult::Undecided { .. } => (name, None),
        }
    });
    claims.collect()
}

/// Compares the verdicts on one file in `share`.
fn compare(runs: usize, share: usize, files: impl Fn(&str) -> bool) {
    let Some(folder) = data() else { return };
    let (mut compared, mut attacks) = (0, 0);
    let expected = expected(&folder, runs);
    for (file, expected) in one_in(share, expected.into_iter().filter(|(file, _)| files(file))) {
        let found = attacked(&folder.join(format!("{file}.spdl")), runs, &Budget::unlimited());
        for (claim, attack) in expected {
            assert_eq!(found.get(&claim), Some(&Some(attack)), "{file}, {runs} runs: {claim:?}");
            compared += 1;
            attacks += usize::from(attack);
        }
    }
    eprintln!("{runs} runs: {compared} claims, {attacks} attacks");
    assert!(compared > 40 / share && attacks > 10 / share);
}

/// Those that take longest with three runs.
const LONG: &[&str] = &[
    "andrew",
    "andrew-ban",
    "andrew-ban-concrete",
    "denning-sacco-lowe",
    "kaochow-v2",
    "kaochow-v3",
    "needham-schroeder",
    "needham-schroeder-lowe",
    "needham-schroeder-sk",
    "needham-schroeder-sk-amend",
    "splice-as-cj",
    "yahalom-lowe",
];

#[test]
fn verdicts_with_two_runs_are_those_of_the_table() {
    compare(2, 2, |_| true);
}

#[test]
fn verdicts_with_three_runs_are_those_of_the_table() {
    compare(3, 3, |file| !LONG.contains(&file));
}

/// The rest of the above.
#[test]
#[ignore = "takes a minute"]
fn verdicts_of_long_protocols_are_those_of_the_table() {
    compare(3, 1, |file| LONG.contains(&file));
}

/// How long the claims of a file may take with four runs.
const PATIENCE: Duration = Duration::from_secs(300);

#[test]
#[ignore = "takes about an hour"]
fn verdicts_with_four_runs_are_those_of_the_table() {
    let Some(folder) = data() else { return };
    let (mut claims, mut decided, mut whole) = (0, 0, 0);
    for (file, expected) in expected(&folder, 4) {
        let (budget, start) = (Budget::unlimited().with_timeout(PATIENCE), Instant::now());
        let found = attacked(&folder.join(format!("{file}.spdl")), 4, &budget);
        let mut open = Vec::new();
        for (claim, attack) in &expected {
            match found[claim] {
                Some(found) => assert_eq!(found, *attack, "{file}: {claim:?}"),
                None => open.push(claim.claim.as_str()),
            }
        }
        claims += expected.len();
        decided += expected.len() - open.len();
        whole += usize::from(open.is_empty());
        let (equal, seconds) = (expected.len() - open.len(), start.elapsed().as_secs());
        eprintln!("{file}: {equal} of {} equal, undecided: {open:?}, {seconds} s", expected.len());
    }
    eprintln!("4 runs: {decided} of {claims} claims, {whole} files with all of them");
    assert!(whole >= 15);
}

/// Those of `specs/protocols` that take longest.
const LONG_SPECS: &[&str] = &[
    "andrew-concrete-lowe",
    "andrew-secure-rpc-ban",
    "carlsen",
    "denning-sacco-lowe",
    "encrypted-key-exchange",
    "kao-chow-2",
    "needham-schroeder-symmetric-key-amended",
    "woo-lam-mutual",
    "woo-lam-pi-f",
    "yahalom-lowe",
];

/// Compares the claims of a file with the lines `# Expect: LABEL attack` and `# Expect: LABEL holds` in it; returns their number.
fn as_expected(path: &Path) -> usize {
    let text = std::fs::read_to_string(path).expect("readable");
    let expected = text.lines().filter_map(|line| {
        let (label, verdict) = line.strip_prefix("# Expect: ")?.split_once(' ')?;
        match verdict {
            "attack" => Some((label, true)),
            "holds" => Some((label, false)),
            other => panic!("{}: {other}", path.display()),
        }
    });
    let found = attacked(path, 3, &Budget::unlimited());
    let by_label: BTreeMap<&str, Option<bool>> = found
        .iter()
        .map(|(claim, attack)| (claim.claim.split_once('_').expect("a label").1, *attack))
        .collect();
    let expected: BTreeMap<&str, Option<bool>> =
        expected.map(|(label, attack)| (label, Some(attack))).collect();
    assert_eq!(by_label, expected, "{}", path.display());
    expected.len()
}

fn specs(wanted: impl Fn(&str) -> bool) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("specs/protocols");
    let entries = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let stem = |path: &PathBuf| path.file_stem().expect("a name").to_string_lossy().into_owned();
    let mut paths: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|e| e == "spdl") && wanted(&stem(path))).collect();
    paths.sort();
    paths
}

#[test]
fn protocols_of_the_literature_are_as_expected() {
    let paths = specs(|stem| !LONG_SPECS.contains(&stem));
    assert!(paths.len() > 30);
    let claims: usize = one_in(3, &paths).map(|path| as_expected(path)).sum();
    assert!(claims > 20, "{claims}");
}

/// The rest of the above.
#[test]
#[ignore = "takes a minute"]
fn long_protocols_of_the_literature_are_as_expected() {
    let paths = specs(|stem| LONG_SPECS.contains(&stem));
    assert_eq!(paths.len(), LONG_SPECS.len());
    paths.iter().for_each(|path| {
        as_expected(path);
    });
}
