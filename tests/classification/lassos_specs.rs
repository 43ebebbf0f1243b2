//! The models with properties of linear time: their kinds of infinite counterexamples, and that both ways to decide them agree.

use crate::specs::model;
use cladist::budget::{Activity, Budget, Exhausted, Observer, Progress};
use cladist::classify::lassos::{
    Infinite, LassoBasis, LassoProblem, LassoProof, OpenClaims, classify_lassos, classify_lassos_unbounded,
    usable,
};
use cladist::classify::{Classification, Options, Unbounded, UnknownReason, Verdict, Why};
use cladist::explore::Graph;
use cladist::ltl::{Bounded, Fairness, ListedSystem, LtlTruth, bounded};
use cladist::model::{Model, PropertyKind, load_text};
use cladist::sat::Backend;
use cladist::trace::Lasso;
use cladist::unroll::Lengths;
use std::io::ErrorKind;
use std::thread;
use std::time::Instant;

/// Which infinite traces are classified.
#[derive(Debug, Clone, Copy)]
enum Extent {
    /// Those that repeat after up to so many steps.
    UpTo(usize),
    /// All of them, over the list of the states.
    Listed,
    /// All of them, by proofs.
    Proved,
}

/// The classification of a property over a vocabulary.
fn classified(
    model: &Model,
    (property, vocabulary): (&str, &str),
    is_fair: bool,
    extent: Extent,
    backend: Backend,
) -> Classification<Infinite> {
    let property = &model.properties[model.property(property).expect("a property of the model")];
    let PropertyKind::Ltl(formula) = &property.kind else { panic!("a property of ltl") };
    let vocabulary = &model.vocabularies[model.vocabulary(vocabulary).expect("a vocabulary of the model")];
    let (vocabulary, others) = usable(model, vocabulary);
    assert_eq!(others, [] as [usize; 0]);
    let fairness = if is_fair { Fairness::of_model(model) } else { Vec::new() };
    let problem = LassoProblem { model, formula, fairness: &fairness };
    let (bound, horizon) = match extent {
        Extent::UpTo(bound) => (bound, bound + (bound / 2).max(6)),
        Extent::Listed | Extent::Proved => (3, 7),
    };
    let options = Options { backend, check_backend: backend, ..Options::of_lassos(bound, horizon) };
    let unlimited = Budget::unlimited();
    let every = |states: usize| {
        classify_lassos_unbounded(problem, &vocabulary, &options, states, &unlimited, &mut ())
    };
    match extent {
        Extent::UpTo(_) => classify_lassos(problem, &vocabulary, &options, &unlimited, &mut ()),
        Extent::Listed => every(100_000),
        Extent::Proved => every(1),
    }
}

fn constraints(model: &Model, result: &Classification<Infinite>) -> Vec<String> {
    let mut shown: Vec<String> =
        result.classes.iter().map(|c| c.constraint.show(model, &result.atoms)).collect();
    shown.sort();
    shown
}

/// A property of a model and its kinds of infinite counterexamples.
struct Kinds {
    model: &'static str,
    property: &'static str,
    vocabulary: &'static str,
    set: &'static [(&'static str, &'static str)],
    /// The kinds without fairness.
    all: &'static [&'static str],
    /// Those that fairness leaves.
    fair: &'static [&'static str],
}

