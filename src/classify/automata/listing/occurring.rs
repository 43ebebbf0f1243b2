//! Facts about one position that hold in some trace of a kind, or fail in one: walks over the listed states,
//! each for many facts at once.

use super::{Listing, POLL};
use crate::automata::letter::LocalFact;
use crate::automata::remembered;
use crate::facts::atom::Atoms;
use crate::facts::constraint::Constraint;
use kit::budget::{Budget, Limited};
use kit::number::to_u32;
use std::ops::RangeInclusive;

/// The greatest number of ways in which one fact may hold at a moment.
const MOST_WAYS: usize = 64;
/// The number of facts of one walk: one bit of a word each, with one bit reserved.
const TOGETHER: usize = u64::BITS as usize - 1;
/// The reserved bit: some trace leads to the state, with any facts.
const ARRIVED: u64 = 1 << TOGETHER;

/// Facts about one position, with the arrivals where they hold.
pub struct Occurring<'l> {
    listing: &'l Listing<'l>,
    groups: Vec<FactGroup>,
}

/// The facts of one walk.
struct FactGroup {
    /// Their numbers.
    facts: Vec<usize>,
    /// For each arrival, the bits of the facts that hold there.
    holding: Vec<u64>,
}

/// Traces of certain lengths that end in their first violation, or have none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ViolationTraces {
    /// True if they are violating.
    pub violating: bool,
    /// The numbers of steps.
    pub steps: RangeInclusive<usize>,
}

/// Combines the bits before an arrival with those of the facts that hold there.
type BitCombiner = fn(u64, u64) -> u64;

impl Listing<'_> {
    /// Evaluates those of the numbered constraints that are about one position only.
    ///
    /// # Errors
    /// If the budget ends.
    pub fn occurring<'c>(
        &mut self,
        atoms: &Atoms,
        constraints: impl Iterator<Item = (usize, &'c Constraint)>,
        budget: &Budget,
    ) -> Limited<Occurring<'_>> {
        let ways = constraints.filter_map(|(number, fact)| Some((number, self.ways(atoms, fact)?)));
        let facts: Vec<(usize, Vec<Vec<usize>>)> = ways.collect();
        self.evaluate(budget)?;
        let listing: &Self = self;
        let groups = facts.chunks(TOGETHER).map(|facts| listing.group(facts)).collect();
        Ok(Occurring { listing, groups })
    }

    /// Returns, for each way in which a constraint can hold at a moment, the letters that hold then; `None`
    /// if single moments do not decide the constraint.
    fn ways(&mut self, atoms: &Atoms, constraint: &Constraint) -> Option<Vec<Vec<usize>>> {
        if constraint.positions != 1 {
            return None;
        }
        let choices = remembered::local_choices(self.model, atoms, constraint, MOST_WAYS)?;
        let mut ways = Vec::new();
        for choice in choices {
            let mut letter = |fact| match fact {
                LocalFact::Holds { letter, .. } if choice.positions == 1 => {
                    Some(letter.number_in(&mut self.letters))
                }
                _ => None,
            };
            ways.push(choice.facts.into_iter().map(&mut letter).collect::<Option<Vec<usize>>>()?);
        }
        Some(ways)
    }

    fn group(&self, facts: &[(usize, Vec<Vec<usize>>)]) -> FactGroup {
        let holds = |ways: &[Vec<usize>], arrival: usize| {
            ways.iter().any(|way| way.iter().all(|&letter| self.truth[letter].has(arrival)))
        };
        let bits = |arrival| {
            let bit =
                |(bit, (_, ways)): (usize, &(usize, Vec<Vec<usize>>))| u64::from(holds(ways, arrival)) << bit;
            facts.iter().enumerate().map(bit).fold(0, |all, bit| all | bit)
        };
        FactGroup {
            facts: facts.iter().map(|(number, _)| *number).collect(),
            holding: (0..self.graph.arrivals.len()).map(bits).collect(),
        }
    }
}

