//! The jobs of a plan as JSON: `docs/schema/batch-1.json` and `docs/schema/jobs-1.json`.

use super::{ClassChange, JobKey, JobState, Series, SeriesEntry, Summary, SummaryRow};
use serde::Serialize;
use verify::ClassifyVerdict;

/// The results of a plan.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct BatchDocument {
    /// `cladist/batch-1`.
    pub schema: &'static str,
    /// The version of this program.
    pub version: &'static str,
    /// The file of the plan, as the user wrote it.
    pub plan: String,
    /// The number of jobs.
    pub total: usize,
    /// The number of jobs with a result, partial ones included.
    pub done: usize,
    /// The number of results that lack something: partial or undecided, not proved for every length, or not
    /// counted.
    pub partial: usize,
    /// The number of jobs that ended without a result.
    pub failed: usize,
    /// The number of jobs that were not run, or not to their end.
    pub missing: usize,
    /// The jobs in the order of the plan.
    pub jobs: Vec<RowDocument>,
    /// The jobs by bound, with the fates of the classes.
    pub series: Vec<SeriesDocument>,
}

/// A job and its result.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct RowDocument {
    /// The number in the plan, from 0.
    pub index: usize,
    /// The file name of the stored result, without its extension.
    pub name: String,
    /// Everything that the result depends on.
    pub job: JobKey,
    /// `done`, `failed` or `missing`.
    #[cfg_attr(feature = "schemas", schemars(extend("enum" = ["done", "failed", "missing"])))]
    pub state: &'static str,
    /// The verdict, if it is done.
    pub verdict: Option<ClassifyVerdict>,
    /// The reason why the verdict is `partial` or `undecided`.
    pub reason: Option<String>,
    /// The bound of the result in steps, if it is done: that of the job, or of an unbounded job the last one at
    /// which classes were searched.
    pub bound: Option<usize>,
    /// The numbers of violating traces of all lengths up to that bound, if they were counted.
    pub traces: Option<TracesDocument>,
    /// The constraints of the classes that are not redundant, if it is done.
    pub classes: Option<Vec<String>>,
    /// Seconds of processor time.
    pub cpu_seconds: Option<f64>,
    /// Seconds of wall-clock time.
    pub seconds: Option<f64>,
    /// The peak resident memory in units of 1024 bytes.
    pub peak_memory_kb: Option<u64>,
    /// With `failed`: the reason.
    pub error: Option<String>,
}

/// Numbers of violating traces, summed over all lengths, as decimal strings.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct TracesDocument {
    /// Counterexamples that end in their first violation; `null` where there are no numbers.
    #[cfg_attr(feature = "schemas", schemars(regex(pattern = "^[0-9]+$")))]
    pub first_violations: Option<String>,
    /// Traces with a violation anywhere; `null` where there are no numbers.
    #[cfg_attr(feature = "schemas", schemars(regex(pattern = "^[0-9]+$")))]
    pub violating: Option<String>,
    /// The reason why there are no numbers.
    pub reason: Option<String>,
}

/// Jobs that differ only in the lengths of traces.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct SeriesDocument {
    /// The model's file as the plan names it.
    pub model: String,
    /// The name of the property.
    pub property: String,
    /// The name of the vocabulary.
    pub vocabulary: String,
    /// Constants with other values than in the model.
    pub constants: Vec<String>,
    /// The steps of the environment, if they are given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub environment: Option<String>,
    /// The types of which classes name values, if they are given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ground: Option<String>,
    /// One for each bound, smallest first, followed by those for every length.
    #[cfg_attr(feature = "schemas", schemars(length(min = 1)))]
    pub bounds: Vec<EntryDocument>,
}

/// A job of a series.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct EntryDocument {
    /// The bound of the job in steps; `null` for an unbounded job without a bound to start from.
    pub bound: Option<usize>,
    /// True if the job is about traces of every length.
    pub unbounded: bool,
    /// The number of the job in the plan, from 0.
    pub index: usize,
    /// The smaller bound that its classes are compared with.
    pub against: Option<usize>,
    /// The fates of the classes; `null` if there are none to compare.
    pub changes: Option<Vec<ClassChange>>,
}

