//! The syntax tree of a protocol file.

use kit::diagnostics::Span;
pub use kit::parsing::Name;

/// A file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct File {
    /// What it describes, in order.
    pub items: Vec<Item>,
    /// True if something is missing from the tree because it could not be read.
    pub lost: bool,
}

/// What a file consists of.
#[derive(Debug, Clone, PartialEq)]
pub enum Item {
    /// `protocol P(I, R) { … }`
    Protocol(ProtocolItem),
    /// `usertype T, U;`
    Usertype(Vec<Name>),
    /// `untrusted Eve;`
    Untrusted(Vec<Term>),
    /// `run P.R(Alice, Bob);`, which is about how many runs there are, not about the protocol.
    Run(Span),
    /// `option "…";` with options for the command line of Scyther.
    Options(Span),
    /// `include "FILE";`
    Include(Span),
    /// A declaration for all protocols.
    Declaration(Declaration),
}

/// A protocol.
#[derive(Debug, Clone, PartialEq)]
pub struct ProtocolItem {
    /// The name, with the `@` of helpers.
    pub name: Name,
    /// The roles of the head.
    pub roles: Vec<Name>,
    /// What is between the braces.
    pub members: Vec<Member>,
}

/// What a protocol consists of.
#[derive(Debug, Clone, PartialEq)]
pub enum Member {
    /// The description of a role.
    Role(RoleItem),
    /// A declaration for all roles.
    Declaration(Declaration),
}

/// The description of a role.
#[derive(Debug, Clone, PartialEq)]
pub struct RoleItem {
    /// True if at most one run plays it.
    pub singular: bool,
    /// The name.
    pub name: Name,
    /// Its declarations and events, in order.
    pub steps: Vec<Step>,
}

/// What a role consists of.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// A declaration.
    Declaration(Declaration),
    /// `knows t, u;`
    Knows(Span),
    /// An event.
    Event(Event),
    /// Something that could not be read.
    Unread,
}

/// A declaration.
#[derive(Debug, Clone, PartialEq)]
pub struct Declaration {
    /// What is declared.
    pub kind: DeclarationKind,
    /// The whole declaration.
    pub span: Span,
}

/// What is declared.
#[derive(Debug, Clone, PartialEq)]
pub enum DeclarationKind {
    /// `const a, b: T;`, `secret const a: T;`, and `secret a: T;`, which means the same.
    Constant {
        /// The names.
        names: Vec<Name>,
        /// The type.
        of: Option<Name>,
        /// True if the attacker does not know them.
        secret: bool,
    },
    /// `fresh a, b: T;`
    Fresh {
        /// The names.
        names: Vec<Name>,
        /// The type.
        of: Option<Name>,
    },
    /// `var a, b: T, U;`
    Variable {
        /// The names.
        names: Vec<Name>,
        /// The types, one of which a value has.
        types: Vec<Name>,
    },
    /// `hashfunction f, g;` and `function f, g;`, which mean the same.
    Function {
        /// The names.
        names: Vec<Name>,
        /// True if the attacker cannot apply them.
        secret: bool,
    },
    /// `inversekeys(f, g);` and `inversekeyfunctions(f, g);`
    Inverse(Vec<Term>),
    /// `compromised t, u;`
    Compromised(Vec<Term>),
    /// `macro m = t, u;`
    Macro {
        /// The name.
        name: Name,
        /// What it stands for.
        body: Vec<Term>,
    },
}

/// An event of a role.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// What happens.
    pub kind: EventKind,
    /// The whole event.
    pub span: Span,
}

/// What happens.
#[derive(Debug, Clone, PartialEq)]
pub enum EventKind {
    /// `send_1(I, R, m);`
    Send {
        /// `1`
        label: Name,
        /// The sender, the recipient, and what is said.
        terms: Vec<Term>,
    },
    /// `recv_1(I, R, m);`, also written `read_1`.
    Receive {
        /// `1`
        label: Name,
        /// The sender, the recipient, and what is said.
        terms: Vec<Term>,
    },
    /// `match(p, t);` and `not match(p, t);`
    Match {
        /// What may have variables that are bound here.
        pattern: Term,
        /// What is compared with it.
        term: Term,
        /// True if they have to be equal.
        equal: bool,
    },
    /// `claim_I1(I, Secret, t);`
    Claim {
        /// `I1`
        label: Option<Name>,
        /// The role, the claim, and what it is about.
        terms: Vec<Term>,
    },
}

/// A term.
#[derive(Debug, Clone, PartialEq)]
pub struct Term {
    /// What it is.
    pub kind: TermKind,
    /// Where it stands.
    pub span: Span,
}

/// What a term is.
#[derive(Debug, Clone, PartialEq)]
pub enum TermKind {
    /// `x`
    Name(String),
    /// `f(x, y)`
    Apply {
        /// The function.
        function: Name,
        /// What it is applied to; at least one.
        arguments: Vec<Term>,
    },
    /// `{x, y}k`
    Encrypted {
        /// What is encrypted; at least one.
        body: Vec<Term>,
        /// The key.
        key: Box<Term>,
    },
    /// `(x, y)`; at least one.
    Tuple(Vec<Term>),
}
