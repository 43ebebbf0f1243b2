//! Counts traces where the states are too many to be listed: the number of traces of some length that end in a
//! state is a function of that state, kept as a decision diagram, and a step maps it to that of the next length.
//!
//! A state is one of the model with the memory of each class. Labels that the classes do not distinguish and
//! that write the same variables are merged into one relation if it is no larger than its parts; relations
//! map transitions to their numbers of labels, so that different labels between the same states count.

mod memory;

use crate::automata::automaton::{Automaton, NoAutomaton};
use crate::automata::encoded::{Encoded, NotEncoded};
use crate::automata::product::count::{Count, Tally};
use crate::facts::problem::Problem;
use crate::results::result::Obstacle;
use engines::explore::Stop;
use engines::relations::{StepRelations, VariableOrder, arranged, conjuncts, label_groups, variables_of};
use kit::budget::Budget;
use kit::diagram::{Diagram, DiagramStopped, Diagrams, Relation, WrittenVariables};
use memory::AutomatonMemory;
use rustc_hash::FxHashMap;
use solvers::sat::Lit;
use std::collections::hash_map::Entry;

/// The greatest number of nodes of decision diagrams.
const MOST_NODES: usize = 20_000_000;

/// Unused nodes are dropped above this number, and above a multiple of the nodes needed.
const FEW_NODES: usize = 1 << 18;

/// Counts traces of up to `longest` steps, as [`crate::automata::product::count::count`] does.
///
/// # Errors
/// The obstacle to counting.
pub fn count(
    problem: Problem<'_>,
    automata: &[Automaton],
    longest: usize,
    budget: &Budget,
) -> Result<Vec<Count>, Obstacle> {
    let encoded = Encoded::new(problem, automata, budget).map_err(|why| match why {
        NotEncoded::Budget(why) => Obstacle::Budget(why),
        NotEncoded::Labels(too_many) => Obstacle::States(Stop::Choices(too_many)),
    })?;
    let items = encoded.gates.parts.len() + automata.len();
    let declared = VariableOrder::declared(items);
    let groups = read_together(&encoded, automata, &declared, budget)?;
    let order = VariableOrder { variables: arranged(items, &groups) };
    DiagramCounter::new(&encoded, automata, order, budget)?.count(longest)
}

/// Returns the parts and memories read or written together, by each label and by each automaton.
fn read_together(
    encoded: &Encoded,
    automata: &[Automaton],
    order: &VariableOrder,
    budget: &Budget,
) -> Result<Vec<Vec<usize>>, Obstacle> {
    let mut diagrams = order.diagrams(&encoded.gates, MOST_NODES, budget);
    let mut reader = order.reader(&encoded.gates, &mut diagrams);
    let mut groups = label_groups(&mut diagrams, &mut reader, &encoded.gates, order).map_err(obstacle)?;
    for automaton in 0..automata.len() {
        let mut kinds: Vec<&Vec<Lit>> = encoded.letters.iter().map(|l| &l[automaton]).collect();
        kinds.sort_unstable();
        kinds.dedup();
        let mut letters = Vec::new();
        for &lit in kinds.into_iter().flatten() {
            letters.push(reader.literal(&mut diagrams, lit));
        }
        letters.sort_unstable();
        letters.dedup();
        let mut group = variables_of(&diagrams, &letters, order);
        group.push(encoded.gates.parts.len() + automaton);
        groups.push(group);
        checked(&diagrams)?;
    }
    Ok(groups)
}

fn obstacle(stopped: DiagramStopped) -> Obstacle {
    match stopped {
        DiagramStopped::Budget(why) => Obstacle::Budget(why),
        DiagramStopped::Nodes(most) => Obstacle::Nodes(most),
    }
}

fn checked(diagrams: &Diagrams) -> Result<(), Obstacle> {
    diagrams.check().map_err(obstacle)
}

/// The model and the memories as diagrams.
struct DiagramCounter {
    diagrams: Diagrams,
    /// The levels of all variables.
    levels: Vec<usize>,
    /// The steps with labels of each kind; the first kind is that of moments without label.
    steps: Vec<Vec<Relation>>,
    /// For each kind, the updates of the memories, one after the other.
    reading: Vec<Vec<Relation>>,
    /// The initial states, before the first moment is read.
    initial: Diagram,
    good: Diagram,
    bad: Diagram,
    /// For each class, the states with memories that accept.
    accepts: Vec<Diagram>,
    /// The number of nodes after the last garbage collection.
    needed: usize,
}

