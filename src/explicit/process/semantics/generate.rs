//! Generation of the transition system of a program, state by state.

use super::rules::{Moves, SosRules};
use super::step::{Act, TermStep};
use super::term::{BehaviourTerm, TermId};
use crate::lts::{LabelId, Labels, Lts, LtsBuilder, StateId};
use crate::process::failure::{FailureCause, ProcessFailure};
use crate::process::program::{CodeId, ProcessProgram};
use kit::budget::{Budget, Exhausted, Stage};
use kit::number::to_u32;
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::Write;

/// Options for generation.
#[derive(Debug, Clone, Default)]
pub struct GenerateOptions {
    /// The actions that can be omitted: each has a dummy as an alternative. The system without dummies must be computable.
    pub dummies: FxHashSet<CodeId>,
    /// True if labels distinguish the actions of the text that take part in a transition.
    pub tell_apart: bool,
    /// The limit on the number of states.
    pub most_states: usize,
}

/// The meaning of a label of a generated system.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum GeneratedLabel {
    /// Actions of the text, in ascending order; none if they are not distinguished, or if the label is `exit`.
    Actions {
        /// The visible label, one of [`GeneratedSystem::visible`].
        visible: LabelId,
        /// The code of the actions.
        who: Vec<CodeId>,
    },
    /// The dummy of an omitted action.
    Dummy(CodeId),
    /// A value cannot be computed, so the behaviour is unknown.
    Fails,
}

/// A generated system.
#[derive(Debug)]
pub struct GeneratedSystem {
    /// The system. If actions are distinguished, its labels consist of the visible label and a mark.
    pub lts: Lts,
    /// The visible labels.
    pub visible: Labels,
    /// The meaning of each label of the system.
    pub meanings: Vec<GeneratedLabel>,
    /// The states whose transitions are missing because a limit was reached; ascending.
    pub unexplored: Vec<StateId>,
    /// Why the system is incomplete.
    pub stopped: Option<StopReason>,
    /// The first value that cannot be computed only because actions were omitted before, with the trace that leads there. The
    /// only transition of such states is a loop that [`GeneratedLabel::Fails`].
    pub fails: Option<(ProcessFailure, Vec<String>)>,
}

/// Why generation ended early.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StopReason {
    /// There are more states than allowed.
    States(usize),
    /// The budget is exhausted.
    Budget(Exhausted),
    /// A value cannot be computed; with the visible trace that leads there.
    Failure(ProcessFailure, Vec<String>),
}

impl std::fmt::Display for StopReason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            StopReason::States(limit) => write!(f, "there are more than {limit} states"),
            StopReason::Budget(why) => why.fmt(f),
            StopReason::Failure(failure, trace) if trace.is_empty() => {
                write!(f, "{failure} in the initial state")
            }
            StopReason::Failure(failure, trace) => write!(f, "{failure} after {}", trace.join(", ")),
        }
    }
}

impl std::error::Error for StopReason {}

/// Generation step by step, so that each step can be observed.
pub struct Generation<'a> {
    rules: SosRules<'a>,
    program: &'a ProcessProgram,
    options: GenerateOptions,
    numbers: FxHashMap<TermId, StateId>,
    states: Vec<TermId>,
    /// How each state was reached first: the state before it, and the label; `None` for the initial one.
    reached_by: Vec<Option<(StateId, LabelId)>>,
    builder: LtsBuilder,
    visible: Labels,
    meanings: Vec<GeneratedLabel>,
    known: FxHashMap<GeneratedLabel, LabelId>,
    fails: Option<(ProcessFailure, Vec<String>)>,
    at: usize,
}

/// Generates the system, as far as the limits allow.
pub fn generate(program: &ProcessProgram, options: GenerateOptions, budget: &Budget) -> GeneratedSystem {
    const BETWEEN: usize = 256;
    let mut generation = Generation::new(program, options, budget);
    loop {
        if generation.at.is_multiple_of(BETWEEN) {
            let done = generation.states.len() as u64;
            if let Some(why) = budget.at(Stage { done, of: None, what: "states generated" }) {
                return generation.finish(Some(StopReason::Budget(why)));
            }
        }
        match generation.step() {
            Ok(true) => {}
            Ok(false) => return generation.finish(None),
            Err(trouble) => return generation.finish(Some(trouble)),
        }
    }
}

impl<'a> Generation<'a> {
    /// The system with only its initial state.
    pub fn new(program: &'a ProcessProgram, options: GenerateOptions, budget: &Budget) -> Self {
        let mut rules = SosRules::new(program, options.dummies.clone(), budget.clone());
        let start = rules.start();
        Self {
            rules,
            program,
            options,
            numbers: FxHashMap::from_iter([(start, StateId::FIRST)]),
            states: vec![start],
            reached_by: vec![None],
            builder: LtsBuilder::new(),
            visible: Labels::default(),
            meanings: Vec::new(),
            known: FxHashMap::default(),
            fails: None,
            at: 0,
        }
    }

