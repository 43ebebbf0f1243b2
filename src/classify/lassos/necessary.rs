//! Necessary facts of violating lassos, and facts that none has: an occurrence at all, again and again, or from some position on
//! always.

use super::candidates::Recurring;
use super::condition::LassoCondition;
use super::constraint::LassoConstraint;
use super::monitor_product::MonitorProduct;
use super::options::LassoProblem;
use super::oracle::{LassoOracle, LassoQuery};
use super::result::Infinite;
use crate::facts::atom::Atoms;
use crate::results::options::Necessity;
use crate::results::options::Options;
use crate::results::result::{Class, Classification, NecessaryFacts, Verdict};
use crate::results::statistics::{Phase, Stopwatch};
use crate::search::necessary::candidates::Candidates;
use crate::search::necessary::observed;
use crate::search::necessary::shared_facts::{SharedFactSearch, TracePolarity};
use engines::explore::Graph;
use engines::ltl::LtlFormula;
use kit::budget::{Budget, Limited};
use lang::model::Vocabulary;
use lang::trace::Lasso;
use solvers::sat::Setup;
use std::collections::BTreeSet;

impl Classification<Infinite> {
    /// Looks for what the violating lassos of up to the bound have in common, as far as the options ask for it, beside lassos that satisfy
    /// the property, of up to the horizon; if a graph has all states, among all infinite traces. `options` and `vocabulary` are those of the
    /// classification.
    ///
    /// # Panics
    /// Only on a bug in this program.
    pub fn add_necessary(
        &mut self,
        problem: LassoProblem<'_>,
        vocabulary: &Vocabulary,
        options: &Options,
        graph: Option<&Graph>,
        budget: &Budget,
    ) {
        let full = match options.necessity {
            Necessity::Unasked => return,
            Necessity::Brief => false,
            Necessity::Full => true,
        };
        let (violating, accepted) = self.lassos();
        let Some(shortest) = violating.first() else { return };
        let clock = Stopwatch::start();
        // A short list is about what was done and what has a name.
        let vocabulary = if full { vocabulary.clone() } else { vocabulary.without(&observed(vocabulary)) };
        let LassoProblem { model, formula, .. } = problem;
        let atoms = std::mem::take(&mut self.atoms);
        let things = Candidates::of(
            model,
            &vocabulary,
            &atoms,
            (&options.grounding, &options.nameless),
            &shortest.trace,
            budget,
        );
        let candidates = Recurring::of(model, &atoms, &things);
        let (violated, satisfied) = (LtlFormula::new(formula, false), LtlFormula::new(formula, true));
        let asked = LassoQuery::violating(problem, &atoms, &violated, self.lengths.bound());
        let accepting = asked.accepting(&satisfied, self.sufficient_up_to);
        let mut shared = Shared {
            problem,
            atoms: &atoms,
            candidates,
            violating: (LassoOracle::new(asked, options.setup(options.backend), budget), violating),
            accepting: (LassoOracle::new(accepting, options.setup(options.backend), budget), accepted),
            graph,
            classes: &self.classes,
            check: options.setup(options.check_backend),
            full,
            budget,
        };
        let necessary = shared.run();
        shared.violating.0.add_to(&mut self.statistics);
        shared.accepting.0.add_to(&mut self.statistics);
        self.statistics.seconds.add(Phase::Necessary, clock.seconds());
        self.statistics.seconds.total += clock.seconds();
        self.necessary = Some(NecessaryFacts { every_length: graph.is_some(), ..necessary });
        self.atoms = atoms;
    }

    /// The lassos of the result: those that violate the property, shortest first, and those that satisfy it.
    fn lassos(&self) -> (Vec<Lasso>, Vec<Lasso>) {
        let of_class =
            |class: &Class<Infinite>| [Some(class.representative.clone()), class.canonical.clone()];
        let pair = match &self.verdict {
            Verdict::TooWeak(pair) => Some(pair.as_ref()),
            _ => None,
        };
        let remainder = self.cover.as_ref().and_then(|cover| cover.remainder.as_ref());
        let others =
            pair.map(|pair| &pair.counterexample).into_iter().chain(&self.unclassified).chain(remainder);
        let mut violating: Vec<Lasso> =
            self.classes.iter().flat_map(of_class).flatten().chain(others.cloned()).collect();
        violating.sort_by_key(Lasso::len);
        let needed = self.classes.iter().flat_map(|class| &class.needed);
        (violating, needed.chain(pair.map(|pair| &pair.accepting)).cloned().collect())
    }
}

