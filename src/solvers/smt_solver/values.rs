//! The values that a solver gives to symbols.

use super::tokens::{Token, Tokens};

/// The sort of the values of a symbol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sort {
    /// Truth values, 0 and 1.
    Bool,
    /// Integers.
    Int,
    /// Bit vectors of so many bits, which are numbers in two's complement.
    Bits(u32),
}

/// A symbol of a script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Symbol {
    /// The name, unquoted.
    pub name: String,
    /// The sort of its values.
    pub sort: Sort,
}

/// The command that asks for the values of symbols.
pub fn get_value(symbols: &[Symbol]) -> String {
    let names: Vec<String> = symbols.iter().map(|symbol| format!("|{}|", symbol.name)).collect();
    format!("(get-value ({}))\n", names.join(" "))
}

/// The values in an answer to [`get_value`], in the order of the symbols; `None` if it is not understood.
pub fn read(answer: &str, symbols: &[Symbol]) -> Option<Vec<i128>> {
    let mut answer = AnswerTokens(Tokens::new(answer));
    answer.expect(Token::Open)?;
    let mut values = Vec::with_capacity(symbols.len());
    for symbol in symbols {
        answer.expect(Token::Open)?;
        answer.next()?;
        values.push(answer.value(symbol.sort)?);
        answer.expect(Token::Close)?;
    }
    answer.expect(Token::Close)?;
    Some(values)
}

/// The rest of an answer.
struct AnswerTokens<'t>(Tokens<'t>);

impl<'t> AnswerTokens<'t> {
    fn next(&mut self) -> Option<Token<'t>> {
        self.0.next()?.ok().map(|(token, _)| token)
    }

    fn expect(&mut self, token: Token<'_>) -> Option<()> {
        (self.next()? == token).then_some(())
    }

    /// `true`, `12`, `(- 12)`, `#b0101`, `#x1f` or `(_ bv12 8)`.
    fn value(&mut self, sort: Sort) -> Option<i128> {
        match self.next()? {
            Token::Symbol("true") => Some(1),
            Token::Symbol("false") => Some(0),
            Token::Constant(number) | Token::Symbol(number) => constant(number, sort),
            Token::Open => match self.next()? {
                Token::Symbol("-") => {
                    let Token::Constant(number) = self.next()? else { return None };
                    self.expect(Token::Close)?;
                    Some(-constant(number, sort)?)
                }
                Token::Symbol("_") => {
                    let Token::Symbol(number) = self.next()? else { return None };
                    let number: u128 = number.strip_prefix("bv")?.parse().ok()?;
                    self.next()?;
                    self.expect(Token::Close)?;
                    bits(number, sort)
                }
                _ => None,
            },
            _ => None,
        }
    }
}

/// `12`, `#b0101` or `#x1f`.
fn constant(text: &str, sort: Sort) -> Option<i128> {
    match text.split_at_checked(2) {
        Some(("#b", digits)) => bits(u128::from_str_radix(digits, 2).ok()?, sort),
        Some(("#x", digits)) => bits(u128::from_str_radix(digits, 16).ok()?, sort),
        _ => text.parse().ok(),
    }
}

/// The number that bits stand for in two's complement.
pub(super) fn bits(number: u128, sort: Sort) -> Option<i128> {
    let Sort::Bits(width @ 1..=127) = sort else { return None };
    let number = i128::try_from(number).ok().filter(|number| *number >> width == 0)?;
    let is_negative = number >> (width - 1) & 1 == 1;
    Some(if is_negative { number - (1 << width) } else { number })
}
