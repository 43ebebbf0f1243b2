//! The counterexamples looked at, the constraints made of them, and which of these are chosen as classes: an
//! implicit hitting set. Each counterexample must be in a chosen class; as few as possible are chosen; the
//! solver is asked for a counterexample outside of them, and that is one more to be covered.

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
use crate::results::result::Class;
use crate::search::cores;
use crate::search::draft::{CounterexampleFacts, Draft};
use crate::search::generalise::Freedom;
use crate::search::hitting_set;
use crate::search::minimise::Minimiser;
use crate::search::score::Score;
use kit::budget::{Budget, Limited};
use lang::model::PredicateId;
use lang::trace::Trace;
use rustc_hash::FxHashSet;
use solvers::unroll::Lengths;
use std::collections::BTreeSet;
use std::rc::Rc;

/// The most chosen classes that a new counterexample is tried to be joined with.
const MOST_JOINED: usize = 6;
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
    /// The candidate that preferences alone choose for it.
    pub first: CandidateId,
    /// The classes outside of which it is the first counterexample; `None` if it was looked for under further
    /// conditions.
    outside: Option<Vec<CandidateId>>,
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

/// A constraint that may become a class.
pub struct ClassCandidate {
    /// The constraint of its traces.
    pub constraint: Constraint,
    /// The constraint over the facts of the counterexample that it was made of, without individuals.
    pub draft: Draft,
    /// The assignment of its variables in that counterexample.
    pub assigned: Assignment,
    /// Which counterexample that is.
    pub sample: SampleId,
    /// The ground candidate that it was made of, if it is about individuals.
    ground: Option<CandidateId>,
    /// Of a ground candidate, which of its values can be freed, once that was asked for.
    freedom: Option<Freedom>,
    /// Which of its values are individuals.
    freed: Vec<LiftedValue>,
    /// For each fact a trace without violation that satisfies all others; empty until they were found.
    pub needed: Vec<Trace>,
    /// A shortest counterexample of it, with the places of its position variables, once it was found.
    pub shortest: Option<ShortestSample>,
    /// A shortest counterexample in no other class of the choice, once it was found.
    pub canonical: Option<Trace>,
    score: Score,
}

/// A shortest counterexample of a candidate.
#[derive(Clone)]
pub struct ShortestSample {
    /// The counterexample.
    pub trace: Trace,
    /// The assignment of the variables in it.
    pub assigned: Assignment,
}

/// Counterexamples, candidates, and the choice among these.
pub struct Pool<'a, 'm> {
    /// The counterexamples, in the order in which they were found.
    samples: Vec<PoolSample>,
    candidates: Vec<ClassCandidate>,
    /// Further counterexamples, which made a class more general.
    outliers: Vec<Rc<MemoisedTrace>>,
    /// For each counterexample the candidates that cover it.
    covering: Vec<Vec<CandidateId>>,
    /// The candidates chosen, ascending: they cover every counterexample of the pool.
    pub chosen: Vec<CandidateId>,
    /// True if no smaller choice of candidates does.
    pub minimum: bool,
    preference: &'a Preference,
    lifter: Lifter<'m>,
    budget: &'a Budget,
}

