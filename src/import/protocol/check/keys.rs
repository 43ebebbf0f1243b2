//! Warns of keys that a role cannot have: private keys of others, and keys that others share. Scyther accepts
//! such roles, and so does the translation; but they are seldom intended.
//!
//! A role has the terms that it creates or receives, and those that it can open in them. A missing key is
//! reported once, and then assumed to be known.

use super::{ProtocolChecker, RoleTerm, Span, SymbolId};
use crate::protocol::ir::{EventKind, Protocols, RoleId, VariableId};
use kit::diagnostics::Diagnostic;
use rustc_hash::FxHashSet;

impl ProtocolChecker<'_> {
    /// Warns of keys that the role uses and cannot have. Helpers model abilities of the attacker, so they may
    /// use any key.
    pub(super) fn check_keys(&mut self, role: RoleId) {
        let described = &self.found.roles[role.index()];
        if self.lost || self.found.protocols[described.protocol.index()].helper {
            return;
        }
        let mut keys = RoleKeys {
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

/// The terms that a role has.
struct RoleKeys<'p> {
    protocols: &'p Protocols,
    role: RoleId,
    bound: FxHashSet<VariableId>,
    /// Terms received as a whole, or assumed to be known.
    had: FxHashSet<RoleTerm>,
    warnings: Vec<Diagnostic>,
}

impl RoleKeys<'_> {
    /// True if only some agents can apply a function: one of private keys, or of keys that agents share.
    fn is_private(&self, function: SymbolId) -> bool {
        let is_shared = function == SymbolId::FIRST && self.protocols.symbols[function.index()].secret;
        is_shared || self.protocols.is_private_key(function)
    }

    /// True for a power of a constant with a private key: a public key.
    fn is_public_key(&self, function: SymbolId, parts: &[RoleTerm]) -> bool {
        let [RoleTerm::Constant(_), RoleTerm::Apply { function: key, .. }] = parts else { return false };
        self.protocols.is_power(function) && self.protocols.is_private_key(*key)
    }

    /// True if a term is a key of other agents that the role does not know.
    fn is_missing(&self, term: &RoleTerm) -> bool {
        let RoleTerm::Apply { function, arguments } = term else { return false };
        self.is_private(*function)
            && arguments.iter().all(|agent| matches!(agent, RoleTerm::Agent(_)))
            && !arguments.contains(&RoleTerm::Agent(self.role))
            && !self.had.contains(term)
    }

    /// True if the role can construct a term from the terms that it has.
    fn can_make(&self, term: &RoleTerm) -> bool {
        let all = |terms: &[RoleTerm]| terms.iter().all(|term| self.can_make(term));
        self.had.contains(term)
            || match term {
                RoleTerm::Agent(_) | RoleTerm::Constant(_) => true,
                RoleTerm::Variable(variable) => {
                    let described = &self.protocols.roles[self.role.index()].variables[variable.index()];
                    described.fresh || self.bound.contains(variable)
                }
                RoleTerm::Tuple(terms) => all(terms),
                RoleTerm::Encrypted { body, key } => self.can_make(body) && self.can_make(key),
                RoleTerm::Apply { function, arguments } => {
                    !self.is_missing(term) && (self.is_public_key(*function, arguments) || all(arguments))
                }
            }
    }

    /// Checks a term that the role sends.
    fn make(&mut self, term: &RoleTerm, span: Span) {
        if self.can_make(term) {
            return;
        }
        match term {
            RoleTerm::Agent(_) | RoleTerm::Constant(_) | RoleTerm::Variable(_) => {}
            RoleTerm::Tuple(terms) => terms.iter().for_each(|term| self.make(term, span)),
            RoleTerm::Encrypted { body, key } => {
                self.make(body, span);
                self.make(key, span);
            }
            RoleTerm::Apply { .. } if self.is_missing(term) => {
                let help = "declare forwarded terms as variables of type `Ticket`; or did you mean a key of its own?";
                self.report(term, "uses", help, span);
            }
            RoleTerm::Apply { arguments, .. } => arguments.iter().for_each(|term| self.make(term, span)),
        }
    }

    /// Receives a term, and takes it apart: first the parts that the role can open, then the rest.
    fn receive(&mut self, term: &RoleTerm, span: Span) {
        while self.read(term) {}
        self.look_into(term, span);
        self.bound.extend(term.variables());
    }

    /// Opens what the role can open; true if that yields anything new.
    fn read(&mut self, term: &RoleTerm) -> bool {
        match term {
            RoleTerm::Variable(variable) => self.bound.insert(*variable),
            RoleTerm::Tuple(terms) => terms.iter().filter(|term| self.read(term)).count() > 0,
            RoleTerm::Encrypted { body, key } => {
                let new = self.had.insert(term.clone());
                let opens = self.opened_with(key).is_some_and(|key| !self.is_missing(&key));
                (opens && self.read(body)) || new
            }
            RoleTerm::Apply { .. } => self.had.insert(term.clone()),
            RoleTerm::Agent(_) | RoleTerm::Constant(_) => false,
        }
    }

    /// Reports keys that are missing for taking a received term apart. Terms that the role can construct are
    /// compared instead.
    fn look_into(&mut self, term: &RoleTerm, span: Span) {
        match term {
            RoleTerm::Tuple(terms) => terms.iter().for_each(|term| self.look_into(term, span)),
            RoleTerm::Encrypted { body, key } => {
                let missing = self.opened_with(key).filter(|key| self.is_missing(key));
                if let Some(missing) = missing.filter(|_| !self.can_make(body) || !self.can_make(key)) {
                    let help = "declare terms that it cannot open as variables of type `Ticket`";
                    self.report(&missing, "decrypts with", help, span);
                }
                self.look_into(body, span);
            }
            _ => {}
        }
    }

    /// Returns the term that opens encryptions with this key, if there is one.
    fn opened_with(&self, key: &RoleTerm) -> Option<RoleTerm> {
        Some(match key {
            RoleTerm::Apply { function, arguments } => {
                let function = self.protocols.opened_by(*function);
                RoleTerm::Apply { function, arguments: arguments.clone() }
            }
            RoleTerm::Constant(symbol) => RoleTerm::Constant(self.protocols.symbols[symbol.index()].inverse?),
            other => other.clone(),
        })
    }

    fn report(&mut self, key: &RoleTerm, does: &str, help: &str, span: Span) {
        let name = &self.protocols.roles[self.role.index()].name;
        let shown = self.protocols.show(self.role, key);
        let message = format!("role `{name}` {does} `{shown}`, a key that it does not have");
        self.warnings.push(Diagnostic::warning(span, message).with_help(help));
        self.had.insert(key.clone());
    }
}
