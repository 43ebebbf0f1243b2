//! SMT solvers as processes: a script goes to standard input, an answer comes from standard output.

use crate::budget::{Budget, Exhausted};
use std::fmt;
use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread::JoinHandle;
use std::time::Duration;

/// The most bytes of output that are looked at.
const MOST_OUTPUT: u64 = 1 << 20;
/// How long it is waited between two looks at the process, at first and at most.
const PAUSE: (Duration, Duration) = (Duration::from_millis(1), Duration::from_millis(20));

/// A command that starts an SMT solver which reads a script from standard input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SmtSolver {
    program: String,
    arguments: Vec<String>,
}

/// What a solver says of a script.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SmtAnswer {
    /// It has a model.
    Sat,
    /// It has none.
    Unsat,
    /// The solver gave up.
    Unknown,
}

/// Why there is no answer.
#[derive(Debug)]
pub enum NoAnswer {
    /// The process could not be started.
    NotStarted(io::Error),
    /// The budget ended, and with it the process.
    Exhausted(Exhausted),
    /// The process ended without an answer, and said this.
    Failed(String),
}

impl fmt::Display for NoAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotStarted(error) => write!(f, "it cannot be started: {error}"),
            Self::Exhausted(Exhausted::Time) => f.write_str("the time limit was reached"),
            Self::Exhausted(Exhausted::Memory) => f.write_str("the memory limit was reached"),
            Self::Exhausted(Exhausted::Interrupt) => f.write_str("interrupted"),
            Self::Failed(said) => f.write_str(said),
        }
    }
}

impl std::error::Error for NoAnswer {}

impl SmtAnswer {
    /// The word of SMT-LIB.
    pub fn word(self) -> &'static str {
        match self {
            Self::Sat => "sat",
            Self::Unsat => "unsat",
            Self::Unknown => "unknown",
        }
    }
}

impl SmtSolver {
    /// A command as it is typed: words between spaces, or in quotes of either kind. No shell is involved.
    ///
    /// # Errors
    /// If there is no word, or a quote is not closed, with the reason.
    pub fn parse(command: &str) -> Result<Self, String> {
        let mut words: Vec<String> = Vec::new();
        let (mut word, mut quote): (Option<String>, Option<char>) = (None, None);
        for c in command.chars() {
            match quote {
                Some(open) if c == open => quote = None,
                None if c == '\'' || c == '"' => {
                    quote = Some(c);
                    word.get_or_insert_default();
                }
                None if c.is_whitespace() => words.extend(word.take()),
                _ => word.get_or_insert_default().push(c),
            }
        }
        if let Some(open) = quote {
            return Err(format!("the quote {open} is not closed"));
        }
        words.extend(word);
        let mut words = words.into_iter();
        let program = words.next().filter(|program| !program.is_empty()).ok_or("no program is named")?;
        Ok(Self { program, arguments: words.collect() })
    }

    /// The solver that is used where none is named, if it is in one of the folders of `PATH`.
    pub fn usual() -> Option<Self> {
        let folders = std::env::var_os("PATH")?;
        let mut files = std::env::split_paths(&folders).map(|folder: PathBuf| folder.join("z3"));
        files.any(|file| file.is_file()).then(|| Self { program: "z3".into(), arguments: vec!["-in".into()] })
    }

    /// The command, to be shown.
    pub fn name(&self) -> String {
        std::iter::once(&self.program).chain(&self.arguments).cloned().collect::<Vec<_>>().join(" ")
    }

    /// Asks about a script with a single `(check-sat)`. The process has ended when this returns.
    ///
    /// # Errors
    /// If there is no answer.
    pub fn ask(&self, script: &str, budget: &Budget) -> Result<SmtAnswer, NoAnswer> {
        let mut command = Command::new(&self.program);
        command.args(&self.arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut running = Running(command.spawn().map_err(NoAnswer::NotStarted)?);
        let input = running.0.stdin.take();
        let script = script.to_owned();
        let writer = std::thread::spawn(move || {
            // A solver that has heard enough may end before everything is written.
            let _ = input.map(|mut input| input.write_all(script.as_bytes()));
        });
        let (output, errors) = (reader(running.0.stdout.take()), reader(running.0.stderr.take()));
        let ended = running.wait(budget);
        drop(running);
        let _ = writer.join();
        let [output, errors] = [output, errors].map(|reader| reader.join().unwrap_or_default());
        ended?;
        answer(&output, &errors)
    }
}

/// A process that does not outlive this.
struct Running(Child);

impl Running {
    fn wait(&mut self, budget: &Budget) -> Result<(), NoAnswer> {
        let (mut pause, longest) = PAUSE;
        loop {
            match self.0.try_wait() {
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
}

impl Drop for Running {
    fn drop(&mut self) {
        // Of a process that has ended already, nothing is left to be done.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Reads a stream to its end, and keeps its beginning.
fn reader(stream: Option<impl Read + Send + 'static>) -> JoinHandle<String> {
    std::thread::spawn(move || {
        let Some(mut stream) = stream else { return String::new() };
        let mut bytes = Vec::new();
        let _ = stream.by_ref().take(MOST_OUTPUT).read_to_end(&mut bytes);
        let _ = io::copy(&mut stream, &mut io::sink());
        String::from_utf8_lossy(&bytes).into_owned()
    })
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
            let said =
                first.map_or("it ended and said nothing".to_owned(), |line| format!("it said: {line}"));
            Err(NoAnswer::Failed(said))
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::time::Instant;

    fn ask(command: &str, budget: &Budget) -> Result<SmtAnswer, String> {
        let solver = SmtSolver::parse(command).expect("a command");
        solver.ask("(check-sat)\n", budget).map_err(|why| why.to_string())
    }

    #[test]
    fn commands_are_split_into_words() {
        let solver = SmtSolver::parse(" 'my z3'  -in \"a b\"''  ").expect("a command");
        assert_eq!(solver.program, "my z3");
        assert_eq!(solver.arguments, ["-in", "a b"]);
        assert_eq!(SmtSolver::parse("  "), Err("no program is named".into()));
        assert_eq!(SmtSolver::parse("z3 'in"), Err("the quote ' is not closed".into()));
    }

    #[test]
    fn answers_and_errors() {
        let budget = Budget::unlimited();
        assert_eq!(ask("sh -c 'cat >/dev/null; echo unsat'", &budget), Ok(SmtAnswer::Unsat));
        assert_eq!(ask("echo sat", &budget), Ok(SmtAnswer::Sat));
        assert_eq!(ask("echo unknown", &budget), Ok(SmtAnswer::Unknown));
        // An answer after an error is worth nothing.
        assert_eq!(ask("printf '(error \"line 3\")\\nunsat\\n'", &budget), Err("(error \"line 3\")".into()));
        assert_eq!(ask("echo unsatisfiable", &budget), Err("it said: unsatisfiable".into()));
        assert_eq!(ask("sh -c 'echo no licence >&2'", &budget), Err("it said: no licence".into()));
        assert_eq!(ask("true", &budget), Err("it ended and said nothing".into()));
        assert!(ask("no-such-solver", &budget).expect_err("not there").starts_with("it cannot be started"));
    }

    #[test]
    fn a_time_limit_ends_the_process() {
        let started = Instant::now();
        let budget = Budget::unlimited().with_timeout(Duration::from_millis(50));
        assert_eq!(ask("sleep 20", &budget), Err("the time limit was reached".into()));
        assert!(started.elapsed() < Duration::from_secs(10));
    }
}
