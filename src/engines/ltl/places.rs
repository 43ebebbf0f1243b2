//! The structure that a formula is decided over: the states of a model, or its moments with an observer's memory of a
//! trace.

use crate::explore::Graph;
use kit::budget::{Budget, Clock, Exhausted};
use kit::number::to_u32;
use rustc_hash::FxHashMap;

/// Numbered places with steps between them. Each has a state, on which the truth of formulas depends.
#[derive(Debug, Clone)]
pub struct LtlPlaces {
    /// The state of each place, by its number in the graph.
    pub states: Vec<u32>,
    /// The number of places in which a trace can begin; they come first.
    pub initial: usize,
    /// The steps of each place: the number of the label (for steps without one, the number of all labels) and the
    /// target place.
    pub steps: Vec<Vec<(u32, u32)>>,
}

/// Demands on loops beside a formula and fairness, as marks of places: bits from the lowest.
#[derive(Debug, Clone, Default)]
pub struct LoopDemands {
    /// The marks of each place; if empty, no place has marks.
    pub marks: Vec<u64>,
    /// The number of different marks.
    pub used: usize,
    /// Sets of marks; a loop needs a place with at least one mark of each set.
    pub some: Vec<u64>,
    /// Marks that no place of a loop has.
    pub none: u64,
    /// Combinations of marks that a loop must not have.
    pub unless: Vec<Unless>,
}

/// A combination of marks that a loop must not have: each of some, and none of others.
#[derive(Debug, Clone, Default)]
pub struct Unless {
    /// Marks that the loop has, each at some place.
    pub all: Vec<u64>,
    /// Marks that no place of the loop has.
    pub none: u64,
}

impl Unless {
    /// True if a loop with these marks has the combination.
    pub fn is_met(&self, marks: u64) -> bool {
        self.all.iter().all(|mark| marks & mark != 0) && marks & self.none == 0
    }
}

/// The most places that are made.
const MOST_PLACES: usize = 4_000_000;

impl LtlPlaces {
    /// Returns the states of a graph as places.
    ///
    /// # Errors
    /// If the budget ends.
    pub fn states(graph: &Graph, budget: &Budget) -> Result<Self, Exhausted> {
        let mut clock = Clock::new(budget, "steps listed");
        let mut steps = Vec::with_capacity(graph.steps.len());
        for own in &graph.steps {
            clock.room(own.len() * size_of::<(u32, u32)>())?;
            clock.ticks(own.len() + 1)?;
            let own = own.iter().map(|&arrival| {
                let arrival = graph.arrivals[arrival as usize];
                (arrival.label.unwrap_or(to_u32(graph.labels.len())), arrival.state)
            });
            steps.push(own.collect());
        }
        Ok(Self { states: (0..to_u32(graph.states.len())).collect(), initial: graph.initial, steps })
    }

    /// Returns the moments of a graph, by their numbers as arrivals, paired with an observer's memory, and for each
    /// place its moment and memory. `first` gives the memory at the first moment, and `next` that after another one.
    ///
    /// # Errors
    /// If there are too many, or the budget ends.
    pub fn watched(
        graph: &Graph,
        first: impl Fn(u32) -> u64,
        next: impl Fn(u64, u32) -> u64,
        budget: &Budget,
    ) -> Result<(Self, Vec<(u32, u64)>), NoProduct> {
        let mut clock = Clock::new(budget, "moments listed");
        let mut known: Vec<(u32, u64)> = (0..to_u32(graph.initial)).map(|at| (at, first(at))).collect();
        let mut numbers: FxHashMap<(u32, u64), u32> =
            known.iter().enumerate().map(|(number, &place)| (place, to_u32(number))).collect();
        let mut steps: Vec<Vec<(u32, u32)>> = Vec::new();
        while let Some(&(arrival, memory)) = known.get(steps.len()) {
            let mut own = Vec::new();
            for &to in &graph.steps[graph.state_of(arrival)] {
                clock.tick()?;
                clock.room_in(&numbers)?;
                let place = (to, next(memory, to));
                let number = *numbers.entry(place).or_insert_with(|| {
                    known.push(place);
                    to_u32(known.len()) - 1
                });
                own.push((graph.arrivals[to as usize].label.unwrap_or(to_u32(graph.labels.len())), number));
            }
            steps.push(own);
            if known.len() > MOST_PLACES {
                return Err(NoProduct::States(MOST_PLACES));
            }
        }
        let states = known.iter().map(|&(arrival, _)| graph.arrivals[arrival as usize].state).collect();
        Ok((Self { states, initial: graph.initial, steps }, known))
    }
}

/// The reason why there is no product.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoProduct {
    /// The budget ended.
    Exhausted(Exhausted),
    /// The product has more states than this.
    States(usize),
    /// The formula has more operators than the automaton construction admits.
    Operators,
    /// There are more fairness conditions and `until` operators than marks.
    Conditions,
}

impl From<Exhausted> for NoProduct {
    fn from(why: Exhausted) -> Self {
        Self::Exhausted(why)
    }
}
