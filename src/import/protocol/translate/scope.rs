//! What is looked at: how many runs and agents, and what the attacker can do.

/// How many runs and agents a protocol is looked at with, and what the attacker can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scope {
    /// The most runs of roles, at least one.
    pub runs: usize,
    /// The honest agents; as many as a protocol has roles, if it is not given.
    pub honest: Option<usize>,
    /// The agents on the attacker's side: with none, she shares keys with nobody.
    pub untrusted: usize,
    /// What a variable can take.
    pub matching: Matching,
    /// What gets lost.
    pub reveals: Reveals,
    /// The most forms of a variable that takes any term, where the kind of matching does not have fewer.
    pub forms: usize,
}

impl Default for Scope {
    /// Three runs, an attacker who is an agent herself, typed matching, and nothing is lost.
    fn default() -> Self {
        Self {
            runs: 3,
            honest: None,
            untrusted: 1,
            matching: Matching::default(),
            reveals: Reveals::default(),
            forms: usize::MAX,
        }
    }
}

/// What a variable can take that has a type: `--match` of Scyther.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Matching {
    /// Terms of its type.
    #[default]
    Typed,
    /// Atomic terms of any type: basic type flaws.
    Basic,
    /// Any term: all type flaws.
    Full,
}

impl Matching {
    /// All of them, the weakest first.
    pub const ALL: [Self; 3] = [Self::Typed, Self::Basic, Self::Full];

    /// The name, as in `MATCH=basic`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Typed => "typed",
            Self::Basic => "basic",
            Self::Full => "full",
        }
    }
}

/// Something that gets lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Loss {
    /// The long-term keys of an agent that claims something: [`Reveals::actor`].
    Actor,
    /// All long-term keys: [`Reveals::after`].
    After,
    /// The secrets of runs that are over: [`Reveals::old_sessions`].
    OldSessions,
}

impl Loss {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Actor, Self::After, Self::OldSessions];

    /// The name, as in `REVEAL=actor,after`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Actor => "actor",
            Self::After => "after",
            Self::OldSessions => "old-sessions",
        }
    }
}

/// What gets lost in the course of a trace, or has been lost before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Reveals {
    /// Claims are also about runs of an agent whose own long-term keys the attacker has from the start: can others still
    /// be impersonated to it?
    pub actor: bool,
    /// All long-term keys get lost at some time; claims are about runs that have come to them before: forward secrecy.
    pub after: bool,
    /// What runs claim to be a secret gets lost when all runs are over; claims are about runs that begin later.
    pub old_sessions: bool,
}

impl FromIterator<Loss> for Reveals {
    fn from_iter<I: IntoIterator<Item = Loss>>(losses: I) -> Self {
        let mut reveals = Self::default();
        for loss in losses {
            match loss {
                Loss::Actor => reveals.actor = true,
                Loss::After => reveals.after = true,
                Loss::OldSessions => reveals.old_sessions = true,
            }
        }
        reveals
    }
}
