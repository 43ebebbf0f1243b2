//! The counterexamples looked at, the constraints made of them, and which of these are chosen as classes: an
//! implicit hitting set. Each counterexample must be in a chosen class; as few as possible are chosen; the
//! solver is asked for a counterexample outside of them, and that is one more to be covered.

use super::block;
use super::constraint::Constraint;
use super::cores;
use super::cover;
use super::draft::{Draft, Facts};
use super::fact::Atom;
use super::minimise::{Minimiser, Preference};
use super::restates::restates;
use super::result::Class;
use super::score::Score;
use super::space::{Limited, Space};
use crate::budget::Budget;
use crate::model::expr::Expr;
use crate::model::{Model, PredicateId};
use crate::sat::Lit;
use crate::trace::Trace;
use crate::unroll::Lengths;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use std::sync::Arc;

/// A new counterexample is tried to be joined with so many of the chosen classes.
const MOST_JOINED: usize = 6;
/// From so many counterexamples on, classes that were chosen stay chosen.
const MOST_REVISED: usize = 200;

/// A counterexample that was looked at.
pub struct Sample {
    /// The counterexample.
    pub trace: Trace,
    /// Its facts.
    pub facts: Facts,
    /// The candidate that preferences alone choose for it.
    pub first: usize,
    /// The classes outside of which it is the first counterexample; none if more was asked of it.
    outside: Option<Vec<usize>>,
    /// The addresses of the atoms of its facts.
    says: FxHashSet<usize>,
}

/// A constraint that may become a class.
pub struct Candidate {
    /// What its traces have in common.
    pub constraint: Constraint,
    /// The same over the facts of the counterexample that it was made of.
    pub draft: Draft,
    /// For each position variable its position in that counterexample.
    pub positions: Vec<usize>,
    /// Which counterexample that is.
    pub sample: usize,
    /// For each fact a trace without violation that satisfies all others; empty until they were found.
    pub needed: Vec<Trace>,
    /// A shortest counterexample of it, with the places of its position variables, once it was found.
    pub shortest: Option<(Trace, Vec<usize>)>,
    /// A shortest counterexample in no other class of the choice, once it was found.
    pub canonical: Option<Trace>,
    score: Score,
    /// A literal that is true in all of its traces, once it was needed.
    matched: Option<Lit>,
}

/// Counterexamples, candidates, and the choice among these.
pub struct Pool<'a> {
    /// The counterexamples, in the order in which they were found.
    pub samples: Vec<Sample>,
    /// The candidates.
    pub candidates: Vec<Candidate>,
    /// For each counterexample the candidates that cover it.
    covering: Vec<Vec<usize>>,
    /// The candidates chosen, ascending: they cover every counterexample of the pool.
    pub chosen: Vec<usize>,
    /// Whether no smaller choice of candidates does.
    pub minimum: bool,
    preference: &'a Preference,
    invariant: &'a Expr,
    budget: &'a Budget,
}

impl<'a> Pool<'a> {
    /// Nothing yet.
    pub fn new(preference: &'a Preference, invariant: &'a Expr, budget: &'a Budget) -> Self {
        Self {
            samples: Vec::new(),
            candidates: Vec::new(),
            covering: Vec::new(),
            chosen: Vec::new(),
            minimum: true,
            preference,
            invariant,
            budget,
        }
    }

    /// Adds a counterexample whose facts together suffice for a violation, and chooses again. `first` says that it is
    /// the first one outside of the chosen classes, of all counterexamples. Returns how many facts its own constraint has.
    pub fn add(
        &mut self,
        space: &mut Space<'_>,
        trace: Trace,
        mut facts: Facts,
        first: bool,
    ) -> Limited<usize> {
        let all: Vec<usize> = (0..facts.placed.len()).collect();
        let draft = Minimiser::new(space, &mut facts, self.preference).run(&all)?;
        let size = draft.size();
        let sample = self.samples.len();
        let covered =
            (0..self.candidates.len()).filter(|&c| self.covers(space.unrolling.model, c, &trace)).collect();
        self.covering.push(covered);
        let says = facts.placed.iter().map(|placed| address(&placed.atom)).collect();
        let outside = first.then(|| self.chosen.clone());
        self.samples.push(Sample { trace, facts, first: 0, outside, says });
        self.samples[sample].first = self.admit(space.unrolling.model, sample, draft);
        // What traces of exact length share after their violation, they share by chance: there a class is that of
        // one counterexample, as in the paper.
        if matches!(space.lengths(), Lengths::Exactly(_)) || sample >= MOST_REVISED {
            self.minimum = false;
            self.take_in(self.samples[sample].first);
            return Ok(size);
        }
        for class in self.chosen.clone().into_iter().take(MOST_JOINED) {
            self.join(space, class, sample)?;
        }
        self.choose();
        Ok(size)
    }

