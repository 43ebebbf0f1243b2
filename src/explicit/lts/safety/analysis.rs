//! Tags of transitions: sets of positions, computed in linear passes.

use super::product::{LtsProduct, PositionSet, ProductPosition};
use crate::lts::decisive::{Fates, StateFate};
use crate::lts::graph::Lts;
use crate::lts::labels::LabelId;
use crate::lts::property::LabelAutomaton;
use kit::budget::{Budget, Clock, Exhausted};
use kit::number::to_u32;

/// The effect of a transition on a possible violation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Tag {
    /// After it, a violation is no longer possible.
    Correct,
    /// After it, a violation is unavoidable in the sense of [`Incorrect`].
    Incorrect,
    /// After it, a violation is possible but avoidable.
    Neutral,
}

/// When a possible violation counts as unavoidable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Incorrect {
    /// If no correct transition is reachable, even where a run could stay in a cycle forever.
    #[default]
    NoWayOut,
    /// If every maximal run has the violation: a cycle without it is a way out.
    EveryRun,
}

/// Why a system could not be analysed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnalysisError {
    /// The budget was exhausted.
    Exhausted(Exhausted),
    /// The product of system and automaton has too many positions for a set of them.
    TooLarge {
        /// The number of positions, reachable or not.
        positions: u128,
    },
}

impl std::fmt::Display for AnalysisError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            AnalysisError::Exhausted(why) => why.fmt(f),
            AnalysisError::TooLarge { positions } => {
                write!(f, "the product of system and property has too many positions: {positions}")
            }
        }
    }
}

impl std::error::Error for AnalysisError {}

impl From<Exhausted> for AnalysisError {
    fn from(why: Exhausted) -> Self {
        AnalysisError::Exhausted(why)
    }
}

/// The maximum number of positions; a set of them then takes a gigabyte.
const MOST_POSITIONS: u128 = 1 << 33;

/// A transition with its tag, and with the position or state at its other end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TaggedStep<P = ProductPosition> {
    /// The label.
    pub label: LabelId,
    /// The other end.
    pub end: P,
    /// The tag.
    pub tag: Tag,
}

/// The positions of a system and a property, by what is possible from them.
#[derive(Debug)]
pub struct SafetyAnalysis<'a> {
    /// The product that the positions belong to.
    pub product: LtsProduct<'a>,
    reached: PositionSet,
    /// Those from which a bad position is reachable, bad ones included.
    violable: PositionSet,
    /// Those violable positions from which the violation is avoidable.
    avoidable: PositionSet,
    /// Those violable positions with an outgoing correct transition; for a property of states, the open ones that a
    /// correct or an incorrect transition leaves.
    border: PositionSet,
}

impl<'a> SafetyAnalysis<'a> {
    /// Analyses a system; the automaton must be one over its labels, [`Incorrect::EveryRun`] needs one in which
    /// everything after a violation is bad.
    ///
    /// # Errors
    /// If the budget is exhausted or the product too large.
    pub fn new(
        lts: &'a Lts,
        automaton: &'a LabelAutomaton,
        incorrect: Incorrect,
        budget: &Budget,
    ) -> Result<Self, AnalysisError> {
        let positions = lts.states() as u128 * automaton.states() as u128;
        if positions > MOST_POSITIONS {
            return Err(AnalysisError::TooLarge { positions });
        }
        let product = LtsProduct::within(lts, automaton, budget)?;
        let mut clock = Clock::new(budget, "positions reached");
        // Four sets.
        clock.room(product.positions() / 2)?;
        let empty = || PositionSet::none_of(&product);

        let mut reached = empty();
        spread(&mut clock, &mut reached, [product.initial()], |p, found| {
            found.extend(product.after(p).map(second))
        })?;
        let mut violable = empty();
        let bad = reached.iter().filter(|&p| product.is_bad(p));
        clock.next("positions found from which a violation is possible");
        spread(&mut clock, &mut violable, bad, |p, found| {
            found.extend(product.before(p).map(second).filter(|&b| reached.has(b)));
        })?;
        clock.next("positions searched for a way out");
        let mut border = empty();
        for position in violable.iter() {
            clock.tick()?;
            if product.after(position).any(|(_, after)| !violable.has(after)) {
                border.insert(position);
            }
        }
        clock.next("positions found from which a way out is possible");
        let avoidable = match incorrect {
            Incorrect::NoWayOut => {
                let mut avoidable = empty();
                spread(&mut clock, &mut avoidable, border.iter(), |p, found| {
                    found.extend(product.before(p).map(second).filter(|&b| violable.has(b)));
                })?;
                avoidable
            }
            Incorrect::EveryRun => without_doomed(&product, &violable, &mut clock)?,
        };
        Ok(Self { product, reached, violable, avoidable, border })
    }

