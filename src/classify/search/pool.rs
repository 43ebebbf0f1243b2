//! The finite counterexamples looked at, and the constraints made of them, among which classes are chosen ([`Choice`]).

mod general;

use crate::facts::atom::Atoms;
use crate::facts::constraint::Constraint;
use crate::facts::fact::Assignment;
use crate::facts::index::{AtomId, CandidateId, PlacedId, PositionVar, SampleId};
use crate::facts::lifting::{LiftedValue, Lifter};
use crate::facts::memoised_trace::MemoisedTrace;
use crate::facts::restates::{restated, says_only_the_property};
use crate::oracles::oracle::{Oracle, SampleCondition};
use crate::oracles::sat::Sufficiency;
use crate::results::options::Preference;
use crate::results::result::{Class, Finite};
use crate::search::choice::{AssignedTrace, Choice, ClassCandidate, MOST_JOINED};
use crate::search::cores;
use crate::search::draft::{CounterexampleFacts, Draft};
use crate::search::generalise::Freedom;
use crate::search::minimise::Minimiser;
use crate::search::score::Score;
use kit::budget::{Budget, Limited};
use lang::model::PredicateId;
use lang::trace::Trace;
use rustc_hash::FxHashSet;
use solvers::unroll::Lengths;
use std::rc::Rc;

/// After this many counterexamples, chosen classes are no longer revised.
const MOST_REVISED: usize = 200;
/// A smallest set of facts is looked for with so many times the questions that minimising took, plus [`SOME_QUESTIONS_FOR_SMALLEST`].
const QUESTIONS_FOR_SMALLEST: u64 = 16;
const SOME_QUESTIONS_FOR_SMALLEST: u64 = 60;

/// A counterexample that was examined.
pub struct PoolSample {
    example: MemoisedTrace,
    /// The facts that are true of it, from which constraints are drawn.
    pub facts: CounterexampleFacts,
    /// The atoms of its facts, with individuals in the place of all values.
    shapes: FxHashSet<AtomId>,
    /// Joined candidates of facts of it that other counterexamples have as well.
    joined: Vec<Joined>,
}

impl PoolSample {
    /// The counterexample.
    pub fn trace(&self) -> &Trace {
        &self.example.trace
    }
}

/// Constraints of facts that several counterexamples have.
struct Joined {
    common: Vec<PlacedId>,
    /// The constraint that preferences choose.
    first: Draft,
    /// Another one with as few facts as any, if that was found and is as easy to read.
    smallest: Option<Draft>,
    /// How many questions the first one took.
    questions: u64,
    /// Further ones, once they were asked for.
    others: Option<Vec<Draft>>,
}

/// The draft of a finite candidate, with its counterexample.
pub struct DraftOrigin {
    /// The constraint over the facts of the counterexample that it was made of, without individuals.
    pub draft: Draft,
    /// The assignment of its variables in that counterexample.
    pub assigned: Assignment,
    /// Which counterexample that is.
    pub sample: SampleId,
    /// Of a ground candidate, which of its values can be freed, once that was asked for.
    freedom: Option<Freedom>,
    /// Which of its values are individuals.
    freed: Vec<LiftedValue>,
}

/// A candidate for a class of finite traces.
type FiniteCandidate = ClassCandidate<Finite, DraftOrigin>;

/// Counterexamples, candidates, and the choice among these.
pub struct Pool<'a, 'm> {
    /// The counterexamples, in the order in which they were found.
    samples: Vec<PoolSample>,
    /// The candidates, and the choice among them.
    pub choice: Choice<Finite, DraftOrigin>,
    /// Further counterexamples, which made a class more general.
    outliers: Vec<Rc<MemoisedTrace>>,
    preference: &'a Preference,
    lifter: Lifter<'m>,
    budget: &'a Budget,
}

impl<'a, 'm> Pool<'a, 'm> {
    /// An empty pool.
    pub fn new(preference: &'a Preference, lifter: Lifter<'m>, budget: &'a Budget) -> Self {
        Self {
            samples: Vec::new(),
            choice: Choice::default(),
            outliers: Vec::new(),
            preference,
            lifter,
            budget,
        }
    }

