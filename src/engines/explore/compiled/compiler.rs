//! The context of compilation: the model, the layout of its states, the types of bound names.

use super::{Eval, Uncompiled};
use crate::explore::packed::{Domain, Layout, LayoutShape, StateLayout};
use lang::model::Model;
use lang::model::expr::{Expr, LocalId};
use lang::model::types::{EnumId, Type};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::sync::Arc;

/// The most elements of a set that has a code.
const MOST_ELEMENTS: u64 = 63;

/// Compiles expressions of one model.
pub struct Compiler<'m> {
    pub(super) model: &'m Model,
    pub(super) states: &'m StateLayout,
    /// The types of the names that are bound where an expression is compiled.
    locals: RefCell<Vec<Option<CodeKind>>>,
    /// The layouts of types without their `option`.
    layouts: RefCell<FxHashMap<Type, Option<Arc<Layout>>>>,
}

/// The meaning of codes: the type of a value, up to the range of an integer.
#[derive(Debug, Clone)]
pub(super) enum CodeKind {
    /// Always `none`.
    Nothing,
    Bool,
    Int,
    Enum(EnumId),
    /// A set, record or map with this layout, which is not optional.
    Parts(Arc<Layout>),
}

impl CodeKind {
    /// True if codes of both kinds have the same meaning.
    pub fn same(&self, other: &CodeKind) -> bool {
        match (self, other) {
            (CodeKind::Bool, CodeKind::Bool) | (CodeKind::Int, CodeKind::Int) => true,
            (CodeKind::Enum(a), CodeKind::Enum(b)) => a == b,
            (CodeKind::Parts(a), CodeKind::Parts(b)) => a.ty == b.ty,
            _ => false,
        }
    }
}

/// A compiled expression.
pub(super) struct CompiledExpr {
    pub kind: CodeKind,
    pub eval: Eval,
}

impl CompiledExpr {
    pub fn new(
        kind: CodeKind,
        eval: impl Fn(&super::ClosureEnv<'_>) -> Option<u64> + Send + Sync + 'static,
    ) -> Result<Self, Uncompiled> {
        Ok(Self { kind, eval: Box::new(eval) })
    }
}

impl<'m> Compiler<'m> {
    /// Creates a compiler without bound names.
    pub fn new(model: &'m Model, states: &'m StateLayout) -> Self {
        Self {
            model,
            states,
            locals: RefCell::new(vec![None; model.locals as usize]),
            layouts: RefCell::default(),
        }
    }

    /// Binds a name to values of a layout in all expressions compiled from here on.
    pub fn bind(&self, local: LocalId, layout: &Layout) -> Result<(), Uncompiled> {
        let kind = self.kind(layout)?;
        self.set_local(local, Some(kind)).map(|_| ())
    }

    /// Compiles with a name bound.
    pub(super) fn with_local<T>(
        &self,
        local: LocalId,
        kind: CodeKind,
        compile: impl FnOnce() -> Result<T, Uncompiled>,
    ) -> Result<T, Uncompiled> {
        let outer = self.set_local(local, Some(kind))?;
        let compiled = compile();
        self.set_local(local, outer)?;
        compiled
    }

    /// Compiles values, and then with names bound to them; a value may use the names before its own.
    pub(super) fn with_values<T>(
        &self,
        bindings: &[(LocalId, Expr)],
        compile: impl FnOnce() -> Result<T, Uncompiled>,
    ) -> Result<(Vec<(LocalId, Eval)>, T), Uncompiled> {
        let (mut values, mut outer) = (Vec::new(), Vec::new());
        for (local, value) in bindings {
            let CompiledExpr { kind, eval } = self.typed(value)?;
            values.push((*local, eval));
            outer.push((*local, self.set_local(*local, Some(kind))?));
        }
        let compiled = compile()?;
        for (local, kind) in outer.into_iter().rev() {
            self.set_local(local, kind)?;
        }
        Ok((values, compiled))
    }

    fn set_local(&self, local: LocalId, kind: Option<CodeKind>) -> Result<Option<CodeKind>, Uncompiled> {
        let mut locals = self.locals.borrow_mut();
        let slot = locals.get_mut(local.0 as usize).ok_or(Uncompiled)?;
        Ok(std::mem::replace(slot, kind))
    }

    pub(super) fn local(&self, local: LocalId) -> Result<CodeKind, Uncompiled> {
        self.locals.borrow().get(local.0 as usize).cloned().flatten().ok_or(Uncompiled)
    }

    /// Returns the layout of a type without its `option`.
    pub(super) fn layout(&self, ty: &Type) -> Result<Arc<Layout>, Uncompiled> {
        let mut layouts = self.layouts.borrow_mut();
        let ty = ty.inner();
        if !layouts.contains_key(ty) {
            layouts.insert(ty.clone(), Layout::of(&self.model.types, ty));
        }
        layouts.get(ty).cloned().flatten().ok_or(Uncompiled)
    }

    /// Returns the meaning of the codes of a layout.
    pub(super) fn kind(&self, layout: &Layout) -> Result<CodeKind, Uncompiled> {
        Ok(match &layout.ty {
            Type::Bool => CodeKind::Bool,
            Type::Int { .. } => CodeKind::Int,
            Type::Enum(id) => CodeKind::Enum(*id),
            ty => {
                CodeKind::Parts(Some(self.layout(ty)?).filter(|layout| layout.is_small()).ok_or(Uncompiled)?)
            }
        })
    }

    /// Returns the layout of a set with elements of one of two compatible types, if it is small.
    pub(super) fn common_set(&self, a: &Domain, b: &Domain) -> Result<Arc<Layout>, Uncompiled> {
        let element = match (&a.layout.ty, &b.layout.ty) {
            (Type::Int { lo, hi }, Type::Int { lo: other_lo, hi: other_hi }) => {
                Type::Int { lo: *lo.min(other_lo), hi: *hi.max(other_hi) }
            }
            (a, b) if a == b => a.clone(),
            _ => return Err(Uncompiled),
        };
        if self.model.types.cardinality(&element) > MOST_ELEMENTS {
            return Err(Uncompiled);
        }
        self.layout(&Type::Set(Arc::new(element)))
    }
}

/// Returns the domain of a set's elements.
pub(super) fn domain_of(kind: &CodeKind) -> Result<&Arc<Domain>, Uncompiled> {
    match kind {
        CodeKind::Parts(layout) => match &layout.shape {
            LayoutShape::Set(domain) => Ok(domain),
            _ => Err(Uncompiled),
        },
        _ => Err(Uncompiled),
    }
}
