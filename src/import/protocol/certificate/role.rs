//! The roles of a file as the checker reads them.

use super::NotProved;
use super::term::{Name, Solution, Sort, Term};
use crate::protocol::ir::{
    self, EventKind, ProtocolSymbolKind, Protocols, RoleClaim, RoleId, RoleTerm, RoleVariable, SymbolId,
    TypeId,
};
use crate::protocol::translate::{Matching, ProtocolScope};

/// A role; its first unknowns are the agents of its protocol, then the variables of the file.
#[derive(Debug)]
pub(super) struct CheckedRole {
    /// The role in the file; nothing for the one that tells what is compromised.
    pub id: Option<RoleId>,
    pub agents: Vec<RoleId>,
    pub sorts: Vec<Sort>,
    pub events: Vec<CheckedEvent>,
    pub is_helper: bool,
    pub is_singular: bool,
}

#[derive(Debug)]
pub(super) enum CheckedEvent {
    Send(Term),
    Receive(Term),
    Equal(Term, Term),
    Differ(Term, Term),
    /// The term of a secret, or the data of a commitment.
    Claim(Option<Term>),
}

/// A part of a message that can be read once the message is sent, and not before in its role.
#[derive(Debug)]
pub(super) struct Leak {
    pub event: usize,
    pub term: Term,
    /// The encryption that has to be opened, and if it can be read in the message itself.
    pub inside: Option<(Term, bool)>,
}

/// The protocols of a file with the attacker's abilities.
#[derive(Debug)]
pub(super) struct World<'a> {
    pub protocols: &'a Protocols,
    pub scope: ProtocolScope,
    pub roles: Vec<CheckedRole>,
}

impl<'a> World<'a> {
    /// Reads all roles.
    ///
    /// # Errors
    /// Losses of sessions or of random values, algebra, and variables that are sent before they are received.
    pub fn new(protocols: &'a Protocols, scope: ProtocolScope) -> Result<Self, NotProved> {
        if scope.reveals.need_model() || protocols.have_algebra() {
            return Err(NotProved::new(
                "certificates express neither algebra nor losses other than `actor` and `after`",
            ));
        }
        let mut world = Self { protocols, scope, roles: Vec::new() };
        let roles = (0..protocols.roles.len()).map(|role| world.role(RoleId::new(role)));
        world.roles = roles.collect::<Result<_, _>>()?;
        let told = protocols.compromised.iter().map(|term| world.term(RoleId::FIRST, term));
        let events = told.map(CheckedEvent::Send).collect();
        world.roles.push(CheckedRole {
            id: None,
            agents: Vec::new(),
            sorts: Vec::new(),
            events,
            is_helper: true,
            is_singular: true,
        });
        Ok(world)
    }

    fn role(&self, id: RoleId) -> Result<CheckedRole, NotProved> {
        let described = &self.protocols.roles[id.index()];
        let protocol = &self.protocols.protocols[described.protocol.index()];
        let agents = protocol.roles.iter().map(|role| match *role == id || self.scope.untrusted == 0 {
            true => Sort::HonestAgent,
            false => Sort::Agent,
        });
        let variables = described.variables.iter().map(|variable| self.sort(variable));
        let sorts: Vec<Sort> = agents.chain(variables).collect();
        let mut equal = Solution::default();
        for sort in &sorts {
            equal.unknown(*sort);
        }
        let mut known: Vec<Term> = (0..protocol.roles.len()).map(Term::Unknown).collect();
        let mut events = Vec::new();
        for event in &described.events {
            let read = |term: &RoleTerm| equal.of(&self.term(id, term));
            let data = |terms: &[RoleTerm]| Term::tuple(terms.iter().map(read).collect());
            events.push(match &event.kind {
                EventKind::Send(message) => {
                    let message = read(&message.content);
                    let is_new = |part: &&&Term| matches!(part, Term::Unknown(_)) && !known.contains(part);
                    if message.parts().iter().any(|part| is_new(&part)) {
                        return Err(NotProved::new("a role sends what it does not have"));
                    }
                    CheckedEvent::Send(message)
                }
                EventKind::Receive(message) => {
                    let message = read(&message.content);
                    known.extend(message.parts().into_iter().cloned());
                    CheckedEvent::Receive(message)
                }
                EventKind::Match { pattern, term, equal: false } => {
                    CheckedEvent::Differ(read(pattern), read(term))
                }
                EventKind::Match { pattern, term, equal: true } => {
                    let (left, right) = (read(pattern), read(term));
                    if !equal.solve(&left, &right) {
                        break; // No run gets further.
                    }
                    let solved: Vec<Term> = known.iter().map(|term| equal.of(term)).collect();
                    known = solved.iter().flat_map(Term::parts).cloned().collect();
                    CheckedEvent::Equal(left, right)
                }
                EventKind::Claim(claim) => CheckedEvent::Claim(match claim {
                    RoleClaim::Secret(term) | RoleClaim::SessionKey(term) => Some(read(term)),
                    RoleClaim::Commit { data: terms, .. } | RoleClaim::Running { data: terms, .. } => {
                        data(terms)
                    }
                    _ => None,
                }),
            });
        }
        let (is_helper, is_singular) = (protocol.helper, described.singular);
        Ok(CheckedRole {
            id: Some(id),
            agents: protocol.roles.clone(),
            sorts,
            events,
            is_helper,
            is_singular,
        })
    }

