//! Certificates of claims that hold for any number of runs, and their check.
//!
//! A certificate is the tree of a search for attacks: in each pattern, it says which term of the attacker is looked at, and which
//! patterns come of it. The check shares nothing with the search but the file that it read. It begins with the patterns that
//! contradict a claim, lists for itself the ways in which the attacker can come to the named term, drops those that contradict
//! themselves or fulfil the claim, and asks for each of the others that the certificate goes on with it. As every attack is an instance
//! of one of the patterns at each level, a finite tree without any pattern left shows that there is none.

mod claim;
mod role;
mod state;
mod step;
mod term;

use super::ir::{ProtocolId, Protocols, RoleClaim, RoleId};
use super::translate::ProtocolScope;
use kit::budget::{Budget, Exhausted};
use role::{CheckedEvent, World};
use serde::{Deserialize, Serialize};
use state::{Fact, State};
use std::collections::BTreeMap;
use term::{Sort, Term};

/// The certificates of a file: `docs/schema/certificates-1.json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Certificates {
    /// `cladist/certificates-1`.
    pub schema: String,
    /// Version of the program.
    pub version: String,
    /// The file as the user wrote it.
    pub file: String,
    /// SHA-256 of its bytes, as 64 hexadecimal digits.
    #[cfg_attr(feature = "schemas", schemars(regex(pattern = "^[0-9a-f]{64}$")))]
    pub sha256: String,
    /// The attacker's abilities and the matching of terms, as constants.
    pub set: BTreeMap<String, String>,
    /// The claims that hold for any number of runs.
    pub claims: Vec<Certificate>,
}

impl Certificates {
    /// The name of the format.
    pub const SCHEMA: &str = "cladist/certificates-1";
}

/// The proof that a claim holds for any number of runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Certificate {
    /// The protocol.
    pub protocol: String,
    /// The role that claims.
    pub role: String,
    /// The label of the claim.
    pub label: String,
    /// The patterns to begin with, by their numbers. None if every run that claims fulfils the claim by itself.
    pub starts: Vec<usize>,
    /// All patterns.
    pub patterns: Vec<CertificatePattern>,
}

/// A pattern in a certificate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct CertificatePattern {
    /// The runs with their number, role, number of events and values, and the terms by which this pattern differs from others that come of
    /// the same one.
    pub pattern: String,
    /// The term that is looked at.
    pub term: String,
    /// The run and the event before which the attacker has it; at some time, without them.
    pub before: Option<(usize, usize)>,
    /// The patterns that come of the ways to the term, by their numbers.
    pub next: Vec<usize>,
}

/// The reason why a certificate proves nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotProved {
    /// The pattern, if it is about one.
    pub pattern: Option<usize>,
    /// The mistake.
    pub reason: String,
    /// The limit that ended the check, if it is that.
    pub exhausted: Option<Exhausted>,
}

impl NotProved {
    fn new(reason: impl Into<String>) -> Self {
        NotProved { pattern: None, reason: reason.into(), exhausted: None }
    }

    fn at(pattern: usize, reason: impl Into<String>) -> Self {
        NotProved { pattern: Some(pattern), ..Self::new(reason) }
    }
}

impl Certificate {
    /// Checks that the certificate proves its claim about protocols in a scope.
    ///
    /// # Errors
    /// The first thing that is wrong or missing.
    pub fn check(
        &self,
        protocols: &Protocols,
        scope: ProtocolScope,
        budget: &Budget,
    ) -> Result<(), NotProved> {
        let world = World::new(protocols, scope)?;
        let (role, event) = self.place(protocols)?;
        let claim = world.claim(role, event).ok_or_else(|| NotProved::new("this is no claim"))?;
        let mut replay = Replay { certificate: self, claim, used: vec![false; self.patterns.len()], budget };
        let mut open: Vec<(usize, State<'_>)> =
            replay.matched(None, &self.starts, starts(&world, role, event))?;
        while let Some((number, state)) = open.pop() {
            let next = replay.next(number, &state)?;
            open.extend(replay.matched(Some(number), &self.patterns[number].next, next)?);
        }
        match replay.used.iter().position(|used| !used) {
            Some(number) => Err(NotProved::at(number, "it comes of no other pattern")),
            None => Ok(()),
        }
    }

    /// The role and the event of the claim.
    fn place(&self, protocols: &Protocols) -> Result<(RoleId, usize), NotProved> {
        let is_its = |protocol: ProtocolId| protocols.protocols[protocol.index()].name == self.protocol;
        let mut roles = protocols.roles.iter().enumerate();
        let role = roles.find(|(_, role)| role.name == self.role && is_its(role.protocol));
        let (number, described) = role.ok_or_else(|| NotProved::new("there is no such role"))?;
        let mut events = described.events.iter().enumerate();
        let is_claim = |kind: &super::ir::EventKind| matches!(kind, super::ir::EventKind::Claim(_));
        let claim = events.find(|(_, event)| event.label == self.label && is_claim(&event.kind));
        let (event, _) = claim.ok_or_else(|| NotProved::new("there is no such claim"))?;
        Ok((RoleId::new(number), event))
    }
}

struct Replay<'c> {
    certificate: &'c Certificate,
    claim: &'c RoleClaim,
    used: Vec<bool>,
    budget: &'c Budget,
}

