//! Files, bisimulation, components and reachability of random systems against their definitions.

use crate::lts_common;

use cladist::budget::Budget;
use cladist::diagnostics::render;
use cladist::lts::aut::ReadError;
use cladist::lts::{Lts, StateId, components, facts, quotient};
use lts_common::{build, state, system, triples};
use proptest::prelude::*;
use std::collections::BTreeSet;

/// Transitions with the labels as text.
fn named(lts: &Lts) -> BTreeSet<(u32, Vec<u8>, u32)> {
    lts.all_transitions()
        .map(|step| (step.from.to_u32(), lts.labels().get(step.label).to_vec(), step.to.to_u32()))
        .collect()
}

/// Which states can be reached from which.
fn reach(states: usize, edges: &[(u32, char, u32)]) -> Vec<Vec<bool>> {
    let mut reach: Vec<Vec<bool>> = (0..states).map(|a| (0..states).map(|b| a == b).collect()).collect();
    for _ in 0..states {
        for &(from, _, to) in edges {
            for row in &mut reach {
                row[to as usize] |= row[from as usize];
            }
        }
    }
    reach
}

/// The coarsest partition by splitting until nothing changes.
fn bisimilar(states: usize, edges: &[(u32, char, u32)]) -> Vec<usize> {
    let mut block = vec![0; states];
    loop {
        let rows: Vec<(usize, BTreeSet<(char, usize)>)> = (0..states)
            .map(|s| {
                let own = edges.iter().filter(|(from, ..)| *from as usize == s);
                (block[s], own.map(|&(_, label, to)| (label, block[to as usize])).collect())
            })
            .collect();
        let sorted: Vec<_> = rows.iter().collect::<BTreeSet<_>>().into_iter().collect();
        let next: Vec<usize> =
            rows.iter().map(|row| sorted.binary_search(&row).expect("it is there")).collect();
        let count = |blocks: &[usize]| blocks.iter().collect::<BTreeSet<_>>().len();
        if count(&next) == count(&block) {
            return next;
        }
        block = next;
    }
}

