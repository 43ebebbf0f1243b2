//! What names mean at a place: variables, gates, loops.

use super::types::Channel;
use crate::diagnostics::Span;
use crate::process::program::{CodeId, GateSlot, Slot, TypeId};
use crate::process::text::tree::Name;

/// A variable.
#[derive(Debug, Clone)]
pub(super) struct Variable {
    pub key: String,
    pub slot: Slot,
    pub of: TypeId,
}

/// A gate that can be used.
#[derive(Debug)]
pub(super) struct Gate {
    pub key: String,
    pub slot: GateSlot,
    pub channel: Channel,
}

/// What is known inside a function or process.
#[derive(Debug, Default)]
pub(super) struct Scope {
    /// Those that can be used, inner ones last.
    pub variables: Vec<Variable>,
    /// How many slots there are so far; each declaration has its own.
    pub slots: usize,
    /// Gates that can be used, inner ones last.
    pub gates: Vec<Gate>,
    /// How many places for gates there are so far.
    pub gate_slots: usize,
    /// Loops around this place, inner ones last; those beyond a parallel composition cannot be left.
    pub loops: Vec<(Option<String>, CodeId)>,
    /// What each slot is called, and where it was declared.
    pub declared: Vec<(String, Span)>,
    /// The type of the result; `None` in a process.
    pub result: Option<TypeId>,
}

impl Scope {
    /// A new variable.
    pub fn declare(&mut self, name: &Name, of: TypeId) -> Slot {
        let slot = Slot::new(self.slots);
        self.slots += 1;
        self.declared.push((name.shown.clone(), name.span));
        self.variables.push(Variable { key: name.key.clone(), slot, of });
        slot
    }

    /// The gate with this name.
    pub fn gate(&self, key: &str) -> Option<(GateSlot, &Channel)> {
        let found = self.gates.iter().rev().find(|gate| gate.key == key);
        found.map(|gate| (gate.slot, &gate.channel))
    }
}

/// The variable with this name.
pub(super) fn variable<'a>(variables: &'a [Variable], key: &str) -> Option<&'a Variable> {
    variables.iter().rev().find(|variable| variable.key == key)
}
