//! The values that a solver gives to symbols.

/// What the values of a symbol are.
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
    /// What its values are.
    pub sort: Sort,
}

/// The command that asks for the values of symbols.
pub(super) fn get_value(symbols: &[Symbol]) -> String {
    let names: Vec<String> = symbols.iter().map(|symbol| format!("|{}|", symbol.name)).collect();
    format!("(get-value ({}))\n", names.join(" "))
}

/// The values in an answer to [`get_value`], in the order of the symbols; `None` if it is not understood.
pub(super) fn read(answer: &str, symbols: &[Symbol]) -> Option<Vec<i128>> {
    let mut tokens = Tokens { text: answer };
    tokens.expect("(")?;
    let mut values = Vec::with_capacity(symbols.len());
    for symbol in symbols {
        tokens.expect("(")?;
        tokens.next()?;
        values.push(value(&mut tokens, symbol.sort)?);
        tokens.expect(")")?;
    }
    tokens.expect(")")?;
    Some(values)
}

/// `true`, `12`, `(- 12)`, `#b0101`, `#x1f` or `(_ bv12 8)`.
fn value(tokens: &mut Tokens<'_>, sort: Sort) -> Option<i128> {
    let token = tokens.next()?;
    if let Some(digits) = token.strip_prefix("#b") {
        return bits(u128::from_str_radix(digits, 2).ok()?, sort);
    }
    if let Some(digits) = token.strip_prefix("#x") {
        return bits(u128::from_str_radix(digits, 16).ok()?, sort);
    }
    match token {
        "true" => Some(1),
        "false" => Some(0),
        "(" => match tokens.next()? {
            "-" => {
                let number: i128 = tokens.next()?.parse().ok()?;
                tokens.expect(")")?;
                Some(-number)
            }
            "_" => {
                let number: u128 = tokens.next()?.strip_prefix("bv")?.parse().ok()?;
                tokens.next()?;
                tokens.expect(")")?;
                bits(number, sort)
            }
            _ => None,
        },
        number => number.parse().ok(),
    }
}

/// The number that bits stand for in two's complement.
pub(super) fn bits(number: u128, sort: Sort) -> Option<i128> {
    let Sort::Bits(width @ 1..=127) = sort else { return None };
    let number = i128::try_from(number).ok().filter(|number| *number >> width == 0)?;
    let is_negative = number >> (width - 1) & 1 == 1;
    Some(if is_negative { number - (1 << width) } else { number })
}

/// The tokens of an S-expression.
struct Tokens<'t> {
    text: &'t str,
}

impl<'t> Tokens<'t> {
    fn next(&mut self) -> Option<&'t str> {
        self.text = self.text.trim_start();
        let length = match self.text.chars().next()? {
            '(' | ')' => 1,
            '|' => self.text[1..].find('|')? + 2,
            _ => self.text.find(|c: char| c.is_whitespace() || "()".contains(c)).unwrap_or(self.text.len()),
        };
        let (token, rest) = self.text.split_at(length);
        self.text = rest;
        Some(token)
    }

    fn expect(&mut self, token: &str) -> Option<()> {
        (self.next()? == token).then_some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn symbol(name: &str, sort: Sort) -> Symbol {
        Symbol { name: name.to_owned(), sort }
    }

    #[test]
    fn values_of_all_sorts() {
        let symbols = [
            symbol("a b@1", Sort::Bool),
            symbol("n@1", Sort::Int),
            symbol("m", Sort::Int),
            symbol("x", Sort::Bits(4)),
            symbol("y", Sort::Bits(8)),
            symbol("z", Sort::Bits(3)),
        ];
        let answer = "((|a b@1| true)\n (n@1 (- 12)) (|m| 7)\n (x #b1111) (y #x7f) (z (_ bv5 3)))\n";
        assert_eq!(read(answer, &symbols), Some(vec![1, -12, 7, -1, 127, -3]));
        assert_eq!(get_value(&symbols[..2]), "(get-value (|a b@1| |n@1|))\n");
        assert_eq!(read("((|a b@1| true))", &symbols), None);
        assert_eq!(read("(error \"no model\")", &symbols), None);
        assert_eq!(read("((x #b10000))", &symbols[3..4]), None);
    }
}
