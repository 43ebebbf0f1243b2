//! The question as a script: is there a trace of so many steps that violates an invariant?

use super::effect::{SmtEffect, chosen, effect, translator};
use super::expression::{StepLabel, Translator};
use super::first::{FirstState, first_state};
use super::script::Script;
use super::shape::{ValueName, named, well_formed};
use super::symbolic::TermValue;
use super::term::{Number, Term, TermRange, Terms, Truth};
use kit::budget::{Budget, Exhausted};
use kit::diagnostics::Span;
use lang::model::expr::Expr;
use lang::model::{Assumption, Model, Position, Property};

/// Which traces are looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TraceLengths {
    /// Those of at most this many steps.
    UpTo(usize),
    /// Those of exactly this many steps, with a violation anywhere.
    Exactly(usize),
}

impl TraceLengths {
    /// The most steps.
    pub fn most(self) -> usize {
        match self {
            Self::UpTo(steps) | Self::Exactly(steps) => steps,
        }
    }
}

/// The state and the label at a position of the trace.
#[derive(Debug)]
pub(super) struct QuestionFrame {
    pub at: Position,
    /// True if the trace goes this far.
    pub alive: Truth,
    /// The step that led here.
    pub label: Option<StepLabel>,
    /// The values of the variables. From the end of the trace on they stay as they are, so that symbols keep to their ranges.
    pub state: Vec<TermValue>,
}

impl QuestionFrame {
    /// The ending of the names used here.
    fn when(&self) -> String {
        format!("@{}", self.at)
    }
}

/// Writes the script, and says where the positions of the trace are in it.
///
/// # Errors
/// If the budget is exhausted before it is complete.
pub fn script(
    model: &Model,
    property: &Property,
    invariant: &Expr,
    steps: TraceLengths,
    budget: &Budget,
) -> Result<(Script, Vec<QuestionFrame>), Exhausted> {
    let mut writer = QuestionWriter::new(model, steps, budget);
    let mut positions = vec![writer.first()];
    let mut violations = Vec::new();
    loop {
        writer.script.terms.check_budget()?;
        let Some(position) = positions.last() else { break };
        violations.push(writer.violation(position, &property.name, invariant));
        if position.at.steps() == steps.most() {
            break;
        }
        let next = writer.step(position);
        positions.push(next);
    }
    let violated = writer.script.terms.any(violations);
    writer.script.comment("");
    writer.script.comment(format!("Somewhere in the trace, {} does not hold.", property.name));
    writer.script.assert(violated);
    writer.script.terms.check_budget()?;
    Ok((writer.script, positions))
}

/// Writes positions one after the other.
pub(super) struct QuestionWriter<'m> {
    /// The script so far.
    pub script: Script,
    model: &'m Model,
    steps: TraceLengths,
}

impl<'m> QuestionWriter<'m> {
    /// A script that says what numbers mean, and nothing else yet.
    pub fn new(model: &'m Model, steps: TraceLengths, budget: &Budget) -> Self {
        let mut writer = Self { script: Script::new(budget), model, steps };
        writer.legend();
        writer
    }

    /// Writes the meaning of the numbers.
    fn legend(&mut self) {
        let numbered = |names: &mut dyn Iterator<Item = &str>| {
            let list: Vec<String> = names.enumerate().map(|(n, name)| format!("{name} = {n}")).collect();
            list.join(", ")
        };
        for (id, decl) in self.model.types.enums.iter().enumerate() {
            if id != self.model.action_enum.0 as usize {
                let values = numbered(&mut decl.variants.iter().map(String::as_str));
                self.script.comment(format!("{}: {values}", decl.name));
            }
        }
        let end = matches!(self.steps, TraceLengths::UpTo(_)).then_some("(the trace has ended)");
        let mut names = self.model.actions.iter().map(|action| action.name.as_str()).chain(end);
        let actions = numbered(&mut names);
        self.script.comment(format!("action: {actions}"));
    }

