//! Candidates for classes, and the choice among them, of finite or infinite traces: an implicit hitting set. Each counterexample must be in a
//! chosen class; as few as possible are chosen.

use crate::facts::fact::Assignment;
use crate::facts::index::{CandidateId, SampleId};
use crate::results::result::{Class, TraceKind};
use crate::search::hitting_set;
use crate::search::score::Score;
use std::collections::BTreeSet;

/// The most earlier classes or counterexamples that a new counterexample is tried to be joined with.
pub const MOST_JOINED: usize = 6;

/// A constraint that may become a class.
pub struct ClassCandidate<K: TraceKind, O> {
    /// The constraint of its traces.
    pub constraint: K::Constraint,
    /// The score for a reader.
    pub score: Score,
    /// The facts and values that it is made of.
    pub origin: O,
    /// The ground candidate that it was made of, if it is about individuals.
    pub ground: Option<CandidateId>,
    /// For each part a trace without violation that satisfies all others; empty until they were found.
    pub needed: Vec<K::Trace>,
    /// A shortest counterexample of it, once it was found.
    pub shortest: Option<AssignedTrace<K>>,
    /// A shortest counterexample in no other class of the choice, once it was found.
    pub canonical: Option<K::Trace>,
}

/// A trace of a constraint, with the values of its variables in the trace.
#[derive(Clone)]
pub struct AssignedTrace<K: TraceKind> {
    /// The trace.
    pub trace: K::Trace,
    /// The assignment of the variables in it.
    pub assigned: Assignment,
}

/// The place of a counterexample in the search.
struct SampleOrigin {
    /// The candidate that preferences alone choose for it.
    own: CandidateId,
    /// The classes outside of which it is the first counterexample; `None` if it was looked for under further
    /// conditions.
    outside: Option<Vec<CandidateId>>,
}

/// Candidates, and the choice among these.
pub struct Choice<K: TraceKind, O> {
    candidates: Vec<ClassCandidate<K, O>>,
    samples: Vec<SampleOrigin>,
    /// For each counterexample the candidates that cover it.
    covering: Vec<Vec<CandidateId>>,
    /// The candidates chosen, ascending: they cover every counterexample.
    pub chosen: Vec<CandidateId>,
    /// True if no smaller choice of candidates does.
    pub minimum: bool,
}

impl<K: TraceKind, O> Default for Choice<K, O> {
    fn default() -> Self {
        let (candidates, samples, covering) = (Vec::new(), Vec::new(), Vec::new());
        Self { candidates, samples, covering, chosen: Vec::new(), minimum: true }
    }
}

impl<K: TraceKind, O> Choice<K, O> {
    /// Returns a candidate.
    pub fn candidate(&self, id: CandidateId) -> &ClassCandidate<K, O> {
        &self.candidates[id.index()]
    }

    /// Returns a candidate, to be completed.
    pub fn candidate_mut(&mut self, id: CandidateId) -> &mut ClassCandidate<K, O> {
        &mut self.candidates[id.index()]
    }

    /// Returns the ground candidate that one was made of; it itself, if it is ground.
    pub fn ground_of(&self, candidate: CandidateId) -> CandidateId {
        self.candidate(candidate).ground.unwrap_or(candidate)
    }

    /// Iterates over the candidates that have no individuals.
    pub fn ground_candidates(&self) -> impl Iterator<Item = CandidateId> {
        let is_ground =
            |c: &CandidateId| K::statements(&self.candidate(*c).constraint).individuals.is_empty();
        (0..self.candidates.len()).map(CandidateId::new).filter(is_ground)
    }

    /// Iterates over the counterexamples, in the order in which they were found.
    pub fn samples(&self) -> impl DoubleEndedIterator<Item = SampleId> + use<K, O> {
        (0..self.samples.len()).map(SampleId::new)
    }

    /// Adds a counterexample, given which candidates cover it. `is_first` is true if it is the first one of all counterexamples that are
    /// outside of the chosen classes. [`Choice::set_own_candidate`] follows, unless its own candidate comes next.
    pub fn add_sample(&mut self, covers: impl Fn(&ClassCandidate<K, O>) -> bool, is_first: bool) -> SampleId {
        let covering = self.candidates.iter().enumerate().filter(|(_, candidate)| covers(candidate));
        self.covering.push(covering.map(|(index, _)| CandidateId::new(index)).collect());
        let own = CandidateId::new(self.candidates.len());
        let outside = is_first.then(|| self.chosen.clone());
        self.samples.push(SampleOrigin { own, outside });
        SampleId::new(self.samples.len() - 1)
    }

    /// Returns the candidate that preferences alone choose for a counterexample.
    pub fn own_candidate(&self, sample: SampleId) -> CandidateId {
        self.samples[sample.index()].own
    }

    /// Sets the candidate that preferences alone choose for a counterexample.
    pub fn set_own_candidate(&mut self, sample: SampleId, own: CandidateId) {
        self.samples[sample.index()].own = own;
    }

