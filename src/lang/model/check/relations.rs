//! How types relate: which can be joined, which is accepted where another one is expected, which contains another one.
//!
//! Ranges of integers and sizes of collections are not compared where values are put together: the result is of a type that has room
//! for all of them. Whether a value is in the type of the place where it is stored is decided at run time.

use super::Checker;
use super::types::{OPEN, OPEN_FROM, POISON};
use crate::model::types::{Collection, RecordDecl, RecordId, Type, Types};
use std::sync::Arc;

/// True if two types have a type that contains the values of both.
pub(super) fn compatible(types: &Types, a: &Type, b: &Type) -> bool {
    match (a, b) {
        _ if [a, b].iter().any(|ty| **ty == POISON || **ty == OPEN) => true,
        (Type::Int { .. }, Type::Int { .. }) => true,
        (Type::Option(_), _) | (_, Type::Option(_)) => compatible(types, a.inner(), b.inner()),
        (Type::Set(a), Type::Set(b)) => compatible(types, a, b),
        (Type::Map(k, a), Type::Map(l, b)) => k == l && compatible(types, a, b),
        (Type::Record(a), Type::Record(b)) if a != b => {
            alike(types, *a, *b) && fields(types, *a, *b).all(|(a, b)| compatible(types, a, b))
        }
        _ => a == b,
    }
}

/// True if an expression of type `from` is accepted where `to` is expected.
pub(super) fn assignable(types: &Types, from: &Type, to: &Type) -> bool {
    match (from, to) {
        _ if *from == POISON || *to == POISON || *from == OPEN => true,
        (Type::Int { .. }, Type::Int { .. }) => true,
        (Type::Option(a), Type::Option(b)) | (Type::Set(a), Type::Set(b)) => assignable(types, a, b),
        (a, Type::Option(b)) => assignable(types, a, b),
        (Type::Map(k, a), Type::Map(l, b)) => k == l && assignable(types, a, b),
        (Type::Record(a), Type::Record(b)) if a != b => {
            alike(types, *a, *b) && fields(types, *a, *b).all(|(a, b)| assignable(types, a, b))
        }
        (a, b) => a == b,
    }
}

/// True if the types alone say that every value of the first type is one of the second. The integers of a record are not
/// looked at where it is made; they are of their types in the `state`.
pub(super) fn within(types: &Types, from: &Type, to: &Type, state: bool) -> bool {
    match (from, to) {
        (Type::Int { lo, hi }, Type::Int { lo: least, hi: greatest }) => least <= lo && hi <= greatest,
        (Type::Option(a), Type::Option(b)) | (Type::Set(a), Type::Set(b)) => within(types, a, b, state),
        (a, Type::Option(b)) => within(types, a, b, state),
        (Type::Map(k, a), Type::Map(l, b)) => k == l && within(types, a, b, state),
        (Type::Record(a), Type::Record(b)) => {
            (state || !has_integers(types, to))
                && (a == b
                    || alike(types, *a, *b)
                        && most(types, *a) <= most(types, *b)
                        && fields(types, *a, *b).all(|(a, b)| within(types, a, b, state)))
        }
        (a, b) => a == b,
    }
}

/// True if the same is so of what a definition is declared to be: sizes of collections, like integers in records, are those of what it
/// gives.
pub(super) fn within_declared(types: &Types, from: &Type, to: &Type) -> bool {
    match (from, to) {
        (Type::Option(a), Type::Option(b)) | (Type::Set(a), Type::Set(b)) => within_declared(types, a, b),
        (a, Type::Option(b)) => within_declared(types, a, b),
        (Type::Map(k, a), Type::Map(l, b)) => k == l && within_declared(types, a, b),
        (Type::Record(a), Type::Record(b)) => a == b || alike(types, *a, *b),
        (from, to) => within(types, from, to, true),
    }
}

/// True if values of both types are written in the same way: up to ranges of integers and `none`.
pub(super) fn same_shape(a: &Type, b: &Type) -> bool {
    match (a.inner(), b.inner()) {
        (Type::Set(a), Type::Set(b)) | (Type::Map(_, a), Type::Map(_, b)) => same_shape(a, b),
        (Type::Record(a), Type::Record(b)) => a == b,
        _ => true,
    }
}

