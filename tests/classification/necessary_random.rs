//! Necessary facts of random small models against enumeration of all their traces: facts of every violating trace, what none
//! has, and whether that tells them from other traces.

use crate::enumerated::{Case, Enumerated};
use crate::random::cases;
use crate::random_model::random_model;
use crate::symmetric_model::symmetric_model;
use cladist::budget::Budget;
use cladist::classify::facts::collect::Collector;
use cladist::classify::{
    Atom, AtomId, AtomOrigin, Atoms, Classification, ComparisonOperand, Constraint, FactKind, Grounding,
    Mode, NecessaryFacts, Necessity, Options, Problem, Reach, SharedFact, classify, classify_by_scripts,
    classify_unbounded,
};
use cladist::explore::{initial_states, successors};
use cladist::model::eval::eval_state;
use cladist::model::expr::ExprKind;
use cladist::model::value::{Label, Moment, State, Value};
use cladist::model::{Model, Observable, Vocabulary, VocabularyItem};
use cladist::sat::Backend;
use cladist::smt::Theory;
use cladist::smt_solver::SmtSolver;
use cladist::trace::Trace;
use cladist::unroll::Lengths;
use itertools::Itertools;
use std::collections::{BTreeMap, BTreeSet};

impl Case {
    fn full_options(&self, seed: u64, grounding: Grounding) -> Options {
        let backends = [Backend::Cadical, Backend::Varisat];
        Options {
            mode: if seed.is_multiple_of(3) { Mode::Cover } else { Mode::Sufficient },
            necessity: Necessity::Full,
            grounding,
            backend: backends[(seed % 2) as usize],
            ..Options::of(self.lengths)
        }
    }

    fn classify(&self, seed: u64, grounding: Grounding) -> Classification {
        let options = self.full_options(seed, grounding);
        let problem = Problem::first(&self.model).expect("an invariant");
        classify(problem, &self.model.vocabularies[0], &options, &Budget::unlimited(), &mut ())
    }

    /// The constraints that a fact is made of: one for each choice of individuals if it is so of each.
    fn parts(&self, atoms: &Atoms, fact: &SharedFact) -> Vec<Constraint> {
        if fact.of_each {
            let parts = fact.constraint.instances(&self.model, atoms, 1_000).expect("there are few");
            assert!(parts.len() > 1);
            parts
        } else {
            vec![fact.constraint.clone()]
        }
    }

    /// Checks that what is said is true.
    fn verify_necessary(&self, seed: u64, atoms: &Atoms, necessary: &NecessaryFacts) {
        assert!(necessary.full && necessary.undecided.is_empty() && necessary.more == 0, "seed {seed}");
        // Only traces that are at least as long as the shortest violation can lack a fact of all violating ones.
        let least = self.violating.iter().map(Trace::len).min().unwrap_or(0);
        let accepted = |found: &&Enumerated| !found.violates && found.trace.len() >= least;
        for fact in &necessary.always {
            let parts = self.parts(atoms, fact);
            let all = parts.iter().all(|part| self.violating.iter().all(|t| self.has(atoms, part, t)));
            assert!(all, "seed {seed}: {fact:?}");
            let lacks =
                |part| self.all.iter().filter(accepted).any(|found| !self.has(atoms, part, &found.trace));
            let told = parts.iter().any(lacks);
            assert_eq!(fact.telling, told, "seed {seed}: {fact:?}");
        }
        for fact in &necessary.never {
            assert!(!fact.of_each, "seed {seed}");
            let has = |t: &Trace| self.has(atoms, &fact.constraint, t);
            assert!(!self.violating.iter().any(has), "seed {seed}: {fact:?}");
            assert_eq!(fact.telling, self.all.iter().any(|found| has(&found.trace)), "seed {seed}: {fact:?}");
        }
    }

