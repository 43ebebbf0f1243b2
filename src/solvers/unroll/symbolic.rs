//! Symbolic values: a one-hot encoding for scalars, bits for integers of large ranges, and trees of these for composites.
//!
//! A scalar lists only the values that are still possible, so constants are folded and `x = c` is an
//! existing literal. Integers of both encodings mix. Invariant: below an absent optional composite, all literals are false.

use super::binary::BinaryInteger;
use super::forms::IntegerForm;
use crate::sat::{Circuit, Lit};
use Symbolic as S;
use lang::model::permutation::Permutation;
use lang::model::types::{Collection, CollectionKind, RecordId, Type, Types};
use lang::model::value::Value;
use std::collections::{BTreeMap, BTreeSet};

/// A value represented by literals of a circuit.
#[derive(Debug, Clone, PartialEq)]
pub enum Symbolic {
    /// A truth value that is never absent.
    Bool(Lit),
    /// A scalar or an optional truth value, sorted by value, with an entry for `none` if optional. Exactly one
    /// of the literals holds; below an absent composite, none of them.
    Scalar(Vec<(Value, Lit)>),
    /// An integer or an optional one as bits.
    Binary(BinaryInteger),
    /// A set: for each possible member, whether it is in the set.
    Set {
        /// False if an optional set is absent.
        present: Lit,
        /// Sorted by value.
        members: Vec<(Value, Lit)>,
    },
    /// A record.
    Record {
        /// False if an optional record is absent.
        present: Lit,
        /// The record type.
        id: RecordId,
        /// The fields, in declaration order.
        fields: Vec<Symbolic>,
    },
    /// A map.
    Map {
        /// False if an optional map is absent.
        present: Lit,
        /// The entries, sorted by key.
        entries: Vec<(Value, Symbolic)>,
    },
}

impl Symbolic {
    /// The symbolic form of a constant of the given type.
    pub fn constant(c: &Circuit, types: &Types, value: &Value, ty: &Type) -> S {
        let yes = c.yes();
        match (value, ty) {
            (Value::None, ty) => S::absent(c, types, ty),
            (Value::Bool(b), Type::Option(_)) => S::Scalar(vec![(Value::Bool(*b), yes)]),
            (Value::Bool(b), _) => S::Bool(if *b { yes } else { !yes }),
            (Value::Int(_) | Value::Enum(..), _) => S::Scalar(vec![(value.clone(), yes)]),
            (Value::Set(members), _) => {
                S::Set { present: yes, members: members.iter().map(|m| (m.clone(), yes)).collect() }
            }
            (Value::Record(id, values), _) => {
                let decl = types.record(*id);
                let fields = values.iter().zip(&decl.fields);
                let fields = fields.map(|(v, (_, ty))| S::constant(c, types, v, ty)).collect();
                S::Record { present: yes, id: *id, fields }
            }
            (Value::Map(entries), ty) => {
                let value_type = match ty.inner() {
                    Type::Map(_, value) => value,
                    _ => ty,
                };
                let entries = entries.iter();
                let entries =
                    entries.map(|(k, v)| (k.clone(), S::constant(c, types, v, value_type))).collect();
                S::Map { present: yes, entries }
            }
        }
    }

    /// The absent value of an optional type.
    fn absent(c: &Circuit, types: &Types, ty: &Type) -> S {
        match ty.inner() {
            Type::Set(_) | Type::Record(_) | Type::Map(..) => S::null(c, types, ty),
            _ => S::Scalar(vec![(Value::None, c.yes())]),
        }
    }

    /// A value below an absent composite: every literal is false.
    fn null(c: &Circuit, types: &Types, ty: &Type) -> S {
        match ty {
            Type::Bool => S::Bool(c.no()),
            Type::Int { .. } | Type::Enum(_) | Type::Pos | Type::Abstract(_) => S::Scalar(Vec::new()),
            Type::Set(_) => S::Set { present: c.no(), members: Vec::new() },
            Type::Record(id) => {
                let fields = types.record(*id).fields.iter().map(|(_, ty)| S::null(c, types, ty)).collect();
                S::Record { present: c.no(), id: *id, fields }
            }
            Type::Map(key, value) => {
                let entries = types.values(key).into_iter().map(|k| (k, S::null(c, types, value))).collect();
                S::Map { present: c.no(), entries }
            }
            Type::Option(inner) => match &**inner {
                Type::Set(_) | Type::Record(_) | Type::Map(..) => S::null(c, types, inner),
                _ => S::Scalar(Vec::new()),
            },
        }
    }