/// Changes a text at one place, as transmission, editors and other tools do.
fn damaged(text: &mut Vec<u8>, kind: u8, at: usize, byte: u8) {
    const DIGITS: &[u8] = b"4294967295";
    match kind {
        0 => text.truncate(at),
        1 => text.insert(at, byte),
        2 if at < text.len() => _ = text.remove(at),
        3 if at < text.len() => text[at] = byte,
        4 => _ = text.splice(at..at, DIGITS[..usize::from(byte) % 11].iter().copied()),
        5 => text.extend_from_within(at..),
        _ => {}
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_quotient_is_the_coarsest((initial, edges) in triples(9)) {
        let lts = build(initial, &edges);
        let states = lts.states();
        let block = bisimilar(states, &edges);
        let reach = reach(states, &edges);
        let quotient = quotient(&lts, &Budget::unlimited()).expect("no limit");
        let reachable: Vec<usize> = (0..states).filter(|&s| reach[initial as usize][s]).collect();
        for s in 0..states {
            prop_assert_eq!(quotient.state_of[s].is_some(), reachable.contains(&s));
        }
        for &a in &reachable {
            for &b in &reachable {
                prop_assert_eq!(quotient.state_of[a] == quotient.state_of[b], block[a] == block[b]);
            }
        }
        let became = |s: u32| quotient.state_of[s as usize].expect("reachable").to_u32();
        let expected: BTreeSet<_> = edges
            .iter()
            .filter(|(from, ..)| reachable.contains(&(*from as usize)))
            .map(|&(from, label, to)| (became(from), label.to_string().into_bytes(), became(to)))
            .collect();
        prop_assert_eq!(named(&quotient.lts), expected);
        prop_assert_eq!(quotient.lts.initial(), StateId::FIRST);
    }

    #[test]
    fn facts_are_as_defined((initial, edges) in triples(9)) {
        let lts = build(initial, &edges);
        let states = lts.states();
        let reach = reach(states, &edges);
        let from_start: Vec<usize> = (0..states).filter(|&s| reach[initial as usize][s]).collect();
        let distinct: BTreeSet<_> = edges.iter().collect();
        let own: Vec<_> = distinct.iter().filter(|(from, ..)| from_start.contains(&(*from as usize))).collect();
        let facts = facts(&lts, &Budget::unlimited()).expect("no limit");
        prop_assert_eq!(facts.reachable_states, from_start.len());
        prop_assert_eq!(facts.reachable_transitions, own.len());
        let deadlocks = from_start.iter().filter(|&&s| own.iter().all(|(from, ..)| *from as usize != s));
        prop_assert_eq!(&facts.deadlocks, &deadlocks.map(|&s| StateId::new(s)).collect::<Vec<_>>());
        let choices: BTreeSet<(u32, char)> = own.iter().map(|&&&(from, label, _)| (from, label)).collect();
        prop_assert_eq!(facts.deterministic, choices.len() == own.len());
        let together = |a: usize, b: usize| reach[a][b] && reach[b][a];
        let firsts: Vec<usize> =
            from_start.iter().copied().filter(|&s| !(0..s).any(|t| together(s, t))).collect();
        prop_assert_eq!(facts.components, firsts.len());
        let size = |&first: &usize| (0..states).filter(|&t| together(first, t)).count();
        prop_assert_eq!(facts.largest_component, firsts.iter().map(size).max().unwrap_or(0));
        let cyclic = |&&first: &&usize| {
            own.iter().any(|&&&(from, _, to)| together(first, from as usize) && together(from as usize, to as usize))
        };
        prop_assert_eq!(facts.cyclic_components, firsts.iter().filter(cyclic).count());
    }

    #[test]
    fn components_of_a_part_are_in_order((initial, edges) in triples(9), left_out in 0u32..9) {
        let lts = build(initial, &edges);
        let part = |s: u32| s != left_out;
        let found = components(&lts, |s| part(s.to_u32()), |step| step.label.index() != 1, &Budget::unlimited())
            .expect("no limit");
        let kept: Vec<_> = edges
            .iter()
            .copied()
            .filter(|&(from, label, to)| part(from) && part(to) && label != 'B')
            .collect();
        let reach = reach(lts.states(), &kept);
        for (a, row) in reach.iter().enumerate() {
            for b in (0..lts.states()).filter(|&b| part(a as u32) && part(b as u32)) {
                prop_assert_eq!(found.of[a] == found.of[b], row[b] && reach[b][a]);
            }
        }
        prop_assert!(kept.iter().all(|&(from, _, to)| found.of[from as usize] >= found.of[to as usize]));
        prop_assert_eq!(found.members().iter().map(Vec::len).sum::<usize>(),
            (0..lts.states() as u32).filter(|&s| part(s)).count());
    }

    #[test]
    fn what_is_written_is_read_again((initial, edges) in triples(9), odd in "[ -~é\u{e000}]{0,12}") {
        let mut builder = cladist::lts::LtsBuilder::new();
        let odd = odd.trim_matches(' ');
        for &(from, label, to) in &edges {
            let name = if label == 'A' { odd.to_owned() } else { label.to_string() };
            let label = builder.labels.intern(name.as_bytes());
            builder.add(state(from), label, state(to));
        }
        let lts = builder.finish(state(initial), 0);
        let mut text = Vec::new();
        cladist::lts::aut::write(&lts, &mut text).expect("to memory");
        let again = system(std::str::from_utf8(&text).expect("UTF-8"));
        prop_assert_eq!(named(&again), named(&lts));
        prop_assert_eq!(again.initial(), lts.initial());
        prop_assert_eq!(again.declared_states(), lts.declared_states());
    }

    #[test]
    fn no_bytes_are_too_much_for_the_reader(text in "(des *\\(0, ?[0-9]{1,12}, ?[0-9]{1,12}\\)\r?\n)?([(),\" \\n0-9A-Z\u{0}é]{0,60}|\\(0, A, 1\\)\n){0,6}", lenient: bool) {
        let _ = lts_common::try_read(text.as_bytes(), lenient);
    }

    #[test]
    fn damaged_files_are_read_or_refused_with_reasons(
        (initial, edges) in triples(5),
        damage in prop::collection::vec((0u8..6, any::<prop::sample::Index>(), any::<u8>()), 1..5),
        packed: bool,
        lenient: bool,
    ) {
        let mut text = Vec::new();
        cladist::lts::aut::write(&build(initial, &edges), &mut text).expect("to memory");
        if packed {
            let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
            std::io::Write::write_all(&mut encoder, &text).expect("to memory");
            text = encoder.finish().expect("to memory");
        }
        for (kind, at, byte) in damage {
            let at = at.index(text.len() + 1);
            damaged(&mut text, kind, at, byte);
        }
        match lts_common::try_read(&text, lenient) {
            Ok(lts) => {
                // What is accepted strictly is accepted leniently, too, and means the same.
                let again = lts_common::try_read(&text, true).expect("accepted before");
                prop_assert_eq!(named(&again), named(&lts));
                prop_assert!(lts.initial().index() < lts.states());
                prop_assert!(lts.all_transitions().all(|step| step.from.max(step.to).index() < lts.states()));
            }
            Err(ReadError::Mistakes(found, sources)) => {
                prop_assert!(!found.is_empty());
                for mistake in found {
                    prop_assert!(mistake.help.is_some(), "{}", mistake.message);
                    prop_assert!(render(&mistake, &sources, false).len() < 2000);
                }
            }
            Err(ReadError::Exhausted(why)) => prop_assert!(false, "{:?}", why),
        }
    }

    #[test]
    fn no_text_is_too_much_for_the_parser(text in "(\\[|\\]|\\(|\\)|true|false|not|and|or|A|\"B\"|'C.*'|\\.|\\||\\*|\\+|\\?|\\{2\\}| |--|\\(\\*|é|\n|'){0,20}") {
        let _ = cladist::mucalc::parse_property(Default::default(), &text);
    }
}
