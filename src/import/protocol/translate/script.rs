//! Divides roles into steps: each begins with a receipt, or with the role, and extends to the next one,
//! unless that restricts the attacker ([`merging`](super::merging)). So traces have no more steps than
//! needed. Comparisons before a receipt belong to its step: nobody else can notice the difference.

use super::merging::{Merging, preceding};
use super::scope::{Matching, ProtocolScope};
use crate::protocol::ir::{
    Event, EventKind, Message, Protocols, Role, RoleClaim, RoleId, RoleTerm, VariableId,
};
use std::collections::BTreeSet;

/// A step of a role.
#[derive(Debug)]
pub struct RoleStep<'a> {
    /// The message received first.
    pub receives: Option<ReceivedMessage<'a>>,
    /// The terms that must be equal, or must differ.
    pub matches: Vec<&'a Event>,
    /// The messages sent.
    pub sends: Vec<Sent<'a>>,
    /// The claims, with their labels.
    pub claims: Vec<Claimed<'a>>,
    /// The variables bound here.
    pub binds: Vec<VariableId>,
}

impl RoleStep<'_> {
    /// True if no event in it can be noticed by others.
    fn only_compares(&self) -> bool {
        self.receives.is_none() && self.sends.is_empty() && self.claims.is_empty()
    }
}

/// A message that a step receives.
#[derive(Debug, Clone, Copy)]
pub struct ReceivedMessage<'a> {
    /// The label of the message.
    pub label: &'a str,
    /// The message.
    pub message: &'a Message,
}

/// A message that a step sends.
#[derive(Debug, Clone, Copy)]
pub struct Sent<'a> {
    /// The label of the message.
    pub label: &'a str,
    /// The message.
    pub message: &'a Message,
}

/// A claim of a step.
#[derive(Debug, Clone, Copy)]
pub struct Claimed<'a> {
    /// The label of the claim.
    pub label: &'a str,
    /// The claim.
    pub claim: &'a RoleClaim,
}

/// The steps of each role.
#[derive(Debug)]
pub struct RoleScripts<'a> {
    /// The protocols of the file.
    pub protocols: &'a Protocols,
    /// The kind of matching of variables.
    pub matching: Matching,
    steps: Vec<Vec<RoleStep<'a>>>,
}

impl<'a> RoleScripts<'a> {
    /// Divides all roles within a scope.
    pub fn new(protocols: &'a Protocols, scope: ProtocolScope) -> Self {
        let roles = (0..protocols.roles.len()).map(RoleId::new);
        let steps = roles.map(|role| steps_of(protocols, role, scope)).collect();
        Self { protocols, matching: scope.matching, steps }
    }

    /// Returns a role of the file.
    pub fn role(&self, role: RoleId) -> &'a Role {
        &self.protocols.roles[role.index()]
    }

    /// Iterates over all roles, in the order of the file.
    pub fn roles(&self) -> impl Iterator<Item = RoleId> + use<> {
        (0..self.protocols.roles.len()).map(RoleId::new)
    }

    /// Returns the steps of a role.
    pub fn steps(&self, role: RoleId) -> &[RoleStep<'a>] {
        &self.steps[role.index()]
    }

    /// Returns the roles of the protocol of a role.
    pub fn partners(&self, role: RoleId) -> &'a [RoleId] {
        &self.protocols.protocols[self.role(role).protocol.index()].roles
    }

    /// Returns the labels of the communications that precede a claim of a role.
    pub fn preceding(&self, role: RoleId, claimed: &Claimed<'a>) -> BTreeSet<&'a str> {
        let mut events = self.role(role).events.iter();
        let event = events.position(
            |event| matches!(&event.kind, EventKind::Claim(claim) if std::ptr::eq(claim, claimed.claim)),
        );
        event.map_or_else(BTreeSet::new, |event| preceding(self.protocols, role, event))
    }

    /// Returns the greatest number of steps of a run.
    pub fn longest(&self) -> usize {
        self.steps.iter().map(Vec::len).max().unwrap_or(0)
    }
}

fn steps_of(protocols: &Protocols, role: RoleId, scope: ProtocolScope) -> Vec<RoleStep<'_>> {
    let merging = Merging::new(protocols, role, scope);
    let role = &protocols.roles[role.index()];
    let mut steps: Vec<RoleStep<'_>> = Vec::new();
    let mut bound: Vec<VariableId> = Vec::new();
    let mut first = 0;
    for (number, event) in role.events.iter().enumerate() {
        if steps.is_empty() || merging.parts(first, number) {
            first = number;
            steps.push(RoleStep {
                receives: None,
                matches: Vec::new(),
                sends: Vec::new(),
                claims: Vec::new(),
                binds: Vec::new(),
            });
        }
        let Some(step) = steps.last_mut() else { continue };
        let mut binding = |term: &RoleTerm| {
            for variable in term.variables() {
                if !role.variables[variable.index()].fresh && !bound.contains(&variable) {
                    bound.push(variable);
                    step.binds.push(variable);
                }
            }
        };
        match &event.kind {
            EventKind::Receive(message) => {
                binding(&message.content);
                step.receives = Some(ReceivedMessage { label: &event.label, message });
            }
            EventKind::Send(message) => {
                step.sends.push(Sent { label: &event.label, message });
            }
            EventKind::Match { pattern, term, equal } => {
                if *equal {
                    binding(pattern);
                    binding(term);
                }
                step.matches.push(event);
            }
            EventKind::Claim(claim) => step.claims.push(Claimed { label: &event.label, claim }),
        }
    }
    if steps.len() > 1 && steps.last().is_some_and(RoleStep::only_compares) {
        steps.pop();
    }
    steps
}
