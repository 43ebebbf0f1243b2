//! Atoms: predicates of a trace at some of its positions (section 3.2 of the classification paper) and of
//! individuals, and the arena that owns them.

use crate::facts::index::{AtomId, DomainId};
use crate::facts::phrase::Phrase;
use elsa::FrozenVec;
use lang::model::expr::{Expr, ExprKind, LocalId, Op};
use lang::model::types::Type;
use lang::model::value::{Moment, Value};
use lang::model::{Model, Observable, Position, PredicateId, Threshold, eval};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::sync::Arc;

/// The origin of an atom, for printing and for preferences.
#[derive(Debug, Clone, PartialEq)]
pub enum AtomOrigin {
    /// `x@i = c`, of an observable and a constant.
    Equal {
        /// The observable as text.
        observable: Phrase,
        /// The constant or individual.
        value: ComparisonOperand,
    },
    /// `c in x@i`.
    Member {
        /// The observable as text.
        observable: Phrase,
        /// The member.
        value: ComparisonOperand,
    },
    /// `c not in x@i`.
    NotMember {
        /// The observable as text.
        observable: Phrase,
        /// The value that is not a member.
        value: ComparisonOperand,
    },
    /// `x@i = y@j`.
    Across {
        /// The observable at the first position.
        left: Phrase,
        /// The observable at the second position.
        right: Phrase,
    },
    /// `x@i < c`, `x@i >= c`: the side of a threshold of the model on which an integer is.
    Bounded {
        /// The observable as text.
        observable: Phrase,
        /// The threshold.
        threshold: Threshold,
        /// True if it is the lower side.
        below: bool,
    },
    /// `x@i < y@j` or `x@i <= y@j`.
    Ordered {
        /// The observable at the first position.
        left: Phrase,
        /// The observable at the second position.
        right: Phrase,
        /// True if they differ.
        strict: bool,
    },
    /// `y@j = x@i + n`.
    Shifted {
        /// The observable at the first position.
        left: Phrase,
        /// The observable at the second position.
        right: Phrase,
        /// n, positive or negative.
        by: i64,
    },
    /// A predicate of the model or of a library.
    Predicate {
        /// The predicate.
        predicate: PredicateId,
        /// The arguments for its parameters.
        args: Vec<Passed>,
    },
    /// `r ≠ s`, for two individuals or an individual and a constant.
    Distinct {
        /// The first of the two.
        left: Phrase,
        /// The second of the two.
        right: Phrase,
    },
    /// `f(r) = s`: a function of the model relates two individuals, or an individual and a constant.
    Related {
        /// The application `f(r)` as text.
        application: Phrase,
        /// Its value.
        value: Phrase,
    },
    /// A text from a stored result, in the language of models.
    Written(String),
}

/// An argument for a parameter of a predicate.
#[derive(Debug, Clone, PartialEq)]
pub enum Passed {
    /// A position.
    Position,
    /// An observable as text, read at a position.
    Observed(Phrase),
    /// A value or individual.
    Value {
        /// The value or individual as text.
        text: Phrase,
        /// True if the vocabulary leaves it open, so that an individual can take its place.
        any: bool,
    },
}

/// The right-hand side of a comparison with an observable.
#[derive(Debug, Clone, PartialEq)]
pub enum ComparisonOperand {
    /// A constant.
    Constant(Value),
    /// An individual, or a record that contains individuals.
    Lifted(Phrase),
}

impl ComparisonOperand {
    /// Returns the text, with these names for individuals.
    pub fn show(&self, model: &Model, individuals: &[String]) -> String {
        match self {
            Self::Constant(value) => model.types.show_value(value),
            Self::Lifted(phrase) => phrase.show(individuals),
        }
    }

    /// Returns the constant; `None` if there are individuals.
    pub fn constant(&self) -> Option<&Value> {
        match self {
            Self::Constant(value) => Some(value),
            Self::Lifted(_) => None,
        }
    }
}

/// A parameter of an atom that stands for an individual.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ValueParam {
    /// Its name in the atom's expression.
    pub local: LocalId,
    /// The domain of its values.
    pub domain: DomainId,
}

/// An atomic fact over open positions and possibly open individuals: an expression over parameters.
#[derive(Debug, Clone, PartialEq)]
pub struct Atom {
    /// Its origin.
    pub origin: AtomOrigin,
    /// Index of its item in the vocabulary: the preference of the user, lower is better.
    pub item: usize,
    /// The position parameters, in order.
    pub params: Vec<LocalId>,
    /// The parameters that stand for individuals, in order; a *ground* atom has none.
    pub values: Vec<ValueParam>,
    /// The truth value, over `params` and `values`.
    pub expr: Expr,
    /// The conjuncts of `expr`, each with the parameters that it reads. Most of them read fewer positions
    /// than the whole, which keeps encodings small.
    pub conjuncts: Vec<Conjunct>,
}

/// A conjunct of an atom.
#[derive(Debug, Clone, PartialEq)]
pub struct Conjunct {
    /// The truth value.
    pub expr: Expr,
    /// Indices of the atom's position parameters that it reads, ascending.
    pub params: Vec<usize>,
    /// Indices of the atom's value parameters that it reads, ascending.
    pub values: Vec<usize>,
}

