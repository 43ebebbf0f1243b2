//! A process text after checking: names resolved, types known, everything in tables.

use super::value::Value;
use crate::diagnostics::Span;
use std::rc::Rc;

/// The index of a type.
pub type TypeId = usize;
/// The index of a piece of code.
pub type CodeId = u32;
/// The place of a variable in the store of its process or function.
pub type Slot = u32;
/// The place of a gate among those of its process.
pub type GateSlot = u32;

/// Truth values.
pub const BOOL: TypeId = 0;
/// Natural numbers.
pub const NAT: TypeId = 1;
/// Integers.
pub const INT: TypeId = 2;

/// A checked text.
#[derive(Debug, Clone)]
pub struct Program {
    /// The types; the first three are predefined.
    pub types: Vec<Type>,
    /// The functions.
    pub functions: Vec<Function>,
    /// The processes.
    pub processes: Vec<Process>,
    /// All code of functions and processes.
    pub code: Vec<Code>,
    /// The process that is the system, by its index.
    pub main: usize,
    /// The values of its parameters.
    pub arguments: Vec<Value>,
    /// The names of its gates as labels have them.
    pub gates: Vec<String>,
}

/// A type.
#[derive(Debug, Clone)]
pub struct Type {
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: TypeKind,
}

/// What a type is.
#[derive(Debug, Clone)]
pub enum TypeKind {
    /// Numbers from `low` to `high`.
    Number {
        /// The least.
        low: i64,
        /// The greatest.
        high: i64,
    },
    /// Constructors with fields.
    Constructed(Vec<Constructor>),
    /// Lists.
    List {
        /// The type of the elements.
        of: TypeId,
        /// Whether elements are kept in order.
        sorted: bool,
        /// Whether an element is there once at most.
        set: bool,
    },
}

/// A constructor.
#[derive(Debug, Clone)]
pub struct Constructor {
    /// Its name.
    pub name: String,
    /// Its fields: names and types.
    pub fields: Vec<(String, TypeId)>,
}

/// A function.
#[derive(Debug, Clone)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// How many parameters it has; they have the first slots.
    pub parameters: usize,
    /// The type of its result.
    pub result: TypeId,
    /// How many slots its store has.
    pub slots: usize,
    /// What it does.
    pub body: CodeId,
    /// Where it is defined.
    pub span: Span,
}

/// A process.
#[derive(Debug, Clone)]
pub struct Process {
    /// Its name.
    pub name: String,
    /// How many gates it is given.
    pub gates: usize,
    /// How many value parameters it has; they have the first slots.
    pub parameters: usize,
    /// How many slots its store has.
    pub slots: usize,
    /// What it does.
    pub body: CodeId,
}

/// A piece of code.
#[derive(Debug, Clone)]
pub struct Code {
    /// What it does.
    pub op: Op,
    /// Where it stands.
    pub span: Span,
    /// The variables whose values it needs, or that are needed after it; ascending.
    pub live: Rc<[Slot]>,
}

/// What a piece of code does.
#[derive(Debug, Clone)]
pub enum Op {
    /// Nothing more happens.
    Stop,
    /// Done at once.
    Null,
    /// An action.
    Act(Act),
    /// The call of a process.
    Call {
        /// Which.
        process: usize,
        /// The gates it is given.
        gates: Box<[GateSlot]>,
        /// The values it is given.
        arguments: Vec<Expr>,
        /// The variables that are needed afterwards; `None` if the caller has nothing to do any more.
        after: Option<Rc<[Slot]>>,
    },
    /// `x := E`
    Assign(Slot, Expr),
    /// `x := any T where E`
    AssignAny(Slot, TypeId, Option<Expr>),
    /// One after the other.
    Sequence(CodeId, CodeId),
    /// Variables that have no value at first.
    Var(Box<[Slot]>, CodeId),
    /// The first case whose condition holds.
    If {
        /// Conditions with what is done.
        cases: Vec<(Expr, CodeId)>,
        /// What is done otherwise.
        otherwise: CodeId,
    },
    /// The first case whose patterns the values have.
    Case {
        /// The values.
        values: Vec<Expr>,
        /// The cases.
        arms: Vec<Arm>,
    },
    /// One of them.
    Select(Vec<CodeId>),
    /// Beside each other.
    Par(Vec<Branch>),
    /// For ever, or while a condition holds.
    Loop(Option<Expr>, CodeId),
    /// Leaves the loop with this code.
    Break(CodeId),
    /// A gate that is not seen outside.
    Hide(GateSlot, CodeId),
    /// The first, until the second begins.
    Disrupt(CodeId, CodeId),
    /// The result of a function.
    Return(Expr),
    /// A function has no result: the name of the exception.
    Raise(String),
}

