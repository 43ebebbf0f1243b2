//! Refinements of the classes of random small models against enumeration of all their traces: every violating trace of a class has
//! a cause if there are any, none of these can be left out or be had by all, and predicates are as few as possible.

use crate::enumerated::{Case, enough};
use crate::linked_model::linked_model;
use crate::random::cases;
use crate::random_model::random_model;
use crate::symmetric_model::symmetric_model;
use cladist::budget::Budget;
use cladist::classify::{
    Atoms, Cause, Class, Constraint, Grounding, Mode, Options, Problem, Refinement, Restored, Verdict,
    classify, classify_within,
};
use cladist::model::VocabularyItem;
use cladist::sat::Backend;
use cladist::trace::Trace;
use cladist::unroll::Lengths;
use itertools::Itertools;
use std::collections::BTreeSet;

/// What came of the refinements of some cases.
#[derive(Default)]
struct Found {
    refined: usize,
    remainders: usize,
    necessary: usize,
    by_labels: usize,
    nested: usize,
}

impl Case {
    fn options(&self, seed: u64, grounding: Grounding) -> Options {
        let backends = [Backend::Cadical, Backend::Varisat];
        Options {
            mode: if seed.is_multiple_of(2) { Mode::Cover } else { Mode::Sufficient },
            grounding,
            backend: backends[(seed / 2 % 2) as usize],
            ..Options::of(self.lengths)
        }
    }

    /// Checks a class of a context, of whose traces so many steps are taken before the violation.
    fn verify_class(
        &self,
        seed: u64,
        atoms: &Atoms,
        class: &Class,
        traces: &[&Trace],
        others: &[&Constraint],
    ) {
        let has = |trace: &Trace| self.has(atoms, &class.constraint, trace);
        let suffices = self.suffices(atoms, &class.constraint);
        assert_eq!(class.sufficient, suffices, "seed {seed}");
        let least = traces.iter().filter(|trace| has(trace)).map(|trace| trace.len()).min();
        assert_eq!(Some(class.representative.len()), least, "seed {seed}");
        let canonical = class.canonical.as_ref().expect("no class is redundant");
        assert!(has(canonical) && traces.contains(&canonical), "seed {seed}");
        assert!(!others.iter().any(|other| self.has(atoms, other, canonical)), "seed {seed}");
    }

    /// The predicates that happen in some of these traces and not in all, each as the traces in which it does.
    fn predicates(&self, atoms: &Atoms, said: &[&Constraint], traces: &[&Trace]) -> Vec<BTreeSet<usize>> {
        let mut found = Vec::new();
        let own = Atoms::default();
        let vocabulary = &self.model.vocabularies[0];
        let mut collector = classify::facts::collect::Collector::new(&self.model, vocabulary, &own);
        let said: Vec<String> = said
            .iter()
            .flat_map(|c| c.show_facts(&self.model, atoms).split(" ∧ ").map(str::to_owned).collect_vec())
            .collect();
        for (index, item) in vocabulary.items.iter().enumerate() {
            if !matches!(item, VocabularyItem::Predicate(..)) {
                continue;
            }
            for atom in collector.atoms_of(index, 1_000).expect("predicates have few") {
                let constraint = Constraint::of_atom(&own, atom);
                if said.contains(&constraint.show_facts(&self.model, &own)) {
                    continue;
                }
                let has = |(_, trace): &(usize, &&Trace)| self.has(&own, &constraint, trace);
                let places: BTreeSet<usize> = traces.iter().enumerate().filter(has).map(|(n, _)| n).collect();
                if !places.is_empty() && places.len() < traces.len() {
                    found.push(places);
                }
            }
        }
        found
    }

    /// Checks what is said of the traces that satisfy all of these constraints.
    fn verify_refinement(
        &self,
        seed: u64,
        atoms: &Atoms,
        context: &[&Constraint],
        refinement: &Refinement,
        found: &mut Found,
        lifted: bool,
    ) {
        let Refinement { causes, necessary, remainder, minimum, ended } = refinement;
        assert_eq!(*ended, None, "seed {seed}");
        let inside = |t: &&Trace| context.iter().all(|constraint| self.has(atoms, constraint, t));
        let traces: Vec<&Trace> = self.violating.iter().filter(inside).collect();
        assert!(!traces.is_empty(), "seed {seed}");
        for constraint in necessary {
            assert!(traces.iter().all(|t| self.has(atoms, constraint, t)), "seed {seed}");
        }
        found.necessary += necessary.len();
        assert_eq!(causes.is_empty(), remainder.is_some(), "seed {seed}");
        if let Some(trace) = remainder {
            assert!(traces.contains(&trace), "seed {seed}");
            let place = traces.iter().position(|t| *t == trace).expect("it is one of them");
            let predicates = self.predicates(atoms, context, &traces);
            assert!(lifted || !predicates.iter().any(|places| places.contains(&place)), "seed {seed}");
            found.remainders += 1;
            return;
        }
        found.refined += 1;
        let constraints: Vec<&Constraint> = causes.iter().map(|cause| &cause.class.constraint).collect();
        for trace in &traces {
            assert!(constraints.iter().any(|c| self.has(atoms, c, trace)), "seed {seed}: {trace:?}");
        }
        for (number, Cause { class, refinement }) in causes.iter().enumerate() {
            assert!(!traces.iter().all(|t| self.has(atoms, &class.constraint, t)), "seed {seed}");
            let others = without(&constraints, number);
            self.verify_class(seed, atoms, class, &traces, &others);
            let inner: Vec<&Constraint> = context.iter().copied().chain([&class.constraint]).collect();
            if let Some(refinement) = refinement {
                found.nested += 1;
                self.verify_refinement(seed, atoms, &inner, refinement, found, lifted);
            }
        }
        let (named, labels): (Vec<&Constraint>, Vec<&Constraint>) =
            constraints.iter().partition(|c| c.has_predicate(atoms));
        found.by_labels += usize::from(!labels.is_empty());
        if *minimum && !lifted {
            let predicates = self.predicates(atoms, context, &traces);
            let any: BTreeSet<usize> = predicates.iter().flatten().copied().collect();
            let covered = |trace: &&usize| named.iter().any(|c| self.has(atoms, c, traces[**trace]));
            assert!(any.iter().all(|trace| covered(&trace)), "seed {seed}");
            let by: Vec<BTreeSet<usize>> = any
                .iter()
                .map(|trace| predicates.iter().positions(|places| places.contains(trace)).collect())
                .collect();
            let fewer = named.len().checked_sub(1);
            let by: Vec<&BTreeSet<usize>> = by.iter().collect();
            assert!(fewer.is_none_or(|fewer| !enough(&by, fewer)), "seed {seed}: fewer would do");
        }
    }

