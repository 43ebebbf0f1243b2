//! Protocols and roles.

use super::ProtocolChecker;
use super::claims::ClaimLabels;
use super::labels::MessageLabels;
use super::order::{Actor, EventOrder};
use super::scope::{DeclarationLevel, NameUse};
use crate::protocol::ir::{Protocol, ProtocolId, Role, RoleId};
use crate::protocol::text::tree::{Name, ProtocolItem, ProtocolMember, RoleItem, StepSyntax};
use kit::diagnostics::Diagnostic;

#[derive(Debug)]
pub(super) struct ProtocolContext {
    pub protocol: ProtocolId,
    pub labels: MessageLabels,
    pub claims: ClaimLabels,
    /// The places of the roles described so far.
    described: Vec<Option<Name>>,
}

impl<'t> ProtocolChecker<'t> {
    pub(super) fn protocol(&mut self, item: &'t ProtocolItem) {
        let name = item.name.text.strip_prefix('@').unwrap_or(&item.name.text);
        let helper = item.name.text.starts_with('@');
        let same = |known: &Protocol| known.name == name && known.helper == helper;
        if self.found.protocols.iter().any(same) && !name.is_empty() {
            let message = format!("protocol `{}` is described twice", item.name.text);
            self.mistake(item.name.span, message, "give one of them another name");
        }
        let protocol = ProtocolId::new(self.found.protocols.len());
        self.scopes.clear(DeclarationLevel::Protocol);
        self.scopes.clear(DeclarationLevel::Role);
        let roles = self.head(item, protocol);
        let described = vec![None; roles.len()];
        self.found.protocols.push(Protocol { name: name.to_owned(), helper, roles });
        for member in &item.members {
            if let ProtocolMember::Declaration(item) = member {
                self.declare_outside(item, DeclarationLevel::Protocol);
            }
        }
        let claims = ClaimLabels::of(item);
        let mut context = ProtocolContext { protocol, labels: MessageLabels::default(), claims, described };
        for member in &item.members {
            match member {
                ProtocolMember::Declaration(item) => self.apply(item),
                ProtocolMember::Role(item) => self.role(item, &mut context),
            }
            if self.ended() {
                return;
            }
        }
        self.report_undescribed(item, &context);
        self.check_labels(&context.labels);
        self.scopes.clear(DeclarationLevel::Protocol);
    }

    fn head(&mut self, item: &ProtocolItem, protocol: ProtocolId) -> Vec<RoleId> {
        let mut roles = Vec::new();
        for name in &item.roles {
            if self.scopes.at(DeclarationLevel::Protocol, &name.text).is_some() {
                self.mistake(
                    name.span,
                    format!("role `{}` is listed twice", name.text),
                    "remove one of them",
                );
                continue;
            }
            let role = RoleId::new(self.found.roles.len());
            self.found.roles.push(Role {
                name: name.text.clone(),
                protocol,
                singular: false,
                variables: Vec::new(),
                events: Vec::new(),
                span: name.span,
            });
            self.scopes.predefine(DeclarationLevel::Protocol, &name.text, NameUse::Role(role));
            roles.push(role);
        }
        roles
    }

    fn report_undescribed(&mut self, item: &ProtocolItem, context: &ProtocolContext) {
        let roles = &self.found.protocols[context.protocol.index()].roles;
        let undescribed = roles.iter().zip(&context.described).filter(|(_, place)| place.is_none());
        let undescribed: Vec<Diagnostic> = undescribed
            .map(|(role, _)| {
                let role = &self.found.roles[role.index()];
                let message = format!("role `{}` of `{}` is not described", role.name, item.name.text);
                Diagnostic::warning(role.span, message).with_help("it does nothing")
            })
            .collect();
        undescribed.into_iter().for_each(|warning| self.missing(warning));
    }

    fn role(&mut self, item: &'t RoleItem, context: &mut ProtocolContext) {
        let Some(role) = self.role_to_describe(item, context) else { return };
        self.found.roles[role.index()].singular = item.singular;
        self.found.roles[role.index()].span = item.name.span;
        self.scopes.clear(DeclarationLevel::Role);
        self.unknown.clear();
        self.role = Some(role);
        for step in &item.steps {
            if let StepSyntax::Declaration(item) = step {
                self.declare_in_role(item, role);
            }
        }
        let mut actor = Actor { role, order: EventOrder::default(), received: false };
        for step in &item.steps {
            match step {
                StepSyntax::Declaration(item) => self.apply(item),
                StepSyntax::Event(event) => self.event(event, &mut actor, context),
                StepSyntax::Knows(span) => {
                    let message = "`knows` is not supported: roles know received messages and constants";
                    let help = "declare the attacker's initial knowledge with `compromised`, or remove it";
                    self.mistake(*span, message, help);
                }
                StepSyntax::Unread => {
                    actor.order.skip();
                    actor.received = true;
                }
            }
        }
        self.check_keys(role);
        self.role = None;
        self.scopes.clear(DeclarationLevel::Role);
        self.unknown.clear();
    }

    /// Returns the role that is described, if the description is allowed.
    fn role_to_describe(&mut self, item: &RoleItem, context: &mut ProtocolContext) -> Option<RoleId> {
        let name = &item.name;
        let roles = self.found.protocols[context.protocol.index()].roles.clone();
        let named = |role: &RoleId| self.found.roles[role.index()].name == name.text;
        let Some(index) = roles.iter().position(named) else {
            let known: Vec<&str> =
                roles.iter().map(|role| self.found.roles[role.index()].name.as_str()).collect();
            let message = format!("the protocol has no role `{}`", name.text);
            let help = self.meant(&name.text, known.into_iter(), &[]);
            let help = help
                .unwrap_or_else(|| "list it between the parentheses after the protocol's name".to_owned());
            self.missing(Diagnostic::error(name.span, message).with_help(help));
            return None;
        };
        if let Some(first) = &context.described[index] {
            let mistake = Diagnostic::error(name.span, format!("role `{}` is described twice", name.text));
            let mistake = mistake.with_related(first.span, "first described here");
            self.diagnostics.push(mistake.with_help("put all events of a role between the same braces"));
            return None;
        }
        context.described[index] = Some(name.clone());
        Some(roles[index])
    }
}
