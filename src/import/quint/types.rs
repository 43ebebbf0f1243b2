//! Types with the results of inference: ranges of integers, strings, keys of maps.
//!
//! Types of Quint do not bound integers, strings and maps. So every place where one occurs has a *slot*, which collects
//! the values that flow there. Composite values that meet share their slots, and integers flow from one to another.

use super::value::QuintValue;
use std::collections::{BTreeMap, BTreeSet, HashSet};

pub type TypeSlot = usize;

/// The bounds of the integers of the language of models: ±2^48.
pub const WIDEST: i128 = 1 << 48;

/// The beginning of texts that stand for values other than strings: model values of TLA+.
pub const MODEL_VALUE: char = '\u{1}';

/// The number of times that an end of a range may grow before it counts as unbounded.
const MOST_GROWTH: usize = 12;

/// The greatest number of times that inference begins anew, with limits of integers that keep growing.
const MOST_STARTS: usize = 4;

#[derive(Debug, Clone, PartialEq)]
pub enum Ty {
    Bool,
    /// Integers of a range.
    Int(TypeSlot),
    Str(TypeSlot),
    Set(Box<Ty>),
    /// Lists; the slot has their lengths.
    List(Box<Ty>, TypeSlot),
    /// Maps; the slot has the keys that they were created with.
    Map(Box<Ty>, Box<Ty>, TypeSlot),
    Tup(Vec<Ty>),
    /// Records, with their fields in alphabetical order.
    Rec(Vec<(String, Ty)>),
    /// Sum types, with their constructors in the order of declaration.
    Sum(Vec<(String, Ty)>),
    /// Values of several sorts; the slot has them.
    Union(TypeSlot),
    /// Not inferred yet.
    Open(TypeSlot),
}

/// The source of integers that flow into a range.
#[derive(Debug, Clone)]
pub enum Flow {
    /// Another range.
    Copy(TypeSlot),
    Add(TypeSlot, TypeSlot),
    Sub(TypeSlot, TypeSlot),
    Mul(TypeSlot, TypeSlot),
    /// Quotients by positive integers.
    Div(TypeSlot, TypeSlot),
    /// Remainders by positive integers.
    Mod(TypeSlot),
    /// Numbers of elements of this type.
    Count(Ty),
    /// Sums over elements of this type.
    Sum(Ty, TypeSlot),
    /// Lengths of lists, or their indices if `true`.
    Length(TypeSlot, bool),
}

#[derive(Debug, Clone, Default)]
struct SlotEntry {
    parent: Option<TypeSlot>,
    bound: Option<Ty>,
    range: Option<(i128, i128)>,
    /// True if the least, or the greatest, value is final, because it kept growing.
    widened: [bool; 2],
    /// True if values that are computed beyond their limits may be put here.
    is_cut: bool,
    /// The number of times that each end grew.
    grown: [usize; 2],
    /// The last round of inference in which each end grew: several constants that flow in at once are no growth.
    round: [usize; 2],
    /// The bounds of integers that keep growing, from a condition of the specification.
    limits: Option<(i128, i128)>,
    words: BTreeSet<String>,
    /// The sets of keys that maps were created with; `None` for an unknown set.
    keys: Vec<Option<BTreeSet<QuintValue>>>,
    length: usize,
    /// The greatest length of lists that grow, from a condition of the specification.
    longest: Option<usize>,
    grows: bool,
    /// The sorts of a union, by their names.
    sorts: BTreeMap<String, Ty>,
}

#[derive(Debug, Default)]
pub struct TypeTable {
    slots: Vec<SlotEntry>,
    flows: Vec<(TypeSlot, Flow)>,
    /// The limits of unbounded integers.
    pub integers: Option<(i64, i64)>,
    /// The greatest length of unbounded lists.
    pub lists: Option<usize>,
    /// True if the limits are not those of a user, so that the sets `Nat` and `Int` have no end.
    pub guessed: bool,
    /// True if `Nat` or `Int` is used as the integers within the limits of a user.
    pub cuts: bool,
    /// True if quotients are rounded down, as in the language of models.
    pub rounds_down: bool,
    /// True if values of several sorts in one place make a union, rather than an error.
    pub unions: bool,
    /// True after a place became a union, or a union got another sort: terms made before lack it.
    pub widened: bool,
    /// True once types are final: unions are sum types.
    closed: bool,
}

impl TypeTable {
    /// Creates an empty table, with limits for unbounded types.
    pub fn limited(integers: Option<(i64, i64)>, lists: Option<usize>) -> Self {
        Self { integers, lists, ..Self::default() }
    }

    pub fn slot(&mut self) -> TypeSlot {
        self.slots.push(SlotEntry::default());
        self.slots.len() - 1
    }

    /// Returns the representative of the slots unified with this one.
    pub fn root(&self, mut slot: TypeSlot) -> TypeSlot {
        while let Some(parent) = self.slots[slot].parent {
            slot = parent;
        }
        slot
    }

    fn entry(&mut self, slot: TypeSlot) -> &mut SlotEntry {
        let root = self.root(slot);
        &mut self.slots[root]
    }

