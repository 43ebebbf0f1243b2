//! Terms: typed expressions with resolved names.

use super::text::tree::{SmvOp, Temporal, WordType};
use kit::diagnostics::Span;
use std::collections::HashSet;
use std::rc::Rc;

/// A symbol of an enumeration, by its number among all.
pub(super) type SymbolId = usize;
pub(super) type VariableId = usize;
pub(super) type DefinitionId = usize;

/// The type of a term. Bounds of integers are never too narrow; a symbol stands for all symbols that it is compared with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum SmvType {
    Bool,
    Int(i64, i64),
    Symbol(SymbolId),
    /// A word; the term is the integer that it stands for.
    Word(WordType),
    /// The element type of a set to choose from.
    Set(Box<SmvType>),
}

/// Properties of a term, inherited from its parts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Traits {
    /// Reads the state after the step.
    pub next: bool,
    pub input: bool,
    pub ltl: bool,
    pub ctl: bool,
    /// May have no value: no case applies, or an index is out of bounds.
    pub partial: bool,
}

#[derive(Debug, Clone)]
pub(super) struct SmvTerm {
    pub node: Rc<SmvNode>,
    pub ty: SmvType,
    pub traits: Traits,
    /// The height of the term, through definitions.
    pub height: u32,
    pub span: Span,
}

#[derive(Debug)]
pub(super) enum SmvNode {
    Bool(bool),
    Int(i64),
    Symbol(SymbolId),
    /// A variable, or an element of an array, now or after the step.
    Read {
        variable: VariableId,
        indices: Vec<SmvTerm>,
        next: bool,
    },
    Definition(DefinitionId),
    /// The integer of these bits, the lowest first; the highest is a sign if `true`.
    Bits(Vec<SmvTerm>, bool),
    Not(SmvTerm),
    Minus(SmvTerm),
    Binary(SmvOp, SmvTerm, SmvTerm),
    /// The value of the first case whose condition holds.
    Case(Vec<(SmvTerm, SmvTerm)>),
    /// The number of operands that hold.
    Count(Vec<SmvTerm>),
    /// A set: its members, values or sets themselves.
    Set(Vec<SmvTerm>),
    /// The set of the integers from the first to the second.
    Range(i64, i64),
    Temporal(Temporal, Vec<SmvTerm>),
}

impl WordType {
    /// Returns the least and the greatest integer that words of this type stand for.
    pub fn bounds(self) -> (i64, i64) {
        match self.signed {
            true => (-(1 << (self.width - 1)), (1 << (self.width - 1)) - 1),
            false => (0, (1 << self.width) - 1),
        }
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

impl SmvNode {
    pub fn parts(&self) -> Vec<&SmvTerm> {
        match self {
            SmvNode::Bool(_)
            | SmvNode::Int(_)
            | SmvNode::Symbol(_)
            | SmvNode::Definition(_)
            | SmvNode::Range(..) => Vec::new(),
            SmvNode::Read { indices: parts, .. }
            | SmvNode::Count(parts)
            | SmvNode::Bits(parts, _)
            | SmvNode::Set(parts)
            | SmvNode::Temporal(_, parts) => parts.iter().collect(),
            SmvNode::Not(a) | SmvNode::Minus(a) => vec![a],
            SmvNode::Binary(_, a, b) => vec![a, b],
            SmvNode::Case(cases) => cases.iter().flat_map(|(condition, value)| [condition, value]).collect(),
        }
    }
}

impl SmvTerm {
    /// Creates a term whose traits are those of its parts, and `own`.
    pub fn with_traits(node: SmvNode, ty: SmvType, own: Traits, span: Span) -> Self {
        let own = match &node {
            SmvNode::Temporal(op, _) => Traits { ltl: op.is_linear(), ctl: !op.is_linear(), ..own },
            SmvNode::Case(cases) => {
                let is_total =
                    cases.last().is_some_and(|(last, _)| matches!(*last.node, SmvNode::Bool(true)));
                Traits { partial: own.partial || !is_total, ..own }
            }
            _ => own,
        };
        let traits = node.parts().into_iter().fold(own, |all, part| all.with(part.traits));
        let height = 1 + node.parts().into_iter().map(|part| part.height).max().unwrap_or_default();
        Self { node: Rc::new(node), ty, traits, height, span }
    }

    /// Creates a term whose traits are those of its parts.
    pub fn new(node: SmvNode, ty: SmvType, span: Span) -> Self {
        Self::with_traits(node, ty, Traits::default(), span)
    }

    /// True if the term contains a temporal operator.
    pub fn is_temporal(&self) -> bool {
        self.traits.ltl || self.traits.ctl
    }

    /// Returns the innermost first subterm with a trait that its parts do not have.
    pub fn culprit(&self, has: fn(Traits) -> bool) -> &SmvTerm {
        match self.node.parts().into_iter().find(|part| has(part.traits)) {
            Some(part) => part.culprit(has),
            None => self,
        }
    }

    pub fn conjuncts(&self) -> Vec<&SmvTerm> {
        let (mut open, mut all, mut seen) = (vec![self], Vec::new(), HashSet::new());
        while let Some(term) = open.pop() {
            if seen.insert(Rc::as_ptr(&term.node)) {
                match &*term.node {
                    SmvNode::Binary(SmvOp::And, a, b) => open.extend([b, a]),
                    _ => all.push(term),
                }
            }
        }
        all
    }
}
