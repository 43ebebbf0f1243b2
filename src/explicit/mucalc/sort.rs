//! Sorts of data.

use super::label::actions;
use super::value::Value;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sort {
    /// Truth values.
    Bool,
    /// Integers from a number on.
    From(i128),
    /// All integers.
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
