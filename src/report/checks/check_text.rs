//! A check for the terminal.

use crate::checks::check_json::claim_documents;
use crate::classes::shown::ShownTrace;
use crate::shared::evaluate::violation_mark;
use crate::shared::proof::{basis_words, evidence_words};
use crate::shared::request::{CheckRequest, CheckedProperty, PropertyOutcome, shows_counterexamples};
use crate::shared::verdict::{at_most_runs, earliest, ended, excluded, extent, steps};
use crate::traces::chart_text::chart_legend;
use crate::traces::trace_text::{integers_in_short, lasso_words, trace_text};
use crate::writing::columns::padded;
use crate::writing::wording::Wording;
use engines::ctl::CtlVerdict;
use kit::number::counted;
use lang::model::PropertyKind;
use lang::model::eval::first_violation;
use solvers::unroll::Lengths;
use std::fmt::Write;
use unicode_width::UnicodeWidthStr;
use verify::document::{ClaimWord, PatternsWord, PropertyVerdict, StoredClaim, StoredPatterns};

/// The whole report: a line for the model, one for each property, counterexamples below theirs. Of a protocol, a table of the
/// claims instead; attacks are shown if some of them, or the only one, was asked for.
pub fn check_text(request: &CheckRequest<'_>) -> String {
    let mut out = String::new();
    let all = !shows_counterexamples(request.properties.len(), request.claims.len());
    if request.claims.is_empty() {
        out.push_str(&model_line(request));
        out.push_str(&property_lines(request, |_| true));
    } else {
        out.push_str(&claim_table(request));
        // The table has all that there is to say, unless it is why, or why not.
        let says_more = |checked: &CheckedProperty<'_>| {
            !matches!(
                checked.outcome,
                PropertyOutcome::TypesOnly | PropertyOutcome::Holds | PropertyOutcome::Violated(_)
            )
        };
        out.push_str(&property_lines(request, |checked| !all && says_more(checked)));
    }
    let mut is_drawn = false;
    for checked in request.properties.iter().filter(|_| !all) {
        out.push_str(&trace_section(request, checked).unwrap_or_default());
        is_drawn |=
            matches!(checked.outcome, PropertyOutcome::Violated(_)) && request.display.charts.is_some();
    }
    if is_drawn {
        let legend = chart_legend(request.display.width, false);
        let _ = writeln!(out, "\n{}", request.display.paint.faint(&legend.join("\n")));
    }
    if request.lengths.is_some() || request.unbounded {
        let patterns = request.properties.iter().any(|checked| checked.patterns.is_some());
        let patterns = if patterns { " and attack patterns" } else { "" };
        let _ =
            writeln!(out, "\n{}{patterns}, {:.2} s{}", request.solver, request.seconds, integers(request));
        if !all {
            let _ = writeln!(out, "{} {}", request.display.paint.faint("again:"), request.rerun);
        }
    }
    out
}

/// The encoding of integers, where some are more than one literal for each value: `; integers as bits: balance`.
fn integers(request: &CheckRequest<'_>) -> String {
    let words = request.lengths.map(|_| integers_in_short(request.model, request.theory));
    words.flatten().map(|words| format!("; {words}")).unwrap_or_default()
}

/// The parts of the model, counted.
fn model_line(request: &CheckRequest<'_>) -> String {
    let model = request.model;
    format!(
        "{}: model {} is well formed: {}, {}, {}, {}, {}\n",
        request.file,
        model.name,
        counted(model.variables.len(), "variable"),
        counted(model.actions.len(), "action"),
        counted(model.properties.len(), "property"),
        counted(model.predicates.len(), "predicate"),
        counted(model.vocabularies.len(), "vocabulary"),
    )
}

/// A line for each of these properties.
fn property_lines(request: &CheckRequest<'_>, is_shown: impl Fn(&CheckedProperty<'_>) -> bool) -> String {
    let shown: Vec<&CheckedProperty<'_>> = request.properties.iter().filter(|p| is_shown(p)).collect();
    let width = shown.iter().map(|p| p.property.name.width()).max().unwrap_or(0);
    let line = |checked: &&CheckedProperty<'_>| {
        let name = padded(&checked.property.name, width);
        format!(
            "  {:<9} {} {}\n",
            kind(checked),
            request.display.paint.bold(&name),
            outcome(request, checked)
        )
    };
    shown.iter().map(line).collect()
}

