//! Protocol files, as far as the third reader reads them.

use super::deduce::Inverses;
use super::term::{Bindings, FUNCTION, Name, Term};
use std::collections::{BTreeMap, BTreeSet};

pub struct File {
    /// Constants and functions with their atoms.
    pub constants: Bindings,
    /// Those that the attacker does not know.
    pub secret: BTreeSet<Name>,
    pub inverses: Inverses,
    pub protocols: Vec<Protocol>,
}

pub struct Protocol {
    pub name: Name,
    /// The roles that its head lists.
    pub head: Vec<Name>,
    pub roles: Vec<Role>,
}

#[derive(Default)]
pub struct Role {
    pub name: Name,
    /// Fresh values with their types.
    pub fresh: BTreeMap<Name, Name>,
    /// Variables with their types.
    pub variables: BTreeMap<Name, Name>,
    pub events: Vec<Event>,
}

#[derive(Clone, PartialEq, Eq)]
pub struct Message {
    pub label: Name,
    pub from: Term,
    pub to: Term,
    pub text: Term,
}

pub enum Event {
    Send(Message),
    Receive(Message),
    /// The run goes on if the pattern matches the term, or else if it is another term.
    Compare {
        pattern: Term,
        term: Term,
        equal: bool,
    },
    Claim {
        label: Name,
        claim: Claim,
    },
}

pub enum Claim {
    Secret(Term),
    /// Of a role, or of all others.
    Alive(Option<Name>),
    Recentalive(Option<Name>),
    Weakagree(Option<Name>),
    Niagree,
    Nisynch,
    /// Of a role and data.
    Running(Name, Term),
    Commit(Name, Term),
    /// `Commit` of which no other run has the same.
    Icommit(Name, Term),
    Reachable,
}

impl File {
    /// Reads a protocol file.
    ///
    /// # Errors
    /// What cannot be read.
    pub fn read(text: &str) -> Result<Self, String> {
        let function = |name: &str| (name.into(), Term::constant(name, FUNCTION));
        let file = Self {
            constants: ["pk", "sk", "k"].map(function).into(),
            secret: ["sk", "k"].map(Name::from).into(),
            inverses: Inverses { keys: vec![], functions: vec![["pk", "sk"].map(|name| function(name).1)] },
            protocols: vec![],
        };
        let mut parser = Parser { tokens: tokens(text), file };
        while !parser.tokens.is_empty() {
            parser.item()?;
        }
        let mut file = parser.file;
        for role in file.protocols.iter_mut().flat_map(|protocol| &mut protocol.roles) {
            role.name_claims();
        }
        file.resolve()?;
        Ok(file)
    }

    /// Puts the constants in the place of names that mean nothing else in their roles.
    fn resolve(&mut self) -> Result<(), String> {
        for key in self.inverses.keys.iter_mut().chain(&mut self.inverses.functions).flatten() {
            *key = key.under(&self.constants);
        }
        for protocol in &mut self.protocols {
            for role in &mut protocol.roles {
                let own: Vec<&Name> =
                    role.fresh.keys().chain(role.variables.keys()).chain(&protocol.head).collect();
                let mut outer = self.constants.clone();
                outer.retain(|name, _| !own.contains(&name));
                for term in role.events.iter_mut().flat_map(Event::terms) {
                    *term = term.under(&outer);
                    if let Some(unknown) = term.locals().into_iter().find(|name| !own.contains(name)) {
                        return Err(format!("{unknown} is not declared"));
                    }
                }
            }
        }
        Ok(())
    }
}

impl Role {
    /// True if a claim of it depends on what was done before it began.
    pub fn claims_recentness(&self) -> bool {
        let is_one = |event: &Event| matches!(event, Event::Claim { claim: Claim::Recentalive(_), .. });
        self.events.iter().any(is_one)
    }

    /// Gives claims without a label, or with that of an earlier one, the first of `I1`, `I2`, … that is free.
    fn name_claims(&mut self) {
        let mut seen = BTreeSet::new();
        let mut nameless = vec![];
        for event in &mut self.events {
            if let Event::Claim { label, .. } = event
                && (label.is_empty() || !seen.insert(label.clone()))
            {
                nameless.push(label);
            }
        }
        for label in nameless {
            let free =
                (1..).map(|n| Name::from(format!("{}{n}", self.name))).find(|name| !seen.contains(name));
            *label = free.expect("there are numbers enough");
            seen.insert(label.clone());
        }
    }
}