/// True if a value of a type has integers as parts.
pub(super) fn has_integers(types: &Types, ty: &Type) -> bool {
    match ty {
        Type::Int { .. } => true,
        Type::Option(inner) | Type::Set(inner) => has_integers(types, inner),
        Type::Map(key, value) => has_integers(types, key) || has_integers(types, value),
        Type::Record(id) => types.record(*id).fields.iter().any(|(_, ty)| has_integers(types, ty)),
        Type::Bool | Type::Enum(_) | Type::Pos | Type::Abstract(_) => false,
    }
}

/// True if a type has parts of types that a library requires, of which nothing is known yet.
pub(super) fn unknown_parts(types: &Types, ty: &Type) -> bool {
    match ty {
        Type::Abstract(n) => *n < OPEN_FROM,
        Type::Option(inner) | Type::Set(inner) => unknown_parts(types, inner),
        Type::Map(key, value) => unknown_parts(types, key) || unknown_parts(types, value),
        Type::Record(id) => types.record(*id).fields.iter().any(|(_, ty)| unknown_parts(types, ty)),
        Type::Bool | Type::Int { .. } | Type::Enum(_) | Type::Pos => false,
    }
}

/// True if both are collections of one kind, or come from one declared record.
fn alike(types: &Types, a: RecordId, b: RecordId) -> bool {
    match (collection(types, a), collection(types, b)) {
        (Some(a), Some(b)) => a.kind == b.kind,
        (None, None) => types.declared(a) == types.declared(b),
        _ => false,
    }
}

/// The types of what is in two records that are alike, in pairs.
fn fields(types: &Types, a: RecordId, b: RecordId) -> impl Iterator<Item = (&Type, &Type)> {
    let parts = |id| {
        let decl: &RecordDecl = types.record(id);
        let element = decl.collection.as_ref().map(|of| &of.element);
        let others = if element.is_some() { &[] } else { decl.fields.as_slice() };
        element.into_iter().chain(others.iter().map(|(_, ty)| ty))
    };
    parts(a).zip(parts(b))
}

fn collection(types: &Types, id: RecordId) -> Option<&Collection> {
    types.record(id).collection.as_ref()
}

/// The most elements of a collection, 0 of other records.
fn most(types: &Types, id: RecordId) -> usize {
    collection(types, id).map_or(0, |of| of.most)
}

impl Checker<'_> {
    /// The smallest type that contains the values of both: ranges are joined, `none` makes an option, a collection has as many elements
    /// as the larger one.
    pub(super) fn unify(&self, a: &Type, b: &Type) -> Option<Type> {
        compatible(&self.types, a, b).then(|| self.join(a, b))
    }

    /// [`Self::unify`] for types that are compatible.
    fn join(&self, a: &Type, b: &Type) -> Type {
        match (a, b) {
            _ if *a == POISON || *b == POISON => POISON,
            _ if *a == OPEN => b.clone(),
            _ if *b == OPEN => a.clone(),
            (Type::Int { lo: a, hi: b }, Type::Int { lo: c, hi: d }) => {
                Type::Int { lo: *a.min(c), hi: *b.max(d) }
            }
            (Type::Option(_), _) | (_, Type::Option(_)) => self.join(a.inner(), b.inner()).optional(),
            (Type::Set(a), Type::Set(b)) => Type::Set(Arc::new(self.join(a, b))),
            (Type::Map(k, a), Type::Map(_, b)) => Type::Map(k.clone(), Arc::new(self.join(a, b))),
            (Type::Record(x), Type::Record(y)) if x != y => self.joined_records(*x, *y),
            _ => a.clone(),
        }
    }

    fn joined_records(&self, a: RecordId, b: RecordId) -> Type {
        let types = &self.types;
        for (from, to) in [(a, b), (b, a)] {
            if within(types, &Type::Record(from), &Type::Record(to), true) {
                return Type::Record(to);
            }
        }
        let joined = fields(types, a, b).map(|(a, b)| self.join(a, b)).collect::<Vec<_>>();
        Type::Record(match (collection(types, a), joined.as_slice()) {
            (Some(of), [element]) => {
                let most = most(types, a).max(most(types, b));
                types.collection(Collection { kind: of.kind, element: element.clone(), most })
            }
            _ => types.grown(a, joined),
        })
    }
}
