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

pub use input::parse;