    /// An unconstrained value of the type if `present` holds; otherwise all literals are false.
    pub fn fresh(c: &mut Circuit, types: &Types, ty: &Type, present: Lit, form: IntegerForm) -> S {
        if let Type::Int { lo, hi } = ty.inner()
            && form.is_binary(*lo, *hi)
        {
            return S::Binary(BinaryInteger::fresh(c, *lo, *hi, ty.is_option(), present));
        }
        match ty {
            Type::Bool => S::Bool(fresh_below(c, present)),
            Type::Int { .. } | Type::Enum(_) | Type::Pos | Type::Abstract(_) => {
                S::Scalar(fresh_choice(c, types.values(ty), present))
            }
            Type::Set(element) => {
                let members =
                    types.values(element).into_iter().map(|v| (v, fresh_below(c, present))).collect();
                S::Set { present, members }
            }
            Type::Record(id) if types.record(*id).is_tagged() => {
                S::fresh_tagged(c, types, *id, present, form)
            }
            Type::Record(id) => {
                let fields = &types.record(*id).fields;
                let fields = fields.iter().map(|(_, ty)| S::fresh(c, types, ty, present, form)).collect();
                S::Record { present, id: *id, fields }
            }
            Type::Map(key, value) => {
                let keys = types.values(key).into_iter();
                let entries = keys.map(|k| (k, S::fresh(c, types, value, present, form))).collect();
                S::Map { present, entries }
            }
            Type::Option(inner) => match &**inner {
                Type::Set(_) | Type::Record(_) | Type::Map(..) => {
                    let inside = fresh_below(c, present);
                    S::fresh(c, types, inner, inside, form)
                }
                _ => S::Scalar(fresh_choice(c, types.values(ty), present)),
            },
        }
    }

    /// An unconstrained value of a variant or collection if `present` holds: a constructor, and the fields that it has.
    fn fresh_tagged(c: &mut Circuit, types: &Types, id: RecordId, present: Lit, form: IntegerForm) -> S {
        let decl = types.record(id);
        // There are few constructors, and few sizes: a literal for each.
        let constructor = S::fresh(c, types, &decl.fields[0].1, present, IntegerForm::ONE_HOT);
        let which = constructor.as_scalar(c);
        let mut fields = vec![constructor];
        for (field, (_, slot)) in decl.fields.iter().enumerate().skip(1) {
            let having: Vec<_> = decl.having(field).collect();
            let Some((_, ty)) = having.first() else { unreachable!("a constructor has each field") };
            if having.len() == decl.constructors.len() {
                fields.push(S::fresh(c, types, slot, present, form));
                continue;
            }
            let lits: Vec<Lit> = having.iter().map(|(index, _)| which[*index].1).collect();
            let there = c.any(&lits);
            // All literals are free, for those who count them, and clauses tie them to the constructor.
            let value = S::fresh(c, types, slot, present, form);
            match &value {
                scalar @ (S::Scalar(_) | S::Binary(_)) => {
                    let none = scalar.is_value(c, &Value::None);
                    c.add_clause(&[there, none, !present]);
                    if !ty.is_option() {
                        c.add_clause(&[!there, !none]);
                    }
                }
                composite => {
                    let inside = composite.is_some(c);
                    c.add_clause(&[there, !inside]);
                    if !ty.is_option() {
                        c.add_clause(&[!there, inside]);
                    }
                }
            }
            fields.push(value);
        }
        if let Some(Collection { kind: kind @ (CollectionKind::Bag | CollectionKind::Set), .. }) =
            &decl.collection
        {
            for pair in fields[1..].windows(2) {
                let [a, b] = pair else { unreachable!("two at a time") };
                let there = b.is_some(c);
                let (after, equal) = (b.before(c, a), a.equal(c, b));
                c.add_clause(&[!there, !after]);
                if *kind == CollectionKind::Set {
                    c.add_clause(&[!there, !equal]);
                }
            }
        }
        S::Record { present, id, fields }
    }