    /// Literals that are true outside of the chosen classes.
    pub fn outside(&mut self, space: &mut Space<'_>) -> Vec<Lit> {
        let chosen = self.chosen.clone();
        chosen.into_iter().map(|c| !self.matched(space, c)).collect()
    }

    /// A literal that is true in every trace of a candidate.
    pub fn matched(&mut self, space: &mut Space<'_>, candidate: usize) -> Lit {
        let candidate = &mut self.candidates[candidate];
        *candidate.matched.get_or_insert_with(|| block::matched(space, &candidate.constraint))
    }

    /// Candidates that preferences alone choose for some counterexample and that are not chosen.
    pub fn passed_over(&self) -> Vec<usize> {
        let firsts: BTreeSet<usize> = self.samples.iter().map(|s| s.first).collect();
        firsts.into_iter().filter(|c| !self.chosen.contains(c)).collect()
    }

    /// Whether a predicate is in the constraint that preferences alone choose for some counterexample.
    pub fn speaks_of(&self, predicate: PredicateId) -> bool {
        let of_samples = self.samples.iter().flat_map(|s| &self.candidates[s.first].constraint.facts);
        of_samples.into_iter().any(|fact| fact.predicate() == Some(predicate))
    }

    /// Whether one of the counterexamples is in this class of the choice and in no other.
    pub fn has_sample_of_its_own(&self, class: usize) -> bool {
        self.own_samples(class).next().is_some()
    }

    /// The first counterexample that is in no other class of the choice than this, if it was looked at.
    pub fn first_of_its_own(&self, class: usize) -> Option<&Trace> {
        let chosen_others = |outside: &Vec<usize>| outside.iter().all(|c| self.chosen.contains(c));
        let first = |sample: &&Sample| sample.outside.as_ref().is_some_and(chosen_others);
        self.own_samples(class).find(first).map(|sample| &sample.trace)
    }

    /// The counterexamples that are in this class of the choice and in no other.
    fn own_samples(&self, class: usize) -> impl Iterator<Item = &Sample> {
        let own = move |covering: &Vec<usize>| {
            let mut classes = covering.iter().filter(|c| self.chosen.contains(c));
            classes.next() == Some(&class) && classes.next().is_none()
        };
        self.samples.iter().zip(&self.covering).filter(move |(_, c)| own(c)).map(|(sample, _)| sample)
    }

    /// The candidate for a draft over the facts of a counterexample that suffices, once no fact of it can be left out.
    pub fn admit_minimised(&mut self, space: &mut Space<'_>, sample: usize, draft: Draft) -> Limited<usize> {
        let facts = &mut self.samples[sample].facts;
        let draft = Minimiser::new(space, facts, self.preference).again(draft)?;
        Ok(self.admit(space.unrolling.model, sample, draft))
    }

    /// Puts another candidate in the place of one that was chosen.
    pub fn replace(&mut self, class: usize, by: usize) {
        self.drop_class(class);
        self.take_in(by);
        self.samples.iter_mut().filter(|s| s.first == class).for_each(|s| s.first = by);
    }

    /// Takes a candidate into the choice.
    fn take_in(&mut self, candidate: usize) {
        if let Err(place) = self.chosen.binary_search(&candidate) {
            self.chosen.insert(place, candidate);
        }
    }

    /// Takes a candidate out of the choice.
    pub fn drop_class(&mut self, candidate: usize) {
        self.chosen.retain(|c| *c != candidate);
    }

    /// Finds what a class is shown with, as far as it is not known: its shortest counterexample, and for
    /// each fact a trace that shows that it is needed. No counterexample violates the property in fewer than
    /// `least` steps.
    pub fn complete(&mut self, space: &mut Space<'_>, candidate: usize, least: usize) -> Limited<()> {
        let class = &mut self.candidates[candidate];
        if class.needed.is_empty() {
            let facts = &mut self.samples[class.sample].facts;
            class.needed = Minimiser::new(space, facts, self.preference).witnesses(&class.draft)?;
        }
        if class.shortest.is_none() {
            // The counterexample that the class was made of is a shortest one outside of older classes, but
            // these may share shorter ones with it.
            let own = &self.samples[class.sample].trace;
            let mut shortest = (own.clone(), class.positions.clone());
            for length in least..space.steps_to_violation(own) {
                let facts = space.holding(&class.constraint.facts);
                if let Some(trace) = space.counterexample(length, &facts)? {
                    let positions = class.constraint.matches(space.unrolling.model, &trace.moments);
                    shortest = (trace, positions.unwrap_or_default());
                    break;
                }
            }
            class.shortest = Some(shortest);
        }
        Ok(())
    }

    /// A class of the result.
    pub fn class(&self, model: &Model, candidate: usize) -> Class {
        let from = &self.candidates[candidate];
        let sample = &self.samples[from.sample];
        let known = from.shortest.clone();
        let (representative, positions) =
            known.unwrap_or_else(|| (sample.trace.clone(), from.positions.clone()));
        Class {
            constraint: from.constraint.clone(),
            representative,
            positions,
            needed: from.needed.clone(),
            canonical: from.canonical.clone(),
            redundant: !self.chosen.contains(&candidate),
            restates: restates(model, self.invariant, &from.constraint, self.budget),
            initial_facts: sample.facts.placed.len(),
        }
    }

