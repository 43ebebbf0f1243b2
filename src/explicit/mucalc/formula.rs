//! Formulas in which every name is known.

use super::expr::{DataExpr, DataSlot, DataSlots};
use super::value::DataValue;
use crate::lts::property::{self, LabelAtom};
use kit::diagnostics::Span;

/// A formula over the labels of one system.
#[derive(Debug, Clone)]
pub struct ResolvedFormula {
    /// The body.
    pub root: StateFormula,
    /// The names of its variables for data.
    pub slots: Vec<String>,
    /// The names of its fixpoints.
    pub fixpoints: Vec<String>,
}

/// A fixpoint: its number among those of the formula.
pub type FixpointId = usize;

#[derive(Debug, Clone)]
pub enum StateFormula {
    Bool(bool),
    /// All states if the expression is true, else none.
    Val(DataExpr, Span),
    /// The others.
    Not(Box<StateFormula>),
    /// Conjunction.
    And(Vec<StateFormula>),
    /// Disjunction.
    Or(Vec<StateFormula>),
    /// `[R] f` if `all`, else `<R> f`
    Modal(bool, RegularFormula, Box<StateFormula>),
    Fixpoint(Box<Fixpoint>),
    Call(FixpointId, Vec<(DataSlot, DataExpr)>),
    /// For all values, or for one.
    Bind(Bind, Box<StateFormula>),
}

#[derive(Debug, Clone)]
pub struct Fixpoint {
    pub id: FixpointId,
    pub greatest: bool,
    /// Its parameters with their first values.
    pub parameters: Vec<(DataSlot, DataExpr)>,
    pub body: StateFormula,
}

/// A variable and the values that matter: with all others, what is said of it is true if `all`, else false.
#[derive(Debug, Clone)]
pub struct Bind {
    /// True if it is for all values.
    pub all: bool,
    pub slot: DataSlot,
    pub values: Vec<DataValue>,
}

/// A set of sequences of actions.
pub type RegularFormula = property::Regular<ActionFormula>;

#[derive(Debug, Clone)]
pub enum ActionFormula {
    /// All, or none.
    Bool(bool),
    /// All if the expression is true, else none.
    Val(DataExpr, Span),
    /// Labels without data.
    Atom(LabelAtom, Span),
    /// Actions with data, in the order of their names.
    Multi(Vec<(String, Vec<DataExpr>)>, Span),
    /// All others.
    Not(Box<ActionFormula>),
    /// Those in all of them.
    And(Vec<ActionFormula>),
    /// Those in one of them.
    Or(Vec<ActionFormula>),
    /// For all values, or for one.
    Bind(Bind, Box<ActionFormula>),
}

impl ActionFormula {
    /// The variables that it reads but does not bind.
    pub fn slots(&self) -> DataSlots {
        match self {
            ActionFormula::Bool(_) | ActionFormula::Atom(..) => 0,
            ActionFormula::Val(expr, _) => expr.slots(),
            ActionFormula::Multi(actions, _) => {
                actions.iter().flat_map(|(_, arguments)| arguments).fold(0, |all, e| all | e.slots())
            }
            ActionFormula::Not(action) => action.slots(),
            ActionFormula::And(parts) | ActionFormula::Or(parts) => {
                parts.iter().fold(0, |all, part| all | part.slots())
            }
            ActionFormula::Bind(bind, action) => action.slots() & !(1 << bind.slot),
        }
    }
}

impl StateFormula {
    /// The variables that it reads but does not bind.
    pub fn slots(&self) -> DataSlots {
        match self {
            StateFormula::Bool(_) => 0,
            StateFormula::Val(expr, _) => expr.slots(),
            StateFormula::Not(of) => of.slots(),
            StateFormula::And(parts) | StateFormula::Or(parts) => {
                parts.iter().fold(0, |all, part| all | part.slots())
            }
            StateFormula::Modal(_, regular, then) => {
                let mut all = then.slots();
                regular.for_each(&mut |action| all |= action.slots());
                all
            }
            StateFormula::Fixpoint(fixpoint) => {
                let first = fixpoint.parameters.iter().fold(0, |all, (_, e)| all | e.slots());
                let own = fixpoint.parameters.iter().fold(0, |all, (slot, _)| all | 1 << slot);
                first | (fixpoint.body.slots() & !own)
            }
            StateFormula::Call(_, arguments) => arguments.iter().fold(0, |all, (_, e)| all | e.slots()),
            StateFormula::Bind(bind, of) => of.slots() & !(1 << bind.slot),
        }
    }
}
