//! Evaluates terms: constants, and assigned values for all values of their inputs; finds cyclic assignments.

use super::system::{FlatSystem, SmvDomain, SmvPlace};
use super::term::{SmvNode, SmvTerm, SmvType, SymbolId};
use super::text::tree::SmvOp;
use std::cell::Cell;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;

/// The greatest number of terms evaluated to find a constant.
const CONSTANT_FUEL: u64 = 10_000;
/// The greatest number of terms of a model evaluated to decide if assigned values always fit.
pub(super) const FITS_FUEL: u64 = 20_000_000;
/// The greatest number of input valuations of a term that are enumerated.
const MOST_VALUATIONS: u64 = 1 << 18;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum SmvValue {
    Bool(bool),
    Int(i64),
    Symbol(SymbolId),
}

/// A variable or an element, and true if it is read after the step.
pub(super) type SmvInput = (SmvPlace, bool);

/// Returns the value of a term that does not depend on the state.
pub(super) fn constant(term: &SmvTerm, system: &FlatSystem) -> Option<SmvValue> {
    let fuel = Cell::new(CONSTANT_FUEL);
    SmvEvaluator { system, values: &BTreeMap::new(), fuel: &fuel }.value(term)
}

/// The result of checking that a term always has a value in a domain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum DomainFit {
    Always,
    /// Not for these inputs; the value, if there is one.
    Not(Vec<(SmvInput, SmvValue)>, Option<SmvValue>),
    /// Too many values to decide.
    Unknown,
}

/// Checks that a term, or each member of a set, always has a value, in `domain` if given. Like NuSMV,
/// considers all values of the inputs, whether or not a state has them. Each evaluation consumes `fuel`.
pub(super) fn fit(
    term: &SmvTerm,
    domain: Option<&SmvDomain>,
    system: &FlatSystem,
    fuel: &Cell<u64>,
) -> DomainFit {
    if !term.traits.partial
        && domain
            .is_none_or(|domain| StaticCheck { system, fuel: &Cell::new(CONSTANT_FUEL) }.surely(term, domain))
    {
        return DomainFit::Always;
    }
    let mut inputs = BTreeMap::new();
    reads(term, system, &mut inputs, &mut HashSet::new());
    let mut count = 1_u64;
    for (place, _) in inputs.keys() {
        count = count.saturating_mul(system.variables[place.variable].domain.size());
    }
    if count > MOST_VALUATIONS {
        let mut guarded = Guarded { system, fuel, known: Vec::new() };
        return if guarded.fits(term, domain) { DomainFit::Always } else { DomainFit::Unknown };
    }
    loop {
        let evaluator = SmvEvaluator { system, values: &inputs, fuel };
        let found = evaluator.misfit(term, domain);
        if fuel.get() == 0 {
            return DomainFit::Unknown;
        }
        if let Some(value) = found {
            return DomainFit::Not(inputs.into_iter().collect(), value);
        }
        if !advance(&mut inputs, system) {
            return DomainFit::Always;
        }
    }
}

/// Advances to the next valuation; `false` after the last one.
fn advance(inputs: &mut BTreeMap<SmvInput, SmvValue>, system: &FlatSystem) -> bool {
    for ((place, _), value) in inputs.iter_mut() {
        let domain = &system.variables[place.variable].domain;
        if let Some(next) = after(domain, *value) {
            *value = next;
            return true;
        }
        *value = first(domain);
    }
    false
}

fn first(domain: &SmvDomain) -> SmvValue {
    match domain {
        SmvDomain::Bool => SmvValue::Bool(false),
        SmvDomain::Range(low, _) => SmvValue::Int(*low),
        SmvDomain::Integers(all) => SmvValue::Int(all[0]),
        SmvDomain::Symbols(all) => SmvValue::Symbol(all[0]),
    }
}

