//! The syntax tree of a model or library, as written: names are not resolved and nothing is typed.
//!
//! Every node has its [`Span`]. Parsing never fails: an unreadable part becomes an [`AstExprKind::Error`]
//! or is left out, and is reported.

use kit::diagnostics::Span;

/// An identifier with its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ident {
    /// The identifier, which may be a keyword only after an error.
    pub name: String,
    /// The span of the identifier.
    pub span: Span,
}

/// A whole file: a model, a library or a component.
#[derive(Debug, Clone, PartialEq)]
pub struct File {
    /// The header; `None` if it is missing (an error was reported).
    pub header: Option<Header>,
    /// The declarations, in order.
    pub items: Vec<Item>,
}

/// `model name;`, `library name;` or `component name;`
#[derive(Debug, Clone, PartialEq)]
pub struct Header {
    /// True if it is a model, a library or a component.
    pub kind: FileKind,
    /// The name of the model, library or component.
    pub name: Ident,
    /// The doc comment above it, lines joined by `\n`.
    pub doc: Option<String>,
}

/// The kind of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    /// A transition system with properties.
    Model,
    /// Predicates to be imported by models.
    Library,
    /// A part of a model, with variables and actions of its own, that models import.
    Component,
}

/// One declaration.
#[derive(Debug, Clone, PartialEq)]
pub struct Item {
    /// The kind of declaration, with its parts.
    pub kind: ItemKind,
    /// The doc comment (`///`) above it, lines joined by `\n`.
    pub doc: Option<String>,
    /// From its keyword to its end.
    pub span: Span,
}

/// The kinds of declarations.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs)] // the fields repeat the grammar in the variant's comment
pub enum ItemKind {
    /// `import "path" as alias with { name = expr, Type = Type };` (`with` may be missing)
    Import { path: String, path_span: Span, alias: Ident, bindings: Vec<(Ident, AstExpr)> },
    /// `requires { type T; value V : T; observe o : T; }`
    Requires(Vec<Requirement>),
    /// `const N : type = expr;`
    Const { name: Ident, ty: TypeExpr, value: AstExpr },
    /// `symmetric type T = type;` (`symmetric` may be missing)
    Type { name: Ident, ty: TypeExpr, symmetric: bool },
    /// `var x : type;`
    Var { name: Ident, ty: TypeExpr },
    /// `init { e; … }`
    Init(Vec<AstExpr>),
    /// `def f(x: T, …): T = e;` (the parameter list may be missing)
    Def { name: Ident, params: Vec<AstParam>, ty: TypeExpr, body: AstExpr },
    /// `action a(x: T, …) modifies x, y { … }` (both lists may be missing)
    Action { name: Ident, params: Vec<AstParam>, modifies: Vec<Ident>, body: Vec<Stmt> },
    /// `operation o(x: T, …) { … }` (the parameter list may be missing)
    Operation { name: Ident, params: Vec<AstParam>, body: Vec<Stmt> },
    /// `assume e;`
    Assume(AstExpr),
    /// `invariant n: e;`
    Invariant { name: Ident, body: AstExpr },
    /// `ltl n: e;`
    Ltl { name: Ident, body: AstExpr },
    /// `ctl n: e;`
    Ctl { name: Ident, body: AstExpr },
    /// `fairness e;`
    Fairness(AstExpr),
    /// `fairness action a(p, q);`, `fairness strong action a;`
    ActionFairness { strong: bool, action: Ident, by: Vec<Ident> },
    /// `environment a, b(x = e, …);`
    Environment(Vec<AstActionSteps>),
    /// `example of p(a) within 5;`, `counterexample of p in "model.sts" with { N = 2 } { a; b(x = e); }`
    Example(ExampleBlock),
    /// `pred p(t1, t2: pos, m: T) = e;`
    Pred { name: Ident, params: Vec<AstParam>, body: AstExpr },
    /// `vocabulary v = term + term;`
    Vocabulary { name: Ident, terms: Vec<VocabTerm> },
}

/// Steps of an action: `visit(u = Mallory)`.
#[derive(Debug, Clone, PartialEq)]
pub struct AstActionSteps {
    /// The action; that of a component with a dot: `net.lose`.
    pub action: Ident,
    /// Parameters with the values that they have; any values for the others.
    pub with: Vec<(Ident, AstExpr)>,
}

/// Traces in which a predicate has to hold, or must not.
#[derive(Debug, Clone, PartialEq)]
pub struct ExampleBlock {
    /// True if it must not hold: a `counterexample`.
    pub counter: bool,
    /// The name of the predicate, with those of imports before it.
    pub predicate: Vec<Ident>,
    /// Its arguments, as in an item of a vocabulary.
    pub args: Option<Vec<AstExpr>>,
    /// The span of the predicate with its arguments.
    pub subject: Span,
    /// The path of the model whose traces are meant, in a library.
    pub model: Option<(String, Span)>,
    /// Constants of the model with the values that they have here.
    pub with: Vec<(Ident, AstExpr)>,
    /// The traces.
    pub traces: WrittenTraces,
}

