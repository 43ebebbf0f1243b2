//! Bit-parallel simulation: the values of a circuit's literals under many assignments at once. Nothing is searched for, and
//! no solver is involved.

use super::{Constraint, Definition, Gate, Lit};

/// The words of a batch.
const WORDS: usize = 16;

/// How many assignments a batch has.
pub const LANES: usize = WORDS * u64::BITS as usize;

/// A truth value for each assignment of a batch, a bit each.
pub type Lanes = [u64; WORDS];

const NONE: Lanes = [0; WORDS];
const ALL: Lanes = [u64::MAX; WORDS];

/// The values of a literal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signal {
    /// The same under all assignments of the batch.
    Constant(bool),
    /// Values that are kept at some place of the simulation, or their negations. Where the places are equal, so are the
    /// values.
    Varying {
        /// The place.
        place: u32,
        /// Whether the values are the negations of those kept there.
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
    definitions: &'c [Option<Definition>],
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
    pub fn new(definitions: &'c [Option<Definition>], selectors: &[Lit]) -> Self {
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
    pub fn constraint(&mut self, constraint: &Constraint) -> Option<Signal> {
        match constraint {
            Constraint::Clause(lits) => Some(!self.conjunction(lits.iter().map(|&lit| !lit), true)?),
            Constraint::AtMostOne(lits) => {
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

    fn gate(&mut self, definition: &Definition, depends: bool) -> Option<Signal> {
        match definition {
            Definition::All(inputs) => self.conjunction(inputs.iter().copied(), depends),
            Definition::Gate(Gate::And(a, b)) => self.conjunction([*a, *b].into_iter(), depends),
            Definition::Gate(Gate::Xor(a, b)) => match (self.signal(*a)?, self.signal(*b)?) {
                (Constant(holds), other) | (other, Constant(holds)) => {
                    Some(if holds { !other } else { other })
                }
                (a, b) => {
                    let (a, b) = (self.lanes(a), self.lanes(b));
                    Some(self.kept(std::array::from_fn(|word| a[word] ^ b[word]), depends))
                }
            },
            Definition::Gate(Gate::Choice(c, a, b)) => match self.signal(*c)? {
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
                self.lanes.len() as u32 - 1
            }
        };
        if depends {
            self.places.push(place);
        }
        Varying { place, negated: false }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sat::{Circuit, Unsolved};

    /// A circuit over `inputs` variables with some of all gates, made by chance.
    fn random_gates(random: &mut fastrand::Rng, inputs: usize) -> (Circuit, Vec<Lit>) {
        let mut circuit = Circuit::new(Box::new(Unsolved));
        let mut lits: Vec<Lit> = (0..inputs).map(|_| circuit.fresh()).collect();
        lits.push(circuit.yes());
        for _ in 0..60 {
            let mut any = || {
                let lit = lits[random.usize(..lits.len())];
                if random.bool() { !lit } else { lit }
            };
            let (a, b, c, d) = (any(), any(), any(), any());
            let lit = match random.u8(..4) {
                0 => circuit.and(a, b),
                1 => circuit.xor(a, b),
                2 => circuit.ite(a, b, c),
                _ => circuit.any(&[a, b, c, d]),
            };
            lits.push(lit);
        }
        (circuit, lits)
    }

    /// The value of a literal by the definitions alone.
    fn value(definitions: &[Option<Definition>], assignment: &[bool], lit: Lit) -> bool {
        let of = |lit: &Lit| value(definitions, assignment, *lit);
        let holds = match &definitions[lit.vidx()] {
            None => lit.vidx() == 0 || assignment[lit.vidx() - 1],
            Some(Definition::All(inputs)) => inputs.iter().all(of),
            Some(Definition::Gate(Gate::And(a, b))) => of(a) && of(b),
            Some(Definition::Gate(Gate::Xor(a, b))) => of(a) != of(b),
            Some(Definition::Gate(Gate::Choice(c, a, b))) => {
                if of(c) {
                    of(a)
                } else {
                    of(b)
                }
            }
        };
        holds != lit.is_neg()
    }

    #[test]
    fn lanes_are_the_values_under_each_assignment() {
        const SELECTORS: usize = 3;
        const FREE: usize = 5;
        let mut random = fastrand::Rng::with_seed(7);
        for _ in 0..200 {
            let (circuit, lits) = random_gates(&mut random, SELECTORS + FREE);
            let definitions = circuit.definitions();
            let mut simulation = Simulation::new(&definitions, &lits[..SELECTORS]);
            let columns: Vec<Lanes> = (0..FREE).map(|_| std::array::from_fn(|_| random.u64(..))).collect();
            let inputs = lits[SELECTORS..][..FREE].iter().copied();
            simulation.assign(inputs.zip(columns.iter().copied()));
            for selection in [5, 2, 5, 0, 7] {
                let holds = |selector: usize| selection >> selector & 1 == 1;
                let holding: Vec<Lit> = (0..SELECTORS).filter(|&s| holds(s)).map(|s| lits[s]).collect();
                simulation.select(&holding);
                let asked: Vec<Lit> = (0..12).map(|_| lits[random.usize(..lits.len())]).collect();
                let clause = Constraint::Clause(asked[..3].to_vec());
                let at_most_one = Constraint::AtMostOne(asked[3..6].to_vec());
                let read = |simulation: &mut Simulation<'_>, lit| {
                    let signal = simulation.signal(lit).expect("all inputs have values");
                    simulation.lanes(signal)
                };
                let all: Vec<Lanes> = asked.iter().map(|&lit| read(&mut simulation, lit)).collect();
                let constraints = [clause, at_most_one].map(|constraint| {
                    let signal = simulation.constraint(&constraint).expect("all inputs have values");
                    simulation.lanes(signal)
                });
                for lane in 0..LANES {
                    let at = |lanes: &Lanes| lanes[lane / 64] >> (lane % 64) & 1 == 1;
                    let assignment: Vec<bool> =
                        (0..SELECTORS).map(holds).chain(columns.iter().map(at)).collect();
                    let truth: Vec<bool> =
                        asked.iter().map(|&lit| value(&definitions, &assignment, lit)).collect();
                    assert!(all.iter().map(at).eq(truth.iter().copied()));
                    assert_eq!(at(&constraints[0]), truth[..3].contains(&true));
                    let holding = truth[3..6].iter().filter(|holds| **holds).count();
                    assert_eq!(at(&constraints[1]), holding <= 1);
                }
            }
        }
    }

    #[test]
    fn what_depends_on_an_input_without_values_is_open() {
        let mut circuit = Circuit::new(Box::new(Unsolved));
        let (selector, known, open) = (circuit.fresh(), circuit.fresh(), circuit.fresh());
        let guarded = circuit.and(selector, open);
        let choice = circuit.ite(selector, open, known);
        let definitions = circuit.definitions();
        let mut simulation = Simulation::new(&definitions, &[selector]);
        let mut lanes = [0; WORDS];
        lanes[0] = 1;
        simulation.assign([(known, lanes)].into_iter());
        simulation.select(&[selector]);
        assert_eq!((simulation.signal(guarded), simulation.signal(choice)), (None, None));
        simulation.select(&[]);
        assert_eq!(simulation.signal(guarded), Some(Constant(false)));
        assert_eq!(simulation.signal(choice).map(|signal| simulation.lanes(signal)), Some(lanes));
    }
}
