//! Names of formulas: fixpoints, variables, functions, constructors.

mod actions;
mod data;

use super::domain::Question;
use super::expr::{Expr, MOST_SLOTS, Slot};
use super::formula::{Bind, Fixpoint, FixpointId, Formula, State};
use super::sort::{Declared, Sort};
use super::system::LabelParts;
use super::text::tree::{self, StateKind, Variable};
use super::value::Value;
use crate::lts::Labels;
use crate::lts::property::Atom;
use kit::diagnostics::{Diagnostic, Span, nearest};

/// A formula with every name known.
#[derive(Debug)]
pub struct Resolved {
    /// The formula.
    pub formula: Formula,
    /// Labels and patterns that it mentions and no transition has, probably a mistake.
    pub without_labels: Vec<(Atom, Span)>,
    /// Actions with data that it mentions and no transition has.
    pub without_actions: Vec<MissingAction>,
}

/// An action with data that no transition has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MissingAction {
    /// Its name.
    pub name: String,
    /// The number of its values.
    pub values: usize,
    /// Where it is mentioned.
    pub span: Span,
}

/// Resolves the names of a formula over the labels of a system. Sorts may be declared with their values.
///
/// # Errors
/// All mistakes that were found, at least one.
pub fn resolve(
    tree: &tree::State,
    labels: &Labels,
    parts: &LabelParts,
    declared: &[Declared],
) -> Result<Resolved, Vec<Diagnostic>> {
    let mut resolver = Resolver {
        labels,
        parts,
        declared,
        slots: Vec::new(),
        sorts: Vec::new(),
        fixpoints: Vec::new(),
        scope: Scope::default(),
        mistakes: Vec::new(),
        without_labels: Vec::new(),
        without_actions: Vec::new(),
    };
    let root = resolver.state(tree, true);
    let Resolver { slots, fixpoints, mistakes, without_labels, without_actions, .. } = resolver;
    if mistakes.is_empty() {
        Ok(Resolved { formula: Formula { root, slots, fixpoints }, without_labels, without_actions })
    } else {
        Err(mistakes)
    }
}

struct Resolver<'a> {
    labels: &'a Labels,
    parts: &'a LabelParts,
    declared: &'a [Declared],
    slots: Vec<String>,
    sorts: Vec<Sort>,
    fixpoints: Vec<String>,
    scope: Scope,
    mistakes: Vec<Diagnostic>,
    without_labels: Vec<(Atom, Span)>,
    without_actions: Vec<MissingAction>,
}

