//! What the attacker can make: everything that is sent belongs to her, and what she can take apart or put together of it.
//!
//! Her knowledge is a function of the state, so that nothing but the steps of honest runs makes a trace longer. Long-term keys
//! of the attacker, and of agents that are not trusted, are known from the start.

use super::condition::Condition;
use super::given::{Given, all_given};
use super::names::Names;
use super::terms::Terms;
use super::threats::ATTACKER;
use super::tickets::Layout;
use super::value::{Form, Place, Sort, Tickets, Value, equal};
use crate::protocol::ir::{RoleId, SymbolId, TypeId};
use std::collections::{BTreeMap, BTreeSet};

/// A definition of the generated model that tells what the attacker can make.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Fact {
    /// An atomic term of this type.
    Atom(TypeId),
    /// A function that is a term by itself.
    Constant(SymbolId),
    /// A term of this form.
    Form(Form),
    /// A term of any kind.
    Ticket,
}

/// Which definitions there are, and how they depend on each other.
pub(super) struct Attacker<'a> {
    terms: &'a Terms<'a>,
    layout: &'a Layout,
    given: Vec<Given>,
    facts: Vec<Fact>,
    names: Vec<String>,
    /// Which facts each fact is made of.
    uses: Vec<BTreeSet<usize>>,
    /// The fact that is being described.
    current: Option<usize>,
    /// The cycle of facts within which it is described.
    within: Option<usize>,
    /// The facts that depend on each other, by the number of their cycle.
    cycles: Vec<Option<usize>>,
    all_names: Names,
}

/// A definition of the generated model.
pub(super) struct Definition {
    pub doc: String,
    pub name: String,
    pub parameters: Vec<String>,
    /// The type of its value; of a type, empty: its parameters are fields.
    pub ty: String,
    pub body: Condition,
}

/// The name of the run in definitions.
const RUN: &str = "q";
/// The name of what is known so far, within a cycle.
const KNOWN: &str = "known";

/// Names that are bound in the words for attacks and what else is about runs, but neither in actions nor in definitions of what
/// the attacker knows.
const FREE: &[&str] = &["a", "c", "i", "m", "n", "r", "s", "t"];

impl<'a> Attacker<'a> {
    pub fn new(terms: &'a Terms<'a>, layout: &'a Layout, names: &mut Names) -> Self {
        Self {
            terms,
            layout,
            given: all_given(terms, layout, RUN),
            facts: Vec::new(),
            names: Vec::new(),
            uses: Vec::new(),
            current: None,
            within: None,
            cycles: Vec::new(),
            all_names: std::mem::take(names),
        }
    }

    /// Names that mean nothing else at the top of the model.
    pub fn names(&mut self) -> &mut Names {
        &mut self.all_names
    }

    /// Names for something inside, which hide no others.
    pub fn scope(&self) -> Names {
        let mut scope = self.all_names.inner();
        // Nothing outside has these names, and nothing inside is bound to them otherwise.
        FREE.iter().for_each(|name| scope.release(name));
        scope.fresh(RUN);
        scope.fresh(KNOWN);
        scope
    }

