//! Traces in stored results.

use lang::trace::{Change, Difference};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};
use std::collections::BTreeMap;

/// A trace.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredTrace {
    pub steps: usize,
    pub states: Vec<StoredMoment>,
    #[serde(rename = "loop", default, skip_serializing_if = "Option::is_none")]
    pub back_to: Option<usize>,
    /// Of a protocol.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chart: Option<StoredChart>,
}

/// A state with the label of the step that led to it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredMoment {
    #[serde(deserialize_with = "super::nullable")]
    pub label: Option<StoredLabel>,
    pub state: Map<String, Json>,
    pub changes: Vec<StoredChange>,
    pub positions: Vec<String>,
    pub shown: Map<String, Json>,
}

/// The label of a step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredLabel {
    pub text: String,
    pub action: String,
    pub arguments: Map<String, Json>,
}

/// A place whose value changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredChange {
    pub place: String,
    pub change: ChangeWord,
    #[serde(deserialize_with = "super::nullable")]
    pub before: Option<String>,
    #[serde(deserialize_with = "super::nullable")]
    pub after: Option<String>,
}

/// How a value changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChangeWord {
    Replaced,
    Gained,
    Lost,
}

/// A message sequence chart.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredChart {
    runs: Vec<ChartedRun>,
    events: Vec<ChartedEvent>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ChartedRun {
    run: String,
    role: String,
    agent: String,
    partners: BTreeMap<String, String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ChartedEvent {
    step: usize,
    event: EventWord,
    run: Option<String>,
    label: Option<String>,
    content: Option<String>,
    unchanged: Option<bool>,
    #[serde(default)]
    bindings: Vec<ChartedBinding>,
    #[serde(default)]
    claims: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum EventWord {
    Sent,
    Received,
    Claimed,
    Lost,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ChartedBinding {
    part: String,
    event: usize,
    opened_with: Vec<String>,
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
