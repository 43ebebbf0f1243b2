//! The models of `specs/paper/` against what is known of the Alloy models of C. Vick, E. Kang and S.
//! Tripakis, *Counterexample classification* (2023), and against the article's Tables 1 and 2. Bounds are
//! numbers of states here, as in the article.

use crate::members::members;
use cladist::budget::Budget;
use cladist::classify::facts::collect::Collector;
use cladist::classify::oracles::sat::SatOracle;
use cladist::classify::{Atoms, Class, Classification, Options, PositionVar, Problem, Verdict, classify};
use cladist::diagnostics::Span;
use cladist::model::eval::{eval_state, first_violation};
use cladist::model::expr::Expr;
use cladist::model::{Model, PredicateId, VocabularyItem, load};
use cladist::sat::{Answer, Backend};
use cladist::trace::Trace;
use cladist::unroll::{BoundedResult, Lengths, check, vacuity};
use itertools::Itertools;
use std::path::{Path, PathBuf};

const NO_STEAL: &[(&str, &str)] = &[("STEAL", "false")];

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("specs/paper").join(name).with_extension("sts")
}

fn loaded(path: &Path, set: &[(&str, &str)]) -> Model {
    let set: Vec<(String, String)> = set.iter().map(|(n, v)| (n.to_string(), v.to_string())).collect();
    let loaded = load(path, &set);
    loaded.model.unwrap_or_else(|| panic!("{}: {:?}", path.display(), loaded.diagnostics))
}

fn model(name: &str, set: &[(&str, &str)]) -> Model {
    loaded(&path(name), set)
}

/// A model with more in it.
fn model_with(name: &str, set: &[(&str, &str)], more: &str) -> Model {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("more.sts");
    let text = std::fs::read_to_string(path(name)).expect("a model");
    std::fs::write(&file, format!("{text}\n{more}\n")).expect("written");
    loaded(&file, set)
}

fn invariant<'a>(model: &'a Model, name: &str) -> &'a Expr {
    let property = model.properties.iter().find(|p| p.name == name).expect("a property");
    property.invariant().expect("an invariant")
}

fn predicate(model: &Model, name: &str) -> PredicateId {
    let index = model.predicates.iter().position(|p| p.name == name).expect("a predicate");
    PredicateId(index as u32)
}

fn exactly(states: usize) -> Lengths {
    Lengths::Exactly(states - 1)
}

/// The least number of states up to a violation of a property.
fn soonest(model: &Model, property: &str, lengths: Lengths) -> Option<usize> {
    let invariant = invariant(model, property);
    match check(model, invariant, lengths, Backend::Cadical, &Budget::unlimited(), &mut ()) {
        BoundedResult::Violated(trace) => {
            first_violation(model, invariant, &trace.moments).map(|at| at.steps() + 1)
        }
        BoundedResult::Holds => None,
        BoundedResult::Undecided { .. } => panic!("no budget was set"),
    }
}

fn classified(model: &Model, vocabulary: &str, lengths: Lengths, start_with: Option<&str>) -> Classification {
    let options = Options {
        start_with: start_with.map(|name| predicate(model, name)),
        keep_redundant: start_with.is_some() || ["v1", "v2"].contains(&vocabulary),
        ..Options::of(lengths)
    };
    let problem = Problem::first(model).expect("an invariant");
    let vocabulary = model.vocabularies.iter().find(|v| v.name == vocabulary).expect("a vocabulary");
    classify(problem, vocabulary, &options, &Budget::unlimited(), &mut ())
}

fn constraints(model: &Model, result: &Classification) -> Vec<String> {
    let mut shown: Vec<String> =
        result.classes.iter().map(|c| c.constraint.show(model, &result.atoms)).collect();
    shown.sort();
    shown
}

/// Whether a predicate holds at some positions of some trace of that many states.
fn holds_somewhere(model: &Model, name: &str, states: usize) -> bool {
    let anything = Expr::bool(true, Span::default());
    let (problem, atoms) = (Problem::new(model, &anything), Atoms::default());
    let mut space = SatOracle::new(problem, &atoms, exactly(states), Backend::Cadical, &Budget::unlimited());
    space.grow_to(states - 1).expect("no budget");
    let mut collector = Collector::new(model, &model.vocabularies[0], &atoms);
    let atom = collector.instances(predicate(model, name)).remove(0);
    let somewhere = space.somewhere(atom, PositionVar::new(0));
    space.circuit().solve(&[somewhere]) == Answer::Sat
}

