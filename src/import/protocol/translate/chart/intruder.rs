//! The origins of the attacker's terms: the closure of her knowledge, with the message from which each term was taken.

use super::{Ground, SentPart};
use crate::protocol::equation::{EquationValues, filled, fit};
use crate::protocol::ir::{Protocols, SymbolId};
use itertools::Itertools;
use std::collections::{BTreeMap, BTreeSet};

/// The messages that the attacker has heard, and the terms taken from them.
#[derive(Debug)]
pub(in crate::protocol) struct Intruder<'p> {
    protocols: &'p Protocols,
    /// The agents whose long-term secrets she has.
    pub agents: BTreeSet<String>,
    /// Other terms that she has from the start.
    given: BTreeSet<Ground>,
    /// The symbols of the protocols as terms of their own.
    symbols: Vec<Ground>,
    known: BTreeMap<Ground, IntruderSource>,
}

#[derive(Debug, Clone)]
pub(in crate::protocol) struct IntruderSource {
    /// The number of the message, given when it was heard.
    pub message: usize,
    /// The keys that opened it, the outermost first.
    pub keys: Vec<Ground>,
    /// True if it is the message itself, not a part of it.
    pub whole: bool,
}

/// A term that the attacker uses, with its origin.
#[derive(Debug)]
pub(in crate::protocol) struct IntruderTerm {
    pub term: Ground,
    pub source: IntruderSource,
}

impl<'p> Intruder<'p> {
    pub fn new(protocols: &'p Protocols) -> Self {
        Self {
            protocols,
            agents: BTreeSet::new(),
            given: BTreeSet::new(),
            symbols: Vec::new(),
            known: BTreeMap::new(),
        }
    }

    pub fn know(&mut self, terms: impl IntoIterator<Item = Ground>) {
        self.given.extend(terms);
    }

    /// Sets the symbols of the protocols as terms of their own, in their order.
    pub fn name(&mut self, symbols: Vec<Ground>) {
        self.symbols = symbols;
    }

    /// Hears a message, and takes it apart.
    pub fn hear(&mut self, message: usize, term: &Ground) {
        self.note(term.clone(), IntruderSource { message, keys: Vec::new(), whole: true });
        self.take_apart();
    }

    /// Obtains a lost term, which is no message.
    pub fn find(&mut self, event: usize, term: &Ground) {
        self.note(term.clone(), IntruderSource { message: event, keys: Vec::new(), whole: false });
        self.take_apart();
    }

    /// Obtains the long-term secrets of further agents.
    pub fn get_secrets(&mut self, agents: impl IntoIterator<Item = String>) {
        self.agents.extend(agents);
        self.take_apart();
    }

    fn note(&mut self, term: Ground, source: IntruderSource) {
        self.known.entry(term).or_insert(source);
    }

