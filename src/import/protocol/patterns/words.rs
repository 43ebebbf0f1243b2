//! The words of `std/protocols.pred` for patterns, from the definitions there. Agents that need not be the same differ.

use super::role::{PatternEvent, Promise};
use super::state::{PartialPattern, PatternRun, RunEvent, TermSource};
use super::term::{AtomName, AtomSort, PatternAtom, PatternTerm, VariableSort};
use crate::protocol::ir::{ProtocolId, RoleId};
use itertools::Itertools;

/// The words, in the order of the vocabulary of a claim: of several that cover the same attacks, the first one names them.
pub const WORDS: [&str; 12] = [
    "with_partners",
    "other_protocol",
    "reflection",
    "oracle",
    "replay",
    "man_in_the_middle",
    "redirection",
    "impersonation",
    "disclosure",
    "planted",
    "disagreement",
    "without_partner",
];

/// An encrypted term or an application of a function, as a role writes it in a message.
struct WrittenTerm<'t> {
    role: usize,
    label: &'t str,
    term: &'t PatternTerm,
}

impl<'t> PartialPattern<'t> {
    /// The words that describe the run of a claim, the first one of [`WORDS`] first.
    pub fn words(&self, claim: RunEvent) -> Vec<&'static str> {
        let victim = claim.run;
        let PatternEvent::Claim(promise) = &self.theory.roles[self.runs[victim].role].events[claim.event]
        else {
            return Vec::new();
        };
        let ways = VictimView::new(self, victim);
        let others = || 0..self.runs.len();
        let is_place = matches!(promise, Promise::Reachable);
        let is_secret = matches!(promise, Promise::Secret(_));
        let is_injective = matches!(promise, Promise::Commit { is_injective: true, .. });
        let straight = !ways.is_astray();
        let is_overheard = is_secret && self.is_overheard(victim, promise);
        let has = |word: &&&str| match **word {
            "with_partners" => is_place && straight && ways.roles().all(|role| !ways.is_alone(role)),
            "other_protocol" => others().any(|run| {
                ways.is_foreign(run) && (ways.is_linked(run) || self.gives_away(run, victim, promise))
            }),
            "reflection" => others().any(|run| ways.reflects(run)),
            "oracle" => others().any(|run| ways.confuses[run] && !ways.is_old(run)),
            "replay" => {
                let again = |run| is_injective && ways.is_taken_again(run);
                others().any(|run| ways.takes(run) && (ways.is_old(run) || again(run)))
            }
            "man_in_the_middle" => others().any(|run| ways.is_between(run)),
            "redirection" => others().any(|run| ways.takes(run) && ways.differ(run)),
            "impersonation" => {
                !is_place && !is_overheard && straight && ways.roles().any(|role| ways.is_alone(role))
            }
            "disclosure" => is_secret && straight && (is_overheard || self.is_disclosed(victim, promise)),
            "planted" => is_secret && straight && self.is_fooled(victim),
            "disagreement" => {
                !is_secret
                    && !is_place
                    && straight
                    && others().any(|run| ways.is_partner(run) && ways.is_linked(run))
            }
            "without_partner" => is_place && straight && ways.roles().any(|role| ways.is_alone(role)),
            _ => false,
        };
        WORDS.iter().filter(has).copied().collect()
    }

    /// The names of the helpers of which runs receive something: what these do, the attacker can do.
    pub fn helpers(&self) -> Vec<String> {
        let helps = |run: &PatternRun| {
            let role = &self.theory.roles[run.role];
            role.is_helper && role.events.iter().any(|event| matches!(event, PatternEvent::Receive(_)))
        };
        let protocols = (0..self.runs.len()).filter(|run| helps(&self.runs[*run]));
        let names = protocols.filter_map(|run| {
            Some(self.theory.protocols.protocols[self.protocol(run)?.index()].name.clone())
        });
        names.sorted().dedup().collect()
    }

    /// True if a run sends the secret of a run in the clear.
    fn is_overheard(&self, run: usize, promise: &Promise) -> bool {
        let Promise::Secret(term) = promise else { return false };
        let term = self.bindings.resolve(&self.instance(run, term));
        (0..self.runs.len()).filter(|sender| self.described(*sender).is_some()).any(|sender| {
            let PatternRun { role, done, .. } = self.runs[sender];
            let clear = self
                .theory
                .parts
                .iter()
                .filter(|part| part.role == role && part.event < done && part.within.is_none());
            let mut clear = clear.map(|part| self.bindings.resolve(&self.instance(sender, &part.term)));
            clear.any(|clear| clear.components().contains(&&term))
        })
    }

    /// True if the attacker takes the secret of a run out of a message.
    fn is_disclosed(&self, run: usize, promise: &Promise) -> bool {
        (0..self.runs.len()).any(|sender| self.gives_away(sender, run, promise))
    }

    /// True if the attacker takes the secret of a run out of a message of this sender.
    fn gives_away(&self, sender: usize, run: usize, promise: &Promise) -> bool {
        let Promise::Secret(term) = promise else { return false };
        let term = self.instance(run, term);
        self.described(sender).is_some()
            && self.met.iter().any(|(goal, source)| {
                matches!(source, TermSource::Sent(place) if place.run == sender)
                    && self.bindings.equal(&goal.term, &term)
            })
    }

    /// True if a run has received a value that may be any of the attacker's.
    fn is_fooled(&self, run: usize) -> bool {
        let kinds = &self.theory.roles[self.runs[run].role].kinds;
        self.held(run).into_iter().any(|variable| {
            let held = PatternTerm::Variable(self.runs[run].first + variable);
            match self.bindings.head(&held) {
                PatternTerm::Variable(open) => {
                    kinds[variable] != VariableSort::Any
                        && !matches!(
                            self.bindings.kind(*open),
                            VariableSort::Agent | VariableSort::HonestAgent
                        )
                }
                _ => false,
            }
        })
    }

    /// The role of a run in the file.
    fn described(&self, run: usize) -> Option<RoleId> {
        self.theory.roles[self.runs[run].role].described
    }

    fn protocol(&self, run: usize) -> Option<ProtocolId> {
        Some(self.theory.protocols.roles[self.described(run)?.index()].protocol)
    }

    /// The variables in what a run has received, but for its agents.
    fn held(&self, run: usize) -> Vec<usize> {
        let role = &self.theory.roles[self.runs[run].role];
        let mut held = Vec::new();
        for event in &role.events[..self.runs[run].done] {
            let PatternEvent::Receive(message) = event else { continue };
            message.walk(&mut |part| {
                if let PatternTerm::Variable(variable) = part
                    && *variable >= role.partners.len()
                    && !held.contains(variable)
                {
                    held.push(*variable);
                }
            });
        }
        held
    }

    /// The encrypted terms and applications in messages of a run, with the numbers of their events.
    fn written(&self, run: usize, sent: bool) -> Vec<(usize, WrittenTerm<'t>)> {
        let number = self.runs[run].role;
        let role = &self.theory.roles[number];
        let Some(described) = role.described else { return Vec::new() };
        if role.is_helper && role.events.iter().any(|event| matches!(event, PatternEvent::Receive(_))) {
            return Vec::new();
        }
        let events = &self.theory.protocols.roles[described.index()].events;
        let mut found = Vec::new();
        for (index, event) in role.events.iter().enumerate().take(self.runs[run].done) {
            let message = match event {
                PatternEvent::Send(message) if sent => message,
                PatternEvent::Receive(message) if !sent => message,
                _ => continue,
            };
            let of = |term| (index, WrittenTerm { role: number, label: &events[index].label, term });
            found.extend(identifying(message).into_iter().map(of));
        }
        found
    }

    /// True if the protocol intends a part of a received message to be one of a sent one.
    fn is_meant(&self, received: &WrittenTerm<'_>, sent: &WrittenTerm<'_>) -> bool {
        let protocol = |role: usize| self.theory.protocols.roles[role].protocol;
        let has_form = |a: &WrittenTerm<'_>, b: (usize, &PatternTerm)| self.same_form((a.role, a.term), b);
        if protocol(received.role) != protocol(sent.role) || !has_form(received, (sent.role, sent.term)) {
            return false;
        }
        let own = |number: usize| {
            let role = &self.theory.roles[number];
            let Some(described) = role.described else { return false };
            let labels = &self.theory.protocols.roles[described.index()].events;
            protocol(number) == protocol(received.role)
                && role.events.iter().zip(labels).any(|(event, described)| match event {
                    PatternEvent::Send(message) if described.label == received.label => {
                        identifying(message).into_iter().any(|term| has_form(received, (number, term)))
                    }
                    _ => false,
                })
        };
        sent.label == received.label || !(0..self.theory.protocols.roles.len()).any(own)
    }

    /// True if two terms of roles of one protocol are equal up to the values of variables.
    fn same_form(&self, (role, a): (usize, &PatternTerm), (other, b): (usize, &PatternTerm)) -> bool {
        let same = |a, b| self.same_form((role, a), (other, b));
        let shape = |role: usize, term: &PatternTerm| {
            let role = &self.theory.roles[role];
            match term {
                PatternTerm::Variable(variable) if *variable < role.partners.len() => {
                    TermShape::Partner(*variable)
                }
                PatternTerm::Variable(variable) => match role.kinds[*variable] {
                    VariableSort::Agent | VariableSort::HonestAgent => TermShape::Agent,
                    VariableSort::Value(ty) => TermShape::Value(ty.index()),
                    VariableSort::Atomic | VariableSort::Any | VariableSort::Product => TermShape::Any,
                },
                PatternTerm::Atom(PatternAtom {
                    name: AtomName::Fresh { .. },
                    sort: AtomSort::Value(ty),
                }) => TermShape::Value(ty.index()),
                PatternTerm::Atom(atom) => TermShape::Constant(*atom),
                PatternTerm::Pair(..) | PatternTerm::Crypt(..) | PatternTerm::Power(..) => {
                    TermShape::Composed
                }
            }
        };
        match (shape(role, a), shape(other, b)) {
            (TermShape::Any, _) | (_, TermShape::Any) => true,
            (TermShape::Agent, TermShape::Partner(_)) | (TermShape::Partner(_), TermShape::Agent) => true,
            (TermShape::Composed, TermShape::Composed) => match (a, b) {
                (PatternTerm::Pair(a, b), PatternTerm::Pair(c, d))
                | (PatternTerm::Crypt(a, b), PatternTerm::Crypt(c, d)) => same(a, c) && same(b, d),
                // A base of any type can have exponents.
                (PatternTerm::Power(a, exponents), PatternTerm::Power(b, others)) => {
                    shape(role, a) == TermShape::Any
                        || shape(other, b) == TermShape::Any
                        || same(a, b)
                            && exponents.len() == others.len()
                            && exponents.iter().zip(&**others).all(|(a, b)| same(a, b))
                }
                _ => false,
            },
            (a, b) => a == b,
        }
    }
}

