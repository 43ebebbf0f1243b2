//! The obligations of a check.

use super::classes::question;
use super::document::{Checked, LengthsWord, StoredProperty};
use super::lassos::{Infinite, message};
use super::obligation::Obligation;
use super::proof;
use super::replay::{Subject, constants, shown};
use crate::ltl::Fairness;
use crate::model::Model;
use crate::model::expr::Formula;
use crate::smt::{Steps, Violation};
use serde_json::Value as Json;

/// The kind of the question whether there is a deadlock, which is no property of the model.
const DEADLOCK: &str = "deadlock";

/// What has to be so if a check is right.
pub(super) fn obligations(model: &Model, document: &Checked) -> Vec<Obligation> {
    let mut list = vec![Obligation::evaluated(
        "document",
        "the result is about this model, and consistent",
        about(model, document),
    )];
    for property in &document.properties {
        let found = model.properties.iter().find(|known| known.name == property.name);
        let invariant = found.and_then(|known| known.invariant());
        if let Some(formula) = found.and_then(|known| known.linear()) {
            of_linear(model, document, (property, formula), &mut list);
            continue;
        }
        match (invariant, property.verdict.as_str()) {
            (None, "holds" | "violated") if property.kind == DEADLOCK => list.push(Obligation::open(
                name("decided", property),
                format!("{} {}", property.name, property.verdict),
                "it is about deadlocks",
            )),
            (None, "holds" | "violated") => list.push(Obligation::open(
                name("decided", property),
                format!("{} {}", property.name, property.verdict),
                "it is no invariant of the model",
            )),
            (Some(invariant), "holds" | "violated" | "undecided") => {
                let subject = Subject {
                    model,
                    invariant,
                    lengths: document.lengths.unwrap_or(LengthsWord::UpTo),
                    bound: document.bound.unwrap_or(usize::MAX),
                };
                of_property(&subject, document, property, &mut list);
            }
            _ => {}
        }
    }
    list
}

/// What has to be so of a property of linear time.
fn of_linear(
    model: &Model,
    document: &Checked,
    (property, formula): (&StoredProperty, &Formula),
    list: &mut Vec<Obligation>,
) {
    let StoredProperty { name: called, verdict, proof, counterexample, depth, .. } = property;
    let claim = format!("{called} {verdict}");
    let fairness = match (verdict.as_str(), &document.fairness) {
        ("holds" | "violated" | "undecided", Some(given)) => {
            Fairness::demanded(model, given.ignored, &given.fair, &given.strongly_fair)
        }
        ("holds" | "violated", None) => {
            let why = "the result does not say which infinite traces count";
            list.push(Obligation::open(name("decided", property), claim, why));
            return;
        }
        _ => return,
    };
    let fairness = match fairness {
        Ok(fairness) => fairness,
        Err(wrong) => {
            let why = format!("a condition of fairness is none: {}", message(&wrong.diagnostics));
            list.push(Obligation::evaluated(name("decided", property), claim, Err(why)));
            return;
        }
    };
    let subject = Infinite { model, name: called, formula, fairness };
    match verdict.as_str() {
        "violated" => {
            let claim = format!("the infinite trace that is shown violates {called}");
            let of_trace = name("violated", property);
            let Some(shown_trace) = counterexample else {
                list.push(Obligation::evaluated(of_trace, claim, Err("no trace is shown".into())));
                return;
            };
            let most = document.bound.filter(|_| !document.unbounded).unwrap_or(usize::MAX);
            list.push(shown(model, of_trace, claim, shown_trace, |document| {
                subject.found(document, false, most).map(|_| ())
            }));
            let steps = shown_trace.get("steps").and_then(Json::as_u64).unwrap_or_default();
            let steps = usize::try_from(steps).unwrap_or(usize::MAX).min(most);
            let is_shortest = document.lengths == Some(LengthsWord::UpTo) && !document.unbounded;
            if let (true, Some(shorter @ 1..)) = (is_shortest, steps.checked_sub(1)) {
                let claim = format!("no infinite trace that repeats after fewer steps violates {called}");
                list.push(Obligation::ask(
                    name("shortest", property),
                    claim,
                    subject.question(shorter, false),
                ));
            }
        }
        "holds" => list.push(match (proof, document.bound) {
            (Some(_), _) => Obligation::open(
                name("every-length", property),
                format!("{called} holds for every infinite trace"),
                "a proof for infinite traces leaves no certificate",
            ),
            (None, Some(bound)) => {
                let claim = format!("no infinite trace within the bound violates {called}");
                Obligation::ask(name("holds", property), claim, subject.question(bound, false))
            }
            (None, None) => {
                let why = Err("neither a bound nor a proof is stored".into());
                Obligation::evaluated(name("holds", property), format!("{called} holds"), why)
            }
        }),
        _ => {
            if let Some(shorter @ 1..) = depth.and_then(|depth| depth.checked_sub(1)) {
                let most = document.bound.map_or(shorter, |bound| shorter.min(bound));
                let claim =
                    format!("no infinite trace that repeats after at most {most} steps violates {called}");
                list.push(Obligation::ask(name("depth", property), claim, subject.question(most, false)));
            }
        }
    }
}

