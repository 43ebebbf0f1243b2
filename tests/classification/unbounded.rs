//! Classifications for traces of every length, their certificates, and numbers of traces: against enumeration of
//! all traces of random small models, and on the honest models by a second method.

use crate::random::cases;
use crate::random_model;

use crate::all_traces::all_traces;
use cladist::budget::{Activity, Budget, Exhausted, Observer, Progress};
use cladist::classify::automata::automaton::{Automaton, AutomatonStates};
use cladist::classify::automata::product::AutomataProduct;
use cladist::classify::automata::product::certificate::ProductCertificate;
use cladist::classify::automata::product::coverage::{Covered, coverage};
use cladist::classify::automata::product::sufficiency::{SufficiencyResult, sufficiency};
use cladist::classify::numbers;
use cladist::classify::{
    Class, Classification, Constraint, CountMethod, CountQuery, Obstacle, Options, Problem, ProofBasis,
    Reach, Tally, TraceNumbers, Unbounded, UnknownReason, Verdict, Why, classify, classify_unbounded,
    numbers_by,
};
use cladist::explore::Graph;
use cladist::model::expr::Expr;
use cladist::model::value::Moment;
use cladist::model::{Model, eval, load, load_text};
use cladist::report::lengths_text;
use cladist::sat::Backend;
use cladist::trace::Trace;
use cladist::unroll::Lengths;
use num_bigint::{BigInt, BigUint};
use random_model::random_model;
use std::collections::{BTreeMap, HashMap};
use std::io::ErrorKind;
use std::path::Path;
use std::rc::Rc;

const REACH: Reach = Reach { start: None, otherwise: 4, limit: 100_000 };

fn options(bound: usize) -> Options {
    Options::of(Lengths::UpTo(bound))
}

fn problem(model: &Model) -> Problem<'_> {
    Problem::first(model).expect("an invariant")
}

fn invariant(model: &Model) -> &Expr {
    problem(model).invariant
}

/// The traces of these lengths.
fn counted<'a>(model: &'a Model, result: &'a Classification, lengths: Lengths) -> CountQuery<'a> {
    CountQuery { problem: problem(model), classes: &result.classes, atoms: &result.atoms, lengths }
}

fn sample(name: &str, set: &[(&str, &str)]) -> Model {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("specs").join(name).with_extension("sts");
    let set: Vec<(String, String)> = set.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect();
    load(&path, &set).model.expect("no mistakes")
}

fn every_length(model: &Model, vocabulary: usize, reach: Reach) -> Classification {
    let vocabulary = &model.vocabularies[vocabulary];
    classify_unbounded(problem(model), vocabulary, &options(0), reach, &Budget::unlimited(), &mut ())
}

/// All traces up to some length beyond the guarantees of random models, as long as they are not too many.
fn long_traces(model: &Model) -> Vec<Trace> {
    let long = (random_model::STEPS..=8).rev();
    long.map_while(|n| all_traces(model, n, 4_000).ok().or(Some(Vec::new())))
        .find(|traces| !traces.is_empty())
        .unwrap_or_default()
}

fn in_some_class(model: &Model, result: &Classification, trace: &[Moment]) -> bool {
    result.classes.iter().any(|class| class.constraint.matches(model, &result.atoms, trace).is_some())
}

#[test]
fn verdicts_for_every_length_are_those_of_longer_traces() {
    let (mut complete, mut holding, mut raised, mut open) = (0, 0, 0, 0);
    for seed in 0..cases(100) {
        let model = random_model(seed);
        let result = every_length(&model, 0, REACH);
        let proof = match &result.unbounded {
            Some(Unbounded::Proved(proof)) => proof,
            Some(Unbounded::Open(
                UnknownReason::Obstacle(Obstacle::Class(..)) | UnknownReason::Broken { why: None, .. },
            )) => {
                open += 1;
                continue;
            }
            Some(Unbounded::Open(UnknownReason::Weak { .. })) => {
                assert!(matches!(result.verdict, Verdict::TooWeak(_)), "{seed}");
                continue;
            }
            other => panic!("{seed}: {other:?} {:?}", result.verdict),
        };
        for trace in long_traces(&model) {
            let first = eval::first_violation(&model, invariant(&model), &trace.moments);
            let inside = in_some_class(&model, &result, &trace.moments);
            match first {
                None => assert!(!inside, "{seed}: {trace:?} violates nothing"),
                Some(at) => {
                    assert_eq!(result.verdict, Verdict::Complete, "{seed}: {trace:?}");
                    let up_to_it = &trace.moments[..=at.index()];
                    let inside = in_some_class(&model, &result, up_to_it);
                    assert!(inside, "{seed}: {trace:?} is in no class");
                }
            }
        }
        match result.verdict {
            Verdict::Holds => holding += 1,
            _ => complete += 1,
        }
        raised += usize::from(proof.bounds.len() > 1);
    }
    assert!(
        complete > 24 && holding > 24 && raised > 0 && open < 12,
        "{complete} complete, {holding} holding, {raised} after more than one round, {open} open"
    );
}

