//! Whether a constraint suffices for a violation, answered on the list of the model's states instead of by the
//! solver: where there are few states, the proof that no trace satisfies it without violation is one walk
//! over them, and by SAT it is a proof through every step up to the bound.

use super::automaton::Letter;
use super::automaton::local::{Local, MOST_POSITIONS, Placed};
use super::constraint::Constraint;
use super::remembered;
use super::space::Limited;
use crate::budget::Budget;
use crate::explore::{Exploration, Graph, Reachable, Stop};
use crate::model::Model;
use crate::model::eval::Scope;
use crate::model::expr::Expr;
use crate::model::value::{Moment, State, Value};
use crate::trace::Trace;
use rustc_hash::FxHashMap;
use std::cmp::Ordering;
use std::ops::Range;
use std::time::{Duration, Instant};

/// The most states that are listed.
const MOST_STATES: usize = 20_000;
/// The least time for which it is worth while to begin, or to go on.
const LEAST: Duration = Duration::from_millis(100);
/// The most choices of remembered values that a constraint is split into.
const MOST_CHOICES: usize = 16;
/// The most combinations of states and placed variables.
const MOST_NODES: usize = 4_000_000;
/// The most sets of placed variables.
const MOST_PLACED: usize = 1_000;
/// The most variables that one moment may give places to.
const MOST_CANDIDATES: usize = 8;
/// The most letters of one constraint.
const MOST_LETTERS: usize = u128::BITS as usize;
/// The budget is looked at whenever this many combinations are done.
const POLL: usize = 4096;

/// The states of a model, which are listed if that is worth it: once proofs by the solver took some time, and for no
/// longer than they took.
pub struct States<'m> {
    model: &'m Model,
    invariant: &'m Expr,
    listing: Option<Listing<'m>>,
    exploration: Option<Exploration>,
    proving: Duration,
    exploring: Duration,
}

impl<'m> States<'m> {
    /// None of them yet.
    pub fn new(model: &'m Model, invariant: &'m Expr) -> Self {
        Self {
            model,
            invariant,
            listing: None,
            exploration: Some(Exploration::default()),
            proving: Duration::ZERO,
            exploring: Duration::ZERO,
        }
    }

    /// Notes that a proof by the solver took so long.
    pub fn proved_for(&mut self, time: Duration) {
        self.proving += time;
    }

    /// The list, if it is there or can be made now.
    pub fn list(&mut self, budget: &Budget) -> Option<&mut Listing<'m>> {
        let due = self.proving.saturating_sub(self.exploring);
        if due >= LEAST {
            self.go_on(&budget.at_most(due));
        }
        self.listing.as_mut()
    }

    fn go_on(&mut self, budget: &Budget) {
        let Some(mut exploration) = self.exploration.take() else { return };
        let clock = Instant::now();
        let (model, invariant) = (self.model, self.invariant);
        let ends = &mut |state: &State| violating(model, invariant, state);
        match exploration.go_on(model, MOST_STATES, budget, ends) {
            None => self.listing = Some(Listing::new(model, invariant, exploration.into_reached())),
            Some(Stop::Budget(_)) => self.exploration = Some(exploration),
            Some(Stop::States(_) | Stop::Choices(_)) => {}
        }
        self.exploring += clock.elapsed();
    }
}

fn violating(model: &Model, invariant: &Expr, state: &State) -> bool {
    !Scope::new(model).with_state(state).holds(invariant)
}

/// The states that traces without violation lead to, and what holds on the way.
pub struct Listing<'m> {
    model: &'m Model,
    graph: Graph,
    violates: Vec<bool>,
    /// What a trace has at an arrival of the graph.
    moments: Vec<Moment>,
    letters: Vec<Letter>,
    /// For each letter whether it is true of each arrival.
    truth: Vec<Vec<bool>>,
}

/// An answer.
pub enum Listed {
    /// No trace without violation satisfies the constraint.
    Nothing,
    /// This one does, with its position variables at these positions.
    Accepted(Trace, Vec<usize>),
    /// The constraint is not one that can be decided here.
    Unknown,
}

/// A state with the variables that have places when it is reached.
#[derive(Clone, Copy)]
struct Node {
    state: u32,
    placed: u32,
}

/// The number of the empty set of placed variables.
const START: u32 = 0;
/// No node.
const NOWHERE: u32 = u32::MAX;

impl<'m> Listing<'m> {
    fn new(model: &'m Model, invariant: &Expr, reached: Reachable) -> Self {
        let graph = Graph::of(reached);
        let violates = graph.states.iter().map(|state| violating(model, invariant, state)).collect();
        let moments = (0..graph.arrivals.len() as u32).map(|arrival| graph.moment(arrival)).collect();
        Self { model, graph, violates, moments, letters: Vec::new(), truth: Vec::new() }
    }

