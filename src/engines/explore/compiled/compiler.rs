//! The context of compilation: the model, the layout of its states, the types of bound names.

use super::{Eval, Unsupported};
use crate::explore::packed::{Domain, Layout, Shape, StateLayout};
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
    locals: RefCell<Vec<Option<Kind>>>,
    /// The layouts of types without their `option`.
    layouts: RefCell<FxHashMap<Type, Option<Arc<Layout>>>>,
}

/// The meaning of codes: the type of a value, up to the range of an integer.
#[derive(Debug, Clone)]
pub(super) enum Kind {
    /// Always `none`.
    Nothing,
    Bool,
    Int,
    Enum(EnumId),
    /// A set, record or map with this layout, which is not optional.
    Parts(Arc<Layout>),
}

impl Kind {
    /// True if codes of both kinds have the same meaning.
    pub fn same(&self, other: &Kind) -> bool {
        match (self, other) {
            (Kind::Bool, Kind::Bool) | (Kind::Int, Kind::Int) => true,
            (Kind::Enum(a), Kind::Enum(b)) => a == b,
            (Kind::Parts(a), Kind::Parts(b)) => a.ty == b.ty,
            _ => false,
        }
    }
}

/// A compiled expression.
pub(super) struct Typed {
    pub kind: Kind,
    pub eval: Eval,
}

impl Typed {
    pub fn new(
        kind: Kind,
        eval: impl Fn(&super::Env<'_>) -> Option<u64> + Send + Sync + 'static,
    ) -> Result<Self, Unsupported> {
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
    pub fn bind(&self, local: LocalId, layout: &Layout) -> Result<(), Unsupported> {
        let kind = self.kind(layout)?;
        self.set_local(local, Some(kind)).map(|_| ())
    }

    /// Compiles with a name bound.
    pub(super) fn with_local<T>(
        &self,
        local: LocalId,
        kind: Kind,
        compile: impl FnOnce() -> Result<T, Unsupported>,
    ) -> Result<T, Unsupported> {
        let outer = self.set_local(local, Some(kind))?;
        let compiled = compile();
        self.set_local(local, outer)?;
        compiled
    }

    /// Compiles values, and then with names bound to them; a value may use the names before its own.
    pub(super) fn with_values<T>(
        &self,
        bindings: &[(LocalId, Expr)],
        compile: impl FnOnce() -> Result<T, Unsupported>,
    ) -> Result<(Vec<(LocalId, Eval)>, T), Unsupported> {
        let (mut values, mut outer) = (Vec::new(), Vec::new());
        for (local, value) in bindings {
            let Typed { kind, eval } = self.typed(value)?;
            values.push((*local, eval));
            outer.push((*local, self.set_local(*local, Some(kind))?));
        }
        let compiled = compile()?;
        for (local, kind) in outer.into_iter().rev() {
            self.set_local(local, kind)?;
        }
        Ok((values, compiled))
    }

    fn set_local(&self, local: LocalId, kind: Option<Kind>) -> Result<Option<Kind>, Unsupported> {
        let mut locals = self.locals.borrow_mut();
        let slot = locals.get_mut(local.0 as usize).ok_or(Unsupported)?;
        Ok(std::mem::replace(slot, kind))
    }

    pub(super) fn local(&self, local: LocalId) -> Result<Kind, Unsupported> {
        self.locals.borrow().get(local.0 as usize).cloned().flatten().ok_or(Unsupported)
    }

    /// Returns the layout of a type without its `option`.
    pub(super) fn layout(&self, ty: &Type) -> Result<Arc<Layout>, Unsupported> {
        let mut layouts = self.layouts.borrow_mut();
        let ty = ty.inner();
        if !layouts.contains_key(ty) {
            layouts.insert(ty.clone(), Layout::of(&self.model.types, ty));
        }
        layouts.get(ty).cloned().flatten().ok_or(Unsupported)
    }

    /// Returns the meaning of the codes of a layout.
    pub(super) fn kind(&self, layout: &Layout) -> Result<Kind, Unsupported> {
        Ok(match &layout.ty {
            Type::Bool => Kind::Bool,
            Type::Int { .. } => Kind::Int,
            Type::Enum(id) => Kind::Enum(*id),
            ty => Kind::Parts(Some(self.layout(ty)?).filter(|layout| layout.is_small()).ok_or(Unsupported)?),
        })
    }

    /// Returns the layout of a set with elements of one of two compatible types, if it is small.
    pub(super) fn common_set(&self, a: &Domain, b: &Domain) -> Result<Arc<Layout>, Unsupported> {
        let element = match (&a.layout.ty, &b.layout.ty) {
            (Type::Int { lo, hi }, Type::Int { lo: other_lo, hi: other_hi }) => {
                Type::Int { lo: *lo.min(other_lo), hi: *hi.max(other_hi) }
            }
            (a, b) if a == b => a.clone(),
            _ => return Err(Unsupported),
        };
        if self.model.types.cardinality(&element) > MOST_ELEMENTS {
            return Err(Unsupported);
        }
        self.layout(&Type::Set(Arc::new(element)))
    }
}

/// Returns the domain of a set's elements.
pub(super) fn domain_of(kind: &Kind) -> Result<&Arc<Domain>, Unsupported> {
    match kind {
        Kind::Parts(layout) => match &layout.shape {
            Shape::Set(domain) => Ok(domain),
            _ => Err(Unsupported),
        },
        _ => Err(Unsupported),
    }
}
