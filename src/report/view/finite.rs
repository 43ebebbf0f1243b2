//! The view of a classification of finite traces.

use super::{
    CanonicalView, CausesView, ClassView, CoverWords, DrawnPart, NeededView, PairView, ResultView, causes_of,
    in_parentheses, tone,
};
use crate::classes::baseline::ShownComparison;
use crate::classes::beyond::{lasting_text, lengths_text, obstacle_text};
use crate::classes::class_json::{decisive_places, named, right_words};
use crate::classes::class_table::{class_table, remarks};
use crate::classes::fact_lines::constraint_facts;
use crate::classes::necessary::necessary_lists;
use crate::classes::numbers::{method_text, tables};
use crate::classes::overlap::overlaps;
use crate::classes::shown::ShownTrace;
use crate::classes::vocabulary::chosen_text;
use crate::classes::weakness::advice;
use crate::shared::images::{happens_not_words, images_words, shown_images};
use crate::shared::request::ClassifyRequest;
use crate::shared::verdict::{earliest, ended, extent, steps, verdict_sentence};
use crate::traces::align::{align, align_matched};
use crate::traces::pair::{ComparedStates, Side, pair_table};
use crate::traces::trace_text::label_text;
use crate::writing::columns::{cut, padded};
use crate::writing::marks::Marks;
use crate::writing::wording::Wording;
use crate::writing::words::{constraint_words, fact_words, predicate_titles, who_is_who};
use classify::{
    AtStart, Class, Classification, Cover, Fact, Finite, Restates, Seconds, TooWeak, VariableNames, Verdict,
    position_names,
};
use kit::number::counted;
use lang::model::Position;
use lang::trace::Trace;
use maud::html;
use unicode_width::UnicodeWidthStr;

/// A trace with its violation.
fn shown<'a>(request: &ClassifyRequest<'_>, trace: &'a Trace) -> ShownTrace<'a> {
    ShownTrace::finite(trace, request.violation(trace))
}

/// Returns the view of a result.
pub fn result_view<'a>(request: &'a ClassifyRequest<'_>, result: &'a Classification) -> ResultView<'a> {
    let asked = &request.asked;
    let context = result.cover.as_ref().and_then(|cover| cover.context.as_ref());
    let rows = [("lengths", lengths_text(result)), ("beyond", lasting_text(result))];
    let unclassified = result.unclassified.as_ref();
    ResultView {
        asked,
        tone: tone(&result.verdict),
        sentence: verdict_sentence(result, &asked.vocabulary.name, &asked.display),
        formula: asked.model.sources.snippet(request.invariant.span),
        chosen: asked.chosen.map(|chosen| chosen_text(chosen, result)),
        within: context.map(|context| context.show(asked.model, &result.atoms)),
        rows: rows.into_iter().filter_map(|(name, text)| Some((name, text?))).collect(),
        table: class_table(request, result),
        compared: request.baseline.map(|comparison| {
            ShownComparison::of(comparison, result.has_all(), |trace| shown(request, trace))
        }),
        classes: (0..result.classes.len()).map(|index| class_view(request, result, index)).collect(),
        unclassified: unclassified.map(|trace| {
            let heading = format!("a {} that is in no class yet", asked.display.wording.trace());
            (heading, shown(request, trace))
        }),
        cover: result.cover.as_ref().map(|cover| cover_words(request, result, cover).view(cover)),
        pair: match &result.verdict {
            Verdict::TooWeak(weak) => Some(pair_view(request, weak)),
            _ => None,
        },
        causes: CausesView::of(asked),
        necessary: necessary_lists(request, result),
        overlaps: overlaps(request, result),
        counts: result.counts.as_ref().map(|counts| match counts {
            Ok(numbers) => Ok((tables(&numbers.counts, result.classes.len()), method_text(numbers))),
            Err(why) => Err(format!("numbers of traces are not available: {}", obstacle_text(why))),
        }),
        statistics: statistics_text(result, asked.display.wording),
        seconds: result.statistics.seconds.total,
    }
}