    /// The terms that a variable takes.
    fn sort(&self, variable: &RoleVariable) -> Sort {
        let declared = match variable.types[..] {
            [ty] if !self.is_type(ty, "Ticket") && !self.is_type(ty, "Function") => {
                match self.is_type(ty, "Agent") {
                    true => Sort::Agent,
                    false => Sort::Value(ty),
                }
            }
            _ => Sort::Anything,
        };
        match self.scope.matching {
            _ if variable.fresh => Sort::Value(made_type(variable)),
            Matching::Full => Sort::Anything,
            Matching::Basic if declared != Sort::Anything => Sort::AnyName,
            _ => declared,
        }
    }

    fn is_type(&self, ty: TypeId, name: &str) -> bool {
        self.protocols.types[ty.index()] == name
    }

    fn term(&self, id: RoleId, term: &RoleTerm) -> Term {
        let role = &self.protocols.roles[id.index()];
        let agents = &self.protocols.protocols[role.protocol.index()].roles;
        let tuple = |terms: &[RoleTerm]| {
            let terms = terms.iter().map(|term| self.term(id, term)).collect();
            Term::tuple(terms).unwrap_or_else(|| unreachable!("a tuple has components"))
        };
        match term {
            RoleTerm::Agent(of) => {
                let place = agents.iter().position(|agent| agent == of);
                Term::Unknown(place.unwrap_or_else(|| unreachable!("a role of the protocol")))
            }
            RoleTerm::Variable(variable) => {
                let described = &role.variables[variable.index()];
                match described.fresh {
                    true => Term::Name(Name::Fresh { run: 0, variable: *variable, ty: made_type(described) }),
                    false => Term::Unknown(agents.len() + variable.index()),
                }
            }
            RoleTerm::Constant(symbol) => self.symbol(*symbol),
            RoleTerm::Tuple(terms) => tuple(terms),
            RoleTerm::Encrypted { body, key } => Term::sealed(self.term(id, body), self.term(id, key)),
            RoleTerm::Apply { function, arguments } => Term::sealed(tuple(arguments), self.symbol(*function)),
        }
    }

    pub fn symbol(&self, symbol: SymbolId) -> Term {
        let sort = match self.protocols.symbols[symbol.index()].kind {
            ProtocolSymbolKind::Constant(ty) if !self.is_type(ty, "Agent") => Sort::Value(ty),
            ProtocolSymbolKind::Constant(_) if self.protocols.untrusted.contains(&symbol) => {
                return Term::Name(Name::Attackers(0));
            }
            ProtocolSymbolKind::Constant(_) => Sort::HonestAgent,
            _ => Sort::Function,
        };
        Term::Name(Name::Symbol(symbol, sort))
    }

    /// True if the attacker has a name without having heard anything.
    pub fn is_public(&self, name: Name) -> bool {
        match name {
            Name::Symbol(_, Sort::HonestAgent) | Name::Attackers(_) => true,
            Name::Symbol(symbol, _) => !self.protocols.symbols[symbol.index()].secret,
            Name::Fresh { .. } => false,
        }
    }

    /// The keys that open what is sealed with this one, for all that its unknowns may be: each with an equation that has to hold then.
    pub fn openers(&self, key: &Term, solution: &mut Solution) -> Vec<(Term, Option<Term>)> {
        let symbols = (0..self.protocols.symbols.len()).map(SymbolId::new);
        match key {
            Term::Name(Name::Symbol(symbol, _)) => {
                self.opens(*symbol, None).map(|opener| (opener, None)).into_iter().collect()
            }
            Term::Sealed(parts) if matches!(parts[1], Term::Name(Name::Symbol(_, Sort::Function))) => {
                let Term::Name(Name::Symbol(function, _)) = parts[1] else { return Vec::new() };
                let opener = self.opens(function, Some(parts[0].clone()));
                opener.map(|opener| (opener, None)).into_iter().collect()
            }
            Term::Unknown(_) | Term::Sealed(_) if Self::may_have_inverse(key, solution) => {
                // The key opens itself, unless it is a symbol or an application with another inverse.
                let mut found = vec![(key.clone(), None)];
                for symbol in symbols {
                    let alone = self.symbol(symbol);
                    let opener = self.opens(symbol, None).filter(|opener| *opener != alone);
                    found.extend(opener.map(|opener| (opener, Some(alone.clone()))));
                    if !matches!(self.protocols.symbols[symbol.index()].kind, ProtocolSymbolKind::Constant(_))
                    {
                        let arguments = solution.unknown(Sort::Anything);
                        let applied = Term::sealed(arguments.clone(), alone);
                        let opener = self.opens(symbol, Some(arguments)).filter(|opener| *opener != applied);
                        found.extend(opener.map(|opener| (opener, Some(applied))));
                    }
                }
                found
            }
            _ => vec![(key.clone(), None)],
        }
    }