    fn read(&self, slot: TypeSlot) -> &SlotEntry {
        &self.slots[self.root(slot)]
    }

    /// Creates a type to be inferred.
    pub fn open(&mut self) -> Ty {
        Ty::Open(self.slot())
    }

    /// Creates the type of the integers from `lo` to `hi`.
    pub fn range(&mut self, lo: i64, hi: i64) -> Ty {
        let slot = self.slot();
        self.entry(slot).range = Some((lo.into(), hi.into()));
        Ty::Int(slot)
    }

    /// Creates the type of the integers that a flow gives.
    pub fn flowing(&mut self, flow: Flow) -> Ty {
        let slot = self.slot();
        self.flows.push((slot, flow));
        Ty::Int(slot)
    }

    pub fn word(&mut self, word: &str) -> Ty {
        let slot = self.slot();
        self.entry(slot).words.insert(word.to_owned());
        Ty::Str(slot)
    }

    /// Creates the type of lists of up to `length` elements.
    pub fn list(&mut self, element: Ty, length: usize) -> Ty {
        let slot = self.slot();
        self.entry(slot).length = length;
        Ty::List(Box::new(element), slot)
    }

    /// Marks the lists of a slot as unbounded.
    pub fn grow(&mut self, slot: TypeSlot) {
        self.entry(slot).grows = true;
    }

    /// Bounds the lengths of the lists of a slot, if they grow.
    pub fn limit_length(&mut self, slot: TypeSlot, longest: usize) {
        let entry = self.entry(slot);
        entry.longest = entry.longest.max(Some(longest));
    }

    /// Returns the types of the parts of values; of a union, its sorts.
    fn parts<'t>(&'t self, ty: &'t Ty) -> Vec<&'t Ty> {
        match ty {
            Ty::Bool | Ty::Int(_) | Ty::Str(_) | Ty::Open(_) => Vec::new(),
            Ty::Set(element) | Ty::List(element, _) => vec![element],
            Ty::Map(key, value, _) => vec![key, value],
            Ty::Tup(parts) => parts.iter().collect(),
            Ty::Rec(parts) | Ty::Sum(parts) => parts.iter().map(|(_, part)| part).collect(),
            Ty::Union(slot) => self.sorts(*slot).values().collect(),
        }
    }

    /// True if some integers of a type are bounded only by those of the language of models.
    pub fn is_wide(&self, ty: &Ty) -> bool {
        match self.resolve(ty) {
            Ty::Int(slot) => self.bounds(slot).0 <= -WIDEST || self.bounds(slot).1 >= WIDEST,
            ty => self.parts(&ty).into_iter().any(|part| self.is_wide(part)),
        }
    }

    /// Bounds the integers of a slot, if they keep growing.
    pub fn limit(&mut self, slot: TypeSlot, (lo, hi): (i64, i64)) {
        let entry = self.entry(slot);
        entry.limits = hull(entry.limits, Some((lo.into(), hi.into())));
    }

    /// Returns the keys that the maps of a slot are created with, if they are known.
    pub fn first_keys(&self, slot: TypeSlot) -> Option<BTreeSet<QuintValue>> {
        let all = self.read(slot).keys.iter().cloned().collect::<Option<Vec<_>>>()?;
        Some(all.into_iter().flatten().collect())
    }

    /// Returns the number of keys that the maps of a slot are created with, if these are the integers from 1 on.
    pub fn positions(&self, slot: TypeSlot) -> Option<usize> {
        let keys = self.first_keys(slot).filter(|keys| !keys.is_empty())?;
        let is_list = keys.iter().zip(1..).all(|(key, at)| *key == QuintValue::Int(at));
        is_list.then_some(keys.len())
    }

    /// True if values of a type may have to be left out, because integers or lists are limited.
    pub fn may_leave(&self, ty: &Ty) -> bool {
        match self.resolve(ty) {
            Ty::Int(slot) => self.is_limited(slot),
            Ty::List(_, slot) if self.read(slot).grows => true,
            ty => self.parts(&ty).into_iter().any(|part| self.may_leave(part)),
        }
    }

    /// True if the values of a type are all among those of another one.
    pub fn fits(&self, value: &Ty, of: &Ty) -> bool {
        match (self.resolve(value), self.resolve(of)) {
            (Ty::Int(value), Ty::Int(of)) if !self.is_limited(value) => {
                let (value, of) = (self.bounds(value), self.bounds(of));
                of.0 <= value.0 && value.1 <= of.1
            }
            _ => !self.may_leave(of),
        }
    }

    /// Creates the type of a map created with these keys.
    pub fn map(&mut self, key: Ty, value: Ty, keys: Option<BTreeSet<QuintValue>>) -> Ty {
        let slot = self.slot();
        self.entry(slot).keys.push(keys);
        Ty::Map(Box::new(key), Box::new(value), slot)
    }

