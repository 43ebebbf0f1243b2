//! Operators of TLA+ whose meaning depends on types, and those of its standard modules.

use super::specification::written;
use crate::quint::elaborate::{QuintBinding, QuintElaborator, QuintEnv, Result, UntranslatableReason};
use crate::quint::ir::QuintExpr;
use crate::quint::term::{Node, QuintTerm};
use crate::quint::types::Ty;
use crate::quint::value::QuintValue;
use std::collections::BTreeMap;

/// The greatest number of records in a set that is written out.
const MOST_RECORDS: usize = 4096;

/// The greatest depth of sets within sets, and of definitions that stand for them.
const DEEPEST_SET: usize = 64;

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
            ("tla:anything", [QuintExpr::Str { value }]) => Err(UntranslatableReason {
                message: format!("`CHOOSE {value}` has no set to choose from"),
                help: Some("give the definition a model value, as TLC needs it: `CONSTANT None = None`"),
            }),
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
            ("::Assert", [condition, _]) => {
                let condition = self.expression(condition, env)?;
                self.make(Node::Given(condition, QuintTerm::bool(true)), Ty::Bool)
            }
            ("::Print", [_, value]) => self.expression(value, env),
            ("::PrintT", [_]) => Ok(QuintTerm::bool(true)),
            // Sets that have a value are finite; `Nat` and the like are refused.
            ("::IsFiniteSet", [set]) => self.expression(set, env).map(|_| QuintTerm::bool(true)),
            (
                "tla:always" | "tla:eventually" | "tla:leads" | "tla:weak" | "tla:strong" | "tla:square"
                | "tla:angle" | "tla:enabled",
                _,
            ) => Err(UntranslatableReason {
                message: match op {
                    "tla:enabled" => "`ENABLED` is not supported".into(),
                    _ => format!("`{}` is temporal, and a part of a formula about states", written(op)),
                },
                help: Some(match op {
                    "tla:enabled" => "write the conditions of the action",
                    _ => "temporal formulas belong in SPECIFICATION and PROPERTY",
                }),
            }),
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
            ("tla:union", [a, b]) => self.combined("union", a, b, |a, b| a.union(b).cloned().collect()),
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
            ("tla:concat", [a, b]) => {
                let (a, b) = (self.listed(a)?, self.listed(b)?);
                match (&*a.node, &*b.node) {
                    (_, Node::List(elements)) => {
                        elements.iter().try_fold(a.clone(), |list, element| self.append(&list, element))
                    }
                    _ => Err(UntranslatableReason {
                        message: "`\\o` appends a sequence that is not written out".into(),
                        help: Some("append single elements: `Append(s, e)`"),
                    }),
                }
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
            ("::Cardinality", [set]) => self.size(set),
            _ => {
                let shown = op.trim_start_matches("::").trim_start_matches("tla:");
                match op {
                    "::SubSeq" | "::SelectSeq" => Err(UntranslatableReason {
                        message: format!("`{shown}` is not supported"),
                        help: Some("single elements: `Append(s, e)`, `Head(s)`, `Tail(s)`, `s[1]`"),
                    }),
                    _ => Err(format!("the operator `{shown}` is not known, or not supported").into()),
                }
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

    /// Returns a tuple as a sequence; other values as they are.
    fn listed(&mut self, value: &QuintTerm) -> Result<QuintTerm> {
        match &*value.node {
            Node::Tup(parts) => self.list_of(parts.clone()),
            _ if matches!(self.types.resolve(&value.ty), Ty::Open(_)) => {
                let element = self.types.open();
                let list = self.types.list(element, 0);
                self.types.unify(&value.ty, &list)?;
                Ok(value.clone())
            }
            _ => Ok(value.clone()),
        }
    }

    /// Returns a value in the form of a type: a tuple that is written where sequences are becomes one.
    pub fn like(&mut self, value: &QuintTerm, ty: &Ty) -> Result<QuintTerm> {
        match (self.types.resolve(ty), &*value.node) {
            (Ty::List(..), Node::Tup(_)) => self.listed(value),
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
            _ => Ok(value.clone()),
        }
    }

    fn equal(&mut self, a: &QuintTerm, b: &QuintTerm) -> Result<QuintTerm> {
        let (a, b) = (self.like(a, &b.ty)?, self.like(b, &a.ty)?);
        // Constants, too: TLC does not compare values of different sorts.
        self.comparable(&a.ty, &b.ty)?;
        self.comparison("=", &a, &b)
    }

    /// Returns the value of a function, record, tuple or sequence at an argument.
    fn applied(&mut self, function: &QuintTerm, key: &QuintTerm) -> Result<QuintTerm> {
        match (self.types.resolve(&function.ty), key.value()) {
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
            (Ty::Open(_), _) => Err(UntranslatableReason {
                message: "the type of something that is applied to an argument is not known".into(),
                help: Some("give its variable a value in Init, or its type in an invariant such as TypeOK"),
            }),
            _ => Err("something that is no function is applied to an argument".into()),
        }
    }

    fn except(&mut self, old: &QuintTerm, key: &QuintTerm, value: &QuintTerm) -> Result<QuintTerm> {
        match (self.types.resolve(&old.ty), key.value()) {
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
        let set = self.expression(set, env)?;
        let Some(candidates) = self.candidates(&set)? else {
            return Err(UntranslatableReason {
                message: "CHOOSE is about a set that depends on the state".into(),
                help: Some("choose from a constant set: `CHOOSE x \\in S : x \\in T /\\ P`"),
            });
        };
        let mut found: Vec<(QuintTerm, QuintTerm)> = Vec::new();
        for (member, present) in candidates {
            let condition = self.apply(body, env, std::slice::from_ref(&member))?;
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
        let mut rows: Vec<BTreeMap<String, QuintValue>> = vec![BTreeMap::new()];
        for pair in args.chunks(2) {
            let [QuintExpr::Str { value: field }, set] = pair else { continue };
            let set = self.expression(set, env)?;
            let Some(members) = set.members() else {
                return Err("a set of records is about sets that are not constant".into());
            };
            if rows.len() * members.len() > MOST_RECORDS {
                return Err(format!("a set has more than {MOST_RECORDS} records").into());
            }
            let with = |row: &BTreeMap<String, QuintValue>, member: &QuintValue| {
                let mut row = row.clone();
                row.insert(field.clone(), member.clone());
                row
            };
            rows = rows
                .iter()
                .flat_map(|row| members.iter().map(|member| with(row, member)).collect::<Vec<_>>())
                .collect();
        }
        self.literal(&QuintValue::Set(rows.into_iter().map(QuintValue::Rec).collect()))
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
                "::Seq" => true,
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
        match set {
            QuintExpr::Name { name } if matches!(name.as_str(), "Nat" | "Int") => {
                self.in_endless(element, name)
            }
            QuintExpr::Name { name } if name == "::STRING" => Err(UntranslatableReason {
                message: "the set STRING is not supported".into(),
                help: Some("write the strings: `{\"a\", \"b\"}`"),
            }),
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
                ("tuples", _) => {
                    let mut parts = Vec::new();
                    for (at, set) in (1..).zip(args) {
                        let key = self.literal(&QuintValue::Int(at))?;
                        if matches!(self.types.resolve(&element.ty), Ty::Open(_)) {
                            let tys = args.iter().map(|_| self.types.open()).collect();
                            self.types.unify(&element.ty, &Ty::Tup(tys))?;
                        }
                        let part = self.applied(element, &key)?;
                        parts.push(self.within_set(&part, set, env)?);
                    }
                    Ok(QuintTerm::all(parts))
                }
                ("tla:union", [a, b]) => {
                    let (a, b) = (self.within_set(element, a, env)?, self.within_set(element, b, env)?);
                    Ok(QuintTerm::any(vec![a, b]))
                }
                _ => self.member_of(element, set, env),
            },
            _ => self.member_of(element, set, env),
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
        if self.typing
            && let (Ty::Int(slot), Some(members)) = (self.types.resolve(&element.ty), set.members())
        {
            let numbers: Vec<i64> = members.iter().filter_map(QuintValue::integer).collect();
            if let (Some(lo), Some(hi)) = (numbers.iter().min(), numbers.iter().max()) {
                self.types.limit(slot, (lo.saturating_sub(1), hi.saturating_add(1)));
            }
        }
        let element = match self.types.resolve(&set.ty) {
            Ty::Set(own) => {
                let element = self.like(element, &own)?;
                self.comparable(&element.ty, &own)?;
                element
            }
            _ => element.clone(),
        };
        self.member(&element, &set)
    }

    /// Returns the condition that a set is a part of another one, which may be infinite.
    fn within_all(&mut self, set: &QuintTerm, all: &'a QuintExpr, env: &QuintEnv<'a>) -> Result<QuintTerm> {
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
            self.types.unify(&set.ty, &all.ty)?;
            return self.make(Node::Infix("subset", set.clone(), all), Ty::Bool);
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
        let mut term = self.expression(inner, env)?;
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
                return Err(UntranslatableReason {
                    message: format!("`{variable}'` is read before it gets a value"),
                    help: Some("write `x' = …` or `x' \\in …` before, as TLC needs it"),
                });
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