impl Resolver<'_> {
    fn mistake(&mut self, span: Span, message: impl Into<String>, help: impl Into<String>) {
        self.mistakes.push(Diagnostic::error(span, message).with_help(help));
    }

    /// A formula under an even number of negations if `positive`.
    fn state(&mut self, tree: &tree::State, positive: bool) -> State {
        let span = tree.span;
        match &tree.kind {
            StateKind::Bool(value) => State::Bool(*value),
            StateKind::Val(data) => State::Val(self.data(data), span),
            StateKind::Not(of) => State::Not(Box::new(self.state(of, !positive))),
            StateKind::And(parts) => State::And(parts.iter().map(|p| self.state(p, positive)).collect()),
            StateKind::Or(parts) => State::Or(parts.iter().map(|p| self.state(p, positive)).collect()),
            StateKind::Implies(a, b) => {
                let not = State::Not(Box::new(self.state(a, !positive)));
                State::Or(vec![not, self.state(b, positive)])
            }
            StateKind::Equal(a, b) => {
                let mut implies = |a: &tree::State, b: &tree::State| {
                    let not = State::Not(Box::new(self.state(a, !positive)));
                    State::Or(vec![not, self.state(b, positive)])
                };
                State::And(vec![implies(a, b), implies(b, a)])
            }
            StateKind::Modal { all, regular, then } => {
                let regular = self.regular(regular);
                State::Modal(*all, regular, Box::new(self.state(then, positive)))
            }
            StateKind::Forever { all, regular } => {
                // `<R> @` is nu X . <R> X, and `[R] -|` is mu X . [R] X.
                let regular = self.regular(regular);
                let id = self.new_fixpoint("forever");
                let body = State::Modal(*all, regular, Box::new(State::Call(id, Vec::new())));
                State::Fixpoint(Box::new(Fixpoint { id, greatest: !all, parameters: Vec::new(), body }))
            }
            StateKind::Fixpoint { greatest, name, parameters, body } => {
                self.fixpoint(*greatest, name, parameters, body, positive)
            }
            StateKind::Call(name, arguments) => self.call(name, arguments, span, positive),
            StateKind::Quantifier { all, variables, body } => {
                let slots = self.declare(variables);
                let mut state = self.state(body, positive);
                self.scope.leave(variables.len());
                for (variable, slot) in variables.iter().zip(slots).rev() {
                    if state.slots() >> slot & 1 == 1 {
                        let known = self.question(slot).state(&state, *all);
                        let others = || self.question(slot).state(&state, !*all);
                        // With all but finitely many of infinitely many values it is what decides.
                        if known.is_none() && self.sorts[slot].is_infinite() && others().is_some() {
                            state = State::Bool(!*all);
                            continue;
                        }
                        let bind = self.bind(variable, slot, *all, known);
                        state = State::Bind(bind, Box::new(state));
                    }
                }
                state
            }
        }
    }

    fn new_fixpoint(&mut self, name: &str) -> FixpointId {
        self.fixpoints.push(name.to_owned());
        self.fixpoints.len() - 1
    }

    fn fixpoint(
        &mut self,
        greatest: bool,
        name: &tree::Name,
        parameters: &[(Variable, tree::Data)],
        body: &tree::State,
        positive: bool,
    ) -> State {
        // The first values are those outside.
        let first: Vec<Expr> = parameters.iter().map(|(_, first)| self.data(first)).collect();
        let id = self.new_fixpoint(&name.text);
        let variables: Vec<Variable> = parameters.iter().map(|(variable, _)| variable.clone()).collect();
        let slots = self.declare(&variables);
        self.scope.enter(&name.text, Bound::Fixpoint { id, positive, parameters: slots.clone() });
        let body = self.state(body, positive);
        self.scope.leave(1 + slots.len());
        let parameters = slots.into_iter().zip(first).collect();
        State::Fixpoint(Box::new(Fixpoint { id, greatest, parameters, body }))
    }

    fn call(&mut self, name: &tree::Name, arguments: &[tree::Data], span: Span, positive: bool) -> State {
        let given: Vec<Expr> = arguments.iter().map(|argument| self.data(argument)).collect();
        match self.scope.find(&name.text).cloned() {
            Some(Bound::Fixpoint { id, positive: declared, parameters }) => {
                if positive != declared {
                    let message = format!("`{}` stands under a negation inside its fixpoint", name.text);
                    let help = "then no fixpoint need exist: use an even number of negations around it";
                    self.mistake(name.span, message, help);
                }
                if parameters.len() != given.len() {
                    let message = format!(
                        "`{}` has {} parameters, but {} values are given",
                        name.text,
                        parameters.len(),
                        given.len()
                    );
                    self.mistake(span, message, "give one value for each parameter, in their order");
                    return State::Bool(false);
                }
                State::Call(id, parameters.into_iter().zip(given).collect())
            }
            // In mCRL2, expressions can stand without `val`.
            Some(Bound::Variable(slot)) if given.is_empty() => State::Val(Expr::Variable(slot), span),
            _ => {
                let message = format!("there is no fixpoint or macro `{}` here", name.text);
                let help = match nearest(&name.text, self.scope.fixpoints()) {
                    Some(meant) => format!("did you mean `{meant}`?"),
                    None => "write <a> true for a possible action a; `library standard.mcl end_library` \
                             makes the macros of the standard library known"
                        .to_owned(),
                };
                self.mistake(name.span, message, help);
                State::Bool(false)
            }
        }
    }

    /// New variables, which are in scope from here on.
    fn declare(&mut self, variables: &[Variable]) -> Vec<Slot> {
        let mut slots = Vec::new();
        for variable in variables {
            let slot = self.slots.len().min(MOST_SLOTS - 1);
            if self.slots.len() >= MOST_SLOTS {
                let message = format!("more than {MOST_SLOTS} variables");
                self.mistake(variable.name.span, message, "split the formula");
            } else {
                self.slots.push(variable.name.text.clone());
                self.sorts.push(Sort::named(&variable.sort, self.declared));
            }
            self.scope.enter(&variable.name.text, Bound::Variable(slot));
            slots.push(slot);
        }
        slots
    }

    fn question(&self, slot: Slot) -> Question<'_> {
        Question { slot, least: self.sorts[slot].least(), labels: self.parts, inside: Vec::new() }
    }

    /// The values over which a variable ranges: all of its sort, or those that matter.
    fn bind(
        &mut self,
        variable: &Variable,
        slot: Slot,
        all: bool,
        known: Option<std::collections::BTreeSet<Value>>,
    ) -> Bind {
        let sort = &self.sorts[slot];
        let values = match (known, sort.values()) {
            (Some(known), _) => known.into_iter().filter(|value| sort.has(value)).collect(),
            (None, Some(values)) => values,
            (None, None) => {
                let name = &variable.name;
                let word = if all { "forall" } else { "exists" };
                let message = format!(
                    "`{word} {}: {}` ranges over infinitely many or unknown values, and all of them may matter",
                    name.text, variable.sort
                );
                let help = format!(
                    "limit it by an action or a comparison ({}), or declare the values with --sort '{}={{…}}'",
                    match all {
                        true => format!("[a({0})] …, or val({0} < 3) => …", name.text),
                        false => format!("<a({0})> …, or val({0} < 3) && …", name.text),
                    },
                    variable.sort
                );
                self.mistake(name.span, message, help);
                Vec::new()
            }
        };
        Bind { all, slot, values }
    }
}

#[derive(Debug, Clone)]
pub enum Bound {
    Variable(Slot),
    Fixpoint {
        id: FixpointId,
        /// True if it stands under an even number of negations.
        positive: bool,
        parameters: Vec<Slot>,
    },
}

/// Names with what they stand for, inner ones last.
#[derive(Debug, Default)]
pub struct Scope {
    names: Vec<(String, Bound)>,
}

impl Scope {
    pub fn enter(&mut self, name: &str, bound: Bound) {
        self.names.push((name.to_owned(), bound));
    }

    pub fn leave(&mut self, names: usize) {
        self.names.truncate(self.names.len() - names);
    }

    pub fn find(&self, name: &str) -> Option<&Bound> {
        self.names.iter().rev().find(|(known, _)| known == name).map(|(_, bound)| bound)
    }

    pub fn fixpoints(&self) -> impl Iterator<Item = &str> {
        let names = self.names.iter().filter(|(_, bound)| matches!(bound, Bound::Fixpoint { .. }));
        names.map(|(name, _)| name.as_str())
    }

    pub fn variables(&self) -> impl Iterator<Item = &str> {
        let names = self.names.iter().filter(|(_, bound)| matches!(bound, Bound::Variable(_)));
        names.map(|(name, _)| name.as_str())
    }
}
