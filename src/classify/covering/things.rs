//! What a vocabulary names, each thing as a constraint of its own.

use crate::classify::collect::Collector;
use crate::classify::constraint::Constraint;
use crate::classify::fact::{Fact, FactKind};
use crate::classify::index::{AtomId, IndividualVar, PositionVar};
use crate::classify::lifting::Lifter;
use crate::model::{Vocabulary, VocabularyItem};
use itertools::Itertools;

/// Observables with more values than this are left out.
const MOST_VALUES: u64 = 256;

/// The things of a vocabulary.
pub struct Things {
    /// Each as a constraint of one fact.
    pub constraints: Vec<Constraint>,
    /// The texts of observables that have too many values.
    pub skipped: Vec<String>,
}

/// The predicates of a vocabulary, at any positions and of any individuals; if it has none, every value of each observable
/// but `none`, and every pair of observables that are compared.
pub fn of(collector: &mut Collector<'_>, lifter: &Lifter<'_>, vocabulary: &Vocabulary) -> Things {
    let is_predicate = |item: &VocabularyItem| matches!(item, VocabularyItem::Predicate(..));
    let named = vocabulary.items.iter().any(is_predicate);
    let (mut atoms, mut skipped): (Vec<AtomId>, Vec<String>) = (Vec::new(), Vec::new());
    for (index, item) in vocabulary.items.iter().enumerate() {
        // That an observable has the same value twice is true of any position and itself.
        let is_trivial = matches!(item, VocabularyItem::Across(left, right) if left.text == right.text);
        if named && !is_predicate(item) || is_trivial {
            continue;
        }
        match collector.atoms_of(index, MOST_VALUES) {
            Some(found) => atoms.extend(found.into_iter().map(|atom| lifter.shape(atom))),
            None => skipped.extend(item.observables().into_iter().map(str::to_owned)),
        }
    }
    let constraint = |atom: AtomId| {
        let open = collector.atoms().get(atom);
        let positions: Vec<PositionVar> = (0..open.params.len()).map(PositionVar::new).collect();
        let fact = Fact {
            kind: FactKind::Atom(atom),
            individuals: (0..open.values.len()).map(IndividualVar::new).collect(),
            positions,
        };
        Constraint {
            positions: open.params.len(),
            individuals: open.values.iter().map(|value| value.domain).collect(),
            facts: vec![fact],
        }
    };
    // What items of single keys have in common, such as `phase[s1]` and `phase[s2]`, differs in the item only.
    let known = |c: &Constraint| {
        let FactKind::Atom(atom) = c.facts[0].kind else { unreachable!("it is an atom") };
        let atom = collector.atoms().get(atom);
        (format!("{:?}", atom.origin), c.individuals.clone())
    };
    Things { constraints: atoms.into_iter().unique().map(constraint).unique_by(known).collect(), skipped }
}
