//! Quint's operators on sets and maps.

use super::elaborate::{QuintElaborator, QuintEnv, Result};
use super::ir::QuintExpr;
use super::term::{Fold, Node, QuintBinder, QuintTerm};
use super::types::{Flow, Ty, TypeTable};
use super::value::QuintValue;
use itertools::Itertools;
use kit::number::to_i64;
use std::collections::BTreeSet;

/// The greatest size of intervals computed as sets of constants.
const MOST_MEMBERS: usize = 4096;

/// The greatest size of sets of maps, tuples and sets that conditions are evaluated for.
const MOST_FILTERED: usize = 1024;

impl<'a> QuintElaborator<'a> {
    /// Applies an operator that takes an operator as argument.
    pub fn with_operator(
        &mut self,
        op: &str,
        args: &'a [QuintExpr],
        env: &QuintEnv<'a>,
    ) -> Result<Option<QuintTerm>> {
        Ok(Some(match (op, args) {
            ("forall" | "exists", [set, body]) => {
                let set = self.set(set, env)?;
                self.quantified(if op == "forall" { "forall" } else { "exists" }, &set, body, env)?
            }
            ("filter", [set, body]) => {
                let set = self.set(set, env)?;
                self.filter(&set, body, env)?
            }
            ("map", [set, body]) => {
                let set = self.set(set, env)?;
                self.image(&set, body, env)?
            }
            ("mapBy", [set, body]) => {
                let set = self.set(set, env)?;
                self.map_by(&set, body, env)?
            }
            ("setBy", [map, key, body]) => {
                let (map, key) = (self.expression(map, env)?, self.expression(key, env)?);
                let old = self.get(&map, &key)?;
                let value = self.apply(body, env, &[old])?;
                self.put(&map, &key, &value, true)?
            }
            ("fold", [set, first, body]) => {
                let (set, first) = (self.set(set, env)?, self.expression(first, env)?);
                self.fold(&set, first, body, env)?
            }
            ("foldl" | "foldr", [list, first, body]) => {
                let (list, first) = (self.expression(list, env)?, self.expression(first, env)?);
                self.fold_list(list, first, body, env, op == "foldr")?
            }
            ("select", [list, body]) => {
                let list = self.expression(list, env)?;
                let Ty::List(element, _) = self.types.resolve(&list.ty) else {
                    return Err("`select` is about something that is no list".into());
                };
                let name = self.parameter(body);
                let term = self.make(Node::Name(name.clone()), *element)?;
                let (condition, ty) = (self.apply(body, env, &[term])?, list.ty.clone());
                self.make(Node::Select(QuintBinder { name, domain: list }, condition), ty)?
            }
            _ => return Ok(None),
        }))
    }

    /// Applies an operator on sets and maps that takes values.
    pub fn of_collections(&mut self, op: &str, given: &[QuintTerm]) -> Result<Option<QuintTerm>> {
        Ok(Some(match (op, given) {
            ("Set", _) => self.set_of(given.to_vec())?,
            ("in", [element, set]) | ("contains", [set, element]) => self.member(element, set)?,
            ("union", [a, b]) => self.combined("union", a, b, |a, b| a.union(b).cloned().collect())?,
            ("intersect", [a, b]) => {
                self.combined("intersect", a, b, |a, b| a.intersection(b).cloned().collect())?
            }
            ("exclude", [a, b]) => self.combined("minus", a, b, |a, b| a.difference(b).cloned().collect())?,
            ("subseteq", [a, b]) => match (a.value(), b.value()) {
                (Some(QuintValue::Set(a)), Some(QuintValue::Set(b))) => QuintTerm::bool(a.is_subset(&b)),
                _ => self.subset(a, b)?,
            },
            ("size", [set]) => self.size(set)?,
            ("to", [a, b]) => self.interval(a.clone(), b.clone())?,
            ("isFinite", [_]) => QuintTerm::bool(true),
            ("powerset", [set]) => {
                let ty = Ty::Set(Box::new(set.ty.clone()));
                self.make(Node::Powerset(set.clone()), ty)?
            }
            ("tuples", _) => self.cross(given)?,
            ("flatten", [sets]) => self.flatten(sets)?,
            ("Map", _) => {
                let entries = given.iter().map(|pair| Ok((self.field(pair, "_1")?, self.field(pair, "_2")?)));
                let entries = entries.collect::<Result<_>>()?;
                self.map_of(entries)?
            }
            ("setToMap", [set]) => {
                let Node::Set(pairs) = &*set.node else {
                    return Err("`setToMap` is about a set that is not written out".into());
                };
                let entries = pairs.iter().map(|pair| Ok((self.field(pair, "_1")?, self.field(pair, "_2")?)));
                let entries = entries.collect::<Result<_>>()?;
                self.map_of(entries)?
            }
            ("setOfMaps", [keys, values]) => {
                let (key, value) = (self.element(keys)?, self.element(values)?);
                let known = few_members(keys, MOST_FILTERED).map(|members| members.into_iter().collect());
                let map = self.types.map(key, value, known);
                self.make(Node::Maps(keys.clone(), values.clone()), Ty::Set(Box::new(map)))?
            }
            ("get", [map, key]) => self.get(map, key)?,
            ("set", [map, key, value]) => self.put(map, key, value, true)?,
            ("put", [map, key, value]) => {
                if let Ty::Map(own, _, _) = self.types.resolve(&map.ty) {
                    self.types.flow(&key.ty, &own)?;
                }
                self.put(map, key, value, false)?
            }
            ("keys", [map]) => self.keys(map)?,
            _ => return Ok(None),
        }))
    }