fn after(domain: &SmvDomain, value: SmvValue) -> Option<SmvValue> {
    match (domain, value) {
        (SmvDomain::Bool, SmvValue::Bool(value)) => (!value).then_some(SmvValue::Bool(true)),
        (SmvDomain::Range(_, high), SmvValue::Int(value)) => {
            (value < *high).then(|| SmvValue::Int(value + 1))
        }
        (SmvDomain::Integers(all), SmvValue::Int(value)) => {
            all.iter().find(|other| **other > value).map(|other| SmvValue::Int(*other))
        }
        (SmvDomain::Symbols(all), SmvValue::Symbol(value)) => {
            let at = all.iter().position(|other| *other == value)?;
            all.get(at + 1).map(|other| SmvValue::Symbol(*other))
        }
        _ => None,
    }
}

fn belongs(domain: &SmvDomain, value: SmvValue) -> bool {
    match (domain, value) {
        (SmvDomain::Bool, SmvValue::Bool(_)) => true,
        (domain, SmvValue::Int(value)) => domain.has_integer(value),
        (SmvDomain::Symbols(all), SmvValue::Symbol(value)) => all.contains(&value),
        _ => false,
    }
}

/// Checks without evaluation.
struct StaticCheck<'s> {
    system: &'s FlatSystem,
    fuel: &'s Cell<u64>,
}

impl StaticCheck<'_> {
    /// True if a term obviously has only values of a domain.
    fn surely(&self, term: &SmvTerm, domain: &SmvDomain) -> bool {
        let Some(left) = self.fuel.get().checked_sub(1) else { return false };
        self.fuel.set(left);
        match (&*term.node, &term.ty, domain) {
            (_, SmvType::Bool, SmvDomain::Bool) => true,
            (_, SmvType::Set(element), SmvDomain::Bool) => **element == SmvType::Bool,
            (_, SmvType::Word(word), SmvDomain::Range(least, most)) => {
                let (low, high) = word.bounds();
                *least <= low && high <= *most
            }
            (_, SmvType::Int(low, high), SmvDomain::Range(least, most)) if least <= low && high <= most => {
                true
            }
            (SmvNode::Int(value), ..) => domain.has_integer(*value),
            (SmvNode::Symbol(symbol), _, SmvDomain::Symbols(all)) => all.contains(symbol),
            (SmvNode::Read { variable, .. }, ..) => {
                match (&self.system.variables[*variable].domain, domain) {
                    (SmvDomain::Symbols(own), SmvDomain::Symbols(all)) => {
                        own.iter().all(|symbol| all.contains(symbol))
                    }
                    (SmvDomain::Integers(own), _) => own.iter().all(|value| domain.has_integer(*value)),
                    _ => false,
                }
            }
            (SmvNode::Definition(id), ..) => self.surely(&self.system.definitions[*id].value, domain),
            (SmvNode::Case(cases), ..) => cases.iter().all(|(_, value)| self.surely(value, domain)),
            (SmvNode::Set(members), ..) => members.iter().all(|member| self.surely(member, domain)),
            (SmvNode::Range(low, high), _, SmvDomain::Range(least, most)) => least <= low && high <= most,
            _ => false,
        }
    }
}

/// Checks each part by itself, with the conditions under which it is evaluated.
struct Guarded<'s> {
    system: &'s FlatSystem,
    fuel: &'s Cell<u64>,
    /// Conditions, with their truth values.
    known: Vec<(SmvTerm, bool)>,
}

