//! The jobs of a plan as one self-contained HTML page: a table of the series, then for each of them its bounds on one axis, with
//! what becomes of its classes.

use super::changes::Fate;
use super::table::{bound_text, count_line, traces, verdict};
use super::{FoundClassification, JobState, Series, SeriesEntry, Summary, SummaryRow};
use crate::writing::page::page;

use itertools::Itertools;
use maud::{Markup, html};

/// The page. `pages` has for each row the address of the page of its result, relative to this one, if there is one.
pub fn batch_page(summary: &Summary, pages: &[Option<String>]) -> String {
    let body = html! {
        header {
            h1 { (summary.plan) }
            p.verdict { (count_line(summary)) }
        }
        (contents(summary))
        @for (number, series) in summary.series.iter().enumerate() { (section(summary, series, number + 1, pages)) }
        (failures(summary))
    };
    page(&summary.plan, None, &body)
}

/// The table of the series, each with a link to its section.
fn contents(summary: &Summary) -> Markup {
    html! {
        div.wide tabindex="0" role="group" aria-label="Series" { table.classes {
            tr {
                th scope="col" { "Jobs that differ in nothing but the bound" }
                th scope="col" { "Bounds" }
                th scope="col" { "Classes" }
                th scope="col" { "At the last bound" }
            }
            @for (number, series) in summary.series.iter().enumerate() {
                @let rows = || series.entries.iter().map(|entry| &summary.rows[entry.row]);
                tr {
                    td { a href={ "#series-" (number + 1) } { (title(summary, series)) } }
                    td.counts { (rows().map(|row| bound_text(&row.key)).join(", ")) }
                    td.counts { (rows().map(classes).join(", ")) }
                    td { @if let Some(last) = rows().next_back() { (verdict(last)) } }
                }
            }
        } }
    }
}

fn title(summary: &Summary, series: &Series) -> String {
    summary.rows[series.entries[0].row].key.title()
}

/// How many classes a job found; `–` without a result.
fn classes(row: &SummaryRow) -> String {
    row.found().map_or_else(|| "–".to_owned(), |found| found.classes().count().to_string())
}

/// A series: what its jobs took, and its classes, over the bounds.
fn section(summary: &Summary, series: &Series, number: usize, pages: &[Option<String>]) -> Markup {
    let rows: Vec<&SummaryRow> = series.entries.iter().map(|entry| &summary.rows[entry.row]).collect();
    let title = title(summary, series);
    html! {
        section id={ "series-" (number) } {
            h2 { (title) }
            div.wide tabindex="0" role="group" aria-label=(title) {
                table.bounds {
                    tr {
                        td {}
                        @for (entry, row) in series.entries.iter().zip(&rows) {
                            th scope="col" {
                                @match &pages[entry.row] {
                                    Some(page) => { a href=(page) { (bound_text(&row.key)) } }
                                    None => { (bound_text(&row.key)) }
                                }
                            }
                        }
                    }
                    tr { th scope="row" { "verdict" } @for row in &rows { td { (verdict(row)) } } }
                    @if rows.iter().any(|row| row.key.count) {
                        tr {
                            th scope="row" { "violating traces" }
                            @for row in &rows { td { (row.found().and_then(|f| traces(&row.key, f)).unwrap_or_default()) } }
                        }
                    }
                    (measured("CPU seconds", &rows, |found| found.statistics.cpu_seconds, 3))
                    (measured("peak MB", &rows, |found| found.statistics.peak_memory_kb.map(|kb| kb as f64 / 1024.0), 0))
                    @for constraint in constraints(&rows) { (fates(series, &rows, constraint, pages)) }
                }
            }
        }
    }
}

/// Something that was measured, with bars that are as long as it is large.
fn measured(
    head: &str,
    rows: &[&SummaryRow],
    of: fn(&FoundClassification) -> Option<f64>,
    digits: usize,
) -> Markup {
    let values: Vec<Option<f64>> = rows.iter().map(|row| row.found().and_then(of)).collect();
    let largest = values.iter().flatten().fold(f64::MIN_POSITIVE, |largest, &value| largest.max(value));
    html! {
        tr {
            th scope="row" { (head) }
            @for value in &values {
                @match value {
                    Some(value) => {
                        td.bar style={ "--size:" (format!("{:.0}", 100.0 * value / largest)) "%" } {
                            (format!("{value:.digits$}"))
                        }
                    }
                    None => { td { "–" } }
                }
            }
        }
    }
}

/// The constraints of a series in the order in which they appear.
fn constraints<'r>(rows: &[&'r SummaryRow]) -> Vec<&'r str> {
    let found = rows.iter().filter_map(|row| row.found());
    found.flat_map(FoundClassification::classes).map(|class| class.constraint.as_str()).unique().collect()
}

/// The fates of a class from bound to bound.
fn fates(series: &Series, rows: &[&SummaryRow], constraint: &str, pages: &[Option<String>]) -> Markup {
    html! {
        tr {
            th.formula-head scope="row" { (constraint) }
            @for (entry, row) in series.entries.iter().zip(rows) {
                @let class = row.found().and_then(|found| found.classes().find(|c| c.constraint == constraint));
                @match class {
                    Some(class) => {
                        td.there.new[is_new(entry, constraint)] {
                            @let text = format!("class {}", class.id);
                            @match &pages[entry.row] {
                                Some(page) => { a href={ (page) "#class-" (class.id) } { (text) } }
                                None => { (text) }
                            }
                            @if is_new(entry, constraint) { " new" }
                        }
                    }
                    None => { td { (gone(entry, constraint)) } }
                }
            }
        }
    }
}

fn is_new(entry: &SeriesEntry, constraint: &str) -> bool {
    let mut changes = entry.changes.iter().flatten();
    changes.any(|change| change.fate == Fate::New && change.constraint == constraint)
}

/// The fate of a class that was there at the bound before; empty for others.
fn gone(entry: &SeriesEntry, constraint: &str) -> String {
    let mut changes = entry.changes.iter().flatten();
    let Some(change) = changes.find(|change| change.before.is_some() && change.constraint == constraint)
    else {
        return String::new();
    };
    let after = change.after.iter().join(", ");
    match change.fate {
        Fate::Replaced => format!("replaced by {after}"),
        Fate::Split => format!("split into {after}"),
        Fate::Gone => "gone".to_owned(),
        Fate::Stays | Fate::New => String::new(),
    }
}

fn failures(summary: &Summary) -> Markup {
    let failed = summary.rows.iter().filter_map(|row| match &row.state {
        JobState::Failed(error) => Some((row, error)),
        _ => None,
    });
    html! {
        @if summary.failed() > 0 {
            h2 { "Failures" }
            @for (row, error) in failed {
                h3 { (row.index) " " (row.key.label()) }
                pre { (error) }
            }
        }
    }
}
