//! Classification of random small models against enumeration of all their traces by the reference
//! semantics: verdicts, earliest violations, class membership, coverage, redundancy, what each fact is
//! needed for. Both readings of a bound.

use crate::linked_model::linked_model;
use crate::random_model;
use crate::symmetric_model::symmetric_model;
use crate::table_model::table_model;

use crate::all_traces::all_traces;
use crate::conditions::account;
use crate::members::members;
use crate::random::{cases, seeds};
use cladist::budget::{Budget, Exhausted};
use cladist::classify::facts::collect::Collector;
use cladist::classify::{
    Assignment, Atom, AtomOrigin, Atoms, Class, Classification, Constraint, FactKind, Grounding, Necessity,
    Options, Problem, Stretch, TooWeak, Verdict, classify, classify_by_scripts,
};
use cladist::model::value::{Moment, Value};
use cladist::model::{Model, Position, Vocabulary, VocabularyItem, eval};
use cladist::sat::Backend;
use cladist::smt::Theory;
use cladist::smt_solver::SmtSolver;
use cladist::symmetry;
use cladist::trace::Trace;
use cladist::unroll::{BoundedResult, Lengths, check, exists};
use cladist::vocabulary::Inventory;
use itertools::Itertools;
use random_model::random_model;
use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::fs;
use std::mem::discriminant;
use std::time::Duration;

struct Case {
    model: Model,
    lengths: Lengths,
    traces: Vec<Trace>,
    /// After how many steps each trace first violates the invariant.
    first: Vec<Option<usize>>,
}

impl Case {
    fn new(seed: u64, lengths: fn(usize) -> Lengths) -> Self {
        let bound = 2 + (seed % 3) as usize;
        Self::of(random_model(seed), lengths(bound))
    }

    fn of(model: Model, lengths: Lengths) -> Self {
        let bound = lengths.bound();
        let mut traces = all_traces(&model, bound, 200_000).expect("random models are small");
        traces.retain(|t| lengths.all().contains(&t.len()));
        let invariant = model.properties[0].invariant().expect("an invariant").clone();
        let first = traces.iter().map(|t| eval::first_violation(&model, &invariant, &t.moments));
        let first = first.map(|at| at.map(Position::steps)).collect();
        Self { model, lengths, traces, first }
    }

    /// Absences of what the vocabulary can name, of which some facts at single positions are left out.
    fn allow_absences(&mut self, seed: u64) {
        let items = &mut self.model.vocabularies[0].items;
        let named: Vec<VocabularyItem> = items
            .iter()
            .filter_map(|item| match item {
                VocabularyItem::Equal(observable) => Some(VocabularyItem::Absent(observable.clone())),
                _ => None,
            })
            .collect();
        let mut index = 0;
        items.retain(|item| {
            index += usize::from(matches!(item, VocabularyItem::Equal(_)));
            !matches!(item, VocabularyItem::Equal(_)) || !(index as u64 + seed).is_multiple_of(3)
        });
        items.extend(named);
    }

    /// A vocabulary of conditions of violating steps, if the model has some that can be said.
    fn speak_of_conditions(&mut self) -> bool {
        let offered = Inventory::of(Problem::first(&self.model).expect("an invariant"));
        let words = offered.literals.iter().chain([&offered.action]);
        let items = words.flat_map(|word| &word.leaves).cloned().map(VocabularyItem::Equal);
        self.model.vocabularies[0].items = items.chain([VocabularyItem::Before]).collect();
        !offered.literals.is_empty()
    }

    fn violates(&self, trace: &Trace) -> bool {
        self.first[self.index(trace)].is_some()
    }

    /// What counterexamples are ranked by: their length, or how soon they violate the invariant.
    fn rank(&self, trace: usize) -> usize {
        match self.lengths {
            Lengths::UpTo(_) => self.traces[trace].len(),
            Lengths::Exactly(_) => self.first[trace].unwrap_or(usize::MAX),
        }
    }

