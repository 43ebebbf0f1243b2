//! The program as its users see it, and the structure of the sources.

#![allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss)]

#[path = "../common/plans.rs"]
mod plans;

mod arrays;
mod batch;
mod browser;
mod bundles;
mod ci;
mod cli_program;
mod cli_transcripts;
mod ctl_limits;
mod cycles;
mod editor;
mod editor_files;
mod english;
mod exit_codes;
mod faults;
mod folders;
mod labels;
mod limits;
mod lsp;
mod lsp_names;
mod mutations;
mod packaging;
mod page_commands;
mod pages;
mod processes;
mod proofs;
mod reference_pages;
mod rooms;
mod verify;
mod verify_causes;
mod verify_fields;
