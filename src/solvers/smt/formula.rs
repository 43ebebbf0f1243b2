//! Formulas about whole traces, without quantifiers, as constraints on a trace.
//!
//! Each conjunct becomes a table with a truth value for all choices of the variables that it reads. Variables are then
//! eliminated one by one: the tables that read one are joined, and its choices are alternatives. So the size depends on how many
//! variables are tied together, and not on how many there are (R. Dechter, *Bucket elimination*, Artificial Intelligence, 1999).

use super::expression::{SmtPosition, Translator};
use super::script::Script;
use super::symbolic::{Body, TermValue};
use super::term::{Terms, Truth};
use kit::budget::Exhausted;
use kit::number::to_i64;
use lang::model::value::Value;
use lang::model::{Model, Position, TraceConjunct, TraceFormula};

/// Truth values for all choices of some variables.
#[derive(Debug, Clone)]
struct TruthTable {
    variables: Vec<usize>,
    /// One truth value for each choice; that of the last variable changes fastest.
    truths: Vec<Truth>,
}

/// A trace as far as it is unrolled.
#[derive(Debug, Clone, Copy)]
pub struct Unrolled<'a> {
    /// Its positions.
    pub moments: &'a [SmtPosition<'a>],
    /// For each position whether the trace goes that far.
    pub alive: &'a [Truth],
}

struct FormulaEncoder<'a> {
    script: &'a mut Script,
    model: &'a Model,
    trace: Unrolled<'a>,
    formula: &'a TraceFormula,
    /// For each variable the number of its choices.
    sizes: Vec<usize>,
}

/// True if a formula holds in a trace.
///
/// # Errors
/// If the budget ends.
pub fn holds_in(
    script: &mut Script,
    model: &Model,
    trace: Unrolled<'_>,
    formula: &TraceFormula,
) -> Result<Truth, Exhausted> {
    let choices = |values: &Option<Vec<Value>>| values.as_ref().map_or(trace.moments.len(), Vec::len);
    let sizes: Vec<usize> = formula.variables.iter().map(|variable| choices(&variable.values)).collect();
    if sizes.contains(&0) {
        return Ok(if formula.of_each { Terms::YES } else { Terms::NO });
    }
    let mut encoder = FormulaEncoder { script, model, trace, formula, sizes };
    let mut tables = encoder.of_positions();
    for part in &formula.parts {
        tables.push(encoder.of_part(part)?);
    }
    let (positions, values): (Vec<usize>, Vec<usize>) =
        (0..formula.variables.len()).partition(|&variable| formula.variables[variable].values.is_none());
    // Whatever is said of each value is said after the positions have been chosen for it.
    let rounds = if formula.of_each { vec![positions, values] } else { vec![[positions, values].concat()] };
    for (round, mut left) in rounds.into_iter().enumerate() {
        let all = formula.of_each && round == 1;
        while let Some(variable) = encoder.cheapest(&tables, &left) {
            left.retain(|other| *other != variable);
            tables = encoder.eliminate(tables, variable, all)?;
        }
    }
    let parts = tables.into_iter().map(|table| table.truths[0]).collect();
    encoder.script.terms.check_budget()?;
    Ok(encoder.script.terms.all(parts))
}

