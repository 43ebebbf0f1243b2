//! Classifications of finite traces, as they are stored.

use super::nullable;
use super::parts::{
    Fewest, LengthsWord, Mode, StoredBaseline, StoredCombination, StoredCount, StoredFinding, StoredImage,
    StoredIndividual, StoredNecessary, StoredProofs, StoredRefinement, StoredRepair, StoredSource, WhyEnded,
};
use super::trace::StoredTrace;
use lang::model::TraceFormulaText;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

/// The verdict of a classification, as documents name it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClassifyVerdict {
    /// No violation up to the bound.
    Holds,
    /// No violation in traces of any length.
    HoldsUnbounded,
    /// Violated; the classes cover all counterexamples up to the bound.
    Complete,
    /// Violated; the classes cover all counterexamples of every length.
    CompleteUnbounded,
    /// Violated; there may be other classes.
    Partial,
    /// Violated; the cover leaves some of it over.
    Remainder,
    /// Violated; the vocabulary cannot tell a violation from an accepted trace. The classes are then those of a cover, if there is one.
    TooWeak,
    /// The budget ended before any result.
    Undecided,
}

impl ClassifyVerdict {
    /// Whether the search for classes came to its end, so that nothing is left out for want of time.
    pub fn is_finished(self) -> bool {
        !matches!(self, Self::Partial | Self::Undecided | Self::TooWeak)
    }

    /// Whether the classes cover all counterexamples.
    pub fn is_complete(self) -> bool {
        matches!(self, Self::Complete | Self::CompleteUnbounded)
    }

    /// Whether it is about traces of every length.
    pub fn is_unbounded(self) -> bool {
        matches!(self, Self::HoldsUnbounded | Self::CompleteUnbounded)
    }

    /// Whether there is no violation.
    pub fn holds(self) -> bool {
        matches!(self, Self::Holds | Self::HoldsUnbounded)
    }
}

/// The document of a classification.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClassifyDocument {
    /// `cladist/classify-1`.
    pub schema: String,
    /// Version of this program.
    pub version: String,
    /// The model's name.
    pub model: String,
    /// The file of the model, as the user wrote it.
    pub file: String,
    /// The texts of the model and of what it imports, with their digests.
    pub sources: Vec<StoredSource>,
    /// What `--set` gave, as text.
    #[serde(default)]
    pub set: Map<String, Json>,
    /// Constants with their values for this run.
    pub constants: Map<String, Json>,
    /// The property's name.
    pub property: String,
    /// The bound in steps.
    pub bound: usize,
    /// Whether the bound is the greatest or the only number of steps.
    pub lengths: LengthsWord,
    /// The vocabulary's name.
    pub vocabulary: String,
    /// How it was chosen, if the program did that.
    #[serde(default)]
    pub chosen: Option<StoredChoice>,
    /// Names in it whose facts were asked to be preferred.
    pub prefer: Vec<String>,
    /// Names in it whose facts were not used.
    pub hide: Vec<String>,
    /// Names of types whose values were not to become individuals, as given on the command line; `all`, `none`.
    pub ground: Vec<String>,
    /// What decided the order in which the solvers search; 0 is the usual one.
    pub seed: u64,
    /// How it ended.
    pub verdict: ClassifyVerdict,
    /// The verdict in one sentence.
    pub summary: String,
    /// Why it is partial or undecided, or the cover of one that is too weak is partial: `time`, `memory`, `interrupt`, `max_classes`, `start_with`.
    #[serde(deserialize_with = "nullable")]
    pub reason: Option<WhyEnded>,
    /// With `undecided`: no trace violates the property after fewer steps than this.
    #[serde(deserialize_with = "nullable")]
    pub depth: Option<usize>,
    /// With `complete`, and of a complete cover with `too_weak`: `minimum` if no smaller choice of the constraints that were made covers every
    /// counterexample, `non_redundant` if a limit was met and only none of the classes can be left out.
    #[serde(deserialize_with = "nullable")]
    pub cover: Option<Fewest>,
    /// `sufficient` if each class implies a violation, `cover` if every violating trace has one of them and they need not.
    pub mode: Mode,
    /// The classes, shortest representatives first.
    pub classes: Vec<StoredClass>,
    /// Of a cover: the constraint of the class whose traces were covered; `null` where these are all.
    #[serde(default)]
    pub within: Option<String>,
    /// The same in the language of models.
    #[serde(default)]
    pub within_formula: Option<TraceFormulaText>,
    /// Of a cover: which classes occur together, shortest traces first; `null` otherwise.
    #[serde(deserialize_with = "nullable")]
    pub combinations: Option<Vec<StoredCombination>>,
    /// Of a cover: whether these are all combinations that occur; `null` otherwise.
    #[serde(deserialize_with = "nullable")]
    pub all_combinations: Option<bool>,
    /// Of a cover: a shortest violating trace in which nothing happens that the vocabulary names.
    #[serde(deserialize_with = "nullable")]
    pub remainder: Option<StoredTrace>,
    /// Of a cover: what every violating trace has and tells nothing apart, in the paper's notation; `null` otherwise.
    #[serde(deserialize_with = "nullable")]
    pub necessary: Option<Vec<String>>,
    /// What all violating traces have in common; `null` where nothing is violated, and where only those of one class were covered.
    #[serde(default)]
    pub necessary_facts: Option<StoredNecessary<TraceFormulaText>>,
    /// With `partial`: a counterexample that is known and in none of the classes.
    #[serde(deserialize_with = "nullable")]
    pub unclassified: Option<StoredTrace>,
    /// With `too_weak`: the violation and the accepted trace that share all facts.
    #[serde(deserialize_with = "nullable")]
    pub too_weak: Option<StoredPair>,
    /// With `too_weak`: additions to the vocabulary with which all classes are known, the best one first.
    #[serde(default)]
    pub repairs: Vec<StoredRepair>,
    /// What traces beyond the bound say of a complete result; `null` where they were not looked at.
    #[serde(default)]
    pub horizon: Option<StoredHorizon>,
    /// If they were to be looked at, and the time for that did not suffice: up to how many steps; `null` otherwise.
    #[serde(default)]
    pub horizon_missed: Option<usize>,
    /// What was found out about traces of every length; `null` where that was not asked, or there is nothing to say.
    #[serde(default)]
    pub unbounded: Option<StoredUnbounded>,
    /// How many violating traces there are; `null` where that was not asked.
    #[serde(default)]
    pub counts: Option<StoredCounts>,
    /// What it took.
    pub statistics: StoredStatistics,
    /// Findings about the input.
    pub warnings: Vec<StoredFinding>,
    /// The solver.
    pub solver: String,
    /// The solver of the self-check; `null` if it was not done. Of partial and too weak results it checks
    /// only that each class suffices.
    #[serde(deserialize_with = "nullable")]
    pub checked_by: Option<String>,
    /// The command line that gives this result again.
    pub rerun: String,
    /// The proofs of unsatisfiable answers; missing unless they were asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proofs: Option<StoredProofs>,
    /// What is new beside a stored result; missing unless that was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baseline: Option<StoredBaseline>,
}

