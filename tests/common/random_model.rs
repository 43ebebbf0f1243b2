//! Random small models, built directly as checked models, for differential tests.
//!
//! `random_model(seed)` is a pure function of its seed. Every model has a few variables of mixed types,
//! one to four actions, one invariant (property 0) and one vocabulary; at least four states are
//! reachable within [`STEPS`] steps, some only by two, there are at most [`TRACES`] traces of at most that
//! many steps, and about half of the models violate their invariant within them, most of those not in
//! an initial state. `tests/explore_random.rs` measures it.
#![allow(dead_code, clippy::unwrap_used)]

use super::build::*;
use super::random::Random;
use cladist::diagnostics::Span;
use cladist::explore::{initial_states, successors};
use cladist::model::expr::*;
use cladist::model::types::*;
use cladist::model::value::*;
use cladist::model::*;
use std::collections::BTreeMap;
use std::sync::Arc;

/// All guarantees are about traces of at most this many steps.
pub const STEPS: usize = 4;

/// The most traces of at most [`STEPS`] steps.
pub const TRACES: u64 = 3_000;

/// The most states the variables' types allow, reachable or not.
pub const STATES: u64 = 400;

/// The model of a seed.
pub fn random_model(seed: u64) -> Model {
    let model = (0..).find_map(|attempt| Generator::new(seed, attempt).model()).unwrap();
    Model { integers: integers(seed), ..model }
}

/// A model without actions whose initial states are described by one or two larger formulas.
pub fn random_start(seed: u64) -> Model {
    let model = (0..).find_map(|attempt| Generator::new(!seed, attempt).start()).unwrap();
    Model { integers: integers(seed), ..model }
}

/// The integers of every other model are bits.
fn integers(seed: u64) -> IntegerEncoding {
    if seed.is_multiple_of(2) { IntegerEncoding::Binary } else { IntegerEncoding::Automatic }
}

/// What an expression may mention.
#[derive(Clone, Default)]
struct Names {
    next: bool,
    labels: bool,
    locals: Vec<(LocalId, Type)>,
}

/// A variant: one field that all constructors have, one that is an option in its only one, and others.
fn letter() -> RecordDecl {
    let agent = Type::Enum(EnumId(1));
    let field = |name: &str, ty: Type| (name.to_owned(), ty);
    let payload = |parts: &[(usize, Type)]| {
        parts.iter().map(|(field, ty)| Payload { field: *field, ty: ty.clone() }).collect::<Vec<_>>()
    };
    let constructor = |name: &str, payload: Vec<Payload>| Constructor { name: name.to_owned(), payload };
    RecordDecl {
        name: "Letter".into(),
        fields: vec![
            field(RecordDecl::CONSTRUCTOR, Type::Enum(EnumId(3))),
            field("n", int(0, 1)),
            field("who", agent.clone().optional()),
            field("mark", agent.clone().optional()),
            field("yes", Type::Bool.optional()),
        ],
        constructors: vec![
            constructor("Hello", payload(&[(2, agent.clone()), (1, int(0, 1))])),
            constructor("Offer", payload(&[(1, int(0, 1)), (3, agent.optional()), (4, Type::Bool)])),
            constructor("Ping", payload(&[(1, int(0, 1))])),
        ],
        collection: None,
        span: Span::default(),
    }
}

/// A definition that ties agents and phases: each agent to a phase, or two phases to agents.
fn mate(locals: &mut u32, which: u64) -> Function {
    let (agents, phases) = (EnumId(1), EnumId(2));
    let (from, to) = if which < 2 { (agents, phases) } else { (phases, agents) };
    let id = LocalId(*locals);
    *locals += 1;
    let value = |id, n| constant(Value::Enum(id, n), Type::Enum(id));
    let is = |n| eq(local(id, Type::Enum(from)), value(from, n));
    let (ty, body) = match which {
        0 => (Type::Enum(to), if_then_else(is(0), value(to, 0), value(to, 1))),
        1 => (Type::Enum(to), if_then_else(is(0), value(to, 2), value(to, 0))),
        _ => {
            let second = if_then_else(is(1), value(to, 0), none(Type::Enum(to)));
            (Type::Enum(to).optional(), if_then_else(is(0), value(to, 1), second))
        }
    };
    let param = Local { name: "one".into(), local: id, ty: Type::Enum(from) };
    let body = Expr { ty: ty.clone(), ..body };
    Function { name: "mate".into(), param, ty, body }
}

struct Generator {
    rng: Random,
    model: Model,
    enums: Vec<EnumId>,
}

