//! The bugs of models that say the same as process texts, and of published protocols.

use crate::lts_common;
use crate::process_common;

use cladist::budget::Budget;
use cladist::diagnostics::SourceId;
use cladist::explore::{Forbidden, ModelBugs, StateSpace, model_bugs};
use cladist::lts::bugs::{BugVerdict, Bugs};
use cladist::model::{Environment, Model, load, load_text};
use cladist::mucalc::parse_property;
use cladist::process::bugs::{CountLimits, count};
use process_common::program;
use std::path::Path;

fn specs() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/specs"))
}

fn model_of(text: &str) -> Model {
    let loaded = load_text("model.sts", text, &[], &|_| Err(std::io::ErrorKind::NotFound.into()));
    loaded.model.unwrap_or_else(|| panic!("{:?}\n{text}", loaded.diagnostics))
}

fn counted(model: &Model, forbidden: Forbidden<'_>, most_states: usize) -> ModelBugs {
    let budget = Budget::unlimited();
    let space = StateSpace::of(model, usize::MAX, &budget);
    model_bugs(model, &space, forbidden, most_states, 30, &budget).expect("a result")
}

fn of_states(model: &Model, property: &str, environment: Option<&str>) -> Bugs {
    let invariant = model.properties[model.property(property).expect("a property")].invariant();
    let environment = environment.map(|text| Environment::parse(model, text).expect("steps of the model"));
    let invariant = invariant.expect("an invariant");
    let forbidden = Forbidden::States { invariant, environment: environment.as_ref() };
    counted(model, forbidden, usize::MAX).bugs
}

fn of_labels(model: &Model, property: &str) -> Bugs {
    let property = parse_property(SourceId::default(), property).expect("a property");
    counted(model, Forbidden::Labels(&property), usize::MAX).bugs
}

/// What is said of each occurrence: its verdict, that of the paper, its violating traces of up to 30 actions and their
/// probability in millionths.
fn said(bugs: &Bugs) -> Vec<(BugVerdict, BugVerdict, Option<String>, Option<u64>)> {
    let line = |o: &cladist::lts::bugs::Occurrence| {
        let rank = o.rank.as_ref();
        let probability = rank.map(|rank| (rank.probability * 1e6).round() as u64);
        (o.verdict, o.paper, rank.map(|rank| rank.traces.to_string()), probability)
    };
    bugs.occurrences.iter().map(line).collect()
}

fn of_text(text: &str, property: &str) -> Bugs {
    let property = parse_property(SourceId::default(), property).expect("a property");
    let limits = CountLimits { most_states: 100_000, longest: 30 };
    count(&program(text), &property, limits, &Budget::unlimited()).expect("a result").bugs
}

/// A step of a process of [`model_text`]: its name, its label, from where to where.
type Step = (&'static str, &'static str, u32, u32);

/// A model of processes that run side by side, whose property is that no `second` comes after a `first`.
fn model_text(processes: &[&[Step]], first: &str, second: &str, watched: bool) -> String {
    let mut text = "model processes;\nvar seen: bool;\nvar wrong: bool;\n".to_owned();
    let mut init = "init { seen = false; wrong = false;".to_owned();
    let mut actions = String::new();
    for (number, steps) in processes.iter().enumerate() {
        let most = steps.iter().map(|&(.., from, to)| from.max(to)).max().expect("steps");
        text.push_str(&format!("var at{number}: 0..{most};\n"));
        init.push_str(&format!(" at{number} = 0;"));
        for &(name, label, from, to) in *steps {
            let mark = match watched {
                true if label == first => " seen' = true;",
                true if label == second => " wrong' = wrong or seen;",
                _ => "",
            };
            actions.push_str(&format!(
                "action {name} {{ require at{number} = {from}; at{number}' = {to};{mark} }}\n"
            ));
        }
    }
    format!("{text}{init} }}\n{actions}invariant right: not wrong;\n")
}

/// `specs/processes/ifttt_home.lnt`, action by action.
const HOME: &[&[Step]] = &[
    &[
        ("sunset", "SUNSET", 0, 1),
        ("lamp_on", "LAMP_ON", 1, 2),
        ("sunrise", "SUNRISE", 2, 3),
        ("lamp_off", "LAMP_OFF", 3, 4),
    ],
    &[
        ("leave", "LEAVE", 0, 1),
        ("lock_outside", "LOCK", 1, 2),
        ("come_back", "COME_BACK", 2, 3),
        ("open_outside", "OPEN", 3, 5),
        ("morning_outside", "SUNRISE", 2, 5),
        ("lock_inside", "LOCK", 0, 4),
        ("morning_inside", "SUNRISE", 4, 5),
        ("open_door", "OPEN", 5, 6),
    ],
    &[("smoke", "SMOKE", 0, 1), ("open_everything", "OPEN", 1, 2), ("quiet", "QUIET", 0, 2)],
];

/// What a text says of its bugs is said of a model with an action for each of the text's: whether the model watches the
/// property itself or a property of labels does.
#[test]
fn models_have_the_bugs_of_texts_that_say_the_same() {
    let text = std::fs::read_to_string(specs().join("processes/ifttt_home.lnt")).expect("readable");
    let expected = of_text(&text, "[ true* . LOCK . true* . OPEN ] false");
    let numbers = [BugVerdict::Inevitable, BugVerdict::Avoidable].map(|verdict| expected.number(verdict));
    assert_eq!(numbers, [1, 2]);
    let watching = of_states(&model_of(&model_text(HOME, "LOCK", "OPEN", true)), "right", None);
    let by_label = "[ true* . 'lock_.*' . true* . 'open_.*' ] false";
    let seen = of_labels(&model_of(&model_text(HOME, "LOCK", "OPEN", false)), by_label);
    // A model's traces name the actions, of which some have the same label in the text: so they are not as many.
    let verdicts =
        |bugs: &Bugs| -> Vec<_> { bugs.occurrences.iter().map(|o| (o.verdict, o.paper)).collect() };
    assert_eq!(verdicts(&watching), verdicts(&expected));
    assert_eq!(verdicts(&seen), verdicts(&expected));
    assert_eq!(said(&watching), said(&seen));
}

