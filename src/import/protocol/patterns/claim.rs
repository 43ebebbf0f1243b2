//! The truth of a claim in a pattern, and in all its refinements.

use super::role::{Liveliness, PatternEvent, Promise};
use super::state::{PartialPattern, RunEvent};
use super::term::PatternTerm;
use crate::protocol::ir::{EventKind, RoleId};
use crate::protocol::translate::merging::{preceding, sender};

/// A message as a claim asks for it: the event that sends it, and the one that receives it.
type ClaimedMessage = [(RoleId, usize); 2];

impl PartialPattern<'_> {
    /// An order of events in which the claim of a run is not true yet; nothing if it is true in all. Claims of secrecy are
    /// never true by what a pattern has.
    pub fn falsified(&self, place: RunEvent) -> Option<Self> {
        let run = &self.runs[place.run];
        let role = &self.theory.roles[run.role];
        let PatternEvent::Claim(promise) = &role.events[place.event] else { return None };
        let holds = match promise {
            Promise::Secret(_) | Promise::Reachable => false,
            Promise::Running(..) | Promise::Nothing => true,
            Promise::Alive { of, how } => {
                let own = RoleId::new(run.role);
                let is_asked = |partner: RoleId| of.map_or(partner != own, |of| of == partner);
                let mut partners =
                    (0..role.partners.len()).filter(|partner| is_asked(role.partners[*partner]));
                if *how == Liveliness::Recently {
                    return partners.find_map(|partner| self.has_acted_before(place.run, partner));
                }
                partners.all(|partner| self.acts(place.run, partner, *how).next().is_some())
            }
            Promise::Agreement { in_order } => return self.disagreement(place, *in_order),
            Promise::Commit { partner, data, is_injective } => {
                self.is_running(place.run, *partner, data.as_ref())
                    && !(*is_injective && self.is_repeated(place, *partner, data.as_ref()))
            }
        };
        (!holds).then(|| self.clone())
    }

    /// The agent in a role of the protocol of a run.
    fn agent(&self, run: usize, role: RoleId) -> PatternTerm {
        let partners = &self.theory.roles[self.runs[run].role].partners;
        let place = partners.iter().position(|partner| *partner == role);
        PatternTerm::Variable(
            self.runs[run].first + place.unwrap_or_else(|| unreachable!("a role of the protocol")),
        )
    }

    /// The runs in which the agent in a role has done something, with the same agents in mind if that is asked for.
    fn acts(&self, run: usize, partner: usize, how: Liveliness) -> impl Iterator<Item = usize> {
        let agents = |run: usize| {
            let Self { runs, theory, .. } = self;
            let first = runs[run].first;
            (first..first + theory.roles[runs[run].role].partners.len()).map(PatternTerm::Variable)
        };
        let within = move |run: usize, other: usize| {
            agents(run).all(|agent| agents(other).any(|same| self.bindings.equal(&agent, &same)))
        };
        let agent = PatternTerm::Variable(self.runs[run].first + partner);
        (0..self.runs.len()).filter(move |other| {
            let other = *other;
            let role = &self.theory.roles[self.runs[other].role];
            !role.is_helper
                && self.runs[other].done > 0
                && self.bindings.equal(&PatternTerm::Variable(self.runs[other].first + role.actor()), &agent)
                && (how != Liveliness::WithTheSame || within(run, other) && within(other, run))
        })
    }

    /// An order in which the agent in a role has done nothing since a run began; nothing if there is none.
    fn has_acted_before(&self, run: usize, partner: usize) -> Option<Self> {
        let begin = RunEvent { run, event: 0 };
        let mut others = self.acts(run, partner, Liveliness::Recently);
        others.try_fold(self.clone(), |mut state, other| {
            let last = RunEvent { run: other, event: self.runs[other].done - 1 };
            state.order(last, begin).then_some(state)
        })
    }

    /// True if a run of the partner has said that it runs with this one, and with these data.
    fn is_running(&self, run: usize, partner: RoleId, data: Option<&PatternTerm>) -> bool {
        let own = RoleId::new(self.runs[run].role);
        let data = data.map(|data| self.instance(run, data));
        (0..self.runs.len()).filter(|other| self.runs[*other].role == partner.index()).any(|other| {
            let events = &self.theory.roles[partner.index()].events[..self.runs[other].done];
            events.iter().any(|event| {
                let PatternEvent::Claim(Promise::Running(with, said)) = event else { return false };
                let same = match (said, &data) {
                    (Some(said), Some(data)) => self.bindings.equal(&self.instance(other, said), data),
                    (said, data) => said.is_none() && data.is_none(),
                };
                same && self.bindings.equal(&self.agent(run, own), &self.agent(other, *with))
                    && self.bindings.equal(&self.agent(run, partner), &self.agent(other, partner))
            })
        })
    }

    /// Of a run and another one, terms that are equal if both commit to the same: agents and data.
    fn committed(
        &self,
        [run, other]: [usize; 2],
        partner: RoleId,
        data: Option<&PatternTerm>,
    ) -> Vec<[PatternTerm; 2]> {
        let own = RoleId::new(self.runs[run].role);
        let agents = [own, partner].map(|role| [run, other].map(|run| self.agent(run, role)));
        let data = data.map(|data| [run, other].map(|run| self.instance(run, data)));
        agents.into_iter().chain(data).collect()
    }

    /// True if another run has committed to the same partner and data.
    fn is_repeated(&self, place: RunEvent, partner: RoleId, data: Option<&PatternTerm>) -> bool {
        let role = self.runs[place.run].role;
        (0..self.runs.len()).any(|other| {
            other != place.run
                && self.runs[other].role == role
                && self.runs[other].done > place.event
                && self
                    .committed([place.run, other], partner, data)
                    .iter()
                    .all(|[own, theirs]| self.bindings.equal(own, theirs))
        })
    }

    /// The pattern in which another run commits to the same as the run of a claim; nothing if the claim allows it.
    pub fn repeated(&self, place: RunEvent) -> Option<Self> {
        let role = self.runs[place.run].role;
        let theory = self.theory;
        let described = &theory.roles[role];
        let PatternEvent::Claim(Promise::Commit { partner, data, is_injective: true }) =
            &described.events[place.event]
        else {
            return None;
        };
        let mut state = self.clone();
        let other = RunEvent { run: state.begin(role), event: place.event };
        state.repeats = Some(other);
        let is_same = !described.is_singular
            && state.reach(other)
            && state
                .committed([place.run, other.run], *partner, data.as_ref())
                .iter()
                .all(|[own, theirs]| state.bindings.unify(own, theirs));
        is_same.then_some(state)
    }

    /// An order in which there are no runs for the other roles with which all messages that precede the claim agree.
    fn disagreement(&self, place: RunEvent, in_order: bool) -> Option<Self> {
        let own = RoleId::new(self.runs[place.run].role);
        let protocols = self.theory.protocols;
        let roles = &self.theory.roles[own.index()].partners;
        let asked = preceding(protocols, own, place.event);
        let mut communications: Vec<ClaimedMessage> = Vec::new();
        for receiver in roles {
            for (number, event) in protocols.roles[receiver.index()].events.iter().enumerate() {
                if let EventKind::Receive(message) = &event.kind
                    && asked.contains(event.label.as_str())
                    && let Some(sent) = sender(protocols, *receiver, message, &event.label)
                {
                    communications.push([sent, (*receiver, number)]);
                }
            }
        }
        let mut chosen = vec![None; protocols.roles.len()];
        chosen[own.index()] = Some(place.run);
        let mut all = Vec::new();
        self.choose(&communications, &mut chosen, &mut all);
        if !in_order {
            return all.is_empty().then(|| self.clone());
        }
        self.clone().with_one_late(&all)
    }

    /// The choices of runs with which these messages agree: of each, where every message was sent and received.
    fn choose(
        &self,
        messages: &[ClaimedMessage],
        chosen: &mut Vec<Option<usize>>,
        found: &mut Vec<Vec<[RunEvent; 2]>>,
    ) {
        let mut ends = messages.iter().flatten();
        if let Some((role, _)) = ends.find(|(role, _)| chosen[role.index()].is_none()) {
            for run in (0..self.runs.len()).filter(|run| self.runs[*run].role == role.index()) {
                chosen[role.index()] = Some(run);
                self.choose(messages, chosen, found);
            }
            chosen[role.index()] = None;
            return;
        }
        let places = messages.iter().map(|ends| {
            ends.map(|(role, event)| RunEvent { run: chosen[role.index()].unwrap_or_default(), event })
        });
        let places: Vec<[RunEvent; 2]> = places.collect();
        let agree = places.iter().zip(messages).all(|(ends, [(sender, _), (receiver, _)])| {
            let [sent, received] = ends.map(|end| self.message(end));
            sent.zip(received).is_some_and(|(sent, received)| self.bindings.equal(&sent, &received))
                && [*sender, *receiver].iter().all(|role| {
                    self.bindings.equal(&self.agent(ends[0].run, *role), &self.agent(ends[1].run, *role))
                })
        });
        if agree {
            found.push(places);
        }
    }

    /// The message of an event, if that belongs to the pattern.
    fn message(&self, place: RunEvent) -> Option<PatternTerm> {
        let run = &self.runs[place.run];
        match self.theory.roles[run.role].events.get(place.event) {
            Some(PatternEvent::Send(message) | PatternEvent::Receive(message)) if place.event < run.done => {
                Some(self.instance(place.run, message))
            }
            _ => None,
        }
    }

    /// An order in which of each of these choices a message is received before it is sent.
    fn with_one_late(self, choices: &[Vec<[RunEvent; 2]>]) -> Option<Self> {
        let Some((choice, rest)) = choices.split_first() else { return Some(self) };
        choice.iter().find_map(|[sent, received]| {
            let mut state = self.clone();
            state.order(*received, *sent).then_some(state)?.with_one_late(rest)
        })
    }
}
