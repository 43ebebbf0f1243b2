//! Marks in a trace: the positions of a constraint, and where a property is violated.

use lang::model::Position;
use lang::trace::Lasso;

/// The marks beside a trace.
#[derive(Debug, Clone, Default)]
pub struct Marks<'a> {
    /// Names of position variables with the positions where they lie.
    pub positions: Vec<(&'a str, Position)>,
    /// Positions of violating states with what to say there.
    pub remarks: Vec<(Position, String)>,
}

/// Where a loop begins and ends, with what to say there.
pub fn loop_marks(lasso: &Lasso) -> Vec<(Position, String)> {
    let end = format!("as at {}, and so on for ever", lasso.start);
    vec![(lasso.start, "the loop begins here".to_owned()), (lasso.trace.last(), end)]
}

impl Marks<'_> {
    /// The names of the position variables at a position: `i,j`.
    pub(crate) fn margin(&self, at: Position) -> String {
        let names: Vec<&str> =
            self.positions.iter().filter(|(_, p)| *p == at).map(|(name, _)| *name).collect();
        names.join(",")
    }

    /// The remark on the violations at a position, if there are any.
    pub(crate) fn remark(&self, at: Position) -> Option<String> {
        let texts: Vec<&str> =
            self.remarks.iter().filter(|(p, _)| *p == at).map(|(_, text)| text.as_str()).collect();
        (!texts.is_empty()).then(|| texts.join(" and "))
    }
}
