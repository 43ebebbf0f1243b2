//! `cladist man`: one manual page, or one for each command.

use super::command::Args;
use super::console::Console;
use super::exit::Exit;
use super::out_dir::OutDir;
use super::refusal::UsageError;
use clap::Command;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};
use std::path::Path;

/// Prints the page `cladist(1)`, or writes all pages into a folder.
pub fn run(out: Option<&Path>, console: &Console) -> Result<Exit, UsageError> {
    let mut command = Args::tree();
    command.build();
    match out {
        None => console.print(&page(command)?)?,
        Some(folder) => write_pages(&command, &OutDir::create(folder, console.watchdog())?)?,
    }
    Ok(Exit::Fine)
}

/// Writes the page of a command and those of its subcommands: `cladist-trace-show.1`.
fn write_pages(command: &Command, out: &OutDir) -> Result<(), UsageError> {
    let name = command.get_display_name().unwrap_or(command.get_name()).to_owned();
    out.write(&format!("{name}.1"), &page(command.clone())?)?;
    for below in command.get_subcommands().filter(|c| c.get_name() != "help") {
        write_pages(below, out)?;
    }
    Ok(())
}

fn page(command: Command) -> Result<String, UsageError> {
    let notes = command.get_after_long_help().or(command.get_after_help()).map(ToString::to_string);
    let mut text = Vec::new();
    Man::new(command.after_help(None).after_long_help(None))
        .render(&mut text)
        .map_err(|error| UsageError::message(format!("cannot write the manual page: {error}")))?;
    let page = String::from_utf8_lossy(&text).into_owned();
    Ok(page + &notes.map(|notes| sections(&notes)).unwrap_or_default())
}

/// Converts the notes below a help text to sections. Indented lines, which are examples and tables, are kept as they
/// are; other text is filled.
fn sections(notes: &str) -> String {
    let mut roff = Roff::new();
    let (mut section, mut as_it_is, mut begins) = ("", false, true);
    for line in notes.lines() {
        if line.is_empty() {
            begins = true;
            continue;
        }
        let indented = line.starts_with(' ');
        match (as_it_is, indented) {
            (false, true) => _ = roff.control("nf", []),
            (true, false) => _ = roff.control("fi", []),
            (true, true) if begins => _ = roff.text([roman("")]),
            _ => {}
        }
        as_it_is = indented;
        let heading = match line {
            "Example:" | "Examples:" => Some("EXAMPLES"),
            "Exit codes:" => Some("EXIT STATUS"),
            _ => None,
        };
        if let Some(heading) = heading {
            roff.control("SH", [heading]);
            section = heading;
        } else {
            if begins && !indented && section != "NOTES" {
                section = "NOTES";
                roff.control("SH", [section]);
            } else if begins && !indented {
                roff.control("PP", []);
            }
            roff.text([roman(line)]);
        }
        begins = false;
    }
    if as_it_is {
        roff.control("fi", []);
    }
    roff.render()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indented_lines_are_not_filled() {
        let text = sections("Examples:\n  cladist a \\\n      --b 'c'\n\nSome words\nand more.\n\nThe end.");
        let lines: Vec<&str> = text.lines().skip_while(|line| !line.starts_with(".SH")).collect();
        let start =
            [".SH EXAMPLES", ".nf", "  cladist a \\\\", "      \\-\\-b \\*(Aqc\\*(Aq", ".fi", ".SH NOTES"];
        assert_eq!(lines[..6], start);
        assert_eq!(lines[6..], ["Some words", "and more.", ".PP", "The end."]);
    }
}