impl Guarded<'_> {
    /// True if a term always has a value, in `domain` if given; `false` if that is not seen.
    fn fits(&mut self, term: &SmvTerm, domain: Option<&SmvDomain>) -> bool {
        let seen = StaticCheck { system: self.system, fuel: &Cell::new(CONSTANT_FUEL) };
        if !term.traits.partial && domain.is_none_or(|domain| seen.surely(term, domain)) {
            return true;
        }
        let length = self.known.len();
        let fits = match (&*term.node, domain) {
            (SmvNode::Case(cases), _) => {
                let each = cases.iter().all(|(condition, value)| {
                    let mut fits = self.fits(condition, None);
                    self.known.push((condition.clone(), true));
                    fits = fits && self.fits(value, domain);
                    self.known.pop();
                    self.known.push((condition.clone(), false));
                    fits
                });
                let is_total =
                    cases.last().is_some_and(|(last, _)| matches!(*last.node, SmvNode::Bool(true)));
                each && (is_total
                    || self.leaf(&SmvTerm::new(SmvNode::Case(Vec::new()), SmvType::Bool, term.span), None))
            }
            (SmvNode::Set(members), _) => members.iter().all(|member| self.fits(member, domain)),
            (SmvNode::Definition(id), _) => self.fits(&self.system.definitions[*id].value, domain),
            (SmvNode::Binary(op @ (SmvOp::And | SmvOp::Or | SmvOp::Implies), a, b), _) => {
                let first = self.fits(a, None);
                self.known.push((a.clone(), *op != SmvOp::Or));
                first && self.fits(b, None)
            }
            (SmvNode::Not(_) | SmvNode::Minus(_) | SmvNode::Binary(..) | SmvNode::Count(_), None) => {
                term.node.parts().into_iter().all(|part| self.fits(part, None))
            }
            _ => self.leaf(term, domain),
        };
        self.known.truncate(length);
        fits
    }

    /// Tries all values of what a term reads, and of what the known conditions about them read.
    fn leaf(&self, term: &SmvTerm, domain: Option<&SmvDomain>) -> bool {
        let size = |inputs: &BTreeMap<SmvInput, SmvValue>| {
            let sizes = inputs.keys().map(|(place, _)| self.system.variables[place.variable].domain.size());
            sizes.fold(1_u64, u64::saturating_mul)
        };
        let mut inputs = BTreeMap::new();
        reads(term, self.system, &mut inputs, &mut HashSet::new());
        let conditions = self.conditions();
        if let (Some((low, high)), Some(SmvDomain::Range(least, most))) =
            (self.bounds(term, &conditions), domain)
            && i128::from(*least) <= low
            && high <= i128::from(*most)
            && !term.traits.partial
        {
            return true;
        }
        if size(&inputs) > MOST_VALUATIONS {
            return false;
        }
        let mut open: Vec<(&SmvTerm, bool, BTreeMap<SmvInput, SmvValue>)> = Vec::new();
        for (condition, truth) in &conditions {
            let mut own = BTreeMap::new();
            reads(condition, self.system, &mut own, &mut HashSet::new());
            open.push((condition, *truth, own));
        }
        open.sort_by_key(|(_, _, own)| size(own));
        let mut chosen = Vec::new();
        // Conditions about other inputs do not help.
        while let Some(at) = open.iter().position(|(_, _, own)| {
            let both: BTreeMap<SmvInput, SmvValue> =
                inputs.iter().chain(own).map(|(at, value)| (at.clone(), *value)).collect();
            (inputs.is_empty() || own.keys().any(|input| inputs.contains_key(input)))
                && size(&both) <= MOST_VALUATIONS
        }) {
            let (condition, truth, own) = open.remove(at);
            inputs.extend(own);
            chosen.push((condition, truth));
        }
        loop {
            let evaluator = SmvEvaluator { system: self.system, values: &inputs, fuel: self.fuel };
            let happens = chosen.iter().all(|(condition, truth)| evaluator.truth(condition) != Some(!*truth));
            let misfits = happens && evaluator.misfit(term, domain).is_some();
            if misfits || self.fuel.get() == 0 {
                return false;
            }
            if !advance(&mut inputs, self.system) {
                return true;
            }
        }
    }

    /// Returns the parts of the known conditions that hold or not by themselves.
    fn conditions(&self) -> Vec<(SmvTerm, bool)> {
        let (mut open, mut all) = (self.known.clone(), Vec::new());
        while let Some((term, truth)) = open.pop() {
            match (&*term.node, truth) {
                (SmvNode::Binary(SmvOp::And, a, b), true) | (SmvNode::Binary(SmvOp::Or, a, b), false) => {
                    open.extend([(a.clone(), truth), (b.clone(), truth)]);
                }
                (SmvNode::Not(a), _) => open.push((a.clone(), !truth)),
                (SmvNode::Definition(id), _) => {
                    open.push((self.system.definitions[*id].value.clone(), truth))
                }
                _ => all.push((term, truth)),
            }
        }
        all
    }

    /// Returns bounds of an integer under conditions that compare variables and constants.
    fn bounds(&self, term: &SmvTerm, conditions: &[(SmvTerm, bool)]) -> Option<(i128, i128)> {
        let SmvType::Int(low, high) = term.ty else { return None };
        let of = |term| self.bounds(term, conditions);
        Some(match &*term.node {
            SmvNode::Read { variable, indices, next } => {
                let (mut low, mut high) = (i128::from(low), i128::from(high));
                for (condition, truth) in conditions {
                    let SmvNode::Binary(op, a, b) = &*condition.node else { continue };
                    let SmvNode::Read { variable: other, indices: at, next: after } = &*a.node else {
                        continue;
                    };
                    let Some(SmvValue::Int(value)) = constant(b, self.system) else { continue };
                    if other != variable || next != after || !indices.is_empty() || !at.is_empty() {
                        continue;
                    }
                    let value = i128::from(value);
                    match (op, truth) {
                        (SmvOp::Less, true) | (SmvOp::GreaterEqual, false) => high = high.min(value - 1),
                        (SmvOp::LessEqual, true) | (SmvOp::Greater, false) => high = high.min(value),
                        (SmvOp::Greater, true) | (SmvOp::LessEqual, false) => low = low.max(value + 1),
                        (SmvOp::GreaterEqual, true) | (SmvOp::Less, false) => low = low.max(value),
                        (SmvOp::Equal, true) => (low, high) = (low.max(value), high.min(value)),
                        (SmvOp::NotEqual, true) | (SmvOp::Equal, false) if high == value => high -= 1,
                        (SmvOp::NotEqual, true) | (SmvOp::Equal, false) if low == value => low += 1,
                        _ => {}
                    }
                }
                (low, high)
            }
            SmvNode::Definition(id) => of(&self.system.definitions[*id].value)?,
            SmvNode::Binary(SmvOp::Plus, a, b) => {
                let ((low, high), (least, most)) = (of(a)?, of(b)?);
                (low + least, high + most)
            }
            SmvNode::Binary(SmvOp::Minus, a, b) => {
                let ((low, high), (least, most)) = (of(a)?, of(b)?);
                (low - most, high - least)
            }
            _ => (low.into(), high.into()),
        })
    }
}

