//! Symbolic values: trees of terms in the shape of the values that they stand for.
//!
//! Values below an absent value mean nothing. Whatever looks at a value asks first whether it is present, so that values need
//! no normal form.

use super::term::{Number, TermRange, Terms, Truth};
use kit::number::{to_i64, to_u32};
use lang::model::types::{EnumId, RecordId, Type, Types};
use lang::model::value::Value;
use std::collections::BTreeMap;
use std::rc::Rc;

/// A value represented by terms.
#[derive(Debug, Clone)]
pub struct TermValue {
    /// True if it is there: false for `none`.
    pub present: Truth,
    pub body: Body,
}

#[derive(Debug, Clone)]
pub enum Body {
    /// It never is.
    Nothing,
    /// A truth value.
    Bool(Truth),
    /// An integer.
    Int(Number),
    /// The index of a value of an enumeration.
    Enum(EnumId, Number),
    /// A set: for each possible member, in ascending order, whether it is one.
    Set(Rc<[(Value, Truth)]>),
    /// The fields of a record.
    Record(RecordId, Rc<[TermValue]>),
    /// The entries of a map, in ascending order of the keys.
    Map(Rc<[(Value, TermValue)]>),
}

/// A possible value, and when it is this one.
pub struct ValueCase {
    pub value: Value,
    /// When it is this one.
    pub condition: Truth,
}

impl TermValue {
    pub fn there(body: Body) -> Self {
        Self { present: Terms::YES, body }
    }

    /// `none`.
    pub fn absent() -> Self {
        Self { present: Terms::NO, body: Body::Nothing }
    }

    pub fn bool(truth: Truth) -> Self {
        Self::there(Body::Bool(truth))
    }

    /// A set from its possible members.
    pub fn set(members: BTreeMap<Value, Truth>) -> Self {
        Self::there(Body::Set(members.into_iter().filter(|(_, inside)| *inside != Terms::NO).collect()))
    }

    pub fn constant(terms: &mut Terms, value: &Value) -> Self {
        Self::there(match value {
            Value::None => return Self::absent(),
            Value::Bool(b) => Body::Bool(Terms::bool(*b)),
            Value::Int(n) => Body::Int(terms.int(*n)),
            Value::Enum(id, index) => Body::Enum(*id, terms.int(*index)),
            Value::Set(members) => Body::Set(members.iter().map(|m| (m.clone(), Terms::YES)).collect()),
            Value::Record(id, fields) => {
                Body::Record(*id, fields.iter().map(|field| Self::constant(terms, field)).collect())
            }
            Value::Map(entries) => {
                Body::Map(entries.iter().map(|(k, v)| (k.clone(), Self::constant(terms, v))).collect())
            }
        })
    }

    /// The value if a condition holds, otherwise `none`.
    #[must_use]
    pub fn only_if(mut self, terms: &mut Terms, condition: Truth) -> Self {
        self.present = terms.and(self.present, condition);
        self
    }

    /// True if it is `true`.
    pub fn is_true(&self, terms: &mut Terms) -> Truth {
        match self.body {
            Body::Bool(truth) => terms.and(self.present, truth),
            _ => Terms::NO,
        }
    }

    /// The number, if it is an integer.
    pub fn number(&self) -> Option<Number> {
        match self.body {
            Body::Int(number) => Some(number),
            _ => None,
        }
    }