/// An arena of atoms, and of the domains of individuals. Facts and constraints refer to both by indices, which
/// are meaningful only with their arena. Atoms are added and never removed; copies of an arena share them.
#[derive(Default, Clone)]
pub struct Atoms {
    list: FrozenVec<Arc<Atom>>,
    domains: FrozenVec<Box<Type>>,
    /// Memoised atoms derived from others.
    derived: RefCell<FxHashMap<String, AtomId>>,
    instances: RefCell<FxHashMap<(AtomId, Vec<Value>), AtomId>>,
}

impl Atoms {
    /// Adds an atom.
    pub fn add(&self, atom: Atom) -> AtomId {
        self.list.push(Arc::new(atom));
        AtomId::new(self.list.len() - 1)
    }

    /// Returns the atom with an index.
    ///
    /// # Panics
    /// If the index is from another arena with more atoms.
    pub fn get(&self, id: AtomId) -> &Atom {
        &self.list[id.index()]
    }

    /// Returns the index of a type whose values are individuals; a new type is added.
    pub fn domain(&self, ty: &Type) -> DomainId {
        let known = self.domains.iter().position(|known| known == ty);
        DomainId::new(known.unwrap_or_else(|| {
            self.domains.push(Box::new(ty.clone()));
            self.domains.len() - 1
        }))
    }

    /// Returns the type of a domain.
    ///
    /// # Panics
    /// If the index is from another arena with more domains.
    pub fn type_of(&self, domain: DomainId) -> &Type {
        &self.domains[domain.index()]
    }

    /// Adds an atom about individuals, or returns an existing one with the same item, origin and domains.
    pub(crate) fn derive(&self, atom: Atom) -> AtomId {
        let domains: Vec<DomainId> = atom.values.iter().map(|v| v.domain).collect();
        let key = format!("{} {domains:?} {:?}", atom.item, atom.origin);
        if let Some(&known) = self.derived.borrow().get(&key) {
            return known;
        }
        let id = self.add(atom);
        self.derived.borrow_mut().insert(key, id);
        id
    }

    /// Returns the ground atom with these values in place of the individuals.
    pub fn instance(&self, id: AtomId, values: &[Value]) -> AtomId {
        let atom = self.get(id);
        if atom.values.is_empty() {
            return id;
        }
        let key = (id, values.to_vec());
        if let Some(&known) = self.instances.borrow().get(&key) {
            return known;
        }
        let mut expr = atom.expr.clone();
        for (param, value) in atom.values.iter().zip(values) {
            substitute(&mut expr, param.local, value, self.type_of(param.domain));
        }
        let instance = Atom::new(atom.origin.clone(), atom.item, atom.params.clone(), Vec::new(), expr);
        let instance = self.add(instance);
        self.instances.borrow_mut().insert(key, instance);
        instance
    }
}

impl PartialEq for Atoms {
    fn eq(&self, other: &Self) -> bool {
        self.list == other.list && self.domains == other.domains
    }
}

impl std::fmt::Debug for Atoms {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.list.iter()).finish()
    }
}

/// The names of the variables of a constraint.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct VariableNames {
    /// The names of the position variables.
    pub positions: Vec<String>,
    /// The names of the individuals.
    pub individuals: Vec<String>,
}

impl Atom {
    /// Creates an atom over the given position and value parameters.
    pub fn new(
        origin: AtomOrigin,
        item: usize,
        params: Vec<LocalId>,
        values: Vec<ValueParam>,
        expr: Expr,
    ) -> Self {
        let conjuncts = expr
            .split_conjuncts()
            .into_iter()
            .map(|expr| {
                let read = (0..params.len()).filter(|&p| expr.reads_local(params[p])).collect();
                let of = (0..values.len()).filter(|&v| expr.reads_local(values[v].local)).collect();
                Conjunct { expr, params: read, values: of }
            })
            .collect();
        Self { origin, item, params, values, expr, conjuncts }
    }

    /// True if the atom holds in a trace at the given positions and of the given individuals, by the reference semantics.
    pub fn holds(
        &self,
        model: &Model,
        trace: &[Moment],
        positions: &[Position],
        individuals: &[Value],
    ) -> bool {
        eval::eval_trace(model, &self.expr, trace, &self.bound(positions, individuals)).is_true()
    }

    /// Returns the parameters with their values; fewer positions or individuals bind the first parameters.
    pub(crate) fn bound(&self, positions: &[Position], individuals: &[Value]) -> Vec<(LocalId, Value)> {
        let positions = self.params.iter().zip(positions).map(|(&p, &at)| (p, at.into()));
        let individuals = self.values.iter().zip(individuals).map(|(p, value)| (p.local, value.clone()));
        positions.chain(individuals).collect()
    }

    /// Returns the predicate of the user that it instantiates; `None` for a generic atom.
    pub fn predicate(&self) -> Option<PredicateId> {
        match self.origin {
            AtomOrigin::Predicate { predicate, .. } => Some(predicate),
            _ => None,
        }
    }

