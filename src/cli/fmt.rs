//! `cladist fmt`: the canonical layout of models, libraries and protocol files.

use super::console::Console;
use super::exit::Exit;
use super::export::write_file;
use super::input;
use super::refusal::UsageError;
use cladist::budget::Budget;
use cladist::diagnostics::{Diagnostic, SourceMap};
use cladist::protocol::{self, is_own_notation, is_protocol};
use cladist::syntax;
use clap::{Args as Arguments, ValueHint};
use std::path::{Path, PathBuf};
use std::sync::Arc;

#[derive(Debug, Arguments)]
pub struct FmtArgs {
    /// Models, components (.sts), libraries (.pred) and protocols (.spdl)
    #[arg(value_name = "FILE", required = true, value_hint = ValueHint::FilePath)]
    pub files: Vec<PathBuf>,
    /// Write nothing; list files in another layout, and exit with 10 if there are any
    #[arg(long)]
    pub check: bool,
    /// Print the result instead of replacing the file
    #[arg(long, conflicts_with = "check")]
    pub stdout: bool,
}

/// Formats each file. Files that cannot be read are reported and unchanged; the others are formatted nevertheless.
pub fn run(args: &FmtArgs, console: &Console) -> Result<Exit, UsageError> {
    if args.stdout && args.files.len() > 1 {
        return Err(UsageError::message("--stdout prints one file only"));
    }
    let mut exit = Exit::Fine;
    for path in &args.files {
        match one(path, args, console) {
            Ok(true) => {}
            Ok(false) if exit == Exit::Fine => exit = Exit::Violated,
            Ok(false) => {}
            Err(refusal) => exit = console.refuse(&refusal, false),
        }
    }
    Ok(exit)
}

/// Formats one file; returns false if it was only to be checked, and its layout is not canonical.
fn one(path: &Path, args: &FmtArgs, console: &Console) -> Result<bool, UsageError> {
    if !has_layout(path) {
        let message = format!("cannot format {}: unknown file extension", path.display());
        return Err(Diagnostic::error_without_place(message)
            .with_help("models end in .sts, libraries in .pred, protocols in .spdl")
            .into());
    }
    let text = input::read(path)?;
    let formatted = laid_out(path, &text).map_err(|diagnostics| {
        let mut sources = SourceMap::new();
        sources.add(path.to_string_lossy(), &text);
        UsageError { diagnostics, sources: Arc::new(sources) }
    })?;
    if args.stdout {
        console.print(&formatted)?;
    } else if args.check && formatted != text {
        console.print(&format!("{}\n", path.display()))?;
        return Ok(false);
    } else if formatted != text {
        let write = |out: &mut dyn std::io::Write| out.write_all(formatted.as_bytes());
        write_file(path, &Budget::unlimited(), console.watchdog(), write)
            .map_err(|error| error.refusal(path))?;
    }
    Ok(true)
}

/// True if the name of a file is that of a model, a component, a library or a protocol.
fn has_layout(path: &Path) -> bool {
    let is_model = path.extension().is_some_and(|ending| ending == "sts" || ending == "pred");
    is_model || is_own_notation(path)
}

/// Returns the canonical layout of a text: that of a protocol if its path is that of one, and of a model, component or
/// library otherwise. Alice–Bob notation and strands have none.
pub fn laid_out(path: &Path, text: &str) -> Result<String, Vec<Diagnostic>> {
    match is_protocol(path) {
        true if is_own_notation(path) => protocol::format(text),
        true => Err(Vec::new()),
        false => syntax::format(text),
    }
}