    /// Explores the next state; `false` if all states are explored.
    fn step(&mut self) -> Result<bool, StopReason> {
        let Some(&term) = self.states.get(self.at) else { return Ok(false) };
        let from = StateId::new(self.at);
        let found = match self.transitions(term) {
            Ok(found) => found,
            Err(ProcessFailure { cause: FailureCause::Budget(why), .. }) => {
                return Err(StopReason::Budget(why));
            }
            // The system without omissions was generated before, so it is computable.
            Err(failure) if failure.cause == FailureCause::Undefined && !self.options.dummies.is_empty() => {
                let trace = self.trace(from);
                self.fails.get_or_insert((failure, trace));
                let label = match self.known.get(&GeneratedLabel::Fails) {
                    Some(&label) => label,
                    None => self.add(GeneratedLabel::Fails, "FAILS @"),
                };
                vec![(label, term)]
            }
            Err(failure) => return Err(StopReason::Failure(failure, self.trace(from))),
        };
        for (label, target) in found {
            let to = match self.numbers.get(&target) {
                Some(&to) => to,
                None if self.states.len() >= self.options.most_states => {
                    return Err(StopReason::States(self.options.most_states));
                }
                None => {
                    let to = StateId::new(self.states.len());
                    self.numbers.insert(target, to);
                    self.states.push(target);
                    self.reached_by.push(Some((from, label)));
                    to
                }
            };
            self.builder.add(from, label, to);
        }
        self.at += 1;
        Ok(true)
    }

    fn transitions(&mut self, term: TermId) -> Result<Vec<(LabelId, TermId)>, ProcessFailure> {
        let Moves { steps, ends } = self.rules.moves_of_system(term)?;
        let mut found = Vec::new();
        for step in &steps {
            self.ground(step, &mut found)?;
        }
        if !ends.is_empty() {
            let label = self.label("exit", Vec::new());
            found.push((label, self.rules.terms.intern(BehaviourTerm::Stop)));
        }
        Ok(found)
    }

    /// The transitions of a step: one for each combination of values of its open offers.
    fn ground(&mut self, step: &TermStep, found: &mut Vec<(LabelId, TermId)>) -> Result<(), ProcessFailure> {
        let span = |code: &CodeId| self.program.code[code.index()].span;
        let place = step.who.first().map(span).unwrap_or(self.program.code[0].span);
        for row in self.rules.rows(&step.offers, place)? {
            self.rules.spend(1, place)?;
            let Some(target) = self.rules.finish(&step.next, &row)? else { continue };
            let label = match step.act {
                Act::Dummy(code) => self.dummy(code),
                Act::Invisible => self.label("i", step.who.to_vec()),
                Act::Gate(gate) => {
                    let mut text = self.program.gates[gate.index()].clone();
                    for (offer, value) in step.offers.iter().zip(&row) {
                        let _ = write!(text, " !{}", self.program.show(offer.of, value));
                    }
                    self.rules.spend(text.len(), place)?;
                    self.label(&text, step.who.to_vec())
                }
            };
            found.push((label, target));
        }
        Ok(())
    }

    fn label(&mut self, text: &str, who: Vec<CodeId>) -> LabelId {
        let visible = self.visible.intern(text.as_bytes());
        let who = if self.options.tell_apart { who } else { Vec::new() };
        let meaning = GeneratedLabel::Actions { visible, who };
        if let Some(&label) = self.known.get(&meaning) {
            return label;
        }
        let name = match &meaning {
            GeneratedLabel::Actions { who, .. } if !who.is_empty() => format!("{text} @{who:?}"),
            _ => text.to_owned(),
        };
        self.add(meaning, &name)
    }

    fn dummy(&mut self, code: CodeId) -> LabelId {
        match self.known.get(&GeneratedLabel::Dummy(code)) {
            Some(&label) => label,
            None => self.add(GeneratedLabel::Dummy(code), &format!("DUMMY @{code}")),
        }
    }

    fn add(&mut self, meaning: GeneratedLabel, name: &str) -> LabelId {
        let label = self.builder.labels.intern(name.as_bytes());
        self.meanings.push(meaning.clone());
        self.known.insert(meaning, label);
        label
    }

    /// The visible trace to a state.
    fn trace(&self, state: StateId) -> Vec<String> {
        let (mut at, mut labels) = (state, Vec::new());
        while let Some((before, label)) = self.reached_by[at.index()] {
            labels.push(match &self.meanings[label.index()] {
                GeneratedLabel::Actions { visible, .. } => self.visible.text(*visible).into_owned(),
                GeneratedLabel::Dummy(_) | GeneratedLabel::Fails => "(left out)".to_owned(),
            });
            at = before;
        }
        labels.reverse();
        labels
    }

    fn finish(self, stopped: Option<StopReason>) -> GeneratedSystem {
        let states = self.states.len();
        GeneratedSystem {
            lts: self.builder.finish(StateId::FIRST, to_u32(states)),
            visible: self.visible,
            meanings: self.meanings,
            unexplored: (self.at..states).map(StateId::new).collect(),
            stopped,
            fails: self.fails,
        }
    }
}
