//! A class of a classification as JSON.

use crate::shared::document::trace_document;
use crate::shared::request::ClassifyRequest;
use crate::writing::words::{constraint_words, fact_words, predicate_place};
use classify::{
    Assignment, Atoms, Class, Constraint, DomainId, Fact, Image, Longer, Restates, TraceKind, VariableNames,
    position_names,
};
use engines::explore::DecisivePlace;
use explicit::lts::decisive::StateFate;
use lang::model::eval::failing_conjuncts;
use lang::model::permutation::{NameType, Permutation};
use lang::model::types::{Type, Types};
use lang::model::value::Value;
use lang::model::{Model, Position, Predicate};
use lang::trace::Trace;
use serde::de::IgnoredAny;
use serde_json::Value as Json;
use verify::document::{
    Absent, FactWord, StoredClass, StoredDecisive, StoredFact, StoredFate, StoredImage, StoredIndividual,
    StoredLonger, StoredMove, StoredRight, StoredUnmoved,
};

/// The document of a longer trace.
pub(crate) fn longer_document(request: &ClassifyRequest<'_>, longer: &Longer) -> StoredLonger {
    let display = &request.asked.display;
    let trace = longer.trace.as_ref().map(|trace| trace_document(request.asked.model, trace, &[], display));
    StoredLonger { steps: longer.steps, trace }
}

/// The document of a class, with its number.
pub fn class_document(request: &ClassifyRequest<'_>, atoms: &Atoms, class: &Class, id: usize) -> StoredClass {
    let model = request.asked.model;
    let named = named(&class.constraint, &class.assigned.positions);
    let trace = |trace: &Trace, positions: &[(String, Position)]| {
        trace_document(model, trace, positions, &request.asked.display)
    };
    let facts = class.constraint.facts.iter().enumerate();
    StoredClass {
        id,
        constraint: class.constraint.show(model, atoms),
        words: constraint_words(model, atoms, &class.constraint),
        formula: class.constraint.formula(model, atoms),
        positions: named.iter().map(|(name, at)| (name.clone(), Json::from(at.to_u32()))).collect(),
        individuals: individual_documents(
            model,
            atoms,
            &class.constraint.individuals,
            &class.constraint.names(model, atoms),
            &class.assigned,
        ),
        facts: facts
            .map(|(n, fact)| StoredFact {
                needed: class.needed.get(n).map(|t| trace(t, &[])),
                ..fact_document(model, atoms, &class.constraint, fact)
            })
            .collect(),
        distinct: Absent,
        representative: trace(&class.representative, &named),
        violates: failing_conjuncts(model, request.invariant, &class.representative.moments),
        canonical: class.canonical.as_ref().map(|t| trace(t, &[])),
        decisive: decisive_places(request, id).iter().map(decisive_document).collect(),
        redundant: class.redundant,
        sufficient: class.sufficient,
        accepted: Absent,
        restates: is_known(class.restates, Restates::Property),
        restates_step: is_known(class.restates, Restates::Step),
        rests_on_bound: None,
        initial_facts: class.initial_facts,
        images: image_documents(&model.types, &class.images, |image| StoredClass {
            // The decisive steps are those of the representative of the class.
            decisive: Vec::new(),
            ..class_document(request, atoms, image, id)
        }),
        kinds: None,
        causes: IgnoredAny,
        refined: IgnoredAny,
        needed: Absent,
    }
}

/// A decisive step as JSON.
pub(crate) fn decisive_document(place: &DecisivePlace) -> StoredDecisive {
    let right = place.right.iter().map(|step| StoredRight {
        label: step.label.clone(),
        leads_to: match step.leads_to {
            StateFate::Safe => StoredFate::Safe,
            StateFate::Open | StateFate::Lost => StoredFate::Open,
        },
    });
    StoredDecisive { position: place.position.index(), right: right.collect(), may_rest: place.may_rest }
}

