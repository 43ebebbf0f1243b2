//! Chooses the vocabulary with the fewest classes of infinite counterexamples.

use super::AUTO;
use super::candidate::{Candidate, usual, wider, widest};
use super::choose::Chosen;
use super::inventory::Inventory;
use super::patience::Allowance;
use super::rating::{Rating, Standing};
use super::repair::{Effort, MOST_REPAIRS, Repair, Repairs};
use super::word::{Word, items_of, vocabulary, words_text};
use crate::facts::problem::Problem;
use crate::lassos::{
    LassoClassification, LassoFact, LassoOptions, LassoProblem, LassoVerdict, classify_lassos, usable,
};
use kit::budget::{Budget, Observer, thread_time};
use kit::diagnostics::Span;
use lang::model::expr::Expr;
use lang::model::{Vocabulary, VocabularyItem};
use rustc_hash::FxHashSet;
use std::time::{Duration, Instant};

/// The time limit of a trial in the absence of a limit of time.
const PATIENCE: Duration = Duration::from_secs(60);

/// The time limit of a trial of an addition.
const REPAIR_PATIENCE: Duration = Duration::from_secs(10);

/// The greatest number of words tried as additions.
const MOST_WORDS: usize = 32;

/// The vocabulary chosen for infinite traces.
#[derive(Debug, Clone)]
pub struct LassoChoice {
    /// The vocabulary, named [`AUTO`].
    pub candidate: Candidate,
    /// The classification with it, up to the bound.
    pub result: LassoClassification,
    /// A summary of the choice.
    pub chosen: Chosen,
}

/// Chooses a vocabulary for the fair infinite traces that violate a formula: one with all classes known, none
/// of which only restates the property; of these, the one with the fewest classes, then the least size, then
/// the fewest words. Facts about order are used only if no other vocabulary is good. Leaves out the items
/// meant by the names in `hide`; `None` if nothing remains. With little [effort](Effort::Brief), all trials after
/// the first one share [some seconds](super::SEARCH).
pub fn choose_for_lassos(
    problem: LassoProblem<'_>,
    hide: &[String],
    options: &LassoOptions,
    effort: Effort,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Option<LassoChoice> {
    let offered = offered_for_lassos(problem);
    let options = LassoOptions { in_order: false, ..options.clone() };
    let mut search = Search {
        problem,
        hide,
        options,
        budget,
        allowance: (effort == Effort::Brief).then(Allowance::default),
        observer,
        trials: Vec::new(),
        best: None,
        left_out: false,
    };
    search.try_all(usual(&offered));
    if search.is_open() || search.has_several() {
        search.try_all(wider(&offered));
    }
    if search.is_open() {
        search.try_all(widest(&offered));
    }
    if search.is_open() {
        search.options.in_order = true;
        search.try_all(usual(&offered));
    }
    search.allowance = None;
    search.shrink();
    let Search { trials, best, left_out, .. } = search;
    let cut_short = trials.iter().filter(|trial| trial.rating.standing == Standing::Partial).count();
    let tried = trials.len();
    let Trial { candidate, result, .. } = trials.into_iter().nth(best?)?;
    let candidate = candidate.named(AUTO);
    let declaration = candidate.declaration().unwrap_or_default();
    Some(LassoChoice { candidate, result, chosen: Chosen { declaration, tried, cut_short, left_out } })
}

/// Collects the observables and predicates of the model of a problem about infinite traces.
pub fn offered_for_lassos(problem: LassoProblem<'_>) -> Inventory {
    // Only the atoms that the property reads matter.
    let read = Expr::all(problem.formula.atoms().into_iter().cloned().collect(), Span::default());
    Inventory::of(Problem { model: problem.model, invariant: &read })
}

/// A trial of a vocabulary.
struct Trial {
    candidate: Candidate,
    /// True if its facts could express order.
    in_order: bool,
    result: LassoClassification,
    rating: Rating,
}

struct Search<'a> {
    problem: LassoProblem<'a>,
    hide: &'a [String],
    options: LassoOptions,
    budget: &'a Budget,
    /// Limits the trials together, if there is no limit of time.
    allowance: Option<Allowance>,
    observer: &'a mut dyn Observer,
    trials: Vec<Trial>,
    /// Index of the best trial.
    best: Option<usize>,
    /// True if some were left out for want of time that all trials have together.
    left_out: bool,
}

