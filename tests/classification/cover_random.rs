//! Covers of random small models against enumeration of all their traces: what is covered, what is left over, that no smaller
//! cover exists, which classes suffice, and which of them occur together.

use crate::enumerated::{Case, enough};
use crate::random::cases;
use crate::random_model::random_model;
use crate::symmetric_model::symmetric_model;
use cladist::budget::Budget;
use cladist::classify::facts::collect::Collector;
use cladist::classify::{
    AtStart, AtomId, AtomOrigin, Atoms, Class, Classification, ComparisonOperand, Constraint, Grounding,
    Mode, Options, Problem, Verdict, classify, classify_by_scripts,
};
use cladist::explore::initial_states;
use cladist::model::VocabularyItem;
use cladist::model::eval::eval_state;
use cladist::model::value::{Moment, State, Value};
use cladist::sat::Backend;
use cladist::smt::Theory;
use cladist::smt_solver::SmtSolver;
use cladist::trace::Trace;
use cladist::unroll::Lengths;
use itertools::Itertools;
use std::collections::{BTreeMap, BTreeSet};

/// What happens in violating traces.
struct Happening {
    /// In each of them, but for what happens in all.
    things: Vec<BTreeSet<AtomId>>,
    /// How many things happen in all, and tell nothing apart.
    necessary: usize,
}

impl Case {
    fn cover_options(&self, seed: u64, grounding: Grounding) -> Options {
        let backends = [Backend::Cadical, Backend::Varisat];
        Options {
            mode: Mode::Cover,
            grounding,
            backend: backends[(seed % 2) as usize],
            check_backend: backends[((seed / 2) % 2) as usize],
            ..Options::of(self.lengths)
        }
    }

    fn cover(&self, seed: u64, grounding: Grounding) -> Classification {
        let problem = Problem::first(&self.model).expect("an invariant");
        let (vocabulary, options) = (&self.model.vocabularies[0], self.cover_options(seed, grounding));
        classify(problem, vocabulary, &options, &Budget::unlimited(), &mut ())
    }

    /// By scripts, over integers or bits.
    fn cover_by(&self, solver: &SmtSolver, seed: u64, grounding: Grounding) -> Classification {
        let problem = Problem::first(&self.model).expect("an invariant");
        let (vocabulary, options) = (&self.model.vocabularies[0], self.cover_options(seed, grounding));
        let theory = if seed.is_multiple_of(3) { Theory::Bv } else { Theory::Int };
        let budget = Budget::unlimited();
        let result = classify_by_scripts(problem, vocabulary, (solver, theory), &options, &budget, &mut ());
        result.expect("an answer")
    }

    /// What happens in each violating trace: predicates if the vocabulary has any, else what is observed, but for
    /// `none` and what happens in all of them.
    fn happening(&self) -> Happening {
        let vocabulary = &self.model.vocabularies[0];
        let atoms = Atoms::default();
        let mut collector = Collector::new(&self.model, vocabulary, &atoms);
        let budget = Budget::unlimited();
        let named = vocabulary.items.iter().any(|item| matches!(item, VocabularyItem::Predicate(..)));
        let is_thing = |id: &AtomId| match &atoms.get(*id).origin {
            AtomOrigin::Predicate { .. } => true,
            AtomOrigin::Equal { value: ComparisonOperand::Constant(Value::None), .. } => false,
            AtomOrigin::Across { left, right } | AtomOrigin::Ordered { left, right, strict: false }
                if left == right =>
            {
                false
            }
            _ => !named,
        };
        let mut sets: Vec<BTreeSet<AtomId>> = Vec::new();
        for trace in &self.violating {
            let placed = collector.collect(&trace.moments, &budget).expect("no budget");
            sets.push(placed.into_iter().map(|placed| placed.atom).filter(is_thing).collect());
        }
        let mut necessary = 0;
        if !named && let Some(first) = sets.first() {
            let shared: BTreeSet<AtomId> = sets.iter().fold(first.clone(), |all, set| &all & set);
            sets.iter_mut().for_each(|set| set.retain(|thing| !shared.contains(thing)));
            necessary = shared.len();
        }
        Happening { things: sets, necessary }
    }

