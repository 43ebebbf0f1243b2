//! Blocking by ladders: the earliest match decides.

use super::{atoms, constant_parts, implied};
use crate::classify::constraint::Constraint;
use crate::classify::fact::FactKind;
use crate::classify::space::Space;
use crate::sat::Lit;

/// Positions that `next` facts tie together: they move as one.
struct Group {
    /// Position variables with their distance from the first one.
    members: Vec<(usize, usize)>,
}

/// The encoding for local constraints without absences; `None` where the order facts between groups form a
/// cycle, and for all others.
pub fn by_ladders(space: &mut Space<'_>, constraint: &Constraint) -> Option<Lit> {
    if !constraint.is_local() || constraint.has_absences() {
        return None;
    }
    let last = space.last();
    let no = space.circuit().no();
    let Some(groups) = groups_of(constraint) else { return Some(no) };
    let group_of = |p: usize| -> (usize, usize) {
        let at = groups.iter().position(|g| g.members.iter().any(|m| m.0 == p)).unwrap_or(0);
        (at, groups[at].members.iter().find(|m| m.0 == p).map_or(0, |m| m.1))
    };
    // (before, after, slack): the root of `before` is at most the root of `after` plus slack.
    let mut edges: Vec<(usize, usize, isize)> = Vec::new();
    for fact in constraint.facts.iter().filter(|f| f.kind == FactKind::Before) {
        let ((a, offset_a), (b, offset_b)) = (group_of(fact.positions[0]), group_of(fact.positions[1]));
        if a != b {
            edges.push((a, b, offset_b as isize - offset_a as isize - 1));
        } else if offset_a >= offset_b {
            return Some(no);
        }
    }
    let order = topological(groups.len(), &edges)?;
    let mut ladders: Vec<Vec<Lit>> = vec![Vec::new(); groups.len()];
    for g in order {
        let span = groups[g].members.iter().map(|m| m.1).max().unwrap_or(0);
        let mut ladder: Vec<Lit> = Vec::new();
        for root in 0..=last.saturating_sub(span) {
            if root + span > last {
                break;
            }
            let mut here = vec![space.alive(root + span)];
            for &(p, offset) in &groups[g].members {
                here.extend(unary_at(space, constraint, p, root + offset));
            }
            let mut possible = !here.contains(&no);
            for &(before, _, slack) in edges.iter().filter(|e| e.1 == g) {
                let bound = root as isize + slack;
                match ladders[before].len() {
                    0 => possible = false,
                    _ if bound < 0 => possible = false,
                    n => here.push(ladders[before][(bound as usize).min(n - 1)]),
                }
            }
            possible &= !here.contains(&no);
            let earlier = ladder.last().copied().unwrap_or(no);
            ladder.push(if possible { implied(space, &[&[earlier], &here]) } else { earlier });
        }
        ladders[g] = ladder;
    }
    let mut all = constant_parts(space, constraint);
    for (g, ladder) in ladders.iter().enumerate() {
        if !edges.iter().any(|e| e.0 == g) {
            all.push(ladder.last().copied().unwrap_or(no));
        }
    }
    Some(implied(space, &[&all]))
}

/// The literals of all facts that read this position variable alone.
fn unary_at(space: &mut Space<'_>, constraint: &Constraint, variable: usize, position: usize) -> Vec<Lit> {
    let mut lits = Vec::new();
    for (atom, positions) in atoms(constraint) {
        for (index, conjunct) in atom.conjuncts.iter().enumerate() {
            if !conjunct.params.is_empty() && conjunct.params.iter().all(|&p| positions[p] == variable) {
                let at = vec![position; conjunct.params.len()];
                lits.push(space.conjunct_at(atom, index, &at));
            }
        }
    }
    lits
}

/// The groups of position variables that `next` facts form; `None` when these contradict each other.
fn groups_of(constraint: &Constraint) -> Option<Vec<Group>> {
    let ties: Vec<(usize, usize)> = constraint
        .facts
        .iter()
        .filter(|f| f.kind == FactKind::Next)
        .map(|f| (f.positions[0], f.positions[1]))
        .collect();
    let mut offset: Vec<Option<isize>> = vec![None; constraint.positions];
    let mut groups = Vec::new();
    for start in 0..constraint.positions {
        if offset[start].is_some() {
            continue;
        }
        offset[start] = Some(0);
        let mut found = vec![start];
        let mut at = 0;
        while at < found.len() {
            let p = found[at];
            let here = offset[p].unwrap_or(0);
            for &(a, b) in &ties {
                for (from, to, step) in [(a, b, 1), (b, a, -1)] {
                    if from != p {
                        continue;
                    }
                    match offset[to] {
                        None => {
                            offset[to] = Some(here + step);
                            found.push(to);
                        }
                        Some(other) if other != here + step => return None,
                        Some(_) => {}
                    }
                }
            }
            at += 1;
        }
        let least = found.iter().filter_map(|&p| offset[p]).min().unwrap_or(0);
        let members = found.iter().map(|&p| (p, (offset[p].unwrap_or(0) - least) as usize)).collect();
        groups.push(Group { members });
    }
    Some(groups)
}

/// The groups in an order that respects the edges; `None` where they form a cycle.
fn topological(count: usize, edges: &[(usize, usize, isize)]) -> Option<Vec<usize>> {
    let mut order: Vec<usize> = Vec::new();
    while order.len() < count {
        let next = (0..count)
            .find(|g| !order.contains(g) && edges.iter().all(|e| e.1 != *g || order.contains(&e.0)))?;
        order.push(next);
    }
    Some(order)
}
