//! A subgraph that shows a goal with as few transitions as possible, and of these one with as few states as possible.
//!
//! A state needs one step for each operator that it has to show, and one more for each further fairness condition. Each
//! slot and operator therefore has a link, and there is an edge wherever some link leads. Slots are in breadth-first
//! order. A chain of links for `E[f U g]` or for a fairness condition must end where these are met; this is demanded
//! lazily, by loop formulas for the cycles that the solver proposes.

use super::formula::{CtlFormula, CtlOp, Subformula};
use super::space::{EncodedSystem, StateSlot};
use super::witness::Witness;
use kit::budget::Exhausted;
use rustc_hash::FxHashMap;
use solvers::sat::{Answer, Circuit, Lit};

/// The result of the search for a subgraph.
#[derive(Debug, Clone, PartialEq)]
pub enum SubgraphSearch<S> {
    /// A smallest subgraph.
    Found(Witness<S>),
    /// No subgraph with up to this many states shows the goal.
    NoneUpTo(usize),
    /// The budget ended; no subgraph with fewer transitions than this shows the goal.
    Exhausted(Exhausted, usize),
}

/// Looks for a smallest subgraph of at most `most` states. `make` makes a new space for each number of transitions.
pub fn smallest_subgraph<P: EncodedSystem>(
    mut make: impl FnMut() -> P,
    goal: &CtlFormula,
    most: usize,
) -> SubgraphSearch<P::State> {
    // A state has at most one edge for each link, and at most one to each state.
    let links = links_per_state(goal).max(1);
    for edges in 0..=most.saturating_mul(links.min(most)) {
        let mut encoding = Encoding::new(make(), goal, most.min(edges + 1));
        let few = encoding.at_most(edges);
        match encoding.solve(&[few]) {
            Answer::Sat => {
                return match encoding.fewest_states(few) {
                    Ok(witness) => SubgraphSearch::Found(witness),
                    Err(why) => SubgraphSearch::Exhausted(why, edges),
                };
            }
            Answer::Unsat => {}
            Answer::Unknown(why) => return SubgraphSearch::Exhausted(why, edges),
        }
        // If further transitions do not help, either, the search can end.
        if edges + 1 == most {
            match encoding.solve(&[]) {
                Answer::Sat => {}
                Answer::Unsat => return SubgraphSearch::NoneUpTo(most),
                Answer::Unknown(why) => return SubgraphSearch::Exhausted(why, edges + 1),
            }
        }
    }
    SubgraphSearch::NoneUpTo(most)
}

/// Returns a subgraph of at most `most` states, not necessarily a small one, if there is any.
///
/// # Errors
/// If the budget ends.
pub fn any_subgraph<P: EncodedSystem>(
    space: P,
    goal: &CtlFormula,
    most: usize,
) -> Result<Option<Witness<P::State>>, Exhausted> {
    let mut encoding = Encoding::new(space, goal, most);
    match encoding.solve(&[]) {
        Answer::Sat => Ok(Some(encoding.witness())),
        Answer::Unsat => Ok(None),
        Answer::Unknown(why) => Err(why),
    }
}

fn links_per_state(goal: &CtlFormula) -> usize {
    let links = |part: Subformula| match goal.node(part) {
        CtlOp::Next(_) | CtlOp::Until(..) => 1,
        CtlOp::Always { fair, .. } => fair.len().max(1),
        _ => 0,
    };
    goal.parts().map(links).sum()
}

/// An obligation of a state: a part of the goal and, for `EG`, the number of the next fairness condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct StateObligation {
    part: Subformula,
    phase: usize,
}

impl StateObligation {
    fn of(part: Subformula) -> Self {
        Self { part, phase: 0 }
    }
}

/// An operator at one slot.
#[derive(Debug, Clone, Copy)]
struct Here {
    /// The literal that a link must lead on.
    going: Lit,
    /// The literal that the operator's goal is reached here.
    discharged: Lit,
}

