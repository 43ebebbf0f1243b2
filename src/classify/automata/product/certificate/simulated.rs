//! Checks a certificate by simulation: evaluates the encoding of one step on all states of the certificate,
//! one label after the other. A solver only confirms that all initial states are listed.

use super::claims::{CertificateClaims, Valuation};
use super::initial::all_initial_are_among;
use super::{Confirmed, ProductCertificate, Refuted};
use crate::automata::encoded::{Encoded, NotEncoded};
use crate::facts::problem::Problem;
use hashbrown::HashTable;
use kit::budget::{Budget, Limited};
use kit::number::to_u32;
use lang::model::value::State;
use rustc_hash::{FxHashMap, FxHasher};
use solvers::sat::{Backend, LANES, Lanes, Lit, Signal, Simulation};
use std::hash::Hasher;

/// The reason why a simulation does not confirm a certificate.
enum SimulationFailure {
    /// The certificate is wrong.
    Refuted(&'static str),
    /// The encoding depends on more than the state and the label, or there are too many letters.
    Unsuitable,
}

impl ProductCertificate<'_> {
    /// Checks the certificate by simulation of the encoding; `None` if a label leaves a choice, or there are
    /// too many labels or letters.
    pub fn check_by_simulation(
        &self,
        problem: Problem<'_>,
        backend: Backend,
        budget: &Budget,
    ) -> Limited<Option<Result<Confirmed, Refuted>>> {
        let encoded = match Encoded::new(problem, self.automata, budget) {
            Ok(encoded) => encoded,
            Err(NotEncoded::Budget(why)) => return Err(why),
            Err(NotEncoded::Labels(_)) => return Ok(None),
        };
        match self.simulate(&encoded, budget)? {
            Ok(()) => {}
            Err(SimulationFailure::Unsuitable) => return Ok(None),
            Err(SimulationFailure::Refuted(at)) => return Ok(Some(Err(Refuted { at }))),
        }
        let initial = &self.graph.states[..self.graph.initial];
        let (complete, circuit) = all_initial_are_among(initial, problem.model, backend, budget)?;
        if !complete {
            return Ok(Some(Err(Refuted { at: "an initial state" })));
        }
        let mut confirmed = Confirmed::by_solver(&[&circuit]);
        confirmed.by = format!("simulation and {}", confirmed.by);
        confirmed.variables = confirmed.variables.max(encoded.gates.definitions.len());
        Ok(Some(Ok(confirmed)))
    }

    fn simulate(&self, encoded: &Encoded, budget: &Budget) -> Limited<Result<(), SimulationFailure>> {
        let states = StateVectors::new(encoded, &self.graph.states);
        let mut simulation = Simulation::new(&encoded.gates.definitions, &encoded.gates.inputs);
        let (alphabet, letters) = match Alphabet::new(encoded) {
            Some(read) => read,
            None => return Ok(Err(SimulationFailure::Unsuitable)),
        };
        let Some(moments) = MomentValuations::new(encoded, &states, &mut simulation, alphabet) else {
            return Ok(Err(SimulationFailure::Unsuitable));
        };
        if moments.violates != self.violates {
            return Ok(Err(SimulationFailure::Refuted("the invariant")));
        }
        let claims = match CertificateClaims::new(self, letters) {
            Ok(claims) => claims,
            Err(Refuted { at }) => return Ok(Err(SimulationFailure::Refuted(at))),
        };
        let first = |state: usize| claims.begins(state, moments.valuation(0, state));
        if !(0..self.graph.initial).all(first) {
            return Ok(Err(SimulationFailure::Refuted("an initial state")));
        }
        let mut walk = StepCheck { encoded, states: &states, simulation, moments, claims, after: Vec::new() };
        let mut first = 0;
        while first < states.len() {
            walk.simulation.assign(states.batch(first));
            for label in 0..encoded.gates.labels.len() {
                budget.check()?;
                if let Err(failed) = walk.steps(first, label) {
                    return Ok(Err(failed));
                }
            }
            first += LANES;
        }
        Ok(Ok(()))
    }
}

/// The listed states as bit vectors: one bit for each literal of a state's parts.
struct StateVectors {
    /// The literals, each with its counterpart after the step.
    literals: Vec<(Lit, Lit)>,
    words_per_state: usize,
    words: Vec<u64>,
    index: HashTable<u32>,
}

