//! What a classification found: values only, nothing is printed here.

use crate::automata::automaton::{NoAutomaton, Unsuitable};
use crate::automata::product::certificate::Confirmed;
use crate::automata::product::count::Count;
use crate::facts::atom::Atoms;
use crate::facts::constraint::Constraint;
use crate::facts::fact::{Assignment, Fact};
use crate::facts::restates::Restates;
use crate::facts::statements::{OfTraces, Statements};
use crate::results::statistics::Statistics;
use engines::explore::Stop;
use kit::budget::Exhausted;
use lang::model::permutation::Permutation;
use lang::model::{Model, Position, PredicateId};
use lang::trace::Trace;
use solvers::unroll::Lengths;
use std::collections::BTreeSet;

/// Whether something holds before anything happens: of positions of an initial state that is not left, between which there are no steps.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum AtStart {
    /// In every initial state.
    Always,
    /// In some initial state that violates nothing, so in an accepted trace of no steps.
    Sometimes,
    /// Not in accepted traces of no steps, or that is not known.
    #[default]
    Never,
}

/// How a classification ended.
#[derive(Debug, Clone, PartialEq)]
pub enum Verdict {
    /// No trace that was asked for violates the property.
    Holds,
    /// Every violating trace of the lengths asked for is in one of the classes.
    Complete,
    /// The property is violated; the classes found are right, but there may be others.
    Partial(Why),
    /// Every violating trace in which something happens that the vocabulary names is in one of the classes of the cover, and
    /// there are others: [`Cover::remainder`].
    Remainder,
    /// The property is violated, and the vocabulary cannot tell this violation from an accepted trace. Classes are then those that
    /// were found before, or those of a cover ([`Classification::covered_by`]).
    TooWeak(Box<TooWeak>),
    /// The budget ended before any violation was found or excluded.
    Undecided {
        /// What ended it.
        why: Exhausted,
        /// No trace violates the property after fewer steps than this.
        depth: usize,
    },
}

/// Why a classification is partial.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// The budget ended.
    Exhausted(Exhausted),
    /// The number of classes that was asked for is reached.
    MaxClasses,
    /// Only counterexamples that satisfy the predicate of `--start-with` were classified before the
    /// budget ended.
    StartWithOnly(Exhausted),
    /// The classes cover every counterexample up to the bound, and the budget ended before that was proved for every
    /// length, as was asked for.
    Unproved(Exhausted),
}

/// A counterexample that the vocabulary cannot characterise (line 10 of Algorithm 1).
#[derive(Debug, Clone, PartialEq)]
pub struct TooWeak {
    /// The counterexample.
    pub counterexample: Trace,
    /// All facts that hold in it, as a constraint; position variable p stands for its position p.
    pub constraint: Constraint,
    /// The atoms of the constraint.
    pub atoms: Atoms,
    /// A trace without violation that satisfies the same constraint.
    pub accepting: Trace,
    /// Where in `accepting` the position variables lie.
    pub positions: Vec<Position>,
    /// How the cover ended that the result has in place of classes ([`Classification::covered_by`]); `None` if it has none.
    pub covered: Option<Verdict>,
}

/// One class of counterexamples.
#[derive(Debug, Clone, PartialEq)]
pub struct Class {
    /// What its traces have in common; implies a violation, unless it is a class of a cover.
    pub constraint: Constraint,
    /// A counterexample of the class, with as few steps before its first violation as any. It ends there
    /// unless its length was given.
    pub representative: Trace,
    /// What the variables of the constraint stand for in `representative`.
    pub assigned: Assignment,
    /// For each fact of the constraint a trace without violation that satisfies all other facts.
    /// Empty when the budget ended before they were found.
    pub needed: Vec<Trace>,
    /// A trace of the same kind that is in no other class of the result. `None` for redundant
    /// classes that were asked to be kept, or when the budget ended.
    pub canonical: Option<Trace>,
    /// Whether the other classes cover it (only with `keep_redundant`).
    pub redundant: bool,
    /// Whether the constraint implies a violation; only classes of a cover need not.
    pub sufficient: bool,
    /// Whether the facts violate the property by themselves, or with single steps of the model; of classes of covers, if they suffice.
    pub restates: Restates,
    /// Whether it holds before anything happens. Looked at in classes of covers only.
    pub at_start: AtStart,
    /// Facts of the first constraint, before minimisation.
    pub initial_facts: usize,
    /// What symmetries of the model make of it: it stands for these as well. Empty until the result is gathered
    /// ([`Classification::gathered`]).
    pub images: Vec<Image>,
}