/// The counterexample of a violated property with its heading; `None` of any other.
pub(crate) fn trace_section(request: &CheckRequest<'_>, checked: &CheckedProperty<'_>) -> Option<String> {
    let (heading, shown) = counterexample(request, checked)?;
    let text = trace_text(request.model, shown.trace, &shown.marks(), &request.display, 2);
    Some(format!("\n{heading} ({})\n{text}", shown.extent))
}

/// The counterexample of a violated property and its heading; `None` of any other.
pub(super) fn counterexample<'a>(
    request: &CheckRequest<'_>,
    checked: &'a CheckedProperty<'_>,
) -> Option<(String, ShownTrace<'a>)> {
    let name = request.display.paint.bold(&checked.property.name);
    let trace = match &checked.outcome {
        PropertyOutcome::Violated(trace) => trace,
        PropertyOutcome::ViolatedForever(lasso) => {
            return Some((format!("an infinite trace that violates {name}"), ShownTrace::infinite(lasso)));
        }
        _ => return None,
    };
    let (model, wording) = (request.model, request.wording(checked));
    if is_about_deadlocks(checked) {
        let end = (trace.last(), "no step is possible".to_owned());
        return Some(("a shortest trace to a deadlock".to_owned(), ShownTrace::finite(trace, Some(end))));
    }
    let lengths = request.lengths.unwrap_or(Lengths::UpTo(trace.len()));
    let heading = earliest(lengths, &format!("{} {name}", wording.choose("to", "that reaches")), wording);
    let invariant = checked.property.invariant();
    let violation = invariant.and_then(|i| violation_mark(model, &checked.property.name, i, trace, wording));
    Some((heading, ShownTrace::finite(trace, violation)))
}

