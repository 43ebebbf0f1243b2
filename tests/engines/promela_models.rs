//! Programs in Promela with known verdicts, and what is refused.

use super::smv_models::holds;
use cladist::budget::Budget;
use cladist::diagnostics::render;
use cladist::explore::Graph;
use cladist::ltl::Fairness;
use cladist::model::{LoadOptions, load_written};
use cladist::promela::import_text;
use cladist::readers::ForeignLanguage;
use std::path::Path;

/// Whether each property holds.
type Verdicts = &'static [(&'static str, bool)];

/// For each program how many states are reached, and what holds. Spin 6.5.2 finds the same, and as many states, where it does not follow a formula.
const VERDICTS: &[(&str, usize, Verdicts)] = &[
    ("alternating_bit", 331, &[("assert_36", true), ("valid_end_states", true)]),
    ("counts_in", 16, &[("assert_11", false), ("valid_end_states", true)]),
    ("dining", 36, &[("valid_end_states", false)]),
    ("handshake", 26, &[("assert_41", false), ("defined", false), ("valid_end_states", true)]),
    ("leader", 73, &[("assert_20", true), ("valid_end_states", true), ("elected", true)]),
    ("lost_wakeup", 83, &[("valid_end_states", false)]),
    ("parcel", 66, &[("assert_13", true), ("assert_15", false), ("valid_end_states", true)]),
    ("peterson", 38, &[("assert_11", true), ("valid_end_states", true), ("exclusion", true)]),
    ("peterson_late", 98, &[("assert_11", false), ("valid_end_states", true)]),
    ("priority_inversion", 12, &[("valid_end_states", false)]),
];

#[test]
fn programs_have_their_verdicts() {
    let unlimited = Budget::unlimited();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/models/promela");
    let files = std::fs::read_dir(&folder).expect("the folder").count();
    assert_eq!(files, VERDICTS.len(), "each program has its verdicts here");
    for (name, states, verdicts) in VERDICTS {
        let loaded =
            ForeignLanguage::Promela.load(&folder.join(name).with_extension("pml"), &LoadOptions::default());
        let model = loaded.model.unwrap_or_else(|| panic!("{name}: {:?}", loaded.diagnostics));
        let graph = Graph::explore(&model, None, 10_000, &unlimited).expect("few states");
        let fairness = Fairness::of_model(&model);
        let properties = model.properties.iter();
        let found: Vec<(&str, bool)> = properties
            .filter_map(|property| {
                Some((property.name.as_str(), holds(&model, &graph, &fairness, property)?))
            })
            .collect();
        assert_eq!((graph.states.len(), found), (*states, verdicts.to_vec()), "{name}");
    }
}

/// Mistakes with the first line of the message, and advice.
const REFUSED: &[(&str, &str)] = &[
    ("active proctype P() { x = 1 }", "`x` is not declared"),
    ("byte x; active proctype P() { x = 1; goto L }", "there is no label `L`"),
    (
        "byte x; active proctype P() { do :: x = x + 1 :: run P() od }",
        "this `run` may be executed any number of times",
    ),
    ("active proctype P() { c_code { x(); } }", "`c_code` is not supported"),
    ("byte x; active proctype P() { { x = 1 } unless { x == 2 } }", "`unless` is not supported"),
    (
        "chan q = [500] of { byte }; active proctype P() { q!1 }",
        "a channel has room for 0 to 64 messages, not 500",
    ),
    ("chan q = [1] of { byte }; active proctype P() { q!!1 }", "sorted send, `!!`, is not supported"),
    ("#if 1\nactive proctype P() { skip }", "`#if` without `#endif`"),
    ("#include \"other.h\"\nactive proctype P() { skip }", "cannot read `other.h`: there is no such file"),
    ("active proctype P() { if :: else -> skip :: else -> skip fi }", "there are two `else` here"),
    (
        "byte x; ltl p { <> x > 0 } active proctype P() { x = 1 }",
        "a temporal operator is used as a number here",
    ),
];

#[test]
fn what_is_not_read_is_refused_with_its_place_and_advice() {
    let none = |_: &str| Err("there is no such file".to_owned());
    for (text, message) in REFUSED {
        let refused = import_text("m", "m.pml", text, &none).expect_err(text);
        let first = &refused.diagnostics[0];
        assert_eq!(first.message, *message, "{text}");
        assert!(first.span.is_some() && first.help.is_some(), "{}", render(first, &refused.sources, false));
    }
}

#[test]
fn constant_places_outside_of_an_array_are_errors_where_they_are_next() {
    let text = "byte a[3]; byte x; active proctype P() { if :: x = 1 :: a[5] = 2; x = 7 :: a[4] == 0 -> x = a[3] fi }";
    let written = import_text("m", "m.pml", text, &|_| Err(String::new())).expect("it is read");
    let loaded = load_written("m", &written, &LoadOptions::default());
    let model = loaded.model.unwrap_or_else(|| panic!("{:?}\n{written}", loaded.diagnostics));
    let graph = Graph::explore(&model, None, 100, &Budget::unlimited()).expect("few states");
    let defined = model.properties.iter().find(|property| property.name == "defined").expect("a property");
    assert_eq!(holds(&model, &graph, &Fairness::of_model(&model), defined), Some(false));
}

#[test]
fn several_mistakes_are_told_in_one_run() {
    let text = "byte x;\nactive proctype P() { y = 1;\n x ! 2;\n goto nowhere }\n";
    let refused = import_text("m", "m.pml", text, &|_| Err(String::new())).expect_err("mistakes");
    let places: Vec<String> = refused
        .diagnostics
        .iter()
        .map(|mistake| mistake.span.map_or_else(String::new, |span| refused.sources.place(span)))
        .collect();
    assert_eq!(places, ["m.pml:2:23", "m.pml:3:2", "m.pml:4:7"]);
}
