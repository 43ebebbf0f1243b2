//! Stored classifications.

use super::causes::CausesDocument;
use super::infinite::StoredWithout;
use super::kind::{Absent, DocumentKind, Field, is_absent};
use super::nullable;
use super::parts::{
    ClassRequirement, Fewest, LengthsWord, StoredBaseline, StoredCombination, StoredCount, StoredDecisive,
    StoredFinding, StoredImage, StoredIndividual, StoredNecessary, StoredProofs, StoredRepair, StoredSource,
    WhyEnded,
};
use super::trace::StoredTrace;
use lang::model::TraceFormulaText;
use lang::trace::Finite;
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

/// The verdict of a classification in documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ClassifyVerdict {
    /// No violation up to the bound (exit code 0).
    Holds,
    /// No violation in traces of any length (0).
    HoldsUnbounded,
    /// Violated; the classes cover all counterexamples up to the bound (10).
    Complete,
    /// Violated; the classes cover all counterexamples of every length (10).
    CompleteUnbounded,
    /// Violated; there may be other classes (11).
    Partial,
    /// Violated; some counterexamples are not covered (12).
    Remainder,
    /// Violated; the vocabulary does not distinguish a violation from an accepted trace. The classes are then those of
    /// a cover, if there is one (12).
    TooWeak,
    /// The budget ended before any result (5; 130 if interrupted).
    Undecided,
}

impl ClassifyVerdict {
    /// True if the search for classes was completed, so that none is missing for lack of time.
    pub fn is_finished(self) -> bool {
        !matches!(self, Self::Partial | Self::Undecided | Self::TooWeak)
    }

    /// True if the classes cover all counterexamples.
    pub fn is_complete(self) -> bool {
        matches!(self, Self::Complete | Self::CompleteUnbounded)
    }

    /// True for verdicts about traces of every length.
    pub fn is_unbounded(self) -> bool {
        matches!(self, Self::HoldsUnbounded | Self::CompleteUnbounded)
    }

    /// True if there is no violation.
    pub fn holds(self) -> bool {
        matches!(self, Self::Holds | Self::HoldsUnbounded)
    }
}

impl DocumentKind for Finite {
    const SCHEMA: &'static str = "cladist/classify-1";
    type IfFinite<T: Field> = T;
    type IfInfinite<T: Field> = Absent;
    type Conditions = Absent;
    type Formula = TraceFormulaText;
    type Fact = StoredFact;
    type Decisive = Vec<StoredDecisive>;
    type Horizon = Option<StoredHorizon>;
    type Unbounded = StoredUnbounded;
    type Statistics = StoredStatistics;

    fn has_no_steps(decisive: &Vec<StoredDecisive>) -> bool {
        decisive.is_empty()
    }

    fn is_proved(unbounded: &StoredUnbounded) -> bool {
        unbounded.proved
    }
}