    /// Returns the type of the elements of a set.
    pub fn element(&mut self, set: &QuintTerm) -> Result<Ty> {
        match self.types.resolve(&set.ty) {
            Ty::Set(element) => Ok(*element),
            Ty::Open(_) => {
                let element = self.types.open();
                self.types.unify(&set.ty, &Ty::Set(Box::new(element.clone())))?;
                Ok(element)
            }
            _ => Err("a value that is not a set is used as a set".into()),
        }
    }

    /// Translates an expression that is a set.
    pub fn set(&mut self, set: &'a QuintExpr, env: &QuintEnv<'a>) -> Result<QuintTerm> {
        let set = self.expression(set, env)?;
        self.of_sort(&set, "Set")
    }

    /// Returns the condition that an element is in a set.
    pub fn member(&mut self, element: &QuintTerm, set: &QuintTerm) -> Result<QuintTerm> {
        if let (Some(value), Some(members)) = (element.value(), set.members()) {
            return Ok(QuintTerm::bool(members.contains(&value)));
        }
        let own = self.element(set)?;
        let element = &self.fitted(element.clone(), &own)?;
        if let Ty::Union(slot) = self.types.resolve(&element.ty)
            && !matches!(self.types.resolve(&own), Ty::Union(_) | Ty::Open(_))
        {
            let sort = TypeTable::sort_name(&self.types.resolve(&own));
            let known: Vec<String> = self.types.sorts(slot).keys().cloned().collect();
            let mut any = Vec::new();
            for own in known.iter().filter(|own| TypeTable::may_equal(own, &sort)) {
                let (is, part) = (self.is(element, own)?, self.payload_of_sort(element, slot, own)?);
                any.push(QuintTerm::all(vec![is, self.member(&part, set)?]));
            }
            return Ok(QuintTerm::any(any));
        }
        if self.are_apart(&element.ty, &own) {
            return Ok(QuintTerm::bool(false));
        }
        if self.types.lacks_union(&own, &element.ty) {
            let set = self.fitted(set.clone(), &Ty::Set(Box::new(element.ty.clone())))?;
            return self.member(element, &set);
        }
        match &*set.node {
            Node::Set(members) if members.is_empty() => Ok(QuintTerm::bool(false)),
            Node::Set(members) if members.len() == 1 => self.comparison("=", element, &members[0]),
            Node::Filter(bound, body) => {
                let inside = self.member(element, &bound.domain)?;
                Ok(QuintTerm::all(vec![inside, body.with(&bound.name, element)]))
            }
            Node::Range(lo, hi) => {
                let parts = [self.comparison("<=", lo, element)?, self.comparison("<=", element, hi)?];
                Ok(QuintTerm::all(parts.to_vec()))
            }
            Node::Powerset(of) => {
                self.types.unify(&element.ty, &of.ty)?;
                self.make(Node::Infix("subset", element.clone(), of.clone()), Ty::Bool)
            }
            Node::Maps(keys, values) => {
                let own = self.element(set)?;
                self.types.unify(&element.ty, &own)?;
                let name = self.names.ranging("k");
                let (bound, key) = self.ranging(name, keys.clone())?;
                let value = self.get(element, &key)?;
                let inside = self.member(&value, values)?;
                let each = self.make(Node::Quantified("forall", bound, inside), Ty::Bool)?;
                let same = self.keys(element)?;
                let same = self.comparison("=", &same, keys)?;
                Ok(QuintTerm::all(vec![same, each]))
            }
            Node::Cross(sets) => {
                let parts = (1..).zip(sets).map(|(at, set)| {
                    let part = self.field(element, &format!("_{at}"))?;
                    self.member(&part, set)
                });
                Ok(QuintTerm::all(parts.collect::<Result<_>>()?))
            }
            Node::Image(bound, body) => {
                let (bound, body) = self.renamed(bound, body)?;
                let equal = self.comparison("=", &body, element)?;
                self.make(Node::Quantified("exists", bound, equal), Ty::Bool)
            }
            _ => {
                let own = self.element(set)?;
                self.comparable(&element.ty, &own)?;
                self.make(Node::Infix("in", element.clone(), set.clone()), Ty::Bool)
            }
        }
    }

