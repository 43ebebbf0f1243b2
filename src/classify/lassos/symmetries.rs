//! The symmetries of what is classified: permutations of values that keep the model, the formula and the conditions of fairness as they are, and
//! so take violating lassos to violating lassos.
//!
//! Preservation of initial states and steps is proved ([`engines::symmetry`]). Of the formula and the conditions it has to be plain: the image of
//! the formula is the formula, and the images of the conditions are the conditions, up to their order. Only state formulas with
//! conditionals, of whose images little can be seen, may be proved to be kept.

use super::normal_form::NormalForm;
use super::options::LassoProblem;
use crate::facts::atom::reads_label;
use crate::facts::permuted::permuted;
use crate::oracles::orbit::PATIENCE;
use engines::ltl::{Fairness, is_fair, satisfies};
use engines::symmetry::{PermutationQuestion, Symmetries, exchanges};
use kit::budget::Budget;
use lang::model::eval::check_trace;
use lang::model::expr::{Expr, ExprKind};
use lang::model::permutation::Permutation;
use lang::model::value::Value;
use lang::trace::Lasso;
use std::cell::RefCell;
use std::collections::BTreeSet;

/// The symmetries that are soon found, of those permutations that are of use. Violating lassos show that some are none.
pub fn symmetries(
    problem: LassoProblem<'_>,
    violating: &[&Lasso],
    is_of_use: impl Fn(&Permutation) -> bool,
    budget: &Budget,
) -> Symmetries {
    let asked = NormalProblem::new(problem);
    // What has to be proved of a permutation beside that it keeps steps; `None` if it is no symmetry.
    let to_prove = |by: &Permutation| {
        let is_shown =
            || violating.iter().all(|lasso| is_violating(problem, &lasso.permuted(problem.model, by)));
        if is_of_use(by) && is_shown() { asked.to_prove(by) } else { None }
    };
    let budget = &budget.at_most(PATIENCE);
    let unclear: RefCell<Vec<Expr>> = RefCell::default();
    let find = |invariants: Vec<&Expr>, is_likely: &dyn Fn(&Permutation) -> bool| {
        let question = PermutationQuestion { model: problem.model, invariants, is_likely, budget };
        exchanges(&question).with_turns(&question)
    };
    // Nothing is asked of the solver where no permutation is likely.
    find(Vec::new(), &|by| {
        let more = to_prove(by).unwrap_or_default();
        let mut unclear = unclear.borrow_mut();
        more.into_iter().for_each(|expr| {
            if !unclear.contains(&expr) {
                unclear.push(expr)
            }
        });
        false
    });
    let unclear = unclear.into_inner();
    let is_asked = |more: Vec<Expr>| more.iter().all(|expr| unclear.contains(expr));
    find(unclear.iter().collect(), &|by| to_prove(by).is_some_and(is_asked))
}

fn is_violating(LassoProblem { model, formula, fairness }: LassoProblem<'_>, lasso: &Lasso) -> bool {
    check_trace(model, &lasso.trace.moments).is_ok()
        && is_fair(model, fairness, lasso)
        && !satisfies(model, formula, lasso)
}

/// The problem in normal form, and its state formulas.
struct NormalProblem<'m> {
    problem: LassoProblem<'m>,
    said: Option<NormalFormulas>,
    state_formulas: BTreeSet<NormalForm>,
}

impl<'m> NormalProblem<'m> {
    fn new(problem: LassoProblem<'m>) -> Self {
        let state_formulas: RefCell<BTreeSet<NormalForm>> = RefCell::default();
        let said = NormalFormulas::of(problem, &Permutation::default(), &|expr| {
            state_formulas.borrow_mut().insert(NormalForm::of(expr));
            Some(expr.clone())
        });
        Self { problem, said, state_formulas: state_formulas.into_inner() }
    }

    /// The state formulas that a permutation has to keep so that a lasso violates the formula and is fair where its image does and is.
    /// `None` where that is not clear.
    fn to_prove(&self, by: &Permutation) -> Option<Vec<Expr>> {
        let unclear: RefCell<Vec<Expr>> = RefCell::default();
        let said = NormalFormulas::of(self.problem, by, &|expr| {
            let image = permuted(&self.problem.model.types, by, expr);
            let is_there = |image: &Expr| self.state_formulas.contains(&NormalForm::of(image));
            if image.as_ref().is_some_and(is_there) || !has_conditionals(expr) {
                return image;
            }
            unclear.borrow_mut().push(expr.clone());
            Some(expr.clone())
        });
        (said.is_some() && said == self.said).then(|| unclear.into_inner())
    }
}

/// True if a formula about states only has conditionals.
fn has_conditionals(expr: &Expr) -> bool {
    let mut found = false;
    expr.walk(&mut |part| found |= matches!(part.kind, ExprKind::If(..)));
    found && !reads_label(expr)
}

/// Formula and fairness in normal form.
#[derive(PartialEq, Eq)]
struct NormalFormulas {
    formula: NormalForm,
    fairness: BTreeSet<NormalFairness>,
}

/// A condition of fairness.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum NormalFairness {
    /// It holds again and again.
    Again(NormalForm),
    /// The steps of an action with these arguments. Whether there is one is so of a state and of its image, if steps are kept.
    Steps { action: usize, arguments: Vec<Option<Value>>, strong: bool },
}

impl NormalFormulas {
    /// The normal form of the problem with the images of state formulas under a permutation: an equal one means that images of
    /// violating fair lassos are violating and fair. `None` if one of these has none.
    fn of(
        LassoProblem { model, formula, fairness }: LassoProblem<'_>,
        by: &Permutation,
        image: &dyn Fn(&Expr) -> Option<Expr>,
    ) -> Option<Self> {
        let types = &model.types;
        let formula = NormalForm::of_formula(formula, image)?;
        let condition = |condition: &Fairness| match condition {
            Fairness::Again(expr) => image(expr).map(|image| NormalFairness::Again(NormalForm::of(&image))),
            Fairness::Action(steps) => {
                let params = &model.actions[steps.action].params;
                let arguments = steps.arguments.iter().zip(params).map(|(argument, param)| {
                    argument.as_ref().map(|value| by.image(types, &param.ty, value))
                });
                let (action, arguments, strong) = (steps.action, arguments.collect(), steps.strong);
                Some(NormalFairness::Steps { action, arguments, strong })
            }
        };
        let fairness = fairness.iter().map(condition).collect::<Option<_>>()?;
        Some(Self { formula, fairness })
    }
}
