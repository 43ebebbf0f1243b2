//! Stored results: documents of the schemas `classify-1`, `classify-lassos-1`, `causes-1`, `check-1` and `job-1`, as
//! written and read.
//!
//! Exactly the fields of these schemas are accepted: an unknown word or field is an error with its place.

mod causes;
mod check;
mod finite;
mod infinite;
mod job;
mod kind;
mod parts;
pub mod place;
mod trace;

pub use causes::{
    CausesDocument, CausesVerdict, StoredDefence, StoredDefences, StoredEveryTrace, StoredKind,
    StoredPattern, StoredReason, StoredWay,
};
pub use check::{
    CheckDocument, CheckVerdict, ClaimWord, FileKindWord, PatternsWord, PropertyKindWord, PropertyVerdict,
    StoredClaim, StoredFairness, StoredPatterns, StoredProof, StoredProofMethod, StoredProperty, StoredRuns,
    WhyUndecided,
};
pub use finite::{
    BasisWord, ClassifyDocument, ClassifyVerdict, CountedBy, FactWord, ObstacleWord, StoredChoice,
    StoredClass, StoredCounts, StoredFact, StoredHorizon, StoredLonger, StoredPair, StoredSeconds,
    StoredStatistics, StoredUnbounded,
};
pub use infinite::{
    StoredDecision, StoredEveryLength, StoredLassoFact, StoredLassoStatistics, StoredWithout,
};
pub use kind::{Absent, DocumentKind, Field};
pub use parts::{
    ClassRequirement, Fewest, LengthsWord, NewsWord, NoveltyWord, SeverityWord, StoredBaseline,
    StoredCombination, StoredCount, StoredDecisive, StoredFate, StoredFinding, StoredImage, StoredIndividual,
    StoredKnown, StoredMissing, StoredMove, StoredNecessary, StoredNovelty, StoredPlace, StoredProofs,
    StoredRelated, StoredRepair, StoredRight, StoredShare, StoredShared, StoredSource, StoredUnmoved,
    WhyEnded,
};
pub use trace::{
    ChangeWord, ChartedBinding, ChartedEvent, ChartedRun, EventWord, StoredChange, StoredChart, StoredLabel,
    StoredMoment, StoredTrace,
};

pub(super) use job::Job;

use lang::trace::{Finite, Infinite};
use place::JsonPlace;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value as Json};

/// A stored result.
#[derive(Debug, Clone)]
pub struct Stored {
    /// The file of the model, as the user wrote it.
    pub file: String,
    schema: String,
    /// The texts of the result's model, the model first.
    pub sources: Vec<StoredSource>,
    /// The given constants, with the texts of their values.
    pub set: Vec<(String, String)>,
    pub(super) result: StoredResult,
    /// The job of a plan with this result.
    pub(super) job: Option<Job>,
    /// The document of the result, and its place in the file.
    pub(super) json: Json,
    pub(super) below: &'static str,
}

#[derive(Debug, Clone)]
pub(super) enum StoredResult {
    Classify(Box<ClassifyDocument>),
    Lassos(Box<ClassifyDocument<Infinite>>),
    Causes(Box<CausesDocument>),
    Check(Box<CheckDocument>),
}

/// The reason why a text is not a stored result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoResult {
    /// The error, with its place.
    pub message: String,
    /// Advice on how to correct it.
    pub help: String,
}

/// The description of the model in all documents.
#[derive(Deserialize)]
struct ModelDescription {
    schema: Option<String>,
    #[serde(default)]
    version: Option<String>,
    #[serde(default)]
    file: String,
    #[serde(default)]
    sources: Vec<StoredSource>,
    #[serde(default)]
    set: Map<String, Json>,
}

const JOB: &str = "cladist/job-1";

impl Stored {
    /// Returns the declarations of the predicates of its vocabulary that the model lacks.
    pub fn predicates(&self) -> &[String] {
        match &self.result {
            StoredResult::Classify(document) => {
                document.chosen.as_ref().map_or(&[], |chosen| chosen.predicates.as_slice())
            }
            _ => &[],
        }
    }

