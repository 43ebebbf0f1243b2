//! The property or the actions of a command, and the analysis of a system for a property.

use super::command_error::CommandError;
use super::input::{Input, load_reduced};
use super::input_args::AnalysedArgs;
use super::origin::LabelContext;
use super::shared_args::{PropertyArgs, PropertyTextArgs};
use super::states::StateProperty;
use crate::cli::console::Console;
use crate::cli::input;
use crate::cli::refusal::UsageError;
use cladist::diagnostics::{Diagnostic, SourceMap};
use cladist::lts::property::{Closure, ForbiddenTraces, LabelAutomaton, MOST_STATES};
use cladist::lts::safety::{AnalysisError, Incorrect, SafetyAnalysis};
use cladist::lts::{LabelSequence, Lts, Sequence};
use cladist::mucalc::{in_one_line, parse_property};
use cladist::report::explicit::lts::{Findings, PropertyText, SafetyRequest};
use std::sync::Arc;

pub struct LabelProperty {
    pub text: String,
    pub property: ForbiddenTraces,
    /// The sources that warnings refer to.
    pub sources: SourceMap,
}

/// The question of a safety analysis.
enum SafetyQuestion {
    Labels {
        asked: LabelProperty,
        /// The treatment of continuations of bad traces.
        closure: Closure,
        /// When a violation counts as unavoidable.
        incorrect: Incorrect,
    },
    /// A property of the states of a model, which are given with the system.
    States,
}

/// Reads the property and its interpretation.
fn load(args: &PropertyArgs) -> Result<SafetyQuestion, UsageError> {
    if args.states.property.is_some() {
        return Ok(SafetyQuestion::States);
    }
    Ok(SafetyQuestion::Labels {
        asked: load_text(&args.text)?,
        closure: if args.literal { Closure::Literal } else { Closure::Prefix },
        incorrect: if args.strict { Incorrect::EveryRun } else { Incorrect::NoWayOut },
    })
}

/// The text of the property, and what it is called in messages.
pub fn text_of(args: &PropertyTextArgs) -> Result<(String, String), UsageError> {
    Ok(match (&args.formula, &args.formula_file) {
        (Some(text), _) => ("--formula".to_owned(), text.clone()),
        (None, Some(path)) => (path.to_string_lossy().into_owned(), input::read(path)?),
        (None, None) => unreachable!("one of them is required"),
    })
}

pub fn load_text(args: &PropertyTextArgs) -> Result<LabelProperty, UsageError> {
    let (name, text) = text_of(args)?;
    let mut sources = SourceMap::new();
    let source = sources.add(name, text.as_str());
    match parse_property(source, &text) {
        Ok(property) => Ok(LabelProperty { text: in_one_line(&text), property, sources }),
        Err(diagnostics) => Err(UsageError { diagnostics, sources: Arc::new(sources) }),
    }
}

impl LabelProperty {
    /// Warns about labels in the property that the system does not have, and about `nil`, see [`LabelContext::look_at`].
    pub fn warn(&self, known: LabelContext<'_>, console: &Console) -> Result<Vec<Diagnostic>, UsageError> {
        let missing = self.property.without_labels(known.labels);
        let nil = self.property.nil_for_label(known.labels);
        let others = nil.into_iter().map(|span| known.nil(span)).collect();
        known.look_at(&missing, others, &self.sources, console)
    }
}

impl SafetyQuestion {
    /// Warns about labels in the property that the system does not have, see [`LabelContext::look_at`].
    fn warn(&self, known: LabelContext<'_>, console: &Console) -> Result<Vec<Diagnostic>, UsageError> {
        match self {
            SafetyQuestion::Labels { asked, .. } => asked.warn(known, console),
            SafetyQuestion::States => Ok(known.origin.warnings()),
        }
    }

    /// The sources that warnings refer to.
    fn sources(&self) -> SourceMap {
        match self {
            SafetyQuestion::Labels { asked, .. } => asked.sources.clone(),
            SafetyQuestion::States => SourceMap::new(),
        }
    }

    fn property<'a>(&'a self, input: &'a Input) -> PropertyText<'a> {
        match self {
            SafetyQuestion::Labels { asked, .. } => PropertyText::Labels(&asked.text),
            SafetyQuestion::States => {
                let states = of_states(input);
                PropertyText::States { invariant: &states.name, environment: states.environment.as_deref() }
            }
        }
    }

    /// The automaton over the labels of a system.
    fn automaton(&self, lts: &Lts) -> Result<LabelAutomaton, CommandError> {
        let SafetyQuestion::Labels { asked, closure, .. } = self else {
            return Ok(LabelAutomaton::blind(lts.labels()));
        };
        LabelAutomaton::new(&asked.property, lts.labels(), *closure).map_err(|_| {
            let message = format!("the automaton of the property would have more than {MOST_STATES} states");
            Diagnostic::error_without_place(message)
                .with_help("counted repetitions R{n} after choices make it large: split the property")
                .into()
        })
    }

    /// The analysis of a system.
    fn analyse<'a>(
        &self,
        input: &'a Input,
        automaton: &'a LabelAutomaton,
    ) -> Result<SafetyAnalysis<'a>, CommandError> {
        let analysed = match self {
            SafetyQuestion::Labels { incorrect, .. } => {
                SafetyAnalysis::new(&input.lts, automaton, *incorrect, &input.budget)
            }
            SafetyQuestion::States => {
                SafetyAnalysis::of_states(&input.lts, automaton, &of_states(input).fates, &input.budget)
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
}

/// Loads a system and analyses it for a property.
pub fn with_analysis<T>(
    args: &PropertyArgs,
    system: &AnalysedArgs,
    console: &Console,
    then: impl FnOnce(&Input, SafetyRequest<'_>) -> Result<T, CommandError>,
) -> Result<T, CommandError> {
    let asked = load(args)?;
    let input = load_reduced(system, Some(&args.states), console)?;
    let warnings = asked.warn(input.known(), console)?;
    let automaton = asked.automaton(&input.lts)?;
    let sources = asked.sources();
    let report = SafetyRequest {
        system: input.system(),
        property: asked.property(&input),
        strict: args.strict,
        literal: args.literal,
        analysis: &asked.analyse(&input, &automaton)?,
        warnings: Findings(&warnings, &sources),
    };
    then(&input, report)
}

/// The property of states that was asked for.
fn of_states(input: &Input) -> &StateProperty {
    input.states.as_ref().unwrap_or_else(|| unreachable!("a model is loaded with the property asked for"))
}

/// A sequence that was read.
pub struct Actions {
    pub names: Vec<String>,
    pub sequence: Sequence,
    /// The sources that warnings refer to.
    pub sources: SourceMap,
}

/// Reads a sequence, the argument of `option`.
pub fn load_actions(option: &str, text: &str) -> Result<Actions, UsageError> {
    let mut sources = SourceMap::new();
    let source = sources.add(option, text);
    match Sequence::parse(source, text) {
        Ok(sequence) => Ok(Actions { names: sequence.names(), sequence, sources }),
        Err(diagnostics) => Err(UsageError { diagnostics, sources: Arc::new(sources) }),
    }
}

impl Actions {
    /// Warns about actions that the system does not have, see [`LabelContext::look_at`].
    pub fn warn(&self, known: LabelContext<'_>, console: &Console) -> Result<Vec<Diagnostic>, UsageError> {
        let missing = self.sequence.without_labels(known.labels);
        known.look_at(&missing, Vec::new(), &self.sources, console)
    }

    /// The sequence over the labels of a system.
    pub fn over(&self, lts: &Lts) -> LabelSequence {
        self.sequence.over(lts.labels())
    }
}
