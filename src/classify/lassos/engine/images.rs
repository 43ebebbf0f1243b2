//! Classes that symmetries make of each other, and classes that are images of few, of infinite traces.

use super::LassoSearch;
use crate::facts::grounding::Grounding;
use crate::facts::index::{AtomId, CandidateId};
use crate::facts::statements::Statements;
use crate::lassos::constraint::LassoConstraint;
use crate::lassos::fact::{AtomRef, LassoFact};
use crate::lassos::result::Infinite;
use crate::lassos::symmetries::symmetries;
use crate::results::result::{Class, ImageOf};
use crate::search::images::{Images, are_alike, images_among};
use crate::search::orbits::OrbitSearch;
use crate::search::score::Score;
use engines::symmetry::Symmetries;
use kit::budget::Limited;
use lang::model::permutation::Permutation;
use lang::trace::Lasso;

/// So many violating lassos show that permutations are no symmetries.
const MOST_SHOWN: usize = 8;

impl<'q> LassoSearch<'_, 'q> {
    /// Which of the classes symmetries make of others.
    pub(super) fn images(&mut self, classes: &[Class<Infinite>]) -> Vec<ImageOf> {
        let of = (self.problem.model, self.violating.asked().atoms);
        let values = (&self.options.grounding, self.vocabulary);
        let classes: Vec<_> = classes.iter().map(Class::said).collect();
        images_among(of, values, &classes, |_| self.symmetries().clone())
    }

    /// The symmetries that move no values of types that stay ground.
    fn symmetries(&mut self) -> &Symmetries {
        if self.symmetries.is_none() {
            let (grounding, vocabulary) = (&self.options.grounding, self.vocabulary);
            let shown: Vec<&Lasso> = self.samples.iter().take(MOST_SHOWN).map(|it| &it.lasso).collect();
            let is_of_use = |by: &Permutation| !grounding.forbids(vocabulary, by);
            self.symmetries = Some(symmetries(self.problem, &shown, is_of_use, self.budget));
        }
        self.symmetries.get_or_insert_default()
    }

    fn made_by_symmetries(&mut self) -> Images<'q> {
        let (types, atoms) = (&self.problem.model.types, self.violating.asked().atoms);
        let proved: Vec<Permutation> = self.symmetries().all().cloned().collect();
        Images::new(types, atoms, &proved)
    }

    /// Chooses other classes where these are images of fewer, or of what is shorter. The chosen ones must be complete, and so are the others.
    pub(super) fn prefer_images(&mut self) -> Limited<()> {
        let ground = |class: &CandidateId| self.candidates[class.index()].ground.unwrap_or(*class);
        let ground = self.chosen.iter().map(|class| Statements::from(self.constraint(ground(class))));
        let is_ground = self.options.grounding == Grounding::Everything;
        let is_alike = !is_ground && are_alike(self.violating.asked().atoms, ground);
        if !is_alike || self.symmetries().turns.is_empty() {
            return Ok(());
        }
        let mut images = self.made_by_symmetries();
        if let Some(members) = self.preferred_images(&mut images)? {
            // What was known before stays rather than images that were made.
            let order = members.iter().rev().copied().collect();
            self.chosen = members;
            self.drop_redundant(order)?;
        }
        Ok(())
    }
}

impl OrbitSearch<Infinite> for LassoSearch<'_, '_> {
    type Known = Lasso;

    fn chosen(&self) -> &[CandidateId] {
        &self.chosen
    }

    fn ground_candidates(&self) -> Vec<CandidateId> {
        let all = self.candidates.iter().enumerate();
        let ground = all.filter(|(_, candidate)| candidate.constraint.individuals.is_empty());
        ground.map(|(index, _)| CandidateId::new(index)).collect()
    }

    fn constraint(&self, candidate: CandidateId) -> &LassoConstraint {
        &self.candidates[candidate.index()].constraint
    }

    fn score(&self, candidate: CandidateId) -> Score {
        self.candidates[candidate.index()].score
    }

    fn counterexamples(&self) -> Vec<&Lasso> {
        self.samples.iter().map(|sample| &sample.lasso).collect()
    }

    fn moved(&self, trace: &Lasso, by: Option<&Permutation>) -> Lasso {
        by.map_or_else(|| trace.clone(), |by| trace.permuted(self.problem.model, by))
    }

    fn contains(&self, candidate: CandidateId, trace: &Lasso) -> bool {
        self.constraint(candidate).holds(self.problem.model, self.violating.asked().atoms, trace)
    }

    fn outside(&mut self, members: &[CandidateId]) -> Limited<Option<Lasso>> {
        let outside = self.lacking(members);
        self.violating.shortest(1, &outside)
    }

    /// The image suffices, as the group takes accepted lassos to such, and every part of it is needed.
    fn image_of(
        &mut self,
        images: &mut Images<'_>,
        element: usize,
        candidate: CandidateId,
    ) -> Limited<Option<CandidateId>> {
        let (model, atoms) = (self.problem.model, self.violating.asked().atoms);
        let constraint = self.constraint(candidate).clone();
        let own = self.samples.iter().find(|sample| constraint.holds(model, atoms, &sample.lasso));
        let Some(own) = own else { return Ok(None) };
        // The facts of the moved lasso bring in the atoms of what is said of other values.
        let moved = own.lasso.permuted(model, &images.elements[element]);
        let tiers = self.collector.facts(&moved, self.budget)?;
        let facts = tiers.unordered.iter().chain(&tiers.in_order).flatten();
        let mut there: Vec<AtomId> = facts.flat_map(LassoFact::atoms).map(|about| about.atom).collect();
        there.sort_unstable();
        there.dedup();
        let mut is_clear = true;
        let mut image = |about: &AtomRef| {
            let formula = images.image_of(element, about.atom);
            let same = there.iter().find(|&&other| Some(images.number(other)) == formula);
            is_clear &= same.is_some();
            AtomRef::ground(*same.unwrap_or(&about.atom))
        };
        let facts = constraint.facts.iter().map(|fact| fact.map(&mut image).in_order_of_atoms()).collect();
        let image = LassoConstraint::ground(facts);
        Ok(is_clear.then(|| self.admit(image, None)))
    }
}
