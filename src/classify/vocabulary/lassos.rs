//! Chooses the vocabulary with the fewest classes of infinite counterexamples.

use super::AUTO;
use super::candidate::CandidateVocabulary;
use super::choose::{ChoiceSummary, VocabularySearch};
use super::inventory::Inventory;
use super::patience::SEARCH;
use super::rating::{Completeness, Rating};
use super::repair::{MOST_REPAIRS, Repair, Repairs, SearchEffort};
use super::trial::{Classifying, Cut, Trial};
use super::word::{Word, items_of, vocabulary, words_text};
use crate::facts::problem::Problem;
use crate::lassos::{Infinite, LassoFact, LassoProblem, classify_lassos, usable};
use crate::results::options::Options;
use crate::results::result::{Classification, Verdict, Why};
use kit::budget::{Budget, Observer};
use kit::diagnostics::Span;
use lang::model::expr::Expr;
use lang::model::{Vocabulary, VocabularyItem};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use std::time::Duration;

/// The time limit of a trial of an addition.
const REPAIR_PATIENCE: Duration = Duration::from_secs(10);

/// The greatest number of words tried as additions.
const MOST_WORDS: usize = 32;

/// The vocabulary chosen for infinite traces.
#[derive(Debug, Clone)]
pub struct LassoChoice {
    /// The vocabulary, named [`AUTO`].
    pub candidate: CandidateVocabulary,
    /// The classification with it, up to the bound.
    pub result: Classification<Infinite>,
    /// A summary of the choice.
    pub chosen: ChoiceSummary,
}

/// Chooses a vocabulary for the fair infinite traces that violate a formula: one with all classes known, none
/// of which only restates the property; of these, the one with the fewest classes, then the least size, then
/// the fewest words. Facts about order are used only if no other vocabulary is good. Leaves out the items
/// meant by the names in `hide`; `None` if nothing remains. With little [effort](SearchEffort::Brief), all trials after
/// the first one share [some seconds](super::SEARCH).
pub fn choose_for_lassos(
    problem: LassoProblem<'_>,
    hide: &[String],
    options: &Options,
    effort: SearchEffort,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Option<LassoChoice> {
    let plain = Options { in_order: false, ..options.clone() };
    let in_order = Options { in_order: true, ..options.clone() };
    let [plain, in_order] = [&plain, &in_order].map(|options| LassoTrialQuestion { problem, hide, options });
    let mut keep_none = |_: &Trial<Classification<Infinite>>, _: &ChoiceSummary| {};
    let mut search = VocabularySearch::new(&plain, budget, observer, &mut keep_none);
    search.left = (effort == SearchEffort::Brief).then_some(SEARCH);
    search.run();
    let count = search.trials.len();
    if search.is_open() {
        search.question = &in_order;
        search.try_usual();
    }
    if search.best < count {
        search.question = &plain;
    }
    search.shrink();
    let VocabularySearch { trials, best, left_out, .. } = search;
    let candidate = trials.get(best)?.candidate.clone().named(AUTO);
    let chosen = ChoiceSummary { left_out, ..ChoiceSummary::of(&candidate, &trials) };
    let Trial { result, .. } = trials.into_iter().nth(best)?;
    Some(LassoChoice { candidate, result, chosen })
}

/// Collects the observables and predicates of the model of a problem about infinite traces, which no single step violates.
pub fn offered_for_lassos(problem: LassoProblem<'_>) -> Inventory {
    // Only the atoms that the property reads matter.
    let read = Expr::all(problem.formula.atoms().into_iter().cloned().collect(), Span::default());
    Inventory { literals: Vec::new(), ..Inventory::of(Problem { model: problem.model, invariant: &read }) }
}

/// Infinite traces for which vocabularies are tried.
struct LassoTrialQuestion<'a> {
    problem: LassoProblem<'a>,
    hide: &'a [String],
    options: &'a Options,
}

impl Classifying for LassoTrialQuestion<'_> {
    type Result = Classification<Infinite>;

    fn offered(&self) -> Inventory {
        offered_for_lassos(self.problem)
    }

    fn usable(&self, candidate: CandidateVocabulary) -> Option<CandidateVocabulary> {
        let words = candidate.words?.into_iter().filter(|word| is_usable(self.problem, word)).collect();
        let left = CandidateVocabulary::of(&candidate.name, words).without(self.problem.model, self.hide)?;
        (!left.vocabulary.items.is_empty()).then_some(left)
    }

    fn classify(
        &self,
        candidate: &CandidateVocabulary,
        most_classes: usize,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> (Classification<Infinite>, Option<Cut>) {
        let most = most_classes.min(self.options.max_classes.unwrap_or(usize::MAX));
        let options = Options { max_classes: Some(most), ..self.options.clone() };
        let result = classify_lassos(self.problem, &candidate.vocabulary, &options, budget, observer);
        let cut = match result.verdict {
            Verdict::Partial(Why::MaxClasses) => Some(Cut::Classes(most)),
            Verdict::Partial(Why::Exhausted(_)) | Verdict::Undecided { .. } => Some(Cut::Limit),
            _ => None,
        };
        (result, cut)
    }

    fn rating(result: &Classification<Infinite>) -> Rating {
        Rating::of_lassos(result)
    }

    fn is_settled(result: &Classification<Infinite>) -> bool {
        matches!(result.verdict, Verdict::Holds | Verdict::Undecided { .. })
    }

    fn items_used(result: &Classification<Infinite>) -> BTreeSet<usize> {
        let facts = result.classes.iter().flat_map(|class| &class.constraint.facts);
        facts.flat_map(LassoFact::atoms).map(|about| result.atoms.get(about.atom).item).collect()
    }
}

/// True if a word is about one position at a time.
fn is_usable(problem: LassoProblem<'_>, word: &Word) -> bool {
    let about_one = matches!(word, Word::Equal(_) | Word::Lacks(_) | Word::Predicate { .. });
    about_one
        && usable(problem.model, &CandidateVocabulary::of("", vec![word.clone()]).vocabulary).1.is_empty()
}

/// Searches for additions that make a too weak vocabulary sufficient for the infinite traces of a problem:
/// single words, otherwise a minimal subset of all words. An addition with which all classes restate the
/// property does not count. Each trial may take ten seconds and an eighth of the rest of the budget.
pub fn repairs_for_lassos(
    problem: LassoProblem<'_>,
    base: &Vocabulary,
    hide: &[String],
    options: &Options,
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
    let options = &Options { in_order: false, ..options.clone() };
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
        repairs.cut_short +=
            usize::from(matches!(rating.standing, Completeness::Partial | Completeness::Undecided));
        let suffices = rating.standing == Completeness::Complete && !rating.only_restates();
        suffices.then(|| Repair { predicates: Vec::new(), text: words_text(words), rating })
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
