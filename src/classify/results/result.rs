//! The results of a classification: values only, without output.

use crate::automata::automaton::{NoAutomaton, Unsuitable};
use crate::automata::product::certificate::Confirmed;
use crate::automata::product::count::Count;
use crate::facts::atom::Atoms;
use crate::facts::constraint::Constraint;
use crate::facts::fact::{Assignment, Fact};
use crate::facts::restates::Restates;
use crate::facts::statements::{FactForm, Statements};
use crate::results::statistics::Statistics;
use engines::explore::Stop;
use kit::budget::Exhausted;
use lang::model::permutation::Permutation;
use lang::model::{Model, Position, PredicateId};
pub use lang::trace::Finite;
use lang::trace::Trace;
use solvers::unroll::Lengths;
use std::collections::BTreeSet;
use std::fmt::Debug;

/// A kind of traces that are classified.
pub trait TraceKind: Debug + Clone + Copy + PartialEq + Eq + 'static {
    /// A trace.
    type Trace: Debug + Clone + PartialEq;
    /// A constraint of traces.
    type Constraint: Debug + Clone + PartialEq;
    /// The form of a statement of a constraint.
    type Form: Copy + Ord;
    /// A proof for traces of every length.
    type Proof: Debug + Clone + PartialEq;
    /// The reason why there is no proof for traces of every length.
    type Obstacle: Debug + Clone + PartialEq;

    /// Returns the statements of a constraint.
    fn statements(constraint: &Self::Constraint) -> Statements<Self::Form>;

    /// Returns a constraint in the paper's notation.
    fn show(constraint: &Self::Constraint, model: &Model, atoms: &Atoms) -> String;

    /// Returns the limit that an obstacle is, if it is one.
    fn exhausted(obstacle: &Self::Obstacle) -> Option<Exhausted>;

    /// Says of classes what an obstacle says of their images, given the index of each once they are gathered.
    fn gather(obstacle: &mut Self::Obstacle, places: &[usize]);
}

impl TraceKind for Finite {
    type Trace = Trace;
    type Constraint = Constraint;
    type Form = FactForm;
    type Proof = Proof;
    type Obstacle = Obstacle;

    fn statements(constraint: &Constraint) -> Statements<FactForm> {
        constraint.into()
    }

    fn show(constraint: &Constraint, model: &Model, atoms: &Atoms) -> String {
        constraint.show(model, atoms)
    }

    fn exhausted(obstacle: &Obstacle) -> Option<Exhausted> {
        obstacle.exhausted()
    }

    fn gather(obstacle: &mut Obstacle, places: &[usize]) {
        if let Obstacle::Class(index, _) = obstacle {
            *index = places[*index];
        }
    }
}

/// The truth of a constraint at positions of an initial state, before any step.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum AtStart {
    /// In every initial state.
    Always,
    /// In some initial state without violation, so in an accepted trace of no steps.
    Sometimes,
    /// In no accepted trace of no steps, or unknown.
    #[default]
    Never,
}

/// The outcome of a classification.
#[derive(Debug, Clone, PartialEq)]
pub enum Verdict<K: TraceKind = Finite> {
    /// No trace of the requested lengths violates the property.
    Holds,
    /// Every violating trace of the requested lengths is in one of the classes.
    Complete,
    /// The property is violated; the classes are correct, but there may be others.
    Partial(Why),
    /// Every violating trace with a fact of the vocabulary is in one of the classes of the cover; there are
    /// violating traces without any: [`Cover::remainder`].
    Remainder,
    /// The property is violated, and the vocabulary cannot separate this violation from an accepted trace.
    /// The classes are those found before, or those of a cover ([`Classification::covered_by`]).
    TooWeak(Box<TooWeak<K>>),
    /// The budget ended before a violation was found or excluded.
    Undecided {
        /// The limit that ended it.
        why: Exhausted,
        /// No trace of fewer steps than this violates the property.
        depth: usize,
    },
}

