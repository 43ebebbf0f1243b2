//! Proofs for every length against explicit states and the reference semantics, on random models.

use crate::random_model;

use crate::random::Random;
use cladist::budget::{Budget, Exhausted};
use cladist::decide::{self, InvariantOptions, InvariantResult, listed};
use cladist::explore::{Reachable, reachable, successors};
use cladist::model::eval::{Scope, is_initial};
use cladist::model::expr::{Expr, ExprKind};
use cladist::model::types::Type;
use cladist::model::value::{State, Value};
use cladist::model::{Model, Position};
use cladist::prove::{
    AlwaysHolds, Certificate, CertificateCheck, InvariantEvidence, InvariantMethod, Method, ModelObserver,
    ObservedModel, ProofEffort, ProofResult, StateLit, StatementId, prove,
};
use cladist::sat::{Backend, Lit};
use cladist::trace::Trace;
use cladist::unroll::{self, Encoder, Lengths, Unrolling};
use random_model::random_model;
use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

const MODELS: u64 = 120;
const METHODS: [Method; 3] = [Method::Induction, Method::Ic3, Method::Both];

/// Induction by itself has to follow a path through as many different states as there may be, which can take for ever: it
/// is given up after so long. Everything else must end.
const PATIENCE: Duration = Duration::from_secs(5);

fn with(system: &ObservedModel<'_>, method: Method, backend: Backend) -> ProofResult {
    let budget = match method {
        Method::Induction => Budget::unlimited().with_timeout(PATIENCE),
        Method::Ic3 | Method::Both => Budget::unlimited().with_timeout(24 * PATIENCE),
    };
    prove(system, method, ProofEffort { backend, budget: &budget, observer: &mut () })
}

fn invariant(model: &Model) -> &Expr {
    model.properties[0].invariant().expect("random models have an invariant")
}

fn everything(model: &Model) -> Reachable {
    let everything = reachable(model, 100_000, &Budget::unlimited());
    assert!(everything.complete());
    everything
}

fn holds(model: &Model, formula: &Expr, state: &State) -> bool {
    Scope::new(model).with_state(state).holds(formula)
}

/// Whether the clauses hold in a state, by the reference semantics. For systems without latches.
fn satisfies(system: &ObservedModel<'_>, clauses: &[Vec<StateLit>], state: &State) -> bool {
    clauses.iter().all(|clause| {
        clause
            .iter()
            .any(|is| holds(system.model, &system.atoms.list[is.statement.0].expr, state) == is.holds)
    })
}

#[test]
fn what_is_reachable_is_what_explicit_states_say() {
    let (mut found, mut missed) = (0, 0);
    for seed in 0..MODELS {
        let model = random_model(seed);
        let (explicit, good) = (everything(&model), invariant(&model));
        let bad = good.clone().negated();
        let depth = |formula: &Expr| {
            let states = (0..explicit.states.len()).filter(|&i| holds(&model, formula, &explicit.states[i]));
            states.map(|i| explicit.depths[i]).min()
        };
        for bound in [0, 2, 5] {
            let formulas = [good.clone(), bad.clone()];
            let backend = Backend::all()[(seed % 2) as usize];
            let budget = Budget::unlimited();
            let expected =
                [good, &bad].map(|formula| Some(depth(formula).is_some_and(|depth| depth <= bound)));
            let lengths = Lengths::UpTo(bound);
            let known = match unroll::check(&model, good, lengths, backend, &budget, &mut ()) {
                unroll::BoundedResult::Violated(trace) => vec![trace],
                _ => Vec::new(),
            };
            let answers = unroll::reachable(&model, &formulas, bound, &[], backend, &budget);
            assert_eq!(answers, expected, "seed {seed}, up to {bound} steps");
            let known: Vec<&Trace> = known.iter().collect();
            let again = unroll::reachable(&model, &formulas, bound, &known, backend, &budget);
            assert_eq!(again, expected, "seed {seed}, up to {bound} steps, a violation known");
            found += answers.iter().filter(|answer| **answer == Some(true)).count();
            missed += answers.iter().filter(|answer| **answer == Some(false)).count();
        }
    }
    assert!(found > 60 && missed > 60, "{found} {missed}");
}

