//! A breadth-first walk over states and placed position variables.

use super::{AcceptingTrace, ListedAnswer, Listing, POLL};
use crate::automata::automaton::local::{LocalRequirements, PlacedVariables};
use crate::facts::fact::Assignment;
use kit::budget::{Budget, Limited};
use kit::number::to_u32;
use lang::model::Position;
use lang::model::value::{Moment, Value};
use lang::trace::Trace;
use rustc_hash::FxHashMap;
use std::cmp::Ordering;
use std::ops::Range;

/// The greatest number of combinations of states and placed variables.
const MOST_NODES: usize = 4_000_000;
/// The greatest number of sets of placed variables.
const MOST_PLACED: usize = 1_000;
/// The greatest number of variables that one moment may place.
const MOST_CANDIDATES: usize = 8;

/// A state with the placed variables after reaching it.
#[derive(Clone, Copy)]
struct WalkNode {
    state: u32,
    placed: u32,
}

/// The number of the empty set of placed variables.
const START: u32 = 0;
/// No node.
const NOWHERE: u32 = u32::MAX;

pub(super) struct ConstraintWalk<'a> {
    listing: &'a Listing<'a>,
    local: &'a LocalRequirements,
    letters: &'a [usize],
    /// For each arrival, the index of its valuation.
    signature: Vec<u32>,
    /// The truth values by signature, a bit for each of `letters`.
    valuations: Vec<u128>,
    placed: Vec<PlacedVariables>,
    numbers: FxHashMap<PlacedVariables, u32>,
    /// For each set of placed variables, the sets that follow at each signature, once computed.
    after: Vec<Vec<Option<Box<[u32]>>>>,
    /// For each set of placed variables, the node of each state, or [`NOWHERE`].
    found: Vec<Vec<u32>>,
    nodes: Vec<WalkNode>,
    /// The nodes first reached after 0 steps, 1 step, ….
    layers: Vec<Range<usize>>,
    /// True if one moment could give places to too many variables.
    wide: bool,
}

impl<'a> ConstraintWalk<'a> {
    /// Prepares a walk. `letters` are those of the constraint, ascending, and evaluated.
    pub(super) fn new(listing: &'a Listing<'a>, local: &'a LocalRequirements, letters: &'a [usize]) -> Self {
        let mut numbers: FxHashMap<u128, u32> = FxHashMap::default();
        let mut valuations = Vec::new();
        let signature = (0..listing.graph.arrivals.len())
            .map(|arrival| {
                let bit = |(index, &letter): (usize, &usize)| {
                    u128::from(listing.truth[letter].has(arrival)) << index
                };
                let valuation = letters.iter().enumerate().map(bit).fold(0, |a, b| a | b);
                *numbers.entry(valuation).or_insert_with(|| {
                    valuations.push(valuation);
                    to_u32(valuations.len()) - 1
                })
            })
            .collect();
        let mut walk = Self {
            listing,
            local,
            letters,
            signature,
            valuations,
            placed: Vec::new(),
            numbers: FxHashMap::default(),
            after: Vec::new(),
            found: Vec::new(),
            nodes: Vec::new(),
            layers: Vec::new(),
            wide: false,
        };
        walk.number(PlacedVariables::default());
        walk
    }

    /// Runs until every variable has a place, or no new node is reached within `steps` steps.
    pub(super) fn run(mut self, steps: usize, budget: &Budget) -> Limited<ListedAnswer> {
        for depth in 0.. {
            self.next_layer(budget)?;
            if self.too_large() {
                return Ok(ListedAnswer::Unknown);
            }
            let mut layer = self.layers[depth].clone();
            if layer.is_empty() {
                break;
            }
            if layer.any(|node| self.is_complete(node)) {
                return Ok(ListedAnswer::Accepted(self.first_trace()));
            }
            if depth == steps {
                break;
            }
        }
        Ok(ListedAnswer::Nothing)
    }

    fn too_large(&self) -> bool {
        let states = self.listing.graph.states.len();
        self.wide || self.placed.len() * states > MOST_NODES
    }

    fn is_complete(&self, node: usize) -> bool {
        self.local.is_complete(self.placed[self.nodes[node].placed as usize])
    }