/// The search for what is shared.
struct Shared<'a> {
    problem: LassoProblem<'a>,
    atoms: &'a Atoms,
    candidates: Recurring,
    /// The violating lassos: those up to the bound, and those that are known.
    violating: (LassoOracle<'a>, Vec<Lasso>),
    /// Search and known lassos for those that satisfy the property, up to the horizon.
    accepting: (LassoOracle<'a>, Vec<Lasso>),
    /// All states, if all infinite traces are asked about.
    graph: Option<&'a Graph>,
    classes: &'a [Class<Infinite>],
    check: Setup,
    full: bool,
    budget: &'a Budget,
}

impl SharedFactSearch<Infinite> for Shared<'_> {
    fn candidates(&self) -> &Candidates<LassoConstraint> {
        &self.candidates.all
    }

    fn is_full(&self) -> bool {
        self.full
    }

    fn budget(&self) -> &Budget {
        self.budget
    }

    fn others(&self) -> TracePolarity {
        TracePolarity::Accepted
    }

    fn known(&self, which: TracePolarity) -> Vec<&Lasso> {
        let (_, known) = if which == TracePolarity::Violating { &self.violating } else { &self.accepting };
        known.iter().collect()
    }

    fn has(&self, lasso: &Lasso, candidate: usize) -> bool {
        self.constraint(candidate).holds(self.problem.model, self.atoms, lasso)
    }

    fn ask(
        &mut self,
        group: &[usize],
        which: TracePolarity,
        have: bool,
        most_conflicts: Option<u32>,
    ) -> Limited<Option<Lasso>> {
        let differs = self.differs(group.iter().map(|&candidate| (candidate, have)));
        let (search, _) =
            if which == TracePolarity::Violating { &mut self.violating } else { &mut self.accepting };
        search.any_within(&[differs], most_conflicts)
    }

    fn learn(&mut self, which: TracePolarity, lasso: Lasso) {
        let (_, known) =
            if which == TracePolarity::Violating { &mut self.violating } else { &mut self.accepting };
        known.push(lasso);
    }

    fn is_so_beyond(&mut self, candidate: usize, which: TracePolarity, have: bool) -> Option<bool> {
        let Some(graph) = self.graph else { return Some(true) };
        let constraint = [self.constraint(candidate)];
        let (inside, outside) = if have { (&[][..], &constraint[..]) } else { (&constraint[..], &[][..]) };
        let watched =
            MonitorProduct::new((self.problem, graph), self.atoms, &constraint, self.budget).ok()?;
        let found = watched.lasso(which != TracePolarity::Violating, inside, outside, self.budget);
        found.ok().map(|found| found.is_none())
    }

    fn said_by_classes(&self) -> BTreeSet<usize> {
        let said = |class: &Class<Infinite>| self.candidates.said_by(self.atoms, &class.constraint);
        self.classes.iter().map(said).reduce(|all, next| &all & &next).unwrap_or_default()
    }

    /// # Panics
    /// If that is wrong: that is a bug in this program.
    fn check(&self, always: &[usize], never: &[usize]) -> Limited<()> {
        let facts = always.iter().map(|&c| (c, true)).chain(never.iter().map(|&c| (c, false)));
        let differs = self.differs(facts);
        let found = LassoOracle::new(self.violating.0.asked(), self.check, self.budget).any(&[differs])?;
        assert!(found.is_none(), "self-check: not all is shared by {found:?}");
        Ok(())
    }

    fn show(&self, constraint: &LassoConstraint) -> String {
        constraint.show(self.problem.model, self.atoms)
    }
}

impl Shared<'_> {
    fn constraint(&self, candidate: usize) -> &LassoConstraint {
        &self.candidates.all.list[candidate].constraint
    }

    /// Demands a lasso that differs from others by one of these candidates, which these all have or all lack.
    fn differs(&self, candidates: impl Iterator<Item = (usize, bool)>) -> LassoCondition {
        let differs = |(candidate, have): (usize, bool)| {
            let constraint = self.constraint(candidate).clone();
            if have { LassoCondition::Outside(constraint) } else { LassoCondition::In(constraint) }
        };
        LassoCondition::AnyOf(candidates.map(differs).collect())
    }
}
