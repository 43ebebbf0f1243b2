//! Formulas of CTL with fairness, in a small core; and their classes.

use lang::syntax::ast::TemporalOp;
use rustc_hash::FxHashMap;

/// A subformula of a [`Formula`], by its index. Operands have smaller indices than the parts that are made of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Part(u32);

impl Part {
    /// The index, below [`Formula::len`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a part says of a state. Universal operators are negations of existential ones.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Node {
    /// Always true.
    True,
    /// The label with this index.
    Label(usize),
    /// Negation.
    Not(Part),
    /// Conjunction.
    And(Part, Part),
    /// Disjunction.
    Or(Part, Part),
    /// `EX`: some step leads to such a state.
    Next(Part),
    /// `E[f U g]`: on some path there is g, and f everywhere before; the path has no steps where g is already there.
    Until(Part, Part),
    /// `EG`: some infinite path has `of` everywhere, and each of `fair` infinitely often.
    Always {
        /// What holds everywhere.
        of: Part,
        /// What holds infinitely often, ascending, each once.
        fair: Vec<Part>,
    },
}

/// What can be concluded from a part of a system about the whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// No operator: only the initial states matter.
    Propositional,
    /// All operators quantify over all paths: a violation in a part of a system is one in the whole.
    Universal,
    /// All operators quantify over some path: what a part of a system has, the whole has, too.
    Existential,
    /// Both kinds: a part of a system proves nothing.
    Mixed,
}

impl Class {
    /// The word that reports and JSON documents use: `propositional`, `universal`, `existential`, `mixed`.
    pub fn word(self) -> &'static str {
        match self {
            Class::Propositional => "propositional",
            Class::Universal => "universal",
            Class::Existential => "existential",
            Class::Mixed => "mixed",
        }
    }
}

/// A formula with all its parts, each once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Formula {
    nodes: Vec<Node>,
    /// The formula as a whole.
    pub root: Part,
    /// How labels are written.
    pub labels: Vec<String>,
    /// What every path quantifier asks of its paths: each of these infinitely often.
    pub fair: Vec<Part>,
}

impl Formula {
    /// The operator and operands of a part.
    pub fn node(&self, part: Part) -> &Node {
        &self.nodes[part.index()]
    }

    /// All parts, operands before what is made of them.
    pub fn parts(&self) -> impl DoubleEndedIterator<Item = Part> + use<> {
        (0..self.nodes.len() as u32).map(Part)
    }

    /// How many parts there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Always false: there is at least the root.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Whether a part has operators that quantify over some path (first), and over all paths (second).
    pub fn quantifies(&self, part: Part) -> (bool, bool) {
        self.quantifiers()[part.index()]
    }

    /// The same for all parts, by their indices.
    pub fn quantifiers(&self) -> Vec<(bool, bool)> {
        let mut all: Vec<(bool, bool)> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            let of = |part: &Part| all[part.index()];
            let both = |a: (bool, bool), b: (bool, bool)| (a.0 || b.0, a.1 || b.1);
            all.push(match node {
                Node::True | Node::Label(_) => (false, false),
                Node::Not(a) => (of(a).1, of(a).0),
                Node::And(a, b) | Node::Or(a, b) => both(of(a), of(b)),
                Node::Next(a) => (true, of(a).1),
                Node::Until(a, b) => (true, of(a).1 || of(b).1),
                Node::Always { of: a, fair } => (true, of(a).1 || fair.iter().any(|c| of(c).1)),
            });
        }
        all
    }

    /// The class of the formula as a whole.
    pub fn class(&self) -> Class {
        match self.quantifies(self.root) {
            (false, false) => Class::Propositional,
            (true, false) => Class::Existential,
            (false, true) => Class::Universal,
            (true, true) => Class::Mixed,
        }
    }
}

/// That something happens infinitely often if something else does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StrongFairness {
    /// What asks for it.
    pub when: Part,
    /// What happens then.
    pub again: Part,
}

/// Makes formulas. Equal parts are made once.
#[derive(Debug, Default)]
pub struct Builder {
    nodes: Vec<Node>,
    index: FxHashMap<Node, Part>,
    labels: Vec<String>,
    fair: Vec<Part>,
    strong: Vec<StrongFairness>,
    /// For each part whether it implies that a fair path begins where it holds; false where no fairness is asked for.
    fair_already: Vec<bool>,
}

impl Builder {
    /// A builder without parts, labels and fairness.
    pub fn new() -> Self {
        Self::default()
    }

    /// From here on path quantifiers range over paths that meet each of these conditions infinitely often.
    pub fn only_fair(&mut self, conditions: Vec<Part>) {
        self.fair = ascending(conditions);
    }

    /// And over paths that meet these. Every `EG` becomes a disjunction over which of them ask for something for a while only: their
    /// number is doubled by each.
    pub fn only_strongly_fair(&mut self, conditions: Vec<StrongFairness>) {
        self.strong = conditions;
    }

    /// The formula with this part as the whole.
    pub fn finish(self, root: Part) -> Formula {
        Formula { nodes: self.nodes, root, labels: self.labels, fair: self.fair }
    }

    /// The part with this operator and operands, without any fairness added.
    pub(super) fn part(&mut self, node: Node) -> Part {
        if let Some(&known) = self.index.get(&node) {
            return known;
        }
        let part = Part(self.nodes.len() as u32);
        self.fair_already.push(self.implies_fair_path(&node));
        self.nodes.push(node.clone());
        self.index.insert(node, part);
        part
    }

