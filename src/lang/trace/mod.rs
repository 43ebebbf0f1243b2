//! Traces: comparison and storage.

mod difference;
mod itf;
mod itf_error;
mod itf_file;
mod json;
mod lasso;
mod mermaid;
mod tlc;

pub use difference::{Change, Difference, differences, value_differences};
pub use itf::{ItfTrace, from_itf, lasso_to_itf, stored_from_itf, to_itf};
pub use itf_error::ItfError;
pub use itf_file::ItfFile;
pub use json::{lasso_from_json, trace_from_json, value_from_json, value_json};
pub use lasso::Lasso;
pub use mermaid::sequence_diagram;
pub use tlc::lists_states;

use crate::model::permutation::Permutation;
use crate::model::value::{Label, Moment, State};
use crate::model::{Model, Position};

/// The kind of finite traces, which violate invariants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Finite;

/// The kind of infinite traces, which violate formulas of linear time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Infinite;

/// A finite trace: the first moment has no label, all others have one. Its length is the number of steps, one less
/// than the number of moments.
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

    /// The labels of its steps, in their order.
    pub fn labels(&self) -> impl DoubleEndedIterator<Item = &Label> + Clone {
        self.moments.iter().filter_map(|moment| moment.label.as_ref())
    }

    /// True if the trace has no steps.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The image under a permutation of values.
    #[must_use]
    pub fn permuted(&self, model: &Model, by: &Permutation) -> Self {
        let moment = |moment: &Moment| Moment {
            label: moment.label.as_ref().map(|label| by.label(model, label)),
            state: by.state(model, &moment.state),
        };
        Self { moments: self.moments.iter().map(moment).collect() }
    }

    /// Its positions, in order.
    pub fn positions(&self) -> impl DoubleEndedIterator<Item = Position> + Clone + use<> {
        Position::all(self.moments.len())
    }

    /// Its last position.
    pub fn last(&self) -> Position {
        Position::after(self.len())
    }

    /// The state at a position, and the label of the step that led there.
    pub fn moment(&self, at: Position) -> &Moment {
        &self.moments[at.index()]
    }

    /// The state at a position.
    pub fn state(&self, at: Position) -> &State {
        &self.moment(at).state
    }
}
