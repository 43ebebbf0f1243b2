//! The parts of a system: the branches of the parallel compositions that it begins with, each generated on its own.

use super::generate::StopReason;
use super::rules::{Moves, SosRules};
use super::step::Act;
use super::term::{ActualGates, BehaviourTerm, TermId};
use crate::lts::{LabelId, Lts, LtsBuilder, StateId};
use crate::process::failure::{FailureCause, ProcessFailure};
use crate::process::program::{BehaviourOp, CodeId, GateId, GateSlot, ProcessProgram, TypeId};
use crate::process::value::ProcessValue;
use kit::budget::{Budget, Stage};
use kit::number::to_u32;
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::Write;
use std::hash::Hash;
use std::rc::Rc;

/// Compositions nest at most so deep; what is below is one part. Processes may compose themselves again and again.
const DEEPEST: usize = 16;

/// The budget is checked after so many states.
const BETWEEN: usize = 256;

/// A step of a part.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum KeyedStep {
    /// A step that does not matter.
    Hidden,
    /// The termination of the part.
    Exit,
    /// The dummy of an omitted action.
    Dummy(CodeId),
    /// A communication on a gate, or the internal action.
    Step {
        gate: Option<GateId>,
        offers: Rc<[(TypeId, ProcessValue)]>,
        /// The actions that take part; ascending.
        who: Rc<[CodeId]>,
    },
}

/// A system whose labels are the places of keys.
pub(super) struct KeyedLts {
    pub lts: Lts,
    pub keys: Vec<KeyedStep>,
}

/// The limits on making a part.
pub(super) struct GenerationLimits<'a> {
    pub most_states: usize,
    pub budget: &'a Budget,
    pub what: &'static str,
}

impl KeyedLts {
    /// The part that begins here, state by state, as `steps` says.
    pub fn of<S: Clone + Eq + Hash>(
        start: S,
        limits: &GenerationLimits<'_>,
        mut steps: impl FnMut(&S) -> Result<Vec<(KeyedStep, S)>, StopReason>,
    ) -> Result<Self, StopReason> {
        let mut found = KeyedLabels::default();
        let mut numbers: FxHashMap<S, usize> = FxHashMap::from_iter([(start.clone(), 0)]);
        let mut states = vec![start];
        let mut at = 0;
        while let Some(state) = states.get(at).cloned() {
            let stage = Stage { done: at as u64, of: None, what: limits.what };
            if at.is_multiple_of(BETWEEN)
                && let Some(why) = limits.budget.at(stage)
            {
                return Err(StopReason::Budget(why));
            }
            for (key, target) in steps(&state)? {
                let to = *numbers.entry(target.clone()).or_insert_with(|| {
                    states.push(target);
                    states.len() - 1
                });
                if states.len() > limits.most_states {
                    return Err(StopReason::States(limits.most_states));
                }
                let label = found.label(key);
                found.builder.add(StateId::new(at), label, StateId::new(to));
            }
            at += 1;
        }
        Ok(found.finish(StateId::FIRST, states.len()))
    }
}

/// The gates of a part that concern what is round it.
#[derive(Debug, Clone, Default)]
pub(super) struct Around {
    /// The gates on which it may have to wait for others.
    pub shared: FxHashSet<GateId>,
    /// The gates that are hidden further out.
    pub hidden: FxHashSet<GateId>,
}

/// The gates on which a branch meets others, each with the branches that meet.
pub(super) type SharedGates = Vec<(GateId, Rc<[usize]>)>;

pub(super) enum CompositionTree {
    Leaf(KeyedLts, Around),
    /// For each branch the gates on which it meets others, with the branches that meet.
    Par(Vec<CompositionTree>, Vec<SharedGates>, Around),
    Hide(Box<CompositionTree>, GateId),
}

/// Numbers the labels of a system by keys.
#[derive(Default)]
pub(super) struct KeyedLabels {
    pub builder: LtsBuilder,
    pub keys: Vec<KeyedStep>,
    known: FxHashMap<KeyedStep, LabelId>,
}

impl KeyedLabels {
    pub fn label(&mut self, key: KeyedStep) -> LabelId {
        if let Some(&label) = self.known.get(&key) {
            return label;
        }
        let label = self.builder.labels.intern(self.keys.len().to_string().as_bytes());
        self.keys.push(key.clone());
        self.known.insert(key, label);
        label
    }

    pub fn finish(self, initial: StateId, states: usize) -> KeyedLts {
        KeyedLts { lts: self.builder.finish(initial, to_u32(states)), keys: self.keys }
    }
}

