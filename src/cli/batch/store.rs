//! The files of a plan: one result per job, and the tables.

use super::jobs::BatchJob;
use crate::cli::console::Console;
use crate::cli::out_dir::OutDir;
use crate::cli::refusal::UsageError;
use cladist::batch::{
    JobOutcome, JobState, Record, Summary, SummaryRow, batch_document, batch_page, changes_text,
    claims_markdown, csv, markdown, plot_svg,
};
use cladist::diagnostics::{Diagnostic, read_text, why_unreadable};
use cladist::report::to_json;
use std::path::{Path, PathBuf};

/// The largest stored result that is read, in bytes.
const RESULT_LIMIT: u64 = 1 << 30;

/// The folder of the pages of the jobs, in the folder of a plan.
const PAGES: &str = "pages";

#[derive(Debug)]
pub struct PlanStore {
    folder: PathBuf,
}

impl PlanStore {
    /// Names the given folder, or the one beside the plan, without creating it.
    pub fn new(out: Option<&Path>, plan: &Path) -> Self {
        Self { folder: out.map_or_else(|| plan.with_extension("results"), Path::to_path_buf) }
    }

    /// Returns the folder for results, created if it does not exist.
    pub fn results(&self, console: &Console) -> Result<OutDir, UsageError> {
        OutDir::create(&self.folder.join("results"), console.watchdog())
    }

    /// Returns the folder for the files of a job.
    pub fn pages(&self, job: &BatchJob) -> PathBuf {
        self.folder.join(PAGES).join(job.key.name())
    }

    /// Returns the state of a job, with a warning if its stored result cannot be used.
    pub fn row(&self, job: &BatchJob) -> (SummaryRow, Option<Diagnostic>) {
        let path = self.folder.join("results").join(format!("{}.json", job.key.name()));
        let (state, doubt) = match read(&path, job) {
            Ok(state) => (state, None),
            Err(error) => {
                let message = format!("cannot use {}: {error}", path.display());
                let warning = Diagnostic::warning_without_place(message);
                (JobState::Missing, Some(warning.with_help("the job counts as missing; run it again")))
            }
        };
        (SummaryRow { index: job.index, key: job.key.clone(), state }, doubt)
    }

    /// Writes the tables, the plot and the document of all jobs.
    pub fn write_tables(&self, summary: &Summary, console: &Console) -> Result<(), UsageError> {
        let out = OutDir::create(&self.folder, console.watchdog())?;
        out.write("table.md", &markdown(summary))?;
        if let Some(claims) = claims_markdown(summary) {
            out.write("claims.md", &claims)?;
        }
        out.write("table.csv", &csv(summary))?;
        out.write("classes.txt", &changes_text(summary))?;
        out.write("plot.svg", &plot_svg(summary))?;
        let page = |row: &SummaryRow| {
            let address = format!("{PAGES}/{}/report.html", row.key.name());
            self.folder.join(&address).exists().then_some(address)
        };
        let pages: Vec<Option<String>> = summary.rows.iter().map(page).collect();
        out.write("report.html", &batch_page(summary, &pages))?;
        out.write("merged.json", &to_json(&batch_document(summary)))
    }
}

/// Stores the record of a job.
pub fn write(results: &OutDir, record: &Record) -> Result<(), UsageError> {
    results.write(&format!("{}.json", record.job.name()), &record.to_text())
}

fn read(path: &Path, job: &BatchJob) -> Result<JobState, String> {
    if !path.exists() {
        return Ok(JobState::Missing);
    }
    let text = read_text(path, RESULT_LIMIT).map_err(|error| why_unreadable(&error))?;
    state(&Record::read(&text, &job.key)?)
}

/// Returns the state of a job according to its record.
///
/// # Errors
/// If the result is not the document of a classification.
pub fn state(record: &Record) -> Result<JobState, String> {
    match record.outcome {
        JobOutcome::Failed => Ok(JobState::Failed(record.error.clone().unwrap_or_default())),
        JobOutcome::Done => record.found().map(JobState::Done),
    }
}
