//! Individuals that the model ties to each other: one class for any number of sessions, whichever way they are tied.

use crate::all_traces::all_traces;
use cladist::budget::Budget;
use cladist::classify::numbers;
use cladist::classify::{
    Classification, CountQuery, Grounding, Options, Problem, Reach, Restored, Unbounded, Verdict, classify,
    classify_unbounded, classify_within,
};
use cladist::model::{Model, eval, load, load_text};
use cladist::unroll::Lengths;
use itertools::Itertools;
use num_bigint::BigUint;
use std::io::ErrorKind;
use std::path::Path;

const BOUND: usize = 4;

/// The text of `tests/cli/linked.sts`, with other words for some of it.
fn linked(changes: &[(&str, &str)]) -> Model {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/linked.sts");
    let mut text = std::fs::read_to_string(path).expect("it is there");
    for (before, after) in changes {
        assert!(text.contains(before), "{before}");
        text = text.replace(before, after);
    }
    let loaded = load_text("linked.sts", &text, &[], &|_| Err(ErrorKind::NotFound.into()));
    loaded.model.unwrap_or_else(|| panic!("{:?} in\n{text}", loaded.diagnostics))
}

const DEFINITION: &str =
    "def nonce(r: Responder): Nonce = if r = R1 then NR1 else if r = R2 then NR2 else NR3;";
const LEARN: &str = "knows' = knows union { nonce(s) };";

fn texts(model: &Model, result: &Classification) -> Vec<String> {
    result.classes.iter().map(|class| class.constraint.show(model, &result.atoms)).collect()
}

/// The classes up to a bound, for every length, and with values as they are; all are the same as those of traces that are listed.
fn classes(model: &Model) -> [Vec<String>; 3] {
    let problem = Problem::first(model).expect("an invariant");
    let (vocabulary, unlimited) = (&model.vocabularies[0], Budget::unlimited());
    let options = Options::of(Lengths::UpTo(BOUND));
    let bounded = classify(problem, vocabulary, &options, &unlimited, &mut ());
    assert_eq!(bounded.verdict, Verdict::Complete);
    assert!(bounded.checked_by.is_some());
    let reach = Reach { start: None, otherwise: BOUND, limit: 100_000 };
    let every = classify_unbounded(problem, vocabulary, &options, reach, &unlimited, &mut ());
    assert!(matches!(every.unbounded, Some(Unbounded::Proved(_))), "{:?}", every.unbounded);
    let traces = all_traces(model, BOUND, 100_000).expect("few");
    let violating: Vec<_> = traces
        .iter()
        .filter(|trace| eval::first_violation(model, problem.invariant, &trace.moments).is_some())
        .collect();
    for result in [&bounded, &every] {
        let is_in = |moments: &[_]| {
            result
                .classes
                .iter()
                .any(|class| class.constraint.matches(model, &result.atoms, moments).is_some())
        };
        let inside = traces.iter().filter(|trace| is_in(&trace.moments)).count();
        assert_eq!(inside, violating.len());
        assert!(violating.iter().all(|trace| is_in(&trace.moments)));
    }
    let counted = CountQuery {
        problem,
        classes: &bounded.classes,
        atoms: &bounded.atoms,
        lengths: Lengths::UpTo(BOUND),
    };
    let counts = numbers(counted, 100_000, &unlimited).expect("no limit").counts;
    let sum: BigUint = counts.iter().map(|count| count.violating.total()).sum();
    assert_eq!(sum, BigUint::from(violating.len()));
    let ground = Options { grounding: Grounding::Everything, ..options };
    let ground = classify(problem, vocabulary, &ground, &unlimited, &mut ());
    [texts(model, &bounded), texts(model, &every), texts(model, &ground)]
}