/// The reason why a classification is partial.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// The budget ended.
    Exhausted(Exhausted),
    /// The requested number of classes is reached.
    MaxClasses,
    /// Only counterexamples that satisfy the predicate of `--start-with` were classified before the
    /// budget ended.
    StartWithOnly(Exhausted),
    /// The classes cover every counterexample up to the bound, and the budget ended before the requested
    /// proof for every length.
    Unproved(Exhausted),
}

/// A counterexample that the vocabulary cannot characterise (line 10 of Algorithm 1).
#[derive(Debug, Clone, PartialEq)]
pub struct TooWeak<K: TraceKind = Finite> {
    /// The counterexample.
    pub counterexample: K::Trace,
    /// The facts that hold in it, as a constraint. If it is finite, these are all, and position variable p stands for
    /// its position p; of an infinite one, those about single atoms.
    pub constraint: K::Constraint,
    /// The atoms of the constraint.
    pub atoms: Atoms,
    /// A trace without violation that satisfies the same constraint.
    pub accepting: K::Trace,
    /// The positions of the position variables in `accepting`, if it is finite.
    pub positions: Vec<Position>,
    /// The outcome of the cover that replaces the classes ([`Classification::covered_by`]); `None` without a cover.
    pub covered: Option<Verdict<K>>,
}

/// One class of counterexamples.
#[derive(Debug, Clone, PartialEq)]
pub struct Class<K: TraceKind = Finite> {
    /// The constraint of its traces; implies a violation, unless the class belongs to a cover.
    pub constraint: K::Constraint,
    /// A counterexample of the class with the fewest steps before its first violation. It ends there unless
    /// its length was given. If it is infinite, one with the fewest steps in all.
    pub representative: K::Trace,
    /// The values of the constraint's variables in `representative`.
    pub assigned: Assignment,
    /// For each fact of the constraint, a trace without violation that satisfies all other facts; for infinite traces,
    /// one for each part, in the order of [`LassoConstraint::weaker`](crate::lassos::LassoConstraint::weaker). Empty if
    /// the budget ended before they were found.
    pub needed: Vec<K::Trace>,
    /// A counterexample of the class that is in no other class of the result. `None` for redundant classes
    /// kept on request, or if the budget ended.
    pub canonical: Option<K::Trace>,
    /// True if the other classes cover it (only with `keep_redundant`).
    pub redundant: bool,
    /// True if the constraint implies a violation; may be false only for classes of a cover.
    pub sufficient: bool,
    /// A shortest infinite trace without violation in a class of a cover that is not sufficient; `None` for finite ones.
    pub accepted: Option<K::Trace>,
    /// The extent to which the facts restate the property, by themselves or with single steps of the model;
    /// for covers, only of sufficient classes.
    pub restates: Restates,
    /// The truth of the constraint before any step. Computed for classes of covers of finite traces only.
    pub at_start: AtStart,
    /// The number of facts of the first constraint, before minimisation; 0 for infinite traces.
    pub initial_facts: usize,
    /// The images of the class under symmetries of the model: it stands for these as well. Empty until the
    /// result is gathered ([`Classification::gathered`]).
    pub images: Vec<Image<K>>,
}

/// A class that is the image of another one under a symmetry.
#[derive(Debug, Clone, PartialEq)]
pub struct ImageOf {
    /// Index of the class.
    pub class: usize,
    /// Index of the original class, which is an image of none.
    pub of: usize,
    /// The symmetry that maps traces of the original to traces of the class.
    pub by: Permutation,
}

/// An image of a class under a symmetry; the class stands for both.
#[derive(Debug, Clone, PartialEq)]
pub struct Image<K: TraceKind = Finite> {
    /// The symmetry.
    pub by: Permutation,
    /// The image.
    pub class: Class<K>,
}

/// The results of checking traces beyond the bound of a complete result.
#[derive(Debug, Clone, PartialEq)]
pub struct Horizon {
    /// The greatest number of steps of these traces; `None` if every length was checked.
    pub steps: Option<usize>,
    /// The number of steps up to which classes had to be sufficient ([`crate::results::options::Options::horizon`]),
    /// if classes sufficient up to the bound depend on it. Traces that show that a fact is needed may be as long.
    pub sufficient_up_to: Option<usize>,
    /// For each class, a shortest trace without violation that satisfies it. Such a class depends on the bound.
    pub resting: Vec<Option<Longer>>,
    /// A shortest counterexample that is in no class; if the cover has a remainder, one with another fact of
    /// the vocabulary that takes part.
    pub uncovered: Option<Longer>,
}

