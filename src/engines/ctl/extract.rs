//! The counterexample or witness that is shown: a path if there is one, else a subgraph.

use super::check::{Truth, check};
use super::evidence::{Evidence, evidence, evidence_within};
use super::goal::Goal;
use super::graph_search::GraphSearch;
use super::path::{PathSearch, shortest_path};
use super::space::Space;
use super::structure::Structure;
use super::subgraph::{SubgraphSearch, smallest_subgraph};
use super::witness::{Shape, Witness};
use explicit::lts::{Bits, StateId};
use kit::budget::{Budget, Exhausted};

/// What is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Wanted {
    /// A shortest path; a smallest subgraph where there is none.
    #[default]
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

/// What is known before a solver is asked.
#[derive(Debug, Clone, PartialEq)]
pub struct Known<S> {
    /// Something that shows the goal.
    pub witness: Option<Witness<S>>,
    /// No path or lasso with fewer states shows it. At least 1.
    pub at_least: usize,
}

impl<S> Default for Known<S> {
    fn default() -> Self {
        Self { witness: None, at_least: 1 }
    }
}

impl<S> Known<S> {
    /// The same with other names for the states.
    pub fn map<T>(self, name: impl FnMut(S) -> T) -> Known<T> {
        Known { witness: self.witness.map(|witness| witness.map(name)), at_least: self.at_least }
    }

    fn path(&self) -> Option<&Witness<S>> {
        self.witness.as_ref().filter(|witness| witness.shape != Shape::Subgraph)
    }
}

impl From<GraphSearch> for Known<StateId> {
    fn from(search: GraphSearch) -> Self {
        Self { witness: search.witness, at_least: search.at_least }
    }
}

/// What was found.
#[derive(Debug, Clone, PartialEq)]
pub enum Extracted<S> {
    /// A path or a subgraph.
    Found {
        /// What shows the goal.
        witness: Witness<S>,
        /// Whether it is proved that no path has fewer states, or no subgraph is smaller. Not so where the budget ended first.
        minimal: bool,
        /// For a subgraph that is minimal, why it is no path.
        no_path: Option<NoPath>,
    },
    /// Nothing, within what was looked at.
    Nothing(NoPath),
    /// The budget ended, and nothing was known before.
    Exhausted(Exhausted),
}

/// Where more than one path may be needed, no path of more states than this is looked for before a subgraph.
pub const LONGEST_PATH: usize = 30;

/// Where some path will do, on which states may come again, one without repetition is looked for up to so many states.
const LONGEST_LINEAR: usize = 1000;

/// Looks for a smallest witness among subgraphs of at most `most` states; `make` makes a space for each search.
pub fn extract<P: Space>(
    mut make: impl FnMut() -> P,
    goal: &Goal,
    wanted: Wanted,
    most: usize,
    known: Known<P::State>,
) -> Extracted<P::State> {
    let unproved = |known: Known<P::State>, why| match known.witness {
        Some(witness) if witness.shape != Shape::Subgraph || wanted != Wanted::Path => {
            Extracted::Found { witness, minimal: false, no_path: None }
        }
        _ => Extracted::Exhausted(why),
    };
    let mut no_path = NoPath::NotWanted;
    if wanted != Wanted::Subgraph {
        let longest = match (known.path(), wanted) {
            // A finite path is preferred to a lasso with as many states.
            (Some(path), _) => path.states.len() - usize::from(path.shape == Shape::Path),
            (None, Wanted::Path) => most,
            _ if goal.is_linear() => LONGEST_LINEAR.min(most),
            _ => LONGEST_PATH.min(most),
        };
        no_path = match shortest_path(&mut make(), &goal.formula, known.at_least..=longest) {
            PathSearch::Found(witness) => return Extracted::Found { witness, minimal: true, no_path: None },
            PathSearch::Exhausted(why, _) => return unproved(known, why),
            PathSearch::Impossible => NoPath::Impossible,
            PathSearch::NoneUpTo(longest) => NoPath::UpTo(longest),
        };
        if known.path().is_some()
            && let Some(witness) = known.witness
        {
            return Extracted::Found { witness, minimal: true, no_path: None };
        }
        if wanted == Wanted::Path {
            return Extracted::Nothing(no_path);
        }
    }
    match smallest_subgraph(make, &goal.formula, most) {
        SubgraphSearch::Found(witness) => Extracted::Found { witness, minimal: true, no_path: Some(no_path) },
        SubgraphSearch::NoneUpTo(_) => Extracted::Nothing(no_path),
        SubgraphSearch::Exhausted(why, _) => unproved(known, why),
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
        let evidence = evidence(&goal.formula, &structure, &truth, StateId::FIRST);
        Self { witness, evidence }
    }
}

/// A subgraph that need not be small, found without a solver: the steps that evidence takes on the whole system, from an initial state
/// in which the goal holds. `None` if it has more than `most_states` states.
///
/// # Errors
/// If the budget ends.
///
/// # Panics
/// If the goal holds in no initial state.
pub fn some_subgraph(
    goal: &Goal,
    structure: &Structure,
    truth: &Truth,
    most_states: usize,
    budget: &Budget,
) -> Result<Option<Witness<StateId>>, Exhausted> {
    let root = goal.formula.root;
    let start = structure.initial.iter().copied().find(|&s| truth.holds(root, s));
    let start = start.expect("the goal holds in an initial state");
    let evidence = evidence_within(&goal.formula, structure, truth, start, most_states, budget)?;
    Ok(evidence.map(|evidence| {
        Witness::of_steps(start, evidence.iter().filter_map(|e| e.step.map(|(to, _)| (e.state, to))))
    }))
}
