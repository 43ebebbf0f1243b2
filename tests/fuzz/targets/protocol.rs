//! Any text describes protocols, or is refused with reasons, as roles, as a message list and as strands; what can be read is laid out, and then stays as it is.

#![no_main]

use cladist::budget::Budget;
use cladist::diagnostics::Diagnostic;
use cladist::protocol::{format, load_text};
use libfuzzer_sys::fuzz_target;
use std::time::Duration;

fuzz_target!(|text: &str| {
    let budget = Budget::unlimited().with_timeout(Duration::from_secs(1));
    let loaded = load_text("input", text, &budget);
    let refused = loaded.diagnostics.iter().any(Diagnostic::is_error);
    assert_eq!(loaded.protocols.is_none(), refused, "refused without a reason, or in spite of one");
    for name in ["input.anb", "input.scm"] {
        let other = load_text(name, text, &budget);
        let refused = other.diagnostics.iter().any(Diagnostic::is_error);
        assert_eq!(other.protocols.is_none(), refused, "refused without a reason, or in spite of one");
    }
    if let Ok(formatted) = format(text) {
        assert_eq!(format(&formatted).as_ref(), Ok(&formatted), "laid out again, it is another text");
        let again = load_text("input", &formatted, &budget);
        assert_eq!(again.protocols.is_some(), loaded.protocols.is_some(), "laid out, it means something else");
    }
});
