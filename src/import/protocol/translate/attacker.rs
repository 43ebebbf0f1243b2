//! The knowledge of the attacker: she has everything that is sent, its parts that she can open, and the terms
//! constructed from these.
//!
//! Her knowledge is a function of the state, so that only steps of honest runs make a trace longer. Long-term
//! keys of the attacker, and of agents on her side, are known from the start.

mod closure;

use super::condition::Condition;
use super::given::{SentTerm, all_given};
use super::names::TakenNames;
use super::terms::RoleTerms;
use super::threats::ATTACKER;
use super::tickets::FormLayout;
use super::value::{
    LeafKind, LeafTerm, ModelExpr, TermForm, Tickets, cancellations, equal, splits, written_name,
};
use crate::protocol::ir::{ProtocolSymbolKind, RoleId, SymbolId, TypeId};
use closure::{Cycle, KNOWN};
use itertools::Itertools;
use std::collections::BTreeSet;

/// A definition of the generated model about the terms that the attacker can make.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum AttackerFact {
    /// An atomic term of this type.
    Atom(TypeId),
    /// A function as a term of its own.
    Constant(SymbolId),
    Form(TermForm),
    /// A term of any kind.
    Ticket,
}

pub(super) struct Attacker<'a> {
    terms: &'a RoleTerms<'a>,
    layout: &'a FormLayout,
    given: Vec<SentTerm>,
    facts: Vec<AttackerFact>,
    names: Vec<String>,
    /// The facts called since this was last emptied.
    called: BTreeSet<usize>,
    /// The cycle of facts being described.
    within: Option<Cycle>,
    all_names: TakenNames,
}

