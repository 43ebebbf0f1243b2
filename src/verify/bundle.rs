//! Exchange bundles: a result with its model and its obligations as files, as specified in `docs/exchange.md`.

use super::{Obligation, Stored, Task, sha256, source_files};
use itertools::Itertools;
use kit::diagnostics::SourceMap;
use lang::model::is_standard_path;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

/// The name of the manifest.
pub const MANIFEST: &str = "manifest.json";
/// The name of the result.
const RESULT: &str = "result.json";
/// The folder of the model.
const MODEL: &str = "model";
/// The schema of the manifest.
const SCHEMA: &str = "cladist/exchange-1";

/// The contents of a bundle: `docs/schema/exchange-1.json`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// `cladist/exchange-1`.
    pub schema: String,
    /// The program that wrote it, with its version.
    pub producer: String,
    /// The file of the result.
    pub result: String,
    /// The schema of the result.
    pub result_schema: String,
    /// The file of the model.
    pub model: String,
    /// The folder of imports.
    pub root: String,
    /// Constants with other values than in the model, with the texts of their values.
    pub set: BTreeMap<String, String>,
    /// The obligations.
    pub obligations: Vec<ListedObligation>,
    /// All files but the manifest.
    pub files: Vec<ListedFile>,
}

/// An obligation in a manifest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ListedObligation {
    /// Its name.
    #[cfg_attr(feature = "schemas", schemars(regex(pattern = "^[A-Za-z0-9_-]+$")))]
    pub name: String,
    /// The claim.
    pub claim: String,
    /// The way it is decided: `script`, `evaluation` or `open`.
    #[cfg_attr(feature = "schemas", schemars(extend("enum" = ["script", "evaluation", "open"])))]
    pub kind: String,
    /// With `script`: its file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub script: Option<String>,
    /// With `script`: the logic of the script.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub logic: Option<String>,
    /// With `script`: the required answer of a solver.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// With `open`: the reason why the bundle does not decide it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// A file of a bundle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ListedFile {
    /// Its path in the bundle, with `/` between names.
    pub path: String,
    /// SHA-256 of its bytes, as 64 hexadecimal digits.
    #[cfg_attr(feature = "schemas", schemars(regex(pattern = "^[0-9a-f]{64}$")))]
    pub sha256: String,
}

/// A bundle to be written.
#[derive(Debug)]
pub struct Bundle {
    /// The paths of its files with their texts; the manifest is the last one.
    pub files: Vec<(String, String)>,
}

/// The parts of a bundle.
#[derive(Debug)]
pub struct Parts<'a> {
    /// The text of the result.
    pub result: &'a str,
    /// The schema of the result.
    pub result_schema: &'a str,
    /// The texts of the model.
    pub sources: &'a SourceMap,
    /// Constants with other values than in the model.
    pub set: &'a [(String, String)],
    /// The obligations, each with its script if it is one.
    pub obligations: Vec<(&'a Obligation, Option<&'a str>)>,
}

impl Bundle {
    /// Builds the files of a bundle.
    pub fn new(parts: &Parts<'_>) -> Self {
        let mut files = vec![(RESULT.to_owned(), parts.result.to_owned())];
        let (model, texts) = model_files(parts.sources);
        files.extend(texts);
        let mut obligations = Vec::new();
        for (number, (obligation, script)) in parts.obligations.iter().enumerate() {
            let mut listed = ListedObligation {
                name: obligation.name.clone(),
                claim: obligation.claim.clone(),
                kind: "evaluation".into(),
                script: None,
                logic: None,
                answer: None,
                reason: None,
            };
            match (&obligation.task, script) {
                (Task::Ask(_), Some(script)) => {
                    let path = format!("obligations/{:02}-{}.smt2", number + 1, obligation.name);
                    listed.kind = "script".into();
                    listed.logic = logic(script);
                    listed.answer = Some("unsat".into());
                    listed.script = Some(path.clone());
                    files.push((path, (*script).to_owned()));
                }
                (Task::Ask(_), None) => {
                    listed.kind = "open".into();
                    listed.reason = Some("its script was not finished within the limits".into());
                }
                (Task::Open(why), _) => {
                    listed.kind = "open".into();
                    listed.reason = Some(why.clone());
                }
                (Task::Evaluated(_) | Task::Written, _) => {}
            }
            obligations.push(listed);
        }
        let manifest = Manifest {
            schema: SCHEMA.into(),
            producer: format!("cladist {}", env!("CARGO_PKG_VERSION")),
            result: RESULT.into(),
            result_schema: parts.result_schema.to_owned(),
            model,
            root: MODEL.into(),
            set: parts.set.iter().cloned().collect(),
            obligations,
            files: files
                .iter()
                .map(|(path, text)| ListedFile { path: path.clone(), sha256: sha256(text.as_bytes()) })
                .collect(),
        };
        // Texts, lists and maps can always be written.
        let mut text = serde_json::to_string_pretty(&manifest).unwrap_or_default();
        text.push('\n');
        files.push((MANIFEST.to_owned(), text));
        Self { files }
    }
}

