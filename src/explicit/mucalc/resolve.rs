//! Names of formulas: fixpoints, variables, functions, constructors.

mod actions;
mod data;

use super::domain::DomainQuestion;
use super::expr::{DataExpr, DataSlot, MOST_SLOTS};
use super::formula::{Bind, Fixpoint, FixpointId, ResolvedFormula, StateFormula};
use super::sort::{DataSort, DeclaredSort};
use super::system::LabelParts;
use super::text::tree::{self, StateKind, TypedVariable};
use super::value::DataValue;
use crate::lts::Labels;
use crate::lts::property::LabelAtom;
use kit::diagnostics::{Diagnostic, Span, nearest};

/// A formula with every name known.
#[derive(Debug)]
pub struct Resolved {
    /// The formula.
    pub formula: ResolvedFormula,
    /// Labels and patterns that it mentions and no transition has, probably a mistake.
    pub without_labels: Vec<(LabelAtom, Span)>,
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
    tree: &tree::StateSyntax,
    labels: &Labels,
    parts: &LabelParts,
    declared: &[DeclaredSort],
) -> Result<Resolved, Vec<Diagnostic>> {
    let mut resolver = Resolver {
        labels,
        parts,
        declared,
        slots: Vec::new(),
        sorts: Vec::new(),
        fixpoints: Vec::new(),
        scope: FormulaScope::default(),
        mistakes: Vec::new(),
        without_labels: Vec::new(),
        without_actions: Vec::new(),
    };
    let root = resolver.state(tree, true);
    let Resolver { slots, fixpoints, mistakes, without_labels, without_actions, .. } = resolver;
    if mistakes.is_empty() {
        Ok(Resolved { formula: ResolvedFormula { root, slots, fixpoints }, without_labels, without_actions })
    } else {
        Err(mistakes)
    }
}

struct Resolver<'a> {
    labels: &'a Labels,
    parts: &'a LabelParts,
    declared: &'a [DeclaredSort],
    slots: Vec<String>,
    sorts: Vec<DataSort>,
    fixpoints: Vec<String>,
    scope: FormulaScope,
    mistakes: Vec<Diagnostic>,
    without_labels: Vec<(LabelAtom, Span)>,
    without_actions: Vec<MissingAction>,
}

