//! Formulas and steps of a model, compiled once into closures over packed states.
//!
//! Closures compute the same values as [`lang::model::eval`]. Not every expression is compiled: those that build large
//! sets, records or maps, or read labels and positions, are left to the reference semantics, and so is a value without
//! a code that a closure meets (an element outside its set's type, say; reported by the flag [`ClosureEnv::escaped`]). Random
//! tests compare both.

mod compiler;
mod expressions;
mod formula;
mod place;
mod sets;
mod store;

pub use compiler::Compiler;
pub use formula::{CompiledFormula, EvalContext};
pub use store::{AssignmentTarget, ValueWriter};

use super::packed::PackedCode;
use lang::model::expr::LocalId;
use std::cell::Cell;

/// The environment of closures.
#[derive(Clone, Copy)]
pub struct ClosureEnv<'a> {
    /// The current state.
    pub now: &'a [u64],
    /// The next state, in a step.
    pub next: &'a [u64],
    /// Values of bound names, by their numbers.
    pub locals: &'a [Cell<Option<PackedCode>>],
    /// Set if a value has no code; the result is then meaningless.
    pub escaped: &'a Cell<bool>,
}

impl ClosureEnv<'_> {
    /// Computes with a name bound to a value.
    #[inline]
    fn bind<T>(&self, local: LocalId, value: Option<PackedCode>, compute: impl FnOnce() -> T) -> T {
        let local = &self.locals[local.0 as usize];
        let outer = local.replace(value);
        let result = compute();
        local.set(outer);
        result
    }

    /// Computes with names bound to values; a value may use the names before its own.
    fn bind_all<T>(&self, bindings: &[(LocalId, Eval)], compute: impl FnOnce() -> T) -> T {
        if let [(local, value)] = bindings {
            return self.bind(*local, value(self), compute);
        }
        let bind = |(local, value): &(LocalId, Eval)| self.locals[local.0 as usize].replace(value(self));
        let outer: Vec<Option<PackedCode>> = bindings.iter().map(bind).collect();
        let result = compute();
        for ((local, _), outer) in bindings.iter().zip(outer).rev() {
            self.locals[local.0 as usize].set(outer);
        }
        result
    }

    /// Records that a value has no code.
    fn escape<T>(&self) -> Option<T> {
        self.escaped.set(true);
        None
    }
}

/// Computes a value.
pub type Eval = Box<dyn Fn(&ClosureEnv<'_>) -> Option<PackedCode> + Send + Sync>;

/// Computes a truth value.
pub type CompiledTest = Box<dyn Fn(&ClosureEnv<'_>) -> bool + Send + Sync>;

/// An expression that is not compiled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Uncompiled;
