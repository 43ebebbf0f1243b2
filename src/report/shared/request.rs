//! The request of a run: the part of a report that does not come from an engine.

use crate::writing::paint::Paint;
use crate::writing::wording::Wording;
use classify::vocabulary::{ChoiceSummary, Repairs};
use classify::{Comparison, Problem};
use engines::decide::{Basis, NotListed};
use engines::explore::DecisivePlace;
use engines::prove::InvariantEvidence;
use import::protocol::{Chart, Charts, ClaimedProperty, PatternVerdict};
use kit::budget::Exhausted;
use kit::diagnostics::Diagnostic;
use lang::model::expr::{Expr, VarId};
use lang::model::{Model, Observable, Property, Vocabulary};
use lang::trace::{Lasso, Trace};
use solvers::smt::Theory;
use solvers::unroll::Lengths;
use verify::document::{CausesDocument, StoredFairness, StoredProofs};

/// How traces are shown.
#[derive(Debug, Clone)]
pub struct DisplayOptions {
    /// Whole states instead of what changed.
    pub full: bool,
    /// The number of the only class or kind that is shown, from 1; all are shown if there is none of this number.
    pub only: Option<usize>,
    /// Extra expressions to show at every state.
    pub shown: Vec<Observable>,
    /// Variables that are not shown.
    pub hidden: Vec<VarId>,
    /// Columns of the terminal.
    pub width: usize,
    /// Colours.
    pub paint: Paint,
    /// The layout of message sequence charts, if the model is one of protocols.
    pub charts: Option<Charts>,
    /// The words for a trace of which the property is false.
    pub wording: Wording,
}

impl DisplayOptions {
    /// Returns the only class or kind that is shown, and its number; `None` if all are shown.
    pub fn selected<'k, T>(&self, all: &'k [T]) -> Option<(usize, &'k T)> {
        let number = self.only?;
        Some((number, all.get(number.checked_sub(1)?)?))
    }

    /// Everything that changes, without colours, for the given number of columns.
    pub fn plain(width: usize) -> Self {
        Self {
            full: false,
            only: None,
            shown: Vec::new(),
            hidden: Vec::new(),
            width,
            paint: Paint::default(),
            charts: None,
            wording: Wording::default(),
        }
    }
}

impl DisplayOptions {
    /// A trace of the model of a protocol as a message sequence chart.
    pub fn chart(&self, model: &Model, trace: &Trace) -> Option<Chart> {
        self.charts.as_ref()?.draw(model, &trace.moments)
    }

    /// The names of attacks on a protocol that are looked for beside those of the usual attacker; `None` if there are none.
    pub fn threats(&self) -> Option<String> {
        let (_, scope) = self.charts.as_ref()?.looked_at();
        let threats = scope.threats();
        (!threats.is_empty()).then(|| threats.join(", "))
    }
}

/// The request of every classification, of finite or of infinite traces.
#[derive(Debug, Clone)]
pub struct CommonRequest<'a> {
    /// The model.
    pub model: &'a Model,
    /// The file of the model, as the user wrote it.
    pub file: &'a str,
    /// The property.
    pub property: &'a Property,
    /// The vocabulary.
    pub vocabulary: &'a Vocabulary,
    /// How the vocabulary was chosen, if the program did that.
    pub chosen: Option<&'a ChoiceSummary>,
    /// With a vocabulary that is too weak: additions that were tried.
    pub repairs: Option<&'a Repairs>,
    /// Names in the vocabulary whose facts were asked to be preferred.
    pub prefer: &'a [String],
    /// Names in the vocabulary whose facts were not used.
    pub hide: &'a [String],
    /// Names of types whose values classes name as they are; `all` stands for every type.
    pub ground: &'a [String],
    /// The seed of the order in which the solvers search.
    pub seed: u64,
    /// Warnings about the input.
    pub warnings: &'a [Diagnostic],
    /// The command line that gives this result again.
    pub rerun: &'a str,
    /// How traces are shown.
    pub display: DisplayOptions,
    /// The kinds of violation by their causes, if these were asked for.
    pub causes: Option<&'a CausesOfClasses>,
}

/// The kinds of violation by their causes, beside classes.
#[derive(Debug)]
pub struct CausesOfClasses {
    /// The causal tree.
    pub document: CausesDocument,
    /// Its kinds in one line each.
    pub titles: Vec<String>,
    /// For each class, once images are gathered, the numbers of the kinds of which a trace is in it, from 1.
    pub of_classes: Vec<Vec<usize>>,
}

