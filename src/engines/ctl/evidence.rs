//! Explanations of why a goal holds: the part that each state shows, and the step that shows it.

use super::check::{SatisfactionSets, fair_loops};
use super::formula::{CtlFormula, CtlOp, Subformula};
use super::pace::WorkPoll;
use super::structure::Structure;
use explicit::lts::{Bits, Components, StateId, TransitionRows};
use kit::budget::{Budget, Exhausted};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

/// A part of a goal that holds in a state, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CtlEvidence {
    /// The state.
    pub state: StateId,
    /// The part that holds there.
    pub part: Subformula,
    /// The evidence that it rests on in the same state, as indices: everything if there is no step.
    pub here: Vec<usize>,
    /// Its step, if any: the target, and the evidence that it rests on there.
    pub step: Option<(StateId, usize)>,
}

/// Returns the evidence for the root of a goal in a state, the root first. Every part occurs once for each state; `EG`
/// with several fairness conditions once for each of them.
///
/// # Panics
/// If the goal does not hold there.
pub fn evidence(
    goal: &CtlFormula,
    structure: &Structure,
    truth: &SatisfactionSets,
    state: StateId,
) -> Vec<CtlEvidence> {
    let unlimited = evidence_within(goal, structure, truth, state, usize::MAX, &Budget::unlimited());
    unlimited.ok().flatten().unwrap_or_else(|| unreachable!("there is no limit"))
}

/// Like [`evidence`]; returns `None` if it refers to more than `most_states` states.
///
/// # Errors
/// If the budget ends.
///
/// # Panics
/// If the goal does not hold there.
pub fn evidence_within(
    goal: &CtlFormula,
    structure: &Structure,
    truth: &SatisfactionSets,
    state: StateId,
    most_states: usize,
    budget: &Budget,
) -> Result<Option<Vec<CtlEvidence>>, Exhausted> {
    assert!(truth.holds(goal.root, state), "the goal holds where evidence is asked for");
    let mut collector = EvidenceCollector {
        goal,
        structure,
        truth,
        budget,
        backward: structure.lts.backward(),
        guides: FxHashMap::default(),
        index: FxHashMap::default(),
        states: FxHashSet::default(),
        open: VecDeque::new(),
        list: Vec::new(),
    };
    let mut pace = WorkPoll::new(budget);
    collector.ask(state, goal.root, 0);
    while let Some((at, phase)) = collector.open.pop_front() {
        if collector.states.len() > most_states {
            return Ok(None);
        }
        let CtlEvidence { state, part, .. } = collector.list[at];
        pace.spend(1 + structure.lts.out(state).len())?;
        let why = collector.why(state, part, phase)?;
        collector.list[at].here = why.here;
        collector.list[at].step = why.step;
    }
    Ok(Some(collector.list))
}

/// The distances to the target of an operator, for each state.
enum Guide {
    /// For `E[f U g]`: steps to g.
    Until(Vec<u32>),
    /// For `EG`: the suitable loops, steps to one of them, and within them, for each fairness condition, steps to it.
    Always { loops: Components, to_loop: Vec<u32>, to_condition: Vec<Vec<u32>> },
}

const FAR: u32 = u32::MAX;

struct EvidenceCollector<'a> {
    goal: &'a CtlFormula,
    structure: &'a Structure,
    truth: &'a SatisfactionSets,
    budget: &'a Budget,
    backward: TransitionRows,
    guides: FxHashMap<Subformula, Guide>,
    index: FxHashMap<PhaseQuestion, usize>,
    /// The states that the evidence refers to so far.
    states: FxHashSet<StateId>,
    open: VecDeque<(usize, usize)>,
    list: Vec<CtlEvidence>,
}

/// A part of the goal that holds in a state, in a phase of its evidence.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct PhaseQuestion {
    state: StateId,
    part: Subformula,
    phase: usize,
}

/// The grounds of a piece of evidence; see [`CtlEvidence`].
struct EvidenceGround {
    here: Vec<usize>,
    step: Option<(StateId, usize)>,
}

impl EvidenceGround {
    fn here(here: Vec<usize>) -> Self {
        Self { here, step: None }
    }
}