    /// Checks everything that does not depend on how things are told apart.
    fn verify_cover(&self, seed: u64, result: &Classification, things: &[BTreeSet<AtomId>]) {
        let cover = result.cover.as_ref().expect("a cover");
        let left_over = self.violating.iter().zip(things).filter(|(_, things)| things.is_empty());
        let shortest = left_over.map(|(trace, _)| trace.len()).min();
        assert_eq!(cover.remainder.as_ref().map(Trace::len), shortest, "seed {seed}");
        let expected = if shortest.is_some() { Verdict::Remainder } else { Verdict::Complete };
        assert_eq!(result.verdict, expected, "seed {seed}");
        let has =
            |class: usize, trace: &Trace| self.has(&result.atoms, &result.classes[class].constraint, trace);
        for constraint in &cover.necessary {
            assert!(self.violating.iter().all(|t| self.has(&result.atoms, constraint, t)), "seed {seed}");
        }
        let classes_of = |trace: &Trace| (0..result.classes.len()).filter(|&c| has(c, trace)).collect_vec();
        let mut together: BTreeMap<Vec<usize>, usize> = BTreeMap::new();
        for (trace, things) in self.violating.iter().zip(things) {
            let classes = classes_of(trace);
            assert_eq!(classes.is_empty(), things.is_empty(), "seed {seed}: {trace:?}");
            let least = together.entry(classes).or_insert(usize::MAX);
            *least = trace.len().min(*least);
        }
        together.remove(&Vec::new());
        assert!(cover.all, "seed {seed}");
        let found = cover.combinations.iter().map(|c| (c.classes.clone(), c.trace.len()));
        assert_eq!(found.collect::<BTreeMap<_, _>>(), together, "seed {seed}");
        for combination in &cover.combinations {
            assert_eq!(classes_of(&combination.trace), combination.classes, "seed {seed}");
        }
        self.verify_start(seed, result);
        for (number, class) in result.classes.iter().enumerate() {
            let suffices = self.suffices(&result.atoms, &class.constraint);
            assert_eq!(class.sufficient, suffices, "seed {seed}: class {number}");
            let least = self.violating.iter().filter(|trace| has(number, trace)).map(Trace::len).min();
            assert_eq!(Some(class.representative.len()), least, "seed {seed}: class {number}");
            let canonical = class.canonical.as_ref().expect("no class is redundant");
            assert_eq!(classes_of(canonical), [number], "seed {seed}");
        }
    }
}

impl Case {
    /// Checks what is said to hold before anything happens.
    fn verify_start(&self, seed: u64, result: &Classification) {
        let model = &self.model;
        let invariant = model.properties[0].invariant().expect("an invariant");
        let holds = |constraint: &Constraint, state: &State| {
            let moment = Moment { label: None, state: state.clone() };
            constraint.matches(model, &result.atoms, &vec![moment; constraint.positions]).is_some()
        };
        let expected = |constraint: &Constraint| {
            let initial = initial_states(model, 100_000).expect("few states");
            let good = |state: &State| {
                eval_state(model, invariant, &Moment { label: None, state: state.clone() }).is_true()
            };
            match initial.iter().filter(|state| holds(constraint, state)).collect_vec().as_slice() {
                found if !found.is_empty() && found.len() == initial.len() => AtStart::Always,
                found if found.iter().any(|state| good(state)) => AtStart::Sometimes,
                _ => AtStart::Never,
            }
        };
        for class in &result.classes {
            assert_eq!(class.at_start, expected(&class.constraint), "seed {seed}: {:?}", class.constraint);
        }
        let cover = result.cover.as_ref().expect("a cover");
        let necessary = cover.necessary.iter().map(expected).collect_vec();
        assert_eq!(cover.at_start, necessary, "seed {seed}");
    }
}

#[test]
fn covers_agree_with_enumeration() {
    let (mut complete, mut remainder, mut several) = (0, 0, 0);
    for seed in 0..cases(150) {
        let bound = 2 + (seed % 3) as usize;
        let lengths = if seed % 4 == 3 { Lengths::Exactly(bound) } else { Lengths::UpTo(bound) };
        let mut model = random_model(seed);
        if seed % 2 == 0 {
            // What is observed is covered only where there are no predicates.
            let items = &mut model.vocabularies[0].items;
            items.retain(|item| !matches!(item, VocabularyItem::Predicate(..)));
        }
        let case = Case::of(model, lengths);
        let result = case.cover(seed, Grounding::Everything);
        if case.violating.is_empty() {
            assert_eq!(result.verdict, Verdict::Holds, "seed {seed}");
            continue;
        }
        let Happening { things, necessary } = case.happening();
        case.verify_cover(seed, &result, &things);
        let cover = result.cover.as_ref().expect("a cover");
        assert_eq!(cover.necessary.len(), necessary, "seed {seed}");
        let sets: Vec<&BTreeSet<AtomId>> = things.iter().filter(|set| !set.is_empty()).collect();
        let fewer = result.classes.len().checked_sub(1);
        assert!(fewer.is_none_or(|fewer| !enough(&sets, fewer)), "seed {seed}: fewer would do");
        complete += u32::from(result.verdict == Verdict::Complete);
        remainder += u32::from(result.verdict == Verdict::Remainder);
        several += u32::from(result.classes.len() > 1);
    }
    eprintln!("{complete} complete, {remainder} with something left over, {several} of several classes");
    assert!(complete > 20 && remainder > 20 && several > 7);
}

