//! Formulas of linear time in negation normal form.

use kit::number::to_u32;
use lang::model::expr::{self, Expr};
use lang::syntax::ast::TemporalOp;

/// A part of a formula, by number; parts come after their operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LtlPart(u32);

impl LtlPart {
    /// Returns the number of the part, from 0.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The operator of a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LtlOp {
    /// Always true, or always false.
    Constant(bool),
    /// The atom with this number, or its negation where the second field is false.
    Atom(usize, bool),
    /// Both hold.
    And(LtlPart, LtlPart),
    /// One of them holds.
    Or(LtlPart, LtlPart),
    /// The operand holds after one step.
    Next(LtlPart),
    /// The first holds up to a position where the second does, and there is one.
    Until(LtlPart, LtlPart),
    /// The second holds up to and including a position where the first does, or for ever.
    Release(LtlPart, LtlPart),
}

impl LtlOp {
    /// True if its truth at a position depends directly on later positions.
    pub fn is_temporal(self) -> bool {
        matches!(self, Self::Next(_) | Self::Until(..) | Self::Release(..))
    }
}

/// A formula in which only atoms are negated. Equal parts are shared.
#[derive(Debug, Clone, PartialEq)]
pub struct LtlFormula {
    nodes: Vec<LtlOp>,
    atoms: Vec<Expr>,
    /// The atoms without source positions, for comparison.
    known: Vec<Expr>,
    /// The whole formula.
    pub root: LtlPart,
}

impl LtlFormula {
    /// Converts a formula, or its negation if `positive` is false.
    pub fn new(formula: &expr::Formula, positive: bool) -> Self {
        let mut linear = Self { nodes: Vec::new(), atoms: Vec::new(), known: Vec::new(), root: LtlPart(0) };
        linear.root = linear.part(formula, positive);
        linear
    }

    /// Returns the formula that is true of every trace.
    pub fn anything() -> Self {
        Self { nodes: vec![LtlOp::Constant(true)], atoms: Vec::new(), known: Vec::new(), root: LtlPart(0) }
    }

    /// Returns the parts, each after its operands.
    pub fn nodes(&self) -> &[LtlOp] {
        &self.nodes
    }

    /// Returns the state formulas in it.
    pub fn atoms(&self) -> &[Expr] {
        &self.atoms
    }

