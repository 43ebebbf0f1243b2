//! The facts of a vocabulary, each as a constraint of its own.

use crate::facts::atom::Atoms;
use crate::facts::collect::Collector;
use crate::facts::constraint::Constraint;
use crate::facts::index::{AtomId, CandidateId, DomainId};
use crate::facts::lifting::Lifter;
use crate::results::options::Preference;
use crate::search::score::Score;
use itertools::Itertools;
use lang::model::{Vocabulary, VocabularyItem};
use rustc_hash::FxHashMap;

/// Observables with more values than this are left out.
const MOST_VALUES: u64 = 256;

/// A fact that may be chosen as a class.
#[derive(Clone)]
pub struct CoverItem {
    /// It as a constraint of one fact.
    pub constraint: Constraint,
    /// True if it is a predicate, and not just something observed.
    pub named: bool,
    /// Variants with values instead of individuals, of types of which the model itself names values: fewest individuals first.
    pub narrower: Vec<CandidateId>,
    pub score: Score,
}

impl CoverItem {
    fn of(atoms: &Atoms, constraint: Constraint, preference: &Preference) -> Self {
        Self {
            named: constraint.has_predicate(atoms),
            narrower: Vec::new(),
            score: Score::of(atoms, &constraint, preference),
            constraint,
        }
    }

    /// One that others are not compared with by its score.
    pub fn unranked(atoms: &Atoms, constraint: Constraint) -> Self {
        Self { score: Score::default(), ..Self::of(atoms, constraint, &Preference::default()) }
    }
}

/// The things of a vocabulary.
pub struct Things {
    /// All of them, and after these, narrower ones.
    pub things: Vec<CoverItem>,
    /// How many of these are not a narrower form of another.
    pub general: usize,
    /// The texts of observables that have too many values.
    pub skipped: Vec<String>,
}

/// True if the predicates of a vocabulary alone are its things: it has some.
pub fn are_predicates_only(vocabulary: &Vocabulary) -> bool {
    vocabulary.items.iter().any(|item| matches!(item, VocabularyItem::Predicate(..)))
}

/// The predicates of a vocabulary, at any positions and of any individuals; if it has none, every value of each observable
/// but `none`, and every pair of observables that are compared.
pub fn of(
    collector: &mut Collector<'_>,
    lifter: &Lifter<'_>,
    vocabulary: &Vocabulary,
    preference: &Preference,
) -> Things {
    let named = are_predicates_only(vocabulary);
    // Atoms of one shape each.
    let (mut found, mut skipped): (Vec<Vec<AtomId>>, Vec<String>) = (Vec::new(), Vec::new());
    let mut numbers: FxHashMap<String, usize> = FxHashMap::default();
    for (index, item) in vocabulary.items.iter().enumerate() {
        // That an observable has the same value twice is true of any position and itself.
        let is_trivial = matches!(item, VocabularyItem::Across(left, right) if left.text == right.text);
        if named && !matches!(item, VocabularyItem::Predicate(..)) || is_trivial {
            continue;
        }
        match collector.atoms_of(index, MOST_VALUES) {
            Some(atoms) => {
                for atom in atoms {
                    let says = collector.atoms().get(lifter.shape(atom)).identity();
                    let number = *numbers.entry(says).or_insert(found.len());
                    if number == found.len() {
                        found.push(Vec::new());
                    }
                    found[number].push(atom);
                }
            }
            None => skipped.extend(item.observables().into_iter().map(str::to_owned)),
        }
    }
    let atoms = collector.atoms();
    let thing = |atom| CoverItem::of(atoms, Constraint::of_atom(atoms, atom), preference);
    let general = found.len();
    let mut things: Vec<CoverItem> = found.iter().map(|of| thing(lifter.shape(of[0]))).collect();
    for (index, ground) in found.iter().enumerate() {
        for atom in narrower(atoms, lifter, ground) {
            let id = CandidateId::new(things.len());
            things[index].narrower.push(id);
            things.push(thing(atom));
        }
    }
    Things { things, general, skipped }
}

/// Atoms between atoms of one shape and that shape: values of types of which the model itself names values stay, those of all such
/// types first, then of one of them.
fn narrower(atoms: &Atoms, lifter: &Lifter<'_>, ground: &[AtomId]) -> Vec<AtomId> {
    let shape = lifter.shape(ground[0]);
    let domains: Vec<DomainId> = atoms.get(shape).values.iter().map(|value| value.domain).unique().collect();
    let special: Vec<DomainId> = domains.into_iter().filter(|&domain| lifter.mentions(domain) > 0).collect();
    let one = special.iter().map(|&domain| vec![domain]).filter(|_| special.len() > 1);
    let stay: Vec<Vec<DomainId>> =
        [special.clone()].into_iter().chain(one).filter(|s| !s.is_empty()).collect();
    let keeping = |(stay, &atom): (&Vec<DomainId>, &AtomId)| {
        let lifted = lifter.lifted(atom, false, &|value| !stay.contains(&value.domain));
        lifted.map_or(atom, |lifted| lifted.atom)
    };
    stay.iter().cartesian_product(ground).map(keeping).unique_by(|&atom| atoms.get(atom).identity()).collect()
}
