//! Any text is a model or library, or is refused with reasons; the tree of one without mistakes is printed, and read again
//! as the same text. Formulas typed on the command line are read from the same bytes.

#![no_main]

use cladist::diagnostics::SourceId;
use cladist::syntax::{parse, parse_formula, print, print_expression};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let (file, true) = without_mistakes(parse(SourceId(0), text)) {
        let printed = print(&file);
        let (again, mistakes) = parse(SourceId(0), &printed);
        assert!(mistakes.is_empty(), "printed text is refused: {mistakes:?}\n{printed}");
        assert_eq!(print(&again), printed);
    }
    match without_mistakes(parse_formula(SourceId(0), text)) {
        (Some(formula), _) => _ = print_expression(&formula),
        (None, understood) => assert!(!understood, "refused without a reason"),
    }
});

fn without_mistakes<T, M>((tree, mistakes): (T, Vec<M>)) -> (T, bool) {
    let understood = mistakes.is_empty();
    (tree, understood)
}
