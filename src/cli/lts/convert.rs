//! Systems as files: `lts convert`, `lts minimize`, `export aut`.

use super::args::{ConvertArgs, ExportAutArgs, MinimizeArgs};
use super::command_error::CommandError;
use super::input::{self, Input};
use super::kind::Kind;
use super::relabel::{relabel, relabellings};
use crate::cli::console::Console;
use crate::cli::exit::Exit;
use crate::cli::export::{self, ExportError, write_within};
use crate::cli::refusal::Refusal;
use cladist::budget::{Budget, Exhausted};
use cladist::diagnostics::Diagnostic;
use cladist::lts::{
    Builder, Lts, aut, branching_quotient, dot, strong_quotient, trace_quotient, weak_quotient,
};
use cladist::report::explicit::lts::{Modulo, Reduced, minimize_document, minimize_text};
use cladist::report::to_json;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// An output format.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Aut,
    /// AUT, compressed with gzip.
    AutGz,
    /// AUT, compressed with bzip2.
    AutBz2,
    /// AUT, compressed with zstd.
    AutZst,
    /// A graph in the DOT language of Graphviz.
    Dot,
}

/// The format that a file extension selects.
pub fn format(path: &Path) -> Result<Format, Refusal> {
    let name = path.to_string_lossy().to_lowercase();
    match name.as_str() {
        "-" => Ok(Format::Aut),
        name if name.ends_with(".aut") => Ok(Format::Aut),
        name if name.ends_with(".aut.gz") => Ok(Format::AutGz),
        name if name.ends_with(".aut.bz2") => Ok(Format::AutBz2),
        name if name.ends_with(".aut.zst") => Ok(Format::AutZst),
        name if name.ends_with(".dot") || name.ends_with(".gv") => Ok(Format::Dot),
        _ => Err(Diagnostic::error_without_place(format!(
            "cannot infer the format from the file extension of {}",
            path.display()
        ))
        .with_help("use .aut, .aut.gz, .aut.bz2, .aut.zst or .dot, or `-` for AUT on standard output")
        .into()),
    }
}

/// Checks that no file that is written in addition to the result goes to standard output.
///
/// # Errors
/// One mistake for each option whose file is `-`.
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

/// Writes a file within the budget; `-` is standard output.
///
/// # Errors
/// If it cannot be written, or the budget is exhausted: then the file does not exist, or is unchanged.
pub fn write_file(
    path: &Path,
    budget: &Budget,
    console: &Console,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), CommandError> {
    let written = match path == Path::new("-") {
        true => {
            let mut ended = Ok(());
            console.write(|out| match write_within(out, budget, write) {
                Err(ExportError::Io(error)) => Err(error),
                other => {
                    ended = other;
                    Ok(())
                }
            })?;
            ended
        }
        false => export::write_file(path, budget, console.watchdog(), write),
    };
    written.map_err(|error| match error {
        ExportError::Exhausted(why) => {
            CommandError::exhausted(&format!("writing {}", path.display()), why, &Budget::unlimited())
        }
        error => CommandError::Refused(error.refusal(path)),
    })
}

/// Writes a system within the budget.
pub fn write_lts(
    lts: &Lts,
    path: &Path,
    format: Format,
    budget: &Budget,
    console: &Console,
) -> Result<(), CommandError> {
    write_file(path, budget, console, |out| match format {
        Format::Aut => aut::write(lts, out),
        Format::Dot => dot::write(lts, out),
        // The writer below checks the budget, so encoders have to flush small pieces often.
        Format::AutGz => {
            let packed = flate2::write::GzEncoder::new(out, flate2::Compression::default());
            write_into(lts, packed)?.finish().map(|_| ())
        }
        Format::AutBz2 => {
            let packed = bzip2::write::BzEncoder::new(out, bzip2::Compression::default());
            write_into(lts, packed)?.finish().map(|_| ())
        }
        Format::AutZst => write_into(lts, aut::Packed::new(out))?.finish().map(|_| ()),
    })
}

