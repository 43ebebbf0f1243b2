//! Questions about infinite traces: is there one that repeats itself after so many steps, meets conditions of fairness, satisfies or violates
//! a formula of linear time, and in which some formulas hold and others do not?
//!
//! A loop of fewer steps can be gone round further, so that the infinite traces that repeat after up to k steps are those of exactly k. For
//! each place where the loop can begin, the truth of everything is written out over the k positions.

use super::expression::{SmtPosition, Translator};
use super::question::{QuestionFrame, QuestionWriter, TraceLengths};
use super::script::Script;
use super::symbolic::TermValue;
use super::term::{Term, TermRange, Terms, Truth};
use kit::budget::{Budget, Exhausted};
use kit::number::to_i64;
use lang::model::expr::{Expr, Formula};
use lang::model::value::Value;
use lang::model::{ActionFairness, LassoFormula, LassoLiteral, Model, Recurrence, RecurringFact};
use lang::syntax::ast::TemporalOp;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Infinite traces that are looked for.
#[derive(Debug, Clone)]
pub struct LassoQuestion {
    /// They repeat themselves after up to so many steps, at least one, that which closes the loop included.
    pub steps: usize,
    /// The name of the formula.
    pub name: String,
    /// The formula, of linear time.
    pub formula: Arc<Formula>,
    /// True if they satisfy it.
    pub satisfied: bool,
    /// The conditions that hold again and again.
    pub again: Vec<Expr>,
    /// The actions that are not put off for ever.
    pub actions: Vec<ActionFairness>,
    /// The formulas that hold, with their names.
    pub inside: Vec<(String, Arc<LassoFormula>)>,
    /// The formulas that do not hold.
    pub outside: Vec<(String, Arc<LassoFormula>)>,
}

/// Writes the script, and says where the positions of the trace are in it.
///
/// # Errors
/// If the budget is exhausted before it is complete.
///
/// # Panics
/// If the formula has operators of branching time.
pub(super) fn script(
    model: &Model,
    question: &LassoQuestion,
    budget: &Budget,
) -> Result<(Script, Vec<QuestionFrame>), Exhausted> {
    let mut writer = QuestionWriter::new(model, TraceLengths::Exactly(question.steps), budget);
    let mut positions = vec![writer.first()];
    writer.script.terms.check_budget()?;
    for from in 0..question.steps {
        positions.push(writer.step(&positions[from]));
        writer.script.terms.check_budget()?;
    }
    let mut script = writer.script;
    script.comment("");
    script.comment("The last state is the one at the position where the loop begins.");
    let most = question.steps.saturating_sub(1) as i128;
    let begins = script.number_symbol("the loop begins at", TermRange { lo: 0, hi: most });
    script.declare(Term::Number(begins));
    let mut encoder = LassoEncoder::new(&mut script, model, question, &positions);
    let mut demands = Vec::new();
    for start in 0..question.steps {
        encoder.script.terms.check_budget()?;
        let here = encoder.script.terms.int(start as i128);
        let here = encoder.script.terms.equal(begins, here);
        let right = encoder.right(start)?;
        demands.push((start, encoder.script.terms.implies(here, right)));
    }
    if question.steps == 0 {
        script.assert(Terms::NO);
    }
    let wanted = if question.satisfied { "satisfies" } else { "violates" };
    script.comment("");
    script.comment(format!("The infinite trace is fair, {wanted} {}, and:", question.name));
    for (wanted, list) in [("in", &question.inside), ("not in", &question.outside)] {
        list.iter().for_each(|(name, _)| script.comment(format!("it is {wanted} {name}")));
    }
    for (start, demand) in demands {
        script.demand(|| format!("if the loop begins at {start}"), demand);
    }
    script.terms.check_budget()?;
    Ok((script, positions))
}

/// Something that a formula says, at a position, of certain individuals.
type LassoPlace = (usize, usize, usize, usize);

