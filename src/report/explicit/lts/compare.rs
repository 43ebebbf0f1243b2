//! `lts compare`: `docs/schema/lts-compare-1.json`.

use super::documents::{ReportedSystem, names, sizes};
use super::words::{label, size};
use crate::explicit::Report;
use crate::explicit::object::object;
use crate::shared::document::VERSION;
use crate::writing::paint::Paint;
use explicit::lts::compare::{
    ComparisonResult, DEEPEST, DistinguishingFormula, DistinguishingTrace, Equivalence, Inequivalence,
    LONGEST,
};
use kit::diagnostics::escaped;
use kit::number::counted;
use serde::Serialize;
use std::fmt::Write;

/// The result of `lts compare`.
pub struct CompareReport<'a> {
    /// The systems.
    pub systems: [ReportedSystem<'a>; 2],
    /// The equivalence that was asked for.
    pub equivalence: Equivalence,
    /// The answer.
    pub compared: &'a ComparisonResult,
    /// How long it took.
    pub seconds: f64,
}

fn word(equivalence: Equivalence) -> &'static str {
    match equivalence {
        Equivalence::Strong => "strong",
        Equivalence::Branching => "branching",
        Equivalence::Weak => "weak",
        Equivalence::Trace => "trace",
    }
}

/// An equivalence as a sentence names it.
fn name(equivalence: Equivalence) -> &'static str {
    match equivalence {
        Equivalence::Strong => "modulo strong bisimulation",
        Equivalence::Branching => "modulo branching bisimulation",
        Equivalence::Weak => "modulo weak bisimulation",
        Equivalence::Trace => "by their traces",
    }
}

/// Why nothing is shown that tells the systems apart; `None` if something is.
fn why_nothing(reason: &Inequivalence) -> Option<String> {
    match reason {
        Inequivalence::Formula(_) | Inequivalence::Trace(_) => None,
        Inequivalence::Deep => Some(format!("it would need more than {DEEPEST} nested modalities")),
        Inequivalence::Long(depth) => {
            let nested = counted(*depth, "nested modality");
            Some(format!("it needs {nested}, and the one that was found has more than {LONGEST} in all"))
        }
        Inequivalence::Unwritable => Some("a label in it cannot be written in a formula".to_owned()),
        Inequivalence::Open(why) => Some(format!("{why} before one was found and evaluated")),
    }
}

/// The system that has a trace, and the one that has not.
fn owner(trace: &DistinguishingTrace) -> [&'static str; 2] {
    if trace.of_first { ["A", "B"] } else { ["B", "A"] }
}

impl Report for CompareReport<'_> {
    fn document(&self) -> impl Serialize {
        let reason = match self.compared {
            ComparisonResult::Equivalent => None,
            ComparisonResult::Different(reason) => Some(reason),
        };
        object!({
            schema: "cladist/lts-compare-1",
            version: VERSION,
            files: self.systems.map(|system| system.file),
            systems: self.systems.map(|system| sizes(system.lts)),
            equivalence: word(self.equivalence),
            equivalent: reason.is_none(),
            formula: match reason {
                Some(Inequivalence::Formula(DistinguishingFormula { text, depth, length })) => {
                    Some(object!({ text, depth, modalities: length, }))
                }
                _ => None,
            },
            trace: match reason {
                Some(Inequivalence::Trace(trace)) => {
                    Some(object!({ of: owner(trace)[0], labels: names(&trace.labels, &trace.steps), }))
                }
                _ => None,
            },
            without: reason.and_then(why_nothing),
            seconds: self.seconds,
        })
    }

    fn text(&self, paint: Paint, _: usize) -> String {
        let verdict = match self.compared {
            ComparisonResult::Equivalent => paint.good("equivalent"),
            ComparisonResult::Different(_) => paint.bad("different"),
        };
        let mut out = format!("{verdict} {}\n", name(self.equivalence));
        for (letter, system) in ["A", "B"].into_iter().zip(&self.systems) {
            let _ = writeln!(out, "  {letter} {}", size(system.file, system.lts));
        }
        if let ComparisonResult::Different(reason) = self.compared {
            match reason {
                Inequivalence::Formula(formula) => {
                    let depth = counted(formula.depth, "nested modality");
                    let _ = writeln!(out, "\na formula of {depth} that holds in A and not in B");
                    let _ = writeln!(out, "  {}", escaped(&formula.text));
                }
                Inequivalence::Trace(trace) => {
                    let [of, not] = owner(trace);
                    let system = if trace.of_first { &self.systems[0] } else { &self.systems[1] };
                    // The choice of an initial state is no action, unless it was hidden.
                    let first = trace.steps.first().map(|&step| trace.labels.get(step));
                    let before = usize::from(system.lts.chooses_start() && first == Some(b"start"));
                    let length = counted(trace.steps.len() - before, "action");
                    let _ = writeln!(out, "\na shortest trace of {of} that {not} does not have: {length}");
                    for (at, &step) in trace.steps.iter().enumerate() {
                        let _ = writeln!(out, "  {:>4}  {}", at + 1 - before, label(&trace.labels, step));
                    }
                }
                other => {
                    let _ =
                        writeln!(out, "\nno formula is shown: {}", why_nothing(other).unwrap_or_default());
                }
            }
        }
        let _ = writeln!(out, "\n{:.2} s", self.seconds);
        out
    }
}
