//! Random behaviours: what they generate against a naive interpreter, their bugs against the definition.

use crate::process_common;

use cladist::budget::Budget;
use cladist::diagnostics::SourceId;
use cladist::lts::bugs::{BugVerdict, Bugs};
use cladist::lts::{Lts, LtsBuilder, Sequence, StateId, quotient};
use cladist::mucalc::parse_property;
use cladist::process::bugs::{CountLimits, EscapeKind, count, count_by_parts, escapes};
use cladist::process::program::BehaviourOp;
use process_common::naive::{Rows, T, behaviours, explore, text};
use process_common::{bisimilar, program, system};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

fn lts(rows: &Rows) -> Lts {
    let mut builder = LtsBuilder::new();
    for (from, row) in rows.iter().enumerate() {
        for (label, _, to) in row {
            let label = builder.labels.intern(label.as_bytes());
            builder.add(StateId::new(from), label, StateId::new(*to));
        }
    }
    builder.finish(StateId::FIRST, rows.len() as u32)
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

/// Each occurrence of a last action in the order of the text, with its verdict by definition and, of a bug, the probability
/// that it makes the first violation of a run.
fn by_definition(t: &T) -> Option<Vec<(BugVerdict, f64)>> {
    let original = explore(t, &BTreeSet::new(), 2000)?;
    let mut plain = BTreeSet::new();
    makers(&original, 0, 0, &mut plain, &mut BTreeSet::new());
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
        if plain.is_empty() {
            // Where the property holds there is nothing to correct.
            return Some(vec![(BugVerdict::None, 0.0); dummies.len()]);
        }
    };
    let mut bugs = BTreeSet::new();
    makers(&rows, 0, 0, &mut bugs, &mut BTreeSet::new());
    let verdict = |id: &u32| match () {
        () if !bugs.contains(id) => BugVerdict::None,
        () if avoids(&rows, 0, 0, &format!("DUMMY {id}")) => BugVerdict::Avoidable,
        () => BugVerdict::Inevitable,
    };
    let probability = probabilities(&original);
    let found = dummies.iter().map(|id| (verdict(id), probability.get(id).copied().unwrap_or_default()));
    Some(found.collect())
}

/// The probability that an action makes the first violation of a run of a system without loops, in which all transitions of a
/// state are equally probable; states that cannot be told apart by labels, and by who does a C, are one.
fn probabilities(rows: &Rows) -> BTreeMap<u32, f64> {
    let mut builder = LtsBuilder::new();
    let mut doers: Vec<BTreeSet<u32>> = Vec::new();
    for (from, row) in rows.iter().enumerate() {
        for (label, who, to) in row {
            let name = if label == "C" { format!("C {who:?}") } else { label.clone() };
            let number = builder.labels.intern(name.as_bytes());
            if number.index() == doers.len() {
                doers.push(who.iter().copied().collect());
            }
            builder.add(StateId::new(from), number, StateId::new(*to));
        }
    }
    let lts = quotient(&builder.finish(StateId::FIRST, rows.len() as u32), &Budget::unlimited())
        .expect("no limits")
        .lts;
    let mut found = BTreeMap::new();
    let mut here = BTreeMap::from([((lts.initial(), 0), 1.0)]);
    while !here.is_empty() {
        let mut next: BTreeMap<(StateId, u8), f64> = BTreeMap::new();
        for ((state, phase), mass) in here {
            let part = mass / lts.out(state).len() as f64;
            for (label, to) in lts.out(state) {
                let text = lts.labels().text(label);
                match after(phase, text.split(' ').next().unwrap_or_default()) {
                    2 => {
                        for id in &doers[label.index()] {
                            *found.entry(*id).or_insert(0.0) += part;
                        }
                    }
                    phase => *next.entry((to, phase)).or_insert(0.0) += part,
                }
            }
        }
        here = next;
    }
    found
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
fn escapes_by_definition(rows: &Rows) -> (BTreeMap<Option<u32>, EscapeKind>, bool) {
    let is_open = |place| reaches(rows, place, &|(_, come)| come == 2, &|_| true);
    let mut found: BTreeMap<Option<u32>, EscapeKind> = BTreeMap::new();
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
                () if !is_open(after) => EscapeKind::Loses,
                () if on_loop() => EscapeKind::Postpones,
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
        let property = parse_property(SourceId::default(), "[ true* . A . true* . C ] false").expect("a property");
        let limits = CountLimits { most_states: 100_000, longest: 20 };
        let found = count(&program(&text), &property, limits, &Budget::unlimited()).expect("a result").bugs;
        let verdicts: Vec<BugVerdict> = found.occurrences.iter().map(|o| o.verdict).collect();
        let (expected, probabilities): (Vec<BugVerdict>, Vec<f64>) = expected.into_iter().unzip();
        prop_assert_eq!(&verdicts, &expected, "{}", &text);
        for (occurrence, expected) in found.occurrences.iter().zip(probabilities) {
            let is_bug = occurrence.verdict != BugVerdict::None;
            prop_assert_eq!((occurrence.way.is_some(), occurrence.rank.is_some()), (is_bug, is_bug));
            let own = occurrence.rank.as_ref().map_or(0.0, |rank| rank.probability);
            prop_assert!((own - expected).abs() < 1e-9, "{} instead of {} in {}", own, expected, &text);
        }
    }

    #[test]
    fn parts_are_reduced_without_changing_the_verdicts(t in behaviours(true, true), which in 0usize..3) {
        let mut t = t;
        let text = text(&mut t);
        let property = [
            "[ true* . A . true* . C ] false",
            "[ (not B)* . A . (not C)* . B ] false",
            "[ true . true . C ] false",
        ][which];
        let property = parse_property(SourceId::default(), property).expect("a property");
        let (program, unlimited) = (program(&text), Budget::unlimited());
        let limits = CountLimits { most_states: 3000, longest: 0 };
        let direct = count(&program, &property, limits, &unlimited).expect("a result");
        if direct.stopped.is_some() {
            return Ok(());
        }
        let verdicts = |bugs: &Bugs| -> Vec<(u32, BugVerdict, Vec<String>)> {
            bugs.occurrences.iter().map(|o| (o.span.start, o.verdict, o.actions.clone())).collect()
        };
        let parts = count_by_parts(&program, &property, 100_000, &unlimited).expect("a result");
        prop_assert_eq!(parts.holds, direct.bugs.holds, "{}", &text);
        prop_assert_eq!(verdicts(&parts), verdicts(&direct.bugs), "{}", &text);
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
            .filter(|code| matches!(code.op, BehaviourOp::Act(_)))
            .map(|code| code.span.start)
            .collect();
        actions.sort_unstable();
        let own: BTreeMap<Option<u32>, EscapeKind> = found
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
