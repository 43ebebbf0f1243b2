//! Searches for an addition to a vocabulary with which fewer classes are enough.
//!
//! Facts about states identify an individual only indirectly, by what happened to the others. So the words
//! tried are arguments of actions, of the types of the classes' individuals.

use super::candidate::CandidateVocabulary;
use super::inventory::Inventory;
use super::rating::items_used;
use super::repair::Repair;
use super::trial::{Trial, TrialQuestion};
use super::word::{RestrictedObservable, Word, items_of, vocabulary, words_text};
use crate::results::options::{Mode, Options};
use crate::results::result::{Classification, Verdict};
use kit::budget::{Budget, Observer};
use lang::model::types::Type;
use lang::model::{Observable, Vocabulary};
use rustc_hash::FxHashSet;

/// Results with fewer classes than this are left alone.
const FEW: usize = 3;

/// Returns the arguments of actions with which the vocabulary gives fewer classes than this complete result,
/// if found within the budget.
pub fn fewer(
    question: &TrialQuestion<'_>,
    base: &Vocabulary,
    result: &Classification,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Option<Repair> {
    let asked = question.is_plain() && question.options.mode == Mode::Sufficient && result.cover.is_none();
    if !asked || result.verdict != Verdict::Complete || result.kinds() < FEW {
        return None;
    }
    let words = words(question, base, result);
    if words.is_empty() {
        return None;
    }
    let items = base.items.iter().cloned().chain(items_of(&words)).collect();
    let candidate = CandidateVocabulary::declared(&vocabulary(&base.name, items));
    let options = Options { self_check: false, ..question.options.clone() };
    let question = &TrialQuestion { options: &options, ..*question };
    let trial = Trial::run(question, candidate, result.classes.len() - 1, budget, observer);
    if !trial.is_complete() || !trial.rating.is_good() || trial.rating.classes >= result.kinds() {
        return None;
    }
    // Classes that tell how a step comes about are not replaced by one of that step alone.
    let positions = |of: &Classification| -> Vec<usize> {
        of.classes.iter().map(|class| class.constraint.positions).collect()
    };
    if positions(&trial.result).iter().all(|&count| count <= 1)
        && positions(result).iter().all(|&count| count > 1)
    {
        return None;
    }
    // Removing words that no class uses does not change the classes.
    let used = items_used(&trial.result);
    let is_used = |(index, _): &(usize, Word)| used.contains(&(base.items.len() + index));
    let added: Vec<Word> = words.into_iter().enumerate().filter(is_used).map(|(_, word)| word).collect();
    Some(Repair { predicates: Vec::new(), text: words_text(&added), rating: trial.rating })
}

/// Returns the arguments of actions of the types of the classes' individuals that the vocabulary lacks, one item each.
fn words(question: &TrialQuestion<'_>, base: &Vocabulary, result: &Classification) -> Vec<Word> {
    let domains = result.classes.iter().flat_map(|class| &class.constraint.individuals);
    let types: FxHashSet<&Type> = domains.map(|&domain| result.atoms.type_of(domain)).collect();
    let known: FxHashSet<String> = base.items.iter().map(|item| item.identity()).collect();
    let offered = Inventory::of(question.problem);
    let of_types = |parts: Vec<&RestrictedObservable>| -> Vec<Observable> {
        let leaves = parts.into_iter().flat_map(|part| part.leaves.iter().cloned());
        leaves.filter(|leaf| types.contains(leaf.expr.ty.inner())).collect()
    };
    // An argument itself is preferred to a part of one as the individual of a step.
    let scalars = of_types(offered.arguments.iter().filter(|part| part.leaves.len() == 1).collect());
    let leaves = if scalars.is_empty() { of_types(offered.arguments.iter().collect()) } else { scalars };
    let words = leaves.iter().map(|leaf| Word::Equal(RestrictedObservable::leaf(leaf)));
    let shown = words.filter_map(|word| word.without(question.problem.model, question.hide));
    shown.filter(|word| word.items().iter().all(|item| !known.contains(&item.identity()))).collect()
}
