//! The program as its users see it, and the structure of the sources.

#[path = "../common/plans.rs"]
mod plans;

mod batch;
mod cli_program;
mod cli_transcripts;
mod faults;
mod layers;
mod slurm;
