//! Reading AUT line by line: the text is never in memory as a whole.

use super::line::{self, AutFault, AutHeader, ParsedTransition};
use super::lines::{self, LineConsumer};
use super::mistakes::Mistakes;
use crate::lts::graph::{Lts, LtsBuilder, StateId};
use kit::budget::{Budget, Exhausted, Stage};
use kit::diagnostics::{Diagnostic, SourceMap};
use std::fmt;
use std::io;

/// The byte order mark that some editors put before UTF-8.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Options for reading.
#[derive(Debug, Clone, Copy, Default)]
pub struct ReadOptions {
    /// True if to accept wrong or missing counts, and states beyond the declared number.
    pub lenient: bool,
    /// True if states and labels have tags, as in the files of CLEAR's viewer (AUTX): `(0:N:G, "A":GREEN, -1)`. They are left out.
    pub tagged: bool,
}

/// Why a file could not be read.
#[derive(Debug)]
pub enum ReadError {
    /// The mistakes in the file, in the order of its lines, and the lines that they point into.
    Mistakes(Vec<Diagnostic>, SourceMap),
    /// The budget was exhausted before the end of the file.
    Exhausted(Exhausted),
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadError::Mistakes(found, _) => {
                let first = found.first().map_or("malformed AUT", |first| first.message.as_str());
                f.write_str(first)?;
                match found.len() {
                    0 | 1 => Ok(()),
                    n => write!(f, " (and {} more)", n - 1),
                }
            }
            ReadError::Exhausted(why) => why.fmt(f),
        }
    }
}

impl std::error::Error for ReadError {}

/// Reads a system; `name` is the file name in messages. Compression with gzip, bzip2 or zstd is detected. An input that fails with
/// [`io::ErrorKind::TimedOut`] once the budget is exhausted counts as exhausted.
///
/// # Errors
/// The mistakes in the file, or the exhausted budget.
pub fn read(
    input: impl io::Read,
    name: &str,
    options: ReadOptions,
    budget: &Budget,
) -> Result<Lts, ReadError> {
    let mut reader = AutReader {
        options,
        mistakes: Mistakes::new(name),
        builder: LtsBuilder::new(),
        header: None,
        lines: 0,
        hopeless: false,
        untagged: Vec::new(),
    };
    match lines::pass(input, &mut reader, budget) {
        Some(exhausted) => Err(ReadError::Exhausted(exhausted)),
        None => reader.finish(budget),
    }
}

/// The header with its line, for mistakes that show only later.
struct HeaderLine {
    header: AutHeader,
    line: usize,
    text: Vec<u8>,
}

struct AutReader {
    options: ReadOptions,
    mistakes: Mistakes,
    builder: LtsBuilder,
    header: Option<HeaderLine>,
    lines: usize,
    /// True if the input is not AUT at all.
    hopeless: bool,
    /// Room for a line without its tags.
    untagged: Vec<u8>,
}

impl LineConsumer for AutReader {
    #[inline]
    fn line(&mut self, text: &[u8]) {
        self.transition(text);
    }

    fn is_enough(&self) -> bool {
        self.hopeless || self.mistakes.enough()
    }

    fn number(&self) -> usize {
        self.lines
    }

    fn mistakes(&mut self) -> &mut Mistakes {
        &mut self.mistakes
    }

    fn stage(&self) -> Stage {
        let of = self.header.as_ref().and_then(|found| found.header.transitions);
        Stage { done: self.builder.len() as u64, of, what: "transitions read" }
    }
}

impl AutReader {
    #[inline]
    fn transition(&mut self, text: &[u8]) {
        self.lines += 1;
        let Some(found) = &self.header else { return self.header(text) };
        let parsed = match self.options.tagged {
            true => line::tagged(text, found.header.states, &mut self.untagged),
            false => line::transition(text),
        };
        match parsed {
            Ok(ParsedTransition { from, label, to }) => {
                let beyond =
                    found.header.states.is_some_and(|states| u64::from(from.max(to).to_u32()) >= states);
                if beyond && !self.options.lenient {
                    return self.beyond(text, from, to);
                }
                let label = self.builder.labels.intern(label);
                self.builder.add(from, label, to);
            }
            Err(_) if text.iter().all(u8::is_ascii_whitespace) => {}
            Err(fault) => self.mistakes.fault(self.lines, text, fault),
        }
    }