impl ExampleBlock {
    /// The expressions in it, in the order of the text.
    pub fn expressions(&self) -> impl Iterator<Item = &AstExpr> {
        let (bound, steps): (Option<&AstExpr>, &[AstActionSteps]) = match &self.traces {
            WrittenTraces::Within(bound) => (Some(bound), &[]),
            WrittenTraces::Steps(steps) => (None, steps),
        };
        let given = self.with.iter().chain(steps.iter().flat_map(|steps| &steps.with));
        self.args.iter().flatten().chain(given.map(|(_, value)| value)).chain(bound)
    }
}

/// The traces that an example is about.
#[derive(Debug, Clone, PartialEq)]
pub enum WrittenTraces {
    /// `within n;`: those of up to n steps.
    Within(AstExpr),
    /// `{ a; b(x = e); }`: those that consist of these steps.
    Steps(Vec<AstActionSteps>),
}

/// One line of a `requires` block.
#[derive(Debug, Clone, PartialEq)]
pub struct Requirement {
    /// The kind of requirement, with its type.
    pub kind: RequirementKind,
    /// The name that imports bind.
    pub name: Ident,
    /// The default where an import does not bind it: for a type, the name of another one.
    pub default: Option<AstExpr>,
    /// The doc comment above it.
    pub doc: Option<String>,
}

/// Requirements of a library or component.
#[derive(Debug, Clone, PartialEq)]
pub enum RequirementKind {
    /// `type T;`
    Type,
    /// `value V : T;`
    Value(TypeExpr),
    /// `observe o : T;`
    Observe(TypeExpr),
    /// `variable v : T;`, in components only
    Variable(TypeExpr),
    /// `function f(x: T, …): U;`, in components only
    Function(Vec<AstParam>, TypeExpr),
}

/// `x: T`; a group `x, y: T` is written out, one each.
#[derive(Debug, Clone, PartialEq)]
pub struct AstParam {
    /// The name of the parameter.
    pub name: Ident,
    /// The type; `pos` is a [`AstTypeKind::Name`].
    pub ty: TypeExpr,
}

/// A type as written.
#[derive(Debug, Clone, PartialEq)]
pub struct TypeExpr {
    /// The form of the type, with its parts.
    pub kind: AstTypeKind,
    /// The span of the whole type.
    pub span: Span,
}

/// The forms of types.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs)]
pub enum AstTypeKind {
    /// `bool`
    Bool,
    /// `lo..hi`, both constant expressions
    Range(Box<AstExpr>, Box<AstExpr>),
    /// `enum { A, B }`
    Enum(Vec<Ident>),
    /// `set of T`
    Set(Box<TypeExpr>),
    /// `option T`
    Option(Box<TypeExpr>),
    /// `record { f: T, … }`
    Record(Vec<(Ident, TypeExpr)>),
    /// `variant { A(f: T, …), B, … }`
    Variant(Vec<AstConstructor>),
    /// `map K to T`
    Map(Box<TypeExpr>, Box<TypeExpr>),
    /// `seq of T max n`, `bag of T max n`, `set of T max n`, n a constant expression
    Collection { kind: CollectionKind, element: Box<TypeExpr>, most: Box<AstExpr> },
    /// a declared type, or `pos`
    Name(String),
    /// could not be read; an error was reported
    Error,
}

/// The kinds of collections of limited size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CollectionKind {
    /// `seq`
    Sequence,
    /// `bag`
    Bag,
    /// `set … max n`
    Set,
}

impl CollectionKind {
    /// The keyword.
    pub fn word(self) -> &'static str {
        match self {
            Self::Sequence => "seq",
            Self::Bag => "bag",
            Self::Set => "set",
        }
    }
}

/// A constructor of a variant, with the fields of its payload.
#[derive(Debug, Clone, PartialEq)]
pub struct AstConstructor {
    /// The name of the constructor.
    pub name: Ident,
    /// The fields; empty for a constructor that is a value by itself.
    pub fields: Vec<(Ident, TypeExpr)>,
}

/// A case of a `match`.
#[derive(Debug, Clone, PartialEq)]
pub struct MatchArm<B> {
    /// The patterns, one of which the value has.
    pub patterns: Vec<AstPattern>,
    /// The body: an expression or statements.
    pub body: B,
}

/// A pattern that a value is compared with in a case of a `match`.
#[derive(Debug, Clone, PartialEq)]
pub struct AstPattern {
    /// The form of the pattern.
    pub kind: AstPatternKind,
    /// The span of the pattern.
    pub span: Span,
}

