//! Layouts: the bits of the values of a type.
//!
//! A scalar takes as many bits as its values need, including `none`; a set one bit for each possible element; a record
//! and a map the bits of their parts. An optional set, record or map has a presence bit before it, and is all zeros if
//! absent. Equal values therefore have equal bits.
//!
//! In computations, a present value is a [`PackedCode`] and an absent one is `None`.

mod domain;

pub use domain::Domain;

use super::bits::{clear, ones, read, width_of, write};
use kit::number::to_u32;
use lang::model::types::{EnumId, RecordId, Type, Types};
use lang::model::value::Value;
use rustc_hash::FxHashMap;
use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A present value in one word: an integer in two's complement, the index of an enumeration's value, 0 or 1
/// for truth values, the bits of a set, record or map of at most 63 bits.
pub type PackedCode = u64;

/// The most possible elements of a set, and keys of a map, that are packed; otherwise values are interned.
const MOST_MEMBERS: u64 = 4096;
/// The most bits of a packed variable; wider ones are interned.
const WIDEST: u32 = 16_384;
/// The number of bits of an interned value.
const INTERNED: u32 = u32::BITS;

/// The layout of the values of one type.
#[derive(Debug)]
pub struct Layout {
    /// The type without its `option`.
    pub ty: Type,
    /// True if `none` is a value.
    pub optional: bool,
    /// The number of bits, including a presence bit.
    pub width: u32,
    /// The parts of the value.
    pub shape: LayoutShape,
}

/// The parts of a layout.
#[derive(Debug)]
pub enum LayoutShape {
    /// A truth value, an integer or a value of an enumeration: consecutive codes from the least one.
    Scalar {
        /// The least code as a signed number.
        least: i64,
        /// The number of codes.
        count: u64,
    },
    /// A bit for each element of the domain.
    Set(Arc<Domain>),
    /// Fields in declaration order, each with its offset from the first.
    Record(RecordId, Vec<(u32, Arc<Layout>)>),
    /// Values in the order of their keys, all of the same width.
    Map(Arc<Domain>, Arc<Layout>),
    /// The number of the value in a table, for types with too many bits.
    Interned(Interner),
}

impl Layout {
    /// Returns the layout of a variable. Values that take too many bits are interned.
    pub fn of_variable(types: &Types, ty: &Type) -> Arc<Self> {
        Self::of(types, ty).filter(|layout| layout.width <= WIDEST).unwrap_or_else(|| {
            let shape = LayoutShape::Interned(Interner::default());
            Arc::new(Self { ty: ty.clone(), optional: false, width: INTERNED, shape })
        })
    }

    /// Returns the layout of a type; `None` if its values take too many bits.
    pub fn of(types: &Types, ty: &Type) -> Option<Arc<Self>> {
        let (optional, ty) = (ty.is_option(), ty.inner());
        let shape = match ty {
            Type::Bool => LayoutShape::Scalar { least: 0, count: 2 },
            Type::Int { lo, hi } => {
                let count = u64::try_from((i128::from(*hi) - i128::from(*lo) + 1).max(0)).ok()?;
                LayoutShape::Scalar { least: *lo, count: Some(count).filter(|&n| n < 1 << 62)? }
            }
            Type::Enum(id) => {
                LayoutShape::Scalar { least: 0, count: types.enumeration(*id).variants.len() as u64 }
            }
            Type::Set(element) if !element.is_option() => {
                LayoutShape::Set(Domain::of(types, element, MOST_MEMBERS)?)
            }
            Type::Record(id) => {
                let mut width = 0u32;
                let mut fields = Vec::new();
                for (_, ty) in &types.record(*id).fields {
                    let field = Self::of(types, ty)?;
                    let offset = width;
                    width = width.checked_add(field.width).filter(|&width| width <= WIDEST)?;
                    fields.push((offset, field));
                }
                LayoutShape::Record(*id, fields)
            }
            Type::Map(key, value) => {
                LayoutShape::Map(Domain::of(types, key, MOST_MEMBERS)?, Self::of(types, value)?)
            }
            Type::Set(_) | Type::Option(_) | Type::Pos | Type::Abstract(_) => return None,
        };
        let presence = u32::from(optional);
        let width = match &shape {
            LayoutShape::Scalar { count, .. } => width_of(count + u64::from(optional)),
            LayoutShape::Set(domain) => domain.size() + presence,
            LayoutShape::Record(_, fields) => {
                fields.iter().map(|(_, field)| field.width).sum::<u32>() + presence
            }
            LayoutShape::Map(keys, value) => keys.size().checked_mul(value.width)?.checked_add(presence)?,
            LayoutShape::Interned(_) => INTERNED,
        };
        Some(Arc::new(Self { ty: ty.clone(), optional, width, shape }))
    }

