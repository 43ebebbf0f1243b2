//! Checked models, which are typed, resolved and finite, and their reference semantics.

pub mod check;
mod environment;
pub mod eval;
pub mod expr;
pub mod fates;
mod in_context;
mod lasso_formula;
pub mod links;
mod load;
pub mod names;
mod observables;
pub mod permutation;
mod position;
mod remembering;
pub mod root;
mod text;
mod thresholds;
mod trace_formula;
pub mod types;
pub mod value;
pub mod vocabulary;

pub use check::{SyntaxTrees, constant_value};
pub use environment::{ActionSteps, ArgumentValue, Environment, UnknownStep, could_be_label};
pub use load::{
    LibraryExample, LoadOptions, Loaded, LoadedFairness, LoadedLibrary, check_library, check_library_edited,
    check_library_text, file_kind, file_of, is_standard_path, load, load_edited, load_example,
    load_expression, load_fairness, load_formula, load_model_of_example, load_text, load_text_with,
    load_with, load_written, loading_ended, names_edited, normal_path, standard_text, written_from,
};

pub use in_context::{ADDED, InContext, Unreadable};
pub use lasso_formula::{
    LassoFactText, LassoFormula, LassoFormulaText, LassoLiteral, Recurrence, RecurringFact, SaidText,
    of_one_moment, reads_one_moment,
};
pub use position::Position;
pub use remembering::Remembering;
pub use root::import_root;
pub use thresholds::{ModelNumbers, Threshold};
pub use trace_formula::{
    FactText, FormulaVariable, OpenInterval, ParameterText, StretchText, TraceConjunct, TraceFormula,
    TraceFormulaText,
};

use expr::{Expr, Formula, LocalId, VarId};
use kit::diagnostics::{SourceMap, Span};
use std::sync::Arc;
use types::{EnumId, Type, Types};
use value::Value;

/// A checked model, ready to be evaluated and encoded.
#[derive(Debug, Clone)]
pub struct Model {
    /// The name in its header.
    pub name: String,
    /// The doc comment above its header.
    pub doc: Option<String>,
    /// All enumeration and record types.
    pub types: Types,
    /// Constants with their values for this run.
    pub constants: Vec<Constant>,
    /// State variables, in the order of declaration.
    pub variables: Vec<Variable>,
    /// The `init` formulas; an initial state satisfies all of them.
    pub init: Vec<Expr>,
    /// The actions; a step takes one of them.
    pub actions: Vec<Action>,
    /// An enumeration whose values are the action names, in order: the type of `action@t`.
    pub action_enum: EnumId,
    /// Assumptions, which every trace satisfies.
    pub assumptions: Vec<Assumption>,
    /// Properties, in the order of declaration.
    pub properties: Vec<Property>,
    /// Fairness conditions for the analyses of infinite paths.
    pub fairness: Vec<Expr>,
    /// Fairness of actions: that their steps are not put off for ever.
    pub action_fairness: Vec<ActionFairness>,
    /// The steps that belong to the environment, if the model says so.
    pub environment: Option<Environment>,
    /// Predicates of the model and of every library instance, and those of [`Model::fates`].
    pub predicates: Vec<Predicate>,
    /// The predicates that stand for `lost`, `safe`, `open` and `decisive` in vocabularies.
    pub fates: Vec<fates::FatePredicate>,
    /// Vocabularies; the first one is the default.
    pub vocabularies: Vec<Vocabulary>,
    /// The examples in its text.
    pub examples: Vec<TraceExample>,
    /// Sequence-diagram bindings of imports that supply `sent`, `sender`, `receiver` and `content`.
    pub diagrams: Vec<SequenceDiagram>,
    /// Parameterless definitions that read the state, but for those that formulas name rather than have written out.
    pub definitions: Vec<Observable>,
    /// Definitions with one parameter that read no state: functions from one finite type to another; likewise.
    pub functions: Vec<Function>,
    /// The types whose values are declared to be interchangeable.
    pub symmetric: Vec<SymmetricType>,
    /// Conditions that a trace that is shown should satisfy at its end, or at its violation, as far as there is a choice; the most wanted
    /// first. Which traces there are, and how long the shown ones are, does not depend on it.
    pub wishes: Vec<Expr>,
    /// How solvers represent integers. Results do not depend on it.
    pub integers: IntegerEncoding,
    /// The number of [`LocalId`]s in use; the next free one has this index.
    pub locals: u32,
    /// The texts it was read from; the text of the model itself is the first.
    pub sources: Arc<SourceMap>,
    /// The syntax trees of these texts, for expressions that refer to the model by its names.
    pub trees: SyntaxTrees,
}

