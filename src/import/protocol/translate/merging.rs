//! Merges events of a role into one step without restricting the attacker.
//!
//! A *group* is a receipt with the events up to the next receipt. Given a trace of single events that ends with an
//! event after which a claim *c* is false, do each group at once: its comparisons, sends and claims, at the time of
//! its first send, or, for the run that claims, of its claim if that is earlier; leave out a group that has not come
//! so far. Every message is sent as early as before or earlier, so the attacker can make every received message, and
//! every term that she ever makes: claims of secrecy stay false. All other claims are false because something was
//! *not* done before, and stay false if nothing else is done before; an injective commitment also because another run
//! has come to the same claim, whose group is done at its claim as well. Events of a group before its first send occur
//! later than in the trace. Events after it occur earlier, which matters in these cases, in which a new step begins:
//!
//! * A comparison after a send or a claim: it may be false.
//! * A `Running` that a `Commit` requires, after a send.
//! * A message that agreement or synchronisation requires, after another send, unless it is *new*: it has a
//!   fresh value of its run that no earlier message has. These claims require messages that were received as
//!   well, and a new message is not received before it is sent.
//! * Both, after the claim that requires them.
//!
//! Synchronisation can also be false because of an order: for each choice σ of runs, label *m* was received by a
//! run *y* before it was sent by a run *x*. Then some groups are done at their receipt: for each σ that is false
//! because of the order alone, let *m(σ)* be the label of this kind that was received first, and do the group of
//! *y* in which it was received at that time. If *x* sends *m(σ)* in a group that is done at its first send, the
//! order stays. (*m(σ)* is this first send: later messages of the group are new, and nobody receives them before.)
//! Otherwise *x* received in this group *m(σ')* for another σ', from some *x'* that sent it later. If *x'* is the
//! same run for all σ with *x*, because it is the one that claims or because the message that it sent has a fresh
//! value of its own, σ is false because of *m(σ')* as well, and by the choice of *m(σ)* that was received later:
//! the order stays again. So a new step begins between a receipt from a role other than the claiming one, in whose
//! message that role has put no fresh value, and a message that is not new and that the claim asks for. With no
//! more runs than roles that take part there is only one σ, and the new step is unnecessary.
//!
//! Where runs are lost, they give away what they have received and the session keys that they claim before they send, and
//! are partners of others until they have received something else. Then nothing but claims follows a receipt or the claim of
//! a session key in a step.

use super::scope::ProtocolScope;
use crate::protocol::ir::{Event, EventKind, Message, Protocols, RoleClaim, RoleId};
use std::collections::BTreeSet;

/// Returns the labels of the communications that precede an event: those received before it, and those that
/// precede their sending.
pub fn preceding(protocols: &Protocols, role: RoleId, event: usize) -> BTreeSet<&str> {
    let mut found = BTreeSet::new();
    let mut open = vec![(role, event)];
    while let Some((role, event)) = open.pop() {
        for before in &protocols.roles[role.index()].events[..event] {
            let EventKind::Receive(message) = &before.kind else { continue };
            if let Some(sender) = sender(protocols, role, message, &before.label)
                && found.insert(before.label.as_str())
            {
                open.push(sender);
            }
        }
    }
    found
}

/// Returns the role that sends the message received under a label, and its event; `None` for labels irrelevant to claims.
pub fn sender(
    protocols: &Protocols,
    receiver: RoleId,
    message: &Message,
    label: &str,
) -> Option<(RoleId, usize)> {
    let roles = &protocols.protocols[protocols.roles[receiver.index()].protocol.index()].roles;
    let sends = |role: &RoleId| {
        let mut events = protocols.roles[role.index()].events.iter();
        events.position(|event| {
            event.label == label && matches!(&event.kind, EventKind::Send(message) if !message.exempt)
        })
    };
    let found = roles.iter().find_map(|role| Some((*role, sends(role)?)));
    found.filter(|_| !message.exempt)
}

/// A claim, with the communications that it depends on.
#[derive(Debug)]
struct DependentClaim<'a> {
    role: RoleId,
    claim: &'a RoleClaim,
    preceding: BTreeSet<&'a str>,
}

impl DependentClaim<'_> {
    fn of_messages(&self) -> bool {
        matches!(self.claim, RoleClaim::NonInjectiveAgreement | RoleClaim::NonInjectiveSynchronisation)
    }

    /// True if it requires a `Running` of a role.
    fn commits_to(&self, role: RoleId) -> bool {
        matches!(self.claim, RoleClaim::Commit { role: partner, .. } if *partner == role)
    }
}

/// Decides where the steps of a role begin.
#[derive(Debug)]
pub struct Merging<'a> {
    protocols: &'a Protocols,
    role: RoleId,
    /// The greatest number of runs.
    runs: usize,
    /// True if runs are lost.
    lost: bool,
    asked: Vec<DependentClaim<'a>>,
}

