//! Constraints of infinite traces as formulas of linear time, over states that remember what is said of labels.

use super::constraint::LassoConstraint;
use super::fact::{AtomLiteral, LassoFact};
use crate::facts::atom::Atoms;
use kit::diagnostics::Span;
use lang::model::Recurrence;
use lang::model::expr::{Expr, Formula, TemporalOp};
use lang::model::{Remembering, of_one_moment};

/// The formula that an infinite trace of the model satisfies exactly if it satisfies a ground constraint. What the constraint says of
/// labels is added to what the states of the model remember.
pub fn linear_formula(constraint: &LassoConstraint, atoms: &Atoms, model: &mut Remembering) -> Formula {
    let mut writer = LinearWriter { atoms, model };
    let facts: Vec<Formula> = constraint.facts.iter().map(|fact| writer.fact(fact)).collect();
    facts.into_iter().reduce(and).unwrap_or_else(|| atom(Expr::bool(true, Span::default())))
}

struct LinearWriter<'a> {
    atoms: &'a Atoms,
    model: &'a mut Remembering,
}

impl LinearWriter<'_> {
    fn fact(&mut self, fact: &LassoFact) -> Formula {
        let what = self.said(&fact.what);
        match fact.when {
            Recurrence::Again => always(eventually(what)),
            Recurrence::Forever => eventually(always(what)),
            Recurrence::Once => {
                let last = match fact.after.is_empty() {
                    true => what,
                    false => and(what, next(always(self.said(&fact.after)))),
                };
                let before = fact.before.iter().rev();
                eventually(before.fold(last, |later, said| and(self.said(said), next(eventually(later)))))
            }
        }
    }

    /// The conjunction of all of this at one position.
    fn said(&mut self, all: &[AtomLiteral]) -> Formula {
        let parts = all.iter().map(|said| {
            let about = self.model.state_expression(&of_one_moment(&self.atoms.get(said.about.atom).expr));
            if said.holds { about } else { about.negated() }
        });
        let parts = parts.collect();
        atom(Expr::all(parts, Span::default()))
    }
}

fn atom(expr: Expr) -> Formula {
    Formula::Atom(expr, Vec::new())
}

fn and(a: Formula, b: Formula) -> Formula {
    Formula::And(Box::new(a), Box::new(b))
}

fn always(a: Formula) -> Formula {
    Formula::Temporal(TemporalOp::Always, vec![a])
}

fn eventually(a: Formula) -> Formula {
    Formula::Temporal(TemporalOp::Eventually, vec![a])
}

fn next(a: Formula) -> Formula {
    Formula::Temporal(TemporalOp::Next, vec![a])
}
