//! Circuits of and-gates, inverters and latches.

use std::collections::BTreeMap;

/// A variable of a circuit or its negation: twice its number, and one more if it is negated. Number 0 is false.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Literal(pub u32);

impl Literal {
    /// The number of its variable.
    pub fn variable(self) -> usize {
        (self.0 / 2) as usize
    }

    /// Its negation.
    #[must_use]
    pub fn negated(self) -> Self {
        Self(self.0 ^ 1)
    }

    /// True if it is the negation of its variable.
    pub fn is_negated(self) -> bool {
        self.0 % 2 == 1
    }
}

/// What gives a variable its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gate {
    /// Always false; only variable 0.
    False,
    /// The input with this number.
    Input(usize),
    /// The latch with this number.
    Latch(usize),
    /// Both hold.
    And(Literal, Literal),
}

/// A variable that keeps its value from one step to the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Latch {
    /// The value at the next step.
    pub next: Literal,
    /// The value at first; `None` if it can be either.
    pub reset: Option<bool>,
}

/// A circuit, with what is asked about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Circuit {
    /// For each variable what gives it its value; `None` for one that does not occur.
    pub gates: Vec<Option<Gate>>,
    /// The and-gates, each after those that it reads.
    pub order: Vec<usize>,
    /// The variables of the inputs.
    pub inputs: Vec<usize>,
    /// The latches.
    pub latches: Vec<Latch>,
    /// The outputs.
    pub outputs: Vec<Literal>,
    /// What is never to hold.
    pub bad: Vec<Literal>,
    /// What holds in all states that are considered.
    pub constraints: Vec<Literal>,
    /// Lists of what is never to hold infinitely often together.
    pub justice: Vec<Vec<Literal>>,
    /// What holds infinitely often in all infinite traces that are considered.
    pub fairness: Vec<Literal>,
    /// Names from the symbol table, by the letter of a section and the number in it.
    pub symbols: BTreeMap<(u8, usize), String>,
}

impl Circuit {
    /// The name of something in the symbol table: the letter of its section and its number there.
    pub fn symbol(&self, section: u8, number: usize) -> Option<&str> {
        self.symbols.get(&(section, number)).map(String::as_str)
    }

    /// What is never to hold: the bad states, or in files of the older format, which has none of the newer sections, the outputs. With the
    /// letters of the section.
    pub fn never(&self) -> (u8, &[Literal]) {
        let is_newer = [&self.bad, &self.constraints, &self.fairness].iter().any(|list| !list.is_empty())
            || !self.justice.is_empty();
        if is_newer { (b'b', &self.bad) } else { (b'o', &self.outputs) }
    }
}
