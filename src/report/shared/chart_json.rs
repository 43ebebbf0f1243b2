//! Message sequence charts of protocols in JSON.

use import::protocol::{Binding, Chart, ChartEvent, ChartRun, Happening};
use lang::model::Position;
use serde::Serialize;
use std::collections::BTreeMap;

/// A trace of a protocol as a message sequence chart.
#[derive(Debug, Serialize)]
pub struct ChartDocument {
    /// The runs that do something, in the order in which they begin.
    pub runs: Vec<RunDocument>,
    /// What happens, in this order.
    pub events: Vec<EventDocument>,
}

/// A run: an agent in a role.
#[derive(Debug, Serialize)]
pub struct RunDocument {
    /// Its name in the model.
    pub run: String,
    /// The role.
    pub role: String,
    /// Who plays it.
    pub agent: String,
    /// Whom it takes for whom: the agent of each other role.
    pub partners: BTreeMap<String, String>,
}

/// Something that happens.
#[derive(Debug, Serialize)]
pub struct EventDocument {
    /// The step of the trace that it belongs to, from 1.
    pub step: Position,
    /// `sent`, `received`, `claimed` or `lost`.
    pub event: &'static str,
    /// The run; missing where keys or secrets get lost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run: Option<String>,
    /// The label of the message; missing if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// The message, or what gets lost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
    /// Of what is received, whether it is a message that was sent, as it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unchanged: Option<bool>,
    /// Of what is received, what the attacker uses of what she has heard.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub bindings: Vec<BindingDocument>,
    /// The labels of what is claimed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub claims: Vec<String>,
}

/// A part of a message with where the attacker has it from.
#[derive(Debug, Serialize)]
pub struct BindingDocument {
    /// The part.
    pub part: String,
    /// The index in `events` of where she got it.
    pub event: usize,
    /// What she opened that message with, the outermost key first.
    pub opened_with: Vec<String>,
}

impl From<Chart> for ChartDocument {
    fn from(chart: Chart) -> Self {
        let Chart { runs, events } = chart;
        let events = events.into_iter().map(|event| event_document(&runs, event)).collect();
        Self { runs: runs.into_iter().map(RunDocument::from).collect(), events }
    }
}

impl From<ChartRun> for RunDocument {
    fn from(run: ChartRun) -> Self {
        let ChartRun { name, role, agent, partners } = run;
        Self { run: name, role, agent, partners: partners.into_iter().collect() }
    }
}

impl From<Binding> for BindingDocument {
    fn from(binding: Binding) -> Self {
        let Binding { part, event, keys } = binding;
        Self { part, event, opened_with: keys }
    }
}

fn event_document(runs: &[ChartRun], event: ChartEvent) -> EventDocument {
    let mut document = EventDocument {
        step: event.at,
        event: "lost",
        run: None,
        label: None,
        content: None,
        unchanged: None,
        bindings: Vec::new(),
        claims: Vec::new(),
    };
    let name = |run: usize| Some(runs[run].name.clone());
    match event.what {
        Happening::Sent { run, label, content } => {
            document.event = "sent";
            (document.run, document.label, document.content) = (name(run), Some(label), Some(content));
        }
        Happening::Received { run, label, content, unchanged, bindings } => {
            document.event = "received";
            (document.run, document.label, document.content) = (name(run), Some(label), Some(content));
            document.unchanged = Some(unchanged);
            document.bindings = bindings.into_iter().map(BindingDocument::from).collect();
        }
        Happening::Claimed { run, labels } => {
            document.event = "claimed";
            (document.run, document.claims) = (name(run), labels);
        }
        Happening::Lost(what) => document.content = Some(what),
    }
    document
}
