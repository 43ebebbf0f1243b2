//! The symmetries of what is classified: permutations of values that keep the model, the formula and the conditions of fairness as they are, and
//! so take violating lassos to violating lassos.
//!
//! That first states and steps are kept is proved ([`crate::symmetry`]). Of the formula and the conditions it has to be plain: the image of
//! the formula is the formula, and the images of the conditions are the conditions, up to their order.

use super::normal_form::NormalForm;
use super::options::LassoProblem;
use crate::budget::Budget;
use crate::classify::orbit::PATIENCE;
use crate::classify::permuted::permuted;
use crate::ltl::{Fairness, is_fair, satisfies};
use crate::model::eval::check_trace;
use crate::model::expr::Expr;
use crate::model::permutation::Permutation;
use crate::model::value::Value;
use crate::symmetry::{Question, Symmetries, exchanges};
use crate::trace::Lasso;
use std::collections::BTreeSet;

/// The symmetries that are soon found, of those permutations that are of use. Violating lassos show that some are none.
pub fn symmetries(
    problem: LassoProblem<'_>,
    violating: &[&Lasso],
    is_of_use: impl Fn(&Permutation) -> bool,
    budget: &Budget,
) -> Symmetries {
    let Some(own) = Asked::of(problem, &Permutation::default()) else { return Symmetries::default() };
    let is_likely = |by: &Permutation| {
        is_of_use(by)
            && Asked::of(problem, by).as_ref() == Some(&own)
            && violating.iter().all(|lasso| is_violating(problem, &lasso.permuted(problem.model, by)))
    };
    let budget = &budget.at_most(PATIENCE);
    let question = Question { model: problem.model, invariants: Vec::new(), is_likely: &is_likely, budget };
    exchanges(&question).with_turns(&question)
}

fn is_violating(LassoProblem { model, formula, fairness }: LassoProblem<'_>, lasso: &Lasso) -> bool {
    check_trace(model, &lasso.trace.moments).is_ok()
        && is_fair(model, fairness, lasso)
        && !satisfies(model, formula, lasso)
}

/// What is said of lassos.
#[derive(PartialEq, Eq)]
struct Asked {
    formula: NormalForm,
    fairness: BTreeSet<Condition>,
}

/// A condition of fairness.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Condition {
    /// It holds again and again.
    Again(NormalForm),
    /// The steps of an action with these arguments. Whether there is one is so of a state and of its image, if steps are kept.
    Steps { action: usize, arguments: Vec<Option<Value>>, strong: bool },
}

impl Asked {
    /// What is so of the image of a lasso under a permutation where it is so of the lasso that it violates the formula and is fair. `None`
    /// where that is not clear.
    fn of(LassoProblem { model, formula, fairness }: LassoProblem<'_>, by: &Permutation) -> Option<Self> {
        let types = &model.types;
        let image = |expr: &Expr| permuted(types, by, expr);
        let formula = NormalForm::of_formula(formula, &image)?;
        let condition = |condition: &Fairness| match condition {
            Fairness::Again(expr) => image(expr).map(|image| Condition::Again(NormalForm::of(&image))),
            Fairness::Action(steps) => {
                let params = &model.actions[steps.action].params;
                let arguments = steps.arguments.iter().zip(params).map(|(argument, param)| {
                    argument.as_ref().map(|value| by.image(types, &param.ty, value))
                });
                let (action, arguments, strong) = (steps.action, arguments.collect(), steps.strong);
                Some(Condition::Steps { action, arguments, strong })
            }
        };
        let fairness = fairness.iter().map(condition).collect::<Option<_>>()?;
        Some(Self { formula, fairness })
    }
}