/// Individuals of these domains with their names and values.
pub(crate) fn individual_documents(
    model: &Model,
    atoms: &Atoms,
    domains: &[DomainId],
    names: &VariableNames,
    assigned: &Assignment,
) -> Vec<StoredIndividual> {
    let typed = names.individuals.iter().zip(domains).zip(&assigned.individuals);
    let document = |((name, &domain), value): ((&String, &DomainId), &Value)| StoredIndividual {
        name: name.clone(),
        ty: model.types.name(atoms.type_of(domain)),
        value: model.types.show_value(value),
    };
    typed.map(document).collect()
}

fn fact_document(model: &Model, atoms: &Atoms, constraint: &Constraint, fact: &Fact) -> StoredFact {
    let names = constraint.names(model, atoms);
    let predicate = fact.predicate(atoms).map(|id| &model.predicates[id.0 as usize]);
    StoredFact {
        text: fact.show(model, atoms, &names),
        words: fact_words(model, atoms, fact, &names),
        kind: match predicate {
            Some(_) => FactWord::Predicate,
            None if fact.is_order() => FactWord::Order,
            None if fact.is_absence() => FactWord::Absence,
            None if fact.is_about_individuals(atoms) => FactWord::Individuals,
            None => FactWord::Observable,
        },
        predicate: predicate.map(|p| p.name.clone()),
        title: predicate.and_then(Predicate::title),
        positions: fact.own_names(&names).positions,
        individuals: fact.own_names(&names).individuals,
        source: predicate.and_then(|p| predicate_place(model, p)),
        needed: None,
    }
}

/// The names of the position variables of a constraint with where they lie.
pub fn named(constraint: &Constraint, positions: &[Position]) -> Vec<(String, Position)> {
    position_names(constraint.positions).into_iter().zip(positions.iter().copied()).collect()
}

/// True if a constraint restates this much, if that was decided.
pub fn is_known(restates: Restates, this: Restates) -> Option<bool> {
    (restates != Restates::Undecided).then_some(restates == this)
}

/// Returns the documents of images; `class_document` returns those of classes.
pub fn image_documents<K: TraceKind, D>(
    types: &Types,
    images: &[Image<K>],
    class_document: impl Fn(&Class<K>) -> D,
) -> Vec<StoredImage<D>> {
    let document = |image: &Image<K>| StoredImage {
        by: image.by.show(types),
        moves: moves(types, &image.by),
        unmoved: unmoved(types, &image.by),
        class: class_document(&image.class),
    };
    images.iter().map(document).collect()
}

fn moves(types: &Types, by: &Permutation) -> Vec<StoredMove> {
    let document = |(ty, from, to): (NameType, &Value, &Value)| StoredMove {
        ty: types.name(&ty.ty()),
        from: types.show_value(from),
        to: types.show_value(to),
    };
    by.moves().map(document).collect()
}

fn unmoved(types: &Types, by: &Permutation) -> Vec<StoredUnmoved> {
    let fixed = by.fixed().iter();
    fixed
        .map(|fixed| StoredUnmoved {
            ty: types.name(&Type::Record(fixed.record)),
            field: types.record(fixed.record).fields[fixed.field].0.clone(),
            value: types.show_value(&fixed.value),
        })
        .collect()
}

/// More steps than this are not named in a sentence.
const SHOWN: usize = 5;

/// The decisive steps of a class, which are numbered from 1.
pub fn decisive_places<'a>(request: &ClassifyRequest<'a>, number: usize) -> &'a [DecisivePlace] {
    request.decisive.get(number - 1).map_or(&[], Vec::as_slice)
}

/// The sentence: `this would have been right: swallow(n=3,i=1), start(n=3)`.
pub fn right_words(place: &DecisivePlace) -> String {
    let rest = place.may_rest.then(|| "to leave it out".to_owned());
    let mut right: Vec<String> =
        rest.into_iter().chain(place.right.iter().map(|step| step.label.clone())).collect();
    let left = right.len().saturating_sub(SHOWN);
    right.truncate(SHOWN);
    if left > 0 {
        right.push(format!("and {left} more"));
    }
    match right.is_empty() {
        true => "nothing else was possible".to_owned(),
        false => format!("this would have been right: {}", right.join(", ")),
    }
}
