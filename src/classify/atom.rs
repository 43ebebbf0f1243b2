//! Atoms: what can be said of a trace at some of its positions (section 3.2 of the classification paper), and the
//! arena that owns them.

use super::index::AtomId;
use crate::model::expr::{Expr, ExprKind, LocalId, Op};
use crate::model::value::{Moment, Value};
use crate::model::{Model, PredicateId, eval};
use elsa::FrozenVec;

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
    /// The conjuncts of `expr`, each with the parameters that it reads. Most of them read fewer positions than the
    /// whole, which keeps encodings small.
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

/// An arena of atoms. Facts and constraints name atoms by their index here, so they mean something only together with
/// their arena. Atoms are added and never removed.
#[derive(Default, Clone, PartialEq)]
pub struct Atoms {
    list: FrozenVec<Box<Atom>>,
}

impl Atoms {
    /// Adds an atom.
    pub fn add(&self, atom: Atom) -> AtomId {
        self.list.push(Box::new(atom));
        AtomId::new(self.list.len() - 1)
    }

    /// The atom with an index.
    ///
    /// # Panics
    /// If the index is from another arena with more atoms.
    pub fn get(&self, id: AtomId) -> &Atom {
        &self.list[id.index()]
    }
}

impl std::fmt::Debug for Atoms {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.list.iter()).finish()
    }
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
        eval::eval_trace(model, &self.expr, trace, &bound).is_true()
    }

    /// The predicate of the user that it is an instance of; `None` for a generic atom.
    pub fn predicate(&self) -> Option<PredicateId> {
        match self.origin {
            Origin::Predicate { predicate, .. } => Some(predicate),
            _ => None,
        }
    }

    /// Whether this is a predicate of the user rather than a generic atom.
    pub fn is_predicate(&self) -> bool {
        self.predicate().is_some()
    }

    /// Whether the label of a step is read.
    pub fn reads_label(&self) -> bool {
        reads_label(&self.expr)
    }

    /// The atom in the paper's notation, with these names for its positions. Without names, positions are left out:
    /// that is how absences are written.
    pub fn show(&self, model: &Model, names: &[String]) -> String {
        let value = |v: &Value| model.types.show_value(v);
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

/// The conjuncts of an expression. Names for positions are replaced by what they stand for; names for values are kept
/// around each conjunct that reads them.
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

/// Whether an expression reads the label of a step.
pub(super) fn reads_label(expr: &Expr) -> bool {
    let mut found = false;
    expr.walk(&mut |e| found |= matches!(e.kind, ExprKind::ActionLabel | ExprKind::LabelArg { .. }));
    found
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
