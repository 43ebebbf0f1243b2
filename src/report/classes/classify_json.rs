//! A classification as JSON: `docs/schema/classify-1.json`.

use crate::classes::baseline::{BaselineDocument, baseline_document};
use crate::classes::beyond::{UnboundedDocument, unbounded_document};
use crate::classes::causes::refined_document;
use crate::classes::class_json::{ClassDocument, LongerDocument, named};
use crate::classes::necessary::{NecessaryDocument, necessary_document};
use crate::classes::numbers::{CountsDocument, counts_document};
use crate::classes::vocabulary::chosen_text;
use crate::classes::weakness::differing_observables;
use crate::shared::document::{
    DiagnosticDocument, TraceDocument, VERSION, constants, diagnostic_document, seconds,
};
use crate::shared::proofs_made::ProofsSummary;
use crate::shared::request::ClassifyRequest;
use crate::shared::sources::{SourceDocument, set_texts, source_documents};
use crate::shared::verdict::verdict_sentence;
use crate::shared::verdict::{budget_word, classify_verdict};
use classify::vocabulary::{Rating, Repair};
use classify::{
    Atoms, Class, Classification, Combination, Constraint, Cover, Horizon, Seconds, TooWeak, Verdict, Why,
};
use lang::model::{Position, TraceFormulaText};
use lang::trace::Trace;
use serde::Serialize;
use serde_json::{Map, Value as Json};
use verify::{ClassifyVerdict, LengthsWord};

/// The document.
#[derive(Debug, Serialize)]
pub struct ClassifyDocument {
    /// `cladist/classify-1`.
    pub schema: &'static str,
    /// Version of this program.
    pub version: &'static str,
    /// The model's name.
    pub model: String,
    /// The file of the model, as the user wrote it.
    pub file: String,
    /// The texts of the model and of what it imports, with their digests.
    pub sources: Vec<SourceDocument>,
    /// What `--set` gave, as text.
    pub set: Map<String, Json>,
    /// Constants with their values for this run.
    pub constants: Map<String, Json>,
    /// The property's name.
    pub property: String,
    /// The bound in steps.
    pub bound: usize,
    /// Whether the bound is the greatest or the only number of steps.
    pub lengths: LengthsWord,
    /// The vocabulary's name.
    pub vocabulary: String,
    /// How it was chosen, if the program did that.
    pub chosen: Option<ChosenDocument>,
    /// Names in it whose facts were asked to be preferred.
    pub prefer: Vec<String>,
    /// Names in it whose facts were not used.
    pub hide: Vec<String>,
    /// Names of types whose values were not to become individuals, as given on the command line; `all`, `none`.
    pub ground: Vec<String>,
    /// What decided the order in which the solvers search; 0 is the usual one.
    pub seed: u64,
    /// How it ended.
    pub verdict: ClassifyVerdict,
    /// The verdict in one sentence.
    pub summary: String,
    /// Why it is partial or undecided: `time`, `memory`, `interrupt`, `max_classes`, `start_with`.
    pub reason: Option<&'static str>,
    /// With `undecided`: no trace violates the property after fewer steps than this.
    pub depth: Option<usize>,
    /// With `complete`: `minimum` if no smaller choice of the constraints that were made covers every
    /// counterexample, `non_redundant` if a limit was met and only none of the classes can be left out.
    pub cover: Option<&'static str>,
    /// `sufficient` if each class implies a violation, `cover` if every violating trace has one of them and they need not.
    pub mode: &'static str,
    /// The classes, shortest representatives first.
    pub classes: Vec<ClassDocument>,
    /// Of a cover: the constraint of the class whose traces were covered; `null` where these are all.
    pub within: Option<String>,
    /// The same in the language of models.
    pub within_formula: Option<TraceFormulaText>,
    /// Of a cover: which classes occur together, shortest traces first; `null` otherwise.
    pub combinations: Option<Vec<CombinationDocument>>,
    /// Of a cover: whether these are all combinations that occur; `null` otherwise.
    pub all_combinations: Option<bool>,
    /// Of a cover: a shortest violating trace in which nothing happens that the vocabulary names.
    pub remainder: Option<TraceDocument>,
    /// Of a cover: what every violating trace has and tells nothing apart, in the paper's notation; `null` otherwise.
    pub necessary: Option<Vec<String>>,
    /// What all violating traces have in common; `null` where nothing is violated, and where only those of one class were covered.
    pub necessary_facts: Option<NecessaryDocument>,
    /// With `partial`: a counterexample that is known and in none of the classes.
    pub unclassified: Option<TraceDocument>,
    /// With `too_weak`: the violation and the accepted trace that share all facts.
    pub too_weak: Option<TooWeakDocument>,
    /// With `too_weak`: additions to the vocabulary with which all classes are known, the best one first.
    pub repairs: Vec<RepairDocument>,
    /// What traces beyond the bound say of a complete result; `null` where they were not looked at.
    pub horizon: Option<HorizonDocument>,
    /// If they were to be looked at, and the time for that did not suffice: up to how many steps; `null` otherwise.
    pub horizon_missed: Option<usize>,
    /// What was found out about traces of every length; `null` where that was not asked, or there is nothing to say.
    pub unbounded: Option<UnboundedDocument>,
    /// How many violating traces there are; `null` where that was not asked.
    pub counts: Option<CountsDocument>,
    /// What it took.
    pub statistics: StatisticsDocument,
    /// Findings about the input.
    pub warnings: Vec<DiagnosticDocument>,
    /// The solver.
    pub solver: String,
    /// The solver of the self-check; `null` if it was not done. Of partial and too weak results it checks
    /// only that each class suffices.
    pub checked_by: Option<String>,
    /// The command line that gives this result again.
    pub rerun: String,
    /// The proofs of unsatisfiable answers; missing unless they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proofs: Option<ProofsSummary>,
    /// What is new beside a stored result; missing unless that was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub baseline: Option<BaselineDocument>,
}

