//! `cladist doc`: a reference page of a library, component or model.

use super::console::Console;
use super::exit::Exit;
use super::input;
use super::loading::OutputFileArgs;
use super::refusal::UsageError;
use cladist::diagnostics::{Diagnostic, SourceMap};
use cladist::model::{self, LoadOptions};
use cladist::report::reference::reference;
use cladist::syntax::ast::FileKind;
use cladist::syntax::parse;
use clap::{Args as Arguments, ValueHint};
use std::path::PathBuf;
use std::sync::Arc;

#[derive(Debug, Arguments)]
pub struct DocArgs {
    /// The library (.pred), component or model (.sts); `std/NAME` is one of the program
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: PathBuf,
    #[command(flatten)]
    pub output: OutputFileArgs,
    /// HTML instead of Markdown; the default for files that end in .html
    #[arg(long)]
    pub html: bool,
    /// Root folder of imports [default: nearest folder at or above the model with `predicates` or a repository]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub root: Option<PathBuf>,
}

pub fn run(args: &DocArgs, console: &Console) -> Result<Exit, UsageError> {
    let path = args.file.to_string_lossy();
    if input::is_written(&args.file) {
        let message = format!("{path} is no library, component or model of the specification language");
        return Err(Diagnostic::error_without_place(message)
            .with_help("`cladist import` or `cladist export sts` makes a model of it")
            .into());
    }
    let text = match model::standard_text(&args.file) {
        Some(text) => text.to_owned(),
        None => input::read(&args.file)?,
    };
    let mut sources = SourceMap::new();
    let source = sources.add(path.as_ref(), &text);
    let (file, diagnostics) = parse(source, &text);
    let kind = file.header.as_ref().map(|header| header.kind);
    if kind.is_none() || diagnostics.iter().any(Diagnostic::is_error) {
        return Err(UsageError { diagnostics, sources: Arc::new(sources) });
    }
    // A page of a file with mistakes would mislead. A component is checked only where it is imported, with its requirements.
    let options = LoadOptions { root: args.root.as_deref(), ..LoadOptions::default() };
    match kind {
        _ if model::standard_text(&args.file).is_some() => {}
        Some(FileKind::Library) => {
            input::library(&args.file, &options, console)?;
        }
        Some(FileKind::Model) => {
            input::load(&args.file, &options, console)?;
        }
        _ => {}
    }
    let page = reference(&file, &sources, &path);
    let is_html = args.html
        || args.output.output.as_ref().is_some_and(|path| path.extension() == Some("html".as_ref()));
    args.output.write(&if is_html { page.html() } else { page.markdown() }, console)?;
    Ok(Exit::Fine)
}
