//! Random protocols with exclusive or and equations: claims against a search through all interleavings.
//!
//! The search knows nothing of the translation. The attacker has the part of all terms in question that is closed under the rules of the
//! definition; for sums, this is a space over two elements.

use super::protocol_random::{Found, NOTHING, RUNS, of_model, within};
use crate::random::{Random, cases, one_in};
use cladist::budget::Budget;
use cladist::protocol::{Matching, ProtocolScope, Translation, load_text, translate};
use itertools::{Itertools, iproduct};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// A term of a role: what one role makes, the other one has as a variable.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Term {
    Role(usize),
    Fresh(&'static str),
    Shared,
    Sum(Vec<Term>),
    Hash(Box<Term>),
    /// `enc(m, k)`, which `open` undoes.
    Sealed(Box<Term>, Box<Term>),
    /// `sign(m, sk(A))`, which discloses m.
    Signed(Box<Term>, usize),
    /// `{m}k(I, R)`
    Encrypted(Box<Term>),
}

const ROLES: [&str; 2] = ["I", "R"];
const FRESH: [(&str, usize); 3] = [("ni", 0), ("mi", 0), ("nr", 1)];

fn maker(name: &str) -> usize {
    FRESH.iter().find(|(other, _)| *other == name).expect("it is one of them").1
}

impl Term {
    fn text(&self) -> String {
        match self {
            Term::Role(role) => ROLES[*role].to_owned(),
            Term::Fresh(name) => (*name).to_owned(),
            Term::Shared => "k(I,R)".to_owned(),
            Term::Sum(terms) => format!("xor({})", terms.iter().map(Term::text).join(",")),
            Term::Hash(body) => format!("h({})", body.text()),
            Term::Sealed(body, key) => format!("enc({},{})", body.text(), key.text()),
            Term::Signed(body, role) => format!("sign({},sk({}))", body.text(), ROLES[*role]),
            Term::Encrypted(body) => format!("{{{}}}k(I,R)", body.text()),
        }
    }

