//! Reachability of protocol claims that hold: a claim that no run reaches holds vacuously.

use super::settings;
use cladist::budget::Budget;
use cladist::diagnostics::Diagnostic;
use cladist::model::expr::Expr;
use cladist::model::{Model, Property, load_expression};
use cladist::protocol::{Characterisation, ClaimedProperty, PatternVerdict, Patterns, Translation};
use cladist::report::{CheckedProperty, PropertyOutcome, unreached_notice};
use cladist::sat::Backend;
use cladist::trace::Trace;
use cladist::unroll::{self, Lengths};
use itertools::Itertools;

/// Decides for each claim if some run reaches it, in traces of up to `bound` steps. The attacks on other claims are
/// tried first, then the solver. Claims beyond the budget stay open.
pub fn look_whether_reached(
    model: &Model,
    claims: &[ClaimedProperty],
    properties: &mut [CheckedProperty<'_>],
    bound: usize,
    backend: Backend,
    budget: &Budget,
) {
    let place = |checked: &CheckedProperty<'_>| {
        claims.iter().find(|claim| claim.property == checked.property.name).map(|claim| &claim.reached)
    };
    for checked in &mut *properties {
        checked.reached = matches!(checked.outcome, PropertyOutcome::Violated(_)).then_some(true);
    }
    let holds = |checked: &CheckedProperty<'_>| {
        matches!(checked.outcome, PropertyOutcome::Holds | PropertyOutcome::Proved(_))
            && place(checked).is_some()
    };
    // Claims of one step have one place.
    let texts = properties.iter().filter(|checked| holds(checked)).filter_map(place).unique();
    let (texts, places): (Vec<&String>, Vec<Expr>) =
        texts.filter_map(|text| Some((text, load_expression(model, text).found?.expr))).unzip();
    let attacks = properties.iter().filter_map(|checked| match &checked.outcome {
        PropertyOutcome::Violated(trace) => Some(trace),
        _ => None,
    });
    let attacks: Vec<&Trace> = attacks.collect();
    let answers = unroll::reachable(model, &places, bound, &attacks, backend, budget);
    let answers: Vec<(String, Option<bool>)> = texts.into_iter().cloned().zip(answers).collect();
    for checked in properties.iter_mut().filter(|checked| holds(checked)) {
        let text = place(checked);
        let answer = answers.iter().find(|(known, _)| Some(known) == text);
        checked.reached = answer.and_then(|(_, reached)| *reached);
    }
}

/// The most runs of patterns, and the most patterns that are looked at for a claim.
pub const MOST: (usize, usize) = (5, 100_000);

/// The limits of a search for a proof that spares one in a model.
pub const FEW: (usize, usize) = (5, 5_000);

/// The answer of attack patterns of any number of runs about a claim.
pub struct PatternAnswer<'a> {
    claim: &'a ClaimedProperty,
    verdict: PatternVerdict,
    /// True if the search has a certificate that the checker accepts.
    pub is_certified: bool,
}

/// Looks for attack patterns of any number of runs within `limits`, as [`MOST`], for each claim that is one of the properties.
pub fn look_for_patterns<'a>(
    translation: &'a Translation,
    properties: &[&Property],
    limits: (usize, usize),
    budget: &Budget,
) -> Vec<PatternAnswer<'a>> {
    let Translation { claims, charts, .. } = translation;
    let (protocols, scope) = charts.looked_at();
    let Some(patterns) = Patterns::new(protocols, scope) else { return Vec::new() };
    let is_asked = |claim: &ClaimedProperty| properties.iter().any(|asked| asked.name == claim.property);
    let mut left = properties.len();
    let asked = claims.iter().zip(patterns.claims()).filter(|(claim, _)| is_asked(claim));
    let answers = asked.map(|(claim, (role, event))| {
        let budget = budget.share(left);
        left = left.saturating_sub(1).max(1);
        let verdict = patterns.decide(role, event, limits, &budget);
        let certificate = (verdict == PatternVerdict::Proved)
            .then(|| patterns.certificate(role, event, limits, &budget))
            .flatten();
        let is_certified =
            certificate.is_some_and(|certificate| certificate.check(protocols, scope, &budget).is_ok());
        PatternAnswer { claim, verdict, is_certified }
    });
    answers.collect()
}

