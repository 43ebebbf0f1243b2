//! A hash table of gates, by their function and inputs.

use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashMap, FxHasher};

use super::Lit;

/// A gate with two or three inputs. Normalised inputs identify gates that are equal up to order and negation
/// of inputs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Gate {
    /// Conjunction; inputs ascending.
    And(Lit, Lit),
    /// Exclusive disjunction; inputs positive and ascending.
    Xor(Lit, Lit),
    /// `if .0 then .1 else .2`; the first two positive.
    Choice(Lit, Lit, Lit),
}

/// The definition of a literal that is the output of a gate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GateDefinition {
    /// Conjunction of three or more inputs, ascending.
    All(Vec<Lit>),
    /// A gate with two or three inputs.
    Gate(Gate),
}

impl GateDefinition {
    /// The inputs of the gate.
    pub fn inputs(&self) -> Vec<Lit> {
        match self {
            GateDefinition::All(inputs) => inputs.clone(),
            GateDefinition::Gate(gate) => gate.inputs(),
        }
    }

    /// Returns the gate with other inputs, in the same order.
    pub fn renamed(&self, new: impl Fn(Lit) -> Lit) -> Self {
        match self {
            GateDefinition::All(inputs) => GateDefinition::All(inputs.iter().map(|&lit| new(lit)).collect()),
            GateDefinition::Gate(gate) => GateDefinition::Gate(match *gate {
                Gate::And(a, b) => Gate::And(new(a), new(b)),
                Gate::Xor(a, b) => Gate::Xor(new(a), new(b)),
                Gate::Choice(c, a, b) => Gate::Choice(new(c), new(a), new(b)),
            }),
        }
    }

    /// True if one of the inputs is `wanted`.
    pub fn depends_on(&self, wanted: &impl Fn(Lit) -> bool) -> bool {
        match self {
            GateDefinition::All(inputs) => inputs.iter().any(|&lit| wanted(lit)),
            GateDefinition::Gate(Gate::And(a, b) | Gate::Xor(a, b)) => wanted(*a) || wanted(*b),
            GateDefinition::Gate(Gate::Choice(c, a, b)) => wanted(*c) || wanted(*a) || wanted(*b),
        }
    }

    /// The clauses that define `output`, in both directions (Tseitin 1968).
    pub fn each_clause(&self, output: Lit, mut clause: impl FnMut(&[Lit])) {
        match self {
            GateDefinition::All(inputs) => {
                let mut all = vec![output];
                for &input in inputs {
                    clause(&[!output, input]);
                    all.push(!input);
                }
                clause(&all);
            }
            GateDefinition::Gate(gate) => gate.each_clause(output, clause),
        }
    }
}

impl Gate {
    /// The inputs of the gate.
    pub fn inputs(self) -> Vec<Lit> {
        match self {
            Gate::And(a, b) | Gate::Xor(a, b) => vec![a, b],
            Gate::Choice(c, a, b) => vec![c, a, b],
        }
    }

    /// The clauses that define `output`.
    pub fn each_clause(self, output: Lit, mut clause: impl FnMut(&[Lit])) {
        match self {
            Gate::And(a, b) => {
                clause(&[!output, a]);
                clause(&[!output, b]);
                clause(&[output, !a, !b]);
            }
            Gate::Xor(a, b) => {
                clause(&[!output, a, b]);
                clause(&[!output, !a, !b]);
                clause(&[output, !a, b]);
                clause(&[output, a, !b]);
            }
            Gate::Choice(c, a, b) => {
                clause(&[!output, !c, a]);
                clause(&[!output, c, b]);
                clause(&[output, !c, !a]);
                clause(&[output, c, !b]);
                // These two are redundant; they allow propagation while the condition is unassigned.
                clause(&[!output, a, b]);
                clause(&[output, !a, !b]);
            }
        }
    }
}

/// All gates with their outputs, which are positive literals.
#[derive(Default)]
pub struct Gates {
    narrow: FxHashMap<Gate, Lit>,
    /// Conjunctions of three or more inputs.
    wide: Vec<Wide>,
    /// The newest wide conjunction for each hash of inputs; [`Wide::older`] links to the others.
    newest: FxHashMap<u64, usize>,
    /// The inputs of all wide conjunctions, one after the other.
    inputs: Vec<Lit>,
}

/// A conjunction of three or more inputs.
struct Wide {
    /// The range of its inputs in [`Gates::inputs`].
    begin: usize,
    end: usize,
    output: Lit,
    /// The next older one with the same hash.
    older: Option<usize>,
}

impl Gates {
    /// The number of distinct gates.
    pub fn len(&self) -> usize {
        self.narrow.len() + self.wide.len()
    }

    /// Each gate with its output, in no particular order.
    pub fn all(&self) -> impl Iterator<Item = (Lit, GateDefinition)> {
        let narrow = self.narrow.iter().map(|(&gate, &output)| (output, GateDefinition::Gate(gate)));
        let inputs = |wide: &Wide| GateDefinition::All(self.inputs[wide.begin..wide.end].to_vec());
        narrow.chain(self.wide.iter().map(move |wide| (wide.output, inputs(wide))))
    }

    /// The output of a gate, if it exists.
    pub fn get(&self, gate: Gate) -> Option<Lit> {
        self.narrow.get(&gate).copied()
    }

    /// Adds a gate.
    pub fn insert(&mut self, gate: Gate, output: Lit) {
        self.narrow.insert(gate, output);
    }

    /// The output of the conjunction of `inputs`, which ascend strictly, if it exists.
    pub fn get_wide(&self, inputs: &[Lit]) -> Option<Lit> {
        let mut place = self.newest.get(&hash(inputs)).copied();
        while let Some(index) = place {
            let gate = &self.wide[index];
            if &self.inputs[gate.begin..gate.end] == inputs {
                return Some(gate.output);
            }
            place = gate.older;
        }
        None
    }

    /// Adds the conjunction of `inputs`, which ascend strictly.
    pub fn insert_wide(&mut self, inputs: &[Lit], output: Lit) {
        let begin = self.inputs.len();
        self.inputs.extend_from_slice(inputs);
        let older = self.newest.insert(hash(inputs), self.wide.len());
        self.wide.push(Wide { begin, end: self.inputs.len(), output, older });
    }
}

fn hash(inputs: &[Lit]) -> u64 {
    let mut hasher = FxHasher::default();
    inputs.hash(&mut hasher);
    hasher.finish()
}
