//! Labels as causes: what was done before, and with which individuals.

use super::cover_search::CoverContext;
use super::things::CoverItem;
use crate::facts::atom::Atoms;
use crate::facts::collect::Collector;
use crate::facts::constraint::Constraint;
use crate::facts::fact::{Fact, FactKind, OrderRelation};
use crate::facts::grounding::Grounding;
use crate::facts::index::{AtomId, CandidateId, DomainId, IndividualVar, PositionVar};
use crate::facts::lifting::{Freed, LiftedValue, Lifter};
use crate::oracles::oracle::Oracle;
use lang::model::{Model, Observable, Position, Vocabulary, VocabularyItem};
use lang::trace::Trace;
use std::collections::BTreeSet;

/// Arguments with more values than this are left out.
const MOST_VALUES: u64 = 64;
/// With more labels that share an individual than this, only single ones are looked at.
const MOST_PAIRS: usize = 400;

/// An argument of an action, of any individual.
struct LabelArgument {
    action: usize,
    atom: AtomId,
    domain: DomainId,
}

/// A label as a cause, with what it ranks by.
pub struct LabelCoverItem {
    pub thing: CoverItem,
    /// The actions, in their order.
    actions: Vec<usize>,
    /// True if they share an individual.
    shares: bool,
}

/// Facts about labels that tell how a trace came about, at any positions: that two actions happen one after the other and share an
/// individual; that an action happens with a value that the model itself names; that an action happens.
pub fn of(
    model: &Model,
    vocabulary: &Vocabulary,
    atoms: &Atoms,
    grounding: &Grounding,
) -> Vec<LabelCoverItem> {
    let items: Vec<VocabularyItem> =
        Observable::of_labels(model).into_iter().map(VocabularyItem::Equal).collect();
    let actions = model.actions.iter().enumerate();
    let of_items: Vec<usize> =
        actions.flat_map(|(index, action)| std::iter::repeat_n(index, action.params.len())).collect();
    let labels = Vocabulary { items: [items, grounds(vocabulary)].concat(), ..vocabulary.clone() };
    let lifter = Lifter::new(model, &labels, atoms, grounding);
    let mut collector = Collector::new(model, &labels, atoms);
    let (mut arguments, mut tied) = (Vec::new(), Vec::new());
    let mut single = Vec::new();
    for (item, &action) in of_items.iter().enumerate() {
        for atom in collector.atoms_of(item + 1, MOST_VALUES).unwrap_or_default() {
            let shape = lifter.shape(atom);
            match atoms.get(shape).values.as_slice() {
                [value] if lifter.mentions(value.domain) == 0 => {
                    if !arguments.iter().any(|known: &LabelArgument| known.atom == shape) {
                        arguments.push(LabelArgument { action, atom: shape, domain: value.domain });
                    }
                    add_tied(&lifter, action, atom, &mut tied);
                    continue;
                }
                // The model itself names values of the type: it matters which one it is.
                [_] => {}
                _ if shape != atom => continue,
                _ => {}
            }
            single.push(label(atoms, Constraint::of_atom(atoms, atom), vec![action], false));
        }
    }
    let mut all = few(pairs(atoms, &arguments, &arguments));
    let mut of_links = pairs(atoms, &arguments, &tied);
    of_links.extend(pairs(atoms, &tied, &arguments));
    all.extend(few(of_links));
    all.extend(single);
    let actions = collector.atoms_of(0, u64::MAX).unwrap_or_default().into_iter().enumerate();
    all.extend(
        actions.map(|(index, atom)| label(atoms, Constraint::of_atom(atoms, atom), vec![index], false)),
    );
    all
}

/// Which values the vocabulary keeps as they are.
pub fn grounds(vocabulary: &Vocabulary) -> Vec<VocabularyItem> {
    let grounds = vocabulary.items.iter().filter(|item| matches!(item, VocabularyItem::Ground(_)));
    grounds.cloned().collect()
}

