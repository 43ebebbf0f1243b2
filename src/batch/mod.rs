//! Many classifications side by side: what a job is, what it left behind, how the classes change from
//! bound to bound; tables, documents and plots of it. Nothing is run here, and no file is read.

mod changes;
mod document;
mod key;
mod plot;
mod record;
mod summary;
mod table;

pub use changes::{Change, Fate};
pub use document::{BatchDocument, batch_document, jobs_document};
pub use key::{Key, fingerprint};
pub use plot::plot_svg;
pub use record::{Found, FoundClass, Outcome, Record};
pub use summary::{Entry, Row, Series, State, Summary};
pub use table::{changes_text, csv, job_line, jobs_text, markdown, table_text};
