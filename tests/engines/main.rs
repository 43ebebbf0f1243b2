//! The engines below the classification: solvers and gates, exploration, proofs, branching time.

#![allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss)]

#[path = "../common/all_traces.rs"]
mod all_traces;
#[path = "../common/build.rs"]
mod build;
#[path = "../ctl_common/mod.rs"]
mod ctl_common;
#[path = "../common/linked_model.rs"]
mod linked_model;
#[path = "../lts_common/mod.rs"]
mod lts_common;
#[path = "../model_common/mod.rs"]
mod model_common;
#[path = "../common/postbox.rs"]
mod postbox;
#[path = "../common/random.rs"]
mod random;
#[path = "../common/random_model.rs"]
mod random_model;
#[path = "../common/ring_model.rs"]
mod ring_model;
#[path = "../sat_support/mod.rs"]
mod sat_support;
#[path = "../common/smt_solver.rs"]
mod smt_solver;
#[path = "../common/symmetric_model.rs"]
mod symmetric_model;
#[path = "../common/symmetric_steps.rs"]
mod symmetric_steps;

mod affine_random;
mod aiger_random;
mod answers_random;
mod btor2_random;
mod causes_of_lassos_random;
mod channels;
mod collections_random;
mod components;
mod ctl_cases;
mod ctl_diagrams;
mod ctl_fairness_random;
mod ctl_random;
mod dimacs_random;
mod encoding_cases;
mod explore_cases;
mod explore_random;
mod explore_wide;
mod expressions_random;
mod fates_random;
mod integers_cases;
mod integers_random;
mod lasso_images_random;
mod lassos_random;
mod limits;
mod ltl_cases;
mod ltl_random;
mod model_bugs_random;
mod promela_models;
mod promela_random;
mod proofs;
mod protocol_algebra;
mod protocol_attacks;
mod protocol_certificates;
mod protocol_corpus;
mod protocol_message_lists;
mod protocol_minimal;
mod protocol_patterns;
mod protocol_powers;
mod protocol_raised;
mod protocol_random;
mod protocol_reader;
mod protocol_strands;
mod protocol_third;
mod protocol_verdicts;
mod prove_cases;
mod prove_random;
mod sat_circuit;
mod sat_conformance;
mod sat_minimal_core;
mod smt_check;
mod smt_random;
mod smt_specs;
mod smv_mistakes;
mod smv_models;
mod smv_random;
mod symmetry_random;
mod tla_fairness_random;
mod tla_models;
mod tla_random;
mod verify_mutations;
mod verify_options_random;
mod verify_random;
mod verify_settled;
