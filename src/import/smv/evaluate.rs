//! Evaluates terms: constants, and assigned values for all values of their inputs; finds cyclic assignments.

use super::system::{Domain, Place, System};
use super::term::{Node, Op, SymbolId, Term, Ty};
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
pub(super) enum Value {
    Bool(bool),
    Int(i64),
    Symbol(SymbolId),
}

/// A variable or an element, and true if it is read after the step.
pub(super) type Input = (Place, bool);

/// Returns the value of a term that does not depend on the state.
pub(super) fn constant(term: &Term, system: &System) -> Option<Value> {
    let fuel = Cell::new(CONSTANT_FUEL);
    Evaluator { system, values: &BTreeMap::new(), fuel: &fuel }.value(term)
}

/// The result of checking that a term always has a value in a domain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Fit {
    Always,
    /// Not for these inputs; the value, if there is one.
    Not(Vec<(Input, Value)>, Option<Value>),
    /// Too many values to decide.
    Unknown,
}

/// Checks that a term, or each member of a set, always has a value, in `domain` if given. Like NuSMV,
/// considers all values of the inputs, whether or not a state has them. Each evaluation consumes `fuel`.
pub(super) fn fit(term: &Term, domain: Option<&Domain>, system: &System, fuel: &Cell<u64>) -> Fit {
    if !term.traits.partial
        && domain.is_none_or(|domain| Seen { system, fuel: &Cell::new(CONSTANT_FUEL) }.surely(term, domain))
    {
        return Fit::Always;
    }
    let mut inputs = BTreeMap::new();
    reads(term, system, &mut inputs, &mut HashSet::new());
    let mut count = 1_u64;
    for (place, _) in inputs.keys() {
        count = count.saturating_mul(system.variables[place.variable].domain.size());
    }
    if count > MOST_VALUATIONS {
        let mut guarded = Guarded { system, fuel, known: Vec::new() };
        return if guarded.fits(term, domain) { Fit::Always } else { Fit::Unknown };
    }
    loop {
        let evaluator = Evaluator { system, values: &inputs, fuel };
        let found = evaluator.misfit(term, domain);
        if fuel.get() == 0 {
            return Fit::Unknown;
        }
        if let Some(value) = found {
            return Fit::Not(inputs.into_iter().collect(), value);
        }
        if !advance(&mut inputs, system) {
            return Fit::Always;
        }
    }
}

/// Advances to the next valuation; `false` after the last one.
fn advance(inputs: &mut BTreeMap<Input, Value>, system: &System) -> bool {
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

fn first(domain: &Domain) -> Value {
    match domain {
        Domain::Bool => Value::Bool(false),
        Domain::Range(low, _) => Value::Int(*low),
        Domain::Integers(all) => Value::Int(all[0]),
        Domain::Symbols(all) => Value::Symbol(all[0]),
    }
}

fn after(domain: &Domain, value: Value) -> Option<Value> {
    match (domain, value) {
        (Domain::Bool, Value::Bool(value)) => (!value).then_some(Value::Bool(true)),
        (Domain::Range(_, high), Value::Int(value)) => (value < *high).then(|| Value::Int(value + 1)),
        (Domain::Integers(all), Value::Int(value)) => {
            all.iter().find(|other| **other > value).map(|other| Value::Int(*other))
        }
        (Domain::Symbols(all), Value::Symbol(value)) => {
            let at = all.iter().position(|other| *other == value)?;
            all.get(at + 1).map(|other| Value::Symbol(*other))
        }
        _ => None,
    }
}

fn belongs(domain: &Domain, value: Value) -> bool {
    match (domain, value) {
        (Domain::Bool, Value::Bool(_)) => true,
        (domain, Value::Int(value)) => domain.has_integer(value),
        (Domain::Symbols(all), Value::Symbol(value)) => all.contains(&value),
        _ => false,
    }
}

/// Checks without evaluation.
struct Seen<'s> {
    system: &'s System,
    fuel: &'s Cell<u64>,
}

impl Seen<'_> {
    /// True if a term obviously has only values of a domain.
    fn surely(&self, term: &Term, domain: &Domain) -> bool {
        let Some(left) = self.fuel.get().checked_sub(1) else { return false };
        self.fuel.set(left);
        match (&*term.node, &term.ty, domain) {
            (_, Ty::Bool, Domain::Bool) => true,
            (_, Ty::Set(element), Domain::Bool) => **element == Ty::Bool,
            (_, Ty::Word(word), Domain::Range(least, most)) => {
                let (low, high) = word.bounds();
                *least <= low && high <= *most
            }
            (_, Ty::Int(low, high), Domain::Range(least, most)) if least <= low && high <= most => true,
            (Node::Int(value), ..) => domain.has_integer(*value),
            (Node::Symbol(symbol), _, Domain::Symbols(all)) => all.contains(symbol),
            (Node::Read { variable, .. }, ..) => match (&self.system.variables[*variable].domain, domain) {
                (Domain::Symbols(own), Domain::Symbols(all)) => own.iter().all(|symbol| all.contains(symbol)),
                (Domain::Integers(own), _) => own.iter().all(|value| domain.has_integer(*value)),
                _ => false,
            },
            (Node::Definition(id), ..) => self.surely(&self.system.definitions[*id].value, domain),
            (Node::Case(cases), ..) => cases.iter().all(|(_, value)| self.surely(value, domain)),
            (Node::Set(members), ..) => members.iter().all(|member| self.surely(member, domain)),
            (Node::Range(low, high), _, Domain::Range(least, most)) => least <= low && high <= most,
            _ => false,
        }
    }
}

