//! The progress line on a terminal: one line, rewritten at most ten times a second.

use super::console::Console;
use crate::budget::{Observer, Progress};
use std::time::{Duration, Instant};

const PAUSE: Duration = Duration::from_millis(100);
const ERASE: &str = "\r\u{1b}[K";

/// Shows progress on standard error if that is a terminal; the line is gone when this is dropped.
pub struct ProgressLine<'a> {
    console: &'a Console,
    started: Instant,
    drawn: Option<Instant>,
}

impl<'a> ProgressLine<'a> {
    /// The clock starts now.
    pub fn new(console: &'a Console) -> Self {
        Self { console, started: Instant::now(), drawn: None }
    }
}

impl Observer for ProgressLine<'_> {
    fn progress(&mut self, progress: &Progress) {
        if self.console.shows_progress() && self.drawn.is_none_or(|at| at.elapsed() >= PAUSE) {
            self.drawn = Some(Instant::now());
            let line: String =
                line(progress, self.started.elapsed()).chars().take(self.console.width() - 1).collect();
            self.console.say(&format!("{ERASE}{line}"));
        }
    }
}

impl Drop for ProgressLine<'_> {
    fn drop(&mut self) {
        if self.drawn.is_some() {
            self.console.say(ERASE);
        }
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
