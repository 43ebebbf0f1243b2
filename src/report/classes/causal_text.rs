//! A causal tree for the terminal.

use crate::classes::causal_words::{attack_words, causal_title, reason_words};
use crate::shared::evaluate::one_line;
use crate::shared::request::{GivenFairness, View};
use crate::shared::verdict::{ended, excluded, extent_of_lassos, fairness_words, steps, whole_extent};
use crate::traces::chart_text::chart_text;
use crate::traces::trace_text::{lasso_labels, wrapped_labels};
use crate::writing::columns::wrapped;
use crate::writing::digits::counted;
use crate::writing::marks::Marks;
use classify::causes::defences::{Defence, Defences};
use classify::causes::every_length::EveryTrace;
use classify::causes::kinds::CausalKind;
use classify::causes::pattern::ArgumentParts;
use classify::causes::tree::{CausalProblem, CausalTree};
use classify::causes::way::Way;
use itertools::Itertools;
use kit::budget::Exhausted;
use lang::model::Property;
use solvers::unroll::Lengths;
use std::fmt::Write;

/// The most kinds that are shown without `--full`.
const MOST_KINDS: usize = 10;
/// The most smallest sets of defences that are shown.
const MOST_SETS: usize = 3;

/// The request for a causal tree.
#[derive(Debug)]
pub struct CausalRequest<'a> {
    /// The model with the property.
    pub problem: CausalProblem<'a>,
    /// The parts of arguments of the model.
    pub parts: &'a ArgumentParts,
    /// The greatest number of steps.
    pub bound: usize,
    /// The property.
    pub property: &'a Property,
    /// Of infinite traces, the conditions of fairness that the user gave.
    pub given: GivenFairness<'a>,
    /// The file of the model, as the user wrote it.
    pub file: &'a str,
    /// Warnings about the input.
    pub warnings: &'a [kit::diagnostics::Diagnostic],
    /// Seconds from start to end.
    pub seconds: f64,
    /// The command line that gives this result again.
    pub rerun: &'a str,
    /// The display of traces; a full one has the reasons of all steps.
    pub view: View,
}

/// The result of the search in one sentence.
pub fn causal_sentence(request: &CausalRequest<'_>, tree: &CausalTree) -> String {
    let kinds = match tree.kinds.len() {
        1 => "one kind of violation".to_owned(),
        n => format!("{n} kinds of violation"),
    };
    let cover = if tree.kinds.len() == 1 { "covers" } else { "cover" };
    let is_proved = matches!(tree.every_length, Some(EveryTrace::Covered { .. }));
    let every = |finite: &str, infinite: &str| match request.problem {
        CausalProblem::Invariant(_) => {
            let lengths = (!is_proved).then_some(Lengths::UpTo(request.bound));
            format!("{finite} of {}", whole_extent(lengths, &request.view))
        }
        CausalProblem::Linear(problem) => {
            extent_of_lassos(problem.fairness.len(), infinite, Some(request.bound))
        }
    };
    match (tree.kinds.is_empty(), tree.ended) {
        (true, None) => match request.problem {
            CausalProblem::Invariant(_) => format!("holds for all {}", every("traces", "")),
            CausalProblem::Linear(_) => {
                format!("holds: no {} violates the property", every("", "infinite trace"))
            }
        },
        (true, Some(why)) => {
            let depth = tree.complete_to.map_or(0, |steps| steps + 1);
            format!("undecided: {}; {}", ended(why), excluded(depth))
        }
        (false, None) => {
            format!("violated: {kinds} {cover} every {}", every("counterexample", "infinite counterexample"))
        }
        (false, Some(why)) => format!("violated: {kinds} found before {}; there may be others", ended(why)),
    }
}

