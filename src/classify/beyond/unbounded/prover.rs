//! Proves that a result for bounded traces holds for traces of every length.

use crate::automata::automaton::{Automaton, AutomatonStates, automata};
use crate::automata::product::AutomataProduct;
use crate::automata::product::certificate::{Confirmed, ProductCertificate};
use crate::automata::product::coverage::{Covered, coverage};
use crate::automata::product::search::{ProductSearchResult, SearchTarget, together};
use crate::automata::product::sufficiency::{SufficiencyResult, sufficiency};
use crate::automata::watch::{BadEvent, decide_event};
use crate::beyond::rounds::{Refutation, RoundOutcome};
use crate::facts::atom::Atoms;
use crate::facts::problem::Problem;
use crate::results::result::{Class, Finite, Obstacle, Proof, ProofBasis};
use crate::search::necessary::Undecided;
use engines::explore::{Graph, Stop};
use engines::prove::{ProofEffort, other};
use kit::budget::{Budget, Limited, Observer};
use solvers::sat::Backend;

/// A result that is sufficient and complete up to a bound, and the means for its proof.
pub struct UnboundedProver<'a> {
    pub problem: Problem<'a>,
    pub classes: &'a [Class],
    pub atoms: &'a Atoms,
    /// The bounds so far, in steps; the last one is that of the result.
    pub bounds: &'a [usize],
    /// The greatest number of combinations of states with memories of the classes.
    pub limit: usize,
    pub backend: Backend,
    pub budget: &'a Budget,
    pub observer: &'a mut dyn Observer,
}