#[test]
fn listed_states_and_diagrams_tell_the_trace_that_a_search_finds() {
    let (mut violated, mut holding) = (0, 0);
    for seed in 0..3 * MODELS {
        let mut model = random_model(seed);
        if seed % 3 == 0 {
            let wish =
                model.properties.iter().filter_map(|property| property.invariant()).next_back().cloned();
            model.wishes = wish.into_iter().collect();
        }
        let good = invariant(&model);
        let budget = Budget::unlimited();
        let found = unroll::check(&model, good, Lengths::UpTo(12), Backend::Cadical, &budget, &mut ());
        let by = |way| {
            let options = InvariantOptions { way, ..InvariantOptions::default() };
            decide::invariant(&model, good, &options, &budget, &mut ())
        };
        let listed = listed(&model, good, usize::MAX, &budget).expect("few states");
        let searched = by(InvariantMethod::Auto);
        for decided in [listed, by(InvariantMethod::Diagrams), searched] {
            match (decided, &found) {
                (InvariantResult::Violated(trace), unroll::BoundedResult::Violated(expected)) => {
                    assert_eq!(trace, *expected, "seed {seed}");
                    violated += 1;
                }
                (InvariantResult::Violated(trace), unroll::BoundedResult::Holds) => {
                    assert!(trace.len() > 12, "seed {seed}");
                }
                (InvariantResult::Proved(evidence), unroll::BoundedResult::Holds) => {
                    let states = everything(&model).states.len();
                    if let InvariantEvidence::Diagrams { states: counted } = evidence {
                        assert_eq!(counted, states.into(), "seed {seed}");
                        holding += 1;
                    }
                }
                other => panic!("seed {seed}: {other:?}"),
            }
        }
    }
    assert!(violated > MODELS && holding > MODELS / 2, "{violated} {holding}");
}

#[test]
fn verdicts_are_those_of_explicit_states_and_certificates_hold_in_all_of_them() {
    let (mut held, mut violated, mut given_up, mut clauses_seen) = (0, 0, 0, 0);
    for seed in 0..MODELS {
        let model = random_model(seed);
        let (explicit, good) = (everything(&model), invariant(&model));
        let bad = (0..explicit.states.len()).find(|&i| !holds(&model, good, &explicit.states[i]));
        let shortest = bad.map(|i| explicit.depths[i]);
        let watch = AlwaysHolds(good);
        let system = ObservedModel::new(&model, &watch);
        for method in METHODS {
            let backend = Backend::all()[(seed % 2) as usize];
            match (with(&system, method, backend), shortest) {
                (ProofResult::Holds(certificate), None) => {
                    held += 1;
                    if let Certificate::Invariant(clauses) = &certificate {
                        clauses_seen += clauses.len();
                        let all = explicit.states.iter().all(|s| satisfies(&system, clauses, s));
                        assert!(all, "seed {seed}: {:?}", certificate.texts(&system));
                    }
                }
                (ProofResult::Violated(depth), Some(shortest)) => {
                    violated += 1;
                    assert!(depth >= shortest, "seed {seed}");
                    if method == Method::Induction {
                        assert_eq!(depth, shortest, "seed {seed}");
                    }
                }
                (ProofResult::Unknown { why: Exhausted::Time, depth }, shortest)
                    if method == Method::Induction =>
                {
                    assert!(shortest.is_none_or(|shortest| depth <= shortest), "seed {seed}");
                    given_up += 1;
                }
                (proof, shortest) => panic!("seed {seed} {method:?}: {proof:?} but {shortest:?}"),
            }
        }
    }
    println!("{held} held, {violated} violated, {given_up} given up, {clauses_seen} clauses");
    assert!(held > 60 && violated > 60 && given_up <= 3 && clauses_seen > 20);
}

#[test]
fn ic3_agrees_with_explicit_states_on_many_models() {
    let (mut held, mut violated) = (0, 0);
    for seed in 1000..1200 {
        let model = random_model(seed);
        let (explicit, good) = (everything(&model), invariant(&model));
        let safe = explicit.states.iter().all(|state| holds(&model, good, state));
        let watch = AlwaysHolds(good);
        let system = ObservedModel::new(&model, &watch);
        match with(&system, Method::Ic3, Backend::Cadical) {
            ProofResult::Holds(_) if safe => held += 1,
            ProofResult::Violated(_) if !safe => violated += 1,
            proof => panic!("seed {seed}: {proof:?}, safe: {safe}"),
        }
    }
    assert!(held > 20 && violated > 20);
}

