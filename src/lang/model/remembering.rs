//! Models whose states remember what was so of the step that led to them.

use super::expr::{Expr, ExprKind, Op, VarId};
use super::types::Type;
use super::value::Value;
use super::{Action, Model, Update, UpdateValue, Variable};
use kit::diagnostics::Span;

/// A model with further variables, for what is said of labels: after a step they have the values that this has of its label. They come
/// after all others, and no step depends on them; so the traces are those of the model, each with the values of these variables.
#[derive(Debug, Clone)]
pub struct Remembering {
    /// The model with the variables.
    pub model: Model,
    /// What is remembered, without places, each with its variable.
    known: Vec<(Expr, VarId)>,
}

impl Remembering {
    /// The model; nothing is remembered yet. It has no symmetries.
    pub fn new(model: &Model) -> Self {
        Self { model: Model { symmetric: Vec::new(), ..model.clone() }, known: Vec::new() }
    }

    /// A state expression that may read the label, as one that does not: variables stand for what it says of labels alone.
    pub fn state_expression(&mut self, expr: &Expr) -> Expr {
        let mut result = expr.clone();
        self.replace(&mut result);
        result
    }

    fn replace(&mut self, expr: &mut Expr) {
        if !reads(expr, &is_label) {
            return;
        }
        let depends = |e: &Expr| matches!(e.kind, ExprKind::Var(_) | ExprKind::Local(_));
        let is_whole = expr.ty == Type::Bool && !reads(expr, &depends);
        if is_whole || is_label(expr) {
            let variable = self.variable(expr.without_places());
            expr.kind = ExprKind::Var(variable);
        } else {
            expr.for_each_child(&mut |child| self.replace(child));
        }
    }

    /// The variable for what is said of labels.
    fn variable(&mut self, said: Expr) -> VarId {
        if let Some((_, variable)) = self.known.iter().find(|(known, _)| *known == said) {
            return *variable;
        }
        let model = &mut self.model;
        let number = self.known.len() + 1;
        let (name, ty) = (format!("last step, {number}"), said.ty.clone());
        let variable = VarId(model.variables.len() as u32);
        model.variables.push(Variable { name, ty: ty.clone(), doc: None, span: Span::default() });
        let own = Expr { kind: ExprKind::Var(variable), ty: ty.clone(), span: Span::default() };
        model.init.push(Expr::binary_bool(Op::Eq, own, without_step(said.clone())));
        let names = model.action_enum;
        for (index, action) in model.actions.iter_mut().enumerate() {
            let taken = Value::Enum(names, index as u32);
            let value = UpdateValue::Is(of_step(said.clone(), &taken, index, action));
            let (guard, path, ty, span) = (None, Vec::new(), ty.clone(), Span::default());
            action.updates.push(Update { guard, var: variable, path, ty, value, span });
        }
        self.known.push((said, variable));
        variable
    }
}

fn reads(expr: &Expr, what: &dyn Fn(&Expr) -> bool) -> bool {
    let mut found = false;
    expr.walk(&mut |e| found |= what(e));
    found
}

fn is_label(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::ActionLabel | ExprKind::LabelArg { .. })
}

/// What is said of a label where there is none.
fn without_step(mut said: Expr) -> Expr {
    fn change(expr: &mut Expr) {
        if is_label(expr) {
            expr.kind = ExprKind::Const(Value::None);
        }
        expr.for_each_child(&mut change);
    }
    change(&mut said);
    said
}

/// What is said of the label of a step, over the parameters of its action.
fn of_step(mut said: Expr, taken: &Value, index: usize, action: &Action) -> Expr {
    fn change(expr: &mut Expr, taken: &Value, index: usize, action: &Action) {
        match expr.kind {
            ExprKind::ActionLabel => expr.kind = ExprKind::Const(taken.clone()),
            ExprKind::LabelArg { action: of, param } if of == index => {
                let param = &action.params[param];
                (expr.kind, expr.ty) = (ExprKind::Local(param.local), param.ty.clone());
            }
            ExprKind::LabelArg { .. } => expr.kind = ExprKind::Const(Value::None),
            _ => {}
        }
        expr.for_each_child(&mut |child| change(child, taken, index, action));
    }
    change(&mut said, taken, index, action);
    said
}
