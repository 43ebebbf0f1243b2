//! Steps of terms: the observable part, the offers, and the target.

use super::term::{Env, Gates, TermId};
use crate::process::program::{CodeId, GateId, TypeId};
use crate::process::value::Value;
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
pub struct Offer {
    pub of: TypeId,
    /// The value, if there is only one.
    pub value: Option<Value>,
}

impl Offer {
    /// The offer on which two partners of a rendezvous agree.
    pub fn meet(&self, other: &Offer) -> Option<Offer> {
        let agree = self.of == other.of
            && match (&self.value, &other.value) {
                (Some(a), Some(b)) => a == b,
                _ => true,
            };
        agree.then(|| Offer { of: self.of, value: self.value.clone().or_else(|| other.value.clone()) })
    }
}

/// A transition of a term, with offers that may be open.
#[derive(Debug, Clone)]
pub struct Step {
    /// The gate, the internal action, or the dummy of an omitted one.
    pub act: Act,
    /// The offers, including those of hidden gates.
    pub offers: Rc<[Offer]>,
    /// The actions that take part in it; ascending.
    pub who: Rc<[CodeId]>,
    /// The target, which depends on the values of open offers.
    pub next: Rc<Next>,
}

/// The target of a step before the values of its offers are known.
#[derive(Debug)]
pub enum Next {
    /// The action is done, and its variables get the values.
    Act(CodeId, Env),
    /// A term that does not depend on the values.
    Term(TermId),
    /// As the terms of the same names.
    #[allow(missing_docs, reason = "see the terms")]
    Sequence(Rc<Next>, CodeId, Gates),
    #[allow(missing_docs, reason = "see the terms")]
    Loop(Rc<Next>, CodeId, Gates),
    #[allow(missing_docs, reason = "see the terms")]
    Return(Rc<Next>, Env, CodeId),
    /// The branches of this composition, some of them after a step.
    Par(TermId, Vec<(usize, Rc<Next>)>),
    #[allow(missing_docs, reason = "see the terms")]
    Hide(Rc<Next>, GateId),
    #[allow(missing_docs, reason = "see the terms")]
    Disrupt(Rc<Next>, CodeId, Env, Gates),
}
