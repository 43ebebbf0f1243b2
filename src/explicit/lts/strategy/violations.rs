//! An analysis as strategies see it.

use crate::lts::bits::Bits;
use crate::lts::components::components;
use crate::lts::graph::{Lts, LtsTransition, StateId};
use crate::lts::inevitable::{self, NeighbourhoodEntry};
use crate::lts::labels::LabelId;
use crate::lts::safety::{self, Keep, ProductPosition, Tag};
use kit::budget::{Budget, Exhausted};

/// The places from which a violation is possible: states of a system with the progress of the property.
pub trait ViolationPlaces {
    /// The system.
    fn lts(&self) -> &Lts;

    /// The initial place; `None` if the property holds.
    fn initial(&self) -> Option<usize>;

    /// The state of the system at a place.
    fn state(&self, place: usize) -> StateId;

    /// The steps from a place after which a violation is still possible: label and place.
    fn after(&self, place: usize, found: &mut Vec<(LabelId, usize)>);

    /// True if a trace to a place is a counterexample, or becomes one by staying in a cycle there.
    fn is_end(&self, place: usize) -> bool;

    /// All transitions that leave a place, including correct ones: label and tag.
    fn choices(&self, place: usize) -> Vec<(LabelId, Tag)>;

    /// The tag of a step between two places.
    fn tag(&self, from: usize, label: LabelId, to: usize) -> Tag;

    /// The labels that would have been right in place of a step, each once.
    fn right(&self, from: usize, _to: usize) -> Vec<LabelId> {
        if self.lts().is_before_start(self.state(from)) {
            return Vec::new();
        }
        let correct = self.choices(from).into_iter().filter(|&(_, tag)| tag == Tag::Correct);
        let mut right: Vec<LabelId> = correct.map(|(label, _)| label).collect();
        right.dedup();
        right
    }

    /// True if an abstraction keeps the actions before and after a place.
    fn is_kept(&self, place: usize) -> bool;

    /// True if a place has a neighbourhood.
    fn is_neighbourhood(&self, place: usize) -> bool;

    /// True if transitions with different tags leave a place, and it does not stand before several initial states.
    fn is_faulty(&self, place: usize) -> bool {
        !self.lts().is_before_start(self.state(place))
            && self.choices(place).windows(2).any(|pair| pair[0].1 != pair[1].1)
    }
}

/// A safety property: places are positions of the product.
#[derive(Debug)]
pub struct SafetyProduct<'a> {
    /// The analysis.
    pub analysis: &'a safety::SafetyAnalysis<'a>,
    /// The positions around which an abstraction keeps actions.
    pub keep: Keep,
}

impl ViolationPlaces for SafetyProduct<'_> {
    fn lts(&self) -> &Lts {
        self.analysis.product.lts
    }

    fn initial(&self) -> Option<usize> {
        (!self.analysis.holds()).then(|| self.analysis.product.initial().index())
    }

    fn state(&self, place: usize) -> StateId {
        self.analysis.product.parts(ProductPosition::new(place)).0
    }

    fn after(&self, place: usize, found: &mut Vec<(LabelId, usize)>) {
        if !self.is_end(place) {
            let after = self.analysis.product.after(ProductPosition::new(place));
            let after = after.filter(|&(_, p)| self.analysis.is_violable(p));
            found.extend(after.map(|(label, p)| (label, p.index())));
        }
    }

    fn is_end(&self, place: usize) -> bool {
        self.analysis.product.is_bad(ProductPosition::new(place))
    }

    fn choices(&self, place: usize) -> Vec<(LabelId, Tag)> {
        self.analysis.tagged(ProductPosition::new(place)).map(|step| (step.label, step.tag)).collect()
    }

    fn tag(&self, _: usize, _: LabelId, to: usize) -> Tag {
        self.analysis.tag(ProductPosition::new(to))
    }

    fn right(&self, from: usize, to: usize) -> Vec<LabelId> {
        self.analysis.right(ProductPosition::new(from), ProductPosition::new(to))
    }

    fn is_kept(&self, place: usize) -> bool {
        match self.keep {
            Keep::Neighbourhoods => self.is_neighbourhood(place),
            Keep::FaultyStates => self.is_faulty(place),
        }
    }

    fn is_neighbourhood(&self, place: usize) -> bool {
        self.analysis.is_neighbourhood(ProductPosition::new(place))
    }
}

