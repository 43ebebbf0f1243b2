//! What a classification of infinite traces found: values only.

use super::constraint::LassoConstraint;
use super::fact::LassoFact;
use super::statements::OfLassos;
use crate::facts::atom::Atoms;
use crate::facts::restates::Restates;
use crate::facts::statements::Statements;
use crate::results::result::{Cause, Cover, Image, ImageOf, Necessary, Refinement};
use crate::results::statistics::Statistics;
use kit::budget::Exhausted;
use lang::model::Position;
use lang::trace::Lasso;

/// The result of [`super::classify_lassos`]. Lassos are counted by their steps, the one that closes the loop included.
#[derive(Debug, Clone)]
pub struct LassoClassification {
    /// How it ended.
    pub verdict: LassoVerdict,
    /// Violating lassos of up to so many steps were looked for.
    pub bound: usize,
    /// Classes suffice for lassos of up to so many steps; at least the bound.
    pub horizon: usize,
    /// Whether the verdict, `Holds` or `Complete`, is about all infinite traces, or why not; `None` where that was not asked.
    pub unbounded: Option<EveryLength>,
    /// The classes, shortest representatives first.
    pub classes: Vec<LassoClass>,
    /// Which of them are images of others under symmetries of the model, those of one class after another. Empty in gathered results.
    pub images: Vec<ImageOf>,
    /// The atoms of all constraints of the result.
    pub atoms: Atoms,
    /// Of a complete result: whether no smaller choice of the constraints that were made covers every violating lasso, images of one
    /// counted as one.
    pub minimum: bool,
    /// Of a partial result: a violating lasso that is in none of the classes.
    pub unclassified: Option<Lasso>,
    /// Of a cover, what it says beside its classes.
    pub cover: Option<LassoCover>,
    /// For each class what tells its lassos apart; `None` where that was not asked.
    pub refinements: Option<Vec<LassoRefinement>>,
    /// The decisive steps of the representatives; `None` where they were not asked for, or are not known.
    pub decisions: Option<Decisions>,
    /// What every violating lasso has, and what none has; `None` where that was not asked, or nothing is violated.
    pub necessary: Option<Necessary<LassoConstraint>>,
    /// The solver that checked the result again, with fresh clauses.
    pub checked_by: Option<String>,
    /// The solver of the search.
    pub solver: String,
    /// Time, memory and solver calls.
    pub statistics: Statistics,
}

/// From where on infinite counterexamples cannot become traces that satisfy the property.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decisions {
    /// For each class the first position of its representative, counted on through the rounds of the loop, such that no fair infinite trace
    /// that has the same states up to there satisfies the property; 0 is the initial state. `None` where each beginning can still be
    /// continued well: no step decides.
    pub positions: Vec<Option<Position>>,
    /// Whether all infinite traces were looked at; otherwise those that repeat within the horizon, and of the representative one round.
    pub is_of_all: bool,
}

/// How a classification of infinite traces ended.
#[derive(Debug, Clone, PartialEq)]
pub enum LassoVerdict {
    /// No fair lasso of up to the bound violates the property.
    Holds,
    /// Every fair lasso of up to the bound that violates the property is in one of the classes.
    Complete,
    /// The classes are right, but there may be others: the budget ended.
    Exhausted(Exhausted),
    /// The classes are right, but there may be others: as many were found as were asked for.
    MaxClasses,
    /// Every fair violating lasso of up to the bound in which something happens that the vocabulary names is in one of the classes of the
    /// cover, and there are others: [`Cover::remainder`].
    Remainder,
    /// The vocabulary cannot tell a violation from a lasso that satisfies the property. Classes are then those that were found
    /// before, or those of a cover ([`LassoClassification::covered_by`]).
    TooWeak(Box<WeakPair>),
    /// The budget ended before any violation was found or excluded.
    Undecided(Exhausted),
}