#[test]
fn a_vocabulary_that_is_too_weak_for_longer_traces_is_known_to_suffice_for_shorter_ones() {
    let text = "model m; var n: 0..9; var bad: bool; init { n = 0; not bad; } \
                action tick { require n < 9; n' = n + 1; } action early { require n = 2; bad' = true; } \
                action late { require n = 7; bad' = true; } invariant fine: not bad; \
                pred soon(i: pos) = action@i = early; vocabulary weak = { soon };";
    let loaded = load_text("m.sts", text, &[], &|_| Err(ErrorKind::NotFound.into()));
    let model = loaded.model.expect("no mistakes");
    for (start, complete_up_to) in [(3, Some(3)), (8, None)] {
        let result = every_length(&model, 0, Reach { start: Some(start), ..REACH });
        assert!(matches!(result.verdict, Verdict::TooWeak(_)), "{start}");
        assert_eq!(result.lengths, Lengths::UpTo(8), "{start}");
        assert_eq!(result.unbounded, Some(Unbounded::Open(UnknownReason::Weak { complete_up_to })));
        let words = lengths_text(&result).expect("every length was asked for");
        assert_eq!(words.contains("`-k 3`"), start == 3, "{words}");
    }
}

/// Ends the budget once a counterexample was minimised.
struct EndsThen<'a>(&'a Budget);

impl Observer for EndsThen<'_> {
    fn progress(&mut self, progress: &Progress) {
        if progress.activity == Activity::Shorten {
            self.0.interrupt();
        }
    }
}

#[test]
fn a_violation_that_is_known_stays_known_where_the_time_ends() {
    let text = "model m; var n: 0..9; var bad: bool; init { n = 0; not bad; } \
                action tick { require n < 9; n' = n + 1; } action late { require n = 7; bad' = true; } \
                invariant fine: not bad; vocabulary v = { eq(action) };";
    let loaded = load_text("m.sts", text, &[], &|_| Err(ErrorKind::NotFound.into()));
    let model = loaded.model.expect("no mistakes");
    let (budget, reach) = (Budget::unlimited(), Reach { start: Some(3), ..REACH });
    let vocabulary = &model.vocabularies[0];
    let ends = &mut EndsThen(&budget);
    let result = classify_unbounded(problem(&model), vocabulary, &options(0), reach, &budget, ends);
    assert_eq!(result.verdict, Verdict::Partial(Why::Exhausted(Exhausted::Interrupt)));
    assert_eq!(result.lengths, Lengths::UpTo(8));
}

