//! Proofs for traces of every length: of a model, or of a model with what watches it ([`Watch`]), that
//! something never happens.
//!
//! There are three ways: visiting all states ([`crate::explore`]), where they are few; k-induction; and IC3. The
//! latter two give a [`Certificate`], which the back end that did not search checks again before anything is
//! said to hold.

mod activity;
mod atoms;
mod certificate;
pub mod cube;
mod frames;
mod ic3;
mod induction;
mod initiation;
mod invariant;
mod lift;
mod query;
mod relation;
pub mod statement;
mod support;
mod system;
mod watch;

pub use atoms::{Atom, Atoms};
pub use certificate::{Certificate, Checked, Part};
pub use invariant::{Decision, Evidence, Reduction, Unproved, Way, decide, symbolic};
pub use statement::{StateLit, StatementId};
pub use system::System;
pub use watch::{Always, Watch};

use ic3::Ic3;
use induction::Induction;
use kit::budget::{Budget, Exhausted, Observer};
use solvers::sat::Backend;

/// A symbolic way to prove.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// k-induction alone. It always ends, but often only after as many steps as the longest path has that visits
    /// no state twice.
    Induction,
    /// IC3 alone.
    Ic3,
    /// k-induction for small k, then IC3.
    Both,
}

/// What is known of something that must never happen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Proof {
    /// It never happens; the certificate was checked again.
    Holds(Certificate),
    /// It happens after this many steps, perhaps also after fewer.
    Violated(usize),
    /// The budget ended first.
    Unknown {
        /// What ended it.
        why: Exhausted,
        /// It does not happen after fewer steps than this.
        depth: usize,
    },
}

/// What a proof may use.
pub struct Effort<'o> {
    /// The back end that searches.
    pub backend: Backend,
    /// How long.
    pub budget: &'o Budget,
    /// Who is told how it is getting on.
    pub observer: &'o mut dyn Observer,
}

/// What a search gave.
enum Found {
    Holds(Certificate),
    Violated(usize),
    Exhausted(Exhausted),
    /// Nothing, within its limit.
    Nothing,
}

/// How many steps k-induction looks back before IC3 takes over.
const SMALL_K: usize = 3;

/// Tries to prove that what a system watches for never happens.
///
/// # Panics
/// If the other back end refuses the certificate: the search is wrong then.
pub fn prove(system: &System<'_>, method: Method, mut effort: Effort<'_>) -> Proof {
    let mut depth = 0;
    let mut found = Found::Nothing;
    if method != Method::Ic3 {
        let mut induction = Induction::new(system, &effort);
        let most = if method == Method::Both { SMALL_K } else { usize::MAX };
        found = induction.up_to(most, &mut effort);
        depth = induction.depth();
    }
    if matches!(found, Found::Nothing) {
        found = match Ic3::new(system, &effort) {
            Ok(mut ic3) => {
                let found = ic3.run(&mut effort);
                depth = depth.max(ic3.depth());
                found
            }
            Err(why) => Found::Exhausted(why),
        };
    }
    match found {
        Found::Holds(certificate) => match certificate.check(system, other(effort.backend), effort.budget) {
            Checked::Confirmed => Proof::Holds(certificate),
            Checked::Exhausted(why) => Proof::Unknown { why, depth },
            Checked::Refused(wrong) => panic!("a proof was refused: {wrong}"),
        },
        Found::Violated(depth) => Proof::Violated(depth),
        Found::Exhausted(why) => Proof::Unknown { why, depth },
        Found::Nothing => unreachable!("IC3 has no limit of its own"),
    }
}

/// The back end that checks what this one found.
pub fn other(backend: Backend) -> Backend {
    match backend {
        Backend::Cadical => Backend::Varisat,
        Backend::Varisat => Backend::Cadical,
    }
}
