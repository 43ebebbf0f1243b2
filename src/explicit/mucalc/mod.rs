//! The µ-calculus with regular formulas and data, on explicit systems.
//!
//! A text in the spelling of MCL or mCRL2 ([`parse`]) is resolved over the labels of a system ([`resolve()`]), becomes a system of
//! equations, and [`check`] solves the parity game of system and equations, on the fly as far as the answer needs it. What the
//! winner of the game does is the [`Evidence`]. This module knows neither models nor SAT solvers.

mod domain;
mod equations;
mod evidence;
mod expr;
mod formula;
mod game;
pub mod label;
mod print;
mod resolve;
mod solve;
mod sort;
mod system;
mod text;
mod value;

pub use evidence::{Evidence, EvidenceShape, EvidenceState, EvidenceStep};
pub use expr::DataFault;
pub use formula::ResolvedFormula;
pub use game::GameStopped;
pub use resolve::{MissingAction, Resolved, resolve};
pub use sort::DeclaredSort;
pub use system::LabelParts;
pub use text::tree::StateSyntax;
pub use text::{Language, in_one_line, parse, parse_property};
pub use value::DataValue;

use super::lts::Lts;
use equations::Equations;
use game::Game;
use kit::budget::{Budget, Exhausted};
use kit::diagnostics::{Diagnostic, SourceMap};
use std::io::ErrorKind;

/// The limit on states that are shown.
const MOST_SHOWN: usize = 5_000;

/// The answer to a formula.
#[derive(Debug)]
pub struct FormulaResult {
    /// True if it holds in the initial state.
    pub holds: bool,
    /// The number of positions of the game that were explored.
    pub positions: usize,
    /// Evidence; `None` if there are no transitions to be shown, or too many states.
    pub evidence: Option<Evidence>,
}

/// Why there is no answer.
#[derive(Debug)]
pub enum CheckError {
    /// Time or memory ended, or an expression has no value.
    Stopped(GameStopped),
    /// The formula is too large.
    TooLarge(Box<Diagnostic>),
}

impl<T: Into<GameStopped>> From<T> for CheckError {
    fn from(why: T) -> Self {
        CheckError::Stopped(why.into())
    }
}

/// Decides whether a formula holds in the initial state of a system. With `unfold`, evidence also shows what holds after *all*
/// transitions, where the formula asks for that.
///
/// # Errors
/// If the budget is exhausted, an expression has no value, or the formula is too large.
pub fn check(
    formula: &ResolvedFormula,
    lts: &Lts,
    parts: &LabelParts,
    unfold: bool,
    budget: &Budget,
) -> Result<FormulaResult, CheckError> {
    let too_large = |diagnostic| CheckError::TooLarge(Box::new(diagnostic));
    let equations = Equations::new(formula, false).map_err(too_large)?;
    let mut game = Game::new(lts, parts, &equations);
    let solution = solve::solve(&mut game, budget)?;
    let Some(holds) = solution.won(0) else { unreachable!("the game was solved") };
    let positions = game.len();
    let shown = match holds {
        true => evidence::evidence(&mut game, &solution, &equations, unfold, MOST_SHOWN)?,
        false => {
            let texts = Equations::new(formula, true).map_err(too_large)?;
            evidence::evidence(&mut game, &solution, &texts, unfold, MOST_SHOWN)?
        }
    };
    let evidence = shown.filter(|evidence| !holds || !evidence.steps.is_empty());
    Ok(FormulaResult { holds, positions, evidence })
}

/// True if a text is a formula in the spelling of MCL, without libraries, that holds in the first system and not in the second.
///
/// # Errors
/// If the budget is exhausted.
pub fn distinguishes(text: &str, systems: [&Lts; 2], budget: &Budget) -> Result<bool, Exhausted> {
    let [first, second] = systems;
    Ok(holds(text, first, budget)? == Some(true) && holds(text, second, budget)? == Some(false))
}

/// True if a text holds in the initial state; `None` if it is no formula that can be evaluated.
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
        Err(CheckError::Stopped(GameStopped::Exhausted(why))) => Err(why),
        Err(CheckError::Stopped(GameStopped::Fault(_)) | CheckError::TooLarge(_)) => Ok(None),
    }
}
