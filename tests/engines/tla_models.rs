//! Specifications in TLA+ with known verdicts, and what is refused.

use super::smv_models::holds;
use cladist::budget::Budget;
use cladist::diagnostics::render;
use cladist::explore::Graph;
use cladist::limits::ValueLimits;
use cladist::ltl::Fairness;
use cladist::model::{LoadOptions, load_written};
use cladist::readers::ForeignLanguage;
use cladist::tla::{Imported, Refused, import_text};
use std::io::{Error, ErrorKind, Result};
use std::path::Path;

/// The properties of a model, each with true if it holds.
type Verdicts = &'static [(&'static str, bool)];

/// For each model the states that are reached, also beyond a constraint, and what holds of the properties of its configuration.
const VERDICTS: &[(&str, usize, Verdicts)] = &[
    ("Clock", 96, &[("InRange", true), ("IsAClock_2", true), ("IsAClock_1", true), ("no_deadlock", true)]),
    ("Commit", 41, &[("TypeOK", true), ("Consistent", false)]),
    ("FairPrinter", 8, &[("ServedOnce", true), ("no_deadlock", true)]),
    ("Finder", 112, &[("TypeOK", true), ("Right", true), ("Ends", false), ("no_deadlock", true)]),
    ("Hours", 24, &[("TypeOK", true), ("Noon", true), ("no_deadlock", true)]),
    ("Jugs", 16, &[("TypeOK", true), ("NotSolved", false), ("no_deadlock", true)]),
    ("Kept", 4, &[("no_deadlock", true), ("Arrives", true)]),
    ("Lamps", 16, &[("TypeOK", true), ("SomeOn", false), ("no_deadlock", true)]),
    ("Mailbox", 94, &[("Rising", false)]),
    ("Names", 3, &[("NeverTheValue", false), ("NeverOther", true), ("no_deadlock", false)]),
    ("Queue", 4, &[("Small", false), ("no_deadlock", true)]),
    ("Printer", 8, &[("ServedOnce", false), ("no_deadlock", true)]),
    ("Seats", 14, &[("TypeOK", true), ("Cheap", false), ("Served", true)]),
    (
        "Tuples",
        13,
        &[
            ("TypeOK", true),
            ("Known", true),
            ("Same", true),
            ("Rising", true),
            ("NoPair", false),
            ("Even", false),
            ("Both", true),
        ],
    ),
    (
        "Turnstile",
        9,
        &[
            ("TypeOK", true),
            ("NotCrowded", false),
            ("OneByOne", true),
            ("GateIsLeft", true),
            ("AllEnter", false),
            ("no_deadlock", true),
        ],
    ),
    ("Vote", 24, &[("TypeOK", true), ("Counted", false), ("CanClose", true)]),
];

fn file(name: &str) -> Result<String> {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/models/tla").join(name))
}

#[test]
fn models_have_their_verdicts() {
    let unlimited = Budget::unlimited();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/models/tla");
    let files = std::fs::read_dir(&folder).expect("the folder").count();
    assert_eq!(files, 2 * VERDICTS.len(), "each model has its verdicts here");
    for (name, _, verdicts) in VERDICTS {
        let loaded =
            ForeignLanguage::Tla.load(&folder.join(name).with_extension("tla"), &LoadOptions::default());
        let model = loaded.model.unwrap_or_else(|| panic!("{name}: {:?}", loaded.diagnostics));
        let graph = Graph::explore(&model, None, 10_000, &unlimited).expect("few states");
        let fairness = Fairness::of_model(&model);
        let mut found = Vec::new();
        for property in &model.properties {
            let holds = holds(&model, &graph, &fairness, property).expect("it is decided");
            match property.name.ends_with("_has_a_result") {
                true => assert!(holds, "{name}: {}", property.name),
                false => found.push((property.name.as_str(), holds)),
            }
        }
        assert_eq!(found, verdicts.to_vec(), "{name}");
    }
}

