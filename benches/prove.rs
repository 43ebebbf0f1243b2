//! Proofs for traces of every length on the models of `specs/`, those that hold: IC3 on both back ends,
//! k-induction, and both methods together; each with its certificate checked again by the other back end.
//!
//! `cargo bench --bench prove`, or a part: `cargo bench --bench prove -- ic3`.

use cladist::budget::Budget;
use cladist::model::{Model, load};
use cladist::prove::{AlwaysHolds, Method, ObservedModel, ProofEffort, ProofResult, prove};
use cladist::sat::Backend;
use divan::Bencher;
use std::path::Path;

/// The models with the constants that make them right.
const MODELS: &[&str] = &[
    "mutex FIXED=true",
    "ns_public_key LOWE_FIX=true",
    "ns_symmetric TIMESTAMPS=true",
    "tcp_handshake ATTACKER=false",
    "token_ring NODES=8",
    "token_ring NODES=16",
    "token_ring NODES=24",
];

fn main() {
    divan::main();
}

fn model(name: &str) -> Model {
    let (name, set) = name.split_once(' ').expect("a name and a constant");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("specs").join(name).with_extension("sts");
    let (constant, value) = set.split_once('=').expect("a constant with its value");
    let loaded = load(&path, &[(constant.to_owned(), value.to_owned())]);
    loaded.model.expect("the models of specs/ are right")
}

fn run(bencher: Bencher, name: &str, method: Method, backend: Backend) {
    let model = model(name);
    let watch = AlwaysHolds(model.properties[0].invariant().expect("an invariant"));
    let system = ObservedModel::new(&model, &watch);
    let budget = Budget::unlimited();
    bencher.bench_local(|| {
        let proof = prove(&system, method, ProofEffort { backend, budget: &budget, observer: &mut () });
        assert!(matches!(proof, ProofResult::Holds(_)));
    });
}

#[divan::bench(args = MODELS)]
fn ic3(bencher: Bencher, name: &str) {
    run(bencher, name, Method::Ic3, Backend::Cadical);
}

#[divan::bench(args = MODELS)]
fn ic3_varisat(bencher: Bencher, name: &str) {
    run(bencher, name, Method::Ic3, Backend::Varisat);
}

#[divan::bench(args = MODELS)]
fn k_induction_then_ic3(bencher: Bencher, name: &str) {
    run(bencher, name, Method::Both, Backend::Cadical);
}

/// The others need too large a k.
#[divan::bench(args = ["mutex FIXED=true", "tcp_handshake ATTACKER=false"])]
fn k_induction(bencher: Bencher, name: &str) {
    run(bencher, name, Method::Induction, Backend::Cadical);
}
