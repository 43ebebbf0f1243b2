//! Options of a classification.

use crate::facts::atom::Atom;
use crate::facts::grounding::Grounding;
use lang::model::PredicateId;
use lang::model::types::Type;
use lang::trace::Trace;
use solvers::sat::{Backend, Setup};
use solvers::unroll::Lengths;
use std::collections::BTreeSet;

/// The preferred facts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Preference {
    /// The indices of the vocabulary items that the user prefers.
    pub items: BTreeSet<usize>,
}

impl Preference {
    /// True if an atom should carry classes: a predicate of the user, or a preferred item.
    pub fn carries(&self, atom: &Atom) -> bool {
        atom.is_predicate() || self.is_asked_for(atom)
    }

    /// True if the user prefers this atom's vocabulary item.
    pub fn is_asked_for(&self, atom: &Atom) -> bool {
        self.items.contains(&atom.item)
    }
}

/// The kind of classes to find.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Mode {
    /// Each class is sufficient for a violation.
    #[default]
    Sufficient,
    /// Every violating trace satisfies one of the vocabulary's facts; none of these needs to be sufficient.
    Cover,
}

/// The effort for necessary facts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Necessity {
    /// Nothing.
    #[default]
    Unasked,
    /// Facts that are decided quickly and worth a few lines.
    Brief,
    /// All facts.
    Full,
}

/// The options of a classification.
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
    /// The lengths of the traces considered.
    pub lengths: Lengths,
    /// The number of steps up to which classes must be sufficient, if beyond the bound of counterexamples.
    /// Ignored for an exact length, and for covers of finite traces.
    pub horizon: Option<usize>,
    /// The kind of classes. Covers ignore `doubtful`, `start_with`, `keep_redundant` and `max_classes`.
    pub mode: Mode,
    /// Counterexamples of these lengths, with which weakness of the vocabulary is checked first.
    pub doubtful: Vec<Trace>,
    /// A predicate whose counterexamples, in which it holds at some positions, are classified first.
    pub start_with: Option<PredicateId>,
    /// True to keep classes that the others cover, marked as redundant.
    pub keep_redundant: bool,
    /// The number of classes after which the search stops.
    pub max_classes: Option<usize>,
    /// The preferred facts.
    pub preference: Preference,
    /// The types whose values constraints name directly.
    pub grounding: Grounding,
    /// Types whose values mean nothing by themselves, such as the numbered runs of a protocol: classes have
    /// individuals in place of these values if that is sufficient, and no necessary fact names one.
    pub nameless: Vec<Type>,
    /// The number of variables of a solver from which symmetries are searched for, so that only one
    /// counterexample of each orbit is considered. Affects the running time, never the result.
    pub orbits_from: usize,
    /// The effort for facts that all violating traces have, or none.
    pub necessity: Necessity,
    /// The random seed of the solvers; 0 leaves their usual search order. Affects the running time, never the
    /// result.
    pub seed: u64,
    /// The solver of the search.
    pub backend: Backend,
    /// The solver of the final self-check, always a fresh instance. A property that holds is re-checked only
    /// if this differs from `backend`.
    pub check_backend: Backend,
    /// True if facts of infinite traces may order positions, where others do not suffice.
    pub in_order: bool,
    /// True to run the self-check. Only results that are compared with others, and not shown, go without.
    /// Covers are always checked.
    pub self_check: bool,
}

impl Default for Options {
    /// Returns the options for traces of up to 10 steps, all classes, none of them redundant, CaDiCaL for search and check.
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
            in_order: true,
            self_check: true,
        }
    }
}

impl Options {
    /// Returns the default options for traces of these lengths.
    pub fn of(lengths: Lengths) -> Self {
        Self { lengths, ..Self::default() }
    }

    /// Returns the lengths to unroll: those of the counterexamples, and longer ones of traces that must not be in a class.
    pub(crate) fn unrolled(&self) -> Lengths {
        match (self.lengths, self.horizon) {
            (Lengths::UpTo(bound), Some(horizon)) => Lengths::UpTo(bound.max(horizon)),
            (lengths, _) => lengths,
        }
    }

    /// Returns the setup of a solver with the random seed.
    pub(crate) fn setup(&self, backend: Backend) -> Setup {
        Setup { backend, seed: self.seed }
    }
}
