//! The counterexample or witness that is shown: a path if there is one, else a subgraph.

use super::check::{Truth, check};
use super::evidence::{Evidence, evidence};
use super::goal::Goal;
use super::path::{PathSearch, shortest_path};
use super::space::Space;
use super::structure::Structure;
use super::subgraph::{SubgraphSearch, smallest_subgraph};
use super::witness::{Shape, Witness};
use crate::budget::{Budget, Exhausted};
use crate::lts::Bits;
use rustc_hash::FxHashMap;

/// What is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// A shortest path; a smallest subgraph where there is none.
    PathOrSubgraph,
    /// Only a path, however long it is.
    Path,
    /// Only a subgraph, also where a path would do.
    Subgraph,
}

/// Why no path is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoPath {
    /// None of any length shows the goal.
    Impossible,
    /// None with up to so many states does; longer ones were not looked at.
    UpTo(usize),
    /// None was looked for.
    NotWanted,
}

/// What was found.
#[derive(Debug, Clone, PartialEq)]
pub enum Extracted<S> {
    /// A shortest path, or a smallest subgraph with the reason why it is no path.
    Found(Witness<S>, Option<NoPath>),
    /// Nothing, within what was looked at.
    Nothing(NoPath),
    /// The budget ended.
    Exhausted(Exhausted),
}

/// Where more than one path may be needed, no path of more states than this is looked for before a subgraph.
pub const LONGEST_PATH: usize = 30;

/// Where some path will do, on which states may come again, one without repetition is looked for up to so many states.
const LONGEST_LINEAR: usize = 1000;

/// Looks for it among subgraphs of at most `most` states; `make` makes a space for each search.
pub fn extract<P: Space>(
    mut make: impl FnMut() -> P,
    goal: &Goal,
    wanted: Wanted,
    most: usize,
) -> Extracted<P::State> {
    let mut no_path = NoPath::NotWanted;
    if wanted != Wanted::Subgraph {
        let longest = match wanted {
            Wanted::Path => most,
            _ if goal.is_linear() => LONGEST_LINEAR.min(most),
            _ => LONGEST_PATH.min(most),
        };
        no_path = match shortest_path(&mut make(), &goal.formula, longest) {
            PathSearch::Found(path) => return Extracted::Found(path, None),
            PathSearch::Exhausted(why, _) => return Extracted::Exhausted(why),
            PathSearch::Impossible => NoPath::Impossible,
            PathSearch::NoneUpTo(longest) => NoPath::UpTo(longest),
        };
        if wanted == Wanted::Path {
            return Extracted::Nothing(no_path);
        }
    }
    match smallest_subgraph(make, &goal.formula, most) {
        SubgraphSearch::Found(subgraph) => Extracted::Found(subgraph, Some(no_path)),
        SubgraphSearch::NoneUpTo(_) => Extracted::Nothing(no_path),
        SubgraphSearch::Exhausted(why, _) => Extracted::Exhausted(why),
    }
}

/// A witness with the reason why it is one.
#[derive(Debug, Clone, PartialEq)]
pub struct Shown<S> {
    /// Its states and steps.
    pub witness: Witness<S>,
    /// What each of them is for; states are indices into those of the witness.
    pub evidence: Vec<Evidence>,
}

impl<S> Shown<S> {
    /// Evaluates a witness again and says what its parts are for. `fact` says whether a fact of the goal, by its number,
    /// holds in a state.
    ///
    /// # Panics
    /// If the witness does not show the goal: whoever found it is wrong then.
    pub fn new(witness: Witness<S>, goal: &Goal, mut fact: impl FnMut(usize, &S) -> bool) -> Self {
        assert!(witness.shows(goal, &mut fact), "the search and the definition disagree");
        let structure = witness.structure();
        let labels: Vec<Bits> = (0..goal.facts.len())
            .map(|number| {
                let mut set = Bits::new(witness.states.len());
                let states = witness.states.iter().enumerate();
                states.filter(|(_, state)| fact(number, state)).for_each(|(at, _)| _ = set.insert(at));
                set
            })
            .collect();
        let truth = check(&goal.formula, &structure, &labels, &Budget::unlimited());
        let truth = truth.unwrap_or_else(|_| unreachable!("there is no limit"));
        let evidence = evidence(&goal.formula, &structure, &truth, 0);
        Self { witness, evidence }
    }
}

/// A witness that need not be small, made at once: the steps that evidence takes on the whole system, from an initial state
/// in which the goal holds.
///
/// # Panics
/// If the goal holds in no initial state.
pub fn some_subgraph(goal: &Goal, structure: &Structure, truth: &Truth) -> Witness<u32> {
    let root = goal.formula.root;
    let start = structure.initial.iter().copied().find(|&s| truth.holds(root, s));
    let start = start.expect("the goal holds in an initial state");
    let steps: Vec<(u32, u32)> = evidence(&goal.formula, structure, truth, start)
        .iter()
        .filter_map(|e| e.step.map(|(to, _)| (e.state, to)))
        .collect();
    let mut distinct = vec![start];
    let mut numbers = FxHashMap::from_iter([(start, 0)]);
    let mut edges = Vec::new();
    for (from, to) in steps {
        let ends = [from, to].map(|state| {
            *numbers.entry(state).or_insert_with(|| {
                distinct.push(state);
                distinct.len() - 1
            })
        });
        edges.push((ends[0], ends[1]));
    }
    edges.sort_unstable();
    edges.dedup();
    Witness { shape: Shape::Subgraph, states: distinct, edges }
}
