//! Standard output and standard error: colours, width, control characters, closed and full streams.

use super::args::Color;
use super::exit::Exit;
use super::refusal::UsageError;
use super::status_line::StatusLine;
use super::watchdog::Watchdog;
use cladist::diagnostics::{Diagnostic, EarlyEnd, SourceMap, first_mistakes, printable, render};
use cladist::report::{Paint, error_document, to_json};
use clap::builder::StyledStr;
use std::borrow::Cow;
use std::collections::HashSet;
use std::io::{BufWriter, ErrorKind, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// The output streams of a command and their properties.
#[derive(Debug)]
pub struct Console {
    color_stdout: bool,
    color_stderr: bool,
    status: Arc<StatusLine>,
    watchdog: Watchdog,
    width: usize,
    command_line: String,
    /// True if a result could not be written to standard output.
    incomplete: AtomicBool,
    /// The diagnostics that were printed, as texts.
    diagnosed: Mutex<HashSet<String>>,
}

impl Console {
    /// Reads the environment once.
    pub fn new(color: Color, watchdog: Watchdog, command_line: String) -> Self {
        let terminal_stderr = std::io::stderr().is_terminal();
        let wanted = |terminal: bool| match color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => {
                terminal && !is_set("NO_COLOR") && std::env::var_os("TERM").is_none_or(|t| t != "dumb")
            }
        };
        let told = std::env::var("COLUMNS").ok().and_then(|c| c.parse().ok());
        let terminal =
            || terminal_size::terminal_size_of(std::io::stdout()).map(|(width, _)| usize::from(width.0));
        let width = told.or_else(terminal).unwrap_or(100).clamp(40, 400);
        Self {
            color_stdout: wanted(std::io::stdout().is_terminal()),
            color_stderr: wanted(terminal_stderr),
            status: Arc::new(StatusLine::new(terminal_stderr)),
            watchdog,
            width,
            command_line,
            incomplete: AtomicBool::new(false),
            diagnosed: Mutex::default(),
        }
    }

    /// Returns the colours for standard output.
    pub fn paint(&self) -> Paint {
        Paint::new(self.color_stdout)
    }

    /// Returns the number of columns to use.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Returns the command line without the options that say where results go.
    pub fn command_line(&self) -> &str {
        &self.command_line
    }

    /// Returns the progress line. All other output replaces it.
    pub fn status(&self) -> &Arc<StatusLine> {
        &self.status
    }

    /// Returns the watchdog of this run.
    pub fn watchdog(&self) -> &Watchdog {
        &self.watchdog
    }

    /// Prints a result; see [`Console::write`]. Control characters are escaped, except requested colours.
    pub fn print(&self, text: &str) -> Result<(), UsageError> {
        self.write(|out| out.write_all(self.safe(text, self.color_stdout).as_bytes()))
    }

    /// Writes a result to standard output piece by piece. A failure is reported on standard error; it does not end the
    /// command, which may have files to write, but no verdict survives it (see [`Console::ended_with`]).
    pub fn write(&self, write: impl FnOnce(&mut dyn Write) -> std::io::Result<()>) -> Result<(), UsageError> {
        self.status.erase();
        let written = self.watchdog.while_printing(|| {
            let mut stdout = BufWriter::with_capacity(
                1 << 16,
                WatchedOutput { out: std::io::stdout().lock(), watchdog: &self.watchdog },
            );
            let written = write(&mut stdout).and_then(|()| stdout.flush());
            // After an error, the rest of the buffer is not written.
            drop(stdout.into_parts());
            written
        });
        if let Err(error) = written {
            self.cannot_write(&error);
        }
        Ok(())
    }

    /// Reports that a result could not be written to standard output.
    pub fn cannot_write(&self, error: &std::io::Error) {
        let why = match error.kind() {
            ErrorKind::BrokenPipe => "its reader is gone".to_owned(),
            _ => error.to_string(),
        };
        // One report suffices.
        if !self.incomplete.swap(true, Ordering::Relaxed) {
            self.say(&format!("error: cannot write to standard output: {why}\n"));
        }
    }

    /// Returns the exit code of a command with this outcome; without a complete result on standard output, no verdict.
    pub fn ended_with(&self, exit: Exit) -> Exit {
        match exit {
            Exit::Internal => exit,
            _ if self.incomplete.load(Ordering::Relaxed) => Exit::BadInput,
            exit => exit,
        }
    }

    /// Reports a refusal on standard error, with `json` also as a document on standard output.
    pub fn refuse(&self, refusal: &UsageError, json: bool) -> Exit {
        self.diagnose(&refusal.diagnostics, &refusal.sources);
        if json { self.refuse_on_stdout(refusal) } else { exit_of(refusal) }
    }

    /// Reports a refusal as a JSON document only.
    pub fn refuse_on_stdout(&self, refusal: &UsageError) -> Exit {
        // If standard output cannot be written to, standard error has the complete refusal.
        let shown = first_mistakes(refusal.diagnostics.clone(), &refusal.sources);
        let _ = self.print(&to_json(&error_document(&shown, &refusal.sources)));
        exit_of(refusal)
    }

    /// Prints diagnostics on standard error, each once, at most
    /// [`MISTAKES_SHOWN`](cladist::diagnostics::MISTAKES_SHOWN) about each file.
    pub fn diagnose(&self, diagnostics: &[Diagnostic], sources: &SourceMap) {
        for diagnostic in &first_mistakes(diagnostics.to_vec(), sources) {
            let text = render(diagnostic, sources, self.color_stderr);
            let mut diagnosed = self.diagnosed.lock().unwrap_or_else(PoisonError::into_inner);
            if diagnosed.insert(text.clone()) {
                self.say(&text);
            }
        }
    }

    /// Prints a styled text on standard error.
    pub fn say_styled(&self, text: &StyledStr) {
        match self.color_stderr {
            true => self.say(&text.ansi().to_string()),
            false => self.say(&text.to_string()),
        }
    }

    /// Prints on standard error; failures are ignored, since there is no other place to report them.
    pub fn say(&self, text: &str) {
        self.status.erase();
        let _ = std::io::stderr().lock().write_all(self.safe(text, self.color_stderr).as_bytes());
    }

    /// Escapes the control characters of a text. With colours, the sequences that set them stay.
    fn safe<'t>(&self, text: &'t str, colors: bool) -> Cow<'t, str> {
        if !colors || !text.contains('\u{1b}') {
            return printable(text);
        }
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(at) = rest.find("\u{1b}[") {
            let parameters = &rest[at + 2..];
            let end = parameters.find(|c: char| !c.is_ascii_digit() && c != ';');
            out.push_str(&printable(&rest[..at]));
            match end.filter(|&end| parameters[end..].starts_with('m')) {
                Some(end) => {
                    out.push_str(&rest[at..at + 2 + end + 1]);
                    rest = &parameters[end + 1..];
                }
                None => {
                    out.push_str(&printable(&rest[at..at + 2]));
                    rest = parameters;
                }
            }
        }
        out.push_str(&printable(rest));
        Cow::Owned(out)
    }
}

