//! The knowledge of the attacker: she has everything that is sent, its parts that she can open, and the terms
//! constructed from these.
//!
//! Her knowledge is a function of the state, so that only steps of honest runs make a trace longer. Long-term
//! keys of the attacker, and of agents on her side, are known from the start.

mod closure;

use super::condition::Condition;
use super::given::{SentTerm, all_given};
use super::names::Names;
use super::terms::Terms;
use super::threats::ATTACKER;
use super::tickets::Layout;
use super::value::{Form, Place, Sort, Tickets, Value, equal, written_name};
use crate::protocol::ir::{RoleId, SymbolId, TypeId};
use closure::{Cycle, KNOWN};
use itertools::Itertools;
use std::collections::BTreeSet;

/// A definition of the generated model about the terms that the attacker can make.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Fact {
    /// An atomic term of this type.
    Atom(TypeId),
    /// A function as a term of its own.
    Constant(SymbolId),
    Form(Form),
    /// A term of any kind.
    Ticket,
}

pub(super) struct Attacker<'a> {
    terms: &'a Terms<'a>,
    layout: &'a Layout,
    given: Vec<SentTerm>,
    facts: Vec<Fact>,
    names: Vec<String>,
    /// The facts called since this was last emptied.
    called: BTreeSet<usize>,
    /// The cycle of facts being described.
    within: Option<Cycle>,
    all_names: Names,
}

/// A definition of the generated model.
pub(super) struct Definition {
    pub doc: String,
    pub name: String,
    pub parameters: Vec<String>,
    /// The type of its value; empty for a type, whose parameters are fields.
    pub ty: String,
    pub body: Condition,
}

/// The name of the run in definitions.
const RUN: &str = "q";

/// Names bound in the words for attacks and in other definitions about runs, but neither in actions nor in
/// definitions of the attacker's knowledge.
const FREE: &[&str] = &["a", "c", "i", "m", "n", "r", "s", "t"];

impl<'a> Attacker<'a> {
    pub fn new(terms: &'a Terms<'a>, layout: &'a Layout, names: &mut Names) -> Self {
        Self {
            terms,
            layout,
            given: all_given(terms, layout, RUN),
            facts: Vec::new(),
            names: Vec::new(),
            called: BTreeSet::new(),
            within: None,
            all_names: std::mem::take(names),
        }
    }

    /// Returns the names at the top of the model.
    pub fn names(&mut self) -> &mut Names {
        &mut self.all_names
    }

    /// Returns names for an inner scope, which hide no others.
    pub fn scope(&self) -> Names {
        let mut scope = self.all_names.inner();
        // These names are neither used outside nor bound otherwise inside.
        FREE.iter().for_each(|name| scope.release(name));
        scope.fresh(RUN);
        scope.fresh(KNOWN);
        scope
    }

    /// Returns the condition that the attacker has a term, or can construct it.
    pub fn makes(&mut self, value: &Value) -> Condition {
        match value {
            Value::Agent(_) => Condition::True,
            Value::Atom(..) if self.is_public_atom(value) => Condition::True,
            Value::Fresh { sort, .. } | Value::Atom(sort, _) => self.call(Fact::Atom(*sort), &value.leaves()),
            Value::Ticket(_) => self.call(Fact::Ticket, &value.leaves()),
            Value::Constant(symbol) => {
                if self.terms.script.protocols.symbols[symbol.index()].secret {
                    self.call(Fact::Constant(*symbol), &[])
                } else {
                    Condition::True
                }
            }
            Value::Tuple(values) => {
                Condition::all(values.iter().map(|value| self.makes(value)).collect::<Vec<_>>())
            }
            Value::Apply(..) if self.is_public(value) => Condition::True,
            Value::Encrypted(..) | Value::Apply(..) => {
                let form = value.form();
                if self.could_be_given(&form) || self.compromised(value) != Condition::False {
                    self.call(Fact::Form(form), &value.leaves())
                } else {
                    self.puts_together(value)
                }
            }
        }
    }

    /// True if anybody can make a term: an application of a public function to agents.
    fn is_public(&self, value: &Value) -> bool {
        let symbols = &self.terms.script.protocols.symbols;
        match value {
            Value::Agent(_) => true,
            Value::Constant(symbol) => !symbols[symbol.index()].secret,
            Value::Apply(function, values) => {
                !symbols[function.index()].secret && values.iter().all(|value| self.is_public(value))
            }
            _ => false,
        }
    }

    /// True if a term of this form can be part of a sent message.
    fn could_be_given(&self, form: &Form) -> bool {
        let mut leaves = form.sorts().into_iter().map(|_| Place::present("x"));
        let value = form.with(&mut leaves);
        self.given.iter().any(|given| equal(&given.value, &value, self.layout) != Condition::False)
    }

