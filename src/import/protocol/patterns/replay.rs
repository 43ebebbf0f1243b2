//! Attacks played through with concrete terms, from the definitions: what the attacker has is closed under taking apart, and every
//! message that is received has to be one that she can put together of it.

use super::role::{Event, Promise, Theory};
use super::state::{Place, State};
use super::term::{Atom, AtomName, AtomSort, Kind, Term};
use crate::protocol::ir::TypeId;
use rustc_hash::FxHashSet;

/// The terms of the attacker: parts that are no tuples.
struct Knowledge<'t> {
    theory: &'t Theory<'t>,
    parts: FxHashSet<Term>,
    /// The agent whose long-term keys she has.
    exposed: Option<Term>,
    /// True once she has all long-term keys.
    has_all: bool,
}

impl Knowledge<'_> {
    fn hear(&mut self, term: &Term) {
        self.parts.extend(term.components().into_iter().cloned());
        self.take_apart();
    }

    fn take_apart(&mut self) {
        loop {
            let opened = |part: &Term| match part {
                Term::Crypt(body, key) if self.opener(key).is_some_and(|key| self.can_make(&key)) => {
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

    fn opener(&self, key: &Term) -> Option<Term> {
        let function = |key: &Term| match key {
            Term::Atom(Atom { name: AtomName::Symbol(symbol), sort: AtomSort::Function }) => Some(*symbol),
            _ => None,
        };
        match key {
            Term::Atom(Atom { name: AtomName::Symbol(symbol), .. }) => self.theory.inverse(*symbol, None),
            Term::Crypt(arguments, of) => match function(of) {
                Some(symbol) => self.theory.inverse(symbol, Some(arguments)),
                None => Some(key.clone()),
            },
            _ => Some(key.clone()),
        }
    }

    fn can_make(&self, term: &Term) -> bool {
        self.parts.contains(term)
            || match term {
                Term::Variable(_) => false,
                Term::Atom(atom) => self.theory.is_public(*atom),
                Term::Pair(a, b) => self.can_make(a) && self.can_make(b),
                Term::Crypt(body, key) => {
                    self.can_make(body) && (self.can_make(key) || self.shares(body, key))
                }
            }
    }

    /// True if the attacker shares what a secret function gives for these arguments.
    fn shares(&self, arguments: &Term, function: &Term) -> bool {
        let own = |term: &&Term| match term {
            Term::Atom(Atom { name: AtomName::Attackers(number), sort: AtomSort::AttackersAgent })
                if *number < self.theory.untrusted =>
            {
                true
            }
            Term::Atom(Atom { sort: AtomSort::AttackersAgent | AtomSort::HonestAgent, .. })
                if self.has_all =>
            {
                true
            }
            term => self.exposed.as_ref() == Some(*term),
        };
        matches!(function, Term::Atom(Atom { sort: AtomSort::Function, .. }))
            && arguments.components().iter().any(own)
    }
}

impl State<'_> {
    /// True if the events can happen with some term for each variable, and the claim is false then.
    pub fn is_realised(&self, claim: Place) -> bool {
        [false, true].into_iter().any(|honest| {
            self.falsified(claim)
                .map(|state| state.grounded(honest))
                .is_some_and(|ground| ground.happens(&ground.in_order(), claim))
        })
    }

    /// With a term of its own for each variable; agents are the attacker's where they can be, or honest.
    fn grounded(mut self, honest: bool) -> Self {
        for (number, variable) in self.bindings.open().into_iter().enumerate() {
            let own = |ty| Term::attackers(number, AtomSort::Value(ty));
            let term = match self.bindings.kind(variable) {
                Kind::Agent if !honest => Term::attackers(0, AtomSort::AttackersAgent),
                Kind::Agent | Kind::HonestAgent => {
                    Term::Atom(Atom { name: AtomName::Honest(number), sort: AtomSort::HonestAgent })
                }
                Kind::Value(ty) => own(ty),
                Kind::Atomic | Kind::Any => own(TypeId::FIRST),
            };
            self.bindings.bind(variable, term);
        }
        self
    }

    /// True if the events can happen in this order, and the claim is false at the end.
    fn happens(&self, order: &[Place], claim: Place) -> bool {
        let mut knowledge = Knowledge {
            theory: self.theory,
            parts: FxHashSet::default(),
            exposed: self.exposed.as_ref().map(|agent| self.bindings.resolve(agent)),
            has_all: false,
        };
        let resolve = |run: usize, term: &Term| self.bindings.resolve(&self.instance(run, term));
        for Place { run, event } in order {
            let role = &self.theory.roles[self.runs[*run].role];
            let possible = match &role.events[*event] {
                Event::Send(message) => {
                    knowledge.hear(&resolve(*run, message));
                    true
                }
                Event::Receive(message) => knowledge.can_make(&resolve(*run, message)),
                Event::Equal(left, right) => resolve(*run, left) == resolve(*run, right),
                Event::Differ(left, right) => resolve(*run, left) != resolve(*run, right),
                Event::Claim(_) => true,
            };
            if !possible {
                return false;
            }
            if (Place { run: *run, event: *event }) == claim && self.uses_lost {
                knowledge.has_all = true;
                knowledge.take_apart();
            }
        }
        if self.runs.iter().map(|run| run.done).sum::<usize>() != order.len() {
            return false;
        }
        match &self.theory.roles[self.runs[claim.run].role].events[claim.event] {
            Event::Claim(Promise::Secret(term)) => knowledge.can_make(&resolve(claim.run, term)),
            _ => self.falsified(claim).is_some(),
        }
    }
}