/// The actions that can violate the first property first, in traces of that many states.
fn violating_actions(model: &Model, states: usize) -> Vec<&str> {
    let (problem, atoms) = (Problem::first(model).expect("an invariant"), Atoms::default());
    let mut space = SatOracle::new(problem, &atoms, exactly(states), Backend::Cadical, &Budget::unlimited());
    space.grow_to(states - 1).expect("no budget");
    let possible = |space: &mut SatOracle<'_>, action: usize| {
        (1..states).any(|at| {
            let taken = space.unrolling.frames[at].actions[action];
            space.counterexample(at, &[taken]).expect("no budget").is_some()
        })
    };
    let actions = 0..model.actions.len();
    actions.filter(|&a| possible(&mut space, a)).map(|a| model.actions[a].name.as_str()).collect()
}

#[test]
fn violations_come_as_soon_as_in_the_original() {
    for (name, states) in [("public_channel", 2), ("ns_symmetric", 3), ("ns_public_key", 5), ("tcp", 7)] {
        let model = model(name, &[]);
        let property = &model.properties[0].name;
        assert_eq!(soonest(&model, property, Lengths::UpTo(12)), Some(states), "{name}");
        assert_eq!(soonest(&model, property, exactly(states)), Some(states), "{name}");
        assert_eq!(soonest(&model, property, exactly(states - 1)), None, "{name}");
    }
}

#[test]
fn attacks_without_steal_steps_fit_certain_bounds_only() {
    for (name, bounds) in
        [("ns_symmetric", &[8, 10, 12, 14][..]), ("ns_public_key", &[9, 11, 13, 14]), ("tcp", &[])]
    {
        let model = model(name, if name == "tcp" { &[] } else { NO_STEAL });
        let property = &model.properties[0].name;
        for states in 3..=14 {
            let found = soonest(&model, property, exactly(states)).is_some();
            let expected = if name == "tcp" { states >= 7 } else { bounds.contains(&states) };
            assert_eq!(found, expected, "{name}, {states} states");
        }
    }
}

/// The property, negated and split in two.
fn restating_classes() -> [String; 2] {
    ["Alice", "Bob"].map(|party| format!("∃ i ∈ [0..len(ρ)] : EveNonce in knows[{party}]@i"))
}

#[test]
fn generic_classes_are_the_two_of_table_1() {
    for name in ["ns_symmetric", "ns_public_key"] {
        let model = model(name, &[]);
        for states in [10, 15, 20, 25] {
            let result = classified(&model, "generic", exactly(states), None);
            assert_eq!(result.verdict, Verdict::Complete, "{name}, {states} states");
            assert_eq!(constraints(&model, &result), restating_classes(), "{name}, {states} states");
        }
    }
}

#[test]
fn every_predicate_has_a_class_where_redundant_ones_are_kept() {
    for (name, vocabulary, attacks) in [
        ("ns_symmetric", "v1", &["∃ i, j ∈ [0..len(ρ)] : replay(i, j)"][..]),
        (
            "ns_public_key",
            "v2",
            &["∃ i, j ∈ [0..len(ρ)] : a_middle(i, j)", "∃ i, j ∈ [0..len(ρ)] : b_middle(i, j)"],
        ),
    ] {
        let model = model(name, &[]);
        for states in [10, 15, 20, 25] {
            let result = classified(&model, vocabulary, exactly(states), None);
            assert_eq!(result.verdict, Verdict::Complete, "{name}, {states} states");
            let shown = |redundant: bool| -> Vec<String> {
                let of = result.classes.iter().filter(|c| c.redundant == redundant);
                of.map(|c| c.constraint.show(&model, &result.atoms)).sorted().collect()
            };
            assert_eq!(shown(false), restating_classes(), "{name}, {states} states");
            assert_eq!(shown(true), attacks, "{name}, {states} states");
        }
    }
}

#[test]
fn the_predicates_of_attacks_give_redundant_classes() {
    for (name, vocabulary, start, class, bounds) in [
        ("ns_symmetric", "v1", "replay", "replay(i, j)", [10, 15]),
        ("ns_public_key", "v2", "man_in_the_middle", "a_middle(i, j)", [10, 15]),
    ] {
        let model = model(name, &[]);
        for states in bounds {
            let result = classified(&model, vocabulary, exactly(states), Some(start));
            assert_eq!(result.verdict, Verdict::Complete, "{name}, {states} states");
            let (redundant, needed): (Vec<&Class>, Vec<&Class>) =
                result.classes.iter().partition(|c| c.redundant);
            let attack = format!("∃ i, j ∈ [0..len(ρ)] : {class}");
            assert!(
                redundant.iter().any(|c| c.constraint.show(&model, &result.atoms) == attack),
                "{name}, {states} states"
            );
            let needed: Vec<String> =
                needed.iter().map(|c| c.constraint.show(&model, &result.atoms)).collect();
            assert_eq!(needed, restating_classes(), "{name}, {states} states");
        }
    }
}