#[test]
fn covers_with_individuals_agree_with_enumeration() {
    let (mut complete, mut remainder, mut lifted) = (0, 0, 0);
    for seed in 0..cases(400) {
        let case = Case::of(symmetric_model(seed), Lengths::UpTo(2 + usize::from(seed % 4 == 0)));
        let result = case.cover(seed, Grounding::Nothing);
        if case.violating.is_empty() {
            assert_eq!(result.verdict, Verdict::Holds, "seed {seed}");
            continue;
        }
        // With individuals more things are shared by all violations, and take no part.
        let things = case.happening().things;
        let named = result.classes.iter().any(|class| class.constraint.has_predicate(&result.atoms));
        if named {
            case.verify_cover(seed, &result, &things);
        }
        complete += u32::from(result.verdict == Verdict::Complete);
        remainder += u32::from(result.verdict == Verdict::Remainder);
        lifted += u32::from(named && result.classes.iter().any(|class| class.constraint.is_lifted()));
    }
    eprintln!("{complete} complete, {remainder} with something left over, {lifted} with individuals");
    assert!(complete > 15 && remainder > 40 && lifted > 15);
}

/// By z3, if it is in PATH.
#[test]
fn covers_by_an_smt_solver_agree_with_enumeration() {
    let Some(solver) = SmtSolver::usual() else {
        eprintln!("skipped: z3 is not in PATH");
        return;
    };
    let (mut complete, mut remainder, mut several) = (0, 0, 0);
    for seed in 0..cases(40) {
        let lifted = seed % 4 == 1;
        let mut model = if lifted { symmetric_model(seed) } else { random_model(seed) };
        if seed % 2 == 0 {
            let items = &mut model.vocabularies[0].items;
            items.retain(|item| !matches!(item, VocabularyItem::Predicate(..)));
        }
        let case = Case::of(model, Lengths::UpTo(2 + usize::from(seed % 4 == 0)));
        let grounding = if lifted { Grounding::Nothing } else { Grounding::Everything };
        let result = case.cover_by(&solver, seed, grounding.clone());
        let usual = case.cover(seed, grounding);
        assert_eq!(result.verdict, usual.verdict, "seed {seed}");
        assert_eq!(result.classes.len(), usual.classes.len(), "seed {seed}");
        if case.violating.is_empty() {
            continue;
        }
        let cover = |result: &Classification| result.cover.as_ref().map(|cover| cover.necessary.len());
        assert_eq!(cover(&result), cover(&usual), "seed {seed}");
        let named = result.classes.iter().any(|class| class.constraint.has_predicate(&result.atoms));
        if named || !lifted {
            case.verify_cover(seed, &result, &case.happening().things);
        }
        complete += u32::from(result.verdict == Verdict::Complete);
        remainder += u32::from(result.verdict == Verdict::Remainder);
        several += u32::from(result.classes.len() > 1);
    }
    eprintln!("{complete} complete, {remainder} with something left over, {several} of several classes");
    assert!(complete > 2 && remainder > 2 && several > 0);
}

/// A vocabulary that is too weak is answered by a cover, and the pair that it cannot tell apart keeps its facts.
#[test]
fn weak_vocabularies_are_covered() {
    let (mut covered, mut left_over) = (0, 0);
    for seed in 0..cases(300) {
        let case = Case::of(random_model(seed), Lengths::UpTo(3));
        let problem = Problem::first(&case.model).expect("an invariant");
        let vocabulary = &case.model.vocabularies[0];
        let options = Options::of(case.lengths);
        let weak = classify(problem, vocabulary, &options, &Budget::unlimited(), &mut ());
        let cover = case.cover(seed, Grounding::default());
        let result = weak.clone().covered_by(cover.clone());
        if !matches!(weak.verdict, Verdict::TooWeak(_)) {
            assert_eq!(result, weak, "seed {seed}");
            continue;
        }
        let Verdict::TooWeak(pair) = &result.verdict else { panic!("seed {seed}: {:?}", result.verdict) };
        let shared = pair.constraint.matches(&case.model, &pair.atoms, &pair.counterexample.moments);
        assert!(shared.is_some(), "seed {seed}");
        assert!(pair.constraint.matches(&case.model, &pair.atoms, &pair.accepting.moments).is_some());
        assert_eq!((result.answer(), &result.classes), (&cover.verdict, &cover.classes), "seed {seed}");
        let in_a_class = |trace: &Trace| {
            let of = |class: &Class| class.constraint.matches(&case.model, &result.atoms, &trace.moments);
            result.classes.iter().any(|class| of(class).is_some())
        };
        let has_all = case.violating.iter().all(in_a_class);
        assert_eq!(has_all, *result.answer() == Verdict::Complete, "seed {seed}");
        covered += 1;
        left_over += usize::from(!has_all);
    }
    eprintln!("{covered} too weak, {left_over} of them with something left over");
    assert!(covered > 9 && left_over > 4 && left_over < covered);
}