/// How the program chose a vocabulary.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredChoice {
    /// Its declaration, to be pasted into the model.
    pub declaration: String,
    /// How many vocabularies were tried.
    pub tried: usize,
    /// How many of them were given up before all of their classes were known.
    pub cut_short: usize,
    /// What is known of how good it is.
    pub text: String,
}

/// A class.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredClass {
    /// From 1.
    pub id: usize,
    /// The constraint in the paper's notation.
    pub constraint: String,
    /// The constraint in words, one line a fact, order facts as one line.
    pub words: Vec<String>,
    /// The constraint in the language of models, fact by fact.
    pub formula: TraceFormulaText,
    /// The names of the position variables with where they lie in the representative.
    pub positions: Map<String, Json>,
    /// The individuals of the constraint.
    pub individuals: Vec<StoredIndividual>,
    /// The facts of the constraint.
    pub facts: Vec<StoredFact>,
    /// A shortest counterexample of the class, which ends in its first violation; of an exact length, one
    /// whose first violation comes first.
    pub representative: StoredTrace,
    /// The conjuncts of the property that fail where the representative first violates it.
    pub violates: Vec<String>,
    /// A shortest counterexample that is in no other class.
    #[serde(deserialize_with = "nullable")]
    pub canonical: Option<StoredTrace>,
    /// The decisive steps of the representative that the constraint speaks of.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub decisive: Vec<StoredDecisive>,
    /// Whether the other classes cover it.
    pub redundant: bool,
    /// Whether the constraint implies a violation; only classes of a cover need not.
    pub sufficient: bool,
    /// True if the facts alone violate the property, whatever the model does; `null` if that was not decided.
    #[serde(deserialize_with = "nullable")]
    pub restates: Option<bool>,
    /// True if they do so together with single steps of the model, from whatever states: the steps to the positions of the constraint, or
    /// the next ones. Then the constraint names the step that violates the property, and not how it became possible. `null` if that
    /// was not decided.
    #[serde(deserialize_with = "nullable")]
    pub restates_step: Option<bool>,
    /// A shortest trace beyond the bound, without violation, that satisfies the constraint: the class rests on the bound.
    #[serde(deserialize_with = "nullable")]
    pub rests_on_bound: Option<StoredLonger>,
    /// Facts before minimisation.
    pub initial_facts: usize,
    /// What symmetries of the model make of it: it stands for these as well.
    pub images: Vec<StoredImage<StoredClass>>,
    /// What tells its traces apart, each again a class; `null` where that was not asked.
    #[serde(default)]
    pub causes: Option<Vec<StoredClass>>,
    /// What is known of its traces beside the causes; `null` where that was not asked.
    #[serde(default)]
    pub refined: Option<StoredRefinement>,
}

