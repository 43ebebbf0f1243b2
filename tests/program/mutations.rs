//! Mutated inputs of every reader: no panic, no long run, no endless or dangerous output.
//!
//! `CLADIST_MUTATIONS` is the number of inputs for each reader, 300 if it is not set.

use cladist::batch::{JobKey, Record, parse_override, read_plan};
use cladist::budget::Budget;
use cladist::classify::{Options, Problem, classify};
use cladist::ctl::{FormulaOfLts, formula_of_lts};
use cladist::diagnostics::{Diagnostic, SourceMap, first_mistakes, printable, render};
use cladist::limits::ValueLimits;
use cladist::lts::aut::{self, ReadError, ReadOptions};
use cladist::lts::property::{Closure, LabelAutomaton};
use cladist::lts::{Lts, dot, facts, fsm};
use cladist::model::{
    LoadOptions, Model, check_library_text, load, load_formula, load_text_with, load_written,
};
use cladist::mucalc::{self, LabelParts};
use cladist::report::explicit::Report;
use cladist::report::explicit::lts::InfoReport;
use cladist::report::{Paint, itf_text};
use cladist::smt_solver::ForeignScript;
use cladist::trace::{ItfFile, from_itf, to_itf};
use cladist::verify::{Manifest, Stored, Task, digest, obligations};
use cladist::{aiger, btor2, process, promela, protocol, quint, smv, tla};
use proptest::prelude::Rng;
use proptest::test_runner::{RngAlgorithm, TestRng};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// As much stack as the main thread of the program usually has.
const STACK: usize = 8 << 20;

/// Mutants of `seeds` are read by `read`, which gives what the user would see.
fn survives(name: &'static str, seeds: Vec<String>, read: impl Fn(&str) -> String + Send + 'static) {
    let mutate = move || {
        let number = std::env::var("CLADIST_MUTATIONS").ok().and_then(|n| n.parse().ok()).unwrap_or(300);
        let mut random = Random::new(name);
        assert!(!seeds.is_empty(), "no {name} to begin with");
        for round in 0..number {
            let text = random.mutant(&seeds);
            let began = Instant::now();
            let output = read(&text);
            let context = || format!("{name} {round}: {:?}", text.get(..2000).unwrap_or(&text));
            assert!(began.elapsed() < Duration::from_secs(10), "{:?} for {}", began.elapsed(), context());
            assert!(output.len() < 1 << 20, "{} bytes from {}", output.len(), context());
            let raw = output.chars().find(|c| is_dangerous(*c));
            assert!(raw.is_none(), "{raw:?} from {}", context());
        }
    };
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(mutate).expect("a thread");
    thread.join().expect("no reader panics");
}

#[test]
fn models() {
    survives("models", texts("specs", "sts"), |text| {
        let options = LoadOptions { budget: budget(), ..LoadOptions::default() };
        let folder = root();
        let read = |path: &Path| fs::read_to_string(folder.join(path));
        let loaded = load_text_with("specs/m\u{1b}[1m.sts", text, &options, &read);
        printed(&loaded.diagnostics, &loaded.sources)
    });
}

#[test]
fn models_in_smv() {
    survives("models in SMV", texts("tests/models/smv", "smv"), |text| {
        match smv::import_text("m", "m\u{1b}[1m.smv", text) {
            Ok(text) => written(&text),
            Err(refused) => printed(&refused.diagnostics, &refused.sources),
        }
    });
}

#[test]
fn programs_in_promela() {
    survives("programs in Promela", texts("tests/models/promela", "pml"), |text| match promela::import_text(
        "m",
        "m\u{1b}[1m.pml",
        text,
        &|_| Err("there is none".to_owned()),
    ) {
        Ok(text) => written(&text),
        Err(refused) => printed(&refused.diagnostics, &refused.sources),
    });
}

#[test]
fn specifications_in_tla() {
    let options = ValueLimits::default();
    let none = |name: &str| match name {
        "m.cfg" => Ok((name.to_owned(), "INIT Init NEXT Next".to_owned())),
        _ => Err(std::io::ErrorKind::NotFound.into()),
    };
    survives("specifications in TLA+", texts("tests/models/tla", "tla"), move |text| match tla::import_text(
        "m",
        "m\u{1b}[1m.tla",
        text,
        &options,
        &none,
    ) {
        Ok(imported) => written(&imported.text),
        Err(refused) => printed(&refused.diagnostics, &refused.sources),
    });
}