/// The jobs of a plan, with the command line of each.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct JobsDocument {
    /// `cladist/jobs-1`.
    pub schema: &'static str,
    /// The version of this program.
    pub version: &'static str,
    /// The file of the plan, as the user wrote it.
    pub plan: String,
    /// The jobs in the order of the plan.
    pub jobs: Vec<ListedJob>,
}

/// A job and its command line.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct ListedJob {
    /// The number in the plan, from 0.
    pub index: usize,
    /// The file name of the stored result, without its extension.
    pub name: String,
    /// Everything that the result depends on.
    pub job: JobKey,
    /// `done`, `failed` or `missing`.
    #[cfg_attr(feature = "schemas", schemars(extend("enum" = ["done", "failed", "missing"])))]
    pub state: &'static str,
    /// The command line that runs the same classification.
    pub command: String,
}

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The document of the results of a plan, or of some of its jobs.
pub fn batch_document(summary: &Summary) -> BatchDocument {
    let rows = &summary.rows;
    BatchDocument {
        schema: "cladist/batch-1",
        version: VERSION,
        plan: summary.plan.clone(),
        total: rows.len(),
        done: rows.iter().filter(|row| row.found().is_some()).count(),
        partial: summary.partial(),
        failed: summary.failed(),
        missing: summary.missing(),
        jobs: rows.iter().map(row_document).collect(),
        series: summary.series.iter().map(|series| series_document(summary, series)).collect(),
    }
}

/// The document of the jobs of a plan; `commands` has the command line of each.
pub fn jobs_document(plan: &str, rows: &[SummaryRow], commands: Vec<String>) -> JobsDocument {
    let jobs = rows.iter().zip(commands).map(|(row, command)| ListedJob {
        index: row.index,
        name: row.key.name(),
        job: row.key.clone(),
        state: state_word(&row.state),
        command,
    });
    JobsDocument { schema: "cladist/jobs-1", version: VERSION, plan: plan.to_owned(), jobs: jobs.collect() }
}

fn row_document(row: &SummaryRow) -> RowDocument {
    let found = row.found();
    RowDocument {
        index: row.index,
        name: row.key.name(),
        job: row.key.clone(),
        state: state_word(&row.state),
        verdict: found.map(|f| f.verdict),
        reason: found.and_then(|f| f.reason.clone()),
        bound: found.map(|f| f.bound),
        traces: found.and_then(|f| f.counts.as_ref()).map(|counts| TracesDocument {
            first_violations: counts.sum_of_first().map(|n| n.to_string()),
            violating: counts.sum_of_violating().map(|n| n.to_string()),
            reason: counts.reason.clone(),
        }),
        classes: found.map(|f| f.classes().map(|class| class.constraint.clone()).collect()),
        cpu_seconds: found.and_then(|f| f.statistics.cpu_seconds),
        seconds: found.map(|f| f.statistics.seconds.total),
        peak_memory_kb: found.and_then(|f| f.statistics.peak_memory_kb),
        error: match &row.state {
            JobState::Failed(error) => Some(error.clone()),
            _ => None,
        },
    }
}

fn series_document(summary: &Summary, series: &Series) -> SeriesDocument {
    let key = &summary.rows[series.entries[0].row].key;
    let entry = |entry: &SeriesEntry| {
        let row = &summary.rows[entry.row];
        EntryDocument {
            bound: row.key.bound,
            unbounded: row.key.unbounded,
            index: row.index,
            against: entry.against,
            changes: entry.changes.clone(),
        }
    };
    SeriesDocument {
        model: key.model.clone(),
        property: key.property.clone(),
        vocabulary: key.vocabulary.clone(),
        constants: key.constants.clone(),
        environment: key.environment.clone(),
        ground: key.ground.clone(),
        bounds: series.entries.iter().map(entry).collect(),
    }
}

/// The word for the state of a job.
pub fn state_word(state: &JobState) -> &'static str {
    match state {
        JobState::Missing => "missing",
        JobState::Failed(_) => "failed",
        JobState::Done(_) => "done",
    }
}
