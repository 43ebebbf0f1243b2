//! Traces in stored results.

use lang::trace::{Change, Difference};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};
use std::collections::BTreeMap;

/// A trace.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct StoredTrace {
    /// The number of steps.
    pub steps: usize,
    /// The states in order, one more than steps.
    #[cfg_attr(feature = "schemas", schemars(length(min = 1)))]
    pub states: Vec<StoredMoment>,
    /// For an infinite trace: the position where its loop begins. The last state is the one there, followed by the
    /// steps from there on, for ever. Missing for a finite trace.
    #[serde(rename = "loop", default, skip_serializing_if = "Option::is_none")]
    pub back_to: Option<usize>,
    /// For a protocol: the trace as a message sequence chart; missing for a model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chart: Option<StoredChart>,
}

/// A state with the label of the step that led to it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct StoredMoment {
    /// The step that led here; `null` in the initial state.
    #[serde(deserialize_with = "super::nullable")]
    pub label: Option<StoredLabel>,
    /// All variables with their values.
    pub state: Map<String, Json>,
    /// The changes since the previous state, values as text.
    pub changes: Vec<StoredChange>,
    /// The position variables of the constraint at this state.
    pub positions: Vec<String>,
    /// The expressions of `--show` with their values.
    pub shown: Map<String, Json>,
}

/// The label of a step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct StoredLabel {
    /// The label as text: `start(b=Eve)`.
    pub text: String,
    /// The action.
    pub action: String,
    /// The values of its parameters, by name.
    pub arguments: Map<String, Json>,
}

/// A place whose value changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct StoredChange {
    /// The place: `phase[Alice]`.
    pub place: String,
    /// `replaced`; `gained` or `lost` for an element of a set.
    pub change: ChangeWord,
    /// The value before, or the element that is lost, as text.
    #[serde(deserialize_with = "super::nullable")]
    pub before: Option<String>,
    /// The value after, or the element that is gained, as text.
    #[serde(deserialize_with = "super::nullable")]
    pub after: Option<String>,
}

/// The kind of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ChangeWord {
    /// Another value takes its place.
    Replaced,
    /// An element was added.
    Gained,
    /// An element was removed.
    Lost,
}

/// A message sequence chart.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct StoredChart {
    /// The active runs, in the order in which they begin.
    pub runs: Vec<ChartedRun>,
    /// The events, in order.
    pub events: Vec<ChartedEvent>,
}

/// A run: an agent in a role.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ChartedRun {
    /// Its name in the model.
    pub run: String,
    /// The role.
    pub role: String,
    /// The agent that plays it.
    pub agent: String,
    /// The presumed partners: the agent of each other role.
    pub partners: BTreeMap<String, String>,
}

/// An event of a chart.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ChartedEvent {
    /// The step of the trace that it belongs to, from 1.
    #[cfg_attr(feature = "schemas", schemars(range(min = 1)))]
    pub step: usize,
    /// `sent`, `received`, `claimed` or `lost`.
    pub event: EventWord,
    /// The run; missing if keys or secrets get lost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run: Option<String>,
    /// The label of the message; missing if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// The message, or the lost term.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
    /// For a received message, true if it was sent in this form.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unchanged: Option<bool>,
    /// For a received message, the parts that the attacker reuses from earlier messages.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bindings: Vec<ChartedBinding>,
    /// The labels of the claims.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub claims: Vec<String>,
}

/// The kinds of events in a chart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum EventWord {
    /// A message is sent.
    Sent,
    /// A message is received.
    Received,
    /// A claim is made.
    Claimed,
    /// A key or secret gets lost.
    Lost,
}

/// A part of a message with the attacker's source of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ChartedBinding {
    /// The part.
    pub part: String,
    /// The index in `events` of the event from which the attacker has it.
    pub event: usize,
    /// The keys that opened that message, the outermost first.
    pub opened_with: Vec<String>,
}

impl From<Difference> for StoredChange {
    fn from(difference: Difference) -> Self {
        let Difference { place, before, after, change } = difference;
        let (change, before, after) = match change {
            Change::Replaced => (ChangeWord::Replaced, Some(before), Some(after)),
            Change::Gained => (ChangeWord::Gained, None, Some(after)),
            Change::Lost => (ChangeWord::Lost, Some(before), None),
        };
        Self { place, change, before, after }
    }
}
