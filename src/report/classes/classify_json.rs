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
    Class, Classification, Combination, Comparison, Cover, Horizon, Seconds, TooWeak, TraceKind, Verdict, Why,
};
use lang::model::Position;
use lang::trace::Trace;
use verify::document::{
    Absent, ClassRequirement, ClassifyDocument, DocumentKind, Fewest, LengthsWord, StoredChoice, StoredClass,
    StoredCombination, StoredCounts, StoredHorizon, StoredNecessary, StoredPair, StoredProofs, StoredRepair,
    StoredSeconds, StoredStatistics, WhyEnded,
};

/// The document of a classification.
pub fn classify_document(request: &ClassifyRequest<'_>, result: &Classification) -> ClassifyDocument {
    let asked = &request.asked;
    let necessary = result.necessary.as_ref();
    let own = OwnFields {
        lengths: result.lengths.into(),
        fairness: Absent,
        ignore_fairness: Absent,
        fair: Absent,
        strongly_fair: Absent,
        declaration: Absent,
        chosen: asked.chosen.map(|chosen| StoredChoice {
            predicates: chosen.predicates.clone(),
            declaration: chosen.declaration.clone(),
            tried: chosen.tried,
            cut_short: chosen.cut_short,
            text: chosen_text(chosen, result),
        }),
        summary: verdict_sentence(result, &asked.vocabulary.name, &asked.display),
        depth: match result.answer() {
            Verdict::Undecided { depth, .. } => Some(*depth),
            _ => None,
        },
        classes: class_documents(request, result),
        necessary_facts: necessary.map(|necessary| necessary_document(request, &result.atoms, necessary)),
        too_weak: match &result.verdict {
            Verdict::TooWeak(weak) => Some(too_weak_document(request, weak)),
            _ => None,
        },
        horizon: result.horizon.as_ref().map(|horizon| horizon_document(request, horizon)),
        horizon_missed: result.horizon_missed,
        unbounded: unbounded_document(result),
        counts: counts_document(result),
        statistics: statistics_document(result),
        proofs: request.proofs.cloned(),
    };
    common_document(asked, result, request.baseline, own)
}

/// The fields of a document that are made in another way for each kind of traces, called as in [`ClassifyDocument`].
pub(crate) struct OwnFields<K: DocumentKind> {
    pub lengths: K::IfFinite<LengthsWord>,
    pub fairness: K::IfInfinite<usize>,
    pub ignore_fairness: K::IfInfinite<bool>,
    pub fair: K::Conditions,
    pub strongly_fair: K::Conditions,
    pub chosen: K::IfFinite<Option<StoredChoice>>,
    pub declaration: K::IfInfinite<Option<String>>,
    pub summary: String,
    pub depth: K::IfFinite<Option<usize>>,
    pub classes: Vec<StoredClass<K>>,
    pub necessary_facts: Option<StoredNecessary<K::Formula>>,
    pub too_weak: Option<StoredPair<K>>,
    pub horizon: K::Horizon,
    pub horizon_missed: K::IfFinite<Option<usize>>,
    pub unbounded: Option<K::Unbounded>,
    pub counts: K::IfFinite<Option<StoredCounts>>,
    pub statistics: K::Statistics,
    pub proofs: Option<StoredProofs>,
}