/// The steps that show one obligation, at all slots.
struct Links {
    obligation: StateObligation,
    /// The literal at each slot that the obligation is discharged there.
    discharged: Vec<Lit>,
    /// The literals of the targets of the link of each slot.
    targets: Vec<Vec<Lit>>,
    /// True if every chain of links must reach a slot where the obligation is discharged.
    must_arrive: bool,
}

struct Encoding<'a, P: EncodedSystem> {
    space: P,
    goal: &'a CtlFormula,
    slots: Vec<StateSlot>,
    used: Vec<Lit>,
    obligations: FxHashMap<(usize, StateObligation), Lit>,
    links: Vec<Links>,
    /// Literals by source and target.
    edges: Vec<Vec<Lit>>,
}

impl<'a, P: EncodedSystem> Encoding<'a, P> {
    fn new(mut space: P, goal: &'a CtlFormula, size: usize) -> Self {
        let mut slots = vec![space.first()];
        let mut used = vec![space.circuit().yes()];
        for _ in 1..size {
            let there = space.circuit().fresh();
            slots.push(space.any(there));
            used.push(there);
        }
        let edges = vec![vec![space.circuit().no(); size]; size];
        let (obligations, links) = (FxHashMap::default(), Vec::new());
        let mut encoding = Self { space, goal, slots, used, obligations, links, edges };
        for part in goal.parts() {
            encoding.show(part);
        }
        let root = encoding.obligation(0, StateObligation::of(goal.root));
        encoding.circuit().add_clause(&[root]);
        encoding.connect();
        encoding
    }

    fn circuit(&mut self) -> &mut Circuit {
        self.space.circuit()
    }

    /// Returns the literal that a slot has an obligation.
    fn obligation(&mut self, slot: usize, obligation: StateObligation) -> Lit {
        if let Some(&known) = self.obligations.get(&(slot, obligation)) {
            return known;
        }
        let lit = self.circuit().fresh();
        let used = self.used[slot];
        self.circuit().add_clause(&[!lit, used]);
        self.obligations.insert((slot, obligation), lit);
        lit
    }

    /// Returns the literal that a slot has to show a part.
    fn needs(&mut self, slot: usize, part: Subformula) -> Lit {
        self.obligation(slot, StateObligation::of(part))
    }

    /// Adds clauses for showing a part at each slot that has to.
    fn show(&mut self, part: Subformula) {
        let goal = self.goal;
        match goal.node(part) {
            CtlOp::True => {}
            CtlOp::Label(_) => self.at_all_slots(part, |this, at| {
                let slot = this.slots[at];
                vec![vec![this.space.label(part, slot)]]
            }),
            CtlOp::Not(_) => unreachable!("negations are in the facts of a goal"),
            CtlOp::And(a, b) => {
                self.at_all_slots(part, |this, at| vec![vec![this.needs(at, *a)], vec![this.needs(at, *b)]])
            }
            CtlOp::Or(a, b) => {
                self.at_all_slots(part, |this, at| vec![vec![this.needs(at, *a), this.needs(at, *b)]])
            }
            CtlOp::Next(a) => {
                let no = self.circuit().no();
                let here = self.per_slot(|this, at| Here { going: this.needs(at, part), discharged: no });
                self.link(StateObligation::of(part), &here, false, |_| StateObligation::of(*a));
            }
            CtlOp::Until(a, b) => {
                let here = self.per_slot(|this, at| this.until_at(at, part, *a, *b));
                self.link(StateObligation::of(part), &here, true, |_| StateObligation::of(part));
            }
            CtlOp::Always { of, fair } => {
                let phases = fair.len().max(1);
                for phase in 0..phases {
                    let condition = fair.get(phase).copied();
                    let own = StateObligation { part, phase };
                    let here = self.per_slot(|this, at| this.always_at(at, own, *of, condition));
                    let next = StateObligation { part, phase: (phase + 1) % phases };
                    let then = |discharged| if discharged { next } else { own };
                    self.link(own, &here, !fair.is_empty(), then);
                }
            }
        }
    }

