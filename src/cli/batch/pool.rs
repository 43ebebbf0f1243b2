//! Jobs in processes of their own, so that the memory use and crashes of one do not affect the others.
//!
//! Each job has a pipe from this process as its standard input, and ends when that pipe does (see `cli/parent.rs`): no
//! job outlives this process, even if that is killed.

use super::jobs::BatchJob;
use crate::cli::exit::Exit;
use cladist::batch::Record;
use cladist::budget::Budget;
use cladist::diagnostics::printable;
use serde_json::Value as Json;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// The number of last characters of standard error that are kept of a failed job.
const LAST_WORDS: usize = 4000;

/// The time that a stopped job has to end by itself.
const PATIENCE: Duration = Duration::from_secs(2);

#[derive(Debug)]
pub enum JobEnd {
    /// The job ended by itself; the record is to be stored.
    Record(Box<Record>),
    /// The job was stopped before its end.
    Stopped,
    /// The files of its model changed after the plan was read.
    Changed,
}

/// Runs jobs, up to `workers` at a time, and calls `ended` for each as soon as it has ended, in this thread. Each
/// leaves its page in the folder that `pages` names. Stops soon after the budget ends, or when `ended` fails, whose
/// error is the result.
pub fn run<E>(
    jobs: &[&BatchJob],
    workers: usize,
    budget: &Budget,
    pages: impl Fn(&BatchJob) -> PathBuf + Sync,
    mut ended: impl FnMut(&BatchJob, JobEnd) -> Result<(), E>,
) -> Result<(), E> {
    let next = AtomicUsize::new(0);
    // Jobs at work share the processors.
    let workers = workers.min(jobs.len()).max(1);
    let threads = (budget.threads() / workers).max(1);
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..workers {
            let (sender, next, pages) = (sender.clone(), &next, &pages);
            scope.spawn(move || {
                while budget.exhausted().is_none()
                    && let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed))
                {
                    // The receiver lives as long as this scope.
                    let _ = sender.send((*job, run_one(job, &pages(job), threads, budget)));
                }
            });
        }
        drop(sender);
        let result = receiver.iter().try_for_each(|(job, end)| ended(job, end));
        if result.is_err() {
            budget.interrupt();
        }
        result
    })
}

/// The output and exit status of a process.
struct Output {
    status: ExitStatus,
    stdout: String,
    stderr: String,
}

fn run_one(job: &BatchJob, page: &Path, threads: usize, budget: &Budget) -> JobEnd {
    match start(job, page, threads).and_then(|child| watch(child, budget)) {
        Ok(Some(output)) => judge(job, output, budget.exhausted().is_some()),
        Ok(None) => JobEnd::Stopped,
        Err(error) => {
            let error = format!("cannot start or wait for the process: {error}");
            JobEnd::Record(Box::new(Record::failed(job.key.clone(), None, error)))
        }
    }
}

fn start(job: &BatchJob, page: &Path, threads: usize) -> std::io::Result<Child> {
    let mut command = Command::new(std::env::current_exe()?);
    command.args(job.command()).args(["--json", "--color", "never", "--until-stdin-ends"]);
    command.arg("--out").arg(page);
    // Only the plan decides.
    for variable in ["CLADIST_SOLVER", "CLADIST_TIMEOUT", "CLADIST_MEMORY"] {
        command.env_remove(variable);
    }
    command.env("CLADIST_THREADS", threads.to_string());
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()
}

