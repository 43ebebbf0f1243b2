//! Facts: what can be said of a trace at some of its positions (section 3.2 of the classification paper).

use crate::model::expr::{Expr, ExprKind, LocalId, Op};
use crate::model::value::{Moment, Value};
use crate::model::{Model, PredicateId};
use std::ops::Range;
use std::sync::Arc;

/// Where an atom comes from, for printing and for preferences.
#[derive(Debug, Clone, PartialEq)]
pub enum Origin {
    /// `x@i = c`, of an observable and a constant.
    Equal {
        /// The observable as text.
        observable: String,
        /// The constant.
        value: Value,
    },
    /// `c in x@i`.
    Member {
        /// The observable as text.
        observable: String,
        /// The constant.
        value: Value,
    },
    /// `c not in x@i`.
    NotMember {
        /// The observable as text.
        observable: String,
        /// The constant.
        value: Value,
    },
    /// `x@i = y@j`.
    Across {
        /// The observable at the first position.
        left: String,
        /// The observable at the second position.
        right: String,
    },
    /// A predicate of the model or of a library.
    Predicate {
        /// Which one.
        predicate: PredicateId,
        /// For each parameter the observable that is passed; `None` for a position parameter.
        args: Vec<Option<String>>,
    },
}

/// An atomic fact with its positions open: an expression over position parameters.
#[derive(Debug, Clone, PartialEq)]
pub struct Atom {
    /// Where it comes from.
    pub origin: Origin,
    /// Index of its item in the vocabulary: the preference of the user, lower is better.
    pub item: usize,
    /// The position parameters, in order.
    pub params: Vec<LocalId>,
    /// The truth value, over `params`.
    pub expr: Expr,
    /// The conjuncts of `expr`, each with the parameters that it reads. Taken apart because most of
    /// them read fewer positions than the whole, which keeps encodings small.
    pub conjuncts: Vec<Conjunct>,
}

/// A conjunct of an atom.
#[derive(Debug, Clone, PartialEq)]
pub struct Conjunct {
    /// The truth value.
    pub expr: Expr,
    /// Indices of the atom's parameters that it reads, ascending.
    pub params: Vec<usize>,
}

/// What a fact says of its positions.
#[derive(Debug, Clone, PartialEq)]
pub enum FactKind {
    /// The first position is before the second.
    Before,
    /// The second position is the one after the first.
    Next,
    /// An atom holds.
    Atom(Arc<Atom>),
    /// An atom of one position holds nowhere in a stretch of the trace.
    Absent(Arc<Atom>, Stretch),
}

/// A part of a trace between, before or after positions, which do not belong to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stretch {
    /// After the first position and before the second. Nothing lies there unless the second is later.
    Between,
    /// From the start of the trace to the position.
    Before,
    /// From the position to the end of the trace.
    After,
}

impl Stretch {
    /// The positions that belong to it in a trace of that many positions.
    pub fn range(self, positions: &[usize], length: usize) -> Range<usize> {
        match self {
            Self::Between => positions[0] + 1..positions[1],
            Self::Before => 0..positions[0],
            Self::After => positions[0] + 1..length,
        }
    }

    /// The stretch as an interval: `(i..j)`, `[0..i)`, `(i..len(ρ)]`.
    fn show(self, names: &[String]) -> String {
        match self {
            Self::Between => format!("({}..{})", names[0], names[1]),
            Self::Before => format!("[0..{})", names[0]),
            Self::After => format!("({}..len(ρ)]", names[0]),
        }
    }
}

/// A fact of a trace constraint; its positions are indices of the constraint's position variables.
#[derive(Debug, Clone, PartialEq)]
pub struct Fact {
    /// What it says.
    pub kind: FactKind,
    /// Of which position variables.
    pub positions: Vec<usize>,
}

impl Atom {
    /// An atom over the given position parameters.
    pub fn new(origin: Origin, item: usize, params: Vec<LocalId>, expr: Expr) -> Self {
        let mut parts = Vec::new();
        split(&expr, &mut parts);
        let conjuncts = parts
            .into_iter()
            .map(|expr| {
                let read = (0..params.len()).filter(|&p| reads(&expr, params[p])).collect();
                Conjunct { expr, params: read }
            })
            .collect();
        Self { origin, item, params, expr, conjuncts }
    }

    /// Whether the atom holds in a trace at the given positions, by the reference semantics.
    pub fn holds(&self, model: &Model, trace: &[Moment], positions: &[usize]) -> bool {
        let bound: Vec<(LocalId, Value)> =
            self.params.iter().zip(positions).map(|(&p, &at)| (p, Value::Int(at as i64))).collect();
        crate::model::eval::eval_trace(model, &self.expr, trace, &bound).is_true()
    }

