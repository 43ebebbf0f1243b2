//! Reads lines, and writes declarations of SMV.

use crate::smv::text::{WIDEST, is_reserved};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// The most mistakes that are told.
const MOST_MISTAKES: usize = 10;

/// A mistake in a circuit, or a part that is not supported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Malformed {
    /// The number of the line, from 1.
    pub line: usize,
    /// The mistake, in lower case, without a full stop.
    pub message: String,
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.line, self.message)
    }
}

pub(super) type Result<T> = std::result::Result<T, String>;

/// A value: a Boolean of SMV for a single bit, and an unsigned word for several.
#[derive(Debug, Clone)]
pub(super) struct Value {
    pub text: String,
    pub width: u32,
}

#[derive(Debug, Clone, Copy)]
enum Sort {
    Bits(u32),
    Array,
}

/// A state of the circuit.
#[derive(Debug)]
struct State {
    name: String,
    width: u32,
    initial: bool,
    next: bool,
}

/// A circuit that is being read.
#[derive(Debug, Default)]
pub(super) struct Reader {
    sorts: BTreeMap<u64, Sort>,
    values: BTreeMap<u64, Value>,
    states: BTreeMap<u64, State>,
    names: BTreeSet<String>,
    variables: Vec<String>,
    assignments: Vec<String>,
    definitions: Vec<String>,
    properties: Vec<String>,
    /// The lines of values that are not the same in all states.
    varying: BTreeSet<u64>,
    /// The number of the last line.
    last: u64,
    /// The number of parts of operators that have names.
    parts: usize,
    bad: usize,
    justice: usize,
}

/// Writes a circuit as a model in SMV.
///
/// # Errors
/// The first mistakes.
pub fn smv_text(text: &str) -> std::result::Result<String, Vec<Malformed>> {
    let mut reader = Reader::default();
    let mut mistakes = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.split(';').next().unwrap_or_default();
        let words: Vec<&str> = line.split_whitespace().collect();
        if words.is_empty() {
            continue;
        }
        if let Err(message) = reader.line(&words) {
            mistakes.push(Malformed { line: number, message });
            if mistakes.len() == MOST_MISTAKES {
                break;
            }
        }
    }
    if mistakes.is_empty() { Ok(reader.text()) } else { Err(mistakes) }
}

impl Reader {
    fn line(&mut self, words: &[&str]) -> Result<()> {
        let [id, what, rest @ ..] = words else { return Err("a line has a number and a word".into()) };
        let id = number(id).filter(|id| *id > 0).ok_or_else(|| format!("`{id}` is no number of a line"))?;
        if id <= self.last {
            return Err(format!("line {id} follows line {}; numbers of lines increase", self.last));
        }
        self.last = id;
        match (*what, rest) {
            ("sort", ["bitvec", width, ..]) => {
                let width =
                    number(width).and_then(|width| u32::try_from(width).ok()).filter(|width| *width > 0);
                let width = width.ok_or("a sort has a number of bits")?;
                self.sorts.insert(id, Sort::Bits(width));
                Ok(())
            }
            ("sort", ["array", ..]) => {
                self.sorts.insert(id, Sort::Array);
                Ok(())
            }
            ("sort", _) => Err("a sort is `bitvec`, with a number of bits, or `array`".into()),
            ("input", [sort, symbol @ ..]) => {
                let width = self.width(sort)?;
                let name = self.variable(id, width, symbol.first());
                self.values.insert(id, Value { text: name, width });
                self.varying.insert(id);
                Ok(())
            }
            ("state", [sort, symbol @ ..]) => {
                let width = self.width(sort)?;
                let name = self.variable(id, width, symbol.first());
                self.varying.insert(id);
                self.states.insert(id, State { name: name.clone(), width, initial: false, next: false });
                self.values.insert(id, Value { text: name, width });
                Ok(())
            }
            ("init" | "next", [sort, state, value, ..]) => self.assignment(what, sort, state, value),
            ("bad", [of, symbol @ ..]) => {
                let value = self.condition(of)?;
                let unnamed = format!("bad_{}", self.bad);
                self.bad += 1;
                let name = self.name(symbol.first().copied().unwrap_or(&unnamed));
                self.properties.push(format!("INVARSPEC NAME {name} := !{value};"));
                Ok(())
            }
            ("constraint", [of, ..]) => {
                let value = self.condition(of)?;
                self.properties.push(format!("INVAR {value};"));
                Ok(())
            }
            ("fair", [of, ..]) => {
                let value = self.condition(of)?;
                self.properties.push(format!("FAIRNESS {value};"));
                Ok(())
            }
            ("justice", [count, rest @ ..]) => {
                let count = number(count).and_then(|count| usize::try_from(count).ok());
                let all = count.and_then(|count| rest.get(..count)).filter(|all| !all.is_empty());
                let all = all.ok_or("`justice` has a number of conditions, and these")?;
                let each = all.iter().map(|of| Ok(format!("G F {}", self.condition(of)?)));
                let each = each.collect::<Result<Vec<_>>>()?.join(" & ");
                let name = self.name(&format!("justice_{}", self.justice));
                self.justice += 1;
                self.properties.push(format!("LTLSPEC NAME {name} := !({each});"));
                Ok(())
            }
            ("output", [of, ..]) => self.operand(of).map(|_| ()),
            ("init" | "next", _) => Err(format!("`{what}` needs a sort, a state and a value")),
            ("input" | "state", []) => Err(format!("`{what}` needs a sort")),
            ("justice", []) => Err("`justice` needs a number of conditions, and these".into()),
            ("bad" | "constraint" | "fair" | "output", []) => Err(format!("`{what}` needs a value")),
            (what, _) if arguments(what) == 0 && !matches!(what, "one" | "ones" | "zero") => {
                Err(format!("`{what}` is not known, or not supported"))
            }
            (what, [sort, operands @ ..]) => self.value(id, what, sort, operands),
            (what, []) => Err(format!("`{what}` has no sort")),
        }
    }