    /// A counterexample.
    pub fn sample(&self, id: SampleId) -> &PoolSample {
        &self.samples[id.index()]
    }

    /// The counterexamples, in the order in which they were found.
    pub fn traces(&self) -> impl Iterator<Item = &Trace> {
        self.samples.iter().map(PoolSample::trace)
    }

    /// How many counterexamples there are.
    pub fn len(&self) -> usize {
        self.samples.len()
    }

    /// True if there is none.
    pub fn is_empty(&self) -> bool {
        self.samples.is_empty()
    }

    /// True if classes can have individuals.
    pub fn can_have_individuals(&self) -> bool {
        !self.lifter.is_idle()
    }

    /// Adds a counterexample whose facts together suffice for a violation, and chooses again. `first` says that it is
    /// the first one outside of the chosen classes, of all counterexamples. Returns how many facts its own constraint has.
    pub fn add(
        &mut self,
        oracle: &mut dyn Oracle<'_>,
        trace: Trace,
        mut facts: CounterexampleFacts,
        first: bool,
    ) -> Limited<usize> {
        let all = facts.all();
        let draft = Minimiser::new(oracle, &mut facts, self.preference).run(&all)?;
        let size = draft.size();
        let sample = self.push_sample(oracle, trace, facts, first);
        let own = self.admit(oracle, sample, draft);
        self.choice.set_own_candidate(sample, own);
        // What traces of exact length share after their violation is arbitrary: there each class comes from one
        // counterexample, as in the paper.
        if matches!(oracle.lengths(), Lengths::Exactly(_)) || sample.index() >= MOST_REVISED {
            self.choice.minimum = false;
            self.choice.take_in(own);
            return Ok(size);
        }
        for class in self.choice.chosen.clone().into_iter().take(MOST_JOINED) {
            self.join(oracle, class, sample)?;
        }
        self.choice.choose();
        self.unite(oracle)?;
        self.free(oracle)?;
        Ok(size)
    }

    /// Adds a counterexample with a draft over its facts that suffices and of which no fact can be left out, unless the candidate for it is
    /// there already; returns that. The choice stays.
    pub fn admit_sample(
        &mut self,
        oracle: &dyn Oracle<'_>,
        trace: Trace,
        facts: CounterexampleFacts,
        draft: Draft,
    ) -> CandidateId {
        let (constraint, _) = facts.constraint(&draft);
        if let Some(same) = self.choice.with_constraint(&constraint) {
            return same;
        }
        let sample = self.push_sample(oracle, trace, facts, false);
        self.admit(oracle, sample, draft)
    }

    /// Adds a counterexample; its own candidate comes next, unless there is an equal one.
    fn push_sample(
        &mut self,
        oracle: &dyn Oracle<'_>,
        trace: Trace,
        facts: CounterexampleFacts,
        first: bool,
    ) -> SampleId {
        let example = MemoisedTrace::new(trace);
        let shapes = facts.placed.iter().map(|placed| self.lifter.shape(placed.atom)).collect();
        let covers = |candidate: &FiniteCandidate| oracle.has(&candidate.constraint, &example);
        let sample = self.choice.add_sample(covers, first);
        self.samples.push(PoolSample { example, facts, shapes, joined: Vec::new() });
        sample
    }

    /// All counterexamples that are known.
    pub fn known_traces(&self) -> impl Iterator<Item = &Trace> {
        self.traces().chain(self.outliers.iter().map(|example| &example.trace))
    }

    /// Demands a counterexample in none of these candidates.
    pub fn outside(&self, candidates: &[CandidateId]) -> Vec<SampleCondition> {
        let constraints = candidates.iter().map(|&c| self.choice.candidate(c).constraint.clone());
        constraints.map(SampleCondition::Outside).collect()
    }

    /// The conditions for a counterexample that is lost where another candidate takes the place of a chosen class. If the choice is complete, it
    /// is in that class.
    pub fn lost(&self, class: CandidateId, by: CandidateId) -> Vec<SampleCondition> {
        let mut conditions = vec![SampleCondition::In(self.choice.candidate(class).constraint.clone())];
        conditions.extend(self.outside(&self.choice.others(class)));
        conditions.extend(self.outside(&[by]));
        conditions
    }

