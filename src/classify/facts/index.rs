//! Index types: one for each kind of item numbered in this crate.

use kit::index;

index! {
    /// An atom of an arena ([`crate::facts::atom::Atoms`]). Equal atoms of one vocabulary have equal indices.
    AtomId
}
index! {
    /// A fact of one counterexample: an atom at certain positions ([`crate::search::draft::CounterexampleFacts::placed`]).
    PlacedId
}
index! {
    /// An atom that may be absent in stretches of one counterexample ([`crate::search::draft::CounterexampleFacts::occurrences`]).
    OccurrenceId
}
index! {
    /// A counterexample of the pool.
    SampleId
}
index! {
    /// A constraint of the pool that may become a class.
    CandidateId
}
index! {
    /// A position variable of a constraint, with a [`lang::model::Position`] as value.
    PositionVar
}
index! {
    /// A type whose values are individuals ([`crate::facts::atom::Atoms::type_of`]).
    DomainId
}
index! {
    /// An individual of a constraint: a variable over the values of a domain.
    IndividualVar
}
