//! The vocabulary that makes the fewest classes: candidates are classified with, two at the same time, and the best one
//! is made smaller, or larger where a word more joins classes.

use super::AUTO;
use super::candidate::{Candidate, plain, usual, wider, widest};
use super::inventory::Inventory;
use super::patience::Patience;
use super::rating::Rating;
use super::trial::{AT_A_TIME, Question, Trial};
use super::word::{Word, words_text};
use crate::beyond::unbounded::classify_unbounded;
use crate::results::options::Options;
use crate::results::result::{Classification, Verdict};
use crate::search::engine::classify;
use kit::budget::{Budget, Exhausted, Observer};
use rustc_hash::FxHashSet;
use std::time::Duration;

/// How long a vocabulary may take without a limit of time.
const PATIENCE: Patience = Patience { least: Duration::from_secs(5), most: Duration::from_secs(60) };

/// As long as there is no good vocabulary, another one is given up at so many classes.
const MANY: usize = 60;

/// At most so many words are added to the best vocabulary, one at a time.
const MOST_ADDED: usize = 16;

/// At most so many of the good vocabularies are tried for traces of every length.
const MOST_UNBOUNDED: usize = 3;

/// The vocabulary that was chosen, and what was tried.
#[derive(Debug, Clone)]
pub struct Choice {
    /// The vocabulary, under the name [`AUTO`].
    pub candidate: Candidate,
    /// The classification with it, as it was asked for.
    pub result: Classification,
    /// All that was tried, in this order.
    pub trials: Vec<Trial>,
    /// How many more would have been tried next when the budget ended.
    pub untried: usize,
}

/// How a vocabulary was chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chosen {
    /// Its declaration, ready to be pasted into the model.
    pub declaration: String,
    /// How many vocabularies were tried.
    pub tried: usize,
    /// How many of them were given up before all of their classes were known.
    pub cut_short: usize,
}

impl Choice {
    /// What is known before anything was tried.
    pub(super) fn undecided(question: &Question<'_>, why: Exhausted) -> Self {
        let Options { lengths, backend, .. } = question.options;
        let verdict = Verdict::Undecided { why, depth: 0 };
        let result = Classification::new(verdict, *lengths, backend.to_string());
        Self { candidate: Candidate::of(AUTO, vec![Word::Before]), result, trials: Vec::new(), untried: 0 }
    }

    /// How the vocabulary was chosen.
    pub fn chosen(&self) -> Chosen {
        Chosen::of(&self.candidate, &self.trials)
    }
}

impl Chosen {
    /// How a candidate was chosen among trials.
    pub fn of(candidate: &Candidate, trials: &[Trial]) -> Self {
        Self {
            declaration: candidate.clone().named(AUTO).declaration().unwrap_or_default(),
            tried: trials.len(),
            cut_short: trials.iter().filter(|trial| trial.cut.is_some()).count(),
        }
    }
}

/// Chooses a vocabulary. The best one has all classes, none that only restates the property, as few of them as possible, with as
/// little to read ([`Rating`]). `on_better` is told of every better trial, so that the best one is known if
/// the process has to end.
///
/// With a limit of time, a third of it (or half, if more is asked than classes up to the bound) is kept for the best one, and each
/// trial may take a quarter of what else is left; without one, a minute of processor time, or five times what
/// the best one took if that is less, but five seconds in any case, or, where that gives one class, twice as long, but a second in any
/// case. Nothing else depends on time.
pub fn choose(
    question: &Question<'_>,
    budget: &Budget,
    observer: &mut dyn Observer,
    on_better: &mut dyn FnMut(&Trial, &Chosen),
) -> Choice {
    // Where the best one was cut short, or more is asked of it, it is classified with once more.
    let searching = if question.is_plain() { budget.all_but_one(3) } else { budget.share(2) };
    let mut search = Search::new(question, &searching, observer, on_better);
    search.run();
    search.conclude(budget)
}

