//! Roles as patterns have them: events over variables, and the parts of messages that the attacker can get out of them.

use super::term::{AtomName, AtomSort, Bindings, PatternAtom, PatternTerm, VariableSort};
use crate::protocol::ir::{
    self, EventKind, ProtocolSymbolKind, Protocols, RoleClaim, RoleId, RoleVariable, SymbolId, TypeId,
    VariableId,
};
use crate::protocol::translate::{Matching, ProtocolScope, Reveals};

/// A role. Its variables are the agents in the roles of its protocol, and those of the file.
#[derive(Debug)]
pub(super) struct PatternRole {
    /// The role in the file; nothing for what the attacker knows from the beginning.
    pub described: Option<RoleId>,
    /// The roles of its protocol, as its first variables stand for their agents.
    pub partners: Vec<RoleId>,
    pub is_helper: bool,
    pub is_singular: bool,
    pub kinds: Vec<VariableSort>,
    pub events: Vec<PatternEvent>,
    /// Of each variable, where it comes from if it stands for a tuple which the attacker did not make: the event that receives it, and the
    /// encrypted terms around it then, one of which she did not make either.
    pub carriers: Vec<Vec<(usize, PatternTerm)>>,
}

/// An event of a role, with terms in which earlier comparisons are solved.
#[derive(Debug)]
pub(super) enum PatternEvent {
    Send(PatternTerm),
    Receive(PatternTerm),
    Equal(PatternTerm, PatternTerm),
    Differ(PatternTerm, PatternTerm),
    Claim(Promise),
}

/// The statement of a claim.
#[derive(Debug)]
pub(super) enum Promise {
    Secret(PatternTerm),
    /// The partner in a role, or all partners, have done something.
    Alive {
        of: Option<RoleId>,
        how: Liveliness,
    },
    /// Messages before agree; each was sent before it was received if that is asked for.
    Agreement {
        in_order: bool,
    },
    Commit {
        partner: RoleId,
        data: Option<PatternTerm>,
        is_injective: bool,
    },
    Running(RoleId, Option<PatternTerm>),
    Reachable,
    Nothing,
}

/// The activity that a claim requires of partners.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Liveliness {
    Anything,
    /// Something in a run with these very agents.
    WithTheSame,
    /// Something after the claiming run began.
    Recently,
}

/// A part of a message that a run gives away by sending it, unless the attacker has it before.
#[derive(Debug)]
pub(super) struct LeakedTerm {
    pub role: usize,
    pub event: usize,
    pub term: PatternTerm,
    /// The encrypted term that has to be opened for it, of which this is the first appearance.
    pub within: Option<PatternTerm>,
    /// True if that one lies open in the message.
    pub is_direct: bool,
}

/// The first appearance of an encrypted term in a role, in a message that is sent.
#[derive(Debug)]
pub(super) struct Cipher {
    pub role: usize,
    pub event: usize,
    pub term: PatternTerm,
}

/// All that is known of a file.
#[derive(Debug)]
pub(super) struct AttackTheory<'a> {
    pub protocols: &'a Protocols,
    /// How many agents are the attacker's.
    pub untrusted: usize,
    /// The long-term keys that get lost.
    pub reveals: Reveals,
    pub roles: Vec<PatternRole>,
    pub parts: Vec<LeakedTerm>,
    pub ciphers: Vec<Cipher>,
}