    /// What can be said of traces: labels, their arguments, and what the vocabulary names.
    fn vocabulary(&self) -> Vocabulary {
        let model = &self.model;
        let mut vocabulary = model.vocabularies[0].clone();
        let labels = Observable::of_labels(model).into_iter();
        vocabulary.items.extend(labels.map(VocabularyItem::Equal));
        vocabulary.items = vocabulary.items.into_iter().unique_by(VocabularyItem::identity).collect();
        vocabulary
    }

    /// Checks that nothing is missing that is not implied by something else; returns what is so of the violating traces.
    fn verify_all(&self, seed: u64, atoms: &Atoms, necessary: &NecessaryFacts) -> usize {
        let (vocabulary, own) = (self.vocabulary(), Atoms::default());
        let mut collector = Collector::new(&self.model, &vocabulary, &own);
        let budget = Budget::unlimited();
        let mut universe: BTreeSet<AtomId> = BTreeSet::new();
        for (index, item) in vocabulary.items.iter().enumerate() {
            if matches!(item, VocabularyItem::Across(left, right) if left.text == right.text) {
                continue;
            }
            universe.extend(collector.atoms_of(index, 1_000).expect("few values"));
        }
        let mut sets: Vec<BTreeSet<AtomId>> = Vec::new();
        for trace in &self.violating {
            let placed = collector.collect(&trace.moments, &budget).expect("no budget");
            sets.push(placed.iter().map(|placed| placed.atom).collect());
        }
        let always = sets.iter().fold(universe.clone(), |all, set| &all & set);
        let never = sets.iter().fold(universe.clone(), |all, set| &all - set);
        self.verify_listed(seed, (&own, &always, &never), atoms, necessary);
        always.len() + never.len()
    }

    /// Checks that nothing of what is expected, with its own atoms, is missing that is not implied by something else.
    fn verify_listed(
        &self,
        seed: u64,
        (own, always, never): (&Atoms, &BTreeSet<AtomId>, &BTreeSet<AtomId>),
        atoms: &Atoms,
        necessary: &NecessaryFacts,
    ) {
        let text = |atom: &AtomId| Constraint::of_atom(own, *atom).show_facts(&self.model, own);
        for atom in always {
            // A label is implied by its arguments, and these by the whole label.
            let (text, label) = (text(atom), label(own.get(*atom)));
            let mut listed = necessary.always.iter().flat_map(|fact| &fact.constraint.facts);
            let implied = listed.any(|fact| {
                let FactKind::Atom(id) = fact.kind else { return false };
                let same = Constraint::of_atom(atoms, id).show_facts(&self.model, atoms) == text;
                same || label.is_some_and(|label| !label.argument && argument_of(atoms.get(id), label.action))
            });
            assert!(implied, "seed {seed}: {text} is not in {:?}", necessary.always);
        }
        for atom in never {
            let (text, label) = (text(atom), label(own.get(*atom)));
            let implied = necessary.never.iter().any(|fact| {
                let FactKind::Atom(id) = fact.constraint.facts[0].kind else { return false };
                let same = fact.constraint.show_facts(&self.model, atoms) == text;
                let never = self::label(atoms.get(id)).filter(|label| !label.argument);
                same || label
                    .zip(never)
                    .is_some_and(|(own, never)| own.argument && own.action == never.action)
            });
            assert!(implied, "seed {seed}: {text} is not in {:?}", necessary.never);
        }
    }
}

/// The traces of a model of whatever length, by the states that they lead to.
struct AllLengths<'a> {
    model: &'a Model,
    /// The steps of each state that satisfies the invariant.
    steps: BTreeMap<State, Vec<(Label, State)>>,
    initial: Vec<State>,
    /// The least number of steps to a violation.
    least: usize,
}

