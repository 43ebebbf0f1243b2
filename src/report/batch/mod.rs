//! Many classifications side by side: plans, jobs and their stored results, how the classes change from
//! bound to bound, and tables, documents and plots of all that. Nothing here runs a job or reads a file.

pub mod changes;
pub mod claims;
pub mod difference;
pub mod document;
pub mod key;
mod page;
pub mod plan;
pub mod plot;
pub mod record;
mod sorted;
mod summary;
pub mod table;

pub use changes::{ClassChange, Fate, changes};
pub use claims::claims_markdown;
pub use difference::{ComparedClass, QuestionDifference, ResultDifference, difference, difference_text};
pub use document::{BatchDocument, batch_document, jobs_document};
pub use key::JobKey;
pub use page::batch_page;
pub use plan::{ClaimSelection, ClassifyGroup, PlacedValue, Plan, Settings, parse_override, read_plan};
pub use plot::plot_svg;
pub use record::{FoundClass, FoundClassification, FoundIndividual, JobOutcome, Record};
pub use sorted::{
    RestoredKinds, Sorted, SortedOutcome, SortedTrace, sorted_by_classes, sorted_by_kinds, sorted_text,
};
pub use summary::{JobState, Series, SeriesEntry, Summary, SummaryRow};
pub use table::{changes_text, csv, job_line, jobs_text, markdown, table_text};
