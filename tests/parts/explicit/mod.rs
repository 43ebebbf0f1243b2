//! Tests of single modules of `cladist-explicit`.

mod lts_aut_line;
mod lts_aut_packing;
mod lts_bits;
mod lts_dot;
mod lts_fsm;
mod lts_graph;
mod lts_labels;
mod lts_partition;
mod lts_property_pattern;
mod lts_sequence;
mod mucalc_label;
