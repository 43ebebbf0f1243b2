//! The question of a bounded check as clauses, for other solvers to answer.

use super::frames::Unrolling;
use super::lengths::Lengths;
use super::symbolic::Symbolic as S;
use crate::sat::{Circuit, ClauseObligation, Lit, Unsolved};
use kit::budget::{Budget, Exhausted};
use lang::model::expr::Expr;
use lang::model::value::Value;
use lang::model::{Model, Position};

/// The clauses that ask whether some trace of the given lengths violates `invariant`: they are unsatisfiable iff none does.
///
/// # Errors
/// If the budget is exhausted before they are complete.
pub fn clauses(
    model: &Model,
    invariant: &Expr,
    lengths: Lengths,
    budget: &Budget,
) -> Result<ClauseObligation, Exhausted> {
    let circuit = Circuit::recording(Box::new(Unsolved)).within(budget);
    let mut unrolling = Unrolling::new(model, lengths, circuit);
    unrolling.grow_to(lengths.bound())?;
    let mut violations = Vec::new();
    for position in unrolling.positions() {
        let good = unrolling.state_truth(invariant, position);
        let alive = unrolling.frame(position).alive;
        violations.push(unrolling.circuit.and(alive, !good));
    }
    unrolling.circuit.add_clause(&violations);
    obligation(&mut unrolling, &[])
}

/// The clauses of an unrolling whose circuit records them, under assumptions.
///
/// # Errors
/// If the budget is exhausted.
///
/// # Panics
/// If the circuit does not record its clauses.
pub fn obligation(unrolling: &mut Unrolling<'_>, assumptions: &[Lit]) -> Result<ClauseObligation, Exhausted> {
    unrolling.circuit.check_budget()?;
    let clauses = unrolling.circuit.cnf().expect("the circuit records its clauses").assuming(assumptions);
    Ok(ClauseObligation { clauses, names: ClauseNames::of(unrolling).list })
}

/// The meaning of literals, constants left out.
struct ClauseNames<'u> {
    unrolling: &'u Unrolling<'u>,
    list: Vec<(Lit, String)>,
}

impl<'u> ClauseNames<'u> {
    fn of(unrolling: &'u Unrolling<'u>) -> Self {
        let mut names = Self { unrolling, list: Vec::new() };
        let model = unrolling.model;
        for (position, frame) in unrolling.positions().zip(&unrolling.frames) {
            names.add(frame.alive, || format!("the trace reaches position {position}"));
            for (index, action) in model.actions.iter().enumerate() {
                let Some(taken) = frame.actions.get(index) else { continue };
                names.add(*taken, || format!("action@{position} = {}", action.name));
                for (param, arg) in action.params.iter().zip(&frame.args[index]) {
                    names.value(arg, &format!("{}.{}", action.name, param.name), position);
                }
            }
            for (variable, value) in model.variables.iter().zip(&frame.state) {
                names.value(value, &variable.name, position);
            }
        }
        names
    }

    fn add(&mut self, lit: Lit, text: impl FnOnce() -> String) {
        let circuit = &self.unrolling.circuit;
        if lit != circuit.yes() && lit != circuit.no() {
            self.list.push((lit, text()));
        }
    }

    /// The literals of a value at a place, which is written in the syntax of the language.
    fn value(&mut self, value: &S, place: &str, position: Position) {
        let types = &self.unrolling.model.types;
        let show = |value: &Value| types.show_value(value);
        match value {
            S::Bool(lit) => self.add(*lit, || format!("{place}@{position}")),
            S::Scalar(list) => {
                for (value, lit) in list {
                    self.add(*lit, || format!("{place}@{position} = {}", show(value)));
                }
            }
            S::Binary(number) => {
                self.add(number.there, || format!("{place}@{position} is some"));
                for (index, bit) in number.bits().iter().enumerate() {
                    self.add(*bit, || format!("bit {index} of {place}@{position}, in two's complement"));
                }
            }
            S::Set { present, members } => {
                self.add(*present, || format!("{place}@{position} is some"));
                for (member, lit) in members {
                    self.add(*lit, || format!("{} in {place}@{position}", show(member)));
                }
            }
            S::Record { present, id, fields } => {
                self.add(*present, || format!("{place}@{position} is some"));
                for (index, field) in fields.iter().enumerate() {
                    self.value(field, &types.record(*id).part_text(place, index), position);
                }
            }
            S::Map { present, entries } => {
                self.add(*present, || format!("{place}@{position} is some"));
                for (key, entry) in entries {
                    self.value(entry, &format!("{place}[{}]", show(key)), position);
                }
            }
        }
    }
}