/// The whole report.
pub fn causal_text(request: &CausalRequest<'_>, tree: &CausalTree) -> String {
    let (model, paint) = (request.problem.model(), request.view.paint);
    let sentence = causal_sentence(request, tree);
    let mut out = match (tree.kinds.is_empty(), tree.ended) {
        (true, None) => paint.good(&sentence),
        (true, Some(_)) => paint.doubtful(&sentence),
        (false, _) => paint.bad(&sentence),
    };
    // The formula of a claim is one of the generated model; its documentation says what is claimed.
    let doc = request.property.doc.as_deref().filter(|_| request.view.charts.is_some());
    let statement = match doc {
        Some(doc) => one_line(doc.trim_end_matches('.')),
        None => {
            let place = match request.problem {
                CausalProblem::Invariant(problem) => problem.invariant.span,
                CausalProblem::Linear(_) => request.property.formula,
            };
            one_line(model.sources.snippet(place))
        }
    };
    let statement = if statement.is_empty() { String::new() } else { format!(": {statement}") };
    let _ = writeln!(out, "\n  property   {}{statement}", request.property.name);
    let _ = writeln!(out, "  model      {} ({})", model.name, request.file);
    if let CausalProblem::Linear(problem) = request.problem {
        let fairness = fairness_words(model, problem.fairness.len(), &request.given);
        let _ = writeln!(out, "  fairness   {fairness}");
    }
    let most = if request.view.full { usize::MAX } else { MOST_KINDS };
    for (index, kind) in tree.kinds.iter().take(most).enumerate() {
        out.push('\n');
        kind_text(&mut out, request, tree, kind, index + 1);
    }
    if let Some(others) = tree.kinds.len().checked_sub(most).filter(|others| *others > 0) {
        let _ = writeln!(
            out,
            "\nand {} more, which --full shows; there is no small number of kinds",
            counted(others, "kind")
        );
    }
    if let Some(EveryTrace::Longer(longer)) = tree.every_length {
        let line = match tree.kinds.is_empty() {
            true => "longer traces violate the property, the first one",
            false => "longer counterexamples are of other kinds, the first one",
        };
        let _ = writeln!(out, "\n{line} after {}: -k {longer}", steps(longer));
    }
    let always = tree.always(model);
    if tree.kinds.len() > 1 && !always.is_empty() {
        let within = match tree.every_length {
            Some(EveryTrace::Covered { .. }) => String::new(),
            _ => format!(" of up to {}", steps(request.bound)),
        };
        let _ = writeln!(out, "\nevery counterexample{within} takes {}", always.join(" and "));
    }
    if let Some(defences) = tree.defences.as_ref() {
        defences_text(&mut out, request, tree, defences);
    }
    let _ = writeln!(out, "\n{}", paint.faint(&statistics_text(request, tree)));
    let _ = writeln!(out, "{} {}", paint.faint("again:"), request.rerun);
    if !request.view.full && !tree.kinds.is_empty() {
        let more = "--full tells why each step is needed; -V VOCABULARY finds classes that suffice";
        let _ = writeln!(out, "{} {more}", paint.faint("more:"));
    }
    out
}

fn kind_text(
    out: &mut String,
    request: &CausalRequest<'_>,
    tree: &CausalTree,
    kind: &CausalKind,
    number: usize,
) {
    let width = request.view.width;
    let way = &kind.ways[0];
    let order = if kind.in_this_order { ", in this order" } else { "" };
    let claim = request.view.charts.is_some().then_some(&request.property.name);
    let words = claim.map(|claim| attack_words(request.problem.model(), claim, &way.trace));
    let words =
        words.filter(|words| !words.is_empty()).map_or_else(String::new, |words| words.join(", ") + ": ");
    let title = causal_title(request.problem, request.parts, tree, kind).line();
    let title = format!("{number}  {words}{title}{order}");
    for (at, line) in wrapped(&title, width, 3).iter().enumerate() {
        let line = if at == 0 { request.view.paint.bold(line) } else { line.clone() };
        let _ = writeln!(out, "{line}");
    }
    way_text(out, request, way, 5);
    if !request.view.full {
        return;
    }
    for reason in reason_words(request.problem, &request.property.name, way) {
        let because = reason.because.iter().join(", ");
        let steps = if reason.because.len() == 1 { "step" } else { "steps" };
        let whose = reason.step.map_or_else(String::new, |step| format!("step {step}: "));
        let _ = writeln!(out, "       {whose}{} because of {steps} {because}", reason.condition);
    }
    for other in &kind.ways[1..] {
        out.push_str("     or\n");
        way_text(out, request, other, 7);
    }
    for variant in &kind.variants {
        let title =
            format!("variant: {}", causal_title(request.problem, request.parts, tree, variant).line());
        for line in wrapped(&title, width.saturating_sub(5), 3) {
            let _ = writeln!(out, "     {line}");
        }
        way_text(out, request, &variant.ways[0], 7);
    }
}

