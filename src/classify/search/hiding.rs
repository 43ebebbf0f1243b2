//! Which names of the vocabulary to hide where classes only restate the property.

use crate::facts::places::{Place, Reading};
use crate::facts::problem::Problem;
use crate::facts::restates::Restates;
use crate::results::result::{Classification, Verdict};
use itertools::Itertools;
use lang::model::expr::Expr;
use lang::model::vocabulary::whole_of;
use lang::model::{Vocabulary, VocabularyItem};

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