impl Generator {
    fn new(seed: u64, attempt: u64) -> Self {
        let mut rng = Random::new(seed.wrapping_mul(1009).wrapping_add(attempt));
        let actions = ["go", "put", "swap", "tick"];
        let used = 1 + rng.below(4);
        let mut types = Types::default();
        types.enums.push(enumeration("Action", &actions[..used]));
        types.enums.push(enumeration("Agent", &["Ann", "Bob"]));
        types.enums.push(enumeration("Phase", &["Idle", "Busy", "Done"]));
        types.records.push(RecordDecl {
            name: "Pair".into(),
            fields: vec![("who".into(), Type::Enum(EnumId(1))), ("n".into(), int(0, 1))],
            constructors: Vec::new(),
            collection: None,
            span: Span::default(),
        });
        types.records.push(RecordDecl {
            name: "Note".into(),
            fields: vec![("to".into(), Type::Enum(EnumId(1)).optional()), ("read".into(), Type::Bool)],
            constructors: Vec::new(),
            collection: None,
            span: Span::default(),
        });
        types.records.push(RecordDecl {
            name: "Vote".into(),
            fields: vec![("yes".into(), Type::Bool.optional()), ("n".into(), int(0, 1))],
            constructors: Vec::new(),
            collection: None,
            span: Span::default(),
        });
        types.enums.push(enumeration("Letter.constructor", &["Hello", "Offer", "Ping"]));
        types.records.push(letter());
        let collection = |kind, element, most| {
            RecordDecl::of_collection(Collection { kind, element, most }, "c".into(), Span::default())
        };
        types.records.push(collection(CollectionKind::Bag, Type::Enum(EnumId(1)), 2));
        types.records.push(collection(CollectionKind::Sequence, int(0, 1), 2));
        let mut model = empty_model(&format!("random_{seed}"), types, EnumId(0));
        model.actions = actions[..used].iter().map(|name| action(name)).collect();
        if seed % 4 < 3 {
            model.functions.push(mate(&mut model.locals, seed % 4));
        }
        Self { rng, model, enums: vec![EnumId(1), EnumId(2)] }
    }

    /// The model, unless it turns out to be too dull or too large.
    fn model(mut self) -> Option<Model> {
        let count = 2 + self.rng.below(3);
        for i in 0..count {
            let ty = self.variable_type();
            self.model.variables.push(variable(["x", "y", "z", "w"][i], ty));
        }
        if self.states() > STATES {
            return None;
        }
        for i in 0..count {
            self.init_of(i);
        }
        for i in 0..self.model.actions.len() {
            self.action(i);
        }
        if self.rng.percent(25) {
            let expr = or(self.formula(&Names::default(), 1), self.formula(&Names::default(), 1));
            self.model.assumptions.push(Assumption { expr, step: false, span: Span::default() });
        }
        if self.rng.percent(25) {
            let names = Names { next: true, ..Names::default() };
            let mut expr = or(self.formula(&names, 1), self.formula(&names, 1));
            let mut step = false;
            expr.walk(&mut |e| step |= matches!(e.kind, ExprKind::Next(_)));
            if !step {
                expr = or(expr, self.changes());
            }
            self.model.assumptions.push(Assumption { expr, step: true, span: Span::default() });
        }
        let reached = self.reached()?;
        self.property(&reached)?;
        self.predicates();
        self.vocabulary();
        Some(self.model)
    }

    fn start(mut self) -> Option<Model> {
        self.model.actions.clear();
        for name in ["x", "y", "z"] {
            let ty = match self.rng.below(3) {
                0 => Type::Set(Arc::new(Type::Enum(EnumId(2)))),
                _ => self.variable_type(),
            };
            self.model.variables.push(variable(name, ty));
        }
        if self.states() > STATES {
            return None;
        }
        for _ in 0..1 + self.rng.below(2) {
            let formula = self.formula(&Names::default(), 4);
            self.model.init.push(formula);
        }
        Some(self.model)
    }

    /// How many states the types allow.
    fn states(&self) -> u64 {
        let sizes = self.model.variables.iter().map(|v| self.model.types.cardinality(&v.ty));
        sizes.fold(1, u64::saturating_mul)
    }

    fn new_local(&mut self) -> LocalId {
        self.model.locals += 1;
        LocalId(self.model.locals - 1)
    }

    // Types and values.

    fn scalar_type(&mut self) -> Type {
        match self.rng.below(4) {
            0 => Type::Bool,
            1 => {
                let lo = self.rng.below(3) as i64 - 1;
                int(lo, lo + 1 + self.rng.below(3) as i64)
            }
            _ => Type::Enum(*self.rng.pick(&self.enums)),
        }
    }

    fn variable_type(&mut self) -> Type {
        let element = Type::Enum(*self.rng.pick(&self.enums));
        match self.rng.below(11) {
            0..=3 => self.scalar_type(),
            4 => self.scalar_type().optional(),
            5 => Type::Set(Arc::new(element)),
            6 => Type::Record(RecordId(self.rng.below(6) as u32)),
            7 => Type::Record(RecordId(self.rng.below(6) as u32)).optional(),
            8 => Type::Map(Arc::new(Type::Enum(EnumId(1))), Arc::new(self.scalar_type())),
            9 => Type::Map(Arc::new(int(0, 1)), Arc::new(self.scalar_type().optional())),
            _ => {
                let pair = Type::Record(RecordId(2 * self.rng.below(2) as u32));
                let set = Type::Set(Arc::new(Type::Enum(EnumId(1))));
                let inner = if self.rng.percent(50) { pair } else { set };
                Type::Map(Arc::new(Type::Enum(EnumId(1))), Arc::new(inner))
            }
        }
    }