/// Checks each part by itself, with the conditions under which it is evaluated.
struct Guarded<'s> {
    system: &'s System,
    fuel: &'s Cell<u64>,
    /// Conditions, with their truth values.
    known: Vec<(Term, bool)>,
}

impl Guarded<'_> {
    /// True if a term always has a value, in `domain` if given; `false` if that is not seen.
    fn fits(&mut self, term: &Term, domain: Option<&Domain>) -> bool {
        let seen = Seen { system: self.system, fuel: &Cell::new(CONSTANT_FUEL) };
        if !term.traits.partial && domain.is_none_or(|domain| seen.surely(term, domain)) {
            return true;
        }
        let length = self.known.len();
        let fits = match (&*term.node, domain) {
            (Node::Case(cases), _) => {
                let each = cases.iter().all(|(condition, value)| {
                    let mut fits = self.fits(condition, None);
                    self.known.push((condition.clone(), true));
                    fits = fits && self.fits(value, domain);
                    self.known.pop();
                    self.known.push((condition.clone(), false));
                    fits
                });
                let is_total = cases.last().is_some_and(|(last, _)| matches!(*last.node, Node::Bool(true)));
                each && (is_total || self.leaf(&Term::new(Node::Case(Vec::new()), Ty::Bool, term.span), None))
            }
            (Node::Set(members), _) => members.iter().all(|member| self.fits(member, domain)),
            (Node::Definition(id), _) => self.fits(&self.system.definitions[*id].value, domain),
            (Node::Binary(op @ (Op::And | Op::Or | Op::Implies), a, b), _) => {
                let first = self.fits(a, None);
                self.known.push((a.clone(), *op != Op::Or));
                first && self.fits(b, None)
            }
            (Node::Not(_) | Node::Minus(_) | Node::Binary(..) | Node::Count(_), None) => {
                term.node.parts().into_iter().all(|part| self.fits(part, None))
            }
            _ => self.leaf(term, domain),
        };
        self.known.truncate(length);
        fits
    }

    /// Tries all values of what a term reads, and of what the known conditions about them read.
    fn leaf(&self, term: &Term, domain: Option<&Domain>) -> bool {
        let size = |inputs: &BTreeMap<Input, Value>| {
            let sizes = inputs.keys().map(|(place, _)| self.system.variables[place.variable].domain.size());
            sizes.fold(1_u64, u64::saturating_mul)
        };
        let mut inputs = BTreeMap::new();
        reads(term, self.system, &mut inputs, &mut HashSet::new());
        let conditions = self.conditions();
        if let (Some((low, high)), Some(Domain::Range(least, most))) =
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
        let mut open: Vec<(&Term, bool, BTreeMap<Input, Value>)> = Vec::new();
        for (condition, truth) in &conditions {
            let mut own = BTreeMap::new();
            reads(condition, self.system, &mut own, &mut HashSet::new());
            open.push((condition, *truth, own));
        }
        open.sort_by_key(|(_, _, own)| size(own));
        let mut chosen = Vec::new();
        // Conditions about other inputs do not help.
        while let Some(at) = open.iter().position(|(_, _, own)| {
            let both: BTreeMap<Input, Value> =
                inputs.iter().chain(own).map(|(at, value)| (at.clone(), *value)).collect();
            (inputs.is_empty() || own.keys().any(|input| inputs.contains_key(input)))
                && size(&both) <= MOST_VALUATIONS
        }) {
            let (condition, truth, own) = open.remove(at);
            inputs.extend(own);
            chosen.push((condition, truth));
        }
        loop {
            let evaluator = Evaluator { system: self.system, values: &inputs, fuel: self.fuel };
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
    fn conditions(&self) -> Vec<(Term, bool)> {
        let (mut open, mut all) = (self.known.clone(), Vec::new());
        while let Some((term, truth)) = open.pop() {
            match (&*term.node, truth) {
                (Node::Binary(Op::And, a, b), true) | (Node::Binary(Op::Or, a, b), false) => {
                    open.extend([(a.clone(), truth), (b.clone(), truth)]);
                }
                (Node::Not(a), _) => open.push((a.clone(), !truth)),
                (Node::Definition(id), _) => open.push((self.system.definitions[*id].value.clone(), truth)),
                _ => all.push((term, truth)),
            }
        }
        all
    }

    /// Returns bounds of an integer under conditions that compare variables and constants.
    fn bounds(&self, term: &Term, conditions: &[(Term, bool)]) -> Option<(i128, i128)> {
        let Ty::Int(low, high) = term.ty else { return None };
        let of = |term| self.bounds(term, conditions);
        Some(match &*term.node {
            Node::Read { variable, indices, next } => {
                let (mut low, mut high) = (i128::from(low), i128::from(high));
                for (condition, truth) in conditions {
                    let Node::Binary(op, a, b) = &*condition.node else { continue };
                    let Node::Read { variable: other, indices: at, next: after } = &*a.node else { continue };
                    let Some(Value::Int(value)) = constant(b, self.system) else { continue };
                    if other != variable || next != after || !indices.is_empty() || !at.is_empty() {
                        continue;
                    }
                    let value = i128::from(value);
                    match (op, truth) {
                        (Op::Less, true) | (Op::GreaterEqual, false) => high = high.min(value - 1),
                        (Op::LessEqual, true) | (Op::Greater, false) => high = high.min(value),
                        (Op::Greater, true) | (Op::LessEqual, false) => low = low.max(value + 1),
                        (Op::GreaterEqual, true) | (Op::Less, false) => low = low.max(value),
                        (Op::Equal, true) => (low, high) = (low.max(value), high.min(value)),
                        (Op::NotEqual, true) | (Op::Equal, false) if high == value => high -= 1,
                        (Op::NotEqual, true) | (Op::Equal, false) if low == value => low += 1,
                        _ => {}
                    }
                }
                (low, high)
            }
            Node::Definition(id) => of(&self.system.definitions[*id].value)?,
            Node::Binary(Op::Plus, a, b) => {
                let ((low, high), (least, most)) = (of(a)?, of(b)?);
                (low + least, high + most)
            }
            Node::Binary(Op::Minus, a, b) => {
                let ((low, high), (least, most)) = (of(a)?, of(b)?);
                (low - most, high - least)
            }
            _ => (low.into(), high.into()),
        })
    }
}

/// Adds the inputs of a term, each with its first value.
fn reads(term: &Term, system: &System, all: &mut BTreeMap<Input, Value>, seen: &mut HashSet<*const Node>) {
    if !seen.insert(Rc::as_ptr(&term.node)) {
        return;
    }
    match &*term.node {
        Node::Read { variable, indices, next } => {
            let of = &system.variables[*variable];
            let constants: Option<Vec<i64>> = indices
                .iter()
                .map(|index| match constant(index, system) {
                    Some(Value::Int(index)) => Some(index),
                    _ => None,
                })
                .collect();
            match constants {
                Some(indices) => {
                    // An element out of bounds has no value.
                    let mut bounds = indices.iter().zip(&of.indices);
                    if bounds.all(|(index, (low, high))| low <= index && index <= high) {
                        all.insert((Place { variable: *variable, indices }, *next), first(&of.domain));
                    }
                }
                None => all.extend(
                    of.places(*variable).into_iter().map(|place| ((place, *next), first(&of.domain))),
                ),
            }
        }
        Node::Definition(id) => reads(&system.definitions[*id].value, system, all, seen),
        _ => {}
    }
    term.node.parts().into_iter().for_each(|part| reads(part, system, all, seen));
}

struct Evaluator<'s> {
    system: &'s System,
    values: &'s BTreeMap<Input, Value>,
    fuel: &'s Cell<u64>,
}

