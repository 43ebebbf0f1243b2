//! The tables of `docs/notes/protocol-corpus.md`: the kinds of attacks on the protocols of `specs/protocols`, as the plan
//! `plans/protocols.toml` finds them.
//!
//! `CLADIST_RECORD=1 cargo test --release --test engines protocol_corpus -- --include-ignored` writes what is found now, with the
//! seconds that it took; without it, everything but the seconds has to be as the tables say.

use cladist::budget::Budget;
use cladist::classify::{Grounding, Options, Problem, Verdict, classify};
use cladist::model::LoadOptions;
use cladist::model::types::Type;
use cladist::protocol::{LoadedModel, load_model};
use cladist::unroll::Lengths;
use itertools::Itertools;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

/// A line of the table with this many seconds or more is checked by the test of the whole plan only.
const LONG: f64 = 0.6;

/// One test at a time writes the tables.
static TABLE: Mutex<()> = Mutex::new(());

/// A line of the table.
#[derive(Debug, Clone)]
struct Row {
    protocol: String,
    /// The label and what is claimed: `B1 Secret`.
    claim: String,
    literature: String,
    /// What the library calls the published attack; a dash where there is none.
    word: String,
    found: Found,
    /// How many attacks Scyther lists on its own model.
    scyther: String,
}

/// What a plan says of a claim.
#[derive(Debug, Clone)]
struct Found {
    /// The words of the classes; a dash if there are none.
    classes: String,
    runs: String,
    /// The steps of a shortest attack.
    steps: String,
    seconds: f64,
}

/// A protocol and a claim of it: `B1 Secret`, or its label.
type Key = (String, String);

/// The cells of a line of a table that begins with a name in this mark.
fn cells<'l>(line: &'l str, mark: &str) -> Option<Vec<&'l str>> {
    let line = line.strip_prefix("| ")?.strip_prefix(mark)?.strip_suffix('|')?;
    Some(line.split('|').map(|cell| cell.trim().trim_matches('`')).collect())
}

fn seconds(cell: &str) -> f64 {
    cell.parse().unwrap_or_else(|_| panic!("seconds: {cell}"))
}

impl Row {
    /// The line, if it is one of the table.
    fn read(line: &str) -> Option<Self> {
        let cells = cells(line, "`")?;
        let [protocol, claim, literature, word, classes, scyther, runs, steps, taken] = cells[..] else {
            return None;
        };
        let found = Found {
            classes: classes.to_owned(),
            runs: runs.to_owned(),
            steps: steps.to_owned(),
            seconds: seconds(taken),
        };
        let [protocol, claim, literature, word, scyther] =
            [protocol, claim, literature, word, scyther].map(str::to_owned);
        Some(Self { protocol, claim, literature, word, found, scyther })
    }

    fn line(&self) -> String {
        let Self { protocol, claim, literature, word, found, scyther } = self;
        let Found { classes, runs, steps, seconds } = found;
        format!(
            "| `{protocol}` | {claim} | {literature} | {word} | {classes} | {scyther} | {runs} | {steps} | {seconds:.1} |"
        )
    }

    fn label(&self) -> &str {
        self.claim.split(' ').next().unwrap_or_default()
    }

    fn key(&self) -> Key {
        (self.protocol.clone(), self.claim.clone())
    }
}