#[test]
fn tcp_has_the_classes_of_table_2_or_none_at_all() {
    let model = model("tcp", &[]);
    for states in 7..=10 {
        let result = classified(&model, "with_state_of_b", exactly(states), None);
        assert_eq!(result.verdict, Verdict::Complete, "{states} states");
        let restated = "∃ i ∈ [0..len(ρ)] : state[A]@i = Closed ∧ state[B]@i = Est";
        assert_eq!(constraints(&model, &result), [restated], "{states} states");

        let result = classified(&model, "without_state_of_b", exactly(states), None);
        if states <= 8 {
            assert_eq!(result.verdict, Verdict::Complete, "{states} states");
            let read = "∃ i ∈ [0..len(ρ)] : state[A]@i = Closed ∧ read[B]@i = SYN_ACK";
            assert_eq!(constraints(&model, &result), [read], "{states} states");
        } else {
            let Verdict::TooWeak(pair) = &result.verdict else { panic!("{states}: {:?}", result.verdict) };
            assert_eq!(pair.accepting.moments.len(), states);
            let vocabulary = model.vocabularies.iter().find(|v| v.name == "without_state_of_b");
            for item in &vocabulary.expect("a vocabulary").items {
                let VocabularyItem::Equal(observable) = item else { continue };
                for (at, &matched) in pair.counterexample.positions().zip(&pair.positions) {
                    let ours = eval_state(&model, &observable.expr, pair.counterexample.moment(at));
                    let theirs = eval_state(&model, &observable.expr, pair.accepting.moment(matched));
                    assert_eq!(ours, theirs, "{} at {at}, {states} states", observable.text);
                }
            }
            let property = invariant(&model, "no_half_open");
            let violates = |t: &Trace| first_violation(&model, property, &t.moments).is_some();
            assert!(violates(&pair.counterexample) && !violates(&pair.accepting), "{states} states");
        }
    }
}

#[test]
fn absences_repair_tcp_without_the_state_of_b() {
    let model = model("tcp", &[]);
    for bound in [9, 10, 12, 14] {
        let weak = classified(&model, "with_senders", Lengths::UpTo(bound), None);
        assert!(matches!(weak.verdict, Verdict::TooWeak(_)), "{bound} steps");
    }
    let not_from_b = "∃ i, j ∈ [0..len(ρ)] : read[B]@i = SYN ∧ state[A]@j = Closed ∧ read[B]@j = SYN_ACK ∧ \
                      never wire[BtoA].sender = PeerB within (i..j)";
    for bound in [10, 12, 14] {
        let result = classified(&model, "senders_absent", Lengths::UpTo(bound), None);
        assert_eq!(result.verdict, Verdict::Complete, "{bound} steps");
        assert_eq!(constraints(&model, &result), [not_from_b], "{bound} steps");
    }
    for bound in [10, 12] {
        let weak = classified(&model, "labels", Lengths::UpTo(bound), None);
        assert!(matches!(weak.verdict, Verdict::TooWeak(_)), "{bound} steps");
        let result = classified(&model, "labels_absent", Lengths::UpTo(bound), None);
        assert_eq!(result.verdict, Verdict::Complete, "{bound} steps");
        let expected = [
            "∃ i ∈ [0..len(ρ)] : establish.p@i = B ∧ never listen.p = A within [0..i) ∧ \
             never connect.p = A within [0..i)",
            "∃ i, j ∈ [0..len(ρ)] : abort.p@i = A ∧ establish.p@j = B ∧ never listen.p = A within (i..j) ∧ \
             never connect.p = A within (i..j) ∧ i < j",
            "∃ i, j ∈ [0..len(ρ)] : establish.p@i = B ∧ abort.p@j = A ∧ never close.p = B within (i..j) ∧ \
             never fin.p = B within (i..j) ∧ i < j",
        ];
        assert_eq!(constraints(&model, &result), expected, "{bound} steps");
    }
}

#[test]
fn tcp_has_as_many_counterexamples_as_the_original() {
    // Counted by trying all pairs of states in the formulas of the original as they stand.
    let model = model("tcp", &[]);
    let property = invariant(&model, "no_half_open");
    for (states, traces, positions) in [(7, 8, 8), (8, 351, 399)] {
        let result = classified(&model, "with_state_of_b", exactly(states), None);
        let found =
            members(&model, &result.atoms, &result.classes[0].constraint, exactly(states), Backend::Cadical);
        let violating =
            |t: &Trace| t.moments.iter().filter(|m| !eval_state(&model, property, m).is_true()).count();
        assert_eq!((found.len(), found.iter().map(violating).sum()), (traces, positions), "{states} states");
    }
}