    fn header(&mut self, text: &[u8]) {
        let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
        match line::header(text) {
            Ok(header) => {
                if header.states.is_some_and(|states| states <= u64::from(header.initial.to_u32())) {
                    let message = match header.states {
                        Some(0) => "there are no states, hence no initial state".to_owned(),
                        _ => format!("the initial state {} exceeds the number of states", header.initial),
                    };
                    if !self.options.lenient {
                        let help =
                            "states are numbered from 0; --lenient accepts numbers beyond the declared range";
                        self.mistakes.fault(
                            self.lines,
                            text,
                            AutFault { place: 0..text.len(), message, help },
                        );
                    }
                }
                let missing = header.transitions.is_none() || header.states.is_none();
                if missing && !self.options.lenient {
                    let message =
                        "the header has no counts: the tool that wrote it did not finish".to_owned();
                    let help = "generate the file again, or accept the incomplete file with --lenient";
                    self.mistakes.fault(self.lines, text, AutFault { place: 0..text.len(), message, help });
                }
                self.header = Some(HeaderLine { header, line: self.lines, text: text.to_vec() });
            }
            Err(_) if text.iter().all(u8::is_ascii_whitespace) => {}
            Err(fault) => {
                self.mistakes.fault(self.lines, text, fault);
                // The lines of a file that resembles AUT are checked nevertheless.
                let header = AutHeader { initial: StateId::FIRST, transitions: None, states: None };
                self.header = Some(HeaderLine { header, line: self.lines, text: text.to_vec() });
                self.hopeless = !text.trim_ascii_start().starts_with(b"des");
            }
        }
    }

    fn beyond(&mut self, text: &[u8], from: StateId, to: StateId) {
        let states = self.header.as_ref().and_then(|found| found.header.states).unwrap_or_default();
        let message = match states {
            0 => format!("there is no state {}: the header declares none", from.max(to)),
            _ => format!("there is no state {}: the last one is {}", from.max(to), states - 1),
        };
        let help =
            "correct the number of states (the third number of the header), or accept it with --lenient";
        let trimmed = text.trim_ascii_end().len();
        self.mistakes.fault(self.lines, text, AutFault { place: 0..trimmed, message, help });
    }

    fn finish(mut self, budget: &Budget) -> Result<Lts, ReadError> {
        match &self.header {
            None if self.mistakes.found.is_empty() => {
                self.mistakes.add(Diagnostic::error_without_place("the file is empty").with_help(
                    "an AUT file starts with `des (initial state, number of transitions, number of states)`",
                ))
            }
            Some(found) if self.mistakes.found.is_empty() => self.check_sizes_of(found.header.transitions),
            _ => {}
        }
        match self.header {
            Some(HeaderLine { header, .. }) if self.mistakes.found.is_empty() => {
                let declared = header.states.and_then(|states| u32::try_from(states).ok());
                let lts = self.builder.finish_within(header.initial, declared.unwrap_or_default(), budget);
                lts.map_err(ReadError::Exhausted)
            }
            _ => Err(ReadError::Mistakes(self.mistakes.found, self.mistakes.sources)),
        }
    }

    fn check_sizes_of(&mut self, expected: Option<u64>) {
        let Some(found) = &self.header else { return };
        let there = self.builder.len() as u64;
        let (line, text) = (found.line, found.text.clone());
        let mut complain = |message: String, help| {
            self.mistakes.fault(
                line,
                &text,
                AutFault { place: 0..text.trim_ascii_end().len(), message, help },
            );
        };
        if let Some(expected) = expected.filter(|&expected| expected != there && !self.options.lenient) {
            let help = if there < expected {
                "the file may be truncated; --lenient accepts it as it is"
            } else {
                "correct the second number of the header, or accept it with --lenient"
            };
            complain(format!("the header declares {expected} transitions, but there are {there}"), help);
        }
        if found.header.states.is_some_and(|states| states >= u64::from(u32::MAX)) {
            complain("there are too many states".into(), "at most 4294967294 are supported");
        }
        if there >= u64::from(u32::MAX) {
            complain("there are too many transitions".into(), "at most 4294967294 are supported");
        }
        // Every state up to the last one takes a row; a few lines must not allocate gigabytes.
        let states = u64::from(self.builder.mentioned().max(found.header.initial.to_u32() + 1));
        if states > 16 * there + (1 << 20) {
            complain(
                format!("there are only {there} transitions, but the last state has number {}", states - 1),
                "number the states consecutively from 0",
            );
        }
    }
}
