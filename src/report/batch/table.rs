//! The jobs of a plan as tables: for the terminal, as Markdown, as CSV.

use super::changes::{ClassChange, Fate};
use super::document::state_word;
use super::record::FoundCounts;
use super::{FoundClassification, JobKey, JobState, SeriesEntry, Summary, SummaryRow};
use crate::classes::numbers::short_number;
use crate::shared::verdict::steps;
use crate::writing::columns::aligned;
use itertools::Itertools;
use kit::diagnostics::printable;
use std::fmt::Write;
use verify::ClassifyVerdict;

/// The heads of all columns.
const HEADS: [&str; 11] = [
    "job",
    "model",
    "property",
    "vocabulary",
    "constants",
    "bound",
    "verdict",
    "classes",
    "violating traces",
    "CPU s",
    "peak MB",
];

/// The column that is shown only if some job counts traces.
const TRACES: usize = 8;

/// The number of columns that identify a job; the others describe its result.
const IDENTITY: usize = 6;

/// The columns of a table of these jobs.
fn columns(rows: &[SummaryRow]) -> Vec<usize> {
    let counted = rows.iter().any(|row| row.key.count);
    (0..HEADS.len()).filter(|&column| counted || column != TRACES).collect()
}

/// The cells of a job, for people.
fn cells(row: &SummaryRow) -> [String; 11] {
    let key = &row.key;
    let none = || "–".to_owned();
    let given = key.given();
    let constants = if given.is_empty() { none() } else { given.join(" ") };
    let found = row.found();
    let cpu = found.and_then(|f| f.statistics.cpu_seconds);
    let memory = found.and_then(|f| f.statistics.peak_memory_kb);
    [
        row.index.to_string(),
        key.model_name(),
        key.property.clone(),
        key.vocabulary.clone(),
        constants,
        bound_text(key),
        verdict(row),
        found.map_or_else(none, |f| f.classes().count().to_string()),
        found.and_then(|f| traces(key, f)).unwrap_or_else(none),
        cpu.map_or_else(none, |seconds| format!("{seconds:.3}")),
        memory.map_or_else(none, |kb| format!("{:.0}", kb as f64 / 1024.0)),
    ]
}

/// The lengths that a job is about: `4`, `from 4` or `every`.
pub(super) fn bound_text(key: &JobKey) -> String {
    match key.bound {
        Some(bound) if key.unbounded => format!("from {bound}"),
        Some(bound) => bound.to_string(),
        None => "every".to_owned(),
    }
}

/// How many traces of all lengths violate: `1,234`, `1,234 (up to 5 steps)` where the job names no bound, `unknown (states)`;
/// `None` if it does not count.
pub fn traces(key: &JobKey, found: &FoundClassification) -> Option<String> {
    let counts = found.counts.as_ref()?;
    Some(match counts.sum_of_violating() {
        None => format!("unknown ({})", counts.reason.as_deref().unwrap_or_default()),
        Some(number) if key.unbounded => format!("{} (up to {})", short_number(&number), steps(found.bound)),
        Some(number) => short_number(&number),
    })
}

/// `complete`, `complete up to 7 steps` where every length was asked for, `partial (time)`, `too weak`, `missing`.
pub fn verdict(row: &SummaryRow) -> String {
    let Some(found) = row.found() else { return state_word(&row.state).to_owned() };
    let word = match found.verdict {
        ClassifyVerdict::Holds => "holds",
        ClassifyVerdict::HoldsUnbounded => "holds for every length",
        ClassifyVerdict::Complete => "complete",
        ClassifyVerdict::CompleteUnbounded => "complete for every length",
        ClassifyVerdict::Partial => "partial",
        ClassifyVerdict::Remainder => "with a remainder",
        ClassifyVerdict::TooWeak => "too weak",
        ClassifyVerdict::Undecided => "undecided",
    };
    match &found.reason {
        Some(reason) => format!("{word} ({})", reason.replace('_', " ")),
        None if row.key.claim.is_some() && word.starts_with("holds") => match row.key.runs() {
            1 => "holds for one run".to_owned(),
            runs => format!("holds for at most {runs} runs"),
        },
        None if found.is_unproved() => format!("{word} up to {}", steps(found.bound)),
        None => word.to_owned(),
    }
}

