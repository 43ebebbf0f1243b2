//! Covers of the classes of random small models against enumeration of all their traces: every violating trace of a class is in a class of
//! the cover or left over, none of these can be left out or be had by all, and predicates are as few as possible.

use crate::enumerated::{Case, enough};
use crate::linked_model::linked_model;
use crate::random::cases;
use crate::random_model::random_model;
use crate::symmetric_model::symmetric_model;
use cladist::budget::Budget;
use cladist::classify::{
    Atoms, Class, Constraint, Grounding, Mode, Options, Problem, Restored, Verdict, classify,
    classify_within, classify_within_by_scripts,
};
use cladist::model::VocabularyItem;
use cladist::sat::Backend;
use cladist::smt::Theory;
use cladist::smt_solver::SmtSolver;
use cladist::trace::Trace;
use cladist::unroll::Lengths;
use itertools::Itertools;
use std::collections::BTreeSet;

/// The numbers of covers of some classes, by their results.
#[derive(Default)]
struct Found {
    /// The SMT solver that answers; the SAT solvers of the options without one.
    solver: Option<SmtSolver>,
    complete: usize,
    remainders: usize,
    necessary: usize,
    by_labels: usize,
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

    /// The predicates that happen in some of these traces of a class and not in all, each as the traces in which it does.
    fn predicates(&self, atoms: &Atoms, class: &Constraint, traces: &[&Trace]) -> Vec<BTreeSet<usize>> {
        let mut found = Vec::new();
        let own = Atoms::default();
        let vocabulary = &self.model.vocabularies[0];
        let mut collector = classify::facts::collect::Collector::new(&self.model, vocabulary, &own);
        let said = class.show_facts(&self.model, atoms);
        let said = said.split(" ∧ ").collect_vec();
        for (index, item) in vocabulary.items.iter().enumerate() {
            if !matches!(item, VocabularyItem::Predicate(..)) {
                continue;
            }
            for atom in collector.atoms_of(index, 1_000).expect("predicates have few") {
                let constraint = Constraint::of_atom(&own, atom);
                if said.contains(&constraint.show_facts(&self.model, &own).as_str()) {
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

    /// Checks the cover of one class.
    fn verify_within(&self, seed: u64, class: &Class, atoms: &Atoms, options: &Options, found: &mut Found) {
        let context = Restored { constraint: class.constraint.clone(), atoms: atoms.clone() };
        let problem = Problem::first(&self.model).expect("an invariant");
        let vocabulary = &self.model.vocabularies[0];
        let budget = Budget::unlimited();
        let result = match &found.solver {
            None => classify_within(problem, vocabulary, &context, options, &budget, &mut ()),
            Some(solver) => {
                let asked = (solver, if seed.is_multiple_of(2) { Theory::Bv } else { Theory::Int });
                let result = classify_within_by_scripts(
                    problem,
                    vocabulary,
                    &context,
                    asked,
                    options,
                    &budget,
                    &mut (),
                );
                result.expect("an answer")
            }
        };
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
        let listed: BTreeSet<Vec<usize>> = cover.combinations.iter().map(|c| c.classes.clone()).collect();
        assert_eq!(listed, together, "seed {seed}");
        for (number, class) in result.classes.iter().enumerate() {
            let others = without(&constraints, number);
            self.verify_class(seed, &result.atoms, class, &traces, &others);
            assert!(!traces.iter().all(|t| self.has(&result.atoms, &class.constraint, t)), "seed {seed}");
        }
        for constraint in &cover.necessary {
            assert!(traces.iter().all(|t| self.has(&result.atoms, constraint, t)), "seed {seed}");
        }
        let predicates = self.predicates(atoms, &class.constraint, &traces);
        let is_lifted = options.grounding == Grounding::Nothing;
        if let Some(trace) = &cover.remainder {
            let place = traces.iter().position(|t| *t == trace).expect("it is one of them");
            assert!(is_lifted || !predicates.iter().any(|places| places.contains(&place)), "seed {seed}");
        }
        let (named, labels): (Vec<&Constraint>, Vec<&Constraint>) =
            constraints.iter().partition(|c| c.has_predicate(&result.atoms));
        if result.minimum && !is_lifted {
            let any: BTreeSet<usize> = predicates.iter().flatten().copied().collect();
            let covered = |trace: &usize| named.iter().any(|c| self.has(&result.atoms, c, traces[*trace]));
            assert!(any.iter().all(covered), "seed {seed}");
            let by: Vec<BTreeSet<usize>> = any
                .iter()
                .map(|trace| predicates.iter().positions(|places| places.contains(trace)).collect())
                .collect();
            let by: Vec<&BTreeSet<usize>> = by.iter().collect();
            let fewer = named.len().checked_sub(1);
            assert!(fewer.is_none_or(|fewer| !enough(&by, fewer)), "seed {seed}: fewer would do");
        }
        found.complete += usize::from(left_over == 0);
        found.remainders += usize::from(left_over > 0);
        found.necessary += cover.necessary.len();
        found.by_labels += usize::from(!labels.is_empty());
    }

    fn run(&self, seed: u64, grounding: Grounding, found: &mut Found) {
        let options = self.options(seed, grounding);
        let problem = Problem::first(&self.model).expect("an invariant");
        let vocabulary = &self.model.vocabularies[0];
        let result = classify(problem, vocabulary, &options, &Budget::unlimited(), &mut ());
        if self.violating.is_empty() || !matches!(result.verdict, Verdict::Complete | Verdict::Remainder) {
            return;
        }
        for class in &result.classes {
            self.verify_within(seed, class, &result.atoms, &options, found);
        }
    }
}

/// All but one of them.
fn without<'a>(constraints: &[&'a Constraint], number: usize) -> Vec<&'a Constraint> {
    constraints.iter().enumerate().filter(|(other, _)| *other != number).map(|(_, c)| *c).collect()
}

#[test]
fn covers_of_classes_agree_with_enumeration() {
    let mut found = Found::default();
    for seed in 0..cases(250) {
        let bound = 2 + (seed % 3) as usize;
        let lengths = if seed % 4 == 3 { Lengths::Exactly(bound) } else { Lengths::UpTo(bound) };
        Case::of(random_model(seed), lengths).run(seed, Grounding::Everything, &mut found);
    }
    let Found { complete, remainders, necessary, by_labels, .. } = found;
    eprintln!("{complete} complete, {by_labels} by labels, {remainders} not, {necessary} necessary");
    assert!(complete > 20 && remainders > 60 && necessary > 20 && by_labels > 10);
}

#[test]
fn covers_of_classes_with_individuals_agree_with_enumeration() {
    let mut found = Found::default();
    for seed in 0..cases(250) {
        let case = match seed % 5 {
            1 => Case::of(linked_model(seed), Lengths::UpTo(2)),
            _ => Case::of(symmetric_model(seed), Lengths::UpTo(2 + usize::from(seed % 4 == 0))),
        };
        case.run(seed, Grounding::Nothing, &mut found);
    }
    let Found { complete, remainders, necessary, by_labels, .. } = found;
    eprintln!("{complete} complete, {by_labels} by labels, {remainders} not, {necessary} necessary");
    assert!(complete > 5 && remainders > 20 && by_labels > 5);
}

/// By z3, if it is in PATH.
#[test]
fn covers_of_classes_by_an_smt_solver_agree_with_enumeration() {
    let Some(solver) = SmtSolver::usual() else {
        eprintln!("skipped: z3 is not in PATH");
        return;
    };
    let mut found = Found { solver: Some(solver), ..Found::default() };
    for seed in 0..cases(12) {
        Case::of(random_model(seed), Lengths::UpTo(2)).run(seed, Grounding::Everything, &mut found);
    }
    let Found { complete, remainders, .. } = found;
    eprintln!("{complete} complete, {remainders} not");
    assert!(complete > 0 && remainders > 2);
}
