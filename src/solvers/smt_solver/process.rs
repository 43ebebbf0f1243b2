//! Solvers as processes: a script goes to standard input, an answer comes from standard output.

use super::launcher::ProcessGroup;
use super::values::{self, ScriptSymbol};
use super::{NoAnswer, SmtAnswer};
use kit::budget::Budget;
use std::env::{self, consts::EXE_SUFFIX};
use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::path::{self, Path, PathBuf};
use std::process::Child;
use std::sync::mpsc::{Receiver, sync_channel};
use std::time::{Duration, Instant};

/// The most bytes of output that are looked at.
const MOST_OUTPUT: u64 = 1 << 26;
/// How long it is waited between two looks at the process, at first and at most.
const PAUSE: (Duration, Duration) = (Duration::from_millis(1), Duration::from_millis(20));

/// How long the end of the output is waited for once the process has ended, with all of its group.
const PATIENCE: Duration = Duration::from_secs(5);

/// A command that starts a solver which reads a script from standard input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SolverCommand {
    pub(super) program: String,
    pub(super) arguments: Vec<String>,
}

impl SolverCommand {
    /// Asks about a script, and for the values of symbols if it has a model.
    pub(super) fn ask(
        &self,
        script: &str,
        symbols: &[ScriptSymbol],
        budget: &Budget,
    ) -> Result<(SmtAnswer, Vec<i128>), NoAnswer> {
        // Most questions have no model, and values are an error then.
        let (output, errors) = self.run(script, budget)?;
        let said = answer(&output, &errors)?;
        if said != SmtAnswer::Sat || symbols.is_empty() {
            return Ok((said, Vec::new()));
        }
        let (output, errors) = self.run(&format!("{script}{}", values::get_value(symbols)), budget)?;
        let said = answer(&output, &errors)?;
        let shown = output.find("sat").map(|at| &output[at + 3..]).unwrap_or_default();
        let values = values::read(shown, symbols);
        Ok((said, values.ok_or_else(|| NoAnswer::Failed("its values are not understood".into()))?))
    }

    /// The file of the program: in one of the folders of `PATH`, unless it is named with its folder.
    pub(super) fn file(&self) -> io::Result<PathBuf> {
        if is_with_folder(&self.program) {
            let file = path::absolute(&self.program)?;
            file.metadata()?;
            return Ok(file);
        }
        let folders = env::var_os("PATH").unwrap_or_default();
        let name = |folder: PathBuf| {
            [folder.join(&self.program), folder.join(format!("{}{EXE_SUFFIX}", self.program))]
        };
        let found = env::split_paths(&folders).flat_map(name).find(|file| is_program(file));
        let found = found.ok_or_else(|| {
            io::Error::new(io::ErrorKind::NotFound, format!("there is no program {} in PATH", self.program))
        })?;
        path::absolute(found)
    }

    /// The answer of a process to a script, and its errors. It runs in an empty folder, where nothing is that it could read, and nothing stays
    /// that it writes. Whatever it has started ends with it.
    fn run(&self, script: &str, budget: &Budget) -> Result<(String, String), NoAnswer> {
        if let Some(why) = budget.exhausted() {
            return Err(NoAnswer::Exhausted(why));
        }
        let folder = tempfile::tempdir().map_err(NoAnswer::NotStarted)?;
        let started = self.file().and_then(|file| {
            let arguments: Vec<OsString> = self.arguments.iter().map(|word| argument(word)).collect();
            ProcessGroup::start(&file, &arguments, folder.path())
        });
        let mut group = started.map_err(NoAnswer::NotStarted)?;
        let leader = group.leader();
        let input = leader.stdin.take();
        let script = script.to_owned();
        // A solver that has heard enough may end before everything is written; nobody waits for this.
        std::thread::spawn(move || input.map(|mut input| input.write_all(script.as_bytes())));
        let (output, errors) = (reader(leader.stdout.take()), reader(leader.stderr.take()));
        wait(leader, budget)?;
        group.end();
        let (output, errors) = (last_words(&output, budget)?, last_words(&errors, budget)?);
        match group.start_error(&errors) {
            Some(error) => Err(NoAnswer::NotStarted(error)),
            None => Ok((output, errors)),
        }
    }
}

/// True if a word names a folder beside a file: `./solver`.
fn is_with_folder(word: &str) -> bool {
    Path::new(word).components().nth(1).is_some() || Path::new(word).has_root()
}

/// An argument, as it is seen from another folder: a file that is named with its folder stays this file.
fn argument(word: &str) -> OsString {
    match path::absolute(word) {
        Ok(file) if is_with_folder(word) && file.exists() => file.into(),
        _ => word.into(),
    }
}

fn is_program(file: &Path) -> bool {
    #[cfg(unix)]
    let may_run = |found: &std::fs::Metadata| {
        use std::os::unix::fs::PermissionsExt;
        found.permissions().mode() & 0o111 != 0
    };
    #[cfg(not(unix))]
    let may_run = |_: &std::fs::Metadata| true;
    file.metadata().is_ok_and(|found| found.is_file() && may_run(&found))
}

/// Waits for the end of a process.
fn wait(process: &mut Child, budget: &Budget) -> Result<(), NoAnswer> {
    let (mut pause, longest) = PAUSE;
    loop {
        match process.try_wait() {
            Ok(Some(_)) => return Ok(()),
            Ok(None) => {}
            Err(error) => return Err(NoAnswer::Failed(error.to_string())),
        }
        if let Some(why) = budget.exhausted() {
            return Err(NoAnswer::Exhausted(why));
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(longest);
    }
}

/// Reads a stream to its end, and gives its beginning then.
fn reader(stream: Option<impl Read + Send + 'static>) -> Receiver<String> {
    let (sender, said) = sync_channel(1);
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut stream) = stream {
            let _ = stream.by_ref().take(MOST_OUTPUT).read_to_end(&mut bytes);
            let _ = io::copy(&mut stream, &mut io::sink());
        }
        // Nobody listens where the budget has ended.
        let _ = sender.send(String::from_utf8_lossy(&bytes).into_owned());
    });
    said
}

/// The output of a process that has ended, with all of its group.
fn last_words(said: &Receiver<String>, budget: &Budget) -> Result<String, NoAnswer> {
    let clock = Instant::now();
    while clock.elapsed() < PATIENCE {
        if let Ok(said) = said.recv_timeout(PAUSE.1) {
            return Ok(said);
        }
        if let Some(why) = budget.exhausted() {
            return Err(NoAnswer::Exhausted(why));
        }
    }
    Err(NoAnswer::Failed("something that it started keeps its output open".into()))
}

fn answer(output: &str, errors: &str) -> Result<SmtAnswer, NoAnswer> {
    let lines = || output.lines().map(str::trim).filter(|line| !line.is_empty());
    let wrong = lines().find(|line| line.starts_with("(error"));
    let said = lines().find_map(|line| match line {
        "sat" => Some(SmtAnswer::Sat),
        "unsat" => Some(SmtAnswer::Unsat),
        "unknown" | "timeout" => Some(SmtAnswer::Unknown),
        _ => None,
    });
    match (wrong, said) {
        (None, Some(answer)) => Ok(answer),
        (Some(wrong), _) => Err(NoAnswer::Failed(wrong.to_owned())),
        (None, None) => {
            let first = lines().chain(errors.lines().map(str::trim).filter(|line| !line.is_empty())).next();
            let said = first.map_or("it ended without output".to_owned(), |line| format!("it said: {line}"));
            Err(NoAnswer::Failed(said))
        }
    }
}
