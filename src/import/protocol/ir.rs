//! Security protocols after checking: roles with their events, all names resolved.

pub use super::equation::Equation;
use kit::diagnostics::Span;
use kit::index;

index! {
    /// A type of terms.
    TypeId
}
index! {
    /// A constant or function symbol.
    SymbolId
}
index! {
    /// A protocol of a file.
    ProtocolId
}
index! {
    /// A role of a file, of any protocol.
    RoleId
}
index! {
    /// A variable or fresh value, within its role.
    VariableId
}

/// The contents of a file.
#[derive(Debug, Clone, PartialEq)]
pub struct Protocols {
    /// The types, the built-in ones first.
    pub types: Vec<String>,
    /// Constants and functions, the built-in `k`, `pk` and `sk` first.
    pub symbols: Vec<Symbol>,
    /// The protocols, helpers included.
    pub protocols: Vec<Protocol>,
    /// The roles of all protocols.
    pub roles: Vec<Role>,
    /// Agents that the attacker controls (`untrusted Eve`): constants of type `Agent`.
    pub untrusted: Vec<SymbolId>,
    /// The initial knowledge of the attacker (`compromised sk(Eve)`), beside constants and functions that are
    /// not secret. Terms of constants and functions only.
    pub compromised: Vec<RoleTerm>,
    /// The equations, by which functions undo others.
    pub equations: Vec<Equation>,
}

/// A constant, or a function from terms to terms.
#[derive(Debug, Clone, PartialEq)]
pub struct Symbol {
    /// The name in the file.
    pub name: String,
    /// Its kind.
    pub kind: ProtocolSymbolKind,
    /// True if the attacker does not know the constant, or cannot apply the function.
    pub secret: bool,
    /// The symbol that opens encryptions with it, or, applied to the same arguments, with an application of
    /// it; itself if it is symmetric. `None` for one-way functions, applications of which are symmetric.
    pub inverse: Option<SymbolId>,
}

/// The kind of a symbol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProtocolSymbolKind {
    /// A constant of this type. Without a declared type, its type is that of no variable.
    Constant(TypeId),
    /// A function, such as `pk` or `const succ: Function`.
    Function,
    /// A hash function: it has no inverse, and nothing opens encryptions with the function itself.
    Hash,
    /// Exponentiation in a group, of a base and an exponent: `f(f(g, a), b)` is `f(f(g, b), a)`. It has no inverse.
    Exponentiation,
    /// The function that gives a half of a key pair; applied to the same value, the function with this symbol gives the other half. It has no inverse.
    KeyHalf(SymbolId),
    /// Exclusive or: a sum, in which the order of terms has no meaning and equal ones cancel out. It has no inverse.
    Sum,
}

impl ProtocolSymbolKind {
    /// True for functions without inverse.
    pub fn is_one_way(self) -> bool {
        !matches!(self, ProtocolSymbolKind::Constant(_) | ProtocolSymbolKind::Function)
    }
}

/// A protocol.
#[derive(Debug, Clone, PartialEq)]
pub struct Protocol {
    /// The name, without `@`.
    pub name: String,
    /// True if it only gives the attacker abilities (`@name`): its messages are otherwise irrelevant.
    pub helper: bool,
    /// Its roles, as in its head.
    pub roles: Vec<RoleId>,
}

/// A role: the behaviour of a participant.
#[derive(Debug, Clone, PartialEq)]
pub struct Role {
    /// The name.
    pub name: String,
    /// The protocol it belongs to.
    pub protocol: ProtocolId,
    /// True if at most one run plays it (`singular role`).
    pub singular: bool,
    /// Its fresh values and variables.
    pub variables: Vec<RoleVariable>,
    /// Its events, in order.
    pub events: Vec<Event>,
    /// The place of its description.
    pub span: Span,
}

/// A fresh value or a variable of a role.
#[derive(Debug, Clone, PartialEq)]
pub struct RoleVariable {
    /// The name.
    pub name: String,
    /// True if each run creates a new value; otherwise it is received.
    pub fresh: bool,
    /// The types, of one of which its value is. Any term if there are none, or one is `Ticket`.
    pub types: Vec<TypeId>,
}