/// That a class is what a symmetry makes of another one.
#[derive(Debug, Clone, PartialEq)]
pub struct ImageOf {
    /// Index of the class.
    pub class: usize,
    /// Index of the other one, which is an image of none.
    pub of: usize,
    /// Takes the traces of that one to those of the class.
    pub by: Permutation,
}

/// A class that a symmetry makes of another one, which stands for both.
#[derive(Debug, Clone, PartialEq)]
pub struct Image<C = Class> {
    /// The symmetry.
    pub by: Permutation,
    /// What it makes of the class.
    pub class: C,
}

/// What traces beyond the bound say of a result that is complete up to it.
#[derive(Debug, Clone, PartialEq)]
pub struct Horizon {
    /// Up to how many steps they were looked at; `None` if every length was.
    pub steps: Option<usize>,
    /// If classes had to suffice for longer traces as well ([`crate::results::options::Options::horizon`]), because those that suffice up to the bound
    /// rest on it: up to how many steps. Traces that show that a fact is needed may be as long.
    pub sufficient_up_to: Option<usize>,
    /// For each class a shortest trace without violation that satisfies it. Such a class rests on the bound.
    pub resting: Vec<Option<Longer>>,
    /// A shortest counterexample that is in no class; where the cover leaves something over, one in which something of the vocabulary
    /// happens that takes part.
    pub uncovered: Option<Longer>,
}

/// A trace that is longer than the bound.
#[derive(Debug, Clone, PartialEq)]
pub struct Longer {
    /// How many steps it has.
    pub steps: usize,
    /// The trace, unless it is too long to be shown.
    pub trace: Option<Trace>,
}

impl Class {
    /// What it says, and what has to be so of its images as well.
    pub(crate) fn said(&self) -> (Statements<OfTraces>, (bool, bool, Restates)) {
        ((&self.constraint).into(), (self.redundant, self.sufficient, self.restates))
    }

    /// The class itself and its images: a trace is in the class if it is in one of them.
    pub fn with_images(&self) -> impl Iterator<Item = &Self> {
        std::iter::once(self).chain(self.images.iter().map(|image| &image.class))
    }

    /// The positions of the representative that the decisive steps of the constraint lead to, ascending.
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

impl Classification {
    /// A result with this verdict and solver, without classes, and nothing else known.
    pub fn new(verdict: Verdict, lengths: Lengths, solver: String) -> Self {
        Self {
            verdict,
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
            refinements: None,
            statistics: Statistics::default(),
        }
    }

    /// A trace beyond the bound, without violation, that satisfies a class, by its index: then the class rests on the bound.
    pub fn rests_on_bound(&self, class: usize) -> Option<&Longer> {
        self.horizon.as_ref()?.resting[class].as_ref()
    }

