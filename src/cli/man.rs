//! `cladist man`: the manual page, or one for each command.

use super::args::Args;
use super::console::Console;
use super::exit::Exit;
use super::out_dir::OutDir;
use super::refusal::Refusal;
use clap::{Command, CommandFactory};
use clap_mangen::Man;
use std::path::Path;

/// Prints `cladist(1)`, or writes all pages into a folder.
pub fn run(out: Option<&Path>, console: &Console) -> Result<Exit, Refusal> {
    let mut command = Args::command();
    command.build();
    match out {
        None => console.print(&page(command)?)?,
        Some(folder) => write_pages(&command, &OutDir::create(folder)?)?,
    }
    Ok(Exit::Fine)
}

/// Writes the page of a command and those of the commands below it: `cladist-trace-show.1`.
fn write_pages(command: &Command, out: &OutDir) -> Result<(), Refusal> {
    let name = command.get_display_name().unwrap_or(command.get_name()).to_owned();
    out.write(&format!("{name}.1"), &page(command.clone())?)?;
    for below in command.get_subcommands().filter(|c| c.get_name() != "help") {
        write_pages(below, out)?;
    }
    Ok(())
}

fn page(command: Command) -> Result<String, Refusal> {
    let mut text = Vec::new();
    Man::new(command)
        .render(&mut text)
        .map_err(|error| Refusal::message(format!("cannot write the manual page: {error}")))?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}
