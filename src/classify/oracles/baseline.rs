//! What is new in a result: violating traces that are in none of the classes that were known before.

use crate::facts::constraint::Constraint;
use crate::facts::problem::Problem;
use crate::oracles::oracle::{Condition, Oracle};
use crate::oracles::space::Space;
use crate::results::options::Options;
use crate::results::result::{Class, Classification, Verdict};
use kit::budget::{Budget, Exhausted, Limited};
use lang::trace::Trace;
use std::collections::BTreeSet;

/// A class that was known before the classification; `C` is a constraint.
#[derive(Debug, Clone, PartialEq)]
pub struct KnownClass<C = Constraint> {
    /// Its number there, from 1.
    pub id: usize,
    /// Its constraint in the paper's notation.
    pub text: String,
    /// The same over the atoms of the classification; `None` if the model no longer has what it speaks of.
    pub constraint: Option<C>,
}

/// What a class is, compared with those that were known; `T` is a trace.
#[derive(Debug, Clone, PartialEq)]
pub enum Novelty<T = Trace> {
    /// The class with this number says the same.
    Same(usize),
    /// All of its violating traces of the lengths asked for are in known classes.
    Covered,
    /// A shortest violating trace of it that is in no known class.
    New(T),
    /// That was not decided before the budget ended.
    Open(Exhausted),
}

/// A result beside the classes that were known before.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison<C = Constraint, T = Trace> {
    /// The file that they come from, as the user wrote it.
    pub file: String,
    /// The known classes.
    pub known: Vec<KnownClass<C>>,
    /// For each class of the result what it is.
    pub novelties: Vec<Novelty<T>>,
    /// The numbers of the known classes that the result repeats word for word.
    pub repeated: BTreeSet<usize>,
}

impl<C, T> Comparison<C, T> {
    /// The comparison of the classes of a result, each of which is something, with those of a file.
    pub fn new(file: String, known: Vec<KnownClass<C>>, novelties: Vec<Novelty<T>>) -> Self {
        let same = |novelty: &Novelty<T>| match novelty {
            Novelty::Same(id) => Some(*id),
            _ => None,
        };
        let repeated = novelties.iter().filter_map(same).collect();
        Self { file, known, novelties, repeated }
    }

    /// Whether some class is a new kind of violation.
    pub fn is_new(&self) -> bool {
        self.novelties.iter().any(|novelty| matches!(novelty, Novelty::New(_)))
    }

    /// What ended the comparison before it was decided for every class.
    pub fn open(&self) -> Option<Exhausted> {
        self.novelties.iter().find_map(|novelty| match novelty {
            Novelty::Open(why) => Some(*why),
            _ => None,
        })
    }

    /// Whether every violating trace that was asked for is known to be of a kind that was known: no class of the result is new, which
    /// has all of them if `has_all`.
    pub fn has_nothing_new(&self, has_all: bool) -> bool {
        has_all && !self.is_new() && self.open().is_none()
    }

    /// The known classes that no class of the result repeats word for word.
    pub fn not_repeated(&self) -> impl Iterator<Item = &KnownClass<C>> {
        self.known.iter().filter(|class| !self.repeated.contains(&class.id))
    }
}

impl Classification {
    /// Whether its classes have every violating trace that was asked for.
    pub fn has_all(&self) -> bool {
        matches!(self.verdict, Verdict::Holds | Verdict::Complete)
    }

    /// For each class whether its violating traces are of kinds that were known before. The constraints of `known` are over the atoms
    /// of this result. `options` are those of the classification.
    pub fn novelties(
        &self,
        problem: Problem<'_>,
        known: &[KnownClass],
        options: &Options,
        budget: &Budget,
    ) -> Vec<Novelty> {
        let mut search = Search { problem, result: self, known, options, budget, space: None };
        let novelty = |class: &Class| {
            let text = class.constraint.show(problem.model, &self.atoms);
            match known.iter().find(|known| known.text == text) {
                Some(same) => Novelty::Same(same.id),
                None => match search.unknown(&class.constraint) {
                    Ok(Some(trace)) => Novelty::New(trace),
                    Ok(None) => Novelty::Covered,
                    Err(why) => Novelty::Open(why),
                },
            }
        };
        self.classes.iter().map(novelty).collect()
    }
}

/// The search for violating traces of unknown kinds.
struct Search<'a> {
    problem: Problem<'a>,
    result: &'a Classification,
    known: &'a [KnownClass],
    options: &'a Options,
    budget: &'a Budget,
    /// Made when it is first needed: mostly, all classes are repeated word for word.
    space: Option<Space<'a>>,
}

impl Search<'_> {
    /// A shortest violating trace that satisfies a constraint and is in no known class.
    fn unknown(&mut self, constraint: &Constraint) -> Limited<Option<Trace>> {
        let space = match &mut self.space {
            Some(space) => space,
            None => {
                let setup = self.options.setup(self.options.backend);
                let Classification { atoms, lengths, .. } = self.result;
                self.space.insert(Space::unrolled(self.problem, atoms, *lengths, setup, self.budget)?)
            }
        };
        let restored: Vec<&Constraint> =
            self.known.iter().filter_map(|class| class.constraint.as_ref()).collect();
        let mut conditions = vec![Condition::In(constraint.clone())];
        conditions.extend(restored.iter().map(|&known| Condition::Outside(known.clone())));
        let found = space.shortest_from(0, &conditions)?;
        if let Some(trace) = &found {
            let is_unknown = restored.iter().all(|known| space.matches(known, trace).is_none());
            assert!(
                is_unknown && space.matches(constraint, trace).is_some(),
                "the encoding and the reference semantics disagree on {trace:?}"
            );
        }
        Ok(found)
    }
}