/// Checks the honest models with all their vocabularies that are not too weak.
#[test]
fn the_honest_models_are_classified_for_every_length() {
    let samples: [(&str, &[(&str, usize)]); 8] = [
        ("running_example", &[("messages", 2), ("equality", 2)]),
        ("increment_decrement", &[("both", 2), ("not_one", 1), ("all", 1)]),
        ("mutex", &[("steps", 1), ("states", 1), ("courses", 2)]),
        ("tcp_handshake", &[("generic", 1), ("ways", 3)]),
        ("ns_public_key", &[("generic", 1), ("attacks", 1), ("labels", 1)]),
        ("ns_symmetric", &[("generic", 1), ("attacks", 1), ("labels", 1), ("knowledge", 1)]),
        ("paper/tcp", &[("with_state_of_b", 1), ("senders_absent", 1)]),
        // Its states are too many to be listed.
        ("paper/ns_public_key", &[("generic", 2)]),
    ];
    for (name, vocabularies) in samples {
        let model = sample(name, &[]);
        for (vocabulary, classes) in vocabularies {
            let vocabulary = model.vocabulary(vocabulary).expect("it exists");
            let result = every_length(&model, vocabulary, REACH);
            assert!(result.is_unbounded(), "{name}: {:?}", result.unbounded);
            assert_eq!(result.verdict, Verdict::Complete);
            assert_eq!(result.classes.len(), *classes, "{name}");
            let Some(Unbounded::Proved(proof)) = &result.unbounded else { unreachable!("it was proved") };
            // Not the solver that searched.
            let by = match proof.basis {
                ProofBasis::States { .. } => "simulation and varisat 0.2.2",
                ProofBasis::Induction => "varisat 0.2.2",
            };
            assert_eq!(proof.confirmed.by, by, "{name}");
        }
    }
    let sets = [("mutex", "FIXED", "true"), ("tcp_handshake", "ATTACKER", "false")];
    for (name, constant, value) in sets {
        let result = every_length(&sample(name, &[(constant, value)]), 0, REACH);
        assert!(result.is_unbounded() && result.verdict == Verdict::Holds, "{name}");
    }
    let weak = sample("tcp_handshake", &[]);
    let result = every_length(&weak, weak.vocabulary("no_state_of_b").expect("it exists"), REACH);
    assert!(matches!(result.verdict, Verdict::TooWeak(_)));
    assert!(matches!(result.unbounded, Some(Unbounded::Open(UnknownReason::Weak { .. }))));
}

/// A clock of several digits, far too many states for a proof within the time of these tests.
const DIGITS: &str = "model digits;
    type Digit = 1..9;
    var digit: map Digit to 0..9;
    var odd: bool;
    init { forall d in Digit: digit[d] = 0; not odd; }
    action up(d: Digit) { require digit[d] < 9; digit'[d] = digit[d] + 1; odd' = not odd; }
    action down(d: Digit) { require digit[d] > 0; digit'[d] = digit[d] - 1; odd' = not odd; }
    invariant safe: SAFE;
    vocabulary v = { eq(odd, digit) };";

/// Ends a budget when a proof begins, which is after a bounded classification.
struct EndsProofs(Budget);

impl Observer for EndsProofs {
    fn progress(&mut self, progress: &Progress) {
        if progress.activity == Activity::Prove {
            self.0.interrupt();
        }
    }
}

#[test]
fn what_the_budget_left_unproved_is_undecided_or_partial() {
    let bounded = Reach { start: Some(2), otherwise: 2, limit: 10 };
    for (safe, violated) in [("digit[1] + digit[2] < 18 or odd", false), ("digit[1] < 2", true)] {
        let text = DIGITS.replace("SAFE", safe);
        let model = load_text("digits.sts", &text, &[], &|_| Err(ErrorKind::NotFound.into()));
        let model = model.model.expect("no mistakes");
        let budget = Budget::unlimited();
        let mut observer = EndsProofs(budget.clone());
        let (vocabulary, options) = (&model.vocabularies[0], options(0));
        let result =
            classify_unbounded(problem(&model), vocabulary, &options, bounded, &budget, &mut observer);
        let why = Exhausted::Interrupt;
        if violated {
            assert_eq!(result.verdict, Verdict::Partial(Why::Unproved(why)));
            assert_eq!(result.classes.len(), 1);
        } else {
            assert_eq!(result.verdict, Verdict::Undecided { why, depth: 3 });
        }
        assert_eq!(result.unbounded, Some(Unbounded::Open(UnknownReason::Obstacle(Obstacle::Budget(why)))));
    }
}

#[test]
fn numbers_that_cannot_be_had_are_explained() {
    let model = sample("mutex", &[]);
    let limit = cladist::explore::Stop::States(20);
    let result =
        classify(problem(&model), &model.vocabularies[0], &options(8), &Budget::unlimited(), &mut ());
    let budget = Budget::unlimited();
    let by = |method| numbers_by(method, counted(&model, &result, result.lengths), &budget);
    assert_eq!(by(CountMethod::List(20)), Err(Obstacle::States(limit)));
    // Other numbers than those of a list are not wanted where there can be one.
    let limited = |limit| numbers(counted(&model, &result, result.lengths), limit, &budget);
    let found =
        |numbers: Result<TraceNumbers, Obstacle>| numbers.map(|numbers| (numbers.method, numbers.counts));
    assert_eq!(found(limited(20)), found(by(CountMethod::Diagrams)));
    assert_eq!(limited(1_000), by(CountMethod::List(1_000)));
}

