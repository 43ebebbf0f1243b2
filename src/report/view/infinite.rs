//! The view of a classification of infinite traces.

use super::{
    CanonicalView, CausesView, ClassView, CoverWords, NeededView, PairView, ResultView, causes_of,
    in_parentheses, tone,
};
use crate::classes::baseline::ShownComparison;
use crate::classes::class_table::{ClassLine, ClassTable, remarks};
use crate::classes::fact_lines::{FactItem, FactReach, formula_and_facts, observables};
use crate::classes::shown::ShownTrace;
use crate::classes::weakness::{repair_texts, tried_words};
use crate::lassos::LassoRequest;
use crate::lassos::necessary::necessary_lists;
use crate::lassos::words::{
    assigned_words, chosen_words, constraint_lines, constraint_words, decisive_words, lengths_words, placed,
    sentence,
};
use crate::shared::images::{happens_not_words, images_words, shown_images};
use crate::shared::request::CommonRequest;
use crate::shared::verdict::{extent_of_lassos, fairness_words, steps};
use crate::traces::stepper::Figure;
use crate::traces::trace_text::lasso_labels;
use crate::traces::trace_text::lasso_words;
use crate::writing::words::predicate_titles;
use classify::lassos::{AtomRef, Infinite, LassoConstraint, LassoFact};
use classify::{Atoms, Class, Classification, Cover, Restates, TooWeak, Verdict};
use itertools::Itertools;
use kit::number::counted;
use lang::model::Recurrence;
use lang::model::value::Value;
use lang::model::{Model, Position};
use lang::trace::Lasso;
use maud::{Markup, html};

/// Returns the view of a result.
pub fn lasso_view<'a>(request: &'a LassoRequest<'_>, result: &'a Classification<Infinite>) -> ResultView<'a> {
    let (asked, model) = (&request.asked, request.asked.model);
    let context = result.cover.as_ref().and_then(|cover| cover.context.as_ref());
    let rows = [
        ("fairness", Some(fairness_words(model, request.fairness, &request.given))),
        ("lengths", lengths_words(result)),
    ];
    let compared = |comparison| ShownComparison::of(comparison, result.has_all(), ShownTrace::infinite);
    let taken = &result.statistics;
    let checked = match (&result.checked_by, result.classes.is_empty()) {
        (Some(solver), _) => format!("; result checked again by {solver}"),
        (None, true) => String::new(),
        (None, false) => "; result not checked again".to_owned(),
    };
    ResultView {
        asked,
        tone: tone(&result.verdict),
        sentence: sentence(request, result),
        formula: model.sources.snippet(asked.property.formula),
        chosen: asked.chosen.map(chosen_words),
        within: context.map(|context| context.show(model, &result.atoms)),
        rows: rows.into_iter().filter_map(|(name, text)| Some((name, text?))).collect(),
        table: class_table(model, result),
        compared: request.baseline.map(compared),
        classes: (0..result.classes.len()).map(|index| class_view(asked, result, index)).collect(),
        unclassified: result.unclassified.as_ref().map(|lasso| {
            let heading = "an infinite counterexample that is in no class yet";
            (heading.to_owned(), ShownTrace::infinite(lasso))
        }),
        cover: result.cover.as_ref().map(|cover| cover_words(request, result, cover).view(cover)),
        pair: match &result.verdict {
            Verdict::TooWeak(weak) => Some(pair_view(request, weak)),
            _ => None,
        },
        causes: CausesView::of(asked),
        necessary: necessary_lists(request, result),
        overlaps: None,
        counts: None,
        statistics: format!(
            "{} examined, {}, {:.2} s\n{}{checked}",
            counted(taken.counterexamples, "counterexample"),
            counted(taken.solver_calls, "solver call"),
            taken.seconds.total,
            result.solver
        ),
        seconds: taken.seconds.total,
    }
}