    /// The first position of a trace.
    pub fn first(&mut self) -> QuestionFrame {
        self.script.comment("");
        self.script.comment("The initial state");
        let FirstState { state, demands } = first_state(&mut self.script, self.model);
        for demand in demands {
            let why = || match demand.source {
                Some(source) => format!("init{}", place(self.model, source.span)),
                None => "values are of their types".to_owned(),
            };
            self.script.demand(why, demand.formula);
        }
        self.start_with(state)
    }

    /// Any state, from which a path goes on.
    pub fn anywhere(&mut self) -> QuestionFrame {
        self.script.comment("");
        self.script.comment("Any state");
        let mut state = Vec::new();
        for variable in &self.model.variables {
            let name = ValueName { place: &variable.name, when: "@0" };
            let value = chosen(&mut self.script, &self.model.types, name, &variable.ty);
            let right = well_formed(&mut self.script.terms, &self.model.types, &value, &variable.ty);
            self.script.demand(|| "values are of their types".to_owned(), right);
            state.push(value);
        }
        self.start_with(state)
    }

    fn start_with(&mut self, state: Vec<TermValue>) -> QuestionFrame {
        let position = QuestionFrame { at: Position::FIRST, alive: Terms::YES, label: None, state };
        self.assume_states(&position);
        position
    }

    /// The position after another one.
    pub fn step(&mut self, from: &QuestionFrame) -> QuestionFrame {
        let model = self.model;
        let at = from.at.next();
        let when = format!("@{at}");
        self.script.comment("");
        self.script.comment(format!("Step {at}"));
        let action = self.action(&when);
        let alive = self.alive(from, action);
        let mut args = Vec::new();
        let mut effects = Vec::new();
        let mut taken = Vec::new();
        for (index, declared) in model.actions.iter().enumerate() {
            let index = self.script.terms.int(index as i128);
            let takes = self.script.terms.equal(action, index);
            let demand =
                |span, what: &str| format!("step {at}, {}: {what}{}", declared.name, place(model, span));
            let mut chosen_args = Vec::new();
            for param in &declared.params {
                let place = format!("{}({})", declared.name, param.name);
                let arg = chosen(
                    &mut self.script,
                    &model.types,
                    ValueName { place: &place, when: &when },
                    &param.ty,
                );
                let right = well_formed(&mut self.script.terms, &model.types, &arg, &param.ty);
                let right = self.script.terms.implies(takes, right);
                self.script.demand(|| demand(declared.span, "arguments are of their types"), right);
                chosen_args.push(arg);
            }
            let effect = effect(&mut self.script, model, declared, &chosen_args, &from.state, &when);
            if effect.is_impossible() {
                let never = self.script.terms.not(takes);
                self.script.demand(|| demand(declared.span, "never possible here"), never);
            } else {
                for part in &effect.demands {
                    let formula = self.script.terms.implies(takes, part.formula);
                    self.script.demand(|| demand(part.span, part.what), formula);
                }
            }
            args.push(chosen_args);
            effects.push(effect);
            taken.push(takes);
        }
        self.script.comment(format!("the state after step {at}"));
        let state = self.next_state(from, &taken, &effects, &when);
        let label = StepLabel { action, args };
        self.constrain(from, &label, &taken, alive, &state, at);
        let position = QuestionFrame { at, alive, label: Some(label), state };
        self.assume_states(&position);
        position
    }

    /// The number of the action of a step; the one after the last says that the trace has ended.
    fn action(&mut self, when: &str) -> Number {
        let actions = self.model.actions.len() as i128;
        let last = match self.steps {
            TraceLengths::UpTo(_) => actions,
            TraceLengths::Exactly(_) => actions - 1,
        };
        let range = TermRange { lo: 0, hi: last.max(0) };
        let action = self.script.number_symbol(&format!("action{when}"), range);
        self.script.declare(Term::Number(action));
        if last < 0 {
            self.script.demand(|| "there are no actions".to_owned(), Terms::NO);
        }
        action
    }

