//! The checked model: typed, resolved, finite; and its reference semantics.

mod check;
pub mod eval;
pub mod expr;
mod ids;
mod load;
mod root;
pub mod types;
pub mod value;
pub mod vocabulary;

pub use load::{
    LoadOptions, Loaded, LoadedExpression, LoadedFormula, LoadedLibrary, check_library, check_library_text,
    file_kind, load, load_expression, load_formula, load_text, load_text_with, load_with, normal_path,
};

use crate::diagnostics::{SourceMap, Span};
use expr::{Expr, Formula, LocalId, VarId};
use std::sync::Arc;
use types::{EnumId, Type, Types};
use value::Value;

/// A checked model, ready to be evaluated and encoded.
#[derive(Debug, Clone)]
pub struct Model {
    /// Its name.
    pub name: String,
    /// The doc comment above its header.
    pub doc: Option<String>,
    /// Enumerations and records.
    pub types: Types,
    /// Constants with their values for this run.
    pub constants: Vec<Constant>,
    /// State variables.
    pub variables: Vec<Variable>,
    /// What every first state satisfies, all of them.
    pub init: Vec<Expr>,
    /// The actions; a step takes one of them.
    pub actions: Vec<Action>,
    /// An enumeration whose values are the action names, in order: the type of `action@t`.
    pub action_enum: EnumId,
    /// What every trace satisfies.
    pub assumptions: Vec<Assumption>,
    /// What is checked.
    pub properties: Vec<Property>,
    /// Fairness conditions for the analyses of infinite paths.
    pub fairness: Vec<Expr>,
    /// Predicates of the model and of every library instance.
    pub predicates: Vec<Predicate>,
    /// Vocabularies; the first one is the default.
    pub vocabularies: Vec<Vocabulary>,
    /// Sequence-diagram bindings of imports that supply `sent`, `sender`, `receiver` and `content`.
    pub diagrams: Vec<Diagram>,
    /// Parameterless definitions, which `--show` can print as extra columns.
    pub definitions: Vec<Observable>,
    /// How many [`LocalId`]s there are.
    pub locals: u32,
    /// The texts it was read from; the model itself is the first.
    pub sources: Arc<SourceMap>,
}

/// A named constant.
#[derive(Debug, Clone)]
pub struct Constant {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// Its value, `--set` applied.
    pub value: Value,
    /// Its declaration.
    pub span: Span,
}

/// A state variable.
#[derive(Debug, Clone)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// Its doc comment.
    pub doc: Option<String>,
    /// Its declaration.
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
    /// Its name.
    pub name: String,
    /// Its doc comment.
    pub doc: Option<String>,
    /// Its parameters; a step chooses their values.
    pub params: Vec<Local>,
    /// What must hold in the old state.
    pub requires: Vec<Expr>,
    /// The assignments.
    pub updates: Vec<Update>,
    /// Variables that may take any value but for `updates` and `constraints`.
    pub modifies: Vec<VarId>,
    /// Formulas over the old and the new state.
    pub constraints: Vec<Expr>,
    /// Its declaration.
    pub span: Span,
}

/// A bound name with a type.
#[derive(Debug, Clone)]
pub struct Local {
    /// The name in the text.
    pub name: String,
    /// The name in expressions.
    pub local: LocalId,
    /// Its type.
    pub ty: Type,
}

/// One assignment. Everything in it reads the old state.
#[derive(Debug, Clone)]
pub struct Update {
    /// When it takes place; `None` is always.
    pub guard: Option<Expr>,
    /// The variable.
    pub var: VarId,
    /// The way to the place inside it; never through an optional value (the checker rejects that).
    pub path: Vec<PathStep>,
    /// The type of the place.
    pub ty: Type,
    /// The value.
    pub value: UpdateValue,
    /// Where it was written.
    pub span: Span,
}

/// One step into a value.
#[derive(Debug, Clone)]
pub enum PathStep {
    /// Into a map.
    Index(Expr),
    /// Into a record.
    Field(usize),
}

