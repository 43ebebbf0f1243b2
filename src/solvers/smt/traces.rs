//! Questions about traces: is there one of so many steps that violates an invariant here or nowhere, in which some formulas hold
//! and others do not?

use super::expression::SmtPosition;
use super::formula::{Unrolled, holds_in};
use super::question::{QuestionFrame, QuestionWriter, TraceLengths};
use super::script::Script;
use super::term::Truth;
use kit::budget::{Budget, Exhausted};
use lang::model::expr::Expr;
use lang::model::{Model, TraceFormula};
use std::sync::Arc;

/// Where a path begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start {
    /// In an initial state: it is a trace.
    First,
    /// In any state that satisfies the assumptions.
    Anywhere,
}

/// Where an invariant is violated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Violation {
    /// In no state of the trace.
    Nowhere,
    /// In the last state, and in none before.
    Last,
    /// In some state.
    Somewhere,
    /// Anywhere or nowhere.
    Unconstrained,
}

/// A formula, and true if it holds, false if it does not.
pub type Alternative = (Arc<TraceFormula>, bool);

/// Traces that are looked for.
#[derive(Debug, Clone)]
pub struct TraceQuestion {
    /// Where they begin.
    pub start: Start,
    /// How long they are.
    pub steps: TraceLengths,
    /// The fewest steps that they have.
    pub least: usize,
    /// The name of the invariant.
    pub name: String,
    /// The invariant.
    pub invariant: Arc<Expr>,
    /// Where it is violated.
    pub violation: Violation,
    /// The conditions of every state beside.
    pub given: Option<Arc<Expr>>,
    /// True if no state occurs twice.
    pub distinct: bool,
    /// The formulas that hold, with their names.
    pub inside: Vec<(String, Arc<TraceFormula>)>,
    /// The formulas that do not hold.
    pub outside: Vec<(String, Arc<TraceFormula>)>,
    /// Named lists of alternatives, at least one of each of which applies.
    pub one_of: Vec<(String, Vec<Alternative>)>,
}

/// Writes the script, and says where the positions of the trace are in it.
///
/// # Errors
/// If the budget is exhausted before it is complete.
pub(super) fn script(
    model: &Model,
    question: &TraceQuestion,
    budget: &Budget,
) -> Result<(Script, Vec<QuestionFrame>), Exhausted> {
    let mut writer = QuestionWriter::new(model, question.steps, budget);
    let mut positions = vec![match question.start {
        Start::First => writer.first(),
        Start::Anywhere => writer.anywhere(),
    }];
    writer.script.terms.check_budget()?;
    for from in 0..question.steps.most() {
        positions.push(writer.step(&positions[from]));
        writer.script.terms.check_budget()?;
    }
    if let Some(position) = positions.get(question.least).filter(|_| question.least > 0) {
        writer.script.comment("");
        writer.script.comment(format!("It has at least {} steps.", question.least));
        writer.script.assert(position.alive);
    }
    if let Some(given) = &question.given {
        writer.script.comment("");
        writer.script.comment("Conditions on every state");
        for position in &positions {
            let wrong = writer.violation(position, "given values", given);
            let right = writer.script.terms.not(wrong);
            writer.script.assert(right);
        }
    }
    violations(&mut writer, question, &positions);
    if question.distinct {
        differ(&mut writer.script, &positions);
    }
    formulas(&mut writer.script, model, question, &positions)?;
    writer.script.terms.check_budget()?;
    Ok((writer.script, positions))
}

/// Demands that the invariant is violated where it is to be.
fn violations(writer: &mut QuestionWriter<'_>, question: &TraceQuestion, positions: &[QuestionFrame]) {
    let TraceQuestion { name, invariant, violation, .. } = question;
    let violated: Vec<Truth> =
        positions.iter().map(|position| writer.violation(position, name, invariant)).collect();
    let terms = &mut writer.script.terms;
    let (sentence, demands) = match violation {
        Violation::Unconstrained => return,
        Violation::Nowhere => {
            let demands = violated.iter().map(|wrong| terms.not(*wrong)).collect();
            (format!("Nowhere in the trace, {name} is violated."), demands)
        }
        Violation::Somewhere => {
            (format!("Somewhere in the trace, {name} does not hold."), vec![terms.any(violated)])
        }
        Violation::Last => {
            let mut demands = Vec::new();
            for (wrong, next) in violated.iter().zip(&positions[1..]) {
                let goes_on = next.alive;
                let right = terms.not(*wrong);
                demands.push(terms.implies(goes_on, right));
            }
            // Before the last state it holds, so that a violation is in the last one.
            demands.push(terms.any(violated));
            (format!("In the last state of the trace, {name} is violated for the first time."), demands)
        }
    };
    writer.script.comment("");
    writer.script.comment(sentence);
    demands.into_iter().for_each(|demand| writer.script.assert(demand));
}

/// Demands that no state occurs twice.
fn differ(script: &mut Script, positions: &[QuestionFrame]) {
    script.comment("");
    script.comment("No state occurs twice.");
    for (at, position) in positions.iter().enumerate() {
        for other in &positions[..at] {
            let pairs = position.state.iter().zip(&other.state);
            let mut same = Vec::new();
            for (a, b) in pairs {
                same.push(a.equal(&mut script.terms, b));
            }
            let same = script.terms.all(same);
            let differ = script.terms.not(same);
            script.assert(differ);
        }
    }
}

/// Demands that formulas hold, or do not.
fn formulas(
    script: &mut Script,
    model: &Model,
    question: &TraceQuestion,
    positions: &[QuestionFrame],
) -> Result<(), Exhausted> {
    let alive: Vec<Truth> = positions.iter().map(|position| position.alive).collect();
    let moments: Vec<SmtPosition<'_>> = positions
        .iter()
        .map(|position| SmtPosition { state: &position.state, label: position.label.as_ref() })
        .collect();
    let trace = Unrolled { moments: &moments, alive: &alive };
    let inside = question.inside.iter().map(|named| (named, true));
    let outside = question.outside.iter().map(|named| (named, false));
    for ((name, formula), wanted) in inside.chain(outside) {
        script.comment("");
        script.comment(format!("The trace is {}in {name}.", if wanted { "" } else { "not " }));
        let holds = holds_in(script, model, trace, formula)?;
        let holds = script.define_truth(&format!("in {name}"), holds);
        let demand = if wanted { holds } else { script.terms.not(holds) };
        script.assert(demand);
    }
    for (name, formulas) in &question.one_of {
        script.comment("");
        script.comment(format!("In the trace, {name}."));
        let mut cases = Vec::new();
        for (formula, wanted) in formulas {
            let holds = holds_in(script, model, trace, formula)?;
            cases.push(if *wanted { holds } else { script.terms.not(holds) });
        }
        let demand = script.terms.any(cases);
        script.assert(demand);
    }
    Ok(())
}