impl<'a> AttackTheory<'a> {
    pub fn new(protocols: &'a Protocols, scope: ProtocolScope) -> Self {
        let ProtocolScope { untrusted, reveals, .. } = scope;
        let (roles, parts, ciphers) = (Vec::new(), Vec::new(), Vec::new());
        let mut theory = Self { protocols, untrusted, reveals, roles, parts, ciphers };
        theory.roles =
            (0..protocols.roles.len()).map(|number| theory.role(RoleId::new(number), scope)).collect();
        if let Some(first) = protocols.roles.first() {
            let send = |term| PatternEvent::Send(theory.term(first.protocol, RoleId::FIRST, term));
            let events = protocols.compromised.iter().map(send).collect();
            theory.roles.push(PatternRole {
                described: None,
                partners: Vec::new(),
                is_helper: true,
                is_singular: true,
                kinds: Vec::new(),
                events,
                carriers: Vec::new(),
            });
        }
        theory.find_parts();
        let carriers = |role: &PatternRole| {
            let of = |variable| theory.carrier(role, variable, &mut Vec::new());
            (0..role.kinds.len()).map(of).collect::<Vec<_>>()
        };
        let carriers: Vec<_> = theory.roles.iter().map(carriers).collect();
        for (role, carriers) in theory.roles.iter_mut().zip(carriers) {
            role.carriers = carriers;
        }
        theory
    }

    fn role(&self, id: RoleId, scope: ProtocolScope) -> PatternRole {
        let described = &self.protocols.roles[id.index()];
        let protocol = &self.protocols.protocols[described.protocol.index()];
        let agent = |partner: &RoleId| match *partner == id || scope.untrusted == 0 {
            true => VariableSort::HonestAgent,
            false => VariableSort::Agent,
        };
        let of_file = described.variables.iter().map(|variable| self.kind(variable, scope.matching));
        let kinds: Vec<VariableSort> = protocol.roles.iter().map(agent).chain(of_file).collect();
        let mut bindings = Bindings::default();
        bindings.declare(kinds.iter().copied());
        let mut events = Vec::new();
        for event in &described.events {
            let term = |term: &ir::RoleTerm| bindings.resolve(&self.term(described.protocol, id, term));
            let data =
                |data: &[ir::RoleTerm]| (!data.is_empty()).then(|| PatternTerm::tuple(data.iter().map(term)));
            let event = match &event.kind {
                EventKind::Send(message) => PatternEvent::Send(term(&message.content)),
                EventKind::Receive(message) => PatternEvent::Receive(term(&message.content)),
                EventKind::Match { pattern, term: other, equal: true } => {
                    let (pattern, other, before) = (term(pattern), term(other), bindings.clone());
                    let mut ways = match bindings.unify(&pattern, &other) {
                        true => std::mem::take(&mut bindings).solved(&mut false),
                        false => Vec::new(),
                    };
                    match (ways.pop(), ways.is_empty()) {
                        (Some(way), true) => bindings = way,
                        (Some(_), false) => bindings = before, // Each run has a way of its own.
                        (None, _) => break,                    // No run gets further.
                    }
                    PatternEvent::Equal(pattern, other)
                }
                EventKind::Match { pattern, term: other, equal: false } => {
                    PatternEvent::Differ(term(pattern), term(other))
                }
                EventKind::Claim(claim) => PatternEvent::Claim(match claim {
                    RoleClaim::Secret(of) | RoleClaim::SessionKey(of) => Promise::Secret(term(of)),
                    RoleClaim::Alive(of) => Promise::Alive { of: *of, how: Liveliness::Anything },
                    RoleClaim::RecentlyAlive(of) => Promise::Alive { of: *of, how: Liveliness::Recently },
                    RoleClaim::WeakAgreement(of) => Promise::Alive { of: *of, how: Liveliness::WithTheSame },
                    RoleClaim::NonInjectiveAgreement => Promise::Agreement { in_order: false },
                    RoleClaim::NonInjectiveSynchronisation => Promise::Agreement { in_order: true },
                    RoleClaim::Commit { role, data: of, injective } => {
                        Promise::Commit { partner: *role, data: data(of), is_injective: *injective }
                    }
                    RoleClaim::Running { role, data: of } => Promise::Running(*role, data(of)),
                    RoleClaim::Reachable => Promise::Reachable,
                    RoleClaim::Empty => Promise::Nothing,
                }),
            };
            events.push(event);
        }
        PatternRole {
            described: Some(id),
            partners: protocol.roles.clone(),
            is_helper: protocol.helper,
            is_singular: described.singular,
            kinds,
            events,
            carriers: Vec::new(),
        }
    }

