//! Permutations of named values, and what they make of values, states and labels.

use super::types::{EnumId, RecordId, Type, Types};
use super::value::{Label, State, Value};
use super::{Local, Model};
use std::collections::{BTreeMap, BTreeSet};

/// A finite type whose values can serve as names: an enumeration or a range of integers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum NameType {
    /// An enumeration.
    Enum(EnumId),
    /// The integers from `lo` to `hi`.
    Range {
        /// The least one.
        lo: i64,
        /// The greatest one.
        hi: i64,
    },
}

impl NameType {
    /// The type as one of these; `None` for truth values and composites, and for optional types.
    pub fn of(ty: &Type) -> Option<Self> {
        match *ty {
            Type::Enum(id) => Some(Self::Enum(id)),
            Type::Int { lo, hi } => Some(Self::Range { lo, hi }),
            _ => None,
        }
    }

    /// All enumerations, and the ranges of integers that have names.
    pub fn all(types: &Types) -> impl Iterator<Item = Self> {
        let enums = types.enums.iter().zip(0..).map(|(_, id)| Self::Enum(EnumId(id)));
        enums.chain(types.ranges.iter().filter_map(|range| Self::of(&range.ty)))
    }

    /// The text before its values, so that it is clear what they are: nothing for an enumeration, the name of a range.
    pub fn prefix(self, types: &Types) -> String {
        match self {
            Self::Enum(_) => String::new(),
            Self::Range { .. } => format!("{} ", types.name(&self.ty())),
        }
    }

    /// The type as a [`Type`].
    pub fn ty(self) -> Type {
        match self {
            Self::Enum(id) => Type::Enum(id),
            Self::Range { lo, hi } => Type::Int { lo, hi },
        }
    }
}

/// Records that a permutation leaves as they are although it moves values in them: those whose field has a value, as in
/// the nonce of an attacker that has one number for all sessions.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct FixedRecords {
    /// The record type.
    pub record: RecordId,
    /// The index of the field.
    pub field: usize,
    /// Its value, which is not moved.
    pub value: Value,
}

/// A permutation of the values of some types. It acts on composite values through their parts, keys of maps included.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Permutation {
    /// Where the values go that do not stay; nothing else is listed.
    moves: BTreeMap<NameType, BTreeMap<Value, Value>>,
    /// Records that stay as they are.
    fixed: BTreeSet<FixedRecords>,
}

impl Permutation {
    /// Two values of a type change places, if they do not move yet. Whether they do now.
    pub fn swap(&mut self, ty: NameType, a: &Value, b: &Value) -> bool {
        let moves = self.moves.entry(ty).or_default();
        if moves.get(a) == Some(b) {
            return true;
        }
        if a == b || moves.contains_key(a) || moves.contains_key(b) {
            return false;
        }
        moves.insert(a.clone(), b.clone());
        moves.insert(b.clone(), a.clone());
        true
    }

    /// The permutation that takes values to others; `None` if it is none, as the values of a type that something is taken to are not those
    /// that are taken somewhere.
    pub fn of(mut moves: BTreeMap<NameType, BTreeMap<Value, Value>>) -> Option<Self> {
        let is_bijection = |moves: &BTreeMap<Value, Value>| {
            moves.values().collect::<BTreeSet<_>>() == moves.keys().collect::<BTreeSet<_>>()
        };
        if !moves.values().all(is_bijection) {
            return None;
        }
        moves.values_mut().for_each(|moves| moves.retain(|from, to| from != to));
        moves.retain(|_, moves| !moves.is_empty());
        Some(Self { moves, fixed: BTreeSet::new() })
    }

    /// The permutation of names, with these records left as they are. Those in which nothing would move are not listed.
    /// `None` where it moves the value that a field of such a record has: it would no longer be a permutation.
    pub fn fixing(mut self, types: &Types, fixed: &BTreeSet<FixedRecords>) -> Option<Self> {
        let matters = |records: &&FixedRecords| self.moves_in(types, &Type::Record(records.record));
        let fixed: BTreeSet<FixedRecords> = fixed.iter().filter(matters).cloned().collect();
        let moved = |records: &FixedRecords| self.moves.values().any(|m| m.contains_key(&records.value));
        if fixed.iter().any(moved) {
            return None;
        }
        self.fixed = fixed;
        Some(self)
    }

    /// The records that it leaves as they are.
    pub fn fixed(&self) -> &BTreeSet<FixedRecords> {
        &self.fixed
    }

    /// True if nothing moves.
    pub fn is_identity(&self) -> bool {
        self.moves.is_empty()
    }

