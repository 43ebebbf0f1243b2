//! `cladist completions`: a script by which a shell asks the program for completions, and the answers, with the names of the model on the
//! command line.

use super::command::Args;
use super::console::Console;
use super::exit::Exit;
use super::input::load_any;
use super::refusal::UsageError;
use cladist::budget::{Budget, helper};
use cladist::model::LoadOptions;
use cladist::vocabulary::AUTO;
use clap::{Arg, Command};
use clap_complete::engine::{ArgValueCompleter, CompletionCandidate};
use clap_complete::env::Shells;
use clap_complete::{CompleteEnv, Shell};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::sync_channel;
use std::time::Duration;

/// The variable by which a shell asks for completions.
const VARIABLE: &str = "CLADIST_COMPLETE";

/// The longest time that a user waits for the names of a model.
const PATIENCE: Duration = Duration::from_secs(1);

/// The largest model that is read for its names, in bytes.
const LARGEST: u64 = 1 << 20;

pub fn run(shell: Shell, console: &Console) -> Result<Exit, UsageError> {
    let mut script = Vec::new();
    if let Some(completer) = Shells::builtins().completer(&shell.to_string()) {
        completer
            .write_registration(VARIABLE, "cladist", "cladist", "cladist", &mut script)
            .map_err(|error| UsageError::message(format!("cannot write the script: {error}")))?;
    }
    console.print(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Fine)
}

/// Answers a shell that asks for completions; `None` for every other call. Mistakes give no candidates and no message, since the command line is unfinished.
pub fn answer(arguments: &[OsString]) -> Option<Exit> {
    let factory = || {
        let words: Arc<[OsString]> = arguments.into();
        with_names(Args::tree(), &words)
    };
    let folder = std::env::current_dir().ok();
    match CompleteEnv::with_factory(factory).var(VARIABLE).try_complete(arguments, folder.as_deref()) {
        Ok(false) => None,
        Ok(true) => Some(Exit::Fine),
        Err(_) => Some(Exit::BadInput),
    }
}

/// Names that an option takes.
#[derive(Debug, Clone, Copy)]
enum CompletedNames {
    Properties,
    Vocabularies,
    Claims,
    Constants,
    Actions,
    Predicates,
}

impl CompletedNames {
    /// Returns the names that an option takes, if a model has them.
    fn of(arg: &Arg) -> Option<Self> {
        match arg.get_long()? {
            "property" => Some(Self::Properties),
            "vocabulary" => Some(Self::Vocabularies),
            "claim" => Some(Self::Claims),
            "set" => Some(Self::Constants),
            "actions" | "environment" => Some(Self::Actions),
            "start-with" => Some(Self::Predicates),
            _ => None,
        }
    }

    /// Returns the names in the first model among the words; none if that is large, wrong or slow to read.
    fn within(self, words: &[OsString]) -> Vec<String> {
        let (sender, receiver) = sync_channel(1);
        let files: Vec<PathBuf> =
            words.iter().map(PathBuf::from).filter(|path| is_small_file(path)).collect();
        let reader = helper().spawn(move || {
            let _ = sender.send(files.iter().find_map(|file| self.declared(file)));
        });
        reader.ok().and_then(|_| receiver.recv_timeout(PATIENCE).ok()).flatten().unwrap_or_default()
    }

    fn declared(self, file: &Path) -> Option<Vec<String>> {
        let budget = Budget::unlimited().with_timeout(PATIENCE);
        let loaded = load_any(file, &LoadOptions { budget, ..LoadOptions::default() });
        let claims = loaded.translation.map(|translation| translation.claims).unwrap_or_default();
        let model = loaded.loaded.model?;
        Some(match self {
            Self::Properties => model.properties.into_iter().map(|property| property.name).collect(),
            Self::Vocabularies => {
                model.vocabularies.into_iter().map(|v| v.name).chain([AUTO.to_owned()]).collect()
            }
            Self::Claims => claims.into_iter().map(|claim| claim.label).collect(),
            Self::Constants => model.constants.into_iter().map(|c| format!("{}=", c.name)).collect(),
            Self::Actions => model.actions.into_iter().map(|action| action.name).collect(),
            Self::Predicates => model.predicates.into_iter().map(|predicate| predicate.name).collect(),
        })
    }
}

fn is_small_file(path: &Path) -> bool {
    path.metadata().is_ok_and(|file| file.is_file() && file.len() <= LARGEST)
}

/// Lets options that take names of a model complete them.
fn with_names(command: Command, words: &Arc<[OsString]>) -> Command {
    command
        .mut_args(|arg| match CompletedNames::of(&arg) {
            Some(names) => {
                let words = Arc::clone(words);
                arg.add(ArgValueCompleter::new(move |written: &OsStr| candidates(names, &words, written)))
            }
            None => arg,
        })
        .mut_subcommands(|command| with_names(command, words))
}

/// Returns the names that begin with the last part of a list of which the earlier parts are `written`.
fn candidates(names: CompletedNames, words: &[OsString], written: &OsStr) -> Vec<CompletionCandidate> {
    let Some(written) = written.to_str() else { return Vec::new() };
    let (before, begun) = written.split_at(written.rfind(',').map_or(0, |comma| comma + 1));
    let found = names.within(words).into_iter().filter(|name| name.starts_with(begun));
    found.map(|name| CompletionCandidate::new(format!("{before}{name}"))).collect()
}
