//! Examples of predicates: where they can be written, and what is wrong with some.

use crate::model_common::{Mistake, all, check_mistakes, good, load_with};
use cladist::model::{ExampleTraces, LoadedLibrary, Model, check_library_text, load_example};
use std::io;
use std::path::Path;

const BASE: &str = "model m;
const N : 1..3 = 2;
const FIX : bool = false;
type Agent = enum { Alice, Bob };
var x : 0..9;
var who : option Agent;
init { x = 0; who = none; }
action up(n: 0..3) { x' = x + n; }
action call(a: Agent) { who' = a; }
def d: bool = x > 3;
pred big(t: pos) = x@t > 5;
pred calls(a: Agent, t: pos) = call.a@t = a;
";

const MISTAKES: &[Mistake] = &[
    (
        "example of bog within 3;",
        "unknown predicate `bog`",
        "bog",
        "did you mean `big`? (predicate, specs/m.sts:11)",
    ),
    (
        "example of d within 3;",
        "`d` is a definition, not a predicate",
        "d",
        "`eq(d)` gives facts about its value",
    ),
    (
        "example of big in \"m.sts\" within 3;",
        "an example in a model is about this model",
        "\"m.sts\"",
        "leave out `in`; examples of libraries name a model",
    ),
    ("example of big within x;", "`x` depends on the state, but a constant is needed here", "x", ""),
    (
        "example of big within 0 - 1;",
        "this is no number of steps",
        "0 - 1",
        "write a constant from 0 to 1000000",
    ),
    (
        "example of big within true;",
        "this is no number of steps",
        "true",
        "write a constant from 0 to 1000000",
    ),
    (
        "example of big with { M = 1 } within 3;",
        "the model has no constant `M`",
        "M",
        "its constants are N, FIX",
    ),
    (
        "example of big with { FIXX = true } within 3;",
        "the model has no constant `FIXX`",
        "FIXX",
        "did you mean `FIX`?",
    ),
    ("example of big with { N = 4 } within 3;", "constant `N` is 1..3, not 4", "4", ""),
    ("example of big with { N = 1, N = 2 } within 3;", "`N` is given twice", "N", "give it one value"),
    ("example of big { upp; }", "unknown action `upp`", "upp", "did you mean `up`? (action, specs/m.sts:8)"),
    (
        "example of big { x; }",
        "`x` is a variable, not an action",
        "x",
        "the steps of an example are those of actions: `a;`, `b(x = e);`",
    ),
    ("example of big { up(m = 1); }", "action `up` has no parameter `m`", "m", "its parameters are n"),
    ("example of big { up(n = 4); }", "parameter `n` is 0..3, not 4", "4", ""),
    (
        "example of big(x) within 3;",
        "`t` of `big` is a position",
        "x",
        "facts choose positions: give each a new name, or leave all of them out",
    ),
];

#[test]
fn mistakes_have_a_place_and_help() {
    check_mistakes(MISTAKES, |items| load_with(&format!("{BASE}{items}"), &[], &[]));
}

#[test]
fn all_mistakes_are_told_at_once() {
    let wrong = "example of big { upp; up(n = 4); down; }
        example of bog within 3;
        counterexample of big with { M = 1, N = 7 } within x;";
    let loaded = load_with(&format!("{BASE}{wrong}"), &[], &[]);
    let errors: Vec<&str> = loaded.diagnostics.iter().map(|d| d.message.as_str()).collect();
    let expected = [
        "unknown action `upp`",
        "parameter `n` is 0..3, not 4",
        "unknown action `down`",
        "unknown predicate `bog`",
        "the model has no constant `M`",
        "constant `N` is 1..3, not 7",
        "`x` depends on the state, but a constant is needed here",
    ];
    assert_eq!(errors, expected);
}

#[test]
fn the_words_of_examples_are_names_elsewhere() {
    let model = good(
        "model example; type within = 0..3; type counterexample = enum { example, of_it };
        var counter : within; var examples : counterexample;
        init { counter = 0; examples = example; }
        action counter_up(step: within) { counter' = step; examples' = of_it; }
        pred example_p(t: pos) = counter@t > 1;
        vocabulary example_v = { example_p };
        example of example_p { counter_up(step = 2); }
        counterexample of example_p within 0;",
    );
    assert_eq!(model.examples.len(), 2);
}

#[test]
fn what_an_example_says_is_kept() {
    let model = good(&format!(
        "{BASE}/// Two calls.\nexample of calls(Bob) with {{ N = 1 + 2 }} {{ up; call(a = Bob); }} counterexample of calls(a) within N + 1;"
    ));
    let [first, second] = model.examples.as_slice() else { panic!("two examples") };
    assert_eq!((first.text.as_str(), first.counter, first.items.len()), ("calls(Bob)", false, 1));
    assert_eq!(first.doc.as_deref(), Some("Two calls."));
    assert_eq!(first.with, [("N".to_owned(), "1 + 2".to_owned())]);
    let ExampleTraces::Steps(steps) = &first.traces else { panic!("steps") };
    assert_eq!(
        steps.iter().map(|(steps, _)| (steps.action, steps.with.len())).collect::<Vec<_>>(),
        [(0, 0), (1, 1)]
    );
    // One reading for each agent.
    assert_eq!((second.counter, second.items.len()), (true, 2));
    assert!(matches!(second.traces, ExampleTraces::Within(3)));
}

#[test]
fn components_have_no_examples() {
    let part = "component part; var on : bool; init { not on; } action flip { on' = not on; } \
        pred lit(t: pos) = on@t; example of lit { flip; }";
    let model = "model m; import \"part.sts\" as lamp;";
    let loaded = load_with(model, &[], &[("specs/part.sts", part)]);
    assert!(loaded.model.is_none());
    assert_eq!(loaded.diagnostics[0].message, "a component cannot declare examples");
    let used = "model m; import \"part.sts\" as lamp; example of lamp.lit { lamp.flip; }";
    let part = part.replace("example of lit { flip; }", "");
    let loaded = load_with(used, &[], &[("specs/part.sts", &part)]);
    assert!(loaded.model.is_some(), "{}", all(&loaded.diagnostics, &loaded.sources));
}

const LIBRARY: &str = "library l;
requires { type Event; observe event : option Event; }
pred seen(e: Event, t: pos) = event@t = e;
example of seen(Early) in \"bells.sts\" { ring(e = Early); }
counterexample of seen(e) in \"bells.sts\" with { LOUD = false } within 3;
";

fn library(text: &str) -> LoadedLibrary {
    check_library_text("lib/l.pred", text, &|_| Err(io::ErrorKind::NotFound.into()))
}

fn bells(import: &str) -> Model {
    let text = format!(
        "model bells; const LOUD : bool = true; type Event = enum {{ Early, Late }}; var event : option Event;
        init {{ event = none; }} action ring(e: Event) {{ require LOUD; event' = e; }} {import}"
    );
    let read = |path: &Path| match path == Path::new("lib/l.pred") {
        true => Ok(LIBRARY.to_owned()),
        false => Err(io::ErrorKind::NotFound.into()),
    };
    let loaded = cladist::model::load_text("lib/bells.sts", &text, &[], &read);
    let found = all(&loaded.diagnostics, &loaded.sources);
    loaded.model.unwrap_or_else(|| panic!("{found}"))
}

#[test]
fn libraries_are_read_as_the_model_imports_them() {
    let loaded = library(LIBRARY);
    assert!(loaded.diagnostics.is_empty(), "{}", all(&loaded.diagnostics, &loaded.sources));
    let models: Vec<&str> = loaded.examples.iter().map(|example| example.model.0.as_str()).collect();
    assert_eq!(models, ["bells.sts", "bells.sts"]);
    assert_eq!(loaded.examples[1].with, [("LOUD".to_owned(), "false".to_owned())]);
    let path = Path::new("lib/l.pred");
    for (import, readings) in [
        ("import \"l.pred\" as l;", 1),
        ("import \"l.pred\" as l; import \"l.pred\" as twice with { event = some(Late) };", 2),
    ] {
        let found = load_example(&bells(import), path, LIBRARY, 0);
        let example = found.found.unwrap_or_else(|| panic!("{}", all(&found.diagnostics, &found.sources)));
        assert_eq!(example.items.len(), readings, "{import}");
    }
    let found = load_example(&bells(""), path, LIBRARY, 0);
    assert_eq!(found.diagnostics[0].message, "bells.sts does not import this library");
    assert_eq!(found.diagnostics[0].span.map(|span| found.sources.snippet(span)), Some("\"bells.sts\""));
}

#[test]
fn examples_of_libraries_name_a_model_and_a_predicate() {
    for (wrong, message) in [
        ("example of seen within 3;", "an example in a library is about a model"),
        ("example of sene in \"bells.sts\" within 3;", "unknown predicate `sene`"),
    ] {
        let loaded = library(&format!("{LIBRARY}{wrong}"));
        let messages: Vec<&str> = loaded.diagnostics.iter().map(|d| d.message.as_str()).collect();
        assert_eq!(messages, [message]);
    }
    let wrong = LIBRARY.replace("ring(e = Early)", "ring(e = Noon); rang");
    let found = load_example(&bells("import \"l.pred\" as l;"), Path::new("lib/l.pred"), &wrong, 0);
    let messages: Vec<&str> = found.diagnostics.iter().map(|d| d.message.as_str()).collect();
    assert_eq!(messages, ["unknown name `Noon`", "unknown action `rang`"]);
}