    fn value(&mut self, ty: &Type) -> Value {
        self.rng.pick(&self.model.types.values(ty)).clone()
    }

    fn constant(&mut self, ty: &Type) -> Expr {
        constant(self.value(ty), ty.clone())
    }

    fn all_of(&self, ty: &Type) -> Expr {
        let values = self.model.types.values(ty).into_iter().collect();
        constant(Value::Set(values), Type::Set(Arc::new(ty.clone())))
    }

    fn var(&self, at: usize) -> Expr {
        expr(ExprKind::Var(VarId(at as u32)), self.model.variables[at].ty.clone())
    }

    fn next_var(&self, at: usize) -> Expr {
        expr(ExprKind::Next(VarId(at as u32)), self.model.variables[at].ty.clone())
    }

    // Expressions.

    /// Everything that can be named: variables and their parts, bound names, labels.
    fn terms(&mut self, names: &Names) -> Vec<Expr> {
        let mut whole: Vec<Expr> = (0..self.model.variables.len()).map(|i| self.var(i)).collect();
        if names.next {
            whole.extend((0..self.model.variables.len()).map(|i| self.next_var(i)));
        }
        whole.extend(names.locals.iter().map(|(id, ty)| local(*id, ty.clone())));
        if names.labels {
            whole.push(expr(ExprKind::ActionLabel, Type::Enum(EnumId(0)).optional()));
            for (action, a) in self.model.actions.iter().enumerate() {
                for (param, p) in a.params.iter().enumerate() {
                    whole.push(expr(ExprKind::LabelArg { action, param }, p.ty.clone().optional()));
                }
            }
        }
        let mut terms = Vec::new();
        while let Some(term) = whole.pop() {
            match term.ty.inner().clone() {
                Type::Record(id) => {
                    let fields = 0..self.model.types.record(id).fields.len();
                    whole.extend(fields.map(|f| field(&self.model.types, term.clone(), f)));
                }
                Type::Map(key, _) => {
                    let keys = self.model.types.values(&key);
                    whole.extend(keys.into_iter().map(|k| index(term.clone(), constant(k, (*key).clone()))));
                    for (id, ty) in &names.locals {
                        if ty.inner() == &*key {
                            whole.push(index(term.clone(), local(*id, ty.clone())));
                        }
                    }
                }
                _ => {}
            }
            terms.push(term);
        }
        terms.reverse();
        terms
    }

    fn term(&mut self, names: &Names, suits: impl Fn(&Type) -> bool) -> Option<Expr> {
        let terms: Vec<Expr> = self.terms(names).into_iter().filter(|t| suits(&t.ty)).collect();
        if terms.is_empty() { None } else { Some(self.rng.pick(&terms).clone()) }
    }