    /// Resolves the outermost constructor of a type, as inferred so far.
    pub fn resolve(&self, ty: &Ty) -> Ty {
        match ty {
            Ty::Open(slot) => match &self.read(*slot).bound {
                Some(bound) => self.resolve(bound),
                None => Ty::Open(self.root(*slot)),
            },
            Ty::Union(slot) if self.closed => {
                Ty::Sum(self.sorts(*slot).iter().map(|(name, ty)| (name.clone(), ty.clone())).collect())
            }
            Ty::Union(slot) => Ty::Union(self.root(*slot)),
            other => other.clone(),
        }
    }

    /// Copies a type, such that an integer may grow without the original.
    pub fn fresh(&mut self, ty: &Ty) -> Ty {
        match self.resolve(ty) {
            Ty::Int(slot) => self.flowing(Flow::Copy(slot)),
            other => other,
        }
    }

    /// Lets values of one type flow to places of another. With unions, only the places there become unions.
    ///
    /// # Errors
    /// If they are of different kinds.
    pub fn flow(&mut self, from: &Ty, to: &Ty) -> Result<(), String> {
        match (self.resolve(from), self.resolve(to)) {
            (Ty::Int(from), Ty::Int(to)) => {
                self.flows.push((to, Flow::Copy(from)));
                Ok(())
            }
            (from @ Ty::Int(_), Ty::Open(slot)) => {
                let fresh = self.fresh(&from);
                self.entry(slot).bound = Some(fresh);
                Ok(())
            }
            (from, to @ Ty::Open(_)) if self.unions => {
                let own = self.detached(&from);
                self.unify(&own, &to)
            }
            (Ty::Open(_) | Ty::Union(_), _) => self.unify(from, to),
            (own, Ty::Union(slot)) => match self.sorts(slot).get(&Self::sort_name(&own)).cloned() {
                Some(sort) => self.flow(&own, &sort),
                None => {
                    let own = self.detached(&own);
                    self.add_sort(slot, &own)
                }
            },
            (own, other) if self.unions => self.flow_parts(&own, &other, to),
            _ => self.unify(from, to),
        }
    }

    fn flow_parts(&mut self, from: &Ty, other: &Ty, to: &Ty) -> Result<(), String> {
        match (from, other) {
            (Ty::Set(a), Ty::Set(b)) => self.flow_part(a, b),
            (Ty::List(a, i), Ty::List(b, j)) => {
                self.join(*i, *j);
                self.flow_part(a, b)
            }
            (Ty::Map(k, v, i), Ty::Map(l, w, j)) => {
                self.join(*i, *j);
                self.flow_part(k, l)?;
                self.flow_part(v, w)
            }
            (Ty::Tup(a), Ty::Tup(b)) if a.len() == b.len() => {
                a.iter().zip(b).try_for_each(|(a, b)| self.flow_part(a, b))
            }
            (Ty::Rec(a), Ty::Rec(b)) if a.iter().map(|(name, _)| name).eq(b.iter().map(|(name, _)| name)) => {
                a.iter().zip(b).try_for_each(|((_, a), (_, b))| self.flow_part(a, b))
            }
            (Ty::Tup(parts), Ty::List(element, slot)) => {
                self.lengthen(*slot, parts.len());
                parts.iter().try_for_each(|part| self.flow_part(part, element))
            }
            (Ty::List(..), Ty::Tup(_)) if self.becomes_list(to, other)? => self.flow(from, to),
            (Ty::Map(_, value, keys), Ty::List(element, slot)) if self.positions(*keys).is_some() => {
                self.lengthen(*slot, self.positions(*keys).unwrap_or(0));
                self.flow_part(value, element)
            }
            _ if Self::sort_name(from) != Self::sort_name(other)
                && self.may_meet(from, other)
                && self.place(to).is_some() =>
            {
                let (union, own) = (self.slot(), self.detached(from));
                self.add_sort(union, &own)?;
                self.add_sort(union, other)?;
                self.becomes(to, union)
            }
            _ => self.unify(from, to),
        }
    }

    /// Lets parts of values flow; integers of parts have one range.
    fn flow_part(&mut self, from: &Ty, to: &Ty) -> Result<(), String> {
        match (self.resolve(from), self.resolve(to)) {
            (Ty::Int(_), Ty::Int(_) | Ty::Open(_)) => self.unify(from, to),
            _ => self.flow(from, to),
        }
    }

    /// Copies a type, with places of its own; integers and strings are shared.
    fn detached(&mut self, ty: &Ty) -> Ty {
        let ty = match self.resolve(ty) {
            Ty::Set(element) => Ty::Set(Box::new(self.detached(&element))),
            Ty::List(element, slot) => Ty::List(Box::new(self.detached(&element)), slot),
            Ty::Map(key, value, slot) => {
                Ty::Map(Box::new(self.detached(&key)), Box::new(self.detached(&value)), slot)
            }
            Ty::Tup(parts) => Ty::Tup(parts.iter().map(|part| self.detached(part)).collect()),
            Ty::Rec(parts) => {
                Ty::Rec(parts.iter().map(|(name, part)| (name.clone(), self.detached(part))).collect())
            }
            other => other,
        };
        self.with_places(ty)
    }

