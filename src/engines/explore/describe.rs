//! A set of listed states as a formula: a decision tree over the parts of a state.

use explicit::lts::Bits;
use kit::budget::{Budget, Exhausted};
use kit::diagnostics::Span;
use kit::number::to_u32;
use lang::model::expr::{Expr, ExprKind, Op, VarId};
use lang::model::types::Type;
use lang::model::value::{Moment, State, Value};
use lang::model::{Model, Observable, eval};
use std::collections::BTreeSet;

/// A question about a state: a formula, and the listed states in which it holds.
struct DescribeQuestion {
    formula: Expr,
    holds: Bits,
}

/// Returns a formula over one state that is true of the listed states whose numbers are in the set, and false of all
/// other listed states. Its truth in other states is unspecified. States are listed once each.
///
/// The tree is grown from the root, each time by the question that leaves the least entropy (J. R. Quinlan, *Induction of
/// decision trees*, 1986), and is exact.
///
/// # Errors
/// If the budget is exhausted.
pub fn describe(model: &Model, states: &[State], wanted: &Bits, budget: &Budget) -> Result<Expr, Exhausted> {
    let questions = questions(model, states, budget)?;
    let tree = DescriptionTree { model, states, wanted, questions, budget };
    tree.formula(&(0..states.len()).collect::<Vec<_>>())
}

/// Returns the questions about each leaf of each variable that some of the states answer differently.
fn questions(model: &Model, states: &[State], budget: &Budget) -> Result<Vec<DescribeQuestion>, Exhausted> {
    let mut questions = Vec::new();
    for variable in 0..model.variables.len() {
        for leaf in Observable::of_variable(model, VarId(to_u32(variable))).leaves(&model.types) {
            budget.check()?;
            let values: Vec<Value> = states
                .iter()
                .map(|state| {
                    let moment = Moment { label: None, state: state.clone() };
                    eval::eval_state(model, &leaf.expr, &moment)
                })
                .collect();
            add_questions(&leaf, &values, &mut questions);
        }
    }
    Ok(questions)
}

/// Adds the questions about one leaf, which has these values.
fn add_questions(leaf: &Observable, values: &[Value], questions: &mut Vec<DescribeQuestion>) {
    let is_set = matches!(leaf.expr.ty, Type::Set(_));
    let asked: BTreeSet<&Value> = values
        .iter()
        .flat_map(|value| match value {
            Value::Set(members) => members.iter().collect::<Vec<_>>(),
            value => vec![value],
        })
        .collect();
    for value in asked {
        let mut holds = Bits::new(values.len());
        for (number, known) in values.iter().enumerate() {
            let yes = match known {
                Value::Set(members) => members.contains(value),
                known => known == value,
            };
            if yes {
                holds.insert(number);
            }
        }
        if holds.count() == values.len() {
            continue;
        }
        let constant = |ty: &Type| Expr::constant(value.clone(), ty.clone(), leaf.span);
        let formula = match &leaf.expr.ty {
            Type::Set(element) => Expr::binary_bool(Op::In, constant(element), leaf.expr.clone()),
            ty => Expr::binary_bool(Op::Eq, leaf.expr.clone(), constant(ty)),
        };
        debug_assert!(is_set || !matches!(value, Value::Set(_)));
        questions.push(DescribeQuestion { formula, holds });
    }
}

struct DescriptionTree<'a> {
    model: &'a Model,
    states: &'a [State],
    wanted: &'a Bits,
    questions: Vec<DescribeQuestion>,
    budget: &'a Budget,
}

impl DescriptionTree<'_> {
    /// Returns the formula for some of the states.
    fn formula(&self, among: &[usize]) -> Result<Expr, Exhausted> {
        self.budget.check()?;
        let wanted = among.iter().filter(|&&state| self.wanted.has(state)).count();
        if wanted == 0 || wanted == among.len() {
            return Ok(Expr::bool(wanted > 0, Span::default()));
        }
        let (question, yes, no) = match self.best(among, wanted) {
            Some(best) => {
                let (yes, no) = among.iter().partition(|&&state| best.holds.has(state));
                (best.formula.clone(), yes, no)
            }
            None => self.by_value(among),
        };
        Ok(choice(question, self.formula(&yes)?, self.formula(&no)?))
    }

    /// Returns the first question that leaves the least entropy; `None` if no question distinguishes the states.
    fn best(&self, among: &[usize], wanted: usize) -> Option<&DescribeQuestion> {
        let mut best: Option<(f64, &DescribeQuestion)> = None;
        for question in &self.questions {
            let (mut yes, mut yes_wanted) = (0, 0);
            for &state in among.iter().filter(|&&state| question.holds.has(state)) {
                yes += 1;
                yes_wanted += usize::from(self.wanted.has(state));
            }
            if yes == 0 || yes == among.len() {
                continue;
            }
            let left = entropy(yes_wanted, yes) + entropy(wanted - yes_wanted, among.len() - yes);
            if best.is_none_or(|(least, _)| left < least) {
                best = Some((left, question));
            }
        }
        best.map(|(_, question)| question)
    }

    /// Splits by the whole value of a variable if its leaves do not distinguish states.
    fn by_value(&self, among: &[usize]) -> (Expr, Vec<usize>, Vec<usize>) {
        let first = &self.states[among[0]];
        let differs =
            |variable: &usize| among.iter().any(|&s| self.states[s].0[*variable] != first.0[*variable]);
        let variable = (0..self.model.variables.len()).find(differs);
        let variable = variable.unwrap_or_else(|| unreachable!("states are listed once each"));
        let whole = Observable::of_variable(self.model, VarId(to_u32(variable)));
        let value = &first.0[variable];
        let constant = Expr::constant(value.clone(), whole.expr.ty.clone(), whole.span);
        let (yes, no) = among.iter().partition(|&&state| self.states[state].0[variable] == *value);
        (Expr::binary_bool(Op::Eq, whole.expr, constant), yes, no)
    }
}

/// Returns the entropy of a set of this size with the given number of wanted members, times its size.
fn entropy(wanted: usize, size: usize) -> f64 {
    let part = |count: usize| match count {
        0 => 0.0,
        count => -(count as f64) * (count as f64 / size as f64).log2(),
    };
    part(wanted) + part(size - wanted)
}

/// Returns `if question then yes else no`, simplified.
fn choice(question: Expr, yes: Expr, no: Expr) -> Expr {
    let constant = |e: &Expr| match e.kind {
        ExprKind::Const(Value::Bool(truth)) => Some(truth),
        _ => None,
    };
    match (constant(&yes), constant(&no)) {
        (Some(true), Some(false)) => question,
        (Some(false), Some(true)) => question.negated(),
        (Some(true), _) => Expr::binary_bool(Op::Or, question, no),
        (Some(false), _) => Expr::binary_bool(Op::And, question.negated(), no),
        (_, Some(true)) => Expr::binary_bool(Op::Or, question.negated(), yes),
        (_, Some(false)) => Expr::binary_bool(Op::And, question, yes),
        _ => {
            let span = question.span;
            let kind = ExprKind::If(Box::new(question), Box::new(yes), Box::new(no));
            Expr { kind, ty: Type::Bool, span }
        }
    }
}
