//! Consistency of the fields of a stored classification.

use super::document::{
    ClassRequirement, ClassifyDocument, ClassifyVerdict, DocumentKind, StoredClass, WhyEnded,
};
use ClassifyVerdict::{
    Complete, CompleteUnbounded, Holds, HoldsUnbounded, Partial, Remainder, TooWeak, Undecided,
};

impl<K: DocumentKind> ClassifyDocument<K> {
    /// True if the verdict is about traces of every length.
    pub(super) fn is_proved(&self) -> bool {
        self.unbounded.as_ref().is_some_and(K::is_proved)
    }

    /// Returns the verdict about the classes: that of the result, or that of its cover if the vocabulary is too weak.
    pub(super) fn answer(&self) -> ClassifyVerdict {
        match (self.verdict, self.mode, self.reason) {
            (TooWeak, ClassRequirement::Cover, Some(_)) => Partial,
            (TooWeak, ClassRequirement::Cover, None) if self.remainder.is_some() => Remainder,
            (TooWeak, ClassRequirement::Cover, None) if self.is_proved() => CompleteUnbounded,
            (TooWeak, ClassRequirement::Cover, None) => Complete,
            (verdict, ..) => verdict,
        }
    }

    /// Checks the verdict against the other fields, the fields of covers against the mode, and the numbers of classes.
    ///
    /// # Errors
    /// The fields that contradict each other.
    pub(super) fn check(&self) -> Result<(), String> {
        let mode = self.mode;
        let (has_remainder, has_unclassified) = (self.remainder.is_some(), self.unclassified.is_some());
        let (some, covers, is_weak) =
            (!self.classes.is_empty(), mode == ClassRequirement::Cover, self.verdict == TooWeak);
        let verdict = self.answer();
        let right = match verdict {
            Complete | CompleteUnbounded => some && !has_remainder,
            Holds | HoldsUnbounded => !some && !has_remainder,
            Partial => has_unclassified || some || has_remainder,
            Remainder => has_remainder && covers,
            TooWeak => true,
            Undecided => !some,
        };
        let is_final = verdict.is_complete() || verdict.holds();
        let ended = |why| matches!(why, WhyEnded::Time | WhyEnded::Memory | WhyEnded::Interrupt);
        together([
            (right, "the classes and traces"),
            (self.is_proved() == verdict.is_unbounded() || !is_final, "the result for every length"),
            (self.reason.is_some() == matches!(verdict, Partial | Undecided), "the reason"),
            (verdict != Undecided || self.reason.is_some_and(ended), "the reason"),
            (self.cover.is_some() == verdict.is_complete(), "how few the classes are"),
            (self.too_weak.is_some() == is_weak, "the indistinguishable pair"),
            (self.repairs.is_empty() || is_weak, "repairs"),
            (!has_unclassified || verdict == Partial, "a counterexample that is in no class"),
            (self.necessary_facts.is_none() || !verdict.holds() && verdict != Undecided, "shared facts"),
        ])?;
        let of_cover =
            [self.combinations.is_some(), self.all_combinations.is_some(), self.necessary.is_some()];
        if of_cover != [covers; 3]
            || !covers && (has_remainder || self.within.is_some())
            || self.within_formula.is_some() && self.within.is_none()
        {
            return Err("fields of covers do not match the mode".into());
        }
        let strange = |class: &StoredClass<K>| {
            class.images.iter().any(|image| image.class.id != class.id || !image.class.images.is_empty())
        };
        if self.classes.iter().any(strange) {
            return Err("an image does not have the number of its class, or has images of its own".into());
        }
        self.check_order()
    }

    /// Checks that classes are numbered from 1, and that combinations name them, the shortest trace first.
    fn check_order(&self) -> Result<(), String> {
        let ids: Vec<usize> = self.classes.iter().map(|class| class.id).collect();
        if ids.iter().zip(1..).any(|(id, number)| *id != number) {
            return Err("the classes are not numbered from 1".into());
        }
        let combinations = self.combinations.as_deref().unwrap_or_default();
        let wrong = combinations.iter().any(|one| {
            !one.classes.is_sorted_by(|a, b| a < b)
                || one.classes.iter().any(|id| !ids.contains(id))
                || one.steps != one.trace.steps
        });
        match wrong || !combinations.is_sorted_by_key(|one| one.steps) {
            true => {
                Err("the combinations do not name classes and lengths as they are, or are not in order"
                    .into())
            }
            false => Ok(()),
        }
    }
}

/// Checks conditions, each with the fields that it refers to.
///
/// # Errors
/// The fields of the first condition that is false.
pub(super) fn together<const N: usize>(all: [(bool, &str); N]) -> Result<(), String> {
    match all.into_iter().find(|(is_so, _)| !is_so) {
        Some((_, what)) => Err(format!("{what} and the verdict do not match")),
        None => Ok(()),
    }
}

/// Checks a depth below which there is no violation against the bound of the search.
///
/// # Errors
/// If no search within the bound reaches the depth.
pub(super) fn reached(depth: Option<usize>, bound: Option<usize>) -> Result<(), String> {
    match depth.zip(bound).is_some_and(|(depth, bound)| depth > bound.saturating_add(1)) {
        true => Err("its depth is greater than a search within the bound reaches".into()),
        false => Ok(()),
    }
}