fn class_view<'a>(
    request: &'a ClassifyRequest<'_>,
    result: &'a Classification,
    index: usize,
) -> ClassView<'a> {
    let (model, atoms, wording) = (request.asked.model, &result.atoms, request.asked.display.wording);
    let class = &result.classes[index];
    let names = class.constraint.names(model, atoms);
    let needed = !class.needed.is_empty() && !class.constraint.facts.is_empty();
    let longer = result.rests_on_bound(index).map(|longer| {
        let text = format!(
            "beyond the bound, a trace of {} is in this class without a violation",
            steps(longer.steps)
        );
        (text, longer.trace.as_ref().map(|trace| ShownTrace::finite(trace, None)))
    });
    let restates =
        (class.restates == Restates::Step).then(|| (step_text(request, class.constraint.positions), None));
    let decisive = decisive_places(request, index + 1).iter();
    ClassView {
        title: predicate_titles(model, class.constraint.atoms(atoms).map(|(atom, _)| atom)),
        remark: class_remark(result, index),
        constraint: class.constraint.show(model, atoms),
        words: constraint_words(model, atoms, &class.constraint),
        facts: Box::new(move |figure| {
            constraint_facts((model, atoms), &class.constraint, &class.assigned, figure)
        }),
        images: shown_images(model, atoms, &class.images),
        needed: needed.then(|| needed_view(request, result, class, &names)),
        notes: longer.into_iter().chain(restates).collect(),
        causes: causes_of(&request.asked, index),
        heading: earliest(result.lengths, "of this class", wording),
        who: who_is_who(model, &names, &class.assigned),
        shown: shown(request, &class.representative).at(named(&class.constraint, &class.assigned.positions)),
        decisive: decisive
            .map(|place| format!("at step {}, {}", place.position, right_words(place)))
            .collect(),
        canonical: match &class.canonical {
            None => CanonicalView::Unknown,
            Some(trace) if *trace == class.representative => {
                CanonicalView::Shown(format!("it is in no other class{}", redundant_apart(result)))
            }
            Some(trace) => {
                let apart = redundant_apart(result).replace("but perhaps", "and perhaps of");
                let heading = earliest(result.lengths, &format!("of this class alone{apart}"), wording);
                CanonicalView::Other(heading, ShownTrace::finite(trace, None))
            }
        },
    }
}

/// For each fact of a class the trace that shows why it is needed; on a page, beside the counterexample.
fn needed_view<'a>(
    request: &'a ClassifyRequest<'_>,
    result: &'a Classification,
    class: &'a Class,
    names: &VariableNames,
) -> NeededView<'a> {
    let (model, atoms, view) = (request.asked.model, &result.atoms, &request.asked.display);
    let parts = class.constraint.facts.iter().zip(&class.needed);
    let part = |(fact, trace): (&Fact, &'a Trace)| {
        (format!("without {}:", fact.show(model, atoms, names)), ShownTrace::finite(trace, None))
    };
    let names = names.clone();
    let page = move || {
        let representative =
            shown(request, &class.representative).at(named(&class.constraint, &class.assigned.positions));
        let left =
            Side { head: "the counterexample", trace: &class.representative, marks: representative.marks() };
        html! {
            details {
                summary { "Why every fact is needed" }
                p { "Dropping a fact admits these " (view.wording.without_fact()) "." }
                @for (index, (fact, trace)) in class.constraint.facts.iter().zip(&class.needed).enumerate() {
                    @let marks = remaining_marks(request, result, class, index, &names);
                    @let right = Side { head: "without this fact", trace, marks };
                    h4 { "Without: " (fact_words(model, atoms, fact, &names)) }
                    (pair_table((model, view), [&left, &right], &align(left.trace, trace), ComparedStates::First))
                }
            }
        }
    };
    NeededView {
        sentence: format!("every fact is needed: dropping it admits these {}", view.wording.without_fact()),
        parts: parts.map(part).collect(),
        beside: true,
        page: Box::new(page),
    }
}

/// Where the positions that the other facts speak of lie in the trace that shows why a fact is needed.
fn remaining_marks<'n>(
    request: &ClassifyRequest<'_>,
    result: &Classification,
    class: &Class,
    fact: usize,
    names: &'n VariableNames,
) -> Marks<'n> {
    let others = class.constraint.without(fact);
    let Some(assigned) = others.matches(request.asked.model, &result.atoms, &class.needed[fact].moments)
    else {
        return Marks::default();
    };
    let spoken_of = |at: usize| others.facts.iter().flat_map(|f| &f.positions).any(|p| p.index() == at);
    let positions = names.positions.iter().enumerate().filter(|(at, _)| spoken_of(*at));
    let positions = positions.map(|(at, name)| (name.as_str(), assigned.positions[at])).collect();
    Marks { positions, remarks: Vec::new() }
}

