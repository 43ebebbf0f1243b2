//! The blocking encodings against the reference semantics, on random constraints made from facts of
//! random traces.

use crate::all_traces::all_traces;
use classify::automata::automaton::Automaton;
use classify::automata::listing::{AcceptingTrace, ListedAnswer, ListedModel};
use classify::facts::atom::Atoms;
use classify::facts::collect::Collector;
use classify::facts::constraint::Constraint;
use classify::facts::fact::{Assignment, Fact, FactKind, OrderRelation, Stretch};
use classify::facts::grounding::Grounding;
use classify::facts::index::PositionVar;
use classify::facts::lifting::{Lifter, ValueRelation};
use classify::facts::memoised_trace::MemoisedTrace;
use classify::facts::problem::Problem;
use classify::oracles::block;
use classify::oracles::block::{by_elimination, by_ladders};
use classify::oracles::sat::{SatOracle, Sufficiency};
use classify::search::generalise;
use classify::search::quick_xplain::quick_xplain;
use kit::budget::Budget;
use kit::diagnostics::Span;
use lang::model::eval::first_violation;
use lang::model::expr::Expr;
use lang::model::{Model, Position, Vocabulary, VocabularyItem, load_text};
use lang::trace::Trace;
use linked_model::linked_model;
use members::is_trace;
use random::{Random, cases};
use random_model::random_model;
use solvers::sat::{Answer, Backend, Lit};
use solvers::unroll::{Lengths, Unrolling};
use std::io::ErrorKind;
use std::time::Duration;

mod alike;
#[path = "../../../common/build.rs"]
mod build;
mod compared;
mod counted;
mod images;
#[path = "../../../common/linked_model.rs"]
mod linked_model;
#[path = "../../../common/members.rs"]
mod members;
mod occurring;
#[path = "../../../common/random.rs"]
mod random;
#[path = "../../../common/random_model.rs"]
mod random_model;
mod self_check;
mod smallest;
#[path = "../../../common/symmetric_model.rs"]
mod symmetric_model;

/// The vocabulary of a random model, and absences of whatever facts may say.
fn with_absences(model: &Model) -> Vocabulary {
    let mut vocabulary = model.vocabularies[0].clone();
    let absent = vocabulary.items.iter().filter_map(|item| match item {
        VocabularyItem::Equal(observable) => Some(VocabularyItem::Absent(observable.clone())),
        _ => None,
    });
    vocabulary.items.extend(absent.collect::<Vec<_>>());
    vocabulary
}

fn space<'m>(problem: Problem<'m>, atoms: &'m Atoms, lengths: Lengths) -> SatOracle<'m> {
    SatOracle::new(problem, atoms, lengths, Backend::Cadical, &Budget::unlimited())
}

/// Facts that hold in a random trace, at up to four of its positions, with order facts among them:
/// chains, forks, adjacency, gaps. Half of them have absences, too.
fn random_constraint(
    rng: &mut Random,
    model: &Model,
    collector: &mut Collector<'_>,
    trace: &Trace,
) -> Constraint {
    let placed = collector.collect(&trace.moments, &Budget::unlimited()).expect("no budget");
    let mut facts = Vec::new();
    let mut positions: Vec<Position> = Vec::new();
    let number = |p: Position, positions: &mut Vec<Position>| {
        PositionVar::new(positions.iter().position(|&q| q == p).unwrap_or_else(|| {
            positions.push(p);
            positions.len() - 1
        }))
    };
    for _ in 0..1 + rng.below(4) {
        if placed.is_empty() {
            break;
        }
        let chosen = rng.pick(&placed);
        let of = chosen.positions.iter().map(|&p| number(p, &mut positions)).collect();
        facts.push(Fact::about(FactKind::Atom(chosen.atom), of));
    }
    if rng.percent(30) {
        number(Position::new(rng.below(trace.moments.len())), &mut positions);
    }
    for a in 0..positions.len() {
        for b in 0..positions.len() {
            if positions[a] < positions[b] && rng.percent(50) {
                let next = positions[a].next() == positions[b] && rng.percent(40);
                let order = if next { OrderRelation::Next } else { OrderRelation::Before };
                facts.push(Fact::order(order, PositionVar::new(a), PositionVar::new(b)));
            }
        }
    }
    let absent = collector.occurrences(&trace.moments);
    if !absent.is_empty() && rng.percent(50) {
        for _ in 0..12 {
            let atom = rng.pick(&absent).atom;
            let mut variable = || PositionVar::new(rng.below(positions.len().max(1)));
            let (a, b) = (variable(), variable());
            let (stretch, of) = match rng.below(3) {
                0 => (Stretch::Before, vec![a]),
                1 => (Stretch::After, vec![a]),
                _ => (Stretch::Between, vec![a, b]),
            };
            let fact = Fact::about(FactKind::Absent(atom, stretch), of);
            let assigned = Assignment { positions: positions.clone(), ..Assignment::default() };
            if !positions.is_empty()
                && facts.iter().filter(|f| f.is_absence()).count() < 4
                && fact.holds(model, collector.atoms(), &trace.moments, &assigned)
            {
                facts.push(fact);
            }
        }
    }
    Constraint::ground(positions.len(), facts)
}

