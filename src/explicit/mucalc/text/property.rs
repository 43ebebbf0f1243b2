//! Properties of labels: formulas `[R] false`, which forbid sequences of labels.

use super::library::mentions;
use super::tree::{Action, Data, Single, State, StateKind};
use super::{Language, with_libraries};
use crate::lts::property::{self, Atom, Pattern, Property};
use kit::diagnostics::{Diagnostic, SourceId, Span};

/// Reads a property of labels: `[R] false`, or several of these with `and` between them. It may define macros.
///
/// # Errors
/// All mistakes that were found, at least one.
pub fn parse_property(source: SourceId, text: &str) -> Result<Property, Vec<Diagnostic>> {
    if let Some((_, span)) = mentions(source, text).first() {
        let message = "a property of labels uses no libraries";
        let help = "define its macros before the formula, or use `cladist lts check`";
        return Err(vec![Diagnostic::error(*span, message).with_help(help)]);
    }
    let formula = with_libraries((source, text), Some(Language::Mcl), &[])?;
    let mut mistakes = Vec::new();
    let forbidden = forbidden(&formula, &mut mistakes);
    if mistakes.is_empty() { Ok(Property { forbidden }) } else { Err(mistakes) }
}

/// The sequences that a formula forbids.
fn forbidden(formula: &State, mistakes: &mut Vec<Diagnostic>) -> Vec<property::Regular> {
    match &formula.kind {
        StateKind::And(parts) => parts.iter().flat_map(|part| forbidden(part, mistakes)).collect(),
        StateKind::Modal { all: true, regular, then } => {
            let first = regular.map(&mut |action| labels(action, mistakes));
            match then.kind {
                StateKind::Bool(false) => vec![first],
                _ => {
                    let after = |then| property::Regular::Sequence(vec![first.clone(), then]);
                    forbidden(then, mistakes).into_iter().map(after).collect()
                }
            }
        }
        _ => {
            let message = "a property of labels forbids sequences: `[R] false`, or several of these with `and` between them";
            let help = "`cladist lts check` decides other formulas";
            mistakes.push(Diagnostic::error(formula.span, message).with_help(help));
            Vec::new()
        }
    }
}

/// The labels of an action, which must be known without their data.
fn labels(action: &Action, mistakes: &mut Vec<Diagnostic>) -> property::Action {
    let mut all = |parts: &[Action]| parts.iter().map(|part| labels(part, mistakes)).collect();
    let with_data = match action {
        Action::Bool(value) => return property::Action::Bool(*value),
        Action::Invisible(span) => return property::Action::Atom(Atom::Invisible, *span),
        Action::Label(text, span) => return property::Action::Atom(Atom::Label(text.clone()), *span),
        Action::Not(of) => return property::Action::Not(Box::new(labels(of, mistakes))),
        Action::And(parts) => return property::Action::And(all(parts)),
        Action::Or(parts) => return property::Action::Or(all(parts)),
        Action::Pattern(text, span) => match pattern(text, *span) {
            Ok(pattern) => return property::Action::Atom(pattern, *span),
            Err(mistake) => {
                mistakes.push(mistake);
                return property::Action::Bool(false);
            }
        },
        Action::Multi(actions) => match &actions[..] {
            [Single { name, arguments: None }] => {
                return property::Action::Atom(Atom::Label(name.text.clone()), name.span);
            }
            _ => actions[0].name.span,
        },
        Action::Val(Data { span, .. }) => *span,
        Action::Quantifier { variables, .. } => variables[0].name.span,
    };
    let message = "a property of labels has no data";
    let help =
        "put the label between double quotes as the system has it: \"send(1)\"; or use `cladist lts check`";
    mistakes.push(Diagnostic::error(with_data, message).with_help(help));
    property::Action::Bool(false)
}

/// The labels of a pattern.
///
/// # Errors
/// If the pattern is wrong.
pub fn pattern(text: &str, span: Span) -> Result<Atom, Diagnostic> {
    let help = "put labels that are to be taken literally between double quotes";
    let wrong = |message| Diagnostic::error(span, message).with_help(help);
    Pattern::new(text).map(Atom::Pattern).map_err(wrong)
}
