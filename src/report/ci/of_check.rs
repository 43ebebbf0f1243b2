//! Findings of a check, for each property.

use super::{Case, CaseStatus, CiFinding, DeclarationPlaces, Suite};
use crate::checks::check_text::{outcome, trace_section};
use crate::shared::request::{CheckRequest, CheckedProperty, PropertyOutcome};

impl Suite {
    /// The cases of a check. `is_written` tells that the program wrote the model, of the file that was given.
    pub fn of_check(request: &CheckRequest<'_>, is_written: bool) -> Self {
        let model = request.model;
        let places = DeclarationPlaces { model, file: request.file, is_written };
        let case = |checked: &CheckedProperty<'_>| Case {
            property: checked.property.name.clone(),
            doc: checked.property.doc.clone(),
            place: places.of(checked.property.span),
            standing: standing(&checked.outcome),
            summary: outcome(request, checked),
            findings: finding(request, checked, &places).into_iter().collect(),
        };
        Self {
            model: model.name.clone(),
            rerun: request.rerun.to_owned(),
            seconds: request.seconds,
            cases: request.properties.iter().map(case).collect(),
        }
    }
}

fn standing(outcome: &PropertyOutcome) -> CaseStatus {
    match outcome {
        PropertyOutcome::TypesOnly => CaseStatus::Skipped,
        outcome if outcome.holds() => CaseStatus::Passed,
        outcome if outcome.is_violated() => CaseStatus::Failed,
        _ => CaseStatus::Undecided,
    }
}

fn finding(
    request: &CheckRequest<'_>,
    checked: &CheckedProperty<'_>,
    places: &DeclarationPlaces<'_>,
) -> Option<CiFinding> {
    let trace = match &checked.outcome {
        PropertyOutcome::Violated(trace) => Some(trace),
        PropertyOutcome::ViolatedForever(lasso) => Some(&lasso.trace),
        outcome if outcome.is_violated() => None,
        _ => return None,
    };
    let name = &checked.property.name;
    Some(CiFinding {
        message: format!("{name}: {}", outcome(request, checked)),
        trace: trace_section(request, checked).unwrap_or_default().trim_start().to_owned(),
        steps: trace.map(|trace| places.steps(checked.property, trace)).unwrap_or_default(),
        identity: name.clone(),
        known: None,
    })
}
