//! Bounded model checking: a shortest trace that violates an invariant, or none within the bound; and
//! vacuity checks.

use super::encode::Encoder;
use super::forms::IntegerForms;
use super::frames::Unrolling;
use super::initial::any_state;
use super::lengths::Lengths;
use crate::sat::{Answer, Backend, Circuit, Lit, minimise_core};
use itertools::Itertools;
use kit::budget::{Activity, Budget, Exhausted, Observer, Progress};
use kit::diagnostics::Span;
use lang::model::expr::Expr;
use lang::model::types::Type;
use lang::model::value::{Label, State};
use lang::model::{Local, Model, Position, eval};
use lang::trace::Trace;
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// The most arguments of an action that are tried in one state.
const MOST_TRIED: u64 = 64;

/// The result of a bounded check.
#[derive(Debug, Clone, PartialEq)]
pub enum BoundedResult {
    /// No trace of the given lengths violates the invariant.
    Holds,
    /// A trace with the fewest steps before its first violation. It ends there unless its length was given.
    Violated(Trace),
    /// The budget is exhausted; no trace violates the invariant after fewer than `depth` steps.
    Undecided {
        /// The limit.
        why: Exhausted,
        /// The number of steps whose check was not completed.
        depth: usize,
    },
}

/// Signs that a model does not mean what was intended: what never happens within a bound.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Vacuity {
    /// If no state satisfies `init` and the assumptions: the places of a minimal set of contradictory
    /// formulas; empty if the budget was exhausted first.
    pub no_initial_state: Option<Vec<Span>>,
    /// The indices of actions that no trace up to the bound takes.
    pub dead_actions: Vec<usize>,
    /// Assignments (action, index into its updates) whose value can lie outside the type of its place while
    /// the action's `require`s hold: such a step does not exist, which may be unintended.
    pub overflows: Vec<(usize, usize)>,
    /// True if the budget was exhausted first: the lists are correct but may be incomplete.
    pub incomplete: bool,
}

