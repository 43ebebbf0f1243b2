//! Listing all states of a model and all steps between them: counters that go round independently.
//!
//! `cargo bench --bench explore`.

use cladist::budget::Budget;
use cladist::explore::{Labelling, Space, Visited, state_space, visit};
use cladist::model::{Model, load_text};
use divan::Bencher;
use divan::counter::ItemsCount;
use std::io::ErrorKind;

/// More states than any of the models has.
const LIMIT: usize = 2_000_000;

fn main() {
    divan::main();
}

/// So many counters from 0 to 9, with one action each.
fn counters(count: u32) -> Model {
    let mut text = String::from("model counters;\n");
    for n in 1..=count {
        text += &format!("var c{n} : 0..9;\ninit {{ c{n} = 0; }}\n");
        text += &format!("action step{n} {{ c{n}' = (c{n} + 1) mod 10; }}\n");
    }
    text += "invariant small: c1 <= 9;\n";
    let loaded = load_text("counters.sts", &text, &[], &|_| Err(ErrorKind::NotFound.into()));
    loaded.model.expect("a model without errors")
}

/// The labelled transition system, as `export aut` writes it.
#[divan::bench(args = [4, 5, 6], sample_count = 5)]
fn steps(bencher: Bencher, count: u32) {
    let model = counters(count);
    let labelling = Labelling { arguments: true, visible: vec![true; model.actions.len()] };
    let states = 10usize.pow(count);
    bencher.counter(ItemsCount::new(states * count as usize)).bench_local(|| {
        let space = Space::of(&model, LIMIT, &Budget::unlimited());
        assert_eq!(space.len(), states);
        state_space(&model, space, &labelling)
    });
}

/// The states alone, each held against the invariant.
#[divan::bench(args = [4, 5, 6], sample_count = 5)]
fn invariant(bencher: Bencher, count: u32) {
    let model = counters(count);
    let invariant = model.properties[0].invariant().expect("an invariant");
    let states = 10usize.pow(count);
    bencher.counter(ItemsCount::new(states * count as usize)).bench_local(|| {
        assert_eq!(visit(&model, invariant, LIMIT, &Budget::unlimited()), Visited::Holds(states));
    });
}
