//! Sorts, and their values.

use super::label::actions;
use std::collections::BTreeSet;
use std::fmt;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sort {
    Bool,
    /// Integers from a number on.
    From(i128),
    Int,
    Listed(Vec<Value>),
    /// A sort of the specification, which is not known here.
    Unknown,
}

/// A sort that is declared with its values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Declared {
    /// The name.
    pub name: String,
    /// The values.
    pub values: Vec<Value>,
}

impl Declared {
    /// Reads `D={d1,d2}`; the braces may be omitted.
    ///
    /// # Errors
    /// With one sentence.
    pub fn read(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` does not declare a sort: write it like D={{d1,d2}}");
        let (name, values) = text.split_once('=').ok_or_else(wrong)?;
        let (name, values) = (name.trim(), values.trim());
        let inner = values.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')).unwrap_or(values);
        let read = actions(&format!("values({inner})"));
        match read.as_slice() {
            [all] if !name.is_empty() && !all.arguments.is_empty() => {
                Ok(Self { name: name.to_owned(), values: all.arguments.clone() })
            }
            _ => Err(wrong()),
        }
    }
}

impl Sort {
    /// The sort with a name; declared ones come first.
    pub fn named(name: &str, declared: &[Declared]) -> Self {
        if let Some(found) = declared.iter().find(|sort| sort.name == name) {
            return Sort::Listed(found.values.clone());
        }
        match name.to_lowercase().as_str() {
            "bool" | "boolean" => Sort::Bool,
            "nat" | "natural" => Sort::From(0),
            "pos" => Sort::From(1),
            "int" | "integer" => Sort::Int,
            _ => Sort::Unknown,
        }
    }

    /// Its values, if they can be listed without looking at the system.
    pub fn values(&self) -> Option<Vec<Value>> {
        match self {
            Sort::Bool => Some(vec![Value::Bool(false), Value::Bool(true)]),
            Sort::Listed(values) => Some(values.clone()),
            _ => None,
        }
    }

    /// True if it is known to have infinitely many values.
    pub fn is_infinite(&self) -> bool {
        matches!(self, Sort::From(_) | Sort::Int)
    }

    /// The least of its numbers, if there is one.
    pub fn least(&self) -> Option<i128> {
        match self {
            Sort::From(least) => Some(*least),
            _ => None,
        }
    }

    /// True if it may have a value.
    pub fn has(&self, value: &Value) -> bool {
        match (self, value) {
            (Sort::Bool, value) => matches!(value, Value::Bool(_)),
            (Sort::From(least), Value::Number(number)) => number >= least,
            (Sort::Int, value) => matches!(value, Value::Number(_)),
            (Sort::From(_), _) => false,
            (Sort::Listed(values), value) => values.contains(value),
            (Sort::Unknown, _) => true,
        }
    }
}

/// A value of a label or a formula.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// An integer.
    Number(i128),
    /// A list.
    List(Vec<Value>),
    /// A set.
    Set(BTreeSet<Value>),
    /// A constructor with its arguments; without arguments a constant.
    Term(String, Vec<Value>),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Bool(value) => write!(f, "{value}"),
            Value::Number(number) => write!(f, "{number}"),
            Value::List(values) => {
                f.write_str("[")?;
                commas(values, f)?;
                f.write_str("]")
            }
            Value::Set(values) => {
                f.write_str("{")?;
                commas(values, f)?;
                f.write_str("}")
            }
            Value::Term(name, arguments) if arguments.is_empty() => f.write_str(name),
            Value::Term(name, arguments) => {
                write!(f, "{name}(")?;
                commas(arguments, f)?;
                f.write_str(")")
            }
        }
    }
}

fn commas<'a>(values: impl IntoIterator<Item = &'a Value>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for (at, value) in values.into_iter().enumerate() {
        if at > 0 {
            f.write_str(", ")?;
        }
        write!(f, "{value}")?;
    }
    Ok(())
}
