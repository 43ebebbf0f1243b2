//! Warnings about classes that only restate the property.

use classify::vocabulary::AUTO;
use classify::{Class, Classification, Restates};
use itertools::Itertools;
use kit::diagnostics::Diagnostic;
use lang::model::{Property, Vocabulary};

/// A warning if classes only restate the property. `again` is the command line that hides
/// [`classify::names_to_hide`], if there are any; without it, there is nothing to say of classes of predicates alone, which
/// were named on purpose.
pub fn restatement_notices(
    property: &Property,
    vocabulary: &Vocabulary,
    result: &Classification,
    again: Option<&str>,
) -> Option<Diagnostic> {
    let observes =
        |class: &Class| class.constraint.atoms(&result.atoms).any(|(atom, _)| !atom.is_predicate());
    let told = |class: &Class| class.restates == Restates::Property && (again.is_some() || observes(class));
    let restating = result.classes.iter().enumerate().filter(|(_, class)| told(class));
    let numbers: Vec<usize> = restating.map(|(index, _)| index + 1).collect();
    restatement(property, vocabulary, (&numbers, false), again)
}

/// The warning that the classes with these numbers only restate the property, if there are any; perhaps in names of actions.
pub(crate) fn restatement(
    property: &Property,
    vocabulary: &Vocabulary,
    (classes, in_names): (&[usize], bool),
    again: Option<&str>,
) -> Option<Diagnostic> {
    let (message, facts) = match classes {
        [] => return None,
        [class] => (format!("class {class} only restates the property"), "its facts"),
        [rest @ .., last] => {
            let message = format!("classes {} and {last} only restate the property", rest.iter().join(", "));
            (message, "the facts of each")
        }
    };
    let (note, more) = match in_names {
        true => (format!("{facts} repeat the property in names of actions"), ""),
        false => {
            (format!("{facts} violate the property by themselves, whatever the model does"), "`action`, ")
        }
    };
    let warning =
        Diagnostic::warning(vocabulary.span, format!("{message} `{}`", property.name)).with_note(note);
    Some(warning.with_help(match again {
        Some(command) => format!("classify without them to find the causes: {command}"),
        None => {
            let advice = format!(
                "add observables to the vocabulary that the property does not read: {more}other variables, \
                 predicates of your own"
            );
            let auto = if vocabulary.name == AUTO { "" } else { "; `-V auto` searches for some" };
            format!("{advice}{auto}")
        }
    }))
}
