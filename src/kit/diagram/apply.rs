//! Binary operations on diagrams (apply, R. Bryant, "Graph-based algorithms for Boolean function manipulation", IEEE
//! Transactions on Computers 35, 1986), quantification, and sums over all values of variables.

use super::store::{Diagram, Diagrams};
use num_bigint::BigUint;
use rustc_hash::{FxHashMap, FxHashSet};

/// A commutative operation on the terminals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TerminalOperation {
    /// The product, which is the conjunction of conditions.
    Times,
    Plus,
    Or,
    Xor,
}

/// The operation number of [`Diagrams::exists`] for the first level; the others follow.
const EXISTS: u64 = 4;

/// The operation number of the first image.
pub(super) const FIRST_IMAGE: u64 = 1 << 33;

impl Diagrams {
    /// Returns the conjunction of conditions; or a number where a condition holds and 0 elsewhere.
    pub fn and(&mut self, a: Diagram, b: Diagram) -> Diagram {
        self.apply(TerminalOperation::Times, a, b)
    }

    /// Returns the disjunction of conditions.
    pub fn or(&mut self, a: Diagram, b: Diagram) -> Diagram {
        self.apply(TerminalOperation::Or, a, b)
    }

    /// Returns the exclusive disjunction of conditions.
    pub fn xor(&mut self, a: Diagram, b: Diagram) -> Diagram {
        self.apply(TerminalOperation::Xor, a, b)
    }

    /// Returns the negation of a condition.
    pub fn not(&mut self, a: Diagram) -> Diagram {
        self.apply(TerminalOperation::Xor, a, Diagram::ONE)
    }

    /// If-then-else: returns `yes` where the condition holds, `no` elsewhere.
    pub fn choose(&mut self, condition: Diagram, yes: Diagram, no: Diagram) -> Diagram {
        let otherwise = self.not(condition);
        let (a, b) = (self.and(condition, yes), self.and(otherwise, no));
        self.or(a, b)
    }

    /// The sum.
    pub fn add(&mut self, a: Diagram, b: Diagram) -> Diagram {
        self.apply(TerminalOperation::Plus, a, b)
    }

    /// The product.
    pub fn multiply(&mut self, a: Diagram, b: Diagram) -> Diagram {
        self.apply(TerminalOperation::Times, a, b)
    }

    fn apply(&mut self, operation: TerminalOperation, a: Diagram, b: Diagram) -> Diagram {
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        if let Some(result) = self.terminal_case(operation, a, b) {
            return result;
        }
        if let Some(result) = self.cache_lookup(operation as u64, a, b) {
            return result;
        }
        if !self.goes_on() {
            return Diagram::ZERO;
        }
        let level = self.level(a).min(self.level(b));
        let begin = self.scratch.len();
        for value in 0..self.values(level) {
            let (left, right) = (self.cofactor(a, level, value), self.cofactor(b, level, value));
            let child = self.apply(operation, left, right);
            self.scratch.push(child);
        }
        let result = self.node(level, begin);
        self.cache_insert(operation as u64, a, b, result);
        result
    }

    /// Returns the result if one of the operands decides it, or both are constants, which are ordered last.
    fn terminal_case(&mut self, operation: TerminalOperation, a: Diagram, b: Diagram) -> Option<Diagram> {
        let (zero, one) = (Diagram::ZERO, Diagram::ONE);
        match operation {
            TerminalOperation::Times if a == zero || b == zero => Some(zero),
            TerminalOperation::Times if a == one => Some(b),
            TerminalOperation::Times if b == one => Some(a),
            TerminalOperation::Or if a == one || b == one => Some(one),
            TerminalOperation::Or if a == b => Some(a),
            TerminalOperation::Xor if a == b => Some(zero),
            TerminalOperation::Plus | TerminalOperation::Or | TerminalOperation::Xor if a == zero => Some(b),
            TerminalOperation::Plus | TerminalOperation::Or | TerminalOperation::Xor if b == zero => Some(a),
            TerminalOperation::Times if a.is_constant() && b.is_constant() => {
                let product = self.number(a) * self.number(b);
                Some(self.constant(&product))
            }
            TerminalOperation::Plus if a.is_constant() && b.is_constant() => {
                let sum = self.number(a) + self.number(b);
                Some(self.constant(&sum))
            }
            _ => None,
        }
    }

    /// Quantifies existentially: the result holds if the condition does for some value of the variable at a level.
    pub fn exists(&mut self, level: usize, condition: Diagram) -> Diagram {
        if self.level(condition) > level {
            return condition;
        }
        let operation = EXISTS + level as u64;
        if let Some(result) = self.cache_lookup(operation, condition, condition) {
            return result;
        }
        if !self.goes_on() {
            return Diagram::ZERO;
        }
        let top = self.level(condition);
        let begin = self.scratch.len();
        let result = if top == level {
            let children = self.children(condition).to_vec();
            children.into_iter().fold(Diagram::ZERO, |some, child| self.or(some, child))
        } else {
            for value in 0..self.values(top) {
                let child = self.cofactor(condition, top, value);
                let child = self.exists(level, child);
                self.scratch.push(child);
            }
            self.node(top, begin)
        };
        self.cache_insert(operation, condition, condition, result);
        result
    }

    /// Returns the support: true for each level on whose variable the diagram depends.
    pub fn support(&self, diagram: Diagram) -> Vec<bool> {
        let mut support = vec![false; self.levels()];
        self.each_node(diagram, |node| support[self.level(node)] = true);
        support
    }

    /// Returns the number of nodes of a diagram, without terminals.
    pub fn size(&self, diagram: Diagram) -> usize {
        let mut size = 0;
        self.each_node(diagram, |_| size += 1);
        size
    }

    fn each_node(&self, diagram: Diagram, mut visit: impl FnMut(Diagram)) {
        let mut seen = FxHashSet::default();
        let mut open = vec![diagram];
        while let Some(node) = open.pop() {
            if !node.is_constant() && seen.insert(node) {
                visit(node);
                open.extend_from_slice(self.children(node));
            }
        }
    }

    /// Returns the sum of a diagram's values over all values of the variables at these levels, which ascend and include
    /// all that it depends on.
    pub fn total(&self, diagram: Diagram, levels: &[usize]) -> BigUint {
        self.total_below(diagram, levels, &mut FxHashMap::default())
    }

    fn total_below(
        &self,
        diagram: Diagram,
        levels: &[usize],
        known: &mut FxHashMap<Diagram, BigUint>,
    ) -> BigUint {
        if diagram == Diagram::ZERO {
            return BigUint::ZERO;
        }
        let top = self.level(diagram);
        let skipped = levels.iter().take_while(|&&level| level < top).count();
        let factor = |sum: BigUint| levels[..skipped].iter().fold(sum, |sum, &l| sum * self.values(l));
        if diagram.is_constant() {
            return factor(self.number(diagram).clone());
        }
        if let Some(sum) = known.get(&diagram) {
            return factor(sum.clone());
        }
        let children = self.children(diagram).iter();
        let sum: BigUint = children.map(|&c| self.total_below(c, &levels[skipped + 1..], known)).sum();
        known.insert(diagram, sum.clone());
        factor(sum)
    }
}
