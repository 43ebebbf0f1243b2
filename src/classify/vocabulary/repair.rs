//! Repairs: what to add to a vocabulary that is too weak, found by classifying with it.

use super::candidate::Candidate;
use super::inventory::Inventory;
use super::rating::Rating;
use super::trial::{AT_A_TIME, Question, Trial};
use super::word::{Part, Word, vocabulary, words_text};
use crate::results::options::Options;
use crate::results::result::{TooWeak, Verdict};
use itertools::Itertools;
use kit::budget::{Budget, Observer};
use lang::model::{Model, Vocabulary};
use rustc_hash::FxHashSet;
use std::time::{Duration, Instant};

/// At most so many repairs are proposed.
pub const MOST_REPAIRS: usize = 3;

/// At most so many single words are tried,
const MOST_SINGLES: usize = 96;

/// and so many pairs of those that help.
const MOST_PAIRS: usize = 60;

/// Without a better one, a vocabulary is given up at so many classes,
const MOST_CLASSES: usize = 30;

/// and after this time.
const PATIENCE: Duration = Duration::from_secs(10);

/// Once there is an addition, others may take twice as long as the quickest of those that make no class that restates the property, but
/// this time in any case;
const LEAST_PATIENCE: Duration = Duration::from_millis(500);

/// and the search goes on for twice as long as it took so far, but for this time in any case.
const LEAST_AFTER: Duration = Duration::from_secs(1);

/// Absences of observables with more values than this are not tried: there is a fact for each value and each stretch.
const MOST_VALUES: u64 = 64;

/// Ties are tried two observables at a time, this often.
const MOST_TIES: usize = 20;

/// An addition to a vocabulary, with which all classes are known, and some of them say more than the property.
#[derive(Debug, Clone)]
pub struct Repair {
    /// What is added, as it stands between the braces of a vocabulary.
    pub text: String,
    /// What the classification with it is like.
    pub rating: Rating,
}

