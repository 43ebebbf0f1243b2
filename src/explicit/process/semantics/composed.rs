//! Generation by parts: the branches of parallel compositions are reduced before they are composed, modulo branching
//! bisimulation with explicit divergence. Steps that do not matter to a property are invisible: wherever its automaton is, it
//! stays there. This relation is preserved by composition and hiding, and it preserves which maximal runs have a violation and
//! who makes it.

use super::generate::{GenerateOptions, GeneratedLabel, GeneratedSystem, StopReason};
use super::parts::{
    Around, CompositionTree, Decomposer, GenerationLimits, KeyedLabels, KeyedLts, KeyedStep, SharedGates,
    text,
};
use super::rules::SosRules;
use crate::lts::property::{AutomatonTooLarge, Closure, ForbiddenTraces, LabelAutomaton};
use crate::lts::{
    Bits, LabelId, Labels, Lts, LtsBuilder, LtsTransition, StateId, branching_quotient, components, quotient,
};
use crate::process::program::{CodeId, GateId, ProcessProgram, TypeId};
use crate::process::value::ProcessValue;
use kit::budget::{Budget, Exhausted};
use kit::number::to_u32;
use std::rc::Rc;

/// The labels of a system as a property sees them.
struct Matters {
    labels: Labels,
    /// For each label whether the automaton stays where it is, wherever that is.
    idle: Vec<bool>,
    /// For each label whether it can make a first violation.
    last: Vec<bool>,
}

impl Matters {
    fn new(property: &ForbiddenTraces, labels: Labels) -> Result<Self, AutomatonTooLarge> {
        let automaton = LabelAutomaton::new(property, &labels, Closure::Prefix)?;
        let stays =
            |label| automaton.phases().all(|at| automaton.is_bad(at) || automaton.next(at, label) == at);
        let idle = labels.ids().map(stays).collect();
        let mut last = vec![false; labels.len()];
        automaton.last_labels().into_iter().for_each(|label| last[label.index()] = true);
        Ok(Self { labels, idle, last })
    }
}

/// The system of a program as far as a property can tell. The labels of steps that do not matter are one of them; the actions
/// that take part are known for those that can violate the property. `None` if there is no automaton.
pub fn generate_by_parts(
    program: &ProcessProgram,
    options: GenerateOptions,
    property: &ForbiddenTraces,
    budget: &Budget,
) -> Result<Option<GeneratedSystem>, StopReason> {
    let rules = SosRules::new(program, options.dummies, budget.clone());
    let mut parts = Decomposer { program, rules, most_states: options.most_states, budget };
    let tree = parts.all()?;
    let mut labels = Labels::default();
    collect(program, &tree, &mut labels);
    let Ok(matters) = Matters::new(property, labels) else { return Ok(None) };
    let composition = Composition { program, matters, most_states: options.most_states, budget };
    let whole = composition.of(tree)?;
    Ok(Some(composition.generated(whole)))
}

fn collect(program: &ProcessProgram, tree: &CompositionTree, labels: &mut Labels) {
    match tree {
        CompositionTree::Leaf(part, around) => part.keys.iter().for_each(|key| {
            if let Some(text) = text(program, key, around) {
                labels.intern(text.as_bytes());
            }
        }),
        CompositionTree::Par(trees, ..) => trees.iter().for_each(|tree| collect(program, tree, labels)),
        CompositionTree::Hide(inner, _) => collect(program, inner, labels),
    }
}

struct Composition<'a> {
    program: &'a ProcessProgram,
    matters: Matters,
    most_states: usize,
    budget: &'a Budget,
}