/// Searches for a violation of `invariant`, for increasing numbers of steps (A. Biere, A. Cimatti, E. Clarke and
/// Y. Zhu, *Symbolic model checking without BDDs*, TACAS 1999).
pub fn check(
    model: &Model,
    invariant: &Expr,
    lengths: Lengths,
    backend: Backend,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> BoundedResult {
    let mut unrolling = Unrolling::new(model, lengths, Circuit::new(backend.start(budget)).within(budget));
    for depth in 0..=lengths.bound() {
        if let Some(why) = budget.exhausted() {
            return BoundedResult::Undecided { why, depth };
        }
        if let Err(why) = unrolling.grow_to(depth) {
            return BoundedResult::Undecided { why, depth };
        }
        observer.progress(&Progress::of(Activity::Search, depth, unrolling.circuit.effort()));
        let here = Position::after(depth);
        let good = unrolling.state_truth(invariant, here);
        let mut assumptions = unrolling.looked_at(depth);
        assumptions.push(!good);
        let is_excluded = matches!(lengths, Lengths::UpTo(_)) && depth < observer.excluded();
        match if is_excluded { Answer::Unsat } else { unrolling.circuit.solve(&assumptions) } {
            Answer::Sat => {
                let wished = grant_wish(&mut unrolling, here, &mut assumptions);
                if let Err(why) = wished.and_then(|()| unrolling.first_trace(depth, &assumptions)) {
                    return BoundedResult::Undecided { why, depth };
                }
                let trace = unrolling.decode(lengths.whole(depth));
                let first = eval::first_violation(model, invariant, &trace.moments);
                assert_eq!(
                    first,
                    Some(here),
                    "the encoding and the reference semantics disagree on {trace:?}"
                );
                return BoundedResult::Violated(trace);
            }
            // No trace has its first violation here, so later searches may assume the invariant.
            Answer::Unsat => unrolling.circuit.add_clause(&[!unrolling.frame(here).alive, good]),
            Answer::Unknown(why) => return BoundedResult::Undecided { why, depth },
        }
    }
    BoundedResult::Holds
}

/// After an answer [`Answer::Sat`] under `assumptions`: adds the first wish of the model that can be satisfied with them at a position,
/// and leaves the solver with an assignment for all.
fn grant_wish(
    unrolling: &mut Unrolling<'_>,
    at: Position,
    assumptions: &mut Vec<Lit>,
) -> Result<(), Exhausted> {
    let wishes = &unrolling.model.wishes;
    for wish in wishes {
        let wish = unrolling.state_truth(wish, at);
        assumptions.push(wish);
        match unrolling.circuit.solve(assumptions) {
            Answer::Sat => return Ok(()),
            Answer::Unsat => _ = assumptions.pop(),
            Answer::Unknown(why) => return Err(why),
        }
    }
    if wishes.is_empty() {
        return Ok(());
    }
    match unrolling.circuit.solve(assumptions) {
        Answer::Unknown(why) => Err(why),
        Answer::Sat | Answer::Unsat => Ok(()),
    }
}

/// For each state formula, whether it is true in some state of some trace of up to `bound` steps; `None` where the budget is
/// exhausted first. The traces that are `known` are looked at before the solver is asked.
pub fn reachable(
    model: &Model,
    formulas: &[Expr],
    bound: usize,
    known: &[&Trace],
    backend: Backend,
    budget: &Budget,
) -> Vec<Option<bool>> {
    let within = |formula: &Expr, trace: &Trace| {
        trace.moments.iter().any(|moment| eval::eval_state(model, formula, moment).is_true())
    };
    let seen = |formula| known.iter().any(|trace| within(formula, trace)).then_some(true);
    let mut reached: Vec<Option<bool>> = formulas.iter().map(seen).collect();
    if reached.iter().all(Option::is_some) {
        return reached;
    }
    let circuit = Circuit::new(backend.start(budget)).within(budget);
    let mut unrolling = Unrolling::new(model, Lengths::UpTo(bound), circuit);
    for depth in 0..=bound {
        if budget.exhausted().is_some() || unrolling.grow_to(depth).is_err() {
            return reached;
        }
        loop {
            let open: Vec<usize> = (0..formulas.len()).filter(|index| reached[*index].is_none()).collect();
            if open.is_empty() {
                return reached;
            }
            let truths: Vec<Lit> = open
                .iter()
                .map(|index| unrolling.state_truth(&formulas[*index], Position::after(depth)))
                .collect();
            let mut assumptions = unrolling.looked_at(depth);
            assumptions.push(unrolling.circuit.any(&truths));
            match unrolling.circuit.solve(&assumptions) {
                Answer::Sat => {}
                Answer::Unsat => break,
                Answer::Unknown(_) => return reached,
            }
            let trace = unrolling.decode(depth);
            let found: Vec<usize> =
                open.into_iter().filter(|index| within(&formulas[*index], &trace)).collect();
            assert!(!found.is_empty(), "the encoding and the reference semantics disagree on {trace:?}");
            found.into_iter().for_each(|index| reached[index] = Some(true));
        }
    }
    reached.into_iter().map(|reached| reached.or(Some(false))).collect()
}

/// True if there is a trace of these lengths; `None` if the budget is exhausted first.
pub fn exists(model: &Model, lengths: Lengths, backend: Backend, budget: &Budget) -> Option<bool> {
    let mut unrolling = Unrolling::new(model, lengths, Circuit::new(backend.start(budget)).within(budget));
    unrolling.grow_to(0).ok()?;
    match unrolling.circuit.solve(&[]) {
        Answer::Sat => Some(true),
        Answer::Unsat => Some(false),
        Answer::Unknown(_) => None,
    }
}

/// Finds what never happens in traces of up to `bound` steps; with bound 0, only whether there is an initial
/// state.
pub fn vacuity(model: &Model, bound: usize, backend: Backend, budget: &Budget) -> Vacuity {
    let mut found = Vacuity::default();
    let lengths = Lengths::UpTo(bound);
    let mut unrolling = Unrolling::new(model, lengths, Circuit::new(backend.start(budget)).within(budget));
    match unrolling.circuit.solve(&[]) {
        Answer::Unsat => {
            found.no_initial_state = Some(initial_conflict(model, backend, budget));
            found.dead_actions = (0..model.actions.len()).collect();
            return found;
        }
        Answer::Unknown(_) => {
            found.incomplete = true;
            return found;
        }
        Answer::Sat => {}
    }
    if bound == 0 {
        return found;
    }
    if unrolling.grow_to(bound).is_err() {
        found.incomplete = true;
        return found;
    }
    let finished = find_dead(&mut unrolling, bound, &mut found)
        .and_then(|()| find_overflows(&mut unrolling, &mut found));
    found.incomplete = finished.is_err();
    found
}

/// Finds the actions that no trace of up to `bound` steps takes.
fn find_dead(unrolling: &mut Unrolling<'_>, bound: usize, found: &mut Vacuity) -> Result<(), Exhausted> {
    let model = unrolling.model;
    let mut open: Vec<usize> = (0..model.actions.len()).collect();
    let mut seen = FxHashSet::default();
    while !open.is_empty() {
        let mut any = Vec::new();
        for frame in &unrolling.frames[1..] {
            for &action in &open {
                any.push(unrolling.circuit.and(frame.alive, frame.actions[action]));
            }
        }
        let any = unrolling.circuit.any(&any);
        match unrolling.circuit.solve(&[any]) {
            Answer::Sat => {}
            Answer::Unsat => break,
            Answer::Unknown(why) => return Err(why),
        }
        let length = unrolling.length();
        let trace = unrolling.decode(length);
        let taken: FxHashSet<usize> =
            trace.moments.iter().filter_map(|m| Some(m.label.as_ref()?.action)).collect();
        open.retain(|action| !taken.contains(action));
        // Whatever else is possible from its states need not be asked about.
        for moment in trace.moments.into_iter().take(bound) {
            if seen.insert(moment.state.clone()) {
                open.retain(|&action| !has_step(model, &moment.state, action));
            }
        }
    }
    found.dead_actions = open;
    Ok(())
}

/// True if an action has a step from a state, of which only few steps that leave nothing open are looked at.
fn has_step(model: &Model, state: &State, action: usize) -> bool {
    let params = &model.actions[action].params;
    let number = |p: &Local| model.types.cardinality(&p.ty);
    if params.iter().map(number).fold(1, u64::saturating_mul) > MOST_TRIED {
        return false;
    }
    let values = params.iter().map(|p| model.types.values(&p.ty));
    let mut choices = values.multi_cartesian_product();
    choices.any(|args| eval::successor(model, state, &Label { action, args }).is_some())
}

/// Finds the assignments whose value can lie outside the type of its place.
fn find_overflows(unrolling: &mut Unrolling<'_>, found: &mut Vacuity) -> Result<(), Exhausted> {
    let model = unrolling.model;
    let mut open: BTreeMap<(usize, usize), Vec<Lit>> = BTreeMap::new();
    for pair in unrolling.frames.windows(2) {
        let [before, frame] = [&pair[0], &pair[1]];
        for overflow in &frame.overflows {
            // The overflowing step itself does not exist, so the query is whether it would be taken next,
            // after a trace that is one step shorter.
            let outside = unrolling.circuit.all(&[before.alive, !frame.alive, overflow.outside]);
            open.entry((overflow.action, overflow.update)).or_default().push(outside);
        }
    }
    // An integer without bounds is meant to be one.
    open.retain(|&(action, update), _| *model.actions[action].updates[update].ty.inner() != Type::INT);
    while !open.is_empty() {
        let all: Vec<Lit> = open.values().flatten().copied().collect();
        let any = unrolling.circuit.any(&all);
        let ended = match unrolling.circuit.solve(&[any]) {
            Answer::Sat => None,
            Answer::Unsat => Some(Ok(())),
            Answer::Unknown(why) => Some(Err(why)),
        };
        if let Some(ended) = ended {
            found.overflows.sort_unstable();
            return ended;
        }
        let circuit = &unrolling.circuit;
        let before = open.len();
        open.retain(|place, lits| {
            let overflows = lits.iter().any(|lit| circuit.value(*lit));
            found.overflows.extend(overflows.then_some(*place));
            !overflows
        });
        assert!(open.len() < before, "one of the assignments overflows");
    }
    found.overflows.sort_unstable();
    Ok(())
}

/// The places of a minimal set of formulas that cannot hold together in an initial state; there may be other
/// such sets. Empty if the budget is exhausted first.
///
/// # Panics
/// If there is an initial state.
pub fn initial_conflict(model: &Model, backend: Backend, budget: &Budget) -> Vec<Span> {
    let mut circuit = Circuit::new(backend.start(budget)).within(budget);
    let frames = [any_state(&mut circuit, model, &IntegerForms::of(model))];
    let assumptions = model.assumptions.iter().filter(|a| !a.step).map(|a| &a.expr);
    let mut candidates: Vec<(Lit, Span)> = Vec::new();
    for formula in model.init.iter().chain(assumptions) {
        let holds = Encoder::new(&mut circuit, model, &frames).at(Position::FIRST).truth(formula);
        candidates.push((holds, formula.span));
    }
    let lits: Vec<Lit> = candidates.iter().map(|(lit, _)| *lit).collect();
    let core = minimise_core(&mut circuit, &[], &lits).unwrap_or_default();
    let mut spans = Vec::new();
    for lit in core {
        spans.extend(candidates.iter().find(|c| c.0 == lit).map(|c| c.1));
    }
    spans
}
