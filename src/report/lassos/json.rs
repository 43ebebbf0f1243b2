//! A classification of infinite traces as JSON: `docs/schema/classify-lassos-1.json`.

use super::LassoRequest;
use super::necessary::necessary_document;
use super::words::{broken_words, constraint_words, decisive_words, open_words, placed, sentence};
use crate::classes::class_json::{image_documents, individual_documents, is_known};
use crate::classes::classify_json::{OwnFields, common_document};
use crate::shared::document::{infinite_trace_document, seconds};
use classify::lassos::{Infinite, LassoBasis, LassoProof};
use classify::{Class, Classification, Restates, TooWeak, Unbounded, UnknownReason, Verdict};
use lang::model::Position;
use lang::trace::Lasso;
use serde::de::IgnoredAny;
use verify::document::{
    Absent, ClassifyDocument, StoredClass, StoredDecision, StoredEveryLength, StoredLassoFact,
    StoredLassoStatistics, StoredPair, StoredTrace, StoredWithout,
};

/// The document of a classification.
pub fn lasso_document(
    request: &LassoRequest<'_>,
    result: &Classification<Infinite>,
) -> ClassifyDocument<Infinite> {
    let classes = result.classes.iter().enumerate();
    let document = |(index, class): (usize, &Class<Infinite>)| StoredClass {
        decisive: decision(result, index),
        kinds: request.asked.kinds_in(index),
        ..class_document(request, result, class, index + 1)
    };
    let own = OwnFields {
        lengths: Absent,
        chosen: Absent,
        depth: Absent,
        horizon_missed: Absent,
        counts: Absent,
        proofs: None,
        horizon: result.sufficient_up_to,
        fairness: request.fairness,
        ignore_fairness: request.given.ignored,
        fair: request.given.fair.to_vec(),
        strongly_fair: request.given.strongly_fair.to_vec(),
        declaration: request.asked.chosen.map(|chosen| chosen.declaration.clone()),
        summary: sentence(request, result),
        classes: classes.map(document).collect(),
        too_weak: match &result.verdict {
            Verdict::TooWeak(weak) => Some(weak_document(request, weak)),
            _ => None,
        },
        necessary_facts: necessary_document(request, result),
        unbounded: result.unbounded.as_ref().and_then(every_length),
        statistics: StoredLassoStatistics {
            counterexamples: result.statistics.counterexamples,
            solver_calls: result.statistics.solver_calls,
            seconds: seconds(result.statistics.seconds.total),
            cpu_seconds: result.statistics.cpu_seconds.map(seconds),
            peak_memory_kb: result.statistics.peak_memory_kb,
        },
    };
    common_document(&request.asked, result, request.baseline, own)
}

fn decision(result: &Classification<Infinite>, class: usize) -> Option<StoredDecision> {
    let decisions = result.decisions.as_ref()?;
    let words = decisive_words(result, class)?;
    Some(StoredDecision {
        position: decisions.positions[class].map(Position::index),
        of_all: decisions.is_of_all,
        words,
    })
}

fn trace(request: &LassoRequest<'_>, lasso: &Lasso) -> StoredTrace {
    infinite_trace_document(request.asked.model, lasso, &[], &request.asked.display)
}

fn class_document(
    request: &LassoRequest<'_>,
    result: &Classification<Infinite>,
    class: &Class<Infinite>,
    id: usize,
) -> StoredClass<Infinite> {
    let (model, atoms) = (request.asked.model, &result.atoms);
    let texts = class.constraint.show_facts(model, atoms);
    let facts = class
        .constraint
        .facts
        .iter()
        .zip(texts)
        .map(|(fact, text)| StoredLassoFact { text, when: fact.when });
    let names = class.constraint.names(model, atoms);
    let distinct = class.constraint.distinct.iter();
    let needed = class.constraint.weaker().into_iter().zip(&class.needed);
    StoredClass {
        id,
        constraint: class.constraint.show(model, atoms),
        formula: class.constraint.formula(model, atoms),
        words: constraint_words(model, atoms, &class.constraint),
        positions: Absent,
        individuals: individual_documents(
            model,
            atoms,
            &class.constraint.individuals,
            &names,
            &class.assigned,
        ),
        facts: facts.collect(),
        distinct: distinct.map(|about| about.show(model, atoms, &names)).collect(),
        representative: infinite_trace_document(
            model,
            &class.representative,
            &placed(model, atoms, class),
            &request.asked.display,
        ),
        violates: Absent,
        canonical: class.canonical.as_ref().map(|lasso| trace(request, lasso)),
        decisive: None,
        redundant: Absent,
        sufficient: class.sufficient,
        accepted: class.accepted.as_ref().map(|lasso| trace(request, lasso)),
        restates: is_known(class.restates, Restates::Property),
        restates_step: is_known(class.restates, Restates::Step),
        rests_on_bound: Absent,
        initial_facts: Absent,
        images: image_documents(&model.types, &class.images, |image| {
            class_document(request, result, image, id)
        }),
        kinds: None,
        causes: IgnoredAny,
        refined: IgnoredAny,
        needed: needed
            .map(|(weaker, lasso)| StoredWithout {
                without: weaker.show(model, atoms),
                trace: trace(request, lasso),
            })
            .collect(),
    }
}

fn weak_document(request: &LassoRequest<'_>, weak: &TooWeak<Infinite>) -> StoredPair<Infinite> {
    StoredPair {
        counterexample: trace(request, &weak.counterexample),
        accepting: trace(request, &weak.accepting),
        constraint: weak.constraint.show(request.asked.model, &weak.atoms),
        formula: weak.constraint.formula(request.asked.model, &weak.atoms),
        differs: Absent,
    }
}

/// The result for all infinite traces, if the verdict can be about them.
fn every_length(known: &Unbounded<Infinite>) -> Option<StoredEveryLength> {
    let open =
        |reason| StoredEveryLength { proved: false, states: None, bounds: Vec::new(), reason: Some(reason) };
    Some(match known {
        Unbounded::Proved(LassoProof { basis, bounds }) => StoredEveryLength {
            proved: true,
            states: match basis {
                LassoBasis::States(states) => Some(*states),
                LassoBasis::Proofs(_) => None,
            },
            bounds: bounds.clone(),
            reason: None,
        },
        Unbounded::Open(UnknownReason::Weak { .. }) => return None,
        Unbounded::Open(UnknownReason::Obstacle(claims)) => open(open_words(*claims)),
        Unbounded::Open(UnknownReason::Broken { steps, why }) => open(broken_words(*steps, *why)),
    })
}