impl CommonRequest<'_> {
    /// The numbers of the kinds of which a trace is in a class, if these were asked for.
    pub(crate) fn kinds_in(&self, class: usize) -> Option<Vec<usize>> {
        self.causes?.of_classes.get(class).cloned()
    }
}

impl<'a> CommonRequest<'a> {
    /// Nothing but what is classified in which words: no options, no warnings, no command line, and traces for 80 columns without
    /// colours.
    pub fn plain(
        model: &'a Model,
        property: &'a Property,
        vocabulary: &'a Vocabulary,
        file: &'a str,
    ) -> Self {
        Self {
            model,
            file,
            property,
            vocabulary,
            chosen: None,
            repairs: None,
            prefer: &[],
            hide: &[],
            ground: &[],
            seed: 0,
            warnings: &[],
            rerun: "",
            display: DisplayOptions::plain(80),
            causes: None,
        }
    }
}

/// The request of a classification of finite traces.
#[derive(Debug)]
pub struct ClassifyRequest<'a> {
    /// The part that every classification has.
    pub asked: CommonRequest<'a>,
    /// The state formula of the property.
    pub invariant: &'a Expr,
    /// For each class its decisive steps, if the vocabulary speaks of them; empty before the result is known.
    pub decisive: &'a [Vec<DecisivePlace>],
    /// The proofs of `--proofs`; `None` without that option.
    pub proofs: Option<&'a StoredProofs>,
    /// The result beside a stored one; `None` if that was not asked.
    pub baseline: Option<&'a Comparison>,
}

impl<'a> ClassifyRequest<'a> {
    /// A request for the classification of violations of an invariant.
    pub fn new(asked: CommonRequest<'a>, invariant: &'a Expr) -> Self {
        Self { asked, invariant, decisive: &[], proofs: None, baseline: None }
    }

    /// A [plain](CommonRequest::plain) one.
    pub fn plain(
        problem: Problem<'a>,
        property: &'a Property,
        vocabulary: &'a Vocabulary,
        file: &'a str,
    ) -> Self {
        Self::new(CommonRequest::plain(problem.model, property, vocabulary, file), problem.invariant)
    }
}

/// Which infinite traces count, as the user said.
#[derive(Debug, Clone, Copy, Default)]
pub struct GivenFairness<'a> {
    /// True if the conditions of the model are ignored.
    pub ignored: bool,
    /// The conditions that were given, weak ones of actions or those of states, as they were written.
    pub fair: &'a [String],
    /// The strong ones of actions.
    pub strongly_fair: &'a [String],
}

impl From<GivenFairness<'_>> for StoredFairness {
    fn from(GivenFairness { ignored, fair, strongly_fair }: GivenFairness<'_>) -> Self {
        Self { ignored, fair: fair.to_vec(), strongly_fair: strongly_fair.to_vec() }
    }
}

/// The request of a check and its outcome.
#[derive(Debug)]
pub struct CheckRequest<'a> {
    /// The model.
    pub model: &'a Model,
    /// The file of the model, as the user wrote it.
    pub file: &'a str,
    /// Which traces were looked at; `None` when only types were checked, or proofs were all that was asked for.
    pub lengths: Option<Lengths>,
    /// True if proofs for traces of every length were asked for.
    pub unbounded: bool,
    /// Which infinite traces count, as the user said.
    pub fairness: GivenFairness<'a>,
    /// The properties asked for, with what came of them.
    pub properties: Vec<CheckedProperty<'a>>,
    /// Warnings about the input.
    pub warnings: &'a [Diagnostic],
    /// The solver.
    pub solver: String,
    /// Its encoding of numbers, if it is an SMT solver.
    pub theory: Option<Theory>,
    /// Seconds from start to end.
    pub seconds: f64,
    /// The command line that gives this result again.
    pub rerun: &'a str,
    /// How traces are shown.
    pub display: DisplayOptions,
    /// The claims that the properties stand for, if the file describes protocols.
    pub claims: &'a [ClaimedProperty],
    /// The proofs of `--proofs`; `None` without that option.
    pub proofs: Option<&'a StoredProofs>,
}