/// Adds the inputs of a term, each with its first value.
fn reads(
    term: &SmvTerm,
    system: &FlatSystem,
    all: &mut BTreeMap<SmvInput, SmvValue>,
    seen: &mut HashSet<*const SmvNode>,
) {
    if !seen.insert(Rc::as_ptr(&term.node)) {
        return;
    }
    match &*term.node {
        SmvNode::Read { variable, indices, next } => {
            let of = &system.variables[*variable];
            let constants: Option<Vec<i64>> = indices
                .iter()
                .map(|index| match constant(index, system) {
                    Some(SmvValue::Int(index)) => Some(index),
                    _ => None,
                })
                .collect();
            match constants {
                Some(indices) => {
                    // An element out of bounds has no value.
                    let mut bounds = indices.iter().zip(&of.indices);
                    if bounds.all(|(index, (low, high))| low <= index && index <= high) {
                        all.insert((SmvPlace { variable: *variable, indices }, *next), first(&of.domain));
                    }
                }
                None => all.extend(
                    of.places(*variable).into_iter().map(|place| ((place, *next), first(&of.domain))),
                ),
            }
        }
        SmvNode::Definition(id) => reads(&system.definitions[*id].value, system, all, seen),
        _ => {}
    }
    term.node.parts().into_iter().for_each(|part| reads(part, system, all, seen));
}

