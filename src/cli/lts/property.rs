//! The property of a command, and the analysis of a system for it.

use super::command_error::CommandError;
use super::input::Input;
use super::origin::Known;
use super::shared_args::{PropertyArgs, PropertyTextArgs};
use super::states::StateProperty;
use crate::cli::console::Console;
use crate::cli::input;
use crate::cli::refusal::Refusal;
use cladist::diagnostics::{Diagnostic, SourceMap};
use cladist::lts::Lts;
use cladist::lts::property::{Automaton, Closure, MOST_STATES, Property};
use cladist::lts::safety::{Analysis, AnalysisError, Incorrect};
use cladist::mucalc::{in_one_line, parse_property};
use cladist::report::explicit::lts::{PropertyText, SafetyRequest};
use std::sync::Arc;

/// A property that was read.
pub struct Asked {
    pub text: String,
    /// What it says.
    pub property: Property,
    /// The sources that warnings refer to.
    pub sources: SourceMap,
}

/// What a system is analysed for.
pub enum Question {
    Labels {
        /// The property.
        asked: Asked,
        /// Whether continuations of bad traces are bad.
        closure: Closure,
        /// When a violation counts as unavoidable.
        incorrect: Incorrect,
    },
    /// A property of the states of a model, which are given with the system.
    States,
}

/// Reads the property and its interpretation.
pub fn load(args: &PropertyArgs) -> Result<Question, Refusal> {
    if args.states.invariant.is_some() {
        return Ok(Question::States);
    }
    Ok(Question::Labels {
        asked: load_text(&args.text)?,
        closure: if args.literal { Closure::Literal } else { Closure::Prefix },
        incorrect: if args.strict { Incorrect::EveryRun } else { Incorrect::NoWayOut },
    })
}

/// The text of the property, and what it is called in messages.
pub fn text_of(args: &PropertyTextArgs) -> Result<(String, String), Refusal> {
    Ok(match (&args.property, &args.property_file) {
        (Some(text), _) => ("--property".to_owned(), text.clone()),
        (None, Some(path)) => (path.to_string_lossy().into_owned(), input::read(path)?),
        (None, None) => unreachable!("one of them is required"),
    })
}

pub fn load_text(args: &PropertyTextArgs) -> Result<Asked, Refusal> {
    let (name, text) = text_of(args)?;
    let mut sources = SourceMap::new();
    let source = sources.add(name, text.as_str());
    match parse_property(source, &text) {
        Ok(property) => Ok(Asked { text: in_one_line(&text), property, sources }),
        Err(diagnostics) => Err(Refusal { diagnostics, sources: Arc::new(sources) }),
    }
}

impl Asked {
    /// Warns about labels in the property that the system does not have, and about `nil`, see [`Known::look_at`].
    pub fn warn(&self, known: Known<'_>, console: &Console) -> Result<Vec<Diagnostic>, Refusal> {
        let missing = self.property.without_labels(known.labels);
        let nil = self.property.nil_for_label(known.labels);
        let others = nil.into_iter().map(|span| known.nil(span)).collect();
        known.look_at(&missing, others, &self.sources, console)
    }
}

impl Question {
    /// Warns about labels in the property that the system does not have, see [`Known::look_at`].
    pub fn warn(&self, known: Known<'_>, console: &Console) -> Result<Vec<Diagnostic>, Refusal> {
        match self {
            Question::Labels { asked, .. } => asked.warn(known, console),
            Question::States => Ok(Vec::new()),
        }
    }

    /// The sources that warnings refer to.
    pub fn sources(&self) -> SourceMap {
        match self {
            Question::Labels { asked, .. } => asked.sources.clone(),
            Question::States => SourceMap::new(),
        }
    }

    /// What should hold.
    pub fn property<'a>(&'a self, input: &'a Input) -> PropertyText<'a> {
        match self {
            Question::Labels { asked, .. } => PropertyText::Labels(&asked.text),
            Question::States => {
                let states = of_states(input);
                PropertyText::States { invariant: &states.name, environment: states.environment.as_deref() }
            }
        }
    }

    /// The automaton over the labels of a system.
    pub fn automaton(&self, lts: &Lts) -> Result<Automaton, CommandError> {
        let Question::Labels { asked, closure, .. } = self else { return Ok(Automaton::blind(lts.labels())) };
        Automaton::new(&asked.property, lts.labels(), *closure).map_err(|_| {
            let message = format!("the automaton of the property would have more than {MOST_STATES} states");
            Diagnostic::error_without_place(message)
                .with_help("counted repetitions R{n} after choices make it large: split the property")
                .into()
        })
    }

    /// The analysis of a system.
    pub fn analyse<'a>(
        &self,
        input: &'a Input,
        automaton: &'a Automaton,
    ) -> Result<Analysis<'a>, CommandError> {
        let analysed = match self {
            Question::Labels { incorrect, .. } => {
                Analysis::new(&input.lts, automaton, *incorrect, &input.budget)
            }
            Question::States => {
                Analysis::of_states(&input.lts, automaton, &of_states(input).fates, &input.budget)
                    .map_err(AnalysisError::from)
            }
        };
        analysed.map_err(|stopped| match stopped {
            AnalysisError::Exhausted(why) => input.ended("analysing", why),
            AnalysisError::TooLarge { positions } => CommandError::gave_up(
                format!("the product of system and property has too many positions: {positions}"),
                "use a property with a smaller automaton or a smaller system",
                None,
            ),
        })
    }

    /// What a report says of the question and its analysis.
    pub fn request<'a>(
        &'a self,
        args: &PropertyArgs,
        input: &'a Input,
        analysis: &'a Analysis<'a>,
        warnings: &'a [Diagnostic],
        sources: &'a SourceMap,
    ) -> SafetyRequest<'a> {
        SafetyRequest {
            system: input.system(),
            property: self.property(input),
            strict: args.strict,
            literal: args.literal,
            analysis,
            warnings,
            sources,
        }
    }
}

/// The property of states that was asked for.
fn of_states(input: &Input) -> &StateProperty {
    input.states.as_ref().unwrap_or_else(|| unreachable!("a model is loaded with the property asked for"))
}
