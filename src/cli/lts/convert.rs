//! Systems as files, with other labels or as graphs: `lts convert`, `lts minimize`, `export aut`, `--dot`.

use super::SystemCommand;
use super::args::{ConvertArgs, ExportAutArgs, MinimizeArgs};
use super::command_error::{CommandError, print};
use super::input::{self, Input};
use super::kind::InputKind;
use super::shared_args::{DrawArgs, PageArgs, RelabelArgs};
use crate::cli::console::Console;
use crate::cli::exit::Exit;
use crate::cli::export::{self, ExportError, write_within};
use crate::cli::limits::CommandLimits;
use crate::cli::refusal::UsageError;
use cladist::budget::{Budget, Exhausted};
use cladist::diagnostics::Diagnostic;
use cladist::lts::drawing::{Drawing, READABLE};
use cladist::lts::property::LabelPattern;
use cladist::lts::{
    self, Labels, Lts, LtsBuilder, Relabelling, aut, branching_quotient, dot, strong_quotient,
    trace_quotient, weak_quotient,
};
use cladist::report::explicit::lts::{MinimizeReport, Modulo, Reduced};
use kit::number::to_u32;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

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
pub fn format(path: &Path) -> Result<Format, UsageError> {
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
pub fn refuse_stdout(files: &[(&str, Option<&PathBuf>)]) -> Result<(), UsageError> {
    let there = files.iter().filter(|(_, path)| path.is_some_and(|path| path == Path::new("-")));
    let diagnostics: Vec<Diagnostic> = there
        .map(|(option, _)| {
            let message = format!("the file of {option} and the result cannot both go to standard output");
            Diagnostic::error_without_place(message).with_help(format!("give {option} the name of a file"))
        })
        .collect();
    if diagnostics.is_empty() { Ok(()) } else { Err(UsageError { diagnostics, sources: Arc::default() }) }
}

/// Writes the page of a result, if it is requested.
///
/// # Errors
/// If it cannot be written.
pub fn write_page(
    args: &PageArgs,
    console: &Console,
    page: impl FnOnce(&str) -> String,
) -> Result<(), CommandError> {
    let Some(path) = &args.page else { return Ok(()) };
    write_file(path, &Budget::unlimited(), console, |out| {
        out.write_all(page(console.command_line()).as_bytes())
    })
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

impl SystemCommand for ConvertArgs {
    fn limits_and_json(&self) -> (CommandLimits, bool) {
        (self.input.system.limits(), false)
    }

    fn run(&self, console: &Console) -> Result<Exit, CommandError> {
        let out = self.file.settled(console).output;
        let path = out.as_deref().unwrap_or(Path::new("-"));
        let format = format(path)?;
        let input = input::load(&self.input, console)?;
        write_lts(&input.lts, path, format, &input.budget, console)?;
        Ok(Exit::Fine)
    }
}

/// `export aut`.
pub fn export(args: &ExportAutArgs, console: &Console) -> Result<Exit, CommandError> {
    let file = &args.model.file;
    if InputKind::of(file) != InputKind::Model {
        let message = format!("{} is not a model (.sts, .spdl, .anb, .scm)", file.display());
        let help = match InputKind::of(file) {
            InputKind::Text => "`cladist lts generate` writes the system of a process text",
            _ => "`cladist lts convert` reads and writes AUT",
        };
        return Err(Diagnostic::error_without_place(message).with_help(help).into());
    }
    let out = args.file.settled(console).output;
    let path = out.as_deref().unwrap_or(Path::new("-"));
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
    let mut builder = LtsBuilder::with_labels(lts.labels().clone());
    lts.all_transitions().for_each(|step| builder.add(step.from, step.label, step.to));
    for state in lts.state_ids().take(input.own_states()) {
        let fate = input.states.as_ref().filter(|_| tags).map(|states| states.fates.of(state).word());
        let values = input.values.get(state.index()).into_iter().flatten().map(String::as_str);
        for text in fate.into_iter().chain(values) {
            let label = builder.labels.intern(format!("state({text})").as_bytes());
            builder.add(state, label, state);
        }
    }
    builder.finish(lts.initial(), to_u32(lts.declared_states()))
}

/// A system modulo the equivalence that was asked for.
fn reduced(args: &MinimizeArgs, lts: &Lts, budget: &Budget) -> Result<Reduced, Exhausted> {
    Ok(match () {
        () if args.modulo.trace => {
            Reduced { lts: trace_quotient(lts, budget)?, state_of: None, modulo: Modulo::Trace }
        }
        () if args.modulo.weak => Reduced::quotient(weak_quotient(lts, budget)?, Modulo::Weak),
        () if args.modulo.branching => Reduced::quotient(branching_quotient(lts, budget)?, Modulo::Branching),
        () => Reduced::quotient(strong_quotient(lts, budget)?, Modulo::Strong),
    })
}

impl SystemCommand for MinimizeArgs {
    fn limits_and_json(&self) -> (CommandLimits, bool) {
        (self.input.system.limits(), self.json)
    }

    fn run(&self, console: &Console) -> Result<Exit, CommandError> {
        let out = self.file.settled(console).output;
        let out = out.as_deref();
        let format = out.map(format).transpose()?;
        let on_stdout = refuse_both(out, self.json)?;
        let rules = relabellings(&self.relabel)?;
        let mut input = input::load(&self.input, console)?;
        relabel(&mut input, &rules)?;
        let reduced =
            reduced(self, &input.lts, &input.budget).map_err(|why| input.ended("minimising", why))?;
        if let (Some(path), Some(format)) = (out, format) {
            write_lts(&reduced.lts, path, format, &input.budget, console)?;
        }
        let report = MinimizeReport { file: &input.file, lts: &input.lts, reduced: &reduced, written: out };
        if !on_stdout {
            print(&report, self.json, &Budget::unlimited(), console)?;
        }
        Ok(Exit::Fine)
    }
}

/// True if a system goes to standard output.
///
/// # Errors
/// If a document is to go there as well.
pub fn refuse_both(out: Option<&Path>, json: bool) -> Result<bool, UsageError> {
    let on_stdout = out == Some(Path::new("-"));
    match on_stdout && json {
        true => Err(UsageError::message("the system and --json cannot both go to standard output")),
        false => Ok(on_stdout),
    }
}

/// Writes the graph if `--dot` was given.
pub fn draw(
    args: &DrawArgs,
    labels: &Labels,
    budget: &Budget,
    console: &Console,
    drawing: impl FnOnce(&Budget) -> Result<Drawing, Exhausted>,
) -> Result<(), CommandError> {
    let Some(path) = &args.dot else { return Ok(()) };
    let drawing = drawing(budget)
        .map_err(|why| CommandError::exhausted(&format!("drawing {}", path.display()), why, budget))?;
    let shown = match args.around {
        None => (0..drawing.nodes.len()).collect(),
        Some(around) => drawing.around(around).ok_or_else(|| {
            Diagnostic::error_without_place(format!("there is no state {} in the graph", around.state))
                .with_help(
                    "the graph contains the states from which a violation is possible but not yet unavoidable; \
                 leave --around out to draw them all",
                )
        })?,
    };
    if shown.len() > READABLE {
        let message = format!("the graph in {} has {} nodes", path.display(), shown.len());
        let warning = Diagnostic::warning_without_place(message)
            .with_help("draw a part of it with --around STATE[:RADIUS]");
        console.diagnose(std::slice::from_ref(&warning), &Default::default());
    }
    write_file(path, budget, console, |out| drawing.write(&shown, labels, out))
}

/// How labels are renamed: first those of --rename, then those of --hide.
pub fn relabellings(args: &RelabelArgs) -> Result<Vec<Relabelling>, UsageError> {
    let (mut rules, mut diagnostics) = (Vec::new(), Vec::new());
    let mut refuse = |message: String, help: &str| {
        diagnostics.push(Diagnostic::error_without_place(message).with_help(help));
    };
    for text in &args.rename {
        let rule = text.rsplit_once('=').map(|(pattern, label)| (LabelPattern::new(pattern), label));
        match rule {
            Some((Ok(pattern), label)) => rules.push(Relabelling::Rename(pattern, label.to_owned())),
            Some((Err(why), _)) => {
                refuse(format!("in --rename '{text}': {why}"), "example: --rename 'SEND.*=SEND'")
            }
            None => refuse(format!("--rename '{text}' has no new label"), "example: --rename 'SEND.*=SEND'"),
        }
    }
    for text in &args.hide {
        match LabelPattern::new(text) {
            Ok(pattern) => rules.push(Relabelling::Hide(pattern)),
            Err(why) => refuse(format!("in --hide '{text}': {why}"), "example: --hide 'SEND.*'"),
        }
    }
    if diagnostics.is_empty() { Ok(rules) } else { Err(UsageError { diagnostics, sources: Arc::default() }) }
}

/// Gives a system its labels.
///
/// # Errors
/// For a pattern that no label of such a system can match, and no new one does.
pub fn relabel(input: &mut Input, rules: &[Relabelling]) -> Result<(), CommandError> {
    let (mut new, mut mistakes): (Vec<&str>, Vec<Diagnostic>) = Default::default();
    for rule in rules {
        let (Relabelling::Rename(pattern, _) | Relabelling::Hide(pattern)) = rule;
        if !new.iter().any(|label| pattern.matches(label)) {
            mistakes.extend(input.known().excluded(pattern));
        }
        if let Relabelling::Rename(_, label) = rule {
            new.push(label);
        }
    }
    if !mistakes.is_empty() {
        return Err(UsageError { diagnostics: mistakes, sources: Arc::default() }.into());
    }
    if !rules.is_empty() {
        let relabelled = lts::relabel(&input.lts, rules, &input.budget);
        input.lts = relabelled.map_err(|why| input.ended("renaming the labels of", why))?;
    }
    Ok(())
}
