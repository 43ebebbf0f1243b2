//! The syntax tree of a protocol file.

use kit::diagnostics::Span;
pub use kit::parsing::Name;

/// A file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ProtocolFile {
    /// Its items, in order.
    pub items: Vec<SpdlItem>,
    /// True if malformed parts are missing from the tree.
    pub lost: bool,
}

/// An item of a file.
#[derive(Debug, Clone, PartialEq)]
pub enum SpdlItem {
    /// `protocol P(I, R) { … }`
    Protocol(ProtocolItem),
    /// `usertype T, U;`
    Usertype(Vec<Name>),
    /// `untrusted Eve;`
    Untrusted(Vec<TermSyntax>),
    /// `run P.R(Alice, Bob);`, which chooses runs and does not describe the protocol.
    Run(Span),
    /// `option "…";` with options for the command line of Scyther.
    Options(Span),
    /// `include "FILE";`
    Include(Span),
    /// A declaration for all protocols.
    Declaration(ProtocolDeclaration),
}

/// A protocol.
#[derive(Debug, Clone, PartialEq)]
pub struct ProtocolItem {
    /// The name, with the `@` of helpers.
    pub name: Name,
    /// The roles of the head.
    pub roles: Vec<Name>,
    /// The members between the braces.
    pub members: Vec<ProtocolMember>,
}

/// A member of a protocol.
#[derive(Debug, Clone, PartialEq)]
pub enum ProtocolMember {
    /// The description of a role.
    Role(RoleItem),
    /// A declaration for all roles.
    Declaration(ProtocolDeclaration),
}

/// The description of a role.
#[derive(Debug, Clone, PartialEq)]
pub struct RoleItem {
    /// True if at most one run plays it.
    pub singular: bool,
    /// The name.
    pub name: Name,
    /// Its declarations and events, in order.
    pub steps: Vec<StepSyntax>,
}

/// A step of a role.
#[derive(Debug, Clone, PartialEq)]
pub enum StepSyntax {
    /// A declaration.
    Declaration(ProtocolDeclaration),
    /// `knows t, u;`
    Knows(Span),
    /// An event.
    Event(EventSyntax),
    /// A malformed step.
    Unread,
}

/// A declaration.
#[derive(Debug, Clone, PartialEq)]
pub struct ProtocolDeclaration {
    /// The kind of declaration.
    pub kind: DeclarationKind,
    /// The whole declaration.
    pub span: Span,
}

/// The kind of a declaration, with its names.
#[derive(Debug, Clone, PartialEq)]
pub enum DeclarationKind {
    /// `const a, b: T;`, `secret const a: T;`, and its synonym `secret a: T;`.
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
    /// `hashfunction f, g;` and its synonym `function f, g;`.
    Function {
        /// The names.
        names: Vec<Name>,
        /// True if the attacker cannot apply them.
        secret: bool,
    },
    /// `exponentiation f, g;`
    Exponentiation(Vec<Name>),
    /// `exclusiveor f, g;`
    ExclusiveOr(Vec<Name>),
    /// `equation open(enc(m, k), k) = m;`
    Equation {
        /// The left side.
        left: TermSyntax,
        /// The right side.
        right: TermSyntax,
    },
    /// `inversekeys(f, g);` and `inversekeyfunctions(f, g);`
    Inverse(Vec<TermSyntax>),
    /// `compromised t, u;`
    Compromised(Vec<TermSyntax>),
    /// `macro m = t, u;`
    Macro {
        /// The name.
        name: Name,
        /// The terms that it stands for.
        body: Vec<TermSyntax>,
    },
}

/// An event of a role.
#[derive(Debug, Clone, PartialEq)]
pub struct EventSyntax {
    /// The kind of event.
    pub kind: EventSyntaxKind,
    /// The whole event.
    pub span: Span,
}

/// The kind of an event.
#[derive(Debug, Clone, PartialEq)]
pub enum EventSyntaxKind {
    /// `send_1(I, R, m);`
    Send {
        /// `1`
        label: Name,
        /// The sender, the recipient, and the content.
        terms: Vec<TermSyntax>,
    },
    /// `recv_1(I, R, m);`, also written `read_1`.
    Receive {
        /// `1`
        label: Name,
        /// The sender, the recipient, and the content.
        terms: Vec<TermSyntax>,
    },
    /// `match(p, t);` and `not match(p, t);`
    Match {
        /// The term with variables to bind.
        pattern: TermSyntax,
        /// The term to compare with it.
        term: TermSyntax,
        /// True if they must be equal.
        equal: bool,
    },
    /// `claim_I1(I, Secret, t);`
    Claim {
        /// `I1`
        label: Option<Name>,
        /// The role, the claim, and its arguments.
        terms: Vec<TermSyntax>,
    },
}

/// A term.
#[derive(Debug, Clone, PartialEq)]
pub struct TermSyntax {
    /// The kind of term.
    pub kind: TermKind,
    /// Its place in the text.
    pub span: Span,
}

/// The kind of a term.
#[derive(Debug, Clone, PartialEq)]
pub enum TermKind {
    /// `x`
    Name(String),
    /// `f(x, y)`
    Apply {
        /// The function.
        function: Name,
        /// The arguments, at least one.
        arguments: Vec<TermSyntax>,
    },
    /// `{x, y}k`
    Encrypted {
        /// The encrypted terms, at least one.
        body: Vec<TermSyntax>,
        /// The key.
        key: Box<TermSyntax>,
    },
    /// `(x, y)`; at least one.
    Tuple(Vec<TermSyntax>),
}