impl<'a> AllLengths<'a> {
    fn of(model: &'a Model) -> Self {
        let initial = initial_states(model, 100_000).expect("few states");
        let (mut steps, mut least, mut length) = (BTreeMap::new(), None, 0);
        let mut layer = initial.clone();
        let invariant = model.properties[0].invariant().expect("an invariant");
        while !layer.is_empty() {
            let mut next = Vec::new();
            for state in layer {
                if steps.contains_key(&state) {
                    continue;
                }
                let moment = Moment { label: None, state: state.clone() };
                let mut out = Vec::new();
                if eval_state(model, invariant, &moment).is_true() {
                    out = successors(model, &state, 100_000).expect("few steps");
                } else {
                    least = least.or(Some(length));
                }
                next.extend(out.iter().map(|(_, to)| to.clone()));
                steps.insert(state, out);
            }
            layer = next;
            length += 1;
        }
        Self { model, steps, initial, least: least.unwrap_or_default() }
    }

    fn is_violated_in(&self, state: &State) -> bool {
        let invariant = self.model.properties[0].invariant().expect("an invariant");
        !eval_state(self.model, invariant, &Moment { label: None, state: state.clone() }).is_true()
    }

    /// Whether a trace of at least so many steps, violating or without violation, has a constraint about one position, or lacks it.
    fn exists(
        &self,
        atoms: &Atoms,
        constraint: &Constraint,
        violating: bool,
        inside: bool,
        least: usize,
    ) -> bool {
        assert_eq!(constraint.positions, 1);
        let has = |label: Option<&Label>, state: &State| {
            let moment = Moment { label: label.cloned(), state: state.clone() };
            constraint.matches(self.model, atoms, &[moment]).is_some()
        };
        let mut seen = BTreeSet::new();
        let starts = self.initial.iter().map(|state| (state.clone(), has(None, state), 0));
        let mut open: Vec<(State, bool, usize)> = starts.collect();
        while let Some(place) = open.pop() {
            if !seen.insert(place.clone()) {
                continue;
            }
            let (state, had, steps) = place;
            if self.is_violated_in(&state) == violating && had == inside && steps >= least {
                return true;
            }
            for (label, to) in &self.steps[&state] {
                open.push((to.clone(), had || has(Some(label), to), (steps + 1).min(least)));
            }
        }
        false
    }
}

/// Whether more of a trace than single moments is read.
fn reads_around(atoms: &Atoms, constraint: &Constraint) -> bool {
    constraint.facts.iter().any(|fact| match fact.kind {
        FactKind::Atom(atom) | FactKind::Absent(atom, _) => atoms.get(atom).expr.reads_around(),
        FactKind::Order(_) => false,
    })
}

/// With few states allowed, what is true of every length is proved by induction.
fn verify_every_length(seed: u64, limit: usize) -> Option<usize> {
    let case = Case::of(random_model(seed), Lengths::UpTo(4));
    let model = &case.model;
    let vocabulary = &model.vocabularies[0];
    let options = Options {
        mode: if seed.is_multiple_of(3) { Mode::Cover } else { Mode::Sufficient },
        necessity: Necessity::Full,
        grounding: Grounding::Everything,
        ..Options::of(Lengths::UpTo(0))
    };
    let reach = Reach { start: None, otherwise: 4, limit };
    let problem = Problem::first(model).expect("an invariant");
    let result = classify_unbounded(problem, vocabulary, &options, reach, &Budget::unlimited(), &mut ());
    let necessary = result.necessary.as_ref()?;
    assert!(necessary.full && necessary.every_length, "seed {seed}");
    let (atoms, all) = (&result.atoms, AllLengths::of(model));
    for (facts, inside) in [(&necessary.always, false), (&necessary.never, true)] {
        for fact in facts {
            let parts = case.parts(atoms, fact);
            for part in &parts {
                let refuted = |trace: &Trace| case.has(atoms, part, trace) == inside;
                assert!(!case.violating.iter().any(refuted), "seed {seed}: {fact:?}");
            }
            if parts.iter().any(|part| part.positions != 1 || reads_around(atoms, part)) {
                continue;
            }
            let wrong = parts.iter().any(|part| all.exists(atoms, part, true, inside, 0));
            assert!(!wrong, "seed {seed}: {fact:?}");
            let least = if inside { 0 } else { all.least };
            let told = parts.iter().any(|part| all.exists(atoms, part, false, inside, least));
            assert_eq!(fact.telling, told, "seed {seed}: {fact:?}");
        }
    }
    // What is missing is not so.
    let (vocabulary, own) = (case.vocabulary(), Atoms::default());
    let mut collector = Collector::new(model, &vocabulary, &own);
    let mut expected = [BTreeSet::new(), BTreeSet::new()];
    for (index, item) in vocabulary.items.iter().enumerate() {
        if matches!(item, VocabularyItem::Across(left, right) if left.text == right.text) {
            continue;
        }
        for atom in collector.atoms_of(index, 1_000).expect("few values") {
            let constraint = Constraint::of_atom(&own, atom);
            if constraint.positions != 1 || reads_around(&own, &constraint) {
                continue;
            }
            for (inside, set) in [false, true].into_iter().zip(&mut expected) {
                if !all.exists(&own, &constraint, true, inside, 0) {
                    set.insert(atom);
                }
            }
        }
    }
    let decidable = |constraint: &&Constraint| constraint.positions == 1 && !reads_around(atoms, constraint);
    let undecided = necessary.undecided.iter().filter(decidable);
    assert_eq!(undecided.count(), 0, "seed {seed}");
    let [always, never] = &expected;
    case.verify_listed(seed, (&own, always, never), atoms, necessary);
    Some(always.len() + never.len())
}