    /// An expression that may be assigned to a place of type `ty`. Integers may leave the range.
    #[expect(clippy::too_many_lines, reason = "one case for each kind of expression")]
    fn of_type(&mut self, ty: &Type, names: &Names, depth: usize) -> Expr {
        if depth > 0 {
            let deeper = depth - 1;
            match (ty, self.rng.below(6)) {
                (Type::Bool, 0 | 1) => return self.formula(names, deeper),
                (_, 0) => {
                    let cond = self.formula(names, deeper);
                    return if_then_else(
                        cond,
                        self.of_type(ty, names, deeper),
                        self.of_type(ty, names, deeper),
                    );
                }
                (_, 1) if !ty.is_option() => {
                    if let Some(term) = self.term(names, |t| t.is_option() && comparable(t, ty)) {
                        return otherwise(term, self.of_type(ty, names, deeper));
                    }
                }
                (_, 2) => {
                    let value = self.scalar_type();
                    let value = self.of_type(&value, names, deeper);
                    let id = self.new_local();
                    let mut inner = names.clone();
                    inner.locals.push((id, value.ty.clone()));
                    let body = self.of_type(ty, &inner, deeper);
                    let (ty, mut bindings) = (body.ty.clone(), vec![(id, value)]);
                    // One list of names rather than one inside the other.
                    let body = match body.kind {
                        ExprKind::Let { bindings: others, body } => {
                            bindings.extend(others);
                            body
                        }
                        _ => Box::new(body),
                    };
                    return expr(ExprKind::Let { bindings, body }, ty);
                }
                (Type::Int { .. }, 3 | 4) => {
                    let left = self.of_type(ty, names, deeper);
                    let right =
                        if self.rng.percent(70) { number(1) } else { self.of_type(ty, names, deeper) };
                    if !left.ty.is_option() && !right.ty.is_option() {
                        let ops = [Op::Add, Op::Add, Op::Sub, Op::Mul];
                        return arithmetic(*self.rng.pick(&ops), left, right);
                    }
                }
                (Type::Int { .. }, 5) => {
                    if let Some(set) = self.term(names, |t| matches!(t, Type::Set(_))) {
                        return self.size(set);
                    }
                }
                (Type::Set(element), 3 | 4) => {
                    let op = *self.rng.pick(&[Op::Union, Op::Union, Op::Minus, Op::Intersect]);
                    let member = self.of_type(element, names, deeper);
                    let right = match self.rng.percent(60) {
                        true => set_literal(vec![member], (**element).clone()),
                        false => self.of_type(ty, names, deeper),
                    };
                    return set_operator(op, self.of_type(ty, names, deeper), right);
                }
                (Type::Set(element), 5) => {
                    let set = self.of_type(ty, names, deeper);
                    let id = self.new_local();
                    let mut inner = names.clone();
                    inner.locals.push((id, (**element).clone()));
                    let cond = Box::new(self.formula(&inner, deeper));
                    let ty = set.ty.clone();
                    return expr(ExprKind::Filter { local: id, set: Box::new(set), cond }, ty);
                }
                (Type::Record(id), 3..=5) if self.model.types.record(*id).is_variant() => {
                    if let Some(made) = self.constructed(*id, names, deeper) {
                        return made;
                    }
                }
                (Type::Record(id), 3..=5) if !self.model.types.record(*id).is_tagged() => {
                    let fields = self.model.types.record(*id).fields.clone();
                    if self.rng.percent(50) {
                        let at = self.rng.below(fields.len());
                        let base = self.of_type(ty, names, 0);
                        let replaced = self.of_type(&fields[at].1, names, deeper);
                        if self.may_be_field(&replaced.ty, &fields[at].1) {
                            return expr(ExprKind::With(Box::new(base), vec![(at, replaced)]), ty.clone());
                        }
                    } else {
                        let parts: Vec<Expr> =
                            fields.iter().map(|(_, ty)| self.of_type(ty, names, deeper)).collect();
                        if parts.iter().zip(&fields).all(|(p, (_, ty))| self.may_be_field(&p.ty, ty)) {
                            return expr(ExprKind::Record(parts), ty.clone());
                        }
                    }
                }
                (Type::Map(key, value), 3..=5) => {
                    let id = self.new_local();
                    let mut inner = names.clone();
                    inner.locals.push((id, (**key).clone()));
                    let body = self.of_type(value, &inner, deeper);
                    if self.fits(&body.ty, value) {
                        return expr(ExprKind::MapOf { local: id, body: Box::new(body) }, ty.clone());
                    }
                }
                _ => {}
            }
        }
        if self.rng.percent(60) {
            let suits = |t: &Type| comparable(t, ty) && (ty.is_option() || !t.is_option());
            if let Some(term) = self.term(names, suits) {
                return term;
            }
        }
        self.constant(ty)
    }

    /// A value of a variant made by one of its constructors.
    fn constructed(&mut self, id: RecordId, names: &Names, depth: usize) -> Option<Expr> {
        let decl = self.model.types.record(id).clone();
        let index = self.rng.below(decl.constructors.len());
        let none = |(_, ty): &(String, Type)| constant(Value::None, ty.clone());
        let mut parts: Vec<Expr> = decl.fields.iter().map(none).collect();
        let tag = decl.constructor_enum().expect("a variant");
        parts[0] = constant(Value::Enum(tag, index as u32), Type::Enum(tag));
        for part in &decl.constructors[index].payload {
            parts[part.field] = self.of_type(&part.ty, names, depth);
            if !self.may_be_field(&parts[part.field].ty, &part.ty) {
                return None;
            }
        }
        Some(expr(ExprKind::Record(parts), Type::Record(id)))
    }

    /// Whether every value of the first type is one of the second.
    fn fits(&self, inner: &Type, outer: &Type) -> bool {
        self.model.types.values(inner).iter().all(|v| self.model.types.contains(outer, v))
    }

    /// Whether a value of the first type may be written into a field of the second. An integer may lie
    /// outside the range of its field, as long as the record is not assigned to anything.
    fn may_be_field(&self, inner: &Type, outer: &Type) -> bool {
        matches!((inner, outer), (Type::Int { .. }, Type::Int { .. })) || self.fits(inner, outer)
    }

    fn size(&self, set: Expr) -> Expr {
        let Type::Set(element) = &set.ty else { panic!("not a set") };
        let most = self.model.types.cardinality(element) as i64;
        expr(ExprKind::Size(Box::new(set)), int(0, most))
    }

