//! Blocks by ladders: the earliest match decides.

use super::implied;
use crate::automata::letter::LocalConstraint;
use crate::facts::fact::OrderRelation;
use crate::facts::index::PositionVar;
use crate::oracles::sat::SatOracle;
use lang::model::Position;
use solvers::sat::Lit;

/// Position variables joined by `next` facts, at fixed distances.
struct PositionLadder {
    members: Vec<LadderMember>,
}

/// A position variable of a group.
struct LadderMember {
    variable: PositionVar,
    /// Its distance from the first one of the group.
    offset: usize,
}

/// An order fact between two groups.
struct LadderEdge {
    /// Index of the earlier group.
    before: usize,
    /// Index of the later group.
    after: usize,
    /// The root of the earlier group is at most that of the later one plus this number.
    slack: isize,
}

impl PositionLadder {
    fn offset_of(&self, variable: PositionVar) -> Option<usize> {
        self.members.iter().find(|m| m.variable == variable).map(|m| m.offset)
    }

    /// Returns the distance between its first and its last variable.
    fn span(&self) -> usize {
        self.members.iter().map(|m| m.offset).max().unwrap_or(0)
    }
}

/// Encodes a local constraint without absences; `None` with absences, or if the order facts between groups form a cycle.
pub fn of_local(oracle: &mut SatOracle<'_>, constraint: &LocalConstraint) -> Option<Lit> {
    if constraint.has_absences() {
        return None;
    }
    let no = oracle.circuit().no();
    let Some(groups) = groups_of(constraint) else { return Some(no) };
    let Some(edges) = edges_between(constraint, &groups) else { return Some(no) };
    let order = topological(groups.len(), &edges)?;
    let mut ladders: Vec<Vec<Lit>> = vec![Vec::new(); groups.len()];
    for g in order {
        let incoming: Vec<&LadderEdge> = edges.iter().filter(|e| e.after == g).collect();
        ladders[g] = ladder(oracle, constraint, &groups[g], &incoming, &ladders);
    }
    let mut all = Vec::new();
    for (g, ladder) in ladders.iter().enumerate() {
        if !edges.iter().any(|e| e.before == g) {
            all.push(ladder.last().copied().unwrap_or(no));
        }
    }
    Some(implied(oracle, &[&all]))
}

/// Returns the order facts between groups; `None` if one within a group contradicts it.
fn edges_between(constraint: &LocalConstraint, groups: &[PositionLadder]) -> Option<Vec<LadderEdge>> {
    let group_of = |variable: PositionVar| {
        let found = groups.iter().enumerate().find_map(|(g, group)| Some((g, group.offset_of(variable)?)));
        found.expect("each position variable is in a group")
    };
    let mut edges = Vec::new();
    for (first, second) in constraint.ordered(OrderRelation::Before) {
        let ((before, offset), (after, other)) = (group_of(first), group_of(second));
        if before != after {
            edges.push(LadderEdge { before, after, slack: other.cast_signed() - offset.cast_signed() - 1 });
        } else if offset >= other {
            return None;
        }
    }
    Some(edges)
}

/// Returns a literal for each position: true if the group, and all groups that must precede it, match with
/// the group's root there or earlier. The ladders of the preceding groups are given.
fn ladder(
    oracle: &mut SatOracle<'_>,
    constraint: &LocalConstraint,
    group: &PositionLadder,
    incoming: &[&LadderEdge],
    ladders: &[Vec<Lit>],
) -> Vec<Lit> {
    let (longest, span, no) = (oracle.longest(), group.span(), oracle.circuit().no());
    let mut ladder: Vec<Lit> = Vec::new();
    for root in 0..(longest + 1).saturating_sub(span) {
        let mut here = vec![oracle.alive(Position::new(root + span))];
        for member in &group.members {
            for letter in constraint.letters_at(member.variable) {
                here.push(oracle.letter_at(letter, Position::new(root + member.offset)));
            }
        }
        let mut possible = !here.contains(&no);
        for edge in incoming {
            let bound = root.cast_signed() + edge.slack;
            match ladders[edge.before].len() {
                0 => possible = false,
                _ if bound < 0 => possible = false,
                n => here.push(ladders[edge.before][bound.cast_unsigned().min(n - 1)]),
            }
        }
        possible &= !here.contains(&no);
        let earlier = ladder.last().copied().unwrap_or(no);
        ladder.push(if possible { rung(oracle, earlier, here) } else { earlier });
    }
    ladder
}

/// Returns a literal that is true if a group matched earlier, or matches here. Ladders for different values
/// share the rungs that do not depend on the values.
fn rung(oracle: &mut SatOracle<'_>, earlier: Lit, mut here: Vec<Lit>) -> Lit {
    here.sort_unstable();
    here.dedup();
    let key = (earlier, here);
    if let Some(&known) = oracle.rungs.get(&key) {
        return known;
    }
    let rung = implied(oracle, &[&[earlier], &key.1]);
    oracle.rungs.insert(key, rung);
    rung
}

/// Groups position variables by `next` facts; `None` if these contradict each other.
fn groups_of(constraint: &LocalConstraint) -> Option<Vec<PositionLadder>> {
    let ties: Vec<(PositionVar, PositionVar)> = constraint.ordered(OrderRelation::Next).collect();
    let mut offset: Vec<Option<isize>> = vec![None; constraint.positions];
    let mut groups = Vec::new();
    for start in 0..constraint.positions {
        if offset[start].is_some() {
            continue;
        }
        let found = tied_to(start, &ties, &mut offset)?;
        let least = found.iter().map(|&(_, offset)| offset).min().unwrap_or(0);
        let member = |(variable, offset): (usize, isize)| LadderMember {
            variable: PositionVar::new(variable),
            offset: (offset - least).cast_unsigned(),
        };
        groups.push(PositionLadder { members: found.into_iter().map(member).collect() });
    }
    Some(groups)
}

/// Returns the variables tied to `start`, with their distances from it, and records these; `None` if two ties
/// give different distances.
fn tied_to(
    start: usize,
    ties: &[(PositionVar, PositionVar)],
    offset: &mut [Option<isize>],
) -> Option<Vec<(usize, isize)>> {
    offset[start] = Some(0);
    let mut found = vec![(start, 0)];
    let mut at = 0;
    while let Some(&(variable, here)) = found.get(at) {
        at += 1;
        for &(a, b) in ties {
            for (from, to, step) in [(a, b, 1), (b, a, -1)] {
                if from.index() != variable {
                    continue;
                }
                let to = to.index();
                match offset[to] {
                    None => {
                        offset[to] = Some(here + step);
                        found.push((to, here + step));
                    }
                    Some(other) if other != here + step => return None,
                    Some(_) => {}
                }
            }
        }
    }
    Some(found)
}

/// Returns the groups in an order that respects the edges; `None` if they form a cycle.
fn topological(count: usize, edges: &[LadderEdge]) -> Option<Vec<usize>> {
    let mut order: Vec<usize> = Vec::new();
    while order.len() < count {
        let ready = |g: usize| edges.iter().all(|e| e.after != g || order.contains(&e.before));
        let next = (0..count).find(|&g| !order.contains(&g) && ready(g))?;
        order.push(next);
    }
    Some(order)
}
