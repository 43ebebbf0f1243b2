//! The properties of branching time of `specs/`, as in table I of *Extracting counterexamples from transitive-closure-based
//! model checking* (2019): parts of so many states, all states, and the smallest counterexample.
//!
//! `cargo bench --bench ctl`, or a part: `cargo bench --bench ctl -- extraction`.

use cladist::budget::Budget;
use cladist::ctl::{
    CtlBuilder, CtlGoal, EvidenceForm, EvidenceOutcome, ListedTruth, ModelFormula, PathFairness, Searched,
    Structure, SymbolicModel, any_subgraph, check, formula_of_model,
};
use cladist::explore::reachable;
use cladist::model::{Model, PropertyKind, load};
use cladist::sat::{Backend, Circuit};
use divan::Bencher;
use std::path::Path;

/// Model, property, constants, and the scope of the table.
const ROWS: &[&str] = &[
    "musical_chairs wins PLAYERS=4 11",
    "musical_chairs wins PLAYERS=4 12",
    "traffic_lights safety - 18",
    "traffic_lights liveness - 18",
    "mutual_exclusion safety - 10",
    "mutual_exclusion safety - 14",
    "musical_chairs settled PLAYERS=3 12",
    "traffic_lights settles - 12",
    "reliable_data_transfer safety - 10",
    "reliable_data_transfer liveness - 10",
    "mutual_exclusion settled - 14",
    "mutual_exclusion safety PROCESSES=4 24",
    "musical_chairs settled PLAYERS=4 24",
];

fn main() {
    divan::main();
}

struct Row {
    model: Model,
    formula: ModelFormula,
    scope: usize,
}

fn row(text: &str) -> Row {
    let [name, property, constants, scope] = text.split(' ').collect::<Vec<_>>()[..] else {
        panic!("{text} has four parts")
    };
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("specs").join(name).with_extension("sts");
    let overrides: Vec<(String, String)> =
        constants.split_once('=').map(|(n, v)| (n.to_owned(), v.to_owned())).into_iter().collect();
    let model = load(&path, &overrides).model.expect("the models of specs/ are right");
    let property = model.property(property).expect("a property");
    let PropertyKind::Ctl(body) = &model.properties[property].kind else { panic!("{text} is about ctl") };
    let formula =
        formula_of_model(body, &PathFairness::default(), |e, _| model.sources.snippet(e.span).to_owned());
    Row { formula, scope: scope.parse().expect("a number"), model }
}

fn circuit() -> Circuit {
    Circuit::new(Backend::Cadical.start(&Budget::unlimited()))
}

/// One question about parts of at most so many states, without looking for a small one.
#[divan::bench(args = ROWS, sample_count = 5)]
fn scope(bencher: Bencher, text: &str) {
    let Row { model, formula, scope } = row(text);
    let goal = CtlGoal::new(&formula.formula, false);
    bencher.bench_local(|| {
        let space = SymbolicModel::new(&model, &formula.formula, &goal, &formula.labels, circuit());
        assert!(any_subgraph(space, &goal.formula, scope).expect("no limits").is_some());
    });
}

/// All states, listed and evaluated.
#[divan::bench(args = ROWS, sample_count = 5)]
fn all_states(bencher: Bencher, text: &str) {
    let Row { model, formula, .. } = row(text);
    let budget = Budget::unlimited();
    bencher.bench_local(|| {
        let reached = reachable(&model, 1_000_000, &budget);
        let (structure, labels) = formula.structure(&model, &reached, &budget).expect("no limits");
        let truth = check(&formula.formula, &structure, &labels, &budget).expect("no limits");
        assert!(!truth.holds(formula.formula.root, structure.initial[0]));
    });
}

/// The smallest counterexample, after that.
#[divan::bench(args = ROWS, sample_count = 5)]
fn extraction(bencher: Bencher, text: &str) {
    let Row { model, formula, .. } = row(text);
    let budget = Budget::unlimited();
    let reached = reachable(&model, 1_000_000, &budget);
    let (structure, labels) = formula.structure(&model, &reached, &budget).expect("no limits");
    let listed = ListedTruth::new(&formula.formula, &structure, &labels, &budget).expect("no limits");
    bencher.bench_local(|| {
        let found = listed.show(EvidenceForm::PathOrSubgraph, Backend::Cadical, &budget);
        assert!(matches!(found, EvidenceOutcome::Shown(_)));
    });
}

/// A lasso as long as its system is large: `AF false` on a ring.
#[divan::bench(args = [1000, 5000, 100_000])]
fn ring(bencher: Bencher, states: usize) {
    let edges: Vec<(usize, usize)> = (0..states).map(|at| (at, (at + 1) % states)).collect();
    let structure = Structure::small(states, &edges);
    let mut builder = CtlBuilder::new();
    let yes = builder.yes();
    let always = builder.exists_always(yes, Vec::new());
    let root = builder.not(always);
    let (formula, budget) = (builder.finish(root), Budget::unlimited());
    let listed = ListedTruth::new(&formula, &structure, &[], &budget).expect("no limits");
    bencher.bench_local(|| {
        let Searched::Done(found) = listed.search(EvidenceForm::PathOrSubgraph, &budget) else {
            panic!("graph search proves that it is shortest")
        };
        found
    });
}