impl FormulaEncoder<'_> {
    /// The conditions that positions are in the trace.
    fn of_positions(&self) -> Vec<TruthTable> {
        let positions = (0..self.sizes.len()).filter(|&v| self.formula.variables[v].values.is_none());
        let table = |variable| TruthTable { variables: vec![variable], truths: self.trace.alive.to_vec() };
        positions.map(table).collect()
    }

    /// The number of choices of some variables.
    fn choices(&self, variables: &[usize]) -> usize {
        variables.iter().fold(1usize, |n, &variable| n.saturating_mul(self.sizes[variable]))
    }

    /// The choice with a number, one index for each variable.
    fn choice(&self, variables: &[usize], mut number: usize) -> Vec<usize> {
        let mut choice = vec![0; variables.len()];
        for (at, &variable) in variables.iter().enumerate().rev() {
            choice[at] = number % self.sizes[variable];
            number /= self.sizes[variable];
        }
        choice
    }

    /// The truth value in a table for a choice of all variables.
    fn entry(&self, table: &TruthTable, choice: &[usize]) -> Truth {
        let number = table.variables.iter().fold(0, |n, &v| n * self.sizes[v] + choice[v]);
        table.truths[number]
    }

    fn value(&self, variable: usize, choice: usize) -> Value {
        match &self.formula.variables[variable].values {
            None => Value::Int(to_i64(choice)),
            Some(values) => values[choice].clone(),
        }
    }

    fn of_part(&mut self, part: &TraceConjunct) -> Result<TruthTable, Exhausted> {
        let mut variables: Vec<usize> = part.reads.iter().map(|(variable, _)| *variable).collect();
        variables.sort_unstable();
        variables.dedup();
        let mut truths = Vec::new();
        for number in 0..self.choices(&variables) {
            if !self.script.terms.goes_on() {
                self.script.terms.check_budget()?;
            }
            let choice = self.choice(&variables, number);
            let mut values = vec![Value::None; self.sizes.len()];
            for (&variable, &choice) in variables.iter().zip(&choice) {
                values[variable] = self.value(variable, choice);
            }
            truths.push(self.conjunct(part, &values));
        }
        Ok(TruthTable { variables, truths })
    }

    fn conjunct(&mut self, part: &TraceConjunct, values: &[Value]) -> Truth {
        let Some(nowhere) = part.nowhere else { return self.truth(part, values, None) };
        let mut clear = Vec::new();
        for at in nowhere.range(values, self.trace.moments.len()) {
            let there = self.truth(part, values, Some(at));
            let there = self.script.terms.and(self.trace.alive[at.index()], there);
            clear.push(self.script.terms.not(there));
        }
        self.script.terms.all(clear)
    }

    /// The truth of the expression of a part; `at` is the position that a stretch is at.
    fn truth(&mut self, part: &TraceConjunct, values: &[Value], at: Option<Position>) -> Truth {
        let mut translator = Translator::over_trace(self.script, self.model, self.trace.moments);
        for (variable, local) in &part.reads {
            let value = TermValue::constant(&mut translator.script.terms, &values[*variable]);
            translator.bind(*local, value);
        }
        if let (Some(nowhere), Some(at)) = (part.nowhere, at) {
            let number = translator.script.terms.int(i128::from(at.to_u32()));
            translator.bind(nowhere.at, TermValue::there(Body::Int(number)));
        }
        translator.truth(&part.expr)
    }

    /// The variable whose elimination gives the smallest table.
    fn cheapest(&self, tables: &[TruthTable], left: &[usize]) -> Option<usize> {
        left.iter().copied().min_by_key(|variable| self.choices(&joined(tables, *variable)))
    }

    /// The tables without a variable: in place of those that read it one that says that they hold for one of its values, or for
    /// all of them.
    fn eliminate(
        &mut self,
        tables: Vec<TruthTable>,
        variable: usize,
        all: bool,
    ) -> Result<Vec<TruthTable>, Exhausted> {
        let mut variables = joined(&tables, variable);
        variables.retain(|other| *other != variable);
        let (with, mut rest): (Vec<TruthTable>, Vec<TruthTable>) =
            tables.into_iter().partition(|table| table.variables.contains(&variable));
        let mut truths = Vec::new();
        for number in 0..self.choices(&variables) {
            if !self.script.terms.goes_on() {
                self.script.terms.check_budget()?;
            }
            let mut choice = vec![0; self.sizes.len()];
            for (&variable, chosen) in variables.iter().zip(self.choice(&variables, number)) {
                choice[variable] = chosen;
            }
            let mut cases = Vec::new();
            for value in 0..self.sizes[variable] {
                choice[variable] = value;
                let parts = with.iter().map(|table| self.entry(table, &choice)).collect();
                cases.push(self.script.terms.all(parts));
            }
            truths.push(if all { self.script.terms.all(cases) } else { self.script.terms.any(cases) });
        }
        rest.push(TruthTable { variables, truths });
        Ok(rest)
    }
}

/// The variables of all tables that read a variable, itself included.
fn joined(tables: &[TruthTable], variable: usize) -> Vec<usize> {
    let reading = tables.iter().filter(|table| table.variables.contains(&variable));
    let mut all: Vec<usize> = reading.flat_map(|table| table.variables.iter().copied()).collect();
    all.push(variable);
    all.sort_unstable();
    all.dedup();
    all
}
