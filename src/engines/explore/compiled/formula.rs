//! Formulas that are compiled if possible, and left to the reference semantics otherwise.

use super::{ClosureEnv, CompiledTest, Compiler};
use crate::explore::packed::{Layout, StateLayout};
use lang::model::Model;
use lang::model::eval::Scope;
use lang::model::expr::{Expr, ExprKind, LocalId};
use lang::model::value::Value;
use std::sync::Arc;

/// A truth-valued expression over a state or a step.
pub struct CompiledFormula<'m> {
    expr: &'m Expr,
    test: Option<CompiledTest>,
    reads_next: bool,
}

/// The context that the reference semantics needs beyond packed states.
#[derive(Clone, Copy)]
pub struct EvalContext<'a> {
    /// The model.
    pub model: &'a Model,
    /// The layout of its states.
    pub states: &'a StateLayout,
    /// The names that are bound around the formula, with the layouts of their values.
    pub bound: &'a [(LocalId, Arc<Layout>)],
}

impl<'m> CompiledFormula<'m> {
    /// Compiles a formula; the names bound around it are bound in the compiler.
    pub fn new(compiler: &Compiler<'_>, expr: &'m Expr) -> Self {
        let mut reads_next = false;
        expr.walk(&mut |e| reads_next |= matches!(e.kind, ExprKind::Next(_)));
        Self { expr, test: compiler.test(expr).ok(), reads_next }
    }

    /// True if the formula holds.
    pub fn holds(&self, env: &ClosureEnv<'_>, around: EvalContext<'_>) -> bool {
        if let Some(test) = &self.test {
            let holds = test(env);
            if !env.escaped.replace(false) {
                return holds;
            }
        }
        let state = around.states.unpack(env.now);
        let next = self.reads_next.then(|| around.states.unpack(env.next));
        let value = |(local, layout): &(LocalId, Arc<Layout>)| -> (LocalId, Value) {
            (*local, layout.value_of(env.locals[local.0 as usize].get()))
        };
        let bound: Vec<_> = around.bound.iter().map(value).collect();
        let scope = Scope::new(around.model).with_state(&state).with_locals(&bound);
        match &next {
            Some(next) => scope.with_next(next).holds(self.expr),
            None => scope.holds(self.expr),
        }
    }
}
