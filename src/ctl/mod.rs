//! Branching-time properties with fairness: deciding them, and showing why they are violated or hold.
//!
//! A [`Formula`] is decided on all states of a [`Structure`] ([`check`]). What a counterexample has to show is a [`Goal`]:
//! existential operators by steps of its own, everything below a universal operator as a fact of the whole system. It is
//! looked for with a solver, in a system whose states are listed ([`Explicit`]) or in a model as it is ([`Symbolic`]): first
//! a path ([`shortest_path`]), then a subgraph ([`smallest_subgraph`]). [`definition`] evaluates what was found again.

mod check;
pub mod definition;
mod evidence;
mod explicit;
mod extract;
mod formula;
mod goal;
mod of_lts;
mod of_model;
mod path;
mod reach;
mod space;
mod structure;
mod subgraph;
mod symbolic;
mod text;
mod witness;

pub use check::{Truth, check, fair_loops};
pub use evidence::{Evidence, evidence};
pub use explicit::Explicit;
pub use extract::{Extracted, NoPath, Shown, Wanted, extract, some_subgraph};
pub use formula::{Builder, Class, Formula, Node, Part};
pub use goal::{Fact, Goal};
pub use of_lts::formula_of_lts;
pub use of_model::{ModelFormula, formula_of_model};
pub use path::{PathSearch, shortest_path};
pub use reach::shortest_way;
pub use space::Space;
pub use structure::Structure;
pub use subgraph::{SubgraphSearch, any_subgraph, smallest_subgraph};
pub use symbolic::{Symbolic, is_about_one_state};
pub use witness::{Shape, Witness};