    /// True if it comes before another value of the type in the order of [`Value`]; false where either has parts that are sets.
    fn before(&self, c: &mut Circuit, other: &S) -> Lit {
        match (self, other) {
            (S::Record { present: p, fields: a, .. }, S::Record { present: q, fields: b, .. }) => {
                let pairs: Vec<(&S, &S)> = a.iter().zip(b).collect();
                before_in_parts(c, *p, *q, &pairs)
            }
            (S::Map { present: p, entries: a }, S::Map { present: q, entries: b }) => {
                let pairs: Vec<(&S, &S)> = a.iter().map(|e| &e.1).zip(b.iter().map(|e| &e.1)).collect();
                before_in_parts(c, *p, *q, &pairs)
            }
            (S::Set { .. }, _) | (_, S::Set { .. }) => c.no(),
            (S::Binary(_), _) | (_, S::Binary(_)) => {
                let (Some(a), Some(b)) = (self.as_binary(c, false), other.as_binary(c, false)) else {
                    return c.no();
                };
                let (less, only) = (a.ordered(c, &b, false), c.and(a.none, b.there));
                c.or(less, only)
            }
            (a, b) => {
                let (a, b) = (a.as_scalar(c), b.as_scalar(c));
                let mut cases = Vec::new();
                for (v, l) in &a {
                    for (_, m) in b.iter().filter(|(w, _)| v < w) {
                        cases.push(c.and(*l, *m));
                    }
                }
                c.any(&cases)
            }
        }
    }

    /// All possible values, also those outside its type, each with the literal that it is this one.
    pub fn cases(&self, c: &mut Circuit) -> Vec<(Value, Lit)> {
        let (no, present) = (c.no(), self.is_some(c));
        let mut list: Vec<(Value, Lit)> = match self {
            S::Bool(_) | S::Scalar(_) | S::Binary(_) => return self.as_scalar(c),
            S::Set { members, .. } => {
                let mut rows = vec![(BTreeSet::new(), present)];
                for (member, inside) in members {
                    let mut longer = Vec::with_capacity(2 * rows.len());
                    for (row, lit) in rows {
                        if !c.goes_on() {
                            return Vec::new();
                        }
                        let mut with = row.clone();
                        with.insert(member.clone());
                        longer.push((with, c.and(lit, *inside)));
                        longer.push((row, c.and(lit, !*inside)));
                    }
                    longer.retain(|(_, l)| *l != no);
                    rows = longer;
                }
                rows.into_iter().map(|(row, l)| (Value::Set(row), l)).collect()
            }
            S::Record { id, fields, .. } => {
                let rows = product(c, present, fields.iter());
                rows.into_iter().map(|(row, l)| (Value::Record(*id, row), l)).collect()
            }
            S::Map { entries, .. } => {
                let rows = product(c, present, entries.iter().map(|e| &e.1));
                let keys = || entries.iter().map(|e| e.0.clone());
                rows.into_iter().map(|(row, l)| (Value::Map(keys().zip(row).collect()), l)).collect()
            }
        };
        if present != c.yes() {
            list.push((Value::None, !present));
        }
        list
    }

    /// The number of literals in it, roughly.
    pub fn size(&self) -> usize {
        match self {
            S::Bool(_) | S::Binary(_) => 1,
            S::Scalar(list) | S::Set { members: list, .. } => 1 + list.len(),
            S::Record { fields, .. } => 1 + fields.iter().map(S::size).sum::<usize>(),
            S::Map { entries, .. } => 1 + entries.iter().map(|(_, value)| 1 + value.size()).sum::<usize>(),
        }
    }

    /// True if it is present.
    pub fn is_some(&self, c: &Circuit) -> Lit {
        match self {
            S::Bool(_) => c.yes(),
            S::Scalar(entries) => !literal_of(entries, &Value::None).unwrap_or(c.no()),
            S::Binary(number) => !number.none,
            S::Set { present, .. } | S::Record { present, .. } | S::Map { present, .. } => *present,
        }
    }

    /// True if it is this value.
    pub fn is_value(&self, c: &mut Circuit, value: &Value) -> Lit {
        match (self, value) {
            (S::Bool(b), Value::Bool(v)) => {
                if *v {
                    *b
                } else {
                    !*b
                }
            }
            (S::Scalar(entries), v) => literal_of(entries, v).unwrap_or(c.no()),
            (S::Binary(number), Value::Int(n)) => number.is(c, *n),
            (S::Binary(number), Value::None) => number.none,
            (_, Value::None) => !self.is_some(c),
            (S::Set { present, members }, Value::Set(wanted)) => {
                let mut parts = vec![*present];
                parts.extend(members.iter().map(|(v, l)| if wanted.contains(v) { *l } else { !*l }));
                if wanted.iter().any(|w| literal_of(members, w).is_none()) {
                    return c.no();
                }
                c.all(&parts)
            }
            (S::Record { present, fields, .. }, Value::Record(_, values)) => {
                let mut parts = vec![*present];
                for (field, v) in fields.iter().zip(values) {
                    parts.push(field.is_value(c, v));
                }
                c.all(&parts)
            }
            (S::Map { present, entries }, Value::Map(values)) => {
                let mut parts = vec![*present];
                for ((_, entry), v) in entries.iter().zip(values.values()) {
                    parts.push(entry.is_value(c, v));
                }
                c.all(&parts)
            }
            _ => c.no(),
        }
    }

