//! Formulas of CTL with fairness, in a small core; and their classes.

use kit::number::to_u32;
use lang::syntax::ast::TemporalOp;
use rustc_hash::FxHashMap;

/// A subformula of a [`CtlFormula`], by its index. Operands have smaller indices than the parts they belong to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Subformula(u32);

impl Subformula {
    /// Returns the index, below [`CtlFormula::len`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The operator of a part. Universal operators are negations of existential ones.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum CtlOp {
    /// Always true.
    True,
    /// The label with this index.
    Label(usize),
    /// Negation.
    Not(Subformula),
    /// Conjunction.
    And(Subformula, Subformula),
    /// Disjunction.
    Or(Subformula, Subformula),
    /// `EX`: some step leads to a state with the operand.
    Next(Subformula),
    /// `E[f U g]`: some path reaches g, with f everywhere before; it has no steps if g already holds.
    Until(Subformula, Subformula),
    /// `EG`: some infinite path has `of` everywhere, and each of `fair` infinitely often.
    Always {
        /// The part that holds everywhere.
        of: Subformula,
        /// The parts that hold infinitely often, ascending, each once.
        fair: Vec<Subformula>,
    },
}

/// The conclusions that a part of a system allows about the whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PreservationClass {
    /// No operator: only the initial states matter.
    Propositional,
    /// All operators quantify over all paths: a violation in a part of a system is one in the whole.
    Universal,
    /// All operators quantify over some path: a witness in a part of a system is one in the whole.
    Existential,
    /// Both kinds: a part of a system proves nothing.
    Mixed,
}

impl PreservationClass {
    /// Returns the word used in reports and JSON documents: `propositional`, `universal`, `existential`, `mixed`.
    pub fn word(self) -> &'static str {
        match self {
            PreservationClass::Propositional => "propositional",
            PreservationClass::Universal => "universal",
            PreservationClass::Existential => "existential",
            PreservationClass::Mixed => "mixed",
        }
    }
}

/// A formula with all its parts, each once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CtlFormula {
    nodes: Vec<CtlOp>,
    /// The formula as a whole.
    pub root: Subformula,
    /// The texts of labels.
    pub labels: Vec<String>,
    /// The fairness conditions of every path quantifier: each holds infinitely often.
    pub fair: Vec<Subformula>,
}

impl CtlFormula {
    /// Returns the operator and operands of a part.
    pub fn node(&self, part: Subformula) -> &CtlOp {
        &self.nodes[part.index()]
    }

    /// Returns all parts, operands before the parts they belong to.
    pub fn parts(&self) -> impl DoubleEndedIterator<Item = Subformula> + use<> {
        (0..to_u32(self.nodes.len())).map(Subformula)
    }

    /// Returns the number of parts.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Always false: there is at least the root.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Returns true for operators of a part that quantify over some path (first), and over all paths (second).
    pub fn quantifies(&self, part: Subformula) -> (bool, bool) {
        self.quantifiers()[part.index()]
    }

    /// Like [`CtlFormula::quantifies`], for all parts, by their indices.
    pub fn quantifiers(&self) -> Vec<(bool, bool)> {
        let mut all: Vec<(bool, bool)> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            let of = |part: &Subformula| all[part.index()];
            let both = |a: (bool, bool), b: (bool, bool)| (a.0 || b.0, a.1 || b.1);
            all.push(match node {
                CtlOp::True | CtlOp::Label(_) => (false, false),
                CtlOp::Not(a) => (of(a).1, of(a).0),
                CtlOp::And(a, b) | CtlOp::Or(a, b) => both(of(a), of(b)),
                CtlOp::Next(a) => (true, of(a).1),
                CtlOp::Until(a, b) => (true, of(a).1 || of(b).1),
                CtlOp::Always { of: a, fair } => (true, of(a).1 || fair.iter().any(|c| of(c).1)),
            });
        }
        all
    }

    /// Returns the class of the formula as a whole.
    pub fn class(&self) -> PreservationClass {
        match self.quantifies(self.root) {
            (false, false) => PreservationClass::Propositional,
            (true, false) => PreservationClass::Existential,
            (false, true) => PreservationClass::Universal,
            (true, true) => PreservationClass::Mixed,
        }
    }
}

/// A condition that `again` holds infinitely often if `when` does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StrongFairness {
    /// The premise.
    pub when: Subformula,
    /// The conclusion.
    pub again: Subformula,
}