/// Runs a plan, and reads its table of claims: what it says, by protocol and claim, and which of them hold.
fn run(plan: &Path) -> (BTreeMap<Key, Found>, BTreeSet<Key>) {
    let folder = tempfile::tempdir().expect("a folder");
    let mut command = Command::new(env!("CARGO_BIN_EXE_cladist"));
    command.arg("batch").arg(plan).arg("--out").arg(folder.path());
    let output = command.output().expect("it runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = std::fs::read_to_string(folder.path().join("claims.md")).expect("a table");
    let (mut found, mut holding) = (BTreeMap::new(), BTreeSet::new());
    for cells in text.lines().skip(2).map(|line| cells(line, "").expect("a line of the table")) {
        let [protocol, claim, verdict, classes, runs, steps, taken] = cells[..] else { panic!("{cells:?}") };
        let key = (protocol.to_owned(), claim.to_owned());
        let [classes, runs, steps] = [classes, runs, steps].map(str::to_owned);
        match verdict {
            "attacks" => {
                found.insert(key, Found { classes, runs, steps, seconds: seconds(taken) });
            }
            "holds" => {
                holding.insert(key);
            }
            other => panic!("{protocol}, {claim}: {other}"),
        }
    }
    (found, holding)
}

/// What is claimed with a label, and the words of the classes with three runs and the vocabulary of the claim.
fn kinds(path: &Path, label: &str) -> (String, String) {
    let LoadedModel { loaded, translation } = load_model(path, &LoadOptions::default());
    let translation = translation.expect("no mistakes");
    let model = loaded.model.unwrap_or_else(|| panic!("{}: {:?}", path.display(), loaded.diagnostics));
    let claim = translation.claims.iter().find(|claim| claim.label == label);
    let claim = claim.unwrap_or_else(|| panic!("{} has no claim {label}", path.display()));
    let invariant = model.properties[model.property(&claim.property).expect("its property")].invariant();
    let problem = Problem::new(&model, invariant.expect("an invariant"));
    let vocabulary = model.vocabularies.iter().find(|vocabulary| vocabulary.name == claim.property);
    let vocabulary = vocabulary.expect("one of the name of the property");
    let is_run = |ty: &Type| model.types.name(ty) == translation.runs;
    let nameless = Grounding::liftable(&model).into_iter().filter(is_run).collect();
    let lengths = Lengths::UpTo(translation.charts.steps());
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
    (format!("{label} {}", claim.claim), words.into_iter().join(", "))
}

/// A hash that A sends in message 1 and B, who knows what is in it, in message 2: nothing that A itself has made comes back
/// to it, though the same value does.
#[test]
fn messages_that_the_protocol_returns_are_no_reflection() {
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
    assert_eq!(kinds(&path, "A1").1, "disclosure, planted, redirection");
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn spec(protocol: &str) -> PathBuf {
    root().join("specs/protocols").join(format!("{protocol}.spdl"))
}

fn document() -> PathBuf {
    root().join("docs/notes/protocol-corpus.md")
}

fn rows() -> Vec<Row> {
    let text = std::fs::read_to_string(document()).expect("the table");
    text.lines().filter_map(Row::read).collect()
}

/// Compares lines of the table with what a plan found, or writes this.
fn compare(rows: &[Row], found: &BTreeMap<Key, Found>) {
    let now = |row: &Row| Row { found: found[&row.key()].clone(), ..row.clone() };
    if std::env::var_os("CLADIST_RECORD").is_some() {
        let _guard = TABLE.lock().expect("no other test has failed");
        let text = std::fs::read_to_string(document()).expect("the table");
        let text = rows.iter().fold(text, |text, row| text.replace(&row.line(), &now(row).line()));
        std::fs::write(document(), text).expect("writable");
        return;
    }
    for row in rows {
        let mut now = now(row);
        now.found.seconds = row.found.seconds;
        assert_eq!(row.line(), now.line());
    }
}

/// The lines that take little time, by a plan of these claims alone.
#[test]
fn the_table_says_what_is_found() {
    let rows: Vec<Row> = rows().into_iter().filter(|row| row.found.seconds < LONG).collect();
    assert!(rows.len() > 10, "{}", rows.len());
    let groups = rows.iter().chunk_by(|row| &row.protocol);
    let groups = groups.into_iter().map(|(protocol, rows)| {
        let labels = rows.map(Row::label).collect_vec();
        format!("[[classify]]\nmodels = [{:?}]\nclaims = {labels:?}\n", spec(protocol))
    });
    let folder = tempfile::tempdir().expect("a folder");
    let plan = folder.path().join("plan.toml");
    std::fs::write(&plan, groups.collect_vec().concat()).expect("writable");
    let (found, holding) = run(&plan);
    assert_eq!((found.len(), holding.len()), (rows.len(), 0));
    compare(&rows, &found);
}

/// All lines, by the plan that users have: it finds these attacks, and no other ones.
#[test]
#[ignore = "takes some minutes"]
fn the_plan_finds_what_the_table_says() {
    let (found, holding) = run(&root().join("plans/protocols.toml"));
    let rows = rows();
    let attacked: BTreeSet<Key> = rows.iter().map(Row::key).collect();
    assert_eq!(found.keys().cloned().collect::<BTreeSet<_>>(), attacked);
    let labels =
        |(protocol, claim): &Key| (protocol.clone(), claim.split(' ').next().unwrap_or_default().to_owned());
    assert_eq!(holding.iter().map(labels).collect::<BTreeSet<_>>(), expected("holds"));
    compare(&rows, &found);
}

/// The protocols with the labels of the claims that their files expect this of: `attack`, `holds`.
fn expected(verdict: &str) -> BTreeSet<Key> {
    let mut expected = BTreeSet::new();
    for entry in std::fs::read_dir(root().join("specs/protocols")).expect("a folder") {
        let path = entry.expect("an entry").path();
        let stem = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).expect("readable");
        let labels = text.lines().filter_map(|line| line.strip_prefix("# Expect: ")?.split_once(' '));
        let labels = labels.filter(|(_, expected)| *expected == verdict);
        expected.extend(labels.map(|(label, _)| (stem.clone(), label.to_owned())));
    }
    expected
}

/// Every claim that a file expects an attack on has a line, and no other one.
#[test]
fn the_table_has_all_attacked_claims() {
    let found: Vec<_> = rows().iter().map(|row| (row.protocol.clone(), row.label().to_owned())).collect();
    let expected = expected("attack");
    assert_eq!(found.len(), expected.len());
    assert_eq!(found.into_iter().collect::<BTreeSet<_>>(), expected);
}

/// True if the classes of a claim have the word.
fn shows(row: &Row, word: &str) -> bool {
    row.found.classes.split(", ").any(|class| class == word)
}

/// Each published attack is a class of some claim that it is on, under its word.
#[test]
fn published_attacks_are_classes_under_their_words() {
    let rows = rows();
    for row in &rows {
        assert_eq!(row.word == "–", row.literature == "–", "{}", row.line());
    }
    let published = rows.iter().filter(|row| row.word != "–");
    let mut shown: BTreeMap<&str, bool> = BTreeMap::new();
    for row in published {
        *shown.entry(&row.protocol).or_default() |= shows(row, &row.word);
    }
    assert!(shown.len() >= 20, "{shown:?}");
    assert!(shown.values().all(|shown| *shown), "{shown:?}");
    let text = std::fs::read_to_string(document()).expect("the table");
    let sentence = format!("All {} published attacks are classes", shown.len());
    assert!(text.contains(&sentence), "{sentence}");
}

/// What becomes of the published attacks in repaired versions: their claims hold, or have attacks of other words.
#[test]
fn repaired_versions_do_not_show_the_published_attacks() {
    let (rows, text) = (rows(), std::fs::read_to_string(document()).expect("the table"));
    let mut pairs = 0;
    for line in text.lines() {
        let Some(cells) = cells(line, "`") else { continue };
        let [repaired, original, said] = cells[..] else { continue };
        pairs += 1;
        let published = rows.iter().filter(|row| row.protocol == original && row.word != "–");
        let mut becomes = Vec::new();
        for row in published {
            let now = rows.iter().find(|now| now.protocol == repaired && now.label() == row.label());
            let now_classes = now.map(|now| now.found.classes.as_str());
            assert!(!now.is_some_and(|now| shows(now, &row.word)), "{repaired}: {}", row.label());
            let holds = (repaired.to_owned(), row.label().to_owned());
            assert_eq!(now.is_none(), expected("holds").contains(&holds), "{repaired}: {}", row.label());
            becomes.push(format!("{} {}", row.label(), now_classes.unwrap_or("holds")));
        }
        assert_eq!(said, becomes.join("; "), "{repaired}");
    }
    assert!(pairs >= 15, "{pairs}");
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
        let [protocol, claim, attacks, classes] = cells(line, "`")?[..] else { return None };
        let [protocol, claim, attacks, classes] = [protocol, claim, attacks, classes].map(str::to_owned);
        Some(Listed { protocol, claim, attacks, classes })
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
        let found = kinds(&folder.join(format!("{protocol}.spdl")), label);
        assert_eq!(found, (claim, classes), "{protocol}");
    }
}
