//! Formulas that hold in one system and not in another.

use super::{CheckError, LabelParts, Language, Stopped, check, parse, resolve};
use crate::lts::Lts;
use kit::budget::{Budget, Exhausted};
use kit::diagnostics::SourceMap;
use std::io::ErrorKind;

/// Whether a text is a formula in the spelling of MCL, without libraries, that holds in the first system and not in the second.
///
/// # Errors
/// If the budget is exhausted.
pub fn distinguishes(text: &str, systems: [&Lts; 2], budget: &Budget) -> Result<bool, Exhausted> {
    let [first, second] = systems;
    Ok(holds(text, first, budget)? == Some(true) && holds(text, second, budget)? == Some(false))
}

/// Whether a text holds in the initial state; `None` if it is no formula that can be evaluated.
fn holds(text: &str, lts: &Lts, budget: &Budget) -> Result<Option<bool>, Exhausted> {
    let mut sources = SourceMap::new();
    let source = sources.add("formula", text);
    let no_libraries = |_: &str| Err(ErrorKind::NotFound.into());
    let Ok(tree) = parse(&mut sources, (source, text), Some(Language::Mcl), &no_libraries) else {
        return Ok(None);
    };
    let parts = LabelParts::of(lts);
    let Ok(resolved) = resolve(&tree, lts.labels(), &parts, &[]) else { return Ok(None) };
    match check(&resolved.formula, lts, &parts, false, budget) {
        Ok(checked) => Ok(Some(checked.holds)),
        Err(CheckError::Stopped(Stopped::Exhausted(why))) => Err(why),
        Err(CheckError::Stopped(Stopped::Fault(_)) | CheckError::TooLarge(_)) => Ok(None),
    }
}
