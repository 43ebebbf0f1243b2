//! Predicates for the steps that established the condition of a breaking step:
//! `inject(c: c)@t2 and c in knows established by log_in()@t1 before t2`.

use super::candidate::plain;
use super::conditions::{alternatives, is_false};
use crate::causes::condition::{breaking_condition, reads_assigned};
use crate::causes::reasons::guards;
use crate::facts::formula::{ChosenNames, mark};
use crate::facts::problem::Problem;
use itertools::Itertools;
use lang::model::expr::{Expr, ExprKind, Op};
use lang::model::{Action, Local, Model};

/// The greatest number of predicates.
const MOST_PREDICATES: usize = 40;

/// The greatest number of values of the arguments in a condition, taken together.
const MOST_VALUES: u64 = 64;

/// The greatest length of the text of a condition.
const LONGEST: usize = 100;

/// Adds predicates for the steps that can break an invariant to a model: for each part of the condition under which they do, one for each action
/// that can establish this part, and one for its truth from the initial state on. Where every step of an action breaks the invariant, its guards
/// take the place of the condition. Adds none if there are very many, or if the model has one action.
pub fn declare_conditions(model: &mut Model, invariant: &Expr) {
    if model.actions.len() < 2 {
        return;
    }
    let declarations = condition_predicates(Problem::new(model, invariant));
    if model.declare(&declarations.join("\n")).is_err() {
        // A name or a text that the language does not allow is no reason to leave out the others.
        declarations.iter().for_each(|declaration| _ = model.declare(declaration).ok());
    }
}

fn condition_predicates(problem: Problem<'_>) -> Vec<String> {
    let model = problem.model;
    let found = (0..model.actions.len()).flat_map(|number| of_action(problem, number));
    let found: Vec<PredicateDraft> = found.take(MOST_PREDICATES + 1).collect();
    if found.len() > MOST_PREDICATES || found.iter().all(|draft| draft.how.is_empty()) {
        return Vec::new();
    }
    let mut names: Vec<String> = Vec::new();
    for draft in &found {
        let numbered = (2..).map(|number| format!("{}_{number}", draft.name));
        names.extend([draft.name.clone()].into_iter().chain(numbered).find(|name| !names.contains(name)));
    }
    found.iter().zip(names).map(|(draft, name)| draft.declaration(&name)).collect()
}

/// A predicate without its final name, and with placeholders for its positions.
struct PredicateDraft {
    name: String,
    /// The step with its condition, for a title.
    step: String,
    /// How the condition came to hold; empty if it reads no state.
    how: String,
    /// The number of positions: that of the breaking step, after that of the step which established its condition, if there is one.
    positions: usize,
    formula: String,
}

impl PredicateDraft {
    fn declaration(&self, name: &str) -> String {
        let wanted: &[&str] = if self.positions == 1 { &["t"] } else { &["t1", "t2"] };
        let chosen = ChosenNames::new([self.formula.as_str()].into_iter(), wanted.iter().copied());
        let parameters = chosen.0.join(", ");
        let Self { step, how, formula, .. } = self;
        let title = format!("{step} {how}");
        format!("/// {}\npred {name}({parameters}: pos) = {};", title.trim_end(), chosen.put(formula.clone()))
    }
}

/// Returns the predicates for the steps of an action, none if they cannot break the invariant.
fn of_action(problem: Problem<'_>, number: usize) -> Vec<PredicateDraft> {
    let model = problem.model;
    let condition = breaking_condition(problem, number).unwrap_or_default();
    if condition.iter().any(is_false) {
        return Vec::new();
    }
    let (told, own): (Vec<Expr>, Vec<Expr>) = condition.into_iter().partition(Expr::reads_state);
    let step = BreakingStep { model, action: &model.actions[number], own };
    let guards = || guards(model, number).into_iter().filter(Expr::reads_state).collect();
    let told: Vec<Expr> = if told.is_empty() { step.telling(guards()) } else { told };
    let parts: Vec<Expr> = told.iter().flat_map(alternatives).collect();
    if !parts.iter().any(|part| !step.establishing(part).is_empty()) {
        return step.alone(None).into_iter().collect();
    }
    parts.iter().flat_map(|part| step.told_by(part)).collect()
}

/// Returns the text of a condition, in brackets unless it is a comparison.
fn bracketed(part: &Expr, text: &str) -> String {
    let mut is_plain = matches!(
        part.kind,
        ExprKind::Binary(Op::Eq | Op::Lt | Op::Le | Op::In, ..)
            | ExprKind::Var(_)
            | ExprKind::Local(_)
            | ExprKind::IsSome(_)
    );
    part.walk(&mut |inner| is_plain &= !matches!(inner.kind, ExprKind::If(..)));
    if is_plain { text.to_owned() } else { format!("({text})") }
}

