//! Classifications: random models against enumeration, the models of `specs/`, the case studies of the paper.

#![allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss)]

#[path = "../common/all_traces.rs"]
mod all_traces;
#[path = "../common/build.rs"]
mod build;
#[path = "../common/linked_model.rs"]
mod linked_model;
#[path = "../common/members.rs"]
mod members;
#[path = "../common/random.rs"]
mod random;
#[path = "../common/random_model.rs"]
mod random_model;
#[path = "../common/ring_model.rs"]
mod ring_model;
#[path = "../common/symmetric_model.rs"]
mod symmetric_model;
#[path = "../common/table_model.rs"]
mod table_model;

mod absences;
mod causes;
mod causes_random;
mod classify_random;
mod conditions;
mod cover_random;
mod enumerated;
mod examples_random;
mod horizon;
mod images_random;
mod individuals;
mod kinds_in_classes;
mod lassos_specs;
mod necessary_random;
mod numbers;
mod paper_models;
mod positions;
mod restates_lassos_random;
mod restates_random;
mod so_far;
mod specs;
mod stability;
mod unbounded;
mod vocabularies;
mod within_random;