/// The document of a classification.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, bound = "")]
#[cfg_attr(feature = "schemas", schemars(bound = ""))]
pub struct ClassifyDocument<K: DocumentKind = Finite> {
    /// `cladist/classify-1`, or for infinite traces `cladist/classify-lassos-1`.
    pub schema: String,
    /// Version of this program.
    pub version: String,
    /// The model's name.
    pub model: String,
    /// The file of the model, as the user wrote it.
    pub file: String,
    /// The texts of the model and its imports, with their digests.
    pub sources: Vec<StoredSource>,
    /// The values of `--set`, as text.
    #[serde(default)]
    #[cfg_attr(feature = "schemas", schemars(with = "std::collections::BTreeMap<String, String>"))]
    pub set: Map<String, Json>,
    /// Constants with their values for this run.
    pub constants: Map<String, Json>,
    /// The property's name.
    pub property: String,
    /// The bound in steps.
    pub bound: usize,
    /// The meaning of the bound: the greatest or the only number of steps.
    #[serde(skip_serializing_if = "is_absent")]
    pub lengths: K::IfFinite<LengthsWord>,
    /// The number of fairness conditions of infinite traces.
    #[serde(skip_serializing_if = "is_absent")]
    pub fairness: K::IfInfinite<usize>,
    /// True if the conditions of the model were ignored.
    #[serde(skip_serializing_if = "is_absent")]
    pub ignore_fairness: K::IfInfinite<bool>,
    /// The further given conditions, weak ones of actions or those of states, as written.
    #[serde(default, skip_serializing_if = "is_absent")]
    pub fair: K::Conditions,
    /// The given strong conditions of actions, as written.
    #[serde(default, skip_serializing_if = "is_absent")]
    pub strongly_fair: K::Conditions,
    /// The vocabulary's name.
    pub vocabulary: String,
    /// The choice of the vocabulary of finite traces, if the program chose it.
    #[serde(skip_serializing_if = "is_absent")]
    pub chosen: K::IfFinite<Option<StoredChoice>>,
    /// The declaration of the vocabulary of infinite traces, if the program chose it.
    #[serde(skip_serializing_if = "is_absent")]
    pub declaration: K::IfInfinite<Option<String>>,
    /// Names in it whose facts are preferred, as requested.
    pub prefer: Vec<String>,
    /// Names in it whose facts were not used.
    pub hide: Vec<String>,
    /// Names of types whose values were not to become individuals, as given on the command line; `all`, `none`.
    pub ground: Vec<String>,
    /// The seed of the solvers' search order; 0 is the default.
    pub seed: u64,
    /// The verdict.
    pub verdict: ClassifyVerdict,
    /// The verdict in one sentence.
    pub summary: String,
    /// The reason why the result, or the cover of one that is too weak, is partial or undecided: `time`, `memory`,
    /// `interrupt`, `max_classes`, `start_with`.
    #[serde(deserialize_with = "nullable")]
    pub reason: Option<WhyEnded>,
    /// With `undecided`: no trace violates the property in fewer steps than this.
    #[serde(skip_serializing_if = "is_absent")]
    pub depth: K::IfFinite<Option<usize>>,
    /// With `complete`, and for a complete cover with `too_weak`: `minimum` if no smaller choice of the found
    /// constraints covers every counterexample, `non_redundant` if a limit was reached and it is only known that no
    /// class can be omitted.
    #[serde(deserialize_with = "nullable")]
    pub cover: Option<Fewest>,
    /// `sufficient` if each class implies a violation, `cover` if every violating trace has one of them and they need
    /// not.
    pub mode: ClassRequirement,
    /// The classes, shortest representatives first.
    pub classes: Vec<StoredClass<K>>,
    /// For a cover: the constraint of the class whose traces were covered; `null` if all were.
    #[serde(default)]
    pub within: Option<String>,
    /// Like `within`, in the language of models.
    #[serde(default)]
    pub within_formula: Option<K::Formula>,
    /// For a cover: the combinations of classes that occur, shortest traces first; `null` otherwise.
    #[serde(deserialize_with = "nullable")]
    pub combinations: Option<Vec<StoredCombination>>,
    /// For a cover: true if these are all combinations that occur; `null` otherwise.
    #[serde(deserialize_with = "nullable")]
    pub all_combinations: Option<bool>,
    /// For a cover: a shortest violating trace in which no fact of the vocabulary occurs.
    #[serde(deserialize_with = "nullable")]
    pub remainder: Option<StoredTrace>,
    /// For a cover: the facts that every violating trace has, in the paper's notation; `null` otherwise.
    #[serde(deserialize_with = "nullable")]
    pub necessary: Option<Vec<String>>,
    /// The facts common to all violating traces; `null` without a violation, and if only those of one class were
    /// covered.
    #[serde(default)]
    pub necessary_facts: Option<StoredNecessary<K::Formula>>,
    /// With `partial`: a known counterexample that is in none of the classes.
    #[serde(deserialize_with = "nullable")]
    pub unclassified: Option<StoredTrace>,
    /// With `too_weak`: the violation and the accepted trace that share all facts.
    #[serde(deserialize_with = "nullable")]
    pub too_weak: Option<StoredPair<K>>,
    /// With `too_weak`: additions to the vocabulary with which all classes are known, the best one first.
    #[serde(default)]
    #[cfg_attr(feature = "schemas", schemars(length(max = 3)))]
    pub repairs: Vec<StoredRepair>,
    /// The result for finite traces beyond the bound of a complete result; `null` if they were not examined. For infinite
    /// traces, the number of steps up to which classes suffice for those that repeat.
    pub horizon: K::Horizon,
    /// The number of steps up to which longer traces were to be examined, if time did not suffice; `null` otherwise.
    #[serde(skip_serializing_if = "is_absent")]
    pub horizon_missed: K::IfFinite<Option<usize>>,
    /// The result for traces of every length; `null` if not requested, or without any result.
    #[serde(default)]
    pub unbounded: Option<K::Unbounded>,
    /// The numbers of violating traces; `null` if not requested.
    #[serde(skip_serializing_if = "is_absent")]
    pub counts: K::IfFinite<Option<StoredCounts>>,
    /// The kinds of violation by their causes: the document of the causal tree; missing unless requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tree: Option<CausesDocument>,
    /// The resources used.
    pub statistics: K::Statistics,
    /// Findings about the input.
    pub warnings: Vec<StoredFinding>,
    /// The solver.
    pub solver: String,
    /// The solver of the self-check; `null` if it was not done. For partial and too weak results it checks only that
    /// each class suffices.
    #[serde(deserialize_with = "nullable")]
    pub checked_by: Option<String>,
    /// The command line that gives this result again.
    pub rerun: String,
    /// The proofs of unsatisfiable answers; missing unless requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proofs: Option<StoredProofs>,
    /// The comparison with a stored result; missing unless requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baseline: Option<StoredBaseline>,
}