/// The labels of a way, indented; of a protocol its messages.
fn way_text(out: &mut String, request: &CausalRequest<'_>, way: &Way, indent: usize) {
    let (model, view) = (request.problem.model(), &request.view);
    if let Some(chart) = view.chart(model, &way.trace) {
        out.push_str(&chart_text(&chart, &Marks::default(), view.width, view.paint, indent));
        return;
    }
    let width = view.width.saturating_sub(indent);
    let lines = match way.as_lasso() {
        Some(lasso) => wrapped(&lasso_labels(model, &lasso), width, 0),
        None => wrapped_labels(model, &way.trace, width),
    };
    lines.iter().for_each(|line| _ = writeln!(out, "{:indent$}{line}", ""));
}

/// A constant with its other value: `CSRF_TOKEN = true`.
pub fn defence_text(defence: &Defence) -> String {
    format!("{} = {}", defence.constant, defence.value)
}

fn defences_text(out: &mut String, request: &CausalRequest<'_>, tree: &CausalTree, found: &Defences) {
    let stopped_by = |number: usize| {
        let stopped = (0..tree.kinds.len())
            .filter(move |&kind| found.stopping.get(kind).is_some_and(|stops| stops.contains(&number)));
        stopped.map(|kind| (kind + 1).to_string()).join(", ")
    };
    let shown: Vec<usize> =
        (0..found.defences.len()).filter(|&number| !stopped_by(number).is_empty()).collect();
    if found.stopping.is_empty() {
        let _ = writeln!(out, "\nthe kinds that constants stop are not decided: {}", ended_words(found));
        return;
    }
    if !shown.is_empty() {
        out.push('\n');
    }
    let text = |number: usize| defence_text(&found.defences[number]);
    let widest = shown.iter().map(|&number| text(number).len()).max().unwrap_or(0);
    for &number in &shown {
        let _ = writeln!(out, "{:widest$}  stops {}", text(number), stopped_by(number));
    }
    let bound = steps(request.bound);
    let line = match found.sufficient.as_slice() {
        [] if !found.tried_sets => {
            format!("no set of constants is known to prevent every violation: {}", ended_words(found))
        }
        [] if shown.is_empty() => return,
        [] if found.defences.len() == 1 => format!("violations of up to {bound} remain with it"),
        [] => format!("violations of up to {bound} remain with all of these constants together"),
        sets => {
            let texts = |set: &Vec<usize>| set.iter().map(|&number| text(number)).join(", ");
            let shown = sets.iter().take(MOST_SETS).map(texts).join("; or ");
            let others = sets.len().saturating_sub(MOST_SETS);
            let others = if others == 0 { String::new() } else { format!("; or {others} other sets") };
            format!("no violation of up to {bound} with {shown}{others}")
        }
    };
    if shown.is_empty() {
        out.push('\n');
    }
    wrapped_pairs(&line, request.view.width).iter().for_each(|line| _ = writeln!(out, "{line}"));
}

/// The limit that ended the search for defences, in words.
fn ended_words(found: &Defences) -> &'static str {
    match found.ended {
        Some(Exhausted::Time) | None => "it takes longer than a few seconds",
        Some(why) => ended(why),
    }
}

fn statistics_text(request: &CausalRequest<'_>, tree: &CausalTree) -> String {
    let checked = tree.checked_by.map_or(String::new(), |solver| format!("; checked again by {solver}"));
    let ways =
        tree.kinds.iter().flat_map(CausalKind::with_variants).map(|kind| kind.ways.len()).sum::<usize>();
    let many = match tree.narrowed_from {
        Some(from) => format!(" (from {} on, only one of each kind)", steps(from)),
        None => String::new(),
    };
    format!(
        "{}{many}, {}, {:.2} s{checked}",
        counted(ways, "irreducible counterexample"),
        counted(usize::try_from(tree.solver_calls).unwrap_or(usize::MAX), "solver call"),
        request.seconds
    )
}

/// The text in lines that are not broken around `=`.
fn wrapped_pairs(text: &str, width: usize) -> Vec<String> {
    const GLUE: &str = "\u{a0}=\u{a0}";
    let lines = wrapped(&text.replace(" = ", GLUE), width, 2);
    lines.into_iter().map(|line| line.replace(GLUE, " = ")).collect()
}