/// The shape of a term of a role, without the values of its variables.
#[derive(PartialEq, Eq)]
enum TermShape {
    Any,
    Partner(usize),
    Agent,
    Value(usize),
    Constant(PatternAtom),
    Composed,
}

/// The encrypted terms and applications of functions in a message, outside of keys, except for applications to agents and constants
/// only: these do not tell who made them.
fn identifying(message: &PatternTerm) -> Vec<&PatternTerm> {
    match message {
        PatternTerm::Pair(a, b) => [identifying(a), identifying(b)].concat(),
        PatternTerm::Crypt(body, key) => {
            let mut found = identifying(body);
            let is_function =
                matches!(**key, PatternTerm::Atom(PatternAtom { sort: AtomSort::Function, .. }));
            let is_common = |part: &&PatternTerm| {
                matches!(
                    part,
                    PatternTerm::Atom(PatternAtom { name: AtomName::Symbol(_), .. })
                        | PatternTerm::Variable(_)
                )
            };
            if !is_function || !body.components().iter().all(is_common) {
                found.insert(0, message);
            }
            found
        }
        PatternTerm::Power(base, exponents) => {
            [&**base].into_iter().chain(&**exponents).flat_map(identifying).collect()
        }
        PatternTerm::Variable(_) | PatternTerm::Atom(_) => Vec::new(),
    }
}