/// The texts of the article, of one process each, with actions of different names.
#[test]
fn models_have_the_bugs_of_the_listings() {
    // Listing 4.
    let steps: &[Step] = &[
        ("begin", "INIT", 0, 1),
        ("aa", "AA", 1, 2),
        ("exec1", "EXEC", 2, 3),
        ("bb", "BB", 3, 4),
        ("close1", "CLOSE", 4, 10),
        ("close2", "CLOSE", 1, 5),
        ("cc", "CC", 5, 10),
        ("close3a", "CLOSE", 1, 6),
        ("exec3a", "EXEC", 6, 10),
        ("exec3b", "EXEC", 1, 7),
        ("close3b", "CLOSE", 7, 10),
        ("exec4", "EXEC", 10, 11),
        ("close4", "CLOSE", 11, 12),
    ];
    let model = model_of(&model_text(&[steps], "EXEC", "CLOSE", true));
    let found = of_states(&model, "right", None);
    let verdicts: Vec<(&str, BugVerdict)> =
        found.occurrences.iter().map(|o| (model.sources.snippet(o.span), o.verdict)).collect();
    use BugVerdict::{Avoidable, Inevitable};
    assert_eq!(verdicts, [("close1", Avoidable), ("close3b", Avoidable), ("close4", Inevitable)]);
    let last = &found.occurrences[2];
    let way = last.way.as_ref().expect("a way");
    assert_eq!((way.labels.join(", ").as_str(), way.leaves_out), ("begin, close2, cc, exec4, close4", false));
    assert_eq!(last.actions, ["close4"]);
}

/// What must not be is what a last action does; what could have been done otherwise is another question.
#[test]
fn published_models_have_as_many_bugs_as_actions_that_violate_them() {
    let model = |path: &Path| load(path, &[]).model.unwrap_or_else(|| panic!("{}", path.display()));
    let named = |model: &Model, bugs: &Bugs| -> Vec<(String, BugVerdict)> {
        bugs.occurrences.iter().map(|o| (model.sources.snippet(o.span).to_owned(), o.verdict)).collect()
    };
    let protocol = model(&specs().join("ns_public_key.sts"));
    let found = of_states(&protocol, "secrecy", None);
    assert_eq!(named(&protocol, &found), [("learn".to_owned(), BugVerdict::Avoidable)]);
    // With what Eve does as environment, the bug is where Lowe's repair belongs.
    let found = of_states(&protocol, "secrecy", Some("learn,resend,forge,forge_answer"));
    assert_eq!(named(&protocol, &found), [("finish".to_owned(), BugVerdict::Avoidable)]);
    assert_eq!(found.occurrences[0].actions, ["finish(b=Eve,n=Nb)"]);
    let Some(data) = lts_common::data() else { return };
    let ring = model(&data.join("models/ring_election.sts"));
    assert_eq!(
        named(&ring, &of_states(&ring, "one_leader", None)),
        [("elect".to_owned(), BugVerdict::Avoidable)]
    );
}

/// Where the dummies lead to more states than are allowed, every bug of the model itself is found, but not its kind.
#[test]
fn too_many_states_with_dummies_leave_the_kind_open() {
    let text = "
model counter;
var n: 0..50;
var wrong: bool;
init { n = 0; wrong = false; }
action stop { require n = 0 and not wrong; wrong' = true; n' = 1; }
action count { require n > 0 and not wrong and n < 50; n' = n + 1; }
invariant right: not wrong;
";
    let model = model_of(text);
    let invariant = model.properties[0].invariant().expect("an invariant");
    let forbidden = Forbidden::States { invariant, environment: None };
    let few = counted(&model, forbidden, 10);
    assert!(few.stopped.is_some() && few.bugs.partial && few.bugs.complete && !few.bugs.holds);
    assert_eq!(few.bugs.occurrences[0].verdict, BugVerdict::Undecided);
    let all = counted(&model, forbidden, 1000);
    assert!(all.stopped.is_none() && !all.bugs.partial);
    assert_eq!(all.bugs.occurrences[0].verdict, BugVerdict::Inevitable);
    assert_eq!(all.bugs.original.states, 2);
}

/// Violations that nobody makes are no bugs.
#[test]
fn initial_states_that_violate_an_invariant_are_nobodys_bugs() {
    let text = "
model starts;
var x: 0..2;
init { x > 0; }
action down { require x > 0; x' = x - 1; }
invariant low: x < 2;
invariant positive: x > 0;
";
    let model = model_of(text);
    let found = of_states(&model, "low", None);
    assert!(!found.holds && found.occurrences.is_empty());
    let found = of_states(&model, "positive", None);
    let [bug] = found.occurrences.as_slice() else { panic!("one bug") };
    assert_eq!(bug.way.as_ref().expect("a way").labels, ["start", "down"]);
    let found = of_states(&model, "positive", Some("down"));
    assert!(!found.holds && found.occurrences.is_empty());
}
