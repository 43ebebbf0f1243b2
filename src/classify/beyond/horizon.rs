//! Checks the classes of a complete result against traces longer than the bound.
//!
//! A constraint may be sufficient only because the bound cuts off non-violating traces, and a counterexample one step
//! longer may be in no class. For models with few states, both are decided for every length; otherwise up to a horizon.

use crate::automata::automaton::automata;
use crate::automata::product::AutomataProduct;
use crate::automata::product::coverage::{Covered, coverage};
use crate::automata::product::sufficiency::{SufficiencyResult, sufficiency};
use crate::facts::constraint::Constraint;
use crate::facts::index::PositionVar;
use crate::facts::problem::Problem;
use crate::oracles::orbit::InterchangeableValues;
use crate::oracles::sat::{SatOracle, Sufficiency};
use crate::results::options::Options;
use crate::results::result::{Class, Classification, Horizon, Longer, Verdict};
use engines::explore::Graph;
use kit::budget::{Budget, Limited};
use solvers::sat::Lit;
use solvers::unroll::Lengths;

/// The range beyond the bound in which a result is re-examined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BeyondBound {
    /// The greatest number of steps, if not every length can be checked.
    pub steps: usize,
    /// The greatest numbers of states, and of combinations of states with memories of the classes, for checking every length.
    pub states: usize,
}

impl BeyondBound {
    /// Returns one and a half times the bound as horizon, with a limit of 20,000 states.
    pub fn than(bound: usize) -> Self {
        Self { steps: bound + bound.div_ceil(2), states: 20_000 }
    }
}

/// Longer traces than this many times the horizon are not shown.
pub(crate) const MOST_SHOWN: usize = 2;

/// The lengths of the shortest longer traces that contradict a result.
struct Lengthened {
    /// For each class, the length of a non-violating trace that satisfies it.
    resting: Vec<Option<usize>>,
    /// The length of a counterexample that is in no class.
    uncovered: Option<usize>,
}

impl Classification {
    /// Checks traces longer than the bound of a complete result, or of a cover, other than a cover inside one class.
    ///
    /// # Errors
    /// If the budget ends first; then no horizon is recorded.
    ///
    /// # Panics
    /// Only on a bug in this program: the result is wrong up to its bound, or the list of states and the
    /// solver disagree.
    pub fn look_beyond(
        &mut self,
        problem: Problem<'_>,
        options: &Options,
        farther: BeyondBound,
        budget: &Budget,
    ) -> Limited<()> {
        let Lengths::UpTo(bound) = self.lengths else { return Ok(()) };
        let within = self.cover.as_ref().is_some_and(|cover| cover.context.is_some());
        let covers = matches!(self.verdict, Verdict::Complete | Verdict::Remainder);
        if !covers || self.unbounded.is_some() || within {
            return Ok(());
        }
        let look = Look { problem, result: self, options, bound, farther, budget };
        let found = match look.listed()? {
            Some(lengthened) => look.shown(lengthened)?,
            None => look.searched()?,
        };
        self.horizon = Some(found);
        Ok(())
    }
}

struct Look<'a> {
    problem: Problem<'a>,
    result: &'a Classification,
    options: &'a Options,
    bound: usize,
    farther: BeyondBound,
    budget: &'a Budget,
}