/// Where there are more states than allowed, the same questions are put to a symbolic proof.
#[test]
fn without_visiting_the_states_induction_gives_the_same_answers() {
    let (mut proved, mut raised) = (0, 0);
    for seed in 0..60 {
        let model = random_model(seed);
        let visited = every_length(&model, 0, REACH);
        let induced = every_length(&model, 0, Reach { limit: 0, ..REACH });
        assert_eq!(visited.is_unbounded(), induced.is_unbounded(), "{seed}");
        let Some(Unbounded::Proved(proof)) = &induced.unbounded else { continue };
        assert_eq!(proof.basis, ProofBasis::Induction);
        assert!(proof.confirmed.by.starts_with("varisat"));
        assert_eq!(
            matches!(visited.verdict, Verdict::Holds),
            matches!(induced.verdict, Verdict::Holds),
            "{seed}"
        );
        proved += 1;
        raised += usize::from(proof.bounds.len() > 1);
    }
    assert!(proved > 30, "{proved} proved, {raised} after more than one round");
    for (name, vocabulary, start, classes) in
        [("mutex", "steps", 6, 1), ("running_example", "messages", 1, 2)]
    {
        let model = sample(name, &[]);
        let vocabulary = model.vocabulary(vocabulary).expect("it exists");
        let result = every_length(&model, vocabulary, Reach { start: Some(start), limit: 0, ..REACH });
        let Some(Unbounded::Proved(proof)) = &result.unbounded else { panic!("{:?}", result.unbounded) };
        assert_eq!(
            (proof.basis, proof.bounds.len(), result.classes.len()),
            (ProofBasis::Induction, 2, classes),
            "{name}"
        );
    }
}

/// Everything a proof consists of.
struct Proof<'a> {
    model: &'a Model,
    product: AutomataProduct<'a>,
    possible: Vec<Vec<AutomatonStates>>,
    memories: Vec<Vec<Rc<[AutomatonStates]>>>,
    /// All of them.
    classes: Vec<usize>,
}

impl<'a> Proof<'a> {
    fn new(model: &'a Model, graph: &'a Graph, automata: &'a [Automaton]) -> Self {
        let budget = Budget::unlimited();
        let product = AutomataProduct::new(problem(model), graph, automata, &budget).expect("no budget");
        let possible = (0..automata.len()).map(|class| match sufficiency(&product, class, &budget) {
            Ok(SufficiencyResult::Always(possible)) => possible,
            other => panic!("{other:?}"),
        });
        let possible = possible.collect();
        let classes: Vec<usize> = (0..automata.len()).collect();
        let Ok(Covered::Always(memories)) = coverage(&product, &classes, 100_000, &budget) else {
            panic!("the classes are complete")
        };
        Self { model, product, classes, possible, memories }
    }

    fn confirmed_with(
        &self,
        possible: Vec<Vec<AutomatonStates>>,
        memories: Vec<Vec<Rc<[AutomatonStates]>>>,
        automata: &[Automaton],
        covering: &[usize],
    ) -> bool {
        self.confirmed(&ProductCertificate {
            graph: self.product.graph,
            automata,
            sufficient: &self.classes,
            covering,
            violates: &self.product.violates,
            possible,
            memories,
        })
    }

    /// Whether a certificate is confirmed; by simulation, where that is possible, as by a solver.
    fn confirmed(&self, certificate: &ProductCertificate<'_>) -> bool {
        let (problem, budget) = (problem(self.model), Budget::unlimited());
        let solved = certificate.check_by_solver(problem, Backend::Varisat, &budget).expect("no budget");
        if let Some(confirmed) = self.simulated(certificate) {
            assert_eq!(confirmed, solved.is_ok());
        }
        solved.is_ok()
    }

    /// The same by simulation alone; `None` where a label leaves a choice.
    fn simulated(&self, certificate: &ProductCertificate<'_>) -> Option<bool> {
        let budget = Budget::unlimited();
        let checked = certificate.check_by_simulation(problem(self.model), Backend::Varisat, &budget);
        checked.expect("no budget").map(|checked| checked.is_ok())
    }

    /// What was found, with all classes covering.
    fn certificate<'c>(&'c self, graph: &'c Graph, covering: &'c [usize]) -> ProductCertificate<'c> {
        ProductCertificate {
            graph,
            automata: self.product.automata,
            sufficient: &self.classes,
            covering,
            violates: &self.product.violates,
            possible: self.possible.clone(),
            memories: self.memories.clone(),
        }
    }
}

