//! The last resort for `--timeout`, `--memory` and interrupts: a thread that ends the program when the engines do not.
//!
//! Every engine checks its budget often enough to end in time with an ordinary result. If one does not, or a read or
//! write hangs, the watchdog reports that on standard error, prints the best known result, removes temporary files, and
//! ends the process with exit code 11 if a violation is known, and 5 or 130 otherwise; 2 if that result could not be
//! written.

use super::exit::Exit;
use super::limits::CommandLimits;
use cladist::budget::{Exhausted, cpu_seconds, peak_memory_kb, resident_bytes};
use cladist::diagnostics::{Diagnostic, SourceMap, printable};
use cladist::report::explicit::lts::undecided_document;
use cladist::report::{error_document, to_json};
use serde_json::{Value as Json, json};
use std::fmt;
use std::io::Write;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};
use std::time::{Duration, Instant};

/// The time between two checks of the clock and the memory.
const TICK: Duration = Duration::from_millis(50);

/// The time beyond `--timeout` that a busy process has to end by itself.
const GRACE: Duration = Duration::from_secs(1);

/// The processor time beyond `--timeout` that it has, in seconds. On an overloaded machine, a second of the clock may
/// be too little to print a result.
const GRACE_CPU: f64 = 0.5;

/// The time beyond `--timeout` after which a process ends even if it is idle, since it is blocked.
const GRACE_BLOCKED: Duration = Duration::from_secs(3);

/// The time after an interrupt that a process has to end by itself.
const GRACE_INTERRUPT: Duration = Duration::from_secs(5);

/// The time that a result being printed has for every further piece that the reader takes.
const GRACE_READER: Duration = Duration::from_secs(5);

/// The least memory in bytes that is granted beyond `--memory`; otherwise a tenth of it.
const SLACK: u64 = 64 << 20;

/// A result that can be printed if the run does not end by itself.
#[derive(Debug, Clone)]
pub struct PartialResult {
    /// The exit code of the result.
    pub exit: Exit,
    pub text: String,
    /// The result as a document of the command's schema.
    pub document: Json,
}

/// The results for each limit that may be exceeded.
pub struct KnownResult {
    of: Box<dyn FnOnce(Exhausted) -> PartialResult + Send>,
}

impl KnownResult {
    /// Creates a partial result, made now for each limit that may end the run.
    pub fn new(mut result: impl FnMut(Exhausted) -> PartialResult) -> Self {
        let [time, memory, interrupt] =
            [Exhausted::Time, Exhausted::Memory, Exhausted::Interrupt].map(&mut result);
        Self::later(|why| match why {
            Exhausted::Time => time,
            Exhausted::Memory => memory,
            Exhausted::Interrupt => interrupt,
        })
    }

    /// Creates a partial result that grows: it is made when the process is ended.
    pub fn later(result: impl FnOnce(Exhausted) -> PartialResult + Send + 'static) -> Self {
        Self { of: Box::new(result) }
    }
}

/// The watchdog of a run, shared by all clones.
#[derive(Debug, Clone)]
pub struct Watchdog {
    shared: Arc<Mutex<WatchdogState>>,
    limits: CommandLimits,
    started: Instant,
    json: bool,
    /// True if a document for an undecided result is that of commands about explicit systems.
    about_systems: bool,
}

/// The progress of printing a result when the process is ended.
#[derive(Clone, Copy)]
struct Printing {
    /// True if the reader takes no more output.
    hangs: bool,
    /// True if a result was printed.
    is_done: bool,
}

#[derive(Default)]
struct WatchdogState {
    /// The best result so far.
    known: Option<KnownResult>,
    /// The result once a violation is found.
    if_violated: Option<KnownResult>,
    /// While output is being written, the time when the reader last took a piece of it.
    printing: Option<Instant>,
    /// True if a result was printed: then no other result follows on standard output.
    printed: bool,
    /// True if the process is being ended: then nothing else is printed.
    fired: bool,
    /// The time of the first interrupt.
    interrupted: Option<Instant>,
    /// True if the process only waits for others after an interrupt, and writes what is left.
    waits: bool,
    temporaries: Vec<PathBuf>,
}