/// The claims of a protocol as a table.
fn claim_table(request: &CheckRequest<'_>) -> String {
    let claims = claim_documents(request);
    let paint = request.display.paint;
    let verdict = |claim: &StoredClaim, width: usize| {
        let text = padded(&claim_verdict(request, claim), width);
        match (claim.verdict, claim.patterns.map(|patterns| patterns.verdict)) {
            (PropertyVerdict::Violated, _) | (_, Some(PatternsWord::Attacked)) => {
                if wording_of(claim) == Wording::Violation { paint.bad(&text) } else { paint.good(&text) }
            }
            (PropertyVerdict::Undecided, None | Some(PatternsWord::Open)) => paint.doubtful(&text),
            _ => paint.good(&text),
        }
    };
    let remark = |claim: &StoredClaim| match claim.reached {
        Some(false) if wording_of(claim) == Wording::Violation => paint.doubtful("never reached"),
        _ => String::new(),
    };
    let remarks = claims.iter().any(|claim| !remark(claim).is_empty());
    let verdict_width = claims.iter().map(|claim| claim_verdict(request, claim).width()).max().unwrap_or(0);
    let verdict_width = if remarks { verdict_width.max("verdict".len()) } else { 0 };
    let rows: Vec<[String; 5]> = claims.iter().map(claim_words).collect();
    let heads = CLAIM_HEADS;
    let width = |column: usize| {
        let cells = rows.iter().map(|row| row[column].width());
        cells.chain([heads[column].width()]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..heads.len()).map(width).collect();
    let line = |cells: &[String], last: &str| {
        let cells = cells.iter().zip(&widths).map(|(cell, width)| padded(cell, *width));
        format!("{}\n", format!("  {}  {last}", cells.collect::<Vec<_>>().join("  ")).trim_end())
    };
    let mut out = format!("{}{}\n", request.file, interleavings(request));
    let head =
        if remarks { format!("{}  remarks", padded("verdict", verdict_width)) } else { "verdict".to_owned() };
    out.push_str(&line(&heads.map(str::to_owned), &head));
    for (row, claim) in rows.iter().zip(&claims) {
        let last = format!("{}  {}", verdict(claim, verdict_width), remark(claim));
        out.push_str(&line(row, &last));
    }
    out
}

/// The columns that say which claim it is.
pub(super) const CLAIM_HEADS: [&str; 5] = ["protocol", "role", "label", "claim", "term"];

/// The cells of a claim below these.
pub(super) fn claim_words(claim: &StoredClaim) -> [String; 5] {
    let term = claim.term.clone().unwrap_or_default();
    [claim.protocol.clone(), claim.role.clone(), claim.label.clone(), claim.claim.word().to_owned(), term]
}

/// Which behaviours of a protocol the verdicts are about, in parentheses; nothing where only types were checked.
pub(super) fn interleavings(request: &CheckRequest<'_>) -> String {
    let Some(charts) = &request.display.charts else {
        return request.lengths.map_or_else(String::new, |lengths| format!(" ({})", extent(lengths)));
    };
    let runs = at_most_runs(charts);
    let threats = request.display.threats().map_or_else(String::new, |threats| format!("; {threats}"));
    match (request.lengths, request.all_interleavings()) {
        (None, false) => String::new(),
        (None, true) => format!(" (all interleavings of {runs}{threats})"),
        (Some(lengths), true) => format!(" (all interleavings of {runs}: {}{threats})", extent(lengths)),
        (Some(lengths), false) => format!(" ({runs}, {}{threats})", extent(lengths)),
    }
}

/// The verdict of a claim for people: of traces of the model, or of patterns where they say more.
pub(crate) fn claim_verdict(request: &CheckRequest<'_>, claim: &StoredClaim) -> String {
    let arrives = wording_of(claim) == Wording::Arrival;
    let runs = request.runs();
    let of_patterns = claim.patterns.and_then(|StoredPatterns { verdict, runs: of_patterns }| {
        match (verdict, of_patterns) {
            (PatternsWord::Holds, _) if arrives => Some("never reached with any number of runs".to_owned()),
            (PatternsWord::Holds, _) => Some("holds for any number of runs".to_owned()),
            (PatternsWord::Attacked, Some(runs)) if arrives => Some(format!("reached with {runs} runs")),
            (PatternsWord::Attacked, Some(runs)) => Some(format!("attack with {runs} runs")),
            (PatternsWord::Open, Some(more)) if more > runs && arrives => {
                Some(format!("never reached with up to {more} runs"))
            }
            (PatternsWord::Open, Some(more)) if more > runs => Some(format!("holds for up to {more} runs")),
            _ => None,
        }
    });
    let bounded = match (claim.verdict, claim.steps) {
        (PropertyVerdict::Violated, Some(length)) if arrives => format!("reached in {}", steps(length)),
        (PropertyVerdict::Violated, Some(length)) => format!("attack in {}", steps(length)),
        (PropertyVerdict::Holds, _) => {
            let holds = if arrives { "never reached" } else { "holds" };
            let with = if arrives { "with" } else { "for" };
            match request.all_interleavings() {
                true => format!("{holds} {with} up to {}", counted(runs, "run")),
                false => holds.to_owned(),
            }
        }
        _ => "undecided".to_owned(),
    };
    of_patterns.filter(|_| claim.verdict != PropertyVerdict::Violated).unwrap_or(bounded)
}

/// The word for a false property of a claim: a violation, or an arrival.
fn wording_of(claim: &StoredClaim) -> Wording {
    Wording::of(claim.claim == ClaimWord::Reachable)
}

pub(super) fn kind(checked: &CheckedProperty<'_>) -> &'static str {
    match checked.property.kind {
        PropertyKind::Invariant(_) => "invariant",
        PropertyKind::DeadlockFree(_) => "question",
        PropertyKind::Ltl(_) => "ltl",
        PropertyKind::Ctl(_) => "ctl",
    }
}

fn is_ctl(checked: &CheckedProperty<'_>) -> bool {
    matches!(checked.property.kind, PropertyKind::Ctl(_))
}

/// True if the property is absence of deadlocks.
fn is_about_deadlocks(checked: &CheckedProperty<'_>) -> bool {
    matches!(checked.property.kind, PropertyKind::DeadlockFree(_))
}

/// True if it is about infinite traces only.
fn is_linear(checked: &CheckedProperty<'_>) -> bool {
    matches!(checked.property.kind, PropertyKind::Ltl(_)) && checked.property.invariant().is_none()
}

/// `fair `, if not every infinite trace counts.
fn fair(request: &CheckRequest<'_>) -> &'static str {
    let given = &request.fairness;
    let declared = !request.model.fairness.is_empty() || !request.model.action_fairness.is_empty();
    let all = given.fair.is_empty() && given.strongly_fair.is_empty() && (given.ignored || !declared);
    if all { "" } else { "fair " }
}

/// The outcome of a property in words.
pub fn outcome(request: &CheckRequest<'_>, checked: &CheckedProperty<'_>) -> String {
    let paint = request.display.paint;
    match &checked.outcome {
        PropertyOutcome::TypesOnly if is_linear(checked) || is_ctl(checked) => {
            "types checked; `-k N` or `--unbounded` decides it".to_owned()
        }
        PropertyOutcome::TypesOnly => "types checked".to_owned(),
        PropertyOutcome::Temporal => {
            paint.doubtful("undecided: SMT solvers support invariants only; leave out --solver")
        }
        PropertyOutcome::Holds if is_about_deadlocks(checked) => {
            let extent = request.lengths.map(extent).unwrap_or_default();
            let unproved = if request.unbounded { "; not proved for every length" } else { "" };
            paint.good(&format!("none in traces of {extent}{unproved}"))
        }
        PropertyOutcome::Proved(evidence) if is_about_deadlocks(checked) => {
            format!("{} ({})", paint.good("none in traces of every length"), evidence_words(evidence))
        }
        PropertyOutcome::Violated(trace) if is_about_deadlocks(checked) => {
            paint.bad(&format!("one is reached in {}", steps(trace.len())))
        }
        PropertyOutcome::Holds if is_linear(checked) => {
            let extent = request.lengths.map(extent).unwrap_or_default();
            let fair = fair(request);
            let unproved = match request.unbounded {
                true => format!("; not proved for all {fair}infinite traces"),
                false => String::new(),
            };
            let dead_ends = "; states without successor were not searched for";
            paint.good(&format!(
                "holds for all {fair}infinite traces that repeat after {extent}{unproved}{dead_ends}"
            ))
        }
        PropertyOutcome::Proved(evidence) if is_linear(checked) => {
            let how = evidence_words(evidence);
            format!("{} ({how})", paint.good(&format!("holds for every {}infinite trace", fair(request))))
        }
        PropertyOutcome::ViolatedForever(lasso) => {
            paint.bad(&format!("violated by an infinite trace: {}", lasso_words(lasso)))
        }
        PropertyOutcome::Branching { verdict, basis } => {
            let how = basis_words(basis);
            match verdict {
                CtlVerdict::Holds => format!("{} ({how})", paint.good("holds")),
                CtlVerdict::Violated => {
                    let (file, name) = (quoted(request.file), quoted(&checked.property.name));
                    format!("{} ({how}); `cladist ctl {file} -p {name}` shows it", paint.bad("violated"))
                }
                CtlVerdict::Undecided(why) => paint.doubtful(&format!("undecided: {why}")),
            }
        }
        PropertyOutcome::Unlisted(why) => {
            paint.doubtful(&format!("undecided: {why}; -k N searches for violations of up to N steps"))
        }
        PropertyOutcome::Holds => {
            let extent = request.lengths.map(extent).unwrap_or_default();
            let unproved = if request.unbounded { "; not proved for every length" } else { "" };
            paint.good(&format!("{}{unproved}", request.wording(checked).never(&extent)))
        }
        PropertyOutcome::Proved(evidence) => {
            let how = evidence_words(evidence);
            format!("{} ({how})", paint.good("holds for traces of every length"))
        }
        PropertyOutcome::Violated(trace) => {
            let invariant = checked.property.invariant();
            let at = invariant.and_then(|i| first_violation(request.model, i, &trace.moments));
            let text = format!(
                "{} in {}",
                request.wording(checked).past(),
                steps(at.unwrap_or(trace.last()).steps())
            );
            match request.wording(checked) {
                Wording::Violation => paint.bad(&text),
                Wording::Arrival => paint.good(&text),
            }
        }
        PropertyOutcome::Undecided { why, depth } => {
            paint.doubtful(&format!("undecided: {}; {}", ended(*why), excluded(*depth)))
        }
    }
}

/// Quotes a word for a POSIX shell: in single quotes unless every character stands for itself.
pub fn quoted(text: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "_-./=:,+@%".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}
