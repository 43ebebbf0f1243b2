//! Disclosures of runs: all parts of messages that they send, with the keys needed to obtain them.

use super::condition::Condition;
use super::scope::Reveals;
use super::script::RoleStep;
use super::terms::RoleTerms;
use super::threats::Threats;
use super::tickets::FormLayout;
use super::value::{LeafTerm, ModelExpr, Tickets, cancellations, equal};
use crate::protocol::equation::{EquationValues, filled, fit};
use crate::protocol::ir::{RoleClaim, RoleId, RoleTerm, SymbolId};
use itertools::Itertools;
use std::collections::BTreeMap;

/// A term that a run discloses by sending a message.
#[derive(Debug)]
pub(super) struct SentTerm {
    pub role: RoleId,
    /// The label of the message; `None` for a loss other than by a message.
    pub label: Option<String>,
    /// The number of steps after which the run has sent or lost it; zero for values known before the run begins.
    pub steps: usize,
    pub value: LeafTerm,
    /// Conditions on the values of variables.
    pub when: Vec<Condition>,
    /// The keys that must be opened to take it out of the message, the outermost first.
    pub keys: Vec<OpenableKey>,
    /// A sum of whose terms some are keys, and how many times at most it gives more as more keys are known.
    pub sum: Option<(usize, usize)>,
}

/// A key: the terms that open it, depending on its parts.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct OpenableKey {
    /// The terms that open it, each with its condition.
    pub openers: Vec<(Condition, LeafTerm)>,
}

#[derive(Clone, Copy)]
struct SentMessage<'s> {
    role: RoleId,
    label: Option<&'s str>,
    /// The number of steps after which a run has sent it.
    steps: usize,
    /// The places that the attacker could make before.
    clear: &'s [ModelExpr],
    /// The sum that it is part of, and its number of terms; there is one number for all forms of a sum.
    sum: (Option<usize>, usize),
}

/// Returns all disclosures of a run with the name `run`.
pub(super) fn all_given(terms: &RoleTerms<'_>, layout: &FormLayout, run: &str) -> Vec<SentTerm> {
    let mut giving = Giving { terms, layout, run, found: Vec::new(), sums: Vec::new(), numbered: 0 };
    for role in terms.script.roles() {
        for (number, step) in terms.script.steps(role).iter().enumerate() {
            let clear = giving.received_in_clear(role, number);
            for sent in &step.sends {
                let value = terms.value(role, run, &sent.message.content, &|_| None);
                let source = SentMessage {
                    role,
                    label: Some(sent.label),
                    steps: number + 1,
                    clear: &clear,
                    sum: (None, 0),
                };
                giving.give(source, &value, &[], &[]);
            }
            let lost = SentMessage { role, label: None, steps: number + 1, clear: &clear, sum: (None, 0) };
            for (term, when) in lost_in(terms, step, run) {
                giving.lose(lost, &terms.value(role, run, &term, &|_| None), &when);
            }
        }
        if let Some(when) = terms.threats.is_lost(run).filter(|_| terms.threats.reveals.states) {
            let start = SentMessage { role, label: None, steps: 0, clear: &[], sum: (None, 0) };
            for term in terms.generated(role) {
                giving.lose(start, &terms.value(role, run, &term, &|_| None), &when);
            }
        }
    }
    giving.add_sums();
    giving.found
}

/// Returns the terms that a run loses from a step on, other than its fresh values, with their conditions.
fn lost_in(terms: &RoleTerms<'_>, step: &RoleStep<'_>, run: &str) -> Vec<(RoleTerm, Condition)> {
    let Threats { reveals, .. } = &terms.threats;
    let mut lost = Vec::new();
    if let Some(over) = terms.threats.is_over(run) {
        lost.extend(secrets(step, false).map(|term| (term.clone(), over.clone())));
    }
    if let Some(when) = terms.threats.is_lost(run) {
        lost.extend(lost_by(terms, *reveals, step).into_iter().map(|term| (term, when.clone())));
    }
    lost
}

/// Returns the terms that a lost run gives away in a step.
pub(super) fn lost_by(terms: &RoleTerms<'_>, reveals: Reveals, step: &RoleStep<'_>) -> Vec<RoleTerm> {
    let keys = secrets(step, terms.script.protocols.claim_session_keys());
    let keys = keys.filter(|_| reveals.session_keys).cloned();
    let bound = step.binds.iter().filter(|_| reveals.states).copied().map(RoleTerm::Variable);
    keys.chain(bound).collect()
}

