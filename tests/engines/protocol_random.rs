//! Random small protocols: claims against a search through all interleavings of all runs, with a naive attacker.
//!
//! The search knows nothing of the translation: it has its own protocols, ground terms, events one by one, and an attacker who
//! takes apart what she can until nothing is new.

use crate::random::{Random, cases};
use cladist::budget::Budget;
use cladist::diagnostics::Diagnostic;
use cladist::model::expr::Expr;
use cladist::model::{LoadOptions, Model, load_expression, load_text_with};
use cladist::protocol::{Matching, ProtocolScope, Reveals, load_text, translate};
use cladist::sat::Backend;
use cladist::unroll::{BoundedResult, Lengths, check, reachable};
use itertools::{Itertools, iproduct};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// A term of a role.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Term {
    /// The agent in role 0 or 1.
    Role(usize),
    Name(&'static str),
    Tuple(Vec<Term>),
    Encrypted(Box<Term>, Box<Term>),
    Hash(Box<Term>),
    Public(usize),
    Private(usize),
    Shared,
}

const ROLES: [&str; 2] = ["I", "R"];
/// Names with the roles that make them, and their types.
const FRESH: [(&str, usize, &str); 4] =
    [("ni", 0, "Nonce"), ("ki", 0, "SessionKey"), ("nr", 1, "Nonce"), ("kr", 1, "SessionKey")];
const TICKET: &str = "T";

impl Term {
    fn text(&self) -> String {
        match self {
            Term::Role(role) => ROLES[*role].to_owned(),
            Term::Name(name) => (*name).to_owned(),
            Term::Tuple(parts) => parts.iter().map(Term::text).join(","),
            Term::Encrypted(body, key) => match &**key {
                Term::Tuple(parts) if parts.len() > 1 => format!("{{{}}}({})", body.text(), key.text()),
                key => format!("{{{}}}{}", body.text(), key.text()),
            },
            Term::Hash(body) => format!("h({})", body.text()),
            Term::Public(role) => format!("pk({})", ROLES[*role]),
            Term::Private(role) => format!("sk({})", ROLES[*role]),
            Term::Shared => "k(I,R)".to_owned(),
        }
    }

    fn parts(&self, found: &mut BTreeSet<Term>) {
        match self {
            Term::Tuple(parts) => parts.iter().for_each(|part| part.parts(found)),
            Term::Encrypted(body, _) | Term::Hash(body) => {
                found.insert(self.clone());
                found.insert((**body).clone());
                body.parts(found);
            }
            _ => {}
        }
    }

    /// The names in what it uses as keys.
    fn names_in_keys(&self, found: &mut BTreeSet<&'static str>) {
        match self {
            Term::Tuple(parts) => parts.iter().for_each(|part| part.names_in_keys(found)),
            Term::Encrypted(body, key) => {
                body.names_in_keys(found);
                key.names(found);
            }
            Term::Hash(body) => body.names_in_keys(found),
            _ => {}
        }
    }

    fn names(&self, found: &mut BTreeSet<&'static str>) {
        match self {
            Term::Name(name) => {
                found.insert(name);
            }
            Term::Tuple(parts) => parts.iter().for_each(|part| part.names(found)),
            Term::Encrypted(body, key) => {
                body.names(found);
                key.names(found);
            }
            Term::Hash(body) => body.names(found),
            Term::Role(_) | Term::Public(_) | Term::Private(_) | Term::Shared => {}
        }
    }
}

/// A term as the sender and as the receiver see it.
#[derive(Debug, Clone)]
struct Message {
    sender: usize,
    sent: Term,
    received: Term,
}

#[derive(Debug)]
struct Protocol {
    messages: Vec<Message>,
    /// True if a role receives a part of a message unread.
    ticket: bool,
    /// True if each role begins only with a partner other than itself.
    apart: [bool; 2],
    commitment: Option<Commitment>,
}

/// A role claims `Commit`, the other one `Running`.
#[derive(Debug)]
struct Commitment {
    /// The role that commits.
    role: usize,
    /// To what.
    name: &'static str,
    /// How many messages each role has sent or received before.
    after: [usize; 2],
}

/// What a role can send: as it sees it, and as the other one does.
type Known = Vec<(Term, Term)>;

