//! Random protocols with Diffie–Hellman: claims against a search through all interleavings.
//!
//! The search knows nothing of the translation. A power is a base with a multiset of exponents, and what the attacker can make are all
//! terms up to some size that are in the least set closed under the rules of the definition.

use super::protocol_random::{Found, NOTHING, RUNS, of_model, within};
use crate::random::{Random, cases, one_in};
use cladist::protocol::{Matching, ProtocolScope, Reveals};
use itertools::Itertools;
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// A term of a role.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Term {
    Role(usize),
    /// A fresh value, of this role; in the other one, the variable for it.
    Fresh(usize, &'static str),
    /// The power that a role has received.
    Received,
    Base,
    Power(Box<Term>, Box<Term>),
    Tuple(Vec<Term>),
    Encrypted(Box<Term>, Box<Term>),
    Private(usize),
    Shared,
    Hash(Box<Term>),
}

const ROLES: [&str; 2] = ["I", "R"];
const FRESH: [(&str, usize); 3] = [("xi", 0), ("ni", 0), ("xr", 1)];

impl Term {
    fn text(&self) -> String {
        match self {
            Term::Role(role) => ROLES[*role].to_owned(),
            Term::Fresh(_, name) => (*name).to_owned(),
            Term::Received => "Z".to_owned(),
            Term::Base => "g".to_owned(),
            Term::Power(base, exponent) => format!("exp({},{})", base.text(), exponent.text()),
            Term::Tuple(parts) => parts.iter().map(Term::text).join(","),
            Term::Encrypted(body, key) => format!("{{{}}}{}", body.text(), key.text()),
            Term::Private(role) => format!("sk({})", ROLES[*role]),
            Term::Shared => "k(I,R)".to_owned(),
            Term::Hash(body) => format!("h({})", body.text()),
        }
    }

    fn walk(&self, visit: &mut impl FnMut(&Term)) {
        visit(self);
        match self {
            Term::Power(a, b) | Term::Encrypted(a, b) => {
                a.walk(visit);
                b.walk(visit);
            }
            Term::Hash(body) => body.walk(visit),
            Term::Tuple(parts) => parts.iter().for_each(|part| part.walk(visit)),
            _ => {}
        }
    }
}

/// A term without variables.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Ground {
    Agent(u8),
    Fresh(usize, &'static str),
    /// The attacker's own nonce.
    Own,
    Base,
    /// A base that is no power, and at least one exponent, in order.
    Power(Box<Ground>, Vec<Ground>),
    Tuple(Vec<Ground>),
    Encrypted(Box<Ground>, Box<Ground>),
    Private(u8),
    Public(u8),
    Shared(u8, u8),
    Hash(Box<Ground>),
}

fn power(base: Ground, exponents: Vec<Ground>) -> Ground {
    let (base, mut all) = match base {
        Ground::Power(base, own) => (*base, own),
        base => (base, Vec::new()),
    };
    all.extend(exponents);
    all.sort();
    if all.is_empty() { base } else { Ground::Power(Box::new(base), all) }
}

impl Ground {
    /// Adds the term, what is in it, and what is in that; no exponents.
    fn parts(&self, found: &mut BTreeSet<Ground>) {
        found.insert(self.clone());
        match self {
            Ground::Tuple(parts) => {
                for from in 1..parts.len() {
                    found.insert(tuple(parts[from..].to_vec()));
                }
                parts.iter().for_each(|part| part.parts(found));
            }
            Ground::Encrypted(body, _) | Ground::Hash(body) => body.parts(found),
            _ => {}
        }
    }
}

fn tuple(mut parts: Vec<Ground>) -> Ground {
    if parts.len() == 1 { parts.remove(0) } else { Ground::Tuple(parts) }
}

const EVE: u8 = 2;
/// The most exponents of what is received. The three of the model would take long.
const EXPONENTS: usize = 2;

/// What the attacker has taken apart.
#[derive(Default)]
struct Knowledge(BTreeSet<Ground>);

