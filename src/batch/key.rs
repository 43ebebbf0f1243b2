//! The key of a job: everything that its result depends on.

use crate::protocol::Scope;
use crate::verify::digest;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The digits of the digest in the name of a job: 64 bits.
const NAME_DIGITS: usize = 16;

/// One classification with all its settings. Two jobs with the same key have the same result, except for
/// time and memory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Key {
    /// The model's file as the plan names it.
    pub model: String,
    /// The [`digest`] of the texts of the model and of the libraries that it imports.
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
    /// Whether traces of exactly that many steps are looked at.
    pub exact: bool,
    /// Whether the result is to be proved for traces of every length.
    pub unbounded: bool,
    /// Whether the violating traces are counted.
    pub count: bool,
    /// The steps of the environment, if it is given and the vocabulary has words for what it can bring about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub environment: Option<String>,
    /// The types of which classes name values, as `--ground` takes them, if the plan says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ground: Option<String>,
    /// The most states that may be visited for these, if it is given.
    pub max_states: Option<usize>,
    /// The solver's name on the command line.
    pub solver: String,
    /// The time limit in milliseconds.
    pub timeout_ms: Option<u64>,
    /// The memory limit in bytes.
    pub memory_bytes: Option<u64>,
    /// The limit of the number of classes.
    pub max_classes: Option<usize>,
    /// Whether redundant classes are kept.
    pub keep_redundant: bool,
    /// Whether the other solver checks the result.
    pub verify: bool,
    /// Version of this program.
    pub version: String,
}

impl Key {
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
        set.next_back().and_then(|runs| runs.trim().parse().ok()).unwrap_or(Scope::default().runs)
    }

    /// The model's file without folder and ending.
    pub fn model_name(&self) -> String {
        let stem = Path::new(&self.model).file_stem();
        stem.map_or_else(|| self.model.clone(), |stem| stem.to_string_lossy().into_owned())
    }

    /// What the model has otherwise than it is written: constants, the environment, and types whose values are named.
    pub fn given(&self) -> Vec<String> {
        let environment = self.environment.as_ref().map(|steps| format!("environment={steps}"));
        let ground = self.ground.as_ref().map(|types| format!("ground={types}"));
        self.constants.iter().cloned().chain(environment).chain(ground).collect()
    }

    /// What is the same from bound to bound, in words: `mutex exclusion steps FIXED=true`.
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

    /// The same for all jobs that differ only in the lengths that they are about, and for no other.
    pub fn series(&self) -> String {
        Key { bound: None, unbounded: false, max_states: None, ..self.clone() }.name()
    }
}

/// At most 40 characters that every file system takes.
fn plain(word: &str) -> String {
    word.chars().take(40).map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' }).collect()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A key to vary.
    pub fn key(bound: usize) -> Key {
        Key {
            model: "../toy.sts".into(),
            sources: "00".into(),
            property: "safe".into(),
            claim: None,
            vocabulary: "generic".into(),
            constants: Vec::new(),
            bound: Some(bound),
            exact: false,
            unbounded: false,
            count: false,
            environment: None,
            ground: None,
            max_states: None,
            solver: "cadical".into(),
            timeout_ms: None,
            memory_bytes: None,
            max_classes: None,
            keep_redundant: false,
            verify: false,
            version: "0.1.0".into(),
        }
    }

    #[test]
    fn every_part_of_the_key_is_in_the_name() {
        let base = key(3);
        let others = [
            Key { model: "toy.sts".into(), ..base.clone() },
            Key { sources: "01".into(), ..base.clone() },
            Key { property: "saf".into(), ..base.clone() },
            Key { claim: Some("A1 Secret".into()), ..base.clone() },
            Key { vocabulary: "g".into(), ..base.clone() },
            Key { constants: vec!["N=1".into()], ..base.clone() },
            Key { constants: vec!["N=1".into(), "M=2".into()], ..base.clone() },
            Key { bound: Some(4), ..base.clone() },
            Key { bound: None, ..base.clone() },
            Key { unbounded: true, ..base.clone() },
            Key { count: true, ..base.clone() },
            Key { environment: Some("send".into()), ..base.clone() },
            Key { ground: Some("send".into()), ..base.clone() },
            Key { environment: Some(String::new()), ..base.clone() },
            Key { max_states: Some(1), ..base.clone() },
            Key { solver: "varisat".into(), ..base.clone() },
            Key { timeout_ms: Some(1), ..base.clone() },
            Key { memory_bytes: Some(1), ..base.clone() },
            Key { max_classes: Some(1), ..base.clone() },
            Key { exact: true, ..base.clone() },
            Key { keep_redundant: true, ..base.clone() },
            Key { verify: true, ..base.clone() },
            Key { version: "0.2.0".into(), ..base.clone() },
        ];
        let mut names: Vec<String> = others.iter().chain([&base]).map(Key::name).collect();
        assert!(names.iter().all(|n| n.starts_with("toy.") && !n.contains('/')), "{names:?}");
        names.sort();
        names.dedup();
        assert_eq!(names.len(), others.len() + 1);
    }

    #[test]
    fn a_job_for_every_length_says_so() {
        let every = Key { unbounded: true, bound: None, ..key(0) };
        assert!(every.name().starts_with("toy.safe.generic.unbounded."), "{}", every.name());
        assert_eq!(every.label(), "toy safe generic unbounded");
        assert_eq!(Key { bound: Some(4), ..every.clone() }.label(), "toy safe generic unbounded k=4");
        assert_eq!(every.title(), "toy safe generic");
        assert_eq!(every.series(), key(5).series());
        assert_ne!(every.series(), Key { exact: true, ..key(5) }.series());
    }

    #[test]
    fn names_stay_the_same_from_version_to_version() {
        // SHA-256 of nothing.
        assert_eq!(digest([]), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        assert_ne!(digest(["ab", "c"]), digest(["a", "bc"]));
        assert_eq!(key(3).name(), "toy.safe.generic.k3.49e9146b3572566d");
    }
}
