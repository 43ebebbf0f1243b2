//! The process texts in `specs/processes`: their bugs are those that their comments tell.

use crate::process_common;

use cladist::budget::Budget;
use cladist::diagnostics::SourceId;
use cladist::lts::bugs::BugVerdict;
use cladist::mucalc::parse_property;
use cladist::process::bugs::{CountLimits, count};
use cladist::process::load;
use process_common::checked;
use std::path::Path;

/// File, inevitable and avoidable bugs, and those that the paper's algorithm counts.
const EXPECTED: &[(&str, [usize; 2], [usize; 2])] = &[
    ("alternating_bit", [0, 0], [0, 0]),
    ("burns_lynch", [0, 0], [0, 0]),
    ("burns_lynch_faulty", [0, 3], [0, 4]),
    ("business_trip", [0, 1], [0, 1]),
    ("consumer_producer", [1, 2], [1, 2]),
    ("consumer_producer_10", [3, 7], [3, 7]),
    ("consumer_producer_7", [2, 5], [2, 5]),
    ("ifttt_home", [1, 2], [1, 2]),
    ("rcc_mutex", [0, 1], [0, 1]),
    ("train_station", [0, 1], [0, 1]),
];

/// The property stands in the first comment, in a line of its own.
fn property_of(text: &str) -> &str {
    let line = text.lines().find(|line| line.trim_end().ends_with("] false")).expect("a property");
    line.trim_start_matches([' ', '*'])
}

#[test]
fn the_bugs_of_the_specs_are_known() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("specs/processes");
    let mut files: Vec<String> = std::fs::read_dir(&folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|end| end == "lnt"))
        .map(|path| path.file_stem().expect("a name").to_string_lossy().into_owned())
        .collect();
    files.sort();
    assert_eq!(files, EXPECTED.iter().map(|(name, ..)| *name).collect::<Vec<_>>());
    for (name, own, by_paper) in EXPECTED {
        let path = folder.join(name).with_extension("lnt");
        let text = std::fs::read_to_string(&path).expect("readable");
        let property = parse_property(SourceId::default(), property_of(&text)).expect("a property");
        let limits = CountLimits { most_states: 100_000, longest: 30 };
        let program = checked(load(&path, None, &Budget::unlimited()));
        let bugs = count(&program, &property, limits, &Budget::unlimited()).expect("a result").bugs;
        let verdicts = [BugVerdict::Inevitable, BugVerdict::Avoidable];
        assert_eq!(verdicts.map(|verdict| bugs.number(verdict)), *own, "{name}");
        let paper = verdicts.map(|v| bugs.occurrences.iter().filter(|o| o.paper == v).count());
        assert_eq!(paper, *by_paper, "{name}");
        assert_eq!(bugs.holds, own == &[0, 0], "{name}");
        eprintln!("{name}: {:?}, final {:?}", bugs.original, bugs.final_lts.size);
    }
}
