//! Compares a result with stored classes: finds violating traces that are in none of them.

use crate::facts::constraint::Constraint;
use crate::facts::problem::Problem;
use crate::oracles::oracle::{Oracle, SampleCondition};
use crate::oracles::sat::SatOracle;
use crate::results::options::Options;
use crate::results::result::{Class, Classification, Finite, TraceKind, Verdict};
use kit::budget::{Budget, Exhausted, Limited};
use lang::model::Model;
use lang::trace::Trace;
use std::collections::BTreeSet;

/// A class known before the classification.
#[derive(Debug, Clone, PartialEq)]
pub struct KnownClass<K: TraceKind = Finite> {
    /// Its number in the baseline, from 1.
    pub id: usize,
    /// Its constraint in the paper's notation.
    pub text: String,
    /// The constraint over the atoms of the classification; `None` if the model no longer defines the names that it uses.
    pub constraint: Option<K::Constraint>,
}

/// The relation of a class to the known ones.
#[derive(Debug, Clone, PartialEq)]
pub enum Novelty<K: TraceKind = Finite> {
    /// The known class with this number has the same text.
    Same(usize),
    /// All of its violating traces of the requested lengths are in known classes.
    Covered,
    /// A new class: a shortest violating trace of it that is in no known class.
    New(K::Trace),
    /// The budget ended before this was decided.
    Open(Exhausted),
}

/// A result compared with known classes.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison<K: TraceKind = Finite> {
    /// The file of the known classes, as the user wrote it.
    pub file: String,
    /// The known classes.
    pub known: Vec<KnownClass<K>>,
    /// For each class of the result, its relation to the known classes.
    pub novelties: Vec<Novelty<K>>,
    /// The numbers of the known classes that the result repeats literally.
    pub repeated: BTreeSet<usize>,
}

impl<K: TraceKind> Comparison<K> {
    /// Combines the novelties of a result's classes with the known classes of a file.
    pub fn new(file: String, known: Vec<KnownClass<K>>, novelties: Vec<Novelty<K>>) -> Self {
        let same = |novelty: &Novelty<K>| match novelty {
            Novelty::Same(id) => Some(*id),
            _ => None,
        };
        let repeated = novelties.iter().filter_map(same).collect();
        Self { file, known, novelties, repeated }
    }

    /// True if some class is a new kind of violation.
    pub fn is_new(&self) -> bool {
        self.novelties.iter().any(|novelty| matches!(novelty, Novelty::New(_)))
    }

    /// Returns the limit that ended the comparison before all classes were decided.
    pub fn open(&self) -> Option<Exhausted> {
        self.novelties.iter().find_map(|novelty| match novelty {
            Novelty::Open(why) => Some(*why),
            _ => None,
        })
    }

    /// True if every requested violating trace is known to be in a known class: no class of the result is
    /// new, and these contain all violating traces (`has_all`).
    pub fn has_nothing_new(&self, has_all: bool) -> bool {
        has_all && !self.is_new() && self.open().is_none()
    }

    /// Iterates over the known classes that no class of the result repeats literally.
    pub fn not_repeated(&self) -> impl Iterator<Item = &KnownClass<K>> {
        self.known.iter().filter(|class| !self.repeated.contains(&class.id))
    }
}

impl<K: TraceKind> Classification<K> {
    /// True if its classes contain every requested violating trace.
    pub fn has_all(&self) -> bool {
        matches!(self.verdict, Verdict::Holds | Verdict::Complete)
    }

    /// Compares each class with the known ones; `unknown` searches for a violating trace that satisfies a constraint
    /// and is in no known class.
    pub(crate) fn novelties_by(
        &self,
        model: &Model,
        known: &[KnownClass<K>],
        mut unknown: impl FnMut(&K::Constraint) -> Limited<Option<K::Trace>>,
    ) -> Vec<Novelty<K>> {
        let novelty = |class: &Class<K>| {
            let text = K::show(&class.constraint, model, &self.atoms);
            match known.iter().find(|known| known.text == text) {
                Some(same) => Novelty::Same(same.id),
                None => match unknown(&class.constraint) {
                    Ok(Some(trace)) => Novelty::New(trace),
                    Ok(None) => Novelty::Covered,
                    Err(why) => Novelty::Open(why),
                },
            }
        };
        self.classes.iter().map(novelty).collect()
    }
}

impl Classification {
    /// Compares each class with the known ones. The constraints of `known` are over the atoms of this result;
    /// `options` are those of the classification.
    pub fn novelties(
        &self,
        problem: Problem<'_>,
        known: &[KnownClass],
        options: &Options,
        budget: &Budget,
    ) -> Vec<Novelty> {
        let mut search = OutsideSearch { problem, result: self, known, options, budget, oracle: None };
        self.novelties_by(problem.model, known, |constraint| search.unknown(constraint))
    }
}

/// A search for violating traces outside of the known classes.
struct OutsideSearch<'a> {
    problem: Problem<'a>,
    result: &'a Classification,
    known: &'a [KnownClass],
    options: &'a Options,
    budget: &'a Budget,
    /// Created when first needed: usually all classes are repeated literally.
    oracle: Option<SatOracle<'a>>,
}

impl OutsideSearch<'_> {
    /// Returns a shortest violating trace that satisfies a constraint and is in no known class.
    fn unknown(&mut self, constraint: &Constraint) -> Limited<Option<Trace>> {
        let oracle = match &mut self.oracle {
            Some(oracle) => oracle,
            None => {
                let setup = self.options.setup(self.options.backend);
                let Classification { atoms, lengths, .. } = self.result;
                self.oracle.insert(SatOracle::unrolled(self.problem, atoms, *lengths, setup, self.budget)?)
            }
        };
        let restored: Vec<&Constraint> =
            self.known.iter().filter_map(|class| class.constraint.as_ref()).collect();
        let mut conditions = vec![SampleCondition::In(constraint.clone())];
        conditions.extend(restored.iter().map(|&known| SampleCondition::Outside(known.clone())));
        let found = oracle.shortest_from(0, &conditions)?;
        if let Some(trace) = &found {
            let is_unknown = restored.iter().all(|known| oracle.matches(known, trace).is_none());
            assert!(
                is_unknown && oracle.matches(constraint, trace).is_some(),
                "the encoding and the reference semantics disagree on {trace:?}"
            );
        }
        Ok(found)
    }
}