/// Returns the terms that a step claims to be secret, or to be secret session keys only.
pub(super) fn secrets<'s>(step: &'s RoleStep<'_>, keys_only: bool) -> impl Iterator<Item = &'s RoleTerm> {
    step.claims.iter().filter_map(move |claimed| match claimed.claim {
        RoleClaim::SessionKey(term) => Some(term),
        RoleClaim::Secret(term) if !keys_only => Some(term),
        _ => None,
    })
}

/// The disclosures found so far.
struct Giving<'g, 'a> {
    terms: &'g RoleTerms<'a>,
    layout: &'g FormLayout,
    run: &'g str,
    found: Vec<SentTerm>,
    /// The sums that are disclosed as such.
    sums: Vec<OpenSum>,
    /// How many sums have numbers.
    numbered: usize,
}

/// A sum that a run discloses, with fields as those of [`SentTerm`].
struct OpenSum {
    number: Option<usize>,
    role: RoleId,
    label: Option<String>,
    steps: usize,
    when: Vec<Condition>,
    keys: Vec<OpenableKey>,
    function: SymbolId,
    terms: Vec<LeafTerm>,
}

impl Giving<'_, '_> {
    /// Returns the places of variables that the attacker could make when they were received, in this step or before.
    fn received_in_clear(&self, role: RoleId, last: usize) -> Vec<ModelExpr> {
        let mut clear = Vec::new();
        for step in &self.terms.script.steps(role)[..=last] {
            let Some(received) = &step.receives else { continue };
            let value = self.terms.value(role, self.run, &received.message.content, &|_| None);
            let parts = if let LeafTerm::Tuple(parts) = value { parts } else { vec![value] };
            clear.extend(parts.into_iter().filter_map(|part| match part {
                LeafTerm::Atom(_, place) | LeafTerm::Ticket(place) => Some(place),
                _ => None,
            }));
        }
        clear
    }

    /// Adds the lost values of a secret, other than long-term keys.
    fn lose(&mut self, source: SentMessage<'_>, value: &LeafTerm, over: &Condition) {
        match value {
            LeafTerm::Fresh { .. } | LeafTerm::Atom(..) | LeafTerm::Ticket(_) => {
                self.give(source, value, std::slice::from_ref(over), &[]);
            }
            LeafTerm::Tuple(values) => values.iter().for_each(|value| self.lose(source, value, over)),
            // Long-term keys are applications of functions to agents.
            LeafTerm::Apply(_, values) if values.iter().all(|of| matches!(of, LeafTerm::Agent(_))) => {}
            LeafTerm::Apply(..) | LeafTerm::Encrypted(..) => {
                self.give(source, value, std::slice::from_ref(over), &[]);
            }
            LeafTerm::Agent(_) | LeafTerm::Constant(_) => {}
        }
    }

    /// Adds the disclosures of a message.
    fn give(&mut self, source: SentMessage<'_>, value: &LeafTerm, when: &[Condition], keys: &[OpenableKey]) {
        let SentMessage { role, label, steps, clear, sum: (sum, count) } = source;
        let inner = SentMessage { sum: (None, 0), ..source };
        let note = |given: &mut Vec<SentTerm>| {
            let (when, keys) = (when.to_vec(), keys.to_vec());
            given.push(SentTerm {
                role,
                label: label.map(str::to_owned),
                steps,
                value: value.clone(),
                when,
                keys,
                sum: sum.filter(|_| count > 0).map(|sum| (sum, count)),
            });
        };
        if let LeafTerm::Apply(function, terms) = value
            && self.layout.is_sum(*function)
            && terms.iter().any(|term| self.is_known(term, clear))
        {
            let secret = terms.iter().filter(|term| !self.is_known(term, clear)).cloned();
            self.give(source, &LeafTerm::sum(*function, secret), when, keys);
            return;
        }
        if let Some(cases) = self.layout.opened(value) {
            let source = SentMessage { sum: (sum.or_else(|| self.next_sum()), count), ..source };
            if !matches!(value, LeafTerm::Ticket(place) if clear.contains(place)) {
                for (has, value) in cases {
                    let when: Vec<Condition> = when.iter().cloned().chain([has]).collect();
                    self.give(source, &value, &when, keys);
                }
            }
            return;
        }
        match value {
            LeafTerm::Agent(_) | LeafTerm::Ticket(_) => {}
            LeafTerm::Atom(_, place) if clear.contains(place) => {}
            LeafTerm::Fresh { .. } | LeafTerm::Atom(..) => note(&mut self.found),
            LeafTerm::Constant(symbol) => {
                if self.terms.script.protocols.symbols[symbol.index()].secret {
                    note(&mut self.found);
                }
            }
            LeafTerm::Tuple(values) => {
                for value in values {
                    self.give(source, value, when, keys);
                }
            }
            LeafTerm::Apply(function, terms) if self.layout.is_sum(*function) => {
                let number = sum.or_else(|| self.next_sum());
                let sum = OpenSum {
                    number,
                    role,
                    label: label.map(str::to_owned),
                    steps,
                    when: when.to_vec(),
                    keys: keys.to_vec(),
                    function: *function,
                    terms: terms.clone(),
                };
                self.give_sum(source, &sum, 0);
                self.sums.push(sum);
            }
            LeafTerm::Apply(function, arguments) => {
                note(&mut self.found);
                self.give_undone(inner, *function, arguments, when, keys);
            }
            LeafTerm::Encrypted(body, key) => {
                note(&mut self.found);
                let openers = self.inverses(key);
                if !openers.is_empty() {
                    let keys: Vec<OpenableKey> =
                        keys.iter().cloned().chain([OpenableKey { openers }]).collect();
                    self.give(inner, body, when, &keys);
                }
            }
        }
    }