impl StateVectors {
    fn new(encoded: &Encoded, states: &[State]) -> Self {
        let pairs = |part: &solvers::unroll::PairedLeaf| {
            part.free.iter().copied().zip(part.other.iter().copied()).collect::<Vec<_>>()
        };
        let literals: Vec<(Lit, Lit)> = encoded.gates.parts.iter().flat_map(pairs).collect();
        let words_per_state = literals.len().div_ceil(64).max(1);
        let mut all = Self { literals, words_per_state, words: Vec::new(), index: HashTable::new() };
        // For each variable of the circuit, the bits set where it is true, and where it is false.
        let mut bits: Vec<[Vec<usize>; 2]> = Vec::new();
        for (bit, (lit, _)) in all.literals.iter().enumerate() {
            if bits.len() <= lit.vidx() {
                bits.resize_with(lit.vidx() + 1, Default::default);
            }
            bits[lit.vidx()][usize::from(lit.is_neg())].push(bit);
        }
        let mut state_words = vec![0u64; words_per_state];
        for (number, state) in states.iter().enumerate() {
            state_words.fill(0);
            for (symbolic, value) in encoded.gates.variables.iter().zip(&state.0) {
                symbolic.each_literal(Some(value), &mut |lit, holds| {
                    if let Some(bits) = bits.get(lit.vidx()) {
                        let set = &bits[usize::from(holds == lit.is_neg())];
                        set.iter().for_each(|bit| state_words[bit / 64] |= 1 << (bit % 64));
                    }
                });
            }
            all.words.extend_from_slice(&state_words);
            let Self { words, index, .. } = &mut all;
            let of = |&number: &u32| hash(&words[number as usize * words_per_state..][..words_per_state]);
            index.insert_unique(hash(&state_words), to_u32(number), of);
        }
        all
    }

    fn len(&self) -> usize {
        self.words.len() / self.words_per_state
    }

    fn of(&self, number: usize) -> &[u64] {
        &self.words[number * self.words_per_state..][..self.words_per_state]
    }

    fn find(&self, words: &[u64]) -> Option<usize> {
        let found = self.index.find(hash(words), |&number| self.of(number as usize) == words);
        found.map(|&number| number as usize)
    }

    /// Returns the states of the batch that begins with `first`.
    fn lanes(&self, first: usize) -> std::ops::Range<usize> {
        first..self.len().min(first + LANES)
    }

    /// Returns the values of the literals in a batch of states. Unused lanes repeat the last state.
    fn batch(&self, first: usize) -> impl Iterator<Item = (Lit, Lanes)> {
        let mut columns: Vec<Lanes> = vec![[0; LANES / 64]; self.literals.len()];
        for (lane, number) in
            self.lanes(first).chain(std::iter::repeat(self.len() - 1)).take(LANES).enumerate()
        {
            for (word, &bits) in self.of(number).iter().enumerate() {
                for bit in ones(bits) {
                    columns[64 * word + bit][lane / 64] |= 1 << (lane % 64);
                }
            }
        }
        self.literals.iter().map(|(lit, _)| *lit).zip(columns)
    }
}

/// The letters of automata by their bit in valuations.
struct Alphabet {
    /// For the moment without label, then for each label: the literals of all letters.
    literals: Vec<Vec<Lit>>,
}

impl Alphabet {
    /// Numbers the distinct letters and returns, for each automaton, the bits of its letters; `None` if there are too many.
    fn new(encoded: &Encoded) -> Option<(Self, Vec<Vec<usize>>)> {
        let mut numbers: FxHashMap<Vec<Lit>, usize> = FxHashMap::default();
        let mut of_automata = Vec::new();
        for automaton in 0..encoded.letters[0].len() {
            let mut bits = Vec::new();
            for letter in 0..encoded.letters[0][automaton].len() {
                let column = encoded.letters.iter().map(|letters| letters[automaton][letter]).collect();
                let next = numbers.len();
                bits.push(*numbers.entry(column).or_insert(next));
            }
            of_automata.push(bits);
        }
        if numbers.len() > Valuation::BITS as usize {
            return None;
        }
        let mut literals = vec![vec![]; encoded.letters.len()];
        let mut columns: Vec<(Vec<Lit>, usize)> = numbers.into_iter().collect();
        columns.sort_unstable_by_key(|(_, number)| *number);
        for (column, _) in columns {
            literals.iter_mut().zip(column).for_each(|(literals, lit)| literals.push(lit));
        }
        Some((Self { literals }, of_automata))
    }
}

/// The valuations of moments in the listed states.
struct MomentValuations {
    /// For each state, true if it violates the invariant.
    violates: Vec<bool>,
    /// For each state, the valuation at the moment without label.
    without_label: Vec<Valuation>,
    /// For the moment without label, then for each label: the differences from those valuations.
    differences: Vec<ValuationDifferences>,
    /// The truth values of literals, a bit for each state.
    truth: Vec<Vec<u64>>,
}

/// The differences between valuations at moments with a label and without.
#[derive(Default)]
struct ValuationDifferences {
    /// Letters with the same value.
    same: Valuation,
    /// Other letters that hold in all states.
    holding: Valuation,
    /// Letters with another dependence on the state: their bits, and indices of their truth values.
    others: Vec<(usize, usize)>,
}

