//! Searches for additions to a vocabulary that is too weak, by classifying with them.

use super::candidate::CandidateVocabulary;
use super::inventory::Inventory;
use super::rating::{Rating, items_used};
use super::trial::{AT_A_TIME, Trial, TrialQuestion};
use super::word::{RestrictedObservable, Word, vocabulary, words_text};
use crate::results::options::Options;
use crate::results::result::{TooWeak, Verdict};
use itertools::Itertools;
use kit::budget::{Budget, Observer};
use lang::model::{Model, Vocabulary};
use rustc_hash::FxHashSet;
use std::time::{Duration, Instant};

/// The greatest number of repairs proposed.
pub const MOST_REPAIRS: usize = 3;

/// The greatest number of single words tried.
const MOST_SINGLES: usize = 96;

/// The greatest number of pairs of helpful words tried.
const MOST_PAIRS: usize = 60;

/// The number of classes at which a trial is given up, if there is no better repair.
const MOST_CLASSES: usize = 30;

/// The greatest time of a trial.
const PATIENCE: Duration = Duration::from_secs(10);

/// The lower limit of the time of a trial after a good addition, which may take twice as long as the quickest good one.
const LEAST_PATIENCE: Duration = Duration::from_millis(500);

/// The least time that the search goes on after an addition; otherwise twice as long as it took so far.
const LEAST_AFTER: Duration = Duration::from_secs(1);

/// Absences of observables with more values are not tried: they give a fact for each value and each stretch.
const MOST_VALUES: u64 = 64;

/// The greatest number of ties tried, of two observables each.
const MOST_TIES: usize = 20;

/// An addition to a vocabulary, with which all classes are known, and not all of them restate the property.
#[derive(Debug, Clone)]
pub struct Repair {
    /// The declarations of added predicates that the model lacks.
    pub predicates: Vec<String>,
    /// The added items, as written between the braces of a vocabulary.
    pub text: String,
    /// The rating of the classification with it.
    pub rating: Rating,
}

/// The effort of a search for vocabularies or repairs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SearchEffort {
    /// Until some time after the first one: see [`repairs`] and [`choose`](super::choose).
    Brief,
    /// While the budget lasts and better repairs are possible.
    Thorough,
}

/// The result of the search for repairs.
#[derive(Debug, Clone, Default)]
pub struct Repairs {
    /// The best repairs, at most [`MOST_REPAIRS`].
    pub best: Vec<Repair>,
    /// The number of additions tried.
    pub tried: usize,
    /// The number of trials given up before all classes were known.
    pub cut_short: usize,
}

/// Searches for the smallest additions that make a vocabulary sufficient: the steps that established the conditions of breaking steps, then single
/// words, then pairs of those that separate the violation in question from the accepted trace; finally, a minimal subset of a set
/// that always suffices. An addition with which all classes restate the property does not count. Each trial
/// may take ten seconds and a sixth of the rest of the budget.
///
/// With [brief](SearchEffort::Brief) effort, once there is an addition, the search goes on for twice as long as it took so far, at
/// least a second; once there is a good one, others may take twice as long as the quickest good one, at least half a second.
pub fn repairs(
    question: &TrialQuestion<'_>,
    base: &Vocabulary,
    weak: &TooWeak,
    effort: SearchEffort,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Repairs {
    // A proposal is checked when it is used.
    let options = Options { self_check: false, ..question.options.clone() };
    let question = &TrialQuestion { options: &options, ..*question };
    let known = base.items.iter().map(|item| item.identity()).collect();
    let mut search = RepairSearch {
        question,
        base,
        known,
        effort,
        began: Instant::now(),
        budget: budget.clone(),
        observer,
        quickest: None,
        weak: vec![weak.clone()],
        found: Vec::new(),
        repairs: Repairs::default(),
    };
    let offered = Inventory::of(question.problem);
    let established: Vec<Word> =
        offered.establishing.iter().cloned().filter_map(|word| search.allowed(word)).collect();
    if !established.is_empty() {
        search.attempt_each(vec![established], false);
    }
    let words = search.words(&offered);
    let outcomes = search.attempt_each(words.iter().map(|word| vec![word.clone()]).collect(), false);
    if search.found.is_empty() {
        let helpful = words.iter().zip(outcomes).filter(|(_, outcome)| *outcome == AdditionOutcome::MovedOn);
        let pairs = helpful.map(|(word, _)| word).array_combinations().take(MOST_PAIRS);
        search.attempt_each(pairs.map(|[one, other]| vec![one.clone(), other.clone()]).collect(), false);
    }
    if search.found.is_empty() {
        search.shrink_widest(&offered);
    }
    search.found.sort_by_key(|repair| repair.rating);
    search.found.truncate(MOST_REPAIRS);
    Repairs { best: search.found, ..search.repairs }
}

/// The outcome of an addition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum AdditionOutcome {
    /// All classes are known, and not all of them restate the property.
    Complete,
    /// All classes are known, and all of them restate the property.
    Restates,
    /// The violation in question is separated from all accepted traces, as far as known.
    MovedOn,
    /// The violation in question is still like an accepted trace.
    StillWeak,
}

