//! Branching-time properties with fairness: deciding them, and showing why they are violated or hold.
//!
//! A [`CtlFormula`] is decided on all states of a [`Structure`] ([`check`]). A counterexample has to show a [`CtlGoal`]:
//! existential operators by its own steps, universal subformulas as facts of the whole system. In a system whose states
//! are listed, [graph search](graph_search()) finds most paths and lassos. The rest is left to a solver, over listed
//! states ([`Explicit`]) or over a model without listing them ([`SymbolicModel`]): first a path ([`shortest_path`]), then a
//! subgraph ([`smallest_subgraph`]). [`definition`] evaluates the results again. [`ListedTruth`] combines this for listed
//! systems, [`Scoped`] for models. [`Implicit`] decides formulas on decision diagrams.
//! [`branching`](crate::decide::branching()) chooses between them.

mod check;
pub mod definition;
mod diagrams;
mod evidence;
mod explicit;
mod extract;
mod formula;
mod goal;
mod graph_search;
mod lasso;
mod listed;
mod of_lts;
mod of_model;
mod pace;
mod path;
mod product;
mod scoped;
mod space;
mod structure;
mod subgraph;
mod symbolic;
mod text;
mod verdict;
mod witness;

pub use crate::relations::DiagramLimit;
pub use check::{SatisfactionSets, check, fair_loops};
pub use diagrams::Implicit;
pub use evidence::{CtlEvidence, evidence, evidence_within};
pub use explicit::Explicit;
pub use extract::{EvidenceForm, ExplainedWitness, Extracted, NoPath, PriorEvidence, extract, some_subgraph};
pub use formula::{CtlBuilder, CtlFormula, CtlOp, PreservationClass, Subformula};
pub use goal::{CtlGoal, GoalFact};
pub use graph_search::{GraphSearch, graph_search};
pub use listed::{IMPROVING, ListedTruth, OpenEvidence, Searched};
pub use of_lts::{FormulaOfLts, formula_of_lts};
pub use of_model::{
    ModelFormula, PathFairness, StrongCondition, branching_formula, expression_text, formula_of_model,
    formula_of_property,
};
pub use path::{PathSearch, shortest_path};
pub use scoped::{Scoped, ScopedVerdict};
pub use space::{EncodedSystem, StateSlot};
pub use structure::Structure;
pub use subgraph::{SubgraphSearch, any_subgraph, smallest_subgraph};
pub use symbolic::{SymbolicModel, is_about_one_state};
pub use verdict::{CtlVerdict, EvidenceOutcome, Exhibit};
pub use witness::{Witness, WitnessShape};