/// Builds formulas. Equal parts are shared.
#[derive(Debug, Default)]
pub struct CtlBuilder {
    nodes: Vec<CtlOp>,
    index: FxHashMap<CtlOp, Subformula>,
    labels: Vec<String>,
    fair: Vec<Subformula>,
    strong: Vec<StrongFairness>,
    /// True for each part that implies the beginning of a fair path where it holds; false without fairness.
    fair_already: Vec<bool>,
}

impl CtlBuilder {
    /// Creates a builder without parts, labels and fairness.
    pub fn new() -> Self {
        Self::default()
    }

    /// Restricts path quantifiers from here on to paths that meet each of these conditions infinitely often.
    pub fn only_fair(&mut self, conditions: Vec<Subformula>) {
        self.fair = ascending(conditions);
    }

    /// Also restricts them to paths that meet these strong conditions. Every `EG` becomes a disjunction over the
    /// conditions whose premises recur only finitely often; each condition doubles the number of disjuncts.
    pub fn only_strongly_fair(&mut self, conditions: Vec<StrongFairness>) {
        self.strong = conditions;
    }

    /// Returns the formula with this part as root.
    pub fn finish(self, root: Subformula) -> CtlFormula {
        CtlFormula { nodes: self.nodes, root, labels: self.labels, fair: self.fair }
    }

    /// Returns the part with this operator and operands, without any fairness added.
    pub(super) fn part(&mut self, node: CtlOp) -> Subformula {
        if let Some(&known) = self.index.get(&node) {
            return known;
        }
        let part = Subformula(to_u32(self.nodes.len()));
        self.fair_already.push(self.implies_fair_path(&node));
        self.nodes.push(node.clone());
        self.index.insert(node, part);
        part
    }

    fn implies_fair_path(&self, node: &CtlOp) -> bool {
        let of = |part: &Subformula| self.fair_already[part.index()];
        match node {
            CtlOp::True | CtlOp::Label(_) | CtlOp::Not(_) => false,
            CtlOp::And(a, b) => of(a) || of(b),
            CtlOp::Or(a, b) => of(a) && of(b),
            // A path that leads to a fair one is fair, too.
            CtlOp::Next(a) | CtlOp::Until(_, a) => of(a),
            CtlOp::Always { fair, .. } => {
                let asks = !self.fair.is_empty() && self.strong.is_empty();
                asks && self.fair.iter().all(|condition| fair.contains(condition))
            }
        }
    }

    /// Adds a label with this text; labels are numbered from 0.
    pub fn label(&mut self, text: impl Into<String>) -> Subformula {
        self.labels.push(text.into());
        self.part(CtlOp::Label(self.labels.len() - 1))
    }

    /// Returns the constant `true`.
    pub fn yes(&mut self) -> Subformula {
        self.part(CtlOp::True)
    }

    /// Returns the negation; a double negation is dropped.
    pub fn not(&mut self, a: Subformula) -> Subformula {
        match self.nodes[a.index()] {
            CtlOp::Not(inner) => inner,
            _ => self.part(CtlOp::Not(a)),
        }
    }

    fn constant(&self, part: Subformula) -> Option<bool> {
        match self.nodes[part.index()] {
            CtlOp::True => Some(true),
            CtlOp::Not(a) if self.nodes[a.index()] == CtlOp::True => Some(false),
            _ => None,
        }
    }

    /// Returns the conjunction, simplified if an operand is constant or both are equal.
    pub fn and(&mut self, a: Subformula, b: Subformula) -> Subformula {
        match (self.constant(a), self.constant(b)) {
            _ if a == b => a,
            (Some(true), _) | (_, Some(false)) => b,
            (Some(false), _) | (_, Some(true)) => a,
            _ => self.part(CtlOp::And(a, b)),
        }
    }

    /// Returns the disjunction, simplified likewise.
    pub fn or(&mut self, a: Subformula, b: Subformula) -> Subformula {
        match (self.constant(a), self.constant(b)) {
            _ if a == b => a,
            (Some(false), _) | (_, Some(true)) => b,
            (Some(true), _) | (_, Some(false)) => a,
            _ => self.part(CtlOp::Or(a, b)),
        }
    }

    /// Returns the implication.
    pub fn implies(&mut self, a: Subformula, b: Subformula) -> Subformula {
        let not_a = self.not(a);
        self.or(not_a, b)
    }

    /// Returns the equivalence.
    pub fn iff(&mut self, a: Subformula, b: Subformula) -> Subformula {
        let (to, back) = (self.implies(a, b), self.implies(b, a));
        self.and(to, back)
    }

