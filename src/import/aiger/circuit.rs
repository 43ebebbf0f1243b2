//! Circuits of and-gates, inverters and latches.

use std::collections::BTreeMap;

/// A variable of a circuit or its negation: twice its number, plus one if negated. Number 0 is false.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Literal(pub u32);

impl Literal {
    /// Returns the number of its variable.
    pub fn variable(self) -> usize {
        (self.0 / 2) as usize
    }

    /// Returns its negation.
    #[must_use]
    pub fn negated(self) -> Self {
        Self(self.0 ^ 1)
    }

    /// True if it is the negation of its variable.
    pub fn is_negated(self) -> bool {
        self.0 % 2 == 1
    }
}

/// The source of a variable's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AigerSource {
    /// Always false; only variable 0.
    False,
    /// The input with this number.
    Input(usize),
    /// The latch with this number.
    Latch(usize),
    /// The conjunction of both.
    And(Literal, Literal),
}

/// A variable that keeps its value until the next step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Latch {
    /// The value at the next step.
    pub next: Literal,
    /// The initial value; `None` if it can be either.
    pub reset: Option<bool>,
}

/// A circuit, with its properties.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AigerCircuit {
    /// For each variable, the source of its value; `None` if the variable does not occur.
    pub gates: Vec<Option<AigerSource>>,
    /// The and-gates, each after those that it reads.
    pub order: Vec<usize>,
    /// The variables of the inputs.
    pub inputs: Vec<usize>,
    /// The latches.
    pub latches: Vec<Latch>,
    /// The outputs.
    pub outputs: Vec<Literal>,
    /// The bad states, which must never hold.
    pub bad: Vec<Literal>,
    /// The invariant constraints, which hold in all states considered.
    pub constraints: Vec<Literal>,
    /// The justice properties: lists of literals that must not all hold infinitely often.
    pub justice: Vec<Vec<Literal>>,
    /// The fairness constraints, which hold infinitely often in all infinite traces considered.
    pub fairness: Vec<Literal>,
    /// Names from the symbol table, by the letter of a section and the number in it.
    pub symbols: BTreeMap<(u8, usize), String>,
}

impl AigerCircuit {
    /// Returns a name in the symbol table, by the letter of its section and its number there.
    pub fn symbol(&self, section: u8, number: usize) -> Option<&str> {
        self.symbols.get(&(section, number)).map(String::as_str)
    }

    /// Returns the literals that must never hold, with the letter of their section: the bad states, or in
    /// files of the older format, which has none of the newer sections, the outputs.
    pub fn never(&self) -> (u8, &[Literal]) {
        let is_newer = [&self.bad, &self.constraints, &self.fairness].iter().any(|list| !list.is_empty())
            || !self.justice.is_empty();
        if is_newer { (b'b', &self.bad) } else { (b'o', &self.outputs) }
    }
}
