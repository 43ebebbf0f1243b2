//! A classification says the same whatever the order in which solvers search, whichever solver it is, and, where
//! nothing new happens, whatever the bound.

use crate::random::cases;
use crate::random_model;

use cladist::budget::Budget;
use cladist::classify::{Classification, Options, Problem, classify};
use cladist::model::{Model, load};
use cladist::sat::Backend;
use cladist::trace::Trace;
use cladist::unroll::Lengths;
use random_model::random_model;
use std::path::Path;

const BACKENDS: [Backend; 2] = [Backend::Cadical, Backend::Varisat];

fn spec(name: &str) -> Model {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("specs").join(name).with_extension("sts");
    load(&path, &[]).model.expect("no mistakes")
}

fn run(model: &Model, vocabulary: &str, lengths: Lengths, backend: Backend, seed: u64) -> Classification {
    let options =
        Options { keep_redundant: true, seed, backend, check_backend: backend, ..Options::of(lengths) };
    let vocabulary = model.vocabularies.iter().find(|v| v.name == vocabulary).expect("a vocabulary");
    let problem = Problem::first(model).expect("an invariant");
    classify(problem, vocabulary, &options, &Budget::unlimited(), &mut ())
}

/// All that is shown of the classes.
type Shown = Vec<(String, Trace, Option<Trace>, Vec<Trace>, bool)>;

fn shown(model: &Model, result: &Classification) -> (String, Shown) {
    let classes = result.classes.iter().map(|c| {
        let traces = (c.representative.clone(), c.canonical.clone(), c.needed.clone());
        (c.constraint.show(model, &result.atoms), traces.0, traces.1, traces.2, c.redundant)
    });
    (format!("{:?}", std::mem::discriminant(&result.verdict)), classes.collect())
}

#[test]
fn every_seed_and_solver_gives_the_same_result() {
    let names =
        ["running_example", "increment_decrement", "ns_public_key", "ns_symmetric", "tcp_handshake", "mutex"];
    for name in names {
        let model = spec(name);
        for vocabulary in &model.vocabularies {
            let results = [0, 1, 7].into_iter().flat_map(|seed| BACKENDS.map(|backend| (seed, backend)));
            let mut results = results.map(|(seed, backend)| {
                (seed, backend, run(&model, &vocabulary.name, Lengths::UpTo(7), backend, seed))
            });
            let (_, _, first) = results.next().expect("there are some");
            for (seed, backend, result) in results {
                let at = format!("{name} {}, seed {seed}, {backend}", vocabulary.name);
                assert_eq!(shown(&model, &first), shown(&model, &result), "{at}");
            }
        }
    }
}

#[test]
fn a_greater_bound_gives_the_same_classes_where_nothing_new_happens() {
    for (name, vocabulary, bounds) in [
        ("running_example", "messages", [3, 7, 12]),
        ("mutex", "courses", [8, 10, 13]),
        ("tcp_handshake", "ways", [11, 13, 14]),
        ("ns_public_key", "labels", [12, 14, 16]),
        ("ns_symmetric", "labels", [14, 15, 16]),
    ] {
        let model = spec(name);
        let constraints = |bound: usize, seed: u64| -> Vec<String> {
            let result = run(&model, vocabulary, Lengths::UpTo(bound), Backend::Cadical, seed);
            result
                .classes
                .iter()
                .filter(|c| !c.redundant)
                .map(|c| c.constraint.show(&model, &result.atoms))
                .collect()
        };
        let first = constraints(bounds[0], 0);
        assert!(!first.is_empty());
        for bound in &bounds[1..] {
            assert_eq!(constraints(*bound, *bound as u64), first, "{name} {vocabulary}, bound {bound}");
        }
    }
}

#[test]
fn random_models_have_the_same_classes_for_every_seed() {
    let mut several = 0;
    for number in 0..cases(100) {
        let model = random_model(number);
        let vocabulary = model.vocabularies[0].name.clone();
        let lengths = Lengths::UpTo(2 + (number % 3) as usize);
        let first = run(&model, &vocabulary, lengths, Backend::Cadical, 0);
        several += usize::from(first.classes.len() > 1);
        for backend in BACKENDS {
            let other = run(&model, &vocabulary, lengths, backend, number + 1);
            assert_eq!(shown(&model, &first), shown(&model, &other), "model {number}, {backend}");
        }
    }
    assert!(several > 2, "{several} models with several classes say little");
}