#[test]
fn what_the_article_calls_attacks_are_steal_steps() {
    let honest = model("ns_symmetric", NO_STEAL);
    for states in [8, 9, 10, 12] {
        assert!(!holds_somewhere(&honest, "replay", states), "{states} states");
    }
    assert!(holds_somewhere(&model("ns_symmetric", &[]), "replay", 10));
    // Eve holds the message, and then Bob one from her.
    let meant = "pred meant(t1, t2: pos) = t2 = t1 + 1 and holder@t1 = Eve and message.sender@t1 != Eve
                 and holder@t2 = Bob and message.sender@t2 = Eve;";
    let honest = model_with("ns_public_key", NO_STEAL, meant);
    for states in [9, 10, 11, 12] {
        assert!(!holds_somewhere(&honest, "a_middle", states), "{states} states");
        assert!(!holds_somewhere(&honest, "b_middle", states), "{states} states");
    }
    assert!(holds_somewhere(&honest, "meant", 9));
    let any = model("ns_public_key", &[]);
    assert!(holds_somewhere(&any, "a_middle", 10) && holds_somewhere(&any, "b_middle", 10));
}

#[test]
fn labels_tell_the_steal_steps_from_the_attack() {
    for (name, attack) in
        [("ns_symmetric", "action@i = attack ∧ i < j"), ("ns_public_key", "action@i = eve_replies")]
    {
        let of_attack =
            format!("∃ {} ∈ [0..len(ρ)] : {attack}", if attack.contains('j') { "i, j" } else { "i" });
        let steals = ["alice", "bob"].map(|p| format!("∃ i ∈ [0..len(ρ)] : action@i = steal_{p}_key"));
        let any = model(name, &[]);
        let mut expected = [of_attack.clone(), steals[0].clone(), steals[1].clone()];
        expected.sort();
        assert_eq!(
            constraints(&any, &classified(&any, "steps", Lengths::UpTo(14), None)),
            expected,
            "{name}"
        );
        let honest = model(name, NO_STEAL);
        assert_eq!(
            constraints(&honest, &classified(&honest, "steps", Lengths::UpTo(14), None)),
            [of_attack],
            "{name}"
        );
    }
}

#[test]
fn the_first_violating_step_is_one_of_few() {
    let symmetric = model("ns_symmetric", &[]);
    assert_eq!(violating_actions(&symmetric, 10), ["challenge", "steal_alice_key", "steal_bob_key"]);
    let public = model("ns_public_key", &[]);
    assert_eq!(violating_actions(&public, 10), ["eve_replies", "steal_alice_key", "steal_bob_key"]);
}

#[test]
fn frame_holes_are_where_the_original_has_them() {
    let more = "invariant no_key: Key_SA not in eve_keys;";
    let public = model_with("ns_public_key", &[], more);
    assert_eq!(soonest(&public, "no_key", Lengths::UpTo(9)), Some(4));
    // The protocol can begin again, and everything else can be done.
    for model in [&public, &model("ns_symmetric", &[])] {
        assert!(vacuity(model, 9, Backend::Cadical, &Budget::unlimited()).dead_actions.is_empty());
    }
    // The key between Alice and Bob is Eve's without any violation of the property.
    let more = "invariant key_secret: Key_AB not in eve_keys; assume EveNonce not in knows[Alice];
                assume EveNonce not in knows[Bob];";
    let symmetric = model_with("ns_symmetric", NO_STEAL, more);
    assert!(soonest(&symmetric, "key_secret", Lengths::UpTo(9)).is_some());
    assert_eq!(soonest(&symmetric, "authentication", Lengths::UpTo(9)), None);
}

#[test]
fn nobody_is_established_without_the_attacker() {
    let more = "invariant nobody: forall p in Peer: state[p] != Est;
                invariant not_both: state[A] != Est or state[B] != Est;";
    let alone = model_with("tcp", &[("ATTACKER", "false")], more);
    assert_eq!(soonest(&alone, "nobody", Lengths::UpTo(11)), None);
    let attacked = model_with("tcp", &[], more);
    let both = soonest(&attacked, "not_both", Lengths::UpTo(12));
    assert!(both.is_some_and(|states| (11..=13).contains(&states)), "{both:?}");
    let dead = vacuity(&attacked, 11, Backend::Cadical, &Budget::unlimited()).dead_actions;
    assert_eq!(dead.iter().map(|&a| attacked.actions[a].name.as_str()).collect::<Vec<_>>(), ["acknowledge"]);
}
