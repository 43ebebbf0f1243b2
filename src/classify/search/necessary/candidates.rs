//! Candidates for necessary facts: the labels of steps, and the vocabulary.

use crate::facts::atom::{AtomOrigin, Atoms, ComparisonOperand};
use crate::facts::collect::Collector;
use crate::facts::constraint::Constraint;
use crate::facts::fact::{Fact, FactKind};
use crate::facts::grounding::Grounding;
use crate::facts::index::{AtomId, PositionVar};
use crate::facts::lifting::{LiftedValue, Lifter};
use crate::results::result::{SharedFact, TraceKind};
use itertools::Itertools;
use kit::budget::Budget;
use lang::model::expr::ExprKind;
use lang::model::types::Type;
use lang::model::value::{Label, Value};
use lang::model::{Model, Observable, Vocabulary, VocabularyItem};
use lang::trace::Trace;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Observables with more values than this are left out.
const MOST_VALUES: u64 = 256;

/// A fact that all violating traces may have, or none.
pub struct NecessaryCandidate<C> {
    pub constraint: C,
    /// True if it has a predicate.
    pub has_predicate: bool,
    /// True if it is about labels of steps.
    pub about_labels: bool,
    /// True if it says that an action happens, and nothing of its arguments.
    pub is_action: bool,
    /// Indices of candidates that hold in every trace in which this one does.
    pub implied: Vec<usize>,
    /// The shape that it shares with others that differ in values only, and the number of these.
    pub family: Option<Family<C>>,
}

/// Facts that differ only in values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Family<C> {
    /// The fact with individuals in the place of the values.
    pub shape: C,
    /// How many choices of individuals there are.
    pub size: u64,
}

pub struct Candidates<C> {
    pub list: Vec<NecessaryCandidate<C>>,
    /// The texts of observables that have too many values.
    pub skipped: Vec<String>,
}

impl<C: Clone + PartialEq> Candidates<C> {
    /// All candidates that these imply, these left out unless others of them do.
    pub fn implied_by(&self, candidates: &[usize]) -> BTreeSet<usize> {
        let mut all = BTreeSet::new();
        let mut left: Vec<usize> = candidates.iter().flat_map(|&c| self.list[c].implied.clone()).collect();
        while let Some(next) = left.pop() {
            if all.insert(next) {
                left.extend(&self.list[next].implied);
            }
        }
        all
    }

    /// Proved facts without those that were `said` already or follow from other parts: predicates first, then labels, then states.
    /// `always` tells whether all traces have it, or none.
    pub fn shared<K: TraceKind<Constraint = C>>(
        &self,
        proved: &[usize],
        said: &BTreeSet<usize>,
        telling: &[usize],
        always: bool,
        show: &dyn Fn(&C) -> String,
    ) -> Vec<SharedFact<K>> {
        let mut left: Vec<usize> = proved.iter().copied().filter(|c| !said.contains(c)).collect();
        let families = self.families(&left);
        if always {
            let implied = self.implied_by(&left);
            left.retain(|c| !implied.contains(c));
        } else {
            let proved: BTreeSet<usize> = proved.iter().copied().collect();
            left.retain(|&c| self.implied_by(&[c]).is_disjoint(&proved));
        }
        left.sort_by_key(|&c| (!self.list[c].has_predicate, !self.list[c].about_labels, c));
        let mut shared: Vec<SharedFact<K>> = Vec::new();
        for c in left {
            let NecessaryCandidate { constraint, family, .. } = &self.list[c];
            let family = family.as_ref().filter(|family| families.contains(family));
            let fact = SharedFact {
                constraint: family.map_or(constraint, |family| &family.shape).clone(),
                of_each: family.is_some(),
                telling: telling.contains(&c),
            };
            // A value that a predicate is given, and one that its argument may have, read alike.
            let text = |fact: &SharedFact<K>| (fact.of_each, show(&fact.constraint));
            let same = |other: &&mut SharedFact<K>| text(other) == text(&fact);
            match shared.iter_mut().find(same) {
                Some(known) => known.telling |= fact.telling,
                None => shared.push(fact),
            }
        }
        shared
    }

