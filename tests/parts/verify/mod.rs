//! Tests of single modules of `cladist-verify`.

mod document_place;
mod notation;