/// A trace that is longer than the bound.
#[derive(Debug, Clone, PartialEq)]
pub struct Longer {
    /// The number of its steps.
    pub steps: usize,
    /// The trace, unless it is too long to be shown.
    pub trace: Option<Trace>,
}

impl<K: TraceKind> Class<K> {
    /// Creates a sufficient class with one of its traces, in which its variables have these values, and without any
    /// other information.
    pub fn of(constraint: K::Constraint, representative: K::Trace, assigned: Assignment) -> Self {
        Self {
            constraint,
            representative,
            assigned,
            needed: Vec::new(),
            canonical: None,
            redundant: false,
            sufficient: true,
            accepted: None,
            restates: Restates::Nothing,
            at_start: AtStart::default(),
            initial_facts: 0,
            images: Vec::new(),
        }
    }

    /// Returns the statements of the constraint, and the properties that its images must share.
    pub(crate) fn said(&self) -> (Statements<K::Form>, (bool, bool, Restates)) {
        (K::statements(&self.constraint), (self.redundant, self.sufficient, self.restates))
    }

    /// Iterates over the class and its images: a trace is in the class if it is in one of them.
    pub fn with_images(&self) -> impl Iterator<Item = &Self> {
        std::iter::once(self).chain(self.images.iter().map(|image| &image.class))
    }
}

impl Class {
    /// Returns the positions of the representative after the decisive steps of the constraint, ascending.
    pub fn decisive_positions(&self, model: &Model, atoms: &Atoms) -> Vec<Position> {
        let of_fact = |fact: &Fact| {
            let predicate = fact.predicate(atoms)?;
            let to = fact.positions.get(1).filter(|_| model.is_about_decisive_steps(predicate))?;
            Some(self.assigned.positions[to.index()])
        };
        let found: BTreeSet<Position> = self.constraint.facts.iter().filter_map(of_fact).collect();
        found.into_iter().collect()
    }
}

impl<K: TraceKind> Classification<K> {
    /// Creates a result with this verdict and solver, without classes, and without any other information.
    pub fn new(verdict: Verdict<K>, lengths: Lengths, solver: String) -> Self {
        Self {
            verdict,
            sufficient_up_to: lengths.bound(),
            lengths,
            classes: Vec::new(),
            images: Vec::new(),
            atoms: Atoms::default(),
            minimum: false,
            unclassified: None,
            silent: None,
            checked_by: None,
            check_ended: None,
            start_unmatched: false,
            solver,
            horizon: None,
            horizon_missed: None,
            unbounded: None,
            counts: None,
            cover: None,
            necessary: None,
            decisions: None,
            statistics: Statistics::default(),
        }
    }

    /// Returns a trace beyond the bound, without violation, that satisfies a class: the class then depends on the bound.
    pub fn rests_on_bound(&self, class: usize) -> Option<&Longer> {
        self.horizon.as_ref()?.resting[class].as_ref()
    }

    /// Replaces the classes of a too weak vocabulary by a cover with its words, unless the cover is empty and
    /// has no remainder.
    #[must_use]
    pub fn covered_by(self, mut cover: Self) -> Self {
        let Verdict::TooWeak(mut weak) = self.verdict else { return self };
        cover.statistics.add(&self.statistics);
        if !cover.cover.as_ref().is_some_and(|of| of.says_anything(&cover.classes)) {
            return Self { verdict: Verdict::TooWeak(weak), statistics: cover.statistics, ..self };
        }
        weak.covered = Some(cover.verdict);
        Self {
            verdict: Verdict::TooWeak(weak),
            silent: self.silent,
            start_unmatched: self.start_unmatched,
            unbounded: cover.unbounded.or(self.unbounded),
            ..cover
        }
    }

