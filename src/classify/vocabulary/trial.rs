//! Trials: classifications with a candidate vocabulary.

use super::candidate::CandidateVocabulary;
use super::inventory::Inventory;
use super::rating::{Completeness, Rating, items_used};
use super::word::Word;
use crate::beyond::unbounded::Reach;
use crate::facts::problem::Problem;
use crate::results::options::{Mode, Options, Preference};
use crate::results::result::{Classification, Verdict, Why};
use crate::search::engine::classify;
use kit::budget::{Budget, Observer, helper, thread_time};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// The number of vocabularies tried at the same time. The number of threads changes neither the trials nor their time limits.
pub(super) const AT_A_TIME: usize = 2;

/// A classification, of finite or of infinite traces, for which vocabularies are tried.
pub(super) trait Classifying: Sync {
    /// Its result.
    type Result: Clone + Send;

    /// The words that the model has for it.
    fn offered(&self) -> Inventory;
    /// The part of a candidate that can be used, if there is one.
    fn usable(&self, candidate: CandidateVocabulary) -> Option<CandidateVocabulary>;
    /// Classifies with a candidate, up to so many classes; with the reason if nothing final is known then.
    fn classify(
        &self,
        candidate: &CandidateVocabulary,
        most_classes: usize,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> (Self::Result, Option<Cut>);
    fn rating(result: &Self::Result) -> Rating;
    /// True if no vocabulary can change the verdict: the property holds, or nothing is known of it.
    fn is_settled(result: &Self::Result) -> bool;
    /// The indices of the vocabulary's items that the classes are made of.
    fn items_used(result: &Self::Result) -> BTreeSet<usize>;
}

/// The question that every vocabulary is to answer.
#[derive(Debug, Clone, Copy)]
pub struct TrialQuestion<'a> {
    /// The model and the property.
    pub problem: Problem<'a>,
    /// The options of the classification; its preference is computed from `prefer`.
    pub options: &'a Options,
    /// The limits for traces of every length, if these are requested.
    pub reach: Option<Reach>,
    /// Names whose facts are preferred.
    pub prefer: &'a [String],
    /// Names whose facts are not used.
    pub hide: &'a [String],
}

/// The reason why a trial gave no final result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cut {
    /// More classes than this, while there are better vocabularies.
    Classes(usize),
    /// The trial's share of time or memory ended.
    Limit,
    /// The time or memory of the whole search ended, or the user interrupted it.
    Ended,
}

/// A candidate with its result.
#[derive(Debug, Clone)]
pub struct Trial<R = Classification> {
    /// The vocabulary.
    pub candidate: CandidateVocabulary,
    /// The classification up to the bound.
    pub result: R,
    /// The rating of the result.
    pub rating: Rating,
    /// The reason why the trial ended early, if it did.
    pub cut: Option<Cut>,
    /// Seconds of wall-clock time.
    pub seconds: f64,
    /// Seconds of processor time of its thread; of wall-clock time if the system does not measure that.
    pub work: f64,
}

impl TrialQuestion<'_> {
    /// Returns the options for a vocabulary, with its preferences. Vocabularies are compared by sufficient classes.
    pub fn options_for(&self, candidate: &CandidateVocabulary) -> Options {
        let meant = |name: &String| candidate.vocabulary.meant_by(self.problem.model, name);
        let items = self.prefer.iter().flat_map(meant).collect();
        Options { mode: Mode::Sufficient, preference: Preference { items }, ..self.options.clone() }
    }

    /// True if a complete trial's result is the final classification.
    pub(super) fn is_plain(&self) -> bool {
        let Options { start_with, keep_redundant, backend, check_backend, .. } = self.options;
        start_with.is_none() && !keep_redundant && backend == check_backend && self.reach.is_none()
    }
}

