//! `cladist init`: a commented model to begin with.

use super::console::Console;
use super::exit::Exit;
use super::export::write_file;
use super::refusal::UsageError;
use cladist::budget::Budget;
use cladist::diagnostics::Diagnostic;
use clap::{Args, ValueHint};
use std::path::PathBuf;

const STARTER: &str = include_str!("starter.sts");

#[derive(Debug, Args)]
pub struct InitArgs {
    /// The model to write [default: model.sts]
    #[arg(value_hint = ValueHint::FilePath)]
    pub file: Option<PathBuf>,
}

/// Writes the model; a file that exists is unchanged.
pub fn run(args: &InitArgs, console: &Console) -> Result<Exit, UsageError> {
    let path = args.file.clone().unwrap_or_else(|| PathBuf::from("model.sts"));
    let name = path.display();
    if path.symlink_metadata().is_ok() {
        let error = Diagnostic::error_without_place(format!("{name} exists already, and is unchanged"));
        return Err(error.with_help("name another file: cladist init FILE.sts").into());
    }
    write_file(&path, &Budget::unlimited(), console.watchdog(), |out| out.write_all(STARTER.as_bytes()))
        .map_err(|error| error.refusal(&path))?;
    console.print(&format!(
        "{name}: a cash machine, with comments on the language\n\n  \
         cladist classify {name}                  the kinds of violation\n  \
         cladist classify {name} --out report     with a page for the browser\n  \
         cladist classify {name} -V own --cover   in the model's own words\n"
    ))?;
    Ok(Exit::Fine)
}
