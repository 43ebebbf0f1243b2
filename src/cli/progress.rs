//! How far a command is: one line on a terminal, rewritten at most ten times a second.

use super::console::Console;
use cladist::budget::{Observer, Progress, Stage};
use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

const PAUSE: Duration = Duration::from_millis(100);
const ERASE: &str = "\r\u{1b}[K";

/// Computations that take less time have no line.
const PATIENCE: Duration = Duration::from_millis(300);

/// The last line on standard error, if that is a terminal.
#[derive(Debug)]
pub struct StatusLine {
    terminal: bool,
    width: usize,
    drawn: Mutex<Option<Instant>>,
}

impl StatusLine {
    /// Nothing is drawn yet, nor ever if this is no terminal.
    pub fn new(terminal: bool, width: usize) -> Self {
        Self { terminal, width, drawn: Mutex::default() }
    }

    /// Draws it anew, unless that has just been done.
    pub fn draw(&self, text: impl FnOnce() -> String) {
        if !self.terminal {
            return;
        }
        let mut drawn = self.drawn.lock().unwrap_or_else(PoisonError::into_inner);
        if drawn.is_none_or(|at| at.elapsed() >= PAUSE) {
            *drawn = Some(Instant::now());
            let line: String = text().chars().take(self.width - 1).collect();
            // If nobody listens, nothing can be done about it.
            let _ = std::io::stderr().lock().write_all(format!("{ERASE}{line}").as_bytes());
        }
    }

    /// Takes it away.
    pub fn erase(&self) {
        let mut drawn = self.drawn.lock().unwrap_or_else(PoisonError::into_inner);
        if drawn.take().is_some() {
            let _ = std::io::stderr().lock().write_all(ERASE.as_bytes());
        }
    }
}

/// Draws the stages of a computation that takes long, from now on.
pub fn stages(console: &Console) -> impl Fn(&Stage) + Send + Sync + 'static {
    let (status, started) = (Arc::clone(console.status()), Instant::now());
    move |stage| {
        let elapsed = started.elapsed();
        if elapsed >= PATIENCE {
            status.draw(|| format!("{stage}  {}", clock(elapsed)));
        }
    }
}

/// Draws the progress of a classification; the line is gone when this is dropped.
pub struct ProgressLine<'a> {
    console: &'a Console,
    started: Instant,
}

impl<'a> ProgressLine<'a> {
    /// The clock starts now.
    pub fn new(console: &'a Console) -> Self {
        Self { console, started: Instant::now() }
    }
}

impl Observer for ProgressLine<'_> {
    fn progress(&mut self, progress: &Progress) {
        self.console.status().draw(|| line(progress, self.started.elapsed()));
    }
}

impl Drop for ProgressLine<'_> {
    fn drop(&mut self) {
        self.console.status().erase();
    }
}

/// `k=7  counterexamples 12  classes 3  facts 41→6  solver 62%  0:41`
fn line(progress: &Progress, elapsed: Duration) -> String {
    let facts = progress.facts.map(|(from, to)| format!("  facts {from}→{to}")).unwrap_or_default();
    let share = 100.0 * progress.solver_seconds / elapsed.as_secs_f64().max(0.001);
    format!(
        "k={}  counterexamples {}  classes {}{facts}  solver {:.0}%  {}",
        progress.depth,
        progress.counterexamples,
        progress.classes,
        share.clamp(0.0, 100.0),
        clock(elapsed)
    )
}

/// `0:41`, `1:02:03`.
fn clock(elapsed: Duration) -> String {
    let seconds = elapsed.as_secs();
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 { format!("{hours}:{minutes:02}:{seconds:02}") } else { format!("{minutes}:{seconds:02}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_is_short_and_complete() {
        let mut progress = Progress {
            depth: 7,
            counterexamples: 12,
            classes: 3,
            facts: Some((41, 6)),
            solver_seconds: 25.42,
            ..Progress::default()
        };
        let elapsed = Duration::from_secs(41);
        assert_eq!(
            line(&progress, elapsed),
            "k=7  counterexamples 12  classes 3  facts 41→6  solver 62%  0:41"
        );
        progress.facts = None;
        assert_eq!(line(&progress, elapsed), "k=7  counterexamples 12  classes 3  solver 62%  0:41");
        assert_eq!(clock(Duration::from_secs(3723)), "1:02:03");
    }
}