    fn names(&self, found: &mut BTreeSet<&'static str>) {
        match self {
            Term::Fresh(name) => _ = found.insert(name),
            Term::Sum(terms) => terms.iter().for_each(|term| term.names(found)),
            Term::Sealed(body, key) => [body, key].iter().for_each(|term| term.names(found)),
            Term::Hash(body) | Term::Signed(body, _) | Term::Encrypted(body) => body.names(found),
            Term::Role(_) | Term::Shared => {}
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
    Shared(u8, u8),
    Private(u8),
    /// Different terms that are no sums, any number of them other than one.
    Sum(BTreeSet<Ground>),
    Hash(Box<Ground>),
    Sealed(Box<Ground>, Box<Ground>),
    Signed(Box<Ground>, Box<Ground>),
    Encrypted(Box<Ground>, Box<Ground>),
}

const EVE: u8 = 2;

impl Ground {
    fn summands(&self) -> BTreeSet<Ground> {
        match self {
            Ground::Sum(terms) => terms.clone(),
            term => BTreeSet::from([term.clone()]),
        }
    }

    fn parts(&self, found: &mut BTreeSet<Ground>) {
        if !found.insert(self.clone()) {
            return;
        }
        match self {
            Ground::Sum(terms) => terms.iter().for_each(|term| term.parts(found)),
            Ground::Hash(body) => body.parts(found),
            Ground::Sealed(a, b) | Ground::Signed(a, b) | Ground::Encrypted(a, b) => {
                a.parts(found);
                b.parts(found);
            }
            _ => {}
        }
    }
}

fn sum(terms: impl IntoIterator<Item = Ground>) -> Ground {
    let all = terms.into_iter().fold(BTreeSet::new(), |all, term| &all ^ &term.summands());
    if all.len() == 1 { all.into_iter().next().expect("there is one") } else { Ground::Sum(all) }
}

/// True if a set is the sum of some of the others.
fn spanned(wanted: &BTreeSet<Ground>, by: impl Iterator<Item = BTreeSet<Ground>>) -> bool {
    let mut rows: Vec<BTreeSet<Ground>> = Vec::new();
    let reduced = |rows: &[BTreeSet<Ground>], mut set: BTreeSet<Ground>| {
        for row in rows {
            if set.contains(row.first().expect("no row is empty")) {
                set = &set ^ row;
            }
        }
        set
    };
    for set in by {
        let set = reduced(&rows, set);
        let Some(first) = set.first().cloned() else { continue };
        rows.iter_mut().filter(|row| row.contains(&first)).for_each(|row| *row = &*row ^ &set);
        rows.push(set);
        rows.sort();
    }
    reduced(&rows, wanted.clone()).is_empty()
}

/// The messages that the attacker has heard.
#[derive(Default)]
struct Knowledge(Vec<Ground>);

impl Knowledge {
    fn makes(&self, wanted: &Ground) -> bool {
        let mut all = BTreeSet::new();
        self.0.iter().chain([wanted]).for_each(|term| term.parts(&mut all));
        let mut has: BTreeSet<Ground> = self.0.iter().cloned().collect();
        loop {
            let before = has.len();
            for term in &all {
                let composed = match term {
                    Ground::Agent(_) | Ground::Own => true,
                    Ground::Private(agent) => *agent == EVE,
                    Ground::Shared(a, b) => *a == EVE || *b == EVE,
                    Ground::Hash(body) => has.contains(&**body),
                    Ground::Sealed(a, b) | Ground::Signed(a, b) | Ground::Encrypted(a, b) => {
                        has.contains(&**a) && has.contains(&**b)
                    }
                    Ground::Fresh(..) | Ground::Sum(_) => false,
                };
                if composed || spanned(&term.summands(), has.iter().map(Ground::summands)) {
                    has.insert(term.clone());
                }
            }
            let opened = has.iter().filter_map(|term| match term {
                Ground::Signed(body, _) => Some((**body).clone()),
                Ground::Sealed(body, key) | Ground::Encrypted(body, key) => {
                    has.contains(&**key).then(|| (**body).clone())
                }
                _ => None,
            });
            let opened = opened.collect_vec();
            has.extend(opened);
            if has.contains(wanted) || has.len() == before {
                return has.contains(wanted);
            }
        }
    }
}

#[derive(Debug)]
struct Message {
    sender: usize,
    terms: Vec<Term>,
}

#[derive(Debug)]
struct Protocol {
    messages: Vec<Message>,
    /// Terms of each role, which it claims to be secret.
    secrets: [Vec<Term>; 2],
    /// True if the receiver takes anything for the value that R makes.
    anything: bool,
}

/// A term for a role that has these values.
fn item(known: &[&'static str], sender: usize, random: &mut Random, depth: usize) -> Term {
    let atom = |random: &mut Random| match random.below(8) {
        0 => Term::Role(random.below(2)),
        1 => Term::Shared,
        _ => Term::Fresh(random.pick::<&str>(known)),
    };
    let inner = |random: &mut Random| Box::new(item(known, sender, random, depth + 1));
    match random.below(if depth == 2 { 3 } else { 10 }) {
        0..=1 => Term::Fresh(random.pick::<&str>(known)),
        2..=5 => {
            let terms: Vec<Term> = (0..2 + random.below(2)).map(|_| atom(random)).unique().collect();
            if terms.len() > 1 { Term::Sum(terms) } else { terms[0].clone() }
        }
        6 => Term::Hash(inner(random)),
        7 => Term::Sealed(inner(random), Box::new(atom(random))),
        8 => Term::Signed(inner(random), sender),
        _ => Term::Encrypted(inner(random)),
    }
}

fn random_protocol(random: &mut Random) -> Protocol {
    let anything = random.percent(25);
    let mut protocol = Protocol { messages: Vec::new(), secrets: [Vec::new(), Vec::new()], anything };
    let own = |role| FRESH.iter().filter(move |(_, maker)| *maker == role).map(|(name, _)| *name);
    let mut known: [Vec<&'static str>; 2] = [own(0).collect(), own(1).collect()];
    let mut sender = random.below(2);
    for _ in 0..2 + random.below(2) {
        let terms = (0..1 + random.below(2)).map(|_| item(&known[sender], sender, random, 0)).collect_vec();
        if terms == [Term::Shared] {
            continue;
        }
        let mut names = BTreeSet::new();
        terms.iter().for_each(|term| term.names(&mut names));
        known[1 - sender] = known[1 - sender].iter().copied().chain(names).unique().collect();
        protocol.messages.push(Message { sender, terms });
        sender = 1 - sender;
    }
    for role in [0, 1] {
        let used = protocol.used().into_iter().filter(|name| known[role].contains(name)).collect_vec();
        if used.is_empty() {
            continue;
        }
        let one = Term::Fresh(random.pick::<&str>(&used));
        let two = used.iter().map(|name| Term::Fresh(name)).collect_vec();
        protocol.secrets[role] = match random.percent(30) && two.len() > 1 {
            true => vec![one, Term::Sum(two)],
            false => vec![one],
        };
    }
    protocol
}

impl Protocol {
    /// The names in messages.
    fn used(&self) -> BTreeSet<&'static str> {
        let mut found = BTreeSet::new();
        self.messages.iter().flat_map(|message| &message.terms).for_each(|term| term.names(&mut found));
        found
    }

    fn is_anything(&self, name: &str) -> bool {
        self.anything && maker(name) == 1
    }

    fn text(&self) -> String {
        let mut out = "exclusiveor xor;\nhashfunction h;\nfunction enc, open, sign, recovered, verify;\nconst ok: Data;\n\
            equation open(enc(m, k), k) = m;\nequation recovered(sign(m, k)) = m;\n\
            equation verify(sign(m, sk(A)), pk(A)) = ok;\nprotocol p(I,R) {\n"
            .to_owned();
        for (role, own) in ROLES.into_iter().enumerate() {
            let other = ROLES[1 - role];
            out.push_str(&format!("  role {own} {{\n"));
            for name in self.used() {
                out.push_str(&match (maker(name) == role, self.is_anything(name)) {
                    (true, _) => format!("    fresh {name}: Nonce;\n"),
                    (false, true) => format!("    var {name}: Ticket;\n"),
                    (false, false) => format!("    var {name}: Nonce;\n"),
                });
            }
            let mut known: BTreeSet<&str> =
                FRESH.iter().filter(|(_, maker)| *maker == role).map(|(name, _)| *name).collect();
            for (number, message) in self.messages.iter().enumerate() {
                let texts = message.terms.iter().map(Term::text).collect_vec();
                if message.sender == role {
                    out.push_str(&format!("    send_{number}({own},{other},{});\n", texts.join(",")));
                    continue;
                }
                // What equations undo is received as a variable.
                let (mut seen, mut undone) = (Vec::new(), String::new());
                for (place, (term, text)) in message.terms.iter().zip(texts).enumerate() {
                    let variable = format!("V{number}{place}");
                    let undo = match term {
                        Term::Sealed(body, key) => {
                            let mut names = BTreeSet::new();
                            key.names(&mut names);
                            let has = names.iter().all(|name| known.contains(name));
                            let opened = format!("open({variable},{})", key.text());
                            has.then(|| format!("    match({},{opened});\n", body.text()))
                        }
                        Term::Signed(body, role) => {
                            let verified = format!("verify({variable},pk({}))", ROLES[*role]);
                            Some(format!(
                                "    match(ok,{verified});\n    match({},recovered({variable}));\n",
                                body.text()
                            ))
                        }
                        _ => None,
                    };
                    match undo {
                        Some(undo) => {
                            out.push_str(&format!("    var {variable}: Ticket;\n"));
                            undone.push_str(&undo);
                            seen.push(variable);
                        }
                        None => seen.push(text),
                    }
                }
                let mut names = BTreeSet::new();
                message.terms.iter().for_each(|term| term.names(&mut names));
                known.extend(names);
                out.push_str(&format!("    recv_{number}({other},{own},{});\n{undone}", seen.join(",")));
            }
            for claim in ["Alive", "Niagree"] {
                out.push_str(&format!("    claim_{own}{claim}({own}, {claim});\n"));
            }
            for (number, secret) in self.secrets[role].iter().enumerate() {
                out.push_str(&format!("    claim_{own}s{number}({own}, Secret, {});\n", secret.text()));
            }
            out.push_str("  }\n");
        }
        out.push_str("}\n");
        out
    }

    /// What a variable can be.
    fn values(&self, name: &str) -> Vec<Ground> {
        let fresh =
            self.used().into_iter().cartesian_product(0..RUNS).map(|(name, run)| Ground::Fresh(run, name));
        let nonces = fresh.chain([Ground::Own]).collect_vec();
        if !self.is_anything(name) {
            return nonces;
        }
        (0..3).flat_map(|count| nonces.iter().cloned().combinations(count).map(sum)).collect()
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
const MOST_STATES: usize = 3_000;
const MOST_VALUES: usize = 30_000;

struct Search<'p> {
    protocol: &'p Protocol,
    seen: HashSet<Vec<Run>>,
    values: usize,
    violated: BTreeSet<String>,
    reached: BTreeSet<usize>,
}

impl Search<'_> {
    fn ground(&self, run: usize, state: &Run, term: &Term) -> Ground {
        let of = |term: &Term| Box::new(self.ground(run, state, term));
        match term {
            Term::Role(role) => Ground::Agent(state.agents[*role]),
            Term::Fresh(name) if maker(name) == state.role => Ground::Fresh(run, name),
            Term::Fresh(name) => state.values[name].clone(),
            Term::Shared => Ground::Shared(state.agents[0], state.agents[1]),
            Term::Sum(terms) => sum(terms.iter().map(|term| self.ground(run, state, term))),
            Term::Hash(body) => Ground::Hash(of(body)),
            Term::Sealed(body, key) => Ground::Sealed(of(body), of(key)),
            Term::Signed(body, role) => {
                Ground::Signed(of(body), Box::new(Ground::Private(state.agents[*role])))
            }
            Term::Encrypted(body) => {
                Ground::Encrypted(of(body), Box::new(Ground::Shared(state.agents[0], state.agents[1])))
            }
        }
    }

    fn content(&self, runs: &[Run], run: usize, message: usize) -> Vec<Ground> {
        let terms = self.protocol.messages[message].terms.iter();
        terms.map(|term| self.ground(run, &runs[run], term)).collect()
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
            for message in (0..run.over).filter(|m| self.protocol.messages[*m].sender == run.role) {
                knowledge.0.extend(self.content(&runs, number, message));
            }
        }
        self.judge(&runs, &knowledge);
        for number in 0..runs.len() {
            self.step(&runs, number, &knowledge);
        }
        if runs.len() < RUNS {
            for (role, a, b) in iproduct!(0..2, 0..3, 0..3) {
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

    fn step(&mut self, runs: &[Run], number: usize, knowledge: &Knowledge) {
        let run = &runs[number];
        let Some(message) = self.protocol.messages.get(run.over) else { return };
        let mut next = runs.to_vec();
        next[number].over += 1;
        if message.sender == run.role {
            return self.visit(next);
        }
        let mut names = BTreeSet::new();
        message.terms.iter().for_each(|term| term.names(&mut names));
        names.retain(|name| maker(name) != run.role && !run.values.contains_key(name));
        let choices = names
            .into_iter()
            .map(|name| self.protocol.values(name).into_iter().map(move |value| (name, value)).collect_vec());
        let all = match choices.collect_vec() {
            choices if choices.is_empty() => vec![Vec::new()],
            choices => choices.into_iter().multi_cartesian_product().collect(),
        };
        for values in all {
            self.values += 1;
            if self.is_too_large() {
                return;
            }
            let mut next = next.clone();
            next[number].values.extend(values);
            if self.content(&next, number, run.over).iter().all(|term| knowledge.makes(term)) {
                self.visit(next);
            }
        }
    }

    fn judge(&mut self, runs: &[Run], knowledge: &Knowledge) {
        for (number, run) in runs.iter().enumerate() {
            if run.agents.contains(&EVE) || run.over < self.protocol.messages.len() {
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
            let mut partners =
                runs.iter().enumerate().filter(|(_, s)| s.role == other && s.agents == run.agents);
            let received = |message: &Message| message.sender != run.role;
            let preceding = self.protocol.messages.iter().rposition(received).map_or(0, |last| last + 1);
            let agrees = |(n, s): (usize, &Run)| {
                s.over >= preceding
                    && (0..preceding).all(|m| self.content(runs, n, m) == self.content(runs, number, m))
            };
            if preceding > 0 && !partners.any(agrees) {
                self.violated.insert(format!("{own}Niagree"));
            }
        }
    }
}

fn translated(text: &str) -> Translation {
    let loaded = load_text("p.spdl", text, &Budget::unlimited());
    let protocols = loaded.protocols.unwrap_or_else(|| panic!("{text}\n{:?}", loaded.diagnostics));
    translate("p", &protocols, ProtocolScope { runs: RUNS, ..ProtocolScope::default() })
}

#[test]
fn claims_about_sums_and_equations_are_those_of_all_interleavings() {
    let (mut compared, mut attacks, mut holding, mut missed, mut exact, mut large) = (0, 0, 0, 0, 0, 0);
    for seed in crate::random::seeds(200) {
        if compared == cases(12) {
            break;
        }
        let protocol = random_protocol(&mut Random::new(seed));
        let text = protocol.text();
        let mut search = Search {
            protocol: &protocol,
            seen: HashSet::new(),
            values: 0,
            violated: BTreeSet::new(),
            reached: BTreeSet::new(),
        };
        search.visit(Vec::new());
        if search.is_too_large() || search.reached.is_empty() {
            large += 1;
            continue;
        }
        let Some(found) = of_model(&text, Matching::Typed, NOTHING) else {
            large += 1;
            continue;
        };
        // Limits are said; without them, both find the same.
        let translation = translated(&text);
        let limited = translation.variable_sums || translation.given_sums || !translation.cut.is_empty();
        for (label, Found { attacked, reached }) in found {
            let role = usize::from(label.starts_with('R'));
            let violated = search.violated.contains(&label);
            if limited && !attacked && violated {
                eprintln!("seed {seed}: {label} has an attack beyond the limits");
                missed += 1;
                continue;
            }
            if !protocol.anything {
                assert_eq!(attacked, violated, "seed {seed}, claim {label} of\n{text}");
                assert_eq!(reached, search.reached.contains(&role), "seed {seed}, {label} of\n{text}");
            }
            assert!(attacked || !violated, "seed {seed}, claim {label} of\n{text}");
            exact += usize::from(!limited);
            attacks += usize::from(attacked);
            holding += usize::from(!attacked);
        }
        compared += 1;
    }
    eprintln!(
        "{compared} protocols, {attacks} attacks, {holding} claims hold, {exact} without limits, {missed} missed, {large} too large"
    );
    assert!(attacks > 5 && holding > 5 && missed * 10 < attacks + holding);
}

#[test]
fn protocols_with_sums_and_equations_are_as_expected() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("specs/algebra");
    let paths = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let mut compared = 0;
    for path in one_in(2, paths.sorted()) {
        let text = std::fs::read_to_string(&path).expect("readable");
        let found = within(&text, ProtocolScope { runs: 2, ..ProtocolScope::default() }).expect("a model");
        for line in text.lines().filter_map(|line| line.strip_prefix("# Expect: ")) {
            let (label, verdict) = line.split_once(' ').expect("a label and a verdict");
            assert!(found[label].reached, "{}: {label}", path.display());
            let attacked = if found[label].attacked { "attack" } else { "holds" };
            assert_eq!(verdict, attacked, "{}: {label}", path.display());
            compared += 1;
        }
    }
    assert!(compared > 4, "{compared}");
}
