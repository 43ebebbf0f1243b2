//! Random behaviours: what they generate against a naive interpreter, their bugs against the definition.

mod process_common;

use cladist::budget::Budget;
use cladist::diagnostics::SourceId;
use cladist::lts::property::parse;
use cladist::lts::{Builder, Lts};
use cladist::process::bugs::{Limits, Verdict, count};
use process_common::naive::{T, behaviours, explore, text};
use process_common::{bisimilar, program, system};
use proptest::prelude::*;
use std::collections::BTreeSet;

type Rows = Vec<Vec<(String, Vec<u32>, usize)>>;

fn lts(rows: &Rows) -> Lts {
    let mut builder = Builder::new();
    for (from, row) in rows.iter().enumerate() {
        for (label, _, to) in row {
            let label = builder.labels.intern(label.as_bytes());
            builder.add(from as u32, label, *to as u32);
        }
    }
    builder.finish(0, rows.len() as u32)
}

/// `[true* . A . true* . C] false`: 0 before A, 1 after it, 2 when it is violated.
fn after(phase: u8, label: &str) -> u8 {
    match (phase, label) {
        (0, "A") => 1,
        (1, "C") => 2,
        (phase, _) => phase,
    }
}

/// Whether some maximal run of a system without loops has no violation; `without` is left out of it.
fn avoids(rows: &Rows, state: usize, phase: u8, without: &str) -> bool {
    let mut steps = rows[state].iter().filter(|(label, ..)| label != without).peekable();
    if phase == 2 {
        return false;
    }
    steps.peek().is_none() || steps.any(|(label, _, to)| avoids(rows, *to, after(phase, label), without))
}

/// The actions that make first violations.
fn makers(rows: &Rows, state: usize, phase: u8, found: &mut BTreeSet<u32>, seen: &mut BTreeSet<(usize, u8)>) {
    if phase == 2 || !seen.insert((state, phase)) {
        return;
    }
    for (label, who, to) in &rows[state] {
        if after(phase, label) == 2 {
            found.extend(who);
        }
        makers(rows, *to, after(phase, label), found, seen);
    }
}

/// Each occurrence of a last action in the order of the text, with its verdict by definition.
fn by_definition(t: &T) -> Option<Vec<Verdict>> {
    let mut dummies = BTreeSet::new();
    let rows = loop {
        let rows = explore(t, &dummies, 2000)?;
        // Without an A among the labels, C is no last one.
        let violable = rows.iter().flatten().any(|(label, ..)| label == "A");
        let steps = rows.iter().flatten().filter(|(label, ..)| violable && label == "C");
        let found: BTreeSet<u32> = steps.flat_map(|(_, who, _)| who.clone()).collect();
        if found.is_subset(&dummies) {
            break rows;
        }
        dummies.extend(found);
    };
    let mut bugs = BTreeSet::new();
    makers(&rows, 0, 0, &mut bugs, &mut BTreeSet::new());
    let mut plain = BTreeSet::new();
    let original = explore(t, &BTreeSet::new(), 2000)?;
    makers(&original, 0, 0, &mut plain, &mut BTreeSet::new());
    let verdict = |id: &u32| match () {
        // Where the property holds there is nothing to correct.
        () if plain.is_empty() || !bugs.contains(id) => Verdict::None,
        () if avoids(&rows, 0, 0, &format!("DUMMY {id}")) => Verdict::Avoidable,
        () => Verdict::Inevitable,
    };
    Some(dummies.iter().map(verdict).collect())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn texts_generate_what_a_naive_interpreter_finds(t in behaviours(true, true)) {
        let mut t = t;
        let text = text(&mut t);
        if let Some(rows) = explore(&t, &BTreeSet::new(), 3000) {
            prop_assert!(bisimilar(&system(&text), &lts(&rows)), "{}", text);
        }
    }

    #[test]
    fn bugs_are_those_of_the_definition(t in behaviours(false, false)) {
        let mut t = t;
        let text = text(&mut t);
        let Some(expected) = by_definition(&t) else { return Ok(()) };
        let property = parse(SourceId::default(), "[ true* . A . true* . C ] false").expect("a property");
        let limits = Limits { most_states: 100_000, longest: 20 };
        let found = count(&program(&text), &property, limits, &Budget::unlimited(), |_| {}).expect("a result");
        let verdicts: Vec<Verdict> = found.occurrences.iter().map(|o| o.verdict).collect();
        prop_assert_eq!(&verdicts, &expected, "{}", &text);
        // Probabilities of first violations are those of a run.
        let sum: f64 = found.occurrences.iter().filter_map(|o| o.rank.as_ref()).map(|r| r.probability).sum();
        prop_assert!(sum >= 0.0);
        for occurrence in found.occurrences.iter().filter(|o| o.verdict != Verdict::None) {
            prop_assert!(occurrence.way.is_some());
        }
    }
}
