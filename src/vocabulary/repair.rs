//! Repairs: what to add to a vocabulary that is too weak, found by classifying with it.

use super::candidate::Candidate;
use super::inventory::Inventory;
use super::patience::Patience;
use super::rating::Rating;
use super::trial::{Question, Trial};
use super::word::{Part, Word, vocabulary, words_text};
use crate::budget::{Budget, Observer};
use crate::classify::{TooWeak, Verdict};
use crate::model::{Model, Vocabulary};
use itertools::Itertools;
use rustc_hash::FxHashSet;
use std::time::Duration;

/// At most so many repairs are proposed.
pub const MOST_REPAIRS: usize = 3;

/// At most so many single words are tried,
const MOST_SINGLES: usize = 96;

/// and so many pairs of those that help.
const MOST_PAIRS: usize = 60;

/// Without a better one, a vocabulary is given up at so many classes,
const MOST_CLASSES: usize = 30;

/// and after this time.
const PATIENCE: Patience = Patience { least: Duration::from_secs(1), most: Duration::from_secs(10) };

/// Absences of observables with more values than this are not tried: there is a fact for each value and each stretch.
const MOST_VALUES: u64 = 64;

/// Ties are tried two observables at a time, this often.
const MOST_TIES: usize = 20;

/// An addition to a vocabulary, with which all classes are known.
#[derive(Debug, Clone)]
pub struct Repair {
    /// What is added, as it stands between the braces of a vocabulary.
    pub text: String,
    /// What the classification with it is like.
    pub rating: Rating,
}

/// What came of the search for repairs.
#[derive(Debug, Clone, Default)]
pub struct Repairs {
    /// The best repairs, at most [`MOST_REPAIRS`].
    pub best: Vec<Repair>,
    /// How many additions were tried.
    pub tried: usize,
    /// How many of them were given up before all classes were known.
    pub cut_short: usize,
}

/// Looks for the smallest additions that make a vocabulary sufficient: single words first, then pairs of those that tell
/// the violation in question from the accepted trace; at last, as little as possible of what always suffices. Each trial may
/// take ten seconds and an eighth of what is left of the budget, and once there is a good addition, twenty times as long as that
/// took, but a second in any case.
pub fn repairs(
    question: &Question<'_>,
    base: &Vocabulary,
    weak: &TooWeak,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Repairs {
    let known = base.items.iter().map(|item| item.identity()).collect();
    let found = Vec::new();
    let repairs = Repairs::default();
    let mut search =
        Search { question, base, known, budget, observer, patience: PATIENCE.most, found, repairs };
    let offered = Inventory::of(question.problem);
    let mut helpful = Vec::new();
    for word in search.words(&offered) {
        if search.has_enough() {
            break;
        }
        if search.attempt(vec![word.clone()]).is_some_and(|verdict| moves_on(&verdict, weak)) {
            helpful.push(word);
        }
    }
    if search.found.is_empty() {
        for [one, other] in helpful.iter().array_combinations().take(MOST_PAIRS) {
            search.attempt(vec![one.clone(), other.clone()]);
        }
    }
    if search.found.is_empty() {
        search.shrink_widest(&offered);
    }
    search.found.sort_by_key(|repair| repair.rating);
    search.found.truncate(MOST_REPAIRS);
    Repairs { best: search.found, ..search.repairs }
}

/// Whether a vocabulary that is still too weak tells the violation in question from all accepted traces.
fn moves_on(verdict: &Verdict, weak: &TooWeak) -> bool {
    match verdict {
        Verdict::TooWeak(now) => now.counterexample != weak.counterexample,
        _ => true,
    }
}

struct Search<'a> {
    question: &'a Question<'a>,
    base: &'a Vocabulary,
    /// The items of `base`, by what they say.
    known: FxHashSet<String>,
    budget: &'a Budget,
    observer: &'a mut dyn Observer,
    /// How long a trial may take.
    patience: Duration,
    found: Vec<Repair>,
    repairs: Repairs,
}

