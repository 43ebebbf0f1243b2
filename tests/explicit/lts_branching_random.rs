//! The quotient modulo branching bisimulation against the definition, on random systems with invisible steps.

use crate::lts_common::{build, system};
use crate::random::{Random, cases};
use cladist::budget::Budget;
use cladist::lts::property::LabelPattern;
use cladist::lts::{Lts, Relabelling, branching_quotient, relabel};
use std::collections::BTreeSet;

/// Transitions; `i` is invisible.
type Edges = Vec<(u32, char, u32)>;

/// The greatest branching bisimulation by its definition: from all pairs, those are removed of which one state has a step that
/// the other cannot follow, after invisible steps through states that are related to the first one.
pub fn related(states: u32, edges: &Edges) -> BTreeSet<(u32, u32)> {
    let mut pairs: BTreeSet<(u32, u32)> =
        (0..states).flat_map(|s| (0..states).map(move |t| (s, t))).collect();
    loop {
        let follows = |&(s, t): &(u32, u32)| {
            edges.iter().filter(|e| e.0 == s).all(|&(_, label, to)| {
                if label == 'i' && pairs.contains(&(to, t)) {
                    return true;
                }
                let mut near = BTreeSet::from([t]);
                loop {
                    let after = edges.iter().filter(|e| e.1 == 'i' && near.contains(&e.0)).map(|e| e.2);
                    let more: BTreeSet<u32> = after.filter(|&u| pairs.contains(&(s, u))).collect();
                    if more.is_subset(&near) {
                        break;
                    }
                    near.extend(more);
                }
                let does =
                    |u: &u32| edges.iter().any(|e| e.0 == *u && e.1 == label && pairs.contains(&(to, e.2)));
                near.iter().any(does)
            })
        };
        let kept: BTreeSet<_> =
            pairs.iter().filter(|&&(s, t)| follows(&(s, t)) && follows(&(t, s))).copied().collect();
        if kept == pairs {
            return kept;
        }
        pairs = kept;
    }
}

fn edges_of(lts: &Lts, offset: u32) -> Edges {
    let label = |label| lts.labels().text(label).chars().next().unwrap_or('?');
    let all = lts.all_transitions();
    all.map(|e| (e.from.to_u32() + offset, label(e.label), e.to.to_u32() + offset)).collect()
}

#[test]
fn quotients_are_the_smallest_and_equivalent() {
    let mut smaller = 0;
    for seed in 0..cases(3000) {
        let mut random = Random::new(seed);
        let states = 1 + random.below(7) as u32;
        let state = |random: &mut Random| random.below(states as usize) as u32;
        let edges: Edges = (0..random.below(14))
            .map(|_| (state(&mut random), *random.pick(&['i', 'i', 'a', 'b']), state(&mut random)))
            .collect();
        let lts = build(0, &edges);
        let states = lts.states() as u32;
        let found = branching_quotient(&lts, &Budget::unlimited()).expect("no limit");
        let pairs = related(states, &edges);
        for (s, one) in found.state_of.iter().enumerate() {
            for (t, other) in found.state_of.iter().enumerate() {
                if let (Some(one), Some(other)) = (one, other) {
                    let same = pairs.contains(&(s as u32, t as u32));
                    assert_eq!(one == other, same, "{seed}: states {s} and {t} of {edges:?}");
                }
            }
        }
        let both: Edges = edges.iter().copied().chain(edges_of(&found.lts, states)).collect();
        let all = states + found.lts.declared_states() as u32;
        assert!(related(all, &both).contains(&(0, states)), "{seed}: {edges:?} became {both:?}");
        smaller += usize::from(found.lts.declared_states() + 1 < states as usize);
    }
    assert!(smaller > 100, "{smaller}");
}

#[test]
fn labels_are_renamed_and_hidden() {
    let lts = build(0, &[(0, 'A', 1), (1, 'B', 2), (2, 'C', 0)]);
    let pattern = |text: &str| LabelPattern::new(text).expect("a pattern");
    let rules = [Relabelling::Rename(pattern("[AB]"), "D".into()), Relabelling::Hide(pattern("C"))];
    let renamed = relabel(&lts, &rules, &Budget::unlimited()).expect("no limit");
    assert_eq!(edges_of(&renamed, 0), [(0, 'D', 1), (1, 'D', 2), (2, 'i', 0)]);
    let found = branching_quotient(&renamed, &Budget::unlimited()).expect("no limit");
    // D for ever; that there are invisible steps between is not seen.
    assert_eq!((found.lts.declared_states(), found.lts.transitions()), (1, 1));
}

#[test]
fn both_invisible_labels_are_one() {
    let lts = system("des (0, 6, 5)\n(0, i, 1)\n(1, tau, 0)\n(1, tau, 2)\n(0, A, 3)\n(2, i, 4)\n(4, A, 4)\n");
    let found = branching_quotient(&lts, &Budget::unlimited()).expect("no limit");
    // 0 and 1 are on a cycle, and can end after A; 2 and 4 cannot.
    let classes = found.state_of.iter().map(|class| class.map(|class| class.to_u32()));
    assert_eq!(classes.collect::<Vec<_>>(), [Some(0), Some(0), Some(1), Some(2), Some(1)]);
    assert_eq!(edges_of(&found.lts, 0), [(0, 'i', 1), (0, 'A', 2), (1, 'A', 1)]);
}
