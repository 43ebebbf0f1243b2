//! Rates classifications for their readers, independently of the vocabulary.

use crate::facts::atom::{Atom, AtomOrigin, Atoms, ComparisonOperand};
use crate::facts::constraint::Constraint;
use crate::facts::fact::{Fact, FactKind};
use crate::facts::index::PositionVar;
use crate::facts::restates::Restates;
use crate::lassos::{Infinite, LassoFact};
use crate::results::result::{Classification, TraceKind, Verdict};
use lang::model::value::Value;
use std::collections::BTreeSet;

/// The cost of a result for its readers; less is better. Ratings compare field by field, in the order of importance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rating {
    /// The completeness of the result.
    pub standing: Completeness,
    /// The number of classes that only restate the property.
    pub restating: usize,
    /// The number of classes that distinguish by chance: by the absence of single numbers, or by the number of steps.
    pub chance: usize,
    /// True for more than [`FEW_KINDS`] classes.
    many: bool,
    /// The number of classes without a predicate that name only the last step, or an absence.
    unexplained: usize,
    /// The number of classes.
    pub classes: usize,
    /// The number of facts, positions and individuals of all classes.
    pub length: usize,
    /// The number of classes without a predicate of the user.
    without_predicate: usize,
    /// The number of facts about states rather than labels.
    about_states: usize,
    /// The number of facts about `none`, non-membership or absence.
    negative: usize,
}

/// The completeness of a result, best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Completeness {
    /// All classes are known, or there is no violation.
    Complete,
    /// There may be other classes.
    Partial,
    /// The vocabulary cannot separate a violation from an accepted trace.
    TooWeak,
    /// Neither a class nor the absence of violations is known.
    Undecided,
}

impl Rating {
    /// Rates a result.
    pub fn of(result: &Classification) -> Self {
        let mut rating = Self::without_classes(result);
        for class in result.firsts().filter(|class| !class.redundant) {
            let constraint = &class.constraint;
            rating.restating += usize::from(class.restates == Restates::Property);
            rating.chance += usize::from(tells_by_chance(constraint, &result.atoms));
            rating.classes += 1;
            rating.length += constraint.facts.len() + constraint.positions + constraint.individuals.len();
            let is_told = constraint.has_predicate(&result.atoms);
            rating.without_predicate += usize::from(!is_told);
            let is_absence = |fact: &Fact| matches!(fact.kind, FactKind::Absent(..));
            let is_explained =
                is_told || class.restates != Restates::Step && !constraint.facts.iter().any(is_absence);
            rating.unexplained += usize::from(!is_explained);
            for fact in &constraint.facts {
                let (atom, absent) = match fact.kind {
                    FactKind::Atom(atom) => (result.atoms.get(atom), false),
                    FactKind::Absent(atom, _) => (result.atoms.get(atom), true),
                    FactKind::Order(_) => continue,
                };
                rating.about_states += usize::from(!atom.reads_label());
                rating.negative += usize::from(absent || is_none(atom));
            }
        }
        rating.many = rating.classes > FEW_KINDS;
        rating
    }

    /// Rates a classification of infinite traces.
    pub fn of_lassos(result: &Classification<Infinite>) -> Self {
        let mut rating = Self::without_classes(result);
        for class in result.firsts() {
            let constraint = &class.constraint;
            rating.restating += usize::from(result.says_only_the_property(class));
            rating.classes += 1;
            rating.length += constraint.individuals.len() + constraint.distinct.len();
            let facts = || constraint.facts.iter();
            let used = || facts().flat_map(LassoFact::atoms).map(|about| result.atoms.get(about.atom));
            rating.without_predicate += usize::from(!used().any(Atom::is_predicate));
            rating.length += facts().map(LassoFact::size).sum::<usize>();
            rating.about_states += used().filter(|atom| !atom.reads_label()).count();
            rating.negative += used().filter(|atom| is_none(atom)).count();
            rating.negative += facts().flat_map(LassoFact::said).filter(|said| !said.holds).count();
        }
        rating
    }

    /// Returns the rating of a result as far as it does not depend on single classes.
    fn without_classes<K: TraceKind>(result: &Classification<K>) -> Self {
        let standing = match result.verdict {
            Verdict::Holds | Verdict::Complete => Completeness::Complete,
            Verdict::Partial(_) if !result.classes.is_empty() => Completeness::Partial,
            Verdict::Remainder => Completeness::Partial,
            Verdict::TooWeak(_) => Completeness::TooWeak,
            Verdict::Partial(_) | Verdict::Undecided { .. } => Completeness::Undecided,
        };
        Self {
            standing,
            restating: 0,
            chance: 0,
            many: false,
            unexplained: 0,
            classes: 0,
            length: 0,
            without_predicate: 0,
            about_states: 0,
            negative: 0,
        }
    }

