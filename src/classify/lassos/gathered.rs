//! One class of infinite traces for all of its images.

use super::result::{EveryLength, LassoClassification};
use crate::classify::gathered::{gather, keep_firsts, places};

impl LassoClassification {
    /// The result with one class in the place of each class and its images ([`LassoClassification::images`]), which says of all of them
    /// what was said of each: a lasso is in it if it is in one of them. What does not differ between images is said of the first one only.
    #[must_use]
    pub fn gathered(mut self) -> Self {
        let images = std::mem::take(&mut self.images);
        if images.is_empty() {
            return self;
        }
        let places = places(&images, self.classes.len());
        gather(&mut self.classes, &images, |class| &mut class.images);
        if let Some(refinements) = &mut self.refinements {
            keep_firsts(refinements, &images);
        }
        if let Some(decisions) = &mut self.decisions {
            keep_firsts(&mut decisions.positions, &images);
        }
        if let Some(EveryLength::Open { proved, .. }) = &mut self.unbounded {
            // Classes were looked at in their order, and each image comes after its class, which suffices if the image does.
            proved.sufficient = places[..proved.sufficient].iter().max().map_or(0, |last| last + 1);
            proved.classes = self.classes.len();
        }
        self
    }
}
