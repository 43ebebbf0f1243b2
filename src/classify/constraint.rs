//! Trace constraints: conjunctions of facts under existential position variables (Definition 10 of the
//! classification paper).

use super::atom::{Atom, Atoms};
use super::fact::{Fact, FactKind};
use super::index::PositionVar;
use crate::model::Model;
use crate::model::value::Moment;
use itertools::Itertools;

/// `∃ i1, …, ik ∈ [0..len(ρ)] : fact ∧ … ∧ fact`. Its atoms are in an arena, which methods take where they need it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Constraint {
    /// The number of position variables. Without any, and without facts, it is the constraint that
    /// every trace satisfies.
    pub positions: usize,
    /// The facts: about states, then absences, then order.
    pub facts: Vec<Fact>,
}

impl Constraint {
    /// The position variables.
    pub fn variables(&self) -> impl Iterator<Item = PositionVar> + use<> {
        (0..self.positions).map(PositionVar::new)
    }

    /// Names for the position variables: `i`, `j`, `k` for up to three, else `i1`, `i2`, ….
    pub fn names(&self) -> Vec<String> {
        if self.positions <= 3 {
            ["i", "j", "k"].iter().take(self.positions).map(ToString::to_string).collect()
        } else {
            (1..=self.positions).map(|n| format!("i{n}")).collect()
        }
    }

    /// The constraint in the paper's notation.
    pub fn show(&self, model: &Model, atoms: &Atoms) -> String {
        let names = self.names();
        let facts = self.facts.iter().map(|f| f.show(model, atoms, &names)).join(" ∧ ");
        let facts = if facts.is_empty() { "true".to_owned() } else { facts };
        if names.is_empty() { facts } else { format!("∃ {} ∈ [0..len(ρ)] : {facts}", names.join(", ")) }
    }

    /// Positions of a trace that satisfy the constraint, the lexicographically first ones, by the
    /// reference semantics; `None` when the trace is not in the class.
    pub fn matches(&self, model: &Model, atoms: &Atoms, trace: &[Moment]) -> Option<Vec<usize>> {
        let mut places = Vec::with_capacity(self.positions);
        self.extend(model, atoms, trace, &mut places).then_some(places)
    }

    /// Backtracking over the position variables in order; each fact is evaluated as soon as the last
    /// of its positions has a place.
    fn extend(&self, model: &Model, atoms: &Atoms, trace: &[Moment], places: &mut Vec<usize>) -> bool {
        let next = places.len();
        if next == self.positions {
            return true;
        }
        let last = PositionVar::new(next);
        let decided: Vec<&Fact> =
            self.facts.iter().filter(|f| f.positions.iter().max() == Some(&last)).collect();
        for at in 0..trace.len() {
            places.push(at);
            if decided.iter().all(|f| f.holds(model, atoms, trace, places))
                && self.extend(model, atoms, trace, places)
            {
                return true;
            }
            places.pop();
        }
        false
    }

    /// Whether every atom that must hold reads at most one position: then whether a trace matches can be
    /// decided moment by moment.
    pub fn is_local(&self, atoms: &Atoms) -> bool {
        self.atoms(atoms).all(|(atom, _)| atom.params.len() <= 1)
    }

    /// Whether some of its facts are absences. Without any, a trace that goes on stays in the class.
    pub fn has_absences(&self) -> bool {
        self.facts.iter().any(Fact::is_absence)
    }

    /// Whether some of its facts are predicates of the user.
    pub fn has_predicate(&self, atoms: &Atoms) -> bool {
        self.facts.iter().any(|fact| fact.predicate(atoms).is_some())
    }

    /// The atoms that must hold, with their positions.
    pub fn atoms<'a>(&'a self, atoms: &'a Atoms) -> impl Iterator<Item = (&'a Atom, &'a [PositionVar])> {
        self.facts.iter().filter_map(|fact| match fact.kind {
            FactKind::Atom(atom) => Some((atoms.get(atom), fact.positions.as_slice())),
            _ => None,
        })
    }
}
