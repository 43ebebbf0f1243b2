//! A classification for the terminal.

use crate::classes::beyond::{lasting_text, lengths_text, obstacle_text};
use crate::classes::causes::{cause_tree, tree_lines};
use crate::classes::class_table::{Overflow, class_table, class_table_lines};
use crate::classes::cover_page::from_start;
use crate::classes::decisive::{decisive_places, right_words};
use crate::classes::necessary::necessary_lists;
use crate::classes::numbers::{method_text, table_lines, tables};
use crate::classes::vocabulary::chosen_text;
use crate::classes::weakness::{advice, repair_text};
use crate::shared::evaluate::one_line;
use crate::shared::images::{happens_not_words, images_lines, images_words, shown_images};
use crate::shared::request::ClassifyRequest;
use crate::shared::verdict::verdict_sentence;
use crate::shared::verdict::{earliest, ended, extent, steps};
use crate::traces::chart_text::chart_legend;
use crate::traces::trace_text::{label_text, wrapped_labels};
use crate::traces::trace_text::{labels_line, trace_text};
use crate::writing::columns::{cut, padded, wrapped};
use crate::writing::digits::counted;
use crate::writing::marks::Marks;
use crate::writing::wording::Wording;
use crate::writing::words::constraint_words;
use classify::{
    Assignment, AtStart, Atoms, Class, Classification, Combination, Constraint, Cover, Fact, Longer, Names,
    Obstacle, Restates, Seconds, TooWeak, Verdict, position_names,
};
use itertools::Itertools;
use lang::model::{Model, Position};
use lang::trace::Trace;
use std::fmt::Write;
use unicode_width::UnicodeWidthStr;

/// The whole report: the verdict, a table of the classes if there are several, then their details.
pub fn classification_text(request: &ClassifyRequest<'_>, result: &Classification) -> String {
    let mut out = verdict_text(request, result);
    if result.classes.len() > 1 {
        table_text(&mut out, request, result, Overflow::Cut);
    }
    for (index, class) in result.classes.iter().enumerate() {
        class_text(&mut out, request, result, class, index + 1);
    }
    if let Some(trace) = &result.unclassified {
        let _ = writeln!(
            out,
            "\na {} that is in no class yet ({})",
            request.asked.view.wording.trace(),
            steps(trace.len())
        );
        let violation = request.violation(trace);
        let marks = Marks { positions: Vec::new(), violations: violation.into_iter().collect() };
        out.push_str(&trace_text(request.asked.model, trace, &marks, &request.asked.view, 2));
    }
    if let Some(cover) = &result.cover {
        cover_text(&mut out, request, result, cover);
    }
    if let Verdict::TooWeak(weak) = &result.verdict {
        too_weak_text(&mut out, request, weak);
    }
    causes_text(&mut out, request, result);
    necessary_text(&mut out, request, result);
    counts_text(&mut out, request, result);
    let is_drawn = !result.classes.is_empty() || result.unclassified.is_some();
    if request.asked.view.charts.is_some() && is_drawn {
        let legend = chart_legend(request.asked.view.width, true);
        let _ = writeln!(out, "\n{}", request.asked.view.paint.faint(&legend.join("\n")));
    }
    let _ = writeln!(out, "\n{}", statistics_text(result, request.asked.view.wording));
    let _ = writeln!(out, "{} {}", request.asked.view.paint.faint("again:"), request.asked.rerun);
    out
}

/// The verdict and the table of the classes, without any details.
pub fn classification_brief(request: &ClassifyRequest<'_>, result: &Classification) -> String {
    let mut out = verdict_text(request, result);
    if !result.classes.is_empty() {
        table_text(&mut out, request, result, Overflow::Wrap);
    }
    if let Some(Err(obstacle)) = &result.counts {
        no_counts_text(&mut out, obstacle);
    }
    for repair in request.asked.repairs.iter().flat_map(|repairs| &repairs.best) {
        let _ = writeln!(out, "  help: {}", repair_text(repair));
    }
    out
}

