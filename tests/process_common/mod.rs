//! Process texts for tests, and what they generate.
#![allow(dead_code, reason = "each test uses a part of it")]

pub mod naive;

use cladist::budget::Budget;
use cladist::diagnostics::render;
use cladist::lts::{Lts, LtsBuilder, LtsTransition, StateId, quotient};
use cladist::process::program::ProcessProgram;
use cladist::process::semantics::{GenerateOptions, GeneratedSystem, StopReason, generate};
use cladist::process::{LoadedText, load_text};

/// The program of a text that is right.
pub fn program(text: &str) -> ProcessProgram {
    checked(load_text("test.lnt", text, None, &Budget::unlimited()))
}

/// What was loaded, if nothing is wrong.
pub fn checked(loaded: LoadedText) -> ProcessProgram {
    let told: String = loaded.mistakes.iter().map(|m| render(m, &loaded.sources, false)).collect();
    loaded.program.unwrap_or_else(|| panic!("{told}"))
}

/// The mistakes of a text: place, message and help.
pub fn mistakes(text: &str) -> Vec<String> {
    let loaded = load_text("test.lnt", text, None, &Budget::unlimited());
    let told = loaded.mistakes.iter().map(|m| {
        let place = m.span.map_or(String::new(), |span| {
            let (line, column) = loaded.sources.line_column(span);
            format!("{line}:{column}: ")
        });
        let help = m.help.as_ref().map_or(String::new(), |help| format!(" ({help})"));
        format!("{place}{}{help}", m.message)
    });
    told.collect()
}

/// The whole system of a program.
pub fn generated(program: &ProcessProgram) -> GeneratedSystem {
    let options = GenerateOptions { most_states: 1_000_000, ..GenerateOptions::default() };
    let generated = generate(program, options, &Budget::unlimited());
    assert_eq!(generated.stopped, None);
    generated
}

/// The whole system of a text.
pub fn system(text: &str) -> Lts {
    generated(&program(text)).lts
}

/// Whether two systems cannot be told apart by strong bisimulation.
pub fn bisimilar(one: &Lts, other: &Lts) -> bool {
    let mut builder = LtsBuilder::new();
    let states = one.states();
    let moved = |state: StateId, offset: usize| StateId::new(state.index() + offset);
    for (offset, lts) in [(1, one), (1 + states, other)] {
        for LtsTransition { from, label, to } in lts.all_transitions() {
            let label = builder.labels.intern(lts.labels().get(label));
            builder.add(moved(from, offset), label, moved(to, offset));
        }
    }
    let (left, right) = (moved(one.initial(), 1), moved(other.initial(), 1 + states));
    let begin = builder.labels.intern(b"(begin)");
    builder.add(StateId::FIRST, begin, left);
    builder.add(StateId::FIRST, begin, right);
    let classes =
        quotient(&builder.finish(StateId::FIRST, 0), &Budget::unlimited()).expect("no limits").state_of;
    classes[left.index()] == classes[right.index()]
}

/// The process `MAIN [A, B, C]` with this body.
pub fn main(body: &str) -> String {
    format!("process MAIN [A, B, C: any] is\n{body}\nend process")
}

/// Whether a body does what a system in AUT does.
pub fn does(body: &str, aut: &[(u32, &str, u32)]) {
    let last = aut.iter().map(|&(from, _, to)| from.max(to)).max().unwrap_or(0);
    let lines: String =
        aut.iter().map(|(from, label, to)| format!("({from}, \"{label}\", {to})\n")).collect();
    let expected = crate::lts_common::system(&format!("des (0, {}, {})\n{lines}", aut.len(), last + 1));
    let text = if body.contains("process ") { body.to_owned() } else { main(body) };
    let own = system(&text);
    let found: Vec<String> = own
        .all_transitions()
        .map(|LtsTransition { from, label, to }| format!("({from}, {}, {to})", own.labels().text(label)))
        .collect();
    assert!(bisimilar(&own, &expected), "{body}\n{}", found.join("\n"));
}

/// Why a text cannot be generated.
pub fn failure(text: &str) -> String {
    let generated = generate(&program(text), GenerateOptions::default(), &Budget::unlimited());
    match generated.stopped {
        Some(StopReason::Failure(failure, _)) => failure.message,
        other => panic!("{other:?}"),
    }
}