/// Temporal properties add variables and a step to a model, so that states are counted without them.
#[test]
fn models_have_known_numbers_of_states() {
    let unlimited = Budget::unlimited();
    for (name, states, _) in VERDICTS {
        let read = |other: &str| {
            let text = file(other)?;
            let temporal = |line: &str| line.starts_with("PROPERTY") || line.starts_with("PROPERTIES");
            let kept = text.lines().filter(|line| !temporal(line));
            Ok((other.to_owned(), kept.collect::<Vec<_>>().join("\n")))
        };
        let module = file(&format!("{name}.tla")).expect("a module");
        let Imported { text, .. } = import_text(name, "m.tla", &module, &ValueLimits::default(), &read)
            .unwrap_or_else(|refused| panic!("{name}: {:?}", refused.diagnostics));
        let loaded = load_written(name, &text, &LoadOptions::default());
        let model = loaded.model.unwrap_or_else(|| panic!("{name}: {:?}", loaded.diagnostics));
        let graph = Graph::explore(&model, None, 10_000, &unlimited).expect("few states");
        assert_eq!(graph.states.len(), *states, "{name}");
    }
}

/// A module with these lines, and the variable `x`.
fn module(lines: &str) -> String {
    format!(
        "---- MODULE M ----\nEXTENDS Integers, Sequences, FiniteSets\nVARIABLE x\nInit == x = 0\n{lines}\n===="
    )
}

fn read(module: &str, config: &str) -> std::result::Result<Imported, Refused> {
    let beside = |name: &str| match name {
        "M.cfg" => Ok((name.to_owned(), config.to_owned())),
        _ => Err(Error::from(ErrorKind::NotFound)),
    };
    import_text("M", "M.tla", module, &ValueLimits::default(), &beside)
}

#[test]
fn a_module_without_variables_has_its_assumptions() {
    let lines = "---- MODULE M ----\nEXTENDS Integers\nTHEOREM Two == \\E n \\in 0..3 : n * n = 4\n\
                 <1>1 QED BY DEF Two\nASSUME Two\nASSUME \\A n \\in 0..3 : n * n < 9\n====";
    let imported = read(lines, "").expect("it is read");
    let loaded = load_written("M", &imported.text, &LoadOptions::default());
    let model = loaded.model.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics));
    let graph = Graph::explore(&model, None, 10, &Budget::unlimited()).expect("one state");
    assert_eq!(graph.states.len(), 1);
    let fairness = Fairness::of_model(&model);
    let verdicts = model.properties.iter().map(|of| holds(&model, &graph, &fairness, of));
    assert_eq!(verdicts.collect::<Vec<_>>(), [Some(true), Some(false)], "{}", imported.text);
}

/// Values that x gets, an invariant of them, and true if it holds: tuples, sequences and functions are equal where they have the same values.
const EQUAL: &[(&str, &str, bool)] = &[
    ("{0, Append(<<1>>, 1)}", "x \\in {0} \\cup {<<a, b>> : a \\in {1}, b \\in {1}}", true),
    ("{0, Append(<<1>>, 1)}", "x \\in {0} \\cup {<<a, b>> : a \\in {1}, b \\in {2}}", false),
    ("{0, <<1, 1>>}", "x \\in {0, Append(<<1>>, 1)}", true),
    ("{0, <<1, 1>>}", "x = 0 \\/ x \\in [1..2 -> {1}]", true),
    ("{0, <<1, 1>>}", "x = 0 \\/ x \\in [1..2 -> {2}]", false),
    ("{0, <<1, 1>>, <<1>>}", "x = 0 \\/ x \\in [1..2 -> {1}]", false),
    ("{0, <<1, 1>>}", "x = 0 \\/ x \\in {1} \\X {1}", true),
    ("{0, Append(<<1>>, 1)}", "x = 0 \\/ x \\in {1} \\X {1}", true),
    ("{0, <<1>>, Append(<<1>>, 1)}", "x = 0 \\/ x \\in {1} \\X {1}", false),
    ("{0, <<1, 1>>}", "x = 0 \\/ x \\in Seq({1})", true),
    ("{0, <<1, 1>>}", "x = 0 \\/ {x} \\subseteq {Append(<<1>>, 1)}", true),
    ("{0, <<1>>}", "x # <<1, 1>> /\\ x # <<2>>", true),
    (
        "{0}",
        "{[i \\in 1..2 |-> i]} \\subseteq {f \\in [1..2 -> 1..2] : Append(<<f[1]>>, f[2]) = <<1, 2>>}",
        true,
    ),
];

