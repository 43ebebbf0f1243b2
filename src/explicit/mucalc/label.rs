//! The parts of labels: actions with data, as mCRL2 and this program (`send(1, true)`, `enter(p=P)`) and CADP
//! (`SEND !1 !TRUE`) write them.

use super::value::DataValue;

/// How deeply the data of a label may nest; deeper labels have no parts.
const DEEPEST: usize = 64;

/// An action of a label.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct LabelAction {
    /// The name.
    pub name: String,
    /// The data.
    pub arguments: Vec<DataValue>,
}

/// The actions of a label in ascending order: several for a multi-action `a(1)|b`, none for the invisible action or what
/// cannot be read as actions.
pub fn actions(text: &str) -> Vec<LabelAction> {
    if matches!(text.trim(), "i" | "tau") {
        return Vec::new();
    }
    let mut reader = LabelReader { rest: text.trim(), depth: 0 };
    reader.label().unwrap_or_default()
}

struct LabelReader<'a> {
    rest: &'a str,
    depth: usize,
}

impl<'a> LabelReader<'a> {
    fn label(&mut self) -> Option<Vec<LabelAction>> {
        let name = self.name()?;
        if self.at('!') {
            let mut arguments = Vec::new();
            while self.eat('!') {
                arguments.push(self.value_or_text(&['!'])?);
            }
            return self.rest.is_empty().then(|| vec![LabelAction { name, arguments }]);
        }
        let mut all = vec![self.action(name)?];
        while self.eat('|') {
            let name = self.name()?;
            all.push(self.action(name)?);
        }
        all.sort();
        self.rest.is_empty().then_some(all)
    }

    fn action(&mut self, name: String) -> Option<LabelAction> {
        let arguments = if self.eat('(') { self.values(')')? } else { Vec::new() };
        Some(LabelAction { name, arguments })
    }

    fn skip_blanks(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn at(&mut self, c: char) -> bool {
        self.skip_blanks();
        self.rest.starts_with(c)
    }

    fn eat(&mut self, c: char) -> bool {
        let there = self.at(c);
        if there {
            self.rest = &self.rest[c.len_utf8()..];
        }
        there
    }

    /// As many characters as are of a kind.
    fn take(&mut self, is: impl Fn(char) -> bool) -> &'a str {
        let end = self.rest.find(|c| !is(c)).unwrap_or(self.rest.len());
        let (taken, rest) = self.rest.split_at(end);
        self.rest = rest;
        taken
    }

    fn name(&mut self) -> Option<String> {
        self.skip_blanks();
        let begins = self.rest.starts_with(|c: char| c.is_alphabetic() || c == '_');
        begins.then(|| self.take(is_of_name).to_owned())
    }

    /// Values up to a closing bracket.
    fn values(&mut self, close: char) -> Option<Vec<DataValue>> {
        let mut values = Vec::new();
        if self.eat(close) {
            return Some(values);
        }
        loop {
            values.push(self.value_or_text(&[',', close])?);
            if self.eat(close) {
                return Some(values);
            }
            if !self.eat(',') {
                return None;
            }
        }
    }

    /// A value up to one of these characters or the end; what cannot be read is a constant of its own, so that variables can
    /// still stand for it. None if brackets are not closed.
    fn value_or_text(&mut self, ends: &[char]) -> Option<DataValue> {
        self.skip_blanks();
        let before = self.rest;
        if let Some(value) = self.value() {
            self.skip_blanks();
            if self.rest.is_empty() || self.rest.starts_with(ends) {
                return Some(value);
            }
        }
        self.rest = before;
        let mut open = 0usize;
        let end = self.rest.char_indices().find(|&(_, c)| {
            let here = open == 0 && ends.contains(&c);
            match c {
                '(' | '[' | '{' => open += 1,
                ')' | ']' | '}' => open = open.saturating_sub(1),
                _ => {}
            }
            here
        });
        let (text, rest) = self.rest.split_at(end.map_or(self.rest.len(), |(at, _)| at));
        self.rest = rest;
        let text = text.trim();
        let text =
            text.split_once('=').filter(|(name, _)| name.chars().all(is_of_name)).map_or(text, |(_, t)| t);
        (open == 0 && !text.is_empty()).then(|| DataValue::Term(text.trim().to_owned(), Vec::new()))
    }

    fn value(&mut self) -> Option<DataValue> {
        self.depth += 1;
        let value = if self.depth > DEEPEST { None } else { self.value_within() };
        self.depth -= 1;
        value
    }

    fn value_within(&mut self) -> Option<DataValue> {
        self.skip_blanks();
        if self.eat('[') {
            return self.values(']').map(DataValue::List);
        }
        if self.eat('{') {
            let values = self.values('}')?;
            // Bags, records and comprehensions are no sets: they remain constants of their own.
            return values.iter().all(is_element).then(|| DataValue::Set(values.into_iter().collect()));
        }
        if self.eat('"') {
            let text = self.take(|c| c != '"').to_owned();
            return self.eat('"').then(|| DataValue::Term(format!("\"{text}\""), Vec::new()));
        }
        let negative = self.eat('-');
        if self.rest.starts_with(|c: char| c.is_ascii_digit()) {
            let number: i128 = self.take(|c| c.is_ascii_digit()).parse().ok()?;
            return Some(DataValue::Number(if negative { -number } else { number }));
        }
        if negative {
            return None;
        }
        let name = self.name()?;
        // `enter(p=P)`: the name of a parameter before its value.
        if self.at('=') && self.eat('=') {
            return self.value();
        }
        Some(match name.as_str() {
            "true" | "TRUE" => DataValue::Bool(true),
            "false" | "FALSE" => DataValue::Bool(false),
            _ if self.eat('(') => DataValue::Term(name, self.values(')')?),
            _ => DataValue::Term(name, Vec::new()),
        })
    }
}

/// True if a value between braces is one of a set: not `x: 1` of a bag or a record, nor `n: Nat | n < 3`.
fn is_element(value: &DataValue) -> bool {
    let DataValue::Term(text, _) = value else { return true };
    let (mut open, mut quoted) = (0usize, false);
    text.chars().all(|c| {
        match c {
            '"' => quoted = !quoted,
            '(' | '[' | '{' => open += 1,
            ')' | ']' | '}' => open = open.saturating_sub(1),
            _ => {}
        }
        quoted || open > 0 || !matches!(c, ':' | '|')
    })
}

/// True if a character can stand inside a name.
pub fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '\''
}
