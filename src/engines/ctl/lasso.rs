//! Shortest lassos by breadth-first search from each state where the cycle may begin.
//!
//! A lasso enters its cycle at some state and returns to it after meeting every fairness condition: a closed walk in
//! the product of the system, the goal and the set of conditions met so far. Entries are tried nearest first. A cycle
//! need only be looked for from the nearest of its states, so a tried state is removed from the region, together with
//! all states that are no longer on a cycle. If the least closed walk repeats no state, it is a shortest lasso;
//! otherwise its length is a lower bound, since simple cycles through given states are hard to find.

use super::check::fair_loops;
use super::formula::{CtlOp, Subformula};
use super::pace::WorkPoll;
use super::product::{Always, ConfigIndex, GoalOperator, GoalProduct, ProductState, ShortestWalks};
use explicit::lts::{Bits, Components, StateId, TransitionRows};
use kit::budget::{Budget, Exhausted};
use kit::number::to_u32;

/// The most product states with sets of conditions that are distinguished: some 250 MB of tables if all of them are
/// visited.
const MOST_NODES: usize = 1 << 25;

/// The most edges that the search for closed walks follows, which takes some seconds.
const MOST_WORK: usize = 500_000_000;

/// A walk to a configuration and from its state back to it.
#[derive(Debug, Clone)]
pub(super) struct ClosedWalk {
    /// The `EG` that it shows.
    pub always: GoalOperator,
    /// The configuration at which the cycle is entered.
    pub entry: ConfigIndex,
    /// The states of the cycle, from that of the entry on; some may occur several times.
    pub cycle: Vec<StateId>,
    /// The number of states of the walk to the cycle and round it, with repetitions.
    pub states: usize,
}

/// The result of the search for closed walks.
#[derive(Debug, Default)]
pub(super) struct Lassos {
    /// The least closed walk, if one is less than the bound.
    pub best: Option<ClosedWalk>,
    /// The least number of states of lassos that were not examined, if there can be any.
    pub unexplored: Option<usize>,
    /// The reason why the search ended early, if the budget did.
    pub exhausted: Option<Exhausted>,
}

/// Looks for the least closed walk of fewer than `bound` states.
pub(super) fn closed_walks(
    product: &GoalProduct<'_>,
    walks: &ShortestWalks,
    bound: usize,
    budget: &Budget,
) -> Lassos {
    let mut lassos = Lassos::default();
    let mut work = MOST_WORK;
    for always in product.always() {
        let mut search = match EgSearch::new(product, walks, &always, budget) {
            Ok(Some(search)) => search,
            Ok(None) => continue,
            Err(why) => {
                lassos.exhausted = Some(why);
                lassos.unexplored = Some(1);
                return lassos;
            }
        };
        let ended = search.run(bound, &mut lassos, &mut work);
        if let Err(why) = ended {
            lassos.exhausted = Some(why);
            return lassos;
        }
    }
    lassos
}

/// Closed walks for one `EG`.
struct EgSearch<'a> {
    product: &'a GoalProduct<'a>,
    walks: &'a ShortestWalks,
    always: GoalOperator,
    conditions: Vec<&'a Bits>,
    region: Region<'a>,
    /// True for each operator that has the `EG` as a part.
    leads: Vec<bool>,
    /// Configurations outside the `EG` from which all closed walks were looked for.
    tried: Bits,
    nodes: SearchNodes,
    pace: WorkPoll<'a>,
}

impl<'a> EgSearch<'a> {
    /// Creates a search, unless there is no cycle.
    fn new(
        product: &'a GoalProduct<'a>,
        walks: &'a ShortestWalks,
        always: &Always<'_>,
        budget: &'a Budget,
    ) -> Result<Option<Self>, Exhausted> {
        let sets: Vec<&Bits> = always.fair.iter().map(|&c| product.truth.of(c)).collect();
        let loops = fair_loops(product.structure, product.truth.of(always.of), &sets, budget)?;
        if loops.of.iter().all(|&component| component == Components::NONE) {
            return Ok(None);
        }
        // Conditions that would make the tables too large are ignored, which still gives a lower bound.
        let fits =
            |count: usize| product.configs().checked_shl(to_u32(count)).is_some_and(|n| n <= MOST_NODES);
        let tracked = (0..=sets.len().min(16)).rev().find(|&count| fits(count)).unwrap_or(0);
        Ok(Some(Self {
            product,
            walks,
            always: always.location,
            conditions: sets[..tracked].to_vec(),
            region: Region::new(product, loops),
            leads: leads_to(product, always.location),
            tried: Bits::new(product.configs()),
            nodes: SearchNodes::new(product.configs() << tracked),
            pace: WorkPoll::new(budget),
        }))
    }

