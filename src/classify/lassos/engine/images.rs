//! Classes that symmetries make of each other, and classes that are images of few, of infinite traces.

use super::{LassoCandidate, LassoEngine};
use crate::facts::grounding::Grounding;
use crate::facts::index::{AtomId, CandidateId};
use crate::facts::statements::Statements;
use crate::lassos::constraint::LassoConstraint;
use crate::lassos::fact::{AtomRef, LassoFact};
use crate::lassos::result::Infinite;
use crate::lassos::symmetries::symmetries;
use crate::results::result::{Class, ImageOf};
use crate::search::images::{Images, are_alike, images_among};
use crate::search::kinds::{
    CandidateOrbit, MOST_ELEMENTS, MOST_QUESTIONS, MOST_ROUNDS, OrbitCandidates, grouped, members_of,
};
use engines::symmetry::Symmetries;
use kit::budget::Limited;
use lang::model::permutation::Permutation;
use lang::trace::Lasso;

/// So many violating lassos show that permutations are no symmetries.
const MOST_SHOWN: usize = 8;

impl<'q> LassoEngine<'_, 'q> {
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
        if !images.whole || images.elements.is_empty() || images.elements.len() > MOST_ELEMENTS {
            return Ok(());
        }
        let mut further: Vec<Lasso> = Vec::new();
        for _ in 0..MOST_ROUNDS {
            let Some(kinds) = self.fewer_kinds(&mut images, &further) else { break };
            let count = images.elements.len();
            let mut image_of = |element, candidate| self.image_of(&mut images, element, candidate);
            let Some(members) = members_of(kinds, count, &mut image_of)? else { break };
            match self.violating.shortest(1, &self.outside(&members))? {
                Some(left_out) => further.push(left_out),
                None => {
                    // What was known before stays rather than images that were made.
                    let order = members.iter().rev().copied().collect();
                    self.chosen = members;
                    return self.drop_redundant(order);
                }
            }
        }
        Ok(())
    }

    fn fewer_kinds(&self, images: &mut Images<'_>, further: &[Lasso]) -> Option<Vec<CandidateOrbit>> {
        let (model, atoms) = (self.problem.model, self.violating.asked().atoms);
        let mut takes = |of: CandidateId, to: CandidateId| {
            let [of, to] = [of, to].map(|candidate| Statements::from(self.constraint(candidate)));
            images.takes(&of, &to).is_some()
        };
        let chosen = grouped(self.chosen.iter().copied(), &mut takes);
        if chosen.iter().all(|kind| kind.len() == 1) && chosen.len() < 2 {
            return None;
        }
        let is_ground =
            |(_, candidate): &(usize, &LassoCandidate)| candidate.constraint.individuals.is_empty();
        let known = self.candidates.iter().enumerate().filter(is_ground);
        let known = grouped(known.map(|(index, _)| CandidateId::new(index)), &mut takes);
        let known: Vec<CandidateId> = known.into_iter().map(|kind| kind[0]).collect();
        let lassos: Vec<&Lasso> = self.samples.iter().map(|sample| &sample.lasso).chain(further).collect();
        if lassos.len() * known.len() * (images.elements.len() + 1) > MOST_QUESTIONS {
            return None;
        }
        let moved = |lasso: &&Lasso| -> Vec<Lasso> {
            let images = images.elements.iter().map(|by| lasso.permuted(model, by));
            [(*lasso).clone()].into_iter().chain(images).collect()
        };
        let lassos: Vec<Vec<Lasso>> = lassos.iter().map(moved).collect();
        let has = |c: CandidateId, counterexample: usize, moved: bool| {
            let count = if moved { images.elements.len() + 1 } else { 1 };
            lassos[counterexample].iter().take(count).any(|it| self.constraint(c).holds(model, atoms, it))
        };
        let score = |c: CandidateId| self.candidates[c.index()].score;
        OrbitCandidates { chosen, known, counterexamples: lassos.len(), has: &has, score: &score }.fewer()
    }

    /// The image of a ground candidate under an element of the group, as a candidate: it suffices, as the group takes accepted lassos
    /// to such, and no part of it can be left out. `None` where it is not clear.
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
        let tiers = self.gatherer.facts(&moved, self.budget)?;
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
