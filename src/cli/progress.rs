//! The progress line of a computation.

use super::console::Console;
use super::watchdog::KnownResult;
use cladist::budget::{Activity, Observer, Progress, Stage};
use cladist::number::counted;
use itertools::Itertools;
use std::any::Any;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Returns a callback that draws the stages of a computation.
pub fn stages(console: &Console) -> impl Fn(&Stage) + Send + Sync + 'static {
    let status = Arc::clone(console.status());
    move |stage| {
        if stage.done > 1 {
            status.draw(|| stage.to_string());
        }
    }
}

/// Keeps a partial result.
type Keeper<'a> = Box<dyn FnMut(&dyn Any) + 'a>;

/// Draws the progress of a classification or check; the line is erased when this is dropped. The watchdog is told of
/// the first violation.
pub struct ProgressLine<'a> {
    console: &'a Console,
    /// The last step of the search, if it ends with one.
    last: Option<usize>,
    /// Keeps partial results, if requested.
    keep: Option<Keeper<'a>>,
    /// The time spent on keeping so far.
    kept_for: Duration,
}

/// Partial results take at most one part in this many of the time.
const SHARE_OF_KEEPING: u32 = 10;

impl<'a> ProgressLine<'a> {
    /// Creates a line for a search that ends with the step `last`, if with any.
    pub fn new(console: &'a Console, last: Option<usize>) -> Self {
        Self { console, last, keep: None, kept_for: Duration::ZERO }
    }

    /// Creates a progress line that leaves partial results of this type to the watchdog.
    pub fn keeping<R: 'static>(
        console: &'a Console,
        last: Option<usize>,
        mut keep: impl FnMut(&R) -> KnownResult + 'a,
    ) -> Self {
        let keep = move |result: &dyn Any| {
            if let Some(result) = result.downcast_ref() {
                console.watchdog().keep(keep(result));
            }
        };
        Self { keep: Some(Box::new(keep)), ..Self::new(console, last) }
    }
}

impl Observer for ProgressLine<'_> {
    fn progress(&mut self, progress: &Progress) {
        if progress.counterexamples > 0 {
            self.console.watchdog().violation_found();
        }
        let status = self.console.status();
        status.draw(|| line(progress, self.last, status.elapsed()));
    }

    fn found(&mut self, so_far: &dyn Fn() -> Box<dyn Any>) {
        let Some(keep) = &mut self.keep else { return };
        if self.kept_for * SHARE_OF_KEEPING <= self.console.status().elapsed() {
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

/// Returns a line such as `searching step 7 of 14 · 3 classes · solver 62%`.
fn line(progress: &Progress, last: Option<usize>, elapsed: Duration) -> String {
    let Progress { depth, counterexamples, classes, .. } = *progress;
    let searching = || {
        let of = last.filter(|last| depth <= *last).map_or(String::new(), |last| format!(" of {last}"));
        format!("searching step {depth}{of}")
    };
    let doing = match progress.activity {
        Activity::Search | Activity::Causes => searching(),
        Activity::Shorten => "shortening a constraint".to_owned(),
        Activity::Redundancy => "looking for redundant classes".to_owned(),
        Activity::Check => "checking the result".to_owned(),
        Activity::List => "listing states".to_owned(),
        Activity::Prove => "proving the result for every length".to_owned(),
        Activity::Induction => format!("proving by k-induction, k = {depth}"),
        Activity::Ic3 => format!("proving by IC3, frame {depth}"),
    };
    let facts = progress.facts.map(|(from, to)| format!("facts {from}→{to}"));
    let found = match progress.activity {
        _ if counterexamples == 0 && classes == 0 => None,
        Activity::Causes => Some(counted(counterexamples, "kind")),
        _ if classes == 0 => Some(counted(counterexamples, "counterexample")),
        _ => Some(counted(classes, "class")),
    };
    let share = (100.0 * progress.solver_seconds / elapsed.as_secs_f64().max(0.001)).min(100.0);
    let share = (progress.solver_seconds > 0.0).then(|| format!("solver {share:.0}%"));
    [Some(doing), facts, found, share].into_iter().flatten().join(" · ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_tells_activity_aim_and_finds() {
        let elapsed = Duration::from_secs(41);
        let search = Progress { depth: 7, counterexamples: 12, classes: 3, ..Progress::default() };
        assert_eq!(line(&search, Some(14), elapsed), "searching step 7 of 14 · 3 classes");
        assert_eq!(line(&search, Some(6), elapsed), "searching step 7 · 3 classes");
        let causes =
            Progress { activity: Activity::Causes, depth: 1, counterexamples: 1, ..Progress::default() };
        assert_eq!(line(&causes, None, elapsed), "searching step 1 · 1 kind");
        let shorten = Progress {
            activity: Activity::Shorten,
            facts: Some((41, 6)),
            solver_seconds: 25.42,
            counterexamples: 12,
            ..Progress::default()
        };
        assert_eq!(
            line(&shorten, Some(14), elapsed),
            "shortening a constraint · facts 41→6 · 12 counterexamples · solver 62%"
        );
    }
}
