//! Lost, safe and open states, decisive steps, and the tags that follow from them, on random systems against their
//! definitions by enumeration of simple paths.

use crate::lts_common;

use cladist::budget::Budget;
use cladist::lts::decisive::{FateCounts, Fates, Instead, StateFate, decisive_labels};
use cladist::lts::property::{Closure, LabelAutomaton};
use cladist::lts::safety::{Counts, Incorrect, Keep, SafetyAnalysis, Tag, neighbourhoods, shortest};
use cladist::lts::{Bits, LabelId, Lts, LtsBuilder, StateId};
use lts_common::{build, state, triples};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

const STATES: u32 = 6;

/// A random system, its violating states, and the labels of its environment, if there is one.
#[derive(Debug, Clone)]
struct Case {
    initial: u32,
    triples: Vec<(u32, char, u32)>,
    violating: BTreeSet<u32>,
    environment: Option<BTreeSet<char>>,
}

fn cases() -> impl Strategy<Value = Case> {
    let violating = prop::collection::btree_set(0..STATES, 0..=2);
    let labels = prop::collection::btree_set(prop::sample::select(vec!['A', 'B', 'C']), 0..=3);
    (triples(STATES), violating, prop::option::of(labels)).prop_map(
        |((initial, triples), violating, environment)| Case { initial, triples, violating, environment },
    )
}

impl Case {
    fn lts(&self) -> Lts {
        let mut builder = LtsBuilder::new();
        "ABC".chars().for_each(|c| _ = builder.labels.intern(c.to_string().as_bytes()));
        for &(from, label, to) in &self.triples {
            let label = builder.labels.intern(label.to_string().as_bytes());
            builder.add(state(from), label, state(to));
        }
        // A step that goes nowhere new, so that every state has a row.
        builder.add(state(STATES - 1), LabelId::FIRST, state(STATES - 1));
        builder.finish(state(self.initial), STATES)
    }

    fn steps(&self, from: u32) -> BTreeSet<(char, u32)> {
        let own = self.triples.iter().filter(|&&(source, ..)| source == from).map(|&(_, l, to)| (l, to));
        own.chain((from == STATES - 1).then_some(('A', STATES - 1))).collect()
    }

    fn is_of_environment(&self, label: char) -> bool {
        self.environment.as_ref().is_some_and(|labels| labels.contains(&label))
    }

    /// Whether a simple path of steps with these labels leads from the last of these states to a violating one.
    fn violates(&self, path: &mut Vec<u32>, with: &dyn Fn(char) -> bool) -> bool {
        let at = path[path.len() - 1];
        if self.violating.contains(&at) {
            return true;
        }
        self.steps(at).into_iter().any(|(label, to)| {
            if !with(label) || path.contains(&to) {
                return false;
            }
            path.push(to);
            let found = self.violates(path, with);
            path.pop();
            found
        })
    }

    /// Whether a maximal run from the last of these states violates nothing: it ends, or comes back.
    fn rests(&self, path: &mut Vec<u32>) -> bool {
        let at = path[path.len() - 1];
        if self.violating.contains(&at) {
            return false;
        }
        let steps = self.steps(at);
        steps.is_empty()
            || steps.into_iter().any(|(_, to)| {
                if path.contains(&to) {
                    return true;
                }
                path.push(to);
                let found = self.rests(path);
                path.pop();
                found
            })
    }

    fn fate(&self, of: u32) -> StateFate {
        let lost = match &self.environment {
            None => !self.rests(&mut vec![of]),
            Some(labels) => self.violates(&mut vec![of], &|label| labels.contains(&label)),
        };
        match (lost, self.violates(&mut vec![of], &|_| true)) {
            (true, _) => StateFate::Lost,
            (false, true) => StateFate::Open,
            (false, false) => StateFate::Safe,
        }
    }

    /// The states that are reached without an earlier violation, with their distances.
    fn before_violations(&self) -> BTreeMap<u32, usize> {
        let mut found = BTreeMap::from([(self.initial, 0)]);
        for distance in 0..STATES as usize {
            let level: Vec<u32> = found.iter().filter(|&(_, &d)| d == distance).map(|(&s, _)| s).collect();
            for at in level.into_iter().filter(|at| !self.violating.contains(at)) {
                for (_, to) in self.steps(at) {
                    found.entry(to).or_insert(distance + 1);
                }
            }
        }
        found
    }