#[test]
fn wrong_certificates_are_refused() {
    for (name, vocabulary, every) in [("mutex", "steps", 1), ("tcp_handshake", "ways", 400)] {
        let model = sample(name, &[]);
        let vocabulary = model.vocabulary(vocabulary).expect("it exists");
        let result = every_length(&model, vocabulary, REACH);
        let classes: Vec<usize> = (0..result.classes.len()).collect();
        let automata = automata_of(&model, &result);
        let budget = Budget::unlimited();
        let graph = Graph::explore(&model, Some(invariant(&model)), 100_000, &budget).expect("small");
        let proof = Proof::new(&model, &graph, &automata);
        let (possible, memories) = (&proof.possible, &proof.memories);
        assert!(proof.confirmed_with(possible.clone(), memories.clone(), &automata, &classes));
        // A reachable state is left out.
        let good = (0..graph.states.len()).filter(|&s| !proof.product.violates[s]);
        for state in good.step_by(every) {
            let mut memories = memories.clone();
            memories[state].clear();
            assert!(!proof.confirmed_with(possible.clone(), memories, &automata, &classes), "{name} {state}");
        }
        for &class in &classes {
            // One class too few.
            let without = |list: &Vec<Rc<[AutomatonStates]>>| {
                let of = |m: &Rc<[AutomatonStates]>| {
                    classes.iter().filter(|c| **c != class).map(|&c| m[c]).collect()
                };
                list.iter().map(of).collect()
            };
            let fewer: Vec<usize> = classes.iter().copied().filter(|c| *c != class).collect();
            let memories_of_fewer = memories.iter().map(without).collect();
            assert!(!proof.confirmed_with(possible.clone(), memories_of_fewer, &automata, &fewer), "{name}");
            // A class that is too weak, with whatever it may remember.
            let mut constraint: Constraint = result.classes[class].constraint.clone();
            constraint.facts.remove(0);
            let mut weaker = automata.clone();
            weaker[class] = Automaton::of(&model, &result.atoms, &constraint).expect("small");
            let rejecting: AutomatonStates =
                (0..weaker[class].states).filter(|&q| !weaker[class].is_accepting(q)).collect();
            let mut claimed = possible.clone();
            claimed[class].fill(rejecting);
            let others = memories.clone();
            assert!(!proof.confirmed_with(claimed, others, &weaker, &classes), "{name}: class {class}");
        }
    }
}

/// The automata of all classes.
fn automata_of(model: &Model, result: &Classification) -> Vec<Automaton> {
    let of = |class: &Class| Automaton::of(model, &result.atoms, &class.constraint).expect("small");
    result.classes.iter().map(of).collect()
}

#[test]
fn simulation_sees_every_step_and_every_claim() {
    let (mut simulated, mut refused, mut initial, mut violating) = (0, 0, 0, 0);
    for seed in 0..150 {
        let model = random_model(seed);
        let result = every_length(&model, 0, REACH);
        let Some(Unbounded::Proved(proved)) = &result.unbounded else { continue };
        if !matches!(proved.basis, ProofBasis::States { .. }) {
            continue;
        }
        let automata = automata_of(&model, &result);
        let budget = Budget::unlimited();
        let graph = Graph::explore(&model, Some(invariant(&model)), 100_000, &budget).expect("small");
        let proof = Proof::new(&model, &graph, &automata);
        let classes: Vec<usize> = (0..automata.len()).collect();
        let right = proof.certificate(&graph, &classes);
        assert!(proof.confirmed(&right), "{seed}");
        if proof.simulated(&right).is_none() {
            continue;
        }
        simulated += 1;
        for state in (0..graph.states.len()).step_by(graph.states.len() / 8 + 1) {
            // Another state in the place of this one; a solver is told of those without violation only.
            if graph.states.len() > 1 {
                let mut fewer = graph.clone();
                fewer.states[state] = graph.states[(state + 1) % graph.states.len()].clone();
                assert_eq!(
                    proof.simulated(&proof.certificate(&fewer, &classes)),
                    Some(false),
                    "{seed} {state}"
                );
                refused += 1;
                initial += usize::from(state < graph.initial);
            }
            // Whether it violates the invariant.
            let mut violates = proof.product.violates.clone();
            violates[state] ^= true;
            let wrong = ProductCertificate { violates: &violates, ..proof.certificate(&graph, &classes) };
            assert_eq!(proof.simulated(&wrong), Some(false), "{seed} {state}");
            if proof.product.violates[state] {
                violating += 1;
                continue;
            }
            // No memory, and one that claims everything.
            let mut wrong = proof.certificate(&graph, &classes);
            wrong.memories[state].clear();
            assert!(!proof.confirmed(&wrong), "{seed} {state}");
            let everything = automata.iter().map(|a| (0..a.states).collect::<AutomatonStates>()).collect();
            wrong.memories[state].push(everything);
            assert_eq!(proof.simulated(&wrong), Some(proof.confirmed(&wrong)), "{seed} {state}");
            // No state of an automaton that has some.
            for &class in &classes {
                if !proof.possible[class][state].is_empty() {
                    let mut wrong = proof.certificate(&graph, &classes);
                    wrong.possible[class][state] = AutomatonStates::EMPTY;
                    assert!(!proof.confirmed(&wrong), "{seed} {state} {class}");
                }
            }
        }
    }
    assert!(
        simulated > 40 && refused > 150 && initial > 40 && violating > 20,
        "{simulated} models, {refused} states replaced, {initial} of them initial, {violating} with violation"
    );
}