    /// Adds the disclosures of the arguments of a function, if it is undone.
    fn give_undone(
        &mut self,
        source: SentMessage<'_>,
        function: SymbolId,
        arguments: &[LeafTerm],
        when: &[Condition],
        keys: &[OpenableKey],
    ) {
        let symbol = &self.terms.script.protocols.symbols[function.index()];
        // A function is undone by its inverse; hash functions have none unless it is declared.
        if let Some(inverse) = symbol.inverse {
            let inverse = OpenableKey { openers: vec![(Condition::True, self.terms.symbol(inverse))] };
            let keys: Vec<OpenableKey> = keys.iter().cloned().chain([inverse]).collect();
            for argument in arguments {
                self.give(source, argument, when, &keys);
            }
        }
        for (undone, result, others) in self.undone(function, arguments) {
            let when: Vec<Condition> = when.iter().cloned().chain(undone).collect();
            let others =
                others.into_iter().map(|other| OpenableKey { openers: vec![(Condition::True, other)] });
            let keys: Vec<OpenableKey> = keys.iter().cloned().chain(others).collect();
            self.give(source, &result, &when, &keys);
        }
    }

    /// True for a term that the attacker can make without any other.
    fn is_known(&self, term: &LeafTerm, clear: &[ModelExpr]) -> bool {
        match term {
            LeafTerm::Agent(_) => true,
            LeafTerm::Atom(_, place) | LeafTerm::Ticket(place) => clear.contains(place),
            _ => false,
        }
    }

    /// Adds the parts of a sum: each one that is left where terms cancel out, the others being its keys. Some of the first
    /// `crossing` terms cancel out, and some of the later ones.
    fn give_sum(&mut self, source: SentMessage<'_>, sum: &OpenSum, crossing: usize) {
        let count = sum.terms.len();
        let source = SentMessage { sum: (sum.number, count), ..source };
        let one = |key: &LeafTerm| OpenableKey { openers: vec![(Condition::True, key.clone())] };
        for (is, left) in cancellations(&sum.terms, self.layout) {
            let gone = |terms: &[LeafTerm]| terms.iter().any(|term| !left.contains(term));
            let (first, later) = sum.terms.split_at(crossing);
            // A term that is left twice cancels out in another way.
            if !left.iter().all_unique() || crossing > 0 && !(gone(first) && gone(later)) {
                continue;
            }
            let when: Vec<Condition> = sum.when.iter().cloned().chain([is]).collect();
            for part in left.iter().cloned().powerset().filter(|part| !part.is_empty()) {
                let others = left.iter().filter(|term| !part.contains(term)).map(one);
                let keys: Vec<OpenableKey> = sum.keys.iter().cloned().chain(others).collect();
                match &part[..] {
                    [term] => self.give(source, term, &when, &keys),
                    _ => self.found.push(SentTerm {
                        role: sum.role,
                        label: sum.label.clone(),
                        steps: sum.steps,
                        value: LeafTerm::Apply(sum.function, part),
                        when: when.clone(),
                        keys,
                        sum: sum.number.map(|number| (number, count)),
                    }),
                }
            }
        }
    }

    fn next_sum(&mut self) -> Option<usize> {
        self.numbered += 1;
        Some(self.numbered)
    }