fn class_table(model: &Model, result: &Classification<Infinite>) -> ClassTable {
    let line = |(index, class): (usize, &Class<Infinite>)| {
        let constraint = class.constraint.show(model, &result.atoms);
        ClassLine {
            numbers: vec![(index + 1).to_string(), class.representative.len().to_string()],
            abridged: constraint.clone(),
            own: constraint.clone(),
            constraint,
            remark: class_remark(class),
        }
    };
    let lines = result.classes.iter().enumerate().map(line).collect();
    ClassTable { number_heads: vec!["class", "steps"], lines, in_all: Vec::new() }
}

/// Remarks on a class before it is read.
fn class_remark(class: &Class<Infinite>) -> String {
    let images = images_words(class.images.len());
    let holding = [
        (!class.images.is_empty(), images.as_str()),
        (!class.sufficient, "does not suffice"),
        (class.restates == Restates::Property, "only restates the property"),
        (class.restates == Restates::Step, "only restates the property, in names of actions"),
        (class.restates == Restates::Undecided, "undecided: it may only restate the property"),
    ];
    remarks(&holding, "; ")
}

fn class_view<'a>(
    asked: &'a CommonRequest<'_>,
    result: &'a Classification<Infinite>,
    index: usize,
) -> ClassView<'a> {
    let (model, class, atoms) = (asked.model, &result.classes[index], &result.atoms);
    let shown = ShownTrace::infinite(&class.representative).at(placed(model, atoms, class));
    let accepted = class.accepted.as_ref().map(|lasso| {
        let words = lasso_words(lasso);
        let note = format!("it does not suffice: this infinite trace satisfies the property ({words})");
        (note, Some(ShownTrace::infinite(lasso)))
    });
    let held = class.constraint.facts.iter().flat_map(|fact| &fact.what).filter(|said| said.holds);
    ClassView {
        title: predicate_titles(model, held.map(|said| atoms.get(said.about.atom))),
        remark: in_parentheses(&class_remark(class)),
        constraint: class.constraint.show(model, atoms),
        words: constraint_words(model, atoms, &class.constraint),
        who: assigned_words(model, atoms, class),
        facts: Box::new(move |figure| class_facts((model, atoms), class, figure)),
        images: shown_images(model, atoms, &class.images),
        needed: (!class.needed.is_empty()).then(|| needed_view(model, atoms, class)),
        notes: accepted.into_iter().collect(),
        causes: causes_of(asked, index),
        heading: "a shortest counterexample of this class".to_owned(),
        shown,
        decisive: decisive_words(result, index).into_iter().collect(),
        canonical: match &class.canonical {
            None => CanonicalView::Unknown,
            Some(lasso) if *lasso == class.representative => {
                CanonicalView::Shown("it is in no other class".to_owned())
            }
            Some(lasso) => {
                let heading = "a shortest counterexample of this class alone";
                CanonicalView::Other(heading.to_owned(), ShownTrace::infinite(lasso))
            }
        },
    }
}

fn needed_view<'a>(model: &'a Model, atoms: &'a Atoms, class: &'a Class<Infinite>) -> NeededView<'a> {
    let part = |(weaker, lasso): (&LassoConstraint, &'a Lasso)| {
        (format!("{}:", weaker.show(model, atoms)), ShownTrace::infinite(lasso))
    };
    let page = move || {
        html! {
            details {
                summary { "Why every part is needed" }
                p { "Without the part, the class admits these lassos, which satisfy the property." }
                table {
                    @for (weaker, lasso) in class.constraint.weaker().iter().zip(&class.needed) {
                        tr {
                            td.formula { (weaker.show(model, atoms)) }
                            td { (lasso_labels(model, lasso)) }
                        }
                    }
                }
            }
        }
    };
    NeededView {
        sentence: "every part is needed: dropping it admits these lassos, which satisfy the property"
            .to_owned(),
        parts: class.constraint.weaker().iter().zip(&class.needed).map(part).collect(),
        beside: false,
        page: Box::new(page),
    }
}

