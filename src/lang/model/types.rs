//! Types. All types are finite: the number of their values is known, and the values can be listed.

pub use crate::syntax::ast::CollectionKind;

pub use super::value::{EnumId, RecordId};

use super::value::Value;
use kit::diagnostics::Span;
use kit::number::{to_i64, to_u32};
use std::sync::{Arc, OnceLock};

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

impl Type {
    /// The greatest distance from 0 of the bounds of a range of integers: sums of 32,768 such numbers still fit into 64 bits.
    pub const WIDEST: i64 = 1 << 48;
    /// `int`: the integers of the widest range.
    pub const INT: Self = Self::Int { lo: -Self::WIDEST, hi: Self::WIDEST };
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

/// A collection of at most so many elements.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Collection {
    /// The order and multiplicity of its elements.
    pub kind: CollectionKind,
    /// The type of the elements; not an option.
    pub element: Type,
    /// The most elements, at least one.
    pub most: usize,
}

/// A declared record or variant, or a collection of limited size.
///
/// A variant is a record as well: its first field, [`RecordDecl::CONSTRUCTOR`], says which constructor its value has, and a field of
/// that name holds what the payloads of all constructors that have one of this name say. Such a field is an option unless every
/// constructor has it, and `none` where the value's constructor has not. No other records of these fields are values.
///
/// A collection of at most n elements is like a variant with a constructor for each number of elements, from 0 to n: its first field is that
/// number, and those after it are the elements. The elements of a bag or set are in ascending order, so that equal ones are equal records.
#[derive(Debug, Clone)]
pub struct RecordDecl {
    /// The declared name; derived from the place of use if it was declared in place.
    pub name: String,
    /// Names and types of its fields, in order.
    pub fields: Vec<(String, Type)>,
    /// The constructors of a variant, in order; empty for a record.
    pub constructors: Vec<Constructor>,
    /// The elements that it is a collection of, if it is one.
    pub collection: Option<Collection>,
    /// The span of its declaration.
    pub span: Span,
}

/// A constructor of a variant.
#[derive(Debug, Clone)]
pub struct Constructor {
    /// Its name.
    pub name: String,
    /// Its payload, in the order of the declaration.
    pub payload: Vec<Payload>,
}

/// A part of the payload of a constructor.
#[derive(Debug, Clone)]
pub struct Payload {
    /// Index into [`RecordDecl::fields`], whose type may be an option where this one is not.
    pub field: usize,
    /// The declared type.
    pub ty: Type,
}

impl RecordDecl {
    /// The name of the field that says which constructor a value of a variant has.
    pub const CONSTRUCTOR: &str = "constructor";

    /// A collection with the fields and constructors that its values have.
    pub fn of_collection(collection: Collection, name: String, span: Span) -> Self {
        let most = collection.most;
        let mut fields = vec![("length".to_owned(), Type::Int { lo: 0, hi: to_i64(most) })];
        let slot = collection.element.clone().optional();
        fields.extend((0..most).map(|index| (index.to_string(), slot.clone())));
        let payload = |count: usize| {
            let part = |field| Payload { field, ty: collection.element.clone() };
            (1..=count).map(part).collect::<Vec<_>>()
        };
        let constructors = (0..=most).map(|n| Constructor { name: n.to_string(), payload: payload(n) });
        let (constructors, collection) = (constructors.collect(), Some(collection));
        Self { name, fields, constructors, collection, span }
    }

    /// The record with these types of its fields.
    fn with_fields(&self, types: Vec<Type>) -> Self {
        let mut grown = self.clone();
        for (field, ty) in grown.fields.iter_mut().zip(types) {
            field.1 = ty;
        }
        for part in grown.constructors.iter_mut().flat_map(|constructor| &mut constructor.payload) {
            let ty = &grown.fields[part.field].1;
            part.ty = if part.ty.is_option() { ty.clone() } else { ty.inner().clone() };
        }
        grown
    }

    /// True if it is a variant.
    pub fn is_variant(&self) -> bool {
        self.is_tagged() && self.collection.is_none()
    }