    fn formula(&mut self, names: &Names, depth: usize) -> Expr {
        let deeper = depth.saturating_sub(1);
        match self.rng.below(if depth == 0 { 7 } else { 14 }) {
            0 => {
                if let Some(term) = self.term(names, |t| *t == Type::Bool) {
                    return if self.rng.percent(50) { term } else { not(term) };
                }
            }
            1 => {
                if let Some(term) = self.term(names, Type::is_option) {
                    return is_some(term);
                }
            }
            2 => {
                let ordered = |t: &Type| matches!(t.inner(), Type::Int { .. } | Type::Enum(_));
                if let Some(left) = self.term(names, ordered) {
                    let op = *self.rng.pick(&[Op::Lt, Op::Le]);
                    let right = self.of_type(&left.ty.clone(), names, deeper);
                    return compare(op, left, right);
                }
            }
            3 => {
                if let Some(set) = self.term(names, |t| matches!(t, Type::Set(_))) {
                    let Type::Set(element) = &set.ty else { unreachable!() };
                    if self.rng.percent(70) {
                        let element = element.as_ref().clone();
                        let element = if self.rng.percent(30) { element.optional() } else { element };
                        return compare(Op::In, self.of_type(&element, names, deeper), set);
                    }
                    let other = self.of_type(&set.ty.clone(), names, deeper);
                    let subset = compare(Op::Subset, set.clone(), other);
                    let small = compare(Op::Lt, self.size(set), number(2));
                    return if self.rng.percent(50) { subset } else { small };
                }
            }
            7 => return and(self.formula(names, deeper), self.formula(names, deeper)),
            8 => return or(self.formula(names, deeper), self.formula(names, deeper)),
            9 => return implies(self.formula(names, deeper), self.formula(names, deeper)),
            10 => return not(self.formula(names, deeper)),
            11 => {
                let (a, b) = (self.formula(names, deeper), self.formula(names, deeper));
                return if_then_else(self.formula(names, deeper), a, b);
            }
            12 | 13 => {
                let set = match self.term(names, |t| matches!(t, Type::Set(_))) {
                    Some(set) if self.rng.percent(40) => set,
                    _ => self.all_of(&Type::Enum(EnumId(1))),
                };
                let Type::Set(element) = set.ty.clone() else { unreachable!() };
                let id = self.new_local();
                let mut inner = names.clone();
                inner.locals.push((id, (*element).clone()));
                let quantifier = *self.rng.pick(&[Quantifier::Forall, Quantifier::Exists]);
                let body = Box::new(self.formula(&inner, deeper));
                if self.rng.percent(30) {
                    return self.folded(id, set, *body);
                }
                let kind = ExprKind::Quant { quantifier, local: id, set: Box::new(set), body };
                return expr(kind, Type::Bool);
            }
            _ => {}
        }
        let left = self.term(names, |_| true).unwrap();
        let ty = left.ty.clone();
        let right = if self.rng.percent(60) { self.constant(&ty) } else { self.of_type(&ty, names, deeper) };
        if self.rng.percent(60) { eq(left, right) } else { not(eq(left, right)) }
    }

    /// Something about how many members of a set satisfy a formula, or which one is the least or the greatest that does.
    fn folded(&mut self, id: LocalId, set: Expr, cond: Expr) -> Expr {
        let Type::Set(element) = set.ty.clone() else { panic!("not a set") };
        let fold = *self.rng.pick(&[Fold::Sum, Fold::Sum, Fold::Least, Fold::Greatest]);
        let (of, body) = match fold {
            Fold::Sum => (int(0, 1), if_then_else(cond, number(1), number(0))),
            _ => {
                let none = none((*element).clone());
                ((*element).clone(), if_then_else(cond, local(id, (*element).clone()), none))
            }
        };
        let many = self.model.types.cardinality(&element) as i64;
        let ty = if fold == Fold::Sum { int(0, many) } else { of.optional() };
        let body = Expr { ty: if fold == Fold::Sum { int(0, 1) } else { ty.clone() }, ..body };
        let kind = ExprKind::Fold { fold, local: id, set: Box::new(set), body: Box::new(body) };
        let found = expr(kind, ty.clone());
        match fold {
            Fold::Sum if self.rng.percent(50) => compare(Op::Lt, found, number(1 + self.rng.below(2) as i64)),
            Fold::Sum => eq(found, number(self.rng.below(3) as i64)),
            _ => eq(found, self.constant(&ty)),
        }
    }

    /// `x' != x` for some variable.
    fn changes(&mut self) -> Expr {
        let at = self.rng.below(self.model.variables.len());
        not(eq(self.next_var(at), self.var(at)))
    }

    // Parts of the model.

    fn init_of(&mut self, at: usize) {
        let (var, ty) = (self.var(at), self.model.variables[at].ty.clone());
        let formula = match (&ty, self.rng.below(10)) {
            (_, 0) => return,
            (_, 1) => self.formula(&Names::default(), 1),
            (Type::Map(key, value), 2..=6) => {
                let id = self.new_local();
                let entry = index(var, local(id, (**key).clone()));
                let body = Box::new(eq(entry, self.constant(value)));
                let set = Box::new(self.all_of(key));
                let quantifier = Quantifier::Forall;
                expr(ExprKind::Quant { quantifier, local: id, set, body }, Type::Bool)
            }
            (_, 2) => or(eq(var.clone(), self.constant(&ty)), eq(var, self.constant(&ty))),
            _ => eq(var, self.constant(&ty)),
        };
        self.model.init.push(formula);
    }

