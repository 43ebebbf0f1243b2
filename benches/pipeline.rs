//! The stages of the main job, each by itself, on the models of `specs/`: parse, load, unroll, first
//! counterexample, facts, minimise, block, whole classification; and counting violating traces.
//!
//! `cargo bench --bench pipeline`, or a part: `cargo bench --bench pipeline -- whole`.

use cladist::budget::Budget;
use cladist::classify::facts::collect::{Collector, PlacedAtom};
use cladist::classify::oracles::block;
use cladist::classify::oracles::sat::SatOracle;
use cladist::classify::search::draft::{CounterexampleFacts, Orders};
use cladist::classify::search::minimise::Minimiser;
use cladist::classify::{
    Atoms, Constraint, CountMethod, CountQuery, Options, Preference, Problem, Verdict, classify, numbers_by,
};
use cladist::diagnostics::SourceId;
use cladist::model::{Model, Position, load, load_text};
use cladist::sat::{Backend, Circuit};
use cladist::trace::Trace;
use cladist::unroll::{Lengths, Unrolling};
use divan::Bencher;
use std::path::{Path, PathBuf};

/// Needham–Schroeder public key, symmetric, TCP.
const MODELS: &[&str] = &["ns_public_key", "ns_symmetric", "tcp_handshake"];

/// Traces of up to this many steps.
const BOUND: usize = 25;

fn main() {
    divan::main();
}

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("specs").join(name).with_extension("sts")
}

fn model(name: &str) -> Model {
    load(&path(name), &[]).model.expect("the models of specs/ are right")
}

#[divan::bench(args = MODELS)]
fn parse(bencher: Bencher, name: &str) {
    let text = std::fs::read_to_string(path(name)).expect("readable");
    bencher.bench(|| cladist::syntax::parse(SourceId::default(), &text));
}

#[divan::bench(args = MODELS)]
fn load_and_check(bencher: Bencher, name: &str) {
    bencher.bench(|| model(name));
}

/// So many definitions, each of which uses the one before.
#[divan::bench(args = [1_000, 10_000])]
fn load_chain(bencher: Bencher, length: usize) {
    let links =
        (1..=length).map(|n| format!("def d{n}: 0..9 = if x = {} then {} else d{};\n", n % 10, n % 7, n - 1));
    let links: String = links.collect();
    let text = format!(
        "model m;\nvar x : 0..9;\ninit {{ x = 0; }}\naction a {{ require x < 9; x' = x + 1; }}\n\
         def d0: 0..9 = x;\n{links}invariant p: d{length} < 9;\n"
    );
    let none = |_: &Path| Err(std::io::ErrorKind::NotFound.into());
    bencher.bench(|| load_text("chain.sts", &text, &[], &none).model.expect("the model is right"));
}

#[divan::bench(args = MODELS)]
fn unroll(bencher: Bencher, name: &str) {
    let model = model(name);
    bencher.bench(|| {
        let circuit = Circuit::new(Backend::Cadical.start(&Budget::unlimited()));
        let mut unrolling = Unrolling::new(&model, Lengths::UpTo(BOUND), circuit);
        unrolling.grow_to(BOUND).expect("no budget");
        unrolling.circuit.clauses()
    });
}

#[divan::bench(args = MODELS)]
fn first_counterexample(bencher: Bencher, name: &str) {
    let model = model(name);
    let invariant = model.properties[0].invariant().expect("an invariant");
    bencher.bench(|| {
        let lengths = Lengths::UpTo(BOUND);
        cladist::unroll::check(&model, invariant, lengths, Backend::Cadical, &Budget::unlimited(), &mut ())
    });
}

/// A model unrolled to the bound, with a shortest counterexample.
fn prepared<'m>(model: &'m Model, atoms: &'m Atoms) -> (SatOracle<'m>, Trace) {
    let problem = Problem::first(model).expect("an invariant");
    let lengths = Lengths::UpTo(BOUND);
    let mut space = SatOracle::new(problem, atoms, lengths, Backend::Cadical, &Budget::unlimited());
    space.grow_to(BOUND).expect("no budget");
    let trace = (0..=BOUND)
        .find_map(|length| space.counterexample(length, &[]).expect("no budget"))
        .expect("the model is violated");
    (space, trace)
}

