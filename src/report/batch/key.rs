//! The key of a job: everything that its result depends on.

use import::protocol::ProtocolScope;
use serde::{Deserialize, Serialize};
use std::path::Path;
use verify::digest;

/// The digits of the digest in the name of a job: 64 bits.
const NAME_DIGITS: usize = 16;

/// One classification with all its settings. Two jobs with the same key have the same result, except for
/// time and memory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct JobKey {
    /// The model's file as the plan names it.
    pub model: String,
    /// SHA-256 of the texts of the model and of the libraries that it imports.
    #[cfg_attr(feature = "schemas", schemars(regex(pattern = "^[0-9a-f]{64}$")))]
    pub sources: String,
    /// The property's name.
    pub property: String,
    /// The claim of a protocol file that the property stands for, if the plan asks by claims: `B1 Secret`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub claim: Option<String>,
    /// The vocabulary's name.
    pub vocabulary: String,
    /// Constants with other values than in the model: `NAME=VALUE`, by name.
    pub constants: Vec<String>,
    /// The bound in steps; with `unbounded` the one that the search begins with, if it is given.
    pub bound: Option<usize>,
    /// True if only traces of exactly that many steps are examined.
    pub exact: bool,
    /// True if the result is to be proved for traces of every length.
    pub unbounded: bool,
    /// True if the violating traces are counted.
    pub count: bool,
    /// The steps of the environment, if it is given and the vocabulary has words for what it can bring about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub environment: Option<String>,
    /// The types of which classes name values, as `--ground` takes them, if the plan says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ground: Option<String>,
    /// The most states that may be visited for these, if it is given.
    #[cfg_attr(feature = "schemas", schemars(range(min = 1)))]
    pub max_states: Option<usize>,
    /// The solver's name on the command line.
    #[cfg_attr(feature = "schemas", schemars(extend("enum" = ["cadical", "varisat"])))]
    pub solver: String,
    /// The time limit in milliseconds.
    pub timeout_ms: Option<u64>,
    /// The memory limit in bytes.
    pub memory_bytes: Option<u64>,
    /// The limit of the number of classes.
    #[cfg_attr(feature = "schemas", schemars(range(min = 1)))]
    pub max_classes: Option<usize>,
    /// True if redundant classes are kept.
    pub keep_redundant: bool,
    /// True if the other solver checks the result.
    pub verify: bool,
    /// Version of this program.
    pub version: String,
}

impl JobKey {
    /// A name for files: readable, and another one for every other key (64 bits of it say so).
    pub fn name(&self) -> String {
        // Strings, numbers and lists can always be written.
        let text = serde_json::to_string(self).unwrap_or_default();
        let words = [&self.model_name(), &self.property, &self.vocabulary].map(|word| plain(word));
        let mut words = words.to_vec();
        words.extend(self.unbounded.then(|| "unbounded".to_owned()));
        words.extend(self.bound.map(|bound| format!("k{bound}")));
        format!("{}.{}", words.join("."), &digest([text.as_str()])[..NAME_DIGITS])
    }

    /// The most runs with which a claim of a protocol is looked at.
    pub fn runs(&self) -> usize {
        let mut set = self.constants.iter().filter_map(|constant| constant.strip_prefix("RUNS="));
        set.next_back().and_then(|runs| runs.trim().parse().ok()).unwrap_or(ProtocolScope::default().runs)
    }

    /// The model's file without folder and ending.
    pub fn model_name(&self) -> String {
        let stem = Path::new(&self.model).file_stem();
        stem.map_or_else(|| self.model.clone(), |stem| stem.to_string_lossy().into_owned())
    }

    /// Changes to the model as it is written: constants, the environment, and types whose values are named.
    pub fn given(&self) -> Vec<String> {
        let environment = self.environment.as_ref().map(|steps| format!("environment={steps}"));
        let ground = self.ground.as_ref().map(|types| format!("ground={types}"));
        self.constants.iter().cloned().chain(environment).chain(ground).collect()
    }

    /// The part that is equal from bound to bound, in words: `mutex exclusion steps FIXED=true`.
    pub fn title(&self) -> String {
        let mut words = vec![self.model_name(), self.property.clone(), self.vocabulary.clone()];
        words.extend(self.given());
        words.join(" ")
    }

    /// The job in words: `mutex exclusion steps FIXED=true k=4`.
    pub fn label(&self) -> String {
        let mut words = vec![self.title()];
        words.extend(self.unbounded.then(|| "unbounded".to_owned()));
        words.extend(self.bound.map(|bound| format!("k={bound}")));
        words.join(" ")
    }

    /// A key that is equal for all jobs that differ only in the lengths that they are about, and for no other.
    pub fn series(&self) -> String {
        JobKey { bound: None, unbounded: false, max_states: None, ..self.clone() }.name()
    }
}

/// At most 40 characters that every file system takes.
fn plain(word: &str) -> String {
    word.chars().take(40).map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' }).collect()
}
