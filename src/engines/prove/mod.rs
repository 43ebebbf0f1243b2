//! Proofs for traces of every length that a model, or a model with an observer ([`ModelObserver`]), never reaches a bad state.
//!
//! There are four ways: visiting all states ([`crate::explore`]) if there are few; decision diagrams; k-induction; and IC3. The latter
//! two give a [`Certificate`], which the other back end checks again before a result is reported.

mod affine;
mod atoms;
mod certificate;
pub mod cube;
mod decision;
mod diagrams;
mod frames;
mod ic3;
mod induction;
mod influence;
mod initiation;
mod invariant;
mod lift;
mod query;
mod relation;
mod support;
mod system;

pub use atoms::{StateAtom, StateAtoms};
pub use certificate::{Certificate, CertificateCheck, CertificatePart};
pub use cube::{StateLit, StatementId};
pub use decision::{InvariantDecision, InvariantEvidence, InvariantMethod, Reduction, Unproved};
pub use invariant::{by_relations, decide, listed, soon, symbolic};
pub use system::ObservedModel;

use ic3::Ic3;
use induction::Induction;
use kit::budget::{Budget, Exhausted, Observer};
use lang::model::Position;
use lang::model::expr::Expr;
use solvers::sat::{Backend, Lit};
use solvers::unroll::Unrolling;

/// A symbolic way to prove.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// k-induction alone. It always ends, but often only after as many steps as the longest path that visits no state
    /// twice.
    Induction,
    /// IC3 alone.
    Ic3,
    /// k-induction for small k, then IC3.
    Both,
}

/// The result of a proof attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProofResult {
    /// No bad state is reachable; the certificate was checked again.
    Holds(Certificate),
    /// A bad state is reached after this many steps, and possibly earlier.
    Violated(usize),
    /// The budget ended first.
    Unknown {
        /// The limit that ended it.
        why: Exhausted,
        /// No bad state is reachable in fewer steps than this.
        depth: usize,
    },
}

/// The resources of a proof.
pub struct ProofEffort<'o> {
    /// The back end that searches.
    pub backend: Backend,
    /// The limits.
    pub budget: &'o Budget,
    /// The observer of its progress.
    pub observer: &'o mut dyn Observer,
}

enum ProofSearchResult {
    Holds(Certificate),
    Violated(usize),
    Exhausted(Exhausted),
    /// No result within its limit.
    Nothing,
}

/// The largest k of k-induction before IC3 takes over.
const SMALL_K: usize = 3;

/// Tries to prove that the bad states of a system are unreachable.
///
/// # Panics
/// If the other back end refuses the certificate, which is a bug in the search.
pub fn prove(system: &ObservedModel<'_>, method: Method, mut effort: ProofEffort<'_>) -> ProofResult {
    let mut depth = 0;
    let mut found = ProofSearchResult::Nothing;
    if method != Method::Ic3 {
        let mut induction = Induction::new(system, &effort);
        let most = if method == Method::Both { SMALL_K } else { usize::MAX };
        found = induction.up_to(most, &mut effort);
        depth = induction.depth();
    }
    if matches!(found, ProofSearchResult::Nothing) {
        found = match Ic3::new(system, &effort) {
            Ok(mut ic3) => {
                let found = ic3.run(&mut effort);
                depth = depth.max(ic3.depth());
                found
            }
            Err(why) => ProofSearchResult::Exhausted(why),
        };
    }
    match found {
        ProofSearchResult::Holds(certificate) => {
            match certificate.check(system, other(effort.backend), effort.budget) {
                CertificateCheck::Confirmed => ProofResult::Holds(certificate),
                CertificateCheck::Exhausted(why) => ProofResult::Unknown { why, depth },
                CertificateCheck::Refused(wrong) => panic!("a proof was refused: {wrong}"),
            }
        }
        ProofSearchResult::Violated(depth) => ProofResult::Violated(depth),
        ProofSearchResult::Exhausted(why) => ProofResult::Unknown { why, depth },
        ProofSearchResult::Nothing => unreachable!("IC3 has no limit of its own"),
    }
}

/// Returns the back end that checks the results of this one.
pub fn other(backend: Backend) -> Backend {
    match backend {
        Backend::Cadical => Backend::Varisat,
        Backend::Varisat => Backend::Cadical,
    }
}

/// An observer that runs beside a model: latches that read each position of a trace, and a condition over the latches
/// and the state that must never hold. An automaton over the letters of a class is an observer, and an invariant is one
/// without latches.
///
/// Positions are encoded by [`solvers::unroll::Encoder`] and [`Unrolling::state_truth`]. The methods are called for
/// every copy of the model and must give the same function each time.
pub trait ModelObserver {
    /// Returns the number of latches.
    fn latches(&self) -> usize;

    /// Returns the latches after the first position was read.
    fn start(&self, unrolling: &mut Unrolling<'_>) -> Vec<Lit>;

    /// Returns the latches after `position`, which is not the first one, was read; `before` gives the previous latches.
    /// May read the label of the step that led there.
    fn next(&self, unrolling: &mut Unrolling<'_>, position: Position, before: &[Lit]) -> Vec<Lit>;

    /// Returns the condition that must never hold, over the state at a position and the latches after it was read. Must
    /// not read labels; a latch has to keep their information.
    fn bad(&self, unrolling: &mut Unrolling<'_>, position: Position, latches: &[Lit]) -> Lit;

    /// Returns the name of a latch in certificates.
    fn latch_name(&self, latch: usize) -> String {
        format!("latch {latch}")
    }
}

/// An invariant: an expression that must hold in every reachable state.
#[derive(Debug, Clone, Copy)]
pub struct AlwaysHolds<'e>(pub &'e Expr);

impl ModelObserver for AlwaysHolds<'_> {
    fn latches(&self) -> usize {
        0
    }

    fn start(&self, _: &mut Unrolling<'_>) -> Vec<Lit> {
        Vec::new()
    }

    fn next(&self, _: &mut Unrolling<'_>, _: Position, _: &[Lit]) -> Vec<Lit> {
        Vec::new()
    }

    fn bad(&self, unrolling: &mut Unrolling<'_>, position: Position, _: &[Lit]) -> Lit {
        !unrolling.state_truth(self.0, position)
    }
}
