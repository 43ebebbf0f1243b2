//! Blocking a class: a literal that is true in every trace that satisfies a trace constraint, so that
//! assuming its negation leaves the traces outside the class.
//!
//! The position variables are never expanded into all tuples. Where facts read one position each and
//! positions are only ordered, the earliest match decides, and one ladder a position is enough:
//! `m[p][t]` says that p and all that must come before it have found their places by position t. Other
//! constraints are dealt with by eliminating one position variable after the other along the graph
//! of which facts join which positions; its cost is the number of positions to the power of the width of that
//! graph, not of the number of variables. All clauses go one way: a match forces the literal, which
//! is all that blocking needs.

use super::constraint::Constraint;
use super::fact::{Atom, Fact, FactKind};
use super::remembered;
use super::space::Space;
use crate::sat::Lit;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// A literal that is true wherever the trace satisfies the constraint. It may be true elsewhere, unless
/// it is assumed to be false.
pub fn matched(space: &mut Space<'_>, constraint: &Constraint) -> Lit {
    if constraint.is_local()
        && let Some(lit) = by_ladders(space, constraint)
    {
        return lit;
    }
    if let Some(lit) = by_values(space, constraint) {
        return lit;
    }
    by_elimination(space, constraint)
}

/// The encoding for constraints whose positions share few values: what is read at one position and
/// compared with another is remembered. For each choice of the remembered values that the comparisons
/// allow there is a local constraint, and a trace matches if it matches one of these. `None` where there
/// are too many choices, or the order facts form a cycle.
pub(super) fn by_values(space: &mut Space<'_>, constraint: &Constraint) -> Option<Lit> {
    let choices = remembered::local_choices(space.unrolling.model, constraint, MOST_CHOICES)?;
    let mut results = Vec::new();
    for choice in &choices {
        results.push(by_ladders(space, choice)?);
    }
    let terms: Vec<&[Lit]> = results.iter().map(std::slice::from_ref).collect();
    Some(implied(space, &terms))
}

/// With more choices of remembered values than this, eliminating positions is cheaper.
const MOST_CHOICES: usize = 48;

/// Positions that `next` facts tie together: they move as one.
struct Group {
    /// Position variables with their distance from the first one.
    members: Vec<(usize, usize)>,
}