#[test]
fn sequences_tuples_and_functions_are_equal_by_their_values() {
    for (values, invariant, wanted) in EQUAL {
        let lines = format!("Next == x' \\in {values}\nI == {invariant}");
        let imported = read(&module(&lines), "INIT Init NEXT Next INVARIANT I")
            .unwrap_or_else(|refused| panic!("{lines}: {:?}", refused.diagnostics));
        let loaded = load_written("M", &imported.text, &LoadOptions::default());
        let model = loaded.model.unwrap_or_else(|| panic!("{lines}: {:?}", loaded.diagnostics));
        let graph = Graph::explore(&model, None, 100, &Budget::unlimited()).expect("few states");
        let fairness = Fairness::of_model(&model);
        let property = model.properties.iter().find(|of| of.name == "I").expect("the invariant");
        assert_eq!(holds(&model, &graph, &fairness, property), Some(*wanted), "{lines}\n{}", imported.text);
    }
}

/// Lines of a module with `Spec` and the property `P`, and true if it holds.
const DEFINED: &[(&str, bool)] = &[
    // Steps of B satisfy A, though they are no part of it in Next.
    (
        "A == x' = 1 - x\nB == x' = 1 - x /\\ y' = 0\nN == (A /\\ y' = 1) \\/ B\nS == WF_vars(A)\nP == <>(y = 1)",
        false,
    ),
    (
        "A == x' = 1 - x /\\ y' = 1\nB == x' = 1 - x /\\ y' = 0\nN == A \\/ B\nS == WF_vars(A)\nP == <>(y = 1)",
        true,
    ),
    // A is able to step where Next does not let it.
    ("A == x' = 1 /\\ y' = y\nN == A /\\ x = 1\nS == WF_vars(A)\nP == <>(x = 1)", true),
    ("A == x' = 1 /\\ y' = y\nN == A /\\ x = 1\nS == WF_vars(A /\\ x = 1)\nP == <>(x = 1)", false),
    // Weak and strong fairness of an action that is able to step now and then.
    (
        "A == x = 1 /\\ y' = 1 /\\ x' = x\nB == x' = 1 - x /\\ y' = y\nN == A \\/ B\nS == WF_vars(A) /\\ WF_vars(B)\nP == <>(y = 1)",
        false,
    ),
    (
        "A == x = 1 /\\ y' = 1 /\\ x' = x\nB == x' = 1 - x /\\ y' = y\nN == A \\/ B\nS == SF_vars(A) /\\ WF_vars(B)\nP == <>(y = 1)",
        true,
    ),
    // Steps that keep the subscript are none.
    ("A == x' = x /\\ y' = 1 - y\nN == A \\/ (x' = 1 /\\ y' = y)\nS == WF_x(N)\nP == <>(x = 1)", true),
    ("A == x' = x /\\ y' = 1 - y\nN == A \\/ (x' = 1 /\\ y' = y)\nS == WF_y(N)\nP == <>(x = 1)", false),
    // Fairness of each, and of some.
    (
        "A(i) == x' = i /\\ y' = IF i = 1 THEN 1 ELSE y\nN == \\E i \\in {0, 1} : A(i)\nS == \\A i \\in {0, 1} : WF_vars(A(i))\nP == <>(y = 1)",
        true,
    ),
    (
        "A(i) == x' = 1 - x /\\ y' = IF i = 1 THEN 1 ELSE y\nN == \\E i \\in {0, 1} : A(i)\nS == WF_vars(\\E i \\in {0, 1} : A(i))\nP == <>(y = 1)",
        false,
    ),
    // No step is that of another argument.
    ("A(i) == x' = i /\\ y' = y\nN == A(0)\nS == WF_vars(A(1))\nP == FALSE", true),
    // A variable that an action leaves free may change.
    ("N == UNCHANGED vars\nS == TRUE\nP == [](ENABLED <<x' = x>>_vars)", true),
    ("N == UNCHANGED vars\nS == TRUE\nP == <>(ENABLED <<x' = x>>_x)", false),
    // Values that are chosen.
    ("N == UNCHANGED vars\nS == TRUE\nP == [](ENABLED (x' \\in {0, 1} /\\ x' # x))", true),
    ("N == UNCHANGED vars\nS == TRUE\nP == <>(ENABLED (x' \\in {0} /\\ x' # x))", false),
    ("N == UNCHANGED vars\nS == TRUE\nP == <>(ENABLED (\\E i \\in {j \\in {0, 1} : j < x} : x' = i))", false),
    // Names of bound variables do not meet.
    (
        "N == UNCHANGED vars\nS == TRUE\nP == <>(ENABLED (\\E p_1 \\in {0, 1} : (\\A p \\in {0, 1} : p = p_1) /\\ x' = p_1))",
        false,
    ),
    (
        "N == \\E p_1 \\in {0, 1} : (\\A p \\in {0, 1} : p = p_1) /\\ x' = 1 /\\ y' = p_1\nS == WF_vars(N)\nP == <>(x = 1)",
        false,
    ),
    // The second action begins where the first one leads to.
    (
        "A == x' = 1 - x /\\ y' = y\nB == y' = x /\\ x' = 0\nN == A \\cdot B\nS == WF_vars(N)\nP == <>(y = 1)",
        true,
    ),
    (
        "A == x' = 1 - x /\\ y' = y\nB == y' = x /\\ x' = 0\nN == A \\cdot B\nS == WF_vars(N)\nP == <>(x = 1)",
        false,
    ),
    (
        "A == x' = 1 - x /\\ y' = y\nB == x = 0 /\\ y' = 1 /\\ x' = x\nN == A \\cdot B\nS == WF_vars(N)\nP == <>(y = 1)",
        false,
    ),
    (
        "A(i) == x' = i /\\ y' = y\nB == \\E i \\in {0, 1} : x = i /\\ y' = 1 - i /\\ x' = x\nN == \\E i \\in {0, 1} : A(i) \\cdot B\nS == TRUE\nP == [][x' + y' = 1]_vars",
        true,
    ),
    // Other conditions of a specification on infinite traces.
    (
        "A == x' = 1 /\\ y' = y\nB == x' = x /\\ y' = 1 - y\nN == A \\/ B\nS == <>[][A]_vars\nP == <>[][y' = y]_vars",
        true,
    ),
    (
        "A == x' = 1 /\\ y' = y\nB == x' = x /\\ y' = 1 - y\nN == A \\/ B\nS == TRUE\nP == <>[][y' = y]_vars",
        false,
    ),
    ("A == x' = 1 /\\ y' = y\nN == A\nS == <>(x = 1) \\/ [](y = 1)\nP == <>(x = 1)", true),
    // Divisors that are not constant.
    (
        "N == x' = 1 - x /\\ y' = y\nS == TRUE\nP == [](7 % (x + 2) = 1 /\\ (0 - 7) \\div (x + 2) = x - 4)",
        true,
    ),
    ("N == x' = 1 - x /\\ y' = y\nS == TRUE\nP == [](5 % (x + 1) = 0)", false),
    ("N == x' = 1 - x /\\ y' = y\nS == TRUE\nP == ~<>(1 % x = 5)", false),
    // A value that does not exist violates a property, also where this denies it.
    ("N == x' = 1 /\\ y' = y\nS == TRUE\nP == ~<>(<<1, 1>>[x] = 2)", false),
    ("N == x' = 1 /\\ y' = y\nS == TRUE\nP == ~<>(<<1, 1>>[x + 1] = 2)", true),
    ("N == x' = x /\\ y' = 1 - y\nS == WF_vars(N)\nP == <>[][y' = <<0, 1>>[x]]_vars", false),
];

