//! Blocks a class: encodes a literal that is true in every trace that satisfies a trace constraint, so that
//! assuming its negation leaves the traces outside of the class.
//!
//! Position variables are never expanded into all tuples. If facts read one position each and positions are only
//! ordered, the earliest match decides, and one ladder for each position is enough: `m[p][t]` is true if p and
//! all variables before it have places by position t. With absences, the earliest match does not decide; then the
//! states of the constraint's automaton are followed through the trace. Facts that compare positions are split by
//! the compared values. Other constraints are encoded by eliminating one position variable after the other along
//! the graph of positions joined by facts; the cost is the number of positions to the power of the width of that
//! graph, not of the number of variables. Each encoding is repeated for each choice of the individuals. If the
//! cost is too high, only the matches found in counterexamples are excluded, one by one (`sat/lazy.rs`). All
//! clauses have one direction: a match forces the literal, which is sufficient for blocking.

mod automata;
mod elimination;
mod ladders;

pub use automata::by_automaton;
pub use elimination::by_elimination;

use crate::automata::remembered;
use crate::facts::constraint::Constraint;
use crate::oracles::sat::SatOracle;
use solvers::sat::Lit;

/// The number of choices of remembered values above which elimination of positions is cheaper.
const MOST_CHOICES: usize = 48;

/// The number of instances above which matches are excluded one by one.
const MOST_INSTANCES: usize = 256;

/// The number of terms of elimination above which matches are excluded one by one.
const MOST_TERMS: u64 = 2_000_000;

/// Returns a literal that is true in every trace that satisfies the constraint. It may be true in others,
/// unless it is assumed to be false.
pub fn matched(oracle: &mut SatOracle<'_>, constraint: &Constraint) -> Lit {
    match by_ladders(oracle, constraint).or_else(|| by_automaton(oracle, constraint)) {
        Some(lit) => lit,
        None => by_instances(oracle, constraint).unwrap_or_else(|| oracle.excluded_when_found(constraint)),
    }
}

/// Eliminates the positions of each instance; `None` if that is too expensive.
fn by_instances(oracle: &mut SatOracle<'_>, constraint: &Constraint) -> Option<Lit> {
    let instances = constraint.instances(oracle.problem.model, oracle.atoms, MOST_INSTANCES)?;
    let cost = |instance| elimination::terms(oracle.atoms, instance, oracle.longest() + 1);
    let costs = instances.iter().map(cost).fold(0u64, u64::saturating_add);
    if costs > MOST_TERMS {
        return None;
    }
    let lits: Vec<Lit> = instances.iter().map(|instance| by_elimination(oracle, instance)).collect();
    let terms: Vec<&[Lit]> = lits.iter().map(std::slice::from_ref).collect();
    Some(implied(oracle, &terms))
}

/// Encodes constraints whose positions share few values: values read at one position and compared at another are
/// remembered. Each choice of remembered values that the comparisons allow gives a local constraint with ladders, and
/// a trace matches if it matches one of these. `None` if there are too many choices, or ladders cannot encode one.
pub fn by_ladders(oracle: &mut SatOracle<'_>, constraint: &Constraint) -> Option<Lit> {
    let choices = remembered::local_choices(oracle.problem.model, oracle.atoms, constraint, MOST_CHOICES)?;
    let mut results = Vec::new();
    for choice in &choices {
        results.push(ladders::of_local(oracle, choice)?);
    }
    let terms: Vec<&[Lit]> = results.iter().map(std::slice::from_ref).collect();
    Some(implied(oracle, &terms))
}

/// Returns a literal that is forced if all literals of one of the terms hold.
fn implied(oracle: &mut SatOracle<'_>, terms: &[&[Lit]]) -> Lit {
    let circuit = oracle.circuit();
    let (yes, no) = (circuit.yes(), circuit.no());
    let mut live: Vec<Vec<Lit>> = Vec::new();
    for term in terms.iter().filter(|t| !t.contains(&no)) {
        let rest: Vec<Lit> = term.iter().copied().filter(|&l| l != yes).collect();
        if rest.is_empty() {
            return yes;
        }
        live.push(rest);
    }
    match live.as_slice() {
        [] => no,
        [term] if term.len() == 1 => term[0],
        _ => {
            let result = circuit.fresh();
            for term in live {
                let mut clause: Vec<Lit> = term.into_iter().map(|l| !l).collect();
                clause.push(result);
                circuit.add_clause(&clause);
            }
            result
        }
    }
}