const MODELS: &[Kinds] = &[
    Kinds {
        model: "dining_philosophers",
        property: "first_eats",
        vocabulary: "kinds",
        set: &[],
        all: &["again passed_over ∧ forever not served"],
        fair: &[],
    },
    Kinds {
        model: "liveness/starvation",
        property: "all_enter",
        vocabulary: "anybody",
        set: &[],
        all: &[
            "∃ p ∈ Process : again passed_over(p) ∧ forever not served(p)",
            "∃ p ∈ Process : forever stuck(p)",
        ],
        fair: &["∃ p ∈ Process : again passed_over(p) ∧ forever not served(p)"],
    },
    Kinds {
        model: "liveness/starvation",
        property: "p_enters",
        vocabulary: "kinds",
        set: &[],
        all: &["again overtaken ∧ forever not entered", "forever standstill"],
        fair: &["again overtaken ∧ forever not entered"],
    },
    Kinds {
        model: "liveness/blocking_commit",
        property: "a_learns",
        vocabulary: "kinds",
        set: &[],
        all: &["again nobody_answers", "again nobody_decides"],
        fair: &["again nobody_answers"],
    },
    Kinds {
        model: "liveness/blocking_commit",
        property: "a_learns",
        vocabulary: "kinds",
        set: &[("CRASHES", "false")],
        all: &["again nobody_decides"],
        fair: &[],
    },
    Kinds {
        model: "liveness/lossy_transfer",
        property: "arrives",
        vocabulary: "kinds",
        set: &[],
        all: &["again lost ∧ forever not arrived", "forever idle"],
        fair: &["again lost ∧ forever not arrived"],
    },
    Kinds {
        model: "liveness/split_vote",
        property: "elects",
        vocabulary: "kinds",
        set: &[],
        all: &["again idle", "again split"],
        fair: &["again split"],
    },
    Kinds {
        model: "liveness/cache_thrash",
        property: "p_writes",
        vocabulary: "kinds",
        set: &[],
        all: &["again kept ∧ forever not written", "again stolen ∧ forever not written", "forever idle"],
        fair: &["again stolen ∧ forever not written"],
    },
    Kinds {
        model: "liveness/pinned_address",
        property: "reaches",
        vocabulary: "labels",
        set: &[],
        all: &[
            "∃ i : action@i = none ∧ never action = connect after i",
            "∃ i, j, k : action@i = connect ∧ action@j = move ∧ action@k = connect ∧ i < j < k",
        ],
        fair: &["∃ i, j : action@i = connect ∧ action@j = move ∧ i < j"],
    },
];

#[test]
fn fairness_excludes_some_kinds_and_leaves_others() {
    for Kinds { model: name, property, vocabulary, set, all, fair } in MODELS {
        let model = model(name, set);
        for backend in [Backend::Cadical, Backend::Varisat] {
            for (is_fair, expected) in [(false, all), (true, fair)] {
                let result = classified(&model, (property, vocabulary), is_fair, Extent::Listed, backend);
                assert!(matches!(result.unbounded, Some(Unbounded::Proved(_))), "{name}");
                assert_eq!(constraints(&model, &result), *expected, "{name}, {backend}, {is_fair}");
                assert_eq!(result.verdict == Verdict::Holds, expected.is_empty(), "{name}");
            }
        }
    }
}

#[test]
fn proofs_give_the_kinds_that_lists_give() {
    for Kinds { model: name, property, vocabulary, set, all, fair } in MODELS {
        let model = model(name, set);
        for (is_fair, expected) in [(false, all), (true, fair)] {
            let result =
                classified(&model, (property, vocabulary), is_fair, Extent::Proved, Backend::Cadical);
            let proved = Some(&LassoBasis::Proofs("varisat 0.2.2".to_owned()));
            let basis = result.unbounded.as_ref().and_then(|known| match known {
                Unbounded::Proved(LassoProof { basis, .. }) => Some(basis),
                _ => None,
            });
            assert_eq!(basis, proved, "{name}, {is_fair}");
            assert_eq!(constraints(&model, &result), *expected, "{name}, {is_fair}");
        }
    }
}

/// Ends the budget when a proof begins.
struct Ends<'a>(&'a Budget);

impl Observer for Ends<'_> {
    fn progress(&mut self, progress: &Progress) {
        if progress.activity != Activity::Search {
            self.0.interrupt();
        }
    }
}

#[test]
fn where_the_time_ends_before_a_proof_the_classes_are_about_the_bound() {
    let model = model("liveness/starvation", &[]);
    let property = &model.properties[model.property("p_enters").expect("a property of the model")];
    let PropertyKind::Ltl(formula) = &property.kind else { panic!("a property of ltl") };
    let vocabulary = &model.vocabularies[model.vocabulary("kinds").expect("a vocabulary of the model")];
    let problem = LassoProblem { model: &model, formula, fairness: &[] };
    let budget = Budget::unlimited();
    let ends = &mut Ends(&budget);
    let result = classify_lassos_unbounded(problem, vocabulary, &Options::of_lassos(6, 8), 1, &budget, ends);
    assert_eq!(result.verdict, Verdict::Partial(Why::Unproved(Exhausted::Interrupt)));
    assert_eq!(result.classes.len(), 2);
    let proved = OpenClaims { why: Exhausted::Interrupt, sufficient: 0, classes: 2 };
    assert_eq!(result.unbounded, Some(Unbounded::Open(UnknownReason::Obstacle(proved))));
}