    pub fn combined(
        &mut self,
        word: &'static str,
        a: &QuintTerm,
        b: &QuintTerm,
        compute: impl Fn(&BTreeSet<QuintValue>, &BTreeSet<QuintValue>) -> BTreeSet<QuintValue>,
    ) -> Result<QuintTerm> {
        if let (Some(QuintValue::Set(a)), Some(QuintValue::Set(b))) = (a.value(), b.value()) {
            return self.literal(&QuintValue::Set(compute(&a, &b)));
        }
        let ty = self.types.open();
        if self.types.unions {
            self.types.flow(&a.ty, &ty)?;
            self.types.flow(&b.ty, &ty)?;
        } else {
            self.types.unify(&ty, &a.ty)?;
            self.types.unify(&ty, &b.ty)?;
        }
        let (a, b) = (self.fitted(a.clone(), &ty)?, self.fitted(b.clone(), &ty)?);
        self.make(Node::Infix(word, a, b), ty)
    }

    /// Returns the set of the integers from `a` to `b`.
    pub fn interval(&mut self, a: QuintTerm, b: QuintTerm) -> Result<QuintTerm> {
        if let (Some(QuintValue::Int(a)), Some(QuintValue::Int(b))) = (a.value(), b.value())
            && b.saturating_sub(a) < to_i64(MOST_MEMBERS)
        {
            return self.literal(&QuintValue::Set((a..=b).map(QuintValue::Int).collect()));
        }
        let element = self.types.open();
        self.types.flow(&a.ty, &element)?;
        self.types.flow(&b.ty, &element)?;
        self.make(Node::Range(a, b), Ty::Set(Box::new(element)))
    }

    pub fn size(&mut self, set: &QuintTerm) -> Result<QuintTerm> {
        if let Some(members) = set.members() {
            return self.literal(&QuintValue::Int(to_i64(members.len())));
        }
        let element = self.element(set)?;
        let ty = self.types.flowing(Flow::Count(element));
        self.make(Node::Size(set.clone()), ty)
    }

    fn cross(&mut self, sets: &[QuintTerm]) -> Result<QuintTerm> {
        let mut parts = Vec::new();
        for set in sets {
            let element = self.element(set)?;
            parts.push(self.types.fresh(&element));
        }
        self.make(Node::Cross(sets.to_vec()), Ty::Set(Box::new(Ty::Tup(parts))))
    }

    /// Returns the condition that a set is a part of another one.
    pub fn subset(&mut self, a: &QuintTerm, b: &QuintTerm) -> Result<QuintTerm> {
        let (a, b) = (self.fitted(a.clone(), &b.ty)?, self.fitted(b.clone(), &a.ty)?);
        self.comparable(&a.ty, &b.ty)?;
        self.make(Node::Infix("subset", a, b), Ty::Bool)
    }

