//! Tests of `report::batch::table`.

use super::batch_key::key;
use report::batch::table::*;
use report::batch::{JobKey, JobState, Summary, SummaryRow};
use serde_json::{Value as Json, json};

fn row(index: usize, key: JobKey, state: JobState) -> SummaryRow {
    SummaryRow { index, key, state }
}

fn done(verdict: &str, reason: Option<&str>) -> JobState {
    let statistics = json!({ "seconds": { "total": 2.5 }, "cpu_seconds": 2.25, "peak_memory_kb": 20480 });
    let document =
        json!({ "verdict": verdict, "reason": reason, "bound": 2, "classes": [], "statistics": statistics });
    JobState::Done(serde_json::from_value(document).expect("a result"))
}

fn summary() -> Summary {
    let constants = vec!["A=1".to_owned(), "S={x, y}".to_owned()];
    let rows = vec![
        row(0, key(2), done("holds", None)),
        row(1, key(4), done("undecided", Some("time"))),
        row(2, key(6), JobState::Failed("signal: 9 (SIGKILL)\nlast words".into())),
        row(3, JobKey { constants, ..key(2) }, JobState::Missing),
    ];
    Summary { plan: "p.toml".into(), rows, series: Vec::new() }
}

#[test]
fn the_table_says_what_there_is_and_what_is_missing() {
    let expected = "\
job  model  property  vocabulary  constants     bound  verdict           classes  CPU s  peak MB
  0  toy    safe      generic     –                 2  holds                   0  2.250       20
  1  toy    safe      generic     –                 4  undecided (time)        0  2.250       20
  2  toy    safe      generic     –                 6  failed                  –      –        –
  3  toy    safe      generic     A=1 S={x, y}      2  missing                 –      –        –

4 jobs: 2 done (1 partial), 1 failed, 1 missing
";
    assert_eq!(table_text(&summary()), expected);
    assert_eq!(job_line(&summary().rows[2]), "toy safe generic k=6: failed: signal: 9 (SIGKILL)");
}

/// A job for every length that counts, and what its document says of both.
fn every(index: usize, bound: Option<usize>, verdict: &str, proved: bool, counts: Json) -> SummaryRow {
    let key = JobKey { unbounded: true, count: true, bound, ..key(0) };
    let statistics = json!({ "seconds": { "total": 2.5 }, "cpu_seconds": 2.25, "peak_memory_kb": 20480 });
    let document = json!({
        "verdict": verdict, "bound": 7, "unbounded": { "proved": proved }, "counts": counts,
        "classes": [], "statistics": statistics
    });
    row(index, key, JobState::Done(serde_json::from_value(document).expect("a result")))
}

#[test]
fn every_length_and_numbers_of_traces_are_told() {
    let counts = json!({
        "first_violations": [{ "total": "3" }],
        "violating": [{ "total": "1000" }, { "total": "98765432109876543210" }]
    });
    let none = json!({ "first_violations": null, "violating": null, "reason": "states" });
    let rows = vec![
        row(0, key(7), done("complete", None)),
        every(1, None, "complete_unbounded", true, counts.clone()),
        every(2, Some(4), "complete", false, counts),
        every(3, Some(5), "holds_unbounded", true, none),
    ];
    let summary = Summary { plan: "p.toml".into(), rows, series: Vec::new() };
    let expected = "\
job  model  property  vocabulary  constants   bound  verdict                    classes             violating traces  CPU s  peak MB
  0  toy    safe      generic     –               7  complete                         0                            –  2.250       20
  1  toy    safe      generic     –           every  complete for every length        0  9.877·10^19 (up to 7 steps)  2.250       20
  2  toy    safe      generic     –          from 4  complete up to 7 steps           0  9.877·10^19 (up to 7 steps)  2.250       20
  3  toy    safe      generic     –          from 5  holds for every length           0             unknown (states)  2.250       20

4 jobs: 4 done (2 partial)
";
    assert_eq!(table_text(&summary), expected);
    assert_eq!(
        job_line(&summary.rows[3]),
        "toy safe generic unbounded k=5: holds for every length, 0 classes, violating traces: unknown (states), \
         2.250 CPU s, 20 MB"
    );
    let text = csv(&summary);
    assert!(text.contains(",,true,done,complete_unbounded,,7,0,3,98765432109876544210,2.5,"), "{text}");
    assert!(text.contains(",5,true,done,holds_unbounded,,7,0,,,2.5,"), "{text}");
    assert!(markdown(&summary).contains("| classes | violating traces |"));
}

#[test]
fn cells_of_csv_are_quoted_where_they_must() {
    let text = csv(&summary());
    let lines: Vec<&str> = text.lines().collect();
    assert!(
        lines[1].ends_with(",../toy.sts,safe,generic,,2,false,done,holds,,2,0,,,2.5,2.25,20480"),
        "{text}"
    );
    assert!(lines[2].ends_with(",4,false,done,undecided,time,2,0,,,2.5,2.25,20480"), "{text}");
    assert!(lines[4].ends_with(",\"A=1 S={x, y}\",2,false,missing,,,,,,,,,"), "{text}");
    assert_eq!(quoted("say \"a\""), "\"say \"\"a\"\"\"");
}

#[test]
fn failures_are_at_the_end_of_the_page() {
    let text = markdown(&summary());
    assert!(
        text.ends_with(
            "## Failures\n\n2 toy safe generic k=6\n\n    signal: 9 (SIGKILL)\n    last words\n\n"
        )
    );
    assert!(text.contains("\n| 2 | toy | safe | generic | – | 6 | failed | – | – | – |\n"), "{text}");
}
