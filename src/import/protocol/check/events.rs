//! The events of a role.

use super::labels::MessageDirection;
use super::order::Actor;
use super::protocols::ProtocolContext;
use super::{ProtocolChecker, RoleTerm, Span};
use crate::protocol::ir::{Event, EventKind, Message, RoleId};
use crate::protocol::text::tree::{self, Name};

impl<'t> ProtocolChecker<'t> {
    pub(super) fn event(
        &mut self,
        event: &'t tree::EventSyntax,
        actor: &mut Actor,
        context: &mut ProtocolContext,
    ) {
        self.mentions.clear();
        self.undoes = !matches!(event.kind, tree::EventSyntaxKind::Receive { .. });
        let (label, kind) = match &event.kind {
            tree::EventSyntaxKind::Send { label, terms } => {
                let message = self.message(label, terms, event.span, actor, true);
                self.uses(actor, "sent");
                self.add_undone(actor.role);
                let at = self.position(actor, message.is_some());
                self.labelled(&mut context.labels, label, event.span, MessageDirection::Send, at);
                (label.text.clone(), message.map(EventKind::Send))
            }
            tree::EventSyntaxKind::Receive { label, terms } => {
                let message = self.message(label, terms, event.span, actor, false);
                self.binds(actor);
                actor.received = true;
                let at = self.position(actor, message.is_some());
                self.labelled(&mut context.labels, label, event.span, MessageDirection::Receive, at);
                (label.text.clone(), message.map(EventKind::Receive))
            }
            tree::EventSyntaxKind::Match { pattern, term, equal } => {
                (String::new(), self.compared(pattern, term, *equal, actor))
            }
            tree::EventSyntaxKind::Claim { label, terms } => {
                let claim = self.claim(terms, event.span, actor);
                self.uses(actor, "used in a claim");
                let role = &self.found.roles[actor.role.index()].name;
                let chosen = context.claims.choose(label.as_ref(), role);
                self.diagnostics.extend(chosen.warning);
                // A comparison written as a claim has no label.
                match claim {
                    Some(kind @ EventKind::Match { .. }) => (String::new(), Some(kind)),
                    kind => (chosen.label, kind),
                }
            }
        };
        self.undoes = false;
        self.add_undone(actor.role);
        if let Some(kind) = kind {
            self.found.roles[actor.role.index()].events.push(Event { label, kind, span: event.span });
        }
    }

    /// Returns the place of the event about to be added; `None` if it is not added.
    fn position(&self, actor: &Actor, added: bool) -> (RoleId, Option<usize>) {
        (actor.role, added.then(|| self.found.roles[actor.role.index()].events.len()))
    }

    /// Checks that the variables of the event have values.
    fn uses(&mut self, actor: &mut Actor, done: &str) {
        let variables = &self.found.roles[actor.role.index()].variables;
        let mistakes = actor.order.uses(&self.mentions, variables, done);
        self.diagnostics.extend(mistakes);
    }

    /// Gives values to the variables of the event.
    fn binds(&mut self, actor: &mut Actor) {
        let variables = &self.found.roles[actor.role.index()].variables;
        let warnings = actor.order.binds(&self.mentions, variables);
        self.diagnostics.extend(warnings);
    }

    /// Checks `match(p, t)`: variables of the pattern get values.
    pub(super) fn compared(
        &mut self,
        pattern: &'t tree::TermSyntax,
        term: &'t tree::TermSyntax,
        equal: bool,
        actor: &mut Actor,
    ) -> Option<EventKind> {
        let undoes = std::mem::replace(&mut self.undoes, !equal);
        let pattern = self.term(pattern);
        let of_pattern = std::mem::take(&mut self.mentions);
        self.undoes = undoes;
        self.wanted = pattern.clone().filter(|_| equal);
        let term = self.term(term);
        self.wanted = None;
        self.uses(actor, "compared");
        self.mentions = of_pattern;
        if equal {
            self.binds(actor);
        } else {
            self.uses(actor, "compared");
        }
        self.mentions.clear();
        let is_undone = equal && !self.undone.is_empty() && pattern == term;
        let (pattern, term) = (pattern?, term?);
        (!is_undone).then_some(EventKind::Match { pattern, term, equal })
    }

    /// Checks a message that the role of `actor` sends or receives.
    fn message(
        &mut self,
        label: &Name,
        terms: &'t [tree::TermSyntax],
        span: Span,
        actor: &Actor,
        sends: bool,
    ) -> Option<Message> {
        let [from, to, content @ ..] = terms else {
            self.too_short(span);
            return None;
        };
        if content.is_empty() {
            self.too_short(span);
            return None;
        }
        let (sender, recipient) = (self.address(from, "sender"), self.address(to, "recipient"));
        let content = self.whole(content);
        let (from_role, to_role) = (sender?, recipient?);
        let own = self.found.roles[actor.role.index()].name.clone();
        let of = |role: RoleId| self.found.roles[role.index()].name.clone();
        if sends && from_role != actor.role {
            let message = format!("role `{own}` cannot send for `{}`", of(from_role));
            self.mistake(from.span, message, format!("the sender comes first: write `{own}`"));
            return None;
        }
        if !sends && to_role != actor.role {
            let message = format!("role `{own}` cannot receive for `{}`", of(to_role));
            self.mistake(to.span, message, format!("the recipient comes second: write `{own}`"));
            return None;
        }
        let exempt = label.text.starts_with('!');
        let helper = self.found.protocols[self.found.roles[actor.role.index()].protocol.index()].helper;
        if sends && from_role == to_role && !exempt && !helper {
            let help = "if that is intended, begin the label with `!`";
            self.warn(to.span, format!("role `{own}` sends this message to itself"), help);
        }
        Some(Message { from: from_role, to: to_role, exempt, content: content? })
    }

    fn too_short(&mut self, span: Span) {
        let message = "a message has a sender, a recipient and at least one term";
        self.mistake(span, message, "write `send_1(I, R, m)` or `recv_1(I, R, m)`");
    }

    /// Resolves an address: a role of the protocol.
    fn address(&mut self, term: &'t tree::TermSyntax, which: &str) -> Option<RoleId> {
        match self.term(term)? {
            RoleTerm::Agent(role) => Some(role),
            _ => {
                let message = format!("the {which} is not a role of the protocol");
                let help = "only roles can be addresses; write other names into the message";
                self.mistake(term.span, message, help);
                None
            }
        }
    }
}
