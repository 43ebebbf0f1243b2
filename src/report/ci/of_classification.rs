//! What a classification says of its property.

use super::{Case, Finding, Known, Places, Standing, Suite, beside};
use crate::shared::request::ClassifyRequest;
use crate::shared::verdict::{steps, verdict_sentence};
use crate::traces::trace_text::trace_text;
use crate::writing::marks::Marks;
use crate::writing::words::constraint_words;
use classify::{Class, Classification, Verdict};
use lang::trace::Trace;

impl Suite {
    /// The case of a classification, with a finding for each class. If it was compared with a stored result in which nothing is new, it
    /// has passed. `is_written` tells that the program wrote the model, of the file that was given.
    pub fn of_classification(
        request: &ClassifyRequest<'_>,
        result: &Classification,
        is_written: bool,
    ) -> Self {
        let model = request.asked.model;
        let places = Places { model, file: request.asked.file, is_written };
        let property = request.asked.property;
        let summary = verdict_sentence(result, &request.asked.vocabulary.name, &request.asked.view);
        let summary = beside(summary, request.baseline, result.has_all());
        let classes = result.classes.iter().enumerate();
        let mut findings: Vec<Finding> =
            classes.map(|(index, class)| of_class(request, result, &places, index, class)).collect();
        let others = [
            (
                unclassifiable(result),
                "a counterexample that the vocabulary cannot tell from an accepted trace",
            ),
            (result.unclassified.as_ref(), "a counterexample that is in no class"),
            (
                result.cover.as_ref().and_then(|cover| cover.remainder.as_ref()),
                "a counterexample in which nothing happens that the vocabulary names",
            ),
        ];
        for (trace, what) in others {
            findings.extend(trace.map(|trace| Finding {
                message: format!("{}: {what}", property.name),
                trace: trace_text(
                    model,
                    trace,
                    &Marks::new(&[], &[], request.violation(trace)),
                    &request.asked.view,
                    0,
                ),
                steps: places.steps(property, trace),
                identity: format!("{}: {what}", property.name),
                known: None,
            }));
        }
        let case = Case {
            property: property.name.clone(),
            doc: property.doc.clone(),
            place: places.of(property.span),
            standing: standing(request, result),
            summary,
            findings,
        };
        Self {
            model: model.name.clone(),
            rerun: request.asked.rerun.to_owned(),
            seconds: result.statistics.seconds.total,
            cases: vec![case],
        }
    }
}

fn standing(request: &ClassifyRequest<'_>, result: &Classification) -> Standing {
    match &result.verdict {
        Verdict::Holds => Standing::Passed,
        Verdict::Undecided { .. } => Standing::Undecided,
        _ => Standing::of_violated(request.baseline, result.has_all()),
    }
}

fn unclassifiable(result: &Classification) -> Option<&Trace> {
    match &result.verdict {
        Verdict::TooWeak(pair) => Some(&pair.counterexample),
        _ => None,
    }
}

fn of_class(
    request: &ClassifyRequest<'_>,
    result: &Classification,
    places: &Places<'_>,
    index: usize,
    class: &Class,
) -> Finding {
    let (model, property) = (request.asked.model, &request.asked.property.name);
    let constraint = class.constraint.show(model, &result.atoms);
    let words = constraint_words(model, &result.atoms, &class.constraint).join("; ");
    let number = index + 1;
    let length = steps(class.representative.len());
    let novelty = request.baseline.and_then(|comparison| comparison.novelties.get(index));
    let names = class.constraint.names(model, &result.atoms);
    let violation = request.violation(&class.representative);
    let marks = Marks::new(&names.positions, &class.assigned.positions, violation);
    Finding {
        message: format!("{property}, kind {number} of violation ({length}): {constraint} ({words})"),
        trace: trace_text(model, &class.representative, &marks, &request.asked.view, 0),
        steps: places.steps(request.asked.property, &class.representative),
        identity: format!("{property}: {constraint}"),
        known: novelty.and_then(Known::of),
    }
}