impl fmt::Debug for WatchdogState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("State").field("printing", &self.printing).field("fired", &self.fired).finish()
    }
}

/// A file or folder that is removed if the process is ended before this is dropped.
#[derive(Debug)]
pub struct Temporary {
    path: PathBuf,
    watchdog: Watchdog,
}

impl Drop for Temporary {
    fn drop(&mut self) {
        self.watchdog.state().temporaries.retain(|path| *path != self.path);
    }
}

impl Watchdog {
    /// Watches over this process from now on; with `json`, results are printed as documents. Without a result, the
    /// document is the one that the command itself would print: `lts-undecided-1` for those `about_systems`, else
    /// `error-1`.
    pub fn start(limits: CommandLimits, json: bool, about_systems: bool) -> Self {
        let watchdog = Self { about_systems, ..Self::idle(limits, json) };
        let own = watchdog.clone();
        // Without the thread, the limits hold as far as the engines keep them.
        let _ = std::thread::Builder::new().name("watchdog".into()).spawn(move || own.watch());
        watchdog
    }

    /// Creates a watchdog that never ends the process.
    pub fn idle(limits: CommandLimits, json: bool) -> Self {
        Self { shared: Arc::default(), limits, started: Instant::now(), json, about_systems: false }
    }

    fn state(&self) -> MutexGuard<'_, WatchdogState> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Replaces the best known result.
    pub fn keep(&self, known: KnownResult) {
        let mut state = self.state();
        state.known = Some(known);
        state.if_violated = None;
    }

    /// Sets the result to print once [`Watchdog::violation_found`] was called.
    pub fn keep_if_violated(&self, known: KnownResult) {
        self.state().if_violated = Some(known);
    }

    /// Records that the engine has found a violation.
    pub fn violation_found(&self) {
        let mut state = self.state();
        if let Some(known) = state.if_violated.take() {
            state.known = Some(known);
        }
    }

    /// Makes a temporary file or folder, whose path comes first. It is removed if the process is ended before the guard
    /// is dropped.
    pub fn temporary<T>(
        &self,
        make: impl FnOnce() -> std::io::Result<(PathBuf, T)>,
    ) -> std::io::Result<(T, Temporary)> {
        let mut state = self.state();
        if state.fired {
            drop(state);
            wait_for_the_end();
        }
        let (path, made) = make()?;
        state.temporaries.push(path.clone());
        Ok((made, Temporary { path, watchdog: self.clone() }))
    }

    /// Records that the engines were asked to stop by a signal.
    pub fn interrupted(&self) {
        self.state().interrupted = Some(Instant::now());
    }

    /// Lets a process that waits for its jobs end by itself after an interrupt, however long their results take to be written.
    pub fn wait_for_jobs(&self) {
        self.state().waits = true;
    }

    /// Ends the process as interrupted, at once.
    pub fn interrupt(&self) -> ! {
        // No other file is made meanwhile.
        let mut state = self.state();
        remove_all(&std::mem::take(&mut state.temporaries));
        std::process::exit(Exit::Interrupted.code().into())
    }

    /// Calls `write`, which prints a result; [`Watchdog::piece_printed`] reports progress of the reader. Meanwhile the
    /// process is ended only if the reader makes none.
    pub fn while_printing<T>(&self, write: impl FnOnce() -> T) -> T {
        let fired = {
            let mut state = self.state();
            state.printing = Some(Instant::now());
            state.fired
        };
        if fired {
            wait_for_the_end();
        }
        let written = write();
        let mut state = self.state();
        state.printing = None;
        state.printed = true;
        written
    }

    /// Records that the reader of standard output has taken another piece.
    pub fn piece_printed(&self) {
        self.state().printing = Some(Instant::now());
    }