/// The encoding for local constraints; `None` where the order facts between groups form a cycle.
pub(super) fn by_ladders(space: &mut Space<'_>, constraint: &Constraint) -> Option<Lit> {
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

/// A literal forced wherever all literals of one of the terms hold.
fn implied(space: &mut Space<'_>, terms: &[&[Lit]]) -> Lit {
    let circuit = space.circuit();
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

/// The literals of conjuncts that read no position at all.
fn constant_parts(space: &mut Space<'_>, constraint: &Constraint) -> Vec<Lit> {
    let mut lits = Vec::new();
    for (atom, _) in atoms(constraint) {
        for index in 0..atom.conjuncts.len() {
            if atom.conjuncts[index].params.is_empty() {
                lits.push(space.conjunct_at(atom, index, &[]));
            }
        }
    }
    lits
}

fn atoms(constraint: &Constraint) -> impl Iterator<Item = (&Arc<Atom>, &Vec<usize>)> {
    constraint.facts.iter().filter_map(|f| match &f.kind {
        FactKind::Atom(atom) => Some((atom, &f.positions)),
        _ => None,
    })
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

/// A part of the constraint that joins some position variables.
enum Factor {
    /// A conjunct of an atom, with the position variables of its parameters.
    Conjunct(Arc<Atom>, usize, Vec<usize>),
    /// What is left of variables that were eliminated, by the positions of `scope`.
    Table(HashMap<Vec<usize>, Lit>),
}

/// The encoding for all constraints: bucket elimination over the position variables.
pub(super) fn by_elimination(space: &mut Space<'_>, constraint: &Constraint) -> Lit {
    let mut orders: Vec<&Fact> = constraint.facts.iter().filter(|f| f.is_order()).collect();
    let mut factors: Vec<(Vec<usize>, Factor)> = Vec::new();
    for (atom, positions) in atoms(constraint) {
        for (index, conjunct) in atom.conjuncts.iter().enumerate() {
            let of: Vec<usize> = conjunct.params.iter().map(|&p| positions[p]).collect();
            let scope: Vec<usize> = of.iter().copied().collect::<BTreeSet<_>>().into_iter().collect();
            factors.push((scope, Factor::Conjunct(atom.clone(), index, of)));
        }
    }
    let mut results = constant_parts(space, constraint);
    factors.retain(|(scope, _)| !scope.is_empty());
    let mut left: BTreeSet<usize> = (0..constraint.positions).collect();
    while !left.is_empty() {
        let neighbours = |v: usize| -> BTreeSet<usize> {
            let by_fact = factors.iter().filter(|(scope, _)| scope.contains(&v)).flat_map(|(s, _)| s.clone());
            let by_order =
                orders.iter().filter(|f| f.positions.contains(&v)).flat_map(|f| f.positions.clone());
            by_fact.chain(by_order).filter(|&u| u != v).collect()
        };
        let Some(variable) = left.iter().copied().min_by_key(|&v| (neighbours(v).len(), v)) else { break };
        let scope: Vec<usize> = neighbours(variable).into_iter().collect();
        let (used, rest): (Vec<_>, Vec<_>) = factors.into_iter().partition(|(s, _)| s.contains(&variable));
        factors = rest;
        let mut elimination = Elimination {
            space,
            variables: scope.iter().copied().chain([variable]).collect(),
            factors: &used,
            orders: &orders,
            terms: HashMap::new(),
        };
        elimination.run(&mut Vec::new(), &mut Vec::new());
        let terms = elimination.terms;
        orders.retain(|f| !f.positions.contains(&variable));
        left.remove(&variable);
        let mut keys: Vec<&Vec<usize>> = terms.keys().collect();
        keys.sort_unstable();
        let mut table = HashMap::with_capacity(keys.len());
        for key in keys {
            let list: Vec<&[Lit]> = terms[key].iter().map(Vec::as_slice).collect();
            table.insert(key.clone(), implied(space, &list));
        }
        if scope.is_empty() {
            let no = space.circuit().no();
            results.push(table.get(&Vec::new()).copied().unwrap_or(no));
        } else {
            factors.push((scope, Factor::Table(table)));
        }
    }
    implied(space, &[&results])
}

/// Elimination of the last of `variables`: for each choice of the others, the terms under which some
/// position of it fits.
struct Elimination<'a, 'm> {
    space: &'a mut Space<'m>,
    variables: Vec<usize>,
    factors: &'a [(Vec<usize>, Factor)],
    orders: &'a [&'a Fact],
    terms: HashMap<Vec<usize>, Vec<Vec<Lit>>>,
}

impl Elimination<'_, '_> {
    fn run(&mut self, chosen: &mut Vec<usize>, lits: &mut Vec<Lit>) {
        let depth = chosen.len();
        if self.space.circuit().exhausted().is_some() {
            return;
        }
        if depth == self.variables.len() {
            self.terms.entry(chosen[..depth - 1].to_vec()).or_default().push(lits.clone());
            return;
        }
        for position in 0..=self.space.last() {
            chosen.push(position);
            let before = lits.len();
            if self.admits(chosen, lits) {
                self.run(chosen, lits);
            }
            lits.truncate(before);
            chosen.pop();
        }
    }

    /// Adds the literals of everything that the newest choice decides; false if that is impossible.
    fn admits(&mut self, chosen: &[usize], lits: &mut Vec<Lit>) -> bool {
        let (yes, no) = (self.space.circuit().yes(), self.space.circuit().no());
        let newest = self.variables[chosen.len() - 1];
        let place =
            |v: usize| self.variables.iter().position(|&u| u == v).and_then(|i| chosen.get(i)).copied();
        for fact in self.orders.iter().filter(|f| f.positions.contains(&newest)) {
            if let (Some(a), Some(b)) = (place(fact.positions[0]), place(fact.positions[1])) {
                let fits = if fact.kind == FactKind::Next { a + 1 == b } else { a < b };
                if !fits {
                    return false;
                }
            }
        }
        if chosen.len() == self.variables.len() {
            lits.push(self.space.alive(chosen[chosen.len() - 1]));
        }
        for (scope, factor) in self.factors.iter().filter(|(s, _)| s.contains(&newest)) {
            let Some(at) = scope.iter().map(|&v| place(v)).collect::<Option<Vec<usize>>>() else { continue };
            let lit = match factor {
                Factor::Table(table) => table.get(&at).copied().unwrap_or(no),
                Factor::Conjunct(atom, index, of) => {
                    let at: Vec<usize> = of.iter().filter_map(|&v| place(v)).collect();
                    self.space.conjunct_at(atom, *index, &at)
                }
            };
            if lit == no {
                return false;
            }
            if lit != yes {
                lits.push(lit);
            }
        }
        true
    }
}
