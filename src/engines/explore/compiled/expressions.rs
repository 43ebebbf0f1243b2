//! Expressions as closures, form by form; [`lang::model::eval`] defines their meaning.

use super::compiler::{CodeKind, CompiledExpr, Compiler, domain_of};
use super::place::DomainRank;
use super::{ClosureEnv, CompiledTest, Eval, Uncompiled};
use crate::explore::packed::bits::{read, write};
use crate::explore::packed::{Domain, Layout, LayoutShape};
use lang::model::expr::{Expr, ExprKind, Op};
use lang::model::types::Type;
use lang::model::value::Value;
use std::sync::Arc;

impl Compiler<'_> {
    /// Compiles an expression to a value.
    pub(super) fn typed(&self, expr: &Expr) -> Result<CompiledExpr, Uncompiled> {
        if let Some(place) = self.place(expr) {
            return place?.typed(self);
        }
        match &expr.kind {
            ExprKind::Const(Value::None) => CompiledExpr::new(CodeKind::Nothing, |_| None),
            ExprKind::Const(value) => {
                let layout = self.layout(&expr.ty)?;
                let code = layout.code_of(value).ok_or(Uncompiled)?;
                CompiledExpr::new(self.kind(&layout)?, move |_| code)
            }
            ExprKind::Local(local) => {
                let at = local.0 as usize;
                CompiledExpr::new(self.local(*local)?, move |env| env.locals[at].get())
            }
            ExprKind::Let { bindings, body } => {
                let (values, body) = self.with_values(bindings, || self.typed(body))?;
                CompiledExpr::new(body.kind, move |env| env.bind_all(&values, || (body.eval)(env)))
            }
            ExprKind::Field(base, field) => self.field(base, *field),
            ExprKind::Index(map, key) => self.entry(map, key),
            ExprKind::Record(fields) => self.record(expr, fields),
            ExprKind::With(base, replaced) => self.with(base, replaced),
            ExprKind::MapOf { local, body } => {
                let layout = self.layout(&expr.ty)?;
                let LayoutShape::Map(keys, entry) = &layout.shape else { return Err(Uncompiled) };
                let (local, keys, entry) = (*local, keys.clone(), entry.clone());
                let key = self.kind(&keys.layout)?;
                let body = self.with_local(local, key, || self.as_stored(body, &entry))?;
                CompiledExpr::new(self.parts(&layout)?, move |env| {
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
                let operand = self.of_kind(operand, &CodeKind::Int)?;
                CompiledExpr::new(CodeKind::Int, move |env| {
                    Some(operand(env)?.cast_signed().saturating_neg().cast_unsigned())
                })
            }
            ExprKind::If(condition, then, otherwise) => {
                let condition = self.test(condition)?;
                let (kind, then, otherwise) = self.alike(then, otherwise)?;
                CompiledExpr::new(kind, move |env| if condition(env) { then(env) } else { otherwise(env) })
            }
            ExprKind::Binary(Op::Otherwise, left, right) => {
                let (kind, left, right) = self.alike(left, right)?;
                CompiledExpr::new(kind, move |env| left(env).or_else(|| right(env)))
            }
            ExprKind::Binary(Op::Union | Op::Intersect | Op::Minus, ..) => self.of_sets(expr),
            ExprKind::Binary(op @ (Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Mod), left, right) => {
                self.arithmetic(*op, left, right)
            }
            ExprKind::Not(_) | ExprKind::IsSome(_) | ExprKind::Quant { .. } | ExprKind::Binary(..) => {
                let test = self.test(expr)?;
                CompiledExpr::new(CodeKind::Bool, move |env| Some(u64::from(test(env))))
            }
            _ => Err(Uncompiled),
        }
    }

    /// Like [`Compiler::typed`], with a given kind.
    pub(super) fn of_kind(&self, expr: &Expr, kind: &CodeKind) -> Result<Eval, Uncompiled> {
        let typed = self.typed(expr)?;
        self.converted(typed, kind)
    }

    /// Compiles two expressions to one kind.
    pub(super) fn alike(&self, left: &Expr, right: &Expr) -> Result<(CodeKind, Eval, Eval), Uncompiled> {
        let (left, right) = (self.typed(left)?, self.typed(right)?);
        let kind = self.common(&left.kind, &right.kind)?;
        Ok((kind.clone(), self.converted(left, &kind)?, self.converted(right, &kind)?))
    }

    /// Returns a kind that both can be converted to.
    fn common(&self, left: &CodeKind, right: &CodeKind) -> Result<CodeKind, Uncompiled> {
        match (left, right) {
            (CodeKind::Nothing, kind) | (kind, CodeKind::Nothing) => Ok(kind.clone()),
            (a, b) if a.same(b) => Ok(a.clone()),
            (a, b) => self.parts(&self.common_set(domain_of(a)?, domain_of(b)?)?),
        }
    }

    /// Converts codes to another kind; an element of a set that is not in the target domain is an escape.
    fn converted(&self, typed: CompiledExpr, kind: &CodeKind) -> Result<Eval, Uncompiled> {
        let CompiledExpr { kind: from, eval } = typed;
        if matches!(from, CodeKind::Nothing) || from.same(kind) {
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

    pub(super) fn parts(&self, layout: &Arc<Layout>) -> Result<CodeKind, Uncompiled> {
        if layout.is_small() { Ok(CodeKind::Parts(layout.clone())) } else { Err(Uncompiled) }
    }

    /// Compiles a value to be stored in a place; [`Layout::encode`] checks that it is of the place's type.
    pub(super) fn as_stored(&self, expr: &Expr, layout: &Layout) -> Result<Eval, Uncompiled> {
        self.of_kind(expr, &self.kind(layout)?)
    }

    fn field(&self, base: &Expr, field: usize) -> Result<CompiledExpr, Uncompiled> {
        let base = self.typed(base)?;
        let CodeKind::Parts(layout) = &base.kind else { return Err(Uncompiled) };
        let LayoutShape::Record(_, fields) = &layout.shape else { return Err(Uncompiled) };
        let (offset, layout) = fields.get(field).cloned().ok_or(Uncompiled)?;
        let kind = self.kind(&layout)?;
        CompiledExpr::new(kind, move |env| layout.decode(read(&[(base.eval)(env)?], offset, layout.width)))
    }

    fn entry(&self, map: &Expr, key: &Expr) -> Result<CompiledExpr, Uncompiled> {
        let map = self.typed(map)?;
        let CodeKind::Parts(layout) = &map.kind else { return Err(Uncompiled) };
        let LayoutShape::Map(keys, value) = &layout.shape else { return Err(Uncompiled) };
        let (rank, keys, value) = (self.rank(key, keys)?, keys.clone(), value.clone());
        let kind = self.kind(&value)?;
        CompiledExpr::new(kind, move |env| {
            let map = (map.eval)(env)?;
            value.decode(read(&[map], rank.at(env, &keys)? * value.width, value.width))
        })
    }

    fn record(&self, expr: &Expr, fields: &[Expr]) -> Result<CompiledExpr, Uncompiled> {
        let layout = self.layout(&expr.ty)?;
        let LayoutShape::Record(_, layouts) = &layout.shape else { return Err(Uncompiled) };
        let parts = self.record_parts(layouts, fields.iter().enumerate())?;
        CompiledExpr::new(self.parts(&layout)?, move |env| {
            let mut word = [0];
            parts.iter().try_for_each(|part| part.put(env, &mut word))?;
            Some(word[0])
        })
    }

    fn with(&self, base: &Expr, replaced: &[(usize, Expr)]) -> Result<CompiledExpr, Uncompiled> {
        let base = self.typed(base)?;
        let CodeKind::Parts(layout) = &base.kind else { return Err(Uncompiled) };
        let LayoutShape::Record(_, layouts) = &layout.shape else { return Err(Uncompiled) };
        let parts = self.record_parts(layouts, replaced.iter().map(|(field, e)| (*field, e)))?;
        CompiledExpr::new(base.kind, move |env| {
            let mut word = [(base.eval)(env)?];
            parts.iter().try_for_each(|part| part.put(env, &mut word))?;
            Some(word[0])
        })
    }

    fn record_parts<'e>(
        &self,
        layouts: &[(u32, Arc<Layout>)],
        fields: impl Iterator<Item = (usize, &'e Expr)>,
    ) -> Result<Vec<FieldUpdate>, Uncompiled> {
        let part = |(field, expr): (usize, &Expr)| {
            let (offset, layout) = layouts.get(field).cloned().ok_or(Uncompiled)?;
            Ok(FieldUpdate { offset, eval: self.as_stored(expr, &layout)?, layout })
        };
        fields.map(part).collect()
    }

    fn arithmetic(&self, op: Op, left: &Expr, right: &Expr) -> Result<CompiledExpr, Uncompiled> {
        let (left, right) = (self.of_kind(left, &CodeKind::Int)?, self.of_kind(right, &CodeKind::Int)?);
        let on = |apply: fn(i64, i64) -> Option<i64>| {
            CompiledExpr::new(CodeKind::Int, move |env| {
                let (left, right) = (left(env), right(env));
                apply(left?.cast_signed(), right?.cast_signed()).map(|n| n.cast_unsigned())
            })
        };
        match op {
            Op::Add => on(|a, b| Some(a.saturating_add(b))),
            Op::Sub => on(|a, b| Some(a.saturating_sub(b))),
            Op::Mul => on(|a, b| Some(a.saturating_mul(b))),
            Op::Div => on(i64::checked_div_euclid),
            Op::Mod => on(i64::checked_rem_euclid),
            _ => Err(Uncompiled),
        }
    }

    /// Compiles an expression to a test.
    pub(super) fn test(&self, expr: &Expr) -> Result<CompiledTest, Uncompiled> {
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
    fn value_test(&self, expr: &Expr) -> Result<CompiledTest, Uncompiled> {
        let eval = self.of_kind(expr, &CodeKind::Bool)?;
        Ok(Box::new(move |env| eval(env) == Some(1)))
    }

    fn binary_test(
        &self,
        expr: &Expr,
        op: Op,
        left: &Expr,
        right: &Expr,
    ) -> Result<CompiledTest, Uncompiled> {
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
                if !matches!(kind, CodeKind::Int | CodeKind::Enum(_)) {
                    return Err(Uncompiled);
                }
                let compared =
                    move |env: &ClosureEnv<'_>| Some((left(env)?.cast_signed(), right(env)?.cast_signed()));
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

    fn equality(&self, left: &Expr, right: &Expr) -> Result<CompiledTest, Uncompiled> {
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
        let CompiledExpr { kind, eval } = self.typed(other)?;
        let code = match &kind {
            _ if value == Value::None => None,
            CodeKind::Nothing => return Ok(Box::new(|_| false)),
            CodeKind::Parts(layout) => layout.code_of(&value).ok_or(Uncompiled)?,
            CodeKind::Bool => self.layout(&Type::Bool)?.code_of(&value).ok_or(Uncompiled)?,
            CodeKind::Int => self.layout(&Type::Int { lo: 0, hi: 0 })?.code_of(&value).ok_or(Uncompiled)?,
            CodeKind::Enum(id) => self.layout(&Type::Enum(*id))?.code_of(&value).ok_or(Uncompiled)?,
        };
        Ok(Box::new(move |env| eval(env) == code))
    }

    /// Compiles the rank of a value in a domain of the same kind.
    pub(super) fn rank(&self, expr: &Expr, domain: &Domain) -> Result<DomainRank, Uncompiled> {
        if let ExprKind::Const(value) = &expr.kind {
            return Ok(DomainRank::Constant(domain.rank_of_value(value)));
        }
        let kind = self.kind(&domain.layout)?;
        Ok(DomainRank::Computed(self.of_kind(expr, &kind)?))
    }
}

/// A field that is written.
struct FieldUpdate {
    offset: u32,
    layout: Arc<Layout>,
    eval: Eval,
}

impl FieldUpdate {
    fn put(&self, env: &ClosureEnv<'_>, word: &mut [u64; 1]) -> Option<()> {
        let Some(bits) = self.layout.encode((self.eval)(env)) else { return env.escape() };
        write(word, self.offset, self.layout.width, bits);
        Some(())
    }
}
