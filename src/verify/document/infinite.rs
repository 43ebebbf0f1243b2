//! Parts of stored classifications that only those of infinite traces have.

use super::kind::{Absent, DocumentKind, Field};
use super::nullable;
use super::trace::StoredTrace;
use lang::model::{LassoFormulaText, Recurrence};
use lang::trace::Infinite;
use serde::{Deserialize, Serialize};

impl DocumentKind for Infinite {
    const SCHEMA: &'static str = "cladist/classify-lassos-1";
    type IfFinite<T: Field> = Absent;
    type IfInfinite<T: Field> = T;
    type Conditions = Vec<String>;
    type Formula = LassoFormulaText;
    type Fact = StoredLassoFact;
    type Decisive = Option<StoredDecision>;
    type Horizon = usize;
    type Unbounded = StoredEveryLength;
    type Statistics = StoredLassoStatistics;

    fn has_no_steps(_: &Option<StoredDecision>) -> bool {
        false
    }

    fn is_proved(unbounded: &StoredEveryLength) -> bool {
        unbounded.proved
    }
}

/// A fact of a class of infinite counterexamples.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct StoredLassoFact {
    /// The fact as text.
    pub text: String,
    /// `once`, `again` or `forever`.
    pub when: Recurrence,
}

/// The decisive step of an infinite counterexample.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct StoredDecision {
    /// The first position from which on the property cannot be met, counted on through the rounds of the loop; `null`
    /// if no step decides.
    #[serde(deserialize_with = "nullable")]
    pub position: Option<usize>,
    /// True if all infinite traces were examined; otherwise those that repeat within the horizon.
    pub of_all: bool,
    /// The decisive step in words.
    pub words: String,
}

/// The reason why a part of a class is needed.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct StoredWithout {
    /// The constraint without that part.
    pub without: String,
    /// An infinite trace that satisfies this constraint and the property.
    pub trace: StoredTrace,
}

/// The result for all infinite traces.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct StoredEveryLength {
    /// True if the verdict is about all of them.
    pub proved: bool,
    /// The number of states listed for that.
    #[serde(deserialize_with = "nullable")]
    pub states: Option<usize>,
    /// The bounds at which classes were searched for.
    pub bounds: Vec<usize>,
    /// The reason why it is not proved.
    #[serde(deserialize_with = "nullable")]
    pub reason: Option<String>,
}

/// The resources used by a classification of infinite traces.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct StoredLassoStatistics {
    /// The number of examined counterexamples.
    pub counterexamples: usize,
    /// The number of solver calls.
    pub solver_calls: u64,
    /// Seconds in total.
    pub seconds: f64,
    /// Seconds of processor time; `null` where the system does not report it.
    #[serde(deserialize_with = "nullable")]
    pub cpu_seconds: Option<f64>,
    /// The greatest resident memory, in units of 1024 bytes; `null` where the system does not report it.
    #[serde(default)]
    pub peak_memory_kb: Option<u64>,
}
