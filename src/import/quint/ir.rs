//! The part of Quint's intermediate representation that is needed, as `quint compile --target json` writes it.
//!
//! The format is that of `quintIr.ts` in Quint 0.33. Unknown fields are ignored.

use serde::Deserialize;
use serde_json::Number;
use std::collections::BTreeMap;

#[derive(Debug, Clone, Deserialize)]
pub struct Document {
    /// The modules; a single one after flattening.
    pub modules: Vec<QuintModule>,
    /// The name of the main module.
    pub main: Option<String>,
    /// The types that the compiler inferred, by the number of the expression or definition.
    #[serde(default)]
    pub types: BTreeMap<String, Scheme>,
}

#[derive(Debug, Clone, Deserialize)]
pub struct QuintModule {
    pub name: String,
    /// Its declarations, each before its uses.
    pub declarations: Vec<QuintDeclaration>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum QuintDeclaration {
    Var {
        /// Its name, with the names of modules before it.
        name: String,
        #[serde(rename = "typeAnnotation")]
        ty: QuintType,
    },
    Def(QuintDefinition),
    /// A constant without a value.
    Const {
        name: String,
    },
    /// A named type; the compiler expands types where they are used.
    Typedef {},
    Assume {},
    /// Definitions of another module.
    Import {},
    /// Definitions of another module, with values for its constants.
    Instance {},
    /// Names visible to other modules.
    Export {},
}

/// A definition of a value, an operator, an action, or a chosen value.
#[derive(Debug, Clone, Deserialize)]
pub struct QuintDefinition {
    pub name: String,
    /// `val`, `def`, `pureval`, `puredef`, `action`, `run`, `temporal` or `nondet`.
    pub qualifier: String,
    /// The body; a lambda, if it has parameters.
    pub expr: QuintExpr,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum QuintExpr {
    Name {
        name: String,
    },
    /// `true` or `false`.
    Bool {
        value: bool,
    },
    Int {
        value: Number,
    },
    Str {
        value: String,
    },
    App {
        /// The operator: one of the language, or a definition.
        opcode: String,
        args: Vec<QuintExpr>,
    },
    /// An operator without a name.
    Lambda(Lambda),
    /// A local definition with its scope.
    Let {
        opdef: Box<QuintDefinition>,
        expr: Box<QuintExpr>,
    },
}

/// An operator without a name.
#[derive(Debug, Clone, Deserialize)]
pub struct Lambda {
    pub params: Vec<QuintParam>,
    pub expr: Box<QuintExpr>,
}

#[derive(Debug, Clone, Deserialize)]
pub struct QuintParam {
    pub name: String,
}

/// A type, possibly with free variables.
#[derive(Debug, Clone, Deserialize)]
pub struct Scheme {
    #[serde(rename = "type")]
    pub ty: QuintType,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum QuintType {
    Bool,
    Int,
    Str,
    Set {
        elem: Box<QuintType>,
    },
    List {
        elem: Box<QuintType>,
    },
    Fun {
        arg: Box<QuintType>,
        res: Box<QuintType>,
    },
    Tup {
        /// Their parts, by `0`, `1`, ….
        fields: QuintRow,
    },
    Rec {
        fields: QuintRow,
    },
    Sum {
        /// Their constructors with the types of the payloads.
        fields: QuintRow,
    },
    Var {
        name: String,
    },
    /// Any other type: operators, abstract types.
    #[serde(other)]
    Other,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum QuintRow {
    /// Some names, and a further row.
    #[serde(rename = "row")]
    Fields {
        fields: Vec<QuintField>,
        other: Box<QuintRow>,
    },
    /// No names.
    Empty,
    Var,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct QuintField {
    pub field_name: String,
    pub field_type: QuintType,
}

impl QuintRow {
    /// Returns all names with their types, and true if there are no others.
    pub fn fields(&self) -> (Vec<&QuintField>, bool) {
        match self {
            Self::Empty => (Vec::new(), true),
            Self::Var => (Vec::new(), false),
            Self::Fields { fields, other } => {
                let (others, closed) = other.fields();
                (fields.iter().chain(others).collect(), closed)
            }
        }
    }
}
