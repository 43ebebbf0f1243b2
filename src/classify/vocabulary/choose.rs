//! Chooses the vocabulary with the fewest classes: classifies with the candidates, two at the same time, then
//! removes unused words from the best one, or adds a word that merges classes.

use super::AUTO;
use super::candidate::{CandidateVocabulary, plain, usual, wider, widest};
use super::inventory::Inventory;
use super::patience::{SEARCH, TrialTimeout};
use super::rating::Rating;
use super::repair::SearchEffort;
use super::trial::{AT_A_TIME, Classifying, Trial, TrialQuestion};
use super::word::{Word, words_text};
use crate::beyond::unbounded::classify_unbounded;
use crate::results::options::Options;
use crate::results::result::{Classification, Verdict};
use crate::search::engine::classify;
use kit::budget::{Budget, Exhausted, Observer};
use rustc_hash::FxHashSet;
use std::time::Duration;

/// The time limits of a trial in the absence of a limit of time.
const PATIENCE: TrialTimeout = TrialTimeout { least: Duration::from_secs(5), most: Duration::from_secs(60) };

/// While there is no good vocabulary, a trial is given up at this many classes.
const MANY: usize = 60;

/// The greatest number of words tried as additions to the best vocabulary, one at a time.
const MOST_ADDED: usize = 16;

/// The greatest number of good vocabularies tried for traces of every length.
const MOST_UNBOUNDED: usize = 3;

/// The chosen vocabulary, and all trials.
#[derive(Debug, Clone)]
pub struct VocabularyChoice {
    /// The vocabulary, named [`AUTO`].
    pub candidate: CandidateVocabulary,
    /// The classification with it, with the options of the question.
    pub result: Classification,
    /// All trials, in order.
    pub trials: Vec<Trial>,
    /// The number of candidates left to try when the budget ended.
    pub untried: usize,
    /// True if others were left out because the search without a limit of time had taken [its time](super::SEARCH).
    pub left_out: bool,
}

/// A summary of the choice of a vocabulary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChoiceSummary {
    /// The declarations of its predicates that the model lacks, one line each below its comment.
    pub predicates: Vec<String>,
    /// The declaration of the vocabulary, ready to be pasted into the model, after that of its predicates.
    pub declaration: String,
    /// The number of vocabularies tried.
    pub tried: usize,
    /// The number of trials given up before all of their classes were known.
    pub cut_short: usize,
    /// True if others were left out because the search without a limit of time had taken [its time](super::SEARCH).
    pub left_out: bool,
}

impl VocabularyChoice {
    /// Returns the choice before any trial.
    pub(super) fn undecided(question: &TrialQuestion<'_>, why: Exhausted) -> Self {
        let Options { lengths, backend, .. } = question.options;
        let verdict = Verdict::Undecided { why, depth: 0 };
        let result = Classification::new(verdict, *lengths, backend.to_string());
        let candidate = CandidateVocabulary::of(AUTO, vec![Word::Before]);
        Self { candidate, result, trials: Vec::new(), untried: 0, left_out: false }
    }

    /// Summarises the choice.
    pub fn chosen(&self) -> ChoiceSummary {
        ChoiceSummary { left_out: self.left_out, ..ChoiceSummary::of(&self.candidate, &self.trials) }
    }
}

impl ChoiceSummary {
    /// Summarises the choice of a candidate among trials.
    pub fn of<R>(candidate: &CandidateVocabulary, trials: &[Trial<R>]) -> Self {
        Self {
            predicates: candidate.predicates(),
            declaration: candidate.clone().named(AUTO).declaration().unwrap_or_default(),
            tried: trials.len(),
            cut_short: trials.iter().filter(|trial| trial.cut.is_some()).count(),
            left_out: false,
        }
    }
}

