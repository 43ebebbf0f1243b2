//! The syntax tree of a process text.

use kit::diagnostics::Span;

/// A name; names are case-insensitive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name {
    /// In upper case, as it is compared and shown in labels.
    pub key: String,
    /// As written, for messages.
    pub shown: String,
    pub span: Span,
}

/// A file: a module, or its definitions only.
#[derive(Debug, Clone, Default)]
pub struct File {
    /// The modules whose definitions it uses.
    pub imports: Vec<Name>,
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
    pub name: Option<Name>,
}

#[derive(Debug, Clone)]
pub struct Pragma {
    /// The name without the `!`.
    pub name: Name,
    pub number: Option<i64>,
}

#[derive(Debug, Clone)]
pub struct TypeItem {
    pub name: Name,
    pub kind: TypeKind,
    /// Predefined functions with further names for them: `with "==" as "eq"`.
    pub aliases: Vec<(Name, Name)>,
}

#[derive(Debug, Clone)]
pub enum TypeKind {
    /// Constructors: an enumeration if they have no fields, a record if there is one.
    Constructed(Vec<ConstructorItem>),
    /// `range 0 .. 7 of nat`
    Range {
        low: Box<Expr>,
        high: Box<Expr>,
        /// The number type that it is a subrange of.
        of: Name,
    },
    /// `x : T where E`: the values of `T` that satisfy a condition.
    Restricted {
        /// Stands for a value in the condition.
        variable: Parameter,
        condition: Box<Expr>,
    },
    /// `array [0 .. 3] of T`
    Array { low: Box<Expr>, high: Box<Expr>, of: Name },
    /// `list of T`, `sorted set of T`
    List {
        of: Name,
        /// True if elements are kept in order.
        sorted: bool,
        /// True if each element occurs at most once.
        set: bool,
    },
}

#[derive(Debug, Clone)]
pub struct ConstructorItem {
    pub name: Name,
    pub fields: Vec<Parameter>,
}

#[derive(Debug, Clone)]
pub struct Parameter {
    pub name: Name,
    pub of: Name,
    /// Which way its value goes.
    pub mode: Mode,
}

/// Which way the value of a parameter goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
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
    pub name: Name,
    /// The types of the offers, one list for each way to communicate.
    pub profiles: Vec<Vec<Name>>,
}

#[derive(Debug, Clone)]
pub struct Routine {
    pub name: Name,
    /// The gates with their channels: those of a process, or the exceptions of a function.
    pub gates: Vec<Parameter>,
    pub parameters: Vec<Parameter>,
    /// The type of the result; a process has none.
    pub result: Option<Name>,
    /// `ensure E`: what holds at the end.
    pub ensured: Vec<Expr>,
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
    Action(Action),
    /// `x := E`
    Assign(Name, Expr),
    /// `x := any T where E`
    AssignAny(Name, Name, Option<Expr>),
    /// `var x, y : T in B end var`
    Var(Vec<Parameter>, Box<Behaviour>),
    /// `if E then B elsif E then B else B end if`; `only if` stops if no condition holds.
    If {
        /// The conditions with what is done then.
        cases: Vec<(Expr, Behaviour)>,
        otherwise: Option<Box<Behaviour>>,
        /// True if it is `only if`.
        only: bool,
    },
    /// `case E in var x : T in P -> B | P -> B end case`
    Case {
        values: Vec<Expr>,
        variables: Vec<Parameter>,
        /// Its arms.
        arms: Vec<Arm>,
    },
    Select(Vec<Behaviour>),
    Par {
        /// The gates on which all branches synchronise.
        gates: Vec<Name>,
        /// The branches, each with the gates on which it synchronises with the others that list them.
        branches: Vec<(Vec<Name>, Behaviour)>,
    },
    /// `loop L in B end loop`
    Loop(Option<Name>, Box<Behaviour>),
    /// `while E loop B end loop`
    While(Expr, Box<Behaviour>),
    /// `for B while E by B loop B end loop`
    For {
        first: Box<Behaviour>,
        /// While this holds.
        condition: Expr,
        /// Statement after each iteration.
        step: Box<Behaviour>,
        body: Box<Behaviour>,
    },
    /// `break L`
    Break(Option<Name>),
    /// `hide G : C in B end hide`
    Hide(Vec<Parameter>, Box<Behaviour>),
    /// `disrupt B by B end disrupt`
    Disrupt(Box<Behaviour>, Box<Behaviour>),
    /// `return E`
    Return(Expr),
    /// `raise X`
    Raise(Name),
    /// `eval x := F (e, ?y, !?z)`; also without `eval`, if it looks like a call.
    Eval(Option<Name>, Action),
    /// `assert E raise X`; `require E` is the same at the beginning.
    Assert(Expr, Option<Name>),
}

/// `G (!e, ?x) where E`, or `P [G, H] (e, f)`.
#[derive(Debug, Clone)]
pub struct Action {
    /// The gate or the process.
    pub name: Name,
    /// The actual gates of a process call.
    pub gates: Option<Gates>,
    pub offers: Vec<Offer>,
    /// The guard after `where`.
    pub condition: Option<Expr>,
}

/// The actual gates of a process call.
#[derive(Debug, Clone)]
pub struct Gates {
    /// The gates; with a name before `->`, where it is given.
    pub list: Vec<(Option<Name>, Name)>,
    /// True if `...` stands for the others, by their own names.
    pub others: bool,
}

#[derive(Debug, Clone)]
pub enum Offer {
    /// `!e` or `e`
    Send(Expr),
    /// `?p`
    Receive(Pattern),
    /// `!?x`: a variable that a called function or process reads and assigns.
    Change(Name),
}

/// A branch of `case`.
#[derive(Debug, Clone)]
pub struct Arm {
    /// Alternatives, each with a pattern for every value.
    pub patterns: Vec<Vec<Pattern>>,
    /// The guard after `where`.
    pub condition: Option<Expr>,
    pub body: Behaviour,
}

#[derive(Debug, Clone)]
pub struct Pattern {
    pub kind: PatternKind,
    pub span: Span,
}

#[derive(Debug, Clone)]
pub enum PatternKind {
    /// `any T`; in `case` also `any` alone.
    Any(Option<Name>),
    /// A name: of a variable that gets the value, or of a constructor without fields.
    Name(Name),
    /// `C (p, q)`
    Constructed(Name, Vec<Pattern>),
    /// `C (f -> p, g -> q)`
    Named(Name, Vec<(Name, Pattern)>),
    Number(i64),
    Text(String),
    /// `{ p, q }`
    List(Vec<Pattern>),
    /// `p of T`
    Of(Box<Pattern>, Name),
}

/// Tells the expressions of one file apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ExprId(pub u32);

#[derive(Debug, Clone)]
pub struct Expr {
    /// Different for all expressions of one file.
    pub id: ExprId,
    pub kind: ExprKind,
    pub span: Span,
}

#[derive(Debug, Clone)]
pub enum ExprKind {
    Number(i64),
    /// A variable, a constructor or a function without arguments.
    Name(Name),
    Text(String),
    /// A constructor or a function; operators are functions with their spelling as name. The element of an array is
    /// `[]`, an array with another element `[]:=`.
    Call(Name, Vec<Expr>),
    /// `C (f -> e, g -> e)`
    Named(Name, Vec<(Name, Expr)>),
    /// `e of T`
    Of(Box<Expr>, Name),
    /// `e . f`
    Field(Box<Expr>, Name),
    /// `e . { f -> e, g -> e }`
    Update(Box<Expr>, Vec<(Name, Expr)>),
    /// `{ e, f }`
    List(Vec<Expr>),
}
