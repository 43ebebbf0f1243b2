//! Random protocols: of two roles with anything, with commitments alone, or with tuples that are passed on, and of three roles with claims
//! about one of them.

use super::term::Term;
use crate::random::Random;
use std::collections::BTreeMap;
use std::fmt::Write as _;

const ROLES: [&str; 2] = ["A", "B"];

/// Declarations outside of roles that protocols choose from, with what they declare.
const FUNCTIONS: [(&str, &str); 5] = [
    ("hashfunction h;", "h"),
    ("const f: Function;", "f"),
    ("secret s: Function;", "s"),
    ("const g: Function; const g': Function; inversekeys(g, g');", "g"),
    (KEYS, "e"),
];
/// Functions that are applied to give keys, and nothing else.
const KEYS: &str = "const e: Function; const e': Function; inversekeyfunctions(e, e');";
const CONSTANTS: [(&str, &str); 3] =
    [("const c: Nonce;", "c"), ("secret const z: Key;", "z"), ("const d: Key;", "d")];

/// The text of a protocol file.
pub fn protocol(random: &mut Random) -> String {
    let functions: Vec<_> = FUNCTIONS.into_iter().filter(|_| random.percent(40)).collect();
    let constants: Vec<_> = CONSTANTS.into_iter().filter(|_| random.percent(25)).collect();
    let mut writer = Writer {
        random,
        functions: functions.iter().filter(|(text, _)| *text != KEYS).map(|(_, name)| *name).collect(),
        key_functions: functions.iter().map(|(_, name)| *name).collect(),
        constants: constants.iter().map(|(_, name)| *name).collect(),
        sides: [Side::default(), Side::default()],
        ticket: false,
    };
    writer.fresh_values();
    writer.messages();
    writer.comparison();
    writer.claims();
    let mut text = String::from("usertype Key;\n");
    for (declaration, _) in functions.iter().chain(&constants) {
        let _ = writeln!(text, "{declaration}");
    }
    text.push_str("protocol p(A, B) {\n");
    for (role, side) in ROLES.iter().zip(&writer.sides) {
        let _ = writeln!(text, "    role {role} {{");
        for (name, kind) in &side.fresh {
            let _ = writeln!(text, "        fresh {name}: {kind};");
        }
        for (name, kind) in &side.variables {
            let _ = writeln!(text, "        var {name}: {kind};");
        }
        for event in &side.events {
            let _ = writeln!(text, "        {event};");
        }
        text.push_str("    }\n");
    }
    text.push_str("}\n");
    text
}

/// The text of a small protocol in which one role commits to data, once and injectively, so that three runs can be looked at.
pub fn commitments(random: &mut Random) -> String {
    let is_asked = random.percent(60);
    let names: &[&str] = if is_asked { &["A", "B", "n", "m"] } else { &["A", "B", "n"] };
    let parts = some_of(random, names, 65);
    let data = *random.pick(&parts);
    let body = sealed(random, &parts, ["A", "B"]);
    let question = if random.percent(50) { "m" } else { "B, m" };
    let mut events = [vec![], vec![]];
    if is_asked {
        events[0].push(format!("recv_1(B, A, {question})"));
        events[1].push(format!("send_1(B, A, {question})"));
    }
    let running = format!("claim_A0(A, Running, B, {data})");
    let is_late = random.percent(20);
    events[0].extend((!is_late).then(|| running.clone()));
    events[0].push(format!("send_2(A, B, {body})"));
    events[0].extend(is_late.then_some(running));
    events[1].push(format!("recv_2(A, B, {body})"));
    events[1].push(format!("claim_B1(B, Commit, A, {data})"));
    events[1].push(format!("claim_B2(B, Icommit, A, {data})"));
    let [first, second] = events.map(|events| events.join("; "));
    let declared =
        if is_asked { ["fresh n: Nonce; var m", "fresh m: Nonce; var n"] } else { ["fresh n", "var n"] };
    format!(
        "protocol p(A, B) {{\n    role A {{ {}: Nonce; {first}; }}\n    role B {{ {}: Nonce; {second}; }}\n}}\n",
        declared[0], declared[1]
    )
}

