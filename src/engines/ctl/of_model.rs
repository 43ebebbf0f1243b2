//! Formulas over a model: labels are its truth-valued state expressions.

use super::formula::{CtlBuilder, CtlFormula, CtlOp, StrongFairness, Subformula};
use super::pace::WorkPoll;
use super::structure::Structure;
use crate::explore::Reachable;
use explicit::lts::Bits;
use kit::budget::{Budget, Exhausted};
use kit::diagnostics::{SourceMap, Span};
use kit::number::to_u32;
use lang::model::eval::Scope;
use lang::model::expr::{self, Expr, ExprKind, NameOccurrence, Op, TemporalOp};
use lang::model::value::{State, Value};
use lang::model::{ActionFairness, Model, Observable, Property, PropertyKind, Remembering};

/// The work of evaluating a label in a state, relative to that of following an edge.
const LABELLING: usize = 64;

/// A formula with the meanings of its labels.
#[derive(Debug, Clone)]
pub struct ModelFormula {
    /// The formula.
    pub formula: CtlFormula,
    /// The expression of each label.
    pub labels: Vec<Expr>,
}

/// The fairness conditions of path quantifiers.
#[derive(Debug, Clone, Default)]
pub struct PathFairness {
    /// State formulas that hold infinitely often, with their texts.
    pub again: Vec<(Expr, String)>,
    /// Steps that are taken infinitely often if they are possible infinitely often.
    pub strong: Vec<StrongCondition>,
}

/// The condition that steps are taken infinitely often if they are possible infinitely often.
#[derive(Debug, Clone)]
pub struct StrongCondition {
    /// The steps: `enter(p=P)`.
    pub steps: String,
    /// The condition that one of them is possible.
    pub possible: Expr,
    /// The condition that one of them led to the state.
    pub taken: Expr,
}

impl PathFairness {
    /// Returns the conditions of a model on states, with their texts.
    pub fn of_model(model: &Model) -> Self {
        let text = |e: &Expr| expression_text(&model.sources, model, e, &[]);
        let again = model.fairness.iter().map(|e| (e.clone(), text(e))).collect();
        Self { again, strong: Vec::new() }
    }

    /// Adds the fairness of an action, on states that record if the step that led to them was one of its steps.
    pub fn add_action(&mut self, model: &mut Remembering, fairness: &ActionFairness) {
        let name = step_text(&model.model, fairness);
        let taken = model.state_expression(&taken(&model.model, fairness));
        let enabled = fairness.enabled.clone();
        if fairness.strong {
            self.strong.push(StrongCondition { steps: name, possible: enabled, taken });
        } else {
            let met = Expr::binary_bool(Op::Or, enabled.negated(), taken);
            self.again.push((met, format!("{name} taken or impossible")));
        }
    }
}

/// Returns the steps of a condition as text: `enter(p=P)`.
fn step_text(model: &Model, fairness: &ActionFairness) -> String {
    let action = &model.actions[fairness.action];
    let given = action.params.iter().zip(&fairness.arguments);
    let given = given.filter_map(|(param, value)| {
        Some(format!("{}={}", param.name, model.types.show_value(value.as_ref()?)))
    });
    let given: Vec<String> = given.collect();
    if given.is_empty() { action.name.clone() } else { format!("{}({})", action.name, given.join(",")) }
}

/// Returns the condition that the step that led to a state matches a fairness condition.
fn taken(model: &Model, fairness: &ActionFairness) -> Expr {
    let is = |observable: Observable, value: Value| {
        let ty = observable.expr.ty.clone();
        let value = Expr::constant(value, ty, Span::default());
        Expr::binary_bool(Op::Eq, observable.expr, value)
    };
    let action = is(Observable::of_action(model), Value::Enum(model.action_enum, to_u32(fairness.action)));
    let given = fairness.arguments.iter().enumerate().filter_map(|(param, value)| {
        Some(is(Observable::of_argument(model, fairness.action, param), value.clone()?))
    });
    Expr::all([action].into_iter().chain(given).collect(), Span::default())
}

/// Returns the formula of a `ctl` property or of an invariant under `AG`, whose path quantifiers range over paths that
/// meet the conditions of `fair`. `text` gives an expression as written, with values for names.
pub fn formula_of_model(
    body: &expr::Formula,
    fair: &PathFairness,
    text: impl Fn(&Expr, &[NameOccurrence]) -> String,
) -> ModelFormula {
    let mut made = CtlTranslator { builder: CtlBuilder::new(), labels: Vec::new(), text };
    let again = fair.again.iter().map(|(condition, text)| made.label(condition, text.clone())).collect();
    let strong = fair.strong.iter().map(|StrongCondition { steps, possible, taken }| StrongFairness {
        when: made.label(possible, format!("{steps} possible")),
        again: made.label(taken, format!("{steps} taken")),
    });
    let strong = strong.collect();
    made.builder.only_fair(again);
    made.builder.only_strongly_fair(strong);
    let root = made.part(body);
    ModelFormula { formula: made.builder.finish(root), labels: made.labels }
}

