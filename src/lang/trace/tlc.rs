//! Error traces of TLC, the model checker of TLA+, as documents in ITF.
//!
//! They are the lines that TLC prints, `State 2: <Enter line 9, col 3 …>` with `/\ x = 1` below, perhaps among others. Values map
//! like those of Apalache; functions of `1..n` are written as sequences, and those of strings as records.

use super::itf_error::{ItfError, cut};
use serde_json::{Map, Value as Json, json};

/// The most values within each other, and in all.
const MOST_NESTED: usize = 100;
const MOST_VALUES: usize = 100_000;

/// A heading in the output of TLC.
enum Heading {
    /// The number of a state, from 1.
    State(usize),
    /// The number of the state, from 1, that follows the last one.
    BackTo(Option<usize>),
    Stuttering(usize),
}

/// Reads `State 2: <Enter line 9, col 3 …>`, `2: <Enter …>`, `State 3: Stuttering`, `Back to state 1: <…>` or `1: Back to state: <…>`.
fn heading(line: &str) -> Option<Heading> {
    let line = line.trim();
    if let Some(back) = line.strip_prefix("Back to state") {
        let back = back.trim_start();
        let end = back.find(|c: char| !c.is_ascii_digit()).unwrap_or(back.len());
        return Some(Heading::BackTo(back[..end].parse().ok()));
    }
    let named = line.strip_prefix("State ");
    let (number, rest) = named.unwrap_or(line).split_once(':')?;
    let number = number.parse().ok()?;
    let rest = rest.trim_start();
    if rest.starts_with("Stuttering") {
        return Some(Heading::Stuttering(number));
    }
    if rest.starts_with("Back to state") {
        return Some(Heading::BackTo(Some(number)));
    }
    (named.is_some() || rest.starts_with('<')).then_some(Heading::State(number))
}

/// True if a text has lines of TLC that begin a trace.
pub fn lists_states(text: &str) -> bool {
    text.lines().any(|line| matches!(heading(line), Some(Heading::State(1))))
}

/// Returns the trace in the lines of TLC as a document in ITF; `None` if there is none.
///
/// # Errors
/// States that do not follow each other, or one that cannot be read.
pub(super) fn document(text: &str) -> Option<Result<Json, ItfError>> {
    let mut starts = Vec::new();
    // The number of the state that follows the last one.
    let mut back_to = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        at += line.len();
        let Some(heading) = heading(line) else { continue };
        let last = starts.len();
        let fault = match heading {
            Heading::State(1) if last > 0 => {
                "a second trace begins; put each one into a file of its own".to_owned()
            }
            Heading::State(number) | Heading::Stuttering(number) if number != last + 1 => match last {
                0 => format!("the trace begins with state {number}"),
                _ => format!("state {number} follows state {last}"),
            },
            _ if back_to.is_some() => "the trace goes on after its end".to_owned(),
            Heading::State(_) => {
                starts.push(at);
                continue;
            }
            Heading::Stuttering(_) if last > 0 => {
                back_to = Some(last);
                continue;
            }
            Heading::BackTo(Some(number)) if (1..=last).contains(&number) => {
                back_to = Some(number);
                continue;
            }
            Heading::BackTo(Some(number)) => format!("no state {number} is before `Back to state`"),
            Heading::BackTo(None) => "`Back to state` has no number of a state".to_owned(),
            Heading::Stuttering(_) => "no state is before `Stuttering`".to_owned(),
        };
        return Some(Err(ItfError::whole(fault)));
    }
    if starts.is_empty() {
        return None;
    }
    let mut reader = Reader { rest: text, nested: 0, values: 0 };
    let states = starts.iter().enumerate().map(|(index, &start)| {
        reader.rest = &text[start..];
        reader.state().map_err(|message| ItfError { state: Some(index), ..ItfError::whole(message) })
    });
    Some(states.collect::<Result<Vec<_>, _>>().map(|mut states| {
        let vars: Vec<String> = states[0].keys().cloned().collect();
        let Some(number) = back_to else { return json!({ "vars": vars, "states": states }) };
        // The last state is the one in which the loop begins.
        states.push(states[number - 1].clone());
        json!({ "vars": vars, "states": states, "loop": number })
    }))
}

struct Reader<'a> {
    rest: &'a str,
    nested: usize,
    /// The number of values so far.
    values: usize,
}

impl<'a> Reader<'a> {
    fn eats(&mut self, sign: &str) -> bool {
        let rest = self.rest.trim_start();
        match rest.strip_prefix(sign) {
            Some(after) => {
                self.rest = after;
                true
            }
            None => false,
        }
    }

    fn expects(&mut self, sign: &str) -> Result<(), String> {
        if self.eats(sign) {
            return Ok(());
        }
        Err(format!("expected `{sign}`, found {}", self.next()))
    }