fn random_protocol(random: &mut Random) -> Protocol {
    let mut known: [Known; 2] = [Known::new(), Known::new()];
    for (role, known) in known.iter_mut().enumerate() {
        known.extend([Term::Role(0), Term::Role(1)].map(|term| (term.clone(), term)));
        for (name, maker, _) in FRESH {
            if maker == role {
                known.push((Term::Name(name), Term::Name(name)));
            }
        }
    }
    let mut protocol = Protocol { messages: Vec::new(), ticket: false, apart: [false; 2], commitment: None };
    let depth = 1 + random.below(2);
    let mut sender = random.below(2);
    for _ in 0..2 + random.below(2) {
        if let Some(last) = protocol.messages.last() {
            if random.percent(15) {
                // The same once more, under another label.
                let last = last.clone();
                protocol.messages.push(last);
                continue;
            }
            sender = if random.percent(80) { 1 - last.sender } else { last.sender };
        }
        let receiver = 1 - sender;
        let (mut sent, mut received) = (Vec::new(), Vec::new());
        for _ in 0..1 + random.below(2) {
            let (own, other) = item(&known[sender], sender, random, depth);
            let encrypted = matches!(other, Term::Encrypted(..));
            sent.push(own);
            if encrypted && !protocol.ticket && random.percent(25) {
                protocol.ticket = true;
                known[receiver].push((Term::Name(TICKET), other));
                received.push(Term::Name(TICKET));
            } else {
                let mut names = BTreeSet::new();
                other.names(&mut names);
                for name in names {
                    let item = (Term::Name(name), Term::Name(name));
                    if name != TICKET && !known[receiver].contains(&item) {
                        known[receiver].push(item);
                    }
                }
                received.push(other);
            }
        }
        protocol.messages.push(Message { sender, sent: Term::Tuple(sent), received: Term::Tuple(received) });
    }
    protocol.apart = [(); 2].map(|()| random.percent(25));
    if random.percent(40) {
        protocol.commitment = protocol.random_commitment(random);
    }
    protocol
}

/// A key: a long-term one, or any term.
fn key(known: &Known, sender: usize, random: &mut Random) -> (Term, Term) {
    let both = |term: Term| (term.clone(), term);
    let is_key = |(term, _): &&(Term, Term)| matches!(term, Term::Name("ki" | "kr"));
    let keys: Vec<&(Term, Term)> = known.iter().filter(is_key).collect();
    let mut any = || random.pick(known).clone();
    let (one, other) = (any(), any());
    let pair = |one: Term, other: Term| Term::Tuple(vec![one, other]);
    let hash = |term: Term| Term::Hash(Box::new(term));
    match random.below(9) {
        0 | 1 => both(Term::Shared),
        2 => both(Term::Public(1 - sender)),
        3 => both(Term::Private(sender)),
        4 if !keys.is_empty() => (*random.pick(&keys)).clone(),
        5 => one,
        6 => (pair(one.0, other.0), pair(one.1, other.1)),
        7 => {
            let encrypt = |term: Term| Term::Encrypted(Box::new(term), Box::new(Term::Shared));
            (encrypt(one.0), encrypt(one.1))
        }
        _ => (hash(one.0), hash(one.1)),
    }
}

/// A part of a message.
fn item(known: &Known, sender: usize, random: &mut Random, depth: usize) -> (Term, Term) {
    if depth == 0 || random.percent(30) {
        return random.pick(known).clone();
    }
    let parts = (0..1 + random.below(2)).map(|_| item(known, sender, random, depth - 1)).collect::<Vec<_>>();
    let (own, other): (Vec<Term>, Vec<Term>) = parts.into_iter().unzip();
    if random.percent(10) {
        return (Term::Hash(Box::new(Term::Tuple(own))), Term::Hash(Box::new(Term::Tuple(other))));
    }
    let (key, other_key) = key(known, sender, random);
    let encrypt = |body: Vec<Term>, key: Term| Term::Encrypted(Box::new(Term::Tuple(body)), Box::new(key));
    (encrypt(own, key), encrypt(other, other_key))
}

const CLAIMS: [&str; 4] = ["Alive", "Weakagree", "Niagree", "Nisynch"];

