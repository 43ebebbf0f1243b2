//! Random literals and brute force for the tests of the SAT layer.
#![allow(dead_code)]

pub use crate::random::Random;
use cladist::sat::Lit;

/// A literal over the first `variables` variables.
pub fn random_lit(random: &mut Random, variables: usize) -> Lit {
    Lit::new(random.below(variables) as u32, random.below(2) == 0)
}

/// That many literals, with repetition.
pub fn random_lits(random: &mut Random, count: usize, variables: usize) -> Vec<Lit> {
    (0..count).map(|_| random_lit(random, variables)).collect()
}

/// Clauses over at most 32 variables, decided by looking at every assignment.
#[derive(Clone, Default)]
pub struct BruteForce {
    clauses: Vec<(u32, u32)>,
}

impl BruteForce {
    pub fn add(&mut self, clause: &[Lit]) {
        let mask = |negated| {
            let lits = clause.iter().filter(|lit| lit.is_neg() == negated);
            lits.fold(0, |mask, lit| mask | 1 << lit.vidx())
        };
        self.clauses.push((mask(false), mask(true)));
    }

    pub fn holds(&self, assignment: u32) -> bool {
        self.clauses.iter().all(|&(pos, neg)| assignment & pos != 0 || !assignment & neg != 0)
    }

    pub fn satisfiable(&self, assumptions: &[Lit], variables: usize) -> bool {
        (0..1 << variables).any(|assignment| {
            assumptions.iter().all(|&lit| evaluate(lit, assignment)) && self.holds(assignment)
        })
    }
}

/// The value of a literal under an assignment given as bits.
pub fn evaluate(lit: Lit, assignment: u32) -> bool {
    (assignment >> lit.vidx() & 1 == 1) == lit.is_pos()
}

/// Whether `part` is what remains of `whole` when some entries are left out, and repeats nothing.
pub fn is_ordered_part(part: &[Lit], whole: &[Lit]) -> bool {
    let mut rest = whole.iter();
    let repeats = part.iter().enumerate().any(|(index, lit)| part[..index].contains(lit));
    !repeats && part.iter().all(|lit| rest.any(|other| other == lit))
}

/// The clauses that say: `holes + 1` pigeons sit in `holes` holes, alone. Variables start at `first`.
pub fn pigeon_hole(holes: u32, first: u32) -> Vec<Vec<Lit>> {
    let sits = |pigeon, hole| Lit::positive(first + pigeon * holes + hole);
    let mut clauses: Vec<Vec<Lit>> =
        (0..=holes).map(|pigeon| (0..holes).map(|hole| sits(pigeon, hole)).collect()).collect();
    for hole in 0..holes {
        for pigeon in 0..=holes {
            clauses.extend((0..pigeon).map(|other| vec![!sits(pigeon, hole), !sits(other, hole)]));
        }
    }
    clauses
}
