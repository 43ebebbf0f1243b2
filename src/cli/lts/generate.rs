//! `lts generate`.

use super::SystemCommand;
use super::command_error::{CommandError, print};
use super::convert::{format, refuse_both, write_lts};
use super::input;
use super::process::{generated, program, stopped};
use super::process_args::GenerateArgs;
use crate::cli::console::Console;
use crate::cli::exit::Exit;
use crate::cli::limits::CommandLimits;
use cladist::budget::Budget;
use cladist::lts::strong_quotient;
use cladist::report::explicit::lts::GenerateReport;

impl SystemCommand for GenerateArgs {
    fn limits_and_json(&self) -> (CommandLimits, bool) {
        (self.input.limits.limits(), self.json)
    }

    /// An incomplete system is written, too; it is not reduced, because its unexplored states are not deadlocks.
    fn run(&self, console: &Console) -> Result<Exit, CommandError> {
        let path = self.file.output.as_deref();
        let out = path.map(|path| format(path).map(|format| (path, format))).transpose()?;
        let on_stdout = refuse_both(path, self.json)?;
        let budget = input::budget(self.input.limits.limits(), console);
        let file = self.input.file.to_string_lossy().into_owned();
        let (program, sources) = program(&self.input.file, self.input.main.as_deref(), &budget)?;
        let generated = generated(&program, &self.input.states, &budget);
        let (ended, exit) =
            match generated.stopped.as_ref().map(|trouble| stopped(&file, trouble, &sources, &budget)) {
                None => (None, Exit::Fine),
                Some(CommandError::GaveUp { diagnostic, interrupted, .. }) => {
                    (Some(diagnostic), if interrupted { Exit::Interrupted } else { Exit::Undecided })
                }
                Some(refused) => return Err(refused),
            };
        let reduced = match self.reduce && ended.is_none() {
            true => Some(strong_quotient(&generated.lts, &budget)),
            false => None,
        };
        let reduced = reduced
            .transpose()
            .map_err(|why| CommandError::exhausted(&format!("reducing {file}"), why, &budget))?
            .map(|reduced| reduced.lts);
        if let Some((path, format)) = out {
            // An incomplete system is written after its limit was reached.
            let unlimited = Budget::unlimited();
            let budget = if ended.is_some() { &unlimited } else { &budget };
            write_lts(reduced.as_ref().unwrap_or(&generated.lts), path, format, budget, console)?;
        }
        let reason = ended.as_ref().map(|diagnostic| diagnostic.message.clone());
        if let Some(mut diagnostic) = ended {
            if let Some((path, _)) = out {
                let place = if on_stdout { "standard output".to_owned() } else { path.display().to_string() };
                *diagnostic = diagnostic.with_note(format!("{place} contains only the generated part"));
            }
            console.diagnose(std::slice::from_ref(&diagnostic), &Default::default());
        }
        let report = GenerateReport {
            file: &file,
            generated: &generated.lts,
            unexplored: generated.unexplored.len(),
            reduced: reduced.as_ref(),
            reduce: self.reduce,
            reason: reason.as_deref(),
            written: path.filter(|_| !on_stdout),
        };
        if !on_stdout {
            print(&report, self.json, &Budget::unlimited(), console)?;
        }
        Ok(exit)
    }
}