    /// The members that a set can have, none where it is absent.
    pub fn members(&self, terms: &mut Terms) -> Vec<(Value, Truth)> {
        match &self.body {
            Body::Set(members) => {
                members.iter().map(|(v, inside)| (v.clone(), terms.and(self.present, *inside))).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The first value if a condition holds, otherwise the second.
    pub fn select(terms: &mut Terms, condition: Truth, a: &TermValue, b: &TermValue) -> TermValue {
        match condition {
            Terms::YES => return a.clone(),
            Terms::NO => return b.clone(),
            _ => {}
        }
        let present = terms.ite(condition, a.present, b.present);
        TermValue { present, body: Self::select_body(terms, condition, a, b) }
    }

    fn select_body(terms: &mut Terms, condition: Truth, a: &TermValue, b: &TermValue) -> Body {
        // Values below an absent value may be anything.
        if a.present == Terms::NO {
            return b.body.clone();
        }
        if b.present == Terms::NO {
            return a.body.clone();
        }
        match (&a.body, &b.body) {
            (Body::Bool(x), Body::Bool(y)) => Body::Bool(terms.ite(condition, *x, *y)),
            (Body::Int(x), Body::Int(y)) => Body::Int(terms.ite_number(condition, *x, *y)),
            (Body::Enum(id, x), Body::Enum(_, y)) => Body::Enum(*id, terms.ite_number(condition, *x, *y)),
            (Body::Set(x), Body::Set(y)) => {
                if Rc::ptr_eq(x, y) {
                    return a.body.clone();
                }
                let both = aligned(x, y).into_iter();
                Body::Set(both.map(|(v, x, y)| (v.clone(), terms.ite(condition, x, y))).collect())
            }
            (Body::Record(id, x), Body::Record(_, y)) => {
                if Rc::ptr_eq(x, y) {
                    return a.body.clone();
                }
                let both = x.iter().zip(y.iter());
                Body::Record(*id, both.map(|(x, y)| Self::select(terms, condition, x, y)).collect())
            }
            (Body::Map(x), Body::Map(y)) => {
                if Rc::ptr_eq(x, y) {
                    return a.body.clone();
                }
                let both = x.iter().zip(y.iter());
                Body::Map(
                    both.map(|((k, x), (_, y))| (k.clone(), Self::select(terms, condition, x, y))).collect(),
                )
            }
            (Body::Nothing, other) | (other, _) => other.clone(),
        }
    }

    /// Equality; `none` is equal to itself only.
    pub fn equal(&self, terms: &mut Terms, other: &TermValue) -> Truth {
        let both_or_neither = terms.iff(self.present, other.present);
        let there = terms.and(self.present, other.present);
        if there == Terms::NO {
            return both_or_neither;
        }
        let same = self.equal_bodies(terms, other);
        let same = terms.implies(there, same);
        terms.and(both_or_neither, same)
    }

    /// Equality of two values that are there.
    fn equal_bodies(&self, terms: &mut Terms, other: &TermValue) -> Truth {
        let parts = match (&self.body, &other.body) {
            (Body::Bool(x), Body::Bool(y)) => return terms.iff(*x, *y),
            (Body::Int(x), Body::Int(y)) => return terms.equal(*x, *y),
            (Body::Enum(a, x), Body::Enum(b, y)) if a == b => return terms.equal(*x, *y),
            (Body::Set(x), Body::Set(y)) => {
                aligned(x, y).into_iter().map(|(_, x, y)| terms.iff(x, y)).collect()
            }
            (Body::Record(a, x), Body::Record(b, y)) if a == b => {
                x.iter().zip(y.iter()).map(|(x, y)| x.equal(terms, y)).collect()
            }
            (Body::Map(x), Body::Map(y)) if x.iter().map(|e| &e.0).eq(y.iter().map(|e| &e.0)) => {
                x.iter().zip(y.iter()).map(|((_, x), (_, y))| x.equal(terms, y)).collect()
            }
            _ => return Terms::NO,
        };
        terms.all(parts)
    }

    /// True if it is this value.
    pub fn is_value(&self, terms: &mut Terms, value: &Value) -> Truth {
        let value = Self::constant(terms, value);
        self.equal(terms, &value)
    }

    /// True if it is one of a set of values.
    pub fn is_one_of<'v>(&self, terms: &mut Terms, values: impl Iterator<Item = &'v Value>) -> Truth {
        let Body::Int(number) = self.body else {
            let parts = values.map(|value| self.is_value(terms, value)).collect();
            return terms.any(parts);
        };
        let mut runs: Vec<TermRange> = Vec::new();
        for value in values {
            let Value::Int(n) = value else { continue };
            let n = i128::from(*n);
            match runs.last_mut() {
                Some(run) if run.hi + 1 == n => run.hi = n,
                _ => runs.push(TermRange::single(n)),
            }
        }
        let parts = runs.into_iter().map(|run| in_range(terms, number, run)).collect();
        let inside = terms.any(parts);
        terms.and(self.present, inside)
    }

    /// True if it comes before another value of its type in the order of [`Value`]; false where either has parts that are sets.
    pub fn before(&self, terms: &mut Terms, other: &TermValue) -> Truth {
        let less = match (&self.body, &other.body) {
            (Body::Bool(x), Body::Bool(y)) => {
                let not_x = terms.not(*x);
                terms.and(not_x, *y)
            }
            (Body::Int(x), Body::Int(y)) | (Body::Enum(_, x), Body::Enum(_, y)) => terms.less(*x, *y),
            (Body::Record(_, x), Body::Record(_, y)) => {
                before_in_parts(terms, x.iter().zip(y.iter()).collect())
            }
            (Body::Map(x), Body::Map(y)) => {
                before_in_parts(terms, x.iter().map(|e| &e.1).zip(y.iter().map(|e| &e.1)).collect())
            }
            _ => Terms::NO,
        };
        let absent = terms.not(self.present);
        let less = terms.or(absent, less);
        terms.and(less, other.present)
    }

    /// True if its numbers and members are of a type. That it has the structure of the type is taken for granted: expressions
    /// have the values of their types, up to ranges.
    pub fn fits(&self, terms: &mut Terms, types: &Types, ty: &Type) -> Truth {
        if ty.is_option() {
            if self.present == Terms::NO {
                return Terms::YES;
            }
            let inside = self.body_fits(terms, types, ty.inner());
            return terms.implies(self.present, inside);
        }
        let inside = self.body_fits(terms, types, ty);
        terms.and(self.present, inside)
    }

    fn body_fits(&self, terms: &mut Terms, types: &Types, ty: &Type) -> Truth {
        let parts = match (&self.body, ty) {
            (Body::Bool(_), Type::Bool) => return Terms::YES,
            (Body::Int(number), Type::Int { lo, hi }) => {
                return in_range(terms, *number, TermRange { lo: (*lo).into(), hi: (*hi).into() });
            }
            (Body::Enum(id, _), Type::Enum(wanted)) => return Terms::bool(id == wanted),
            (Body::Set(members), Type::Set(element)) => {
                let outside = members.iter().filter(|(value, _)| !types.contains(element, value));
                outside.map(|(_, inside)| terms.not(*inside)).collect()
            }
            (Body::Record(id, fields), Type::Record(wanted)) if id == wanted => {
                let declared = &types.record(*id).fields;
                fields.iter().zip(declared).map(|(field, (_, ty))| field.fits(terms, types, ty)).collect()
            }
            (Body::Map(entries), Type::Map(key, ty)) if entries.len() as u64 == types.cardinality(key) => {
                entries.iter().map(|(_, entry)| entry.fits(terms, types, ty)).collect()
            }
            _ => return Terms::NO,
        };
        terms.all(parts)
    }

    /// All values that it can have, `none` left out; nothing if the budget ends on the way.
    pub fn cases(&self, terms: &mut Terms) -> Vec<ValueCase> {
        let mut cases = match &self.body {
            Body::Nothing => Vec::new(),
            Body::Bool(truth) => {
                let not = terms.not(*truth);
                vec![
                    ValueCase { value: Value::Bool(false), condition: not },
                    ValueCase { value: Value::Bool(true), condition: *truth },
                ]
            }
            Body::Int(number) | Body::Enum(_, number) => {
                let mut cases = Vec::new();
                for n in terms.range(*number).values() {
                    if !terms.goes_on() {
                        return Vec::new();
                    }
                    let constant = terms.int(n);
                    let value = match self.body {
                        Body::Enum(id, _) => Value::Enum(id, to_u32(n)),
                        _ => Value::Int(to_i64(n)),
                    };
                    cases.push(ValueCase { value, condition: terms.equal(*number, constant) });
                }
                cases
            }
            Body::Set(members) => {
                let member = |(value, inside): &(Value, Truth)| {
                    let member = TermValue { present: *inside, body: Body::Nothing };
                    (member, Some(value.clone()))
                };
                let rows = product(terms, members.iter().map(member).collect());
                rows.into_iter()
                    .map(|PartialValue { values, condition }| {
                        let members = values.into_iter().filter(|v| *v != Value::None).collect();
                        ValueCase { value: Value::Set(members), condition }
                    })
                    .collect()
            }
            Body::Record(id, fields) => {
                let rows = product(terms, fields.iter().map(|f| (f.clone(), None)).collect());
                let record = |PartialValue { values, condition }| ValueCase {
                    value: Value::Record(*id, values),
                    condition,
                };
                rows.into_iter().map(record).collect()
            }
            Body::Map(entries) => {
                let rows = product(terms, entries.iter().map(|e| (e.1.clone(), None)).collect());
                let keys = || entries.iter().map(|e| e.0.clone());
                rows.into_iter()
                    .map(|PartialValue { values, condition }| ValueCase {
                        value: Value::Map(keys().zip(values).collect()),
                        condition,
                    })
                    .collect()
            }
        };
        for case in &mut cases {
            case.condition = terms.and(case.condition, self.present);
        }
        cases.retain(|case| case.condition != Terms::NO);
        cases
    }
}

/// True if a number is in a range.
pub fn in_range(terms: &mut Terms, number: Number, range: TermRange) -> Truth {
    if range.lo == range.hi {
        let only = terms.int(range.lo);
        return terms.equal(number, only);
    }
    let (lo, hi) = (terms.int(range.lo), terms.int(range.hi));
    let (above, below) = (terms.at_most(lo, number), terms.at_most(number, hi));
    terms.and(above, below)
}

/// The possible members of two sets, in ascending order: whether each is in the first and in the second.
pub fn aligned<'v>(x: &'v [(Value, Truth)], y: &'v [(Value, Truth)]) -> Vec<(&'v Value, Truth, Truth)> {
    let mut all: BTreeMap<&Value, (Truth, Truth)> =
        x.iter().map(|(value, inside)| (value, (*inside, Terms::NO))).collect();
    for (value, inside) in y {
        all.entry(value).or_insert((Terms::NO, Terms::NO)).1 = *inside;
    }
    all.into_iter().map(|(value, (x, y))| (value, x, y)).collect()
}

/// True if parts come before others, the first pair that differs deciding.
fn before_in_parts(terms: &mut Terms, pairs: Vec<(&TermValue, &TermValue)>) -> Truth {
    let mut before = Terms::NO;
    for (a, b) in pairs.into_iter().rev() {
        let (less, equal) = (a.before(terms, b), a.equal(terms, b));
        let rest = terms.and(equal, before);
        before = terms.or(less, rest);
    }
    before
}

/// Possible values of several parts.
struct PartialValue {
    values: Vec<Value>,
    condition: Truth,
}

/// All combinations of the possible values of parts. A part with a value is that value where it is present.
fn product(terms: &mut Terms, parts: Vec<(TermValue, Option<Value>)>) -> Vec<PartialValue> {
    let mut rows = vec![PartialValue { values: Vec::new(), condition: Terms::YES }];
    for (part, value) in parts {
        let mut cases = match value {
            Some(value) => vec![ValueCase { value, condition: part.present }],
            None => part.cases(terms),
        };
        cases.push(ValueCase { value: Value::None, condition: terms.not(part.present) });
        let mut longer = Vec::new();
        for row in &rows {
            for case in &cases {
                if !terms.goes_on() {
                    return Vec::new();
                }
                let condition = terms.and(row.condition, case.condition);
                if condition != Terms::NO {
                    let mut values = row.values.clone();
                    values.push(case.value.clone());
                    longer.push(PartialValue { values, condition });
                }
            }
        }
        rows = longer;
    }
    rows
}
