//! Distinguishes violating lassos of a class, for [`CoverRefinement`].

use super::check::check_classes;
use super::constraint::LassoConstraint;
use super::context_lassos::ContextLassos;
use super::covering::{classes, verdict_of};
use super::options::LassoProblem;
use super::oracle::{LassoOracle, LassoQuery};
use super::result::Infinite;
use super::things::{LassoCoverItem, LassoThings};
use crate::facts::atom::Atoms;
use crate::facts::collect::Collector;
use crate::facts::constraint::Constraint;
use crate::facts::index::CandidateId;
use crate::facts::lifting::Lifter;
use crate::results::options::Options;
use crate::results::result::{Class, Classification, Cover, Verdict};
use crate::results::statistics::{Statistics, Stopwatch};
use crate::search::covering::combinations::Combinations;
use crate::search::covering::cover_search::{CoverContext, CoverOracle};
use crate::search::covering::level::CoverOutcome;
use crate::search::covering::refinement::CoverRefinement;
use crate::search::score::Score;
use engines::ltl::LtlFormula;
use kit::budget::{Budget, Limited, Observer};
use lang::model::Recurrence;
use lang::model::{LassoFormula, Model, PredicateId, Vocabulary};
use lang::trace::Lasso;
use std::collections::BTreeSet;

/// A class of lassos whose violating ones are to be told apart, with the atoms it is made of.
#[derive(Debug, Clone)]
pub struct LassoContext {
    /// The class.
    pub constraint: LassoConstraint,
    /// The arena of its atoms.
    pub atoms: Atoms,
}

impl LassoContext {
    /// The lassos that satisfy a formula; `None` where it cannot be a constraint.
    pub fn of_formula(formula: &LassoFormula) -> Option<Self> {
        let atoms = Atoms::default();
        LassoConstraint::of_formula(&atoms, formula).map(|constraint| Self { constraint, atoms })
    }

    /// The lassos in which a predicate holds at some position; `None` where it is not about one position.
    pub fn of_predicate(model: &Model, vocabulary: &Vocabulary, predicate: PredicateId) -> Option<Self> {
        let atoms = Atoms::default();
        let instances = Collector::new(model, vocabulary, &atoms).instances(predicate);
        let constraint = Constraint::of_atom(&atoms, *instances.first()?);
        let constraint = LassoConstraint::recurring(model, &atoms, &constraint, Recurrence::Once)?;
        Some(Self { constraint, atoms })
    }
}