fn write_into<W: Write>(lts: &Lts, encoder: W) -> io::Result<W> {
    let mut text = BufWriter::new(encoder);
    aut::write(lts, &mut text)?;
    text.into_inner().map_err(io::IntoInnerError::into_error)
}

/// `lts convert`.
pub fn convert(args: &ConvertArgs, console: &Console) -> Result<Exit, CommandError> {
    let format = format(&args.out)?;
    let input = input::load(&args.input, console)?;
    write_lts(&input.lts, &args.out, format, &input.budget, console)?;
    Ok(Exit::Fine)
}

/// `export aut`.
pub fn export(args: &ExportAutArgs, console: &Console) -> Result<Exit, CommandError> {
    let file = &args.model.file;
    if Kind::of(file) != Kind::Model {
        let message = format!("{} is not a model (.sts, .spdl)", file.display());
        let help = match Kind::of(file) {
            Kind::Text => "`cladist lts generate` writes the system of a process text",
            _ => "`cladist lts convert` reads and writes AUT",
        };
        return Err(Diagnostic::error_without_place(message).with_help(help).into());
    }
    let path = args.out.as_deref().unwrap_or(Path::new("-"));
    let format = format(path)?;
    let input = input::load_model(args, console)?;
    if args.tags || !args.show.is_empty() {
        let told = with_self_loops(&input, args.tags);
        write_lts(&told, path, format, &input.budget, console)?;
        return Ok(Exit::Fine);
    }
    write_lts(&input.lts, path, format, &input.budget, console)?;
    Ok(Exit::Fine)
}

/// The system with self-loops that tell what can become of its states, if `tags`, and which values they have.
fn with_self_loops(input: &Input, tags: bool) -> Lts {
    let lts = &input.lts;
    let mut builder = Builder::with_labels(lts.labels().clone());
    lts.all_transitions().for_each(|step| builder.add(step.from, step.label, step.to));
    for state in lts.state_ids().take(input.own_states()) {
        let fate = input.states.as_ref().filter(|_| tags).map(|states| states.fates.of(state).word());
        let values = input.values.get(state.index()).into_iter().flatten().map(String::as_str);
        for text in fate.into_iter().chain(values) {
            let label = builder.labels.intern(format!("state({text})").as_bytes());
            builder.add(state, label, state);
        }
    }
    builder.finish(lts.initial(), lts.declared_states() as u32)
}

/// A system modulo the equivalence that was asked for.
fn reduced(args: &MinimizeArgs, lts: &Lts, budget: &Budget) -> Result<Reduced, Exhausted> {
    Ok(match () {
        () if args.trace => {
            Reduced { lts: trace_quotient(lts, budget)?, state_of: None, modulo: Modulo::Trace }
        }
        () if args.weak => Reduced::quotient(weak_quotient(lts, budget)?, Modulo::Weak),
        () if args.branching => Reduced::quotient(branching_quotient(lts, budget)?, Modulo::Branching),
        () => Reduced::quotient(strong_quotient(lts, budget)?, Modulo::Strong),
    })
}

/// `lts minimize`.
pub fn minimize(args: &MinimizeArgs, console: &Console) -> Result<Exit, CommandError> {
    let format = args.out.as_deref().map(format).transpose()?;
    let on_stdout = args.out.as_deref() == Some(Path::new("-"));
    if on_stdout && args.json {
        return Err(Refusal::message("the system and --json cannot both go to standard output").into());
    }
    let rules = relabellings(&args.relabel)?;
    let mut input = input::load(&args.input, console)?;
    relabel(&mut input, &rules)?;
    let reduced = reduced(args, &input.lts, &input.budget).map_err(|why| input.ended("minimising", why))?;
    if let (Some(path), Some(format)) = (&args.out, format) {
        write_lts(&reduced.lts, path, format, &input.budget, console)?;
    }
    if args.json {
        console.print(&to_json(&minimize_document(&input.file, &input.lts, &reduced)))?;
    } else if !on_stdout {
        console.print(&minimize_text(&input.file, &input.lts, &reduced, args.out.as_deref()))?;
    }
    Ok(Exit::Fine)
}