struct LassoEncoder<'a> {
    script: &'a mut Script,
    model: &'a Model,
    question: &'a LassoQuestion,
    positions: &'a [QuestionFrame],
    moments: Vec<SmtPosition<'a>>,
    /// For each atom of the property, in the order of its text, its truth at each position.
    atoms: Vec<Vec<Truth>>,
    /// For each condition that holds again and again the same.
    again: Vec<Vec<Truth>>,
    /// For each fair action whether it is possible at each position, and whether it leads there.
    actions: Vec<(Vec<Truth>, Vec<Truth>)>,
    /// The literals of formulas: number of the formula, of its statement, position, and choice of individuals.
    said: FxHashMap<LassoPlace, Truth>,
}

impl<'a> LassoEncoder<'a> {
    fn new(
        script: &'a mut Script,
        model: &'a Model,
        question: &'a LassoQuestion,
        positions: &'a [QuestionFrame],
    ) -> Self {
        let moments = positions
            .iter()
            .map(|position| SmtPosition { state: &position.state, label: position.label.as_ref() })
            .collect();
        let mut encoder = Self {
            script,
            model,
            question,
            positions,
            moments,
            atoms: Vec::new(),
            again: Vec::new(),
            actions: Vec::new(),
            said: FxHashMap::default(),
        };
        encoder.atoms = question.formula.atoms().into_iter().map(|expr| encoder.truths(expr)).collect();
        encoder.again = question.again.iter().map(|expr| encoder.truths(expr)).collect();
        let actions = question.actions.iter();
        encoder.actions =
            actions.map(|action| (encoder.truths(&action.enabled), encoder.taken(action))).collect();
        encoder
    }

