//! A classification of infinite traces as JSON: `docs/schema/classify-lassos-1.json`.

use super::LassoRequest;
use super::causes::refinement_document;
use super::necessary::necessary_document;
use super::words::{Placed, broken_words, constraint_words, decisive_words, open_words, placed, sentence};
use crate::classes::baseline::baseline_document;
use crate::classes::class_json::{image_documents, individual_documents, is_known};
use crate::classes::classify_json::repair_document;
use crate::shared::document::{VERSION, constants, diagnostic_document, infinite_trace_document, seconds};
use crate::shared::sources::{set_texts, source_documents};
use crate::shared::verdict::why_ended;
use classify::lassos::{
    Basis, EveryLength, LassoCause, LassoClass, LassoClassification, LassoConstraint, LassoCover,
    LassoRefinement, LassoVerdict, WeakPair, When,
};
use classify::{Combination, Restates};
use lang::model::{Position, Recurrence};
use lang::trace::Lasso;
use verify::document::{
    ClassifyVerdict, Fewest, LassoDocument, Mode, StoredCombination, StoredDecision, StoredEveryLength,
    StoredLassoClass, StoredLassoFact, StoredLassoPair, StoredLassoStatistics, StoredTrace, StoredWithout,
    WhyEnded,
};

/// The document of a classification.
pub fn lasso_document(request: &LassoRequest<'_>, result: &LassoClassification) -> LassoDocument {
    let model = request.asked.model;
    let is_complete = *result.answer() == LassoVerdict::Complete;
    let cover = if result.minimum { Fewest::Minimum } else { Fewest::NonRedundant };
    let classes = result.classes.iter().enumerate();
    let refined = |class: usize| result.refinements.as_ref().and_then(|all| all.get(class));
    let document = |(index, class): (usize, &LassoClass)| StoredLassoClass {
        decisive: decision(result, index),
        ..class_document(request, result, (class, refined(index)), index + 1)
    };
    let context = result.cover.as_ref().and_then(|cover| cover.context.as_ref());
    let shown = |constraint: &LassoConstraint| constraint.show(model, &result.atoms);
    LassoDocument {
        schema: "cladist/classify-lassos-1".to_owned(),
        version: VERSION.to_owned(),
        model: model.name.clone(),
        file: request.asked.file.to_owned(),
        sources: source_documents(&model.sources),
        set: set_texts(&model.sources),
        constants: constants(model),
        property: request.asked.property.name.clone(),
        bound: result.bound,
        horizon: result.horizon,
        fairness: request.fairness,
        ignore_fairness: request.given.ignored,
        fair: request.given.fair.to_vec(),
        strongly_fair: request.given.strongly_fair.to_vec(),
        vocabulary: request.asked.vocabulary.name.clone(),
        declaration: request.asked.chosen.map(|chosen| chosen.declaration.clone()),
        prefer: request.asked.prefer.to_vec(),
        hide: request.asked.hide.to_vec(),
        ground: request.asked.ground.to_vec(),
        seed: request.asked.seed,
        verdict: verdict(result),
        summary: sentence(request, result),
        reason: match result.answer() {
            LassoVerdict::Exhausted(why) | LassoVerdict::Undecided(why) => Some(why_ended(*why)),
            LassoVerdict::MaxClasses => Some(WhyEnded::MaxClasses),
            _ => None,
        },
        cover: is_complete.then_some(cover),
        mode: if result.cover.is_some() { Mode::Cover } else { Mode::Sufficient },
        within: context.map(shown),
        within_formula: context.map(|constraint| constraint.formula(model, &result.atoms)),
        combinations: result.cover.as_ref().map(|cover| combinations(request, cover)),
        all_combinations: result.cover.as_ref().map(|cover| cover.all),
        remainder: result
            .cover
            .as_ref()
            .and_then(|cover| cover.remainder.as_ref())
            .map(|t| trace(request, t)),
        necessary: result.cover.as_ref().map(|cover| cover.necessary.iter().map(shown).collect()),
        classes: classes.map(document).collect(),
        unclassified: result.unclassified.as_ref().map(|lasso| trace(request, lasso)),
        too_weak: match &result.verdict {
            LassoVerdict::TooWeak(weak) => Some(weak_document(request, weak)),
            _ => None,
        },
        repairs: request
            .asked
            .repairs
            .map(|all| all.best.iter().map(repair_document).collect())
            .unwrap_or_default(),
        necessary_facts: necessary_document(request, result),
        unbounded: result.unbounded.as_ref().and_then(every_length),
        statistics: StoredLassoStatistics {
            counterexamples: result.statistics.counterexamples,
            solver_calls: result.statistics.solver_calls,
            seconds: seconds(result.statistics.seconds.total),
            cpu_seconds: result.statistics.cpu_seconds.map(seconds),
            peak_memory_kb: result.statistics.peak_memory_kb,
        },
        warnings: request.asked.warnings.iter().map(|d| diagnostic_document(d, &model.sources)).collect(),
        solver: result.solver.clone(),
        checked_by: result.checked_by.clone(),
        rerun: request.asked.rerun.to_owned(),
        baseline: request
            .baseline
            .map(|comparison| baseline_document(result.has_all(), comparison, |lasso| trace(request, lasso))),
    }
}