#[test]
fn sessions_and_their_nonces_are_one_class() {
    let two = [
        ("{ R1, R2, R3 }", "{ R1, R2 }"),
        ("{ NR1, NR2, NR3, Ne }", "{ NR1, NR2, Ne }"),
        (DEFINITION, "def nonce(r: Responder): Nonce = if r = R1 then NR1 else NR2;"),
    ];
    let map = [
        (
            DEFINITION,
            "const OF : map Responder to Nonce = map r in Responder: if r = R1 then NR2 else if r = R2 then NR1 else NR3;",
        ),
        ("nonce(", "OF["),
        ("[s) }", "[s] }"),
        ("[r) not", "[r] not"),
    ];
    let partial = [
        (
            DEFINITION,
            "def nonce(r: Responder): option Nonce = if r = R1 then some(NR1) else if r = R2 then some(NR2) else none;",
        ),
        (LEARN, "knows' = { n in Nonce : n in knows or n = nonce(s) };"),
    ];
    let back = [
        (
            DEFINITION,
            "def owner(n: Nonce): option Responder = \
           if n = NR1 then some(R1) else if n = NR2 then some(R2) else if n = NR3 then some(R3) else none;",
        ),
        (LEARN, "knows' = { n in Nonce : n in knows or owner(n) = s };"),
        ("nonce(r) not in knows", "not exists n in knows: owner(n) = r"),
    ];
    let written = "∃ r ∈ Responder, i, j ∈ [0..len(ρ)] : answer.s@i = r ∧ ";
    let both = "∃ r ∈ Responder, n ∈ Nonce, i, j ∈ [0..len(ρ)] : answer.s@i = r ∧ n in knows@j ∧ ";
    for (changes, expected, ground) in [
        (&two[..], format!("{written}nonce(r) in knows@j"), 2),
        (&[][..], format!("{written}nonce(r) in knows@j"), 3),
        (&map[..], format!("{written}OF[r] in knows@j"), 3),
        (&partial[..], format!("{both}nonce(r) = n"), 2),
        (&back[..], format!("{both}owner(n) = r"), 3),
    ] {
        let [bounded, every, as_they_are] = classes(&linked(changes));
        assert_eq!((bounded.len(), &bounded), (1, &every));
        assert_eq!(bounded[0], expected);
        assert_eq!(as_they_are.len(), ground, "{as_they_are:?}");
    }
}

#[test]
fn what_belongs_together_is_said_only_where_it_matters() {
    // Whichever session answers and whatever Eve learns, it is wrong.
    let any = linked(&[(
        "invariant secrecy: forall r in Responder: peer[r] = Alice => nonce(r) not in knows;",
        "invariant secrecy: forall r, s in Responder: peer[r] = Alice => nonce(s) not in knows;",
    )]);
    let [bounded, every, _] = classes(&any);
    let expected =
        ["∃ r ∈ Responder, n ∈ Nonce, i, j ∈ [0..len(ρ)] : answer.s@i = r ∧ n in knows@j ∧ n ≠ Ne"];
    assert_eq!(bounded, expected);
    assert_eq!(every, expected);
}

/// A class whose tester alone is free needs to say that this is not the first one. Where all values are looked at afterwards, the agent is free and
/// the tester is not: what the class of before needs must still be known.
#[test]
fn what_is_freed_first_need_not_be_free_with_everything() {
    let text = "model testers;
        type Tester = 1..3;
        type Room = 1..2;
        type Agent = enum { Alice, Bob, Eve };
        var warm : map Room to bool;
        var used : map Tester to bool;
        var clock : bool;
        var bad : bool;
        init { forall r in Room: not warm[r]; forall t in Tester: not used[t]; not clock; not bad; }
        action heat(r: Room) { require r = 1; warm'[r] = true; }
        action wait { clock' = true; }
        action act(t: Tester, a: Agent) {
          require not (t = 2 and a = Bob);
          require (t = 3 or t = 1 and a = Bob) => clock;
          bad' = warm[1] and (t != 1 and a = Alice or t = 1 and a = Bob);
          used'[t] = true;
        }
        invariant safe: not bad;
        vocabulary v = { eq(warm, act.t, act.a), before };";
    let loaded = load_text("testers.sts", text, &[], &|_| Err(ErrorKind::NotFound.into()));
    let model = loaded.model.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics));
    let [bounded, every, _] = classes(&model);
    assert!(bounded.len() <= 3, "{bounded:?}");
    assert_eq!(bounded.len(), every.len(), "{every:?}");
}

/// An item for one value and an item for any say the same of different individuals, whichever of them comes first.
#[test]
fn the_order_of_items_does_not_hide_what_counterexamples_have_in_common() {
    let text = "model box;
        type Sender = enum { A, B };
        var full : set of Sender;
        var taken : set of Sender;
        init { full = {}; taken = {}; }
        action put(s: Sender) { require s not in full; full' = full union { s }; }
        action take(s: Sender) {
          require s in full;
          full' = full minus { s };
          taken' = taken union { s };
        }
        invariant safe: A not in taken and B not in taken;
        pred takes(s: Sender, t: pos) = take.s@t = s;
        vocabulary v = { ITEMS, before };";
    for items in ["takes(A, t), takes(n, t)", "takes(n, t), takes(A, t)", "takes(A, t), takes(B, t)"] {
        let text = text.replace("ITEMS", items);
        let loaded = load_text("box.sts", &text, &[], &|_| Err(ErrorKind::NotFound.into()));
        let model = loaded.model.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics));
        let [bounded, every, as_they_are] = classes(&model);
        let expected = match items.contains('n') {
            true => vec!["∃ s ∈ Sender, i ∈ [0..len(ρ)] : takes(s, i)"],
            // No item says that individuals are wanted.
            false => vec!["∃ i ∈ [0..len(ρ)] : takes(A, i)", "∃ i ∈ [0..len(ρ)] : takes(B, i)"],
        };
        assert_eq!(bounded, expected, "{items}");
        assert_eq!(every, expected, "{items}");
        assert_eq!(as_they_are.len(), 2, "{items}");
    }
}

