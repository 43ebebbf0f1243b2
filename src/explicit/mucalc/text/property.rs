//! Properties of labels: formulas `[R] false`, which forbid sequences of labels.

use super::library::mentions;
use super::tree::{Data, LabelSetSyntax, Single, StateKind, StateSyntax};
use super::{Language, with_libraries};
use crate::lts::property::{self, ForbiddenTraces, LabelAtom, LabelPattern};
use kit::diagnostics::{Diagnostic, SourceId, Span};

/// Reads a property of labels: `[R] false`, or several of these with `and` between them. It may define macros.
///
/// # Errors
/// All mistakes that were found, at least one.
pub fn parse_property(source: SourceId, text: &str) -> Result<ForbiddenTraces, Vec<Diagnostic>> {
    if let Some((_, span)) = mentions(source, text).first() {
        let message = "a property of labels uses no libraries";
        let help = "define its macros before the formula, or use `cladist lts check`";
        return Err(vec![Diagnostic::error(*span, message).with_help(help)]);
    }
    let formula = with_libraries((source, text), Some(Language::Mcl), &[])?;
    let mut mistakes = Vec::new();
    let forbidden = forbidden(&formula, &mut mistakes);
    if mistakes.is_empty() { Ok(ForbiddenTraces { forbidden }) } else { Err(mistakes) }
}

/// The sequences that a formula forbids.
fn forbidden(formula: &StateSyntax, mistakes: &mut Vec<Diagnostic>) -> Vec<property::Regular> {
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
fn labels(action: &LabelSetSyntax, mistakes: &mut Vec<Diagnostic>) -> property::LabelSet {
    let mut all = |parts: &[LabelSetSyntax]| parts.iter().map(|part| labels(part, mistakes)).collect();
    let with_data = match action {
        LabelSetSyntax::Bool(value) => return property::LabelSet::Bool(*value),
        LabelSetSyntax::Invisible(span) => return property::LabelSet::Atom(LabelAtom::Invisible, *span),
        LabelSetSyntax::Label(text, span) => {
            return property::LabelSet::Atom(LabelAtom::Label(text.clone()), *span);
        }
        LabelSetSyntax::Not(of) => return property::LabelSet::Not(Box::new(labels(of, mistakes))),
        LabelSetSyntax::And(parts) => return property::LabelSet::And(all(parts)),
        LabelSetSyntax::Or(parts) => return property::LabelSet::Or(all(parts)),
        LabelSetSyntax::Pattern(text, span) => match pattern(text, *span) {
            Ok(pattern) => return property::LabelSet::Atom(pattern, *span),
            Err(mistake) => {
                mistakes.push(mistake);
                return property::LabelSet::Bool(false);
            }
        },
        LabelSetSyntax::Multi(actions) => match &actions[..] {
            [Single { name, arguments: None }] => {
                return property::LabelSet::Atom(LabelAtom::Label(name.text.clone()), name.span);
            }
            _ => actions[0].name.span,
        },
        LabelSetSyntax::Val(Data { span, .. }) => *span,
        LabelSetSyntax::Quantifier { variables, .. } => variables[0].name.span,
    };
    let message = "a property of labels has no data";
    let help =
        "put the label between double quotes as the system has it: \"send(1)\"; or use `cladist lts check`";
    mistakes.push(Diagnostic::error(with_data, message).with_help(help));
    property::LabelSet::Bool(false)
}

/// The labels of a pattern.
///
/// # Errors
/// If the pattern is wrong.
pub fn pattern(text: &str, span: Span) -> Result<LabelAtom, Diagnostic> {
    let help = "put labels that are to be taken literally between double quotes";
    let wrong = |message| Diagnostic::error(span, message).with_help(help);
    LabelPattern::new(text).map(LabelAtom::Pattern).map_err(wrong)
}
