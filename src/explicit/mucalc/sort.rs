//! Sorts of data.

use super::label::actions;
use super::value::DataValue;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DataSort {
    /// Truth values.
    Bool,
    /// Integers from a number on.
    From(i128),
    /// All integers.
    Int,
    Listed(Vec<DataValue>),
    /// A sort of the specification, which is not known here.
    Unknown,
}

/// A sort that is declared with its values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeclaredSort {
    /// The name.
    pub name: String,
    /// The values.
    pub values: Vec<DataValue>,
}

impl DeclaredSort {
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

impl DataSort {
    /// The sort with a name; declared ones come first.
    pub fn named(name: &str, declared: &[DeclaredSort]) -> Self {
        if let Some(found) = declared.iter().find(|sort| sort.name == name) {
            return DataSort::Listed(found.values.clone());
        }
        match name.to_lowercase().as_str() {
            "bool" | "boolean" => DataSort::Bool,
            "nat" | "natural" => DataSort::From(0),
            "pos" => DataSort::From(1),
            "int" | "integer" => DataSort::Int,
            _ => DataSort::Unknown,
        }
    }

    /// Its values, if they can be listed without looking at the system.
    pub fn values(&self) -> Option<Vec<DataValue>> {
        match self {
            DataSort::Bool => Some(vec![DataValue::Bool(false), DataValue::Bool(true)]),
            DataSort::Listed(values) => Some(values.clone()),
            _ => None,
        }
    }

    /// True if it is known to have infinitely many values.
    pub fn is_infinite(&self) -> bool {
        matches!(self, DataSort::From(_) | DataSort::Int)
    }

    /// The least of its numbers, if there is one.
    pub fn least(&self) -> Option<i128> {
        match self {
            DataSort::From(least) => Some(*least),
            _ => None,
        }
    }

    /// True if it may have a value.
    pub fn has(&self, value: &DataValue) -> bool {
        match (self, value) {
            (DataSort::Bool, value) => matches!(value, DataValue::Bool(_)),
            (DataSort::From(least), DataValue::Number(number)) => number >= least,
            (DataSort::Int, value) => matches!(value, DataValue::Number(_)),
            (DataSort::From(_), _) => false,
            (DataSort::Listed(values), value) => values.contains(value),
            (DataSort::Unknown, _) => true,
        }
    }
}
