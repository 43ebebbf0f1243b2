//! Random behaviours: what they generate against a naive interpreter, their bugs against the definition.

mod process_common;

use cladist::budget::Budget;
use cladist::diagnostics::SourceId;
use cladist::lts::Sequence;
use cladist::lts::property::parse;
use cladist::lts::{Builder, Lts};
use cladist::process::bugs::{Kind, Limits, Verdict, count, escapes};
use cladist::process::program::Op;
use process_common::naive::{Rows, T, behaviours, explore, text};
use process_common::{bisimilar, program, system};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

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

/// How much of A, then B, has come.
fn come(before: usize, label: &str) -> usize {
    before + usize::from(before < 2 && label == ["A", "B"][before])
}

/// Whether one place can be reached from another one through places of a kind.
fn reaches(
    rows: &Rows,
    from: (usize, usize),
    is_end: &dyn Fn((usize, usize)) -> bool,
    through: &dyn Fn((usize, usize)) -> bool,
) -> bool {
    let (mut seen, mut open) = (BTreeSet::from([from]), vec![from]);
    while let Some((state, before)) = open.pop() {
        if is_end((state, before)) {
            return true;
        }
        for (label, _, to) in &rows[state] {
            let place = (*to, come(before, label));
            if through(place) && seen.insert(place) {
                open.push(place);
            }
        }
    }
    false
}

/// What each action does to A, then B, by definition; and whether every maximal run has them.
fn escapes_by_definition(rows: &Rows) -> (BTreeMap<Option<u32>, Kind>, bool) {
    let is_open = |place| reaches(rows, place, &|(_, come)| come == 2, &|_| true);
    let mut found: BTreeMap<Option<u32>, Kind> = BTreeMap::new();
    let (mut seen, mut queue) = (BTreeSet::from([(0, 0)]), vec![(0, 0)]);
    while let Some((state, before)) = queue.pop() {
        for (label, who, to) in &rows[state] {
            let after = (*to, come(before, label));
            if seen.insert(after) {
                queue.push(after);
            }
            let on_loop = || {
                let same = |(s, c): (usize, usize)| c == before && is_open((s, c));
                after.1 == before && reaches(rows, after, &|place| place == (state, before), &same)
            };
            let kind = match () {
                () if before == 2 || !is_open((state, before)) => continue,
                () if !is_open(after) => Kind::Loses,
                () if on_loop() => Kind::Postpones,
                () => continue,
            };
            let ids: Vec<Option<u32>> =
                if who.is_empty() { vec![None] } else { who.iter().copied().map(Some).collect() };
            for id in ids {
                let known = found.entry(id).or_insert(kind);
                *known = kind.max(*known);
            }
        }
    }
    // A run without them ends somewhere, or goes on for ever: what must come to an end with them is taken away.
    let mut without: BTreeSet<(usize, usize)> = seen.iter().copied().filter(|place| place.1 < 2).collect();
    loop {
        let stays = |&(state, before): &(usize, usize)| {
            rows[state].is_empty()
                || rows[state].iter().any(|(label, _, to)| without.contains(&(*to, come(before, label))))
        };
        let next: BTreeSet<(usize, usize)> = without.iter().copied().filter(stays).collect();
        if next == without {
            return (found, !without.contains(&(0, 0)));
        }
        without = next;
    }
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
        let found = count(&program(&text), &property, limits, &Budget::unlimited()).expect("a result");
        let verdicts: Vec<Verdict> = found.occurrences.iter().map(|o| o.verdict).collect();
        prop_assert_eq!(&verdicts, &expected, "{}", &text);
        // Probabilities of first violations are those of a run.
        let sum: f64 = found.occurrences.iter().filter_map(|o| o.rank.as_ref()).map(|r| r.probability).sum();
        prop_assert!(sum >= 0.0);
        for occurrence in found.occurrences.iter().filter(|o| o.verdict != Verdict::None) {
            prop_assert!(occurrence.way.is_some());
        }
    }

    #[test]
    fn escapes_are_those_of_the_definition(t in behaviours(false, true)) {
        let mut t = t;
        let text = text(&mut t);
        let Some(rows) = explore(&t, &BTreeSet::new(), 300) else { return Ok(()) };
        let (expected, holds) = escapes_by_definition(&rows);
        let program = program(&text);
        let sequence = Sequence::parse(SourceId::default(), "A,B").expect("actions");
        let found = escapes(&program, &sequence, 100_000, &Budget::unlimited()).expect("a result");
        prop_assert_eq!(found.holds(), holds, "{}", &text);
        let mut actions: Vec<u32> = program
            .code
            .iter()
            .filter(|code| matches!(code.op, Op::Act(_)))
            .map(|code| code.span.start)
            .collect();
        actions.sort_unstable();
        let own: BTreeMap<Option<u32>, Kind> = found
            .escapes
            .iter()
            .map(|escape| {
                let id = escape.place.map(|span| actions.iter().position(|&at| at == span.start));
                (id.flatten().map(|id| id as u32), escape.kind)
            })
            .collect();
        let possible = reaches(&rows, (0, 0), &|(_, come)| come == 2, &|_| true);
        prop_assert_eq!(found.possible, possible);
        prop_assert_eq!(own, expected, "{}", &text);
    }
}
