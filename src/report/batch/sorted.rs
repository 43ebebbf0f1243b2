//! Traces from elsewhere under the classes of a stored result, decided by the reference semantics. Nothing is searched.

use classify::Restored;
use itertools::Itertools;
use lang::model::eval::first_violation;
use lang::model::expr::Expr;
use lang::model::{Model, Position};
use lang::trace::Trace;
use serde::Serialize;

/// What traces are; `docs/schema/trace-sort-1.json`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Sorted {
    /// `cladist/trace-sort-1`.
    pub schema: &'static str,
    /// The name of the property.
    pub property: String,
    /// The traces, in the order in which they were given.
    pub traces: Vec<SortedTrace>,
}

/// A trace and what it is.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SortedTrace {
    /// The file, as the user wrote it.
    pub file: String,
    /// What it is.
    #[serde(flatten)]
    pub kind: Kind,
}

/// What a trace is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Kind {
    /// No trace of the model.
    Refused {
        /// Why not.
        why: String,
    },
    /// It violates nothing.
    Holds,
    /// A counterexample.
    Violates {
        /// The first state that violates the property, from 0.
        state: Position,
        /// The numbers of the classes that it is in.
        classes: Vec<usize>,
    },
}

impl Sorted {
    /// Puts traces together.
    pub fn new(property: &str, traces: Vec<SortedTrace>) -> Self {
        Self { schema: "cladist/trace-sort-1", property: property.to_owned(), traces }
    }

    /// How many files are no traces of the model.
    pub fn refused(&self) -> usize {
        self.traces.iter().filter(|trace| matches!(trace.kind, Kind::Refused { .. })).count()
    }

    /// Whether each violation is of a kind that the result has.
    pub fn is_known(&self) -> bool {
        self.traces.iter().all(|trace| match &trace.kind {
            Kind::Refused { .. } | Kind::Holds => true,
            Kind::Violates { classes, .. } => !classes.is_empty(),
        })
    }
}

/// What a trace of the model is. A counterexample ends with its first violation, unless the classes are of traces of an `exact` length.
/// Classes that could not be restored have no constraint here and are left out by the caller.
pub fn kind_of(
    model: &Model,
    invariant: &Expr,
    classes: &[(usize, Restored)],
    trace: &Trace,
    exact: bool,
) -> Kind {
    let Some(state) = first_violation(model, invariant, &trace.moments) else { return Kind::Holds };
    let end = if exact { trace.moments.len() } else { state.steps() + 1 };
    let counterexample = Trace { moments: trace.moments[..end].to_vec() };
    let inside = classes.iter().filter(|(_, class)| class.contains(model, &counterexample));
    // Images have the number of their class.
    Kind::Violates { state, classes: inside.map(|(id, _)| *id).dedup().collect() }
}

/// The same as text: a paragraph for each kind, with the traces that are alike.
pub fn sorted_text(sorted: &Sorted) -> String {
    let mut groups: Vec<(String, Vec<&str>)> = Vec::new();
    for SortedTrace { file, kind } in &sorted.traces {
        let head = match kind {
            Kind::Refused { why } => format!("not a trace of the model: {why}"),
            Kind::Holds => format!("no violation of {}", sorted.property),
            Kind::Violates { classes, .. } => match &classes[..] {
                [] => "a violation of no class".to_owned(),
                [only] => format!("class {only}"),
                several => {
                    let numbers: Vec<String> = several.iter().map(usize::to_string).collect();
                    format!("classes {}", numbers.join(", "))
                }
            },
        };
        match groups.iter_mut().find(|(known, _)| *known == head) {
            Some((_, files)) => files.push(file),
            None => groups.push((head, vec![file])),
        }
    }
    groups.sort();
    let paragraph = |(head, files): &(String, Vec<&str>)| {
        let files: String = files.iter().map(|file| format!("  {file}\n")).collect();
        format!("{head}\n{files}")
    };
    groups.iter().map(paragraph).collect::<Vec<_>>().join("\n")
}
