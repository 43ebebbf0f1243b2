//! Questions about models as SMT-LIB 2 scripts, for other solvers to answer.
//!
//! The translation shares nothing with the encoding for SAT solvers ([`crate::unroll`]) but the model, so that each can be
//! checked against the other. It follows the reference semantics ([`lang::model::eval`]).
//!
//! Scripts follow C. Barrett, P. Fontaine and C. Tinelli, *The SMT-LIB Standard, Version 2.6* (2017), and are free of
//! quantifiers.

mod answer;
mod effect;
mod expression;
mod first;
mod formula;
mod lassos;
mod print;
mod question;
mod script;
mod shape;
mod symbolic;
mod term;
mod traces;

pub use answer::TraceScript;
pub use lassos::LassoQuestion;
pub use question::TraceLengths;
pub use traces::{Alternative, Start, TraceQuestion, Violation};

use kit::budget::{Budget, Exhausted};
use lang::model::expr::Expr;
use lang::model::{Model, Property};

/// The sorts of numbers, and of values of enumerations, in a script.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Theory {
    /// Integers, in linear arithmetic: QF_LIA. A product of two numbers of more than 64 values each makes it QF_NIA.
    Int,
    /// Bit vectors in two's complement, each as wide as its range needs: QF_BV.
    Bv,
}

/// A script that is satisfiable iff there is a trace as it is asked for.
///
/// # Errors
/// If the budget is exhausted before the script is complete.
pub fn trace_script(
    model: &Model,
    question: &TraceQuestion,
    theory: Theory,
    budget: &Budget,
) -> Result<String, Exhausted> {
    Ok(asked_about(model, question, theory, budget)?.text())
}

/// A script that is satisfiable iff there is an infinite trace as it is asked for.
///
/// # Errors
/// If the budget is exhausted before the script is complete.
pub fn lasso_script(
    model: &Model,
    question: &LassoQuestion,
    theory: Theory,
    budget: &Budget,
) -> Result<String, Exhausted> {
    let (script, positions) = lassos::script(model, question, budget)?;
    Ok(TraceScript::new(model, script, positions, theory).text())
}

/// The question as one whose answer can be read.
///
/// # Errors
/// If the budget is exhausted before the script is complete.
pub fn asked_about<'m>(
    model: &'m Model,
    question: &TraceQuestion,
    theory: Theory,
    budget: &Budget,
) -> Result<TraceScript<'m>, Exhausted> {
    let (script, positions) = traces::script(model, question, budget)?;
    Ok(TraceScript::new(model, script, positions, theory))
}

/// A script that is satisfiable iff a trace of so many steps violates the invariant of a property.
///
/// # Errors
/// If the budget is exhausted before the script is complete.
pub fn script(
    model: &Model,
    property: &Property,
    invariant: &Expr,
    steps: TraceLengths,
    theory: Theory,
    budget: &Budget,
) -> Result<String, Exhausted> {
    Ok(asked(model, property, invariant, steps, theory, budget)?.text())
}

/// The question as one whose answer can be read.
///
/// # Errors
/// If the budget is exhausted before the script is complete.
pub fn asked<'m>(
    model: &'m Model,
    property: &Property,
    invariant: &Expr,
    steps: TraceLengths,
    theory: Theory,
    budget: &Budget,
) -> Result<TraceScript<'m>, Exhausted> {
    let (script, positions) = question::script(model, property, invariant, steps, budget)?;
    Ok(TraceScript::new(model, script, positions, theory))
}