/// A fact of a class.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredFact {
    /// In the paper's notation.
    pub text: String,
    /// In words.
    pub words: String,
    /// `order`, `predicate`, `absence`, `individuals` or `observable`.
    pub kind: FactWord,
    /// The predicate's name.
    #[serde(deserialize_with = "nullable")]
    pub predicate: Option<String>,
    /// The predicate's title.
    #[serde(deserialize_with = "nullable")]
    pub title: Option<String>,
    /// The position variables it is about.
    pub positions: Vec<String>,
    /// The individuals it is about.
    pub individuals: Vec<String>,
    /// Where the predicate is defined: `file:line`.
    #[serde(deserialize_with = "nullable")]
    pub source: Option<String>,
    /// A trace without violation that satisfies all other facts; `null` if the budget ended before.
    #[serde(deserialize_with = "nullable")]
    pub needed: Option<StoredTrace>,
}

/// What a fact is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FactWord {
    /// A predicate holds.
    Predicate,
    /// A value is observed.
    Observable,
    /// Something is so nowhere between two positions.
    Absence,
    /// A position comes before another one.
    Order,
    /// It is about individuals alone.
    Individuals,
}

/// A decisive step of a representative.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredDecisive {
    /// The position that it leads to.
    pub position: usize,
    /// What could have been done in its place without losing.
    pub right: Vec<StoredRight>,
    /// Whether it would have been right to leave it out.
    pub may_rest: bool,
}

/// A step that does not lose.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredRight {
    /// Its label.
    pub label: String,
    /// `safe` or `open`: what it leads to, at worst.
    pub leads_to: FateWord,
}

/// The worst state that a step leads to.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FateWord {
    /// No violation can follow.
    Safe,
    /// A violation can follow, and need not.
    Open,
}

/// A trace that is longer than the bound.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredLonger {
    /// How many steps it has.
    pub steps: usize,
    /// The trace; `null` if it is too long to be shown.
    #[serde(deserialize_with = "nullable")]
    pub trace: Option<StoredTrace>,
}

/// A violation and an accepted trace with the same facts.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredPair {
    /// The violation.
    pub counterexample: StoredTrace,
    /// The accepted trace.
    pub accepting: StoredTrace,
    /// All facts they share, in the paper's notation.
    pub constraint: String,
    /// The same in the language of models.
    pub formula: TraceFormulaText,
    /// What differs at the matched positions.
    pub differs: Vec<String>,
}

/// What traces beyond the bound say.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredHorizon {
    /// Up to how many steps they were looked at; `null` if every length was.
    #[serde(deserialize_with = "nullable")]
    pub steps: Option<usize>,
    /// Up to how many steps the classes had to suffice, because those that suffice up to the bound rest on it; `null` where
    /// nothing but the bound counted. Traces that show that a fact is needed may be as long.
    #[serde(deserialize_with = "nullable")]
    pub sufficient_up_to: Option<usize>,
    /// A shortest counterexample that is in no class; where the verdict is `remainder`, one in which something of the vocabulary happens
    /// that takes part.
    #[serde(deserialize_with = "nullable")]
    pub uncovered: Option<StoredLonger>,
}

