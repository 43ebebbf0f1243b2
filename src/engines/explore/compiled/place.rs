//! Variables and their parts as bits of a state.

use super::compiler::{CompiledExpr, Compiler};
use super::{ClosureEnv, Uncompiled};
use crate::explore::packed::bits::{mask, read};
use crate::explore::packed::{Layout, LayoutShape};
use lang::model::PathStep;
use lang::model::expr::{Expr, ExprKind};
use std::sync::Arc;

/// Finds the first bit of a part in an environment; `None` if there is no such part.
type FindBit = Box<dyn Fn(&ClosureEnv<'_>) -> Option<u32> + Send + Sync>;

/// The first bit of a part.
pub(super) enum Locate {
    /// A constant bit.
    Fixed(u32),
    /// A bit that depends on keys, and on the presence of values.
    Computed(FindBit),
}

impl Locate {
    /// Returns the bit.
    #[inline]
    pub fn at(&self, env: &ClosureEnv<'_>) -> Option<u32> {
        match self {
            Locate::Fixed(offset) => Some(*offset),
            Locate::Computed(locate) => locate(env),
        }
    }

    /// Moves the bit by `bits`.
    fn plus(self, bits: u32) -> Self {
        match self {
            Locate::Fixed(offset) => Locate::Fixed(offset + bits),
            Locate::Computed(locate) => {
                Locate::Computed(Box::new(move |env| locate(env).map(|offset| offset + bits)))
            }
        }
    }
}

/// A variable or a part of it.
pub(super) struct PackedPlace {
    /// True for a place in the next state.
    pub next: bool,
    pub locate: Locate,
    pub layout: Arc<Layout>,
}

impl PackedPlace {
    /// Returns the words of its state.
    #[inline]
    pub fn words<'a>(next: bool, env: &ClosureEnv<'a>) -> &'a [u64] {
        if next { env.next } else { env.now }
    }

    /// Returns the first bit after the presence bit, for a present value.
    fn inside(self) -> (bool, Locate, Arc<Layout>) {
        let PackedPlace { next, locate, layout } = self;
        let presence = layout.presence();
        if presence == 0 {
            return (next, locate, layout);
        }
        let inside = move |env: &ClosureEnv<'_>| {
            let offset = locate.at(env)?;
            (read(Self::words(next, env), offset, 1) == 1).then_some(offset + presence)
        };
        (next, Locate::Computed(Box::new(inside)), layout)
    }

    fn field(self, field: usize) -> Result<PackedPlace, Uncompiled> {
        let (next, locate, layout) = self.inside();
        let LayoutShape::Record(_, fields) = &layout.shape else { return Err(Uncompiled) };
        let (offset, layout) = fields.get(field).ok_or(Uncompiled)?;
        Ok(PackedPlace { next, locate: locate.plus(*offset), layout: layout.clone() })
    }

    fn entry(self, compiler: &Compiler<'_>, key: &Expr) -> Result<PackedPlace, Uncompiled> {
        let (next, locate, layout) = self.inside();
        let LayoutShape::Map(keys, value) = &layout.shape else { return Err(Uncompiled) };
        let (key, keys, value) = (compiler.rank(key, keys)?, keys.clone(), value.clone());
        let width = value.width;
        let locate = match (locate, key) {
            (Locate::Fixed(offset), DomainRank::Constant(Some(rank))) => Locate::Fixed(offset + rank * width),
            (locate, key) => {
                let entry = move |env: &ClosureEnv<'_>| {
                    let rank = key.at(env, &keys)?;
                    Some(locate.at(env)? + rank * width)
                };
                Locate::Computed(Box::new(entry))
            }
        };
        Ok(PackedPlace { next, locate, layout: value })
    }

    /// Compiles reading the place.
    pub fn typed(self, compiler: &Compiler<'_>) -> Result<CompiledExpr, Uncompiled> {
        let kind = compiler.kind(&self.layout)?;
        let PackedPlace { next, locate, layout } = self;
        if layout.width > u64::BITS || matches!(layout.shape, LayoutShape::Interned(_)) {
            return Err(Uncompiled);
        }
        let width = layout.width;
        match (locate, &layout.shape) {
            (Locate::Fixed(offset), LayoutShape::Scalar { least, .. })
                if !layout.optional && offset % u64::BITS + width <= u64::BITS && width > 0 =>
            {
                let (at, shift, mask) = ((offset / u64::BITS) as usize, offset % u64::BITS, mask(width));
                let least = (*least).cast_unsigned();
                CompiledExpr::new(kind, move |env| {
                    Some((Self::words(next, env)[at] >> shift & mask).wrapping_add(least))
                })
            }
            (Locate::Fixed(offset), _) => {
                CompiledExpr::new(kind, move |env| layout.decode(read(Self::words(next, env), offset, width)))
            }
            (Locate::Computed(locate), _) => CompiledExpr::new(kind, move |env| {
                layout.decode(read(Self::words(next, env), locate(env)?, width))
            }),
        }
    }
}

/// The rank of a key or an element in its domain.
pub(super) enum DomainRank {
    /// Always this rank, or always none.
    Constant(Option<u32>),
    Computed(super::Eval),
}

impl DomainRank {
    #[inline]
    pub fn at(&self, env: &ClosureEnv<'_>, domain: &crate::explore::packed::Domain) -> Option<u32> {
        match self {
            DomainRank::Constant(rank) => *rank,
            DomainRank::Computed(eval) => domain.rank(eval(env)?),
        }
    }
}

impl Compiler<'_> {
    /// Returns the place that an expression reads, if it reads one: a variable with fields and entries.
    pub(super) fn place(&self, expr: &Expr) -> Option<Result<PackedPlace, Uncompiled>> {
        let (var, next) = match &expr.kind {
            ExprKind::Var(var) => (var, false),
            ExprKind::Next(var) => (var, true),
            ExprKind::Field(base, field) => {
                return Some(self.place(base)?.and_then(|place| place.field(*field)));
            }
            ExprKind::Index(map, key) => {
                return Some(self.place(map)?.and_then(|place| place.entry(self, key)));
            }
            _ => return None,
        };
        let (offset, layout) = self.states.variable(*var);
        Some(Ok(PackedPlace { next, locate: Locate::Fixed(offset), layout: layout.clone() }))
    }

    /// Returns the place of an assignment, in the current state.
    pub(super) fn assigned_place(&self, update: &lang::model::Update) -> Result<PackedPlace, Uncompiled> {
        let (offset, layout) = self.states.variable(update.var);
        let whole = PackedPlace { next: false, locate: Locate::Fixed(offset), layout: layout.clone() };
        update.path.iter().try_fold(whole, |place, step| match step {
            PathStep::Field(field) => place.field(*field),
            PathStep::Index(key) => place.entry(self, key),
        })
    }
}
