//! "Classify this property": a code action, and the command behind it.

use super::Server;
use super::messages::{EditorCommand, Range, Uri};
use super::places::offset;
use cladist::diagnostics::{SourceId, Span};
use cladist::protocol::is_protocol;
use cladist::syntax::ast::ItemKind;
use cladist::syntax::parse;
use serde_json::{Value as Json, json};
use std::process::{Command as Process, Stdio};

/// The command that classifies a property; its arguments are the path of the model and the name of the property.
pub const CLASSIFY: &str = "cladist.classify";

/// The time limit, as the program reads it.
const TIMEOUT: &str = "60s";

impl Server<'_> {
    /// Returns the commands for the properties in a range of an open model.
    pub fn actions(&self, uri: &Uri, asked: Range) -> Vec<EditorCommand> {
        let Some((path, document)) = self.document(uri).filter(|(path, _)| !is_protocol(path)) else {
            return Vec::new();
        };
        let text = &document.text;
        let (from, to) = (offset(text, asked.start), offset(text, asked.end));
        let (file, _) = parse(SourceId::default(), text);
        let touches = |span: Span| span.start as usize <= to && from <= span.end as usize;
        let properties =
            file.items.iter().filter(|item| touches(item.span)).filter_map(|item| match &item.kind {
                ItemKind::Invariant { name, .. } | ItemKind::Ltl { name, .. } => Some(&name.name),
                _ => None,
            });
        let command = |property: &String| EditorCommand {
            title: format!("Classify the violations of `{property}`"),
            command: CLASSIFY,
            arguments: vec![json!(path), json!(property)],
        };
        properties.map(command).collect()
    }
}

/// Runs a command of an editor that has no terminal for it; returns the output of the program.
///
/// # Errors
/// The error in the command, or the reason why the program cannot be run.
pub fn execute(command: &str, arguments: &[Json]) -> Result<String, String> {
    let (CLASSIFY, [Json::String(path), Json::String(property)]) = (command, arguments) else {
        return Err(format!("there is no command {command} with these arguments"));
    };
    let program = std::env::current_exe().map_err(|error| format!("the program cannot be found: {error}"))?;
    let mut command = Process::new(program);
    command.args(["classify", "--color", "never", "--until-stdin-ends", "--timeout", TIMEOUT]);
    command.args(["-p", property, "--", path]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let output = command.spawn().and_then(|mut job| {
        let _until_end = job.stdin.take();
        job.wait_with_output()
    });
    let output = output.map_err(|error| format!("the program cannot be run: {error}"))?;
    let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.push_str(&String::from_utf8_lossy(&output.stderr));
    Ok(text)
}