    fn violating_bits(&self) -> Bits {
        let mut violating = Bits::new(STATES as usize);
        self.violating.iter().for_each(|&state| _ = violating.insert(state as usize));
        violating
    }

    fn fates(&self, lts: &Lts) -> Fates {
        let environment = self.environment.as_ref().map(|labels| {
            let mut bits = Bits::new(lts.labels().len());
            labels.iter().for_each(|label| _ = bits.insert(number(lts, *label).index()));
            bits
        });
        Fates::new(lts, self.violating_bits(), environment.as_ref(), &Budget::unlimited()).expect("no limit")
    }
}

fn number(lts: &Lts, label: char) -> LabelId {
    lts.labels().find(label.to_string().as_bytes()).expect("all labels are there")
}

fn letter(lts: &Lts, label: LabelId) -> char {
    char::from(lts.labels().get(label)[0])
}

fn check_fates(case: &Case) -> Result<(), TestCaseError> {
    let lts = case.lts();
    let fates = case.fates(&lts);
    let mut expected = FateCounts::default();
    for of in 0..STATES {
        let fate = case.fate(of);
        prop_assert_eq!(fates.of(state(of)), fate, "state {}", of);
        match fate {
            StateFate::Lost => expected.lost += 1,
            StateFate::Safe => expected.safe += 1,
            StateFate::Open => expected.open += 1,
        }
    }
    prop_assert_eq!(fates.count(lts.state_ids()), expected);
    Ok(())
}

/// What can be done in a state without losing: labels of which no step loses, none of the environment's.
fn without_losing(case: &Case, at: u32) -> BTreeMap<char, StateFate> {
    let mut found: BTreeMap<char, BTreeSet<StateFate>> = BTreeMap::new();
    for (label, to) in case.steps(at) {
        found.entry(label).or_default().insert(case.fate(to));
    }
    found.retain(|&label, fates| !fates.contains(&StateFate::Lost) && !case.is_of_environment(label));
    let worst = |fates: &BTreeSet<StateFate>| {
        if fates.contains(&StateFate::Open) { StateFate::Open } else { StateFate::Safe }
    };
    found.iter().map(|(&label, fates)| (label, worst(fates))).collect()
}

fn check_decisive(case: &Case) -> Result<(), TestCaseError> {
    let lts = case.lts();
    let found = decisive_labels(&lts, &case.fates(&lts), &Budget::unlimited()).expect("no limit");
    let before = case.before_violations();
    // For each label the states and the number of its decisive steps.
    let mut expected: BTreeMap<char, (BTreeSet<u32>, usize)> = BTreeMap::new();
    for &at in before.keys().filter(|at| !case.violating.contains(at)) {
        for (label, to) in case.steps(at) {
            if case.fate(at) == StateFate::Open && case.fate(to) == StateFate::Lost {
                let entry = expected.entry(label).or_default();
                entry.0.insert(at);
                entry.1 += 1;
            }
        }
    }
    prop_assert_eq!(found.len(), expected.len());
    for decisive in &found {
        let (states, steps) = &expected[&letter(&lts, decisive.label)];
        prop_assert_eq!(decisive.steps, *steps);
        let at = decisive.state.to_u32();
        prop_assert!(states.contains(&at));
        prop_assert_eq!(Some(before[&at]), states.iter().map(|state| before[state]).min());
        prop_assert_eq!(decisive.path.len(), before[&at]);
        let mut reached = BTreeSet::from([case.initial]);
        for &label in &decisive.path {
            let steps = reached.iter().flat_map(|&at| case.steps(at));
            reached = steps.filter(|&(l, _)| l == letter(&lts, label)).map(|(_, to)| to).collect();
        }
        prop_assert!(reached.contains(&at));
        let instead: BTreeMap<char, StateFate> =
            decisive.instead.iter().map(|&Instead { label, fate }| (letter(&lts, label), fate)).collect();
        prop_assert_eq!(instead, without_losing(case, at));
        let everywhere = states.iter().map(|&at| without_losing(case, at).into_keys().collect());
        let everywhere: BTreeSet<char> =
            everywhere.reduce(|a: BTreeSet<char>, b| a.intersection(&b).copied().collect()).expect("a state");
        let always: BTreeSet<char> = decisive.always.iter().map(|&label| letter(&lts, label)).collect();
        prop_assert_eq!(always, everywhere);
    }
    Ok(())
}

