//! A causal tree as JSON: `docs/schema/causes-1.json`.

use super::CausalRequest;
use super::summary::{causal_sentence, causal_verdict};
use super::words::{CausalTitle, ReasonWords, causal_title, kind_title, reason_words};
use crate::classes::class_json::decisive_document;
use crate::shared::document::{
    VERSION, constants, diagnostic_document, infinite_trace_document, trace_document,
};
use crate::shared::document::{set_texts, source_documents};
use crate::shared::request::CausesOfClasses;
use crate::shared::verdict::why_ended;
use classify::causes::defences::Defences;
use classify::causes::kinds::CausalKind;
use classify::causes::pattern::CausePattern;
use classify::causes::question::{CausalProblem, EveryTrace};
use classify::causes::tree::CausalTree;
use classify::causes::way::Way;
use engines::explore::DecisivePlace;
use lang::model::TraceFormula;
use verify::document::{
    CausesDocument, StoredDefence, StoredDefences, StoredEveryTrace, StoredFairness, StoredKind,
    StoredPattern, StoredReason, StoredWay,
};

/// The document of a causal tree.
pub fn causal_document(request: &CausalRequest<'_>, tree: &CausalTree) -> CausesDocument {
    let model = request.problem.model();
    CausesDocument {
        schema: "cladist/causes-1".to_owned(),
        version: VERSION.to_owned(),
        model: model.name.clone(),
        file: request.file.to_owned(),
        sources: source_documents(&model.sources),
        set: set_texts(&model.sources),
        constants: constants(model),
        property: request.property.name.clone(),
        fairness: matches!(request.problem, CausalProblem::Linear(_))
            .then(|| StoredFairness::from(request.given)),
        bound: request.bound,
        verdict: causal_verdict(tree),
        summary: causal_sentence(request, tree),
        reason: tree.ended.map(why_ended),
        kinds: (0..tree.kinds.len())
            .map(|at| kind_document(request, tree, &tree.kinds[at], tree.decisive_of(at)))
            .collect(),
        always: tree.always(model),
        complete_to: tree.complete_to,
        narrowed_from: tree.narrowed_from,
        every_length: tree.every_length.map(|every| match every {
            EveryTrace::Covered { situations } => StoredEveryTrace::Covered(situations),
            EveryTrace::Longer(steps) => StoredEveryTrace::Longer(steps),
        }),
        defences: tree.defences.as_ref().map(|found| defences_document(tree, found)),
        solver_calls: tree.solver_calls,
        seconds: request.seconds,
        checked_by: tree.checked_by.map(str::to_owned),
        warnings: request.warnings.iter().map(|d| diagnostic_document(d, &model.sources)).collect(),
        rerun: request.rerun.to_owned(),
    }
}

/// The kinds of a causal tree beside classes; for each class, the numbers of the kinds in it.
pub fn causes_of_classes(
    request: &CausalRequest<'_>,
    tree: &CausalTree,
    of_classes: Vec<Vec<usize>>,
) -> CausesOfClasses {
    let titles = tree.kinds.iter().map(|kind| kind_title(request, tree, kind)).collect();
    CausesOfClasses { document: causal_document(request, tree), titles, of_classes }
}

fn kind_document(
    request: &CausalRequest<'_>,
    tree: &CausalTree,
    kind: &CausalKind,
    decisive: Option<&DecisivePlace>,
) -> StoredKind {
    let title = causal_title(request.problem, request.parts, tree, kind);
    let line = title.line();
    let CausalTitle { breaks, condition, is_whole, after } = title;
    StoredKind {
        title: line,
        breaks,
        condition,
        is_whole,
        after,
        in_this_order: kind.in_this_order,
        decisive: decisive.map(decisive_document),
        steps: kind.steps(),
        pattern: pattern_document(request, &kind.ways[0], &kind.deciding),
        ways: kind.ways.iter().map(|way| way_document(request, way)).collect(),
        variants: kind.variants.iter().map(|variant| kind_document(request, tree, variant, None)).collect(),
    }
}

fn way_document(request: &CausalRequest<'_>, way: &Way) -> StoredWay {
    let reasons = reason_words(request.problem, &request.property.name, way).into_iter();
    let reasons =
        reasons.map(|ReasonWords { step, condition, because }| StoredReason { step, condition, because });
    let model = request.problem.model();
    StoredWay {
        trace: match way.as_lasso() {
            Some(lasso) => infinite_trace_document(model, &lasso, &[], &request.display),
            None => trace_document(model, &way.trace, &[], &request.display),
        },
        pattern: pattern_document(request, way, &way.pattern),
        reasons: reasons.collect(),
    }
}

/// A pattern of a way, without the arguments that have no text.
fn pattern_document(request: &CausalRequest<'_>, way: &Way, pattern: &CausePattern) -> StoredPattern {
    let (model, parts) = (request.problem.model(), request.parts);
    if way.round.is_some() {
        return StoredPattern::Infinite(pattern.recurrence(model, parts));
    }
    let has_text = |pattern: &CausePattern| TraceFormula::read(model, &pattern.formula(model, parts)).is_ok();
    StoredPattern::Finite(pattern.clone().readable(&has_text).formula(model, parts))
}

fn defences_document(tree: &CausalTree, found: &Defences) -> StoredDefences {
    let constants = found.defences.iter().enumerate().map(|(number, defence)| StoredDefence {
        constant: defence.constant.clone(),
        value: defence.value,
        stops: (0..tree.kinds.len())
            .filter(|&kind| found.stopping.get(kind).is_some_and(|stops| stops.contains(&number)))
            .map(|kind| kind + 1)
            .collect(),
        others_appear: found.others_appear(number),
    });
    StoredDefences {
        constants: constants.collect(),
        sufficient: found.tried_sets.then(|| {
            found.sufficient.iter().map(|set| set.iter().map(|number| number + 1).collect()).collect()
        }),
        costs: found.costs.clone(),
        reason: found.ended.map(why_ended),
    }
}
