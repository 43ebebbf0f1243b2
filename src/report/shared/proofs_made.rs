//! What a result says of its proofs of unsatisfiable answers.

use crate::writing::digits::counted;
use serde::Serialize;

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