pub(super) struct Search<'a> {
    question: &'a Question<'a>,
    budget: &'a Budget,
    observer: &'a mut dyn Observer,
    on_better: &'a mut dyn FnMut(&Trial, &Chosen),
    offered: Inventory,
    trials: Vec<Trial>,
    /// Index of the best trial.
    best: usize,
    /// The texts of what was tried.
    tried: FxHashSet<String>,
    /// How many more would have been tried next when the budget ended.
    untried: usize,
}

impl<'a> Search<'a> {
    pub(super) fn new(
        question: &'a Question<'a>,
        budget: &'a Budget,
        observer: &'a mut dyn Observer,
        on_better: &'a mut dyn FnMut(&Trial, &Chosen),
    ) -> Self {
        let offered = Inventory::of(question.problem);
        let (trials, tried) = (Vec::new(), FxHashSet::default());
        Self { question, budget, observer, on_better, offered, trials, best: 0, tried, untried: 0 }
    }

    pub(super) fn run(&mut self) {
        self.try_all(usual(&self.offered));
        if self.is_decided() {
            return;
        }
        if !self.best_rating().is_some_and(|best| best.is_good() && best.classes <= 1) {
            self.try_all(wider(&self.offered));
        }
        if !self.best_rating().is_some_and(|best| best.is_good()) {
            self.try_all(widest(&self.offered));
        }
        self.shrink();
        if self.grow() {
            self.shrink();
        }
    }

    /// Whether no vocabulary can change the verdict: the property holds, nothing is known of it, or the budget has ended.
    fn is_decided(&self) -> bool {
        let first = self.trials.first().map(|trial| &trial.result.verdict);
        let same = matches!(first, Some(Verdict::Holds | Verdict::Undecided { .. }));
        same || self.budget.exhausted().is_some()
    }

    fn best_rating(&self) -> Option<Rating> {
        self.trials.get(self.best).map(|trial| trial.rating)
    }

    /// Classifies with candidates, two at a time: while one is tried, so is the next, if there are threads. The first one of all is
    /// tried alone, as no other may be needed.
    fn try_all(&mut self, candidates: impl IntoIterator<Item = Candidate>) {
        let mut candidates = candidates.into_iter();
        while !self.is_decided() {
            let most = if self.trials.is_empty() { 1 } else { AT_A_TIME };
            let next: Vec<Candidate> =
                candidates.by_ref().filter_map(|next| self.untried(next)).take(most).collect();
            if next.is_empty() {
                return;
            }
            self.attempt(next);
        }
        if self.untried == 0 && self.budget.exhausted().is_some() {
            self.untried = candidates.filter_map(|next| self.untried(next)).count();
        }
    }

    /// A candidate, unless the same one was tried before or nothing of it is left.
    fn untried(&mut self, candidate: Candidate) -> Option<Candidate> {
        let candidate = candidate.without(self.question.problem.model, self.question.hide)?;
        let text = candidate.words.as_deref().map(words_text).unwrap_or_default();
        self.tried.insert(text).then_some(candidate)
    }

    /// Classifies with candidates at the same time.
    fn attempt(&mut self, candidates: Vec<Candidate>) {
        let most = self.most_classes();
        let share = self.share();
        for trial in Trial::run_all(self.question, candidates, most, self.budget, share, self.observer) {
            let better = self.best_rating().is_none_or(|best| trial.rating < best);
            self.trials.push(trial);
            if better {
                self.make_best(self.trials.len() - 1);
            }
        }
    }

    fn make_best(&mut self, index: usize) {
        self.best = index;
        let trial = &self.trials[index];
        (self.on_better)(trial, &Chosen::of(&trial.candidate, &self.trials));
    }

    /// The number of classes at which a candidate is given up. Classes are united of late, so that is far above those of
    /// the best one.
    fn most_classes(&self) -> usize {
        match self.best_rating() {
            Some(best) if best.is_good() => (2 * best.classes + 10).min(MANY),
            _ => MANY,
        }
    }