/// The product of a system with the stages of a trace towards its goal: places are states with a stage.
#[derive(Debug)]
pub struct Inevitable<'a> {
    /// The analysis.
    pub analysis: &'a inevitable::InevitabilityAnalysis<'a>,
    /// The kind of entry that makes a state a neighbourhood.
    pub entered: NeighbourhoodEntry,
    /// The positions around which an abstraction keeps actions.
    pub keep: Keep,
    /// For each stage the states on a cycle that does not get beyond it, or beyond a later one, to which a turn of the cycle may lead.
    loops: Vec<Bits>,
}

impl<'a> Inevitable<'a> {
    /// Without the cycles: sufficient to describe a given trace, not to find one.
    pub(super) fn without_loops(
        analysis: &'a inevitable::InevitabilityAnalysis<'a>,
        entered: NeighbourhoodEntry,
        keep: Keep,
    ) -> Self {
        Self { analysis, entered, keep, loops: Vec::new() }
    }

    /// Computes the cycles in which a trace can stay.
    ///
    /// # Errors
    /// If the budget is exhausted.
    pub fn new(
        analysis: &'a inevitable::InevitabilityAnalysis<'a>,
        entered: NeighbourhoodEntry,
        keep: Keep,
        budget: &Budget,
    ) -> Result<Self, Exhausted> {
        let inevitable::InevitabilityAnalysis { lts, goal, .. } = *analysis;
        let mut on_loop = Bits::new(lts.states());
        let loops = (0..goal.stages()).rev().map(|without| {
            let parts = components(
                lts,
                |state| analysis.is_reached(state),
                |step| goal.avoids(step, without),
                budget,
            )?;
            for state in analysis.reached() {
                let own = parts.of[state.index()];
                let avoids = |label, to| goal.avoids(LtsTransition { from: state, label, to }, without);
                let mut inside = lts.out(state).filter(|&(label, to)| avoids(label, to));
                if inside.any(|(_, to)| parts.of[to.index()] == own) {
                    on_loop.insert(state.index());
                }
            }
            Ok(on_loop.clone())
        });
        let mut loops = loops.collect::<Result<Vec<_>, Exhausted>>()?;
        loops.reverse();
        Ok(Self { analysis, entered, keep, loops })
    }

    /// The place of a state in a stage.
    pub fn place(&self, state: StateId, stage: usize) -> usize {
        state.index() * self.analysis.goal.stages() + stage
    }

    /// A state with the stage.
    pub fn parts(&self, place: usize) -> (StateId, usize) {
        let stages = self.analysis.goal.stages();
        (StateId::new(place / stages), place % stages)
    }
}

impl ViolationPlaces for Inevitable<'_> {
    fn lts(&self) -> &Lts {
        self.analysis.lts
    }

    fn initial(&self) -> Option<usize> {
        (!self.analysis.holds()).then(|| self.place(self.analysis.lts.initial(), 0))
    }

    fn state(&self, place: usize) -> StateId {
        self.parts(place).0
    }

    fn after(&self, place: usize, found: &mut Vec<(LabelId, usize)>) {
        let (state, stage) = self.parts(place);
        found.extend(self.analysis.lts.out(state).filter_map(|(label, to)| {
            let after = self.analysis.goal.forward(LtsTransition { from: state, label, to }, stage);
            self.analysis.may_fail(after, to).then(|| (label, self.place(to, after)))
        }));
    }

    fn is_end(&self, place: usize) -> bool {
        let (state, stage) = self.parts(place);
        match self.analysis.lts.out(state).len() {
            0 => self.analysis.goal.fails_at(state),
            _ => self.loops[stage].has(state.index()),
        }
    }

    fn choices(&self, place: usize) -> Vec<(LabelId, Tag)> {
        self.analysis.tagged(self.state(place)).map(|step| (step.label, step.tag)).collect()
    }

    fn tag(&self, from: usize, label: LabelId, to: usize) -> Tag {
        self.analysis.tag(LtsTransition { from: self.state(from), label, to: self.state(to) })
    }

    fn is_kept(&self, place: usize) -> bool {
        match self.keep {
            Keep::Neighbourhoods => self.is_neighbourhood(place),
            Keep::FaultyStates => self.is_faulty(place),
        }
    }

    fn is_neighbourhood(&self, place: usize) -> bool {
        self.analysis.neighbourhood(self.state(place), self.entered).is_some()
    }
}