    /// The values that move, type by type, each with where it goes.
    pub fn moves(&self) -> impl Iterator<Item = (NameType, &Value, &Value)> {
        self.moves.iter().flat_map(|(&ty, moves)| moves.iter().map(move |(from, to)| (ty, from, to)))
    }

    /// First this permutation, then the other one. Both leave the same records as they are, as far as they would move
    /// anything in them.
    #[must_use]
    pub fn then(&self, other: &Self) -> Self {
        let mut moves: BTreeMap<NameType, BTreeMap<Value, Value>> = BTreeMap::new();
        for (ty, from) in self.moves().chain(other.moves()).map(|(ty, from, _)| (ty, from)) {
            let to = other.name(ty, self.name(ty, from));
            if from != to {
                moves.entry(ty).or_default().insert(from.clone(), to.clone());
            }
        }
        Self { moves, fixed: self.fixed.union(&other.fixed).cloned().collect() }
    }

    /// Where a name goes.
    fn name<'a>(&'a self, ty: NameType, value: &'a Value) -> &'a Value {
        self.moves.get(&ty).and_then(|moves| moves.get(value)).unwrap_or(value)
    }

    /// True if some value of a type has another image than itself.
    pub fn moves_in(&self, types: &Types, ty: &Type) -> bool {
        match ty {
            Type::Bool | Type::Pos | Type::Abstract(_) => false,
            Type::Int { .. } | Type::Enum(_) => {
                NameType::of(ty).is_some_and(|names| self.moves.contains_key(&names))
            }
            Type::Set(inner) | Type::Option(inner) => self.moves_in(types, inner),
            Type::Record(id) => types.record(*id).fields.iter().any(|(_, ty)| self.moves_in(types, ty)),
            Type::Map(key, value) => self.moves_in(types, key) || self.moves_in(types, value),
        }
    }

    /// The fields of a record type that keep a record as it is, each with the value that does.
    pub fn fixed_in(&self, id: RecordId) -> impl Iterator<Item = (usize, &Value)> {
        let of_type = self.fixed.iter().filter(move |records| records.record == id);
        of_type.map(|records| (records.field, &records.value))
    }

    /// The image of a value of a type.
    pub fn image(&self, types: &Types, ty: &Type, value: &Value) -> Value {
        match (ty.inner(), value) {
            (ty, Value::Int(_) | Value::Enum(..)) => {
                NameType::of(ty).map_or(value, |names| self.name(names, value)).clone()
            }
            (Type::Set(element), Value::Set(members)) => {
                Value::Set(members.iter().map(|member| self.image(types, element, member)).collect())
            }
            (Type::Record(_), Value::Record(id, fields)) => {
                if self.fixed_in(*id).any(|(field, fixing)| fields[field] == *fixing) {
                    return value.clone();
                }
                let fields = fields.iter().zip(&types.record(*id).fields);
                Value::Record(*id, fields.map(|(field, (_, ty))| self.image(types, ty, field)).collect())
            }
            (Type::Map(key, inner), Value::Map(entries)) => {
                let entries = entries.iter();
                Value::Map(
                    entries.map(|(k, v)| (self.image(types, key, k), self.image(types, inner, v))).collect(),
                )
            }
            _ => value.clone(),
        }
    }

    /// The image of a state.
    pub fn state(&self, model: &Model, state: &State) -> State {
        let values = state.0.iter().zip(&model.variables);
        State(values.map(|(value, variable)| self.image(&model.types, &variable.ty, value)).collect())
    }

    /// The image of a label.
    pub fn label(&self, model: &Model, label: &Label) -> Label {
        let params = model.actions[label.action].params.iter();
        let image = |(arg, param): (&Value, &Local)| self.image(&model.types, &param.ty, arg);
        Label { action: label.action, args: label.args.iter().zip(params).map(image).collect() }
    }

    /// The cycles of names, in words: `S1 and S2, with N1 and N2`; `Node 1, 2, 3 in turn`.
    pub fn show(&self, types: &Types) -> String {
        let mut seen: BTreeSet<(NameType, &Value)> = BTreeSet::new();
        let mut cycles = Vec::new();
        for (ty, from, _) in self.moves() {
            let mut cycle = Vec::new();
            let mut at = from;
            while seen.insert((ty, at)) {
                cycle.push(types.show_value(at));
                at = self.name(ty, at);
            }
            let of = ty.prefix(types);
            match cycle.as_slice() {
                [] => {}
                [a, b] => cycles.push(format!("{of}{a} and {b}")),
                longer => cycles.push(format!("{of}{} in turn", longer.join(", "))),
            }
        }
        cycles.join(", with ")
    }
}
