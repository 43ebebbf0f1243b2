//! Bit-parallel simulation: the values of a circuit's literals under many assignments at once. Nothing is searched for, and
//! no solver is involved.

use super::{CircuitConstraint, Gate, GateDefinition, Lit};
use kit::number::to_u32;

/// The words of a batch.
pub const WORDS: usize = 16;

/// How many assignments a batch has.
pub const LANES: usize = WORDS * u64::BITS as usize;

/// A truth value for each assignment of a batch, a bit each.
pub type Lanes = [u64; WORDS];

const NONE: Lanes = [0; WORDS];
const ALL: Lanes = [u64::MAX; WORDS];

/// The values of a literal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signal {
    /// One value under all assignments of the batch.
    Constant(bool),
    /// Values that are kept at some place of the simulation, or their negations. Where the places are equal, so are the
    /// values.
    Varying {
        /// The place of its lanes.
        place: u32,
        /// True if the values are the negations of those kept there.
        negated: bool,
    },
}

use Signal::{Constant, Varying};

impl std::ops::Not for Signal {
    type Output = Self;

    fn not(self) -> Self {
        match self {
            Constant(holds) => Constant(!holds),
            Varying { place, negated } => Varying { place, negated: !negated },
        }
    }
}

/// Evaluates a circuit. Gates are evaluated when they are asked for, and only as far as their values depend on it. Some of
/// the inputs, the selectors, have the same value in the whole batch; what does not depend on them stays known when they change.
pub struct Simulation<'c> {
    definitions: &'c [Option<GateDefinition>],
    selectors: Vec<Lit>,
    /// For each variable whether it depends on selectors.
    depends: Vec<bool>,
    signals: Vec<Option<Signal>>,
    lanes: Vec<Lanes>,
    /// Places that can be used again.
    unused: Vec<u32>,
    /// Variables and places that are right for the present selection only.
    selected: Vec<usize>,
    places: Vec<u32>,
}

impl<'c> Simulation<'c> {
    /// A simulation of the circuit with these definitions, a gate coming after its inputs. No input has a value yet.
    pub fn new(definitions: &'c [Option<GateDefinition>], selectors: &[Lit]) -> Self {
        let mut depends = vec![false; definitions.len()];
        selectors.iter().for_each(|lit| depends[lit.vidx()] = true);
        for (variable, definition) in definitions.iter().enumerate() {
            if let Some(definition) = definition {
                depends[variable] = definition.depends_on(&|lit| depends[lit.vidx()]);
            }
        }
        Self {
            definitions,
            selectors: selectors.to_vec(),
            depends,
            signals: vec![None; definitions.len()],
            lanes: Vec::new(),
            unused: Vec::new(),
            selected: Vec::new(),
            places: Vec::new(),
        }
    }

    /// Begins a batch: for each of the literals, which are inputs, its values. Unused lanes should repeat used ones.
    pub fn assign(&mut self, inputs: impl Iterator<Item = (Lit, Lanes)>) {
        self.signals.fill(None);
        self.lanes.clear();
        self.unused.clear();
        self.selected.clear();
        self.places.clear();
        // The variable that is always true.
        self.signals[0] = Some(Constant(true));
        for (lit, lanes) in inputs {
            let signal = self.kept(lanes, false);
            self.signals[lit.vidx()] = Some(if lit.is_neg() { !signal } else { signal });
        }
    }

    /// Selectors and negations of selectors that hold from now on. All other selectors do not.
    pub fn select(&mut self, holding: &[Lit]) {
        self.selected.drain(..).for_each(|variable| self.signals[variable] = None);
        self.unused.append(&mut self.places);
        for lit in &self.selectors {
            self.signals[lit.vidx()] = Some(Constant(lit.is_neg()));
        }
        for lit in holding {
            self.signals[lit.vidx()] = Some(Constant(lit.is_pos()));
        }
    }

    /// The values of a literal; `None` if they depend on an input that has none.
    pub fn signal(&mut self, lit: Lit) -> Option<Signal> {
        let variable = lit.vidx();
        let signal = match self.signals[variable] {
            Some(signal) => signal,
            None => {
                let depends = self.depends[variable];
                let signal = self.gate(self.definitions[variable].as_ref()?, depends)?;
                self.signals[variable] = Some(signal);
                if depends {
                    self.selected.push(variable);
                }
                signal
            }
        };
        Some(if lit.is_neg() { !signal } else { signal })
    }

