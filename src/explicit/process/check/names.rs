//! Names in scope: variables, gates, loops.

use super::types::GateChannel;
use crate::process::program::{CodeId, GateSlot, Slot, TypeId};
use crate::process::text::tree::{ExprSyntax, ParameterMode, ProcessName};
use kit::diagnostics::Span;

#[derive(Debug, Clone)]
pub(super) struct ScopedVariable {
    pub key: String,
    pub slot: Slot,
    pub of: TypeId,
}

#[derive(Debug)]
pub(super) struct ScopedGate {
    pub key: String,
    pub slot: GateSlot,
    pub channel: GateChannel,
}

/// The names in scope inside a function or process.
#[derive(Debug, Default)]
pub(super) struct RoutineScope {
    /// The variables in scope, inner ones last.
    pub variables: Vec<ScopedVariable>,
    /// The number of slots so far; each declaration has its own.
    pub slots: usize,
    /// The gates in scope, inner ones last.
    pub gates: Vec<ScopedGate>,
    /// The number of gate slots so far.
    pub gate_slots: usize,
    /// Loops around this place, inner ones last; those beyond a parallel composition cannot be left.
    pub loops: Vec<(Option<String>, CodeId)>,
    /// For each slot the name of its variable, and the place of its declaration.
    pub declared: Vec<(String, Span)>,
    pub function: bool,
    /// The type of the result; none in a process.
    pub result: Option<TypeId>,
    /// The parameters that the caller gets back.
    pub outs: Vec<(Slot, ParameterMode)>,
    pub ensured: Vec<ExprSyntax>,
    /// The variable `result`, which the conditions at the end may use.
    pub result_slot: Option<Slot>,
}

impl RoutineScope {
    pub fn declare(&mut self, name: &ProcessName, of: TypeId) -> Slot {
        let slot = Slot::new(self.slots);
        self.slots += 1;
        self.declared.push((name.shown.clone(), name.span));
        self.variables.push(ScopedVariable { key: name.key.clone(), slot, of });
        slot
    }

    pub fn gate(&self, key: &str) -> Option<(GateSlot, &GateChannel)> {
        let found = self.gates.iter().rev().find(|gate| gate.key == key);
        found.map(|gate| (gate.slot, &gate.channel))
    }
}

pub(super) fn variable<'a>(variables: &'a [ScopedVariable], key: &str) -> Option<&'a ScopedVariable> {
    variables.iter().rev().find(|variable| variable.key == key)
}
