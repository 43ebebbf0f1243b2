//! Why a goal holds: which part is shown in which state, and by which step.

use super::check::{Truth, fair_loops};
use super::formula::{Formula, Node, Part};
use super::structure::Structure;
use crate::budget::Budget;
use crate::lts::{Bits, Components};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// A part of a goal that holds in a state, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evidence {
    /// The state.
    pub state: u32,
    /// What holds there.
    pub part: Part,
    /// What it rests on in the same state, as indices of evidence: everything if there is no step.
    pub here: Vec<usize>,
    /// The step it takes, if any: where to, and the evidence that it rests on there.
    pub step: Option<(u32, usize)>,
}

/// The evidence for the root of a goal in a state, the root first. Every part is there once for each state; for `EG` with
/// several fairness conditions once for each of them.
///
/// # Panics
/// If the goal does not hold there.
pub fn evidence(goal: &Formula, structure: &Structure, truth: &Truth, state: u32) -> Vec<Evidence> {
    assert!(truth.holds(goal.root, state), "the goal holds where evidence is asked for");
    let mut collector = Collector {
        goal,
        structure,
        truth,
        guides: FxHashMap::default(),
        index: FxHashMap::default(),
        open: VecDeque::new(),
        list: Vec::new(),
    };
    collector.ask(state, goal.root, 0);
    while let Some((at, phase)) = collector.open.pop_front() {
        let Evidence { state, part, .. } = collector.list[at];
        let (here, step) = collector.why(state, part, phase);
        collector.list[at].here = here;
        collector.list[at].step = step;
    }
    collector.list
}

/// How far it is to where something leads, for each state.
enum Guide {
    /// For `E[f U g]`: steps to g.
    Until(Vec<u32>),
    /// For `EG`: the loops that will do, steps to one of them, and inside for each fairness condition steps to it.
    Always { loops: Components, to_loop: Vec<u32>, to_condition: Vec<Vec<u32>> },
}

const FAR: u32 = u32::MAX;

struct Collector<'a> {
    goal: &'a Formula,
    structure: &'a Structure,
    truth: &'a Truth,
    guides: FxHashMap<Part, Guide>,
    index: FxHashMap<(u32, Part, usize), usize>,
    open: VecDeque<(usize, usize)>,
    list: Vec<Evidence>,
}

/// What holds by other parts in the same state, and by a step.
type Why = (Vec<usize>, Option<(u32, usize)>);