/// Makes a document of its own fields and those that are made alike for all kinds of traces.
pub(crate) fn common_document<K: ShownTraces>(
    asked: &CommonRequest<'_>,
    result: &Classification<K>,
    baseline: Option<&Comparison<K>>,
    own: OwnFields<K>,
) -> ClassifyDocument<K> {
    let model = asked.model;
    let cover = result.cover.as_ref();
    let context = cover.and_then(|cover| cover.context.as_ref());
    let shown = |constraint: &K::Constraint| K::show(constraint, model, &result.atoms);
    let trace = |trace: &K::Trace| K::document(model, trace, &[], &asked.display);
    let repairs = asked.repairs.map(|repairs| repairs.best.iter().map(repair_document).collect());
    ClassifyDocument {
        schema: K::SCHEMA.to_owned(),
        version: VERSION.to_owned(),
        model: model.name.clone(),
        file: asked.file.to_owned(),
        sources: source_documents(&model.sources),
        set: set_texts(&model.sources),
        constants: constants(model),
        property: asked.property.name.clone(),
        bound: result.lengths.bound(),
        lengths: own.lengths,
        fairness: own.fairness,
        ignore_fairness: own.ignore_fairness,
        fair: own.fair,
        strongly_fair: own.strongly_fair,
        vocabulary: asked.vocabulary.name.clone(),
        chosen: own.chosen,
        declaration: own.declaration,
        prefer: asked.prefer.to_vec(),
        hide: asked.hide.to_vec(),
        ground: asked.ground.to_vec(),
        seed: asked.seed,
        verdict: classify_verdict(result),
        summary: own.summary,
        reason: reason(result),
        depth: own.depth,
        cover: fewest(result),
        mode: if cover.is_some() { ClassRequirement::Cover } else { ClassRequirement::Sufficient },
        classes: own.classes,
        within: context.map(shown),
        within_formula: context.map(|constraint| K::formula(constraint, model, &result.atoms)),
        combinations: cover.map(|cover| combinations(asked, cover)),
        all_combinations: cover.map(|cover| cover.all),
        remainder: cover.and_then(|cover| cover.remainder.as_ref()).map(trace),
        necessary: cover.map(|cover| cover.necessary.iter().map(shown).collect()),
        necessary_facts: own.necessary_facts,
        unclassified: result.unclassified.as_ref().map(trace),
        too_weak: own.too_weak,
        repairs: repairs.unwrap_or_default(),
        horizon: own.horizon,
        horizon_missed: own.horizon_missed,
        unbounded: own.unbounded,
        counts: own.counts,
        tree: asked.causes.map(|causes| causes.document.clone()),
        statistics: own.statistics,
        warnings: asked.warnings.iter().map(|d| diagnostic_document(d, &model.sources)).collect(),
        solver: result.solver.clone(),
        checked_by: result.checked_by.clone(),
        rerun: asked.rerun.to_owned(),
        proofs: own.proofs,
        baseline: baseline.map(|comparison| baseline_document(result.has_all(), comparison, trace)),
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
fn combinations<K: ShownTraces>(asked: &CommonRequest<'_>, cover: &Cover<K>) -> Vec<StoredCombination> {
    let document = |combination: &Combination<K::Trace>| {
        let trace = K::document(asked.model, &combination.trace, &[], &asked.display);
        let classes = combination.classes.iter().map(|class| class + 1).collect();
        StoredCombination { classes, steps: trace.steps, trace }
    };
    cover.combinations.iter().map(document).collect()
}

/// Returns the reason why a result is partial or undecided.
fn reason<K: TraceKind>(result: &Classification<K>) -> Option<WhyEnded> {
    match result.answer() {
        Verdict::Partial(Why::MaxClasses) => Some(WhyEnded::MaxClasses),
        Verdict::Partial(Why::StartWithOnly(_)) => Some(WhyEnded::StartWith),
        answer => answer.exhausted().map(why_ended),
    }
}

/// Returns how few the classes of a complete result are.
fn fewest<K: TraceKind>(result: &Classification<K>) -> Option<Fewest> {
    let fewest = if result.minimum { Fewest::Minimum } else { Fewest::NonRedundant };
    (*result.answer() == Verdict::Complete).then_some(fewest)
}

fn repair_document(repair: &Repair) -> StoredRepair {
    let Rating { classes, restating, length, .. } = repair.rating;
    let (predicates, add) = (repair.predicates.clone(), repair.text.clone());
    StoredRepair { predicates, add, classes, restating, length }
}

fn too_weak_document(request: &ClassifyRequest<'_>, weak: &TooWeak) -> StoredPair {
    let (model, atoms) = (request.asked.model, &weak.atoms);
    let all: Vec<Position> = weak.counterexample.positions().collect();
    let trace = |trace: &Trace, positions: &[Position]| {
        trace_document(model, trace, &named(&weak.constraint, positions), &request.asked.display)
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