/// The verdict, and what it is about.
fn verdict_text(request: &ClassifyRequest<'_>, result: &Classification) -> String {
    let mut out = String::new();
    let paint = request.asked.view.paint;
    let sentence = verdict_sentence(result, &request.asked.vocabulary.name, &request.asked.view);
    let headline = match &result.verdict {
        Verdict::Holds => paint.good(&sentence),
        Verdict::Undecided { .. } => paint.doubtful(&sentence),
        _ => paint.bad(&sentence),
    };
    let _ = writeln!(out, "{headline}");
    // The formula of a claim is one of the generated model; its documentation says what is claimed.
    let doc = request.asked.property.doc.as_deref().filter(|_| request.asked.view.charts.is_some());
    let statement = match doc {
        Some(doc) => one_line(doc.trim_end_matches('.')),
        None => one_line(request.asked.model.sources.snippet(request.invariant.span)),
    };
    let statement = if statement.is_empty() { String::new() } else { format!(": {statement}") };
    let _ = writeln!(out, "  property   {}{statement}", request.asked.property.name);
    let _ = writeln!(out, "  model      {} ({})", request.asked.model.name, request.asked.file);
    match request.asked.chosen {
        None => _ = writeln!(out, "  vocabulary {}", request.asked.vocabulary.name),
        Some(chosen) => {
            let declared = chosen.declaration.trim_start_matches("vocabulary ");
            let _ = writeln!(out, "  vocabulary {declared}");
            let _ = writeln!(out, "  chosen     {}", chosen_text(chosen, result));
        }
    }
    if let Some(context) = result.cover.as_ref().and_then(|cover| cover.context.as_ref()) {
        let _ = writeln!(out, "  within     {}", context.show(request.asked.model, &result.atoms));
    }
    if let Some(lengths) = lengths_text(result) {
        let _ = writeln!(out, "  lengths    {lengths}");
    }
    if let Some(lasting) = lasting_text(result) {
        let _ = writeln!(out, "  beyond     {lasting}");
    }
    out
}

/// The table of the classes.
fn table_text(out: &mut String, request: &ClassifyRequest<'_>, result: &Classification, overflow: Overflow) {
    let width = request.asked.view.width.saturating_sub(2);
    let lines = class_table_lines(&class_table(request, result), width, overflow);
    out.push('\n');
    for (index, line) in lines.iter().enumerate() {
        let line = if index == 0 { request.asked.view.paint.faint(line) } else { line.clone() };
        let _ = writeln!(out, "  {line}");
    }
}

fn class_text(
    out: &mut String,
    request: &ClassifyRequest<'_>,
    result: &Classification,
    class: &Class,
    number: usize,
) {
    let of = result.classes.len();
    let (model, view) = (request.asked.model, &request.asked.view);
    let names = class.constraint.names(model, &result.atoms);
    let remark = class_remark(result, number - 1);
    let _ = writeln!(out, "\n{}{remark}", view.paint.bold(&format!("class {number} of {of}")));
    let _ = writeln!(out, "  {}", class.constraint.show(model, &result.atoms));
    let images = shown_images(&class.images, |image| image.constraint.show(model, &result.atoms));
    for line in images_lines(model, &images) {
        let _ = writeln!(out, "  {line}");
    }
    let _ = writeln!(out, "\n  in words");
    constraint_lines(out, model, &result.atoms, &class.constraint, view.width);
    if !class.needed.is_empty() && !class.constraint.facts.is_empty() {
        let _ = writeln!(
            out,
            "\n  nothing can be left out: these traces {}, and satisfy the rest",
            view.wording.without()
        );
        needed_lines(out, request, result, class, &names);
    }
    if let Some(longer) = result.rests_on_bound(number - 1) {
        let _ = writeln!(out, "\n  {}", resting_text(longer));
        longer.trace.iter().for_each(|trace| label_lines(out, model, trace, view.width, 4));
    }
    if let Some(words) = step_text(result, class) {
        let _ = writeln!(out, "\n  {words}");
    }
    let heading = earliest(result.lengths, "of this class", request.asked.view.wording);
    let who = who_is_who(model, &names, &class.assigned);
    let _ = writeln!(out, "\n  {heading} ({}{who})", steps(class.representative.len()));
    let positions = names.positions.iter().map(String::as_str);
    let positions = positions.zip(class.assigned.positions.iter().copied()).collect();
    let violation = request.violation(&class.representative);
    let marks = Marks { positions, violations: violation.into_iter().collect() };
    out.push_str(&trace_text(model, &class.representative, &marks, view, 2));
    for place in decisive_places(request, number) {
        let _ = writeln!(out, "\n  at step {}, {}", place.position, right_words(place));
    }
    match &class.canonical {
        Some(_) if result.classes.len() == 1 => {}
        Some(trace) if *trace == class.representative => {
            let _ = writeln!(out, "\n  it is in no other class{}", redundant_apart(result));
        }
        Some(trace) => {
            let heading = earliest(result.lengths, &alone(result), request.asked.view.wording);
            let _ = writeln!(out, "\n  {heading} ({})", steps(trace.len()));
            label_lines(out, model, trace, view.width, 4);
        }
        None => {}
    }
}