    /// Unifies two types.
    ///
    /// # Errors
    /// If they are of different kinds.
    pub fn unify(&mut self, a: &Ty, b: &Ty) -> Result<(), String> {
        match (self.resolve(a), self.resolve(b)) {
            (Ty::Open(a), Ty::Open(b)) if a == b => Ok(()),
            (Ty::Open(slot), other) | (other, Ty::Open(slot)) => {
                if self.has(&other, slot) {
                    return Err("a type contains itself".into());
                }
                let other = self.with_places(other);
                self.entry(slot).bound = Some(other);
                Ok(())
            }
            (Ty::Union(a), Ty::Union(b)) => {
                if a == b {
                    return Ok(());
                }
                let others = std::mem::take(&mut self.entry(b).sorts);
                self.widened |= others.len() != self.sorts(a).len();
                self.join(a, b);
                others.values().try_for_each(|other| self.add_sort(a, other))
            }
            (Ty::Union(slot), other) => {
                self.add_sort(slot, &other)?;
                self.becomes(b, slot)
            }
            (other, Ty::Union(slot)) => {
                self.add_sort(slot, &other)?;
                self.becomes(a, slot)
            }
            (Ty::Bool, Ty::Bool) => Ok(()),
            (Ty::Int(a), Ty::Int(b)) | (Ty::Str(a), Ty::Str(b)) => {
                self.join(a, b);
                Ok(())
            }
            (Ty::Set(a), Ty::Set(b)) => self.unify(&a, &b),
            (Ty::List(a, i), Ty::List(b, j)) => {
                self.join(i, j);
                self.unify(&a, &b)
            }
            (Ty::Map(k, v, i), Ty::Map(l, w, j)) => {
                self.join(i, j);
                self.unify(&k, &l)?;
                self.unify(&v, &w)
            }
            (Ty::Tup(a), Ty::Tup(b)) if a.len() == b.len() => {
                a.iter().zip(&b).try_for_each(|(a, b)| self.unify(a, b))
            }
            (Ty::Rec(a), Ty::Rec(b)) | (Ty::Sum(a), Ty::Sum(b))
                if a.iter().map(|(name, _)| name).eq(b.iter().map(|(name, _)| name)) =>
            {
                a.iter().zip(&b).try_for_each(|((_, a), (_, b))| self.unify(a, b))
            }
            (Ty::List(..), tuple @ Ty::Tup(_)) if self.unions && self.becomes_list(b, &tuple)? => {
                self.unify(a, b)
            }
            (tuple @ Ty::Tup(_), Ty::List(..)) if self.unions && self.becomes_list(a, &tuple)? => {
                self.unify(a, b)
            }
            (one, other) if self.unions && self.may_meet(&one, &other) && self.unite(a, b)? => Ok(()),
            (Ty::Rec(a), Ty::Rec(b)) => {
                let one = a.iter().filter(|(name, _)| b.iter().all(|(other, _)| other != name));
                let other = b.iter().filter(|(name, _)| a.iter().all(|(other, _)| other != name));
                let names: Vec<String> = one.chain(other).map(|(name, _)| format!("`{name}`")).collect();
                let fields = if names.len() == 1 { "the field" } else { "the fields" };
                let names = names.join(", ");
                Err(format!("two records are of different types: only one of them has {fields} {names}"))
            }
            (a, b) => Err(format!("{} and {} are of different types", Self::kind(&a), Self::kind(&b))),
        }
    }

    /// Makes a place for tuples one for sequences, if it may become one: in TLA+, tuples are sequences.
    fn becomes_list(&mut self, place: &Ty, tuple: &Ty) -> Result<bool, String> {
        let Some(place) = self.place(place) else { return Ok(false) };
        let list = self.list_of_parts(tuple)?;
        self.entry(place).bound = Some(list);
        self.widened = true;
        Ok(true)
    }

    /// Returns the type of sequences that the tuples of a type are among.
    pub fn list_of_parts(&mut self, tuple: &Ty) -> Result<Ty, String> {
        let element = self.open();
        let parts = self.parts(tuple).into_iter().cloned().collect::<Vec<_>>();
        parts.iter().try_for_each(|part| self.flow_part(part, &element))?;
        Ok(self.list(element, parts.len()))
    }

    /// Lets the lists of a slot have a length.
    fn lengthen(&mut self, slot: TypeSlot, length: usize) {
        let entry = self.entry(slot);
        entry.length = entry.length.max(length);
    }

    /// Returns the sorts of a union.
    pub fn sorts(&self, slot: TypeSlot) -> &BTreeMap<String, Ty> {
        &self.read(slot).sorts
    }

