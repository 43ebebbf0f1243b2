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
use crate::model::value::{Moment, State};
use crate::trace::Trace;
use rustc_hash::FxHashMap;
use std::time::{Duration, Instant};

/// The most states that are listed.
const MOST_STATES: usize = 20_000;
/// The least time for which it is worth while to begin, or to go on.
const LEAST: Duration = Duration::from_millis(100);
/// The most choices of remembered values that a constraint is split into.
const MOST_CHOICES: usize = 16;
/// The most combinations of states and placed variables.
const MOST_NODES: usize = 2_000_000;
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

/// An arrival with the variables that have places then.
struct Node {
    arrival: u32,
    placed: u32,
    /// The node before; itself at the start of a trace.
    parent: u32,
}

impl<'m> Listing<'m> {
    fn new(model: &'m Model, invariant: &Expr, reached: Reachable) -> Self {
        let graph = Graph::of(reached);
        let violates = graph.states.iter().map(|state| violating(model, invariant, state)).collect();
        let moments = (0..graph.arrivals.len() as u32).map(|arrival| graph.moment(arrival)).collect();
        Self { model, graph, violates, moments, letters: Vec::new(), truth: Vec::new() }
    }

    /// Looks for a shortest trace of up to that many steps, without violation, that satisfies the constraint.
    pub fn accepting(&mut self, constraint: &Constraint, steps: usize, budget: &Budget) -> Limited<Listed> {
        if constraint.positions > MOST_POSITIONS {
            return Ok(Listed::Unknown);
        }
        let Some(choices) = remembered::local_choices(self.model, constraint, MOST_CHOICES) else {
            return Ok(Listed::Unknown);
        };
        let mut shortest = Listed::Nothing;
        let mut steps = Some(steps);
        for choice in &choices {
            let Some(most) = steps else { break };
            let local = Local::of(self.model, choice, &mut self.letters);
            match self.search(&local, most, budget)? {
                Listed::Nothing => {}
                Listed::Unknown => return Ok(Listed::Unknown),
                Listed::Accepted(trace, positions) => {
                    steps = trace.len().checked_sub(1);
                    shortest = Listed::Accepted(trace, positions);
                }
            }
        }
        Ok(shortest)
    }

    /// Breadth first over states and placed variables.
    fn search(&mut self, local: &Local, steps: usize, budget: &Budget) -> Limited<Listed> {
        let letters = local.letters();
        if letters.len() > MOST_LETTERS {
            return Ok(Listed::Unknown);
        }
        self.evaluate(budget)?;
        let mut walk = Walk::new(self, local, &letters);
        for arrival in 0..self.graph.initial as u32 {
            walk.arrive(0, arrival, None);
        }
        let mut done = 0;
        for depth in 0.. {
            let layer = done..walk.nodes.len();
            if walk.too_large() {
                return Ok(Listed::Unknown);
            }
            if let Some(last) =
                layer.clone().find(|&n| local.is_complete(walk.placed[walk.nodes[n].placed as usize]))
            {
                let (trace, positions) = walk.trace_to(last);
                return Ok(Listed::Accepted(trace, positions));
            }
            if layer.is_empty() || depth == steps {
                break;
            }
            done = layer.end;
            for node in layer {
                if node.is_multiple_of(POLL) {
                    budget.exhausted().map_or(Ok(()), Err)?;
                }
                let Node { arrival, placed, .. } = walk.nodes[node];
                for &next in &self.graph.steps[self.graph.state_of(arrival)] {
                    walk.arrive(placed, next, Some(node as u32));
                }
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
    /// For each set of placed variables the states that were reached with it.
    seen: Vec<Vec<bool>>,
    nodes: Vec<Node>,
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
            seen: Vec::new(),
            nodes: Vec::new(),
            wide: false,
        };
        walk.number(Placed::default());
        walk
    }

    fn too_large(&self) -> bool {
        self.wide || self.nodes.len() > MOST_NODES || self.placed.len() > MOST_PLACED
    }

    /// Adds what an arrival leads to after a node with these placed variables.
    fn arrive(&mut self, placed: u32, arrival: u32, parent: Option<u32>) {
        let state = self.listing.graph.state_of(arrival);
        if self.listing.violates[state] {
            return;
        }
        let signature = self.signature[arrival as usize] as usize;
        let known = self.after[placed as usize][signature].take();
        let after = known.unwrap_or_else(|| self.follow(placed, signature));
        for &next in &after {
            let seen = &mut self.seen[next as usize][state];
            if !std::mem::replace(seen, true) {
                let parent = parent.unwrap_or(self.nodes.len() as u32);
                self.nodes.push(Node { arrival, placed: next, parent });
            }
        }
        self.after[placed as usize][signature] = Some(after);
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
        self.seen.push(vec![false; self.listing.graph.states.len()]);
        number
    }

    /// The trace to a node, and where the variables have their places in it.
    fn trace_to(&self, last: usize) -> (Trace, Vec<usize>) {
        let mut path = vec![last];
        while let Some(&node) = path.last().filter(|&&node| self.nodes[node].parent as usize != node) {
            path.push(self.nodes[node].parent as usize);
        }
        path.reverse();
        let mut places: Vec<(usize, usize)> = Vec::new();
        let mut before = Placed::default();
        for (position, &node) in path.iter().enumerate() {
            let placed = self.placed[self.nodes[node].placed as usize];
            places.extend(placed.since(before).map(|variable| (variable, position)));
            before = placed;
        }
        places.sort_unstable();
        let moment = |&node: &usize| self.listing.moments[self.nodes[node].arrival as usize].clone();
        let trace = Trace { moments: path.iter().map(moment).collect() };
        (trace, places.into_iter().map(|(_, position)| position).collect())
    }
}
