//! Counts the violating traces of the classes of a result.

use crate::automata::automaton::{Automaton, automata};
use crate::automata::product::AutomataProduct;
use crate::automata::product::count::{Count, count};
use crate::facts::atom::Atoms;
use crate::facts::problem::Problem;
use crate::oracles::diagrams;
use crate::oracles::one_of_each::OneOfEach;
use crate::oracles::orbit::InterchangeableValues;
use crate::results::result::{Class, Classification, CountMethod, Obstacle, TraceNumbers};
use crate::results::statistics::Phase;
use engines::explore::{Graph, Stop};
use kit::budget::Budget;
use solvers::unroll::Lengths;
use std::time::Instant;

/// The number of states up to which they are listed before any other method is tried.
const FEW_STATES: usize = 10_000;
/// The number of states up to which they are listed before decision diagrams are tried.
const MORE_STATES: usize = 100_000;

/// The traces to count.
#[derive(Debug, Clone, Copy)]
pub struct CountQuery<'a> {
    /// The model and its invariant.
    pub problem: Problem<'a>,
    /// The classes; traces are counted by the combination of classes that contain them.
    pub classes: &'a [Class],
    /// The atoms of the classes.
    pub atoms: &'a Atoms,
    /// The lengths of the traces, in steps.
    pub lengths: Lengths,
}

impl Classification {
    /// Counts the violating traces of the lengths of this result, as [`numbers`] does, and records the
    /// numbers, or the obstacle, and the time.
    pub fn count_traces(&mut self, problem: Problem<'_>, limit: usize, budget: &Budget) {
        let clock = Instant::now();
        let Self { classes, atoms, lengths, .. } = &*self;
        let counts = numbers(CountQuery { problem, classes, atoms, lengths: *lengths }, limit, budget);
        self.counts = Some(counts);
        let seconds = clock.elapsed().as_secs_f64();
        self.statistics.seconds.add(Phase::Count, seconds);
        self.statistics.seconds.total += seconds;
    }
}

/// Counts violating traces, by combination of classes: over a list of states and of combinations of states with
/// memories if these are few, otherwise over decision diagrams, and over a list of up to `limit` if the diagrams are
/// too large. If values are interchangeable and the states not very few, one trace of each orbit stands for all.
///
/// # Errors
/// The obstacle to counting.
///
/// ```
/// # use std::io::ErrorKind;
/// use cladist::budget::Budget;
/// use cladist::classify::{CountQuery, Options, Problem, classify, numbers};
///
/// let text = "model counter; var n: 0..3; init { n = 0; } \
///             action step(up: bool) { n' = if up and n < 3 then n + 1 else n; } \
///             invariant small: n < 2; vocabulary v = { eq(n) };";
/// let loaded = cladist::model::load_text("counter.sts", text, &[], &|_| Err(ErrorKind::NotFound.into()));
/// let model = loaded.model.expect("no mistakes");
/// let problem = Problem::first(&model).expect("an invariant");
/// let options = Options::default();
/// let result = classify(problem, &model.vocabularies[0], &options, &Budget::unlimited(), &mut ());
/// let counted =
///     CountQuery { problem, classes: &result.classes, atoms: &result.atoms, lengths: options.lengths };
/// let numbers = numbers(counted, 1_000_000, &Budget::unlimited()).expect("few states");
/// assert_eq!(numbers.counts[2].first.total(), 1u32.into());
/// ```
pub fn numbers(counted: CountQuery<'_>, limit: usize, budget: &Budget) -> Result<TraceNumbers, Obstacle> {
    let listed = numbers_by(CountMethod::List(limit.min(FEW_STATES)), counted, budget);
    if !listed.as_ref().is_err_and(too_many) {
        return listed;
    }
    let one_of_each = one_of_each(counted, budget);
    let by = |method| match &one_of_each {
        Some(one_of_each) => numbers_of_orbits(method, counted, one_of_each, budget),
        None => numbers_by(method, counted, budget),
    };
    if one_of_each.is_some() || limit > FEW_STATES {
        let few = by(CountMethod::List(limit.min(MORE_STATES)));
        if !few.as_ref().is_err_and(too_many) {
            return few;
        }
    }
    let found = by(CountMethod::Diagrams);
    if found.is_ok() || limit <= MORE_STATES || matches!(found, Err(Obstacle::Budget(_))) {
        return found;
    }
    let more = by(CountMethod::List(limit));
    if more.as_ref().is_err_and(too_many) { found } else { more }
}