    /// True if a present value fits into a [`PackedCode`].
    pub fn is_small(&self) -> bool {
        match self.shape {
            LayoutShape::Scalar { .. } => true,
            LayoutShape::Interned(_) => false,
            _ => self.width < u64::BITS,
        }
    }

    /// Returns the number of bits before the parts of a set, record or map.
    pub fn presence(&self) -> u32 {
        match self.shape {
            LayoutShape::Scalar { .. } | LayoutShape::Interned(_) => 0,
            _ => u32::from(self.optional),
        }
    }

    /// Returns the bits of a small value; `None` if it is not of this type.
    #[inline]
    pub fn encode(&self, code: Option<PackedCode>) -> Option<u64> {
        match (&self.shape, code) {
            (_, None) => self.optional.then_some(0),
            (LayoutShape::Scalar { least, count }, Some(code)) => {
                let rank = code.wrapping_sub((*least).cast_unsigned());
                (rank < *count && code.cast_signed() >= *least).then(|| rank + u64::from(self.optional))
            }
            (_, Some(code)) if self.optional => Some(code << 1 | 1),
            (_, Some(code)) => Some(code),
        }
    }

    /// Returns the small value with these bits.
    #[inline]
    pub fn decode(&self, bits: u64) -> Option<PackedCode> {
        if self.optional && bits == 0 {
            return None;
        }
        Some(match &self.shape {
            LayoutShape::Scalar { least, .. } => {
                (bits - u64::from(self.optional)).wrapping_add((*least).cast_unsigned())
            }
            _ => bits >> u32::from(self.optional),
        })
    }

    /// Writes a value; returns `false`, with the bits unspecified, if it is not of this type.
    pub fn pack(&self, value: &Value, words: &mut [u64], offset: u32) -> bool {
        let start = offset + self.presence();
        match (&self.shape, value) {
            (LayoutShape::Interned(values), value) => {
                write(words, offset, self.width, u64::from(values.number(value)));
                return true;
            }
            (_, Value::None) => {
                clear(words, offset, self.width);
                return self.optional;
            }
            (LayoutShape::Scalar { .. }, value) => {
                let bits = self.scalar_code(value).and_then(|code| self.encode(Some(code)));
                let Some(bits) = bits else { return false };
                write(words, offset, self.width, bits);
                return true;
            }
            _ => {}
        }
        if self.optional {
            write(words, offset, 1, 1);
        }
        match (&self.shape, value) {
            (LayoutShape::Set(domain), Value::Set(members)) => {
                clear(words, start, domain.size());
                members.iter().all(|member| {
                    let rank = domain.rank_of_value(member);
                    rank.inspect(|&rank| write(words, start + rank, 1, 1)).is_some()
                })
            }
            (LayoutShape::Record(id, fields), Value::Record(other, values)) => {
                id == other
                    && fields.len() == values.len()
                    && fields.iter().zip(values).all(|((at, f), v)| f.pack(v, words, start + at))
            }
            (LayoutShape::Map(keys, layout), Value::Map(entries)) => {
                entries.len() == keys.size() as usize
                    && entries.iter().all(|(key, value)| {
                        let rank = keys.rank_of_value(key);
                        rank.is_some_and(|rank| layout.pack(value, words, start + rank * layout.width))
                    })
            }
            _ => false,
        }
    }

    /// Returns the code of a scalar, even outside its range.
    fn scalar_code(&self, value: &Value) -> Option<PackedCode> {
        match (&self.ty, value) {
            (Type::Bool, Value::Bool(b)) => Some(u64::from(*b)),
            (Type::Int { .. }, Value::Int(n)) => Some((*n).cast_unsigned()),
            (Type::Enum(id), Value::Enum(other, at)) if id == other => Some(u64::from(*at)),
            _ => None,
        }
    }

    /// Returns the code of a value; the outer `None` if it has none here. Integers may be out of range.
    pub fn code_of(&self, value: &Value) -> Option<Option<PackedCode>> {
        if *value == Value::None {
            return Some(None);
        }
        if let LayoutShape::Scalar { .. } = self.shape {
            return self.scalar_code(value).map(Some);
        }
        let mut word = [0];
        (self.is_small() && self.pack(value, &mut word, 0)).then(|| self.decode(word[0]))
    }

    /// Returns the value of a code; that of an integer may be out of range.
    pub fn value_of(&self, code: Option<PackedCode>) -> Value {
        match (code, &self.ty) {
            (None, _) => Value::None,
            (Some(code), Type::Bool) => Value::Bool(code == 1),
            (Some(code), Type::Int { .. }) => Value::Int(code.cast_signed()),
            (Some(code), Type::Enum(id)) => enum_value(*id, code),
            (Some(code), _) => {
                let bits = if self.optional { code << 1 | 1 } else { code };
                self.unpack(&[bits], 0)
            }
        }
    }