    fn kind(&self, variable: &RoleVariable, matching: Matching) -> VariableSort {
        let declared = match variable.types[..] {
            _ if variable.fresh => return VariableSort::Value(made(variable)),
            [ty] => match self.protocols.types[ty.index()].as_str() {
                "Agent" => VariableSort::Agent,
                "Ticket" | "Function" => VariableSort::Any,
                _ => VariableSort::Value(ty),
            },
            _ => VariableSort::Any,
        };
        match matching {
            Matching::Basic if declared != VariableSort::Any => VariableSort::Atomic,
            Matching::Full => VariableSort::Any,
            _ => declared,
        }
    }

    /// A term of a role, with the numbers of its variables.
    fn term(&self, protocol: ir::ProtocolId, role: RoleId, term: &ir::RoleTerm) -> PatternTerm {
        let of = |term| self.term(protocol, role, term);
        let partners = &self.protocols.protocols[protocol.index()].roles;
        match term {
            ir::RoleTerm::Agent(agent) => {
                let place = partners.iter().position(|partner| partner == agent);
                PatternTerm::Variable(place.unwrap_or_else(|| unreachable!("a role of the protocol")))
            }
            ir::RoleTerm::Variable(variable) => {
                let described = &self.protocols.roles[role.index()].variables[variable.index()];
                if !described.fresh {
                    return PatternTerm::Variable(partners.len() + variable.index());
                }
                let name = AtomName::Fresh { run: 0, variable: *variable };
                PatternTerm::Atom(PatternAtom { name, sort: AtomSort::Value(made(described)) })
            }
            ir::RoleTerm::Constant(symbol) => self.symbol(*symbol),
            ir::RoleTerm::Tuple(terms) => PatternTerm::tuple(terms.iter().map(of)),
            ir::RoleTerm::Encrypted { body, key } => PatternTerm::crypt(of(body), of(key)),
            ir::RoleTerm::Apply { function, arguments } if self.protocols.is_power(*function) => {
                PatternTerm::power(of(&arguments[0]), arguments[1..].iter().map(of))
            }
            ir::RoleTerm::Apply { function, arguments } => {
                PatternTerm::crypt(PatternTerm::tuple(arguments.iter().map(of)), self.symbol(*function))
            }
        }
    }

    /// A constant or function as a term.
    pub fn symbol(&self, symbol: SymbolId) -> PatternTerm {
        match self.protocols.symbols[symbol.index()].kind {
            ProtocolSymbolKind::Constant(ty) if self.protocols.types[ty.index()] == "Agent" => {
                match self.protocols.untrusted.contains(&symbol) {
                    true => PatternTerm::attackers(0, AtomSort::AttackersAgent),
                    false => PatternTerm::symbol(symbol, AtomSort::HonestAgent),
                }
            }
            ProtocolSymbolKind::Constant(ty) => PatternTerm::symbol(symbol, AtomSort::Value(ty)),
            _ => PatternTerm::symbol(symbol, AtomSort::Function),
        }
    }

    /// True if the attacker has an atom from the beginning, whatever is compromised.
    pub fn is_public(&self, atom: PatternAtom) -> bool {
        match atom.name {
            AtomName::Symbol(symbol) => {
                atom.sort == AtomSort::HonestAgent || !self.protocols.symbols[symbol.index()].secret
            }
            AtomName::Fresh { .. } => false,
            AtomName::Attackers(_) | AtomName::Honest(_) | AtomName::One => true,
        }
    }

