//! The parts of a state or a trace that an expression reads, with their values.

use lang::model::eval::Scope;
use lang::model::expr::{Expr, ExprKind, LocalId};
use lang::model::value::{Moment, Value};
use lang::model::{Model, Position};

/// A part of an expression with its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartReading {
    /// The part as written, without its position.
    pub text: String,
    /// The position where it is read; `None` for a parameter, which is no part of a state.
    pub at: Option<Position>,
    /// The value there.
    pub value: Value,
}

/// Finds the parts that an expression reads.
#[derive(Debug)]
pub struct PartReader<'a> {
    model: &'a Model,
    trace: &'a [Moment],
    /// The position of the current state, outside of `@`.
    at: Option<Position>,
    known: Vec<(LocalId, Value)>,
    /// Parameters of a step or predicate, with their names.
    parameters: &'a [(LocalId, &'a str)],
    found: Vec<PartReading>,
}

impl<'a> PartReader<'a> {
    /// Reads formulas about positions of a trace, with these values of names. Those of `parameters` are read as well.
    pub fn of_trace(
        model: &'a Model,
        trace: &'a [Moment],
        known: Vec<(LocalId, Value)>,
        parameters: &'a [(LocalId, &'a str)],
    ) -> Self {
        Self { model, trace, at: None, known, parameters, found: Vec::new() }
    }

    /// Likewise, formulas about the last state of the trace.
    pub fn of_last_state(self) -> Self {
        Self { at: self.trace.len().checked_sub(1).map(Position::new), ..self }
    }

    /// The parts of an expression that are read, each once, in the order of the text.
    pub fn read(mut self, expr: &Expr) -> Vec<PartReading> {
        self.visit(expr);
        self.found
    }

    fn visit(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::At { value, at } => {
                let position = self.known.iter().rev().find(|(local, _)| local == at).map(|(_, value)| value);
                let Some(Value::Int(position)) = position else { return };
                let Ok(position) = usize::try_from(*position) else { return };
                let outer = self.at.replace(Position::new(position));
                self.visit(value);
                self.at = outer;
            }
            ExprKind::Let { bindings, body } => {
                let before = self.known.len();
                for (local, value) in bindings {
                    match self.value(value) {
                        Some(known) => self.known.push((*local, known)),
                        None => self.visit(value),
                    }
                }
                self.visit(body);
                self.known.truncate(before);
            }
            ExprKind::Local(local) => {
                if let Some((_, name)) = self.parameters.iter().find(|(parameter, _)| parameter == local)
                    && let Some(value) = self.value(expr)
                {
                    self.keep(PartReading { text: (*name).to_owned(), at: None, value });
                }
            }
            ExprKind::Var(_) | ExprKind::ActionLabel | ExprKind::LabelArg { .. } => self.place(expr),
            ExprKind::Field(..) | ExprKind::Index(..) if is_place(expr) => self.place(expr),
            _ => expr.children().into_iter().for_each(|child| self.visit(child)),
        }
    }

    /// Reads a place of the state.
    fn place(&mut self, expr: &Expr) {
        let (Some(at), Some(value)) = (self.at, self.value(expr)) else {
            return expr.children().into_iter().for_each(|child| self.visit(child));
        };
        let text = self.text(expr);
        self.keep(PartReading { text, at: Some(at), value });
    }

    /// Returns the text of a place, with the values of keys: `phase[Bob]`.
    fn text(&self, expr: &Expr) -> String {
        let model = self.model;
        match &expr.kind {
            ExprKind::Var(var) => model.variables[var.0 as usize].name.clone(),
            ExprKind::ActionLabel => "action".to_owned(),
            ExprKind::LabelArg { action, param } => {
                let action = &model.actions[*action];
                format!("{}.{}", action.name, action.params[*param].name)
            }
            ExprKind::Field(base, index) => match base.ty.inner() {
                lang::model::types::Type::Record(id) => {
                    model.types.record(*id).part_text(&self.text(base), *index)
                }
                _ => self.text(base),
            },
            ExprKind::Index(base, key) => {
                let key = self.value(key).map_or_else(|| "…".to_owned(), |key| model.types.show_value(&key));
                format!("{}[{key}]", self.text(base))
            }
            _ => model.sources.snippet(expr.span).split_whitespace().collect::<Vec<_>>().join(" "),
        }
    }

    /// Returns the value of an expression, if all names in it are known.
    fn value(&self, expr: &Expr) -> Option<Value> {
        let mut bound: Vec<LocalId> = self.known.iter().map(|(local, _)| *local).collect();
        if !is_closed(expr, &mut bound, self.at.is_some()) {
            return None;
        }
        let scope = Scope::new(self.model).with_trace(self.trace).with_locals(&self.known);
        let scope = match self.at {
            Some(at) => scope.with_moment(self.trace.get(at.index())?),
            None => scope,
        };
        Some(scope.value(expr))
    }

    fn keep(&mut self, reading: PartReading) {
        if !self.found.contains(&reading) {
            self.found.push(reading);
        }
    }
}

/// True if an expression is a variable, an argument of a step, or a part of one.
fn is_place(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Var(_) | ExprKind::LabelArg { .. } => true,
        ExprKind::Field(base, _) | ExprKind::Index(base, _) => is_place(base),
        _ => false,
    }
}

/// True if an expression reads no other names than these, and the state only where there is one.
fn is_closed(expr: &Expr, bound: &mut Vec<LocalId>, has_state: bool) -> bool {
    let before = bound.len();
    let closed = match &expr.kind {
        ExprKind::Local(local) => bound.contains(local),
        ExprKind::Next(_) => false,
        ExprKind::Var(_) | ExprKind::ActionLabel | ExprKind::LabelArg { .. } => has_state,
        ExprKind::At { value, at } => bound.contains(at) && is_closed(value, bound, true),
        ExprKind::Let { bindings, body } => {
            bindings.iter().all(|(local, value)| {
                let closed = is_closed(value, bound, has_state);
                bound.push(*local);
                closed
            }) && is_closed(body, bound, has_state)
        }
        ExprKind::Filter { local, set, cond: body }
        | ExprKind::Quant { local, set, body, .. }
        | ExprKind::Fold { local, set, body, .. } => {
            is_closed(set, bound, has_state) && {
                bound.push(*local);
                is_closed(body, bound, has_state)
            }
        }
        ExprKind::MapOf { local, body } => {
            bound.push(*local);
            is_closed(body, bound, has_state)
        }
        _ => expr.children().into_iter().all(|child| is_closed(child, bound, has_state)),
    };
    bound.truncate(before);
    closed
}
