//! The forms of terms that variables of any type can take.
//!
//! A variable that is forwarded unread can have any value, but only parts that some run inspects matter:
//! terms in its place in sent messages, and terms expected in its place where it is forwarded to. One value
//! of the attacker stands for all others.

use super::scope::Matching;
use super::terms::Terms;
use super::value::{Form, Place, Sort, Value};
use crate::protocol::ir::{Claim, EventKind};
use itertools::Itertools;
use std::collections::{BTreeMap, BTreeSet};

#[derive(Debug, Clone, Copy)]
struct Limits {
    /// The greatest number of forms of one variable.
    forms: usize,
    /// The greatest nesting depth of encryptions and functions within other terms.
    depth: usize,
    /// The greatest number of leaves of a form.
    leaves: usize,
}

impl Limits {
    fn of(matching: Matching) -> Self {
        match matching {
            // Terms deeper than those sent are irrelevant.
            Matching::Typed | Matching::Basic => Self { forms: 40, depth: 4, leaves: usize::MAX },
            // Every variable may hold the values of others, recursively.
            Matching::Full => Self { forms: 24, depth: 2, leaves: 6 },
        }
    }
}

/// The forms of each variable that takes any term, by the name of its state variable.
#[derive(Debug, Default)]
pub(super) struct Forms {
    /// The distinct forms. The first one is that of the attacker's value for irrelevant terms.
    pub all: Vec<Form>,
    /// For each variable, the numbers of its forms.
    pub of: BTreeMap<String, BTreeSet<usize>>,
    /// Variables with more possible forms than the limit.
    pub cut: Vec<String>,
}

/// A term in the place of a variable of any type.
struct Met {
    variable: String,
    value: Value,
}

pub(super) fn forms(terms: &Terms<'_>, most: usize) -> Forms {
    let mut forms = Forms::default();
    let limits = Limits::of(terms.script.matching);
    let limits = Limits { forms: limits.forms.min(most), ..limits };
    let mut variables: Vec<String> = Vec::new();
    // The declared sorts of variables with a type.
    let mut declared: BTreeMap<&str, Sort> = BTreeMap::new();
    for role in terms.script.roles() {
        for (variable, name, sort) in terms.received(role) {
            if sort == Sort::Ticket {
                variables.push(name.to_owned());
            }
            match terms.declared(role, variable) {
                Sort::Ticket => {}
                sort => _ = declared.insert(name, sort),
            }
        }
    }
    if variables.is_empty() {
        return forms;
    }
    let nothing = terms.sorts.atomic().keys().next().map_or(Form::Agent, |sort| Form::Atom(*sort));
    forms.all.push(nothing);
    forms.of = variables.iter().map(|name| (name.clone(), BTreeSet::from([0]))).collect();
    let met = meetings(terms);
    if terms.script.matching == Matching::Full {
        // Every form that is possible with typed matching.
        let typed = Limits { forms: limits.forms, ..Limits::of(Matching::Typed) };
        forms.close(&met, typed, |variable, form| match declared.get(variable) {
            Some(sort) => *form == form_of(*sort),
            None => true,
        });
    }
    let keys = keys(terms);
    forms.close(&met, limits, |variable, form| match terms.script.matching {
        Matching::Typed => true,
        Matching::Basic => form.is_atomic() || !declared.contains_key(variable),
        Matching::Full => form.depth() == 0 || !keys.contains(variable),
    });
    forms
}

/// Returns the form of a declared type.
fn form_of(sort: Sort) -> Form {
    match sort {
        Sort::Atom(ty) => Form::Atom(ty),
        _ => Form::Agent,
    }
}

impl Forms {
    /// Adds the forms that variables meet and may take, up to a fixpoint.
    fn close(&mut self, met: &[Met], limits: Limits, takes: impl Fn(&str, &Form) -> bool) {
        loop {
            let before: usize = self.of.values().map(BTreeSet::len).sum();
            for Met { variable, value } in met {
                let found = self.filled(value, limits);
                let known = &self.of[variable];
                let is_new = |form: &Form| {
                    takes(variable, form) && known.iter().all(|number| self.all[*number] != *form)
                };
                let new: Vec<Form> = found.into_iter().filter(is_new).collect();
                for form in new {
                    self.add(variable, form, limits);
                }
            }
            if self.of.values().map(BTreeSet::len).sum::<usize>() == before {
                return;
            }
        }
    }

    fn add(&mut self, variable: &str, form: Form, limits: Limits) {
        if self.of[variable].len() >= limits.forms || form.sorts().len() > limits.leaves {
            if !self.cut.iter().any(|name| name == variable) {
                self.cut.push(variable.to_owned());
            }
            return;
        }
        let number = self.all.iter().position(|other| *other == form).unwrap_or_else(|| {
            self.all.push(form);
            self.all.len() - 1
        });
        self.of.entry(variable.to_owned()).or_default().insert(number);
    }