/// Two lassos of which the second has every fact of the first.
#[derive(Debug, Clone, PartialEq)]
pub struct WeakPair {
    /// It violates the property.
    pub violating: Lasso,
    /// It satisfies the property.
    pub accepting: Lasso,
    /// The facts of the first one, as far as they are about single atoms.
    pub shared: LassoConstraint,
    /// The atoms of these facts.
    pub atoms: Atoms,
    /// How the cover ended that the result has in place of classes ([`LassoClassification::covered_by`]); `None` if it has none.
    pub covered: Option<LassoVerdict>,
}

/// What a cover of lassos says beside its classes.
pub type LassoCover = Cover<LassoConstraint, Lasso>;
/// What tells the violating lassos of a class apart.
pub type LassoRefinement = Refinement<LassoClass, LassoConstraint, Lasso>;
/// Something by which they differ.
pub type LassoCause = Cause<LassoClass, LassoConstraint, Lasso>;

/// A class of violating lassos.
#[derive(Debug, Clone, PartialEq)]
pub struct LassoClass {
    /// What its lassos have in common; of the lassos considered, those that satisfy it violate the property.
    pub constraint: LassoConstraint,
    /// A violating lasso with as few steps as any that satisfies the constraint.
    pub representative: Lasso,
    /// For each part of the constraint, in the order of [`LassoConstraint::weaker`], a lasso that satisfies all others and the property.
    /// Empty if the budget ended before.
    pub needed: Vec<Lasso>,
    /// Of a class of a cover: a lasso of as few steps as any that satisfies the constraint and the property, so that the class does not
    /// suffice; `None` if there is none up to the horizon.
    pub accepted: Option<Lasso>,
    /// What the constraint restates: the property, if it violates it by itself, whatever the model does, in every lasso up to the horizon of
    /// any states of the right types and any labels; or steps, if it says in names of actions just what the property says: of lassos from
    /// an initial state in which each position is reached by a step of the model, from whatever state that makes the state formulas of the
    /// property as true as the position before does, those that violate it satisfy the constraint, and no others; a class of
    /// predicates alone, which can say more than the violation needs, has to do so in any case. Of classes of covers it is looked at
    /// if they suffice.
    pub restates: Restates,
    /// A shortest violating lasso that is in no other class; `None` if the budget ended before it was found.
    pub canonical: Option<Lasso>,
    /// What symmetries of the model make of it: it stands for these as well. Empty until the result is gathered
    /// ([`LassoClassification::gathered`]).
    pub images: Vec<Image<LassoClass>>,
}

/// What is known of infinite traces of every length.
#[derive(Debug, Clone, PartialEq)]
pub enum EveryLength {
    /// The verdict is about all of them.
    Proved {
        /// What that rests on.
        basis: Basis,
        /// The bounds at which classes were looked for; the last one gave the result.
        bounds: Vec<usize>,
    },
    /// The verdict is about the bound only: the budget ended before all was proved that is to be.
    Open {
        /// What ended.
        why: Exhausted,
        /// What was proved by then.
        proved: Proved,
    },
    /// The vocabulary is too weak for infinite traces that repeat within the bound, so that others were not asked about.
    Weak {
        /// The classes of those that repeat after up to so many steps were complete, if those of any number were.
        complete_up_to: Option<usize>,
    },
    /// The verdict is about the bound only: a longer infinite trace contradicts it, and the budget ended before classes up to its length
    /// were found.
    Broken {
        /// The steps of that trace.
        steps: usize,
        /// What ended.
        why: Exhausted,
    },
}

/// What a verdict about all infinite traces rests on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Basis {
    /// All states were listed; how many there are.
    States(usize),
    /// Proofs by induction that no loop contradicts it, which this solver checked again.
    Proofs(String),
}

/// What is proved of all infinite traces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Proved {
    /// So many of the classes are proved to suffice.
    pub sufficient: usize,
    /// How many classes there are.
    pub classes: usize,
}

impl LassoClass {
    /// A class with one of its lassos, of which nothing else is known.
    pub fn of(constraint: LassoConstraint, representative: Lasso) -> Self {
        Self {
            constraint,
            representative,
            needed: Vec::new(),
            accepted: None,
            restates: Restates::Nothing,
            canonical: None,
            images: Vec::new(),
        }
    }