    fn run(&mut self, bound: usize, lassos: &mut Lassos, work: &mut usize) -> Result<(), Exhausted> {
        for &entry in &self.walks.order {
            let config = self.product.config(entry);
            let distance = self.walks.distance(entry).expect("it was reached");
            let bound = lassos.best.as_ref().map_or(bound, |best| best.states);
            if distance + 1 >= bound {
                break;
            }
            if !self.is_entry(config, distance) {
                continue;
            }
            let found = self.closed_walk(config, bound - 1 - distance, work);
            if found.is_err() || *work == 0 {
                let unexplored = lassos.unexplored.map_or(distance + 1, |known| known.min(distance + 1));
                lassos.unexplored = Some(unexplored);
            }
            if let Some(cycle) = found? {
                let states = distance + cycle.len();
                lassos.best = Some(ClosedWalk { always: self.always, entry, cycle, states });
            }
            if *work == 0 {
                break;
            }
            if config.location == self.always {
                self.region.remove(config.state, &mut self.pace)?;
            } else {
                self.tried.insert(entry.index());
            }
        }
        Ok(())
    }

    /// True if closed walks from here can be less than those from other configurations.
    fn is_entry(&self, config: ProductState, distance: usize) -> bool {
        let at_always = self.product.index(ProductState { location: self.always, ..config });
        let later = || self.walks.distance(at_always).is_none_or(|there| there > distance);
        self.region.has(config.state)
            && (config.location == self.always || self.leads[config.location.index()] && later())
    }

    /// Returns the states of a least closed walk of at most `most` steps that meets all conditions and returns with the
    /// `EG` open.
    fn closed_walk(
        &mut self,
        start: ProductState,
        most: usize,
        work: &mut usize,
    ) -> Result<Option<Vec<StateId>>, Exhausted> {
        let width = self.conditions.len();
        let all = (1usize << width) - 1;
        let product = self.product;
        let node = |config: ProductState, met: usize| product.index(config).index() << width | met;
        let own = self.region.component(start.state);
        self.nodes.restart();
        self.nodes.visit(node(start, met_in(&self.conditions, start.state)), None);
        let (mut level_end, mut steps, mut next) = (1, 0, 0);
        while next < self.nodes.order.len() && steps < most {
            let from = self.nodes.order[next];
            let config = product.config(product.index_of(from as usize >> width));
            let met = from as usize & all;
            let edges = 1 + product.structure.lts.out(config.state).len();
            *work = work.saturating_sub(edges);
            self.pace.spend(edges)?;
            if *work == 0 {
                return Ok(None);
            }
            let mut closed = false;
            let (region, tried, nodes) = (&self.region, &self.tried, &mut self.nodes);
            let (conditions, always) = (&self.conditions, self.always);
            product.successors(config, |state, location| {
                let Some(location) = location else { return };
                if !region.has(state) || region.component(state) != own {
                    return;
                }
                let to = ProductState { state, location };
                let met = met | met_in(conditions, state);
                closed |= state == start.state && location == always && met == all;
                if !tried.has(product.index(to).index()) {
                    nodes.visit(node(to, met), Some(from));
                }
            });
            if closed {
                return Ok(Some(self.states(from, width)));
            }
            next += 1;
            if next == level_end {
                (level_end, steps) = (self.nodes.order.len(), steps + 1);
            }
        }
        Ok(None)
    }

    /// Returns the states on the way to a node.
    fn states(&self, to: u32, width: usize) -> Vec<StateId> {
        let mut states = Vec::new();
        let mut at = Some(to);
        while let Some(node) = at {
            states.push(self.product.config(self.product.index_of(node as usize >> width)).state);
            at = self.nodes.before(node);
        }
        states.reverse();
        states
    }
}

