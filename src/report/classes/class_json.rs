//! A class of a classification as JSON.

mod images;

use crate::classes::decisive::decisive_places;
use crate::shared::document::TraceDocument;
use crate::shared::request::ClassifyRequest;
use crate::writing::words::{constraint_words, fact_words, predicate_place};
use classify::{
    Assignment, Atoms, Class, Constraint, DomainId, Fact, Longer, Names, Restates, position_names,
};
use engines::explore::DecisivePlace;
use lang::model::eval::failing_conjuncts;
use lang::model::value::Value;
use lang::model::{Model, Position, Predicate, TraceFormulaText};
use lang::trace::Trace;
use serde::Serialize;
use serde_json::{Map, Value as Json};

pub use images::{ImageDocument, image_documents};

/// A class of counterexamples.
#[derive(Debug, Serialize)]
pub struct ClassDocument {
    /// From 1.
    pub id: usize,
    /// The constraint in the paper's notation.
    pub constraint: String,
    /// The constraint in words, one line a fact, order facts as one line.
    pub words: Vec<String>,
    /// The constraint in the language of models, fact by fact.
    pub formula: TraceFormulaText,
    /// The names of the position variables with where they lie in the representative.
    pub positions: Map<String, Json>,
    /// The individuals of the constraint.
    pub individuals: Vec<IndividualDocument>,
    /// The facts of the constraint.
    pub facts: Vec<FactDocument>,
    /// A shortest counterexample of the class, which ends in its first violation; of an exact length, one
    /// whose first violation comes first.
    pub representative: TraceDocument,
    /// The conjuncts of the property that fail where the representative first violates it.
    pub violates: Vec<String>,
    /// A shortest counterexample that is in no other class.
    pub canonical: Option<TraceDocument>,
    /// The decisive steps of the representative that the constraint speaks of.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub decisive: Vec<DecisiveDocument>,
    /// Whether the other classes cover it.
    pub redundant: bool,
    /// Whether the constraint implies a violation; only classes of a cover need not.
    pub sufficient: bool,
    /// Whether the facts alone violate the property, whatever the model does.
    pub restates: bool,
    /// Whether they do together with single steps of the model, from whatever states: the steps to the positions of the constraint, or
    /// the next ones. Then the constraint names the step that violates the property, and not how it became possible.
    pub restates_step: bool,
    /// A shortest trace beyond the bound, without violation, that satisfies the constraint: the class rests on the bound.
    pub rests_on_bound: Option<LongerDocument>,
    /// Facts before minimisation.
    pub initial_facts: usize,
    /// What symmetries of the model make of it: it stands for these as well.
    pub images: Vec<ImageDocument>,
    /// What tells its traces apart, each again a class; `null` where that was not asked.
    pub causes: Option<Vec<ClassDocument>>,
    /// What is known of its traces beside the causes; `null` where that was not asked.
    pub refined: Option<RefinementDocument>,
}

/// What is known of the traces of a class beside its causes.
#[derive(Debug, Serialize)]
pub struct RefinementDocument {
    /// What all of them have, in the paper's notation.
    pub necessary: Vec<String>,
    /// A shortest one without any of the causes.
    pub remainder: Option<TraceDocument>,
    /// Whether no smaller choice of causes does.
    pub minimum: bool,
    /// What ended the search before there was a result.
    pub reason: Option<&'static str>,
}

/// A trace that is longer than the bound.
#[derive(Debug, Serialize)]
pub struct LongerDocument {
    /// How many steps it has.
    pub steps: usize,
    /// The trace; `null` if it is too long to be shown.
    pub trace: Option<TraceDocument>,
}

impl LongerDocument {
    /// The document of a longer trace.
    pub(crate) fn new(request: &ClassifyRequest<'_>, longer: &Longer) -> Self {
        let trace = longer.trace.as_ref();
        Self {
            steps: longer.steps,
            trace: trace
                .map(|trace| TraceDocument::new(request.asked.model, trace, &[], &request.asked.view)),
        }
    }
}

/// A decisive step of a representative.
#[derive(Debug, Serialize)]
pub struct DecisiveDocument {
    /// The position that it leads to.
    pub position: Position,
    /// What could have been done in its place without losing.
    pub right: Vec<RightDocument>,
    /// Whether it would have been right to leave it out.
    pub may_rest: bool,
}

/// A step that does not lose.
#[derive(Debug, Serialize)]
pub struct RightDocument {
    /// Its label.
    pub label: String,
    /// `safe` or `open`: what it leads to, at worst.
    pub leads_to: &'static str,
}

