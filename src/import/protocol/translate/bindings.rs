//! Bindings: a message, or part of one, that a run receives, with the run that it comes from.
//!
//! Attacks consist of bindings (strand spaces, F. J. Thayer Fábrega, J. Herzog, J. Guttman, 1998; the patterns of C. Cremers,
//! *The Scyther tool*, 2008): the attacker forwards encryptions of honest runs, at their intended place or at another one.

use super::condition::Condition;
use super::terms::RoleTerms;
use super::tickets::FormLayout;
use super::value::{LeafTerm, equal};
use crate::protocol::ir::RoleId;
use itertools::Itertools;
use std::collections::HashMap;
use std::hash::Hash;

/// The receiving run, the sending run, and another one that may have sent the same message, in conditions.
pub(super) const RECEIVER: &str = "q";
pub(super) const SENDER: &str = "p";
pub(super) const RIVAL: &str = "o";

/// A message that a role sends or receives.
pub(super) struct Traffic {
    pub role: RoleId,
    pub label: String,
    /// The number of steps after which a run has sent or received it.
    pub steps: usize,
    /// The message, of the run [`RECEIVER`].
    receiver: LeafTerm,
    /// The message, of the run [`SENDER`].
    sender: LeafTerm,
    /// The message, of the run [`RIVAL`].
    rival: LeafTerm,
}

impl Traffic {
    fn key(&self) -> (RoleId, &str, usize) {
        (self.role, &self.label, self.steps)
    }
}

/// A received message that may equal a sent one, or a part of it.
pub(super) struct MessageBinding<'t> {
    pub received: &'t Traffic,
    pub sent: &'t Traffic,
    /// The condition that both are equal.
    pub whole: Condition,
    /// The condition that an encryption in the received message was made by the sender.
    pub part: Condition,
}

/// Messages of which any received one may equal any sent one, under one condition.
pub(super) struct EqualMessages<'t> {
    pub received: Vec<&'t Traffic>,
    pub sent: Vec<&'t Traffic>,
    pub condition: Condition,
}

/// Groups bindings with the same condition and roles: messages sent often need no pairs.
pub(super) fn alike<'t>(
    bindings: &[MessageBinding<'t>],
    condition: impl for<'b> Fn(&'b MessageBinding<'t>) -> &'b Condition,
) -> Vec<EqualMessages<'t>> {
    let possible = bindings.iter().filter(|binding| *condition(binding) != Condition::False);
    let sent = grouped(possible.map(|binding| {
        let message = (binding.received.key(), binding.sent.role, condition(binding));
        (message, (binding.received, binding.sent))
    }));
    let both = grouped(sent.into_iter().map(|((received, sender, condition), pairs)| {
        let sent = pairs.iter().map(|(_, sent)| *sent).collect_vec();
        let key = (received.0, sender, condition, sent.iter().map(|sent| sent.key()).collect_vec());
        (key, (pairs[0].0, sent))
    }));
    let alike = both.into_iter().map(|((_, _, condition, _), mut groups)| EqualMessages {
        received: groups.iter().map(|(received, _)| *received).collect(),
        sent: std::mem::take(&mut groups[0].1),
        condition: condition.clone(),
    });
    alike.collect()
}

/// Groups values by key, in the order of first occurrences.
fn grouped<K: Clone + Eq + Hash, V>(items: impl Iterator<Item = (K, V)>) -> Vec<(K, Vec<V>)> {
    let mut places = HashMap::new();
    let mut groups: Vec<(K, Vec<V>)> = Vec::new();
    for (key, value) in items {
        let place = *places.entry(key.clone()).or_insert(groups.len());
        if place == groups.len() {
            groups.push((key, Vec::new()));
        }
        groups[place].1.push(value);
    }
    groups
}

/// A received message, and the encryptions in it.
pub(super) struct ReceivedTerms<'t> {
    pub message: &'t Traffic,
    pub parts: Vec<ReceivedEncryption>,
}