    fn flatten(&mut self, sets: &QuintTerm) -> Result<QuintTerm> {
        let Node::Set(members) = &*sets.node else {
            let (bound, body) = match &*sets.node {
                Node::Image(bound, body) => self.renamed(bound, body)?,
                _ => {
                    let name = self.names.ranging("s");
                    self.ranging(name, sets.clone())?
                }
            };
            let element = self.element(&body)?;
            return self.make(Node::Flatten(bound, body), Ty::Set(Box::new(element)));
        };
        let mut all = self.literal(&QuintValue::Set(BTreeSet::new()))?;
        for member in members {
            all = match all.members().is_some_and(|m| m.is_empty()) {
                true => member.clone(),
                false => self.combined("union", &all, member, |a, b| a.union(b).cloned().collect())?,
            };
        }
        Ok(all)
    }

    /// Renames the bound variable of an image, since a set that is used twice may be iterated within itself.
    fn renamed(&mut self, bound: &QuintBinder, image: &QuintTerm) -> Result<(QuintBinder, QuintTerm)> {
        let name = self.names.ranging(&bound.name);
        let (own, term) = self.ranging(name, bound.domain.clone())?;
        Ok((own, image.with(&bound.name, &term)))
    }

    fn quantified(
        &mut self,
        word: &'static str,
        set: &QuintTerm,
        body: &'a QuintExpr,
        env: &QuintEnv<'a>,
    ) -> Result<QuintTerm> {
        let joined = |parts| if word == "forall" { QuintTerm::all(parts) } else { QuintTerm::any(parts) };
        match &*set.node {
            // A set with elements that are not constant, or with at most one element.
            Node::Set(members) if members.len() <= 1 || set.value().is_none() || self.recursing > 0 => {
                let parts = members.iter().map(|member| self.apply(body, env, std::slice::from_ref(member)));
                Ok(joined(parts.collect::<Result<_>>()?))
            }
            Node::Cross(sets) => {
                let mut bounds = Vec::new();
                for set in sets {
                    let name = self.tuple_name(body, bounds.len());
                    bounds.push(self.ranging(name, set.clone())?);
                }
                let (bounds, names): (Vec<QuintBinder>, Vec<QuintTerm>) = bounds.into_iter().unzip();
                let tuple = self.tuple_of(names)?;
                let inner = self.apply(body, env, &[tuple])?;
                bounds.into_iter().rev().try_fold(inner, |inner, bound| self.over(word, bound, inner))
            }
            Node::Image(bound, image) => {
                let (bound, image) = self.renamed(bound, image)?;
                let inner = self.apply(body, env, &[image])?;
                self.over(word, bound, inner)
            }
            _ => {
                let name = self.parameter(body);
                let (bound, term) = self.ranging(name, set.clone())?;
                let inner = match (self.apply(body, env, &[term]), &*set.node) {
                    (Err(_), Node::Set(members)) if self.types.unions && self.recursing == 0 => {
                        return self.unrolled(|this| {
                            let parts = members
                                .iter()
                                .map(|member| this.apply(body, env, std::slice::from_ref(member)));
                            Ok(joined(parts.collect::<Result<_>>()?))
                        });
                    }
                    (inner, _) => inner?,
                };
                self.over(word, bound, inner)
            }
        }
    }

    /// Writes out an operator over constants, with recursive definitions, that is not known for a name that ranges over them.
    pub fn unrolled(&mut self, run: impl FnOnce(&mut Self) -> Result<QuintTerm>) -> Result<QuintTerm> {
        self.too_deep = false;
        self.recursing += 1;
        let found = run(self);
        self.recursing -= 1;
        found
    }

    /// Returns a map with an entry for each of some keys.
    fn entries(&mut self, keys: &[QuintTerm], body: &'a QuintExpr, env: &QuintEnv<'a>) -> Result<QuintTerm> {
        let entry = |key: &QuintTerm| Ok((key.clone(), self.apply(body, env, std::slice::from_ref(key))?));
        let entries = keys.iter().map(entry).collect::<Result<_>>()?;
        self.map_of(entries)
    }

