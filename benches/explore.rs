//! Listing all states of a model and all steps between them: counters that go round independently, a model of `specs/`, and
//! numbers that jump, with hundreds of labels.
//!
//! `cargo bench --bench explore`.

use cladist::budget::Budget;
use cladist::explore::{Labelling, ReachabilityResult, StateSpace, state_space, visit};
use cladist::model::{Model, load, load_text};
use divan::Bencher;
use divan::counter::ItemsCount;
use std::io::ErrorKind;

/// More states than any of the models has.
const LIMIT: usize = 2_000_000;

fn main() {
    divan::main();
}

fn of_text(text: &str) -> Model {
    let loaded = load_text("counters.sts", text, &[], &|_| Err(ErrorKind::NotFound.into()));
    loaded.model.expect("a model without errors")
}

/// So many counters from 0 to 9, with one action each.
fn counters(count: u32) -> Model {
    let mut text = String::from("model counters;\n");
    for n in 1..=count {
        text += &format!("var c{n} : 0..9;\ninit {{ c{n} = 0; }}\n");
        text += &format!("action step{n} {{ c{n}' = (c{n} + 1) mod 10; }}\n");
    }
    of_text(&(text + "invariant small: c1 <= 9;\n"))
}

/// Two numbers below 150, each of which can go up by any number that leaves it below 150: 298 labels.
fn jumps() -> Model {
    let mut text = String::from("model jumps;\n");
    for n in ["a", "b"] {
        text += &format!("var {n} : 0..149;\ninit {{ {n} = 0; }}\n");
        text += &format!("action {n}_by(d: 1..149) {{ require {n} + d <= 149; {n}' = {n} + d; }}\n");
    }
    of_text(&text)
}

/// The labelled transition system, as `export aut` writes it.
fn list(bencher: Bencher, model: &Model) {
    let labelling = Labelling { arguments: true, visible: vec![true; model.actions.len()] };
    let explored = StateSpace::of(model, LIMIT, &Budget::unlimited());
    assert!(explored.stopped.is_none());
    let steps = explored.steps();
    bencher.counter(ItemsCount::new(steps)).bench_local(|| {
        let space = StateSpace::of(model, LIMIT, &Budget::unlimited());
        assert_eq!(space.steps(), steps);
        state_space(model, space, &labelling, &Budget::unlimited()).expect("no limit")
    });
}

#[divan::bench(args = [4, 5, 6], sample_count = 5)]
fn steps(bencher: Bencher, count: u32) {
    list(bencher, &counters(count));
}

/// 22,500 states with up to 298 steps each.
#[divan::bench(sample_count = 3)]
fn many_labels(bencher: Bencher) {
    list(bencher, &jumps());
}

/// 23,841 states with queues of messages.
#[divan::bench(sample_count = 5)]
fn ring_election(bencher: Bencher) {
    let model = load("specs/ring_election.sts".as_ref(), &[]).model.expect("a model without errors");
    list(bencher, &model);
}

/// The states alone, each held against the invariant.
#[divan::bench(args = [4, 5, 6], sample_count = 5)]
fn invariant(bencher: Bencher, count: u32) {
    let model = counters(count);
    let invariant = model.properties[0].invariant().expect("an invariant");
    let states = 10usize.pow(count);
    bencher.counter(ItemsCount::new(states * count as usize)).bench_local(|| {
        assert_eq!(visit(&model, invariant, LIMIT, &Budget::unlimited()), ReachabilityResult::Holds(states));
    });
}