    /// Whether it is a predicate of the user rather than a generic fact.
    pub fn is_predicate(&self) -> bool {
        matches!(self.origin, Origin::Predicate { .. })
    }

    /// Whether it reads the label of a step.
    pub fn reads_label(&self) -> bool {
        let mut found = false;
        self.expr.walk(&mut |e| found |= matches!(e.kind, ExprKind::ActionLabel | ExprKind::LabelArg { .. }));
        found
    }

    /// The atom in the paper's notation, with these names for its positions.
    pub fn show(&self, model: &Model, names: &[String]) -> String {
        let value = |v: &Value| model.types.show_value(v);
        // Nothing where no position is meant: that is what absences look like.
        let at = |n: usize| names.get(n).map(|name| format!("@{name}")).unwrap_or_default();
        match &self.origin {
            Origin::Equal { observable, value: v } => format!("{observable}{} = {}", at(0), value(v)),
            Origin::Member { observable, value: v } => format!("{} in {observable}{}", value(v), at(0)),
            Origin::NotMember { observable, value: v } => {
                format!("{} not in {observable}{}", value(v), at(0))
            }
            Origin::Across { left, right } => format!("{left}{} = {right}{}", at(0), at(1)),
            Origin::Predicate { predicate, args } => {
                let args: Vec<String> = args
                    .iter()
                    .zip(names)
                    .map(|(arg, name)| arg.as_ref().map_or(name.clone(), |o| format!("{o}@{name}")))
                    .collect();
                format!("{}({})", model.predicates[predicate.0 as usize].name, args.join(", "))
            }
        }
    }
}

impl Fact {
    /// The fact in the paper's notation; `names` are the names of all position variables.
    pub fn show(&self, model: &Model, names: &[String]) -> String {
        let of: Vec<String> = self.positions.iter().map(|&p| names[p].clone()).collect();
        match &self.kind {
            FactKind::Before => format!("{} < {}", of[0], of[1]),
            FactKind::Next => format!("{} = {} + 1", of[1], of[0]),
            FactKind::Atom(atom) => atom.show(model, &of),
            FactKind::Absent(atom, stretch) => {
                format!("never {} within {}", atom.show(model, &[]), stretch.show(&of))
            }
        }
    }

    /// Whether it only speaks of the order of positions.
    pub fn is_order(&self) -> bool {
        matches!(self.kind, FactKind::Before | FactKind::Next)
    }

    /// Whether it says that something holds nowhere in a stretch.
    pub fn is_absence(&self) -> bool {
        matches!(self.kind, FactKind::Absent(..))
    }

    /// The predicate it is an instance of, if it is one.
    pub fn predicate(&self) -> Option<PredicateId> {
        match &self.kind {
            FactKind::Atom(atom) => match atom.origin {
                Origin::Predicate { predicate, .. } => Some(predicate),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether it holds in a trace when the position variables take these values.
    pub fn holds(&self, model: &Model, trace: &[Moment], values: &[usize]) -> bool {
        let at: Vec<usize> = self.positions.iter().map(|&p| values[p]).collect();
        match &self.kind {
            FactKind::Before => at[0] < at[1],
            FactKind::Next => at[0] + 1 == at[1],
            FactKind::Atom(atom) => atom.holds(model, trace, &at),
            FactKind::Absent(atom, stretch) => {
                stretch.range(&at, trace.len()).all(|t| !atom.holds(model, trace, &[t]))
            }
        }
    }
}

/// The conjuncts of an expression; names for positions are replaced by what they stand for, names for
/// values are kept around each conjunct that reads them.
fn split(expr: &Expr, parts: &mut Vec<Expr>) {
    match &expr.kind {
        ExprKind::Binary(Op::And, a, b) => {
            split(a, parts);
            split(b, parts);
        }
        ExprKind::Let { local, value, body } => {
            let mut inner = Vec::new();
            split(body, &mut inner);
            for mut part in inner {
                match value.kind {
                    ExprKind::Local(target) => part.rename_local(*local, target),
                    _ if reads(&part, *local) => {
                        let (span, ty) = (part.span, part.ty.clone());
                        let kind =
                            ExprKind::Let { local: *local, value: value.clone(), body: Box::new(part) };
                        part = Expr { kind, ty, span };
                    }
                    _ => {}
                }
                parts.push(part);
            }
        }
        _ => parts.push(expr.clone()),
    }
}

/// Whether a bound name occurs in an expression.
fn reads(expr: &Expr, local: LocalId) -> bool {
    let mut found = false;
    expr.walk(&mut |e| {
        found |= match &e.kind {
            ExprKind::Local(l) => *l == local,
            ExprKind::At { at, .. } => *at == local,
            _ => false,
        }
    });
    found
}