/// The forms of patterns.
#[derive(Debug, Clone, PartialEq)]
pub enum AstPatternKind {
    /// `A`, or `A(f, g: x)` with the fields that get names, each with its name: a constructor, or a value of an enumeration.
    Name(Ident, Vec<(Ident, Ident)>),
    /// `some(v)`, with the name for the value: anything but `none`.
    Some(Ident),
    /// A number, a truth value or `none`.
    Value(AstExpr),
    /// `else`: anything.
    Else,
}

/// Tests of a value by `is`.
#[derive(Debug, Clone, PartialEq)]
pub enum AstTest {
    /// `is some`
    Some,
    /// `is none`
    None,
    /// `is A`, of a constructor A
    Constructor(Ident),
}

/// A statement of an action.
#[derive(Debug, Clone, PartialEq)]
pub struct Stmt {
    /// The form of the statement, with its parts.
    pub kind: StmtKind,
    /// The span of the whole statement.
    pub span: Span,
}

/// The forms of statements.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs)]
pub enum StmtKind {
    /// `require e;`
    Require(AstExpr),
    /// `x'[k].f = e;`
    Assign { target: Target, value: AstExpr },
    /// `x'[k].f in S;`
    Choose { target: Target, set: AstExpr },
    /// `if e { … } else { … }` (`else if` nests; a missing `else` is empty)
    If { cond: AstExpr, then: Vec<Stmt>, otherwise: Vec<Stmt> },
    /// `match e { A(f) => { … } else => { … } }`
    Match { value: AstExpr, arms: Vec<MatchArm<Vec<Stmt>>> },
    /// `forall x in T { … }`, T a type
    ForAll { var: Ident, domain: Box<AstExpr>, body: Vec<Stmt> },
    /// `constrain e, …;`, formulas over x and x'
    Constrain(Vec<AstExpr>),
    /// `let x = e, y = f;`, names for the rest of the block
    Let(Vec<(Ident, AstExpr)>),
    /// `o(a, b);` or `net.o(a, b);`: the statements of an operation
    Call { operation: Ident, args: Vec<AstExpr> },
}

/// The target of an assignment: a variable and a path into it.
#[derive(Debug, Clone, PartialEq)]
pub struct Target {
    /// The name of the variable; that of a component with a dot: `net.content`.
    pub name: Ident,
    /// The steps after the prime; empty for the whole variable.
    pub path: Vec<AstPathStep>,
    /// From the name to the last step.
    pub span: Span,
}

/// One step into a composite value.
#[derive(Debug, Clone, PartialEq)]
pub enum AstPathStep {
    /// `[k]`
    Index(AstExpr),
    /// `.f`
    Field(Ident),
}

/// A part of a vocabulary between `+` signs.
#[derive(Debug, Clone, PartialEq)]
pub enum VocabTerm {
    /// the name of another vocabulary
    Name(Ident),
    /// `{ item, … }`
    Items(Vec<VocabItem>),
}

/// One item of a vocabulary.
#[derive(Debug, Clone, PartialEq)]
pub struct VocabItem {
    /// The kind of item, with its arguments.
    pub kind: VocabItemKind,
    /// The span of the whole item.
    pub span: Span,
}

/// The kinds of vocabulary items.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs)]
pub enum VocabItemKind {
    /// `eq(x, y)` or `eq(x, y) across`
    Eq { observables: Vec<AstExpr>, across: bool },
    /// `lacks(s)`: non-membership facts of a set
    Lacks(Vec<AstExpr>),
    /// `absent(x, y)`: absence facts
    Absent(Vec<AstExpr>),
    /// `before`: `<` between positions
    Before,
    /// `next`: adjacency of positions
    Next,
    /// `ground`, or `ground(T, …)`: facts name values of these types, and not individuals
    Ground(Option<Vec<Ident>>),
    /// `p`, `alias.p`, or with arguments for its value parameters `p(net.sender)`
    Pred { path: Vec<Ident>, args: Option<Vec<AstExpr>> },
}

/// An expression.
#[derive(Debug, Clone, PartialEq)]
pub struct AstExpr {
    /// The form of the expression, with its operands.
    pub kind: AstExprKind,
    /// The span of the whole expression.
    pub span: Span,
}

