//! `cladist completions`: a completion script for a shell.

use super::command::Args;
use super::console::Console;
use super::exit::Exit;
use super::refusal::Refusal;
use clap_complete::Shell;

/// Prints the script.
pub fn run(shell: Shell, console: &Console) -> Result<Exit, Refusal> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Args::tree(), "cladist", &mut script);
    console.print(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Fine)
}
