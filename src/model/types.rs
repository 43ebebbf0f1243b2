//! Types. All types are finite: the number of their values is known, and the values can be listed.

pub use super::ids::{EnumId, RecordId};
use super::value::Value;
use crate::diagnostics::Span;
use std::sync::Arc;

/// The type of an expression or a variable.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Type {
    /// `bool`: `false` and `true`.
    Bool,
    /// Integers from `lo` to `hi`, both included. Two integer types can always be compared.
    Int {
        /// The smallest value.
        lo: i64,
        /// The largest value; at least `lo`.
        hi: i64,
    },
    /// A declared enumeration.
    Enum(EnumId),
    /// Subsets of the values of a type.
    Set(Arc<Type>),
    /// A value or `none`. The inner type is never an option.
    Option(Arc<Type>),
    /// A declared record type.
    Record(RecordId),
    /// Total maps from the first type to the second.
    Map(Arc<Type>, Arc<Type>),
    /// A position of a trace (predicates only).
    Pos,
    /// A type required by a library; occurs only while the library itself is checked, never in a [`super::Model`].
    Abstract(u32),
}

/// A declared enumeration.
#[derive(Debug, Clone)]
pub struct EnumDecl {
    /// The declared name; derived from the place of use if it was declared in place.
    pub name: String,
    /// The names of its values, in order.
    pub variants: Vec<String>,
    /// The span of its declaration.
    pub span: Span,
}

/// A declared record.
#[derive(Debug, Clone)]
pub struct RecordDecl {
    /// The declared name; derived from the place of use if it was declared in place.
    pub name: String,
    /// Names and types of its fields, in order.
    pub fields: Vec<(String, Type)>,
    /// The span of its declaration.
    pub span: Span,
}

/// All enumerations and records of a model.
#[derive(Debug, Clone, Default)]
pub struct Types {
    /// The enumerations, indexed by [`EnumId`].
    pub enums: Vec<EnumDecl>,
    /// The records, indexed by [`RecordId`].
    pub records: Vec<RecordDecl>,
    /// The declared ranges of integers, in order. A range may have several names.
    pub ranges: Vec<NamedRange>,
}

/// A declared range of integers, as in `type Node = 1..3;`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedRange {
    /// The declared name.
    pub name: String,
    /// The range.
    pub ty: Type,
}

impl Type {
    /// `option` of this type; an option is returned as it is, since options do not nest.
    #[must_use]
    pub fn optional(self) -> Type {
        match self {
            Type::Option(_) => self,
            other => Type::Option(Arc::new(other)),
        }
    }

    /// The type without `option`.
    pub fn inner(&self) -> &Type {
        match self {
            Type::Option(inner) => inner,
            other => other,
        }
    }

    /// Whether `none` is one of its values.
    pub fn is_option(&self) -> bool {
        matches!(self, Type::Option(_))
    }
}

impl Types {
    /// The declaration of an enumeration.
    pub fn enumeration(&self, id: EnumId) -> &EnumDecl {
        &self.enums[id.0 as usize]
    }

    /// The declaration of a record.
    pub fn record(&self, id: RecordId) -> &RecordDecl {
        &self.records[id.0 as usize]
    }

    /// The number of values of a type; saturates at `u64::MAX`. It is 0 for `Pos` and abstract types.
    pub fn cardinality(&self, ty: &Type) -> u64 {
        match ty {
            Type::Bool => 2,
            Type::Int { lo, hi } => hi.saturating_sub(*lo).saturating_add(1).max(0) as u64,
            Type::Enum(id) => self.enumeration(*id).variants.len() as u64,
            Type::Set(element) => {
                let n = self.cardinality(element);
                if n >= 64 { u64::MAX } else { 1 << n }
            }
            Type::Option(inner) => self.cardinality(inner).saturating_add(1),
            Type::Record(id) => {
                self.record(*id).fields.iter().fold(1, |n, (_, ty)| n.saturating_mul(self.cardinality(ty)))
            }
            Type::Map(key, value) => {
                let (keys, values) = (self.cardinality(key), self.cardinality(value));
                (0..keys.min(64)).fold(1u64, |n, _| n.saturating_mul(values))
            }
            Type::Pos | Type::Abstract(_) => 0,
        }
    }