    /// The families of which all members are among these.
    fn families(&self, candidates: &[usize]) -> Vec<&Family<C>> {
        let of: Vec<&Family<C>> = candidates.iter().filter_map(|&c| self.list[c].family.as_ref()).collect();
        let whole =
            |family: &&Family<C>| of.iter().filter(|other| *other == family).count() as u64 == family.size;
        of.iter().copied().filter(|family| family.size > 1 && whole(family)).collect()
    }
}

impl Candidates<Constraint> {
    /// Those of a vocabulary and of the labels of a model; with the whole labels of a violating trace, too. No fact names a value of a
    /// type that is `nameless`. When the budget ends, the others are left out: nothing is asked of them any more.
    pub fn of(
        model: &Model,
        vocabulary: &Vocabulary,
        atoms: &Atoms,
        (grounding, nameless): (&Grounding, &[Type]),
        trace: &Trace,
        budget: &Budget,
    ) -> Self {
        let vocabulary = with_labels(model, vocabulary);
        let mut builder = CandidateBuilder {
            model,
            atoms,
            lifter: Lifter::new(model, &vocabulary, atoms, grounding),
            nameless,
            collector: Collector::new(model, &vocabulary, atoms),
            found: Self { list: Vec::new(), skipped: Vec::new() },
            known: FxHashMap::default(),
            shapes: FxHashMap::default(),
            labels: FxHashMap::default(),
            arguments: FxHashMap::default(),
        };
        let go_on = |_: &(usize, &VocabularyItem)| budget.exhausted().is_none();
        for (index, item) in vocabulary.items.iter().enumerate().take_while(go_on) {
            builder.add_item(index, item);
        }
        builder.link_arguments();
        for label in trace.labels().unique() {
            builder.add_label(label);
        }
        for candidate in &mut builder.found.list {
            candidate.is_action = candidate.about_labels && candidate.implied.is_empty();
        }
        builder.found
    }

    /// The candidates that one of these facts says, or that it implies.
    pub fn said_by(&self, atoms: &Atoms, facts: &[Fact]) -> BTreeSet<usize> {
        let text = |fact: &Fact| match fact.kind {
            FactKind::Atom(atom) => Some(atoms.get(atom).identity()),
            _ => None,
        };
        let texts: BTreeSet<String> = facts.iter().filter_map(text).collect();
        let is_said = |candidate: &NecessaryCandidate<Constraint>| {
            let own: Vec<String> = candidate.constraint.facts.iter().filter_map(text).collect();
            let shape = candidate.family.as_ref().and_then(|family| text(&family.shape.facts[0]));
            own.iter().all(|text| texts.contains(text)) || shape.is_some_and(|text| texts.contains(&text))
        };
        let said: Vec<usize> = (0..self.list.len()).filter(|&c| is_said(&self.list[c])).collect();
        let implied = self.implied_by(&said);
        said.into_iter().chain(implied).collect()
    }
}

/// The vocabulary with what labels of steps say, each once.
fn with_labels(model: &Model, vocabulary: &Vocabulary) -> Vocabulary {
    let labels = Observable::of_labels(model).into_iter().map(VocabularyItem::Equal);
    let items = vocabulary.items.iter().cloned().chain(labels);
    Vocabulary { items: items.unique_by(VocabularyItem::identity).collect(), ..vocabulary.clone() }
}

/// An argument of a step with its value.
type Argument = (usize, usize, Value);

struct CandidateBuilder<'a> {
    model: &'a Model,
    atoms: &'a Atoms,
    lifter: Lifter<'a>,
    /// The types whose values are not named.
    nameless: &'a [Type],
    collector: Collector<'a>,
    found: Candidates<Constraint>,
    /// The atoms as text, and the candidates that have them.
    known: FxHashMap<String, usize>,
    /// Atoms with individuals as text, and the first of them with that text.
    shapes: FxHashMap<String, AtomId>,
    /// The candidates of actions.
    labels: FxHashMap<usize, usize>,
    arguments: FxHashMap<Argument, usize>,
}