    /// The result with a cover by the words of the vocabulary in place of the classes that were found, if the vocabulary is too weak and the
    /// cover says anything.
    #[must_use]
    pub fn covered_by(self, cover: Self) -> Self {
        let Verdict::TooWeak(mut weak) = self.verdict else { return self };
        let says = cover.cover.as_ref().is_some_and(|of| !cover.classes.is_empty() || of.remainder.is_some());
        if !says {
            let mut statistics = self.statistics;
            statistics.add(&cover.statistics);
            return Self { verdict: Verdict::TooWeak(weak), statistics, ..self };
        }
        weak.covered = Some(cover.verdict);
        let mut statistics = cover.statistics;
        statistics.add(&self.statistics);
        Self {
            verdict: Verdict::TooWeak(weak),
            silent: self.silent,
            start_unmatched: self.start_unmatched,
            unbounded: cover.unbounded.or(self.unbounded),
            statistics,
            ..cover
        }
    }

    /// What became of the classes that are shown: the verdict, or that of the cover where the vocabulary is too weak and there is one.
    pub fn answer(&self) -> &Verdict {
        match &self.verdict {
            Verdict::TooWeak(weak) => weak.covered.as_ref().unwrap_or(&self.verdict),
            verdict => verdict,
        }
    }

    /// Whether the verdict was proved for traces of every length.
    pub fn is_unbounded(&self) -> bool {
        matches!(self.unbounded, Some(Unbounded::Proved(_)))
    }
}

impl Verdict {
    /// What ended the search, if that was the budget.
    pub fn exhausted(&self) -> Option<Exhausted> {
        match self {
            Self::Partial(Why::Exhausted(why) | Why::StartWithOnly(why) | Why::Unproved(why))
            | Self::Undecided { why, .. } => Some(*why),
            _ => None,
        }
    }
}

/// The result of [`crate::search::engine::classify`].
#[derive(Debug, Clone, PartialEq)]
pub struct Classification {
    /// How it ended.
    pub verdict: Verdict,
    /// The traces that were considered.
    pub lengths: Lengths,
    /// The classes, shortest representatives first; of equal length in the order in which they were found.
    pub classes: Vec<Class>,
    /// Which of them are images of others under symmetries of the model, those of one class after another. Empty in gathered results.
    pub images: Vec<ImageOf>,
    /// The atoms of all constraints of the result.
    pub atoms: Atoms,
    /// Of a complete result: whether no smaller choice of the constraints that were made covers every
    /// counterexample, images of one counted as one. If not, a limit was met and the classes are only known not to be redundant.
    pub minimum: bool,
    /// With a partial verdict: a counterexample that is known and in none of the classes.
    pub unclassified: Option<Trace>,
    /// Predicates that say nothing here; `None` where that was not asked.
    pub silent: Option<Silent>,
    /// Which solver did the self-check, if it was done: of every complete result; of the classes that were
    /// found before a limit of classes or a weak vocabulary ended the search; and where the property holds,
    /// only by another solver than that of the search. `None` without [`crate::results::options::Options::self_check`].
    pub checked_by: Option<String>,
    /// What ended the self-check before it was done.
    pub check_ended: Option<Exhausted>,
    /// Whether all counterexamples were looked at for the predicate of `start_with`, and none satisfies it.
    pub start_unmatched: bool,
    /// The solver that was used.
    pub solver: String,
    /// What traces beyond the bound say of a complete result; `None` where they were not looked at.
    pub horizon: Option<Horizon>,
    /// If they were to be looked at, and the time for that did not suffice: up to how many steps.
    pub horizon_missed: Option<usize>,
    /// What is known of longer traces; `None` where that was not asked, or there is no such thing to say.
    pub unbounded: Option<Unbounded>,
    /// How many violating traces there are of each length, or why that is not known; `None` where it was not
    /// asked.
    pub counts: Option<Result<Numbers, Obstacle>>,
    /// Of a cover, what it says beside its classes.
    pub cover: Option<Cover>,
    /// Facts that every violating trace has, or none; `None` where they were not asked for, or nothing is violated.
    pub necessary: Option<Necessary>,
    /// For each class what tells its traces apart; `None` where that was not asked.
    pub refinements: Option<Vec<Refinement>>,
    /// Time, memory and solver calls of a run.
    pub statistics: Statistics,
}

/// What a cover says beside its classes.
#[derive(Debug, Clone, PartialEq)]
pub struct Cover<C = Constraint, T = Trace> {
    /// Which classes violating traces have together, shortest traces first.
    pub combinations: Vec<Combination<T>>,
    /// Whether these are all combinations that occur.
    pub all: bool,
    /// The first of the shortest violating traces in which nothing happens that the vocabulary names, but for what is necessary.
    pub remainder: Option<T>,
    /// What every violating trace has, of what is only observed: it tells nothing apart and takes no part.
    pub necessary: Vec<C>,
    /// Observables with too many values, which take no part.
    pub skipped: Vec<String>,
    /// Whether only predicates take part, and the vocabulary has observables as well.
    pub predicates_only: bool,
    /// What takes part and was not chosen as a class.
    pub others: Vec<C>,
    /// For each that is necessary whether it holds before anything happens; empty where that was not looked at.
    pub at_start: Vec<AtStart>,
    /// If only the violating traces of a class were covered, its constraint.
    pub context: Option<C>,
}

impl<C, T> Default for Cover<C, T> {
    /// Nothing is known.
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

/// What tells the violating traces of a class apart.
#[derive(Debug, Clone, PartialEq)]
pub struct Refinement<K = Class, C = Constraint, T = Trace> {
    /// As few things as possible of which each of them has one; none can be left out. Empty if there is a remainder.
    pub causes: Vec<Cause<K, C, T>>,
    /// What all of them have, of what could be a cause; with a remainder only predicates.
    pub necessary: Vec<C>,
    /// The first of the shortest of them without any predicate but for those that all have, if labels do not cover what
    /// predicates leave over: it needs none of what could be a cause.
    pub remainder: Option<T>,
    /// Whether no smaller choice of predicates covers as much as theirs, and no smaller choice of labels what these leave over.
    pub minimum: bool,
    /// What ended the search before there was a result.
    pub ended: Option<Exhausted>,
}

impl<K, C, T> Default for Refinement<K, C, T> {
    /// Nothing is known.
    fn default() -> Self {
        let (causes, necessary) = (Vec::new(), Vec::new());
        Self { causes, necessary, remainder: None, minimum: false, ended: None }
    }
}

/// Something by which traces of a class differ.
#[derive(Debug, Clone, PartialEq)]
pub struct Cause<K = Class, C = Constraint, T = Trace> {
    /// It as a class of those of the traces that have it.
    pub class: K,
    /// What tells these apart in turn; `None` where that was not asked.
    pub refinement: Option<Refinement<K, C, T>>,
}

/// Classes that violating traces have together, and no others.
#[derive(Debug, Clone, PartialEq)]
pub struct Combination<T = Trace> {
    /// Indices of the classes, ascending.
    pub classes: Vec<usize>,
    /// The first of the shortest such traces.
    pub trace: T,
}

/// What the violating traces that were asked about have in common, as constraints.
#[derive(Debug, Clone, PartialEq)]
pub struct Necessary<C = Constraint> {
    /// What every one of them has.
    pub always: Vec<SharedFact<C>>,
    /// What none of them has.
    pub never: Vec<SharedFact<C>>,
    /// What may be one of these and was not decided. Empty unless everything was asked for.
    pub undecided: Vec<C>,
    /// Observables with too many values, which were not looked at.
    pub skipped: Vec<String>,
    /// How many facts were left out of a short list.
    pub more: usize,
    /// Whether everything was asked for. Otherwise facts that tell nothing, and those of every class, are left out.
    pub full: bool,
    /// Whether it is so of violating traces of every length, and not only up to the bound.
    pub every_length: bool,
}

impl<C> Default for Necessary<C> {
    /// Nothing is known.
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
pub struct SharedFact<C = Constraint> {
    /// The fact, at any positions.
    pub constraint: C,
    /// Whether it is so of all values of its individuals, each for itself, and not only of some.
    pub of_each: bool,
    /// Whether it tells violating traces from others. What all violating traces have does if another trace lacks it that is at
    /// least as long as the shortest of them; what none has does if another trace has it;
    /// where it is so of every length, if one without violation has it.
    pub telling: bool,
}

/// Predicates of the vocabulary that hold in no short counterexample.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Silent {
    /// Those that hold in no trace at all.
    pub never: Vec<PredicateId>,
    /// Those that hold in some traces, but in no counterexample up to its first violation.
    pub harmless: Vec<PredicateId>,
    /// Traces of these lengths were looked at.
    pub lengths: Lengths,
}

/// What is known beyond the bound.
#[derive(Debug, Clone, PartialEq)]
pub enum Unbounded {
    /// The verdict, `Holds` or `Complete`, is about traces of every length.
    Proved(Proof),
    /// It is about traces up to the bound only.
    Open(Gap),
}

/// A proof for traces of every length.
#[derive(Debug, Clone, PartialEq)]
pub struct Proof {
    /// How it was found.
    pub basis: Basis,
    /// The bounds in steps at which classes were looked for; the last one gave the result.
    pub bounds: Vec<usize>,
    /// What confirmed the proof.
    pub confirmed: Confirmed,
}

/// The kind of a proof, and its size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Basis {
    /// All states were visited.
    States {
        /// The states that traces without violation lead to.
        states: usize,
        /// The steps from these.
        steps: usize,
        /// The combinations of these states with what the classes remember.
        combinations: usize,
    },
    /// A symbolic proof by induction.
    Induction,
}

/// Why nothing is known beyond the bound.
#[derive(Debug, Clone, PartialEq)]
pub enum Gap {
    /// The product of model and classes could not be explored.
    Obstacle(Obstacle),
    /// The classes are known to fail in longer traces, and no better ones were found.
    Broken {
        /// How many steps the shortest of these traces have.
        steps: usize,
        /// What ended the search; `None` if it was the number of rounds.
        why: Option<Exhausted>,
    },
    /// The vocabulary is too weak for traces of up to the bound, so that longer ones were not asked about.
    Weak {
        /// The classes of traces of up to so many steps were complete, if they were for any bound.
        complete_up_to: Option<usize>,
    },
}

/// Why the product of a model and classes could not be explored.
#[derive(Debug, Clone, PartialEq)]
pub enum Obstacle {
    /// The states could not all be listed.
    States(Stop),
    /// The class with this index has no automaton.
    Class(usize, NoAutomaton),
    /// There are more combinations of states with what the classes remember than this.
    Combinations(usize),
    /// Decision diagrams would need more nodes than this.
    Nodes(usize),
    /// The budget ended before.
    Budget(Exhausted),
}

/// Numbers of violating traces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Numbers {
    /// How they were found.
    pub method: CountMethod,
    /// Whether only one trace of each orbit under symmetries of the model was counted, for all of them.
    pub orbits: bool,
    /// For each length, ascending.
    pub counts: Vec<Count>,
}

/// How traces are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CountMethod {
    /// Over a list of the states that traces of these lengths reach, with what the classes remember there. At most so many
    /// states are visited, and as many combinations of states with memories.
    List(usize),
    /// Over decision diagrams, however many states there are.
    Diagrams,
}

impl Obstacle {
    /// What ended the budget, if that was the obstacle.
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
            Self::States(Stop::Budget(why)) | Self::Budget(why) => f.write_str(match why {
                Exhausted::Time => "the time ran out",
                Exhausted::Memory => "the memory ran out",
                Exhausted::Interrupt => "the run was interrupted",
            }),
        }
    }
}

impl std::error::Error for Obstacle {}

impl From<Unsuitable> for Obstacle {
    fn from(Unsuitable { constraint, why }: Unsuitable) -> Self {
        Self::Class(constraint, why)
    }
}