impl Protocol {
    fn random_commitment(&self, random: &mut Random) -> Option<Commitment> {
        let after = [(); 2].map(|()| random.below(self.messages.len() + 1));
        let known = |role: usize| -> BTreeSet<&'static str> {
            let mut names = BTreeSet::new();
            (0..after[role]).for_each(|number| self.seen(role, number).names(&mut names));
            let all = self.names(role);
            names.extend(
                FRESH.iter().filter(|(name, maker, _)| *maker == role && all.contains(name)).map(|f| f.0),
            );
            names
        };
        let shared: Vec<&'static str> =
            known(0).intersection(&known(1)).copied().filter(|name| *name != TICKET).collect();
        if shared.is_empty() {
            return None;
        }
        Some(Commitment { role: random.below(2), name: shared[random.below(shared.len())], after })
    }

    /// The number of events of a role that something is claimed about.
    fn length(&self) -> usize {
        self.messages.len() + usize::from(self.commitment.is_some())
    }

    /// The number of events of a role before a message.
    fn place(&self, role: usize, message: usize) -> usize {
        message + usize::from(self.commitment.as_ref().is_some_and(|claims| claims.after[role] <= message))
    }

    /// The message that a role sends or receives after so many events; none where it commits or claims `Running`.
    fn message(&self, role: usize, over: usize) -> Option<usize> {
        (0..self.messages.len()).find(|message| self.place(role, *message) == over)
    }

    /// What a role sees of a message.
    fn seen(&self, role: usize, number: usize) -> &Term {
        let message = &self.messages[number];
        if message.sender == role { &message.sent } else { &message.received }
    }

    /// The names that a role meets, with the types of those that it receives.
    fn names(&self, role: usize) -> BTreeSet<&'static str> {
        let mut names = BTreeSet::new();
        (0..self.messages.len()).for_each(|number| self.seen(role, number).names(&mut names));
        names
    }

    /// What is encrypted or hashed, encryptions and hashes, in all messages, but for what has a ticket in it.
    fn parts(&self) -> BTreeSet<Term> {
        let mut found = BTreeSet::new();
        for message in &self.messages {
            message.sent.parts(&mut found);
            message.received.parts(&mut found);
        }
        found.retain(|part| {
            let mut names = BTreeSet::new();
            part.names(&mut names);
            !names.contains(TICKET)
        });
        found
    }

    fn text(&self) -> String {
        let mut out = String::from("usertype SessionKey;\nhashfunction h;\nprotocol p(I,R)\n{\n");
        for (role, own) in ROLES.into_iter().enumerate() {
            out.push_str(&format!("  role {own}\n  {{\n"));
            for name in self.names(role) {
                let known = FRESH.iter().find(|(fresh, ..)| *fresh == name);
                let (word, ty) = match known {
                    Some((_, maker, ty)) => (if *maker == role { "fresh" } else { "var" }, *ty),
                    None => ("var", "Ticket"),
                };
                out.push_str(&format!("    {word} {name}: {ty};\n"));
            }
            if self.apart[role] {
                out.push_str("    not match(I,R);\n");
            }
            for over in 0..self.length() {
                let other = ROLES[1 - role];
                let Some(number) = self.message(role, over) else {
                    let Some(Commitment { role: commits, name, .. }) = &self.commitment else { continue };
                    let claim = if *commits == role { "Commit" } else { "Running" };
                    out.push_str(&format!("    claim_{own}{claim}({own}, {claim}, {other}, {name});\n"));
                    continue;
                };
                let message = &self.messages[number];
                let word = if message.sender == role { "send" } else { "recv" };
                let (from, to) = (ROLES[message.sender], ROLES[1 - message.sender]);
                out.push_str(&format!(
                    "    {word}_{number}({from},{to},{});\n",
                    self.seen(role, number).text()
                ));
            }
            for claim in CLAIMS {
                out.push_str(&format!("    claim_{own}{claim}({own}, {claim});\n"));
            }
            for name in self.names(role).into_iter().filter(|name| *name != TICKET) {
                out.push_str(&format!("    claim_{own}{name}({own}, Secret, {name});\n"));
            }
            out.push_str("  }\n");
        }
        out.push_str("}\n");
        out
    }
}

