//! Standard output and standard error: colours, width, closed pipes.

use super::args::Color;
use super::progress::StatusLine;
use super::refusal::Refusal;
use cladist::diagnostics::{Diagnostic, SourceMap, first_mistakes, render};
use cladist::report::Paint;
use std::io::{BufWriter, ErrorKind, IsTerminal, Write};
use std::sync::Arc;

/// Where things are printed and how.
#[derive(Debug)]
pub struct Console {
    color_stdout: bool,
    color_stderr: bool,
    status: Arc<StatusLine>,
    width: usize,
}

impl Console {
    /// Looks at the environment once.
    pub fn new(color: Color) -> Self {
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
            status: Arc::new(StatusLine::new(terminal_stderr, width)),
            width,
        }
    }

    /// Colours for standard output.
    pub fn paint(&self) -> Paint {
        Paint::new(self.color_stdout)
    }

    /// Columns to use.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The line at the bottom of a terminal that says how far a command is. Whatever is printed takes its place.
    pub fn status(&self) -> &Arc<StatusLine> {
        &self.status
    }

    /// Prints a result. A reader that has gone away has read enough: that is no error.
    pub fn print(&self, text: &str) -> Result<(), Refusal> {
        self.write(|out| out.write_all(text.as_bytes()))
    }

    /// Writes a result to standard output piece by piece.
    pub fn write(&self, write: impl FnOnce(&mut dyn Write) -> std::io::Result<()>) -> Result<(), Refusal> {
        self.status.erase();
        let mut stdout = BufWriter::new(std::io::stdout().lock());
        match write(&mut stdout).and_then(|()| stdout.flush()) {
            Err(error) if error.kind() != ErrorKind::BrokenPipe => {
                Err(Refusal::message(format!("cannot write to standard output: {error}")))
            }
            _ => Ok(()),
        }
    }

    /// Prints findings on standard error, at most [`MISTAKES_SHOWN`](cladist::diagnostics::MISTAKES_SHOWN) about
    /// each file.
    pub fn diagnose(&self, diagnostics: &[Diagnostic], sources: &SourceMap) {
        for diagnostic in &first_mistakes(diagnostics.to_vec(), sources) {
            self.say(&render(diagnostic, sources, self.color_stderr));
        }
    }

    /// Prints on standard error; if nobody listens, nothing can be done about it.
    pub fn say(&self, text: &str) {
        self.status.erase();
        let _ = std::io::stderr().lock().write_all(text.as_bytes());
    }
}

fn is_set(variable: &str) -> bool {
    std::env::var_os(variable).is_some_and(|value| !value.is_empty())
}
