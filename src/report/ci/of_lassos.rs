//! What a classification of infinite traces says of its property.

use super::{Case, Finding, Known, Places, Standing, Suite, beside};
use crate::lassos::LassoRequest;
use crate::lassos::{constraint_words, lasso_words, placed, sentence};
use crate::traces::trace_text::trace_text;
use crate::writing::marks::Marks;
use crate::writing::marks::loop_marks;
use classify::lassos::{LassoClass, LassoClassification, LassoVerdict};
use lang::model::Position;
use lang::trace::Lasso;

impl Suite {
    /// The case of a classification of infinite traces, with a finding for each class. If it was compared with a stored result in which
    /// nothing is new, it has passed. `is_written` tells that the program wrote the model, of the file that was given.
    pub fn of_lassos(request: &LassoRequest<'_>, result: &LassoClassification, is_written: bool) -> Self {
        let places = Places { model: request.asked.model, file: request.asked.file, is_written };
        let property = request.asked.property;
        let summary = beside(sentence(request, result), request.baseline, result.has_all());
        let classes = result.classes.iter().enumerate();
        let mut findings: Vec<Finding> =
            classes.map(|(index, class)| of_class(request, result, &places, index, class)).collect();
        let weak = match &result.verdict {
            LassoVerdict::TooWeak(pair) => Some(&pair.violating),
            _ => None,
        };
        let others = [
            (
                weak,
                "a counterexample that the vocabulary cannot tell from an infinite trace that is accepted",
            ),
            (result.unclassified.as_ref(), "a counterexample that is in no class"),
            (
                result.cover.as_ref().and_then(|cover| cover.remainder.as_ref()),
                "a counterexample in which nothing happens that the vocabulary names",
            ),
        ];
        for (lasso, what) in others {
            findings.extend(lasso.map(|lasso| {
                let message = format!("{}: {what}", property.name);
                Finding {
                    trace: text(request, lasso, &[]),
                    steps: places.steps(property, &lasso.trace),
                    identity: message.clone(),
                    message,
                    known: None,
                }
            }));
        }
        let case = Case {
            property: property.name.clone(),
            doc: property.doc.clone(),
            place: places.of(property.span),
            standing: match &result.verdict {
                LassoVerdict::Holds => Standing::Passed,
                LassoVerdict::Undecided(_) => Standing::Undecided,
                _ => Standing::of_violated(request.baseline, result.has_all()),
            },
            summary,
            findings,
        };
        Self {
            model: request.asked.model.name.clone(),
            rerun: request.asked.rerun.to_owned(),
            seconds: result.statistics.seconds.total,
            cases: vec![case],
        }
    }
}

/// An infinite trace with where its loop begins and ends.
fn text(request: &LassoRequest<'_>, lasso: &Lasso, positions: &[(String, Position)]) -> String {
    let positions = positions.iter().map(|(name, at)| (name.as_str(), *at)).collect();
    let marks = Marks { positions, violations: loop_marks(lasso) };
    trace_text(request.asked.model, &lasso.trace, &marks, &request.asked.view, 0)
}

fn of_class(
    request: &LassoRequest<'_>,
    result: &LassoClassification,
    places: &Places<'_>,
    index: usize,
    class: &LassoClass,
) -> Finding {
    let (model, atoms, property) = (request.asked.model, &result.atoms, &request.asked.property.name);
    let constraint = class.constraint.show(model, atoms);
    let words = constraint_words(model, atoms, &class.constraint).join("; ");
    let (number, length) = (index + 1, lasso_words(&class.representative));
    let novelty = request.baseline.and_then(|comparison| comparison.novelties.get(index));
    Finding {
        message: format!("{property}, kind {number} of violation ({length}): {constraint} ({words})"),
        trace: text(request, &class.representative, &placed(model, atoms, class).positions),
        steps: places.steps(request.asked.property, &class.representative.trace),
        identity: format!("{property}: {constraint}"),
        known: novelty.and_then(Known::of),
    }
}
