//! Sets: their members, operators and quantifiers.

use super::compiler::{CodeKind, CompiledExpr, Compiler, domain_of};
use super::place::PackedPlace;
use super::{ClosureEnv, CompiledTest, Eval, Uncompiled};
use crate::explore::packed::bits::{ones, read};
use crate::explore::packed::{Domain, LayoutShape, PackedCode};
use lang::model::expr::{Expr, ExprKind, Fold, LocalId, Op, Quantifier};
use lang::model::value::Value;
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// The members of a set of any size.
enum MemberSet {
    /// Constant members.
    Listed(Vec<PackedCode>),
    /// The members whose bits are set.
    Bits(Arc<Domain>, Eval),
    /// Like `Bits`, in a place that is too wide for one word.
    Place(Arc<Domain>, PackedPlace),
}

impl MemberSet {
    /// True if some member satisfies a condition; stops at the first one.
    fn any(&self, env: &ClosureEnv<'_>, mut wanted: impl FnMut(PackedCode) -> bool) -> bool {
        match self {
            MemberSet::Listed(codes) => codes.iter().any(|&code| wanted(code)),
            MemberSet::Bits(domain, eval) => {
                eval(env).is_some_and(|bits| ones(bits).any(|rank| wanted(domain.code(rank))))
            }
            MemberSet::Place(domain, place) => {
                let Some(start) = place.locate.at(env) else { return false };
                let words = PackedPlace::words(place.next, env);
                (0..domain.size()).step_by(u64::BITS as usize).any(|base| {
                    let width = (domain.size() - base).min(u64::BITS);
                    ones(read(words, start + base, width)).any(|rank| wanted(domain.code(base + rank)))
                })
            }
        }
    }
}