/// An event of a role.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// The label: `1` of `send_1`, `!1` of `send_!1`, `I1` of `claim_I1`; unique among the claims, the sent
    /// and the received messages of a protocol, respectively. Generated for a claim without one. Empty for
    /// `match`.
    pub label: String,
    /// Its kind.
    pub kind: EventKind,
    /// The place of its description.
    pub span: Span,
}

/// The kind of an event.
#[derive(Debug, Clone, PartialEq)]
pub enum EventKind {
    /// This role sends a message.
    Send(Message),
    /// This role receives a message.
    Receive(Message),
    /// Two terms must be equal, or must differ.
    Match {
        /// The term with variables to bind.
        pattern: RoleTerm,
        /// The term to compare with it.
        term: RoleTerm,
        /// True if they must be equal.
        equal: bool,
    },
    /// The role makes a claim.
    Claim(RoleClaim),
}

/// A message with its addresses, which the attacker can change.
#[derive(Debug, Clone, PartialEq)]
pub struct Message {
    /// The sending role.
    pub from: RoleId,
    /// The receiving role.
    pub to: RoleId,
    /// True if it is exempt from synchronisation and agreement (`send_!1`).
    pub exempt: bool,
    /// Its content.
    pub content: RoleTerm,
}

/// A term of a role.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum RoleTerm {
    /// The agent in a role of the protocol, from the view of the run.
    Agent(RoleId),
    /// A fresh value or variable of the role.
    Variable(VariableId),
    /// A constant.
    Constant(SymbolId),
    /// At least two terms. A tuple is a pair of its first component and the rest: the last component is no tuple,
    /// as `(a, (b, c))` is `(a, b, c)`, and a variable in the last place may stand for several components.
    Tuple(Vec<RoleTerm>),
    /// `{body}key`.
    Encrypted {
        /// The encrypted term.
        body: Box<RoleTerm>,
        /// The key.
        key: Box<RoleTerm>,
    },
    /// `f(x, y)`.
    Apply {
        /// A function or hash function.
        function: SymbolId,
        /// The arguments, at least one. The last one is no tuple, see [`RoleTerm::Tuple`].
        arguments: Vec<RoleTerm>,
    },
}

/// A claim of a role (Scyther's claims).
#[derive(Debug, Clone, PartialEq)]
pub enum RoleClaim {
    /// The attacker never knows the term.
    Secret(RoleTerm),
    /// The term is a session key that the attacker never knows.
    SessionKey(RoleTerm),
    /// The partner in this role, or each of them, has taken a step.
    Alive(Option<RoleId>),
    /// … since the claiming run began.
    RecentlyAlive(Option<RoleId>),
    /// The partner in this role, or each of them, has taken a step with this agent as a partner.
    WeakAgreement(Option<RoleId>),
    /// The partners agree on all messages before (non-injective agreement).
    NonInjectiveAgreement,
    /// All messages before were sent and received as described, in order (non-injective synchronisation).
    NonInjectiveSynchronisation,
    /// The partner in this role has claimed `Running` with the same data.
    Commit {
        /// The partner.
        role: RoleId,
        /// The data.
        data: Vec<RoleTerm>,
        /// True if no other run has committed to the partner with the same data.
        injective: bool,
    },
    /// This run takes part in a run with that partner and this data.
    Running {
        /// The partner.
        role: RoleId,
        /// The data.
        data: Vec<RoleTerm>,
    },
    /// The place in the role can be reached.
    Reachable,
    /// Nothing: a note for other tools.
    Empty,
}

impl RoleTerm {
    /// Returns the variables and fresh values in it, from left to right, with repetitions.
    pub fn variables(&self) -> Vec<VariableId> {
        let mut found = Vec::new();
        self.walk(&mut |term| {
            if let RoleTerm::Variable(variable) = term {
                found.push(*variable);
            }
        });
        found
    }

    /// Visits the term and all of its parts.
    pub fn walk<'t>(&'t self, visit: &mut impl FnMut(&'t RoleTerm)) {
        visit(self);
        match self {
            RoleTerm::Agent(_) | RoleTerm::Variable(_) | RoleTerm::Constant(_) => {}
            RoleTerm::Tuple(terms) | RoleTerm::Apply { arguments: terms, .. } => {
                terms.iter().for_each(|term| term.walk(visit));
            }
            RoleTerm::Encrypted { body, key } => {
                body.walk(visit);
                key.walk(visit);
            }
        }
    }
}