/// The mistakes of a model that was written for another tool's one.
fn written(text: &str) -> String {
    let options = LoadOptions { budget: budget(), ..LoadOptions::default() };
    let loaded = load_written("m", text, &options);
    printed(&loaded.diagnostics, &loaded.sources)
}

#[test]
fn models_in_quint() {
    survives("models in Quint", texts("tests/cli/quint", "json"), |text| {
        match quint::import_text("m\u{1b}[1m.qnt.json", "m", text, &quint::QuintOptions::default()) {
            Ok((text, _)) => written(&text),
            Err(found) => printed(&found, &SourceMap::new()),
        }
    });
}

#[test]
fn circuits() {
    let mut seeds = texts("tests/cli/aiger", "aag");
    // The binary form of a latch and a gate.
    seeds.push("aig 3 1 1 1 1\n6\n6\n\u{2}\u{2}i0 x\nl0 y\n".to_owned());
    survives("circuits", seeds, |text| {
        let circuit = match aiger::read(text.as_bytes()) {
            Ok(circuit) => circuit,
            Err(malformed) => return shown(malformed.to_string()),
        };
        match aiger::model_text("c", "c.aag", &circuit) {
            Ok(text) => written(&text),
            Err(too_large) => shown(too_large),
        }
    });
}

#[test]
fn circuits_of_words() {
    survives("circuits of words", texts("tests/cli/btor2", "btor2"), |text| {
        match btor2::import_text("c", "c.btor2", text) {
            Ok(text) => written(&text),
            Err(refused) => printed(&refused.diagnostics, &refused.sources),
        }
    });
}

#[test]
fn libraries() {
    survives("libraries", texts("predicates", "pred"), |text| {
        let loaded = check_library_text("l.pred", text, &|_| Err(std::io::ErrorKind::NotFound.into()));
        printed(&loaded.diagnostics, &loaded.sources)
    });
}

#[test]
fn process_texts() {
    survives("process texts", texts("specs/processes", "lnt"), |text| {
        let loaded = process::load_text("p.lnt", text, None, &budget());
        printed(&loaded.mistakes, &loaded.sources)
    });
}

#[test]
fn protocol_files() {
    survives("protocol files", texts("tests/cli/protocols", "spdl"), |text| {
        let loaded = protocol::load_text("p.spdl", text, &budget());
        assert_eq!(loaded.protocols.is_none(), loaded.diagnostics.iter().any(Diagnostic::is_error));
        if let Ok(formatted) = protocol::format(text) {
            assert_eq!(protocol::format(&formatted).as_ref(), Ok(&formatted));
        }
        printed(&loaded.diagnostics, &loaded.sources)
    });
}

#[test]
fn message_lists() {
    survives("message lists", texts("specs/alice-bob", "anb"), |text| {
        let loaded = protocol::load_text("p.anb", text, &budget());
        assert_eq!(loaded.protocols.is_none(), loaded.diagnostics.iter().any(Diagnostic::is_error));
        printed(&loaded.diagnostics, &loaded.sources)
    });
}

#[test]
fn strands() {
    survives("strands", texts("specs/cpsa", "scm"), |text| {
        let loaded = protocol::load_text("p.scm", text, &budget());
        assert_eq!(loaded.protocols.is_none(), loaded.diagnostics.iter().any(Diagnostic::is_error));
        printed(&loaded.diagnostics, &loaded.sources)
    });
}

#[test]
fn properties_of_labels() {
    let seeds = [
        "always not 'a' and next 'b'",
        "before 'a', 'b'",
        "[true*.\"a\".\"b\"] false",
        "never \"a !1\" after \"b\"",
        "[(not 'a.*')* . (\"b\" | 'c !.*' & not \"c\") . true*] false",
    ];
    let labels = system(AUT);
    survives("properties", seeds.map(str::to_owned).to_vec(), move |text| {
        let mut sources = SourceMap::new();
        let source = sources.add("property", text);
        match mucalc::parse_property(source, text) {
            Err(found) => printed(&found, &sources),
            Ok(property) => match LabelAutomaton::new(&property, labels.labels(), Closure::default()) {
                Ok(_) => String::new(),
                Err(too_large) => too_large.to_string(),
            },
        }
    });
}