    /// True if its first field decides which others there are: that of a variant or collection.
    pub fn is_tagged(&self) -> bool {
        !self.constructors.is_empty()
    }

    /// The constructor that a value of a variant or collection has; `None` for records, and if the value has no constructor.
    pub fn constructor_of(&self, values: &[Value]) -> Option<&Constructor> {
        let index = match values.first()? {
            Value::Enum(_, index) => *index as usize,
            Value::Int(length) => usize::try_from(*length).ok()?,
            _ => return None,
        };
        self.constructors.get(index)
    }

    /// The elements of a collection, in order.
    pub fn elements<'v>(&self, values: &'v [Value]) -> impl Iterator<Item = &'v Value> {
        values.iter().skip(1).filter(|value| **value != Value::None)
    }

    /// True if the elements of a bag or set are in ascending order, those of a set without repetition; true for everything else.
    fn is_in_order(&self, values: &[Value]) -> bool {
        let Some(Collection { kind, .. }) = &self.collection else { return true };
        let elements: Vec<&Value> = self.elements(values).collect();
        match kind {
            CollectionKind::Sequence => true,
            CollectionKind::Bag => elements.is_sorted(),
            CollectionKind::Set => elements.is_sorted_by(|a, b| a < b),
        }
    }

    /// How a part of something is written: `net.sender`, `queue[0]`, `length(queue)`.
    pub fn part_text(&self, of: &str, field: usize) -> String {
        match (&self.collection, field) {
            (Some(_), 0) => format!("size({of})"),
            (Some(_), field) => format!("{of}[{}]", field - 1),
            (None, field) => format!("{of}.{}", self.fields[field].0),
        }
    }

    /// The enumeration of the constructors of a variant.
    pub fn constructor_enum(&self) -> Option<EnumId> {
        match self.fields.first() {
            Some((_, Type::Enum(id))) if self.is_variant() => Some(*id),
            _ => None,
        }
    }

    /// The fields that hold values: of a variant or collection, all but the first.
    pub fn contents(&self) -> impl Iterator<Item = &(String, Type)> {
        self.fields.iter().skip(usize::from(self.is_tagged()))
    }

    /// The constructors, by their indices, that have a field, and its declared type; none for the first field of a variant.
    pub fn having(&self, field: usize) -> impl Iterator<Item = (usize, &Type)> {
        self.constructors.iter().enumerate().filter_map(move |(index, constructor)| {
            let part = constructor.payload.iter().find(|part| part.field == field)?;
            Some((index, &part.ty))
        })
    }

    /// How a value is shown: the name of the record or constructor, and the fields that it has with their declared types and values.
    pub fn parts<'a>(&'a self, values: &'a [Value]) -> (&'a str, Vec<(&'a str, &'a Type, &'a Value)>) {
        let Some(constructor) = self.constructor_of(values) else {
            let fields = self.fields.iter().zip(values);
            return (&self.name, fields.map(|((name, ty), value)| (name.as_str(), ty, value)).collect());
        };
        let part = |part: &'a Payload| (self.fields[part.field].0.as_str(), &part.ty, &values[part.field]);
        (&constructor.name, constructor.payload.iter().map(part).collect())
    }

    /// The value of a variant or collection with this constructor and this payload, in the order of the declaration.
    ///
    /// # Panics
    /// If it is neither, or has no such constructor.
    pub fn constructed(&self, id: RecordId, constructor: usize, payload: Vec<Value>) -> Value {
        let mut values = vec![Value::None; self.fields.len()];
        values[0] = match self.constructor_enum() {
            Some(tag) => Value::Enum(tag, to_u32(constructor)),
            None => Value::Int(to_i64(constructor)),
        };
        for (part, value) in self.constructors[constructor].payload.iter().zip(payload) {
            values[part.field] = value;
        }
        Value::Record(id, values)
    }
}

