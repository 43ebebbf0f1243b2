//! Roles cut into steps: each begins with a received message, or with the role, and goes up to the next one, unless that takes
//! something from the attacker ([`merging`](super::merging)). So traces have no more steps than needed. What is compared before a message is
//! received is part of the step that receives it: nobody else could notice.

use super::merging::{Merging, preceding};
use super::scope::{Matching, Scope};
use crate::protocol::ir::{Claim, Event, EventKind, Message, Protocols, Role, RoleId, Term, VariableId};
use std::collections::BTreeSet;

/// A step of a role.
#[derive(Debug)]
pub struct Step<'a> {
    /// What is received first.
    pub receives: Option<Received<'a>>,
    /// What has to be equal, or must not be.
    pub matches: Vec<&'a Event>,
    /// What is sent.
    pub sends: Vec<Sent<'a>>,
    /// What is claimed, with the label.
    pub claims: Vec<Claimed<'a>>,
    /// The variables that get their values here.
    pub binds: Vec<VariableId>,
}

impl Step<'_> {
    /// True if nothing happens in it that somebody else could notice.
    fn only_compares(&self) -> bool {
        self.receives.is_none() && self.sends.is_empty() && self.claims.is_empty()
    }
}

/// A message that a step receives.
#[derive(Debug, Clone, Copy)]
pub struct Received<'a> {
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

/// Something that a step claims.
#[derive(Debug, Clone, Copy)]
pub struct Claimed<'a> {
    /// The label of the claim.
    pub label: &'a str,
    /// The claim.
    pub claim: &'a Claim,
}

/// The steps of each role.
#[derive(Debug)]
pub struct Script<'a> {
    /// The protocols of the file.
    pub protocols: &'a Protocols,
    /// What variables can take.
    pub matching: Matching,
    steps: Vec<Vec<Step<'a>>>,
}

impl<'a> Script<'a> {
    /// The script of all roles within a scope.
    pub fn new(protocols: &'a Protocols, scope: Scope) -> Self {
        let roles = (0..protocols.roles.len()).map(RoleId::new);
        let steps = roles.map(|role| steps_of(protocols, role, scope.runs)).collect();
        Self { protocols, matching: scope.matching, steps }
    }

    /// A role of the file.
    pub fn role(&self, role: RoleId) -> &'a Role {
        &self.protocols.roles[role.index()]
    }

    /// All roles, in the order of the file.
    pub fn roles(&self) -> impl Iterator<Item = RoleId> + use<> {
        (0..self.protocols.roles.len()).map(RoleId::new)
    }

    /// The steps of a role.
    pub fn steps(&self, role: RoleId) -> &[Step<'a>] {
        &self.steps[role.index()]
    }

    /// The roles of the protocol of a role.
    pub fn partners(&self, role: RoleId) -> &'a [RoleId] {
        &self.protocols.protocols[self.role(role).protocol.index()].roles
    }

    /// The labels of the communications that precede a claim of a role.
    pub fn preceding(&self, role: RoleId, claimed: &Claimed<'a>) -> BTreeSet<&'a str> {
        let mut events = self.role(role).events.iter();
        let event = events.position(
            |event| matches!(&event.kind, EventKind::Claim(claim) if std::ptr::eq(claim, claimed.claim)),
        );
        event.map_or_else(BTreeSet::new, |event| preceding(self.protocols, role, event))
    }

    /// The most steps that a run can take.
    pub fn longest(&self) -> usize {
        self.steps.iter().map(Vec::len).max().unwrap_or(0)
    }
}

fn steps_of(protocols: &Protocols, role: RoleId, runs: usize) -> Vec<Step<'_>> {
    let merging = Merging::new(protocols, role, runs);
    let role = &protocols.roles[role.index()];
    let mut steps: Vec<Step<'_>> = Vec::new();
    let mut bound: Vec<VariableId> = Vec::new();
    let mut first = 0;
    for (number, event) in role.events.iter().enumerate() {
        if steps.is_empty() || merging.parts(first, number) {
            first = number;
            steps.push(Step {
                receives: None,
                matches: Vec::new(),
                sends: Vec::new(),
                claims: Vec::new(),
                binds: Vec::new(),
            });
        }
        let Some(step) = steps.last_mut() else { continue };
        let mut binding = |term: &Term| {
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
                step.receives = Some(Received { label: &event.label, message });
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
    if steps.len() > 1 && steps.last().is_some_and(Step::only_compares) {
        steps.pop();
    }
    steps
}