impl Resolver<'_> {
    fn mistake(&mut self, span: Span, message: impl Into<String>, help: impl Into<String>) {
        self.mistakes.push(Diagnostic::error(span, message).with_help(help));
    }

    /// A formula under an even number of negations if `positive`.
    fn state(&mut self, tree: &tree::StateSyntax, positive: bool) -> StateFormula {
        let span = tree.span;
        match &tree.kind {
            StateKind::Bool(value) => StateFormula::Bool(*value),
            StateKind::Val(data) => StateFormula::Val(self.data(data), span),
            StateKind::Not(of) => StateFormula::Not(Box::new(self.state(of, !positive))),
            StateKind::And(parts) => {
                StateFormula::And(parts.iter().map(|p| self.state(p, positive)).collect())
            }
            StateKind::Or(parts) => StateFormula::Or(parts.iter().map(|p| self.state(p, positive)).collect()),
            StateKind::Implies(a, b) => {
                let not = StateFormula::Not(Box::new(self.state(a, !positive)));
                StateFormula::Or(vec![not, self.state(b, positive)])
            }
            StateKind::Equal(a, b) => {
                let mut implies = |a: &tree::StateSyntax, b: &tree::StateSyntax| {
                    let not = StateFormula::Not(Box::new(self.state(a, !positive)));
                    StateFormula::Or(vec![not, self.state(b, positive)])
                };
                StateFormula::And(vec![implies(a, b), implies(b, a)])
            }
            StateKind::Modal { all, regular, then } => {
                let regular = self.regular(regular);
                StateFormula::Modal(*all, regular, Box::new(self.state(then, positive)))
            }
            StateKind::Forever { all, regular } => {
                // `<R> @` is nu X . <R> X, and `[R] -|` is mu X . [R] X.
                let regular = self.regular(regular);
                let id = self.new_fixpoint("forever");
                let body = StateFormula::Modal(*all, regular, Box::new(StateFormula::Call(id, Vec::new())));
                StateFormula::Fixpoint(Box::new(Fixpoint {
                    id,
                    greatest: !all,
                    parameters: Vec::new(),
                    body,
                }))
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
                            state = StateFormula::Bool(!*all);
                            continue;
                        }
                        let bind = self.bind(variable, slot, *all, known);
                        state = StateFormula::Bind(bind, Box::new(state));
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
        parameters: &[(TypedVariable, tree::Data)],
        body: &tree::StateSyntax,
        positive: bool,
    ) -> StateFormula {
        // The first values are those outside.
        let first: Vec<DataExpr> = parameters.iter().map(|(_, first)| self.data(first)).collect();
        let id = self.new_fixpoint(&name.text);
        let variables: Vec<TypedVariable> = parameters.iter().map(|(variable, _)| variable.clone()).collect();
        let slots = self.declare(&variables);
        self.scope.enter(&name.text, BoundName::Fixpoint { id, positive, parameters: slots.clone() });
        let body = self.state(body, positive);
        self.scope.leave(1 + slots.len());
        let parameters = slots.into_iter().zip(first).collect();
        StateFormula::Fixpoint(Box::new(Fixpoint { id, greatest, parameters, body }))
    }

    fn call(
        &mut self,
        name: &tree::Name,
        arguments: &[tree::Data],
        span: Span,
        positive: bool,
    ) -> StateFormula {
        let given: Vec<DataExpr> = arguments.iter().map(|argument| self.data(argument)).collect();
        match self.scope.find(&name.text).cloned() {
            Some(BoundName::Fixpoint { id, positive: declared, parameters }) => {
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
                    return StateFormula::Bool(false);
                }
                StateFormula::Call(id, parameters.into_iter().zip(given).collect())
            }
            // In mCRL2, expressions can stand without `val`.
            Some(BoundName::Variable(slot)) if given.is_empty() => {
                StateFormula::Val(DataExpr::Variable(slot), span)
            }
            _ => {
                let message = format!("there is no fixpoint or macro `{}` here", name.text);
                let help = match nearest(&name.text, self.scope.fixpoints()) {
                    Some(meant) => format!("did you mean `{meant}`?"),
                    None => "write <a> true for a possible action a; `library standard.mcl end_library` \
                             makes the macros of the standard library known"
                        .to_owned(),
                };
                self.mistake(name.span, message, help);
                StateFormula::Bool(false)
            }
        }
    }

    /// New variables, which are in scope from here on.
    fn declare(&mut self, variables: &[TypedVariable]) -> Vec<DataSlot> {
        let mut slots = Vec::new();
        for variable in variables {
            let slot = self.slots.len().min(MOST_SLOTS - 1);
            if self.slots.len() >= MOST_SLOTS {
                let message = format!("more than {MOST_SLOTS} variables");
                self.mistake(variable.name.span, message, "split the formula");
            } else {
                self.slots.push(variable.name.text.clone());
                self.sorts.push(DataSort::named(&variable.sort, self.declared));
            }
            self.scope.enter(&variable.name.text, BoundName::Variable(slot));
            slots.push(slot);
        }
        slots
    }

    fn question(&self, slot: DataSlot) -> DomainQuestion<'_> {
        DomainQuestion { slot, least: self.sorts[slot].least(), labels: self.parts, inside: Vec::new() }
    }

    /// The values over which a variable ranges: all of its sort, or those that matter.
    fn bind(
        &mut self,
        variable: &TypedVariable,
        slot: DataSlot,
        all: bool,
        known: Option<std::collections::BTreeSet<DataValue>>,
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
pub enum BoundName {
    Variable(DataSlot),
    Fixpoint {
        id: FixpointId,
        /// True if it stands under an even number of negations.
        positive: bool,
        parameters: Vec<DataSlot>,
    },
}

/// Names with what they stand for, inner ones last.
#[derive(Debug, Default)]
pub struct FormulaScope {
    names: Vec<(String, BoundName)>,
}

impl FormulaScope {
    pub fn enter(&mut self, name: &str, bound: BoundName) {
        self.names.push((name.to_owned(), bound));
    }

    pub fn leave(&mut self, names: usize) {
        self.names.truncate(self.names.len() - names);
    }

    pub fn find(&self, name: &str) -> Option<&BoundName> {
        self.names.iter().rev().find(|(known, _)| known == name).map(|(_, bound)| bound)
    }

    pub fn fixpoints(&self) -> impl Iterator<Item = &str> {
        let names = self.names.iter().filter(|(_, bound)| matches!(bound, BoundName::Fixpoint { .. }));
        names.map(|(name, _)| name.as_str())
    }

    pub fn variables(&self) -> impl Iterator<Item = &str> {
        let names = self.names.iter().filter(|(_, bound)| matches!(bound, BoundName::Variable(_)));
        names.map(|(name, _)| name.as_str())
    }
}