/// One of the models in `tests/cli` with another number of seats.
fn round_table(name: &str, seats: usize) -> Model {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli").join(name);
    let overrides = [("N".to_owned(), seats.to_string())];
    load(&path, &overrides).model.expect("no mistakes")
}

/// Whom a neighbour is beside is told by a tie where a definition says it; otherwise one class stands for all seats, its images. In the ground
/// reading there is a class for each.
#[test]
fn neighbours_are_tied_or_turned() {
    let states = (
        "states",
        "∃ s ∈ Seat, i ∈ [0..len(ρ)] : phase[s]@i = Eating ∧ phase[right(s)]@i = Eating",
        "∃ i ∈ [0..len(ρ)] : phase[1]@i = Eating ∧ phase[2]@i = Eating",
    );
    let steps = (
        "steps",
        "∃ s ∈ Seat, i, j ∈ [0..len(ρ)] : eat.s@i = s ∧ eat.s@j = right(s) ∧ never think.s = s within (i..j) ∧ i < j",
        "∃ i, j ∈ [0..len(ρ)] : eat.s@i = 1 ∧ eat.s@j = 2 ∧ never think.s = 1 within (i..j) ∧ i < j",
    );
    for ((vocabulary, tied, turned), seats) in [states, steps].into_iter().cartesian_product([4, 5]) {
        let classes = |name: &str, grounding: Grounding| {
            let model = round_table(name, seats);
            let problem = Problem::first(&model).expect("an invariant");
            let words = &model.vocabularies[model.vocabulary(vocabulary).expect("it exists")];
            let options = Options { grounding, ..Options::of(Lengths::UpTo(6)) };
            let result = classify(problem, words, &options, &Budget::unlimited(), &mut ());
            assert_eq!(result.verdict, Verdict::Complete);
            let result = result.gathered();
            let images: usize = result.classes.iter().map(|class| class.images.len()).sum();
            (texts(&model, &result), images)
        };
        assert_eq!(classes("round_table.sts", Grounding::Nothing), (vec![tied.to_owned()], 0), "{seats}");
        let in_place = "round_table_in_place.sts";
        assert_eq!(classes(in_place, Grounding::Nothing), (vec![turned.to_owned()], seats - 1), "{seats}");
        let (each, images) = classes(in_place, Grounding::Everything);
        assert_eq!((each.len(), images), (seats, 0), "{seats}: {each:?}");
    }
}

/// A definition that leaves a value where it is, and takes others to each other, ties none to itself, nor two of them in a circle.
#[test]
fn links_may_lead_back() {
    let text = "model m; type Node = enum { N0, N1, N2 };
        const F : map Node to Node = map a in Node: if a = N0 then N2 else if a = N1 then N1 else N0;
        var on : set of Node;
        action act(n: Node) { require F[n] in on; on' = on union {n}; }
        invariant safe: not (exists a in Node: a in on and F[a] in on and F[a] != a);
        vocabulary v = { eq(on) };";
    let loaded = load_text("m.sts", text, &[], &|_| Err(ErrorKind::NotFound.into()));
    let model = loaded.model.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics));
    let (problem, options) = (Problem::first(&model).expect("an invariant"), Options::of(Lengths::UpTo(3)));
    let (words, unlimited) = (&model.vocabularies[0], Budget::unlimited());
    let result = classify(problem, words, &options, &unlimited, &mut ());
    assert_eq!(texts(&model, &result), ["∃ i ∈ [0..len(ρ)] : N0 in on@i ∧ N2 in on@i"]);
    let class = Restored { constraint: result.classes[0].constraint.clone(), atoms: result.atoms };
    let cover = classify_within(problem, words, &class, &options, &unlimited, &mut ());
    assert!(matches!(cover.verdict, Verdict::Complete | Verdict::Remainder));
}
