//! The labels of a system, as formulas see them.

use super::label::{LabelAction, actions};
use super::value::DataValue;
use crate::lts::{LabelId, Lts};
use rustc_hash::FxHashSet;

/// The labels of a system with their parts.
#[derive(Debug)]
pub struct LabelParts {
    /// For each label its actions in ascending order.
    actions: Vec<Vec<LabelAction>>,
    /// The constructors in their data, with their numbers of arguments.
    constructors: FxHashSet<(String, usize)>,
}

impl LabelParts {
    /// Those of a system.
    pub fn of(lts: &Lts) -> Self {
        let labels = lts.labels();
        let actions: Vec<Vec<LabelAction>> = labels.ids().map(|label| actions(&labels.text(label))).collect();
        let mut constructors = FxHashSet::default();
        for action in actions.iter().flatten() {
            action.arguments.iter().for_each(|value| collect(value, &mut constructors));
        }
        Self { actions, constructors }
    }

    /// The actions of a label in ascending order; none if it is invisible or cannot be read.
    pub fn of_label(&self, label: LabelId) -> &[LabelAction] {
        &self.actions[label.index()]
    }

    /// The actions with a name and a number of arguments in labels of so many actions.
    pub fn with_name<'a>(
        &'a self,
        name: &'a str,
        arguments: usize,
        together: usize,
    ) -> impl Iterator<Item = &'a LabelAction> {
        let labels = self.actions.iter().filter(move |actions| actions.len() == together);
        labels.flatten().filter(move |action| action.name == name && action.arguments.len() == arguments)
    }

    /// True if some label has a constructor with so many arguments.
    pub fn has_constructor(&self, name: &str, arguments: usize) -> bool {
        self.constructors.contains(&(name.to_owned(), arguments))
    }

    /// The names of constructors without arguments.
    pub fn constants(&self) -> impl Iterator<Item = &str> {
        self.constructors.iter().filter(|(_, arguments)| *arguments == 0).map(|(name, _)| name.as_str())
    }
}

pub fn collect(value: &DataValue, found: &mut FxHashSet<(String, usize)>) {
    match value {
        DataValue::Bool(_) | DataValue::Number(_) => {}
        DataValue::List(parts) => parts.iter().for_each(|part| collect(part, found)),
        DataValue::Set(parts) => parts.iter().for_each(|part| collect(part, found)),
        DataValue::Term(name, parts) => {
            found.insert((name.clone(), parts.len()));
            parts.iter().for_each(|part| collect(part, found));
        }
    }
}