    /// Returns the verdict on the classes shown: that of the cover if there is one for a too weak vocabulary.
    pub fn answer(&self) -> &Verdict<K> {
        match &self.verdict {
            Verdict::TooWeak(weak) => weak.covered.as_ref().unwrap_or(&self.verdict),
            verdict => verdict,
        }
    }

    /// True if the verdict was proved for traces of every length.
    pub fn is_unbounded(&self) -> bool {
        matches!(self.unbounded, Some(Unbounded::Proved(_)))
    }
}

impl<K: TraceKind> Verdict<K> {
    /// Returns the limit that ended the search, if any.
    pub fn exhausted(&self) -> Option<Exhausted> {
        match self {
            Self::Partial(Why::Exhausted(why) | Why::StartWithOnly(why) | Why::Unproved(why))
            | Self::Undecided { why, .. } => Some(*why),
            _ => None,
        }
    }
}

/// The result of [`crate::search::engine::classify`], or of [`crate::lassos::classify_lassos`].
#[derive(Debug, Clone, PartialEq)]
pub struct Classification<K: TraceKind = Finite> {
    /// The outcome.
    pub verdict: Verdict<K>,
    /// The lengths of the counterexamples considered; those of infinite traces count the step that closes the loop.
    pub lengths: Lengths,
    /// The number of steps up to which infinite traces in classes violate the property, at least the bound. For finite
    /// traces, that is in [`Horizon`].
    pub sufficient_up_to: usize,
    /// The classes, shortest representatives first; for equal lengths, in the order of discovery.
    pub classes: Vec<Class<K>>,
    /// The classes that are images of others under symmetries of the model, grouped by original. Empty in gathered results.
    pub images: Vec<ImageOf>,
    /// The atoms of all constraints of the result.
    pub atoms: Atoms,
    /// For a complete result, true if no smaller subset of the constraints found covers every counterexample, with
    /// all images counted as one. Otherwise a limit was met, and the classes are only known to be irredundant.
    pub minimum: bool,
    /// For a partial verdict, a known counterexample that is in none of the classes.
    pub unclassified: Option<K::Trace>,
    /// Predicates that hold in no short counterexample; `None` if not requested.
    pub silent: Option<SilentPredicates>,
    /// The solver of the self-check, if that was completed: of every complete result; of the classes found
    /// before a limit of classes or a weak vocabulary ended the search; if the property holds, only by a
    /// solver other than that of the search. `None` without [`crate::results::options::Options::self_check`].
    pub checked_by: Option<String>,
    /// The limit that ended the self-check early.
    pub check_ended: Option<Exhausted>,
    /// True if no counterexample satisfies the predicate of `start_with`, after all were considered.
    pub start_unmatched: bool,
    /// The solver of the search.
    pub solver: String,
    /// The results beyond the bound of a complete result; `None` if longer traces were not checked.
    pub horizon: Option<Horizon>,
    /// The intended number of steps, if the time for longer traces was too short.
    pub horizon_missed: Option<usize>,
    /// The result for every length; `None` if not requested or not applicable.
    pub unbounded: Option<Unbounded<K>>,
    /// The numbers of violating traces of each length, or the obstacle to counting; `None` if not requested.
    pub counts: Option<Result<TraceNumbers, Obstacle>>,
    /// For a cover, its other results.
    pub cover: Option<Cover<K>>,
    /// Facts that all violating traces have, or none; `None` if not requested, or nothing is violated.
    pub necessary: Option<NecessaryFacts<K>>,
    /// The decisive steps of infinite representatives; `None` if unknown.
    pub decisions: Option<DecisionPoints>,
    /// Time, memory and solver calls of a run.
    pub statistics: Statistics,
}

/// The points from which infinite counterexamples cannot become traces that satisfy the property.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecisionPoints {
    /// For each class, the first position of its representative, counted on through the rounds of the loop, such that no
    /// fair infinite trace with the same states up to there satisfies the property; 0 is the first state. `None` if each
    /// beginning has a continuation that satisfies it.
    pub positions: Vec<Option<Position>>,
    /// True if all infinite traces were considered; otherwise those that repeat within the horizon, and one round of
    /// the representative.
    pub is_of_all: bool,
}

