//! Several minimal constraints for one counterexample: the facts of those found so far are forbidden in turn,
//! and what is left is minimised again (the tree of R. Reiter, *A theory of diagnosis from first principles*,
//! Artificial Intelligence, 1987, for minimal sufficient sets).

use super::draft::{Draft, Facts};
use super::fact::Atom;
use super::minimise::{Minimiser, Preference};
use super::space::{Limited, Space};
use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

/// So many constraints are made of one counterexample besides the first.
const MOST: usize = 6;
/// So often what is left is looked at for one more.
const MOST_TRIED: usize = 16;
/// All of them together take up to this many times the questions of the first, and some more.
const QUESTIONS: u64 = 8;
const SOME_QUESTIONS: u64 = 60;

/// Minimal constraints of some facts of a counterexample besides the first one, in the order in which they were
/// found. Facts are forbidden at all positions at once, so that constraints differ in what they
/// say and not only in where; all predicates at once come first. `first_questions` is how many questions
/// the first one took: how many of these the solver was asked depends on what was known before.
pub fn others(
    space: &mut Space<'_>,
    facts: &mut Facts,
    preference: &Preference,
    allowed: &[usize],
    first: &Draft,
    first_questions: u64,
) -> Limited<Vec<Draft>> {
    let start = facts.questions();
    let mut found: Vec<Draft> = Vec::new();
    let mut seen: BTreeSet<BTreeSet<usize>> = BTreeSet::new();
    let mut queue: VecDeque<BTreeSet<usize>> = VecDeque::new();
    let carriers: BTreeSet<usize> = allowed
        .iter()
        .copied()
        .filter(|&a| preference.carries(&facts.placed[a]))
        .map(|a| said(facts, a))
        .collect();
    if first.atoms.iter().any(|&a| preference.carries(&facts.placed[a])) {
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
        let left: Vec<usize> =
            allowed.iter().copied().filter(|&a| !forbidden.contains(&said(facts, a))).collect();
        if !facts.suffices(space, &left, &facts.all_positions())? {
            continue;
        }
        let draft = Minimiser::new(space, facts, preference).run(&left)?;
        forbid_each(facts, &draft, &forbidden, &mut queue);
        if !found.contains(&draft) {
            found.push(draft);
        }
    }
    Ok(found)
}

/// For each thing that a draft says: to forbid that, too.
fn forbid_each(
    facts: &Facts,
    draft: &Draft,
    forbidden: &BTreeSet<usize>,
    queue: &mut VecDeque<BTreeSet<usize>>,
) {
    let mut says: Vec<usize> = Vec::new();
    for &atom in &draft.atoms {
        let said = said(facts, atom);
        if !says.contains(&said) {
            says.push(said);
        }
    }
    queue.extend(says.into_iter().map(|one| {
        let mut more = forbidden.clone();
        more.insert(one);
        more
    }));
}

/// What a fact says, wherever it does: the first of the counterexample's facts with the same atom.
fn said(facts: &Facts, atom: usize) -> usize {
    let same = |other: &Arc<Atom>| Arc::ptr_eq(other, &facts.placed[atom].atom);
    facts.placed.iter().position(|placed| same(&placed.atom)).unwrap_or(atom)
}