/// An action.
#[derive(Debug, Clone)]
pub struct Act {
    /// The gate; `None` for the invisible action.
    pub gate: Option<GateSlot>,
    /// What is offered.
    pub offers: Vec<Offer>,
    /// Which communications there are.
    pub condition: Option<Expr>,
    /// The variables that are needed afterwards; ascending.
    pub after: Rc<[Slot]>,
}

/// What is offered.
#[derive(Debug, Clone)]
pub enum Offer {
    /// A value.
    Send(Expr),
    /// Every value of a type that looks like this.
    Receive(TypeId, Pattern),
}

/// A branch of a parallel composition.
#[derive(Debug, Clone)]
pub struct Branch {
    /// What it does.
    pub body: CodeId,
    /// For each gate on which it meets others: which branches meet there, itself included; ascending.
    pub meets: Vec<(GateSlot, Rc<[usize]>)>,
    /// The variables that it gives values.
    pub writes: Box<[Slot]>,
}

/// A case.
#[derive(Debug, Clone)]
pub struct Arm {
    /// Alternatives, each with a pattern for every value.
    pub patterns: Vec<Vec<Pattern>>,
    /// When it is chosen.
    pub condition: Option<Expr>,
    /// What is done.
    pub body: CodeId,
}

/// What a value looks like.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pattern {
    /// Anything.
    Any,
    /// Anything; a variable gets it.
    Bind(Slot),
    /// This value.
    Value(Value),
    /// This constructor with such fields.
    Constructed(u32, Vec<Pattern>),
    /// A list of so many elements.
    List(Vec<Pattern>),
    /// A first element and the others.
    Cons(Box<[Pattern; 2]>),
}

/// An expression.
#[derive(Debug, Clone)]
pub struct Expr {
    /// What.
    pub kind: ExprKind,
    /// The type of its value.
    pub of: TypeId,
    /// Where it stands.
    pub span: Span,
}

/// What an expression is.
#[derive(Debug, Clone)]
pub enum ExprKind {
    /// A value.
    Value(Value),
    /// A variable.
    Variable(Slot),
    /// A constructor with fields.
    Construct(u32, Vec<Expr>),
    /// A function.
    Call(usize, Vec<Expr>),
    /// A predefined function.
    Apply(Operation, Vec<Expr>),
    /// A list.
    List(Vec<Expr>),
}

/// A predefined function.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Operation {
    Equal,
    Different,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Not,
    And,
    Or,
    Xor,
    Implies,
    Add,
    Subtract,
    Multiply,
    Divide,
    Modulo,
    Remainder,
    Power,
    Negate,
    Minimum,
    Maximum,
    /// A number as one of another type.
    Convert,
    /// The field, at this place for each constructor that has it.
    Get(Rc<[Option<usize>]>),
    /// The value with another field.
    Set(Rc<[Option<usize>]>),
    Cons,
    Append,
    Length,
    /// Counted from 1.
    Element,
    Member,
    IsEmpty,
    Head,
    Tail,
    Remove,
    Union,
    Intersection,
    Difference,
    Reverse,
}
