//! The product of a listed system and the automaton of a formula.

use super::fairness::{Fairness, FairnessDemand, FairnessEvent, is_meant};
use super::formula::LtlFormula;
use super::places::{LoopDemands, LtlPlaces, NoProduct, Unless};
use super::tableau::Tableau;
use crate::explore::Graph;
use explicit::lts::{LabelId, Lts, LtsBuilder, StateId};
use kit::budget::{Budget, Clock, Exhausted};
use kit::number::to_u32;
use lang::model::expr::Expr;
use lang::model::value::Moment;
use lang::model::{Model, eval};
use rustc_hash::FxHashMap;

/// The most states of a product.
const MOST_STATES: usize = 4_000_000;

/// The number of states that are made between two checks of the budget.
const PACE: usize = 1 << 10;

/// Pairs of a place and a cell, with their steps. Each step carries a bit for each mark that applies there.
pub struct TableauProduct {
    /// The steps; their labels are numbers of those of the graph.
    pub lts: Lts,
    /// The place of each pair.
    pub places: Vec<u32>,
    /// The least number of steps to each pair.
    pub depths: Vec<u32>,
    /// The step by which each pair was found first, as its source pair and label; `None` for the initial ones.
    pub from: Vec<Option<(u32, u32)>>,
    /// The marks of every step from a pair.
    marks: Vec<u64>,
    /// The marks of every step with a label.
    label_marks: Vec<u64>,
    /// The marks that a loop needs.
    pub wanted: MarkDemands,
}

/// Demands on the marks of a loop.
#[derive(Debug, Clone, Default)]
pub struct MarkDemands {
    /// Sets of marks; a loop needs at least one mark of each set.
    pub some: Vec<u64>,
    /// Pairs of marks: a loop with the first also has the second.
    pub pairs: Vec<(u64, u64)>,
    /// Marks that a loop does not have.
    pub none: u64,
    /// Combinations of marks that a loop must not have.
    pub unless: Vec<Unless>,
}

impl MarkDemands {
    /// True if a loop with these marks meets the demands.
    pub fn is_met(&self, marks: u64) -> bool {
        self.some.iter().all(|some| marks & some != 0)
            && self.pairs.iter().all(|(when, then)| marks & when == 0 || marks & then != 0)
            && marks & self.none == 0
            && !self.unless.iter().any(|unless| unless.is_met(marks))
    }
}

impl TableauProduct {
    /// Builds the part that is reachable from the initial states.
    ///
    /// # Errors
    /// If the product exceeds the limits.
    pub fn new(
        (model, graph): (&Model, &Graph),
        (places, limits): (&LtlPlaces, &LoopDemands),
        formula: &LtlFormula,
        fairness: &[Fairness],
        budget: &Budget,
    ) -> Result<Self, NoProduct> {
        let mut tableau = Tableau::new(formula).ok_or(NoProduct::Operators)?;
        let letters = letters(model, graph, formula, budget)?;
        let letter = |place: u32| letters[places.states[place as usize] as usize];
        let demands = Fairness::demands(fairness);
        let mut marking = LtlMarking::new(model, graph, &demands, tableau.sets(), budget)?;
        let shift = marking.add(limits)?;
        let mut pairs: Vec<(u32, u32)> = Vec::new();
        let mut numbers: FxHashMap<(u32, u32), u32> = FxHashMap::default();
        let (mut depths, mut from) = (Vec::new(), Vec::new());
        for place in 0..to_u32(places.initial) {
            for cell in tableau.first(letter(place)) {
                numbers.insert((place, cell), to_u32(pairs.len()));
                pairs.push((place, cell));
                depths.push(0);
                from.push(None);
            }
        }
        let mut clock = Clock::new(budget, "steps of the product");
        let mut builder = LtsBuilder::new();
        for label in 0..=graph.labels.len() {
            clock.tick()?;
            builder.labels.intern(label.to_string().as_bytes());
        }
        let labels: Vec<LabelId> = builder.labels.ids().collect();
        let labels = &labels[labels.len() - graph.labels.len() - 1..];
        let mut next = 0;
        while let Some(&(place, cell)) = pairs.get(next) {
            for &(label, to) in &places.steps[place as usize] {
                clock.tick()?;
                clock.room_in(&numbers)?;
                for &after in tableau.after(cell, letter(to)).iter() {
                    let pair = (to, after);
                    let number = *numbers.entry(pair).or_insert_with(|| {
                        pairs.push(pair);
                        depths.push(depths[next] + 1);
                        from.push(Some((to_u32(next), label)));
                        to_u32(pairs.len()) - 1
                    });
                    builder.add(StateId::new(next), labels[label as usize], StateId::new(number as usize));
                }
            }
            if pairs.len() > MOST_STATES {
                return Err(NoProduct::States(MOST_STATES));
            }
            next += 1;
        }
        let marks = pairs.iter().map(|&(place, cell)| {
            let limit = limits.marks.get(place as usize).map_or(0, |marks| marks << shift);
            marking.states[places.states[place as usize] as usize] | limit | tableau.met(cell)
        });
        let marks = marks.collect();
        Ok(Self {
            // With the last pair as the initial state of the system, every pair has a row.
            lts: builder.finish_within(
                StateId::new(pairs.len().saturating_sub(1)),
                to_u32(pairs.len()),
                budget,
            )?,
            places: pairs.into_iter().map(|(place, _)| place).collect(),
            depths,
            from,
            marks,
            label_marks: marking.labels,
            wanted: marking.wanted,
        })
    }

