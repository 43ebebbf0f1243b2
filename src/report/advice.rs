//! Hints about a vocabulary that makes many classes.

use crate::classify::{Classification, FactKind, Origin};
use crate::diagnostics::{Diagnostic, Severity};
use crate::model::{Vocabulary, VocabularyItem};
use std::collections::{BTreeMap, BTreeSet};

/// From so many classes on, something may be said about why there are so many.
const MANY: usize = 10;

/// What the vocabulary lacks that would join classes, as far as the result shows it.
pub fn vocabulary_notices(vocabulary: &Vocabulary, result: &Classification) -> Vec<Diagnostic> {
    let mut notices = Vec::new();
    let has = |wanted: &VocabularyItem| vocabulary.items.contains(wanted);
    let steps = result
        .classes
        .iter()
        .filter(|class| class.constraint.facts.iter().any(|fact| matches!(fact.kind, FactKind::Next)));
    if has(&VocabularyItem::Next) && !has(&VocabularyItem::Before) && steps.count() > 1 {
        let message = format!(
            "vocabulary `{}` has `next` but not `before`, so that each distance between two positions may take \
             a class of its own",
            vocabulary.name
        );
        notices.push(hint(vocabulary, message).with_help("add `before`"));
    }
    if result.classes.len() >= MANY {
        let message = format!("{} classes with vocabulary `{}`", result.classes.len(), vocabulary.name);
        let notice = hint(vocabulary, message).with_help(
            "a predicate that says what several of them have in common can join them: \
             `pred p(t: pos) = …`, first in the vocabulary",
        );
        notices.push(match most_varied(result) {
            Some((observable, values)) => {
                notice.with_note(format!("they tell {values} values of `{observable}` apart"))
            }
            None => notice,
        });
    }
    notices
}

/// The observable of which the classes name the most values, if it is more than two, and how many.
fn most_varied(result: &Classification) -> Option<(String, usize)> {
    let mut values: BTreeMap<&str, BTreeSet<_>> = BTreeMap::new();
    for fact in result.classes.iter().flat_map(|class| &class.constraint.facts) {
        if let FactKind::Atom(atom) = &fact.kind
            && let Origin::Equal { observable, value } | Origin::Member { observable, value } = &atom.origin
        {
            values.entry(observable).or_default().insert(value);
        }
    }
    let most = values.into_iter().max_by_key(|(_, values)| values.len())?;
    (most.1.len() > 2).then(|| (most.0.to_owned(), most.1.len()))
}

fn hint(vocabulary: &Vocabulary, message: String) -> Diagnostic {
    Diagnostic { severity: Severity::Note, ..Diagnostic::error(vocabulary.span, message) }
}

#[cfg(test)]
mod tests {
    use super::super::fixture;
    use super::*;
    use crate::classify::{Constraint, Fact, Verdict};
    use crate::model::value::Value;

    fn messages(items: Vec<VocabularyItem>, facts: &[Vec<Fact>]) -> Vec<Diagnostic> {
        let model = fixture::model();
        let vocabulary = Vocabulary { items, ..model.vocabularies[0].clone() };
        let mut result = fixture::classification(Verdict::Complete);
        let class = result.classes[0].clone();
        result.classes = facts
            .iter()
            .map(|facts| crate::classify::Class {
                constraint: Constraint { positions: 2, facts: facts.clone() },
                ..class.clone()
            })
            .collect();
        vocabulary_notices(&vocabulary, &result)
    }

    #[test]
    fn next_without_before_is_told_when_classes_use_it() {
        let step = || vec![Fact { kind: FactKind::Next, positions: vec![0, 1] }];
        let next = || vec![VocabularyItem::Next];
        assert_eq!(messages(next(), &[step(), step()])[0].help.as_deref(), Some("add `before`"));
        assert!(messages(next(), &[step()]).is_empty());
        assert!(messages(next(), &[Vec::new(), Vec::new()]).is_empty());
        let both = vec![VocabularyItem::Next, VocabularyItem::Before];
        assert!(messages(both, &[step(), step()]).is_empty());
    }

    #[test]
    fn many_classes_get_a_hint_with_what_they_tell_apart() {
        let class = |n: usize| vec![fixture::equal("count", Value::Int(n as i64), 0)];
        let classes: Vec<Vec<Fact>> = (0..MANY).map(class).collect();
        assert!(messages(Vec::new(), &classes[1..]).is_empty());
        let notices = messages(Vec::new(), &classes);
        assert_eq!(notices[0].message, "10 classes with vocabulary `generic`");
        assert_eq!(notices[0].notes, ["they tell 10 values of `count` apart"]);
        let same: Vec<Vec<Fact>> = (0..MANY).map(|_| class(0)).collect();
        assert!(messages(Vec::new(), &same)[0].notes.is_empty());
    }
}
