//! Security protocols as they are after checking: roles with their events, all names resolved.

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
    /// A role of a file, whichever protocol it belongs to.
    RoleId
}
index! {
    /// A variable or fresh value, within its role.
    VariableId
}

/// What a file describes.
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
    /// What the attacker knows from the beginning (`compromised sk(Eve)`), beside constants and functions that are not secret.
    /// Terms of constants and functions only.
    pub compromised: Vec<Term>,
}

/// A constant, or a function from terms to terms.
#[derive(Debug, Clone, PartialEq)]
pub struct Symbol {
    /// The name in the file.
    pub name: String,
    /// What it is.
    pub kind: SymbolKind,
    /// Whether the attacker does not know it: of functions, whether it cannot be applied by the attacker.
    pub secret: bool,
    /// What opens what is encrypted with it, or with an application of it to the same arguments; itself if it is symmetric. None for
    /// hash functions, applications of which are symmetric.
    pub inverse: Option<SymbolId>,
}

/// What a symbol is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SymbolKind {
    /// A constant of this type. If it is declared without one, no variable is declared with its type.
    Constant(TypeId),
    /// A function, such as `pk` or `const succ: Function`.
    Function,
    /// A hash function: it cannot be undone, and nothing opens what is encrypted with the function itself.
    Hash,
}

/// A protocol.
#[derive(Debug, Clone, PartialEq)]
pub struct Protocol {
    /// The name, without `@`.
    pub name: String,
    /// True if it only gives the attacker abilities (`@name`): its messages are of no interest.
    pub helper: bool,
    /// Its roles, as in its head.
    pub roles: Vec<RoleId>,
}

/// A role: what a participant does.
#[derive(Debug, Clone, PartialEq)]
pub struct Role {
    /// The name.
    pub name: String,
    /// The protocol it belongs to.
    pub protocol: ProtocolId,
    /// True if at most one run plays it (`singular role`).
    pub singular: bool,
    /// Its fresh values and variables.
    pub variables: Vec<Variable>,
    /// What happens, in this order.
    pub events: Vec<Event>,
    /// Where it is described.
    pub span: Span,
}

/// A fresh value or a variable of a role.
#[derive(Debug, Clone, PartialEq)]
pub struct Variable {
    /// The name.
    pub name: String,
    /// True if each run makes a new value; otherwise it is received.
    pub fresh: bool,
    /// What a variable can be: a value of one of these types. Any term if there are none, or one is `Ticket`.
    pub types: Vec<TypeId>,
}

/// An event of a role.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// The label: `1` of `send_1`, `!1` of `send_!1`, `I1` of `claim_I1`; unique among the claims, and among the sent and the received messages, of a
    /// protocol. Made up for a claim without one. Empty for `match`.
    pub label: String,
    /// What happens.
    pub kind: EventKind,
    /// Where it is described.
    pub span: Span,
}

/// What happens in an event.
#[derive(Debug, Clone, PartialEq)]
pub enum EventKind {
    /// A message is sent by this role.
    Send(Message),
    /// A message is received by this role.
    Receive(Message),
    /// The terms have to be equal, or must not be.
    Match {
        /// What may have variables that are bound here.
        pattern: Term,
        /// What is compared with it.
        term: Term,
        /// True if they have to be equal.
        equal: bool,
    },
    /// The role claims something.
    Claim(Claim),
}

/// A message with its addresses, which the attacker can change.
#[derive(Debug, Clone, PartialEq)]
pub struct Message {
    /// The role that sends it.
    pub from: RoleId,
    /// The role that receives it.
    pub to: RoleId,
    /// True if it is exempt from synchronisation and agreement (`send_!1`).
    pub exempt: bool,
    /// What it says.
    pub content: Term,
}

