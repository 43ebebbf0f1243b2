//! Which names of the vocabulary to hide where classes only restate the property.

use crate::facts::places::read_by;
use crate::facts::problem::Problem;
use crate::facts::restates::Restates;
use crate::results::options::{Necessity, Options, Preference};
use crate::results::result::{Classification, Verdict};
use crate::search::engine::classify;
use itertools::Itertools;
use kit::budget::Budget;
use lang::model::expr::Expr;
use lang::model::vocabulary::whole_of;
use lang::model::{Model, Vocabulary};

/// How often it is tried what the rest of a vocabulary gives.
const MOST_ROUNDS: usize = 4;

/// Names in the vocabulary to hide so that no class restates the property as some of a complete result do: what these classes are made of,
/// and again of those of a classification without that. Empty where no class restates the property, where no name would be left, or
/// where the rest is too weak. What is not decided within the budget may be worth a run of its own. `options` are those of the result.
pub fn names_to_hide(
    problem: Problem<'_>,
    vocabulary: &Vocabulary,
    result: &Classification,
    options: &Options,
    budget: &Budget,
) -> Vec<String> {
    let options = Options {
        lengths: result.lengths,
        preference: Preference::default(),
        necessity: Necessity::Unasked,
        self_check: false,
        doubtful: result.firsts().map(|class| class.representative.clone()).collect(),
        ..options.clone()
    };
    let mut names = Vec::new();
    let mut hidden: Vec<usize> = Vec::new();
    let mut restating = what_restates(vocabulary, result);
    for _ in 0..MOST_ROUNDS {
        if restating.is_empty() {
            break;
        }
        hidden.extend(position_of(vocabulary, &restating));
        match named(problem.model, vocabulary, &hidden) {
            Some(all) => names = all,
            None => return Vec::new(),
        }
        let all: Vec<usize> =
            names.iter().flat_map(|name| vocabulary.meant_by(problem.model, name)).collect();
        let rest = vocabulary.without(&all);
        let tried = classify(problem, &rest, &options, budget, &mut ());
        if matches!(tried.verdict, Verdict::TooWeak(_)) {
            return Vec::new();
        }
        restating = what_restates(&rest, &tried);
    }
    names
}

/// The items that the classes of a complete result are made of which restate the property, by what they say.
fn what_restates(vocabulary: &Vocabulary, result: &Classification) -> Vec<String> {
    if result.verdict != Verdict::Complete {
        return Vec::new();
    }
    let restating = result.classes.iter().filter(|class| class.restates == Restates::Property);
    let atoms = restating.flat_map(|class| class.constraint.atoms(&result.atoms));
    atoms.map(|(atom, _)| vocabulary.items[atom.item].identity()).unique().collect()
}

/// The indices of items that say this.
fn position_of<'v>(vocabulary: &'v Vocabulary, said: &'v [String]) -> impl Iterator<Item = usize> + 'v {
    let items = vocabulary.items.iter().enumerate();
    items.filter(|(_, item)| said.contains(&item.identity())).map(|(index, _)| index)
}

/// The names of these items, of the whole variable or library where all of it goes; `None` if no named item would be left.
fn named(model: &Model, vocabulary: &Vocabulary, hidden: &[usize]) -> Option<Vec<String>> {
    let hides = |index: usize| hidden.contains(&index);
    let (mut names, mut left) = (Vec::new(), false);
    for (index, item) in vocabulary.items.iter().enumerate() {
        let Some(&name) = item.names(model).first() else { continue };
        if !hides(index) {
            left = true;
            continue;
        }
        let whole = whole_of(name);
        let all = vocabulary.meant_by(model, whole);
        let goes = all.contains(&index) && all.into_iter().all(hides);
        names.push(if goes { whole } else { name }.to_owned());
    }
    left.then(|| names.into_iter().unique().collect())
}

/// True if an expression reads a place of the state that the property reads as well, or a part of one.
pub fn shares_places(problem: Problem<'_>, expr: &Expr) -> bool {
    let of_property = read_by(problem.invariant);
    read_by(expr).iter().any(|place| of_property.iter().any(|read| read.overlaps(place)))
}
