//! Traces as sequence diagrams, in the notation of Mermaid.

use super::Trace;
use crate::model::eval::eval_state;
use crate::model::value::{Moment, Value};
use crate::model::{Model, SequenceDiagram};
use std::collections::BTreeSet;

/// A Mermaid `sequenceDiagram` of a trace.
///
/// Every state in which something is sent has an arrow, unless sender, receiver and content are those of
/// the previous state: that is the same message, still in transit. A step whose state has no arrow of its
/// own becomes a note. The numbers are those of the states.
pub fn sequence_diagram(model: &Model, diagram: &SequenceDiagram, trace: &Trace) -> String {
    let arrows: Vec<Option<MessageArrow>> = trace.moments.iter().map(|m| arrow(model, diagram, m)).collect();
    let ends = arrows.iter().flatten().flat_map(|a| [&a.from, &a.to]);
    let participants: Vec<Participant> = ends
        .collect::<BTreeSet<_>>()
        .into_iter()
        .enumerate()
        .map(|(i, v)| participant(model, i, v))
        .collect();
    let id =
        |value: &Value| participants.iter().find(|p| p.value == *value).map_or("nobody", |p| p.id.as_str());
    let mut text = String::from("sequenceDiagram\n");
    for p in &participants {
        text += &match p.id == p.name {
            true => format!("    participant {}\n", p.id),
            false => format!("    participant {} as {}\n", p.id, escaped(&p.name)),
        };
    }
    let everyone = match (participants.first(), participants.last()) {
        (Some(first), Some(last)) if first.id != last.id => format!("{},{}", first.id, last.id),
        (Some(only), _) => only.id.clone(),
        _ => {
            // A note needs a participant.
            text += "    participant system\n";
            "system".into()
        }
    };
    for (n, moment) in trace.moments.iter().enumerate() {
        let label = moment.label.as_ref().map(|label| model.show_label(label));
        match (&arrows[n], label) {
            (Some(arrow), _) if n == 0 || arrows[n - 1].as_ref() != Some(arrow) => {
                let content = escaped(&model.types.show_value(&arrow.content));
                text += &format!("    {}->>{}: {n}. {content}\n", id(&arrow.from), id(&arrow.to));
            }
            (_, Some(label)) => text += &format!("    Note over {everyone}: {n}. {}\n", escaped(&label)),
            (_, None) => {}
        }
    }
    text
}

#[derive(PartialEq)]
struct MessageArrow {
    from: Value,
    to: Value,
    content: Value,
}

struct Participant {
    value: Value,
    id: String,
    name: String,
}

fn arrow(model: &Model, diagram: &SequenceDiagram, moment: &Moment) -> Option<MessageArrow> {
    let value = |expr| eval_state(model, expr, moment);
    value(&diagram.sent).is_true().then(|| MessageArrow {
        from: value(&diagram.sender),
        to: value(&diagram.receiver),
        content: value(&diagram.content),
    })
}

/// A participant, named as in the model if Mermaid allows it.
fn participant(model: &Model, number: usize, value: &Value) -> Participant {
    /// Words with a meaning at the start of a line or in a participant's name.
    const RESERVED: [&str; 26] = [
        "activate",
        "actor",
        "alt",
        "and",
        "as",
        "autonumber",
        "box",
        "break",
        "create",
        "critical",
        "deactivate",
        "destroy",
        "else",
        "end",
        "link",
        "links",
        "loop",
        "note",
        "opt",
        "option",
        "over",
        "par",
        "participant",
        "rect",
        "title",
        "system",
    ];
    let name = match value {
        Value::None => "?".into(),
        value => model.types.show_value(value),
    };
    let plain = name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && !RESERVED.contains(&name.to_ascii_lowercase().as_str());
    let id = if plain { name.clone() } else { format!("p{number}_") };
    Participant { value: value.clone(), id, name }
}

/// Escapes text for Mermaid, where `#`, `;` and the word `end` are special.
fn escaped(text: &str) -> String {
    let code = |c: char| match c {
        '#' | ';' => format!("#{};", u32::from(c)),
        other => other.to_string(),
    };
    match text.strip_prefix(['e', 'E']) {
        Some(rest) if rest.eq_ignore_ascii_case("nd") => format!("#{};{rest}", text.as_bytes()[0]),
        _ => text.chars().map(code).collect(),
    }
}