/// One line about a job that ended: `mutex exclusion steps k=4: complete, 2 classes, 0.052 CPU s, 12 MB`.
pub fn job_line(row: &SummaryRow) -> String {
    let [.., verdict, classes, traces, cpu, memory] = cells(row);
    let what = row.key.label();
    match &row.state {
        JobState::Done(_) => {
            let classes = if classes == "1" { "1 class".to_owned() } else { format!("{classes} classes") };
            let traces = if row.key.count { format!("violating traces: {traces}, ") } else { String::new() };
            format!("{what}: {verdict}, {classes}, {traces}{cpu} CPU s, {memory} MB")
        }
        JobState::Failed(error) => {
            format!("{what}: failed: {}", error.lines().next().unwrap_or_default())
        }
        JobState::Missing => format!("{what}: stopped before it ended"),
    }
}

/// The table for the terminal, followed by a line that counts unfinished jobs.
pub fn table_text(summary: &Summary) -> String {
    let columns = columns(&summary.rows);
    let rows = summary.rows.iter().map(|row| {
        let cells = cells(row);
        columns.iter().map(|&column| cells[column].clone()).collect()
    });
    let heads: Vec<&str> = columns.iter().map(|&column| HEADS[column]).collect();
    let mut out = table(&heads, rows);
    let _ = writeln!(out, "\n{}", count_line(summary));
    out
}

/// The jobs with their numbers and states.
pub fn jobs_text(rows: &[SummaryRow]) -> String {
    let mut heads = HEADS[..IDENTITY].to_vec();
    heads.push("state");
    let rows = rows.iter().map(|row| {
        let mut cells = cells(row)[..IDENTITY].to_vec();
        cells.push(state_word(&row.state).to_owned());
        cells
    });
    table(&heads, rows)
}

/// `18 jobs: 15 done (1 partial), 1 failed, 2 missing`.
pub(super) fn count_line(summary: &Summary) -> String {
    let (total, missing, failed) = (summary.rows.len(), summary.missing(), summary.failed());
    let jobs = if total == 1 { "job" } else { "jobs" };
    let partial = match summary.partial() {
        0 => String::new(),
        n => format!(" ({n} partial)"),
    };
    let mut parts = vec![format!("{} done{partial}", total - missing - failed)];
    parts.extend((failed > 0).then(|| format!("{failed} failed")));
    parts.extend((missing > 0).then(|| format!("{missing} missing")));
    format!("{total} {jobs}: {}", parts.join(", "))
}

/// The fates of the classes from bound to bound.
pub fn changes_text(summary: &Summary) -> String {
    let mut out = String::new();
    for series in &summary.series {
        let title = summary.rows[series.entries[0].row].key.title();
        let _ = writeln!(out, "{title}");
        for entry in &series.entries {
            let row = &summary.rows[entry.row];
            let bound = match row.key.bound {
                Some(bound) if !row.key.unbounded => format!("k={bound}"),
                _ => "every".to_owned(),
            };
            let _ = writeln!(out, "  {bound:<6} {}", entry_text(row, entry));
            let changes = entry.changes.iter().flatten().filter(|change| change.fate != Fate::Stays);
            for change in changes {
                let _ = writeln!(out, "         {}", change_text(change));
            }
        }
    }
    printable(&out).into_owned()
}

fn entry_text(row: &SummaryRow, entry: &SeriesEntry) -> String {
    let Some(changes) = &entry.changes else { return verdict(row) };
    let counts = changes.iter().counts_by(|change| change.fate);
    let words = [
        (Fate::Stays, if counts.get(&Fate::Stays) == Some(&1) { "stays" } else { "stay" }),
        (Fate::Replaced, "replaced"),
        (Fate::Split, "split"),
        (Fate::Gone, "gone"),
        (Fate::New, "new"),
    ];
    let counted = words.iter().filter_map(|(fate, word)| Some(format!("{} {word}", counts.get(fate)?)));
    std::iter::once(verdict(row)).chain(counted).join(", ")
}

/// `split: ∃ i … — its violations are now in classes 2 and 3`.
fn change_text(change: &ClassChange) -> String {
    let numbers = match change.after.split_last() {
        Some((last, [])) => last.to_string(),
        Some((last, rest)) => format!("{} and {last}", rest.iter().join(", ")),
        None => String::new(),
    };
    match change.fate {
        Fate::Stays => format!("stays: {}", change.constraint),
        Fate::New => format!("new, class {numbers}: {}", change.constraint),
        Fate::Replaced => {
            format!("replaced: {} — its violations are now in class {numbers}", change.constraint)
        }
        Fate::Split => format!("split: {} — its violations are now in classes {numbers}", change.constraint),
        Fate::Gone => {
            format!("gone: {} — its violations are in none of the classes found", change.constraint)
        }
    }
}

