//! Every model of `specs/` with the classes that it is there to show.

use cladist::budget::Budget;
use cladist::classify::{
    Classification, Constraint, Grounding, Mode, Options, Problem, Restates, Restored, Verdict, classify,
    classify_within,
};
use cladist::model::{Model, eval, load, load_text};
use cladist::sat::Backend;
use cladist::unroll::{BoundedResult, Lengths, check};
use std::io::ErrorKind;
use std::path::Path;

/// The model of a file of `specs/`, which must have no mistakes.
pub fn model(name: &str, set: &[(&str, &str)]) -> Model {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("specs").join(name).with_extension("sts");
    let set: Vec<(String, String)> = set.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect();
    let loaded = load(&path, &set);
    assert!(loaded.diagnostics.is_empty(), "{name}: {:?}", loaded.diagnostics);
    loaded.model.expect("no mistakes")
}

fn run(
    model: &Model,
    vocabulary: &str,
    bound: usize,
    backend: Backend,
    keep_redundant: bool,
) -> Classification {
    let vocabulary = match vocabulary {
        "" => 0,
        name => model.vocabulary(name).expect("a vocabulary of that name"),
    };
    let options =
        Options { keep_redundant, backend, check_backend: backend, ..Options::of(Lengths::UpTo(bound)) };
    let problem = Problem::first(model).expect("an invariant");
    classify(problem, &model.vocabularies[vocabulary], &options, &Budget::unlimited(), &mut ())
}

fn constraints(model: &Model, result: &Classification) -> Vec<String> {
    assert_eq!(result.verdict, Verdict::Complete);
    let mut shown: Vec<String> =
        result.classes.iter().map(|c| c.constraint.show(model, &result.atoms)).collect();
    shown.sort();
    shown
}

fn labels(model: &Model, trace: &cladist::trace::Trace) -> Vec<String> {
    trace.moments.iter().filter_map(|m| m.label.as_ref()).map(|l| model.show_label(l)).collect()
}

#[test]
fn the_running_example_has_the_two_classes_of_section_4_4_at_every_bound() {
    let model = model("running_example", &[]);
    for bound in [2, 5, 10, 30] {
        for backend in [Backend::Cadical, Backend::Varisat] {
            let result = run(&model, "", bound, backend, false);
            let expected = [
                "∃ i ∈ [0..len(ρ)] : secret_plaintext(i)",
                "∃ i, j ∈ [0..len(ρ)] : secret_encrypted(j) ∧ EveKey@i = Key_AB ∧ i < j",
            ];
            assert_eq!(constraints(&model, &result), expected, "bound {bound}, {backend}");
        }
    }
}

#[test]
fn an_old_frame_that_is_taken_was_overtaken() {
    let model = model("lossy_link", &[]);
    let result = run(&model, "frames", 8, Backend::Cadical, false);
    let frames = "(Data(bit: false, item: 0), Data(bit: true, item: 1), i1, i2, i3, i4)";
    let expected = format!("∃ i1, i2, i3, i4 ∈ [0..len(ρ)] : link_does.reordered{frames}");
    assert_eq!(constraints(&model, &result), [expected]);
}

#[test]
fn a_replayed_message_has_a_number_less_than_that_of_one_before() {
    let model = model("replay_window", &[]);
    for bound in [5, 7] {
        let result = run(&model, "", bound, Backend::Cadical, false);
        let expected = ["∃ i, j ∈ [0..len(ρ)] : take.n@j < take.n@i ∧ i < j"];
        assert_eq!(constraints(&model, &result), expected, "bound {bound}");
    }
}

/// The classes of a model with large ranges.
fn classes_about_numbers(invariant: &str, vocabulary: &str) -> Vec<String> {
    let text = format!(
        "model m;
         var a : -500..500; var b : option 0..500;
         init {{ a = 0; b = none; }}
         action earn(n: 1..200) {{ a' = a + n; b' = n; }}
         action pay(n: 1..400) {{ require a >= 3; a' = a - n; }}
         invariant ok: {invariant};
         vocabulary v = {{ {vocabulary} }};"
    );
    let loaded = load_text("m.sts", &text, &[], &|_| Err(ErrorKind::NotFound.into()));
    let model = loaded.model.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics));
    let options = Options::of(Lengths::UpTo(3));
    let problem = Problem::first(&model).expect("an invariant");
    let result = classify(problem, &model.vocabularies[0], &options, &Budget::unlimited(), &mut ());
    constraints(&model, &result)
}