    fn least_rank<'a>(&self, traces: impl IntoIterator<Item = &'a usize>) -> Option<usize> {
        // A counterexample ends in its first violation, unless its length is given.
        let ends =
            |&&t: &&usize| self.first[t].is_some_and(|s| self.lengths.whole(s) == self.traces[t].len());
        traces.into_iter().filter(ends).map(|&t| self.rank(t)).min()
    }

    fn options(&self, seed: u64) -> Options {
        let backends = [Backend::Cadical, Backend::Varisat];
        Options {
            keep_redundant: seed.is_multiple_of(5),
            backend: backends[(seed % 2) as usize],
            check_backend: backends[((seed / 2) % 2) as usize],
            // With one counterexample of each orbit, and with all.
            orbits_from: if (seed / 3).is_multiple_of(2) { 0 } else { usize::MAX },
            ..Options::of(self.lengths)
        }
    }

    fn classify(&self, options: &Options) -> Classification {
        let problem = Problem::first(&self.model).expect("an invariant");
        let vocabulary = &self.model.vocabularies[0];
        classify(problem, vocabulary, options, &Budget::unlimited(), &mut ())
    }

    /// Indices of the traces in a class, by the reference semantics.
    fn matching(&self, atoms: &Atoms, constraint: &Constraint) -> BTreeSet<usize> {
        let all = self.traces.iter().enumerate();
        let inside = |trace: &Trace| constraint.matches(&self.model, atoms, &trace.moments).is_some();
        all.filter(|(_, t)| inside(t)).map(|(i, _)| i).collect()
    }

    fn index(&self, trace: &Trace) -> usize {
        self.traces.iter().position(|t| t == trace).expect("a trace of the model")
    }
}

const LENGTHS: [fn(usize) -> Lengths; 2] = [Lengths::UpTo, Lengths::Exactly];

/// The order of two traces by their first `steps` steps: by their initial states, then step by step by the
/// action, its arguments and what it leaves open.
fn earlier(a: &Trace, b: &Trace, steps: usize) -> Ordering {
    let label = |m: &Moment| m.label.as_ref().map(|l| l.action);
    let args = |m: &Moment| m.label.iter().flat_map(|l| l.args.clone()).collect::<Vec<_>>();
    let moments = a.moments.iter().zip(&b.moments).take(steps + 1).map(|(a, b)| {
        label(a)
            .cmp(&label(b))
            .then(all_in_order(&args(a), &args(b)))
            .then(all_in_order(&a.state.0, &b.state.0))
    });
    moments.fold(Ordering::Equal, Ordering::then)
}

fn all_in_order<'v>(
    a: impl IntoIterator<Item = &'v Value>,
    b: impl IntoIterator<Item = &'v Value>,
) -> Ordering {
    a.into_iter().zip(b).map(|(a, b)| in_order(a, b)).fold(Ordering::Equal, Ordering::then)
}

/// Sets come by their least members: those without come first.
fn in_order(a: &Value, b: &Value) -> Ordering {
    match (a, b) {
        (Value::Set(a), Value::Set(b)) => match a.symmetric_difference(b).next() {
            Some(member) => a.contains(member).cmp(&b.contains(member)),
            None => Ordering::Equal,
        },
        (Value::Record(_, a), Value::Record(_, b)) => all_in_order(a, b),
        (Value::Map(a), Value::Map(b)) => all_in_order(a.values(), b.values()),
        _ => a.cmp(b),
    }
}

#[test]
fn the_bounded_check_agrees_with_enumeration() {
    for lengths in LENGTHS {
        let mut violated = 0;
        for seed in seeds(100) {
            let case = Case::new(seed, lengths);
            let invariant = case.model.properties[0].invariant().expect("an invariant");
            let soonest = case.first.iter().flatten().min().copied();
            let backend = [Backend::Cadical, Backend::Varisat][(seed % 2) as usize];
            match check(&case.model, invariant, case.lengths, backend, &Budget::unlimited(), &mut ()) {
                BoundedResult::Holds => assert_eq!(soonest, None, "seed {seed}"),
                BoundedResult::Violated(trace) => {
                    violated += 1;
                    assert_eq!(case.first[case.index(&trace)], soonest, "seed {seed}");
                    assert_eq!(soonest.map(|s| case.lengths.whole(s)), Some(trace.len()), "seed {seed}");
                    let steps = soonest.expect("it is violated");
                    for rival in (0..case.traces.len()).filter(|&t| case.first[t] == soonest) {
                        let rival = &case.traces[rival];
                        let after = rival.len() != trace.len() || earlier(&trace, rival, steps).is_le();
                        assert!(after, "seed {seed}: {rival:?} comes before {trace:?}");
                    }
                }
                BoundedResult::Undecided { .. } => panic!("seed {seed}: no budget was set"),
            }
            let any = exists(&case.model, case.lengths, backend, &Budget::unlimited());
            assert_eq!(any, Some(!case.traces.is_empty()), "seed {seed}");
        }
        assert!(
            violated > cases(100) / 5,
            "only {violated} models violate their invariant: the test says little"
        );
    }
}

