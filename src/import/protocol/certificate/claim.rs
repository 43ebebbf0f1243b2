//! The meaning of claims: whether one is true whatever is added to a pattern.

use super::role::{CheckedEvent, World};
use super::state::{CheckedRun, Moment, State};
use super::term::Term;
use crate::protocol::ir::{EventKind, RoleClaim, RoleId, RoleTerm};
use crate::protocol::translate::merging::{preceding, sender};

/// The sending and the receipt of a message, by roles and their events.
type Communication = [(RoleId, usize); 2];

impl World<'_> {
    /// A claim of a role.
    pub fn claim(&self, role: RoleId, event: usize) -> Option<&RoleClaim> {
        match &self.protocols.roles.get(role.index())?.events.get(event)?.kind {
            EventKind::Claim(RoleClaim::Running { .. } | RoleClaim::Empty) => None,
            EventKind::Claim(claim) => Some(claim),
            _ => None,
        }
    }
}

impl State<'_> {
    /// The agent that a run has in a role.
    fn agent(&self, run: usize, role: RoleId) -> Option<&Term> {
        let CheckedRun { role: own, own: values, .. } = &self.runs[run];
        let place = self.world.roles[*own].agents.iter().position(|agent| *agent == role)?;
        values.get(place)
    }

    fn has_same_agent(&self, [run, other]: [usize; 2], role: RoleId) -> bool {
        let agents = self.agent(run, role).zip(self.agent(other, role));
        agents.is_some_and(|(one, other)| self.solution.same(one, other))
    }

    /// True if the claim of a run is true, and stays so with further events.
    pub fn is_kept(&self, claim: &RoleClaim, place: Moment) -> bool {
        let is_repeated = self.claims.len() > 1;
        match claim {
            RoleClaim::Alive(of) => self.are_alive(place, *of, |state, other| state.has_acted(other, place)),
            RoleClaim::WeakAgreement(of) => self.are_alive(place, *of, |state, other| {
                state.has_acted(other, place) && state.knows_the_same(place.0, other)
            }),
            RoleClaim::RecentlyAlive(of) => self.are_recently_alive(place, *of),
            RoleClaim::NonInjectiveAgreement => !self.agreeing(place).is_empty(),
            RoleClaim::NonInjectiveSynchronisation => !self.clone().can_be_late(&self.agreeing(place)),
            // Another run has done the same, whoever was running.
            RoleClaim::Commit { .. } if is_repeated => false,
            RoleClaim::Commit { role, data, .. } => self.was_running(place, *role, data),
            _ => false,
        }
    }

    /// The roles that a claim is about.
    fn asked(&self, run: usize, of: Option<RoleId>) -> Vec<RoleId> {
        let own = &self.world.roles[self.runs[run].role];
        let others = own.agents.iter().copied().filter(|role| match of {
            Some(of) => *role == of,
            None => Some(*role) != own.id,
        });
        others.collect()
    }

    /// The runs in which the agent that a run has in a role is the actor, helpers apart.
    fn runs_of(&self, run: usize, role: RoleId) -> Vec<usize> {
        let Some(agent) = self.agent(run, role) else { return Vec::new() };
        let is_its = |other: &usize| {
            let described = &self.world.roles[self.runs[*other].role];
            let actor = described.id.and_then(|own| self.agent(*other, own));
            !described.is_helper && actor.is_some_and(|actor| self.solution.same(actor, agent))
        };
        (0..self.runs.len()).filter(is_its).collect()
    }

    fn are_alive(&self, place: Moment, of: Option<RoleId>, acts: impl Fn(&Self, usize) -> bool) -> bool {
        let partners = self.asked(place.0, of);
        partners
            .into_iter()
            .all(|role| self.runs_of(place.0, role).into_iter().any(|other| acts(self, other)))
    }

    /// True if a run has done something by then.
    fn has_acted(&self, run: usize, place: Moment) -> bool {
        self.runs[run].done > 0 && self.is_before((run, 0), place)
    }

    /// True if two runs have the same set of agents in mind.
    fn knows_the_same(&self, run: usize, other: usize) -> bool {
        let agents = |run: usize| {
            let CheckedRun { role, own, .. } = &self.runs[run];
            own[..self.world.roles[*role].agents.len()]
                .iter()
                .map(|agent| self.solution.of(agent))
                .collect::<Vec<_>>()
        };
        let (own, theirs) = (agents(run), agents(other));
        own.iter().all(|agent| theirs.contains(agent)) && theirs.iter().all(|agent| own.contains(agent))
    }

    /// True if each partner does something after a run began, in every order of events.
    fn are_recently_alive(&self, place: Moment, of: Option<RoleId>) -> bool {
        let partners = self.asked(place.0, of);
        partners.into_iter().all(|role| {
            let mut state = self.clone();
            let runs = self.runs_of(place.0, role).into_iter().filter(|other| self.has_acted(*other, place));
            !runs.collect::<Vec<_>>().into_iter().all(|other| {
                let last = (other, self.runs[other].done - 1);
                state.put_before(last, Some((place.0, 0)))
            })
        })
    }

    fn was_running(&self, place: Moment, partner: RoleId, data: &[RoleTerm]) -> bool {
        let own = self.world.roles[self.runs[place.0].role].id;
        let said = |run: usize, event: usize| match &self.world.roles[self.runs[run].role].events[event] {
            CheckedEvent::Claim(Some(data)) => Some(self.in_run(run, data)),
            _ => None,
        };
        let runs = (0..self.runs.len()).filter(|other| self.runs[*other].role == partner.index());
        runs.into_iter().any(|other| {
            let events = self.world.protocols.roles[partner.index()].events.iter().enumerate();
            let mut said_so = events.take(self.runs[other].done).filter(|(number, event)| {
                matches!(&event.kind, EventKind::Claim(RoleClaim::Running { role, data: theirs })
                    if Some(*role) == own && theirs.is_empty() == data.is_empty())
                    && self.is_before((other, *number), place)
            });
            own.is_some_and(|own| self.has_same_agent([place.0, other], own))
                && self.has_same_agent([place.0, other], partner)
                && said_so.any(|(number, _)| match (said(place.0, place.1), said(other, number)) {
                    (Some(one), Some(other)) => self.solution.same(&one, &other),
                    (one, other) => one.is_none() && other.is_none(),
                })
        })
    }

    /// The choices of runs for the other roles that agree with a run about all messages before its claim: of each, the moments at which
    /// they were sent and received.
    fn agreeing(&self, place: Moment) -> Vec<Vec<[Moment; 2]>> {
        let described = &self.world.roles[self.runs[place.0].role];
        let Some(own) = described.id else { return Vec::new() };
        let protocols = self.world.protocols;
        let labels = preceding(protocols, own, place.1);
        let mut messages: Vec<Communication> = Vec::new();
        for role in &described.agents {
            for (number, event) in protocols.roles[role.index()].events.iter().enumerate() {
                if let EventKind::Receive(message) = &event.kind
                    && labels.contains(event.label.as_str())
                    && let Some(sent) = sender(protocols, *role, message, &event.label)
                {
                    messages.push([sent, (*role, number)]);
                }
            }
        }
        let mut choices: Vec<Vec<usize>> = vec![Vec::new()];
        for role in &described.agents {
            let takes_part = messages.iter().flatten().any(|(other, _)| other == role);
            let runs: Vec<usize> = match () {
                () if *role == own => vec![place.0],
                () if !takes_part => vec![usize::MAX],
                () => (0..self.runs.len()).filter(|run| self.runs[*run].role == role.index()).collect(),
            };
            let longer =
                |choice: Vec<usize>| runs.iter().map(move |run| [choice.clone(), vec![*run]].concat());
            choices = choices.into_iter().flat_map(longer).collect();
        }
        let run_in = |choice: &[usize], role: RoleId| {
            let roles = described.agents.iter().zip(choice);
            roles.into_iter().find(|(other, _)| **other == role).map_or(usize::MAX, |(_, run)| *run)
        };
        let agreed = choices.iter().filter_map(|choice| {
            let moments = messages.iter().map(|[sent, received]| {
                let moments = [sent, received].map(|(role, event)| (run_in(choice, *role), *event));
                self.agree(moments, [sent.0, received.0]).then_some(moments)
            });
            moments.collect::<Option<Vec<_>>>()
        });
        agreed.collect()
    }

    /// True if a message was sent and received at these moments, with the same content and by agents that know of each other.
    fn agree(&self, moments: [Moment; 2], roles: [RoleId; 2]) -> bool {
        let contents = moments.map(|(run, event)| {
            let done = self.runs.get(run).filter(|run| run.done > event)?;
            match &self.world.roles[done.role].events[event] {
                CheckedEvent::Send(message) | CheckedEvent::Receive(message) => {
                    Some(self.in_run(run, message))
                }
                _ => None,
            }
        });
        let [Some(sent), Some(received)] = contents else { return false };
        self.solution.same(&sent, &received)
            && roles.iter().all(|role| self.has_same_agent(moments.map(|(run, _)| run), *role))
    }

    /// True if in some order, of each choice a message is received before it is sent.
    fn can_be_late(self, choices: &[Vec<[Moment; 2]>]) -> bool {
        let Some((choice, rest)) = choices.split_first() else { return true };
        choice.iter().any(|[sent, received]| {
            let mut state = self.clone();
            state.put_before(*received, Some(*sent)) && state.can_be_late(rest)
        })
    }
}