    /// Adds the nodes one step further than those of the last layer.
    fn next_layer(&mut self, budget: &Budget) -> Limited<()> {
        let begin = self.nodes.len();
        if let Some(last) = self.layers.last() {
            for node in last.clone() {
                if node.is_multiple_of(POLL) {
                    budget.check()?;
                }
                let WalkNode { state, placed } = self.nodes[node];
                for &arrival in &self.listing.graph.steps[state as usize] {
                    self.arrive(placed, arrival);
                }
            }
        } else {
            for arrival in 0..to_u32(self.listing.graph.initial) {
                self.arrive(START, arrival);
            }
        }
        self.layers.push(begin..self.nodes.len());
        Ok(())
    }

    /// Adds the nodes after an arrival with these placed variables.
    fn arrive(&mut self, placed: u32, arrival: u32) {
        let state = self.listing.graph.state_of(arrival);
        if self.listing.violates[state] {
            return;
        }
        let signature = self.signature[arrival as usize] as usize;
        let known = self.after[placed as usize][signature].take();
        let after = known.unwrap_or_else(|| self.follow(placed, signature));
        for &next in &after {
            let found = &mut self.found[next as usize][state];
            if *found == NOWHERE {
                *found = to_u32(self.nodes.len());
                self.nodes.push(WalkNode { state: to_u32(state), placed: next });
            }
        }
        self.after[placed as usize][signature] = Some(after);
    }

    /// Iterates over the nodes after an arrival with these placed variables.
    fn nodes_after(&self, placed: u32, arrival: u32) -> impl Iterator<Item = usize> + '_ {
        let state = self.listing.graph.state_of(arrival);
        let signature = self.signature[arrival as usize] as usize;
        let after = self.after[placed as usize][signature].iter().flat_map(|after| after.iter());
        after.map(move |&next| self.found[next as usize][state]).filter(|&n| n != NOWHERE).map(|n| n as usize)
    }

    fn follow(&mut self, placed: u32, signature: usize) -> Box<[u32]> {
        let from = self.placed[placed as usize];
        if self.placed.len() > MOST_PLACED || self.local.candidates(from) > MOST_CANDIDATES {
            self.wide = true;
            return Box::new([]);
        }
        let valuation = self.valuations[signature];
        let holds = |letter: usize| {
            let index = self.letters.binary_search(&letter).expect("a letter of the constraint");
            valuation & (1 << index) != 0
        };
        let steps = self.local.steps(from);
        let allowed: Vec<PlacedVariables> = steps
            .filter(|(_, conditions)| conditions.iter().all(|&(letter, value)| holds(letter) == value))
            .map(|(to, _)| to)
            .collect();
        allowed.into_iter().map(|to| self.number(to)).collect()
    }

    fn number(&mut self, placed: PlacedVariables) -> u32 {
        if let Some(&number) = self.numbers.get(&placed) {
            return number;
        }
        let number = to_u32(self.placed.len());
        self.numbers.insert(placed, number);
        self.placed.push(placed);
        self.after.push(vec![None; self.valuations.len()]);
        self.found.push(vec![NOWHERE; self.listing.graph.states.len()]);
        number
    }

    /// Returns the first trace to a complete node of the last layer, in the order of
    /// [`solvers::unroll::Unrolling::first_trace`], with the places of the variables.
    ///
    /// No complete node was reached earlier. So a node that such a trace passes after n steps is not reached
    /// after fewer, and is in layer n.
    fn first_trace(&self) -> AcceptingTrace {
        let useful = self.useful();
        let mut moments: Vec<Moment> = Vec::new();
        // For each position, the possible nodes, each with the index of its predecessor.
        let mut ways: Vec<Vec<(usize, usize)>> = Vec::new();
        for position in 0..self.layers.len() {
            let from: Vec<u32> = match ways.last() {
                Some(before) => before.iter().map(|&(node, _)| self.nodes[node].placed).collect(),
                None => vec![START],
            };
            let graph = &self.listing.graph;
            let arrivals: Vec<u32> = match ways.last() {
                Some(before) => graph.steps[self.nodes[before[0].0].state as usize].clone(),
                None => (0..to_u32(graph.initial)).collect(),
            };
            let mut arrivals: Vec<(u32, Moment)> =
                arrivals.into_iter().map(|arrival| (arrival, graph.moment(arrival))).collect();
            arrivals.sort_by(|(_, a), (_, b)| first_moment(a, b));
            let nodes_by = |(arrival, moment): (u32, Moment)| {
                let mut nodes: Vec<(usize, usize)> = Vec::new();
                for (index, &placed) in from.iter().enumerate() {
                    for node in self.nodes_after(placed, arrival) {
                        let fits = useful[node] && self.layers[position].contains(&node);
                        if fits && nodes.iter().all(|known| known.0 != node) {
                            nodes.push((node, index));
                        }
                    }
                }
                (!nodes.is_empty()).then_some((moment, nodes))
            };
            let (moment, nodes) =
                arrivals.into_iter().find_map(nodes_by).expect("a useful node has a successor");
            moments.push(moment);
            ways.push(nodes);
        }
        AcceptingTrace {
            trace: Trace { moments },
            assigned: Assignment { positions: self.places(&ways), ..Assignment::default() },
        }
    }

    /// Marks the nodes from which a complete node of the last layer can be reached, layer by layer.
    fn useful(&self) -> Vec<bool> {
        let mut useful = vec![false; self.nodes.len()];
        for (depth, layer) in self.layers.iter().enumerate().rev() {
            for node in layer.clone() {
                let WalkNode { state, placed } = self.nodes[node];
                let leads = |&arrival: &u32| {
                    self.nodes_after(placed, arrival)
                        .any(|next| useful[next] && self.layers[depth + 1].contains(&next))
                };
                useful[node] = match depth + 1 == self.layers.len() {
                    true => self.is_complete(node),
                    false => self.listing.graph.steps[state as usize].iter().any(leads),
                };
            }
        }
        useful
    }

    /// Returns the places of the variables along one of the ways.
    fn places(&self, ways: &[Vec<(usize, usize)>]) -> Vec<Position> {
        let placed_at = |node: usize| self.placed[self.nodes[node].placed as usize];
        let mut places: Vec<(usize, Position)> = Vec::new();
        let mut index = 0;
        for position in (0..ways.len()).rev() {
            let (node, before) = ways[position][index];
            let earlier = match position.checked_sub(1) {
                Some(earlier) => placed_at(ways[earlier][before].0),
                None => PlacedVariables::default(),
            };
            places.extend(placed_at(node).since(earlier).map(|variable| (variable, Position::new(position))));
            index = before;
        }
        places.sort_unstable();
        places.into_iter().map(|(_, position)| position).collect()
    }
}

