//! The claims of a certificate about automata, and their preservation by moments.
//!
//! States of an automaton are compared by [`Automaton::simulating`]: if p simulates q, p accepts every
//! continuation that q accepts. This relation is checked first, edge by edge. The certificate claims of an
//! automaton that reads a trace without dropping superfluous states: each of its states is simulated by a
//! possible one, and each state of one of the memories is simulated by one of the automaton's. As reading a
//! moment preserves simulation, reading it with the states of the certificate is enough.

use super::{ProductCertificate, Refuted};
use crate::automata::automaton::{Automaton, AutomatonStates, Edge};
use crate::automata::product::memory::ProductMemory;
use kit::number::to_u32;
use rustc_hash::FxHashMap;

/// The truth values of all letters at a moment, as a bit set.
pub type Valuation = u128;

pub struct CertificateClaims<'c> {
    certificate: &'c ProductCertificate<'c>,
    /// For each automaton, its letters as bits of valuations.
    letters: Vec<Vec<usize>>,
    /// For each state of the graph, the number of its claim; equal claims have equal numbers.
    number: Vec<u32>,
    /// True if reading leads from one claim to another.
    known: FxHashMap<(u32, u32, Valuation), bool>,
}

impl<'c> CertificateClaims<'c> {
    /// Collects the claims; fails if they allow a sufficient class in a non-violating state.
    pub fn new(certificate: &'c ProductCertificate<'c>, letters: Vec<Vec<usize>>) -> Result<Self, Refuted> {
        if !certificate.automata.iter().all(simulates) {
            return Err(Refuted { at: "a simulation of states of an automaton" });
        }
        let mut numbers: FxHashMap<(bool, Vec<AutomatonStates>, &[ProductMemory]), u32> =
            FxHashMap::default();
        let mut number = Vec::with_capacity(certificate.graph.states.len());
        for state in 0..certificate.graph.states.len() {
            let violates = certificate.violates[state];
            let possible: Vec<AutomatonStates> =
                certificate.possible.iter().map(|possible| possible[state]).collect();
            let accepts = |&class: &usize| certificate.automata[class].accepts(possible[class]);
            if !violates && certificate.sufficient.iter().any(accepts) {
                return Err(Refuted { at: "a state without violation" });
            }
            let next = to_u32(numbers.len());
            number.push(*numbers.entry((violates, possible, &certificate.memories[state])).or_insert(next));
        }
        Ok(Self { certificate, letters, number, known: FxHashMap::default() })
    }

    /// True if the claim about a state is true of traces that begin there.
    pub fn begins(&self, state: usize, first: Valuation) -> bool {
        let start: Vec<AutomatonStates> = self.certificate.automata.iter().map(Automaton::start).collect();
        let memory: ProductMemory = self.certificate.covering.iter().map(|&class| start[class]).collect();
        self.leads(&start, &[memory], first, state)
    }

    /// True if the claim about a state follows from that about a state without violation before it.
    pub fn follows(&mut self, from: usize, read: Valuation, to: usize) -> bool {
        let key = (self.number[from], self.number[to], read);
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let possible: Vec<AutomatonStates> =
            self.certificate.possible.iter().map(|possible| possible[from]).collect();
        let follows = self.leads(&possible, &self.certificate.memories[from], read, to);
        self.known.insert(key, follows);
        follows
    }

    fn leads(
        &self,
        possible: &[AutomatonStates],
        memories: &[ProductMemory],
        read: Valuation,
        to: usize,
    ) -> bool {
        let certificate = self.certificate;
        let arrives = |memory: &ProductMemory| {
            let parts = certificate.covering.iter().zip(memory.iter());
            let after: Vec<AutomatonStates> =
                parts.map(|(&class, &bits)| self.after(class, bits, read)).collect();
            if certificate.violates[to] {
                let mut parts = certificate.covering.iter().zip(&after);
                return parts.any(|(&class, &bits)| certificate.automata[class].accepts(bits));
            }
            certificate.memories[to].iter().any(|claimed| {
                let mut parts = certificate.covering.iter().zip(claimed.iter()).zip(&after);
                parts.all(|((&class, claimed), has)| self.simulated(class, claimed, has))
            })
        };
        let mut classes = possible.iter().enumerate();
        let stays = |(class, &bits): (usize, &AutomatonStates)| {
            self.simulated(class, &self.after(class, bits, read), &certificate.possible[class][to])
        };
        (certificate.violates[to] || classes.all(stays)) && memories.iter().all(arrives)
    }

    /// True if each of the one states is simulated by one of the others.
    fn simulated(&self, class: usize, states: &AutomatonStates, by: &AutomatonStates) -> bool {
        states.states().all(|q| self.certificate.automata[class].simulating(q).meets(by))
    }

    /// Returns all targets of the edges enabled at a moment.
    fn after(&self, class: usize, bits: AutomatonStates, read: Valuation) -> AutomatonStates {
        let holds =
            |&(letter, value): &(usize, bool)| (read >> self.letters[class][letter] & 1 == 1) == value;
        let edges = self.certificate.automata[class].edges.iter();
        let taken = edges.filter(|edge| bits.contains(edge.from) && edge.conditions.iter().all(holds));
        taken.map(|edge| edge.to).collect()
    }
}

/// True if the simulations of an automaton are right: the one state accepts if the other does, and each edge of the other has
/// a counterpart that leads to a simulating state under no more conditions.
fn simulates(automaton: &Automaton) -> bool {
    let edges_of = |state: usize| automaton.edges.iter().filter(move |edge| edge.from == state);
    (0..automaton.states).all(|q| {
        automaton.simulating(q).states().all(|p| {
            let follows = |edge: &Edge| {
                let fewer = |other: &Edge| other.conditions.iter().all(|c| edge.conditions.contains(c));
                edges_of(p).any(|other| automaton.simulating(edge.to).contains(other.to) && fewer(other))
            };
            (automaton.is_accepting(p) || !automaton.is_accepting(q)) && edges_of(q).all(follows)
        })
    })
}
