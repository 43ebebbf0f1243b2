//! The stored result of a job: `docs/schema/job-1.json`.

use super::JobKey;
use crate::shared::document::to_json;
use num_bigint::BigUint;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value as Json;
use std::collections::BTreeMap;
use verify::{ClassifyVerdict, digest};

const SCHEMA: &str = "cladist/job-1";

/// The stored result of a job.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Record {
    schema: String,
    /// SHA-256 of eight bytes with the length of this file (little endian), followed by its text, both with an empty string
    /// as checksum. A file whose checksum does not match is refused.
    #[cfg_attr(feature = "schemas", schemars(regex(pattern = "^[0-9a-f]{64}$")))]
    checksum: String,
    /// The job.
    pub job: JobKey,
    /// The status of the job.
    pub outcome: JobOutcome,
    /// The exit code of the process; `null` if a signal ended it.
    pub exit_code: Option<i32>,
    /// With `failed`: the end of the process in words, and that of its standard error.
    pub error: Option<String>,
    /// With `done`: a document of `classify-1`, or of `classify-lassos-1` for a property of linear time.
    #[cfg_attr(feature = "schemas", schemars(with = "Option<serde_json::Map<String, Json>>"))]
    pub result: Option<Json>,
}

/// How a job ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum JobOutcome {
    /// There is a result, whatever its verdict.
    Done,
    /// There is none: the job crashed or ran out of memory.
    Failed,
}

/// The part of the document of a classification that tables need.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct FoundClassification {
    /// How it ended.
    pub verdict: ClassifyVerdict,
    /// Why it is partial or undecided.
    pub reason: Option<String>,
    /// The bound in steps; where every length was asked for, the last one at which classes were looked for.
    pub bound: usize,
    /// The result for every length, if that was asked for and the verdict can be about it.
    pub unbounded: Option<FoundProof>,
    /// The numbers of violating traces, if they were asked for.
    pub counts: Option<FoundCounts>,
    /// The classes.
    pub classes: Vec<FoundClass>,
    /// The statistics.
    pub statistics: JobResources,
}

/// The result for every length.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct FoundProof {
    /// True if the verdict is about every length.
    pub proved: bool,
}

/// Numbers of violating traces in the document of a classification.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct FoundCounts {
    /// Counterexamples that end in their first violation, by length; `None` where there are no numbers.
    pub first_violations: Option<Vec<FoundCount>>,
    /// Traces with a violation anywhere, by length; `None` where there are no numbers.
    pub violating: Option<Vec<FoundCount>>,
    /// Why there are no numbers.
    pub reason: Option<String>,
}

/// How many traces of one length there are.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct FoundCount {
    /// All of them.
    #[serde(deserialize_with = "decimal")]
    pub total: BigUint,
}

/// A decimal number in a string.
fn decimal<'de, D: Deserializer<'de>>(from: D) -> Result<BigUint, D::Error> {
    let text = String::deserialize(from)?;
    text.parse().map_err(|_| D::Error::custom(format!("`{text}` is no number")))
}

/// A class in the document of a classification.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct FoundClass {
    /// From 1.
    pub id: usize,
    /// The constraint in the paper's notation.
    pub constraint: String,
    /// The constraint in the language of models; `null` in results of earlier versions.
    #[serde(default)]
    pub formula: Json,
    /// Where the position variables lie in the representative; of a class of infinite traces nothing.
    #[serde(default)]
    pub positions: BTreeMap<String, usize>,
    /// The individuals of the constraint, in its order, with their values in the representative.
    #[serde(default)]
    pub individuals: Vec<FoundIndividual>,
    /// The facts of the constraint.
    pub facts: Vec<FoundFact>,
    /// A shortest counterexample of the class.
    pub representative: Json,
    /// A shortest counterexample that is in no other class.
    pub canonical: Option<Json>,
    /// True if the other classes cover it.
    #[serde(default)]
    pub redundant: bool,
    /// Its images under symmetries: a trace is in the class if it is in one of these as well.
    #[serde(default)]
    pub images: Vec<FoundImage>,
}

/// The image of a class under a symmetry, in the document of a classification.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct FoundImage {
    /// It as a class, with the id of the class that stands for it.
    pub class: FoundClass,
}

/// An individual in the document of a classification.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct FoundIndividual {
    /// The name of its type.
    #[serde(rename = "type")]
    pub ty: String,
    /// Its value.
    pub value: String,
}

/// A fact in the document of a classification.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct FoundFact {
    /// In the paper's notation.
    pub text: String,
    /// The name of the predicate, if it is one.
    #[serde(default)]
    pub predicate: Option<String>,
}