    /// Adds the parts of the sums of two sums of a role.
    fn add_sums(&mut self) {
        let sums = std::mem::take(&mut self.sums);
        let mut numbers = BTreeMap::new();
        for [one, other] in sums.iter().array_combinations() {
            // Those with one number are forms of one sum.
            if one.role == other.role && one.function == other.function && one.number != other.number {
                let number = *numbers.entry((one.number, other.number)).or_insert_with(|| self.next_sum());
                let both = OpenSum {
                    number,
                    role: one.role,
                    label: other.label.clone(),
                    steps: one.steps.max(other.steps),
                    when: [one.when.clone(), other.when.clone()].concat(),
                    keys: [one.keys.clone(), other.keys.clone()].concat(),
                    function: one.function,
                    terms: [one.terms.clone(), other.terms.clone()].concat(),
                };
                let source = SentMessage {
                    role: both.role,
                    label: both.label.as_deref(),
                    steps: both.steps,
                    clear: &[],
                    sum: (None, 0),
                };
                self.give_sum(source, &both, one.terms.len());
            }
        }
    }

    /// The results of equations that undo an application, each with its conditions and the other terms needed.
    fn undone(
        &self,
        function: SymbolId,
        arguments: &[LeafTerm],
    ) -> Vec<(Vec<Condition>, LeafTerm, Vec<LeafTerm>)> {
        let equations = self.terms.script.protocols.equations.iter();
        let equations = equations.filter(|equation| equation.constructor().0 == function);
        let ways = equations.flat_map(|equation| {
            let (_, patterns) = equation.constructor();
            // Arguments of any kind in the place of applications have some form.
            let forms = arguments.iter().enumerate().map(|(at, argument)| {
                let is_open = !matches!(patterns.get(at), None | Some(RoleTerm::Variable(_)));
                let cases = self.layout.opened(argument).filter(|_| is_open);
                cases.unwrap_or_else(|| vec![(Condition::True, argument.clone())])
            });
            let forms = forms.multi_cartesian_product();
            forms.filter_map(move |forms| {
                let (has, arguments): (Vec<Condition>, Vec<LeafTerm>) = forms.into_iter().unzip();
                let (mut values, mut unlike) = (EquationValues::new(), Vec::new());
                fit(patterns, &arguments, &mut values, &mut unlike);
                let same = unlike.iter().map(|(pattern, term)| {
                    filled(pattern, &values)
                        .map_or(Condition::False, |pattern| equal(&pattern, term, self.layout))
                });
                let is = Condition::all(has.into_iter().chain(same.collect::<Vec<_>>()));
                let others = equation.others().map(|other| filled(other, &values)).collect::<Option<_>>()?;
                let result = filled(&equation.result, &values)?;
                (is != Condition::False).then(|| (vec![is], result, others))
            })
        });
        ways.collect()
    }

    /// Returns the terms that open encryptions with this key, with their conditions.
    fn inverses(&self, key: &LeafTerm) -> Vec<(Condition, LeafTerm)> {
        let protocols = self.terms.script.protocols;
        match key {
            LeafTerm::Ticket(ticket) => {
                let cases = self.layout.cases(ticket).into_iter();
                let inverses = cases.flat_map(|(has, value)| {
                    let inverses = self.inverses(&value).into_iter();
                    inverses.map(move |(is, inverse)| (Condition::all([has.clone(), is]), inverse))
                });
                inverses.collect()
            }
            LeafTerm::Apply(function, arguments) => {
                vec![(Condition::True, LeafTerm::Apply(protocols.opened_by(*function), arguments.clone()))]
            }
            LeafTerm::Constant(symbol) => {
                let inverse = protocols.symbols[symbol.index()].inverse.into_iter();
                inverse.map(|inverse| (Condition::True, self.terms.symbol(inverse))).collect()
            }
            LeafTerm::Agent(_) | LeafTerm::Atom(..) => self.inverses_of_constants(key),
            LeafTerm::Fresh { .. } | LeafTerm::Tuple(_) | LeafTerm::Encrypted(..) => {
                vec![(Condition::True, key.clone())]
            }
        }
    }

    /// Like [`Giving::inverses`], for an atomic key: itself, unless it is a constant with another declared inverse.
    fn inverses_of_constants(&self, key: &LeafTerm) -> Vec<(Condition, LeafTerm)> {
        let mut found = Vec::new();
        let mut others = Vec::new();
        for (constant, inverse) in self.terms.inverses() {
            match equal(key, &constant, self.layout) {
                Condition::False => {}
                Condition::True => return vec![(Condition::True, inverse)],
                same => {
                    others.push(same.clone().negated());
                    found.push((same, inverse));
                }
            }
        }
        found.push((Condition::all(others), key.clone()));
        found
    }
}