impl Replay<'_> {
    /// The patterns in which a claim is not fulfilled, each with its number in the certificate.
    fn matched<'w>(
        &mut self,
        from: Option<usize>,
        numbers: &[usize],
        states: Vec<State<'w>>,
    ) -> Result<Vec<(usize, State<'w>)>, NotProved> {
        let wrong = |reason: String| NotProved { pattern: from, ..NotProved::new(reason) };
        let mut left = numbers.to_vec();
        let mut found = Vec::new();
        for state in states.into_iter().filter(|state| !state.is_kept(self.claim, state.claims[0])) {
            let text = state.text();
            let is_it = |number: &usize| {
                self.certificate.patterns.get(*number).is_some_and(|pattern| pattern.pattern == text)
            };
            let place = left.iter().position(is_it);
            let place = place.ok_or_else(|| wrong(format!("the pattern {text} is missing")))?;
            let number = left.remove(place);
            if std::mem::replace(&mut self.used[number], true) {
                return Err(NotProved::at(number, "it comes of two patterns"));
            }
            found.push((number, state));
        }
        match left.first() {
            Some(number) => Err(wrong(format!("pattern {number} does not come of it"))),
            None => Ok(found),
        }
    }

    /// The patterns that come of the term that a pattern names.
    fn next<'w>(&self, number: usize, state: &State<'w>) -> Result<Vec<State<'w>>, NotProved> {
        if let Some(why) = self.budget.exhausted() {
            let reason = format!("the check did not end: {why}");
            return Err(NotProved { exhausted: Some(why), ..NotProved::new(reason) });
        }
        let named = &self.certificate.patterns[number];
        let is_it = |fact: &Fact| {
            fact.is_whole
                && fact.source.is_none()
                && fact.before == named.before
                && state.written(&fact.term) == named.term
        };
        let fact = state.facts.iter().position(is_it);
        let fact = fact.ok_or_else(|| NotProved::at(number, "the attacker does not need this term then"))?;
        match state.solution.of(&state.facts[fact].term) {
            Term::Sealed(_) => {}
            Term::Name(name) if !state.world.is_public(name) => {}
            _ => return Err(NotProved::at(number, "the attacker may have this term from the beginning")),
        }
        state
            .explained(fact)
            .ok_or_else(|| NotProved::at(number, "patterns with so many runs are not checked"))
    }
}

/// The patterns of which all attacks on a claim are instances: a run with honest agents that comes to it, and the attacker with the
/// secret; or with another run that commits to the same.
fn starts<'w>(world: &'w World<'w>, role: RoleId, event: usize) -> Vec<State<'w>> {
    let described = &world.roles[role.index()];
    let Some(CheckedEvent::Claim(content)) = described.events.get(event) else { return Vec::new() };
    let mut state = State::new(world);
    let run = state.begin(role.index());
    for agent in 0..described.agents.len() {
        let honest = state.solution.unknown(Sort::HonestAgent);
        let agent = state.runs[run].own[agent].clone();
        if !state.solution.solve(&agent, &honest) {
            return Vec::new();
        }
    }
    state.claims.push((run, event));
    if !state.run_to((run, event)) {
        return Vec::new();
    }
    let mut found = Vec::new();
    match (world.claim(role, event), content) {
        (Some(RoleClaim::Secret(_) | RoleClaim::SessionKey(_)), Some(secret)) => {
            let secret = state.in_run(run, secret);
            state.facts.push(Fact::new(secret, None));
        }
        (Some(RoleClaim::Commit { role: partner, injective: true, .. }), data) if !described.is_singular => {
            let mut twice = state.clone();
            let other = twice.begin(role.index());
            twice.claims.push((other, event));
            let agents = [role, *partner]
                .into_iter()
                .filter_map(|of| described.agents.iter().position(|agent| *agent == of));
            let agents = agents.map(Term::Unknown).chain(data.clone());
            let is_possible = twice.run_to((other, event))
                && agents.into_iter().all(|term| {
                    let [one, other] = [run, other].map(|run| twice.in_run(run, &term));
                    twice.solution.solve(&one, &other)
                });
            found.extend(is_possible.then_some(twice));
        }
        _ => {}
    }
    found.push(state);
    if world.scope.reveals.actor {
        let exposed: Vec<State<'_>> = found.iter().filter_map(|state| exposing(state, run)).collect();
        found.extend(exposed);
    }
    found.retain_mut(State::conclude);
    found
}

/// The pattern in which the keys of the agent that claims are lost, and none of its partners'.
fn exposing<'w>(state: &State<'w>, run: usize) -> Option<State<'w>> {
    let mut state = state.clone();
    let described = &state.world.roles[state.runs[run].role];
    let actor = described.agents.iter().position(|agent| Some(*agent) == described.id)?;
    let own = state.runs[run].own[actor].clone();
    for (place, agent) in state.runs[run].own[..described.agents.len()].iter().enumerate() {
        if place != actor {
            state.differ.push((own.clone(), agent.clone()));
        }
    }
    state.exposed = Some(own);
    Some(state)
}
