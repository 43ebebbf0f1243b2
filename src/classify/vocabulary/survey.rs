//! Compares the vocabularies of a model with each other and with automatic ones.

use super::AUTO;
use super::candidate::CandidateVocabulary;
use super::choose::{VocabularyChoice, choose};
use super::inventory::Inventory;
use super::rating::{Rating, items_used};
use super::repair::SearchEffort;
use super::trial::{AT_A_TIME, Cut, Trial, TrialQuestion};
use super::word::{RestrictedObservable, Word};
use crate::results::result::{Classification, Verdict};
use kit::budget::{Budget, Exhausted, Observer};
use lang::model::Vocabulary;
use rustc_hash::FxHashSet;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The results of a survey.
#[derive(Debug, Clone)]
pub struct Survey {
    /// The vocabularies that the model declares, in its order.
    pub declared: Vec<Trial>,
    /// The automatic choice, and its trials.
    pub choice: VocabularyChoice,
    /// Other vocabularies worth showing next to it, best first: with other classes, and without unused words.
    pub others: Vec<Trial>,
    /// Observables and predicates of complete vocabularies that none of their classes uses.
    pub never_needed: Vec<String>,
    /// The reason if the survey is incomplete.
    pub ended: Option<SurveyEnd>,
}

/// The results so far, as a survey that a limit ended now.
pub type PartialSurvey<'a> = &'a dyn Fn(Exhausted) -> Survey;

/// The end of a survey before all vocabularies were tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SurveyEnd {
    /// The limit that ended it.
    pub why: Exhausted,
    /// The number of vocabularies tried.
    pub tried: usize,
    /// The number of vocabularies to try, as far as known.
    pub of: usize,
}

impl Survey {
    /// True if a violation is known.
    pub fn is_violated(&self) -> bool {
        let trials = self.declared.iter().chain(&self.choice.trials).map(|trial| &trial.result);
        let undecided =
            |result: &Classification| matches!(result.verdict, Verdict::Holds | Verdict::Undecided { .. });
        !trials.chain([&self.choice.result]).all(undecided)
    }
}