    /// All values of a type, in ascending order of [`Value`]. Call it only if
    /// [`Types::cardinality`] is small.
    pub fn values(&self, ty: &Type) -> Vec<Value> {
        match ty {
            Type::Bool => vec![Value::Bool(false), Value::Bool(true)],
            Type::Int { lo, hi } => (*lo..=*hi).map(Value::Int).collect(),
            Type::Enum(id) => {
                (0..self.enumeration(*id).variants.len() as u32).map(|v| Value::Enum(*id, v)).collect()
            }
            Type::Set(element) => {
                let elements = self.values(element);
                let mut sets: Vec<Value> = (0..1u64 << elements.len())
                    .map(|bits| {
                        let members = elements.iter().enumerate().filter(|(i, _)| bits >> i & 1 == 1);
                        Value::Set(members.map(|(_, v)| v.clone()).collect())
                    })
                    .collect();
                sets.sort();
                sets
            }
            Type::Option(inner) => std::iter::once(Value::None).chain(self.values(inner)).collect(),
            Type::Record(id) => {
                let columns: Vec<Vec<Value>> =
                    self.record(*id).fields.iter().map(|(_, ty)| self.values(ty)).collect();
                product(&columns).into_iter().map(|fields| Value::Record(*id, fields)).collect()
            }
            Type::Map(key, value) => {
                let keys = self.values(key);
                let columns = vec![self.values(value); keys.len()];
                let entries = |values| Value::Map(keys.iter().cloned().zip::<Vec<Value>>(values).collect());
                product(&columns).into_iter().map(entries).collect()
            }
            Type::Pos | Type::Abstract(_) => Vec::new(),
        }
    }

    /// Whether `value` is one of the values of `ty`.
    pub fn contains(&self, ty: &Type, value: &Value) -> bool {
        match (ty, value) {
            (Type::Option(_), Value::None) => true,
            (Type::Option(inner), value) => self.contains(inner, value),
            (Type::Bool, Value::Bool(_)) => true,
            (Type::Int { lo, hi }, Value::Int(n)) => lo <= n && n <= hi,
            (Type::Enum(id), Value::Enum(other, v)) => {
                id == other && (*v as usize) < self.enumeration(*id).variants.len()
            }
            (Type::Set(element), Value::Set(members)) => members.iter().all(|m| self.contains(element, m)),
            (Type::Record(id), Value::Record(other, values)) => {
                let fields = &self.record(*id).fields;
                id == other
                    && fields.len() == values.len()
                    && fields.iter().zip(values).all(|((_, ty), v)| self.contains(ty, v))
            }
            (Type::Map(key, ty), Value::Map(entries)) => {
                entries.len() as u64 == self.cardinality(key)
                    && entries.iter().all(|(k, v)| self.contains(key, k) && self.contains(ty, v))
            }
            _ => false,
        }
    }

    /// A type in the syntax of the language.
    pub fn show(&self, ty: &Type) -> String {
        match ty {
            Type::Bool => "bool".into(),
            Type::Int { lo, hi } => format!("{lo}..{hi}"),
            Type::Enum(id) => self.enumeration(*id).name.clone(),
            Type::Set(element) => format!("set of {}", self.show(element)),
            Type::Option(inner) => format!("option {}", self.show(inner)),
            Type::Record(id) => self.record(*id).name.clone(),
            Type::Map(key, value) => format!("map {} to {}", self.show(key), self.show(value)),
            Type::Pos => "pos".into(),
            Type::Abstract(n) => format!("required type {n}"),
        }
    }

    /// The declared name of a type, the first one if there are several; the type in the syntax of the language if there is
    /// none.
    pub fn name(&self, ty: &Type) -> String {
        let named = self.ranges.iter().find(|range| range.ty == *ty);
        named.map_or_else(|| self.show(ty), |range| range.name.clone())
    }

    /// A value in the syntax of the language: `Alice`, `3`, `{Na, Nb}`, `Message(sender: Alice, …)`,
    /// `[A: 1, B: 2]` for maps, `none`.
    pub fn show_value(&self, value: &Value) -> String {
        match value {
            Value::None => "none".into(),
            Value::Bool(b) => b.to_string(),
            Value::Int(n) => n.to_string(),
            Value::Enum(id, v) => self.enumeration(*id).variants[*v as usize].clone(),
            Value::Set(members) => {
                let members: Vec<String> = members.iter().map(|m| self.show_value(m)).collect();
                format!("{{{}}}", members.join(", "))
            }
            Value::Record(id, values) => {
                let decl = self.record(*id);
                let fields: Vec<String> = decl
                    .fields
                    .iter()
                    .zip(values)
                    .map(|((name, _), v)| format!("{name}: {}", self.show_value(v)))
                    .collect();
                format!("{}({})", decl.name, fields.join(", "))
            }
            Value::Map(entries) => {
                let entries: Vec<String> = entries
                    .iter()
                    .map(|(k, v)| format!("{}: {}", self.show_value(k), self.show_value(v)))
                    .collect();
                format!("[{}]", entries.join(", "))
            }
        }
    }
}

/// The Cartesian product of the columns; the last one varies fastest.
fn product(columns: &[Vec<Value>]) -> Vec<Vec<Value>> {
    columns.iter().fold(vec![Vec::new()], |rows, column| {
        rows.iter()
            .flat_map(|row| {
                column.iter().map(move |v| {
                    let mut row = row.clone();
                    row.push(v.clone());
                    row
                })
            })
            .collect()
    })
}
