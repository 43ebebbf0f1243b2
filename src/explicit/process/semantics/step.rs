//! Steps of terms: the observable part, the offers, and the target.

use super::term::{ActualGates, ProcessEnv, TermId};
use crate::process::program::{CodeId, GateId, TypeId};
use crate::process::value::ProcessValue;
use std::rc::Rc;

/// The observable part of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Act {
    Gate(GateId),
    /// The internal action.
    Invisible,
    /// An action, given by its code, is skipped.
    Dummy(CodeId),
}

/// An offer: a value, or any value of a type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenOffer {
    pub of: TypeId,
    /// The value, if there is only one.
    pub value: Option<ProcessValue>,
}

impl OpenOffer {
    /// The offer on which two partners of a rendezvous agree.
    pub fn meet(&self, other: &OpenOffer) -> Option<OpenOffer> {
        let agree = self.of == other.of
            && match (&self.value, &other.value) {
                (Some(a), Some(b)) => a == b,
                _ => true,
            };
        agree.then(|| OpenOffer { of: self.of, value: self.value.clone().or_else(|| other.value.clone()) })
    }
}

/// A transition of a term, with offers that may be open.
#[derive(Debug, Clone)]
pub struct TermStep {
    /// The gate, the internal action, or the dummy of an omitted one.
    pub act: Act,
    /// The offers, including those of hidden gates.
    pub offers: Rc<[OpenOffer]>,
    /// The actions that take part in it; ascending.
    pub who: Rc<[CodeId]>,
    /// The target, which depends on the values of open offers.
    pub next: Rc<StepTarget>,
}

/// The target of a step before the values of its offers are known.
#[derive(Debug)]
pub enum StepTarget {
    /// The action is done, and its variables get the values.
    Act(CodeId, ProcessEnv),
    /// A term that does not depend on the values.
    Term(TermId),
    /// As the terms of the same names.
    #[allow(missing_docs, reason = "see the terms")]
    Sequence(Rc<StepTarget>, CodeId, ActualGates),
    #[allow(missing_docs, reason = "see the terms")]
    Loop(Rc<StepTarget>, CodeId, ActualGates),
    #[allow(missing_docs, reason = "see the terms")]
    Return(Rc<StepTarget>, ProcessEnv, CodeId),
    /// The branches of this composition, some of them after a step.
    Par(TermId, Vec<(usize, Rc<StepTarget>)>),
    #[allow(missing_docs, reason = "see the terms")]
    Hide(Rc<StepTarget>, GateId),
    #[allow(missing_docs, reason = "see the terms")]
    Disrupt(Rc<StepTarget>, CodeId, ProcessEnv, ActualGates),
}