#[test]
fn fairness_and_enabled_mean_what_their_definitions_say() {
    for (lines, wanted) in DEFINED {
        let lines = format!(
            "VARIABLE y\nvars == <<x, y>>\n{lines}\nSpec == Init /\\ y = 0 /\\ [][N]_vars /\\ S\nOK == x \\in 0..2 /\\ y \\in 0..2"
        );
        let text = read(&module(&lines), "SPECIFICATION Spec CHECK_DEADLOCK FALSE INVARIANT OK PROPERTY P")
            .unwrap_or_else(|refused| panic!("{lines}\n{:?}", refused.diagnostics))
            .text;
        let loaded = load_written("M", &text, &LoadOptions::default());
        let model = loaded.model.unwrap_or_else(|| panic!("{lines}\n{text}\n{:?}", loaded.diagnostics));
        let graph = Graph::explore(&model, None, 1_000, &Budget::unlimited()).expect("few states");
        let property = model.properties.iter().find(|property| property.name == "P").expect("the property");
        let found = holds(&model, &graph, &Fairness::of_model(&model), property);
        assert_eq!(found, Some(*wanted), "{lines}\n{text}");
    }
}

/// Lines of a module and a configuration, with the first message.
const REFUSED: &[(&str, &str, &str)] = &[
    ("Next == x' = 1 - x", "INIT Init NEXT Next INVARIANT Missing", "there is no definition `Missing`"),
    (
        "Next == x' = 1 - x",
        "INIT Init NEXT Next INVARIANT x = 0",
        "expected the name of a definition, but found `=`",
    ),
    ("Next == x' = 1 - x", "INIT Init NEXT Next POSTCONDITION P", "`POSTCONDITION` is not supported"),
    ("Next == x' = 1 - x", "INIT Init NEXT Next CHECK_DEADLOCK NO", "`CHECK_DEADLOCK` is TRUE or FALSE"),
    (
        "Next == x' = 1 - x",
        "INIT Init",
        "the specification is not known: there is no INIT with NEXT, and no SPECIFICATION",
    ),
    ("Next == x' = 1 - x", "INIT Init NEXT Next INIT Init", "`INIT` needs one name"),
    (
        "Next == x' = 1 - x\nSpec == Init /\\ [][Next]_x",
        "INIT Init NEXT Next SPECIFICATION Spec",
        "SPECIFICATION stands beside INIT or NEXT",
    ),
    (
        "Next == x' = 1 - x\nP == <>(x' = 1)",
        "INIT Init NEXT Next PROPERTY P",
        "in `P`: a temporal formula is a part of another formula",
    ),
    (
        "Next == x' = 1 - x\nI == IsFiniteSet(Nat)",
        "INIT Init NEXT Next INVARIANT I",
        "in `I`: `Nat` has no end",
    ),
    (
        "Next == x' = 1 - x\nI == x = \"a\"",
        "INIT Init NEXT Next INVARIANT I",
        "in `I`: an integer and a string are of different types",
    ),
    (
        "Next == x' = 1 - x\nI == 1 \\in {\"a\"}",
        "INIT Init NEXT Next INVARIANT I",
        "in `I`: an integer and a string are of different types",
    ),
    ("Next == x' \\in Nat", "INIT Init NEXT Next", "`x` gets any value of an infinite set"),
    ("Next == x' = CHOOSE y : y > x", "INIT Init NEXT Next", "`CHOOSE y` has no set to choose from"),
    ("Next == x > 0", "INIT Init NEXT Next", "in `Next`: `x'` gets no value"),
    ("Next == x' = x' + 1", "INIT Init NEXT Next", "`x'` is read before it gets a value"),
    (
        "RECURSIVE F(_)\nF(n) == F(n - 1)\nNext == x' = F(x)",
        "INIT Init NEXT Next",
        "the recursion of `F` is not known before the states are",
    ),
    ("S == S\nNext == x' \\in S", "INIT Init NEXT Next", "it is nested too deeply, or uses itself"),
    (
        "Next == x' = Len(Sort(<<1, 2>>))",
        "INIT Init NEXT Next",
        "the operator `Sort` is not known, or not supported",
    ),
    ("CONSTANT N\nNext == x' = N", "INIT Init NEXT Next", "the constant `N` has no value"),
    (
        "CONSTANT N\nNext == x' = N",
        "CONSTANT N = 1 2 INIT Init NEXT Next",
        "expected the end of the value, but found `2`",
    ),
    ("ASSUME 1 > 2\nNext == x' = 1 - x", "INIT Init NEXT Next", "this assumption is false"),
    ("Next == x' = (1", "INIT Init NEXT Next", "expected `)`, but found `====`"),
    (
        "Next == x' = 1 => x = 1 => x = 2",
        "INIT Init NEXT Next",
        "expected brackets, as in `(a => b) => c`, but found `=>`",
    ),
    ("Next == x' = 1 - x\nI == \"a", "INIT Init NEXT Next", "this string has no end"),
    (
        "M == INSTANCE Missing\nNext == x' = 1 - x",
        "INIT Init NEXT Next",
        "the module `Missing` is not supported, and there is no Missing.tla beside",
    ),
];

