//! Defences: the truth-valued constants of a model that, with their other value, stop kinds of violation.

use super::enumeration::{Irreducible, enumerate, holds, orders, with_actions};
use super::kinds::{CausalKind, Way, kinds};
use super::pattern::{ArgumentParts, labels};
use super::reasons::Reasons;
use crate::facts::problem::Problem;
use itertools::Itertools;
use kit::budget::{Budget, Exhausted, Limited};
use lang::model::expr::Expr;
use lang::model::value::Value;
use lang::model::{Constant, Model};
use lang::trace::Trace;
use solvers::sat::Setup;

/// Orders of the steps of one pattern that are compared.
const MOST_ORDERS: usize = 24;
/// Of more constants, sets are not tried.
const MOST_CONSTANTS: usize = 6;

/// A constant with its other value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Defence {
    /// The name of the constant.
    pub constant: String,
    /// The value that it has not.
    pub value: bool,
}

/// Which constants stop which kinds.
#[derive(Debug, Clone, Default)]
pub struct Defences {
    /// The constants that stop a kind.
    pub defences: Vec<Defence>,
    /// For each kind the numbers of those that stop it.
    pub stopping: Vec<Vec<usize>>,
    /// The smallest sets of constants with which the property holds up to the bound, by their numbers.
    pub sufficient: Vec<Vec<usize>>,
    /// The limit that ended the search, if one did.
    pub ended: Option<Exhausted>,
}

/// The truth-valued constants of a model that can be changed one by one.
pub fn switches(model: &Model) -> Vec<Defence> {
    let other = |constant: &Constant| match constant.value {
        Value::Bool(value) => Some(Defence { constant: constant.name.clone(), value: !value }),
        _ => None,
    };
    model.constants.iter().filter_map(other).collect()
}

/// The model with other values for some constants, and its invariant; `None` if it has mistakes then.
pub type Change<'c> = dyn Fn(&[Defence]) -> Option<(Model, Expr)> + 'c;

struct Inquiry<'a> {
    problem: Problem<'a>,
    parts: &'a ArgumentParts,
    bound: usize,
    solver: Setup,
    budget: &'a Budget,
    change: &'a Change<'a>,
}

/// What the constants of a model are asked with.
pub struct Circumstances<'a> {
    /// The greatest number of steps of traces.
    pub bound: usize,
    /// The solver.
    pub solver: Setup,
    /// The limits.
    pub budget: &'a Budget,
    /// How constants are changed.
    pub change: &'a Change<'a>,
}

/// Finds out which truth-valued constants stop which kinds; `None` if the model has none. Where they tell orders of the steps of a kind apart,
/// these become kinds of their own.
pub fn defences(
    problem: Problem<'_>,
    parts: &ArgumentParts,
    kinds: &mut Vec<CausalKind>,
    circumstances: Circumstances<'_>,
) -> Option<Defences> {
    let switches = switches(problem.model);
    if switches.is_empty() || kinds.is_empty() {
        return None;
    }
    let Circumstances { bound, solver, budget, change } = circumstances;
    let inquiry = Inquiry { problem, parts, bound, solver, budget, change };
    let mut found = Defences::default();
    let given = std::mem::take(kinds);
    if let Err(why) = inquiry.run(&switches, given, kinds, &mut found) {
        found.ended = Some(why);
    }
    Some(found)
}

