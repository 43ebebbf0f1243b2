//! What cannot be computed.

use crate::budget::Exhausted;
use crate::diagnostics::Span;

/// What cannot be computed, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// The place.
    pub span: Span,
    /// One sentence.
    pub message: String,
    /// Whose fault it is.
    pub cause: FailureCause,
}

/// Why something cannot be computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailureCause {
    /// There is no such value: the text is wrong.
    Undefined,
    /// It is too much to be computed here.
    TooMuch,
    /// The budget ended.
    Budget(Exhausted),
}

impl Failure {
    /// There is no such value.
    pub fn undefined(span: Span, message: impl Into<String>) -> Self {
        Self { span, message: message.into(), cause: FailureCause::Undefined }
    }

    /// It is too much to be computed here.
    pub fn too_much(span: Span, message: impl Into<String>) -> Self {
        Self { span, message: message.into(), cause: FailureCause::TooMuch }
    }
}