/// Remarks on a class before it is read.
fn class_remark(result: &Classification, index: usize) -> String {
    let class = &result.classes[index];
    let images = images_words(class.images.len());
    let names_a_step = class.restates == Restates::Step;
    let holding = [
        (!class.images.is_empty(), images.as_str()),
        (class.redundant, "redundant: the other classes cover it"),
        (class.restates == Restates::Property, "only restates the property"),
        (names_a_step && class.constraint.positions < 2, "names only the last step"),
        (names_a_step && class.constraint.positions >= 2, "names only the last steps"),
        (class.restates == Restates::Undecided, "undecided: it may only restate the property"),
        (class.at_start == AtStart::Always, "true in every initial state, before anything happens"),
        (class.at_start == AtStart::Sometimes, "true in an initial state, before anything happens"),
        (!class.sufficient, "does not suffice: also occurs without a violation"),
        (result.rests_on_bound(index).is_some(), "depends on the bound"),
    ];
    in_parentheses(&remarks(&holding, "; "))
}

/// The meaning of a class that says no more than a step, or steps to one state.
fn step_text(request: &ClassifyRequest<'_>, positions: usize) -> String {
    let steps = match positions {
        ..2 => "any step with these facts violates",
        _ => "steps to one state with these facts violate",
    };
    let shown = if request.asked.causes.is_some() { "the causes show" } else { "`--tree` shows" };
    format!("{steps} the property; {shown} how it became possible")
}

/// Where redundant classes are kept, whatever is in one class alone is so among the others only.
fn redundant_apart(result: &Classification) -> &'static str {
    if result.classes.iter().any(|class| class.redundant) { " but perhaps redundant ones" } else { "" }
}

fn cover_words<'w, 'a>(
    request: &'w ClassifyRequest<'_>,
    result: &'w Classification,
    cover: &Cover,
) -> CoverWords<'w, 'a, Finite> {
    let wording = request.asked.display.wording;
    let lengths = extent(result.lengths);
    let nothing = match result.is_unbounded() {
        true => "nothing".to_owned(),
        false => format!("no trace of {lengths}"),
    };
    let what = happens_not_words(result.classes.len(), result.has_images());
    let within = if cover.context.is_some() { " in this class" } else { "" };
    let is_complete = cover.remainder.is_none() && *result.answer() == Verdict::Complete;
    CoverWords {
        shortest: "A shortest trace",
        within: result.is_unbounded().then_some(lengths),
        necessary: wording.choose("facts of every violating trace", "facts of every trace that gets there"),
        shown: Box::new(|trace| shown(request, trace)),
        text: Box::new(|constraint| constraint.show(request.asked.model, &result.atoms)),
        left_over: Box::new(move |special| earliest(result.lengths, special, wording)),
        nothing: is_complete
            .then(|| format!("where {what}, {nothing} violates {}{within}", request.asked.property.name)),
    }
}

/// The two traces that a vocabulary cannot tell apart, step beside step, then each by itself.
fn pair_view<'a>(request: &'a ClassifyRequest<'_>, weak: &'a TooWeak) -> PairView<'a> {
    let (model, view) = (request.asked.model, &request.asked.display);
    let names = position_names(weak.constraint.positions);
    let at = |positions: &[Position]| names.iter().cloned().zip(positions.iter().copied()).collect();
    let all: Vec<Position> = weak.counterexample.positions().collect();
    let violation = shown(request, &weak.counterexample).at(at(&all));
    let accepted = ShownTrace::finite(&weak.accepting, None).at(at(&weak.positions));
    let (left, right) = (violation.clone(), accepted.clone());
    let drawn: DrawnPart<'a> = Box::new(move || {
        let left = Side { head: "the violation", trace: left.trace, marks: left.marks() };
        let right = Side { head: "the accepted trace", trace: right.trace, marks: right.marks() };
        let rows = align_matched(&weak.positions, (all.len(), weak.accepting.moments.len()));
        pair_table((model, view), [&left, &right], &rows, ComparedStates::Everywhere)
    });
    PairView {
        title: "these two traces share every fact of the vocabulary",
        advice: advice(model, weak, request.asked.repairs),
        beside: Some((beside_lines(request, weak, &names), drawn)),
        traces: [("the violation", violation), ("the accepted trace", accepted)],
        finding: "a counterexample that the vocabulary cannot tell from an accepted trace",
    }
}

