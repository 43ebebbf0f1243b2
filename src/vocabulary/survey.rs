//! A survey: what the vocabularies of a model give, and what others could.

use super::candidate::Candidate;
use super::choose::{Choice, choose};
use super::inventory::Inventory;
use super::rating::{Rating, items_used};
use super::trial::{AT_A_TIME, Question, Trial};
use super::word::{Part, Word};
use crate::budget::{Budget, Observer};
use crate::classify::Classification;
use crate::model::Vocabulary;
use rustc_hash::FxHashSet;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What was found out about the vocabularies of a model.
#[derive(Debug, Clone)]
pub struct Survey {
    /// The vocabularies that the model declares, in its order.
    pub declared: Vec<Trial>,
    /// What the program would choose, and what it tried.
    pub choice: Choice,
    /// The vocabularies that are worth to be shown beside it, best first: with other classes, and without words that
    /// these do not use.
    pub others: Vec<Trial>,
    /// Observables and predicates that were in complete vocabularies and in none of their classes.
    pub never_needed: Vec<String>,
}

/// Classifies with all vocabularies that a model declares, and with those that the program finds. With a limit of time, half
/// of it is for either; the number of classes is not limited for declared ones.
pub fn survey(
    question: &Question<'_>,
    declared: &[Vocabulary],
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Survey {
    let half = budget.share(2);
    let count = declared.len();
    let begun = AtomicUsize::new(0);
    let share = || half.share(count.saturating_sub(begun.fetch_add(1, Ordering::Relaxed)));
    let pairs = declared.chunks(AT_A_TIME).map(|pair| pair.iter().map(Candidate::declared).collect());
    let mut run = |pair| Trial::run_all(question, pair, usize::MAX, budget, share, observer);
    let declared: Vec<Trial> = pairs.flat_map(&mut run).collect();
    let mut choice = choose(question, budget, observer, &mut |_, _| {});
    for trial in &mut choice.trials {
        while declared.iter().any(|other| other.candidate.name == trial.candidate.name) {
            let name = format!("{}_found", trial.candidate.name);
            trial.candidate = trial.candidate.clone().named(&name);
        }
    }
    let others = others(question, &choice, budget, observer);
    let never_needed = never_needed(&Inventory::of(question.problem), declared.iter().chain(&choice.trials));
    Survey { declared, choice, others, never_needed }
}

/// At most so many vocabularies are shown beside the chosen one.
const MOST_OTHERS: usize = 6;

/// Of the trials that are as good in kind as the chosen one, those with the best ratings whose classes are not those of
/// a better one, each without the words that it does not use.
fn others(
    question: &Question<'_>,
    choice: &Choice,
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
        let smaller = trial.without_unused().filter(|_| budget.exhausted().is_none());
        let smaller = smaller.map(|candidate| {
            let most = 2 * trial.rating.classes + 2;
            Trial::run(question, candidate, most, &budget.share(4), observer)
        });
        found.push(smaller.filter(|smaller| smaller.rating <= trial.rating).unwrap_or_else(|| trial.clone()));
    }
    found
}

/// Names of what the model offers that complete vocabularies have and that none of their classes needs.
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
    // An observable is needed as well where something is said of its absence, or that it lacks something.
    let observed = |part: &&Part| {
        let words = [Word::Equal, Word::Lacks, Word::Absent].map(|word| word((*part).clone()));
        let said = |word: &Word| word.items().iter().any(|item| used.contains(&item.identity()));
        never(&words[0]) && !words.iter().any(said)
    };
    let labels = offered.labels();
    let parts = labels.iter().chain(&offered.variables).filter(observed).map(|part| part.name().to_owned());
    let predicates = offered.predicates.iter().filter(|word| never(word));
    parts.chain(predicates.flat_map(Word::names).map(str::to_owned).collect::<Vec<_>>()).collect()
}