    /// True if the trace goes on with a step that takes this action. Once it has ended it does not.
    fn alive(&mut self, from: &QuestionFrame, action: Number) -> Truth {
        if let TraceLengths::Exactly(_) = self.steps {
            return Terms::YES;
        }
        let ended = self.script.terms.int(self.model.actions.len() as i128);
        let ended = self.script.terms.equal(action, ended);
        let alive = self.script.terms.not(ended);
        let on = self.script.terms.implies(alive, from.alive);
        self.script.demand(|| "once ended, the trace stays so".to_owned(), on);
        alive
    }

    fn next_state(
        &mut self,
        from: &QuestionFrame,
        taken: &[Truth],
        effects: &[SmtEffect],
        when: &str,
    ) -> Vec<TermValue> {
        let mut state = Vec::new();
        for (var, variable) in self.model.variables.iter().enumerate() {
            let mut cases: Vec<(Truth, &TermValue)> = Vec::new();
            let possible = taken.iter().zip(effects).filter(|(_, effect)| !effect.is_impossible());
            let all = possible.clone().all(|(_, effect)| effect.values[var].is_some());
            cases.extend(possible.filter_map(|(takes, effect)| Some((*takes, effect.values[var].as_ref()?))));
            // If one of the actions is taken for certain, the last one needs no condition.
            let default = match (self.steps, cases.last()) {
                (TraceLengths::Exactly(_), Some((_, last))) if all => *last,
                _ => &from.state[var],
            };
            let mut value = default.clone();
            for (takes, case) in cases.into_iter().rev() {
                value = TermValue::select(&mut self.script.terms, takes, case, &value);
            }
            let name = ValueName { place: &variable.name, when };
            state.push(named(&mut self.script, &self.model.types, name, &variable.ty, &value));
        }
        state
    }

    /// The conditions on the old and the new state together.
    fn constrain(
        &mut self,
        from: &QuestionFrame,
        label: &StepLabel,
        taken: &[Truth],
        alive: Truth,
        next: &[TermValue],
        at: Position,
    ) {
        let model = self.model;
        for (index, action) in model.actions.iter().enumerate() {
            for constraint in &action.constraints {
                let mut inner = translator(&mut self.script, model, action, &label.args[index], &from.state)
                    .with_next(next);
                let holds = inner.truth(constraint);
                let formula = self.script.terms.implies(taken[index], holds);
                let why =
                    || format!("step {at}, {}: constrain{}", action.name, place(model, constraint.span));
                self.script.demand(why, formula);
            }
        }
        for Assumption { expr, span, .. } in model.assumptions.iter().filter(|a| a.step) {
            let holds = Translator::new(&mut self.script, model, &from.state).with_next(next).truth(expr);
            let formula = self.script.terms.implies(alive, holds);
            self.script.demand(|| format!("step {at}: assume{}", place(model, *span)), formula);
        }
    }

    fn assume_states(&mut self, position: &QuestionFrame) {
        let model = self.model;
        for Assumption { expr, span, .. } in model.assumptions.iter().filter(|a| !a.step) {
            let holds = Translator::new(&mut self.script, model, &position.state).truth(expr);
            let formula = self.script.terms.implies(position.alive, holds);
            let why = || format!("state {}: assume{}", position.at, place(model, *span));
            self.script.demand(why, formula);
        }
    }

    /// True if the trace goes to a position and violates the invariant there.
    pub fn violation(&mut self, position: &QuestionFrame, name: &str, invariant: &Expr) -> Truth {
        let holds = Translator::new(&mut self.script, self.model, &position.state)
            .with_label(position.label.as_ref())
            .truth(invariant);
        let name = format!("{name} holds{}", position.when());
        let holds = self.script.define_truth(&name, holds);
        let violated = self.script.terms.not(holds);
        self.script.terms.and(position.alive, violated)
    }
}

/// Where something is written; nothing for a model that was not read from a text.
fn place(model: &Model, span: Span) -> String {
    let known = model.sources.texts().count() > span.source.0 as usize;
    if known { format!(" ({})", model.sources.place(span)) } else { String::new() }
}