impl Evaluator<'_> {
    /// Returns a value of the term outside of the domain, or `Some(None)` if the term has no value; `None` if it fits.
    fn misfit(&self, term: &Term, domain: Option<&Domain>) -> Option<Option<Value>> {
        match &*term.node {
            Node::Case(cases) => {
                for (condition, value) in cases {
                    match self.value(condition) {
                        Some(Value::Bool(true)) => return self.misfit(value, domain),
                        Some(_) => {}
                        None => return Some(None),
                    }
                }
                Some(None)
            }
            Node::Set(members) => members.iter().find_map(|member| self.misfit(member, domain)),
            Node::Range(low, high) => {
                let outside = |value: &i64| domain.is_some_and(|domain| !domain.has_integer(*value));
                // The first misfit comes at most one after all values of the domain.
                domain.and_then(|_| (*low..=*high).find(outside)).map(|value| Some(Value::Int(value)))
            }
            _ => match self.value(term) {
                None => Some(None),
                Some(value) if domain.is_none_or(|domain| belongs(domain, value)) => None,
                misfit => Some(misfit),
            },
        }
    }

    /// Returns the value of a term that is no set; `None` if it has none, or fuel is exhausted.
    fn value(&self, term: &Term) -> Option<Value> {
        self.fuel.set(self.fuel.get().checked_sub(1)?);
        match &*term.node {
            Node::Bool(value) => Some(Value::Bool(*value)),
            Node::Int(value) => Some(Value::Int(*value)),
            Node::Symbol(symbol) => Some(Value::Symbol(*symbol)),
            Node::Read { variable, indices, next } => {
                let indices = indices.iter().map(|index| self.integer(index)).collect::<Option<Vec<_>>>()?;
                self.values.get(&(Place { variable: *variable, indices }, *next)).copied()
            }
            Node::Definition(id) => self.value(&self.system.definitions[*id].value),
            Node::Bits(bits, signed) => {
                let mut value = 0;
                for (number, bit) in bits.iter().enumerate() {
                    let weight = 1_i64.checked_shl(u32::try_from(number).ok()?)?;
                    if self.truth(bit)? {
                        value += if *signed && number + 1 == bits.len() { -weight } else { weight };
                    }
                }
                Some(Value::Int(value))
            }
            Node::Not(inner) => Some(Value::Bool(!self.truth(inner)?)),
            Node::Minus(inner) => Some(Value::Int(self.integer(inner)?.checked_neg()?)),
            Node::Binary(op, a, b) => self.binary(*op, a, b),
            Node::Case(cases) => {
                for (condition, value) in cases {
                    if self.truth(condition)? {
                        return self.value(value);
                    }
                }
                None
            }
            Node::Count(parts) => {
                let mut count = 0;
                for part in parts {
                    count += i64::from(self.truth(part)?);
                }
                Some(Value::Int(count))
            }
            Node::Set(_) | Node::Range(..) | Node::Temporal(..) => None,
        }
    }

    fn truth(&self, term: &Term) -> Option<bool> {
        match self.value(term)? {
            Value::Bool(value) => Some(value),
            _ => None,
        }
    }

    fn integer(&self, term: &Term) -> Option<i64> {
        match self.value(term)? {
            Value::Int(value) => Some(value),
            _ => None,
        }
    }

    fn binary(&self, op: Op, a: &Term, b: &Term) -> Option<Value> {
        let truth = match op {
            Op::And => self.truth(a)? && self.truth(b)?,
            Op::Or => self.truth(a)? || self.truth(b)?,
            Op::Implies => !self.truth(a)? || self.truth(b)?,
            Op::Xor => self.truth(a)? != self.truth(b)?,
            Op::Iff => self.truth(a)? == self.truth(b)?,
            Op::Equal => self.value(a)? == self.value(b)?,
            Op::NotEqual => self.value(a)? != self.value(b)?,
            Op::Less => self.integer(a)? < self.integer(b)?,
            Op::LessEqual => self.integer(a)? <= self.integer(b)?,
            Op::Greater => self.integer(a)? > self.integer(b)?,
            Op::GreaterEqual => self.integer(a)? >= self.integer(b)?,
            Op::In => self.is_member(self.value(a)?, b)?,
            Op::Plus | Op::Minus | Op::Times | Op::Divide | Op::Mod => {
                let (a, b) = (self.integer(a)?, self.integer(b)?);
                return Some(Value::Int(match op {
                    Op::Plus => a.checked_add(b)?,
                    Op::Minus => a.checked_sub(b)?,
                    Op::Times => a.checked_mul(b)?,
                    // Rounds towards zero, as NuSMV does.
                    Op::Divide => a.checked_div(b)?,
                    _ => a.checked_rem(b)?,
                }));
            }
        };
        Some(Value::Bool(truth))
    }

    fn is_member(&self, value: Value, set: &Term) -> Option<bool> {
        match &*set.node {
            Node::Set(members) => {
                for member in members {
                    if self.is_member(value, member)? {
                        return Some(true);
                    }
                }
                Some(false)
            }
            Node::Range(low, high) => match value {
                Value::Int(value) => Some((*low..=*high).contains(&value)),
                _ => Some(false),
            },
            _ => Some(self.value(set)? == value),
        }
    }
}

/// Returns the variables and elements that a term reads, directly or through definitions, each with true if after the step.
pub(super) fn inputs(term: &Term, system: &System) -> Vec<Input> {
    let mut all = BTreeMap::new();
    reads(term, system, &mut all, &mut HashSet::new());
    all.into_keys().collect()
}

/// Returns a place whose value depends on itself through values of the same state: the one after the step if
/// `next`.
pub(super) fn circle(assigned: &[(Place, Term)], next: bool, system: &System) -> Option<Place> {
    let mut readers: HashMap<&Place, Vec<Place>> = HashMap::new();
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