    /// Looks for the first of the shortest traces of up to that many steps, without violation, that satisfy the constraint.
    pub fn accepting(&mut self, constraint: &Constraint, steps: usize, budget: &Budget) -> Limited<Listed> {
        if constraint.positions > MOST_POSITIONS {
            return Ok(Listed::Unknown);
        }
        let Some(choices) = remembered::local_choices(self.model, constraint, MOST_CHOICES) else {
            return Ok(Listed::Unknown);
        };
        let mut best: Option<(Trace, Vec<usize>)> = None;
        for choice in &choices {
            let local = Local::of(self.model, choice, &mut self.letters);
            let steps = best.as_ref().map_or(steps, |(trace, _)| trace.len());
            match self.search(&local, steps, budget)? {
                Listed::Nothing => {}
                Listed::Unknown => return Ok(Listed::Unknown),
                Listed::Accepted(trace, positions) => {
                    if best.as_ref().is_none_or(|(best, _)| comes_before(&trace, best)) {
                        best = Some((trace, positions));
                    }
                }
            }
        }
        Ok(best.map_or(Listed::Nothing, |(trace, positions)| Listed::Accepted(trace, positions)))
    }

    /// Breadth first over states and placed variables.
    fn search(&mut self, local: &Local, steps: usize, budget: &Budget) -> Limited<Listed> {
        let letters = local.letters();
        if letters.len() > MOST_LETTERS {
            return Ok(Listed::Unknown);
        }
        self.evaluate(budget)?;
        let mut walk = Walk::new(self, local, &letters);
        for depth in 0.. {
            walk.next_layer(budget)?;
            let layer = walk.layers[depth].clone();
            if walk.too_large() {
                return Ok(Listed::Unknown);
            }
            if layer.clone().any(|node| walk.is_complete(node)) {
                let (trace, positions) = walk.first_trace();
                return Ok(Listed::Accepted(trace, positions));
            }
            if layer.is_empty() || depth == steps {
                break;
            }
        }
        Ok(Listed::Nothing)
    }

    /// Evaluates the letters that are new.
    fn evaluate(&mut self, budget: &Budget) -> Limited<()> {
        while let Some(letter) = self.letters.get(self.truth.len()) {
            budget.exhausted().map_or(Ok(()), Err)?;
            self.truth.push(self.moments.iter().map(|moment| letter.holds(self.model, moment)).collect());
        }
        Ok(())
    }
}

/// One search.
struct Walk<'a> {
    listing: &'a Listing<'a>,
    local: &'a Local,
    letters: &'a [usize],
    /// For each arrival what it is to the constraint: the same number for the same truth values.
    signature: Vec<u32>,
    /// The truth values of a signature, a bit for each of `letters`.
    valuations: Vec<u128>,
    placed: Vec<Placed>,
    numbers: FxHashMap<Placed, u32>,
    /// For each set of placed variables what follows it at each signature, once that was asked.
    after: Vec<Vec<Option<Box<[u32]>>>>,
    /// For each set of placed variables the node of each state, or [`NOWHERE`].
    found: Vec<Vec<u32>>,
    nodes: Vec<Node>,
    /// The nodes that are first reached after 0 steps, 1 step, ….
    layers: Vec<Range<usize>>,
    /// Whether one moment could give places to too many variables.
    wide: bool,
}

impl<'a> Walk<'a> {
    fn new(listing: &'a Listing<'a>, local: &'a Local, letters: &'a [usize]) -> Self {
        let mut numbers: FxHashMap<u128, u32> = FxHashMap::default();
        let mut valuations = Vec::new();
        let signature = (0..listing.moments.len())
            .map(|arrival| {
                let bit =
                    |(index, &letter): (usize, &usize)| u128::from(listing.truth[letter][arrival]) << index;
                let valuation = letters.iter().enumerate().map(bit).fold(0, |a, b| a | b);
                *numbers.entry(valuation).or_insert_with(|| {
                    valuations.push(valuation);
                    valuations.len() as u32 - 1
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
        walk.number(Placed::default());
        walk
    }

    fn too_large(&self) -> bool {
        let states = self.listing.graph.states.len();
        self.wide || self.placed.len() * states > MOST_NODES
    }

    fn is_complete(&self, node: usize) -> bool {
        self.local.is_complete(self.placed[self.nodes[node].placed as usize])
    }

    /// Adds the nodes that are one step further away than those of the last layer.
    fn next_layer(&mut self, budget: &Budget) -> Limited<()> {
        let begin = self.nodes.len();
        if let Some(last) = self.layers.last() {
            for node in last.clone() {
                if node.is_multiple_of(POLL) {
                    budget.exhausted().map_or(Ok(()), Err)?;
                }
                let Node { state, placed } = self.nodes[node];
                for &arrival in &self.listing.graph.steps[state as usize] {
                    self.arrive(placed, arrival);
                }
            }
        } else {
            for arrival in 0..self.listing.graph.initial as u32 {
                self.arrive(START, arrival);
            }
        }
        self.layers.push(begin..self.nodes.len());
        Ok(())
    }

    /// Adds what an arrival leads to when these variables have places.
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
                *found = self.nodes.len() as u32;
                self.nodes.push(Node { state: state as u32, placed: next });
            }
        }
        self.after[placed as usize][signature] = Some(after);
    }

    /// The nodes that an arrival leads to when these variables have places.
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
        let allowed: Vec<Placed> = steps
            .filter(|(_, conditions)| conditions.iter().all(|&(letter, value)| holds(letter) == value))
            .map(|(to, _)| to)
            .collect();
        allowed.into_iter().map(|to| self.number(to)).collect()
    }