    /// Reads a value.
    pub fn unpack(&self, words: &[u64], offset: u32) -> Value {
        let start = offset + self.presence();
        if start > offset && read(words, offset, 1) == 0 {
            return Value::None;
        }
        match &self.shape {
            LayoutShape::Scalar { .. } => self.value_of(self.decode(read(words, offset, self.width))),
            LayoutShape::Set(domain) => Value::Set(members(words, start, domain).collect::<BTreeSet<_>>()),
            LayoutShape::Record(id, fields) => {
                Value::Record(*id, fields.iter().map(|(at, f)| f.unpack(words, start + at)).collect())
            }
            LayoutShape::Map(keys, layout) => {
                let value = |rank| layout.unpack(words, start + rank * layout.width);
                Value::Map((0..keys.size()).map(|rank| (keys.value(rank), value(rank))).collect())
            }
            LayoutShape::Interned(values) => values.value(to_u32(read(words, offset, self.width))),
        }
    }

    /// Compares two values in the order of [`Value`].
    pub fn compare(&self, a: &[u64], b: &[u64], offset: u32) -> Ordering {
        let start = offset + self.presence();
        let presence = read(a, offset, start - offset).cmp(&read(b, offset, start - offset));
        presence.then_with(|| match &self.shape {
            LayoutShape::Scalar { .. } => read(a, offset, self.width).cmp(&read(b, offset, self.width)),
            LayoutShape::Set(domain) => compare_sets(a, b, start, domain.size()),
            LayoutShape::Record(_, fields) => {
                let parts = fields.iter().map(|(at, field)| field.compare(a, b, start + at));
                first_difference(parts)
            }
            LayoutShape::Map(keys, layout) => first_difference(
                (0..keys.size()).map(|rank| layout.compare(a, b, start + rank * layout.width)),
            ),
            LayoutShape::Interned(_) => self.unpack(a, offset).cmp(&self.unpack(b, offset)),
        })
    }
}

/// Returns the value of an enumeration with this code.
fn enum_value(id: EnumId, code: PackedCode) -> Value {
    Value::Enum(id, to_u32(code))
}

fn first_difference(mut parts: impl Iterator<Item = Ordering>) -> Ordering {
    parts.find(|part| part.is_ne()).unwrap_or(Ordering::Equal)
}

/// Returns the members of a set.
fn members<'a>(words: &'a [u64], start: u32, domain: &'a Domain) -> impl Iterator<Item = Value> + 'a {
    (0..domain.size()).step_by(u64::BITS as usize).flat_map(move |base| {
        let width = (domain.size() - base).min(u64::BITS);
        ones(read(words, start + base, width)).map(move |bit| domain.value(base + bit))
    })
}

/// Compares sets as the ascending lists of their elements: at the first element that only one has, the other is greater
/// if it has any element after that, and less, being a prefix, if it has none.
fn compare_sets(a: &[u64], b: &[u64], start: u32, len: u32) -> Ordering {
    let part = |words: &[u64], base: u32| read(words, start + base, (len - base).min(u64::BITS));
    for base in (0..len).step_by(u64::BITS as usize) {
        let (left, right) = (part(a, base), part(b, base));
        if left == right {
            continue;
        }
        let bit = (left ^ right).trailing_zeros();
        let left_has = left >> bit & 1 == 1;
        let (other, others) = if left_has { (right, b) } else { (left, a) };
        let later = (base..len).step_by(u64::BITS as usize).skip(1).any(|base| part(others, base) != 0);
        let goes_on = other >> bit != 0 || later;
        return if left_has == goes_on { Ordering::Less } else { Ordering::Greater };
    }
    Ordering::Equal
}

/// A table of values, each once.
#[derive(Debug, Default)]
pub struct Interner {
    table: Mutex<InternTable>,
}

#[derive(Debug, Default)]
struct InternTable {
    numbers: FxHashMap<Value, u32>,
    values: Vec<Value>,
}

impl Interner {
    /// Returns the number of a value, a new one if it is not known.
    pub fn number(&self, value: &Value) -> u32 {
        let InternTable { numbers, values } = &mut *self.table();
        if let Some(&number) = numbers.get(value) {
            return number;
        }
        let number = u32::try_from(values.len()).expect("fewer than 2^32 values");
        numbers.insert(value.clone(), number);
        values.push(value.clone());
        number
    }

    /// Returns the value of a number.
    pub fn value(&self, number: u32) -> Value {
        self.table().values[number as usize].clone()
    }

    fn table(&self) -> MutexGuard<'_, InternTable> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