    /// Encodes `E[a U b]` at a slot: either b is shown there, or a, and a link leads on.
    fn until_at(&mut self, at: usize, part: Subformula, a: Subformula, b: Subformula) -> Here {
        let (going, discharged) = (self.circuit().fresh(), self.circuit().fresh());
        let (through, end, needed) = (self.needs(at, a), self.needs(at, b), self.needs(at, part));
        let circuit = self.circuit();
        circuit.add_clause(&[!needed, going, discharged]);
        circuit.add_clause(&[!going, through]);
        circuit.add_clause(&[!discharged, end]);
        circuit.add_clause(&[!going, !discharged]);
        // Only needed obligations go on, so that cycles are excluded only there.
        circuit.add_clause(&[!going, needed]);
        Here { going, discharged }
    }

    /// Encodes `EG` at a slot while it waits for a fairness condition: `of` is shown there, and a link leads on.
    fn always_at(
        &mut self,
        at: usize,
        own: StateObligation,
        of: Subformula,
        condition: Option<Subformula>,
    ) -> Here {
        let (going, of) = (self.obligation(at, own), self.needs(at, of));
        let discharged = self.circuit().fresh();
        self.circuit().add_clause(&[!going, of]);
        if let Some(condition) = condition {
            let condition = self.needs(at, condition);
            self.circuit().add_clause(&[!discharged, condition]);
        }
        Here { going, discharged }
    }

    fn per_slot(&mut self, mut here: impl FnMut(&mut Self, usize) -> Here) -> Vec<Here> {
        (0..self.slots.len()).map(|at| here(self, at)).collect()
    }

    /// Adds clauses at each slot that has to show a part.
    fn at_all_slots(&mut self, part: Subformula, clauses: impl Fn(&mut Self, usize) -> Vec<Vec<Lit>>) {
        for at in 0..self.slots.len() {
            let needed = self.needs(at, part);
            for mut clause in clauses(self, at) {
                clause.push(!needed);
                self.circuit().add_clause(&clause);
            }
        }
    }

    /// Adds a link at each slot where it is `going`; `then` gives the obligation of its target, depending on whether
    /// that of the slot is discharged.
    fn link(
        &mut self,
        obligation: StateObligation,
        here: &[Here],
        must_arrive: bool,
        then: impl Fn(bool) -> StateObligation,
    ) {
        let slots = self.slots.clone();
        let mut targets = Vec::new();
        for (from, here) in here.iter().enumerate() {
            let link = self.space.link(slots[from], &slots, here.going);
            for (to, &lit) in link.iter().enumerate() {
                for (discharged, unless) in [(false, here.discharged), (true, !here.discharged)] {
                    let after = self.obligation(to, then(discharged));
                    self.circuit().add_clause(&[!lit, unless, after]);
                }
                let edge = self.edges[from][to];
                self.edges[from][to] = self.circuit().or(edge, lit);
            }
            targets.push(link);
        }
        let discharged = here.iter().map(|here| here.discharged).collect();
        self.links.push(Links { obligation, discharged, targets, must_arrive });
    }

    /// Demands that every slot in use has an edge from an earlier one, and that slots are in breadth-first order.
    fn connect(&mut self) {
        let size = self.slots.len();
        for to in 1..size {
            let used = self.used[to];
            let mut parents: Vec<Lit> = (0..to).map(|from| self.edges[from][to]).collect();
            parents.push(!used);
            self.circuit().add_clause(&parents);
            let before = self.used[to - 1];
            self.circuit().add_clause(&[!used, before]);
            for from in 0..size {
                let edge = self.edges[from][to];
                self.circuit().add_clause(&[!edge, used]);
                if to > 1 && from + 1 < to {
                    let mut clause: Vec<Lit> =
                        (0..=from).map(|earlier| self.edges[earlier][to - 1]).collect();
                    clause.push(!edge);
                    self.circuit().add_clause(&clause);
                }
            }
        }
    }