    /// The limits of the next trials, as each begins.
    fn share(&self) -> impl Fn() -> Budget + Sync + use<> {
        let budget = self.budget.clone();
        let patience = match self.trials.get(self.best) {
            None => None,
            Some(best) if best.rating.is_good() => Some(PATIENCE.after(best.work, best.rating.classes)),
            Some(_) => Some(PATIENCE.most),
        };
        move || match patience {
            Some(patience) => budget.share(4).at_most_work(patience),
            // Whether the property is violated at all is found out here.
            None => budget.all_but_one(4),
        }
    }

    /// Leaves out of the best vocabulary what its classes do not use.
    fn shrink(&mut self) {
        let Some(best) = self.trials.get(self.best) else { return };
        let (Some(candidate), rating) = (best.without_unused(), best.rating) else { return };
        let before = self.trials.len();
        self.try_all([candidate]);
        // The same classes in fewer words are better.
        if self.trials.get(before).is_some_and(|last| last.rating == rating) {
            self.make_best(before);
        }
    }

    /// Adds one word to the best vocabulary if that joins classes; returns whether it did.
    fn grow(&mut self) -> bool {
        let Some(best) = self.trials.get(self.best) else { return false };
        let (rating, name) = (best.rating, best.candidate.name.clone());
        let Some(words) = best.candidate.words.clone() else { return false };
        if !best.is_complete() || rating.is_good() && rating.classes <= 1 {
            return false;
        }
        let offered = &self.offered;
        let equal = offered.variables.iter().chain(&offered.arguments).cloned().map(Word::Equal);
        let ties = offered.ties().into_iter().map(Word::Ties);
        let absent = std::iter::once(&offered.action).chain(&offered.arguments).cloned().map(Word::Absent);
        let more = offered.predicates.iter().cloned().chain(equal).chain(ties).chain(absent);
        let more: Vec<Word> = more.filter(|word| !words.contains(word)).take(MOST_ADDED).collect();
        let larger = more.into_iter().map(|word| {
            let about = word.names().first().copied().unwrap_or_default();
            let name = format!("{name}_with_{}", plain(about));
            Candidate::of(&name, std::iter::once(word).chain(words.iter().cloned()).collect())
        });
        self.try_all(larger.collect::<Vec<_>>());
        self.best_rating().is_some_and(|best| best < rating)
    }

    /// The classification as it was asked for, with the best vocabulary; for traces of every length, with the first one that
    /// is proved.
    fn conclude(self, budget: &Budget) -> Choice {
        let Self { question, observer, trials, best, untried, .. } = self;
        let Some(chosen) = trials.get(best) else {
            // Everything is hidden, or there was no time.
            let candidate = Candidate::of(AUTO, vec![Word::Before]);
            let result = final_result(question, &candidate, budget, observer);
            return Choice { candidate, result, trials, untried };
        };
        let plain = question.is_plain();
        let given_up = chosen.cut.is_some() && !matches!(chosen.result.verdict, Verdict::Undecided { .. });
        if plain && !given_up {
            let (candidate, result) = (chosen.candidate.clone().named(AUTO), chosen.result.clone());
            return Choice { candidate, result, trials, untried };
        }
        let mut order: Vec<usize> =
            (0..trials.len()).filter(|&index| trials[index].rating.is_good()).collect();
        order.sort_by_key(|&index| (index != best, trials[index].rating));
        order.retain(|&index| index != best);
        let most = if question.reach.is_some() { MOST_UNBOUNDED } else { 1 };
        let order: Vec<usize> = std::iter::once(best).chain(order).take(most).collect();
        let mut found: Option<(Candidate, Classification)> = None;
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
            // What is left of the budget can be less than what the trial had.
            (candidate, result) = (chosen.candidate.clone().named(AUTO), chosen.result.clone());
        }
        Choice { candidate, result, trials, untried }
    }
}

fn final_result(
    question: &Question<'_>,
    candidate: &Candidate,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Classification {
    let (options, vocabulary) = (question.options_for(candidate), &candidate.vocabulary);
    match question.reach {
        Some(reach) => classify_unbounded(question.problem, vocabulary, &options, reach, budget, observer),
        None => classify(question.problem, vocabulary, &options, budget, observer),
    }
}