    /// Returns the name of a sort in unions.
    pub fn sort_name(ty: &Ty) -> String {
        match ty {
            Ty::Bool => "Bool".into(),
            Ty::Int(_) => "Int".into(),
            Ty::Str(_) => "Str".into(),
            Ty::Set(_) => "Set".into(),
            Ty::List(..) => "Seq".into(),
            Ty::Map(..) => "Fun".into(),
            Ty::Tup(parts) => format!("Tup{}", parts.len()),
            Ty::Rec(fields) => {
                let names: Vec<&str> = fields.iter().map(|(name, _)| name.as_str()).collect();
                format!("Rec_{}", names.join("_"))
            }
            Ty::Sum(_) | Ty::Union(_) | Ty::Open(_) => "Other".into(),
        }
    }

    /// True if values of two sorts, by their names, may be equal: sequences, tuples and records are functions.
    pub fn may_equal(a: &str, b: &str) -> bool {
        let is_list = |sort: &str| sort == "Seq" || sort.starts_with("Tup");
        let is_function = |sort: &str| is_list(sort) || sort == "Fun" || sort.starts_with("Rec_");
        a == b
            || a == "Seq" && is_list(b)
            || b == "Seq" && is_list(a)
            || a == "Fun" && is_function(b)
            || b == "Fun" && is_function(a)
    }

    /// Returns the sorts of the values of a type and of their parts, as a text.
    pub fn sorts_within(&self, ty: &Ty) -> String {
        let ty = self.resolve(ty);
        let inner: Vec<String> = self.parts(&ty).into_iter().map(|part| self.sorts_within(part)).collect();
        format!("{}({})", Self::sort_name(&ty), inner.join(" "))
    }

    /// True if values of two sorts differ for certain, so that a place may have both: records and sequences are functions, too.
    fn may_meet(&self, a: &Ty, b: &Ty) -> bool {
        let is_function = |ty: &Ty| matches!(ty, Ty::Map(..) | Ty::List(..) | Ty::Tup(_) | Ty::Rec(_));
        match (a, b) {
            (Ty::Sum(_), _) | (_, Ty::Sum(_)) => false,
            (Ty::Rec(_), Ty::Rec(_)) | (Ty::Tup(_), Ty::Tup(_)) => true,
            _ => !(is_function(a) && is_function(b)),
        }
    }

    /// Returns a type whose parts are places, which may become unions.
    fn with_places(&mut self, ty: Ty) -> Ty {
        if !self.unions {
            return ty;
        }
        let mut place = |part: Ty| match part {
            Ty::Open(_) => part,
            part => {
                let inner = self.with_places(part);
                let slot = self.slot();
                self.entry(slot).bound = Some(inner);
                Ty::Open(slot)
            }
        };
        match ty {
            Ty::Set(element) => Ty::Set(Box::new(place(*element))),
            Ty::List(element, slot) => Ty::List(Box::new(place(*element)), slot),
            Ty::Map(key, value, slot) => Ty::Map(Box::new(place(*key)), Box::new(place(*value)), slot),
            Ty::Tup(parts) => Ty::Tup(parts.into_iter().map(place).collect()),
            Ty::Rec(fields) => Ty::Rec(fields.into_iter().map(|(name, part)| (name, place(part))).collect()),
            other => other,
        }
    }

    /// Adds a sort to a union.
    fn add_sort(&mut self, slot: TypeSlot, ty: &Ty) -> Result<(), String> {
        let mut ty = self.resolve(ty);
        if matches!(ty, Ty::Tup(_)) && self.sorts(slot).contains_key("Seq") {
            ty = self.list_of_parts(&ty)?;
        }
        if matches!(ty, Ty::List(..)) {
            let tuples = self.sorts(slot).keys().filter(|own| own.starts_with("Tup")).cloned();
            for own in tuples.collect::<Vec<_>>() {
                let Some(tuple) = self.entry(slot).sorts.remove(&own) else { continue };
                let list = self.list_of_parts(&tuple)?;
                self.unify(&ty, &list)?;
                self.widened = true;
            }
        }
        let name = Self::sort_name(&ty);
        if let Some(own) = self.sorts(slot).get(&name).cloned() {
            return self.unify(&own, &ty);
        }
        if let Some(other) = self.sorts(slot).values().find(|own| !self.may_meet(&self.resolve(own), &ty)) {
            let kinds = (Self::kind(&self.resolve(other)), Self::kind(&ty));
            return Err(format!("{} and {} are of different types", kinds.0, kinds.1));
        }
        if self.has(&ty, slot) {
            return Err("a type contains itself".into());
        }
        let ty = self.with_places(ty);
        self.entry(slot).sorts.insert(name, ty);
        self.widened = true;
        Ok(())
    }

    /// True if a place is a part of a type.
    fn leads_to(&self, ty: &Ty, place: TypeSlot) -> bool {
        let Ty::Open(slot) = ty else {
            return self.parts(ty).into_iter().any(|part| self.leads_to(part, place));
        };
        let root = self.root(*slot);
        root == place || self.slots[root].bound.as_ref().is_some_and(|bound| self.leads_to(bound, place))
    }

    /// Returns the place of a type that may become a union.
    fn place(&self, ty: &Ty) -> Option<TypeSlot> {
        let Ty::Open(slot) = ty else { return None };
        let root = self.root(*slot);
        match &self.slots[root].bound {
            Some(next @ Ty::Open(_)) => self.place(next),
            _ => Some(root),
        }
    }

