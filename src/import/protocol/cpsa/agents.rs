//! The agents of roles: of its variables of sort `name`, the one that a run of a role acts for.

use super::forms::{CpsaProtocol, CpsaRole};
use super::terms::{PRIVATE, PUBLIC, SHARED, Sort, names, parts, same, walk};
use crate::protocol::text::tree::{TermKind, TermSyntax};
use std::collections::BTreeMap;

/// For each role the variable of its agent, with the keys that the role uses and this agent does not have. No variable if there is none for
/// the role alone.
pub fn actors(protocol: &CpsaProtocol) -> Vec<(Option<String>, Vec<TermSyntax>)> {
    let roles: Vec<_> = protocol.roles.iter().map(RoleKeys::of).collect();
    let mut found: Vec<Option<String>> = vec![None; roles.len()];
    let mut left: Vec<usize> = (0..roles.len()).collect();
    while !left.is_empty() {
        // The role with the clearest choice comes first.
        let best = left.iter().enumerate().max_by_key(|(place, role)| {
            let scores = roles[**role].scores(&found);
            let best = scores.first().map_or(0, |(_, score)| *score);
            let next = scores.get(1).map_or(-1, |(_, score)| *score);
            (best - next, std::cmp::Reverse(*place))
        });
        let place = best.map_or(0, |(place, _)| place);
        let role = left.remove(place);
        let scores = roles[role].scores(&found);
        let chosen = scores
            .first()
            .filter(|(name, score)| *score > -TAKEN || !found.iter().flatten().any(|taken| taken == name));
        found[role] = chosen.map(|(name, _)| name.clone());
    }
    let lacking = found.iter().zip(&roles).map(|(actor, keys)| {
        let lacks = |key: &&TermSyntax| !actor.as_ref().is_some_and(|actor| owns(actor, key));
        keys.needed.iter().filter(lacks).cloned().collect()
    });
    let lacking: Vec<Vec<TermSyntax>> = lacking.collect();
    found.into_iter().zip(lacking).collect()
}

/// True if an agent has a private or a shared key.
fn owns(agent: &str, key: &TermSyntax) -> bool {
    names(key).contains(&agent)
}

/// The keys that a variable loses which is the agent of another role already.
const TAKEN: i32 = 3;

/// The keys of agents in a role.
struct RoleKeys {
    agents: Vec<String>,
    /// Those without which the role cannot send or open a message.
    needed: Vec<TermSyntax>,
    /// Those of other encryptions that it receives.
    checked: Vec<TermSyntax>,
}

impl RoleKeys {
    fn of(role: &CpsaRole) -> Self {
        let agents =
            role.sorts.iter().filter(|(_, sort)| *sort == Sort::Name).map(|(name, _)| name.text.clone());
        let mut keys = RoleKeys { agents: agents.collect(), needed: Vec::new(), checked: Vec::new() };
        let mut known = keys.agents.clone();
        let mut received: Vec<&TermSyntax> = Vec::new();
        for event in &role.trace {
            match event.sends {
                true => keys.make(&event.content, &received),
                false => {
                    keys.open(&event.content, &known);
                    walk(&event.content, &mut |part| received.push(part));
                }
            }
            known.extend(names(&event.content).into_iter().map(str::to_owned));
        }
        keys
    }

    fn need(into: &mut Vec<TermSyntax>, key: &TermSyntax) {
        if !into.iter().any(|other| same(other, key)) {
            into.push(key.clone());
        }
    }

    fn make(&mut self, term: &TermSyntax, received: &[&TermSyntax]) {
        if received.iter().any(|other| same(other, term)) {
            return;
        }
        match &term.kind {
            TermKind::Encrypted { body, key } => {
                if is_key(key, PRIVATE) || is_key(key, SHARED) {
                    Self::need(&mut self.needed, key);
                }
                body.iter().for_each(|part| self.make(part, received));
            }
            TermKind::Apply { function, .. } if function.text == PRIVATE || function.text == SHARED => {
                Self::need(&mut self.needed, term);
            }
            _ => parts(term).into_iter().for_each(|part| self.make(part, received)),
        }
    }

    fn open(&mut self, term: &TermSyntax, known: &[String]) {
        if let TermKind::Encrypted { body, key } = &term.kind
            && (is_key(key, PUBLIC) || is_key(key, SHARED))
        {
            let is_known = |name: &str| name.starts_with('"') || known.iter().any(|other| other == name);
            let is_new = body.iter().flat_map(names).any(|name| !is_known(name));
            Self::need(if is_new { &mut self.needed } else { &mut self.checked }, key);
        }
        parts(term).into_iter().for_each(|part| self.open(part, known));
    }

    /// The variables of agents, those first that have more of the keys and that no other role has taken.
    fn scores(&self, taken: &[Option<String>]) -> Vec<(String, i32)> {
        let count = |keys: &[TermSyntax], agent: &str| keys.iter().filter(|key| owns(agent, key)).count();
        let mut scores: BTreeMap<usize, i32> = BTreeMap::new();
        for (place, agent) in self.agents.iter().enumerate() {
            let own = 2 * count(&self.needed, agent) + count(&self.checked, agent);
            let is_taken = taken.iter().flatten().any(|other| other == agent);
            let own = i32::try_from(own).unwrap_or(i32::MAX / 2);
            scores.insert(place, own - if is_taken { TAKEN } else { 0 });
        }
        let mut scores: Vec<_> =
            scores.into_iter().map(|(place, score)| (self.agents[place].clone(), score)).collect();
        scores.sort_by_key(|(_, score)| -score);
        scores
    }
}

fn is_key(term: &TermSyntax, of: &str) -> bool {
    matches!(&term.kind, TermKind::Apply { function, .. } if function.text == of)
}