/// How long repairs are looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effort {
    /// Until some time after the first one: see [`repairs`].
    Brief,
    /// As long as the budget lasts and there may be better ones.
    Thorough,
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
/// the violation in question from the accepted trace; at last, as little as possible of what always suffices. What gives only classes
/// that restate the property is none. Each trial may take ten seconds and a sixth of what is left of the budget.
///
/// With little [effort](Effort::Brief), once there is an addition, the search goes on for twice as long as it took so far, but for
/// a second in any case; and once there is one without a class that restates the property, others may take twice as long as the quickest of
/// these, but half a second in any case.
pub fn repairs(
    question: &Question<'_>,
    base: &Vocabulary,
    weak: &TooWeak,
    effort: Effort,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Repairs {
    // What is proposed is classified with once more when it is used.
    let options = Options { self_check: false, ..question.options.clone() };
    let question = &Question { options: &options, ..*question };
    let known = base.items.iter().map(|item| item.identity()).collect();
    let mut search = Search {
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
    let words = search.words(&offered);
    let outcomes = search.attempt_each(words.iter().map(|word| vec![word.clone()]).collect(), false);
    if search.found.is_empty() {
        let helpful = words.iter().zip(outcomes).filter(|(_, outcome)| *outcome == Outcome::MovedOn);
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

/// What an addition does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outcome {
    /// All classes are known with it, and some of them say more than the property.
    Complete,
    /// All classes are known with it, and they only restate the property.
    Restates,
    /// It tells the violation in question from all accepted traces, as far as is known.
    MovedOn,
    /// It does not.
    StillWeak,
}

struct Search<'a> {
    question: &'a Question<'a>,
    base: &'a Vocabulary,
    /// The items of `base`, by what they say.
    known: FxHashSet<String>,
    effort: Effort,
    began: Instant,
    /// What there is for the search; less, once something was found.
    budget: Budget,
    observer: &'a mut dyn Observer,
    /// Seconds that the quickest trial took that sufficed and did not only restate the property.
    quickest: Option<f64>,
    /// What vocabularies could not tell apart; the violation in question is the first.
    weak: Vec<TooWeak>,
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

    /// Classifies with each of these additions, two at the same time, and notes what suffices, until the budget ends or, unless all are
    /// asked about, there is enough of it: the outcomes of those that were tried, in order. What one vocabulary could not tell
    /// apart, most others cannot either, which is seen without classifying.
    fn attempt_each(&mut self, additions: Vec<Vec<Word>>, all: bool) -> Vec<Outcome> {
        let mut outcomes = Vec::new();
        let mut additions = additions.into_iter();
        loop {
            // Those about which nothing is known, with their numbers.
            let mut open = Vec::new();
            while open.len() < AT_A_TIME && self.budget.exhausted().is_none() && (all || !self.has_enough()) {
                let Some(words) = additions.next() else { break };
                let larger = self.with(&words);
                self.repairs.tried += 1;
                let known = self.known_outcome(&larger);
                if known.is_none() {
                    open.push((outcomes.len(), words, Candidate::declared(&larger)));
                }
                outcomes.push(known.unwrap_or(Outcome::StillWeak));
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

    /// The vocabulary with these words added.
    fn with(&self, words: &[Word]) -> Vocabulary {
        let mut known = self.known.clone();
        let new = words.iter().flat_map(Word::items).filter(|item| known.insert(item.identity()));
        vocabulary(&self.base.name, self.base.items.iter().cloned().chain(new).collect())
    }

    /// What comes of a trial with these words added.
    fn outcome(&mut self, words: &[Word], trial: Trial) -> Outcome {
        self.repairs.cut_short += usize::from(trial.cut.is_some());
        if trial.is_complete() {
            if trial.rating.only_restates() {
                return Outcome::Restates;
            }
            self.note(words, &trial);
            return Outcome::Complete;
        }
        let Verdict::TooWeak(weak) = trial.result.verdict else { return Outcome::MovedOn };
        let still = self.is_in_question(&weak);
        if !self.weak.contains(&weak) {
            self.weak.push(*weak);
        }
        if still { Outcome::StillWeak } else { Outcome::MovedOn }
    }

    /// The limits of the next trials, as each begins.
    fn limits(&self) -> impl Fn() -> Budget + Sync + use<> {
        let budget = self.budget.clone();
        let thorough = self.effort == Effort::Thorough;
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
        if self.effort == Effort::Brief {
            self.budget = self.budget.at_most((2 * self.began.elapsed()).max(LEAST_AFTER));
        }
        self.found.push(Repair { text: words_text(words), rating: trial.rating });
    }

    /// The outcome of a vocabulary that does not tell apart what others could not either, that in question first, as far as there is
    /// time to find out.
    fn known_outcome(&self, larger: &Vocabulary) -> Option<Outcome> {
        let (model, lengths, share) =
            (self.question.problem.model, self.question.options.lengths, self.limits()());
        let (in_question, others): (Vec<_>, Vec<_>) =
            self.weak.iter().partition(|weak| self.is_in_question(weak));
        let mut all = in_question.into_iter().chain(others);
        let known = all.find(|weak| weak.remains_with(model, larger, lengths, &share).unwrap_or(false))?;
        Some(if self.is_in_question(known) { Outcome::StillWeak } else { Outcome::MovedOn })
    }

    /// Whether that is the violation that the vocabulary as it is cannot tell from an accepted trace.
    fn is_in_question(&self, weak: &TooWeak) -> bool {
        weak.counterexample == self.weak[0].counterexample
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
        if self.attempt_each(vec![words.clone()], true) != [Outcome::Complete] {
            return;
        }
        let mut kept = words.clone();
        for word in words.iter().rev() {
            let left: Vec<Word> = kept.iter().filter(|other| *other != word).cloned().collect();
            if !left.is_empty() && self.attempt_each(vec![left.clone()], true) == [Outcome::Complete] {
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
