//! Permutations that may be symmetries.

use itertools::Itertools;
use lang::model::Model;
use lang::model::expr::{Expr, ExprKind};
use lang::model::links;
use lang::model::permutation::{FixedRecords, NameType, Permutation};
use lang::model::types::{CollectionKind, Type, Types};
use lang::model::value::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The most values of a type that is searched for symmetries.
const MOST_NAMES: u64 = 16;

/// Generates candidates.
pub(super) struct PermutationCandidates<'m> {
    model: &'m Model,
    /// The types whose values may be interchangeable and occur in states, in the order of their declaration.
    pub types: Vec<NameType>,
    /// Functions between these types.
    links: Vec<ValueLink>,
    /// Records that constants of the model single out.
    singled_out: BTreeSet<FixedRecords>,
}

/// A function from the values of one type to those of another.
struct ValueLink {
    from: NameType,
    to: NameType,
    values: BTreeMap<Value, Value>,
}

impl<'m> PermutationCandidates<'m> {
    /// Collects everything that a model suggests.
    pub fn of(model: &'m Model) -> Self {
        let names = name_types(model);
        let is_name = |ty: &Type| NameType::of(ty).is_some_and(|ty| names.contains(&ty));
        let definitions = links::Link::definitions(model, &is_name);
        let maps = links::Link::maps(model, &|ty| NameType::of(ty).is_some());
        let links = definitions.into_iter().chain(maps).filter_map(|link| {
            let (from, to) = (NameType::of(&link.from)?, NameType::of(&link.to)?);
            Some(ValueLink { from, to, values: link.values })
        });
        let links = links.collect();
        let in_states = |ty: &NameType| model.variables.iter().any(|v| occurs(model, *ty, &v.ty));
        let types = names.into_iter().filter(in_states).collect();
        Self { model, types, links, singled_out: singled_out(model) }
    }

    /// Returns the values of one of the types.
    pub fn values(&self, ty: NameType) -> Vec<Value> {
        self.model.types.values(&ty.ty())
    }

    /// Returns the candidates that exchange two values of a type, the likeliest first: with all values tied to them or
    /// alone, and each with and without the records that the model singles out.
    pub fn transpositions(&self, ty: NameType, a: &Value, b: &Value) -> Vec<Permutation> {
        let mut alone = Permutation::default();
        alone.swap(ty, a, b);
        let ways = self.linked(ty, a, b).into_iter().chain([alone]);
        let mut candidates: Vec<Permutation> = Vec::new();
        for candidate in ways.flat_map(|way| self.with_exceptions(way)) {
            if !candidates.contains(&candidate) && self.keeps_collections(&candidate) {
                candidates.push(candidate);
            }
        }
        candidates
    }

    /// Returns the candidates that move all values of a type, as in a ring or a row: rotation by one, and reversal. For
    /// each, the likeliest first.
    pub fn turns(&self, ty: NameType) -> Vec<Vec<Permutation>> {
        let values = self.values(ty);
        if values.len() < 3 {
            return Vec::new();
        }
        let next: Vec<Value> = values.iter().cycle().skip(1).take(values.len()).cloned().collect();
        let reverse: Vec<Value> = values.iter().rev().cloned().collect();
        let candidates = |to: Vec<Value>| {
            let moves: Vec<_> = values.iter().cloned().zip(to).map(|(from, to)| (ty, from, to)).collect();
            let ways = [true, false].into_iter().filter_map(|linked| self.mapped(moves.clone(), linked));
            let mut candidates: Vec<Permutation> = ways.flat_map(|way| self.with_exceptions(way)).collect();
            candidates.dedup();
            candidates.retain(|candidate| self.keeps_collections(candidate));
            candidates
        };
        [next, reverse].map(candidates).into()
    }

    /// True if images of collections of limited size are collections: their numbers of elements, and the elements of
    /// bags and sets, which are kept in order, are not moved.
    fn keeps_collections(&self, permutation: &Permutation) -> bool {
        let types = &self.model.types;
        types.records.iter().filter(|decl| decl.collection.is_some()).all(|decl| {
            let (size, element) = (&decl.fields[0].1, &decl.fields[1].1);
            let in_order = decl.collection.as_ref().is_some_and(|c| c.kind != CollectionKind::Sequence);
            !(permutation.moves_in(types, size) || in_order && permutation.moves_in(types, element))
        })
    }

    fn with_exceptions(&self, way: Permutation) -> impl Iterator<Item = Permutation> {
        let fixing = way.clone().fixing(&self.model.types, &self.singled_out);
        std::iter::once(way).chain(fixing)
    }

