//! Operators in terms of SMV: those of words, and Boolean ones for single bits.

use super::read::{Reader, Result, Value, bits, constant};
use crate::smv::text::WIDEST;

impl Value {
    /// The value as a word.
    fn word(&self) -> String {
        if self.width == 1 { format!("word1({})", self.text) } else { self.text.clone() }
    }

    fn signed(&self) -> String {
        format!("signed({})", self.word())
    }

    /// Returns the value of a word in SMV.
    fn of_word(text: String, width: u32) -> Self {
        let text = if width == 1 { format!("bool({text})") } else { format!("({text})") };
        Self { text, width }
    }

    fn bit(text: String) -> Self {
        Self { text: format!("({text})"), width: 1 }
    }

    fn sign(&self) -> String {
        self.at(self.width - 1)
    }

    /// One of its bits, as a Boolean.
    fn at(&self, bit: u32) -> String {
        if self.width == 1 { self.text.clone() } else { format!("bool({}[{bit}:{bit}])", self.text) }
    }
}

impl Reader {
    /// Applies an operator to values; `numbers` are those of slices and extensions.
    pub(super) fn applied(&mut self, what: &str, values: &[Value], numbers: &[u32]) -> Result<Value> {
        let names: Vec<Value> = values.iter().map(|value| self.part_if_long(value)).collect();
        match &names[..] {
            [a] => self.unary(what, a, numbers),
            [a, b] if what == "concat" => {
                Ok(Value::of_word(format!("{} :: {}", a.word(), b.word()), a.width + b.width))
            }
            [a, b] if a.width != b.width => {
                Err(format!("the operands have {} and {}", bits(a.width), bits(b.width)))
            }
            [a, b] => self.binary(what, a, b),
            [condition, a, b] if condition.width == 1 && a.width == b.width => {
                let (condition, width) = (&condition.text, a.width);
                Ok(Value { text: format!("case {condition} : {}; TRUE : {}; esac", a.text, b.text), width })
            }
            _ => Err("`ite` has a bit, and two values of one sort".into()),
        }
    }

    /// Names an inverted operand, which operators repeat.
    fn part_if_long(&mut self, value: &Value) -> Value {
        if value.text.starts_with('(') { self.part(value.clone()) } else { value.clone() }
    }

    fn unary(&mut self, what: &str, a: &Value, numbers: &[u32]) -> Result<Value> {
        let (width, word) = (a.width, a.word());
        let one = constant(1, width).word();
        Ok(match (what, numbers) {
            ("not", _) => Value { text: format!("(!{})", a.text), width },
            ("inc", _) => Value::of_word(format!("{word} + {one}"), width),
            ("dec", _) => Value::of_word(format!("{word} - {one}"), width),
            ("neg", _) => Value::of_word(format!("{} - {word}", constant(0, width).word()), width),
            ("redand", _) => Value::bit(format!("{} = {}", a.text, constant((1 << width) - 1, width).text)),
            ("redor", _) => Value::bit(format!("{} != {}", a.text, constant(0, width).text)),
            ("redxor", _) => {
                let all: Vec<String> = (0..width).map(|bit| a.at(bit)).collect();
                Value::bit(all.join(" xor "))
            }
            ("slice", &[high, low]) if low <= high && high < width => {
                Value::of_word(format!("{word}[{high}:{low}]"), high - low + 1)
            }
            ("slice", _) => return Err("there are no such bits".into()),
            ("uext", &[0]) | ("sext", &[0]) => a.clone(),
            ("uext", &[more]) => wide(width, more, format!("extend({word}, {more})"))?,
            ("sext", &[more]) => wide(width, more, format!("unsigned(extend({}, {more}))", a.signed()))?,
            _ => return Err(format!("`{what}` has other operands")),
        })
    }

