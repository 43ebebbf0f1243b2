//! The syntax tree of a process text.

use kit::diagnostics::Span;

/// A name; names are case-insensitive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProcessName {
    /// In upper case, as it is compared and shown in labels.
    pub key: String,
    /// As written, for messages.
    pub shown: String,
    pub span: Span,
}

/// A file: a module, or its definitions only.
#[derive(Debug, Clone, Default)]
pub struct ProcessFile {
    /// The modules whose definitions it uses.
    pub imports: Vec<ProcessName>,
    /// `!nat_sup 6` and the like.
    pub pragmas: Vec<Pragma>,
    pub types: Vec<TypeItem>,
    pub channels: Vec<ChannelItem>,
    pub functions: Vec<Routine>,
    pub processes: Vec<Routine>,
    /// The definitions that could not be parsed and are missing from the lists above.
    pub lost: Vec<UnreadDefinition>,
    /// True if modules may be missing whose definitions it uses.
    pub lacks_modules: bool,
}

/// A definition that could not be parsed.
#[derive(Debug, Clone)]
pub struct UnreadDefinition {
    /// The keyword that it starts with; empty if there is none.
    pub word: &'static str,
    pub name: Option<ProcessName>,
}

#[derive(Debug, Clone)]
pub struct Pragma {
    /// The name without the `!`.
    pub name: ProcessName,
    pub number: Option<i64>,
}

#[derive(Debug, Clone)]
pub struct TypeItem {
    pub name: ProcessName,
    pub kind: TypeSyntaxKind,
    /// Predefined functions with further names for them: `with "==" as "eq"`.
    pub aliases: Vec<(ProcessName, ProcessName)>,
}

#[derive(Debug, Clone)]
pub enum TypeSyntaxKind {
    /// Constructors: an enumeration if they have no fields, a record if there is one.
    Constructed(Vec<ConstructorItem>),
    /// `range 0 .. 7 of nat`
    Range {
        low: Box<ExprSyntax>,
        high: Box<ExprSyntax>,
        /// The number type that it is a subrange of.
        of: ProcessName,
    },
    /// `x : T where E`: the values of `T` that satisfy a condition.
    Restricted {
        /// Stands for a value in the condition.
        variable: Parameter,
        condition: Box<ExprSyntax>,
    },
    /// `array [0 .. 3] of T`
    Array { low: Box<ExprSyntax>, high: Box<ExprSyntax>, of: ProcessName },
    /// `list of T`, `sorted set of T`
    List {
        of: ProcessName,
        /// True if elements are kept in order.
        sorted: bool,
        /// True if each element occurs at most once.
        set: bool,
    },
}

#[derive(Debug, Clone)]
pub struct ConstructorItem {
    pub name: ProcessName,
    pub fields: Vec<Parameter>,
}

#[derive(Debug, Clone)]
pub struct Parameter {
    pub name: ProcessName,
    pub of: ProcessName,
    /// Which way its value goes.
    pub mode: ParameterMode,
}

/// Which way the value of a parameter goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParameterMode {
    /// From the caller.
    In,
    /// To the caller, at the end.
    Out,
    /// Both.
    InOut,
}

/// A channel: the profiles of the offers on its gates.
#[derive(Debug, Clone)]
pub struct ChannelItem {
    pub name: ProcessName,
    /// The types of the offers, one list for each way to communicate.
    pub profiles: Vec<Vec<ProcessName>>,
}

#[derive(Debug, Clone)]
pub struct Routine {
    pub name: ProcessName,
    /// The gates with their channels: those of a process, or the exceptions of a function.
    pub gates: Vec<Parameter>,
    pub parameters: Vec<Parameter>,
    /// The type of the result; a process has none.
    pub result: Option<ProcessName>,
    /// `ensure E`: what holds at the end.
    pub ensured: Vec<ExprSyntax>,
    pub body: Behaviour,
}

/// A behaviour, or a statement of a function.
#[derive(Debug, Clone)]
pub struct Behaviour {
    pub kind: BehaviourKind,
    pub span: Span,
}