#[test]
fn classes_say_on_which_side_of_a_number_an_integer_is() {
    let class = |text: &str| [format!("∃ i ∈ [0..len(ρ)] : {text}")];
    assert_eq!(classes_about_numbers("a >= 0", "eq(a)"), class("a@i < 0"));
    assert_eq!(classes_about_numbers("a != 3", "eq(a)"), class("a@i = 3"));
    assert_eq!(classes_about_numbers("b is none or a >= b", "order(a, b)"), class("a@i < b@i"));
}

#[test]
fn increment_decrement_behaves_as_in_sections_3_3_to_4_3_2() {
    let model = model("increment_decrement", &[]);
    let both = run(&model, "both", 10, Backend::Cadical, false);
    let expected = ["∃ i ∈ [0..len(ρ)] : greater_than_one(a@i)", "∃ i ∈ [0..len(ρ)] : less_than_one(a@i)"];
    assert_eq!(constraints(&model, &both), expected);
    let weak = run(&model, "too_weak", 10, Backend::Cadical, false);
    let Verdict::TooWeak(pair) = weak.verdict else { panic!("{:?}", weak.verdict) };
    assert_eq!(labels(&model, &pair.counterexample), ["increment"]);
    let other = run(&model, "not_one", 10, Backend::Cadical, false);
    assert_eq!(constraints(&model, &other), ["∃ i ∈ [0..len(ρ)] : differs_from_one(a@i)"]);
    let all = run(&model, "all", 10, Backend::Cadical, false);
    assert_eq!(constraints(&model, &all), ["∃ i ∈ [0..len(ρ)] : differs_from_one(a@i)"]);
    assert_eq!(all.statistics.redundant, 1, "the class found first is covered by the second");
    let kept = run(&model, "all", 10, Backend::Cadical, true);
    assert_eq!(kept.classes.iter().map(|c| c.redundant).collect::<Vec<_>>(), [true, false]);
}

#[test]
fn lowes_attack_is_a_man_in_the_middle() {
    let model = model("ns_public_key", &[]);
    let result = run(&model, "attacks", 10, Backend::Cadical, false);
    assert_eq!(result.verdict, Verdict::Complete);
    let lowe = [
        "start(b=Eve)",
        "learn(n=Na)",
        "forge(b=Bob,k=M1,n=Na,claimed=Alice)",
        "answer(a=Alice,n=Na)",
        "finish(b=Eve,n=Nb)",
        "learn(n=Nb)",
    ];
    let class =
        result.classes.iter().find(|c| labels(&model, &c.representative) == lowe).expect("Lowe's attack");
    let shown = class.constraint.show(&model, &result.atoms);
    assert!(shown.contains("msgs.man_in_the_middle("), "{shown}");
}

#[test]
fn an_old_session_key_is_a_replay() {
    let model = model("ns_symmetric", &[]);
    let result = run(&model, "attacks", 10, Backend::Cadical, false);
    let shown = constraints(&model, &result);
    assert!(shown.iter().any(|c| c.contains("msgs.replay(")), "{shown:?}");
}

#[test]
fn repaired_models_hold() {
    let repaired = [
        ("ns_public_key", ("LOWE_FIX", "true")),
        ("ns_symmetric", ("TIMESTAMPS", "true")),
        ("tcp_handshake", ("ATTACKER", "false")),
        ("mutex", ("FIXED", "true")),
    ];
    for (name, set) in repaired {
        let model = model(name, &[set]);
        for property in model.properties.iter().filter_map(|p| p.invariant()) {
            let result =
                check(&model, property, Lengths::UpTo(12), Backend::Cadical, &Budget::unlimited(), &mut ());
            assert_eq!(result, BoundedResult::Holds, "{name}");
        }
        assert_eq!(run(&model, "", 12, Backend::Cadical, false).verdict, Verdict::Holds, "{name}");
    }
}

