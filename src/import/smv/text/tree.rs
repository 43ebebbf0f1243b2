//! The tree of a text in SMV, with unresolved names and without types.

use kit::diagnostics::Span;
pub use kit::parsing::Name;

/// A whole text.
#[derive(Debug, Clone, Default)]
pub struct SmvFile {
    /// The modules, in the order of the text.
    pub modules: Vec<SmvModule>,
}

/// `MODULE m(p, q)` with its contents.
#[derive(Debug, Clone)]
pub struct SmvModule {
    /// Its name.
    pub name: Name,
    /// Its parameters.
    pub parameters: Vec<Name>,
    /// Its declarations.
    pub items: Vec<SmvItem>,
}

/// A declaration of a module.
#[derive(Debug, Clone)]
pub enum SmvItem {
    /// A variable or an instance of a module.
    Variable(VariableKind, Name, SmvTypeSyntax),
    /// `DEFINE d := e;`
    Define(Name, SmvExpr),
    /// `DEFINE i.d := e;`: a definition of an instance.
    DefineOf(SmvExpr, Name, SmvExpr),
    /// A name after `CONSTANTS`.
    Constant(Name),
    /// An assignment.
    Assign(Assign),
    /// `INIT`, `TRANS` or `INVAR`.
    Constraint(ConstraintKind, SmvExpr),
    /// `JUSTICE e` or `FAIRNESS e`.
    Justice(SmvExpr),
    /// `COMPASSION (p, q)`
    Compassion(SmvExpr, SmvExpr),
    /// A property, with its name after `NAME`.
    Property(SmvPropertyKind, Option<Name>, SmvExpr),
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
pub enum SmvPropertyKind {
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
    pub target: SmvExpr,
    /// The value, or a set to choose from.
    pub value: SmvExpr,
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
pub struct SmvTypeSyntax {
    /// The kind of type.
    pub kind: SmvTypeKind,
    /// Its place.
    pub span: Span,
}

/// See [`SmvTypeSyntax`].
#[derive(Debug, Clone)]
pub enum SmvTypeKind {
    /// `boolean`
    Boolean,
    /// `{ a, b, 3 }`: names and numbers.
    Enumeration(Vec<SmvExpr>),
    /// `lo..hi`
    Range(SmvExpr, SmvExpr),
    /// `word[n]`, `signed word[n]`: true if it is signed.
    Word(bool, SmvExpr),
    /// `array lo..hi of t`
    Array(SmvExpr, SmvExpr, Box<SmvTypeSyntax>),
    /// `m(e, f)`
    Instance(Name, Vec<SmvExpr>),
    /// `process m(e, f)`
    Process(Name, Vec<SmvExpr>),
}

/// An expression or formula.
#[derive(Debug, Clone)]
pub struct SmvExpr {
    /// The kind of expression.
    pub kind: SmvExprKind,
    /// Its place.
    pub span: Span,
}

/// See [`SmvExpr`].
#[derive(Debug, Clone)]
pub enum SmvExprKind {
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
    Dot(Box<SmvExpr>, Name),
    /// `e[i]`
    Index(Box<SmvExpr>, Box<SmvExpr>),
    /// `e[high:low]`: bits of a word.
    Bits(Box<SmvExpr>, Box<SmvExpr>, Box<SmvExpr>),
    /// `!e`, `-e`, `AG e`, …
    Unary(Unary, Box<SmvExpr>),
    /// `e & f`, …
    Binary(SmvBinary, Box<SmvExpr>, Box<SmvExpr>),
    /// `c ? e : f`
    If(Box<SmvExpr>, Box<SmvExpr>, Box<SmvExpr>),
    /// `case c : e; … esac`
    Case(Vec<(SmvExpr, SmvExpr)>),
    /// `{ e, f }`
    Set(Vec<SmvExpr>),
    /// `[ e, f ]`
    Array(Vec<SmvExpr>),
    /// `next(e)`
    Next(Box<SmvExpr>),
    /// `F [low, high] e`, `ABG low..high e`, …: an operator for some numbers of steps.
    Bounded(Temporal, (i64, i64), Box<SmvExpr>),
    /// `A [e BU low..high f]`, `E [e BU low..high f]`
    BoundedUntil(Temporal, (i64, i64), Box<SmvExpr>, Box<SmvExpr>),
    /// `resize(e, n)`, `max(e, f)`, …
    Call(SmvFunction, Vec<SmvExpr>),
    /// `count(e, f)`
    Count(Vec<SmvExpr>),
    /// `toint(e)`
    ToInt(Box<SmvExpr>),
    /// `bool(e)`
    ToBool(Box<SmvExpr>),
}

/// An operator with one operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unary {
    /// `!`
    Not,
    /// `-`
    Minus,
    /// `X`, `AG`, …
    Temporal(Temporal),
}

/// A function of words or numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "they are called as in the language")]
pub enum SmvFunction {
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

/// An operator with two operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SmvBinary {
    /// `&`, `=`, `+`, …
    Value(SmvOp),
    /// `U`, `A [f U g]`, …
    Temporal(Temporal),
    /// `union`
    Union,
    /// `lo..hi`
    Range,
    /// `::`
    Concatenate,
    /// `<<`
    ShiftLeft,
    /// `>>`
    ShiftRight,
}

/// A binary operator on values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "they are called as in the language")]
pub enum SmvOp {
    And,
    Or,
    Xor,
    Implies,
    Iff,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    In,
    Plus,
    Minus,
    Times,
    Divide,
    Mod,
}

/// A temporal operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "they are called as in the language")]
pub enum Temporal {
    Next,
    Always,
    Eventually,
    Until,
    Release,
    Yesterday,
    /// Like `Yesterday`, but true in the first state.
    NotYesterdayNot,
    Historically,
    Once,
    Since,
    Triggered,
    AllNext,
    AllAlways,
    AllEventually,
    AllUntil,
    ExistsNext,
    ExistsAlways,
    ExistsEventually,
    ExistsUntil,
}

impl Temporal {
    pub(in crate::smv) fn is_linear(self) -> bool {
        self.is_past()
            || matches!(
                self,
                Temporal::Next
                    | Temporal::Always
                    | Temporal::Eventually
                    | Temporal::Until
                    | Temporal::Release
            )
    }

    pub(in crate::smv) fn is_past(self) -> bool {
        matches!(
            self,
            Temporal::Yesterday
                | Temporal::NotYesterdayNot
                | Temporal::Historically
                | Temporal::Once
                | Temporal::Since
                | Temporal::Triggered
        )
    }
}
