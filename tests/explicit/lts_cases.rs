//! Small systems whose results are known: files, properties and tags.

use crate::lts_common;

use cladist::budget::{Budget, Exhausted};
use cladist::diagnostics::{SourceMap, render};
use cladist::lts::aut::{ReadError, ReadOptions, read};
use cladist::lts::property::{Closure, LabelAutomaton, Phase};
use cladist::lts::safety::{
    AnalysisError, Counts, Incorrect, Keep, SafetyAnalysis, neighbourhoods, shortest,
};
use cladist::lts::strategy::{Cases, SafetyProduct, Strategy, choose};
use cladist::lts::{LabelId, LabelSequence, StateId, components, facts, inevitable, quotient};
use cladist::mucalc::{in_one_line, parse_property};
use lts_common::philosophers::philosophers;
use lts_common::{actions, automaton, property, system, try_read};
use std::collections::BTreeSet;
use std::io::Write;
use std::sync::{Arc, Mutex};
use std::time::Duration;

fn mistakes(bytes: &[u8]) -> Vec<String> {
    match try_read(bytes, false) {
        Err(ReadError::Mistakes(found, sources)) => found
            .iter()
            .map(|d| match d.span {
                Some(span) => format!("{}: {}", sources.place(span), d.message),
                None => d.message.clone(),
            })
            .collect(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn all_mistakes_are_reported_in_one_run() {
    let text = b"des (0, 4, 2)\n(0, A, 1)\n(0, A 1)\n\n(0, \"B, 1)\n(0, C, 7)\n";
    assert_eq!(
        mistakes(text),
        [
            "test.aut:3:6: a `,` is missing before the target state: a transition has three parts",
            "test.aut:5:5: this label starts with a quote but does not end with one",
            "test.aut:6:1: there is no state 7: the last one is 1",
        ]
    );
    let many = format!("des (0, 99, 2)\n{}", "(0)\n".repeat(99));
    assert_eq!(mistakes(many.as_bytes()).len(), 20);
}

#[test]
fn nothing_is_allocated_because_a_header_says_so() {
    // Isolated states cost nothing, and what they would cost otherwise is refused.
    let lts = system("des (0, 1, 4000000000)\n(0, A, 1)\n");
    assert_eq!((lts.states(), lts.declared_states()), (2, 4_000_000_000));
    assert_eq!(
        mistakes(b"des (0, 4000000000, 4000000000)\n"),
        ["test.aut:1:1: the header declares 4000000000 transitions, but there are 0"]
    );
    assert_eq!(
        mistakes(b"des (0, 1, 4000000000)\n(0, A, 3999999999)\n"),
        ["test.aut:1:1: there are only 1 transitions, but the last state has number 3999999999"]
    );
    assert_eq!(mistakes(b"des (0, 0, 99999999999999999999)\n"), ["test.aut:1:1: there are too many states"]);
}

#[test]
fn a_file_that_is_cut_anywhere_is_refused() {
    let text = "des (0, 3, 3)\n(0, \"A !1\", 1)\n(1, B, 2)\n(2, C, 0)\n";
    for end in 0..text.len() - 2 {
        assert!(!mistakes(&text.as_bytes()[..end]).is_empty(), "{end}");
    }
    assert_eq!(system(text.trim_end()).transitions(), 3);
}

#[test]
fn long_labels_are_read_and_long_lines_shown_in_part() {
    let label = "x".repeat(5000);
    let lts = system(&format!("des (0, 1, 2)\n(0, \"{label}\", 1)\n"));
    assert_eq!(lts.labels().text(LabelId::FIRST), label);
    let wrong = format!("des (0, 1, 2)\n(0, \"{label}, 1)\n");
    let Err(ReadError::Mistakes(found, sources)) = try_read(wrong.as_bytes(), false) else { panic!() };
    assert!(render(&found[0], &sources, false).len() < 800);
}

#[test]
fn a_byte_order_mark_is_skipped() {
    let lts = system("\u{feff}des (0, 1, 2)\n(0, A, 1)\n");
    assert_eq!((lts.states(), lts.transitions()), (2, 1));
    assert_eq!(mistakes("des (0, 1, 2)\n\u{feff}(0, A, 1)\n".as_bytes()).len(), 1, "only before the header");
}

/// A part of a system can have labels without transitions.
#[test]
fn labels_are_counted_where_they_are_used() {
    let mut builder = cladist::lts::LtsBuilder::new();
    let used = builder.labels.intern(b"A");
    builder.labels.intern(b"B");
    builder.add(StateId::FIRST, used, StateId::new(1));
    assert_eq!(builder.finish(StateId::FIRST, 0).used_labels(), 1);
}

#[test]
fn compressed_text_is_recognised() {
    let text = "des (0, 2, 2)\n(0, A, 1)\n(1, B, 0)\n";
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    packed.write_all(text.as_bytes()).expect("to memory");
    let packed = packed.finish().expect("to memory");
    assert_eq!(try_read(&packed, false).expect("a system").transitions(), 2);
    let cut = mistakes(&packed[..packed.len() - 9]);
    assert!(cut[0].starts_with("cannot read beyond line"), "{cut:?}");
}

#[test]
fn a_budget_ends_reading_and_analysing() {
    let budget = Budget::unlimited();
    budget.interrupt();
    let text = "des (0, 1, 2)\n(0, A, 1)\n";
    let ended = read(text.as_bytes(), "test.aut", ReadOptions::default(), &budget);
    assert!(matches!(ended, Err(ReadError::Exhausted(Exhausted::Interrupt))));
}

#[test]
fn a_budget_ends_everything_that_takes_long() {
    let (lts, _) = philosophers(10);
    let stages = Arc::new(Mutex::new(BTreeSet::new()));
    let told = stages.clone();
    let budget = Budget::unlimited()
        .with_timeout(Duration::ZERO)
        .watched(move |stage| _ = told.lock().expect("no panic").insert(stage.what));
    let unlimited = Budget::unlimited();
    assert_eq!(facts(&lts, &budget).err(), Some(Exhausted::Time));
    assert_eq!(components(&lts, |_| true, |_| true, &budget).err(), Some(Exhausted::Time));
    assert_eq!(quotient(&lts, &budget).err(), Some(Exhausted::Time));
    let automaton = automaton("[ true* . 'EAT !0' . true* . 'EAT !0' ] false", &lts, Closure::Prefix);
    let stopped = SafetyAnalysis::new(&lts, &automaton, Incorrect::NoWayOut, &budget).err();
    assert_eq!(stopped, Some(AnalysisError::Exhausted(Exhausted::Time)));
    let steps = actions("EAT !0,EAT !1", &lts);
    assert_eq!(inevitable::InevitabilityAnalysis::new(&lts, &steps, &budget).err(), Some(Exhausted::Time));
    let analysis = inevitable::InevitabilityAnalysis::new(&lts, &steps, &unlimited).expect("no limit");
    assert_eq!(inevitable::shortest(&analysis, |_| false, &budget).err(), Some(Exhausted::Time));
    let counts = inevitable::InevitabilitySizes::new(
        &analysis,
        inevitable::NeighbourhoodEntry::ByNeutralOnly,
        &budget,
    );
    assert_eq!(counts.err(), Some(Exhausted::Time));
    let stages = stages.lock().expect("no panic");
    assert!(stages.len() >= 5 && !stages.contains(""), "{stages:?}");
}

#[test]
fn a_search_that_time_ends_hands_back_what_it_has() {
    let (lts, _) = philosophers(6);
    let automaton = automaton("[ true* . 'EAT !0' . true* . 'EAT !0' ] false", &lts, Closure::Prefix);
    let unlimited = Budget::unlimited();
    let analysis = SafetyAnalysis::new(&lts, &automaton, Incorrect::NoWayOut, &unlimited).expect("no limit");
    let violations = SafetyProduct { analysis: &analysis, keep: Keep::Neighbourhoods };
    let cases =
        Cases::new(&violations, &LabelSequence::none(), &unlimited).expect("no limit").expect("violated");
    let search = |budget: &Budget| choose(&cases, Strategy::Longest, budget);
    let shortest =
        choose(&cases, Strategy::Shortest, &unlimited).expect("no limit").path().expect("there is one");
    // A shortest one is found before the budget is looked at, and the longest one is far away then.
    let looks = Arc::new(Mutex::new(0));
    let look = looks.clone();
    let budget = Budget::unlimited()
        .with_timeout(Duration::ZERO)
        .watched(move |_| *look.lock().expect("no panic") += 1);
    let found = search(&budget).expect("a shortest one in any case").path().expect("there is one");
    assert!(!found.certain);
    assert!(found.path.labels.len() > shortest.path.labels.len());
    assert_eq!(*looks.lock().expect("no panic"), 1);
    budget.interrupt();
    assert_eq!(search(&budget), Err(Exhausted::Interrupt));
}

#[test]
fn a_loop_that_time_leaves_is_shown() {
    // Many ways onto one long road, whose end leads back to each of them: all loops have the same length.
    const WAYS: usize = 100;
    const ROAD: usize = 300;
    let road = (1..ROAD).map(|at| (WAYS + at, WAYS + at + 1));
    let ways = (1..=WAYS).flat_map(|way| [(0, way), (way, WAYS + 1), (WAYS + ROAD, way)]);
    let lines: Vec<String> = ways.chain(road).map(|(from, to)| format!("({from}, GO, {to})\n")).collect();
    let lts = system(&format!("des (0, {}, {})\n{}", lines.len(), WAYS + ROAD + 1, lines.concat()));
    let (steps, unlimited) = (actions("STOP", &lts), Budget::unlimited());
    let analysis = inevitable::InevitabilityAnalysis::new(&lts, &steps, &unlimited).expect("no limit");
    let spent = Budget::unlimited().with_timeout(Duration::ZERO);
    for (budget, certain) in [(&unlimited, true), (&spent, false)] {
        let run = inevitable::shortest(&analysis, |_| false, budget).expect("found soon").expect("violated");
        assert_eq!((run.labels.len(), run.loop_from, run.certain), (ROAD + 2, Some(1), certain));
    }
    spent.interrupt();
    assert_eq!(inevitable::shortest(&analysis, |_| false, &spent), Err(Exhausted::Interrupt));
}

fn words_of(text: &str) -> Vec<String> {
    // Words over A, B, C of up to four letters that are bad, as they stand in L(R).
    let lts = lts_common::build(0, &[]);
    let automaton = automaton(text, &lts, Closure::Literal);
    let mut words = vec![(String::new(), Phase::FIRST)];
    let mut found = Vec::new();
    for _ in 0..=4 {
        found.extend(words.iter().filter(|(_, q)| automaton.is_bad(*q)).map(|(w, _)| w.clone()));
        let longer = words.iter().flat_map(|(w, q)| {
            let automaton = &automaton;
            let next = move |n| automaton.next(*q, LabelId::new(n));
            ["A", "B", "C"].iter().enumerate().map(move |(n, l)| (format!("{w}{l}"), next(n)))
        });
        words = longer.collect();
    }
    found
}

#[test]
fn formulas_mean_what_they_say() {
    for (text, words) in [
        ("[ A . B ] false", vec!["AB"]),
        ("[ not (A or B) ] false", vec!["C"]),
        ("[ not A and not B ] false", vec!["C"]),
        ("[ A and B or C ] false", vec!["C"]),
        ("[ A | B . C ] false", vec!["A", "BC"]),
        ("[ A . B* ] false", vec!["A", "AB", "ABB", "ABBB"]),
        ("[ A . B+ . C ] false", vec!["ABC", "ABBC"]),
        ("[ A . B? . C ] false", vec!["AC", "ABC"]),
        ("[ (A . B){2} ] false", vec!["ABAB"]),
        ("[ A{0} . B ] false", vec!["B"]),
        ("[ 'A' ] false and ([ \"B\" ] false) and [ C ] false", vec!["A", "B", "C"]),
        ("[ '[AB]' . \"C\" ] false (* a remark *) -- another", vec!["AC", "BC"]),
        ("([ true . false ] false)", vec![]),
        ("[ A ] [ B? ] false", vec!["A", "AB"]),
        ("[ A ] ([ B ] false and [ nil . C ] false)", vec!["AB", "AC"]),
        ("macro AFTER (X) = X . B end_macro [ AFTER (A) | C ] false && [ !A ] false", vec!["B", "C", "AB"]),
        ("[ A **+ ] false", vec!["", "A", "AA", "AAA", "AAAA"]),
    ] {
        assert_eq!(words_of(text), words, "{text}");
    }
    // `not` binds more tightly than `*`.
    assert_eq!(words_of("[ not A* . A . B . C ] false"), words_of("[ (not A)* . A . B . C ] false"));
}

#[test]
fn the_invisible_action_has_two_names() {
    let named = system("des (0, 2, 2)\n(0, in, 1)\n(0, mu, 1)\n");
    assert!(property("[ true* . (in | mu) ] false").without_labels(named.labels()).is_empty());
    let lts = system("des (0, 3, 4)\n(0, i, 1)\n(0, tau, 2)\n(0, A, 3)\n");
    let tau = automaton("[ tau ] false", &lts, Closure::Prefix);
    let i = automaton("[ i ] false", &lts, Closure::Prefix);
    let bad = |automaton: &LabelAutomaton| {
        lts.labels().ids().filter(|&l| automaton.is_bad(automaton.next(Phase::FIRST, l))).count()
    };
    assert_eq!((bad(&tau), bad(&i)), (2, 1));
}

#[test]
fn mistakes_in_properties_have_their_place() {
    for (text, at, message) in [
        ("", 1, "the formula is empty"),
        ("[ A ", 5, "expected `and`, `or`, `.`, `|` or `]`, but the formula ends here"),
        ("[ A . ] false", 7, "expected an action, but found `]`"),
        (
            "[ A ] true",
            7,
            "a property of labels forbids sequences: `[R] false`, or several of these with `and` between them",
        ),
        ("library standard.mcl end_library [ A ] false", 9, "a property of labels uses no libraries"),
        ("[ A . val ] false", 7, "expected an action, but found `val`"),
        ("[ A . or ] false", 7, "expected an action, but found `or`"),
        ("[ A . send(1) ] false", 7, "a property of labels has no data"),
        ("[ SEND !1 ] false", 8, "expected `and`, `or`, `.`, `|` or `]`, but found `!`"),
        ("[ A ] false x", 13, "expected `and`, `or` or the end of the formula, but found `x`"),
        ("[ A . (B | ] false", 12, "expected an action, but found `]`"),
        (
            "[ not (A . B) ] false",
            7,
            "only single actions can be negated, combined by `and` and `or`, or quantified",
        ),
        ("[ 'A ] false", 3, "this quotation is not closed on its line"),
        ("[ '[A' ] false", 3, "`[` is not closed by `]`"),
        ("[ A{99999999999} ] false", 5, "at most 10000 repetitions are possible"),
        ("[ A{x} ] false", 5, "expected a number of repetitions, but found `x`"),
        ("[ A ] false (* b", 13, "unterminated comment"),
    ] {
        let mut sources = SourceMap::new();
        let source = sources.add("p", text);
        let found = parse_property(source, text).expect_err(text);
        let place = found[0].span.map(|span| sources.line_column(span).1);
        assert_eq!((found[0].message.as_str(), place), (message, Some(at)), "{text}");
        assert!(found[0].help.is_some(), "{text}");
    }
    let several = "[ A B ] false and [ C . ] false and [ E{x} ] false";
    let found = parse_property(Default::default(), several).expect_err("three mistakes");
    let places: Vec<_> = found.iter().filter_map(|mistake| mistake.span).map(|span| span.start).collect();
    assert_eq!(places, [4, 24, 40], "{found:?}");
}

#[test]
fn deep_properties_are_refused_and_long_ones_are_read() {
    // Without optimisation, a level of nesting takes a lot of stack.
    let test = std::thread::Builder::new().stack_size(64 << 20).spawn(nested_and_long_properties);
    test.expect("a thread").join().expect("no mistake");
}

fn nested_and_long_properties() {
    let deep = format!("[ {}A{} ] false", "(".repeat(5000), ")".repeat(5000));
    assert!(parse_property(Default::default(), &deep).is_err());
    assert!(parse_property(Default::default(), &format!("[ A{} ] false", "*".repeat(100_000))).is_err());
    assert!(parse_property(Default::default(), &format!("[ {}A ] false", "not ".repeat(100_000))).is_err());
    let long = parse_property(Default::default(), &format!("[ A{} ] false", " or B and C".repeat(100_000)));
    assert_eq!(long.expect("long, but not deep").forbidden.len(), 1);
}

#[test]
fn an_automaton_that_grows_too_large_is_refused() {
    let lts = lts_common::build(0, &[]);
    // Whether the 20th action from the end was A takes two to the power of 20 states to remember.
    let large = property("[ true* . A . true{20} . B ] false");
    assert!(LabelAutomaton::new(&large, lts.labels(), Closure::Prefix).is_err());
    let long = property("[ (true{10000}){10000} ] false");
    assert!(LabelAutomaton::new(&long, lts.labels(), Closure::Prefix).is_err());
}

/// Listing 1 of the bug-counting paper: INIT1; (B; A or EXEC1); (A or INIT2; (EXEC2; A beside B, or EXEC3)).
const LISTING_1: &str = "des (0, 14, 11)
(0, INIT1, 1)\n(1, B, 2)\n(2, A, 3)\n(1, EXEC1, 3)\n(3, A, 9)\n(3, INIT2, 4)\n(4, EXEC2, 5)
(4, B, 6)\n(4, EXEC3, 9)\n(5, A, 7)\n(5, B, 8)\n(6, EXEC2, 8)\n(7, B, 9)\n(8, A, 9)\n";

#[test]
fn faulty_states_have_four_kinds() {
    let lts = system(&LISTING_1.replace("des (0, 14, 11)", "des (0, 14, 10)"));
    let automaton = automaton("[ (not A)* . B ] false", &lts, Closure::Prefix);
    let budget = Budget::unlimited();
    let analysis = SafetyAnalysis::new(&lts, &automaton, Incorrect::NoWayOut, &budget).expect("no limit");
    let counts = Counts::new(&analysis, &Budget::unlimited()).expect("no limit");
    assert_eq!((counts.faulty, counts.faulty_kinds), (4, [1, 1, 1, 1]));
    let states: Vec<StateId> = neighbourhoods(&analysis, 10, &Budget::unlimited())
        .expect("no limit")
        .iter()
        .map(|n| analysis.product.parts(n.place).0)
        .collect();
    assert_eq!(states, [3, 4, 5].map(StateId::new));
}

#[test]
fn matching_is_the_projection_of_the_product() {
    // Every trace violates: simulation would report a correct transition here.
    let lts = system("des (0, 2, 2)\n(0, A, 0)\n(0, A, 1)\n");
    let automaton = automaton("[ A ] false", &lts, Closure::Prefix);
    let analysis =
        SafetyAnalysis::new(&lts, &automaton, Incorrect::NoWayOut, &Budget::unlimited()).expect("no limit");
    let counts = Counts::new(&analysis, &Budget::unlimited()).expect("no limit");
    assert_eq!((counts.correct, counts.neighbourhoods, counts.incorrect), (0, 0, 4));
}

#[test]
fn a_loop_is_a_way_out_only_if_strict() {
    let lts = system("des (0, 2, 2)\n(0, A, 0)\n(0, B, 1)\n");
    let automaton = automaton("[ true* . B ] false", &lts, Closure::Prefix);
    let tags = |incorrect| {
        let analysis =
            SafetyAnalysis::new(&lts, &automaton, incorrect, &Budget::unlimited()).expect("no limit");
        let counts = Counts::new(&analysis, &Budget::unlimited()).expect("no limit");
        (counts.correct, counts.incorrect, counts.neutral)
    };
    assert_eq!(tags(Incorrect::NoWayOut), (0, 2, 0));
    assert_eq!(tags(Incorrect::EveryRun), (0, 1, 1));
}

#[test]
fn the_empty_trace_can_violate() {
    let lts = system("des (0, 1, 2)\n(0, A, 1)\n");
    let automaton = automaton("[ true* ] false", &lts, Closure::Prefix);
    let analysis =
        SafetyAnalysis::new(&lts, &automaton, Incorrect::NoWayOut, &Budget::unlimited()).expect("no limit");
    assert!(!analysis.holds());
    let shortest =
        shortest(&analysis, Keep::Neighbourhoods, &Budget::unlimited()).expect("no limit").expect("violated");
    assert_eq!((shortest.labels.len(), shortest.positions.len()), (0, 1));
}

#[test]
fn properties_are_shown_in_one_line() {
    let text = "(* why *)\n[ true*  .\t'A  B(*' -- here\n . \"x -- y\" ] false\n";
    assert_eq!(in_one_line(text), "[ true* . 'A  B(*' . \"x -- y\" ] false");
    assert_eq!(in_one_line("[ 'é"), "[ 'é");
}

#[test]
fn affixes_of_a_loop_are_exact() {
    // Whoever stays in the loop with A never gets to B, although the loop with B is beside it.
    let lts = system("des (0, 3, 2)\n(0, START, 1)\n(1, A, 1)\n(1, B, 1)\n");
    let steps = actions("A,B", &lts);
    let analysis =
        inevitable::InevitabilityAnalysis::new(&lts, &steps, &Budget::unlimited()).expect("no limit");
    let counts = inevitable::InevitabilitySizes::new(
        &analysis,
        inevitable::NeighbourhoodEntry::ByNeutralOnly,
        &Budget::unlimited(),
    )
    .expect("no limit");
    assert_eq!((counts.correct, counts.incorrect, counts.neutral), (0, 0, 3));
    let found = inevitable::shortest(&analysis, |_| false, &Budget::unlimited()).expect("no limit");
    let found = found.expect("violated");
    assert_eq!((found.labels.len(), found.loop_from), (2, Some(1)));
}

#[test]
fn the_shortest_loop_may_bring_an_action_forward() {
    // Once round the only loop brings A, and however often it is gone round, B never comes.
    let lts = system("des (0, 1, 1)\n(0, A, 0)\n");
    let steps = actions("A,B", &lts);
    let analysis =
        inevitable::InevitabilityAnalysis::new(&lts, &steps, &Budget::unlimited()).expect("no limit");
    let found = inevitable::shortest(&analysis, |_| false, &Budget::unlimited()).expect("no limit");
    let found = found.expect("violated");
    assert_eq!((found.labels.len(), found.loop_from), (1, Some(0)));
}

#[test]
fn affixes_inside_a_component() {
    // 0 -A-> (1 -B-> 2 -D-> 3 -C-> 1) and 2 -E-> 4: the loop has B and C, and may be left after B.
    let text = "des (0, 5, 5)\n(0, A, 1)\n(1, B, 2)\n(2, D, 3)\n(3, C, 1)\n(2, E, 4)\n";
    let lts = system(text);
    let steps = actions("A,B,C", &lts);
    let analysis =
        inevitable::InevitabilityAnalysis::new(&lts, &steps, &Budget::unlimited()).expect("no limit");
    let affixes = analysis.affixes().expect("of a sequence");
    assert_eq!(affixes.max_prefix, [0, 3, 3, 3, 3]);
    assert_eq!(affixes.common_prefix, [0, 1, 2, 2, 2]);
    assert_eq!(affixes.max_suffix, [3, 2, 2, 2, 0]);
    assert_eq!(affixes.common_suffix, [0, 0, 0, 1, 0]);
}