/// The forms of expressions.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs)]
pub enum AstExprKind {
    /// `true`, `false`
    Bool(bool),
    /// `12`
    Int(i64),
    /// `none`
    None,
    /// `some(e)`
    Some(Box<AstExpr>),
    /// `"…"`: a label of an explicit system, only in formulas over explicit systems
    Text(String),
    /// a name: variable, constant, enum value, parameter, definition, type (in domains and bindings)
    Name(String),
    /// `x'`, or `net.x'` of a component
    Primed(Ident),
    /// `e.f`
    Field(Box<AstExpr>, Ident),
    /// `e[k]`
    Index(Box<AstExpr>, Box<AstExpr>),
    /// `e@t`
    At(Box<AstExpr>, Box<AstExpr>),
    /// `never e between t1 and t2`, or `never e before t`
    Never { value: Box<AstExpr>, after: Option<Box<AstExpr>>, before: Box<AstExpr> },
    /// `e established by a()@t1 before t2`
    Established { value: Box<AstExpr>, by: Box<AstExpr>, before: Box<AstExpr> },
    /// `f(a, b)`; the callee is a name or `alias.name`
    Call { path: Vec<Ident>, args: Vec<AstExpr> },
    /// `R(f: e, …)`
    Record { name: Ident, fields: Vec<(Ident, AstExpr)> },
    /// `e with (f: e, …)`
    With(Box<AstExpr>, Vec<(Ident, AstExpr)>),
    /// `{ a, b }`
    Set(Vec<AstExpr>),
    /// `[a, b]`
    List(Vec<AstExpr>),
    /// `{ x in S : e }`
    Filter { var: Ident, domain: Box<AstExpr>, cond: Box<AstExpr> },
    /// `map x in T: e`
    Map { var: Ident, domain: Box<AstExpr>, body: Box<AstExpr> },
    /// `lo..hi` as a domain or a set
    Range(Box<AstExpr>, Box<AstExpr>),
    /// `size(S)`
    Size(Box<AstExpr>),
    /// `not e`
    Not(Box<AstExpr>),
    /// `-e`
    Neg(Box<AstExpr>),
    /// `a op b`
    Binary(BinaryOp, Box<AstExpr>, Box<AstExpr>),
    /// `e is some`, `e is none`, `e is A`
    Is { expr: Box<AstExpr>, test: AstTest },
    /// `match e { A(f) => e, else => e }`
    Match { value: Box<AstExpr>, arms: Vec<MatchArm<AstExpr>> },
    /// `if c then a else b`
    If(Box<AstExpr>, Box<AstExpr>, Box<AstExpr>),
    /// `forall x, y in S: e`, `exists x in S: e`
    Quant { quantifier: Quantifier, vars: Vec<Ident>, domain: Box<AstExpr>, body: Box<AstExpr> },
    /// `let x = e, y = f in body`; a value may use the names before it
    Let { bindings: Vec<(Ident, AstExpr)>, body: Box<AstExpr> },
    /// `sum x, y in S: e`, `count …`, `min …`, `max …`
    Aggregate { aggregate: Aggregate, vars: Vec<Ident>, domain: Box<AstExpr>, body: Box<AstExpr> },
    /// temporal operators, only in `ltl` and `ctl` bodies; `Until` forms have two operands, and after that of `EG` come
    /// the fairness conditions of `EG{c, …} f`
    Temporal(TemporalOp, Vec<AstExpr>),
    /// could not be read; an error was reported
    Error,
}

/// Binary operators.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum BinaryOp {
    /// `=>`, right-associative
    Implies,
    /// `<=>`
    Iff,
    Or,
    And,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    /// `x in S`
    In,
    /// `x not in S`
    NotIn,
    /// `S subset T` (not necessarily proper)
    Subset,
    /// `e otherwise d`: d if e is none
    Otherwise,
    Union,
    Intersect,
    Minus,
    Add,
    Sub,
    Mul,
    /// `/`, by a positive constant, rounding down
    Div,
    /// `mod`, by a positive constant, never negative
    Mod,
}

/// `forall` or `exists`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Quantifier {
    Forall,
    Exists,
}

/// Folds of the values for all members of a domain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Aggregate {
    /// Their sum.
    Sum,
    /// The number of members for which a formula holds.
    Count,
    /// The least of them.
    Min,
    /// The greatest of them.
    Max,
}

impl Aggregate {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Sum, Self::Count, Self::Min, Self::Max];

    /// The word for it, which is special only before a bound name.
    pub fn word(self) -> &'static str {
        match self {
            Self::Sum => "sum",
            Self::Count => "count",
            Self::Min => "min",
            Self::Max => "max",
        }
    }
}

/// Temporal operators of LTL (first line) and CTL.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum TemporalOp {
    Always,
    Eventually,
    Next,
    Until,
    /// Like `until`, but the second operand need never come if the first one holds for ever.
    WeakUntil,
    /// The second operand holds up to and including a state where the first one does, or for ever.
    Release,
    AllNext,
    AllEventually,
    AllAlways,
    AllUntil,
    ExistsNext,
    ExistsEventually,
    ExistsAlways,
    ExistsUntil,
}

impl TemporalOp {
    /// True if it belongs to CTL.
    pub fn is_branching(self) -> bool {
        use TemporalOp::{Always, Eventually, Next, Release, Until, WeakUntil};
        !matches!(self, Always | Eventually | Next | Until | WeakUntil | Release)
    }
}
