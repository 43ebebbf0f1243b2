//! A classification of infinite traces as JSON: `docs/schema/classify-lassos-1.json`.

use super::LassoRequest;
use super::causes::refinement_document;
use super::cover::combinations;
use super::necessary::necessary_document;
use super::words::{Placed, broken_words, constraint_words, decisive_words, open_words, placed, sentence};
use crate::classes::baseline::{BaselineDocument, baseline_document};
use crate::classes::class_json::{
    ImageDocument, IndividualDocument, RefinementDocument, image_documents, individual_documents,
};
use crate::classes::classify_json::{CombinationDocument, RepairDocument, repair_document};
use crate::classes::necessary::NecessaryDocument;
use crate::shared::document::{
    DiagnosticDocument, TraceDocument, VERSION, constants, diagnostic_document, seconds,
};
use crate::shared::sources::{SourceDocument, set_texts, source_documents};
use crate::shared::verdict::budget_word;
use classify::lassos::{
    Basis, EveryLength, LassoCause, LassoClass, LassoClassification, LassoConstraint, LassoRefinement,
    LassoVerdict, WeakPair, When,
};
use lang::model::{LassoFormulaText, Position};
use lang::trace::Lasso;
use serde::Serialize;
use serde_json::{Map, Value as Json};

/// The document.
#[derive(Debug, Serialize)]
pub struct LassoDocument {
    /// `cladist/classify-lassos-1`.
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
    /// Infinite traces that repeat after up to so many steps were looked at.
    pub bound: usize,
    /// Classes suffice for those that repeat after up to so many steps.
    pub horizon: usize,
    /// How many conditions of fairness they met.
    pub fairness: usize,
    /// Whether the conditions of the model were ignored.
    pub ignore_fairness: bool,
    /// The conditions that were given beside, weak ones of actions or those of states, as they were written.
    pub fair: Vec<String>,
    /// The strong ones of actions.
    pub strongly_fair: Vec<String>,
    /// The vocabulary's name.
    pub vocabulary: String,
    /// Its declaration, if the program chose it; `null` for a vocabulary of the model.
    pub declaration: Option<String>,
    /// Names in it whose facts were asked to be preferred.
    pub prefer: Vec<String>,
    /// Names in it whose facts were not used.
    pub hide: Vec<String>,
    /// Names of types whose values were not to become individuals, as given on the command line; `all`, `none`.
    pub ground: Vec<String>,
    /// What decided the order in which the solvers search; 0 is the usual one.
    pub seed: u64,
    /// `holds`, `complete`, `partial`, `remainder`, `too_weak` or `undecided`; the first two with `_unbounded` if they are about all infinite traces.
    pub verdict: &'static str,
    /// The verdict in one sentence.
    pub summary: String,
    /// Why it is partial or undecided: `time`, `memory`, `interrupt`, `max_classes`.
    pub reason: Option<&'static str>,
    /// With `complete`: `minimum` if no smaller choice of the constraints that were made covers every counterexample, otherwise
    /// `non_redundant`.
    pub cover: Option<&'static str>,
    /// `sufficient` if each class implies a violation, `cover` if every counterexample has one of them and they need not.
    pub mode: &'static str,
    /// Of a cover: the constraint of the class whose counterexamples were covered; `null` where these are all.
    pub within: Option<String>,
    /// The same in the language of models.
    pub within_formula: Option<LassoFormulaText>,
    /// Of a cover: which classes occur together, shortest traces first; `null` otherwise.
    pub combinations: Option<Vec<CombinationDocument>>,
    /// Of a cover: whether these are all combinations that occur; `null` otherwise.
    pub all_combinations: Option<bool>,
    /// Of a cover: a shortest counterexample in which nothing happens that the vocabulary names.
    pub remainder: Option<TraceDocument>,
    /// Of a cover: what every counterexample has and tells nothing apart; `null` otherwise.
    pub necessary: Option<Vec<String>>,
    /// The classes, shortest representatives first.
    pub classes: Vec<LassoClassDocument>,
    /// With `partial`: a counterexample that is known and in none of the classes.
    pub unclassified: Option<TraceDocument>,
    /// With `too_weak`: two infinite traces that share all facts.
    pub too_weak: Option<WeakPairDocument>,
    /// With `too_weak`: additions to the vocabulary with which all classes are known; each was tried.
    pub repairs: Vec<RepairDocument>,
    /// What all infinite counterexamples have in common; `null` where nothing is violated.
    pub necessary_facts: Option<NecessaryDocument<LassoFormulaText>>,
    /// What is known of all infinite traces; `null` where that was not asked.
    pub unbounded: Option<EveryLengthDocument>,
    /// What it took.
    pub statistics: LassoStatistics,
    /// Findings about the input.
    pub warnings: Vec<DiagnosticDocument>,
    /// The solver.
    pub solver: String,
    /// The solver that checked the result again; `null` if that was not done.
    pub checked_by: Option<String>,
    /// The command line that gives this result again.
    pub rerun: String,
    /// What the result is beside a stored one; missing unless that was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub baseline: Option<BaselineDocument>,
}

