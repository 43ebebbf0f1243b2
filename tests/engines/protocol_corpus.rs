//! The table of `docs/protocol-corpus.md`: the kinds of attacks on the protocols of `specs/protocols`.
//!
//! `CLADIST_RECORD=1 cargo test --release --test engines protocol_corpus -- --include-ignored` writes what is found now, with the
//! seconds that it took; without it, everything but the seconds has to be as the table says.

use cladist::budget::Budget;
use cladist::classify::{Grounding, Options, Problem, Verdict, classify};
use cladist::model::LoadOptions;
use cladist::model::types::Type;
use cladist::protocol::{LoadedModel, load_model};
use cladist::unroll::Lengths;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Instant;

/// A line of the table with this many seconds or more is checked by the test of long ones only.
const LONG: f64 = 3.0;

/// One test at a time writes the table.
static TABLE: Mutex<()> = Mutex::new(());

/// A line of the table.
#[derive(Debug, Clone)]
struct Row {
    protocol: String,
    /// The label and what is claimed: `B1 Secret`.
    claim: String,
    literature: String,
    /// The words of the classes.
    classes: String,
    /// How many attacks Scyther lists on its own model.
    scyther: String,
    runs: usize,
    steps: usize,
    seconds: f64,
}

impl Row {
    /// The line, if it is one of the table.
    fn read(line: &str) -> Option<Self> {
        let cells: Vec<&str> =
            line.strip_prefix("| `")?.strip_suffix('|')?.split('|').map(str::trim).collect();
        let [protocol, claim, literature, classes, scyther, runs, steps, seconds] = cells[..] else {
            return None;
        };
        let number = |text: &str| text.parse().unwrap_or_else(|_| panic!("a number: {line}"));
        Some(Self {
            protocol: protocol.trim_end_matches('`').to_owned(),
            claim: claim.to_owned(),
            literature: literature.to_owned(),
            classes: classes.to_owned(),
            scyther: scyther.to_owned(),
            runs: number(runs),
            steps: number(steps),
            seconds: seconds.parse().unwrap_or_else(|_| panic!("seconds: {line}")),
        })
    }

    fn line(&self) -> String {
        let Self { protocol, claim, literature, classes, scyther, runs, steps, seconds } = self;
        format!(
            "| `{protocol}` | {claim} | {literature} | {classes} | {scyther} | {runs} | {steps} | {seconds:.1} |"
        )
    }

    fn label(&self) -> &str {
        self.claim.split(' ').next().unwrap_or_default()
    }

    /// The same line with what is found now.
    fn found(&self) -> Self {
        let Kinds { claim, classes, steps, seconds } = kinds(&spec(&self.protocol), self.label(), self.runs);
        Self { claim, classes, steps, seconds, ..self.clone() }
    }
}

/// What the classification of a claim comes to.
struct Kinds {
    /// The label and what is claimed.
    claim: String,
    /// The words of the classes.
    classes: String,
    /// The steps of a shortest attack.
    steps: usize,
    seconds: f64,
}

/// The kinds of attacks on a claim, with the vocabulary of the claim.
fn kinds(path: &Path, label: &str, runs: usize) -> Kinds {
    let overrides = [("RUNS".to_owned(), runs.to_string())];
    let options = LoadOptions { overrides: &overrides, ..LoadOptions::default() };
    let LoadedModel { loaded, translation } = load_model(path, &options);
    let translation = translation.expect("no mistakes");
    let model = loaded.model.unwrap_or_else(|| panic!("{}: {:?}", path.display(), loaded.diagnostics));
    let claim = translation.claims.iter().find(|claim| claim.label == label);
    let claim = claim.unwrap_or_else(|| panic!("{} has no claim {label}", path.display()));
    let start = Instant::now();
    let invariant = model.properties[model.property(&claim.property).expect("its property")].invariant();
    let problem = Problem::new(&model, invariant.expect("an invariant"));
    let vocabulary = model.vocabularies.iter().find(|vocabulary| vocabulary.name == claim.property);
    let vocabulary = vocabulary.expect("one of the name of the property");
    let is_run = |ty: &Type| model.types.name(ty) == translation.runs;
    let nameless = Grounding::liftable(&model).into_iter().filter(is_run).collect();
    let lengths = Lengths::UpTo(translation.steps);
    let options = Options { lengths, nameless, ..Options::default() };
    let result = classify(problem, vocabulary, &options, &Budget::unlimited(), &mut ());
    for class in &result.classes {
        // What a run is called says nothing.
        let text = class.constraint.show_facts(&model, &result.atoms);
        let names_a_run = text.split(|c: char| !c.is_alphanumeric()).any(|word| word == "r1" || word == "r2");
        assert!(!names_a_run, "{}: {text}", path.display());
    }
    assert_eq!(result.verdict, Verdict::Complete, "{}: {label}", path.display());
    let words = result.classes.iter().map(|class| {
        let text = class.constraint.show_facts(&model, &result.atoms);
        let word = text.strip_prefix("attacks.").and_then(|text| text.split('(').next());
        word.unwrap_or_else(|| panic!("a pattern of the library: {text}")).replace('_', " ")
    });
    let words: BTreeSet<String> = words.collect();
    assert_eq!(words.len(), result.classes.len(), "a class for each word: {words:?}");
    Kinds {
        claim: format!("{label} {}", claim.claim),
        classes: words.into_iter().collect::<Vec<_>>().join(", "),
        steps: result.classes.iter().map(|class| class.representative.len()).min().expect("a class"),
        seconds: start.elapsed().as_secs_f64(),
    }
}