/// Covers the violating lassos of a class: what tells them apart. Predicates of the vocabulary come first, then labels of steps for what
/// these leave over; what all of the lassos have takes no part.
///
/// The verdict is [`Verdict::Holds`] if no violating lasso of up to the bound is in the class.
///
/// # Panics
/// Only on a bug in this program.
pub fn classify_lassos_within(
    problem: LassoProblem<'_>,
    vocabulary: &Vocabulary,
    context: &LassoContext,
    options: &Options,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Classification<Infinite> {
    let stopwatch = Stopwatch::start();
    let atoms = context.atoms.clone();
    let (violated, satisfied) =
        (LtlFormula::new(problem.formula, false), LtlFormula::new(problem.formula, true));
    let asked = LassoQuery::violating(problem, &atoms, &violated, options.lengths.bound());
    let accepting = asked.accepting(&satisfied, options.lasso_horizon());
    let mut room = LassoRefinement::new((asked, accepting), vocabulary, options, budget, observer);
    let within = CoverContext::of(context.constraint.clone());
    let first = room.cover_search(&within).first_from(1, &[]);
    let mut result = match first {
        Ok(Some(first)) => {
            let node = room.node(&within, first.len());
            let verdict = verdict_of(node.ended, node.remainder.is_some());
            let checked_by = node.ended.is_none().then(|| options.check_backend.to_string());
            let minimum = node.minimum;
            let (classes, cover) = node.cover(context.constraint.clone());
            Classification { classes, minimum, cover: Some(cover), checked_by, ..options.result(verdict) }
        }
        first => {
            let undecided = |why| Verdict::Undecided { why, depth: 1 };
            let verdict = first.err().map_or(Verdict::Holds, undecided);
            let cover = Cover { context: Some(context.constraint.clone()), ..Cover::default() };
            Classification { cover: Some(cover), ..options.result(verdict) }
        }
    };
    result.statistics = room.finish();
    stopwatch.stop(&mut result.statistics);
    Classification { atoms, ..result }
}

/// The search inside classes, with solvers for it and others that check its results.
struct LassoRefinement<'a, 'q> {
    violating: LassoOracle<'q>,
    accepting: LassoOracle<'q>,
    /// Further searches for checks.
    fresh: (LassoOracle<'q>, LassoOracle<'q>),
    things: Vec<LassoCoverItem>,
    predicates: Vec<CandidateId>,
    labels: Vec<CandidateId>,
    budget: &'a Budget,
    observer: &'a mut dyn Observer,
    /// Checks have no observer.
    nobody: (),
    statistics: Statistics,
}

impl<'a, 'q> LassoRefinement<'a, 'q> {
    fn new(
        (violating, accepting): (LassoQuery<'q>, LassoQuery<'q>),
        vocabulary: &Vocabulary,
        options: &Options,
        budget: &'q Budget,
        observer: &'a mut dyn Observer,
    ) -> Self
    where
        'q: 'a,
    {
        let LassoQuery { model, atoms, .. } = violating;
        let lifter = Lifter::new(model, vocabulary, atoms, &options.grounding);
        let mut things = LassoThings::of(model, (vocabulary, &options.preference), (atoms, &lifter));
        things.general.retain(|id| things.all[id.index()].is_named);
        let labels = things.add_labels(model, vocabulary, atoms, &options.grounding);
        let search = |asked, backend| LassoOracle::new(asked, options.setup(backend), budget);
        let (backend, check) = (options.backend, options.check_backend);
        Self {
            violating: search(violating, backend),
            accepting: search(accepting, backend),
            fresh: (search(violating, check), search(accepting, check)),
            things: things.all,
            predicates: things.general,
            labels,
            budget,
            observer,
            nobody: (),
            statistics: Statistics::default(),
        }
    }

    /// The statistics of the searches.
    fn finish(mut self) -> Statistics {
        for search in [&self.violating, &self.accepting, &self.fresh.0, &self.fresh.1] {
            search.add_to(&mut self.statistics);
        }
        self.statistics
    }

    /// Those that are not said by the context itself.
    fn unsaid(
        &self,
        candidates: &[CandidateId],
        context: &CoverContext<LassoConstraint>,
    ) -> Vec<CandidateId> {
        let atoms = self.violating.asked().atoms;
        let mut said: BTreeSet<(Recurrence, String)> = BTreeSet::new();
        for fact in context.inside.iter().flat_map(|constraint| &constraint.facts) {
            for what in fact.said().filter(|what| what.holds) {
                let weaker = [Recurrence::Once, Recurrence::Again]
                    .into_iter()
                    .filter(|_| fact.when != Recurrence::Once);
                let text = atoms.get(what.about.atom).identity();
                said.extend(weaker.chain([fact.when]).map(|when| (when, text.clone())));
            }
        }
        let is_said = |id: CandidateId| {
            let mut facts = self.things[id.index()].constraint.facts.iter();
            let says = |when, atom| said.contains(&(when, atoms.get(atom).identity()));
            facts.all(|fact| fact.atoms().all(|about| says(fact.when, about.atom)))
        };
        let is_implied = |id: CandidateId| {
            is_said(id)
                || self.things[id.index()].narrower.iter().flatten().any(|&narrower| is_said(narrower))
        };
        candidates.iter().copied().filter(|&id| !is_implied(id)).collect()
    }
}

impl<'q> CoverRefinement<Infinite> for LassoRefinement<'_, 'q> {
    type Search<'s>
        = ContextLassos<'s, 'q>
    where
        Self: 's;
    type Fresh<'s>
        = ContextLassos<'s, 'q>
    where
        Self: 's;

    fn cover_search<'s>(&'s mut self, context: &'s CoverContext<LassoConstraint>) -> ContextLassos<'s, 'q> {
        ContextLassos {
            search: &mut self.violating,
            things: &self.things,
            context,
            budget: self.budget,
            observer: &mut *self.observer,
            statistics: &mut self.statistics,
        }
    }

    fn fresh<'s>(&'s mut self, context: &'s CoverContext<LassoConstraint>) -> Limited<ContextLassos<'s, 'q>> {
        Ok(ContextLassos {
            search: &mut self.fresh.0,
            things: &self.things,
            context,
            budget: self.budget,
            observer: &mut self.nobody,
            statistics: &mut self.statistics,
        })
    }

    fn score(&self, id: CandidateId) -> Score {
        self.things[id.index()].score
    }

    fn constraint(&self, id: CandidateId) -> LassoConstraint {
        self.things[id.index()].constraint.clone()
    }

    fn predicates(&self, context: &CoverContext<LassoConstraint>) -> Vec<CandidateId> {
        self.unsaid(&self.predicates, context)
    }

    fn labels(&self, context: &CoverContext<LassoConstraint>, _: &Lasso) -> Vec<CandidateId> {
        self.unsaid(&self.labels, context)
    }

    fn happens(&self, id: CandidateId, lasso: &Lasso) -> bool {
        let LassoQuery { model, atoms, .. } = self.violating.asked();
        self.things[id.index()].constraint.holds(model, atoms, lasso)
    }

    fn classes(
        &mut self,
        _: &CoverContext<LassoConstraint>,
        outcome: CoverOutcome<Lasso>,
    ) -> (Vec<Class<Infinite>>, Combinations<Lasso>) {
        classes(outcome, &self.things, &mut self.accepting, &mut |_| ())
    }

    fn check(&mut self, context: &CoverContext<LassoConstraint>, found: &[Class<Infinite>]) -> Limited<()> {
        check_classes(&mut self.fresh.1, found)?;
        let fresh = self.fresh(context)?;
        for class in found {
            let inside = class.canonical.iter().chain([&class.representative]).all(|l| fresh.contains(l));
            assert!(inside, "self-check: a lasso of {:?} is not of its context", class.constraint);
        }
        Ok(())
    }
}