fn placed(model: &Model, atoms: &Atoms, trace: &Trace) -> Vec<PlacedAtom> {
    Collector::new(model, model.vocabularies.last().expect("a vocabulary"), atoms)
        .collect(&trace.moments, &Budget::unlimited())
        .expect("no budget")
}

fn minimised(space: &mut SatOracle<'_>, facts: &[PlacedAtom], length: usize) -> Constraint {
    let orders = Orders { before: true, next: false };
    let mut facts = CounterexampleFacts::new(facts.to_vec(), orders, Position::after(length));
    let all = facts.all();
    let draft = Minimiser::new(space, &mut facts, &Preference::default()).run(&all).expect("no budget");
    facts.constraint(&draft).0
}

#[divan::bench(args = MODELS)]
fn facts(bencher: Bencher, name: &str) {
    let model = model(name);
    let (_, trace) = prepared(&model, &Atoms::default());
    bencher.bench(|| placed(&model, &Atoms::default(), &trace));
}

#[divan::bench(args = MODELS, sample_count = 10)]
fn minimise(bencher: Bencher, name: &str) {
    let model = model(name);
    let inputs = || {
        // Leaked, because the space that is handed over borrows it.
        let atoms: &Atoms = Box::leak(Box::default());
        let (space, trace) = prepared(&model, atoms);
        let facts = placed(&model, atoms, &trace);
        (space, trace, facts)
    };
    bencher
        .with_inputs(inputs)
        .bench_local_values(|(mut space, trace, facts)| minimised(&mut space, &facts, trace.len()));
}

#[divan::bench(args = MODELS, sample_count = 10)]
fn block_class(bencher: Bencher, name: &str) {
    let model = model(name);
    let inputs = || {
        let atoms: &Atoms = Box::leak(Box::default());
        let (mut space, trace) = prepared(&model, atoms);
        let facts = placed(&model, atoms, &trace);
        let constraint = minimised(&mut space, &facts, trace.len());
        (space, constraint)
    };
    bencher
        .with_inputs(inputs)
        .bench_local_values(|(mut space, constraint)| block::matched(&mut space, &constraint));
}

#[divan::bench(args = MODELS, consts = [10, 25, 50], sample_count = 5)]
fn whole<const N: usize>(bencher: Bencher, name: &str) {
    bencher_whole(bencher, name, N, Backend::Cadical);
}

#[divan::bench(args = MODELS, consts = [10, 25], sample_count = 5)]
fn whole_with_varisat<const N: usize>(bencher: Bencher, name: &str) {
    bencher_whole(bencher, name, N, Backend::Varisat);
}

fn options(bound: usize, backend: Backend) -> Options {
    Options { backend, check_backend: backend, ..Options::of(Lengths::UpTo(bound)) }
}

fn bencher_whole(bencher: Bencher, name: &str, bound: usize, backend: Backend) {
    let model = model(name);
    let invariant = model.properties[0].invariant().expect("an invariant");
    let options = options(bound, backend);
    bencher.bench_local(|| {
        let vocabulary = &model.vocabularies[0];
        let problem = Problem::new(&model, invariant);
        let result = classify(problem, vocabulary, &options, &Budget::unlimited(), &mut ());
        assert_eq!(result.verdict, Verdict::Complete);
        result.classes.len()
    });
}

/// Numbers of traces with a list of all states, and without one.
#[divan::bench(args = ["ns_public_key", "tcp_handshake", "paper/tcp"])]
fn count_over_a_list(bencher: Bencher, name: &str) {
    bencher_count(bencher, name, CountMethod::List(100_000));
}

#[divan::bench(args = ["ns_public_key", "tcp_handshake", "paper/tcp", "paper/ns_public_key", "paper/ns_symmetric"])]
fn count_over_diagrams(bencher: Bencher, name: &str) {
    bencher_count(bencher, name, CountMethod::Diagrams);
}

fn bencher_count(bencher: Bencher, name: &str, method: CountMethod) {
    let model = model(name);
    let problem = Problem::first(&model).expect("an invariant");
    let options = options(10, Backend::Cadical);
    let budget = Budget::unlimited();
    let result = classify(problem, &model.vocabularies[0], &options, &budget, &mut ());
    let lengths = options.lengths;
    let counted = CountQuery { problem, classes: &result.classes, atoms: &result.atoms, lengths };
    bencher.bench_local(|| numbers_by(method, counted, &budget).expect("few nodes").counts.len());
}
