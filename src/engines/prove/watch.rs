//! Observers: conditions that must never hold, with a memory of their own beside the state of the model.

use lang::model::Position;
use lang::model::expr::Expr;
use solvers::sat::Lit;
use solvers::unroll::Unrolling;

/// An observer that runs beside a model: latches that read each position of a trace, and a condition over the latches
/// and the state that must never hold. An automaton over the letters of a class is an observer, and an invariant is one
/// without latches.
///
/// Positions are encoded by [`solvers::unroll::Encoder`] and [`Unrolling::state_truth`]. The methods are called for
/// every copy of the model and must give the same function each time.
pub trait ModelObserver {
    /// Returns the number of latches.
    fn latches(&self) -> usize;

    /// Returns the latches after the first position was read.
    fn start(&self, unrolling: &mut Unrolling<'_>) -> Vec<Lit>;

    /// Returns the latches after `position`, which is not the first one, was read; `before` gives the previous latches.
    /// May read the label of the step that led there.
    fn next(&self, unrolling: &mut Unrolling<'_>, position: Position, before: &[Lit]) -> Vec<Lit>;

    /// Returns the condition that must never hold, over the state at a position and the latches after it was read. Must
    /// not read labels; a latch has to keep their information.
    fn bad(&self, unrolling: &mut Unrolling<'_>, position: Position, latches: &[Lit]) -> Lit;

    /// Returns the name of a latch in certificates.
    fn latch_name(&self, latch: usize) -> String {
        format!("latch {latch}")
    }
}

/// An invariant: an expression that must hold in every reachable state.
#[derive(Debug, Clone, Copy)]
pub struct AlwaysHolds<'e>(pub &'e Expr);

impl ModelObserver for AlwaysHolds<'_> {
    fn latches(&self) -> usize {
        0
    }

    fn start(&self, _: &mut Unrolling<'_>) -> Vec<Lit> {
        Vec::new()
    }

    fn next(&self, _: &mut Unrolling<'_>, _: Position, _: &[Lit]) -> Vec<Lit> {
        Vec::new()
    }

    fn bad(&self, unrolling: &mut Unrolling<'_>, position: Position, _: &[Lit]) -> Lit {
        !unrolling.state_truth(self.0, position)
    }
}