/// Classifies with all vocabularies that a model declares, and with automatic ones. With a limit of time,
/// half of it is for either; the number of classes is not limited for declared ones. Calls `on_progress` with
/// the results so far, as a function of the limit that ends the survey.
pub fn survey(
    question: &TrialQuestion<'_>,
    declared: &[Vocabulary],
    budget: &Budget,
    observer: &mut dyn Observer,
    on_progress: &mut dyn FnMut(PartialSurvey<'_>),
) -> Survey {
    let half = budget.share(2);
    let count = declared.len();
    let begun = AtomicUsize::new(0);
    let share = || half.share(count.saturating_sub(begun.fetch_add(1, Ordering::Relaxed)));
    let mut trials: Vec<Trial> = Vec::new();
    for pair in declared.chunks(AT_A_TIME) {
        let pair = pair.iter().map(CandidateVocabulary::declared).collect();
        trials.extend(Trial::run_all(question, pair, usize::MAX, budget, share, observer));
        on_progress(&|why| {
            so_far(&trials, VocabularyChoice::undecided(question, why), why, (trials.len(), count))
        });
    }
    let declared = trials;
    let mut choice = choose(question, SearchEffort::Thorough, budget, observer, &mut |trial, chosen| {
        let tried = count + chosen.tried;
        let candidate = trial.candidate.clone().named(AUTO);
        let (result, trials) = (trial.result.clone(), vec![trial.clone()]);
        let choice = VocabularyChoice { candidate, result, trials, untried: 0, left_out: false };
        on_progress(&|why| so_far(&declared, choice.clone(), why, (tried, tried + 1)));
    });
    for trial in &mut choice.trials {
        while declared.iter().any(|other| other.candidate.name == trial.candidate.name) {
            let name = format!("{}_found", trial.candidate.name);
            trial.candidate = trial.candidate.clone().named(&name);
        }
    }
    let others = others(question, &choice, budget, observer);
    let never_needed = never_needed(&Inventory::of(question.problem), declared.iter().chain(&choice.trials));
    let ended = ended(&declared, &choice, budget);
    Survey { declared, choice, others, never_needed, ended }
}

/// Returns the survey after trials of these declared vocabularies, `tried` of `of` in all.
fn so_far(
    declared: &[Trial],
    choice: VocabularyChoice,
    why: Exhausted,
    (tried, of): (usize, usize),
) -> Survey {
    Survey {
        declared: declared.to_vec(),
        choice,
        others: Vec::new(),
        never_needed: Vec::new(),
        ended: Some(SurveyEnd { why, tried, of }),
    }
}

/// Reports if vocabularies were left to try when the budget, or the part of it for trials, ended.
fn ended(declared: &[Trial], choice: &VocabularyChoice, budget: &Budget) -> Option<SurveyEnd> {
    let trials = || declared.iter().chain(&choice.trials);
    let tried = trials().filter(|trial| trial.cut != Some(Cut::Ended)).count();
    let of = trials().count() + choice.untried;
    let why = match budget.exhausted() {
        Some(why) => why,
        // The budget reserved for the result may have been enough.
        None if tried < of => Exhausted::Time,
        None => return None,
    };
    // If the property holds, there is nothing to compare.
    let is_settled = tried == of && choice.result.verdict == Verdict::Holds;
    (!is_settled).then_some(SurveyEnd { why, tried, of })
}

/// The greatest number of vocabularies shown next to the chosen one.
const MOST_OTHERS: usize = 6;

/// Returns the best trials of the same quality as the chosen one whose classes differ from those of better
/// ones, each without its unused words.
fn others(
    question: &TrialQuestion<'_>,
    choice: &VocabularyChoice,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Vec<Trial> {
    let model = question.problem.model;
    let classes = |result: &Classification| -> Vec<String> {
        let mut shown: Vec<String> =
            result.classes.iter().map(|class| class.constraint.show(model, &result.atoms)).collect();
        shown.sort();
        shown
    };
    let best = Rating::of(&choice.result);
    let mut known = vec![classes(&choice.result)];
    let mut trials: Vec<&Trial> = choice.trials.iter().filter(|trial| trial.is_complete()).collect();
    trials.retain(|trial| trial.rating.is_good() || !best.is_good());
    trials.sort_by_key(|trial| trial.rating);
    let mut found = Vec::new();
    for trial in trials {
        if found.len() == MOST_OTHERS || known.contains(&classes(&trial.result)) {
            continue;
        }
        known.push(classes(&trial.result));
        let smaller = trial.without_unused::<TrialQuestion<'_>>().filter(|_| budget.exhausted().is_none());
        let smaller = smaller.map(|candidate| {
            let most = 2 * trial.rating.classes + 2;
            Trial::run(question, candidate, most, &budget.share(4), observer)
        });
        found.push(smaller.filter(|smaller| smaller.rating <= trial.rating).unwrap_or_else(|| trial.clone()));
    }
    found
}

/// Returns the names of observables and predicates of complete vocabularies that none of their classes uses.
fn never_needed<'a>(offered: &Inventory, trials: impl Iterator<Item = &'a Trial>) -> Vec<String> {
    let (mut had, mut used) = (FxHashSet::default(), FxHashSet::default());
    for trial in trials.filter(|trial| trial.is_complete() && !trial.result.classes.is_empty()) {
        let items = &trial.candidate.vocabulary.items;
        had.extend(items.iter().map(|item| item.identity()));
        let in_classes = items_used(&trial.result);
        used.extend(in_classes.into_iter().filter_map(|item| items.get(item)).map(|item| item.identity()));
    }
    let never = |word: &Word| {
        let items: Vec<String> = word.items().iter().map(|item| item.identity()).collect();
        items.iter().any(|item| had.contains(item)) && !items.iter().any(|item| used.contains(item))
    };
    // Facts about absence or lacking use an observable as well.
    let observed = |part: &&RestrictedObservable| {
        let words = [Word::Equal, Word::Lacks, Word::Absent].map(|word| word((*part).clone()));
        let said = |word: &Word| word.items().iter().any(|item| used.contains(&item.identity()));
        never(&words[0]) && !words.iter().any(said)
    };
    let labels = offered.labels();
    let parts = labels.iter().chain(&offered.variables).filter(observed).map(|part| part.name().to_owned());
    let predicates = offered.predicates.iter().filter(|word| never(word));
    parts.chain(predicates.flat_map(Word::names).map(str::to_owned).collect::<Vec<_>>()).collect()
}
