//! One class of infinite traces for all of its images.

use super::result::{EveryLength, LassoClass, LassoClassification};
use crate::classify::gathered::{firsts, gather, keep_firsts, places};

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Exhausted;
    use crate::classify::lassos::constraint::LassoConstraint;
    use crate::classify::lassos::result::{Decisions, LassoRefinement, LassoVerdict, Proved};
    use crate::classify::result::ImageOf;
    use crate::model::Position;
    use crate::model::permutation::Permutation;
    use crate::trace::{Lasso, Trace};

    /// A class with a representative of so many steps.
    fn class(steps: usize) -> LassoClass {
        let start = Position::new(steps);
        let representative = Lasso { trace: Trace { moments: Vec::new() }, start };
        LassoClass::of(LassoConstraint::default(), representative)
    }

    #[test]
    fn what_is_said_of_classes_is_said_of_the_first_ones() {
        let verdict = LassoVerdict::Exhausted(Exhausted::Time);
        let mut flat = LassoClassification::new(verdict, (6, 8), "a solver".into());
        flat.classes = (0..5).map(class).collect();
        let image = |class, of| ImageOf { class, of, by: Permutation::default() };
        // The first class, two images of it between which there is another class, and an image of that.
        flat.images = vec![image(1, 0), image(3, 0), image(4, 2)];
        let positions = (0..5).map(|n| Some(Position::new(n))).collect();
        flat.decisions = Some(Decisions { positions, is_of_all: true });
        let refinement = |minimum| LassoRefinement { minimum, ..LassoRefinement::default() };
        flat.refinements = Some([true, false, true, false, false].map(refinement).to_vec());
        let firsts: Vec<Position> = flat.firsts().map(|class| class.representative.start).collect();
        assert_eq!(firsts, [Position::new(0), Position::new(2)]);
        for (sufficient, of_kinds) in [(0, 0), (1, 1), (2, 1), (3, 2), (5, 2)] {
            let proved = Proved { sufficient, classes: 5 };
            flat.unbounded = Some(EveryLength::Open { why: Exhausted::Time, proved });
            let gathered = flat.clone().gathered();
            let proved = Proved { sufficient: of_kinds, classes: 2 };
            assert_eq!(gathered.unbounded, Some(EveryLength::Open { why: Exhausted::Time, proved }));
        }
        let gathered = flat.gathered();
        let starts = |class: &LassoClass| -> Vec<Position> {
            class.with_images().map(|class| class.representative.start).collect()
        };
        let starts: Vec<Vec<Position>> = gathered.classes.iter().map(starts).collect();
        assert_eq!(starts, [[0, 1, 3].map(Position::new).to_vec(), [2, 4].map(Position::new).to_vec()]);
        let decisions = gathered.decisions.expect("they were there");
        assert_eq!(decisions.positions, [0, 2].map(|n| Some(Position::new(n))));
        let refinements = gathered.refinements.expect("they were there");
        assert!(refinements.len() == 2 && refinements.iter().all(|refinement| refinement.minimum));
        assert!(gathered.images.is_empty());
    }
}
