//! `cladist import`: models of other tools as texts in the specification language.

use super::console::Console;
use super::exit::Exit;
use super::loading::OutputFileArgs;
use super::refusal::UsageError;
use super::values::{parse_length, parse_override, parse_range};
use cladist::aiger;
use cladist::btor2;
use cladist::diagnostics::SourceMap;
use cladist::limits::ValueLimits;
use cladist::promela;
use cladist::quint::{QuintOptions, import_file};
use cladist::smv;
use cladist::tla;
use clap::{Args as Arguments, ValueHint};
use std::path::PathBuf;
use std::sync::Arc;

/// The values of constants, and limits of values that have none otherwise.
#[derive(Debug, Clone, Arguments)]
pub struct ValueArgs {
    /// Limit integers of Quint and TLA+ that have no bound otherwise
    #[arg(long = "int", value_name = "LO..HI", value_parser = parse_range, allow_hyphen_values = true)]
    pub integers: Option<(i64, i64)>,
    /// Limit the length of lists of Quint and TLA+ that have no bound otherwise
    #[arg(long = "list", value_name = "N", value_parser = parse_length)]
    pub lists: Option<usize>,
    /// The value of a constant (repeatable)
    #[arg(long = "const", value_name = "NAME=VALUE", value_parser = parse_override)]
    pub constants: Vec<(String, String)>,
}

/// `import quint`.
#[derive(Debug, Arguments)]
pub struct ImportQuintArgs {
    /// Output of `quint compile --target json`
    #[arg(value_hint = ValueHint::FilePath)]
    pub file: PathBuf,
    /// The file to write.
    #[command(flatten)]
    pub output: OutputFileArgs,
    /// Name of the init action [default: as compiled]
    #[arg(long, value_name = "NAME")]
    pub init: Option<String>,
    /// Name of the step action [default: as compiled]
    #[arg(long, value_name = "NAME")]
    pub step: Option<String>,
    /// An invariant (repeatable) [default: as compiled]
    #[arg(long = "invariant", value_name = "NAME")]
    pub invariants: Vec<String>,
    /// The limits of values.
    #[command(flatten)]
    pub values: ValueArgs,
}

/// Runs `cladist import quint`.
pub fn quint(args: &ImportQuintArgs, console: &Console) -> Result<Exit, UsageError> {
    let ValueArgs { integers, lists, constants } = args.values.clone();
    let options = QuintOptions {
        init: args.init.clone(),
        step: args.step.clone(),
        invariants: args.invariants.clone(),
        integers,
        lists,
        constants,
    };
    let text = import_file(&args.file, &options)
        .map_err(|diagnostics| UsageError { diagnostics, sources: Arc::new(SourceMap::new()) })?;
    args.output.write(&text, console)?;
    Ok(Exit::Fine)
}

/// `import aiger`.
#[derive(Debug, Arguments)]
pub struct ImportAigerArgs {
    /// A circuit in AIGER, in ASCII or binary
    #[arg(value_hint = ValueHint::FilePath)]
    pub file: PathBuf,
    /// The file to write.
    #[command(flatten)]
    pub output: OutputFileArgs,
}

/// Runs `cladist import aiger`.
pub fn aiger(args: &ImportAigerArgs, console: &Console) -> Result<Exit, UsageError> {
    args.output.write(&aiger::import_file(&args.file)?, console)?;
    Ok(Exit::Fine)
}

/// `import btor2`.
#[derive(Debug, Arguments)]
pub struct ImportBtor2Args {
    /// A circuit in BTOR2, without arrays
    #[arg(value_hint = ValueHint::FilePath)]
    pub file: PathBuf,
    /// The file to write.
    #[command(flatten)]
    pub output: OutputFileArgs,
}

/// Runs `cladist import btor2`.
pub fn btor2(args: &ImportBtor2Args, console: &Console) -> Result<Exit, UsageError> {
    let text = btor2::import_file(&args.file)
        .map_err(|btor2::Refused { diagnostics, sources }| UsageError { diagnostics, sources })?;
    args.output.write(&text, console)?;
    Ok(Exit::Fine)
}

/// `import smv`.
#[derive(Debug, Arguments)]
pub struct ImportSmvArgs {
    /// A model of NuSMV or nuXmv
    #[arg(value_hint = ValueHint::FilePath)]
    pub file: PathBuf,
    /// The file to write.
    #[command(flatten)]
    pub output: OutputFileArgs,
}

/// Runs `cladist import smv`.
pub fn smv(args: &ImportSmvArgs, console: &Console) -> Result<Exit, UsageError> {
    let (text, warnings) = smv::import_file(&args.file)
        .map_err(|smv::Refused { diagnostics, sources }| UsageError { diagnostics, sources })?;
    console.diagnose(&warnings, &SourceMap::new());
    args.output.write(&text, console)?;
    Ok(Exit::Fine)
}

/// `import promela`.
#[derive(Debug, Arguments)]
pub struct ImportPromelaArgs {
    /// A program of Spin; files that it includes lie beside it
    #[arg(value_hint = ValueHint::FilePath)]
    pub file: PathBuf,
    /// The file to write.
    #[command(flatten)]
    pub output: OutputFileArgs,
}

/// Runs `cladist import promela`.
pub fn promela(args: &ImportPromelaArgs, console: &Console) -> Result<Exit, UsageError> {
    let text = promela::import_file(&args.file)
        .map_err(|promela::Refused { diagnostics, sources }| UsageError { diagnostics, sources })?;
    args.output.write(&text, console)?;
    Ok(Exit::Fine)
}

/// `import tla`.
#[derive(Debug, Arguments)]
pub struct ImportTlaArgs {
    /// A module of TLA+; its .cfg and other modules lie beside it
    #[arg(value_hint = ValueHint::FilePath)]
    pub file: PathBuf,
    /// The file to write.
    #[command(flatten)]
    pub output: OutputFileArgs,
    /// The limits of values.
    #[command(flatten)]
    pub values: ValueArgs,
}

/// Runs `cladist import tla`.
pub fn tla(args: &ImportTlaArgs, console: &Console) -> Result<Exit, UsageError> {
    let ValueArgs { integers, lists, constants } = args.values.clone();
    let imported = tla::import_file(&args.file, &ValueLimits { integers, lists, constants })
        .map_err(|tla::Refused { diagnostics, sources }| UsageError { diagnostics, sources })?;
    console.diagnose(&imported.warnings, &imported.sources);
    args.output.write(&imported.text, console)?;
    Ok(Exit::Fine)
}
