//! Any text is a property of labels, or is refused with reasons; on one line and without its comments it is one, too.

#![no_main]

use cladist::diagnostics::SourceId;
use cladist::mucalc::{in_one_line, parse_property};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    match parse_property(SourceId(0), text) {
        Ok(property) => {
            let line = in_one_line(text);
            let again = parse_property(SourceId(0), &line).expect("a property on one line is a property");
            assert_eq!(again.forbidden.len(), property.forbidden.len());
            assert_eq!(in_one_line(&line), line);
        }
        Err(mistakes) => assert!(!mistakes.is_empty(), "refused without a reason"),
    }
});