/// What the other vocabularies of the models say; at greater bounds the same. With fewer steps than 14 the
/// traces that show what is needed in the symmetric protocol are too short.
#[test]
fn every_vocabulary_has_the_classes_that_it_is_there_to_show() {
    let expected: &[(&str, &str, &[&str])] = &[
        (
            "mutex",
            "steps",
            &[
                "∃ p1, p2 ∈ Process, i, j, k ∈ [0..len(ρ)] : enter.p@i = p1 ∧ commit.p@j = p2 ∧ enter.p@k = p2 ∧ \
               j = i + 1 ∧ k = j + 1",
            ],
        ),
        (
            "mutex",
            "courses",
            &[
                "∃ i1, i2, i3, i4 ∈ [0..len(ρ)] : p_course.turns_into(i1, i2) ∧ q_course.gives_way(i2, i3) ∧ \
                 q_course.turns_into(i3, i4)",
                "∃ i1, i2, i3, i4 ∈ [0..len(ρ)] : q_course.turns_into(i1, i2) ∧ p_course.gives_way(i2, i3) ∧ \
                 p_course.turns_into(i3, i4)",
            ],
        ),
        ("mutex", "states", &["∃ i ∈ [0..len(ρ)] : location[P]@i = Critical ∧ location[Q]@i = Critical"]),
        ("tcp_handshake", "generic", &["∃ i ∈ [0..len(ρ)] : state[A]@i = Closed ∧ state[B]@i = Established"]),
        (
            "tcp_handshake",
            "ways",
            &[
                "∃ i, j ∈ [0..len(ρ)] : abandoned(i, j)",
                "∃ i, j ∈ [0..len(ρ)] : misled_active(i, j)",
                "∃ i, j ∈ [0..len(ρ)] : misled_passive(i, j)",
            ],
        ),
        (
            "ns_public_key",
            "generic",
            &["∃ i, j ∈ [0..len(ρ)] : net.sender@i = Bob ∧ net.receiver@i = Alice ∧ Nb in knows@j"],
        ),
        ("ns_public_key", "labels", &["∃ i, j ∈ [0..len(ρ)] : answer.a@i = Alice ∧ learn.n@j = Nb"]),
        (
            "ns_symmetric",
            "generic",
            &["∃ i, j ∈ [0..len(ρ)] : net.sender@i = Bob ∧ net.body.key@i = K1 ∧ K1 in knows@i ∧ \
               phase[Bob]@j = Done ∧ i < j"],
        ),
        (
            "ns_symmetric",
            "attacks",
            &[
                "∃ i1, i2, i3, i4 ∈ [0..len(ρ)] : msgs.replay(i1, i2) ∧ takes_ticket(i2, i3) ∧ today@i1 = First ∧ \
               today@i3 = Second ∧ phase[Bob]@i4 = Done ∧ i2 < i4",
            ],
        ),
        ("ns_symmetric", "labels", &["∃ i, j ∈ [0..len(ρ)] : action@i = forge ∧ accept.k@j = K1 ∧ i < j"]),
        ("ns_symmetric", "knowledge", &["∃ i ∈ [0..len(ρ)] : keys.uses_known(i)"]),
    ];
    for (name, vocabulary, classes) in expected {
        let model = model(name, &[]);
        for bound in [14, 18] {
            let result = run(&model, vocabulary, bound, Backend::Cadical, false);
            assert_eq!(constraints(&model, &result), *classes, "{name} {vocabulary}, bound {bound}");
        }
    }
}