/// How the program chose a vocabulary.
#[derive(Debug, Serialize)]
pub struct ChosenDocument {
    /// Its declaration, to be pasted into the model.
    pub declaration: String,
    /// How many vocabularies were tried.
    pub tried: usize,
    /// How many of them were given up before all of their classes were known.
    pub cut_short: usize,
    /// What is known of how good it is.
    pub text: String,
}

/// What traces beyond the bound say of a complete result; which classes rest on it is said there.
#[derive(Debug, Serialize)]
pub struct HorizonDocument {
    /// Up to how many steps they were looked at; `null` if every length was.
    pub steps: Option<usize>,
    /// Up to how many steps the classes had to suffice, because those that suffice up to the bound rest on it; `null` where
    /// nothing but the bound counted. Traces that show that a fact is needed may be as long.
    pub sufficient_up_to: Option<usize>,
    /// A shortest counterexample that is in no class; where the verdict is `remainder`, one in which something of the vocabulary happens
    /// that takes part.
    pub uncovered: Option<LongerDocument>,
}

/// An addition to a vocabulary, which was tried.
#[derive(Debug, Serialize)]
pub struct RepairDocument {
    /// What is added, as it stands between the braces of a vocabulary.
    pub add: String,
    /// How many classes there are with it; these are all.
    pub classes: usize,
    /// How many of them only restate the property.
    pub restating: usize,
    /// Facts, positions and individuals of all classes.
    pub length: usize,
}

/// Classes that occur together.
#[derive(Debug, Serialize)]
pub struct CombinationDocument {
    /// The ids of the classes.
    pub classes: Vec<usize>,
    /// The length of the trace.
    pub steps: usize,
    /// A shortest violating trace with these classes and no others.
    pub trace: TraceDocument,
}

/// A violation and an accepted trace that the vocabulary cannot tell apart.
#[derive(Debug, Serialize)]
pub struct TooWeakDocument {
    /// The violation.
    pub counterexample: TraceDocument,
    /// The accepted trace.
    pub accepting: TraceDocument,
    /// All facts they share, in the paper's notation.
    pub constraint: String,
    /// The same in the language of models.
    pub formula: TraceFormulaText,
    /// What differs at the matched positions.
    pub differs: Vec<String>,
}

/// What a classification took.
#[derive(Debug, Serialize)]
pub struct StatisticsDocument {
    /// Counterexamples that were looked at.
    pub counterexamples: usize,
    /// Constraints that preferences chose for one of these counterexamples, and that the classes made redundant.
    pub redundant: usize,
    /// Solver calls.
    pub solver_calls: u64,
    /// Seconds by phase, and in total.
    pub seconds: Seconds,
    /// The greatest number of SAT variables in one solver.
    pub peak_variables: usize,
    /// The greatest number of clauses in one solver.
    pub peak_clauses: usize,
    /// Seconds of processor time; `null` where the system does not tell.
    pub cpu_seconds: Option<f64>,
    /// The greatest resident memory in units of 1024 bytes; `null` where the system does not tell.
    pub peak_memory_kb: Option<u64>,
}