    /// Takes known terms apart until nothing is new.
    fn take_apart(&mut self) {
        loop {
            let mut new: Vec<(Ground, IntruderSource)> = Vec::new();
            for (term, source) in &self.known {
                let part = |key: Option<Ground>| IntruderSource {
                    keys: source.keys.iter().cloned().chain(key).collect(),
                    message: source.message,
                    whole: false,
                };
                match term {
                    Ground::Tuple(terms) => {
                        new.extend(terms.iter().map(|term| (term.clone(), part(None))));
                    }
                    Ground::Encrypted(body, key) => {
                        if let Some(inverse) = self.inverse(key).filter(|inverse| self.makes(inverse)) {
                            new.push(((**body).clone(), part(Some(inverse))));
                        }
                    }
                    Ground::Apply(function, arguments) => {
                        let inverse = self.inverse(&self.symbols[function.index()]);
                        if let Some(inverse) = inverse.filter(|inverse| self.makes(inverse)) {
                            let body = Ground::tuple(arguments.iter().cloned());
                            new.push((body, part(Some(inverse))));
                        }
                        for (result, others) in self.undone(*function, arguments) {
                            let keys = source.keys.iter().cloned().chain(others).collect();
                            new.push((
                                result,
                                IntruderSource { message: source.message, keys, whole: false },
                            ));
                        }
                        if self.protocols.is_sum(*function) {
                            let mut keys = arguments.clone();
                            keys.retain(|term| self.makes(term));
                            let rest =
                                arguments.iter().filter(|term| !keys.contains(term)).cloned().collect_vec();
                            for other in self.known.keys().filter(|other| *other > term) {
                                let sum = Ground::apply(
                                    *function,
                                    vec![term.clone(), other.clone()],
                                    self.protocols,
                                );
                                if sum.summands(*function).len() < 3 {
                                    new.push((sum, part(Some(other.clone()))));
                                }
                            }
                            if !keys.is_empty() && !rest.is_empty() {
                                let keys = source.keys.iter().cloned().chain(keys).collect();
                                let source = IntruderSource { message: source.message, keys, whole: false };
                                new.push((Ground::apply(*function, rest, self.protocols), source));
                            }
                        }
                    }
                    Ground::Agent(_) | Ground::Atom { .. } | Ground::Constant(_) => {}
                }
            }
            new.retain(|(term, _)| !self.known.contains_key(term));
            if new.is_empty() {
                return;
            }
            new.into_iter().for_each(|(term, source)| self.note(term, source));
        }
    }

    /// The results of equations that undo an application, each with the other terms needed, if she has them.
    fn undone(&self, function: SymbolId, arguments: &[Ground]) -> Vec<(Ground, Vec<Ground>)> {
        let equations = self.protocols.equations.iter();
        let equations = equations.filter(|equation| equation.constructor().0 == function);
        let results = equations.filter_map(|equation| {
            let (mut values, mut unlike) = (EquationValues::new(), Vec::new());
            fit(equation.constructor().1, arguments, &mut values, &mut unlike);
            let fits = unlike.iter().all(|(pattern, term)| filled(pattern, &values).as_ref() == Some(term));
            let others = equation.others().map(|other| filled(other, &values)).collect::<Option<Vec<_>>>()?;
            let result = filled(&equation.result, &values)?;
            (fits && others.iter().all(|other| self.makes(other))).then_some((result, others))
        });
        results.collect()
    }

    /// True if she has a term, or can construct it.
    pub fn makes(&self, term: &Ground) -> bool {
        self.known.contains_key(term) || self.is_own(term) || self.puts_together(term)
    }

    /// True if she has it from the start.
    fn is_own(&self, term: &Ground) -> bool {
        self.given.contains(term)
            || match term {
                Ground::Agent(_) => true,
                Ground::Atom { public, .. } => *public,
                Ground::Constant(symbol) => !self.protocols.symbols[symbol.index()].secret,
                Ground::Apply(function, arguments) => {
                    let secret = self.protocols.symbols[function.index()].secret;
                    let hers =
                        |term: &Ground| matches!(term, Ground::Agent(name) if self.agents.contains(name));
                    if secret {
                        arguments.iter().any(hers)
                    } else {
                        arguments.iter().all(|term| self.is_own(term))
                            || self.is_public_key(*function, arguments)
                    }
                }
                Ground::Tuple(_) | Ground::Encrypted(..) => false,
            }
    }

    /// True for a power of a public constant with a private key.
    fn is_public_key(&self, function: SymbolId, parts: &[Ground]) -> bool {
        let [Ground::Atom { public: true, .. }, Ground::Apply(key, _)] = parts else { return false };
        self.protocols.is_power(function) && self.protocols.is_private_key(*key)
    }

    /// True if she can construct it from parts.
    fn puts_together(&self, term: &Ground) -> bool {
        match term {
            Ground::Tuple(terms) => terms.iter().all(|term| self.makes(term)),
            Ground::Encrypted(body, key) => self.makes(body) && self.makes(key),
            Ground::Apply(function, parts) if self.protocols.is_power(*function) => {
                self.last_exponents(*function, parts).next().is_some()
            }
            Ground::Apply(function, terms) if self.protocols.is_sum(*function) => {
                self.halves(*function, terms).is_some()
            }
            Ground::Apply(function, arguments) => {
                self.makes(&self.symbols[function.index()]) && arguments.iter().all(|term| self.makes(term))
            }
            Ground::Agent(_) | Ground::Atom { .. } | Ground::Constant(_) => false,
        }
    }