impl Classifying for TrialQuestion<'_> {
    type Result = Classification;

    fn offered(&self) -> Inventory {
        Inventory::of(self.problem)
    }

    fn usable(&self, candidate: CandidateVocabulary) -> Option<CandidateVocabulary> {
        candidate.without(self.problem.model, self.hide)
    }

    fn classify(
        &self,
        candidate: &CandidateVocabulary,
        most_classes: usize,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> (Classification, Option<Cut>) {
        let most = most_classes.min(self.options.max_classes.unwrap_or(usize::MAX));
        let options = Options {
            max_classes: Some(most),
            start_with: None,
            keep_redundant: false,
            check_backend: self.options.backend,
            ..self.options_for(candidate)
        };
        let result = classify(self.problem, &candidate.vocabulary, &options, budget, observer);
        let cut = match result.verdict {
            Verdict::Partial(Why::MaxClasses) => Some(Cut::Classes(most)),
            Verdict::Partial(_) | Verdict::Undecided { .. } => Some(Cut::Limit),
            Verdict::Holds | Verdict::Complete | Verdict::TooWeak(_) | Verdict::Remainder => None,
        };
        (result, cut)
    }

    fn rating(result: &Classification) -> Rating {
        Rating::of(result)
    }

    fn is_settled(result: &Classification) -> bool {
        matches!(result.verdict, Verdict::Holds | Verdict::Undecided { .. })
    }

    fn items_used(result: &Classification) -> BTreeSet<usize> {
        items_used(result)
    }
}

impl<R: Clone + Send> Trial<R> {
    /// Classifies with a candidate, up to `most_classes` classes.
    pub(super) fn run<Q: Classifying<Result = R>>(
        question: &Q,
        candidate: CandidateVocabulary,
        most_classes: usize,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> Self {
        let (start, before) = (Instant::now(), thread_time());
        let (result, cut) = question.classify(&candidate, most_classes, budget, observer);
        let rating = Q::rating(&result);
        let seconds = start.elapsed().as_secs_f64();
        let work =
            before.zip(thread_time()).map_or(seconds, |(before, after)| (after - before).as_secs_f64());
        Self { candidate, result, rating, cut, seconds, work }
    }

    /// Classifies with candidates at the same time, with as many threads as the budget has, and returns the trials in the
    /// order of the candidates; `share` gives the budget of each when it begins. The observer sees the trials of this thread.
    pub(super) fn run_all<Q: Classifying<Result = R>>(
        question: &Q,
        candidates: Vec<CandidateVocabulary>,
        most_classes: usize,
        budget: &Budget,
        share: impl Fn() -> Budget + Sync,
        observer: &mut dyn Observer,
    ) -> Vec<Self> {
        let all = budget;
        let threads = all.threads().min(candidates.len());
        // The threads share the processors.
        let each = NonZeroUsize::new(all.threads() / threads.max(1)).unwrap_or(NonZeroUsize::MIN);
        let mut done: Vec<Option<Self>> = candidates.iter().map(|_| None).collect();
        let jobs = Mutex::new(candidates.into_iter().zip(&mut done));
        let work = |observer: &mut dyn Observer| {
            // The lock is released before the trial begins.
            let next = || jobs.lock().unwrap_or_else(PoisonError::into_inner).next();
            while let Some((candidate, done)) = next() {
                let budget = share().with_threads(each);
                let mut trial = Self::run(question, candidate, most_classes, &budget, observer);
                if trial.cut == Some(Cut::Limit) && all.exhausted().is_some() {
                    trial.cut = Some(Cut::Ended);
                }
                *done = Some(trial);
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..threads {
                // If a thread cannot be started, this one does its work.
                let _ = helper().spawn_scoped(scope, || work(&mut ()));
            }
            work(observer);
        });
        drop(jobs);
        done.into_iter().flatten().collect()
    }

    /// Returns the vocabulary without unused words; `None` if not all classes are known, or all words are used.
    pub(super) fn without_unused<Q: Classifying<Result = R>>(&self) -> Option<CandidateVocabulary> {
        let words = self.candidate.words.as_ref().filter(|_| self.is_complete())?;
        let items = &self.candidate.vocabulary.items;
        let used = Q::items_used(&self.result).into_iter().filter_map(|item| items.get(item));
        let used: FxHashSet<String> = used.map(|item| item.identity()).collect();
        let is_used = |word: &&Word| {
            matches!(word, Word::Before | Word::Next)
                || word.items().iter().any(|item| used.contains(&item.identity()))
        };
        let left: Vec<Word> = words.iter().filter(is_used).cloned().collect();
        let name = format!("{}_used", self.candidate.name);
        (left.len() < words.len()).then(|| CandidateVocabulary::of(&name, left))
    }

    /// True if all classes are known.
    pub fn is_complete(&self) -> bool {
        self.rating.standing == Completeness::Complete
    }
}