/// The runs of a pattern, as its victim sees them.
struct VictimView<'s, 't> {
    state: &'s PartialPattern<'t>,
    victim: usize,
    /// Of each pair of runs, true if the first one has received what the second one made.
    taken: Vec<Vec<bool>>,
    /// Of each run, true if it made for another place what the victim received.
    confuses: Vec<bool>,
}

impl<'s, 't> VictimView<'s, 't> {
    fn new(state: &'s PartialPattern<'t>, victim: usize) -> Self {
        let count = state.runs.len();
        let mut ways = VictimView { state, victim, taken: Vec::new(), confuses: vec![false; count] };
        for receiver in 0..count {
            let confuses = ways.confused_by(receiver);
            let takes = (0..count).map(|maker| {
                confuses[maker]
                    || maker != receiver
                        && (ways.holds(receiver, maker) || ways.has_made(receiver, maker, true))
            });
            let takes = takes.collect();
            ways.taken.push(takes);
            if receiver == victim {
                ways.confuses = confuses;
            }
        }
        ways
    }

    /// True if a run has received a value that another one made.
    fn holds(&self, receiver: usize, maker: usize) -> bool {
        let state = self.state;
        state.held(receiver).into_iter().any(|variable| {
            let held = state.bindings.resolve(&PatternTerm::Variable(state.runs[receiver].first + variable));
            held.has(|part| matches!(part, PatternTerm::Atom(PatternAtom { name: AtomName::Fresh { run, .. }, .. }) if *run == maker))
        })
    }