/// Where values are to stay as they are, there is a class for each choice of them.
#[test]
fn ground_classes_are_those_of_the_paper() {
    let model = model("mutex", &[]);
    let (problem, vocabulary) = (Problem::first(&model).expect("an invariant"), &model.vocabularies[0]);
    let ground = |grounding| {
        let options = Options { grounding, ..Options::of(Lengths::UpTo(9)) };
        constraints(&model, &classify(problem, vocabulary, &options, &Budget::unlimited(), &mut ()))
    };
    let process = Grounding::liftable(&model);
    assert_eq!(process.iter().map(|ty| model.types.name(ty)).collect::<Vec<_>>(), ["Process"]);
    let expected = [
        "∃ i, j, k ∈ [0..len(ρ)] : enter.p@i = P ∧ commit.p@j = Q ∧ enter.p@k = Q ∧ j = i + 1 ∧ k = j + 1",
        "∃ i, j, k ∈ [0..len(ρ)] : enter.p@i = Q ∧ commit.p@j = P ∧ enter.p@k = P ∧ j = i + 1 ∧ k = j + 1",
    ];
    assert_eq!(ground(Grounding::Everything), expected);
    assert_eq!(ground(Grounding::Types(process)), expected);
}

/// One attack, however many sessions there are.
#[test]
fn sessions_that_nothing_tells_apart_are_one_kind() {
    for (sessions, individual) in [("1", false), ("2", true), ("3", true)] {
        let model = model("ns_sessions", &[("N", sessions)]);
        let classes = constraints(&model, &run(&model, "answering", 7, Backend::Cadical, false));
        let [class] = classes.as_slice() else { panic!("{classes:?}") };
        assert_eq!(class.contains("∃ s ∈ Session, "), individual, "{class}");
        let tied = "answer.s@i3 = s ∧ Nonce(by: Bob, session: s) in knows@i4";
        assert_eq!(class.contains(tied), individual, "{class}");
    }
}

/// What is learnt is tied to the message that it was a part of.
#[test]
fn the_session_of_an_attack_is_told_by_a_part_of_a_message() {
    for (sessions, individual, nonce) in [
        ("1", "", "Nonce(by: Bob, session: 1)"),
        ("2", "s ∈ Session, ", "Nonce(by: Bob, session: s)"),
        ("3", "s ∈ Session, ", "Nonce(by: Bob, session: s)"),
    ] {
        let model = model("ns_sessions", &[("N", sessions)]);
        let classes = constraints(&model, &run(&model, "parts", 7, Backend::Cadical, false));
        let expected = format!(
            "∃ {individual}i1, i2, i3, i4 ∈ [0..len(ρ)] : msgs.man_in_the_middle(i1, i2, i3) ∧ eve.learns_part({nonce}, i3, i4)"
        );
        assert_eq!(classes, [expected]);
    }
}

