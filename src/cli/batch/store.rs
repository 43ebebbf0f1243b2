//! The files of a plan: one result a job, and the tables.

use super::jobs::Job;
use crate::cli::out_dir::OutDir;
use crate::cli::refusal::Refusal;
use cladist::batch::{
    Outcome, Record, Row, State, Summary, batch_document, changes_text, csv, markdown, plot_svg,
};
use cladist::diagnostics::{Diagnostic, Severity};
use cladist::report::to_json;
use std::path::{Path, PathBuf};

/// The folder of a plan.
#[derive(Debug)]
pub struct Store {
    folder: PathBuf,
}

impl Store {
    /// The given folder, or the one beside the plan. Nothing is created yet.
    pub fn new(out: Option<&Path>, plan: &Path) -> Self {
        Self { folder: out.map_or_else(|| plan.with_extension("results"), Path::to_path_buf) }
    }

    /// The folder for results, created if it is not there.
    pub fn results(&self) -> Result<OutDir, Refusal> {
        OutDir::create(&self.folder.join("results"))
    }

    /// What is known of a job, and what is wrong with its file.
    pub fn row(&self, job: &Job) -> (Row, Option<Diagnostic>) {
        let path = self.folder.join("results").join(format!("{}.json", job.key.name()));
        let (state, doubt) = match read(&path, job) {
            Ok(state) => (state, None),
            Err(error) => {
                let message = format!("cannot use {}: {error}", path.display());
                let warning =
                    Diagnostic { severity: Severity::Warning, ..Diagnostic::error_without_place(message) };
                (State::Missing, Some(warning.with_help("the job counts as missing")))
            }
        };
        (Row { index: job.index, key: job.key.clone(), state }, doubt)
    }

    /// Writes the tables, the picture and the document of all jobs.
    pub fn write_tables(&self, summary: &Summary) -> Result<(), Refusal> {
        let out = OutDir::create(&self.folder)?;
        out.write("table.md", &markdown(summary))?;
        out.write("table.csv", &csv(summary))?;
        out.write("classes.txt", &changes_text(summary))?;
        out.write("plot.svg", &plot_svg(summary))?;
        out.write("merged.json", &to_json(&batch_document(summary)))
    }
}

/// Writes what a job left behind.
pub fn write(results: &OutDir, record: &Record) -> Result<(), Refusal> {
    results.write(&format!("{}.json", record.job.name()), &to_json(record))
}

fn read(path: &Path, job: &Job) -> Result<State, String> {
    if !path.exists() {
        return Ok(State::Missing);
    }
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    state(&Record::read(&text, &job.key)?)
}

/// What a record says of its job.
pub fn state(record: &Record) -> Result<State, String> {
    match record.outcome {
        Outcome::Failed => Ok(State::Failed(record.error.clone().unwrap_or_default())),
        Outcome::Done => record.found().map(State::Done),
    }
}
