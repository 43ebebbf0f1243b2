//! Any bytes are a circuit in AIGER, or are refused; what is read is a text of the specification language, unless it is too large for one.

#![no_main]

use cladist::aiger::{model_text, read};
use cladist::diagnostics::SourceId;
use cladist::syntax::parse;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(circuit) = read(bytes) else { return };
    if let Ok(written) = model_text("input", "input.aig", &circuit) {
        let (_, mistakes) = parse(SourceId(0), &written);
        assert!(mistakes.is_empty(), "what was written is refused: {mistakes:?}\n{written}");
    }
});