/// A term of a role.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Term {
    /// The agent in a role of the protocol, as the run believes.
    Agent(RoleId),
    /// A fresh value or variable of the role.
    Variable(VariableId),
    /// A constant.
    Constant(SymbolId),
    /// At least two terms. A tuple is a pair of its first component and the others: the last component is no tuple, as `(a, (b, c))`
    /// is `(a, b, c)`, and a variable in the last place may stand for several components.
    Tuple(Vec<Term>),
    /// `{body}key`.
    Encrypted {
        /// What is encrypted.
        body: Box<Term>,
        /// The key.
        key: Box<Term>,
    },
    /// `f(x, y)`.
    Apply {
        /// A function or hash function.
        function: SymbolId,
        /// What it is applied to; at least one. The last one is no tuple, see [`Term::Tuple`].
        arguments: Vec<Term>,
    },
}

/// What a role claims (Scyther's claims).
#[derive(Debug, Clone, PartialEq)]
pub enum Claim {
    /// The attacker never knows the term.
    Secret(Term),
    /// The term is a session key that the attacker never knows.
    SessionKey(Term),
    /// The partners have done something.
    Alive,
    /// The partners have done something with this agent as a partner.
    WeakAgreement,
    /// The partners agree on all messages before (non-injective agreement).
    NonInjectiveAgreement,
    /// All messages before were sent and received as described, in order (non-injective synchronisation).
    NonInjectiveSynchronisation,
    /// The partner in this role has claimed `Running` with the same data.
    Commit {
        /// The partner.
        role: RoleId,
        /// The data.
        data: Vec<Term>,
    },
    /// This run takes part in a run with that partner and this data.
    Running {
        /// The partner.
        role: RoleId,
        /// The data.
        data: Vec<Term>,
    },
    /// The place in the role can be reached.
    Reachable,
    /// Nothing: a note for other tools.
    Empty,
}

impl Term {
    /// The variables and fresh values in it, from left to right, each as often as it occurs.
    pub fn variables(&self) -> Vec<VariableId> {
        let mut found = Vec::new();
        self.walk(&mut |term| {
            if let Term::Variable(variable) = term {
                found.push(*variable);
            }
        });
        found
    }

    /// Visits the term and all of its parts.
    pub fn walk<'t>(&'t self, visit: &mut impl FnMut(&'t Term)) {
        visit(self);
        match self {
            Term::Agent(_) | Term::Variable(_) | Term::Constant(_) => {}
            Term::Tuple(terms) | Term::Apply { arguments: terms, .. } => {
                terms.iter().for_each(|term| term.walk(visit));
            }
            Term::Encrypted { body, key } => {
                body.walk(visit);
                key.walk(visit);
            }
        }
    }
}

impl Protocols {
    /// What, applied to the same arguments, opens what is encrypted with an application of a function: the function itself unless an
    /// inverse is declared. Applications of hash functions are keys like any other term.
    pub fn opened_by(&self, function: SymbolId) -> SymbolId {
        self.symbols[function.index()].inverse.unwrap_or(function)
    }

    /// A term of a role, as in the file but for macros.
    pub fn show(&self, role: RoleId, term: &Term) -> String {
        let list = |terms: &[Term]| {
            let shown: Vec<String> = terms.iter().map(|term| self.show(role, term)).collect();
            shown.join(",")
        };
        match term {
            Term::Agent(other) => self.roles[other.index()].name.clone(),
            Term::Variable(variable) => self.roles[role.index()].variables[variable.index()].name.clone(),
            Term::Constant(symbol) => self.symbols[symbol.index()].name.clone(),
            Term::Tuple(terms) => format!("({})", list(terms)),
            Term::Encrypted { body, key } => {
                let body = match &**body {
                    Term::Tuple(terms) => list(terms),
                    body => self.show(role, body),
                };
                format!("{{{body}}}{}", self.show(role, key))
            }
            Term::Apply { function, arguments } => {
                format!("{}({})", self.symbols[function.index()].name, list(arguments))
            }
        }
    }
}
