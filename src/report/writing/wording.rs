//! Words for a trace of which a property is false: a violation, or, where a protocol asks for a way to a place, an arrival.

/// The meaning of a trace of which a property is false.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Wording {
    /// A violation.
    #[default]
    Violation,
    /// A way to a place: the claim `Reachable` of a protocol, which is an invariant that nothing comes there.
    Arrival,
}

impl Wording {
    /// The wording of a claim, by its property.
    pub fn of(reachability: bool) -> Self {
        if reachability { Self::Arrival } else { Self::Violation }
    }

    /// One of two phrases.
    pub(crate) fn choose(self, violation: &'static str, arrival: &'static str) -> &'static str {
        match self {
            Self::Violation => violation,
            Self::Arrival => arrival,
        }
    }

    /// The past participle: violated or reached.
    pub(crate) fn past(self) -> &'static str {
        self.choose("violated", "reached")
    }

    /// The verb for a state: violates or reaches.
    pub(crate) fn present(self) -> &'static str {
        self.choose("violates", "reaches")
    }

    /// A trace that does so, in short.
    pub(crate) fn trace(self) -> &'static str {
        self.choose("counterexample", "trace")
    }

    /// All traces of some length, of those that do so.
    pub(crate) fn every(self, extent: &str) -> String {
        match self {
            Self::Violation => format!("every counterexample of {extent}"),
            Self::Arrival => format!("every trace of {extent} that gets there"),
        }
    }

    /// Traces of some length that do so: `violating trace of up to 3 steps`.
    pub(crate) fn of_length(self, extent: &str) -> String {
        match self {
            Self::Violation => format!("violating trace of {extent}"),
            Self::Arrival => format!("trace of {extent} that gets there"),
        }
    }

    /// So many kinds.
    pub(crate) fn kinds(self, n: usize) -> String {
        match (self, n) {
            (Self::Violation, 0) => "no kind of violation".to_owned(),
            (Self::Violation, 1) => "one kind of violation".to_owned(),
            (Self::Violation, n) => format!("{n} kinds of violation"),
            (Self::Arrival, 0) => "no way".to_owned(),
            (Self::Arrival, 1) => "one way".to_owned(),
            (Self::Arrival, n) => format!("{n} ways"),
        }
    }

    /// The sentence that no trace of some length does so.
    pub(crate) fn never(self, extent: &str) -> String {
        match self {
            Self::Violation => format!("holds for all traces of {extent}"),
            Self::Arrival => format!("never reached in traces of {extent}"),
        }
    }

    /// The traces of a class without one of its facts: `non-violating traces`.
    pub(crate) fn without_fact(self) -> &'static str {
        self.choose("non-violating traces", "traces, which do not get there")
    }
}
