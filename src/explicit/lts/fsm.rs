//! FSM, a text format of mCRL2: parameters, states and transitions, in sections that `---` separates. States are numbered from 1,
//! the initial one; what their parameters are is left out.

use super::aut::{AutFault, LineConsumer, Mistakes, ReadError, pass};
use super::graph::{Lts, LtsBuilder, StateId};
use kit::budget::{Budget, Stage};
use kit::diagnostics::Diagnostic;
use std::io;

const TRANSITION: &str = "a transition is written `1 2 \"LABEL\"`; states are numbered from 1";

/// Reads a system; `name` is the file name in messages. Compression with gzip, bzip2 or zstd is detected.
///
/// # Errors
/// The mistakes in the file, or the exhausted budget.
pub fn read(input: impl io::Read, name: &str, budget: &Budget) -> Result<Lts, ReadError> {
    let mut reader = FsmReader {
        mistakes: Mistakes::new(name),
        builder: LtsBuilder::new(),
        section: 0,
        states: 0,
        lines: 0,
    };
    if let Some(exhausted) = pass(input, &mut reader, budget) {
        return Err(ReadError::Exhausted(exhausted));
    }
    if reader.section < 2 && reader.mistakes.found.is_empty() {
        let message = "there are no transitions: the file has fewer than two lines `---`";
        let help = "an FSM file has three sections: parameters, states and transitions";
        reader.mistakes.add(Diagnostic::error_without_place(message).with_help(help));
    }
    if !reader.mistakes.found.is_empty() {
        return Err(ReadError::Mistakes(reader.mistakes.found, reader.mistakes.sources));
    }
    let states = u32::try_from(reader.states).unwrap_or(u32::MAX);
    reader.builder.finish_within(StateId::FIRST, states, budget).map_err(ReadError::Exhausted)
}

struct FsmReader {
    mistakes: Mistakes,
    builder: LtsBuilder,
    /// 0: parameters, 1: states, 2: transitions.
    section: usize,
    states: u64,
    lines: usize,
}

impl LineConsumer for FsmReader {
    fn line(&mut self, text: &[u8]) {
        self.lines += 1;
        let line = text.trim_ascii();
        match self.section {
            _ if line == b"---" => self.section += 1,
            0 => {}
            // Without parameters, the line of a state is empty.
            1 => self.states += 1,
            _ if line.is_empty() => {}
            _ => {
                if let Err(message) = self.transition(line) {
                    let place = 0..text.trim_ascii_end().len();
                    self.mistakes.fault(self.lines, text, AutFault { place, message, help: TRANSITION });
                }
            }
        }
    }

    fn is_enough(&self) -> bool {
        self.mistakes.enough()
    }

    fn number(&self) -> usize {
        self.lines
    }

    fn mistakes(&mut self) -> &mut Mistakes {
        &mut self.mistakes
    }

    fn stage(&self) -> Stage {
        Stage { done: self.builder.len() as u64, of: None, what: "transitions read" }
    }
}

impl FsmReader {
    /// Adds a transition; what is wrong if it is none.
    fn transition(&mut self, line: &[u8]) -> Result<(), String> {
        if self.section > 2 {
            return Err("there is a fourth section".into());
        }
        let (from, rest) = self.state(line)?;
        let (to, rest) = self.state(rest)?;
        let label = match rest.trim_ascii() {
            [b'"', inner @ .., b'"'] => inner,
            [] => return Err("the label is missing here".into()),
            _ => return Err("the label is not between quotes".into()),
        };
        let label = self.builder.labels.intern(label);
        self.builder.add(from, label, to);
        Ok(())
    }

    /// The state at the beginning of a text, and the rest of it.
    fn state<'t>(&self, text: &'t [u8]) -> Result<(StateId, &'t [u8]), String> {
        let text = text.trim_ascii_start();
        if text.starts_with(b"[") {
            return Err("a probability distribution in place of a state is not supported".into());
        }
        let digits = text.iter().take_while(|b| b.is_ascii_digit()).count();
        let number = std::str::from_utf8(&text[..digits]).ok().and_then(|digits| digits.parse::<u64>().ok());
        match number {
            Some(number @ 1..) if number <= self.states => {
                let index = u32::try_from(number - 1).ok().filter(|&index| index < u32::MAX - 1);
                let index = index.ok_or("state number out of range")?;
                Ok((StateId::from_u32(index), &text[digits..]))
            }
            Some(number) => Err(format!("there is no state {number}: there are {} states", self.states)),
            None => Err("the number of a state is missing here".into()),
        }
    }
}