#[test]
fn classifications_agree_with_enumeration() {
    agree_with_enumeration(Lengths::UpTo);
}

#[test]
fn classifications_of_traces_of_exact_length_agree_with_enumeration() {
    agree_with_enumeration(Lengths::Exactly);
}

/// Models of sessions that are mostly alike, so that classes have individuals, and the same with values as they are.
#[test]
fn classifications_with_individuals_agree_with_enumeration() {
    let (mut verified, mut lifted, mut fewer) = (Verified::default(), 0, 0);
    for seed in seeds(500) {
        let bound = if seed % 4 == 0 { 3 } else { 2 };
        let lengths = LENGTHS[usize::from(seed % 3 == 0)](bound);
        let case = Case::of(symmetric_model(seed), lengths);
        let ground = case.classify(&Options { grounding: Grounding::Everything, ..case.options(seed) });
        let options = case.options(seed);
        let result = case.classify(&options);
        assert_eq!(discriminant(&result.verdict), discriminant(&ground.verdict), "seed {seed}");
        if verified.add(seed, &case, &options, &result) {
            lifted += u32::from(result.classes.iter().any(|c| c.constraint.is_lifted()));
            let kinds = |r: &Classification| r.classes.iter().filter(|c| !c.redundant).count();
            fewer += u32::from(kinds(&result) < kinds(&ground));
        }
    }
    let Verified { complete, weak } = verified;
    eprintln!("{complete} complete, {lifted} with individuals, {fewer} with fewer classes; {weak} too weak");
    assert!(complete > 66 && lifted > 33 && fewer > 23 && weak > 23);
}

/// Models in which tables decide which agents and items go together, so that some individuals are free only where others are not.
#[test]
fn classifications_of_tables_agree_with_enumeration() {
    let (mut verified, mut lifted) = (Verified::default(), 0);
    // In the last one, what a class needs whose items are free follows from nothing that frees agents as well.
    for seed in seeds(200).chain([844]) {
        let case = Case::of(table_model(seed), Lengths::UpTo(3));
        let options = case.options(seed);
        let result = case.classify(&options);
        if verified.add(seed, &case, &options, &result) {
            lifted += u32::from(result.classes.iter().any(|c| c.constraint.is_lifted()));
        }
    }
    let Verified { complete, weak } = verified;
    eprintln!("{complete} complete, {lifted} with individuals; {weak} too weak");
    assert!(complete > 40 && lifted > 20 && weak > 10);
}

/// That one counterexample of each orbit is asked about changes nothing that is shown.
#[test]
fn orbits_change_no_result() {
    let (mut symmetric, mut lifted) = (0, 0);
    for seed in seeds(300) {
        let model = if seed % 3 == 0 { linked_model(seed) } else { symmetric_model(seed) };
        let problem = Problem::first(&model).expect("an invariant");
        let result = |orbits_from| {
            let options = Options { orbits_from, ..Options::of(Lengths::UpTo(3)) };
            classify(problem, &model.vocabularies[0], &options, &Budget::unlimited(), &mut ())
        };
        let shown = |result: &Classification| -> Vec<_> {
            let shown = |c: &Class| {
                let traces = (c.representative.clone(), c.canonical.clone(), c.needed.clone());
                (c.constraint.show(&model, &result.atoms), traces, c.redundant)
            };
            result.classes.iter().map(shown).collect()
        };
        let [with, without] = [0, usize::MAX].map(result);
        assert_eq!(discriminant(&with.verdict), discriminant(&without.verdict), "seed {seed}");
        assert_eq!(shown(&with), shown(&without), "seed {seed}");
        let is_lifted = with.classes.iter().any(|c| c.constraint.is_lifted());
        lifted += u32::from(is_lifted);
        let symmetries = || symmetry::find(&model, vec![problem.invariant], &Budget::unlimited());
        symmetric += u32::from(is_lifted && !symmetries().classes().is_empty());
    }
    eprintln!("{lifted} with individuals, {symmetric} of them with values that are interchangeable");
    assert!(symmetric > 20);
}