impl UnboundedProver<'_> {
    /// Proves the result over the visited states, or by induction if there are too many.
    pub fn round(&mut self, graph: Result<&Graph, &Stop>) -> Limited<RoundOutcome<Finite>> {
        let constraints = self.classes.iter().map(|class| &class.constraint);
        let automata = match automata(self.problem.model, self.atoms, constraints) {
            Ok(automata) => automata,
            Err(unsuitable) => return Ok(RoundOutcome::Open(unsuitable.into())),
        };
        match graph {
            Ok(graph) => match self.visited(graph, &automata)? {
                RoundOutcome::Open(Obstacle::Combinations(_)) => self.symbolic(&automata),
                round => Ok(round),
            },
            Err(_) => {
                self.budget.check()?;
                self.symbolic(&automata)
            }
        }
    }

    /// Returns a number of steps, not necessarily the least, after which a first violation is in a nonempty
    /// combination of the classes other than the `known` ones; `None` if there is none.
    ///
    /// # Errors
    /// If the limits do not suffice to decide.
    pub fn together(
        &mut self,
        graph: Result<&Graph, &Stop>,
        known: &[Vec<usize>],
    ) -> Result<Option<usize>, Undecided> {
        let constraints = self.classes.iter().map(|class| &class.constraint);
        let automata = automata(self.problem.model, self.atoms, constraints).map_err(|_| Undecided)?;
        if let Ok(graph) = graph {
            let product =
                AutomataProduct::new(self.problem, graph, &automata, self.budget).map_err(|_| Undecided)?;
            match together(&product, known, self.limit, self.budget).map_err(|_| Undecided)? {
                ProductSearchResult::Never => return Ok(None),
                ProductSearchResult::After(steps) => return Ok(Some(steps)),
                ProductSearchResult::TooMany(_) => {}
            }
        }
        let automata: Vec<&Automaton> = automata.iter().collect();
        self.decide_event(&automata, BadEvent::Together(known)).map_err(|_| Undecided)
    }

    /// Proves the result by induction over the latches of model and automata.
    fn symbolic(&mut self, automata: &[Automaton]) -> Limited<RoundOutcome<Finite>> {
        let mut raise = None;
        for (class, automaton) in self.classes.iter().zip(automata).filter(|(class, _)| class.sufficient) {
            if let Some(steps) =
                self.decide_event(&[automaton], BadEvent::Reached(SearchTarget::INSUFFICIENT))?
            {
                self.assert_sufficient_below(steps, class);
                raise = raise.max(Some(steps));
            }
        }
        if let Some(to) = raise {
            return Ok(refuted(to));
        }
        let covering = self.classes.iter().zip(automata).filter(|(class, _)| !class.redundant);
        let covering: Vec<&Automaton> = covering.map(|(_, automaton)| automaton).collect();
        if let Some(steps) = self.decide_event(&covering, BadEvent::Reached(SearchTarget::UNCOVERED))? {
            self.assert_complete_below(steps);
            return Ok(refuted(steps));
        }
        let by = other(self.backend).start(self.budget).name().to_owned();
        let confirmed = Confirmed { by, solver_calls: 0, variables: 0, clauses: 0 };
        Ok(self.proved(ProofBasis::Induction, confirmed))
    }

    fn proved(&self, basis: ProofBasis, confirmed: Confirmed) -> RoundOutcome<Finite> {
        RoundOutcome::Proved(Proof { basis, bounds: self.bounds.to_vec(), confirmed })
    }

    fn bound(&self) -> usize {
        *self.bounds.last().expect("a round has a bound")
    }

    fn decide_event(&mut self, automata: &[&Automaton], event: BadEvent<'_>) -> Limited<Option<usize>> {
        let effort = ProofEffort { backend: self.backend, budget: self.budget, observer: self.observer };
        decide_event(self.problem, automata, event, effort)
    }

    /// Proves the result over the visited states.
    fn visited(&self, graph: &Graph, automata: &[Automaton]) -> Limited<RoundOutcome<Finite>> {
        let product = AutomataProduct::new(self.problem, graph, automata, self.budget)?;
        let mut possible = Vec::new();
        let mut raise = None;
        for (index, class) in self.classes.iter().enumerate() {
            if !class.sufficient {
                let any: AutomatonStates = (0..automata[index].states).collect();
                possible.push(vec![any; graph.states.len()]);
                continue;
            }
            match sufficiency(&product, index, self.budget)? {
                SufficiencyResult::Always(states) => possible.push(states),
                SufficiencyResult::Until(steps) => {
                    self.assert_sufficient_below(steps, class);
                    raise = raise.max(Some(steps));
                }
            }
        }
        if let Some(to) = raise {
            return Ok(refuted(to));
        }
        let covering: Vec<usize> = (0..self.classes.len()).filter(|&c| !self.classes[c].redundant).collect();
        let memories = match coverage(&product, &covering, self.limit, self.budget)? {
            Covered::Always(memories) => memories,
            Covered::Until(steps) => {
                self.assert_complete_below(steps);
                return Ok(refuted(steps));
            }
            Covered::TooMany(limit) => return Ok(RoundOutcome::Open(Obstacle::Combinations(limit))),
        };
        let combinations = memories.iter().map(Vec::len).sum();
        let violates = &product.violates;
        let sufficient: Vec<usize> =
            (0..self.classes.len()).filter(|&c| self.classes[c].sufficient).collect();
        let (sufficient, covering) = (sufficient.as_slice(), covering.as_slice());
        let certificate =
            ProductCertificate { graph, automata, sufficient, covering, violates, possible, memories };
        let checked = certificate.check(self.problem, other(self.backend), self.budget)?;
        let confirmed = checked.unwrap_or_else(|refuted| {
            panic!("the proof for every length fails at {}: {covering:?}", refuted.at)
        });
        let states = violates.iter().filter(|v| !**v).count();
        let basis = ProofBasis::States { states, steps: graph.step_count(), combinations };
        Ok(self.proved(basis, confirmed))
    }

    /// Panics unless `steps` exceeds the bound: the self-check found the class sufficient up to it.
    fn assert_sufficient_below(&self, steps: usize, class: &Class) {
        assert!(
            steps > self.bound(),
            "a trace of {steps} steps without violation is in the sufficient class {}",
            class.constraint.show(self.problem.model, self.atoms)
        );
    }

    /// Panics unless `steps` exceeds the bound: the self-check found the classes complete up to it.
    fn assert_complete_below(&self, steps: usize) {
        assert!(
            steps > self.bound(),
            "a counterexample of {steps} steps is in no class of a complete result"
        );
    }
}

/// Returns the outcome of a proof that a trace of so many steps contradicts.
fn refuted(steps: usize) -> RoundOutcome<Finite> {
    RoundOutcome::Refuted(Refutation { steps, unclassified: None })
}
