//! Traces from elsewhere under the classes or kinds of a stored result, decided by the reference semantics. Nothing is searched.

use classify::Restored;
use classify::causes::lasso_replay::irreducible_lasso;
use classify::causes::question::CausalProblem;
use classify::causes::replay::irreducible;
use engines::ltl::{is_fair, satisfies};
use itertools::Itertools;
use lang::model::eval::first_violation;
use lang::model::expr::Expr;
use lang::model::{LassoFormula, Model, Position, TraceFormula};
use lang::trace::{ItfTrace, Lasso, Trace};
use serde::Serialize;
use verify::document::{StoredKind, StoredPattern, StoredWay};

/// Traces sorted into the classes of a result; `docs/schema/trace-sort-1.json`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Sorted {
    /// `cladist/trace-sort-1`.
    pub schema: &'static str,
    /// The name of the property.
    pub property: String,
    /// Singular and plural of the word for a group of alike traces.
    #[serde(skip)]
    pub group: [&'static str; 2],
    /// The traces, in the order in which they were given.
    pub traces: Vec<SortedTrace>,
}

/// A trace and what it is.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct SortedTrace {
    /// The file, as the user wrote it.
    pub file: String,
    /// Its kind.
    #[serde(flatten)]
    pub kind: SortedOutcome,
}

/// The kind of a trace.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum SortedOutcome {
    /// No trace of the model.
    Refused {
        /// The reason.
        why: String,
    },
    /// It violates nothing.
    Holds,
    /// A counterexample.
    Violates {
        /// The first state that violates the property, from 0; missing for an infinite trace.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "schemas", schemars(with = "Option<usize>"))]
        state: Option<Position>,
        /// The numbers of the classes that it is in, or of the kinds whose steps it has; empty if the result does not have its kind.
        #[cfg_attr(feature = "schemas", schemars(inner(range(min = 1))))]
        classes: Vec<usize>,
    },
}

impl Sorted {
    /// Puts traces together.
    pub fn new(property: &str, group: [&'static str; 2], traces: Vec<SortedTrace>) -> Self {
        Self { schema: "cladist/trace-sort-1", property: property.to_owned(), group, traces }
    }

    /// How many files are no traces of the model.
    pub fn refused(&self) -> usize {
        self.traces.iter().filter(|trace| matches!(trace.kind, SortedOutcome::Refused { .. })).count()
    }

    /// True if each violation is of a kind that the result has.
    pub fn is_known(&self) -> bool {
        self.traces.iter().all(|trace| match &trace.kind {
            SortedOutcome::Refused { .. } | SortedOutcome::Holds => true,
            SortedOutcome::Violates { classes, .. } => !classes.is_empty(),
        })
    }
}

/// The kind of a trace of the model. A counterexample ends with its first violation, unless the classes are of traces of an `exact`
/// length. Classes that could not be restored have no constraint here and are left out by the caller.
pub fn sorted_by_classes(
    model: &Model,
    invariant: &Expr,
    classes: &[(usize, Restored)],
    trace: &Trace,
    exact: bool,
) -> SortedOutcome {
    let Some(state) = first_violation(model, invariant, &trace.moments) else { return SortedOutcome::Holds };
    let end = if exact { trace.moments.len() } else { state.steps() + 1 };
    let counterexample = Trace { moments: trace.moments[..end].to_vec() };
    let inside = classes.iter().filter(|(_, class)| class.contains(model, &counterexample));
    // Images have the number of their class.
    SortedOutcome::Violates { state: Some(state), classes: inside.map(|(id, _)| *id).dedup().collect() }
}

/// A pattern of a kind by causes.
#[derive(Debug)]
enum CausalPattern {
    Finite(TraceFormula),
    Infinite(LassoFormula),
}

/// The kinds by causes of a stored result.
#[derive(Debug)]
pub struct RestoredKinds(Vec<RestoredKind>);

#[derive(Debug)]
struct RestoredKind {
    number: usize,
    pattern: CausalPattern,
    /// The actions of its traces, if their order matters.
    orders: Vec<Vec<String>>,
}

impl RestoredKinds {
    /// Reads the patterns of kinds and their variants; `None` if they are of another model.
    pub fn new(model: &Model, kinds: &[StoredKind]) -> Option<Self> {
        let read = |(number, kind): (usize, &StoredKind)| {
            let pattern = match &kind.pattern {
                StoredPattern::Finite(text) => CausalPattern::Finite(TraceFormula::read(model, text).ok()?),
                StoredPattern::Infinite(text) => {
                    CausalPattern::Infinite(LassoFormula::read(model, text).ok()?)
                }
            };
            let actions = |way: &StoredWay| {
                let labels = way.trace.states.iter().filter_map(|moment| moment.label.as_ref());
                labels.map(|label| label.action.clone()).collect()
            };
            let orders = kind.ways.iter().filter(|_| kind.in_this_order).map(actions).collect();
            Some(RestoredKind { number, pattern, orders })
        };
        let all = (1..).zip(kinds).flat_map(|(n, kind)| kind.with_variants().map(move |kind| (n, kind)));
        all.map(read).collect::<Option<_>>().map(Self)
    }