/// A class of infinite counterexamples.
#[derive(Debug, Serialize)]
pub struct LassoClassDocument {
    /// From 1.
    pub id: usize,
    /// The constraint.
    pub constraint: String,
    /// The constraint in the language of models.
    pub formula: LassoFormulaText,
    /// The constraint in words, one line a fact.
    pub words: Vec<String>,
    /// Its individuals.
    pub individuals: Vec<IndividualDocument>,
    /// Its facts.
    pub facts: Vec<LassoFactDocument>,
    /// What it says of the individuals alone: which of them differ.
    pub distinct: Vec<String>,
    /// A shortest counterexample of the class.
    pub representative: TraceDocument,
    /// A shortest counterexample that is in no other class.
    pub canonical: Option<TraceDocument>,
    /// The decisive step of the representative; `null` where that is not known, and of causes.
    pub decisive: Option<DecisionDocument>,
    /// Whether the constraint implies a violation; only classes of a cover need not.
    pub sufficient: bool,
    /// Of a class that does not: a shortest infinite trace of it that satisfies the property.
    pub accepted: Option<TraceDocument>,
    /// Whether observables of the vocabulary are in the constraint, and it violates the property by itself, whatever the model does.
    pub restates: bool,
    /// What symmetries of the model make of it: it stands for these as well.
    pub images: Vec<ImageDocument<LassoClassDocument>>,
    /// What tells its counterexamples apart, each again a class; `null` where that was not asked.
    pub causes: Option<Vec<LassoClassDocument>>,
    /// What is known of its counterexamples beside the causes; `null` where that was not asked.
    pub refined: Option<RefinementDocument>,
    /// For each part of the constraint why it is needed; empty if the budget ended before.
    pub needed: Vec<NeededDocument>,
}

/// The decisive step of an infinite counterexample.
#[derive(Debug, Serialize)]
pub struct DecisionDocument {
    /// The first position from which on the property cannot be met, counted on through the rounds of the loop; `null` if no step decides.
    pub position: Option<Position>,
    /// Whether all infinite traces were looked at; otherwise those that repeat within the horizon.
    pub of_all: bool,
    /// The same in words.
    pub words: String,
}

/// A fact of a constraint.
#[derive(Debug, Serialize)]
pub struct LassoFactDocument {
    /// As text.
    pub text: String,
    /// `once`, `again` or `forever`.
    pub when: &'static str,
}

/// Why a part of a constraint is needed.
#[derive(Debug, Serialize)]
pub struct NeededDocument {
    /// The constraint without that part.
    pub without: String,
    /// An infinite trace that satisfies it, and the property.
    pub trace: TraceDocument,
}

/// Two infinite traces that the vocabulary cannot tell apart.
#[derive(Debug, Serialize)]
pub struct WeakPairDocument {
    /// It violates the property.
    pub counterexample: TraceDocument,
    /// It satisfies the property.
    pub accepting: TraceDocument,
    /// The facts about single atoms that they share.
    pub constraint: String,
    /// The same in the language of models.
    pub formula: LassoFormulaText,
}

/// What is known of all infinite traces.
#[derive(Debug, Serialize)]
pub struct EveryLengthDocument {
    /// Whether the verdict is about all of them.
    pub proved: bool,
    /// How many states were listed for that.
    pub states: Option<usize>,
    /// The bounds at which classes were looked for.
    pub bounds: Vec<usize>,
    /// Why it is not proved.
    pub reason: Option<String>,
}

/// What a classification took.
#[derive(Debug, Serialize)]
pub struct LassoStatistics {
    /// Counterexamples that were looked at.
    pub counterexamples: usize,
    /// Solver calls.
    pub solver_calls: u64,
    /// Seconds in total.
    pub seconds: f64,
    /// Seconds of processor time; `null` where the system does not tell.
    pub cpu_seconds: Option<f64>,
    /// The greatest resident memory, in units of 1024 bytes; `null` where the system does not tell.
    pub peak_memory_kb: Option<u64>,
}

