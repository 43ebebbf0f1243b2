//! What all texts and pages are made of: words, columns, colours, marks, and the frame of pages.

pub mod columns;
pub mod digits;
pub mod marks;
pub mod markup;
pub mod page;
pub mod paint;
pub mod wording;
pub mod words;