    /// Returns the name of a part of a tuple that an operator destructures.
    fn tuple_name(&mut self, operator: &QuintExpr, at: usize) -> String {
        match operator {
            QuintExpr::Lambda(lambda) if lambda.params.len() > at && lambda.params.len() > 1 => {
                self.names.ranging(&lambda.params[at].name)
            }
            _ => self.names.ranging("e"),
        }
    }

    fn over(&mut self, word: &'static str, bound: QuintBinder, body: QuintTerm) -> Result<QuintTerm> {
        // Over a nonempty set, a body without the bound name is enough.
        if bound.domain.members().is_some_and(|members| !members.is_empty()) && !body.mentions(&bound.name) {
            return Ok(body);
        }
        match (word, &*body.node) {
            ("forall", Node::Bool(true)) | ("exists", Node::Bool(false)) => Ok(body),
            _ => self.make(Node::Quantified(word, bound, body), Ty::Bool),
        }
    }

    fn filter(&mut self, set: &QuintTerm, body: &'a QuintExpr, env: &QuintEnv<'a>) -> Result<QuintTerm> {
        if let Some(members) = set.members().or_else(|| few_members(set, MOST_FILTERED)) {
            let mut kept = Vec::new();
            let mut known = true;
            for member in &members {
                let term = self.literal(member)?;
                let written = |this: &mut Self| this.apply(body, env, std::slice::from_ref(&term));
                let condition = match &*set.node {
                    Node::Maps(..) => self.unrolled(written),
                    _ => Ok(written(self)?),
                };
                match condition.as_ref().map_or(&Node::Universe, |condition| &*condition.node) {
                    Node::Bool(true) => kept.push(term),
                    Node::Bool(false) => {}
                    _ => {
                        known = false;
                        self.too_deep = false;
                        break;
                    }
                }
            }
            if known {
                return self.set_of(kept);
            }
        }
        let name = self.parameter(body);
        let (bound, term) = self.ranging(name, set.clone())?;
        let condition = self.apply(body, env, &[term])?;
        self.make(Node::Filter(bound, condition), set.ty.clone())
    }

    fn image(&mut self, set: &QuintTerm, body: &'a QuintExpr, env: &QuintEnv<'a>) -> Result<QuintTerm> {
        if let Node::Set(members) = &*set.node {
            let images = members.iter().map(|member| self.apply(body, env, std::slice::from_ref(member)));
            let images = images.collect::<Result<Vec<_>>>()?;
            return self.set_of(images);
        }
        if let Some(images) = self.constant_images(set, body, env)? {
            return self.set_of(images);
        }
        let name = self.parameter(body);
        let (bound, term) = self.ranging(name, set.clone())?;
        let image = self.apply(body, env, &[term])?;
        let ty = Ty::Set(Box::new(self.types.fresh(&image.ty)));
        self.make(Node::Image(bound, image), ty)
    }

    /// Returns the images of the members of a set that is computed from constants, if all are constants.
    fn constant_images(
        &mut self,
        set: &QuintTerm,
        body: &'a QuintExpr,
        env: &QuintEnv<'a>,
    ) -> Result<Option<Vec<QuintTerm>>> {
        let mut images = Vec::new();
        for member in few_members(set, MOST_FILTERED).into_iter().flatten() {
            let member = self.literal(&member)?;
            let image = self.apply(body, env, &[member])?;
            if image.value().is_none() {
                return Ok(None);
            }
            images.push(image);
        }
        Ok(Some(images).filter(|images| !images.is_empty()))
    }

    fn map_by(&mut self, set: &QuintTerm, body: &'a QuintExpr, env: &QuintEnv<'a>) -> Result<QuintTerm> {
        if let (Node::Set(keys), true) = (&*set.node, self.recursing > 0 && set.value().is_some()) {
            return self.entries(keys, body, env);
        }
        let name = self.parameter(body);
        let (bound, term) = self.ranging(name, set.clone())?;
        let value = match (self.apply(body, env, &[term]), &*set.node) {
            (Ok(value), Node::Set(keys))
                if self.types.unions && set.value().is_some() && value.may_not_exist() =>
            {
                return self.entries(keys, body, env);
            }
            (Err(_), Node::Set(keys))
                if self.types.unions && self.recursing == 0 && set.value().is_some() =>
            {
                return self.unrolled(|this| this.entries(keys, body, env));
            }
            (value, _) => value?,
        };
        let known = few_members(set, MOST_FILTERED).map(|members| members.into_iter().collect());
        let (key, each) = (self.element(set)?, self.types.fresh(&value.ty));
        let ty = self.types.map(key, each, known);
        self.make(Node::MapBy(bound, value), ty)
    }

