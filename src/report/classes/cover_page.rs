//! What a cover says beside its classes, on a page: which of them occur together, what all counterexamples have, and what was not looked at.

use crate::writing::page::capitalised;
use classify::{AtStart, Cover};
use maud::{Markup, html};

/// How constraints `C` and counterexamples `T` are told.
pub struct CoverWords<'a, C, T> {
    /// The head of the column of counterexamples.
    pub shortest: &'a str,
    /// What is said where there may be other combinations.
    pub more: String,
    /// The head of what all counterexamples have.
    pub necessary: &'a str,
    /// The number of steps of a counterexample, and its labels.
    pub labels: &'a dyn Fn(&T) -> (usize, String),
    /// The text of a constraint.
    pub text: &'a dyn Fn(&C) -> String,
}

/// The remark on what every violating trace has, by its number, if it is so from the start.
pub fn from_start<C, T>(cover: &Cover<C, T>, index: usize) -> &'static str {
    match cover.at_start.get(index) {
        Some(AtStart::Always) => "  (in every initial state)",
        _ => "",
    }
}

/// It for a cover of so many classes, without what is left over.
pub fn cover_parts<C, T>(classes: usize, cover: &Cover<C, T>, words: &CoverWords<'_, C, T>) -> Markup {
    html! {
        @if classes > 1 && !cover.combinations.is_empty() {
            h2 { "Classes that occur together" }
            table.numbers {
                tr {
                    @for number in 1..=classes { th scope="col" { "Class " (number) } }
                    th scope="col" { "Steps" }
                    th scope="col" { (words.shortest) }
                }
                @for combination in &cover.combinations {
                    @let (steps, labels) = (words.labels)(&combination.trace);
                    tr {
                        @for class in 0..classes { td { @if combination.classes.contains(&class) { "✓" } } }
                        td.number { (steps) }
                        td { (labels) }
                    }
                }
            }
            @if !cover.all { p { (capitalised(&words.more)) "." } }
        }
        @if !cover.necessary.is_empty() {
            h2 { (words.necessary) }
            ul {
                @for (index, constraint) in cover.necessary.iter().enumerate() {
                    li.formula { ((words.text)(constraint)) (from_start(cover, index)) }
                }
            }
        }
        @if !cover.skipped.is_empty() {
            p { "Not looked at, as they have too many values: " (cover.skipped.join(", ")) "." }
        }
    }
}
