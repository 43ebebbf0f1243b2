//! Facts that every violating trace has, of whatever length, or none.

use crate::automata::automaton::{Automaton, automata};
use crate::automata::product::AutomataProduct;
use crate::automata::product::search::{ProductSearchResult, SearchTarget, search};
use crate::automata::watch::{BadEvent, decide_event};
use crate::facts::atom::Atoms;
use crate::facts::constraint::Constraint;
use crate::facts::problem::Problem;
use engines::explore::{Graph, Stop};
use engines::prove::ProofEffort;
use kit::budget::{Budget, Observer};
use solvers::sat::Backend;

/// The part of the remaining time that one proof by induction may take.
const PART: usize = 4;

/// Decides what is true of traces of every length: over listed states, or by induction where these are too many.
pub struct EveryLength<'a> {
    pub problem: Problem<'a>,
    /// All states, or why they could not be listed.
    pub graph: Result<&'a Graph, &'a Stop>,
    /// The most combinations of states with what a fact remembers.
    pub limit: usize,
    pub backend: Backend,
    pub observer: &'a mut dyn Observer,
}

impl EveryLength<'_> {
    /// After how many steps there is such a trace, perhaps also after fewer; the constraint is the class. `None` if there is none.
    ///
    /// # Errors
    /// If that cannot be decided, or not in time.
    pub fn exists(
        &mut self,
        atoms: &Atoms,
        constraint: &Constraint,
        sought: SearchTarget,
        budget: &Budget,
    ) -> Result<Option<usize>, Undecided> {
        let automata = automata(self.problem.model, atoms, [constraint]).map_err(|_| Undecided)?;
        if let Ok(graph) = self.graph {
            let product =
                AutomataProduct::new(self.problem, graph, &automata, budget).map_err(|_| Undecided)?;
            match search(&product, 0, sought, self.limit, budget).map_err(|_| Undecided)? {
                ProductSearchResult::Never => return Ok(None),
                ProductSearchResult::After(steps) => return Ok(Some(steps)),
                ProductSearchResult::TooMany(_) => {}
            }
        }
        let automata: Vec<&Automaton> = automata.iter().collect();
        let effort =
            ProofEffort { backend: self.backend, budget: &budget.share(PART), observer: self.observer };
        decide_event(self.problem, &automata, BadEvent::Reached(sought), effort).map_err(|_| Undecided)
    }
}

/// A question has no answer: the fact has no automaton, or a limit was reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Undecided;

impl std::fmt::Display for Undecided {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("it is not decided for every length")
    }
}

impl std::error::Error for Undecided {}