impl Search<'_> {
    /// True if no vocabulary can change the verdict: the property holds, nothing is known, or the budget has ended.
    fn is_decided(&self) -> bool {
        let first = self.trials.first().map(|trial| &trial.result.verdict);
        let same = matches!(first, Some(LassoVerdict::Holds | LassoVerdict::Undecided(_)));
        same || self.budget.exhausted().is_some()
    }

    /// True if there is no good vocabulary yet, and the search may go on.
    fn is_open(&self) -> bool {
        !self.is_decided() && !self.best_rating().is_some_and(|best| best.is_good())
    }

    /// True if the best vocabulary has several classes, so that another one may have fewer.
    fn has_several(&self) -> bool {
        !self.is_decided() && self.best_rating().is_some_and(|best| best.classes > 1)
    }

    fn best_rating(&self) -> Option<Rating> {
        self.best.map(|best| self.trials[best].rating)
    }

    fn try_all(&mut self, candidates: Vec<Candidate>) {
        for candidate in candidates {
            let words = candidate.words.unwrap_or_default();
            self.attempt(&candidate.name, words);
        }
    }

    /// Classifies with the words about one position, unless that was done before.
    fn attempt(&mut self, name: &str, mut words: Vec<Word>) {
        let model = self.problem.model;
        words.retain(|word| is_usable(self.problem, word));
        let Some(candidate) = Candidate::of(name, words).without(model, self.hide) else { return };
        let in_order = self.options.in_order;
        let same = |trial: &Trial| trial.candidate.words == candidate.words && trial.in_order == in_order;
        if candidate.vocabulary.items.is_empty() || self.is_decided() || self.trials.iter().any(same) {
            return;
        }
        let left = self.allowance.as_ref().map_or(PATIENCE, |allowance| allowance.left().min(PATIENCE));
        let share = match self.trials.is_empty() {
            true => self.budget.all_but_one(4),
            false if left.is_zero() => {
                self.left_out = true;
                return;
            }
            false => self.budget.share(4).at_most_work(left),
        };
        let (clock, before) = (Instant::now(), thread_time());
        let vocabulary = &candidate.vocabulary;
        let result = classify_lassos(self.problem, vocabulary, &self.options, &share, self.observer);
        let work =
            before.zip(thread_time()).map_or_else(|| clock.elapsed(), |(before, after)| after - before);
        self.allowance.iter_mut().for_each(|allowance| allowance.note(work.as_secs_f64()));
        let rating = Rating::of_lassos(&result);
        let is_better = self.best_rating().is_none_or(|best| rating < best);
        self.trials.push(Trial { candidate, in_order, result, rating });
        if is_better {
            self.best = Some(self.trials.len() - 1);
        }
    }

    /// Removes the words from the best vocabulary that its classes do not use.
    fn shrink(&mut self) {
        let Some(Trial { candidate, in_order, result, .. }) = self.best.map(|best| &self.trials[best]) else {
            return;
        };
        self.options.in_order = *in_order;
        let facts = result.classes.iter().flat_map(|class| &class.constraint.facts);
        let used = facts.flat_map(LassoFact::atoms).map(|about| result.atoms.get(about.atom).item);
        let used: FxHashSet<String> = used.map(|item| candidate.vocabulary.items[item].identity()).collect();
        let mut words = candidate.words.clone().unwrap_or_default();
        let is_used = |word: &Word| word.items().iter().any(|item| used.contains(&item.identity()));
        words.retain(is_used);
        let (name, before, rating) = (candidate.name.clone(), self.trials.len(), self.best_rating());
        self.attempt(&name, words);
        // Equal classes in fewer words are better.
        if self.trials.get(before).map(|last| last.rating) == rating {
            self.best = Some(before);
        }
    }
}

/// True if a word is about one position at a time.
fn is_usable(problem: LassoProblem<'_>, word: &Word) -> bool {
    let about_one = matches!(word, Word::Equal(_) | Word::Lacks(_) | Word::Predicate { .. });
    about_one && usable(problem.model, &Candidate::of("", vec![word.clone()]).vocabulary).1.is_empty()
}

/// Searches for additions that make a too weak vocabulary sufficient for the infinite traces of a problem:
/// single words, otherwise a minimal subset of all words. An addition with which all classes restate the
/// property does not count. Each trial may take ten seconds and an eighth of the rest of the budget.
pub fn repairs_for_lassos(
    problem: LassoProblem<'_>,
    base: &Vocabulary,
    hide: &[String],
    options: &LassoOptions,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Repairs {
    let known: FxHashSet<String> = base.items.iter().map(VocabularyItem::identity).collect();
    let is_new = |item: &VocabularyItem| !known.contains(&item.identity());
    let offered = offered_for_lassos(problem);
    let equal = offered.labels().into_iter().chain(offered.variables.iter().cloned()).map(Word::Equal);
    let words = equal.chain(offered.predicates.iter().cloned());
    let words = words.filter_map(|word| word.without(problem.model, hide));
    let useful = |word: &Word| is_usable(problem, word) && word.items().iter().any(is_new);
    let words: Vec<Word> = words.filter(useful).take(MOST_WORDS).collect();
    let options = &LassoOptions { in_order: false, ..options.clone() };
    let mut repairs = Repairs::default();
    let mut suffices = |words: &[Word]| -> Option<Repair> {
        if budget.exhausted().is_some() {
            return None;
        }
        let items = base.items.iter().cloned().chain(items_of(words).into_iter().filter(is_new)).collect();
        let (larger, share) = (vocabulary(&base.name, items), budget.share(8).at_most_work(REPAIR_PATIENCE));
        let result = classify_lassos(problem, &larger, options, &share, observer);
        let rating = Rating::of_lassos(&result);
        repairs.tried += 1;
        repairs.cut_short += usize::from(matches!(rating.standing, Standing::Partial | Standing::Undecided));
        let suffices = rating.standing == Standing::Complete && !rating.only_restates();
        suffices.then(|| Repair { text: words_text(words), rating })
    };
    let mut found: Vec<Repair> =
        words.iter().filter_map(|word| suffices(std::slice::from_ref(word))).collect();
    if found.is_empty()
        && !words.is_empty()
        && let Some(all) = suffices(&words)
    {
        let (mut kept, mut best) = (words.clone(), all);
        for word in words.iter().rev() {
            let fewer: Vec<Word> = kept.iter().filter(|other| *other != word).cloned().collect();
            if let Some(repair) = suffices(&fewer) {
                (kept, best) = (fewer, repair);
            }
        }
        found.push(best);
    }
    found.sort_by_key(|repair| repair.rating);
    found.truncate(MOST_REPAIRS);
    Repairs { best: found, ..repairs }
}