/// An encryption in a received message, with its possible makers.
pub(super) struct ReceivedEncryption {
    /// The messages for which the protocol intends it to be made, each with the condition that it was.
    pub in_place: Vec<Made>,
    /// Other messages, likewise.
    pub out_of_place: Vec<Made>,
}

/// An encryption in a sent message.
pub(super) struct Made {
    /// Index into [`AllTraffic::sent`].
    pub sent: usize,
    /// The condition that the run [`SENDER`] has made the received encryption.
    pub by_sender: Condition,
    /// The condition that the run [`RIVAL`] has made it.
    pub by_rival: Condition,
}

/// The messages that roles send and receive.
pub(super) struct AllTraffic {
    pub sent: Vec<Traffic>,
    pub received: Vec<Traffic>,
}

/// Collects all messages of roles, except for helpers that receive: these model abilities of the attacker.
pub(super) fn traffic(terms: &RoleTerms<'_>) -> AllTraffic {
    let script = terms.script;
    let mut all = AllTraffic { sent: Vec::new(), received: Vec::new() };
    for role in script.roles() {
        let steps = script.steps(role);
        let helper = script.protocols.protocols[script.role(role).protocol.index()].helper;
        if helper && steps.iter().any(|step| step.receives.is_some()) {
            continue;
        }
        let traffic = |label: &str, steps: usize, content| Traffic {
            role,
            label: label.to_owned(),
            steps,
            receiver: terms.value(role, RECEIVER, content, &|_| None),
            sender: terms.value(role, SENDER, content, &|_| None),
            rival: terms.value(role, RIVAL, content, &|_| None),
        };
        for (number, step) in steps.iter().enumerate() {
            let received = step.receives.iter();
            all.received.extend(received.map(|r| traffic(r.label, number + 1, &r.message.content)));
            let sent = step.sends.iter();
            all.sent.extend(sent.map(|s| traffic(s.label, number + 1, &s.message.content)));
        }
    }
    all
}

/// Returns all pairs of a received message and a sent one that it, or a part of it, may equal.
pub(super) fn bindings<'t>(
    layout: &FormLayout,
    all: &'t AllTraffic,
    received: &[ReceivedTerms<'t>],
) -> Vec<MessageBinding<'t>> {
    let mut found = Vec::new();
    for ReceivedTerms { message, parts } in received {
        for (index, sent) in all.sent.iter().enumerate() {
            let whole = equal(&message.receiver, &sent.sender, layout);
            let made = parts.iter().flat_map(|part| part.in_place.iter().chain(&part.out_of_place));
            let made = made.filter(|made| made.sent == index).map(|made| made.by_sender.clone());
            let part = Condition::any(made.collect::<Vec<_>>());
            if [&whole, &part].iter().any(|condition| **condition != Condition::False) {
                found.push(MessageBinding { received: message, sent, whole, part });
            }
        }
    }
    found
}

/// Returns all received messages, with the possible makers of the encryptions in them.
pub(super) fn received<'t>(
    terms: &RoleTerms<'_>,
    layout: &FormLayout,
    all: &'t AllTraffic,
) -> Vec<ReceivedTerms<'t>> {
    let parts = |message: &'t Traffic| {
        let encryptions = encryptions(terms, &message.receiver).into_iter();
        encryptions.map(|encryption| part(terms, layout, all, message, encryption)).collect()
    };
    all.received.iter().map(|message| ReceivedTerms { message, parts: parts(message) }).collect()
}