    /// Returns the literal that there are at most `most` edges.
    fn at_most(&mut self, most: usize) -> Lit {
        // The number of edges so far, in unary: at least one, at least two, …
        let mut rows = vec![self.circuit().no(); most + 1];
        let edges: Vec<Lit> = self.edges.iter().flatten().copied().collect();
        for edge in edges {
            for at in (0..rows.len()).rev() {
                let below = if at == 0 { self.circuit().yes() } else { rows[at - 1] };
                let more = self.circuit().and(below, edge);
                rows[at] = self.circuit().or(rows[at], more);
            }
        }
        !rows[most]
    }

    /// Solves until no obligation that must be discharged is passed on round a cycle for ever.
    fn solve(&mut self, assumptions: &[Lit]) -> Answer {
        loop {
            let answer = self.circuit().solve(assumptions);
            if answer != Answer::Sat {
                return answer;
            }
            let cycles = self.cycles();
            if cycles.is_empty() {
                return Answer::Sat;
            }
            for (index, cycle) in cycles {
                self.forbid(index, &cycle);
            }
        }
    }

    /// Returns the cycles of links on which the obligation is not discharged, with the index of the links.
    fn cycles(&mut self) -> Vec<(usize, Vec<usize>)> {
        let mut cycles = Vec::new();
        for (index, links) in self.links.iter().enumerate().filter(|(_, links)| links.must_arrive) {
            let circuit = self.space.circuit();
            let next = |at: usize| {
                let discharged = circuit.value(links.discharged[at]);
                links.targets[at].iter().position(|&lit| !discharged && circuit.value(lit))
            };
            let next: Vec<Option<usize>> = (0..self.slots.len()).map(next).collect();
            let mut seen = vec![false; next.len()];
            for start in 0..next.len() {
                let mut way = Vec::new();
                let mut at = Some(start);
                while let Some(slot) = at.filter(|&slot| !seen[slot]) {
                    seen[slot] = true;
                    way.push(slot);
                    at = next[slot];
                }
                if let Some(begin) = at.and_then(|slot| way.iter().position(|&w| w == slot)) {
                    cycles.push((index, way[begin..].to_vec()));
                }
            }
        }
        cycles
    }

    /// Adds a loop formula: if some slot on the cycle has the obligation, then one of them discharges it or has a link
    /// that leaves the cycle. After F. Lin, Y. Zhao, *ASSAT: computing answer sets of a logic program by SAT solvers*
    /// (2004).
    fn forbid(&mut self, index: usize, cycle: &[usize]) {
        let links = &self.links[index];
        let mut out = Vec::new();
        for &slot in cycle {
            out.push(links.discharged[slot]);
            let targets = links.targets[slot].iter().enumerate();
            out.extend(targets.filter(|(to, _)| !cycle.contains(to)).map(|(_, &lit)| lit));
        }
        let obligation = links.obligation;
        for &slot in cycle {
            let mut clause = out.clone();
            clause.push(!self.obligation(slot, obligation));
            self.circuit().add_clause(&clause);
        }
    }

    /// Returns the subgraph of the solver's assignment.
    fn witness(&mut self) -> Witness<P::State> {
        let used: Vec<usize> =
            (0..self.slots.len()).filter(|&at| self.space.circuit().value(self.used[at])).collect();
        let states = used.iter().map(|&at| self.space.state(self.slots[at])).collect();
        let mut edges = Vec::new();
        for &from in &used {
            let to = used.iter().copied().filter(|&to| self.space.circuit().value(self.edges[from][to]));
            edges.extend(to.map(|to| (from, to)));
        }
        Witness::subgraph(states, edges)
    }

    /// Reduces the number of states as well, after an assignment with few edges.
    fn fewest_states(&mut self, few: Lit) -> Result<Witness<P::State>, Exhausted> {
        loop {
            let witness = self.witness();
            let used = self.used.clone();
            let states = used.iter().filter(|&&lit| self.circuit().value(lit)).count();
            if states <= 1 {
                return Ok(witness);
            }
            match self.solve(&[few, !used[states - 1]]) {
                Answer::Sat => {}
                Answer::Unsat => return Ok(witness),
                Answer::Unknown(why) => return Err(why),
            }
        }
    }
}
