//! The syntax tree of formulas.

use crate::lts::property;
use kit::diagnostics::Span;
pub use kit::parsing::Name;

/// A formula about states.
#[derive(Debug, Clone)]
pub struct State {
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
    Not(Box<State>),
    /// `f and g`
    And(Vec<State>),
    /// `f or g`
    Or(Vec<State>),
    /// `f => g`
    Implies(Box<State>, Box<State>),
    /// `f <=> g`
    Equal(Box<State>, Box<State>),
    /// `[R] f` if `all`, else `<R> f`
    Modal {
        /// True if it is about all sequences.
        all: bool,
        regular: Regular,
        then: Box<State>,
    },
    /// `<R> @`: sequences of R one after the other for ever; `[R] -|` if `all`: there are none.
    Forever {
        /// True if it denies them.
        all: bool,
        regular: Regular,
    },
    /// `nu X (n: T = e) . f` if `greatest`, else `mu`.
    Fixpoint {
        greatest: bool,
        name: Name,
        /// Its parameters with their first values.
        parameters: Vec<(Variable, Data)>,
        body: Box<State>,
    },
    /// `X (e)`
    Call(Name, Vec<Data>),
    /// `forall x: T . f` if `all`, else `exists`.
    Quantifier {
        /// True if it is about all values.
        all: bool,
        variables: Vec<Variable>,
        body: Box<State>,
    },
}

#[derive(Debug, Clone)]
pub struct Variable {
    pub name: Name,
    pub sort: String,
}

/// A set of sequences of actions.
pub type Regular = property::Regular<Action>;

#[derive(Debug, Clone)]
pub enum Action {
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
    Not(Box<Action>),
    /// Those in all of them.
    And(Vec<Action>),
    /// Those in one of them.
    Or(Vec<Action>),
    /// Those in all of them, for all values, or in one.
    Quantifier {
        /// True if it is about all values.
        all: bool,
        variables: Vec<Variable>,
        body: Box<Action>,
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
        variables: Vec<Variable>,
        body: Box<Data>,
    },
}
