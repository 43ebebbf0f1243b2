//! The grammar of formulas.
//!
//! ```text
//! state   := equ { '<=>' equ }                    equ := or [ '=>' equ ]
//! or      := and { '||' and }                     and := unary { '&&' unary }
//! unary   := '!' unary | '<' regular '>' ( unary | '@' ) | '[' regular ']' ( unary | '-|' ) | binder | atom
//! binder  := ( 'mu' | 'nu' ) X [ '(' x ':' T '=' e, … ')' ] '.' state | ( 'forall' | 'exists' ) x, y ':' T, … '.' state
//! atom    := 'true' | 'false' | 'val' '(' e ')' | comparison | X [ '(' e, … ')' ] | '(' state ')'
//! regular := chain { ( '|' | '+' ) chain }        chain := repeated { '.' repeated }
//! repeated:= action { '*' | '+' | '?' | '{' n '}' }
//! ```

mod actions;
mod condition;
mod data;
mod input;
mod states;

use super::Language;
use super::tree::StateSyntax;
use input::{FormulaGrammar, FormulaParseResult, FormulaTokens};
use kit::diagnostics::Diagnostic;
use kit::parsing::{self, Expected, Token, token};
use nom::Parser;
use states::state;

/// Reads a formula.
///
/// # Errors
/// All mistakes that were found, with those of the lexer.
pub fn parse(
    tokens: &[Token<'_>],
    language: Language,
    mistakes: Vec<Diagnostic>,
) -> Result<StateSyntax, Vec<Diagnostic>> {
    let shared = parsing::ParserState::new(tokens, FormulaGrammar { language }, mistakes);
    let mut read = None;
    {
        let failure = match whole(shared.tokens_from(0)) {
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

/// The sections with which a file of mCRL2 can define sorts and functions of its own.
const DEFINITIONS: [&str; 6] = ["sort", "cons", "map", "glob", "var", "eqn"];

/// A formula, or the sections of a file of mCRL2: `act a: Nat; form …;`. Declarations of actions say nothing that labels do not.
fn whole(input: FormulaTokens<'_>) -> FormulaParseResult<'_, StateSyntax> {
    let mut rest = input;
    if rest.at("act") {
        while !rest.at("form") && !rest.at_end() && !DEFINITIONS.iter().any(|section| rest.at(section)) {
            rest = rest.skip();
        }
    }
    if let Some(section) = DEFINITIONS.iter().find(|section| rest.at(section)) {
        let message = format!("sections `{section}` are not supported: data is known from labels only");
        let help = "expand the definitions; the values of a sort can be declared with --sort 'D={d1,d2}'";
        return Err(rest.mistake(message, help));
    }
    if !rest.at("form") {
        return state(rest);
    }
    let (rest, formula) = state(rest.skip())?;
    let (rest, _) = token(";").parse(rest)?;
    Ok((rest, formula))
}
