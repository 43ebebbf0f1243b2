//! Parts that several results have: the system, the property, findings, positions, tags.

use super::words::size;
use crate::explicit::object::{Fields, Object, object};
use crate::shared::document::{VERSION, diagnostic_document};
use crate::writing::paint::Paint;
use explicit::lts::safety::{ProductPosition, SafetyAnalysis, Tag};
use explicit::lts::{LabelId, Labels, Lts};
use kit::budget::Stage;
use kit::diagnostics::{Diagnostic, SourceMap, Span, escaped};
use kit::number::counted;
use serde::Serialize;
use std::fmt::Write;
use verify::document::StoredFinding;

/// Numbers of states and transitions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct LtsSize {
    /// States, those that cannot be reached included.
    pub states: usize,
    /// Transitions.
    pub transitions: usize,
}

impl LtsSize {
    /// The size of a system.
    pub fn of(lts: &Lts) -> Self {
        Self { states: lts.declared_states(), transitions: lts.transitions() }
    }
}

/// A system that was analysed.
#[derive(Debug, Clone, Copy)]
pub struct ReportedSystem<'a> {
    /// The file as the user wrote it.
    pub file: &'a str,
    /// Its states and transitions.
    pub lts: &'a Lts,
    /// Its size before the reduction modulo strong bisimulation; `None` if it was not reduced.
    pub reduced_from: Option<LtsSize>,
}

impl ReportedSystem<'_> {
    pub(super) fn document(&self) -> impl Serialize + use<> {
        object!({ ..sizes(self.lts), reduced_from: self.reduced_from, })
    }

    /// The size, and whose states have the numbers that follow.
    pub(super) fn lines(&self) -> String {
        let mut out = format!("  {:<15} {}\n", "system", size(self.file, self.lts));
        if let Some(LtsSize { states, transitions }) = self.reduced_from {
            let (states, transitions) = (counted(states, "state"), counted(transitions, "transition"));
            let _ = writeln!(
                out,
                "  {:<15} from {states}, {transitions} modulo strong bisimulation; states are numbered as by \
                 `cladist lts minimize`",
                "reduced"
            );
        }
        out
    }
}

/// A safety property that should hold.
#[derive(Debug, Clone, Copy)]
pub enum PropertyText<'a> {
    /// A property of labels, `[R] false`.
    Labels(&'a str),
    /// An invariant of a model.
    States {
        /// Its name.
        invariant: &'a str,
        /// The steps of the environment, if there is one.
        environment: Option<&'a [String]>,
    },
}

impl PropertyText<'_> {
    /// The property after the verdict.
    pub(super) fn headline(self) -> String {
        match self {
            PropertyText::Labels(text) => escaped(text).into_owned(),
            PropertyText::States { invariant, .. } => format!("invariant {invariant}"),
        }
    }

    /// The line about the environment, if there is one.
    pub(super) fn lines(self) -> String {
        match self {
            PropertyText::States { environment: Some(steps), .. } => {
                format!("  {:<15} {}\n", "environment", escaped(&steps.join(", ")))
            }
            _ => String::new(),
        }
    }
}

/// The fields of a safety property; without values where something else is asked for.
pub(super) fn property_document<'a>(property: Option<PropertyText<'a>>) -> Object<impl Fields + use<'a>> {
    let (property, invariant, environment) = match property {
        None => (None, None, None),
        Some(PropertyText::Labels(text)) => (Some(text), None, None),
        Some(PropertyText::States { invariant, environment }) => (None, Some(invariant), environment),
    };
    object!({ property, invariant?: invariant, environment?: environment, })
}

/// A safety property, and the analysis of a system for it.
pub struct SafetyRequest<'a> {
    /// The system.
    pub system: ReportedSystem<'a>,
    /// The property.
    pub property: PropertyText<'a>,
    /// True if a violation counts as avoidable where a run can stay in a cycle forever.
    pub strict: bool,
    /// True if only traces in L(R) themselves are bad.
    pub literal: bool,
    /// The tagged product of both.
    pub analysis: &'a SafetyAnalysis<'a>,
    /// Warnings about the property.
    pub warnings: Findings<'a>,
}

impl<'a> SafetyRequest<'a> {
    pub(super) fn document(&self) -> Object<impl Fields + use<'a>> {
        object!({
            ..verdict(self.analysis.holds()),
            file: self.system.file,
            ..property_document(Some(self.property)),
            strict: self.strict,
            literal: self.literal,
            lts: self.system.document(),
            warnings: self.warnings.documents(),
        })
    }

    /// The verdict, the property, and the system, each in a line.
    pub(super) fn headline(&self, paint: Paint) -> String {
        let head = headline(self.analysis.holds(), &self.property.headline(), paint);
        format!("{head}{}{}", self.system.lines(), self.property.lines())
    }
}

/// Diagnostics with the texts that they point into.
#[derive(Debug, Clone, Copy)]
pub struct Findings<'a>(pub &'a [Diagnostic], pub &'a SourceMap);

impl Findings<'_> {
    pub(super) fn documents(self) -> Vec<StoredFinding> {
        self.0.iter().map(|found| diagnostic_document(found, self.1)).collect()
    }
}

/// The verdict, in a word and as a truth value.
pub(super) fn verdict(holds: bool) -> Object<impl Fields> {
    object!({ verdict: if holds { "holds" } else { "violated" }, holds, })
}

/// The verdict with what should hold, in a line.
pub(super) fn headline(holds: bool, text: &str, paint: Paint) -> String {
    let word = if holds { paint.good("holds") } else { paint.bad("violated") };
    format!("{word}: {text}\n")
}

/// The size of a system: all states, all transitions, and the labels of these.
pub(super) fn sizes(lts: &Lts) -> Object<impl Fields + use<>> {
    object!({ states: lts.declared_states(), transitions: lts.transitions(), labels: lts.used_labels(), })
}

/// A position of the product: the state of the system as in its file, and that of the automaton.
pub(super) fn position(analysis: &SafetyAnalysis<'_>, position: ProductPosition) -> impl Serialize + use<> {
    let (state, phase) = analysis.product.parts(position);
    object!({ state, phase, })
}

/// A place in the text of a system.
pub(super) fn place(span: Span, sources: &SourceMap) -> Object<impl Fields + use<>> {
    let (line, column) = sources.line_column(span);
    object!({ file: sources.name(span.source).to_owned(), line, column, })
}

pub(super) fn names<'l>(labels: &Labels, numbers: impl IntoIterator<Item = &'l LabelId>) -> Vec<String> {
    numbers.into_iter().map(|&number| labels.text(number).into_owned()).collect()
}

pub(super) fn tag_word(tag: Tag) -> &'static str {
    match tag {
        Tag::Correct => "correct",
        Tag::Incorrect => "incorrect",
        Tag::Neutral => "neutral",
    }
}

/// The document of a command without a result, with the progress as far as it is known.
pub fn undecided_document(reason: &str, stage: Option<Stage>) -> impl Serialize {
    object!({
        schema: "cladist/lts-undecided-1",
        version: VERSION,
        verdict: "undecided",
        reason,
        done: stage.map(|Stage { done, of, what }| object!({ number: done, of, what, })),
    })
}
