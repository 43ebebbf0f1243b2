//! The folder of `--proofs`: its manifest, and what results say about it.

use super::ClassifyRequest;
use super::document::VERSION;
use super::proof::no_violation_words;
use super::verdict::extent;
use crate::classify::{Classification, Proposition};
use serde::Serialize;

/// The manifest: `docs/schema/proofs-1.json`.
#[derive(Debug, Serialize)]
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
    /// What the result rests on and has no proof.
    pub missing: Vec<MissingDocument>,
    /// What the result rests on that is no unsatisfiable answer, in words.
    pub without: Vec<String>,
}

/// An unsatisfiable answer with its proof.
#[derive(Debug, Serialize)]
pub struct ProvedDocument {
    /// What it proves, in words.
    pub claim: String,
    /// The clauses, in DIMACS CNF.
    pub clauses: FileDocument,
    /// How many variables they have.
    pub variables: usize,
    /// How many clauses there are.
    pub clause_count: usize,
    /// The proof, as LRAT text.
    pub proof: FileDocument,
    /// How many clauses it derives.
    pub derived: u64,
    /// How many clauses it deletes.
    pub deleted: u64,
    /// Who checked it: `cladist`, and with `--verify` another solver that refuted the clauses with a proof of its own.
    pub checked_by: Vec<String>,
    /// Seconds to find the proof.
    pub solve_seconds: f64,
    /// Seconds to check it.
    pub check_seconds: f64,
}

/// A file of the folder.
#[derive(Debug, Serialize)]
pub struct FileDocument {
    /// Its name.
    pub file: String,
    /// Its SHA-256, in hexadecimal digits.
    pub sha256: String,
    /// Its size in bytes.
    pub bytes: u64,
}

/// An answer without a proof.
#[derive(Debug, Clone, Serialize)]
pub struct MissingDocument {
    /// What would be proved, in words.
    pub claim: String,
    /// Why there is no proof.
    pub reason: String,
}

/// What a result says about its proofs.
#[derive(Debug, Clone, Serialize)]
pub struct ProofsSummary {
    /// The folder, as the user wrote it.
    pub folder: String,
    /// How many unsatisfiable answers have a proof there that was checked.
    pub proved: usize,
    /// What has no proof.
    pub missing: Vec<MissingDocument>,
    /// What the result rests on that is no unsatisfiable answer, in words.
    pub without: Vec<String>,
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

    /// What the result says about it.
    pub fn summary(&self, folder: &str) -> ProofsSummary {
        ProofsSummary {
            folder: folder.to_owned(),
            proved: self.proofs.len(),
            missing: self.missing.clone(),
            without: self.without.clone(),
        }
    }
}

/// What there is to say about the proofs, in a few lines.
pub fn proofs_text(summary: &ProofsSummary) -> String {
    let ProofsSummary { folder, proved, missing, without } = summary;
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
    for MissingDocument { claim, reason } in missing {
        text.push_str(&format!("  no proof: {claim}: {reason}\n"));
    }
    for words in without {
        text.push_str(&format!("  no proof needed: {words}\n"));
    }
    text
}

/// What a classification claims, in words.
pub fn proposition_words(
    request: &ClassifyRequest<'_>,
    result: &Classification,
    proposition: Proposition,
) -> String {
    let property = &request.property.name;
    match proposition {
        Proposition::Holds => no_violation_words(property, result.lengths),
        Proposition::Sufficient(index) => format!(
            "every trace of {} in class {} violates {property}: {}",
            extent(result.suffices_for()),
            index + 1,
            result.classes[index].constraint.show(request.model, &result.atoms)
        ),
        Proposition::Complete => {
            let classes = match result.classes.len() {
                1 => "class 1".to_owned(),
                count => format!("one of the {count} classes"),
            };
            format!("every trace of {} that violates {property} is in {classes}", extent(result.lengths))
        }
    }
}

fn counted(n: usize, noun: &str) -> String {
    if n == 1 { format!("1 {noun}") } else { format!("{n} {noun}s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_says_what_is_missing() {
        let mut manifest = ProofsDocument::new("m.sts", "cladist check m.sts", "cadical 3.0.1");
        assert_eq!(
            proofs_text(&manifest.summary("p")),
            "proofs: the result rests on no unsatisfiable answer\n"
        );
        manifest
            .missing
            .push(MissingDocument { claim: "it holds".into(), reason: "time limit reached".into() });
        assert_eq!(
            proofs_text(&manifest.summary("p")),
            "proofs: none of 1 unsatisfiable answer\n  no proof: it holds: time limit reached\n"
        );
    }
}
