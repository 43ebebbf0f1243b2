//! Blocks by bucket elimination: removes one position variable after the other, along the graph of positions joined by facts.

use super::implied;
use crate::facts::atom::Atoms;
use crate::facts::constraint::Constraint;
use crate::facts::fact::{Fact, FactKind, Stretch};
use crate::facts::index::{AtomId, PositionVar};
use crate::oracles::sat::SatOracle;
use kit::number::to_u32;
use lang::model::Position;
use solvers::sat::Lit;
use std::collections::{BTreeSet, HashMap};

/// A part of the constraint that joins some position variables.
struct Factor {
    /// The position variables, ascending.
    scope: Vec<PositionVar>,
    kind: FactorKind,
}

enum FactorKind {
    /// A conjunct of an atom, with the position variables of its parameters.
    Conjunct { atom: AtomId, conjunct: usize, of: Vec<PositionVar> },
    /// An absence, with the position variables of its stretch.
    Absent { atom: AtomId, stretch: Stretch, of: Vec<PositionVar> },
    /// The result of eliminated variables, by the positions of the scope.
    Table(HashMap<Vec<Position>, Lit>),
}

impl Factor {
    /// Creates a part that reads these position variables.
    fn new(of: &[PositionVar], kind: FactorKind) -> Self {
        let scope = of.iter().copied().collect::<BTreeSet<_>>().into_iter().collect();
        Self { scope, kind }
    }
}

struct ConstraintParts<'c> {
    orders: Vec<&'c Fact>,
    factors: Vec<Factor>,
}

/// A position variable to eliminate, with the others joined by that.
struct EliminationStep {
    variable: PositionVar,
    scope: Vec<PositionVar>,
}

fn parts<'c>(atoms: &Atoms, constraint: &'c Constraint) -> ConstraintParts<'c> {
    let mut factors: Vec<Factor> = Vec::new();
    for fact in &constraint.facts {
        let FactKind::Atom(atom) = fact.kind else { continue };
        for (conjunct, part) in atoms.get(atom).conjuncts.iter().enumerate() {
            let of: Vec<PositionVar> = part.params.iter().map(|&p| fact.positions[p]).collect();
            factors.push(Factor::new(&of.clone(), FactorKind::Conjunct { atom, conjunct, of }));
        }
    }
    factors.retain(|factor| !factor.scope.is_empty());
    for fact in &constraint.facts {
        if let FactKind::Absent(atom, stretch) = fact.kind {
            let of = fact.positions.clone();
            factors.push(Factor::new(&fact.positions, FactorKind::Absent { atom, stretch, of }));
        }
    }
    ConstraintParts { orders: constraint.facts.iter().filter(|f| f.is_order()).collect(), factors }
}

/// Returns the literals of conjuncts that read no position.
fn constant_parts(oracle: &mut SatOracle<'_>, constraint: &Constraint) -> Vec<Lit> {
    let mut lits = Vec::new();
    for fact in &constraint.facts {
        let FactKind::Atom(atom) = fact.kind else { continue };
        for (index, conjunct) in oracle.atoms.get(atom).conjuncts.iter().enumerate() {
            if conjunct.params.is_empty() {
                lits.push(oracle.conjunct_at(atom, index, &[]));
            }
        }
    }
    lits
}

/// Returns the order of elimination: always a variable joined with the fewest others.
fn order_of_elimination(atoms: &Atoms, constraint: &Constraint) -> Vec<EliminationStep> {
    let ConstraintParts { orders, factors } = parts(atoms, constraint);
    let orders = orders.iter().map(|f| f.positions.clone());
    let mut joined: Vec<Vec<PositionVar>> = factors.into_iter().map(|f| f.scope).chain(orders).collect();
    let mut left: BTreeSet<PositionVar> = constraint.variables().collect();
    let mut order = Vec::new();
    let neighbours = |joined: &[Vec<PositionVar>], v: PositionVar| -> BTreeSet<PositionVar> {
        joined.iter().filter(|s| s.contains(&v)).flatten().copied().filter(|&u| u != v).collect()
    };
    while let Some(variable) = left.iter().copied().min_by_key(|&v| (neighbours(&joined, v).len(), v)) {
        let scope: Vec<PositionVar> = neighbours(&joined, variable).into_iter().collect();
        joined.retain(|s| !s.contains(&variable));
        joined.push(scope.clone());
        left.remove(&variable);
        order.push(EliminationStep { variable, scope });
    }
    order
}

