//! Proofs: in words, as JSON, and in folders.

pub mod proof;
pub mod proof_folder;
