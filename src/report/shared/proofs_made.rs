//! The proofs of unsatisfiable answers that belong to a result.

use kit::number::counted;
use verify::document::{StoredMissing, StoredProofs};

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