    /// True if this is a predicate of the user rather than a generic atom.
    pub fn is_predicate(&self) -> bool {
        self.predicate().is_some()
    }

    /// Returns a text that identifies the statement of the atom: items of a vocabulary for each key of a map
    /// give atoms that differ only in their item.
    pub fn identity(&self) -> String {
        let domains: Vec<DomainId> = self.values.iter().map(|value| value.domain).collect();
        format!("{:?} {domains:?}", self.origin)
    }

    /// True if the label of a step is read.
    pub fn reads_label(&self) -> bool {
        reads_label(&self.expr)
    }

    /// True if it only says which individuals are meant, and nothing of a trace.
    pub fn is_about_individuals(&self) -> bool {
        matches!(self.origin, AtomOrigin::Distinct { .. } | AtomOrigin::Related { .. })
    }

    /// Returns `right = left + by` as text.
    fn shifted(&self, left: &str, right: &str, by: i64) -> String {
        let sign = if by < 0 { '-' } else { '+' };
        let equation = format!("{right} = {left} {sign} {}", by.unsigned_abs());
        match self.expr.kind {
            // `none + 1` is `none`.
            ExprKind::Binary(Op::And, ..) => format!("{equation} and {left} is some"),
            _ => equation,
        }
    }

    /// Returns the atom in the paper's notation, with these names for its parameters. Without names of
    /// positions these are omitted, as in absences.
    pub fn show(&self, model: &Model, names: &VariableNames) -> String {
        let read = |observable: &str, at: Option<&str>| match at {
            Some(at) => format!("{observable}@{at}"),
            None => observable.to_owned(),
        };
        self.written(model, names, ("≠", &read))
    }

    /// Returns the atom with a sign for different values, and observables as `read` writes them at positions, as far as
    /// these have names.
    pub(crate) fn written(
        &self,
        model: &Model,
        names: &VariableNames,
        (differs, read): (&str, ReadAt<'_>),
    ) -> String {
        let of = &names.individuals;
        let name = |n: usize| names.positions.get(n).map(String::as_str);
        let at = |observable: &Phrase, n: usize| read(&observable.show(of), name(n));
        match &self.origin {
            AtomOrigin::Equal { observable, value } => {
                let (observable, value) = (observable.show(of), value.show(model, of));
                match Observable::constructed(&observable) {
                    Some(of) => format!("{} is {value}", read(of, name(0))),
                    None => format!("{} = {value}", read(&observable, name(0))),
                }
            }
            AtomOrigin::Member { observable, value } => {
                format!("{} in {}", value.show(model, of), at(observable, 0))
            }
            AtomOrigin::NotMember { observable, value } => {
                format!("{} not in {}", value.show(model, of), at(observable, 0))
            }
            AtomOrigin::Across { left, right } => format!("{} = {}", at(left, 0), at(right, 1)),
            AtomOrigin::Bounded { observable, threshold, below } => {
                format!("{} {} {}", at(observable, 0), threshold.sign(*below), threshold.number)
            }
            AtomOrigin::Ordered { left, right, strict } => {
                format!("{} {} {}", at(left, 0), if *strict { "<" } else { "<=" }, at(right, 1))
            }
            AtomOrigin::Shifted { left, right, by } => self.shifted(&at(left, 0), &at(right, 1), *by),
            AtomOrigin::Predicate { predicate, args } => {
                let mut positions = 0..;
                let mut next = || positions.next().and_then(name);
                let arg = |arg: &Passed| match arg {
                    Passed::Position => next().map(str::to_owned),
                    Passed::Observed(observable) => Some(read(&observable.show(of), next())),
                    Passed::Value { text, .. } => Some(text.show(of)),
                };
                let name = &model.predicates[predicate.0 as usize].name;
                let shown: Vec<String> = args.iter().filter_map(arg).collect();
                let is_bare = shown.is_empty() && !args.is_empty();
                if is_bare { name.clone() } else { format!("{name}({})", shown.join(", ")) }
            }
            AtomOrigin::Distinct { left, right } => format!("{} {differs} {}", left.show(of), right.show(of)),
            AtomOrigin::Related { application, value } => {
                format!("{} = {}", application.show(of), value.show(of))
            }
            AtomOrigin::Written(text) => text.clone(),
        }
    }
}

/// Writes an observable at a position, if that has a name.
type ReadAt<'r> = &'r dyn Fn(&str, Option<&str>) -> String;

/// Replaces a bound name by a value.
pub(crate) fn substitute(expr: &mut Expr, local: LocalId, value: &Value, ty: &Type) {
    if expr.kind == ExprKind::Local(local) {
        *expr = Expr::constant(value.clone(), ty.clone(), expr.span);
        return;
    }
    expr.for_each_child(&mut |child| substitute(child, local, value, ty));
}

/// True if an expression reads more than a state: the label of a step, what was before it, or what is between two positions.
pub fn reads_label(expr: &Expr) -> bool {
    expr.reads_label() || expr.reads_around()
}
