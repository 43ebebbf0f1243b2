//! `cladist diff`: the differences between two stored results.

use super::console::Console;
use super::exit::Exit;
use super::refusal::UsageError;
use super::stored::{document, refuse_kinds, wrong};
use cladist::batch::{difference, difference_text};
use cladist::report::to_json;
use clap::{Args, ValueHint};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub struct DiffArgs {
    /// A stored result of `classify -V NAME --json` or `--out`
    #[arg(value_name = "A", value_hint = ValueHint::FilePath)]
    pub first: PathBuf,
    /// The result to compare with
    #[arg(value_name = "B", value_hint = ValueHint::FilePath)]
    pub second: PathBuf,
    /// Print one JSON document and nothing else on standard output
    #[arg(long)]
    pub json: bool,
}

pub fn run(args: &DiffArgs, console: &Console) -> Result<Exit, UsageError> {
    let [first, second] = [document(&args.first)?, document(&args.second)?];
    refuse_kinds(&first, &args.first)?;
    refuse_kinds(&second, &args.second)?;
    let Some(found) = difference(&first, &second) else {
        let (first, second) = (args.first.display(), args.second.display());
        return Err(wrong(format!("`{first}` and `{second}` are not both results of classifications")));
    };
    let files = [&args.first, &args.second].map(|path| path.to_string_lossy());
    match args.json {
        true => console.print(&to_json(&found))?,
        false => console.print(&difference_text(&found, [&files[0], &files[1]]))?,
    }
    Ok(if found.same { Exit::Fine } else { Exit::Violated })
}