    /// The next characters, for messages.
    fn next(&self) -> String {
        let next = self.rest.split_whitespace().next();
        next.map_or_else(|| "the end".to_owned(), |next| format!("`{}`", cut(next)))
    }

    /// Counts values.
    fn count(&mut self, more: usize) -> Result<(), String> {
        self.values += more;
        if self.values > MOST_VALUES {
            return Err(format!("the trace has more than {MOST_VALUES} values, the most that are read"));
        }
        Ok(())
    }

    /// A name, or a number.
    fn word(&mut self) -> Option<&'a str> {
        let rest = self.rest.trim_start();
        let length = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        self.rest = &rest[length..];
        (length > 0).then(|| &rest[..length])
    }

    fn state(&mut self) -> Result<Map<String, Json>, String> {
        let mut values = Map::new();
        loop {
            let before = self.rest;
            let is_listed = self.eats("/\\");
            let name = if is_listed || values.is_empty() { self.word() } else { None };
            match name {
                Some(name) => {
                    self.expects("=")?;
                    let name = name.to_owned();
                    let value = self.value().map_err(|message| format!("in `{name}`: {message}"))?;
                    if values.contains_key(&name) {
                        return Err(format!("`{name}` has two values"));
                    }
                    values.insert(name, value);
                }
                None if values.is_empty() => return Err("it gives no variable a value".into()),
                // A line of its own follows.
                None => match before.lines().next().unwrap_or_default().trim() {
                    "" => return Ok(values),
                    other => return Err(format!("expected the end of the line, found `{}`", cut(other))),
                },
            }
        }
    }

    fn value(&mut self) -> Result<Json, String> {
        self.count(1)?;
        self.nested += 1;
        if self.nested > MOST_NESTED {
            return Err("values are nested too deeply".into());
        }
        let value = self.alone()?;
        self.nested -= 1;
        Ok(value)
    }

    fn alone(&mut self) -> Result<Json, String> {
        if self.eats("\"") {
            return self.string();
        }
        if self.eats("<<") {
            return Ok(Json::Array(self.list(">>")?));
        }
        if self.eats("{") {
            return Ok(json!({ "#set": self.list("}")? }));
        }
        if self.eats("[") {
            let mut fields = Map::new();
            while !self.eats("]") {
                let name = self.word().ok_or("expected a field of a record")?.to_owned();
                self.expects("|->")?;
                let value = self.value()?;
                fields.insert(name, value);
                if !self.eats(",") {
                    self.expects("]")?;
                    break;
                }
            }
            return Ok(Json::Object(fields));
        }
        if self.eats("(") {
            let mut entries = Vec::new();
            loop {
                let key = self.value()?;
                self.expects(":>")?;
                entries.push(json!([key, self.value()?]));
                if !self.eats("@@") {
                    break;
                }
            }
            self.expects(")")?;
            return Ok(json!({ "#map": entries }));
        }
        let is_negative = self.eats("-");
        let word = self.word().ok_or_else(|| format!("expected a value, found {}", self.next()))?;
        let sign = if is_negative { "-" } else { "" };
        match word {
            "TRUE" => Ok(json!(true)),
            "FALSE" => Ok(json!(false)),
            digits if digits.bytes().all(|byte| byte.is_ascii_digit()) => {
                let first = format!("{sign}{digits}");
                if !self.eats("..") {
                    return Ok(json!({ "#bigint": first }));
                }
                let (least, last) = (first.parse::<i64>().ok(), self.value()?);
                let most =
                    last.get("#bigint").and_then(Json::as_str).and_then(|text| text.parse::<i64>().ok());
                let (Some(least), Some(most)) = (least, most) else {
                    return Err("expected an integer".into());
                };
                if most.saturating_sub(least) > 10_000 {
                    return Err("an interval has more than 10000 members".into());
                }
                self.count(usize::try_from(most.saturating_sub(least)).unwrap_or(0))?;
                let members = (least..=most).map(|n| json!({ "#bigint": n.to_string() }));
                Ok(json!({ "#set": members.collect::<Vec<_>>() }))
            }
            name => Ok(json!(name)),
        }
    }

    fn list(&mut self, end: &str) -> Result<Vec<Json>, String> {
        let mut all = Vec::new();
        while !self.eats(end) {
            all.push(self.value()?);
            if !self.eats(",") {
                self.expects(end)?;
                break;
            }
        }
        Ok(all)
    }

    fn string(&mut self) -> Result<Json, String> {
        let mut text = String::new();
        let mut characters = self.rest.char_indices();
        while let Some((at, c)) = characters.next() {
            match c {
                '"' => {
                    self.rest = &self.rest[at + 1..];
                    return Ok(json!(text));
                }
                '\\' => text.extend(characters.next().map(|(_, c)| c)),
                c => text.push(c),
            }
        }
        Err("a string does not end".into())
    }
}