impl EvidenceCollector<'_> {
    fn ask(&mut self, state: StateId, part: Subformula, phase: usize) -> usize {
        if let Some(&known) = self.index.get(&PhaseQuestion { state, part, phase }) {
            return known;
        }
        let at = self.list.len();
        self.list.push(CtlEvidence { state, part, here: Vec::new(), step: None });
        self.index.insert(PhaseQuestion { state, part, phase }, at);
        self.states.insert(state);
        self.open.push_back((at, phase));
        at
    }

    /// Requests the evidence for a part; none for `true`.
    fn ask_here(&mut self, state: StateId, part: Subformula) -> Vec<usize> {
        if *self.goal.node(part) == CtlOp::True { Vec::new() } else { vec![self.ask(state, part, 0)] }
    }

    fn why(&mut self, state: StateId, part: Subformula, phase: usize) -> Result<EvidenceGround, Exhausted> {
        let (goal, truth) = (self.goal, self.truth);
        Ok(match goal.node(part) {
            CtlOp::True | CtlOp::Label(_) | CtlOp::Not(_) => EvidenceGround::here(Vec::new()),
            CtlOp::And(a, b) => {
                EvidenceGround::here([self.ask_here(state, *a), self.ask_here(state, *b)].concat())
            }
            CtlOp::Or(a, b) => {
                let holding = if truth.holds(*a, state) { *a } else { *b };
                EvidenceGround::here(self.ask_here(state, holding))
            }
            CtlOp::Next(a) => {
                let to = self.best(state, |to| if truth.holds(*a, to) { 0 } else { FAR });
                EvidenceGround { here: Vec::new(), step: Some((to, self.ask(to, *a, 0))) }
            }
            CtlOp::Until(a, b) => {
                if truth.holds(*b, state) {
                    return Ok(EvidenceGround::here(self.ask_here(state, *b)));
                }
                if !self.guides.contains_key(&part) {
                    let distances = self.distances(truth.of(*b), |from, _| truth.holds(*a, from))?;
                    self.guides.insert(part, Guide::Until(distances));
                }
                let here = self.ask_here(state, *a);
                let to = match &self.guides[&part] {
                    Guide::Until(distances) => self.best(state, |to| distances[to.index()]),
                    Guide::Always { .. } => unreachable!("this is a guide to the end of an until"),
                };
                EvidenceGround { here, step: Some((to, self.ask(to, part, 0))) }
            }
            CtlOp::Always { of, fair } => {
                if !self.guides.contains_key(&part) {
                    let guide = self.guide_round(*of, fair)?;
                    self.guides.insert(part, guide);
                }
                let mut here = self.ask_here(state, *of);
                let met = fair.get(phase).filter(|condition| truth.holds(**condition, state));
                here.extend(met.into_iter().flat_map(|condition| self.ask_here(state, *condition)));
                here.dedup();
                let phase = if met.is_some() { (phase + 1) % fair.len() } else { phase };
                let to = match &self.guides[&part] {
                    Guide::Always { loops, to_loop, to_condition } => {
                        let own = loops.of[state.index()];
                        let inside = |to: StateId| own != Components::NONE && loops.of[to.index()] == own;
                        self.best(state, |to| match to_condition.get(phase) {
                            _ if own == Components::NONE => to_loop[to.index()],
                            _ if !inside(to) => FAR,
                            Some(distances) => distances[to.index()],
                            None => 0,
                        })
                    }
                    Guide::Until(_) => unreachable!("this is a guide round a loop"),
                };
                EvidenceGround { here, step: Some((to, self.ask(to, part, phase))) }
            }
        })
    }

    fn guide_round(&self, of: Subformula, fair: &[Subformula]) -> Result<Guide, Exhausted> {
        let truth = self.truth;
        let inside = truth.of(of);
        let sets: Vec<&Bits> = fair.iter().map(|c| truth.of(*c)).collect();
        let loops = fair_loops(self.structure, inside, &sets, self.budget)?;
        let on_loop = |state: StateId| loops.of[state.index()] != Components::NONE;
        let mut goal = Bits::new(self.structure.states());
        inside.iter().filter(|&s| on_loop(StateId::new(s))).for_each(|s| _ = goal.insert(s));
        let to_loop = self.distances(&goal, |from, _| inside.has(from.index()))?;
        let to_condition: Result<Vec<Vec<u32>>, Exhausted> = sets
            .iter()
            .map(|set| {
                let mut goal = Bits::new(self.structure.states());
                set.iter().filter(|&s| on_loop(StateId::new(s))).for_each(|s| _ = goal.insert(s));
                // All states on a shortest way between states of one component belong to it.
                self.distances(&goal, |from, to| {
                    loops.of[from.index()] == loops.of[to.index()] && on_loop(to)
                })
            })
            .collect();
        Ok(Guide::Always { to_condition: to_condition?, loops, to_loop })
    }

    /// Returns the successor with the least value; of several the one with the least number.
    fn best(&self, state: StateId, value: impl Fn(StateId) -> u32) -> StateId {
        let best = self.structure.after(state).map(|to| (value(to), to)).min();
        let (value, to) = best.expect("there is a step that shows it");
        assert_ne!(value, FAR, "there is a step that shows it");
        to
    }

    /// Returns the least numbers of steps to a goal, by allowed steps only.
    fn distances(&self, goal: &Bits, step: impl Fn(StateId, StateId) -> bool) -> Result<Vec<u32>, Exhausted> {
        let mut pace = WorkPoll::new(self.budget);
        let mut distances = vec![FAR; self.structure.states()];
        let mut open: VecDeque<StateId> = goal.iter().map(StateId::new).collect();
        open.iter().for_each(|&s| distances[s.index()] = 0);
        while let Some(to) = open.pop_front() {
            pace.spend(1 + self.backward.of(to).len())?;
            for (_, from) in self.backward.of(to) {
                if distances[from.index()] == FAR && step(from, to) {
                    distances[from.index()] = distances[to.index()] + 1;
                    open.push_back(from);
                }
            }
        }
        Ok(distances)
    }
}