/// Chooses a vocabulary. The best one has all classes, none that only restates the property, as few of them
/// as possible, of the least size ([`Rating`]). Calls `on_better` with every better trial, so that the best
/// one is known if the process is killed.
///
/// With a limit of time, a third of it (or half, for more than classes up to the bound) is reserved for the
/// final result, and each trial may take a quarter of the rest. Without one, a trial may take a minute of
/// processor time; once there is a good vocabulary, five times its time, between five seconds and a minute;
/// if that has one class, twice its time, at least a second. With little [effort](SearchEffort::Brief), all trials after
/// the first one share [some seconds](super::SEARCH). Nothing else depends on time.
pub fn choose(
    question: &TrialQuestion<'_>,
    effort: SearchEffort,
    budget: &Budget,
    observer: &mut dyn Observer,
    on_better: &mut dyn FnMut(&Trial, &ChoiceSummary),
) -> VocabularyChoice {
    // The best vocabulary is used once more if its trial was cut short, or more than classes is requested.
    let searching = if question.is_plain() { budget.all_but_one(3) } else { budget.share(2) };
    let mut search = VocabularySearch::new(question, &searching, observer, on_better);
    search.left = (effort == SearchEffort::Brief).then_some(SEARCH);
    search.run();
    search.shrink();
    if search.grow() {
        search.shrink();
    }
    search.conclude(budget)
}

/// The search for a vocabulary, for finite or for infinite traces.
pub(super) struct VocabularySearch<'a, Q: Classifying> {
    pub question: &'a Q,
    budget: &'a Budget,
    /// The processor time left for the trials after the first one, if that is limited.
    pub left: Option<Duration>,
    observer: &'a mut dyn Observer,
    on_better: &'a mut dyn FnMut(&Trial<Q::Result>, &ChoiceSummary),
    offered: Inventory,
    pub trials: Vec<Trial<Q::Result>>,
    /// Index of the best trial.
    pub best: usize,
    /// The texts of the vocabularies tried.
    tried: FxHashSet<String>,
    /// The number of candidates left to try when the budget ended.
    untried: usize,
    /// True if some were left out for want of time that all trials have together.
    pub left_out: bool,
}

impl<'a, Q: Classifying> VocabularySearch<'a, Q> {
    pub(super) fn new(
        question: &'a Q,
        budget: &'a Budget,
        observer: &'a mut dyn Observer,
        on_better: &'a mut dyn FnMut(&Trial<Q::Result>, &ChoiceSummary),
    ) -> Self {
        let offered = question.offered();
        let (trials, tried) = (Vec::new(), FxHashSet::default());
        Self {
            question,
            budget,
            left: None,
            observer,
            on_better,
            offered,
            trials,
            best: 0,
            tried,
            untried: 0,
            left_out: false,
        }
    }

    /// Tries the usual vocabularies, then others unless one of them is good and has one class.
    pub(super) fn run(&mut self) {
        self.try_usual();
        if self.is_decided() {
            return;
        }
        if !self.is_explained() {
            self.try_all(wider(&self.offered));
        }
        if self.is_open() {
            self.try_all(widest(&self.offered));
        }
    }

    /// Tries the usual vocabularies, again if the question has changed.
    pub(super) fn try_usual(&mut self) {
        self.tried.clear();
        self.try_all(usual(&self.offered));
    }

    /// True if a better vocabulary is wanted, and there may be one.
    pub(super) fn is_open(&self) -> bool {
        !self.is_decided() && !self.best_rating().is_some_and(|best| best.is_good())
    }

    /// True if no vocabulary can change the verdict: the property holds, nothing is known, or the budget has ended.
    fn is_decided(&self) -> bool {
        self.trials.first().is_some_and(|first| Q::is_settled(&first.result))
            || self.budget.exhausted().is_some()
    }

    /// True if the best vocabulary is good and has one class, or few classes of added predicates where the model declares none.
    fn is_explained(&self) -> bool {
        let has_predicates = !self.offered.predicates.is_empty();
        self.trials.get(self.best).is_some_and(|Trial { candidate, rating, .. }| {
            rating.is_good()
                && (rating.classes <= 1
                    || rating.explains() && !has_predicates && !candidate.predicates().is_empty())
        })
    }