/// The steps of the two traces that match, beside each other.
fn beside_lines(request: &ClassifyRequest<'_>, weak: &TooWeak, names: &[String]) -> Vec<String> {
    let (model, view) = (request.asked.model, &request.asked.display);
    let name_width = names.iter().map(|n| n.width()).max().unwrap_or(1);
    let column = (view.width.saturating_sub(name_width + 6) / 2).clamp(16, 48);
    let at = |n: Position, trace: &Trace| {
        padded(&cut(&format!("{n:>3} {}", label_text(model, trace, n)), column), column)
    };
    let head = format!("{:name_width$} {:<column$} an accepted trace", "", "the violation");
    let rows = weak.counterexample.positions().zip(&weak.positions).zip(names);
    let row = |((p, matched), name): ((Position, &Position), &String)| {
        let name = view.paint.mark(&format!("{name:<name_width$}"));
        let (left, right) = (at(p, &weak.counterexample), at(*matched, &weak.accepting));
        format!("{name} {left} {}", right.trim_end())
    };
    std::iter::once(head).chain(rows.map(row)).collect()
}

/// Two lines: what it took, and who checked it; a third one where longer traces were to be examined and were not.
pub fn statistics_text(result: &Classification, wording: Wording) -> String {
    let taken = &result.statistics;
    let phases: Vec<String> = phases(&taken.seconds)
        .into_iter()
        .filter(|(_, seconds)| *seconds >= 0.005)
        .map(|(name, seconds)| format!("{name} {seconds:.2}"))
        .collect();
    let phases = if phases.is_empty() { String::new() } else { format!(" ({})", phases.join(", ")) };
    let fate = if result.classes.iter().any(|c| c.redundant) { "kept" } else { "dropped" };
    let redundant = match taken.redundant {
        0 => String::new(),
        1 => format!(", 1 redundant class {fate}"),
        n => format!(", {n} redundant classes {fate}"),
    };
    let holds = result.verdict == Verdict::Holds;
    let checked = match (&result.checked_by, result.check_ended) {
        (Some(solver), _) if holds => {
            format!("; {solver} finds no counterexample of {} either", extent(result.lengths))
        }
        (Some(solver), _) if matches!(result.answer(), Verdict::Complete | Verdict::Remainder) => {
            format!("; result checked again by {solver}")
        }
        (Some(solver), _) => format!("; classes checked again by {solver}"),
        (None, Some(why)) => format!("; {} before the result was checked again", ended(why)),
        (None, None) if holds || result.classes.is_empty() => String::new(),
        (None, None) => "; result not checked again".to_owned(),
    };
    let size = match (taken.peak_variables, taken.peak_clauses) {
        (0, 0) => String::new(),
        (variables, clauses) => {
            let (variables, clauses) = (counted(variables, "variable"), counted(clauses, "clause"));
            format!(", at most {variables} and {clauses}")
        }
    };
    let longer = match result.horizon_missed {
        Some(missed) => {
            let next = result.lengths.bound() + 1;
            format!(
                "\nlonger traces ({next} to {missed} steps) were not checked: their share of the time was used up; \
                 `--horizon {missed}` checks them"
            )
        }
        None => String::new(),
    };
    format!(
        "{} examined{redundant}, {}, {:.2} s{phases}\n{}{size}{checked}{longer}",
        counted(taken.counterexamples, wording.trace()),
        counted(taken.solver_calls, "solver call"),
        taken.seconds.total,
        result.solver,
    )
}

fn phases(seconds: &Seconds) -> [(&'static str, f64); 11] {
    [
        ("unroll", seconds.unroll),
        ("search", seconds.search),
        ("facts", seconds.facts),
        ("minimise", seconds.minimise),
        ("block", seconds.block),
        ("redundancy", seconds.redundancy),
        ("necessary", seconds.necessary),
        ("verify", seconds.verify),
        ("prove", seconds.prove),
        ("count", seconds.count),
        ("other vocabularies", seconds.vocabularies),
    ]
}
