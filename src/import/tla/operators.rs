//! Operators of TLA+ whose meaning depends on types, and those of its standard modules.

use super::actions::Gives;
use super::specification::written;
use crate::quint::alternative::StepAlternative;
use crate::quint::collections::{few_members, powerset};
use crate::quint::elaborate::{
    QuintBinding, QuintElaborator, QuintEnv, RECURSIVE, ReasonKind, Result, UntranslatableReason, inside,
};
use crate::quint::ir::QuintExpr;
use crate::quint::names::short;
use crate::quint::term::{Node, QuintBinder, QuintTerm};
use crate::quint::types::{Ty, TypeSlot, TypeTable};
use crate::quint::value::QuintValue;
use itertools::Itertools;

/// The greatest number of records in a set that is written out.
const MOST_RECORDS: usize = 4096;

/// The most values of an argument of a recursive function that are told apart.
const MOST_CASES: usize = 32;

/// The greatest depth of sets within sets, and of definitions that stand for them.
const DEEPEST_SET: usize = 64;

/// A test of the name of a sort.
type SortTest = Box<dyn Fn(&str) -> bool>;

impl<'a> QuintElaborator<'a> {
    /// Applies an operator of TLA+; names of standard modules begin with `::`.
    pub fn tla(&mut self, op: &'a str, args: &'a [QuintExpr], env: &QuintEnv<'a>) -> Result<QuintTerm> {
        match (op, args) {
            ("tla:in", [element, set]) => {
                let element = self.expression(element, env)?;
                self.within_set(&element, set, env)
            }
            ("tla:notin", [element, set]) => {
                let element = self.expression(element, env)?;
                Ok(self.within_set(&element, set, env)?.negation())
            }
            ("tla:subset", [set, all]) => {
                let set = self.expression(set, env)?;
                self.within_all(&set, all, env)
            }
            ("tla:except", [old, key, value]) => {
                let (old, key) = (self.expression(old, env)?, self.expression(key, env)?);
                let part = self.applied(&old, &key)?;
                let value = self.apply(value, env, &[part])?;
                self.except(&old, &key, &value)
            }
            ("tla:choose", [set, body]) => self.choose(set, body, env),
            ("tla:anything", [QuintExpr::Str { value }]) => Err(UntranslatableReason::helped(
                format!("`CHOOSE {value}` has no set to choose from"),
                "give the definition a model value, as TLC needs it: `CONSTANT None = None`",
            )),
            ("tla:part", [QuintExpr::Name { name }, number]) => match self.part(name, number) {
                Some(part) => {
                    self.expression(part, &QuintEnv::default()).map_err(|found| inside(name, found))
                }
                None => Err(format!("the definition `{}` has no such part", short(name)).into()),
            },
            ("tla:apply", [QuintExpr::Name { name }, key]) if self.is_recursive(name, env) => {
                let key = self.expression(key, env)?;
                let (operator, inner) = match (env.get(name), self.definitions.get(name.as_str()).copied()) {
                    (Some(QuintBinding::Operator(operator, inner)), _) => (operator, inner),
                    (None, Some(definition)) => (&definition.expr, QuintEnv::default()),
                    _ => return Err(format!("`{}` is not known", short(name)).into()),
                };
                self.recursion(operator, &inner, key).map_err(|found| inside(name, found))
            }
            ("tla:over", [_, value]) => self.expression(value, env),
            ("tla:enabled", [action]) => self.enabled(action, env),
            ("tla:records", _) => self.records(args, env),
            ("tla:prime", [inner]) => self.prime(inner, env),
            ("tla:unchanged", [place]) => {
                let (old, new) = (self.expression(place, env)?, self.prime(place, env)?);
                self.comparison("=", &new, &old)
            }
            ("tla:only", [condition, value]) => {
                let (condition, value) = (self.expression(condition, env)?, self.expression(value, env)?);
                self.given(condition, value)
            }
            (
                "tla:always" | "tla:eventually" | "tla:leads" | "tla:weak" | "tla:strong" | "tla:square"
                | "tla:angle",
                _,
            ) => Err(UntranslatableReason::helped(
                format!("`{}` is temporal, and a part of a formula about states", written(op)),
                "temporal formulas belong in SPECIFICATION and PROPERTY",
            )),
            _ => self.of_modules(op, args, env),
        }
    }

    /// Applies an operator of a module that is about formulas or operators.
    fn of_modules(&mut self, op: &'a str, args: &'a [QuintExpr], env: &QuintEnv<'a>) -> Result<QuintTerm> {
        match (op, args) {
            ("::__fold", [operator, first, set]) => {
                let (set, first) = (self.set(set, env)?, self.expression(first, env)?);
                self.fold(&set, first, operator, env)
            }
            ("::__fold_list", [operator, first, list]) => {
                let (list, mut so_far) = (self.expression(list, env)?, self.expression(first, env)?);
                let list = self.listed(&list)?;
                let Node::List(elements) = &*list.node else {
                    return Err("a fold is about a sequence that is not written out".into());
                };
                for element in elements {
                    so_far = self.apply(operator, env, &[so_far, element.clone()])?;
                }
                Ok(so_far)
            }
            ("::SelectSeq", [list, test]) => {
                let list = self.expression(list, env)?;
                let list = self.listed(&list)?;
                if let Node::List(elements) = &*list.node {
                    let mut kept = Vec::new();
                    let mut known = true;
                    for element in elements {
                        match &*self.apply(test, env, std::slice::from_ref(element))?.node {
                            Node::Bool(true) => kept.push(element.clone()),
                            Node::Bool(false) => {}
                            _ => known = false,
                        }
                    }
                    if known {
                        return self.list_of(kept);
                    }
                }
                let Ty::List(element, _) = self.types.resolve(&list.ty) else {
                    return Err("SelectSeq is about something that is no sequence".into());
                };
                let name = self.parameter(test);
                let term = self.make(Node::Name(name.clone()), *element)?;
                let condition = self.apply(test, env, &[term])?;
                let ty = list.ty.clone();
                self.make(Node::Select(QuintBinder { name, domain: list }, condition), ty)
            }
            ("::Assert", [condition, _]) => {
                let condition = self.expression(condition, env)?;
                self.make(Node::Given(condition, QuintTerm::bool(true)), Ty::Bool)
            }
            ("::Print", [_, value]) => self.expression(value, env),
            ("::PrintT", [_]) => Ok(QuintTerm::bool(true)),
            // Sets that have a value are finite; `Nat` and the like are refused.
            ("::IsFiniteSet", [set]) => self.expression(set, env).map(|_| QuintTerm::bool(true)),
            _ => {
                let given = args.iter().map(|arg| self.expression(arg, env)).collect::<Result<Vec<_>>>()?;
                self.of_values(op, &given)
            }
        }
    }

