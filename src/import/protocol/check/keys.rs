//! Keys that a role cannot have: private keys of others, and keys that others share. Scyther takes such roles as they are, and
//! so does the translation; but they are seldom meant.
//!
//! What a role has is what it makes, what it receives, and what it can open of that. Where a key is missing, it is reported
//! once, and the role is taken to have got through.

use super::{Checker, Span, SymbolId, Term};
use crate::protocol::ir::{EventKind, Protocols, RoleId, VariableId};
use kit::diagnostics::Diagnostic;
use rustc_hash::FxHashSet;

impl Checker<'_> {
    /// Warns of keys that the role uses and cannot have. Helpers stand for abilities of the attacker, so that they may use any.
    pub(super) fn check_keys(&mut self, role: RoleId) {
        let described = &self.found.roles[role.index()];
        if self.lost || self.found.protocols[described.protocol.index()].helper {
            return;
        }
        let mut keys = Keys {
            protocols: &self.found,
            role,
            bound: FxHashSet::default(),
            had: FxHashSet::default(),
            warnings: Vec::new(),
        };
        for event in &described.events {
            match &event.kind {
                EventKind::Receive(message) => keys.receive(&message.content, event.span),
                EventKind::Match { pattern, equal: true, .. } => keys.receive(pattern, event.span),
                EventKind::Send(message) => keys.make(&message.content, event.span),
                EventKind::Match { .. } | EventKind::Claim(_) => {}
            }
        }
        let warnings = keys.warnings;
        self.diagnostics.extend(warnings);
    }
}

/// What a role has.
struct Keys<'p> {
    protocols: &'p Protocols,
    role: RoleId,
    bound: FxHashSet<VariableId>,
    /// Terms that it got as a whole, or was taken to have.
    had: FxHashSet<Term>,
    warnings: Vec<Diagnostic>,
}

impl Keys<'_> {
    /// True if only some agents can apply a function: one of private keys, or of keys that agents share.
    fn is_private(&self, function: SymbolId) -> bool {
        let symbol = &self.protocols.symbols[function.index()];
        let shared = function == SymbolId::FIRST;
        symbol.secret && (shared || symbol.inverse.is_some_and(|inverse| inverse != function))
    }

    /// True if a term is a key of others, and the role has not got it.
    fn is_missing(&self, term: &Term) -> bool {
        let Term::Apply { function, arguments } = term else { return false };
        self.is_private(*function)
            && arguments.iter().all(|agent| matches!(agent, Term::Agent(_)))
            && !arguments.contains(&Term::Agent(self.role))
            && !self.had.contains(term)
    }

    /// True if the role can put a term together of what it has.
    fn can_make(&self, term: &Term) -> bool {
        let all = |terms: &[Term]| terms.iter().all(|term| self.can_make(term));
        self.had.contains(term)
            || match term {
                Term::Agent(_) | Term::Constant(_) => true,
                Term::Variable(variable) => {
                    let described = &self.protocols.roles[self.role.index()].variables[variable.index()];
                    described.fresh || self.bound.contains(variable)
                }
                Term::Tuple(terms) => all(terms),
                Term::Encrypted { body, key } => self.can_make(body) && self.can_make(key),
                Term::Apply { arguments, .. } => !self.is_missing(term) && all(arguments),
            }
    }

    /// The role sends a term.
    fn make(&mut self, term: &Term, span: Span) {
        if self.can_make(term) {
            return;
        }
        match term {
            Term::Agent(_) | Term::Constant(_) | Term::Variable(_) => {}
            Term::Tuple(terms) => terms.iter().for_each(|term| self.make(term, span)),
            Term::Encrypted { body, key } => {
                self.make(body, span);
                self.make(key, span);
            }
            Term::Apply { .. } if self.is_missing(term) => {
                let help = "what it only passes on is a variable of type `Ticket`; otherwise, is a key of its own meant?";
                self.report(term, "sends what needs", help, span);
            }
            Term::Apply { arguments, .. } => arguments.iter().for_each(|term| self.make(term, span)),
        }
    }

    /// The role receives a term, and takes it apart: what it can open by itself, then the rest.
    fn receive(&mut self, term: &Term, span: Span) {
        while self.read(term) {}
        self.look_into(term, span);
        self.bound.extend(term.variables());
    }

    /// Reads what can be opened; whether that tells something new.
    fn read(&mut self, term: &Term) -> bool {
        match term {
            Term::Variable(variable) => self.bound.insert(*variable),
            Term::Tuple(terms) => terms.iter().filter(|term| self.read(term)).count() > 0,
            Term::Encrypted { body, key } => {
                let new = self.had.insert(term.clone());
                let opens = self.opened_with(key).is_some_and(|key| !self.is_missing(&key));
                (opens && self.read(body)) || new
            }
            Term::Apply { .. } => self.had.insert(term.clone()),
            Term::Agent(_) | Term::Constant(_) => false,
        }
    }

    /// Reports keys that are missing to look into what is received. What the role can make by itself, it compares.
    fn look_into(&mut self, term: &Term, span: Span) {
        match term {
            Term::Tuple(terms) => terms.iter().for_each(|term| self.look_into(term, span)),
            Term::Encrypted { body, key } => {
                let missing = self.opened_with(key).filter(|key| self.is_missing(key));
                if let Some(missing) = missing.filter(|_| !self.can_make(body) || !self.can_make(key)) {
                    let help = "what it cannot look into is a variable of type `Ticket`";
                    self.report(&missing, "looks into what is opened with", help, span);
                }
                self.look_into(body, span);
            }
            _ => {}
        }
    }

    /// What opens a message that is encrypted with this key, if something does.
    fn opened_with(&self, key: &Term) -> Option<Term> {
        Some(match key {
            Term::Apply { function, arguments } => {
                let function = self.protocols.opened_by(*function);
                Term::Apply { function, arguments: arguments.clone() }
            }
            Term::Constant(symbol) => Term::Constant(self.protocols.symbols[symbol.index()].inverse?),
            other => other.clone(),
        })
    }

    fn report(&mut self, key: &Term, does: &str, help: &str, span: Span) {
        let name = &self.protocols.roles[self.role.index()].name;
        let shown = self.protocols.show(self.role, key);
        let message = format!("role `{name}` {does} `{shown}`, a key that it does not have");
        self.warnings.push(Diagnostic::warning(span, message).with_help(help));
        self.had.insert(key.clone());
    }
}