/// The program's choice of a vocabulary.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct StoredChoice {
    /// The declarations of its predicates that the model lacks; missing if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub predicates: Vec<String>,
    /// Its declaration, to be pasted into the model after these predicates.
    pub declaration: String,
    /// The number of vocabularies tried.
    pub tried: usize,
    /// The number of those abandoned before all of their classes were known.
    pub cut_short: usize,
    /// The known quality of the choice.
    pub text: String,
}

/// A class.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, bound = "")]
#[cfg_attr(feature = "schemas", schemars(bound = ""))]
pub struct StoredClass<K: DocumentKind = Finite> {
    /// The number of the class, from 1.
    #[cfg_attr(feature = "schemas", schemars(range(min = 1)))]
    pub id: usize,
    /// The constraint in the paper's notation.
    pub constraint: String,
    /// The constraint in words, one line for each fact, order facts as one line.
    #[cfg_attr(feature = "schemas", schemars(length(min = 1)))]
    pub words: Vec<String>,
    /// The constraint in the language of models, fact by fact.
    pub formula: K::Formula,
    /// The position variables with their places in the representative; for infinite traces, `representative` shows these.
    #[serde(skip_serializing_if = "is_absent")]
    #[cfg_attr(
        feature = "schemas",
        schemars(with = "K::IfFinite<std::collections::BTreeMap<String, usize>>")
    )]
    pub positions: K::IfFinite<Map<String, Json>>,
    /// The individuals of the constraint.
    pub individuals: Vec<StoredIndividual>,
    /// The facts of the constraint.
    pub facts: Vec<K::Fact>,
    /// The constraints of infinite traces on the individuals alone: which of them differ.
    #[serde(skip_serializing_if = "is_absent")]
    pub distinct: K::IfInfinite<Vec<String>>,
    /// A shortest counterexample of the class, which ends in its first violation; with an exact length, one with the
    /// earliest first violation.
    pub representative: StoredTrace,
    /// The conjuncts of the property that fail where the representative first violates it.
    #[serde(skip_serializing_if = "is_absent")]
    pub violates: K::IfFinite<Vec<String>>,
    /// A shortest counterexample that is in no other class.
    #[serde(deserialize_with = "nullable")]
    pub canonical: Option<StoredTrace>,
    /// The decisive steps of the representative: those that the constraint of finite traces names; for infinite ones, the
    /// only one, or `null` if it is unknown.
    #[serde(default, skip_serializing_if = "K::has_no_steps")]
    pub decisive: K::Decisive,
    /// True if the other classes cover it.
    #[serde(skip_serializing_if = "is_absent")]
    pub redundant: K::IfFinite<bool>,
    /// True if the constraint implies a violation; only classes of a cover need not.
    pub sufficient: bool,
    /// For a class of infinite traces that does not: a shortest one of it that satisfies the property.
    #[serde(skip_serializing_if = "is_absent")]
    pub accepted: K::IfInfinite<Option<StoredTrace>>,
    /// True if the facts alone violate the property, independently of the model; `null` if that was not decided.
    #[serde(deserialize_with = "nullable")]
    pub restates: Option<bool>,
    /// True if they do so together with single steps of the model, from any state: the steps to the positions of the
    /// constraint, or the next ones. Then the constraint names the step that violates the property, but not how it
    /// became possible. `null` if that was not decided.
    #[serde(default)]
    pub restates_step: Option<bool>,
    /// A shortest non-violating trace beyond the bound that satisfies the constraint: the class depends on the bound.
    #[serde(skip_serializing_if = "is_absent")]
    pub rests_on_bound: K::IfFinite<Option<StoredLonger>>,
    /// The number of facts before minimisation.
    #[serde(skip_serializing_if = "is_absent")]
    pub initial_facts: K::IfFinite<usize>,
    /// Its images under symmetries of the model, for which it stands as well.
    pub images: Vec<StoredImage<StoredClass<K>>>,
    /// The numbers of the kinds of `tree`, from 1, with a trace in the class or in an image of it; if there are none, of those
    /// whose steps the representative has. Missing unless requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schemas", schemars(inner(range(min = 1))))]
    pub kinds: Option<Vec<usize>>,
    /// A subdivision by earlier versions of the program, which is not used.
    #[serde(default, skip_serializing)]
    #[cfg_attr(feature = "schemas", schemars(skip))]
    pub causes: IgnoredAny,
    /// A part of the same.
    #[serde(default, skip_serializing)]
    #[cfg_attr(feature = "schemas", schemars(skip))]
    pub refined: IgnoredAny,
    /// The reason why each part of the constraint of infinite traces is needed; empty if the budget ended before.
    #[serde(skip_serializing_if = "is_absent")]
    pub needed: K::IfInfinite<Vec<StoredWithout>>,
}

