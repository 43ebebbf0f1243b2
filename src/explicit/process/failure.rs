//! Values that cannot be computed.

use kit::budget::Exhausted;
use kit::diagnostics::Span;

/// A value cannot be computed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// The code that was evaluated.
    pub span: Span,
    /// One clause without a full stop, for a diagnostic.
    pub message: String,
    /// The reason, which decides how it is reported.
    pub cause: FailureCause,
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Failure {}

/// The reason for a [`Failure`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailureCause {
    /// There is no such value: a mistake of the text.
    Undefined,
    /// A fixed limit on the size of values or the length of computations was exceeded.
    TooMuch,
    /// The limit on time or memory was reached.
    Budget(Exhausted),
}

impl Failure {
    /// A failure because there is no such value.
    pub fn undefined(span: Span, message: impl Into<String>) -> Self {
        Self { span, message: message.into(), cause: FailureCause::Undefined }
    }

    /// A failure because a fixed limit was exceeded.
    pub fn too_much(span: Span, message: impl Into<String>) -> Self {
        Self { span, message: message.into(), cause: FailureCause::TooMuch }
    }
}
