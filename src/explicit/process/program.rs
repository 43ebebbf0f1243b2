//! A process text after checking: names and overloading are resolved, and definitions refer to each other by index.

use super::value::ProcessValue;
use kit::diagnostics::Span;
use kit::index;
use std::rc::Rc;

index! {
    /// A type.
    TypeId
}
index! {
    /// A node of the code.
    CodeId
}
index! {
    /// A variable in the store of its process or function.
    Slot
}
index! {
    /// A gate among those of its process.
    GateSlot
}
index! {
    /// A gate of the running system: those of the main process come first, then hidden ones.
    GateId
}

/// Truth values.
pub const BOOL: TypeId = TypeId::from_u32(0);
/// Natural numbers.
pub const NAT: TypeId = TypeId::from_u32(1);
/// Integers.
pub const INT: TypeId = TypeId::from_u32(2);

/// A checked text.
#[derive(Debug, Clone)]
pub struct ProcessProgram {
    /// The types; [`BOOL`], [`NAT`] and [`INT`] come first.
    pub types: Vec<ProcessDataType>,
    /// The functions.
    pub functions: Vec<ProcessFunction>,
    /// The processes.
    pub processes: Vec<Process>,
    /// The code of all functions and processes.
    pub code: Vec<Code>,
    /// The index of the main process.
    pub main: usize,
    /// The values of its parameters.
    pub arguments: Vec<ProcessValue>,
    /// The names of its gates, in upper case as in labels.
    pub gates: Vec<String>,
}

/// A type.
#[derive(Debug, Clone)]
pub struct ProcessDataType {
    /// The name, as declared; for messages and labels.
    pub name: String,
    /// The values of the type.
    pub kind: ProcessTypeKind,
}

/// The values of a type.
#[derive(Debug, Clone)]
pub enum ProcessTypeKind {
    /// Numbers from `low` to `high`.
    Number {
        /// The least.
        low: i64,
        /// The greatest.
        high: i64,
        /// If there is a condition: those that satisfy it, in ascending order.
        only: Option<Rc<[i64]>>,
    },
    /// Strings.
    Text,
    /// Constructors with fields. An array is a constructor whose fields, the elements, have no names.
    Constructed(Vec<ProcessConstructor>),
    /// Lists.
    List {
        /// The type of the elements.
        of: TypeId,
        /// True if elements are kept in order.
        sorted: bool,
        /// True if each element occurs at most once.
        set: bool,
    },
}

impl ProcessTypeKind {
    /// True if this number is a value of the type.
    pub fn has_number(&self, number: i64) -> bool {
        match self {
            ProcessTypeKind::Number { low, high, only } => {
                (*low..=*high).contains(&number)
                    && only.as_ref().is_none_or(|only| only.binary_search(&number).is_ok())
            }
            _ => false,
        }
    }
}

/// A constructor.
#[derive(Debug, Clone)]
pub struct ProcessConstructor {
    /// The name in upper case, as in labels.
    pub name: String,
    /// The names and types of its fields.
    pub fields: Vec<(String, TypeId)>,
}

/// A function.
#[derive(Debug, Clone)]
pub struct ProcessFunction {
    /// The name, as declared.
    pub name: String,
    /// The number of value parameters, which take the first slots.
    pub parameters: usize,
    /// The type of its result, if it has one.
    pub result: Option<TypeId>,
    /// The parameters whose values at the end the caller gets; ascending.
    pub outs: Box<[Slot]>,
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
    /// The name, as declared.
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
    pub op: BehaviourOp,
    /// The part of the text that it was made from.
    pub span: Span,
    /// The variables that are live before it; ascending.
    pub live: Rc<[Slot]>,
}

