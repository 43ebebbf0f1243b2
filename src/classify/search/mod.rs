//! The loop of Algorithm 1 ([`class_search`], for finite traces [`engine`]), from a counterexample to a minimal class, to the choice of classes, covers and necessary facts.

pub mod choice;
pub mod class_search;
pub mod cores;
pub mod covering;
pub mod draft;
pub mod engine;
pub mod gathered;
pub mod generalise;
pub mod hiding;
pub mod hitting_set;
pub mod images;
pub mod merge;
pub mod minimise;
pub mod necessary;
pub mod orbits;
pub mod pool;
pub mod quick_xplain;
pub mod representatives;
pub mod score;
pub mod scripts;
pub mod weakness;