impl Knowledge {
    fn learn(&mut self, message: &Ground) {
        self.0.insert(message.clone());
        loop {
            let mut new = Vec::new();
            for known in &self.0 {
                match known {
                    Ground::Tuple(parts) => new.extend(parts.clone()),
                    Ground::Encrypted(body, key) => {
                        let inverse = match &**key {
                            Ground::Private(agent) => Ground::Public(*agent),
                            key => key.clone(),
                        };
                        if self.makes(&inverse) {
                            new.push((**body).clone());
                        }
                    }
                    _ => {}
                }
            }
            let before = self.0.len();
            self.0.extend(new);
            if self.0.len() == before {
                return;
            }
        }
    }

    fn makes(&self, term: &Ground) -> bool {
        self.0.contains(term)
            || match term {
                Ground::Agent(_) | Ground::Own | Ground::Base | Ground::Public(_) => true,
                Ground::Fresh(..) => false,
                Ground::Power(base, exponents) => self.raises(base, exponents),
                Ground::Tuple(parts) => parts.iter().all(|part| self.makes(part)),
                Ground::Encrypted(body, key) => self.makes(body) && self.makes(key),
                Ground::Private(agent) => *agent == EVE,
                Ground::Shared(a, b) => *a == EVE || *b == EVE,
                Ground::Hash(body) => self.makes(body),
            }
    }