impl Event {
    fn terms(&mut self) -> Vec<&mut Term> {
        match self {
            Self::Send(message) | Self::Receive(message) => {
                vec![&mut message.from, &mut message.to, &mut message.text]
            }
            Self::Compare { pattern, term, .. } => vec![pattern, term],
            Self::Claim {
                claim: Claim::Secret(t) | Claim::Running(_, t) | Claim::Commit(_, t) | Claim::Icommit(_, t),
                ..
            } => {
                vec![t]
            }
            Self::Claim { .. } => vec![],
        }
    }
}

/// The names and signs of a text, the last one first.
fn tokens(text: &str) -> Vec<String> {
    let mut tokens = vec![];
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let comment =
            [("#", "\n"), ("//", "\n"), ("/*", "*/")].into_iter().find(|(start, _)| rest.starts_with(start));
        if let Some((_, end)) = comment {
            rest = rest.split_once(end).map_or("", |(_, after)| after);
        } else {
            let in_name = |c: char| c.is_alphanumeric() || "-^!'@".contains(c);
            let length = rest.find(|c| !in_name(c)).unwrap_or(rest.len()).max(first.len_utf8());
            tokens.push(rest[..length].to_owned());
            rest = &rest[length..];
        }
        rest = rest.trim_start();
    }
    tokens.reverse();
    tokens
}

struct Parser {
    tokens: Vec<String>,
    file: File,
}

impl Parser {
    fn next(&mut self) -> Result<String, String> {
        self.tokens.pop().ok_or_else(|| "the text ends too early".to_owned())
    }

    fn name(&mut self) -> Result<Name, String> {
        self.next().map(Name::from)
    }

    /// True if this sign is next; if so it is read.
    fn has(&mut self, sign: &str) -> bool {
        let has = self.tokens.last().is_some_and(|token| token == sign);
        if has {
            self.tokens.pop();
        }
        has
    }

    fn expect(&mut self, sign: &str) -> Result<(), String> {
        let found = self.next()?;
        if found == sign { Ok(()) } else { Err(format!("`{found}` instead of `{sign}`")) }
    }

    fn names(&mut self) -> Result<Vec<Name>, String> {
        let mut names = vec![self.name()?];
        while self.has(",") {
            names.push(self.name()?);
        }
        Ok(names)
    }

    /// Names with their type.
    fn typed(&mut self) -> Result<Vec<(Name, Name)>, String> {
        let names = self.names()?;
        let kind = if self.has(":") { self.name()? } else { "".into() };
        self.expect(";")?;
        Ok(names.into_iter().map(|name| (name, kind.clone())).collect())
    }

    fn item(&mut self) -> Result<(), String> {
        let word = self.next()?;
        match &*word {
            "protocol" => self.protocol()?,
            "usertype" => {
                self.names()?;
                self.expect(";")?;
            }
            _ => self.declaration(&word)?,
        }
        Ok(())
    }

    fn declaration(&mut self, word: &str) -> Result<(), String> {
        match word {
            "const" => self.constants(false, false),
            "hashfunction" | "function" => self.constants(false, true),
            "secret" => {
                let function = ["hashfunction", "function"].into_iter().any(|word| self.has(word));
                self.has("const");
                self.constants(true, function)
            }
            "inversekeys" | "inversekeyfunctions" => {
                self.expect("(")?;
                let pair = self.terms()?.try_into().map_err(|_| format!("{word} is of two"))?;
                self.expect(")")?;
                let Inverses { keys, functions } = &mut self.file.inverses;
                if word == "inversekeys" { keys } else { functions }.push(pair);
                self.expect(";")
            }
            _ => Err(format!("`{word}` is not supported")),
        }
    }

    /// Constants, or functions: nobody has what opens the texts that those have closed.
    fn constants(&mut self, secret: bool, functions: bool) -> Result<(), String> {
        for (name, kind) in self.typed()? {
            let constant = Term::constant(&name, if functions { FUNCTION } else { &kind });
            if functions {
                let inverse = Term::constant(&format!("what inverts {name}"), "");
                self.file.inverses.keys.push([constant.clone(), inverse]);
            }
            if secret {
                self.file.secret.insert(name.clone());
            }
            self.file.constants.insert(name, constant);
        }
        Ok(())
    }