#[test]
fn systems() {
    let seeds = [AUT, FSM, AUTX, "des(0,2,2)\n0,a,1\n(1 , \"b !\\\"x\\\" !TRUE\" , 0)\n"];
    survives("AUT", seeds.map(str::to_owned).to_vec(), |text| {
        let tagged = read_aut(text, ReadOptions { lenient: true, tagged: true });
        let fsm = fsm::read(text.as_bytes(), "s.fsm", &budget());
        let plain =
            [false, true].map(|lenient| read_aut(text, ReadOptions { lenient, tagged: false })).concat();
        plain + &tagged + &told(fsm)
    });
}

#[test]
fn graphs() {
    let seeds = [
        "digraph lts {\n  node [shape=circle];\n  0 [shape=doublecircle];\n  0 -> 1 [label=\"SEND !1\"];\n  1 -> 0 [label=\"i\"];\n}\n",
        "strict digraph \"g\" { s [shape=point]; s -> a; edge [label=x]; a -> b -> c; subgraph k { c:n -> a [label=<y>, pos=\"e,1\"] } }",
        "// c\ndigraph { /* d */ a -> b [label=\"one\\\\\" + \"two\\n\"]; b [peripheries=2]; graph [bb=\"0,0\"]; x = -1.5 }\n# end\n",
    ];
    survives("DOT", seeds.map(str::to_owned).to_vec(), |text| {
        told(dot::read(text.as_bytes(), "s.dot", &budget()))
    });
}

fn read_aut(text: &str, how: ReadOptions) -> String {
    told(aut::read(text.as_bytes(), "s.aut", how, &budget()))
}

fn told(read: Result<Lts, ReadError>) -> String {
    match read {
        Err(ReadError::Mistakes(found, sources)) => printed(&found, &sources),
        Err(ReadError::Exhausted(_)) => String::new(),
        Ok(lts) => match facts(&lts, &budget()) {
            Ok(facts) => {
                let report =
                    InfoReport { file: "s.aut", lts: &lts, facts: &facts, starts: None, property: None };
                shown(report.text(Paint::default(), 100))
            }
            Err(_) => String::new(),
        },
    }
}

#[test]
fn formulas_of_the_mu_calculus() {
    let seeds = [
        "nu X . mu Y . (<\"a !1\"> X or <not 'b.*'> Y) % comment",
        "forall n: Nat . [true* . a(n)] mu X . (<true> true && [!(exists m: Nat . b(m) || a(n))] X)",
        "nu X(n: Nat = 0, l: List(Nat) = []) . val(n <= 2 && #l < 3) && [a(1)|b] X(n + 1, l <| n)",
        "library standard.mcl end_library RESPONSE (\"a !1\", i) and AG (EF (<c> true))",
        "macro SOON (A) = mu X . (<true> true and [not (A)] X) end_macro [c*] SOON (\"b\" | c{3})",
    ];
    let lts = system(AUT);
    let parts = LabelParts::of(&lts);
    survives("formulas of the µ-calculus", seeds.map(str::to_owned).to_vec(), move |text| {
        let mut sources = SourceMap::new();
        let source = sources.add("formula", text);
        let missing = |_: &str| Err(std::io::ErrorKind::NotFound.into());
        let tree = match mucalc::parse(&mut sources, (source, text), None, &missing) {
            Ok(tree) => tree,
            Err(found) => return printed(&found, &sources),
        };
        let formula = match mucalc::resolve(&tree, lts.labels(), &parts, &[]) {
            Ok(resolved) => resolved.formula,
            Err(found) => return printed(&found, &sources),
        };
        match mucalc::check(&formula, &lts, &parts, true, &budget()) {
            Ok(checked) => checked.evidence.map(|evidence| shown(evidence.shows)).unwrap_or_default(),
            Err(why) => shown(format!("{why:?}")),
        }
    });
}