    /// Analyses a system for a property of states; the automaton is one that sees nothing ([`LabelAutomaton::blind`]). Positions
    /// are states that are reached without an earlier violation. A transition is incorrect if it leads to a lost state,
    /// correct if it leads to a safe one, and neutral if it leads to an open one.
    ///
    /// # Errors
    /// If the budget is exhausted.
    pub fn of_states(
        lts: &'a Lts,
        automaton: &'a LabelAutomaton,
        fates: &'a Fates,
        budget: &Budget,
    ) -> Result<Self, Exhausted> {
        let product = LtsProduct::of_states(lts, automaton, fates, budget)?;
        let mut clock = Clock::new(budget, "positions reached");
        clock.room(product.positions() / 2)?;
        let empty = || PositionSet::none_of(&product);
        let fate = |position| fates.of(product.parts(position).0);
        let (mut reached, mut violable, mut avoidable, mut border) = (empty(), empty(), empty(), empty());
        spread(&mut clock, &mut reached, [product.initial()], |p, found| {
            found.extend(product.after(p).map(second))
        })?;
        clock.next("positions found at which a step decides");
        for position in reached.iter() {
            clock.tick()?;
            let own = fate(position);
            if own != StateFate::Safe {
                violable.insert(position);
            }
            if own == StateFate::Open {
                avoidable.insert(position);
                if product.after(position).any(|(_, after)| fate(after) != StateFate::Open) {
                    border.insert(position);
                }
            }
        }
        Ok(Self { product, reached, violable, avoidable, border })
    }

    /// True if the property holds.
    pub fn holds(&self) -> bool {
        !self.violable.has(self.product.initial())
    }

    /// The reachable positions, ascending.
    pub fn reached(&self) -> impl Iterator<Item = ProductPosition> {
        self.reached.iter()
    }

    /// True if a position can be reached, and a violation from there: it belongs to the counterexample LTS.
    #[inline]
    pub fn is_violable(&self, position: ProductPosition) -> bool {
        self.violable.has(position)
    }

    /// The positions of the counterexample LTS, ascending.
    pub fn violable(&self) -> impl Iterator<Item = ProductPosition> {
        self.violable.iter()
    }

    /// True if a position has a neighbourhood: a correct transition leaves it, and it is violable. For a property of states:
    /// it is open, and a correct or an incorrect transition leaves it. The choice of an initial state is none.
    #[inline]
    pub fn is_neighbourhood(&self, position: ProductPosition) -> bool {
        self.border.has(position) && !self.is_before_start(position)
    }

    /// True if no steps leave a position, but the choices of an initial state.
    #[inline]
    pub fn is_before_start(&self, position: ProductPosition) -> bool {
        self.product.lts.is_before_start(self.product.parts(position).0)
    }

    /// The tag of a transition of the counterexample LTS that leads to this position.
    #[inline]
    pub fn tag(&self, target: ProductPosition) -> Tag {
        if !self.violable.has(target) {
            Tag::Correct
        } else if self.avoidable.has(target) {
            Tag::Neutral
        } else {
            Tag::Incorrect
        }
    }