struct SmvEvaluator<'s> {
    system: &'s FlatSystem,
    values: &'s BTreeMap<SmvInput, SmvValue>,
    fuel: &'s Cell<u64>,
}

impl SmvEvaluator<'_> {
    /// Returns a value of the term outside of the domain, or `Some(None)` if the term has no value; `None` if it fits.
    fn misfit(&self, term: &SmvTerm, domain: Option<&SmvDomain>) -> Option<Option<SmvValue>> {
        match &*term.node {
            SmvNode::Case(cases) => {
                for (condition, value) in cases {
                    match self.value(condition) {
                        Some(SmvValue::Bool(true)) => return self.misfit(value, domain),
                        Some(_) => {}
                        None => return Some(None),
                    }
                }
                Some(None)
            }
            SmvNode::Set(members) => members.iter().find_map(|member| self.misfit(member, domain)),
            SmvNode::Range(low, high) => {
                let outside = |value: &i64| domain.is_some_and(|domain| !domain.has_integer(*value));
                // The first misfit comes at most one after all values of the domain.
                domain.and_then(|_| (*low..=*high).find(outside)).map(|value| Some(SmvValue::Int(value)))
            }
            _ => match self.value(term) {
                None => Some(None),
                Some(value) if domain.is_none_or(|domain| belongs(domain, value)) => None,
                misfit => Some(misfit),
            },
        }
    }

    /// Returns the value of a term that is no set; `None` if it has none, or fuel is exhausted.
    fn value(&self, term: &SmvTerm) -> Option<SmvValue> {
        self.fuel.set(self.fuel.get().checked_sub(1)?);
        match &*term.node {
            SmvNode::Bool(value) => Some(SmvValue::Bool(*value)),
            SmvNode::Int(value) => Some(SmvValue::Int(*value)),
            SmvNode::Symbol(symbol) => Some(SmvValue::Symbol(*symbol)),
            SmvNode::Read { variable, indices, next } => {
                let indices = indices.iter().map(|index| self.integer(index)).collect::<Option<Vec<_>>>()?;
                self.values.get(&(SmvPlace { variable: *variable, indices }, *next)).copied()
            }
            SmvNode::Definition(id) => self.value(&self.system.definitions[*id].value),
            SmvNode::Bits(bits, signed) => {
                let mut value = 0;
                for (number, bit) in bits.iter().enumerate() {
                    let weight = 1_i64.checked_shl(u32::try_from(number).ok()?)?;
                    if self.truth(bit)? {
                        value += if *signed && number + 1 == bits.len() { -weight } else { weight };
                    }
                }
                Some(SmvValue::Int(value))
            }
            SmvNode::Not(inner) => Some(SmvValue::Bool(!self.truth(inner)?)),
            SmvNode::Minus(inner) => Some(SmvValue::Int(self.integer(inner)?.checked_neg()?)),
            SmvNode::Binary(op, a, b) => self.binary(*op, a, b),
            SmvNode::Case(cases) => {
                for (condition, value) in cases {
                    if self.truth(condition)? {
                        return self.value(value);
                    }
                }
                None
            }
            SmvNode::Count(parts) => {
                let mut count = 0;
                for part in parts {
                    count += i64::from(self.truth(part)?);
                }
                Some(SmvValue::Int(count))
            }
            SmvNode::Set(_) | SmvNode::Range(..) | SmvNode::Temporal(..) => None,
        }
    }

    fn truth(&self, term: &SmvTerm) -> Option<bool> {
        match self.value(term)? {
            SmvValue::Bool(value) => Some(value),
            _ => None,
        }
    }

    fn integer(&self, term: &SmvTerm) -> Option<i64> {
        match self.value(term)? {
            SmvValue::Int(value) => Some(value),
            _ => None,
        }
    }

    fn binary(&self, op: SmvOp, a: &SmvTerm, b: &SmvTerm) -> Option<SmvValue> {
        let truth = match op {
            SmvOp::And => self.truth(a)? && self.truth(b)?,
            SmvOp::Or => self.truth(a)? || self.truth(b)?,
            SmvOp::Implies => !self.truth(a)? || self.truth(b)?,
            SmvOp::Xor => self.truth(a)? != self.truth(b)?,
            SmvOp::Iff => self.truth(a)? == self.truth(b)?,
            SmvOp::Equal => self.value(a)? == self.value(b)?,
            SmvOp::NotEqual => self.value(a)? != self.value(b)?,
            SmvOp::Less => self.integer(a)? < self.integer(b)?,
            SmvOp::LessEqual => self.integer(a)? <= self.integer(b)?,
            SmvOp::Greater => self.integer(a)? > self.integer(b)?,
            SmvOp::GreaterEqual => self.integer(a)? >= self.integer(b)?,
            SmvOp::In => self.is_member(self.value(a)?, b)?,
            SmvOp::Plus | SmvOp::Minus | SmvOp::Times | SmvOp::Divide | SmvOp::Mod => {
                let (a, b) = (self.integer(a)?, self.integer(b)?);
                return Some(SmvValue::Int(match op {
                    SmvOp::Plus => a.checked_add(b)?,
                    SmvOp::Minus => a.checked_sub(b)?,
                    SmvOp::Times => a.checked_mul(b)?,
                    // Rounds towards zero, as NuSMV does.
                    SmvOp::Divide => a.checked_div(b)?,
                    _ => a.checked_rem(b)?,
                }));
            }
        };
        Some(SmvValue::Bool(truth))
    }

    fn is_member(&self, value: SmvValue, set: &SmvTerm) -> Option<bool> {
        match &*set.node {
            SmvNode::Set(members) => {
                for member in members {
                    if self.is_member(value, member)? {
                        return Some(true);
                    }
                }
                Some(false)
            }
            SmvNode::Range(low, high) => match value {
                SmvValue::Int(value) => Some((*low..=*high).contains(&value)),
                _ => Some(false),
            },
            _ => Some(self.value(set)? == value),
        }
    }
}