impl Search<'_> {
    /// The words that could be added, the likeliest first.
    fn words(&self, offered: &Inventory) -> Vec<Word> {
        let model = self.question.problem.model;
        let labels = offered.labels();
        let few = |part: &&Part| values(model, part) <= MOST_VALUES;
        let equal = labels.iter().cloned().map(Word::Equal);
        let states = offered.variables.iter().cloned().map(Word::Equal);
        let pairs = offered.ties().into_iter().flat_map(|group| {
            let pairs: Vec<Vec<Part>> =
                group.into_iter().array_combinations().map(|pair: [Part; 2]| pair.into()).collect();
            pairs
        });
        let absent = labels.iter().chain(&offered.variables).filter(few).cloned().map(Word::Absent);
        let lacks = offered.variables.iter().filter_map(Part::sets).map(Word::Lacks);
        let words = equal
            .chain(offered.predicates.iter().cloned())
            .chain(states)
            .chain([Word::Before, Word::Next])
            .chain(pairs.map(Word::Ties).take(MOST_TIES))
            .chain(absent)
            .chain(lacks);
        words.filter_map(|word| self.allowed(word)).take(MOST_SINGLES).collect()
    }

    /// The word without what is hidden, unless the vocabulary has it.
    fn allowed(&self, word: Word) -> Option<Word> {
        let word = word.without(self.question.problem.model, self.question.hide)?;
        word.items().iter().any(|item| !self.known.contains(&item.identity())).then_some(word)
    }

    /// Classifies with these words added, and notes what suffices; `None` if the budget has ended.
    fn attempt(&mut self, words: Vec<Word>) -> Option<Verdict> {
        if self.budget.exhausted().is_some() {
            return None;
        }
        let mut known = self.known.clone();
        let new = words.iter().flat_map(Word::items).filter(|item| known.insert(item.identity()));
        let items = self.base.items.iter().cloned().chain(new).collect();
        let candidate = Candidate::declared(&vocabulary(&self.base.name, items));
        let share = self.budget.share(8).at_most(self.patience);
        let trial = Trial::run(self.question, candidate, self.most_classes(), &share, self.observer);
        self.repairs.tried += 1;
        self.repairs.cut_short += usize::from(trial.cut.is_some());
        if trial.is_complete() {
            if trial.rating.is_good() {
                self.patience = self.patience.min(PATIENCE.after(trial.seconds));
            }
            self.found.push(Repair { text: words_text(&words), rating: trial.rating });
        }
        Some(trial.result.verdict)
    }

    /// The number of classes at which an addition is given up.
    fn most_classes(&self) -> usize {
        let good = self.found.iter().filter(|repair| repair.rating.is_good());
        good.map(|repair| 2 * repair.rating.classes + 2).min().unwrap_or(MOST_CLASSES).min(MOST_CLASSES)
    }

    /// Whether no other addition can be better by much: there are enough good ones that give one class.
    fn has_enough(&self) -> bool {
        let best = |repair: &&Repair| repair.rating.is_good() && repair.rating.classes == 1;
        self.found.iter().filter(best).count() >= MOST_REPAIRS
    }

    /// All that states say suffices; of that, drops one word after the other that is not needed.
    fn shrink_widest(&mut self, offered: &Inventory) {
        let equal = offered.variables.iter().cloned().map(Word::Equal);
        let lacks = offered.variables.iter().filter_map(Part::sets).map(Word::Lacks);
        let words: Vec<Word> =
            equal.chain(lacks).chain([Word::Next]).filter_map(|word| self.allowed(word)).collect();
        if !matches!(self.attempt(words.clone()), Some(Verdict::Complete)) {
            return;
        }
        let mut kept = words.clone();
        for word in words.iter().rev() {
            let left: Vec<Word> = kept.iter().filter(|other| *other != word).cloned().collect();
            if !left.is_empty() && matches!(self.attempt(left.clone()), Some(Verdict::Complete)) {
                kept = left;
            }
        }
        // Only the smallest one is worth a proposal.
        let last = self.found.pop();
        self.found = last.into_iter().collect();
    }
}

/// How many values the leaves of an observable have, all together.
fn values(model: &Model, part: &Part) -> u64 {
    let sizes = part.leaves.iter().map(|leaf| model.types.cardinality(&leaf.expr.ty));
    sizes.fold(0, u64::saturating_add)
}
