//! Hints about a vocabulary that makes many classes.

use crate::classify::{Classification, FactKind, Order, Origin};
use crate::diagnostics::Diagnostic;
use crate::model::{Vocabulary, VocabularyItem};
use std::collections::{BTreeMap, BTreeSet};

/// From so many classes on, something may be said about why there are so many.
const MANY: usize = 10;

/// What the vocabulary lacks that would join classes, as far as the result shows it.
pub fn vocabulary_notices(vocabulary: &Vocabulary, result: &Classification) -> Vec<Diagnostic> {
    let mut notices = Vec::new();
    let has = |wanted: &VocabularyItem| vocabulary.items.contains(wanted);
    let is_step = |kind: FactKind| kind == FactKind::Order(Order::Next);
    let steps =
        result.classes.iter().filter(|class| class.constraint.facts.iter().any(|fact| is_step(fact.kind)));
    if has(&VocabularyItem::Next) && !has(&VocabularyItem::Before) && steps.count() > 1 {
        let message = format!(
            "vocabulary `{}` has `next` but not `before`, so each distance between two positions may need \
             a class of its own",
            vocabulary.name
        );
        notices.push(hint(vocabulary, message).with_help("add `before`"));
    }
    if result.classes.len() >= MANY {
        let message = format!("{} classes with vocabulary `{}`", result.classes.len(), vocabulary.name);
        let notice = hint(vocabulary, message).with_help(
            "a predicate that expresses what several of them have in common can join them: \
             `pred p(t: pos) = …`, listed first in the vocabulary",
        );
        notices.push(match most_varied(result) {
            Some((observable, values)) => {
                notice.with_note(format!("they distinguish {values} values of `{observable}`"))
            }
            None => notice,
        });
    }
    notices
}

/// The observable of which the classes name the most values, if it is more than two, and how many.
fn most_varied(result: &Classification) -> Option<(String, usize)> {
    let mut values: BTreeMap<String, BTreeSet<_>> = BTreeMap::new();
    for fact in result.classes.iter().flat_map(|class| &class.constraint.facts) {
        if let FactKind::Atom(atom) = fact.kind
            && let Origin::Equal { observable, value } | Origin::Member { observable, value } =
                &result.atoms.get(atom).origin
            && let Some(value) = value.constant()
            && fact.individuals.is_empty()
        {
            values.entry(observable.show(&[])).or_default().insert(value);
        }
    }
    let most = values.into_iter().max_by_key(|(_, values)| values.len())?;
    (most.1.len() > 2).then_some((most.0, most.1.len()))
}

fn hint(vocabulary: &Vocabulary, message: String) -> Diagnostic {
    Diagnostic::note(vocabulary.span, message)
}

#[cfg(test)]
mod tests {
    use super::super::fixture;
    use super::*;
    use crate::classify::{Atoms, Constraint, Fact, Order, PositionVar, Verdict};
    use crate::model::value::Value;

    fn messages(items: Vec<VocabularyItem>, atoms: &Atoms, facts: &[Vec<Fact>]) -> Vec<Diagnostic> {
        let model = fixture::model();
        let vocabulary = Vocabulary { items, ..model.vocabularies[0].clone() };
        let mut result = fixture::classification(Verdict::Complete);
        let class = result.classes[0].clone();
        result.atoms = atoms.clone();
        result.classes = facts
            .iter()
            .map(|facts| crate::classify::Class {
                constraint: Constraint::ground(2, facts.clone()),
                ..class.clone()
            })
            .collect();
        vocabulary_notices(&vocabulary, &result)
    }

    #[test]
    fn next_without_before_is_told_when_classes_use_it() {
        let atoms = Atoms::default();
        let step = || vec![Fact::order(Order::Next, PositionVar::new(0), PositionVar::new(1))];
        let next = || vec![VocabularyItem::Next];
        assert_eq!(messages(next(), &atoms, &[step(), step()])[0].help.as_deref(), Some("add `before`"));
        assert!(messages(next(), &atoms, &[step()]).is_empty());
        assert!(messages(next(), &atoms, &[Vec::new(), Vec::new()]).is_empty());
        let both = vec![VocabularyItem::Next, VocabularyItem::Before];
        assert!(messages(both, &atoms, &[step(), step()]).is_empty());
    }

    #[test]
    fn many_classes_get_a_hint_with_what_they_tell_apart() {
        let atoms = Atoms::default();
        let class = |n: usize| vec![fixture::equal(&atoms, "count", Value::Int(n as i64), 0)];
        let classes: Vec<Vec<Fact>> = (0..MANY).map(class).collect();
        assert!(messages(Vec::new(), &atoms, &classes[1..]).is_empty());
        let notices = messages(Vec::new(), &atoms, &classes);
        assert_eq!(notices[0].message, "10 classes with vocabulary `generic`");
        assert_eq!(notices[0].notes, ["they distinguish 10 values of `count`"]);
        let same: Vec<Vec<Fact>> = (0..MANY).map(|_| class(0)).collect();
        assert!(messages(Vec::new(), &atoms, &same)[0].notes.is_empty());
    }
}
