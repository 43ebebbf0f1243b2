//! Steps of terms: what is seen of them, what is offered, and what is left to do after them.

use super::term::{Env, Gates, TermId};
use crate::process::program::{CodeId, TypeId};
use crate::process::value::Value;
use std::rc::Rc;

/// What a step is seen as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Act {
    /// A communication on a gate.
    Gate(u32),
    /// Something that is not seen.
    Invisible,
    /// What is done instead of an action: its code.
    Dummy(CodeId),
}

/// What is offered: a value, or any value of the type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offer {
    /// The type.
    pub of: TypeId,
    /// The value, if there is only one.
    pub value: Option<Value>,
}

impl Offer {
    /// What two partners that meet can agree on.
    pub fn meet(&self, other: &Offer) -> Option<Offer> {
        let agree = self.of == other.of
            && match (&self.value, &other.value) {
                (Some(a), Some(b)) => a == b,
                _ => true,
            };
        agree.then(|| Offer { of: self.of, value: self.value.clone().or_else(|| other.value.clone()) })
    }
}

/// A step that a term can do.
#[derive(Debug, Clone)]
pub struct Step {
    /// What is seen of it.
    pub act: Act,
    /// Its offers, also those that are not seen.
    pub offers: Rc<[Offer]>,
    /// The actions that take part in it; ascending.
    pub who: Rc<[CodeId]>,
    /// What is left to do after it.
    pub next: Rc<Next>,
}

/// What is left to do after a step.
#[derive(Debug)]
pub enum Next {
    /// The action is done, and its variables get the values.
    Act(CodeId, Env),
    /// This.
    Term(TermId),
    /// As the terms of the same names.
    #[allow(missing_docs, reason = "see the terms")]
    Sequence(Rc<Next>, CodeId, Gates),
    #[allow(missing_docs, reason = "see the terms")]
    Loop(Rc<Next>, CodeId, Gates),
    #[allow(missing_docs, reason = "see the terms")]
    Return(Rc<Next>, Env),
    /// The branches of this composition, some of them after a step.
    Par(TermId, Vec<(usize, Rc<Next>)>),
    #[allow(missing_docs, reason = "see the terms")]
    Hide(Rc<Next>, u32),
    #[allow(missing_docs, reason = "see the terms")]
    Disrupt(Rc<Next>, CodeId, Env, Gates),
}