/// Ann orders from Bob, who serves whoever is named in an order, and sends receipts. Eve reads both and writes orders.
const ORDERS: &str = "model orders;
import \"std/messages.pred\" as msgs with {
  Content = Paper, Attacker = Eve, Part = Id,
  sent = net is some, sender = net.sender, receiver = net.receiver, content = net.paper
};
type Agent = enum { Ann, Bob, Eve };
type Id = enum { X, Y };
type Paper = variant { Order(by: Agent, id: Id), Receipt(owner: Agent, number: Id) };
type Mail = record { sender: Agent, receiver: Agent, paper: Paper };
var net : option Mail;
var served : option Agent;
init { net = none; served = none; }
action order(x: Id) {
  require served is none;
  net' = Mail(sender: Ann, receiver: Bob, paper: Order(by: Ann, id: x));
  served' = Ann;
}
action confirm {
  require net.paper is Order;
  net' = Mail(sender: Bob, receiver: Ann, paper: Receipt(owner: served otherwise Ann, number: net.paper.id otherwise X));
}
action resend { require net is some; net' = Mail(sender: Eve, receiver: Bob, paper: net.paper otherwise Order(by: Ann, id: X)); }
action steal {
  require net.paper is Order;
  net' = Mail(sender: Eve, receiver: Bob, paper: Order(by: Eve, id: net.paper.id otherwise X));
  served' = Eve;
}
action use_receipt {
  require net.paper is Receipt;
  net' = Mail(sender: Eve, receiver: Bob, paper: Order(by: Eve, id: net.paper.number otherwise X));
  served' = Eve;
}
invariant for_ann: served != Eve;
vocabulary names = { msgs.replay, msgs.renames, before };
vocabulary parts = { msgs.taken_over(x), eq(net.paper.constructor), before };
";

#[test]
fn contents_under_another_name_and_their_parts_are_recognised() {
    let loaded = load_text("orders.sts", ORDERS, &[], &|_| Err(ErrorKind::NotFound.into()));
    assert!(loaded.diagnostics.is_empty(), "{:?}", loaded.diagnostics);
    let model = loaded.model.expect("no mistakes");
    let classes = |vocabulary| constraints(&model, &run(&model, vocabulary, 6, Backend::Cadical, false));
    // Whatever Eve sends in the end, Ann has ordered something.
    assert_eq!(classes("names"), ["∃ i, j ∈ [0..len(ρ)] : msgs.renames(i, j)"]);
    // It is the number that she takes over, from the order or from the receipt; a receipt that is sent again also has one.
    let parts = "∃ id ∈ Id, i, j ∈ [0..len(ρ)] : msgs.taken_over(id, i, j) ∧ net.paper@j is Order";
    assert_eq!(classes("parts"), [parts]);
}

#[test]
fn without_the_state_of_b_tcp_cannot_be_classified() {
    let model = model("tcp_handshake", &[]);
    let result = run(&model, "no_state_of_b", 14, Backend::Cadical, false);
    let Verdict::TooWeak(pair) = result.verdict else { panic!("{:?}", result.verdict) };
    let invariant = model.properties[0].invariant().expect("an invariant");
    let violation = |trace: &cladist::trace::Trace| eval::first_violation(&model, invariant, &trace.moments);
    assert!(violation(&pair.counterexample).is_some() && violation(&pair.accepting).is_none());
    assert!(pair.constraint.matches(&model, &result.atoms, &pair.accepting.moments).is_some());
}

/// Counterexamples are chosen by an order of the model's own, so nothing depends on the solver.
#[test]
fn both_solvers_give_the_same_classification() {
    let names =
        ["running_example", "increment_decrement", "ns_public_key", "ns_symmetric", "tcp_handshake", "mutex"];
    for name in names {
        let model = model(name, &[]);
        for vocabulary in &model.vocabularies {
            let [one, other] =
                [Backend::Cadical, Backend::Varisat].map(|b| run(&model, &vocabulary.name, 8, b, false));
            let at = format!("{name} {}", vocabulary.name);
            assert_eq!(std::mem::discriminant(&one.verdict), std::mem::discriminant(&other.verdict), "{at}");
            let shown = |r: &Classification| -> Vec<_> {
                let classes = r.classes.iter();
                classes
                    .map(|c| {
                        (c.constraint.show(&model, &r.atoms), c.representative.clone(), c.canonical.clone())
                    })
                    .collect()
            };
            assert_eq!(shown(&one), shown(&other), "{at}");
        }
    }
}

#[test]
fn a_budget_that_ends_leaves_what_is_known() {
    let model = model("mutex", &[]);
    let invariant = model.properties[0].invariant().expect("an invariant");
    let options = Options::of(Lengths::UpTo(100_000));
    let budget = Budget::unlimited().with_timeout(std::time::Duration::from_millis(500));
    let result =
        classify(Problem::new(&model, invariant), &model.vocabularies[0], &options, &budget, &mut ());
    assert!(matches!(result.verdict, Verdict::Partial(_)), "{:?}", result.verdict);
    assert_eq!(result.unclassified.map(|t| t.len()), Some(6), "the violation that was found");
}

/// That there was no step yet is a fact about labels, and the states that go with it are not those of the property alone.
#[test]
fn a_class_about_the_first_state_does_not_restate_the_property() {
    let text = "model first; var x: 0..1; var y: 0..1; init { x <= y; y = 1; } action idle { y' = 0; } \
                action t { require y = 0; x' = 1; } invariant i: x = 0 or y = 0; vocabulary v = { eq(action, x) };";
    let loaded = load_text("first.sts", text, &[], &|_| Err(ErrorKind::NotFound.into()));
    let model = loaded.model.expect("no mistakes");
    let problem = Problem::first(&model).expect("an invariant");
    let options = Options::of(Lengths::UpTo(3));
    let result = classify(problem, &model.vocabularies[0], &options, &Budget::unlimited(), &mut ());
    let classes: Vec<(String, bool)> = result
        .classes
        .iter()
        .map(|c| (c.constraint.show(&model, &result.atoms), c.restates == Restates::Property))
        .collect();
    assert_eq!(classes, [("∃ i ∈ [0..len(ρ)] : action@i = none ∧ x@i = 1".to_owned(), false)]);
}

/// The cover of the traces of a class, as texts.
fn within(model: &Model, result: &Classification, class: usize) -> Vec<String> {
    let problem = Problem::first(model).expect("an invariant");
    let vocabulary = &model.vocabularies[model.vocabulary("own").expect("it exists")];
    let options = Options::of(Lengths::UpTo(10));
    let constraint = result.classes[class].constraint.clone();
    let class = Restored { constraint, atoms: result.atoms.clone() };
    let cover = classify_within(problem, vocabulary, &class, &options, &Budget::unlimited(), &mut ());
    cover.classes.iter().map(|class| class.constraint.show_facts(model, &cover.atoms)).collect()
}

#[test]
fn the_web_shop_is_violated_by_a_forged_request_or_in_three_other_ways() {
    let classes = |set: &[(&str, &str)]| {
        let model = model("web_shop", set);
        let result = run(&model, "own", 10, Backend::Cadical, false);
        (model, result)
    };
    let (shop, result) = classes(&[]);
    let expected = ["∃ i ∈ [0..len(ρ)] : csrf(i)", "∃ i ∈ [0..len(ρ)] : used_by_mallory(i)"];
    assert_eq!(constraints(&shop, &result), expected);
    let ways = ["fixation(i, j)", "theft(i)", "xss.s@i = s ∧ log_in.s@j = s ∧ i < j"];
    assert_eq!(within(&shop, &result, 1), ways);
    let (safer, result) = classes(&[("XSS", "false"), ("URL_SESSION", "false")]);
    assert_eq!(constraints(&safer, &result), ["∃ i ∈ [0..len(ρ)] : csrf(i)"]);
}

/// The vocabulary, in the place of those of the web shop.
fn shop_with(vocabulary: &str) -> Model {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("specs/web_shop.sts");
    let text = std::fs::read_to_string(path).expect("a model");
    let (model, _) = text.split_once("vocabulary own").expect("a vocabulary");
    let text =
        format!("{model} pred enters(u: User, t: pos) = log_in.u@t = u; vocabulary v = {{ {vocabulary} }};");
    let loaded = load_text("shop.sts", &text, &[], &|_| Err(ErrorKind::NotFound.into()));
    loaded.model.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics))
}

#[test]
fn a_cover_names_the_value_where_it_is_always_the_same() {
    let cover = |model: &Model| {
        let problem = Problem::first(model).expect("an invariant");
        let options = Options { mode: Mode::Cover, ..Options::of(Lengths::UpTo(6)) };
        classify(problem, &model.vocabularies[0], &options, &Budget::unlimited(), &mut ())
    };
    let model = shop_with("enters(u)");
    let result = cover(&model);
    assert_eq!(constraints(&model, &result), ["∃ i ∈ [0..len(ρ)] : enters(Victim, i)"]);

    // Somebody visits, Mallory or the victim; the sessions are alike.
    let model = shop_with("eq(visit.u, log_in.u, visit.s, forged_pay.s, steal_pay.s)");
    let result = cover(&model);
    let show = |constraint: &Constraint| constraint.show_facts(&model, &result.atoms);
    let necessary: Vec<String> = result.cover.as_ref().expect("a cover").necessary.iter().map(show).collect();
    assert_eq!(necessary, ["visit.u@i = u", "log_in.u@i = Victim", "visit.s@i = s"]);
}
