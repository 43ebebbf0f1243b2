//! All jobs of a plan with what is known of them.

use super::changes::{Change, changes};
use super::{Found, Key};
use crate::model::Model;
use crate::report::ClassifyVerdict;
use std::collections::HashMap;

/// A job and what is known of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// Its number in the plan, from 0.
    pub index: usize,
    /// What it is.
    pub key: Key,
    /// How far it is.
    pub state: State,
}

/// How far a job is.
#[derive(Debug, Clone, PartialEq)]
pub enum State {
    /// It was not run, or not to its end.
    Missing,
    /// It ended without a result; with the reason.
    Failed(String),
    /// It has a result.
    Done(Found),
}

/// The jobs that differ only in the lengths that they are about: smallest bound first, every length last.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// One for each bound.
    pub entries: Vec<Entry>,
}

/// A job of a series.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// Where it is in [`Summary::rows`].
    pub row: usize,
    /// The bound that its classes are compared with: the next smaller one, or for every length the greatest, that has
    /// classes to compare, or holds. `None` where there is none: then all classes are new.
    pub against: Option<usize>,
    /// What became of the classes; `None` where this job has none to compare.
    pub changes: Option<Vec<Change>>,
}

/// All jobs, or some of them.
#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    /// The file of the plan, as the user wrote it.
    pub plan: String,
    /// The jobs in the order of the plan.
    pub rows: Vec<Row>,
    /// The same jobs by bound.
    pub series: Vec<Series>,
}

impl Row {
    /// What was found, if there is a result.
    pub fn found(&self) -> Option<&Found> {
        match &self.state {
            State::Done(found) => Some(found),
            _ => None,
        }
    }

    /// The bound in steps: of what was found, or else of the job, if it has one.
    pub fn bound(&self) -> Option<usize> {
        self.found().map(|found| found.bound).or(self.key.bound)
    }

    /// What was found, if its classes are those of the bound, or a part of them.
    fn comparable(&self) -> Option<&Found> {
        use ClassifyVerdict::{Complete, CompleteUnbounded, Holds, HoldsUnbounded, Partial};
        self.found().filter(|found| {
            matches!(found.verdict, Holds | HoldsUnbounded | Complete | CompleteUnbounded | Partial)
        })
    }
}

impl Summary {
    /// Compares the jobs of each series; `models` has the model of each row.
    pub fn new(plan: String, rows: Vec<Row>, models: &[&Model]) -> Self {
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

    /// How many jobs were not run to their end.
    pub fn missing(&self) -> usize {
        self.rows.iter().filter(|row| row.state == State::Missing).count()
    }

    /// How many jobs ended without a result.
    pub fn failed(&self) -> usize {
        self.rows.iter().filter(|row| matches!(row.state, State::Failed(_))).count()
    }

    /// How many jobs have a result without all that was asked for.
    pub fn partial(&self) -> usize {
        self.rows.iter().filter(|row| row.found().is_some_and(Found::is_partial)).count()
    }
}

fn series(rows: &[Row], models: &[&Model], group: &[usize]) -> Series {
    let mut last: Option<(usize, &Found)> = None;
    let entries = group.iter().map(|&row| {
        let key = &rows[row].key;
        let vocabulary = models[row].vocabularies.iter().find(|v| v.name == key.vocabulary);
        let (Some(found), Some(vocabulary)) = (rows[row].comparable(), vocabulary) else {
            return Entry { row, against: None, changes: None };
        };
        let against = last.map(|(bound, _)| bound);
        let old = last.into_iter().flat_map(|(_, found)| found.classes());
        let changes = changes(models[row], vocabulary, old, found.classes());
        if let (Some(bound), false) = (key.bound, key.unbounded) {
            last = Some((bound, found));
        }
        Entry { row, against, changes: Some(changes) }
    });
    Series { entries: entries.collect() }
}
