//! Several minimal constraints for one counterexample: the facts of those found so far are forbidden in turn,
//! and the remaining facts are minimised again (the hitting-set tree of R. Reiter, *A theory of diagnosis from first principles*,
//! Artificial Intelligence, 1987, for minimal sufficient sets).

use crate::facts::index::{AtomId, PlacedId};
use crate::oracles::oracle::Oracle;
use crate::results::options::Preference;
use crate::search::draft::{CounterexampleFacts, Draft};
use crate::search::minimise::Minimiser;
use itertools::Itertools;
use kit::budget::Limited;
use std::collections::{BTreeSet, VecDeque};

/// The most constraints of one counterexample besides the first.
const MOST: usize = 6;
/// The most sets of forbidden facts that are tried.
const MOST_TRIED: usize = 16;
/// All of them together may take this many times the questions of the first, plus [`SOME_QUESTIONS`].
const QUESTIONS: u64 = 8;
const SOME_QUESTIONS: u64 = 60;

/// Minimal constraints of some facts of a counterexample besides the first one, in the order in which they were
/// found. Facts are forbidden at all positions at once, so that constraints differ in what they
/// say and not only in where; all predicates at once come first. `first_questions` is how many questions
/// the first one took: how many of these the solver was asked depends on what was known before.
pub fn others(
    oracle: &mut dyn Oracle<'_>,
    facts: &mut CounterexampleFacts,
    preference: &Preference,
    allowed: &[PlacedId],
    first: &Draft,
    first_questions: u64,
) -> Limited<Vec<Draft>> {
    let start = facts.questions();
    let mut found: Vec<Draft> = Vec::new();
    let mut seen: BTreeSet<BTreeSet<AtomId>> = BTreeSet::new();
    let mut queue: VecDeque<BTreeSet<AtomId>> = VecDeque::new();
    let carries =
        |facts: &CounterexampleFacts, a: PlacedId| preference.carries(facts.atom(oracle.atoms(), a));
    let carriers: BTreeSet<AtomId> =
        allowed.iter().filter(|&&a| carries(facts, a)).map(|&a| facts.placed(a).atom).collect();
    if first.atoms.iter().any(|&a| carries(facts, a)) {
        queue.push_back(carriers);
    }
    forbid_each(facts, first, &BTreeSet::new(), &mut queue);
    for _ in 0..MOST_TRIED {
        let Some(forbidden) = queue.pop_front() else { break };
        let spent = facts.questions() - start;
        if found.len() >= MOST || spent > QUESTIONS * first_questions + SOME_QUESTIONS {
            break;
        }
        if !seen.insert(forbidden.clone()) {
            continue;
        }
        let left: Vec<PlacedId> =
            allowed.iter().copied().filter(|&a| !forbidden.contains(&facts.placed(a).atom)).collect();
        if !facts.suffices(oracle, &left, &facts.all_positions())? {
            continue;
        }
        let draft = Minimiser::new(oracle, facts, preference).run(&left)?;
        forbid_each(facts, &draft, &forbidden, &mut queue);
        if !found.contains(&draft) {
            found.push(draft);
        }
    }
    Ok(found)
}

/// Adds, for each atom of a draft, the set that forbids it as well.
fn forbid_each(
    facts: &CounterexampleFacts,
    draft: &Draft,
    forbidden: &BTreeSet<AtomId>,
    queue: &mut VecDeque<BTreeSet<AtomId>>,
) {
    let says = draft.atoms.iter().map(|&fact| facts.placed(fact).atom).unique();
    queue.extend(says.map(|one| {
        let mut more = forbidden.clone();
        more.insert(one);
        more
    }));
}