    fn watch(&self) {
        let mut cpu_at_deadline = None;
        loop {
            std::thread::sleep(TICK);
            if let Some(why) = self.exceeded(&mut cpu_at_deadline) {
                let mut state = self.state();
                let hangs = state.printing.is_some_and(|since| since.elapsed() > GRACE_READER);
                if state.printing.is_none() || hangs {
                    state.fired = true;
                    let known = state.known.take();
                    let printing = Printing { hangs, is_done: state.printed };
                    let temporaries = std::mem::take(&mut state.temporaries);
                    drop(state);
                    self.end(why, known, printing, &temporaries);
                }
            }
        }
    }

    /// Returns the limit that is exceeded by more than the granted excess.
    fn exceeded(&self, cpu_at_deadline: &mut Option<f64>) -> Option<Exhausted> {
        let granted = |limit: u64| limit.saturating_add((limit / 10).max(SLACK));
        if self.limits.memory.is_some_and(|limit| resident_bytes().is_some_and(|now| now > granted(limit))) {
            return Some(Exhausted::Memory);
        }
        let state = self.state();
        if !state.waits && state.interrupted.is_some_and(|at| at.elapsed() > GRACE_INTERRUPT) {
            return Some(Exhausted::Interrupt);
        }
        drop(state);
        let over = self.started.elapsed().checked_sub(self.limits.timeout?)?;
        let used = cpu_seconds().map(|cpu| cpu - *cpu_at_deadline.get_or_insert(cpu));
        let busy = over > GRACE && used.is_none_or(|used| used >= GRACE_CPU);
        (busy || over > GRACE_BLOCKED).then_some(Exhausted::Time)
    }

    /// Prints the known result and ends the process. Printing may hang, too, and has limits of its own: for the reader,
    /// and for memory that other threads are about to free.
    fn end(
        &self,
        why: Exhausted,
        known: Option<KnownResult>,
        printing: Printing,
        temporaries: &[PathBuf],
    ) -> ! {
        let silent = printing.hangs || printing.is_done;
        let message = self.message(why, silent);
        let known = known.map(|known| (known.of)(why));
        let unknown = if why == Exhausted::Interrupt { Exit::Interrupted } else { Exit::Undecided };
        let exit = known.as_ref().map_or(unknown, |known| known.exit);
        let result = match known {
            _ if silent => String::new(),
            Some(known) if self.json => to_json(&self.with_elapsed(known.document)),
            Some(known) => known.text,
            None if self.json && self.about_systems => to_json(&undecided_document(&message, None)),
            None if self.json => {
                let error = Diagnostic::error_without_place(message.as_str());
                to_json(&error_document(&[error], &SourceMap::new()))
            }
            None => String::new(),
        };
        remove_all(temporaries);
        let (sender, receiver) = mpsc::channel();
        std::thread::spawn(move || {
            let _ = std::io::stderr().lock().write_all(format!("error: {message}\n").as_bytes());
            let is_written = result.is_empty() || {
                let mut stdout = std::io::stdout().lock();
                stdout.write_all(printable(&result).as_bytes()).and_then(|()| stdout.flush()).is_ok()
            };
            let _ = sender.send(is_written);
        });
        let is_written = receiver.recv_timeout(GRACE_BLOCKED).unwrap_or(false) && !printing.hangs;
        let exit = if is_written { exit } else { Exit::BadInput };
        std::process::exit(exit.code().into())
    }

    fn message(&self, why: Exhausted, silent: bool) -> String {
        let elapsed = self.started.elapsed().as_secs_f64();
        let limit = match why {
            Exhausted::Memory => {
                let used = resident_bytes().unwrap_or(0) >> 20;
                format!("the memory limit is exceeded ({used} MB are in use)")
            }
            Exhausted::Time => format!("the time limit is exceeded (after {elapsed:.1} s)"),
            Exhausted::Interrupt => format!("interrupted (after {elapsed:.1} s)"),
        };
        let what = match silent {
            true => "while the result was being written",
            false => "and the computation did not stop by itself",
        };
        format!("{limit}, {what}: ended by the watchdog")
    }