/// Models of sessions with tokens of their own, so that individuals are tied to each other.
#[test]
fn classifications_with_ties_agree_with_enumeration() {
    let (mut verified, mut lifted, mut tied, mut related) = (Verified::default(), 0, 0, 0);
    // In the last one, of two forms of a class, without a tie and with it, each has a counterexample that the other has not.
    for seed in seeds(400).chain([18_900]) {
        let model = linked_model(seed);
        let bound = if model.actions.len() == 2 && seed % 4 != 0 { 3 } else { 2 };
        let case = Case::of(model, LENGTHS[usize::from(seed % 3 == 0)](bound));
        let options = case.options(seed);
        let result = case.classify(&options);
        if verified.add(seed, &case, &options, &result) {
            let shown = |c: &Class| c.constraint.show(&case.model, &result.atoms);
            let is_tied = |text: &str| ["token(s", "OF[s", "owner(t"].iter().any(|f| text.contains(f));
            let texts: Vec<String> = result.classes.iter().map(shown).collect();
            lifted += u32::from(result.classes.iter().any(|c| c.constraint.is_lifted()));
            tied += u32::from(texts.iter().any(|text| is_tied(text)));
            related += u32::from(result.classes.iter().any(|c| has_relation(&result.atoms, c)));
        }
    }
    let Verified { complete, weak } = verified;
    eprintln!(
        "{complete} complete, {lifted} with individuals, {tied} tied, {related} by a fact; {weak} too weak"
    );
    assert!(complete > 40 && lifted > 25 && tied > 4 && related > 0 && weak > 10);
}

/// Whether a fact of a class says that the model ties two individuals.
fn has_relation(atoms: &Atoms, class: &Class) -> bool {
    let ties = |(atom, _): (&Atom, _)| matches!(atom.origin, AtomOrigin::Related { .. });
    class.constraint.atoms(atoms).any(ties)
}

#[test]
fn classifications_with_absences_agree_with_enumeration() {
    for lengths in LENGTHS {
        let (mut verified, mut absent) = (Verified::default(), 0);
        for seed in seeds(125) {
            let mut case = Case::new(seed, lengths);
            case.allow_absences(seed);
            let options = case.options(seed);
            let result = case.classify(&options);
            if verified.add(seed, &case, &options, &result) {
                absent += usize::from(result.classes.iter().any(|c| c.constraint.has_absences()));
            }
            if let Verdict::TooWeak(pair) = &result.verdict {
                verify_absences_are_shared(seed, &case, pair);
            }
        }
        let Verified { complete, weak } = verified;
        eprintln!("{complete} complete, {absent} of them with absences; {weak} too weak");
        assert!(complete > 30 && absent > 3 && weak > 1);
    }
}

/// With the conditions of violating steps, which are truth values that read arguments and the state before.
#[test]
fn classifications_by_conditions_agree_with_enumeration() {
    let (mut verified, mut used) = (Verified::default(), 0);
    for seed in seeds(300) {
        let mut case = Case::of(account(seed), LENGTHS[usize::from(seed % 3 == 0)](2 + (seed % 2) as usize));
        if !case.speak_of_conditions() {
            continue;
        }
        let options = case.options(seed);
        let result = case.classify(&options);
        if verified.add(seed, &case, &options, &result) {
            let conditions = case.model.vocabularies[0].items.len() - 2;
            let is_condition = |(atom, _): (&Atom, _)| atom.item < conditions;
            used +=
                u32::from(result.classes.iter().any(|c| c.constraint.atoms(&result.atoms).any(is_condition)));
        }
    }
    let Verified { complete, weak } = verified;
    eprintln!("{complete} complete, {used} with conditions; {weak} too weak");
    assert!(complete > 40 && used > 20 && weak > 5);
}

