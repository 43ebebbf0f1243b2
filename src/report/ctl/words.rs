//! Sentences about counterexamples and witnesses.

use super::{CtlRequest, CtlShown, CtlVerdict};
use crate::ctl::{NoPath, Part, Shape};
use crate::report::lts::count;

/// `a shortest counterexample, a lasso of 3 states`
pub fn headline(request: &CtlRequest<'_>, shown: &CtlShown) -> String {
    let what = if request.verdict == CtlVerdict::Violated { "counterexample" } else { "witness" };
    let states = count(shown.states.len(), "state");
    let steps = count(shown.steps.len(), "transition");
    match shown.shape {
        Shape::Path if shown.steps.is_empty() => format!("a {what} without any step"),
        Shape::Path => format!("a shortest {what}, a path of {states}"),
        Shape::Lasso(_) => format!("a shortest {what}, a lasso of {states}"),
        Shape::Subgraph if shown.minimal => {
            format!("a smallest {what}, a subgraph of {steps} between {states}")
        }
        Shape::Subgraph => {
            format!("a {what}, a subgraph of {steps} between {states}; there may be smaller ones")
        }
    }
}

/// Why it is no path, if it is none.
pub fn why_no_path(shown: &CtlShown) -> Option<String> {
    match shown.no_path? {
        NoPath::Impossible => Some("no path without repeated states shows it".to_owned()),
        NoPath::UpTo(states) => Some(format!(
            "no path of up to {} shows it; longer ones were not looked at",
            count(states, "state")
        )),
        NoPath::NotWanted => None,
    }
}

/// For each step the parts of the goal that it serves, in the order of the evidence.
pub fn served(shown: &CtlShown) -> Vec<Vec<Part>> {
    let serves = |from: usize, to: usize| {
        let mut parts: Vec<Part> = Vec::new();
        for e in shown.evidence.iter().filter(|e| e.state as usize == from) {
            if e.step.is_some_and(|(target, _)| target as usize == to) && !parts.contains(&e.part) {
                parts.push(e.part);
            }
        }
        parts
    };
    shown.steps.iter().map(|step| serves(step.from, step.to)).collect()
}

/// For each state the parts of the goal that hold there, in the order of the evidence.
pub fn holding(shown: &CtlShown) -> Vec<Vec<Part>> {
    let mut states: Vec<Vec<Part>> = vec![Vec::new(); shown.states.len()];
    for e in &shown.evidence {
        let here = &mut states[e.state as usize];
        if !here.contains(&e.part) {
            here.push(e.part);
        }
    }
    states
}

/// Parts of the goal as texts.
pub fn texts(shown: &CtlShown, parts: &[Part]) -> Vec<String> {
    parts.iter().map(|&part| shown.goal.formula.text(part)).collect()
}