/// Returns the conditions that hold in a state, as bits.
fn met_in(conditions: &[&Bits], state: StateId) -> usize {
    conditions.iter().enumerate().map(|(at, set)| usize::from(set.has(state.index())) << at).sum()
}

/// Returns true for each operator that has another one as a part.
fn leads_to(product: &GoalProduct<'_>, always: GoalOperator) -> Vec<bool> {
    let goal = product.formula;
    let target = product.operator(always);
    let mut contains = vec![false; goal.len()];
    for part in goal.parts() {
        let of = |part: &Subformula| contains[part.index()];
        contains[part.index()] = part == target
            || match goal.node(part) {
                CtlOp::True | CtlOp::Label(_) => false,
                CtlOp::Not(a) | CtlOp::Next(a) => of(a),
                CtlOp::And(a, b) | CtlOp::Or(a, b) | CtlOp::Until(a, b) => of(a) || of(b),
                CtlOp::Always { of: a, fair } => of(a) || fair.iter().any(of),
            };
    }
    product.all_operators().iter().map(|operator| contains[operator.index()]).collect()
}

/// The nodes of consecutive searches, over tables that are cleared by counting.
struct SearchNodes {
    /// For each node the search that visited it last.
    visited: Vec<u32>,
    before: Vec<u32>,
    search: u32,
    order: Vec<u32>,
}

impl SearchNodes {
    fn new(nodes: usize) -> Self {
        Self { visited: vec![0; nodes], before: vec![0; nodes], search: 0, order: Vec::new() }
    }

    fn restart(&mut self) {
        self.search += 1;
        self.order.clear();
    }

    fn visit(&mut self, node: usize, from: Option<u32>) {
        if std::mem::replace(&mut self.visited[node], self.search) != self.search {
            self.before[node] = from.unwrap_or(to_u32(node));
            self.order.push(to_u32(node));
        }
    }

    fn before(&self, node: u32) -> Option<u32> {
        let before = self.before[node as usize];
        (before != node).then_some(before)
    }
}

/// The states that may still be on cycles, with the numbers of their edges inside.
struct Region<'a> {
    product: &'a GoalProduct<'a>,
    loops: Components,
    backward: TransitionRows,
    /// The number of edges from the region to each state, and from each state to the region.
    incoming: Vec<u32>,
    outgoing: Vec<u32>,
}

impl<'a> Region<'a> {
    fn new(product: &'a GoalProduct<'a>, loops: Components) -> Self {
        let structure = product.structure;
        let backward = structure.lts.backward();
        let states = structure.states();
        let (mut incoming, mut outgoing) = (vec![0; states], vec![0; states]);
        for from in (0..states).filter(|&s| loops.of[s] != Components::NONE) {
            for to in structure.after(StateId::new(from)).map(|to| to.index()) {
                if loops.of[to] == loops.of[from] {
                    outgoing[from] += 1;
                    incoming[to] += 1;
                }
            }
        }
        Self { product, loops, backward, incoming, outgoing }
    }

    fn has(&self, state: StateId) -> bool {
        self.component(state) != Components::NONE
    }

    fn component(&self, state: StateId) -> u32 {
        self.loops.of[state.index()]
    }

    /// Removes a state, and every state that is then on no cycle because it has no edge from or to the rest.
    fn remove(&mut self, state: StateId, pace: &mut WorkPoll<'_>) -> Result<(), Exhausted> {
        let mut open = vec![state];
        while let Some(gone) = open.pop() {
            let own = std::mem::replace(&mut self.loops.of[gone.index()], Components::NONE);
            if own == Components::NONE {
                continue;
            }
            pace.spend(1 + self.backward.of(gone).len() + self.product.structure.lts.out(gone).len())?;
            for to in self.product.structure.after(gone) {
                if self.loops.of[to.index()] == own {
                    self.incoming[to.index()] -= 1;
                    open.extend((self.incoming[to.index()] == 0).then_some(to));
                }
            }
            for (_, from) in self.backward.of(gone) {
                if self.loops.of[from.index()] == own {
                    self.outgoing[from.index()] -= 1;
                    open.extend((self.outgoing[from.index()] == 0).then_some(from));
                }
            }
        }
        Ok(())
    }
}