    /// The values of a signal.
    pub fn lanes(&self, signal: Signal) -> Lanes {
        match signal {
            Constant(false) => NONE,
            Constant(true) => ALL,
            Varying { place, negated: false } => self.lanes[place as usize],
            Varying { place, negated: true } => self.lanes[place as usize].map(|word| !word),
        }
    }

    /// Where a constraint holds; `None` as with [`Simulation::signal`].
    pub fn constraint(&mut self, constraint: &CircuitConstraint) -> Option<Signal> {
        match constraint {
            CircuitConstraint::Clause(lits) => Some(!self.conjunction(lits.iter().map(|&lit| !lit), true)?),
            CircuitConstraint::AtMostOne(lits) => {
                let (mut once, mut twice) = (NONE, NONE);
                for &lit in lits {
                    let lanes = match self.signal(lit)? {
                        Constant(false) => continue,
                        signal => self.lanes(signal),
                    };
                    for word in 0..WORDS {
                        twice[word] |= once[word] & lanes[word];
                        once[word] |= lanes[word];
                    }
                }
                Some(!self.kept(twice, true))
            }
        }
    }

    fn gate(&mut self, definition: &GateDefinition, depends: bool) -> Option<Signal> {
        match definition {
            GateDefinition::All(inputs) => self.conjunction(inputs.iter().copied(), depends),
            GateDefinition::Gate(Gate::And(a, b)) => self.conjunction([*a, *b].into_iter(), depends),
            GateDefinition::Gate(Gate::Xor(a, b)) => match (self.signal(*a)?, self.signal(*b)?) {
                (Constant(holds), other) | (other, Constant(holds)) => {
                    Some(if holds { !other } else { other })
                }
                (a, b) => {
                    let (a, b) = (self.lanes(a), self.lanes(b));
                    Some(self.kept(std::array::from_fn(|word| a[word] ^ b[word]), depends))
                }
            },
            GateDefinition::Gate(Gate::Choice(c, a, b)) => match self.signal(*c)? {
                Constant(true) => self.signal(*a),
                Constant(false) => self.signal(*b),
                condition => {
                    let (a, b) = (self.signal(*a)?, self.signal(*b)?);
                    let (c, a, b) = (self.lanes(condition), self.lanes(a), self.lanes(b));
                    let choice = |word: usize| (c[word] & a[word]) | (!c[word] & b[word]);
                    Some(self.kept(std::array::from_fn(choice), depends))
                }
            },
        }
    }

    /// A conjunction. It is false where one input is, whatever the others depend on.
    fn conjunction(&mut self, inputs: impl Iterator<Item = Lit> + Clone, depends: bool) -> Option<Signal> {
        let known_false =
            |lit: Lit| self.signals[lit.vidx()].is_some_and(|signal| signal == Constant(lit.is_neg()));
        if inputs.clone().any(known_false) {
            return Some(Constant(false));
        }
        let mut only = Constant(true);
        let mut several = None;
        let mut open = false;
        for lit in inputs {
            match self.signal(lit) {
                None => open = true,
                Some(Constant(false)) => return Some(Constant(false)),
                Some(Constant(true)) => {}
                Some(signal) if only == Constant(true) => only = signal,
                Some(signal) => {
                    let (all, lanes) = (several.get_or_insert_with(|| self.lanes(only)), self.lanes(signal));
                    all.iter_mut().zip(lanes).for_each(|(all, word)| *all &= word);
                }
            }
        }
        match several {
            _ if open => None,
            None => Some(only),
            Some(lanes) => Some(self.kept(lanes, depends)),
        }
    }

    /// Keeps values, until the selection changes if they depend on it.
    fn kept(&mut self, lanes: Lanes, depends: bool) -> Signal {
        if lanes == NONE {
            return Constant(false);
        }
        if lanes == ALL {
            return Constant(true);
        }
        let place = match self.unused.pop() {
            Some(place) => {
                self.lanes[place as usize] = lanes;
                place
            }
            None => {
                self.lanes.push(lanes);
                to_u32(self.lanes.len()) - 1
            }
        };
        if depends {
            self.places.push(place);
        }
        Varying { place, negated: false }
    }
}