/// By z3, which is asked with scripts. What it finds first is up to it.
#[test]
fn classifications_by_an_smt_solver_agree_with_enumeration() {
    let Some(solver) = SmtSolver::usual() else {
        eprintln!("skipped: z3 is not in PATH");
        return;
    };
    let (mut verified, mut lifted, mut absent) = (Verified::default(), 0, 0);
    for seed in seeds(16) {
        let model = match seed % 4 {
            0 => symmetric_model(seed),
            2 => linked_model(seed),
            _ => random_model(seed),
        };
        let mut case = Case::of(model, Lengths::UpTo(2));
        if seed % 4 == 1 {
            case.allow_absences(seed);
        }
        let options = Options { keep_redundant: seed % 5 == 0, ..Options::of(case.lengths) };
        let theory = if seed % 3 == 0 { Theory::Bv } else { Theory::Int };
        let problem = Problem::first(&case.model).expect("an invariant");
        let (vocabulary, asked) = (&case.model.vocabularies[0], (&solver, theory));
        let budget = Budget::unlimited();
        let result = classify_by_scripts(problem, vocabulary, asked, &options, &budget, &mut ());
        let result = result.expect("an answer");
        let usual = case.classify(&options);
        assert_eq!(discriminant(&result.verdict), discriminant(&usual.verdict), "seed {seed}");
        if verified.add(seed, &case, &options, &result) {
            lifted += u32::from(result.classes.iter().any(|c| c.constraint.is_lifted()));
            absent += u32::from(result.classes.iter().any(|c| c.constraint.has_absences()));
            assert!(result.checked_by.is_some(), "seed {seed}");
        }
    }
    let Verified { complete, weak } = verified;
    eprintln!("{complete} complete, {lifted} with individuals, {absent} with absences; {weak} too weak");
    assert!(complete > 4 && lifted > 0);
}

#[test]
fn a_limit_or_a_solver_that_fails_ends_a_classification_by_scripts() {
    let model = (0..).map(random_model).find(|model| {
        let case = Case::of(model.clone(), Lengths::UpTo(2));
        case.classify(&Options::of(case.lengths)).verdict == Verdict::Complete
    });
    let model = model.expect("some model is classified");
    let problem = Problem::first(&model).expect("an invariant");
    let options = Options::of(Lengths::UpTo(2));
    let ask = |command: &str, budget: &Budget| {
        let solver = SmtSolver::parse(command).expect("a command");
        let vocabulary = &model.vocabularies[0];
        classify_by_scripts(problem, vocabulary, (&solver, Theory::Int), &options, budget, &mut ())
    };
    let budget = Budget::unlimited().with_timeout(Duration::from_millis(200));
    let result = ask("sleep 100", &budget).expect("a limit is no error");
    assert!(matches!(result.verdict, Verdict::Undecided { why: Exhausted::Time, depth: 0 }));
    for (command, said) in
        [("echo unknown", "unknown"), ("no-such-solver", "started"), ("true", "without output")]
    {
        let why = ask(command, &Budget::unlimited()).expect_err("no answer");
        assert!(why.to_string().contains(said), "{why}");
    }
}

