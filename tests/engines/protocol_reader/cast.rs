//! Who plays what, and what the attacker knows of it.

use super::deduce::Knowledge;
use super::run::Run;
use super::term::{AGENT, FUNCTION, TICKET, Term};
use super::text::File;
use std::collections::BTreeSet;

/// The agent on the attacker's side.
const EVE: &str = "Eve";

/// The honest agents; there are as many as a protocol has roles.
const HONEST: [&str; 4] = ["Alice", "Bob", "Charlie", "Dave"];

/// Who plays what.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cast {
    protocol: usize,
    role: usize,
    /// The agents in the roles of the head, as the run believes.
    agents: Vec<usize>,
}

fn agent(name: &str) -> Term {
    Term::constant(name, AGENT)
}

/// A run that has done nothing.
pub fn begin<'a>(file: &'a File, number: usize, cast: &Cast) -> Run<'a> {
    let protocol = &file.protocols[cast.protocol];
    let role = &protocol.roles[cast.role];
    let name = |&who: &usize| agent(HONEST[..honest(file)].get(who).unwrap_or(&EVE));
    let agents = protocol.head.iter().cloned().zip(cast.agents.iter().map(name));
    let fresh = role.fresh.iter().map(|(name, kind)| {
        (name.clone(), Term::Atom { name: name.clone(), kind: kind.clone(), run: Some(number) })
    });
    Run { protocol, role, done: 0, done_before: vec![], bindings: agents.chain(fresh).collect() }
}

/// What the attacker knows before anything happens: agents, public keys, constants, functions, the keys that she has as Eve, and
/// values of her own.
pub fn initial(file: &File) -> Knowledge {
    let mut known = Knowledge::new(file.inverses.clone());
    own(file).iter().flatten().for_each(|value| known.hear(value));
    let public = file.constants.iter().filter(|(name, _)| !file.secret.contains(*name));
    public.for_each(|(_, constant)| known.hear(constant));
    // A secret function gives agents what they share: she has what it gives for agents of which one is herself.
    let is_shared =
        |name: &&str| file.constants.get(*name).is_none_or(|function| function.has_kind(FUNCTION));
    let shared: Vec<&str> = file.secret.iter().map(|name| &**name).filter(is_shared).collect();
    shared.iter().for_each(|function| known.hear(&Term::apply(function, agent(EVE))));
    for other in HONEST[..honest(file)].iter().chain([&EVE]) {
        known.hear(&agent(other));
        for function in &shared {
            known.hear(&Term::apply(function, Term::pair(agent(other), agent(EVE))));
            known.hear(&Term::apply(function, Term::pair(agent(EVE), agent(other))));
        }
    }
    known
}

/// What the attacker has of her own: two values of each type, so that they can differ.
pub fn own(file: &File) -> Vec<[Term; 2]> {
    let roles = file.protocols.iter().flat_map(|protocol| &protocol.roles);
    let kinds = roles.flat_map(|role| role.fresh.values().chain(role.variables.values()));
    let mut kinds: BTreeSet<&str> = kinds.map(|kind| &**kind).chain([TICKET]).collect();
    kinds.retain(|kind| ![AGENT, FUNCTION, ""].contains(kind));
    let value = |kind, number| Term::constant(&format!("Eve's-{kind}-{number}"), kind);
    kinds.into_iter().map(|kind| [1, 2].map(|number| value(kind, number))).collect()
}

/// How many honest agents there are.
fn honest(file: &File) -> usize {
    file.protocols.iter().map(|protocol| protocol.head.len()).max().unwrap_or(0).min(HONEST.len())
}

/// What `count` runs can be: one for all that differ by their order or by the names of honest agents.
pub fn scenarios(file: &File, count: usize) -> Vec<Vec<Cast>> {
    let honest = honest(file);
    let mut casts = vec![];
    for (p, protocol) in file.protocols.iter().enumerate() {
        for (r, role) in protocol.roles.iter().enumerate().filter(|(_, role)| !role.events.is_empty()) {
            let actor = protocol.head.iter().position(|name| *name == role.name).expect("a role of the head");
            let agents =
                tuples(protocol.head.len(), honest + 1).into_iter().filter(|agents| agents[actor] < honest);
            casts.extend(agents.map(|agents| Cast { protocol: p, role: r, agents }));
        }
    }
    let orders: Vec<_> = tuples(honest, honest)
        .into_iter()
        .filter(|order| (0..honest).all(|who| order.contains(&who)))
        .collect();
    let renamed = |chosen: &[Cast], order: &[usize]| {
        let rename = |cast: &Cast| Cast {
            agents: cast.agents.iter().map(|&who| order.get(who).copied().unwrap_or(who)).collect(),
            ..cast.clone()
        };
        let mut chosen: Vec<Cast> = chosen.iter().map(rename).collect();
        chosen.sort();
        chosen
    };
    let one_more = |chosen: Vec<Vec<Cast>>, _| {
        let with = |chosen: &Vec<Cast>, cast: &Cast| chosen.iter().chain([cast]).cloned().collect();
        let later =
            |chosen: &Vec<Cast>| chosen.last().map_or(0, |last| casts.partition_point(|cast| cast < last));
        chosen
            .iter()
            .flat_map(|chosen| casts[later(chosen)..].iter().map(move |cast| with(chosen, cast)))
            .collect()
    };
    let mut chosen = (0..count).fold(vec![vec![]], one_more);
    chosen.retain(|chosen| orders.iter().all(|order| *chosen <= renamed(chosen, order)));
    chosen
}

/// All tuples of numbers below `below`.
fn tuples(length: usize, below: usize) -> Vec<Vec<usize>> {
    (0..length).fold(vec![vec![]], |tuples, _| {
        let longer = |tuple: &Vec<usize>| {
            let tuple = tuple.clone();
            (0..below).map(move |last| tuple.iter().copied().chain([last]).collect())
        };
        tuples.iter().flat_map(longer).collect()
    })
}

impl Run<'_> {
    /// True if all who take part in it are honest, as far as it knows.
    pub fn is_honest(&self) -> bool {
        self.protocol.head.iter().all(|role| *self.agent(role) != agent(EVE))
    }
}
