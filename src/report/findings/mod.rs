//! Findings beside a result that suggest a mistake in the input, or a better question.

pub mod advice;
pub mod notices;
pub mod restating;
pub mod symmetric;
