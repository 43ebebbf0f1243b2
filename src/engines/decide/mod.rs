//! Decisions about models, by whichever engine gives an answer: a portfolio over [`crate::explore`], [`crate::ctl`],
//! [`crate::prove`] and [`solvers::unroll`].
//!
//! [`branching()`] decides branching-time properties, [`linear`] linear-time ones, [`invariant`] invariants for traces
//! of every length, and [`by_scripts`] invariants up to a bound with an SMT solver. Each result states how it was
//! decided.
//!
//! ```
//! use cladist::budget::Budget;
//! use cladist::ctl::{CtlVerdict, EvidenceOutcome, formula_of_property};
//! use cladist::decide;
//!
//! let model = cladist::model::load("../../specs/reliable_data_transfer.sts".as_ref(), &[]).model.expect("no mistakes");
//! let liveness = &model.properties[model.property("liveness").expect("a property of the model")];
//! let formula = formula_of_property(&model, liveness).expect("a formula of ctl");
//! let decided = decide::branching(&model, &formula, &Default::default(), &Budget::unlimited())?;
//! assert_eq!(decided.verdict, CtlVerdict::Violated);
//! let EvidenceOutcome::Shown(lasso) = decided.found else { panic!("a lasso shows it") };
//! assert_eq!(lasso.witness.states.len(), 3);
//! # Ok::<(), decide::NoDecision>(())
//! ```

pub mod branching;
mod by_scripts;
mod invariant;
mod linear;
mod side_by_side;

pub use branching::{Basis, Branching, BranchingOptions, BudgetPhase, Caveat, NoDecision, branching};
pub use by_scripts::by_scripts;
pub use invariant::{InvariantOptions, InvariantResult, listed};
pub use linear::{LinearOptions, LinearResult, LinearStates, NotListed, linear, listed_linear};
pub use side_by_side::{bounded, invariant};
