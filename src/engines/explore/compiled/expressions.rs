//! Expressions as closures, form by form; [`lang::model::eval`] defines their meaning.

use super::compiler::{Compiler, Kind, Typed, domain_of};
use super::place::Rank;
use super::{Env, Eval, Test, Unsupported};
use crate::explore::packed::bits::{read, write};
use crate::explore::packed::{Domain, Layout, Shape};
use lang::model::expr::{Expr, ExprKind, Op};
use lang::model::types::Type;
use lang::model::value::Value;
use std::sync::Arc;

impl Compiler<'_> {
    /// Compiles an expression to a value.
    pub(super) fn typed(&self, expr: &Expr) -> Result<Typed, Unsupported> {
        if let Some(place) = self.place(expr) {
            return place?.typed(self);
        }
        match &expr.kind {
            ExprKind::Const(Value::None) => Typed::new(Kind::Nothing, |_| None),
            ExprKind::Const(value) => {
                let layout = self.layout(&expr.ty)?;
                let code = layout.code_of(value).ok_or(Unsupported)?;
                Typed::new(self.kind(&layout)?, move |_| code)
            }
            ExprKind::Local(local) => {
                let at = local.0 as usize;
                Typed::new(self.local(*local)?, move |env| env.locals[at].get())
            }
            ExprKind::Let { bindings, body } => {
                let (values, body) = self.with_values(bindings, || self.typed(body))?;
                Typed::new(body.kind, move |env| env.bind_all(&values, || (body.eval)(env)))
            }
            ExprKind::Field(base, field) => self.field(base, *field),
            ExprKind::Index(map, key) => self.entry(map, key),
            ExprKind::Record(fields) => self.record(expr, fields),
            ExprKind::With(base, replaced) => self.with(base, replaced),
            ExprKind::MapOf { local, body } => {
                let layout = self.layout(&expr.ty)?;
                let Shape::Map(keys, entry) = &layout.shape else { return Err(Unsupported) };
                let (local, keys, entry) = (*local, keys.clone(), entry.clone());
                let key = self.kind(&keys.layout)?;
                let body = self.with_local(local, key, || self.as_stored(body, &entry))?;
                Typed::new(self.parts(&layout)?, move |env| {
                    let mut word = [0];
                    for rank in 0..keys.size() {
                        let value = env.bind(local, Some(keys.code(rank)), || body(env));
                        let Some(bits) = entry.encode(value) else { return env.escape() };
                        write(&mut word, rank * entry.width, entry.width, bits);
                    }
                    Some(word[0])
                })
            }
            ExprKind::SetLiteral(_) | ExprKind::Filter { .. } | ExprKind::Size(_) => self.of_sets(expr),
            ExprKind::Fold { fold, local, set, body } => self.folded(*fold, *local, set, body),
            ExprKind::Neg(operand) => {
                let operand = self.of_kind(operand, &Kind::Int)?;
                Typed::new(Kind::Int, move |env| Some((operand(env)? as i64).saturating_neg() as u64))
            }
            ExprKind::If(condition, then, otherwise) => {
                let condition = self.test(condition)?;
                let (kind, then, otherwise) = self.alike(then, otherwise)?;
                Typed::new(kind, move |env| if condition(env) { then(env) } else { otherwise(env) })
            }
            ExprKind::Binary(Op::Otherwise, left, right) => {
                let (kind, left, right) = self.alike(left, right)?;
                Typed::new(kind, move |env| left(env).or_else(|| right(env)))
            }
            ExprKind::Binary(Op::Union | Op::Intersect | Op::Minus, ..) => self.of_sets(expr),
            ExprKind::Binary(op @ (Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Mod), left, right) => {
                self.arithmetic(*op, left, right)
            }
            ExprKind::Not(_) | ExprKind::IsSome(_) | ExprKind::Quant { .. } | ExprKind::Binary(..) => {
                let test = self.test(expr)?;
                Typed::new(Kind::Bool, move |env| Some(u64::from(test(env))))
            }
            _ => Err(Unsupported),
        }
    }

    /// Like [`Compiler::typed`], with a given kind.
    pub(super) fn of_kind(&self, expr: &Expr, kind: &Kind) -> Result<Eval, Unsupported> {
        let typed = self.typed(expr)?;
        self.converted(typed, kind)
    }

    /// Compiles two expressions to one kind.
    pub(super) fn alike(&self, left: &Expr, right: &Expr) -> Result<(Kind, Eval, Eval), Unsupported> {
        let (left, right) = (self.typed(left)?, self.typed(right)?);
        let kind = self.common(&left.kind, &right.kind)?;
        Ok((kind.clone(), self.converted(left, &kind)?, self.converted(right, &kind)?))
    }

    /// Returns a kind that both can be converted to.
    fn common(&self, left: &Kind, right: &Kind) -> Result<Kind, Unsupported> {
        match (left, right) {
            (Kind::Nothing, kind) | (kind, Kind::Nothing) => Ok(kind.clone()),
            (a, b) if a.same(b) => Ok(a.clone()),
            (a, b) => self.parts(&self.common_set(domain_of(a)?, domain_of(b)?)?),
        }
    }

    /// Converts codes to another kind; an element of a set that is not in the target domain is an escape.
    fn converted(&self, typed: Typed, kind: &Kind) -> Result<Eval, Unsupported> {
        let Typed { kind: from, eval } = typed;
        if matches!(from, Kind::Nothing) || from.same(kind) {
            return Ok(eval);
        }
        let (from, to) = (domain_of(&from)?.clone(), domain_of(kind)?.clone());
        self.common_set(&from, &to)?;
        Ok(Box::new(move |env| {
            let mut result = 0;
            for rank in crate::explore::packed::bits::ones(eval(env)?) {
                let Some(rank) = to.rank(from.code(rank)) else { return env.escape() };
                result |= 1 << rank;
            }
            Some(result)
        }))
    }

    pub(super) fn parts(&self, layout: &Arc<Layout>) -> Result<Kind, Unsupported> {
        if layout.is_small() { Ok(Kind::Parts(layout.clone())) } else { Err(Unsupported) }
    }

    /// Compiles a value to be stored in a place; [`Layout::encode`] checks that it is of the place's type.
    pub(super) fn as_stored(&self, expr: &Expr, layout: &Layout) -> Result<Eval, Unsupported> {
        self.of_kind(expr, &self.kind(layout)?)
    }

    fn field(&self, base: &Expr, field: usize) -> Result<Typed, Unsupported> {
        let base = self.typed(base)?;
        let Kind::Parts(layout) = &base.kind else { return Err(Unsupported) };
        let Shape::Record(_, fields) = &layout.shape else { return Err(Unsupported) };
        let (offset, layout) = fields.get(field).cloned().ok_or(Unsupported)?;
        let kind = self.kind(&layout)?;
        Typed::new(kind, move |env| layout.decode(read(&[(base.eval)(env)?], offset, layout.width)))
    }

    fn entry(&self, map: &Expr, key: &Expr) -> Result<Typed, Unsupported> {
        let map = self.typed(map)?;
        let Kind::Parts(layout) = &map.kind else { return Err(Unsupported) };
        let Shape::Map(keys, value) = &layout.shape else { return Err(Unsupported) };
        let (rank, keys, value) = (self.rank(key, keys)?, keys.clone(), value.clone());
        let kind = self.kind(&value)?;
        Typed::new(kind, move |env| {
            let map = (map.eval)(env)?;
            value.decode(read(&[map], rank.at(env, &keys)? * value.width, value.width))
        })
    }

    fn record(&self, expr: &Expr, fields: &[Expr]) -> Result<Typed, Unsupported> {
        let layout = self.layout(&expr.ty)?;
        let Shape::Record(_, layouts) = &layout.shape else { return Err(Unsupported) };
        let parts = self.record_parts(layouts, fields.iter().enumerate())?;
        Typed::new(self.parts(&layout)?, move |env| {
            let mut word = [0];
            parts.iter().try_for_each(|part| part.put(env, &mut word))?;
            Some(word[0])
        })
    }

    fn with(&self, base: &Expr, replaced: &[(usize, Expr)]) -> Result<Typed, Unsupported> {
        let base = self.typed(base)?;
        let Kind::Parts(layout) = &base.kind else { return Err(Unsupported) };
        let Shape::Record(_, layouts) = &layout.shape else { return Err(Unsupported) };
        let parts = self.record_parts(layouts, replaced.iter().map(|(field, e)| (*field, e)))?;
        Typed::new(base.kind, move |env| {
            let mut word = [(base.eval)(env)?];
            parts.iter().try_for_each(|part| part.put(env, &mut word))?;
            Some(word[0])
        })
    }

    fn record_parts<'e>(
        &self,
        layouts: &[(u32, Arc<Layout>)],
        fields: impl Iterator<Item = (usize, &'e Expr)>,
    ) -> Result<Vec<Part>, Unsupported> {
        let part = |(field, expr): (usize, &Expr)| {
            let (offset, layout) = layouts.get(field).cloned().ok_or(Unsupported)?;
            Ok(Part { offset, eval: self.as_stored(expr, &layout)?, layout })
        };
        fields.map(part).collect()
    }

    fn arithmetic(&self, op: Op, left: &Expr, right: &Expr) -> Result<Typed, Unsupported> {
        let (left, right) = (self.of_kind(left, &Kind::Int)?, self.of_kind(right, &Kind::Int)?);
        let on = |apply: fn(i64, i64) -> Option<i64>| {
            Typed::new(Kind::Int, move |env| {
                let (left, right) = (left(env), right(env));
                apply(left? as i64, right? as i64).map(|n| n as u64)
            })
        };
        match op {
            Op::Add => on(|a, b| Some(a.saturating_add(b))),
            Op::Sub => on(|a, b| Some(a.saturating_sub(b))),
            Op::Mul => on(|a, b| Some(a.saturating_mul(b))),
            Op::Div => on(i64::checked_div_euclid),
            Op::Mod => on(i64::checked_rem_euclid),
            _ => Err(Unsupported),
        }
    }

    /// Compiles an expression to a test.
    pub(super) fn test(&self, expr: &Expr) -> Result<Test, Unsupported> {
        match &expr.kind {
            ExprKind::Const(value) => {
                let holds = value.is_true();
                Ok(Box::new(move |_| holds))
            }
            ExprKind::Not(operand) => {
                let operand = self.test(operand)?;
                Ok(Box::new(move |env| !operand(env)))
            }
            ExprKind::IsSome(operand) => {
                let operand = self.typed(operand)?.eval;
                Ok(Box::new(move |env| operand(env).is_some()))
            }
            ExprKind::Quant { quantifier, local, set, body } => {
                self.quantifier(*quantifier, *local, set, body)
            }
            ExprKind::Let { bindings, body } => {
                let (values, body) = self.with_values(bindings, || self.test(body))?;
                Ok(Box::new(move |env| env.bind_all(&values, || body(env))))
            }
            ExprKind::If(condition, then, otherwise) if *expr.ty.inner() == Type::Bool => {
                let condition = self.test(condition)?;
                let (then, otherwise) = (self.test(then)?, self.test(otherwise)?);
                Ok(Box::new(move |env| if condition(env) { then(env) } else { otherwise(env) }))
            }
            ExprKind::Binary(op, left, right) => self.binary_test(expr, *op, left, right),
            _ => self.value_test(expr),
        }
    }

    /// Tests a computed value.
    fn value_test(&self, expr: &Expr) -> Result<Test, Unsupported> {
        let eval = self.of_kind(expr, &Kind::Bool)?;
        Ok(Box::new(move |env| eval(env) == Some(1)))
    }

    fn binary_test(&self, expr: &Expr, op: Op, left: &Expr, right: &Expr) -> Result<Test, Unsupported> {
        match op {
            Op::And => {
                let (left, right) = (self.test(left)?, self.test(right)?);
                Ok(Box::new(move |env| left(env) && right(env)))
            }
            Op::Or => {
                let (left, right) = (self.test(left)?, self.test(right)?);
                Ok(Box::new(move |env| left(env) || right(env)))
            }
            Op::Eq => self.equality(left, right),
            Op::Lt | Op::Le => {
                let (kind, left, right) = self.alike(left, right)?;
                if !matches!(kind, Kind::Int | Kind::Enum(_)) {
                    return Err(Unsupported);
                }
                let compared = move |env: &Env<'_>| Some((left(env)? as i64, right(env)? as i64));
                Ok(match op {
                    Op::Lt => Box::new(move |env| compared(env).is_some_and(|(a, b)| a < b)),
                    _ => Box::new(move |env| compared(env).is_some_and(|(a, b)| a <= b)),
                })
            }
            Op::In => self.membership(left, right),
            Op::Subset => {
                let (kind, left, right) = self.alike(left, right)?;
                domain_of(&kind)?;
                Ok(Box::new(move |env| match (left(env), right(env)) {
                    (Some(a), Some(b)) => a & !b == 0,
                    _ => false,
                }))
            }
            _ => self.value_test(expr),
        }
    }

    fn equality(&self, left: &Expr, right: &Expr) -> Result<Test, Unsupported> {
        let constant = |expr: &Expr| match &expr.kind {
            ExprKind::Const(value) => Some(value.clone()),
            _ => None,
        };
        let (value, other) = match (constant(left), constant(right)) {
            (_, Some(value)) => (value, left),
            (Some(value), None) => (value, right),
            (None, None) => {
                let (_, left, right) = self.alike(left, right)?;
                return Ok(Box::new(move |env| left(env) == right(env)));
            }
        };
        let Typed { kind, eval } = self.typed(other)?;
        let code = match &kind {
            _ if value == Value::None => None,
            Kind::Nothing => return Ok(Box::new(|_| false)),
            Kind::Parts(layout) => layout.code_of(&value).ok_or(Unsupported)?,
            Kind::Bool => self.layout(&Type::Bool)?.code_of(&value).ok_or(Unsupported)?,
            Kind::Int => self.layout(&Type::Int { lo: 0, hi: 0 })?.code_of(&value).ok_or(Unsupported)?,
            Kind::Enum(id) => self.layout(&Type::Enum(*id))?.code_of(&value).ok_or(Unsupported)?,
        };
        Ok(Box::new(move |env| eval(env) == code))
    }

    /// Compiles the rank of a value in a domain of the same kind.
    pub(super) fn rank(&self, expr: &Expr, domain: &Domain) -> Result<Rank, Unsupported> {
        if let ExprKind::Const(value) = &expr.kind {
            return Ok(Rank::Constant(domain.rank_of_value(value)));
        }
        let kind = self.kind(&domain.layout)?;
        Ok(Rank::Computed(self.of_kind(expr, &kind)?))
    }
}

/// A field that is written.
struct Part {
    offset: u32,
    layout: Arc<Layout>,
    eval: Eval,
}

impl Part {
    fn put(&self, env: &Env<'_>, word: &mut [u64; 1]) -> Option<()> {
        let Some(bits) = self.layout.encode((self.eval)(env)) else { return env.escape() };
        write(word, self.offset, self.layout.width, bits);
        Some(())
    }
}