    /// The truth of a state formula at each position.
    fn truths(&mut self, expr: &Expr) -> Vec<Truth> {
        let mut at = |position: &'a QuestionFrame| {
            Translator::new(self.script, self.model, &position.state)
                .with_label(position.label.as_ref())
                .truth(expr)
        };
        self.positions.iter().map(&mut at).collect()
    }

    /// For each position whether a step that fairness speaks of leads there.
    fn taken(&mut self, fairness: &ActionFairness) -> Vec<Truth> {
        let terms = &mut self.script.terms;
        let mut leads = |position: &QuestionFrame| {
            let Some(label) = &position.label else { return Terms::NO };
            let action = terms.int(fairness.action as i128);
            let mut all = vec![terms.equal(label.action, action)];
            for (wanted, given) in fairness.arguments.iter().zip(&label.args[fairness.action]) {
                all.extend(wanted.as_ref().map(|wanted| given.is_value(terms, wanted)));
            }
            terms.all(all)
        };
        self.positions.iter().map(&mut leads).collect()
    }

    /// True if the trace is what is asked for, if its loop begins at a position.
    fn right(&mut self, start: usize) -> Result<Truth, Exhausted> {
        let last = self.question.steps;
        let mut all = Vec::new();
        for (end, begin) in self.positions[last].state.iter().zip(&self.positions[start].state) {
            all.push(end.equal(&mut self.script.terms, begin));
        }
        let mut next = 0;
        let holds = self.property(&self.question.formula, start, &mut next)[0];
        all.push(if self.question.satisfied { holds } else { self.script.terms.not(holds) });
        all.push(self.is_fair(start));
        let question = self.question;
        let inside = question.inside.iter().map(|(_, formula)| (formula, true));
        let outside = question.outside.iter().map(|(_, formula)| (formula, false));
        for (number, (formula, wanted)) in inside.chain(outside).enumerate() {
            let holds = self.formula(number, formula, start)?;
            all.push(if wanted { holds } else { self.script.terms.not(holds) });
        }
        Ok(self.script.terms.all(all))
    }

    fn is_fair(&mut self, start: usize) -> Truth {
        let last = self.question.steps;
        let terms = &mut self.script.terms;
        let mut all: Vec<Truth> =
            self.again.iter().map(|truths| terms.any(truths[start..last].to_vec())).collect();
        for (action, (enabled, taken)) in self.question.actions.iter().zip(&self.actions) {
            let enabled = enabled[start..last].to_vec();
            let asked = if action.strong { terms.any(enabled) } else { terms.all(enabled) };
            let taken = terms.any(taken[start + 1..=last].to_vec());
            all.push(terms.implies(asked, taken));
        }
        terms.all(all)
    }

    /// The truth of a part of the property at each position but the last, which is the one at `start` again. `next` is the number of
    /// its first atom.
    fn property(&mut self, formula: &Formula, start: usize, next: &mut usize) -> Vec<Truth> {
        let last = self.question.steps;
        match formula {
            Formula::Atom(..) => {
                *next += 1;
                self.atoms[*next - 1][..last].to_vec()
            }
            Formula::Not(a) => {
                let a = self.property(a, start, next);
                a.into_iter().map(|a| self.script.terms.not(a)).collect()
            }
            Formula::And(a, b) => self.both((a, b), start, next, Terms::and),
            Formula::Or(a, b) => self.both((a, b), start, next, Terms::or),
            Formula::Implies(a, b) => self.both((a, b), start, next, Terms::implies),
            Formula::Iff(a, b) => self.both((a, b), start, next, Terms::iff),
            Formula::If(condition, a, b) => {
                let parts = [condition, a, b].map(|part| self.property(part, start, next));
                (0..last).map(|at| self.script.terms.ite(parts[0][at], parts[1][at], parts[2][at])).collect()
            }
            Formula::Temporal(op, operands) => {
                let parts: Vec<Vec<Truth>> =
                    operands.iter().map(|operand| self.property(operand, start, next)).collect();
                self.temporal(*op, &parts, start)
            }
        }
    }

    fn both(
        &mut self,
        (a, b): (&Formula, &Formula),
        start: usize,
        next: &mut usize,
        by: fn(&mut Terms, Truth, Truth) -> Truth,
    ) -> Vec<Truth> {
        let (a, b) = (self.property(a, start, next), self.property(b, start, next));
        a.into_iter().zip(b).map(|(a, b)| by(&mut self.script.terms, a, b)).collect()
    }

    /// The truth of an operator at each position but the last.
    fn temporal(&mut self, op: TemporalOp, parts: &[Vec<Truth>], start: usize) -> Vec<Truth> {
        let first = &parts[0];
        let last = first.len();
        match op {
            TemporalOp::Next => {
                (0..last).map(|at| if at + 1 == last { first[start] } else { first[at + 1] }).collect()
            }
            TemporalOp::Always => {
                self.unfolded(start, last, true, |terms, at, rest| terms.and(first[at], rest))
            }
            TemporalOp::Eventually => {
                self.unfolded(start, last, false, |terms, at, rest| terms.or(first[at], rest))
            }
            TemporalOp::Until | TemporalOp::WeakUntil => {
                self.unfolded(start, last, op == TemporalOp::WeakUntil, |terms, at, rest| {
                    let on = terms.and(first[at], rest);
                    terms.or(parts[1][at], on)
                })
            }
            TemporalOp::Release => self.unfolded(start, last, true, |terms, at, rest| {
                let on = terms.or(first[at], rest);
                terms.and(parts[1][at], on)
            }),
            _ => panic!("an operator of branching time in a formula of linear time"),
        }
    }

    /// The conditions of a position on itself and on the rest, for all positions. The loop is gone round once more: from its beginning, with
    /// `at_end` after a whole round, which is when everything has been seen.
    fn unfolded(
        &mut self,
        start: usize,
        last: usize,
        at_end: bool,
        mut step: impl FnMut(&mut Terms, usize, Truth) -> Truth,
    ) -> Vec<Truth> {
        let terms = &mut self.script.terms;
        let mut rest = (start..last).rev().fold(Terms::bool(at_end), |rest, at| step(terms, at, rest));
        let mut truths: Vec<Truth> = (0..last)
            .rev()
            .map(|at| {
                rest = step(terms, at, rest);
                rest
            })
            .collect();
        truths.reverse();
        truths
    }

    /// True if a formula holds; `number` is its own.
    fn formula(&mut self, number: usize, formula: &LassoFormula, start: usize) -> Result<Truth, Exhausted> {
        let mut any = Vec::new();
        for choice in 0..formula.choices.len() {
            if !self.script.terms.goes_on() {
                self.script.terms.check_budget()?;
            }
            let of = Of { number, formula, choice };
            let all = formula.facts.iter().map(|fact| self.fact(&of, fact, start)).collect();
            any.push(self.script.terms.all(all));
        }
        Ok(self.script.terms.any(any))
    }

    fn fact(&mut self, of: &Of<'_>, fact: &RecurringFact, start: usize) -> Truth {
        let last = self.question.steps;
        let mut here = |said: &[LassoLiteral]| -> Vec<Truth> {
            (0..=last)
                .map(|at| {
                    let all = said.iter().map(|said| self.is_so(of, *said, at)).collect();
                    self.script.terms.all(all)
                })
                .collect()
        };
        let at: Vec<Vec<Truth>> = fact.at.iter().map(|said| here(said)).collect();
        let after = here(&fact.after);
        let terms = &mut self.script.terms;
        let round = |truths: &[Truth]| truths[start + 1..=last].to_vec();
        match fact.when {
            Recurrence::Again => terms.any(round(&at[0])),
            Recurrence::Forever => terms.all(round(&at[0])),
            Recurrence::Once => {
                let mut rest = later(terms, &after, start, true);
                let mut now = Vec::new();
                for (index, here) in at.iter().enumerate().rev() {
                    now = here.iter().zip(&rest).map(|(&here, &rest)| terms.and(here, rest)).collect();
                    if index > 0 {
                        rest = later(terms, &now, start, false);
                    }
                }
                terms.any(now)
            }
        }
    }

    /// True if something that a formula says is so at a position.
    fn is_so(&mut self, of: &Of<'_>, said: LassoLiteral, at: usize) -> Truth {
        let place = (of.number, said.number, at, of.choice);
        let truth = match self.said.get(&place) {
            Some(&known) => known,
            None => {
                let mut all = Vec::new();
                for part in of.formula.parts(said.number) {
                    let mut translator = Translator::over_trace(self.script, self.model, &self.moments);
                    for (variable, local) in &part.reads {
                        let value = match variable.checked_sub(1) {
                            None => Value::Int(to_i64(at)),
                            Some(individual) => of.formula.choices[of.choice][individual].clone(),
                        };
                        let value = TermValue::constant(&mut translator.script.terms, &value);
                        translator.bind(*local, value);
                    }
                    all.push(translator.truth(&part.expr));
                }
                let truth = self.script.terms.all(all);
                self.said.insert(place, truth);
                truth
            }
        };
        if said.holds { truth } else { self.script.terms.not(truth) }
    }
}

/// For each position whether something is so at all later ones, or at one of them; all of the loop, which begins at `start`, comes later.
fn later(terms: &mut Terms, truths: &[Truth], start: usize, at_all: bool) -> Vec<Truth> {
    let round = truths[start + 1..].to_vec();
    let mut rest = if at_all { terms.all(round) } else { terms.any(round) };
    let mut list = Vec::new();
    for &truth in truths.iter().rev() {
        list.push(rest);
        rest = if at_all { terms.and(truth, rest) } else { terms.or(truth, rest) };
    }
    list.reverse();
    list
}

/// A formula with its number, and the number of a choice of its individuals.
struct Of<'f> {
    number: usize,
    formula: &'f LassoFormula,
    choice: usize,
}