    fn of_values(&mut self, op: &str, given: &[QuintTerm]) -> Result<QuintTerm> {
        match (op, given) {
            ("tla:eq", [a, b]) => self.equal(a, b),
            ("tla:neq", [a, b]) => Ok(self.equal(a, b)?.negation()),
            ("tla:apply", [function, key]) => self.applied(function, key),
            ("tla:tuple", _) if given.len() < 2 => self.list_of(given.to_vec()),
            ("tla:tuple", _) => self.tuple_of(given.to_vec()),
            ("tla:domain", [function]) => self.domain(function),
            ("tla:union", [a, b]) if a.members().is_some_and(|m| m.is_empty()) => Ok(b.clone()),
            ("tla:union", [a, b]) if b.members().is_some_and(|m| m.is_empty()) => Ok(a.clone()),
            ("tla:union", [a, b]) => {
                let (a, b) = (self.like(a, &b.ty)?, self.like(b, &a.ty)?);
                self.combined("union", &a, &b, |a, b| a.union(b).cloned().collect())
            }
            ("tla:div" | "tla:mod", [a, b]) => match (a.value(), b.value()) {
                (Some(QuintValue::Int(a)), Some(QuintValue::Int(b))) if b > 0 => {
                    let result = if op == "tla:div" { a.div_euclid(b) } else { a.rem_euclid(b) };
                    self.literal(&QuintValue::Int(result))
                }
                _ => self.arithmetic(if op == "tla:div" { "idiv" } else { "imod" }, a, b),
            },
            ("tla:single", [key, value]) => self.map_of(vec![(key.clone(), value.clone())]),
            ("tla:merge", [a, b]) => match (&*a.node, &*b.node) {
                // The last entry counts here, and the first function there.
                (Node::Map(a), Node::Map(b)) => self.map_of([b.clone(), a.clone()].concat()),
                _ => Err("`@@` joins functions that are not written out".into()),
            },
            ("::Cardinality", [set]) => self.size(set),
            _ => self.of_sequences(op, given),
        }
    }

    fn of_sequences(&mut self, op: &str, given: &[QuintTerm]) -> Result<QuintTerm> {
        match (op, given) {
            ("tla:concat", [a, b]) => {
                let (a, b) = (self.listed(a)?, self.listed(b)?);
                if let Node::List(elements) = &*b.node {
                    return elements.iter().try_fold(a, |list, element| self.append(&list, element));
                }
                let ty = self.types.open();
                self.types.unify(&ty, &a.ty)?;
                self.types.unify(&ty, &b.ty)?;
                let (a, b) = (self.fitted(a, &ty)?, self.fitted(b, &ty)?);
                let Ty::List(_, slot) = self.types.resolve(&ty) else {
                    return Err("`\\o` joins something that is no sequence".into());
                };
                self.types.grow(slot);
                self.make(Node::Concat(a, b), ty)
            }
            ("::SubSeq", [list, from, to]) => {
                let list = self.listed(list)?;
                if let (Node::List(elements), Some(QuintValue::Int(from)), Some(QuintValue::Int(to))) =
                    (&*list.node, from.value(), to.value())
                {
                    let kept = (from..=to).map(|at| usize::try_from(at).ok()?.checked_sub(1));
                    let kept = kept.map(|at| elements.get(at?).cloned()).collect::<Option<Vec<_>>>();
                    return match kept {
                        Some(kept) => self.list_of(kept),
                        None => Err("SubSeq goes beyond the sequence".into()),
                    };
                }
                let one = self.literal(&QuintValue::Int(1))?;
                let before = self.arithmetic("isub", from, &one)?;
                let length = self.arithmetic("isub", to, &before)?;
                self.build(length, list.ty.clone(), Some(&list), |this, at| {
                    let at = this.arithmetic("iadd", &at, &before)?;
                    this.applied(&list, &at)
                })
            }
            ("::Len", [list]) => {
                let list = self.listed(list)?;
                self.length(&list)
            }
            ("::Append", [list, element]) => {
                let list = self.listed(list)?;
                let element = match self.types.resolve(&list.ty) {
                    Ty::List(own, _) => self.like(element, &own)?,
                    _ => element.clone(),
                };
                self.append(&list, &element)
            }
            ("::Head", [list]) => {
                let (list, first) = (self.listed(list)?, self.literal(&QuintValue::Int(0))?);
                self.nth(&list, &first)
            }
            ("::Tail", [list]) => {
                let list = self.listed(list)?;
                match &*list.node {
                    Node::List(elements) if !elements.is_empty() => self.list_of(elements[1..].to_vec()),
                    _ => self.make(Node::Rest(list.clone()), list.ty.clone()),
                }
            }
            _ => {
                let shown = op.trim_start_matches("::").trim_start_matches("tla:");
                Err(format!("the operator `{shown}` is not known, or not supported").into())
            }
        }
    }

    /// Returns `if condition then value`, whose value is needed only where the condition holds.
    pub fn given(&mut self, condition: QuintTerm, value: QuintTerm) -> Result<QuintTerm> {
        if matches!(&*condition.node, Node::Bool(true)) {
            return Ok(value);
        }
        let ty = value.ty.clone();
        self.make(Node::Given(condition, value), ty)
    }

