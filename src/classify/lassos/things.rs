//! Facts of a vocabulary that may cover violating lassos: each occurs again and again, or at some position.

use super::constraint::LassoConstraint;
use crate::facts::atom::Atoms;
use crate::facts::collect::Collector;
use crate::facts::grounding::Grounding;
use crate::facts::index::CandidateId;
use crate::facts::lifting::Lifter;
use crate::results::options::Preference;
use crate::search::covering::labels::grounds;
use crate::search::covering::things;
use crate::search::covering::things::CoverItem;
use crate::search::score::Score;
use lang::model::Recurrence;
use lang::model::{Model, Observable, Vocabulary, VocabularyItem};

/// A fact that may be chosen as a class.
pub struct LassoCoverItem {
    pub constraint: LassoConstraint,
    /// True if it is a predicate, and not just something observed.
    pub is_named: bool,
    /// Variants with values instead of individuals: those with the fewest individuals first, in groups with as many.
    pub narrower: Vec<Vec<CandidateId>>,
    /// Facts that hold wherever it does.
    pub implied: Vec<CandidateId>,
    pub score: Score,
}

/// The things of a vocabulary.
pub struct LassoThings {
    /// All of them.
    pub all: Vec<LassoCoverItem>,
    /// Those that are no narrower form of another.
    pub general: Vec<CandidateId>,
    /// The texts of observables that have too many values.
    pub skipped: Vec<String>,
}

impl LassoThings {
    /// The predicates of a vocabulary of which the items speak of one position each; if it has none, what can be observed.
    pub fn of(
        model: &Model,
        (vocabulary, preference): (&Vocabulary, &Preference),
        (atoms, lifter): (&Atoms, &Lifter<'_>),
    ) -> Self {
        let mut collector = Collector::new(model, vocabulary, atoms);
        let things::Things { things, general, skipped } =
            things::of(&mut collector, lifter, vocabulary, preference);
        let is_kept = |thing: &CoverItem| {
            LassoConstraint::recurring(model, atoms, &thing.constraint, Recurrence::Once).is_some()
        };
        let kept: Vec<bool> = things.iter().map(is_kept).collect();
        // Of each thing first that it happens again and again, then that it happens at some position.
        let first = |thing: usize| 2 * kept[..thing].iter().filter(|kept| **kept).count();
        let mut all = Vec::new();
        for (number, thing) in things.iter().enumerate() {
            for (weaker, when) in [Recurrence::Again, Recurrence::Once].into_iter().enumerate() {
                let constraint = LassoConstraint::recurring(model, atoms, &thing.constraint, when);
                let Some(constraint) = constraint else { continue };
                let individuals = |id: &CandidateId| things[id.index()].constraint.individuals.len();
                let groups = thing.narrower.chunk_by(|a, b| individuals(a) == individuals(b));
                let of_group = |group: &[CandidateId]| -> Vec<CandidateId> {
                    let kept = group.iter().filter(|id| kept[id.index()]);
                    kept.map(|id| CandidateId::new(first(id.index()) + weaker)).collect()
                };
                let score = thing.score.with(weaker, 0, constraint.individuals.len());
                all.push(LassoCoverItem {
                    constraint,
                    is_named: thing.named,
                    narrower: groups.map(of_group).collect(),
                    implied: (weaker == 0).then(|| CandidateId::new(first(number) + 1)).into_iter().collect(),
                    score,
                });
            }
        }
        let general = (0..first(general)).map(CandidateId::new).collect();
        Self { all, general, skipped }
    }

    /// With those of labels of steps as well: that an action is taken, or with a certain argument. Returns the labels.
    pub fn add_labels(
        &mut self,
        model: &Model,
        vocabulary: &Vocabulary,
        atoms: &Atoms,
        grounding: &Grounding,
    ) -> Vec<CandidateId> {
        let observed = Observable::of_labels(model).into_iter().map(VocabularyItem::Equal);
        let items = observed.chain(grounds(vocabulary)).collect();
        let labels = Vocabulary { items, ..vocabulary.clone() };
        let lifter = Lifter::new(model, &labels, atoms, grounding);
        let added = Self::of(model, (&labels, &Preference::default()), (atoms, &lifter));
        let begin = self.all.len();
        let moved = |id: &CandidateId| CandidateId::new(id.index() + begin);
        for thing in added.all {
            let narrower = thing.narrower.iter().map(|group| group.iter().map(moved).collect()).collect();
            let implied = thing.implied.iter().map(moved).collect();
            self.all.push(LassoCoverItem { narrower, implied, ..thing });
        }
        // That an argument has some value says no more than that the action happens.
        let says_a_value = |id: &CandidateId| self.all[id.index()].constraint.individuals.is_empty();
        (begin..self.all.len()).map(CandidateId::new).filter(says_a_value).collect()
    }
}