/// Returns the formula of a property under its model's fairness conditions on states: that of a `ctl` property, or of
/// an invariant under `AG`. `None` for other properties.
pub fn formula_of_property(model: &Model, property: &Property) -> Option<ModelFormula> {
    let body = branching_formula(property)?;
    let text = |e: &Expr, named: &[NameOccurrence]| expression_text(&model.sources, model, e, named);
    Some(formula_of_model(&body, &PathFairness::of_model(model), text))
}

/// Returns a property as a branching-time formula: one of `ctl` as it is, an invariant under `AG`. `None` for one of
/// ltl.
pub fn branching_formula(property: &Property) -> Option<expr::Formula> {
    match &property.kind {
        PropertyKind::Ctl(body) => Some(body.clone()),
        PropertyKind::Invariant(e) | PropertyKind::DeadlockFree(e) => {
            let atom = expr::Formula::Atom(e.clone(), Vec::new());
            Some(expr::Formula::Temporal(TemporalOp::AllAlways, vec![atom]))
        }
        PropertyKind::Ltl(_) => None,
    }
}

/// Returns an expression as written, with values in place of names, on one line and without enclosing parentheses.
pub fn expression_text(sources: &SourceMap, model: &Model, e: &Expr, named: &[NameOccurrence]) -> String {
    let within =
        |place: Span| place.source == e.span.source && e.span.start <= place.start && place.end <= e.span.end;
    let mut places: Vec<&NameOccurrence> = named.iter().filter(|named| within(named.span)).collect();
    places.sort_by_key(|named| named.span.start);
    let mut text = String::new();
    let mut at = e.span.start;
    for NameOccurrence { span, value } in places {
        text += sources.snippet(Span { start: at, end: span.start, ..e.span });
        text += &model.types.show_value(value);
        at = span.end;
    }
    text += sources.snippet(Span { start: at, ..e.span });
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut depth = 0;
    // The end of the parenthesis that the text begins with.
    let closed = text.char_indices().find_map(|(at, c)| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        (depth == 0).then_some(at)
    });
    match text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
        Some(inner) if closed == Some(text.len() - 1) => inner.to_owned(),
        _ => text,
    }
}

struct CtlTranslator<T> {
    builder: CtlBuilder,
    labels: Vec<Expr>,
    text: T,
}

impl<T: Fn(&Expr, &[NameOccurrence]) -> String> CtlTranslator<T> {
    fn label(&mut self, expr: &Expr, text: String) -> Subformula {
        self.labels.push(expr.clone());
        self.builder.label(text)
    }

    fn part(&mut self, formula: &expr::Formula) -> Subformula {
        match formula {
            expr::Formula::Atom(e, named) => {
                let text = (self.text)(e, named);
                // A negation at the top becomes one of the formula, where it can be simplified with others.
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
                let parts: Vec<Subformula> = parts.iter().map(|f| self.part(f)).collect();
                self.builder.operator(*op, &parts)
            }
        }
    }
}

impl ModelFormula {
    /// True if a part without operators holds in a state.
    ///
    /// # Panics
    /// If the part has operators.
    pub fn holds(&self, model: &Model, part: Subformula, state: &State) -> bool {
        match self.formula.node(part) {
            CtlOp::True => true,
            CtlOp::Label(label) => Scope::new(model).with_state(state).holds(&self.labels[*label]),
            CtlOp::Not(a) => !self.holds(model, *a, state),
            CtlOp::And(a, b) => self.holds(model, *a, state) && self.holds(model, *b, state),
            CtlOp::Or(a, b) => self.holds(model, *a, state) || self.holds(model, *b, state),
            CtlOp::Next(_) | CtlOp::Until(..) | CtlOp::Always { .. } => {
                panic!("one state does not depend on others")
            }
        }
    }

    /// Returns all reachable states, with those that have each label.
    ///
    /// # Errors
    /// If the budget ends.
    pub fn structure(
        &self,
        model: &Model,
        reached: &Reachable,
        budget: &Budget,
    ) -> Result<(Structure, Vec<Bits>), Exhausted> {
        let mut pace = WorkPoll::new(budget);
        let set = |label: &Expr| {
            let mut set = Bits::new(reached.states.len());
            for (at, state) in reached.states.iter().enumerate() {
                pace.spend(LABELLING)?;
                if Scope::new(model).with_state(state).holds(label) {
                    set.insert(at);
                }
            }
            Ok(set)
        };
        let labels: Result<Vec<Bits>, Exhausted> = self.labels.iter().map(set).collect();
        Ok((Structure::of_model(reached, budget)?, labels?))
    }
}