struct RepairSearch<'a> {
    question: &'a TrialQuestion<'a>,
    base: &'a Vocabulary,
    /// The identities of the items of `base`.
    known: FxHashSet<String>,
    effort: SearchEffort,
    began: Instant,
    /// The budget of the search, reduced after a repair.
    budget: Budget,
    observer: &'a mut dyn Observer,
    /// Seconds of the quickest trial with a good rating.
    quickest: Option<f64>,
    /// The traces that vocabularies could not separate, those in question first.
    weak: Vec<TooWeak>,
    found: Vec<Repair>,
    repairs: Repairs,
}

impl RepairSearch<'_> {
    /// Returns the words that could be added, the likeliest first.
    fn words(&self, offered: &Inventory) -> Vec<Word> {
        let model = self.question.problem.model;
        let labels = offered.labels();
        let few = |part: &&RestrictedObservable| values(model, part) <= MOST_VALUES;
        let equal = offered.literals.iter().chain(&labels).cloned().map(Word::Equal);
        let states = offered.variables.iter().cloned().map(Word::Equal);
        let pairs = offered.ties().into_iter().flat_map(|group| {
            let pairs: Vec<Vec<RestrictedObservable>> = group
                .into_iter()
                .array_combinations()
                .map(|pair: [RestrictedObservable; 2]| pair.into())
                .collect();
            pairs
        });
        let absent = labels.iter().chain(&offered.variables).filter(few).cloned().map(Word::Absent);
        let lacks = offered.variables.iter().filter_map(RestrictedObservable::sets).map(Word::Lacks);
        let words = equal
            .chain(offered.predicates.iter().cloned())
            .chain(states)
            .chain([Word::Before, Word::Next])
            .chain(pairs.map(Word::Ties).take(MOST_TIES))
            .chain(absent)
            .chain(lacks);
        words.filter_map(|word| self.allowed(word)).take(MOST_SINGLES).collect()
    }

    /// Returns the word without hidden names, unless the vocabulary contains all of its items.
    fn allowed(&self, word: Word) -> Option<Word> {
        let word = word.without(self.question.problem.model, self.question.hide)?;
        word.items().iter().any(|item| !self.known.contains(&item.identity())).then_some(word)
    }

    /// Classifies with each addition, two at the same time, and notes those that suffice, until the budget ends
    /// or, unless `all`, there are enough. Returns the outcomes of the additions tried, in order. Most
    /// vocabularies that cannot separate two traces share this with others, which is detected without classifying.
    fn attempt_each(&mut self, additions: Vec<Vec<Word>>, all: bool) -> Vec<AdditionOutcome> {
        let mut outcomes = Vec::new();
        let mut additions = additions.into_iter();
        loop {
            // The additions without a known outcome, with their numbers.
            let mut open = Vec::new();
            while open.len() < AT_A_TIME && self.budget.exhausted().is_none() && (all || !self.has_enough()) {
                let Some(words) = additions.next() else { break };
                let larger = self.with(&words);
                self.repairs.tried += 1;
                let known = self.known_outcome(&larger);
                if known.is_none() {
                    open.push((outcomes.len(), words, CandidateVocabulary::declared(&larger)));
                }
                outcomes.push(known.unwrap_or(AdditionOutcome::StillWeak));
            }
            if open.is_empty() {
                return outcomes;
            }
            let (most, limits) = (self.most_classes(), self.limits());
            let candidates = open.iter().map(|(.., candidate)| candidate.clone()).collect();
            let trials = Trial::run_all(self.question, candidates, most, &self.budget, limits, self.observer);
            for ((number, words, _), trial) in open.into_iter().zip(trials) {
                outcomes[number] = self.outcome(&words, trial);
            }
        }
    }

    /// Returns the vocabulary with these words added.
    fn with(&self, words: &[Word]) -> Vocabulary {
        let mut known = self.known.clone();
        let new = words.iter().flat_map(Word::items).filter(|item| known.insert(item.identity()));
        vocabulary(&self.base.name, self.base.items.iter().cloned().chain(new).collect())
    }

    /// Evaluates a trial with these words added.
    fn outcome(&mut self, words: &[Word], trial: Trial) -> AdditionOutcome {
        self.repairs.cut_short += usize::from(trial.cut.is_some());
        if trial.is_complete() {
            if trial.rating.only_restates() {
                return AdditionOutcome::Restates;
            }
            self.note(words, &trial);
            return AdditionOutcome::Complete;
        }
        let Verdict::TooWeak(weak) = trial.result.verdict else { return AdditionOutcome::MovedOn };
        let still = self.is_in_question(&weak);
        if !self.weak.contains(&weak) {
            self.weak.push(*weak);
        }
        if still { AdditionOutcome::StillWeak } else { AdditionOutcome::MovedOn }
    }

    /// Returns the limits of the next trials, evaluated when each begins.
    fn limits(&self) -> impl Fn() -> Budget + Sync + use<> {
        let budget = self.budget.clone();
        let thorough = self.effort == SearchEffort::Thorough;
        let (quickest, none) = (self.quickest, self.found.is_empty());
        move || match quickest {
            _ if thorough => budget.share(6).at_most_work(PATIENCE),
            None if none => budget.share(6).at_most_work(PATIENCE),
            None => budget.share(3).at_most_work(PATIENCE),
            Some(quickest) => {
                let twice = Duration::from_secs_f64(2.0 * quickest);
                budget.at_most_work(twice.clamp(LEAST_PATIENCE, PATIENCE))
            }
        }
    }

    /// Notes an addition that suffices.
    fn note(&mut self, words: &[Word], trial: &Trial) {
        if trial.rating.is_good() {
            self.quickest = Some(self.quickest.map_or(trial.work, |quickest| quickest.min(trial.work)));
        }
        if self.effort == SearchEffort::Brief {
            self.budget = self.budget.at_most((2 * self.began.elapsed()).max(LEAST_AFTER));
        }
        let items = &trial.candidate.vocabulary.items;
        let used: FxHashSet<String> = items_used(&trial.result)
            .into_iter()
            .filter_map(|item| Some(items.get(item)?.identity()))
            .collect();
        let is_used = |word: &&Word| word.items().iter().any(|item| used.contains(&item.identity()));
        let needed: Vec<Word> = words.iter().filter(is_used).cloned().collect();
        let words = if needed.is_empty() { words } else { &needed };
        let predicates = words.iter().filter_map(Word::added).map(str::to_owned).collect();
        self.found.push(Repair { predicates, text: words_text(words), rating: trial.rating });
    }

    /// Returns the outcome of a vocabulary that fails to separate traces known to be alike for others, those
    /// in question first, if found in time.
    fn known_outcome(&self, larger: &Vocabulary) -> Option<AdditionOutcome> {
        let (model, lengths, share) =
            (self.question.problem.model, self.question.options.lengths, self.limits()());
        let (in_question, others): (Vec<_>, Vec<_>) =
            self.weak.iter().partition(|weak| self.is_in_question(weak));
        let mut all = in_question.into_iter().chain(others);
        let known = all.find(|weak| weak.remains_with(model, larger, lengths, &share).unwrap_or(false))?;
        Some(if self.is_in_question(known) { AdditionOutcome::StillWeak } else { AdditionOutcome::MovedOn })
    }

    /// True if the counterexample is the one that the original vocabulary cannot separate from an accepted trace.
    fn is_in_question(&self, weak: &TooWeak) -> bool {
        weak.counterexample == self.weak[0].counterexample
    }

    /// Returns the number of classes at which an addition is given up.
    fn most_classes(&self) -> usize {
        let good = self.found.iter().filter(|repair| repair.rating.is_good());
        good.map(|repair| 2 * repair.rating.classes + 2).min().unwrap_or(MOST_CLASSES).min(MOST_CLASSES)
    }

    /// True if there are enough good repairs with one class, so that no other can be much better.
    fn has_enough(&self) -> bool {
        let best = |repair: &&Repair| repair.rating.is_good() && repair.rating.classes == 1;
        self.found.iter().filter(best).count() >= MOST_REPAIRS
    }

    /// Tries all variables, which suffice, and drops unneeded words one after the other.
    fn shrink_widest(&mut self, offered: &Inventory) {
        let equal = offered.variables.iter().cloned().map(Word::Equal);
        let lacks = offered.variables.iter().filter_map(RestrictedObservable::sets).map(Word::Lacks);
        let words: Vec<Word> =
            equal.chain(lacks).chain([Word::Next]).filter_map(|word| self.allowed(word)).collect();
        if self.attempt_each(vec![words.clone()], true) != [AdditionOutcome::Complete] {
            return;
        }
        let mut kept = words.clone();
        for word in words.iter().rev() {
            let left: Vec<Word> = kept.iter().filter(|other| *other != word).cloned().collect();
            if !left.is_empty() && self.attempt_each(vec![left.clone()], true) == [AdditionOutcome::Complete]
            {
                kept = left;
            }
        }
        // Only the smallest one is worth proposing.
        let last = self.found.pop();
        self.found = last.into_iter().collect();
    }
}

/// Returns the number of values of all leaves of an observable.
fn values(model: &Model, part: &RestrictedObservable) -> u64 {
    let sizes = part.leaves.iter().map(|leaf| model.types.cardinality(&leaf.expr.ty));
    sizes.fold(0, u64::saturating_add)
}