impl MomentValuations {
    /// Evaluates the letters in all states; `None` if one depends on more than the state.
    fn new(
        encoded: &Encoded,
        states: &StateVectors,
        simulation: &mut Simulation<'_>,
        alphabet: Alphabet,
    ) -> Option<Self> {
        let mut truth_of: FxHashMap<Lit, usize> = FxHashMap::default();
        let mut asked: Vec<Lit> = Vec::new();
        let base = &alphabet.literals[0];
        let mut differences = Vec::new();
        for literals in &alphabet.literals {
            let mut difference = ValuationDifferences::default();
            for (bit, (&lit, &without)) in literals.iter().zip(base).enumerate() {
                if lit == without {
                    difference.same |= 1 << bit;
                } else if lit.vidx() == 0 {
                    difference.holding |= Valuation::from(lit.is_pos()) << bit;
                } else {
                    let place = *truth_of.entry(lit).or_insert_with(|| {
                        asked.push(lit);
                        asked.len() - 1
                    });
                    difference.others.push((bit, place));
                }
            }
            differences.push(difference);
        }
        let mut moments = Self {
            violates: Vec::with_capacity(states.len()),
            without_label: vec![0; states.len()],
            differences,
            truth: vec![Vec::new(); asked.len()],
        };
        for first in (0..states.len()).step_by(LANES) {
            simulation.assign(states.batch(first));
            simulation.select(&[]);
            let mut read = |lit: Lit| simulation.signal(lit).map(|signal| simulation.lanes(signal));
            let good = read(encoded.good)?;
            moments.violates.extend(states.lanes(first).map(|state| !bit_of(&good, state - first)));
            for (bit, &lit) in base.iter().enumerate() {
                let lanes = read(lit)?;
                let valuations = &mut moments.without_label[states.lanes(first)];
                for (lane, valuation) in valuations.iter_mut().enumerate() {
                    *valuation |= Valuation::from(bit_of(&lanes, lane)) << bit;
                }
            }
            for (truth, &lit) in moments.truth.iter_mut().zip(&asked) {
                truth.extend(read(lit)?);
            }
        }
        Some(moments)
    }

    /// Returns the valuation at a moment: without label for 0, otherwise with label number `label - 1`.
    fn valuation(&self, label: usize, state: usize) -> Valuation {
        let ValuationDifferences { same, holding, others } = &self.differences[label];
        let mut valuation = (self.without_label[state] & same) | holding;
        for &(bit, place) in others {
            valuation |= Valuation::from(bit_of(&self.truth[place], state)) << bit;
        }
        valuation
    }
}

/// The check of the steps from all non-violating states.
struct StepCheck<'c> {
    encoded: &'c Encoded,
    states: &'c StateVectors,
    simulation: Simulation<'c>,
    moments: MomentValuations,
    claims: CertificateClaims<'c>,
    /// The states after a step, for all lanes.
    after: Vec<u64>,
}

impl StepCheck<'_> {
    /// Checks the steps with a label from the states of the current batch.
    fn steps(&mut self, first: usize, label: usize) -> Result<(), SimulationFailure> {
        let Self { encoded, states, simulation, moments, claims, after } = self;
        simulation.select(&encoded.gates.labels[label]);
        let mut enabled: Lanes = [0; LANES / 64];
        for state in states.lanes(first).filter(|&state| !moments.violates[state]) {
            enabled[(state - first) / 64] |= 1 << ((state - first) % 64);
        }
        for constraint in &encoded.gates.step {
            match simulation.constraint(constraint).ok_or(SimulationFailure::Unsuitable)? {
                Signal::Constant(true) => continue,
                signal => and(&mut enabled, &simulation.lanes(signal)),
            }
            if enabled.iter().all(|word| *word == 0) {
                return Ok(());
            }
        }
        let per_state = states.words_per_state;
        after.clear();
        after.extend_from_slice(&states.words[first * per_state..states.lanes(first).end * per_state]);
        for (bit, &(now, next)) in states.literals.iter().enumerate() {
            let (now, next) = (simulation.signal(now), simulation.signal(next));
            let (Some(now), Some(next)) = (now, next) else { return Err(SimulationFailure::Unsuitable) };
            if now == next {
                continue;
            }
            let (now, next) = (simulation.lanes(now), simulation.lanes(next));
            for word in 0..enabled.len() {
                for lane in ones((now[word] ^ next[word]) & enabled[word]) {
                    after[(64 * word + lane) * per_state + bit / 64] ^= 1 << (bit % 64);
                }
            }
        }
        for (word, &enabled) in enabled.iter().enumerate() {
            for lane in ones(enabled) {
                let lane = 64 * word + lane;
                let Some(to) = states.find(&after[lane * per_state..][..per_state]) else {
                    return Err(SimulationFailure::Refuted("a step to a state that is not listed"));
                };
                if !claims.follows(first + lane, moments.valuation(label + 1, to), to) {
                    return Err(SimulationFailure::Refuted("a step"));
                }
            }
        }
        Ok(())
    }
}

fn and(lanes: &mut Lanes, other: &Lanes) {
    lanes.iter_mut().zip(other).for_each(|(word, other)| *word &= other);
}

fn bit_of(words: &[u64], bit: usize) -> bool {
    words[bit / 64] >> (bit % 64) & 1 == 1
}

/// Iterates over the set bits, ascending.
fn ones(mut bits: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let next = bits.trailing_zeros() as usize;
        bits &= bits.checked_sub(1)?;
        Some(next)
    })
}

fn hash(words: &[u64]) -> u64 {
    let mut hasher = FxHasher::default();
    words.iter().for_each(|&word| hasher.write_u64(word));
    hasher.finish()
}