    /// Reads a constant, or the value of an operator.
    fn value(&mut self, id: u64, what: &str, sort: &str, operands: &[&str]) -> Result<()> {
        let width = self.width(sort)?;
        if let Some(value) = literal(what, operands.first().copied(), width) {
            self.values.insert(id, value?);
            return Ok(());
        }
        let value = self.operation(what, operands, width)?;
        let of_values = if matches!(what, "slice" | "uext" | "sext") { 1 } else { arguments(what) };
        if operands.iter().take(of_values).any(|of| self.varies(of).is_some()) {
            self.varying.insert(id);
        }
        let unnamed = format!("node_{id}");
        let value = self.defined(operands.get(arguments(what)).unwrap_or(&&*unnamed), value);
        self.values.insert(id, value);
        Ok(())
    }

    /// Names a value; only a new name can be of a value.
    fn defined(&mut self, wanted: &str, value: Value) -> Value {
        let name = self.name(wanted);
        self.definitions.push(format!("{name} := {};", value.text));
        Value { text: name, ..value }
    }

    /// Names a part of an operator.
    pub(super) fn part(&mut self, value: Value) -> Value {
        self.parts += 1;
        self.defined(&format!("part_{}", self.parts), value)
    }

    fn variable(&mut self, id: u64, width: u32, symbol: Option<&&str>) -> String {
        let name = self.name(symbol.copied().unwrap_or(&format!("value_{id}")));
        let ty = if width == 1 { "boolean".to_owned() } else { format!("unsigned word[{width}]") };
        self.variables.push(format!("{name} : {ty};"));
        name
    }

    /// Returns an unused name like a symbol.
    fn name(&mut self, like: &str) -> String {
        let plain: String =
            like.chars().take(80).map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        let plain = plain.trim_matches('_').to_owned();
        let plain =
            if plain.starts_with(|c: char| c.is_ascii_alphabetic()) { plain } else { format!("s_{plain}") };
        let plain = if is_reserved(&plain) { plain + "_" } else { plain };
        let (mut name, mut count) = (plain.clone(), 2);
        while !self.names.insert(name.clone()) {
            name = format!("{plain}_{count}");
            count += 1;
        }
        name
    }

    /// Returns the line of an operand, if its value is not the same in all states.
    fn varies(&self, operand: &str) -> Option<u64> {
        number(operand.trim_start_matches('-')).filter(|id| self.varying.contains(id))
    }

    fn assignment(&mut self, what: &str, sort: &str, state: &str, given: &str) -> Result<()> {
        let width = self.width(sort)?;
        let of =
            number(state).and_then(|id| self.states.get(&id)).map(|state| (state.name.clone(), state.width));
        let (name, own) = of.ok_or_else(|| format!("`{state}` is no state"))?;
        let value = self.operand(given)?;
        if own != width || value.width != width {
            return Err(format!(
                "`{what}` is of {width} bits, and what it relates of {own} and {}",
                value.width
            ));
        }
        let id = number(state).unwrap_or_default();
        if what == "init" && self.varies(given).is_some_and(|of| of >= id) {
            return Err(format!("the first value of state {id} comes after it, in line {given}"));
        }
        if let Some(state) = self.states.get_mut(&id) {
            let is_assigned = if what == "init" { &mut state.initial } else { &mut state.next };
            if std::mem::replace(is_assigned, true) {
                return Err(format!("there is another `{what}` of this state"));
            }
        }
        self.assignments.push(format!("{what}({name}) := {};", value.text));
        Ok(())
    }

    /// Returns the number of bits of a sort.
    fn width(&self, sort: &str) -> Result<u32> {
        match number(sort).and_then(|id| self.sorts.get(&id)) {
            Some(Sort::Bits(width)) if *width <= WIDEST => Ok(*width),
            Some(Sort::Bits(width)) => Err(format!("a value has {width} bits, and {WIDEST} are the most")),
            Some(Sort::Array) => Err("arrays are not supported".into()),
            None => Err(format!("`{sort}` is no sort")),
        }
    }