    /// The transitions that leave a position.
    pub fn tagged(&self, position: ProductPosition) -> impl Iterator<Item = TaggedStep> {
        self.product.after(position).map(|(label, end)| TaggedStep { label, end, tag: self.tag(end) })
    }

    /// For correct, incorrect and neutral steps each, true if one leaves a position.
    pub fn tags(&self, position: ProductPosition) -> [bool; 3] {
        let mut found = [false; 3];
        if self.is_before_start(position) {
            return found;
        }
        self.tagged(position).for_each(|step| found[step.tag as usize] = true);
        found
    }

    /// The labels that would have been right in place of a step between two positions: those of correct transitions. For a
    /// property of states, where a step is decisive and no transition is correct: those of neutral ones. There, nothing is
    /// right in a lost state, and steps of the environment never are. Each label once.
    pub fn right(&self, from: ProductPosition, to: ProductPosition) -> Vec<LabelId> {
        let with = |wanted: Tag| {
            let chosen = |label| self.product.fates.is_none_or(|fates| !fates.is_of_environment(label));
            let steps = self.tagged(from).filter(|step| step.tag == wanted && chosen(step.label));
            let mut labels: Vec<LabelId> = steps.map(|step| step.label).collect();
            labels.dedup();
            labels
        };
        let of_states = self.product.fates.is_some();
        if of_states && self.tag(from) != Tag::Neutral || self.is_before_start(from) {
            return Vec::new();
        }
        let correct = with(Tag::Correct);
        let decisive = of_states && self.tag(to) == Tag::Incorrect;
        if decisive && correct.is_empty() { with(Tag::Neutral) } else { correct }
    }

    /// True if a position is a faulty state: transitions with different tags leave it.
    pub fn is_faulty(&self, position: ProductPosition) -> bool {
        are_different(self.tags(position))
    }
}

/// True if there are steps with different tags.
pub(in crate::lts) fn are_different(tags: [bool; 3]) -> bool {
    tags.into_iter().filter(|&there| there).count() > 1
}

fn second(step: (LabelId, ProductPosition)) -> ProductPosition {
    step.1
}

/// The violable positions from which not every maximal run has the violation.
fn without_doomed(
    product: &LtsProduct<'_>,
    violable: &PositionSet,
    clock: &mut Clock<'_>,
) -> Result<PositionSet, Exhausted> {
    clock.room(4 * product.positions())?;
    let mut left = violable.clone();
    // For each position the number of steps that do not lead to an unavoidable violation so far.
    let mut open: Vec<u32> = vec![0; product.positions()];
    let mut doomed: Vec<ProductPosition> = Vec::new();
    for position in violable.iter() {
        clock.tick()?;
        if product.is_bad(position) {
            left.remove(position);
            doomed.push(position);
        } else {
            open[position.index()] = to_u32(product.after(position).count());
        }
    }
    while let Some(position) = doomed.pop() {
        clock.tick()?;
        for (_, before) in product.before(position).filter(|&(_, b)| left.has(b)) {
            open[before.index()] -= 1;
            if open[before.index()] == 0 {
                // It is not visited again, because it is removed from `left`.
                doomed.push(before);
            }
        }
        left.remove(position);
    }
    Ok(left)
}

/// Adds everything reachable from some positions to a set.
fn spread(
    clock: &mut Clock<'_>,
    set: &mut PositionSet,
    from: impl IntoIterator<Item = ProductPosition>,
    step: impl Fn(ProductPosition, &mut Vec<ProductPosition>),
) -> Result<(), Exhausted> {
    // Breadth first: states found together mostly have neighbouring numbers, and thus neighbouring rows.
    let (mut level, mut next, mut found) = (Vec::new(), Vec::new(), Vec::new());
    for start in from {
        if set.insert(start) {
            level.push(start);
        }
        while !level.is_empty() {
            for position in level.drain(..) {
                clock.tick()?;
                step(position, &mut found);
                next.extend(found.drain(..).filter(|&p| set.insert(p)));
            }
            std::mem::swap(&mut level, &mut next);
        }
    }
    Ok(())
}