/// A solver that gives up at the last question, which is beside the search, costs nothing but its answer.
#[test]
fn a_solver_that_fails_beside_the_search_leaves_the_classes() {
    const NEVER: usize = 1_000_000;
    if SmtSolver::usual().is_none() {
        eprintln!("skipped: z3 is not in PATH");
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let (calls, script) = (folder.path().join("calls"), folder.path().join("solver"));
    let solver = SmtSolver::parse(&format!("sh {}", script.display())).expect("a command");
    let mut lost = 0;
    for seed in 0..12 {
        let case = Case::of(random_model(seed), Lengths::UpTo(2));
        let problem = Problem::first(&case.model).expect("an invariant");
        // By z3, but for starts of it from this one on; also returns their number.
        let classify = |necessity: Necessity, fails_from: usize| {
            let text = format!(
                "echo >> {calls}\n[ $(wc -l < {calls}) -lt {fails_from} ] && exec z3 -in\necho unknown\n",
                calls = calls.display()
            );
            fs::write(&script, text).expect("a script");
            fs::write(&calls, "").expect("a file");
            let options = Options { necessity, self_check: false, ..Options::of(case.lengths) };
            let (vocabulary, asked, budget) =
                (&case.model.vocabularies[0], (&solver, Theory::Int), Budget::unlimited());
            let result = classify_by_scripts(problem, vocabulary, asked, &options, &budget, &mut ());
            let starts = fs::read_to_string(&calls).expect("lines").lines().count();
            (result.expect("an answer"), starts)
        };
        let (whole, starts) = classify(Necessity::Brief, NEVER);
        if whole.verdict != Verdict::Complete || classify(Necessity::Unasked, NEVER).1 == starts {
            continue;
        }
        let (result, _) = classify(Necessity::Brief, starts);
        assert_eq!((&result.verdict, &result.classes), (&whole.verdict, &whole.classes), "seed {seed}");
        lost += 1;
    }
    assert!(lost > 0);
}

/// What is nowhere between two positions of the counterexample, or before one, is nowhere between the places that
/// they have in the accepting trace.
fn verify_absences_are_shared(seed: u64, case: &Case, pair: &TooWeak) {
    let atoms = Atoms::default();
    let mut collector = Collector::new(&case.model, &case.model.vocabularies[0], &atoms);
    let (ours, theirs) = (&pair.counterexample.moments, &pair.accepting.moments);
    let positions = pair.counterexample.positions();
    let all = [None].into_iter().chain(positions.clone().map(Some));
    for what in collector.occurrences(ours) {
        // A stretch begins before it ends; positions that no fact puts in order may be the other way round in theirs.
        let stretches =
            all.clone().cartesian_product(positions.clone()).filter(|(from, to)| *from < Some(*to));
        for (from, to) in stretches {
            let first = |at: Option<Position>| at.map_or(Position::FIRST, Position::next);
            if !what.positions.iter().any(|t| (first(from)..to).contains(t)) {
                let places = &pair.positions;
                let stretch = first(from.map(|p| places[p.index()]))..places[to.index()];
                let holds = |t: Position| atoms.get(what.atom).holds(&case.model, theirs, &[t], &[]);
                assert!(!Position::range(stretch).any(holds), "seed {seed}: {what:?} from {from:?} to {to}");
            }
        }
    }
}

/// How many classifications were verified, by their verdicts.
#[derive(Default)]
struct Verified {
    complete: u32,
    weak: u32,
}

impl Verified {
    /// Verifies what a classification without a budget says, and counts it. Returns whether it is complete.
    fn add(&mut self, seed: u64, case: &Case, options: &Options, result: &Classification) -> bool {
        let any = case.first.iter().any(Option::is_some);
        match &result.verdict {
            Verdict::Holds => assert!(!any, "seed {seed}"),
            Verdict::Complete => {
                assert!(any, "seed {seed}");
                self.complete += 1;
                verify_complete(seed, case, options, result);
            }
            Verdict::TooWeak(pair) => {
                self.weak += 1;
                verify_weak(seed, case, &result.atoms, pair);
            }
            other => panic!("seed {seed}: no budget was set, yet {other:?}"),
        }
        result.verdict == Verdict::Complete
    }
}

fn verify_weak(seed: u64, case: &Case, atoms: &Atoms, pair: &TooWeak) {
    assert!(case.violates(&pair.counterexample), "seed {seed}");
    assert!(!case.violates(&pair.accepting), "seed {seed}");
    let moments = &pair.accepting.moments;
    for fact in &pair.constraint.facts {
        let at = |positions: Vec<Position>| Assignment { positions, ..Assignment::default() };
        assert!(fact.holds(&case.model, atoms, moments, &at(pair.positions.clone())), "seed {seed}");
        let own = at(Position::all(pair.constraint.positions).collect());
        assert!(fact.holds(&case.model, atoms, &pair.counterexample.moments, &own), "seed {seed}");
    }
}

/// What a vocabulary cannot tell apart, another one that cannot either is said not to without classifying, and is too weak.
#[test]
fn known_weaknesses_agree_with_classifications() {
    let (mut remaining, mut gone) = (0, 0);
    for (seed, lengths) in seeds(100).cartesian_product(LENGTHS) {
        let mut case = Case::new(seed, lengths);
        if seed.is_multiple_of(2) {
            case.allow_absences(seed);
        }
        let options = case.options(seed);
        let whole = case.model.vocabularies[0].clone();
        let part = |keep: u64| {
            let items = whole.items.iter().zip(0u32..).filter(|(_, index)| keep >> (index % 64) & 1 == 1);
            Vocabulary { items: items.map(|(item, _)| item.clone()).collect(), ..whole.clone() }
        };
        let mut random = fastrand::Rng::with_seed(seed);
        let small = random.u64(..) & random.u64(..);
        case.model.vocabularies[0] = part(small);
        let Verdict::TooWeak(weak) = case.classify(&options).verdict else { continue };
        let [few, half, other] = [random.u64(..) & random.u64(..), random.u64(..), random.u64(..)];
        for items in [small, small | few, small | half, u64::MAX, other] {
            case.model.vocabularies[0] = part(items);
            let another = &case.model.vocabularies[0];
            let remains = weak.remains_with(&case.model, another, case.lengths, &Budget::unlimited());
            let remains = remains.expect("no limit");
            let absences = another.items.iter().any(|item| matches!(item, VocabularyItem::Absent(_)));
            if items == small && !absences {
                assert!(remains, "seed {seed}: it is not the weakness of its own vocabulary");
            }
            if remains {
                remaining += 1;
                let verdict = case.classify(&options).verdict;
                assert!(matches!(verdict, Verdict::TooWeak(_)), "seed {seed}: {verdict:?}");
            } else {
                gone += 1;
            }
        }
    }
    eprintln!("{remaining} remain, {gone} do not");
    assert!(remaining > 40 && gone > 20, "{remaining} remain, {gone} do not");
}

fn agree_with_enumeration(lengths: fn(usize) -> Lengths) {
    let (mut verified, mut several, mut across, mut redundant, mut silent) =
        (Verified::default(), 0, 0, 0, [0; 2]);
    for seed in seeds(250) {
        let case = Case::new(seed, lengths);
        let options = case.options(seed);
        let result = case.classify(&options);
        if verified.add(seed, &case, &options, &result) {
            several += u32::from(result.classes.len() > 1);
            redundant += result.statistics.redundant;
            let quiet = verify_silence(seed, &case, &result);
            silent = [silent[0] + quiet[0], silent[1] + quiet[1]];
            across += u32::from(result.classes.iter().any(|c| !c.constraint.is_local(&result.atoms)));
        }
    }
    let Verified { complete, weak } = verified;
    eprintln!(
        "{complete} complete, {weak} too weak, {several} with several classes, {across} with \
         facts across positions, {redundant} redundant classes, {silent:?} silent predicates"
    );
    assert!(complete > 60 && weak > 9 && several > 1 && across > 6 && redundant > 1);
    assert!(silent[0] > 1 && silent[1] > 1);
}

/// What is said of predicates that hold nowhere; how many hold in no trace and how many in no counterexample.
fn verify_silence(seed: u64, case: &Case, result: &Classification) -> [usize; 2] {
    let silent = result.silent.as_ref().expect("asked after a complete classification");
    let atoms = Atoms::default();
    let mut collector = Collector::new(&case.model, &case.model.vocabularies[0], &atoms);
    let (mut anywhere, mut violating) = (BTreeSet::new(), BTreeSet::new());
    for (trace, first) in case.traces.iter().zip(&case.first) {
        if !silent.lengths.all().contains(&trace.len()) {
            continue;
        }
        for placed in collector.collect(&trace.moments, &Budget::unlimited()).expect("there is no budget") {
            if let Some(predicate) = atoms.get(placed.atom).predicate() {
                anywhere.insert(predicate);
                // A counterexample ends where it violates the invariant, unless its length is given.
                if first.is_some_and(|steps| case.lengths.whole(steps) == trace.len()) {
                    violating.insert(predicate);
                }
            }
        }
    }
    for id in &silent.never {
        assert!(!anywhere.contains(id), "seed {seed}: {id:?} holds in some trace");
    }
    for id in &silent.harmless {
        assert!(anywhere.contains(id) && !violating.contains(id), "seed {seed}: {id:?}");
    }
    let named = case.model.vocabularies[0].items.iter().filter_map(|item| match item {
        VocabularyItem::Predicate(id, _) => Some(*id),
        _ => None,
    });
    for id in named.filter(|id| !silent.never.contains(id) && !silent.harmless.contains(id)) {
        // A longer counterexample that was looked at may be the one in which it holds.
        let spoken = violating.contains(&id) || silent.lengths != case.lengths;
        assert!(spoken, "seed {seed}: {id:?} holds in no counterexample");
    }
    [silent.never.len(), silent.harmless.len()]
}

fn verify_complete(seed: u64, case: &Case, options: &Options, result: &Classification) {
    let sets: Vec<BTreeSet<usize>> =
        result.classes.iter().map(|c| case.matching(&result.atoms, &c.constraint)).collect();
    let covered: BTreeSet<usize> = sets.iter().flatten().copied().collect();
    let all: BTreeSet<usize> = (0..case.traces.len()).filter(|&t| case.first[t].is_some()).collect();
    assert!(covered.is_subset(&all), "seed {seed}: the classes must be violating traces");
    // With what is absent up to the end, the class of a counterexample need not have those that go on.
    let to_the_end = |f: &classify::Fact| matches!(f.kind, FactKind::Absent(_, Stretch::After));
    let goes_on = !result.classes.iter().any(|c| c.constraint.facts.iter().any(to_the_end));
    let counts =
        |t: &usize| goes_on || case.first[*t].is_some_and(|s| case.lengths.whole(s) == case.traces[*t].len());
    let must = all.into_iter().filter(counts);
    let left_out: Vec<usize> = must.filter(|t| !covered.contains(t)).collect();
    assert!(left_out.is_empty(), "seed {seed}: the classes must be all violating traces");
    for (index, class) in result.classes.iter().enumerate() {
        let show = class.constraint.show(&case.model, &result.atoms);
        let representative = case.index(&class.representative);
        assert_eq!(Some(case.rank(representative)), case.least_rank(&sets[index]), "seed {seed}: {show}");
        let first = case.first[representative].map(|steps| case.lengths.whole(steps));
        assert_eq!(first, Some(class.representative.len()), "seed {seed}: {show}");
        for fact in &class.constraint.facts {
            assert!(
                fact.holds(&case.model, &result.atoms, &class.representative.moments, &class.assigned),
                "seed {seed}: {show}"
            );
        }
        // The solver's view of the class, counted.
        let listed = members(&case.model, &result.atoms, &class.constraint, options.lengths, options.backend);
        let listed: BTreeSet<usize> = listed.iter().map(|t| case.index(t)).collect();
        assert_eq!(listed, sets[index], "seed {seed}: {show}");
        // Each fact is needed, and the trace that shows it does.
        assert_eq!(class.needed.len(), class.constraint.facts.len(), "seed {seed}: {show}");
        for (fact, trace) in class.needed.iter().enumerate() {
            let mut without = class.constraint.clone();
            without.facts.remove(fact);
            assert!(!case.violates(trace), "seed {seed}: {show}");
            assert!(
                without.matches(&case.model, &result.atoms, &trace.moments).is_some(),
                "seed {seed}: {show}"
            );
        }
        let elsewhere: BTreeSet<usize> = (0..sets.len())
            .filter(|&o| o != index && (!result.classes[o].redundant || class.redundant))
            .flat_map(|o| sets[o].iter().copied())
            .collect();
        if class.redundant {
            let covered = sets[index].iter().all(|t| elsewhere.contains(t) || !counts(t));
            assert!(options.keep_redundant && covered, "seed {seed}: {show}");
            continue;
        }
        let canonical = class.canonical.as_ref().expect("a class that is not redundant has one");
        let canonical = case.index(canonical);
        assert!(sets[index].contains(&canonical) && !elsewhere.contains(&canonical), "seed {seed}: {show}");
        let own = case.least_rank(sets[index].difference(&elsewhere));
        assert_eq!(own, Some(case.rank(canonical)), "seed {seed}: an earliest one, {show}");
    }
}