/// Tags, neighbourhoods and shortest counterexamples follow from the fates.
fn check_tags(case: &Case) -> Result<(), TestCaseError> {
    let lts = case.lts();
    let (automaton, fates) = (LabelAutomaton::blind(lts.labels()), case.fates(&lts));
    let unlimited = Budget::unlimited();
    let analysis = SafetyAnalysis::of_states(&lts, &automaton, &fates, &unlimited).expect("no limit");
    let before = case.before_violations();
    let reached: BTreeSet<u32> = analysis.reached().map(|p| analysis.product.parts(p).0.to_u32()).collect();
    prop_assert_eq!(&reached, &before.keys().copied().collect::<BTreeSet<_>>());
    prop_assert_eq!(analysis.holds(), case.fate(case.initial) == StateFate::Safe);
    let mut places = 0;
    for position in analysis.reached() {
        let at = analysis.product.parts(position).0.to_u32();
        let over = case.violating.contains(&at);
        let steps = if over { BTreeSet::new() } else { case.steps(at) };
        let expected: BTreeSet<(char, u32, Tag)> = steps
            .iter()
            .map(|&(label, to)| {
                let tag = match case.fate(to) {
                    StateFate::Lost => Tag::Incorrect,
                    StateFate::Safe => Tag::Correct,
                    StateFate::Open => Tag::Neutral,
                };
                (label, to, tag)
            })
            .collect();
        let found: BTreeSet<(char, u32, Tag)> = analysis
            .tagged(position)
            .map(|step| (letter(&lts, step.label), analysis.product.parts(step.end).0.to_u32(), step.tag))
            .collect();
        let decides =
            case.fate(at) == StateFate::Open && expected.iter().any(|&(.., tag)| tag != Tag::Neutral);
        prop_assert_eq!(found, expected);
        prop_assert_eq!(analysis.is_neighbourhood(position), decides);
        places += usize::from(decides);
    }
    prop_assert_eq!(Counts::new(&analysis, &unlimited).expect("no limit").neighbourhoods, places);
    prop_assert_eq!(neighbourhoods(&analysis, usize::MAX, &unlimited).expect("no limit").len(), places);
    let nearest = before.iter().filter(|(at, _)| case.violating.contains(at)).map(|(_, &d)| d).min();
    let found = shortest(&analysis, Keep::FaultyStates, &unlimited).expect("no limit");
    prop_assert_eq!(found.map(|found| found.labels.len()), nearest);
    Ok(())
}

/// Without an environment, the tags are those of a property of labels, where every run counts: that no label is one of a
/// step into a violating state.
fn check_labels(case: &Case) -> Result<(), TestCaseError> {
    if case.environment.is_some() || case.violating.contains(&case.initial) {
        return Ok(());
    }
    let lts = case.lts();
    let unlimited = Budget::unlimited();
    let (blind, fates) = (LabelAutomaton::blind(lts.labels()), case.fates(&lts));
    let of_states = SafetyAnalysis::of_states(&lts, &blind, &fates, &unlimited).expect("no limit");
    // `A` to `C` are steps into states that do not violate the property, `X` others.
    let marked: Vec<(u32, char, u32)> = (0..STATES)
        .flat_map(|from| case.steps(from).into_iter().map(move |(label, to)| (from, label, to)))
        .map(|(from, label, to)| (from, if case.violating.contains(&to) { 'X' } else { label }, to))
        .collect();
    let marked = build(case.initial, &marked);
    let automaton = lts_common::automaton("[ true* . X ] false", &marked, Closure::Prefix);
    let of_labels =
        SafetyAnalysis::new(&marked, &automaton, Incorrect::EveryRun, &unlimited).expect("no limit");
    let by_state = |analysis: &SafetyAnalysis<'_>| -> BTreeMap<StateId, Tag> {
        let reached = analysis.reached().filter(|&p| !analysis.product.is_bad(p));
        reached.map(|p| (analysis.product.parts(p).0, analysis.tag(p))).collect()
    };
    prop_assert_eq!(by_state(&of_states), by_state(&of_labels));
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn fates_are_as_defined(case in cases()) {
        check_fates(&case)?;
        check_decisive(&case)?;
        check_tags(&case)?;
        check_labels(&case)?;
    }
}
