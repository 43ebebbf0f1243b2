//! Systems and properties for tests: from texts, from the data of `CLADIST_TEST_DATA`, and random ones with
//! the meaning of a property written down a second time.
#![allow(dead_code, reason = "each test uses a part of it")]

pub mod pairs;
pub mod philosophers;

use cladist::budget::Budget;
use cladist::diagnostics::SourceId;
use cladist::lts::aut::{ReadError, ReadOptions, read};
use cladist::lts::property::{Closure, ForbiddenTraces, LabelAutomaton};
use cladist::lts::{LabelSequence, Lts, LtsBuilder, Sequence, StateId};
use cladist::mucalc::parse_property;
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// The folder with real systems, if there is one.
pub fn data() -> Option<PathBuf> {
    let folder = std::env::var_os("CLADIST_TEST_DATA").filter(|value| !value.is_empty());
    if folder.is_none() {
        eprintln!("skipped: CLADIST_TEST_DATA is not set");
    }
    folder.map(PathBuf::from)
}

/// A state by its number.
pub fn state(number: u32) -> StateId {
    StateId::from_u32(number)
}

/// Reads AUT.
pub fn try_read(text: &[u8], lenient: bool) -> Result<Lts, ReadError> {
    read(text, "test.aut", ReadOptions { lenient, ..ReadOptions::default() }, &Budget::unlimited())
}

/// Reads AUT that is right.
pub fn system(text: &str) -> Lts {
    try_read(text.as_bytes(), false).expect("a system")
}

/// Reads a file of the data.
pub fn file(path: &std::path::Path) -> Lts {
    try_read(&std::fs::read(path).expect("readable"), false).expect("a system")
}

/// Reads a property that is right.
pub fn property(text: &str) -> ForbiddenTraces {
    parse_property(SourceId::default(), text).unwrap_or_else(|mistakes| panic!("{text}: {mistakes:?}"))
}

/// The automaton of a property.
pub fn automaton(text: &str, lts: &Lts, closure: Closure) -> LabelAutomaton {
    LabelAutomaton::new(&property(text), lts.labels(), closure).expect("a small automaton")
}

/// A sequence of actions.
pub fn actions(text: &str, lts: &Lts) -> LabelSequence {
    Sequence::parse(SourceId::default(), text).expect("actions").over(lts.labels())
}

/// A regular formula over the labels A, B, C as a tree of its own, whose meaning is by partial derivatives.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Formula {
    /// The empty word.
    Empty,
    /// A set of labels.
    Action(BTreeSet<char>),
    /// One after the other.
    Then(Box<Formula>, Box<Formula>),
    /// One of both.
    Or(Box<Formula>, Box<Formula>),
    /// Any number of times.
    Star(Box<Formula>),
}

impl Formula {
    /// Whether the empty word is meant.
    pub fn nullable(&self) -> bool {
        match self {
            Formula::Empty | Formula::Star(_) => true,
            Formula::Action(_) => false,
            Formula::Then(a, b) => a.nullable() && b.nullable(),
            Formula::Or(a, b) => a.nullable() || b.nullable(),
        }
    }

    /// What may follow a label.
    pub fn after(&self, label: char) -> BTreeSet<Formula> {
        let then = |parts: BTreeSet<Formula>, rest: &Formula| {
            parts.into_iter().map(|p| Formula::Then(Box::new(p), Box::new(rest.clone()))).collect()
        };
        match self {
            Formula::Empty => BTreeSet::new(),
            Formula::Action(labels) if labels.contains(&label) => BTreeSet::from([Formula::Empty]),
            Formula::Action(_) => BTreeSet::new(),
            Formula::Then(a, b) => {
                let mut parts: BTreeSet<Formula> = then(a.after(label), b);
                if a.nullable() {
                    parts.extend(b.after(label));
                }
                parts
            }
            Formula::Or(a, b) => a.after(label).into_iter().chain(b.after(label)).collect(),
            Formula::Star(a) => then(a.after(label), self),
        }
    }

    /// As a property has it.
    pub fn text(&self) -> String {
        match self {
            Formula::Empty => "(false*)".into(),
            Formula::Action(labels) => match labels.len() {
                0 => "false".into(),
                3 => "true".into(),
                2 => {
                    let other = ['A', 'B', 'C'].into_iter().find(|c| !labels.contains(c));
                    format!("(not {})", other.expect("one is missing"))
                }
                _ => labels.iter().map(char::to_string).collect::<Vec<_>>().join(" or "),
            },
            Formula::Then(a, b) => format!("({} . {})", a.text(), b.text()),
            Formula::Or(a, b) => format!("({} | {})", a.text(), b.text()),
            Formula::Star(a) => format!("({})*", a.text()),
        }
    }
}

/// Random formulas.
pub fn formulas() -> impl Strategy<Value = Formula> {
    let labels = prop::collection::btree_set(prop::sample::select(vec!['A', 'B', 'C']), 1..=3);
    let leaf = prop_oneof![
        6 => labels.prop_map(Formula::Action),
        1 => Just(Formula::Star(Box::new(Formula::Action(BTreeSet::from(['A', 'B', 'C']))))),
    ];
    leaf.prop_recursive(4, 10, 2, |inner| {
        prop_oneof![
            4 => (inner.clone(), inner.clone()).prop_map(|(a, b)| Formula::Then(Box::new(a), Box::new(b))),
            1 => (inner.clone(), inner.clone()).prop_map(|(a, b)| Formula::Or(Box::new(a), Box::new(b))),
            1 => inner.prop_map(|a| Formula::Star(Box::new(a))),
        ]
    })
}

/// Transitions of a random system over A, B, C with its initial state; nondeterminism, loops, unreachable
/// states and deadlocks included.
pub fn triples(states: u32) -> impl Strategy<Value = (u32, Vec<(u32, char, u32)>)> {
    let label = prop::sample::select(vec!['A', 'B', 'C']);
    let transition = (0..states, label, 0..states);
    (0..states, prop::collection::vec(transition, 0..(3 * states as usize)))
}

/// The system with these transitions.
pub fn build(initial: u32, triples: &[(u32, char, u32)]) -> Lts {
    let mut builder = LtsBuilder::new();
    // All labels are there, so that a property always speaks of labels that exist.
    "ABC".chars().for_each(|c| _ = builder.labels.intern(c.to_string().as_bytes()));
    for &(from, label, to) in triples {
        let label = builder.labels.intern(label.to_string().as_bytes());
        builder.add(state(from), label, state(to));
    }
    builder.finish(state(initial), 0)
}
