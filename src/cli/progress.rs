//! The progress line of a computation.

use super::console::Console;
use super::watchdog::KnownResult;
use cladist::budget::{Observer, Progress, Stage};
use std::any::Any;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The time before which a computation shows no progress line.
const PATIENCE: Duration = Duration::from_millis(300);

/// Returns a callback that draws the stages of a computation that starts now.
pub fn stages(console: &Console) -> impl Fn(&Stage) + Send + Sync + 'static {
    let (status, started) = (Arc::clone(console.status()), Instant::now());
    move |stage| {
        let elapsed = started.elapsed();
        if elapsed >= PATIENCE {
            status.draw(|| format!("{stage}  {}", clock(elapsed)));
        }
    }
}

/// Keeps a partial result.
type Keeper<'a> = Box<dyn FnMut(&dyn Any) + 'a>;

/// Draws the progress of a classification or check; the line is erased when this is dropped. The watchdog is told of
/// the first violation.
pub struct ProgressLine<'a> {
    console: &'a Console,
    started: Instant,
    /// Keeps partial results, if requested.
    keep: Option<Keeper<'a>>,
    /// The time spent on keeping so far.
    kept_for: Duration,
}

/// Partial results take at most one part in this many of the time.
const SHARE_OF_KEEPING: u32 = 10;

impl<'a> ProgressLine<'a> {
    /// Creates a line whose clock starts now.
    pub fn new(console: &'a Console) -> Self {
        Self { console, started: Instant::now(), keep: None, kept_for: Duration::ZERO }
    }

    /// Creates a progress line that leaves partial results of this type to the watchdog.
    pub fn keeping<R: 'static>(console: &'a Console, mut keep: impl FnMut(&R) -> KnownResult + 'a) -> Self {
        let keep = move |result: &dyn Any| {
            if let Some(result) = result.downcast_ref() {
                console.watchdog().keep(keep(result));
            }
        };
        Self { keep: Some(Box::new(keep)), ..Self::new(console) }
    }
}

impl Observer for ProgressLine<'_> {
    fn progress(&mut self, progress: &Progress) {
        if progress.counterexamples > 0 {
            self.console.watchdog().violation_found();
        }
        self.console.status().draw(|| line(progress, self.started.elapsed()));
    }

    fn found(&mut self, so_far: &dyn Fn() -> Box<dyn Any>) {
        let Some(keep) = &mut self.keep else { return };
        if self.kept_for * SHARE_OF_KEEPING <= self.started.elapsed() {
            let began = Instant::now();
            keep(&*so_far());
            self.kept_for += began.elapsed();
        }
    }
}

impl Drop for ProgressLine<'_> {
    fn drop(&mut self) {
        self.console.status().erase();
    }
}

/// Returns a line such as `k=7  counterexamples 12  classes 3  facts 41→6  solver 62%  0:41`.
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