/// A definition of the generated model.
pub(super) struct AttackerDefinition {
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
    pub fn new(terms: &'a RoleTerms<'a>, layout: &'a FormLayout, names: &mut TakenNames) -> Self {
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
    pub fn names(&mut self) -> &mut TakenNames {
        &mut self.all_names
    }

    /// True if runs disclose sums of several terms.
    pub fn is_given_sums(&self) -> bool {
        let is_sum =
            |value: &LeafTerm| matches!(value, LeafTerm::Apply(function, _) if self.layout.is_sum(*function));
        self.given.iter().any(|given| is_sum(&given.value))
    }

    /// Returns names for an inner scope, which hide no others.
    pub fn scope(&self) -> TakenNames {
        let mut scope = self.all_names.inner();
        // These names are neither used outside nor bound otherwise inside.
        FREE.iter().for_each(|name| scope.release(name));
        scope.fresh(RUN);
        scope.fresh(KNOWN);
        scope
    }

    /// Returns the condition that the attacker has a term, or can construct it.
    pub fn makes(&mut self, value: &LeafTerm) -> Condition {
        if let (LeafTerm::Apply(..), Some(cases)) = (value, self.layout.opened(value)) {
            return self.makes_one(cases);
        }
        match value {
            LeafTerm::Agent(_) => Condition::True,
            LeafTerm::Atom(..) if self.is_public_atom(value) => Condition::True,
            LeafTerm::Fresh { .. } if self.terms.threats.reveals.random => Condition::True,
            LeafTerm::Fresh { sort, .. } | LeafTerm::Atom(sort, _) => {
                self.call(AttackerFact::Atom(*sort), &value.leaves())
            }
            LeafTerm::Ticket(_) => self.call(AttackerFact::Ticket, &value.leaves()),
            LeafTerm::Constant(symbol) => {
                if self.terms.script.protocols.symbols[symbol.index()].secret {
                    self.call(AttackerFact::Constant(*symbol), &[])
                } else {
                    Condition::True
                }
            }
            LeafTerm::Tuple(values) => {
                Condition::all(values.iter().map(|value| self.makes(value)).collect::<Vec<_>>())
            }
            LeafTerm::Apply(..) if self.is_public(value) => Condition::True,
            LeafTerm::Apply(function, terms)
                if self.layout.is_sum(*function) && terms.iter().any(|term| self.is_known(term)) =>
            {
                let secret = terms.iter().filter(|term| !self.is_known(term)).cloned();
                self.makes(&LeafTerm::sum(*function, secret))
            }
            LeafTerm::Encrypted(..) | LeafTerm::Apply(..) => {
                let form = value.form();
                if self.could_be_given(&form) || self.compromised(value) != Condition::False {
                    self.call(AttackerFact::Form(form), &value.leaves())
                } else {
                    self.puts_together(value)
                }
            }
        }
    }

    /// Returns the condition that the attacker has a term in the form that it has.
    fn makes_one(&mut self, cases: Vec<(Condition, LeafTerm)>) -> Condition {
        let cases = cases.into_iter().map(|(has, value)| Condition::all([has, self.makes(&value)]));
        Condition::any(cases.collect::<Vec<_>>())
    }

    /// True if anybody can make a term, whatever the state.
    fn is_known(&self, value: &LeafTerm) -> bool {
        self.is_public(value) || self.is_public_atom(value)
    }

    /// True if anybody can make a term: an application of a public function to agents.
    fn is_public(&self, value: &LeafTerm) -> bool {
        let symbols = &self.terms.script.protocols.symbols;
        match value {
            LeafTerm::Agent(_) => true,
            LeafTerm::Constant(symbol) => !symbols[symbol.index()].secret,
            LeafTerm::Apply(function, values) => {
                !symbols[function.index()].secret && values.iter().all(|value| self.is_public(value))
            }
            _ => false,
        }
    }

    /// True if a term of this form can be part of a sent message.
    fn could_be_given(&self, form: &TermForm) -> bool {
        let value = form.of_anything();
        self.given.iter().any(|given| equal(&given.value, &value, self.layout) != Condition::False)
    }

    /// Returns the condition that the attacker can construct a term from its parts.
    fn puts_together(&mut self, value: &LeafTerm) -> Condition {
        match value {
            LeafTerm::Encrypted(body, key) => Condition::all([self.makes(body), self.makes(key)]),
            // The exponents are applied one by one, in any order, to a power that she has. There are no roots or logarithms.
            LeafTerm::Apply(function, parts) if self.layout.is_power(*function) => {
                let last = |at: usize| {
                    let mut rest = parts.clone();
                    let exponent = rest.remove(at);
                    let rest = LeafTerm::power(*function, rest.remove(0), rest);
                    Condition::all([self.makes(&rest), self.makes(&exponent)])
                };
                let ways = (1..parts.len()).map(last).collect::<Vec<_>>();
                Condition::any(ways.into_iter().chain([self.is_public_key(parts)]))
            }
            // Equal terms cancel out; the others come from two smaller sums.
            LeafTerm::Apply(function, terms) if self.layout.is_sum(*function) => {
                let mut ways = Vec::new();
                for (is, left) in cancellations(terms, self.layout).into_iter().skip(1) {
                    ways.push(Condition::all([is, self.makes(&LeafTerm::sum(*function, left))]));
                }
                for (one, other) in splits(terms).into_iter().filter(|(_, other)| !other.is_empty()) {
                    let halves = [one, other].map(|half| self.makes(&LeafTerm::sum(*function, half)));
                    ways.push(Condition::all(halves));
                }
                Condition::any(ways)
            }
            LeafTerm::Apply(function, arguments) => {
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

    /// Returns the condition that a power is one of a public constant with a private key: a public key.
    fn is_public_key(&self, parts: &[LeafTerm]) -> Condition {
        let protocols = self.terms.script.protocols;
        match parts {
            [base, LeafTerm::Apply(key, _)] if protocols.is_private_key(*key) => {
                let constants = self.terms.symbols().zip(&protocols.symbols);
                let public = constants.filter(|(_, described)| {
                    !described.secret && matches!(described.kind, ProtocolSymbolKind::Constant(_))
                });
                Condition::any(public.map(|(constant, _)| equal(base, &constant, self.layout)))
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
    fn shares_secrets_of(&self, argument: &LeafTerm) -> Condition {
        match argument {
            LeafTerm::Agent(place) => self.terms.threats.has_keys_of(&place.text),
            LeafTerm::Ticket(ticket) => Condition::any(
                self.layout
                    .cases(ticket)
                    .into_iter()
                    .map(|(has, value)| Condition::all([has, self.shares_secrets_of(&value)])),
            ),
            _ => Condition::False,
        }
    }

    /// Calls a definition. Within a cycle, refers to the knowledge so far.
    fn call(&mut self, fact: AttackerFact, arguments: &[String]) -> Condition {
        let number = self.number(&fact);
        self.called.insert(number);
        let mut name = self.names[number].clone();
        let mut arguments = arguments.to_vec();
        if self.within.as_ref().is_some_and(|cycle| cycle.members.contains(&number)) {
            if let AttackerFact::Atom(sort) = fact {
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
        self.terms.sorts.name(LeafKind::Atom(sort))
    }

    fn number(&mut self, fact: &AttackerFact) -> usize {
        if let Some(number) = self.facts.iter().position(|other| other == fact) {
            return number;
        }
        let wish = match fact {
            AttackerFact::Atom(sort) => format!("knows_{}", self.terms.sorts.name(LeafKind::Atom(*sort))),
            AttackerFact::Constant(symbol) => {
                format!("knows_{}", self.terms.script.protocols.symbols[symbol.index()].name)
            }
            AttackerFact::Form(_) => {
                format!(
                    "makes_{}",
                    self.facts.iter().filter(|f| matches!(f, AttackerFact::Form(_))).count() + 1
                )
            }
            AttackerFact::Ticket => "makes_ticket".to_owned(),
        };
        self.names.push(self.all_names.fresh(&wish));
        self.facts.push(fact.clone());
        self.facts.len() - 1
    }

    fn describe(&mut self, number: usize) -> AttackerDefinition {
        let fact = self.facts[number].clone();
        let sorts = match &fact {
            AttackerFact::Atom(sort) => vec![LeafKind::Atom(*sort)],
            AttackerFact::Constant(_) => Vec::new(),
            AttackerFact::Form(form) => form.sorts(),
            AttackerFact::Ticket => vec![LeafKind::Ticket],
        };
        let mut scope = self.scope();
        let names: Vec<String> =
            sorts.iter().map(|sort| scope.numbered(&self.parameter_name(*sort))).collect();
        self.all_names.leave(&scope);
        let mut places = names.iter().map(ModelExpr::present);
        let (value, made) = match &fact {
            AttackerFact::Atom(sort) => {
                let value = LeafTerm::Atom(*sort, ModelExpr::present(&names[0]));
                let atomic = &self.terms.sorts.atomic()[sort];
                let public = atomic.public.iter().chain(&atomic.own_names);
                let made = public.map(|name| Condition::Is(format!("{}.name = {name}", names[0])));
                (value, Condition::any(made.collect::<Vec<_>>()))
            }
            AttackerFact::Constant(symbol) => (LeafTerm::Constant(*symbol), Condition::False),
            AttackerFact::Form(form) => {
                let value = form.with(&mut places);
                let made = self.puts_together(&value);
                (value, made)
            }
            AttackerFact::Ticket => {
                let place = ModelExpr::present(&names[0]);
                let made = self.makes_one(self.layout.cases(&place));
                (LeafTerm::Ticket(place), made)
            }
        };
        let given = if fact == AttackerFact::Ticket { Condition::False } else { self.given(&value) };
        let compromised = self.compromised(&value);
        let parameters = names.iter().zip(&sorts);
        let parameters =
            parameters.map(|(name, sort)| format!("{name}: {}", self.terms.sorts.name(*sort))).collect();
        AttackerDefinition {
            doc: format!("True if {ATTACKER} knows {}.", show(&value, self.terms)),
            name: self.names[number].clone(),
            parameters,
            ty: "bool".to_owned(),
            body: Condition::any([made, compromised, given]),
        }
    }

    /// Returns the condition that a term was compromised from the start.
    fn compromised(&self, value: &LeafTerm) -> Condition {
        let terms = self.terms.script.protocols.compromised.iter();
        Condition::any(terms.map(|term| {
            // They consist of constants only, so the role is irrelevant.
            let known = self.terms.value(RoleId::FIRST, RUN, term, &|_| None);
            equal(&known, value, self.layout)
        }))
    }

    /// Returns the beginning of the names of parameters of this kind.
    fn parameter_name(&self, sort: LeafKind) -> String {
        self.terms.sorts.name(sort).chars().next().unwrap_or('x').to_lowercase().collect()
    }

    /// Returns the condition that a run discloses a term. Of the steps of a role that disclose it alike, the
    /// first one counts.
    fn given(&mut self, value: &LeafTerm) -> Condition {
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
    fn is_public_atom(&self, value: &LeafTerm) -> bool {
        let LeafTerm::Atom(sort, place) = value else { return false };
        let known = |name: &str| self.terms.sorts.atomic()[sort].public.iter().any(|public| public == name);
        written_name(&place.text).is_some_and(known)
    }

    /// Returns the condition that run `q` has taken the step of a disclosure, if it takes one.
    fn sent(&self, index: usize) -> Condition {
        let given = &self.given[index];
        if given.steps == 0 {
            return Condition::True;
        }
        let role = &self.terms.roles[given.role.index()];
        Condition::Is(format!("done({RUN}, {role}, {})", given.steps))
    }

    /// Returns the condition that a disclosed term equals `value`, and that the attacker can take it out of
    /// the message; `None` if it never does.
    fn takes_out(&mut self, index: usize, value: &LeafTerm) -> Option<Condition> {
        let given = &self.given[index];
        // Sums with fewer terms were given as well, where terms cancel out.
        let size = |value: &LeafTerm| match value {
            LeafTerm::Apply(function, terms) if self.layout.is_sum(*function) => terms.len(),
            _ => 1,
        };
        if size(&given.value) != size(value) {
            return None;
        }
        let equal = equal(&given.value, value, self.layout);
        if equal == Condition::False {
            return None;
        }
        let parts = given.when.iter().cloned().chain([equal]).collect_vec();
        let opens = self.opens(index);
        Some(Condition::all(parts.into_iter().chain([opens])))
    }

    /// Returns the messages in which run `q` discloses a term.
    pub fn disclosures(&mut self, value: &LeafTerm) -> Vec<Disclosure> {
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
pub(super) fn show(value: &LeafTerm, terms: &RoleTerms<'_>) -> String {
    let symbols = &terms.script.protocols.symbols;
    let part = |value: &LeafTerm| {
        let shown = show(value, terms);
        if matches!(value, LeafTerm::Tuple(_)) { format!("({shown})") } else { shown }
    };
    let list = |values: &[LeafTerm]| values.iter().map(part).collect::<Vec<_>>().join(", ");
    match value {
        LeafTerm::Agent(place) | LeafTerm::Atom(_, place) | LeafTerm::Ticket(place) => place.text.clone(),
        LeafTerm::Fresh { text, .. } => text.clone(),
        LeafTerm::Constant(symbol) => symbols[symbol.index()].name.clone(),
        LeafTerm::Tuple(values) => list(values),
        LeafTerm::Encrypted(body, key) => format!("{{{}}}{}", show(body, terms), part(key)),
        LeafTerm::Apply(function, parts) if terms.script.protocols.is_power(*function) => {
            parts.iter().map(part).join("^")
        }
        LeafTerm::Apply(function, parts) if terms.script.protocols.is_sum(*function) => {
            match parts.is_empty() {
                true => "0".to_owned(),
                false => format!("({})", parts.iter().map(part).join(" ⊕ ")),
            }
        }
        LeafTerm::Apply(function, values) => format!("{}({})", symbols[function.index()].name, list(values)),
    }
}
