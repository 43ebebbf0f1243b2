//! A subgraph that shows a goal with as few transitions as possible, and of these one with as few states as possible.
//!
//! A state needs one step for each operator that it has to show, and one more for each further fairness condition. So there is
//! a link for each slot and operator, and an edge is where some link leads. Slots are filled breadth first. That a link
//! for `E[f U g]` or for a fairness condition gets there at last is asked for only where one went round in circles.

use super::formula::{Formula, Node, Part};
use super::space::Space;
use super::witness::Witness;
use crate::budget::Exhausted;
use crate::sat::{Answer, Circuit, Lit};
use rustc_hash::FxHashMap;

/// What the search for a subgraph has come to.
#[derive(Debug, Clone, PartialEq)]
pub enum SubgraphSearch<S> {
    /// A smallest one.
    Found(Witness<S>),
    /// There is none with up to so many states.
    NoneUpTo(usize),
    /// The budget ended; there is none with fewer transitions than this.
    Exhausted(Exhausted, usize),
}

/// Looks for a smallest subgraph of at most `most` states. Each number of transitions has a space of its own, which
/// `make` makes.
pub fn smallest_subgraph<P: Space>(
    mut make: impl FnMut() -> P,
    goal: &Formula,
    most: usize,
) -> SubgraphSearch<P::State> {
    // With so many states, no link is without an edge of its own.
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
        // Where more transitions do not help, either, there is nothing to wait for.
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

/// Whether there is a subgraph of at most `most` states at all, and one if so; not necessarily a small one.
///
/// # Errors
/// If the budget ends.
pub fn any_subgraph<P: Space>(
    space: P,
    goal: &Formula,
    most: usize,
) -> Result<Option<Witness<P::State>>, Exhausted> {
    let mut encoding = Encoding::new(space, goal, most);
    match encoding.solve(&[]) {
        Answer::Sat => Ok(Some(encoding.witness())),
        Answer::Unsat => Ok(None),
        Answer::Unknown(why) => Err(why),
    }
}

fn links_per_state(goal: &Formula) -> usize {
    let links = |part: Part| match goal.node(part) {
        Node::Next(_) | Node::Until(..) => 1,
        Node::Always { fair, .. } => fair.len().max(1),
        _ => 0,
    };
    goal.parts().map(links).sum()
}

/// Something that a state has to show: a part of the goal, and for `EG` which fairness condition is next.
type Need = (Part, usize);

/// The steps that show one need, at all slots.
struct Links {
    need: Need,
    /// For each slot whether no link is needed there, because what it is for has been reached.
    arrived: Vec<Lit>,
    /// For each slot where its link leads.
    targets: Vec<Vec<Lit>>,
    /// Whether every link must get somewhere at last.
    must_arrive: bool,
}

struct Encoding<'a, P: Space> {
    space: P,
    goal: &'a Formula,
    slots: Vec<usize>,
    used: Vec<Lit>,
    needs: FxHashMap<(usize, Need), Lit>,
    links: Vec<Links>,
    /// By source and target.
    edges: Vec<Vec<Lit>>,
}

impl<'a, P: Space> Encoding<'a, P> {
    fn new(mut space: P, goal: &'a Formula, size: usize) -> Self {
        let mut slots = vec![space.first()];
        let mut used = vec![space.circuit().yes()];
        for _ in 1..size {
            let there = space.circuit().fresh();
            slots.push(space.any(there));
            used.push(there);
        }
        let edges = vec![vec![space.circuit().no(); size]; size];
        let (needs, links) = (FxHashMap::default(), Vec::new());
        let mut encoding = Self { space, goal, slots, used, needs, links, edges };
        for part in goal.parts() {
            encoding.show(part);
        }
        let root = encoding.need(0, (goal.root, 0));
        encoding.circuit().add_clause(&[root]);
        encoding.connect();
        encoding
    }

    fn circuit(&mut self) -> &mut Circuit {
        self.space.circuit()
    }

    fn need(&mut self, slot: usize, need: Need) -> Lit {
        if let Some(&known) = self.needs.get(&(slot, need)) {
            return known;
        }
        let lit = self.circuit().fresh();
        let used = self.used[slot];
        self.circuit().add_clause(&[!lit, used]);
        self.needs.insert((slot, need), lit);
        lit
    }

