//! Declared symmetric types, for commands that decide properties of their model.

use super::console::Console;
use super::refusal::UsageError;
use cladist::budget::Budget;
use cladist::diagnostics::Diagnostic;
use cladist::model::{Model, Property};
use cladist::report::symmetry_notices;
use cladist::symmetry::declared;

/// Proves the declarations, for those of the properties that are invariants. Returns warnings about declarations that
/// are not decided in a part of the time.
///
/// # Errors
/// If a type is not symmetric.
pub fn insist(
    model: &Model,
    properties: &[&Property],
    budget: &Budget,
    console: &Console,
) -> Result<Vec<Diagnostic>, UsageError> {
    let notices = notices(model, properties, budget);
    if notices.iter().any(Diagnostic::is_error) {
        return Err(UsageError { diagnostics: notices, sources: model.sources.clone() });
    }
    console.diagnose(&notices, &model.sources);
    Ok(notices)
}

/// Returns the diagnostics about the declarations: errors, and undecided ones.
pub fn notices(model: &Model, properties: &[&Property], budget: &Budget) -> Vec<Diagnostic> {
    let invariants: Vec<&Property> = properties.iter().copied().filter(|p| p.invariant().is_some()).collect();
    let formulas = invariants.iter().filter_map(|property| property.invariant()).collect();
    symmetry_notices(model, &invariants, &declared(model, formulas, &budget.share(4)))
}