impl<K: DocumentKind> StoredClass<K> {
    /// Returns the class and its images.
    pub fn with_images(&self) -> impl Iterator<Item = &Self> {
        std::iter::once(self).chain(self.images.iter().map(|image| &image.class))
    }
}

/// A fact of a class.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct StoredFact {
    /// The fact in the paper's notation.
    pub text: String,
    /// The fact in words.
    pub words: String,
    /// `order`, `predicate`, `absence`, `individuals` or `observable`.
    pub kind: FactWord,
    /// The predicate's name.
    #[serde(deserialize_with = "nullable")]
    pub predicate: Option<String>,
    /// The predicate's title.
    #[serde(deserialize_with = "nullable")]
    pub title: Option<String>,
    /// Its position variables.
    pub positions: Vec<String>,
    /// Its individuals.
    pub individuals: Vec<String>,
    /// The place where the predicate is defined: `file:line`.
    #[serde(deserialize_with = "nullable")]
    pub source: Option<String>,
    /// A non-violating trace that satisfies all other facts; `null` if the budget ended before.
    #[serde(deserialize_with = "nullable")]
    pub needed: Option<StoredTrace>,
}

/// The kind of a fact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum FactWord {
    /// A predicate holds.
    Predicate,
    /// A value is observed.
    Observable,
    /// A fact holds nowhere between two positions.
    Absence,
    /// A position comes before another one.
    Order,
    /// A relation of individuals alone.
    Individuals,
}

/// A trace that is longer than the bound.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct StoredLonger {
    /// The number of steps.
    #[cfg_attr(feature = "schemas", schemars(range(min = 1)))]
    pub steps: usize,
    /// The trace; `null` if it is too long to be shown.
    #[serde(deserialize_with = "nullable")]
    pub trace: Option<StoredTrace>,
}

/// A violation and an accepted trace with the same facts.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, bound = "")]
#[cfg_attr(feature = "schemas", schemars(bound = ""))]
pub struct StoredPair<K: DocumentKind = Finite> {
    /// The violation.
    pub counterexample: StoredTrace,
    /// The accepted trace.
    pub accepting: StoredTrace,
    /// The facts they share, in the paper's notation: for finite traces all, for infinite ones those about single atoms.
    pub constraint: String,
    /// Like `constraint`, in the language of models.
    pub formula: K::Formula,
    /// The differences of finite traces at the matched positions.
    #[serde(skip_serializing_if = "is_absent")]
    pub differs: K::IfFinite<Vec<String>>,
}

/// The result for traces beyond the bound.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct StoredHorizon {
    /// The number of steps up to which they were examined; `null` for every length.
    #[serde(deserialize_with = "nullable")]
    pub steps: Option<usize>,
    /// The number of steps up to which the classes had to suffice, because those that suffice up to the bound depend on
    /// it; `null` if only the bound counted. Traces that show that a fact is needed may be as long.
    #[serde(deserialize_with = "nullable")]
    #[cfg_attr(feature = "schemas", schemars(range(min = 1)))]
    pub sufficient_up_to: Option<usize>,
    /// A shortest counterexample that is in no class; with the verdict `remainder`, one in which a usable fact of the
    /// vocabulary occurs.
    #[serde(deserialize_with = "nullable")]
    pub uncovered: Option<StoredLonger>,
}

