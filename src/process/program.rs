//! A process text after checking: names and overloading are resolved, and definitions refer to each other by index.

use super::value::Value;
use crate::diagnostics::Span;
use std::rc::Rc;

/// The index of a type.
pub type TypeId = usize;
/// The index of a node of the code.
pub type CodeId = u32;
/// The index of a variable in the store of its process or function.
pub type Slot = u32;
/// The index of a gate among those of its process.
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
    /// The code of all functions and processes.
    pub code: Vec<Code>,
    /// The index of the main process.
    pub main: usize,
    /// The values of its parameters.
    pub arguments: Vec<Value>,
    /// The names of its gates, in upper case as in labels.
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
    /// The number of variables in its store.
    pub slots: usize,
    /// The code of its body.
    pub body: CodeId,
    /// Where it is defined.
    pub span: Span,
}

/// A process.
#[derive(Debug, Clone)]
pub struct Process {
    /// Its name.
    pub name: String,
    /// The number of its formal gates.
    pub gates: usize,
    /// How many value parameters it has; they have the first slots.
    pub parameters: usize,
    /// The number of variables in its store.
    pub slots: usize,
    /// The code of its body.
    pub body: CodeId,
}

/// A node of the code.
#[derive(Debug, Clone)]
pub struct Code {
    /// The operator with its operands.
    pub op: Op,
    /// Its place in the text.
    pub span: Span,
    /// The variables that are live before it; ascending.
    pub live: Rc<[Slot]>,
}

/// Operators of behaviours and of the bodies of functions.
#[derive(Debug, Clone)]
pub enum Op {
    /// Inaction.
    Stop,
    /// Terminates immediately.
    Null,
    /// A communication on a gate, or the internal action.
    Act(Act),
    /// A process call.
    Call {
        /// The index of the process.
        process: usize,
        /// The actual gates.
        gates: Box<[GateSlot]>,
        /// The actual value parameters.
        arguments: Vec<Expr>,
        /// The variables that are live after it; `None` for a tail call.
        after: Option<Rc<[Slot]>>,
    },
    /// `x := E`
    Assign(Slot, Expr),
    /// `x := any T where E`
    AssignAny(Slot, TypeId, Option<Expr>),
    /// Sequential composition.
    Sequence(CodeId, CodeId),
    /// Declares variables, which have no value yet.
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
    /// Choice.
    Select(Vec<CodeId>),
    /// Parallel composition.
    Par(Vec<Branch>),
    /// A loop, infinite or while a condition holds.
    Loop(Option<Expr>, CodeId),
    /// Leaves the loop with this code.
    Break(CodeId),
    /// Hiding of a gate.
    Hide(GateSlot, CodeId),
    /// Disabling: the first, until the second takes over.
    Disrupt(CodeId, CodeId),
    /// The result of a function.
    Return(Expr),
    /// A function has no result: the name of the exception.
    Raise(String),
}

/// An action.
#[derive(Debug, Clone)]
pub struct Act {
    /// The gate; `None` for the internal action `i`.
    pub gate: Option<GateSlot>,
    /// The offers, in the order of the text.
    pub offers: Vec<Offer>,
    /// The guard, over the received values.
    pub condition: Option<Expr>,
    /// The variables that are live after it; ascending.
    pub after: Rc<[Slot]>,
}

/// An offer of a communication.
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
    /// For each gate on which it synchronises: the indices of all branches of that rendezvous, its own included; ascending.
    pub meets: Vec<(GateSlot, Rc<[usize]>)>,
    /// The variables that it assigns and that are live afterwards.
    pub writes: Box<[Slot]>,
}

/// A branch of `case`.
#[derive(Debug, Clone)]
pub struct Arm {
    /// Alternatives, each with a pattern for every value.
    pub patterns: Vec<Vec<Pattern>>,
    /// The guard.
    pub condition: Option<Expr>,
    /// What is done.
    pub body: CodeId,
}

/// A pattern.
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