    /// True if a base to the power of an exponent is a public key: that of a public constant with a private key.
    pub fn is_public_key(&self, base: &PatternTerm, exponent: &PatternTerm) -> bool {
        let symbol = |term: &PatternTerm| match term {
            PatternTerm::Atom(PatternAtom { name: AtomName::Symbol(symbol), .. }) => Some(*symbol),
            _ => None,
        };
        let key = match exponent {
            PatternTerm::Crypt(_, key) => symbol(key),
            _ => None,
        };
        let is_constant = |base: SymbolId| {
            let described = &self.protocols.symbols[base.index()];
            !described.secret && matches!(described.kind, ProtocolSymbolKind::Constant(_))
        };
        symbol(base).is_some_and(is_constant) && key.is_some_and(|key| self.protocols.is_private_key(key))
    }

    /// The term that opens what is encrypted with a symbol, or with an application of it to arguments; nothing if nothing does.
    pub fn inverse(&self, symbol: SymbolId, arguments: Option<&PatternTerm>) -> Option<PatternTerm> {
        let described = &self.protocols.symbols[symbol.index()];
        match (arguments, described.kind) {
            (Some(arguments), _) => {
                Some(PatternTerm::crypt(arguments.clone(), self.symbol(self.protocols.opened_by(symbol))))
            }
            (None, ProtocolSymbolKind::Constant(_)) => Some(self.symbol(described.inverse.unwrap_or(symbol))),
            (None, _) => described.inverse.map(|inverse| self.symbol(inverse)),
        }
    }

    /// Finds the parts of all messages, those left out that the attacker has before: received or sent in the clear earlier in the role,
    /// or parts of encrypted terms that appear earlier in it.
    fn find_parts(&mut self) {
        let (mut parts, mut first) = (Vec::new(), Vec::new());
        for (number, role) in self.roles.iter().enumerate() {
            let (mut clear, mut closed): (Vec<&PatternTerm>, Vec<&PatternTerm>) = (Vec::new(), Vec::new());
            for (event, kind) in role.events.iter().enumerate() {
                let (PatternEvent::Send(message) | PatternEvent::Receive(message)) = kind else { continue };
                let components = message.components();
                let ciphers = ciphers(message);
                if let PatternEvent::Send(_) = kind {
                    let part = |term: &PatternTerm, within: Option<&PatternTerm>, is_direct| {
                        let (term, within) = (term.clone(), within.cloned());
                        LeakedTerm { role: number, event, term, within, is_direct }
                    };
                    let is_new =
                        |term: &&&PatternTerm| !clear.contains(*term) && !self.is_everybodys(role, term);
                    parts.extend(components.iter().filter(is_new).map(|term| part(term, None, true)));
                    for cipher in ciphers.iter().filter(|cipher| !closed.contains(*cipher)) {
                        first.push(Cipher { role: number, event, term: (*cipher).clone() });
                        let PatternTerm::Crypt(body, key) = cipher else { continue };
                        if matches!(**key, PatternTerm::Atom(PatternAtom { name: AtomName::Symbol(symbol), .. }) if self.inverse(symbol, None).is_none())
                        {
                            continue;
                        }
                        let inside = body.components();
                        let hidden = inside.iter().filter(is_new).filter(|term| !components.contains(term));
                        parts
                            .extend(hidden.map(|term| part(term, Some(cipher), components.contains(cipher))));
                    }
                }
                clear.extend(components);
                closed.extend(ciphers);
            }
        }
        (self.parts, self.ciphers) = (parts, first);
    }

    /// True for what everybody has.
    fn is_everybodys(&self, role: &PatternRole, term: &PatternTerm) -> bool {
        match term {
            PatternTerm::Variable(variable) => {
                matches!(role.kinds[*variable], VariableSort::Agent | VariableSort::HonestAgent)
            }
            PatternTerm::Atom(atom) => self.is_public(*atom),
            _ => false,
        }
    }