impl Look<'_> {
    fn classes(&self) -> &[Class] {
        &self.result.classes
    }

    /// Decides traces of every length on the list of states; `None` if there are too many states, or a class
    /// has no automaton.
    fn listed(&self) -> Limited<Option<Lengthened>> {
        let Problem { model, invariant } = self.problem;
        if self.result.verdict == Verdict::Remainder {
            // The list does not decide if other facts of the vocabulary hold.
            return Ok(None);
        }
        let Ok(graph) = Graph::explore(model, Some(invariant), self.farther.states, &self.budget.share(2))
        else {
            return Ok(None);
        };
        let constraints = self.classes().iter().map(|class| &class.constraint);
        let Ok(automata) = automata(model, &self.result.atoms, constraints) else { return Ok(None) };
        let product = AutomataProduct::new(self.problem, &graph, &automata, self.budget)?;
        let mut resting = Vec::new();
        for (index, class) in self.classes().iter().enumerate() {
            resting.push(match class.sufficient {
                true => match sufficiency(&product, index, self.budget)? {
                    SufficiencyResult::Always(_) => None,
                    SufficiencyResult::Until(steps) => Some(steps),
                },
                false => None,
            });
        }
        let all: Vec<usize> = (0..self.classes().len()).collect();
        let uncovered = match coverage(&product, &all, self.farther.states, self.budget)? {
            Covered::Always(_) => None,
            Covered::Until(steps) => Some(steps),
            Covered::TooMany(_) => return Ok(None),
        };
        let least = resting.iter().copied().flatten().chain(uncovered).min();
        assert!(
            least.is_none_or(|steps| steps > self.bound),
            "a complete result is wrong at {least:?} steps"
        );
        Ok(Some(Lengthened { resting, uncovered }))
    }

    /// Finds the traces of these lengths, other than those much longer than the horizon.
    fn shown(&self, found: Lengthened) -> Limited<Horizon> {
        let few = |steps: &usize| *steps <= MOST_SHOWN * self.farther.steps.max(self.bound);
        let lengths = found.resting.iter().copied().flatten().chain(found.uncovered).filter(few);
        let mut oracle = match lengths.max() {
            Some(longest) => Some(self.oracle(longest)?),
            None => None,
        };
        let mut resting = Vec::new();
        for (class, steps) in self.classes().iter().zip(found.resting) {
            resting.push(match (steps, &mut oracle) {
                (Some(steps), Some(oracle)) if few(&steps) => {
                    let found = self.rests(oracle, class, steps)?;
                    assert!(found.is_some(), "the solver and the list of states disagree at {steps} steps");
                    found
                }
                (steps, _) => steps.map(|steps| Longer { steps, trace: None }),
            });
        }
        let uncovered = match (found.uncovered, &mut oracle) {
            (Some(steps), Some(oracle)) if few(&steps) => self.uncovered(oracle, steps)?,
            (steps, _) => steps.map(|steps| Longer { steps, trace: None }),
        };
        Ok(Horizon { steps: None, sufficient_up_to: None, resting, uncovered })
    }

    /// Searches traces up to the horizon with the solver.
    fn searched(&self) -> Limited<Horizon> {
        let horizon = self.farther.steps.max(self.bound);
        let mut oracle = self.oracle(horizon)?;
        let mut resting = Vec::new();
        for class in self.classes() {
            resting.push(if class.sufficient { self.rests(&mut oracle, class, horizon)? } else { None });
        }
        let uncovered = self.uncovered(&mut oracle, self.bound + 1)?;
        Ok(Horizon { steps: Some(horizon), sufficient_up_to: None, resting, uncovered })
    }

    fn oracle(&self, steps: usize) -> Limited<SatOracle<'_>> {
        let setup = self.options.setup(self.options.backend);
        SatOracle::unrolled(self.problem, &self.result.atoms, Lengths::UpTo(steps), setup, self.budget)
    }

    /// Returns the first of the shortest non-violating traces of up to `steps` steps that satisfy a class.
    fn rests(&self, oracle: &mut SatOracle<'_>, class: &Class, steps: usize) -> Limited<Option<Longer>> {
        let used: Vec<PositionVar> = class.constraint.variables().collect();
        Ok(match oracle.sufficiency_shown_up_to(steps, &class.constraint.facts, &used)? {
            Sufficiency::Sufficient(_) => None,
            Sufficiency::Insufficient(accepting) => {
                Some(Longer { steps: accepting.trace.len(), trace: Some(accepting.trace) })
            }
        })
    }

    /// Returns the first of the shortest counterexamples of at least `least` steps that are in no class. If a
    /// cover has a remainder, another fact of the vocabulary must hold in it.
    fn uncovered(&self, oracle: &mut SatOracle<'_>, least: usize) -> Limited<Option<Longer>> {
        let constraints = || self.classes().iter().map(|class| &class.constraint);
        let mut outside: Vec<Lit> = constraints().map(|constraint| !oracle.matched(constraint)).collect();
        if let (Verdict::Remainder, Some(cover)) = (&self.result.verdict, &self.result.cover) {
            let happen: Vec<Lit> = cover.others.iter().map(|other| oracle.present(other)).collect();
            outside.push(oracle.circuit().any(&happen));
        } else if constraints().any(Constraint::is_lifted)
            && oracle.circuit().variables() >= self.options.orbits_from
        {
            InterchangeableValues::find(self.problem, self.budget)
                .into_iter()
                .for_each(|e| oracle.exchange(e));
            outside.extend(oracle.one_of_each_orbit(constraints()));
        }
        let found = oracle.first_from(least, &outside)?;
        Ok(found.map(|trace| Longer { steps: trace.len(), trace: Some(trace) }))
    }
}
