//! The tree of a program in Promela.

use kit::diagnostics::Span;
pub use kit::parsing::Name;

/// A program: its parts in the order of the text.
#[derive(Debug, Default)]
pub struct PromelaText {
    pub units: Vec<ProgramUnit>,
}

/// A part of a program.
#[derive(Debug)]
pub enum ProgramUnit {
    /// `mtype : set = { a, b }`
    Messages {
        set: Option<Name>,
        names: Vec<Name>,
    },
    /// `typedef name { … }`
    Typedef {
        name: Name,
        fields: Vec<PromelaDeclaration>,
    },
    Variables(Vec<PromelaDeclaration>),
    Process(ProcessType),
    /// `ltl name { f }`
    Formula {
        name: Option<Name>,
        formula: PromelaExpr,
    },
}

/// `proctype`, `init` or `never`.
#[derive(Debug)]
pub struct ProcessType {
    pub name: Name,
    pub role: ProctypeRole,
    pub params: Vec<PromelaDeclaration>,
    pub provided: Option<PromelaExpr>,
    pub body: Vec<PromelaStmt>,
    /// The closing brace.
    pub end: Span,
}

/// How processes of a type come to be.
#[derive(Debug)]
pub enum ProctypeRole {
    Proctype { active: Option<PromelaExpr> },
    Init,
    Never,
}

/// One variable.
#[derive(Debug)]
pub struct PromelaDeclaration {
    pub ty: TypeName,
    pub name: Name,
    /// The number of bits, for `unsigned`.
    pub width: Option<u32>,
    pub size: Option<PromelaExpr>,
    pub initial: Initial,
}

/// The name of a type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TypeName {
    Bit,
    Bool,
    Byte,
    Short,
    Int,
    Unsigned,
    /// `mtype`, or `mtype : set`.
    Message(Option<String>),
    Channel,
    Defined(String),
}

/// The first value of a variable.
#[derive(Debug)]
pub enum Initial {
    None,
    Value(PromelaExpr),
    Values(Vec<PromelaExpr>),
    Channel { capacity: PromelaExpr, message: Vec<TypeName> },
}

/// A statement with its labels.
#[derive(Debug)]
pub struct PromelaStmt {
    pub labels: Vec<Name>,
    pub kind: PromelaStmtKind,
    pub span: Span,
}

/// The kinds of statements.
#[derive(Debug)]
pub enum PromelaStmtKind {
    Declare(Vec<PromelaDeclaration>),
    /// A condition, or `run`.
    Expr(PromelaExpr),
    Assign(PlaceSyntax, PromelaExpr),
    Send {
        channel: PlaceSyntax,
        values: Vec<PromelaExpr>,
        sorted: bool,
    },
    Receive {
        channel: PlaceSyntax,
        pattern: Vec<PromelaExpr>,
        any: bool,
        copy: bool,
    },
    If(Vec<Vec<PromelaStmt>>),
    Do(Vec<Vec<PromelaStmt>>),
    /// The beginning of `for`: the first value, and the loop.
    Sequence(Vec<PromelaStmt>),
    Break,
    Goto(Name),
    Block(Vec<PromelaStmt>),
    Atomic(Vec<PromelaStmt>),
    DStep(Vec<PromelaStmt>),
    Else,
    Assert(PromelaExpr),
    /// `skip`, `printf`
    Skip,
}

/// `a[i].b`
#[derive(Debug, Clone)]
pub struct PlaceSyntax {
    pub parts: Vec<(Name, Option<Box<PromelaExpr>>)>,
    pub span: Span,
}

/// An expression or formula.
#[derive(Debug, Clone)]
pub struct PromelaExpr {
    pub kind: PromelaExprKind,
    pub span: Span,
}

/// The kinds of expressions.
#[derive(Debug, Clone)]
pub enum PromelaExprKind {
    Number(i64),
    Bool(bool),
    Read(PlaceSyntax),
    Unary(&'static str, Box<PromelaExpr>),
    Binary(&'static str, Box<PromelaExpr>, Box<PromelaExpr>),
    If(Box<PromelaExpr>, Box<PromelaExpr>, Box<PromelaExpr>),
    Run(Name, Vec<PromelaExpr>),
    /// `len`, `full`, `empty`, `nfull`, `nempty`, and `last` for the last index of an array.
    Channel(&'static str, PlaceSyntax),
    Poll {
        channel: PlaceSyntax,
        pattern: Vec<PromelaExpr>,
        any: bool,
    },
    /// `eval(e)` in a pattern.
    Eval(Box<PromelaExpr>),
    Timeout,
    /// `p[i]@label`
    Label {
        process: Name,
        index: Option<Box<PromelaExpr>>,
        label: Name,
    },
    /// `p[i]:x`
    Remote {
        process: Name,
        index: Option<Box<PromelaExpr>>,
        place: PlaceSyntax,
    },
}
