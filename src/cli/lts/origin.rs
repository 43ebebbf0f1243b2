//! Labels that a question has and a system lacks: mistakes where no system of this origin could have them, else doubts.

use crate::cli::console::Console;
use crate::cli::refusal::UsageError;
use cladist::diagnostics::{Diagnostic, SourceMap, Span, nearest};
use cladist::lts::Labels;
use cladist::lts::property::{LabelAtom, LabelPattern};
use cladist::model::{Environment, Model, UnknownStep, could_be_label};
use cladist::mucalc::MissingAction;
use cladist::process::program::ProcessProgram;
use std::sync::Arc;

/// The source of a system, which tells how its labels can look.
pub enum SystemOrigin {
    /// A file of an explicit system, which says nothing beyond its own labels.
    Explicit,
    Model {
        model: Box<Model>,
        /// True if labels have the arguments of actions.
        arguments: bool,
        /// Warnings about the model.
        warnings: Vec<Diagnostic>,
    },
    Text {
        /// The gates, as they are written in labels.
        gates: Vec<String>,
    },
}

/// Why no system of an origin has a label.
struct Impossible {
    message: String,
    help: String,
}

/// Labels that systems of all models and texts may have, beside those of actions and gates.
const OF_ALL: &[&str] = &["i", "tau", "exit", "start"];

impl SystemOrigin {
    /// The source of a system of a process text.
    pub fn of_text(program: &ProcessProgram) -> Self {
        Self::Text { gates: program.gates.clone() }
    }

    /// Warnings about the whole of the system, without a place.
    pub fn warnings(&self) -> Vec<Diagnostic> {
        match self {
            Self::Model { warnings, .. } => {
                warnings.iter().filter(|own| own.span.is_none()).cloned().collect()
            }
            _ => Vec::new(),
        }
    }

    /// The names of actions or gates; `None` if these can be any.
    fn names(&self) -> Option<Vec<&str>> {
        match self {
            Self::Explicit => None,
            Self::Model { model, .. } => Some(model.actions.iter().map(|a| a.name.as_str()).collect()),
            Self::Text { gates } => Some(gates.iter().map(String::as_str).collect()),
        }
    }

    /// Why no label of a system of this origin can have a name.
    fn without_name(&self, name: &str) -> Option<Impossible> {
        let names = self.names()?;
        let what = match self {
            Self::Text { .. } => "the text has no gate",
            _ => "the model has no action",
        };
        let is_known = names.iter().chain(OF_ALL).any(|known| *known == name);
        (!is_known).then(|| unknown(name, what, names.into_iter()))
    }

    /// Why no system of this origin can have a label that an atom matches.
    fn excludes(&self, atom: &LabelAtom) -> Option<Impossible> {
        match atom {
            LabelAtom::Invisible => None,
            LabelAtom::Label(label) if OF_ALL.contains(&label.as_str()) => None,
            LabelAtom::Label(label) => match self {
                Self::Explicit => None,
                Self::Model { model, arguments, .. } => not_of_model(model, *arguments, label),
                Self::Text { .. } => self.without_name(label.split(' ').next().unwrap_or_default()),
            },
            LabelAtom::Pattern(pattern) => {
                let begin = literal_begin(pattern.text());
                let names = self.names()?;
                // The name of an action or gate ends where a label has something else.
                let fits = |name: &&str| name.starts_with(begin) || begin.starts_with(&format!("{name}("));
                let known = names
                    .iter()
                    .chain(OF_ALL)
                    .any(|name| fits(name) || begin.starts_with(&format!("{name} ")));
                (!known).then(|| unknown(begin, "nothing has a name that begins with", names.into_iter()))
            }
        }
    }
}

/// Why no step of a model can have a label.
fn not_of_model(model: &Model, arguments: bool, label: &str) -> Option<Impossible> {
    let possible = match (arguments, label.split_once('(')) {
        (false, Some((name, _))) => Err(UnknownStep {
            message: format!("`{label}` is no label: with --no-arguments there are names of actions only"),
            help: format!("write `{name}`, or leave --no-arguments out"),
        }),
        (false, None) => Environment::parse(model, label).map(drop),
        (true, _) => could_be_label(model, label),
    };
    possible.err().map(|UnknownStep { message, help }| Impossible { message, help })
}

fn unknown<'n>(name: &str, what: &str, names: impl Iterator<Item = &'n str> + Clone) -> Impossible {
    let help = match nearest(name, names.clone()) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => format!("there are {}", names.collect::<Vec<_>>().join(", ")),
    };
    Impossible { message: format!("{what} `{name}`"), help }
}

