//! Tests of single modules of `cladist-classify`.

mod automaton_bits;
mod baseline;
mod blocking;
mod cover;
mod hiding;
mod lassos_formula;
mod lassos_gathered;
mod lassos_normal_form;
mod lassos_statements;
mod lassos_symmetries;
mod merge;
mod permuted;
mod places;
mod remembered_distance;
mod restates;
mod restore;
mod space_answered;
mod vocabulary_word;