    /// Makes a place a union.
    fn becomes(&mut self, ty: &Ty, union: TypeSlot) -> Result<(), String> {
        if let Some(place) = self.place(ty) {
            if self.sorts(union).values().any(|sort| self.leads_to(sort, place)) {
                return Err("a type contains itself".into());
            }
            self.entry(place).bound = Some(Ty::Union(union));
            self.widened = true;
        }
        Ok(())
    }

    /// Makes the places of two types a union of both; `false` if there is no place.
    fn unite(&mut self, a: &Ty, b: &Ty) -> Result<bool, String> {
        if self.place(a).is_none() && self.place(b).is_none() {
            return Ok(false);
        }
        let union = self.slot();
        self.add_sort(union, a)?;
        self.add_sort(union, b)?;
        self.becomes(a, union)?;
        self.becomes(b, union)?;
        Ok(true)
    }

    /// True if a type has a single sort where another one has a union, or tuples or functions where that has sequences.
    pub fn lacks_union(&self, own: &Ty, wanted: &Ty) -> bool {
        match (self.resolve(own), self.resolve(wanted)) {
            (Ty::Open(_) | Ty::Union(_), _) => false,
            (_, Ty::Union(_)) | (Ty::Tup(_), Ty::List(..)) => true,
            (Ty::Map(_, _, slot), Ty::List(..)) => self.positions(slot).is_some(),
            (Ty::Set(a), Ty::Set(b)) | (Ty::List(a, _), Ty::List(b, _)) => self.lacks_union(&a, &b),
            (Ty::Map(k, v, _), Ty::Map(l, w, _)) => self.lacks_union(&k, &l) || self.lacks_union(&v, &w),
            (Ty::Tup(a), Ty::Tup(b)) => a.iter().zip(&b).any(|(a, b)| self.lacks_union(a, b)),
            (Ty::Rec(a), Ty::Rec(b)) => {
                let same = |(name, own): &(String, Ty)| {
                    b.iter().any(|(other, wanted)| other == name && self.lacks_union(own, wanted))
                };
                a.iter().any(same)
            }
            _ => false,
        }
    }

    /// True if a type of strings has none but model values.
    pub fn is_model_values(&self, slot: TypeSlot) -> bool {
        let words = self.words(slot);
        !words.is_empty() && words.iter().all(|word| word.starts_with(MODEL_VALUE))
    }

    /// True if a type to be inferred is a part of another one.
    fn has(&self, ty: &Ty, open: TypeSlot) -> bool {
        let ty = self.resolve(ty);
        matches!(ty, Ty::Open(slot) | Ty::Union(slot) if slot == self.root(open))
            || self.parts(&ty).into_iter().any(|part| self.has(part, open))
    }

