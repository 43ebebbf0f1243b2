//! Tests of single modules of `cladist-engines`.

mod decide_branching;
mod explore_graph;
mod explore_packed_bits;
mod explore_packed_image;
mod explore_space;
mod ltl_emptiness;
mod prove_cube;
mod relations_order;