impl CheckRequest<'_> {
    /// The answer to a property: the place of a claim `Reachable` is reached, any other property holds. `None` if that is not decided,
    /// or was not asked.
    pub(crate) fn answer(&self, checked: &CheckedProperty<'_>) -> Option<bool> {
        let is_false = checked.outcome.is_violated() || checked.has_pattern();
        let is_arrival = self.wording(checked) == Wording::Arrival;
        (is_false || checked.outcome.holds()).then_some(is_false == is_arrival)
    }

    /// The most runs of the model of a protocol; 0 for other models.
    pub(crate) fn runs(&self) -> usize {
        self.display.charts.as_ref().map_or(0, Charts::runs)
    }

    /// True if a property holds as far as the model tells, and attack patterns say no more.
    pub fn holds_by_model_alone(&self, checked: &CheckedProperty<'_>) -> bool {
        checked.outcome.holds()
            && match checked.patterns {
                Some(PatternVerdict::Proved | PatternVerdict::Attacked { .. }) => false,
                Some(PatternVerdict::UpTo { runs }) => runs <= self.runs(),
                None => true,
            }
    }

    /// The word for a false property: a violation, or an arrival.
    pub(crate) fn wording(&self, checked: &CheckedProperty<'_>) -> Wording {
        let claim = self.claims.iter().find(|claim| claim.property == checked.property.name);
        Wording::of(claim.is_some_and(|claim| claim.reachability))
    }

    /// True if some of the properties is one of infinite traces.
    pub fn is_about_infinite_traces(&self) -> bool {
        self.properties.iter().any(|checked| checked.property.linear().is_some())
    }

    /// True if the verdicts are about all interleavings of the runs of a protocol.
    pub fn all_interleavings(&self) -> bool {
        self.display.charts.as_ref().is_some_and(|charts| match self.lengths {
            None => self.unbounded,
            Some(Lengths::UpTo(bound)) => bound >= charts.steps(),
            Some(Lengths::Exactly(_)) => false,
        })
    }
}

/// True if the text of a check shows counterexamples of so many properties: of a protocol with several claims, only if some of them
/// were asked for, as all of them are a table.
pub fn shows_counterexamples(properties: usize, claims: usize) -> bool {
    properties < 2 || properties != claims
}

/// A property and what came of it.
#[derive(Debug, Clone)]
pub struct CheckedProperty<'a> {
    /// The property.
    pub property: &'a Property,
    /// The outcome.
    pub outcome: PropertyOutcome,
    /// Of a claim: whether some run that it is about comes to it. `None` if that was not asked, or not decided.
    pub reached: Option<bool>,
    /// Of a claim: what attack patterns say, for any number of runs. `None` if that was not asked.
    pub patterns: Option<PatternVerdict>,
}

impl PropertyOutcome {
    /// True if the property is violated.
    pub fn is_violated(&self) -> bool {
        matches!(
            self,
            Self::Violated(_)
                | Self::ViolatedForever(_)
                | Self::Branching { verdict: engines::ctl::CtlVerdict::Violated, .. }
        )
    }

    /// True if the property holds.
    pub fn holds(&self) -> bool {
        matches!(
            self,
            Self::Holds | Self::Proved(_) | Self::Branching { verdict: engines::ctl::CtlVerdict::Holds, .. }
        )
    }
}

impl CheckedProperty<'_> {
    /// True if attack patterns have an attack.
    pub fn has_pattern(&self) -> bool {
        matches!(self.patterns, Some(PatternVerdict::Attacked { .. }))
    }
}

/// The outcome for one property.
#[derive(Debug, Clone, PartialEq)]
pub enum PropertyOutcome {
    /// Its types are right; nothing else was asked.
    TypesOnly,
    /// Its types are right, but it is of linear time, and an SMT solver was asked for.
    Temporal,
    /// No trace that was looked at violates it.
    Holds,
    /// No trace of any length violates it.
    Proved(InvariantEvidence),
    /// A trace whose first violation comes after as few steps as possible.
    Violated(Trace),
    /// A fair infinite trace that violates it.
    ViolatedForever(Lasso),
    /// Of branching time; what decides it is a tree, or a set of states.
    Branching {
        /// The verdict.
        verdict: engines::ctl::CtlVerdict,
        /// Its basis.
        basis: Basis,
    },
    /// The budget ended; no trace violates it after fewer than `depth` steps.
    Undecided {
        /// The limit that ended it.
        why: Exhausted,
        /// The number of steps that was not finished.
        depth: usize,
    },
    /// All states were to be listed, and this is why they are not.
    Unlisted(NotListed),
}
