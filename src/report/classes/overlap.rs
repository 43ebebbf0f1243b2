//! Which classes have counterexamples in common.

use crate::classes::numbers::short_number;
use crate::shared::request::ClassifyRequest;
use classify::{Class, Classification, Count};
use num_bigint::BigUint;

/// With more classes than this there is no matrix.
const MOST: usize = 60;

/// Counterexamples that classes have in common.
#[derive(Debug, PartialEq, Eq)]
pub struct Overlaps {
    /// The meaning of the cells.
    pub meaning: &'static str,
    /// For each class and each other one: a number or a sign, empty where nothing is known in common.
    pub cells: Vec<Vec<String>>,
}

/// The matrix of a result with several classes that overlap; `None` where none is known to.
pub fn overlaps(request: &ClassifyRequest<'_>, result: &Classification) -> Option<Overlaps> {
    let classes = result.classes.len();
    if !(2..=MOST).contains(&classes) {
        return None;
    }
    let counts = result.counts.as_ref().and_then(|counts| counts.as_ref().ok());
    let overlaps = match (counts, &result.cover) {
        (Some(numbers), _) => counted(&numbers.counts, classes),
        (None, Some(cover)) => {
            let together = |a: usize, b: usize| {
                cover.combinations.iter().any(|c| c.classes.contains(&a) && c.classes.contains(&b))
            };
            Overlaps { meaning: "● some counterexample is in both.", cells: signs(classes, together) }
        }
        (None, None) => shown(request, result),
    };
    let apart =
        |row: usize| overlaps.cells[row].iter().enumerate().all(|(c, cell)| c == row || cell.is_empty());
    (!(0..classes).all(apart)).then_some(overlaps)
}

fn counted(counts: &[Count], classes: usize) -> Overlaps {
    let both = |a: usize, b: usize| -> BigUint {
        let sets = counts.iter().flat_map(|count| &count.first.0);
        sets.filter(|(set, _)| set.contains(&a) && set.contains(&b)).map(|(_, number)| number).sum()
    };
    let cell = |a, b| {
        let number = both(a, b);
        if number == BigUint::ZERO { String::new() } else { short_number(&number) }
    };
    let cells = (0..classes).map(|a| (0..classes).map(|b| cell(a, b)).collect()).collect();
    Overlaps {
        meaning: "Number of counterexamples in both classes; each ends in its first violation.",
        cells,
    }
}

/// By the traces that the result shows of each class, and the reference semantics.
fn shown(request: &ClassifyRequest<'_>, result: &Classification) -> Overlaps {
    let is_in = |a: usize, b: usize| {
        let class = &result.classes[a];
        // What is in one class alone is in no other one that is not redundant.
        let alone = class.canonical.as_ref() == Some(&class.representative) && !result.classes[b].redundant;
        let trace = &class.representative.moments;
        let matches =
            |other: &Class| other.constraint.matches(request.asked.model, &result.atoms, trace).is_some();
        a == b || (!alone && result.classes[b].with_images().any(matches))
    };
    Overlaps {
        meaning: "● the counterexample shown for the row is also in the column's class.",
        cells: signs(result.classes.len(), is_in),
    }
}

fn signs(classes: usize, holds: impl Fn(usize, usize) -> bool) -> Vec<Vec<String>> {
    let sign = |holds: bool| if holds { "●".to_owned() } else { String::new() };
    (0..classes).map(|a| (0..classes).map(|b| sign(holds(a, b))).collect()).collect()
}
