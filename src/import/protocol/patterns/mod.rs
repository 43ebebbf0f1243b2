//! Attack patterns for any number of runs, by backward search.
//!
//! A *pattern* has some runs with the beginnings of their roles, an order of their events, and terms that the attacker has to have before
//! them. The search begins with a run that comes to a claim, and gives each term a source until all have one; where no pattern
//! is left, the claim holds for any number of runs. C. Cremers, S. Mauw, *Operational Semantics and Verification of Security Protocols*
//! (2012), describe such a search, after D. Song's strand spaces (1999). Here keys and what is encrypted with them are found alike, one
//! layer at a time.
//!
//! Patterns stand for more than attacks: what is left open is never thought to be impossible. So each attack is played through with
//! concrete terms, and what cannot be is none.

mod claim;
mod replay;
mod role;
mod search;
mod state;
mod term;

use super::ir::{Claim, EventKind, Protocols, RoleId};
use super::translate::Scope;
use kit::budget::Budget;
use role::Theory;
use search::{Found, Search, beginning};

/// The state of knowledge about a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PatternVerdict {
    /// There is an attack with so many runs, and none with fewer.
    Attacked {
        /// How many runs.
        runs: usize,
    },
    /// It holds for any number of runs.
    Proved,
    /// It holds for up to so many runs, which may be none; more were not looked at.
    UpTo {
        /// How many runs.
        runs: usize,
    },
}

/// The patterns of a file.
#[derive(Debug)]
pub struct Patterns<'a> {
    theory: Theory<'a>,
}

impl<'a> Patterns<'a> {
    /// The patterns of protocols: of the scope, what variables take and how many agents are the attacker's.
    pub fn new(protocols: &'a Protocols, scope: Scope) -> Self {
        Self { theory: Theory::new(protocols, scope) }
    }

    /// The claims, as events of their roles, in the order of the file.
    pub fn claims(&self) -> Vec<(RoleId, usize)> {
        let roles = self.theory.protocols.roles.iter().enumerate();
        let claims = roles.flat_map(|(role, described)| {
            described.events.iter().enumerate().filter_map(move |(event, described)| match &described.kind {
                EventKind::Claim(Claim::Running { .. } | Claim::Empty) => None,
                EventKind::Claim(_) => Some((RoleId::new(role), event)),
                _ => None,
            })
        });
        claims.collect()
    }

    /// Decides the claim that is this event of a role, looking at up to `most` runs and about so many `patterns`.
    pub fn decide(
        &self,
        role: RoleId,
        event: usize,
        (most, patterns): (usize, usize),
        budget: &Budget,
    ) -> PatternVerdict {
        let Some((start, claim)) = beginning(&self.theory, role.index(), event) else {
            return PatternVerdict::Proved;
        };
        let mut room = patterns;
        for runs in 1..=most {
            let mut search = Search::new(&self.theory, runs, claim, room);
            let found = search.attack(start.clone(), budget);
            room = search.room;
            match found {
                Found::Attack(attack) => return PatternVerdict::Attacked { runs: attack.count() },
                Found::Nothing if search.left.terms => return PatternVerdict::UpTo { runs: runs - 1 },
                Found::Nothing if !search.left.runs => return PatternVerdict::Proved,
                Found::Nothing => {}
                Found::Ended => return PatternVerdict::UpTo { runs: runs - 1 },
            }
        }
        PatternVerdict::UpTo { runs: most }
    }
}