/// For each fact the trace that shows why it is needed: beside it where it fits, in a column where all of them do; else below.
fn needed_lines(
    out: &mut String,
    request: &ClassifyRequest<'_>,
    result: &Classification,
    class: &Class,
    names: &Names,
) {
    let (model, width) = (request.asked.model, request.asked.view.width);
    let head = |fact: &Fact| format!("    without {}:", fact.show(model, &result.atoms, names));
    let heads: Vec<String> = class.constraint.facts.iter().map(head).collect();
    let widest = heads.iter().map(|head| head.width()).max().unwrap_or(0);
    let fits = |trace: &Trace| widest + 1 + labels_line(model, trace).width() <= width;
    let beside = class.needed.iter().all(fits);
    for (head, trace) in heads.iter().zip(&class.needed) {
        let head = if beside { padded(head, widest) } else { head.clone() };
        let labels = labels_line(model, trace);
        if head.width() + 1 + labels.width() <= width {
            let _ = writeln!(out, "{head} {labels}");
        } else {
            let _ = writeln!(out, "{head}");
            label_lines(out, model, trace, width, 6);
        }
    }
}

/// Who the individuals of a class are in its representative: `, n1 = 2, n2 = 3`.
pub(crate) fn who_is_who(model: &Model, names: &Names, assigned: &Assignment) -> String {
    let named = names.individuals.iter().zip(&assigned.individuals);
    named.map(|(name, value)| format!(", {name} = {}", model.types.show_value(value))).collect()
}

/// Where redundant classes are kept, whatever is in one class alone is so among the others only.
fn redundant_apart(result: &Classification) -> &'static str {
    if result.classes.iter().any(|class| class.redundant) { " but perhaps redundant ones" } else { "" }
}

/// Which counterexamples are canonical for a class: `of this class alone`.
pub(crate) fn alone(result: &Classification) -> String {
    let apart = redundant_apart(result).replace("but perhaps", "and perhaps of");
    format!("of this class alone{apart}")
}

/// What is to be known of a class before reading it.
pub(crate) fn class_remark(result: &Classification, index: usize) -> String {
    let class = &result.classes[index];
    let images = images_words(class.images.len());
    let remarks = [
        (!class.images.is_empty(), images.as_str()),
        (class.redundant, "redundant: the other classes cover it"),
        (class.restates == Restates::Property, "only restates the property"),
        (class.restates == Restates::Step, "one step from the property"),
        (class.restates == Restates::Undecided, "not decided whether it only restates the property"),
        (class.at_start == AtStart::Always, "true in every initial state, before anything happens"),
        (class.at_start == AtStart::Sometimes, "true in an initial state, before anything happens"),
        (!class.sufficient, "does not suffice: it happens without a violation, too"),
        (result.rests_on_bound(index).is_some(), "rests on the bound"),
    ];
    let remarks = remarks.iter().filter(|(holds, _)| *holds).map(|(_, text)| text).join("; ");
    if remarks.is_empty() { remarks } else { format!(" ({remarks})") }
}

/// What it means that a class says no more than a step.
pub(crate) fn step_text(result: &Classification, class: &Class) -> Option<&'static str> {
    let text = match result.refinements {
        Some(_) => {
            "single steps with these facts violate the property; the tree below tells how they became possible"
        }
        None => "single steps with these facts violate the property; `--tree` tells how they became possible",
    };
    (class.restates == Restates::Step).then_some(text)
}

