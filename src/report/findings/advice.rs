//! Hints about a vocabulary that makes many classes.

use classify::{AtomOrigin, Classification, FactKind, OrderRelation};
use kit::diagnostics::Diagnostic;
use lang::model::{Vocabulary, VocabularyItem};
use std::collections::{BTreeMap, BTreeSet};

/// From so many classes on, something may be said about why there are so many.
pub const MANY: usize = 10;

/// Predicates whose addition would join classes, as far as the result shows it.
pub fn vocabulary_notices(vocabulary: &Vocabulary, result: &Classification) -> Vec<Diagnostic> {
    let mut notices = Vec::new();
    let has = |wanted: &VocabularyItem| vocabulary.items.contains(wanted);
    let is_step = |kind: FactKind| kind == FactKind::Order(OrderRelation::Next);
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
            && let AtomOrigin::Equal { observable, value } | AtomOrigin::Member { observable, value } =
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