impl Collector<'_> {
    fn ask(&mut self, state: u32, part: Part, phase: usize) -> usize {
        if let Some(&known) = self.index.get(&(state, part, phase)) {
            return known;
        }
        let at = self.list.len();
        self.list.push(Evidence { state, part, here: Vec::new(), step: None });
        self.index.insert((state, part, phase), at);
        self.open.push_back((at, phase));
        at
    }

    /// The evidence for a part; nothing if it says nothing.
    fn ask_here(&mut self, state: u32, part: Part) -> Vec<usize> {
        if *self.goal.node(part) == Node::True { Vec::new() } else { vec![self.ask(state, part, 0)] }
    }

    fn why(&mut self, state: u32, part: Part, phase: usize) -> Why {
        let (goal, truth) = (self.goal, self.truth);
        match goal.node(part) {
            Node::True | Node::Label(_) | Node::Not(_) => (Vec::new(), None),
            Node::And(a, b) => ([self.ask_here(state, *a), self.ask_here(state, *b)].concat(), None),
            Node::Or(a, b) => {
                let holding = if truth.holds(*a, state) { *a } else { *b };
                (self.ask_here(state, holding), None)
            }
            Node::Next(a) => {
                let to = self.best(state, |to| if truth.holds(*a, to) { 0 } else { FAR });
                (Vec::new(), Some((to, self.ask(to, *a, 0))))
            }
            Node::Until(a, b) => {
                if truth.holds(*b, state) {
                    return (self.ask_here(state, *b), None);
                }
                if !self.guides.contains_key(&part) {
                    let distances = self.distances(truth.of(*b), |s| truth.holds(*a, s));
                    self.guides.insert(part, Guide::Until(distances));
                }
                let here = self.ask_here(state, *a);
                let to = match &self.guides[&part] {
                    Guide::Until(distances) => self.best(state, |to| distances[to as usize]),
                    Guide::Always { .. } => unreachable!("this is a guide to the end of an until"),
                };
                (here, Some((to, self.ask(to, part, 0))))
            }
            Node::Always { of, fair } => {
                if !self.guides.contains_key(&part) {
                    let guide = self.guide_round(*of, fair);
                    self.guides.insert(part, guide);
                }
                let mut here = self.ask_here(state, *of);
                let met = fair.get(phase).filter(|condition| truth.holds(**condition, state));
                here.extend(met.into_iter().flat_map(|condition| self.ask_here(state, *condition)));
                here.dedup();
                let phase = if met.is_some() { (phase + 1) % fair.len() } else { phase };
                let to = match &self.guides[&part] {
                    Guide::Always { loops, to_loop, to_condition } => {
                        let own = loops.of[state as usize];
                        let inside = |to: u32| own != Components::NONE && loops.of[to as usize] == own;
                        self.best(state, |to| match to_condition.get(phase) {
                            _ if own == Components::NONE => to_loop[to as usize],
                            _ if !inside(to) => FAR,
                            Some(distances) => distances[to as usize],
                            None => 0,
                        })
                    }
                    Guide::Until(_) => unreachable!("this is a guide round a loop"),
                };
                (here, Some((to, self.ask(to, part, phase))))
            }
        }
    }

    fn guide_round(&self, of: Part, fair: &[Part]) -> Guide {
        let truth = self.truth;
        let inside = truth.of(of);
        let sets: Vec<&Bits> = fair.iter().map(|c| truth.of(*c)).collect();
        // One pass more over what was evaluated within the budget.
        let unlimited = Budget::unlimited();
        let loops = fair_loops(self.structure, inside, &sets, &unlimited).expect("nothing limits it");
        let on_loop = |state: u32| loops.of[state as usize] != Components::NONE;
        let mut goal = Bits::new(self.structure.states());
        inside.iter().filter(|&s| on_loop(s as u32)).for_each(|s| _ = goal.insert(s));
        let to_loop = self.distances(&goal, |s| inside.has(s as usize));
        let to_condition = sets
            .iter()
            .map(|set| {
                let mut goal = Bits::new(self.structure.states());
                set.iter().filter(|&s| on_loop(s as u32)).for_each(|s| _ = goal.insert(s));
                // On a shortest way between states of one loop, all states belong to it.
                self.distances_if(&goal, |from, to| {
                    loops.of[from as usize] == loops.of[to as usize] && on_loop(to)
                })
            })
            .collect();
        Guide::Always { loops, to_loop, to_condition }
    }

    /// The successor with the least value; of several the one with the least number.
    fn best(&self, state: u32, value: impl Fn(u32) -> u32) -> u32 {
        let best = self.structure.after(state).map(|to| (value(to), to)).min();
        let (value, to) = best.expect("there is a step that shows it");
        assert_ne!(value, FAR, "there is a step that shows it");
        to
    }

    /// Steps to a goal, through states that are allowed.
    fn distances(&self, goal: &Bits, through: impl Fn(u32) -> bool) -> Vec<u32> {
        self.distances_if(goal, |from, _| through(from))
    }

    /// Steps to a goal, by steps that are allowed.
    fn distances_if(&self, goal: &Bits, step: impl Fn(u32, u32) -> bool) -> Vec<u32> {
        let backward = self.structure.lts.backward();
        let mut distances = vec![FAR; self.structure.states()];
        let mut open: VecDeque<u32> = goal.iter().map(|s| s as u32).collect();
        open.iter().for_each(|&s| distances[s as usize] = 0);
        while let Some(to) = open.pop_front() {
            for (_, from) in backward.of(to) {
                if distances[from as usize] == FAR && step(from, to) {
                    distances[from as usize] = distances[to as usize] + 1;
                    open.push_back(from);
                }
            }
        }
        distances
    }
}