    /// True if a predicate is in the constraint that preferences alone choose for some counterexample.
    pub fn mentions(&self, atoms: &Atoms, predicate: PredicateId) -> bool {
        let own = self.choice.samples().map(|sample| self.choice.own_candidate(sample));
        let mut facts = own.flat_map(|own| &self.choice.candidate(own).constraint.facts);
        facts.any(|fact| fact.predicate(atoms) == Some(predicate))
    }

    /// The candidate for a draft over the facts of a counterexample that suffices, once no fact of it can be left out.
    pub fn admit_minimised(
        &mut self,
        oracle: &mut dyn Oracle<'_>,
        sample: SampleId,
        draft: Draft,
    ) -> Limited<CandidateId> {
        let facts = &mut self.samples[sample.index()].facts;
        let draft = Minimiser::new(oracle, facts, self.preference).again(draft)?;
        Ok(self.admit(oracle, sample, draft))
    }

    /// Finds what a class is shown with, as far as it is not known: its shortest counterexample, and for
    /// each fact a trace that shows that it is needed. No counterexample violates the property in fewer than
    /// `least` steps.
    pub fn complete(
        &mut self,
        oracle: &mut dyn Oracle<'_>,
        candidate: CandidateId,
        least: usize,
    ) -> Limited<()> {
        let class = self.choice.candidate_mut(candidate);
        if class.needed.is_empty() {
            class.needed = witnesses(oracle, &class.constraint)?;
        }
        if class.shortest.is_none() {
            // The counterexample that the class was made of is a shortest one outside of older classes, but
            // these may share shorter ones with it.
            let origin = &class.origin;
            let own = self.samples[origin.sample.index()].trace();
            let mut shortest = AssignedTrace { trace: own.clone(), assigned: origin.assigned.clone() };
            let inside = [SampleCondition::In(class.constraint.clone())];
            for length in least..oracle.steps_to_violation(own) {
                if let Some(trace) = oracle.shortest(length..=length, &inside)? {
                    let assigned = oracle.matches(&class.constraint, &trace);
                    shortest = AssignedTrace { trace, assigned: assigned.unwrap_or_default() };
                    break;
                }
            }
            class.shortest = Some(shortest);
        }
        Ok(())
    }

    /// A class of the result.
    pub fn class(&self, oracle: &dyn Oracle<'_>, candidate: CandidateId) -> Class {
        let class = self.bare_class(candidate);
        Class {
            restates: restated(oracle.problem(), oracle.atoms(), &class.constraint, self.budget),
            ..class
        }
    }

    /// The class of a candidate, without the question how much of it restates the property.
    pub fn bare_class(&self, candidate: CandidateId) -> Class {
        let DraftOrigin { sample, assigned, .. } = &self.choice.candidate(candidate).origin;
        let sample = self.sample(*sample);
        let example = || AssignedTrace { trace: sample.trace().clone(), assigned: assigned.clone() };
        Class { initial_facts: sample.facts.placed.len(), ..self.choice.class(candidate, example) }
    }

