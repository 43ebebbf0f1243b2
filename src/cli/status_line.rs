//! The progress line: the last line of a terminal, rewritten at most ten times a second, and at least once.

use cladist::budget::helper;
use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The time before which a command shows no progress line.
const PATIENCE: Duration = Duration::from_millis(300);
/// The least time between two versions of the line.
const PAUSE: Duration = Duration::from_millis(100);
/// The greatest time between two versions of the line, which ends with a clock.
const TICK: Duration = Duration::from_secs(1);
const ERASE: &str = "\r\u{1b}[K";

/// The last line on standard error, if that is a terminal.
#[derive(Debug)]
pub struct StatusLine {
    terminal: bool,
    started: Instant,
    shown: Mutex<StatusContent>,
}

#[derive(Debug, Default)]
struct StatusContent {
    /// The text before the clock; `None` if there is no line.
    text: Option<String>,
    drawn: Option<Instant>,
    /// True once a thread redraws the line every second.
    ticks: bool,
}

impl StatusLine {
    /// Creates an empty line whose clock starts now. It is drawn only if standard error is a `terminal`.
    pub fn new(terminal: bool) -> Self {
        Self { terminal, started: Instant::now(), shown: Mutex::default() }
    }

    /// Returns the time since the start.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Replaces the line; draws it unless that was done less than 100 ms ago.
    pub fn draw(self: &Arc<Self>, text: impl FnOnce() -> String) {
        if !self.terminal {
            return;
        }
        let mut shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        shown.text = Some(text());
        if !shown.ticks {
            shown.ticks = true;
            self.tick();
        }
        if shown.drawn.is_none_or(|at| at.elapsed() >= PAUSE) {
            self.redraw(&mut shown);
        }
    }

    /// Removes the line.
    pub fn erase(&self) {
        let mut shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        shown.text = None;
        if shown.drawn.take().is_some() {
            let _ = std::io::stderr().lock().write_all(ERASE.as_bytes());
        }
    }

    /// Redraws the line every second, as long as it exists.
    fn tick(self: &Arc<Self>) {
        let line = Arc::downgrade(self);
        // Without a thread, the line changes only with the progress.
        let _ = helper().spawn(move || {
            loop {
                std::thread::sleep(TICK);
                let Some(line) = line.upgrade() else { return };
                line.redraw(&mut line.shown.lock().unwrap_or_else(PoisonError::into_inner));
            }
        });
    }

    /// Draws the line, if there is one. It is truncated to the current width of the terminal, so that it never takes a
    /// second line, which could not be erased.
    fn redraw(&self, shown: &mut StatusContent) {
        let elapsed = self.elapsed();
        let Some(text) = shown.text.as_deref().filter(|_| elapsed >= PATIENCE) else { return };
        let width = terminal_size::terminal_size_of(std::io::stderr());
        let width = width.map_or(80, |(width, _)| usize::from(width.0));
        let line = cut(&format!("{text} · {}", clock(elapsed)), width);
        shown.drawn = Some(Instant::now());
        // If standard error is closed, the failure is ignored.
        let _ = std::io::stderr().lock().write_all(format!("{ERASE}{line}").as_bytes());
    }
}

/// Truncates a text to a line of this width, with room for the cursor. Control characters, which would break the line,
/// are removed. Every other character of a progress line takes one column.
fn cut(text: &str, width: usize) -> String {
    text.chars().filter(|c| !c.is_control()).take(width.saturating_sub(1)).collect()
}

/// Returns a time such as `0:41`, `1:02:03`.
fn clock(elapsed: Duration) -> String {
    let seconds = elapsed.as_secs();
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 { format!("{hours}:{minutes:02}:{seconds:02}") } else { format!("{minutes}:{seconds:02}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_fits_the_terminal() {
        assert_eq!(cut("step 7 · facts 41→6", 18), "step 7 · facts 41");
        assert_eq!(cut("a\nb\u{1b}[Kc", 80), "ab[Kc");
        assert_eq!(cut("abc", 0), "");
        assert_eq!(clock(Duration::from_secs(41)), "0:41");
        assert_eq!(clock(Duration::from_secs(3723)), "1:02:03");
    }
}
