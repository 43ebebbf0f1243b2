//! Absences in a counterexample: atoms that hold nowhere between two of its positions, before one or after one.

use crate::facts::collect::Occurrences;
use crate::facts::fact::{Fact, FactKind, Stretch};
use crate::facts::index::{OccurrenceId, PositionVar};
use lang::model::Position;
use std::collections::BTreeSet;

/// An atom absent from a stretch between two positions of a counterexample. Without a first position the
/// stretch begins with the trace, without a last one it ends with it; it has at least one of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Absence {
    /// The absent atom.
    pub what: OccurrenceId,
    /// The position after which the stretch begins.
    pub from: Option<Position>,
    /// The position before which it ends.
    pub to: Option<Position>,
}

impl Absence {
    /// True if its stretch begins or ends at a position.
    pub fn touches(&self, position: Position) -> bool {
        self.from == Some(position) || self.to == Some(position)
    }

    /// Converts the absence to a fact over position variables, given the variable of each position.
    pub fn fact(&self, occurrences: &[Occurrences], variable: impl Fn(Position) -> PositionVar) -> Fact {
        let stretch = match (self.from, self.to) {
            (Some(_), Some(_)) => Stretch::Between,
            (None, _) => Stretch::Before,
            (Some(_), None) => Stretch::After,
        };
        let positions = self.from.into_iter().chain(self.to).map(variable).collect();
        Fact::about(FactKind::Absent(occurrences[self.what.index()].atom, stretch), positions)
    }
}

/// Returns all absences between neighbours among some positions, before the first one and, if `to_the_end`,
/// after the last one. All absences over these positions follow from them: if facts at a single position
/// cannot deny the atom, the stretches between the neighbours of a position are included.
///
/// Absences up to the end are useless if traces may end anywhere: a trace that satisfies everything else can
/// be cut after its last position.
pub fn strongest(
    occurrences: &[Occurrences],
    positions: &BTreeSet<Position>,
    to_the_end: bool,
) -> Vec<Absence> {
    if positions.is_empty() {
        return Vec::new();
    }
    let bounds: Vec<Option<Position>> =
        [None].into_iter().chain(positions.iter().copied().map(Some)).chain([None]).collect();
    let mut found = Vec::new();
    for (what, occurring) in occurrences.iter().enumerate() {
        let what = OccurrenceId::new(what);
        let mut add = |from: Option<Position>, to: Option<Position>| {
            let inside = |&t: &Position| from.is_none_or(|f| f < t) && to.is_none_or(|l| t < l);
            if !occurring.positions.iter().any(inside) {
                found.push(Absence { what, from, to });
            }
        };
        for pair in bounds.windows(2).filter(|pair| to_the_end || pair[1].is_some()) {
            add(pair[0], pair[1]);
        }
        if !occurring.told {
            // With a single position, the stretch would be the whole trace.
            bounds.windows(3).filter(|w| w[0].is_some() || w[2].is_some()).for_each(|w| add(w[0], w[2]));
        }
    }
    found
}