    /// Looks for constraints that cover the counterexamples of a class and a new one as well. They consist of facts that
    /// hold in all of these; where these facts together do not suffice for a violation, which is one question, there
    /// is none.
    fn join(&mut self, oracle: &mut dyn Oracle<'_>, class: CandidateId, newest: SampleId) -> Limited<()> {
        let owner = self.choice.candidate(class).origin.sample;
        // Constraints with absences are hard to prove sufficient.
        if [owner, newest].iter().any(|&s| !self.sample(s).facts.occurrences.is_empty()) {
            return Ok(());
        }
        let mut together = self.choice.covered_by(class);
        together.retain(|&sample| sample != newest);
        together.push(newest);
        // Items that the user wrote for one value each, `p(A, t)` and `p(B, t)`, or that there are for each key of a map may say the
        // same of different individuals. Where they are told apart, there is less to choose from, which mostly gives fewer classes.
        let shapes = together.iter().map(|&other| &self.sample(other).shapes);
        let common = self.common(owner, |shape| shapes.clone().all(|known| known.contains(&shape)));
        let mut index = self.joined(oracle, owner, common)?;
        if index.is_none() && self.can_have_individuals() {
            let says = |shape: AtomId| oracle.atoms().get(shape).identity();
            let shapes = together.iter().map(|&other| &self.sample(other).shapes);
            let said: Vec<FxHashSet<String>> =
                shapes.map(|known| known.iter().map(|&shape| says(shape)).collect()).collect();
            let common = self.common(owner, |shape| said.iter().all(|known| known.contains(&says(shape))));
            index = self.joined(oracle, owner, common)?;
        }
        let Some(index) = index else { return Ok(()) };
        let apart = [class, self.choice.own_candidate(newest)];
        let apart = apart.map(|c| self.choice.candidate(c).score.length()).iter().sum();
        let Joined { first, smallest, .. } = &self.sample(owner).joined[index];
        let mut covered = false;
        for draft in smallest.iter().chain([first]).cloned().collect::<Vec<_>>() {
            covered |= self.offer_to(oracle, owner, draft, apart, &together)?;
        }
        if covered {
            return Ok(());
        }
        for draft in self.joined_otherwise(oracle, owner, index)? {
            self.offer_to(oracle, owner, draft, apart, &together)?;
        }
        Ok(())
    }

    /// The facts of a counterexample whose shapes are in common with others.
    fn common(&self, owner: SampleId, is_common: impl Fn(AtomId) -> bool) -> Vec<PlacedId> {
        let facts = &self.sample(owner).facts;
        let shape = |fact: PlacedId| self.lifter.shape(facts.placed(fact).atom);
        facts.all().into_iter().filter(|&fact| is_common(shape(fact))).collect()
    }

    /// The place of these facts of a counterexample among those that were joined; `None` if they do not suffice for a
    /// violation.
    fn joined(
        &mut self,
        oracle: &mut dyn Oracle<'_>,
        owner: SampleId,
        common: Vec<PlacedId>,
    ) -> Limited<Option<usize>> {
        let PoolSample { facts, joined, .. } = &mut self.samples[owner.index()];
        if let Some(known) = joined.iter().position(|known| known.common == common) {
            return Ok(Some(known));
        }
        let before = facts.questions();
        if !facts.suffices(oracle, &common, &facts.all_positions())? {
            return Ok(None);
        }
        let first = Minimiser::new(oracle, facts, self.preference).run(&common)?;
        let questions = facts.questions() - before;
        let most_questions = QUESTIONS_FOR_SMALLEST * questions + SOME_QUESTIONS_FOR_SMALLEST;
        let smallest = Minimiser::new(oracle, facts, self.preference).smallest(&common, most_questions)?;
        let (problem, atoms) = (oracle.problem(), oracle.atoms());
        let score = |draft: &Draft| Score::of(atoms, &facts.constraint(draft).0, self.preference);
        // What only restates the property explains nothing, however little there is to read.
        let smallest = smallest.filter(|draft| {
            *draft != first
                && score(draft).is_as_easy_as(&score(&first))
                && !says_only_the_property(problem, atoms, &facts.constraint(draft).0, self.budget)
        });
        joined.push(Joined { common, first, smallest, questions, others: None });
        Ok(Some(joined.len() - 1))
    }

    /// Further constraints of facts that were joined.
    fn joined_otherwise(
        &mut self,
        oracle: &mut dyn Oracle<'_>,
        owner: SampleId,
        index: usize,
    ) -> Limited<Vec<Draft>> {
        let PoolSample { facts, joined, .. } = &mut self.samples[owner.index()];
        let known = &mut joined[index];
        if let Some(others) = &known.others {
            return Ok(others.clone());
        }
        let others =
            cores::others(oracle, facts, self.preference, &known.common, &known.first, known.questions)?;
        Ok(known.others.insert(others).clone())
    }