    /// Equality; two absent values are equal.
    pub fn equal(&self, c: &mut Circuit, other: &S) -> Lit {
        match (self, other) {
            (S::Bool(a), S::Bool(b)) => c.iff(*a, *b),
            (S::Binary(_), _) | (_, S::Binary(_)) => {
                match (self.as_binary(c, false), other.as_binary(c, false)) {
                    (Some(a), Some(b)) => a.equal(c, &b),
                    _ => c.no(),
                }
            }
            (S::Bool(_) | S::Scalar(_), S::Bool(_) | S::Scalar(_)) => {
                let (a, b) = (self.as_scalar(c), other.as_scalar(c));
                let mut both = Vec::new();
                for (value, l) in &a {
                    if let Some(r) = literal_of(&b, value) {
                        both.push(c.and(*l, r));
                    }
                }
                c.any(&both)
            }
            (S::Set { present: p, members: a }, S::Set { present: q, members: b }) => {
                let mut parts = vec![c.iff(*p, *q)];
                for (l, r) in union_of(c, a, b).into_values() {
                    parts.push(c.iff(l, r));
                }
                c.all(&parts)
            }
            (S::Record { present: p, fields: a, .. }, S::Record { present: q, fields: b, .. }) => {
                let pairs: Vec<(&S, &S)> = a.iter().zip(b).collect();
                equal_parts(c, *p, *q, &pairs)
            }
            (S::Map { present: p, entries: a }, S::Map { present: q, entries: b }) => {
                let pairs: Vec<(&S, &S)> = a.iter().map(|e| &e.1).zip(b.iter().map(|e| &e.1)).collect();
                equal_parts(c, *p, *q, &pairs)
            }
            // One side is `none` of an option whose inner type is unknown, as in `none = none`.
            (a, b) => {
                let (p, q) = (a.is_some(c), b.is_some(c));
                c.and(!p, !q)
            }
        }
    }

    /// This value where it matters only in what follows from its being present.
    #[must_use]
    pub fn assumed_present(&self, c: &Circuit) -> S {
        match self {
            S::Binary(number) => S::Binary(number.assumed_present(c)),
            other => other.clone(),
        }
    }

    /// This value if `keep` holds; otherwise all literals are false.
    pub fn guarded(&self, c: &mut Circuit, keep: Lit) -> S {
        if keep == c.yes() {
            return self.clone();
        }
        let entries = |c: &mut Circuit, list: &[(Value, Lit)]| -> Vec<(Value, Lit)> {
            let kept = list.iter().map(|(v, l)| (v.clone(), c.and(keep, *l))).collect::<Vec<_>>();
            kept.into_iter().filter(|(_, l)| *l != c.no()).collect()
        };
        match self {
            S::Bool(b) => S::Bool(c.and(keep, *b)),
            S::Scalar(list) => S::Scalar(entries(c, list)),
            S::Binary(number) => S::Binary(number.guarded(c, keep)),
            S::Set { present, members } => {
                S::Set { present: c.and(keep, *present), members: entries(c, members) }
            }
            S::Record { present, id, fields } => {
                let present = c.and(keep, *present);
                S::Record { present, id: *id, fields: fields.iter().map(|f| f.guarded(c, keep)).collect() }
            }
            S::Map { present, entries } => {
                let present = c.and(keep, *present);
                let entries = entries.iter().map(|(k, v)| (k.clone(), v.guarded(c, keep))).collect();
                S::Map { present, entries }
            }
        }
    }