/// True if a trace is shorter than another one, or as long and before it in that order.
pub fn comes_before(trace: &Trace, other: &Trace) -> bool {
    let by_moments = || {
        let mut orders = trace.moments.iter().zip(&other.moments).map(|(a, b)| first_moment(a, b));
        orders.find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
    };
    trace.len().cmp(&other.len()).then_with(by_moments).is_lt()
}

/// Compares two possible next moments of a trace, in the order in which the solver's traces are chosen.
pub fn first_moment(a: &Moment, b: &Moment) -> Ordering {
    let label = |moment: &Moment| moment.label.as_ref().map(|label| label.action);
    let args = |moment: &'_ Moment| moment.label.as_ref().map_or(Vec::new(), |label| label.args.clone());
    label(a)
        .cmp(&label(b))
        .then_with(|| all_first(args(a).iter().zip(args(b).iter())))
        .then_with(|| all_first(a.state.0.iter().zip(&b.state.0)))
}

fn all_first<'v>(mut pairs: impl Iterator<Item = (&'v Value, &'v Value)>) -> Ordering {
    pairs.find_map(|(a, b)| Some(first(a, b)).filter(|order| order.is_ne())).unwrap_or(Ordering::Equal)
}

/// Compares two values of a type; of two sets, the one without their least unshared member is less.
fn first(a: &Value, b: &Value) -> Ordering {
    match (a, b) {
        (Value::Set(a), Value::Set(b)) => match a.symmetric_difference(b).next() {
            Some(member) => a.contains(member).cmp(&b.contains(member)),
            None => Ordering::Equal,
        },
        (Value::Record(_, a), Value::Record(_, b)) => all_first(a.iter().zip(b)),
        (Value::Map(a), Value::Map(b)) => all_first(a.values().zip(b.values())),
        _ => a.cmp(b),
    }
}