    /// Looks for constraints that cover the counterexamples of a class and a new one as well. They can say only
    /// what holds in all of these; where that does not suffice for a violation, which is one question, there
    /// is none.
    fn join(&mut self, space: &mut Space<'_>, class: usize, newest: usize) -> Limited<()> {
        let owner = self.candidates[class].sample;
        // With absences each of them is hard to prove.
        if [owner, newest].iter().any(|&s| !self.samples[s].facts.occurrences.is_empty()) {
            return Ok(());
        }
        let mut together: Vec<usize> = (0..newest).filter(|&s| self.covering[s].contains(&class)).collect();
        together.push(newest);
        let Sample { facts, .. } = &self.samples[owner];
        let said_by_all = |a: &usize| {
            let atom = address(&facts.placed[*a].atom);
            together.iter().all(|&s| self.samples[s].says.contains(&atom))
        };
        let common: Vec<usize> = (0..facts.placed.len()).filter(said_by_all).collect();
        let facts = &mut self.samples[owner].facts;
        let before = facts.questions();
        if !facts.suffices(space, &common, &facts.all_positions())? {
            return Ok(());
        }
        let first = Minimiser::new(space, facts, self.preference).run(&common)?;
        let questions = facts.questions() - before;
        let apart =
            [class, self.samples[newest].first].map(|c| self.candidates[c].score.length()).iter().sum();
        let joined = self.offer(space.unrolling.model, owner, first.clone(), apart);
        if joined.is_some_and(|candidate| together.iter().all(|&s| self.covering[s].contains(&candidate))) {
            return Ok(());
        }
        let facts = &mut self.samples[owner].facts;
        for draft in cores::others(space, facts, self.preference, &common, &first, questions)? {
            self.offer(space.unrolling.model, owner, draft, apart);
        }
        Ok(())
    }

    /// Admits a draft that is to stand for two classes. There must not be more to read than in these together,
    /// `apart`; and what only restates the property does not take the place of what the user's predicates say.
    fn offer(&mut self, model: &Model, sample: usize, draft: Draft, apart: usize) -> Option<usize> {
        let (constraint, _) = self.samples[sample].facts.constraint(&draft);
        let carried = constraint.facts.iter().any(|f| f.predicate().is_some());
        let said_by_user = self.has_carrier(sample, self.samples[sample].first);
        if Score::of(&constraint, self.preference).length() > apart {
            return None;
        }
        if said_by_user && !carried && restates(model, self.invariant, &constraint, self.budget) {
            return None;
        }
        Some(self.admit(model, sample, draft))
    }

    /// Whether a candidate of this counterexample says what the user wants to be said.
    fn has_carrier(&self, sample: usize, candidate: usize) -> bool {
        let placed = &self.samples[sample].facts.placed;
        self.candidates[candidate].draft.atoms.iter().any(|&a| self.preference.carries(&placed[a]))
    }

    /// The candidate for a draft: a new one, or an equal one that is there.
    fn admit(&mut self, model: &Model, sample: usize, draft: Draft) -> usize {
        let (constraint, positions) = self.samples[sample].facts.constraint(&draft);
        if let Some(same) = self.candidates.iter().position(|c| c.constraint == constraint) {
            return same;
        }
        let score = Score::of(&constraint, self.preference);
        let index = self.candidates.len();
        self.candidates.push(Candidate {
            constraint,
            draft,
            positions,
            sample,
            needed: Vec::new(),
            shortest: None,
            canonical: None,
            score,
            matched: None,
        });
        for other in 0..self.samples.len() {
            if other == sample || self.covers(model, index, &self.samples[other].trace) {
                self.covering[other].push(index);
            }
        }
        index
    }

    fn covers(&self, model: &Model, candidate: usize, trace: &Trace) -> bool {
        self.candidates[candidate].constraint.matches(model, &trace.moments).is_some()
    }

    /// A smallest choice, as the one there was covers all counterexamples but the newest.
    fn choose(&mut self) {
        let newest = self.samples.len() - 1;
        let scores: Vec<Score> = self.candidates.iter().map(|c| c.score).collect();
        let cover = cover::best(&self.covering, &scores);
        self.minimum = cover.minimum;
        // What was chosen stays as long as nothing is gained: another choice of the same size covers what was
        // seen, but rarely the rest.
        if cover.chosen.len() <= self.chosen.len() {
            self.chosen = cover.chosen;
        } else {
            self.take_in(self.samples[newest].first);
        }
    }
}

/// Atoms are told apart by their addresses.
fn address(atom: &Arc<Atom>) -> usize {
    Arc::as_ptr(atom) as usize
}