/// The results of a cover other than its classes.
#[derive(Debug, Clone, PartialEq)]
pub struct Cover<K: TraceKind = Finite> {
    /// The combinations of classes of violating traces, shortest traces first.
    pub combinations: Vec<Combination<K::Trace>>,
    /// True if no other combination occurs.
    pub all: bool,
    /// The first of the shortest violating traces without any fact of the vocabulary, other than necessary ones.
    pub remainder: Option<K::Trace>,
    /// The facts about observables that every violating trace has: they distinguish nothing and take no part.
    pub necessary: Vec<K::Constraint>,
    /// Observables with too many values, which take no part.
    pub skipped: Vec<String>,
    /// True if only predicates take part, and no observables.
    pub predicates_only: bool,
    /// The facts that take part and were not chosen as classes.
    pub others: Vec<K::Constraint>,
    /// For each necessary fact, its truth before any step; empty if not computed.
    pub at_start: Vec<AtStart>,
    /// The constraint of the class, if only its violating traces were covered.
    pub context: Option<K::Constraint>,
}

impl<K: TraceKind> Cover<K> {
    /// True if it has classes, or something that these leave over.
    pub(crate) fn says_anything(&self, classes: &[Class<K>]) -> bool {
        !classes.is_empty() || self.remainder.is_some()
    }
}

impl<K: TraceKind> Default for Cover<K> {
    /// Returns a cover without any information.
    fn default() -> Self {
        Self {
            combinations: Vec::new(),
            all: false,
            remainder: None,
            necessary: Vec::new(),
            skipped: Vec::new(),
            predicates_only: false,
            others: Vec::new(),
            at_start: Vec::new(),
            context: None,
        }
    }
}

/// A set of classes that some violating traces are in, and in no others.
#[derive(Debug, Clone, PartialEq)]
pub struct Combination<T = Trace> {
    /// Indices of the classes, ascending.
    pub classes: Vec<usize>,
    /// The first of the shortest such traces.
    pub trace: T,
}

/// The facts that all considered violating traces share or lack, as constraints.
#[derive(Debug, Clone, PartialEq)]
pub struct NecessaryFacts<K: TraceKind = Finite> {
    /// The facts that all of them have.
    pub always: Vec<SharedFact<K>>,
    /// The facts that none of them has.
    pub never: Vec<SharedFact<K>>,
    /// The undecided candidates. Empty unless the effort was full.
    pub undecided: Vec<K::Constraint>,
    /// Observables with too many values, which were not considered.
    pub skipped: Vec<String>,
    /// The number of facts left out of a short list.
    pub more: usize,
    /// True if the effort was full. Otherwise facts that distinguish nothing, and those of every class, are left out.
    pub full: bool,
    /// True if the facts hold for violating traces of every length, not only up to the bound.
    pub every_length: bool,
}

impl<K: TraceKind> Default for NecessaryFacts<K> {
    /// Returns a value without any information.
    fn default() -> Self {
        Self {
            always: Vec::new(),
            never: Vec::new(),
            undecided: Vec::new(),
            skipped: Vec::new(),
            more: 0,
            full: false,
            every_length: false,
        }
    }
}

/// A fact that all violating traces have, or none.
#[derive(Debug, Clone, PartialEq)]
pub struct SharedFact<K: TraceKind = Finite> {
    /// The fact, at any positions.
    pub constraint: K::Constraint,
    /// True if the claim holds for each value of its individuals, not only for some value.
    pub of_each: bool,
    /// True if the fact distinguishes violating traces from others: for a fact of all violating traces,
    /// another trace at least as long as the shortest of them lacks it; for a fact of none, another trace has
    /// it; for claims about every length, a trace without violation has it.
    pub telling: bool,
}

/// Predicates of the vocabulary that hold in no short counterexample.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SilentPredicates {
    /// Predicates that hold in no trace at all.
    pub never: Vec<PredicateId>,
    /// Predicates that hold in some traces, but in no counterexample up to its first violation.
    pub harmless: Vec<PredicateId>,
    /// The lengths of the traces considered.
    pub lengths: Lengths,
}