    /// The numbers of the kinds for which a test is true, and whose order is that of the labels.
    fn with(&self, model: &Model, trace: &Trace, holds: impl Fn(&CausalPattern) -> bool) -> Vec<usize> {
        let own: Vec<&String> = trace.labels().map(|label| &model.actions[label.action].name).collect();
        let alike: Vec<&RestoredKind> = self.0.iter().filter(|kind| holds(&kind.pattern)).collect();
        let is_ordered =
            |kind: &&&RestoredKind| kind.orders.iter().any(|order| order.iter().eq(own.iter().copied()));
        let in_order: Vec<usize> = alike.iter().filter(is_ordered).map(|kind| kind.number).collect();
        let kinds = alike.iter().map(|kind| kind.number);
        let found: Vec<usize> = if in_order.is_empty() { kinds.collect() } else { in_order };
        found.into_iter().sorted_unstable().dedup().collect()
    }
}

/// The kinds by causes of a trace of the model: those whose deciding steps are in an irreducible part of it, which is found by leaving out steps. A
/// finite one ends with its first violation.
pub fn sorted_by_kinds(
    problem: CausalProblem<'_>,
    kinds: &RestoredKinds,
    stored: &ItfTrace,
) -> SortedOutcome {
    let model = problem.model();
    match (problem, stored) {
        (CausalProblem::Invariant(problem), ItfTrace::Finite(trace)) => {
            let Some(state) = first_violation(model, problem.invariant, &trace.moments) else {
                return SortedOutcome::Holds;
            };
            let whole = Trace { moments: trace.moments[..=state.steps()].to_vec() };
            let part = irreducible(problem, &whole);
            let holds = |pattern: &CausalPattern| match pattern {
                CausalPattern::Finite(formula) => formula.matches(model, &part.moments).is_some(),
                CausalPattern::Infinite(_) => false,
            };
            SortedOutcome::Violates { state: Some(state), classes: kinds.with(model, &part, holds) }
        }
        (CausalProblem::Linear(problem), ItfTrace::Infinite(lasso)) => {
            if !lasso.is_closed() {
                return SortedOutcome::Refused {
                    why: "its last state is not the one where its loop begins".into(),
                };
            }
            if satisfies(model, problem.formula, lasso) || !is_fair(model, problem.fairness, lasso) {
                return SortedOutcome::Holds;
            }
            let Lasso { trace, start } = irreducible_lasso(problem, lasso);
            let holds = |pattern: &CausalPattern| match pattern {
                CausalPattern::Infinite(formula) => formula.holds(model, &trace.moments, start),
                CausalPattern::Finite(_) => false,
            };
            SortedOutcome::Violates { state: None, classes: kinds.with(model, &trace, holds) }
        }
        (CausalProblem::Invariant(_), _) => SortedOutcome::Refused { why: "it is infinite".into() },
        (CausalProblem::Linear(_), _) => SortedOutcome::Refused { why: "it is finite".into() },
    }
}

/// The result as text: a paragraph for each kind, with the traces of that kind.
pub fn sorted_text(sorted: &Sorted) -> String {
    let [one, many] = sorted.group;
    let mut groups: Vec<(String, Vec<&str>)> = Vec::new();
    for SortedTrace { file, kind } in &sorted.traces {
        let head = match kind {
            SortedOutcome::Refused { why } => format!("not a trace of the model: {why}"),
            SortedOutcome::Holds => format!("no violation of {}", sorted.property),
            SortedOutcome::Violates { classes, .. } => match &classes[..] {
                [] => format!("a violation of no {one}"),
                [only] => format!("{one} {only}"),
                several => {
                    let numbers: Vec<String> = several.iter().map(usize::to_string).collect();
                    format!("{many} {}", numbers.join(", "))
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
