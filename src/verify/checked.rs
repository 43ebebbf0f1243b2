//! The obligations of a check.

use super::consistent::{reached, together};
use super::document::{
    CheckDocument, CheckVerdict, ClaimWord, LengthsWord, PatternsWord, PropertyKindWord, PropertyVerdict,
    StoredClaim, StoredProofMethod, StoredProperty, WhyUndecided,
};
use super::finite::{before, question};
use super::lassos::{LassoSubject, message};
use super::obligation::Obligation;
use super::proof;
use super::replay::{Subject, constants, shown};
use engines::ltl::Fairness;
use lang::model::eval::failing_conjuncts;
use lang::model::expr::Formula;
use lang::model::{Model, Property, PropertyKind};
use solvers::smt::{TraceLengths, Violation};

/// Returns the obligations of a check.
pub(super) fn obligations(model: &Model, document: &CheckDocument) -> Vec<Obligation> {
    let mut list = vec![Obligation::evaluated(
        "document",
        "the result is about this model, and consistent",
        about(model, document),
    )];
    for property in &document.properties {
        if matches!(property.verdict, PropertyVerdict::TypesOnly) {
            continue;
        }
        let found = model.properties.iter().find(|known| known.name == property.name);
        if let Some(formula) = found.and_then(Property::linear) {
            of_linear(model, document, (property, formula), &mut list);
            continue;
        }
        match found.and_then(Property::invariant) {
            None if property.verdict == PropertyVerdict::Undecided => {}
            None => {
                let why = match property.kind {
                    PropertyKindWord::Deadlock => "it is about deadlocks",
                    PropertyKindWord::Ctl => "it is of branching time, and a script is about traces",
                    _ => "it is no invariant of the model",
                };
                let claim = format!("{} {}", property.name, word(property.verdict));
                list.push(Obligation::open(name("decided", property), claim, why));
            }
            Some(invariant) => {
                let subject = Subject {
                    model,
                    invariant,
                    lengths: document.lengths.unwrap_or(LengthsWord::UpTo),
                    // With `unbounded`, a counterexample may have any length.
                    bound: document.bound.filter(|_| !document.unbounded).unwrap_or(usize::MAX),
                };
                of_property(&subject, document, property, &mut list);
            }
        }
    }
    list
}

fn word(verdict: PropertyVerdict) -> &'static str {
    match verdict {
        PropertyVerdict::TypesOnly => "was not examined",
        PropertyVerdict::Holds => "holds",
        PropertyVerdict::Violated => "is violated",
        PropertyVerdict::Undecided => "is undecided",
    }
}

/// Adds the obligations of a linear-time property.
fn of_linear(
    model: &Model,
    document: &CheckDocument,
    (property, formula): (&StoredProperty, &Formula),
    list: &mut Vec<Obligation>,
) {
    let StoredProperty { name: called, verdict, .. } = property;
    let claim = format!("{called} {}", word(*verdict));
    let Some(given) = &document.fairness else {
        if *verdict != PropertyVerdict::Undecided {
            let why = "the result does not define its infinite traces";
            list.push(Obligation::open(name("decided", property), claim, why));
        }
        return;
    };
    match Fairness::demanded(model, given.ignored, &given.fair, &given.strongly_fair) {
        Ok(fairness) => {
            of_infinite(&LassoSubject { model, name: called, formula, fairness }, document, property, list)
        }
        Err(wrong) => {
            let why = format!("a condition of fairness is none: {}", message(&wrong.diagnostics));
            list.push(Obligation::evaluated(name("decided", property), claim, Err(why)));
        }
    }
}