/// A hash that A sends in message 1 and B, who knows what is in it, in message 2: nothing that A itself has made comes back
/// to it, though the same value does.
#[test]
fn what_the_protocol_itself_sends_back_is_no_reflection() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("echo.spdl");
    let text = "hashfunction h;
        protocol echo(A, B) {
            role A {
                fresh N: Nonce;
                var M: Nonce;
                send_1(A, B, {N}pk(B), h(N));
                recv_2(B, A, {h(N)}sk(B), M);
                claim_A1(A, Secret, M);
            }
            role B {
                var N: Nonce;
                fresh M: Nonce;
                recv_1(A, B, {N}pk(B), h(N));
                send_2(B, A, {h(N)}sk(B), M);
            }
        }";
    std::fs::write(&path, text).expect("writable");
    assert_eq!(kinds(&path, "A1", 3).classes, "disclosure, planted, redirection");
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn spec(protocol: &str) -> PathBuf {
    root().join("specs/protocols").join(format!("{protocol}.spdl"))
}

fn document() -> PathBuf {
    root().join("docs/protocol-corpus.md")
}

fn rows() -> Vec<Row> {
    let text = std::fs::read_to_string(document()).expect("the table");
    text.lines().filter_map(Row::read).collect()
}

/// Compares the lines that are asked for with what is found now, or writes this.
fn compare(wanted: impl Fn(&Row) -> bool) {
    let rows: Vec<Row> = rows().into_iter().filter(wanted).collect();
    assert!(rows.len() > 10, "{}", rows.len());
    for row in rows {
        let found = row.found();
        if std::env::var_os("CLADIST_RECORD").is_some() {
            let _guard = TABLE.lock().expect("no other test has failed");
            let text = std::fs::read_to_string(document()).expect("the table");
            std::fs::write(document(), text.replace(&row.line(), &found.line())).expect("writable");
        } else {
            let found = Row { seconds: row.seconds, ..found };
            assert_eq!(row.line(), found.line());
        }
    }
}

#[test]
fn the_table_says_what_is_found() {
    compare(|row| row.seconds < LONG);
}

/// The rest of the above.
#[test]
#[ignore = "takes some minutes"]
fn the_long_lines_of_the_table_say_what_is_found() {
    compare(|row| row.seconds >= LONG);
}

/// Every claim that a file expects an attack on has a line, and no other one.
#[test]
fn the_table_has_all_attacked_claims() {
    let mut expected = BTreeSet::new();
    for entry in std::fs::read_dir(root().join("specs/protocols")).expect("a folder") {
        let path = entry.expect("an entry").path();
        let stem = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).expect("readable");
        let attacked =
            text.lines().filter_map(|line| line.strip_prefix("# Expect: ")?.strip_suffix(" attack"));
        expected.extend(attacked.map(|label| (stem.clone(), label.to_owned())));
    }
    let found: Vec<_> = rows().iter().map(|row| (row.protocol.clone(), row.label().to_owned())).collect();
    assert_eq!(found.len(), expected.len());
    assert_eq!(found.into_iter().collect::<BTreeSet<_>>(), expected);
}

/// A line of the second table: a claim of one of Scyther's own models.
struct Listed {
    protocol: String,
    /// The label and what is claimed.
    claim: String,
    attacks: String,
    classes: String,
}

fn listed() -> Vec<Listed> {
    let text = std::fs::read_to_string(document()).expect("the table");
    let lines = text.lines().filter_map(|line| {
        let cells: Vec<&str> =
            line.strip_prefix("| `")?.strip_suffix('|')?.split('|').map(str::trim).collect();
        let [protocol, claim, attacks, classes] = cells[..] else { return None };
        let [claim, attacks, classes] = [claim, attacks, classes].map(str::to_owned);
        Some(Listed { protocol: protocol.trim_end_matches('`').to_owned(), claim, attacks, classes })
    });
    lines.collect()
}

fn data() -> Option<PathBuf> {
    let folder = std::env::var_os("CLADIST_TEST_DATA").filter(|value| !value.is_empty());
    if folder.is_none() {
        eprintln!("skipped: CLADIST_TEST_DATA is not set");
    }
    folder.map(|folder| Path::new(&folder).join("spdl"))
}

/// The numbers of attacks are those of Scyther's answers.
#[test]
fn the_second_table_has_the_numbers_that_scyther_lists() {
    let Some(folder) = data() else { return };
    let answers = std::fs::read_to_string(folder.join("scyther-3-runs.tsv")).expect("a table");
    let listed = listed();
    assert!(listed.len() > 10);
    for Listed { protocol, claim, attacks, .. } in listed {
        let (label, kind) = claim.split_once(' ').expect("a label and a claim");
        let answer = answers.lines().map(|line| line.split('\t').collect::<Vec<_>>());
        let mut answer = answer.filter(|cells| cells[0] == protocol && cells[2] == format!("{kind}_{label}"));
        let answer = answer.next().unwrap_or_else(|| panic!("{protocol}: {claim}"))[5];
        assert!(answer.contains(&format!(" {attacks} attack")), "{protocol}, {claim}: {answer}");
    }
}

/// The classes are what is found.
#[test]
#[ignore = "takes some minutes"]
fn the_second_table_says_what_is_found() {
    let Some(folder) = data() else { return };
    for Listed { protocol, claim, classes, .. } in listed() {
        let label = claim.split(' ').next().expect("a label");
        let found = kinds(&folder.join(format!("{protocol}.spdl")), label, 3);
        assert_eq!((found.claim, found.classes), (claim, classes), "{protocol}");
    }
}