/// The part of a pattern that every label that it matches begins with.
fn literal_begin(pattern: &str) -> &str {
    let pattern = pattern.strip_prefix('^').unwrap_or(pattern);
    let plain = pattern.find(['.', '*', '[', '\\', '$']).unwrap_or(pattern.len());
    let repeated = pattern[plain..].starts_with('*') || pattern[plain..].starts_with("\\{");
    match pattern[..plain].char_indices().next_back() {
        Some((last, _)) if repeated => &pattern[..last],
        _ => &pattern[..plain],
    }
}

/// A system, as far as labels are looked up in it.
#[derive(Clone, Copy)]
pub struct LabelContext<'a> {
    pub labels: &'a Labels,
    /// The source of its labels.
    pub origin: &'a SystemOrigin,
    /// True if a label that it does not have is a mistake, whatever its source.
    pub strict: bool,
}

impl LabelContext<'_> {
    /// Looks at what matches no label of the system, and at what else is odd about the text: prints warnings, and returns them with those
    /// about the system.
    ///
    /// # Errors
    /// If there is a label that no system of this origin can have, or any with `--strict-labels`.
    pub fn look_at(
        self,
        missing: &[(&LabelAtom, Span)],
        others: Vec<Diagnostic>,
        sources: &SourceMap,
        console: &Console,
    ) -> Result<Vec<Diagnostic>, UsageError> {
        let mut found: Vec<Diagnostic> = missing.iter().map(|&(atom, span)| self.doubt(atom, span)).collect();
        found.extend(others);
        if found.iter().any(Diagnostic::is_error) {
            return Err(UsageError { diagnostics: found, sources: Arc::new(sources.clone()) });
        }
        console.diagnose(&found, sources);
        Ok([self.origin.warnings(), found].concat())
    }

    /// The message about an action with data that no label has.
    pub fn without_action(self, action: &MissingAction) -> Diagnostic {
        let MissingAction { name, values, span } = action;
        if let Some(Impossible { message, help }) = self.origin.without_name(name) {
            return Diagnostic::error(*span, message).with_help(help);
        }
        let values = if *values == 1 { "1 value".to_owned() } else { format!("{values} values") };
        let message = format!("no label of the system has an action `{name}` with {values}");
        self.doubtful(*span, message).with_help("`cladist lts info` lists the labels")
    }

    /// The error about a pattern of the command line that no label of the system can match.
    pub fn excluded(self, pattern: &LabelPattern) -> Option<Diagnostic> {
        let atom = LabelAtom::Pattern(pattern.clone());
        if self.labels.ids().any(|label| atom.matches(self.labels, label)) {
            return None;
        }
        let Impossible { message, help } = self.origin.excludes(&atom)?;
        let message = format!("'{}' matches no label: {message}", pattern.text());
        Some(Diagnostic::error_without_place(message).with_help(help))
    }

    /// The doubt about `nil` in a property of a system that has such a label.
    pub fn nil(self, span: Span) -> Diagnostic {
        let message = "`nil` is a sequence without actions here, not the label of the system".to_owned();
        self.doubtful(span, message).with_help("put the label between double quotes: \"nil\"")
    }

    fn doubtful(self, span: Span, message: String) -> Diagnostic {
        if self.strict { Diagnostic::error(span, message) } else { Diagnostic::warning(span, message) }
    }

    /// The message about an atom that matches no label.
    fn doubt(self, atom: &LabelAtom, span: Span) -> Diagnostic {
        if let Some(Impossible { message, help }) = self.origin.excludes(atom) {
            return Diagnostic::error(span, message).with_help(help);
        }
        let (name, message) = match atom {
            LabelAtom::Label(name) => (name.as_str(), format!("the system has no label `{name}`")),
            LabelAtom::Pattern(pattern) => {
                (pattern.text(), format!("no label of the system matches '{}'", pattern.text()))
            }
            LabelAtom::Invisible => ("tau", "the system has no label `tau`".to_owned()),
        };
        let doubt = self.doubtful(span, message);
        match similar(name, self.labels) {
            Some(meant) => doubt.with_help(format!("did you mean `{meant}`?")),
            None => doubt.with_help("`cladist lts info` lists the labels"),
        }
    }
}

/// The label most similar to a mistyped name.
fn similar(name: &str, labels: &Labels) -> Option<String> {
    const LOOKED_AT: usize = 1000;
    let known: Vec<String> =
        labels.ids().take(LOOKED_AT).map(|label| labels.text(label).into_owned()).collect();
    nearest(name, known.iter().map(String::as_str)).map(str::to_owned)
}