    /// Returns the document with the current figures.
    fn with_elapsed(&self, mut document: Json) -> Json {
        let seconds = (self.started.elapsed().as_secs_f64() * 1e3).round() / 1e3;
        let figures = [
            ("/seconds", Some(json!(seconds))),
            ("/statistics/seconds/total", Some(json!(seconds))),
            ("/statistics/cpu_seconds", cpu_seconds().map(|s| json!(s))),
            ("/statistics/peak_memory_kb", peak_memory_kb().map(|kb| json!(kb))),
        ];
        for (place, figure) in figures {
            if let (Some(old), Some(figure)) = (document.pointer_mut(place), figure) {
                *old = figure;
            }
        }
        document
    }
}

/// Waits for the end of the process, after another thread has printed the result.
fn wait_for_the_end() -> ! {
    loop {
        std::thread::sleep(Duration::from_secs(1));
    }
}

/// Removes files and folders, as far as possible.
fn remove_all(temporaries: &[PathBuf]) {
    /// The number of attempts for a folder into which another thread still writes.
    const TRIES: usize = 10;
    for path in temporaries {
        let is_there = || path.symlink_metadata().is_ok();
        for _ in (0..TRIES).take_while(|_| is_there()) {
            let _ = std::fs::remove_file(path).or_else(|_| std::fs::remove_dir_all(path));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(name: &str, exit: Exit) -> KnownResult {
        KnownResult::new(|why| PartialResult {
            exit,
            text: name.to_owned(),
            document: json!({ "why": format!("{why:?}"), "seconds": 0.0, "statistics": { "seconds": { "total": 0 } } }),
        })
    }

    fn idle(timeout: Duration, memory: u64) -> Watchdog {
        Watchdog::idle(
            CommandLimits { timeout: Some(timeout), memory: Some(memory), ..CommandLimits::default() },
            true,
        )
    }

    #[test]
    fn a_violation_changes_what_is_known() {
        let watchdog = idle(Duration::ZERO, 0);
        watchdog.keep(known("undecided", Exit::Undecided));
        watchdog.violation_found();
        watchdog.keep_if_violated(known("partial", Exit::Partial));
        let exit = |watchdog: &Watchdog| {
            let known = (watchdog.state().known.take()?.of)(Exhausted::Time);
            Some(known.exit)
        };
        assert_eq!(exit(&watchdog), Some(Exit::Undecided));
        watchdog.violation_found();
        assert_eq!(exit(&watchdog), Some(Exit::Partial));
        watchdog.keep(known("complete", Exit::Violated));
        watchdog.violation_found();
        assert_eq!(exit(&watchdog), Some(Exit::Violated));
    }

    #[test]
    fn limits_are_exceeded_only_beyond_what_is_granted() {
        let gibibyte = 1 << 30;
        assert_eq!(idle(Duration::from_secs(3600), 64 * gibibyte).exceeded(&mut None), None);
        let late = Watchdog {
            started: Instant::now() - GRACE_BLOCKED - Duration::from_secs(2),
            ..idle(Duration::from_secs(1), 64 * gibibyte)
        };
        assert_eq!(late.exceeded(&mut None), Some(Exhausted::Time));
        let busy = Watchdog { started: Instant::now() - Duration::from_millis(2500), ..late };
        // A process without processor time since the deadline may still be about to end.
        assert_eq!(busy.exceeded(&mut None), None);
        assert_eq!(busy.exceeded(&mut Some(-GRACE_CPU)), Some(Exhausted::Time));
        if let Some(now) = resident_bytes() {
            assert_eq!(idle(Duration::from_secs(3600), now).exceeded(&mut None), None);
        }
    }

    /// Runs an ignored test in a process of its own; returns its exit code, standard output and standard error.
    fn process_of(test: &str) -> (Option<i32>, String, String) {
        let program = std::env::current_exe().expect("the tests are a program");
        let test = format!("cli::watchdog::tests::{test}");
        let output = std::process::Command::new(program)
            .args(["--exact", &test, "--ignored", "--nocapture"])
            .output()
            .expect("started");
        let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
        (output.status.code(), text(output.stdout), text(output.stderr))
    }

    /// Runs without asking any budget, for a limited time.
    fn go_on() {
        let started = Instant::now();
        while started.elapsed() < Duration::from_secs(60) {
            std::hint::spin_loop();
        }
    }

    #[test]
    #[ignore = "ends its process: `time_ends_a_run_that_does_not_end` starts it"]
    fn too_long() {
        let watchdog = Watchdog::start(
            CommandLimits { timeout: Some(Duration::from_millis(100)), ..CommandLimits::default() },
            false,
            false,
        );
        watchdog.keep(known("kept", Exit::Partial));
        go_on();
    }

    #[test]
    fn time_ends_a_run_that_does_not_end() {
        let (code, printed, said) = process_of("too_long");
        assert_eq!(code, Some(11), "{printed}{said}");
        assert!(printed.ends_with("kept"), "{printed}");
        assert!(said.contains("error: the time limit is exceeded (after "), "{said}");
        assert!(
            said.ends_with("and the computation did not stop by itself: ended by the watchdog\n"),
            "{said}"
        );
    }

    #[test]
    #[ignore = "ends its process: `an_interrupt_ends_a_run_that_does_not_end` starts it"]
    fn too_busy() {
        let watchdog = Watchdog::start(CommandLimits::default(), true, false);
        watchdog.keep(known("kept", Exit::Interrupted));
        watchdog.interrupted();
        go_on();
    }

    #[test]
    fn an_interrupt_ends_a_run_that_does_not_end() {
        let (code, printed, said) = process_of("too_busy");
        assert_eq!(code, Some(130), "{printed}{said}");
        assert!(printed.contains("\"why\": \"Interrupt\""), "{printed}");
        assert!(said.contains("error: interrupted (after "), "{said}");
    }

    #[test]
    #[ignore = "ends its process: `memory_ends_a_run_that_does_not_end` starts it"]
    fn too_large() {
        let file = std::env::temp_dir().join(format!("cladist-watchdog-{}", std::process::id()));
        std::fs::write(&file, "half of a result").expect("written");
        let watchdog = Watchdog::start(
            CommandLimits { memory: resident_bytes(), ..CommandLimits::default() },
            true,
            false,
        );
        watchdog.keep(known("kept", Exit::Undecided));
        let _temporary = watchdog.temporary(|| Ok((file.clone(), ()))).expect("it is there");
        println!("{}", file.display());
        let large = vec![1_u8; kit::number::to_usize(SLACK) + (256 << 20)];
        std::hint::black_box(&large);
        go_on();
        drop(large);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn memory_ends_a_run_that_does_not_end() {
        let (code, printed, said) = process_of("too_large");
        assert_eq!(code, Some(5), "{printed}{said}");
        assert!(printed.contains("\"why\": \"Memory\""), "{printed}");
        assert!(said.contains("error: the memory limit is exceeded ("), "{said}");
        let file = printed.lines().find_map(|line| Some(&line[line.find("/")?..])).expect("a file");
        assert!(file.contains("cladist-watchdog-") && !std::path::Path::new(file).exists(), "{file}");
    }

    #[test]
    fn documents_get_the_figures_of_now() {
        let watchdog = idle(Duration::ZERO, 0);
        std::thread::sleep(Duration::from_millis(5));
        let document = watchdog.with_elapsed((known("", Exit::Undecided).of)(Exhausted::Memory).document);
        assert_eq!(document["why"], "Memory");
        assert!(document["seconds"].as_f64().expect("a number") > 0.0, "{document}");
        assert!(document["statistics"]["seconds"]["total"].as_f64().expect("a number") > 0.0, "{document}");
        assert!(document.get("cpu_seconds").is_none());
    }

    #[test]
    fn temporary_files_are_forgotten_when_they_are_done() {
        let watchdog = idle(Duration::ZERO, 0);
        let made = |name: &str| watchdog.temporary(|| Ok((name.into(), ()))).expect("made").1;
        let (first, second) = (made("a"), made("b"));
        drop(first);
        assert_eq!(watchdog.state().temporaries, [PathBuf::from("b")]);
        drop(second);
        assert!(watchdog.state().temporaries.is_empty());
    }
}
