//! Tests of `report::findings::notices`.

use crate::fixture;
use classify::{Atoms, Constraint, Fact, OrderRelation, PositionVar, Verdict};
use kit::diagnostics::Diagnostic;
use lang::model::value::Value;
use lang::model::{Vocabulary, VocabularyItem};
use report::findings::notices::*;

fn messages(items: Vec<VocabularyItem>, atoms: &Atoms, facts: &[Vec<Fact>]) -> Vec<Diagnostic> {
    let model = fixture::model();
    let vocabulary = Vocabulary { items, ..model.vocabularies[0].clone() };
    let mut result = fixture::classification(Verdict::Complete);
    let class = result.classes[0].clone();
    result.atoms = atoms.clone();
    result.classes = facts
        .iter()
        .map(|facts| classify::Class { constraint: Constraint::ground(2, facts.clone()), ..class.clone() })
        .collect();
    vocabulary_notices(&vocabulary, &result)
}

#[test]
fn next_without_before_is_told_when_classes_use_it() {
    let atoms = Atoms::default();
    let step = || vec![Fact::order(OrderRelation::Next, PositionVar::new(0), PositionVar::new(1))];
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