/// Waits for a process; returns `None` if it had to be stopped. Its standard input stays open until it has ended.
fn watch(mut child: Child, budget: &Budget) -> std::io::Result<Option<Output>> {
    // `try_wait` and `wait` would close it if it were left in `child`.
    let mut stdin = child.stdin.take();
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    std::thread::scope(|scope| {
        let stdout = scope.spawn(move || read(stdout));
        let stderr = scope.spawn(move || read(stderr));
        let mut pause = Duration::from_millis(1);
        let mut stopped: Option<Instant> = None;
        let status = loop {
            if let Some(status) = child.try_wait()? {
                break Some(status).filter(|_| stopped.is_none());
            }
            if budget.exhausted().is_some() {
                // The job ends by itself, and removes temporary files.
                drop(stdin.take());
                if stopped.get_or_insert_with(Instant::now).elapsed() > PATIENCE {
                    child.kill()?;
                    child.wait()?;
                    break None;
                }
            }
            std::thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(50));
        };
        let [stdout, stderr] = [stdout, stderr].map(|reader| reader.join().unwrap_or_default());
        Ok(status.map(|status| Output { status, stdout, stderr }))
    })
}

fn read(stream: Option<impl Read>) -> String {
    let mut bytes = Vec::new();
    // After an error, the part read so far is used.
    let _ = stream.map(|mut stream| stream.read_to_end(&mut bytes));
    String::from_utf8_lossy(&bytes).into_owned()
}

/// True if an interrupt ended some part of a classification. While all jobs are being stopped, a proof may be missing
/// for that reason.
fn is_interrupted(document: &Json, stopped: bool) -> bool {
    [&document["reason"], &document["unbounded"]["reason"], &document["counts"]["reason"]]
        .iter()
        .any(|reason| **reason == "interrupt")
        || stopped && document["unbounded"]["proved"] == false
}

/// Returns the outcome of a process that ended by itself; `stopped` if all jobs are to stop.
fn judge(job: &BatchJob, output: Output, stopped: bool) -> JobEnd {
    let document: Option<Json> = serde_json::from_str(&output.stdout).ok();
    let schemas = ["cladist/classify-1", "cladist/classify-lassos-1"];
    let result = document.filter(|document| schemas.iter().any(|schema| document["schema"] == *schema));
    let (key, code) = (job.key.clone(), output.status.code());
    match (result, code) {
        // Ctrl-C reaches all processes of a terminal: an interrupted job has no result.
        (Some(result), _) if is_interrupted(&result, stopped) => JobEnd::Stopped,
        (_, Some(code)) if code == i32::from(Exit::Interrupted.code()) => JobEnd::Stopped,
        _ if !job.is_current() => JobEnd::Changed,
        (Some(result), Some(code)) => {
            // A document that cannot be read back is not stored as a result.
            let record = Record::done(key.clone(), code, result);
            let record = match record.found() {
                Ok(_) => record,
                Err(error) => Record::failed(key, Some(code), format!("unexpected result: {error}")),
            };
            JobEnd::Record(Box::new(record))
        }
        (_, code) => {
            let error = format!("{}\n{}", output.status, printable(last(&output.stderr)));
            JobEnd::Record(Box::new(Record::failed(key, code, error.trim_end().to_owned())))
        }
    }
}

fn last(text: &str) -> &str {
    let skipped = text.chars().count().saturating_sub(LAST_WORDS);
    text.char_indices().nth(skipped).map_or("", |(at, _)| &text[at..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interrupted_job_has_no_result() {
        use serde_json::json;
        let nothing = json!({ "reason": null, "unbounded": null, "counts": null });
        assert!(!is_interrupted(&nothing, true));
        assert!(is_interrupted(&json!({ "reason": "interrupt" }), false));
        assert!(is_interrupted(&json!({ "counts": { "reason": "interrupt" } }), false));
        assert!(is_interrupted(&json!({ "unbounded": { "reason": "interrupt" } }), false));
        let broken = json!({ "unbounded": { "proved": false, "reason": "broken" } });
        assert!(is_interrupted(&broken, true) && !is_interrupted(&broken, false));
    }

    #[test]
    fn only_the_end_of_a_long_text_is_kept() {
        assert_eq!(last("short"), "short");
        assert_eq!(last(""), "");
        let long = format!("begin{}", "é".repeat(LAST_WORDS));
        assert_eq!(last(&long), "é".repeat(LAST_WORDS));
    }
}
