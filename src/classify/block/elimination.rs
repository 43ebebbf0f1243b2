//! Blocking by bucket elimination: one position variable goes after the other, along the graph of which facts
//! join which positions.

use super::{atoms, constant_parts, implied};
use crate::classify::constraint::Constraint;
use crate::classify::fact::{Atom, Fact, FactKind, Stretch};
use crate::classify::space::Space;
use crate::sat::Lit;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// A part of the constraint that joins some position variables.
enum Factor {
    /// A conjunct of an atom, with the position variables of its parameters.
    Conjunct(Arc<Atom>, usize, Vec<usize>),
    /// An absence, with the position variables of its stretch.
    Absent(Arc<Atom>, Stretch, Vec<usize>),
    /// What is left of variables that were eliminated, by the positions of `scope`.
    Table(HashMap<Vec<usize>, Lit>),
}

/// A constraint taken apart.
struct Parts<'c> {
    orders: Vec<&'c Fact>,
    /// Each with the position variables that it joins, ascending.
    factors: Vec<(Vec<usize>, Factor)>,
}

fn parts(constraint: &Constraint) -> Parts<'_> {
    let scope = |of: &[usize]| of.iter().copied().collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>();
    let mut factors: Vec<(Vec<usize>, Factor)> = Vec::new();
    for (atom, positions) in atoms(constraint) {
        for (index, conjunct) in atom.conjuncts.iter().enumerate() {
            let of: Vec<usize> = conjunct.params.iter().map(|&p| positions[p]).collect();
            factors.push((scope(&of), Factor::Conjunct(atom.clone(), index, of)));
        }
    }
    factors.retain(|(scope, _)| !scope.is_empty());
    for fact in &constraint.facts {
        if let FactKind::Absent(atom, stretch) = &fact.kind {
            let absent = Factor::Absent(atom.clone(), *stretch, fact.positions.clone());
            factors.push((scope(&fact.positions), absent));
        }
    }
    Parts { orders: constraint.facts.iter().filter(|f| f.is_order()).collect(), factors }
}

/// The position variables as they are eliminated: next always one that is joined with the fewest others, which
/// are given with it.
fn order_of_elimination(constraint: &Constraint) -> Vec<(usize, Vec<usize>)> {
    let Parts { orders, factors } = parts(constraint);
    let orders = orders.iter().map(|f| f.positions.clone());
    let mut joined: Vec<Vec<usize>> = factors.into_iter().map(|f| f.0).chain(orders).collect();
    let mut left: BTreeSet<usize> = (0..constraint.positions).collect();
    let mut order = Vec::new();
    let neighbours = |joined: &[Vec<usize>], v: usize| -> BTreeSet<usize> {
        joined.iter().filter(|s| s.contains(&v)).flatten().copied().filter(|&u| u != v).collect()
    };
    while let Some(variable) = left.iter().copied().min_by_key(|&v| (neighbours(&joined, v).len(), v)) {
        let scope: Vec<usize> = neighbours(&joined, variable).into_iter().collect();
        joined.retain(|s| !s.contains(&variable));
        joined.push(scope.clone());
        left.remove(&variable);
        order.push((variable, scope));
    }
    order
}

/// At most how many terms elimination makes for traces of so many positions.
pub fn terms(constraint: &Constraint, positions: usize) -> u64 {
    let power = |scope: &[usize]| (positions as u64).saturating_pow(scope.len() as u32 + 1);
    order_of_elimination(constraint).iter().fold(0, |sum, (_, scope)| power(scope).saturating_add(sum))
}

/// The encoding for all constraints: bucket elimination over the position variables.
pub fn by_elimination(space: &mut Space<'_>, constraint: &Constraint) -> Lit {
    let Parts { mut orders, mut factors } = parts(constraint);
    let mut results = constant_parts(space, constraint);
    for (variable, scope) in order_of_elimination(constraint) {
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
                Factor::Absent(atom, stretch, of) => {
                    let at: Vec<usize> = of.iter().filter_map(|&v| place(v)).collect();
                    self.space.absent_at(atom, *stretch, &at)
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
