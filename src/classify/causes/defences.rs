//! Defences: the truth-valued constants of a model that, with their other value, stop kinds of violation.

use super::kinds::CausalKind;
use super::pattern::CausePattern;
use super::question::{CausalQuestion, ChangedProperty};
use super::way::Way;
use itertools::Itertools;
use kit::budget::{Exhausted, Limited};
use lang::model::value::Value;
use lang::model::{Constant, Model};
use solvers::unroll::vacuity;
use std::cell::OnceCell;

/// Orders of the steps of one pattern that are compared.
const MOST_ORDERS: usize = 24;
/// The ways of kinds with more are not told apart by constants.
const MOST_WAYS: usize = 25;
/// Of more constants, only all together are tried.
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
    /// The constants that were tried.
    pub defences: Vec<Defence>,
    /// For each kind the numbers of those that stop it.
    pub stopping: Vec<Vec<usize>>,
    /// By constant, true if violations of some kind remain with it alone.
    pub remaining: Vec<bool>,
    /// The smallest sets of constants with which the property holds up to the bound, by their numbers. Of more than six constants, only all of
    /// them together are tried.
    pub sufficient: Vec<Vec<usize>>,
    /// By set the names of the actions that happen within the bound as the model is, and no longer with the set; empty also where that is not
    /// known.
    pub costs: Vec<Vec<String>>,
    /// True if the smallest sets are known.
    pub tried_sets: bool,
    /// The limit that ended the search, if one did.
    pub ended: Option<Exhausted>,
}

impl Defences {
    /// True if a constant stops all kinds, and others appear with it.
    pub fn others_appear(&self, number: usize) -> bool {
        self.remaining.get(number) == Some(&true) && self.stopping.iter().all(|stops| stops.contains(&number))
    }
}

/// The truth-valued constants of a model that can be changed one by one.
pub fn switches(model: &Model) -> Vec<Defence> {
    let other = |constant: &Constant| match constant.value {
        Value::Bool(value) => Some(Defence { constant: constant.name.clone(), value: !value }),
        _ => None,
    };
    model.constants.iter().filter_map(other).collect()
}

/// The model with other values for some constants, and its property; `None` if it has mistakes then.
pub type ModelChange<'c> = dyn Fn(&[Defence]) -> Option<(Model, ChangedProperty)> + 'c;

/// True if the numbers are among others.
fn is_within(few: &[usize], many: &[usize]) -> bool {
    few.iter().all(|number| many.contains(number))
}

/// The part of a kind that constants may stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum KindPart {
    /// All of it.
    Whole,
    /// The order of its first trace.
    Order,
    /// Some of its ways.
    Ways,
}

struct DefenceSearch<'a> {
    question: &'a CausalQuestion<'a>,
    /// The kinds of the model as it is.
    kinds: &'a [CausalKind],
    change: &'a ModelChange<'a>,
}

/// The truth-valued constants that stop kinds; `None` if the model has none. Where they tell orders of the steps of a kind, or its ways, apart, these become
/// kinds of their own.
pub fn defences(
    question: &CausalQuestion<'_>,
    kinds: &mut Vec<CausalKind>,
    change: &ModelChange<'_>,
) -> Option<Defences> {
    let switches = switches(question.problem.model());
    if switches.is_empty() || kinds.is_empty() {
        return None;
    }
    let mut found = Defences::default();
    let given = kinds.clone();
    match (DefenceSearch { question, kinds: &given, change }).run(&switches, &given, &mut found) {
        Ok(split) => *kinds = split,
        Err(why) => found.ended = Some(why),
    }
    Some(found)
}

/// A model with another value for a constant, and its irreducible violating traces.
struct Changed {
    model: Model,
    property: ChangedProperty,
    ways: Vec<Way>,
    /// True if these are not all.
    is_narrowed: bool,
}