/// True if a claim is proved for any number of runs, and the proof checked.
pub fn is_certified(answers: &[PatternAnswer<'_>], property: &Property) -> bool {
    answers.iter().any(|answer| answer.is_certified && answer.claim.property == property.name)
}

/// Adds the answers of patterns to those about a model of at most so many runs. Returns notices where an attack takes more runs than the model
/// has, and where a trace of the model shows that patterns are wrong.
pub fn compare_with_patterns(
    answers: Vec<PatternAnswer<'_>>,
    properties: &mut [CheckedProperty<'_>],
    most: usize,
) -> Vec<Diagnostic> {
    let mut notices = Vec::new();
    for PatternAnswer { claim, verdict, .. } in answers {
        let Some(checked) = properties.iter_mut().find(|checked| checked.property.name == claim.property)
        else {
            continue;
        };
        checked.patterns = Some(verdict);
        let is_violated = match checked.outcome {
            PropertyOutcome::Violated(_) => true,
            PropertyOutcome::Holds | PropertyOutcome::Proved(_) => false,
            _ => continue,
        };
        if is_violated && denies(verdict, most) {
            checked.patterns = None;
        }
        notices.extend(difference(claim, is_violated, verdict, most));
    }
    notices
}

/// True if patterns say that there is no attack with so many runs.
fn denies(verdict: PatternVerdict, most: usize) -> bool {
    match verdict {
        PatternVerdict::Attacked { .. } => false,
        PatternVerdict::Proved => true,
        PatternVerdict::UpTo { runs } => runs >= most,
    }
}

/// The notice about a claim of which a model of at most so many runs and patterns say different things.
pub fn difference(
    claim: &ClaimedProperty,
    is_violated: bool,
    verdict: PatternVerdict,
    most: usize,
) -> Option<Diagnostic> {
    let label = &claim.label;
    let (message, help) = match verdict {
        _ if is_violated && denies(verdict, most) => (
            format!("attack patterns have no attack on claim `{label}`, and the model has one"),
            "the attack counts; this is a mistake in the program, which we would like to hear of".to_owned(),
        ),
        PatternVerdict::Attacked { runs } if !is_violated && runs > most => (
            format!("an attack on claim `{label}` takes {runs} runs, and the model has {most}"),
            format!("`--runs {runs} --claim {label}` shows one"),
        ),
        PatternVerdict::Attacked { .. } if !is_violated => (
            format!("an attack on claim `{label}` takes more agents or larger terms than the model has"),
            "`--agents N` gives it more agents".to_owned(),
        ),
        _ => return None,
    };
    Some(Diagnostic::warning_without_place(message).with_help(help))
}

/// Finds the minimal attack patterns of a claim.
pub fn characterise(
    translation: &Translation,
    claim: &ClaimedProperty,
    budget: &Budget,
) -> Option<Characterisation> {
    let (protocols, scope) = translation.charts.looked_at();
    let patterns = Patterns::new(protocols, scope)?;
    let mut places = translation.claims.iter().zip(patterns.claims());
    let (_, (role, event)) = places.find(|(other, _)| other.property == claim.property)?;
    Some(patterns.characterise(role, event, MOST, budget))
}

/// Returns the notice about a claim that holds, if no run reaches it; none if that is open.
pub fn unreached(
    model: &Model,
    claim: &ClaimedProperty,
    bound: usize,
    backend: Backend,
    budget: &Budget,
) -> Option<Diagnostic> {
    let place = load_expression(model, &claim.reached).found?.expr;
    let answer = unroll::reachable(model, &[place], bound, &[], backend, budget);
    (answer == [Some(false)]).then(|| unreached_notice(claim, Some(Lengths::UpTo(bound))))
}

/// Returns notices about a property that holds vacuously: a claim that no run reaches, a violation in a trace that
/// has no continuation of the exact length, actions that never happen.
pub fn vacuous(
    model: &Model,
    property: &Property,
    claim: Option<&ClaimedProperty>,
    lengths: Lengths,
    (backend, budget): (Backend, &Budget),
) -> Vec<Diagnostic> {
    let unreached = claim.and_then(|claim| unreached(model, claim, lengths.bound(), backend, budget));
    let dead_end = settings::dead_end(model, property, lengths, backend, budget);
    unreached
        .into_iter()
        .chain(dead_end)
        .chain(settings::vacuity(model, Some(lengths), backend, budget))
        .collect()
}
