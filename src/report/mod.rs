//! Results for people and for programs: one exporter a file, nothing is computed or printed here.

mod advice;
mod align;
mod baseline;
mod beyond;
mod causes;
mod chart_json;
mod chart_svg;
mod chart_text;
mod check_json;
mod check_text;
pub mod ci;
mod class_json;
mod class_table;
mod classify_json;
mod classify_text;
mod columns;
mod cover_page;
pub mod ctl;
mod decisive;
mod digits;
mod document;
mod error_json;
mod evaluate;
mod fact_list;
#[cfg(test)]
#[path = "../../tests/common/fixture.rs"]
pub(crate) mod fixture;
mod html;
mod images;
mod integers_text;
mod itf_text;
mod lassos;
pub mod lts;
mod marks;
mod markup;
mod necessary;
mod notices;
mod numbers;
mod overlap;
mod page;
mod paint;
mod pair;
mod places;
mod proof;
mod proof_folder;
mod proofs_made;
mod request;
mod restating;
mod sequence;
mod sources;
mod stepper;
mod symmetric;
mod trace_text;
mod verdict;
mod verify;
mod vocabulary;
mod weakness;
mod wording;
mod words;

pub use advice::vocabulary_notices;
pub use baseline::{BaselineDocument, KnownDocument, NoveltyDocument, baseline_text};
pub use beyond::lengths_text;
pub use chart_json::{BindingDocument, ChartDocument, EventDocument, RunDocument};
pub use check_json::{CheckDocument, check_document};
pub use check_text::check_text;
pub use classify_json::{ClassifyDocument, classify_document};
pub use classify_text::{classification_brief, classification_text};
pub use document::{
    DiagnosticDocument, LabelDocument, MomentDocument, TraceDocument, diagnostic_document, to_json,
    to_json_within,
};
pub use error_json::{ErrorDocument, error_document};
pub use evaluate::violation_mark;
pub use html::html_page;
pub use integers_text::integers_text;
pub use itf_text::itf_text;
pub use lassos::{
    LassoDocument, LassoRequest, lasso_baseline_text, lasso_classification_text, lasso_document, lasso_page,
    lasso_restatements,
};
pub use marks::{Marks, loop_marks};
pub use markup::escape as escape_markup;
pub use notices::{
    dead_end_notice, fewer_notice, horizon_notices, no_trace_notice, silence_notices, start_notices,
    unreached_notice, vacuity_notices,
};
pub use numbers::short_number;
pub use page::{footer, page as html_document};
pub use paint::Paint;
pub use proof::{ProofDocument, evidence_words, invariant_text, no_violation_words, part_words};
pub use proof_folder::{FileDocument, ProofsDocument, ProvedDocument, proposition_words};
pub use proofs_made::{MissingDocument, ProofsSummary, proofs_text};
pub use request::{
    Asked, CheckRequest, CheckedProperty, ClassifyRequest, GivenFairness, Outcome, View,
    shows_counterexamples,
};
pub use restating::restatement_notices;
pub use symmetric::symmetry_notices;
pub use trace_text::{change_text, labels_line, trace_text};
pub use verdict::{steps, verdict_sentence};
pub use verify::{
    AnswerDocument, ObligationDocument, UncheckedDocument, VerifyDocument, VerifyRequest, verify_document,
    verify_text,
};
pub use vocabulary::{SurveyDocument, SurveyRequest, survey_document, survey_text};
pub use wording::Wording;
pub use words::{constraint_words, order_words};