    /// True if a run has received an encrypted term that another one, or itself before, made for this place, or for another one.
    fn has_made(&self, receiver: usize, maker: usize, in_place: bool) -> bool {
        let received = self.state.written(receiver, false);
        received.iter().any(|(event, part)| self.is_made_by((receiver, *event), part, maker, in_place))
    }

    fn is_made_by(
        &self,
        (receiver, event): (usize, usize),
        part: &WrittenTerm<'_>,
        maker: usize,
        in_place: bool,
    ) -> bool {
        let state = self.state;
        let term = state.instance(receiver, part.term);
        state.written(maker, true).iter().any(|(sent, written)| {
            (maker != receiver || *sent < event)
                && state.is_meant(part, written) == in_place
                && state.bindings.equal(&term, &state.instance(maker, written.term))
        })
    }

    /// The runs that made for another place what a run has received, and nobody made for this place.
    fn confused_by(&self, receiver: usize) -> Vec<bool> {
        let runs = || 0..self.state.runs.len();
        let received = self.state.written(receiver, false);
        let astray = received.iter().filter(|(event, part)| {
            !runs().any(|maker| maker != receiver && self.is_made_by((receiver, *event), part, maker, true))
        });
        let astray: Vec<_> = astray.collect();
        let confuses = |maker| {
            astray.iter().any(|(event, part)| self.is_made_by((receiver, *event), part, maker, false))
        };
        runs().map(confuses).collect()
    }

    fn takes(&self, run: usize) -> bool {
        self.taken[self.victim][run]
    }