    /// What it says, and what has to be so of its images as well.
    pub(super) fn said(&self) -> (Statements<OfLassos>, (bool, Restates)) {
        ((&self.constraint).into(), (self.accepted.is_some(), self.restates))
    }

    /// The class itself and its images: a lasso is in the class if it is in one of them.
    pub fn with_images(&self) -> impl Iterator<Item = &Self> {
        std::iter::once(self).chain(self.images.iter().map(|image| &image.class))
    }
}

impl LassoClassification {
    /// A result with this verdict, bound and horizon, without classes, and nothing else known.
    pub fn new(verdict: LassoVerdict, (bound, horizon): (usize, usize), solver: String) -> Self {
        Self {
            verdict,
            bound,
            horizon,
            unbounded: None,
            classes: Vec::new(),
            images: Vec::new(),
            atoms: Atoms::default(),
            minimum: false,
            unclassified: None,
            cover: None,
            refinements: None,
            decisions: None,
            necessary: None,
            checked_by: None,
            solver,
            statistics: Statistics::default(),
        }
    }

    /// What it is where all infinite traces were asked about, and the budget ended before they were decided.
    pub(super) fn left_open(mut self, why: Exhausted, proved: Proved) -> Self {
        self.verdict = match self.verdict {
            LassoVerdict::Holds => LassoVerdict::Undecided(why),
            LassoVerdict::Complete | LassoVerdict::Remainder => LassoVerdict::Exhausted(why),
            verdict => verdict,
        };
        self.unbounded = Some(EveryLength::Open { why, proved });
        self
    }

    /// What a result with violations is where a longer infinite trace contradicts it, and the budget ended before there was a better one.
    pub(super) fn broken(mut self, steps: usize, why: Exhausted) -> Self {
        self.verdict = LassoVerdict::Exhausted(why);
        self.unbounded = Some(EveryLength::Broken { steps, why });
        self
    }

    /// What ended before the verdict was final.
    pub(super) fn exhausted(&self) -> Option<Exhausted> {
        match self.verdict {
            LassoVerdict::Exhausted(why) | LassoVerdict::Undecided(why) => Some(why),
            _ => None,
        }
    }

    /// The result with a cover by the words of the vocabulary in place of the classes that were found, if the vocabulary is too weak and the
    /// cover says anything.
    #[must_use]
    pub fn covered_by(self, mut cover: Self) -> Self {
        let LassoVerdict::TooWeak(mut weak) = self.verdict else { return self };
        cover.statistics.add(&self.statistics);
        if !cover.cover.as_ref().is_some_and(|of| of.says_anything(&cover.classes)) {
            return Self { verdict: LassoVerdict::TooWeak(weak), statistics: cover.statistics, ..self };
        }
        weak.covered = Some(cover.verdict);
        Self { verdict: LassoVerdict::TooWeak(weak), unbounded: cover.unbounded.or(self.unbounded), ..cover }
    }

    /// Whether a class with observables says nothing but that the property is violated. A class of predicates alone was named on purpose.
    pub fn says_only_the_property(&self, class: &LassoClass) -> bool {
        let mut atoms = class.constraint.facts.iter().flat_map(LassoFact::atoms);
        matches!(class.restates, Restates::Property | Restates::Step)
            && atoms.any(|about| !self.atoms.get(about.atom).is_predicate())
    }

    /// What became of the classes that are shown: the verdict, or that of the cover where the vocabulary is too weak and there is one.
    pub fn answer(&self) -> &LassoVerdict {
        match &self.verdict {
            LassoVerdict::TooWeak(weak) => weak.covered.as_ref().unwrap_or(&self.verdict),
            verdict => verdict,
        }
    }

    /// Whether the verdict was proved for all infinite traces.
    pub fn is_unbounded(&self) -> bool {
        matches!(self.unbounded, Some(EveryLength::Proved { .. }))
    }
}