/// Returns the model of one trace of each orbit, if values are interchangeable and all classes are symmetric.
fn one_of_each(counted: CountQuery<'_>, budget: &Budget) -> Option<OneOfEach> {
    let CountQuery { problem, classes, atoms, .. } = counted;
    let exchange = InterchangeableValues::find(problem, budget)?;
    let preserved = |class: &Class| exchange.preserves(&problem.model.types, atoms, &class.constraint);
    classes.iter().all(preserved).then(|| OneOfEach::new(problem, &exchange))?
}

fn too_many(obstacle: &Obstacle) -> bool {
    matches!(obstacle, Obstacle::States(Stop::States(_) | Stop::Choices(_)) | Obstacle::Combinations(_))
}

/// Like [`numbers`], by a given method.
///
/// # Errors
/// The obstacle to counting.
pub fn numbers_by(
    method: CountMethod,
    counted: CountQuery<'_>,
    budget: &Budget,
) -> Result<TraceNumbers, Obstacle> {
    let CountQuery { problem, classes, atoms, lengths } = counted;
    let automata = automata(problem.model, atoms, classes.iter().map(|class| &class.constraint))?;
    let counts = counts_by(method, problem, &automata, lengths, budget)?;
    Ok(TraceNumbers { method, orbits: false, counts })
}

/// Like [`numbers_by`], from traces in which interchangeable values first occur in their order.
///
/// # Errors
/// The obstacle to counting.
pub fn numbers_of_orbits(
    method: CountMethod,
    counted: CountQuery<'_>,
    one_of_each: &OneOfEach,
    budget: &Budget,
) -> Result<TraceNumbers, Obstacle> {
    let CountQuery { problem, classes, atoms, .. } = counted;
    let model = &one_of_each.model;
    let mut automata = automata(model, atoms, classes.iter().map(|class| &class.constraint))?;
    automata.extend_from_slice(one_of_each.automata());
    let problem = Problem::new(model, problem.invariant);
    let counts = counts_by(method, problem, &automata, counted.lengths, budget)?;
    Ok(TraceNumbers { method, orbits: true, counts: one_of_each.of_all(classes.len(), counts) })
}

fn counts_by(
    method: CountMethod,
    problem: Problem<'_>,
    automata: &[Automaton],
    lengths: Lengths,
    budget: &Budget,
) -> Result<Vec<Count>, Obstacle> {
    let longest = lengths.bound();
    let mut counts = match method {
        CountMethod::List(limit) => listed(problem, automata, longest, limit, budget)?,
        CountMethod::Diagrams => diagrams::count(problem, automata, longest, budget)?,
    };
    counts.retain(|count| lengths.all().contains(&count.steps));
    Ok(counts)
}

fn listed(
    problem: Problem<'_>,
    automata: &[Automaton],
    longest: usize,
    limit: usize,
    budget: &Budget,
) -> Result<Vec<Count>, Obstacle> {
    let graph = Graph::explore_up_to(problem.model, longest, limit, budget).map_err(Obstacle::States)?;
    let product = AutomataProduct::new(problem, &graph, automata, budget).map_err(Obstacle::Budget)?;
    let counts = count(&product, longest, limit, budget).map_err(Obstacle::Budget)?;
    counts.map_err(Obstacle::Combinations)
}