/// The text of a protocol of three roles, in which the last one to receive something claims that others are alive and agree with it, all
/// partners together and each by itself.
pub fn three_roles(random: &mut Random) -> String {
    const ALL: [&str; 3] = ["A", "B", "C"];
    let mut events = [vec![], vec![], vec![]];
    let mut last = 0;
    for label in 1..=1 + random.below(3) {
        let from = random.below(3);
        let to = (from + 1 + random.below(2)) % 3;
        let names = some_of(random, &ALL, 70);
        let message = sealed(random, &names, [ALL[from], ALL[to]]);
        for (side, word) in [(from, "send"), (to, "recv")] {
            events[side].push(format!("{word}_{label}({}, {}, {message})", ALL[from], ALL[to]));
        }
        last = to;
    }
    for (number, claim) in ["Alive", "Weakagree", "Recentalive"].into_iter().enumerate() {
        let role = ALL[last];
        events[last].push(format!("claim_{role}{number}({role}, {claim})"));
        for partner in ALL.into_iter().filter(|partner| *partner != role) {
            events[last].push(format!("claim_{role}{number}{partner}({role}, {claim}, {partner})"));
        }
    }
    let mut text = String::from("protocol p(A, B, C) {\n");
    for (role, events) in ALL.iter().zip(&events) {
        let events: String = events.iter().map(|event| format!("        {event};\n")).collect();
        let _ = writeln!(text, "    role {role} {{\n{events}    }}");
    }
    text.push_str("}\n");
    text
}

/// The text of a protocol in which one role sends a tuple, and the other one receives any term within some encryptions and passes it on.
pub fn wrapped(random: &mut Random) -> String {
    let keys = ["k(A, B)", "pk(B)", "pk(A)", "sk(A)", "sk(B)"];
    let [own, around, onwards] = [(); 3].map(|()| *random.pick(&keys));
    let inner = if random.percent(75) { own } else { around };
    let received =
        *random.pick(&["{x}INNER", "{{x}INNER}AROUND", "{B, {x}INNER}AROUND", "{{{x}INNER}AROUND}INNER"]);
    let passed = *random.pick(&["x", "{x}ONWARDS", "B, x", "{{x}ONWARDS}AROUND"]);
    let message =
        |pattern: &str| pattern.replace("INNER", inner).replace("AROUND", around).replace("ONWARDS", onwards);
    format!(
        "protocol p(A, B) {{\n    role A {{ fresh n, m: Nonce; send_!1(A, B, {{n, m}}{own}); claim_A1(A, Secret, n); claim_A2(A, Secret, m); }}\n    \
         role B {{ var x: Ticket; recv_!2(A, B, {}); send_!3(B, A, {}); }}\n}}\n",
        message(received),
        message(passed)
    )
}

/// Some of these names, at least one, in any order.
fn some_of<'n>(random: &mut Random, names: &[&'n str], percent: usize) -> Vec<&'n str> {
    let mut left = names.to_vec();
    let mut chosen = vec![];
    while !left.is_empty() {
        let name = left.swap_remove(random.below(left.len()));
        if chosen.is_empty() || random.percent(percent) {
            chosen.push(name);
        }
    }
    chosen
}

/// A message of these parts from one role to another one, more often than not closed.
fn sealed(random: &mut Random, parts: &[&str], [from, to]: [&str; 2]) -> String {
    let keys = [format!("k({from}, {to})"), format!("pk({to})"), format!("sk({from})")];
    let body = parts.join(", ");
    if random.percent(85) { format!("{{{body}}}{}", random.pick(&keys)) } else { body }
}

/// A role as far as it is written.
#[derive(Default)]
struct Side {
    /// Fresh values and variables with their types.
    fresh: BTreeMap<String, &'static str>,
    variables: BTreeMap<String, &'static str>,
    events: Vec<String>,
    /// What it has after its first events, by their number: its fresh values from the start, its variables from their receipt on.
    has: Vec<(usize, String)>,
}

impl Side {
    fn names(&self) -> Vec<String> {
        self.has.iter().map(|(_, name)| name.clone()).collect()
    }

    /// Writes an event at a place.
    fn insert(&mut self, place: usize, event: String) {
        self.events.insert(place, event);
        for (since, _) in &mut self.has {
            *since += usize::from(*since > place);
        }
    }
}

struct Writer<'r> {
    random: &'r mut Random,
    functions: Vec<&'static str>,
    /// And those that keys are made with.
    key_functions: Vec<&'static str>,
    constants: Vec<&'static str>,
    sides: [Side; 2],
    /// True if a variable takes any term; one is enough.
    ticket: bool,
}