/// An individual of a constraint.
#[derive(Debug, Serialize)]
pub struct IndividualDocument {
    /// Its name in the constraint.
    pub name: String,
    /// The name of its type.
    #[serde(rename = "type")]
    pub ty: String,
    /// Its value in the representative.
    pub value: String,
}

/// A fact of a constraint.
#[derive(Debug, Serialize)]
pub struct FactDocument {
    /// In the paper's notation.
    pub text: String,
    /// In words.
    pub words: String,
    /// `order`, `predicate`, `absence`, `individuals` or `observable`.
    pub kind: &'static str,
    /// The predicate's name.
    pub predicate: Option<String>,
    /// The predicate's title.
    pub title: Option<String>,
    /// The position variables it is about.
    pub positions: Vec<String>,
    /// The individuals it is about.
    pub individuals: Vec<String>,
    /// Where the predicate is defined: `file:line`.
    pub source: Option<String>,
    /// A trace without violation that satisfies all other facts; `null` if the budget ended before.
    pub needed: Option<TraceDocument>,
}

/// The document of a class, with its number.
pub fn class_document(
    request: &ClassifyRequest<'_>,
    atoms: &Atoms,
    class: &Class,
    id: usize,
) -> ClassDocument {
    let model = request.asked.model;
    let named = named(&class.constraint, &class.assigned.positions);
    let trace = |trace: &Trace, positions: &[(String, Position)]| {
        TraceDocument::new(model, trace, positions, &request.asked.view)
    };
    let facts = class.constraint.facts.iter().enumerate();
    ClassDocument {
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
            .map(|(n, fact)| FactDocument {
                needed: class.needed.get(n).map(|t| trace(t, &[])),
                ..fact_document(model, atoms, &class.constraint, fact)
            })
            .collect(),
        representative: trace(&class.representative, &named),
        violates: failing_conjuncts(model, request.invariant, &class.representative.moments),
        canonical: class.canonical.as_ref().map(|t| trace(t, &[])),
        decisive: decisive_places(request, id).iter().map(decisive_document).collect(),
        redundant: class.redundant,
        sufficient: class.sufficient,
        restates: class.restates == Restates::Property,
        restates_step: class.restates == Restates::Step,
        rests_on_bound: None,
        initial_facts: class.initial_facts,
        images: image_documents(&model.types, &class.images, |image| ClassDocument {
            // The decisive steps are those of the representative of the class.
            decisive: Vec::new(),
            ..class_document(request, atoms, image, id)
        }),
        causes: None,
        refined: None,
    }
}

fn decisive_document(place: &DecisivePlace) -> DecisiveDocument {
    let right = place
        .right
        .iter()
        .map(|step| RightDocument { label: step.label.clone(), leads_to: step.leads_to.word() });
    DecisiveDocument { position: place.position, right: right.collect(), may_rest: place.may_rest }
}

/// Individuals of these domains with their names and values.
pub(crate) fn individual_documents(
    model: &Model,
    atoms: &Atoms,
    domains: &[DomainId],
    names: &Names,
    assigned: &Assignment,
) -> Vec<IndividualDocument> {
    let typed = names.individuals.iter().zip(domains).zip(&assigned.individuals);
    let document = |((name, &domain), value): ((&String, &DomainId), &Value)| IndividualDocument {
        name: name.clone(),
        ty: model.types.name(atoms.type_of(domain)),
        value: model.types.show_value(value),
    };
    typed.map(document).collect()
}

fn fact_document(model: &Model, atoms: &Atoms, constraint: &Constraint, fact: &Fact) -> FactDocument {
    let names = constraint.names(model, atoms);
    let predicate = fact.predicate(atoms).map(|id| &model.predicates[id.0 as usize]);
    FactDocument {
        text: fact.show(model, atoms, &names),
        words: fact_words(model, atoms, fact, &names),
        kind: match predicate {
            Some(_) => "predicate",
            None if fact.is_order() => "order",
            None if fact.is_absence() => "absence",
            None if fact.is_about_individuals(atoms) => "individuals",
            None => "observable",
        },
        predicate: predicate.map(|p| p.name.clone()),
        title: predicate.and_then(Predicate::title),
        positions: fact.own_names(&names).positions,
        individuals: fact.own_names(&names).individuals,
        source: predicate.map(|p| predicate_place(model, p)),
        needed: None,
    }
}

/// The names of the position variables of a constraint with where they lie.
pub fn named(constraint: &Constraint, positions: &[Position]) -> Vec<(String, Position)> {
    position_names(constraint.positions).into_iter().zip(positions.iter().copied()).collect()
}
