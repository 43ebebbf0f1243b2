//! The steps of the loop for infinite traces.

use super::{LassoOrigin, LassoSearch};
use crate::facts::atom::Atoms;
use crate::facts::fact::Assignment;
use crate::facts::index::{AtomId, CandidateId, SampleId};
use crate::lassos::constraint::LassoConstraint;
use crate::lassos::fact::{AtomRef, LassoFact};
use crate::lassos::result::Infinite;
use crate::lassos::symmetries::symmetries;
use crate::results::options::Options;
use crate::results::result::TooWeak;
use crate::search::choice::Choice;
use crate::search::class_search::ClassSearch;
use crate::search::images::Images;
use engines::symmetry::Symmetries;
use kit::budget::Limited;
use lang::model::permutation::Permutation;
use lang::model::{Model, Vocabulary};
use lang::trace::Lasso;

/// The most violating lassos by which permutations are found to be no symmetries.
const MOST_SHOWN: usize = 8;

impl<'q> ClassSearch<'q, Infinite> for LassoSearch<'_, 'q> {
    type Origin = LassoOrigin;
    type Known = Lasso;

    fn model(&self) -> &'q Model {
        self.problem.model
    }

    fn atoms(&self) -> &'q Atoms {
        self.violating.asked().atoms
    }

    fn vocabulary(&self) -> &'q Vocabulary {
        self.vocabulary
    }

    fn options(&self) -> &Options {
        self.options
    }

    fn choice(&self) -> &Choice<Infinite, LassoOrigin> {
        &self.choice
    }

    fn choice_mut(&mut self) -> &mut Choice<Infinite, LassoOrigin> {
        &mut self.choice
    }

    fn sample(&self, sample: SampleId) -> &Lasso {
        &self.samples[sample.index()].lasso
    }

    fn unclassified(&mut self) -> &mut Option<Lasso> {
        &mut self.unclassified
    }

    fn steps(&self, lasso: &Lasso) -> usize {
        lasso.len()
    }

    fn least_steps(&self) -> usize {
        self.samples.first().map_or(1, |first| first.lasso.len())
    }

    fn depth(&self) -> usize {
        1
    }

    fn examine(&mut self, lasso: Lasso) -> Limited<Option<Box<TooWeak<Infinite>>>> {
        self.add(lasso)
    }

    fn shortest_outside(&mut self, least: usize, classes: &[CandidateId]) -> Limited<Option<Lasso>> {
        let outside = self.outside(classes);
        self.violating.shortest(least, &outside)
    }

    fn matches(&self, candidate: CandidateId, lasso: &Lasso) -> Option<Assignment> {
        self.choice.candidate(candidate).constraint.matches(self.model(), self.atoms(), lasso)
    }

    fn symmetries(&mut self) -> &Symmetries {
        if self.symmetries.is_none() {
            let (grounding, vocabulary) = (&self.options.grounding, self.vocabulary);
            let shown: Vec<&Lasso> = self.samples.iter().take(MOST_SHOWN).map(|it| &it.lasso).collect();
            let is_of_use = |by: &Permutation| !grounding.forbids(vocabulary, by);
            self.symmetries = Some(symmetries(self.problem, &shown, is_of_use, self.budget));
        }
        self.symmetries.get_or_insert_default()
    }

    fn counterexamples(&self) -> Vec<&Lasso> {
        self.samples.iter().map(|sample| &sample.lasso).collect()
    }

    fn moved(&self, lasso: &Lasso, by: Option<&Permutation>) -> Lasso {
        by.map_or_else(|| lasso.clone(), |by| lasso.permuted(self.model(), by))
    }

    fn contains(&self, candidate: CandidateId, lasso: &Lasso) -> bool {
        self.choice.candidate(candidate).constraint.holds(self.model(), self.atoms(), lasso)
    }

    /// The image suffices, as the group takes accepted lassos to such, and every part of it is needed.
    fn image_of(
        &mut self,
        images: &mut Images<'_>,
        element: usize,
        candidate: CandidateId,
    ) -> Limited<Option<CandidateId>> {
        let constraint = self.choice.candidate(candidate).constraint.clone();
        let Some(own) = self.samples.iter().find(|sample| self.has(&constraint, sample)) else {
            return Ok(None);
        };
        // The facts of the moved lasso bring in the atoms of what is said of other values.
        let moved = own.lasso.permuted(self.model(), &images.elements[element]);
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
        Ok(is_clear.then(|| self.admit(image, LassoOrigin::Ground)))
    }
}