    /// True if some part of the exponents makes a power, or none the base, that she has, and she can make all others.
    fn raises(&self, base: &Ground, exponents: &[Ground]) -> bool {
        (0..1_usize << exponents.len()).any(|chosen| {
            let (given, applied): (Vec<_>, Vec<_>) =
                exponents.iter().enumerate().partition(|(number, _)| chosen >> number & 1 == 1);
            let given = given.into_iter().map(|(_, exponent)| exponent.clone()).collect_vec();
            let start = power(base.clone(), given.clone());
            let has = if given.is_empty() { self.makes(&start) } else { self.0.contains(&start) };
            has && applied.into_iter().all(|(_, exponent)| self.makes(exponent))
        })
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Event {
    Send(usize),
    Receive(usize),
    /// Says that it has its power.
    Running,
}

#[derive(Debug)]
struct Message {
    sender: usize,
    /// As each role sees it.
    seen: [Term; 2],
}

#[derive(Debug)]
pub(super) struct Protocol {
    messages: Vec<Message>,
    events: [Vec<Event>; 2],
    /// Powers of each role, which it claims to be secret.
    secrets: [Vec<Term>; 2],
    /// The role that commits to a power, and the power as each role makes it.
    commitment: Option<(usize, [Term; 2])>,
}

/// What a role can make, with the value in an undisturbed session.
type Known = Vec<(Term, Ground)>;

/// Powers of what a role knows, with at most so many exponents.
fn powers(known: &Known) -> Known {
    let is_base = |value: &Ground| matches!(value, Ground::Base | Ground::Power(..));
    let exponents = known.iter().filter(|(term, _)| matches!(term, Term::Fresh(..))).collect_vec();
    let mut found: Known = known.iter().filter(|(_, value)| is_base(value)).cloned().collect();
    for _ in 0..2 {
        let raised = found.iter().cartesian_product(&exponents).map(|((base, value), (exponent, by))| {
            let term = Term::Power(Box::new(base.clone()), Box::new(exponent.clone()));
            (term, power(value.clone(), vec![by.clone()]))
        });
        let raised = raised.collect_vec();
        found.extend(raised);
    }
    let is_small = |(_, value): &(Term, Ground)| match value {
        Ground::Power(_, exponents) => exponents.len() <= EXPONENTS,
        _ => true,
    };
    found.into_iter().filter(is_small).unique().collect()
}

/// How a role sees a value of an undisturbed session; nothing if it cannot look into it. Adds what it learns.
fn view(value: &Ground, known: &mut Known) -> Option<Term> {
    if let Some((term, _)) = powers(known).iter().chain(known.iter()).find(|(_, other)| other == value) {
        return Some(term.clone());
    }
    let seen = match value {
        Ground::Fresh(maker, name) => Term::Fresh(*maker, name),
        Ground::Power(..) if !known.iter().any(|(term, _)| *term == Term::Received) => Term::Received,
        Ground::Tuple(parts) => {
            return parts.iter().map(|part| view(part, known)).collect::<Option<_>>().map(Term::Tuple);
        }
        Ground::Encrypted(body, key) => {
            let key = match &**key {
                Ground::Private(agent) => Term::Private(usize::from(*agent)),
                key => view(key, known)?,
            };
            return Some(Term::Encrypted(Box::new(view(body, known)?), Box::new(key)));
        }
        Ground::Hash(body) => return Some(Term::Hash(Box::new(view(body, known)?))),
        _ => return None,
    };
    known.push((seen.clone(), value.clone()));
    Some(seen)
}

fn item(role: usize, known: &Known, random: &mut Random, depth: usize) -> (Term, Ground) {
    let powers = powers(known);
    match random.below(if depth == 0 { 4 } else { 8 }) {
        0..=2 => random.pick(&powers).clone(),
        3 => random.pick(known).clone(),
        4 => {
            let (term, value) = random.pick(&powers).clone();
            (Term::Hash(Box::new(term)), Ground::Hash(Box::new(value)))
        }
        _ => {
            let parts = (0..1 + random.below(3)).map(|_| item(role, known, random, 0)).collect_vec();
            let (terms, values): (Vec<_>, Vec<_>) = parts.into_iter().unzip();
            let (key, by) = match random.below(3) {
                0 => (Term::Private(role), Ground::Private(role as u8)),
                1 => (Term::Shared, Ground::Shared(0, 1)),
                _ => random.pick(&powers).clone(),
            };
            let body = if terms.len() == 1 { terms[0].clone() } else { Term::Tuple(terms) };
            (
                Term::Encrypted(Box::new(body), Box::new(key)),
                Ground::Encrypted(Box::new(tuple(values)), Box::new(by)),
            )
        }
    }
}

pub(super) fn random_protocol(random: &mut Random) -> Protocol {
    let mut known: [Known; 2] = [0, 1].map(|role| {
        let own = FRESH.iter().filter(|(_, maker)| *maker == role);
        let own = own.map(|(name, maker)| (Term::Fresh(*maker, name), Ground::Fresh(*maker, name)));
        let common =
            [(Term::Base, Ground::Base), (Term::Shared, Ground::Shared(0, 1))].into_iter().chain(own);
        common.chain([0, 1].map(|role| (Term::Role(role), Ground::Agent(role as u8)))).collect()
    });
    let mut protocol = Protocol {
        messages: Vec::new(),
        events: [Vec::new(), Vec::new()],
        secrets: [Vec::new(), Vec::new()],
        commitment: None,
    };
    let count = 2 + random.below(2);
    let mut sender = random.below(2);
    while protocol.messages.len() < count {
        let parts = (0..1 + random.below(2)).map(|_| item(sender, &known[sender], random, 1)).collect_vec();
        let (terms, values): (Vec<_>, Vec<_>) = parts.into_iter().unzip();
        if terms.contains(&Term::Shared) {
            continue;
        }
        let mut after = known[1 - sender].clone();
        let seen: Option<Vec<Term>> = values.iter().map(|value| view(value, &mut after)).collect();
        let Some(seen) = seen else { continue };
        known[1 - sender] = after;
        let mut both = [Term::Tuple(terms), Term::Tuple(seen)];
        if sender == 1 {
            both.reverse();
        }
        let number = protocol.messages.len();
        protocol.events[sender].push(Event::Send(number));
        protocol.events[1 - sender].push(Event::Receive(number));
        protocol.messages.push(Message { sender, seen: both });
        if random.percent(85) {
            sender = 1 - sender;
        }
    }
    for role in [0, 1] {
        let used = protocol.used(role);
        let has = |term: &Term| {
            let mut all = true;
            term.walk(&mut |part| {
                all &= !matches!(part, Term::Fresh(..) | Term::Received) || used.contains(part);
            });
            all
        };
        let own = powers(&known[role]).into_iter().filter(|(term, _)| has(term) && *term != Term::Base);
        let own = own.collect_vec();
        if !own.is_empty() {
            protocol.secrets[role] = (0..2).map(|_| random.pick(&own).0.clone()).unique().collect();
        }
        // Both can make the same power in the end, and the last sender before it sends.
        let last = protocol.messages.last().map_or(0, |message| message.sender);
        let Event::Send(_) = protocol.events[last][protocol.events[last].len() - 1] else { continue };
        if role == 1 - last {
            let before = powers(&known[last]);
            let common = own.iter().flat_map(|(mine, value)| {
                let same = before.iter().filter(move |(_, other)| other == value);
                same.map(move |(theirs, _)| (mine.clone(), theirs.clone()))
            });
            let used = protocol.used(last);
            let has = |term: &Term| {
                let mut all = true;
                term.walk(&mut |part| {
                    all &= !matches!(part, Term::Fresh(..) | Term::Received) || used.contains(part);
                });
                all
            };
            let common = common.filter(|(_, theirs)| has(theirs) && *theirs != Term::Base).collect_vec();
            if !common.is_empty() {
                let (mine, theirs) = random.pick(&common).clone();
                let place = protocol.events[last].len() - 1;
                protocol.events[last].insert(place, Event::Running);
                protocol.commitment = Some((role, if role == 0 { [mine, theirs] } else { [theirs, mine] }));
            }
        }
    }
    protocol
}

impl Protocol {
    /// The fresh values and variables in the messages of a role.
    fn used(&self, role: usize) -> BTreeSet<Term> {
        let mut found = BTreeSet::new();
        for message in &self.messages {
            message.seen[role].walk(&mut |part| {
                if matches!(part, Term::Fresh(..) | Term::Received) {
                    found.insert(part.clone());
                }
            });
        }
        found
    }

    pub(super) fn text(&self) -> String {
        let mut out = "exponentiation exp;\nhashfunction h;\nconst g: Data;\nprotocol p(I,R) {\n".to_owned();
        for (role, own) in ROLES.into_iter().enumerate() {
            out.push_str(&format!("  role {own} {{\n"));
            for term in self.used(role) {
                out.push_str(&match term {
                    Term::Fresh(maker, name) if maker == role => format!("    fresh {name}: Nonce;\n"),
                    Term::Fresh(_, name) => format!("    var {name}: Nonce;\n"),
                    _ => "    var Z: Ticket;\n".to_owned(),
                });
            }
            let other = ROLES[1 - role];
            for event in &self.events[role] {
                out.push_str(&match (event, &self.commitment) {
                    (Event::Send(m), _) => {
                        format!("    send_{m}({own},{other},{});\n", self.messages[*m].seen[role].text())
                    }
                    (Event::Receive(m), _) => {
                        format!("    recv_{m}({other},{own},{});\n", self.messages[*m].seen[role].text())
                    }
                    (Event::Running, Some((_, powers))) => {
                        format!("    claim_said({own}, Running, {other}, {});\n", powers[role].text())
                    }
                    (Event::Running, None) => String::new(),
                });
            }
            for claim in ["Alive", "Niagree"] {
                out.push_str(&format!("    claim_{own}{claim}({own}, {claim});\n"));
            }
            for (number, secret) in self.secrets[role].iter().enumerate() {
                out.push_str(&format!("    claim_{own}s{number}({own}, Secret, {});\n", secret.text()));
            }
            if let Some((_, powers)) = self.commitment.as_ref().filter(|(commits, _)| *commits == role) {
                out.push_str(&format!(
                    "    claim_{own}c({own}, Commit, {other}, {});\n",
                    powers[role].text()
                ));
            }
            out.push_str("  }\n");
        }
        out.push_str("}\n");
        out
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Run {
    role: usize,
    agents: [u8; 2],
    over: usize,
    values: BTreeMap<&'static str, Ground>,
}

/// Protocols with more states, or more values to look at, are left out.
const MOST_STATES: usize = 20_000;
const MOST_VALUES: usize = 200_000;

struct Search<'p> {
    protocol: &'p Protocol,
    seen: HashSet<Vec<Run>>,
    values: usize,
    violated: BTreeSet<String>,
    reached: BTreeSet<usize>,
}

/// The name of the variable that a term of a role is, if it is one.
fn variable(term: &Term, role: usize) -> Option<&'static str> {
    match term {
        Term::Fresh(maker, name) if *maker != role => Some(name),
        Term::Received => Some("Z"),
        _ => None,
    }
}

impl Search<'_> {
    fn ground(&self, run: usize, state: &Run, term: &Term) -> Ground {
        let of = |term: &Term| Box::new(self.ground(run, state, term));
        match term {
            Term::Role(role) => Ground::Agent(state.agents[*role]),
            Term::Fresh(maker, name) if *maker == state.role => Ground::Fresh(run, name),
            Term::Fresh(_, name) => state.values[name].clone(),
            Term::Received => state.values["Z"].clone(),
            Term::Base => Ground::Base,
            Term::Power(base, exponent) => power(*of(base), vec![*of(exponent)]),
            Term::Tuple(parts) => tuple(parts.iter().map(|part| self.ground(run, state, part)).collect()),
            Term::Encrypted(body, key) => Ground::Encrypted(of(body), of(key)),
            Term::Private(role) => Ground::Private(state.agents[*role]),
            Term::Shared => Ground::Shared(state.agents[0], state.agents[1]),
            Term::Hash(body) => Ground::Hash(of(body)),
        }
    }

    fn content(&self, runs: &[Run], run: usize, message: usize) -> Ground {
        self.ground(run, &runs[run], &self.protocol.messages[message].seen[runs[run].role])
    }

    /// True if a run has done an event.
    fn has_done(&self, run: &Run, wanted: impl Fn(&Event) -> bool) -> bool {
        self.protocol.events[run.role][..run.over].iter().any(wanted)
    }

    fn is_too_large(&self) -> bool {
        self.seen.len() >= MOST_STATES || self.values >= MOST_VALUES
    }

    fn visit(&mut self, runs: Vec<Run>) {
        if self.is_too_large() || !self.seen.insert(runs.clone()) {
            return;
        }
        let mut knowledge = Knowledge::default();
        for (number, run) in runs.iter().enumerate() {
            for event in &self.protocol.events[run.role][..run.over] {
                if let Event::Send(message) = event {
                    knowledge.learn(&self.content(&runs, number, *message));
                }
            }
        }
        self.judge(&runs, &knowledge);
        for number in 0..runs.len() {
            self.step(&runs, number, &knowledge);
        }
        if runs.len() < RUNS {
            for (role, a, b) in itertools::iproduct!(0..2, 0..3, 0..3) {
                let agents = [a, b];
                if agents[role] == EVE || (runs.is_empty() && agents[role] != 0) {
                    continue;
                }
                let mut more = runs.clone();
                more.push(Run { role, agents, over: 0, values: BTreeMap::new() });
                self.step(&more, runs.len(), &knowledge);
            }
        }
    }

    /// What a run can receive for a power, the contents of messages included.
    fn anything(&self, runs: &[Run]) -> BTreeSet<Ground> {
        let mut found: BTreeSet<Ground> = self.protocol.powers().into_iter().collect();
        for (number, run) in runs.iter().enumerate() {
            for event in &self.protocol.events[run.role][..run.over] {
                if let Event::Send(message) = event {
                    self.content(runs, number, *message).parts(&mut found);
                }
            }
        }
        found
    }

    fn step(&mut self, runs: &[Run], number: usize, knowledge: &Knowledge) {
        let run = &runs[number];
        let Some(event) = self.protocol.events[run.role].get(run.over) else { return };
        let Event::Receive(message) = *event else {
            let mut next = runs.to_vec();
            next[number].over += 1;
            return self.visit(next);
        };
        let mut names = BTreeSet::new();
        self.protocol.messages[message].seen[run.role].walk(&mut |part| {
            names.extend(variable(part, run.role).filter(|name| !run.values.contains_key(name)));
        });
        let choices = names.into_iter().map(|name| {
            let values = match name {
                "Z" => self.anything(runs).into_iter().collect(),
                _ => self.protocol.nonces(),
            };
            values.into_iter().map(move |value| (name, value)).collect_vec()
        });
        let choices = choices.collect_vec();
        let all: Vec<Vec<(&'static str, Ground)>> = match choices.is_empty() {
            true => vec![Vec::new()],
            false => choices.into_iter().multi_cartesian_product().collect(),
        };
        for values in all {
            self.values += 1;
            if self.is_too_large() {
                return;
            }
            let mut next = runs.to_vec();
            next[number].values.extend(values);
            next[number].over += 1;
            if knowledge.makes(&self.content(&next, number, message)) {
                self.visit(next);
            }
        }
    }

    fn judge(&mut self, runs: &[Run], knowledge: &Knowledge) {
        for (number, run) in runs.iter().enumerate() {
            if run.agents.contains(&EVE) || run.over < self.protocol.events[run.role].len() {
                continue;
            }
            let (own, other) = (ROLES[run.role], 1 - run.role);
            self.reached.insert(run.role);
            for (secret, term) in self.protocol.secrets[run.role].iter().enumerate() {
                if knowledge.makes(&self.ground(number, run, term)) {
                    self.violated.insert(format!("{own}s{secret}"));
                }
            }
            if !runs.iter().any(|s| s.agents[s.role] == run.agents[other]) {
                self.violated.insert(format!("{own}Alive"));
            }
            let partners =
                || runs.iter().enumerate().filter(|(_, s)| s.role == other && s.agents == run.agents);
            let received = |message: &Message| message.sender != run.role;
            let preceding = self.protocol.messages.iter().rposition(received).map_or(0, |last| last + 1);
            let agrees = |(n, s): (usize, &Run)| {
                (0..preceding).all(|m| {
                    self.has_done(s, |event| matches!(event, Event::Send(d) | Event::Receive(d) if *d == m))
                        && self.content(runs, n, m) == self.content(runs, number, m)
                })
            };
            if preceding > 0 && !partners().any(agrees) {
                self.violated.insert(format!("{own}Niagree"));
            }
            if let Some((_, powers)) = self.protocol.commitment.as_ref().filter(|(role, _)| *role == run.role)
            {
                let mine = self.ground(number, run, &powers[run.role]);
                let runs_with = |(n, s): (usize, &Run)| {
                    self.has_done(s, |event| *event == Event::Running)
                        && self.ground(n, s, &powers[other]) == mine
                };
                if !partners().any(runs_with) {
                    self.violated.insert(format!("{own}c"));
                }
            }
        }
    }
}

impl Protocol {
    /// The nonces that there can be.
    fn nonces(&self) -> Vec<Ground> {
        let fresh =
            FRESH.iter().filter(|(name, maker)| self.used(*maker).contains(&Term::Fresh(*maker, name)));
        let fresh = fresh.cartesian_product(0..RUNS).map(|((name, _), run)| Ground::Fresh(run, name));
        fresh.chain([Ground::Own]).collect()
    }