impl<'a, 'm> Pool<'a, 'm> {
    /// An empty pool.
    pub fn new(preference: &'a Preference, lifter: Lifter<'m>, budget: &'a Budget) -> Self {
        Self {
            samples: Vec::new(),
            candidates: Vec::new(),
            outliers: Vec::new(),
            covering: Vec::new(),
            chosen: Vec::new(),
            minimum: true,
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

    /// A candidate.
    pub fn candidate(&self, id: CandidateId) -> &ClassCandidate {
        &self.candidates[id.index()]
    }

    /// A candidate, to be completed.
    pub fn candidate_mut(&mut self, id: CandidateId) -> &mut ClassCandidate {
        &mut self.candidates[id.index()]
    }

    /// The chosen classes but for one.
    pub fn others(&self, class: CandidateId) -> Vec<CandidateId> {
        self.chosen.iter().copied().filter(|&c| c != class).collect()
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
        self.samples[sample.index()].first = own;
        // What traces of exact length share after their violation is arbitrary: there each class comes from one
        // counterexample, as in the paper.
        if matches!(oracle.lengths(), Lengths::Exactly(_)) || sample.index() >= MOST_REVISED {
            self.minimum = false;
            self.take_in(own);
            return Ok(size);
        }
        for class in self.chosen.clone().into_iter().take(MOST_JOINED) {
            self.join(oracle, class, sample)?;
        }
        self.choose();
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
        if let Some(same) = self.candidates.iter().position(|c| c.constraint == constraint) {
            return CandidateId::new(same);
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
        let sample = SampleId::new(self.samples.len());
        let candidates = (0..self.candidates.len()).map(CandidateId::new);
        let example = MemoisedTrace::new(trace);
        self.covering.push(candidates.filter(|&c| self.covers(oracle, c, &example)).collect());
        let shapes = facts.placed.iter().map(|placed| self.lifter.shape(placed.atom)).collect();
        let outside = first.then(|| self.chosen.clone());
        let own = CandidateId::new(self.candidates.len());
        self.samples.push(PoolSample { example, facts, first: own, outside, shapes, joined: Vec::new() });
        sample
    }

    /// The candidates that name values and have no individuals.
    pub fn ground_candidates(&self) -> impl Iterator<Item = CandidateId> {
        (0..self.candidates.len())
            .map(CandidateId::new)
            .filter(|&c| !self.candidate(c).constraint.is_lifted())
    }

    /// All counterexamples that are known.
    pub fn known_traces(&self) -> impl Iterator<Item = &Trace> {
        self.traces().chain(self.outliers.iter().map(|example| &example.trace))
    }

    /// The score of a candidate.
    pub fn score(&self, candidate: CandidateId) -> Score {
        self.candidate(candidate).score
    }

    /// The counterexamples of the pool that a candidate covers.
    fn covered_by(&self, candidate: CandidateId) -> Vec<SampleId> {
        (0..self.samples.len()).map(SampleId::new).filter(|&s| self.is_covered(s, candidate)).collect()
    }

    /// Demands a counterexample in none of these candidates.
    pub fn outside(&self, candidates: &[CandidateId]) -> Vec<SampleCondition> {
        let constraints = candidates.iter().map(|&c| self.candidate(c).constraint.clone());
        constraints.map(SampleCondition::Outside).collect()
    }

    /// The conditions for a counterexample that is lost where another candidate takes the place of a chosen class. If the choice is complete, it
    /// is in that class.
    pub fn lost(&self, class: CandidateId, by: CandidateId) -> Vec<SampleCondition> {
        let mut conditions = vec![SampleCondition::In(self.candidate(class).constraint.clone())];
        conditions.extend(self.outside(&self.others(class)));
        conditions.extend(self.outside(&[by]));
        conditions
    }

    /// Candidates that preferences alone choose for some counterexample and that are not chosen.
    pub fn passed_over(&self) -> Vec<CandidateId> {
        let firsts: BTreeSet<CandidateId> = self.samples.iter().map(|s| s.first).collect();
        firsts.into_iter().filter(|c| !self.chosen.contains(c)).collect()
    }

    /// True if a predicate is in the constraint that preferences alone choose for some counterexample.
    pub fn mentions(&self, atoms: &Atoms, predicate: PredicateId) -> bool {
        let facts = self.samples.iter().flat_map(|s| &self.candidate(s.first).constraint.facts);
        facts.into_iter().any(|fact| fact.predicate(atoms) == Some(predicate))
    }

    /// True if one of the counterexamples is in this class of the choice and in no other.
    pub fn has_sample_of_its_own(&self, class: CandidateId) -> bool {
        self.own_samples(class).next().is_some()
    }

    /// The first counterexample that is in no other class of the choice than this, if it was looked at.
    pub fn first_of_its_own(&self, class: CandidateId) -> Option<&Trace> {
        let chosen_others = |outside: &Vec<CandidateId>| outside.iter().all(|c| self.chosen.contains(c));
        let first = |sample: &&PoolSample| sample.outside.as_ref().is_some_and(chosen_others);
        self.own_samples(class).find(first).map(PoolSample::trace)
    }

    /// The counterexamples that are in this class of the choice and in no other.
    fn own_samples(&self, class: CandidateId) -> impl Iterator<Item = &PoolSample> {
        let own = move |covering: &Vec<CandidateId>| {
            let mut classes = covering.iter().filter(|c| self.chosen.contains(c));
            classes.next() == Some(&class) && classes.next().is_none()
        };
        self.samples.iter().zip(&self.covering).filter(move |(_, c)| own(c)).map(|(sample, _)| sample)
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

    /// Puts another candidate in the place of one that was chosen.
    pub fn replace(&mut self, class: CandidateId, by: CandidateId) {
        self.drop_class(class);
        self.take_in(by);
        self.samples.iter_mut().filter(|s| s.first == class).for_each(|s| s.first = by);
    }

    /// Takes a candidate into the choice.
    fn take_in(&mut self, candidate: CandidateId) {
        if let Err(place) = self.chosen.binary_search(&candidate) {
            self.chosen.insert(place, candidate);
        }
    }

    /// Takes a candidate out of the choice.
    pub fn drop_class(&mut self, candidate: CandidateId) {
        self.chosen.retain(|c| *c != candidate);
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
        let class = &mut self.candidates[candidate.index()];
        if class.needed.is_empty() {
            class.needed = witnesses(oracle, &class.constraint)?;
        }
        if class.shortest.is_none() {
            // The counterexample that the class was made of is a shortest one outside of older classes, but
            // these may share shorter ones with it.
            let own = self.samples[class.sample.index()].trace();
            let mut shortest = ShortestSample { trace: own.clone(), assigned: class.assigned.clone() };
            let inside = [SampleCondition::In(class.constraint.clone())];
            for length in least..oracle.steps_to_violation(own) {
                if let Some(trace) = oracle.shortest(length..=length, &inside)? {
                    let assigned = oracle.matches(&class.constraint, &trace);
                    shortest = ShortestSample { trace, assigned: assigned.unwrap_or_default() };
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
        let from = self.candidate(candidate);
        let sample = self.sample(from.sample);
        let own = || ShortestSample { trace: sample.trace().clone(), assigned: from.assigned.clone() };
        let ShortestSample { trace: representative, assigned } = from.shortest.clone().unwrap_or_else(own);
        Class {
            needed: from.needed.clone(),
            canonical: from.canonical.clone(),
            redundant: !self.chosen.contains(&candidate),
            initial_facts: sample.facts.placed.len(),
            ..Class::of(from.constraint.clone(), representative, assigned)
        }
    }

    /// Looks for constraints that cover the counterexamples of a class and a new one as well. They consist of facts that
    /// hold in all of these; where these facts together do not suffice for a violation, which is one question, there
    /// is none.
    fn join(&mut self, oracle: &mut dyn Oracle<'_>, class: CandidateId, newest: SampleId) -> Limited<()> {
        let owner = self.candidate(class).sample;
        // Constraints with absences are hard to prove sufficient.
        if [owner, newest].iter().any(|&s| !self.sample(s).facts.occurrences.is_empty()) {
            return Ok(());
        }
        let earlier = (0..newest.index()).map(SampleId::new);
        let mut together: Vec<SampleId> = earlier.filter(|&s| self.is_covered(s, class)).collect();
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
        let apart = [class, self.sample(newest).first].map(|c| self.candidate(c).score.length()).iter().sum();
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
        let covers_all = |pool: &Self, candidate| together.iter().all(|&s| pool.is_covered(s, candidate));
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
        let PoolSample { first, facts, .. } = self.sample(sample);
        self.candidate(*first).draft.atoms.iter().any(|&a| self.preference.carries(facts.atom(atoms, a)))
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
        if let Some(same) = self.candidates.iter().position(|c| c.constraint == constraint) {
            return CandidateId::new(same);
        }
        let score = Score::of(oracle.atoms(), &constraint, self.preference);
        let candidate = CandidateId::new(self.candidates.len());
        self.candidates.push(ClassCandidate {
            constraint,
            draft,
            assigned,
            sample,
            ground: None,
            freedom: None,
            freed: Vec::new(),
            needed: Vec::new(),
            shortest: None,
            canonical: None,
            score,
        });
        for other in 0..self.samples.len() {
            let is_own = other == sample.index();
            if is_own || self.covers(oracle, candidate, &self.samples[other].example) {
                self.covering[other].push(candidate);
            }
        }
        candidate
    }

    fn covers(&self, oracle: &dyn Oracle<'_>, candidate: CandidateId, example: &MemoisedTrace) -> bool {
        oracle.has(&self.candidate(candidate).constraint, example)
    }

    fn is_covered(&self, sample: SampleId, candidate: CandidateId) -> bool {
        self.covering[sample.index()].contains(&candidate)
    }

    /// A smallest choice, as the one there was covers all counterexamples but the newest.
    fn choose(&mut self) {
        let newest = self.samples.len() - 1;
        let scores: Vec<Score> = self.candidates.iter().map(|c| c.score).collect();
        let cover = hitting_set::best(&self.covering, &scores);
        self.minimum = cover.minimum;
        // The choice stays unless there is a smaller one: another choice of the same size covers the counterexamples
        // seen so far, but rarely the rest.
        if cover.chosen.len() <= self.chosen.len() {
            self.chosen = cover.chosen;
        } else {
            self.take_in(self.samples[newest].first);
        }
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
