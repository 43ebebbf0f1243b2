//! What runs give away: all parts of messages that they send, with the keys that it takes to get at them.

use super::condition::Condition;
use super::terms::Terms;
use super::tickets::Layout;
use super::value::{Place, Tickets, Value};
use crate::protocol::ir::{Claim, RoleId};

/// Something that a run gives away by sending a message.
#[derive(Debug)]
pub(super) struct Given {
    pub role: RoleId,
    /// The label of the message; nothing if it is lost otherwise.
    pub label: Option<String>,
    /// How many steps the run has to have taken.
    pub steps: usize,
    pub value: Value,
    /// What has to be so of the values of variables.
    pub when: Vec<Condition>,
    /// What has to be known to take it out of the message.
    pub keys: Vec<Value>,
}

/// The message that gives something away.
#[derive(Clone, Copy)]
struct Source<'s> {
    role: RoleId,
    label: Option<&'s str>,
    /// How many steps a run has to have taken to have sent it.
    steps: usize,
    /// What the attacker could make before.
    clear: &'s [Place],
}

/// Everything that a run can give away, the run being called like this.
pub(super) fn all_given(terms: &Terms<'_>, layout: &Layout, run: &str) -> Vec<Given> {
    let mut giving = Giving { terms, layout, run, found: Vec::new() };
    for role in terms.script.roles() {
        for (number, step) in terms.script.steps(role).iter().enumerate() {
            let clear = giving.received_in_clear(role, number);
            for sent in &step.sends {
                let value = terms.value(role, run, &sent.message.content, &|_| None);
                let source = Source { role, label: Some(sent.label), steps: number + 1, clear: &clear };
                giving.give(source, &value, &[], &[]);
            }
            let Some(over) = terms.threats.is_over(run) else { continue };
            for claimed in &step.claims {
                let (Claim::Secret(term) | Claim::SessionKey(term)) = claimed.claim else { continue };
                let value = terms.value(role, run, term, &|_| None);
                let source = Source { role, label: None, steps: number + 1, clear: &clear };
                giving.lose(source, &value, &over);
            }
        }
    }
    giving.found
}

/// What was found so far.
struct Giving<'g, 'a> {
    terms: &'g Terms<'a>,
    layout: &'g Layout,
    run: &'g str,
    found: Vec<Given>,
}

impl Giving<'_, '_> {
    /// Places of variables that the attacker could make already when they were received, in this step or before.
    fn received_in_clear(&self, role: RoleId, last: usize) -> Vec<Place> {
        let mut clear = Vec::new();
        for step in &self.terms.script.steps(role)[..=last] {
            let Some(received) = &step.receives else { continue };
            let value = self.terms.value(role, self.run, &received.message.content, &|_| None);
            let parts = if let Value::Tuple(parts) = value { parts } else { vec![value] };
            clear.extend(parts.into_iter().filter_map(|part| match part {
                Value::Atom(_, place) | Value::Ticket(place) => Some(place),
                _ => None,
            }));
        }
        clear
    }

    /// Notes what gets lost of a secret: the values in it, but no long-term keys.
    fn lose(&mut self, source: Source<'_>, value: &Value, over: &Condition) {
        match value {
            Value::Fresh { .. } | Value::Atom(..) | Value::Ticket(_) => {
                self.give(source, value, std::slice::from_ref(over), &[]);
            }
            Value::Tuple(values) => values.iter().for_each(|value| self.lose(source, value, over)),
            Value::Agent(_) | Value::Constant(_) | Value::Encrypted(..) | Value::Apply(..) => {}
        }
    }

    /// Notes what a message gives away.
    fn give(&mut self, source: Source<'_>, value: &Value, when: &[Condition], keys: &[Value]) {
        let Source { role, label, steps, clear } = source;
        let note = |given: &mut Vec<Given>| {
            let (when, keys) = (when.to_vec(), keys.to_vec());
            given.push(Given {
                role,
                label: label.map(str::to_owned),
                steps,
                value: value.clone(),
                when,
                keys,
            });
        };
        match value {
            Value::Agent(_) => {}
            Value::Atom(_, place) if clear.contains(place) => {}
            Value::Fresh { .. } | Value::Atom(..) => note(&mut self.found),
            Value::Constant(symbol) => {
                if self.terms.script.protocols.symbols[symbol.index()].secret {
                    note(&mut self.found);
                }
            }
            Value::Ticket(place) if clear.contains(place) => {}
            Value::Ticket(ticket) => {
                for (has, value) in self.layout.cases(ticket) {
                    let when: Vec<Condition> = when.iter().cloned().chain([has]).collect();
                    self.give(source, &value, &when, keys);
                }
            }
            Value::Tuple(values) => {
                for value in values {
                    self.give(source, value, when, keys);
                }
            }
            Value::Apply(function, arguments) => {
                note(&mut self.found);
                let symbol = &self.terms.script.protocols.symbols[function.index()];
                // A function is undone by its inverse, which hash functions have none of unless it is declared.
                if let Some(inverse) = symbol.inverse {
                    let keys: Vec<Value> = keys.iter().cloned().chain([Value::Constant(inverse)]).collect();
                    for argument in arguments {
                        self.give(source, argument, when, &keys);
                    }
                }
            }
            Value::Encrypted(body, key) => {
                note(&mut self.found);
                for (is, inverse) in self.inverses(key) {
                    let keys: Vec<Value> = keys.iter().cloned().chain([inverse]).collect();
                    let when: Vec<Condition> = when.iter().cloned().chain(is).collect();
                    self.give(source, body, &when, &keys);
                }
            }
        }
    }

    /// What opens a message that is encrypted with this key, which depends on its form if that is open.
    fn inverses(&self, key: &Value) -> Vec<(Option<Condition>, Value)> {
        let Value::Ticket(ticket) = key else {
            return self.inverse(key).map(|inverse| (None, inverse)).into_iter().collect();
        };
        let cases = self.layout.cases(ticket).into_iter();
        cases.filter_map(|(has, value)| Some((Some(has), self.inverse(&value)?))).collect()
    }

    /// What opens a message that is encrypted with this key.
    fn inverse(&self, key: &Value) -> Option<Value> {
        let protocols = self.terms.script.protocols;
        Some(match key {
            Value::Apply(function, arguments) => {
                Value::Apply(protocols.opened_by(*function)?, arguments.clone())
            }
            Value::Constant(symbol) => Value::Constant(protocols.opened_by(*symbol)?),
            _ => key.clone(),
        })
    }
}
