//! The jobs of a plan with their results, grouped into series.

use super::changes::{ClassChange, changes};
use super::{FoundClassification, JobKey};
use lang::model::Model;
use std::collections::HashMap;
use verify::ClassifyVerdict;

/// A job and its state.
#[derive(Debug, Clone, PartialEq)]
pub struct SummaryRow {
    /// The number in the plan, from 0.
    pub index: usize,
    /// Everything that the result depends on.
    pub key: JobKey,
    /// The status of the job.
    pub state: JobState,
}

/// The state of a job.
#[derive(Debug, Clone, PartialEq)]
pub enum JobState {
    /// Not run, or not to its end.
    Missing,
    /// Ended without a result, for this reason.
    Failed(String),
    /// Ended with a result, perhaps a partial one.
    Done(FoundClassification),
}

/// Jobs that differ only in the lengths of traces: smallest bound first, every length last.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// One for each bound, at least one.
    pub entries: Vec<SeriesEntry>,
}

/// A job of a series.
#[derive(Debug, Clone, PartialEq)]
pub struct SeriesEntry {
    /// The index in [`Summary::rows`].
    pub row: usize,
    /// The bound that its classes are compared with: the next smaller one (for every length, the greatest one) that has
    /// classes to compare, or holds. `None` if there is none: then all classes are new.
    pub against: Option<usize>,
    /// The fates of the classes; `None` if this job has none to compare.
    pub changes: Option<Vec<ClassChange>>,
}

/// All jobs, or some of them.
#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    /// The file of the plan, as the user wrote it.
    pub plan: String,
    /// The jobs in the order of the plan.
    pub rows: Vec<SummaryRow>,
    /// The jobs by bound.
    pub series: Vec<Series>,
}

impl SummaryRow {
    /// The result, if there is one.
    pub fn found(&self) -> Option<&FoundClassification> {
        match &self.state {
            JobState::Done(found) => Some(found),
            _ => None,
        }
    }

    /// The bound in steps: of the result, or else of the job, if it has one.
    pub fn bound(&self) -> Option<usize> {
        self.found().map(|found| found.bound).or(self.key.bound)
    }

    /// The result, if its classes are those of the bound or a part of them.
    fn comparable(&self) -> Option<&FoundClassification> {
        use ClassifyVerdict::{Complete, CompleteUnbounded, Holds, HoldsUnbounded, Partial};
        self.found().filter(|found| {
            matches!(found.verdict, Holds | HoldsUnbounded | Complete | CompleteUnbounded | Partial)
        })
    }
}

impl Summary {
    /// Compares the jobs of each series; `models` has the model of each row.
    pub fn new(plan: String, rows: Vec<SummaryRow>, models: &[&Model]) -> Self {
        let mut groups: Vec<Vec<usize>> = Vec::new();
        let mut known: HashMap<String, usize> = HashMap::new();
        for (index, row) in rows.iter().enumerate() {
            let group = *known.entry(row.key.series()).or_insert(groups.len());
            match groups.get_mut(group) {
                Some(group) => group.push(index),
                None => groups.push(vec![index]),
            }
        }
        let series = groups.into_iter().map(|mut group| {
            group.sort_by_key(|&row| (rows[row].key.unbounded, rows[row].key.bound));
            series(&rows, models, &group)
        });
        Self { plan, series: series.collect(), rows }
    }

    /// The number of jobs that were not run, or not to their end.
    pub fn missing(&self) -> usize {
        self.rows.iter().filter(|row| row.state == JobState::Missing).count()
    }

    /// The number of jobs that ended without a result.
    pub fn failed(&self) -> usize {
        self.rows.iter().filter(|row| matches!(row.state, JobState::Failed(_))).count()
    }

    /// The number of results that lack something; see [`FoundClassification::is_partial`].
    pub fn partial(&self) -> usize {
        self.rows.iter().filter(|row| row.found().is_some_and(FoundClassification::is_partial)).count()
    }
}

fn series(rows: &[SummaryRow], models: &[&Model], group: &[usize]) -> Series {
    let mut last: Option<(usize, &FoundClassification)> = None;
    let entries = group.iter().map(|&row| {
        let key = &rows[row].key;
        let vocabulary = models[row].vocabularies.iter().find(|v| v.name == key.vocabulary);
        let (Some(found), Some(vocabulary)) = (rows[row].comparable(), vocabulary) else {
            return SeriesEntry { row, against: None, changes: None };
        };
        let against = last.map(|(bound, _)| bound);
        let old = last.into_iter().flat_map(|(_, found)| found.classes());
        let changes = changes(models[row], vocabulary, old, found.classes());
        if let (Some(bound), false) = (key.bound, key.unbounded) {
            last = Some((bound, found));
        }
        SeriesEntry { row, against, changes: Some(changes) }
    });
    Series { entries: entries.collect() }
}
