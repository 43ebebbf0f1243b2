//! `lts info`.

use super::args::InfoArgs;
use super::command_error::CommandError;
use super::input;
use crate::cli::console::Console;
use crate::cli::exit::Exit;
use cladist::lts::facts;
use cladist::report::lts::{info_document, info_text};
use cladist::report::to_json;

pub fn run(args: &InfoArgs, console: &Console) -> Result<Exit, CommandError> {
    let input = input::load(&args.input, console)?;
    let facts = facts(&input.lts, &input.budget).map_err(|why| input.ended("examining", why))?;
    let result = if args.json {
        to_json(&info_document(&input.file, &input.lts, &facts))
    } else {
        info_text(&input.file, &input.lts, &facts, input.starts)
    };
    console.print(&result)?;
    Ok(Exit::Fine)
}
