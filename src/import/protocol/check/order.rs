//! The order of events in a role: a variable is received before it is used.

use crate::protocol::ir::{RoleId, RoleVariable, VariableId};
use kit::diagnostics::{Diagnostic, Span};
use rustc_hash::FxHashSet;

/// An occurrence of a variable or fresh value.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mention {
    pub variable: VariableId,
    pub span: Span,
}

#[derive(Debug)]
pub(super) struct Actor {
    pub role: RoleId,
    /// The variables with values so far.
    pub order: EventOrder,
    /// True after its first receipt.
    pub received: bool,
}

/// The variables with values between two events of a role.
#[derive(Debug, Default)]
pub(super) struct EventOrder {
    /// The variables that have values, and the fresh values that occurred.
    known: FxHashSet<VariableId>,
    reported: FxHashSet<VariableId>,
    /// True if an earlier event could not be read: variables may have got values there.
    skipped: bool,
}

impl EventOrder {
    /// Notes an event that could not be read.
    pub fn skip(&mut self) {
        self.skipped = true;
    }

    /// Checks that variables in terms sent, claimed or compared have values. `done` names the use.
    pub fn uses(&mut self, mentions: &[Mention], variables: &[RoleVariable], done: &str) -> Vec<Diagnostic> {
        let mut mistakes = Vec::new();
        for mention in mentions {
            let variable = &variables[mention.variable.index()];
            if variable.fresh {
                self.known.insert(mention.variable);
            } else if !self.skipped
                && !self.known.contains(&mention.variable)
                && self.reported.insert(mention.variable)
            {
                let message = format!("variable `{}` is {done} before it is received", variable.name);
                let help = "a variable gets its value from a message; declare what the role makes itself with `fresh`";
                mistakes.push(Diagnostic::error(mention.span, message).with_help(help));
            }
        }
        mistakes
    }

    /// Gives values to the variables of a received message or a pattern.
    pub fn binds(&mut self, mentions: &[Mention], variables: &[RoleVariable]) -> Vec<Diagnostic> {
        let mut warnings = Vec::new();
        for mention in mentions {
            let variable = &variables[mention.variable.index()];
            if self.known.insert(mention.variable) && variable.fresh && !self.skipped {
                let message = format!("fresh value `{}` is received before it is sent", variable.name);
                let help = "no one else can know it: declare what the role receives with `var`";
                warnings.push(Diagnostic::warning(mention.span, message).with_help(help));
            }
        }
        warnings
    }
}