/// Operators of behaviours and of the bodies of functions.
#[derive(Debug, Clone)]
pub enum BehaviourOp {
    /// Inaction.
    Stop,
    /// Terminates immediately.
    Null,
    /// A communication on a gate, or the internal action.
    Act(ActionCode),
    /// A process call.
    Call {
        /// The index of the process.
        process: usize,
        /// The actual gates.
        gates: Box<[GateSlot]>,
        /// The actual value parameters; those that only the process assigns have none.
        arguments: Vec<Option<ProcessExpr>>,
        /// The parameters of the process whose values at its end go to variables of the caller.
        outs: Box<[(Slot, Slot)]>,
        /// The variables that are live after it; `None` for a tail call.
        after: Option<Rc<[Slot]>>,
    },
    /// `x := E`
    Assign(Slot, ProcessExpr),
    /// The call of a function as a statement.
    Eval {
        /// The index of the function.
        function: usize,
        /// The actual parameters; those that only the function assigns have none.
        arguments: Vec<Option<ProcessExpr>>,
        /// The variables that get the values of the parameters that the function assigns, in their order.
        outs: Box<[Slot]>,
        /// The variable that gets the result.
        result: Option<Slot>,
    },
    /// `x := any T where E`: any value of the type that satisfies the condition.
    AssignAny(Slot, TypeId, Option<ProcessExpr>),
    /// Sequential composition.
    Sequence(CodeId, CodeId),
    /// Declares variables, which have no value yet.
    Var(Box<[Slot]>, CodeId),
    /// The first case whose condition holds.
    If {
        /// Conditions, each with its behaviour.
        cases: Vec<(ProcessExpr, CodeId)>,
        /// The behaviour if no condition holds.
        otherwise: CodeId,
    },
    /// The first case whose patterns the values have.
    Case {
        /// The values.
        values: Vec<ProcessExpr>,
        /// The cases.
        arms: Vec<CaseArm>,
    },
    /// Choice.
    Select(Vec<CodeId>),
    /// Parallel composition.
    Par(Vec<Branch>),
    /// A loop, infinite or while a condition holds.
    Loop(Option<ProcessExpr>, CodeId),
    /// Leaves the loop with this code.
    Break(CodeId),
    /// Hiding of a gate.
    Hide(GateSlot, CodeId),
    /// Disabling: the first, until the second takes over.
    Disrupt(CodeId, CodeId),
    /// The result of a function.
    Return(ProcessExpr),
    /// There is no way to go on, for the reason that this message gives: an exception or an assertion that does not hold.
    Fail(String),
}

/// An action.
#[derive(Debug, Clone)]
pub struct ActionCode {
    /// The gate; `None` for the internal action `i`.
    pub gate: Option<GateSlot>,
    /// The offers, in the order of the text.
    pub offers: Vec<ActionOffer>,
    /// The guard, over the received values.
    pub condition: Option<ProcessExpr>,
    /// The variables that are live after it; ascending.
    pub after: Rc<[Slot]>,
}

/// An offer of a communication.
#[derive(Debug, Clone)]
pub enum ActionOffer {
    /// A value.
    Send(ProcessExpr),
    /// Every value of a type that matches a pattern.
    Receive(TypeId, CasePattern),
}

/// A branch of a parallel composition.
#[derive(Debug, Clone)]
pub struct Branch {
    /// The behaviour.
    pub body: CodeId,
    /// For each gate on which it synchronises: the indices of all branches of that rendezvous, its own included; ascending.
    pub meets: Vec<(GateSlot, Rc<[usize]>)>,
    /// The variables that it assigns and that are live afterwards.
    pub writes: Box<[Slot]>,
}

/// A branch of `case`.
#[derive(Debug, Clone)]
pub struct CaseArm {
    /// Alternatives, each with a pattern for every value.
    pub patterns: Vec<Vec<CasePattern>>,
    /// The guard.
    pub condition: Option<ProcessExpr>,
    /// The behaviour.
    pub body: CodeId,
}

/// A pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CasePattern {
    /// Anything.
    Any,
    /// Anything, which is assigned to a variable.
    Bind(Slot),
    /// This value.
    Value(ProcessValue),
    /// This constructor with such fields.
    Constructed(u32, Vec<CasePattern>),
    /// A list of exactly these elements.
    List(Vec<CasePattern>),
    /// A non-empty list: its first element, and the list of the others.
    Cons(Box<[CasePattern; 2]>),
}

/// An expression.
#[derive(Debug, Clone)]
pub struct ProcessExpr {
    /// The outermost operator, with its operands.
    pub kind: ProcessExprKind,
    /// The type of its value.
    pub of: TypeId,
    /// The part of the text that it was made from.
    pub span: Span,
}

/// The operators of expressions.
#[derive(Debug, Clone)]
pub enum ProcessExprKind {
    /// A value.
    Value(ProcessValue),
    /// A variable.
    Variable(Slot),
    /// A constructor with fields.
    Construct(u32, Vec<ProcessExpr>),
    /// A function.
    Call(usize, Vec<ProcessExpr>),
    /// A predefined function.
    Apply(BuiltinOperation, Vec<ProcessExpr>),
    /// A list.
    List(Vec<ProcessExpr>),
}

#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum BuiltinOperation {
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
    /// The value of a field, whose place is given for each constructor that has it.
    Get(Rc<[Option<usize>]>),
    /// A value with another one in a field, whose place is given for each constructor that has it.
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
    /// An array of so many equal elements.
    Fill(usize),
    /// An element of an array with this least index.
    At(i64),
    /// An array with this least index and another element at a place.
    With(i64),
}