/// Returns the possible makers of an encryption in a received message.
fn part(
    terms: &RoleTerms<'_>,
    layout: &FormLayout,
    all: &AllTraffic,
    received: &Traffic,
    encryption: &LeafTerm,
) -> ReceivedEncryption {
    let mut part = ReceivedEncryption { in_place: Vec::new(), out_of_place: Vec::new() };
    for (index, sent) in all.sent.iter().enumerate() {
        // In the receiver's run, to compare forms, and in other runs, to compare values.
        let others = encryptions(terms, &sent.sender).into_iter().zip(encryptions(terms, &sent.rival));
        for (form, (sender, rival)) in encryptions(terms, &sent.receiver).into_iter().zip(others) {
            let by_sender = equal(encryption, sender, layout);
            if by_sender == Condition::False {
                continue;
            }
            let by_rival = equal(encryption, rival, layout);
            let place = match is_meant(terms, all, received, encryption, sent, form) {
                true => &mut part.in_place,
                false => &mut part.out_of_place,
            };
            place.push(Made { sent: index, by_sender, by_rival });
        }
    }
    part
}

/// Returns the encryptions and applications of functions in a message, except for those that do not identify their maker: applications to
/// agents only, powers, and sums.
fn encryptions<'m>(terms: &RoleTerms<'_>, message: &'m LeafTerm) -> Vec<&'m LeafTerm> {
    let is_agent = |value: &LeafTerm| matches!(value, LeafTerm::Agent(_) | LeafTerm::Constant(_));
    let is_common = |value: &&LeafTerm| match value {
        LeafTerm::Apply(function, values) => {
            let protocols = terms.script.protocols;
            protocols.is_power(*function) || protocols.is_sum(*function) || values.iter().all(is_agent)
        }
        _ => false,
    };
    message.composed().into_iter().filter(|value| !is_common(value)).collect()
}

/// True if the protocol intends this part of a received message to be that encryption of a sent one: the same
/// part of the same message, or one of the same form if the message is forwarded.
fn is_meant(
    terms: &RoleTerms<'_>,
    all: &AllTraffic,
    received: &Traffic,
    part: &LeafTerm,
    sent: &Traffic,
    made: &LeafTerm,
) -> bool {
    let protocol = |traffic: &Traffic| terms.script.role(traffic.role).protocol;
    if protocol(received) != protocol(sent) || !same_form(terms, part, made) {
        return false;
    }
    let mut origin = all
        .sent
        .iter()
        .filter(|other| protocol(other) == protocol(received) && other.label == received.label)
        .flat_map(|other| encryptions(terms, &other.receiver));
    sent.label == received.label || !origin.any(|own| same_form(terms, part, own))
}

/// True if two terms of roles of one protocol are equal up to the values of variables.
fn same_form(terms: &RoleTerms<'_>, a: &LeafTerm, b: &LeafTerm) -> bool {
    let all = |a: &[LeafTerm], b: &[LeafTerm]| {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same_form(terms, a, b))
    };
    let is_open = |term: &[LeafTerm]| matches!(term, [LeafTerm::Ticket(_), ..]);
    match (a, b) {
        (LeafTerm::Ticket(_), _) | (_, LeafTerm::Ticket(_)) => true,
        // A base of any kind can have exponents.
        (LeafTerm::Apply(f, a), LeafTerm::Apply(g, b))
            if f == g && terms.script.protocols.is_power(*f) && (is_open(a) || is_open(b)) =>
        {
            true
        }
        (LeafTerm::Agent(a), LeafTerm::Agent(b)) => {
            a.variable() != "agents" || b.variable() != "agents" || a.text == b.text
        }
        (
            LeafTerm::Fresh { sort: a, .. } | LeafTerm::Atom(a, _),
            LeafTerm::Fresh { sort: b, .. } | LeafTerm::Atom(b, _),
        ) => a == b,
        (LeafTerm::Constant(a), LeafTerm::Constant(b)) => a == b,
        (LeafTerm::Tuple(a), LeafTerm::Tuple(b)) => all(a, b),
        (LeafTerm::Encrypted(a, k), LeafTerm::Encrypted(b, l)) => {
            same_form(terms, a, b) && same_form(terms, k, l)
        }
        (LeafTerm::Apply(f, _), _) | (_, LeafTerm::Apply(f, _)) if terms.script.protocols.is_sum(*f) => true,
        (LeafTerm::Apply(f, a), LeafTerm::Apply(g, b)) => f == g && all(a, b),
        _ => false,
    }
}
