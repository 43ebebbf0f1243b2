//! Programs whose names are resolved: variables without structures, and processes as automata.

use super::listed::ListedText;
use super::term::Whose;
use kit::diagnostics::Span;

/// A program.
#[derive(Debug, Default)]
pub(super) struct PromelaProgram {
    /// The enumerations of messages, `mtype`: their names and values in the order of the text.
    pub messages: Vec<(String, Vec<String>)>,
    pub variables: Vec<PromelaVariable>,
    pub channels: Vec<Channel>,
    pub processes: Vec<Proctype>,
    pub formulas: Vec<(String, CExpr, Span)>,
}

/// A type of values without parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ScalarType {
    Bool,
    Int(i64, i64),
    Message(usize),
    Channel,
}

/// A variable, or the same field of all elements of an array.
#[derive(Debug)]
pub(super) struct PromelaVariable {
    pub name: String,
    /// The type of the processes that it belongs to.
    pub owner: Option<usize>,
    pub ty: ScalarType,
    pub dims: Vec<usize>,
    /// One value, or those of all elements.
    pub initial: Vec<CExpr>,
    /// It is assigned somewhere.
    pub changes: bool,
    pub span: Span,
}

/// Channels that one variable declares, one for each of its elements.
#[derive(Debug)]
pub(super) struct Channel {
    pub variable: usize,
    pub capacity: usize,
    pub fields: Vec<ScalarType>,
}

/// A type of processes.
#[derive(Debug)]
pub(super) struct Proctype {
    pub name: String,
    /// How many there are at the beginning.
    pub active: usize,
    pub claim: bool,
    pub params: Vec<usize>,
    pub locals: Vec<usize>,
    pub provided: Option<CExpr>,
    pub nodes: Vec<ControlLocation>,
    pub start: usize,
    pub end: usize,
    pub labels: Vec<(String, usize)>,
    pub span: Span,
}

/// A control location.
#[derive(Debug, Clone)]
pub(super) struct ControlLocation {
    pub edges: Vec<ControlEdge>,
    pub span: Span,
    pub atomic: bool,
    /// The `d_step` that it is inside.
    pub dstep: Option<usize>,
}

/// A statement that leads from one location to another.
#[derive(Debug, Clone)]
pub(super) struct ControlEdge {
    pub action: StatementEffect,
    pub to: usize,
    pub span: Span,
    /// The `d_step` that it belongs to.
    pub dstep: Option<usize>,
    pub atomic: bool,
    /// Jumps that are no steps follow it in an `atomic` sequence or after it, and Spin may list them.
    pub jumps: bool,
    /// The line of Spin for it.
    pub listed: ListedText,
}

/// The effect of a statement.
#[derive(Debug, Clone)]
pub(super) enum StatementEffect {
    Skip,
    Guard(CExpr),
    Else,
    Assign(PromelaTarget, CExpr),
    Assert(CExpr),
    Send { channel: CExpr, values: Vec<CExpr> },
    Receive { channel: CExpr, pattern: Vec<ReceivePattern>, any: bool, copy: bool },
    Run { process: usize, values: Vec<CExpr>, result: Option<PromelaTarget> },
}

/// A place that is assigned: a variable and its indices.
pub(super) type PromelaTarget = (usize, Vec<CExpr>);

/// The treatment of a field by a receive statement.
#[derive(Debug, Clone)]
pub(super) enum ReceivePattern {
    Ignore,
    Match(CExpr),
    Store(PromelaTarget),
}

/// An expression, as C has them.
#[derive(Debug, Clone)]
pub(super) enum CExpr {
    Int(i64),
    Bool(bool),
    Message(usize, usize),
    /// The channel of an element, by the number of the declaration.
    Channel(usize, usize),
    Read(usize, Vec<CExpr>, Whose),
    /// `_pid`
    Pid,
    /// `_nr_pr`
    Processes,
    Timeout,
    Unary(&'static str, Box<CExpr>),
    Binary(&'static str, Box<CExpr>, Box<CExpr>),
    If(Box<CExpr>, Box<CExpr>, Box<CExpr>),
    Length(Box<CExpr>),
    Full(Box<CExpr>),
    Poll {
        channel: Box<CExpr>,
        pattern: Vec<ReceivePattern>,
        any: bool,
    },
    At {
        process: usize,
        pid: Option<i64>,
        label: String,
    },
    /// A variable of another process.
    Remote {
        process: usize,
        pid: Option<i64>,
        read: Box<CExpr>,
    },
}

impl CExpr {
    /// Calls a function for each part, from the outside.
    pub fn visit(&self, look: &mut impl FnMut(&Self)) {
        look(self);
        match self {
            Self::Read(_, all, _) => all.iter().for_each(|part| part.visit(look)),
            Self::Unary(_, a) | Self::Length(a) | Self::Full(a) | Self::Remote { read: a, .. } => {
                a.visit(look)
            }
            Self::Binary(_, a, b) => {
                a.visit(look);
                b.visit(look);
            }
            Self::If(a, b, c) => [a, b, c].into_iter().for_each(|part| part.visit(look)),
            Self::Poll { channel, pattern, .. } => {
                channel.visit(look);
                for item in pattern {
                    if let ReceivePattern::Match(value) = item {
                        value.visit(look);
                    }
                }
            }
            _ => {}
        }
    }
}