/// Why a class rests on the bound: `beyond the bound, a trace of 9 steps is in this class without a violation`.
pub(crate) fn resting_text(longer: &Longer) -> String {
    format!("beyond the bound, a trace of {} is in this class without a violation", steps(longer.steps))
}

/// The labels of a trace, indented.
fn label_lines(out: &mut String, model: &Model, trace: &Trace, width: usize, indent: usize) {
    for line in wrapped_labels(model, trace, width.saturating_sub(indent)) {
        let _ = writeln!(out, "{:indent$}{line}", "");
    }
}

/// The facts in words, one a line, the order of the positions last.
fn constraint_lines(out: &mut String, model: &Model, atoms: &Atoms, constraint: &Constraint, width: usize) {
    for line in constraint_words(model, atoms, constraint) {
        for line in wrapped(&line, width.saturating_sub(4), 2) {
            let _ = writeln!(out, "    {line}");
        }
    }
}

/// What is special about what a cover leaves over.
pub fn left_over<C, T>(cover: &Cover<C, T>) -> &'static str {
    match (cover.context.is_some(), cover.necessary.is_empty()) {
        (true, _) => "in this class that is left over",
        (false, true) if cover.predicates_only => "in which no predicate of the vocabulary holds",
        (false, true) if !cover.skipped.is_empty() => "in which none of what was looked at happens",
        (false, true) => "in which none of what the vocabulary names happens",
        (false, false) if !cover.skipped.is_empty() => {
            "in which nothing of what was looked at happens but what every violating trace has"
        }
        (false, false) => {
            "in which nothing of what the vocabulary names happens but what every violating trace has"
        }
    }
}

/// What a cover says beside its classes: which of them occur together, and what is left over.
fn cover_text(out: &mut String, request: &ClassifyRequest<'_>, result: &Classification, cover: &Cover) {
    let (model, view) = (request.asked.model, &request.asked.view);
    if result.classes.len() > 1 && !cover.combinations.is_empty() {
        let _ = writeln!(out, "\n{}", view.paint.bold("classes that occur together"));
        for Combination { classes, trace } in &cover.combinations {
            let numbers: Vec<String> = classes.iter().map(|class| (class + 1).to_string()).collect();
            let alone = if let [_] = classes.as_slice() { " alone" } else { "" };
            let _ = writeln!(out, "  {}{alone} ({})", numbers.join(" and "), steps(trace.len()));
            label_lines(out, model, trace, view.width, 4);
        }
        if !cover.all {
            let _ = writeln!(out, "  {}", more_words(result.is_unbounded().then(|| extent(result.lengths))));
        }
    }
    if !cover.necessary.is_empty() {
        let _ = writeln!(
            out,
            "\n{}",
            view.paint.bold(
                view.wording.choose("what every violating trace has", "what every trace that gets there has")
            )
        );
        for (index, constraint) in cover.necessary.iter().enumerate() {
            let _ = writeln!(out, "  {}{}", constraint.show(model, &result.atoms), from_start(cover, index));
        }
    }
    if !cover.skipped.is_empty() {
        let _ = writeln!(out, "\nnot looked at, as they have too many values: {}", cover.skipped.join(", "));
    }
    if let Some(trace) = &cover.remainder {
        let heading = earliest(result.lengths, left_over(cover), request.asked.view.wording);
        let _ = writeln!(out, "\n{} ({})", view.paint.bold("what is left over"), steps(trace.len()));
        let _ = writeln!(out, "  {heading}");
        let violation = request.violation(trace);
        let marks = Marks { positions: Vec::new(), violations: violation.into_iter().collect() };
        out.push_str(&trace_text(model, trace, &marks, view, 2));
    } else if *result.answer() == Verdict::Complete {
        let what = happens_not_words(result.classes.len(), result.has_images());
        let within = if cover.context.is_some() { " in this class" } else { "" };
        let nothing = match result.is_unbounded() {
            true => "nothing".to_owned(),
            false => format!("no trace of {}", extent(result.lengths)),
        };
        let _ = writeln!(out, "\nwhere {what}, {nothing} violates {}{within}", request.asked.property.name);
    }
}

