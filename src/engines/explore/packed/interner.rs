//! Numbers for values that are too large to be packed.

use lang::model::value::Value;
use rustc_hash::FxHashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A table of values, each once.
#[derive(Debug, Default)]
pub struct Interner {
    table: Mutex<InternTable>,
}

#[derive(Debug, Default)]
struct InternTable {
    numbers: FxHashMap<Value, u32>,
    values: Vec<Value>,
}

impl Interner {
    /// Returns the number of a value, a new one if it is not known.
    pub fn number(&self, value: &Value) -> u32 {
        let InternTable { numbers, values } = &mut *self.table();
        if let Some(&number) = numbers.get(value) {
            return number;
        }
        let number = u32::try_from(values.len()).expect("fewer than 2^32 values");
        numbers.insert(value.clone(), number);
        values.push(value.clone());
        number
    }

    /// Returns the value of a number.
    pub fn value(&self, number: u32) -> Value {
        self.table().values[number as usize].clone()
    }

    fn table(&self) -> MutexGuard<'_, InternTable> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
