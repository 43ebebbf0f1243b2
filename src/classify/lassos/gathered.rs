//! One class of infinite traces for all of its images.

use super::result::{EveryLength, LassoClass, LassoClassification};
use crate::search::gathered::{firsts, gather, keep_firsts, places};

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
        if let Some(cover) = &mut self.cover {
            cover.gather(&places);
        }
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

    /// Whether a class stands for images of it.
    pub fn has_images(&self) -> bool {
        self.classes.iter().any(|class| !class.images.is_empty())
    }

    /// The classes that are no images of others.
    pub fn firsts(&self) -> impl Iterator<Item = &LassoClass> {
        firsts(&self.classes, &self.images)
    }
}