impl Inquiry<'_> {
    fn run(
        &self,
        switches: &[Defence],
        given: Vec<CausalKind>,
        kinds: &mut Vec<CausalKind>,
        found: &mut Defences,
    ) -> Limited<()> {
        let mut changed = Vec::new();
        for defence in switches {
            let Some((model, invariant)) = (self.change)(std::slice::from_ref(defence)) else { continue };
            changed.push((defence.clone(), model, invariant));
        }
        let mut stopping: Vec<Vec<usize>> = Vec::new();
        let mut given = given.into_iter();
        while let Some(kind) = given.next() {
            match self.of_kind(&kind, &changed) {
                Ok(split) => {
                    for (part, stops) in split {
                        kinds.push(part.unwrap_or_else(|| kind.clone()));
                        stopping.push(stops);
                    }
                }
                Err(why) => {
                    kinds.push(kind);
                    kinds.extend(given);
                    return Err(why);
                }
            }
        }
        let used: Vec<usize> =
            (0..changed.len()).filter(|number| stopping.iter().any(|stops| stops.contains(number))).collect();
        let renumbered =
            |stops: Vec<usize>| stops.iter().filter_map(|n| used.iter().position(|u| u == n)).collect();
        found.defences = used.iter().map(|&number| changed[number].0.clone()).collect();
        found.stopping = stopping.into_iter().map(renumbered).collect();
        found.sufficient = self.sufficient(&found.defences)?;
        Ok(())
    }

    /// The parts of a kind that constants tell apart, with the constants that stop them: the whole kind, or orders of its steps.
    fn of_kind(
        &self,
        kind: &CausalKind,
        changed: &[(Defence, Model, Expr)],
    ) -> Limited<Vec<(Option<CausalKind>, Vec<usize>)>> {
        let Self { problem, parts, solver, budget, .. } = *self;
        let mut whole = Vec::new();
        for (number, (_, model, invariant)) in changed.iter().enumerate() {
            if !self.occurs(kind, Problem::new(model, invariant))? {
                whole.push(number);
            }
        }
        let first = &kind.ways[0].irreducible;
        let traces = orders(problem, parts, &first.pattern, MOST_ORDERS, solver, budget)?;
        if traces.len() < 2 {
            return Ok(vec![(None, whole)]);
        }
        let mut by_stops: Vec<(Vec<usize>, Trace)> = Vec::new();
        for trace in traces {
            let actions: Vec<usize> = labels(&trace).iter().map(|label| label.action).collect();
            let mut stops = Vec::new();
            for (number, (_, model, invariant)) in changed.iter().enumerate() {
                if with_actions(Problem::new(model, invariant), &actions, solver, budget)?.is_none() {
                    stops.push(number);
                }
            }
            if !by_stops.iter().any(|(known, _)| *known == stops) {
                by_stops.push((stops, trace));
            }
        }
        if by_stops.len() < 2 {
            return Ok(vec![(None, whole)]);
        }
        let part = |(stops, trace): (Vec<usize>, Trace)| {
            let reasons = Reasons::new(problem, &trace);
            let irreducible = Irreducible { trace, pattern: first.pattern.clone() };
            let way = Way { irreducible, reasons };
            let part =
                CausalKind { ways: vec![way], variants: Vec::new(), in_this_order: true, ..kind.clone() };
            (Some(part), stops)
        };
        Ok(by_stops.into_iter().map(part).collect())
    }

    /// True if a trace with the same actions as one of the kind violates the property in a changed model, or one with the same deciding actions
    /// and the same individuals in them, or fewer, is irreducible there.
    fn occurs(&self, kind: &CausalKind, other: Problem<'_>) -> Limited<bool> {
        for way in &kind.ways {
            let labels = labels(&way.irreducible.trace);
            let actions: Vec<usize> = labels.iter().map(|label| label.action).collect();
            if with_actions(other, &actions, self.solver, self.budget)?.is_some() {
                return Ok(true);
            }
        }
        let parts = ArgumentParts::new(other);
        let found = enumerate(other, &parts, self.bound, self.solver, self.budget, &mut ());
        if let Some(why) = found.ended {
            return Err(why);
        }
        let others = kinds(other, &parts, found.found);
        Ok(others.iter().flat_map(CausalKind::with_variants).any(|other| other.is_like(kind, &parts)))
    }

    /// The smallest sets of defences with which the property holds.
    fn sufficient(&self, defences: &[Defence]) -> Limited<Vec<Vec<usize>>> {
        let mut found: Vec<Vec<usize>> = Vec::new();
        if defences.len() > MOST_CONSTANTS {
            return Ok(found);
        }
        for chosen in (0..defences.len()).powerset().filter(|chosen| !chosen.is_empty()) {
            if found.iter().any(|known| known.iter().all(|number| chosen.contains(number))) {
                continue;
            }
            let with: Vec<Defence> = chosen.iter().map(|&number| defences[number].clone()).collect();
            let Some((model, invariant)) = (self.change)(&with) else { continue };
            if holds(Problem::new(&model, &invariant), self.bound, self.solver, self.budget)? {
                found.push(chosen);
            }
        }
        Ok(found)
    }
}