    /// A value read from a composite that is present if `present` holds: an optional value, absent if the
    /// composite is.
    pub fn below(&self, c: &mut Circuit, present: Lit) -> S {
        if present == c.yes() {
            return self.clone();
        }
        let (mut list, truth) = match self {
            S::Bool(b) => (vec![(Value::Bool(false), c.and(present, !*b)), (Value::Bool(true), *b)], true),
            S::Scalar(list) => (list.clone(), false),
            S::Binary(number) => return S::Binary(number.below(c, present)),
            composite => return composite.clone(),
        };
        let none = literal_of(&list, &Value::None).unwrap_or(c.no());
        let none = if truth { !present } else { c.or(none, !present) };
        list.retain(|(v, l)| *v != Value::None && *l != c.no());
        list.insert(0, (Value::None, none));
        S::Scalar(list)
    }

    /// A scalar as its list of values; a truth value has two entries. Bits should have few values.
    pub fn as_scalar(&self, c: &mut Circuit) -> Vec<(Value, Lit)> {
        match self {
            S::Bool(b) => vec![(Value::Bool(false), !*b), (Value::Bool(true), *b)],
            S::Scalar(entries) => entries.clone(),
            S::Binary(number) => number.listed(c),
            _ => Vec::new(),
        }
    }

    /// An integer as bits, or `none`; `sure` if it is not below an absent composite. `None` if it is something else.
    pub fn as_binary(&self, c: &mut Circuit, sure: bool) -> Option<BinaryInteger> {
        match self {
            S::Binary(number) => Some(number.clone()),
            S::Scalar(entries) => BinaryInteger::of_list(c, entries, sure),
            _ => None,
        }
    }

    /// The value with those integers as bits that have more possible values than its form lists; `sure` if it is not below an
    /// absent composite.
    #[must_use]
    pub fn in_form(self, c: &mut Circuit, form: IntegerForm, sure: bool) -> S {
        match self {
            S::Scalar(entries) if form.is_long(entries.len()) => {
                BinaryInteger::of_list(c, &entries, sure).map_or(S::Scalar(entries), S::Binary)
            }
            S::Record { present, id, fields } => {
                let sure = present == c.yes();
                let fields = fields.into_iter().map(|field| field.in_form(c, form, sure)).collect();
                S::Record { present, id, fields }
            }
            S::Map { present, entries } => {
                let sure = present == c.yes();
                let entries = entries.into_iter().map(|(key, entry)| (key, entry.in_form(c, form, sure)));
                S::Map { present, entries: entries.collect() }
            }
            other => other,
        }
    }

    /// The value restricted to the type, and the literal that it is of the type. A truth value becomes an
    /// optional one if the type is optional.
    pub fn into_type(self, c: &mut Circuit, types: &Types, ty: &Type) -> (S, Lit) {
        match self {
            S::Bool(b) if ty.is_option() => (S::Scalar(S::Bool(b).as_scalar(c)), c.yes()),
            S::Bool(b) => (S::Bool(b), c.yes()),
            S::Binary(number) => binary_into_type(c, number, ty),
            S::Scalar(mut entries) => {
                let before = entries.len();
                entries.retain(|(v, _)| types.contains(ty, v));
                let ok = if entries.len() == before {
                    c.yes()
                } else {
                    let lits: Vec<Lit> = entries.iter().map(|(_, l)| *l).collect();
                    c.any(&lits)
                };
                (S::Scalar(entries), ok)
            }
            S::Set { present, members } => {
                let Type::Set(element) = ty.inner() else { return (S::Set { present, members }, c.yes()) };
                let (inside, outside): (Vec<_>, Vec<_>) =
                    members.into_iter().partition(|(v, _)| types.contains(element, v));
                let excluded: Vec<Lit> = outside.iter().map(|(_, l)| !*l).collect();
                (S::Set { present, members: inside }, c.all(&excluded))
            }
            S::Record { present, id, fields } => {
                let mut parts = Vec::new();
                let mut kept = Vec::new();
                for (field, (_, ty)) in fields.into_iter().zip(&types.record(id).fields) {
                    let (field, ok) = field.below_into(c, types, ty, present);
                    kept.push(field);
                    parts.push(c.or(!present, ok));
                }
                (S::Record { present, id, fields: kept }, c.all(&parts))
            }
            S::Map { present, entries } => {
                let Type::Map(_, value) = ty.inner() else { return (S::Map { present, entries }, c.yes()) };
                let mut parts = Vec::new();
                let mut kept = Vec::new();
                for (k, v) in entries {
                    let (v, ok) = v.below_into(c, types, value, present);
                    kept.push((k, v));
                    parts.push(c.or(!present, ok));
                }
                (S::Map { present, entries: kept }, c.all(&parts))
            }
        }
    }