    /// Where a variable comes from that may stand for a tuple: received within an encrypted term that some role sends with a tuple in its
    /// place. The attacker may have put together what is around that one.
    fn carrier(
        &self,
        role: &PatternRole,
        variable: usize,
        seen: &mut Vec<(Option<RoleId>, usize)>,
    ) -> Vec<(usize, PatternTerm)> {
        if role.kinds[variable] != VariableSort::Any || seen.contains(&(role.described, variable)) {
            return Vec::new();
        }
        seen.push((role.described, variable));
        let itself = PatternTerm::Variable(variable);
        let holds = |term: &&PatternTerm| term.has(|part| *part == itself);
        let received = role.events.iter().enumerate().find_map(|(number, event)| match event {
            PatternEvent::Receive(message) => holds(&message).then_some((number, message)),
            _ => None,
        });
        let Some((event, message)) = received.filter(|(_, message)| !message.components().contains(&&itself))
        else {
            return Vec::new();
        };
        let around = ciphers(message).into_iter().filter(holds);
        let tuples = around.filter(|expected| self.may_have_tuple(role, variable, expected, seen));
        tuples.map(|expected| (event, expected.clone())).collect()
    }

    /// True if some role sends an encrypted term that a role expects, with a tuple in the place of a variable.
    fn may_have_tuple(
        &self,
        role: &PatternRole,
        variable: usize,
        expected: &PatternTerm,
        seen: &mut Vec<(Option<RoleId>, usize)>,
    ) -> bool {
        self.ciphers.iter().any(|cipher| {
            let other = &self.roles[cipher.role];
            let mut bindings = Bindings::default();
            bindings.declare(role.kinds.iter().copied());
            let first = bindings.declare(other.kinds.iter().copied());
            if !bindings.unify(expected, &instance(&cipher.term, first, 1)) {
                return false;
            }
            // Some way to make powers equal may put a tuple there.
            if !bindings.powers.is_empty() {
                return true;
            }
            match bindings.resolve(&PatternTerm::Variable(variable)) {
                PatternTerm::Pair(..) => true,
                head @ PatternTerm::Variable(_) => (0..other.kinds.len()).any(|own| {
                    let own_term = bindings.resolve(&PatternTerm::Variable(first + own));
                    own_term.has(|part| *part == head) && !self.carrier(other, own, seen).is_empty()
                }),
                _ => false,
            }
        })
    }
}

/// The type of a value that a run makes.
fn made(variable: &RoleVariable) -> TypeId {
    variable.types.first().copied().unwrap_or(TypeId::FIRST)
}

/// The encrypted terms in a term, the outermost first, each once.
fn ciphers(term: &PatternTerm) -> Vec<&PatternTerm> {
    let mut found: Vec<&PatternTerm> = Vec::new();
    term.walk(&mut |part| {
        if matches!(part, PatternTerm::Crypt(..)) && !found.contains(&part) {
            found.push(part);
        }
    });
    found
}

/// A term of a role in a run, the variables of which begin with this one.
pub(super) fn instance(term: &PatternTerm, first: usize, run: usize) -> PatternTerm {
    term.map(&|leaf| match leaf {
        PatternTerm::Variable(variable) => PatternTerm::Variable(first + variable),
        PatternTerm::Atom(PatternAtom { name: AtomName::Fresh { variable, .. }, sort }) => {
            PatternTerm::Atom(PatternAtom { name: AtomName::Fresh { run, variable: *variable }, sort: *sort })
        }
        _ => leaf.clone(),
    })
}

impl PatternRole {
    /// The event in which a run first sends a value that it made.
    pub fn origin(&self, variable: VariableId) -> Option<usize> {
        let is_it = |term: &PatternTerm| matches!(term, PatternTerm::Atom(PatternAtom { name: AtomName::Fresh { variable: other, .. }, .. }) if *other == variable);
        self.events
            .iter()
            .position(|event| matches!(event, PatternEvent::Send(message) if message.has(is_it)))
    }

    /// The variable for its own agent.
    pub fn actor(&self) -> usize {
        let own = self.partners.iter().position(|partner| Some(*partner) == self.described);
        own.unwrap_or_else(|| unreachable!("a role is one of its protocol"))
    }
}
