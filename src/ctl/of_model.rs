//! Formulas over a model: labels are its truth-valued state expressions.

use super::formula::{Builder, Formula, Part};
use super::structure::Structure;
use crate::explore::Reachable;
use crate::lts::Bits;
use crate::model::Model;
use crate::model::eval::Scope;
use crate::model::expr::{self, Expr, ExprKind, Named};
use crate::model::value::State;

/// A formula with what its labels mean.
#[derive(Debug, Clone)]
pub struct ModelFormula {
    /// The formula.
    pub formula: Formula,
    /// For each label its expression.
    pub labels: Vec<Expr>,
}

/// A formula of a `ctl` property or an invariant under `AG`, where path quantifiers range over paths that have each of `fair`
/// infinitely often. `text` gives an expression as it was written, with values for names.
pub fn formula_of_model(
    body: &expr::Formula,
    fair: &[(Expr, String)],
    text: impl Fn(&Expr, &[Named]) -> String,
) -> ModelFormula {
    let mut made = Maker { builder: Builder::new(), labels: Vec::new(), text };
    let conditions = fair.iter().map(|(condition, text)| made.label(condition, text.clone())).collect();
    made.builder.only_fair(conditions);
    let root = made.part(body);
    ModelFormula { formula: made.builder.finish(root), labels: made.labels }
}

struct Maker<T> {
    builder: Builder,
    labels: Vec<Expr>,
    text: T,
}

impl<T: Fn(&Expr, &[Named]) -> String> Maker<T> {
    fn label(&mut self, expr: &Expr, text: String) -> Part {
        self.labels.push(expr.clone());
        self.builder.label(text)
    }

    fn part(&mut self, formula: &expr::Formula) -> Part {
        match formula {
            expr::Formula::Atom(e, named) => {
                let text = (self.text)(e, named);
                // A negation at the top becomes one of the formula, where others can meet it.
                if let ExprKind::Not(inner) = &e.kind
                    && text.starts_with("not ")
                {
                    let inner = self.part(&expr::Formula::Atom((**inner).clone(), named.clone()));
                    return self.builder.not(inner);
                }
                self.label(e, text)
            }
            expr::Formula::Not(a) => {
                let a = self.part(a);
                self.builder.not(a)
            }
            expr::Formula::And(a, b) => {
                let (a, b) = (self.part(a), self.part(b));
                self.builder.and(a, b)
            }
            expr::Formula::Or(a, b) => {
                let (a, b) = (self.part(a), self.part(b));
                self.builder.or(a, b)
            }
            expr::Formula::Implies(a, b) => {
                let (a, b) = (self.part(a), self.part(b));
                self.builder.implies(a, b)
            }
            expr::Formula::Iff(a, b) => {
                let (a, b) = (self.part(a), self.part(b));
                self.builder.iff(a, b)
            }
            expr::Formula::If(condition, a, b) => {
                let condition = self.part(condition);
                let (a, b) = (self.part(a), self.part(b));
                let otherwise = self.builder.not(condition);
                let (then, otherwise) =
                    (self.builder.implies(condition, a), self.builder.implies(otherwise, b));
                self.builder.and(then, otherwise)
            }
            expr::Formula::Temporal(op, parts) => {
                let parts: Vec<Part> = parts.iter().map(|f| self.part(f)).collect();
                self.builder.operator(*op, &parts)
            }
        }
    }
}

impl ModelFormula {
    /// Whether a part without operators holds in a state.
    ///
    /// # Panics
    /// If the part has operators.
    pub fn holds(&self, model: &Model, part: Part, state: &State) -> bool {
        use super::formula::Node;
        match self.formula.node(part) {
            Node::True => true,
            Node::Label(label) => Scope::new(model).with_state(state).holds(&self.labels[*label]),
            Node::Not(a) => !self.holds(model, *a, state),
            Node::And(a, b) => self.holds(model, *a, state) && self.holds(model, *b, state),
            Node::Or(a, b) => self.holds(model, *a, state) || self.holds(model, *b, state),
            Node::Next(_) | Node::Until(..) | Node::Always { .. } => {
                panic!("one state says nothing of others")
            }
        }
    }

    /// All reachable states with the states that have each label.
    pub fn structure(&self, model: &Model, reached: &Reachable) -> (Structure, Vec<Bits>) {
        let set = |label: &Expr| {
            let mut set = Bits::new(reached.states.len());
            let states = reached.states.iter().enumerate();
            let holding = states.filter(|(_, state)| Scope::new(model).with_state(state).holds(label));
            holding.for_each(|(at, _)| _ = set.insert(at));
            set
        };
        (Structure::of_model(reached), self.labels.iter().map(set).collect())
    }
}