impl Protocols {
    /// Returns the function that, applied to the same arguments, opens encryptions with an application of
    /// `function`: itself unless an inverse is declared, or it gives halves of key pairs. Applications of hash functions are keys
    /// like any other term.
    pub fn opened_by(&self, function: SymbolId) -> SymbolId {
        match self.symbols[function.index()] {
            Symbol { kind: ProtocolSymbolKind::KeyHalf(other), .. } => other,
            Symbol { inverse, .. } => inverse.unwrap_or(function),
        }
    }

    /// True if a function raises a base to the power of an exponent.
    pub fn is_power(&self, function: SymbolId) -> bool {
        self.symbols[function.index()].kind == ProtocolSymbolKind::Exponentiation
    }

    /// True if a function is exclusive or.
    pub fn is_sum(&self, function: SymbolId) -> bool {
        self.symbols[function.index()].kind == ProtocolSymbolKind::Sum
    }

    /// True if a function gives private keys of agents.
    pub fn is_private_key(&self, function: SymbolId) -> bool {
        let symbol = &self.symbols[function.index()];
        symbol.secret && symbol.inverse.is_some_and(|inverse| inverse != function)
    }

    /// The equation of a function that undoes another one.
    pub fn undone_by(&self, destructor: SymbolId) -> Option<&Equation> {
        self.equations.iter().find(|equation| equation.destructor == destructor)
    }

    /// The number of arguments of a function in equations; `None` if it is in none.
    pub fn arguments_in_equations(&self, function: SymbolId) -> Option<usize> {
        self.equations.iter().filter_map(|equation| equation.arguments_of(function)).max()
    }

    /// True if terms that apply a function can be equal without having equal parts.
    pub fn is_algebraic(&self, function: SymbolId) -> bool {
        self.is_power(function) || self.is_sum(function) || self.undone_by(function).is_some()
    }

    /// True if terms can be raised to powers.
    pub fn have_powers(&self) -> bool {
        self.symbols.iter().any(|symbol| symbol.kind == ProtocolSymbolKind::Exponentiation)
    }

    /// True if a role claims a session key.
    pub fn claim_session_keys(&self) -> bool {
        let mut events = self.roles.iter().flat_map(|role| &role.events);
        events.any(|event| matches!(event.kind, EventKind::Claim(RoleClaim::SessionKey(_))))
    }

    /// True if some terms are equal without having equal parts.
    pub fn have_algebra(&self) -> bool {
        (0..self.symbols.len()).any(|symbol| self.is_algebraic(SymbolId::new(symbol)))
    }

    /// True if some are equal by more than the powers of one exponentiation that everybody applies.
    pub fn have_algebra_beyond_powers(&self) -> bool {
        let symbols = (0..self.symbols.len()).map(SymbolId::new);
        let (powers, others): (Vec<_>, Vec<_>) =
            symbols.filter(|symbol| self.is_algebraic(*symbol)).partition(|symbol| self.is_power(*symbol));
        let is_secret = |power: &SymbolId| self.symbols[power.index()].secret;
        !others.is_empty() || powers.len() > 1 || powers.iter().any(is_secret)
    }

    /// Returns a term of a role as in the file, with macros expanded.
    pub fn show(&self, role: RoleId, term: &RoleTerm) -> String {
        let list = |terms: &[RoleTerm]| {
            let shown: Vec<String> = terms.iter().map(|term| self.show(role, term)).collect();
            shown.join(",")
        };
        match term {
            RoleTerm::Agent(other) => self.roles[other.index()].name.clone(),
            RoleTerm::Variable(variable) => self.roles[role.index()].variables[variable.index()].name.clone(),
            RoleTerm::Constant(symbol) => self.symbols[symbol.index()].name.clone(),
            RoleTerm::Tuple(terms) => format!("({})", list(terms)),
            RoleTerm::Encrypted { body, key } => {
                let body = match &**body {
                    RoleTerm::Tuple(terms) => list(terms),
                    body => self.show(role, body),
                };
                format!("{{{body}}}{}", self.show(role, key))
            }
            RoleTerm::Apply { function, arguments } => {
                format!("{}({})", self.symbols[function.index()].name, list(arguments))
            }
        }
    }
}
