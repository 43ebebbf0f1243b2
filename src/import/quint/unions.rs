//! Values of several sorts in one place: each is tagged with its sort.

use super::elaborate::{QuintElaborator, Result, UntranslatableReason};
use super::term::{Node, QuintTerm};
use super::types::{Ty, TypeSlot, TypeTable};
use super::value::QuintValue;

impl QuintElaborator<'_> {
    /// Returns a tuple, or a function over the integers from 1 on, as a sequence; other values as they are.
    pub fn listed(&mut self, value: &QuintTerm) -> Result<QuintTerm> {
        let value = &match self.types.resolve(&value.ty) {
            Ty::Union(_) => self.of_sort(value, "Seq")?,
            _ => value.clone(),
        };
        match (&*value.node, self.types.resolve(&value.ty)) {
            (Node::Tup(parts), _) => self.list_of(parts.clone()),
            (_, Ty::Tup(parts)) => {
                let parts = (1..=parts.len()).map(|at| self.field(value, &format!("_{at}")));
                let parts = parts.collect::<Result<_>>()?;
                self.list_of(parts)
            }
            (_, Ty::Map(_, _, slot)) => {
                let Some(count) = self.types.positions(slot) else { return Ok(value.clone()) };
                let mut all = Vec::new();
                for at in 1..=i64::try_from(count).unwrap_or(0) {
                    all.push(self.literal(&QuintValue::Int(at))?);
                }
                let (own, keys) = (self.keys(value)?, self.set_of(all.clone())?);
                let same = self.comparison("=", &own, &keys)?;
                let parts = all.iter().map(|at| self.get(value, at)).collect::<Result<_>>()?;
                let list = self.list_of(parts)?;
                self.given(same, list)
            }
            (_, Ty::Open(_)) => {
                let element = self.types.open();
                let list = self.types.list(element, 0);
                self.types.unify(&value.ty, &list)?;
                Ok(value.clone())
            }
            _ => Ok(value.clone()),
        }
    }

    /// Returns a term in the form of a type: values of one sort in places for several get the tag of their sort.
    pub fn fitted(&mut self, term: QuintTerm, ty: &Ty) -> Result<QuintTerm> {
        if !self.types.lacks_union(&term.ty, ty) {
            return Ok(term);
        }
        let own = self.types.resolve(&term.ty);
        match (self.types.resolve(ty), own) {
            (Ty::Union(slot), Ty::Tup(_)) if self.types.sorts(slot).contains_key("Seq") => {
                let list = self.listed(&term)?;
                self.fitted(list, ty)
            }
            (Ty::List(..), Ty::Tup(_) | Ty::Map(..)) => {
                let list = self.listed(&term)?;
                self.types.flow(&list.ty, ty)?;
                self.fitted(list, ty)
            }
            (Ty::Union(slot), own) => {
                let sort = TypeTable::sort_name(&own);
                self.types.flow(&own, &Ty::Union(slot))?;
                let inner = match self.types.sorts(slot).get(&sort).cloned() {
                    Some(inner) => self.fitted(term, &inner)?,
                    None => return Err("a value is of another sort than its place".into()),
                };
                self.make(Node::Sum(sort, inner), Ty::Union(slot))
            }
            (Ty::Set(wanted), _) => match &*term.node {
                Node::Set(members) => self.set_fitted(members.clone(), &wanted),
                _ => {
                    let name = self.names.ranging("e");
                    let (bound, element) = self.ranging(name, term)?;
                    let element = self.fitted(element, &wanted)?;
                    self.make(Node::Image(bound, element), Ty::Set(wanted))
                }
            },
            (Ty::List(wanted, slot), _) => {
                let ty = Ty::List(wanted.clone(), slot);
                match &*term.node {
                    Node::List(elements) => {
                        let fitted = elements.iter().map(|e| self.fitted(e.clone(), &wanted));
                        let fitted = fitted.collect::<Result<Vec<_>>>()?;
                        let own = self.types.list((*wanted).clone(), fitted.len());
                        self.types.unify(&own, &ty)?;
                        self.make(Node::List(fitted), ty)
                    }
                    Node::Append(list, element) => {
                        let (list, element) =
                            (self.fitted(list.clone(), &ty)?, self.fitted(element.clone(), &wanted)?);
                        self.make(Node::Append(list, element), ty)
                    }
                    _ => Err("a sequence of values of one sort is where several sorts are".into()),
                }
            }
            (Ty::Map(key, wanted, slot), Ty::Map(own_key, ..)) => {
                self.map_fitted(&term, (&key, &wanted, slot), &own_key)
            }
            (Ty::Tup(wanted), _) => {
                let mut parts = Vec::new();
                for (at, ty) in (1..).zip(&wanted) {
                    let part = self.field(&term, &format!("_{at}"))?;
                    parts.push(self.fitted(part, ty)?);
                }
                self.tuple_of(parts)
            }
            (Ty::Rec(wanted), _) => {
                let mut parts = Vec::new();
                for (field, ty) in &wanted {
                    let part = self.field(&term, field)?;
                    parts.push((field.clone(), self.fitted(part, ty)?));
                }
                self.record_of(parts)
            }
            _ => Ok(term),
        }
    }

    fn map_fitted(
        &mut self,
        term: &QuintTerm,
        (key, wanted, slot): (&Ty, &Ty, TypeSlot),
        own_key: &Ty,
    ) -> Result<QuintTerm> {
        match &*term.node {
            Node::Map(entries) => {
                let entry = |(k, v): &(QuintTerm, QuintTerm)| {
                    Ok((self.fitted(k.clone(), key)?, self.fitted(v.clone(), wanted)?))
                };
                let entries = entries.iter().map(entry).collect::<Result<_>>()?;
                let ty = self.like_map(term, key.clone(), wanted.clone(), slot)?;
                self.make(Node::Map(entries), ty)
            }
            _ if self.types.lacks_union(own_key, key) => {
                Err("a function has arguments of one sort where several sorts are".into())
            }
            Node::MapBy(bound, body) => {
                let body = self.fitted(body.clone(), wanted)?;
                let bound = bound.clone();
                let ty = self.like_map(term, key.clone(), wanted.clone(), slot)?;
                self.make(Node::MapBy(bound, body), ty)
            }
            _ => {
                let keys = self.keys(term)?;
                let name = self.names.ranging("k");
                let (bound, at) = self.ranging(name, keys)?;
                let value = self.get(term, &at)?;
                let value = self.fitted(value, wanted)?;
                let ty = self.like_map(term, key.clone(), wanted.clone(), slot)?;
                self.make(Node::MapBy(bound, value), ty)
            }
        }
    }

    fn set_fitted(&mut self, members: Vec<QuintTerm>, wanted: &Ty) -> Result<QuintTerm> {
        let members = members.into_iter().map(|member| {
            let member = self.fitted(member, wanted)?;
            self.types.flow(&member.ty, wanted)?;
            Ok(member)
        });
        let members = members.collect::<Result<Vec<_>>>()?;
        self.make(Node::Set(members), Ty::Set(Box::new(wanted.clone())))
    }

    /// Returns the type of a map in the form of another one, with the keys that it is created with.
    fn like_map(&mut self, map: &QuintTerm, key: Ty, value: Ty, slot: TypeSlot) -> Result<Ty> {
        let known = match self.types.resolve(&map.ty) {
            Ty::Map(_, _, own) => self.types.first_keys(own),
            _ => None,
        };
        let own = self.types.map(key.clone(), value.clone(), known);
        let ty = Ty::Map(Box::new(key), Box::new(value), slot);
        self.types.unify(&own, &ty)?;
        Ok(ty)
    }

    /// Returns the part of a union that is of a sort; other values as they are.
    pub fn of_sort(&mut self, term: &QuintTerm, sort: &str) -> Result<QuintTerm> {
        match (self.types.resolve(&term.ty), &*term.node) {
            (Ty::Union(_), Node::Sum(own, payload)) if own == sort => Ok(payload.clone()),
            (Ty::Union(slot), _) => {
                let is = self.is(term, sort)?;
                let part = self.payload_of_sort(term, slot, sort)?;
                let ty = part.ty.clone();
                self.make(Node::Given(is, part), ty)
            }
            _ => Ok(term.clone()),
        }
    }

    /// Returns the part of a union that has the sort of a type, if this is a single one, also in tuples and records; other values as they are.
    pub fn narrowed(&mut self, term: &QuintTerm, ty: &Ty) -> Result<QuintTerm> {
        match (self.types.resolve(&term.ty), self.types.resolve(ty)) {
            (Ty::Union(_), Ty::Open(_) | Ty::Union(_)) => Ok(term.clone()),
            (Ty::Union(_), own) => self.of_sort(term, &TypeTable::sort_name(&own)),
            (Ty::Tup(_), Ty::Tup(wanted)) if self.types.lacks_union(ty, &term.ty) => {
                let part = |(at, ty)| {
                    let part = self.field(term, &format!("_{at}"))?;
                    self.narrowed(&part, ty)
                };
                let parts = (1..).zip(&wanted).map(part).collect::<Result<_>>()?;
                self.tuple_of(parts)
            }
            (Ty::Rec(_), Ty::Rec(wanted)) if self.types.lacks_union(ty, &term.ty) => {
                let part = |(name, ty): &(String, Ty)| {
                    let part = self.field(term, name)?;
                    Ok((name.clone(), self.narrowed(&part, ty)?))
                };
                let parts = wanted.iter().map(part).collect::<Result<_>>()?;
                self.record_of(parts)
            }
            _ => self.fitted(term.clone(), ty),
        }
    }

    /// Returns the part of a union that is of a sort, where this is known.
    pub fn payload_of_sort(&mut self, term: &QuintTerm, slot: TypeSlot, sort: &str) -> Result<QuintTerm> {
        match (&*term.node, self.types.sorts(slot).get(sort).cloned()) {
            (Node::Sum(own, payload), _) if own == sort => Ok(payload.clone()),
            (_, Some(ty)) => self.make(Node::Payload(term.clone(), sort.to_owned()), ty),
            (_, None) => Err(UntranslatableReason::from(match sort {
                "Int" => "arithmetic on a value that is not an integer",
                "Set" => "a value that is not a set is used as a set",
                _ => "a value is of another sort than its use needs",
            })),
        }
    }

    /// Returns a field of those sorts of a union that have it.
    pub fn field_of_sorts(&mut self, term: &QuintTerm, slot: TypeSlot, field: &str) -> Result<QuintTerm> {
        let with_field = |(sort, ty): (&String, &Ty)| match self.types.resolve(ty) {
            Ty::Rec(fields) => fields.iter().any(|(own, _)| own == field).then(|| sort.clone()),
            Ty::Tup(parts) => (1..=parts.len()).any(|at| format!("_{at}") == field).then(|| sort.clone()),
            _ => None,
        };
        let sorts: Vec<String> = self.types.sorts(slot).iter().filter_map(with_field).collect();
        if sorts.is_empty() {
            return Err(format!("the type that has `{field}` is not known").into());
        }
        self.by_sort(term, slot, &sorts, |inner, part| inner.field(&part, field))
    }

    /// Returns the condition that some case applies, and the value by cases: the last one that applies decides. `None` without cases.
    pub fn by_cases(&mut self, cases: Vec<(QuintTerm, QuintTerm)>) -> Result<Option<(QuintTerm, QuintTerm)>> {
        let any = QuintTerm::any(cases.iter().map(|(applies, _)| applies.clone()).collect());
        let mut found: Option<QuintTerm> = None;
        for (applies, value) in cases {
            found = Some(match found {
                None => value,
                Some(others) => self.choice(applies, value, others)?,
            });
        }
        Ok(found.map(|value| (any, value)))
    }

    /// Returns a value that is computed from the part of a union, for each of some sorts; it does not exist for others.
    pub fn by_sort(
        &mut self,
        term: &QuintTerm,
        slot: TypeSlot,
        sorts: &[String],
        mut of: impl FnMut(&mut Self, QuintTerm) -> Result<QuintTerm>,
    ) -> Result<QuintTerm> {
        if let Node::Sum(own, payload) = &*term.node {
            return match sorts.contains(own) {
                true => of(self, payload.clone()),
                false => Err("a value is of another sort than its use needs".into()),
            };
        }
        let mut cases = Vec::new();
        for sort in sorts.iter().rev() {
            let is = self.is(term, sort)?;
            let part = self.payload_of_sort(term, slot, sort)?;
            cases.push((is, of(self, part)?));
        }
        let (any, value) = self.by_cases(cases)?.ok_or("a value is of another sort than its use needs")?;
        if sorts.len() == self.types.sorts(slot).len() {
            return Ok(value);
        }
        let ty = value.ty.clone();
        self.make(Node::Given(any, value), ty)
    }

    /// True if values of two types differ for certain: records with different fields, and model values and others.
    pub fn are_apart(&self, a: &Ty, b: &Ty) -> bool {
        if !self.types.unions {
            return false;
        }
        match (self.types.resolve(a), self.types.resolve(b)) {
            (Ty::Open(_) | Ty::Union(_), _) | (_, Ty::Open(_) | Ty::Union(_)) => false,
            (Ty::Rec(a), Ty::Rec(b)) => !a.iter().map(|(name, _)| name).eq(b.iter().map(|(name, _)| name)),
            (Ty::Tup(a), Ty::Tup(b)) => a.len() != b.len(),
            (Ty::Str(_), Ty::Str(_)) => false,
            (Ty::Str(slot), _) | (_, Ty::Str(slot)) => self.types.is_model_values(slot),
            _ => false,
        }
    }
}