/// All enumerations and records of a model.
#[derive(Debug, Clone, Default)]
pub struct Types {
    /// The enumerations, indexed by [`EnumId`].
    pub enums: Vec<EnumDecl>,
    /// The declared records, indexed by [`RecordId`].
    pub records: Vec<RecordDecl>,
    /// The records of intermediate results only, with indices from [`RecordId::FIRST_MADE`] on.
    pub made: MadeRecords,
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

    /// True if `none` is one of its values.
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
    ///
    /// # Panics
    /// If it is one of another model.
    pub fn record(&self, id: RecordId) -> &RecordDecl {
        match id.0.checked_sub(RecordId::FIRST_MADE) {
            Some(index) => self.made.get(index).expect("a record that a formula makes"),
            None => &self.records[id.0 as usize],
        }
    }

    /// A collection, which need not be declared.
    pub(super) fn collection(&self, of: Collection) -> RecordId {
        match self.records.iter().position(|decl| decl.collection.as_ref() == Some(&of)) {
            Some(index) => RecordId(to_u32(index)),
            None => self.made(None, RecordDecl::of_collection(of, String::new(), Span::default())),
        }
    }

    /// A record with other types of its fields: collections in them are larger.
    pub(super) fn grown(&self, of: RecordId, fields: Vec<Type>) -> RecordId {
        self.made(Some(self.declared(of)), self.record(of).with_fields(fields))
    }

    /// Makes records together with another one that has the same declared types.
    pub(super) fn share_made(&mut self, other: &Types) {
        self.made = other.made.clone();
    }

    fn made(&self, of: Option<RecordId>, decl: RecordDecl) -> RecordId {
        RecordId(RecordId::FIRST_MADE + self.made.index_of(of, decl))
    }

    pub(super) fn declared(&self, id: RecordId) -> RecordId {
        id.0.checked_sub(RecordId::FIRST_MADE).and_then(|index| self.made.declared(index)).unwrap_or(id)
    }

    /// The number of values of a type; saturates at `u64::MAX`. It is 0 for `Pos` and abstract types.
    pub fn cardinality(&self, ty: &Type) -> u64 {
        match ty {
            Type::Bool => 2,
            Type::Int { lo, hi } => hi.saturating_sub(*lo).saturating_add(1).max(0).unsigned_abs(),
            Type::Enum(id) => self.enumeration(*id).variants.len() as u64,
            Type::Set(element) => {
                let n = self.cardinality(element);
                if n >= 64 { u64::MAX } else { 1 << n }
            }
            Type::Option(inner) => self.cardinality(inner).saturating_add(1),
            Type::Record(id) => {
                let decl = self.record(*id);
                let all = |n: u64, ty| n.saturating_mul(self.cardinality(ty));
                if !decl.is_tagged() {
                    return decl.fields.iter().fold(1, |n, (_, ty)| all(n, ty));
                }
                if let Some(collection) = &decl.collection {
                    return self.count_collections(collection);
                }
                let payloads = decl.constructors.iter().map(|constructor| &constructor.payload);
                let each = payloads.map(|payload| payload.iter().fold(1, |n, part| all(n, &part.ty)));
                each.fold(0, u64::saturating_add)
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
                (0..to_u32(self.enumeration(*id).variants.len())).map(|v| Value::Enum(*id, v)).collect()
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
            Type::Record(id) if self.record(*id).is_tagged() => {
                let decl = self.record(*id);
                let of_constructor = |(index, constructor): (usize, &Constructor)| {
                    let columns: Vec<_> =
                        constructor.payload.iter().map(|part| self.values(&part.ty)).collect();
                    let rows = product(&columns).into_iter();
                    rows.map(move |row| decl.constructed(*id, index, row)).collect::<Vec<_>>()
                };
                let mut values: Vec<_> =
                    decl.constructors.iter().enumerate().flat_map(of_constructor).collect();
                values.retain(|value| match value {
                    Value::Record(_, values) => decl.is_in_order(values),
                    _ => true,
                });
                values.sort();
                values
            }
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

    /// True if `value` is one of the values of `ty`.
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
                let decl = self.record(*id);
                id == other
                    && decl.fields.len() == values.len()
                    && decl.fields.iter().zip(values).all(|((_, ty), v)| self.contains(ty, v))
                    && (!decl.is_tagged() || self.is_constructed(decl, values) && decl.is_in_order(values))
            }
            (Type::Map(key, ty), Value::Map(entries)) => {
                entries.len() as u64 == self.cardinality(key)
                    && entries.iter().all(|(k, v)| self.contains(key, k) && self.contains(ty, v))
            }
            _ => false,
        }
    }