impl Occurring<'_> {
    /// Iterates over the numbers of all facts that are decided here.
    pub fn all(&self) -> impl Iterator<Item = usize> {
        self.groups.iter().flat_map(|group| group.facts.iter().copied())
    }

    /// Returns the facts that some of these traces have.
    ///
    /// # Errors
    /// If the budget ends.
    pub fn had(&self, traces: &ViolationTraces, budget: &Budget) -> Limited<Vec<usize>> {
        self.walk(ARRIVED, |from, there| if from == 0 { 0 } else { from | there }, traces, budget)
    }

    /// Returns the facts that some of these traces lack.
    ///
    /// # Errors
    /// If the budget ends.
    pub fn lacked(&self, traces: &ViolationTraces, budget: &Budget) -> Limited<Vec<usize>> {
        self.walk(u64::MAX, |from, there| from & !there, traces, budget)
    }

    /// Returns the facts whose bits reach an end of these traces.
    fn walk(
        &self,
        start: u64,
        pass: BitCombiner,
        traces: &ViolationTraces,
        budget: &Budget,
    ) -> Limited<Vec<usize>> {
        let mut found = Vec::new();
        for group in &self.groups {
            let ends = self.ends((group, start, pass), &traces.steps, budget)?;
            let violates = self.listing.violates.iter();
            let ends = ends.iter().zip(violates).filter(|(_, violates)| **violates == traces.violating);
            let bits = ends.fold(0, |all, (bits, _)| all | bits);
            let facts = group.facts.iter().enumerate();
            found.extend(facts.filter(|(bit, _)| bits >> bit & 1 == 1).map(|(_, &fact)| fact));
        }
        Ok(found)
    }

    /// Returns, for each state, the bits with which traces of these lengths lead there.
    fn ends(
        &self,
        (group, start, pass): (&FactGroup, u64, BitCombiner),
        steps: &RangeInclusive<usize>,
        budget: &Budget,
    ) -> Limited<Vec<u64>> {
        let Listing { graph, violates, .. } = self.listing;
        let mut all = vec![0; graph.states.len()];
        if steps.is_empty() {
            return Ok(all);
        }
        let arrive = |layer: &mut Layer, from: u64, arrival: u32| {
            layer.add(graph.state_of(arrival), pass(from, group.holding[arrival as usize]));
        };
        let mut layer = Layer::new(graph.states.len());
        (0..to_u32(graph.initial)).for_each(|arrival| arrive(&mut layer, start, arrival));
        for step in 0..=*steps.end() {
            if step >= *steps.start() {
                // Known bits were already propagated from here.
                layer.keep_new(&mut all);
            }
            if step == *steps.end() || layer.states.is_empty() {
                break;
            }
            let mut next = Layer::new(graph.states.len());
            for (index, &state) in layer.states.iter().enumerate().filter(|(_, state)| !violates[**state]) {
                if index.is_multiple_of(POLL) {
                    budget.check()?;
                }
                graph.steps[state].iter().for_each(|&to| arrive(&mut next, layer.bits[state], to));
            }
            layer = next;
        }
        Ok(all)
    }
}

/// The states and bits reached after some number of steps.
struct Layer {
    /// For each state, the bits with which traces lead there.
    bits: Vec<u64>,
    /// The states with bits.
    states: Vec<usize>,
}

impl Layer {
    fn new(states: usize) -> Self {
        Self { bits: vec![0; states], states: Vec::new() }
    }

    fn add(&mut self, state: usize, bits: u64) {
        if self.bits[state] == 0 && bits != 0 {
            self.states.push(state);
        }
        self.bits[state] |= bits;
    }

    /// Keeps only the new bits, and adds them to the known ones.
    fn keep_new(&mut self, known: &mut [u64]) {
        for &state in &self.states {
            self.bits[state] &= !known[state];
            known[state] |= self.bits[state];
        }
        self.states.retain(|&state| self.bits[state] != 0);
    }
}
