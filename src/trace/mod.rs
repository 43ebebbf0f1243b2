//! Traces: what is shown of them and how they are stored.

use crate::model::value::Moment;

/// A finite trace: its first moment has no label, all others have one. Length = steps = moments − 1.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Trace {
    /// The moments, in order, at least one.
    pub moments: Vec<Moment>,
}

impl Trace {
    /// The number of steps.
    pub fn len(&self) -> usize {
        self.moments.len() - 1
    }

    /// Whether the trace is its first state alone.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
