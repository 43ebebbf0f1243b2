//! Classifications and vocabularies: as text, JSON and pages, with the parts that they consist of.

pub mod baseline;
pub mod beyond;
pub mod causes;
pub mod class_json;
pub mod class_table;
pub mod classify_json;
pub mod classify_text;
pub mod cover_page;
pub mod decisive;
pub mod fact_list;
pub mod html;
pub mod necessary;
pub mod numbers;
pub mod overlap;
pub mod vocabulary;
pub mod weakness;