    /// The ways to make a power: what she makes last of another one.
    fn last_exponents(&self, function: SymbolId, parts: &[Ground]) -> impl Iterator<Item = [Ground; 2]> {
        let ways = (1..parts.len()).map(move |at| {
            let mut rest = parts.to_vec();
            let exponent = rest.remove(at);
            [Ground::apply(function, rest, self.protocols), exponent]
        });
        ways.filter(|way| way.iter().all(|term| self.makes(term)))
    }

    /// A way to make a sum of two smaller ones; none of them for the empty sum.
    fn halves(&self, function: SymbolId, terms: &[Ground]) -> Option<Vec<Ground>> {
        let Some((first, rest)) = terms.split_first() else { return Some(Vec::new()) };
        let ways = rest.iter().cloned().powerset().filter(|others| others.len() < rest.len());
        let mut ways = ways.map(|others| {
            let left = rest.iter().filter(|term| !others.contains(term)).cloned().collect_vec();
            let one = [vec![first.clone()], others].concat();
            [one, left].map(|half| Ground::apply(function, half, self.protocols)).to_vec()
        });
        ways.find(|halves| halves.iter().all(|half| self.makes(half)))
    }

    /// Returns the terms that she has heard and uses to make a term.
    pub fn parts(&self, term: &Ground) -> Vec<IntruderTerm> {
        let mut found = Vec::new();
        self.collect(term, &mut found);
        found
    }

    /// Returns true if the message is one that was sent, and the origins of its parts.
    pub fn bindings(&self, term: &Ground) -> (bool, Vec<SentPart>) {
        let parts = self.parts(term);
        let unchanged = matches!(&parts[..], [part] if part.source.whole && part.term == *term);
        let bindings = parts.iter().map(|part| SentPart {
            part: part.term.show_part(self.protocols),
            event: part.source.message,
            keys: part.source.keys.iter().map(|key| key.show(self.protocols)).collect(),
        });
        (unchanged, bindings.collect())
    }

    fn collect(&self, term: &Ground, found: &mut Vec<IntruderTerm>) {
        if self.is_own(term) || found.iter().any(|part| part.term == *term) {
            return;
        }
        if let Some(source) = self.known.get(term) {
            found.push(IntruderTerm { term: term.clone(), source: source.clone() });
            return;
        }
        match term {
            Ground::Apply(function, parts) if self.protocols.is_power(*function) => {
                let way = self.last_exponents(*function, parts).next();
                way.iter().flatten().for_each(|term| self.collect(term, found));
            }
            Ground::Apply(function, terms) if self.protocols.is_sum(*function) => {
                let halves = self.halves(*function, terms);
                halves.iter().flatten().for_each(|term| self.collect(term, found));
            }
            Ground::Tuple(terms) | Ground::Apply(_, terms) => {
                terms.iter().for_each(|term| self.collect(term, found));
            }
            Ground::Encrypted(body, key) => {
                self.collect(body, found);
                self.collect(key, found);
            }
            Ground::Agent(_) | Ground::Atom { .. } | Ground::Constant(_) => {}
        }
    }

    /// Returns the term that opens encryptions with this key, if there is one.
    fn inverse(&self, key: &Ground) -> Option<Ground> {
        if let Ground::Apply(function, arguments) = key {
            return Some(Ground::Apply(self.protocols.opened_by(*function), arguments.clone()));
        }
        match self.symbols.iter().position(|symbol| symbol == key) {
            Some(symbol) => Some(self.symbols[self.protocols.symbols[symbol].inverse?.index()].clone()),
            None => Some(key.clone()),
        }
    }
}