impl<'a> Merging<'a> {
    /// Prepares the merging of the steps of a role, in models of this scope.
    pub fn new(protocols: &'a Protocols, role: RoleId, scope: ProtocolScope) -> Self {
        let roles = &protocols.protocols[protocols.roles[role.index()].protocol.index()].roles;
        let claims = roles.iter().flat_map(|&role| {
            protocols.roles[role.index()].events.iter().enumerate().filter_map(move |(number, event)| {
                let EventKind::Claim(claim) = &event.kind else { return None };
                Some(DependentClaim { role, claim, preceding: preceding(protocols, role, number) })
            })
        });
        Self { protocols, role, runs: scope.runs, lost: scope.reveals.of_runs(), asked: claims.collect() }
    }

    /// True if a new step begins with event `next`, given that the previous one began with event `first`.
    pub fn parts(&self, first: usize, next: usize) -> bool {
        let events = &self.protocols.roles[self.role.index()].events;
        let (step, event) = (&events[first..next], &events[next]);
        let sends = step.iter().any(|event| matches!(event.kind, EventKind::Send(_)));
        let claims = step.iter().any(|event| matches!(event.kind, EventKind::Claim(_)));
        let receives = step.iter().any(|event| matches!(event.kind, EventKind::Receive(_)));
        let secret = |event: &Event| {
            matches!(event.kind, EventKind::Claim(RoleClaim::SessionKey(_) | RoleClaim::Secret(_)))
        };
        let ends =
            matches!(&event.kind, EventKind::Claim(claim) if !matches!(claim, RoleClaim::Running { .. }));
        if self.lost && !ends && (receives || step.iter().any(secret)) {
            return true;
        }
        match &event.kind {
            EventKind::Receive(_) => receives || sends || claims,
            EventKind::Match { .. } => sends || claims,
            EventKind::Claim(RoleClaim::Running { .. }) => {
                let mut claims = self.asked.iter().filter(|claim| claim.commits_to(self.role));
                claims.any(|claim| sends || step.iter().any(|before| is_claim(&before.kind, claim)))
            }
            EventKind::Claim(_) => false,
            EventKind::Send(message) => {
                let asking = |claim: &&DependentClaim<'_>| {
                    claim.of_messages() && claim.preceding.contains(event.label.as_str())
                };
                let mut claims = self.asked.iter().filter(asking);
                !message.exempt
                    && !self.is_new(next, message)
                    && claims.any(|claim| {
                        sends
                            || step.iter().any(|before| is_claim(&before.kind, claim))
                            || *claim.claim == RoleClaim::NonInjectiveSynchronisation
                                && self.is_open(first, next, claim)
                    })
            }
        }
    }

    /// True if a message has a fresh value that occurs in no earlier message of the role.
    fn is_new(&self, event: usize, message: &Message) -> bool {
        let role = &self.protocols.roles[self.role.index()];
        let sent = role.events[..event].iter().filter_map(|event| match &event.kind {
            EventKind::Send(message) => Some(message.content.variables()),
            _ => None,
        });
        let sent: BTreeSet<_> = sent.flatten().collect();
        let mut variables = message.content.variables().into_iter();
        variables.any(|variable| role.variables[variable.index()].fresh && !sent.contains(&variable))
    }

    /// Returns the number of roles that take part in the communications that precede a claim.
    fn taking_part(&self, claim: &DependentClaim<'_>) -> usize {
        let protocol = self.protocols.roles[claim.role.index()].protocol;
        let takes_part = |role: &&RoleId| {
            let mut events = self.protocols.roles[role.index()].events.iter();
            let exchanges = |event: &Event| match &event.kind {
                EventKind::Send(_) | EventKind::Receive(_) => claim.preceding.contains(event.label.as_str()),
                EventKind::Match { .. } | EventKind::Claim(_) => false,
            };
            **role == claim.role || events.any(exchanges)
        };
        self.protocols.protocols[protocol.index()].roles.iter().filter(takes_part).count()
    }

    /// True if different runs can have sent the messages received in these events of the role, and all other
    /// messages that a claim requires.
    fn is_open(&self, first: usize, next: usize, claim: &DependentClaim<'_>) -> bool {
        if self.runs <= self.taking_part(claim) {
            return false;
        }
        let role = &self.protocols.roles[self.role.index()];
        role.events[first..next].iter().any(|event| {
            let EventKind::Receive(message) = &event.kind else { return false };
            let Some((sender, sent)) = sender(self.protocols, self.role, message, &event.label) else {
                return false;
            };
            let described = &self.protocols.roles[sender.index()];
            let EventKind::Send(Message { content, .. }) = &described.events[sent].kind else { return false };
            let mut variables = content.variables().into_iter();
            sender != claim.role && !variables.any(|variable| described.variables[variable.index()].fresh)
        })
    }
}

/// True if the event is the claim considered.
fn is_claim(event: &EventKind, asked: &DependentClaim<'_>) -> bool {
    matches!(event, EventKind::Claim(claim) if std::ptr::eq(claim, asked.claim))
}