/// Returns an upper bound on the number of terms of elimination for traces with `positions` positions.
pub fn terms(atoms: &Atoms, constraint: &Constraint, positions: usize) -> u64 {
    let power = |step: &EliminationStep| (positions as u64).saturating_pow(to_u32(step.scope.len()) + 1);
    order_of_elimination(atoms, constraint).iter().fold(0, |sum, step| power(step).saturating_add(sum))
}

/// Encodes any ground constraint by bucket elimination over the position variables.
pub fn by_elimination(oracle: &mut SatOracle<'_>, constraint: &Constraint) -> Lit {
    let ConstraintParts { mut orders, mut factors } = parts(oracle.atoms, constraint);
    let mut results = constant_parts(oracle, constraint);
    for EliminationStep { variable, scope } in order_of_elimination(oracle.atoms, constraint) {
        let (used, rest): (Vec<_>, Vec<_>) = factors.into_iter().partition(|f| f.scope.contains(&variable));
        factors = rest;
        let mut elimination = Elimination {
            oracle,
            variables: scope.iter().copied().chain([variable]).collect(),
            factors: &used,
            orders: &orders,
            terms: HashMap::new(),
        };
        elimination.run(&mut Vec::new(), &mut Vec::new());
        let terms = elimination.terms;
        orders.retain(|f| !f.positions.contains(&variable));
        let mut keys: Vec<&Vec<Position>> = terms.keys().collect();
        keys.sort_unstable();
        let mut table = HashMap::with_capacity(keys.len());
        for key in keys {
            let list: Vec<&[Lit]> = terms[key].iter().map(Vec::as_slice).collect();
            table.insert(key.clone(), implied(oracle, &list));
        }
        if scope.is_empty() {
            let no = oracle.circuit().no();
            results.push(table.get(&Vec::new()).copied().unwrap_or(no));
        } else {
            factors.push(Factor { scope, kind: FactorKind::Table(table) });
        }
    }
    implied(oracle, &[&results])
}

/// Eliminates the last of `variables`: collects, for each choice of the others, the terms under which it has a position.
struct Elimination<'a, 'm> {
    oracle: &'a mut SatOracle<'m>,
    variables: Vec<PositionVar>,
    factors: &'a [Factor],
    orders: &'a [&'a Fact],
    terms: HashMap<Vec<Position>, Vec<Vec<Lit>>>,
}

impl Elimination<'_, '_> {
    fn run(&mut self, chosen: &mut Vec<Position>, lits: &mut Vec<Lit>) {
        let depth = chosen.len();
        if self.oracle.circuit().exhausted().is_some() {
            return;
        }
        if depth == self.variables.len() {
            self.terms.entry(chosen[..depth - 1].to_vec()).or_default().push(lits.clone());
            return;
        }
        for position in self.oracle.positions() {
            chosen.push(position);
            let before = lits.len();
            if self.admits(chosen, lits) {
                self.run(chosen, lits);
            }
            lits.truncate(before);
            chosen.pop();
        }
    }

    /// Adds the literals decided by the newest choice; false if it is impossible.
    fn admits(&mut self, chosen: &[Position], lits: &mut Vec<Lit>) -> bool {
        let (yes, no) = (self.oracle.circuit().yes(), self.oracle.circuit().no());
        let newest = self.variables[chosen.len() - 1];
        let place =
            |v: PositionVar| self.variables.iter().position(|&u| u == v).and_then(|i| chosen.get(i)).copied();
        for fact in self.orders.iter().filter(|f| f.positions.contains(&newest)) {
            if let (FactKind::Order(order), Some(first), Some(second)) =
                (fact.kind, place(fact.positions[0]), place(fact.positions[1]))
                && !order.holds(first, second)
            {
                return false;
            }
        }
        if chosen.len() == self.variables.len() {
            lits.push(self.oracle.alive(chosen[chosen.len() - 1]));
        }
        for factor in self.factors.iter().filter(|f| f.scope.contains(&newest)) {
            let Some(at) = factor.scope.iter().map(|&v| place(v)).collect::<Option<Vec<Position>>>() else {
                continue;
            };
            let lit = match &factor.kind {
                FactorKind::Table(table) => table.get(&at).copied().unwrap_or(no),
                FactorKind::Conjunct { atom, conjunct, of } => {
                    let at: Vec<Position> = of.iter().filter_map(|&v| place(v)).collect();
                    self.oracle.conjunct_at(*atom, *conjunct, &at)
                }
                FactorKind::Absent { atom, stretch, of } => {
                    let at: Vec<Position> = of.iter().filter_map(|&v| place(v)).collect();
                    self.oracle.absent_at(*atom, *stretch, &at)
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