impl CandidateBuilder<'_> {
    fn add(&mut self, constraint: Constraint, about_labels: bool) -> usize {
        let has_predicate = constraint.has_predicate(self.atoms);
        let (is_action, implied) = (false, Vec::new());
        let candidate =
            NecessaryCandidate { constraint, has_predicate, about_labels, is_action, implied, family: None };
        self.found.list.push(candidate);
        self.found.list.len() - 1
    }

    fn add_item(&mut self, index: usize, item: &VocabularyItem) {
        // That an observable has the same value twice is true of any position and itself.
        if matches!(item, VocabularyItem::Across(left, right) if left.text == right.text) {
            return;
        }
        let Some(atoms) = self.collector.atoms_of(index, MOST_VALUES) else {
            self.found.skipped.extend(item.observables().into_iter().map(str::to_owned));
            return;
        };
        let observed = match item {
            VocabularyItem::Equal(of) => Some(&of.expr.kind),
            _ => None,
        };
        for atom in atoms {
            let is_nameless = |named: &LiftedValue| self.nameless.contains(self.atoms.type_of(named.domain));
            if let Some(lifted) = self.lifter.lifted(atom, false, &is_nameless) {
                // That an argument has some value says no more than that the action happens.
                if !matches!(observed, Some(ExprKind::LabelArg { .. })) {
                    self.add_lifted(lifted.atom, false);
                }
                continue;
            }
            let candidate = self.add_atom(atom, observed);
            let AtomOrigin::Equal { value: ComparisonOperand::Constant(value), .. } =
                &self.atoms.get(atom).origin
            else {
                continue;
            };
            match (observed, value) {
                (Some(ExprKind::ActionLabel), Value::Enum(_, action)) => {
                    self.labels.insert(*action as usize, candidate);
                }
                (Some(&ExprKind::LabelArg { action, param }), value) => {
                    self.arguments.insert((action, param, value.clone()), candidate);
                }
                _ => {}
            }
        }
    }

    /// A ground atom, and what it becomes with individuals in the place of its values.
    fn add_atom(&mut self, atom: AtomId, observed: Option<&ExprKind>) -> usize {
        let text = self.atoms.get(atom).identity();
        if let Some(&known) = self.known.get(&text) {
            return known;
        }
        let about_labels = matches!(observed, Some(ExprKind::ActionLabel | ExprKind::LabelArg { .. }));
        let candidate = self.add(Constraint::of_atom(self.atoms, atom), about_labels);
        self.known.insert(text, candidate);
        let shape = self.lifter.shape(atom);
        if shape == atom {
            return candidate;
        }
        let text = self.atoms.get(shape).identity();
        let shape = *self.shapes.entry(text.clone()).or_insert(shape);
        let types = &self.model.types;
        let sizes = self.atoms.get(shape).values.iter();
        let sizes = sizes.map(|value| types.cardinality(self.atoms.type_of(value.domain)));
        self.found.list[candidate].family =
            Some(Family { shape: Constraint::of_atom(self.atoms, shape), size: sizes.product() });
        // That an argument has some value says no more than that the action happens.
        if !matches!(observed, Some(ExprKind::LabelArg { .. })) {
            let lifted = self.add_lifted(shape, about_labels);
            self.found.list[candidate].implied.push(lifted);
        }
        candidate
    }

    /// An atom with individuals.
    fn add_lifted(&mut self, atom: AtomId, about_labels: bool) -> usize {
        let text = self.atoms.get(atom).identity();
        if let Some(&known) = self.known.get(&text) {
            return known;
        }
        let candidate = self.add(Constraint::of_atom(self.atoms, atom), about_labels);
        self.known.insert(text, candidate);
        candidate
    }

    /// Where an argument has a value, the action happens.
    fn link_arguments(&mut self) {
        for ((action, _, _), &candidate) in &self.arguments {
            if let Some(&label) = self.labels.get(action) {
                self.found.list[candidate].implied.push(label);
            }
        }
    }

    /// A label with several arguments.
    fn add_label(&mut self, label: &Label) {
        let arguments = label.args.iter().enumerate();
        let arguments = arguments.map(|(param, value)| (label.action, param, value.clone()));
        let implied: Vec<usize> = arguments.filter_map(|arg| self.arguments.get(&arg).copied()).collect();
        if implied.len() < 2 {
            return;
        }
        let facts = implied.iter().flat_map(|&c| self.found.list[c].constraint.facts.clone());
        let facts = facts.map(|fact| Fact { positions: vec![PositionVar::FIRST], ..fact }).collect();
        let candidate = self.add(Constraint::ground(1, facts), true);
        self.found.list[candidate].implied = implied;
    }
}
