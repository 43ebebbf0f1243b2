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

mod chart;
mod claim;
mod kinds;
mod minimal;
mod powers;
mod record;
mod replay;
mod role;
mod search;
mod state;
mod term;
mod words;

pub use kinds::{AttackKind, fewest_words};
pub use words::WORDS;

use super::ir::{EventKind, Protocols, RoleClaim, RoleId};
use super::translate::{Chart, ProtocolScope};
use chart::DrawnPattern;
use kit::budget::{Budget, Clock};
use minimal::Minimal;
use role::AttackTheory;
use search::{AttackSearch, PatternSearchEnd, beginnings};
use state::{PartialPattern, RunEvent};

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

impl PatternVerdict {
    fn new(fewest: Option<usize>, extent: Extent) -> Self {
        match (fewest, extent) {
            (Some(runs), _) => PatternVerdict::Attacked { runs },
            (None, Extent::AnyRuns) => PatternVerdict::Proved,
            (None, Extent::UpTo(runs)) => PatternVerdict::UpTo { runs },
        }
    }
}

/// The patterns of a file.
#[derive(Debug)]
pub struct Patterns<'a> {
    theory: AttackTheory<'a>,
}

impl<'a> Patterns<'a> {
    /// The patterns of protocols: of the scope, what variables take, how many agents are the attacker's, and which keys get lost. `None`
    /// if sessions or random values get lost or terms are equal by algebra other than that of one exponentiation, which patterns do not
    /// express.
    pub fn new(protocols: &'a Protocols, scope: ProtocolScope) -> Option<Self> {
        (!scope.reveals.need_model() && !protocols.have_algebra_beyond_powers())
            .then(|| Self { theory: AttackTheory::new(protocols, scope) })
    }

    /// The claims, as events of their roles, in the order of the file.
    pub fn claims(&self) -> Vec<(RoleId, usize)> {
        let roles = self.theory.protocols.roles.iter().enumerate();
        let claims = roles.flat_map(|(role, described)| {
            described.events.iter().enumerate().filter_map(move |(event, described)| match &described.kind {
                EventKind::Claim(RoleClaim::Running { .. } | RoleClaim::Empty) => None,
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
        let answer = self.explore(role, event, (most, patterns), PatternFilter::First, budget);
        PatternVerdict::new(answer.patterns.first().map(PartialPattern::count), answer.extent)
    }

    /// Finds the minimal attack patterns of the claim that is this event of a role, within the limits of [`decide`](Self::decide). If the
    /// budget ends before all of them have words and charts, the rest is left out of the patterns and of the extent.
    pub fn characterise(
        &self,
        role: RoleId,
        event: usize,
        limits: (usize, usize),
        budget: &Budget,
    ) -> Characterisation {
        let ExploredClaim { patterns: found, claim, mut extent } =
            self.explore(role, event, limits, PatternFilter::All, budget);
        let mut patterns: Vec<AttackPattern> = Vec::new();
        for (claim, pattern) in claim.into_iter().flat_map(|claim| found.iter().map(move |of| (claim, of))) {
            let runs = pattern.count();
            if !patterns.is_empty() && budget.exhausted().is_some() {
                extent = extent.below(runs);
                break;
            }
            let (words, helpers) = (pattern.words(claim), pattern.helpers());
            let (chart, exposed) = match pattern.chart(claim) {
                Some(DrawnPattern { chart, exposed }) => (Some(chart), exposed),
                None => (None, None),
            };
            patterns.push(AttackPattern { runs, words, helpers, chart, exposed });
        }
        Characterisation { patterns, extent }
    }

    fn explore(
        &self,
        role: RoleId,
        event: usize,
        (most, mut room): (usize, usize),
        wanted: PatternFilter,
        budget: &Budget,
    ) -> ExploredClaim<'_> {
        let mut found = Minimal::default();
        let Some((starts, claim)) = beginnings(&self.theory, role.index(), event) else {
            return ExploredClaim { patterns: found.patterns, claim: None, extent: Extent::AnyRuns };
        };
        let mut clock = Clock::new(budget, "attack patterns examined");
        let mut extent = Extent::UpTo(0);
        for runs in 1..=most {
            let mut search = AttackSearch::new(&self.theory, starts.clone(), runs, claim, (room, budget));
            let has_ended = loop {
                match search.attack(&mut clock) {
                    PatternSearchEnd::Attack(pattern) => {
                        found.add(*pattern, claim);
                        if wanted == PatternFilter::First {
                            break false;
                        }
                    }
                    PatternSearchEnd::Nothing => break true,
                    PatternSearchEnd::Ended => break false,
                }
            };
            room = search.room;
            if !has_ended || search.left.terms {
                break;
            }
            extent = Extent::UpTo(runs);
            if !search.left.runs {
                extent = Extent::AnyRuns;
                break;
            }
        }
        ExploredClaim { patterns: found.patterns, claim: Some(claim), extent }
    }
}

/// The patterns for which a search goes on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PatternFilter {
    First,
    All,
}

/// The minimal patterns of a claim, by its place in them.
struct ExploredClaim<'t> {
    patterns: Vec<PartialPattern<'t>>,
    claim: Option<RunEvent>,
    extent: Extent,
}

/// The runs for which a list of patterns is complete.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// Any number.
    AnyRuns,
    /// At most so many.
    UpTo(usize),
}

impl Extent {
    /// The part of it with fewer runs than these.
    fn below(self, runs: usize) -> Self {
        match self {
            Extent::AnyRuns => Extent::UpTo(runs - 1),
            Extent::UpTo(most) => Extent::UpTo(most.min(runs - 1)),
        }
    }
}

/// The minimal attack patterns of a claim: every attack within the extent contains one of them, and none contains another. Patterns of more
/// runs are attacks that were found before the search ended.
#[derive(Debug, Clone)]
pub struct Characterisation {
    /// The patterns, those with few runs first. Each has been replayed.
    pub patterns: Vec<AttackPattern>,
    /// The runs for which they are all.
    pub extent: Extent,
}

impl Characterisation {
    /// The state of knowledge about the claim.
    pub fn verdict(&self) -> PatternVerdict {
        PatternVerdict::new(self.patterns.first().map(|pattern| pattern.runs), self.extent)
    }

    /// True if every attack with so many runs contains one of the patterns.
    pub fn covers(&self, runs: usize) -> bool {
        match self.extent {
            Extent::AnyRuns => true,
            Extent::UpTo(most) => most >= runs,
        }
    }
}

/// A minimal attack pattern.
#[derive(Debug, Clone)]
pub struct AttackPattern {
    /// The number of runs.
    pub runs: usize,
    /// The words of `std/protocols.pred` that it has, if agents differ where they can.
    pub words: Vec<&'static str>,
    /// The helper protocols of which runs receive something.
    pub helpers: Vec<String>,
    /// The chart, with names in small letters for agents that may be any.
    pub chart: Option<Chart>,
    /// The agent whose long-term keys the attacker has from the beginning, as in the chart.
    pub exposed: Option<String>,
}
