//! Findings beside a result that suggest a mistake in the input, or a better question.

pub mod notices;
pub mod symmetric;
