//! Any text is a module in TLA+, or its configuration, or is refused with reasons that can be shown; what is read is a text of the
//! specification language.

#![no_main]

use cladist::diagnostics::{SourceId, render};
use cladist::limits::ValueLimits;
use cladist::syntax::parse;
use cladist::tla::{Refused, import_text};
use libfuzzer_sys::fuzz_target;
use std::io::ErrorKind;

const MODULE: &str = "---- MODULE m ----\nEXTENDS Naturals\nCONSTANT N\nVARIABLE x\nInit == x = 0\nNext == x' = (x + 1) % 3\n\
    Inv == x < 3\nLive == []<>(x = 0)\nSpec == Init /\\ [][Next]_x /\\ WF_x(Next)\n====\n";

fuzz_target!(|text: &str| {
    for (module, config) in [(text, "INIT Init\nNEXT Next\n"), (MODULE, text)] {
        let beside = |name: &str| match name {
            "m.cfg" => Ok((name.to_owned(), config.to_owned())),
            _ => Err(ErrorKind::NotFound.into()),
        };
        match import_text("m", "m.tla", module, &ValueLimits::default(), &beside) {
            Ok(imported) => {
                let (_, mistakes) = parse(SourceId(0), &imported.text);
                assert!(mistakes.is_empty(), "what was written is refused: {mistakes:?}\n{}", imported.text);
            }
            Err(Refused { diagnostics, sources }) => {
                assert!(!diagnostics.is_empty(), "refused without a reason");
                for mistake in &diagnostics {
                    render(mistake, &sources, false);
                }
            }
        }
    }
});
