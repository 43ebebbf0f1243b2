//! Minimal patterns: those that contain no other one.
//!
//! A pattern contains another one if each run of that one is a different run of it, goes as far at least, and has the same terms for some
//! choice of that one's variables, in the same order of events. These are the homomorphisms of S. Doghmi, J. Guttman, F. J. Thayer,
//! *Searching for shapes in cryptographic protocols* (2007), injective on runs.

use super::state::{PartialPattern, RunEvent};
use super::term::{AtomName, PatternTerm};
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
            && Embedding { whole: self, part, claim, runs: Vec::new(), terms: BTreeMap::new() }.exists()
    }
}

/// A pattern as a part of another one.
struct Embedding<'p, 't> {
    whole: &'p PartialPattern<'t>,
    part: &'p PartialPattern<'t>,
    claim: RunEvent,
    /// Of the first runs of the part, those that they are.
    runs: Vec<usize>,
    /// The terms that variables of the part stand for.
    terms: BTreeMap<usize, PatternTerm>,
}

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
    fn is_one(&mut self) -> bool {
        self.terms.clear();
        let (part, whole) = (self.part, self.whole);
        for (run, image) in part.runs.iter().zip(self.runs.clone()) {
            for variable in 0..part.theory.roles[run.role].kinds.len() {
                let pattern = part.bindings.resolve(&PatternTerm::Variable(run.first + variable));
                let term = whole.bindings.resolve(&PatternTerm::Variable(whole.runs[image].first + variable));
                if !self.matches(&pattern, &term) {
                    return false;
                }
            }
        }
        let image = |place: &RunEvent| RunEvent { run: self.runs[place.run], event: place.event };
        part.edges.iter().all(|(before, after)| whole.precedes(image(before), image(after)))
    }

    fn matches(&mut self, pattern: &PatternTerm, term: &PatternTerm) -> bool {
        match (pattern, term) {
            (PatternTerm::Variable(variable), _) => {
                if let Some(known) = self.terms.get(variable) {
                    return known == term;
                }
                let kind = self.part.bindings.kind(*variable);
                let fits = match term {
                    PatternTerm::Variable(other) => {
                        let other = self.whole.bindings.kind(*other);
                        kind.and(other) == Some(other)
                    }
                    _ => kind.takes(term),
                };
                self.terms.insert(*variable, term.clone());
                fits
            }
            (PatternTerm::Pair(a, b), PatternTerm::Pair(c, d))
            | (PatternTerm::Crypt(a, b), PatternTerm::Crypt(c, d)) => {
                self.matches(a, c) && self.matches(b, d)
            }
            (PatternTerm::Atom(atom), PatternTerm::Atom(other)) => match (atom.name, other.name) {
                (AtomName::Fresh { run, variable }, AtomName::Fresh { run: image, variable: same }) => {
                    self.runs[run] == image && variable == same
                }
                _ => atom == other,
            },
            _ => false,
        }
    }
}