impl Composition<'_> {
    fn of(&self, tree: CompositionTree) -> Result<KeyedLts, StopReason> {
        match tree {
            CompositionTree::Leaf(part, around) => self.reduced(part, &around),
            CompositionTree::Hide(inner, gate) => Ok(hidden(self.of(*inner)?, gate)),
            CompositionTree::Par(trees, meets, around) => {
                let parts: Result<Vec<KeyedLts>, StopReason> =
                    trees.into_iter().map(|tree| self.of(tree)).collect();
                self.reduced(self.product(&parts?, &meets)?, &around)
            }
        }
    }

    /// A key as far as it matters: who takes part in a step matters only if the step can violate the property.
    fn seen(&self, key: &KeyedStep, around: &Around) -> KeyedStep {
        let Some(label) = text(self.program, key, around) else { return key.clone() };
        let Some(label) = self.matters.labels.find(label.as_bytes()) else { return key.clone() };
        match key {
            KeyedStep::Step { gate, .. }
                if self.matters.idle[label.index()]
                    && gate.is_none_or(|gate| !around.shared.contains(&gate)) =>
            {
                KeyedStep::Hidden
            }
            KeyedStep::Step { gate, offers, .. } if !self.matters.last[label.index()] => {
                KeyedStep::Step { gate: *gate, offers: offers.clone(), who: Rc::default() }
            }
            _ => key.clone(),
        }
    }

    /// A part without what does not matter.
    fn reduced(&self, part: KeyedLts, around: &Around) -> Result<KeyedLts, StopReason> {
        const DIVERGES: &[u8] = b"diverges";
        let stop = |why: Exhausted| StopReason::Budget(why);
        let mut keys = KeyedLabels::default();
        let seen: Vec<LabelId> = part.keys.iter().map(|key| keys.label(self.seen(key, around))).collect();
        // The names of invisible labels are what the reduction goes by.
        let mut names = Labels::default();
        let name = |key: &KeyedStep, at: usize| {
            if *key == KeyedStep::Hidden { "i".to_owned() } else { at.to_string() }
        };
        let named: Vec<LabelId> =
            keys.keys.iter().enumerate().map(|(at, key)| names.intern(name(key, at).as_bytes())).collect();
        let diverges = names.intern(DIVERGES);
        let invisible =
            |step: &LtsTransition| keys.keys[seen[step.label.index()].index()] == KeyedStep::Hidden;
        let cyclic = on_cycles(&part.lts, invisible, self.budget).map_err(stop)?;
        let mut builder = LtsBuilder::with_labels(names);
        for step in part.lts.all_transitions() {
            if invisible(&step) && step.from == step.to {
                continue;
            }
            builder.add(step.from, named[seen[step.label.index()].index()], step.to);
        }
        for state in part.lts.state_ids().filter(|state| cyclic.has(state.index())) {
            builder.add(state, diverges, state);
        }
        let lts = builder.finish(part.lts.initial(), to_u32(part.lts.states()));
        let hides = keys.keys.contains(&KeyedStep::Hidden);
        let small = if hides { branching_quotient(&lts, self.budget) } else { quotient(&lts, self.budget) };
        let small = small.map_err(stop)?.lts;
        let mut found = KeyedLabels::default();
        for LtsTransition { from, label, to } in small.all_transitions() {
            let key = match small.labels().get(label) {
                b"i" | b"tau" | DIVERGES => KeyedStep::Hidden,
                number => std::str::from_utf8(number)
                    .ok()
                    .and_then(|number| number.parse::<usize>().ok())
                    .map_or(KeyedStep::Hidden, |at| keys.keys[at].clone()),
            };
            let label = found.label(key);
            found.builder.add(from, label, to);
        }
        Ok(found.finish(small.initial(), small.states()))
    }

    fn product(&self, parts: &[KeyedLts], meets: &[SharedGates]) -> Result<KeyedLts, StopReason> {
        let start: Rc<[StateId]> = parts.iter().map(|part| part.lts.initial()).collect();
        let limits = GenerationLimits {
            most_states: self.most_states,
            budget: self.budget,
            what: "states of parts composed",
        };
        KeyedLts::of(start, &limits, |state| {
            let after = |(key, changes): (KeyedStep, Changes)| {
                let mut target = state.to_vec();
                changes.into_iter().for_each(|(part, to)| target[part] = to);
                (key, target.into())
            };
            Ok(steps(parts, meets, state).into_iter().map(after).collect())
        })
    }

    /// The whole system, with the meanings of its labels.
    fn generated(&self, whole: KeyedLts) -> GeneratedSystem {
        let around = Around::default();
        let mut visible = Labels::default();
        let idle = self.matters.labels.ids().find(|label| self.matters.idle[label.index()]);
        let idle = idle.map_or_else(|| b"i".to_vec(), |label| self.matters.labels.get(label).to_vec());
        let mut meaning = |key: &KeyedStep| match key {
            KeyedStep::Dummy(code) => GeneratedLabel::Dummy(*code),
            KeyedStep::Step { who, .. } => {
                let label = text(self.program, key, &around).unwrap_or_default();
                GeneratedLabel::Actions { visible: visible.intern(label.as_bytes()), who: who.to_vec() }
            }
            KeyedStep::Exit => GeneratedLabel::Actions { visible: visible.intern(b"exit"), who: Vec::new() },
            KeyedStep::Hidden => GeneratedLabel::Actions { visible: visible.intern(&idle), who: Vec::new() },
        };
        let meanings = whole.keys.iter().map(&mut meaning).collect();
        GeneratedSystem {
            lts: whole.lts,
            visible,
            meanings,
            unexplored: Vec::new(),
            stopped: None,
            fails: None,
        }
    }
}