/// Adds one trace to a tally.
fn add(tally: &mut BTreeMap<Vec<usize>, BigUint>, classes: Vec<usize>) {
    *tally.entry(classes).or_default() += 1u32;
}

#[test]
fn numbers_are_those_of_enumeration() {
    let (mut compared, mut overlapping, mut outside) = (0, 0, 0);
    for seed in 0..cases(100) {
        let model = random_model(seed);
        let bound = 2;
        let options = Options { keep_redundant: true, ..options(bound) };
        let vocabulary = &model.vocabularies[0];
        let result = classify(problem(&model), vocabulary, &options, &Budget::unlimited(), &mut ());
        let lengths = Lengths::UpTo(random_model::STEPS);
        let budget = Budget::unlimited();
        let by = |method| numbers_by(method, counted(&model, &result, lengths), &budget);
        let numbers = match by(CountMethod::List(100_000)) {
            Ok(numbers) => numbers.counts,
            Err(Obstacle::Class(..)) => continue,
            other => panic!("{other:?}"),
        };
        assert_eq!(
            by(CountMethod::Diagrams).expect("small").counts,
            numbers,
            "{seed}: over decision diagrams"
        );
        let mut first = vec![BTreeMap::new(); random_model::STEPS + 1];
        let mut violating = first.clone();
        for trace in all_traces(&model, random_model::STEPS, 20_000).expect("random models are small") {
            let Some(at) = eval::first_violation(&model, invariant(&model), &trace.moments) else {
                continue;
            };
            let matching = |c: &usize| {
                result.classes[*c].constraint.matches(&model, &result.atoms, &trace.moments).is_some()
            };
            let classes: Vec<usize> = (0..result.classes.len()).filter(matching).collect();
            overlapping += usize::from(classes.len() > 1);
            outside += usize::from(classes.is_empty());
            if at == trace.last() {
                add(&mut first[at.steps()], classes.clone());
            }
            add(&mut violating[trace.len()], classes);
        }
        for count in &numbers {
            assert_eq!(count.first, Tally(first[count.steps].clone()), "{seed}, {} steps", count.steps);
            assert_eq!(
                count.violating,
                Tally(violating[count.steps].clone()),
                "{seed}, {} steps",
                count.steps
            );
        }
        assert_eq!(numbers.len(), random_model::STEPS + 1);
        compared += usize::from(numbers.iter().any(|n| !n.violating.0.is_empty()));
    }
    assert!(
        compared > 33 && overlapping > 100 && outside > 16,
        "{compared} models with violations, {overlapping} traces in several classes, {outside} in none"
    );
}

/// Counts backwards: for every number of steps left, from every state, with automata of which no state is ever
/// dropped. Traces in all of some classes at once, so that inclusion and exclusion give the rest.
struct Backwards<'a> {
    graph: &'a Graph,
    automata: Vec<&'a Automaton>,
    /// For each arrival the letters of each automaton that hold.
    letters: Vec<Vec<Vec<bool>>>,
    violates: Vec<bool>,
    /// Whether traces end in their first violation.
    first: bool,
    known: HashMap<(usize, usize, bool, Vec<AutomatonStates>), BigUint>,
}