/// Ends the budget when classes are looked for a second time, for longer lassos.
struct EndsSecondRound<'a> {
    budget: &'a Budget,
    rounds: usize,
}

impl Observer for EndsSecondRound<'_> {
    fn progress(&mut self, progress: &Progress) {
        self.rounds += usize::from(progress.activity == Activity::Search && progress.counterexamples == 0);
        if self.rounds == 2 {
            self.budget.interrupt();
        }
    }
}

/// A counter that breaks, if `early` allows it at once, and after nine steps in any case.
fn counter(early: bool) -> Model {
    let early = if early { "action early { broken' = true; }" } else { "" };
    let text = format!(
        "model counter; var n: 0..9; var broken: bool; init {{ n = 0; not broken; }} \
         action tick {{ require n < 9 and not broken; n' = n + 1; }} action rest {{}} \
         action late {{ require n = 9; broken' = true; }} {early} \
         ltl works: always eventually not broken; vocabulary kinds = {{ eq(action) }}; \
         pred at_once(i: pos) = n@i = 0 and broken@i; vocabulary weak = {{ at_once }};"
    );
    let loaded = load_text("counter.sts", &text, &[], &|_| Err(ErrorKind::NotFound.into()));
    loaded.model.expect("no mistakes")
}

/// The classification of all infinite traces, which begins with those of up to two steps, up to the second round.
fn first_round(model: &Model) -> Classification<Infinite> {
    let PropertyKind::Ltl(formula) = &model.properties[0].kind else { panic!("a property of ltl") };
    let problem = LassoProblem { model, formula, fairness: &[] };
    let budget = Budget::unlimited();
    let ends = &mut EndsSecondRound { budget: &budget, rounds: 0 };
    classify_lassos_unbounded(
        problem,
        &model.vocabularies[0],
        &Options::of_lassos(2, 3),
        1_000,
        &budget,
        ends,
    )
}

#[test]
fn where_the_time_ends_before_better_classes_are_found_those_of_shorter_lassos_stay() {
    let why = Exhausted::Interrupt;
    let model = counter(true);
    let result = first_round(&model);
    assert_eq!(result.verdict, Verdict::Partial(Why::Unproved(why)));
    assert_eq!(constraints(&model, &result), ["∃ i : action@i = early"]);
    let longer = result.unclassified.expect("one by the other action");
    assert_eq!(
        result.unbounded,
        Some(Unbounded::Open(UnknownReason::Broken { steps: longer.len(), why: Some(why) }))
    );
    assert!(result.lengths.bound() == 2 && longer.len() > 9, "{}, {}", result.lengths.bound(), longer.len());

    let PropertyKind::Ltl(formula) = &model.properties[0].kind else { panic!("a property of ltl") };
    let problem = LassoProblem { model: &model, formula, fairness: &[] };
    let (options, unlimited) = (Options::of_lassos(2, 3), Budget::unlimited());
    let weak =
        classify_lassos_unbounded(problem, &model.vocabularies[1], &options, 1_000, &unlimited, &mut ());
    assert!(matches!(weak.verdict, Verdict::TooWeak(_)));
    assert_eq!(weak.unbounded, Some(Unbounded::Open(UnknownReason::Weak { complete_up_to: Some(2) })));

    // A violation is known although none was found by the solver.
    let result = first_round(&counter(false));
    assert_eq!(result.verdict, Verdict::Partial(Why::Exhausted(why)));
    assert!(result.classes.is_empty() && result.unclassified.is_some());
}

#[test]
fn repaired_models_have_no_kind() {
    for (name, property, set) in
        [("starvation", "p_enters", &[("TURN", "true")][..]), ("lossy_transfer", "arrives_after_all", &[])]
    {
        let model = model(&format!("liveness/{name}"), set);
        let result = classified(&model, (property, "kinds"), true, Extent::Listed, Backend::Cadical);
        assert_eq!(result.verdict, Verdict::Holds, "{name}");
        assert!(matches!(result.unbounded, Some(Unbounded::Proved(_))), "{name}");
    }
}

