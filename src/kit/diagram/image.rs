//! Steps: they map numbers at states to numbers at the states one step later.

use super::apply::FIRST_IMAGE;
use super::store::{Diagram, Diagrams};

/// The variables that steps change. Variable v of a state has the level 2v before a step and 2v+1 after it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct WrittenVariables {
    /// For each variable the least changed one from it on; `usize::MAX` if there is none.
    next: Vec<usize>,
}

/// Steps between states. Variables that are not written keep their values.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Relation {
    /// The number of ways in which a step leads from one state to another: a function of all variables before the step,
    /// and of the written ones after it.
    pub ways: Diagram,
    /// The written variables.
    pub written: WrittenVariables,
    /// Relations with the same number write the same variables.
    pub number: usize,
}

impl WrittenVariables {
    /// Selects those of `variables` variables for which `changes` holds.
    pub fn new(variables: usize, changes: impl Fn(usize) -> bool) -> Self {
        let mut next = vec![usize::MAX; variables + 1];
        for variable in (0..variables).rev() {
            next[variable] = if changes(variable) { variable } else { next[variable + 1] };
        }
        Self { next }
    }

    /// True if a variable is written.
    pub fn has(&self, variable: usize) -> bool {
        self.next[variable] == variable
    }
}

/// The computation of a product of a relation and a diagram.
struct RelationalProduct<'r> {
    written: &'r WrittenVariables,
    /// The operation number for the first variable; the others follow.
    operation: u64,
    /// The operation that joins the results for several states.
    join: fn(&mut Diagrams, Diagram, Diagram) -> Diagram,
    /// True for the states before steps, false for those after them.
    backward: bool,
}

impl Diagrams {
    /// Returns the image of numbers at states under a step: at each state the sum, over all its predecessors, of the
    /// number there times the ways to step.
    pub fn image(&mut self, relation: &Relation, numbers: Diagram) -> Diagram {
        let product = RelationalProduct { join: Self::add, ..product(relation, 0, false) };
        self.product(&product, relation.ways, numbers, 0)
    }

    /// Returns the successors of these states. There is at most one way to step.
    pub fn after(&mut self, relation: &Relation, states: Diagram) -> Diagram {
        self.product(&product(relation, 1, false), relation.ways, states, 0)
    }

    /// Returns the predecessors of these states. There is at most one way to step.
    pub fn before(&mut self, relation: &Relation, states: Diagram) -> Diagram {
        self.product(&product(relation, 2, true), relation.ways, states, 0)
    }

    /// Returns the product from a variable on, with values for those before it.
    fn product(
        &mut self,
        product: &RelationalProduct<'_>,
        ways: Diagram,
        numbers: Diagram,
        from: usize,
    ) -> Diagram {
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

/// Prepares one of three kinds of products; relations that write the same variables differ in their ways.
fn product(relation: &Relation, kind: u64, backward: bool) -> RelationalProduct<'_> {
    let variables = relation.written.next.len();
    let operation = (1 + kind) * FIRST_IMAGE + (relation.number * variables) as u64;
    RelationalProduct { written: &relation.written, operation, join: Diagrams::or, backward }
}
