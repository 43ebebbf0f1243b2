//! Models whose states remember what was so of the step that led to them, and before it.

use super::expr::{Expr, ExprKind, Op, VarId};
use super::types::Type;
use super::value::Value;
use super::{Action, Model, Update, UpdateValue, Variable};
use kit::diagnostics::Span;
use kit::number::to_u32;

/// A model with further variables, for what is said of labels and of the state before: after a step they have the values that this has of its
/// label, or had. They come
/// after all others, and no step depends on them; so the traces are those of the model, each with the values of these variables.
#[derive(Debug, Clone)]
pub struct Remembering {
    /// The model with the variables.
    pub model: Model,
    /// The remembered expressions, without places, each with its variable.
    known: Vec<(Expr, VarId)>,
}

impl Remembering {
    /// The model; nothing is remembered yet. It has no symmetries.
    pub fn new(model: &Model) -> Self {
        Self { model: Model { symmetric: Vec::new(), ..model.clone() }, known: Vec::new() }
    }

    /// A state expression that may read the label and the state before, as one that does not: variables stand for what it says of these alone.
    pub fn state_expression(&mut self, expr: &Expr) -> Expr {
        let mut result = expr.clone();
        self.replace(&mut result);
        result
    }

    fn replace(&mut self, expr: &mut Expr) {
        if !expr.any(&Expr::is_of_step) {
            return;
        }
        let is_said = expr.is_of_step() || expr.ty == Type::Bool && !depends(expr);
        match &mut expr.kind {
            // Names that are bound around it have values there.
            ExprKind::Previous(value) if value.is_open() => {
                let read = self.read_before(value);
                let there = Expr::bool(true, expr.span).before().presence();
                let none = Expr::constant(Value::None, expr.ty.clone(), expr.span);
                expr.kind = ExprKind::If(Box::new(there), Box::new(read), Box::new(none));
                expr.for_each_child(&mut |child| self.replace(child));
            }
            _ if is_said => {
                let variable = self.variable(expr.without_places());
                expr.kind = ExprKind::Var(variable);
            }
            _ => expr.for_each_child(&mut |child| self.replace(child)),
        }
    }

    /// A state expression in the state before, if there is one, where only what it reads of that state is below [`ExprKind::Previous`].
    fn read_before(&self, expr: &Expr) -> Expr {
        let mut result = expr.clone();
        if !matches!(expr.kind, ExprKind::Var(_)) && !expr.is_of_step() {
            result.for_each_child(&mut |child| *child = self.read_before(child));
            return result;
        }
        result = result.before();
        match self.model.types.simplest(&expr.ty) {
            Some(any) if !expr.ty.is_option() => result.or_any(any, &expr.ty),
            _ => result,
        }
    }

    /// The variable for what is said of labels.
    fn variable(&mut self, mut said: Expr) -> VarId {
        // Values read before the step may be of an earlier one.
        each_previous(&mut said, &mut |value| self.replace(value));
        if let Some((_, variable)) = self.known.iter().find(|(known, _)| *known == said) {
            return *variable;
        }
        let model = &mut self.model;
        let number = self.known.len() + 1;
        let (name, ty) = (format!("last step, {number}"), said.ty.clone());
        let variable = VarId(to_u32(model.variables.len()));
        model.variables.push(Variable { name, ty: ty.clone(), doc: None, span: Span::default() });
        let own = Expr { kind: ExprKind::Var(variable), ty: ty.clone(), span: Span::default() };
        model.init.push(Expr::binary_bool(Op::Eq, own, without_step(said.clone())));
        let names = model.action_enum;
        for (index, action) in model.actions.iter_mut().enumerate() {
            let taken = Value::Enum(names, to_u32(index));
            let value = UpdateValue::Is(of_step(said.clone(), &taken, index, action));
            let (guard, path, ty, span) = (None, Vec::new(), ty.clone(), Span::default());
            action.updates.push(Update { guard, var: variable, path, ty, value, span });
        }
        self.known.push((said, variable));
        variable
    }
}

/// True if an expression depends on the state that a step led to, or on names around it.
fn depends(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Var(_) | ExprKind::Local(_) => true,
        ExprKind::Previous(value) => value.is_open(),
        _ => expr.children().into_iter().any(depends),
    }
}

/// Calls `change` on what is read in the state before.
fn each_previous(expr: &mut Expr, change: &mut dyn FnMut(&mut Expr)) {
    match &mut expr.kind {
        ExprKind::Previous(value) => change(value),
        _ => expr.for_each_child(&mut |child| each_previous(child, change)),
    }
}

/// A statement about a step, where there is none.
fn without_step(mut said: Expr) -> Expr {
    fn change(expr: &mut Expr) {
        if expr.is_of_step() {
            expr.kind = ExprKind::Const(Value::None);
        }
        expr.for_each_child(&mut change);
    }
    change(&mut said);
    said
}

/// A statement about a step, over the parameters of its action and the state before.
fn of_step(mut said: Expr, taken: &Value, index: usize, action: &Action) -> Expr {
    fn change(expr: &mut Expr, taken: &Value, index: usize, action: &Action) {
        match &mut expr.kind {
            ExprKind::ActionLabel => expr.kind = ExprKind::Const(taken.clone()),
            ExprKind::LabelArg { action: of, param } if *of == index => {
                let param = &action.params[*param];
                (expr.kind, expr.ty) = (ExprKind::Local(param.local), param.ty.clone());
            }
            ExprKind::LabelArg { .. } => expr.kind = ExprKind::Const(Value::None),
            // Updates read the state before.
            ExprKind::Previous(value) => {
                *expr = std::mem::replace(value, Expr::bool(true, Span::default()));
                return;
            }
            _ => {}
        }
        expr.for_each_child(&mut |child| change(child, taken, index, action));
    }
    change(&mut said, taken, index, action);
    said
}