/// How it ended, for programs.
fn verdict(result: &LassoClassification) -> ClassifyVerdict {
    match (&result.verdict, result.is_unbounded()) {
        (LassoVerdict::Holds, false) => ClassifyVerdict::Holds,
        (LassoVerdict::Holds, true) => ClassifyVerdict::HoldsUnbounded,
        (LassoVerdict::Complete, false) => ClassifyVerdict::Complete,
        (LassoVerdict::Complete, true) => ClassifyVerdict::CompleteUnbounded,
        (LassoVerdict::Exhausted(_) | LassoVerdict::MaxClasses, _) => ClassifyVerdict::Partial,
        (LassoVerdict::Remainder, _) => ClassifyVerdict::Remainder,
        (LassoVerdict::TooWeak(_), _) => ClassifyVerdict::TooWeak,
        (LassoVerdict::Undecided(_), _) => ClassifyVerdict::Undecided,
    }
}

fn decision(result: &LassoClassification, class: usize) -> Option<StoredDecision> {
    let decisions = result.decisions.as_ref()?;
    let words = decisive_words(result, class)?;
    Some(StoredDecision {
        position: decisions.positions[class].map(Position::index),
        of_all: decisions.is_of_all,
        words,
    })
}

fn trace(request: &LassoRequest<'_>, lasso: &Lasso) -> StoredTrace {
    infinite_trace_document(request.asked.model, lasso, &[], &request.asked.view)
}

fn class_document(
    request: &LassoRequest<'_>,
    result: &LassoClassification,
    (class, refinement): (&LassoClass, Option<&LassoRefinement>),
    id: usize,
) -> StoredLassoClass {
    let (model, atoms) = (request.asked.model, &result.atoms);
    let texts = class.constraint.show_facts(model, atoms);
    let facts = class.constraint.facts.iter().zip(texts).map(|(fact, text)| StoredLassoFact {
        text,
        when: match fact.when {
            When::Once => Recurrence::Once,
            When::Again => Recurrence::Again,
            When::Forever => Recurrence::Forever,
        },
    });
    let Placed { positions, names, assigned } = placed(model, atoms, class);
    let distinct = class.constraint.distinct.iter();
    let needed = class.constraint.weaker().into_iter().zip(&class.needed);
    StoredLassoClass {
        id,
        constraint: class.constraint.show(model, atoms),
        formula: class.constraint.formula(model, atoms),
        words: constraint_words(model, atoms, &class.constraint),
        individuals: individual_documents(model, atoms, &class.constraint.individuals, &names, &assigned),
        facts: facts.collect(),
        distinct: distinct.map(|about| about.show(model, atoms, &names)).collect(),
        representative: infinite_trace_document(
            model,
            &class.representative,
            &positions,
            &request.asked.view,
        ),
        canonical: class.canonical.as_ref().map(|lasso| trace(request, lasso)),
        decisive: None,
        sufficient: class.accepted.is_none(),
        accepted: class.accepted.as_ref().map(|lasso| trace(request, lasso)),
        restates: is_known(class.restates, Restates::Property),
        restates_step: is_known(class.restates, Restates::Step),
        images: image_documents(&model.types, &class.images, |image| {
            class_document(request, result, (image, None), id)
        }),
        causes: refinement.map(|refinement| {
            let causes = (1..).zip(&refinement.causes);
            let document = |(id, cause): (usize, &LassoCause)| {
                class_document(request, result, (&cause.class, cause.refinement.as_ref()), id)
            };
            causes.map(document).collect()
        }),
        refined: refinement.map(|refinement| refinement_document(request, result, refinement)),
        needed: needed
            .map(|(weaker, lasso)| StoredWithout {
                without: weaker.show(model, atoms),
                trace: trace(request, lasso),
            })
            .collect(),
    }
}

fn weak_document(request: &LassoRequest<'_>, weak: &WeakPair) -> StoredLassoPair {
    StoredLassoPair {
        counterexample: trace(request, &weak.violating),
        accepting: trace(request, &weak.accepting),
        constraint: weak.shared.show(request.asked.model, &weak.atoms),
        formula: weak.shared.formula(request.asked.model, &weak.atoms),
    }
}

/// What is known of all infinite traces, if the verdict can be about them.
fn every_length(known: &EveryLength) -> Option<StoredEveryLength> {
    Some(match known {
        EveryLength::Weak { .. } => return None,
        EveryLength::Proved { basis, bounds } => StoredEveryLength {
            proved: true,
            states: match basis {
                Basis::States(states) => Some(*states),
                Basis::Proofs(_) => None,
            },
            bounds: bounds.clone(),
            reason: None,
        },
        EveryLength::Open { why, proved } => StoredEveryLength {
            proved: false,
            states: None,
            bounds: Vec::new(),
            reason: Some(open_words(*why, *proved)),
        },
        EveryLength::Broken { steps, why } => StoredEveryLength {
            proved: false,
            states: None,
            bounds: Vec::new(),
            reason: Some(broken_words(*steps, *why)),
        },
    })
}

/// Which classes occur together, as JSON.
fn combinations(request: &LassoRequest<'_>, cover: &LassoCover) -> Vec<StoredCombination> {
    let document = |combination: &Combination<Lasso>| StoredCombination {
        classes: combination.classes.iter().map(|class| class + 1).collect(),
        steps: combination.trace.len(),
        trace: infinite_trace_document(request.asked.model, &combination.trace, &[], &request.asked.view),
    };
    cover.combinations.iter().map(document).collect()
}
