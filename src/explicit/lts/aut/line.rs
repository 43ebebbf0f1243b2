//! Parsing of single lines of an AUT file: the header and transitions.

use crate::lts::graph::StateId;
use std::ops::Range;

/// A mistake in a line.
#[derive(Debug, PartialEq, Eq)]
pub struct AutFault {
    /// The place in the line, in bytes; possibly empty.
    pub place: Range<usize>,
    /// One sentence.
    pub message: String,
    /// Advice.
    pub help: &'static str,
}

const TRANSITION: &str = "a transition is written `(0, LABEL, 1)` or `(0, \"any label\", 1)`";
const HEADER: &str = "an AUT file starts with `des (initial state, number of transitions, number of states)`";

/// The header.
#[derive(Debug, PartialEq, Eq)]
pub struct AutHeader {
    /// The initial state.
    pub initial: StateId,
    /// The number of transitions; `None` for `?`, which an interrupted tool leaves behind.
    pub transitions: Option<u64>,
    /// How many states there are.
    pub states: Option<u64>,
}

fn blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r')
}

struct Cursor<'a> {
    line: &'a [u8],
    at: usize,
}

impl Cursor<'_> {
    #[inline]
    fn skip_blanks(&mut self) {
        while self.at < self.line.len() && blank(self.line[self.at]) {
            self.at += 1;
        }
    }

    fn fault(&self, message: impl Into<String>, help: &'static str) -> AutFault {
        let end = (self.at + 1).min(self.line.len());
        AutFault { place: self.at.min(end)..end, message: message.into(), help }
    }

    #[inline]
    fn expect(&mut self, byte: u8, before: &str, help: &'static str) -> Result<(), AutFault> {
        self.skip_blanks();
        if self.line.get(self.at) != Some(&byte) {
            return Err(self.fault(format!("a `{}` is missing {before}", char::from(byte)), help));
        }
        self.at += 1;
        Ok(())
    }

    /// A number; `None` if there is no digit.
    #[inline]
    fn number(&mut self) -> Option<u64> {
        self.skip_blanks();
        let start = self.at;
        let mut value = 0u64;
        while let Some(digit) = self.line.get(self.at).map(|b| b.wrapping_sub(b'0')).filter(|&d| d < 10) {
            value = value.saturating_mul(10).saturating_add(u64::from(digit));
            self.at += 1;
        }
        (self.at > start).then_some(value)
    }
}

/// Reads the header.
pub fn header(line: &[u8]) -> Result<AutHeader, AutFault> {
    let mut cursor = Cursor { line, at: 0 };
    cursor.skip_blanks();
    if !line[cursor.at..].starts_with(b"des") {
        return Err(cursor.fault("this is not the header of an AUT file", HEADER));
    }
    cursor.at += 3;
    cursor.expect(b'(', "after `des`", HEADER)?;
    let start = cursor.at;
    let initial = cursor.number().ok_or_else(|| cursor.fault("the initial state is missing here", HEADER))?;
    let initial = state(initial, start..cursor.at)?;
    cursor.skip_blanks();
    if line.get(cursor.at).is_some_and(u8::is_ascii_digit) {
        let help = "resolve it first, or write its outcomes as transitions labelled `prob 1/2`";
        return Err(cursor.fault("a probability distribution in place of a state is not supported", help));
    }
    cursor.expect(b',', "after the initial state", HEADER)?;
    let transitions = count(&mut cursor, "transitions")?;
    cursor.expect(b',', "after the number of transitions: a header has three numbers", HEADER)?;
    let states = count(&mut cursor, "states")?;
    cursor.expect(b')', "at the end of the header", HEADER)?;
    cursor.skip_blanks();
    if cursor.at < line.len() {
        return Err(cursor.fault("unexpected text after the header", HEADER));
    }
    Ok(AutHeader { initial, transitions, states })
}

fn count(cursor: &mut Cursor<'_>, what: &str) -> Result<Option<u64>, AutFault> {
    cursor.skip_blanks();
    if cursor.line.get(cursor.at) == Some(&b'?') {
        cursor.at += 1;
        return Ok(None);
    }
    let number = cursor.number();
    number.map(Some).ok_or_else(|| cursor.fault(format!("the number of {what} is missing here"), HEADER))
}

/// Checks that a state number is below 2³² − 2.
#[inline]
pub fn state(number: u64, place: Range<usize>) -> Result<StateId, AutFault> {
    match u32::try_from(number) {
        Ok(state) if state < u32::MAX => Ok(StateId::from_u32(state)),
        _ => Err(AutFault {
            place,
            message: "state number out of range".into(),
            help: "states are numbered from 0 to 4294967293",
        }),
    }
}