fn cover_words<'w, 'a>(
    request: &'w LassoRequest<'_>,
    result: &'w Classification<Infinite>,
    cover: &Cover<Infinite>,
) -> CoverWords<'w, 'a, Infinite> {
    let nothing = match result.is_unbounded() {
        true => "nothing".to_owned(),
        false => format!(
            "no {}",
            extent_of_lassos(request.fairness, "infinite trace", Some(result.lengths.bound()))
        ),
    };
    let what = happens_not_words(result.classes.len(), result.has_images());
    let within = if cover.context.is_some() { " in this class" } else { "" };
    CoverWords {
        shortest: "A shortest infinite trace",
        within: result.is_unbounded().then(|| format!("up to {}", steps(result.lengths.bound()))),
        necessary: "facts of every infinite counterexample",
        shown: Box::new(ShownTrace::infinite),
        text: Box::new(|constraint| constraint.show(request.asked.model, &result.atoms)),
        left_over: Box::new(|special| format!("a shortest infinite counterexample {special}")),
        nothing: (*result.answer() == Verdict::Complete)
            .then(|| format!("where {what}, {nothing} violates {}{within}", request.asked.property.name)),
    }
}

fn pair_view<'a>(request: &LassoRequest<'_>, weak: &'a TooWeak<Infinite>) -> PairView<'a> {
    PairView {
        title: "the second of these infinite traces has every fact of the first",
        advice: match request.asked.repairs {
            Some(repairs) if !repairs.best.is_empty() => repairs.best.iter().flat_map(repair_texts).collect(),
            Some(repairs) if repairs.tried > 0 => vec![tried_words(repairs)],
            _ => vec!["add a distinguishing fact to the vocabulary".to_owned()],
        },
        beside: None,
        traces: [
            ("one violates the property", ShownTrace::infinite(&weak.counterexample)),
            ("the other one satisfies it", ShownTrace::infinite(&weak.accepting)),
        ],
        finding: "a counterexample that the vocabulary cannot tell from an infinite trace that is accepted",
    }
}

/// The constraint of a class with facts that light up what they speak of in its representative: as a formula, then in words.
fn class_facts((model, atoms): (&Model, &Atoms), class: &Class<Infinite>, figure: &Figure<'_>) -> Markup {
    let constraint = &class.constraint;
    let facts = constraint.named_facts(model, atoms);
    let mut places = class.assigned.positions.iter().map(|&at| class.representative.place(at));
    let mut reach_of = |index: usize| {
        let fact = &facts[index].0;
        let own = places.by_ref().take(fact.positions()).collect();
        reach((model, atoms), class, fact, own, &class.assigned.individuals)
    };
    let lines = constraint_lines(model, atoms, constraint).into_iter();
    let items: Vec<FactItem> = lines.map(|line| FactItem::of(line, &mut reach_of)).collect();
    // Texts about individuals alone come after the facts, and have no step.
    let texts = constraint.show_facts(model, atoms);
    formula_and_facts(figure, &constraint.show(model, atoms), (&texts, facts.len()), &items)
}

/// The steps and places of a fact: of what happens again and again, the steps of the loop at which it does; of what lasts, all of them; else the
/// positions that it names, which are these `own` ones.
fn reach(
    of: (&Model, &Atoms),
    class: &Class<Infinite>,
    fact: &LassoFact,
    own: Vec<Position>,
    individuals: &[Value],
) -> FactReach {
    let (model, atoms) = of;
    let lasso = &class.representative;
    let holds = |at: &Position| {
        let here = |about: &AtomRef| about.holds(of, &lasso.trace.moments, &[*at], individuals);
        fact.what.iter().all(|said| here(&said.about) == said.holds)
    };
    // The first position of the loop has the label of the stem.
    let round = lasso.loop_steps();
    let steps = match fact.when {
        Recurrence::Again => round.filter(holds).collect(),
        Recurrence::Forever => round.collect(),
        Recurrence::Once => own,
    };
    let places = fact.atoms().flat_map(|about| {
        let values = about.individuals.iter().map(|own| model.types.show_value(&individuals[own.index()]));
        observables(atoms.get(about.atom), &values.collect::<Vec<_>>())
    });
    FactReach::new(steps, places.unique().collect())
}