    pub fn fold(
        &mut self,
        set: &QuintTerm,
        first: QuintTerm,
        body: &'a QuintExpr,
        env: &QuintEnv<'a>,
    ) -> Result<QuintTerm> {
        if let Some(members) = set.members() {
            let mut so_far = first;
            for member in members {
                let member = self.literal(&member)?;
                so_far = self.apply(body, env, &[so_far, member])?;
            }
            return Ok(so_far);
        }
        let element = self.element(set)?;
        // An accumulator with a name of its own: folds can be nested.
        let slot = self.types.slot();
        let own = format!("#{slot}");
        let so_far = self.make(Node::Name(own.clone()), Ty::Int(slot))?;
        let name = self.names.ranging("e");
        let (bound, term) = self.ranging(name, set.clone())?;
        let result = self.apply(body, env, &[so_far, term])?;
        if result.is_name(&bound.name) && self.choices.is_some() {
            let last = self.any_member(set, "last")?;
            // The order of the members is open, so each may come last.
            let none = self.literal(&QuintValue::Set(BTreeSet::new()))?;
            let none = self.comparison("=", set, &none)?;
            let inside = self.member(&last, set)?;
            self.chooses(&last, set, QuintTerm::any(vec![none.clone(), inside]));
            return self.choice(none, first, last);
        }
        let Some(added) = self.added(&result, &own)? else {
            return Err("`fold` is about a set of the state, and is no sum".into());
        };
        let slot = self.integer(&added)?;
        let ty = self.types.flowing(Flow::Sum(element, slot));
        let total = self.make(Node::Total(bound, added), ty)?;
        match first.value() {
            Some(QuintValue::Int(0)) => Ok(total),
            _ => self.arithmetic("iadd", &first, &total),
        }
    }

    /// Returns the value of a fold over a list.
    fn fold_list(
        &mut self,
        list: QuintTerm,
        mut first: QuintTerm,
        body: &'a QuintExpr,
        env: &QuintEnv<'a>,
        backwards: bool,
    ) -> Result<QuintTerm> {
        let in_order = |so_far: QuintTerm, element: QuintTerm| match backwards {
            true => [element, so_far],
            false => [so_far, element],
        };
        if let Node::List(elements) = &*list.node {
            let mut elements = elements.clone();
            if backwards {
                elements.reverse();
            }
            for element in elements {
                first = self.apply(body, env, &in_order(first, element))?;
            }
            return Ok(first);
        }
        let Ty::List(element, _) = self.types.resolve(&list.ty) else {
            return Err("a fold is about something that is no list".into());
        };
        let names = [format!("#{}", self.types.slot()), format!("#{}", self.types.slot())];
        let ty = self.types.fresh(&first.ty);
        let so_far = self.make(Node::Name(names[0].clone()), ty.clone())?;
        let own = self.make(Node::Name(names[1].clone()), *element)?;
        let body = self.apply(body, env, &in_order(so_far, own))?;
        self.types.flow(&body.ty, &ty)?;
        self.make(Node::Fold(Fold { list, first, names, body, backwards }), ty)
    }

    /// Returns the term that a step of a fold adds to the accumulator; `None` if the step is no sum.
    fn added(&mut self, step: &QuintTerm, so_far: &str) -> Result<Option<QuintTerm>> {
        if step.is_name(so_far) {
            return Ok(Some(self.literal(&QuintValue::Int(0))?));
        }
        match &*step.node {
            Node::Infix("+", a, b) => {
                let (inner, other) = if a.mentions(so_far) { (a, b) } else { (b, a) };
                if other.mentions(so_far) {
                    return Ok(None);
                }
                let Some(inner) = self.added(inner, so_far)? else { return Ok(None) };
                match inner.value() {
                    Some(QuintValue::Int(0)) => Ok(Some(other.clone())),
                    _ => Ok(Some(self.arithmetic("iadd", &inner, other)?)),
                }
            }
            Node::If(c, a, b) if !c.mentions(so_far) => {
                match (self.added(a, so_far)?, self.added(b, so_far)?) {
                    (Some(a), Some(b)) => Ok(Some(self.choice(c.clone(), a, b)?)),
                    _ => Ok(None),
                }
            }
            _ => Ok(None),
        }
    }