fn label(atoms: &Atoms, constraint: Constraint, actions: Vec<usize>, shares: bool) -> LabelCoverItem {
    let thing = CoverItem::unranked(atoms, constraint);
    LabelCoverItem { thing, actions, shares }
}

/// None where they are many.
fn few(pairs: Vec<LabelCoverItem>) -> Vec<LabelCoverItem> {
    if pairs.len() > MOST_PAIRS { Vec::new() } else { pairs }
}

/// Adds what a label that names a value says with what a link makes of an individual in its place: `learn.n@i = nonce(s)`.
fn add_tied(lifter: &Lifter<'_>, action: usize, atom: AtomId, tied: &mut Vec<LabelArgument>) {
    for named in lifter.values_of(atom, false) {
        let is_freed = |other: &LiftedValue| *other == named;
        for tie in lifter.ties_of(&named) {
            if tie.to != named || !lifter.is_total(&tie) {
                continue;
            }
            let freed = Freed { is_freed: &is_freed, ties: std::slice::from_ref(&tie) };
            if let Some(lifted) = lifter.lifted_with(atom, false, &freed)
                && !tied.iter().any(|known| known.atom == lifted.atom)
            {
                tied.push(LabelArgument { action, atom: lifted.atom, domain: tie.from.domain });
            }
        }
    }
}

/// Two labels, one after the other, that are about the same individual: one of the first arguments and one of the second.
fn pairs(atoms: &Atoms, firsts: &[LabelArgument], seconds: &[LabelArgument]) -> Vec<LabelCoverItem> {
    let mut found = Vec::new();
    for first in firsts {
        for second in seconds.iter().filter(|second| second.domain == first.domain) {
            let (i, j) = (PositionVar::new(0), PositionVar::new(1));
            let about = |atom, position| Fact {
                kind: FactKind::Atom(atom),
                positions: vec![position],
                individuals: vec![IndividualVar::FIRST],
            };
            let order = Fact::order(OrderRelation::Before, i, j);
            let constraint = Constraint {
                positions: 2,
                individuals: vec![first.domain],
                facts: vec![about(first.atom, i), about(second.atom, j), order],
            };
            found.push(label(atoms, constraint, vec![first.action, second.action], true));
        }
    }
    found
}

/// The labels in the order in which they are preferred for a context, of which a first trace is known: those that share an
/// individual with the step at which the context begins, then others that do, then the rest; of each kind those first that come last
/// before the context's first position in the trace; then those that say more.
pub fn ranked(
    oracle: &dyn Oracle<'_>,
    context: &CoverContext<Constraint>,
    trace: &Trace,
    labels: &[(CandidateId, LabelCoverItem)],
) -> Vec<CandidateId> {
    let constraints = context.inside.iter().filter_map(|constraint| oracle.matches(constraint, trace));
    let places: Vec<Vec<Position>> = constraints.map(|assigned| assigned.positions).collect();
    let begin = places.iter().flatten().copied().min().unwrap_or(trace.last());
    let action_at = |at: &Position| trace.moment(*at).label.as_ref().map(|label| label.action);
    let own: BTreeSet<usize> = places.iter().flatten().filter_map(action_at).collect();
    let rank = |(_, label): &&(CandidateId, LabelCoverItem)| {
        let with_context = label.shares && label.actions.last().is_some_and(|last| own.contains(last));
        let places = oracle.matches(&label.thing.constraint, trace).map(|assigned| assigned.positions);
        let first = places.and_then(|places| places.into_iter().min()).filter(|at| *at < begin);
        let distance = first.map_or(usize::MAX, |at| begin.steps() - at.steps());
        (!with_context, !label.shares, distance, usize::MAX - label.thing.constraint.facts.len())
    };
    let mut ranked: Vec<&(CandidateId, LabelCoverItem)> = labels.iter().collect();
    ranked.sort_by_cached_key(rank);
    ranked.into_iter().map(|(id, _)| *id).collect()
}
