//! Gates as decision diagrams, one label after the other.

use super::gates::StepCircuit;
use kit::diagram::{Diagram, Diagrams};
use kit::number::to_u32;
use solvers::sat::{CircuitConstraint, Gate, GateDefinition, Lit};

/// Reads literals as functions of the state and of the choices that a label leaves open. Choices get levels of their
/// own, below all others.
pub struct LiteralReader<'g> {
    gates: &'g StepCircuit,
    /// The diagram of each variable of the circuit, with the label for which it is valid.
    known: Vec<Option<(u32, Diagram)>>,
    /// True for each variable whose diagram depends on the label.
    by_label: Vec<bool>,
    /// The value of each variable that identifies the label.
    inputs: Vec<Option<bool>>,
    /// The label, from 1; 0 stands for all labels.
    label: u32,
}

impl<'g> LiteralReader<'g> {
    /// Creates a reader in which part p of the state has level `levels[p]`.
    pub fn new(gates: &'g StepCircuit, diagrams: &mut Diagrams, levels: &[usize]) -> Self {
        let variables = gates.definitions.len();
        let mut reader = Self {
            gates,
            known: vec![None; variables],
            by_label: vec![false; variables],
            inputs: vec![None; variables],
            label: 0,
        };
        // The variable that is always true.
        reader.known[0] = Some((0, Diagram::ONE));
        for (part, &level) in gates.parts.iter().zip(levels) {
            for (value, lit) in part.free.iter().enumerate() {
                let is = diagrams.is(level, value);
                let is = if lit.is_neg() { diagrams.not(is) } else { is };
                reader.known[lit.vidx()].get_or_insert((0, is));
            }
        }
        for lit in &gates.inputs {
            reader.inputs[lit.vidx()] = Some(lit.is_neg());
            reader.by_label[lit.vidx()] = true;
        }
        // Gates come after their inputs.
        for (variable, definition) in gates.definitions.iter().enumerate() {
            if let Some(definition) = definition {
                let by_label = &reader.by_label;
                let depends = definition.depends_on(&|lit| by_label[lit.vidx()]);
                reader.by_label[variable] = depends;
            }
        }
        reader
    }

    /// Sets the label of the steps that are read from now on.
    pub fn set_label(&mut self, label: usize) {
        self.label = to_u32(label) + 1;
        for lit in &self.gates.inputs {
            self.inputs[lit.vidx()] = Some(lit.is_neg());
        }
        for lit in &self.gates.labels[label] {
            self.inputs[lit.vidx()] = Some(lit.is_pos());
        }
    }

    /// Returns the function of a literal.
    pub fn literal(&mut self, diagrams: &mut Diagrams, lit: Lit) -> Diagram {
        let holds = self.variable(diagrams, lit.vidx());
        if lit.is_neg() { diagrams.not(holds) } else { holds }
    }

    fn variable(&mut self, diagrams: &mut Diagrams, variable: usize) -> Diagram {
        let label = if self.by_label[variable] { self.label } else { 0 };
        if let Some((of, diagram)) = self.known[variable]
            && of == label
        {
            return diagram;
        }
        let gates = self.gates;
        let diagram = match (&gates.definitions[variable], self.inputs[variable]) {
            (Some(definition), _) => self.gate(diagrams, definition),
            (None, Some(true)) => Diagram::ONE,
            (None, Some(false)) => Diagram::ZERO,
            (None, None) => {
                let level = diagrams.add_level(2);
                diagrams.is(level, 1)
            }
        };
        self.known[variable] = Some((label, diagram));
        diagram
    }

    fn gate(&mut self, diagrams: &mut Diagrams, definition: &GateDefinition) -> Diagram {
        match definition {
            GateDefinition::All(inputs) => self.all(diagrams, inputs),
            GateDefinition::Gate(Gate::And(a, b)) => self.all(diagrams, &[*a, *b]),
            GateDefinition::Gate(Gate::Xor(a, b)) => {
                let (a, b) = (self.literal(diagrams, *a), self.literal(diagrams, *b));
                diagrams.xor(a, b)
            }
            GateDefinition::Gate(Gate::Choice(c, a, b)) => match self.literal(diagrams, *c) {
                Diagram::ONE => self.literal(diagrams, *a),
                Diagram::ZERO => self.literal(diagrams, *b),
                condition => {
                    let (a, b) = (self.literal(diagrams, *a), self.literal(diagrams, *b));
                    diagrams.choose(condition, a, b)
                }
            },
        }
    }

    /// Returns the conjunction of literals.
    pub fn all(&mut self, diagrams: &mut Diagrams, lits: &[Lit]) -> Diagram {
        let mut all = Diagram::ONE;
        for &lit in lits {
            let holds = self.literal(diagrams, lit);
            all = diagrams.and(all, holds);
            if all == Diagram::ZERO {
                break;
            }
        }
        all
    }

    /// Returns the function of a constraint.
    pub fn constraint(&mut self, diagrams: &mut Diagrams, constraint: &CircuitConstraint) -> Diagram {
        match constraint {
            CircuitConstraint::Clause(lits) => {
                let mut some = Diagram::ZERO;
                for &lit in lits {
                    let holds = self.literal(diagrams, lit);
                    some = diagrams.or(some, holds);
                    if some == Diagram::ONE {
                        break;
                    }
                }
                some
            }
            CircuitConstraint::AtMostOne(lits) => {
                let (mut none, mut one) = (Diagram::ONE, Diagram::ZERO);
                for &lit in lits {
                    let holds = self.literal(diagrams, lit);
                    if holds == Diagram::ZERO {
                        continue;
                    }
                    let another = diagrams.and(none, holds);
                    one = {
                        let not = diagrams.not(holds);
                        none = diagrams.and(none, not);
                        let still = diagrams.and(one, not);
                        diagrams.or(still, another)
                    };
                }
                diagrams.or(none, one)
            }
        }
    }
}
