//! Merges equivalent states, and computes the simulations that make states superfluous.

use super::{Automaton, AutomatonStates, Edge, LetterLiteral, MOST_STATES, NoAutomaton, Raw};
use rustc_hash::FxHashMap;

/// The conditions and the target of an edge.
type GuardedEdge<'a> = (&'a [LetterLiteral], usize);

/// Returns the reduced automaton.
pub fn reduced(raw: Raw) -> Result<Automaton, NoAutomaton> {
    let mut raw = useful(raw);
    loop {
        let before = raw.accepting.len();
        raw = joined(joined(raw, Direction::Forwards), Direction::Backwards);
        if raw.accepting.len() == before {
            break;
        }
    }
    let states = raw.accepting.len();
    if states > MOST_STATES {
        return Err(NoAutomaton::Size);
    }
    let accepting: AutomatonStates = (0..states).filter(|&q| raw.accepting[q]).collect();
    let simulating = simulation(&raw.edges, states, accepting);
    let above: Vec<AutomatonStates> = (0..states)
        .map(|q| {
            let better = |p: usize| !simulating[p].contains(q) || p < q;
            simulating[q].states().filter(|&p| p != q && better(p)).collect()
        })
        .collect();
    let start = raw.start.iter().copied().collect();
    let mut automaton =
        Automaton { letters: raw.letters, edges: raw.edges, states, start, accepting, simulating, above };
    automaton.start = automaton.without_superfluous(start);
    automaton.drop_superfluous_edges();
    automaton.drop_unused_letters();
    Ok(automaton)
}

/// Removes the states from which no trace is accepted.
fn useful(mut raw: Raw) -> Raw {
    let mut alive = raw.accepting.clone();
    loop {
        let before = alive.iter().filter(|a| **a).count();
        for edge in &raw.edges {
            alive[edge.from] |= alive[edge.to];
        }
        if alive.iter().filter(|a| **a).count() == before {
            break;
        }
    }
    raw.edges.retain(|e| alive[e.from] && alive[e.to]);
    raw.start.retain(|&q| alive[q]);
    raw
}

/// The direction of a bisimulation.
#[derive(Clone, Copy, PartialEq)]
enum Direction {
    /// Merges states with the same future.
    Forwards,
    /// Merges states with the same past. So choices of remembered values share their states up to the
    /// position where they differ.
    Backwards,
}

/// Merges bisimilar states: those with the same edges to the same blocks, or from the same blocks. The
/// coarsest bisimulation preserves the language in either direction.
fn joined(raw: Raw, direction: Direction) -> Raw {
    let states = raw.accepting.len();
    let mut starts = vec![false; states];
    raw.start.iter().for_each(|&q| starts[q] = true);
    let ends = |e: &Edge| match direction {
        Direction::Forwards => (e.from, e.to),
        Direction::Backwards => (e.to, e.from),
    };
    let mut edges_of: Vec<Vec<&Edge>> = vec![Vec::new(); states];
    for edge in &raw.edges {
        edges_of[ends(edge).0].push(edge);
    }
    let used: Vec<usize> =
        (0..states).filter(|&q| raw.accepting[q] || !edges_of[q].is_empty() || starts[q]).collect();
    debug_assert!(
        raw.edges.iter().all(|e| used.binary_search(&e.from).is_ok() && used.binary_search(&e.to).is_ok()),
        "all states can be reached, and accept something"
    );
    let marked = if direction == Direction::Forwards { &raw.accepting } else { &starts };
    let mut block: Vec<usize> = marked.iter().map(|&m| usize::from(m)).collect();
    let mut count = 0;
    loop {
        let mut blocks: FxHashMap<(usize, Vec<GuardedEdge<'_>>), usize> = FxHashMap::default();
        let mut next = block.clone();
        for &q in &used {
            let mut ways: Vec<GuardedEdge<'_>> =
                edges_of[q].iter().map(|e| (e.conditions.as_slice(), block[ends(e).1])).collect();
            ways.sort_unstable();
            ways.dedup();
            let number = blocks.len();
            next[q] = *blocks.entry((block[q], ways)).or_insert(number);
        }
        block = next;
        if blocks.len() == count {
            break;
        }
        count = blocks.len();
    }
    let mut edges: Vec<Edge> = raw
        .edges
        .iter()
        .map(|e| Edge { from: block[e.from], to: block[e.to], conditions: e.conditions.clone() })
        .collect();
    edges.sort_unstable();
    edges.dedup();
    let mut accepting = vec![false; count];
    used.iter().for_each(|&q| accepting[block[q]] |= raw.accepting[q]);
    let mut start: Vec<usize> = raw.start.iter().map(|&q| block[q]).collect();
    start.sort_unstable();
    start.dedup();
    Raw { letters: raw.letters, edges, start, accepting }
}

/// Returns, for each state, the states that simulate it, including itself: they match each of its edges under
/// no more conditions, and accept where it does.
fn simulation(edges: &[Edge], states: usize, accepting: AutomatonStates) -> Vec<AutomatonStates> {
    let of: Vec<Vec<&Edge>> = (0..states).map(|q| edges.iter().filter(|e| e.from == q).collect()).collect();
    let all: AutomatonStates = (0..states).collect();
    let mut simulating: Vec<AutomatonStates> =
        (0..states).map(|q| if accepting.contains(q) { accepting } else { all }).collect();
    loop {
        let mut changed = false;
        for q in 0..states {
            for p in simulating[q].states() {
                let follows =
                    |e: &&Edge| of[p].iter().any(|f| simulating[e.to].contains(f.to) && weaker(f, e));
                if p != q && !of[q].iter().all(follows) {
                    simulating[q].remove(p);
                    changed = true;
                }
            }
        }
        if !changed {
            return simulating;
        }
    }
}

/// True if an edge has no condition that the other has not.
fn weaker(edge: &Edge, than: &Edge) -> bool {
    edge.conditions.iter().all(|c| than.conditions.binary_search(c).is_ok())
}

impl Automaton {
    /// Drops an edge if a parallel edge with no more conditions leads to a state that makes its target
    /// superfluous.
    fn drop_superfluous_edges(&mut self) {
        let edges = std::mem::take(&mut self.edges);
        let superfluous = |e: &Edge| {
            edges.iter().any(|f| {
                f.from == e.from
                    && weaker(f, e)
                    && (self.above[e.to].contains(f.to)
                        || f.to == e.to && f.conditions.len() < e.conditions.len())
            })
        };
        self.edges = edges.iter().filter(|e| !superfluous(e)).cloned().collect();
    }

    fn drop_unused_letters(&mut self) {
        let mut used: Vec<usize> = self.edges.iter().flat_map(|e| e.conditions.iter().map(|c| c.0)).collect();
        used.sort_unstable();
        used.dedup();
        for edge in &mut self.edges {
            for (letter, _) in &mut edge.conditions {
                *letter = used.partition_point(|u| u < letter);
            }
        }
        self.letters = used.into_iter().map(|l| self.letters[l].clone()).collect();
    }
}