/// The name of an obligation about a property, with what file systems take.
fn name(kind: &str, property: &StoredProperty) -> String {
    let plain: String =
        property.name.chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' }).collect();
    format!("{kind}-{plain}")
}

fn about(model: &Model, document: &Checked) -> Result<(), String> {
    if document.kind != "model" {
        return Err("it is about a library, of which nothing is claimed".into());
    }
    if document.model.as_deref() != Some(&model.name) {
        return Err(format!("the model is called {}", model.name));
    }
    let unknown = |known: &&StoredProperty| known.kind != DEADLOCK && model.property(&known.name).is_none();
    if let Some(unknown) = document.properties.iter().find(unknown) {
        return Err(format!("the model has no property {}", unknown.name));
    }
    let any = |verdict: &str| document.properties.iter().any(|property| property.verdict == verdict);
    let whole = match document.verdict.as_str() {
        "violated" => any("violated") && !any("undecided"),
        "partial" => any("violated") && any("undecided"),
        "holds" => !any("violated") && !any("undecided"),
        "undecided" => !any("violated") && any("undecided"),
        "checked" => !any("violated") && !any("holds"),
        _ => false,
    };
    if !whole {
        return Err(format!("the verdict {} does not go with those of the properties", document.verdict));
    }
    constants(model, &document.constants)
}

fn of_property(
    subject: &Subject<'_>,
    document: &Checked,
    property: &StoredProperty,
    list: &mut Vec<Obligation>,
) {
    let StoredProperty { name: called, kind: _, verdict, proof, counterexample, depth } = property;
    let ask = |steps| question(subject, called, steps, Violation::Somewhere);
    match verdict.as_str() {
        "violated" => {
            let claim = format!("the trace that is shown violates {called}");
            let of_trace = name("violated", property);
            let Some(document) = counterexample else {
                list.push(Obligation::evaluated(of_trace, claim, Err("no trace is shown".into())));
                return;
            };
            list.push(shown(subject.model, of_trace, claim, document, |document| {
                subject.counterexample(document).map(|_| ())
            }));
            let steps = document.get("steps").and_then(Json::as_u64).unwrap_or_default();
            let steps = usize::try_from(steps).unwrap_or(usize::MAX).min(subject.bound);
            if let (LengthsWord::UpTo, Some(shorter)) = (subject.lengths, steps.checked_sub(1)) {
                let claim = format!("no trace of fewer steps violates {called}");
                list.push(Obligation::ask(name("shortest", property), claim, ask(Steps::UpTo(shorter))));
            }
        }
        "holds" => match (proof, document.bound) {
            (Some(proof), _) => {
                let of = proof::Proved { subject, name: called, file: name("every-length", property) };
                list.extend(of.obligations(proof));
            }
            (None, Some(_)) => {
                let claim = format!("no trace within the bound violates {called}");
                list.push(Obligation::ask(name("holds", property), claim, ask(subject.steps())));
            }
            (None, None) => {
                let claim = format!("{called} holds");
                let why = Err("neither a bound nor a proof is stored".into());
                list.push(Obligation::evaluated(name("holds", property), claim, why));
            }
        },
        _ => {
            let depth = depth.map(|depth| depth.min(subject.bound.saturating_add(1)));
            if let Some(shorter) = depth.and_then(|depth| depth.checked_sub(1)) {
                let claim = format!("no trace of at most {shorter} steps violates {called}");
                list.push(Obligation::ask(name("depth", property), claim, ask(Steps::UpTo(shorter))));
            }
        }
    }
}
