//! The folder of `--proofs`: its manifest, and what results say about it.

use crate::shared::document::VERSION;
use crate::shared::proof::no_violation_words;
use crate::shared::request::ClassifyRequest;
use crate::shared::verdict::extent;
use classify::{Classification, Proposition};
use kit::number::counted;
use serde::Serialize;
use verify::document::{StoredMissing, StoredProofs};

/// The manifest: `docs/schema/proofs-1.json`.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct ProofsDocument {
    /// `cladist/proofs-1`.
    pub schema: &'static str,
    /// Version of this program.
    pub version: &'static str,
    /// The file of the model, as the user wrote it.
    pub file: String,
    /// The command line that gives this result again.
    pub rerun: String,
    /// The solver that found the proofs.
    pub solver: String,
    /// The proofs.
    pub proofs: Vec<ProvedDocument>,
    /// Premises of the result that have no proof.
    pub missing: Vec<StoredMissing>,
    /// Premises of the result that are no unsatisfiable answer, in words.
    pub without: Vec<String>,
}

/// An unsatisfiable answer with its proof.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct ProvedDocument {
    /// Its claim, in words.
    pub claim: String,
    /// The clauses, in DIMACS CNF.
    pub clauses: FileDocument,
    /// The number of their variables.
    pub variables: usize,
    /// The number of clauses.
    pub clause_count: usize,
    /// The proof, as LRAT text.
    pub proof: FileDocument,
    /// The number of clauses that it derives.
    pub derived: u64,
    /// The number of clauses that it deletes.
    pub deleted: u64,
    /// Who checked it: `cladist`, and with `--verify` another solver that refuted the clauses with a proof of its own.
    #[cfg_attr(feature = "schemas", schemars(length(min = 1)))]
    pub checked_by: Vec<String>,
    /// Seconds to find the proof.
    pub solve_seconds: f64,
    /// Seconds to check it.
    pub check_seconds: f64,
}

/// A file of the folder.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct FileDocument {
    /// Its name.
    pub file: String,
    /// Its SHA-256, in hexadecimal digits.
    #[cfg_attr(feature = "schemas", schemars(regex(pattern = "^[0-9a-f]{64}$")))]
    pub sha256: String,
    /// Its size in bytes.
    pub bytes: u64,
}

impl ProofsDocument {
    /// A manifest without proofs.
    pub fn new(file: &str, rerun: &str, solver: &str) -> Self {
        Self {
            schema: "cladist/proofs-1",
            version: VERSION,
            file: file.to_owned(),
            rerun: rerun.to_owned(),
            solver: solver.to_owned(),
            proofs: Vec::new(),
            missing: Vec::new(),
            without: Vec::new(),
        }
    }

    /// Its summary in the result.
    pub fn summary(&self, folder: &str) -> StoredProofs {
        StoredProofs {
            folder: folder.to_owned(),
            proved: self.proofs.len(),
            missing: self.missing.clone(),
            without: self.without.clone(),
        }
    }
}

/// The claim of a classification, in words.
pub fn proposition_words(
    request: &ClassifyRequest<'_>,
    result: &Classification,
    proposition: Proposition,
) -> String {
    let property = &request.asked.property.name;
    match proposition {
        Proposition::Holds => no_violation_words(property, result.lengths),
        Proposition::Sufficient(index) => format!(
            "every trace of {} in {} violates {property}: {}",
            extent(result.suffices_for()),
            match result.numbered(index) {
                (class, None) => format!("class {class}"),
                (class, Some(image)) => format!("image {image} of class {class}"),
            },
            result.classes[index].constraint.show(request.asked.model, &result.atoms)
        ),
        Proposition::Complete => {
            let classes = match result.kinds() {
                1 => "class 1".to_owned(),
                count => format!("one of the {count} classes"),
            };
            let images = if result.images.is_empty() { "" } else { ", or in an image" };
            format!(
                "every trace of {} that violates {property} is in {classes}{images}",
                extent(result.lengths)
            )
        }
    }
}

/// A summary of the proofs, in a few lines.
pub fn proofs_text(summary: &StoredProofs) -> String {
    let StoredProofs { folder, proved, missing, without } = summary;
    let mut text = match (*proved, missing.len()) {
        (0, 0) => "proofs: the result rests on no unsatisfiable answer\n".to_owned(),
        (0, missing) => format!("proofs: none of {}\n", counted(missing, "unsatisfiable answer")),
        (proved, 0) => {
            format!("proofs: {} proved in {folder}, checked\n", counted(proved, "unsatisfiable answer"))
        }
        (proved, missing) => format!(
            "proofs: {proved} of {} proved in {folder}, checked\n",
            counted(proved + missing, "unsatisfiable answer")
        ),
    };
    for StoredMissing { claim, reason } in missing {
        text.push_str(&format!("  no proof: {claim}: {reason}\n"));
    }
    for words in without {
        text.push_str(&format!("  no proof needed: {words}\n"));
    }
    text
}