/// Adds the obligations of a property of the fair infinite traces.
fn of_infinite(
    subject: &LassoSubject<'_>,
    document: &CheckDocument,
    property: &StoredProperty,
    list: &mut Vec<Obligation>,
) {
    let StoredProperty { name: called, verdict, proof, counterexample, depth, .. } = property;
    match verdict {
        PropertyVerdict::TypesOnly => {}
        PropertyVerdict::Violated => {
            let claim = format!("the infinite trace that is shown violates {called}");
            let of_trace = name("violated", property);
            let Some(shown_trace) = counterexample else {
                list.push(Obligation::evaluated(of_trace, claim, Err("no trace is shown".into())));
                return;
            };
            let most = document.bound.filter(|_| !document.unbounded).unwrap_or(usize::MAX);
            list.push(shown(subject.model, of_trace, claim, shown_trace, |document| {
                subject.found(document, false, most).map(|_| ())
            }));
            let is_shortest = document.lengths == Some(LengthsWord::UpTo) && !document.unbounded;
            if let (true, Some(shorter @ 1..)) = (is_shortest, shown_trace.steps.min(most).checked_sub(1)) {
                let claim = format!("no infinite trace that repeats after fewer steps violates {called}");
                list.push(Obligation::ask(
                    name("shortest", property),
                    claim,
                    subject.question(shorter, false),
                ));
            }
        }
        PropertyVerdict::Holds => list.push(match (proof, document.bound) {
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
        PropertyVerdict::Undecided => {
            if let Some(shorter @ 1..) = depth.and_then(|depth| depth.checked_sub(1)) {
                let bound = document.bound.filter(|_| !document.unbounded);
                let most = bound.map_or(shorter, |bound| shorter.min(bound));
                let claim =
                    format!("no infinite trace that repeats after at most {most} steps violates {called}");
                list.push(Obligation::ask(name("depth", property), claim, subject.question(most, false)));
            }
        }
    }
}

/// Returns the name of an obligation about a property, in characters that file systems accept.
fn name(kind: &str, property: &StoredProperty) -> String {
    let plain: String =
        property.name.chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' }).collect();
    format!("{kind}-{plain}")
}

/// The answer to a property: the place of a claim `Reachable` is reached, any other property holds. `None` if that is not decided.
fn answer(document: &CheckDocument, property: &StoredProperty) -> Option<bool> {
    let claim = document.claims.iter().find(|claim| claim.property == property.name);
    let patterns = claim.and_then(|claim| claim.patterns);
    let is_attacked = patterns.is_some_and(|patterns| patterns.verdict == PatternsWord::Attacked);
    let is_false = is_attacked || property.verdict == PropertyVerdict::Violated;
    let is_arrival = claim.is_some_and(|claim| claim.claim == ClaimWord::Reachable);
    (is_false || property.verdict == PropertyVerdict::Holds).then_some(is_false == is_arrival)
}

fn about(model: &Model, document: &CheckDocument) -> Result<(), String> {
    use super::document::FileKindWord::Library;
    if document.kind == Library {
        return Err("it is about a library, which has no claims".into());
    }
    if document.model.as_deref() != Some(&model.name) {
        return Err(format!("the model is called {}", model.name));
    }
    for (number, property) in document.properties.iter().enumerate() {
        if document.properties[..number].iter().any(|other| other.name == property.name) {
            return Err(format!("{} is listed twice", property.name));
        }
        of_model(model, property)?;
        consistent(document, property).map_err(|why| format!("{}: {why}", property.name))?;
    }
    for claim in &document.claims {
        of_claim(document, claim).map_err(|why| format!("the claim {}: {why}", claim.label))?;
    }
    if document.lengths.is_some() != document.bound.is_some() {
        return Err("a bound and how it is meant go together".into());
    }
    let any = |verdict| document.properties.iter().any(|property| property.verdict == verdict);
    let answered = |with| document.properties.iter().any(|property| answer(document, property) == Some(with));
    let whole = match (answered(false), any(PropertyVerdict::Undecided)) {
        (true, true) => CheckVerdict::Partial,
        (true, false) => CheckVerdict::Violated,
        (false, true) => CheckVerdict::Undecided,
        (false, false) if answered(true) => CheckVerdict::Holds,
        (false, false) => CheckVerdict::Checked,
    };
    if document.verdict != whole {
        return Err("the verdict does not go with those of the properties".into());
    }
    constants(model, &document.constants)
}

/// Checks that the model has a property, of its kind. The question for deadlocks is not a property of a model.
fn of_model(model: &Model, property: &StoredProperty) -> Result<(), String> {
    let Some(found) = model.properties.iter().find(|known| known.name == property.name) else {
        return match property.kind {
            PropertyKindWord::Deadlock => Ok(()),
            _ => Err(format!("the model has no property {}", property.name)),
        };
    };
    let kind = match found.kind {
        PropertyKind::Invariant(_) => PropertyKindWord::Invariant,
        PropertyKind::DeadlockFree(_) => PropertyKindWord::Deadlock,
        PropertyKind::Ltl(_) => PropertyKindWord::Ltl,
        PropertyKind::Ctl(_) => PropertyKindWord::Ctl,
    };
    match kind == property.kind {
        true => Ok(()),
        false => Err(format!("{} is a property of another kind", property.name)),
    }
}

/// Checks the fields of a property against each other.
fn consistent(document: &CheckDocument, property: &StoredProperty) -> Result<(), String> {
    let StoredProperty { verdict, proof, counterexample, violates, reason, depth, .. } = property;
    let is = |one: PropertyVerdict| *verdict == one;
    let is_asked = document.unbounded || document.bound.is_some();
    let is_branching = property.kind == PropertyKindWord::Ctl;
    let is_temporal = *reason == Some(WhyUndecided::Temporal);
    together([
        (counterexample.is_some() == (is(PropertyVerdict::Violated) && !is_branching), "a trace"),
        (proof.is_none() || is(PropertyVerdict::Holds), "a proof"),
        (violates.is_empty() || is(PropertyVerdict::Violated), "parts that fail"),
        (reason.is_some() == is(PropertyVerdict::Undecided), "a reason"),
        (depth.is_none() || is(PropertyVerdict::Undecided), "a depth"),
        (is_asked != is(PropertyVerdict::TypesOnly) || is_temporal, "the examined lengths"),
    ])?;
    reached(*depth, document.bound.filter(|_| !document.unbounded))?;
    let is_linear = property.kind == PropertyKindWord::Ltl;
    match proof.as_ref().is_some_and(|proof| proof.method == StoredProofMethod::Loops && !is_linear) {
        true => Err("loops prove properties of linear time only".into()),
        false => Ok(()),
    }
}

/// Checks a claim of a protocol against the result for its property.
fn of_claim(document: &CheckDocument, claim: &StoredClaim) -> Result<(), String> {
    let property = document.properties.iter().find(|property| property.name == claim.property);
    let property = property.ok_or("its property is not in the result")?;
    let verdict = match property.verdict {
        PropertyVerdict::TypesOnly => PropertyVerdict::Undecided,
        decided => decided,
    };
    let steps =
        property.counterexample.as_ref().filter(|trace| trace.back_to.is_none()).map(|trace| trace.steps);
    match (claim.verdict, claim.steps) == (verdict, steps) {
        true => Ok(()),
        false => Err("its property has another verdict or another length".into()),
    }
}

fn of_property(
    subject: &Subject<'_>,
    document: &CheckDocument,
    property: &StoredProperty,
    list: &mut Vec<Obligation>,
) {
    let StoredProperty { name: called, verdict, proof, counterexample, depth, violates, kind, .. } = property;
    let ask = |steps| question(subject, called, steps, Violation::Somewhere);
    match verdict {
        PropertyVerdict::TypesOnly => {}
        PropertyVerdict::Violated => {
            let claim = format!("the trace that is shown violates {called}");
            let of_trace = name("violated", property);
            let Some(document) = counterexample else {
                list.push(Obligation::evaluated(of_trace, claim, Err("no trace is shown".into())));
                return;
            };
            list.push(shown(subject.model, of_trace, claim, document, |document| {
                let found = subject.counterexample(document, &[])?;
                // The conditions of a deadlock are not written in the model.
                let failing = match kind {
                    PropertyKindWord::Deadlock => Vec::new(),
                    _ => failing_conjuncts(subject.model, subject.invariant, &found.moments),
                };
                match *violates == failing {
                    true => Ok(()),
                    false => Err("other parts of the property fail at its end".into()),
                }
            }));
            let steps = document.steps.min(subject.bound);
            if let (LengthsWord::UpTo, Some(shorter)) = (subject.lengths, steps.checked_sub(1)) {
                let claim = format!("no trace of fewer steps violates {called}");
                list.push(Obligation::ask(
                    name("shortest", property),
                    claim,
                    ask(TraceLengths::UpTo(shorter)),
                ));
            }
        }
        PropertyVerdict::Holds => match (proof, document.bound) {
            (Some(proof), _) => {
                let of = proof::Proved { subject, name: called, file: name("every-length", property) };
                list.extend(of.obligations(proof));
            }
            (None, Some(bound)) => {
                let claim = format!("no trace within the bound violates {called}");
                let within = Subject { bound, ..*subject };
                list.push(Obligation::ask(name("holds", property), claim, ask(within.steps())));
            }
            (None, None) => {
                let claim = format!("{called} holds");
                let why = Err("neither a bound nor a proof is stored".into());
                list.push(Obligation::evaluated(name("holds", property), claim, why));
            }
        },
        PropertyVerdict::Undecided => {
            list.extend(before(name("depth", property), *depth, subject, called, ask));
        }
    }
}
