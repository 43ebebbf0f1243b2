//! Steps: numbers at states become numbers at the states one step later.

use super::apply::FIRST_IMAGE;
use super::store::{Diagram, Diagrams};

/// The variables that steps change. Variable v of a state has the level 2v before a step and 2v+1 after it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Written {
    /// For each variable the least one, from it on, that is changed; `usize::MAX` if there is none.
    next: Vec<usize>,
}

/// Steps between states. Variables that are not written keep their values.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Relation {
    /// In how many ways a step leads from one state to another: a function of all variables before the step, and
    /// of those that are written after it.
    pub ways: Diagram,
    /// What is written.
    pub written: Written,
    /// Relations with the same number write the same variables.
    pub number: usize,
}

impl Written {
    /// Of so many variables those of which `changes` says so.
    pub fn new(variables: usize, changes: impl Fn(usize) -> bool) -> Self {
        let mut next = vec![usize::MAX; variables + 1];
        for variable in (0..variables).rev() {
            next[variable] = if changes(variable) { variable } else { next[variable + 1] };
        }
        Self { next }
    }

    /// Whether a variable is written.
    pub fn has(&self, variable: usize) -> bool {
        self.next[variable] == variable
    }
}

/// What is made of a relation and a diagram.
struct Product<'r> {
    written: &'r Written,
    /// The operation for the first variable; the others follow.
    operation: u64,
    /// How what comes from several states, or leads to several, is put together.
    join: fn(&mut Diagrams, Diagram, Diagram) -> Diagram,
    /// Whether states before steps are looked for, rather than states after them.
    backward: bool,
}

impl Diagrams {
    /// What a step makes of numbers at states: at each state the sum, over all states from which steps lead there, of
    /// the number there times the ways to step.
    pub fn image(&mut self, relation: &Relation, numbers: Diagram) -> Diagram {
        let product = Product { join: Self::add, ..product(relation, 0, false) };
        self.product(&product, relation.ways, numbers, 0)
    }

    /// The states to which steps lead from these states. There is one way to step, or none.
    pub fn after(&mut self, relation: &Relation, states: Diagram) -> Diagram {
        self.product(&product(relation, 1, false), relation.ways, states, 0)
    }

    /// The states from which steps lead to these states. There is one way to step, or none.
    pub fn before(&mut self, relation: &Relation, states: Diagram) -> Diagram {
        self.product(&product(relation, 2, true), relation.ways, states, 0)
    }

    /// A product from a variable on, those before it having values.
    fn product(&mut self, product: &Product<'_>, ways: Diagram, numbers: Diagram, from: usize) -> Diagram {
        if ways == Diagram::ZERO || numbers == Diagram::ZERO {
            return Diagram::ZERO;
        }
        let next = product.written.next[from];
        let variable = (self.level(ways) / 2).min(self.level(numbers) / 2).min(next);
        if next == usize::MAX && ways.is_constant() {
            return self.multiply(ways, numbers);
        }
        let operation = product.operation + variable as u64;
        if let Some(result) = self.cache_lookup(operation, ways, numbers) {
            return result;
        }
        if !self.goes_on() {
            return Diagram::ZERO;
        }
        let (before, after) = (2 * variable, 2 * variable + 1);
        let values = self.values(before);
        let begin = self.scratch.len();
        if variable == next {
            self.scratch.resize(begin + values, Diagram::ZERO);
            for old in 0..values {
                let ways = self.cofactor(ways, before, old);
                for new in 0..values {
                    let ways = self.cofactor(ways, after, new);
                    let (known, found) = if product.backward { (new, old) } else { (old, new) };
                    let numbers = self.cofactor(numbers, before, known);
                    if ways == Diagram::ZERO || numbers == Diagram::ZERO {
                        continue;
                    }
                    let part = self.product(product, ways, numbers, variable + 1);
                    let sum = (product.join)(self, self.scratch[begin + found], part);
                    self.scratch[begin + found] = sum;
                }
            }
        } else {
            for value in 0..values {
                let (ways, numbers) =
                    (self.cofactor(ways, before, value), self.cofactor(numbers, before, value));
                let part = self.product(product, ways, numbers, variable + 1);
                self.scratch.push(part);
            }
        }
        let result = self.node(before, begin);
        self.cache_insert(operation, ways, numbers, result);
        result
    }
}

/// Of conditions, one of three kinds; relations that write the same variables are told apart by their ways.
fn product(relation: &Relation, kind: u64, backward: bool) -> Product<'_> {
    let variables = relation.written.next.len();
    let operation = (1 + kind) * FIRST_IMAGE + (relation.number * variables) as u64;
    Product { written: &relation.written, operation, join: Diagrams::or, backward }
}
