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

pub use changes::{Change, Fate, changes};
pub use claims::claims_markdown;
pub use difference::{Asked, ComparedClass, Difference, difference, difference_text};
pub use document::{BatchDocument, batch_document, jobs_document};
pub use key::Key;
pub use page::batch_page;
pub use plan::{Claims, Group, Placed, Plan, Settings, parse_override, read_plan};
pub use plot::plot_svg;
pub use record::{Found, FoundClass, FoundIndividual, Outcome, Record};
pub use sorted::{Kind, RestoredKinds, Sorted, SortedTrace, kind_of, kinds_of, sorted_text};
pub use summary::{Entry, Row, Series, State, Summary};
pub use table::{changes_text, csv, job_line, jobs_text, markdown, table_text};