    /// Returns a value; the bits of one with a minus are inverted.
    pub(super) fn operand(&self, text: &str) -> Result<Value> {
        let (inverted, id) = match text.strip_prefix('-') {
            Some(id) => (true, id),
            None => (false, text),
        };
        let value = number(id).and_then(|id| self.values.get(&id)).cloned();
        let value = value.ok_or_else(|| format!("`{text}` is no value of a line before"))?;
        Ok(if inverted { Value { text: format!("(!{})", value.text), ..value } } else { value })
    }

    fn condition(&self, text: &str) -> Result<String> {
        let value = self.operand(text)?;
        match value.width {
            1 => Ok(value.text),
            width => Err(format!("a condition is a bit, and this value has {width}")),
        }
    }

    fn text(self) -> String {
        let mut text = "MODULE main\n".to_owned();
        for (head, lines) in
            [("VAR", &self.variables), ("DEFINE", &self.definitions), ("ASSIGN", &self.assignments)]
        {
            if !lines.is_empty() {
                text += &format!("{head}\n  {}\n", lines.join("\n  "));
            }
        }
        text + &self.properties.join("\n") + "\n"
    }

    /// Returns the result of an operator.
    fn operation(&mut self, what: &str, operands: &[&str], width: u32) -> Result<Value> {
        let (arity, numbers) = match arguments(what) {
            _ if what == "slice" => (1, 2),
            _ if matches!(what, "uext" | "sext") => (1, 1),
            count => (count, 0),
        };
        if operands.len() < arity + numbers {
            return Err(format!("`{what}` has too few operands"));
        }
        let values = operands[..arity].iter().map(|of| self.operand(of)).collect::<Result<Vec<_>>>()?;
        let given = operands[arity..arity + numbers].iter().map(|text| {
            let given = number(text).and_then(|given| u32::try_from(given).ok());
            given.ok_or_else(|| format!("`{text}` is no number"))
        });
        let numbers = given.collect::<Result<Vec<_>>>()?;
        let found = self.applied(what, &values, &numbers)?;
        if found.width != width {
            return Err(format!("the result has {}, and the sort {}", bits(found.width), bits(width)));
        }
        Ok(found)
    }
}

/// Returns the number of words after the sort that are operands; 0 for what is no operator.
fn arguments(what: &str) -> usize {
    match what {
        "const" | "constd" | "consth" | "not" | "inc" | "dec" | "neg" | "redand" | "redor" | "redxor" => 1,
        "slice" | "ite" => 3,
        "one" | "ones" | "zero" => 0,
        "iff" | "implies" | "eq" | "neq" | "sgt" | "ugt" | "sgte" | "ugte" | "slt" | "ult" | "slte"
        | "ulte" | "and" | "nand" | "nor" | "or" | "xnor" | "xor" | "rol" | "ror" | "sll" | "sra" | "srl"
        | "add" | "mul" | "sdiv" | "udiv" | "smod" | "srem" | "urem" | "sub" | "saddo" | "uaddo"
        | "sdivo" | "smulo" | "umulo" | "ssubo" | "usubo" | "concat" | "uext" | "sext" => 2,
        _ => 0,
    }
}

/// Parses a number without a sign.
fn number(text: &str) -> Option<u64> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())?
}

/// Returns a number of bits in words.
pub(super) fn bits(width: u32) -> String {
    if width == 1 { "1 bit".into() } else { format!("{width} bits") }
}

/// Returns the value of a constant; `None` for other words.
fn literal(what: &str, digits: Option<&str>, width: u32) -> Option<Result<Value>> {
    let all = (1_u64 << width) - 1;
    let digits = digits.unwrap_or_default();
    let parsed = |radix| {
        let plain = !digits.is_empty() && digits.chars().all(|c| c.is_digit(radix));
        // Zeros before a number need no room.
        let digits = digits.trim_start_matches('0');
        plain.then(|| if digits.is_empty() { Some(0) } else { u64::from_str_radix(digits, radix).ok() })?
    };
    let decimal = || {
        let value: i128 = digits.parse().ok().filter(|_| !digits.starts_with('+'))?;
        let fits = (-(1 << (width - 1))..1 << width).contains(&value);
        fits.then(|| u64::try_from(value.rem_euclid(1 << width)).ok())?
    };
    let (value, needed) = match what {
        "zero" => (Some(0), String::new()),
        "one" => (Some(1), String::new()),
        "ones" => (Some(all), String::new()),
        "const" => {
            let exact = usize::try_from(width) == Ok(digits.len());
            (parsed(2).filter(|_| exact), format!("{width} binary digits"))
        }
        "consth" => (
            parsed(16).filter(|value| *value <= all),
            format!("hexadecimal digits of at most {}", bits(width)),
        ),
        "constd" => (decimal(), format!("a number in {}..{all}", -(1_i64 << (width - 1)))),
        _ => return None,
    };
    Some(value.map(|value| constant(value, width)).ok_or_else(|| format!("`{what}` needs {needed} here")))
}

/// Returns a constant.
pub(super) fn constant(value: u64, width: u32) -> Value {
    let text = match (width, value) {
        (1, 0) => "FALSE".into(),
        (1, _) => "TRUE".into(),
        _ => format!("0ud{width}_{value}"),
    };
    Value { text, width }
}
