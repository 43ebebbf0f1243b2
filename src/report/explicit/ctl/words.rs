//! Sentences about counterexamples and witnesses.

use super::{CtlReport, CtlShown};
use engines::ctl::{CtlFormula, CtlVerdict, NoPath, Subformula, WitnessShape};
use kit::number::counted;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// A counterexample or a witness.
pub fn evidence_word(request: &CtlReport<'_>) -> &'static str {
    if request.verdict == CtlVerdict::Violated { "counterexample" } else { "witness" }
}

/// `a shortest counterexample, a lasso of 3 states`
pub fn headline(request: &CtlReport<'_>, shown: &CtlShown) -> String {
    let what = evidence_word(request);
    let states = counted(shown.states.len(), "state");
    let steps = counted(shown.steps.len(), "transition");
    match shown.shape {
        WitnessShape::Path if shown.steps.is_empty() => format!("a {what} of 0 steps"),
        WitnessShape::Path if shown.minimal => format!("a shortest {what}, a path of {states}"),
        WitnessShape::Path => format!("a {what}, a path of {states}; there may be shorter ones"),
        WitnessShape::Lasso(_) if shown.minimal => format!("a shortest {what}, a lasso of {states}"),
        WitnessShape::Lasso(_) => format!("a {what}, a lasso of {states}; there may be shorter ones"),
        WitnessShape::Subgraph if shown.minimal => {
            format!("a smallest {what}, a subgraph of {steps} between {states}")
        }
        WitnessShape::Subgraph => {
            format!("a {what}, a subgraph of {steps} between {states}; there may be smaller ones")
        }
    }
}

pub fn why_no_path(shown: &CtlShown) -> Option<String> {
    match shown.no_path? {
        NoPath::Impossible => Some("no path without repeated states shows it".to_owned()),
        NoPath::UpTo(states) => Some(format!(
            "no path of up to {} shows it; longer ones were not examined",
            counted(states, "state")
        )),
        NoPath::NotWanted => None,
    }
}

/// For each step the parts of the goal that it serves, in the order of the evidence.
pub fn served(shown: &CtlShown) -> Vec<Vec<Subformula>> {
    let steps = shown.steps.iter().enumerate();
    let index: FxHashMap<(usize, usize), usize> =
        steps.map(|(at, step)| ((step.from, step.to), at)).collect();
    let mut served: Vec<Vec<Subformula>> = vec![Vec::new(); shown.steps.len()];
    for e in &shown.evidence {
        let step = e.step.and_then(|(to, _)| index.get(&(e.state.index(), to.index())));
        if let Some(&step) = step
            && !served[step].contains(&e.part)
        {
            served[step].push(e.part);
        }
    }
    served
}

/// For each state the parts of the goal that hold there, in the order of the evidence.
pub fn holding(shown: &CtlShown) -> Vec<Vec<Subformula>> {
    let mut states: Vec<Vec<Subformula>> = vec![Vec::new(); shown.states.len()];
    for e in &shown.evidence {
        let here = &mut states[e.state.index()];
        if !here.contains(&e.part) {
            here.push(e.part);
        }
    }
    states
}

/// The text of a part, for many parts of which most are equal.
pub struct PartTexts<'a> {
    formula: &'a CtlFormula,
    known: FxHashMap<Subformula, Rc<str>>,
}

impl<'a> PartTexts<'a> {
    pub fn new(formula: &'a CtlFormula) -> Self {
        Self { formula, known: FxHashMap::default() }
    }

    pub fn of(&mut self, part: Subformula) -> Rc<str> {
        Rc::clone(self.known.entry(part).or_insert_with(|| self.formula.text(part).into()))
    }
}