impl Manifest {
    /// Reads a manifest, and checks that its paths stay in the bundle and that its obligations are well-formed.
    ///
    /// # Errors
    /// The reason why it is not a manifest.
    pub fn read(text: &str) -> Result<Self, String> {
        let manifest: Self = serde_json::from_str(text).map_err(|error| error.to_string())?;
        if manifest.schema != SCHEMA {
            return Err(format!("its schema is {}, not {SCHEMA}", manifest.schema));
        }
        for listed in &manifest.obligations {
            listed.mistake().map_or(Ok(()), |why| Err(format!("the obligation `{}` {why}", listed.name)))?;
        }
        let own = [&manifest.result, &manifest.model, &manifest.root];
        let scripts = || manifest.obligations.iter().filter_map(|listed| listed.script.as_ref());
        let files = || manifest.files.iter().map(|file| &file.path);
        let is_inside = |part| matches!(part, Component::Normal(_));
        for path in own.into_iter().chain(scripts()).chain(files()) {
            if path.is_empty() || !Path::new(path).components().all(is_inside) {
                return Err(format!("{path} does not lie in the bundle"));
            }
        }
        let names = || manifest.obligations.iter().map(|listed| &listed.name);
        if let Some(twice) = names().chain(files()).duplicates().next() {
            return Err(format!("{twice} is there twice"));
        }
        let needed = [&manifest.result, &manifest.model];
        if let Some(path) = needed.into_iter().chain(scripts()).find(|path| !files().contains(path)) {
            return Err(format!("{path} is not among its files"));
        }
        Ok(manifest)
    }

    /// Returns the first contradiction between the manifest and the result.
    pub fn contradiction(&self, stored: &Stored) -> Option<String> {
        let set: BTreeMap<String, String> = stored.set.iter().cloned().collect();
        if self.result_schema != stored.schema() {
            return Some(format!(
                "the result has the schema {}, not {}",
                stored.schema(),
                self.result_schema
            ));
        }
        (self.set != set).then(|| "the result is about other values of constants".to_owned())
    }
}

impl ListedObligation {
    /// Returns the reason why it is malformed.
    fn mistake(&self) -> Option<&'static str> {
        let of_script = [&self.script, &self.logic, &self.answer];
        let is_of_name = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        let is_right = match self.kind.as_str() {
            "script" => of_script.iter().all(|field| field.is_some()) && self.reason.is_none(),
            "evaluation" => of_script.iter().all(|field| field.is_none()) && self.reason.is_none(),
            "open" => of_script.iter().all(|field| field.is_none()) && self.reason.is_some(),
            _ => return Some("is of an unknown kind, none of `script`, `evaluation`, `open`"),
        };
        if !is_right {
            return Some("has fields of another kind, or lacks one of its own");
        }
        if self.answer.as_ref().is_some_and(|answer| answer != "unsat") {
            return Some("has an answer other than `unsat`");
        }
        (self.name.is_empty() || !self.name.chars().all(is_of_name))
            .then_some("has a name with other characters than letters, digits, `_` and `-`")
    }
}

/// Returns the path of the model in a bundle, and all texts that it is read from, at the same places relative to each
/// other.
fn model_files(sources: &SourceMap) -> (String, Vec<(String, String)>) {
    let own: Vec<(PathBuf, &str)> = source_files(sources)
        .map(|(name, text)| (PathBuf::from(name), text))
        .filter(|(path, _)| !is_standard_path(path))
        .collect();
    let folder = |path: &Path| path.parent().map(Path::to_path_buf).unwrap_or_default();
    let mut common = own.first().map(|(path, _)| folder(path)).unwrap_or_default();
    while !own.iter().all(|(path, _)| path.starts_with(&common)) {
        if !common.pop() {
            break;
        }
    }
    let place = |path: &Path| {
        let below = path.strip_prefix(&common).unwrap_or(path);
        let names = below.components().filter_map(|part| match part {
            Component::Normal(name) => Some(name.to_string_lossy().into_owned()),
            _ => None,
        });
        std::iter::once(MODEL.to_owned()).chain(names).collect::<Vec<_>>().join("/")
    };
    let files: Vec<(String, String)> =
        own.iter().map(|(path, text)| (place(path), (*text).to_owned())).collect();
    (files.first().map(|(path, _)| path.clone()).unwrap_or_default(), files)
}

/// Returns the logic that a script sets.
fn logic(script: &str) -> Option<String> {
    let line = script.lines().find_map(|line| line.strip_prefix("(set-logic "))?;
    line.strip_suffix(')').map(str::to_owned)
}