#[test]
fn formulas_of_systems() {
    let seeds = [
        "AG (enabled(\"a !1\") => AF matches('b'))",
        "E [not deadlock U enabled(\"c\")] or EG EX true",
        "A[enabled(\"i\") W deadlock] <=> not AX false",
    ];
    let lts = system(AUT);
    survives("formulas of systems", seeds.map(str::to_owned).to_vec(), move |text| {
        let mut sources = SourceMap::new();
        let source = sources.add("formula", text);
        match formula_of_lts(&lts, (source, text), &[]) {
            Ok(FormulaOfLts { formula, warnings, .. }) => {
                printed(&warnings, &sources) + &shown(formula.text(formula.root))
            }
            Err(found) => printed(&found, &sources),
        }
    });
}

#[test]
fn formulas_of_models() {
    let seeds = [
        "AG (location[1] = Trying => AF location[1] = Critical)",
        "E [not deadlock U forall p in Process: location[p] != Idle]",
        "AG not (exists p in Process: location[p] in { Critical, Entering }) or EX EG PROCESSES >= 3",
    ];
    let model = specification("mutual_exclusion.sts");
    survives("formulas of models", seeds.map(str::to_owned).to_vec(), move |text| {
        let loaded = load_formula(&model, "formula", text);
        printed(&loaded.diagnostics, &loaded.sources)
    });
}

/// A stored counterexample of [`mutex`].
fn traces() -> Vec<String> {
    let model = mutex();
    let problem = Problem::first(&model).expect("an invariant");
    let vocabulary = &model.vocabularies[0];
    let found = classify(problem, vocabulary, &Options::default(), &Budget::unlimited(), &mut ());
    let traces: Vec<String> =
        found.classes.iter().map(|class| to_itf(&model, &class.representative)).collect();
    for text in &traces {
        assert!(from_itf(&model, text).is_ok(), "{text}");
    }
    traces
}

fn mutex() -> Model {
    specification("mutex.sts")
}

#[test]
fn traces_of_models() {
    let model = mutex();
    survives("traces of models", traces(), move |text| match from_itf(&model, text) {
        Ok(trace) => shown(to_itf(&model, &trace)),
        Err(error) => refused(error.to_string(), error.help()),
    });
}

#[test]
fn traces_alone() {
    let mut seeds = traces();
    seeds.push(ITF.to_owned());
    survives("traces", seeds, |text| match ItfFile::parse(text) {
        Ok(file) => [false, true].map(|full| shown(itf_text(&file, full, &[]))).concat(),
        Err(error) => refused(error.to_string(), error.help()),
    });
}

#[test]
fn plans() {
    let seeds = [texts("plans", "toml"), texts("tests/cli/plans", "toml")].concat();
    survives("plans", seeds, |text| {
        let mut sources = SourceMap::new();
        let source = sources.add("plan.toml", text);
        printed(&read_plan(source, text).1, &sources)
    });
}

#[test]
fn overrides() {
    let seeds = ["N=5", "N = 1..3", "LIMIT={ A, B }"].map(str::to_owned).to_vec();
    survives("overrides", seeds, |text| parse_override(text).err().map(shown).unwrap_or_default());
}

/// Edited results are refused because of their checksums; so mutants are also read with the checksum that they should have.
#[test]
fn results() {
    let key: JobKey = serde_json::from_str(KEY).expect("a key");
    let done = Record::done(key.clone(), 10, serde_json::from_str(RESULT).expect("a document"));
    assert!(done.found().is_ok(), "{:?}", done.found());
    let failed = Record::failed(key.clone(), None, "killed\u{1b}[31m".into());
    let originals = vec![done.to_text(), failed.to_text()];
    survives("results", originals.clone(), move |text| {
        let accepted = Record::read(text, &key).is_ok();
        assert!(
            !accepted || originals.iter().any(|original| original == text),
            "an edited result is accepted"
        );
        match Record::read(&with_checksum(text), &key).and_then(|record| record.found()) {
            Ok(found) => {
                let _ = (found.is_partial(), found.classes().count());
                String::new()
            }
            Err(reason) => shown(reason),
        }
    });
}

