//! The steps of a model with marks for violations, and the actions that make them.

use super::skippable::{Skippable, SkippableStep, StepKind};
use super::{Forbidden, ModelBugsError};
use explicit::lts::bugs::{Bugs, DummySystem, Marked, MarkedLabel, OccurrenceId, OriginalSize};
use explicit::lts::property::{Closure, LabelAutomaton};
use explicit::lts::{Bits, LabelId, Labels, LtsBuilder, StateId};
use kit::budget::Budget;
use kit::number::to_u32;
use lang::model::Model;
use std::collections::BTreeSet;

/// The label of the steps to the initial states if a model has several.
const START: &str = "start";

/// The mark after the label of a step to a violating state.
const VIOLATION: &str = " [violation]";

/// A listing with its violations.
pub struct ViolationMarking<'a> {
    listed: Skippable,
    forbidden: Forbidden<'a>,
    /// The violating states.
    wrong: Bits,
    /// The visible labels that can complete a violation of a property of labels.
    last_labels: BTreeSet<String>,
    /// The actions that make violations, as indices into those of the model.
    pub last: BTreeSet<usize>,
}

impl<'a> ViolationMarking<'a> {
    /// Finds the violations and the last actions of a listing.
    ///
    /// # Errors
    /// If the automaton of the property is too large.
    pub fn new(model: &Model, listed: Skippable, forbidden: Forbidden<'a>) -> Result<Self, ModelBugsError> {
        let wrong = wrong(&listed);
        let last_labels = match forbidden {
            Forbidden::States { .. } => BTreeSet::new(),
            Forbidden::Labels(property) => {
                let mut names = Labels::default();
                listed
                    .labels
                    .iter()
                    .for_each(|known| _ = names.intern(model.show_label(&known.label).as_bytes()));
                let automaton = LabelAutomaton::new(property, &names, Closure::Prefix)
                    .map_err(|_| ModelBugsError::Automaton)?;
                automaton.last_labels().into_iter().map(|label| names.text(label).into_owned()).collect()
            }
        };
        let mut marking = Self { listed, forbidden, wrong, last_labels, last: BTreeSet::new() };
        let before = marking.before_violations();
        let listed = &marking.listed;
        let steps = listed.steps.iter().filter(|step| before.has(step.from as usize));
        let last = steps.filter_map(|step| match step.taken {
            StepKind::Step(label) if marking.is_last(model, step) => Some(listed.labels[label].label.action),
            _ => None,
        });
        marking.last = last.collect();
        Ok(marking)
    }

    /// True if a step completes a violation: it leads to a violating state, or its label can complete a forbidden
    /// trace.
    fn is_last(&self, model: &Model, step: &SkippableStep) -> bool {
        let StepKind::Step(label) = step.taken else { return false };
        match self.forbidden {
            Forbidden::States { .. } => {
                self.wrong.has(step.to as usize) && !self.wrong.has(step.from as usize)
            }
            Forbidden::Labels(_) => {
                self.last_labels.contains(&model.show_label(&self.listed.labels[label].label))
            }
        }
    }

    /// Returns the states that are reached without an earlier violation of an invariant.
    fn before_violations(&self) -> Bits {
        let mut out: Vec<Vec<u32>> = vec![Vec::new(); self.listed.states];
        for step in &self.listed.steps {
            out[step.from as usize].push(step.to);
        }
        let mut seen = Bits::new(self.listed.states);
        let mut open: Vec<usize> = (0..self.listed.initial).collect();
        while let Some(state) = open.pop() {
            if !self.wrong.has(state) && seen.insert(state) {
                open.extend(out[state].iter().map(|&to| to as usize));
            }
        }
        seen
    }

