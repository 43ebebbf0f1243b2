//! Attacks played through with concrete terms, from the definitions: what the attacker has is closed under taking apart, and every
//! message that is received has to be one that she can put together of it.

use super::role::{AttackTheory, PatternEvent, Promise};
use super::state::{PartialPattern, RunEvent};
use super::term::{AtomName, AtomSort, PatternAtom, PatternTerm, VariableSort};
use crate::protocol::ir::TypeId;
use itertools::Itertools;
use rustc_hash::FxHashSet;

/// The terms of the attacker: parts that are no tuples.
struct Knowledge<'t> {
    theory: &'t AttackTheory<'t>,
    parts: FxHashSet<PatternTerm>,
    /// The agent whose long-term keys she has.
    exposed: Option<PatternTerm>,
    /// True once she has all long-term keys.
    has_all: bool,
}

impl Knowledge<'_> {
    fn hear(&mut self, term: &PatternTerm) {
        self.parts.extend(term.components().into_iter().cloned());
        self.take_apart();
    }

    fn take_apart(&mut self) {
        loop {
            let opened = |part: &PatternTerm| match part {
                PatternTerm::Crypt(body, key) if self.opener(key).is_some_and(|key| self.can_make(&key)) => {
                    Some(body.clone())
                }
                _ => None,
            };
            let bodies: Vec<_> = self.parts.iter().filter_map(opened).collect();
            let before = self.parts.len();
            for body in bodies {
                self.parts.extend(body.components().into_iter().cloned());
            }
            if self.parts.len() == before {
                return;
            }
        }
    }

    fn opener(&self, key: &PatternTerm) -> Option<PatternTerm> {
        let function = |key: &PatternTerm| match key {
            PatternTerm::Atom(PatternAtom { name: AtomName::Symbol(symbol), sort: AtomSort::Function }) => {
                Some(*symbol)
            }
            _ => None,
        };
        match key {
            PatternTerm::Atom(PatternAtom { name: AtomName::Symbol(symbol), .. }) => {
                self.theory.inverse(*symbol, None)
            }
            PatternTerm::Crypt(arguments, of) => match function(of) {
                Some(symbol) => self.theory.inverse(symbol, Some(arguments)),
                None => Some(key.clone()),
            },
            _ => Some(key.clone()),
        }
    }

    fn can_make(&self, term: &PatternTerm) -> bool {
        self.parts.contains(term)
            || match term {
                PatternTerm::Variable(_) => false,
                PatternTerm::Atom(atom) => self.theory.is_public(*atom),
                PatternTerm::Pair(a, b) => self.can_make(a) && self.can_make(b),
                PatternTerm::Crypt(body, key) => {
                    self.can_make(body) && (self.can_make(key) || self.shares(body, key))
                }
                PatternTerm::Power(base, exponents) => self.can_raise(base, exponents),
            }
    }

    /// True if she has the base, or its power of some exponents, or that is a public key, and can make the other exponents.
    fn can_raise(&self, base: &PatternTerm, exponents: &[PatternTerm]) -> bool {
        (0..exponents.len()).powerset().any(|given| {
            let (start, own): (Vec<_>, Vec<_>) =
                exponents.iter().enumerate().partition(|(number, _)| given.contains(number));
            let has_start = match &start[..] {
                [] => self.can_make(base),
                [(_, key)] if self.theory.is_public_key(base, key) => true,
                _ => {
                    let start = start.into_iter().map(|(_, exponent)| exponent.clone());
                    self.parts.contains(&PatternTerm::power(base.clone(), start))
                }
            };
            has_start && own.into_iter().all(|(_, exponent)| self.can_make(exponent))
        })
    }

    /// True if the attacker shares what a secret function gives for these arguments.
    fn shares(&self, arguments: &PatternTerm, function: &PatternTerm) -> bool {
        let own = |term: &&PatternTerm| match term {
            PatternTerm::Atom(PatternAtom {
                name: AtomName::Attackers(number),
                sort: AtomSort::AttackersAgent,
            }) if *number < self.theory.untrusted => true,
            PatternTerm::Atom(PatternAtom {
                sort: AtomSort::AttackersAgent | AtomSort::HonestAgent, ..
            }) if self.has_all => true,
            term => self.exposed.as_ref() == Some(*term),
        };
        matches!(function, PatternTerm::Atom(PatternAtom { sort: AtomSort::Function, .. }))
            && arguments.components().iter().any(own)
    }
}

impl PartialPattern<'_> {
    /// True if the events can happen with some term for each variable, and the claim is false then.
    pub fn is_realised(&self, claim: RunEvent) -> bool {
        [false, true].into_iter().any(|honest| {
            self.falsified(claim)
                .map(|state| state.grounded(honest))
                .is_some_and(|ground| ground.happens(&ground.in_order(), claim))
        })
    }

    /// With a term of its own for each variable; agents are the attacker's where they can be, or honest.
    fn grounded(mut self, honest: bool) -> Self {
        for (number, variable) in self.bindings.open().into_iter().enumerate() {
            let own = |ty| PatternTerm::attackers(number, AtomSort::Value(ty));
            let term = match self.bindings.kind(variable) {
                VariableSort::Agent if !honest => PatternTerm::attackers(0, AtomSort::AttackersAgent),
                VariableSort::Agent | VariableSort::HonestAgent => PatternTerm::Atom(PatternAtom {
                    name: AtomName::Honest(number),
                    sort: AtomSort::HonestAgent,
                }),
                VariableSort::Value(ty) => own(ty),
                VariableSort::Atomic | VariableSort::Any | VariableSort::Product => own(TypeId::FIRST),
            };
            self.bindings.bind(variable, term);
        }
        self
    }

    /// True if the events can happen in this order, and the claim is false at the end.
    fn happens(&self, order: &[RunEvent], claim: RunEvent) -> bool {
        let mut knowledge = Knowledge {
            theory: self.theory,
            parts: FxHashSet::default(),
            exposed: self.exposed.as_ref().map(|agent| self.bindings.resolve(agent)),
            has_all: false,
        };
        let resolve = |run: usize, term: &PatternTerm| self.bindings.resolve(&self.instance(run, term));
        for RunEvent { run, event } in order {
            let role = &self.theory.roles[self.runs[*run].role];
            let possible = match &role.events[*event] {
                PatternEvent::Send(message) => {
                    knowledge.hear(&resolve(*run, message));
                    true
                }
                PatternEvent::Receive(message) => knowledge.can_make(&resolve(*run, message)),
                PatternEvent::Equal(left, right) => resolve(*run, left) == resolve(*run, right),
                PatternEvent::Differ(left, right) => resolve(*run, left) != resolve(*run, right),
                PatternEvent::Claim(_) => true,
            };
            if !possible {
                return false;
            }
            if (RunEvent { run: *run, event: *event }) == claim && self.uses_lost {
                knowledge.has_all = true;
                knowledge.take_apart();
            }
        }
        if self.runs.iter().map(|run| run.done).sum::<usize>() != order.len() {
            return false;
        }
        match &self.theory.roles[self.runs[claim.run].role].events[claim.event] {
            PatternEvent::Claim(Promise::Secret(term)) => knowledge.can_make(&resolve(claim.run, term)),
            _ => self.falsified(claim).is_some(),
        }
    }
}