    /// Returns the value of a map at a key.
    pub fn get(&mut self, map: &QuintTerm, key: &QuintTerm) -> Result<QuintTerm> {
        if let (Node::Map(entries), Some(wanted)) = (&*map.node, key.value())
            && entries.iter().all(|(key, _)| key.value().is_some())
        {
            // The last entry counts.
            return match entries.iter().rev().find(|(key, _)| key.value().as_ref() == Some(&wanted)) {
                Some((_, value)) => Ok(value.clone()),
                None => Err("a map that is written out has no such key".into()),
            };
        }
        let (own, value) = match self.types.resolve(&map.ty) {
            Ty::Map(own, value, _) => (*own, *value),
            _ => return Err("the type of a map is not known".into()),
        };
        let key = self.narrowed(key, &own)?;
        self.comparable(&own, &key.ty)?;
        self.make(Node::Get(map.clone(), key), value)
    }

    /// Returns a map with another value at a key; with `change`, the key must be present.
    pub fn put(
        &mut self,
        map: &QuintTerm,
        key: &QuintTerm,
        value: &QuintTerm,
        change: bool,
    ) -> Result<QuintTerm> {
        let Ty::Map(own, values, _) = self.types.resolve(&map.ty) else {
            return Err("the type of a map is not known".into());
        };
        let key = self.narrowed(key, &own)?;
        self.comparable(&own, &key.ty)?;
        self.types.flow(&value.ty, &values)?;
        let parts = (map.clone(), key, self.fitted(value.clone(), &values)?);
        let node = match change {
            true => Node::Change(parts.0, parts.1, parts.2),
            false => Node::Put(parts.0, parts.1, parts.2),
        };
        self.make(node, map.ty.clone())
    }

    pub fn keys(&mut self, map: &QuintTerm) -> Result<QuintTerm> {
        if let Some(QuintValue::Map(entries)) = map.value() {
            return self.literal(&QuintValue::Set(entries.into_keys().collect()));
        }
        match self.types.resolve(&map.ty) {
            Ty::Map(key, _, _) => self.make(Node::Keys(map.clone()), Ty::Set(key)),
            _ => Err("the type of a map is not known".into()),
        }
    }
}

/// Returns the members of a set that is computed from constants, if they are few.
pub(crate) fn few_members(set: &QuintTerm, most: usize) -> Option<Vec<QuintValue>> {
    let tuples = |sets: Vec<Vec<QuintValue>>, of: &dyn Fn(Vec<QuintValue>) -> QuintValue| {
        let count = sets.iter().try_fold(1_usize, |count, set| count.checked_mul(set.len()))?;
        (count <= most).then(|| sets.into_iter().multi_cartesian_product().map(of).collect())
    };
    match &*set.node {
        Node::Cross(sets) => {
            tuples(sets.iter().map(|set| few_members(set, most)).collect::<Option<_>>()?, &QuintValue::Tup)
        }
        Node::Maps(keys, values) => {
            let (keys, values) = (few_members(keys, most)?, few_members(values, most)?);
            tuples(keys.iter().map(|_| values.clone()).collect(), &|values| {
                QuintValue::Map(keys.iter().cloned().zip(values).collect())
            })
        }
        Node::Powerset(all) => {
            let all = few_members(all, most)?;
            (1 << all.len().min(63) <= most).then(|| powerset(&all))
        }
        _ => set.members(),
    }
}

/// Returns the subsets of a few values.
pub(crate) fn powerset(all: &[QuintValue]) -> Vec<QuintValue> {
    let subset = |number: usize| {
        all.iter().enumerate().filter(move |(at, _)| number >> at & 1 == 1).map(|(_, member)| member.clone())
    };
    (0..1 << all.len()).map(|number| QuintValue::Set(subset(number).collect())).collect()
}
