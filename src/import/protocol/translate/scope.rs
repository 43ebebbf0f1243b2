//! The scope of the analysis: the numbers of runs and agents, and the abilities of the attacker.

/// The numbers of runs and agents of a protocol, and the abilities of the attacker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProtocolScope {
    /// The greatest number of runs of roles, at least one.
    pub runs: usize,
    /// The number of honest agents; by default the number of roles of a protocol.
    pub honest: Option<usize>,
    /// The number of agents on the attacker's side: with none, she shares keys with nobody.
    pub untrusted: usize,
    /// The terms that a variable can take.
    pub matching: Matching,
    /// The keys and secrets that are lost.
    pub reveals: Reveals,
    /// The claims that are asked about.
    pub claims: ClaimsAsked,
    /// The greatest number of forms of a variable that takes any term, if lower than that of the kind of matching.
    pub forms: usize,
    /// True if the model has words for attacks, which grow with the square of the number of messages.
    pub words: bool,
}

impl Default for ProtocolScope {
    /// Returns three runs, an attacker who is an agent herself, typed matching, and no losses.
    fn default() -> Self {
        Self {
            runs: 3,
            honest: None,
            untrusted: 1,
            matching: Matching::default(),
            reveals: Reveals::default(),
            claims: ClaimsAsked::default(),
            forms: usize::MAX,
            words: true,
        }
    }
}

impl ProtocolScope {
    /// The names of attacks that are possible only if keys or secrets get lost or variables take other terms than those of their types.
    pub fn threats(&self) -> Vec<&'static str> {
        let Reveals { actor, after, old_sessions, session_keys, states, random } = self.reveals;
        let threats = [
            (actor, "key compromise impersonation"),
            (after, "later loss of keys"),
            (old_sessions, "reuse of old keys"),
            (session_keys, "session-key reveal"),
            (states, "session-state reveal"),
            (random, "known random values"),
            (self.matching == Matching::Basic, "basic type flaws"),
            (self.matching == Matching::Full, "all type flaws"),
        ];
        threats.into_iter().filter(|(is_possible, _)| *is_possible).map(|(_, name)| name).collect()
    }
}

/// The terms that a variable with a type can take: `--match` of Scyther.
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
    /// All kinds, the most restrictive first.
    pub const ALL: [Self; 3] = [Self::Typed, Self::Basic, Self::Full];

    /// Returns the name, as in `MATCH=basic`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Typed => "typed",
            Self::Basic => "basic",
            Self::Full => "full",
        }
    }
}

/// The claims that are asked about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ClaimsAsked {
    /// Those in the file.
    #[default]
    Written,
    /// Of each role, its end and the secrecy of its values.
    Overview,
}

impl ClaimsAsked {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Written, Self::Overview];

    /// Returns the name, as in `CLAIMS=overview`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Written => "written",
            Self::Overview => "overview",
        }
    }
}

/// A kind of loss.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Loss {
    /// The long-term keys of an agent that claims something: [`Reveals::actor`].
    Actor,
    /// All long-term keys: [`Reveals::after`].
    After,
    /// The secrets of runs that have ended: [`Reveals::old_sessions`].
    OldSessions,
    /// The keys of other sessions: [`Reveals::session_keys`].
    SessionKeys,
    /// The states of other sessions: [`Reveals::states`].
    States,
    /// All fresh values: [`Reveals::random`].
    Random,
}

impl Loss {
    /// All kinds.
    pub const ALL: [Self; 6] =
        [Self::Actor, Self::After, Self::OldSessions, Self::SessionKeys, Self::States, Self::Random];

    /// Returns the name, as in `REVEAL=actor,after`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Actor => "actor",
            Self::After => "after",
            Self::OldSessions => "old-sessions",
            Self::SessionKeys => "session-keys",
            Self::States => "states",
            Self::Random => "random",
        }
    }
}

/// The keys and secrets lost in the course of a trace, or before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Reveals {
    /// Claims are also about runs of an agent whose own long-term keys the attacker has from the start: can
    /// others still be impersonated to it?
    pub actor: bool,
    /// All long-term keys are lost at some time; claims are about runs that have reached them before: forward secrecy.
    pub after: bool,
    /// Terms that runs claim to be secret are lost when all runs have ended; claims are about runs that begin later.
    pub old_sessions: bool,
    /// Session keys of some runs are revealed; claims are about other runs that are no partners of these.
    pub session_keys: bool,
    /// The fresh values and variables of some runs are revealed; claims are about other runs that are no partners of these.
    pub states: bool,
    /// The attacker knows the fresh values of all runs: session identifiers, keys and exponents.
    pub random: bool,
}

impl Reveals {
    /// True if something is lost that only the model of few runs has.
    pub fn need_model(self) -> bool {
        self.old_sessions || self.of_runs() || self.random
    }

    /// True if runs are lost one by one.
    pub fn of_runs(self) -> bool {
        self.session_keys || self.states
    }
}

impl FromIterator<Loss> for Reveals {
    fn from_iter<I: IntoIterator<Item = Loss>>(losses: I) -> Self {
        let mut reveals = Self::default();
        for loss in losses {
            match loss {
                Loss::Actor => reveals.actor = true,
                Loss::After => reveals.after = true,
                Loss::OldSessions => reveals.old_sessions = true,
                Loss::SessionKeys => reveals.session_keys = true,
                Loss::States => reveals.states = true,
                Loss::Random => reveals.random = true,
            }
        }
        reveals
    }
}