/// What is known of every length.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredUnbounded {
    /// Whether the verdict is about traces of every length.
    pub proved: bool,
    /// The same in words, with what the proof took, or why there is none.
    pub text: String,
    /// With `proved`: `states` if all were visited, `induction` if the proof is a symbolic one.
    #[serde(deserialize_with = "nullable")]
    pub method: Option<BasisWord>,
    /// With the method `states`: the states that traces without violation lead to.
    #[serde(deserialize_with = "nullable")]
    pub states: Option<usize>,
    /// With the method `states`: the steps from these.
    #[serde(deserialize_with = "nullable")]
    pub steps: Option<usize>,
    /// With the method `states`: combinations of these states with what the classes remember.
    #[serde(deserialize_with = "nullable")]
    pub combinations: Option<usize>,
    /// With `proved`: the bounds in steps at which classes were looked for.
    #[serde(deserialize_with = "nullable")]
    pub bounds: Option<Vec<usize>>,
    /// With `proved`: what confirmed the proof, `simulation and SOLVER` or a solver.
    #[serde(deserialize_with = "nullable")]
    pub checked_by: Option<String>,
    /// Without: `states`, `choices`, `class`, `combinations`, `broken`, `time`, `memory`, `interrupt`.
    #[serde(deserialize_with = "nullable")]
    pub reason: Option<ObstacleWord>,
}

/// What a proof for every length rests on.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BasisWord {
    /// All states were visited.
    States,
    /// A symbolic proof.
    Induction,
}

/// Why there is no proof, or no number.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ObstacleWord {
    /// There are too many states.
    States,
    /// A state leaves too much open.
    Choices,
    /// A class is not decided over a list of states.
    Class,
    /// There are too many combinations of states with what classes remember.
    Combinations,
    /// It fails for longer traces.
    Broken,
    /// Decision diagrams grow too large.
    Nodes,
    /// The time ran out.
    Time,
    /// The memory ran out.
    Memory,
    /// The run was interrupted.
    Interrupt,
}

/// How many violating traces there are.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredCounts {
    /// Counterexamples that end in their first violation, by number of steps; `null` where they are not
    /// available.
    #[serde(deserialize_with = "nullable")]
    pub first_violations: Option<Vec<StoredCount>>,
    /// Traces with a violation anywhere, by number of steps.
    #[serde(deserialize_with = "nullable")]
    pub violating: Option<Vec<StoredCount>>,
    /// How they were counted: `states` over a list of states, `diagrams` over decision diagrams; `null` where they
    /// are not available.
    #[serde(deserialize_with = "nullable")]
    pub method: Option<CountedBy>,
    /// Whether one representative was counted of all traces that differ only in interchangeable values; `null` where they
    /// are not available. The numbers are those of all traces.
    #[serde(default)]
    pub orbits: Option<bool>,
    /// Why they are not available: `states`, `choices`, `class`, `combinations`, `nodes`, `time`, `memory`,
    /// `interrupt`.
    #[serde(deserialize_with = "nullable")]
    pub reason: Option<ObstacleWord>,
    /// The same in words.
    #[serde(deserialize_with = "nullable")]
    pub text: Option<String>,
}

/// The method by which traces were counted.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CountedBy {
    /// Over a list of states.
    States,
    /// Over decision diagrams.
    Diagrams,
}

/// What a classification took.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredStatistics {
    /// Counterexamples that were looked at.
    pub counterexamples: usize,
    /// Constraints that preferences chose for one of these counterexamples, and that the classes made redundant.
    pub redundant: usize,
    /// Solver calls.
    pub solver_calls: u64,
    /// Seconds by phase, and in total.
    pub seconds: StoredSeconds,
    /// The greatest number of SAT variables in one solver.
    pub peak_variables: usize,
    /// The greatest number of clauses in one solver.
    pub peak_clauses: usize,
    /// Seconds of processor time; `null` where the system does not tell.
    #[serde(deserialize_with = "nullable")]
    pub cpu_seconds: Option<f64>,
    /// The greatest resident memory in units of 1024 bytes; `null` where the system does not tell.
    #[serde(deserialize_with = "nullable")]
    pub peak_memory_kb: Option<u64>,
}

/// Seconds of wall-clock time by phase.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredSeconds {
    /// `Phase::Unroll`.
    pub unroll: f64,
    /// `Phase::Search`.
    pub search: f64,
    /// `Phase::Facts`.
    pub facts: f64,
    /// `Phase::Minimise`.
    pub minimise: f64,
    /// `Phase::Block`.
    pub block: f64,
    /// `Phase::Redundancy`.
    pub redundancy: f64,
    /// `Phase::Necessary`.
    #[serde(default)]
    pub necessary: f64,
    /// `Phase::Verify`.
    pub verify: f64,
    /// `Phase::Prove`.
    #[serde(default)]
    pub prove: f64,
    /// `Phase::Count`.
    #[serde(default)]
    pub count: f64,
    /// `Phase::Vocabularies`.
    #[serde(default)]
    pub vocabularies: f64,
    /// From start to end, so at least the sum of all phases but the self-check.
    pub total: f64,
}
