//! A causal tree as JSON: `docs/schema/causes-1.json`.

use crate::classes::causal_text::{CausalRequest, causal_sentence};
use crate::classes::causal_words::{CausalTitle, causal_title, reason_words};
use crate::shared::document::{
    VERSION, constants, diagnostic_document, infinite_trace_document, trace_document,
};
use crate::shared::sources::set_texts;
use crate::shared::verdict::why_ended;
use classify::causes::defences::Defences;
use classify::causes::kinds::CausalKind;
use classify::causes::tree::CausalTree;
use classify::causes::way::Way;
use serde::Serialize;
use serde_json::{Map, Value as Json};
use verify::document::{StoredFinding, StoredTrace, WhyEnded};

/// A causal tree.
#[derive(Debug, Serialize)]
pub struct CausesDocument {
    schema: &'static str,
    version: String,
    model: String,
    file: String,
    set: Map<String, Json>,
    constants: Map<String, Json>,
    property: String,
    bound: usize,
    verdict: CausesVerdict,
    summary: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<WhyEnded>,
    kinds: Vec<KindDocument>,
    always: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    complete_to: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    narrowed_from: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    defences: Option<DefencesDocument>,
    solver_calls: u64,
    seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    checked_by: Option<String>,
    warnings: Vec<StoredFinding>,
    rerun: String,
}

/// The result of the search.
#[derive(Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
enum CausesVerdict {
    Holds,
    Complete,
    Partial,
    Undecided,
}

#[derive(Debug, Serialize)]
struct KindDocument {
    title: String,
    breaks: String,
    condition: Vec<String>,
    after: Vec<String>,
    in_this_order: bool,
    steps: usize,
    ways: Vec<WayDocument>,
    variants: Vec<KindDocument>,
}

#[derive(Debug, Serialize)]
struct WayDocument {
    trace: StoredTrace,
    reasons: Vec<ReasonDocument>,
}

#[derive(Debug, Serialize)]
struct ReasonDocument {
    #[serde(skip_serializing_if = "Option::is_none")]
    step: Option<usize>,
    condition: String,
    because: Vec<usize>,
}

#[derive(Debug, Serialize)]
struct DefencesDocument {
    constants: Vec<DefenceDocument>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sufficient: Option<Vec<Vec<usize>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<WhyEnded>,
}

#[derive(Debug, Serialize)]
struct DefenceDocument {
    constant: String,
    value: bool,
    stops: Vec<usize>,
}

/// The document of a causal tree.
pub fn causal_document(request: &CausalRequest<'_>, tree: &CausalTree) -> CausesDocument {
    let model = request.problem.model();
    let verdict = match (tree.kinds.is_empty(), tree.ended) {
        (true, None) => CausesVerdict::Holds,
        (true, Some(_)) => CausesVerdict::Undecided,
        (false, None) => CausesVerdict::Complete,
        (false, Some(_)) => CausesVerdict::Partial,
    };
    CausesDocument {
        schema: "cladist/causes-1",
        version: VERSION.to_owned(),
        model: model.name.clone(),
        file: request.file.to_owned(),
        set: set_texts(&model.sources),
        constants: constants(model),
        property: request.property.name.clone(),
        bound: request.bound,
        verdict,
        summary: causal_sentence(request, tree),
        reason: tree.ended.map(why_ended),
        kinds: tree.kinds.iter().map(|kind| kind_document(request, tree, kind)).collect(),
        always: tree.always(model),
        complete_to: tree.complete_to,
        narrowed_from: tree.narrowed_from,
        defences: tree.defences.as_ref().map(|found| defences_document(tree, found)),
        solver_calls: tree.solver_calls,
        seconds: request.seconds,
        checked_by: tree.checked_by.map(str::to_owned),
        warnings: request.warnings.iter().map(|d| diagnostic_document(d, &model.sources)).collect(),
        rerun: request.rerun.to_owned(),
    }
}

fn kind_document(request: &CausalRequest<'_>, tree: &CausalTree, kind: &CausalKind) -> KindDocument {
    let title = causal_title(request.problem, request.parts, tree, kind);
    let line = title.line();
    let CausalTitle { breaks, condition, after } = title;
    KindDocument {
        title: line,
        breaks,
        condition,
        after,
        in_this_order: kind.in_this_order,
        steps: kind.steps(),
        ways: kind.ways.iter().map(|way| way_document(request, way)).collect(),
        variants: kind.variants.iter().map(|variant| kind_document(request, tree, variant)).collect(),
    }
}

fn way_document(request: &CausalRequest<'_>, way: &Way) -> WayDocument {
    let reasons = reason_words(request.problem, &request.property.name, way);
    let reasons = reasons.into_iter().map(|reason| ReasonDocument {
        step: reason.step,
        condition: reason.condition,
        because: reason.because,
    });
    let model = request.problem.model();
    WayDocument {
        trace: match way.as_lasso() {
            Some(lasso) => infinite_trace_document(model, &lasso, &[], &request.view),
            None => trace_document(model, &way.trace, &[], &request.view),
        },
        reasons: reasons.collect(),
    }
}

fn defences_document(tree: &CausalTree, found: &Defences) -> DefencesDocument {
    let constants = found.defences.iter().enumerate().map(|(number, defence)| DefenceDocument {
        constant: defence.constant.clone(),
        value: defence.value,
        stops: (0..tree.kinds.len())
            .filter(|&kind| found.stopping.get(kind).is_some_and(|stops| stops.contains(&number)))
            .map(|kind| kind + 1)
            .collect(),
    });
    DefencesDocument {
        constants: constants.collect(),
        sufficient: found.tried_sets.then(|| {
            found.sufficient.iter().map(|set| set.iter().map(|number| number + 1).collect()).collect()
        }),
        reason: found.ended.map(why_ended),
    }
}