    /// Returns the candidate with a constraint, if there is one.
    pub fn with_constraint(&self, constraint: &K::Constraint) -> Option<CandidateId> {
        self.candidates.iter().position(|known| known.constraint == *constraint).map(CandidateId::new)
    }

    /// Returns the candidate with a constraint: a new one with the score and origin that `create` makes of it, unless there is an equal one.
    pub fn admit(
        &mut self,
        constraint: K::Constraint,
        create: impl FnOnce(&K::Constraint) -> (Score, O),
        covers: impl Fn(&K::Constraint, SampleId) -> bool,
    ) -> CandidateId {
        if let Some(same) = self.with_constraint(&constraint) {
            return same;
        }
        let id = CandidateId::new(self.candidates.len());
        for sample in self.samples() {
            if covers(&constraint, sample) {
                self.covering[sample.index()].push(id);
            }
        }
        let (score, origin) = create(&constraint);
        self.candidates.push(ClassCandidate {
            constraint,
            score,
            origin,
            ground: None,
            needed: Vec::new(),
            shortest: None,
            canonical: None,
        });
        id
    }

    /// True if a candidate covers a counterexample.
    pub fn is_covered(&self, sample: SampleId, candidate: CandidateId) -> bool {
        self.covering[sample.index()].contains(&candidate)
    }

    /// Returns the counterexamples that a candidate covers.
    pub fn covered_by(&self, candidate: CandidateId) -> Vec<SampleId> {
        self.samples().filter(|&sample| self.is_covered(sample, candidate)).collect()
    }

    /// Returns the chosen classes but for one.
    pub fn others(&self, class: CandidateId) -> Vec<CandidateId> {
        self.chosen.iter().copied().filter(|&other| other != class).collect()
    }

    /// Returns the candidates that preferences alone choose for some counterexample and that are not chosen.
    pub fn passed_over(&self) -> Vec<CandidateId> {
        let own: BTreeSet<CandidateId> = self.samples.iter().map(|sample| sample.own).collect();
        own.into_iter().filter(|candidate| !self.chosen.contains(candidate)).collect()
    }

    /// True if one of the counterexamples is in this class of the choice and in no other.
    pub fn has_sample_of_its_own(&self, class: CandidateId) -> bool {
        self.own_samples(class).next().is_some()
    }

    /// Returns the first counterexample that is in no other class of the choice than this, if it is known.
    pub fn first_of_its_own(&self, class: CandidateId) -> Option<SampleId> {
        let is_first = |sample: &SampleId| {
            let outside = self.samples[sample.index()].outside.as_ref();
            outside.is_some_and(|outside| outside.iter().all(|other| self.chosen.contains(other)))
        };
        self.own_samples(class).find(is_first)
    }

    /// Iterates over the counterexamples that are in this class of the choice and in no other.
    fn own_samples(&self, class: CandidateId) -> impl Iterator<Item = SampleId> {
        self.samples().filter(move |sample| {
            let mut classes =
                self.covering[sample.index()].iter().filter(|candidate| self.chosen.contains(candidate));
            classes.next() == Some(&class) && classes.next().is_none()
        })
    }

    /// Puts another candidate in the place of one that was chosen.
    pub fn replace(&mut self, class: CandidateId, by: CandidateId) {
        self.drop_class(class);
        self.take_in(by);
        self.samples.iter_mut().filter(|sample| sample.own == class).for_each(|sample| sample.own = by);
    }

    /// Takes a candidate into the choice.
    pub fn take_in(&mut self, candidate: CandidateId) {
        if let Err(place) = self.chosen.binary_search(&candidate) {
            self.chosen.insert(place, candidate);
        }
    }

    /// Takes a candidate out of the choice.
    pub fn drop_class(&mut self, candidate: CandidateId) {
        self.chosen.retain(|chosen| *chosen != candidate);
    }

    /// Makes a smallest choice, as the one there was covers all counterexamples but perhaps the newest.
    pub fn choose(&mut self) {
        let scores: Vec<Score> = self.candidates.iter().map(|candidate| candidate.score).collect();
        let cover = hitting_set::best(&self.covering, &scores);
        self.minimum = cover.minimum;
        // The choice stays unless there is a smaller one: another choice of the same size covers the counterexamples
        // seen so far, but rarely the rest.
        if cover.chosen.len() <= self.chosen.len() {
            self.chosen = cover.chosen;
        } else if let Some(newest) = self.samples.last() {
            self.take_in(newest.own);
        }
    }

    /// Returns the class of a candidate, as far as it is known; `example` gives one of its counterexamples.
    pub fn class(&self, candidate: CandidateId, example: impl FnOnce() -> AssignedTrace<K>) -> Class<K> {
        let from = self.candidate(candidate);
        let AssignedTrace { trace, assigned } = from.shortest.clone().unwrap_or_else(example);
        Class {
            needed: from.needed.clone(),
            canonical: from.canonical.clone(),
            redundant: !self.chosen.contains(&candidate),
            ..Class::of(from.constraint.clone(), trace, assigned)
        }
    }
}