    fn binary(&mut self, what: &str, a: &Value, b: &Value) -> Result<Value> {
        let width = a.width;
        let (x, y) = (a.word(), b.word());
        let of_bits = |sign: &str| Value { text: format!("({} {sign} {})", a.text, b.text), width };
        let not = |text: &str| Value { text: format!("(!({} {text} {}))", a.text, b.text), width };
        let unsigned = |sign: &str| Value::bit(format!("{x} {sign} {y}"));
        let signed = |sign: &str| Value::bit(format!("{} {sign} {}", a.signed(), b.signed()));
        let number = |sign: &str| Value::of_word(format!("{x} {sign} {y}"), width);
        Ok(match what {
            "eq" | "neq" => {
                Value::bit(format!("{} {} {}", a.text, if what == "eq" { "=" } else { "!=" }, b.text))
            }
            "iff" | "implies" if width != 1 => return Err(format!("`{what}` relates bits")),
            "iff" => of_bits("<->"),
            "implies" => of_bits("->"),
            "and" => of_bits("&"),
            "or" => of_bits("|"),
            "xor" => of_bits("xor"),
            "nand" => not("&"),
            "nor" => not("|"),
            "xnor" => not("xor"),
            "ugt" => unsigned(">"),
            "ugte" => unsigned(">="),
            "ult" => unsigned("<"),
            "ulte" => unsigned("<="),
            "sgt" => signed(">"),
            "sgte" => signed(">="),
            "slt" => signed("<"),
            "slte" => signed("<="),
            "add" => number("+"),
            "sub" => number("-"),
            "mul" => number("*"),
            "sll" | "srl" | "sra" | "rol" | "ror" => self.shifted(what, a, b),
            "udiv" => self.divided(a, b)?.0,
            "urem" => self.divided(a, b)?.1,
            "sdiv" | "srem" | "smod" => self.signed_division(what, a, b)?,
            "uaddo" => Value::bit(format!("({x} + {y}) < {x}")),
            "usubo" => unsigned("<"),
            "saddo" | "ssubo" => {
                let result = self.part(number(if what == "saddo" { "+" } else { "-" }));
                let same = if what == "saddo" { "<->" } else { "xor" };
                Value::bit(format!(
                    "({} {same} {}) & ({} xor {})",
                    a.sign(),
                    b.sign(),
                    a.sign(),
                    result.sign()
                ))
            }
            "umulo" | "smulo" => self.product_overflows(what, a, b)?,
            "sdivo" => {
                let (least, all) = (constant(1 << (width - 1), width), constant((1 << width) - 1, width));
                Value::bit(format!("{} = {} & {} = {}", a.text, least.text, b.text, all.text))
            }
            _ => return Err(format!("the operator `{what}` is not known, or not supported")),
        })
    }

    /// Shifts or rotates by each number of bits.
    fn shifted(&mut self, what: &str, a: &Value, b: &Value) -> Value {
        let width = a.width;
        if width == 1 {
            let text = match what {
                "sll" | "srl" => format!("({} & !{})", a.text, b.text),
                _ => a.text.clone(),
            };
            return Value { text, width };
        }
        let rotates = matches!(what, "rol" | "ror");
        let by = match rotates {
            true => {
                let modulus = constant(width.into(), width);
                self.part(Value::of_word(format!("{} mod {}", b.text, modulus.text), width))
            }
            false => b.clone(),
        };
        let mut cases = String::new();
        for count in 0..width {
            let (word, rest) = (&a.text, width - count);
            let shifted = match what {
                _ if count == 0 => word.clone(),
                "sll" => format!("{word} << {count}"),
                "srl" => format!("{word} >> {count}"),
                "sra" => format!("unsigned({} >> {count})", a.signed()),
                "rol" => format!("({word} << {count}) | ({word} >> {rest})"),
                _ => format!("({word} >> {count}) | ({word} << {rest})"),
            };
            cases += &format!("{} = {} : {shifted}; ", by.text, constant(count.into(), width).text);
        }
        let zero = constant(0, width).text;
        let last = match what {
            "sra" => {
                let ones = constant((1 << width) - 1, width).text;
                format!("case {} : {ones}; TRUE : {zero}; esac", a.sign())
            }
            _ => zero,
        };
        Value { text: format!("case {cases}TRUE : {last}; esac"), width }
    }

