//! Reads the terms that a run holds in a state of the generated model.

use super::super::condition::Condition;
use super::super::frame::ModelFrame;
use super::super::threats::ATTACKER;
use super::super::value::{LeafTerm, ModelExpr, Tickets};
use super::Ground;
use crate::protocol::ir::{RoleId, RoleTerm};
use lang::model::Model;
use lang::model::types::EnumId;
use lang::model::value::{State, Value};

/// A state of the model to read.
pub(super) struct StateReading<'r, 'a> {
    pub frame: &'r ModelFrame<'a>,
    pub model: &'r Model,
    pub state: &'r State,
}

impl StateReading<'_, '_> {
    pub fn term(&self, role: RoleId, run: &str, term: &RoleTerm) -> Option<Ground> {
        self.ground(&self.frame.terms.value(role, run, term, &|_| None))
    }

    /// Evaluates a term whose leaves are expressions of the model.
    pub fn ground(&self, shape: &LeafTerm) -> Option<Ground> {
        let all =
            |shapes: &[LeafTerm]| shapes.iter().map(|shape| self.ground(shape)).collect::<Option<Vec<_>>>();
        Some(match shape {
            LeafTerm::Agent(place) => Ground::Agent(self.model.types.show_value(&self.place(place)?)),
            LeafTerm::Fresh { name, run, .. } => self.atom(name, run),
            LeafTerm::Atom(_, place) => match self.atom_text(place) {
                Some((name, run)) => self.atom(name, run),
                None => {
                    let Value::Record(_, fields) = self.place(place)? else { return None };
                    let [name, run] = [0, 1].map(|field| self.model.types.show_value(&fields[field]));
                    self.atom(&name, &run)
                }
            },
            LeafTerm::Ticket(ticket) => {
                let cases = self.frame.layout.cases(ticket);
                let (_, shape) = cases.into_iter().find(|(condition, _)| self.holds(condition))?;
                self.ground(&shape)?
            }
            LeafTerm::Constant(symbol) => Ground::Constant(*symbol),
            LeafTerm::Tuple(shapes) => Ground::tuple(all(shapes)?),
            LeafTerm::Encrypted(body, key) => {
                Ground::Encrypted(Box::new(self.ground(body)?), Box::new(self.ground(key)?))
            }
            LeafTerm::Apply(function, shapes) => {
                Ground::apply(*function, all(shapes)?, self.frame.terms.script.protocols)
            }
        })
    }

    /// Returns the name and the run of an atomic term given literally.
    fn atom_text<'p>(&self, place: &'p ModelExpr) -> Option<(&'p str, &'p str)> {
        let inner = place.text.split_once("(name: ")?.1.strip_suffix(')')?;
        inner.split_once(", run: ")
    }

    /// Returns an atomic term, with a name for display.
    fn atom(&self, name: &str, run: &str) -> Ground {
        let terms = &self.frame.terms;
        let number = self.frame.runs.iter().position(|other| other == run).map_or(0, |index| index + 1);
        if let Some(variable) = terms.variable_of(name) {
            return Ground::Atom {
                name: format!("{variable}#{number}"),
                public: terms.threats.reveals.random,
            };
        }
        for atomic in terms.sorts.atomic().values() {
            if let Some(own) = atomic.own_names.iter().position(|own| own == name) {
                let number = own * self.frame.runs.len() + number;
                let several = if number > 1 { number.to_string() } else { String::new() };
                let name = format!("{}#{ATTACKER}{several}", atomic.type_name);
                return Ground::Atom { name, public: true };
            }
            if atomic.public.iter().any(|public| public == name) {
                return Ground::Atom { name: name.to_owned(), public: true };
            }
        }
        Ground::Atom { name: name.to_owned(), public: false }
    }

    /// True if a ticket has a form; conditions of its cases have no other shape.
    fn holds(&self, condition: &Condition) -> bool {
        let Condition::Is(text) = condition else { return false };
        let Some((place, form)) = text.split_once(" = ") else { return false };
        self.value(place).is_some_and(|value| self.model.types.show_value(&value) == form)
    }

    fn place(&self, place: &ModelExpr) -> Option<Value> {
        self.value(&place.text).or_else(|| self.value(place.default.as_ref()?))
    }

    /// Evaluates an expression that is a name, or an entry of a state variable, or a field of one.
    pub fn value(&self, text: &str) -> Option<Value> {
        let (name, mut rest) = text.split_at(text.find(['[', '.']).unwrap_or(text.len()));
        let Some(variable) = self.model.variables.iter().position(|variable| variable.name == name) else {
            return self.named(name);
        };
        let mut value = self.state.0[variable].clone();
        loop {
            if let Some(key) = rest.strip_prefix('[') {
                let (key, after) = key.split_once(']')?;
                let Value::Map(entries) = value else { return None };
                let found = entries.into_iter().find(|(other, _)| self.model.types.show_value(other) == key);
                (value, rest) = (found?.1, after);
            } else if let Some(field) = rest.strip_prefix('.') {
                let (field, after) = field.split_at(field.find(['[', '.']).unwrap_or(field.len()));
                let Value::Record(id, fields) = value else { return None };
                let declared = &self.model.types.record(id).fields;
                let at = declared.iter().position(|(name, _)| name == field)?;
                (value, rest) = (fields[at].clone(), after);
            } else {
                return Some(value).filter(|value| *value != Value::None);
            }
        }
    }

    /// Returns the constant, or the value of an enumeration, with this name.
    fn named(&self, name: &str) -> Option<Value> {
        if let Some(constant) = self.model.constants.iter().find(|constant| constant.name == name) {
            return Some(constant.value.clone());
        }
        let mut declared = (0..).map(EnumId).zip(&self.model.types.enums);
        declared.find_map(|(id, declared)| {
            let at = declared.variants.iter().position(|variant| variant == name)?;
            Some(Value::Enum(id, u32::try_from(at).ok()?))
        })
    }
}