    fn action(&mut self, at: usize) {
        let mut names = Names::default();
        for i in 0..self.rng.below(3) {
            let ty = match self.rng.below(4) {
                0 => Type::Bool,
                1 => int(0, 1),
                2 => Type::Enum(EnumId(1)),
                _ => Type::Enum(EnumId(1)).optional(),
            };
            let id = self.new_local();
            names.locals.push((id, ty.clone()));
            self.model.actions[at].params.push(Local { name: ["p", "q"][i].into(), local: id, ty });
        }
        for _ in 0..self.rng.below(2) {
            let formula = self.formula(&names, 1);
            self.model.actions[at].requires.push(formula);
        }
        let relational = self.rng.percent(15);
        let free = self.rng.below(self.model.variables.len());
        if relational {
            self.model.actions[at].modifies.push(VarId(free as u32));
            let both = Names { next: true, ..names.clone() };
            let constraint = if self.rng.percent(50) { self.changes() } else { self.formula(&both, 2) };
            self.model.actions[at].constraints.push(constraint);
        }
        let mut assigned: Vec<usize> = Vec::new();
        for _ in 0..1 + self.rng.below(3) {
            let var = self.rng.below(self.model.variables.len());
            let avoided = relational && var == free && self.rng.percent(80);
            if !avoided && !assigned.contains(&var) {
                assigned.push(var);
                self.assignments(at, var, &names);
            }
        }
        if self.rng.percent(8) {
            let both = Names { next: true, ..names };
            let constraint = or(self.formula(&both, 1), self.formula(&both, 1));
            self.model.actions[at].constraints.push(constraint);
        }
    }

    /// One or two assignments to places in a variable, the second one under the opposite guard or to
    /// another place.
    fn assignments(&mut self, action: usize, var: usize, names: &Names) {
        let first = self.assignment(var, names, false);
        let path = first.path.len();
        if self.rng.percent(25) {
            let cond = self.formula(names, 1);
            if self.rng.percent(50) {
                let mut second = self.assignment(var, names, path > 0);
                second.guard = Some(not(cond.clone()));
                self.model.actions[action].updates.push(second);
            }
            self.model.actions[action].updates.push(Update { guard: Some(cond), ..first });
        } else {
            // Two entries of a map; where the keys coincide, the values have to agree.
            if path == 1 && matches!(first.path[0], PathStep::Index(_)) && self.rng.percent(30) {
                let second = self.assignment(var, names, true);
                let (PathStep::Index(a), PathStep::Index(b)) = (&first.path[0], &second.path[0]) else {
                    unreachable!("a step into a map")
                };
                if second.path.len() == 1 && a.kind != b.kind {
                    self.model.actions[action].updates.push(second);
                }
            }
            self.model.actions[action].updates.push(first);
        }
    }

    fn assignment(&mut self, var: usize, names: &Names, into: bool) -> Update {
        let mut ty = self.model.variables[var].ty.clone();
        let mut path = Vec::new();
        loop {
            let stop = !into && self.rng.percent(25);
            match ty.clone() {
                Type::Map(key, value) if !stop => {
                    let names = Names { locals: names.locals.clone(), ..Names::default() };
                    let suits = |t: &Type| *t == *key;
                    let term = if self.rng.percent(60) { self.term(&names, suits) } else { None };
                    let key = match term {
                        Some(term) => term,
                        None => self.constant(&key),
                    };
                    path.push(PathStep::Index(key));
                    ty = (*value).clone();
                }
                Type::Record(id) if !stop => {
                    let decl = self.model.types.record(id);
                    let fields = &decl.fields;
                    let all = |at: usize| decl.having(at).count() == decl.constructors.len();
                    let at = self.rng.below(fields.len());
                    if decl.is_tagged() && (at == 0 || !all(at)) {
                        break;
                    }
                    path.push(PathStep::Field(at));
                    ty = fields[at].1.clone();
                }
                _ => break,
            }
        }
        let value = if self.rng.percent(12) {
            let members = vec![self.of_type(ty.inner(), names, 0), self.of_type(ty.inner(), names, 0)];
            UpdateValue::In(set_literal(members, ty.inner().clone()))
        } else {
            UpdateValue::Is(self.of_type(&ty, names, 2))
        };
        update(var as u32, path, ty, value)
    }

