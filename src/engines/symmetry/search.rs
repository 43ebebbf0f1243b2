//! The symmetries of a model.

use super::candidates::PermutationCandidates;
use super::proof::{PermutationProof, PermutationProver};
use kit::budget::{Budget, Exhausted, Limited};
use lang::model::Model;
use lang::model::expr::Expr;
use lang::model::permutation::{NameType, Permutation};
use lang::model::types::Types;
use lang::model::value::Value;

/// Proved symmetries of a model.
#[derive(Debug, Clone, Default)]
pub struct Symmetries {
    /// Transpositions, with the moves of the values tied to them.
    pub exchanges: Vec<Permutation>,
    /// Rotations and reversals of all values of a type, with the moves of the values tied to them, for types that not
    /// all transpositions preserve.
    pub turns: Vec<Permutation>,
    /// The limit that ended the search; `None` if all candidates were decided.
    pub ended: Option<Exhausted>,
}

/// Values of one type any two of which can be exchanged, possibly together with other values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Interchangeable {
    /// Their type.
    pub ty: NameType,
    /// At least two values, ascending.
    pub values: Vec<Value>,
}

/// Searches for the symmetries of a model that preserve each of these invariants.
pub fn find(model: &Model, invariants: Vec<&Expr>, budget: &Budget) -> Symmetries {
    let question = PermutationQuestion { model, invariants, is_likely: &|_| true, budget };
    exchanges(&question).with_turns(&question)
}

/// A question about permutations.
pub struct PermutationQuestion<'a> {
    /// The model.
    pub model: &'a Model,
    /// The invariants that they are to preserve.
    pub invariants: Vec<&'a Expr>,
    /// False for permutations known not to be symmetries, and for unwanted ones, such as those that do not preserve
    /// further conditions. The solver is not asked about these, and none of them is found.
    pub is_likely: &'a dyn Fn(&Permutation) -> bool,
    /// The limits.
    pub budget: &'a Budget,
}

impl<'a> PermutationQuestion<'a> {
    /// Returns the first of some candidates that the solver proves. The prover is created on demand.
    fn first_proved(
        &self,
        prover: &mut Option<PermutationProver<'a>>,
        mut candidates: Vec<Permutation>,
    ) -> Limited<Option<Permutation>> {
        candidates.retain(|candidate| (self.is_likely)(candidate));
        if candidates.is_empty() {
            return Ok(None);
        }
        let begin = || PermutationProver::new(self.model, self.invariants.clone(), self.budget);
        first_proved(prover.get_or_insert_with(begin), candidates)
    }
}

/// Searches for the symmetries that exchange two values.
pub fn exchanges(question: &PermutationQuestion<'_>) -> Symmetries {
    let candidates = PermutationCandidates::of(question.model);
    let mut symmetries = Symmetries::default();
    let mut prover = None;
    for &ty in &candidates.types {
        if let Err(why) = symmetries.exchange(question, &candidates, &mut prover, ty) {
            symmetries.ended = Some(why);
            break;
        }
    }
    symmetries
}

impl Symmetries {
    /// Returns all of them.
    pub fn all(&self) -> impl Iterator<Item = &Permutation> {
        self.exchanges.iter().chain(&self.turns)
    }

    /// Adds the symmetries that move all values of a type, unless the search for the others was ended.
    #[must_use]
    pub fn with_turns(mut self, question: &PermutationQuestion<'_>) -> Self {
        if self.ended.is_some() {
            return self;
        }
        let candidates = PermutationCandidates::of(question.model);
        let is_left = |ty: &&NameType| !self.are_all_interchangeable(&candidates, **ty);
        let types: Vec<NameType> = candidates.types.iter().filter(is_left).copied().collect();
        let mut prover = None;
        for turns in types.into_iter().flat_map(|ty| candidates.turns(ty)) {
            match question.first_proved(&mut prover, turns) {
                Ok(turn) => self.turns.extend(turn),
                Err(why) => {
                    self.ended = Some(why);
                    break;
                }
            }
        }
        self
    }

    /// Tries to exchange any two values of a type.
    fn exchange<'a>(
        &mut self,
        question: &PermutationQuestion<'a>,
        candidates: &PermutationCandidates<'_>,
        prover: &mut Option<PermutationProver<'a>>,
        ty: NameType,
    ) -> Limited<()> {
        let values = candidates.values(ty);
        for (index, a) in values.iter().enumerate() {
            for b in &values[index + 1..] {
                if self.are_interchangeable(ty, a, b) {
                    continue;
                }
                self.exchanges.extend(question.first_proved(prover, candidates.transpositions(ty, a, b))?);
            }
        }
        Ok(())
    }

    fn are_all_interchangeable(&self, candidates: &PermutationCandidates<'_>, ty: NameType) -> bool {
        let count = candidates.values(ty).len();
        self.classes().iter().any(|class| class.ty == ty && class.values.len() == count)
    }

    fn are_interchangeable(&self, ty: NameType, a: &Value, b: &Value) -> bool {
        self.classes()
            .iter()
            .any(|class| class.ty == ty && class.values.contains(a) && class.values.contains(b))
    }

    /// Returns the classes of interchangeable values, in the order in which they were found.
    pub fn classes(&self) -> Vec<Interchangeable> {
        let mut classes: Vec<Interchangeable> = Vec::new();
        for (ty, a, b) in self.exchanges.iter().flat_map(Permutation::moves) {
            let (with, mut others): (Vec<_>, Vec<_>) = classes
                .into_iter()
                .partition(|class| class.ty == ty && (class.values.contains(a) || class.values.contains(b)));
            let mut values: Vec<Value> = with.into_iter().flat_map(|class| class.values).collect();
            values.extend([a.clone(), b.clone()]);
            values.sort();
            values.dedup();
            others.push(Interchangeable { ty, values });
            classes = others;
        }
        classes
    }

    /// Returns a line for each group of values that move together: `S1, S2 and S3, with N1, N2 and N3`.
    pub fn show(&self, types: &Types) -> Vec<String> {
        let mut lines: Vec<Vec<Interchangeable>> = Vec::new();
        for class in self.classes() {
            let tied = |other: &Interchangeable| {
                self.exchanges.iter().any(|p| moves_some(p, other) && moves_some(p, &class))
            };
            match lines.iter_mut().find(|line| line.iter().any(&tied)) {
                Some(line) => line.push(class),
                None => lines.push(vec![class]),
            }
        }
        let list = |class: &Interchangeable| {
            let names: Vec<String> = class.values.iter().map(|value| types.show_value(value)).collect();
            let of = class.ty.prefix(types);
            match names.split_last() {
                Some((last, before)) if !before.is_empty() => format!("{of}{} and {last}", before.join(", ")),
                _ => format!("{of}{}", names.join(", ")),
            }
        };
        let lines = lines.iter().map(|line| line.iter().map(list).collect::<Vec<_>>().join(", with "));
        lines.chain(self.turns.iter().map(|turn| turn.show(types))).collect()
    }
}

/// Returns the first candidate that the solver proves.
pub(super) fn first_proved(
    prover: &mut PermutationProver<'_>,
    candidates: Vec<Permutation>,
) -> Limited<Option<Permutation>> {
    for candidate in candidates {
        if prover.decide(&candidate)? == PermutationProof::Proved {
            return Ok(Some(candidate));
        }
    }
    Ok(None)
}

fn moves_some(permutation: &Permutation, class: &Interchangeable) -> bool {
    permutation.moves().any(|(ty, value, _)| ty == class.ty && class.values.contains(value))
}