#[test]
fn what_is_not_read_is_refused_with_its_place() {
    for (lines, config, message) in REFUSED {
        let refused = read(&module(lines), config).expect_err(lines);
        let first = &refused.diagnostics[0];
        assert!(first.message.ends_with(message), "{}\n{lines}\n{config}", first.message);
        let placed = first.span.is_some() || message.ends_with("has no value");
        assert!(placed, "{}", render(first, &refused.sources, false));
    }
}

#[test]
fn several_mistakes_are_told_in_one_run() {
    let lines = "Next == x' = 1 - x\nI == x = \"a\"\nJ == x = TRUE";
    let refused =
        read(&module(lines), "INIT Init NEXT Next\nINVARIANTS I J K\nPROPERTY L").expect_err("mistakes");
    let places: Vec<String> = refused
        .diagnostics
        .iter()
        .map(|mistake| mistake.span.map_or_else(String::new, |span| refused.sources.place(span)))
        .collect();
    assert_eq!(places, ["M.tla:6:1", "M.tla:7:1", "M.cfg:2:16", "M.cfg:3:10"]);
}

/// A configuration, and the name that is suggested.
const MISSPELT: &[(&str, &str)] = &[
    ("CONSTANT Room = 1 INIT Init NEXT Next INVARAINT I", "INVARIANT"),
    ("CONSTANT Room = 1 INIT Init NEXT Next INVARIANT Initt", "Init"),
    ("CONSTANT Rom = 1 Room = 2 INIT Init NEXT Next", "Room"),
    ("CONSTANT Room <- Nxt INIT Init NEXT Next", "Next"),
];