/// Standard output that tells the watchdog of every piece.
struct WatchedOutput<'a, W> {
    out: W,
    watchdog: &'a Watchdog,
}

impl<W: Write> Write for WatchedOutput<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        // A pipe may take a large piece only in parts; the watchdog is told of each.
        let written = self.out.write(&bytes[..bytes.len().min(1 << 14)])?;
        self.out.flush()?;
        self.watchdog.piece_printed();
        Ok(written)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.out.flush()
    }
}

fn is_set(variable: &str) -> bool {
    std::env::var_os(variable).is_some_and(|value| !value.is_empty())
}

/// Returns the exit code of a refusal. Input that was not read completely may be correct.
fn exit_of(refusal: &UsageError) -> Exit {
    match refusal.diagnostics.iter().find_map(|diagnostic| diagnostic.unfinished) {
        None => Exit::BadInput,
        Some(EarlyEnd::Limit) => Exit::Undecided,
        Some(EarlyEnd::Interrupted) => Exit::Interrupted,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::limits::CommandLimits;

    #[test]
    fn only_colours_are_printed_as_they_are() {
        let watchdog = Watchdog::idle(CommandLimits::default(), false);
        let console = Console::new(Color::Always, watchdog, String::new());
        let text = "\u{1b}[1;31mbad\u{1b}[0m \u{1b}[2J\u{1b}]0;title\u{7}\u{1b}[31";
        let safe = "\u{1b}[1;31mbad\u{1b}[0m \\u001b[2J\\u001b]0;title\\u0007\\u001b[31";
        assert_eq!(console.safe(text, true), safe);
        assert!(!console.safe(text, false).contains('\u{1b}'));
        assert_eq!(console.safe("∃ i\n", true), "∃ i\n");
    }
}