    fn number(&mut self, placed: Placed) -> u32 {
        if let Some(&number) = self.numbers.get(&placed) {
            return number;
        }
        let number = self.placed.len() as u32;
        self.numbers.insert(placed, number);
        self.placed.push(placed);
        self.after.push(vec![None; self.valuations.len()]);
        self.found.push(vec![NOWHERE; self.listing.graph.states.len()]);
        number
    }

    /// The first of the traces to the complete nodes of the last layer, in the order of [`crate::unroll::Unrolling::first_trace`],
    /// and where the variables have places in it.
    ///
    /// No complete node was reached before. So a node that a trace like this passes after some steps is reached after
    /// no fewer, and has its place in that layer.
    fn first_trace(&self) -> (Trace, Vec<usize>) {
        let useful = self.useful();
        let mut moments: Vec<Moment> = Vec::new();
        // For each position the nodes that are possible there, each with that of the position before.
        let mut ways: Vec<Vec<(usize, usize)>> = Vec::new();
        for position in 0..self.layers.len() {
            let from: Vec<u32> = match ways.last() {
                Some(before) => before.iter().map(|&(node, _)| self.nodes[node].placed).collect(),
                None => vec![START],
            };
            let mut arrivals: Vec<u32> = match ways.last() {
                Some(before) => self.listing.graph.steps[self.nodes[before[0].0].state as usize].clone(),
                None => (0..self.listing.graph.initial as u32).collect(),
            };
            arrivals.sort_by(|&a, &b| {
                first_first(&self.listing.moments[a as usize], &self.listing.moments[b as usize])
            });
            let nodes_by = |&arrival: &u32| {
                let mut nodes: Vec<(usize, usize)> = Vec::new();
                for (index, &placed) in from.iter().enumerate() {
                    for node in self.nodes_after(placed, arrival) {
                        let fits = useful[node] && self.layers[position].contains(&node);
                        if fits && nodes.iter().all(|known| known.0 != node) {
                            nodes.push((node, index));
                        }
                    }
                }
                (!nodes.is_empty()).then_some((arrival, nodes))
            };
            let (arrival, nodes) = arrivals.iter().find_map(nodes_by).expect("a useful node has a successor");
            moments.push(self.listing.moments[arrival as usize].clone());
            ways.push(nodes);
        }
        (Trace { moments }, self.places(&ways))
    }

    /// For each node whether a complete one of the last layer can be reached from it, layer by layer.
    fn useful(&self) -> Vec<bool> {
        let mut useful = vec![false; self.nodes.len()];
        for (depth, layer) in self.layers.iter().enumerate().rev() {
            for node in layer.clone() {
                let Node { state, placed } = self.nodes[node];
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

    /// Where the variables have places along one of the ways.
    fn places(&self, ways: &[Vec<(usize, usize)>]) -> Vec<usize> {
        let placed_at = |node: usize| self.placed[self.nodes[node].placed as usize];
        let mut places: Vec<(usize, usize)> = Vec::new();
        let mut index = 0;
        for position in (0..ways.len()).rev() {
            let (node, before) = ways[position][index];
            let earlier = match position.checked_sub(1) {
                Some(earlier) => placed_at(ways[earlier][before].0),
                None => Placed::default(),
            };
            places.extend(placed_at(node).since(earlier).map(|variable| (variable, position)));
            index = before;
        }
        places.sort_unstable();
        places.into_iter().map(|(_, position)| position).collect()
    }
}

/// Whether a trace is shorter than another one, or as long and before it in that order.
fn comes_before(trace: &Trace, other: &Trace) -> bool {
    let by_moments = || {
        let mut orders = trace.moments.iter().zip(&other.moments).map(|(a, b)| first_first(a, b));
        orders.find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
    };
    trace.len().cmp(&other.len()).then_with(by_moments).is_lt()
}

/// Which of two moments that can come next in a trace comes first, in the order in which the solver's traces are chosen.
fn first_first(a: &Moment, b: &Moment) -> Ordering {
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

/// Which of two values of a type comes first: of sets the one without the least member that they do not share.
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