impl Compiler<'_> {
    fn members(&self, set: &Expr) -> Result<(CodeKind, MemberSet), Uncompiled> {
        if let ExprKind::Const(Value::Set(members)) = &set.kind {
            let lang::model::types::Type::Set(element) = set.ty.inner() else { return Err(Uncompiled) };
            if element.is_option() && members.contains(&Value::None) {
                return Err(Uncompiled);
            }
            let layout = self.layout(element)?;
            let codes = members.iter().map(|member| layout.code_of(member).flatten().ok_or(Uncompiled));
            let codes = codes.collect::<Result<Vec<_>, _>>()?;
            return Ok((self.kind(&layout)?, MemberSet::Listed(codes)));
        }
        if let Some(place) = self.place(set) {
            let place = place?;
            if let LayoutShape::Set(domain) = &place.layout.shape
                && !place.layout.is_small()
                && !place.layout.optional
            {
                let (kind, domain) = (self.kind(&domain.layout)?, domain.clone());
                return Ok((kind, MemberSet::Place(domain, place)));
            }
        }
        let typed = self.typed(set)?;
        if matches!(typed.kind, CodeKind::Nothing) {
            return Err(Uncompiled);
        }
        let domain = domain_of(&typed.kind)?.clone();
        Ok((self.kind(&domain.layout)?, MemberSet::Bits(domain, typed.eval)))
    }

    pub(super) fn quantifier(
        &self,
        quantifier: Quantifier,
        local: LocalId,
        set: &Expr,
        body: &Expr,
    ) -> Result<CompiledTest, Uncompiled> {
        let (kind, members) = self.members(set)?;
        let body = self.with_local(local, kind, || self.test(body))?;
        let holds = move |env: &ClosureEnv<'_>, code| env.bind(local, Some(code), || body(env));
        Ok(match quantifier {
            Quantifier::Exists => Box::new(move |env| members.any(env, |code| holds(env, code))),
            Quantifier::Forall => Box::new(move |env| !members.any(env, |code| !holds(env, code))),
        })
    }

    pub(super) fn membership(&self, element: &Expr, set: &Expr) -> Result<CompiledTest, Uncompiled> {
        let (kind, members) = self.members(set)?;
        let element = self.of_kind(element, &kind)?;
        Ok(match members {
            MemberSet::Listed(codes) => {
                let codes: FxHashSet<PackedCode> = codes.into_iter().collect();
                Box::new(move |env| element(env).is_some_and(|code| codes.contains(&code)))
            }
            MemberSet::Bits(domain, eval) => Box::new(move |env| {
                let rank = element(env).and_then(|code| domain.rank(code));
                rank.is_some_and(|rank| eval(env).is_some_and(|bits| bits >> rank & 1 == 1))
            }),
            MemberSet::Place(domain, place) => Box::new(move |env| {
                let rank = element(env).and_then(|code| domain.rank(code));
                let start = place.locate.at(env);
                let words = PackedPlace::words(place.next, env);
                rank.zip(start).is_some_and(|(rank, start)| read(words, start + rank, 1) == 1)
            }),
        })
    }

    /// Compiles a fold over the members of a set.
    pub(super) fn folded(
        &self,
        fold: Fold,
        local: LocalId,
        set: &Expr,
        body: &Expr,
    ) -> Result<CompiledExpr, Uncompiled> {
        let (kind, members) = self.members(set)?;
        let CompiledExpr { kind, eval: body } = self.with_local(local, kind, || self.typed(body))?;
        let ordered = matches!(kind, CodeKind::Int | CodeKind::Enum(_));
        if !ordered || fold == Fold::Sum && !matches!(kind, CodeKind::Int) {
            return Err(Uncompiled);
        }
        let better: fn(i64, i64) -> bool = match fold {
            Fold::Sum => {
                return CompiledExpr::new(kind, move |env| {
                    let mut sum = Some(0_i64);
                    members.any(env, |code| {
                        let value = env.bind(local, Some(code), || body(env));
                        sum = sum.zip(value).map(|(sum, value)| sum.saturating_add(value.cast_signed()));
                        sum.is_none()
                    });
                    sum.map(|sum| sum.cast_unsigned())
                });
            }
            Fold::Least => |new, old| new < old,
            Fold::Greatest => |new, old| new > old,
        };
        CompiledExpr::new(kind, move |env| {
            let mut best: Option<i64> = None;
            members.any(env, |code| {
                let value = env.bind(local, Some(code), || body(env)).map(|value| value.cast_signed());
                if let Some(value) = value
                    && best.is_none_or(|best| better(value, best))
                {
                    best = Some(value);
                }
                false
            });
            best.map(|best| best.cast_unsigned())
        })
    }

    /// Compiles an operation on sets.
    pub(super) fn of_sets(&self, expr: &Expr) -> Result<CompiledExpr, Uncompiled> {
        match &expr.kind {
            ExprKind::SetLiteral(elements) => {
                let layout = self.layout(&expr.ty)?;
                let LayoutShape::Set(domain) = &layout.shape else { return Err(Uncompiled) };
                let kind = self.kind(&domain.layout)?;
                let elements = elements.iter().map(|e| self.of_kind(e, &kind));
                let elements = elements.collect::<Result<Vec<_>, _>>()?;
                let domain = domain.clone();
                CompiledExpr::new(self.parts(&layout)?, move |env| {
                    let mut bits = 0;
                    for code in elements.iter().filter_map(|element| element(env)) {
                        let Some(rank) = domain.rank(code) else { return env.escape() };
                        bits |= 1 << rank;
                    }
                    Some(bits)
                })
            }
            ExprKind::Filter { local, set, cond } => {
                let set = self.typed(set)?;
                let domain = domain_of(&set.kind)?.clone();
                let (local, element) = (*local, self.kind(&domain.layout)?);
                let cond = self.with_local(local, element, || self.test(cond))?;
                CompiledExpr::new(set.kind, move |env| {
                    let members = ones((set.eval)(env).unwrap_or(0));
                    let kept = members.filter(|&rank| env.bind(local, Some(domain.code(rank)), || cond(env)));
                    Some(kept.fold(0, |bits, rank| bits | 1 << rank))
                })
            }
            ExprKind::Size(set) => {
                let set = self.typed(set)?;
                domain_of(&set.kind)?;
                CompiledExpr::new(CodeKind::Int, move |env| {
                    (set.eval)(env).map(|bits| u64::from(bits.count_ones()))
                })
            }
            ExprKind::Binary(op, left, right) => {
                let (kind, left, right) = self.alike(left, right)?;
                domain_of(&kind)?;
                let on = |apply: fn(u64, u64) -> u64| {
                    CompiledExpr::new(kind, move |env| {
                        let (left, right) = (left(env), right(env));
                        Some(apply(left?, right?))
                    })
                };
                match op {
                    Op::Union => on(|a, b| a | b),
                    Op::Intersect => on(|a, b| a & b),
                    Op::Minus => on(|a, b| a & !b),
                    _ => Err(Uncompiled),
                }
            }
            _ => Err(Uncompiled),
        }
    }
}
