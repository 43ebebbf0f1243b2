//! A counterexample with the tags of its steps.

use super::Strategy;
use super::cases::Cases;
use super::choose::{NoCounterexample, StrategyChoice, choose};
use super::violations::{Inevitable, SafetyProduct, ViolationPlaces};
use crate::lts::graph::{LtsTransition, StateId};
use crate::lts::inevitable::{InevitabilityAnalysis, NeighbourhoodEntry, RunWithoutGoal, closed, shortest};
use crate::lts::labels::LabelId;
use crate::lts::safety::{self, Keep, ProductPosition, Tag};
use crate::lts::sequence::LabelSequence;
use kit::budget::{Budget, Exhausted};

/// A violating trace, or a path to a neighbourhood.
#[derive(Debug, Clone, PartialEq)]
pub struct Counterexample {
    /// The states of the system, one more than labels.
    pub states: Vec<StateId>,
    /// The labels.
    pub labels: Vec<LabelId>,
    /// The index of the state where the cycle of a lasso starts, which equals the last state.
    pub loop_from: Option<usize>,
    /// The tag of each step.
    pub tags: Vec<Tag>,
    /// The indices of the labels that the abstraction keeps.
    pub kept: Vec<usize>,
    /// For each step the labels that would have been right instead.
    pub right: Vec<Vec<LabelId>>,
    /// The number of faulty states on it. The last state of a finite trace or a lasso does not count.
    pub faulty: usize,
    /// The number of neighbourhoods on it, counted in the same way.
    pub neighbourhoods: usize,
    /// The probability of this prefix of a run if all transitions of a state are equally probable; for a lasso, only its
    /// stem counts.
    pub probability: f64,
    /// True if the search was complete, so that this one is optimal for the strategy.
    pub certain: bool,
}

impl Counterexample {
    fn new(
        violations: &impl ViolationPlaces,
        places: &[usize],
        labels: Vec<LabelId>,
        loop_from: Option<usize>,
        certain: bool,
    ) -> Self {
        let choices: Vec<Vec<(LabelId, Tag)>> =
            places[..labels.len()].iter().map(|&place| violations.choices(place)).collect();
        let tag = |at: usize| violations.tag(places[at], labels[at], places[at + 1]);
        let before_loop = loop_from.unwrap_or(labels.len());
        let kept = |at: &usize| violations.is_kept(places[*at]) || violations.is_kept(places[*at + 1]);
        let left = &places[..labels.len()];
        Self {
            states: places.iter().map(|&place| violations.state(place)).collect(),
            tags: (0..labels.len()).map(tag).collect(),
            kept: (0..labels.len()).filter(kept).collect(),
            right: (0..labels.len()).map(|at| violations.right(places[at], places[at + 1])).collect(),
            faulty: left.iter().filter(|&&place| violations.is_faulty(place)).count(),
            neighbourhoods: left.iter().filter(|&&place| violations.is_neighbourhood(place)).count(),
            probability: choices[..before_loop].iter().map(|c| 1.0 / c.len() as f64).product(),
            labels,
            loop_from,
            certain,
        }
    }
}

/// The result of a strategy: `None` if the property holds or no counterexample contains the pattern.
type StrategyResult = Option<Result<Counterexample, NoCounterexample>>;

/// A counterexample to a safety property that contains the actions of a pattern in their order.
///
/// # Errors
/// If the budget is exhausted.
pub fn of_safety(
    violations: &SafetyProduct<'_>,
    strategy: Strategy,
    pattern: &LabelSequence,
    budget: &Budget,
) -> Result<StrategyResult, Exhausted> {
    if pattern.is_empty() && matches!(strategy, Strategy::Readable | Strategy::Shortest) {
        // The same as below, found without a graph of all counterexamples.
        let found = safety::shortest(violations.analysis, violations.keep, budget)?;
        return Ok(found.map(|found| {
            let places: Vec<usize> = found.positions.into_iter().map(ProductPosition::index).collect();
            Ok(Counterexample::new(violations, &places, found.labels, None, true))
        }));
    }
    let Some(cases) = Cases::new(violations, pattern, budget)? else { return Ok(None) };
    Ok(Some(match choose(&cases, strategy, budget)? {
        StrategyChoice::Path(chosen) => {
            let places: Vec<usize> = chosen.path.nodes.iter().map(|&n| cases.places[n.index()]).collect();
            Ok(Counterexample::new(violations, &places, chosen.path.labels, None, chosen.certain))
        }
        StrategyChoice::Nothing(nothing) => Err(nothing),
    }))
}

/// A maximal trace that lacks something. Strategies choose the path to its end or the stem of a lasso, which
/// must contain the pattern; the cycle is a shortest one. [`shortest_of_inevitable`] gives a shortest counterexample
/// overall.
///
/// # Errors
/// If the budget is exhausted.
pub fn of_inevitable(
    violations: &Inevitable<'_>,
    strategy: Strategy,
    pattern: &LabelSequence,
    budget: &Budget,
) -> Result<StrategyResult, Exhausted> {
    let Some(cases) = Cases::new(violations, pattern, budget)? else { return Ok(None) };
    let chosen = match choose(&cases, strategy, budget)? {
        StrategyChoice::Path(chosen) => chosen,
        StrategyChoice::Nothing(nothing) => return Ok(Some(Err(nothing))),
    };
    let places: Vec<usize> = chosen.path.nodes.iter().map(|&node| cases.places[node.index()]).collect();
    let states: Vec<StateId> = places.iter().map(|&place| violations.state(place)).collect();
    let (labels, certain) = (chosen.path.labels, chosen.certain);
    if strategy == Strategy::Neighbourhood {
        return Ok(Some(Ok(Counterexample::new(violations, &places, labels, None, certain))));
    }
    let stage = places.last().map_or(0, |&place| violations.parts(place).1);
    let run = closed(violations.analysis, states, labels, stage);
    Ok(run.map(|run| Ok(of_run(violations, RunWithoutGoal { certain, ..run }))))
}

/// A shortest counterexample, stem and cycle of a lasso taken together; [`Inevitable`] says what its abstraction keeps.
///
/// # Errors
/// If the budget is exhausted.
pub fn shortest_of_inevitable(
    analysis: &InevitabilityAnalysis<'_>,
    entered: NeighbourhoodEntry,
    keep: Keep,
    budget: &Budget,
) -> Result<Option<Counterexample>, Exhausted> {
    let violations = &Inevitable::without_loops(analysis, entered, keep);
    let decides = |state: StateId| violations.is_kept(violations.place(state, 0));
    Ok(shortest(analysis, decides, budget)?.map(|run| of_run(violations, run)))
}

fn of_run(violations: &Inevitable<'_>, run: RunWithoutGoal) -> Counterexample {
    let goal = violations.analysis.goal;
    let mut stage = 0;
    let places = (0..run.states.len()).map(|at| {
        if at > 0 {
            let step =
                LtsTransition { from: run.states[at - 1], label: run.labels[at - 1], to: run.states[at] };
            stage = goal.forward(step, stage);
        }
        violations.place(run.states[at], stage)
    });
    let places: Vec<usize> = places.collect();
    Counterexample::new(violations, &places, run.labels, run.loop_from, run.certain)
}