    /// Checks the cover of one class.
    fn verify_within(&self, seed: u64, class: &Class, atoms: &Atoms, options: &Options) {
        let context = Restored { constraint: class.constraint.clone(), atoms: atoms.clone() };
        let problem = Problem::first(&self.model).expect("an invariant");
        let vocabulary = &self.model.vocabularies[0];
        let result = classify_within(problem, vocabulary, &context, options, &Budget::unlimited(), &mut ());
        let inside = |t: &&Trace| self.has(atoms, &class.constraint, t);
        let traces: Vec<&Trace> = self.violating.iter().filter(inside).collect();
        let cover = result.cover.as_ref().expect("a cover");
        let constraints: Vec<&Constraint> = result.classes.iter().map(|class| &class.constraint).collect();
        let classes_of =
            |trace: &Trace| constraints.iter().positions(|c| self.has(&result.atoms, c, trace)).collect_vec();
        let left_over = traces.iter().filter(|trace| classes_of(trace).is_empty()).count();
        let expected = if left_over == 0 { Verdict::Complete } else { Verdict::Remainder };
        assert_eq!(result.verdict, expected, "seed {seed}");
        assert_eq!(cover.remainder.is_some(), left_over > 0, "seed {seed}");
        let together: BTreeSet<Vec<usize>> =
            traces.iter().map(|trace| classes_of(trace)).filter(|classes| !classes.is_empty()).collect();
        let found: BTreeSet<Vec<usize>> = cover.combinations.iter().map(|c| c.classes.clone()).collect();
        assert_eq!(found, together, "seed {seed}");
        for (number, class) in result.classes.iter().enumerate() {
            let others = without(&constraints, number);
            self.verify_class(seed, &result.atoms, class, &traces, &others);
        }
    }

    fn run(&self, seed: u64, grounding: Grounding, found: &mut Found) {
        let lifted = grounding == Grounding::Nothing;
        let options = self.options(seed, grounding);
        let problem = Problem::first(&self.model).expect("an invariant");
        let vocabulary = &self.model.vocabularies[0];
        let mut result = classify(problem, vocabulary, &options, &Budget::unlimited(), &mut ());
        if self.violating.is_empty() || !matches!(result.verdict, Verdict::Complete | Verdict::Remainder) {
            return;
        }
        result.refine(problem, vocabulary, &options, 2, &Budget::unlimited(), &mut ());
        let refinements = result.refinements.as_ref().expect("they were asked for");
        assert_eq!(refinements.len(), result.classes.len());
        for (class, refinement) in result.classes.iter().zip(refinements) {
            self.verify_refinement(seed, &result.atoms, &[&class.constraint], refinement, found, lifted);
        }
        if seed.is_multiple_of(3)
            && let Some(class) = result.classes.first()
        {
            self.verify_within(seed, class, &result.atoms, &options);
        }
    }
}

/// All but one of them.
fn without<'a>(constraints: &[&'a Constraint], number: usize) -> Vec<&'a Constraint> {
    constraints.iter().enumerate().filter(|(other, _)| *other != number).map(|(_, c)| *c).collect()
}

#[test]
fn refinements_agree_with_enumeration() {
    let mut found = Found::default();
    for seed in 0..cases(250) {
        let bound = 2 + (seed % 3) as usize;
        let lengths = if seed % 4 == 3 { Lengths::Exactly(bound) } else { Lengths::UpTo(bound) };
        Case::of(random_model(seed), lengths).run(seed, Grounding::Everything, &mut found);
    }
    let Found { refined, remainders, necessary, by_labels, nested } = found;
    eprintln!(
        "{refined} refined, {by_labels} by labels, {nested} nested, {remainders} not, {necessary} necessary"
    );
    assert!(refined > 20 && remainders > 60 && necessary > 20 && by_labels > 10 && nested > 20);
}

#[test]
fn refinements_with_individuals_agree_with_enumeration() {
    let mut found = Found::default();
    for seed in 0..cases(250) {
        let case = match seed % 5 {
            1 => Case::of(linked_model(seed), Lengths::UpTo(2)),
            _ => Case::of(symmetric_model(seed), Lengths::UpTo(2 + usize::from(seed % 4 == 0))),
        };
        case.run(seed, Grounding::Nothing, &mut found);
    }
    let Found { refined, remainders, necessary, by_labels, nested } = found;
    eprintln!(
        "{refined} refined, {by_labels} by labels, {nested} nested, {remainders} not, {necessary} necessary"
    );
    assert!(refined > 10 && remainders > 20 && by_labels > 5);
}
