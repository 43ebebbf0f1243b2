//! A variable order that keeps variables close to each other if steps and letters read or write them together: each
//! variable moves repeatedly to the mean of the centres of its groups (F. Aloul, I. Markov, K. Sakallah, "FORCE: a fast
//! and easy-to-implement variable-ordering heuristic", GLSVLSI 2003).

use super::gates::StepCircuit;
use super::reader::LiteralReader;
use kit::budget::Budget;
use kit::diagram::Diagrams;
use rustc_hash::FxHashMap;

/// Places of the parts of a state, and of further items, in the variable order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VariableOrder {
    /// The variable of each part, then of each further item. Each variable occurs once.
    pub variables: Vec<usize>,
}

impl VariableOrder {
    /// Returns the identity order of `items` parts and further items.
    pub fn declared(items: usize) -> Self {
        Self { variables: (0..items).collect() }
    }

    /// Returns the level before a step of a part or further item.
    pub fn level(&self, item: usize) -> usize {
        2 * self.variables[item]
    }

    /// Returns the levels of all variables before a step.
    pub fn levels(&self) -> Vec<usize> {
        (0..self.variables.len()).map(|variable| 2 * variable).collect()
    }

    /// Creates a diagram store with all levels: those of parts have their values, others one value each so far.
    pub fn diagrams(&self, gates: &StepCircuit, most_nodes: usize, budget: &Budget) -> Diagrams {
        let mut diagrams = Diagrams::new(most_nodes, budget);
        for _ in 0..2 * self.variables.len() {
            diagrams.add_level(1);
        }
        for (item, part) in gates.parts.iter().enumerate() {
            let values = part.free.len() + usize::from(!part.total);
            diagrams.set_values(self.level(item), values);
            diagrams.set_values(self.level(item) + 1, values);
        }
        diagrams
    }

    /// Creates a reader of gates as functions of these variables.
    pub fn reader<'g>(&self, gates: &'g StepCircuit, diagrams: &mut Diagrams) -> LiteralReader<'g> {
        let levels: Vec<usize> = (0..gates.parts.len()).map(|part| self.level(part)).collect();
        LiteralReader::new(gates, diagrams, &levels)
    }
}

/// The number of rounds in which all variables are moved.
const ROUNDS: usize = 40;

/// Returns the place of each of `items`. Each group lists items that should be close to each other.
pub fn arranged(items: usize, groups: &[Vec<usize>]) -> Vec<usize> {
    let mut weights: FxHashMap<&[usize], usize> = FxHashMap::default();
    for group in groups.iter().filter(|group| group.len() > 1) {
        *weights.entry(group).or_default() += 1;
    }
    let mut groups: Vec<(&[usize], usize)> = weights.into_iter().collect();
    groups.sort_unstable();
    let mut places: Vec<usize> = (0..items).collect();
    let (mut best, mut least) = (places.clone(), span(&groups, &places));
    for _ in 0..ROUNDS {
        // The sum of the centres and the number of the groups of each item.
        let mut centres = vec![(0.0, 0.0); items];
        for (group, weight) in &groups {
            let sum: usize = group.iter().map(|&item| places[item]).sum();
            let centre = sum as f64 / group.len() as f64;
            for &item in *group {
                centres[item].0 += centre * *weight as f64;
                centres[item].1 += *weight as f64;
            }
        }
        let wanted = |item: usize| match centres[item] {
            (_, 0.0) => places[item] as f64,
            (sum, number) => sum / number,
        };
        let mut order: Vec<usize> = (0..items).collect();
        order.sort_by(|&a, &b| wanted(a).total_cmp(&wanted(b)).then(places[a].cmp(&places[b])));
        for (place, item) in order.into_iter().enumerate() {
            places[item] = place;
        }
        let now = span(&groups, &places);
        if now < least {
            (best, least) = (places.clone(), now);
        }
    }
    best
}

/// Returns the sum of the spans of all groups.
fn span(groups: &[(&[usize], usize)], places: &[usize]) -> usize {
    let length = |group: &[usize]| {
        let places = || group.iter().map(|&item| places[item]);
        places().max().unwrap_or(0) - places().min().unwrap_or(0)
    };
    groups.iter().map(|(group, weight)| length(group) * weight).sum()
}
