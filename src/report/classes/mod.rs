//! Classifications and vocabularies: as text, JSON and pages, with the parts that they consist of.

pub mod baseline;
pub mod beyond;
pub mod characterisation;
pub mod class_json;
pub mod class_table;
pub mod classify_json;
pub mod fact_lines;
pub mod necessary;
pub mod numbers;
pub mod overlap;
pub mod patterns_json;
pub mod shown;
pub mod vocabulary;
pub mod weakness;