impl DiagramCounter {
    fn new(
        encoded: &Encoded,
        automata: &[Automaton],
        order: VariableOrder,
        budget: &Budget,
    ) -> Result<Self, Obstacle> {
        let variables = order.variables.len();
        let mut diagrams = order.diagrams(&encoded.gates, MOST_NODES, budget);
        let mut reader = order.reader(&encoded.gates, &mut diagrams);

        let mut initial = reader.all(&mut diagrams, &encoded.gates.initial);
        for constraint in &encoded.gates.state {
            let holds = reader.constraint(&mut diagrams, constraint);
            initial = diagrams.and(initial, holds);
        }
        let good = reader.literal(&mut diagrams, encoded.good);
        let bad = diagrams.not(good);
        checked(&diagrams)?;

        // Labels with equal letters are of one kind.
        let mut kinds: FxHashMap<Vec<Vec<Diagram>>, usize> = FxHashMap::default();
        let mut letters_of: Vec<Vec<Vec<Diagram>>> = Vec::new();
        let mut kind_of = Vec::new();
        for letters in &encoded.letters {
            let mut read = |lits: &Vec<_>| -> Vec<Diagram> {
                lits.iter().map(|&lit| reader.literal(&mut diagrams, lit)).collect()
            };
            let letters: Vec<Vec<Diagram>> = letters.iter().map(&mut read).collect();
            let next = kinds.len();
            kind_of.push(match kinds.entry(letters) {
                Entry::Occupied(known) => *known.get(),
                Entry::Vacant(new) => {
                    letters_of.push(new.key().clone());
                    *new.insert(next)
                }
            });
            checked(&diagrams)?;
        }
        let mut steps = StepRelations::new(Diagrams::add);
        for label in 0..encoded.gates.labels.len() {
            reader.set_label(label);
            if let Some(step) = conjuncts(&mut diagrams, &mut reader, &encoded.gates, &order) {
                steps.add(&mut diagrams, variables, kind_of[label + 1], step);
            }
            checked(&diagrams)?;
        }
        let mut reading = vec![Vec::new(); letters_of.len()];
        let mut accepts = Vec::new();
        for (class, automaton) in automata.iter().enumerate() {
            let seen: Vec<&[Diagram]> = letters_of.iter().map(|letters| letters[class].as_slice()).collect();
            let memory = AutomatonMemory::new(&mut diagrams, automaton, &seen)
                .ok_or(Obstacle::Class(class, NoAutomaton::Size))?;
            let variable = order.variables[encoded.gates.parts.len() + class];
            let level = 2 * variable;
            diagrams.set_values(level, memory.sets.len());
            diagrams.set_values(level + 1, memory.sets.len());
            for (kind, relations) in reading.iter_mut().enumerate() {
                if let Some(ways) = memory.ways(&mut diagrams, kind, level) {
                    let written = WrittenVariables::new(variables, |v| v == variable);
                    relations.push(Relation { ways, written, number: steps.number(&[variable]) });
                }
            }
            accepts.push(memory.accepts(&mut diagrams, automaton, level));
            let start = diagrams.is(level, 0);
            initial = diagrams.and(initial, start);
            checked(&diagrams)?;
        }
        let levels = order.levels();
        let mut steps = steps.kinds;
        steps.resize_with(letters_of.len(), Vec::new);
        Ok(Self { diagrams, levels, steps, reading, initial, good, bad, accepts, needed: 0 })
    }

    /// Counts traces of up to `longest` steps.
    fn count(mut self, longest: usize) -> Result<Vec<Count>, Obstacle> {
        // Traces without violation, and those with one, by their last state.
        let mut before = self.read(0, self.initial);
        let mut first = self.diagrams.and(before, self.bad);
        before = self.diagrams.and(before, self.good);
        let mut violating = first;
        let mut counts = Vec::new();
        for steps in 0..=longest {
            checked(&self.diagrams)?;
            let (first_tally, tally) = (self.tally(first), self.tally(violating));
            counts.push(Count { steps, first: first_tally, violating: tally });
            checked(&self.diagrams)?;
            if steps == longest {
                break;
            }
            let arrived = self.step(before);
            first = self.diagrams.and(arrived, self.bad);
            let again = self.step(violating);
            before = self.diagrams.and(arrived, self.good);
            violating = self.diagrams.add(again, first);
            self.tidy([&mut before, &mut first, &mut violating]);
        }
        Ok(counts)
    }

    /// Updates the memories by a moment of a kind.
    fn read(&mut self, kind: usize, mut numbers: Diagram) -> Diagram {
        for relation in &self.reading[kind] {
            numbers = self.diagrams.image(relation, numbers);
        }
        numbers
    }

    /// Returns the numbers after one more step.
    fn step(&mut self, numbers: Diagram) -> Diagram {
        let mut all = Diagram::ZERO;
        for kind in 0..self.steps.len() {
            let mut after = Diagram::ZERO;
            for relation in &self.steps[kind] {
                let part = self.diagrams.image(relation, numbers);
                after = self.diagrams.add(after, part);
            }
            let after = self.read(kind, after);
            all = self.diagrams.add(all, after);
        }
        all
    }

    /// Returns the numbers of traces by their classes.
    fn tally(&mut self, numbers: Diagram) -> Tally {
        let mut tally = Tally::default();
        let mut open = vec![(0, Vec::new(), numbers)];
        while let Some((class, classes, numbers)) = open.pop() {
            if numbers == Diagram::ZERO {
                continue;
            }
            let Some(&accepts) = self.accepts.get(class) else {
                tally.0.insert(classes, self.diagrams.total(numbers, &self.levels));
                continue;
            };
            let with = self.diagrams.and(numbers, accepts);
            let rejects = self.diagrams.not(accepts);
            let without = self.diagrams.and(numbers, rejects);
            let more = classes.iter().copied().chain([class]).collect();
            open.extend([(class + 1, classes, without), (class + 1, more, with)]);
        }
        tally
    }

    /// Drops unused nodes, if there are many.
    fn tidy(&mut self, others: [&mut Diagram; 3]) {
        if self.diagrams.nodes() < FEW_NODES.max(3 * self.needed) {
            return;
        }
        let relations = self.steps.iter_mut().chain(&mut self.reading).flatten();
        let roots = relations.map(|relation| &mut relation.ways);
        let roots = roots.chain(&mut self.accepts).chain([&mut self.good, &mut self.bad, &mut self.initial]);
        self.diagrams.collect_garbage(roots.chain(others));
        self.needed = self.diagrams.nodes();
    }
}