    /// Offers a draft, and what it becomes with individuals where it does not cover all of these counterexamples. Returns
    /// whether they are covered.
    fn offer_to(
        &mut self,
        oracle: &mut dyn Oracle<'_>,
        owner: SampleId,
        draft: Draft,
        apart: usize,
        together: &[SampleId],
    ) -> Limited<bool> {
        let Some(candidate) = self.offer(oracle, owner, draft, apart) else { return Ok(false) };
        let covers_all =
            |pool: &Self, candidate| together.iter().all(|&s| pool.choice.is_covered(s, candidate));
        if covers_all(self, candidate) {
            return Ok(true);
        }
        Ok(self.general(oracle, candidate, together, &[])?.is_some())
    }

    /// Admits a draft that may replace two classes. It must not be longer than these together,
    /// `apart`; and a constraint that only restates the property does not replace one with predicates of the user.
    fn offer(
        &mut self,
        oracle: &dyn Oracle<'_>,
        sample: SampleId,
        draft: Draft,
        apart: usize,
    ) -> Option<CandidateId> {
        let (constraint, _) = self.sample(sample).facts.constraint(&draft);
        let carried = constraint.has_predicate(oracle.atoms());
        let said_by_user = self.has_carrier(oracle.atoms(), sample);
        if Score::of(oracle.atoms(), &constraint, self.preference).length() > apart {
            return None;
        }
        if said_by_user
            && !carried
            && says_only_the_property(oracle.problem(), oracle.atoms(), &constraint, self.budget)
        {
            return None;
        }
        Some(self.admit(oracle, sample, draft))
    }

    /// True if the candidate that preferences alone choose for a counterexample has facts that the user wants most.
    fn has_carrier(&self, atoms: &Atoms, sample: SampleId) -> bool {
        let (own, facts) = (self.choice.own_candidate(sample), &self.sample(sample).facts);
        let draft = &self.choice.candidate(own).origin.draft;
        draft.atoms.iter().any(|&a| self.preference.carries(facts.atom(atoms, a)))
    }

    /// The candidate for a draft: a new one, unless there is an equal one.
    fn admit(&mut self, oracle: &dyn Oracle<'_>, sample: SampleId, draft: Draft) -> CandidateId {
        let (constraint, positions) = self.sample(sample).facts.constraint(&draft);
        let assigned = Assignment { positions, ..Assignment::default() };
        self.admit_constraint(oracle, sample, draft, constraint, assigned)
    }

    fn admit_constraint(
        &mut self,
        oracle: &dyn Oracle<'_>,
        sample: SampleId,
        draft: Draft,
        constraint: Constraint,
        assigned: Assignment,
    ) -> CandidateId {
        let Self { choice, samples, preference, .. } = self;
        let create = |constraint: &Constraint| {
            let score = Score::of(oracle.atoms(), constraint, preference);
            (score, DraftOrigin { draft, assigned, sample, freedom: None, freed: Vec::new() })
        };
        choice.admit(constraint, create, |constraint, other| {
            other == sample || oracle.has(constraint, &samples[other.index()].example)
        })
    }

    fn covers(&self, oracle: &dyn Oracle<'_>, candidate: CandidateId, example: &MemoisedTrace) -> bool {
        oracle.has(&self.choice.candidate(candidate).constraint, example)
    }
}

/// For each fact of a constraint that suffices minimally, a trace without violation that satisfies all others.
///
/// # Panics
/// If a fact is not needed: that is a bug in this program.
fn witnesses(oracle: &mut dyn Oracle<'_>, constraint: &Constraint) -> Limited<Vec<Trace>> {
    let used: Vec<PositionVar> = constraint.variables().collect();
    let mut needed = Vec::new();
    for fact in 0..constraint.facts.len() {
        match oracle.sufficiency_shown(&constraint.without(fact).facts, &used)? {
            Sufficiency::Insufficient(accepting) => needed.push(accepting.trace),
            Sufficiency::Sufficient(_) => {
                panic!("a fact of a minimised constraint is not needed: {fact} of {constraint:?}")
            }
        }
    }
    Ok(needed)
}
