//! Published examples that are small enough to be written down here, and large ones counted a second time.

use crate::lts_common;

use cladist::budget::Budget;
use cladist::lts::inevitable::{InevitabilityAnalysis, InevitabilitySizes, NeighbourhoodEntry, shortest};
use cladist::lts::{Lts, quotient};
use lts_common::philosophers::{of_rows, philosophers};
use lts_common::{actions, system};
use std::collections::{BTreeMap, BTreeSet};

/// One process: for each of its states the labels with the states after them.
type Process<'a> = Vec<Vec<(&'a str, usize)>>;

/// Processes side by side. Every label that is in `shared` is done by two processes together, all others by one.
fn parallel(processes: &[Process<'_>], shared: &[&str]) -> Lts {
    let mut numbers = BTreeMap::from([(vec![0; processes.len()], 0)]);
    let mut order = vec![vec![0; processes.len()]];
    let mut lines = BTreeSet::new();
    let mut at = 0;
    while at < order.len() {
        let now = order[at].clone();
        let steps = |process: usize| processes[process][now[process]].iter().map(move |s| (process, *s));
        let all: Vec<(usize, (&str, usize))> = (0..processes.len()).flat_map(steps).collect();
        for &(first, (label, to)) in &all {
            let mut after = now.clone();
            after[first] = to;
            let mut targets = vec![after.clone()];
            if shared.contains(&label) {
                let others = all.iter().filter(|(second, step)| *second > first && step.0 == label);
                targets = others
                    .map(|&(second, (_, to))| {
                        let mut both = after.clone();
                        both[second] = to;
                        both
                    })
                    .collect();
            }
            for target in targets {
                let fresh = order.len();
                let number = *numbers.entry(target.clone()).or_insert(fresh);
                if number == fresh {
                    order.push(target);
                }
                lines.insert((at, label.to_owned(), number));
            }
        }
        at += 1;
    }
    let mut text = format!("des (0, {}, {})\n", lines.len(), order.len());
    lines.iter().for_each(|(from, label, to)| text += &format!("({from}, {label}, {to})\n"));
    system(&text)
}

/// The alternating bit protocol as CADP's first demo has it, without data: a transmitter, a receiver, and two media
/// that lose or garble messages. Everything is visible, and whoever waits may stop waiting at any time. Nothing
/// is reduced: the media are in another state at first than later, although they can do the same, and the receiver
/// remembers why it sends an acknowledgement.
fn alternating_bit() -> Lts {
    let medium = |one: [&'static str; 3], two: [&'static str; 2]| {
        let [got_one, got_two] = [one[0], two[0]];
        vec![
            vec![(got_one, 1), (got_two, 2)],
            vec![(one[1], 3), (one[2], 3), ("LOSS", 3)],
            vec![(two[1], 3), (one[2], 3), ("LOSS", 3)],
            vec![(got_one, 1), (got_two, 2)],
        ]
    };
    let transmitter = vec![
        vec![("PUT", 1)],
        vec![("SDT0", 2)],
        vec![("SACK0", 3), ("SACK1", 1), ("SACKe", 1), ("TIMEOUT", 1)],
        vec![("PUT", 4)],
        vec![("SDT1", 5)],
        vec![("SACK1", 0), ("SACK0", 4), ("SACKe", 4), ("TIMEOUT", 4)],
    ];
    let receiver = vec![
        vec![("RDT0", 1), ("RDT1", 3), ("RDTe", 4), ("TIMEOUT", 5)],
        vec![("GET", 2)],
        vec![("RACK0", 6)],
        vec![("RACK1", 0)],
        vec![("RACK1", 0)],
        vec![("RACK1", 0)],
        vec![("RDT1", 7), ("RDT0", 9), ("RDTe", 10), ("TIMEOUT", 11)],
        vec![("GET", 8)],
        vec![("RACK1", 0)],
        vec![("RACK0", 6)],
        vec![("RACK0", 6)],
        vec![("RACK0", 6)],
    ];
    let there = medium(["SDT0", "RDT0", "RDTe"], ["SDT1", "RDT1"]);
    let back = medium(["RACK0", "SACK0", "SACKe"], ["RACK1", "SACK1"]);
    let shared = ["SDT0", "SDT1", "RDT0", "RDT1", "RDTe", "RACK0", "RACK1", "SACK0", "SACK1", "SACKe"];
    parallel(&[transmitter, receiver, there, back], &shared)
}

#[test]
fn the_alternating_bit_protocol_may_never_begin() {
    // SEFM 2018, section 4: PUT is not inevitable, and there are six neighbourhoods, each with correct and neutral
    // transitions: the receiver may time out, acknowledge and lose its acknowledgement for ever.
    let lts = alternating_bit();
    assert_eq!(lts.states(), 232);
    let (steps, unlimited) = (actions("PUT", &lts), Budget::unlimited());
    let analysis = InevitabilityAnalysis::new(&lts, &steps, &unlimited).expect("no limit");
    assert!(!analysis.holds());
    let counts = InevitabilitySizes::new(&analysis, NeighbourhoodEntry::ByNeutralOnly, &Budget::unlimited())
        .expect("no limit");
    assert_eq!((counts.neighbourhoods, counts.neighbourhood_kinds), (6, [6, 0, 0, 0]));
    let found = shortest(&analysis, |_| false, &unlimited).expect("no limit").expect("violated");
    let labels: BTreeSet<_> = found.labels.iter().map(|&l| lts.labels().text(l).into_owned()).collect();
    assert_eq!(labels, ["LOSS", "RACK1", "TIMEOUT"].map(str::to_owned).into());
    // A lost acknowledgement, a time-out and the next acknowledgement are the loop.
    assert_eq!((found.labels.len(), found.loop_from), (5, Some(2)));
    // Neighbourhoods are counted where states are: fewer states, fewer of them.
    assert!(quotient(&lts, &unlimited).expect("no limit").lts.states() < 232);
}

#[test]
fn affixes_inside_a_component_are_as_published() {
    // SEFM 2018, Figure 2, k = A·B·C: one component with the states 1, 2 and 3, which A leads into at 1 and which can
    // be left at 2, and with C at 3.
    let text = "des (0, 6, 6)\n(0, A, 1)\n(1, D, 2)\n(2, B, 3)\n(3, C, 1)\n(2, D, 4)\n(3, C, 5)\n";
    let lts = system(text);
    let steps = actions("A,B,C", &lts);
    let analysis = InevitabilityAnalysis::new(&lts, &steps, &Budget::unlimited()).expect("no limit");
    let affixes = analysis.affixes().expect("of a sequence");
    assert_eq!(affixes.max_prefix[1..=3], [3, 3, 3]);
    assert_eq!(affixes.max_suffix[1..=3], [2, 2, 2]);
    assert_eq!(affixes.common_prefix[1..=3], [1, 1, 2]);
    assert_eq!(affixes.common_suffix[1..=3], [0, 0, 1]);
}

/// For each state and number of matched actions whether it is in the set; no set holds where all are matched.
type Pairs = Vec<Vec<bool>>;

/// Adds to a set as long as `joins` says of a pair that it has to be in it, looking at the pairs after it.
fn grown(rows: &[Vec<(String, usize)>], set: &mut Pairs, joins: impl Fn(&Pairs, usize, usize) -> bool) {
    loop {
        let mut changed = false;
        for state in (0..rows.len()).rev() {
            for matched in 0..set[state].len() {
                if !set[state][matched] && joins(set, state, matched) {
                    set[state][matched] = true;
                    changed = true;
                }
            }
        }
        if !changed {
            return;
        }
    }
}

#[test]
fn runs_of_philosophers_are_counted_as_by_hand() {
    let sequence = ["EAT !0", "EAT !3"];
    for n in [6, 8, 10] {
        // Forks are never put back, so that every run ends: in a cycle nothing would be decided for good.
        let (_, mut rows) = philosophers(n);
        rows.iter_mut().for_each(|row| row.retain(|(label, _)| !label.starts_with("DROP")));
        let lts = of_rows(&rows);
        let after = |matched: usize, label: &str| {
            if sequence.get(matched) == Some(&label) { matched + 1 } else { matched }
        };
        let done = sequence.len();
        // Pairs that are reached, from which the sequence can still be completed, and from which it always is.
        let mut reached: Pairs = vec![vec![false; done + 1]; rows.len()];
        let mut open = vec![(0, 0)];
        reached[0][0] = true;
        while let Some((state, matched)) = open.pop() {
            for (label, to) in &rows[state] {
                let next = after(matched, label);
                if !std::mem::replace(&mut reached[*to][next], true) {
                    open.push((*to, next));
                }
            }
        }
        let complete: Pairs = vec![(0..=done).map(|m| m == done).collect(); rows.len()];
        let (mut possible, mut sure) = (complete.clone(), complete);
        grown(&rows, &mut possible, |set, s, m| rows[s].iter().any(|(l, to)| set[*to][after(m, l)]));
        grown(&rows, &mut sure, |set, s, m| {
            !rows[s].is_empty() && rows[s].iter().all(|(l, to)| set[*to][after(m, l)])
        });
        let mut expected = [0; 3];
        for (state, row) in rows.iter().enumerate() {
            let before = || (0..=done).filter(|&m| reached[state][m]);
            for (label, to) in row {
                let always = before().all(|m| sure[*to][after(m, label)]);
                let ever = before().any(|m| possible[*to][after(m, label)]);
                expected[if always { 0 } else { 1 + usize::from(ever) }] += 1;
            }
        }
        let steps = actions("EAT !0,EAT !3", &lts);
        let analysis = InevitabilityAnalysis::new(&lts, &steps, &Budget::unlimited()).expect("no limit");
        let counts =
            InevitabilitySizes::new(&analysis, NeighbourhoodEntry::ByNeutralOnly, &Budget::unlimited())
                .expect("no limit");
        assert_eq!([counts.correct, counts.incorrect, counts.neutral], expected, "{n}");
        assert_eq!(analysis.holds(), sure[0][0]);
        assert!(expected.iter().all(|&count| count > 0), "{expected:?}");
    }
}