/// How solvers represent integers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum IntegerEncoding {
    /// As suits each variable and parameter.
    #[default]
    Automatic,
    /// With a literal for each value.
    OneHot,
    /// As bits in two's complement.
    Binary,
}

/// A named constant.
#[derive(Debug, Clone)]
pub struct Constant {
    /// The declared name.
    pub name: String,
    /// The declared type.
    pub ty: Type,
    /// The value, with `--set` applied.
    pub value: Value,
    /// The span of its declaration.
    pub span: Span,
}

/// A definition with one parameter that reads no state.
#[derive(Debug, Clone)]
pub struct Function {
    /// The name by which the model calls it.
    pub name: String,
    /// Its parameter.
    pub param: Local,
    /// The declared type of its values.
    pub ty: Type,
    /// Its value.
    pub body: Expr,
}

/// A declaration that the values of a type are interchangeable.
#[derive(Debug, Clone)]
pub struct SymmetricType {
    /// The declared name.
    pub name: String,
    /// An enumeration or a range of integers.
    pub ty: permutation::NameType,
    /// The span of the name.
    pub span: Span,
}

/// A state variable.
#[derive(Debug, Clone)]
pub struct Variable {
    /// The declared name.
    pub name: String,
    /// The declared type.
    pub ty: Type,
    /// The doc comment above it.
    pub doc: Option<String>,
    /// The span of its declaration.
    pub span: Span,
}

/// An action.
///
/// A step from s to s' with arguments a is possible iff every `requires` holds in s, every value
/// assigned lies in the type of its place, assignments whose guards hold and whose places coincide
/// agree, every `constraints` formula holds over s and s', every place that no assignment names keeps
/// its value unless its variable is in `modifies`, and every step assumption holds.
#[derive(Debug, Clone)]
pub struct Action {
    /// The name, as in labels.
    pub name: String,
    /// The doc comment above it.
    pub doc: Option<String>,
    /// Its parameters; a step chooses their values.
    pub params: Vec<Local>,
    /// Guards: formulas that must hold in the old state.
    pub requires: Vec<Expr>,
    /// Assignments, whose order does not matter.
    pub updates: Vec<Update>,
    /// Variables without a frame condition: only `updates` and `constraints` restrict their new values.
    pub modifies: Vec<VarId>,
    /// Formulas over the old and the new state.
    pub constraints: Vec<Expr>,
    /// The span of its declaration.
    pub span: Span,
}

/// A bound name with a type.
#[derive(Debug, Clone)]
pub struct Local {
    /// The name as written.
    pub name: String,
    /// The identifier by which expressions refer to it.
    pub local: LocalId,
    /// The declared type.
    pub ty: Type,
}

/// One assignment. Everything in it reads the old state.
#[derive(Debug, Clone)]
pub struct Update {
    /// The condition under which it takes place; `None` means always.
    pub guard: Option<Expr>,
    /// The variable that is assigned or contains the assigned place.
    pub var: VarId,
    /// The path to the place within it; never through an optional value (the checker rejects that).
    pub path: Vec<PathStep>,
    /// The type of the place; a step that assigns a value outside it does not exist.
    pub ty: Type,
    /// The value, or the set it is chosen from.
    pub value: UpdateValue,
    /// Its span in the sources.
    pub span: Span,
}

/// One step into a composite value.
#[derive(Debug, Clone)]
pub enum PathStep {
    /// To the map entry at this key.
    Index(Expr),
    /// To the record field with this index.
    Field(usize),
}

/// The right-hand side of an assignment.
#[derive(Debug, Clone)]
pub enum UpdateValue {
    /// Exactly this value: `x' = e`.
    Is(Expr),
    /// Any member of this set: `x' in S`.
    In(Expr),
}

/// A condition that restricts all traces.
#[derive(Debug, Clone)]
pub struct Assumption {
    /// The formula; mentions next-state variables iff `step`.
    pub expr: Expr,
    /// True if it restricts steps rather than states.
    pub step: bool,
    /// Its span in the sources.
    pub span: Span,
}

