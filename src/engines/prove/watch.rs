//! What must never happen, with a memory of its own beside the state of the model.

use lang::model::Position;
use lang::model::expr::Expr;
use solvers::sat::Lit;
use solvers::unroll::Unrolling;

/// An observer that runs beside a model: latches that read each position of a trace, and a condition over
/// the latches and the state that must never hold. An automaton over the letters of a class is one, an invariant is
/// one without latches.
///
/// What a position says is encoded there ([`solvers::unroll::Encoder`], [`Unrolling::state_truth`]). The methods
/// are asked again for every copy of the model and must give the same function each time.
pub trait Watch {
    /// How many latches there are.
    fn latches(&self) -> usize;

    /// The latches after the first position was read.
    fn start(&self, unrolling: &mut Unrolling<'_>) -> Vec<Lit>;

    /// The latches after `position`, not the first one, was read; `before` they were these. May read the label of
    /// the step that led there.
    fn next(&self, unrolling: &mut Unrolling<'_>, position: Position, before: &[Lit]) -> Vec<Lit>;

    /// What must never hold, of the state at a position and the latches after it was read. Must not read labels:
    /// what they say has to be kept in a latch.
    fn bad(&self, unrolling: &mut Unrolling<'_>, position: Position, latches: &[Lit]) -> Lit;

    /// How certificates call a latch.
    fn latch_name(&self, latch: usize) -> String {
        format!("latch {latch}")
    }
}

/// An invariant: what must hold in every reachable state.
#[derive(Debug, Clone, Copy)]
pub struct Always<'e>(pub &'e Expr);

impl Watch for Always<'_> {
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