#[test]
fn necessary_facts_of_every_length_agree_with_all_reachable_states() {
    let found: Vec<usize> = (0..cases(100)).filter_map(|seed| verify_every_length(seed, 100_000)).collect();
    eprintln!("{} violated, {} facts", found.len(), found.iter().sum::<usize>());
    assert!(found.len() > 30 && found.iter().sum::<usize>() > 150);
}

#[test]
fn necessary_facts_of_every_length_are_proved_by_induction() {
    let found: Vec<usize> = (0..cases(40)).filter_map(|seed| verify_every_length(seed, 1)).collect();
    eprintln!("{} violated, {} facts", found.len(), found.iter().sum::<usize>());
    assert!(found.len() > 12 && found.iter().sum::<usize>() > 60);
}

/// What an atom says of the label of a step.
#[derive(Clone, Copy)]
struct AboutLabel {
    action: usize,
    /// Whether it is about an argument.
    argument: bool,
}

fn label(atom: &Atom) -> Option<AboutLabel> {
    let AtomOrigin::Equal { value: ComparisonOperand::Constant(value), .. } = &atom.origin else {
        return None;
    };
    let mut found = None;
    atom.expr.walk(&mut |expr| match (&expr.kind, value) {
        (&ExprKind::LabelArg { action, .. }, _) => found = Some(AboutLabel { action, argument: true }),
        (ExprKind::ActionLabel, Value::Enum(_, action)) => {
            found = Some(AboutLabel { action: *action as usize, argument: false });
        }
        _ => {}
    });
    found
}

fn argument_of(atom: &Atom, action: usize) -> bool {
    label(atom).is_some_and(|label| label.argument && label.action == action)
}

#[test]
fn necessary_facts_agree_with_enumeration() {
    let (mut violated, mut facts, mut telling) = (0, 0, 0);
    for seed in 0..cases(100) {
        let bound = 2 + (seed % 3) as usize;
        let lengths = if seed % 4 == 3 { Lengths::Exactly(bound) } else { Lengths::UpTo(bound) };
        let case = Case::of(random_model(seed), lengths);
        let result = case.classify(seed, Grounding::Everything);
        assert_eq!(result.necessary.is_some(), !case.violating.is_empty(), "seed {seed}");
        let Some(necessary) = &result.necessary else { continue };
        case.verify_necessary(seed, &result.atoms, necessary);
        facts += case.verify_all(seed, &result.atoms, necessary);
        violated += 1;
        telling += necessary.always.iter().chain(&necessary.never).filter(|fact| fact.telling).count();
    }
    eprintln!("{violated} violated, {facts} facts, {telling} of them telling");
    assert!(violated > 20 && facts > 160 && telling > 20);
}