    fn best_rating(&self) -> Option<Rating> {
        self.trials.get(self.best).map(|trial| trial.rating)
    }

    /// Classifies with candidates, two at a time if there are threads. The very first runs alone, as no other may be needed.
    fn try_all(&mut self, candidates: impl IntoIterator<Item = CandidateVocabulary>) {
        let mut candidates = candidates.into_iter();
        while !self.is_decided() {
            let most = if self.trials.is_empty() { 1 } else { AT_A_TIME };
            let next: Vec<CandidateVocabulary> =
                candidates.by_ref().filter_map(|next| self.untried(next)).take(most).collect();
            if next.is_empty() {
                return;
            }
            if self.left.is_some_and(|left| left.is_zero()) {
                self.left_out = true;
                return;
            }
            self.attempt(next);
        }
        if self.untried == 0 && self.budget.exhausted().is_some() {
            self.untried = candidates.filter_map(|next| self.untried(next)).count();
        }
    }

    /// Returns a candidate without hidden names, unless it was tried before or is empty.
    fn untried(&mut self, candidate: CandidateVocabulary) -> Option<CandidateVocabulary> {
        let candidate = self.question.usable(candidate)?;
        let text = candidate.words.as_deref().map(words_text).unwrap_or_default();
        self.tried.insert(text).then_some(candidate)
    }

    /// Classifies with candidates at the same time.
    fn attempt(&mut self, candidates: Vec<CandidateVocabulary>) {
        let most = self.most_classes();
        let share = self.share();
        for trial in Trial::run_all(self.question, candidates, most, self.budget, share, self.observer) {
            let better = self.best_rating().is_none_or(|best| trial.rating < best);
            if let Some(left) = &mut self.left {
                let work = Duration::from_secs_f64(trial.work);
                *left = if self.trials.is_empty() { SEARCH.max(2 * work) } else { left.saturating_sub(work) };
            }
            self.trials.push(trial);
            if better {
                self.make_best(self.trials.len() - 1);
            }
        }
    }

    fn make_best(&mut self, index: usize) {
        self.best = index;
        let trial = &self.trials[index];
        (self.on_better)(trial, &ChoiceSummary::of(&trial.candidate, &self.trials));
    }

    /// Returns the number of classes at which a candidate is given up. Classes are merged late, hence the
    /// limit is far above the best number.
    fn most_classes(&self) -> usize {
        match self.best_rating() {
            Some(best) if best.is_good() => (2 * best.classes + 10).min(MANY),
            _ => MANY,
        }
    }

    /// Returns the limits of the next trials, evaluated when each begins.
    fn share(&self) -> Box<dyn Fn() -> Budget + Sync> {
        let budget = self.budget.clone();
        let patience = match self.trials.get(self.best) {
            None => None,
            Some(best) if best.rating.is_good() => Some(PATIENCE.after(best.work, best.rating.classes)),
            Some(_) => Some(PATIENCE.most),
        };
        let patience = patience.map(|patience| self.left.map_or(patience, |left| patience.min(left)));
        Box::new(move || match patience {
            Some(patience) => budget.share(4).at_most_work(patience),
            // The first trial decides if the property is violated at all.
            None => budget.all_but_one(4),
        })
    }

    /// Removes the words from the best vocabulary that its classes do not use.
    pub(super) fn shrink(&mut self) {
        let Some(best) = self.trials.get(self.best) else { return };
        let (Some(candidate), rating) = (best.without_unused::<Q>(), best.rating) else { return };
        let before = self.trials.len();
        // The trial takes no longer than the best one did.
        let left = self.left.take();
        self.try_all([candidate]);
        self.left = left;
        // Equal classes in fewer words are better.
        if self.trials.get(before).is_some_and(|last| last.rating == rating) {
            self.make_best(before);
        }
    }

