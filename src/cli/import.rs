//! `cladist import`: models of other tools as texts in the specification language.

use super::command::ImportCommand;
use super::console::Console;
use super::exit::Exit;
use super::loading::{LimitedValuesArgs, OutputFileArgs};
use super::refusal::UsageError;
use super::values::parse_override;
use cladist::limits::ValueLimits;
use cladist::model::{self, LoadOptions};
use cladist::quint::{self, QuintOptions};
use cladist::readers::ForeignLanguage;
use cladist::tla::{Imported, Refused};
use clap::{Args as Arguments, ValueHint};
use std::path::PathBuf;
use std::sync::Arc;

/// The file to read, and the one to write.
#[derive(Debug, Arguments)]
pub struct ImportArgs {
    /// The file to read
    #[arg(value_hint = ValueHint::FilePath)]
    pub file: PathBuf,
    #[command(flatten)]
    pub output: OutputFileArgs,
}

/// The values of constants, and limits of values that have none otherwise.
#[derive(Debug, Clone, Arguments)]
pub struct ValueArgs {
    #[command(flatten)]
    pub limits: LimitedValuesArgs,
    /// The value of a constant (repeatable)
    #[arg(long = "const", value_name = "NAME=VALUE", value_parser = parse_override)]
    pub constants: Vec<(String, String)>,
}

impl ValueArgs {
    fn limits(&self) -> ValueLimits {
        let LimitedValuesArgs { integers, lists } = self.limits;
        ValueLimits { integers, lists, constants: self.constants.clone() }
    }
}

#[derive(Debug, Arguments)]
pub struct ImportQuintArgs {
    #[command(flatten)]
    pub files: ImportArgs,
    /// Name of the init action [default: as compiled]
    #[arg(long, value_name = "NAME")]
    pub init: Option<String>,
    /// Name of the step action [default: as compiled]
    #[arg(long, value_name = "NAME")]
    pub step: Option<String>,
    /// An invariant (repeatable) [default: as compiled]
    #[arg(long = "invariant", value_name = "NAME")]
    pub invariants: Vec<String>,
    #[command(flatten)]
    pub values: ValueArgs,
}

impl ImportQuintArgs {
    fn import(&self) -> Result<Imported, Refused> {
        let (init, step, invariants) = (self.init.clone(), self.step.clone(), self.invariants.clone());
        let options = QuintOptions { init, step, invariants, values: self.values.limits() };
        let (text, warnings) = quint::import_file(&self.files.file, &options)?;
        Ok(Imported { text, warnings, sources: Arc::default() })
    }
}

#[derive(Debug, Arguments)]
pub struct ImportTlaArgs {
    #[command(flatten)]
    pub files: ImportArgs,
    #[command(flatten)]
    pub values: ValueArgs,
}

pub fn run(command: &ImportCommand, console: &Console) -> Result<Exit, UsageError> {
    let plain = |language: ForeignLanguage, files| (files, language, ValueLimits::default());
    let (files, language, values) = match command {
        ImportCommand::Aiger(files) => plain(ForeignLanguage::Aiger, files),
        ImportCommand::Btor2(files) => plain(ForeignLanguage::Btor2, files),
        ImportCommand::Promela(files) => plain(ForeignLanguage::Promela, files),
        ImportCommand::Smv(files) => plain(ForeignLanguage::Smv, files),
        ImportCommand::Tla(args) => (&args.files, ForeignLanguage::Tla, args.values.limits()),
        ImportCommand::Quint(args) => (&args.files, ForeignLanguage::Quint, args.values.limits()),
    };
    let imported = match command {
        ImportCommand::Quint(args) => args.import(),
        _ => language.import(&files.file, &values),
    };
    let Imported { text, warnings, sources } =
        imported.map_err(|Refused { diagnostics, sources }| UsageError { diagnostics, sources })?;
    console.diagnose(&warnings, &sources);
    let read = model::load_written(&files.file.display().to_string(), &text, &LoadOptions::default());
    if read.model.is_none() {
        return Err(UsageError { diagnostics: read.diagnostics, sources: read.sources });
    }
    files.output.write(&text, console)?;
    Ok(Exit::Fine)
}