    /// Conjoins a part with the beginning of a fair path in the same state; the latter is omitted if the former implies
    /// it, or without fairness.
    fn on_fair_path(&mut self, a: Subformula) -> Subformula {
        if (self.fair.is_empty() && self.strong.is_empty()) || self.fair_already[a.index()] {
            return a;
        }
        let yes = self.yes();
        let fair_path = self.exists_always(yes, Vec::new());
        self.and(a, fair_path)
    }

    /// Returns `EX a`.
    pub fn exists_next(&mut self, a: Subformula) -> Subformula {
        let after = self.on_fair_path(a);
        self.part(CtlOp::Next(after))
    }

    /// Returns `E[a U b]`.
    pub fn exists_until(&mut self, a: Subformula, b: Subformula) -> Subformula {
        let end = self.on_fair_path(b);
        self.part(CtlOp::Until(a, end))
    }

    /// Returns `EF a`.
    pub fn exists_eventually(&mut self, a: Subformula) -> Subformula {
        let yes = self.yes();
        self.exists_until(yes, a)
    }

    /// Returns `EG a` on paths that have each of `fair` infinitely often, beside the fairness of all paths.
    pub fn exists_always(&mut self, a: Subformula, fair: Vec<Subformula>) -> Subformula {
        let fair = [self.fair.clone(), fair].concat();
        if self.strong.is_empty() {
            return self.part(CtlOp::Always { of: a, fair: ascending(fair) });
        }
        // A path meets a strong condition if its premise no longer holds from some point on, or its conclusion holds
        // infinitely often.
        let strong = self.strong.clone();
        let mut ways = Vec::new();
        for ended in 0..1u32 << strong.len() {
            let (mut of, mut fair) = (a, fair.clone());
            for (at, condition) in strong.iter().enumerate() {
                if ended >> at & 1 == 0 {
                    fair.push(condition.again);
                } else {
                    let never = self.not(condition.when);
                    of = self.and(of, never);
                }
            }
            let for_ever = self.part(CtlOp::Always { of, fair: ascending(fair) });
            ways.push(if ended == 0 { for_ever } else { self.part(CtlOp::Until(a, for_ever)) });
            let made = ways[ways.len() - 1];
            self.fair_already[for_ever.index()] = true;
            self.fair_already[made.index()] = true;
        }
        let first = ways[0];
        ways.into_iter().skip(1).fold(first, |some, way| self.or(some, way))
    }

    /// Returns an operator of ctl with its operands.
    ///
    /// # Panics
    /// For operators of ltl and wrong numbers of operands.
    pub fn operator(&mut self, op: TemporalOp, parts: &[Subformula]) -> Subformula {
        match (op, parts) {
            (TemporalOp::AllNext, [a]) => self.all_next(*a),
            (TemporalOp::AllEventually, [a]) => self.all_eventually(*a),
            (TemporalOp::AllAlways, [a]) => self.all_always(*a),
            (TemporalOp::AllUntil, [a, b]) => self.all_until(*a, *b),
            (TemporalOp::ExistsNext, [a]) => self.exists_next(*a),
            (TemporalOp::ExistsEventually, [a]) => self.exists_eventually(*a),
            (TemporalOp::ExistsAlways, [a, fair @ ..]) => self.exists_always(*a, fair.to_vec()),
            (TemporalOp::ExistsUntil, [a, b]) => self.exists_until(*a, *b),
            _ => panic!("{op:?} with {} operands is no operator of ctl", parts.len()),
        }
    }

    /// Returns `AX a`.
    pub fn all_next(&mut self, a: Subformula) -> Subformula {
        let not_a = self.not(a);
        let some = self.exists_next(not_a);
        self.not(some)
    }

    /// Returns `AG a`.
    pub fn all_always(&mut self, a: Subformula) -> Subformula {
        let not_a = self.not(a);
        let some = self.exists_eventually(not_a);
        self.not(some)
    }

    /// Returns `AF a`: no infinite path avoids it. Finite paths are ignored.
    pub fn all_eventually(&mut self, a: Subformula) -> Subformula {
        let not_a = self.not(a);
        let some = self.exists_always(not_a, Vec::new());
        self.not(some)
    }

    /// Returns `A[a U b]`: no path has a state with neither before b, and no infinite path avoids b.
    pub fn all_until(&mut self, a: Subformula, b: Subformula) -> Subformula {
        let (not_a, not_b) = (self.not(a), self.not(b));
        let neither = self.and(not_a, not_b);
        let broken = self.exists_until(not_b, neither);
        let never = self.exists_always(not_b, Vec::new());
        let some = self.or(broken, never);
        self.not(some)
    }
}

fn ascending(mut parts: Vec<Subformula>) -> Vec<Subformula> {
    parts.sort_unstable();
    parts.dedup();
    parts
}