    /// The number of collections of a type; saturates at `u64::MAX`.
    fn count_collections(&self, collection: &Collection) -> u64 {
        let elements = self.cardinality(&collection.element);
        let of_length =
            |length: u64| match collection.kind {
                CollectionKind::Sequence => (0..length).try_fold(1u64, |n, _| n.checked_mul(elements)),
                // Combinations with and without repetition; each product is divisible.
                CollectionKind::Bag => (0..length)
                    .try_fold(1u64, |n, i| Some(n.checked_mul(elements.checked_add(i)?)? / (i + 1))),
                CollectionKind::Set => (0..length)
                    .try_fold(1u64, |n, i| Some(n.checked_mul(elements.saturating_sub(i))? / (i + 1))),
            };
        let all = (0..=collection.most as u64).map(|length| of_length(length).unwrap_or(u64::MAX));
        all.fold(0, u64::saturating_add)
    }

    /// True if values of the fields of a variant or collection are one of its values: those of its constructor are of their declared types, and all
    /// others are `none`.
    fn is_constructed(&self, decl: &RecordDecl, values: &[Value]) -> bool {
        let Some(Constructor { payload, .. }) = decl.constructor_of(values) else { return false };
        values.iter().enumerate().skip(1).all(|(field, value)| {
            match payload.iter().find(|part| part.field == field) {
                Some(part) => self.contains(&part.ty, value),
                None => *value == Value::None,
            }
        })
    }

    /// A value of the type, if it has any: one with the first constructors, the least numbers, and nothing in options and sets.
    pub fn simplest(&self, ty: &Type) -> Option<Value> {
        Some(match ty {
            Type::Bool => Value::Bool(false),
            Type::Int { lo, .. } => Value::Int(*lo),
            Type::Enum(id) => Value::Enum(*id, 0),
            Type::Set(_) => Value::Set(Default::default()),
            Type::Option(_) => Value::None,
            Type::Record(id) => {
                let decl = self.record(*id);
                match decl.constructors.first() {
                    Some(first) => {
                        let payload = first.payload.iter().map(|part| self.simplest(&part.ty));
                        decl.constructed(*id, 0, payload.collect::<Option<_>>()?)
                    }
                    None => {
                        let fields = decl.fields.iter().map(|(_, ty)| self.simplest(ty));
                        Value::Record(*id, fields.collect::<Option<_>>()?)
                    }
                }
            }
            Type::Map(key, value) => {
                let value = self.simplest(value)?;
                Value::Map(self.values(key).into_iter().map(|key| (key, value.clone())).collect())
            }
            Type::Pos | Type::Abstract(_) => return None,
        })
    }

    /// True if an enumeration is that of the constructors of a variant.
    pub fn is_of_constructors(&self, id: EnumId) -> bool {
        self.records.iter().any(|decl| decl.constructor_enum() == Some(id))
    }

    /// A type in the syntax of the language.
    pub fn show(&self, ty: &Type) -> String {
        match ty {
            Type::Bool => "bool".into(),
            ty if *ty == Type::INT => "int".into(),
            Type::Int { lo, hi } => format!("{lo}..{hi}"),
            Type::Enum(id) => self.enumeration(*id).name.clone(),
            Type::Set(element) => format!("set of {}", self.show(element)),
            Type::Option(inner) => format!("option {}", self.show(inner)),
            Type::Record(id) => match &self.record(*id).collection {
                Some(Collection { kind, element, most }) => {
                    format!("{} of {} max {most}", kind.word(), self.show(element))
                }
                None => self.record(*id).name.clone(),
            },
            Type::Map(key, value) => format!("map {} to {}", self.show(key), self.show(value)),
            Type::Pos => "pos".into(),
            Type::Abstract(n) => format!("required type {n}"),
        }
    }

