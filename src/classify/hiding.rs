//! Which names of the vocabulary to hide where classes only restate the property.

use super::places::{Place, Reading};
use super::problem::Problem;
use super::restates::Restates;
use super::result::{Classification, Verdict};
use crate::model::expr::Expr;
use crate::model::vocabulary::whole_of;
use crate::model::{Vocabulary, VocabularyItem};
use itertools::Itertools;

/// Names in the vocabulary to hide so that no class can restate the property as some do: the observables of these classes,
/// and every other one that reads only places that the property reads. Empty where no
/// class restates it, where no named fact would be left, or where not all classes are known.
pub fn names_to_hide(problem: Problem<'_>, vocabulary: &Vocabulary, result: &Classification) -> Vec<String> {
    let model = problem.model;
    let restating = result.classes.iter().filter(|class| class.restates == Restates::Property);
    let used = restating.flat_map(|class| class.constraint.atoms(&result.atoms));
    let used: Vec<usize> = used.map(|(atom, _)| atom.item).collect();
    if used.is_empty() || result.verdict != Verdict::Complete {
        return Vec::new();
    }
    let of_property = Reading::of(problem.invariant).places;
    let known = |place: &Place| of_property.iter().any(|read| read.overlaps(place));
    let reads_like_property = |expr: &Expr| {
        let Reading { places, labels } = Reading::of(expr);
        !labels && !places.is_empty() && places.iter().all(known)
    };
    let hides = |index: usize| {
        let of_property = match &vocabulary.items[index] {
            VocabularyItem::Equal(of)
            | VocabularyItem::Lacks(of)
            | VocabularyItem::Absent(of)
            | VocabularyItem::Bounded(of) => reads_like_property(&of.expr),
            VocabularyItem::Across(one, other)
            | VocabularyItem::Ordered(one, other)
            | VocabularyItem::Shifted(one, other) => {
                [one, other].iter().any(|of| reads_like_property(&of.expr))
            }
            VocabularyItem::Before
            | VocabularyItem::Next
            | VocabularyItem::Ground(_)
            | VocabularyItem::Predicate(..) => false,
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

/// Whether an expression reads a place of the state that the property reads as well, or a part of one.
pub fn shares_places(problem: Problem<'_>, expr: &Expr) -> bool {
    let of_property = Reading::of(problem.invariant).places;
    Reading::of(expr).places.iter().any(|place| of_property.iter().any(|read| read.overlaps(place)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Budget;
    use crate::classify::{Options, classify};
    use crate::model::load_text;
    use std::io::ErrorKind;

    /// What to hide so that no class restates that `a` and `c` are never true at once.
    fn hidden(vocabulary: &str) -> Vec<String> {
        let text = format!(
            "model m; var a: bool; var b: bool; var c: bool; init {{ not a; not b; not c; }}
             action one {{ b' = true; }} action two {{ require b; c' = true; }}
             action three {{ a' = true; }} action four {{ c' = false; }}
             invariant safe: not (a and c); vocabulary v = {{ {vocabulary} }};"
        );
        let loaded = load_text("m.sts", &text, &[], &|_| Err(ErrorKind::NotFound.into()));
        let model = loaded.model.expect("no mistakes");
        let (problem, vocabulary) = (Problem::first(&model).expect("an invariant"), &model.vocabularies[0]);
        let (options, budget) = (Options::default(), Budget::unlimited());
        let result = classify(problem, vocabulary, &options, &budget, &mut ());
        assert_eq!(result.verdict, Verdict::Complete);
        names_to_hide(problem, vocabulary, &result)
    }

    #[test]
    fn what_the_property_reads_is_to_be_hidden_if_something_else_is_left() {
        // The class restates the property with both; `b` is left.
        assert_eq!(hidden("eq(a, b, c)"), ["a", "c"]);
        assert!(hidden("eq(a, c)").is_empty());
    }
}
