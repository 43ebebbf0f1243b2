//! The system with its dummies, in which occurrences of last actions are told apart.

use crate::budget::{Budget, Exhausted};
use crate::lts::property::{Automaton, Closure, Property};
use crate::lts::{Builder, Labels, Lts, quotient};
use crate::process::program::{CodeId, Program};
use crate::process::semantics::{Generated, Meaning, Options, Trouble, generate};
use rustc_hash::FxHashSet;

/// A system, reduced modulo strong bisimulation.
#[derive(Debug)]
pub struct Marked {
    /// The system; its labels have marks.
    pub lts: Lts,
    /// What its labels mean: actions are told apart only where they are last ones.
    pub meanings: Vec<Meaning>,
    /// What is seen, and after that the names of the dummies.
    pub names: Labels,
    /// For each label what is seen of it, by its number among `names`.
    pub name_of: Vec<u32>,
    /// The automaton of the property over `names`.
    pub automaton: Automaton,
    /// The occurrences of last actions in the order of the text.
    pub occurrences: Vec<CodeId>,
    /// The system without dummies as it was generated: states, transitions, labels.
    pub original: (usize, usize, usize),
    /// Why it is not complete.
    pub stopped: Option<Trouble>,
}

/// Why there is nothing to analyse.
#[derive(Debug)]
pub enum Refused {
    /// The automaton of the property has too many states.
    Automaton,
    /// A value cannot be computed.
    Failure(Trouble),
    /// The budget ended.
    Exhausted(Exhausted),
}

impl From<Exhausted> for Refused {
    fn from(why: Exhausted) -> Self {
        Refused::Exhausted(why)
    }
}

impl Marked {
    /// Generates the system with the dummies of all last actions. Which actions these are depends on the labels, and
    /// dummies can lead to labels that are not there without them: so it is generated again as long as that adds any.
    pub fn new(
        program: &Program,
        property: &Property,
        most_states: usize,
        budget: &Budget,
    ) -> Result<Self, Refused> {
        let mut dummies: FxHashSet<CodeId> = FxHashSet::default();
        let mut original = None;
        loop {
            let options = Options { dummies: dummies.clone(), tell_apart: true, most_states };
            let generated = generate(program, options, budget);
            if let Some(trouble @ Trouble::Failure(..)) = generated.stopped {
                return Err(Refused::Failure(trouble));
            }
            let lts = &generated.lts;
            let size = *original.get_or_insert((
                lts.states(),
                distinct_transitions(&generated),
                generated.visible.len(),
            ));
            let automaton = Automaton::new(property, &generated.visible, Closure::Prefix)
                .map_err(|_| Refused::Automaton)?;
            let last: FxHashSet<u32> = automaton.last_labels().into_iter().collect();
            let found = generated.meanings.iter().filter_map(|meaning| match meaning {
                Meaning::Actions { visible, who } if last.contains(visible) => Some(who),
                _ => None,
            });
            let before = dummies.len();
            dummies.extend(found.flatten());
            if dummies.len() == before || generated.stopped.is_some() {
                return Self::mark(program, property, &generated, &last, dummies, size, budget);
            }
        }
    }

    fn mark(
        program: &Program,
        property: &Property,
        generated: &Generated,
        last: &FxHashSet<u32>,
        dummies: FxHashSet<CodeId>,
        original: (usize, usize, usize),
        budget: &Budget,
    ) -> Result<Self, Refused> {
        let mut occurrences: Vec<CodeId> = dummies.into_iter().collect();
        occurrences.sort_by_key(|&code| {
            let span = program.code[code as usize].span;
            (span.source, span.start)
        });
        let mut names = generated.visible.clone();
        let fresh = |number: usize| {
            let name = format!("DUMMY{number}");
            if generated.visible.find(name.as_bytes()).is_some() { format!("{name}_") } else { name }
        };
        let dummy_names: Vec<u32> =
            (1..=occurrences.len()).map(|number| names.intern(fresh(number).as_bytes())).collect();
        let place = |code: &CodeId| occurrences.iter().position(|other| other == code);
        // Labels that differ only in actions that are no last ones become one.
        let (mut labels, mut meanings, mut name_of) = (Labels::default(), Vec::new(), Vec::new());
        let mut becomes = Vec::new();
        for meaning in &generated.meanings {
            let (meaning, name) = match meaning {
                Meaning::Actions { visible, who } => {
                    let who = if last.contains(visible) { who.clone() } else { Vec::new() };
                    (Meaning::Actions { visible: *visible, who }, *visible)
                }
                Meaning::Dummy(code) => (meaning.clone(), place(code).map_or(0, |at| dummy_names[at])),
            };
            let number = labels.intern(format!("{meaning:?}").as_bytes());
            if number as usize == meanings.len() {
                meanings.push(meaning);
                name_of.push(name);
            }
            becomes.push(number);
        }
        let mut builder = Builder::with_labels(labels);
        generated.lts.triples().for_each(|(from, label, to)| builder.add(from, becomes[label as usize], to));
        let lts = quotient(&builder.finish(0, generated.lts.states() as u32), budget)?.lts;
        let automaton = Automaton::new(property, &names, Closure::Prefix).map_err(|_| Refused::Automaton)?;
        let stopped = generated.stopped.clone();
        Ok(Self { lts, meanings, names, name_of, automaton, occurrences, original, stopped })
    }

    /// The system with only some of its labels.
    pub fn only(&self, keep: impl Fn(&Meaning) -> bool) -> Lts {
        let kept: Vec<bool> = self.meanings.iter().map(keep).collect();
        let mut builder = Builder::with_labels(self.lts.labels().clone());
        let transitions = self.lts.triples().filter(|&(_, label, _)| kept[label as usize]);
        transitions.for_each(|(from, label, to)| builder.add(from, label, to));
        builder.finish(self.lts.initial(), self.lts.states() as u32)
    }

    /// The automaton over the labels of the system. What is left out is not seen: it is as if the action were not there.
    pub fn seeing_actions(&self) -> Automaton {
        let seen = self.meanings.iter().zip(&self.name_of);
        let seen: Vec<Option<u32>> =
            seen.map(|(meaning, name)| matches!(meaning, Meaning::Actions { .. }).then_some(*name)).collect();
        self.automaton.renamed(&seen)
    }

    /// The same, dummies being actions like others, as in the paper.
    pub fn seeing_dummies(&self) -> Automaton {
        let seen: Vec<Option<u32>> = self.name_of.iter().map(|&name| Some(name)).collect();
        self.automaton.renamed(&seen)
    }
}

/// Transitions whose labels look the same count once.
fn distinct_transitions(generated: &Generated) -> usize {
    let mut builder = Builder::with_labels(generated.visible.clone());
    for (from, label, to) in generated.lts.triples() {
        if let Meaning::Actions { visible, .. } = generated.meanings[label as usize] {
            builder.add(from, visible, to);
        }
    }
    builder.finish(0, 0).transitions()
}
