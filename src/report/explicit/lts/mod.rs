//! Results about explicit systems.

mod bugs;
mod bugs_text;
mod check;
mod compare;
mod counterexample;
mod decisive;
mod documents;
mod escapes;
mod generate;
mod inevitable;
mod info;
mod minimize;
mod neighbours;
mod tag;
mod words;

pub use bugs::BugsReport;
pub use check::CheckReport;
pub use compare::CompareReport;
pub use counterexample::{CounterexampleOutcome, CounterexampleReport, SystemGoal};
pub use decisive::DecisiveProperty;
pub use documents::{Findings, LtsSize, PropertyText, ReportedSystem, SafetyRequest, undecided_document};
pub use escapes::EscapesReport;
pub use generate::GenerateReport;
pub use inevitable::{AnswerProperty, InevitableGoal, InevitableReport};
pub use info::InfoReport;
pub use minimize::{MinimizeReport, Modulo, Reduced};
pub use neighbours::NeighboursReport;
pub use tag::TagReport;
