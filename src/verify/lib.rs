//! Verification of stored results, without the engines that found them.
//!
//! A result makes claims: its traces are traces, each class suffices, no counterexample is missing. Each claim becomes
//! an [`Obligation`]. Claims that a trace can show are evaluated by the reference semantics ([`lang::model::eval`]);
//! the rest are scripts for SMT solvers ([`solvers::smt`]), which must answer that there is no such trace. Neither
//! shares code with [`solvers::unroll`], [`solvers::sat`] or the crate `classify`; of [`engines::ltl`], only the
//! definition of truth and fairness is used.
#![forbid(unsafe_code)]

mod bundle;
mod causes;
mod checked;
mod claims;
mod combinations;
mod consistent;
pub mod document;
mod facts;
mod fields;
mod finite;
mod images;
mod indistinct;
mod jobs;
mod lassos;
pub mod notation;
mod obligation;
mod outcome;
mod proof;
mod replay;
mod sources;

pub use bundle::{Bundle, ListedFile, ListedObligation, MANIFEST, Manifest, Parts};
pub use document::{CheckVerdict, ClassifyVerdict, LengthsWord, NoResult, Stored, StoredSource};
pub use fields::{FIELDS, FieldGroup, FieldStanding, FieldValues, Unchecked, row_of};
pub use obligation::{Obligation, Question, Task};
pub use outcome::{Decision, ObligationOutcome, SettledObligation, SolverAnswer, decision};
pub use sources::{differing, digest, set_names, sha256, source_files, unknown};

use document::{StoredFairness, StoredPattern, StoredResult};
use lang::model::Model;

/// Returns the obligations of a stored result about this model. The texts of the model must be those of the result, see
/// [`differing`].
pub fn obligations(model: &Model, stored: &Stored) -> Vec<Obligation> {
    let mut list: Vec<Obligation> = stored.job.iter().map(|job| jobs::obligation(stored, job)).collect();
    list.extend(match &stored.result {
        StoredResult::Classify(document) => {
            let tree = causes::of_classes(model, document, None, StoredPattern::Finite);
            [finite::obligations(model, document, &stored.sources), tree].concat()
        }
        StoredResult::Lassos(document) => {
            let fairness = StoredFairness {
                ignored: document.ignore_fairness,
                fair: document.fair.clone(),
                strongly_fair: document.strongly_fair.clone(),
            };
            let tree = causes::of_classes(model, document, Some(&fairness), StoredPattern::Infinite);
            [lassos::obligations(model, document), tree].concat()
        }
        StoredResult::Causes(document) => causes::obligations(model, document),
        StoredResult::Check(document) => checked::obligations(model, document),
    });
    list
}