#[test]
fn misspelt_names_of_configurations_get_a_suggestion() {
    for (config, meant) in MISSPELT {
        let refused = read(&module("CONSTANT Room\nNext == x' = 1 - x"), config).expect_err(config);
        let shown: String =
            refused.diagnostics.iter().map(|mistake| render(mistake, &refused.sources, false)).collect();
        assert!(shown.contains(&format!("did you mean `{meant}`?")), "{config}\n{shown}");
    }
}

#[test]
fn what_only_changes_the_search_of_tlc_is_left_out_with_a_warning() {
    let imported =
        read(&module("Next == x' = 1 - x\nV == x"), "INIT Init NEXT Next VIEW V SYMMETRY V ALIAS V");
    let warnings: Vec<String> =
        imported.expect("it is read").warnings.into_iter().map(|warning| warning.message).collect();
    let all = "is left out: there are more states than TLC counts";
    let wanted = [
        format!("`VIEW` {all}"),
        format!("`SYMMETRY` {all}"),
        "`ALIAS` is left out: traces show the variables".to_owned(),
    ];
    assert_eq!(warnings, wanted);
}

/// Values of the next state are read where the action gives none, so that it is not known when it is enabled.
#[test]
fn fairness_that_is_not_known_is_left_out_with_a_warning() {
    let lines = "Next == x' = 1 - x\nA == (x + 1)' = 1\nP == [][x' < 2]_x /\\ WF_x(A)";
    let imported = read(&module(lines), "INIT Init NEXT Next PROPERTY P").expect("it is read");
    let warnings: Vec<&str> = imported.warnings.iter().map(|warning| warning.message.as_str()).collect();
    assert!(
        matches!(warnings[..], [only] if only.starts_with("`P_2` is left out, so that it is not decided: in `A`: `x'` is read")),
        "{warnings:?}"
    );
    assert!(imported.text.contains("invariant P_1") && !imported.text.contains("P_2"), "{}", imported.text);
}

