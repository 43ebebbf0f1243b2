//! The progress line: the last line of a terminal, rewritten at most ten times a second.

use std::io::Write;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The least time between two versions of the line.
const PAUSE: Duration = Duration::from_millis(100);
const ERASE: &str = "\r\u{1b}[K";

/// The last line on standard error, if that is a terminal.
#[derive(Debug)]
pub struct StatusLine {
    terminal: bool,
    drawn: Mutex<Option<Instant>>,
}

impl StatusLine {
    /// Creates an empty line, which is drawn only if standard error is a `terminal`.
    pub fn new(terminal: bool) -> Self {
        Self { terminal, drawn: Mutex::default() }
    }

    /// Replaces the line, unless that was done less than 100 ms ago. The line is truncated to the current width of the
    /// terminal, so that it never takes a second line, which could not be erased.
    pub fn draw(&self, text: impl FnOnce() -> String) {
        if !self.terminal {
            return;
        }
        let mut drawn = self.drawn.lock().unwrap_or_else(PoisonError::into_inner);
        if drawn.is_none_or(|at| at.elapsed() >= PAUSE) {
            *drawn = Some(Instant::now());
            let width = terminal_size::terminal_size_of(std::io::stderr());
            let line = cut(&text(), width.map_or(80, |(width, _)| usize::from(width.0)));
            // If standard error is closed, the failure is ignored.
            let _ = std::io::stderr().lock().write_all(format!("{ERASE}{line}").as_bytes());
        }
    }

    /// Removes the line.
    pub fn erase(&self) {
        let mut drawn = self.drawn.lock().unwrap_or_else(PoisonError::into_inner);
        if drawn.take().is_some() {
            let _ = std::io::stderr().lock().write_all(ERASE.as_bytes());
        }
    }
}

/// Truncates a text to a line of this width, with room for the cursor. Control characters, which would break the line,
/// are removed. Every other character of a progress line takes one column.
fn cut(text: &str, width: usize) -> String {
    text.chars().filter(|c| !c.is_control()).take(width.saturating_sub(1)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_fits_the_terminal() {
        assert_eq!(cut("k=7  facts 41→6", 11), "k=7  facts");
        assert_eq!(cut("a\nb\u{1b}[Kc", 80), "ab[Kc");
        assert_eq!(cut("abc", 0), "");
    }
}
