//! Subset-minimal cores by deletion.
//!
//! The scheme of deletion with clause-set refinement (Belov, Lynce, Marques-Silva, "Towards efficient MUS
//! extraction", AI Communications 25, 2012), on assumptions instead of clauses.

use rustc_hash::FxHashSet;

use super::{Answer, Circuit, Lit};
use kit::budget::Exhausted;

/// Reduces `candidates`, which are inconsistent with `fixed`, to a subset that is minimal with this property.
///
/// First the solver is called on its own core until that stops shrinking. Then the candidates are tried one
/// by one, in the order given, so the ones to be removed with preference come first. Each success replaces
/// the candidates by the core found, which may also remove later ones. The result is in the order of
/// `candidates` and is determined by the circuit's history and the arguments, but since cores differ
/// between back ends, so does the result.
///
/// # Errors
/// If the budget is exhausted first.
///
/// # Panics
/// If `fixed` and `candidates` are consistent.
pub fn minimise_core(
    circuit: &mut Circuit,
    fixed: &[Lit],
    candidates: &[Lit],
) -> Result<Vec<Lit>, Exhausted> {
    let mut query = Query {
        circuit,
        fixed: fixed.iter().copied().collect(),
        assumptions: fixed.to_vec(),
        fixed_count: fixed.len(),
    };
    let mut core = query.core(candidates)?.expect("the candidates contradict each other");
    loop {
        let smaller = query.core(&core)?.expect("a core stays a core");
        if smaller.len() == core.len() {
            break;
        }
        core = smaller;
    }
    // The literals before `index` are necessary.
    let mut index = 0;
    while index < core.len() {
        let mut rest = core.clone();
        rest.remove(index);
        match query.core(&rest)? {
            // A necessary literal is in every core from now on, so its index does not change.
            Some(smaller) => core = smaller,
            None => index += 1,
        }
    }
    Ok(core)
}

/// Queries under fixed assumptions.
struct Query<'a> {
    circuit: &'a mut Circuit,
    /// The fixed assumptions, to tell them from the candidates.
    fixed: FxHashSet<Lit>,
    /// The fixed assumptions in their order, then the candidates of the last call.
    assumptions: Vec<Lit>,
    fixed_count: usize,
}

impl Query<'_> {
    /// The failed assumptions among `candidates`, in their order; `None` if they are consistent.
    fn core(&mut self, candidates: &[Lit]) -> Result<Option<Vec<Lit>>, Exhausted> {
        self.assumptions.truncate(self.fixed_count);
        self.assumptions.extend_from_slice(candidates);
        match self.circuit.solve(&self.assumptions) {
            Answer::Sat => Ok(None),
            Answer::Unknown(why) => Err(why),
            Answer::Unsat => {
                let mut core = self.circuit.core();
                core.retain(|lit| !self.fixed.contains(lit));
                Ok(Some(core))
            }
        }
    }
}