/// The result for traces of every length.
#[derive(Debug, Clone, PartialEq)]
pub enum Unbounded<K: TraceKind = Finite> {
    /// The verdict, `Holds` or `Complete`, holds for traces of every length.
    Proved(K::Proof),
    /// The verdict is about traces up to the bound only.
    Open(UnknownReason<K>),
}

/// A proof for traces of every length.
#[derive(Debug, Clone, PartialEq)]
pub struct Proof {
    /// The kind of the proof.
    pub basis: ProofBasis,
    /// The bounds, in steps, of the classifications; the last one gave the result.
    pub bounds: Vec<usize>,
    /// The confirmation of the proof.
    pub confirmed: Confirmed,
}

/// The kind and the size of a proof.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProofBasis {
    /// All states were visited.
    States {
        /// The number of states reached by traces without violation.
        states: usize,
        /// The number of steps from these.
        steps: usize,
        /// The number of combinations of these states with memories of the classes.
        combinations: usize,
    },
    /// A symbolic proof by induction.
    Induction,
}

/// The reason why nothing is known beyond the bound.
#[derive(Debug, Clone, PartialEq)]
pub enum UnknownReason<K: TraceKind = Finite> {
    /// The product of model and classes could not be explored; for infinite traces, the budget ended before all was proved.
    Obstacle(K::Obstacle),
    /// The classes are known to fail in longer traces, and no better ones were found.
    Broken {
        /// The length in steps of the shortest of these traces.
        steps: usize,
        /// The limit that ended the search; `None` if it was the number of rounds.
        why: Option<Exhausted>,
    },
    /// The vocabulary is too weak for traces of up to the bound, so longer ones were not considered.
    Weak {
        /// The greatest bound, in steps, with complete classes, if any.
        complete_up_to: Option<usize>,
    },
}

/// The reason why the product of a model and classes could not be explored.
#[derive(Debug, Clone, PartialEq)]
pub enum Obstacle {
    /// The states could not all be listed.
    States(Stop),
    /// The class with this index has no automaton.
    Class(usize, NoAutomaton),
    /// More than this many combinations of states with memories of the classes.
    Combinations(usize),
    /// Decision diagrams would need more nodes than this.
    Nodes(usize),
    /// The budget ended first.
    Budget(Exhausted),
}

/// Numbers of violating traces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TraceNumbers {
    /// The method of counting.
    pub method: CountMethod,
    /// True if only one trace of each orbit under symmetries of the model was counted.
    pub orbits: bool,
    /// The numbers for each length, ascending.
    pub counts: Vec<Count>,
}

/// The method of counting traces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CountMethod {
    /// Over a list of the states that traces of these lengths reach, with memories of the classes. At most
    /// this many states, and as many combinations of states with memories, are visited.
    List(usize),
    /// Over decision diagrams, for any number of states.
    Diagrams,
}

impl Obstacle {
    /// Returns the limit of the budget, if that was the obstacle.
    pub fn exhausted(&self) -> Option<Exhausted> {
        match self {
            Self::Budget(why) | Self::States(Stop::Budget(why)) => Some(*why),
            _ => None,
        }
    }
}

impl std::fmt::Display for Obstacle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::States(Stop::States(most)) => write!(f, "there are more than {most} states"),
            Self::States(Stop::Choices(too_many)) => write!(f, "{too_many}"),
            Self::Class(index, why) => write!(f, "class {} {why}", index + 1),
            Self::Combinations(most) => {
                write!(f, "there are more than {most} combinations of states with what the classes remember")
            }
            Self::Nodes(most) => write!(f, "decision diagrams would need more than {most} nodes"),
            Self::States(Stop::Budget(why)) | Self::Budget(why) => f.write_str(why.ran_out()),
        }
    }
}

impl std::error::Error for Obstacle {}

impl From<Unsuitable> for Obstacle {
    fn from(Unsuitable { constraint, why }: Unsuitable) -> Self {
        Self::Class(constraint, why)
    }
}
