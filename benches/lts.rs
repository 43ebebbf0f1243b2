//! Explicit systems: reading, tagging, looking for what is inevitable in, and reducing dining philosophers (8: 15,040 transitions, 10: 140,320,
//! 12: 1,256,832).
//!
//! `cargo bench --bench lts`, or a part: `cargo bench --bench lts -- read`. The philosophers are also what is
//! measured by hand: `cargo bench --bench lts -- --write FILE N` writes N of them as AUT.

#![allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss)]

use cladist::budget::Budget;
use cladist::diagnostics::SourceId;
use cladist::lts::aut::{ReadOptions, read};
use cladist::lts::inevitable::{self, NeighbourhoodEntry};
use cladist::lts::property::{Closure, LabelAutomaton, LabelPattern};
use cladist::lts::safety::{Counts, Incorrect, Keep, SafetyAnalysis, shortest};
use cladist::lts::{Lts, Relabelling, Sequence, branching_quotient, quotient, relabel};
use cladist::mucalc::parse_property;
use divan::Bencher;
use divan::counter::BytesCount;
use std::collections::HashMap;
use std::fmt::Write;

const SIZES: &[u32] = &[8, 10, 12];

/// Two meals of one philosopher are too many.
const PROPERTY: &str = "[ true* . \"EAT !0\" . true* . \"EAT !0\" ] false";

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if let Some(at) = arguments.iter().position(|a| a == "--write") {
        let number = arguments.get(at + 2).and_then(|n| n.parse().ok()).expect("--write FILE N");
        std::fs::write(&arguments[at + 1], text(number)).expect("writable");
        return;
    }
    divan::main();
}

/// N philosophers who take the left fork, then the right one, eat, and put both back; two bits for each.
fn text(n: u32) -> String {
    let phase = |s: u64, i: u32| s >> (2 * i) & 3;
    let (mut numbers, mut order) = (HashMap::from([(0u64, 0u32)]), vec![0u64]);
    let (mut lines, mut count, mut from) = (String::new(), 0, 0);
    while from < order.len() {
        let s = order[from];
        for i in 0..n {
            let (left, right) = (phase(s, (i + n - 1) % n), phase(s, (i + 1) % n));
            let (label, after) = match phase(s, i) {
                0 if left < 2 => ("TAKE_L", s + (1 << (2 * i))),
                1 if right == 0 => ("TAKE_R", s + (1 << (2 * i))),
                2 => ("EAT", s + (1 << (2 * i))),
                3 => ("DROP", s - (3 << (2 * i))),
                _ => continue,
            };
            let to = *numbers.entry(after).or_insert_with(|| {
                order.push(after);
                order.len() as u32 - 1
            });
            writeln!(lines, "({from}, \"{label} !{i}\", {to})").expect("to memory");
            count += 1;
        }
        from += 1;
    }
    format!("des (0, {count}, {})\n{lines}", order.len())
}

fn parsed(text: &str) -> Lts {
    read(text.as_bytes(), "philosophers", ReadOptions::default(), &Budget::unlimited()).expect("a system")
}

#[divan::bench(args = SIZES)]
fn read_aut(bencher: Bencher, n: u32) {
    let text = text(n);
    bencher.counter(BytesCount::of_str(&text)).bench(|| parsed(&text));
}

#[divan::bench(args = SIZES)]
fn tag(bencher: Bencher, n: u32) {
    let lts = parsed(&text(n));
    let property = parse_property(SourceId::default(), PROPERTY).expect("a property");
    bencher.bench(|| {
        let automaton = LabelAutomaton::new(&property, lts.labels(), Closure::Prefix).expect("small");
        let analysis = SafetyAnalysis::new(&lts, &automaton, Incorrect::NoWayOut, &Budget::unlimited())
            .expect("no limit");
        (
            Counts::new(&analysis, &Budget::unlimited()).expect("no limit"),
            shortest(&analysis, Keep::Neighbourhoods, &Budget::unlimited()).expect("no limit"),
        )
    });
}

/// Every maximal trace has a meal of the first philosopher, and one of the second one after it.
#[divan::bench(args = SIZES)]
fn inevitable(bencher: Bencher, n: u32) {
    let lts = parsed(&text(n));
    let steps = Sequence::parse(SourceId::default(), "EAT !0,EAT !1").expect("actions").over(lts.labels());
    let unlimited = Budget::unlimited();
    bencher.bench(|| {
        let analysis = inevitable::InevitabilityAnalysis::new(&lts, &steps, &unlimited).expect("no limit");
        let shortest = inevitable::shortest(&analysis, |_| false, &unlimited).expect("no limit");
        (
            inevitable::InevitabilitySizes::new(
                &analysis,
                NeighbourhoodEntry::ByNeutralOnly,
                &Budget::unlimited(),
            )
            .expect("no limit"),
            shortest,
        )
    });
}

#[divan::bench(args = SIZES)]
fn reduce(bencher: Bencher, n: u32) {
    let lts = parsed(&text(n));
    bencher.bench(|| quotient(&lts, &Budget::unlimited()));
}

/// Taking forks and putting them back is invisible.
#[divan::bench(args = SIZES)]
fn reduce_branching(bencher: Bencher, n: u32) {
    let hide = |name: &str| Relabelling::Hide(LabelPattern::new(name).expect("a pattern"));
    let rules = [hide("TAKE.*"), hide("DROP.*")];
    let lts = relabel(&parsed(&text(n)), &rules, &Budget::unlimited()).expect("no limit");
    bencher.bench(|| branching_quotient(&lts, &Budget::unlimited()));
}