    /// The states reachable within [`STEPS`] steps by their distance; `None` if there are too few of
    /// them, or too many traces.
    fn reached(&self) -> Option<BTreeMap<State, usize>> {
        let mut depths: BTreeMap<State, usize> = BTreeMap::new();
        let mut ends: BTreeMap<State, u64> = BTreeMap::new();
        for state in initial_states(&self.model, 10_000).ok()? {
            depths.insert(state.clone(), 0);
            ends.insert(state, 1);
        }
        let mut traces: u64 = ends.len() as u64;
        for depth in 1..=STEPS {
            let mut longer: BTreeMap<State, u64> = BTreeMap::new();
            for (state, count) in &ends {
                for (_, after) in successors(&self.model, state, 10_000).ok()? {
                    depths.entry(after.clone()).or_insert(depth);
                    *longer.entry(after).or_default() += count;
                }
            }
            traces += longer.values().sum::<u64>();
            if traces > TRACES {
                return None;
            }
            ends = longer;
        }
        (depths.len() >= 4 && depths.values().any(|d| *d >= 2)).then_some(depths)
    }

    /// The invariant: violated within [`STEPS`] steps or not, at once or later, as coins say.
    fn property(&mut self, reached: &BTreeMap<State, usize>) -> Option<()> {
        let violated = self.rng.percent(55);
        let at_once = self.rng.percent(10);
        let late = if self.rng.percent(60) { 2 } else { 1 };
        let deepest = reached.values().copied().max().unwrap_or(0);
        for attempt in 0..60 {
            let formula = match self.rng.below(4) {
                0 => self.formula(&Names::default(), 2),
                1 => or(self.formula(&Names::default(), 1), self.formula(&Names::default(), 0)),
                // What is true of one of the last states, or of two of its parts, never happens.
                parts => {
                    let last: Vec<&State> =
                        reached.iter().filter(|(_, depth)| **depth == deepest).map(|(s, _)| s).collect();
                    let state = (*self.rng.pick(&last)).clone();
                    let seen = (1..parts).map(|_| self.seen_in(&state)).reduce(and)?;
                    not(seen)
                }
            };
            let bad = |state: &State| {
                let moment = Moment { label: None, state: state.clone() };
                !eval::eval_state(&self.model, &formula, &moment).is_true()
            };
            let first = reached.iter().filter(|(s, _)| bad(s)).map(|(_, depth)| *depth).min();
            let mut mentions_state = false;
            formula.walk(&mut |e| mentions_state |= matches!(e.kind, ExprKind::Var(_)));
            let wanted = match first {
                None => !violated,
                Some(0) => violated && at_once,
                Some(depth) => violated && !at_once && (depth >= late || attempt >= 40),
            };
            if wanted && mentions_state {
                self.model.properties.push(Property {
                    name: "safe".into(),
                    doc: None,
                    kind: PropertyKind::Invariant(formula),
                    span: Span::default(),
                    formula: Span::default(),
                });
                return Some(());
            }
        }
        None
    }

    /// Some term has the value that it has in this state.
    fn seen_in(&mut self, state: &State) -> Expr {
        let terms = self.terms(&Names::default());
        let term = self.rng.pick(&terms).clone();
        let moment = Moment { label: None, state: state.clone() };
        let value = eval::eval_state(&self.model, &term, &moment);
        let ty = term.ty.clone();
        eq(term, constant(value, ty))
    }

    fn predicates(&mut self) {
        for i in 0..1 + self.rng.below(2) {
            let positions: Vec<LocalId> = (0..1 + self.rng.below(2)).map(|_| self.new_local()).collect();
            let mut params: Vec<Local> = positions
                .iter()
                .enumerate()
                .map(|(n, id)| Local { name: format!("t{}", n + 1), local: *id, ty: Type::Pos })
                .collect();
            let names = Names { labels: self.rng.percent(40), ..Names::default() };
            let value = self.rng.percent(30).then(|| (self.new_local(), self.scalar_type()));
            let mut body = at(self.formula(&names, 1), positions[0]);
            if let [t1, t2] = positions[..] {
                let (p1, p2) = (local(t1, Type::Pos), local(t2, Type::Pos));
                let order = match self.rng.below(4) {
                    0 => compare(Op::Le, p1, p2),
                    1 => {
                        eq(p2, expr(ExprKind::Binary(Op::Add, Box::new(p1), Box::new(number(1))), Type::Pos))
                    }
                    2 => not(eq(p1, p2)),
                    _ => compare(Op::Lt, p1, p2),
                };
                body = and(order, body);
                let left = self.term(&names, |t| !matches!(t.inner(), Type::Map(..))).unwrap();
                let right = self.term(&names, |t| comparable(t, &left.ty)).unwrap();
                body = and(body, eq(at(left, t1), at(right, t2)));
            }
            if let Some((id, ty)) = value {
                if let Some(term) = self.term(&names, |t| comparable(t, &ty)) {
                    body = or(body, eq(at(term, positions[0]), local(id, ty.clone())));
                } else {
                    body = and(body, eq(local(id, ty.clone()), self.constant(&ty)));
                }
                params.push(Local { name: "v".into(), local: id, ty });
            }
            let body = self.around(body, &positions, &names);
            self.model.predicates.push(Predicate {
                name: format!("pred{i}"),
                doc: None,
                params,
                body,
                library: None,
                added: None,
                span: Span::default(),
            });
        }
    }

