//! What claims mean, as Cremers and Mauw define it.

use super::run::{Place, Run, State};
use super::term::{Name, Term};
use super::text::{Claim, Event, Message, Protocol};
use std::collections::{BTreeMap, BTreeSet};

impl State<'_> {
    /// True if a claim that a run has made, at this place of its role, is true in this state.
    pub fn holds(&self, number: usize, place: usize, claim: &Claim) -> bool {
        let run = &self.runs[number];
        let asked = |of: &Option<Name>| {
            let of = of.clone();
            let is_asked = move |role: &&Name| match &of {
                Some(of) => *role == of,
                None => **role != run.role.name,
            };
            run.protocol.head.iter().filter(is_asked)
        };
        match claim {
            Claim::Secret(term) => !self.knowledge.can_make(&term.under(&run.bindings)),
            Claim::Alive(of) => asked(of).all(|role| self.active(run, role).next().is_some()),
            Claim::Recentalive(of) => asked(of).all(|role| {
                let acts = |other: usize| {
                    self.runs[other].actor() == run.agent(role)
                        && self.runs[other].done > run.done_before[other]
                };
                (0..self.runs.len()).any(acts)
            }),
            Claim::Weakagree(of) => asked(of)
                .all(|role| self.active(run, role).any(|other| other.all_agents() == run.all_agents())),
            Claim::Niagree => self.agrees(number, place, false),
            Claim::Nisynch => self.agrees(number, place, true),
            Claim::Commit(role, data) => {
                let data = data.under(&run.bindings);
                self.active(run, role).filter(|other| other.is_role(run, role)).any(|other| {
                    other.past().iter().any(|event| match event {
                        Event::Claim { claim: Claim::Running(to, said), .. } => {
                            other.agent(to) == run.actor() && said.under(&other.bindings) == data
                        }
                        _ => false,
                    })
                })
            }
            Claim::Icommit(role, data) => {
                let same = |other: &Run| {
                    other.is_role(run, &run.role.name)
                        && other.past().len() > place
                        && other.actor() == run.actor()
                        && other.agent(role) == run.agent(role)
                        && data.under(&other.bindings) == data.under(&run.bindings)
                };
                let mut others = (0..self.runs.len()).filter(|other| *other != number);
                self.holds(number, place, &Claim::Commit(role.clone(), data.clone()))
                    && !others.any(|other| same(&self.runs[other]))
            }
            Claim::Running(..) => true,
            Claim::Reachable => false,
        }
    }

    /// The runs that have done something, of the agent whom the run believes in a role.
    fn active<'s>(&'s self, run: &'s Run, role: &'s Name) -> impl Iterator<Item = &'s Run<'s>> {
        self.runs.iter().filter(move |other| other.done > 0 && other.actor() == run.agent(role))
    }

    /// True if there are runs for the roles such that each message that precedes the claim was sent by one of them and received by
    /// another one with the same contents; and in order.
    fn agrees(&self, number: usize, place: usize, in_order: bool) -> bool {
        let run = &self.runs[number];
        let labels = preceding(run.protocol, &run.role.name, place);
        self.agree(&labels, &BTreeMap::from([(run.role.name.clone(), number)]), run, in_order)
    }

    /// True if runs can be chosen for the roles that are not chosen yet.
    fn agree(
        &self,
        labels: &[Transmission],
        chosen: &BTreeMap<Name, usize>,
        run: &Run,
        in_order: bool,
    ) -> bool {
        let roles = labels.iter().flat_map(|(from, to)| [&from.role, &to.role]);
        if let Some(role) = roles.into_iter().find(|role| !chosen.contains_key(*role)) {
            return (0..self.runs.len()).filter(|&other| self.runs[other].is_role(run, role)).any(|other| {
                let mut chosen = chosen.clone();
                chosen.insert(role.clone(), other);
                self.agree(labels, &chosen, run, in_order)
            });
        }
        labels.iter().all(|(from, to)| {
            let places = [from, to].map(|end| (chosen[&end.role], end.place));
            let [sent, received] = places.map(|place| self.message(place));
            sent.is_some() && sent == received && (!in_order || self.delivered.contains(&places.into()))
        })
    }

    /// The message of an event that has happened.
    fn message(&self, (number, place): Place) -> Option<Message> {
        let run = &self.runs[number];
        match run.past().get(place)? {
            Event::Send(message) | Event::Receive(message) => Some(run.message(message)),
            _ => None,
        }
    }
}

impl Run<'_> {
    /// The agents in its roles, in whatever roles they are.
    fn all_agents(&self) -> BTreeSet<&Term> {
        self.protocol.head.iter().map(|role| self.agent(role)).collect()
    }

    /// True if it plays a role of the protocol of another run.
    fn is_role(&self, other: &Run, role: &Name) -> bool {
        self.protocol.name == other.protocol.name && self.role.name == *role
    }
}

/// An event of a role.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct RoleEvent {
    role: Name,
    place: usize,
}

/// Where a message is sent, and where it is received.
type Transmission = (RoleEvent, RoleEvent);

/// The messages of a protocol whose receipt precedes an event: earlier in the same role, or earlier than what was sent to it.
fn preceding(protocol: &Protocol, role: &Name, place: usize) -> Vec<Transmission> {
    let mut before = BTreeSet::new();
    let mut open = vec![(role.clone(), place)];
    let mut found = vec![];
    while let Some((role, place)) = open.pop() {
        let events =
            &protocol.roles.iter().find(|other| other.name == role).expect("a role with events").events;
        for (place, event) in events[..place].iter().enumerate() {
            let here = RoleEvent { role: role.clone(), place };
            if let Event::Receive(message) = event
                && !message.label.starts_with('!')
                && before.insert(here.clone())
                && let Some(sent) = sending(protocol, &message.label)
            {
                open.push((sent.role.clone(), sent.place));
                found.push((sent, here));
            }
        }
    }
    found
}

/// Where a label is sent.
fn sending(protocol: &Protocol, label: &Name) -> Option<RoleEvent> {
    protocol.roles.iter().find_map(|role| {
        let sends = |event: &Event| matches!(event, Event::Send(message) if message.label == *label);
        let place = role.events.iter().position(sends)?;
        Some(RoleEvent { role: role.name.clone(), place })
    })
}