/// A transition with the text of its label.
#[derive(Debug, PartialEq, Eq)]
pub struct ParsedTransition<'a> {
    /// The source.
    pub from: StateId,
    /// The label without its quotes.
    pub label: &'a [u8],
    /// The target.
    pub to: StateId,
}

/// Parses a transition. The source is everything up to the first comma, the target everything after the last one; the
/// label is what lies between them.
#[inline]
pub fn transition(line: &[u8]) -> Result<ParsedTransition<'_>, AutFault> {
    let mut cursor = Cursor { line, at: 0 };
    cursor.expect(b'(', "before the source state", TRANSITION)?;
    cursor.skip_blanks();
    let start = cursor.at;
    let Some(from) = cursor.number() else {
        return Err(cursor.fault("the source state is missing here", TRANSITION));
    };
    let from = state(from, start..cursor.at)?;
    cursor.expect(b',', "after the source state", TRANSITION)?;
    let left = cursor.at;

    let mut end = back_over_blanks(line, left, line.len());
    if end == left || line[end - 1] != b')' {
        return Err(missing(end, "a `)` is missing at the end of the line"));
    }
    end = back_over_blanks(line, left, end - 1);
    let mut digits = end;
    while digits > left && line[digits - 1].is_ascii_digit() {
        digits -= 1;
    }
    if digits == end {
        return Err(missing(end, "the target state is missing here"));
    }
    let to = Cursor { line, at: digits }.number().unwrap_or_default();
    let to = state(to, digits..end)?;
    let comma = back_over_blanks(line, left, digits);
    if comma == left || line[comma - 1] != b',' {
        return Err(missing(comma, "a `,` is missing before the target state: a transition has three parts"));
    }

    let mut start = left;
    while start < comma - 1 && blank(line[start]) {
        start += 1;
    }
    let end = back_over_blanks(line, start, comma - 1);
    let label = &line[start..end];
    match label {
        [] => Err(AutFault {
            place: start..end,
            message: "the label is missing here".into(),
            help: "an empty label is written `\"\"`",
        }),
        [b'"', inner @ .., b'"'] => Ok(ParsedTransition { from, label: inner, to }),
        [b'"', ..] => Err(AutFault {
            place: start..end,
            message: "this label starts with a quote but does not end with one".into(),
            help: "put the label in quotes; quotes inside it are not escaped",
        }),
        plain => Ok(ParsedTransition { from, label: plain, to }),
    }
}

/// Parses a transition with tags, `(0:N:G, "A":GREEN, -1)`, where -1 is the last of the states; `room` takes it without them.
pub fn tagged<'r>(
    line: &[u8],
    states: Option<u64>,
    room: &'r mut Vec<u8>,
) -> Result<ParsedTransition<'r>, AutFault> {
    let whole = |message: &str| AutFault {
        place: 0..line.trim_ascii_end().len(),
        message: message.into(),
        help: "a tagged transition is written `(0, \"LABEL\":GREEN, 1)` or `(0:N:R, \"LABEL\":RED, -1)`",
    };
    let (Some(first), Some(last)) = (memchr::memchr(b',', line), memchr::memrchr(b',', line)) else {
        return Err(whole("this is no transition with tags"));
    };
    let (source, target) = (&line[..first], &line[last + 1..]);
    let label = line.get(first + 1..last).unwrap_or_default();
    let source = &source[..memchr::memchr(b':', source).unwrap_or(source.len())];
    let label = match memchr::memrchr(b'"', label) {
        Some(quote) if label[quote + 1..].trim_ascii_start().starts_with(b":") => &label[..=quote],
        _ => label,
    };
    room.clear();
    room.extend_from_slice(source);
    room.push(b',');
    room.extend_from_slice(label);
    room.push(b',');
    match (target.trim_ascii().strip_prefix(b"-1"), states.and_then(|states| states.checked_sub(1))) {
        (Some(end), Some(sink)) => {
            room.extend_from_slice(sink.to_string().as_bytes());
            room.extend_from_slice(end);
        }
        _ => room.extend_from_slice(target),
    }
    transition(room).map_err(|fault| whole(&fault.message))
}

#[inline]
fn back_over_blanks(line: &[u8], from: usize, mut end: usize) -> usize {
    while end > from && blank(line[end - 1]) {
        end -= 1;
    }
    end
}

/// The error for something that a line lacks at an offset.
pub fn missing(at: usize, message: &str) -> AutFault {
    AutFault { place: at..at, message: message.into(), help: TRANSITION }
}
