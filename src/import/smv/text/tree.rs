//! The tree of a text in SMV, with unresolved names and without types.

use kit::diagnostics::Span;
pub use kit::parsing::Name;

/// A whole text.
#[derive(Debug, Clone, Default)]
pub struct File {
    /// The modules, in the order of the text.
    pub modules: Vec<Module>,
}

/// `MODULE m(p, q)` with its contents.
#[derive(Debug, Clone)]
pub struct Module {
    /// Its name.
    pub name: Name,
    /// Its parameters.
    pub parameters: Vec<Name>,
    /// Its declarations.
    pub items: Vec<Item>,
}

/// A declaration of a module.
#[derive(Debug, Clone)]
pub enum Item {
    /// A variable or an instance of a module.
    Variable(VariableKind, Name, Type),
    /// `DEFINE d := e;`
    Define(Name, Expr),
    /// `DEFINE i.d := e;`: a definition of an instance.
    DefineOf(Expr, Name, Expr),
    /// A name after `CONSTANTS`.
    Constant(Name),
    /// An assignment.
    Assign(Assign),
    /// `INIT`, `TRANS` or `INVAR`.
    Constraint(ConstraintKind, Expr),
    /// `JUSTICE e` or `FAIRNESS e`.
    Justice(Expr),
    /// `COMPASSION (p, q)`
    Compassion(Expr, Expr),
    /// A property, with its name after `NAME`.
    Property(PropertyKind, Option<Name>, Expr),
    /// `ISA m`: the declarations of another module.
    Isa(Name),
    /// A section that is left out, by its keyword.
    Ignored(&'static str, Span),
}

/// The kind of declaration of a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VariableKind {
    /// `VAR`
    State,
    /// `IVAR`
    Input,
    /// `FROZENVAR`
    Frozen,
}

/// The kind of a constraint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConstraintKind {
    /// `INIT`: initial states.
    Init,
    /// `TRANS`: steps.
    Trans,
    /// `INVAR`: all states.
    Invar,
}

/// The kind of a property.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PropertyKind {
    /// `INVARSPEC`
    Invariant,
    /// `SPEC` or `CTLSPEC`
    Ctl,
    /// `LTLSPEC`
    Ltl,
}

/// `init(x) := e;`, `next(x) := e;` or `x := e;`
#[derive(Debug, Clone)]
pub struct Assign {
    /// The state whose value it gives.
    pub kind: AssignKind,
    /// The target: names, `.` and `[…]`.
    pub target: Expr,
    /// The value, or a set to choose from.
    pub value: Expr,
}

/// The state whose value an assignment gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AssignKind {
    /// The initial state.
    Init,
    /// The state after a step.
    Next,
    /// Every state.
    Always,
}

/// A type, or a module with arguments.
#[derive(Debug, Clone)]
pub struct Type {
    /// The kind of type.
    pub kind: TypeKind,
    /// Its place.
    pub span: Span,
}

/// See [`Type`].
#[derive(Debug, Clone)]
pub enum TypeKind {
    /// `boolean`
    Boolean,
    /// `{ a, b, 3 }`: names and numbers.
    Enumeration(Vec<Expr>),
    /// `lo..hi`
    Range(Expr, Expr),
    /// `word[n]`, `signed word[n]`: true if it is signed.
    Word(bool, Expr),
    /// `array lo..hi of t`
    Array(Expr, Expr, Box<Type>),
    /// `m(e, f)`
    Instance(Name, Vec<Expr>),
    /// `process m(e, f)`
    Process(Name, Vec<Expr>),
}

/// An expression or formula.
#[derive(Debug, Clone)]
pub struct Expr {
    /// The kind of expression.
    pub kind: ExprKind,
    /// Its place.
    pub span: Span,
}

/// See [`Expr`].
#[derive(Debug, Clone)]
pub enum ExprKind {
    /// `TRUE`, `FALSE`
    Bool(bool),
    /// A number.
    Number(i64),
    /// `0ud8_5`: a constant word, with its digits as a number.
    Word(WordType, i64),
    /// A name.
    Name(String),
    /// `self`
    Itself,
    /// `e.x`
    Dot(Box<Expr>, Name),
    /// `e[i]`
    Index(Box<Expr>, Box<Expr>),
    /// `e[high:low]`: bits of a word.
    Bits(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `!e`, `-e`, `AG e`, …
    Unary(Unary, Box<Expr>),
    /// `e & f`, …
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// `c ? e : f`
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `case c : e; … esac`
    Case(Vec<(Expr, Expr)>),
    /// `{ e, f }`
    Set(Vec<Expr>),
    /// `[ e, f ]`
    Array(Vec<Expr>),
    /// `next(e)`
    Next(Box<Expr>),
    /// `F [low, high] e`, `ABG low..high e`, …: an operator for some numbers of steps.
    Bounded(Unary, (i64, i64), Box<Expr>),
    /// `A [e BU low..high f]`, `E [e BU low..high f]`
    BoundedUntil(Binary, (i64, i64), Box<Expr>, Box<Expr>),
    /// `resize(e, n)`, `max(e, f)`, …
    Call(Function, Vec<Expr>),
    /// `count(e, f)`
    Count(Vec<Expr>),
    /// `toint(e)`
    ToInt(Box<Expr>),
    /// `bool(e)`
    ToBool(Box<Expr>),
}

/// An operator with one operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "they are called as in the language")]
pub enum Unary {
    Not,
    Minus,
    X,
    G,
    F,
    AX,
    AG,
    AF,
    EX,
    EG,
    EF,
    Y,
    Z,
    H,
    O,
}

/// A function of words or numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "they are called as in the language")]
pub enum Function {
    Word1,
    Extend,
    Resize,
    Signed,
    Unsigned,
    SizeOf,
    SwConst,
    UwConst,
    Min,
    Max,
    Abs,
}

/// The type of words with some number of bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WordType {
    /// True if the highest bit is a sign.
    pub signed: bool,
    /// The number of bits.
    pub width: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "they are called as in the language")]
pub enum Binary {
    Implies,
    Iff,
    Or,
    Xor,
    Xnor,
    And,
    /// `U` of LTL.
    Until,
    /// `V` of LTL.
    Release,
    /// `S` of LTL.
    Since,
    /// `T` of LTL.
    Triggered,
    /// `A [f U g]`
    AllUntil,
    /// `E [f U g]`
    ExistsUntil,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    In,
    Union,
    /// `lo..hi`
    Range,
    /// `::`
    Concatenate,
    /// `<<`
    ShiftLeft,
    /// `>>`
    ShiftRight,
    Plus,
    Minus,
    Times,
    Divide,
    Mod,
}