    /// Returns the parts whose truth depends directly on later positions.
    pub fn temporal(&self) -> impl Iterator<Item = LtlPart> + '_ {
        (0..to_u32(self.nodes.len())).map(LtlPart).filter(|part| self.nodes[part.index()].is_temporal())
    }

    /// Returns the disjuncts of the formula, each with only the parts that it needs.
    pub fn alternatives(&self) -> Vec<Self> {
        let mut found = Vec::new();
        let mut open = vec![self.root];
        while let Some(part) = open.pop() {
            match self.nodes[part.index()] {
                LtlOp::Or(a, b) => open.extend([b, a]),
                LtlOp::Constant(false) => {}
                _ => found.push(self.only(part)),
            }
        }
        found
    }

    /// Returns a part as a formula by itself.
    fn only(&self, root: LtlPart) -> Self {
        let mut needed = vec![false; self.nodes.len()];
        needed[root.index()] = true;
        let mut only = Self { nodes: Vec::new(), atoms: Vec::new(), known: Vec::new(), root };
        for (index, node) in self.nodes.iter().enumerate().rev().filter(|(index, _)| *index <= root.index()) {
            if needed[index] {
                operands(*node).into_iter().flatten().for_each(|part| needed[part.index()] = true);
            }
        }
        let mut new = vec![LtlPart(0); self.nodes.len()];
        for (index, node) in self.nodes.iter().enumerate().filter(|(index, _)| needed[*index]) {
            let of = |part: LtlPart| new[part.index()];
            let node = match *node {
                LtlOp::Constant(value) => LtlOp::Constant(value),
                LtlOp::Atom(atom, positive) => LtlOp::Atom(only.atom(&self.atoms[atom]), positive),
                LtlOp::And(a, b) => LtlOp::And(of(a), of(b)),
                LtlOp::Or(a, b) => LtlOp::Or(of(a), of(b)),
                LtlOp::Next(a) => LtlOp::Next(of(a)),
                LtlOp::Until(a, b) => LtlOp::Until(of(a), of(b)),
                LtlOp::Release(a, b) => LtlOp::Release(of(a), of(b)),
            };
            new[index] = only.add(node);
        }
        only.root = new[root.index()];
        only
    }

    fn part(&mut self, formula: &expr::Formula, positive: bool) -> LtlPart {
        use expr::Formula as F;
        match formula {
            F::Atom(atom, _) => {
                let atom = self.atom(atom);
                self.add(LtlOp::Atom(atom, positive))
            }
            F::Not(a) => self.part(a, !positive),
            F::And(a, b) => self.both((a, positive), (b, positive), positive),
            F::Or(a, b) => self.both((a, positive), (b, positive), !positive),
            F::Implies(a, b) => self.both((a, !positive), (b, positive), !positive),
            // Both or neither; negated, one without the other.
            F::Iff(a, b) => {
                let together = self.both((a, true), (b, positive), true);
                let apart = self.both((a, false), (b, !positive), true);
                self.add(LtlOp::Or(together, apart))
            }
            F::If(condition, a, b) => {
                let then = self.both((condition, true), (a, positive), true);
                let otherwise = self.both((condition, false), (b, positive), true);
                self.add(LtlOp::Or(then, otherwise))
            }
            F::Temporal(op, operands) => self.temporal_part(*op, operands, positive),
        }
    }

    /// Adds the conjunction or disjunction of two formulas with their signs.
    fn both(&mut self, a: (&expr::Formula, bool), b: (&expr::Formula, bool), and: bool) -> LtlPart {
        let (a, b) = (self.part(a.0, a.1), self.part(b.0, b.1));
        self.add(if and { LtlOp::And(a, b) } else { LtlOp::Or(a, b) })
    }

    /// # Panics
    /// For operators of branching time and wrong numbers of operands, which the checker refuses.
    fn temporal_part(&mut self, op: TemporalOp, operands: &[expr::Formula], positive: bool) -> LtlPart {
        match (op, operands) {
            (TemporalOp::Next, [a]) => {
                let a = self.part(a, positive);
                self.add(LtlOp::Next(a))
            }
            (TemporalOp::Always, [a]) => {
                let (a, never) = (self.part(a, positive), self.add(LtlOp::Constant(!positive)));
                self.add(if positive { LtlOp::Release(never, a) } else { LtlOp::Until(never, a) })
            }
            (TemporalOp::Eventually, [a]) => {
                let (a, limit) = (self.part(a, positive), self.add(LtlOp::Constant(positive)));
                self.add(if positive { LtlOp::Until(limit, a) } else { LtlOp::Release(limit, a) })
            }
            (TemporalOp::Until, [a, b]) => {
                let (a, b) = (self.part(a, positive), self.part(b, positive));
                self.add(if positive { LtlOp::Until(a, b) } else { LtlOp::Release(a, b) })
            }
            (TemporalOp::Release, [a, b]) => {
                let (a, b) = (self.part(a, positive), self.part(b, positive));
                self.add(if positive { LtlOp::Release(a, b) } else { LtlOp::Until(a, b) })
            }
            // The second operand releases that one of both holds.
            (TemporalOp::WeakUntil, [a, b]) => {
                let either = self.both((a, positive), (b, positive), !positive);
                let b = self.part(b, positive);
                self.add(if positive { LtlOp::Release(b, either) } else { LtlOp::Until(b, either) })
            }
            _ => unreachable!("the checker admits operators of linear time only"),
        }
    }

    fn atom(&mut self, atom: &Expr) -> usize {
        let plain = atom.without_places();
        if let Some(known) = self.known.iter().position(|known| *known == plain) {
            return known;
        }
        self.known.push(plain);
        self.atoms.push(atom.clone());
        self.atoms.len() - 1
    }

    fn add(&mut self, node: LtlOp) -> LtlPart {
        let found = self.nodes.iter().position(|known| *known == node);
        let index = found.unwrap_or_else(|| {
            self.nodes.push(node);
            self.nodes.len() - 1
        });
        LtlPart(to_u32(index))
    }
}

fn operands(node: LtlOp) -> [Option<LtlPart>; 2] {
    match node {
        LtlOp::Constant(_) | LtlOp::Atom(..) => [None, None],
        LtlOp::Next(a) => [Some(a), None],
        LtlOp::And(a, b) | LtlOp::Or(a, b) | LtlOp::Until(a, b) | LtlOp::Release(a, b) => [Some(a), Some(b)],
    }
}