    /// Adds one word to the best vocabulary if that merges classes; true if the rating improved.
    fn grow(&mut self) -> bool {
        let Some(best) = self.trials.get(self.best) else { return false };
        let (rating, name) = (best.rating, best.candidate.name.clone());
        let Some(words) = best.candidate.words.clone() else { return false };
        if !best.is_complete() || self.is_explained() {
            return false;
        }
        let offered = &self.offered;
        let established = offered.establishing.iter().cloned();
        let observed = offered.literals.iter().chain(&offered.variables).chain(&offered.arguments);
        let equal = observed.cloned().map(Word::Equal);
        let ties = offered.ties().into_iter().map(Word::Ties);
        let absent = std::iter::once(&offered.action).chain(&offered.arguments).cloned().map(Word::Absent);
        let more =
            established.chain(offered.predicates.iter().cloned()).chain(equal).chain(ties).chain(absent);
        let more: Vec<Word> = more.filter(|word| !words.contains(word)).take(MOST_ADDED).collect();
        let larger = more.into_iter().map(|word| {
            let about = word.names().first().copied().unwrap_or_default();
            let name = format!("{name}_with_{}", plain(about));
            CandidateVocabulary::of(&name, std::iter::once(word).chain(words.iter().cloned()).collect())
        });
        self.try_all(larger.collect::<Vec<_>>());
        self.best_rating().is_some_and(|best| best < rating)
    }
}

impl VocabularySearch<'_, TrialQuestion<'_>> {
    /// Returns the final classification with the best vocabulary; for traces of every length, with the first
    /// good one that is proved.
    fn conclude(self, budget: &Budget) -> VocabularyChoice {
        let Self { question, observer, trials, best, untried, left_out, .. } = self;
        let Some(chosen) = trials.get(best) else {
            // Everything is hidden, or there was no time.
            let candidate = CandidateVocabulary::of(AUTO, vec![Word::Before]);
            let result = final_result(question, &candidate, budget, observer);
            return VocabularyChoice { candidate, result, trials, untried, left_out };
        };
        let plain = question.is_plain();
        let given_up = chosen.cut.is_some() && !matches!(chosen.result.verdict, Verdict::Undecided { .. });
        if plain && !given_up {
            let (candidate, result) = (chosen.candidate.clone().named(AUTO), chosen.result.clone());
            return VocabularyChoice { candidate, result, trials, untried, left_out };
        }
        let mut order: Vec<usize> =
            (0..trials.len()).filter(|&index| trials[index].rating.is_good()).collect();
        order.sort_by_key(|&index| (index != best, trials[index].rating));
        order.retain(|&index| index != best);
        let most = if question.reach.is_some() { MOST_UNBOUNDED } else { 1 };
        let order: Vec<usize> = std::iter::once(best).chain(order).take(most).collect();
        let mut found: Option<(CandidateVocabulary, Classification)> = None;
        for (done, &index) in order.iter().enumerate() {
            let candidate = trials[index].candidate.clone().named(AUTO);
            let share = budget.share(order.len() - done);
            let result = final_result(question, &candidate, &share, observer);
            let proved = question.reach.is_none() || result.is_unbounded();
            if found.is_none() || proved {
                found = Some((candidate, result));
            }
            if proved || budget.exhausted().is_some() {
                break;
            }
        }
        let (mut candidate, mut result) = found.expect("at least one was classified");
        if plain && Rating::of(&result) > chosen.rating {
            // The rest of the budget can be less than the trial had.
            (candidate, result) = (chosen.candidate.clone().named(AUTO), chosen.result.clone());
        }
        VocabularyChoice { candidate, result, trials, untried, left_out }
    }
}

fn final_result(
    question: &TrialQuestion<'_>,
    candidate: &CandidateVocabulary,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Classification {
    let (options, vocabulary) = (question.options_for(candidate), &candidate.vocabulary);
    match question.reach {
        Some(reach) => classify_unbounded(question.problem, vocabulary, &options, reach, budget, observer),
        None => classify(question.problem, vocabulary, &options, budget, observer),
    }
}
