//! Roles cut into steps: each begins with a received message, or with the role, and goes up to the next one, unless that takes
//! something from the attacker ([`merging`](super::merging)). So traces have no more steps than needed. What is compared before a message is
//! received is part of the step that receives it: nobody else could notice.

use super::merging::{Merging, preceding};
use super::scope::{Matching, Scope};
use crate::protocol::ir::{Claim, Event, EventKind, Message, Protocols, Role, RoleId, Term, VariableId};
use std::collections::BTreeSet;

/// A step of a role.
#[derive(Debug)]
pub(super) struct Step<'a> {
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
    /// Whether nothing happens in it that somebody else could notice.
    fn only_compares(&self) -> bool {
        self.receives.is_none() && self.sends.is_empty() && self.claims.is_empty()
    }
}

/// A message that a step receives.
#[derive(Debug, Clone, Copy)]
pub(super) struct Received<'a> {
    pub label: &'a str,
    pub message: &'a Message,
}

/// A message that a step sends.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sent<'a> {
    pub label: &'a str,
    pub message: &'a Message,
}

/// Something that a step claims.
#[derive(Debug, Clone, Copy)]
pub(super) struct Claimed<'a> {
    pub label: &'a str,
    pub claim: &'a Claim,
}

/// The steps of each role.
#[derive(Debug)]
pub(super) struct Script<'a> {
    pub protocols: &'a Protocols,
    /// What variables can take.
    pub matching: Matching,
    steps: Vec<Vec<Step<'a>>>,
}

impl<'a> Script<'a> {
    pub fn new(protocols: &'a Protocols, scope: Scope) -> Self {
        let roles = (0..protocols.roles.len()).map(RoleId::new);
        let steps = roles.map(|role| steps_of(protocols, role, scope.runs)).collect();
        Self { protocols, matching: scope.matching, steps }
    }

    pub fn role(&self, role: RoleId) -> &'a Role {
        &self.protocols.roles[role.index()]
    }

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Budget;
    use crate::protocol::load_text;

    /// How many steps the role of a protocol has that does this.
    fn steps(events: &str) -> usize {
        let text = format!(
            "protocol p(A, B) {{ role A {{ var X: Nonce; fresh N: Nonce; {events} }} role B {{ }} }}"
        );
        let loaded = load_text("p.spdl", &text, &Budget::unlimited());
        let protocols = loaded.protocols.unwrap_or_else(|| panic!("{text}: {:?}", loaded.diagnostics));
        Script::new(&protocols, Scope::default()).steps(RoleId::FIRST).len()
    }

    #[test]
    fn what_is_compared_before_a_receipt_costs_no_step() {
        let receive = "recv_!1(B, A, X);";
        for (events, expected) in [
            (receive.to_owned(), 1),
            (format!("not match(A, B); {receive}"), 1),
            (format!("not match(A, B); match(N, N); {receive} recv_!2(B, A, X);"), 2),
            (format!("send_!0(A, B, N); not match(A, B); {receive}"), 2),
            (format!("not match(A, B); send_!0(A, B, N); {receive}"), 2),
            (format!("not match(A, B); claim(A, Running, B, N); {receive}"), 2),
            ("not match(A, B);".to_owned(), 1),
            ("send_!0(A, B, N); match(N, N);".to_owned(), 1),
            ("send_!0(A, B, N); match(N, N); send_!1(A, B, N);".to_owned(), 2),
        ] {
            assert_eq!(steps(&events), expected, "{events}");
        }
    }
}