impl DefenceSearch<'_> {
    /// The kinds, some of them split. The constants that stop them are put into `found`.
    fn run(
        &self,
        switches: &[Defence],
        given: &[CausalKind],
        found: &mut Defences,
    ) -> Limited<Vec<CausalKind>> {
        let mut changed = Vec::new();
        for defence in switches {
            let Some((model, property)) = (self.change)(std::slice::from_ref(defence)) else { continue };
            found.defences.push(defence.clone());
            changed.push(self.changed(model, property)?);
        }
        let mut split = Vec::new();
        let mut stopping = Vec::new();
        for kind in given {
            for (part, stops) in self.of_kind(kind, &changed)? {
                split.push(part);
                stopping.push(stops);
            }
        }
        // A variant with another last action that other constants stop is a kind of its own.
        for number in 0..split.len() {
            for variant in std::mem::take(&mut split[number].variants) {
                let stops = if variant.breaks_like(&split[number]) {
                    stopping[number].clone()
                } else {
                    self.stops(&variant, KindPart::Whole, &changed)?
                };
                if stops == stopping[number] {
                    split[number].variants.push(variant);
                } else {
                    split.push(variant);
                    stopping.push(stops);
                }
            }
        }
        found.stopping = stopping;
        found.remaining = changed.iter().map(|changed| !changed.ways.is_empty()).collect();
        match self.sufficient(&found.defences) {
            Ok(sets) => {
                (found.sufficient, found.costs) = sets.into_iter().unzip();
                found.tried_sets = true;
            }
            Err(why) => found.ended = Some(why),
        }
        Ok(split)
    }

    fn changed(&self, model: Model, property: ChangedProperty) -> Limited<Changed> {
        let problem = property.of(&model);
        let parts = problem.parts();
        let found = CausalQuestion { problem, parts: &parts, ..*self.question }.enumerate(&mut ());
        match found.ended {
            Some(why) => Err(why),
            None => {
                let (is_narrowed, ways) = (found.narrowed_from.is_some(), found.found);
                Ok(Changed { model, property, ways, is_narrowed })
            }
        }
    }

    /// The parts of a kind that constants tell apart, with the constants that stop them: the whole kind, orders of its steps, or some of its ways.
    fn of_kind(&self, kind: &CausalKind, changed: &[Changed]) -> Limited<Vec<(CausalKind, Vec<usize>)>> {
        let mut orders = self.question.orders(&kind.ways[0], MOST_ORDERS)?;
        // Other orders may have other reasons.
        orders.retain(|way| way.deciding.is_like(&kind.deciding));
        let mut parts = match orders.len() {
            0 | 1 => Vec::new(),
            _ => self.signatures(&orders, KindPart::Order, changed)?,
        };
        if parts.len() > 1 {
            // Its other ways are of the part whose order they have.
            for way in &kind.ways[1..] {
                let own = parts
                    .iter()
                    .position(|(part, _)| part.ways[0].deciding_actions() == way.deciding_actions());
                parts[own.unwrap_or(0)].0.add(way.clone());
            }
            let orders = parts.iter().map(|(part, _)| part.ways[0].deciding_actions());
            let orders = orders.collect::<Vec<_>>();
            for (number, (part, _)) in parts.iter_mut().enumerate() {
                // The order is that of other steps.
                if orders.iter().filter(|order| **order == orders[number]).count() > 1 {
                    part.tell_all();
                }
            }
        } else {
            parts = match kind.ways.len() {
                1 | MOST_WAYS.. => Vec::new(),
                _ => self.signatures(&kind.ways, KindPart::Ways, changed)?,
            };
            let all: Vec<Vec<usize>> = parts.iter().map(|(_, stops)| stops.clone()).collect();
            let is_least =
                |stops: &Vec<usize>| !all.iter().any(|other| other != stops && is_within(other, stops));
            let (least, others): (Vec<_>, Vec<_>) = parts.into_iter().partition(|(_, stops)| is_least(stops));
            parts = least;
            for (other, stops) in others {
                let host = parts.iter_mut().find(|(_, least)| is_within(least, &stops));
                let (host, _) = host.expect("a least set of constants");
                other.ways.into_iter().for_each(|way| host.add(way));
            }
            for (part, stops) in &mut parts {
                part.tell_more(&kind.ways);
                // Other ways of the changed model may have all that is told of the part.
                let others = self.others(part);
                let is_told = |way: &Way| {
                    part.deciding.is_rooted_in(&way.pattern)
                        && !others.iter().any(|other| other.is_same(&way.pattern))
                };
                stops.retain(|&number| !changed[number].ways.iter().any(is_told));
            }
        }
        if parts.len() < 2 {
            return Ok(vec![(kind.clone(), self.stops(kind, KindPart::Whole, changed)?)]);
        }
        parts[0].0.variants.clone_from(&kind.variants);
        Ok(parts)
    }

    /// Ways of a kind, put together by the constants that stop them.
    fn signatures(
        &self,
        ways: &[Way],
        of: KindPart,
        changed: &[Changed],
    ) -> Limited<Vec<(CausalKind, Vec<usize>)>> {
        let mut parts: Vec<(CausalKind, Vec<usize>)> = Vec::new();
        for way in ways {
            let mut part = CausalKind::of(way.clone());
            part.in_this_order = of == KindPart::Order;
            let stops = self.stops(&part, of, changed)?;
            match parts.iter_mut().find(|(_, known)| *known == stops) {
                // One order stands for those with the same signature.
                Some(_) if of == KindPart::Order => {}
                Some((known, _)) => known.add(way.clone()),
                None => parts.push((part, stops)),
            }
        }
        Ok(parts)
    }

    /// The constants that stop a part of a kind.
    fn stops(&self, kind: &CausalKind, of: KindPart, changed: &[Changed]) -> Limited<Vec<usize>> {
        let mut stops = Vec::new();
        for (number, other) in changed.iter().enumerate() {
            if !self.occurs(kind, of, other)? {
                stops.push(number);
            }
        }
        Ok(stops)
    }

    /// True if a part of a kind occurs in a changed model, or might: a trace with the same actions as one of the part violates the property, one that
    /// consists of some steps of the part is irreducible, or one with the same deciding actions and the same individuals in them, or fewer; none of
    /// them has the steps of another kind. In an order, the deciding actions have the same one, and so have the steps if they are the same; ways have
    /// their own steps.
    fn occurs(&self, kind: &CausalKind, of: KindPart, other: &Changed) -> Limited<bool> {
        let question = CausalQuestion { problem: other.property.of(&other.model), ..*self.question };
        let others = self.others(kind);
        for way in &kind.ways {
            if question.is_violated_by(way, &others)? {
                return Ok(true);
            }
        }
        let is_of_other = |way: &Way| others.iter().any(|other| other.is_same(&way.pattern));
        Ok(other.is_narrowed
            || other.ways.iter().filter(|way| !is_of_other(way)).any(|way| {
                let is_shorter = |own: &Way| {
                    way.pattern.steps.len() < own.pattern.steps.len() && way.pattern.is_in(&own.pattern)
                };
                let own = &kind.ways[0];
                let is_alike = || way.deciding.is_like(&kind.deciding);
                // Its steps in another order are another part, and this order is no violation.
                let has_order =
                    || !way.pattern.is_same(&own.pattern) && way.deciding_actions() == own.deciding_actions();
                let may_be = match of {
                    KindPart::Whole => is_alike(),
                    KindPart::Order => has_order() && is_alike(),
                    KindPart::Ways => false,
                };
                may_be || kind.ways.iter().any(is_shorter)
            }))
    }

    /// The patterns of the ways of the model as it is that a kind does not have.
    fn others(&self, kind: &CausalKind) -> Vec<&CausePattern> {
        let is_own = |pattern: &CausePattern| {
            let mut own = kind.with_variants().flat_map(|kind| &kind.ways);
            own.any(|way| way.pattern.is_same(pattern))
        };
        let all = self.kinds.iter().flat_map(CausalKind::with_variants).flat_map(|kind| &kind.ways);
        all.map(|way| &way.pattern).filter(|pattern| !is_own(pattern)).collect()
    }

    /// The smallest sets of defences with which the property holds, each with the actions that it makes impossible.
    fn sufficient(&self, defences: &[Defence]) -> Limited<Vec<(Vec<usize>, Vec<String>)>> {
        let mut found: Vec<(Vec<usize>, Vec<String>)> = Vec::new();
        let (before, breaking) = (OnceCell::new(), self.breaking());
        let all: Vec<usize> = (0..defences.len()).collect();
        let sets = match defences.len() {
            0..=MOST_CONSTANTS => all.into_iter().powerset().collect(),
            _ => vec![all],
        };
        for chosen in sets.into_iter().filter(|chosen| !chosen.is_empty()) {
            if found.iter().any(|(known, _)| known.iter().all(|number| chosen.contains(number))) {
                continue;
            }
            let with: Vec<Defence> = chosen.iter().map(|&number| defences[number].clone()).collect();
            let Some((model, property)) = (self.change)(&with) else { continue };
            if (CausalQuestion { problem: property.of(&model), ..*self.question }).holds()? {
                let before = before.get_or_init(|| self.impossible(self.question.problem.model()));
                let cost = match (before, self.impossible(&model)) {
                    (Some(before), Some(after)) => after
                        .into_iter()
                        .filter(|name| !before.contains(name) && !breaking.contains(name))
                        .collect(),
                    _ => Vec::new(),
                };
                found.push((chosen, cost));
            }
        }
        Ok(found)
    }

    /// The names of the last actions of the kinds: without them nothing is lost.
    fn breaking(&self) -> Vec<String> {
        let model = self.question.problem.model();
        let ways = self.kinds.iter().flat_map(CausalKind::with_variants).flat_map(|kind| &kind.ways);
        ways.filter_map(|way| Some(model.actions[*way.actions().last()?].name.clone())).unique().collect()
    }

    /// The names of the actions that never happen within the bound; `None` if the budget ends first.
    fn impossible(&self, model: &Model) -> Option<Vec<String>> {
        let CausalQuestion { bound, solver, budget, .. } = *self.question;
        let found = vacuity(model, bound, solver.backend, budget);
        let names = found.dead_actions.iter().map(|action| model.actions[*action].name.clone());
        (!found.incomplete).then(|| names.collect())
    }
}
