//! Questions about all infinite traces of a model whose states are listed: products of the states with what constraints remember.

use super::constraint::LassoConstraint;
use super::fact::{AtomLiteral, AtomRef, LassoFact};
use super::options::LassoProblem;
use crate::facts::atom::Atoms;
use crate::facts::index::AtomId;
use engines::explore::Graph;
use engines::ltl::{ListedSystem, LoopDemands, LtlPlaces, NoProduct, Unless};
use itertools::Itertools;
use kit::budget::Budget;
use kit::number::to_u32;
use lang::model::Position;
use lang::model::Recurrence;
use lang::trace::Lasso;
use rustc_hash::FxHashMap;

/// Marks are bits, and what is remembered of a trace as well: one for each fact, and one for each of its earlier positions.
const MOST_BITS: usize = 63;

/// The infinite traces of a model, with what some constraints remember of them.
pub struct MonitorProduct<'a> {
    problem: LassoProblem<'a>,
    graph: &'a Graph,
    atoms: &'a Atoms,
    facts: Vec<LassoFact>,
    places: LtlPlaces,
    /// The marks of all facts.
    marks: LoopDemands,
}

impl<'a> MonitorProduct<'a> {
    /// With the facts of these constraints.
    ///
    /// # Errors
    /// If the limits do not allow it.
    pub fn new(
        (problem, graph): (LassoProblem<'a>, &'a Graph),
        atoms: &'a Atoms,
        constraints: &[&LassoConstraint],
        budget: &Budget,
    ) -> Result<Self, NoProduct> {
        let instances = constraints.iter().flat_map(|constraint| constraint.instances(problem.model, atoms));
        let facts: Vec<LassoFact> = instances.flat_map(|ground| ground.facts).unique().collect();
        if facts.iter().map(|fact| 1 + fact.before.len()).sum::<usize>() > MOST_BITS {
            return Err(NoProduct::Conditions);
        }
        // A moment of the graph says nothing of the state before.
        let reads_around = |about: &AtomRef| atoms.get(about.atom).expr.reads_around();
        if facts.iter().flat_map(|fact| fact.atoms()).any(reads_around) {
            return Err(NoProduct::Conditions);
        }
        let moments = MomentFacts::new(problem, graph, atoms, &facts, budget)?;
        let (places, known) = LtlPlaces::watched(
            graph,
            |at| moments.remembered(0, at),
            |memory, at| moments.remembered(memory, at),
            budget,
        )?;
        let marks = known.into_iter().map(|(at, memory)| moments.marks(at, memory)).collect();
        let marks = LoopDemands { marks, used: facts.len(), ..LoopDemands::default() };
        Ok(Self { problem, graph, atoms, facts, places, marks })
    }

    /// A fair lasso that satisfies the formula, or violates it if `satisfied` is false, is in all constraints of `inside` and in none of
    /// `outside`; all of them have to be watched. It need not be a shortest one.
    ///
    /// # Errors
    /// If the limits do not allow to tell.
    pub fn lasso(
        &self,
        satisfied: bool,
        inside: &[&LassoConstraint],
        outside: &[&LassoConstraint],
        budget: &Budget,
    ) -> Result<Option<Lasso>, NoProduct> {
        let LassoProblem { model, formula, fairness } = self.problem;
        let instances = |constraint: &&LassoConstraint| constraint.instances(model, self.atoms);
        let unless: Vec<Unless> =
            outside.iter().flat_map(instances).unique().map(|class| self.of_class(&class)).collect();
        let listed = ListedSystem { model, graph: self.graph, fairness };
        // The product of no lists is one empty choice.
        for chosen in inside.iter().map(instances).multi_cartesian_product() {
            let mut limits = LoopDemands { unless: unless.clone(), ..self.marks.clone() };
            for ground in &chosen {
                let Unless { all: some, none } = self.of_class(ground);
                limits.some.extend(some);
                limits.none |= none;
            }
            if let Some(lasso) = listed.lasso_within((formula, satisfied), &self.places, &limits, budget)? {
                return Ok(Some(lasso));
            }
        }
        Ok(None)
    }

    /// The marks of loops in a ground constraint.
    fn of_class(&self, class: &LassoConstraint) -> Unless {
        let mut unless = Unless::default();
        for fact in &class.facts {
            let index = self.facts.iter().position(|other| other == fact);
            let mark = 1 << index.unwrap_or_else(|| unreachable!("the facts of all constraints are watched"));
            match fact.when {
                Recurrence::Again => unless.all.push(mark),
                Recurrence::Forever | Recurrence::Once => unless.none |= mark,
            }
        }
        unless
    }
}

/// The truth of facts at the moments of a graph.
struct MomentFacts<'f> {
    facts: &'f [LassoFact],
    /// For each atom whether it holds at each moment.
    truths: FxHashMap<AtomId, Vec<bool>>,
}

impl<'f> MomentFacts<'f> {
    fn new(
        problem: LassoProblem<'_>,
        graph: &Graph,
        atoms: &Atoms,
        facts: &'f [LassoFact],
        budget: &Budget,
    ) -> Result<Self, NoProduct> {
        let mut truths = FxHashMap::default();
        for about in facts.iter().flat_map(|fact| fact.atoms()).unique() {
            budget.check()?;
            let of = (problem.model, atoms);
            let holds = |at: u32| about.holds(of, &[graph.moment(at)], &[Position::FIRST], &[]);
            truths.insert(about.atom, (0..to_u32(graph.arrivals.len())).map(holds).collect::<Vec<bool>>());
        }
        Ok(Self { facts, truths })
    }

    fn holds(&self, about: &AtomRef, at: u32) -> bool {
        self.truths[&about.atom][at as usize]
    }

    /// True if all of this holds at a moment.
    fn is_so(&self, what: &[AtomLiteral], at: u32) -> bool {
        what.iter().all(|said| self.holds(&said.about, at) == said.holds)
    }

    /// The memory of a trace at a moment, from the one before: for each fact that holds at some position, whether it did so far, with
    /// its condition on the positions after it. A trace has the fact exactly if the memory keeps it for ever from some position on,
    /// where that condition holds, too. Then, for positions that come before in such a fact, whether each has come, all in order.
    fn remembered(&self, memory: u64, at: u32) -> u64 {
        let mut now = 0;
        let mut bit = self.facts.len();
        for (index, fact) in self.facts.iter().enumerate().filter(|(_, fact)| fact.when == Recurrence::Once) {
            let mut come = true;
            for said in &fact.before {
                let has_come = memory >> bit & 1 == 1;
                now |= u64::from(has_come || come && self.is_so(said, at)) << bit;
                come = has_come;
                bit += 1;
            }
            let kept = memory >> index & 1 == 1 && self.is_so(&fact.after, at);
            now |= u64::from(kept || come && self.is_so(&fact.what, at)) << index;
        }
        now
    }

    /// The marks of a place: of a fact about what happens again and again, that it happens there; of others, that what they say of a loop is
    /// not so there.
    fn marks(&self, at: u32, memory: u64) -> u64 {
        let mark = |(index, fact): (usize, &LassoFact)| {
            let marked = match fact.when {
                Recurrence::Again => self.is_so(&fact.what, at),
                Recurrence::Forever => !self.is_so(&fact.what, at),
                Recurrence::Once => memory >> index & 1 == 0 || !self.is_so(&fact.after, at),
            };
            u64::from(marked) << index
        };
        self.facts.iter().enumerate().map(mark).fold(0, |all, mark| all | mark)
    }
}
