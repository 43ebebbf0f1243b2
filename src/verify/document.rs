//! Stored results, as far as they are verified: documents of the schemas `classify-1`, `classify-lassos-1` and `check-1`.

use crate::model::{LassoFormulaText, Recurrence, TraceFormulaText};
use serde::Deserialize;
use serde_json::{Map, Value as Json};

/// A stored result.
#[derive(Debug, Clone)]
pub struct Stored {
    /// The file of the model, as the user wrote it.
    pub file: String,
    schema: String,
    /// The texts that it is about, the model first.
    pub sources: Vec<StoredSource>,
    /// The constants that were given, with the texts of their values.
    pub set: Vec<(String, String)>,
    pub(super) result: StoredResult,
}

/// A text that a result is about.
#[derive(Debug, Clone, Deserialize)]
pub struct StoredSource {
    /// Its path as it was read.
    pub file: String,
    /// SHA-256 of its bytes, as 64 hexadecimal digits.
    pub sha256: String,
}

#[derive(Debug, Clone)]
pub(super) enum StoredResult {
    Classify(Box<Classified>),
    Lassos(Box<LassoClassified>),
    Check(Box<Checked>),
}

/// What both documents say of the model.
#[derive(Debug, Deserialize)]
struct About {
    schema: String,
    file: String,
    #[serde(default)]
    sources: Vec<StoredSource>,
    #[serde(default)]
    set: Map<String, Json>,
}

/// The document of a classification.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Classified {
    pub model: String,
    pub constants: Map<String, Json>,
    pub property: String,
    pub bound: usize,
    pub lengths: LengthsWord,
    pub verdict: String,
    pub depth: Option<usize>,
    pub mode: String,
    pub within: Option<String>,
    pub classes: Vec<StoredClass>,
    pub combinations: Option<Vec<StoredCombination>>,
    pub remainder: Option<Json>,
    pub unclassified: Option<Json>,
    pub necessary_facts: Option<StoredNecessary>,
    pub too_weak: Option<StoredPair>,
    pub horizon: Option<StoredHorizon>,
    pub unbounded: Option<StoredUnbounded>,
}

/// How a bound is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum LengthsWord {
    UpTo,
    Exactly,
}

/// A class.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct StoredClass {
    pub id: usize,
    pub constraint: String,
    pub formula: TraceFormulaText,
    pub positions: Map<String, Json>,
    pub individuals: Vec<StoredIndividual>,
    pub facts: Vec<StoredFact>,
    pub representative: Json,
    pub canonical: Option<Json>,
    pub redundant: bool,
    pub sufficient: bool,
    pub rests_on_bound: Option<StoredLonger>,
    /// Missing in results of earlier versions.
    #[serde(default)]
    pub images: Vec<StoredImage>,
}

/// What a symmetry makes of a class.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct StoredImage<C = StoredClass> {
    pub moves: Vec<StoredMove>,
    pub unmoved: Vec<StoredUnmoved>,
    pub class: C,
}

/// Where a value goes.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct StoredMove {
    #[serde(rename = "type")]
    pub ty: String,
    pub from: String,
    pub to: String,
}

/// Records that stay as they are.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct StoredUnmoved {
    #[serde(rename = "type")]
    pub ty: String,
    pub field: String,
    pub value: String,
}

/// An individual of a class.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct StoredIndividual {
    pub name: String,
    #[serde(rename = "type")]
    pub ty: String,
    pub value: String,
}

/// A fact of a class.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct StoredFact {
    pub text: String,
    pub needed: Option<Json>,
}

/// A trace that is longer than the bound.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct StoredLonger {
    pub steps: usize,
    pub trace: Option<Json>,
}

/// Classes that occur together.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct StoredCombination {
    pub classes: Vec<usize>,
    pub trace: Json,
}

/// What violating traces have in common.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct StoredNecessary {
    pub always: Vec<StoredShared>,
    pub never: Vec<StoredShared>,
}

/// A fact that all have, or none.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct StoredShared {
    pub constraint: String,
    pub formula: TraceFormulaText,
}

/// A violation and an accepted trace with the same facts.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct StoredPair {
    pub counterexample: Json,
    pub accepting: Json,
    pub constraint: String,
    pub formula: TraceFormulaText,
}

/// What traces beyond the bound say.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct StoredHorizon {
    pub sufficient_up_to: Option<usize>,
    pub uncovered: Option<StoredLonger>,
}

/// What is known of every length.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct StoredUnbounded {
    pub proved: bool,
}

