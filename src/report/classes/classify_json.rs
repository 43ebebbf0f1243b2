//! A classification as JSON: `docs/schema/classify-1.json`.

use crate::classes::baseline::baseline_document;
use crate::classes::beyond::unbounded_document;
use crate::classes::class_json::{class_document, longer_document, named};
use crate::classes::necessary::necessary_document;
use crate::classes::numbers::counts_document;
use crate::classes::shown::ShownTraces;
use crate::classes::vocabulary::chosen_text;
use crate::classes::weakness::differing_observables;
use crate::shared::document::{
    VERSION, constants, diagnostic_document, seconds, set_texts, source_documents, trace_document,
};
use crate::shared::request::{ClassifyRequest, CommonRequest};
use crate::shared::verdict::{classify_verdict, verdict_sentence, why_ended};
use classify::vocabulary::{Rating, Repair};
use classify::{
    Class, Classification, Combination, Constraint, Cover, Finite, Horizon, Seconds, TooWeak, TraceKind,
    Verdict, Why,
};
use lang::model::Position;
use lang::trace::Trace;
use verify::document::{
    Absent, ClassRequirement, ClassifyDocument, DocumentKind, Fewest, StoredChoice, StoredClass,
    StoredCombination, StoredHorizon, StoredPair, StoredRepair, StoredSeconds, StoredStatistics, WhyEnded,
};

/// The document of a classification.
pub fn classify_document(request: &ClassifyRequest<'_>, result: &Classification) -> ClassifyDocument {
    let model = request.asked.model;
    let depth = match result.answer() {
        Verdict::Undecided { depth, .. } => Some(*depth),
        _ => None,
    };
    let too_weak = match &result.verdict {
        Verdict::TooWeak(weak) => Some(too_weak_document(request, weak)),
        _ => None,
    };
    let cover = result.cover.as_ref();
    let context = cover.and_then(|cover| cover.context.as_ref());
    let shown = |constraint: &Constraint| constraint.show(model, &result.atoms);
    let trace = |trace: &Trace| trace_document(model, trace, &[], &request.asked.view);
    ClassifyDocument {
        schema: Finite::SCHEMA.to_owned(),
        version: VERSION.to_owned(),
        model: model.name.clone(),
        file: request.asked.file.to_owned(),
        sources: source_documents(&model.sources),
        set: set_texts(&model.sources),
        constants: constants(model),
        property: request.asked.property.name.clone(),
        bound: result.lengths.bound(),
        lengths: result.lengths.into(),
        fairness: Absent,
        ignore_fairness: Absent,
        fair: Absent,
        strongly_fair: Absent,
        declaration: Absent,
        vocabulary: request.asked.vocabulary.name.clone(),
        chosen: request.asked.chosen.map(|chosen| StoredChoice {
            declaration: chosen.declaration.clone(),
            tried: chosen.tried,
            cut_short: chosen.cut_short,
            text: chosen_text(chosen, result),
        }),
        prefer: request.asked.prefer.to_vec(),
        hide: request.asked.hide.to_vec(),
        ground: request.asked.ground.to_vec(),
        seed: request.asked.seed,
        verdict: classify_verdict(result),
        summary: verdict_sentence(result, &request.asked.vocabulary.name, &request.asked.view),
        reason: reason(result),
        depth,
        cover: fewest(result),
        classes: class_documents(request, result),
        mode: if result.cover.is_some() { ClassRequirement::Cover } else { ClassRequirement::Sufficient },
        within: context.map(shown),
        within_formula: context.map(|constraint| constraint.formula(model, &result.atoms)),
        combinations: cover.map(|cover| combinations(&request.asked, cover)),
        all_combinations: cover.map(|cover| cover.all),
        remainder: cover.and_then(|cover| cover.remainder.as_ref()).map(trace),
        necessary: cover.map(|cover| cover.necessary.iter().map(shown).collect()),
        necessary_facts: result
            .necessary
            .as_ref()
            .map(|necessary| necessary_document(request, &result.atoms, necessary)),
        unclassified: result.unclassified.as_ref().map(trace),
        too_weak,
        repairs: request
            .asked
            .repairs
            .map(|repairs| repairs.best.iter().map(repair_document).collect())
            .unwrap_or_default(),
        horizon: result.horizon.as_ref().map(|horizon| horizon_document(request, horizon)),
        horizon_missed: result.horizon_missed,
        unbounded: unbounded_document(result),
        counts: counts_document(result),
        tree: request.asked.causes.map(|causes| causes.document.clone()),
        statistics: statistics_document(result),
        warnings: request.asked.warnings.iter().map(|d| diagnostic_document(d, &model.sources)).collect(),
        solver: result.solver.clone(),
        checked_by: result.checked_by.clone(),
        rerun: request.asked.rerun.to_owned(),
        proofs: request.proofs.cloned(),
        baseline: request.baseline.map(|comparison| baseline_document(result.has_all(), comparison, trace)),
    }
}

