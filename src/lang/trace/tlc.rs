//! Error traces of TLC, the model checker of TLA+, as documents in ITF.
//!
//! They are the lines that TLC prints, `State 2: <Enter line 9, col 3 …>` with `/\ x = 1` below, perhaps among others. Values map
//! like those of Apalache; functions of `1..n` are written as sequences, and those of strings as records.

use serde_json::{Map, Value as Json, json};

/// The most values within each other.
const MOST_NESTED: usize = 100;

/// The end of a trace.
enum End {
    /// The number of the state, from 1, that follows the last one.
    BackTo(usize),
    Stuttering,
}

/// Returns the trace in the lines of TLC as a document in ITF; `None` if there is none.
///
/// # Errors
/// If a state cannot be read: its index, from 0, and the fault.
pub(super) fn document(text: &str) -> Option<Result<Json, (usize, String)>> {
    let mut starts = Vec::new();
    let mut end = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let own = line.trim();
        let (number, rest) = own.strip_prefix("State ").unwrap_or(own).split_once(':').unwrap_or(("", ""));
        let rest = rest.trim();
        let back = own.strip_prefix("Back to state").map(str::trim_start);
        if let Some(back) = back {
            let digits: String = back.chars().take_while(char::is_ascii_digit).collect();
            end = digits.parse().ok().map(End::BackTo);
        } else if number.parse::<usize>().ok() == Some(starts.len() + 1) {
            match rest.strip_prefix("Stuttering") {
                Some(_) => end = Some(End::Stuttering),
                None if rest.starts_with('<') => starts.push(at + line.len()),
                None => {}
            }
        }
        at += line.len();
    }
    if starts.is_empty() {
        return None;
    }
    let states = (0..).zip(&starts).map(|(index, &start)| {
        let mut reader = Reader { rest: &text[start..], nested: 0 };
        reader.state().map_err(|message| (index, message))
    });
    Some(states.collect::<Result<Vec<_>, _>>().map(|mut states| {
        let vars: Vec<String> = states[0].keys().cloned().collect();
        let number = match end {
            None => return json!({ "vars": vars, "states": states }),
            Some(End::Stuttering) => states.len(),
            Some(End::BackTo(number)) => number.clamp(1, states.len()),
        };
        // The last state is the one in which the loop begins.
        states.push(states[number - 1].clone());
        json!({ "vars": vars, "states": states, "loop": number })
    }))
}

struct Reader<'a> {
    rest: &'a str,
    nested: usize,
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
        Err(format!("expected `{sign}`, found `{}`", self.next()))
    }

    /// The next characters, for messages.
    fn next(&self) -> &'a str {
        self.rest.split_whitespace().next().unwrap_or_default()
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
                    values.insert(name, value);
                }
                None if values.is_empty() => return Err("it gives no variable a value".into()),
                None => {
                    self.rest = before;
                    return Ok(values);
                }
            }
        }
    }

    fn value(&mut self) -> Result<Json, String> {
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
        let word = self.word().ok_or_else(|| format!("expected a value, found `{}`", self.next()))?;
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