/// A named property to be checked.
#[derive(Debug, Clone)]
pub struct Property {
    /// The name, unique among properties.
    pub name: String,
    /// The doc comment above it.
    pub doc: Option<String>,
    /// The kind of property, with its formula.
    pub kind: PropertyKind,
    /// Its span in the sources.
    pub span: Span,
    /// The span of its formula; empty if that is written nowhere.
    pub formula: Span,
}

/// The kinds of properties.
#[derive(Debug, Clone)]
pub enum PropertyKind {
    /// Holds in every state of every trace.
    Invariant(Expr),
    /// Some step is possible in every state of every trace, which this state formula says.
    DeadlockFree(Expr),
    /// A linear-time formula, about every infinite trace.
    Ltl(Formula),
    /// A branching-time formula, about every initial state.
    Ctl(Formula),
}

impl Property {
    /// The formula of a property of linear time that no finite trace violates.
    pub fn linear(&self) -> Option<&Formula> {
        match &self.kind {
            PropertyKind::Ltl(formula) if self.invariant().is_none() => Some(formula),
            _ => None,
        }
    }

    /// The state formula that must hold in every state, if this is a safety property of that form:
    /// an invariant, that there is no deadlock, or `always e` where e has no temporal operator.
    pub fn invariant(&self) -> Option<&Expr> {
        match &self.kind {
            PropertyKind::Invariant(e) | PropertyKind::DeadlockFree(e) => Some(e),
            PropertyKind::Ltl(Formula::Temporal(expr::TemporalOp::Always, parts)) => match parts.as_slice() {
                [Formula::Atom(e, _)] => Some(e),
                _ => None,
            },
            _ => None,
        }
    }
}

/// A condition that steps of an action are not put off for ever: where they are possible from some point on (weak fairness) or infinitely often
/// (strong fairness), they are taken infinitely often.
#[derive(Debug, Clone, PartialEq)]
pub struct ActionFairness {
    /// The index of the action.
    pub action: usize,
    /// For each parameter the value that it has in these steps; `None` for any.
    pub arguments: Vec<Option<Value>>,
    /// True if such a step is possible, as a state formula.
    pub enabled: Expr,
    /// True if being possible infinitely often is enough to demand it.
    pub strong: bool,
}

/// Index of a predicate in [`Model::predicates`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PredicateId(pub u32);

/// A predicate over positions and values.
#[derive(Debug, Clone)]
pub struct Predicate {
    /// The name by which the model refers to it: `msgs.replay`.
    pub name: String,
    /// The doc comment above it, the title in reports.
    pub doc: Option<String>,
    /// Its parameters, of type `pos` or of a value type.
    pub params: Vec<Local>,
    /// The formula over its parameters; state expressions occur only below
    /// [`expr::ExprKind::At`].
    pub body: Expr,
    /// The name of the library it comes from; `None` for predicates of the model.
    pub library: Option<String>,
    /// The text of its declaration, if it was [added](Model::declare) to the model.
    pub added: Option<String>,
    /// The span of its declaration.
    pub span: Span,
}

impl Predicate {
    /// Its title: its doc comment as one line without the full stop.
    pub fn title(&self) -> Option<String> {
        let doc = self.doc.as_deref()?;
        let line = doc.split_whitespace().collect::<Vec<_>>().join(" ");
        let line = line.strip_suffix('.').filter(|l| !l.ends_with('.')).unwrap_or(&line);
        (!line.is_empty()).then(|| line.to_owned())
    }
}

/// A state expression with the text to print for it.
#[derive(Debug, Clone, PartialEq)]
pub struct Observable {
    /// The text, such as `net.sender`, `phase[Alice]`, `action` or `forge.k`.
    pub text: String,
    /// The expression; may read labels.
    pub expr: Expr,
    /// Its span in the sources.
    pub span: Span,
}

/// The facts that classes may consist of: the set V of Vick, Kang and Tripakis, *Counterexample
/// classification* (2023).
#[derive(Debug, Clone)]
pub struct Vocabulary {
    /// The name, unique among vocabularies.
    pub name: String,
    /// The doc comment above it.
    pub doc: Option<String>,
    /// Its items, most preferred first, without duplicates.
    pub items: Vec<VocabularyItem>,
    /// The span of its declaration.
    pub span: Span,
}