/// Whether a blocking encoding excludes exactly the traces that satisfy the constraint.
fn blocks_exactly(
    model: &Model,
    atoms: &Atoms,
    constraint: &Constraint,
    traces: &[Trace],
    bound: usize,
    encode: impl Fn(&mut SatOracle<'_>, &Constraint) -> Option<Lit>,
) -> Option<()> {
    let anything = Expr::bool(true, Span::default());
    let mut space = space(Problem::new(model, &anything), atoms, Lengths::UpTo(bound));
    space.grow_to(bound).expect("no budget");
    let matched = encode(&mut space, constraint)?;
    for trace in traces {
        let mut assumptions = space.unrolling.ends_at(trace.len());
        assumptions.extend(is_trace(&mut space, trace));
        assert_eq!(space.circuit().solve(&assumptions), Answer::Sat, "the trace exists");
        assumptions.push(!matched);
        let outside = space.circuit().solve(&assumptions) == Answer::Sat;
        let expected = constraint.matches(model, atoms, &trace.moments).is_none();
        assert_eq!(outside, expected, "{} in {trace:?}", constraint.show(model, atoms));
    }
    Some(())
}

/// Whether the trace is accepted at its end, by the gates of the automaton that decide it both ways.
fn by_gates(space: &mut SatOracle<'_>, constraint: &Constraint) -> Option<Lit> {
    let model = space.unrolling.model;
    let automaton = Automaton::of(model, space.atoms, constraint).ok()?;
    let Unrolling { circuit, frames, .. } = &mut space.unrolling;
    let mut bits = automaton.start_bits(circuit);
    let mut accepted = Vec::new();
    for position in Position::all(frames.len()) {
        let letters = automaton.letters_at(circuit, model, frames, position);
        bits = automaton.next_bits(circuit, &bits, &letters);
        let goes_on = frames.get(position.next().index()).map_or(circuit.no(), |next| next.alive);
        let accepts = automaton.accepts_lit(circuit, &bits);
        accepted.push(circuit.all(&[frames[position.index()].alive, !goes_on, accepts]));
    }
    Some(circuit.any(&accepted))
}

#[test]
fn all_encodings_block_exactly_the_matching_traces() {
    let (mut wide, mut absent) = (0, 0);
    let mut applied = [0; 3];
    for seed in 0..cases(150) {
        let model = random_model(seed);
        let bound = 3;
        let mut rng = Random::new(seed);
        let traces = all_traces(&model, bound, 20_000).expect("random models are small");
        let vocabulary = with_absences(&model);
        let atoms = Atoms::default();
        let mut collector = Collector::new(&model, &vocabulary, &atoms);
        let longest: Vec<&Trace> = traces.iter().filter(|t| t.len() + 1 >= bound).collect();
        if longest.is_empty() {
            continue;
        }
        let source = *rng.pick(&longest);
        let constraint = random_constraint(&mut rng, &model, &mut collector, source);
        assert!(constraint.matches(&model, &atoms, &source.moments).is_some());
        let some: Vec<Trace> = (0..12).map(|_| rng.pick(&traces).clone()).chain([source.clone()]).collect();
        let encode = |space: &mut SatOracle<'_>, c: &Constraint| Some(by_elimination(space, c));
        blocks_exactly(&model, &atoms, &constraint, &some, bound, encode);
        wide += usize::from(!constraint.is_local(&atoms));
        absent += usize::from(constraint.has_absences());
        let encodings = [by_ladders, block::by_automaton, by_gates];
        for (encode, applied) in encodings.into_iter().zip(&mut applied) {
            *applied +=
                usize::from(blocks_exactly(&model, &atoms, &constraint, &some, bound, encode).is_some());
        }
        excludes_one_by_one(&model, &atoms, &constraint, bound, &traces, seed.is_multiple_of(2));
    }
    let [ladders, automata, gates] = applied;
    assert!(
        ladders > 33 && automata > ladders + 30 && gates == automata,
        "{applied:?} constraints by ladders, automata and their gates"
    );
    assert!(wide > 15 && absent > 45, "{wide} compare positions, {absent} have absences");
}

/// Excluding matches when they are found leaves, in the end, exactly the traces outside of the class, also where its literal is
/// a part of a gate.
fn excludes_one_by_one(
    model: &Model,
    atoms: &Atoms,
    constraint: &Constraint,
    bound: usize,
    traces: &[Trace],
    in_gates: bool,
) {
    // Every trace is a counterexample at its first position, so that it matters what follows.
    let nothing = Expr::bool(false, Span::default());
    let lengths = Lengths::Exactly(bound);
    let mut space = space(Problem::new(model, &nothing), atoms, lengths);
    space.grow_to(bound).expect("no budget");
    let matched = space.excluded_when_found(constraint);
    let outside_of = match in_gates {
        false => !matched,
        true => {
            let again = space.excluded_when_found(constraint);
            [matched, again].into_iter().for_each(|lit| space.exclude_in_gates(lit));
            space.circuit().any(&[!matched, !again])
        }
    };
    let matches = |trace: &Trace| constraint.matches(model, atoms, &trace.moments).is_some();
    let mut outside = traces.iter().filter(|t| t.len() == bound && !matches(t)).count();
    let some = outside.min(10);
    for _ in 0..some {
        let found = space.any_counterexample(&[outside_of]).expect("no budget");
        let trace = found.expect("there are more outside");
        assert!(!matches(&trace), "{} in {trace:?}", constraint.show(model, atoms));
        let same = is_trace(&mut space, &trace);
        let clause: Vec<Lit> = same.into_iter().map(|l| !l).collect();
        space.circuit().add_clause(&clause);
        outside -= 1;
    }
    let more = space.any_counterexample(&[outside_of]).expect("no budget");
    assert_eq!(more.is_some(), outside > 0, "{}", constraint.show(model, atoms));
}

#[test]
fn automata_accept_exactly_the_matching_traces() {
    let (mut local, mut split, mut accepted) = (0, 0, 0);
    for seed in 0..cases(75) {
        let model = random_model(seed);
        let mut rng = Random::new(seed + 7);
        let traces = all_traces(&model, 4, 20_000).expect("random models are small");
        let vocabulary = with_absences(&model);
        let atoms = Atoms::default();
        let mut collector = Collector::new(&model, &vocabulary, &atoms);
        let source = rng.pick(&traces);
        let constraint = random_constraint(&mut rng, &model, &mut collector, source);
        let automaton = match Automaton::of(&model, &atoms, &constraint) {
            Ok(automaton) => automaton,
            Err(why) => {
                assert!(!constraint.is_local(&atoms), "{why:?}: {}", constraint.show(&model, &atoms));
                continue;
            }
        };
        for trace in &traces {
            let expected = constraint.matches(&model, &atoms, &trace.moments).is_some();
            let found = automaton.matches(&model, &trace.moments);
            assert_eq!(found, expected, "{} in {trace:?}: {automaton:?}", constraint.show(&model, &atoms));
            accepted += usize::from(found);
        }
        *if constraint.is_local(&atoms) { &mut local } else { &mut split } += 1;
    }
    assert!(
        local > 25 && split > 6 && accepted > 1_250,
        "{local} local and {split} other constraints, {accepted} traces accepted"
    );
}

/// The trace without violation that the solver gives when one is to be shown.
fn shown_by_solver(problem: Problem<'_>, atoms: &Atoms, constraint: &Constraint) -> Trace {
    let mut space = space(problem, atoms, Lengths::UpTo(4));
    space.grow_to(4).expect("no budget");
    let used: Vec<PositionVar> = constraint.variables().collect();
    match space.own_sufficiency_shown(&constraint.facts, &used).expect("no budget") {
        Sufficiency::Insufficient(accepting) => accepting.trace,
        Sufficiency::Sufficient(_) => panic!("there is one: {}", constraint.show(problem.model, atoms)),
    }
}

#[test]
fn listed_states_tell_what_suffices() {
    let (mut sufficient, mut accepted, mut unknown) = (0, 0, 0);
    let budget = Budget::unlimited();
    for seed in 0..cases(50) {
        let model = random_model(seed);
        let mut rng = Random::new(seed + 11);
        let problem = Problem::first(&model).expect("random models have invariants");
        let traces = all_traces(&model, 4, 20_000).expect("random models are small");
        let vocabulary = with_absences(&model);
        let atoms = Atoms::default();
        let mut collector = Collector::new(&model, &vocabulary, &atoms);
        let mut states = ListedModel::new(problem);
        states.proved_for(Duration::from_secs(100));
        let listing = states.list(&budget).expect("random models have few states");
        // Several questions to the same list: what was evaluated for one of them serves the others.
        for _ in 0..3 {
            let source = rng.pick(&traces);
            let constraint = random_constraint(&mut rng, &model, &mut collector, source);
            let accepting = |t: &&Trace| {
                first_violation(&model, problem.invariant, &t.moments).is_none()
                    && constraint.matches(&model, &atoms, &t.moments).is_some()
            };
            let shortest = traces.iter().filter(accepting).map(Trace::len).min();
            let steps = rng.below(5);
            let expected = shortest.filter(|&length| length <= steps);
            match listing.accepting(&atoms, &constraint, steps, &budget).expect("no budget") {
                ListedAnswer::Nothing => {
                    assert_eq!(expected, None, "{}", constraint.show(&model, &atoms));
                    sufficient += 1;
                }
                ListedAnswer::Accepted(AcceptingTrace { trace, assigned }) => {
                    assert_eq!(Some(trace.len()), expected, "{}", constraint.show(&model, &atoms));
                    assert!(traces.contains(&trace), "{trace:?}");
                    assert!(accepting(&&trace), "{trace:?}");
                    assert!(constraint.facts.iter().all(|f| f.holds(
                        &model,
                        &atoms,
                        &trace.moments,
                        &assigned
                    )));
                    assert_eq!(trace, shown_by_solver(problem, &atoms, &constraint));
                    accepted += 1;
                }
                ListedAnswer::Unknown => unknown += 1,
            }
        }
    }
    assert!(
        sufficient > 25 && accepted > 25 && unknown < 25,
        "{sufficient} suffice, {accepted} do not, {unknown} are not decided"
    );
}

#[test]
fn many_states_are_listed_once_that_pays() {
    let budget = Budget::unlimited();
    let listed = |states: u32, labels: u32, proofs: Duration| {
        let text = format!(
            "model m;\nvar x: 0..{states};\ninit {{ x = 0; }}\n\
             action up {{ require x < {states}; x' = x + 1; }}\n\
             action a(m: 0..{labels}, n: 0..{labels}) {{ require x = 0; }}\ninvariant p: x >= 0;\n"
        );
        let loaded = load_text("m.sts", &text, &[], &|_| Err(ErrorKind::NotFound.into()));
        let model = loaded.model.expect("a model");
        let mut states = ListedModel::new(Problem::first(&model).expect("an invariant"));
        states.proved_for(proofs);
        states.list(&budget).is_some()
    };
    let (soon, late) = (Duration::ZERO, Duration::from_secs(1000));
    assert!(listed(100, 9, soon));
    assert!(!listed(10_000, 9, soon), "no proof took long so far");
    assert!(listed(10_000, 9, late));
    assert!(!listed(30_000, 9, late), "that are too many states");
    assert!(!listed(1, 799, late), "that are too many steps");
}

#[test]
fn quick_xplain_finds_the_preferred_minimal_set() {
    // Sufficient is what contains {1, 4} or {2, 3} or {5}.
    let mut asked = 0;
    let mut suffices = |set: &[u32]| {
        asked += 1;
        let has = |n| set.contains(&n);
        Ok((has(1) && has(4)) || (has(2) && has(3)) || has(5))
    };
    let mut best = |items: &[u32]| {
        let mut found = quick_xplain(items, &mut suffices).expect("no budget");
        found.sort_unstable();
        found
    };
    assert_eq!(best(&[1, 2, 3, 4, 5]), [2, 3], "the last of the preferred set comes first");
    assert_eq!(best(&[5, 1, 2, 3, 4]), [5]);
    assert_eq!(best(&[1, 4, 2, 3, 5]), [1, 4]);
    assert!(asked < 40);
}

/// A constraint with individuals in the place of some of its values, and some of what is known of them; `None` where it names
/// no value that can be one.
fn with_some_individuals(rng: &mut Random, lifter: &Lifter<'_>, ground: &Constraint) -> Option<Constraint> {
    let mut values = generalise::all_values(lifter, ground);
    values.retain(|_| rng.percent(80));
    let named = generalise::all_values(lifter, ground);
    let mut relations = generalise::relations(&named);
    relations.extend(lifter.ties(&named).into_iter().map(ValueRelation::Tied));
    relations.retain(|_| rng.percent(60));
    let general = generalise::freely(lifter, ground, &values, &relations).constraint;
    general.is_lifted().then_some(general)
}

/// What a constraint with individuals means to every engine is what the reference semantics says, and that is what one of its
/// instances says.
#[test]
fn individuals_mean_the_same_to_every_engine() {
    let (mut lifted, mut absent, mut several, mut sufficient, mut tied) = (0, 0, 0, 0, 0);
    for seed in 0..cases(200) {
        // Every fourth one has individuals that belong together.
        let (model, bound) = if seed % 4 == 3 { (linked_model(seed), 2) } else { (random_model(seed), 3) };
        let mut rng = Random::new(seed + 11);
        let traces = all_traces(&model, bound, 20_000).expect("random models are small");
        let vocabulary = with_absences(&model);
        let atoms = Atoms::default();
        let mut collector = Collector::new(&model, &vocabulary, &atoms);
        let lifter = Lifter::new(&model, &vocabulary, &atoms, &Grounding::Nothing);
        let source = rng.pick(&traces).clone();
        let belong = |ground: &Constraint| {
            seed % 4 != 3 || !lifter.ties(&generalise::all_values(&lifter, ground)).is_empty()
        };
        let mut some = (0..20).map(|_| random_constraint(&mut rng, &model, &mut collector, &source));
        let Some(ground) = some.find(belong) else { continue };
        let Some(constraint) = with_some_individuals(&mut rng, &lifter, &ground) else { continue };
        let show = constraint.show(&model, &atoms);
        lifted += 1;
        absent += usize::from(constraint.has_absences());
        several += usize::from(constraint.individuals.len() > 1);
        tied += usize::from(["mate", "token(s", "OF[s", "owner(t"].iter().any(|link| show.contains(link)));
        assert!(constraint.matches(&model, &atoms, &source.moments).is_some(), "{show}");
        let instances = constraint.instances(&model, &atoms, 10_000).expect("few");
        let automaton = Automaton::of(&model, &atoms, &constraint).ok();
        for trace in &traces {
            let matches = constraint.matches(&model, &atoms, &trace.moments);
            let mut ground = instances.iter();
            let expected = ground.any(|c| c.matches(&model, &atoms, &trace.moments).is_some());
            assert_eq!(matches.is_some(), expected, "{show} in {trace:?}");
            // What is remembered of one constraint must not answer for another.
            let example = MemoisedTrace::new(trace.clone());
            let one_by_one = instances.iter().any(|c| c.has(&model, &atoms, &example));
            assert_eq!(
                [one_by_one, constraint.has(&model, &atoms, &example)],
                [expected; 2],
                "{show} in {trace:?}"
            );
            if let Some(automaton) = &automaton {
                assert_eq!(automaton.matches(&model, &trace.moments), expected, "{show} in {trace:?}");
            }
            let holds = |assigned: Assignment| {
                constraint.facts.iter().all(|f| f.holds(&model, &atoms, &trace.moments, &assigned))
            };
            assert!(matches.is_none_or(holds), "{show} in {trace:?}");
        }
        let some: Vec<Trace> = (0..12).map(|_| rng.pick(&traces).clone()).chain([source.clone()]).collect();
        let encodings = [|s: &mut SatOracle<'_>, c: &Constraint| Some(block::matched(s, c)), by_gates];
        for encode in encodings {
            blocks_exactly(&model, &atoms, &constraint, &some, bound, encode);
        }
        excludes_one_by_one(&model, &atoms, &constraint, bound, &traces, seed.is_multiple_of(2));
        let invariant = model.properties[0].invariant().expect("an invariant");
        let mut space = space(Problem::new(&model, invariant), &atoms, Lengths::UpTo(bound));
        space.grow_to(bound).expect("no budget");
        let used: Vec<PositionVar> = constraint.variables().collect();
        let accepted = traces.iter().any(|t| {
            first_violation(&model, invariant, &t.moments).is_none()
                && constraint.matches(&model, &atoms, &t.moments).is_some()
        });
        let answer = space.sufficiency(&constraint.facts, &used).expect("no budget");
        assert_eq!(matches!(answer, Sufficiency::Insufficient(_)), accepted, "{show}");
        sufficient += usize::from(!accepted);
    }
    let seen = [lifted, absent, several, sufficient, tied];
    assert!(lifted > 32 && absent > 10 && several > 7 && sufficient > 3 && tied > 4, "{seen:?}");
}