/// The steps of an action that break the invariant.
struct BreakingStep<'a> {
    model: &'a Model,
    action: &'a Action,
    /// The parts of the condition that arguments alone decide.
    own: Vec<Expr>,
}

impl BreakingStep<'_> {
    /// Returns the guards that several actions can establish, or all if there are none of these.
    fn telling(&self, guards: Vec<Expr>) -> Vec<Expr> {
        let several: Vec<Expr> =
            guards.iter().filter(|part| self.establishing(part).len() > 1).cloned().collect();
        if several.is_empty() { guards } else { several }
    }

    /// Returns the actions of which a step can make a condition true.
    fn establishing(&self, part: &Expr) -> Vec<&Action> {
        let not = part.clone().negated();
        // An earlier step of the same action has other arguments.
        let reads_own = self.action.params.iter().any(|param| part.reads_local(param.local));
        let establishes = |number: &usize| {
            let is_same = self.model.actions[*number].name == self.action.name;
            if is_same && reads_own {
                return reads_assigned(part, self.action);
            }
            let condition = breaking_condition(Problem::new(self.model, &not), *number);
            !condition.is_some_and(|parts| parts.iter().any(is_false))
        };
        (0..self.model.actions.len()).filter(establishes).map(|number| &self.model.actions[number]).collect()
    }

    /// Returns a predicate for each way in which a part of the condition came to hold.
    fn told_by(&self, part: &Expr) -> Vec<PredicateDraft> {
        if !part.reads_state() {
            return self.alone(Some(part)).into_iter().collect();
        }
        let Some(text) = self.text(part) else { return Vec::new() };
        let bracketed = bracketed(part, &text);
        let (first, last, action) = (mark(0), mark(1), &self.action.name);
        let after = self.establishing(part).into_iter().filter_map(|by| {
            let by = &by.name;
            self.draft(
                (format!("{}_after_{}", plain(action), plain(by)), format!("since {by}"), 2),
                (Some((part, &text)), &format!("{bracketed} established by {by}()@{first} before {last}")),
            )
        });
        let always = self.draft(
            (format!("{}_from_start", plain(action)), "from the initial state on".to_owned(), 1),
            (Some((part, &text)), &format!("never (not ({text})) before {}", mark(0))),
        );
        after.chain(always).collect()
    }

    /// Returns a predicate for the step itself, and a part of its condition that reads no state.
    fn alone(&self, part: Option<&Expr>) -> Option<PredicateDraft> {
        let text = part.map_or(Some(String::new()), |part| self.text(part))?;
        let shown = part.map(|part| (part, text.as_str()));
        self.draft((format!("{}_breaks", plain(&self.action.name)), String::new(), 1), (shown, &text))
    }

    fn text(&self, part: &Expr) -> Option<String> {
        let name = |local| Some(self.action.params.iter().find(|param| param.local == local)?.name.clone());
        self.model.text(part, &name).filter(|text| text.len() <= LONGEST)
    }

    /// Returns a predicate for steps that satisfy the parts of the condition over arguments alone, and a formula: `told`, about another part, if that
    /// is given.
    fn draft(
        &self,
        (name, how, positions): (String, String, usize),
        (part, told): (Option<(&Expr, &str)>, &str),
    ) -> Option<PredicateDraft> {
        let own: Vec<String> = self.own.iter().map(|part| self.text(part)).collect::<Option<_>>()?;
        let read = || self.own.iter().chain(part.map(|(part, _)| part));
        let used: Vec<&Local> = self
            .action
            .params
            .iter()
            .filter(|param| read().any(|part| part.reads_local(param.local)))
            .collect();
        let types = &self.model.types;
        let values = used.iter().fold(1u64, |n, param| n.saturating_mul(types.cardinality(&param.ty)));
        if values > MOST_VALUES {
            return None;
        }
        let given = used.iter().map(|param| format!("{0}: {0}", param.name)).join(", ");
        let bound =
            used.iter().map(|param| format!("{} in {}", param.name, types.name(&param.ty))).join(", ");
        let (action, last) = (&self.action.name, mark(positions - 1));
        let own_parts = self.own.iter().zip(&own).map(|(part, text)| bracketed(part, text));
        let all = [format!("{action}({given})@{last}")].into_iter().chain(own_parts).chain([told.to_owned()]);
        let all = all.filter(|part| !part.is_empty()).join(" and ");
        let formula = if bound.is_empty() { all } else { format!("exists {bound}: {all}") };
        let shown = own.into_iter().chain(part.map(|(_, text)| text.to_owned())).join(" and ");
        let names = used.iter().map(|param| param.name.as_str()).join(", ");
        let named = if names.is_empty() { action.clone() } else { format!("{action}({names})") };
        let step = [named, shown].into_iter().filter(|part| !part.is_empty()).join(" where ");
        Some(PredicateDraft { name, step, how, positions, formula })
    }
}
