//! Systems as files: `lts convert`, `lts minimize`, `export aut`.

use super::args::{ConvertArgs, ExportAutArgs, MinimizeArgs};
use super::ended::Ended;
use super::input;
use super::kind::Kind;
use crate::cli::console::Console;
use crate::cli::exit::Exit;
use crate::cli::refusal::Refusal;
use cladist::diagnostics::Diagnostic;
use cladist::lts::{Lts, aut, dot, quotient};
use cladist::report::lts::{minimize_document, minimize_text};
use cladist::report::to_json;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What a file is written as.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// AUT.
    Aut,
    /// AUT, compressed.
    AutGz,
    /// A graph.
    Dot,
}

/// The format that the name of a file asks for.
pub fn format(path: &Path) -> Result<Format, Refusal> {
    let name = path.to_string_lossy().to_lowercase();
    match name.as_str() {
        "-" => Ok(Format::Aut),
        name if name.ends_with(".aut") => Ok(Format::Aut),
        name if name.ends_with(".aut.gz") => Ok(Format::AutGz),
        name if name.ends_with(".dot") || name.ends_with(".gv") => Ok(Format::Dot),
        _ => {
            Err(Diagnostic::error_without_place(format!("the ending of {} tells no format", path.display()))
                .with_help("end its name with .aut, .aut.gz or .dot, or write `-` for AUT on standard output")
                .into())
        }
    }
}

/// Files that are written beside a result, each with its option, cannot go to standard output.
///
/// # Errors
/// Those that should.
pub fn refuse_stdout(files: &[(&str, Option<&PathBuf>)]) -> Result<(), Refusal> {
    let there = files.iter().filter(|(_, path)| path.is_some_and(|path| path == Path::new("-")));
    let diagnostics: Vec<Diagnostic> = there
        .map(|(option, _)| {
            let message = format!("the file of {option} and the result cannot both go to standard output");
            Diagnostic::error_without_place(message).with_help(format!("give {option} the name of a file"))
        })
        .collect();
    if diagnostics.is_empty() { Ok(()) } else { Err(Refusal { diagnostics, sources: Arc::default() }) }
}

/// Writes a file through a buffer; `-` is standard output.
pub fn write_file(
    path: &Path,
    console: &Console,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Refusal> {
    if path == Path::new("-") {
        return console.write(write);
    }
    let written = File::create(path).and_then(|file| {
        let mut out = BufWriter::new(file);
        write(&mut out)?;
        out.flush()
    });
    written.map_err(|error| Refusal::message(format!("cannot write {}: {error}", path.display())))
}

/// Writes a system.
pub fn write_lts(lts: &Lts, path: &Path, format: Format, console: &Console) -> Result<(), Refusal> {
    write_file(path, console, |out| match format {
        Format::Aut => aut::write(lts, out),
        Format::Dot => dot::write(lts, out),
        Format::AutGz => {
            let mut packed = flate2::write::GzEncoder::new(out, flate2::Compression::default());
            aut::write(lts, &mut packed)?;
            packed.finish().map(|_| ())
        }
    })
}

/// `lts convert`.
pub fn convert(args: &ConvertArgs, console: &Console) -> Result<Exit, Ended> {
    let format = format(&args.out)?;
    let input = input::load(&args.input, console)?;
    write_lts(&input.lts, &args.out, format, console)?;
    Ok(Exit::Fine)
}

/// `export aut`.
pub fn export(args: &ExportAutArgs, console: &Console) -> Result<Exit, Ended> {
    let file = &args.model.file;
    if Kind::of(file) != Kind::Model {
        let message = format!("{} is no model (.sts)", file.display());
        let help = match Kind::of(file) {
            Kind::Text => "`cladist lts generate` writes the system of a process text",
            _ => "`cladist lts convert` reads and writes AUT",
        };
        return Err(Diagnostic::error_without_place(message).with_help(help).into());
    }
    let path = args.out.as_deref().unwrap_or(Path::new("-"));
    let format = format(path)?;
    let input = input::load_model(&args.model, console)?;
    write_lts(&input.lts, path, format, console)?;
    Ok(Exit::Fine)
}

/// `lts minimize`.
pub fn minimize(args: &MinimizeArgs, console: &Console) -> Result<Exit, Ended> {
    let format = args.out.as_deref().map(format).transpose()?;
    let on_stdout = args.out.as_deref() == Some(Path::new("-"));
    if on_stdout && args.json {
        return Err(Refusal::message("the system and --json cannot both go to standard output").into());
    }
    let input = input::load(&args.input, console)?;
    let quotient = quotient(&input.lts, &input.budget).map_err(|why| input.ended("minimising", why))?;
    if let (Some(path), Some(format)) = (&args.out, format) {
        write_lts(&quotient.lts, path, format, console)?;
    }
    if args.json {
        console.print(&to_json(&minimize_document(&input.file, &input.lts, &quotient)))?;
    } else if !on_stdout {
        console.print(&minimize_text(&input.file, &input.lts, &quotient, args.out.as_deref()))?;
    }
    Ok(Exit::Fine)
}