    /// [`Symbolic::into_type`] below a composite: a truth value that becomes optional has no value where
    /// the composite is absent.
    fn below_into(self, c: &mut Circuit, types: &Types, ty: &Type, present: Lit) -> (S, Lit) {
        let becomes_optional = matches!(self, S::Bool(_)) && ty.is_option();
        let (value, ok) = self.into_type(c, types, ty);
        (if becomes_optional { value.guarded(c, present) } else { value }, ok)
    }

    /// The value in the solver's assignment.
    pub fn decode(&self, c: &Circuit) -> Value {
        self.value_where(&|lit| c.value(lit))
    }

    /// The value where literals hold as `holds` says.
    pub fn value_where(&self, holds: &impl Fn(Lit) -> bool) -> Value {
        let chosen = |list: &[(Value, Lit)]| -> Option<Value> {
            list.iter().find(|(_, l)| holds(*l)).map(|(v, _)| v.clone())
        };
        match self {
            S::Bool(b) => Value::Bool(holds(*b)),
            S::Scalar(entries) => chosen(entries).unwrap_or(Value::None),
            S::Binary(number) => number.value_where(holds),
            S::Set { present, .. } | S::Record { present, .. } | S::Map { present, .. }
                if !holds(*present) =>
            {
                Value::None
            }
            S::Set { members, .. } => {
                Value::Set(members.iter().filter(|(_, l)| holds(*l)).map(|(v, _)| v.clone()).collect())
            }
            S::Record { id, fields, .. } => {
                Value::Record(*id, fields.iter().map(|f| f.value_where(holds)).collect())
            }
            S::Map { entries, .. } => {
                Value::Map(entries.iter().map(|(k, v)| (k.clone(), v.value_where(holds))).collect())
            }
        }
    }
}

/// The literal of a value in a sorted list.
pub fn literal_of(list: &[(Value, Lit)], value: &Value) -> Option<Lit> {
    list.binary_search_by(|(v, _)| v.cmp(value)).ok().map(|at| list[at].1)
}

/// For each value of either list, its literals in both; false where it is missing.
pub fn union_of(c: &Circuit, a: &[(Value, Lit)], b: &[(Value, Lit)]) -> BTreeMap<Value, (Lit, Lit)> {
    let mut all: BTreeMap<Value, (Lit, Lit)> = BTreeMap::new();
    for (v, l) in a {
        all.insert(v.clone(), (*l, c.no()));
    }
    for (v, l) in b {
        all.entry(v.clone()).or_insert((c.no(), c.no())).1 = *l;
    }
    all
}

/// The disjunction for each value, leaving out those that are always false.
pub fn disjunctions(c: &mut Circuit, values: BTreeMap<Value, Vec<Lit>>) -> Vec<(Value, Lit)> {
    let list: Vec<(Value, Lit)> = values.into_iter().map(|(v, lits)| (v, c.any(&lits))).collect();
    list.into_iter().filter(|(_, l)| *l != c.no()).collect()
}

/// The Cartesian product of the possible values of all parts, with their literals.
fn product<'a>(
    c: &mut Circuit,
    present: Lit,
    parts: impl Iterator<Item = &'a Symbolic>,
) -> Vec<(Vec<Value>, Lit)> {
    let mut rows = vec![(Vec::new(), present)];
    for part in parts {
        let cases = part.cases(c);
        let mut longer = Vec::new();
        for (row, lit) in &rows {
            for (value, here) in &cases {
                if !c.goes_on() {
                    return Vec::new();
                }
                let lit = c.and(*lit, *here);
                if lit != c.no() {
                    let mut row: Vec<Value> = Vec::clone(row);
                    row.push(value.clone());
                    longer.push((row, lit));
                }
            }
        }
        rows = longer;
    }
    rows
}

/// Bits restricted to the type, and the literal that they are of the type.
fn binary_into_type(c: &mut Circuit, number: BinaryInteger, ty: &Type) -> (Symbolic, Lit) {
    let Type::Int { lo, hi } = ty.inner() else { return (S::Binary(number), c.yes()) };
    let (range, optional) = (number.range(), ty.is_option());
    let there = if range.lo < *lo || range.hi > *hi {
        let below = number.at_most(c, *hi);
        match lo.checked_sub(1) {
            Some(least) => {
                let beneath = number.at_most(c, least);
                c.and(below, !beneath)
            }
            None => below,
        }
    } else if optional || number.none == c.no() {
        return (S::Binary(number), c.yes());
    } else {
        number.there
    };
    let ok = if optional { c.or(there, number.none) } else { there };
    let number = number.within(*lo, *hi);
    (S::Binary(if optional { number } else { number.without_none(c) }), ok)
}