    /// The condition that the attacker has a term, or can put it together.
    pub fn makes(&mut self, value: &Value) -> Condition {
        match value {
            Value::Agent(_) => Condition::True,
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

    /// Whether anybody can make a term: an application of a public function to agents.
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

    /// Whether a term of this form can be part of what is sent.
    fn could_be_given(&self, form: &Form) -> bool {
        let mut leaves = form.sorts().into_iter().map(|_| Place::present("x"));
        let value = form.with(&mut leaves);
        self.given.iter().any(|given| equal(&given.value, &value, self.layout) != Condition::False)
    }

    /// The condition that the attacker can make a term from its parts.
    fn puts_together(&mut self, value: &Value) -> Condition {
        match value {
            Value::Encrypted(body, key) => Condition::all([self.makes(body), self.makes(key)]),
            Value::Apply(function, arguments) => {
                if self.terms.script.protocols.symbols[function.index()].secret {
                    Condition::any(arguments.iter().map(|argument| self.shares_secrets_of(argument)))
                } else {
                    Condition::all(arguments.iter().map(|value| self.makes(value)).collect::<Vec<_>>())
                }
            }
            _ => Condition::False,
        }
    }

    /// The condition that the attacker has the long-term secrets of an agent.
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

    /// Uses a fact. Within a cycle, atoms are those that are known so far.
    fn call(&mut self, fact: Fact, arguments: &[String]) -> Condition {
        let number = self.number(&fact);
        if let Some(user) = self.current {
            self.uses[user].insert(number);
        }
        let mut name = self.names[number].clone();
        let mut arguments = arguments.to_vec();
        if self.within.is_some() && self.within == self.cycle_of(number) {
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

    fn cycle_of(&self, fact: usize) -> Option<usize> {
        self.cycles.get(fact).copied().flatten()
    }

    /// The field of known atoms of this type.
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
        self.uses.push(BTreeSet::new());
        self.facts.len() - 1
    }

    /// All definitions that were used, and what these use. The names are given back.
    pub fn definitions(mut self, runs: usize, names: &mut Names) -> Vec<Definition> {
        let mut number = 0;
        while number < self.facts.len() {
            self.describe(number);
            number += 1;
        }
        self.cycles = cycles(&self.uses);
        let mut definitions = Vec::new();
        let all: BTreeSet<usize> = self.cycles.iter().flatten().copied().collect();
        for cycle in all {
            definitions.extend(self.closure(cycle, runs));
        }
        for number in 0..self.facts.len() {
            let known = self.cycle_of(number).map(|cycle| self.all_known(cycle));
            let mut definition = self.describe(number);
            if let (Some(known), Fact::Atom(sort)) = (known, &self.facts[number]) {
                let name = definition.parameters[0].split(':').next().unwrap_or_default().to_owned();
                definition.body = Condition::Is(format!("{name} in {known}.{}", self.field(*sort)));
            }
            definitions.push(definition);
        }
        *names = self.all_names;
        definitions
    }

    /// What is known of the atoms in a cycle: where the key of a message can be in another message, knowing more opens more.
    fn closure(&mut self, cycle: usize, runs: usize) -> Vec<Definition> {
        let members: Vec<usize> =
            (0..self.facts.len()).filter(|fact| self.cycles[*fact] == Some(cycle)).collect();
        let known_type = format!("Known{cycle}");
        self.within = Some(cycle);
        let mut definitions = Vec::new();
        let (mut fields, mut types, mut nothing) = (Vec::new(), Vec::new(), Vec::new());
        for &member in &members {
            let mut definition = self.describe(member);
            match self.facts[member].clone() {
                Fact::Atom(sort) => {
                    let (field, ty) = (self.field(sort).to_owned(), self.terms.sorts.name(Sort::Atom(sort)));
                    let name = definition.parameters[0].split(':').next().unwrap_or_default().to_owned();
                    fields
                        .push(format!("{field}: {{ {name} in {ty} :\n      {} }}", definition.body.text(6)));
                    types.push(format!("{field}: set of {ty}"));
                    nothing.push(format!("{field}: {{}}"));
                }
                _ => {
                    definition.name = format!("{}_with", definition.name);
                    definition.doc = format!("{} What is known so far is given.", definition.doc);
                    definition.parameters.push(format!("{KNOWN}: {known_type}"));
                    definitions.push(definition);
                }
            }
        }
        self.within = None;
        let learns = format!("learns{cycle}");
        let nothing = format!("{known_type}({})", nothing.join(", "));
        // Each turn but the last takes one more message apart.
        let turns = runs * self.opened(&members) + 1;
        let all = (0..turns).fold(nothing, |known, _| format!("{learns}({known})"));
        let mut found = vec![Definition {
            doc: format!("What {ATTACKER} knows of terms that are keys of each other."),
            name: known_type.clone(),
            parameters: types,
            ty: String::new(),
            body: Condition::True,
        }];
        found.extend(definitions);
        found.push(Definition {
            doc: format!("What {ATTACKER} knows if she knows this."),
            name: learns,
            parameters: vec![format!("{KNOWN}: {known_type}")],
            ty: known_type.clone(),
            body: Condition::Is(format!("{known_type}(\n    {})", fields.join(",\n    "))),
        });
        found.push(Definition {
            doc: format!("All that {ATTACKER} knows of them."),
            name: self.all_known(cycle),
            parameters: Vec::new(),
            ty: known_type,
            body: Condition::Is(all),
        });
        found
    }

    fn all_known(&self, cycle: usize) -> String {
        format!("known{cycle}")
    }

    /// How many messages that are opened with what the cycle tells, and tell more of it, a run can send at most.
    fn opened(&mut self, members: &[usize]) -> usize {
        let facts: Vec<&Fact> = members.iter().map(|member| &self.facts[*member]).collect();
        let is_member = |value: &Value| facts.contains(&&fact_of(value));
        let mut by_role: BTreeMap<RoleId, usize> = BTreeMap::new();
        for given in &self.given {
            if is_member(&given.value) && given.keys.iter().any(&is_member) {
                *by_role.entry(given.role).or_default() += 1;
            }
        }
        by_role.into_values().max().unwrap_or(0)
    }

    fn describe(&mut self, number: usize) -> Definition {
        let fact = self.facts[number].clone();
        self.current = Some(number);
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
                let public = atomic.public.iter().chain([&atomic.own_name]);
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
        self.current = None;
        let parameters = names.iter().zip(&sorts);
        let parameters =
            parameters.map(|(name, sort)| format!("{name}: {}", self.terms.sorts.name(*sort))).collect();
        Definition {
            doc: format!("Whether {ATTACKER} knows {}.", show(&value, self.terms)),
            name: self.names[number].clone(),
            parameters,
            ty: "bool".to_owned(),
            body: Condition::any([made, compromised, given]),
        }
    }

    /// The condition that a term was given away before.
    fn compromised(&self, value: &Value) -> Condition {
        let terms = self.terms.script.protocols.compromised.iter();
        Condition::any(terms.map(|term| {
            // They consist of constants only, whatever the role.
            let known = self.terms.value(RoleId::FIRST, RUN, term, &|_| None);
            equal(&known, value, self.layout)
        }))
    }

    /// How the names of parameters of this kind begin.
    fn parameter_name(&self, sort: Sort) -> String {
        self.terms.sorts.name(sort).chars().next().unwrap_or('x').to_lowercase().collect()
    }

    /// The condition that a run gives a term away.
    fn given(&mut self, value: &Value) -> Condition {
        let cases = self.disclosures(value).into_iter().map(|disclosure| disclosure.condition);
        Condition::exists(RUN, "Run", Condition::any(cases))
    }

    /// The messages in which run `q` gives a term away.
    pub fn disclosures(&mut self, value: &Value) -> Vec<Disclosure> {
        let mut found = Vec::new();
        for index in 0..self.given.len() {
            let given = &self.given[index];
            let equal = equal(&given.value, value, self.layout);
            if equal == Condition::False {
                continue;
            }
            let role = &self.terms.roles[given.role.index()];
            let mut parts = vec![Condition::Is(format!("done({RUN}, {role}, {})", given.steps))];
            parts.extend(given.when.iter().cloned());
            parts.push(equal);
            let (label, keys) = (given.label.clone(), given.keys.clone());
            for key in &keys {
                parts.push(self.makes(key));
            }
            found.push(Disclosure { label, condition: Condition::all(parts) });
        }
        found
    }
}

/// A message in which a term is given away.
#[derive(Debug)]
pub(super) struct Disclosure {
    /// The label of the message; nothing if it is lost otherwise.
    pub label: Option<String>,
    /// The condition that run `q` has sent it, and that the attacker can take the term out of it.
    pub condition: Condition,
}

/// What tells whether a term is known.
fn fact_of(value: &Value) -> Fact {
    match value {
        Value::Fresh { sort, .. } | Value::Atom(sort, _) => Fact::Atom(*sort),
        Value::Ticket(_) => Fact::Ticket,
        Value::Constant(symbol) => Fact::Constant(*symbol),
        other => Fact::Form(other.form()),
    }
}

/// A term for people.
pub(super) fn show(value: &Value, terms: &Terms<'_>) -> String {
    let symbols = &terms.script.protocols.symbols;
    let list =
        |values: &[Value]| values.iter().map(|value| show(value, terms)).collect::<Vec<_>>().join(", ");
    match value {
        Value::Agent(place) | Value::Atom(_, place) | Value::Ticket(place) => place.text.clone(),
        Value::Fresh { text, .. } => text.clone(),
        Value::Constant(symbol) => symbols[symbol.index()].name.clone(),
        Value::Tuple(values) => list(values),
        Value::Encrypted(body, key) => format!("{{{}}}{}", show(body, terms), show(key, terms)),
        Value::Apply(function, values) => format!("{}({})", symbols[function.index()].name, list(values)),
    }
}

/// For each node of a graph, the number of its cycle: nodes that reach each other, or themselves.
fn cycles(uses: &[BTreeSet<usize>]) -> Vec<Option<usize>> {
    let reach: Vec<BTreeSet<usize>> = (0..uses.len())
        .map(|start| {
            let mut reached = BTreeSet::new();
            let mut open: Vec<usize> = uses[start].iter().copied().collect();
            while let Some(node) = open.pop() {
                if reached.insert(node) {
                    open.extend(&uses[node]);
                }
            }
            reached
        })
        .collect();
    let cycle = |node: usize| {
        reach[node]
            .contains(&node)
            .then(|| reach[node].iter().copied().find(|other| reach[*other].contains(&node)).unwrap_or(node))
    };
    (0..uses.len()).map(cycle).collect()
}
