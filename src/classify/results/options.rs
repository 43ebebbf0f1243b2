//! What the user of a classification can choose.

use crate::facts::atom::Atom;
use crate::facts::grounding::Grounding;
use lang::model::PredicateId;
use lang::model::types::Type;
use lang::trace::Trace;
use solvers::sat::{Backend, Setup};
use solvers::unroll::Lengths;
use std::collections::BTreeSet;

/// Which facts are wanted most.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Preference {
    /// Items of the vocabulary that the user asked to be preferred, by index.
    pub items: BTreeSet<usize>,
}

impl Preference {
    /// Whether an atom is one that should carry classes: a predicate of the user, or asked for.
    pub fn carries(&self, atom: &Atom) -> bool {
        atom.is_predicate() || self.is_asked_for(atom)
    }

    /// Whether the user asked for facts of this atom's vocabulary item.
    pub fn is_asked_for(&self, atom: &Atom) -> bool {
        self.items.contains(&atom.item)
    }
}

/// What is asked of the classes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Mode {
    /// Each of them suffices for a violation.
    #[default]
    Sufficient,
    /// Every violating trace has one of the things that the vocabulary names; none of these needs to suffice.
    Cover,
}

/// How much is asked about necessary facts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Necessity {
    /// Nothing.
    #[default]
    Unasked,
    /// What is told quickly and worth a few lines.
    Brief,
    /// Everything.
    Full,
}

/// The choices of a classification.
///
/// ```
/// use cladist::classify::Options;
/// use solvers::unroll::Lengths;
///
/// let options = Options { max_classes: Some(5), ..Options::of(Lengths::UpTo(20)) };
/// assert!(!options.keep_redundant);
/// ```
#[derive(Debug, Clone)]
pub struct Options {
    /// Which traces are considered.
    pub lengths: Lengths,
    /// Up to how many steps classes must suffice, if that is farther than counterexamples are looked for. Of an exact length, and of
    /// covers, it does not matter.
    pub horizon: Option<usize>,
    /// What is asked of the classes. Of a cover the next three choices do not matter.
    pub mode: Mode,
    /// Counterexamples of these lengths, for which it is found out first whether the vocabulary is too weak.
    pub doubtful: Vec<Trace>,
    /// First classify the counterexamples in which this predicate holds at some positions.
    pub start_with: Option<PredicateId>,
    /// Keep classes that the others cover, marked as redundant.
    pub keep_redundant: bool,
    /// Stop after this many classes.
    pub max_classes: Option<usize>,
    /// Which facts are wanted most.
    pub preference: Preference,
    /// Of which types constraints name values only.
    pub grounding: Grounding,
    /// Types whose values mean nothing by themselves, such as the runs of a protocol, which are numbered in the order in which they
    /// begin: wherever that suffices, classes have individuals in their place, and no necessary fact names one.
    pub nameless: Vec<Type>,
    /// How many variables a question of the solver has where it pays to find values that are interchangeable, so that
    /// one counterexample of each orbit is asked about. It changes the running time, never the result.
    pub orbits_from: usize,
    /// How much is asked about facts that every violating trace has, or none.
    pub necessity: Necessity,
    /// The random seed of the solvers; 0 leaves their usual search order. It changes the running time, never the
    /// result.
    pub seed: u64,
    /// The solver of the search.
    pub backend: Backend,
    /// The solver of the final self-check, always a fresh instance. That a property holds is re-checked only if this
    /// differs from `backend`.
    pub check_backend: Backend,
    /// Whether there is a self-check. Only results that are not shown, but compared with others, do without. Of a cover there is one
    /// in any case.
    pub self_check: bool,
}

impl Default for Options {
    /// Traces of up to 10 steps, all classes, none of them redundant, CaDiCaL for search and check.
    fn default() -> Self {
        Self {
            lengths: Lengths::UpTo(10),
            horizon: None,
            mode: Mode::default(),
            doubtful: Vec::new(),
            start_with: None,
            keep_redundant: false,
            max_classes: None,
            preference: Preference::default(),
            grounding: Grounding::default(),
            nameless: Vec::new(),
            orbits_from: 5_000,
            necessity: Necessity::default(),
            seed: 0,
            backend: Backend::Cadical,
            check_backend: Backend::Cadical,
            self_check: true,
        }
    }
}

impl Options {
    /// The default choices for traces of these lengths.
    pub fn of(lengths: Lengths) -> Self {
        Self { lengths, ..Self::default() }
    }

    /// The traces that are unrolled: those of the lengths asked for, and longer ones that must not be in a class.
    pub(crate) fn unrolled(&self) -> Lengths {
        match (self.lengths, self.horizon) {
            (Lengths::UpTo(bound), Some(horizon)) => Lengths::UpTo(bound.max(horizon)),
            (lengths, _) => lengths,
        }
    }

    /// A solver with the random seed.
    pub(crate) fn setup(&self, backend: Backend) -> Setup {
        Setup { backend, seed: self.seed }
    }
}
