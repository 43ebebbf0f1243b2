//! The problem that is classified, and the options of the user.

use super::result::Infinite;
use crate::facts::grounding::Grounding;
use crate::results::options::{Mode, Necessity, Preference};
use crate::results::result::{Classification, Verdict};
use engines::ltl::Fairness;
use lang::model::Model;
use lang::model::expr::Formula;
use solvers::sat::{Backend, Setup};
use solvers::unroll::Lengths;

/// The fair infinite traces of a model that violate a formula.
#[derive(Debug, Clone, Copy)]
pub struct LassoProblem<'m> {
    /// The model.
    pub model: &'m Model,
    /// The formula, of linear time.
    pub formula: &'m Formula,
    /// The conditions that infinite traces meet.
    pub fairness: &'m [Fairness],
}

/// The choices of a classification of infinite traces.
#[derive(Debug, Clone)]
pub struct LassoOptions {
    /// Violating lassos of up to so many steps are looked for; at least 1.
    pub bound: usize,
    /// Classes suffice for lassos of up to so many steps; at least the bound. Beyond it, there is more room for lassos that satisfy the
    /// property, and fewer classes depend on the bound.
    pub horizon: usize,
    /// Stop after so many classes.
    pub max_classes: Option<usize>,
    /// Which facts are wanted most.
    pub preference: Preference,
    /// Of which types classes name values as they are, rather than any individuals.
    pub grounding: Grounding,
    /// How much is asked about what every violating lasso has, or none: [`crate::Classification::add_necessary`] answers it.
    pub necessity: Necessity,
    /// The form of the classes. Of a cover, the number of classes and the order of facts do not matter.
    pub mode: Mode,
    /// True if facts may order positions, where others do not suffice.
    pub in_order: bool,
    /// The solver of the search.
    pub backend: Backend,
    /// The solver of the check, always a fresh instance.
    pub check_backend: Backend,
    /// The random seed of the solvers; it changes the running time, never the result.
    pub seed: u64,
}

impl LassoOptions {
    /// The usual choices for this bound and horizon.
    pub fn of(bound: usize, horizon: usize) -> Self {
        Self {
            bound,
            horizon,
            max_classes: None,
            preference: Preference::default(),
            grounding: Grounding::default(),
            necessity: Necessity::Unasked,
            mode: Mode::Sufficient,
            in_order: true,
            backend: Backend::Cadical,
            check_backend: Backend::Cadical,
            seed: 0,
        }
    }

    /// Returns a result with this verdict, without classes and other information.
    pub fn result(&self, verdict: Verdict<Infinite>) -> Classification<Infinite> {
        let result = Classification::new(verdict, Lengths::UpTo(self.bound), self.backend.to_string());
        Classification { sufficient_up_to: self.horizon, ..result }
    }

    /// A solver with the random seed.
    pub(super) fn setup(&self, backend: Backend) -> Setup {
        Setup { backend, seed: self.seed }
    }
}
