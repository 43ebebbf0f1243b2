//! Parsing the command line: environment variables, and clearer error messages than clap's own, the version in full.

use super::command::Args;
use super::dialect::dressed;
use cladist::sat::Backend;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, FromArgMatches};
use std::ffi::{OsStr, OsString};

impl Args {
    /// Returns the tree of commands with grouped options.
    pub fn tree() -> clap::Command {
        dressed(Self::command())
    }

    /// Parses a command line whose first word is the name of the program. Empty environment variables count as unset.
    ///
    /// # Errors
    /// The errors of clap, also for `--help` and `--version`.
    pub fn read(arguments: &[OsString]) -> Result<Self, clap::Error> {
        let mut command = without_empty_variables(Self::tree()).long_version(version_text());
        let matches = command.try_get_matches_from_mut(arguments).or_else(|error| {
            match without_help_flags(&error, arguments) {
                Some(rest) => command.try_get_matches_from_mut(rest),
                None => {
                    let error = without_tip_on_values(blaming_variable(error, &command, arguments));
                    Err(with_tip_on_depth(error, arguments))
                }
            }
        });
        Self::from_arg_matches(&matches?).map_err(|error| error.format(&mut command))
    }
}

/// Returns the arguments of `help --help`, which clap does not know, without `--help`.
fn without_help_flags(error: &clap::Error, arguments: &[OsString]) -> Option<Vec<OsString>> {
    let is_flag = |word: &str| word == "--help" || word == "-h";
    match error.get(ContextKind::InvalidSubcommand) {
        Some(ContextValue::String(word)) if is_flag(word) => {
            let rest = arguments.iter().filter(|word| !word.to_str().is_some_and(is_flag));
            Some(rest.cloned().collect())
        }
        _ => None,
    }
}

/// Removes clap's suggestion that an unknown option is meant as the name of a file.
fn without_tip_on_values(mut error: clap::Error) -> clap::Error {
    let is_option = |word: &str| word.chars().all(|c| c.is_ascii_alphabetic() || c == '-');
    let is_unknown_option = error.kind() == ErrorKind::UnknownArgument
        && matches!(error.get(ContextKind::InvalidArg), Some(ContextValue::String(word)) if is_option(word));
    if is_unknown_option {
        error.remove(ContextKind::Suggested);
    }
    error
}

/// Says that `--tree` has no depth, as it had in earlier versions.
fn with_tip_on_depth(mut error: clap::Error, arguments: &[OsString]) -> clap::Error {
    let is_number = |word: &OsString| word.to_str().is_some_and(|word| word.parse::<usize>().is_ok());
    let has_depth = arguments.windows(2).any(|words| words[0] == "--tree" && is_number(&words[1]))
        || arguments.iter().any(|word| word.to_str().is_some_and(|word| word.starts_with("--tree=")));
    if has_depth && matches!(error.kind(), ErrorKind::UnknownArgument | ErrorKind::TooManyValues) {
        let tip = "'--tree' takes no depth: it shows the kinds of violation by their causes, and -V those in each class";
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    }
    error
}

/// Names the environment variable instead of the option if the wrong value comes from there.
fn blaming_variable(mut error: clap::Error, command: &clap::Command, arguments: &[OsString]) -> clap::Error {
    let Some(ContextValue::String(blamed)) = error.get(ContextKind::InvalidArg) else { return error };
    let option = blamed.split(' ').next().unwrap_or_default().to_owned();
    let typed = |word: &OsString| {
        word.to_str().is_some_and(|word| word == option || word.starts_with(&format!("{option}=")))
    };
    if arguments.iter().any(typed) {
        return error;
    }
    if let Some(variable) = option.strip_prefix("--").and_then(|name| variable(command, name)) {
        let source = format!("{variable} in the environment");
        error.insert(ContextKind::InvalidArg, ContextValue::String(source));
    }
    error
}

/// Returns the environment variable of an option, if it is set.
fn variable(command: &clap::Command, option: &str) -> Option<String> {
    let own = command.get_arguments().find(|arg| arg.get_long() == Some(option));
    let set = own.and_then(clap::Arg::get_env).filter(|name| std::env::var_os(name).is_some());
    let below = || command.get_subcommands().find_map(|command| variable(command, option));
    set.map(|name| name.to_string_lossy().into_owned()).or_else(below)
}

fn without_empty_variables(command: clap::Command) -> clap::Command {
    let empty = |name: &OsStr| std::env::var_os(name).is_some_and(|value| value.is_empty());
    command
        .mut_args(|arg| if arg.get_env().is_some_and(empty) { arg.env(None::<&str>) } else { arg })
        .mut_subcommands(without_empty_variables)
}

/// Returns the text of `--version`, after the name of the program.
fn version_text() -> String {
    let commit = option_env!("CLADIST_COMMIT").map(|commit| format!(" ({commit})")).unwrap_or_default();
    let solvers = Backend::all().iter().map(|backend| backend.signature()).chain(linked_library());
    let features = if cfg!(feature = "z3") { "z3" } else { "none" };
    format!(
        "{}{commit}\nsolvers: {}\nfeatures: {features}",
        env!("CARGO_PKG_VERSION"),
        solvers.collect::<Vec<_>>().join(", ")
    )
}

/// The solver of the system that is linked.
fn linked_library() -> Option<&'static str> {
    #[cfg(feature = "z3")]
    return Some(z3::full_version());
    #[cfg(not(feature = "z3"))]
    None
}