/// A part with a gate that nobody else sees any more.
fn hidden(part: KeyedLts, gate: GateId) -> KeyedLts {
    let mut found = KeyedLabels::default();
    let becomes = |key: &KeyedStep| match key {
        KeyedStep::Step { gate: Some(own), who, .. } if *own == gate => {
            KeyedStep::Step { gate: None, offers: Rc::default(), who: who.clone() }
        }
        other => other.clone(),
    };
    let labels: Vec<LabelId> = part.keys.iter().map(|key| found.label(becomes(key))).collect();
    for LtsTransition { from, label, to } in part.lts.all_transitions() {
        found.builder.add(from, labels[label.index()], to);
    }
    found.finish(part.lts.initial(), part.lts.states())
}

/// The states on cycles of such transitions.
fn on_cycles(lts: &Lts, of: impl Fn(&LtsTransition) -> bool, budget: &Budget) -> Result<Bits, Exhausted> {
    let found = components(lts, |_| true, |step| of(&step), budget)?;
    let mut sizes = vec![0u32; found.count];
    found.of.iter().for_each(|&component| sizes[component as usize] += 1);
    let mut cyclic = Bits::new(lts.states());
    for state in lts.state_ids().filter(|state| sizes[found.of[state.index()] as usize] > 1) {
        cyclic.insert(state.index());
    }
    for step in lts.all_transitions().filter(|step| step.from == step.to && of(step)) {
        cyclic.insert(step.from.index());
    }
    Ok(cyclic)
}

/// The changes of a step: the parts that take it, each with its next state.
type Changes = Vec<(usize, StateId)>;

fn steps(parts: &[KeyedLts], meets: &[SharedGates], state: &[StateId]) -> Vec<(KeyedStep, Changes)> {
    let mut found = Vec::new();
    for (at, part) in parts.iter().enumerate() {
        for (label, to) in part.lts.out(state[at]) {
            let key = &part.keys[label.index()];
            let with: Option<Rc<[usize]>> = match key {
                KeyedStep::Exit => Some((0..parts.len()).collect()),
                KeyedStep::Step { gate: Some(gate), .. } => {
                    meets[at].iter().find(|(own, _)| own == gate).map(|(_, with)| with.clone())
                }
                _ => None,
            };
            match with {
                None => found.push((key.clone(), vec![(at, to)])),
                // Each meeting is found once, from its first part.
                Some(with) if with[0] == at => {
                    found.extend(meetings(parts, state, key, to, &with));
                }
                Some(_) => {}
            }
        }
    }
    found
}

/// The offer that partners agree on: the gate, if it is no termination, and the values.
type Agreed<'a> = (Option<GateId>, &'a [(TypeId, ProcessValue)]);

/// The offer of two parts that is compared: the gate and the values, or the termination.
fn agreed(key: &KeyedStep) -> Option<Agreed<'_>> {
    match key {
        KeyedStep::Step { gate: Some(gate), offers, .. } => Some((Some(*gate), offers)),
        KeyedStep::Exit => Some((None, &[])),
        _ => None,
    }
}

/// All ways in which parts meet in a step of the first of them.
fn meetings(
    parts: &[KeyedLts],
    state: &[StateId],
    first: &KeyedStep,
    to: StateId,
    with: &[usize],
) -> Vec<(KeyedStep, Changes)> {
    let mut found = vec![(first.clone(), vec![(with[0], to)])];
    for &at in &with[1..] {
        let mut longer = Vec::new();
        for (key, changes) in &found {
            let own = parts[at].lts.out(state[at]);
            for (label, to) in own.filter(|(label, _)| agreed(&parts[at].keys[label.index()]) == agreed(key))
            {
                let changes = changes.iter().copied().chain([(at, to)]).collect();
                longer.push((joined(key, &parts[at].keys[label.index()]), changes));
            }
        }
        found = longer;
    }
    found
}

/// A step that two parts take together.
fn joined(key: &KeyedStep, other: &KeyedStep) -> KeyedStep {
    match (key, other) {
        (KeyedStep::Step { gate, offers, who }, KeyedStep::Step { who: others, .. }) => {
            let mut all: Vec<CodeId> = who.iter().chain(others.iter()).copied().collect();
            all.sort_unstable();
            all.dedup();
            KeyedStep::Step { gate: *gate, offers: offers.clone(), who: all.into() }
        }
        _ => key.clone(),
    }
}