    /// Returns the quotient and the remainder: all bits and the dividend, if the divisor is 0.
    fn divided(&mut self, a: &Value, b: &Value) -> Result<(Value, Value)> {
        let width = a.width;
        // A digit at a time, with remainders that have a bit more.
        let more = wide(width, 1, format!("extend({}, 1)", b.word()))?;
        let divisor = self.part(more);
        let mut remainder = constant(0, width + 1);
        let mut digits = Vec::new();
        for bit in (0..width).rev() {
            let text = format!("({} << 1) | extend(word1({}), {width})", remainder.text, a.at(bit));
            let shifted = self.part(Value { text, width: width + 1 });
            let digit = self.part(Value::bit(format!("{} >= {}", shifted.text, divisor.text)));
            let text = format!(
                "case {} : {} - {}; TRUE : {}; esac",
                digit.text, shifted.text, divisor.text, shifted.text
            );
            remainder = self.part(Value { text, width: width + 1 });
            digits.push(format!("word1({})", digit.text));
        }
        let quotient = self.part(Value::of_word(digits.join(" :: "), width));
        let remainder = self.part(Value::of_word(format!("{}[{}:0]", remainder.text, width - 1), width));
        Ok((quotient, remainder))
    }

    /// Divides with the signs of SMT-LIB.
    fn signed_division(&mut self, what: &str, a: &Value, b: &Value) -> Result<Value> {
        let width = a.width;
        let zero = constant(0, width);
        let negative = |value: &Value| Value::of_word(format!("{} - {}", zero.word(), value.word()), width);
        let choice = |condition: &str, then: &Value, other: &Value| Value {
            text: format!("case {condition} : {}; TRUE : {}; esac", then.text, other.text),
            width,
        };
        let sizes = [a, b].map(|value| choice(&value.sign(), &negative(value), value));
        let [size_a, size_b] = sizes.map(|size| self.part(size));
        let (quotient, remainder) = self.divided(&size_a, &size_b)?;
        Ok(match what {
            "sdiv" => choice(&format!("({} xor {})", a.sign(), b.sign()), &negative(&quotient), &quotient),
            _ => {
                let signed = choice(&a.sign(), &negative(&remainder), &remainder);
                if what == "srem" {
                    return Ok(signed);
                }
                // It has the sign of the divisor.
                let signed = self.part(signed);
                let differs = format!("{} != {} & ({} xor {})", signed.text, zero.text, a.sign(), b.sign());
                choice(&differs, &Value::of_word(format!("{} + {}", signed.word(), b.word()), width), &signed)
            }
        })
    }

    /// Returns the bit that a product has more bits than its factors.
    fn product_overflows(&mut self, what: &str, a: &Value, b: &Value) -> Result<Value> {
        let (width, is_signed) = (a.width, what == "smulo");
        let twice = |value: &Value| match is_signed {
            true => format!("unsigned(extend({}, {width}))", value.signed()),
            false => format!("extend({}, {width})", value.word()),
        };
        let product = wide(width, width, format!("{} * {}", twice(a), twice(b)))?;
        let product = self.part(product);
        let text = &product.text;
        Ok(match is_signed {
            true => {
                let low = format!("{text}[{}:0]", width - 1);
                Value::bit(format!("{text} != unsigned(extend(signed({low}), {width}))"))
            }
            false => {
                let high = format!("{text}[{}:{width}]", 2 * width - 1);
                Value::bit(format!("{high} != 0ud{width}_0"))
            }
        })
    }
}

/// Returns a word with more bits than its operand, if these are not too many.
fn wide(width: u32, more: u32, text: String) -> Result<Value> {
    match width.checked_add(more) {
        Some(width) if width <= WIDEST => Ok(Value::of_word(text, width)),
        _ => Err(format!(
            "an intermediate value has {width} and {more} more bits, and {} are the most",
            WIDEST
        )),
    }
}
