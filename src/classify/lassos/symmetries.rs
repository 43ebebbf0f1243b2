//! The symmetries of what is classified: permutations of values that keep the model, the formula and the conditions of fairness as they are, and
//! so take violating lassos to violating lassos.
//!
//! That first states and steps are kept is proved ([`crate::symmetry`]). Of the formula and the conditions it has to be plain: the image of
//! the formula is the formula, and the images of the conditions are the conditions, up to their order. Only state formulas with
//! conditionals, of whose images little can be seen, may be proved to be kept.

use super::normal_form::NormalForm;
use super::options::LassoProblem;
use crate::budget::Budget;
use crate::classify::atom::reads_label;
use crate::classify::orbit::PATIENCE;
use crate::classify::permuted::permuted;
use crate::ltl::{Fairness, is_fair, satisfies};
use crate::model::eval::check_trace;
use crate::model::expr::{Expr, ExprKind};
use crate::model::permutation::Permutation;
use crate::model::value::Value;
use crate::symmetry::{Question, Symmetries, exchanges};
use crate::trace::Lasso;
use std::cell::RefCell;
use std::collections::BTreeSet;

/// The symmetries that are soon found, of those permutations that are of use. Violating lassos show that some are none.
pub fn symmetries(
    problem: LassoProblem<'_>,
    violating: &[&Lasso],
    is_of_use: impl Fn(&Permutation) -> bool,
    budget: &Budget,
) -> Symmetries {
    let asked = Asked::new(problem);
    // What has to be proved of a permutation beside that it keeps steps; `None` if it is no symmetry.
    let to_prove = |by: &Permutation| {
        let is_shown =
            || violating.iter().all(|lasso| is_violating(problem, &lasso.permuted(problem.model, by)));
        if is_of_use(by) && is_shown() { asked.to_prove(by) } else { None }
    };
    let budget = &budget.at_most(PATIENCE);
    let unclear: RefCell<Vec<Expr>> = RefCell::default();
    let find = |invariants: Vec<&Expr>, is_likely: &dyn Fn(&Permutation) -> bool| {
        let question = Question { model: problem.model, invariants, is_likely, budget };
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

/// What is said of lassos, and the state formulas in it.
struct Asked<'m> {
    problem: LassoProblem<'m>,
    said: Option<Said>,
    state_formulas: BTreeSet<NormalForm>,
}

impl<'m> Asked<'m> {
    fn new(problem: LassoProblem<'m>) -> Self {
        let state_formulas: RefCell<BTreeSet<NormalForm>> = RefCell::default();
        let said = Said::of(problem, &Permutation::default(), &|expr| {
            state_formulas.borrow_mut().insert(NormalForm::of(expr));
            Some(expr.clone())
        });
        Self { problem, said, state_formulas: state_formulas.into_inner() }
    }

    /// The state formulas that a permutation has to keep so that a lasso violates the formula and is fair where its image does and is.
    /// `None` where that is not clear.
    fn to_prove(&self, by: &Permutation) -> Option<Vec<Expr>> {
        let unclear: RefCell<Vec<Expr>> = RefCell::default();
        let said = Said::of(self.problem, by, &|expr| {
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

/// Whether a formula about states only has conditionals.
fn has_conditionals(expr: &Expr) -> bool {
    let mut found = false;
    expr.walk(&mut |part| found |= matches!(part.kind, ExprKind::If(..)));
    found && !reads_label(expr)
}

/// What is said of lassos, up to what makes no difference.
#[derive(PartialEq, Eq)]
struct Said {
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

impl Said {
    /// What is so of the image of a lasso under a permutation where it is so of the lasso that it violates the formula and is fair, with the
    /// images of state formulas. `None` if one of these has none.
    fn of(
        LassoProblem { model, formula, fairness }: LassoProblem<'_>,
        by: &Permutation,
        image: &dyn Fn(&Expr) -> Option<Expr>,
    ) -> Option<Self> {
        let types = &model.types;
        let formula = NormalForm::of_formula(formula, image)?;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{PropertyKind, load_text};
    use std::io::ErrorKind;

    /// What moves in the symmetries of beacons around a bay with a property, and conditions of fairness.
    fn found(property: &str, fairness: &str) -> Vec<String> {
        let text = format!(
            "model beacons; type Beacon = enum {{ A, B, C, D }}; var lit : map Beacon to bool;
             def next_to(b: Beacon, c: Beacon): bool =
                 b = A and c = B or b = B and c = C or b = C and c = D or b = D and c = A;
             init {{ forall b in Beacon: not lit[b]; }}
             action turn(b: Beacon) {{
                 require forall c in Beacon: next_to(b, c) => not lit[c]; lit'[b] = not lit[b];
             }}
             {fairness}
             ltl p: {property};"
        );
        let loaded = load_text("beacons.sts", &text, &[], &|_| Err(ErrorKind::NotFound.into()));
        let model = loaded.model.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics));
        let PropertyKind::Ltl(formula) = &model.properties[0].kind else { panic!("a property of ltl") };
        let fairness = Fairness::of_model(&model);
        let problem = LassoProblem { model: &model, formula, fairness: &fairness };
        let found = symmetries(problem, &[], |_| true, &Budget::unlimited());
        found.all().map(|by| by.show(&model.types)).collect()
    }

    #[test]
    fn rotations_keep_what_is_said_of_each() {
        let each = "forall b, c in Beacon: next_to(b, c) => always eventually not (lit[b] and lit[c])";
        let whole = "always eventually exists b in Beacon: lit[b]";
        let around = ["A, B, C, D in turn"];
        for fairness in [
            "",
            "fairness action turn(b);",
            "fairness strong action turn;",
            "fairness exists b in Beacon: lit[b];",
        ] {
            assert_eq!(found(each, fairness), around, "{fairness}");
            assert_eq!(found(whole, fairness), around, "{fairness}");
        }
        let of_all = "fairness lit[A]; fairness lit[B]; fairness lit[C]; fairness lit[D];";
        assert_eq!(found(each, of_all), around);
    }

    /// What is said with a conditional is kept if the solver says so.
    #[test]
    fn conditionals_are_proved_to_be_kept() {
        let after =
            |b: &str| format!("(if {b} = A then B else if {b} = B then C else if {b} = C then D else A)");
        let side = format!("exists b in Beacon: lit[b] and lit[{}]", after("b"));
        let around = ["A, B, C, D in turn"];
        assert_eq!(found(&format!("eventually always not {side}"), ""), around);
        assert_eq!(found(&format!("always eventually {side}"), &format!("fairness not ({side});")), around);
        assert_eq!(found(&format!("always eventually ({side} and b != A)"), ""), [""; 0]);
        let once = format!("lit[A] and ({side})");
        assert_eq!(found(&format!("always eventually ({once})"), ""), [""; 0]);
    }

    #[test]
    fn what_singles_out_a_value_is_not_kept() {
        let each = "forall b in Beacon: always eventually lit[b]";
        assert_eq!(found(&format!("({each}) or always lit[A]"), ""), [""; 0]);
        assert_eq!(found("always (lit[A] => eventually lit[C])", ""), [""; 0]);
        assert_eq!(found(each, "fairness lit[A];"), [""; 0]);
        // Half a turn is a symmetry, but none of those that are tried.
        assert_eq!(found(each, "fairness lit[A]; fairness lit[C];"), [""; 0]);
    }
}
