//! Consistency of the fields of a stored classification.

use super::document::{
    ClassifyDocument, ClassifyVerdict, LassoDocument, Mode, StoredCombination, StoredTrace, WhyEnded,
};
use ClassifyVerdict::{
    Complete, CompleteUnbounded, Holds, HoldsUnbounded, Partial, Remainder, TooWeak, Undecided,
};

/// Fields that documents about finite and infinite traces share. Only the presence of a field with obligations of its
/// own counts here.
pub(super) struct CommonFields<'a> {
    pub property: &'a str,
    pub bound: usize,
    verdict: ClassifyVerdict,
    mode: Mode,
    reason: Option<WhyEnded>,
    /// The numbers of the classes.
    ids: Vec<usize>,
    pub combinations: Option<&'a [StoredCombination]>,
    pub all_combinations: Option<bool>,
    /// The constraint of the class whose counterexamples were covered, if these were not all.
    pub within: Option<&'a str>,
    pub remainder: Option<&'a StoredTrace>,
    pub unclassified: Option<&'a StoredTrace>,
    /// True if the verdict is about traces of every length.
    pub is_proved: bool,
    has_cover: bool,
    /// The presence of the fields that only covers have.
    of_cover: [bool; 3],
    has_within_formula: bool,
    has_necessary_facts: bool,
    has_too_weak: bool,
    has_repairs: bool,
    has_strange_images: bool,
}

/// Reads these fields from either kind of document, in which they have the same names.
macro_rules! common_fields {
    ($document:ident) => {
        Self {
            property: &$document.property,
            bound: $document.bound,
            verdict: $document.verdict,
            mode: $document.mode,
            reason: $document.reason,
            ids: $document.classes.iter().map(|class| class.id).collect(),
            combinations: $document.combinations.as_deref(),
            all_combinations: $document.all_combinations,
            within: $document.within.as_deref(),
            remainder: $document.remainder.as_ref(),
            unclassified: $document.unclassified.as_ref(),
            has_cover: $document.cover.is_some(),
            of_cover: [
                $document.combinations.is_some(),
                $document.all_combinations.is_some(),
                $document.necessary.is_some(),
            ],
            has_within_formula: $document.within_formula.is_some(),
            has_necessary_facts: $document.necessary_facts.is_some(),
            has_too_weak: $document.too_weak.is_some(),
            has_repairs: !$document.repairs.is_empty(),
            is_proved: $document.unbounded.as_ref().is_some_and(|unbounded| unbounded.proved),
            has_strange_images: $document.classes.iter().any(|class| {
                class.images.iter().any(|image| image.class.id != class.id || !image.class.images.is_empty())
            }),
        }
    };
}

impl<'a> From<&'a ClassifyDocument> for CommonFields<'a> {
    fn from(document: &'a ClassifyDocument) -> Self {
        common_fields!(document)
    }
}

impl<'a> From<&'a LassoDocument> for CommonFields<'a> {
    fn from(document: &'a LassoDocument) -> Self {
        common_fields!(document)
    }
}

impl CommonFields<'_> {
    /// Returns the verdict about the classes: that of the result, or that of its cover if the vocabulary is too weak.
    pub fn answer(&self) -> ClassifyVerdict {
        match (self.verdict, self.mode, self.reason) {
            (TooWeak, Mode::Cover, Some(_)) => Partial,
            (TooWeak, Mode::Cover, None) if self.remainder.is_some() => Remainder,
            (TooWeak, Mode::Cover, None) if self.is_proved => CompleteUnbounded,
            (TooWeak, Mode::Cover, None) => Complete,
            (verdict, ..) => verdict,
        }
    }

    /// Checks the verdict against the other fields, the fields of covers against the mode, and the numbers of classes.
    ///
    /// # Errors
    /// The fields that contradict each other.
    pub fn check(&self) -> Result<(), String> {
        let mode = self.mode;
        let (has_remainder, has_unclassified) = (self.remainder.is_some(), self.unclassified.is_some());
        let (some, covers, is_weak) = (!self.ids.is_empty(), mode == Mode::Cover, self.verdict == TooWeak);
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
            (self.is_proved == verdict.is_unbounded() || !is_final, "the result for every length"),
            (self.reason.is_some() == matches!(verdict, Partial | Undecided), "the reason"),
            (verdict != Undecided || self.reason.is_some_and(ended), "the reason"),
            (self.has_cover == verdict.is_complete(), "how few the classes are"),
            (self.has_too_weak == is_weak, "the indistinguishable pair"),
            (!self.has_repairs || is_weak, "repairs"),
            (!has_unclassified || verdict == Partial, "a counterexample that is in no class"),
            (!self.has_necessary_facts || !verdict.holds() && verdict != Undecided, "shared facts"),
        ])?;
        if self.of_cover != [covers; 3]
            || !covers && (has_remainder || self.within.is_some())
            || self.has_within_formula && self.within.is_none()
        {
            return Err("fields of covers do not match the mode".into());
        }
        if self.has_strange_images {
            return Err("an image does not have the number of its class, or has images of its own".into());
        }
        self.check_order()
    }

    /// Checks that classes are numbered from 1, and that combinations name them, the shortest trace first.
    fn check_order(&self) -> Result<(), String> {
        if self.ids.iter().zip(1..).any(|(id, number)| *id != number) {
            return Err("the classes are not numbered from 1".into());
        }
        let combinations = self.combinations.unwrap_or_default();
        let wrong = combinations.iter().any(|one| {
            !one.classes.is_sorted_by(|a, b| a < b)
                || one.classes.iter().any(|id| !self.ids.contains(id))
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
