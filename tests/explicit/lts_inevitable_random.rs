//! Affixes, typed transitions, neighbourhoods and shortest counterexamples for sequences of actions on random systems,
//! nondeterministic ones included, against their definitions.

use crate::lts_common;

use cladist::budget::Budget;
use cladist::lts::inevitable::{InevitabilityAnalysis, InevitabilitySizes, NeighbourhoodEntry};
use cladist::lts::safety::{Keep, Tag};
use cladist::lts::strategy::{
    Counterexample, Inevitable, Strategy as Which, of_inevitable, shortest_of_inevitable,
};
use cladist::lts::{LabelSequence, Lts, LtsTransition, StateId};
use lts_common::pairs::{Pair, Triples, grow, pairs};
use lts_common::{build, state, triples};
use proptest::prelude::*;
use std::collections::BTreeSet;

fn steps(actions: &[char], lts: &Lts) -> LabelSequence {
    let text: Vec<String> = actions.iter().map(char::to_string).collect();
    lts_common::actions(&text.join(","), lts)
}

/// Whether some maximal trace from a pair never completes the sequence: a greatest fixpoint.
fn avoiding(triples: &Triples, sequence: &[char], states: u32) -> BTreeSet<(u32, usize)> {
    let mut left: BTreeSet<(u32, usize)> =
        (0..states).flat_map(|s| (0..sequence.len()).map(move |m| (s, m))).collect();
    loop {
        let stays = |&(state, matched): &(u32, usize)| {
            let mut out = triples.iter().filter(|t| t.0 == state).peekable();
            out.peek().is_none() || out.any(|&(_, l, to)| left.contains(&(to, grow(sequence, matched, l))))
        };
        let next: BTreeSet<(u32, usize)> = left.iter().copied().filter(stays).collect();
        if next == left {
            return left;
        }
        left = next;
    }
}

/// Whether a run never has all actions: a loop is gone round often enough.
fn violates(actions: &[char], word: &[char], loop_from: Option<usize>) -> bool {
    let mut matched = word.iter().fold(0, |m, &l| grow(actions, m, l));
    if let Some(start) = loop_from {
        for _ in 0..=actions.len() {
            matched = word[start..].iter().fold(matched, |m, &l| grow(actions, m, l));
        }
    }
    matched < actions.len()
}

/// The states of the shortest runs that violate, of all without repetition and all lassos.
fn shortest_runs(triples: &Triples, actions: &[char], initial: u32) -> Vec<Vec<u32>> {
    let mut best: Vec<Vec<u32>> = Vec::new();
    let mut violating = |states: Vec<u32>| {
        let length = best.first().map_or(usize::MAX, Vec::len);
        if states.len() < length {
            best.clear();
        }
        if states.len() <= length {
            best.push(states);
        }
    };
    let mut open = vec![(vec![initial], Vec::new())];
    while let Some((states, word)) = open.pop() {
        let last = states[states.len() - 1];
        let mut stuck = true;
        for &(_, label, to) in triples.iter().filter(|t| t.0 == last) {
            stuck = false;
            let mut longer = word.clone();
            longer.push(label);
            let all: Vec<u32> = states.iter().copied().chain([to]).collect();
            match states.iter().position(|&s| s == to) {
                Some(start) if violates(actions, &longer, Some(start)) => violating(all),
                Some(_) => {}
                None => open.push((all, longer)),
            }
        }
        if stuck && violates(actions, &word, None) {
            violating(states);
        }
    }
    best
}

/// A run of the system that never has all actions.
fn check_run(run: &Counterexample, lts: &Lts, triples: &Triples, actions: &[char], initial: u32) {
    let word: Vec<char> =
        run.labels.iter().map(|&l| lts.labels().text(l).chars().next().expect("one")).collect();
    let states: Vec<u32> = run.states.iter().map(|state| state.to_u32()).collect();
    assert_eq!(states[0], initial);
    for (at, &label) in word.iter().enumerate() {
        assert!(triples.contains(&(states[at], label, states[at + 1])));
    }
    let last = states[word.len()];
    match run.loop_from {
        Some(start) => {
            assert!(start < word.len());
            assert_eq!(states[start], last);
        }
        None => assert!(!triples.iter().any(|t| t.0 == last), "a run that could go on"),
    }
    assert!(violates(actions, &word, run.loop_from), "{word:?} {:?}", run.loop_from);
}

/// A random system with a sequence of actions, its analysis, and what the definitions say.
struct Case<'a> {
    initial: u32,
    triples: &'a Triples,
    actions: &'a [char],
    analysis: &'a InevitabilityAnalysis<'a>,
    from_start: BTreeSet<Pair>,
    avoid: BTreeSet<Pair>,
    reached: BTreeSet<u32>,
}

