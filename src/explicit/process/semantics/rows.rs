//! Enumeration of the values that can be received.

use super::rules::Rules;
use super::step::Offer;
use crate::process::failure::Failure;
use crate::process::program::TypeId;
use crate::process::value::Value;
use kit::diagnostics::Span;
use std::rc::Rc;

/// The limit on the combinations of values that one action can receive.
const MOST_ROWS: usize = 1 << 20;

impl Rules<'_> {
    /// All values of a type.
    pub fn values(&mut self, of: TypeId, span: Span) -> Result<Rc<[Value]>, Failure> {
        if let Some(values) = self.known_values.get(&of) {
            return Ok(values.clone());
        }
        let name = &self.program.types[of.index()].name;
        let values = self.program.values(of).map_err(|_| {
            let message = format!("any value of {name} can be received here, but there are too many to list");
            Failure::too_much(span, message)
        })?;
        let values: Rc<[Value]> = values.into();
        self.known_values.insert(of, values.clone());
        Ok(values)
    }

    /// All combinations of values for offers.
    pub fn rows(&mut self, offers: &[Offer], span: Span) -> Result<Vec<Vec<Value>>, Failure> {
        let mut rows: Vec<Vec<Value>> = vec![Vec::new()];
        for offer in offers {
            let values = match &offer.value {
                Some(value) => Rc::from([value.clone()]),
                None => self.values(offer.of, span)?,
            };
            if rows.len().saturating_mul(values.len()) > MOST_ROWS {
                let message = format!("more than {MOST_ROWS} combinations of values can be received here");
                return Err(Failure::too_much(span, message));
            }
            self.spend(rows.len() * values.len(), span)?;
            let longer = |row: &Vec<Value>| {
                let row = row.clone();
                values
                    .iter()
                    .map(move |value| row.iter().chain([value]).cloned().collect())
                    .collect::<Vec<_>>()
            };
            rows = rows.iter().flat_map(longer).collect();
        }
        Ok(rows)
    }
}
