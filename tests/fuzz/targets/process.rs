//! Any text is a program, or is refused with reasons; its first states are generated.

#![no_main]

use cladist::budget::Budget;
use cladist::process::load_text;
use cladist::process::semantics::{GenerateOptions, generate};
use libfuzzer_sys::fuzz_target;
use std::time::Duration;

fuzz_target!(|text: &str| {
    let budget = Budget::unlimited().with_timeout(Duration::from_secs(1));
    let loaded = load_text("input", text, None, &budget);
    let Some(program) = loaded.program else {
        assert!(loaded.exhausted.is_some() || !loaded.mistakes.is_empty(), "refused without a reason");
        return;
    };
    let options = GenerateOptions { most_states: 100, ..GenerateOptions::default() };
    generate(&program, options, &budget);
});
