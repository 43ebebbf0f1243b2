//! The values of a type, and how labels show them.

use super::program::{ProcessProgram, ProcessTypeKind, TypeId};
use super::value::ProcessValue;
use kit::number::to_u32;
use std::fmt::Write;

/// The values of a type cannot be listed: there are infinitely many, or too many.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooManyValues;

impl std::fmt::Display for TooManyValues {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the type has more than {MOST_VALUES} values")
    }
}

impl std::error::Error for TooManyValues {}

/// So many values of a type are listed at most.
const MOST_VALUES: usize = 100_000;

impl ProcessProgram {
    /// All values of a type.
    ///
    /// # Errors
    /// If there are infinitely many, or more than can be listed.
    pub fn values(&self, of: TypeId) -> Result<Vec<ProcessValue>, TooManyValues> {
        let mut open = Vec::new();
        self.list_values(of, &mut open)
    }

    fn list_values(&self, of: TypeId, open: &mut Vec<TypeId>) -> Result<Vec<ProcessValue>, TooManyValues> {
        if open.contains(&of) {
            return Err(TooManyValues);
        }
        open.push(of);
        let values = match &self.types[of.index()].kind {
            ProcessTypeKind::Number { only: Some(numbers), .. } => {
                numbers.iter().map(|&number| ProcessValue::Number(number)).collect()
            }
            ProcessTypeKind::Number { low, high, only: None } => {
                let size = high.saturating_sub(*low);
                if usize::try_from(size).is_ok_and(|size| size >= MOST_VALUES) {
                    return Err(TooManyValues);
                }
                (*low..=*high).map(ProcessValue::Number).collect()
            }
            ProcessTypeKind::List { .. } | ProcessTypeKind::Text => return Err(TooManyValues),
            ProcessTypeKind::Constructed(constructors) => {
                let mut all = Vec::new();
                for (index, constructor) in constructors.iter().enumerate() {
                    let mut rows: Vec<Vec<ProcessValue>> = vec![Vec::new()];
                    for (_, field) in &constructor.fields {
                        let values = self.list_values(*field, open)?;
                        if rows.len() * values.len() > MOST_VALUES {
                            return Err(TooManyValues);
                        }
                        let longer = rows.iter().flat_map(|row| {
                            values.iter().map(move |value| {
                                let mut row = row.clone();
                                row.push(value.clone());
                                row
                            })
                        });
                        rows = longer.collect();
                    }
                    all.extend(
                        rows.into_iter().map(|row| ProcessValue::Constructed(to_u32(index), row.into())),
                    );
                    if all.len() > MOST_VALUES {
                        return Err(TooManyValues);
                    }
                }
                all
            }
        };
        open.pop();
        Ok(values)
    }

    /// A value as labels have it: `1`, `TRUE`, `PAIR (1, ROCK)`, `{1, 2}`.
    pub fn show(&self, of: TypeId, value: &ProcessValue) -> String {
        let mut text = String::new();
        self.write_value(of, value, &mut text);
        text
    }

    fn write_value(&self, of: TypeId, value: &ProcessValue, out: &mut String) {
        match (value, &self.types[of.index()].kind) {
            (ProcessValue::Number(number), _) => _ = write!(out, "{number}"),
            (ProcessValue::Text(text), _) => _ = write!(out, "\"{text}\""),
            (ProcessValue::Constructed(index, fields), ProcessTypeKind::Constructed(constructors)) => {
                let constructor = &constructors[*index as usize];
                out.push_str(&constructor.name);
                for (at, (field, (_, of))) in fields.iter().zip(&constructor.fields).enumerate() {
                    out.push_str(if at == 0 { " (" } else { ", " });
                    self.write_value(*of, field, out);
                }
                if !fields.is_empty() {
                    out.push(')');
                }
            }
            (ProcessValue::List(items), ProcessTypeKind::List { of, .. }) => {
                out.push('{');
                for (at, item) in items.iter().enumerate() {
                    out.push_str(if at == 0 { "" } else { ", " });
                    self.write_value(*of, item, out);
                }
                out.push('}');
            }
            _ => unreachable!("a value has the shape of its type"),
        }
    }
}