/// A term without variables.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Ground {
    Agent(u8),
    Fresh(usize, &'static str),
    /// The attacker's own, of this type.
    Own(&'static str),
    Tuple(Vec<Ground>),
    Encrypted(Box<Ground>, Box<Ground>),
    Hash(Box<Ground>),
    Public(u8),
    Private(u8),
    Shared(u8, u8),
}

/// Several terms as one: those that stand last are as if they stood alone.
fn tuple(mut parts: Vec<Ground>) -> Ground {
    match parts.pop() {
        Some(Ground::Tuple(last)) => parts.extend(last),
        last => parts.extend(last),
    }
    if parts.len() == 1 { parts.remove(0) } else { Ground::Tuple(parts) }
}

impl Ground {
    /// The term and all that it was made of, keys apart.
    fn subterms(&self, found: &mut BTreeSet<Ground>) {
        if found.insert(self.clone()) {
            match self {
                Ground::Tuple(parts) => {
                    parts[0].subterms(found);
                    tuple(parts[1..].to_vec()).subterms(found);
                }
                Ground::Encrypted(body, _) | Ground::Hash(body) => body.subterms(found),
                _ => {}
            }
        }
    }

    /// How deeply encryptions and hashes are nested.
    fn depth(&self) -> usize {
        match self {
            Ground::Tuple(parts) => parts.iter().map(Ground::depth).max().unwrap_or(0),
            Ground::Encrypted(body, key) => 1 + body.depth().max(key.depth()),
            Ground::Hash(body) => 1 + body.depth(),
            _ => 0,
        }
    }

    /// How many parts it has that have no parts.
    fn leaves(&self) -> usize {
        match self {
            Ground::Tuple(parts) => parts.iter().map(Ground::leaves).sum(),
            Ground::Encrypted(body, key) => body.leaves() + key.leaves(),
            Ground::Hash(body) => body.leaves(),
            Ground::Shared(..) => 2,
            _ => 1,
        }
    }
}

const EVE: u8 = 2;

/// What the attacker has taken apart, and the long-term keys that she has besides her own.
#[derive(Debug, Default, Clone)]
struct Knowledge {
    terms: BTreeSet<Ground>,
    exposed: Option<u8>,
    /// True if she has them all.
    keys_lost: bool,
    /// True if she knows all fresh values.
    random: bool,
}

impl Knowledge {
    fn learn(&mut self, message: &Ground) {
        self.terms.insert(message.clone());
        loop {
            let mut new = Vec::new();
            for known in &self.terms {
                match known {
                    Ground::Tuple(parts) => new.extend([parts[0].clone(), tuple(parts[1..].to_vec())]),
                    Ground::Encrypted(body, key) => {
                        let inverse = match &**key {
                            Ground::Public(agent) => Ground::Private(*agent),
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
            let before = self.terms.len();
            self.terms.extend(new);
            if self.terms.len() == before {
                return;
            }
        }
    }

    fn makes(&self, term: &Ground) -> bool {
        self.terms.contains(term)
            || match term {
                Ground::Agent(_) | Ground::Own(_) | Ground::Public(_) => true,
                Ground::Fresh(..) => self.random,
                Ground::Tuple(parts) => parts.iter().all(|part| self.makes(part)),
                Ground::Encrypted(body, key) => self.makes(body) && self.makes(key),
                Ground::Hash(body) => self.makes(body),
                Ground::Private(agent) => self.has_keys_of(*agent),
                Ground::Shared(a, b) => self.has_keys_of(*a) || self.has_keys_of(*b),
            }
    }

    fn has_keys_of(&self, agent: u8) -> bool {
        agent == EVE || self.keys_lost || self.exposed == Some(agent)
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Run {
    role: usize,
    agents: [u8; 2],
    /// How many events are over.
    over: usize,
    values: BTreeMap<&'static str, Ground>,
    /// The runs that had sent what this one received, for each message.
    from: BTreeMap<usize, Vec<usize>>,
}

/// What has happened.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
struct World {
    runs: Vec<Run>,
    /// An agent whose long-term keys the attacker has.
    exposed: Option<u8>,
    /// How many events of each run were over when all long-term keys got lost.
    keys_lost: Option<Vec<usize>>,
    /// How many runs were over when their secrets got lost.
    sessions_lost: usize,
    /// The numbers of the runs that give away their session keys or states.
    lost: Vec<usize>,
}

pub(super) const RUNS: usize = 2;
/// Protocols with more states are left out.
const MOST_STATES: usize = 6_000;
/// Protocols with more values for what is received, in all states together, are left out.
const MOST_VALUES: usize = 40_000;
/// Parts of messages with more names have too many values.
const MOST_NAMES: usize = 3;

/// What variables stand for in the model, where they take any terms.
const DEEPEST: usize = 2;
const MOST_LEAVES: usize = 6;

/// A search through everything that can happen.
struct Search<'p> {
    protocol: &'p Protocol,
    matching: Matching,
    reveals: Reveals,
    seen: HashSet<World>,
    /// How many values for what is received were looked at.
    values: usize,
    /// The claims that were violated.
    violated: BTreeSet<String>,
    /// The roles whose last claims a run has come to that they are about, and the labels of `Commit`.
    reached: BTreeSet<String>,
}

impl Search<'_> {
    fn ground(&self, run: usize, state: &Run, term: &Term) -> Ground {
        let of = |term: &Term| Box::new(self.ground(run, state, term));
        match term {
            Term::Role(role) => Ground::Agent(state.agents[*role]),
            Term::Name(name) => match FRESH.iter().find(|(fresh, ..)| fresh == name) {
                Some((_, maker, _)) if *maker == state.role => Ground::Fresh(run, name),
                _ => state.values[name].clone(),
            },
            Term::Tuple(parts) => tuple(parts.iter().map(|part| self.ground(run, state, part)).collect()),
            Term::Encrypted(body, key) => Ground::Encrypted(of(body), of(key)),
            Term::Hash(body) => Ground::Hash(of(body)),
            Term::Public(role) => Ground::Public(state.agents[*role]),
            Term::Private(role) => Ground::Private(state.agents[*role]),
            Term::Shared => Ground::Shared(state.agents[0], state.agents[1]),
        }
    }

    /// What a run has sent or received as message `number`.
    fn content(&self, runs: &[Run], run: usize, number: usize) -> Ground {
        self.ground(run, &runs[run], self.protocol.seen(runs[run].role, number))
    }

    /// True if a run has sent or received a message.
    fn is_done(&self, run: &Run, message: usize) -> bool {
        run.over > self.protocol.place(run.role, message)
    }

    fn knowledge(&self, world: &World) -> Knowledge {
        let (exposed, keys_lost) = (world.exposed, world.keys_lost.is_some());
        let random = self.reveals.random;
        let mut knowledge = Knowledge { terms: BTreeSet::new(), exposed, keys_lost, random };
        for (run, (name, ..)) in iproduct!(world.lost.iter().filter(|_| self.reveals.states), FRESH) {
            knowledge.learn(&Ground::Fresh(*run, name));
        }
        for (number, run) in world.runs.iter().enumerate() {
            for message in 0..self.protocol.messages.len() {
                if self.protocol.messages[message].sender == run.role && self.is_done(run, message) {
                    knowledge.learn(&self.content(&world.runs, number, message));
                }
            }
            let is_lost = world.lost.contains(&number);
            if is_lost && self.reveals.states {
                run.values.values().for_each(|value| knowledge.learn(value));
            }
            let ends = run.over == self.protocol.length();
            if number < world.sessions_lost || is_lost && self.reveals.session_keys && ends {
                for name in self.protocol.names(run.role).into_iter().filter(|name| *name != TICKET) {
                    let secret = self.ground(number, run, &Term::Name(name));
                    if !matches!(secret, Ground::Agent(_)) {
                        knowledge.learn(&secret);
                    }
                }
            }
        }
        knowledge
    }

    fn is_too_large(&self) -> bool {
        self.seen.len() >= MOST_STATES || self.values >= MOST_VALUES
    }

    /// Everything that can happen with an attacker who has such keys from the start.
    fn all(&mut self) {
        let exposed = [None, Some(0), Some(1)].into_iter().take(if self.reveals.actor { 3 } else { 1 });
        let runs = if self.reveals.session_keys || self.reveals.states { 0..RUNS } else { 0..0 };
        for (exposed, lost) in iproduct!(exposed, runs.powerset()) {
            self.visit(World { exposed, lost, ..World::default() });
        }
    }

    /// True if two runs are partners.
    fn are_partners(&self, runs: &[Run], one: usize, other: usize) -> bool {
        let (a, b) = (&runs[one], &runs[other]);
        let both = |message: &usize| self.is_done(a, *message) && self.is_done(b, *message);
        a.role != b.role
            && a.agents == b.agents
            && (0..self.protocol.messages.len())
                .filter(both)
                .all(|message| self.content(runs, one, message) == self.content(runs, other, message))
    }

    fn visit(&mut self, world: World) {
        if self.is_too_large() || !self.seen.insert(world.clone()) {
            return;
        }
        let knowledge = self.knowledge(&world);
        let runs = &world.runs;
        self.judge(&world, &knowledge);
        let is_over = |run: &Run| run.over == self.protocol.length();
        for (number, run) in runs.iter().enumerate() {
            if !is_over(run) {
                self.step(&world, number, &knowledge);
            }
        }
        if self.reveals.after && world.keys_lost.is_none() {
            let before = runs.iter().map(|run| run.over).collect();
            self.visit(World { keys_lost: Some(before), ..world.clone() });
        }
        if self.reveals.old_sessions && world.sessions_lost == 0 && runs.iter().all(is_over) {
            self.visit(World { sessions_lost: runs.len(), ..world.clone() });
        }
        if runs.len() == RUNS {
            return;
        }
        for (role, a, b) in
            (0..2).flat_map(|role| (0..3).flat_map(move |a| (0..3).map(move |b| (role, a, b))))
        {
            let agents = [a, b];
            // Which of the honest agents comes first makes no difference.
            let is_apart = self.protocol.apart[role] && a == b;
            if is_apart || agents[role] == EVE || (runs.is_empty() && agents[role] != 0) {
                continue;
            }
            let mut more = world.clone();
            more.runs.push(Run { role, agents, over: 0, values: BTreeMap::new(), from: BTreeMap::new() });
            self.step(&more, runs.len(), &knowledge);
        }
    }

    /// All that a run can do next.
    fn step(&mut self, world: &World, number: usize, knowledge: &Knowledge) {
        let runs = &world.runs;
        let run = &runs[number];
        let message = self.protocol.message(run.role, run.over);
        let received = message.filter(|message| self.protocol.messages[*message].sender != run.role);
        let Some(message) = received else {
            let mut next = world.clone();
            next.runs[number].over += 1;
            return self.visit(next);
        };
        let mut names = BTreeSet::new();
        self.protocol.seen(run.role, message).names(&mut names);
        names.retain(|name| {
            let own = FRESH.iter().any(|(fresh, maker, _)| fresh == name && *maker == run.role);
            !own && !run.values.contains_key(name)
        });
        let choices = names
            .iter()
            .map(|name| self.candidates(name, knowledge).into_iter().map(move |value| (*name, value)))
            .collect_vec();
        self.values += choices.iter().map(ExactSizeIterator::len).product::<usize>();
        if self.is_too_large() {
            return;
        }
        let all: Vec<Vec<(&'static str, Ground)>> = if names.is_empty() {
            vec![Vec::new()]
        } else {
            choices.into_iter().multi_cartesian_product().collect()
        };
        for values in all {
            let mut next = runs.to_vec();
            next[number].values.extend(values);
            next[number].over += 1;
            let received = self.content(&next, number, message);
            if !knowledge.makes(&received) {
                continue;
            }
            let from = (0..runs.len()).filter(|other| {
                let sender = &runs[*other];
                sender.role != run.role
                    && self.is_done(sender, message)
                    && sender.agents == run.agents
                    && self.content(runs, *other, message) == received
            });
            let from: Vec<usize> = from.collect();
            next[number].from.insert(message, from);
            self.visit(World { runs: next, ..world.clone() });
        }
    }

    /// The values that a name can have. Where all terms are taken, those that have been heard, whatever was in them, and some of the
    /// attacker's own: not all, but what comes of them is an attack.
    fn candidates(&self, name: &str, knowledge: &Knowledge) -> Vec<Ground> {
        if self.matching == Matching::Full {
            let own = ["Nonce", "SessionKey"].map(Ground::Own);
            let mut found: BTreeSet<Ground> = (0..3).map(Ground::Agent).chain(own).collect();
            knowledge.terms.iter().for_each(|term| term.subterms(&mut found));
            let mut in_keys = BTreeSet::new();
            for message in &self.protocol.messages {
                message.sent.names_in_keys(&mut in_keys);
                message.received.names_in_keys(&mut in_keys);
            }
            let is_key = in_keys.contains(name);
            let deepest = if is_key { 0 } else { DEEPEST };
            return found.into_iter().filter(|v| v.depth() <= deepest && v.leaves() <= MOST_LEAVES).collect();
        }
        let atoms = |ty: &'static str| {
            let names = FRESH.iter().filter(move |(_, _, of)| *of == ty);
            let made = names.flat_map(|(name, ..)| (0..RUNS).map(move |run| Ground::Fresh(run, name)));
            made.chain([Ground::Own(ty)]).collect::<Vec<_>>()
        };
        let any_atom = || -> Vec<Ground> {
            (0..3).map(Ground::Agent).chain(["Nonce", "SessionKey"].into_iter().flat_map(atoms)).collect()
        };
        let Some((_, _, ty)) = FRESH.iter().find(|(fresh, ..)| *fresh == name) else {
            // Anything that looks like a part of a message, and something else.
            let mut found = BTreeSet::from([Ground::Own("Nonce")]);
            for part in self.protocol.parts() {
                let mut names = BTreeSet::new();
                part.names(&mut names);
                let fields = names.iter().map(|name| {
                    let (_, _, ty) = FRESH.iter().find(|(fresh, ..)| fresh == name).expect("no ticket in it");
                    let values = if self.matching == Matching::Basic { any_atom() } else { atoms(ty) };
                    values.into_iter().map(move |value| (*name, value))
                });
                let fields: Vec<Vec<_>> = if names.is_empty() {
                    vec![Vec::new()]
                } else {
                    fields.multi_cartesian_product().collect()
                };
                for (values, a, b) in iproduct!(fields, 0..3, 0..3) {
                    let values: BTreeMap<_, _> = values.into_iter().collect();
                    found.insert(filled(&part, [a, b], &values));
                }
            }
            if self.matching == Matching::Basic {
                found.extend(any_atom());
            }
            return found.into_iter().collect();
        };
        if self.matching == Matching::Basic { any_atom() } else { atoms(ty) }
    }

    /// Notes the claims that are violated here.
    fn judge(&mut self, world: &World, knowledge: &Knowledge) {
        let runs = &world.runs[..];
        let last = self.protocol.length();
        for (number, run) in runs.iter().enumerate() {
            let alone = world
                .exposed
                .is_none_or(|agent| run.agents[run.role] == agent && run.agents[1 - run.role] != agent);
            let lost = world.lost.iter().filter(|lost| **lost < runs.len());
            let mut close = lost.filter(|lost| **lost == number || self.are_partners(runs, number, **lost));
            if run.agents.contains(&EVE) || number < world.sessions_lost || !alone || close.next().is_some() {
                continue;
            }
            // Whether the run had so many events before keys were lost.
            let in_time = |events: usize| {
                let before = world.keys_lost.as_ref();
                run.over >= events
                    && before.is_none_or(|before| before.get(number).is_some_and(|over| *over >= events))
            };
            self.judge_commitment(runs, number, &in_time);
            if !in_time(last) {
                continue;
            }
            let own = ROLES[run.role];
            self.reached.insert(own.to_owned());
            for name in self.protocol.names(run.role).into_iter().filter(|name| *name != TICKET) {
                if knowledge.makes(&self.ground(number, run, &Term::Name(name))) {
                    self.violated.insert(format!("{own}{name}"));
                }
            }
            let other = 1 - run.role;
            let acts = |s: &Run| s.agents[s.role] == run.agents[other];
            let others = || runs.iter().enumerate().filter(|(n, _)| *n != number);
            if !runs.iter().any(acts) {
                self.violated.insert(format!("{own}Alive"));
            }
            let agents = |s: &Run| BTreeSet::from(s.agents);
            if !runs.iter().any(|s| acts(s) && agents(s) == agents(run)) {
                self.violated.insert(format!("{own}Weakagree"));
            }
            let last = (0..self.protocol.messages.len())
                .rev()
                .find(|m| self.protocol.messages[*m].sender != run.role);
            // Communications that precede the last receipt.
            let preceding = last.map_or(0, |last| last + 1);
            let agrees = |ordered: bool| {
                preceding == 0
                    || others().any(|(n, s)| {
                        s.role == other
                            && (0..preceding).all(|m| self.is_done(s, m))
                            && s.agents == run.agents
                            && (0..preceding).all(|m| {
                                let (sender, receiver) = if self.protocol.messages[m].sender == run.role {
                                    (number, n)
                                } else {
                                    (n, number)
                                };
                                let in_order =
                                    runs[receiver].from.get(&m).is_some_and(|from| from.contains(&sender));
                                self.content(runs, n, m) == self.content(runs, number, m)
                                    && (!ordered || in_order)
                            })
                    })
            };
            let violated =
                [(false, "Niagree"), (true, "Nisynch")].into_iter().filter(|(ordered, _)| !agrees(*ordered));
            let violated = violated.map(|(_, claim)| format!("{own}{claim}")).collect_vec();
            self.violated.extend(violated);
        }
    }
}

impl Search<'_> {
    /// Notes whether the `Commit` of a run is violated; `in_time` tells whether it had so many events in time.
    fn judge_commitment(&mut self, runs: &[Run], number: usize, in_time: &dyn Fn(usize) -> bool) {
        let Some(Commitment { role, name, after }) = &self.protocol.commitment else { return };
        let run = &runs[number];
        if run.role != *role || !in_time(after[*role] + 1) {
            return;
        }
        let label = format!("{}Commit", ROLES[*role]);
        let data = |number: usize| self.ground(number, &runs[number], &Term::Name(name));
        let runs_with = |(other, partner): (usize, &Run)| {
            partner.role != *role
                && partner.over > after[partner.role]
                && partner.agents == run.agents
                && data(other) == data(number)
        };
        if !runs.iter().enumerate().any(runs_with) {
            self.violated.insert(label.clone());
        }
        self.reached.insert(label);
    }
}

/// A term with these agents and values.
fn filled(term: &Term, agents: [u8; 2], values: &BTreeMap<&'static str, Ground>) -> Ground {
    let of = |term: &Term| Box::new(filled(term, agents, values));
    match term {
        Term::Role(role) => Ground::Agent(agents[*role]),
        Term::Name(name) => values[name].clone(),
        Term::Tuple(parts) => tuple(parts.iter().map(|part| filled(part, agents, values)).collect()),
        Term::Encrypted(body, key) => Ground::Encrypted(of(body), of(key)),
        Term::Hash(body) => Ground::Hash(of(body)),
        Term::Public(role) => Ground::Public(agents[*role]),
        Term::Private(role) => Ground::Private(agents[*role]),
        Term::Shared => Ground::Shared(agents[0], agents[1]),
    }
}

/// What came of a claim in a model.
pub(super) struct Found {
    pub attacked: bool,
    /// True if a run that the claim is about comes to it.
    pub reached: bool,
}

/// How the messages begin that say that a model is too large.
const TOO_LARGE: [&str; 4] = [
    "this expands to too many expressions",
    "more than 500 operations",
    "nested more than",
    "this text has more than",
];

/// The labels of the claims with what comes of them in the model; nothing if that is too large.
pub(super) fn of_model(text: &str, matching: Matching, reveals: Reveals) -> Option<BTreeMap<String, Found>> {
    let scope = ProtocolScope { runs: RUNS, honest: Some(2), matching, reveals, ..ProtocolScope::default() };
    within(text, scope)
}

/// The same within a scope.
pub(super) fn within(text: &str, scope: ProtocolScope) -> Option<BTreeMap<String, Found>> {
    let budget = Budget::unlimited();
    let loaded = load_text("p.spdl", text, &budget);
    let protocols = loaded.protocols.unwrap_or_else(|| panic!("{text}\n{:?}", loaded.diagnostics));
    let translation = translate("p", &protocols, scope);
    let none = |_: &std::path::Path| Err(std::io::ErrorKind::NotFound.into());
    let loaded = load_text_with("p.sts", &translation.text, &LoadOptions::default(), &none);
    let is_too_large = |found: &Diagnostic| TOO_LARGE.iter().any(|start| found.message.starts_with(start));
    if loaded.diagnostics.iter().any(is_too_large) {
        return None;
    }
    let mut model =
        loaded.model.unwrap_or_else(|| panic!("{text}\n{}\n{:?}", translation.text, loaded.diagnostics));
    let expression = |text: &String| load_expression(&model, text).found.expect("an expression").expr;
    let places: Vec<Expr> = translation.claims.iter().map(|claim| expression(&claim.reached)).collect();
    let reached = reachable(&model, &places, translation.charts.steps(), &[], Backend::Cadical, &budget);
    let wishes: Vec<Expr> = translation.wishes.iter().map(expression).collect();
    model.wishes = wishes;
    let mut plain = Some(Model { wishes: Vec::new(), ..model.clone() });
    let claims = translation.claims.iter().zip(reached).map(|(claim, reached)| {
        let property = &model.properties[model.property(&claim.property).expect("its property")];
        let invariant = property.invariant().expect("an invariant");
        let lengths = Lengths::UpTo(translation.charts.steps());
        let checked = check(&model, invariant, lengths, Backend::Cadical, &budget, &mut ());
        if let BoundedResult::Violated(trace) = &checked {
            // What the runs receive can be made according to another closure of the attacker's knowledge.
            let chart = translation.charts.draw(&model, &trace.moments);
            assert!(chart.is_some(), "{} of\n{text}", claim.label);
            // What a trace is wished to be makes it no longer; once for each protocol is enough.
            if let Some(plain) = plain.take() {
                let other = check(&plain, invariant, lengths, Backend::Cadical, &budget, &mut ());
                let steps = if let BoundedResult::Violated(other) = other { Some(other.len()) } else { None };
                assert_eq!(steps, Some(trace.len()), "{} of\n{text}", claim.label);
            }
        }
        let attacked = matches!(checked, BoundedResult::Violated(_));
        (claim.label.clone(), Found { attacked, reached: reached.expect("there is no limit") })
    });
    Some(claims.collect())
}

/// Of how many random protocols one has to be small enough for the search.
const LARGE: u64 = 8;

/// Compares so many protocols.
fn compare(count: u64, matching: Matching, reveals: Reveals) {
    let (mut attacks, mut holding, mut tickets, mut large, mut unreached, mut unseen) = (0, 0, 0, 0, 0, 0);
    let mut compared = 0;
    for seed in 0..LARGE * cases(count) {
        if compared == cases(count) {
            break;
        }
        let protocol = random_protocol(&mut Random::new(seed));
        let text = protocol.text();
        let mut search = Search {
            protocol: &protocol,
            matching,
            reveals,
            seen: HashSet::new(),
            values: 0,
            violated: BTreeSet::new(),
            reached: BTreeSet::new(),
        };
        let names = |part: &Term| {
            let mut names = BTreeSet::new();
            part.names(&mut names);
            names.len()
        };
        if !(protocol.ticket && protocol.parts().iter().any(|part| names(part) > MOST_NAMES)) {
            search.all();
        }
        if search.seen.is_empty() || search.is_too_large() {
            large += 1;
            continue;
        }
        let Some(found) = of_model(&text, matching, reveals) else {
            large += 1;
            continue;
        };
        for (label, Found { attacked, reached }) in found {
            let is_seen = search.violated.contains(&label);
            let place = if label.ends_with("Commit") { &label } else { &label[..1] };
            let comes = search.reached.contains(place);
            // The search does not look at all terms: then it may miss what the model has.
            let may_miss = matching == Matching::Full;
            unseen += usize::from(attacked && !is_seen);
            assert!(attacked == is_seen || may_miss && attacked, "seed {seed}, claim {label} of\n{text}");
            assert!(reached == comes || may_miss && reached, "seed {seed}, the place of {label} of\n{text}");
            unreached += usize::from(!reached);
            attacks += usize::from(attacked);
            holding += usize::from(!attacked);
        }
        compared += 1;
        tickets += usize::from(protocol.ticket);
    }
    eprintln!(
        "{compared} protocols, {attacks} attacks, {holding} claims hold, {unreached} of them without a run, \
         {tickets} protocols with tickets, {large} too large, {unseen} attacks that the search does not see"
    );
    assert!(attacks > 5 && holding > 5);
    // It does not see what the attacker puts together herself, where variables take any terms.
    assert!(unseen * 3 <= attacks, "{unseen}");
}

pub(super) const NOTHING: Reveals = Reveals {
    actor: false,
    after: false,
    old_sessions: false,
    session_keys: false,
    states: false,
    random: false,
};

#[test]
fn claims_are_those_of_all_interleavings() {
    compare(10, Matching::Typed, NOTHING);
}

#[test]
fn claims_are_those_of_all_interleavings_with_basic_type_flaws() {
    compare(8, Matching::Basic, NOTHING);
}

/// What the search sees, the model has; what the model has is drawn as a chart, in which the attacker makes everything.
#[test]
fn claims_are_those_of_all_interleavings_with_all_type_flaws() {
    compare(8, Matching::Full, NOTHING);
}

#[test]
fn claims_are_those_of_all_interleavings_where_keys_of_the_actor_are_lost() {
    compare(8, Matching::Typed, Reveals { actor: true, ..NOTHING });
}

#[test]
fn claims_are_those_of_all_interleavings_where_all_keys_are_lost_later() {
    compare(8, Matching::Typed, Reveals { after: true, ..NOTHING });
}

#[test]
fn claims_are_those_of_all_interleavings_where_old_sessions_are_lost() {
    compare(8, Matching::Typed, Reveals { old_sessions: true, ..NOTHING });
}

#[test]
fn claims_are_those_of_all_interleavings_where_session_keys_of_other_runs_are_lost() {
    compare(8, Matching::Typed, Reveals { session_keys: true, ..NOTHING });
}

#[test]
fn claims_are_those_of_all_interleavings_where_states_of_other_runs_are_lost() {
    compare(8, Matching::Typed, Reveals { states: true, ..NOTHING });
}

#[test]
fn claims_are_those_of_all_interleavings_where_states_of_other_runs_and_keys_of_the_actor_are_lost() {
    compare(8, Matching::Typed, Reveals { actor: true, session_keys: true, states: true, ..NOTHING });
}

#[test]
fn claims_are_those_of_all_interleavings_where_the_attacker_knows_random_values() {
    compare(8, Matching::Typed, Reveals { random: true, ..NOTHING });
}

#[test]
fn further_abilities_of_the_attacker_take_no_attacks_away() {
    let all = Reveals { actor: true, after: true, old_sessions: true, ..NOTHING };
    let mut too_large = 0;
    for seed in 0..cases(4) {
        let text = random_protocol(&mut Random::new(seed)).text();
        let of = |matching, reveals| of_model(&text, matching, reveals);
        let ways = [
            of(Matching::Typed, NOTHING),
            of(Matching::Basic, NOTHING),
            of(Matching::Full, NOTHING),
            of(Matching::Full, all),
        ];
        too_large += ways.iter().filter(|way| way.is_none()).count();
        for (less, more) in ways.iter().flatten().tuple_windows() {
            for (label, attacked) in less {
                assert!(!attacked.attacked || more[label].attacked, "seed {seed}, claim {label} of\n{text}");
            }
        }
    }
    assert!(too_large < 10, "{too_large} models are too large");
}
