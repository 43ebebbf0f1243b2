//! The values that a solver gives to symbols.

use super::tokens::{SmtToken, SmtTokens};

/// The sort of the values of a symbol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SymbolSort {
    /// Truth values, 0 and 1.
    Bool,
    /// Integers.
    Int,
    /// Bit vectors of so many bits, which are numbers in two's complement.
    Bits(u32),
}

/// A symbol of a script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScriptSymbol {
    /// The name, unquoted.
    pub name: String,
    /// The sort of its values.
    pub sort: SymbolSort,
}

/// The command that asks for the values of symbols.
pub fn get_value(symbols: &[ScriptSymbol]) -> String {
    let names: Vec<String> = symbols.iter().map(|symbol| format!("|{}|", symbol.name)).collect();
    format!("(get-value ({}))\n", names.join(" "))
}

/// The values in an answer to [`get_value`], in the order of the symbols; `None` if it is not understood.
pub fn read(answer: &str, symbols: &[ScriptSymbol]) -> Option<Vec<i128>> {
    let mut answer = AnswerTokens(SmtTokens::new(answer));
    answer.expect(SmtToken::Open)?;
    let mut values = Vec::with_capacity(symbols.len());
    for symbol in symbols {
        answer.expect(SmtToken::Open)?;
        answer.next()?;
        values.push(answer.value(symbol.sort)?);
        answer.expect(SmtToken::Close)?;
    }
    answer.expect(SmtToken::Close)?;
    Some(values)
}

/// The rest of an answer.
struct AnswerTokens<'t>(SmtTokens<'t>);

impl<'t> AnswerTokens<'t> {
    fn next(&mut self) -> Option<SmtToken<'t>> {
        self.0.next()?.ok().map(|(token, _)| token)
    }

    fn expect(&mut self, token: SmtToken<'_>) -> Option<()> {
        (self.next()? == token).then_some(())
    }

    /// `true`, `12`, `(- 12)`, `#b0101`, `#x1f` or `(_ bv12 8)`.
    fn value(&mut self, sort: SymbolSort) -> Option<i128> {
        match self.next()? {
            SmtToken::Symbol("true") => Some(1),
            SmtToken::Symbol("false") => Some(0),
            SmtToken::Constant(number) | SmtToken::Symbol(number) => constant(number, sort),
            SmtToken::Open => match self.next()? {
                SmtToken::Symbol("-") => {
                    let SmtToken::Constant(number) = self.next()? else { return None };
                    self.expect(SmtToken::Close)?;
                    Some(-constant(number, sort)?)
                }
                SmtToken::Symbol("_") => {
                    let SmtToken::Symbol(number) = self.next()? else { return None };
                    let number: u128 = number.strip_prefix("bv")?.parse().ok()?;
                    self.next()?;
                    self.expect(SmtToken::Close)?;
                    bits(number, sort)
                }
                _ => None,
            },
            _ => None,
        }
    }
}

/// `12`, `#b0101` or `#x1f`.
fn constant(text: &str, sort: SymbolSort) -> Option<i128> {
    match text.split_at_checked(2) {
        Some(("#b", digits)) => bits(u128::from_str_radix(digits, 2).ok()?, sort),
        Some(("#x", digits)) => bits(u128::from_str_radix(digits, 16).ok()?, sort),
        _ => text.parse().ok(),
    }
}

/// The number that bits stand for in two's complement.
pub(super) fn bits(number: u128, sort: SymbolSort) -> Option<i128> {
    let SymbolSort::Bits(width @ 1..=127) = sort else { return None };
    let number = i128::try_from(number).ok().filter(|number| *number >> width == 0)?;
    let is_negative = number >> (width - 1) & 1 == 1;
    Some(if is_negative { number - (1 << width) } else { number })
}
