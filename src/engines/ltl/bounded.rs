//! Bounded search: a shortest fair lasso that violates a formula, or none within the bound.

use super::definition::{is_fair, satisfies};
use super::encoding::LassoEncoding;
use super::fairness::Fairness;
use super::formula::LtlFormula;
use kit::budget::{Activity, Budget, Exhausted, Observer, Progress};
use kit::diagnostics::Span;
use lang::model::Model;
use lang::model::expr::{Expr, Formula};
use lang::trace::Lasso;
use solvers::sat::{Answer, Backend, Circuit};
use solvers::unroll::{Lengths, Unrolling};

/// The result of a bounded search.
#[derive(Debug, Clone, PartialEq)]
pub enum Bounded {
    /// No fair lasso of the given lengths violates the formula.
    Holds,
    /// A violating fair lasso with the fewest positions, and of those one with the shortest stem.
    Violated(Lasso),
    /// The budget is exhausted; no fair lasso of fewer than `depth` steps violates the formula.
    Undecided {
        /// The limit that was reached.
        why: Exhausted,
        /// The number of steps whose search was not completed; 0 if only one length was asked for.
        depth: usize,
    },
}

/// True if some fair infinite trace returns to an earlier state within the given number of steps; if none does, every
/// formula holds of all of them. `None` if the budget ends first.
pub fn has_fair_lasso(
    model: &Model,
    fairness: &[Fairness],
    lengths: Lengths,
    backend: Backend,
    budget: &Budget,
) -> Option<bool> {
    let never = Formula::Atom(Expr::all(Vec::new(), Span::default()).negated(), Vec::new());
    match bounded(model, &never, fairness, lengths, backend, budget, &mut ()) {
        Bounded::Violated(_) => Some(true),
        Bounded::Holds => Some(false),
        Bounded::Undecided { .. } => None,
    }
}

/// Searches for a violation of a formula on infinite traces that return to an earlier state within the given number of
/// steps, including the step that closes the loop. Returns a lasso with the fewest steps, among these one with the
/// shortest stem, and among these the first in the order of [`Unrolling::first_trace`].
///
/// # Panics
/// If the definition does not confirm the result, which is a bug in the encoding.
pub fn bounded(
    model: &Model,
    formula: &Formula,
    fairness: &[Fairness],
    lengths: Lengths,
    backend: Backend,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Bounded {
    let negated = LtlFormula::new(formula, false);
    let mut unrolling = Unrolling::new(model, lengths, Circuit::new(backend.start(budget)).within(budget));
    let mut encoding = LassoEncoding::new(&mut unrolling, &negated, fairness);
    unrolling.circuit.add_clause(&[encoding.root()]);
    for steps in lengths.all().filter(|&steps| steps > 0) {
        let depth = match lengths {
            Lengths::UpTo(_) => steps,
            // Shorter lassos were not searched for.
            Lengths::Exactly(_) => 0,
        };
        let grown = unrolling.grow_to(steps).and_then(|()| encoding.grow(&mut unrolling));
        if let Err(why) = budget.exhausted().map_or(grown, Err) {
            return Bounded::Undecided { why, depth };
        }
        observer.progress(&Progress::of(Activity::Search, steps, unrolling.circuit.effort()));
        let closed = encoding.closed(&mut unrolling);
        let mut assumptions = unrolling.looked_at(steps);
        assumptions.push(closed);
        match unrolling.circuit.solve(&assumptions) {
            Answer::Sat => {}
            Answer::Unsat => {
                unrolling.circuit.add_clause(&[!closed]);
                continue;
            }
            Answer::Unknown(why) => return Bounded::Undecided { why, depth },
        }
        return match encoding.first(&mut unrolling, steps, assumptions) {
            Ok(lasso) => {
                let violates = !satisfies(model, formula, &lasso) && is_fair(model, fairness, &lasso);
                assert!(violates, "the encoding and the definition disagree on {lasso:?}");
                Bounded::Violated(lasso)
            }
            Err(why) => Bounded::Undecided { why, depth },
        };
    }
    Bounded::Holds
}