    /// True if values of a type contain values of another one.
    pub fn consists_of(&self, ty: &Type, part: &Type) -> bool {
        ty == part
            || match ty {
                Type::Set(inner) | Type::Option(inner) => self.consists_of(inner, part),
                Type::Record(id) => self.record(*id).fields.iter().any(|(_, ty)| self.consists_of(ty, part)),
                Type::Map(key, value) => self.consists_of(key, part) || self.consists_of(value, part),
                _ => false,
            }
    }

    /// True if an order of the values of a type is defined by [`Value`] and can be written as a formula: they contain no sets of any size.
    pub fn has_order(&self, ty: &Type) -> bool {
        match ty {
            Type::Bool | Type::Int { .. } | Type::Enum(_) => true,
            Type::Option(inner) => self.has_order(inner),
            Type::Record(id) => self.record(*id).fields.iter().all(|(_, ty)| self.has_order(ty)),
            Type::Map(_, value) => self.has_order(value),
            Type::Set(_) | Type::Pos | Type::Abstract(_) => false,
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
                if let Some(Collection { kind, .. }) = &decl.collection {
                    let elements: Vec<String> = decl.elements(values).map(|v| self.show_value(v)).collect();
                    let elements = elements.join(", ");
                    return match kind {
                        CollectionKind::Sequence => format!("[{elements}]"),
                        CollectionKind::Bag | CollectionKind::Set => format!("{{{elements}}}"),
                    };
                }
                let (name, fields) = decl.parts(values);
                if fields.is_empty() {
                    return name.to_owned();
                }
                let field = |(name, _, v): &(&str, &Type, &Value)| format!("{name}: {}", self.show_value(v));
                format!("{name}({})", fields.iter().map(field).collect::<Vec<_>>().join(", "))
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

/// A list that only grows, so that what is checked in the context of a model can add to what the model has: copies share it.
#[derive(Debug, Clone, Default)]
pub struct MadeRecords(Arc<MadeLink>);

#[derive(Debug, Default)]
struct MadeLink(OnceLock<Box<MadeNode>>);

#[derive(Debug)]
struct MadeNode {
    /// The declared record that this one is where collections in its fields have grown beyond their types.
    of: Option<RecordId>,
    decl: RecordDecl,
    next: MadeLink,
}

impl MadeRecords {
    fn node(&self, index: u32) -> Option<&MadeNode> {
        let nodes = std::iter::successors(self.0.0.get(), |node| node.next.0.get());
        nodes.map(|node| &**node).nth(index as usize)
    }

    /// The record at an index.
    pub fn get(&self, index: u32) -> Option<&RecordDecl> {
        Some(&self.node(index)?.decl)
    }

    /// The declared record that the one at an index is a larger form of.
    pub fn declared(&self, index: u32) -> Option<RecordId> {
        self.node(index)?.of
    }

    /// The index of a record; it is added unless there is the same one.
    pub fn index_of(&self, of: Option<RecordId>, decl: RecordDecl) -> u32 {
        let (mut link, mut made) = (&*self.0, Some(decl));
        for index in 0.. {
            let node = link.0.get_or_init(|| {
                let decl = made.take().unwrap_or_else(|| unreachable!("it is added once"));
                Box::new(MadeNode { of, decl, next: MadeLink::default() })
            });
            match &made {
                Some(decl) if !node.is(of, decl) => link = &node.next,
                _ => return index,
            }
        }
        unreachable!("the list has an end")
    }
}

impl MadeNode {
    /// True if it has the same values.
    fn is(&self, of: Option<RecordId>, decl: &RecordDecl) -> bool {
        self.of == of && self.decl.collection == decl.collection && self.decl.fields == decl.fields
    }
}