/// The tables as Markdown: jobs, classes from bound to bound, failures.
pub fn markdown(summary: &Summary) -> String {
    let columns = columns(&summary.rows);
    let line = |cell: &dyn Fn(usize) -> String| {
        format!("| {} |\n", columns.iter().map(|&column| cell(column).replace('|', "\\|")).join(" | "))
    };
    let mut out = format!("# {}\n\n", summary.plan);
    out.push_str(&line(&|column| HEADS[column].to_owned()));
    out.push_str(&line(&|column| if is_number(HEADS[column]) { "---:" } else { "---" }.to_owned()));
    for row in &summary.rows {
        let cells = cells(row);
        out.push_str(&line(&|column| cells[column].clone()));
    }
    let _ =
        writeln!(out, "\n{}\n\n![classes, time and memory over the bounds](plot.svg)", count_line(summary));
    let _ = writeln!(out, "\n## Classes from bound to bound\n\n```text\n{}```", changes_text(summary));
    let failures = summary.rows.iter().filter_map(|row| match &row.state {
        JobState::Failed(error) => Some((row, error)),
        _ => None,
    });
    for (number, (row, error)) in failures.enumerate() {
        let head = if number == 0 { "\n## Failures\n" } else { "" };
        let error = error.lines().map(|line| format!("    {line}\n")).join("");
        let _ = writeln!(out, "{head}\n{} {}\n\n{error}", row.index, row.key.label());
    }
    printable(&out).into_owned()
}

/// The table for programs: one line per job, numbers in full, empty cells where something is unknown.
pub fn csv(summary: &Summary) -> String {
    let mut out = String::from(
        "index,name,model,property,vocabulary,constants,bound,unbounded,state,verdict,reason,result_bound,classes,first_violations,violating,seconds,cpu_seconds,peak_memory_kb\n",
    );
    for row in &summary.rows {
        let (key, found) = (&row.key, row.found());
        let number = |n: Option<String>| n.unwrap_or_default();
        let counts = found.and_then(|f| f.counts.as_ref());
        let verdict = found.and_then(|f| serde_json::to_value(f.verdict).ok());
        let cells = [
            row.index.to_string(),
            key.name(),
            key.model.clone(),
            key.property.clone(),
            key.vocabulary.clone(),
            key.given().join(" "),
            number(key.bound.map(|bound| bound.to_string())),
            key.unbounded.to_string(),
            state_word(&row.state).to_owned(),
            verdict.as_ref().and_then(|v| v.as_str()).unwrap_or_default().to_owned(),
            found.and_then(|f| f.reason.clone()).unwrap_or_default(),
            number(found.map(|f| f.bound.to_string())),
            number(found.map(|f| f.classes().count().to_string())),
            number(counts.and_then(FoundCounts::sum_of_first).map(|n| n.to_string())),
            number(counts.and_then(FoundCounts::sum_of_violating).map(|n| n.to_string())),
            number(found.map(|f| f.statistics.seconds.total.to_string())),
            number(found.and_then(|f| f.statistics.cpu_seconds).map(|s| s.to_string())),
            number(found.and_then(|f| f.statistics.peak_memory_kb).map(|kb| kb.to_string())),
        ];
        let _ = writeln!(out, "{}", cells.iter().map(|cell| quoted(cell)).join(","));
    }
    printable(&out).into_owned()
}

/// A cell of CSV (RFC 4180): in quotes where a character would end it.
pub fn quoted(cell: &str) -> String {
    if cell.contains(['"', ',', '\n', '\r']) {
        format!("\"{}\"", cell.replace('"', "\"\""))
    } else {
        cell.to_owned()
    }
}

/// True if the column with this head has numbers.
fn is_number(head: &str) -> bool {
    matches!(head, "job" | "bound" | "classes" | "violating traces" | "CPU s" | "peak MB")
}

/// Columns under their heads, numbers to the right.
fn table(heads: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
    let head = heads.iter().map(ToString::to_string).collect();
    let lines: Vec<Vec<String>> = std::iter::once(head).chain(rows).collect();
    aligned(&lines, |column| is_number(heads[column])).iter().map(|line| format!("{line}\n")).collect()
}
