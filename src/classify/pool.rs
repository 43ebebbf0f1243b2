//! The counterexamples looked at, the constraints made of them, and which of these are chosen as classes: an
//! implicit hitting set. Each counterexample must be in a chosen class; as few as possible are chosen; the
//! solver is asked for a counterexample outside of them, and that is one more to be covered.

use super::block;
use super::constraint::Constraint;
use super::cores;
use super::cover;
use super::draft::{Draft, Facts};
use super::minimise::{Minimiser, Preference};
use super::restates::restates;
use super::result::Class;
use super::score::Score;
use super::space::{Limited, Space};
use crate::model::Model;
use crate::model::expr::Expr;
use crate::sat::Lit;
use crate::trace::Trace;
use std::collections::BTreeSet;

/// Of so many counterexamples several constraints are made, of later ones only one: what would join their
/// classes with those of the first ones was found there.
const MOST_WITH_SEVERAL: usize = 6;
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
    first_calls: u64,
    /// Whether other constraints of it were looked for.
    explored: bool,
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
}

impl<'a> Pool<'a> {
    /// Nothing yet.
    pub fn new(preference: &'a Preference, invariant: &'a Expr) -> Self {
        Self {
            samples: Vec::new(),
            candidates: Vec::new(),
            covering: Vec::new(),
            chosen: Vec::new(),
            minimum: true,
            preference,
            invariant,
        }
    }

    /// Adds a counterexample whose facts together suffice for a violation, and chooses again. Returns how many
    /// facts its own constraint has.
    pub fn add(&mut self, space: &mut Space<'_>, trace: Trace, mut facts: Facts) -> Limited<usize> {
        let before = space.circuit().solver_calls();
        let all: Vec<usize> = (0..facts.placed.len()).collect();
        let draft = Minimiser::new(space, &mut facts, self.preference).run(&all)?;
        let first_calls = space.circuit().solver_calls() - before;
        let size = draft.size();
        let sample = self.samples.len();
        let covered =
            (0..self.candidates.len()).filter(|&c| self.covers(space.unrolling.model, c, &trace)).collect();
        self.covering.push(covered);
        self.samples.push(Sample { trace, facts, first: 0, first_calls, explored: false });
        self.samples[sample].first = self.admit(space.unrolling.model, sample, draft);
        if sample > 0 {
            for index in 0..=sample.min(MOST_WITH_SEVERAL - 1) {
                self.explore(space, index)?;
            }
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
            restates: restates(model, self.invariant, &from.constraint),
            initial_facts: sample.facts.placed.len(),
        }
    }

    /// Makes other constraints of a counterexample. What only restates the property does not take the place of
    /// what the user's predicates say.
    fn explore(&mut self, space: &mut Space<'_>, index: usize) -> Limited<()> {
        let sample = &mut self.samples[index];
        // With absences each of them is hard to prove.
        if std::mem::replace(&mut sample.explored, true) || !sample.facts.occurrences.is_empty() {
            return Ok(());
        }
        let first = &self.candidates[sample.first].draft;
        let others = cores::others(space, &mut sample.facts, self.preference, first, sample.first_calls)?;
        let said_by_user = self.has_carrier(index, self.samples[index].first);
        for draft in others {
            let (constraint, _) = self.samples[index].facts.constraint(&draft);
            let carried = constraint.facts.iter().any(|f| f.predicate().is_some());
            if said_by_user && !carried && restates(space.unrolling.model, self.invariant, &constraint) {
                continue;
            }
            self.admit(space.unrolling.model, index, draft);
        }
        Ok(())
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
        if newest >= MOST_REVISED {
            self.minimum = false;
            self.chosen.push(self.samples[newest].first);
            return;
        }
        let scores: Vec<Score> = self.candidates.iter().map(|c| c.score).collect();
        let cover = cover::best(&self.covering, &scores);
        self.minimum = cover.minimum;
        // What was chosen stays as long as nothing is gained: another choice of the same size covers what was
        // seen, but rarely the rest.
        if cover.chosen.len() <= self.chosen.len() {
            self.chosen = cover.chosen;
        } else {
            self.chosen.push(self.samples[newest].first);
            self.chosen.sort_unstable();
        }
    }
}