    /// True if a key is a symbol, or the application of one, for some of its unknowns.
    fn may_have_inverse(key: &Term, solution: &Solution) -> bool {
        match key {
            Term::Unknown(unknown) => !matches!(solution.sort(*unknown), Sort::Agent | Sort::HonestAgent),
            Term::Sealed(parts) => matches!(parts[1], Term::Unknown(_)),
            Term::Name(_) | Term::Pair(_) => false,
        }
    }

    /// The term that opens what is sealed with a symbol, or with its application to arguments.
    fn opens(&self, symbol: SymbolId, arguments: Option<Term>) -> Option<Term> {
        let ir::Symbol { inverse, kind, .. } = self.protocols.symbols[symbol.index()];
        let is_constant = matches!(kind, ProtocolSymbolKind::Constant(_));
        match arguments {
            Some(arguments) => {
                let other = if let ProtocolSymbolKind::KeyHalf(other) = kind { Some(other) } else { inverse };
                Some(Term::sealed(arguments, self.symbol(other.unwrap_or(symbol))))
            }
            None if is_constant => Some(self.symbol(inverse.unwrap_or(symbol))),
            None => inverse.map(|inverse| self.symbol(inverse)),
        }
    }
}

fn made_type(variable: &RoleVariable) -> TypeId {
    variable.types.first().copied().unwrap_or(TypeId::FIRST)
}

impl CheckedRole {
    fn messages(&self) -> impl Iterator<Item = (usize, &Term, bool)> {
        self.events.iter().enumerate().filter_map(|(number, event)| match event {
            CheckedEvent::Send(message) => Some((number, message, true)),
            CheckedEvent::Receive(message) => Some((number, message, false)),
            _ => None,
        })
    }

    /// The event in which a run first sends a value that it made.
    pub fn first_sent(&self, made: &Name) -> Option<usize> {
        let is_it = |part: &&Term| match (part, made) {
            (Term::Name(Name::Fresh { variable, .. }), Name::Fresh { variable: other, .. }) => {
                variable == other
            }
            _ => false,
        };
        let mut sent = self.messages().filter(|(_, _, is_sent)| *is_sent);
        sent.find(|(_, message, _)| message.parts().iter().any(is_it)).map(|(number, ..)| number)
    }

    /// The encryptions that a role puts into the world: not in any of its messages before this one, which it sends.
    pub fn new_seals(&self) -> Vec<(usize, &Term)> {
        let mut seen: Vec<&Term> = Vec::new();
        let mut found = Vec::new();
        for (number, message, is_sent) in self.messages() {
            for part in message.parts() {
                if matches!(part, Term::Sealed(_)) && !seen.contains(&part) {
                    seen.push(part);
                    if is_sent {
                        found.push((number, part));
                    }
                }
            }
        }
        found
    }

    /// The parts of messages that a run gives away first.
    pub fn leaks(&self) -> Vec<Leak> {
        let mut found = Vec::new();
        for (number, message, _) in self.messages().filter(|(_, _, is_sent)| *is_sent) {
            let earlier = self.messages().take_while(|(other, ..)| *other < number);
            let had: Vec<&Term> = earlier.flat_map(|(_, message, _)| message.readable()).collect();
            let open = message.readable();
            for term in open.iter().filter(|term| !had.contains(term)) {
                found.push(Leak { event: number, term: (*term).clone(), inside: None });
            }
            for (_, seal) in self.new_seals().into_iter().filter(|(other, _)| *other == number) {
                let Term::Sealed(parts) = seal else { continue };
                let readable = parts[0].readable();
                for term in readable.into_iter().filter(|term| !had.contains(term) && !open.contains(term)) {
                    let inside = Some((seal.clone(), open.contains(&seal)));
                    found.push(Leak { event: number, term: term.clone(), inside });
                }
            }
        }
        found
    }
}
