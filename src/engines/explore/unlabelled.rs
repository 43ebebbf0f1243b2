//! Labels for traces that have none, such as those of other programs.

use super::limits::{DEFAULT_SEARCH_LIMIT, SearchLimits, Stop, TooMany};
use super::search::initial_states;
use super::successors::{of_action, successors};
use kit::budget::Budget;
use lang::model::Model;
use lang::model::value::{Label, Moment, State};
use rustc_hash::FxHashSet;
use std::ops::Range;

/// The reason why a trace has no labels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unlabelled {
    /// No action leads from this state to the next one.
    NoStep(usize),
    /// No trace has this entry of a listing, or its end, after those before it.
    Beyond(usize),
    /// The search ended at its limit, before a trace had this entry of a listing.
    Cut(usize),
    /// The search ended at its limit, before all traces with a listing were found.
    Many,
    /// There are too many steps from a state to list.
    TooMany(TooMany),
}

impl std::fmt::Display for Unlabelled {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NoStep(from) => {
                write!(f, "no step of the model leads from state {from} to state {}", from + 1)
            }
            Self::Beyond(at) => write!(f, "no trace of the model has entry {} after those before it", at + 1),
            Self::Cut(at) => {
                let entry = at + 1;
                write!(
                    f,
                    "the search ended at its limit of {MOST_FOLLOWED} states; no trace so far has entry {entry}"
                )
            }
            Self::Many => {
                f.write_str("more traces may fit it than the search looks at, and they differ at their ends")
            }
            Self::TooMany(too_many) => too_many.fmt(f),
        }
    }
}

impl std::error::Error for Unlabelled {}

/// Gives each step without a label the first label, by action and arguments, with which the model has that step.
///
/// # Errors
/// If there is no such step, or there are too many to list.
pub fn find_labels(model: &Model, moments: &mut [Moment]) -> Result<(), Unlabelled> {
    for at in 1..moments.len() {
        if moments[at].label.is_some() {
            continue;
        }
        let label = first_label(model, &moments[at - 1].state, &moments[at].state)?;
        moments[at].label = Some(label.ok_or(Unlabelled::NoStep(at - 1))?);
    }
    Ok(())
}

/// Returns the first label of a step between two states.
fn first_label(model: &Model, before: &State, wanted: &State) -> Result<Option<Label>, Unlabelled> {
    let limits = SearchLimits { tries: DEFAULT_SEARCH_LIMIT, budget: &Budget::unlimited() };
    for action in 0..model.actions.len() {
        let mut found = None;
        let looked = of_action(model, before, action, limits, &mut |label, after| {
            if after != wanted {
                return Ok(());
            }
            found = Some(label.clone());
            Err(Stop::States(1))
        });
        match looked {
            _ if found.is_some() => return Ok(found),
            Ok(()) => {}
            Err(stop) => return Err(Unlabelled::TooMany(stop.into_too_many())),
        }
    }
    Ok(None)
}

/// The most pairs of a state and a place that are looked at to follow a listing.
const MOST_FOLLOWED: usize = 200_000;

/// The most traces that are found for a listing.
const MOST_REPLAYS: usize = 100;

/// A trace, with the number of entries of a listing before each moment.
pub type Replay = Vec<(Moment, usize)>;

/// Returns the numbers of entries of a listing that a step with a label may consume from a place on.
type Consumes<'c> = &'c dyn Fn(&Label, usize) -> Vec<usize>;

/// A moment with the number of entries that were consumed before it, and the place of the moment before.
type Reached = (Moment, usize, Option<usize>);

/// Finds traces that consume all entries of a listing, in their order, with different states at their ends, for which `ends` is true.
/// `consumes` returns the numbers of entries that a step with a label may consume from a place on, the likeliest last. Steps that need
/// consume none are taken where no other step goes on, after the last entry if there is no end without them, or, if no trace is found in this way, anywhere.
///
/// # Errors
/// The place that no trace goes beyond, or that there are too many choices or traces.
pub fn follow(
    model: &Model,
    length: usize,
    consumes: Consumes<'_>,
    ends: &dyn Fn(&Replay) -> bool,
) -> Result<Vec<Replay>, Unlabelled> {
    match replays(model, length, consumes, ends, true) {
        Err(Unlabelled::Beyond(_)) => replays(model, length, consumes, ends, false),
        found => found,
    }
}

fn replays(
    model: &Model,
    length: usize,
    consumes: Consumes<'_>,
    ends: &dyn Fn(&Replay) -> bool,
    waits: bool,
) -> Result<Vec<Replay>, Unlabelled> {
    let first = initial_states(model, DEFAULT_SEARCH_LIMIT).map_err(Unlabelled::TooMany)?;
    let mut reached: Vec<Reached> =
        first.into_iter().map(|state| (Moment { label: None, state }, 0, None)).collect();
    let mut known: FxHashSet<(State, usize)> =
        reached.iter().map(|(moment, at, _)| (moment.state.clone(), *at)).collect();
    let mut open: Vec<usize> = (0..reached.len()).rev().collect();
    // Moments after the last entry that are no ends, whose steps are taken only where there is no end without them.
    let (mut late, mut found, mut furthest) = (Vec::new(), Vec::<Replay>::new(), 0);
    while let Some(own) = open.pop() {
        let at = reached[own].1;
        furthest = furthest.max(at);
        if at < length {
            open.extend(next_moments(model, own, &mut reached, &mut known, (length, consumes, waits))?);
        } else {
            let back = std::iter::successors(Some(own), |&place| reached[place].2);
            let mut moments: Replay =
                back.map(|place| (reached[place].0.clone(), reached[place].1)).collect();
            moments.reverse();
            match ends(&moments) {
                true => found.push(moments),
                false => late.push(own),
            }
        }
        if open.is_empty() && found.is_empty() {
            for own in std::mem::take(&mut late) {
                open.extend(next_moments(model, own, &mut reached, &mut known, (length, consumes, waits))?);
            }
        }
        if found.len() > MOST_REPLAYS || reached.len() > MOST_FOLLOWED && !found.is_empty() {
            return Err(Unlabelled::Many);
        }
        if reached.len() > MOST_FOLLOWED {
            return Err(Unlabelled::Cut(furthest));
        }
    }
    if found.is_empty() { Err(Unlabelled::Beyond(furthest)) } else { Ok(found) }
}

/// Adds the moments after one that were not reached yet, and returns their places.
fn next_moments(
    model: &Model,
    own: usize,
    reached: &mut Vec<Reached>,
    known: &mut FxHashSet<(State, usize)>,
    (length, consumes, waits): (usize, Consumes<'_>, bool),
) -> Result<Range<usize>, Unlabelled> {
    let (first, at) = (reached.len(), reached[own].1);
    let steps =
        successors(model, &reached[own].0.state, DEFAULT_SEARCH_LIMIT).map_err(Unlabelled::TooMany)?;
    let mut next: Vec<(usize, Label, State)> = Vec::new();
    for (label, after) in steps {
        next.extend(consumes(&label, at).into_iter().map(|count| (count, label.clone(), after.clone())));
    }
    if waits && next.iter().any(|(count, ..)| *count > 0) {
        next.retain(|(count, ..)| *count > 0);
    }
    // Steps that consume more are tried first.
    next.sort_by_key(|(count, ..)| *count);
    for (count, label, state) in next {
        let at = at + count;
        if at <= length && known.insert((state.clone(), at)) {
            reached.push((Moment { label: Some(label), state }, at, Some(own)));
        }
    }
    Ok(first..reached.len())
}
