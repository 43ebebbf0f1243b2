//! The material of texts and pages: words, columns, colours, marks, and the frame of pages.

pub mod columns;
pub mod marks;
pub mod markup;
pub mod page;
pub mod paint;
pub mod wording;
pub mod words;
