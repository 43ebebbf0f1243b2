//! What leads into a violation in an explicit system: `cargo run --release --example explicit`.

use cladist::budget::Budget;
use cladist::diagnostics::SourceMap;
use cladist::lts::aut::{self, ReadOptions};
use cladist::lts::property::{Closure, LabelAutomaton};
use cladist::lts::safety::{Counts, Incorrect, SafetyAnalysis};
use cladist::mucalc::parse_property;

fn main() {
    let text = "des (0, 5, 4)\n(0, COIN, 1)\n(1, TEA, 0)\n(1, JAM, 2)\n(2, REPAIR, 1)\n(2, EAT, 3)\n";
    let budget = Budget::unlimited();
    let lts = aut::read(text.as_bytes(), "machine.aut", ReadOptions::default(), &budget).expect("a system");
    let property = "[true* . JAM . (not REPAIR)* . EAT] false";
    let property = parse_property(SourceMap::new().add("property", property), property).expect("a property");
    let automaton =
        LabelAutomaton::new(&property, lts.labels(), Closure::default()).expect("a small automaton");
    let analysis =
        SafetyAnalysis::new(&lts, &automaton, Incorrect::default(), &budget).expect("a small system");
    let counts = Counts::new(&analysis, &budget).expect("no limit");
    println!("holds: {}, states where a choice decides: {}", analysis.holds(), counts.neighbourhoods);
}
