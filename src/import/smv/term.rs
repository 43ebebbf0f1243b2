//! Terms: expressions whose names are resolved and whose types are known.

use kit::diagnostics::Span;
use std::collections::HashSet;
use std::rc::Rc;

/// A symbol of an enumeration, by its number among all.
pub(super) type SymbolId = usize;
pub(super) type VariableId = usize;
pub(super) type DefinitionId = usize;

/// The type of a term. Integers have bounds, which are never too narrow; a symbol stands for all that it is compared with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Ty {
    Bool,
    Int(i64, i64),
    Symbol(SymbolId),
    /// What is chosen from.
    Set(Box<Ty>),
}

/// What is true of a term or of a part of it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Traits {
    /// It reads the state after the step.
    pub next: bool,
    pub input: bool,
    pub ltl: bool,
    pub ctl: bool,
    /// It may have no value: no case applies, or an index is out of bounds.
    pub partial: bool,
}

/// A term. Copies share what is in it.
#[derive(Debug, Clone)]
pub(super) struct Term {
    pub node: Rc<Node>,
    pub ty: Ty,
    pub traits: Traits,
    /// How many terms are inside of each other at most, through definitions.
    pub height: u32,
    pub span: Span,
}

/// What a term is.
#[derive(Debug)]
pub(super) enum Node {
    Bool(bool),
    Int(i64),
    Symbol(SymbolId),
    /// A variable, or an element of an array, now or after the step.
    Read {
        variable: VariableId,
        indices: Vec<Term>,
        next: bool,
    },
    Definition(DefinitionId),
    Not(Term),
    Minus(Term),
    Binary(Op, Term, Term),
    /// The value of the first case whose condition holds.
    Case(Vec<(Term, Term)>),
    /// How many hold.
    Count(Vec<Term>),
    /// A set: its members, values or sets themselves.
    Set(Vec<Term>),
    /// The set of the integers from the first to the second.
    Range(i64, i64),
    Temporal(Temporal, Vec<Term>),
}

/// Operators with two operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Op {
    And,
    Or,
    Xor,
    Implies,
    Iff,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    In,
    Plus,
    Minus,
    Times,
    Divide,
    Mod,
}

/// Temporal operators.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Temporal {
    Next,
    Always,
    Eventually,
    Until,
    Release,
    AllNext,
    AllAlways,
    AllEventually,
    AllUntil,
    ExistsNext,
    ExistsAlways,
    ExistsEventually,
    ExistsUntil,
}

impl Temporal {
    fn is_linear(self) -> bool {
        matches!(
            self,
            Temporal::Next | Temporal::Always | Temporal::Eventually | Temporal::Until | Temporal::Release
        )
    }
}

impl Traits {
    fn with(self, other: Self) -> Self {
        Self {
            next: self.next || other.next,
            input: self.input || other.input,
            ltl: self.ltl || other.ltl,
            ctl: self.ctl || other.ctl,
            partial: self.partial || other.partial,
        }
    }
}

impl Node {
    pub fn parts(&self) -> Vec<&Term> {
        match self {
            Node::Bool(_) | Node::Int(_) | Node::Symbol(_) | Node::Definition(_) | Node::Range(..) => {
                Vec::new()
            }
            Node::Read { indices: parts, .. }
            | Node::Count(parts)
            | Node::Set(parts)
            | Node::Temporal(_, parts) => parts.iter().collect(),
            Node::Not(a) | Node::Minus(a) => vec![a],
            Node::Binary(_, a, b) => vec![a, b],
            Node::Case(cases) => cases.iter().flat_map(|(condition, value)| [condition, value]).collect(),
        }
    }
}

impl Term {
    /// A term whose traits are those of its parts, and `own`.
    pub fn with_traits(node: Node, ty: Ty, own: Traits, span: Span) -> Self {
        let own = match &node {
            Node::Temporal(op, _) => Traits { ltl: op.is_linear(), ctl: !op.is_linear(), ..own },
            Node::Case(cases) => {
                let is_total = cases.last().is_some_and(|(last, _)| matches!(*last.node, Node::Bool(true)));
                Traits { partial: own.partial || !is_total, ..own }
            }
            _ => own,
        };
        let traits = node.parts().into_iter().fold(own, |all, part| all.with(part.traits));
        let height = 1 + node.parts().into_iter().map(|part| part.height).max().unwrap_or_default();
        Self { node: Rc::new(node), ty, traits, height, span }
    }

    /// A term whose traits are those of its parts.
    pub fn new(node: Node, ty: Ty, span: Span) -> Self {
        Self::with_traits(node, ty, Traits::default(), span)
    }

    /// True if it has a temporal operator.
    pub fn is_temporal(&self) -> bool {
        self.traits.ltl || self.traits.ctl
    }

    /// The first part, or the term itself, that by itself has a trait which its parts do not have.
    pub fn culprit(&self, has: fn(Traits) -> bool) -> &Term {
        match self.node.parts().into_iter().find(|part| has(part.traits)) {
            Some(part) => part.culprit(has),
            None => self,
        }
    }

    pub fn conjuncts(&self) -> Vec<&Term> {
        let (mut open, mut all, mut seen) = (vec![self], Vec::new(), HashSet::new());
        while let Some(term) = open.pop() {
            if seen.insert(Rc::as_ptr(&term.node)) {
                match &*term.node {
                    Node::Binary(Op::And, a, b) => open.extend([b, a]),
                    _ => all.push(term),
                }
            }
        }
        all
    }
}
