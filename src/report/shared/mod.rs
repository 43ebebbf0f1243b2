//! Requests, verdicts, proofs, and the parts of documents that several results have.

pub mod document;
pub mod evaluate;
pub mod images;
pub mod proof;
pub mod proof_folder;
pub mod request;
pub mod verdict;
