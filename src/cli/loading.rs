//! Options for reading a model and for the file that a command writes.

use super::console::Console;
use super::dialect::hint;
use super::export::write_file;
use super::refusal::Refusal;
use super::values::parse_override;
use cladist::budget::Budget;
use cladist::model::LoadOptions;
use clap::{Args, ValueHint};
use std::path::{Path, PathBuf};

/// The constants of a model, and the folder of its imports.
#[derive(Debug, Clone, Args)]
pub struct LoadingArgs {
    /// Set a constant of the model (repeatable)
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = parse_override)]
    pub overrides: Vec<(String, String)>,
    /// Root folder of imports [default: nearest folder at or above the model with `predicates` or a repository]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub root: Option<PathBuf>,
}

impl LoadingArgs {
    /// Returns the options for loading a model.
    pub fn options(&self, budget: &Budget) -> LoadOptions<'_> {
        LoadOptions { overrides: &self.overrides, root: self.root.as_deref(), budget: budget.clone() }
    }
}

/// The file that a command writes.
#[derive(Debug, Args)]
pub struct OutputFileArgs {
    /// Write to this file; `-` is standard output
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,
}

impl OutputFileArgs {
    /// Writes a text to the file, or to standard output.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, text: &str, console: &Console) -> Result<(), Refusal> {
        match self.output.as_deref().filter(|path| *path != Path::new("-")) {
            None => console.print(text),
            Some(path) => write_file(path, &Budget::unlimited(), console.watchdog(), |out| {
                out.write_all(text.as_bytes())
            })
            .map_err(|error| error.refusal(path)),
        }
    }
}

/// The file that a command writes, which earlier versions took without an option.
#[derive(Debug, Args)]
pub struct FormerOutputArgs {
    /// The file as it is given today.
    #[command(flatten)]
    pub file: OutputFileArgs,
    /// The file as in earlier versions.
    #[arg(value_name = "OUT", hide = true, conflicts_with = "output", value_hint = ValueHint::FilePath)]
    pub former: Option<PathBuf>,
}

impl FormerOutputArgs {
    /// Takes the file of an earlier version's spelling, with a hint.
    pub fn settled(&self, console: &Console) -> OutputFileArgs {
        if let Some(path) = &self.former {
            hint(console, &format!("-o {}", path.display()), "the file without `-o`");
        }
        OutputFileArgs { output: self.file.output.clone().or_else(|| self.former.clone()) }
    }
}
