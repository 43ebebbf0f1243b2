//! The extraction of evidence: a path if there is one, else a subgraph.

use super::check::{SatisfactionSets, check};
use super::evidence::{CtlEvidence, evidence, evidence_within};
use super::goal::CtlGoal;
use super::graph_search::GraphSearch;
use super::path::{PathSearch, shortest_path};
use super::space::EncodedSystem;
use super::structure::Structure;
use super::subgraph::{SubgraphSearch, smallest_subgraph};
use super::witness::{Witness, WitnessShape};
use explicit::lts::{Bits, StateId};
use kit::budget::{Budget, Exhausted};

/// The requested form of evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum EvidenceForm {
    /// A shortest path; a smallest subgraph where there is none.
    #[default]
    PathOrSubgraph,
    /// A path of any length, never a subgraph.
    Path,
    /// A subgraph, even if a path exists.
    Subgraph,
}

/// The reason why no path is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoPath {
    /// No path of any length shows the goal.
    Impossible,
    /// No path with up to this many states does; longer ones were not examined.
    UpTo(usize),
    /// No path was looked for.
    NotWanted,
}

/// Results that are known before a solver is asked.
#[derive(Debug, Clone, PartialEq)]
pub struct PriorEvidence<S> {
    /// A witness of the goal.
    pub witness: Option<Witness<S>>,
    /// No path or lasso with fewer states shows it. At least 1.
    pub at_least: usize,
}

impl<S> Default for PriorEvidence<S> {
    fn default() -> Self {
        Self { witness: None, at_least: 1 }
    }
}

impl<S> PriorEvidence<S> {
    /// Renames the states.
    pub fn map<T>(self, name: impl FnMut(S) -> T) -> PriorEvidence<T> {
        PriorEvidence { witness: self.witness.map(|witness| witness.map(name)), at_least: self.at_least }
    }

    fn path(&self) -> Option<&Witness<S>> {
        self.witness.as_ref().filter(|witness| witness.shape != WitnessShape::Subgraph)
    }
}

impl From<GraphSearch> for PriorEvidence<StateId> {
    fn from(search: GraphSearch) -> Self {
        Self { witness: search.witness, at_least: search.at_least }
    }
}

/// The result of the extraction.
#[derive(Debug, Clone, PartialEq)]
pub enum Extracted<S> {
    /// A path or a subgraph.
    Found {
        /// The evidence for the goal.
        witness: Witness<S>,
        /// True if it is proved that no path has fewer states, or no subgraph is smaller; false if the budget ended
        /// first.
        minimal: bool,
        /// For a minimal subgraph, the reason why it is not a path.
        no_path: Option<NoPath>,
    },
    /// No evidence within the examined sizes.
    Nothing(NoPath),
    /// The budget ended, and nothing was known before.
    Exhausted(Exhausted),
}

/// The most states of a path that is looked for before a subgraph if more than one path may be needed.
pub const LONGEST_PATH: usize = 30;

/// The most states of a path without repetition that is looked for if some path, possibly with repeated states,
/// suffices.
const LONGEST_LINEAR: usize = 1000;

/// Looks for a smallest witness among subgraphs of at most `most` states; `make` makes a space for each search.
pub fn extract<P: EncodedSystem>(
    mut make: impl FnMut() -> P,
    goal: &CtlGoal,
    wanted: EvidenceForm,
    most: usize,
    known: PriorEvidence<P::State>,
) -> Extracted<P::State> {
    let unproved = |known: PriorEvidence<P::State>, why| match known.witness {
        Some(witness) if witness.shape != WitnessShape::Subgraph || wanted != EvidenceForm::Path => {
            Extracted::Found { witness, minimal: false, no_path: None }
        }
        _ => Extracted::Exhausted(why),
    };
    let mut no_path = NoPath::NotWanted;
    if wanted != EvidenceForm::Subgraph {
        let longest = match (known.path(), wanted) {
            // A finite path is preferred to a lasso with as many states.
            (Some(path), _) => path.states.len() - usize::from(path.shape == WitnessShape::Path),
            (None, EvidenceForm::Path) => most,
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
        if wanted == EvidenceForm::Path {
            return Extracted::Nothing(no_path);
        }
    }
    match smallest_subgraph(make, &goal.formula, most) {
        SubgraphSearch::Found(witness) => Extracted::Found { witness, minimal: true, no_path: Some(no_path) },
        SubgraphSearch::NoneUpTo(_) => Extracted::Nothing(no_path),
        SubgraphSearch::Exhausted(why, _) => unproved(known, why),
    }
}

/// A witness with its explanation.
#[derive(Debug, Clone, PartialEq)]
pub struct ExplainedWitness<S> {
    /// Its states and steps.
    pub witness: Witness<S>,
    /// Their purposes; states are indices into those of the witness.
    pub evidence: Vec<CtlEvidence>,
}

impl<S> ExplainedWitness<S> {
    /// Evaluates a witness again and explains its parts. `fact` evaluates a fact of the goal, by its number, in a
    /// state.
    ///
    /// # Panics
    /// If the witness does not show the goal, which is a bug in the search.
    pub fn new(witness: Witness<S>, goal: &CtlGoal, mut fact: impl FnMut(usize, &S) -> bool) -> Self {
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

/// Finds a subgraph, not necessarily a small one, without a solver: the steps of the evidence on the whole system, from
/// an initial state in which the goal holds. `None` if it has more than `most_states` states.
///
/// # Errors
/// If the budget ends.
///
/// # Panics
/// If the goal holds in no initial state.
pub fn some_subgraph(
    goal: &CtlGoal,
    structure: &Structure,
    truth: &SatisfactionSets,
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
