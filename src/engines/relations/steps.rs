//! Steps of a model as relations. Labels of one kind that write the same parts are merged as long as that makes
//! relations no larger.

use super::gates::StepCircuit;
use super::order::VariableOrder;
use super::reader::LiteralReader;
use kit::diagram::{Diagram, DiagramStopped, Diagrams, Relation, WrittenVariables};
use rustc_hash::FxHashMap;

/// Conditions of a step with one label. The states before and after it satisfy all of them; parts that are not written
/// do not change.
pub struct Conjuncts {
    /// Conditions on the variables before and after the step.
    pub conditions: Vec<Diagram>,
    /// The written variables, ascending.
    pub written: Vec<usize>,
}

/// Returns the conditions of a step with the reader's label; `None` if there is no such step.
pub fn conjuncts(
    diagrams: &mut Diagrams,
    reader: &mut LiteralReader<'_>,
    gates: &StepCircuit,
    order: &VariableOrder,
) -> Option<Conjuncts> {
    let mut conditions = Vec::new();
    for constraint in &gates.step {
        match reader.constraint(diagrams, constraint) {
            Diagram::ZERO => return None,
            Diagram::ONE => {}
            condition => conditions.push(condition),
        }
    }
    let mut written = Vec::new();
    for (item, part) in gates.parts.iter().enumerate().filter(|(_, part)| part.free != part.other) {
        let level = order.level(item);
        let mut changes = false;
        let (mut some, mut way) = (Diagram::ZERO, Diagram::ZERO);
        for (value, &lit) in part.other.iter().enumerate() {
            let becomes = reader.literal(diagrams, lit);
            changes |= becomes != diagrams.is(level, value);
            let after = diagrams.is(level + 1, value);
            let this = diagrams.and(becomes, after);
            way = diagrams.or(way, this);
            some = diagrams.or(some, becomes);
        }
        if changes {
            if !part.total {
                let after = diagrams.is(level + 1, part.other.len());
                let none = diagrams.not(some);
                let this = diagrams.and(none, after);
                way = diagrams.or(way, this);
            }
            conditions.push(way);
            written.push(order.variables[item]);
        }
    }
    conditions.sort_unstable();
    conditions.dedup();
    written.sort_unstable();
    let conditions = without_choices(diagrams, conditions, 2 * order.variables.len());
    Some(Conjuncts { conditions, written })
}

/// Returns the conditions with the variables from level `first` on quantified existentially.
fn without_choices(diagrams: &mut Diagrams, conditions: Vec<Diagram>, first: usize) -> Vec<Diagram> {
    let choices = |diagrams: &Diagrams, condition: Diagram| -> Vec<usize> {
        if diagrams.levels() == first {
            return Vec::new();
        }
        let support = diagrams.support(condition);
        (first..support.len()).filter(|&level| support[level]).collect()
    };
    let mut free = Vec::new();
    let mut bound: Vec<(Diagram, Vec<usize>)> = Vec::new();
    let sort = |diagrams: &Diagrams, condition, free: &mut Vec<Diagram>, bound: &mut Vec<_>| {
        let levels = choices(diagrams, condition);
        if levels.is_empty() { free.push(condition) } else { bound.push((condition, levels)) }
    };
    for condition in conditions {
        sort(diagrams, condition, &mut free, &mut bound);
    }
    while !bound.is_empty() {
        // Quantify the choice that occurs in the fewest conditions first.
        let mut mentions: FxHashMap<usize, usize> = FxHashMap::default();
        bound
            .iter()
            .flat_map(|(_, levels)| levels)
            .for_each(|&level| *mentions.entry(level).or_default() += 1);
        let Some((_, level)) = mentions.iter().map(|(&level, &n)| (n, level)).min() else { break };
        let (about, others): (Vec<_>, Vec<_>) = bound.into_iter().partition(|(_, l)| l.contains(&level));
        bound = others;
        let all = about.into_iter().fold(Diagram::ONE, |all, (condition, _)| diagrams.and(all, condition));
        let some = diagrams.exists(level, all);
        sort(diagrams, some, &mut free, &mut bound);
    }
    free
}

/// Returns the variables that the steps of each label read or write, without labels that no step has.
///
/// # Errors
/// If the budget ends, or there are too many nodes.
pub fn label_groups(
    diagrams: &mut Diagrams,
    reader: &mut LiteralReader<'_>,
    gates: &StepCircuit,
    order: &VariableOrder,
) -> Result<Vec<Vec<usize>>, DiagramStopped> {
    let mut groups = Vec::new();
    for label in 0..gates.labels.len() {
        reader.set_label(label);
        if let Some(step) = conjuncts(diagrams, reader, gates, order) {
            groups.push(variables_of(diagrams, &step.conditions, order));
        }
        diagrams.check()?;
    }
    Ok(groups)
}

/// Returns the variables, ascending, on which some of these conditions depend before or after a step.
pub fn variables_of(diagrams: &Diagrams, conditions: &[Diagram], order: &VariableOrder) -> Vec<usize> {
    let mut all = vec![false; order.variables.len()];
    for &condition in conditions {
        let support = diagrams.support(condition);
        (0..all.len()).for_each(|v| all[v] |= support[2 * v] || support[2 * v + 1]);
    }
    (0..all.len()).filter(|&v| all[v]).collect()
}

/// The relations of each kind of label.
pub struct StepRelations {
    /// The relations of each kind.
    pub kinds: Vec<Vec<Relation>>,
    numbers: FxHashMap<Vec<usize>, usize>,
    together: fn(&mut Diagrams, Diagram, Diagram) -> Diagram,
}

impl StepRelations {
    /// Creates an empty set of steps. `together` merges labels of one kind: [`Diagrams::add`] counts the ways to step,
    /// [`Diagrams::or`] tells whether there is one.
    pub fn new(together: fn(&mut Diagrams, Diagram, Diagram) -> Diagram) -> Self {
        Self { kinds: Vec::new(), numbers: FxHashMap::default(), together }
    }

    /// Returns the number of the relation that writes these variables.
    pub fn number(&mut self, written: &[usize]) -> usize {
        let next = self.numbers.len();
        *self.numbers.entry(written.to_vec()).or_insert(next)
    }

    /// Adds the steps with one more label of this kind.
    pub fn add(&mut self, diagrams: &mut Diagrams, variables: usize, kind: usize, step: Conjuncts) {
        // From the last variable to the first.
        let mut conditions = step.conditions;
        conditions.sort_by_key(|&condition| std::cmp::Reverse(diagrams.level(condition)));
        let ways = conditions.into_iter().fold(Diagram::ONE, |all, condition| diagrams.and(all, condition));
        if ways == Diagram::ZERO {
            return;
        }
        let number = self.number(&step.written);
        if self.kinds.len() <= kind {
            self.kinds.resize_with(kind + 1, Vec::new);
        }
        let relations = &mut self.kinds[kind];
        // If one label reads variables that the others do not, the merged relation depends on the variables of all of
        // them.
        for relation in relations.iter_mut().rev().filter(|relation| relation.number == number).take(1) {
            let together = (self.together)(diagrams, relation.ways, ways);
            if diagrams.size(together) <= diagrams.size(relation.ways) + diagrams.size(ways) {
                relation.ways = together;
                return;
            }
        }
        let written = WrittenVariables::new(variables, |v| step.written.binary_search(&v).is_ok());
        relations.push(Relation { ways, written, number });
    }
}