/// By z3, if it is in PATH.
#[test]
fn necessary_facts_by_an_smt_solver_agree_with_enumeration() {
    let Some(solver) = SmtSolver::usual() else {
        eprintln!("skipped: z3 is not in PATH");
        return;
    };
    let (mut violated, mut facts, mut telling) = (0, 0, 0);
    for seed in 0..cases(16) {
        let case = Case::of(random_model(seed), Lengths::UpTo(2));
        let problem = Problem::first(&case.model).expect("an invariant");
        let (vocabulary, options) =
            (&case.model.vocabularies[0], case.full_options(seed, Grounding::Everything));
        let theory = if seed % 2 == 0 { Theory::Bv } else { Theory::Int };
        let (asked, budget) = ((&solver, theory), Budget::unlimited());
        let result = classify_by_scripts(problem, vocabulary, asked, &options, &budget, &mut ());
        let result = result.expect("an answer");
        assert_eq!(result.necessary.is_some(), !case.violating.is_empty(), "seed {seed}");
        let Some(necessary) = &result.necessary else { continue };
        case.verify_necessary(seed, &result.atoms, necessary);
        facts += case.verify_all(seed, &result.atoms, necessary);
        violated += 1;
        telling += necessary.always.iter().chain(&necessary.never).filter(|fact| fact.telling).count();
    }
    eprintln!("{violated} violated, {facts} facts, {telling} of them telling");
    assert!(violated > 3 && facts > 20 && telling > 2);
}

#[test]
fn necessary_facts_with_individuals_agree_with_enumeration() {
    let (mut violated, mut lifted, mut each) = (0, 0, 0);
    for seed in 0..cases(300) {
        let case = Case::of(symmetric_model(seed), Lengths::UpTo(2 + usize::from(seed % 4 == 0)));
        let result = case.classify(seed, Grounding::Nothing);
        let Some(necessary) = &result.necessary else { continue };
        case.verify_necessary(seed, &result.atoms, necessary);
        violated += 1;
        let all = || necessary.always.iter().chain(&necessary.never);
        lifted += all().filter(|fact| fact.constraint.is_lifted() && !fact.of_each).count();
        each += all().filter(|fact| fact.of_each).count();
        let texts = |facts: &[SharedFact]| {
            facts.iter().map(|f| f.constraint.show(&case.model, &result.atoms)).collect_vec()
        };
        assert!(texts(&necessary.always).iter().all_unique(), "seed {seed}: {:?}", texts(&necessary.always));
        assert!(texts(&necessary.never).iter().all_unique(), "seed {seed}: {:?}", texts(&necessary.never));
    }
    eprintln!("{violated} violated, {lifted} facts of some individuals, {each} of each");
    assert!(violated > 60 && lifted > 60 && each > 5);
}

#[test]
fn a_short_list_is_a_part_of_the_full_one() {
    let mut shown = 0;
    for seed in 0..cases(60) {
        let case = Case::of(random_model(seed), Lengths::UpTo(3));
        let full = case.classify(seed, Grounding::Everything);
        let options = Options { necessity: Necessity::Brief, ..Options::of(case.lengths) };
        let problem = Problem::first(&case.model).expect("an invariant");
        let vocabulary = &case.model.vocabularies[0];
        let brief = classify(problem, vocabulary, &options, &Budget::unlimited(), &mut ());
        let (Some(full), Some(brief)) = (&full.necessary, &brief.necessary) else { continue };
        for fact in brief.always.iter().chain(&brief.never) {
            assert!(fact.telling, "seed {seed}");
        }
        assert!(brief.always.len() <= 4 && brief.never.len() <= 4, "seed {seed}");
        assert!(brief.never.len() <= full.never.len(), "seed {seed}");
        shown += brief.always.len() + brief.never.len();
    }
    assert!(shown > 20);
}
