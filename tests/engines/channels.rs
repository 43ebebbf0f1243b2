//! Channels as sequences, bags and sets of limited size, against the same models with maps of cells, numbers of copies and plain sets.

use cladist::explore::{initial_states, successors};
use cladist::model::value::{State, Value};
use cladist::model::{LoadOptions, Model, load, load_text_with};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

pub fn spec(name: &str) -> (Model, String) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("specs").join(name);
    let text = std::fs::read_to_string(&path).expect("readable");
    let loaded = load(&path, &[]);
    assert!(loaded.diagnostics.is_empty(), "{name}: {:?}", loaded.diagnostics);
    (loaded.model.expect("a model"), text)
}

/// The text of a model with parts of it put in another way; each part occurs.
fn rewritten(text: &str, parts: &[(&str, &str)]) -> Model {
    let text = parts.iter().fold(text.to_owned(), |text, (from, to)| {
        assert!(text.contains(from), "{from}");
        text.replace(from, to)
    });
    let none = |_: &Path| Err(std::io::ErrorKind::NotFound.into());
    let loaded = load_text_with("flat.sts", &text, &LoadOptions::default(), &none);
    loaded.model.unwrap_or_else(|| panic!("{text}\n{:?}", loaded.diagnostics))
}

/// A state as text, with channels as lists of what is in them.
fn shown(model: &Model, state: &State) -> Vec<String> {
    let channel = |value: &Value| match value {
        Value::Record(id, values) => {
            let elements = model.types.record(*id).elements(values);
            Some(elements.map(|element| model.types.show_value(element)).collect())
        }
        // A set, the copies of each message, or cells.
        Value::Set(members) => Some(members.iter().map(|member| model.types.show_value(member)).collect()),
        Value::Map(entries) => entries
            .iter()
            .map(|(key, value)| match value {
                Value::Int(copies) => Some(vec![model.types.show_value(key); *copies as usize]),
                Value::None if matches!(key, Value::Int(0..=1)) => Some(Vec::new()),
                Value::Record(..) if matches!(key, Value::Int(0..=1)) => {
                    Some(vec![model.types.show_value(value)])
                }
                _ => None,
            })
            .collect::<Option<Vec<Vec<String>>>>()
            .map(|cells| cells.concat()),
        _ => None,
    };
    let text = |value: &Value| match (channel(value), value) {
        (Some::<Vec<String>>(elements), _) => elements.join(" "),
        (None, Value::Map(entries)) => {
            let entry = |value| channel(value).map_or_else(|| model.types.show_value(value), |e| e.join(" "));
            entries.values().map(entry).collect::<Vec<_>>().join(" | ")
        }
        (None, value) => model.types.show_value(value),
    };
    state.0.iter().map(text).collect()
}

/// What can be reached, with all steps, and for each invariant the states that violate it.
#[derive(PartialEq, Eq, Debug)]
pub struct Behaviour {
    pub first: BTreeSet<Vec<String>>,
    pub steps: BTreeMap<Vec<String>, BTreeSet<(String, Vec<String>)>>,
}

pub fn behaviour(model: &Model) -> Behaviour {
    let mut open = initial_states(model, 10_000).expect("few");
    let first = open.iter().map(|state| shown(model, state)).collect();
    let mut seen: BTreeSet<State> = open.iter().cloned().collect();
    let mut steps: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
    while let Some(state) = open.pop() {
        let from = steps.entry(shown(model, &state)).or_default();
        for (label, after) in successors(model, &state, 10_000).expect("few") {
            from.insert((model.show_label(&label), shown(model, &after)));
            if seen.insert(after.clone()) {
                open.push(after);
            }
        }
    }
    assert_eq!(steps.len(), seen.len(), "states are told apart");
    Behaviour { first, steps }
}

fn same(name: &str, parts: &[(&str, &str)], states: usize) {
    let (model, text) = spec(name);
    let (found, flat) = (behaviour(&model), behaviour(&rewritten(&text, parts)));
    assert_eq!(found.steps.len(), states, "{name}");
    assert!(found == flat, "{name}: {} and {} states", found.steps.len(), flat.steps.len());
}

#[test]
fn a_fifo_channel_is_cells_that_move_up() {
    same(
        "ring_election.sts",
        &[
            ("map Node to seq of Message max 2", "map Node to map 0..1 to option Message"),
            ("inbox[n] = [] and", "inbox[n][0] is none and inbox[n][1] is none and"),
            ("length(inbox[after(n)]) < 2", "inbox[after(n)][1] is none"),
            ("inbox'[after(n)] = append(inbox[after(n)], Candidate(id: n));", "inbox'[after(n)] = with_last(inbox[after(n)], Candidate(id: n));"),
            ("inbox'[after(n)] = append(inbox[after(n)], Candidate(id: id));", "inbox'[after(n)] = with_last(inbox[after(n)], Candidate(id: id));"),
            ("inbox'[after(n)] = append(inbox[after(n)], Elected(id: n));", "inbox'[after(n)] = with_last(inbox[after(n)], Elected(id: n));"),
            ("inbox'[after(n)] = append(inbox[after(n)], Elected(id: id));", "inbox'[after(n)] = with_last(inbox[after(n)], Elected(id: id));"),
            ("inbox'[n] = rest(inbox[n]);", "inbox'[n] = map i in 0..1: if i = 0 then inbox[n][1] else none;"),
            ("first(inbox[n])", "inbox[n][0]"),
            ("inbox'[n] = [];", "inbox'[n] = map i in 0..1: none;"),
            (
                "def after(",
                "def with_last(q: map 0..1 to option Message, m: Message): map 0..1 to option Message =
                   map i in 0..1: if q[0] is none then (if i = 0 then m else none) else (if i = 0 then q[0] else m);
                 def after(",
            ),
        ],
        23_841,
    );
}

#[test]
fn a_bag_is_numbers_of_copies() {
    same(
        "lossy_link.sts",
        &[
            ("bag of Frame max 2", "map Frame to 0..2"),
            ("link = {};", "forall f in Frame: link[f] = 0;"),
            ("size(link) < 2", "(sum f in Frame: link[f]) < 2"),
            (
                "link' = insert(link, Data(bit: sending, item: item));",
                "link'[Data(bit: sending, item: item)] = link[Data(bit: sending, item: item)] + 1;",
            ),
            ("f in link", "link[f] > 0"),
            (
                "link' = insert(remove(link, f), Ack(bit: bit));",
                "link'[f] = link[f] - 1; link'[Ack(bit: bit)] = link[Ack(bit: bit)] + 1;",
            ),
            ("link' = remove(link, f);", "link'[f] = link[f] - 1;"),
        ],
        103,
    );
}

#[test]
fn a_set_of_limited_size_is_a_set() {
    same("two_phase_commit.sts", &[("set of Message max 4", "set of Message")], 113);
}
