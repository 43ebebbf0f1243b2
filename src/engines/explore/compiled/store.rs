//! Assignments: their targets and values.

use super::compiler::Compiler;
use super::place::{Locate, PackedPlace};
use super::{ClosureEnv, Eval, Uncompiled};
use crate::explore::packed::bits::{clear, copy, read, write};
use crate::explore::packed::{Layout, LayoutShape};
use lang::model::Update;
use lang::model::expr::{Expr, ExprKind, Op};
use std::sync::Arc;

/// Writes a value from a bit on; returns `false`, with these bits unspecified, if it is not of the place's type.
pub type ValueWriter = Box<dyn Fn(&ClosureEnv<'_>, &mut [u64], u32) -> bool + Send + Sync>;

/// The place of an assignment.
pub struct AssignmentTarget {
    locate: Locate,
    /// The layout of its values.
    pub layout: Arc<Layout>,
}

impl AssignmentTarget {
    /// Returns its first bit; `None` if there is no such place in the current state.
    #[inline]
    pub fn at(&self, env: &ClosureEnv<'_>) -> Option<u32> {
        self.locate.at(env)
    }
}

impl Compiler<'_> {
    /// Returns the place of an assignment.
    pub fn target(&self, update: &Update) -> Result<AssignmentTarget, Uncompiled> {
        let PackedPlace { locate, layout, .. } = self.assigned_place(update)?;
        Ok(AssignmentTarget { locate, layout })
    }

    /// Compiles the assigned value, as one of the values of a layout.
    pub fn store(&self, expr: &Expr, layout: &Arc<Layout>) -> Result<ValueWriter, Uncompiled> {
        if matches!(layout.shape, LayoutShape::Interned(_)) {
            return Err(Uncompiled);
        }
        match self.as_stored(expr, layout) {
            Ok(eval) if layout.width <= u64::BITS => {
                let layout = layout.clone();
                Ok(Box::new(move |env, words, offset| match layout.encode(eval(env)) {
                    Some(bits) => {
                        write(words, offset, layout.width, bits);
                        true
                    }
                    None => false,
                }))
            }
            _ => self.wide(expr, layout),
        }
    }

    /// Compiles a value that need not fit into a word: it is written part by part.
    fn wide(&self, expr: &Expr, layout: &Arc<Layout>) -> Result<ValueWriter, Uncompiled> {
        let start = layout.presence();
        match (&expr.kind, &layout.shape) {
            (ExprKind::Const(value), _) => {
                let mut packed = vec![0; layout.width.div_ceil(u64::BITS) as usize + 1];
                if !layout.pack(value, &mut packed, 0) {
                    return Ok(Box::new(|_, _, _| false));
                }
                let width = layout.width;
                Ok(Box::new(move |_, words, offset| {
                    copy(&packed, 0, words, offset, width);
                    true
                }))
            }
            (ExprKind::If(condition, then, otherwise), _) => {
                let condition = self.test(condition)?;
                let (then, otherwise) = (self.store(then, layout)?, self.store(otherwise, layout)?);
                Ok(Box::new(move |env, words, offset| {
                    if condition(env) { then(env, words, offset) } else { otherwise(env, words, offset) }
                }))
            }
            (ExprKind::Let { bindings, body }, _) => {
                let (values, body) = self.with_values(bindings, || self.store(body, layout))?;
                Ok(Box::new(move |env, words, offset| env.bind_all(&values, || body(env, words, offset))))
            }
            (ExprKind::MapOf { local, body }, LayoutShape::Map(keys, entry))
                if *expr.ty.inner() == layout.ty =>
            {
                let (local, keys, width) = (*local, keys.clone(), entry.width);
                let body = self.with_local(local, self.kind(&keys.layout)?, || self.store(body, entry))?;
                Ok(present(start, move |env, words, offset| {
                    (0..keys.size()).all(|rank| {
                        env.bind(local, Some(keys.code(rank)), || body(env, words, offset + rank * width))
                    })
                }))
            }
            (ExprKind::Record(fields), LayoutShape::Record(_, layouts)) if *expr.ty.inner() == layout.ty => {
                let parts = self.fields(layouts, fields.iter().enumerate())?;
                Ok(present(start, move |env, words, offset| {
                    parts.iter().all(|(at, store)| store(env, words, offset + at))
                }))
            }
            (ExprKind::Binary(Op::Union, set, added), LayoutShape::Set(_)) => {
                self.changed_set(set, added, layout, true)
            }
            (ExprKind::Binary(Op::Minus, set, removed), LayoutShape::Set(_)) => {
                self.changed_set(set, removed, layout, false)
            }
            _ => self.copied(expr, layout),
        }
    }

    fn fields<'e>(
        &self,
        layouts: &[(u32, Arc<Layout>)],
        fields: impl Iterator<Item = (usize, &'e Expr)>,
    ) -> Result<Vec<(u32, ValueWriter)>, Uncompiled> {
        let part = |(field, expr): (usize, &Expr)| {
            let (offset, layout) = layouts.get(field).ok_or(Uncompiled)?;
            Ok((*offset, self.store(expr, layout)?))
        };
        fields.map(part).collect()
    }

    /// Compiles the value of another place of the same type.
    fn copied(&self, expr: &Expr, layout: &Arc<Layout>) -> Result<ValueWriter, Uncompiled> {
        let PackedPlace { next, locate, layout: source } = self.place(expr).ok_or(Uncompiled)??;
        if source.ty != layout.ty
            || matches!(layout.shape, LayoutShape::Scalar { .. } | LayoutShape::Interned(_))
        {
            return Err(Uncompiled);
        }
        if matches!(source.shape, LayoutShape::Interned(_)) {
            return Err(Uncompiled);
        }
        let (from, to, width) = (source.presence(), layout.presence(), layout.width);
        Ok(Box::new(move |env, words, offset| {
            let there = PackedPlace::words(next, env);
            match locate.at(env) {
                Some(at) if from == 0 || read(there, at, 1) == 1 => {
                    write(words, offset, to, to.into());
                    copy(there, at + from, words, offset + to, width - to);
                    true
                }
                _ => {
                    clear(words, offset, width);
                    to == 1
                }
            }
        }))
    }

    /// Compiles a large set with some elements added or removed.
    fn changed_set(
        &self,
        set: &Expr,
        elements: &Expr,
        layout: &Arc<Layout>,
        added: bool,
    ) -> Result<ValueWriter, Uncompiled> {
        let LayoutShape::Set(domain) = &layout.shape else { return Err(Uncompiled) };
        let ExprKind::SetLiteral(elements) = &elements.kind else { return Err(Uncompiled) };
        if layout.optional {
            return Err(Uncompiled);
        }
        let (set, kind) = (self.store(set, layout)?, self.kind(&domain.layout)?);
        let elements = elements.iter().map(|element| self.of_kind(element, &kind));
        let (elements, domain) = (elements.collect::<Result<Vec<Eval>, _>>()?, domain.clone());
        Ok(Box::new(move |env, words, offset| {
            set(env, words, offset)
                && elements.iter().filter_map(|element| element(env)).all(|code| {
                    let rank = domain.rank(code);
                    rank.inspect(|rank| write(words, offset + rank, 1, added.into()));
                    rank.is_some() || !added
                })
        }))
    }
}

/// Writes the presence bit, if there is one, before the parts of a present value.
fn present(
    presence: u32,
    parts: impl Fn(&ClosureEnv<'_>, &mut [u64], u32) -> bool + Send + Sync + 'static,
) -> ValueWriter {
    Box::new(move |env, words, offset| {
        write(words, offset, presence, presence.into());
        parts(env, words, offset + presence)
    })
}
