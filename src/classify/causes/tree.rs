//! The causal tree of a property: from the search to the kinds.

use super::condition::{breaking_condition, case_of};
use super::defences::{Circumstances, Defences, defences};
use super::enumeration::{Enumeration, check_complete, enumerate};
use super::kinds::{CausalKind, kinds};
use super::pattern::{ArgumentParts, Pattern, labels};
use crate::facts::problem::Problem;
use kit::budget::{Budget, Exhausted, Observer};
use lang::model::Model;
use lang::model::expr::Expr;
use solvers::sat::{Backend, Setup};

/// The kinds of violation of an invariant, by the reasons of their steps.
#[derive(Debug, Clone, Default)]
pub struct CausalTree {
    /// The kinds, those with the shortest traces first.
    pub kinds: Vec<CausalKind>,
    /// The most steps of violating traces that all are of one of the kinds; `None` if not even traces without a step were looked at.
    pub complete_to: Option<usize>,
    /// From this number of steps on, traces that have the deciding steps of a shorter one were left out, because there are too many.
    pub narrowed_from: Option<usize>,
    /// The limit that ended the search, if one did.
    pub ended: Option<Exhausted>,
    /// The solver that checked that the kinds are all.
    pub checked_by: Option<&'static str>,
    /// The constants that stop kinds, if that was asked.
    pub defences: Option<Defences>,
    /// The number of questions to the solver.
    pub solver_calls: u64,
}

impl CausalTree {
    /// The tree of the violating traces of up to `bound` steps.
    ///
    /// # Panics
    /// Only on a bug in this program.
    pub fn new(
        problem: Problem<'_>,
        parts: &ArgumentParts,
        bound: usize,
        solver: Setup,
        check: Backend,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> Self {
        let Enumeration { found, complete_to, narrowed_from, ended, solver_calls } =
            enumerate(problem, parts, bound, solver, budget, observer);
        let mut tree = Self {
            kinds: kinds(problem, parts, found),
            complete_to,
            narrowed_from,
            ended,
            solver_calls,
            ..Self::default()
        };
        if tree.ended.is_none() {
            let whole = tree.kinds.iter().flat_map(CausalKind::with_variants);
            let patterns: Vec<&Pattern> = match narrowed_from {
                Some(_) => whole.map(|kind| &kind.deciding).collect(),
                None => whole.flat_map(|kind| kind.ways.iter().map(|way| &way.irreducible.pattern)).collect(),
            };
            let check = Setup { backend: check, ..solver };
            match check_complete(problem, parts, &patterns, bound, check, budget) {
                Ok(solver) => tree.checked_by = Some(solver),
                Err(why) => tree.ended = Some(why),
            }
        }
        tree
    }
}

impl CausalTree {
    /// Finds out which truth-valued constants stop which kinds, where all kinds are known.
    pub fn find_defences(
        &mut self,
        problem: Problem<'_>,
        parts: &ArgumentParts,
        circumstances: Circumstances<'_>,
    ) {
        if self.ended.is_none() {
            self.defences = defences(problem, parts, &mut self.kinds, circumstances);
        }
    }

    /// The names of actions of which every violating trace up to the bound has a step, in the order of declaration.
    pub fn always(&self, model: &Model) -> Vec<String> {
        let has = |kind: &CausalKind, action: usize| match self.narrowed_from {
            Some(_) => kind.deciding.steps.iter().any(|step| step.action == action),
            None => kind
                .ways
                .iter()
                .all(|way| way.irreducible.pattern.steps.iter().any(|step| step.action == action)),
        };
        let in_all = |&action: &usize| {
            self.kinds.iter().flat_map(CausalKind::with_variants).all(|kind| has(kind, action))
        };
        let is_known = self.ended.is_none() && !self.kinds.is_empty();
        let actions = (0..model.actions.len()).filter(|action| is_known && in_all(action));
        actions.map(|action| model.actions[action].name.clone()).collect()
    }
}

impl CausalKind {
    /// The condition under which its last step breaks the property, over the parameters of its action, as its first trace meets it: nothing if
    /// every such step does. `None` if it cannot be told in the words of the model.
    pub fn condition(&self, problem: Problem<'_>) -> Option<Vec<Expr>> {
        let trace = &self.ways[0].irreducible.trace;
        let label = *labels(trace).last()?;
        Some(case_of(&breaking_condition(problem, label.action)?, problem, trace))
    }
}
