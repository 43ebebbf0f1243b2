//! A trace that is shown, finite or infinite.

use crate::shared::document::{infinite_trace_document, trace_document};
use crate::shared::request::{CommonRequest, DisplayOptions};
use crate::shared::verdict::steps;
use crate::traces::stepper::Figure;
use crate::traces::trace_text::{labels_line, lasso_labels, lasso_words, trace_text, wrapped_labels};
use crate::writing::columns::wrapped;
use crate::writing::marks::{Marks, loop_marks};
use classify::lassos::{Infinite, LassoConstraint};
use classify::{Atoms, Constraint, Finite, TraceKind};
use lang::model::{LassoFormulaText, Model, Position, TraceFormulaText};
use lang::trace::{Lasso, Trace};
use verify::document::{DocumentKind, StoredTrace};

/// A kind of traces that reports show.
pub(crate) trait ShownTraces: TraceKind + DocumentKind {
    /// Returns a constraint in the language of models.
    fn formula(constraint: &Self::Constraint, model: &Model, atoms: &Atoms) -> Self::Formula;

    /// Returns the document of a trace in which these positions are named.
    fn document(
        model: &Model,
        trace: &Self::Trace,
        positions: &[(String, Position)],
        display: &DisplayOptions,
    ) -> StoredTrace;
}

impl ShownTraces for Finite {
    fn formula(constraint: &Constraint, model: &Model, atoms: &Atoms) -> TraceFormulaText {
        constraint.formula(model, atoms)
    }

    fn document(
        model: &Model,
        trace: &Trace,
        positions: &[(String, Position)],
        display: &DisplayOptions,
    ) -> StoredTrace {
        trace_document(model, trace, positions, display)
    }
}

impl ShownTraces for Infinite {
    fn formula(constraint: &LassoConstraint, model: &Model, atoms: &Atoms) -> LassoFormulaText {
        constraint.formula(model, atoms)
    }

    fn document(
        model: &Model,
        lasso: &Lasso,
        positions: &[(String, Position)],
        display: &DisplayOptions,
    ) -> StoredTrace {
        infinite_trace_document(model, lasso, positions, display)
    }
}

/// A trace that is shown, or whose labels are.
#[derive(Clone)]
pub(crate) struct ShownTrace<'a> {
    pub trace: &'a Trace,
    /// Names of position variables with where they lie.
    pub positions: Vec<(String, Position)>,
    /// Texts at positions.
    pub remarks: Vec<(Position, String)>,
    /// Of an infinite trace.
    lasso: Option<&'a Lasso>,
    /// `5 steps, the last 3 for ever`
    pub extent: String,
}

impl<'a> ShownTrace<'a> {
    pub fn finite(trace: &'a Trace, violation: Option<(Position, String)>) -> Self {
        let remarks = violation.into_iter().collect();
        let extent = steps(trace.len());
        Self { trace, positions: Vec::new(), remarks, lasso: None, extent }
    }

    /// An infinite trace with its loop.
    pub fn infinite(lasso: &'a Lasso) -> Self {
        let extent = lasso_words(lasso);
        let remarks = loop_marks(lasso);
        Self { trace: &lasso.trace, positions: Vec::new(), remarks, lasso: Some(lasso), extent }
    }

    /// It with these positions marked.
    pub fn at(self, positions: Vec<(String, Position)>) -> Self {
        Self { positions, ..self }
    }

    /// The marks beside it.
    pub fn marks(&self) -> Marks<'_> {
        let positions = self.positions.iter().map(|(name, at)| (name.as_str(), *at)).collect();
        Marks { positions, remarks: self.remarks.clone() }
    }

    /// It as a figure of a page.
    pub fn figure<'f>(&'f self, id: &'f str) -> Figure<'f> {
        Figure { id, trace: self.trace, marks: self.marks(), loop_start: self.lasso.map(|lasso| lasso.start) }
    }

    /// The trace as lines.
    pub fn text(&self, asked: &CommonRequest<'_>, indent: usize) -> String {
        trace_text(asked.model, self.trace, &self.marks(), &asked.display, indent)
    }

    /// The labels in one line.
    pub fn labels(&self, model: &Model) -> String {
        self.lasso.map_or_else(|| labels_line(model, self.trace), |lasso| lasso_labels(model, lasso))
    }

    /// The labels as lines of up to `width` columns.
    pub fn label_lines(&self, model: &Model, width: usize) -> Vec<String> {
        match self.lasso {
            Some(lasso) => wrapped(&lasso_labels(model, lasso), width, 0),
            None => wrapped_labels(model, self.trace, width),
        }
    }

    /// The number of steps up to the end, or up to the end of the first round of the loop.
    pub fn steps(&self) -> usize {
        self.lasso.map_or(self.trace.len(), Lasso::len)
    }
}