    /// Returns a part of a definition: an operand of its conjunction or disjunction.
    pub fn part(&self, name: &str, number: &QuintExpr) -> Option<&'a QuintExpr> {
        let (QuintExpr::App { opcode, args }, QuintExpr::Int { value }) =
            (&self.definitions.get(name)?.expr, number)
        else {
            return None;
        };
        let at = usize::try_from(value.as_u64()?).ok()?.checked_sub(1)?;
        matches!(opcode.as_str(), "and" | "or").then(|| args.get(at))?
    }

    /// True if a name is that of a function that may use itself.
    fn is_recursive(&self, name: &str, env: &QuintEnv<'a>) -> bool {
        match (env.get(name), self.definitions.get(name)) {
            (Some(QuintBinding::Operator(operator, _)), _) => matches!(operator, QuintExpr::Lambda(_)),
            (None, Some(definition)) => definition.qualifier == RECURSIVE,
            _ => false,
        }
    }

    /// Returns the values that an argument may have that is not known: the domain of a recursive function, or the subsets of few constants.
    fn arguments(
        &mut self,
        key: &QuintTerm,
        operator: &'a QuintExpr,
        env: &QuintEnv<'a>,
    ) -> Result<Option<Vec<QuintValue>>> {
        if key.value().is_some() {
            return Ok(None);
        }
        if let QuintExpr::Lambda(lambda) = operator
            && let QuintExpr::App { opcode, args } = &*lambda.expr
            && let ("tla:over", [domain, _]) = (opcode.as_str(), &args[..])
            && let Some(domain) = self.attempt(domain, env)
            && let Some(members) = domain.members().filter(|members| members.len() <= MOST_CASES)
        {
            return Ok(Some(members));
        }
        let Ty::Set(_) = self.types.resolve(&key.ty) else { return Ok(None) };
        let Some(all) = self.candidates(key)? else { return Ok(None) };
        let all: Option<Vec<QuintValue>> = all.iter().map(|(member, _)| member.value()).collect();
        Ok(all.filter(|all| 1 << all.len().min(63) <= MOST_CASES).map(|all| powerset(&all)))
    }

    /// Applies a recursive function to an argument, if that is not known to each of its values.
    fn recursion(
        &mut self,
        operator: &'a QuintExpr,
        env: &QuintEnv<'a>,
        key: QuintTerm,
    ) -> Result<QuintTerm> {
        let apply = |this: &mut Self, key: QuintTerm| {
            this.recursing += 1;
            let found = this.within(|this| this.apply(operator, env, &[key]));
            this.recursing -= 1;
            found
        };
        let Some(cases) = self.arguments(&key, operator, env)? else { return apply(self, key) };
        let mut values = Vec::new();
        for case in &cases {
            let case = self.literal(case)?;
            values.push((self.comparison("=", &key, &case)?, apply(self, case)?));
        }
        let (any, value) = self.by_cases(values)?.ok_or("a function without a domain is applied")?;
        self.given(any, value)
    }

    /// Returns the list of a length with an element for each position.
    pub(crate) fn build(
        &mut self,
        length: QuintTerm,
        ty: Ty,
        like: Option<&QuintTerm>,
        element: impl FnOnce(&mut Self, QuintTerm) -> Result<QuintTerm>,
    ) -> Result<QuintTerm> {
        let one = self.literal(&QuintValue::Int(1))?;
        let positions = self.interval(one, length.clone())?;
        let name = self.names.ranging("n");
        let (bound, at) = self.ranging(name, positions)?;
        let body = element(self, at)?;
        let Ty::List(own, slot) = self.types.resolve(&ty) else {
            return Err("something that is no sequence is built".into());
        };
        self.types.flow(&body.ty, &own)?;
        let body = self.fitted(body, &own)?;
        self.types.grow(slot);
        self.make(Node::Build(bound, length, body, like.cloned()), ty)
    }

    /// Returns the condition that an action has a step.
    fn enabled(&mut self, action: &'a QuintExpr, env: &QuintEnv<'a>) -> Result<QuintTerm> {
        match action {
            QuintExpr::App { opcode, args } if opcode == "tla:angle" => {
                self.enabled_over(&args[0], Some(&args[1]), env)
            }
            _ => self.enabled_over(action, None, env),
        }
    }

    /// Returns the condition that an action has a step that changes a value.
    pub fn enabled_over(
        &mut self,
        action: &'a QuintExpr,
        over: Option<&'a QuintExpr>,
        env: &QuintEnv<'a>,
    ) -> Result<QuintTerm> {
        let (next, chosen) = (self.next.take(), self.names.chosen.clone());
        let found = self.some_step(action, over, env);
        // Names of bound variables stay taken, for this condition has them.
        (self.next, self.names.chosen) = (next, chosen);
        found
    }

    fn some_step(
        &mut self,
        action: &'a QuintExpr,
        over: Option<&'a QuintExpr>,
        env: &QuintEnv<'a>,
    ) -> Result<QuintTerm> {
        let mut able = Vec::new();
        for step in self.steps(action, env, &StepAlternative::default(), Gives::Next)? {
            let mut parts = step.conditions.clone();
            if let Some(over) = over
                && !self.may_change(over, env, &step)
            {
                self.next = Some(step.assigned.iter().cloned().collect());
                parts.push(self.unmoved(over, env)?.negation());
            }
            let mut formula = QuintTerm::all(parts);
            for param in step.params.iter().rev() {
                let Node::Name(own) = &*param.node else { continue };
                let ty = Ty::Set(Box::new(param.ty.clone()));
                let domain = self.make(Node::Universe, ty)?;
                let name = self.names.ranging(own);
                let (bound, term) = self.ranging(name, domain)?;
                formula = formula.with(own, &term);
                formula = self.make(Node::Quantified("exists", bound, formula), Ty::Bool)?;
            }
            able.push(formula);
        }
        Ok(QuintTerm::any(able))
    }

    /// True if a step leaves one of the variables free, so that it can have another value.
    fn may_change(&self, over: &'a QuintExpr, env: &QuintEnv<'a>, step: &StepAlternative) -> bool {
        self.places(over, env).into_iter().flatten().any(|place| {
            let own = self.variables.get(place).map(|(own, _)| own);
            own.is_some_and(|own| step.assigned.iter().all(|(assigned, _)| assigned != own))
        })
    }

    /// Returns a value in the form of a type: a tuple that is written where sequences are becomes one.
    pub fn like(&mut self, value: &QuintTerm, ty: &Ty) -> Result<QuintTerm> {
        match (self.types.resolve(ty), &*value.node) {
            (Ty::List(..), Node::MapBy(bound, body)) => {
                let Some(length) = self.length_of(&bound.domain)? else { return Ok(value.clone()) };
                let element = self.types.open();
                let list = self.types.list(element, 0);
                let (name, body) = (bound.name.clone(), body.clone());
                self.types.unify(&list, ty)?;
                self.build(length, list, None, |_, at| Ok(body.with(&name, &at)))
            }
            (Ty::List(..), _) if self.types.lacks_union(&value.ty, ty) => self.listed(value),
            (Ty::Map(..), Node::Tup(elements) | Node::List(elements)) if !elements.is_empty() => {
                let entry =
                    |(at, part): (i64, &QuintTerm)| Ok((self.literal(&QuintValue::Int(at))?, part.clone()));
                let entries = (1..).zip(elements).map(entry).collect::<Result<_>>()?;
                self.map_of(entries)
            }
            (Ty::Tup(tys), Node::Tup(parts)) if tys.len() == parts.len() => {
                let parts =
                    parts.iter().zip(&tys).map(|(part, ty)| self.like(part, ty)).collect::<Result<_>>()?;
                self.tuple_of(parts)
            }
            (Ty::Rec(tys), Node::Rec(fields)) => {
                let field = |(name, part): &(String, QuintTerm)| {
                    let ty = tys.iter().find(|(own, _)| own == name);
                    let part = ty.map_or(Ok(part.clone()), |(_, ty)| self.like(part, ty))?;
                    Ok((name.clone(), part))
                };
                let fields = fields.iter().map(field).collect::<Result<_>>()?;
                self.record_of(fields)
            }
            (Ty::Set(ty), Node::Set(members)) if !members.is_empty() => {
                let members = members.iter().map(|part| self.like(part, &ty)).collect::<Result<_>>()?;
                self.set_of(members)
            }
            (Ty::List(ty, _), Node::List(elements)) if !elements.is_empty() => {
                let elements = elements.iter().map(|part| self.like(part, &ty)).collect::<Result<_>>()?;
                self.list_of(elements)
            }
            _ => self.fitted(value.clone(), ty),
        }
    }

    /// Returns the length of the lists that are functions over a set: the integers from 1 on.
    fn length_of(&mut self, domain: &QuintTerm) -> Result<Option<QuintTerm>> {
        if let Node::Range(first, last) = &*domain.node {
            return Ok((first.value() == Some(QuintValue::Int(1))).then(|| last.clone()));
        }
        let Some(members) = domain.members() else { return Ok(None) };
        let count = i64::try_from(members.len()).unwrap_or(i64::MAX);
        if !members.iter().zip(1..).all(|(member, at)| *member == QuintValue::Int(at)) {
            return Ok(None);
        }
        Ok(Some(self.literal(&QuintValue::Int(count))?))
    }

    fn equal(&mut self, a: &QuintTerm, b: &QuintTerm) -> Result<QuintTerm> {
        let (a, b) = (self.like(a, &b.ty)?, self.like(b, &a.ty)?);
        if self.are_apart(&a.ty, &b.ty) {
            return Ok(QuintTerm::bool(false));
        }
        // Constants, too: TLC does not compare values of different sorts.
        self.comparable(&a.ty, &b.ty)?;
        self.comparison("=", &a, &b)
    }

    /// Returns the value of a function, record, tuple or sequence at an argument.
    fn applied(&mut self, function: &QuintTerm, key: &QuintTerm) -> Result<QuintTerm> {
        if let Node::MapBy(bound, body) = &*function.node
            && !body.binds()
            && let Ty::Set(own) = self.types.resolve(&bound.domain.ty)
            && let Ok(key) = self.like(key, &own)
        {
            let inside = self.member(&key, &bound.domain)?;
            let key = self.narrowed(&key, &own)?;
            return self.given(inside, body.with(&bound.name, &key));
        }
        match (self.types.resolve(&function.ty), key.value()) {
            (Ty::Union(slot), _) => {
                let sorts = self.sorts_with(slot, |ty| self.may_apply(ty, key));
                self.by_sort(function, slot, &sorts, |this, part| this.applied(&part, key))
            }
            (Ty::Map(own, ..), _) => {
                let key = self.like(key, &own)?;
                self.get(function, &key)
            }
            (Ty::Rec(_), Some(QuintValue::Str(field))) => self.field(function, &field),
            (Ty::Tup(_), Some(QuintValue::Int(at))) => self.field(function, &format!("_{at}")),
            (Ty::Tup(_), None) if matches!(&*function.node, Node::Tup(_)) => {
                let list = self.listed(function)?;
                self.applied(&list, key)
            }
            (Ty::List(..), _) => {
                let one = self.literal(&QuintValue::Int(1))?;
                let at = self.arithmetic("isub", key, &one)?;
                self.nth(function, &at)
            }
            (Ty::Open(_), _) => Err(UntranslatableReason::helped(
                "the type of something that is applied to an argument is not known",
                "give its variable a value in Init, or its type in an invariant such as TypeOK",
            )),
            _ => Err("something that is no function is applied to an argument".into()),
        }
    }

    /// Returns the names of the sorts of a union whose types satisfy a condition.
    fn sorts_with(&self, slot: TypeSlot, is_wanted: impl Fn(&Ty) -> bool) -> Vec<String> {
        let wanted = self.types.sorts(slot).iter().filter(|(_, ty)| is_wanted(&self.types.resolve(ty)));
        wanted.map(|(name, _)| name.clone()).collect()
    }

    /// True if a value of a type may be applied to an argument.
    fn may_apply(&self, ty: &Ty, key: &QuintTerm) -> bool {
        match (ty, key.value()) {
            (Ty::Map(own, ..), _) => {
                matches!(self.types.resolve(own), Ty::Open(_) | Ty::Union(_))
                    || TypeTable::sort_name(&self.types.resolve(own))
                        == TypeTable::sort_name(&self.types.resolve(&key.ty))
            }
            (Ty::List(..), _) => matches!(self.types.resolve(&key.ty), Ty::Int(_)),
            (Ty::Rec(fields), Some(QuintValue::Str(wanted))) => {
                fields.iter().any(|(name, _)| *name == wanted)
            }
            (Ty::Tup(parts), Some(QuintValue::Int(at))) => {
                usize::try_from(at).is_ok_and(|at| (1..=parts.len()).contains(&at))
            }
            _ => false,
        }
    }

    fn except(&mut self, old: &QuintTerm, key: &QuintTerm, value: &QuintTerm) -> Result<QuintTerm> {
        match (self.types.resolve(&old.ty), key.value()) {
            (Ty::Union(slot), _) => {
                let sorts = self.sorts_with(slot, |ty| self.may_apply(ty, key));
                self.by_sort(old, slot, &sorts, |this, part| {
                    let changed = this.except(&part, key, value)?;
                    this.fitted(changed, &Ty::Union(slot))
                })
            }
            (Ty::List(own, _), _) => {
                let length = self.length(old)?;
                let (ty, key) = (old.ty.clone(), key.clone());
                let value = self.like(value, &own)?;
                let (one, old) = (self.literal(&QuintValue::Int(1))?, old.clone());
                let above = self.comparison("<=", &one, &key)?;
                let below = self.comparison("<=", &key, &length)?;
                let changed = self.build(length, ty, Some(&old), |this, at| {
                    let here = this.comparison("=", &at, &key)?;
                    let other = this.applied(&old, &at)?;
                    this.choice(here, value, other)
                })?;
                self.given(QuintTerm::all(vec![above, below]), changed)
            }
            (Ty::Map(own, values, _), _) => {
                let (key, value) = (self.like(key, &own)?, self.like(value, &values)?);
                self.put(old, &key, &value, true)
            }
            (Ty::Rec(fields), Some(QuintValue::Str(field))) => {
                let value = match fields.iter().find(|(own, _)| *own == field) {
                    Some((_, ty)) => self.like(value, ty)?,
                    None => return Err(format!("the record has no field `{field}`").into()),
                };
                self.with_field(old, &field, &value)
            }
            (Ty::Tup(parts), Some(QuintValue::Int(at))) => {
                let part = |at_part: usize| {
                    if i64::try_from(at_part) == Ok(at) {
                        Ok(value.clone())
                    } else {
                        self.field(old, &format!("_{at_part}"))
                    }
                };
                let parts = (1..=parts.len()).map(part).collect::<Result<_>>()?;
                self.tuple_of(parts)
            }
            _ => Err("EXCEPT changes a sequence, or something of a type that is not known".into()),
        }
    }

    fn domain(&mut self, function: &QuintTerm) -> Result<QuintTerm> {
        match self.types.resolve(&function.ty) {
            Ty::Union(slot) => {
                let is_function =
                    |ty: &Ty| matches!(ty, Ty::Map(..) | Ty::List(..) | Ty::Tup(_) | Ty::Rec(_));
                let sorts = self.sorts_with(slot, is_function);
                self.by_sort(function, slot, &sorts, |this, part| this.domain(&part))
            }
            Ty::Rec(fields) => {
                let names = fields.into_iter().map(|(name, _)| QuintValue::Str(name)).collect();
                self.literal(&QuintValue::Set(names))
            }
            Ty::Tup(_) | Ty::List(..) => {
                let list = self.listed(function)?;
                let (one, length) = (self.literal(&QuintValue::Int(1))?, self.length(&list)?);
                self.interval(one, length)
            }
            _ => self.keys(function),
        }
    }

    /// Returns the first member that satisfies a condition, in an order of the members of its own.
    fn choose(&mut self, set: &'a QuintExpr, body: &'a QuintExpr, env: &QuintEnv<'a>) -> Result<QuintTerm> {
        let set = self.set(set, env)?;
        let mut may_be_constant = set.members().is_some_and(|all| all.len() <= MOST_CASES);
        let Some(candidates) = self.candidates(&set)? else {
            let name = self.parameter(body);
            let (bound, element) = self.ranging(name, set)?;
            let condition = self.apply(body, env, std::slice::from_ref(&element))?;
            return self.make(Node::Choose(bound, condition), element.ty.clone());
        };
        let mut found: Vec<(QuintTerm, QuintTerm)> = Vec::new();
        for (member, present) in candidates {
            // Written out, a condition on constants is a constant.
            let written = may_be_constant
                .then(|| self.unrolled(|this| this.apply(body, env, std::slice::from_ref(&member))))
                .and_then(Result::ok)
                .filter(|condition| matches!(&*condition.node, Node::Bool(_)));
            let condition = match written {
                Some(condition) => condition,
                None => {
                    (self.too_deep, may_be_constant) = (false, false);
                    self.apply(body, env, std::slice::from_ref(&member))?
                }
            };
            let condition = QuintTerm::all(vec![present, condition]);
            match &*condition.node {
                Node::Bool(false) => {}
                Node::Bool(true) => {
                    found.push((member, condition));
                    break;
                }
                _ => found.push((member, condition)),
            }
        }
        let Some((last, _)) = found.last().cloned() else {
            return Err("CHOOSE has nothing to choose from".into());
        };
        let any = QuintTerm::any(found.iter().map(|(_, condition)| condition.clone()).collect());
        let mut value = last;
        for (member, condition) in found.into_iter().rev().skip(1) {
            value = self.choice(condition, member, value)?;
        }
        self.given(any, value)
    }

    /// Returns all possible members of a set, in a fixed order, with the conditions that they are in it.
    fn candidates(&mut self, set: &QuintTerm) -> Result<Option<Vec<(QuintTerm, QuintTerm)>>> {
        if let Some(members) = set.members() {
            let members = members.iter().map(|member| Ok((self.literal(member)?, QuintTerm::bool(true))));
            return Ok(Some(members.collect::<Result<_>>()?));
        }
        match &*set.node {
            Node::Filter(bound, condition) => {
                let Some(all) = self.candidates(&bound.domain)? else { return Ok(None) };
                let inside = |(member, present): (QuintTerm, QuintTerm)| {
                    let own = condition.with(&bound.name, &member);
                    (member, QuintTerm::all(vec![present, own]))
                };
                Ok(Some(all.into_iter().map(inside).collect()))
            }
            Node::Infix("minus" | "intersect", all, other) => {
                let word = matches!(&*set.node, Node::Infix("minus", ..));
                let Some(all) = self.candidates(all)? else { return Ok(None) };
                let mut kept = Vec::new();
                for (member, present) in all {
                    let inside = self.member(&member, other)?;
                    let inside = if word { inside.negation() } else { inside };
                    kept.push((member, QuintTerm::all(vec![present, inside])));
                }
                Ok(Some(kept))
            }
            Node::Keys(map) => match self.types.resolve(&map.ty) {
                Ty::Map(_, _, slot) => match self.types.first_keys(slot) {
                    Some(keys) => {
                        let mut kept = Vec::new();
                        for key in keys {
                            let key = self.literal(&key)?;
                            let inside = self.make(Node::Infix("in", key.clone(), set.clone()), Ty::Bool)?;
                            kept.push((key, inside));
                        }
                        Ok(Some(kept))
                    }
                    None => Ok(None),
                },
                _ => Ok(None),
            },
            _ => Ok(None),
        }
    }

    /// Returns the set of the records whose fields are in sets.
    fn records(&mut self, args: &'a [QuintExpr], env: &QuintEnv<'a>) -> Result<QuintTerm> {
        let (mut fields, mut count) = (Vec::new(), 1_usize);
        for pair in args.chunks(2) {
            let [QuintExpr::Str { value: field }, set] = pair else { continue };
            let set = self.expression(set, env)?;
            let Some(members) = few_members(&set, MOST_RECORDS) else {
                return Err("a set of records is about sets that are not constant".into());
            };
            count = count.saturating_mul(members.len());
            if count > MOST_RECORDS {
                return Err(format!("a set has more than {MOST_RECORDS} records").into());
            }
            fields.push(members.into_iter().map(move |member| (field.clone(), member)));
        }
        let rows = fields.into_iter().multi_cartesian_product();
        let records = rows.map(|row| QuintValue::Rec(row.into_iter().collect()));
        self.literal(&QuintValue::Set(records.collect()))
    }

    /// True if a set may be infinite.
    pub fn is_endless(&self, set: &'a QuintExpr, env: &QuintEnv<'a>, depth: usize) -> bool {
        let inner = |set: &'a QuintExpr| depth < DEEPEST_SET && self.is_endless(set, env, depth + 1);
        match set {
            QuintExpr::Name { name } => match (env.get(name), self.definitions.get(name.as_str())) {
                (Some(QuintBinding::Operator(set, own)), _) => {
                    depth < DEEPEST_SET && self.is_endless(set, &own, depth + 1)
                }
                (None, Some(definition)) => {
                    depth < DEEPEST_SET && self.is_endless(&definition.expr, &QuintEnv::default(), depth + 1)
                }
                _ => matches!(name.as_str(), "Nat" | "Int" | "::STRING"),
            },
            QuintExpr::App { opcode, args } => match opcode.as_str() {
                "::Seq" => !self.definitions.contains_key("::Seq"),
                "setOfMaps" | "powerset" | "tuples" | "tla:union" | "tla:records" | "flatten" => {
                    args.iter().any(inner)
                }
                "filter" | "exclude" | "intersect" | "map" => args.first().is_some_and(inner),
                _ => false,
            },
            _ => false,
        }
    }

    /// Takes ranges of integers and lengths of sequences from the conditions of an invariant or constraint.
    pub fn typed_by(&mut self, expr: &'a QuintExpr, depth: usize) {
        match expr {
            _ if depth > DEEPEST_SET => {}
            QuintExpr::App { opcode, args } if opcode == "and" => {
                args.iter().for_each(|arg| self.typed_by(arg, depth + 1));
            }
            QuintExpr::Name { name } => {
                if let Some(definition) = self.definitions.get(name.as_str()).copied() {
                    self.typed_by(&definition.expr, depth + 1);
                }
            }
            _ if gives_type(expr, depth) => {
                self.typing = true;
                let _ = self.expression(expr, &QuintEnv::default());
                self.typing = false;
            }
            _ => {}
        }
    }

    /// Returns the condition that a value is in a set, which may be infinite.
    pub fn within_set(
        &mut self,
        element: &QuintTerm,
        set: &'a QuintExpr,
        env: &QuintEnv<'a>,
    ) -> Result<QuintTerm> {
        self.within(|inner| inner.in_set(element, set, env))
    }

    fn in_set(&mut self, element: &QuintTerm, set: &'a QuintExpr, env: &QuintEnv<'a>) -> Result<QuintTerm> {
        if let (Ty::Union(slot), Some(sorts)) = (self.types.resolve(&element.ty), self.sorts_of(set, env)) {
            return self.in_set_of_sorts((element, slot), set, env, &sorts);
        }
        if let Some((lengths, values, inner)) = self.bounded_sequences(set, env)? {
            let inside = self.in_sequences(element, values, &inner)?;
            let list = self.listed(element)?;
            let length = self.length(&list)?;
            if let (Ty::List(_, slot), Some(members)) = (self.types.resolve(&list.ty), lengths.members()) {
                let most = members.iter().filter_map(QuintValue::integer).max().unwrap_or(0);
                self.types.limit_length(slot, usize::try_from(most).unwrap_or(0));
                self.types.grow(slot);
            }
            let known = self.member(&length, &lengths)?;
            return Ok(QuintTerm::all(vec![known, inside]));
        }
        match set {
            QuintExpr::App { opcode, args } if self.operator(opcode, env).is_some() => {
                let Some((operator, outer)) = self.operator(opcode, env) else {
                    return self.member_of(element, set, env);
                };
                let (lambda, entered) = self.entered(operator, args, &outer, env)?;
                self.within_set(element, &lambda.expr, &entered).map_err(|found| inside(opcode, found))
            }
            QuintExpr::Name { name } if matches!(name.as_str(), "Nat" | "Int") => {
                match self.types.resolve(&element.ty) {
                    Ty::Int(_) | Ty::Open(_) => self.in_endless(element, name),
                    _ => Ok(QuintTerm::bool(false)),
                }
            }
            QuintExpr::Name { name } if name == "::STRING" => Err(UntranslatableReason::helped(
                "the set STRING is not supported",
                "write the strings: `{\"a\", \"b\"}`",
            )),
            QuintExpr::Name { name } if env.get(name).is_none() => {
                match self.definitions.get(name.as_str()).copied() {
                    Some(definition) => self.within_set(element, &definition.expr, &QuintEnv::default()),
                    None => self.member_of(element, set, env),
                }
            }
            QuintExpr::App { opcode, args } => match (opcode.as_str(), &args[..]) {
                ("setOfMaps", [keys, values]) => self.in_functions(element, (keys, values), env),
                ("tla:records", _) => self.in_records(element, args, env),
                ("::Seq", [set]) if !self.definitions.contains_key("::Seq") => {
                    self.in_sequences(element, set, env)
                }
                ("powerset", [all]) => self.within_all(element, all, env),
                ("tuples", _) => self.in_product(element, args, env),
                ("tla:union", [a, b]) => {
                    let (a, b) = (self.within_set(element, a, env)?, self.within_set(element, b, env)?);
                    Ok(QuintTerm::any(vec![a, b]))
                }
                ("flatten", [QuintExpr::App { opcode, args }]) if opcode == "Set" => {
                    let parts = args.iter().map(|set| self.within_set(element, set, env));
                    Ok(QuintTerm::any(parts.collect::<Result<_>>()?))
                }
                ("filter", [all, test])
                    if self.attempt(set, env).is_none_or(|set| set.members().is_none()) =>
                {
                    let inside = self.within_set(element, all, env)?;
                    Ok(QuintTerm::all(vec![inside, self.apply(test, env, std::slice::from_ref(element))?]))
                }
                ("exclude", [all, others]) if self.is_endless(all, env, 0) => {
                    let inside = self.within_set(element, all, env)?;
                    let outside = self.within_set(element, others, env)?.negation();
                    Ok(QuintTerm::all(vec![inside, outside]))
                }
                _ => self.member_of(element, set, env),
            },
            _ => self.member_of(element, set, env),
        }
    }

    /// Returns the condition that a value of several sorts is in a set, which has values of some of them.
    fn in_set_of_sorts(
        &mut self,
        (element, slot): (&QuintTerm, TypeSlot),
        set: &'a QuintExpr,
        env: &QuintEnv<'a>,
        sorts: &dyn Fn(&str) -> bool,
    ) -> Result<QuintTerm> {
        let known: Vec<String> = self.types.sorts(slot).keys().filter(|own| sorts(own)).cloned().collect();
        let mut any = Vec::new();
        for sort in known {
            let is = self.is(element, &sort)?;
            if matches!(&*is.node, Node::Bool(false)) {
                continue;
            }
            let part = self.payload_of_sort(element, slot, &sort)?;
            any.push(QuintTerm::all(vec![is, self.in_set(&part, set, env)?]));
        }
        Ok(QuintTerm::any(any))
    }

    /// Returns the operator that a name stands for, with its environment.
    fn operator(&self, name: &str, env: &QuintEnv<'a>) -> Option<(&'a QuintExpr, QuintEnv<'a>)> {
        match (env.get(name), self.definitions.get(name).copied()) {
            (Some(QuintBinding::Operator(operator, inner)), _) => Some((operator, inner)),
            (None, Some(definition)) => Some((&definition.expr, QuintEnv::default())),
            _ => None,
        }
        .filter(|(operator, _)| matches!(operator, QuintExpr::Lambda(_)))
    }

    /// Returns the set that others are filtered from, through names, with its environment.
    pub fn unfiltered(&self, set: &'a QuintExpr, env: &QuintEnv<'a>) -> (&'a QuintExpr, QuintEnv<'a>) {
        let (mut set, mut env) = (set, env.clone());
        for _ in 0..DEEPEST_SET {
            match set {
                QuintExpr::App { opcode, args } if opcode == "filter" => set = &args[0],
                QuintExpr::Name { name } if env.get(name).is_none() => {
                    let Some(definition) = self.definitions.get(name.as_str()) else { break };
                    (set, env) = (&definition.expr, QuintEnv::default());
                }
                _ => break,
            }
        }
        (set, env)
    }

    /// Takes `UNION {[1..n -> S] : n \in N}` apart: a set of sequences, with its lengths and the set of the elements.
    pub fn bounded_sequences(
        &mut self,
        set: &'a QuintExpr,
        env: &QuintEnv<'a>,
    ) -> Result<Option<(QuintTerm, &'a QuintExpr, QuintEnv<'a>)>> {
        if let QuintExpr::App { opcode, args } = set
            && let Some((operator, outer)) = self.operator(opcode, env)
        {
            let QuintExpr::Lambda(lambda) = operator else { return Ok(None) };
            if bounded_sequences(&lambda.expr).is_none() {
                return Ok(None);
            }
            let mut entered = outer;
            for (param, arg) in lambda.params.iter().zip(args) {
                entered = entered.with(&param.name, QuintBinding::Operator(arg, env.clone()));
            }
            return self.bounded_sequences(&lambda.expr, &entered);
        }
        let Some((lengths, values)) = bounded_sequences(set) else { return Ok(None) };
        let lengths = self.set(lengths, env)?;
        Ok(Some((lengths, values, env.clone())))
    }

    /// Returns a test of the names of sorts that a set written with brackets or an infinite one has.
    fn sorts_of(&self, set: &'a QuintExpr, env: &QuintEnv<'a>) -> Option<SortTest> {
        let one = |name: String| -> Option<SortTest> {
            Some(Box::new(move |own| TypeTable::may_equal(own, &name)))
        };
        match set {
            QuintExpr::Name { name } if matches!(name.as_str(), "Nat" | "Int") && env.get(name).is_none() => {
                one("Int".into())
            }
            QuintExpr::App { opcode, args } => match opcode.as_str() {
                "setOfMaps" => one("Fun".into()),
                "powerset" => one("Set".into()),
                "::Seq" => one("Seq".into()),
                "tuples" => one(format!("Tup{}", args.len())),
                "tla:records" => {
                    let mut fields: Vec<&str> = args
                        .iter()
                        .step_by(2)
                        .filter_map(|field| match field {
                            QuintExpr::Str { value } => Some(value.as_str()),
                            _ => None,
                        })
                        .collect();
                    fields.sort_unstable();
                    one(format!("Rec_{}", fields.join("_")))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns the condition that a value is a function between sets.
    fn in_functions(
        &mut self,
        element: &QuintTerm,
        (keys, values): (&'a QuintExpr, &'a QuintExpr),
        env: &QuintEnv<'a>,
    ) -> Result<QuintTerm> {
        let keys = self.expression(keys, env)?;
        let own = self.element(&keys)?;
        if matches!(self.types.resolve(&element.ty), Ty::Open(_)) {
            let value = self.types.open();
            let known = keys.members().map(|members| members.into_iter().collect());
            let map = self.types.map(own, value, known);
            self.types.unify(&element.ty, &map)?;
        }
        if let Ty::List(..) | Ty::Tup(_) = self.types.resolve(&element.ty) {
            let list = self.listed(element)?;
            let length = self.length(&list)?;
            let Some(wanted) = self.length_of(&keys)? else {
                return Err("a sequence is in a set of functions whose domain does not begin with 1".into());
            };
            let same = self.comparison("=", &length, &wanted)?;
            return Ok(QuintTerm::all(vec![same, self.in_sequences(&list, values, env)?]));
        }
        if !matches!(self.types.resolve(&element.ty), Ty::Map(..)) {
            return Err("something that is no function is in a set of functions".into());
        }
        let name = self.names.ranging("k");
        let (bound, key) = self.ranging(name, keys.clone())?;
        let value = self.get(element, &key)?;
        let inside = self.within_set(&value, values, env)?;
        let each = match &*inside.node {
            Node::Bool(true) => inside,
            _ => self.make(Node::Quantified("forall", bound, inside), Ty::Bool)?,
        };
        let same = self.keys(element)?;
        let same = self.comparison("=", &same, &keys)?;
        Ok(QuintTerm::all(vec![same, each]))
    }

    /// Returns the condition that a value is a tuple, or a sequence of that length, of members of sets.
    fn in_product(
        &mut self,
        element: &QuintTerm,
        sets: &'a [QuintExpr],
        env: &QuintEnv<'a>,
    ) -> Result<QuintTerm> {
        let mut parts = Vec::new();
        match self.types.resolve(&element.ty) {
            Ty::List(..) => {
                let wanted = self.literal(&QuintValue::Int(i64::try_from(sets.len()).unwrap_or(i64::MAX)))?;
                let length = self.length(element)?;
                parts.push(self.comparison("=", &length, &wanted)?);
            }
            Ty::Open(_) => {
                let tys = sets.iter().map(|_| self.types.open()).collect();
                self.types.unify(&element.ty, &Ty::Tup(tys))?;
            }
            _ => {}
        }
        for (at, set) in (1..).zip(sets) {
            let key = self.literal(&QuintValue::Int(at))?;
            let part = self.applied(element, &key)?;
            parts.push(self.within_set(&part, set, env)?);
        }
        Ok(QuintTerm::all(parts))
    }

    /// Returns the condition that a value is a record with fields in sets.
    fn in_records(
        &mut self,
        element: &QuintTerm,
        args: &'a [QuintExpr],
        env: &QuintEnv<'a>,
    ) -> Result<QuintTerm> {
        if matches!(self.types.resolve(&element.ty), Ty::Open(_)) {
            let mut fields = Vec::new();
            for pair in args.chunks(2) {
                let [QuintExpr::Str { value }, _] = pair else { continue };
                fields.push((value.clone(), self.types.open()));
            }
            fields.sort_by(|a, b| a.0.cmp(&b.0));
            self.types.unify(&element.ty, &Ty::Rec(fields))?;
        }
        let mut parts = Vec::new();
        for pair in args.chunks(2) {
            let [QuintExpr::Str { value: field }, set] = pair else { continue };
            let part = self.field(element, field)?;
            parts.push(self.within_set(&part, set, env)?);
        }
        Ok(QuintTerm::all(parts))
    }

    /// Returns the condition that a value is a sequence of members of a set.
    fn in_sequences(
        &mut self,
        element: &QuintTerm,
        set: &'a QuintExpr,
        env: &QuintEnv<'a>,
    ) -> Result<QuintTerm> {
        let list = self.listed(element)?;
        if let Node::List(elements) = &*list.node {
            let parts = elements.iter().map(|element| self.within_set(element, set, env));
            return Ok(QuintTerm::all(parts.collect::<Result<_>>()?));
        }
        let Ty::List(..) = self.types.resolve(&list.ty) else {
            return Err("something that is no sequence is in a set of sequences".into());
        };
        let (one, length) = (self.literal(&QuintValue::Int(1))?, self.length(&list)?);
        let indices = self.interval(one, length)?;
        let name = self.names.ranging("n");
        let (bound, at) = self.ranging(name, indices)?;
        let part = self.applied(&list, &at)?;
        let inside = self.within_set(&part, set, env)?;
        match &*inside.node {
            Node::Bool(true) => Ok(inside),
            _ => self.make(Node::Quantified("forall", bound, inside), Ty::Bool),
        }
    }

    fn member_of(
        &mut self,
        element: &QuintTerm,
        set: &'a QuintExpr,
        env: &QuintEnv<'a>,
    ) -> Result<QuintTerm> {
        let set = self.expression(set, env)?;
        if let Ty::Set(own) = self.types.resolve(&set.ty)
            && (self.chosen || matches!(self.types.resolve(&element.ty), Ty::Open(_)))
        {
            self.types.flow(&own, &element.ty)?;
        }
        let integers = match self.types.resolve(&element.ty) {
            Ty::Union(slot) => self.types.sorts(slot).get("Int").map(|ty| self.types.resolve(ty)),
            other => Some(other),
        };
        if self.typing
            && let (Some(Ty::Int(slot)), Some(members)) = (integers, set.members())
        {
            let numbers: Vec<i64> = members.iter().filter_map(QuintValue::integer).collect();
            if let (Some(lo), Some(hi)) = (numbers.iter().min(), numbers.iter().max()) {
                self.types.limit(slot, (lo.saturating_sub(1), hi.saturating_add(1)));
            }
        }
        let element = match self.types.resolve(&set.ty) {
            Ty::Set(own) => {
                let element = self.like(element, &own)?;
                let is_union = |ty: &Ty| matches!(self.types.resolve(ty), Ty::Union(_));
                let is_narrower = self.types.lacks_union(&own, &element.ty);
                if !is_union(&element.ty) && !is_narrower && !self.are_apart(&element.ty, &own) {
                    self.comparable(&element.ty, &own)?;
                }
                element
            }
            _ => element.clone(),
        };
        self.member(&element, &set)
    }

    /// Returns the condition that a set is a part of another one, which may be infinite.
    fn within_all(&mut self, set: &QuintTerm, all: &'a QuintExpr, env: &QuintEnv<'a>) -> Result<QuintTerm> {
        let set = &self.of_sort(set, "Set")?;
        let own = self.element(set)?;
        let finite = self.attempt(all, env);
        if let Some(all) = finite {
            if let Ty::Set(element) = self.types.resolve(&all.ty) {
                let _ = self.types.flow(&element, &own);
            }
            if let (Some(QuintValue::Set(a)), Some(QuintValue::Set(b))) = (set.value(), all.value()) {
                return Ok(QuintTerm::bool(a.is_subset(&b)));
            }
            if set.members().is_some_and(|members| members.is_empty()) {
                return Ok(QuintTerm::bool(true));
            }
            return self.subset(set, &all);
        }
        let name = self.names.ranging("e");
        let (bound, element) = self.ranging(name, set.clone())?;
        let inside = self.within_set(&element, all, env)?;
        match &*inside.node {
            Node::Bool(true) => Ok(inside),
            _ => self.make(Node::Quantified("forall", bound, inside), Ty::Bool),
        }
    }

    fn attempt(&mut self, expr: &'a QuintExpr, env: &QuintEnv<'a>) -> Option<QuintTerm> {
        self.expression(expr, env).ok()
    }

    /// Returns an expression in the next state, as far as this is known.
    pub fn prime(&mut self, inner: &'a QuintExpr, env: &QuintEnv<'a>) -> Result<QuintTerm> {
        let term = self.expression(inner, env)?;
        self.after(term)
    }

    /// Returns the value that a term has in the next state.
    pub fn after(&mut self, mut term: QuintTerm) -> Result<QuintTerm> {
        let Some(next) = self.next.clone() else {
            return Err("the next state is read where there is none".into());
        };
        let variables: Vec<(String, Ty)> = self.variables.values().cloned().collect();
        let mut new = Vec::new();
        for (variable, ty) in variables {
            if !term.mentions(&variable) {
                continue;
            }
            let Some(value) = next.get(&variable) else {
                return Err(UntranslatableReason::helped(
                    format!("`{variable}'` is read before it gets a value"),
                    "write `x' = …` or `x' \\in …`: the variable gets no value, or depends on itself",
                )
                .of(ReasonKind::ReadBefore));
            };
            let between = format!("#{variable}");
            let name = self.make(Node::Name(between.clone()), ty)?;
            term = term.with(&variable, &name);
            new.push((between, value.clone()));
        }
        Ok(new.iter().fold(term, |term, (between, value)| term.with(between, value)))
    }

    /// Returns the variables of `<<x, y>>`, also by names of definitions.
    pub fn places(&self, expr: &'a QuintExpr, env: &QuintEnv<'a>) -> Option<Vec<&'a str>> {
        self.places_within(expr, env, 0)
    }

    fn places_within(&self, expr: &'a QuintExpr, env: &QuintEnv<'a>, depth: usize) -> Option<Vec<&'a str>> {
        let depth = Some(depth + 1).filter(|&depth| depth < DEEPEST_SET)?;
        match expr {
            QuintExpr::App { opcode, args } if opcode == "tla:tuple" => {
                let all = args.iter().map(|arg| self.places_within(arg, env, depth));
                let all = all.collect::<Option<Vec<_>>>()?;
                Some(all.concat())
            }
            QuintExpr::Name { name } => {
                if let Some((&variable, _)) = self.variables.get_key_value(name.as_str()) {
                    return Some(vec![variable]);
                }
                if let Some(QuintBinding::Operator(expr, inner)) = env.get(name) {
                    return self.places_within(expr, &inner, depth);
                }
                let definition = self.definitions.get(name.as_str()).copied()?;
                self.places_within(&definition.expr, &QuintEnv::default(), depth)
            }
            _ => None,
        }
    }
}

/// True if a condition says which values there are, for each of some elements; a constraint says only how long sequences get.
fn gives_type(expr: &QuintExpr, depth: usize) -> bool {
    let QuintExpr::App { opcode, args } = expr else { return false };
    match (opcode.as_str(), &args[..]) {
        ("tla:in" | "tla:subset", _) => true,
        ("ilt" | "ilte", [QuintExpr::App { opcode, .. }, _]) => opcode == "::Len",
        ("forall", [_, QuintExpr::Lambda(lambda)]) => {
            depth < DEEPEST_SET && gives_type(&lambda.expr, depth + 1)
        }
        ("and", _) => depth < DEEPEST_SET && args.iter().all(|arg| gives_type(arg, depth + 1)),
        _ => false,
    }
}

/// Returns N and S of `UNION {[1..n -> S] : n \in N}`.
fn bounded_sequences(set: &QuintExpr) -> Option<(&QuintExpr, &QuintExpr)> {
    let QuintExpr::App { opcode, args } = set else { return None };
    let ("flatten", [QuintExpr::App { opcode, args }]) = (opcode.as_str(), &args[..]) else { return None };
    let ("map", [lengths, QuintExpr::Lambda(lambda)]) = (opcode.as_str(), &args[..]) else { return None };
    let QuintExpr::App { opcode, args } = &*lambda.expr else { return None };
    let ("setOfMaps", [QuintExpr::App { opcode: to, args: ends }, values]) = (opcode.as_str(), &args[..])
    else {
        return None;
    };
    match (to.as_str(), &ends[..], &lambda.params[..]) {
        ("to", [QuintExpr::Int { value }, QuintExpr::Name { name }], [param])
            if value.as_i64() == Some(1) && *name == param.name =>
        {
            Some((lengths, values))
        }
        _ => None,
    }
}
