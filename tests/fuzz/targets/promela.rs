//! Any text is a program in Promela, or is refused with reasons that can be shown; what is read is a text of the specification language.

#![no_main]

use cladist::diagnostics::{SourceId, render};
use cladist::promela::{Refused, import_text};
use cladist::syntax::parse;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| match import_text("input", "input.pml", text, &|_| Err("there is none".to_owned())) {
    Ok(written) => {
        let (_, mistakes) = parse(SourceId(0), &written);
        assert!(mistakes.is_empty(), "what was written is refused: {mistakes:?}\n{written}");
    }
    Err(Refused { diagnostics, sources }) => {
        assert!(!diagnostics.is_empty(), "refused without a reason");
        for mistake in &diagnostics {
            render(mistake, &sources, false);
        }
    }
});