/// All states that the types and the assumptions about states allow.
fn all_states(model: &Model) -> Vec<State> {
    let columns: Vec<Vec<Value>> = model.variables.iter().map(|v| model.types.values(&v.ty)).collect();
    let rows = columns.iter().fold(vec![vec![]], |rows, column| {
        rows.iter()
            .flat_map(|row| column.iter().map(|v| [row.clone(), vec![v.clone()]].concat()))
            .collect::<Vec<Vec<Value>>>()
    });
    let mut states: Vec<State> = rows.into_iter().map(State).collect();
    let assumed = |s: &State| model.assumptions.iter().filter(|a| !a.step).all(|a| holds(model, &a.expr, s));
    states.retain(assumed);
    states
}

/// Whether clauses are a certificate, by the reference semantics over all states.
fn is_certificate(
    system: &ObservedModel<'_>,
    clauses: &[Vec<StateLit>],
    states: &[State],
    good: &Expr,
) -> bool {
    let model = system.model;
    states.iter().all(|state| {
        if !satisfies(system, clauses, state) {
            return !is_initial(model, state);
        }
        holds(model, good, state)
            && successors(model, state, 1_000_000)
                .expect("few choices")
                .iter()
                .all(|(_, next)| satisfies(system, clauses, next))
    })
}

#[test]
fn wrong_certificates_are_refused_and_right_ones_are_not() {
    let (mut refused, mut confirmed) = (0, 0);
    for seed in 0..60 {
        let model = random_model(seed);
        let (good, mut rng) = (invariant(&model), Random::new(seed));
        let watch = AlwaysHolds(good);
        let system = ObservedModel::new(&model, &watch);
        let states = all_states(&model);
        let found = match with(&system, Method::Ic3, Backend::Cadical) {
            ProofResult::Holds(Certificate::Invariant(clauses)) => clauses,
            _ => Vec::new(),
        };
        for variant in 0..6 {
            let mut clauses = found.clone();
            match variant {
                0 => {}
                1 if !clauses.is_empty() => drop(clauses.remove(rng.below(clauses.len()))),
                2 | 3 if !clauses.is_empty() => {
                    let at = rng.below(clauses.len());
                    if !clauses[at].is_empty() {
                        let which = rng.below(clauses[at].len());
                        if variant == 2 {
                            clauses[at].remove(which);
                        } else {
                            clauses[at][which] = !clauses[at][which];
                        }
                    }
                }
                _ => {
                    let mut any = || {
                        let statement = StatementId(rng.below(system.atoms.list.len()));
                        StateLit { statement, holds: rng.percent(50) }
                    };
                    let clause = vec![any(), any()];
                    clauses.push(clause);
                }
            }
            let expected = is_certificate(&system, &clauses, &states, good);
            let backend = Backend::all()[variant % 2];
            let answer =
                Certificate::Invariant(clauses.clone()).check(&system, backend, &Budget::unlimited());
            match answer {
                CertificateCheck::Confirmed => confirmed += 1,
                CertificateCheck::Refused(_) => refused += 1,
                CertificateCheck::Exhausted(why) => panic!("{why:?}"),
            }
            assert_eq!(
                answer == CertificateCheck::Confirmed,
                expected,
                "seed {seed} variant {variant}: {clauses:?}"
            );
        }
    }
    println!("{confirmed} confirmed, {refused} refused");
    assert!(confirmed > 30 && refused > 60);
}

#[test]
fn wrong_inductions_are_refused() {
    let mut refused = 0;
    for seed in 0..MODELS {
        let model = random_model(seed);
        let watch = AlwaysHolds(invariant(&model));
        let system = ObservedModel::new(&model, &watch);
        let check = |k, distinct: Vec<(Position, Position)>| {
            Certificate::Induction { k, distinct }.check(&system, Backend::Varisat, &Budget::unlimited())
        };
        match with(&system, Method::Induction, Backend::Cadical) {
            ProofResult::Holds(Certificate::Induction { k, distinct }) => {
                assert_eq!(check(k, distinct.clone()), CertificateCheck::Confirmed, "seed {seed}");
                // k is the least, so a smaller one proves nothing.
                if let Some(less) = k.checked_sub(1) {
                    let fits = distinct.into_iter().filter(|(_, j)| j.steps() <= less).collect();
                    assert!(matches!(check(less, fits), CertificateCheck::Refused(_)), "seed {seed}");
                    refused += 1;
                }
                assert!(matches!(
                    check(k, vec![(Position::after(k), Position::after(k))]),
                    CertificateCheck::Refused(_)
                ));
            }
            ProofResult::Violated(depth) => {
                assert!(matches!(check(depth + 1, vec![]), CertificateCheck::Refused(_)), "seed {seed}");
                refused += 1;
            }
            ProofResult::Unknown { why: Exhausted::Time, .. } => {}
            other => panic!("{other:?}"),
        }
    }
    assert!(refused > 30);
}