    /// Reads a document.
    ///
    /// # Errors
    /// If it is not the JSON document of a classification or a check, or the record of a job with one: an unknown schema, a missing or
    /// unknown field, an unknown word.
    pub fn read(text: &str) -> Result<Self, NoResult> {
        let usual = "`cladist classify MODEL --json > result.json` stores a result";
        let no_result = |message: String| NoResult { message, help: usual.into() };
        let whole: Json =
            serde_json::from_str(text).map_err(|error| no_result(format!("not JSON: {error}")))?;
        let is_job = whole.get("schema").and_then(Json::as_str) == Some(JOB);
        let json = match is_job {
            true => whole.get("result").cloned().unwrap_or_default(),
            false => whole,
        };
        if is_job && json.is_null() {
            return Err(no_result("the job has no result".into()));
        }
        let ModelDescription { schema, version, file, sources, set } =
            ModelDescription::deserialize(&json)
                .map_err(|error| no_result(format!("not a stored result: {error}")))?;
        let schema = schema.ok_or_else(|| no_result("not a stored result: it has no schema".into()))?;
        if schema == "cladist/error-1" {
            let error = json.get("error").and_then(Json::as_str).unwrap_or_default();
            return Err(no_result(format!("not a stored result, but an error message: {error}")));
        }
        if sources.is_empty() {
            let why = "it does not name its source texts: an earlier version of the program stored it";
            return Err(no_result(why.into()));
        }
        let (result, job) = match schema.as_str() {
            Finite::SCHEMA => {
                let (document, job) = read(text, is_job, version.as_deref())?;
                (StoredResult::Classify(document), job)
            }
            Infinite::SCHEMA => {
                let (document, job) = read(text, is_job, version.as_deref())?;
                (StoredResult::Lassos(document), job)
            }
            "cladist/causes-1" => {
                let (document, job) = read(text, is_job, version.as_deref())?;
                (StoredResult::Causes(document), job)
            }
            "cladist/check-1" => {
                let (document, job) = read(text, is_job, version.as_deref())?;
                (StoredResult::Check(document), job)
            }
            "cladist/patterns-1" => {
                let help = "`cladist classify FILE.spdl --claim LABEL -V claim_LABEL --json` stores classes that can be verified";
                return Err(NoResult {
                    message: "attack patterns cannot be verified".into(),
                    help: help.into(),
                });
            }
            other => {
                return Err(no_result(format!(
                    "its schema is {other}, not that of a classification or a check"
                )));
            }
        };
        let text = |(name, value): (String, Json)| match value {
            Json::String(text) => Ok((name, text)),
            _ => Err(no_result(format!("/set/{name} is no text"))),
        };
        let set = set.into_iter().map(text).collect::<Result<_, _>>()?;
        let below = if is_job { "/result" } else { "" };
        Ok(Self { file, schema, sources, set, result, job, json, below })
    }

    /// The schema of the document: `cladist/classify-1`.
    pub fn schema(&self) -> &str {
        &self.schema
    }
}

/// Returns a document, and the job with this result.
fn read<T: DeserializeOwned>(
    text: &str,
    is_job: bool,
    version: Option<&str>,
) -> Result<(Box<T>, Option<Job>), NoResult> {
    let read = match is_job {
        true => job::read(text).map(|(result, job)| (Box::new(result), Some(job))),
        false => serde_json::from_str(text).map(|result| (result, None)),
    };
    read.map_err(|error| {
        let place = JsonPlace::of(text, &error);
        let reason = error.to_string();
        let reason = reason.split(" at line ").next().unwrap_or_default();
        let own = env!("CARGO_PKG_VERSION");
        let help = match version {
            Some(version) if version != own => format!(
                "version {version} stored it, and this is {own}; store the result again with this version"
            ),
            _ => "the fields and words of results are in docs/schema; store the result again".to_owned(),
        };
        NoResult { message: format!("{place}: {reason}"), help }
    })
}

/// Reads a mandatory field that may be `null`.
fn nullable<'de, D: serde::Deserializer<'de>, T: Deserialize<'de>>(from: D) -> Result<Option<T>, D::Error> {
    Option::deserialize(from)
}
