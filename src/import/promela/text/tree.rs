//! The tree of a program in Promela.

use kit::diagnostics::Span;
pub use kit::parsing::Name;

/// A program: its parts in the order of the text.
#[derive(Debug, Default)]
pub struct Program {
    pub units: Vec<Unit>,
}

/// A part of a program.
#[derive(Debug)]
pub enum Unit {
    /// `mtype : set = { a, b }`
    Messages {
        set: Option<Name>,
        names: Vec<Name>,
    },
    /// `typedef name { … }`
    Typedef {
        name: Name,
        fields: Vec<Declaration>,
    },
    Variables(Vec<Declaration>),
    Process(ProcessType),
    /// `ltl name { f }`
    Formula {
        name: Option<Name>,
        formula: Expr,
    },
}

/// `proctype`, `init` or `never`.
#[derive(Debug)]
pub struct ProcessType {
    pub name: Name,
    pub role: Role,
    pub params: Vec<Declaration>,
    pub provided: Option<Expr>,
    pub body: Vec<Stmt>,
    /// The closing brace.
    pub end: Span,
}

/// How processes of a type come to be.
#[derive(Debug)]
pub enum Role {
    Proctype { active: Option<Expr> },
    Init,
    Never,
}

/// One variable.
#[derive(Debug)]
pub struct Declaration {
    pub ty: TypeName,
    pub name: Name,
    /// The number of bits, for `unsigned`.
    pub width: Option<u32>,
    pub size: Option<Expr>,
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
    Value(Expr),
    Values(Vec<Expr>),
    Channel { capacity: Expr, message: Vec<TypeName> },
}

/// A statement with its labels.
#[derive(Debug)]
pub struct Stmt {
    pub labels: Vec<Name>,
    pub kind: StmtKind,
    pub span: Span,
}

/// The kinds of statements.
#[derive(Debug)]
pub enum StmtKind {
    Declare(Vec<Declaration>),
    /// A condition, or `run`.
    Expr(Expr),
    Assign(Place, Expr),
    Send {
        channel: Place,
        values: Vec<Expr>,
        sorted: bool,
    },
    Receive {
        channel: Place,
        pattern: Vec<Expr>,
        any: bool,
        copy: bool,
    },
    If(Vec<Vec<Stmt>>),
    Do(Vec<Vec<Stmt>>),
    /// The beginning of `for`: the first value, and the loop.
    Sequence(Vec<Stmt>),
    Break,
    Goto(Name),
    Block(Vec<Stmt>),
    Atomic(Vec<Stmt>),
    DStep(Vec<Stmt>),
    Else,
    Assert(Expr),
    /// `skip`, `printf`
    Skip,
}

/// `a[i].b`
#[derive(Debug, Clone)]
pub struct Place {
    pub parts: Vec<(Name, Option<Box<Expr>>)>,
    pub span: Span,
}

/// An expression or formula.
#[derive(Debug, Clone)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

/// The kinds of expressions.
#[derive(Debug, Clone)]
pub enum ExprKind {
    Number(i64),
    Bool(bool),
    Read(Place),
    Unary(&'static str, Box<Expr>),
    Binary(&'static str, Box<Expr>, Box<Expr>),
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    Run(Name, Vec<Expr>),
    /// `len`, `full`, `empty`, `nfull`, `nempty`, and `last` for the last index of an array.
    Channel(&'static str, Place),
    Poll {
        channel: Place,
        pattern: Vec<Expr>,
        any: bool,
    },
    /// `eval(e)` in a pattern.
    Eval(Box<Expr>),
    Timeout,
    /// `p[i]@label`
    Label {
        process: Name,
        index: Option<Box<Expr>>,
        label: Name,
    },
    /// `p[i]:x`
    Remote {
        process: Name,
        index: Option<Box<Expr>>,
        place: Place,
    },
}