/// The document of a classification.
pub fn lasso_document(request: &LassoRequest<'_>, result: &LassoClassification) -> LassoDocument {
    let model = request.asked.model;
    let is_complete = result.verdict == LassoVerdict::Complete;
    let cover = if result.minimum { "minimum" } else { "non_redundant" };
    let classes = result.classes.iter().enumerate();
    let refined = |class: usize| result.refinements.as_ref().and_then(|all| all.get(class));
    let document = |(index, class): (usize, &LassoClass)| LassoClassDocument {
        decisive: decision(result, index),
        ..class_document(request, result, (class, refined(index)), index + 1)
    };
    let context = result.cover.as_ref().and_then(|cover| cover.context.as_ref());
    let shown = |constraint: &LassoConstraint| constraint.show(model, &result.atoms);
    LassoDocument {
        schema: "cladist/classify-lassos-1",
        version: VERSION,
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
        verdict: verdict_word(result),
        summary: sentence(request, result),
        reason: match &result.verdict {
            LassoVerdict::Exhausted(why) | LassoVerdict::Undecided(why) => Some(budget_word(*why)),
            LassoVerdict::MaxClasses => Some("max_classes"),
            _ => None,
        },
        cover: is_complete.then_some(cover),
        mode: if result.cover.is_some() { "cover" } else { "sufficient" },
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
            LassoVerdict::TooWeak(weak) => Some(weak_document(request, result, weak)),
            _ => None,
        },
        repairs: request
            .asked
            .repairs
            .map(|all| all.best.iter().map(repair_document).collect())
            .unwrap_or_default(),
        necessary_facts: necessary_document(request, result),
        unbounded: result.unbounded.as_ref().and_then(every_length),
        statistics: LassoStatistics {
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
fn verdict_word(result: &LassoClassification) -> &'static str {
    match (&result.verdict, result.is_unbounded()) {
        (LassoVerdict::Holds, false) => "holds",
        (LassoVerdict::Holds, true) => "holds_unbounded",
        (LassoVerdict::Complete, false) => "complete",
        (LassoVerdict::Complete, true) => "complete_unbounded",
        (LassoVerdict::Exhausted(_) | LassoVerdict::MaxClasses, _) => "partial",
        (LassoVerdict::Remainder, _) => "remainder",
        (LassoVerdict::TooWeak(_), _) => "too_weak",
        (LassoVerdict::Undecided(_), _) => "undecided",
    }
}

fn decision(result: &LassoClassification, class: usize) -> Option<DecisionDocument> {
    let decisions = result.decisions.as_ref()?;
    let words = decisive_words(result, class)?;
    Some(DecisionDocument { position: decisions.positions[class], of_all: decisions.is_of_all, words })
}

fn trace(request: &LassoRequest<'_>, lasso: &Lasso) -> TraceDocument {
    TraceDocument::lasso(request.asked.model, lasso, &[], &request.asked.view)
}

fn class_document(
    request: &LassoRequest<'_>,
    result: &LassoClassification,
    (class, refinement): (&LassoClass, Option<&LassoRefinement>),
    id: usize,
) -> LassoClassDocument {
    let (model, atoms) = (request.asked.model, &result.atoms);
    let texts = class.constraint.show_facts(model, atoms);
    let facts = class.constraint.facts.iter().zip(texts).map(|(fact, text)| LassoFactDocument {
        text,
        when: match fact.when {
            When::Once => "once",
            When::Again => "again",
            When::Forever => "forever",
        },
    });
    let Placed { positions, names, assigned } = placed(model, atoms, class);
    let distinct = class.constraint.distinct.iter();
    let needed = class.constraint.weaker().into_iter().zip(&class.needed);
    LassoClassDocument {
        id,
        constraint: class.constraint.show(model, atoms),
        formula: class.constraint.formula(model, atoms),
        words: constraint_words(model, atoms, &class.constraint),
        individuals: individual_documents(model, atoms, &class.constraint.individuals, &names, &assigned),
        facts: facts.collect(),
        distinct: distinct.map(|about| about.show(model, atoms, &names)).collect(),
        representative: TraceDocument::lasso(model, &class.representative, &positions, &request.asked.view),
        canonical: class.canonical.as_ref().map(|lasso| trace(request, lasso)),
        decisive: None,
        sufficient: class.accepted.is_none(),
        accepted: class.accepted.as_ref().map(|lasso| trace(request, lasso)),
        restates: class.restates,
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
            .map(|(weaker, lasso)| NeededDocument {
                without: weaker.show(model, atoms),
                trace: trace(request, lasso),
            })
            .collect(),
    }
}

fn weak_document(
    request: &LassoRequest<'_>,
    result: &LassoClassification,
    weak: &WeakPair,
) -> WeakPairDocument {
    WeakPairDocument {
        counterexample: trace(request, &weak.violating),
        accepting: trace(request, &weak.accepting),
        constraint: weak.shared.show(request.asked.model, &result.atoms),
        formula: weak.shared.formula(request.asked.model, &result.atoms),
    }
}

/// What is known of all infinite traces, if the verdict can be about them.
fn every_length(known: &EveryLength) -> Option<EveryLengthDocument> {
    Some(match known {
        EveryLength::Weak { .. } => return None,
        EveryLength::Proved { basis, bounds } => EveryLengthDocument {
            proved: true,
            states: match basis {
                Basis::States(states) => Some(*states),
                Basis::Proofs(_) => None,
            },
            bounds: bounds.clone(),
            reason: None,
        },
        EveryLength::Open { why, proved } => EveryLengthDocument {
            proved: false,
            states: None,
            bounds: Vec::new(),
            reason: Some(open_words(*why, *proved)),
        },
        EveryLength::Broken { steps, why } => EveryLengthDocument {
            proved: false,
            states: None,
            bounds: Vec::new(),
            reason: Some(broken_words(*steps, *why)),
        },
    })
}