    fn protocol(&mut self) -> Result<(), String> {
        let name = self.name()?;
        self.expect("(")?;
        let head = self.names()?;
        self.expect(")")?;
        self.expect("{")?;
        let mut roles = vec![];
        while !self.has("}") {
            let word = self.next()?;
            if word == "role" {
                roles.push(self.role()?);
            } else {
                self.declaration(&word)?;
            }
        }
        self.has(";");
        self.file.protocols.push(Protocol { name, head, roles });
        Ok(())
    }

    fn role(&mut self) -> Result<Role, String> {
        let mut role = Role { name: self.name()?, ..Role::default() };
        self.expect("{")?;
        while !self.has("}") {
            let word = self.next()?;
            match &*word {
                "fresh" => role.fresh.extend(self.typed()?),
                "var" => role.variables.extend(self.typed()?),
                _ => role.events.extend(self.event(&word)?),
            }
        }
        self.has(";");
        Ok(role)
    }

    /// An event; nothing for a note.
    fn event(&mut self, word: &str) -> Result<Option<Event>, String> {
        let equal = word != "not";
        if !equal {
            self.expect("match")?;
        }
        let label = if self.has("_") { self.name()? } else { "".into() };
        self.expect("(")?;
        let terms = self.terms()?;
        self.expect(")")?;
        self.expect(";")?;
        Ok(match (word, &terms[..]) {
            ("match" | "not", [pattern, term]) => {
                Some(Event::Compare { pattern: pattern.clone(), term: term.clone(), equal })
            }
            ("send" | "recv" | "read", [from, to, text @ ..]) if !text.is_empty() => {
                let text = Term::tuple(text.iter().cloned());
                let message = Message { label, from: from.clone(), to: to.clone(), text };
                Some(if word == "send" { Event::Send(message) } else { Event::Receive(message) })
            }
            ("claim", [_, kind, rest @ ..]) => claim(label, &kind.to_string(), rest)?,
            _ => return Err(format!("`{word}` is not supported")),
        })
    }

    fn terms(&mut self) -> Result<Vec<Term>, String> {
        let mut terms = vec![self.term()?];
        while self.has(",") {
            terms.push(self.term()?);
        }
        Ok(terms)
    }

    /// A term, in which each name may stand for something else.
    fn term(&mut self) -> Result<Term, String> {
        if self.has("(") {
            let terms = self.terms()?;
            self.expect(")")?;
            return Ok(Term::tuple(terms.into_iter()));
        }
        if self.has("{") {
            let text = self.terms()?;
            self.expect("}")?;
            return Ok(Term::crypt(Term::tuple(text.into_iter()), self.term()?));
        }
        let name = self.name()?;
        if self.has("(") {
            let arguments = self.terms()?;
            self.expect(")")?;
            return Ok(Term::crypt(Term::tuple(arguments.into_iter()), Term::Local(name)));
        }
        Ok(Term::Local(name))
    }
}

/// A claim; nothing for a note.
fn claim(label: Name, kind: &str, rest: &[Term]) -> Result<Option<Event>, String> {
    let claim = match (kind, rest) {
        ("Empty", _) => return Ok(None),
        ("NotEqual", [one, other]) => {
            return Ok(Some(Event::Compare { pattern: one.clone(), term: other.clone(), equal: false }));
        }
        ("Secret" | "SKR", [_, ..]) => Claim::Secret(Term::tuple(rest.iter().cloned())),
        ("Alive", []) => Claim::Alive(None),
        ("Alive", [Term::Local(role)]) => Claim::Alive(Some(role.clone())),
        ("Recentalive", []) => Claim::Recentalive(None),
        ("Recentalive", [Term::Local(role)]) => Claim::Recentalive(Some(role.clone())),
        ("Weakagree", []) => Claim::Weakagree(None),
        ("Weakagree", [Term::Local(role)]) => Claim::Weakagree(Some(role.clone())),
        ("Niagree", []) => Claim::Niagree,
        ("Nisynch", []) => Claim::Nisynch,
        ("Reachable", []) => Claim::Reachable,
        ("Running", [Term::Local(role), data @ ..]) if !data.is_empty() => {
            Claim::Running(role.clone(), Term::tuple(data.iter().cloned()))
        }
        ("Commit", [Term::Local(role), data @ ..]) if !data.is_empty() => {
            Claim::Commit(role.clone(), Term::tuple(data.iter().cloned()))
        }
        ("Icommit", [Term::Local(role), data @ ..]) if !data.is_empty() => {
            Claim::Icommit(role.clone(), Term::tuple(data.iter().cloned()))
        }
        _ => return Err(format!("the claim {kind} is not read")),
    };
    Ok(Some(Event::Claim { label, claim }))
}
