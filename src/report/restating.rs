//! Warnings about classes that only restate the property.

use crate::classify::{Class, Classification, Restates};
use crate::diagnostics::Diagnostic;
use crate::model::{Property, Vocabulary};
use crate::vocabulary::AUTO;

/// A warning for each class that only restates the property. `again` is the command line that hides
/// [`crate::classify::names_to_hide`], if there are any; without it, there is nothing to say of classes of predicates alone, which
/// were named on purpose.
pub fn restatement_notices(
    property: &Property,
    vocabulary: &Vocabulary,
    result: &Classification,
    again: Option<&str>,
) -> Vec<Diagnostic> {
    let observes =
        |class: &Class| class.constraint.atoms(&result.atoms).any(|(atom, _)| !atom.is_predicate());
    let told = |class: &Class| class.restates == Restates::Property && (again.is_some() || observes(class));
    let restating = result.classes.iter().enumerate().filter(|(_, class)| told(class));
    restating.map(|(index, _)| restatement(property, vocabulary, index + 1, again)).collect()
}

/// The warning that the class with this number only restates the property.
pub(super) fn restatement(
    property: &Property,
    vocabulary: &Vocabulary,
    class: usize,
    again: Option<&str>,
) -> Diagnostic {
    let message = format!("class {class} only restates the property `{}`", property.name);
    let warning = Diagnostic::warning(vocabulary.span, message)
        .with_note("its facts violate the property by themselves, whatever the model does");
    warning.with_help(match again {
        Some(command) => format!("classify without them to find the causes: {command}"),
        None => {
            let advice = "add observables to the vocabulary that the property does not read: `action`, other \
                          variables, predicates of your own";
            let auto = if vocabulary.name == AUTO { "" } else { "; `-V auto` looks for some" };
            format!("{advice}{auto}")
        }
    })
}

#[cfg(test)]
mod tests {
    use super::super::fixture;
    use super::*;
    use crate::classify::Verdict;

    #[test]
    fn each_class_that_restates_the_property_is_told() {
        let model = fixture::model();
        let (property, vocabulary) = (&model.properties[0], &model.vocabularies[0]);
        let mut result = fixture::classification(Verdict::Complete);
        assert!(restatement_notices(property, vocabulary, &result, None).is_empty());
        result.classes[0].restates = Restates::Step;
        assert!(restatement_notices(property, vocabulary, &result, None).is_empty());
        result.classes[0].restates = Restates::Property;
        let notices = restatement_notices(property, vocabulary, &result, None);
        assert_eq!(notices.len(), 1);
        assert_eq!(notices[0].message, "class 1 only restates the property `safe`");
    }
}