/// The integers have no bounds, but few are initial.
#[test]
fn few_initial_values_of_wide_integers_are_found() {
    let imported = read(
        &module("Start == x \\in {1, 7}\nNext == x' = IF x # 7 THEN x + 1 ELSE 1"),
        "INIT Start NEXT Next",
    );
    let loaded = load_written("M", &imported.expect("it is read").text, &LoadOptions::default());
    let model = loaded.model.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics));
    let graph = Graph::explore(&model, None, 100, &Budget::unlimited()).expect("few states");
    assert_eq!(graph.states.len(), 7);
}

#[test]
fn deep_and_long_texts_are_refused() {
    let texts = [
        format!("Next == x' = {}1{}", "(".repeat(5000), ")".repeat(5000)),
        format!("Next == x' = 1{}", " + 1".repeat(100_000)),
        format!("Next == x{} = 1", "'".repeat(100_000)),
        format!("Next == x' \\in {}{{}}", "{a \\in ".repeat(150)),
        format!("Next == {}x' = 1", "\\E a, b \\in {".repeat(150)),
    ];
    for text in texts {
        assert!(read(&module(&text), "INIT Init NEXT Next").is_err());
    }
}

/// Steps that make the integer x, the set s, the set of records r, the sequence q or the function f grow; t counts steps.
const GROWING: &[&str] = &[
    "x' = x + 3 /\\ UNCHANGED <<s, r, q, f>>",
    "\\E n \\in x..(x + 1) : x' = n /\\ s' = s \\cup {n} /\\ UNCHANGED <<r, q, f>>",
    "\\E n \\in {k + 2 : k \\in s} : x' = n /\\ UNCHANGED <<s, r, q, f>>",
    "\\E n \\in {k \\in x..(x + 2) : k % 2 = 0} : x' = n /\\ UNCHANGED <<s, r, q, f>>",
    "x' \\in (x + 1)..(x + 2) /\\ UNCHANGED <<s, r, q, f>>",
    "s' = {k + 1 : k \\in s} /\\ UNCHANGED <<x, r, q, f>>",
    "s' = s \\cup {Cardinality(s) * 3} /\\ UNCHANGED <<x, r, q, f>>",
    "s' = UNION {{k, k + 3} : k \\in s} /\\ UNCHANGED <<x, r, q, f>>",
    "s' = {CHOOSE m \\in {k + 1 : k \\in s} : TRUE} /\\ UNCHANGED <<x, r, q, f>>",
    "(\\A k \\in {n + 2 : n \\in s} : k # 7) /\\ s' = {k + 2 : k \\in s} /\\ UNCHANGED <<x, r, q, f>>",
    "r' = r \\cup {[a |-> x, b |-> TRUE]} /\\ x' = x + 1 /\\ UNCHANGED <<s, q, f>>",
    "r' = {[m EXCEPT !.a = @ + 2] : m \\in r} /\\ UNCHANGED <<x, s, q, f>>",
    "\\E m \\in {[a |-> k.a + 1, b |-> k.b] : k \\in r} : r' = r \\cup {m} /\\ UNCHANGED <<x, s, q, f>>",
    "\\E n \\in {x + 2, x + 3} : x' = n /\\ UNCHANGED <<s, r, q, f>>",
    "\\E n \\in {m \\in {x + 2, x + 3} : m # 4} : x' = n /\\ UNCHANGED <<s, r, q, f>>",
    "\\E n \\in {x + 3} \\X {TRUE} : x' = n[1] /\\ UNCHANGED <<s, r, q, f>>",
    "\\E n \\in s \\cup {x + 2} : x' = n /\\ UNCHANGED <<s, r, q, f>>",
    "q' = Append(q, x) /\\ UNCHANGED <<x, s, r, f>>",
    "q' = <<x + 1>> \\o q /\\ UNCHANGED <<x, s, r, f>>",
    "f' = [f EXCEPT ![1] = @ + 2] /\\ UNCHANGED <<x, s, r, q>>",
    "f' = [k \\in 1..2 |-> f[k] + k] /\\ UNCHANGED <<x, s, r, q>>",
];