/// Results as the program prints them, and as a bundle lists them; what is read of them is evaluated.
#[test]
fn results_to_be_verified() {
    let cladist = |args: &str| {
        let mut program = std::process::Command::new(env!("CARGO_BIN_EXE_cladist"));
        let output = program.current_dir(root()).args(args.split(' ')).output().expect("the program runs");
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    let seeds = vec![
        cladist("classify specs/mutex.sts -V steps -k 6 --json"),
        cladist("check specs/mutex.sts -k 6 --json"),
        MANIFEST.to_owned(),
    ];
    let model = mutex();
    assert!(seeds[..2].iter().all(|text| Stored::read(text).is_ok()) && Manifest::read(&seeds[2]).is_ok());
    survives("results to be verified", seeds, move |text| {
        let manifest = Manifest::read(text).err().map(shown).unwrap_or_default();
        match Stored::read(text) {
            Ok(stored) => {
                let claims =
                    obligations(&model, &stored).into_iter().map(|obligation| match obligation.task {
                        Task::Evaluated(Err(why)) | Task::Open(why) => obligation.claim + &why,
                        Task::Evaluated(Ok(())) | Task::Ask(_) | Task::Written => obligation.claim,
                    });
                shown(claims.collect()) + &manifest
            }
            Err(reason) => shown(reason.message + &reason.help) + &manifest,
        }
    });
}

/// Scripts of others: what is understood of them is understood again.
#[test]
fn scripts_of_others() {
    let seeds = texts("tests/engines", "smt2");
    survives("scripts of others", seeds, |text| {
        let mut sources = SourceMap::new();
        let source = sources.add("script.smt2", text);
        match ForeignScript::read(text, source) {
            Ok(script) => {
                assert_eq!(ForeignScript::read(script.text(), source).as_ref(), Ok(&script), "{text}");
                String::new()
            }
            Err(mistake) => render(&mistake, &sources, false),
        }
    });
}

fn with_checksum(text: &str) -> String {
    let entry = |checksum: &str| format!("\"checksum\": \"{checksum}\"");
    let Some((before, after)) = text.split_once("\"checksum\": \"") else { return text.to_owned() };
    let Some((_, after)) = after.split_once('"') else { return text.to_owned() };
    let empty = format!("{before}{}{after}", entry(""));
    let checksum = digest([empty.as_str()]);
    format!("{before}{}{after}", entry(&checksum))
}

const KEY: &str = r#"{"model": "m.sts", "sources": "00", "property": "safe", "vocabulary": "generic", "constants": ["N=5"],
  "bound": 10, "exact": false, "unbounded": true, "count": true, "max_states": null, "solver": "cadical",
  "timeout_ms": null, "memory_bytes": null, "max_classes": null, "keep_redundant": false, "verify": false,
  "version": "0.1.0"}"#;
const RESULT: &str = r#"{"verdict": "complete_unbounded", "reason": null, "bound": 10, "unbounded": {"proved": true},
  "counts": {"first_violations": [{"total": "12"}], "violating": [{"total": "123456789012345678901234567890"}],
  "reason": null}, "classes": [{"id": 1, "constraint": "x@i1 = 1", "positions": {"i1": 3},
  "facts": [{"text": "x@i1 = 1"}], "representative": {"states": []}, "canonical": null, "redundant": false}],
  "statistics": {"seconds": {"total": 0.5}, "cpu_seconds": 0.25, "peak_memory_kb": 4096}}"#;
const MANIFEST: &str = r#"{"schema": "cladist/exchange-1", "producer": "cladist 0.1.0", "result": "result.json",
  "result_schema": "cladist/classify-1", "model": "model/m.sts", "root": "model", "set": {"N": "5"},
  "obligations": [{"name": "class-1-sufficient", "claim": "it suffices", "kind": "script", "script": "a.smt2", "logic": "QF_BV",
  "answer": "unsat"}],
  "files": [{"path": "result.json", "sha256": "00"}, {"path": "model/m.sts", "sha256": "00"}, {"path": "a.smt2", "sha256": "00"}]}"#;
const AUT: &str = "des (0, 4, 3)\n(0, \"a !1\", 1)\n(1, i, 2)\n(2, \"b\", 0)\n(0, c, 0)\n";
const AUTX: &str = "des (0, 2, 3)\n(0:N:G, \"a !1\":GREEN, 1)\n(1:N:R, \"b\":RED, -1)\n";
const FSM: &str = "n(2) Nat \"0\" \"1\"\n---\n0\n1\n---\n1 2 \"a(1)\"\n2 1 \"tau\"\n";
const ITF: &str = r##"{"#meta": {"format": "ITF"}, "vars": ["x", "y"], "states": [
  {"#meta": {"index": 0, "action": "init", "parameters": {}}, "x": {"#bigint": "0"}, "y": {"#set": ["A"]}},
  {"#meta": {"index": 1, "action": "go", "parameters": {"a": "B"}}, "x": 1, "y": {"#map": [["A", true]]}}]}"##;