fn equal_parts(c: &mut Circuit, p: Lit, q: Lit, pairs: &[(&Symbolic, &Symbolic)]) -> Lit {
    let mut parts = vec![p, q];
    for (a, b) in pairs {
        parts.push(a.equal(c, b));
    }
    let both = c.all(&parts);
    let neither = c.and(!p, !q);
    c.or(both, neither)
}

fn fresh_below(c: &mut Circuit, present: Lit) -> Lit {
    let lit = c.fresh();
    if present != c.yes() {
        c.add_clause(&[!lit, present]);
    }
    lit
}

/// True if parts come before others, the first pair that differs deciding; nothing comes before what is absent.
fn before_in_parts(c: &mut Circuit, p: Lit, q: Lit, pairs: &[(&S, &S)]) -> Lit {
    let mut before = c.no();
    for (a, b) in pairs.iter().rev() {
        let (less, equal) = (a.before(c, b), a.equal(c, b));
        let rest = c.and(equal, before);
        before = c.or(less, rest);
    }
    let both = c.and(p, before);
    let only = c.and(!p, q);
    let both = c.and(both, q);
    c.or(both, only)
}

/// A fresh literal for each value: exactly one of them is true if `present` holds, otherwise none.
fn fresh_choice(c: &mut Circuit, values: Vec<Value>, present: Lit) -> Vec<(Value, Lit)> {
    let sure = present == c.yes();
    let lits: Vec<Lit> = match values.len() {
        0 => Vec::new(),
        1 => vec![present],
        2 if sure => {
            let l = c.fresh();
            vec![!l, l]
        }
        n => {
            let lits: Vec<Lit> = (0..n).map(|_| fresh_below(c, present)).collect();
            let mut clause = lits.clone();
            clause.push(!present);
            c.add_clause(&clause);
            c.at_most_one(&lits);
            lits
        }
    };
    values.into_iter().zip(lits).collect()
}

impl S {
    /// The image of a value of a type. Only records that the permutation leaves as they are need gates.
    #[must_use]
    pub fn permuted(&self, c: &mut Circuit, types: &Types, ty: &Type, by: &Permutation) -> S {
        if !by.moves_in(types, ty) || !c.goes_on() {
            return self.clone();
        }
        match (self, ty.inner()) {
            (S::Scalar(_) | S::Binary(_), ty) => S::Scalar(renamed(types, ty, &self.as_scalar(c), by)),
            (S::Set { present, members }, Type::Set(element)) => {
                S::Set { present: *present, members: renamed(types, element, members, by) }
            }
            (S::Record { present, id, fields }, _) => {
                let declared = &types.record(*id).fields;
                let moved =
                    fields.iter().zip(declared).map(|(field, (_, ty))| field.permuted(c, types, ty, by));
                let moved = S::Record { present: *present, id: *id, fields: moved.collect() };
                let stays: Vec<Lit> =
                    by.fixed_in(*id).map(|(field, value)| fields[field].is_value(c, value)).collect();
                let stays = c.any(&stays);
                if stays == c.no() {
                    moved
                } else {
                    S::select(c, &[(stays, self.clone()), (!stays, moved)], false)
                }
            }
            (S::Map { present, entries }, Type::Map(key, value)) => {
                let moved =
                    entries.iter().map(|(k, v)| (by.image(types, key, k), v.permuted(c, types, value, by)));
                let mut entries: Vec<(Value, S)> = moved.collect();
                entries.sort_by(|a, b| a.0.cmp(&b.0));
                S::Map { present: *present, entries }
            }
            _ => self.clone(),
        }
    }
}

/// The images of values with their literals, sorted.
fn renamed(types: &Types, ty: &Type, list: &[(Value, Lit)], by: &Permutation) -> Vec<(Value, Lit)> {
    let mut list: Vec<(Value, Lit)> = list.iter().map(|(v, l)| (by.image(types, ty, v), *l)).collect();
    list.sort_by(|a, b| a.0.cmp(&b.0));
    list
}