    fn implies_fair_path(&self, node: &Node) -> bool {
        let of = |part: &Part| self.fair_already[part.index()];
        match node {
            Node::True | Node::Label(_) | Node::Not(_) => false,
            Node::And(a, b) => of(a) || of(b),
            Node::Or(a, b) => of(a) && of(b),
            // A path that leads to a fair one is fair, too.
            Node::Next(a) | Node::Until(_, a) => of(a),
            Node::Always { fair, .. } => {
                let asks = !self.fair.is_empty() && self.strong.is_empty();
                asks && self.fair.iter().all(|condition| fair.contains(condition))
            }
        }
    }

    /// A new label, written like this; labels are numbered from 0.
    pub fn label(&mut self, text: impl Into<String>) -> Part {
        self.labels.push(text.into());
        self.part(Node::Label(self.labels.len() - 1))
    }

    /// The constant `true`.
    pub fn yes(&mut self) -> Part {
        self.part(Node::True)
    }

    /// The negation; a double negation is dropped.
    pub fn not(&mut self, a: Part) -> Part {
        match self.nodes[a.index()] {
            Node::Not(inner) => inner,
            _ => self.part(Node::Not(a)),
        }
    }

    fn constant(&self, part: Part) -> Option<bool> {
        match self.nodes[part.index()] {
            Node::True => Some(true),
            Node::Not(a) if self.nodes[a.index()] == Node::True => Some(false),
            _ => None,
        }
    }

    /// The conjunction, simplified where one operand is constant or both are equal.
    pub fn and(&mut self, a: Part, b: Part) -> Part {
        match (self.constant(a), self.constant(b)) {
            _ if a == b => a,
            (Some(true), _) | (_, Some(false)) => b,
            (Some(false), _) | (_, Some(true)) => a,
            _ => self.part(Node::And(a, b)),
        }
    }

    /// The disjunction, simplified likewise.
    pub fn or(&mut self, a: Part, b: Part) -> Part {
        match (self.constant(a), self.constant(b)) {
            _ if a == b => a,
            (Some(false), _) | (_, Some(true)) => b,
            (Some(true), _) | (_, Some(false)) => a,
            _ => self.part(Node::Or(a, b)),
        }
    }

    /// Implication.
    pub fn implies(&mut self, a: Part, b: Part) -> Part {
        let not_a = self.not(a);
        self.or(not_a, b)
    }

    /// Equivalence.
    pub fn iff(&mut self, a: Part, b: Part) -> Part {
        let (to, back) = (self.implies(a, b), self.implies(b, a));
        self.and(to, back)
    }

    /// A part holds and a fair path begins in the same state; the latter is left out where it follows from the former, or no
    /// fairness is asked for.
    fn on_fair_path(&mut self, a: Part) -> Part {
        if (self.fair.is_empty() && self.strong.is_empty()) || self.fair_already[a.index()] {
            return a;
        }
        let yes = self.yes();
        let fair_path = self.exists_always(yes, Vec::new());
        self.and(a, fair_path)
    }

    /// `EX a`
    pub fn exists_next(&mut self, a: Part) -> Part {
        let after = self.on_fair_path(a);
        self.part(Node::Next(after))
    }

    /// `E[a U b]`
    pub fn exists_until(&mut self, a: Part, b: Part) -> Part {
        let end = self.on_fair_path(b);
        self.part(Node::Until(a, end))
    }

    /// `EF a`
    pub fn exists_eventually(&mut self, a: Part) -> Part {
        let yes = self.yes();
        self.exists_until(yes, a)
    }

    /// `EG a`; on paths that have each of `fair` infinitely often, beside what all paths are asked for.
    pub fn exists_always(&mut self, a: Part, fair: Vec<Part>) -> Part {
        let fair = [self.fair.clone(), fair].concat();
        if self.strong.is_empty() {
            return self.part(Node::Always { of: a, fair: ascending(fair) });
        }
        // A path meets a strong condition if what asks for it comes no more from some point on, or what it asks for comes again and again.
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
            let for_ever = self.part(Node::Always { of, fair: ascending(fair) });
            ways.push(if ended == 0 { for_ever } else { self.part(Node::Until(a, for_ever)) });
            let made = ways[ways.len() - 1];
            self.fair_already[for_ever.index()] = true;
            self.fair_already[made.index()] = true;
        }
        let first = ways[0];
        ways.into_iter().skip(1).fold(first, |some, way| self.or(some, way))
    }

    /// An operator of ctl with its operands.
    ///
    /// # Panics
    /// For operators of ltl and wrong numbers of operands.
    pub fn operator(&mut self, op: TemporalOp, parts: &[Part]) -> Part {
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

    /// `AX a`
    pub fn all_next(&mut self, a: Part) -> Part {
        let not_a = self.not(a);
        let some = self.exists_next(not_a);
        self.not(some)
    }

    /// `AG a`
    pub fn all_always(&mut self, a: Part) -> Part {
        let not_a = self.not(a);
        let some = self.exists_eventually(not_a);
        self.not(some)
    }

    /// `AF a`: no infinite path avoids it. A path that ends does not count.
    pub fn all_eventually(&mut self, a: Part) -> Part {
        let not_a = self.not(a);
        let some = self.exists_always(not_a, Vec::new());
        self.not(some)
    }

    /// `A[a U b]`: on no path there is neither before b, and no infinite path avoids b.
    pub fn all_until(&mut self, a: Part, b: Part) -> Part {
        let (not_a, not_b) = (self.not(a), self.not(b));
        let neither = self.and(not_a, not_b);
        let broken = self.exists_until(not_b, neither);
        let never = self.exists_always(not_b, Vec::new());
        let some = self.or(broken, never);
        self.not(some)
    }
}

fn ascending(mut parts: Vec<Part>) -> Vec<Part> {
    parts.sort_unstable();
    parts.dedup();
    parts
}