    /// Builds the system for counting.
    ///
    /// # Errors
    /// If the budget is exhausted, or the automaton of the property is too large.
    pub fn marked(
        &self,
        model: &Model,
        original: OriginalSize,
        partial: bool,
        budget: &Budget,
    ) -> Result<Marked, ModelBugsError> {
        let actions: Vec<usize> = self.last.iter().copied().collect();
        let occurrence =
            |action: usize| actions.iter().position(|&other| other == action).map(OccurrenceId::new);
        let (mut visible, mut labels) = (Labels::default(), Labels::default());
        let mut meanings: Vec<MarkedLabel> = Vec::new();
        let mut number = |meaning: MarkedLabel| {
            let label = labels.intern(format!("{meaning:?}").as_bytes());
            if label.index() == meanings.len() {
                meanings.push(meaning);
            }
            label
        };
        let mut steps: Vec<(StateId, LabelId, StateId)> = Vec::new();
        for step in &self.listed.steps {
            let meaning = match step.taken {
                StepKind::Skipped(action) => match occurrence(action) {
                    Some(id) => MarkedLabel::Dummy(id),
                    None => continue,
                },
                StepKind::Step(label) => {
                    let known = &self.listed.labels[label];
                    let is_last = self.is_last(model, step);
                    let mut text = model.show_label(&known.label);
                    if is_last && matches!(self.forbidden, Forbidden::States { .. }) {
                        text.push_str(VIOLATION);
                    }
                    let visible = visible.intern(text.as_bytes());
                    let who = occurrence(known.label.action).filter(|_| is_last).into_iter().collect();
                    match known.is_of_environment {
                        true => MarkedLabel::Environment { visible },
                        false => MarkedLabel::Actions { visible, who },
                    }
                }
            };
            steps.push((StateId::from_u32(step.from), number(meaning), StateId::from_u32(step.to)));
        }
        let several = self.listed.initial != 1;
        let first = if several { StateId::new(self.listed.states) } else { StateId::FIRST };
        if several {
            for state in 0..self.listed.initial {
                let text =
                    if self.wrong.has(state) { format!("{START}{VIOLATION}") } else { START.to_owned() };
                let visible = visible.intern(text.as_bytes());
                let label = number(MarkedLabel::Environment { visible });
                steps.push((first, label, StateId::new(state)));
            }
        }
        let mut builder = LtsBuilder::with_labels(labels);
        steps.into_iter().for_each(|(from, label, to)| builder.add(from, label, to));
        let lts = builder.finish(first, to_u32(self.listed.states + usize::from(several)));
        let lts = lts.choosing_start(several);
        let spans: Vec<_> = actions.iter().map(|&action| model.actions[action].span).collect();
        let generated = DummySystem {
            lts: &lts,
            meanings: &meanings,
            visible: &visible,
            occurrences: &spans,
            original,
            complete: true,
            partial,
        };
        let starts_wrong = !several && self.wrong.has(0);
        let automaton = |names: &Labels| match self.forbidden {
            Forbidden::States { .. } => {
                let is_violation = |label| names.get(label).ends_with(VIOLATION.as_bytes());
                Ok(LabelAutomaton::reaching(names, is_violation, starts_wrong))
            }
            Forbidden::Labels(property) => {
                LabelAutomaton::new(property, names, Closure::Prefix).map_err(|_| ModelBugsError::Automaton)
            }
        };
        Marked::new(generated, automaton, budget)
    }
}

/// Returns the states that violate the invariant, or from which steps of the environment lead to such a state.
fn wrong(listed: &Skippable) -> Bits {
    let mut backward: Vec<Vec<u32>> = vec![Vec::new(); listed.states];
    for step in &listed.steps {
        if matches!(step.taken, StepKind::Step(label) if listed.labels[label].is_of_environment) {
            backward[step.to as usize].push(step.from);
        }
    }
    let mut wrong = Bits::new(listed.states);
    let mut open: Vec<usize> = listed.violating.iter().collect();
    while let Some(state) = open.pop() {
        if wrong.insert(state) {
            open.extend(backward[state].iter().map(|&from| from as usize));
        }
    }
    wrong
}

/// Removes the marks from the shown labels.
pub fn without_marks(bugs: &mut Bugs) {
    let clean = |labels: &mut Vec<String>| {
        labels.iter_mut().for_each(|label| {
            if let Some(rest) = label.strip_suffix(VIOLATION) {
                *label = rest.to_owned();
            }
        });
    };
    for occurrence in &mut bugs.occurrences {
        clean(&mut occurrence.actions);
        occurrence.way.iter_mut().for_each(|way| clean(&mut way.labels));
    }
}
