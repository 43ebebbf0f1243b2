//! Any text is a plan, or is refused with reasons that can be shown.

#![no_main]

use cladist::batch::read_plan;
use cladist::diagnostics::{SourceMap, render};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let mut sources = SourceMap::new();
    let source = sources.add("input", text);
    let (_, problems) = read_plan(source, text);
    for problem in problems.iter().take(20) {
        render(problem, &sources, false);
    }
});
