//! Classifications of all infinite traces, of however many steps: what holds up to a bound is decided over all states, or proved, and where a
//! lasso contradicts it, the classes are looked for anew up to its length.

use super::constraint::LassoConstraint;
use super::engine::{LassoOptions, LassoProblem, classify_lassos};
use super::fact::{About, LassoFact, Said, When};
use super::proof::Prover;
use super::result::{Basis, EveryLength, LassoClassification, LassoVerdict};
use crate::budget::{Budget, Observer};
use crate::classify::atom::Atoms;
use crate::classify::index::AtomId;
use crate::explore::Graph;
use crate::ltl::{Limits, Listed, NoProduct, Places, Unless};
use crate::model::Vocabulary;
use crate::prove::other;
use crate::trace::Lasso;
use itertools::Itertools;
use rustc_hash::FxHashMap;

/// Marks are bits, and what is remembered of a trace as well: one for each fact, and one for each of its earlier positions.
const MOST_BITS: usize = 63;

/// Classifies all fair infinite traces that violate the formula, as [`classify_lassos`] does those up to a bound; it begins with the
/// bound of the options. Where there are more than `max_states` states, or the product is too large, it is proved as safety ([`Prover`]). Where the
/// budget ends before, the result is about the last bound, and the verdict is not one of those that a proof gives.
///
/// # Panics
/// Only on a bug in this program.
pub fn classify_every_lasso(
    problem: LassoProblem<'_>,
    vocabulary: &Vocabulary,
    options: &LassoOptions,
    max_states: usize,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> LassoClassification {
    // Most of the time is for the classes.
    let graph = Graph::explore(problem.model, None, max_states, &budget.share(4));
    let mut options = options.clone();
    let mut bounds = Vec::new();
    loop {
        bounds.push(options.bound);
        let mut result = classify_lassos(problem, vocabulary, &options, budget, observer);
        if !matches!(result.verdict, LassoVerdict::Holds | LassoVerdict::Complete) {
            return result;
        }
        let classes: Vec<&LassoConstraint> = result.classes.iter().map(|class| &class.constraint).collect();
        let listed = graph.as_ref().ok().and_then(|graph| {
            let found = contradiction(problem, graph, &result.atoms, &classes, &budget.share(2)).ok()?;
            Some((found, Basis::States(graph.states.len())))
        });
        let answer = match listed {
            Some(answer) => Ok(answer),
            None => {
                let (backend, atoms) = (options.backend, &result.atoms);
                let prover = &mut Prover { problem, atoms, classes: &classes, backend, budget, observer };
                let checked_by = other(backend).start(budget).name().to_owned();
                prover.contradiction().map(|found| (found, Basis::Proofs(checked_by)))
            }
        };
        match answer {
            Ok((None, basis)) => {
                result.unbounded = Some(EveryLength::Proved { basis, bounds });
                return result;
            }
            Ok((Some(lasso), _)) => {
                assert!(lasso.len() > options.bound, "the search over all infinite traces finds {lasso:?}");
                options.horizon += lasso.len() - options.bound;
                options.bound = lasso.len();
            }
            Err((why, proved)) => return result.left_open(why, proved),
        }
    }
}

/// A fair lasso that violates the formula and is in none of the classes, or satisfies it and is in one; `None` if there is none.
fn contradiction(
    problem: LassoProblem<'_>,
    graph: &Graph,
    atoms: &Atoms,
    classes: &[&LassoConstraint],
    budget: &Budget,
) -> Result<Option<Lasso>, NoProduct> {
    let LassoProblem { model, formula, fairness } = problem;
    let classes: Vec<LassoConstraint> =
        classes.iter().flat_map(|class| class.instances(model, atoms)).unique().collect();
    let facts: Vec<&LassoFact> = classes.iter().flat_map(|class| &class.facts).unique().collect();
    if facts.iter().map(|fact| 1 + fact.before.len()).sum::<usize>() > MOST_BITS {
        return Err(NoProduct::Conditions);
    }
    let moments = Moments::new(problem, graph, atoms, &facts, budget)?;
    let (places, known) = Places::watched(
        graph,
        |at| moments.remembered(0, at),
        |memory, at| moments.remembered(memory, at),
        budget,
    )?;
    let marks = known.into_iter().map(|(at, memory)| moments.marks(at, memory)).collect();
    let all = Limits { marks, used: facts.len(), ..Limits::default() };
    let of_class = |class: &LassoConstraint| {
        let mut unless = Unless::default();
        for fact in &class.facts {
            let index = facts.iter().position(|other| *other == fact);
            let mark = index.map_or(0, |index| 1 << index);
            match fact.when {
                When::Again => unless.all.push(mark),
                When::Forever | When::Once => unless.none |= mark,
            }
        }
        unless
    };
    let listed = Listed { model, graph, fairness };
    let unless = classes.iter().map(of_class).collect();
    let outside = Limits { unless, ..all.clone() };
    if let Some(lasso) = listed.lasso_within((formula, false), &places, &outside, budget)? {
        return Ok(Some(lasso));
    }
    for class in &classes {
        let Unless { all: some, none } = of_class(class);
        let inside = Limits { some, none, ..all.clone() };
        if let Some(lasso) = listed.lasso_within((formula, true), &places, &inside, budget)? {
            return Ok(Some(lasso));
        }
    }
    Ok(None)
}

/// The truth of facts at the moments of a graph.
struct Moments<'f> {
    facts: &'f [&'f LassoFact],
    /// For each atom whether it holds at each moment.
    truths: FxHashMap<AtomId, Vec<bool>>,
}

impl<'f> Moments<'f> {
    fn new(
        problem: LassoProblem<'_>,
        graph: &Graph,
        atoms: &Atoms,
        facts: &'f [&'f LassoFact],
        budget: &Budget,
    ) -> Result<Self, NoProduct> {
        let mut truths = FxHashMap::default();
        for about in facts.iter().flat_map(|fact| fact.atoms()).unique() {
            budget.exhausted().map_or(Ok(()), Err)?;
            let of = (problem.model, atoms);
            let holds = |at: u32| about.holds(of, &[graph.moment(at)], &[0], &[]);
            truths.insert(about.atom, (0..graph.arrivals.len() as u32).map(holds).collect::<Vec<bool>>());
        }
        Ok(Self { facts, truths })
    }

    fn holds(&self, about: &About, at: u32) -> bool {
        self.truths[&about.atom][at as usize]
    }

    /// Whether all of this is so at a moment.
    fn is_so(&self, what: &[Said], at: u32) -> bool {
        what.iter().all(|said| self.holds(&said.about, at) == said.holds)
    }

    /// What is remembered of a trace once it comes to a moment, given what was before: for each fact that holds at some position, whether
    /// it did so far, with what has to be so after it. A trace has the fact exactly if that is remembered for ever from some position
    /// on, where what has to be so after it is so, too. Then, for what comes before in such a fact, whether it has come, all in order.
    fn remembered(&self, memory: u64, at: u32) -> u64 {
        let mut now = 0;
        let mut bit = self.facts.len();
        for (index, fact) in self.facts.iter().enumerate().filter(|(_, fact)| fact.when == When::Once) {
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
        let mark = |(index, fact): (usize, &&LassoFact)| {
            let marked = match fact.when {
                When::Again => self.is_so(&fact.what, at),
                When::Forever => !self.is_so(&fact.what, at),
                When::Once => memory >> index & 1 == 0 || !self.is_so(&fact.after, at),
            };
            u64::from(marked) << index
        };
        self.facts.iter().enumerate().map(mark).fold(0, |all, mark| all | mark)
    }
}