    /// True for runs of helpers that only send.
    /// True if another run of the victim's role with its agents takes something of a run as well.
    fn is_taken_again(&self, run: usize) -> bool {
        let state = self.state;
        let is_twin = |other: usize| {
            other != self.victim
                && state.runs[other].role == state.runs[self.victim].role
                && self.roles().all(|role| self.same_agent(other, role) == Some(true))
        };
        (0..state.runs.len()).any(|other| self.taken[other][run] && is_twin(other))
    }

    fn is_old(&self, run: usize) -> bool {
        let role = &self.state.theory.roles[self.state.runs[run].role];
        role.is_helper && !role.events.iter().any(|event| matches!(event, PatternEvent::Receive(_)))
    }

    /// True for runs of other protocols than that of the victim, helpers aside.
    fn is_foreign(&self, run: usize) -> bool {
        let protocol = self.state.protocol(run);
        let is_helper = self.state.theory.roles[self.state.runs[run].role].is_helper;
        !is_helper && protocol.is_some() && protocol != self.state.protocol(self.victim)
    }

    /// The roles of the protocol of the victim.
    fn roles(&self) -> impl Iterator<Item = usize> + use<> {
        0..self.state.theory.roles[self.state.runs[self.victim].role].partners.len()
    }

    /// The agent that a run has in mind for a role of the protocol of the victim.
    fn agent(&self, run: usize, role: usize) -> Option<PatternTerm> {
        let state = self.state;
        (state.protocol(run) == state.protocol(self.victim))
            .then(|| PatternTerm::Variable(state.runs[run].first + role))
    }

    fn same_agent(&self, run: usize, role: usize) -> Option<bool> {
        let own = self.agent(self.victim, role)?;
        Some(self.state.bindings.equal(&self.agent(run, role)?, &own))
    }

    /// The place of a run's role among those of its protocol.
    fn place(&self, run: usize) -> Option<usize> {
        let state = self.state;
        state.described(run).map(|_| state.theory.roles[state.runs[run].role].actor())
    }

    fn is_own(&self, run: usize) -> bool {
        let actor = |run: usize| Some(PatternTerm::Variable(self.state.runs[run].first + self.place(run)?));
        actor(run).zip(actor(self.victim)).is_some_and(|(a, b)| self.state.bindings.equal(&a, &b))
    }

    /// True if a run plays a role for the agent that the victim has in mind for it.
    fn plays(&self, run: usize, role: usize) -> bool {
        self.place(run) == Some(role) && self.same_agent(run, role) == Some(true)
    }

    fn is_partner(&self, run: usize) -> bool {
        self.roles().any(|role| self.place(self.victim) != Some(role) && self.plays(run, role))
    }

    fn differ(&self, run: usize) -> bool {
        self.roles().any(|role| self.same_agent(run, role) == Some(false))
    }

    fn reflects(&self, run: usize) -> bool {
        self.takes(run)
            && self.is_own(run)
            && !self.is_old(run)
            && (self.confuses[run] || !self.is_partner(run))
    }

    /// True if a run is a partner who has somebody else in mind, and both take something of each other.
    fn is_between(&self, run: usize) -> bool {
        let own = self.place(self.victim);
        self.takes(run)
            && self.taken[run][self.victim]
            && self.is_partner(run)
            && own.is_some_and(|role| self.same_agent(run, role) == Some(false))
    }

    fn is_astray(&self) -> bool {
        (0..self.state.runs.len()).any(|run| {
            self.takes(run)
                && (self.is_old(run)
                    || self.confuses[run]
                    || self.differ(run)
                    || self.is_own(run) && !self.is_partner(run))
        })
    }

    fn is_linked(&self, run: usize) -> bool {
        let touch = |a: usize, b: usize| self.taken[a][b] || self.taken[b][a];
        touch(self.victim, run)
            || (0..self.state.runs.len()).any(|third| touch(self.victim, third) && touch(third, run))
    }

    fn is_alone(&self, role: usize) -> bool {
        self.place(self.victim) != Some(role)
            && !(0..self.state.runs.len()).any(|run| self.plays(run, role) && self.is_linked(run))
    }
}
