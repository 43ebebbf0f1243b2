//! What strategies have to know about an analysis.

use crate::budget::{Budget, Exhausted};
use crate::lts::bits::Bits;
use crate::lts::components::components;
use crate::lts::graph::Lts;
use crate::lts::inevitable::{self, Entered};
use crate::lts::safety::{self, Keep, Tag};

/// The places from which a violation is possible: states of a system with how far the property has come.
pub trait Violations {
    /// The system.
    fn lts(&self) -> &Lts;

    /// Where every trace begins; `None` if the property holds.
    fn initial(&self) -> Option<usize>;

    /// The state of the system at a place.
    fn state(&self, place: usize) -> u32;

    /// The steps from a place after which a violation is still possible: label and place.
    fn after(&self, place: usize, found: &mut Vec<(u32, usize)>);

    /// Whether a trace that has come to a place is a counterexample, or can be one by staying in a loop there.
    fn is_end(&self, place: usize) -> bool;

    /// All transitions that leave a place, also those after which no violation is possible: label and tag.
    fn choices(&self, place: usize) -> Vec<(u32, Tag)>;

    /// What a step between two places decides.
    fn tag(&self, from: usize, label: u32, to: usize) -> Tag;

    /// Whether the actions before and after a place are kept in an abstraction.
    fn is_kept(&self, place: usize) -> bool;

    /// Whether a place has a neighbourhood.
    fn is_neighbourhood(&self, place: usize) -> bool;

    /// Whether transitions with different tags leave a place.
    fn is_faulty(&self, place: usize) -> bool {
        self.choices(place).windows(2).any(|pair| pair[0].1 != pair[1].1)
    }
}

/// A safety property: places are positions of the product.
#[derive(Debug)]
pub struct Safety<'a> {
    /// The analysis.
    pub analysis: &'a safety::Analysis<'a>,
    /// What an abstraction keeps.
    pub keep: Keep,
}

impl Violations for Safety<'_> {
    fn lts(&self) -> &Lts {
        self.analysis.product.lts
    }

    fn initial(&self) -> Option<usize> {
        (!self.analysis.holds()).then(|| self.analysis.product.initial())
    }

    fn state(&self, place: usize) -> u32 {
        self.analysis.product.parts(place).0
    }

    fn after(&self, place: usize, found: &mut Vec<(u32, usize)>) {
        if !self.is_end(place) {
            found.extend(self.analysis.product.after(place).filter(|&(_, p)| self.analysis.is_violable(p)));
        }
    }

    fn is_end(&self, place: usize) -> bool {
        self.analysis.product.is_bad(place)
    }

    fn choices(&self, place: usize) -> Vec<(u32, Tag)> {
        self.analysis.tagged(place).map(|(label, _, tag)| (label, tag)).collect()
    }

    fn tag(&self, _: usize, _: u32, to: usize) -> Tag {
        self.analysis.tag(to)
    }

    fn is_kept(&self, place: usize) -> bool {
        match self.keep {
            Keep::Neighbourhoods => self.is_neighbourhood(place),
            Keep::FaultyStates => self.is_faulty(place),
        }
    }

    fn is_neighbourhood(&self, place: usize) -> bool {
        self.analysis.is_neighbourhood(place)
    }
}

/// A sequence of actions that every trace should have: places are states with how many have come.
#[derive(Debug)]
pub struct Inevitable<'a> {
    /// The analysis.
    pub analysis: &'a inevitable::Analysis<'a>,
    /// What a neighbourhood is.
    pub entered: Entered,
    /// What an abstraction keeps.
    pub keep: Keep,
    /// For each number of actions that have come the states with a loop in which the rest never comes: it has not one
    /// of the actions left, whichever, as a turn may bring those before that one.
    loops: Vec<Bits>,
}

impl<'a> Inevitable<'a> {
    /// Without the loops: enough to describe a trace that is known, not to find one.
    pub(super) fn without_loops(
        analysis: &'a inevitable::Analysis<'a>,
        entered: Entered,
        keep: Keep,
    ) -> Self {
        Self { analysis, entered, keep, loops: Vec::new() }
    }

    /// Looks for the loops in which a trace can stay.
    ///
    /// # Errors
    /// If the budget is exhausted.
    pub fn new(
        analysis: &'a inevitable::Analysis<'a>,
        entered: Entered,
        keep: Keep,
        budget: &Budget,
    ) -> Result<Self, Exhausted> {
        let (lts, steps) = (analysis.lts, analysis.steps);
        let mut on_loop = Bits::new(lts.states());
        let loops = (0..steps.len()).rev().map(|without| {
            let parts = components(
                lts,
                |state| analysis.is_reached(state),
                |_, label, _| !steps.is(label, without),
                budget,
            )?;
            for state in analysis.reached() {
                let own = parts.of[state as usize];
                let mut inside = lts.out(state).filter(|&(label, _)| !steps.is(label, without));
                if inside.any(|(_, to)| parts.of[to as usize] == own) {
                    on_loop.insert(state as usize);
                }
            }
            Ok(on_loop.clone())
        });
        let mut loops = loops.collect::<Result<Vec<_>, Exhausted>>()?;
        loops.reverse();
        Ok(Self { analysis, entered, keep, loops })
    }

    /// A state with how many actions have come.
    pub fn parts(&self, place: usize) -> (u32, usize) {
        let length = self.analysis.steps.len();
        ((place / length) as u32, place % length)
    }
}

impl Violations for Inevitable<'_> {
    fn lts(&self) -> &Lts {
        self.analysis.lts
    }

    fn initial(&self) -> Option<usize> {
        (!self.analysis.holds()).then(|| self.analysis.lts.initial() as usize * self.analysis.steps.len())
    }

    fn state(&self, place: usize) -> u32 {
        self.parts(place).0
    }

    fn after(&self, place: usize, found: &mut Vec<(u32, usize)>) {
        let ((state, matched), steps) = (self.parts(place), self.analysis.steps);
        found.extend(self.analysis.lts.out(state).filter_map(|(label, to)| {
            let after = steps.forward(label, matched);
            let sure = usize::from(self.analysis.affixes.common_suffix[to as usize]);
            (after + sure < steps.len()).then_some((label, to as usize * steps.len() + after))
        }));
    }

    fn is_end(&self, place: usize) -> bool {
        let (state, matched) = self.parts(place);
        self.analysis.lts.out(state).len() == 0 || self.loops[matched].has(state as usize)
    }

    fn choices(&self, place: usize) -> Vec<(u32, Tag)> {
        self.analysis.tagged(self.state(place)).map(|(label, _, tag)| (label, tag)).collect()
    }

    fn tag(&self, from: usize, label: u32, to: usize) -> Tag {
        self.analysis.tag(self.state(from), label, self.state(to))
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
