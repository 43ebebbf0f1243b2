//! Any text is a formula of the µ-calculus, or is refused with reasons; the formulas are decided on a small system.

#![no_main]

use cladist::budget::Budget;
use cladist::diagnostics::SourceMap;
use cladist::lts::{Builder, Lts, StateId};
use cladist::mucalc::{CheckError, LabelParts, check, parse, resolve};
use libfuzzer_sys::fuzz_target;
use std::io;
use std::time::Duration;

/// A system with a cycle, a state without successor, and labels with data.
fn system() -> Lts {
    let mut builder = Builder::new();
    for (from, label, to) in [(0, "a", 1), (1, "b !1 !TRUE", 2), (2, "c(2, [1])", 0), (1, "i", 3), (2, "a", 2)] {
        let label = builder.labels.intern(label.as_bytes());
        builder.add(StateId::new(from), label, StateId::new(to));
    }
    builder.finish(StateId::FIRST, 4)
}

fuzz_target!(|text: &str| {
    let mut sources = SourceMap::default();
    let source = sources.add("input", text);
    let no_library = |_: &str| Err(io::Error::from(io::ErrorKind::NotFound));
    let tree = match parse(&mut sources, (source, text), None, &no_library) {
        Ok(tree) => tree,
        Err(mistakes) => {
            assert!(!mistakes.is_empty(), "refused without a reason");
            return;
        }
    };
    let lts = system();
    let parts = LabelParts::of(&lts);
    let resolved = match resolve(&tree, lts.labels(), &parts, &[]) {
        Ok(resolved) => resolved,
        Err(mistakes) => {
            assert!(!mistakes.is_empty(), "refused without a reason");
            return;
        }
    };
    let budget = Budget::unlimited().with_timeout(Duration::from_secs(1));
    match check(&resolved.formula, &lts, &parts, false, &budget) {
        Ok(_) | Err(CheckError::Stopped(_) | CheckError::TooLarge(_)) => {}
    }
});