    /// Returns the condition that the attacker can construct a term from its parts.
    fn puts_together(&mut self, value: &Value) -> Condition {
        match value {
            Value::Encrypted(body, key) => Condition::all([self.makes(body), self.makes(key)]),
            Value::Apply(function, arguments) => {
                let parts = arguments.iter().map(|value| self.makes(value)).collect::<Vec<_>>();
                if !self.terms.script.protocols.symbols[function.index()].secret {
                    return Condition::all(parts);
                }
                let shared = arguments.iter().map(|argument| self.shares_secrets_of(argument));
                let shared = Condition::any(shared.collect::<Vec<_>>());
                let applied = self.has_function(*function);
                Condition::all([Condition::any([shared, applied])].into_iter().chain(parts))
            }
            _ => Condition::False,
        }
    }

    /// Returns the condition that the attacker has obtained a secret function itself.
    fn has_function(&mut self, function: SymbolId) -> Condition {
        let itself = self.terms.symbol(function);
        if self.could_be_given(&itself.form()) || self.compromised(&itself) != Condition::False {
            self.makes(&itself)
        } else {
            Condition::False
        }
    }

    /// Returns the condition that the attacker has the long-term secrets of an agent.
    fn shares_secrets_of(&self, argument: &Value) -> Condition {
        match argument {
            Value::Agent(place) => self.terms.threats.has_keys_of(&place.text),
            Value::Ticket(ticket) => Condition::any(
                self.layout
                    .cases(ticket)
                    .into_iter()
                    .map(|(has, value)| Condition::all([has, self.shares_secrets_of(&value)])),
            ),
            _ => Condition::False,
        }
    }

    /// Calls a definition. Within a cycle, refers to the knowledge so far.
    fn call(&mut self, fact: Fact, arguments: &[String]) -> Condition {
        let number = self.number(&fact);
        self.called.insert(number);
        let mut name = self.names[number].clone();
        let mut arguments = arguments.to_vec();
        if self.within.as_ref().is_some_and(|cycle| cycle.members.contains(&number)) {
            if let Fact::Atom(sort) = fact {
                return Condition::Is(format!("{} in {KNOWN}.{}", arguments[0], self.field(sort)));
            }
            name = format!("{name}_with");
            arguments.push(KNOWN.to_owned());
        }
        if arguments.is_empty() {
            return Condition::Is(name);
        }
        Condition::Is(format!("{name}({})", arguments.join(", ")))
    }

    /// Returns the field of known atoms of this type.
    fn field(&self, sort: TypeId) -> &str {
        self.terms.sorts.name(Sort::Atom(sort))
    }

    fn number(&mut self, fact: &Fact) -> usize {
        if let Some(number) = self.facts.iter().position(|other| other == fact) {
            return number;
        }
        let wish = match fact {
            Fact::Atom(sort) => format!("knows_{}", self.terms.sorts.name(Sort::Atom(*sort))),
            Fact::Constant(symbol) => {
                format!("knows_{}", self.terms.script.protocols.symbols[symbol.index()].name)
            }
            Fact::Form(_) => {
                format!("makes_{}", self.facts.iter().filter(|f| matches!(f, Fact::Form(_))).count() + 1)
            }
            Fact::Ticket => "makes_ticket".to_owned(),
        };
        self.names.push(self.all_names.fresh(&wish));
        self.facts.push(fact.clone());
        self.facts.len() - 1
    }

    fn describe(&mut self, number: usize) -> Definition {
        let fact = self.facts[number].clone();
        let sorts = match &fact {
            Fact::Atom(sort) => vec![Sort::Atom(*sort)],
            Fact::Constant(_) => Vec::new(),
            Fact::Form(form) => form.sorts(),
            Fact::Ticket => vec![Sort::Ticket],
        };
        let mut scope = self.scope();
        let names: Vec<String> =
            sorts.iter().map(|sort| scope.numbered(&self.parameter_name(*sort))).collect();
        self.all_names.leave(&scope);
        let mut places = names.iter().map(Place::present);
        let (value, made) = match &fact {
            Fact::Atom(sort) => {
                let value = Value::Atom(*sort, Place::present(&names[0]));
                let atomic = &self.terms.sorts.atomic()[sort];
                let public = atomic.public.iter().chain(&atomic.own_names);
                let made = public.map(|name| Condition::Is(format!("{}.name = {name}", names[0])));
                (value, Condition::any(made.collect::<Vec<_>>()))
            }
            Fact::Constant(symbol) => (Value::Constant(*symbol), Condition::False),
            Fact::Form(form) => {
                let value = form.with(&mut places);
                let made = self.puts_together(&value);
                (value, made)
            }
            Fact::Ticket => {
                let place = Place::present(&names[0]);
                let cases = self.layout.cases(&place);
                let made = cases.into_iter().map(|(has, value)| Condition::all([has, self.makes(&value)]));
                let made = Condition::any(made.collect::<Vec<_>>());
                (Value::Ticket(place), made)
            }
        };
        let given = if fact == Fact::Ticket { Condition::False } else { self.given(&value) };
        let compromised = self.compromised(&value);
        let parameters = names.iter().zip(&sorts);
        let parameters =
            parameters.map(|(name, sort)| format!("{name}: {}", self.terms.sorts.name(*sort))).collect();
        Definition {
            doc: format!("True if {ATTACKER} knows {}.", show(&value, self.terms)),
            name: self.names[number].clone(),
            parameters,
            ty: "bool".to_owned(),
            body: Condition::any([made, compromised, given]),
        }
    }

