//! Records of jobs, as `batch` stores them.

use super::nullable;
use crate::sources::digest;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// The record of a job that ended with a result.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct JobRecord<T> {
    schema: String,
    checksum: String,
    job: StoredJob,
    outcome: OutcomeWord,
    #[serde(deserialize_with = "nullable")]
    exit_code: Option<i32>,
    #[serde(deserialize_with = "nullable")]
    error: Option<String>,
    result: T,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum OutcomeWord {
    Done,
    Failed,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum SolverWord {
    Cadical,
    Varisat,
}

/// The task of a job.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredJob {
    model: String,
    sources: String,
    pub property: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    claim: Option<String>,
    pub vocabulary: String,
    pub constants: Vec<String>,
    #[serde(deserialize_with = "nullable")]
    pub bound: Option<usize>,
    pub exact: bool,
    pub unbounded: bool,
    count: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    environment: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ground: Option<String>,
    #[serde(deserialize_with = "nullable")]
    max_states: Option<usize>,
    solver: SolverWord,
    #[serde(deserialize_with = "nullable")]
    timeout_ms: Option<u64>,
    #[serde(deserialize_with = "nullable")]
    memory_bytes: Option<u64>,
    #[serde(deserialize_with = "nullable")]
    max_classes: Option<usize>,
    keep_redundant: bool,
    verify: bool,
    version: String,
}

/// The job of a record, without its result.
#[derive(Debug, Clone)]
pub struct Job {
    /// The task.
    pub job: StoredJob,
    /// The stored exit code.
    pub exit_code: Option<i32>,
    /// The result of checking that the record is that of a finished job, with the checksum of its text.
    pub is_whole: Result<(), String>,
}

/// Returns the result of a record, with the job.
pub fn read<T: DeserializeOwned>(text: &str) -> serde_json::Result<(T, Job)> {
    let JobRecord { checksum, job, outcome, exit_code, error, result, .. } = serde_json::from_str(text)?;
    let entry = |checksum: &str| format!("\"checksum\": \"{checksum}\"");
    let original = text.replacen(&entry(&checksum), &entry(""), 1);
    let is_whole = match outcome == OutcomeWord::Done && error.is_none() {
        false => Err("the job failed, and has a result".into()),
        true if checksum != digest([original.as_str()]) => {
            Err("the checksum does not match: the record was edited or damaged".into())
        }
        true => Ok(()),
    };
    Ok((result, Job { job, exit_code, is_whole }))
}