impl TypeTable {
    /// Returns all values of a type, in a fixed order; `None` if there are too many, or of some types.
    pub fn values(&self, ty: &Ty, most: usize) -> Option<Vec<QuintTerm>> {
        let most_values = most as u128;
        self.cardinality(ty).filter(|&number| number <= most_values)?;
        let new = |node: Node| QuintTerm::new(node, ty.clone());
        let rows = |parts: &[Ty]| {
            let mut rows = vec![Vec::new()];
            for part in parts {
                let values = self.values(part, most)?;
                let longer = |row: &Vec<QuintTerm>| {
                    let row = row.clone();
                    values
                        .iter()
                        .map(move |value| [row.clone(), vec![value.clone()]].concat())
                        .collect::<Vec<_>>()
                };
                rows = rows.iter().flat_map(longer).collect();
            }
            Some(rows)
        };
        Some(match self.resolve(ty) {
            Ty::Bool => vec![QuintTerm::bool(false), QuintTerm::bool(true)],
            Ty::Int(slot) => {
                let (lo, hi) = self.bounds(slot);
                (lo..=hi).filter_map(|n| Some(new(Node::Int(i64::try_from(n).ok()?)))).collect()
            }
            Ty::Str(slot) => self.words(slot).iter().map(|word| new(Node::Str(word.clone()))).collect(),
            Ty::Set(element) => {
                let all = self.values(&element, most)?;
                let subset = |bits: usize| {
                    let kept = all.iter().enumerate().filter(|(at, _)| bits >> at & 1 == 1);
                    new(Node::Set(kept.map(|(_, value)| value.clone()).collect()))
                };
                (0..1_usize << all.len()).map(subset).collect()
            }
            Ty::Tup(parts) => rows(&parts)?.into_iter().map(|row| new(Node::Tup(row))).collect(),
            Ty::Rec(fields) => {
                let (names, parts): (Vec<String>, Vec<Ty>) = fields.into_iter().unzip();
                let record = |row: Vec<QuintTerm>| new(Node::Rec(names.iter().cloned().zip(row).collect()));
                rows(&parts)?.into_iter().map(record).collect()
            }
            Ty::Sum(constructors) => {
                let mut all = Vec::new();
                for (label, payload) in &constructors {
                    let values = self.values(payload, most)?.into_iter();
                    all.extend(values.map(|value| new(Node::Sum(label.clone(), value))));
                }
                all
            }
            Ty::List(..) | Ty::Map(..) | Ty::Union(_) | Ty::Open(_) => return None,
        })
    }
}