    /// Some predicates say something of the state before a position, or of all positions before one or between two. What is drawn for that changes
    /// nothing else.
    fn around(&mut self, mut body: Expr, positions: &[LocalId], names: &Names) -> Expr {
        let outer = self.rng.clone();
        let last = *positions.last().unwrap();
        if self.rng.percent(30) {
            let read = self.term(names, |t| !matches!(t.inner(), Type::Map(..))).unwrap();
            let other = self.term(names, |t| comparable(t, &read.ty)).unwrap();
            let before = previous(read.clone());
            let before = if self.rng.percent(20) { previous(before) } else { before };
            let said = match (self.rng.below(4), self.rng.pick(positions)) {
                (0, t) => at(is_some(before), *t),
                (1, t) => eq(at(before, *t), at(other, last)),
                (_, t) => at(eq(before, other), *t),
            };
            body = self.joined(body, said);
        }
        if self.rng.percent(30) {
            let mut value = self.formula(names, 1);
            if self.rng.percent(20) {
                let read = self.term(names, |t| !matches!(t.inner(), Type::Map(..))).unwrap();
                value = and(value, eq(previous(read.clone()), read));
            }
            let after = if positions.len() > 1 && self.rng.percent(80) { Some(positions[0]) } else { None };
            let never = ExprKind::Never { value: Box::new(value), after, before: last };
            let said = expr(never, Type::Bool);
            body = self.joined(body, said);
        }
        self.rng = outer;
        body
    }

    /// A formula with another one, or with its negation.
    fn joined(&mut self, body: Expr, said: Expr) -> Expr {
        let said = if self.rng.percent(30) { not(said) } else { said };
        if self.rng.percent(60) { and(body, said) } else { or(body, said) }
    }

    fn vocabulary(&mut self) {
        let names = Names { labels: self.rng.percent(30), ..Names::default() };
        let leaves: Vec<Observable> = self
            .terms(&names)
            .into_iter()
            .filter(|t| !matches!(t.ty.inner(), Type::Record(_) | Type::Map(..)))
            .enumerate()
            .map(|(i, expr)| Observable { text: format!("o{i}"), expr, span: Span::default() })
            .collect();
        let mut items = Vec::new();
        for i in 0..self.model.predicates.len() {
            let params = self.model.predicates[i].params.clone();
            // A value parameter that no leaf fits is left open: there is an item for each value.
            let mut rows: Vec<Vec<PredicateArgument>> = vec![Vec::new()];
            for param in &params {
                let leaf = leaves.iter().find(|o| o.expr.ty == param.ty).cloned();
                let choices: Vec<PredicateArgument> = match (&param.ty, leaf) {
                    (Type::Pos, _) => vec![PredicateArgument::Position],
                    (_, Some(leaf)) => vec![PredicateArgument::Observed(leaf)],
                    (ty, None) => {
                        let values = self.model.types.values(ty.inner()).into_iter();
                        let open = |v| PredicateArgument::Value {
                            value: constant(v, ty.inner().clone()),
                            any: true,
                        };
                        values.map(open).collect()
                    }
                };
                let with = |row: Vec<PredicateArgument>| {
                    choices.iter().map(move |choice| [row.clone(), vec![choice.clone()]].concat())
                };
                rows = rows.into_iter().flat_map(with).collect();
            }
            items.extend(rows.into_iter().map(|row| VocabularyItem::Predicate(PredicateId(i as u32), row)));
        }
        for leaf in &leaves {
            if self.rng.percent(85) {
                items.push(VocabularyItem::Equal(leaf.clone()));
            }
            if matches!(leaf.expr.ty, Type::Set(_)) && self.rng.percent(50) {
                items.push(VocabularyItem::Lacks(leaf.clone()));
            }
        }
        for _ in 0..self.rng.below(3) {
            let (a, b) = (self.rng.pick(&leaves).clone(), self.rng.pick(&leaves).clone());
            let item = VocabularyItem::Across(a.clone(), b.clone());
            if comparable(&a.expr.ty, &b.expr.ty) && !items.contains(&item) {
                items.push(item);
            }
        }
        items.extend(self.rng.percent(70).then_some(VocabularyItem::Before));
        items.extend(self.rng.percent(40).then_some(VocabularyItem::Next));
        if self.rng.percent(25) {
            let integers: Vec<Observable> = leaves.iter().filter(|of| of.is_integer()).cloned().collect();
            let from = self.rng.below(integers.len() + 1);
            items.extend(VocabularyItem::order(&integers[from..integers.len().min(from + 2)]));
        }
        self.model.vocabularies.push(Vocabulary {
            name: "words".into(),
            doc: None,
            items,
            span: Span::default(),
        });
    }
}