/// Returns the variables and elements that a term reads, directly or through definitions, each with true if after the step.
pub(super) fn inputs(term: &SmvTerm, system: &FlatSystem) -> Vec<SmvInput> {
    let mut all = BTreeMap::new();
    reads(term, system, &mut all, &mut HashSet::new());
    all.into_keys().collect()
}

/// Returns a place whose value depends on itself through values of the same state: the one after the step if
/// `next`.
pub(super) fn circle(assigned: &[(SmvPlace, SmvTerm)], next: bool, system: &FlatSystem) -> Option<SmvPlace> {
    let mut readers: HashMap<&SmvPlace, Vec<SmvPlace>> = HashMap::new();
    for (place, term) in assigned {
        let read =
            inputs(term, system).into_iter().filter(|(_, after)| *after == next).map(|(place, _)| place);
        readers.insert(place, read.collect());
    }
    let (mut open, mut done) = (HashSet::new(), HashSet::new());
    for (place, _) in assigned {
        // Each place is entered once, and left after all places that it reads.
        let mut stack = vec![(place, false)];
        while let Some((place, leaves)) = stack.pop() {
            if leaves {
                open.remove(place);
                done.insert(place);
            } else if open.contains(place) {
                return Some(place.clone());
            } else if let Some(read) = readers.get(place)
                && !done.contains(place)
            {
                open.insert(place);
                stack.push((place, true));
                stack.extend(read.iter().map(|place| (place, false)));
            }
        }
    }
    None
}