/// The label of a key as the whole system has it; none of hidden steps and dummies.
pub(super) fn text(program: &ProcessProgram, key: &KeyedStep, around: &Around) -> Option<String> {
    match key {
        KeyedStep::Hidden | KeyedStep::Dummy(_) => None,
        KeyedStep::Exit => Some("exit".to_owned()),
        KeyedStep::Step { gate: None, .. } => Some("i".to_owned()),
        KeyedStep::Step { gate: Some(gate), .. } if around.hidden.contains(gate) => Some("i".to_owned()),
        KeyedStep::Step { gate: Some(gate), offers, .. } => {
            let mut text = program.gates.get(gate.index())?.clone();
            offers.iter().for_each(|(of, value)| _ = write!(text, " !{}", program.show(*of, value)));
            Some(text)
        }
    }
}

/// Takes a system apart and generates its parts.
pub(super) struct Decomposer<'a, 'b> {
    pub program: &'a ProcessProgram,
    pub rules: SosRules<'a>,
    pub most_states: usize,
    pub budget: &'b Budget,
}

impl Decomposer<'_, '_> {
    pub fn all(&mut self) -> Result<CompositionTree, StopReason> {
        let start = self.rules.start();
        self.tree(start, &Around::default(), DEEPEST)
    }

    fn tree(&mut self, term: TermId, around: &Around, left: usize) -> Result<CompositionTree, StopReason> {
        // Branches are kept as code until they move.
        let term = match self.rules.terms.get(term) {
            BehaviourTerm::Code(code, env, gates) => self.rules.code(code, &env, &gates),
            _ => term,
        };
        match self.rules.terms.get(term) {
            BehaviourTerm::Par(code, branches, _, gates) if left > 0 => {
                let meets = self.meets(code, &gates);
                let mut trees = Vec::new();
                for (&branch, meets) in branches.iter().zip(&meets) {
                    let mut around = around.clone();
                    around.shared.extend(meets.iter().map(|(gate, _)| *gate));
                    trees.push(self.tree(branch, &around, left - 1)?);
                }
                Ok(CompositionTree::Par(trees, meets, around.clone()))
            }
            BehaviourTerm::Hide(inner, gate) if left > 0 => {
                let mut inside = around.clone();
                inside.hidden.insert(gate);
                Ok(CompositionTree::Hide(Box::new(self.tree(inner, &inside, left - 1)?), gate))
            }
            _ => Ok(CompositionTree::Leaf(self.leaf(term)?, around.clone())),
        }
    }

    /// For each branch of a composition the gates on which it meets others.
    fn meets(&self, code: CodeId, gates: &ActualGates) -> Vec<SharedGates> {
        let BehaviourOp::Par(branches) = &self.program.code[code.index()].op else {
            unreachable!("only parallel compositions have branches")
        };
        let several = |(slot, with): &(GateSlot, Rc<[usize]>)| {
            (with.len() > 1).then(|| (gates[slot.index()], with.clone()))
        };
        branches.iter().map(|branch| branch.meets.iter().filter_map(several).collect()).collect()
    }

    /// A part that is no composition, state by state.
    fn leaf(&mut self, start: TermId) -> Result<KeyedLts, StopReason> {
        let limits = GenerationLimits {
            most_states: self.most_states,
            budget: self.budget,
            what: "states of parts generated",
        };
        KeyedLts::of(start, &limits, |term| self.steps(*term).map_err(stopped))
    }

    fn steps(&mut self, term: TermId) -> Result<Vec<(KeyedStep, TermId)>, ProcessFailure> {
        let Moves { steps, ends } = self.rules.moves_of_system(term)?;
        let mut found = Vec::new();
        for step in &steps {
            let place = step.who.first().copied().unwrap_or(CodeId::FIRST);
            let place = self.program.code[place.index()].span;
            for row in self.rules.rows(&step.offers, place)? {
                self.rules.spend(1, place)?;
                let Some(target) = self.rules.finish(&step.next, &row)? else { continue };
                let offers = step.offers.iter().map(|offer| offer.of).zip(row).collect();
                let who = step.who.clone();
                let key = match step.act {
                    Act::Dummy(code) => KeyedStep::Dummy(code),
                    Act::Invisible => KeyedStep::Step { gate: None, offers: Rc::default(), who },
                    Act::Gate(gate) => KeyedStep::Step { gate: Some(gate), offers, who },
                };
                found.push((key, target));
            }
        }
        if !ends.is_empty() {
            found.push((KeyedStep::Exit, self.rules.terms.intern(BehaviourTerm::Stop)));
        }
        Ok(found)
    }
}

fn stopped(failure: ProcessFailure) -> StopReason {
    match failure.cause {
        FailureCause::Budget(why) => StopReason::Budget(why),
        // A part may come to places that the whole does not: nothing is said about the whole.
        FailureCause::Undefined | FailureCause::TooMuch => StopReason::Failure(failure, Vec::new()),
    }
}