/// What is assigned.
#[derive(Debug, Clone)]
pub enum UpdateValue {
    /// This value.
    Is(Expr),
    /// Any member of this set.
    In(Expr),
}

/// What every trace satisfies.
#[derive(Debug, Clone)]
pub struct Assumption {
    /// The formula; mentions next-state variables iff `step`.
    pub expr: Expr,
    /// Whether it speaks of steps rather than of states.
    pub step: bool,
    /// Where it was written.
    pub span: Span,
}

/// A property.
#[derive(Debug, Clone)]
pub struct Property {
    /// Its name.
    pub name: String,
    /// Its doc comment.
    pub doc: Option<String>,
    /// What it says.
    pub kind: PropertyKind,
    /// Where it was written.
    pub span: Span,
}

/// The kinds of properties.
#[derive(Debug, Clone)]
pub enum PropertyKind {
    /// Holds in every state of every trace.
    Invariant(Expr),
    /// A linear-time formula.
    Ltl(Formula),
    /// A branching-time formula.
    Ctl(Formula),
}

impl Property {
    /// The state formula that must hold in every state, if this is a safety property of that form:
    /// an invariant, or `always e` where e has no temporal operator.
    pub fn invariant(&self) -> Option<&Expr> {
        match &self.kind {
            PropertyKind::Invariant(e) => Some(e),
            PropertyKind::Ltl(Formula::Temporal(expr::TemporalOp::Always, parts)) => match parts.as_slice() {
                [Formula::Atom(e, _)] => Some(e),
                _ => None,
            },
            _ => None,
        }
    }
}

/// Index of a predicate in [`Model::predicates`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PredicateId(pub u32);

/// A predicate over positions and values.
#[derive(Debug, Clone)]
pub struct Predicate {
    /// Its name as the model refers to it: `msgs.replay`.
    pub name: String,
    /// Its doc comment: its title in reports.
    pub doc: Option<String>,
    /// Its parameters, of type `pos` or of a value type.
    pub params: Vec<Local>,
    /// What it says, over its parameters; state expressions occur only below
    /// [`expr::ExprKind::At`].
    pub body: Expr,
    /// The library it comes from, by name.
    pub library: Option<String>,
    /// Its declaration.
    pub span: Span,
}

/// A state expression with the text to print for it.
#[derive(Debug, Clone, PartialEq)]
pub struct Observable {
    /// `net.sender`, `phase[Alice]`, `action`, `forge.k`.
    pub text: String,
    /// The expression; may read labels.
    pub expr: Expr,
    /// Where it was written.
    pub span: Span,
}

/// The set V of the paper: which facts may be used.
#[derive(Debug, Clone)]
pub struct Vocabulary {
    /// Its name.
    pub name: String,
    /// Its doc comment.
    pub doc: Option<String>,
    /// Its items, most preferred first, without duplicates.
    pub items: Vec<VocabularyItem>,
    /// Its declaration.
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
    /// That a constant (for sets, a member) is nowhere between two positions, before one or after one.
    Absent(Observable),
    /// `<` between positions.
    Before,
    /// Adjacency of positions.
    Next,
    /// A predicate; for each parameter `None` (a position) or the observable that is passed, read at
    /// a position of its own.
    Predicate(PredicateId, Vec<Option<Observable>>),
}

/// What draws one arrow of a sequence diagram.
#[derive(Debug, Clone)]
pub struct Diagram {
    /// The alias of the import that binds it.
    pub alias: String,
    /// Whether there is an arrow in a state.
    pub sent: Expr,
    /// From whom.
    pub sender: Expr,
    /// To whom.
    pub receiver: Expr,
    /// With what.
    pub content: Expr,
}

impl Model {
    /// Looks up a property by name.
    pub fn property(&self, name: &str) -> Option<usize> {
        self.properties.iter().position(|p| p.name == name)
    }

    /// Looks up a vocabulary by name.
    pub fn vocabulary(&self, name: &str) -> Option<usize> {
        self.vocabularies.iter().position(|v| v.name == name)
    }

    /// A label as text: `start(b=Eve)`.
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
