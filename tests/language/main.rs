//! The language of models: what is accepted, what is refused and with which words, what it means.

#![allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss)]

#[path = "../common/build.rs"]
mod build;
#[path = "../model_common/mod.rs"]
mod model_common;
#[path = "../common/postbox.rs"]
mod postbox;
#[path = "../common/random.rs"]
mod random;

mod collections;
mod components;
mod eval_semantics;
mod examples;
mod growth;
mod model_attacks;
mod model_errors;
mod model_lowering;
mod model_robustness;
mod model_samples;
mod moments;
mod names;
mod parts;
mod present;
mod protocol_files;
mod protocol_layout;
mod protocol_mistakes;
mod protocol_names;
mod trace_formats;
mod variants;
