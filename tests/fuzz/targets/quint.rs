//! Any text is a model of Quint's compiler, or is refused with reasons that can be shown; what is read is a text of the specification
//! language.

#![no_main]

use cladist::diagnostics::{SourceId, SourceMap, render};
use cladist::quint::{QuintOptions, import_text};
use cladist::syntax::parse;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| match import_text("input.qnt.json", "input", text, &QuintOptions::default()) {
    Ok((written, _)) => {
        let (_, mistakes) = parse(SourceId(0), &written);
        assert!(mistakes.is_empty(), "what was written is refused: {mistakes:?}\n{written}");
    }
    Err(found) => {
        assert!(!found.is_empty(), "refused without a reason");
        for mistake in &found {
            render(mistake, &SourceMap::new(), false);
        }
    }
});
