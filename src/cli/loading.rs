//! Options for reading a model and for the file that a command writes.

use super::console::Console;
use super::dialect::hint;
use super::export::write_file;
use super::refusal::UsageError;
use super::values::{parse_length, parse_override, parse_range};
use cladist::budget::Budget;
use cladist::limits::{INTEGERS, LISTS};
use cladist::model::LoadOptions;
use clap::{ArgMatches, Args, Command, FromArgMatches, ValueHint};
use std::path::{Path, PathBuf};

/// Limits of values that have none otherwise.
#[derive(Debug, Clone, Copy, Args)]
pub struct LimitedValuesArgs {
    /// Limit integers of Quint and TLA+ that have no bound otherwise
    #[arg(long = "int", value_name = "LO..HI", value_parser = parse_range, allow_hyphen_values = true)]
    pub integers: Option<(i64, i64)>,
    /// Limit the length of lists of Quint and TLA+ that have no bound otherwise
    #[arg(long = "list", value_name = "N", value_parser = parse_length)]
    pub lists: Option<usize>,
}

/// The options of [`LoadingArgs`] as they are given.
#[derive(Debug, Args)]
struct GivenLoadingArgs {
    /// Set a constant of the model (repeatable)
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = parse_override)]
    overrides: Vec<(String, String)>,
    #[command(flatten)]
    limited: LimitedValuesArgs,
    /// Root folder of imports [default: nearest folder at or above the model with `predicates` or a repository]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    root: Option<PathBuf>,
}

/// The constants of a model, with the limits of its values, and the folder of its imports.
#[derive(Debug, Clone)]
pub struct LoadingArgs {
    /// The values of constants, and limits under the names of their options.
    pub overrides: Vec<(String, String)>,
    pub root: Option<PathBuf>,
}

impl From<GivenLoadingArgs> for LoadingArgs {
    fn from(given: GivenLoadingArgs) -> Self {
        let GivenLoadingArgs { mut overrides, limited: LimitedValuesArgs { integers, lists }, root } = given;
        overrides.extend(integers.map(|(lo, hi)| (INTEGERS.to_owned(), format!("{lo}..{hi}"))));
        overrides.extend(lists.map(|length| (LISTS.to_owned(), length.to_string())));
        Self { overrides, root }
    }
}

impl FromArgMatches for LoadingArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        Ok(GivenLoadingArgs::from_arg_matches(matches)?.into())
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for LoadingArgs {
    fn augment_args(command: Command) -> Command {
        GivenLoadingArgs::augment_args(command)
    }

    fn augment_args_for_update(command: Command) -> Command {
        GivenLoadingArgs::augment_args_for_update(command)
    }
}

/// Returns the option that sets a value of [`LoadingArgs::overrides`], by its name.
pub fn option_of(name: &str) -> &'static str {
    match name {
        INTEGERS => INTEGERS,
        LISTS => LISTS,
        _ => "--set",
    }
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
    pub fn write(&self, text: &str, console: &Console) -> Result<(), UsageError> {
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