/// The document of a classification of infinite traces.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct LassoClassified {
    pub model: String,
    pub constants: Map<String, Json>,
    pub property: String,
    pub bound: usize,
    pub horizon: usize,
    pub fairness: usize,
    pub ignore_fairness: bool,
    pub fair: Vec<String>,
    pub strongly_fair: Vec<String>,
    pub verdict: String,
    pub classes: Vec<StoredLassoClass>,
    /// `cover` where classes need not suffice.
    #[serde(default)]
    pub mode: Option<String>,
    #[serde(default)]
    pub remainder: Option<Json>,
    pub unclassified: Option<Json>,
    pub too_weak: Option<StoredLassoPair>,
    pub unbounded: Option<StoredUnbounded>,
}

impl LassoClassified {
    /// Whether its classes cover the counterexamples, and need not suffice.
    pub fn covers(&self) -> bool {
        self.mode.as_deref() == Some("cover")
    }
}

/// A class of infinite counterexamples.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct StoredLassoClass {
    pub id: usize,
    pub constraint: String,
    pub formula: LassoFormulaText,
    pub facts: Vec<StoredLassoFact>,
    pub distinct: Vec<String>,
    /// Of a class of a cover that does not suffice.
    #[serde(default)]
    pub accepted: Option<Json>,
    pub representative: Json,
    pub canonical: Option<Json>,
    pub needed: Vec<StoredWithout>,
    /// Missing in results of earlier versions.
    #[serde(default)]
    pub images: Vec<StoredImage<StoredLassoClass>>,
}

impl StoredLassoClass {
    /// The class itself and its images.
    pub fn with_images(&self) -> impl Iterator<Item = &Self> {
        std::iter::once(self).chain(self.images.iter().map(|image| &image.class))
    }
}

/// A fact of a class of infinite counterexamples.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct StoredLassoFact {
    pub text: String,
    pub when: Recurrence,
}

/// Why a part of a class is needed.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct StoredWithout {
    pub trace: Json,
}

/// An infinite counterexample and an infinite trace that satisfies the property, with the same facts.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct StoredLassoPair {
    pub counterexample: Json,
    pub accepting: Json,
    pub constraint: String,
    pub formula: LassoFormulaText,
}

/// The document of a check.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Checked {
    pub kind: String,
    pub model: Option<String>,
    pub constants: Map<String, Json>,
    pub bound: Option<usize>,
    pub lengths: Option<LengthsWord>,
    #[serde(default)]
    pub unbounded: bool,
    pub fairness: Option<StoredFairness>,
    pub verdict: String,
    pub properties: Vec<StoredProperty>,
}

/// Which infinite traces count.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct StoredFairness {
    pub ignored: bool,
    pub fair: Vec<String>,
    pub strongly_fair: Vec<String>,
}

/// A property and what came of it.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct StoredProperty {
    pub name: String,
    #[serde(default)]
    pub kind: String,
    pub verdict: String,
    pub proof: Option<StoredProof>,
    pub counterexample: Option<Json>,
    pub depth: Option<usize>,
}

/// Why a property holds in traces of every length.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct StoredProof {
    pub method: String,
    pub k: Option<usize>,
    pub invariant: Vec<String>,
}

impl Stored {
    /// Reads a document.
    ///
    /// # Errors
    /// If it is not the JSON document of a classification or a check, with the reason.
    pub fn read(text: &str) -> Result<Self, String> {
        let mut document: Json = serde_json::from_str(text).map_err(|error| format!("not JSON: {error}"))?;
        // What `batch` stores has the document of a classification in it.
        if document.get("schema").and_then(Json::as_str) == Some("cladist/job-1") {
            document = document
                .get("result")
                .cloned()
                .filter(|result| !result.is_null())
                .ok_or("the job has no result")?;
        }
        let wrong = |error: serde_json::Error| format!("not a result that can be verified: {error}");
        let About { schema, file, sources, set } =
            About::deserialize(&document).map_err(|error| format!("not a stored result: {error}"))?;
        if sources.is_empty() {
            return Err(
                "it does not say which texts it is about: an earlier version of the program stored it".into(),
            );
        }
        let result = match schema.as_str() {
            "cladist/classify-1" => {
                StoredResult::Classify(Box::new(Classified::deserialize(&document).map_err(wrong)?))
            }
            "cladist/classify-lassos-1" => {
                StoredResult::Lassos(Box::new(LassoClassified::deserialize(&document).map_err(wrong)?))
            }
            "cladist/check-1" => {
                StoredResult::Check(Box::new(Checked::deserialize(&document).map_err(wrong)?))
            }
            other => return Err(format!("its schema is {other}, not that of a classification or a check")),
        };
        let text = |(name, value): (String, Json)| match value {
            Json::String(text) => Ok((name, text)),
            _ => Err(format!("the value of `{name}` in `set` is no text")),
        };
        let set = set.into_iter().map(text).collect::<Result<_, _>>()?;
        Ok(Self { file, schema, sources, set, result })
    }

    /// The schema of the document: `cladist/classify-1`.
    pub fn schema(&self) -> &str {
        &self.schema
    }
}
