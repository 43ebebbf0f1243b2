//! Requests, verdicts, proofs, and the parts of documents that several results have.

pub mod chart_json;
pub mod document;
pub mod error_json;
pub mod evaluate;
pub mod images;
pub mod places;
pub mod proof;
pub mod proof_folder;
pub mod proofs_made;
pub mod request;
pub mod sources;
pub mod verdict;