    /// Returns the condition that a term was compromised from the start.
    fn compromised(&self, value: &Value) -> Condition {
        let terms = self.terms.script.protocols.compromised.iter();
        Condition::any(terms.map(|term| {
            // They consist of constants only, so the role is irrelevant.
            let known = self.terms.value(RoleId::FIRST, RUN, term, &|_| None);
            equal(&known, value, self.layout)
        }))
    }

    /// Returns the beginning of the names of parameters of this kind.
    fn parameter_name(&self, sort: Sort) -> String {
        self.terms.sorts.name(sort).chars().next().unwrap_or('x').to_lowercase().collect()
    }

    /// Returns the condition that a run discloses a term. Of the steps of a role that disclose it alike, the
    /// first one counts.
    fn given(&mut self, value: &Value) -> Condition {
        let is_public = |given: &SentTerm| self.is_public_atom(&given.value);
        let secret = (0..self.given.len()).filter(|index| !is_public(&self.given[*index])).collect_vec();
        let cases = secret.into_iter().filter_map(|index| {
            let rest = self.takes_out(index, value)?;
            Some((self.given[index].role, rest, index))
        });
        let cases = cases.collect_vec().into_iter().unique_by(|(role, rest, _)| (*role, rest.clone()));
        let cases = cases.map(|(_, rest, index)| Condition::all([self.sent(index), rest]));
        Condition::exists(RUN, "Run", Condition::any(cases.collect_vec()))
    }

    /// True for an atom that everybody knows.
    fn is_public_atom(&self, value: &Value) -> bool {
        let Value::Atom(sort, place) = value else { return false };
        let known = |name: &str| self.terms.sorts.atomic()[sort].public.iter().any(|public| public == name);
        written_name(&place.text).is_some_and(known)
    }

    /// Returns the condition that run `q` has taken the step of a disclosure.
    fn sent(&self, index: usize) -> Condition {
        let given = &self.given[index];
        let role = &self.terms.roles[given.role.index()];
        Condition::Is(format!("done({RUN}, {role}, {})", given.steps))
    }

    /// Returns the condition that a disclosed term equals `value`, and that the attacker can take it out of
    /// the message; `None` if it never does.
    fn takes_out(&mut self, index: usize, value: &Value) -> Option<Condition> {
        let given = &self.given[index];
        let equal = equal(&given.value, value, self.layout);
        if equal == Condition::False {
            return None;
        }
        let parts = given.when.iter().cloned().chain([equal]).collect_vec();
        let opens = self.opens(index);
        Some(Condition::all(parts.into_iter().chain([opens])))
    }

    /// Returns the messages in which run `q` discloses a term.
    pub fn disclosures(&mut self, value: &Value) -> Vec<Disclosure> {
        let disclosures = (0..self.given.len()).filter_map(|index| {
            let rest = self.takes_out(index, value)?;
            let condition = Condition::all([self.sent(index), rest]);
            let SentTerm { label, keys, .. } = &self.given[index];
            Some(Disclosure { label: label.clone(), in_clear: label.is_some() && keys.is_empty(), condition })
        });
        disclosures.collect()
    }
}

/// A message that discloses a term.
#[derive(Debug)]
pub(super) struct Disclosure {
    /// The label of the message; `None` for a loss other than by a message.
    pub label: Option<String>,
    /// True if no key has to be opened for it.
    pub in_clear: bool,
    /// The condition that run `q` has sent it, and that the attacker can take the term out of it.
    pub condition: Condition,
}

/// Formats a term for display, a tuple without parentheses around it.
pub(super) fn show(value: &Value, terms: &Terms<'_>) -> String {
    let symbols = &terms.script.protocols.symbols;
    let part = |value: &Value| {
        let shown = show(value, terms);
        if matches!(value, Value::Tuple(_)) { format!("({shown})") } else { shown }
    };
    let list = |values: &[Value]| values.iter().map(part).collect::<Vec<_>>().join(", ");
    match value {
        Value::Agent(place) | Value::Atom(_, place) | Value::Ticket(place) => place.text.clone(),
        Value::Fresh { text, .. } => text.clone(),
        Value::Constant(symbol) => symbols[symbol.index()].name.clone(),
        Value::Tuple(values) => list(values),
        Value::Encrypted(body, key) => format!("{{{}}}{}", show(body, terms), part(key)),
        Value::Apply(function, values) => format!("{}({})", symbols[function.index()].name, list(values)),
    }
}