    /// What a power can be that was in no message: one with few exponents, the base, and other terms without parts.
    fn powers(&self) -> Vec<Ground> {
        let nonces = self.nonces();
        let powers = (0..=EXPONENTS).flat_map(|count| {
            nonces.iter().cloned().combinations_with_replacement(count).map(|by| power(Ground::Base, by))
        });
        powers.chain(nonces.iter().cloned()).chain((0..3).map(Ground::Agent)).collect()
    }
}

/// The labels of the claims that an interleaving of few runs violates, and the roles of which a run comes to its end; nothing if there are
/// too many interleavings.
pub(super) fn interleaved(protocol: &Protocol) -> Option<(BTreeSet<String>, BTreeSet<usize>)> {
    let (violated, reached) = (BTreeSet::new(), BTreeSet::new());
    let mut search = Search { protocol, seen: HashSet::new(), values: 0, violated, reached };
    search.visit(Vec::new());
    (!search.is_too_large()).then_some((search.violated, search.reached))
}

#[test]
fn claims_about_powers_are_those_of_all_interleavings() {
    let (mut compared, mut attacks, mut holding, mut unreached, mut large) = (0, 0, 0, 0, 0);
    for seed in crate::random::seeds(60) {
        if compared == cases(8) {
            break;
        }
        let protocol = random_protocol(&mut Random::new(seed));
        let text = protocol.text();
        if !text.contains("exp(Z") {
            continue;
        }
        let Some((violated, roles)) = interleaved(&protocol) else {
            large += 1;
            continue;
        };
        let Some(found) = of_model(&text, Matching::Typed, NOTHING) else {
            large += 1;
            continue;
        };
        for (label, Found { attacked, reached }) in found {
            let role = usize::from(label.starts_with('R'));
            assert_eq!(attacked, violated.contains(&label), "seed {seed}, claim {label} of\n{text}");
            assert_eq!(reached, roles.contains(&role), "seed {seed}, the place of {label} of\n{text}");
            unreached += usize::from(!reached);
            attacks += usize::from(attacked);
            holding += usize::from(!attacked);
        }
        compared += 1;
    }
    eprintln!(
        "{compared} protocols, {attacks} attacks, {holding} claims hold, {unreached} of them without a run, {large} too large"
    );
    assert!(attacks > 5 && holding > 5);
}

/// Compares one file with powers in `share` of a folder with its expected verdicts, without losses of keys and with them, and with
/// another number of runs: `# Expect with after: A1 attack`, `# Expect with three runs: B2 attack`. Returns their number.
fn compare_with_expected(folder: &str, runs: usize, share: usize) -> usize {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let scopes = [
        ("# Expect: ", runs, NOTHING),
        ("# Expect with actor: ", runs, Reveals { actor: true, ..NOTHING }),
        ("# Expect with after: ", runs, Reveals { after: true, ..NOTHING }),
        ("# Expect with session-keys: ", runs, Reveals { session_keys: true, ..NOTHING }),
        ("# Expect with states: ", runs, Reveals { states: true, ..NOTHING }),
        ("# Expect with random: ", runs, Reveals { random: true, ..NOTHING }),
        ("# Expect with three runs: ", 3, NOTHING),
    ];
    let paths = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let texts = paths.sorted().map(|path| (std::fs::read_to_string(&path).expect("readable"), path));
    let texts = texts.filter(|(text, _)| text.contains("\nexponentiation ")).collect_vec();
    let mut compared = 0;
    for (text, path) in one_in(share, texts) {
        let is_read = |line: &str| {
            !line.starts_with("# Expect") || scopes.iter().any(|scope| line.starts_with(scope.0))
        };
        assert!(text.lines().all(is_read), "{}: an expected verdict is not read", path.display());
        for (start, runs, reveals) in scopes {
            let expected = text.lines().filter_map(|line| line.strip_prefix(start)?.split_once(' '));
            let expected: BTreeMap<&str, &str> = expected.collect();
            if expected.is_empty() {
                continue;
            }
            let scope = ProtocolScope { runs, reveals, ..ProtocolScope::default() };
            let found = within(&text, scope).expect("a model");
            for (label, verdict) in expected {
                let attacked = found[label].attacked;
                assert!(found[label].reached, "{}: {start}{label}", path.display());
                assert_eq!(verdict, if attacked { "attack" } else { "holds" }, "{}: {label}", path.display());
                compared += 1;
            }
        }
    }
    compared
}

#[test]
fn protocols_with_powers_are_as_expected() {
    let compared = compare_with_expected("specs/diffie-hellman", 3, 3);
    assert!(compared > 4, "{compared}");
}

#[test]
fn protocols_of_standards_with_powers_are_as_expected() {
    let compared = compare_with_expected("specs/standards", 2, 6);
    assert!(compared > 5, "{compared}");
}
