//! One way in which a constraint can hold, built up fact by fact.

use super::cases::SplitConjunct;
use super::distance::Distance;
use super::{PositionComparison, PositionParam};
use crate::automata::letter::{Letter, LocalConstraint, LocalFact};
use crate::facts::fact::OrderRelation;
use crate::facts::index::PositionVar;
use lang::model::Model;

/// Facts of one position each, and comparisons still to be split by values.
#[derive(Clone)]
pub(super) struct SplitBranch {
    pub comparisons: Vec<PositionComparison>,
    facts: Vec<LocalFact>,
    /// The number of position variables of the constraint, which come first.
    own: usize,
    /// The number of all position variables, those between the constraint's included.
    positions: usize,
    /// Pairs of position variables that stand for the same position.
    same: Vec<(PositionVar, PositionVar)>,
    /// Further position variables of [parts](SplitConjunct), with their counterparts here.
    found: Vec<(PositionVar, PositionVar)>,
}

impl SplitBranch {
    /// Creates an empty branch for a constraint with `positions` position variables.
    pub(super) fn new(positions: usize) -> Self {
        let (comparisons, facts, same, found) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Self { comparisons, facts, own: positions, positions, same, found }
    }

    pub(super) fn add_fact(&mut self, fact: LocalFact) {
        self.facts.push(fact);
    }

    /// Adds a part of a formula over these parameters.
    pub(super) fn add_part(&mut self, model: &Model, part: &SplitConjunct, params: &[PositionParam]) {
        match part {
            SplitConjunct::Distance(distance) => {
                let (first, second) = (self.variable(distance.first), self.variable(distance.second));
                self.add_distance(Distance { first, second, ..*distance });
            }
            SplitConjunct::Absent { letter, stretch, positions } => {
                let positions = positions.iter().map(|&position| self.variable(position)).collect();
                self.add_fact(LocalFact::Absent { letter: letter.clone(), stretch: *stretch, positions });
            }
            SplitConjunct::Holds(expr) => {
                let read = params.iter().copied().filter(|p| expr.reads_local(p.local));
                let params: Vec<PositionParam> = read
                    .map(|param| PositionParam { variable: self.variable(param.variable), ..param })
                    .collect();
                let first = params[0];
                let mut expr = expr.clone();
                if params.iter().all(|param| param.variable == first.variable) {
                    params.iter().for_each(|param| expr.rename_local(param.local, first.local));
                    let letter = Letter::new(model, expr, first.local);
                    self.add_fact(LocalFact::Holds { letter, at: first.variable });
                } else {
                    self.comparisons.push(PositionComparison { expr, params });
                }
            }
        }
    }

    /// Returns the variable that stands here for one of a part.
    fn variable(&mut self, of: PositionVar) -> PositionVar {
        if of.index() < self.own {
            return of;
        }
        if let Some((_, known)) = self.found.iter().find(|(part, _)| *part == of) {
            return *known;
        }
        let new = PositionVar::new(self.positions);
        self.positions += 1;
        self.found.push((of, new));
        new
    }

    /// Adds a distance, as a chain of position variables.
    fn add_distance(&mut self, Distance { first, second, steps, exact }: Distance) {
        let order = if exact { OrderRelation::Next } else { OrderRelation::Before };
        let Some(between) = steps.checked_sub(1) else {
            self.same.push((first, second));
            return;
        };
        let mut before = first;
        for _ in 0..between {
            let next = PositionVar::new(self.positions);
            self.positions += 1;
            self.add_fact(LocalFact::Order { order, first: before, second: next });
            before = next;
        }
        self.add_fact(LocalFact::Order { order, first: before, second });
    }

    /// Returns the local constraint with further facts, without the comparisons.
    pub(super) fn with(&self, more: Vec<LocalFact>) -> LocalConstraint {
        let (places, positions) = self.places();
        let mut facts: Vec<LocalFact> = self.facts.iter().cloned().chain(more).collect();
        for fact in &mut facts {
            fact.each_position(&mut |position| *position = places[position.index()]);
        }
        LocalConstraint { positions, facts, places: places[..self.own].to_vec() }
    }

    /// Returns, for each position variable, the representative of its equivalence class, and the number of classes.
    fn places(&self) -> (Vec<PositionVar>, usize) {
        let mut group: Vec<usize> = (0..self.positions).collect();
        for (a, b) in &self.same {
            let (kept, gone) = (group[a.index()], group[b.index()]);
            group.iter_mut().filter(|g| **g == gone).for_each(|g| *g = kept);
        }
        let mut kept = group.clone();
        kept.sort_unstable();
        kept.dedup();
        let number = |g: &usize| PositionVar::new(kept.binary_search(g).expect("a group of a variable"));
        (group.iter().map(number).collect(), kept.len())
    }
}