    /// Returns the moves that links imply if one value of a type is moved to another: the values linked to the one are
    /// moved to those linked to the other.
    fn following(&self, ty: NameType, from: &Value, to: &Value) -> Vec<(NameType, Value, Value)> {
        let mut all = Vec::new();
        for link in &self.links {
            if link.from == ty
                && let (Some(of_from), Some(of_to)) = (link.values.get(from), link.values.get(to))
                && ![of_from, of_to].contains(&&Value::None)
            {
                all.push((link.to, of_from.clone(), of_to.clone()));
            }
            if link.to == ty {
                let before = |value| link.values.iter().filter(move |(_, to)| *to == value);
                let pairs = before(from).zip(before(to));
                all.extend(pairs.map(|((from, _), (to, _))| (link.from, from.clone(), to.clone())));
            }
        }
        all
    }

    /// Returns the permutation with these moves, and with those that links imply if `linked`; `None` if they contradict
    /// each other.
    fn mapped(&self, mut open: Vec<(NameType, Value, Value)>, linked: bool) -> Option<Permutation> {
        let mut moves: BTreeMap<NameType, BTreeMap<Value, Value>> = BTreeMap::new();
        while let Some((ty, from, to)) = open.pop() {
            match moves.entry(ty).or_default().insert(from.clone(), to.clone()) {
                Some(known) if known == to => continue,
                Some(_) => return None,
                None if !linked => continue,
                None => {}
            }
            open.extend(self.following(ty, &from, &to));
        }
        Permutation::of(moves)
    }

    /// Returns the transposition of two values together with those that links imply; `None` if they contradict each
    /// other.
    fn linked(&self, ty: NameType, a: &Value, b: &Value) -> Option<Permutation> {
        let mut swaps = Permutation::default();
        let mut done = BTreeSet::new();
        let mut open = vec![(ty, a.clone(), b.clone())];
        while let Some((ty, a, b)) = open.pop() {
            if a == b || !done.insert((ty, a.clone(), b.clone())) {
                continue;
            }
            if !swaps.swap(ty, &a, &b) {
                return None;
            }
            open.extend(self.following(ty, &a, &b));
        }
        Some(swaps)
    }
}

/// Returns the declared enumerations and the named ranges of integers.
fn name_types(model: &Model) -> Vec<NameType> {
    let is_name = |ty: &NameType| match ty {
        NameType::Enum(id) => *id != model.action_enum && !model.types.is_of_constructors(*id),
        NameType::Range { .. } => true,
    };
    let few = |ty: &NameType| (2..=MOST_NAMES).contains(&model.types.cardinality(&ty.ty()));
    NameType::all(&model.types).filter(is_name).filter(few).unique().collect()
}

/// True if values of a type contain names of another one.
fn occurs(model: &Model, names: NameType, ty: &Type) -> bool {
    match ty {
        Type::Set(inner) | Type::Option(inner) => occurs(model, names, inner),
        Type::Record(id) => model.types.record(*id).fields.iter().any(|(_, ty)| occurs(model, names, ty)),
        Type::Map(key, value) => occurs(model, names, key) || occurs(model, names, value),
        _ => NameType::of(ty) == Some(names),
    }
}

/// Returns the records that the model writes with a constant name in one field and a constant of an enumeration in
/// another. Such records, like the attacker's only nonce, may have to stay fixed.
fn singled_out(model: &Model) -> BTreeSet<FixedRecords> {
    let mut found = BTreeSet::new();
    let mut look = |formula: &Expr| {
        formula.walk(&mut |e| match &e.kind {
            ExprKind::Const(value) => in_value(&model.types, value, &mut found),
            ExprKind::Record(fields) => {
                let constant = |field: &Expr| match &field.kind {
                    ExprKind::Const(value) => Some(value.clone()),
                    _ => None,
                };
                if let Type::Record(id) = e.ty.inner()
                    && let Some(fields) = fields.iter().map(constant).collect::<Option<Vec<_>>>()
                {
                    in_value(&model.types, &Value::Record(*id, fields), &mut found);
                }
            }
            _ => {}
        });
    };
    model.init.iter().for_each(&mut look);
    for action in &model.actions {
        action.requires.iter().chain(&action.constraints).for_each(&mut look);
        for update in &action.updates {
            let (lang::model::UpdateValue::Is(value) | lang::model::UpdateValue::In(value)) = &update.value;
            look(value);
        }
    }
    found
}

/// Adds the exceptions that a constant suggests.
fn in_value(types: &Types, value: &Value, found: &mut BTreeSet<FixedRecords>) {
    match value {
        Value::Set(members) => members.iter().for_each(|member| in_value(types, member, found)),
        Value::Map(entries) => entries.values().for_each(|entry| in_value(types, entry, found)),
        Value::Record(record, fields) => {
            fields.iter().for_each(|field| in_value(types, field, found));
            // The constructor of a value is not a name.
            let first = usize::from(types.record(*record).is_tagged());
            let names = fields
                .iter()
                .skip(first)
                .filter(|field| matches!(field, Value::Int(_) | Value::Enum(..)))
                .count();
            for (field, value) in fields.iter().enumerate().skip(first) {
                if names > 1 && matches!(value, Value::Enum(..)) {
                    found.insert(FixedRecords { record: *record, field, value: value.clone() });
                }
            }
        }
        _ => {}
    }
}