#[test]
fn how_b_does_not_recover_does_not_depend_on_the_bound() {
    let model = model("tcp_handshake", &[]);
    let expected = ["again reopened ∧ forever not b_leaves", "forever injected"];
    let bounds = [6, 8, 10, 12].map(Extent::UpTo);
    for extent in bounds.into_iter().chain([Extent::Listed]) {
        let result = classified(&model, ("b_recovers", "recovery"), false, extent, Backend::Cadical);
        assert_eq!(result.verdict, Verdict::Complete);
        assert_eq!(constraints(&model, &result), expected, "{extent:?}");
    }
}

#[test]
fn every_property_of_linear_time_is_decided_alike_over_all_states_and_up_to_a_bound() {
    const BOUND: usize = 8;
    let unlimited = Budget::unlimited();
    let mut decided = 0;
    for name in [
        "dining_philosophers",
        "liveness/blocking_commit",
        "liveness/cache_thrash",
        "liveness/lossy_transfer",
        "liveness/split_vote",
        "liveness/starvation",
        "mutex",
        "spin_lock",
        "tcp_handshake",
    ] {
        let model = model(name, &[]);
        let graph = Graph::explore(&model, None, 100_000, &unlimited).expect("few states");
        for property in &model.properties {
            let PropertyKind::Ltl(formula) = &property.kind else { continue };
            for fairness in [Fairness::of_model(&model), Vec::new()] {
                let listed = ListedSystem { model: &model, graph: &graph, fairness: &fairness };
                let shortest = match listed.decide(formula, &unlimited).expect("a small formula") {
                    LtlTruth::Holds => None,
                    LtlTruth::Violated { lasso, is_shortest } => is_shortest.then(|| lasso.len()),
                };
                let (lengths, backend) = (Lengths::UpTo(BOUND), Backend::Cadical);
                let within = match bounded(&model, formula, &fairness, lengths, backend, &unlimited, &mut ())
                {
                    Bounded::Holds => None,
                    Bounded::Violated(lasso) => Some(lasso.len()),
                    Bounded::Undecided { .. } => panic!("the budget is unlimited"),
                };
                let context = format!("{name}: {}, {} conditions", property.name, fairness.len());
                assert_eq!(within, shortest.filter(|&steps| steps <= BOUND), "{context}");
                decided += 1;
            }
        }
    }
    assert!(decided >= 20, "{decided}");
}

/// Whenever a classification is interrupted, its classes have their representatives, and what is in no class is in none.
#[test]
fn an_interrupted_classification_keeps_what_it_knows() {
    const TIMES: u32 = 30;
    let text = include_str!("../cli/beacons.sts");
    let loaded = load_text("beacons.sts", text, &[], &|_| Err(ErrorKind::NotFound.into()));
    let model = loaded.model.expect("no mistakes");
    let PropertyKind::Ltl(formula) = &model.properties[0].kind else { panic!("a property of ltl") };
    let problem = LassoProblem { model: &model, formula, fairness: &[] };
    let options = Options::of_lassos(4, 8);
    let classify =
        |budget: &Budget| classify_lassos(problem, &model.vocabularies[0], &options, budget, &mut ());
    let clock = Instant::now();
    let whole = classify(&Budget::unlimited());
    let taken = clock.elapsed();
    assert!(whole.verdict == Verdict::Complete && !whole.images.is_empty());
    for time in 1..=TIMES {
        let budget = Budget::unlimited();
        let result = thread::scope(|scope| {
            scope.spawn(|| {
                thread::sleep(taken * time / TIMES);
                budget.interrupt();
            });
            classify(&budget)
        });
        match result.verdict {
            Verdict::Complete => assert_eq!(constraints(&model, &result), constraints(&model, &whole)),
            Verdict::Partial(Why::Exhausted(why)) | Verdict::Undecided { why, .. } => {
                assert_eq!(why, Exhausted::Interrupt);
            }
            other => panic!("{other:?}"),
        }
        let is_in_a_class = |lasso: &Lasso| {
            result.classes.iter().any(|class| class.constraint.holds(&model, &result.atoms, lasso))
        };
        assert!(result.classes.iter().all(|class| is_in_a_class(&class.representative)));
        assert!(!result.unclassified.is_some_and(|lasso| is_in_a_class(&lasso)));
    }
}