impl Writer<'_> {
    fn fresh_values(&mut self) {
        for (side, name) in self.sides.iter_mut().zip(["a", "b"]) {
            for number in 1..=self.random.below(3) {
                let name = format!("{name}{number}");
                let kind = if self.random.percent(70) { "Nonce" } else { "Key" };
                side.fresh.insert(name.clone(), kind);
                side.has.push((0, name));
            }
        }
    }

    fn messages(&mut self) {
        let mut earlier: Option<(usize, Term)> = None;
        let mut sender = self.random.below(2);
        for label in 1..=1 + self.random.below(3) {
            let again = earlier.take_if(|_| self.random.percent(15));
            let (from, message) = again.unwrap_or_else(|| {
                let size = 1 + self.random.below(3);
                let names = self.sides[sender].names();
                let parts: Vec<Term> = (0..size).map(|_| self.part(&names)).collect();
                (sender, Term::tuple(parts.into_iter()))
            });
            let received = self.received(1 - from, &message, true);
            self.learn(1 - from, &received);
            let [one, other] = [ROLES[from], ROLES[1 - from]];
            self.sides[from].events.push(format!("send_{label}({one}, {other}, {message})"));
            self.sides[1 - from].events.push(format!("recv_{label}({one}, {other}, {received})"));
            earlier = Some((from, message));
            sender = if self.random.percent(80) { 1 - from } else { from };
        }
    }

    /// A component of a message of a role that has these names: more often than not it is closed.
    fn part(&mut self, names: &[String]) -> Term {
        if self.random.percent(45) {
            Term::crypt(self.term(names, 1), self.key(names, 1))
        } else {
            self.term(names, 2)
        }
    }

    /// A term of a role that has these names.
    fn term(&mut self, names: &[String], depth: usize) -> Term {
        match self.random.below(if depth == 0 { 4 } else { 9 }) {
            0 | 1 | 8 if !names.is_empty() => Term::local(self.random.pick(names)),
            0 | 1 if !self.constants.is_empty() => Term::local(self.random.pick(&self.constants)),
            0..=3 => self.role(),
            4 if !self.functions.is_empty() => {
                let function = *self.random.pick(&self.functions);
                Term::apply(function, self.term(names, depth - 1))
            }
            _ => {
                let text = self.term(names, depth - 1);
                let text = if self.random.percent(50) {
                    Term::pair(text, self.term(names, depth - 1))
                } else {
                    text
                };
                Term::crypt(text, self.key(names, depth - 1))
            }
        }
    }

    fn role(&mut self) -> Term {
        Term::local(self.random.pick(&ROLES))
    }

    fn key(&mut self, names: &[String], depth: usize) -> Term {
        match self.random.below(10) {
            0 => Term::apply("pk", self.role()),
            1 => Term::apply("sk", self.role()),
            2 => Term::apply("k", Term::pair(self.role(), self.role())),
            3..=5 if !self.key_functions.is_empty() => {
                let function = *self.random.pick(&self.key_functions);
                let argument = self.term(names, 0);
                let argument = if self.random.percent(40) {
                    Term::pair(argument, self.term(names, 0))
                } else {
                    argument
                };
                Term::apply(function, argument)
            }
            6 if !self.functions.is_empty() => Term::local(self.random.pick(&self.functions)),
            7 => Term::pair(self.term(names, 0), self.term(names, 0)),
            8 if depth > 0 => Term::crypt(self.term(names, 0), self.key(names, 0)),
            _ if names.is_empty() => Term::apply("k", Term::pair(Term::local("A"), Term::local("B"))),
            _ => Term::local(self.random.pick(names)),
        }
    }

    /// How a role receives what the other one sends: now and then it does not compare a value with the one that it has, or does not look
    /// into a part.
    fn received(&mut self, side: usize, term: &Term, whole: bool) -> Term {
        match term {
            Term::Local(name) if self.own(side).contains(&&**name) => match self.sides[side].kind(name) {
                Some(kind) if whole && self.random.percent(10) => self.variable(side, kind),
                _ => term.clone(),
            },
            Term::Local(name) => {
                let kind = self.sides[1 - side].kind(name).unwrap_or("Agent");
                self.sides[side].variables.insert(name.to_string(), kind);
                term.clone()
            }
            Term::Crypt { .. } if whole && !self.ticket && self.random.percent(12) => {
                self.ticket = true;
                self.variable(side, "Ticket")
            }
            Term::Crypt { text, key } => {
                let applied = matches!(**key, Term::Atom { .. });
                Term::crypt(self.received(side, text, whole && !applied), self.received(side, key, false))
            }
            Term::Pair(first, second) => {
                Term::pair(self.received(side, first, whole), self.received(side, second, whole))
            }
            Term::Atom { .. } => term.clone(),
        }
    }

    /// A new variable.
    fn variable(&mut self, side: usize, kind: &'static str) -> Term {
        let variables = &mut self.sides[side].variables;
        let name = format!("{}{}", ["v", "w"][side], variables.len());
        variables.insert(name.clone(), kind);
        Term::local(&name)
    }

    /// What a role has without having received it, and its variables.
    fn own(&self, side: usize) -> Vec<&str> {
        let declared =
            self.sides[side].fresh.keys().chain(self.sides[side].variables.keys()).map(String::as_str);
        let everywhere = ROLES.iter().chain(&self.functions).chain(&self.constants).copied();
        declared.chain(everywhere).collect()
    }

    /// The role is about to receive a term.
    fn learn(&mut self, side: usize, received: &Term) {
        let side = &mut self.sides[side];
        for name in received.locals() {
            if side.variables.contains_key(&**name) && !side.names().contains(&name.to_string()) {
                side.has.push((side.events.len() + 1, name.to_string()));
            }
        }
    }

    /// Now and then, a role compares two values.
    fn comparison(&mut self) {
        let side = self.random.below(2);
        let names = self.sides[side].names();
        if names.len() < 2 || !self.random.percent(15) {
            return;
        }
        let both = [self.random.pick(&names).clone(), self.random.pick(&names).clone()];
        let place = self.place(side, &both);
        let word = if self.random.percent(60) { "not match" } else { "match" };
        self.sides[side].insert(place, format!("{word}({}, {})", both[0], both[1]));
    }

    /// A place of a role where it has all these names.
    fn place(&mut self, side: usize, names: &[String]) -> usize {
        let side = &self.sides[side];
        let since = side.has.iter().filter(|(_, name)| names.contains(name)).map(|(since, _)| *since).max();
        let first = since.unwrap_or(0);
        first + self.random.below(side.events.len() + 1 - first)
    }

    fn claims(&mut self) {
        for (side, role) in ROLES.iter().enumerate() {
            for number in 1..=1 + self.random.below(3) {
                let (names, claim) = self.claim(side);
                let last = self.sides[side].events.len();
                let place = if self.random.percent(60) { last } else { self.place(side, &names) };
                self.sides[side].insert(place, format!("claim_{role}{number}({role}, {claim})"));
            }
        }
        if self.random.percent(40) {
            self.agreement();
        }
    }

    /// A claim and the names in it.
    fn claim(&mut self, side: usize) -> (Vec<String>, String) {
        let simple = ["Alive", "Recentalive", "Weakagree", "Niagree", "Nisynch", "Reachable"];
        let names = self.sides[side].names();
        let chosen = self.random.below(10);
        if chosen < simple.len() {
            let of = match chosen < 3 && self.random.percent(30) {
                true => format!(", {}", ROLES[1 - side]),
                false => String::new(),
            };
            return (vec![], format!("{}{of}", simple[chosen]));
        }
        let term = if names.is_empty() || self.random.percent(20) {
            Term::crypt(self.role(), self.key(&names, 1))
        } else {
            Term::local(self.random.pick(&names))
        };
        let kind = if self.random.percent(80) { "Secret" } else { "SKR" };
        (term.locals().iter().map(ToString::to_string).collect(), format!("{kind}, {term}"))
    }

    /// A role claims to run with data that the other one commits to.
    fn agreement(&mut self) {
        let committing = self.random.below(2);
        let shared: Vec<String> = self.sides[committing].names();
        let running = self.sides[1 - committing].names();
        let shared: Vec<String> = shared.into_iter().filter(|name| running.contains(name)).collect();
        let data = if shared.is_empty() { "A".to_owned() } else { self.random.pick(&shared).clone() };
        let commit = if self.random.percent(50) { "Icommit" } else { "Commit" };
        for (side, claim) in [(committing, commit), (1 - committing, "Running")] {
            let (role, other) = (ROLES[side], ROLES[1 - side]);
            let place = self.place(side, std::slice::from_ref(&data));
            self.sides[side].insert(place, format!("claim_{role}0({role}, {claim}, {other}, {data})"));
        }
    }
}

impl Side {
    /// The type of what it has.
    fn kind(&self, name: &str) -> Option<&'static str> {
        self.fresh.get(name).or_else(|| self.variables.get(name)).copied()
    }
}