/// That there may be other combinations than those that are listed; up to where they were looked for, if the classes are about more.
pub fn more_words(within: Option<String>) -> String {
    match within {
        Some(within) => format!("these are of traces of {within}; there may be more"),
        None => "there may be more".to_owned(),
    }
}

/// The tree of causes, if it was asked for.
fn causes_text(out: &mut String, request: &ClassifyRequest<'_>, result: &Classification) {
    let tree = cause_tree(request, result);
    if tree.is_empty() {
        return;
    }
    let title = format!("how the violations of {} came about", extent(result.lengths));
    let _ = writeln!(out, "\n{}", request.asked.view.paint.bold(&title));
    for line in tree_lines(&tree) {
        let _ = writeln!(out, "  {line}");
    }
}

/// What all violating traces have in common.
fn necessary_text(out: &mut String, request: &ClassifyRequest<'_>, result: &Classification) {
    for list in necessary_lists(request, result) {
        let _ = writeln!(out, "\n{}", request.asked.view.paint.bold(&list.title));
        for line in list.lines {
            let _ = writeln!(out, "  {line}");
        }
    }
}

fn too_weak_text(out: &mut String, request: &ClassifyRequest<'_>, weak: &TooWeak) {
    let (model, view) = (request.asked.model, &request.asked.view);
    let names = position_names(weak.constraint.positions);
    let at = |n: Position, trace: &Trace, width: usize| {
        let label = label_text(model, trace, n);
        padded(&cut(&format!("{n:>3} {label}"), width), width)
    };
    let name_width = names.iter().map(|n| n.chars().count()).max().unwrap_or(1);
    let column = (view.width.saturating_sub(name_width + 6) / 2).clamp(16, 48);
    let _ = writeln!(out, "\n{}", view.paint.bold("these two traces share every fact of the vocabulary"));
    let _ = writeln!(out, "  {:name_width$} {:<column$} an accepted trace", "", "the violation");
    for ((p, matched), name) in weak.counterexample.positions().zip(&weak.positions).zip(&names) {
        let name = view.paint.mark(&format!("{name:<name_width$}"));
        let left = at(p, &weak.counterexample, column);
        let _ = writeln!(out, "  {name} {left} {}", at(*matched, &weak.accepting, column).trim_end());
    }
    for line in advice(model, weak, request.asked.repairs) {
        let _ = writeln!(out, "  {} {line}", view.paint.bold("help:"));
    }
    let named =
        |positions: Vec<Position>| names.iter().map(String::as_str).zip(positions).collect::<Vec<_>>();
    let _ = writeln!(out, "\n  the violation ({})", steps(weak.counterexample.len()));
    let marks = Marks {
        positions: named(weak.counterexample.positions().collect()),
        violations: request.violation(&weak.counterexample).into_iter().collect(),
    };
    out.push_str(&trace_text(model, &weak.counterexample, &marks, view, 2));
    let _ = writeln!(out, "\n  the accepted trace ({})", steps(weak.accepting.len()));
    let marks = Marks { positions: named(weak.positions.clone()), violations: Vec::new() };
    out.push_str(&trace_text(model, &weak.accepting, &marks, view, 2));
}

/// The tables of numbers, if they were asked for.
fn counts_text(out: &mut String, request: &ClassifyRequest<'_>, result: &Classification) {
    match &result.counts {
        None => {}
        Some(Err(obstacle)) => no_counts_text(out, obstacle),
        Some(Ok(numbers)) => {
            for table in tables(&numbers.counts, result.classes.len()) {
                let _ = writeln!(out, "\n{}", request.asked.view.paint.bold(&table.title));
                for line in table_lines(&table, request.asked.view.width.saturating_sub(2)) {
                    let _ = writeln!(out, "  {line}");
                }
            }
            let _ = writeln!(out, "\n{}", method_text(numbers));
        }
    }
}

fn no_counts_text(out: &mut String, obstacle: &Obstacle) {
    let _ = writeln!(out, "\nnumbers of traces are not available: {}", obstacle_text(obstacle));
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
            let bound = steps(result.lengths.bound());
            format!(
                "\ntraces of more than {bound} were not examined: the time set aside for them did not suffice; \
                 `--horizon {missed}` gives those of up to {missed} steps all that the run has"
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