    /// Returns the first objection to classes, of which `on_bound` depend on the bound; `None` if no violation is known.
    fn objection(&self, on_bound: usize, verdict: &Verdict<impl TraceKind>) -> Option<Objection> {
        let Self { standing, restating, chance, classes, .. } = *self;
        let all = [
            (standing == Completeness::TooWeak, Objection::TooWeak),
            (matches!(verdict, Verdict::Partial(_)), Objection::Incomplete(classes)),
            (classes > FEW_KINDS, Objection::Many(classes)),
            (restating > 0, Objection::Restating(restating)),
            (chance > 0, Objection::Chance(chance)),
            (on_bound > 0, Objection::OnBound(on_bound)),
        ];
        all.into_iter().find(|(applies, _)| *applies).map(|(_, objection)| objection)
    }

    /// True if there are few classes, each with a predicate, or with more than its last step and no absence.
    pub fn explains(&self) -> bool {
        !self.many && self.unexplained == 0
    }

    /// True if there are classes, and all of them only restate the property.
    pub fn only_restates(&self) -> bool {
        self.classes > 0 && self.restating == self.classes
    }

    /// True if all classes are known, and none of them only restates the property or distinguishes by chance.
    pub fn is_good(&self) -> bool {
        self.standing == Completeness::Complete && self.restating == 0 && self.chance == 0
    }
}

/// True if a constraint contains an absence of a single number, or several positions constrained only by
/// order, which count steps.
fn tells_by_chance(constraint: &Constraint, atoms: &Atoms) -> bool {
    let is_number = |atom: &Atom| {
        matches!(&atom.origin, AtomOrigin::Equal { value: ComparisonOperand::Constant(Value::Int(_)), .. })
    };
    let of_numbers =
        |fact: &Fact| matches!(fact.kind, FactKind::Absent(atom, _) if is_number(atoms.get(atom)));
    let is_bare = |position: &PositionVar| {
        let mut about = constraint.facts.iter().filter(|fact| fact.positions.contains(position));
        about.all(|fact| matches!(fact.kind, FactKind::Order(_)))
    };
    constraint.facts.iter().any(of_numbers) || constraint.variables().filter(is_bare).count() > 1
}

/// True if an atom is an equality with `none`, or a non-membership.
fn is_none(atom: &Atom) -> bool {
    matches!(
        &atom.origin,
        AtomOrigin::Equal { value: ComparisonOperand::Constant(Value::None), .. }
            | AtomOrigin::NotMember { .. }
    )
}

/// The greatest number of classes that counts as few.
pub const FEW_KINDS: usize = 7;

/// The reason why classes of an automatic vocabulary are no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Objection {
    /// There are none: the vocabulary is too weak.
    TooWeak,
    /// There may be others than these, so many.
    Incomplete(usize),
    /// There are more than [`FEW_KINDS`]: this many.
    Many(usize),
    /// This many of them only restate the property.
    Restating(usize),
    /// This many of them distinguish by chance: by the absence of single numbers, or by the number of steps.
    Chance(usize),
    /// This many of them depend on the bound.
    OnBound(usize),
}

impl Classification {
    /// Returns the first objection to its classes; `None` if there is none.
    pub fn objection(&self) -> Option<Objection> {
        let shown = self.classes.iter().enumerate().filter(|(_, class)| !class.redundant);
        let on_bound = shown.filter(|(index, _)| self.rests_on_bound(*index).is_some()).count();
        Rating::of(self).objection(on_bound, &self.verdict)
    }
}

impl Classification<Infinite> {
    /// Returns the first objection to its classes; `None` if there is none.
    pub fn objection(&self) -> Option<Objection> {
        let on_bound = self.classes.iter().filter(|class| class.accepted.is_some()).count();
        Rating::of_lassos(self).objection(on_bound, &self.verdict)
    }
}

/// Returns the indices of the vocabulary's items that the classes use.
pub(super) fn items_used(result: &Classification) -> BTreeSet<usize> {
    let facts = result.classes.iter().flat_map(|class| &class.constraint.facts);
    let atoms = facts.filter_map(|fact| match fact.kind {
        FactKind::Atom(atom) | FactKind::Absent(atom, _) => Some(result.atoms.get(atom)),
        FactKind::Order(_) => None,
    });
    atoms.map(|atom| atom.item).collect()
}
