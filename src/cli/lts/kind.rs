//! The kind and format of the file of a system, and the options for each kind.

use super::input_args::{AnalysedArgs, InputArgs, LabelArgs, SystemArgs, TextOrModelArgs};
use crate::cli::input::is_written;
use crate::cli::loading::{LoadingArgs, option_of};
use crate::cli::refusal::UsageError;
use cladist::diagnostics::Diagnostic;
use std::path::Path;
use std::sync::Arc;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InputKind {
    /// A model, or what one is made of, such as a protocol, whose state space is explored.
    Model,
    /// A process text, whose system is generated.
    Text,
    /// AUT: any other file.
    Aut,
}

impl InputKind {
    /// The kind of a file, by its name.
    pub fn of(file: &Path) -> Self {
        match file.extension() {
            _ if is_written(file) => InputKind::Model,
            Some(end) if end.eq_ignore_ascii_case("sts") => InputKind::Model,
            Some(end) if end.eq_ignore_ascii_case("lnt") => InputKind::Text,
            _ => InputKind::Aut,
        }
    }

    /// The plural that messages use.
    fn plural(self) -> &'static str {
        match self {
            InputKind::Model => "models (.sts, .spdl, .anb, .scm)",
            InputKind::Text => "process texts (.lnt)",
            InputKind::Aut => "files in AUT",
        }
    }
}

/// An option that applies only to some kinds of files.
struct Special {
    name: &'static str,
    given: bool,
    kinds: &'static [InputKind],
}

impl Special {
    fn new(name: &'static str, given: bool, kinds: &'static [InputKind]) -> Self {
        Self { name, given, kinds }
    }

    /// The option for the first value of a model.
    fn of_values(loading: &LoadingArgs) -> Self {
        let first = loading.overrides.first();
        Self::new(first.map_or("--set", |(name, _)| option_of(name)), first.is_some(), &[InputKind::Model])
    }
}

impl LabelArgs {
    fn special(&self) -> [Special; 2] {
        [
            Special::new("--no-arguments", self.no_arguments, &[InputKind::Model]),
            Special::new("--visible", !self.visible.is_empty(), &[InputKind::Model]),
        ]
    }
}

impl SystemArgs {
    fn special(&self) -> [Special; 4] {
        [
            Special::new("--lenient", self.lenient, &[InputKind::Aut]),
            Special::of_values(&self.loading),
            Special::new("--main", self.main.is_some(), &[InputKind::Text]),
            Special::new(
                "--max-states",
                self.states.max_states.is_some(),
                &[InputKind::Model, InputKind::Text],
            ),
        ]
    }

    /// The kind of the file.
    ///
    /// # Errors
    /// One mistake for each option that applies only to other kinds of files.
    pub fn kind(&self) -> Result<InputKind, UsageError> {
        kind(&self.file, self.special())
    }
}

impl TextOrModelArgs {
    /// The kind of the file.
    ///
    /// # Errors
    /// One mistake for each option that applies only to other kinds of files.
    pub fn kind(&self) -> Result<InputKind, UsageError> {
        let special = [
            Special::of_values(&self.loading),
            Special::new("--main", self.main.is_some(), &[InputKind::Text]),
        ];
        kind(&self.file, special)
    }
}

impl InputArgs {
    /// The kind of input, by the options for labels.
    pub fn kind(&self) -> Result<InputKind, UsageError> {
        kind(&self.system.file, self.options())
    }

    fn options(&self) -> impl Iterator<Item = Special> {
        self.system.special().into_iter().chain(self.labels.special())
    }

    /// The kinds of the file and of another one; each option has to apply to one of them.
    ///
    /// # Errors
    /// One mistake for each option that applies to neither.
    pub fn kinds(&self, other: &Path) -> Result<[InputKind; 2], UsageError> {
        let second = InputKind::of(other);
        let first = kind(&self.system.file, self.options().filter(|option| !option.kinds.contains(&second)))?;
        Ok([first, second])
    }
}

impl AnalysedArgs {
    /// The kind of input, by the options for an analysis.
    pub fn kind(&self) -> Result<InputKind, UsageError> {
        let InputArgs { system, labels } = &self.input;
        let own = Special::new("--no-reduce", self.no_reduce, &[InputKind::Text]);
        kind(&system.file, system.special().into_iter().chain(labels.special()).chain([own]))
    }
}

fn kind(file: &Path, options: impl IntoIterator<Item = Special>) -> Result<InputKind, UsageError> {
    let kind = InputKind::of(file);
    let foreign = options.into_iter().filter(|option| option.given && !option.kinds.contains(&kind));
    let diagnostics: Vec<Diagnostic> = foreign
        .map(|Special { name: option, kinds, .. }| {
            let names: Vec<&str> = kinds.iter().map(|kind| kind.plural()).collect();
            let message =
                format!("{option} applies only to {}, not to {}", names.join(" and "), file.display());
            Diagnostic::error_without_place(message).with_help("remove it")
        })
        .collect();
    if diagnostics.is_empty() { Ok(kind) } else { Err(UsageError { diagnostics, sources: Arc::default() }) }
}

/// A format that is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SourceFormat {
    /// AUT: any file with another name.
    Aut,
    /// AUT with tags, for the viewer of CLEAR.
    Tagged,
    /// FSM of mCRL2.
    Fsm,
    /// A graph in the DOT language of Graphviz.
    Dot,
}

impl SourceFormat {
    /// The format of a file, possibly compressed.
    ///
    /// # Errors
    /// If it is one that other programs convert; the help is the command that does.
    pub fn of(file: &Path) -> Result<Self, UsageError> {
        let name = file.to_string_lossy();
        let lower = name.to_lowercase();
        let stem = |ending: &str| &name[..name.len() - ending.len()];
        let refuse = |message: String, command: String| -> Result<Self, UsageError> {
            Err(Diagnostic::error_without_place(message).with_help(format!("convert it: {command}")).into())
        };
        let ends = |ending: &str| lower.ends_with(ending);
        if ends(".bcg") {
            let command = format!("bcg_io '{name}' '{}.aut'", stem(".bcg"));
            return refuse(format!("{name} is in BCG, the binary format of CADP"), command);
        }
        if ends(".lts") {
            let command = format!("ltsconvert '{name}' '{}.aut'", stem(".lts"));
            return refuse(format!("{name} is in LTS, the binary format of mCRL2"), command);
        }
        if ends(".xz") {
            let message = format!("{name} is compressed, and only gzip, bzip2 and zstd are understood");
            return refuse(message, format!("xz -dk '{name}'"));
        }
        let packed = [".gz", ".bz2", ".zst"].iter().find_map(|ending| lower.strip_suffix(ending));
        let plain = packed.unwrap_or(&lower);
        Ok(match () {
            () if plain.ends_with(".fsm") => SourceFormat::Fsm,
            () if plain.ends_with(".autx") => SourceFormat::Tagged,
            () if plain.ends_with(".dot") || plain.ends_with(".gv") => SourceFormat::Dot,
            () => SourceFormat::Aut,
        })
    }
}