    /// Clauses for what each slot does to show a part, if it needs to.
    fn show(&mut self, part: Part) {
        let goal = self.goal;
        match goal.node(part) {
            Node::True => {}
            Node::Label(_) => self.at_all_slots(part, |this, at| {
                let slot = this.slots[at];
                vec![vec![this.space.label(part, slot)]]
            }),
            Node::Not(_) => unreachable!("negations are in the facts of a goal"),
            Node::And(a, b) => self.at_all_slots(part, |this, at| {
                vec![vec![this.need(at, (*a, 0))], vec![this.need(at, (*b, 0))]]
            }),
            Node::Or(a, b) => {
                self.at_all_slots(part, |this, at| vec![vec![this.need(at, (*a, 0)), this.need(at, (*b, 0))]])
            }
            Node::Next(a) => {
                let size = self.slots.len();
                let arrived = vec![self.circuit().no(); size];
                let going = (0..size).map(|at| self.need(at, (part, 0))).collect();
                self.link((part, 0), going, arrived, false, |_| vec![(*a, 0)]);
            }
            Node::Until(a, b) => {
                let (mut going, mut arrived) = (Vec::new(), Vec::new());
                for at in 0..self.slots.len() {
                    let (go, stop) = (self.circuit().fresh(), self.circuit().fresh());
                    let (through, end) = (self.need(at, (*a, 0)), self.need(at, (*b, 0)));
                    let need = self.need(at, (part, 0));
                    // What goes on needs to, so that circles are excluded by what they are needed for.
                    self.circuit().add_clause(&[!go, need]);
                    for clause in
                        [[!need, go, stop], [!go, through, through], [!stop, end, end], [!go, !stop, !go]]
                    {
                        self.circuit().add_clause(&clause);
                    }
                    going.push(go);
                    arrived.push(stop);
                }
                self.link((part, 0), going, arrived, true, |_| vec![(part, 0)]);
            }
            Node::Always { of, fair } => {
                for phase in 0..fair.len().max(1) {
                    let (mut going, mut arrived) = (Vec::new(), Vec::new());
                    for at in 0..self.slots.len() {
                        let need = self.need(at, (part, phase));
                        let of = self.need(at, (*of, 0));
                        self.circuit().add_clause(&[!need, of]);
                        let met = self.circuit().fresh();
                        if let Some(condition) = fair.get(phase) {
                            let condition = self.need(at, (*condition, 0));
                            self.circuit().add_clause(&[!met, condition]);
                        }
                        going.push(need);
                        arrived.push(met);
                    }
                    let next = (phase + 1) % fair.len().max(1);
                    let then = |met| vec![(part, if met { next } else { phase })];
                    self.link((part, phase), going, arrived, !fair.is_empty(), then);
                }
            }
        }
    }

    fn at_all_slots(&mut self, part: Part, clauses: impl Fn(&mut Self, usize) -> Vec<Vec<Lit>>) {
        for at in 0..self.slots.len() {
            let need = self.need(at, (part, 0));
            for mut clause in clauses(self, at) {
                clause.push(!need);
                self.circuit().add_clause(&clause);
            }
        }
    }

    /// A link at each slot where it is `going`; `then` says what its target needs, by whether the slot had arrived.
    fn link(
        &mut self,
        need: Need,
        going: Vec<Lit>,
        arrived: Vec<Lit>,
        must_arrive: bool,
        then: impl Fn(bool) -> Vec<Need>,
    ) {
        let slots = self.slots.clone();
        let mut targets = Vec::new();
        for (from, &go) in going.iter().enumerate() {
            let link = self.space.link(slots[from], &slots, go);
            for (to, &lit) in link.iter().enumerate() {
                for (met, unless) in [(false, arrived[from]), (true, !arrived[from])] {
                    for after in then(met) {
                        let after = self.need(to, after);
                        self.circuit().add_clause(&[!lit, unless, after]);
                    }
                }
                let edge = self.edges[from][to];
                self.edges[from][to] = self.circuit().or(edge, lit);
            }
            targets.push(link);
        }
        self.links.push(Links { need, arrived, targets, must_arrive });
    }

    /// Every slot in use has an edge from an earlier one, and the slots are in the order of a breadth-first search.
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

    /// A literal that says: there are at most so many edges.
    fn at_most(&mut self, most: usize) -> Lit {
        // How many there are so far, as a row of literals: at least one, at least two, …
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

    /// Solves until nothing goes round in circles that has to arrive.
    fn solve(&mut self, assumptions: &[Lit]) -> Answer {
        loop {
            let answer = self.circuit().solve(assumptions);
            if answer != Answer::Sat {
                return answer;
            }
            let circles = self.circles();
            if circles.is_empty() {
                return Answer::Sat;
            }
            for (index, circle) in circles {
                self.forbid(index, &circle);
            }
        }
    }

    /// Slots whose links lead round among them without arriving, by links.
    fn circles(&mut self) -> Vec<(usize, Vec<usize>)> {
        let mut circles = Vec::new();
        for (index, links) in self.links.iter().enumerate().filter(|(_, links)| links.must_arrive) {
            let circuit = self.space.circuit();
            let next = |at: usize| {
                let arrived = circuit.value(links.arrived[at]);
                links.targets[at].iter().position(|&lit| !arrived && circuit.value(lit))
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
                    circles.push((index, way[begin..].to_vec()));
                }
            }
        }
        circles
    }

    /// Whoever is in the circle and needs what its links are for arrives in it, or leaves it.
    fn forbid(&mut self, index: usize, circle: &[usize]) {
        let links = &self.links[index];
        let mut out = Vec::new();
        for &slot in circle {
            out.push(links.arrived[slot]);
            let targets = links.targets[slot].iter().enumerate();
            out.extend(targets.filter(|(to, _)| !circle.contains(to)).map(|(_, &lit)| lit));
        }
        let need = links.need;
        for &slot in circle {
            let mut clause = out.clone();
            clause.push(!self.need(slot, need));
            self.circuit().add_clause(&clause);
        }
    }

    /// The subgraph of the solver's assignment.
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

    /// After an assignment with few edges: one with as few states as possible, too.
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
