//! Redundant clauses about selected values that unit propagation does not derive: without them, the solver
//! derives them by case distinction, separately for each position.

use super::symbolic::{Symbolic, literal_of};
use crate::sat::{Circuit, Lit};
use lang::model::value::Value;

use Symbolic as S;

impl Symbolic {
    /// Asserts that a scalar has at most one value, and at least one if `alive` holds and it is not below an
    /// absent composite.
    pub fn assert_choice(&self, c: &mut Circuit, alive: Lit) {
        match self {
            S::Bool(_) | S::Binary(_) | S::Set { .. } => {}
            S::Scalar(entries) => {
                let lits: Vec<Lit> = entries.iter().map(|(_, l)| *l).collect();
                c.at_most_one(&lits);
                let mut clause = lits;
                clause.push(!alive);
                c.add_clause(&clause);
            }
            S::Record { present, fields, .. } => {
                let there = c.and(alive, *present);
                fields.iter().for_each(|f| f.assert_choice(c, there));
            }
            S::Map { present, entries } => {
                let there = c.and(alive, *present);
                entries.iter().for_each(|(_, v)| v.assert_choice(c, there));
            }
        }
    }

    /// Given that this is one of `values` if `alive` holds, asserts that a literal true in all of them is true
    /// in this one.
    pub fn assert_agreement(&self, c: &mut Circuit, alive: Lit, values: &[&S]) {
        match self {
            S::Bool(result) => {
                let lits = values.iter().map(|s| match s {
                    S::Bool(lit) => *lit,
                    _ => c.no(),
                });
                agree(c, alive, lits.collect(), *result);
            }
            S::Binary(result) => {
                let numbers: Option<Vec<_>> = values.iter().map(|s| s.as_binary(c, false)).collect();
                let Some(numbers) = numbers else { return };
                for (index, bit) in result.open_bits() {
                    agree(c, alive, numbers.iter().map(|number| number.bit(index)).collect(), bit);
                }
            }
            S::Scalar(entries) | S::Set { members: entries, .. } => {
                let lists: Vec<Vec<(Value, Lit)>> = values.iter().map(|s| listed(c, s)).collect();
                for (value, result) in entries {
                    let lits = lists.iter().map(|list| literal_of(list, value).unwrap_or(c.no())).collect();
                    agree(c, alive, lits, *result);
                }
            }
            S::Record { present, .. } | S::Map { present, .. } => {
                let lits = values.iter().map(|s| s.is_some(c)).collect();
                agree(c, alive, lits, *present);
                for i in 0.. {
                    let Some(part) = self.part(i) else { break };
                    let parts: Option<Vec<&S>> = values.iter().map(|s| s.part(i)).collect();
                    parts.into_iter().for_each(|parts| part.assert_agreement(c, alive, &parts));
                }
            }
        }
    }

    /// The field or entry with this index.
    fn part(&self, number: usize) -> Option<&S> {
        match self {
            S::Record { fields, .. } => fields.get(number),
            S::Map { entries, .. } => entries.get(number).map(|(_, entry)| entry),
            _ => None,
        }
    }
}

/// Asserts that `alive` and all of `lits` imply `result`.
fn agree(c: &mut Circuit, alive: Lit, lits: Vec<Lit>, result: Lit) {
    let (yes, no) = (c.yes(), c.no());
    if result == yes || lits.is_empty() || lits.contains(&no) {
        return;
    }
    let mut clause = vec![!alive, result];
    clause.extend(lits.into_iter().filter(|&l| l != yes).map(|l| !l));
    c.add_clause(&clause);
}

/// The values listed by a scalar or a set.
fn listed(c: &mut Circuit, s: &S) -> Vec<(Value, Lit)> {
    match s {
        S::Set { members, .. } => members.clone(),
        _ => s.as_scalar(c),
    }
}
