//! Minimal patterns: those that contain no other one.
//!
//! A pattern contains another one if each run of that one is a different run of it, goes as far at least, and has the same terms for some
//! choice of that one's variables, in the same order of events. These are the homomorphisms of S. Doghmi, J. Guttman, F. J. Thayer,
//! *Searching for shapes in cryptographic protocols* (2007), injective on runs.

use super::state::{PartialPattern, RunEvent};
use super::term::{AtomName, PatternTerm};
use itertools::Itertools;
use std::collections::BTreeMap;

/// Patterns of a claim, none of which contains another.
#[derive(Debug, Default)]
pub(super) struct Minimal<'t> {
    pub patterns: Vec<PartialPattern<'t>>,
}

impl<'t> Minimal<'t> {
    /// Adds a pattern, unless it contains one that is there, and drops those that contain it.
    pub fn add(&mut self, pattern: PartialPattern<'t>, claim: RunEvent) {
        if !self.patterns.iter().any(|other| pattern.contains(other, claim)) {
            self.patterns.retain(|other| !other.contains(&pattern, claim));
            self.patterns.push(pattern);
            self.patterns.sort_by_key(PartialPattern::count);
        }
    }
}

impl PartialPattern<'_> {
    /// True if another pattern of the same claim is a part of this one.
    pub fn contains(&self, part: &Self, claim: RunEvent) -> bool {
        part.runs.len() <= self.runs.len()
            && (part.exposed.is_none() || self.exposed.is_some())
            && (!part.uses_lost || self.uses_lost)
            && Embedding { whole: self, part, claim, runs: Vec::new() }.exists()
    }
}

/// A pattern as a part of another one.
struct Embedding<'p, 't> {
    whole: &'p PartialPattern<'t>,
    part: &'p PartialPattern<'t>,
    claim: RunEvent,
    /// Of the first runs of the part, those that they are.
    runs: Vec<usize>,
}

/// The terms that variables of the part stand for.
type TermChoice = BTreeMap<usize, PatternTerm>;

impl Embedding<'_, '_> {
    /// True if the runs that have none yet can have one each.
    fn exists(&mut self) -> bool {
        let (part, whole, number) = (self.part, self.whole, self.runs.len());
        let Some(run) = part.runs.get(number) else { return self.is_one() };
        (0..whole.runs.len()).any(|image| {
            let other = &whole.runs[image];
            let is_possible = other.role == run.role
                && other.done >= run.done
                && (number == self.claim.run) == (image == self.claim.run)
                && !self.runs.contains(&image);
            is_possible && {
                self.runs.push(image);
                let exists = self.exists();
                self.runs.pop();
                exists
            }
        })
    }

    /// True if the terms and the order of events agree.
    fn is_one(&self) -> bool {
        let (part, whole) = (self.part, self.whole);
        let mut choices = vec![TermChoice::new()];
        for (run, image) in part.runs.iter().zip(&self.runs) {
            for variable in 0..part.theory.roles[run.role].kinds.len() {
                let pattern = part.bindings.resolve(&PatternTerm::Variable(run.first + variable));
                let term =
                    whole.bindings.resolve(&PatternTerm::Variable(whole.runs[*image].first + variable));
                choices =
                    choices.into_iter().flat_map(|terms| self.matches(terms, &pattern, &term)).collect();
                if choices.is_empty() {
                    return false;
                }
            }
        }
        let image = |place: &RunEvent| RunEvent { run: self.runs[place.run], event: place.event };
        part.edges.iter().all(|(before, after)| whole.precedes(image(before), image(after)))
    }

    /// The choices of terms for variables by which a pattern is a term: several only with powers.
    fn matches(&self, mut terms: TermChoice, pattern: &PatternTerm, term: &PatternTerm) -> Vec<TermChoice> {
        let is_same = match (pattern, term) {
            (PatternTerm::Variable(variable), _) => {
                let kind = self.part.bindings.kind(*variable);
                let fits = match (terms.get(variable), term) {
                    (Some(known), _) => known == term,
                    (None, PatternTerm::Variable(other)) => {
                        let other = self.whole.bindings.kind(*other);
                        kind.and(other) == Some(other)
                    }
                    (None, _) => kind.takes(term),
                };
                terms.entry(*variable).or_insert_with(|| term.clone());
                fits
            }
            (PatternTerm::Pair(a, b), PatternTerm::Pair(c, d))
            | (PatternTerm::Crypt(a, b), PatternTerm::Crypt(c, d)) => {
                let first = self.matches(terms, a, c).into_iter();
                return first.flat_map(|terms| self.matches(terms, b, d)).collect();
            }
            (PatternTerm::Atom(atom), PatternTerm::Atom(other)) => match (atom.name, other.name) {
                (AtomName::Fresh { run, variable }, AtomName::Fresh { run: image, variable: same }) => {
                    self.runs[run] == image && variable == same
                }
                _ => atom == other,
            },
            (PatternTerm::Power(..), _) => return self.power_matches(terms, pattern, term),
            _ => false,
        };
        if is_same { vec![terms] } else { Vec::new() }
    }

    /// Those by which a power is a term: each exponent is one of that term, a product some of them, and the base has the others.
    fn power_matches(&self, terms: TermChoice, pattern: &PatternTerm, term: &PatternTerm) -> Vec<TermChoice> {
        let ((base, exponents), (other_base, others)) = (pattern.as_power(), term.as_power());
        let (products, single): (Vec<_>, Vec<_>) =
            exponents.iter().partition(|exponent| self.part.bindings.is_product(exponent));
        let mut ways = vec![(terms, others.to_vec())];
        let without = |all: &[PatternTerm], at: usize| [&all[..at], &all[at + 1..]].concat();
        for exponent in single {
            let next = ways.into_iter().flat_map(|(terms, left)| {
                let each = (0..left.len()).flat_map(|at| {
                    let ways = self.matches(terms.clone(), exponent, &left[at]).into_iter();
                    let left = without(&left, at);
                    ways.map(move |terms| (terms, left.clone()))
                });
                each.collect::<Vec<_>>()
            });
            ways = next.collect();
        }
        for product in products {
            let PatternTerm::Variable(product) = product else { continue };
            let next = ways.into_iter().flat_map(|(terms, left)| {
                let each = (0..left.len()).powerset().filter_map(|chosen| {
                    let (own, left): (Vec<_>, Vec<_>) =
                        left.iter().cloned().enumerate().partition(|(at, _)| chosen.contains(at));
                    let own = PatternTerm::product(own.into_iter().map(|(_, exponent)| exponent));
                    let mut terms = terms.clone();
                    let is_same = *terms.entry(*product).or_insert_with(|| own.clone()) == own;
                    is_same.then(|| (terms, left.into_iter().map(|(_, exponent)| exponent).collect()))
                });
                each.collect::<Vec<_>>()
            });
            ways = next.collect();
        }
        let of_base = ways.into_iter().flat_map(|(terms, left)| {
            self.matches(terms, base, &PatternTerm::power(other_base.clone(), left))
        });
        of_base.collect()
    }
}
