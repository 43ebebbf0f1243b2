//! Necessary facts: facts of every violating trace, and what none has.

pub(crate) mod candidates;
mod every_length;
pub(crate) mod shared_facts;

use crate::automata::listing::ViolationTraces;
use crate::automata::product::search::SearchTarget;
use crate::facts::constraint::Constraint;
use crate::oracles::oracle::{Oracle, SampleCondition};
use crate::oracles::sat::SatOracle;
use crate::oracles::work::LEAST_PATIENCE;
use crate::results::options::{Necessity, Options};
use crate::results::result::{Class, Classification, Finite, NecessaryFacts, Verdict};
use candidates::Candidates;
use kit::budget::{Budget, Limited};
use lang::model::{Vocabulary, VocabularyItem};
use lang::trace::Trace;
use shared_facts::{SharedFactSearch, TracePolarity};
use solvers::sat::Setup;
use std::collections::BTreeSet;

pub(crate) use every_length::{EveryLength, Undecided};

/// The traces and facts that are known before the first question.
pub(crate) struct KnownTraces<'a> {
    /// Violating traces, the first of which is not longer than any other.
    pub violating: Vec<Trace>,
    /// Traces without violation.
    pub accepted: Vec<Trace>,
    /// After how many steps a trace is first violated at the earliest.
    pub least: usize,
    /// The classes: what all of them say is left out of a short list.
    pub classes: &'a [Class],
}

/// The facts that all violating traces of the space have, and those that none has, as far as is asked for and the budget allows.
pub(crate) fn necessary(
    oracle: &mut dyn Oracle<'_>,
    vocabulary: &Vocabulary,
    options: &Options,
    known: KnownTraces<'_>,
    budget: &Budget,
) -> Option<NecessaryFacts> {
    asked(oracle, vocabulary, options, known, None, budget)
}

fn asked(
    oracle: &mut dyn Oracle<'_>,
    vocabulary: &Vocabulary,
    options: &Options,
    known: KnownTraces<'_>,
    every: Option<&mut EveryLength<'_>>,
    budget: &Budget,
) -> Option<NecessaryFacts> {
    let shortest = known.violating.first()?;
    let full = match options.necessity {
        Necessity::Unasked => return None,
        Necessity::Brief => false,
        Necessity::Full => true,
    };
    let (model, atoms) = (oracle.problem().model, oracle.atoms());
    // A short list is about what was done and what has a name.
    let vocabulary = if full { vocabulary.clone() } else { vocabulary.without(&observed(vocabulary)) };
    let candidates =
        Candidates::of(model, &vocabulary, atoms, (&options.grounding, &options.nameless), shortest, budget);
    let check = options.setup(options.check_backend);
    let mut search = NecessarySearch { oracle, candidates, known, every, budget, full, check };
    let found = search.run();
    search.oracle.limit_conflicts(None);
    Some(found)
}

/// Necessary facts for traces of every length, of a result for some lengths: facts that hold up to its bound are decided for all
/// others.
pub(crate) fn necessary_for_every_length(
    every: &mut EveryLength<'_>,
    vocabulary: &Vocabulary,
    options: &Options,
    result: &Classification,
    budget: &Budget,
) -> Option<NecessaryFacts> {
    let weak = match &result.verdict {
        Verdict::TooWeak(weak) => Some(&weak.counterexample),
        _ => None,
    };
    let remainder = result.cover.as_ref().and_then(|cover| cover.remainder.as_ref());
    let classes = result.classes.iter().map(|class| &class.representative);
    let others = weak.into_iter().chain(&result.unclassified).chain(remainder);
    let mut violating: Vec<Trace> = classes.chain(others).cloned().collect();
    if violating.is_empty() {
        return None;
    }
    let problem = every.problem;
    let setup = options.setup(options.backend);
    let mut oracle = SatOracle::unrolled(problem, &result.atoms, result.lengths, setup, budget).ok()?;
    violating.sort_by_key(|trace| oracle.steps_to_violation(trace));
    let steps = violating.first().map(|trace| oracle.steps_to_violation(trace));
    let listed =
        every.graph.ok().and_then(|graph| graph.depth_of(&mut |state| problem.is_violated_in(state)));
    let least = listed.or(steps).unwrap_or_default();
    let known = KnownTraces { violating, accepted: Vec::new(), least, classes: &result.classes };
    let found = asked(&mut oracle, vocabulary, options, known, Some(every), budget)?;
    Some(NecessaryFacts { every_length: true, ..found })
}

/// The items of a vocabulary that are no predicates.
pub(crate) fn observed(vocabulary: &Vocabulary) -> Vec<usize> {
    let is_observed =
        |item: &VocabularyItem| !matches!(item, VocabularyItem::Predicate(..) | VocabularyItem::Ground(_));
    (0..vocabulary.items.len()).filter(|&item| is_observed(&vocabulary.items[item])).collect()
}

struct NecessarySearch<'a, 's, 'm, 'e> {
    oracle: &'s mut dyn Oracle<'m>,
    candidates: Candidates<Constraint>,
    known: KnownTraces<'a>,
    /// Decides it for every length, if that is asked for.
    every: Option<&'s mut EveryLength<'e>>,
    budget: &'a Budget,
    /// True if all facts are asked for, and not only a short list.
    full: bool,
    /// The solver that checks what was found.
    check: Setup,
}

impl SharedFactSearch<Finite> for NecessarySearch<'_, '_, '_, '_> {
    fn candidates(&self) -> &Candidates<Constraint> {
        &self.candidates
    }

    fn is_full(&self) -> bool {
        self.full
    }

    fn budget(&self) -> &Budget {
        self.budget
    }

    fn others(&self) -> TracePolarity {
        // Of every length, only traces without violation are known.
        if self.every.is_some() { TracePolarity::Harmless } else { TracePolarity::Any }
    }

