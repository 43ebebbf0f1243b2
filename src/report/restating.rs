//! Classes that say no more than the property itself, and which facts to leave out for others.

use super::places::{Place, Reading};
use crate::classify::{Classification, FactKind, Verdict};
use crate::diagnostics::Diagnostic;
use crate::model::expr::Expr;
use crate::model::vocabulary::whole_of;
use crate::model::{Model, Property, Vocabulary, VocabularyItem};
use itertools::Itertools;

/// Names in the vocabulary to hide so that no class can restate the property as some do: what these classes
/// speak of, and every other observable that reads nothing but what the property reads. Empty where no
/// class restates it, where no named fact would be left, or where not all classes are known.
pub fn names_to_hide(
    model: &Model,
    vocabulary: &Vocabulary,
    invariant: &Expr,
    result: &Classification,
) -> Vec<String> {
    let restating = result.classes.iter().filter(|class| class.restates);
    let facts = restating.flat_map(|class| &class.constraint.facts);
    let used: Vec<usize> = facts
        .filter_map(|fact| match &fact.kind {
            FactKind::Atom(atom) => Some(atom.item),
            _ => None,
        })
        .collect();
    if used.is_empty() || result.verdict != Verdict::Complete {
        return Vec::new();
    }
    let of_property = Reading::of(invariant).places;
    let known = |place: &Place| of_property.iter().any(|read| read.overlaps(place));
    let reads_like_property = |expr: &Expr| {
        let Reading { places, labels } = Reading::of(expr);
        !labels && !places.is_empty() && places.iter().all(known)
    };
    let hides = |index: usize| {
        let of_property = match &vocabulary.items[index] {
            VocabularyItem::Equal(of) | VocabularyItem::Lacks(of) | VocabularyItem::Absent(of) => {
                reads_like_property(&of.expr)
            }
            VocabularyItem::Across(one, other) => [one, other].iter().any(|of| reads_like_property(&of.expr)),
            VocabularyItem::Before | VocabularyItem::Next | VocabularyItem::Predicate(..) => false,
        };
        of_property || used.contains(&index)
    };
    let (mut names, mut left) = (Vec::new(), false);
    for (index, item) in vocabulary.items.iter().enumerate() {
        let Some(&name) = item.names(model).first() else { continue };
        if !hides(index) {
            left = true;
            continue;
        }
        // The whole variable or library where all of it goes.
        let whole = whole_of(name);
        let all = vocabulary.meant_by(model, whole);
        let goes = all.contains(&index) && all.into_iter().all(hides);
        names.push(if goes { whole } else { name }.to_owned());
    }
    if left { names.into_iter().unique().collect() } else { Vec::new() }
}

/// A warning for each class that only restates the property. `again` is the command line that hides
/// [`names_to_hide`], if there are any.
pub fn restatement_notices(
    property: &Property,
    vocabulary: &Vocabulary,
    result: &Classification,
    again: Option<&str>,
) -> Vec<Diagnostic> {
    let restating = result.classes.iter().enumerate().filter(|(_, class)| class.restates);
    let warn = |(index, _)| {
        let message = format!("class {} only restates the property `{}`", index + 1, property.name);
        let warning = Diagnostic::warning(vocabulary.span, message)
            .with_note("its facts violate the property by themselves, whatever the model does before");
        warning.with_help(match again {
            Some(command) => format!("look for the reasons without them: {command}"),
            None => "add to the vocabulary what the property does not read: `action`, other variables, \
                     predicates of your own"
                .to_owned(),
        })
    };
    restating.map(warn).collect()
}

#[cfg(test)]
mod tests {
    use super::super::fixture;
    use super::*;
    use crate::diagnostics::Span;
    use crate::model::Observable;
    use crate::model::expr::{ExprKind, VarId};
    use crate::model::types::Type;

    fn observable(text: &str, variable: u32) -> VocabularyItem {
        let kind = ExprKind::Var(VarId(variable));
        let expr = Expr { kind, ty: Type::Bool, span: Span::default() };
        VocabularyItem::Equal(Observable { text: text.to_owned(), expr, span: Span::default() })
    }

    #[test]
    fn what_the_property_reads_is_to_be_hidden_if_something_else_is_left() {
        let model = fixture::model();
        let property = &model.properties[0];
        let VocabularyItem::Equal(read) = observable("x", 2) else { panic!() };
        let mut result = fixture::classification(Verdict::Complete);
        let fact = fixture::equal("busy[Eve]", crate::model::value::Value::Bool(true), 0);
        result.classes[0].constraint = crate::classify::Constraint { positions: 1, facts: vec![fact] };
        let hidden = |items: Vec<VocabularyItem>, restates: bool| {
            let vocabulary = Vocabulary { items, ..model.vocabularies[0].clone() };
            let mut result = result.clone();
            result.classes[0].restates = restates;
            let names = names_to_hide(&model, &vocabulary, &read.expr, &result);
            let notices = restatement_notices(property, &vocabulary, &result, None);
            assert_eq!(notices.len(), usize::from(restates));
            names
        };
        // The first item is what the class speaks of.
        let items = || vec![observable("first", 0), observable("busy", 2), observable("sender", 0)];
        assert_eq!(hidden(items(), true), ["first", "busy"]);
        assert!(hidden(items(), false).is_empty());
        assert!(hidden(items()[..2].to_vec(), true).is_empty());
    }
}
