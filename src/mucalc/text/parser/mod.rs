//! The grammar of formulas.
//!
//! ```text
//! state   := equ { '<=>' equ }                    equ := or [ '=>' equ ]
//! or      := and { '||' and }                     and := unary { '&&' unary }
//! unary   := '!' unary | '<' regular '>' ( unary | '@' ) | '[' regular ']' ( unary | '-|' ) | binder | atom
//! binder  := ( 'mu' | 'nu' ) X [ '(' x ':' T '=' e, … ')' ] '.' state | ( 'forall' | 'exists' ) x, y ':' T, … '.' state
//! atom    := 'true' | 'false' | 'val' '(' e ')' | X [ '(' e, … ')' ] | '(' state ')'
//! regular := chain { ( '|' | '+' ) chain }        chain := repeated { '.' repeated }
//! repeated:= action { '*' | '+' | '?' | '{' n '}' }
//! ```

mod actions;
mod data;
mod input;
mod states;

use super::Language;
use super::token::Token;
use super::tree::State;
use crate::diagnostics::Diagnostic;
use crate::parsing::{self, Expected};
use input::Formulas;
use states::state;

/// Reads a formula.
///
/// # Errors
/// All mistakes that were found, with those of the lexer.
pub fn parse(
    tokens: &[Token<'_>],
    language: Language,
    mistakes: Vec<Diagnostic>,
) -> Result<State, Vec<Diagnostic>> {
    let shared = parsing::State::new(tokens, Formulas { language }, mistakes);
    let mut read = None;
    {
        let input = shared.tokens_from(0);
        let failure = match state(input) {
            Ok((rest, formula)) if rest.at_end() => {
                read = Some(formula);
                None
            }
            Ok((rest, _)) => Some(rest.fail(Expected::Thing("the end of the formula"))),
            Err(failure) => Some(failure),
        };
        if let Some(failure) = failure {
            shared.report(failure, None);
        }
    }
    let mistakes = shared.into_diagnostics();
    match read {
        Some(formula) if mistakes.is_empty() => Ok(formula),
        _ => Err(mistakes),
    }
}
