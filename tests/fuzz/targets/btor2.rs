//! Any text is a circuit in BTOR2, or is refused; what is read is a text of the specification language.

#![no_main]

use cladist::btor2::import_text;
use cladist::diagnostics::SourceId;
use cladist::syntax::parse;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Ok(written) = import_text("input", "input.btor2", text) {
        let (_, mistakes) = parse(SourceId(0), &written);
        assert!(mistakes.is_empty(), "what was written is refused: {mistakes:?}\n{written}");
    }
});