#[derive(Debug, Clone)]
pub enum BehaviourKind {
    /// `null`
    Null,
    /// `stop`
    Stop,
    /// A mistake was reported here.
    Wrong,
    Sequence(Vec<Behaviour>),
    /// A communication or a process call, which look alike.
    Action(ActionSyntax),
    /// `x := E`
    Assign(ProcessName, ExprSyntax),
    /// `x := any T where E`
    AssignAny(ProcessName, ProcessName, Option<ExprSyntax>),
    /// `var x, y : T in B end var`
    Var(Vec<Parameter>, Box<Behaviour>),
    /// `if E then B elsif E then B else B end if`; `only if` stops if no condition holds.
    If {
        /// The conditions with what is done then.
        cases: Vec<(ExprSyntax, Behaviour)>,
        otherwise: Option<Box<Behaviour>>,
        /// True if it is `only if`.
        only: bool,
    },
    /// `case E in var x : T in P -> B | P -> B end case`
    Case {
        values: Vec<ExprSyntax>,
        variables: Vec<Parameter>,
        arms: Vec<ArmSyntax>,
    },
    Select(Vec<Behaviour>),
    Par {
        /// The gates on which all branches synchronise.
        gates: Vec<ProcessName>,
        /// The branches, each with the gates on which it synchronises with the others that list them.
        branches: Vec<(Vec<ProcessName>, Behaviour)>,
    },
    /// `loop L in B end loop`
    Loop(Option<ProcessName>, Box<Behaviour>),
    /// `while E loop B end loop`
    While(ExprSyntax, Box<Behaviour>),
    /// `for B while E by B loop B end loop`
    For {
        first: Box<Behaviour>,
        /// While this holds.
        condition: ExprSyntax,
        /// Statement after each iteration.
        step: Box<Behaviour>,
        body: Box<Behaviour>,
    },
    /// `break L`
    Break(Option<ProcessName>),
    /// `hide G : C in B end hide`
    Hide(Vec<Parameter>, Box<Behaviour>),
    /// `disrupt B by B end disrupt`
    Disrupt(Box<Behaviour>, Box<Behaviour>),
    /// `return E`
    Return(ExprSyntax),
    /// `raise X`
    Raise(ProcessName),
    /// `eval x := F (e, ?y, !?z)`; also without `eval`, if it looks like a call.
    Eval(Option<ProcessName>, ActionSyntax),
    /// `assert E raise X`; `require E` is the same at the beginning.
    Assert(ExprSyntax, Option<ProcessName>),
}

/// `G (!e, ?x) where E`, or `P [G, H] (e, f)`.
#[derive(Debug, Clone)]
pub struct ActionSyntax {
    /// The gate or the process.
    pub name: ProcessName,
    /// The actual gates of a process call.
    pub gates: Option<GatesSyntax>,
    pub offers: Vec<OfferSyntax>,
    /// The guard after `where`.
    pub condition: Option<ExprSyntax>,
}

/// The actual gates of a process call.
#[derive(Debug, Clone)]
pub struct GatesSyntax {
    /// The gates; with a name before `->`, where it is given.
    pub list: Vec<(Option<ProcessName>, ProcessName)>,
    /// True if `...` stands for the others, by their own names.
    pub others: bool,
}

#[derive(Debug, Clone)]
pub enum OfferSyntax {
    /// `!e` or `e`
    Send(ExprSyntax),
    /// `?p`
    Receive(PatternSyntax),
    /// `!?x`: a variable that a called function or process reads and assigns.
    Change(ProcessName),
}

/// A branch of `case`.
#[derive(Debug, Clone)]
pub struct ArmSyntax {
    /// Alternatives, each with a pattern for every value.
    pub patterns: Vec<Vec<PatternSyntax>>,
    /// The guard after `where`.
    pub condition: Option<ExprSyntax>,
    pub body: Behaviour,
}

#[derive(Debug, Clone)]
pub struct PatternSyntax {
    pub kind: PatternSyntaxKind,
    pub span: Span,
}

#[derive(Debug, Clone)]
pub enum PatternSyntaxKind {
    /// `any T`; in `case` also `any` alone.
    Any(Option<ProcessName>),
    /// A name: of a variable that gets the value, or of a constructor without fields.
    Name(ProcessName),
    /// `C (p, q)`
    Constructed(ProcessName, Vec<PatternSyntax>),
    /// `C (f -> p, g -> q)`
    Named(ProcessName, Vec<(ProcessName, PatternSyntax)>),
    Number(i64),
    Text(String),
    /// `{ p, q }`
    List(Vec<PatternSyntax>),
    /// `p of T`
    Of(Box<PatternSyntax>, ProcessName),
}

/// Tells the expressions of one file apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ExprId(pub u32);

#[derive(Debug, Clone)]
pub struct ExprSyntax {
    /// Different for all expressions of one file.
    pub id: ExprId,
    pub kind: ExprSyntaxKind,
    pub span: Span,
}

#[derive(Debug, Clone)]
pub enum ExprSyntaxKind {
    Number(i64),
    /// A variable, a constructor or a function without arguments.
    Name(ProcessName),
    Text(String),
    /// A constructor or a function; operators are functions with their spelling as name. The element of an array is
    /// `[]`, an array with another element `[]:=`.
    Call(ProcessName, Vec<ExprSyntax>),
    /// `C (f -> e, g -> e)`
    Named(ProcessName, Vec<(ProcessName, ExprSyntax)>),
    /// `e of T`
    Of(Box<ExprSyntax>, ProcessName),
    /// `e . f`
    Field(Box<ExprSyntax>, ProcessName),
    /// `e . { f -> e, g -> e }`
    Update(Box<ExprSyntax>, Vec<(ProcessName, ExprSyntax)>),
    /// `{ e, f }`
    List(Vec<ExprSyntax>),
}