/// Within narrow limits, either a step has no result, or all states are there.
#[test]
fn no_step_is_lost_silently() {
    let (mut whole, mut lost) = (0, 0);
    let states = |steps: &[&str], limits: (i64, i64), lists| {
        let next = steps.iter().map(|step| format!("  \\/ t < 5 /\\ t' = t + 1 /\\ {step}"));
        let next = next.collect::<Vec<_>>().join("\n");
        let module = format!(
            "---- MODULE M ----\nEXTENDS Integers, Sequences, FiniteSets\nVARIABLES x, s, r, q, f, t\n\
             Init == x = 0 /\\ s = {{0}} /\\ r = {{[a |-> 0, b |-> TRUE]}} /\\ q = <<>> /\\ f = [k \\in 1..2 |-> 0] /\\ t = 0\n\
             Next ==\n{next}\n===="
        );
        let values = ValueLimits { integers: Some(limits), lists: Some(lists), ..ValueLimits::default() };
        let config = "INIT Init\nNEXT Next\nCHECK_DEADLOCK FALSE";
        let beside = |name: &str| match name {
            "M.cfg" => Ok((name.to_owned(), config.to_owned())),
            _ => Err(Error::from(ErrorKind::NotFound)),
        };
        let imported = import_text("M", "M.tla", &module, &values, &beside)
            .unwrap_or_else(|refused| panic!("{module}\n{:?}", refused.diagnostics));
        let loaded = load_written("M", &imported.text, &LoadOptions::default());
        let model = loaded.model.unwrap_or_else(|| panic!("{module}\n{:?}", loaded.diagnostics));
        let graph = Graph::explore(&model, None, 20_000, &Budget::unlimited()).expect("few states");
        let are_whole = model.properties.iter().all(|of| holds(&model, &graph, &[], of) == Some(true));
        (graph.states.len(), are_whole, imported.text)
    };
    for (at, first) in GROWING.iter().enumerate() {
        for second in GROWING.iter().skip(at).step_by(5) {
            let (all, are_whole, text) = states(&[first, second], (0, 63), 8);
            assert!(are_whole, "{text}");
            for (most, lists) in [(4, 3), (9, 5), (13, 2)] {
                let (found, are_whole, text) = states(&[first, second], (0, most), lists);
                assert!(!are_whole || found == all, "{found} of {all} states, within 0..{most}\n{text}");
                *(if are_whole { &mut whole } else { &mut lost }) += 1;
            }
        }
    }
    // Subsets are listed, so that wide limits are refused.
    let subsets = "\\E n \\in SUBSET {x + 2} : s' = n /\\ x' = x + 1 /\\ UNCHANGED <<r, q, f>>";
    assert!(!states(&[subsets], (0, 4), 3).1);
    assert!(whole > 20 && lost > 50, "{whole} {lost}");
}
