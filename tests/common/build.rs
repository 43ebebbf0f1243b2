//! Builds typed expressions and models by hand, for tests.
#![allow(dead_code, clippy::unwrap_used)]

use cladist::diagnostics::{SourceMap, Span};
use cladist::model::expr::*;
use cladist::model::types::*;
use cladist::model::value::*;
use cladist::model::*;
use std::sync::Arc;

pub fn int(lo: i64, hi: i64) -> Type {
    Type::Int { lo, hi }
}

pub fn expr(kind: ExprKind, ty: Type) -> Expr {
    Expr { kind, ty, span: Span::default() }
}

pub fn constant(value: Value, ty: Type) -> Expr {
    expr(ExprKind::Const(value), ty)
}

pub fn number(n: i64) -> Expr {
    constant(Value::Int(n), int(n, n))
}

pub fn truth(b: bool) -> Expr {
    constant(Value::Bool(b), Type::Bool)
}

pub fn none(of: Type) -> Expr {
    constant(Value::None, of.optional())
}

pub fn local(id: LocalId, ty: Type) -> Expr {
    expr(ExprKind::Local(id), ty)
}

pub fn at(value: Expr, position: LocalId) -> Expr {
    let ty = value.ty.clone();
    expr(ExprKind::At { value: Box::new(value), at: position }, ty)
}

pub fn previous(value: Expr) -> Expr {
    let ty = value.ty.clone().optional();
    expr(ExprKind::Previous(Box::new(value)), ty)
}

pub fn not(e: Expr) -> Expr {
    e.negated()
}

pub fn and(a: Expr, b: Expr) -> Expr {
    Expr::binary_bool(Op::And, a, b)
}

pub fn or(a: Expr, b: Expr) -> Expr {
    Expr::binary_bool(Op::Or, a, b)
}

pub fn implies(a: Expr, b: Expr) -> Expr {
    or(not(a), b)
}

pub fn eq(a: Expr, b: Expr) -> Expr {
    Expr::binary_bool(Op::Eq, a, b)
}

pub fn compare(op: Op, a: Expr, b: Expr) -> Expr {
    Expr::binary_bool(op, a, b)
}

pub fn is_some(e: Expr) -> Expr {
    expr(ExprKind::IsSome(Box::new(e)), Type::Bool)
}

pub fn index(map: Expr, key: Expr) -> Expr {
    let Type::Map(_, value) = map.ty.inner() else { panic!("not a map: {:?}", map.ty) };
    let optional = map.ty.is_option() || key.ty.is_option();
    let ty = if optional { value.as_ref().clone().optional() } else { value.as_ref().clone() };
    expr(ExprKind::Index(Box::new(map), Box::new(key)), ty)
}

pub fn field(types: &Types, base: Expr, at: usize) -> Expr {
    let Type::Record(id) = base.ty.inner() else { panic!("not a record: {:?}", base.ty) };
    let ty = types.record(*id).fields[at].1.clone();
    let ty = if base.ty.is_option() { ty.optional() } else { ty };
    expr(ExprKind::Field(Box::new(base), at), ty)
}

pub fn if_then_else(cond: Expr, a: Expr, b: Expr) -> Expr {
    let ty = join(&a.ty, &b.ty);
    expr(ExprKind::If(Box::new(cond), Box::new(a), Box::new(b)), ty)
}

/// `a otherwise b`, where b is not optional.
pub fn otherwise(a: Expr, b: Expr) -> Expr {
    let ty = join(a.ty.inner(), &b.ty);
    expr(ExprKind::Binary(Op::Otherwise, Box::new(a), Box::new(b)), ty)
}