/// The time and memory that a classification took.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct JobResources {
    /// Seconds of wall-clock time.
    pub seconds: TakenSeconds,
    /// Seconds of processor time.
    pub cpu_seconds: Option<f64>,
    /// The greatest resident memory, in units of 1024 bytes.
    pub peak_memory_kb: Option<u64>,
}

/// Wall-clock time. Classifications of infinite traces say the whole only, as a number.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(from = "WrittenSeconds")]
pub struct TakenSeconds {
    /// From start to end.
    pub total: f64,
}

/// Wall-clock time as it is written.
#[derive(Deserialize)]
#[serde(untagged)]
enum WrittenSeconds {
    Whole(f64),
    Parts { total: f64 },
}

impl From<WrittenSeconds> for TakenSeconds {
    fn from(written: WrittenSeconds) -> Self {
        match written {
            WrittenSeconds::Whole(total) | WrittenSeconds::Parts { total } => Self { total },
        }
    }
}

impl Record {
    /// A job that ended with a result.
    pub fn done(job: JobKey, exit_code: i32, result: Json) -> Self {
        let (outcome, exit_code) = (JobOutcome::Done, Some(exit_code));
        let result = Some(result);
        Self { schema: SCHEMA.into(), checksum: String::new(), job, outcome, exit_code, error: None, result }
    }

    /// A job that ended without one.
    pub fn failed(job: JobKey, exit_code: Option<i32>, error: String) -> Self {
        let (outcome, error) = (JobOutcome::Failed, Some(error));
        let (schema, checksum) = (SCHEMA.into(), String::new());
        Self { schema, checksum, job, outcome, exit_code, error, result: None }
    }

    /// The text of the file, with its checksum.
    pub fn to_text(&self) -> String {
        let text = to_json(&Self { checksum: String::new(), ..self.clone() });
        text.replacen(&checksum_entry(""), &checksum_entry(&digest([text.as_str()])), 1)
    }

    /// Reads the file of this job.
    ///
    /// # Errors
    /// If the text is not such a file, was changed after it had been written, or is the file of another job.
    pub fn read(text: &str, job: &JobKey) -> Result<Self, String> {
        let record: Record = serde_json::from_str(text).map_err(|error| error.to_string())?;
        if record.schema != SCHEMA {
            return Err(format!("its schema is {}, not {SCHEMA}", record.schema));
        }
        if record.job != *job {
            return Err("it is the result of another job".into());
        }
        // The checksum comes before everything else that could look like it.
        let original = text.replacen(&checksum_entry(&record.checksum), &checksum_entry(""), 1);
        if record.checksum != digest([original.as_str()]) {
            return Err("its checksum does not match: it was edited or damaged".into());
        }
        Ok(record)
    }

    /// The findings of a job that is done.
    ///
    /// # Errors
    /// If the result is not the document of a classification.
    pub fn found(&self) -> Result<FoundClassification, String> {
        let result = self.result.as_ref().ok_or("there is no result")?;
        FoundClassification::deserialize(result).map_err(|error| error.to_string())
    }
}

impl FoundClass {
    /// The class itself and its images.
    pub fn with_images(&self) -> impl Iterator<Item = &Self> + Clone {
        std::iter::once(self).chain(self.images.iter().map(|image| &image.class))
    }
}

/// The checksum as it is written in the file.
fn checksum_entry(checksum: &str) -> String {
    format!("\"checksum\": \"{checksum}\"")
}

impl FoundClassification {
    /// The classes that are not redundant.
    pub fn classes(&self) -> impl Iterator<Item = &FoundClass> + Clone {
        self.classes.iter().filter(|class| !class.redundant)
    }

    /// True if a part of the requested result is missing: classes, a verdict, the proof for every length, or the numbers of traces.
    pub fn is_partial(&self) -> bool {
        matches!(self.verdict, ClassifyVerdict::Partial | ClassifyVerdict::Undecided)
            || self.is_unproved()
            || self.counts.as_ref().is_some_and(|counts| counts.violating.is_none())
    }

    /// True if every length was asked for, and the verdict is about traces up to the bound only.
    pub fn is_unproved(&self) -> bool {
        self.unbounded.as_ref().is_some_and(|known| !known.proved)
    }
}

impl FoundCounts {
    /// How many counterexamples of all lengths end in their first violation.
    pub fn sum_of_first(&self) -> Option<BigUint> {
        self.first_violations.as_deref().map(sum)
    }

    /// How many traces of all lengths have a violation anywhere.
    pub fn sum_of_violating(&self) -> Option<BigUint> {
        self.violating.as_deref().map(sum)
    }
}

/// The sum of counts.
pub fn sum(counts: &[FoundCount]) -> BigUint {
    counts.iter().map(|count| &count.total).sum()
}