fn system(text: &str) -> Lts {
    aut::read(text.as_bytes(), "s.aut", ReadOptions::default(), &Budget::unlimited()).expect("a system")
}

fn specification(name: &str) -> Model {
    load(&root().join("specs").join(name), &[]).model.expect("a model without mistakes")
}

fn budget() -> Budget {
    Budget::unlimited().with_timeout(Duration::from_secs(5))
}

fn refused(message: String, help: &str) -> String {
    printed(&[Diagnostic::error_without_place(message).with_help(help)], &SourceMap::new())
}

/// A text as the program's console prints it.
fn shown(text: String) -> String {
    printable(&text).into_owned()
}

fn printed(diagnostics: &[Diagnostic], sources: &SourceMap) -> String {
    first_mistakes(diagnostics.to_vec(), sources).iter().map(|d| render(d, sources, false)).collect()
}

/// Whether a terminal may obey a character, or a reader be deceived by it.
fn is_dangerous(c: char) -> bool {
    c.is_control() && c != '\n'
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The files of a folder with this ending.
fn files(folder: &str, ending: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(root().join(folder)).expect("a folder");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|e| e == ending));
    paths.sort();
    paths
}

fn texts(folder: &str, ending: &str) -> Vec<String> {
    files(folder, ending).iter().map(|path| fs::read_to_string(path).expect("a text")).collect()
}

/// Random mutations, the same in every run.
struct Random(TestRng);

impl Random {
    fn new(name: &str) -> Self {
        let mut seed = [7; 32];
        name.bytes().zip(&mut seed).for_each(|(byte, slot)| *slot = byte);
        Self(TestRng::from_seed(RngAlgorithm::ChaCha, &seed))
    }

    fn below(&mut self, end: usize) -> usize {
        (self.0.next_u64() % end.max(1) as u64) as usize
    }

    fn mutant(&mut self, seeds: &[String]) -> String {
        let mut bytes = seeds[self.below(seeds.len())].clone().into_bytes();
        for _ in 0..=self.below(4) {
            let (a, b) = (self.below(bytes.len()), self.below(bytes.len()));
            let (from, to) = (a.min(b), a.max(b).min(a.min(b) + 400));
            match self.below(8) {
                0 if !bytes.is_empty() => bytes[from] ^= 1 << self.below(8),
                1 => drop(bytes.drain(from..to)),
                2 => {
                    let piece = bytes[from..to].repeat(1 + self.below(5));
                    bytes.splice(from..from, piece);
                }
                3 => {
                    let other = seeds[self.below(seeds.len())].as_bytes();
                    let start = self.below(other.len());
                    let piece = &other[start..other.len().min(start + 300)];
                    bytes.splice(from..to, piece.iter().copied());
                }
                4 => {
                    let opening =
                        ["(", "{", "[", "not ", "forall x in 0..9: ", "record { f: ", "map bool to "];
                    let piece = opening[self.below(opening.len())].repeat(1 + self.below(2000));
                    bytes.splice(from..from, piece.into_bytes());
                }
                5 => {
                    let hidden = ["\u{1b}[31m", "\u{202e}", "\u{200b}", "\u{7}", "\r", "\u{9b}2J", "\u{0}"];
                    bytes.splice(from..from, hidden[self.below(hidden.len())].bytes());
                }
                6 => {
                    let piece = [";", ",", "\"", "@", "9", "}"];
                    let piece = piece[self.below(piece.len())].repeat(1 + self.below(5000));
                    bytes.splice(from..from, piece.into_bytes());
                }
                _ => {
                    let number = [u64::MAX, 1 << 31, 4096, 299, 0][self.below(5)].to_string();
                    bytes.splice(from..from, number.into_bytes());
                }
            }
        }
        String::from_utf8_lossy(&bytes).into_owned()
    }
}
