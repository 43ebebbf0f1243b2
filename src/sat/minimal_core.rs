//! Subset-minimal cores by deletion.
//!
//! The scheme of deletion with clause-set refinement (Belov, Lynce, Marques-Silva, "Towards efficient MUS
//! extraction", AI Communications 25, 2012), on assumptions instead of clauses.

use rustc_hash::FxHashSet;

use super::{Answer, Circuit, Lit};
use crate::budget::Exhausted;

/// Reduces `candidates`, which cannot hold together with `fixed`, to a part that still cannot, but of which
/// no literal can be missed.
///
/// First the core of a call is called on itself until it stops shrinking. Then one candidate after the
/// other is tried to be left out, in the order given: put first what is most welcome to go. Each
/// success replaces the candidates by the core found, so later ones may go before their turn. The
/// result is in the order of `candidates` and depends on nothing but the circuit's history and the
/// arguments, but cores differ from back end to back end, and with them the result.
///
/// # Errors
/// When the budget ends first.
///
/// # Panics
/// If `fixed` and `candidates` can hold together.
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
    // The literals before `index` cannot be missed.
    let mut index = 0;
    while index < core.len() {
        let mut rest = core.clone();
        rest.remove(index);
        match query.core(&rest)? {
            // What cannot be missed is in every core from now on, so it keeps its place.
            Some(smaller) => core = smaller,
            None => index += 1,
        }
    }
    Ok(core)
}

/// Calls under fixed assumptions.
struct Query<'a> {
    circuit: &'a mut Circuit,
    /// The fixed assumptions, to tell them from the candidates.
    fixed: FxHashSet<Lit>,
    /// The fixed assumptions in their order, then the candidates of the last call.
    assumptions: Vec<Lit>,
    fixed_count: usize,
}

impl Query<'_> {
    /// Those of `candidates` that are to blame, in their order; none if they can hold together.
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
