//! The syntax tree of formulas.

use crate::lts::property;
use kit::diagnostics::Span;
pub use kit::parsing::Name;

/// A formula about states.
#[derive(Debug, Clone)]
pub struct StateSyntax {
    /// Its form.
    pub kind: StateKind,
    /// Where it stands.
    pub span: Span,
}

/// The kinds of formulas about states.
#[derive(Debug, Clone)]
pub enum StateKind {
    /// `true`, `false`
    Bool(bool),
    /// `val(e)`
    Val(Data),
    /// `not f`
    Not(Box<StateSyntax>),
    /// `f and g`
    And(Vec<StateSyntax>),
    /// `f or g`
    Or(Vec<StateSyntax>),
    /// `f => g`
    Implies(Box<StateSyntax>, Box<StateSyntax>),
    /// `f <=> g`
    Equal(Box<StateSyntax>, Box<StateSyntax>),
    /// `[R] f` if `all`, else `<R> f`
    Modal {
        /// True if it is about all sequences.
        all: bool,
        regular: RegularSyntax,
        then: Box<StateSyntax>,
    },
    /// `<R> @`: sequences of R one after the other for ever; `[R] -|` if `all`: there are none.
    Forever {
        /// True if it denies them.
        all: bool,
        regular: RegularSyntax,
    },
    /// `nu X (n: T = e) . f` if `greatest`, else `mu`.
    Fixpoint {
        greatest: bool,
        name: Name,
        /// Its parameters with their first values.
        parameters: Vec<(TypedVariable, Data)>,
        body: Box<StateSyntax>,
    },
    /// `X (e)`
    Call(Name, Vec<Data>),
    /// `forall x: T . f` if `all`, else `exists`.
    Quantifier {
        /// True if it is about all values.
        all: bool,
        variables: Vec<TypedVariable>,
        body: Box<StateSyntax>,
    },
}

#[derive(Debug, Clone)]
pub struct TypedVariable {
    pub name: Name,
    pub sort: String,
}

/// A set of sequences of actions.
pub type RegularSyntax = property::Regular<LabelSetSyntax>;

#[derive(Debug, Clone)]
pub enum LabelSetSyntax {
    /// All, or none.
    Bool(bool),
    /// `val(e)`: all if e, else none.
    Val(Data),
    /// A label between double quotes.
    Label(String, Span),
    /// A pattern between single quotes.
    Pattern(String, Span),
    /// `tau`
    Invisible(Span),
    /// `a(1)|b`, or a name alone.
    Multi(Vec<Single>),
    /// All others.
    Not(Box<LabelSetSyntax>),
    /// Those in all of them.
    And(Vec<LabelSetSyntax>),
    /// Those in one of them.
    Or(Vec<LabelSetSyntax>),
    /// Those in all of them, for all values, or in one.
    Quantifier {
        /// True if it is about all values.
        all: bool,
        variables: Vec<TypedVariable>,
        body: Box<LabelSetSyntax>,
    },
}

#[derive(Debug, Clone)]
pub struct Single {
    pub name: Name,
    /// The data; `None` for a name without parentheses.
    pub arguments: Option<Vec<Data>>,
}

#[derive(Debug, Clone)]
pub struct Data {
    pub kind: DataKind,
    pub span: Span,
}

#[derive(Debug, Clone)]
pub enum DataKind {
    Number(i128),
    /// `true`, `false`
    Bool(bool),
    /// A name with arguments: a variable, a constant, a function or a constructor.
    Name(String, Vec<Data>),
    /// `[a, b]`
    List(Vec<Data>),
    /// `{a, b}`
    Set(Vec<Data>),
    /// `not e`, `- e`, `# e`
    Unary(&'static str, Box<Data>),
    /// `a + b` and so on.
    Binary(&'static str, Box<Data>, Box<Data>),
    /// `forall x: T . e` if `all`, else `exists`.
    Quantifier {
        /// True if it is about all values.
        all: bool,
        variables: Vec<TypedVariable>,
        body: Box<Data>,
    },
}
