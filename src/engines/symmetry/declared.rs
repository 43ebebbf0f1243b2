//! Checks of types that are declared to be symmetric.

use super::candidates::PermutationCandidates;
use super::proof::{PermutationProof, PermutationProver, PermutationRefutation};
use kit::budget::{Budget, Exhausted, Limited};
use lang::model::expr::Expr;
use lang::model::permutation::{NameType, Permutation};
use lang::model::value::Value;
use lang::model::{Model, SymmetricType};

/// The result for a type that is declared to be symmetric.
#[derive(Debug, Clone, PartialEq)]
pub enum DeclaredSymmetry {
    /// Any two values can be exchanged.
    Proved,
    /// Two values cannot be exchanged, neither alone nor with the values that definitions tie to them.
    Refuted {
        /// The likeliest permutation that exchanges them.
        by: Permutation,
        /// The reason why it is not a symmetry.
        refutation: Box<PermutationRefutation>,
    },
    /// The budget ended first.
    Undecided(Exhausted),
}

/// Decides each declaration of a model, for these invariants of it.
pub fn declared<'m>(
    model: &'m Model,
    invariants: Vec<&'m Expr>,
    budget: &Budget,
) -> Vec<(&'m SymmetricType, DeclaredSymmetry)> {
    if model.symmetric.is_empty() {
        return Vec::new();
    }
    let candidates = PermutationCandidates::of(model);
    let mut prover = PermutationProver::new(model, invariants, budget);
    let mut decide = |declaration: &SymmetricType| {
        let ty = declaration.ty;
        let values = model.types.values(&ty.ty());
        // Transpositions of neighbours generate all permutations.
        for pair in values.windows(2) {
            match exchange(&mut prover, &candidates, ty, &pair[0], &pair[1]) {
                Ok(DeclaredSymmetry::Proved) => {}
                Ok(other) => return other,
                Err(why) => return DeclaredSymmetry::Undecided(why),
            }
        }
        DeclaredSymmetry::Proved
    };
    model.symmetric.iter().map(|declaration| (declaration, decide(declaration))).collect()
}

/// Decides if two values can be exchanged.
fn exchange(
    prover: &mut PermutationProver<'_>,
    candidates: &PermutationCandidates<'_>,
    ty: NameType,
    a: &Value,
    b: &Value,
) -> Limited<DeclaredSymmetry> {
    let mut refuted = None;
    for by in candidates.transpositions(ty, a, b) {
        match prover.decide(&by)? {
            PermutationProof::Proved => return Ok(DeclaredSymmetry::Proved),
            PermutationProof::Refuted(refutation) => {
                refuted.get_or_insert(DeclaredSymmetry::Refuted { by, refutation: Box::new(refutation) });
            }
        }
    }
    Ok(refuted.unwrap_or(DeclaredSymmetry::Proved))
}
