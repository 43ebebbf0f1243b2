//! Mutated inputs of every reader: no panic, no long run, no endless or dangerous output.
//!
//! `CLADIST_MUTATIONS` is the number of inputs for each reader, 300 if it is not set.

use cladist::budget::Budget;
use cladist::diagnostics::{Diagnostic, SourceMap, first_mistakes, render};
use cladist::lts::aut::{self, Read, ReadError};
use cladist::lts::property;
use cladist::model::{LoadOptions, Model, check_library_text, load, load_text_with};
use cladist::process;
use cladist::trace::{TextOptions, from_itf, to_text};
use proptest::prelude::Rng;
use proptest::test_runner::{RngAlgorithm, TestRng};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Something that reads texts.
struct Reader {
    name: &'static str,
    /// Texts to begin with.
    seeds: Vec<String>,
    /// Reads a text and gives what the user would see.
    read: Box<dyn Fn(&str) -> String>,
}

/// As much stack as the main thread of the program usually has.
const STACK: usize = 8 << 20;

#[test]
fn mutated_inputs_are_survived() {
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(mutate_all).expect("a thread");
    thread.join().expect("no reader panics");
}

fn mutate_all() {
    let number = std::env::var("CLADIST_MUTATIONS").ok().and_then(|n| n.parse().ok()).unwrap_or(300);
    for reader in readers() {
        let mut random = Random::new(reader.name);
        assert!(!reader.seeds.is_empty(), "{}", reader.name);
        for round in 0..number {
            let text = random.mutant(&reader.seeds);
            let began = Instant::now();
            let output = (reader.read)(&text);
            let context = || format!("{} {round}: {:?}", reader.name, text.get(..2000).unwrap_or(&text));
            assert!(began.elapsed() < Duration::from_secs(10), "{}", context());
            assert!(output.len() < 1 << 20, "{} bytes from {}", output.len(), context());
            let raw = output.chars().find(|c| is_dangerous(*c));
            assert!(raw.is_none(), "{raw:?} from {}", context());
        }
    }
}

fn readers() -> Vec<Reader> {
    let model = load(&root().join("specs/paper/ns.sts"), &[]).model;
    let model = model.or_else(|| load(&first("specs", "sts"), &[]).model).expect("a model");
    vec![
        Reader { name: "models", seeds: texts("specs", "sts"), read: Box::new(read_model) },
        Reader { name: "libraries", seeds: texts("predicates", "pred"), read: Box::new(read_library) },
        Reader {
            name: "process texts",
            seeds: texts("specs/processes", "lnt"),
            read: Box::new(read_process),
        },
        Reader { name: "properties", seeds: properties(), read: Box::new(read_property) },
        Reader { name: "AUT", seeds: vec![AUT.to_owned()], read: Box::new(read_aut) },
        Reader {
            name: "ITF",
            seeds: vec![ITF.to_owned()],
            read: Box::new(move |text| read_trace(&model, text)),
        },
    ]
}

const AUT: &str = "des (0, 4, 3)\n(0, \"a !1\", 1)\n(1, i, 2)\n(2, \"b\", 0)\n(0, c, 0)\n";
const ITF: &str = r##"{"#meta": {"format": "ITF"}, "vars": ["x", "y"], "states": [
  {"#meta": {"index": 0, "action": "init", "parameters": {}}, "x": {"#bigint": "0"}, "y": {"#set": ["A"]}},
  {"#meta": {"index": 1, "action": "go", "parameters": {"a": "B"}}, "x": 1, "y": {"#map": [["A", true]]}}]}"##;

fn properties() -> Vec<String> {
    [
        "always not 'a' and next 'b'",
        "before 'a', 'b'",
        "[true*.\"a\".\"b\"] false",
        "never \"a !1\" after \"b\"",
    ]
    .map(str::to_owned)
    .to_vec()
}

fn budget() -> Budget {
    Budget::unlimited().with_timeout(Duration::from_secs(5))
}

fn read_model(text: &str) -> String {
    let options = LoadOptions { budget: budget(), ..LoadOptions::default() };
    let folder = root();
    let read = |path: &Path| fs::read_to_string(folder.join(path));
    let loaded = load_text_with("specs/m\u{1b}[1m.sts", text, &options, &read);
    printed(&loaded.diagnostics, &loaded.sources)
}

fn read_library(text: &str) -> String {
    let loaded = check_library_text("l.pred", text, &|_| Err(std::io::ErrorKind::NotFound.into()));
    printed(&loaded.diagnostics, &loaded.sources)
}

fn read_process(text: &str) -> String {
    let loaded = process::load_text("p.lnt", text, None, &budget());
    printed(&loaded.mistakes, &loaded.sources)
}

fn read_property(text: &str) -> String {
    let mut sources = SourceMap::new();
    let source = sources.add("property", text);
    property::parse(source, text).map_or_else(|found| printed(&found, &sources), |_| String::new())
}

fn read_aut(text: &str) -> String {
    match aut::read(text.as_bytes(), "s.aut", Read::default(), &budget()) {
        Err(ReadError::Mistakes(found, sources)) => printed(&found, &sources),
        Err(ReadError::Exhausted(_)) | Ok(_) => String::new(),
    }
}

fn read_trace(model: &Model, text: &str) -> String {
    match from_itf(model, text) {
        Ok(trace) => to_text(model, &trace, &TextOptions::default()),
        Err(error) => printed(
            &[Diagnostic::error_without_place(error.to_string()).with_help(error.help())],
            &SourceMap::new(),
        ),
    }
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

fn first(folder: &str, ending: &str) -> PathBuf {
    files(folder, ending).swap_remove(0)
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
