//! Results for people and for programs, and batches of them.
//!
//! [`shared`] has what was asked, [`classes`] and [`lassos`] the parts of a classification, [`view`] its text and page, [`causes`],
//! [`checks`] and [`explicit`] a result each, as text, JSON and page; [`traces`] and [`writing`] what these consist of. Searches
//! nothing, and prints nothing.
#![forbid(unsafe_code)]

pub mod batch;
pub mod causes;
pub mod checks;
pub mod ci;
pub mod classes;
pub mod explicit;
pub mod findings;
pub mod lassos;
pub mod reference;
pub mod shared;
pub mod traces;
pub mod view;
pub mod writing;

pub use causes::CausalRequest;
pub use causes::dot::causal_dot;
pub use causes::json::{causal_document, causes_of_classes};
pub use causes::page::causal_page;
pub use causes::predicates::causal_predicates;
pub use causes::summary::causal_verdict;
pub use causes::text::{causal_brief, causal_text};
pub use causes::words::join_by_words;
pub use checks::check_json::{check_document, library_document};
pub use checks::check_page::check_page;
pub use checks::check_text::check_text;
pub use checks::tested::{
    ExampleDocument, ExampleVerdict, TestDocument, TestedFileDocument, example_document, test_document,
    test_text, trivial_notices,
};
pub use checks::verify::{
    AnswerDocument, ObligationDocument, UncheckedDocument, VerifyDocument, VerifyRequest, verify_document,
    verify_text,
};
pub use classes::beyond::lengths_text;
pub use classes::characterisation::{PatternRequest, patterns_beside, patterns_text};
pub use classes::classify_json::classify_document;
pub use classes::numbers::short_number;
pub use classes::patterns_json::{PatternsDocument, patterns_document};
pub use classes::vocabulary::{SurveyDocument, SurveyRequest, objection_text, survey_document, survey_text};
pub use findings::notices::{
    dead_end_notice, fewer_notice, horizon_notices, no_trace_notice, restatement_notices, silence_notices,
    start_notices, unreached_notice, vacuity_notices, vocabulary_notices,
};
pub use findings::symmetric::symmetry_notices;
pub use lassos::{LassoRequest, lasso_document, lasso_restatements};
pub use shared::document::{ErrorDocument, diagnostic_document, error_document, to_json, to_json_within};
pub use shared::evaluate::{places, violation_mark};
pub use shared::proof::{evidence_words, invariant_text, no_violation_words, part_words};
pub use shared::proof_folder::{
    FileDocument, ProofsDocument, ProvedDocument, proofs_text, proposition_words,
};
pub use shared::request::{
    CausesOfClasses, CheckRequest, CheckedProperty, ClassifyRequest, CommonRequest, DisplayOptions,
    GivenFairness, PropertyOutcome, shows_counterexamples,
};
pub use shared::verdict::{steps, verdict_sentence};
pub use traces::itf_text::itf_text;
pub use traces::trace_text::{change_text, integers_text, labels_line, trace_text};
pub use view::finite::result_view;
pub use view::infinite::lasso_view;
pub use writing::marks::{Marks, loop_marks};
pub use writing::markup::escape as escape_markup;
pub use writing::paint::Paint;
pub use writing::wording::Wording;
pub use writing::words::{constraint_words, order_words};