/// Bad: the invariant is violated in a state after (or to which) the first action was taken an even number
/// of times, but at least once; it reads labels and has a memory.
struct Evenly<'e>(&'e Expr);

impl Evenly<'_> {
    fn taken(unrolling: &mut Unrolling<'_>, position: Position) -> Lit {
        let model = unrolling.model;
        let ty = Type::Enum(model.action_enum);
        let label = Expr { kind: ExprKind::ActionLabel, ty, span: model.variables[0].span };
        let first = Value::Enum(model.action_enum, 0);
        let value = Encoder::new(&mut unrolling.circuit, model, &unrolling.frames).at(position).value(&label);
        value.is_value(&mut unrolling.circuit, &first)
    }
}

impl ModelObserver for Evenly<'_> {
    fn latches(&self) -> usize {
        2
    }

    fn start(&self, unrolling: &mut Unrolling<'_>) -> Vec<Lit> {
        vec![unrolling.circuit.no(); 2]
    }

    fn next(&self, unrolling: &mut Unrolling<'_>, position: Position, before: &[Lit]) -> Vec<Lit> {
        let taken = Self::taken(unrolling, position);
        let ever = unrolling.circuit.or(before[0], taken);
        vec![ever, unrolling.circuit.xor(before[1], taken)]
    }

    fn bad(&self, unrolling: &mut Unrolling<'_>, position: Position, latches: &[Lit]) -> Lit {
        let good = unrolling.state_truth(self.0, position);
        unrolling.circuit.all(&[latches[0], !latches[1], !good])
    }
}

#[test]
fn watches_with_latches_see_what_the_explicit_product_has() {
    let (mut held, mut violated, mut given_up) = (0, 0, 0);
    for seed in 0..MODELS {
        let model = random_model(seed);
        let (explicit, good) = (everything(&model), invariant(&model));
        let mut depths: BTreeMap<(usize, bool, bool), usize> = BTreeMap::new();
        let mut open: VecDeque<(usize, bool, bool)> =
            (0..explicit.initial).map(|i| (i, false, false)).collect();
        depths.extend(open.iter().map(|node| (*node, 0)));
        while let Some(node @ (at, ever, odd)) = open.pop_front() {
            for edge in explicit.edges.iter().filter(|e| e.from == at) {
                let taken = edge.label.action == 0;
                let next = (edge.to, ever || taken, odd != taken);
                let depth = depths[&node] + 1;
                depths.entry(next).or_insert_with(|| {
                    open.push_back(next);
                    depth
                });
            }
        }
        let bad = depths
            .iter()
            .filter(|((s, ever, odd), _)| *ever && !*odd && !holds(&model, good, &explicit.states[*s]));
        let shortest = bad.map(|(_, depth)| *depth).min();
        let watch = Evenly(good);
        let system = ObservedModel::new(&model, &watch);
        for method in METHODS {
            match (with(&system, method, Backend::Cadical), shortest) {
                (ProofResult::Holds(_), None) => held += 1,
                (ProofResult::Violated(depth), Some(shortest)) => {
                    violated += 1;
                    assert!(depth >= shortest, "seed {seed}");
                }
                (ProofResult::Unknown { why: Exhausted::Time, depth }, shortest)
                    if method == Method::Induction =>
                {
                    assert!(shortest.is_none_or(|shortest| depth <= shortest), "seed {seed}");
                    given_up += 1;
                }
                (proof, shortest) => panic!("seed {seed} {method:?}: {proof:?} but {shortest:?}"),
            }
        }
    }
    println!("{held} held, {violated} violated, {given_up} given up");
    assert!(held > 60 && violated > 60 && given_up <= 3);
}

#[test]
fn the_budget_ends_every_method() {
    let model = random_model(1);
    let watch = AlwaysHolds(invariant(&model));
    let system = ObservedModel::new(&model, &watch);
    let budget = Budget::unlimited();
    budget.interrupt();
    for method in METHODS {
        let effort = ProofEffort { backend: Backend::Cadical, budget: &budget, observer: &mut () };
        let expected = ProofResult::Unknown { why: Exhausted::Interrupt, depth: 0 };
        assert_eq!(prove(&system, method, effort), expected);
    }
}