fn class_documents(request: &ClassifyRequest<'_>, result: &Classification) -> Vec<StoredClass> {
    let document = |(index, class): (usize, &Class)| {
        let longer = result.rests_on_bound(index);
        StoredClass {
            kinds: request.asked.kinds_in(index),
            rests_on_bound: longer.map(|longer| longer_document(request, longer)),
            ..class_document(request, &result.atoms, class, index + 1)
        }
    };
    result.classes.iter().enumerate().map(document).collect()
}

fn horizon_document(request: &ClassifyRequest<'_>, horizon: &Horizon) -> StoredHorizon {
    let uncovered = horizon.uncovered.as_ref();
    StoredHorizon {
        steps: horizon.steps,
        sufficient_up_to: horizon.sufficient_up_to,
        uncovered: uncovered.map(|longer| longer_document(request, longer)),
    }
}

/// Returns the documents of the combinations of a cover.
pub(crate) fn combinations<K: ShownTraces>(
    asked: &CommonRequest<'_>,
    cover: &Cover<K>,
) -> Vec<StoredCombination> {
    let document = |combination: &Combination<K::Trace>| {
        let trace = K::document(asked.model, &combination.trace, &[], &asked.view);
        let classes = combination.classes.iter().map(|class| class + 1).collect();
        StoredCombination { classes, steps: trace.steps, trace }
    };
    cover.combinations.iter().map(document).collect()
}

/// Returns the reason why a result is partial or undecided.
pub(crate) fn reason<K: TraceKind>(result: &Classification<K>) -> Option<WhyEnded> {
    match result.answer() {
        Verdict::Partial(Why::MaxClasses) => Some(WhyEnded::MaxClasses),
        Verdict::Partial(Why::StartWithOnly(_)) => Some(WhyEnded::StartWith),
        answer => answer.exhausted().map(why_ended),
    }
}

/// Returns how few the classes of a complete result are.
pub(crate) fn fewest<K: TraceKind>(result: &Classification<K>) -> Option<Fewest> {
    let fewest = if result.minimum { Fewest::Minimum } else { Fewest::NonRedundant };
    (*result.answer() == Verdict::Complete).then_some(fewest)
}

pub(crate) fn repair_document(repair: &Repair) -> StoredRepair {
    let Rating { classes, restating, length, .. } = repair.rating;
    StoredRepair { add: repair.text.clone(), classes, restating, length }
}

fn too_weak_document(request: &ClassifyRequest<'_>, weak: &TooWeak) -> StoredPair {
    let (model, atoms) = (request.asked.model, &weak.atoms);
    let all: Vec<Position> = weak.counterexample.positions().collect();
    let trace = |trace: &Trace, positions: &[Position]| {
        trace_document(model, trace, &named(&weak.constraint, positions), &request.asked.view)
    };
    StoredPair {
        counterexample: trace(&weak.counterexample, &all),
        accepting: trace(&weak.accepting, &weak.positions),
        constraint: weak.constraint.show(model, atoms),
        formula: weak.constraint.formula(model, atoms),
        differs: differing_observables(model, weak),
    }
}

fn statistics_document(result: &Classification) -> StoredStatistics {
    let taken = &result.statistics;
    StoredStatistics {
        counterexamples: taken.counterexamples,
        redundant: taken.redundant,
        solver_calls: taken.solver_calls,
        seconds: seconds_document(&taken.seconds.map(seconds)),
        peak_variables: taken.peak_variables,
        peak_clauses: taken.peak_clauses,
        cpu_seconds: taken.cpu_seconds.map(seconds),
        peak_memory_kb: taken.peak_memory_kb,
    }
}

fn seconds_document(taken: &Seconds) -> StoredSeconds {
    StoredSeconds {
        unroll: taken.unroll,
        search: taken.search,
        facts: taken.facts,
        minimise: taken.minimise,
        block: taken.block,
        redundancy: taken.redundancy,
        necessary: taken.necessary,
        verify: taken.verify,
        prove: taken.prove,
        count: taken.count,
        vocabularies: taken.vocabularies,
        total: taken.total,
    }
}