/// The document of a classification.
pub fn classify_document(request: &ClassifyRequest<'_>, result: &Classification) -> ClassifyDocument {
    let model = request.asked.model;
    let (reason, depth) = match &result.verdict {
        Verdict::Undecided { why, depth } => (Some(budget_word(*why)), Some(*depth)),
        Verdict::Partial(Why::Exhausted(why) | Why::Unproved(why)) => (Some(budget_word(*why)), None),
        Verdict::Partial(Why::MaxClasses) => (Some("max_classes"), None),
        Verdict::Partial(Why::StartWithOnly(_)) => (Some("start_with"), None),
        _ => (None, None),
    };
    let too_weak = match &result.verdict {
        Verdict::TooWeak(weak) => Some(too_weak_document(request, &result.atoms, weak)),
        _ => None,
    };
    let cover = result.cover.as_ref();
    let context = cover.and_then(|cover| cover.context.as_ref());
    let shown = |constraint: &Constraint| constraint.show(model, &result.atoms);
    let trace = |trace: &Trace| TraceDocument::new(model, trace, &[], &request.asked.view);
    ClassifyDocument {
        schema: "cladist/classify-1",
        version: VERSION,
        model: model.name.clone(),
        file: request.asked.file.to_owned(),
        sources: source_documents(&model.sources),
        set: set_texts(&model.sources),
        constants: constants(model),
        property: request.asked.property.name.clone(),
        bound: result.lengths.bound(),
        lengths: result.lengths.into(),
        vocabulary: request.asked.vocabulary.name.clone(),
        chosen: request.asked.chosen.map(|chosen| ChosenDocument {
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
        reason,
        depth,
        cover: match (&result.verdict, result.minimum) {
            (Verdict::Complete, true) => Some("minimum"),
            (Verdict::Complete, false) => Some("non_redundant"),
            _ => None,
        },
        classes: class_documents(request, result),
        mode: if result.cover.is_some() { "cover" } else { "sufficient" },
        within: context.map(shown),
        within_formula: context.map(|constraint| constraint.formula(model, &result.atoms)),
        combinations: cover.map(|cover| combinations(request, cover)),
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
        statistics: statistics_document(result),
        warnings: request.asked.warnings.iter().map(|d| diagnostic_document(d, &model.sources)).collect(),
        solver: result.solver.clone(),
        checked_by: result.checked_by.clone(),
        rerun: request.asked.rerun.to_owned(),
        proofs: request.proofs.cloned(),
        baseline: request.baseline.map(|comparison| baseline_document(result.has_all(), comparison, trace)),
    }
}

fn class_documents(request: &ClassifyRequest<'_>, result: &Classification) -> Vec<ClassDocument> {
    let document = |(index, class): (usize, &Class)| {
        let refinement = result.refinements.as_ref().and_then(|all| all.get(index));
        let longer = result.rests_on_bound(index);
        ClassDocument {
            rests_on_bound: longer.map(|longer| LongerDocument::new(request, longer)),
            ..refined_document(request, &result.atoms, class, refinement, index + 1)
        }
    };
    result.classes.iter().enumerate().map(document).collect()
}

fn horizon_document(request: &ClassifyRequest<'_>, horizon: &Horizon) -> HorizonDocument {
    let uncovered = horizon.uncovered.as_ref();
    HorizonDocument {
        steps: horizon.steps,
        sufficient_up_to: horizon.sufficient_up_to,
        uncovered: uncovered.map(|longer| LongerDocument::new(request, longer)),
    }
}

/// The combinations of a cover, as documents.
pub fn combinations(request: &ClassifyRequest<'_>, cover: &Cover) -> Vec<CombinationDocument> {
    let document = |combination: &Combination| CombinationDocument {
        classes: combination.classes.iter().map(|class| class + 1).collect(),
        steps: combination.trace.len(),
        trace: TraceDocument::new(request.asked.model, &combination.trace, &[], &request.asked.view),
    };
    cover.combinations.iter().map(document).collect()
}

pub(crate) fn repair_document(repair: &Repair) -> RepairDocument {
    let Rating { classes, restating, length, .. } = repair.rating;
    RepairDocument { add: repair.text.clone(), classes, restating, length }
}

fn too_weak_document(request: &ClassifyRequest<'_>, atoms: &Atoms, weak: &TooWeak) -> TooWeakDocument {
    let model = request.asked.model;
    let all: Vec<Position> = weak.counterexample.positions().collect();
    let trace = |trace: &Trace, positions: &[Position]| {
        TraceDocument::new(model, trace, &named(&weak.constraint, positions), &request.asked.view)
    };
    TooWeakDocument {
        counterexample: trace(&weak.counterexample, &all),
        accepting: trace(&weak.accepting, &weak.positions),
        constraint: weak.constraint.show(model, atoms),
        formula: weak.constraint.formula(model, atoms),
        differs: differing_observables(model, weak),
    }
}

fn statistics_document(result: &Classification) -> StatisticsDocument {
    let taken = &result.statistics;
    StatisticsDocument {
        counterexamples: taken.counterexamples,
        redundant: taken.redundant,
        solver_calls: taken.solver_calls,
        seconds: taken.seconds.map(seconds),
        peak_variables: taken.peak_variables,
        peak_clauses: taken.peak_clauses,
        cpu_seconds: taken.cpu_seconds.map(seconds),
        peak_memory_kb: taken.peak_memory_kb,
    }
}