    /// Returns the marks of a step from a pair with a label of the system.
    pub fn marks(&self, pair: usize, label: u32) -> u64 {
        self.marks[pair] | self.label_marks[label as usize]
    }

    /// Returns the marks of every step from a pair, independent of its label.
    pub fn own_marks(&self, pair: usize) -> u64 {
        self.marks[pair]
    }

    /// Returns the number of a label of the graph, given that of the system.
    pub fn label(&self, label: LabelId) -> u32 {
        to_u32(label.index() - (self.lts.labels().len() - self.label_marks.len()))
    }
}

/// Returns the truth of the atoms in each state, a bit for each.
fn letters(
    model: &Model,
    graph: &Graph,
    formula: &LtlFormula,
    budget: &Budget,
) -> Result<Vec<u64>, Exhausted> {
    let mut letters = vec![0; graph.states.len()];
    for (index, atom) in formula.atoms().iter().enumerate() {
        for (state, holds) in truth(model, graph, atom, budget)?.into_iter().enumerate() {
            letters[state] |= u64::from(holds) << index;
        }
    }
    Ok(letters)
}

/// Returns the truth of a state formula in each state.
fn truth(model: &Model, graph: &Graph, formula: &Expr, budget: &Budget) -> Result<Vec<bool>, Exhausted> {
    let mut all = Vec::with_capacity(graph.states.len());
    for (number, state) in graph.states.iter().enumerate() {
        if number % PACE == 0 {
            budget.check()?;
        }
        let moment = Moment { label: None, state: state.clone() };
        all.push(eval::eval_state(model, formula, &moment).is_true());
    }
    Ok(all)
}

/// The marks of states and labels, after those of the automaton.
struct LtlMarking {
    states: Vec<u64>,
    labels: Vec<u64>,
    wanted: MarkDemands,
    /// The number of marks.
    used: usize,
}

impl LtlMarking {
    /// Adds the demands of the limits; returns the offset of their marks.
    fn add(&mut self, limits: &LoopDemands) -> Result<u32, NoProduct> {
        let shift = self.used;
        self.used += limits.used;
        if self.used > 63 {
            return if limits.used == 0 { Ok(0) } else { Err(NoProduct::Conditions) };
        }
        self.wanted.some.extend(limits.some.iter().map(|some| some << shift));
        self.wanted.none = limits.none << shift;
        let moved = limits.unless.iter().map(|Unless { all, none }| Unless {
            all: all.iter().map(|mark| mark << shift).collect(),
            none: none << shift,
        });
        self.wanted.unless = moved.collect();
        Ok(to_u32(shift))
    }

    fn new(
        model: &Model,
        graph: &Graph,
        demands: &[FairnessDemand<'_>],
        sets: usize,
        budget: &Budget,
    ) -> Result<Self, NoProduct> {
        let mut marking = Self {
            states: vec![0; graph.states.len()],
            // One more, for steps without a label.
            labels: vec![0; graph.labels.len() + 1],
            wanted: MarkDemands { some: (0..sets).map(|set| 1 << set).collect(), ..MarkDemands::default() },
            used: sets,
        };
        let mut mark = sets;
        for demand in demands {
            let mut of = |event: &FairnessEvent<'_>| {
                mark += 1;
                if mark > 64 {
                    return Err(NoProduct::Conditions);
                }
                let mark = 1 << (mark - 1);
                match *event {
                    FairnessEvent::Holds(expr) => marking.put(mark, &truth(model, graph, expr, budget)?),
                    FairnessEvent::Fails(expr) => {
                        let holds = truth(model, graph, expr, budget)?;
                        marking.put(mark, &holds.into_iter().map(|holds| !holds).collect::<Vec<_>>());
                    }
                    FairnessEvent::Taken(fairness) => {
                        let meant = graph.labels.iter().map(|label| is_meant(fairness, label));
                        let labels = marking.labels.iter_mut().zip(meant).filter(|(_, meant)| *meant);
                        labels.for_each(|(marks, _)| *marks |= mark);
                    }
                }
                Ok(mark)
            };
            let when = demand.when.as_ref().map(&mut of).transpose()?;
            let mut events = 0;
            for event in &demand.events {
                events |= of(event)?;
            }
            match when {
                Some(when) => marking.wanted.pairs.push((when, events)),
                None => marking.wanted.some.push(events),
            }
        }
        marking.used = mark;
        Ok(marking)
    }

    fn put(&mut self, mark: u64, holds: &[bool]) {
        let states = self.states.iter_mut().zip(holds).filter(|(_, holds)| **holds);
        states.for_each(|(marks, _)| *marks |= mark);
    }
}