/// A transition with its tag by definition.
type Tagged = ((u32, char, u32), Tag);

fn check(initial: u32, list: &[(u32, char, u32)], actions: &[char]) -> Result<(), TestCaseError> {
    let (lts, triples) = (build(initial, list), list.iter().copied().collect::<Triples>());
    let steps = steps(actions, &lts);
    let analysis = InevitabilityAnalysis::new(&lts, &steps, &Budget::unlimited()).expect("no limit");
    let from_start = pairs(&triples, actions, (initial, 0));
    let avoid = avoiding(&triples, actions, lts.states() as u32);
    let reached: BTreeSet<u32> = from_start.iter().map(|&(state, _)| state).collect();
    prop_assert_eq!(analysis.holds(), !avoid.contains(&(initial, 0)));
    prop_assert_eq!(analysis.reached().map(StateId::to_u32).collect::<BTreeSet<u32>>(), reached.clone());
    let case = Case { initial, triples: &triples, actions, analysis: &analysis, from_start, avoid, reached };
    case.check_affixes()?;
    let live = case.tagged();
    let counts = case.check_tags(&live)?;
    for entered in [NeighbourhoodEntry::ByNeutralOnly, NeighbourhoodEntry::ByNeutral] {
        case.check_neighbourhoods(&live, entered, counts.clone())?;
    }
    for keep in [Keep::Neighbourhoods, Keep::FaultyStates] {
        case.check_shortest(keep)?;
        case.check_strategies(keep)?;
    }
    Ok(())
}