impl Backwards<'_> {
    fn after(&self, bits: &[AutomatonStates], arrival: u32) -> Vec<AutomatonStates> {
        let step = |(index, bits): (usize, &AutomatonStates)| {
            let holds = &self.letters[arrival as usize][index];
            let automaton = self.automata[index];
            let taken = automaton.edges.iter().filter(|e| {
                bits.contains(e.from) && e.conditions.iter().all(|&(letter, value)| holds[letter] == value)
            });
            taken.map(|e| e.to).collect::<AutomatonStates>()
        };
        bits.iter().enumerate().map(step).collect()
    }

    /// Ways to go on from an arrival for exactly so many steps.
    fn ways(&mut self, left: usize, arrival: u32, before: &[AutomatonStates], violated: bool) -> BigUint {
        let state = self.graph.state_of(arrival);
        let bits = self.after(before, arrival);
        let now = self.violates[state];
        if left == 0 {
            let accepted =
                self.automata.iter().zip(&bits).all(|(a, &bits)| bits.states().any(|q| a.is_accepting(q)));
            return BigUint::from(u32::from((now || violated) && accepted));
        }
        if now && self.first {
            return BigUint::ZERO;
        }
        let key = (left, state, now || violated, bits);
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let graph = self.graph;
        let mut sum = BigUint::ZERO;
        for &next in &graph.steps[state] {
            sum += self.ways(left - 1, next, &key.3, key.2);
        }
        self.known.insert(key, sum.clone());
        sum
    }
}

#[test]
fn numbers_of_the_handshake_are_those_of_another_method() {
    let model = sample("tcp_handshake", &[]);
    let result = every_length(&model, model.vocabulary("ways").expect("it exists"), REACH);
    let bound = 12;
    let budget = Budget::unlimited();
    let of = counted(&model, &result, Lengths::Exactly(bound));
    let found = numbers(of, 1_000_000, &budget);
    let found = &found.expect("small").counts[0];
    let by_diagrams = numbers_by(CountMethod::Diagrams, of, &budget);
    assert_eq!(by_diagrams.expect("small").counts[0], *found);
    let automata: Vec<Automaton> = result
        .classes
        .iter()
        .map(|c| Automaton::of(&model, &result.atoms, &c.constraint).expect("small"))
        .collect();
    let graph = Graph::explore(&model, None, 100_000, &budget).expect("small");
    let moments: Vec<Moment> = (0..graph.arrivals.len() as u32).map(|a| graph.moment(a)).collect();
    let violates: Vec<bool> = graph
        .states
        .iter()
        .map(|s| {
            !eval::eval_state(&model, invariant(&model), &Moment { label: None, state: s.clone() }).is_true()
        })
        .collect();
    for (first, tally) in [(true, &found.first), (false, &found.violating)] {
        // For each set of classes, as bits, the traces in all of them.
        let mut in_all: Vec<BigInt> = Vec::new();
        for set in 0..1usize << automata.len() {
            let automata: Vec<&Automaton> =
                automata.iter().enumerate().filter(|(c, _)| set & (1 << c) != 0).map(|(_, a)| a).collect();
            let letters = moments.iter().map(|m| {
                automata.iter().map(|a| a.letters.iter().map(|l| l.holds(&model, m)).collect()).collect()
            });
            let letters = letters.collect();
            let mut backwards = Backwards {
                graph: &graph,
                automata,
                letters,
                violates: violates.clone(),
                first,
                known: HashMap::new(),
            };
            let start: Vec<AutomatonStates> = backwards.automata.iter().map(|a| a.start()).collect();
            let sum: BigUint =
                (0..graph.initial as u32).map(|a| backwards.ways(bound, a, &start, false)).sum();
            in_all.push(sum.into());
        }
        assert_eq!(in_all[0], tally.total().into());
        let signed = |n: u32, value: &BigInt| if n.is_multiple_of(2) { value.clone() } else { -value };
        for class in 0..automata.len() {
            assert_eq!(in_all[1 << class], tally.of(class).into());
            let with = (0..in_all.len()).filter(|set| set & (1 << class) != 0);
            let only: BigInt = with.map(|set| signed(set.count_ones() - 1, &in_all[set])).sum();
            assert_eq!(only, tally.only(class).into());
        }
        let outside: BigInt = (0..in_all.len()).map(|set| signed(set.count_ones(), &in_all[set])).sum();
        assert_eq!(outside, tally.outside().into());
    }
    assert_ne!(found.first.total(), BigUint::ZERO);
}