/// The result for every length.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct StoredUnbounded {
    /// True if the verdict is about traces of every length.
    pub proved: bool,
    /// The result in words, with the effort of the proof, or the reason why there is none.
    pub text: String,
    /// With `proved`: `states` if all were visited, `induction` for a symbolic proof.
    #[serde(deserialize_with = "nullable")]
    pub method: Option<BasisWord>,
    /// With the method `states`: the number of states that non-violating traces lead to.
    #[serde(deserialize_with = "nullable")]
    pub states: Option<usize>,
    /// With the method `states`: the number of steps from these.
    #[serde(deserialize_with = "nullable")]
    pub steps: Option<usize>,
    /// With the method `states`: the number of combinations of these states with the classes' memory.
    #[serde(deserialize_with = "nullable")]
    pub combinations: Option<usize>,
    /// With `proved`: the bounds in steps at which classes were searched for.
    #[serde(deserialize_with = "nullable")]
    pub bounds: Option<Vec<usize>>,
    /// With `proved`: the confirmation of the proof, `simulation and SOLVER` or a solver.
    #[serde(deserialize_with = "nullable")]
    pub checked_by: Option<String>,
    /// Without a proof: `states`, `choices`, `class`, `combinations`, `broken`, `time`, `memory`, `interrupt`.
    #[serde(deserialize_with = "nullable")]
    pub reason: Option<ObstacleWord>,
}

/// The basis of a proof for every length.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum BasisWord {
    /// All states were visited.
    States,
    /// A symbolic proof.
    Induction,
}

/// The reason why there is no proof, or no number.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ObstacleWord {
    /// There are too many states.
    States,
    /// Some state has too many choices.
    Choices,
    /// A class is not decided over a list of states.
    Class,
    /// There are too many combinations of states with the classes' memory.
    Combinations,
    /// The result fails for longer traces.
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

/// The numbers of violating traces.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct StoredCounts {
    /// Counterexamples that end in their first violation, by number of steps; `null` if they are not available.
    #[serde(deserialize_with = "nullable")]
    pub first_violations: Option<Vec<StoredCount>>,
    /// Traces with a violation anywhere, by number of steps.
    #[serde(deserialize_with = "nullable")]
    pub violating: Option<Vec<StoredCount>>,
    /// The counting method: `states` over a list of states, `diagrams` over decision diagrams; `null` if the numbers
    /// are not available.
    #[serde(deserialize_with = "nullable")]
    pub method: Option<CountedBy>,
    /// True if one representative was counted of all traces that differ only in interchangeable values; `null` if the
    /// numbers are not available. The numbers are those of all traces.
    #[serde(default)]
    pub orbits: Option<bool>,
    /// The reason why they are not available: `states`, `choices`, `class`, `combinations`, `nodes`, `time`, `memory`,
    /// `interrupt`.
    #[serde(deserialize_with = "nullable")]
    pub reason: Option<ObstacleWord>,
    /// The reason in words.
    #[serde(deserialize_with = "nullable")]
    pub text: Option<String>,
}

/// The method by which traces were counted.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum CountedBy {
    /// Over a list of states.
    States,
    /// Over decision diagrams.
    Diagrams,
}

/// The resources used by a classification.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct StoredStatistics {
    /// The number of examined counterexamples.
    pub counterexamples: usize,
    /// The number of constraints that preferences chose for one of these counterexamples, and that the classes made
    /// redundant.
    pub redundant: usize,
    /// The number of solver calls.
    pub solver_calls: u64,
    /// Seconds by phase, and in total.
    pub seconds: StoredSeconds,
    /// The greatest number of SAT variables in one solver.
    pub peak_variables: usize,
    /// The greatest number of clauses in one solver.
    pub peak_clauses: usize,
    /// Seconds of processor time; `null` where the system does not report it.
    #[serde(deserialize_with = "nullable")]
    pub cpu_seconds: Option<f64>,
    /// The greatest resident memory in units of 1024 bytes; `null` where the system does not report it.
    #[serde(deserialize_with = "nullable")]
    pub peak_memory_kb: Option<u64>,
}

/// Seconds of wall-clock time by phase.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct StoredSeconds {
    /// Building the unrolling.
    pub unroll: f64,
    /// Searching for counterexamples.
    pub search: f64,
    /// Collecting facts.
    pub facts: f64,
    /// Minimising constraints.
    pub minimise: f64,
    /// Building the blocking clauses.
    pub block: f64,
    /// Removing redundant classes and finding canonical counterexamples.
    pub redundancy: f64,
    /// Searching for facts that all violating traces have, or none.
    #[serde(default)]
    pub necessary: f64,
    /// The self-check, possibly parallel to other phases.
    pub verify: f64,
    /// The proof for traces of every length.
    #[serde(default)]
    pub prove: f64,
    /// Counting traces.
    #[serde(default)]
    pub count: f64,
    /// Trying other vocabularies: for the choice of one, for repairs, and for hints.
    #[serde(default)]
    pub vocabularies: f64,
    /// From start to end, hence at least the sum of all phases but the self-check.
    pub total: f64,
}