    fn known(&self, which: TracePolarity) -> Vec<&Trace> {
        let KnownTraces { violating, accepted, least, .. } = &self.known;
        match which {
            TracePolarity::Violating => violating.iter().collect(),
            TracePolarity::Accepted => accepted.iter().filter(|trace| trace.len() >= *least).collect(),
            TracePolarity::Harmless => accepted.iter().collect(),
            TracePolarity::Any => Vec::new(),
        }
    }

    fn has(&self, trace: &Trace, candidate: usize) -> bool {
        self.oracle.matches(&self.candidates.list[candidate].constraint, trace).is_some()
    }

    fn listed(&mut self, candidates: &[usize], which: TracePolarity, have: bool) -> Vec<(usize, bool)> {
        let most = self.oracle.most_steps();
        let (violating, least) = match which {
            TracePolarity::Violating => (true, 0),
            TracePolarity::Accepted => (false, self.known.least),
            TracePolarity::Harmless | TracePolarity::Any => (false, 0),
        };
        let traces = ViolationTraces { violating, steps: least..=most };
        // What the budget leaves open is open for the solver, too.
        let differ = self.differing(candidates, &traces, have).unwrap_or_default();
        // Traces that go on after a violation are not listed.
        let known = differ.into_iter().filter(|(_, differs)| *differs || which != TracePolarity::Any);
        known.map(|(candidate, differs)| (candidate, !differs)).collect()
    }

    fn ask(
        &mut self,
        group: &[usize],
        which: TracePolarity,
        have: bool,
        most_conflicts: Option<u32>,
    ) -> Limited<Option<Trace>> {
        let differs = SampleCondition::AnyOf(group.iter().map(|&c| self.differing_from(c, have)).collect());
        self.oracle.limit_conflicts(most_conflicts);
        match which {
            TracePolarity::Violating => self.oracle.any(&[differs]),
            TracePolarity::Accepted => self.oracle.accepted_from(self.known.least, &[differs]),
            TracePolarity::Harmless => self.oracle.accepted_from(0, &[differs]),
            TracePolarity::Any => self.oracle.any_trace(&[differs]),
        }
    }

    fn learn(&mut self, which: TracePolarity, trace: Trace) {
        match which {
            TracePolarity::Violating => self.known.violating.push(trace),
            TracePolarity::Accepted | TracePolarity::Harmless => self.known.accepted.push(trace),
            TracePolarity::Any => {}
        }
    }

    fn is_so_beyond(&mut self, candidate: usize, which: TracePolarity, have: bool) -> Option<bool> {
        let Some(every) = &mut self.every else { return Some(true) };
        let least = if which == TracePolarity::Accepted { self.known.least } else { 0 };
        let sought = SearchTarget { violating: which == TracePolarity::Violating, inside: !have, least };
        let constraint = &self.candidates.list[candidate].constraint;
        let found = every.exists(self.oracle.atoms(), constraint, sought, self.budget);
        found.ok().map(|found| found.is_none())
    }

    fn said_by_classes(&self) -> BTreeSet<usize> {
        let said = |class: &Class| self.candidates.said_by(self.oracle.atoms(), &class.constraint.facts);
        let mut classes = self.known.classes.iter().map(said);
        let Some(first) = classes.next() else { return BTreeSet::new() };
        classes.fold(first, |all, next| &all & &next)
    }

    /// # Panics
    /// If that is wrong: that is a bug in this program.
    fn check(&self, always: &[usize], never: &[usize]) -> Limited<()> {
        let (problem, atoms) = (self.oracle.problem(), self.oracle.atoms());
        let limits = (!self.oracle.is_sat()).then(|| self.budget.at_most(LEAST_PATIENCE));
        let budget = limits.as_ref().unwrap_or(self.budget);
        let mut oracle = SatOracle::unrolled(problem, atoms, self.oracle.lengths(), self.check, budget)?;
        oracle.limit_violations(self.oracle.most_steps());
        let facts = always.iter().map(|&c| (c, true)).chain(never.iter().map(|&c| (c, false)));
        for (c, have) in facts {
            let found = oracle.any(&[self.differing_from(c, have)])?;
            let constraint = &self.candidates.list[c].constraint;
            assert!(found.is_none(), "self-check: {constraint:?} is not shared: {found:?}");
        }
        Ok(())
    }

    fn show(&self, constraint: &Constraint) -> String {
        constraint.show(self.oracle.problem().model, self.oracle.atoms())
    }
}

impl NecessarySearch<'_, '_, '_, '_> {
    /// The condition on a trace that lacks a candidate, if it is supposed to `have` it, and otherwise has it.
    fn differing_from(&self, candidate: usize, have: bool) -> SampleCondition {
        let constraint = self.candidates.list[candidate].constraint.clone();
        if have { SampleCondition::Outside(constraint) } else { SampleCondition::In(constraint) }
    }

    /// Which of these candidates one of these traces lacks, if they are supposed to `have` them, and otherwise has, as far as the listed
    /// states tell.
    fn differing(
        &mut self,
        candidates: &[usize],
        traces: &ViolationTraces,
        have: bool,
    ) -> Limited<Vec<(usize, bool)>> {
        let atoms = self.oracle.atoms();
        let Some(listing) = self.oracle.listing() else { return Ok(Vec::new()) };
        let constraints = candidates.iter().map(|&c| (c, &self.candidates.list[c].constraint));
        let occurring = listing.occurring(atoms, constraints, self.budget)?;
        let differ = match have {
            true => occurring.lacked(traces, self.budget)?,
            false => occurring.had(traces, self.budget)?,
        };
        Ok(occurring.all().map(|c| (c, differ.contains(&c))).collect())
    }
}
