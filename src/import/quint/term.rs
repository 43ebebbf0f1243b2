//! Expressions after expansion of definitions and evaluation of constants.

use super::types::Ty;
use super::value::QuintValue;
use std::collections::{BTreeMap, HashSet};
use std::rc::Rc;

#[derive(Debug, Clone)]
pub struct QuintTerm {
    pub node: Rc<Node>,
    pub ty: Ty,
}

/// A name that ranges over a set.
#[derive(Debug, Clone)]
pub struct QuintBinder {
    pub name: String,
    pub domain: QuintTerm,
}

#[derive(Debug, Clone)]
pub enum Node {
    Bool(bool),
    Int(i64),
    Str(String),
    Set(Vec<QuintTerm>),
    List(Vec<QuintTerm>),
    Tup(Vec<QuintTerm>),
    Rec(Vec<(String, QuintTerm)>),
    /// A constructor of a sum type with its payload.
    Sum(String, QuintTerm),
    Map(Vec<(QuintTerm, QuintTerm)>),
    /// A variable, a parameter, or a name that ranges over a set.
    Name(String),
    /// An operator between two operands, as the language of models writes it.
    Infix(&'static str, QuintTerm, QuintTerm),
    Not(QuintTerm),
    Minus(QuintTerm),
    And(Vec<QuintTerm>),
    Or(Vec<QuintTerm>),
    If(QuintTerm, QuintTerm, QuintTerm),
    /// `forall` or `exists`.
    Quantified(&'static str, QuintBinder, QuintTerm),
    Total(QuintBinder, QuintTerm),
    /// The elements of a set that satisfy a condition.
    Filter(QuintBinder, QuintTerm),
    /// The image of a set under an expression.
    Image(QuintBinder, QuintTerm),
    /// A map with a value for each element of a set.
    MapBy(QuintBinder, QuintTerm),
    /// The number of elements of a set.
    Size(QuintTerm),
    /// A part of a record or tuple.
    Field(QuintTerm, String),
    Is(QuintTerm, String),
    Payload(QuintTerm, String),
    /// The value of a map at a key.
    Get(QuintTerm, QuintTerm),
    /// A map with another value at a key, possibly a new one.
    Put(QuintTerm, QuintTerm, QuintTerm),
    /// A map with another value at a key, which must be present.
    Change(QuintTerm, QuintTerm, QuintTerm),
    Keys(QuintTerm),
    /// The integers from one to another.
    Range(QuintTerm, QuintTerm),
    /// The union of the sets that an expression over a name is.
    Flatten(QuintBinder, QuintTerm),
    /// The first element of a set that satisfies a condition, in an order of the values of its type.
    Choose(QuintBinder, QuintTerm),
    /// All values of a type.
    Universe,
    /// All subsets of a set.
    Powerset(QuintTerm),
    /// The members of a set that is chosen from are within the limits of its type: true as a text.
    WithinLimits(QuintTerm),
    /// All maps from a set to a set.
    Maps(QuintTerm, QuintTerm),
    /// All tuples of elements of sets.
    Cross(Vec<QuintTerm>),
    /// An element of a list, by its index.
    Nth(QuintTerm, QuintTerm),
    /// A list with one more element.
    Append(QuintTerm, QuintTerm),
    /// The elements of a list, then those of another one.
    Concat(QuintTerm, QuintTerm),
    /// The elements of a list that satisfy a condition.
    Select(QuintBinder, QuintTerm),
    /// The list of a length with an element for each position, from 1; possibly with another list of its type.
    Build(QuintBinder, QuintTerm, QuintTerm, Option<QuintTerm>),
    /// A value computed through the elements of a list.
    Fold(Fold),
    /// A list without its first element.
    Rest(QuintTerm),
    /// The number of elements of a list.
    Length(QuintTerm),
    /// A value that exists only under a condition.
    Given(QuintTerm, QuintTerm),
}

/// A fold: the names in `body` are the value so far, and the element.
#[derive(Debug, Clone)]
pub struct Fold {
    pub list: QuintTerm,
    pub first: QuintTerm,
    pub names: [String; 2],
    pub body: QuintTerm,
    /// True if the last element comes first.
    pub backwards: bool,
}

impl Fold {
    /// Returns the value for a list of some length.
    pub fn of_length(&self, length: usize, element: &Ty) -> QuintTerm {
        let [so_far, own] = &self.names;
        let nth = |at: usize| {
            let at = QuintTerm::new(Node::Int(i64::try_from(at).unwrap_or(i64::MAX)), element.clone());
            QuintTerm::new(Node::Nth(self.list.clone(), at), element.clone())
        };
        (0..length).fold(self.first.clone(), |value, at| {
            let at = if self.backwards { length - 1 - at } else { at };
            self.body.with(own, &nth(at)).with(so_far, &value)
        })
    }
}

impl QuintTerm {
    pub fn new(node: Node, ty: Ty) -> Self {
        Self { node: Rc::new(node), ty }
    }

    pub fn bool(value: bool) -> Self {
        Self::new(Node::Bool(value), Ty::Bool)
    }

    /// Negates the expression, without double negation.
    pub fn negation(self) -> Self {
        match &*self.node {
            Node::Bool(value) => Self::bool(!value),
            Node::Not(inner) => inner.clone(),
            _ => Self::new(Node::Not(self), Ty::Bool),
        }
    }

    /// Creates a conjunction, without true operands.
    pub fn all(parts: Vec<Self>) -> Self {
        let mut kept: Vec<Self> = Vec::new();
        for part in parts {
            match &*part.node {
                Node::Bool(true) => {}
                Node::Bool(false) => return part,
                Node::And(inner) => kept.extend(inner.iter().cloned()),
                _ => kept.push(part),
            }
        }
        match kept.len() {
            0 => Self::bool(true),
            1 => kept.remove(0),
            _ => Self::new(Node::And(kept), Ty::Bool),
        }
    }

    /// Creates a disjunction, without false operands.
    pub fn any(parts: Vec<Self>) -> Self {
        let mut kept: Vec<Self> = Vec::new();
        for part in parts {
            match &*part.node {
                Node::Bool(false) => {}
                Node::Bool(true) => return part,
                Node::Or(inner) => kept.extend(inner.iter().cloned()),
                _ => kept.push(part),
            }
        }
        match kept.len() {
            0 => Self::bool(false),
            1 => kept.remove(0),
            _ => Self::new(Node::Or(kept), Ty::Bool),
        }
    }

    pub fn implies(self, then: Self) -> Self {
        match (&*self.node, &*then.node) {
            (Node::Bool(true), _) | (_, Node::Bool(true)) => then,
            (Node::Bool(false), _) => Self::bool(true),
            _ => Self::new(Node::Infix("=>", self, then), Ty::Bool),
        }
    }

    pub fn is_name(&self, wanted: &str) -> bool {
        matches!(&*self.node, Node::Name(name) if name == wanted)
    }

    /// Returns the value, if the term is constant.
    pub fn value(&self) -> Option<QuintValue> {
        let values = |terms: &[Self]| terms.iter().map(Self::value).collect::<Option<Vec<_>>>();
        Some(match &*self.node {
            Node::Bool(b) => QuintValue::Bool(*b),
            Node::Int(n) => QuintValue::Int(*n),
            Node::Str(s) => QuintValue::Str(s.clone()),
            Node::Set(elements) => QuintValue::Set(values(elements)?.into_iter().collect()),
            Node::List(elements) => QuintValue::List(values(elements)?),
            Node::Tup(parts) => QuintValue::Tup(values(parts)?),
            Node::Rec(fields) => {
                let field = |(name, term): &(String, Self)| Some((name.clone(), term.value()?));
                QuintValue::Rec(fields.iter().map(field).collect::<Option<_>>()?)
            }
            // A value of a union is that of its sort.
            Node::Sum(_, payload) if matches!(self.ty, Ty::Union(_)) => payload.value()?,
            Node::Sum(label, payload) => QuintValue::Sum(label.clone(), Box::new(payload.value()?)),
            Node::Map(entries) => {
                let entry = |(key, value): &(Self, Self)| Some((key.value()?, value.value()?));
                QuintValue::Map(entries.iter().map(entry).collect::<Option<BTreeMap<_, _>>>()?)
            }
            _ => return None,
        })
    }

    /// Returns the members, if the term is a constant set.
    pub fn members(&self) -> Option<Vec<QuintValue>> {
        Some(self.value()?.members()?.iter().cloned().collect())
    }

    pub fn parts(&self) -> Vec<&Self> {
        match &*self.node {
            Node::Bool(_) | Node::Int(_) | Node::Str(_) | Node::Name(_) | Node::Universe => Vec::new(),
            Node::Set(all)
            | Node::List(all)
            | Node::Tup(all)
            | Node::And(all)
            | Node::Or(all)
            | Node::Cross(all) => all.iter().collect(),
            Node::Rec(fields) => fields.iter().map(|(_, term)| term).collect(),
            Node::Map(entries) => entries.iter().flat_map(|(key, value)| [key, value]).collect(),
            Node::Infix(_, a, b)
            | Node::Get(a, b)
            | Node::Range(a, b)
            | Node::Maps(a, b)
            | Node::Nth(a, b)
            | Node::Append(a, b)
            | Node::Concat(a, b)
            | Node::Given(a, b) => vec![a, b],
            Node::Build(bound, length, body, like) => {
                [&bound.domain, length, body].into_iter().chain(like.as_ref()).collect()
            }
            Node::If(a, b, c) | Node::Put(a, b, c) | Node::Change(a, b, c) => vec![a, b, c],
            Node::Fold(fold) => vec![&fold.list, &fold.first, &fold.body],
            Node::Quantified(_, bound, body)
            | Node::Total(bound, body)
            | Node::Filter(bound, body)
            | Node::Image(bound, body)
            | Node::Flatten(bound, body)
            | Node::Select(bound, body)
            | Node::Choose(bound, body)
            | Node::MapBy(bound, body) => vec![&bound.domain, body],
            Node::Sum(_, a)
            | Node::Not(a)
            | Node::Minus(a)
            | Node::Size(a)
            | Node::Field(a, _)
            | Node::Is(a, _)
            | Node::Payload(a, _)
            | Node::Keys(a)
            | Node::Powerset(a)
            | Node::WithinLimits(a)
            | Node::Rest(a)
            | Node::Length(a) => vec![a],
        }
    }

    /// True if a part is a value under a condition.
    pub fn may_not_exist(&self) -> bool {
        self.any_part(&|term| matches!(&*term.node, Node::Given(..)))
    }

    /// True if a name occurs in the term.
    pub fn mentions(&self, name: &str) -> bool {
        self.any_part(&|term| term.is_name(name))
    }

    /// True if a part has a name that ranges over a set.
    pub fn binds(&self) -> bool {
        self.any_part(&|term| {
            matches!(
                &*term.node,
                Node::Build(..)
                    | Node::Fold(..)
                    | Node::Quantified(..)
                    | Node::Total(..)
                    | Node::Filter(..)
                    | Node::Image(..)
                    | Node::Flatten(..)
                    | Node::Select(..)
                    | Node::Choose(..)
                    | Node::MapBy(..)
            )
        })
    }

    /// True if a condition is true for the term or one of its parts.
    fn any_part(&self, is_wanted: &dyn Fn(&Self) -> bool) -> bool {
        // Shared subterms are visited once.
        let (mut open, mut seen) = (vec![self], HashSet::new());
        while let Some(term) = open.pop() {
            if is_wanted(term) {
                return true;
            }
            if seen.insert(Rc::as_ptr(&term.node)) {
                open.extend(term.parts());
            }
        }
        false
    }

    /// Substitutes an expression for a name. Bound names are all distinct.
    #[must_use]
    pub fn with(&self, name: &str, given: &Self) -> Self {
        if !self.mentions(name) {
            return self.clone();
        }
        let one = |term: &Self| term.with(name, given);
        let many = |terms: &[Self]| terms.iter().map(one).collect::<Vec<_>>();
        let bound = |b: &QuintBinder| QuintBinder { name: b.name.clone(), domain: one(&b.domain) };
        let node = match &*self.node {
            Node::Name(_) => return given.clone(),
            Node::Bool(_) | Node::Int(_) | Node::Str(_) | Node::Universe => return self.clone(),
            Node::Build(b, length, body, like) => {
                Node::Build(bound(b), one(length), one(body), like.as_ref().map(one))
            }
            Node::Fold(fold) => Node::Fold(Fold {
                list: one(&fold.list),
                first: one(&fold.first),
                body: one(&fold.body),
                ..fold.clone()
            }),
            Node::Set(all) => Node::Set(many(all)),
            Node::List(all) => Node::List(many(all)),
            Node::Tup(all) => Node::Tup(many(all)),
            Node::And(all) => Node::And(many(all)),
            Node::Or(all) => Node::Or(many(all)),
            Node::Cross(all) => Node::Cross(many(all)),
            Node::Rec(fields) => Node::Rec(fields.iter().map(|(n, t)| (n.clone(), one(t))).collect()),
            Node::Map(entries) => Node::Map(entries.iter().map(|(k, v)| (one(k), one(v))).collect()),
            Node::Infix(op, a, b) => Node::Infix(op, one(a), one(b)),
            Node::Get(a, b) => Node::Get(one(a), one(b)),
            Node::Range(a, b) => Node::Range(one(a), one(b)),
            Node::Maps(a, b) => Node::Maps(one(a), one(b)),
            Node::Nth(a, b) => Node::Nth(one(a), one(b)),
            Node::Append(a, b) => Node::Append(one(a), one(b)),
            Node::Concat(a, b) => Node::Concat(one(a), one(b)),
            Node::Given(a, b) => Node::Given(one(a), one(b)),
            Node::If(a, b, c) => Node::If(one(a), one(b), one(c)),
            Node::Put(a, b, c) => Node::Put(one(a), one(b), one(c)),
            Node::Change(a, b, c) => Node::Change(one(a), one(b), one(c)),
            Node::Quantified(word, b, body) => Node::Quantified(word, bound(b), one(body)),
            Node::Total(b, body) => Node::Total(bound(b), one(body)),
            Node::Filter(b, body) => Node::Filter(bound(b), one(body)),
            Node::Image(b, body) => Node::Image(bound(b), one(body)),
            Node::Select(b, body) => Node::Select(bound(b), one(body)),
            Node::Flatten(b, body) => Node::Flatten(bound(b), one(body)),
            Node::Choose(b, body) => Node::Choose(bound(b), one(body)),
            Node::MapBy(b, body) => Node::MapBy(bound(b), one(body)),
            Node::Sum(label, a) => Node::Sum(label.clone(), one(a)),
            Node::Not(a) => Node::Not(one(a)),
            Node::Minus(a) => Node::Minus(one(a)),
            Node::Size(a) => Node::Size(one(a)),
            Node::Field(a, field) => Node::Field(one(a), field.clone()),
            Node::Is(a, label) => Node::Is(one(a), label.clone()),
            Node::Payload(a, label) => Node::Payload(one(a), label.clone()),
            Node::Keys(a) => Node::Keys(one(a)),
            Node::Powerset(a) => Node::Powerset(one(a)),
            Node::WithinLimits(a) => Node::WithinLimits(one(a)),
            Node::Rest(a) => Node::Rest(one(a)),
            Node::Length(a) => Node::Length(one(a)),
        };
        Self::new(node, self.ty.clone())
    }
}
