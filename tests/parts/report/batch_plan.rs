//! Tests of `report::batch::plan`.

use kit::diagnostics::{Diagnostic, SourceMap};
use report::batch::plan::*;
use solvers::sat::Backend;

fn read_text(text: &str) -> (Plan, Vec<Diagnostic>) {
    read_plan(SourceMap::new().add("plan.toml", text), text)
}

#[test]
fn what_is_left_out_has_its_default() {
    let (plan, problems) = read_text("[[classify]]\nmodels = ['a.sts']\nbounds = [3]\n");
    assert_eq!(problems, []);
    let group = &plan.groups[0];
    assert!(group.properties.is_none() && group.vocabularies.is_none());
    assert_eq!((group.bounds.as_slice(), group.constants.len()), (&[Some(3)][..], 1));
    assert!(!group.unbounded && !group.count && group.environment.is_none());
    assert!(group.ground.is_none());
    assert!(group.constants[0].value.is_empty() && plan.settings.solver.is_none());
}

#[test]
fn settings_are_read_as_on_the_command_line() {
    let text = "[settings]\nsolver='varisat'\ntimeout=90\nmemory='2G'\nmax_classes=3\nverify=true\nexact=true\n\
                [[classify]]\nmodels=['a']\nbounds={from=2,to=9,step=3}\nconstants=[['B= 2','A=1'],[]]\n";
    let (plan, problems) = read_text(text);
    assert_eq!(problems, []);
    let settings = &plan.settings;
    assert_eq!((settings.solver, settings.timeout_ms), (Some(Backend::Varisat), Some(90_000)));
    assert_eq!((settings.memory_bytes, settings.max_classes), (Some(2 << 30), Some(3)));
    assert!(settings.verify && settings.exact && !settings.keep_redundant);
    assert_eq!(plan.groups[0].bounds, [2, 5, 8].map(Some));
    let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    assert_eq!(plan.groups[0].constants[0].value, [pair("A", "1"), pair("B", "2")]);
}

#[test]
fn groups_may_say_otherwise_than_the_settings() {
    let text = "[settings]\nunbounded=true\ncount=true\nmax_states=9\n\
                [[classify]]\nmodels=['a']\n[[classify]]\nmodels=['b']\nbounds=[4]\n\
                [[classify]]\nmodels=['c']\nbounds=[5]\nunbounded=false\ncount=false\n";
    let (plan, problems) = read_text(text);
    assert_eq!(problems, []);
    let said: Vec<_> = plan.groups.iter().map(|g| (g.bounds[0], g.unbounded, g.count)).collect();
    assert_eq!(said, [(None, true, true), (Some(4), true, true), (Some(5), false, false)]);
    assert_eq!(plan.settings.max_states.map(|n| n.value), Some(9));
    let twice =
        "[settings]\nexact=true\nunbounded=true\n[[classify]]\nmodels=['a']\n[[classify]]\nmodels=['b']\n";
    let (_, problems) = read_text(twice);
    assert_eq!(problems.len(), 1, "it is one mistake: {problems:?}");
}

#[test]
fn every_value_has_its_type_and_range() {
    let group = |bounds: &str| format!("[[classify]]\nmodels=['a']\nbounds={bounds}\n");
    for (text, expected) in [
        ("x = 1".to_owned(), "unknown key `x` in the plan"),
        ("classify = []".to_owned(), "the plan has no jobs"),
        ("settings = 3".to_owned(), "expected a table `[settings]`, found 3"),
        ("classify = 'a'".to_owned(), "expected tables under `[[classify]]`, found a string"),
        ("[settings]\nmax_classes = 0".to_owned(), "`max_classes` is at least 1"),
        ("[settings]\nmemory = 5".to_owned(), "invalid `memory`"),
        ("[settings]\nmax_states = 0".to_owned(), "`max_states` is at least 1"),
        (format!("[settings]\nmax_states = 5\n{}", group("[1]")), "`max_states` has no effect in this plan"),
        (
            format!("[settings]\nexact = true\n{}unbounded = true\n", group("[1]")),
            "`exact` and `unbounded` exclude each other",
        ),
        ("[[classify]]\nmodels = ['a']\ncount = true".to_owned(), "[[classify]] has no `bounds`"),
        (group("[1]\nunbounded = 1"), "expected true or false, found 1"),
        ("[settings]\nmemory = 1.5".to_owned(), "expected a string, found 1.5"),
        (group("[]"), "`bounds` is empty, so no job would run"),
        (group("4"), "expected a list of whole numbers, found 4"),
        (group("[99999999999999999999]"), "expected a whole number, 0 or more, found 99999999999999999999"),
        (group("{ from = 1 }"), "the range has no `to`"),
        (group("{ from = 1, to = 3, step = 0 }"), "`step` is at least 1"),
        (group("{ from = 0, to = 1000000 }"), "the range has more than 10000 bounds"),
        (group("[1]\nclaims = 'A1'"), "`claims` is \"all\" or a list, not `A1`"),
        (group("[1]\nclaims = 1"), "expected a list of strings, found 1"),
        (group("[1]\nclaims = 'all'\nproperties = ['p']"), "`claims` and `properties` exclude each other"),
        (group("[1]\nconstants = ['N=1']"), "expected a list of lists of strings, found a string"),
        (group("[1]\nbounds = [2]"), "this is not TOML: duplicate key"),
    ] {
        let (_, problems) = read_text(&text);
        assert!(problems.iter().any(|p| p.message == expected && p.span.is_some()), "{text}: {problems:?}");
    }
}

#[test]
fn overrides() {
    assert_eq!(parse_override("N=4"), Ok(("N".into(), "4".into())));
    assert_eq!(parse_override("F = a = b"), Ok(("F".into(), "a = b".into())));
    for text in ["N", "=4", "N="] {
        assert!(parse_override(text).is_err(), "{text}");
    }
}

#[test]
fn control_characters_are_refused() {
    let text = "[[classify]]\nmodels = [\"a\\u001b[2J.sts\"]\nbounds = [1]\nproperties = [\"p\\u0085\"]\n";
    let (_, problems) = read_text(text);
    let messages: Vec<&str> = problems.iter().map(|p| p.message.as_str()).collect();
    assert_eq!(messages, ["a string with a control character"; 2]);
}

#[test]
fn the_plan_of_the_documentation_is_in_order() {
    let page = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/cluster.md"));
    let plans: Vec<&str> =
        page.split("```toml\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert_eq!(plans.len(), 2);
    let (plan, problems) = read_text(&plans.concat());
    assert_eq!(problems, []);
    assert_eq!(plan.groups.len(), 2);
    assert!(plan.settings.timeout_ms.is_some());
}
