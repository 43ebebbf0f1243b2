//! Tests of `engines::explore::graph`.

use engines::explore::graph::*;
use engines::explore::limits::Stop;
use engines::explore::space::StateSpace;
use engines::explore::{Labelling, state_space};
use kit::budget::{Budget, Exhausted};
use lang::model::{Model, load_text};
use std::io::ErrorKind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Three states, the first two with 40,000 labels each.
fn wide() -> Model {
    let text = "model wide; var n: 0..2; init { n = 0; } \
                action go(x: 0..199, y: 0..199) { require n < 2; n' = n + 1; }";
    let loaded = load_text("wide.sts", text, &[], &|_| Err(ErrorKind::NotFound.into()));
    loaded.model.expect("no mistakes")
}

/// A budget that ends at the given look at it while this is counted.
fn ends_at(look: u64, what: &'static str) -> Budget {
    let flag = Arc::new(AtomicBool::new(false));
    let raised = Arc::clone(&flag);
    let looks = AtomicU64::new(1);
    Budget::unlimited().with_interrupt_flag(flag).watched(move |stage| {
        let looked = if stage.what == what { looks.fetch_add(1, Ordering::Relaxed) } else { 0 };
        raised.store(looked >= look, Ordering::Relaxed);
    })
}

#[test]
fn what_is_made_of_listed_states_ends_with_the_budget() {
    let model = wide();
    let why = Exhausted::Interrupt;
    let explored = || StateSpace::of(&model, 10, &Budget::unlimited());
    let graph = Graph::explore(&model, None, 10, &ends_at(2, "steps listed"));
    assert_eq!(graph.err(), Some(Stop::Budget(why)));
    let labelling = Labelling { arguments: true, visible: vec![true] };
    let named = state_space(&model, explored(), &labelling, &ends_at(2, "labels named"));
    assert_eq!(named.err(), Some(why));
    for (look, states) in [(1, 0), (2, 0), (4, 0), (u64::MAX, 3)] {
        let reached = explored().into_reachable(&ends_at(look, "steps listed"));
        assert_eq!(reached.explored, states, "{look}");
        assert_eq!(reached.edges.len(), states.min(2) * 40_000, "{look}");
        assert_eq!(reached.complete(), states == 3, "{look}");
    }
}