    /// Returns the forms of a term, given those of the variables in it.
    fn filled(&self, value: &Value, limits: Limits) -> Vec<Form> {
        let lists = |values: &[Value]| -> Vec<Vec<Form>> {
            values.iter().map(|value| self.filled(value, limits)).multi_cartesian_product().collect()
        };
        match value {
            Value::Ticket(ticket) => match self.of.get(ticket.variable()) {
                Some(own) => own
                    .iter()
                    .map(|number| self.all[*number].clone())
                    .filter(|form| form.depth() < limits.depth)
                    .collect(),
                None => Vec::new(),
            },
            Value::Tuple(values) => lists(values).into_iter().map(Form::Tuple).collect(),
            Value::Apply(function, values) => {
                lists(values).into_iter().map(|forms| Form::Apply(*function, forms)).collect()
            }
            Value::Encrypted(body, key) => self
                .filled(body, limits)
                .into_iter()
                .cartesian_product(self.filled(key, limits))
                .map(|(body, key)| Form::Encrypted(Box::new(body), Box::new(key)))
                .collect(),
            closed => vec![closed.form()],
        }
    }
}

/// Returns the variables in the keys of messages. Encryptions with terms that contain themselves would have no end.
fn keys(terms: &Terms<'_>) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for role in terms.script.roles() {
        for event in &terms.script.role(role).events {
            if let EventKind::Send(message) | EventKind::Receive(message) = &event.kind {
                let value = terms.value(role, "q", &message.content, &|_| None);
                value.keys().into_iter().for_each(|key| key.variables(&mut found));
            }
        }
    }
    found
}

/// Returns the terms met by variables of any type: in messages with the same label, and in all pairs of terms
/// of messages and claims that could be equal.
fn meetings(terms: &Terms<'_>) -> Vec<Met> {
    let mut sent: Vec<(String, Value)> = Vec::new();
    let mut received: Vec<(String, Value)> = Vec::new();
    let mut claimed: Vec<Value> = Vec::new();
    let mut met = Vec::new();
    for role in terms.script.roles() {
        let described = terms.script.role(role);
        let value = |term| terms.value(role, "q", term, &|_| None);
        for event in &described.events {
            let label = format!("{}:{}", described.protocol, event.label);
            match &event.kind {
                EventKind::Send(message) => sent.push((label, value(&message.content))),
                EventKind::Receive(message) => received.push((label, value(&message.content))),
                EventKind::Match { pattern, term, .. } => {
                    let (pattern, term) = (value(pattern), value(term));
                    [&pattern, &term].into_iter().for_each(|value| applied(value, &mut met));
                    align(&pattern, &term, &mut met);
                }
                EventKind::Claim(Claim::Secret(term) | Claim::SessionKey(term)) => claimed.push(value(term)),
                EventKind::Claim(_) => {}
            }
        }
    }
    for ((label, sent), (other, received)) in sent.iter().cartesian_product(&received) {
        if label == other {
            align(sent, received, &mut met);
        }
    }
    let made: Vec<&Value> = sent.iter().flat_map(|(_, value)| value.composed_with_keys()).collect();
    // The attacker has the terms that belong to her own name.
    for (_, value) in sent.iter().chain(&received) {
        applied(value, &mut met);
    }
    claimed.iter().for_each(|value| applied(value, &mut met));
    let expected =
        received.iter().map(|(_, value)| value).chain(&claimed).flat_map(Value::composed_with_keys);
    for (made, expected) in made.into_iter().cartesian_product(expected.collect::<Vec<_>>()) {
        let mut aligned = Vec::new();
        if align(made, expected, &mut aligned) {
            met.extend(aligned);
        }
    }
    met
}

/// Variables to which functions are applied meet names of agents, which determine who can make the result, or open it.
fn applied(value: &Value, met: &mut Vec<Met>) {
    for part in value.composed_with_keys() {
        let Value::Apply(_, arguments) = part else { continue };
        for argument in arguments {
            if let Value::Ticket(ticket) = argument {
                let value = Value::Agent(Place::present(ticket.variable()));
                met.push(Met { variable: ticket.variable().to_owned(), value });
            }
        }
    }
}

/// True if two terms could be equal; adds the terms in the place of variables of any type.
fn align(left: &Value, right: &Value, met: &mut Vec<Met>) -> bool {
    match (left, right) {
        (Value::Ticket(a), Value::Ticket(b)) => {
            met.push(Met { variable: a.variable().to_owned(), value: right.clone() });
            met.push(Met { variable: b.variable().to_owned(), value: left.clone() });
            true
        }
        (Value::Ticket(ticket), value) | (value, Value::Ticket(ticket)) => {
            met.push(Met { variable: ticket.variable().to_owned(), value: value.clone() });
            true
        }
        (Value::Tuple(a), Value::Tuple(b)) => {
            let (a, b) = if a.len() <= b.len() { (a, b) } else { (b, a) };
            let Some((last, first)) = a.split_last() else { return false };
            let rest = Value::tuple(b[first.len()..].iter().cloned());
            first.iter().zip(b).all(|(a, b)| align(a, b, met)) && align(last, &rest, met)
        }
        (Value::Encrypted(a, k), Value::Encrypted(b, l)) => align(a, b, met) && align(k, l, met),
        (Value::Apply(f, a), Value::Apply(g, b)) => {
            f == g && a.len() == b.len() && a.iter().zip(b).all(|(a, b)| align(a, b, met))
        }
        (a, b) => a.form() == b.form(),
    }
}
