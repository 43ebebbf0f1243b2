//! Solvers as processes: a script goes to standard input, an answer comes from standard output.

use super::values::{self, Symbol};
use super::{NoAnswer, SmtAnswer};
use crate::budget::Budget;
use std::io::{self, Read, Write};
use std::process::{Child, Command, Stdio};
use std::thread::JoinHandle;
use std::time::Duration;

/// The most bytes of output that are looked at.
const MOST_OUTPUT: u64 = 1 << 26;
/// How long it is waited between two looks at the process, at first and at most.
const PAUSE: (Duration, Duration) = (Duration::from_millis(1), Duration::from_millis(20));

/// A command that starts a solver which reads a script from standard input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Process {
    pub(super) program: String,
    pub(super) arguments: Vec<String>,
}

impl Process {
    /// Asks about a script, and for the values of symbols if it has a model.
    pub(super) fn ask(
        &self,
        script: &str,
        symbols: &[Symbol],
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

    /// What a process says of a script, and its errors.
    fn run(&self, script: &str, budget: &Budget) -> Result<(String, String), NoAnswer> {
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
        Ok((output, errors))
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