/// One item of a vocabulary, expanded: composite observables are split into their leaves, which are
/// of type bool, integer, enumeration, an option of these, or set.
#[derive(Debug, Clone, PartialEq)]
pub enum VocabularyItem {
    /// Equality of the observable with constants at one position; for sets, membership of constants.
    Equal(Observable),
    /// Equality of two observables of comparable types, each at a position of its own.
    Across(Observable, Observable),
    /// Non-membership of constants in a set.
    Lacks(Observable),
    /// The side of a threshold of the model on which an integer is: `x < c`, `x >= c`.
    Bounded(Observable),
    /// `<` and `<=` between two integers, each at a position of its own.
    Ordered(Observable, Observable),
    /// An integer is another one, each at a position of its own, plus or minus what the model adds to integers.
    Shifted(Observable, Observable),
    /// Absence of a constant (for sets, of a member) between two positions, before one or after one.
    Absent(Observable),
    /// `<` between positions.
    Before,
    /// Adjacency of positions.
    Next,
    /// No fact, but a mark: classes name values of this type as they are, of every type if none is given.
    Ground(Option<Type>),
    /// A predicate with what is passed to each parameter.
    Predicate(PredicateId, Vec<PredicateArgument>),
}

/// An argument of a predicate in a vocabulary.
#[derive(Debug, Clone, PartialEq)]
pub enum PredicateArgument {
    /// A position, which facts choose.
    Position,
    /// An observable, read at a position of its own.
    Observed(Observable),
    /// A value. With a variable as argument there is an item for each of its values.
    Value {
        /// The constant.
        value: Expr,
        /// True if a variable was written, so that any value will do.
        any: bool,
    },
}

impl PredicateArgument {
    /// The observable; `None` for a position or a value.
    pub fn observed(&self) -> Option<&Observable> {
        match self {
            Self::Observed(of) => Some(of),
            Self::Position | Self::Value { .. } => None,
        }
    }
}

/// Traces in which a predicate has to hold, or must not.
#[derive(Debug, Clone)]
pub struct TraceExample {
    /// True if it must not hold: a counterexample of the predicate.
    pub counter: bool,
    /// The predicate with what is passed to it, as it is written.
    pub text: String,
    /// The doc comment above it.
    pub doc: Option<String>,
    /// The predicate in each of its readings, of which one is enough.
    pub items: Vec<VocabularyItem>,
    /// The path of another model whose traces are meant.
    pub model: Option<String>,
    /// Constants with the values that they have here, as written.
    pub with: Vec<(String, String)>,
    /// The traces that are meant.
    pub traces: ExampleTraces,
    /// The span of the predicate with what is passed to it.
    pub span: Span,
}

/// The traces that an example is about.
#[derive(Debug, Clone)]
pub enum ExampleTraces {
    /// Those of up to so many steps.
    Within(usize),
    /// Those that consist of these steps, each with its span.
    Steps(Vec<(ActionSteps, Span)>),
}

/// A sequence diagram of traces: how its arrows are drawn.
#[derive(Debug, Clone)]
pub struct SequenceDiagram {
    /// The alias of the import that defines it.
    pub alias: String,
    /// True if a state has an arrow.
    pub sent: Expr,
    /// The participant at the tail of the arrow.
    pub sender: Expr,
    /// The participant at its head.
    pub receiver: Expr,
    /// The content of the message.
    pub content: Expr,
    /// The text over the arrow in place of the content, where it is not `none`; absent if the library requires no `label`.
    pub label: Option<Expr>,
    /// The participant that is drawn between the others; absent if the library requires no `Attacker`.
    pub attacker: Option<Expr>,
}

impl Model {
    /// True if labels carry no information: a single action without parameters, as in circuits.
    pub fn steps_are_alike(&self) -> bool {
        matches!(&self.actions[..], [only] if only.params.is_empty())
    }

    /// The index of the property with this name.
    pub fn property(&self, name: &str) -> Option<usize> {
        self.properties.iter().position(|p| p.name == name)
    }

    /// The index of the vocabulary with this name.
    pub fn vocabulary(&self, name: &str) -> Option<usize> {
        self.vocabularies.iter().position(|v| v.name == name)
    }

    /// A label as text: `start(b=Eve)`; just the action's name if it has no arguments.
    pub fn show_label(&self, label: &value::Label) -> String {
        let action = &self.actions[label.action];
        let args: Vec<String> = action
            .params
            .iter()
            .zip(&label.args)
            .map(|(p, v)| format!("{}={}", p.name, self.types.show_value(v)))
            .collect();
        if args.is_empty() { action.name.clone() } else { format!("{}({})", action.name, args.join(",")) }
    }
}