impl Case<'_> {
    fn check_affixes(&self) -> Result<(), TestCaseError> {
        let Case { triples, actions, analysis, from_start, reached, .. } = self;
        let (n, states) = (actions.len(), analysis.lts.states() as u32);
        for &state in reached {
            let at = state as usize;
            let prefixes = || from_start.iter().filter(|p| p.0 == state).map(|p| p.1);
            let found = analysis.affixes().expect("of a sequence");
            prop_assert_eq!(Some(usize::from(found.max_prefix[at])), prefixes().max());
            prop_assert_eq!(Some(usize::from(found.common_prefix[at])), prefixes().min());
            // The longest suffix that some trace matches, and the longest that none avoids.
            let some =
                |j: &usize| pairs(triples, &actions[n - j..], (state, 0)).iter().any(|&(_, m)| m == *j);
            let every = |j: &usize| !avoiding(triples, &actions[n - j..], states).contains(&(state, 0));
            prop_assert_eq!(Some(usize::from(found.max_suffix[at])), (0..=n).rev().find(some));
            prop_assert_eq!(Some(usize::from(found.common_suffix[at])), (0..=n).rev().find(every));
        }
        Ok(())
    }

    /// The tag of a step after which the matched prefixes are these.
    fn tag_after(&self, after: &[Pair]) -> Tag {
        let n = self.actions.len();
        let completing = |pair: Pair| pairs(self.triples, self.actions, pair).iter().any(|&(_, m)| m == n);
        if !after.iter().any(|pair| self.avoid.contains(pair)) {
            Tag::Correct
        } else if !after.iter().any(|&pair| completing(pair)) {
            Tag::Incorrect
        } else {
            Tag::Neutral
        }
    }

    /// The reachable transitions with their tags.
    fn tagged(&self) -> Vec<Tagged> {
        let tag = |&(from, label, to): &(u32, char, u32)| {
            let before = self.from_start.iter().filter(|p| p.0 == from);
            self.tag_after(&before.map(|&(_, m)| (to, grow(self.actions, m, label))).collect::<Vec<_>>())
        };
        self.triples.iter().filter(|t| self.reached.contains(&t.0)).map(|t| (*t, tag(t))).collect()
    }

    /// Compares the tags, and counts them.
    fn check_tags(&self, live: &[Tagged]) -> Result<InevitabilitySizes, TestCaseError> {
        let (lts, analysis) = (self.analysis.lts, self.analysis);
        let mut expected = InevitabilitySizes::default();
        for &((from, label, to), tag) in live {
            let number = lts.labels().find(label.to_string().as_bytes()).expect("a label");
            prop_assert_eq!(
                analysis.tag(LtsTransition { from: state(from), label: number, to: state(to) }),
                tag,
                "{} {} {}",
                from,
                label,
                to
            );
            match tag {
                Tag::Correct => expected.correct += 1,
                Tag::Incorrect => expected.incorrect += 1,
                Tag::Neutral => expected.neutral += 1,
            }
        }
        Ok(expected)
    }

    fn check_neighbourhoods(
        &self,
        live: &[Tagged],
        entered: NeighbourhoodEntry,
        mut counts: InevitabilitySizes,
    ) -> Result<(), TestCaseError> {
        for &state in &self.reached {
            let mut incoming: Vec<Tag> =
                live.iter().filter(|(t, _)| t.2 == state).map(|(_, tag)| *tag).collect();
            if state == self.initial {
                incoming.push(self.tag_after(&[(self.initial, 0)]));
            }
            let out: BTreeSet<Tag> = live.iter().filter(|(t, _)| t.0 == state).map(|(_, tag)| *tag).collect();
            let neutral = incoming.iter().filter(|&&t| t == Tag::Neutral).count();
            let right = match entered {
                NeighbourhoodEntry::ByNeutralOnly => neutral == incoming.len(),
                NeighbourhoodEntry::ByNeutral => neutral > 0,
            };
            let has = |tag| out.contains(&tag);
            let kind = match (has(Tag::Correct), has(Tag::Incorrect)) {
                (true, false) => Some(0),
                (false, true) => Some(1),
                (true, true) => Some(2 + usize::from(has(Tag::Neutral))),
                (false, false) => None,
            }
            .filter(|_| right);
            prop_assert_eq!(
                self.analysis.neighbourhood(StateId::from_u32(state), entered),
                kind,
                "{}",
                state
            );
            if let Some(kind) = kind {
                counts.neighbourhoods += 1;
                counts.neighbourhood_kinds[kind] += 1;
            }
        }
        prop_assert_eq!(
            &InevitabilitySizes::new(self.analysis, entered, &Budget::unlimited()).expect("no limit"),
            &counts
        );
        Ok(())
    }

    fn check_shortest(&self, keep: Keep) -> Result<(), TestCaseError> {
        let Case { initial, triples, actions, analysis, .. } = self;
        let found =
            shortest_of_inevitable(analysis, NeighbourhoodEntry::ByNeutralOnly, keep, &Budget::unlimited())
                .expect("no limit");
        let shortest = shortest_runs(triples, actions, *initial);
        prop_assert_eq!(found.as_ref().map(|run| run.labels.len() + 1), shortest.first().map(Vec::len));
        if let Some(run) = &found {
            check_run(run, analysis.lts, triples, actions, *initial);
            let decides = |&number: &u32| match keep {
                Keep::Neighbourhoods => {
                    analysis.neighbourhood(state(number), NeighbourhoodEntry::ByNeutralOnly).is_some()
                }
                Keep::FaultyStates => analysis.is_faulty(state(number)),
            };
            // Where the abstraction of any of them keeps an action, so does that of the one that is found.
            let keeps = shortest.iter().any(|states| states.len() > 1 && states.iter().any(decides));
            prop_assert_eq!(!run.kept.is_empty(), keeps);
        }
        Ok(())
    }

    fn check_strategies(&self, keep: Keep) -> Result<(), TestCaseError> {
        let Case { initial, triples, actions, analysis, .. } = self;
        let (lts, unlimited) = (analysis.lts, Budget::unlimited());
        let violations = Inevitable::new(analysis, NeighbourhoodEntry::ByNeutralOnly, keep, &unlimited);
        let violations = violations.expect("no limit");
        for strategy in [
            Which::Readable,
            Which::Random { seed: 3 },
            Which::Longest,
            Which::FaultyFirst,
            Which::FewestFaulty,
            Which::MostFaulty,
            Which::MostProbable,
            Which::LeastProbable,
            Which::ClosestFewestFaulty,
        ] {
            let chosen =
                of_inevitable(&violations, strategy, &LabelSequence::none(), &unlimited).expect("no limit");
            prop_assert_eq!(chosen.is_none(), analysis.holds());
            if let Some(Ok(run)) = chosen {
                check_run(&run, lts, triples, actions, *initial);
            }
        }
        let pattern = steps(&['C', 'A'], lts);
        if let Some(Ok(run)) =
            of_inevitable(&violations, Which::Shortest, &pattern, &unlimited).expect("no limit")
        {
            check_run(&run, lts, triples, actions, *initial);
            let stem = &run.labels[..run.loop_from.unwrap_or(run.labels.len())];
            prop_assert_eq!(stem.iter().fold(0, |matched, &l| pattern.forward(l, matched)), 2);
        }
        Ok(())
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn everything_is_as_defined(
        (initial, triples) in triples(6),
        actions in prop::collection::vec(prop::sample::select(vec!['A', 'B', 'C']), 1..=4),
    ) {
        check(initial, &triples, &actions)?;
    }
}