    fn kind(ty: &Ty) -> &'static str {
        match ty {
            Ty::Bool => "a truth value",
            Ty::Int(_) => "an integer",
            Ty::Str(_) => "a string",
            Ty::Set(_) => "a set",
            Ty::List(..) => "a list",
            Ty::Map(..) => "a map",
            Ty::Tup(_) => "a tuple",
            Ty::Rec(_) => "a record",
            Ty::Sum(_) | Ty::Union(_) => "a value of a sum type",
            Ty::Open(_) => "a value",
        }
    }

    fn join(&mut self, a: TypeSlot, b: TypeSlot) {
        let (a, b) = (self.root(a), self.root(b));
        if a == b {
            return;
        }
        let from = std::mem::take(&mut self.slots[b]);
        self.slots[b].parent = Some(a);
        let to = &mut self.slots[a];
        to.range = hull(to.range, from.range);
        to.limits = hull(to.limits, from.limits);
        to.words.extend(from.words);
        to.keys.extend(from.keys);
        to.length = to.length.max(from.length);
        to.longest = to.longest.max(from.longest);
        to.grows |= from.grows;
    }

    pub fn words(&self, slot: TypeSlot) -> &BTreeSet<String> {
        &self.read(slot).words
    }

    /// Returns the range of a slot, once [solved](Self::solve).
    pub fn bounds(&self, slot: TypeSlot) -> (i128, i128) {
        self.read(slot).range.unwrap_or((0, 0))
    }

    /// True if values computed for a slot may be outside of its bounds, because integers are limited, by ±2^48 at least.
    pub fn is_limited(&self, slot: TypeSlot) -> bool {
        let entry = self.read(slot);
        let is_widest = |(lo, hi): (i128, i128)| lo <= -WIDEST || hi >= WIDEST;
        entry.is_cut || entry.widened.contains(&true) || entry.range.is_some_and(is_widest)
    }

    /// Returns the greatest length of the lists of a slot; `None` if there is no bound.
    pub fn length(&self, slot: TypeSlot) -> Option<usize> {
        let entry = self.read(slot);
        let longest = entry.longest.map(|longest| longest.max(entry.length)).or(self.lists);
        if entry.grows { longest } else { Some(entry.length.max(1)) }
    }

    /// True if maps have a value for each key of the type.
    pub fn total(&self, key: &Ty, slot: TypeSlot) -> bool {
        let all = self.cardinality(key);
        let full =
            |keys: &Option<BTreeSet<QuintValue>>| keys.as_ref().is_some_and(|k| Some(k.len() as u128) == all);
        self.read(slot).keys.iter().all(full)
    }

    /// Returns the number of values of a type; `None` if it is at least 2^64.
    pub fn cardinality(&self, ty: &Ty) -> Option<u128> {
        let product = |parts: Vec<&Ty>| {
            parts.into_iter().try_fold(1_u128, |product, part| product.checked_mul(self.cardinality(part)?))
        };
        let power = |base: u128, exponent: u128| base.checked_pow(u32::try_from(exponent).ok()?);
        let all = match self.resolve(ty) {
            Ty::Open(_) => 1,
            Ty::Bool => 2,
            Ty::Int(slot) => {
                let (lo, hi) = self.bounds(slot);
                u128::try_from(hi - lo + 1).ok()?
            }
            Ty::Str(slot) => self.words(slot).len() as u128,
            Ty::Set(element) => power(2, self.cardinality(&element)?)?,
            Ty::List(element, slot) => {
                let (each, most) = (self.cardinality(&element)?, self.length(slot)?);
                (0..=most).try_fold(0_u128, |sum, n| sum.checked_add(power(each, n as u128)?))?
            }
            Ty::Map(key, value, slot) => {
                let each = self.cardinality(&value)? + u128::from(!self.total(&key, slot));
                power(each, self.cardinality(&key)?)?
            }
            Ty::Tup(parts) => product(parts.iter().collect())?,
            Ty::Rec(fields) => product(fields.iter().map(|(_, part)| part).collect())?,
            Ty::Sum(constructors) => {
                let mut all = constructors.iter().map(|(_, payload)| self.cardinality(payload));
                all.try_fold(0_u128, |sum, n| sum.checked_add(n?))?
            }
            Ty::Union(slot) => {
                let mut all = self.sorts(slot).values().map(|sort| self.cardinality(sort));
                all.try_fold(0_u128, |sum, n| sum.checked_add(n?))?
            }
        };
        (all < 1 << 64).then_some(all)
    }

    /// Joins slots whose strings overlap, since a value belongs to one enumeration.
    fn join_words(&mut self) {
        let roots = (0..self.slots.len()).filter(|&slot| self.slots[slot].parent.is_none());
        let roots: Vec<TypeSlot> = roots.filter(|&slot| !self.slots[slot].words.is_empty()).collect();
        let mut first: BTreeMap<String, TypeSlot> = BTreeMap::new();
        for slot in roots {
            for word in self.read(slot).words.clone() {
                match first.get(&word) {
                    Some(&other) => self.join(other, slot),
                    None => {
                        first.insert(word, slot);
                    }
                }
            }
        }
    }

    /// Computes the ranges of all integers. Ends that keep growing are limited to `integers` or, without it, to ±2^48.
    pub fn solve(&mut self) {
        self.closed = true;
        self.join_words();
        self.solve_ranges();
        // What is beyond the limits of a computed value is beyond the ranges of values computed from it, and of the places that get these.
        let is_computed = |flow: &Flow| !matches!(flow, Flow::Copy(_));
        let computed: HashSet<TypeSlot> =
            self.flows.iter().filter(|(_, flow)| is_computed(flow)).map(|(to, _)| self.root(*to)).collect();
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for (to, flow) in self.flows.clone() {
                let leaves = |from: TypeSlot| self.is_limited(from) && computed.contains(&self.root(from));
                let is_beyond = match flow {
                    Flow::Copy(from) => self.is_limited(from),
                    Flow::Add(a, b) | Flow::Sub(a, b) | Flow::Mul(a, b) | Flow::Div(a, b) => {
                        leaves(a) || leaves(b)
                    }
                    Flow::Mod(by) | Flow::Sum(_, by) => leaves(by),
                    Flow::Count(_) | Flow::Length(..) => false,
                };
                if is_beyond && !self.is_limited(to) {
                    self.entry(to).is_cut = true;
                    changed = true;
                }
            }
        }
    }

    fn solve_ranges(&mut self) {
        let first: Vec<Option<(i128, i128)>> = self.slots.iter().map(|slot| slot.range).collect();
        for _ in 0..MOST_STARTS {
            let before = self.slots.iter().map(|slot| slot.widened).collect::<Vec<_>>();
            self.spread();
            if before.iter().eq(self.slots.iter().map(|slot| &slot.widened)) {
                return;
            }
            self.start_at_limits(&first);
        }
        self.spread();
    }

    /// Begins anew with integers that keep growing at their limits, since they, and those computed from them, grew too far before that was known.
    fn start_at_limits(&mut self, first: &[Option<(i128, i128)>]) {
        let common = self.integers.map_or((-WIDEST, WIDEST), |(lo, hi)| (lo.into(), hi.into()));
        for (slot, range) in self.slots.iter_mut().zip(first) {
            let limits = slot.limits.unwrap_or(common);
            slot.range = match (slot.widened, *range) {
                ([false, false], range) => range,
                ([low, high], None) => {
                    Some((if low { limits.0 } else { limits.1 }, if high { limits.1 } else { limits.0 }))
                }
                ([low, high], Some(range)) => Some((
                    if low { range.0.min(limits.0) } else { range.0 },
                    if high { range.1.max(limits.1) } else { range.1 },
                )),
            };
            (slot.grown, slot.round) = ([0; 2], [0; 2]);
        }
        let computed: HashSet<TypeSlot> = self.flows.iter().map(|(to, _)| self.root(*to)).collect();
        for (to, flow) in self.flows.clone() {
            // Constants are values, whatever the limits.
            if let Flow::Copy(from) = flow
                && let from = self.root(from)
                && !computed.contains(&from)
                && let Some(range) = first[from]
            {
                let entry = self.entry(to);
                if entry.widened.contains(&true) {
                    entry.range = hull(entry.range, Some(range));
                }
            }
        }
    }

    fn spread(&mut self) {
        let (least, most) = self.integers.map_or((-WIDEST, WIDEST), |(lo, hi)| (lo.into(), hi.into()));
        for round in 1.. {
            let mut changed = false;
            for at in 0..self.flows.len() {
                let (to, flow) = self.flows[at].clone();
                let Some((lo, hi)) = self.given(&flow) else { continue };
                let entry = self.entry(to);
                // A range that grew elsewhere counts at once where a narrower one is known.
                let limited = entry.limits.is_some();
                let (least, most) = entry.limits.unwrap_or((least, most));
                let (mut low, mut high) = entry.range.unwrap_or((lo, hi));
                changed |= entry.range.is_none();
                if lo < low && !entry.widened[0] {
                    entry.grown[0] += usize::from(entry.round[0] != round);
                    entry.round[0] = round;
                    entry.widened[0] = entry.grown[0] > MOST_GROWTH || limited && lo <= -WIDEST;
                    low = if entry.widened[0] { low.min(least) } else { lo };
                    changed = true;
                }
                if hi > high && !entry.widened[1] {
                    entry.grown[1] += usize::from(entry.round[1] != round);
                    entry.round[1] = round;
                    entry.widened[1] = entry.grown[1] > MOST_GROWTH || limited && hi >= WIDEST;
                    high = if entry.widened[1] { high.max(most) } else { hi };
                    changed = true;
                }
                entry.range = Some((low.max(-WIDEST), high.min(WIDEST)));
            }
            if !changed {
                return;
            }
        }
    }

    fn given(&self, flow: &Flow) -> Option<(i128, i128)> {
        let of = |slot: &TypeSlot| self.read(*slot).range;
        Some(match flow {
            Flow::Copy(a) => of(a)?,
            Flow::Add(a, b) => {
                let (a, b) = (of(a)?, of(b)?);
                (a.0 + b.0, a.1 + b.1)
            }
            Flow::Sub(a, b) => {
                let (a, b) = (of(a)?, of(b)?);
                (a.0 - b.1, a.1 - b.0)
            }
            Flow::Mul(a, b) => products(of(a)?, of(b)?),
            Flow::Div(a, by) => {
                let ((lo, hi), (least, most)) = (of(a)?, divisors(of(by)?));
                let (low, high) = (
                    [lo.div_euclid(least), lo.div_euclid(most)],
                    [hi.div_euclid(least), hi.div_euclid(most)],
                );
                (low[0].min(low[1]), high[0].max(high[1]))
            }
            Flow::Mod(by) => (0, divisors(of(by)?).1 - 1),
            Flow::Count(ty) => (
                0,
                self.cardinality(ty).map_or(WIDEST, |n| i128::try_from(n).map_or(WIDEST, |n| n.min(WIDEST))),
            ),
            Flow::Sum(ty, each) => {
                let all = self
                    .cardinality(ty)
                    .map_or(WIDEST, |n| i128::try_from(n).map_or(WIDEST, |n| n.min(WIDEST)));
                products((0, all), of(each)?)
            }
            Flow::Length(slot, index) => {
                let most = self.length(*slot).unwrap_or(0) as i128;
                (0, if *index { (most - 1).max(0) } else { most })
            }
        })
    }
}

fn hull(a: Option<(i128, i128)>, b: Option<(i128, i128)>) -> Option<(i128, i128)> {
    match (a, b) {
        (Some(a), Some(b)) => Some((a.0.min(b.0), a.1.max(b.1))),
        (a, b) => a.or(b),
    }
}

/// Returns the positive integers of a range, at least 1.
pub(crate) fn divisors((lo, hi): (i128, i128)) -> (i128, i128) {
    (lo.max(1), hi.max(1))
}

fn products(a: (i128, i128), b: (i128, i128)) -> (i128, i128) {
    let all = [a.0 * b.0, a.0 * b.1, a.1 * b.0, a.1 * b.1];
    (all.into_iter().min().unwrap_or(0), all.into_iter().max().unwrap_or(0))
}
