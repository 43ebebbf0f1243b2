//! Data in labels: `1`, `true`, `[a, b]`, `pair(1, x)`.

use std::collections::BTreeSet;
use std::fmt;

/// A value of a label or a formula.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DataValue {
    /// A truth value.
    Bool(bool),
    /// An integer.
    Number(i128),
    /// A list.
    List(Vec<DataValue>),
    /// A set.
    Set(BTreeSet<DataValue>),
    /// A constructor with its arguments; without arguments a constant.
    Term(String, Vec<DataValue>),
}

impl fmt::Display for DataValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DataValue::Bool(value) => write!(f, "{value}"),
            DataValue::Number(number) => write!(f, "{number}"),
            DataValue::List(values) => {
                f.write_str("[")?;
                commas(values, f)?;
                f.write_str("]")
            }
            DataValue::Set(values) => {
                f.write_str("{")?;
                commas(values, f)?;
                f.write_str("}")
            }
            DataValue::Term(name, arguments) if arguments.is_empty() => f.write_str(name),
            DataValue::Term(name, arguments) => {
                write!(f, "{name}(")?;
                commas(arguments, f)?;
                f.write_str(")")
            }
        }
    }
}

fn commas<'a>(values: impl IntoIterator<Item = &'a DataValue>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for (at, value) in values.into_iter().enumerate() {
        if at > 0 {
            f.write_str(", ")?;
        }
        write!(f, "{value}")?;
    }
    Ok(())
}