/// Addition, subtraction or multiplication by small numbers, with the range of the result.
pub fn arithmetic(op: Op, a: Expr, b: Expr) -> Expr {
    let (Type::Int { lo: a1, hi: a2 }, Type::Int { lo: b1, hi: b2 }) = (a.ty.inner(), b.ty.inner()) else {
        panic!("not integers: {:?}, {:?}", a.ty, b.ty)
    };
    let corners: Vec<i64> = [(a1, b1), (a1, b2), (a2, b1), (a2, b2)]
        .into_iter()
        .map(|(x, y)| match op {
            Op::Add => x + y,
            Op::Sub => x - y,
            Op::Mul => x * y,
            other => panic!("not arithmetic: {other:?}"),
        })
        .collect();
    let ty = int(*corners.iter().min().unwrap(), *corners.iter().max().unwrap());
    let ty = if a.ty.is_option() || b.ty.is_option() { ty.optional() } else { ty };
    expr(ExprKind::Binary(op, Box::new(a), Box::new(b)), ty)
}

/// Union, intersection or difference.
pub fn set_operator(op: Op, a: Expr, b: Expr) -> Expr {
    let ty = join(&a.ty, &b.ty);
    expr(ExprKind::Binary(op, Box::new(a), Box::new(b)), ty)
}

pub fn set_literal(elements: Vec<Expr>, element: Type) -> Expr {
    expr(ExprKind::SetLiteral(elements), Type::Set(Arc::new(element)))
}

/// The least type that has the values of both.
pub fn join(a: &Type, b: &Type) -> Type {
    match (a, b) {
        (Type::Int { lo: a, hi: b }, Type::Int { lo: c, hi: d }) => int(*a.min(c), *b.max(d)),
        (Type::Option(a), b) | (b, Type::Option(a)) => join(a, b.inner()).optional(),
        (Type::Set(a), Type::Set(b)) => Type::Set(Arc::new(join(a, b))),
        (a, _) => a.clone(),
    }
}

/// Whether `=` makes sense between them.
pub fn comparable(a: &Type, b: &Type) -> bool {
    match (a.inner(), b.inner()) {
        (Type::Int { .. }, Type::Int { .. }) => true,
        (Type::Set(a), Type::Set(b)) => comparable(a, b),
        (a, b) => a == b,
    }
}

/// A model without anything but types; the sources hold one empty text so that spans mean something.
pub fn empty_model(name: &str, types: Types, action_enum: EnumId) -> Model {
    let mut sources = SourceMap::new();
    sources.add(format!("{name}.sts"), "");
    Model {
        name: name.into(),
        doc: None,
        types,
        constants: vec![],
        variables: vec![],
        init: vec![],
        actions: vec![],
        action_enum,
        assumptions: vec![],
        properties: vec![],
        fairness: vec![],
        action_fairness: vec![],
        environment: None,
        fates: vec![],
        predicates: vec![],
        vocabularies: vec![],
        examples: vec![],
        diagrams: vec![],
        definitions: vec![],
        functions: vec![],
        symmetric: vec![],
        wishes: vec![],
        integers: IntegerEncoding::Automatic,
        locals: 0,
        sources: Arc::new(sources),
        trees: Default::default(),
    }
}

pub fn variable(name: &str, ty: Type) -> Variable {
    Variable { name: name.into(), ty, doc: None, span: Span::default() }
}

pub fn var(model: &Model, name: &str) -> Expr {
    let at = model.variables.iter().position(|v| v.name == name).unwrap();
    expr(ExprKind::Var(VarId(at as u32)), model.variables[at].ty.clone())
}

pub fn next(model: &Model, name: &str) -> Expr {
    let at = model.variables.iter().position(|v| v.name == name).unwrap();
    expr(ExprKind::Next(VarId(at as u32)), model.variables[at].ty.clone())
}

pub fn action(name: &str) -> Action {
    Action {
        name: name.into(),
        doc: None,
        params: vec![],
        requires: vec![],
        updates: vec![],
        modifies: vec![],
        constraints: vec![],
        span: Span::default(),
    }
}

pub fn update(var: u32, path: Vec<PathStep>, ty: Type, value: UpdateValue) -> Update {
    Update { guard: None, var: VarId(var), path, ty, value, span: Span::default() }
}

pub fn enumeration(name: &str, variants: &[&str]) -> EnumDecl {
    let variants = variants.iter().map(|v| v.to_string()).collect();
    EnumDecl { name: name.into(), variants, span: Span::default() }
}
