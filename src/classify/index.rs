//! Index types: one for each kind of thing that this room numbers.

/// Defines an index type over `u32`.
macro_rules! index {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u32);

        impl $name {
            /// The index with this number.
            ///
            /// # Panics
            /// If the number does not fit into 32 bits.
            pub fn new(index: usize) -> Self {
                Self(u32::try_from(index).expect("fewer than 2^32 of them"))
            }

            /// Its number, from 0.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

index! {
    /// An atom of an arena ([`super::Atoms`]). Equal atoms of one vocabulary have equal indices.
    AtomId
}
index! {
    /// A fact of one counterexample: an atom at certain positions ([`super::draft::Facts::placed`]).
    PlacedId
}
index! {
    /// Something that may be absent in stretches of one counterexample ([`super::draft::Facts::occurrences`]).
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
    /// A position variable of a constraint. Positions of traces are plain numbers.
    PositionVar
}
index! {
    /// A type whose values are individuals ([`super::Atoms::type_of`]).
    DomainId
}
index! {
    /// An individual of a constraint: a variable over the values of a domain.
    IndividualVar
}
